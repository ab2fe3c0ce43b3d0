//! Whether a conjunct may be asked more often than the search would ask it, and whether it can hold in several ways.
//!
//! `A /\ (B \/ C)` is taken apart into `A /\ B` and `A /\ C`. That gives the same successors in the same order only if `A` holds in
//! at most one way: `x' \in 0..1 /\ (y' = 0 \/ y' = 1)` goes through both values of `y'` for each of `x'`. And `A` is then asked
//! once for each half, which must not be seen: what it prints, counts or draws happens once. Nor is it taken apart where `A` has given
//! every variable its next value: `B \/ C` is a test then, and true once.

use util::{FxHashSet, deep};

use crate::code::{Arg, BoundArg, Code, Kind, Operator, ProcId, Program, VarId};
use crate::machine::{Cell, Machine, Thunk};
use crate::native::{Native, Purity};

/// Definitions that are looked into, one inside the other; a recursion is not followed to its end.
const DEPTH_MAX: u32 = 32;

/// Whether a conjunct of an action can be satisfied in one way at most. May say no where it can.
pub(super) fn has_one_way<'i>(machine: &Machine<'i, 'i>, code: &Code<'i>) -> bool {
    one_way(machine, code, true, DEPTH_MAX)
}

/// `is_bound`: all names in it have their values in the machine, and none is of a call or a `LET` that is only looked into.
fn one_way<'i>(machine: &Machine<'i, 'i>, code: &Code<'i>, is_bound: bool, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let go = |it: &Code<'i>| deep(|| one_way(machine, it, is_bound, depth));
    let inside = |it: &Code<'i>| deep(|| one_way(machine, it, false, depth));
    match &code.kind {
        Kind::And(items) => items.iter().all(go),
        // A choice, even where nothing is assigned: each way to satisfy it is a step.
        Kind::Or(_) | Kind::Exists { .. } | Kind::InShape { .. } | Kind::BoxAction(_) | Kind::Compose(_) => {
            false
        }
        Kind::In(two) | Kind::SubsetEq(two) => !may_be_next(&two[0]),
        Kind::InFilter { item, .. } => !may_be_next(item),
        Kind::Forall { body, .. } => inside(body),
        Kind::If(three) => go(&three[1]) && go(&three[2]),
        Kind::Case { arms, other } => arms.iter().all(|it| go(&it.1)) && other.as_deref().is_none_or(go),
        Kind::Kept { body, .. } => go(body),
        Kind::Let { body, .. } | Kind::Inlined { body, .. } => inside(body),
        Kind::Implies(two) => go(&two[1]),
        Kind::AngleAction(two) => go(&two[0]),
        Kind::Call { proc, .. } => inside(&machine.program.procs[*proc].body),
        Kind::Cached(index) => !machine.program.cached[*index as usize].has_ways,
        Kind::Local(place) => is_bound && matches!(machine.cell(*place), Cell::Value(_)),
        Kind::Prime(_) | Kind::CallParam { .. } | Kind::ApplyRecursive { .. } => false,
        // Everything else is a test, or gives a variable one value.
        _ => true,
    }
}

/// Whether branches of a disjunction have a conjunct that is but a name for a formula about the state which may hold in several ways. Another
/// branch may use it as a value, and then it is one for those after it too, so the branches must stay together. May say yes where there is none.
pub(super) fn shares_formula<'i>(machine: &Machine<'i, 'i>, code: &Code<'i>) -> bool {
    let go = |it: &Code<'i>| deep(|| shares_formula(machine, it));
    match &code.kind {
        Kind::And(items) | Kind::Or(items) => items.iter().any(go),
        Kind::Exists { body, .. }
        | Kind::Forall { body, .. }
        | Kind::Let { body, .. }
        | Kind::Inlined { body, .. }
        | Kind::Kept { body, .. } => go(body),
        Kind::If(three) => go(&three[1]) || go(&three[2]),
        Kind::Case { arms, other } => arms.iter().any(|it| go(&it.1)) || other.as_deref().is_some_and(go),
        Kind::Implies(two) => go(&two[1]),
        Kind::AngleAction(two) | Kind::BoxAction(two) => go(&two[0]),
        Kind::Call { proc, .. } if machine.program.procs[*proc].linked => names_formula(machine),
        // What a parameter stands for may have been written where other names are.
        Kind::CallParam { .. } => names_formula(machine),
        Kind::Call { args, .. } => args.iter().any(|arg| match arg {
            Arg::Lazy(code) | Arg::ByName(code) => matches!(code.kind, Kind::Local(_)) && go(code),
            _ => false,
        }),
        Kind::Local(place) => match machine.cell(*place) {
            Cell::Thunk(thunk) | Cell::ByName(thunk) => is_formula_of_state(machine, thunk),
            _ => false,
        },
        _ => false,
    }
}

/// Whether some name around an operator stands for such a formula: the body of a `LET` operator sees them all.
fn names_formula<'i>(machine: &Machine<'i, 'i>) -> bool {
    machine.stack.iter().any(|cell| match cell {
        Cell::Thunk(thunk) | Cell::ByName(thunk) => is_formula_of_state(machine, *thunk),
        _ => false,
    })
}

/// Whether a name stands for a formula that speaks of no next value and may hold in several ways. May say yes where it does not.
fn is_formula_of_state<'i>(machine: &Machine<'i, 'i>, thunk: Thunk<'i>) -> bool {
    // A name for another one is what that is.
    if let Kind::Local(place) = thunk.code.kind {
        return match machine.cell_from(place, thunk.base) {
            Cell::Thunk(inner) | Cell::ByName(inner) => deep(|| is_formula_of_state(machine, inner)),
            _ => false,
        };
    }
    let mut walk = Walk::new(machine.program);
    walk.code(thunk.code);
    let is_of_state = walk.given.is_empty() && !walk.gives_any;
    is_of_state && !one_way(machine, thunk.code, false, DEPTH_MAX)
}

/// Whether an expression may stand for a variable without a next value, under its own name or another one.
fn may_be_next(code: &Code<'_>) -> bool {
    match &code.kind {
        Kind::Tuple(items) => items.iter().any(may_be_next),
        Kind::Const(_)
        | Kind::Cached(_)
        | Kind::Var(_)
        | Kind::Apply(_)
        | Kind::ApplyRow(_)
        | Kind::Select { .. }
        | Kind::Arith(..)
        | Kind::Native { .. } => false,
        _ => true,
    }
}

/// Whether evaluating an expression twice is like evaluating it once.
pub(super) fn is_repeatable<'i>(program: &Program<'i>, code: &Code<'i>) -> bool {
    let mut walk = Walk::new(program);
    walk.code(code);
    walk.is_repeatable
}

/// Whether every variable may have its next value once these hold. May say yes where one has none.
pub(super) fn may_be_complete<'p, 'i: 'p>(
    program: &'p Program<'i>,
    conjuncts: impl IntoIterator<Item = &'p Code<'i>>,
) -> bool {
    let mut walk = Walk::new(program);
    walk.all(conjuncts);
    let mut variables = 0..program.variables.len() as VarId;
    walk.gives_any || variables.all(|it| walk.given.contains(&it))
}

/// The same for the arguments of a call.
pub(super) fn are_repeatable<'i>(program: &Program<'i>, args: &[Arg<'i>]) -> bool {
    args.iter().all(|arg| match arg {
        Arg::Value(code) | Arg::Lazy(code) | Arg::ByName(code) => is_repeatable(program, code),
        Arg::Operator(_) => true,
    })
}

struct Walk<'p, 'i> {
    program: &'p Program<'i>,
    seen: FxHashSet<(ProcId, bool)>,
    is_repeatable: bool,
    /// Inside a prime, or under `UNCHANGED`.
    is_primed: bool,
    /// Variables whose next values are spoken of.
    given: FxHashSet<VarId>,
    /// Something is primed that stands for something else.
    gives_any: bool,
}

impl<'p, 'i> Walk<'p, 'i> {
    fn new(program: &'p Program<'i>) -> Walk<'p, 'i> {
        Walk {
            program,
            seen: FxHashSet::default(),
            is_repeatable: true,
            is_primed: false,
            given: FxHashSet::default(),
            gives_any: false,
        }
    }

    fn code(&mut self, code: &'p Code<'i>) {
        deep(|| self.code_here(code));
    }

    fn primed(&mut self, code: &'p Code<'i>) {
        let outer = std::mem::replace(&mut self.is_primed, true);
        self.code(code);
        self.is_primed = outer;
    }

    fn all(&mut self, codes: impl IntoIterator<Item = &'p Code<'i>>) {
        codes.into_iter().for_each(|it| self.code(it));
    }

    fn native(&mut self, native: Native) {
        // An assertion holds every time or ends the search.
        self.is_repeatable &= native.purity() == Purity::Pure || native.is("TLC", "Assert");
    }

    fn proc(&mut self, proc: ProcId) {
        if self.seen.insert((proc, self.is_primed)) {
            let proc = &self.program.procs[proc];
            self.all(proc.domain.iter().flatten().map(|(set, _)| set));
            self.code(&proc.body);
        }
    }

    fn arg(&mut self, arg: &'p Arg<'i>) {
        match arg {
            Arg::Value(code) | Arg::Lazy(code) | Arg::ByName(code) => self.code(code),
            Arg::Operator(Operator::Proc { proc, .. }) => self.proc(*proc),
            // Whoever passed it was looked at where it was passed.
            Arg::Operator(Operator::Param(_)) => {}
        }
    }

    fn code_here(&mut self, code: &'p Code<'i>) {
        match &code.kind {
            // A closed constant is evaluated once, whoever asks.
            Kind::Const(_) | Kind::Cached(_) | Kind::Fail(_) => {}
            Kind::Local(_) => self.gives_any |= self.is_primed,
            Kind::Var(var) if self.is_primed => {
                self.given.insert(*var);
            }
            Kind::Var(_) => {}
            Kind::NextVar(var) => {
                self.given.insert(*var);
            }
            Kind::UnchangedVars(vars) => self.given.extend(vars.iter().copied()),
            Kind::Native { native, args, .. } => {
                self.native(*native);
                args.iter().for_each(|it| self.arg(it));
            }
            Kind::Call { proc, args, .. } => {
                self.proc(*proc);
                args.iter().for_each(|it| self.arg(it));
            }
            Kind::CallParam { args, .. } => args.iter().for_each(|it| self.arg(it)),
            Kind::Inlined { args, body, .. } => {
                args.iter().for_each(|BoundArg { arg, .. }| self.arg(arg));
                self.code(body);
            }
            Kind::WholeRecursive { proc, .. } => self.proc(*proc),
            Kind::ApplyRecursive { proc, arg, .. } => {
                self.proc(*proc);
                self.code(arg);
            }
            Kind::Prime(inner) | Kind::Unchanged(inner) => self.primed(inner),
            _ => code.children(&mut |it| self.code(it)),
        }
    }
}
