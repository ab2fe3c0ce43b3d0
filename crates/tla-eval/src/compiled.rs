//! What is compiled: every formula of a plan as a proc of one program.
//!
//! Nothing here depends on a search: how states are laid out, which formulas have tables and what was interned so far is none of its
//! business. [`crate::prepared`] adds the first two, [`crate::model`] runs.

use std::sync::atomic::AtomicU64;

use tla_sema::{Levels, Spec, ir};
use util::Symbol;
use value::Arena;

use crate::ask::Player;
use crate::code::{Cached, ProcId, Program};
use crate::compile::Compiler;
use crate::compile::open::{Open, Scope};
use crate::effects::Effects;
use crate::liveness::{self, Liveness};
use crate::machine::{Machine, Space};
use crate::plan::{Named, Plan};

/// A named proc.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub name: Symbol,
    pub proc: ProcId,
}

/// A specification whose formulas can be evaluated.
pub struct Compiled<'i> {
    pub program: &'i Program<'i>,
    /// All that evaluation reaches outside of the program.
    pub(crate) effects: &'i (dyn Effects + Sync),
    pub relation: Relation,
    pub properties: Properties,
    pub constraints: Constraints,
    pub view: Option<ProcId>,
    pub(crate) symmetry: Option<ProcId>,
    pub assumptions: Vec<Check>,
    pub postconditions: Vec<Check>,
    /// Evaluated now and then.
    pub periodic: Option<Check>,
    pub(crate) possible: Vec<Possibility>,
    pub alias: Option<Check>,
    /// What the plan asks for, in its order.
    pub extra: Vec<ProcId>,
    /// Rules by name, each with a test whether a step is more than stuttering for it.
    pub(crate) movers: Vec<(String, Option<ProcId>)>,
    /// What is to be decided about infinite behaviours.
    pub liveness: Liveness,
}

/// Where behaviours begin and how they go on.
pub struct Relation {
    pub init: ProcId,
    /// Absent when there are no steps to take.
    pub next: Option<ProcId>,
    /// Evaluating the initial predicate changes nothing, and depends on nothing but the state.
    pub(crate) is_init_pure: bool,
    /// The same for the next-state relation.
    pub(crate) is_next_pure: bool,
    /// The players of a game.
    pub(crate) players: Vec<Player>,
}

/// What must be true. Properties have numbers: invariants first, then those of steps, then those of initial states.
pub struct Properties {
    pub invariants: Vec<Check>,
    pub actions: Vec<Check>,
    pub initial: Vec<Check>,
    /// For each property of steps that comes from an instance: the variables of its module, and what is put for them.
    pub(crate) abstractions: Vec<Vec<(Symbol, ProcId)>>,
}

/// Which states and steps are followed.
pub struct Constraints {
    pub states: Vec<Check>,
    pub actions: Vec<Check>,
    /// What every step of the specification satisfies besides its action.
    pub exclusions: Vec<Check>,
}

/// A predicate that some state or some step must satisfy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Possibility {
    pub check: Check,
    pub is_step: bool,
}

/// What can be violated.
#[derive(Clone, Copy, Debug)]
pub enum Property {
    Invariant(Check),
    Action(Check),
    Initial(Check),
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
    expr: ir::ExprId,
    constants: &'i Arena,
) -> (&'i Program<'i>, ProcId) {
    let mut compiler = compiler(spec, plan, constants);
    let proc = compiler.expression(expr, Symbol::new("value"));
    (constants.alloc(compiler.program), proc)
}

fn checks(compiler: &mut Compiler<'_, '_>, formulas: &[Named]) -> Vec<Check> {
    let check = |it: &Named| Check {
        name: it.name,
        proc: compiler.expression(it.expr, it.name),
    };
    formulas.iter().map(check).collect()
}

impl<'i> Compiled<'i> {
    pub fn new(
        spec: &Spec,
        plan: &Plan<'i>,
        constants: &'i Arena,
        effects: &'i (dyn Effects + Sync),
    ) -> Compiled<'i> {
        let mut compiler = compiler(spec, plan, constants);
        let relation = Relation::new(&mut compiler, plan);
        let extra = plan.extra.iter().map(|&it| compiler.proc(it)).collect();
        let properties = Properties::new(&mut compiler, spec, plan);
        let constraints = Constraints {
            states: checks(&mut compiler, &plan.constraints),
            actions: checks(&mut compiler, &plan.action_constraints),
            exclusions: checks(&mut compiler, &plan.exclusions),
        };
        let postconditions = checks(&mut compiler, &plan.postconditions);
        let periodic = plan.periodic.and_then(|it| checks(&mut compiler, &[it]).pop());
        let possible = possibilities(&mut compiler, spec, plan);
        let alias = plan.alias.and_then(|it| checks(&mut compiler, &[it]).pop());
        let named =
            |compiler: &mut Compiler<'_, 'i>, expr, name| compiler.expression(expr, Symbol::new(name));
        let view = plan.view.map(|it| named(&mut compiler, it, "VIEW"));
        let symmetry = plan.symmetry.map(|it| named(&mut compiler, it, "SYMMETRY"));
        let assumption = |&it: &ir::ExprId| Check {
            name: Symbol::new("ASSUME"),
            proc: named(&mut compiler, it, "ASSUME"),
        };
        let assumptions = plan.assumptions.iter().map(assumption).collect();
        let movers = movers(&mut compiler, plan);
        let liveness = liveness::translate(&mut compiler, spec, plan, constants, effects);
        let mut program = compiler.program;
        if plan.coverage {
            program.counts = program.procs.iter().map(|_| AtomicU64::new(0)).collect();
        }
        Compiled {
            program: constants.alloc(program),
            effects,
            relation,
            properties,
            constraints,
            view,
            symmetry,
            assumptions,
            postconditions,
            periodic,
            possible,
            alias,
            extra,
            movers,
            liveness,
        }
    }

    pub fn n_variables(&self) -> usize {
        self.program.variables.len()
    }

    /// Whether evaluations are counted. Then nothing is remembered that is to be counted.
    pub(crate) fn is_counted(&self) -> bool {
        !self.program.counts.is_empty()
    }

    /// The closed constants, if calls are counted.
    pub(crate) fn counted_constants(&self) -> &[Cached<'i>] {
        match self.is_counted() {
            true => &self.program.cached,
            false => &[],
        }
    }

    /// Whether a postcondition may ask how often each possibility was seen.
    pub(crate) fn counts_possible(&self) -> bool {
        !self.possible.is_empty() && !self.postconditions.is_empty()
    }

    /// Whether each step must be looked at for something that should be possible.
    pub(crate) fn looks_at_steps(&self) -> bool {
        self.counts_possible() || self.possible.iter().any(|it| it.is_step)
    }

    /// A machine without a state.
    pub(crate) fn machine<'t>(&self, arena: &'t Arena, constants: &'i Arena) -> Machine<'t, 'i>
    where
        'i: 't,
    {
        Machine::new(self.program, arena, constants, self.effects)
    }

    /// The same in space that was used before.
    pub(crate) fn machine_in<'t>(
        &self,
        arena: &'t Arena,
        constants: &'i Arena,
        space: Space,
    ) -> Machine<'t, 'i>
    where
        'i: 't,
    {
        Machine::reuse(self.program, arena, constants, self.effects, space)
    }
}

impl Relation {
    fn new<'i>(compiler: &mut Compiler<'_, 'i>, plan: &Plan<'i>) -> Relation {
        let init = compiler.conjunction(&plan.init, Symbol::new("Init"));
        let is_init_pure = plan.init.iter().all(|&it| compiler.is_pure(it));
        let players = Player::all(compiler, plan);
        let next = match plan.players.is_empty() {
            true => (!plan.next.is_empty()).then(|| compiler.rules(&plan.next)),
            false => Some(compiler.moves(&plan.players, &plan.next)),
        };
        Relation {
            init,
            next,
            is_init_pure,
            is_next_pure: plan.next.iter().all(|it| compiler.is_pure(it.action)),
            players,
        }
    }
}

impl Properties {
    fn new(compiler: &mut Compiler<'_, '_>, spec: &Spec, plan: &Plan<'_>) -> Properties {
        let invariants = checks(compiler, &plan.invariants);
        let initial = checks(compiler, &plan.initial_properties);
        let mut actions = vec![];
        let mut abstractions = vec![];
        for (named, rule) in &plan.action_properties {
            actions.push(Check {
                name: named.name,
                proc: compiler.box_action(rule, named.name),
            });
            abstractions.push(liveness::abstract_variables(compiler, spec, named.expr));
        }
        Properties {
            invariants,
            actions,
            initial,
            abstractions,
        }
    }

    /// What a number stands for.
    pub fn numbered(&self, number: u32) -> Property {
        let number = number as usize;
        let (n, m) = (self.invariants.len(), self.actions.len());
        if number < n {
            Property::Invariant(self.invariants[number])
        } else if number < n + m {
            Property::Action(self.actions[number - n])
        } else {
            Property::Initial(self.initial[number - n - m])
        }
    }

    /// Properties of states, with their numbers.
    pub(crate) fn of_state(&self, is_initial: bool) -> impl Iterator<Item = (u32, &Check)> {
        let initial = if is_initial { &self.initial[..] } else { &[] };
        let first_initial = (self.invariants.len() + self.actions.len()) as u32;
        (0..).zip(&self.invariants).chain((first_initial..).zip(initial))
    }

    /// Properties of steps, with their numbers.
    pub(crate) fn of_step(&self) -> impl Iterator<Item = (u32, &Check)> {
        (self.invariants.len() as u32..).zip(&self.actions)
    }
}

fn possibilities(compiler: &mut Compiler<'_, '_>, spec: &Spec, plan: &Plan<'_>) -> Vec<Possibility> {
    let mut levels = Levels::new(spec);
    checks(compiler, &plan.possible)
        .into_iter()
        .zip(&plan.possible)
        .map(|(check, named)| Possibility {
            check,
            is_step: levels.of(named.expr) > ir::Level::State,
        })
        .collect()
}

fn movers(compiler: &mut Compiler<'_, '_>, plan: &Plan<'_>) -> Vec<(String, Option<ProcId>)> {
    let mut movers = vec![];
    for (name, subscript) in &plan.movers {
        let changed = subscript.map(|subscript| {
            let open = Open::Changed { subscript };
            compiler.closed(open, &Scope::default(), Symbol::new("moves"))
        });
        movers.push((name.clone(), changed));
    }
    movers
}
