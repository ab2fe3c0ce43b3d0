//! A specification as the search sees it: states are vectors of interned values.

use std::cell::RefCell;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex};

use explore::{Inspection, Sink};
use tla_sema::Spec;
use util::Symbol;
use value::{Arena, Interner, Value};

use crate::action::subscript_vars;
use crate::ask::Player;
use crate::audit::{AuditWorker, Auditor, Spoilt};
use crate::code::{Cached, Code, Kind, ProcId, Program, VarId};
use crate::compile::Compiler;
use crate::compile::open::{Open, Scope};
use crate::effects::Effects;
use crate::error::{EvalError, Fault};
use crate::kept::{Cache, Keeping};
use crate::layout::{Layout, NodeId, State, find};
use crate::liveness::{self, Liveness, StepTest};
use crate::machine::{Machine, Space, StepContext};
use crate::marks::{Evaluated, Marks};
use crate::pausing::{Found, Pausing};
use crate::plan::Plan;
use crate::possible::Possible;
use crate::symmetry::{self, Images, Permutation};
use crate::table::instance::{self, Instance, Into};
use crate::table::steps::{Link, Steps};
use crate::table::{Sizes, Sort, Tables};

/// A named proc.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub name: Symbol,
    pub proc: ProcId,
}

/// A compiled specification, ready to be searched.
pub struct TlaModel<'i> {
    pub program: &'i Program<'i>,
    pub interner: Interner<'i>,
    pub init: ProcId,
    /// Absent when there are no steps to take.
    pub next: Option<ProcId>,
    pub invariants: Vec<Check>,
    pub initial_properties: Vec<Check>,
    pub action_properties: Vec<Check>,
    /// For each of these that comes from an instance: the variables of its module, and what is put for them.
    abstractions: Vec<Vec<(Symbol, ProcId)>>,
    pub constraints: Vec<Check>,
    pub action_constraints: Vec<Check>,
    /// What every step of the specification satisfies besides its action.
    pub exclusions: Vec<Check>,
    pub view: Option<ProcId>,
    symmetry: Option<ProcId>,
    /// The group of permutations under which states are the same; empty without symmetry.
    group: Vec<Permutation>,
    pub assumptions: Vec<Check>,
    pub postconditions: Vec<Check>,
    pub possible: Possible,
    pub alias: Option<Check>,
    /// The players of a game.
    pub(crate) players: Vec<Player>,
    /// What the plan asks for, in its order.
    pub asked: Vec<ProcId>,
    /// Rules by name, each with a test whether a step is more than stuttering for it.
    movers: Vec<(String, Option<ProcId>)>,
    /// What is to be decided about infinite behaviours.
    pub liveness: Liveness,
    pub(crate) effects: &'i (dyn Effects + Sync),
    /// Arenas for interned values, one for each worker that is made.
    arenas: Mutex<Vec<&'i mut Arena>>,
    /// Whether what formulas did is remembered, see [`crate::table`].
    pub use_tables: bool,
    /// What is made wrong, for tests of whoever is to notice.
    pub spoilt: Option<Spoilt>,
    /// Who takes a second look at what is said.
    pub auditor: Option<&'i dyn Auditor>,
    /// Whether variables may have more than one slot, see [`crate::layout`].
    pub use_slots: bool,
    /// Whether to choose slots that hardly fit, for tests.
    pub use_hostile_layout: bool,
    pub(crate) layout: Arc<Layout<'i>>,
    /// The next-state relation, taken apart.
    pub(crate) instances: Vec<Instance<'i>>,
    /// The first of these; those of the players follow.
    n_instances: usize,
    /// For each of the first ones, an earlier one that says the same; known where steps are gathered.
    pub(crate) repeated: Vec<Option<u32>>,
    /// Evaluating the relation changes nothing, and depends on nothing but the state.
    is_pure: bool,
    /// The same for the initial predicate.
    is_init_pure: bool,
    /// Constraints and invariants, taken apart.
    pub(crate) tests: Vec<Test<'i>>,
    pub(crate) step_tests: Vec<StepCheck<'i>>,
    /// For each mark on states, its conjuncts with the number of the first; nothing where it cannot be tabled.
    pub(crate) state_parts: Vec<Option<(usize, Vec<Instance<'i>>)>>,
    /// How each mark on steps is found.
    pub(crate) step_marks: Vec<StepMark<'i>>,
    /// Whether one of these is found by links.
    pub(crate) has_links: bool,
    sizes: Sizes,
    /// Bytes of interned values and tables, all workers together.
    memory: AtomicUsize,
}

/// How a mark on steps is found with tables.
pub(crate) enum StepMark<'i> {
    /// Every step has it.
    Always,
    /// It is the mark of these parts of the next-state relation.
    Link(Link),
    /// It asks all of this of a step, as tests whose numbers begin here.
    Parts(usize, Vec<Instance<'i>>),
}

/// A conjunct of a constraint or of an invariant.
pub(crate) struct Test<'i> {
    pub conjunct: Instance<'i>,
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
    pub disjuncts: Vec<Instance<'i>>,
    pub first: usize,
}

pub(crate) enum Subscript<'i> {
    None,
    /// Slots.
    Slots(Vec<u32>),
    /// State functions, whose numbers begin here.
    Functions(usize, Vec<Instance<'i>>),
}

/// A compiler that knows the model's constants and overrides.
pub(crate) fn compiler<'s, 'i>(spec: &'s Spec, plan: &Plan<'i>, constants: &'i Arena) -> Compiler<'s, 'i> {
    let mut compiler = Compiler::new(spec, constants);
    for &(decl, to) in &plan.constants {
        compiler.set_constant(decl, to);
    }
    for &(def, to) in &plan.definitions {
        compiler.override_definition(def, to);
    }
    compiler
}

/// One closed expression, compiled.
pub fn compile_value<'i>(
    spec: &Spec,
    plan: &Plan<'i>,
    expr: tla_sema::ir::ExprId,
    constants: &'i Arena,
) -> (&'i Program<'i>, ProcId) {
    let mut compiler = compiler(spec, plan, constants);
    let proc = compiler.expression(expr, Symbol::new("value"));
    (constants.alloc(compiler.program), proc)
}

impl<'i> TlaModel<'i> {
    pub fn new(
        spec: &Spec,
        plan: &Plan<'i>,
        constants: &'i Arena,
        arenas: &'i mut [Arena],
        effects: &'i (dyn Effects + Sync),
    ) -> TlaModel<'i> {
        let mut compiler = compiler(spec, plan, constants);
        let init = compiler.conjunction(&plan.init, Symbol::new("Init"));
        let is_init_pure = plan.init.iter().all(|&it| compiler.is_pure(it));
        let players = Player::all(&mut compiler, plan);
        let next = match plan.players.is_empty() {
            true => (!plan.next.is_empty()).then(|| compiler.rules(&plan.next)),
            false => Some(compiler.moves(&plan.players, &plan.next)),
        };
        let is_pure = plan.next.iter().all(|it| compiler.is_pure(it.action));
        let asked = plan.asked.iter().map(|&it| compiler.proc(it)).collect();
        let mut all = |named: &[crate::plan::Named]| -> Vec<Check> {
            named
                .iter()
                .map(|it| Check {
                    name: it.name,
                    proc: compiler.expression(it.expr, it.name),
                })
                .collect()
        };
        let invariants = all(&plan.invariants);
        let initial_properties = all(&plan.initial_properties);
        let constraints = all(&plan.constraints);
        let action_constraints = all(&plan.action_constraints);
        let exclusions = all(&plan.exclusions);
        let postconditions = all(&plan.postconditions);
        let possible = Possible::new(spec, plan, all(&plan.possible));
        let alias = plan.alias.and_then(|it| all(&[it]).pop());
        let action_properties = plan
            .action_properties
            .iter()
            .map(|(named, rule)| Check {
                name: named.name,
                proc: compiler.box_action(rule, named.name),
            })
            .collect();
        let abstractions = plan
            .action_properties
            .iter()
            .map(|(named, _)| liveness::abstract_variables(&mut compiler, spec, named.expr))
            .collect();
        let view = plan.view.map(|it| compiler.expression(it, Symbol::new("VIEW")));
        let symmetry = plan
            .symmetry
            .map(|it| compiler.expression(it, Symbol::new("SYMMETRY")));
        let assumptions = plan
            .assumptions
            .iter()
            .map(|&it| Check {
                name: Symbol::new("ASSUME"),
                proc: compiler.expression(it, Symbol::new("ASSUME")),
            })
            .collect();
        let movers = plan
            .movers
            .iter()
            .map(|(name, moves)| {
                let changed = moves.map(|subscript| {
                    let open = Open::Changed { subscript };
                    compiler.closed(open, &Scope::default(), Symbol::new("moves"))
                });
                (name.clone(), changed)
            })
            .collect();
        let liveness = liveness::translate(&mut compiler, spec, plan, constants, effects);
        let mut program = compiler.program;
        if plan.coverage {
            program.counts = program.procs.iter().map(|_| AtomicU64::new(0)).collect();
        }
        let layout = Arc::new(Layout::whole(program.variables.len()));
        TlaModel {
            program: constants.alloc(program),
            interner: Interner::new(),
            init,
            next,
            invariants,
            initial_properties,
            action_properties,
            abstractions,
            constraints,
            action_constraints,
            exclusions,
            view,
            symmetry,
            group: vec![],
            assumptions,
            postconditions,
            possible,
            alias,
            players,
            asked,
            movers,
            liveness,
            effects,
            arenas: Mutex::new(arenas.iter_mut().collect()),
            use_tables: true,
            spoilt: None,
            auditor: None,
            use_slots: true,
            use_hostile_layout: false,
            layout,
            instances: vec![],
            n_instances: 0,
            tests: vec![],
            step_tests: vec![],
            state_parts: vec![],
            step_marks: vec![],
            has_links: false,
            repeated: vec![],
            is_pure,
            is_init_pure,
            sizes: Sizes::default(),
            memory: AtomicUsize::new(0),
        }
    }

    /// Which parts of the next-state relation are a player's.
    pub(crate) fn instances_of(&self, player: Option<usize>) -> std::ops::Range<usize> {
        player.map_or(0..self.n_instances, |it| self.players[it].instances.clone())
    }

    pub fn n_variables(&self) -> usize {
        self.program.variables.len()
    }

    /// The values of a state's variables; those that have no slot of their own are made in `arena`.
    pub fn decode<'t>(&self, state: &[u32], arena: &'t Arena) -> Vec<Value<'t>>
    where
        'i: 't,
    {
        self.layout.values(state, &self.interner, arena).collect()
    }

    /// Gives a machine the values of a state.
    pub(crate) fn set_current<'t>(&'t self, machine: &mut Machine<'t, 'i>, state: &[u32]) {
        machine
            .state
            .current
            .set(self.state(state, machine.arena), machine.arena);
    }

    fn state<'t>(&'t self, state: &[u32], arena: &'t Arena) -> State<'t, 'i> {
        State {
            slots: arena.alloc_slice_copy(state),
            layout: &self.layout,
            interner: &self.interner,
        }
    }

    /// Gives a machine the values of a next state: all of them, or each when it is first read.
    pub(crate) fn set_next<'t>(&'t self, machine: &mut Machine<'t, 'i>, state: &[u32], lazily: bool) {
        machine.step.next.clear();
        machine
            .step
            .next
            .resize(if state.is_empty() { 0 } else { self.n_variables() }, None);
        machine.step.next_state = Some(self.state(state, machine.arena));
        if !lazily {
            machine.make_next();
        }
    }

    /// Appends the machine's next state to `slots`.
    pub(crate) fn encode_next(
        &self,
        machine: &mut Machine<'_, 'i>,
        interned: &'i Arena,
        action: ProcId,
        slots: &mut Vec<u32>,
    ) -> Result<(), Fault> {
        let first = slots.len();
        slots.resize(first + self.layout.n_slots(), 0);
        for i in 0..machine.step.next.len() {
            let Some(value) = machine.step.next[i] else {
                return Err(Fault::Error);
            };
            let state = &mut slots[first..];
            let arenas = (interned, machine.arena);
            let before = machine.state.current.made(i);
            let encoded = self
                .layout
                .encode_after(i as NodeId, value, before, &self.interner, arenas, state);
            if let Err(trouble) = encoded {
                let at = machine.program.procs[action as usize].body.at;
                return Err(machine.trouble(trouble, &[value], at));
            }
        }
        Ok(())
    }

    /// Takes formulas apart and computes the symmetry group; false when the configuration names something else than
    /// permutations of model values.
    pub fn prepare(&mut self) -> Result<bool, EvalError> {
        self.draw_constants();
        // Images under a permutation are those of whole values.
        if self.use_slots && self.symmetry.is_none() {
            self.layout = Arc::new(match self.use_hostile_layout {
                true => find::find_hostile(self),
                false => find::find(self),
            });
            self.program.counts.iter().for_each(|it| it.store(0, Relaxed));
            self.program.cached.iter().for_each(|it| *it.calls() = None);
        }
        if self.spoilt == Some(Spoilt::Slots)
            && let Some(layout) = Arc::get_mut(&mut self.layout)
        {
            layout.is_spoilt = true;
        }
        if self.use_tables {
            self.take_apart();
        }
        self.find_symmetry()
    }

    /// Lets chance decide what it decides once. Whatever else evaluates first must not change what is drawn.
    fn draw_constants(&self) {
        if !self.program.cached.iter().any(|it| it.is_drawn) {
            return;
        }
        let all = self.program.cached.iter().zip(0..);
        for (_, index) in all.filter(|(it, _)| it.is_drawn) {
            self.evaluate_constant(index);
        }
    }

    /// Makes sure that a closed constant is evaluated, if it can be.
    pub(crate) fn evaluate_constant(&self, index: u32) {
        let arena = self.arena();
        let mut machine = Machine::new(self.program, arena, arena, self.effects);
        // An error is told by whoever needs the value: it is not there then either.
        let _ = machine.cached(index);
    }

    /// The closed constants, if calls are counted.
    pub(crate) fn counted_constants(&self) -> &[Cached<'i>] {
        match self.program.counts.is_empty() {
            true => &[],
            false => &self.program.cached,
        }
    }

    fn take_apart(&mut self) {
        let constants = self.arena();
        let apart = |proc: ProcId, into: Into, part: fn(&'i Code<'i>) -> &'i Code<'i>| {
            let mut machine = Machine::new(self.program, constants, constants, self.effects);
            machine.pure_only = true;
            instance::take_apart(&mut machine, proc, &self.interner, into, part, &self.layout)
        };
        let mut instances = self.next.map_or(vec![], |it| apart(it, Into::Disjuncts, |it| it));
        let n_instances = instances.len();
        let mut players = self.players.clone();
        for player in &mut players {
            let first = instances.len();
            instances.extend(apart(player.next, Into::Disjuncts, |it| it));
            player.instances = first..instances.len();
        }
        let constraints = self.constraints.iter().map(|it| (None, it.proc));
        let invariants = self.invariants.iter().zip(0..).map(|(it, i)| (Some(i), it.proc));
        let tests = constraints
            .chain(invariants)
            .flat_map(|(invariant, proc)| {
                let conjuncts = apart(proc, Into::Conjuncts, |it| it);
                conjuncts
                    .into_iter()
                    .map(move |conjunct| Test { conjunct, invariant })
            })
            .collect();
        let first_property = self.invariants.len() as u32;
        let exclusions = self.exclusions.iter().map(|it| (StepRole::Behaviour, it.proc));
        let constraints = self.action_constraints.iter();
        let constraints = constraints.map(|it| (StepRole::Constraint, it.proc));
        let properties = self.action_properties.iter().zip(first_property..);
        let properties = properties.map(|(it, i)| (StepRole::Property(i), it.proc));
        let (mut n_disjuncts, mut n_functions) = (0, 0);
        let step_tests = exclusions
            .chain(constraints)
            .chain(properties)
            .map(|(role, proc)| {
                let disjuncts = apart(proc, Into::Disjuncts, action_of);
                let subscript = match &self.program.procs[proc as usize].body.kind {
                    Kind::BoxAction(two) => {
                        let mut variables = vec![];
                        match subscript_vars(&two[1], self.program, &mut variables) {
                            true => Subscript::Slots(self.layout.slots_of(&variables)),
                            false => {
                                let functions = apart(proc, Into::Items, subscript_of);
                                n_functions += functions.len();
                                Subscript::Functions(n_functions - functions.len(), functions)
                            }
                        }
                    }
                    _ => Subscript::None,
                };
                n_disjuncts += disjuncts.len();
                StepCheck {
                    role,
                    proc,
                    subscript,
                    first: n_disjuncts - disjuncts.len(),
                    disjuncts,
                }
            })
            .collect();
        let mut n_tests = Vec::len(&tests);
        let state_parts = self
            .liveness
            .state_marks
            .iter()
            .map(|mark| {
                mark.abstraction.is_empty().then(|| {
                    let parts = apart(mark.proc, Into::Conjuncts, |it| it);
                    n_tests += parts.len();
                    (n_tests - parts.len(), parts)
                })
            })
            .collect();
        let link = |proc: ProcId| {
            let (variables, when_kept) = inner_subscript(proc, self.program)?;
            let subscript = self.layout.slots_of(&variables);
            let action = apart(proc, Into::InnerDisjuncts, |it| it);
            Link::new(&action, &instances[..n_instances], subscript, when_kept)
        };
        let mut step_mark = |test: StepTest| match test {
            StepTest::Always(_) => StepMark::Always,
            StepTest::Proc(proc) => match link(proc) {
                Some(link) => StepMark::Link(link),
                None => {
                    let parts = apart(proc, Into::Conjuncts, |it| it);
                    n_disjuncts += parts.len();
                    StepMark::Parts(n_disjuncts - parts.len(), parts)
                }
            },
        };
        let step_marks: Vec<StepMark<'i>> = self
            .liveness
            .step_marks
            .iter()
            .map(|mark| step_mark(mark.test))
            .collect();
        self.sizes = Sizes {
            definitions: self.program.n_memos as usize,
            actions: instances.len(),
            tests: n_tests,
            own_tests: Vec::len(&tests),
            steps: n_disjuncts,
            functions: n_functions,
        };
        (self.n_instances, self.players) = (n_instances, players);
        (self.instances, self.tests, self.step_tests) = (instances, tests, step_tests);
        self.has_links = step_marks.iter().any(|it| matches!(it, StepMark::Link(_)));
        if self.has_links && self.is_pure {
            self.repeated = instance::repeated(&self.instances[..n_instances]);
        }
        (self.state_parts, self.step_marks) = (state_parts, step_marks);
    }

    fn find_symmetry(&mut self) -> Result<bool, EvalError> {
        let Some(proc) = self.symmetry else {
            return Ok(true);
        };
        let group = {
            let worker = explore::Model::worker(self, 0);
            let mut machine = Machine::new(self.program, &worker.scratch, worker.interned, self.effects);
            let set = match machine.run(proc) {
                Ok(set) => set,
                Err(fault) => return Err(take_error(&mut machine, fault, proc)),
            };
            value::enumerate(set, machine.arena)
                .ok()
                .and_then(symmetry::group)
        };
        let known = group.is_some();
        self.group = group.unwrap_or_default();
        Ok(known)
    }

    /// Evaluates the assumptions; gives the first that is false.
    pub fn check_assumptions(&self, worker: &mut Worker<'_, 'i>) -> Result<Option<usize>, EvalError> {
        worker.scratch.reset();
        let mut machine = Machine::new(self.program, &worker.scratch, worker.interned, self.effects);
        for (i, check) in self.assumptions.iter().enumerate() {
            match machine.test(check.proc) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(i)),
                Err(fault) => return Err(take_error(&mut machine, fault, check.proc)),
            }
        }
        Ok(None)
    }
}

/// What one thread needs.
pub struct Worker<'m, 'i> {
    pub(crate) model: &'m TlaModel<'i>,
    pub(crate) scratch: Arena,
    pub(crate) interned: &'i Arena,
    pub(crate) buffers: Buffers,
    /// Values that do not depend on the state.
    pub(crate) cache: RefCell<Cache<'i>>,
    /// Absent where tables are not used, and while one is being made.
    pub(crate) tables: Option<Box<Tables<'i>>>,
    /// Whose moves successors are; nobody's in particular where there is nothing.
    pub(crate) player: Option<usize>,
    /// This worker's part of the audit, once there is one.
    pub(crate) audit: Option<Box<dyn AuditWorker + 'i>>,
    /// Bytes that the model's count has of this worker.
    counted: usize,
    /// States until it is counted again.
    uncounted: u32,
}

impl Worker<'_, '_> {
    fn spoil(&mut self, what: Spoilt) {
        match (what, &mut self.tables) {
            (Spoilt::Tables, Some(tables)) => tables.is_spoilt = true,
            (Spoilt::Dispatch, Some(tables)) => tables.dispatch.is_spoilt = true,
            (Spoilt::Memos, _) => self.cache.get_mut().is_spoilt = true,
            (Spoilt::Representatives, _) => self.buffers.images.is_spoilt = true,
            // Those who make them ask the model.
            (Spoilt::Tables | Spoilt::Dispatch | Spoilt::Marks | Spoilt::Slots, _) => {}
        }
    }

    /// Tells the model how much memory this worker holds for good.
    fn count_memory(&mut self) {
        /// Smaller changes are not worth a shared counter.
        const STEP: usize = 1 << 16;
        /// Nor is every state worth counting.
        const STATES: u32 = 16;
        if self.uncounted > 0 {
            self.uncounted -= 1;
            return;
        }
        self.uncounted = STATES;
        let tables = self.tables.as_ref().map_or(0, |it| it.memory());
        let now = self.interned.allocated_bytes() + tables + self.cache.borrow().memory();
        if now.abs_diff(self.counted) >= STEP {
            self.model
                .memory
                .fetch_add(now.wrapping_sub(self.counted), Relaxed);
            self.counted = now;
        }
    }
}

/// Space that is used again for every state.
#[derive(Default)]
pub(crate) struct Buffers {
    pub space: Space,
    pub slots: Vec<u32>,
    /// The step that is being marked leads here.
    pub target: Vec<u32>,
    /// Successors that wait to be emitted: all their slots, and their actions.
    pub pending: Vec<u32>,
    pub actions: Vec<ProcId>,
    key: Vec<u32>,
    pub images: Images,
    pub marks: Marks,
    /// The steps of a state, where its marks depend on all of them.
    pub steps: Steps,
}

pub(crate) fn take_error(machine: &mut Machine<'_, '_>, fault: Fault, proc: ProcId) -> EvalError {
    let at = machine.program.procs[proc as usize].body.at;
    machine.unassigned(fault, at);
    match machine.error.take() {
        Some(error) => *error,
        None => EvalError {
            kind: crate::ErrorKind::Unsupported { what: "this" },
            at,
            chain: vec![],
        },
    }
}

pub(crate) fn fault(machine: &mut Machine<'_, '_>, fault: Fault, proc: ProcId) -> explore::Fault {
    explore::Fault::new(take_error(machine, fault, proc))
}

impl<'i> TlaModel<'i> {
    /// What a worker's machines keep values with; nothing when everything is to be evaluated.
    pub(crate) fn keeping<'t>(
        &'t self,
        cache: &'t RefCell<Cache<'i>>,
        interned: &'i Arena,
    ) -> Option<Keeping<'t, 'i>> {
        let is_on = self.use_tables && self.program.counts.is_empty();
        is_on.then_some(Keeping {
            cache,
            interner: &self.interner,
            interned,
        })
    }

    pub(crate) fn arena(&self) -> &'i Arena {
        let arena = self.arenas.lock().expect("no panic while taking an arena").pop();
        match arena {
            Some(arena) => arena,
            // More workers than were planned for: their arenas live as long as the process.
            None => Box::leak(Box::new(Arena::new())),
        }
    }

    /// Emits the machine's next state.
    pub(crate) fn emit(
        &self,
        machine: &mut Machine<'_, 'i>,
        interned: &'i Arena,
        buffers: &mut Buffers,
        action: ProcId,
        initial: bool,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        buffers.slots.clear();
        self.encode_next(machine, interned, action, &mut buffers.slots)?;
        self.pass_on(machine, interned, buffers, action, initial, sink)
    }

    /// Emits the state in `buffers.slots`, which is the machine's next state too.
    pub(crate) fn pass_on(
        &self,
        machine: &mut Machine<'_, 'i>,
        interned: &'i Arena,
        buffers: &mut Buffers,
        action: ProcId,
        initial: bool,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        if !initial {
            for check in &self.exclusions {
                if !machine.test(check.proc)? {
                    buffers.marks.has_excluded = true;
                    return Ok(sink.exclude(action).is_break());
                }
            }
            for check in &self.action_constraints {
                if !machine.test(check.proc)? {
                    buffers.marks.has_excluded = true;
                    return Ok(sink.exclude(action).is_break()
                        || self.judge_target(machine, buffers, sink)?
                        || self.judge_step(machine, buffers, sink)?);
                }
            }
        }
        if self.emit_state(Some(machine), interned, buffers, action, sink)? {
            return Ok(true);
        }
        if initial {
            return Ok(false);
        }
        self.possible.after_step(machine, &self.constraints)?;
        if self.judge_step(machine, buffers, sink)? {
            return Ok(true);
        }
        if sink.wants_marks() {
            let Buffers { slots, marks, .. } = &mut *buffers;
            marks.step(&self.liveness, &mut Evaluated(self, machine), slots)?;
            sink.mark_step(&marks.step);
        }
        Ok(false)
    }

    /// Tells a property that the step to `buffers.slots` violates.
    fn judge_step(
        &self,
        machine: &mut Machine<'_, 'i>,
        buffers: &Buffers,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        for (check, property) in self.action_properties.iter().zip(self.invariants.len() as u32..) {
            if !machine.test(check.proc)? {
                return Ok(sink.violation(property, &buffers.slots).is_break());
            }
        }
        Ok(false)
    }

    /// Tells an invariant that the state in `buffers.slots` violates: of one that nobody will inspect, because the step to it is
    /// excluded.
    pub(crate) fn judge_target(
        &self,
        machine: &mut Machine<'_, 'i>,
        buffers: &Buffers,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        let target = machine.state_after()?;
        let violated = machine.in_state(target, StepContext::default(), |machine| {
            for (check, property) in self.invariants.iter().zip(0..) {
                if !machine.test(check.proc)? {
                    return Ok(Some(property));
                }
            }
            Ok(None)
        })?;
        Ok(violated.is_some_and(|it| sink.violation(it, &buffers.slots).is_break()))
    }

    /// Whether a machine is needed to emit a state.
    pub(crate) fn has_view(&self) -> bool {
        self.view.is_some()
    }

    /// The values of a key: of the state that stands for others, or of a view.
    pub fn decode_key<'t>(&self, key: &[u32], arena: &'t Arena) -> Vec<Value<'t>>
    where
        'i: 't,
    {
        match self.has_view() {
            true => key.iter().map(|&it| self.interner.value(it)).collect(),
            false => self.decode(key, arena),
        }
    }

    /// The permutations of model values under which states are the same, without the identity.
    pub fn permutations(&self) -> &[Permutation] {
        &self.group
    }

    /// Whether two states are the same for a search exactly when they are equal.
    pub(crate) fn states_are_keys(&self) -> bool {
        self.view.is_none() && self.group.is_empty()
    }

    /// Emits the state in `buffers.slots` itself. The machine, whose next state it is, is needed for a view only.
    pub(crate) fn emit_state(
        &self,
        machine: Option<&mut Machine<'_, 'i>>,
        interned: &'i Arena,
        buffers: &mut Buffers,
        action: ProcId,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        let Buffers {
            slots,
            key: key_slots,
            images,
            ..
        } = buffers;
        let seen = match self.view {
            None => None,
            Some(view) => {
                let Some(machine) = machine else {
                    return Err(Fault::Error);
                };
                let at = machine.program.procs[action as usize].body.at;
                // The view of the next state: its names are primed.
                let outer = std::mem::replace(&mut machine.step.primed, true);
                let value = machine.run(view);
                machine.step.primed = outer;
                let value = value?;
                match self.interner.intern(value, interned) {
                    // Of what was interned, not of what was made: `1..0` and `{}` are one value, and hashed in two ways.
                    Ok(slot) => Some((slot, self.interner.value(slot).hash64())),
                    Err(trouble) => return Err(machine.trouble(trouble, &[value], at)),
                }
            }
        };
        let key = match seen {
            None if self.group.is_empty() => None,
            Some((slot, hash)) if self.group.is_empty() => {
                key_slots.clear();
                key_slots.push(slot);
                Some((&key_slots[..], hash))
            }
            // A permutation of a state permutes what the view shows of it: states are the same when their views are, up to one.
            seen => {
                let of = seen.as_ref().map_or(&slots[..], |it| std::slice::from_ref(&it.0));
                match images.representative(of, &self.group, &self.interner, interned, key_slots) {
                    Ok(_) if seen.is_some() => {
                        let hash = self.interner.value(key_slots[0]).hash64();
                        Some((&key_slots[..], hash))
                    }
                    Ok(hash) => Some((&key_slots[..], hash)),
                    // An image is as good a value as what it is the image of.
                    Err(_) => return Err(Fault::Error),
                }
            }
        };
        Ok(sink.emit(slots, self.hash(slots, sink), key, action).is_break())
    }

    /// The content hash of a state, if it is wanted.
    pub(crate) fn hash(&self, state: &[u32], sink: &dyn Sink) -> u64 {
        match sink.needs_hash() {
            true => self.content_hash(state),
            false => 0,
        }
    }

    pub(crate) fn content_hash(&self, state: &[u32]) -> u64 {
        self.layout.hash(state, &self.interner)
    }

    /// Emits the successors of a state by evaluating the next-state relation.
    pub(crate) fn evaluated_successors(
        &self,
        worker: &mut Worker<'_, 'i>,
        next: ProcId,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        let Worker {
            model,
            scratch,
            interned,
            buffers,
            cache,
            ..
        } = worker;
        let space = std::mem::take(&mut buffers.space);
        let mut machine = Machine::reuse(model.program, scratch, interned, model.effects, space);
        machine.keeping = self.keeping(cache, interned);
        self.set_current(&mut machine, state);
        machine.state.level = depth;
        machine.state.memo_on = true;
        let entered = match sink.wants_marks() {
            true => buffers
                .marks
                .enter(&self.liveness, &mut Evaluated(self, &mut machine), state),
            false => Ok(()),
        };
        if let Err(it) = entered {
            // The steps count that come before the error is told.
            buffers.marks.give_up(&self.liveness, state);
            let told = fault(&mut machine, it, next);
            let _ = machine.successors(next, &mut |machine, action| {
                self.emit(machine, interned, buffers, action, false, sink)
            });
            return Err(told);
        }
        let flow = machine.successors(next, &mut |machine, action| {
            self.emit(machine, interned, buffers, action, false, sink)
        });
        if flow.is_ok() && sink.wants_marks() {
            let left = buffers
                .marks
                .leave(&self.liveness, &mut Evaluated(self, &mut machine));
            if let Err(it) = left {
                return Err(fault(&mut machine, it, next));
            }
            sink.mark_state(&buffers.marks.state);
        }
        match flow {
            Ok(_) => {
                buffers.space = machine.into_space();
                Ok(())
            }
            Err(it) => Err(fault(&mut machine, it, next)),
        }
    }

    /// For a specification without steps.
    fn stay(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        if !sink.wants_marks() {
            return Ok(());
        }
        let mut machine = Machine::new(self.program, &worker.scratch, worker.interned, self.effects);
        self.set_current(&mut machine, state);
        machine.state.level = depth;
        let marks = &mut worker.buffers.marks;
        let done = marks.enter(&self.liveness, &mut Evaluated(self, &mut machine), state);
        let done = done.and_then(|()| marks.leave(&self.liveness, &mut Evaluated(self, &mut machine)));
        sink.mark_state(&marks.state);
        done.map_err(|it| fault(&mut machine, it, self.init))
    }

    /// A state as the module sees it that a property about steps is instantiated from: names and values. Empty when the
    /// property comes from no instance, or a value cannot be computed.
    pub fn abstract_state(
        &self,
        worker: &mut Worker<'_, 'i>,
        property: u32,
        state: &[u32],
    ) -> Vec<(Symbol, String)> {
        let place = (property as usize).checked_sub(self.invariants.len());
        let Some(variables) = place.and_then(|it| self.abstractions.get(it)) else {
            return vec![];
        };
        worker.scratch.reset();
        let mut machine = Machine::new(self.program, &worker.scratch, worker.interned, self.effects);
        self.set_current(&mut machine, state);
        let value = |&(name, proc): &(Symbol, ProcId)| Some((name, value::text(machine.run(proc).ok()?)));
        variables
            .iter()
            .map(value)
            .collect::<Option<_>>()
            .unwrap_or_default()
    }

    /// For each rule of a conjunction of several, whether it moves in a step: the others leave their variables alone.
    pub fn moved(&self, worker: &mut Worker<'_, 'i>, before: &[u32], after: &[u32]) -> Vec<(&str, bool)> {
        worker.scratch.reset();
        let mut machine = Machine::new(self.program, &worker.scratch, worker.interned, self.effects);
        self.set_current(&mut machine, before);
        self.set_next(&mut machine, after, false);
        let mut moves = |test: &Option<ProcId>| match test {
            Some(proc) => machine.test(*proc).unwrap_or(before != after),
            None => before != after,
        };
        self.movers
            .iter()
            .map(|(name, test)| (name.as_str(), moves(test)))
            .collect()
    }

    /// What a property number stands for.
    pub fn property(&self, number: u32) -> Property {
        let number = number as usize;
        let (n, m) = (self.invariants.len(), self.action_properties.len());
        if number < n {
            Property::Invariant(self.invariants[number])
        } else if number < n + m {
            Property::Action(self.action_properties[number - n])
        } else {
            Property::Initial(self.initial_properties[number - n - m])
        }
    }
}

/// What can be violated.
#[derive(Clone, Copy, Debug)]
pub enum Property {
    Invariant(Check),
    Action(Check),
    Initial(Check),
}

impl<'i> explore::Model for TlaModel<'i> {
    type Worker<'m>
        = Worker<'m, 'i>
    where
        Self: 'm;

    fn worker(&self, _index: usize) -> Worker<'_, 'i> {
        let interned = self.arena();
        let tables = self
            .use_tables
            .then(|| Box::new(Tables::new(self.sizes, self.layout.clone(), interned)));
        let mut worker = Worker {
            model: self,
            scratch: Arena::new(),
            interned,
            buffers: Buffers::default(),
            cache: RefCell::new(Cache::new(self.program.n_sites)),
            tables,
            player: None,
            audit: None,
            counted: 0,
            uncounted: 0,
        };
        if let Some(spoilt) = self.spoilt {
            worker.spoil(spoilt);
        }
        worker
    }

    fn memory(&self) -> usize {
        self.memory.load(Relaxed)
    }

    fn n_slots(&self) -> usize {
        self.layout.n_slots()
    }

    /// Each time: how much follows, the layout, what is known to be possible, and new values.
    fn write_values(&self, noted: &mut Vec<usize>, bytes: &mut Vec<u8>) {
        let seen: Vec<u8> = self.possible.seen().flat_map(u64::to_le_bytes).collect();
        let mut values = vec![];
        self.interner.write_dictionary(noted, &mut values);
        bytes.extend((seen.len() as u64).to_le_bytes());
        bytes.extend((values.len() as u64).to_le_bytes());
        bytes.extend(self.layout.fingerprint().to_le_bytes());
        bytes.extend(seen);
        bytes.extend(values);
    }

    fn read_values(
        &self,
        worker: &mut Worker<'_, 'i>,
        mut bytes: &[u8],
    ) -> Option<Box<explore::Translation>> {
        let mut values = vec![];
        while let Some((head, rest)) = bytes.split_first_chunk::<16>() {
            let head = u128::from_le_bytes(*head);
            let (layout, rest) = rest.split_first_chunk::<8>()?;
            if u64::from_le_bytes(*layout) != self.layout.fingerprint() {
                return None;
            }
            let (seen, rest) = rest.split_at_checked(head as u64 as usize)?;
            let (more, rest) = rest.split_at_checked((head >> 64) as usize)?;
            let (seen, _) = seen.as_chunks();
            self.possible
                .set_seen(seen.iter().map(|it| u64::from_le_bytes(*it)));
            values.extend_from_slice(more);
            bytes = rest;
        }
        let renamed = self.interner.read_dictionary(&values, worker.interned)?;
        bytes
            .is_empty()
            .then(|| Box::new(move |slot| renamed.slot(slot)) as Box<explore::Translation>)
    }

    fn initial(&self, worker: &mut Worker<'_, 'i>, sink: &mut dyn Sink) -> Result<(), explore::Fault> {
        match self.auditor.and_then(|it| it.chooses_initial()) {
            Some(effort) => self.audited_initial(worker, effort, sink),
            None => self.begin(worker, sink),
        }
    }

    fn successors(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        match self.auditor.and_then(|it| it.chooses(state, depth)) {
            Some(effort) => self.audited_successors(worker, effort, (state, depth), sink),
            None => self.expand(worker, state, depth, sink),
        }
    }

    fn inspect(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<Inspection, explore::Fault> {
        match self.auditor.and_then(|it| it.chooses(state, depth)) {
            Some(effort) => self.audited_inspection(worker, effort, (state, depth)),
            None => self.examine(worker, state, depth),
        }
    }
}

impl<'i> TlaModel<'i> {
    /// The initial states, by evaluation.
    pub(crate) fn begin(
        &self,
        worker: &mut Worker<'_, 'i>,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        let Worker {
            model,
            scratch,
            interned,
            buffers,
            ..
        } = worker;
        // What is counted would be counted again.
        let may_pause = self.is_init_pure && self.program.counts.is_empty();
        let mut pausing = may_pause.then(|| Box::new(Pausing::new()));
        loop {
            scratch.reset();
            let mut machine = Machine::new(model.program, scratch, interned, model.effects);
            machine.step.search.pausing = pausing;
            let mut is_over = true;
            let flow = machine.initial(self.init, self.n_variables(), &mut |machine, action| {
                let found = machine
                    .step
                    .search
                    .pausing
                    .as_mut()
                    .map(|it| it.found(machine.arena, machine.work));
                match found {
                    Some(Found::Old) => return Ok(false),
                    Some(Found::Pause) => {
                        is_over = false;
                        return Ok(true);
                    }
                    Some(Found::New) | None => {}
                }
                self.emit(machine, interned, buffers, action, true, sink)
            });
            match flow {
                Ok(_) if is_over => return Ok(()),
                Ok(_) => pausing = machine.step.search.pausing.take().map(|it| Box::new(it.again())),
                Err(it) => return Err(fault(&mut machine, it, self.init)),
            }
        }
    }

    /// The successors of a state, by table or by evaluation.
    pub(crate) fn expand(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        worker.scratch.reset();
        worker.count_memory();
        let player = worker.player.map(|it| self.players[it].next);
        let Some(next) = player.or(self.next) else {
            return self.stay(worker, state, depth, sink);
        };
        let tabled = worker.tables.as_mut().is_some_and(|it| {
            for sort in [Sort::Action, Sort::Step, Sort::Function] {
                it.trees(sort).tick();
            }
            sink.wants_marks() && self.has_links || !it.trees(Sort::Action).all_off()
        });
        if tabled && self.layout.fits(state) {
            return worker.tabled_successors(next, state, depth, sink);
        }
        self.evaluated_successors(worker, next, state, depth, sink)
    }

    /// What must be true of a new state, by table or by evaluation.
    pub(crate) fn examine(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<Inspection, explore::Fault> {
        worker.scratch.reset();
        let inspection = self.judge_state(worker, state, depth)?;
        if inspection.expand && self.possible.wants_states(depth) {
            self.look_for_possible(worker, state, depth)?;
        }
        Ok(inspection)
    }
}

impl<'i> TlaModel<'i> {
    /// Whether a state is inside of the constraints, and what it violates.
    fn judge_state(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<Inspection, explore::Fault> {
        if self.constraints.is_empty()
            && self.invariants.is_empty()
            && (depth > 1 || self.initial_properties.is_empty())
        {
            return Ok(Inspection::FINE);
        }
        let tabled = worker.tables.as_mut().is_some_and(|it| {
            it.trees(Sort::Test).tick();
            !it.trees(Sort::Test).all_off()
        });
        if tabled
            && self.layout.fits(state)
            && let Some(inspection) = worker.tabled_inspection(state, depth)
        {
            return Ok(inspection);
        }
        let space = std::mem::take(&mut worker.buffers.space);
        let mut machine = Machine::reuse(
            self.program,
            &worker.scratch,
            worker.interned,
            self.effects,
            space,
        );
        machine.keeping = self.keeping(&worker.cache, worker.interned);
        self.set_current(&mut machine, state);
        machine.state.level = depth;
        machine.state.memo_on = true;
        let mut inspection = Inspection::FINE;
        for check in &self.constraints {
            match machine.test(check.proc) {
                Ok(true) => {}
                Ok(false) => inspection.expand = false,
                Err(it) => return Err(fault(&mut machine, it, check.proc)),
            }
        }
        let initial = if depth == 1 {
            &self.initial_properties[..]
        } else {
            &[]
        };
        let first_initial = self.invariants.len() + self.action_properties.len();
        let numbered = self.invariants.iter().enumerate();
        let numbered = numbered.chain(initial.iter().enumerate().map(|(i, it)| (first_initial + i, it)));
        for (i, check) in numbered {
            match machine.test(check.proc) {
                Ok(true) => {}
                Ok(false) => {
                    inspection.violated = Some(i as u32);
                    break;
                }
                Err(it) => return Err(fault(&mut machine, it, check.proc)),
            }
        }
        worker.buffers.space = machine.into_space();
        Ok(inspection)
    }
}

/// The action of `[A]_v`, or the whole.
fn action_of<'i>(code: &'i Code<'i>) -> &'i Code<'i> {
    match &code.kind {
        Kind::BoxAction(two) => &two[0],
        _ => code,
    }
}

/// The variables of the subscript of `<<A>>_v` or `[A]_v`, where it is one and they are its subscript, and whether it holds of
/// a step that keeps them.
fn inner_subscript(proc: ProcId, program: &Program<'_>) -> Option<(Vec<VarId>, bool)> {
    let mut body = &program.procs[proc as usize].body;
    if let Kind::Call { proc, .. } = &body.kind {
        body = &program.procs[*proc as usize].body;
    }
    let (two, when_kept) = match &body.kind {
        Kind::AngleAction(two) => (two, false),
        Kind::BoxAction(two) => (two, true),
        _ => return None,
    };
    let mut variables = vec![];
    subscript_vars(&two[1], program, &mut variables).then_some((variables, when_kept))
}

/// The subscript of `[A]_v`.
fn subscript_of<'i>(code: &'i Code<'i>) -> &'i Code<'i> {
    match &code.kind {
        Kind::BoxAction(two) => &two[1],
        _ => code,
    }
}
