//! The formulas of a search taken apart: what there are tables for.
//!
//! The next-state relation becomes action instances, predicates their conjuncts, properties of steps the disjuncts of their
//! action. Each part is asked by itself, so its table depends on little of a state. Parts of one [`Sort`] are numbered through,
//! whichever formula they belong to: a number finds the table.
//!
//! [`Sort`]: super::Sort

use std::ops::Range;

use super::Sizes;
use super::instance::{self, ActionInstance, Connective};
use super::steps::Link;
use crate::action::subscript_vars;
use crate::code::{Code, Kind, ProcId, Program, VarId};
use crate::compiled::Compiled;
use crate::layout::Layout;
use crate::liveness::StepTest;
use crate::prepared::Heap;

pub(crate) struct TableParts<'i> {
    /// The next-state relation, followed by those of the players.
    pub actions: Vec<ActionInstance<'i>>,
    /// Which of these are the relation.
    relation: Range<usize>,
    /// Which are each player's.
    players: Vec<Range<usize>>,
    /// For each part of the relation, an earlier one that says the same; known where steps are gathered.
    pub repeated: Vec<Option<u32>>,
    /// Constraints and invariants.
    pub tests: Vec<Test<'i>>,
    pub step_tests: Vec<StepCheck<'i>>,
    /// For each label on states, its conjuncts with the number of the first; nothing where it cannot be tabled.
    pub state_labels: Vec<Option<(usize, Vec<ActionInstance<'i>>)>>,
    /// How each label on steps is found.
    pub step_labels: Vec<StepLabel<'i>>,
    /// Whether one of these is found by links.
    pub has_links: bool,
    pub sizes: Sizes,
}

/// How a label on steps is found with tables.
pub(crate) enum StepLabel<'i> {
    /// Every step has it.
    Always,
    /// It is the label of these parts of the next-state relation.
    Link(Link),
    /// It asks all of this of a step, as tests whose numbers begin here.
    Parts(usize, Vec<ActionInstance<'i>>),
}

/// A conjunct of a constraint or of an invariant.
pub(crate) struct Test<'i> {
    pub conjunct: ActionInstance<'i>,
    /// The number of the invariant; nothing for a constraint.
    pub invariant: Option<u32>,
}

/// What a step is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepRole {
    /// A step that fails it is none.
    Behaviour,
    /// A step that fails it is not followed; what must be true of it and of its target must be true all the same.
    Constraint,
    /// A step that fails it violates the property with this number.
    Property(u32),
}

/// An action constraint, or a property of steps.
pub(crate) struct StepCheck<'i> {
    pub role: StepRole,
    /// The whole of it.
    pub proc: ProcId,
    /// A step that leaves all of these alone is one.
    pub subscript: Subscript<'i>,
    /// As is a step of one of these, whose numbers begin here.
    pub disjuncts: Vec<ActionInstance<'i>>,
    pub first: usize,
}

pub(crate) enum Subscript<'i> {
    None,
    /// Slots.
    Slots(Vec<u32>),
    /// State functions, whose numbers begin here.
    Functions(usize, Vec<ActionInstance<'i>>),
}

impl<'i> TableParts<'i> {
    pub fn new(compiled: &Compiled<'i>, heap: &Heap<'i>, layout: &Layout<'i>) -> TableParts<'i> {
        let mut cutter = Cutter {
            compiled,
            heap,
            layout,
            constants: heap.arena(),
            sizes: Sizes {
                definitions: compiled.program.n_memos as usize,
                ..Sizes::default()
            },
        };
        let next = compiled.relation.next;
        let mut actions = next.map_or(vec![], |it| cutter.disjuncts(it));
        let relation = 0..actions.len();
        let mut players = vec![];
        for player in &compiled.relation.players {
            let first = actions.len();
            actions.extend(cutter.disjuncts(player.next));
            players.push(first..actions.len());
        }
        cutter.sizes.actions = actions.len();
        let tests = cutter.tests();
        let step_tests = cutter.step_tests();
        let state_labels = cutter.state_labels();
        let step_labels = cutter.step_labels(&actions[relation.clone()]);
        let has_links = step_labels.iter().any(|it| matches!(it, StepLabel::Link(_)));
        // What is evaluated once for two parts must be the same both times.
        let repeats = has_links && compiled.relation.is_next_pure;
        TableParts {
            repeated: match repeats {
                true => instance::repeated(&actions[relation.clone()]),
                false => vec![],
            },
            actions,
            relation,
            players,
            tests,
            step_tests,
            state_labels,
            step_labels,
            has_links,
            sizes: cutter.sizes,
        }
    }

    /// Which parts of the next-state relation are a player's; all of it where there is none.
    pub fn actions_of(&self, player: Option<usize>) -> Range<usize> {
        player.map_or(&self.relation, |it| &self.players[it]).clone()
    }
}

/// Takes formulas apart, and counts the parts.
struct Cutter<'c, 'i> {
    compiled: &'c Compiled<'i>,
    heap: &'c Heap<'i>,
    layout: &'c Layout<'i>,
    constants: &'i value::Arena,
    sizes: Sizes,
}

impl<'i> Cutter<'_, 'i> {
    fn apart(
        &self,
        proc: ProcId,
        connective: Connective,
        part: fn(&'i Code<'i>) -> &'i Code<'i>,
    ) -> Vec<ActionInstance<'i>> {
        let mut machine = self.compiled.machine(self.constants, self.constants);
        // There is no state here, and what has an effect must have it in each state.
        machine.pure_only = true;
        instance::take_apart(
            &mut machine,
            proc,
            &self.heap.interner,
            connective,
            part,
            self.layout,
        )
    }

    fn disjuncts(&self, action: ProcId) -> Vec<ActionInstance<'i>> {
        self.apart(action, Connective::Disjuncts, |it| it)
    }

    fn conjuncts(&self, predicate: ProcId) -> Vec<ActionInstance<'i>> {
        self.apart(predicate, Connective::Conjuncts, |it| it)
    }

    fn tests(&mut self) -> Vec<Test<'i>> {
        let mut tests = vec![];
        let constraints = self.compiled.constraints.states.iter();
        let constraints = constraints.map(|it| (None, it.proc));
        let invariants = self.compiled.properties.invariants.iter().zip(0..);
        let invariants = invariants.map(|(it, i)| (Some(i), it.proc));
        for (invariant, proc) in constraints.chain(invariants) {
            let conjuncts = self.conjuncts(proc).into_iter();
            tests.extend(conjuncts.map(|conjunct| Test { conjunct, invariant }));
        }
        (self.sizes.own_tests, self.sizes.tests) = (tests.len(), tests.len());
        tests
    }

    fn step_tests(&mut self) -> Vec<StepCheck<'i>> {
        let Compiled {
            constraints,
            properties,
            ..
        } = self.compiled;
        let exclusions = constraints.exclusions.iter();
        let exclusions = exclusions.map(|it| (StepRole::Behaviour, it.proc));
        let actions = constraints.actions.iter();
        let actions = actions.map(|it| (StepRole::Constraint, it.proc));
        let properties = properties.of_step();
        let properties = properties.map(|(i, it)| (StepRole::Property(i), it.proc));
        let all = exclusions.chain(actions).chain(properties);
        all.map(|(role, proc)| self.step_test(role, proc)).collect()
    }

    fn step_test(&mut self, role: StepRole, proc: ProcId) -> StepCheck<'i> {
        let disjuncts = self.apart(proc, Connective::Disjuncts, action_of);
        let subscript = match &self.compiled.program.procs[proc].body.kind {
            Kind::BoxAction(two) => self.subscript(proc, &two[1]),
            _ => Subscript::None,
        };
        StepCheck {
            role,
            proc,
            subscript,
            first: number(&mut self.sizes.steps, &disjuncts),
            disjuncts,
        }
    }

    fn subscript(&mut self, proc: ProcId, subscript: &'i Code<'i>) -> Subscript<'i> {
        let mut variables = vec![];
        if subscript_vars(subscript, self.compiled.program, &mut variables) {
            return Subscript::Slots(self.layout.slots_of(&variables));
        }
        let functions = self.apart(proc, Connective::Items, subscript_of);
        Subscript::Functions(number(&mut self.sizes.functions, &functions), functions)
    }

    fn state_labels(&mut self) -> Vec<Option<(usize, Vec<ActionInstance<'i>>)>> {
        let mut labels = vec![];
        for label in &self.compiled.liveness.state_labels {
            // A label of an instance sees variables that no state has.
            labels.push(label.abstraction.is_empty().then(|| {
                let parts = self.conjuncts(label.proc);
                (number(&mut self.sizes.tests, &parts), parts)
            }));
        }
        labels
    }

    fn step_labels(&mut self, relation: &[ActionInstance<'i>]) -> Vec<StepLabel<'i>> {
        let mut labels = vec![];
        for label in &self.compiled.liveness.step_labels {
            labels.push(match label.test {
                StepTest::Always(_) => StepLabel::Always,
                StepTest::Proc(proc) => self.link(proc, relation).map_or_else(
                    || {
                        let parts = self.conjuncts(proc);
                        StepLabel::Parts(number(&mut self.sizes.steps, &parts), parts)
                    },
                    StepLabel::Link,
                ),
            });
        }
        labels
    }

    /// Which parts of the relation an action is, if it is some of them.
    fn link(&self, proc: ProcId, relation: &[ActionInstance<'i>]) -> Option<Link> {
        let (variables, when_kept) = inner_subscript(proc, self.compiled.program)?;
        let subscript = self.layout.slots_of(&variables);
        let action = self.apart(proc, Connective::InnerDisjuncts, |it| it);
        Link::new(&action, relation, subscript, when_kept)
    }
}

/// Gives parts the next numbers of their sort; the first of these.
fn number(n: &mut usize, parts: &[ActionInstance<'_>]) -> usize {
    let first = *n;
    *n += parts.len();
    first
}

/// The action of `[A]_v`, or the whole.
fn action_of<'i>(code: &'i Code<'i>) -> &'i Code<'i> {
    match &code.kind {
        Kind::BoxAction(two) => &two[0],
        _ => code,
    }
}

/// The subscript of `[A]_v`.
fn subscript_of<'i>(code: &'i Code<'i>) -> &'i Code<'i> {
    match &code.kind {
        Kind::BoxAction(two) => &two[1],
        _ => code,
    }
}

/// The variables of the subscript of `<<A>>_v` or `[A]_v`, where it is one and they are its subscript, and whether it holds of
/// a step that keeps them.
fn inner_subscript(proc: ProcId, program: &Program<'_>) -> Option<(Vec<VarId>, bool)> {
    let mut body = &program.procs[proc].body;
    if let Kind::Call { proc, .. } = &body.kind {
        body = &program.procs[*proc].body;
    }
    let (two, when_kept) = match &body.kind {
        Kind::AngleAction(two) => (two, false),
        Kind::BoxAction(two) => (two, true),
        _ => return None,
    };
    let mut variables = vec![];
    subscript_vars(&two[1], program, &mut variables).then_some((variables, when_kept))
}
