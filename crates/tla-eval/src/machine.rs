//! The evaluator: one expression in one state.
//!
//! Values live in the arena of the state that is being expanded. Frames of all active procs lie on one stack of cells;
//! a cell holds a value, or a thunk (code and the frame to run it in) that is replaced by its value when it is first
//! used. A thunk's frame is always below it on the stack, because arguments only travel down.

use std::cell::OnceCell;

use bumpalo::collections::Vec as ArenaVec;
use tla_sema::ir::ExprId;
use util::{FxHashMap, Symbol, deep};
use value::{Arena, Elements, Symbolic, Text, Trouble, Value, elements};

use crate::code::*;
use crate::effects::{Effects, Registers};
use crate::error::{ErrorKind, EvalError, Fault};
use crate::layout::{State, Values};
use crate::memo::{MemoContext, SiteId};
use crate::native::{Given, Purity};
use crate::prefilter::Look;
use crate::table::record::Recording;
use crate::walk::OfWalk;

mod algebra;
mod context;
mod endless;
mod fail;
mod frame;
mod integers;
mod recursion;
mod set;

pub use context::{StateContext, StepContext};
pub(crate) use fail::shown;

pub type Res<'t> = Result<Value<'t>, Fault>;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'t, 'i> {
    Empty,
    Value(Value<'t>),
    Thunk(Thunk<'i>),
    /// A thunk that is evaluated at every use, primed where the use is.
    ByName(Thunk<'i>),
    /// The frame that a linked proc was written in.
    Link(usize),
    Operator(Closure),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Thunk<'i> {
    pub code: &'i Code<'i>,
    pub base: usize,
    pub primed: bool,
}

/// An operator as a value: a proc and, when it is linked, its frame.
#[derive(Clone, Copy, Debug)]
pub struct Closure {
    pub proc: ProcId,
    pub link: usize,
}

/// The forced thunks of a search, in their order.
///
/// Invariant: once a value may depend on the step, so may all that were computed after it, because they may have read it.
pub(crate) type Trail<'i> = Vec<Forced<'i>>;

/// A cell whose thunk was evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Forced<'i> {
    pub index: usize,
    pub thunk: Thunk<'i>,
    /// The value may depend on next values, and ends with the choice that gave them.
    pub is_of_step: bool,
    /// The cell still holds what was passed by name, for it may be primed; that it was evaluated as a truth value is all that is noted.
    pub by_name: bool,
}

pub struct Machine<'t, 'i> {
    pub program: &'i Program<'i>,
    /// Where values are made.
    pub arena: &'t Arena,
    /// Where values of constant expressions are kept.
    pub constants: &'i Arena,
    pub effects: &'t dyn Effects,
    pub(crate) stack: Vec<Cell<'t, 'i>>,
    pub(crate) base: usize,
    /// The state that is spoken of.
    pub state: StateContext<'t, 'i>,
    /// The step that is spoken of.
    pub step: StepContext<'t, 'i>,
    pub error: Option<Box<EvalError>>,
    /// Space for the next trail.
    pub(crate) spare_trail: Trail<'i>,
    /// Counts reads of next values, of whatever step: whoever evaluates something can tell whether it speaks of one.
    pub(crate) next_reads: u32,
    /// Notes what is read, while a table is made.
    pub(crate) recording: Option<Box<Recording<'t, 'i>>>,
    /// Whether reads are noted now.
    pub(crate) tracking: bool,
    /// Values that do not depend on the state are kept here.
    pub(crate) memo: Option<MemoContext<'t, 'i>>,
    /// Effects are refused: this is not an evaluation that the user asked for.
    pub(crate) pure_only: bool,
    /// What the closed constant called that is being evaluated, where calls are counted.
    pub(crate) calls: Option<Box<Calls>>,
    /// The random walk that this is a part of.
    pub(crate) walk: Option<Box<OfWalk<'t>>>,
    /// The registers of this worker, where each has its own.
    pub(crate) registers: Option<&'t Registers>,
    /// Calls that have not returned.
    pub(crate) depth: u32,
    /// Elements and calls so far.
    pub(crate) work: u32,
    /// Operands that were expected to be machine integers.
    odd: (Value<'t>, Value<'t>),
}

/// Calls within calls. A recursion over a hundred thousand elements is honest; one that does not end is stopped before it has
/// eaten the memory.
const DEPTH_MAX: u32 = 200_000;

/// Bytes of values that may be made for one state.
const SCRATCH_MAX: usize = 2 << 30;

impl<'t, 'i: 't> Machine<'t, 'i> {
    pub fn new(
        program: &'i Program<'i>,
        arena: &'t Arena,
        constants: &'i Arena,
        effects: &'t dyn Effects,
    ) -> Machine<'t, 'i> {
        Machine {
            program,
            arena,
            constants,
            effects,
            stack: Vec::new(),
            base: 0,
            state: StateContext::default(),
            step: StepContext::default(),
            error: None,
            spare_trail: Vec::new(),
            next_reads: 0,
            recording: None,
            tracking: false,
            memo: None,
            pure_only: false,
            calls: None,
            walk: None,
            registers: None,
            depth: 0,
            work: 0,
            odd: (Value::FALSE, Value::FALSE),
        }
    }

    /// As [`Machine::new`], in the space of an earlier machine.
    pub fn reuse(
        program: &'i Program<'i>,
        arena: &'t Arena,
        constants: &'i Arena,
        effects: &'t dyn Effects,
        space: Space,
    ) -> Machine<'t, 'i> {
        Machine {
            stack: emptied(space.stack),
            state: StateContext {
                current: Values::in_space(emptied(space.current)),
                memos: emptied(space.memos),
                ..StateContext::default()
            },
            step: StepContext {
                next: emptied(space.next),
                how: space.how,
                ..StepContext::default()
            },
            spare_trail: emptied(space.trail),
            ..Machine::new(program, arena, constants, effects)
        }
    }

    /// Ends the machine and keeps its space.
    pub fn into_space(self) -> Space {
        Space {
            stack: emptied(self.stack),
            current: emptied(self.state.current.into_space()),
            next: emptied(self.step.next),
            memos: emptied(self.state.memos),
            how: self.step.how,
            trail: emptied(self.spare_trail),
        }
    }

    /// A fresh random number: of the walk's own stream, so that a walk is the same whoever takes it.
    pub(crate) fn random(&mut self) -> u64 {
        match &mut self.walk {
            Some(walk) => walk.chance.next_u64(),
            None => self.effects.random(),
        }
    }

    /// Where `TLCSet` puts values.
    pub(crate) fn registers(&self) -> &Registers {
        self.registers.unwrap_or_else(|| self.effects.registers())
    }

    /// Evaluates a proc without parameters.
    pub fn run(&mut self, proc: ProcId) -> Res<'t> {
        self.call(proc, 0, &[])
    }

    /// As [`Machine::run`], for a predicate.
    pub fn test(&mut self, proc: ProcId) -> Result<bool, Fault> {
        let program = self.program;
        let value = self.run(proc)?;
        self.boolean(value, program.procs[proc].body.at)
    }

    #[inline]
    pub(crate) fn boolean(&mut self, value: Value<'t>, at: ExprId) -> Result<bool, Fault> {
        match value {
            Value::Bool(it) => Ok(it.get()),
            other => Err(self.wrong("a Boolean", other, at)),
        }
    }

    /// As [`Machine::eval`] and [`Machine::boolean`], without making values of the commonest tests.
    pub(crate) fn holds(&mut self, code: &'i Code<'i>) -> Result<bool, Fault> {
        match &code.kind {
            Kind::And(items) => {
                for item in items {
                    if !self.holds(item)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Or(items) => {
                for item in items {
                    if self.holds(item)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Kind::Not(inner) => Ok(!self.holds(inner)?),
            Kind::Implies(two) => Ok(!self.holds(&two[0])? || self.holds(&two[1])?),
            Kind::Eq(two) => self.equal(two, code.at),
            Kind::Neq(two) => Ok(!self.equal(two, code.at)?),
            Kind::In(two) => self.member(two, code.at),
            Kind::NotIn(two) => Ok(!self.member(two, code.at)?),
            Kind::Arith(op @ (Arith::Lt | Arith::Gt | Arith::Le | Arith::Ge), two) => {
                self.in_order(*op, two, code.at)
            }
            Kind::Inlined { proc, args, body } => {
                self.in_place(*proc, args, code.at, |machine| machine.holds(body))
            }
            Kind::Let { slots, body } => {
                self.enter_let(slots)?;
                self.holds(body)
            }
            Kind::Forall { bounds, body, .. } => Ok(!self.is_some(bounds, body, false)?),
            Kind::Exists { bounds, body } => self.is_some(bounds, body, true),
            _ => {
                let value = self.operand(code)?;
                self.boolean(value, code.at)
            }
        }
    }

    /// As [`Machine::eval`], without a call for what is just there.
    #[inline(always)]
    pub(crate) fn operand(&mut self, code: &'i Code<'i>) -> Res<'t> {
        match &code.kind {
            Kind::Const(value) => Ok(*value),
            Kind::Local(place) => match &self.stack[self.frame(place.up) + place.slot as usize] {
                Cell::Value(value) => Ok(*value),
                _ => self.read(*place),
            },
            Kind::Var(var)
                if !self.step.primed && !self.tracking && (*var as usize) < self.state.current.len() =>
            {
                Ok(self.state.current[*var as usize])
            }
            Kind::Cached(index) => match self.program.cached[*index as usize].value.get() {
                Some(value) => Ok(*value),
                None => self.cached(*index),
            },
            _ => self.eval(code),
        }
    }

    /// Whether the body is `wanted` for some combination of the bounds.
    fn is_some(&mut self, bounds: &'i [Bound<'i>], body: &'i Code<'i>, wanted: bool) -> Result<bool, Fault> {
        let [bound] = bounds else {
            return self.each(bounds, &mut |machine| Ok(machine.holds(body)? == wanted));
        };
        let set = self.bound_set(bound)?;
        let mut items = self.elements(set, bound.set.at)?;
        let prefilter = self.prefilter(bound, &items)?;
        prefilter.pass(&mut items);
        while let Some(item) = items.next(self.arena) {
            self.go_on_working(bound.set.at)?;
            let look = prefilter.look(item);
            if look == Look::Shut {
                continue;
            }
            self.check_scratch(set, bound.set.at)?;
            self.bind(&bound.pattern, item, bound.set.at)?;
            if self.holds_after(look, body)? == wanted {
                return Ok(true);
            }
            prefilter.pass(&mut items);
        }
        Ok(false)
    }

    #[inline]
    pub(crate) fn bind(&mut self, pattern: &Pattern, value: Value<'t>, at: ExprId) -> Result<(), Fault> {
        match pattern {
            Pattern::One(slot) => {
                let index = self.base + *slot as usize;
                self.stack[index] = Cell::Value(value);
                Ok(())
            }
            Pattern::Tuple(slots) => self.bind_tuple(slots, value, at),
        }
    }

    fn bind_tuple(&mut self, slots: &[u16], value: Value<'t>, at: ExprId) -> Result<(), Fault> {
        let items = match value {
            Value::Tuple(it) if it.items.len() == slots.len() => it.items,
            _ => {
                let value = shown(value);
                let n = slots.len();
                return Err(self.fail(ErrorKind::Pattern { value, n }, at));
            }
        };
        for (&slot, &item) in slots.iter().zip(items) {
            let index = self.base + slot as usize;
            self.stack[index] = Cell::Value(item);
        }
        Ok(())
    }

    /// Elements of a symbolic set are built one after the other, and stay until the state is done: they must not eat the memory.
    #[inline]
    fn check_scratch(&mut self, set: Value<'t>, at: ExprId) -> Result<(), Fault> {
        match set {
            Value::Symbolic(it)
                if !matches!(it, Symbolic::Interval(..)) && self.arena.allocated_bytes() > SCRATCH_MAX =>
            {
                Err(self.trouble(Trouble::TooMany, &[set], at))
            }
            _ => Ok(()),
        }
    }

    /// One more element or call; now and then, whether to go on at all.
    #[inline]
    pub(crate) fn go_on_working(&mut self, at: ExprId) -> Result<(), Fault> {
        /// Some hundred microseconds of work.
        const BETWEEN_LOOKS: u32 = 1 << 12;
        self.work = self.work.wrapping_add(1);
        match self.work.is_multiple_of(BETWEEN_LOOKS) && self.effects.interrupted() {
            true => Err(self.fail(ErrorKind::Interrupted, at)),
            false => Ok(()),
        }
    }

    /// The set that a name is bound over, perhaps without elements that are of no consequence.
    #[inline]
    pub(crate) fn bound_set(&mut self, bound: &'i Bound<'i>) -> Res<'t> {
        match &bound.pushed_predicate {
            Some(pushed_predicate) if self.tracking => self.track_filtered(&bound.set, pushed_predicate),
            _ => self.operand(&bound.set),
        }
    }

    /// Runs `visit` for every combination of the bounds until it says stop (`true`).
    fn each(
        &mut self,
        bounds: &'i [Bound<'i>],
        visit: &mut dyn FnMut(&mut Self) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let Some((bound, rest)) = bounds.split_first() else {
            return visit(self);
        };
        let set = self.bound_set(bound)?;
        let mut items = self.elements(set, bound.set.at)?;
        while let Some(item) = items.next(self.arena) {
            self.go_on_working(bound.set.at)?;
            self.check_scratch(set, bound.set.at)?;
            self.bind(&bound.pattern, item, bound.set.at)?;
            let stop = if rest.is_empty() {
                visit(self)?
            } else {
                self.each(rest, visit)?
            };
            if stop {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(crate) fn eval(&mut self, code: &'i Code<'i>) -> Res<'t> {
        let at = code.at;
        match &code.kind {
            Kind::Const(value) => Ok(*value),
            Kind::Cached(index) => self.cached(*index),
            Kind::Local(place) => self.read(*place),
            Kind::Var(var) => {
                if self.tracking {
                    match self.step.primed {
                        true => self.track_next(*var),
                        false => self.track_variable(*var),
                    }
                }
                if self.step.primed {
                    return self.next_value(*var).ok_or(Fault::Unassigned(*var));
                }
                match self.state.current.get(*var as usize) {
                    Some(&value) => Ok(value),
                    None => Err(self.fail(
                        ErrorKind::Unsupported {
                            what: "a variable outside any state",
                        },
                        at,
                    )),
                }
            }
            Kind::NextVar(var) => match self.next_value(*var) {
                Some(value) => {
                    if self.tracking {
                        self.track_next(*var);
                    }
                    Ok(value)
                }
                _ => Err(Fault::Unassigned(*var)),
            },
            Kind::Prime(inner) => {
                // Not only variables have next values: the level has one too.
                self.next_reads = self.next_reads.wrapping_add(1);
                let outer = std::mem::replace(&mut self.step.primed, true);
                let result = self.eval(inner);
                self.step.primed = outer;
                result
            }
            Kind::Call {
                proc,
                args,
                link: None,
            } if args.is_empty() && self.tracking => self.track_whole_definition(*proc, at),
            Kind::Call { proc, args, .. } if args.is_empty() && self.state.memo_on && !self.step.primed => {
                self.memo_call(*proc, at)
            }
            Kind::Call { proc, link, args } => {
                let link = self.link_base(*link);
                self.call_code(*proc, link, args, at)
            }
            Kind::Inlined { proc, args, body } => {
                self.in_place(*proc, args, at, |machine| machine.eval(body))
            }
            Kind::Kept {
                site,
                names,
                body,
                work,
            } => self.recall_loop(*site, names, body, *work),
            Kind::CallParam { place, args } => {
                let Cell::Operator(closure) = self.cell(*place) else {
                    unreachable!("an operator parameter holds an operator")
                };
                self.call_operator(closure, args, at)
            }
            Kind::Native { native, args, site } => self.native(*native, args, *site, at),
            Kind::And(_)
            | Kind::Or(_)
            | Kind::Not(_)
            | Kind::Implies(_)
            | Kind::Eq(_)
            | Kind::Neq(_)
            | Kind::In(_)
            | Kind::NotIn(_)
            | Kind::Forall { .. }
            | Kind::Exists { .. } => Ok(Value::bool(self.holds(code)?)),
            Kind::Equiv(two) => Ok(Value::bool(self.holds(&two[0])? == self.holds(&two[1])?)),
            Kind::EqShape { whole, .. } => Ok(Value::bool(self.equal(whole, at)?)),
            Kind::InShape { whole, .. } => Ok(Value::bool(self.member(whole, at)?)),
            Kind::InFilter { item, bound, test } => {
                let item = self.eval(item)?;
                let base = self.eval(&bound.set)?;
                if !self.contains(base, item, at)? {
                    return Ok(Value::FALSE);
                }
                self.bind(&bound.pattern, item, at)?;
                self.eval(test)
            }
            Kind::SubsetEq(two) => {
                let (a, b) = self.both(two)?;
                match value::subset_eq(a, b) {
                    Ok(it) => Ok(Value::bool(it)),
                    Err(Trouble::Filtered) => {
                        let power = Value::symbolic(Symbolic::Power(b), self.arena);
                        self.contains_filtered(power, a, at).map(Value::bool)
                    }
                    Err(trouble) => Err(self.trouble(trouble, &[a, b], at)),
                }
            }
            Kind::Cup(two) => self.cup(two, at),
            Kind::Cap(two) => {
                let (a, b) = self.both(two)?;
                self.intersection(a, b, at)
            }
            Kind::Minus(two) => self.minus(two, at),
            Kind::PowerSet(inner) => {
                let base = self.set(inner)?;
                Ok(Value::symbolic(Symbolic::Power(base), self.arena))
            }
            Kind::Set(inner) => self.listed_set(inner, at),
            Kind::Union(inner) => {
                let sets = self.eval(inner)?;
                self.union_all(sets, at)
            }
            Kind::Domain(inner) => {
                let function = match self.eval(inner) {
                    Err(Fault::Error) if self.met_no_end() => return self.domain_written(inner),
                    function => function?,
                };
                value::domain(function, self.arena).map_err(|it| self.trouble(it, &[function], at))
            }
            Kind::Arith(Arith::Lt | Arith::Gt | Arith::Le | Arith::Ge, _) => {
                Ok(Value::bool(self.holds(code)?))
            }
            Kind::Arith(op, two) => self.arithmetic(*op, two, at),
            Kind::If(three) => {
                let [test, then, other] = &**three;
                if self.holds(test)? {
                    self.operand(then)
                } else {
                    self.operand(other)
                }
            }
            Kind::Case { arms, other } => {
                for (guard, body) in arms {
                    if self.holds(guard)? {
                        return self.eval(body);
                    }
                }
                match other {
                    Some(other) => self.eval(other),
                    None => Err(self.fail(ErrorKind::NoCase, at)),
                }
            }
            Kind::Let { slots, body } => {
                self.enter_let(slots)?;
                self.eval(body)
            }
            Kind::Choose {
                bound,
                body,
                is_unique_choice,
            } => self.choose(bound, body, *is_unique_choice, at),
            Kind::SetEnum(items) => {
                let mut all = ArenaVec::with_capacity_in(items.len(), self.arena);
                for item in items {
                    all.push(self.operand(item)?);
                }
                self.make_set(all, at)
            }
            Kind::Filter { bound, body, test } => self.filter(bound, body, test.as_deref(), at),
            Kind::Map { bounds, body } => self.image(bounds, body, at),
            Kind::FnLiteral { bounds, body } => self.function(bounds, body, at),
            Kind::ApplyRecursive { proc, link, arg } => {
                let arg = self.eval(arg)?;
                let link = self.link_base(*link);
                self.apply_recursive(*proc, link, arg, at)
            }
            Kind::WholeRecursive { proc, link } => {
                let link = self.link_base(*link);
                self.whole_recursive(*proc, link, at)
            }
            Kind::Apply(two) if self.tracking => match self.track_part(code) {
                Err(Fault::Error) if self.met_no_end() => self.value_written(code, at),
                result => result,
            },
            Kind::ApplyRow(_) => self.value_written(code, at),
            Kind::Select { .. } if self.tracking => match self.track_part(code) {
                Err(Fault::Error) if self.met_no_end() => self.value_written(code, at),
                result => result,
            },
            Kind::Apply(two) => {
                let function = match self.operand(&two[0]) {
                    Err(Fault::Error) if self.met_no_end() => return self.value_written(code, at),
                    function => function?,
                };
                let arg = self.operand(&two[1])?;
                match (function, arg) {
                    (Value::Tuple(it), Value::Int(n)) if n >= 1 && n as usize <= it.items.len() => {
                        Ok(it.items[n as usize - 1])
                    }
                    _ => self.apply(function, arg, at),
                }
            }
            Kind::FnSet(two) => {
                let (domain, range) = (self.set(&two[0])?, self.set(&two[1])?);
                Ok(Value::symbolic(Symbolic::Functions(domain, range), self.arena))
            }
            Kind::Record(fields) => {
                let (names, values) = self.fields(fields)?;
                Ok(match names {
                    [] => Value::empty_tuple(),
                    _ => Value::record_in(names, values, self.arena),
                })
            }
            Kind::RecordSet(fields) => {
                let (names, sets) = self.fields(fields)?;
                for &set in sets {
                    if set.kind() != value::Kind::Set {
                        return Err(self.wrong("a set", set, at));
                    }
                }
                Ok(Value::symbolic(Symbolic::Records(names, sets), self.arena))
            }
            Kind::Select { record, field } => {
                let record = match self.operand(record) {
                    Err(Fault::Error) if self.met_no_end() => return self.value_written(code, at),
                    record => record?,
                };
                self.select(record, *field, at)
            }
            Kind::Except { function, updates } => {
                let mut function = self.eval(function)?;
                for update in updates {
                    function = self.update(function, &update.path, update, at)?;
                }
                Ok(function)
            }
            Kind::Tuple(items) if items.len() == 2 => {
                let pair = [self.operand(&items[0])?, self.operand(&items[1])?];
                Ok(Value::tuple(&pair, self.arena))
            }
            Kind::Tuple(items) => {
                let mut all = ArenaVec::with_capacity_in(items.len(), self.arena);
                for item in items {
                    all.push(self.operand(item)?);
                }
                Ok(Value::tuple_in(all.into_bump_slice(), self.arena))
            }
            Kind::Times(items) => {
                let mut all = ArenaVec::with_capacity_in(items.len(), self.arena);
                for item in items {
                    all.push(self.set(item)?);
                }
                Ok(Value::symbolic(
                    Symbolic::Product(all.into_bump_slice()),
                    self.arena,
                ))
            }
            Kind::BoxAction(two) => {
                let holds = self.stays(&two[1]) || self.holds(&two[0])? || self.unchanged(&two[1])?;
                Ok(Value::bool(holds))
            }
            Kind::AngleAction(two) => {
                let holds = !self.stays(&two[1]) && self.holds(&two[0])? && !self.unchanged(&two[1])?;
                Ok(Value::bool(holds))
            }
            Kind::Unchanged(inner) => Ok(Value::bool(self.unchanged(inner)?)),
            Kind::UnchangedVars(vars) => {
                for &var in vars {
                    if self.tracking {
                        self.track_variable(var);
                        self.track_next(var);
                    }
                    let next = self.next_value(var).ok_or(Fault::Unassigned(var))?;
                    let current = self.state.current[var as usize];
                    if !value::equal(current, next).map_err(|it| self.trouble(it, &[current, next], at))? {
                        return Ok(Value::FALSE);
                    }
                }
                Ok(Value::TRUE)
            }
            Kind::Enabled(action) => self.enabled(action).map(Value::bool),
            Kind::Compose(two) => self.is_composed(two, at).map(Value::bool),
            Kind::Fail(what) => Err(self.fail(ErrorKind::Unsupported { what }, at)),
        }
    }

    /// The next value of a variable, if it has one.
    #[inline]
    pub(crate) fn next_value(&mut self, var: VarId) -> Option<Value<'t>> {
        self.next_reads = self.next_reads.wrapping_add(1);
        let next = self.step.next.get_mut(var as usize)?;
        if next.is_none()
            && let Some(state) = &self.step.next_state
        {
            *next = Some(state.value(var as usize, self.arena));
        }
        *next
    }

    /// Makes all next values that are not there yet.
    pub(crate) fn make_next(&mut self) {
        self.next_reads = self.next_reads.wrapping_add(1);
        if let Some(state) = self.step.next_state.take() {
            for (var, next) in self.step.next.iter_mut().enumerate() {
                next.get_or_insert_with(|| state.value(var, self.arena));
            }
        }
    }

    #[inline]
    pub(crate) fn apply(&mut self, function: Value<'t>, arg: Value<'t>, at: ExprId) -> Res<'t> {
        value::apply(function, arg).map_err(|it| self.trouble(it, &[function, arg], at))
    }

    #[inline]
    pub(crate) fn select(&mut self, record: Value<'t>, field: Text, at: ExprId) -> Res<'t> {
        if let Value::Record(it) = record
            && let Some(index) = it.names.iter().position(|&name| name == field)
        {
            return Ok(it.values[index]);
        }
        let kind = match record.kind() {
            value::Kind::Function => ErrorKind::NoField {
                record: shown(record),
                field: field.to_string(),
            },
            _ => ErrorKind::WrongKind {
                need: "a record",
                got: shown(record),
            },
        };
        Err(self.fail(kind, at))
    }

    /// The value of an expression for which nothing has to be computed.
    #[inline]
    pub(crate) fn known(&self, code: &Code<'i>) -> Option<Value<'t>> {
        match code.kind {
            Kind::Const(value) => Some(value),
            Kind::Local(place) => match self.stack[self.frame(place.up) + place.slot as usize] {
                Cell::Value(value) => Some(value),
                _ => None,
            },
            Kind::Cached(index) => self.program.cached[index as usize].value.get().copied(),
            Kind::Var(var) if !self.step.primed && !self.tracking => {
                self.state.current.get(var as usize).copied()
            }
            _ => None,
        }
    }

    /// As [`Machine::known`], also where the value is kept.
    #[inline]
    fn at_hand(&self, code: &'i Code<'i>) -> Option<Value<'t>> {
        match &code.kind {
            Kind::Kept { site, names, .. } => self.memo_at_hand(*site, names),
            _ => self.known(code),
        }
    }

    pub(crate) fn cached(&mut self, index: u32) -> Res<'t> {
        let program = self.program;
        let cached = &program.cached[index as usize];
        if let Some(&value) = cached.value.get() {
            return Ok(value);
        }
        let base = self.stack.len();
        self.stack.resize(base + cached.n_slots as usize, Cell::Empty);
        let outer = std::mem::replace(&mut self.base, base);
        let trail = self.step.trail.take();
        let counts = !program.counts.is_empty();
        let outer_calls = counts.then(|| self.calls.replace(Box::default()));
        let result = self.deeper(cached.code.at, |machine| machine.eval(&cached.code));
        if let Some(outer) = outer_calls {
            let calls = std::mem::replace(&mut self.calls, outer);
            // Without a value it is evaluated again, and ends the search.
            cached.calls().get_or_insert(*calls.unwrap_or_default());
        }
        self.step.trail = trail;
        self.base = outer;
        self.stack.truncate(base);
        let value = result?;
        // Two workers may compute it at once; both get the first one's value.
        Ok(*cached
            .value
            .get_or_init(|| value::as_bits(value, self.arena).copy_to(self.constants)))
    }

    /// A proc is entered.
    #[inline]
    pub(crate) fn count(&mut self, proc: ProcId) {
        if !self.program.counts.is_empty() {
            self.note_call(proc);
        }
    }

    #[cold]
    fn note_call(&mut self, proc: ProcId) {
        match &mut self.calls {
            Some(calls) => *calls.entry(proc).or_default() += 1,
            None => self.program.count(proc),
        }
    }

    /// Binds the names of a `LET`. Nothing is evaluated.
    pub(crate) fn bind_let(&mut self, slots: &'i [LetSlot<'i>]) {
        for it in slots {
            let index = self.base + it.slot as usize;
            self.stack[index] = self.let_cell(it);
        }
    }

    /// As [`Machine::bind_let`], when the body is evaluated next: names that are sure to be needed have values then.
    #[inline]
    fn enter_let(&mut self, slots: &'i [LetSlot<'i>]) -> Result<(), Fault> {
        for it in slots {
            let index = self.base + it.slot as usize;
            self.stack[index] = match it.is_strict && !it.by_name && !self.tracking {
                true => Cell::Value(self.operand(&it.code)?),
                false => self.let_cell(it),
            };
        }
        Ok(())
    }

    #[inline]
    fn let_cell(&self, it: &'i LetSlot<'i>) -> Cell<'t, 'i> {
        let thunk = Thunk {
            code: &it.code,
            base: self.base,
            primed: self.step.primed,
        };
        if it.by_name {
            return Cell::ByName(thunk);
        }
        self.at_hand(&it.code).map_or(Cell::Thunk(thunk), Cell::Value)
    }

    pub(crate) fn both(&mut self, two: &'i [Code<'i>; 2]) -> Result<(Value<'t>, Value<'t>), Fault> {
        Ok((self.operand(&two[0])?, self.operand(&two[1])?))
    }

    pub(crate) fn set(&mut self, code: &'i Code<'i>) -> Res<'t> {
        let value = self.eval(code)?;
        if value.kind() == value::Kind::Set {
            Ok(value)
        } else {
            Err(self.wrong("a set", value, code.at))
        }
    }

    pub(crate) fn equal(&mut self, two: &'i [Code<'i>; 2], at: ExprId) -> Result<bool, Fault> {
        if let (Some(a), Some(b)) = (self.peek(&two[0]), self.peek(&two[1])) {
            match (a, b) {
                (Value::Int(a), Value::Int(b)) => return Ok(a == b),
                (Value::Str(a), Value::Str(b)) => return Ok(a == b),
                // Others may be of different types.
                (Value::Model(a), Value::Model(b)) if a == b => return Ok(true),
                (Value::Bits(a), Value::Bits(b)) if a.universe() == b.universe() => return Ok(a == b),
                _ => {}
            }
        }
        if let Kind::Cap(sets) = &two[0].kind
            && let Some(Value::Set(value::Set { items: [], .. })) = self.known(&two[1])
            && !self.tracking
        {
            return self.are_apart(sets, two[0].at);
        }
        let a = self.operand(&two[0])?;
        let b = self.operand(&two[1])?;
        value::equal(a, b).map_err(|it| self.trouble(it, &[a, b], at))
    }

    fn member(&mut self, two: &'i [Code<'i>; 2], at: ExprId) -> Result<bool, Fault> {
        if self.tracking {
            return self.track_member(two, at);
        }
        if let (Some(item), Some(Value::Bits(set))) = (self.peek(&two[0]), self.peek(&two[1]))
            && let Some(known) = set.has(*item)
        {
            return Ok(known);
        }
        let item = self.operand(&two[0])?;
        let set = self.operand(&two[1])?;
        match set {
            Value::Bits(set) if let Some(known) = set.has(item) => Ok(known),
            _ => self.contains(set, item, at),
        }
    }

    /// A value that is just there: a constant, or what a name of this frame holds.
    #[inline(always)]
    fn peek<'c>(&'c self, code: &'c Code<'i>) -> Option<&'c Value<'t>> {
        match &code.kind {
            Kind::Const(value) => Some(value),
            Kind::Local(Place { up: 0, slot }) => match &self.stack[self.base + *slot as usize] {
                Cell::Value(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    fn fields(&mut self, fields: &'i [(Text, Code<'i>)]) -> Result<(&'t [Text], &'t [Value<'t>]), Fault> {
        let names = self
            .arena
            .alloc_slice_fill_iter(fields.iter().map(|&(name, _)| name));
        let mut values = ArenaVec::with_capacity_in(fields.len(), self.arena);
        for (_, code) in fields {
            values.push(self.eval(code)?);
        }
        Ok((names, values.into_bump_slice()))
    }

    fn update(
        &mut self,
        function: Value<'t>,
        path: &'i [Code<'i>],
        update: &'i Update<'i>,
        at: ExprId,
    ) -> Res<'t> {
        let Some((first, rest)) = path.split_first() else {
            let index = self.base + update.at as usize;
            self.stack[index] = Cell::Value(function);
            return self.eval(&update.value);
        };
        let arg = self.eval(first)?;
        let arena = self.arena;
        let result = value::except_one(function, arg, arena, |old| {
            self.update(old, rest, update, at).map_err(Interrupted::Fault)
        });
        match result {
            // Outside the domain nothing changes, as in TLC.
            Ok(new) => Ok(new.unwrap_or(function)),
            Err(Interrupted::Fault(fault)) => Err(fault),
            Err(Interrupted::Trouble(trouble)) => Err(self.trouble(trouble, &[function, arg], at)),
        }
    }

    /// Whether a subscript is sure to be left alone by the step. This is the rule for `[A]_v` everywhere: a step that leaves `v`
    /// alone is one, whatever becomes of `A`; then `A` is asked; only then does it matter that `v' = v` may have no value. So an
    /// error that is met here is not lost: it is told by [`Machine::unchanged`] if nothing else decides.
    pub(crate) fn stays(&mut self, subscript: &'i Code<'i>) -> bool {
        let outer = self.error.take();
        let stays = self.unchanged(subscript) == Ok(true);
        self.error = outer;
        stays
    }

    pub(crate) fn unchanged(&mut self, code: &'i Code<'i>) -> Result<bool, Fault> {
        let current = self.eval(code)?;
        let outer = std::mem::replace(&mut self.step.primed, true);
        let next = self.eval(code);
        self.step.primed = outer;
        let next = next?;
        value::equal(current, next).map_err(|it| self.trouble(it, &[current, next], code.at))
    }

    fn native(
        &mut self,
        native: crate::native::Native,
        args: &'i [Arg<'i>],
        site: Option<SiteId>,
        at: ExprId,
    ) -> Res<'t> {
        if native.purity() != Purity::Pure && (self.tracking || self.pure_only) {
            self.effect_while_pure(native, at)?;
        }
        let mut given: [Given<'t, 'i>; 6] = [Given::Value(Value::FALSE); 6];
        let strict = native.is_strict();
        for (slot, arg) in given.iter_mut().zip(args) {
            *slot = match arg {
                Arg::Value(code) | Arg::Lazy(code) | Arg::ByName(code) if !strict => Given::Lazy(code),
                Arg::Value(code) | Arg::Lazy(code) | Arg::ByName(code) => Given::Value(self.operand(code)?),
                Arg::Operator(operator) => Given::Operator(self.closure(*operator)),
            };
        }
        let given = &given[..args.len()];
        match site {
            Some(site) => self.recall_native(site, given, |machine| native.run(machine, given, at)),
            None => native.run(self, given, at),
        }
    }

    /// An assertion that holds has no effect; everything else cannot be repeated or left out.
    fn effect_while_pure(&mut self, native: crate::native::Native, at: ExprId) -> Result<(), Fault> {
        if self.pure_only {
            return Err(self.fail(ErrorKind::Unsupported { what: "an effect" }, at));
        }
        if !native.is("TLC", "Assert") {
            self.poison();
        }
        Ok(())
    }
}

/// The vectors of a machine that is gone, to be used by the next one.
#[derive(Default)]
pub struct Space {
    stack: Vec<Cell<'static, 'static>>,
    current: Vec<OnceCell<Value<'static>>>,
    next: Vec<Option<Value<'static>>>,
    memos: Vec<Option<Value<'static>>>,
    how: Vec<crate::table::record::How>,
    trail: Trail<'static>,
}

/// An empty vector of another lifetime in the same memory: collecting in place keeps the allocation.
fn emptied<A, B>(mut items: Vec<A>) -> Vec<B> {
    items.clear();
    items
        .into_iter()
        .map(|_| unreachable!("the vector is empty"))
        .collect()
}

/// The values of a recursive function that were computed since it was entered from outside: it may come to the same
/// argument by many ways. Most recursions are short and not worth it, so the first calls are only counted.
pub(crate) struct Recursion<'t> {
    of: (ProcId, usize, bool),
    n_calls: u32,
    /// By hash of the argument; of several arguments with one hash, only the first is kept.
    known: FxHashMap<u64, (Value<'t>, Value<'t>)>,
    /// The same for several arguments, as a tuple: `f[i][j]`.
    places: FxHashMap<u64, (Value<'t>, Value<'t>)>,
}

impl<'t> Recursion<'t> {
    const SHORT: u32 = 32;

    fn find(&mut self, of: Applied<'t>) -> Option<Value<'t>> {
        self.n_calls = self.n_calls.saturating_add(1);
        if self.n_calls <= Recursion::SHORT {
            return None;
        }
        let (known, arg) = self.of(of);
        let &(key, value) = known.get(&arg.hash64())?;
        (value::equal(key, arg) == Ok(true)).then_some(value)
    }

    fn keep(&mut self, of: Applied<'t>, value: Value<'t>) {
        if self.n_calls > Recursion::SHORT {
            let (known, arg) = self.of(of);
            known.entry(arg.hash64()).or_insert((arg, value));
        }
    }

    fn of(&mut self, of: Applied<'t>) -> (&mut FxHashMap<u64, (Value<'t>, Value<'t>)>, Value<'t>) {
        match of {
            Applied::Once(arg) => (&mut self.known, arg),
            Applied::ExtraExpr(args) => (&mut self.places, args),
        }
    }
}

/// What a recursive function is applied to.
#[derive(Clone, Copy)]
pub(crate) enum Applied<'t> {
    Once(Value<'t>),
    /// Its value is applied too: the tuple of all arguments.
    ExtraExpr(Value<'t>),
}

enum Interrupted {
    Fault(Fault),
    Trouble(Trouble),
}

impl From<Trouble> for Interrupted {
    fn from(trouble: Trouble) -> Interrupted {
        Interrupted::Trouble(trouble)
    }
}
