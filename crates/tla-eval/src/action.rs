//! From an action to its steps: which next states satisfy it.
//!
//! The formula is walked as a search. Conjuncts are taken from left to right with the rest of the conjunction as the
//! continuation; `\/`, `\E`, `IF` and `x' \in S` branch; `x' = e` gives `x` its next value, or compares when it has one.
//! Everything else is a test. A conjunct that needs the next value of a variable before anything has assigned it
//! waits until the others are done, so any order of conjuncts works for which an order exists. Initial predicates are the
//! same search with every name meaning its next value.

use tla_sema::ir::ExprId;
use value::{Symbolic, Value};

use crate::code::*;
use crate::error::{ErrorKind, Fault};
use crate::machine::{Cell, Machine, StateContext, StepContext, Thunk, Trail};
use crate::narrow::Subject;
use crate::resumable::Resumable;
use crate::table::instance::ActionInstance;
use crate::table::record::How;

/// `Ok(true)` ends the whole search.
pub(crate) type Flow = Result<bool, Fault>;

/// What is left of a conjunction, innermost first.
#[derive(Clone, Copy)]
struct Rest<'r, 'i> {
    item: Item<'i>,
    after: Option<&'r Rest<'r, 'i>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'i> {
    pub(crate) code: &'i Code<'i>,
    pub(crate) base: usize,
    pub(crate) primed: bool,
    pub(crate) role: Role,
}

/// What is asked of an expression in a conjunction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Holds,
    /// The subscript of `<<A>>_v`: it must have changed.
    Changes,
    /// That of `[A]_v`, where the step is none of `A`.
    Stays,
}

impl<'i> Item<'i> {
    fn of(Thunk { code, base, primed }: Thunk<'i>) -> Item<'i> {
        Item {
            code,
            base,
            primed,
            role: Role::Holds,
        }
    }
}

/// The state of a search that is not on the Rust stack.
#[derive(Default)]
pub(crate) struct Search<'i> {
    /// Conjuncts that wait for a next value, with the variable they wait for.
    waiting: Vec<(Item<'i>, VarId)>,
    /// How many variables had a value when the waiting ones were last tried.
    tried_at: usize,
    /// The definition that the current branch stands for.
    label: Option<ProcId>,
    /// No conjunction has been entered yet: the next definition is a better label.
    labelling: bool,
    /// `ENABLED` needs no complete next state.
    partial: bool,
    /// The conjunct that was taken last: where a branch ends.
    last: Option<ExprId>,
    /// Where the search is, if it may pause.
    pub(crate) resumable: Option<Box<Resumable>>,
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Calls `found` for every next state of `proc`, once for each way in which the action yields it. `next` of the
    /// machine holds the state; the argument is the definition that names the step.
    pub fn successors(&mut self, proc: ProcId, found: &mut dyn FnMut(&mut Self, ProcId) -> Flow) -> Flow {
        self.step.next.clear();
        self.step.next_state = None;
        self.step.next.resize(self.state.current.len(), None);
        self.enumerate(proc, false, found)
    }

    /// As [`Machine::successors`], for the states that satisfy an initial predicate.
    pub fn initial(
        &mut self,
        proc: ProcId,
        n_variables: usize,
        found: &mut dyn FnMut(&mut Self, ProcId) -> Flow,
    ) -> Flow {
        self.step.next.clear();
        self.step.next.resize(n_variables, None);
        self.enumerate(proc, true, found)
    }

    fn enumerate(
        &mut self,
        proc: ProcId,
        primed: bool,
        found: &mut dyn FnMut(&mut Self, ProcId) -> Flow,
    ) -> Flow {
        self.step.search = Search {
            labelling: true,
            label: Some(proc),
            partial: self.step.search.partial,
            resumable: self.step.search.resumable.take(),
            ..Search::default()
        };
        let trail = self.begin_trail();
        self.step.primed = primed;
        let base = self.begin(proc, 0);
        self.fill_frame(proc, base);
        let outer = std::mem::replace(&mut self.base, base);
        let mut done = |machine: &mut Self| {
            let label = machine.step.search.label.unwrap_or(proc);
            found(machine, label)
        };
        let program = self.program;
        let flow = self.act(&program.procs[proc].body, None, &mut done);
        self.base = outer;
        self.stack.truncate(base);
        self.step.primed = false;
        self.end_trail(trail);
        if let Err(Fault::Unassigned(_)) = flow {
            return flow.map_err(|fault| self.unassigned(fault, program.procs[proc].body.at));
        }
        flow
    }

    /// As [`Machine::successors`], for a part of a next-state relation.
    pub(crate) fn instance_successors(
        &mut self,
        instance: &ActionInstance<'i>,
        found: &mut dyn FnMut(&mut Self, ProcId) -> Flow,
    ) -> Flow {
        self.step.next.clear();
        self.step.next_state = None;
        self.step.next.resize(self.state.current.len(), None);
        self.step.search = Search {
            labelling: instance.labelling,
            label: Some(instance.label),
            ..Search::default()
        };
        let trail = self.begin_trail();
        self.stack.clear();
        self.stack.extend(instance.cells.iter().copied());
        let mut done = |machine: &mut Self| {
            let label = machine.step.search.label.unwrap_or(instance.label);
            found(machine, label)
        };
        self.depth = instance.depth;
        let flow = self.act_list(&instance.items, None, &mut done);
        self.depth = 0;
        self.base = 0;
        self.stack.clear();
        self.end_trail(trail);
        flow
    }

    /// Whether all items of a part hold: of a predicate, or of an action when both states are given.
    pub(crate) fn test_part(&mut self, part: &ActionInstance<'i>) -> Result<bool, Fault> {
        self.in_part(part, |machine| {
            for item in &part.items {
                machine.base = item.base;
                if !machine.holds(item.code)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// The value of a part that is an expression.
    pub(crate) fn part_value(&mut self, part: &ActionInstance<'i>) -> Result<Value<'t>, Fault> {
        self.in_part(part, |machine| {
            let item = part.items[0];
            machine.base = item.base;
            machine.eval(item.code)
        })
    }

    fn in_part<T>(&mut self, part: &ActionInstance<'i>, run: impl FnOnce(&mut Self) -> T) -> T {
        self.stack.clear();
        self.stack.extend(part.cells.iter().copied());
        self.depth = part.depth;
        let result = run(self);
        self.depth = 0;
        self.base = 0;
        self.stack.clear();
        result
    }

    /// A next value that never came is an error of the specification.
    pub fn unassigned(&mut self, fault: Fault, at: ExprId) -> Fault {
        match fault {
            Fault::Unassigned(var) => {
                // Variables of an instantiated module have no name here.
                let names = &self.program.variables;
                let variable = names.get(var as usize).copied().unwrap_or(util::Symbol::new("…"));
                self.fail(ErrorKind::Unassigned { variable }, at)
            }
            Fault::Error => Fault::Error,
        }
    }

    pub(crate) fn enabled(&mut self, action: &'i Code<'i>) -> Result<bool, Fault> {
        if self.program.n_next == 0 {
            return self.is_enabled(action);
        }
        // No table knows of hidden variables: what is asked of them is evaluated anew each time.
        self.poison();
        let tracking = std::mem::replace(&mut self.tracking, false);
        let result = self.is_enabled(action);
        self.tracking = tracking;
        result
    }

    fn is_enabled(&mut self, action: &'i Code<'i>) -> Result<bool, Fault> {
        let act = |machine: &mut Self| {
            let flow = machine.act(action, None, &mut |_| Ok(true));
            // Names around it were evaluated about a step that is gone.
            machine.undo_all(0);
            flow
        };
        let flow = match self.step.primed {
            // Under a prime, and in an initial predicate, it asks about the next state.
            true => {
                // The parts that are read are not those of the current state.
                self.poison();
                let state = self.state_after()?;
                let step = self.step_of_enabled(state.current.len());
                self.in_state(state, step, act)
            }
            false if self.state.current.len() < self.program.variables.len() => {
                let what = "`ENABLED` outside any state";
                Err(self.fail(ErrorKind::Unsupported { what }, action.at))
            }
            false => {
                let step = self.step_of_enabled(self.state.current.len());
                self.in_step(step, act)
            }
        };
        flow.map_err(|fault| self.unassigned(fault, action.at))
    }

    /// Whether a step is among those that an action has in the present state, where evaluating the action of it ended with a fault. Where these
    /// cannot be found either, the fault remains.
    pub(crate) fn is_among_steps(&mut self, proc: ProcId, fault: Fault) -> Result<bool, Fault> {
        self.make_next();
        let error = self.error.take();
        let step = self.step.next.clone();
        let open = self.step_of_enabled(self.state.current.len());
        let is_alike = |found: &Option<Value<'t>>, given: &Option<Value<'t>>| match (found, given) {
            // Values that cannot be compared make different states.
            (Some(found), Some(given)) => value::equal(*found, *given) == Ok(true),
            (None, _) | (_, None) => true,
        };
        let (base, stack) = (self.base, self.stack.len());
        let found = self.in_step(open, |machine| {
            machine.enumerate(proc, false, &mut |machine, _| {
                let mut pairs = machine.step.next.iter().zip(&step);
                Ok(pairs.all(|(found, given)| is_alike(found, given)))
            })
        });
        self.base = base;
        self.stack.truncate(stack);
        found.map_err(|_| {
            self.error = error;
            fault
        })
    }

    /// A step that need not be known completely.
    fn step_of_enabled(&self, n_variables: usize) -> StepContext<'t, 'i> {
        StepContext {
            search: Search {
                partial: true,
                ..Search::default()
            },
            ..self.open_step(n_variables.max(self.program.n_next))
        }
    }

    /// Notes forced thunks anew; gives what was noted before.
    fn begin_trail(&mut self) -> Option<Trail<'i>> {
        let spare = std::mem::take(&mut self.spare_trail);
        self.step.trail.replace(spare)
    }

    fn end_trail(&mut self, before: Option<Trail<'i>>) {
        if let Some(mut trail) = std::mem::replace(&mut self.step.trail, before) {
            trail.clear();
            self.spare_trail = trail;
        }
    }

    pub(crate) fn mark(&self) -> usize {
        self.step.trail.as_ref().map_or(0, Vec::len)
    }

    /// Ends a choice: puts thunks back that were forced since `mark` and may depend on next values that are gone. An argument whose value is
    /// known of the state is a value for the other choices too, and no longer a formula that holds in several ways.
    fn undo(&mut self, mark: usize) {
        let Some(trail) = &mut self.step.trail else {
            return;
        };
        if trail.len() == mark {
            return;
        }
        let n_of_state = trail[mark..].partition_point(|it| !it.is_of_step);
        // Frames above the choice are gone already, and others will be where they were.
        let n_cells = self.stack.len();
        let mut kept = mark;
        for i in mark..mark + n_of_state {
            if trail[i].index < n_cells {
                trail[kept] = trail[i];
                kept += 1;
            }
        }
        for it in trail.drain(mark + n_of_state..).rev() {
            if it.index < n_cells && !it.by_name {
                self.stack[it.index] = Cell::Thunk(it.thunk);
            }
        }
        trail.truncate(kept);
    }

    /// Puts all thunks back that were forced since `mark`: what is said next is about another state or step.
    pub(crate) fn undo_all(&mut self, mark: usize) {
        let Some(trail) = &mut self.step.trail else {
            return;
        };
        for it in trail.drain(mark..).rev() {
            if it.index < self.stack.len() && !it.by_name {
                self.stack[it.index] = Cell::Thunk(it.thunk);
            }
        }
    }

    pub(crate) fn item(&self, code: &'i Code<'i>) -> Item<'i> {
        Item {
            code,
            base: self.base,
            primed: self.step.primed,
            role: Role::Holds,
        }
    }

    /// Goes on with the rest of the conjunction.
    fn go_on(&mut self, rest: Option<&Rest<'_, 'i>>, done: &mut dyn FnMut(&mut Self) -> Flow) -> Flow {
        match rest {
            Some(rest) => self.act_item(rest.item, rest.after, done),
            None => self.finish(done),
        }
    }

    fn act_item(
        &mut self,
        item: Item<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let outer = (self.base, self.step.primed);
        (self.base, self.step.primed) = (item.base, item.primed);
        let flow = match item.role {
            Role::Holds => self.act(item.code, rest, done),
            Role::Stays => self.stay(item.code, item, rest, done),
            Role::Changes => match self.unchanged(item.code) {
                Ok(true) => Ok(false),
                Ok(false) => self.go_on(rest, done),
                Err(Fault::Unassigned(var)) => self.wait(item, var, rest, done),
                Err(Fault::Error) => Err(Fault::Error),
            },
        };
        (self.base, self.step.primed) = outer;
        flow
    }

    /// All conjuncts are done, except those that wait.
    fn finish(&mut self, done: &mut dyn FnMut(&mut Self) -> Flow) -> Flow {
        if self.step.search.waiting.is_empty() {
            return self.complete(done);
        }
        let n_assigned = self.step.next.iter().flatten().count();
        if n_assigned == self.step.search.tried_at {
            let (item, var) = self.step.search.waiting[0];
            return Err(self.unassigned(Fault::Unassigned(var), item.code.at));
        }
        let waiting = std::mem::take(&mut self.step.search.waiting);
        let tried_at = std::mem::replace(&mut self.step.search.tried_at, n_assigned);
        let items: Vec<Item<'i>> = waiting.iter().map(|&(it, _)| it).collect();
        let flow = self.act_list(&items, None, done);
        self.step.search.tried_at = tried_at;
        self.step.search.waiting = waiting;
        flow
    }

    /// Whether every variable has its next value.
    fn is_complete(&self) -> bool {
        self.step.next.iter().all(Option::is_some)
    }

    fn complete(&mut self, done: &mut dyn FnMut(&mut Self) -> Flow) -> Flow {
        if !self.step.search.partial && !self.is_complete() {
            let missing = self.step.next.iter().enumerate().filter(|(_, it)| it.is_none());
            let variables = missing.map(|(i, _)| self.program.variables[i]).collect();
            let label = self.step.search.label.unwrap_or(ProcId::new(0));
            let at = self.program.procs[label].body.at;
            let kind = ErrorKind::Incomplete {
                variables,
                action: self.program.procs[label].name,
                last: self.step.search.last.unwrap_or(at),
                initial: self.state.current.is_empty(),
            };
            return Err(self.fail(kind, at));
        }
        // What is done with the state must not disturb the search, nor see names as primed.
        let primed = std::mem::replace(&mut self.step.primed, false);
        let flow = done(self);
        self.step.primed = primed;
        flow
    }

    /// A conjunct that cannot be decided yet goes to the end.
    fn wait(
        &mut self,
        item: Item<'i>,
        var: VarId,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        self.step.search.waiting.push((item, var));
        let flow = self.go_on(rest, done);
        self.step.search.waiting.pop();
        flow
    }

    fn act(
        &mut self,
        code: &'i Code<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        util::deep(|| self.act_here(code, rest, done))
    }

    fn act_here(
        &mut self,
        code: &'i Code<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let item = self.item(code);
        self.step.search.last = Some(code.at);
        /// Unwraps, or waits when a next value is missing.
        macro_rules! or_wait {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(Fault::Unassigned(var)) => return self.wait(item, var, rest, done),
                    Err(Fault::Error) => return Err(Fault::Error),
                }
            };
        }
        match &code.kind {
            // Nothing is left to be assigned: the rest is true or not, however many ways there are to see it.
            Kind::Or(_)
            | Kind::Exists { .. }
            | Kind::Forall { .. }
            | Kind::Cached(_)
            | Kind::BoxAction(_)
                if self.is_complete() =>
            {
                self.test_leaf(code, item, rest, done)
            }
            Kind::And(items) => {
                let labelling = self.step.search.labelling;
                self.step.search.labelling &= items.len() <= 1;
                let flow = self.conjoin(items, rest, done);
                self.step.search.labelling = labelling;
                flow
            }
            Kind::Or(items) => {
                let (choice, n_past) = self.begin_choice();
                for item in items.iter().skip(n_past as usize) {
                    let mark = self.mark();
                    let stop = self.act(item, rest, done)?;
                    self.undo(mark);
                    if stop {
                        return Ok(true);
                    }
                    self.next_choice(choice);
                }
                self.end_choice(choice);
                Ok(false)
            }
            Kind::Exists { bounds, body } => match self.unassigned_bound(bounds)? {
                Some(var) => self.wait(item, var, rest, done),
                None => self.exists(bounds, body, item, rest, done),
            },
            Kind::Forall { bounds, .. } if !self.step.primed && or_wait!(self.are_many(bounds)) => {
                self.test_leaf(code, item, rest, done)
            }
            Kind::Forall { bounds, body, frame } => {
                let instances = or_wait!(self.instances(bounds, body, *frame));
                let at = self.stack.len();
                let flow = self.act_list(&instances, rest, done);
                self.stack.truncate(at);
                flow
            }
            Kind::If(three) => {
                let [test, then, other] = &**three;
                let branch = if or_wait!(self.holds(test)) { then } else { other };
                self.act(branch, rest, done)
            }
            Kind::Case { arms, other } => {
                for (guard, body) in arms {
                    if or_wait!(self.holds(guard)) {
                        return self.act(body, rest, done);
                    }
                }
                match other {
                    Some(other) => self.act(other, rest, done),
                    None => Err(self.fail(ErrorKind::NoCase, code.at)),
                }
            }
            Kind::Let { slots, body } => {
                self.bind_let(slots);
                self.act(body, rest, done)
            }
            Kind::Implies(two) => {
                if or_wait!(self.holds(&two[0])) {
                    self.act(&two[1], rest, done)
                } else {
                    self.go_on(rest, done)
                }
            }
            Kind::Prime(inner) => {
                let outer = std::mem::replace(&mut self.step.primed, true);
                let flow = self.act(inner, rest, done);
                self.step.primed = outer;
                flow
            }
            Kind::Call { proc, link, args } => {
                let link = self.link_base(*link);
                self.act_call(*proc, link, args, item, rest, done)
            }
            Kind::Inlined { proc, args, body } => {
                or_wait!(self.bind_args(args));
                let flow = self.act(body, rest, done);
                if let (true, Some(proc)) = (flow.is_err(), *proc) {
                    self.called(proc, code.at);
                }
                flow
            }
            // A function whose values are actions.
            Kind::ApplyRecursive { proc, link, arg } if self.program.procs[*proc].is_action => {
                let arg = or_wait!(self.eval(arg));
                let link = self.link_base(*link);
                self.act_application(*proc, link, arg, code.at, rest, done)
            }
            Kind::Cached(index) if self.program.cached[*index as usize].has_ways => {
                self.act_constant(*index, rest, done)
            }
            // Each way to satisfy it counts.
            Kind::Kept { body, .. } => self.act(body, rest, done),
            Kind::CallParam { place, args } => match self.cell(*place) {
                Cell::Operator(closure) => self.act_call(closure.proc, closure.link, args, item, rest, done),
                _ => unreachable!("an operator parameter holds an operator"),
            },
            Kind::Local(place) => match self.cell(*place) {
                // An argument or LET that is an action: enumerate it where it is used.
                Cell::ByName(thunk) if !self.has_value(*place, thunk) => {
                    let primed = thunk.primed || self.step.primed;
                    self.act_item(Item::of(Thunk { primed, ..thunk }), rest, done)
                }
                Cell::Thunk(thunk) => self.act_item(Item::of(thunk), rest, done),
                _ => {
                    let value = or_wait!(self.eval(code));
                    if self.boolean(value, code.at)? {
                        self.go_on(rest, done)
                    } else {
                        Ok(false)
                    }
                }
            },
            Kind::Eq(two) => {
                if let Some(var) = self.assignable(&two[0]) {
                    if self.tracking {
                        let (value, how) = or_wait!(self.track_assigned(var, &two[1]));
                        return self.with_how(var, how, |machine| machine.assign(var, value, rest, done));
                    }
                    let value = or_wait!(self.eval(&two[1]));
                    return self.assign(var, value, rest, done);
                }
                if let Some(var) = self.assignable(&two[1]) {
                    let value = or_wait!(self.eval(&two[0]));
                    return self.assign(var, value, rest, done);
                }
                if let Some(shape) = self.open_tuple(&two[0]) {
                    let value = or_wait!(self.eval(&two[1]));
                    return self.assign_shape(&shape, value, code, rest, done);
                }
                if or_wait!(self.equal(two, code.at)) {
                    self.go_on(rest, done)
                } else {
                    Ok(false)
                }
            }
            Kind::In(two) => match self.assignable(&two[0]) {
                Some(var) => {
                    let set = or_wait!(self.eval(&two[1]));
                    self.pick(var, set, two[1].at, None, rest, done)
                }
                None => match self.open_tuple(&two[0]) {
                    Some(shape) => {
                        let set = or_wait!(self.eval(&two[1]));
                        self.pick_shape(&shape, set, code, rest, done)
                    }
                    None => self.test_leaf(code, item, rest, done),
                },
            },
            Kind::SubsetEq(two) if let Some(var) = self.assignable(&two[0]) => {
                let base = or_wait!(self.set(&two[1]));
                let subsets = Value::symbolic(Symbolic::Power(base), self.arena);
                self.pick(var, subsets, two[1].at, None, rest, done)
            }
            Kind::InFilter {
                item: wanted,
                bound,
                test,
            } => match self.assignable(wanted) {
                Some(var) => {
                    let set = or_wait!(self.eval(&bound.set));
                    self.pick(var, set, bound.set.at, Some((bound, test, item)), rest, done)
                }
                None => self.test_leaf(code, item, rest, done),
            },
            Kind::EqShape { shape, value, .. } => {
                let value = or_wait!(self.eval(value));
                self.assign_shape(shape, value, code, rest, done)
            }
            Kind::InShape { shape, .. } if !self.has_open(shape) => self.test_leaf(code, item, rest, done),
            Kind::InShape { shape, set, .. } => {
                let set = or_wait!(self.eval(set));
                self.pick_shape(shape, set, code, rest, done)
            }
            Kind::UnchangedVars(vars) => self.keep(vars, code.at, rest, done),
            Kind::Unchanged(inner) => self.stay(inner, item, rest, done),
            Kind::BoxAction(two) => {
                let mark = self.mark();
                if self.act(&two[0], rest, done)? {
                    return Ok(true);
                }
                self.undo(mark);
                let item = Item {
                    role: Role::Stays,
                    ..self.item(&two[1])
                };
                self.stay(&two[1], item, rest, done)
            }
            Kind::AngleAction(two) => {
                // Whether the subscript changed is asked when the step is known.
                let item = Item {
                    role: Role::Changes,
                    ..self.item(&two[1])
                };
                self.act(&two[0], Some(&Rest { item, after: rest }), done)
            }
            Kind::Compose(two) => {
                // The step is one of the whole, not of its parts.
                let labelling = std::mem::replace(&mut self.step.search.labelling, false);
                let flow = self.compose(two, rest, done);
                self.step.search.labelling = labelling;
                flow
            }
            _ => self.test_leaf(code, item, rest, done),
        }
    }

    /// Gives a variable each element of a set in turn, or each that passes a test; the test belongs to an item.
    fn pick(
        &mut self,
        var: VarId,
        set: Value<'t>,
        at: ExprId,
        filter: Option<(&'i Bound<'i>, &'i Code<'i>, Item<'i>)>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let mut elements = self.elements(set, at)?;
        if filter.is_none() && elements.is_built() {
            let tests = std::iter::successors(rest, |it| it.after).map(|it| it.item);
            self.narrow(&mut elements, Subject::Next(var), tests);
        }
        let choice = self.begin_elements(&mut elements);
        while let Some(element) = elements.next(self.arena) {
            self.go_on_working(at)?;
            if let Some((bound, test, item)) = filter {
                self.bind(&bound.pattern, element, at)?;
                match self.holds(test) {
                    Ok(true) => {}
                    Ok(false) => {
                        self.next_choice(choice);
                        continue;
                    }
                    Err(Fault::Unassigned(var)) => return self.wait(item, var, rest, done),
                    Err(Fault::Error) => return Err(Fault::Error),
                }
            }
            let mark = self.mark();
            let stop = self.assign(var, element, rest, done)?;
            self.undo(mark);
            if stop {
                return Ok(true);
            }
            self.next_choice(choice);
        }
        self.end_choice(choice);
        Ok(false)
    }

    fn test_leaf(
        &mut self,
        code: &'i Code<'i>,
        item: Item<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        match self.holds(code) {
            Ok(true) => self.go_on(rest, done),
            Ok(false) => Ok(false),
            Err(Fault::Unassigned(var)) => self.wait(item, var, rest, done),
            Err(Fault::Error) => Err(Fault::Error),
        }
    }

    /// A test, then the other items.
    fn conjoin_test(
        &mut self,
        first: &'i Code<'i>,
        others: &'i [Code<'i>],
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        match self.holds(first) {
            Ok(true) => self.conjoin(others, rest, done),
            Ok(false) => Ok(false),
            Err(Fault::Unassigned(var)) => {
                let item = self.item(first);
                self.step.search.waiting.push((item, var));
                let flow = self.conjoin(others, rest, done);
                self.step.search.waiting.pop();
                flow
            }
            Err(Fault::Error) => Err(Fault::Error),
        }
    }

    fn conjoin(
        &mut self,
        items: &'i [Code<'i>],
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let Some((first, others)) = items.split_first() else {
            return self.go_on(rest, done);
        };
        // Tests at the front need no continuation: they fail or are passed over.
        match &first.kind {
            _ if others.is_empty() => self.act(first, rest, done),
            Kind::Not(_) | Kind::Neq(_) | Kind::NotIn(_) | Kind::Arith(..) | Kind::Native { .. } => {
                self.conjoin_test(first, others, rest, done)
            }
            Kind::SubsetEq(two) if self.assignable(&two[0]).is_none() => {
                self.conjoin_test(first, others, rest, done)
            }
            _ => self.conjoin_rest(first, others, rest, done),
        }
    }

    /// `first` with the others as its continuation: a list is a chain of rests, built as it is walked.
    fn conjoin_rest(
        &mut self,
        first: &'i Code<'i>,
        others: &'i [Code<'i>],
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        fn chain<'t, 'i: 't>(
            machine: &mut Machine<'t, 'i>,
            first: &'i Code<'i>,
            others: &'i [Code<'i>],
            rest: Option<&Rest<'_, 'i>>,
            done: &mut dyn FnMut(&mut Machine<'t, 'i>) -> Flow,
        ) -> Flow {
            match others.split_last() {
                None => machine.act(first, rest, done),
                Some((last, before)) => {
                    let item = machine.item(last);
                    chain(machine, first, before, Some(&Rest { item, after: rest }), done)
                }
            }
        }
        chain(self, first, others, rest, done)
    }

    /// The variable that one of the sets of several bounds needs the next value of: the whole waits for it, before an element of another set is
    /// chosen, or it would come again for each of them. A set that is empty ends it.
    fn unassigned_bound(&mut self, bounds: &'i [Bound<'i>]) -> Result<Option<VarId>, Fault> {
        if bounds.len() < 2 {
            return Ok(None);
        }
        for bound in bounds {
            match self.operand(&bound.set) {
                Ok(set) if self.elements(set, bound.set.at)?.next(self.arena).is_none() => break,
                Ok(_) => {}
                Err(Fault::Unassigned(var)) => return Ok(Some(var)),
                Err(Fault::Error) => return Err(Fault::Error),
            }
        }
        Ok(None)
    }

    fn exists(
        &mut self,
        bounds: &'i [Bound<'i>],
        body: &'i Code<'i>,
        item: Item<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let Some((bound, inner)) = bounds.split_first() else {
            return self.act(body, rest, done);
        };
        let set = match self.bound_set(bound) {
            Ok(set) => set,
            Err(Fault::Unassigned(var)) => return self.wait(item, var, rest, done),
            Err(Fault::Error) => return Err(Fault::Error),
        };
        let mut items = self.elements(set, bound.set.at)?;
        if inner.is_empty() {
            self.narrow_loop(&mut items, bound, body, true);
        }
        let choice = self.begin_elements(&mut items);
        while let Some(value) = items.next(self.arena) {
            self.go_on_working(bound.set.at)?;
            self.bind(&bound.pattern, value, bound.set.at)?;
            let mark = self.mark();
            let noted = self.note_choice(item.code.at, bounds.len(), value);
            let stop = self.exists(inner, body, item, rest, done)?;
            self.unchoose(noted);
            self.undo(mark);
            if stop {
                return Ok(true);
            }
            self.next_choice(choice);
        }
        self.end_choice(choice);
        Ok(false)
    }

    /// Whether a universal quantifier is over so many elements that it cannot be meant as a conjunction of actions, but only
    /// as a test.
    fn are_many(&mut self, bounds: &'i [Bound<'i>]) -> Result<bool, Fault> {
        const CONJUNCTS_MAX: u32 = 1 << 12;
        let Some(first) = bounds.first() else {
            return Ok(false);
        };
        let set = self.eval(&first.set)?;
        Ok(value::cardinality(set).is_ok_and(|it| it > CONJUNCTS_MAX.into()))
    }

    /// `\A x \in S : A` as a conjunction: one copy of the frame for each element, because a waiting conjunct must find
    /// its own element when it is tried again.
    pub(crate) fn instances(
        &mut self,
        bounds: &'i [Bound<'i>],
        body: &'i Code<'i>,
        n_slots: u16,
    ) -> Result<Vec<Item<'i>>, Fault> {
        let Some((bound, inner)) = bounds.split_first() else {
            return Ok(vec![self.item(body)]);
        };
        let set = self.eval(&bound.set)?;
        let mut items = self.elements(set, bound.set.at)?;
        let frame = self.stack[self.base..self.base + n_slots as usize].to_vec();
        let outer = self.base;
        let mut all = vec![];
        while let Some(value) = items.next(self.arena) {
            self.base = self.stack.len();
            self.stack.extend_from_slice(&frame);
            let bound_here = self.bind(&bound.pattern, value, bound.set.at);
            let more = bound_here.and_then(|()| self.instances(inner, body, n_slots));
            match more {
                Ok(more) => all.extend(more),
                Err(fault) => {
                    self.base = outer;
                    return Err(fault);
                }
            }
        }
        self.base = outer;
        Ok(all)
    }

    /// A conjunction of items, then the rest.
    fn act_list(
        &mut self,
        items: &[Item<'i>],
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        match items.split_last() {
            None => self.go_on(rest, done),
            Some((&item, before)) => {
                let rest = Rest { item, after: rest };
                util::deep(|| self.act_list(before, Some(&rest), done))
            }
        }
    }

    /// A constant formula: its value is known, but each way in which it holds is a step.
    fn act_constant(
        &mut self,
        index: u32,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let program = self.program;
        let cached = &program.cached[index as usize];
        let base = self.stack.len();
        self.stack.resize(base + cached.n_slots as usize, Cell::Empty);
        let outer = std::mem::replace(&mut self.base, base);
        let flow = self.deeper(cached.code.at, |machine| {
            machine.act_here(&cached.code, rest, done)
        });
        self.base = outer;
        self.stack.truncate(base);
        flow
    }

    fn act_call(
        &mut self,
        proc: ProcId,
        link: usize,
        args: &'i [Arg<'i>],
        item: Item<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let base = self.begin(proc, link);
        if let Err(fault) = self.push_args_of(proc, args) {
            self.stack.truncate(base);
            return match fault {
                Fault::Unassigned(var) => self.wait(item, var, rest, done),
                Fault::Error => Err(Fault::Error),
            };
        }
        self.fill_frame(proc, base);
        let label = self.step.search.label;
        let noted = match self.step.search.labelling {
            true => {
                self.step.search.label = Some(proc);
                self.enter_action(proc, base, args)
            }
            false => usize::MAX,
        };
        self.count(proc);
        let outer = std::mem::replace(&mut self.base, base);
        let program = self.program;
        let flow = self.deeper(item.code.at, |machine| {
            machine.act_here(&program.procs[proc].body, rest, done)
        });
        self.base = outer;
        self.stack.truncate(base);
        self.step.search.label = label;
        self.unchoose(noted);
        if flow.is_err() {
            self.called(proc, item.code.at);
        }
        flow
    }

    /// The action that a function has as its value for an argument.
    fn act_application(
        &mut self,
        proc: ProcId,
        link: usize,
        arg: Value<'t>,
        at: ExprId,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let base = self.begin(proc, link);
        self.stack.push(Cell::Value(arg));
        self.fill_frame(proc, base);
        let outer = std::mem::replace(&mut self.base, base);
        let program = self.program;
        let flow = self.deeper(at, |machine| {
            machine.bind_argument(proc, arg, at)?;
            machine.act_here(&program.procs[proc].body, rest, done)
        });
        self.base = outer;
        self.stack.truncate(base);
        if flow.is_err() {
            self.called(proc, at);
        }
        flow
    }

    /// Whether a formula that was passed by name is a value here: it was used as one, and is not primed.
    fn has_value(&self, place: Place, thunk: Thunk<'i>) -> bool {
        let index = self.frame(place.up) + place.slot as usize;
        !thunk.primed && !self.step.primed && self.has_truth(index, thunk)
    }

    /// The variable that `code` stands for, if it has no next value yet. An argument that is a primed variable counts:
    /// `Send(m, chan, chan')` may define `chan'` inside.
    fn assignable(&self, code: &'i Code<'i>) -> Option<VarId> {
        let var = self.next_variable(code)?;
        self.step.next[var as usize].is_none().then_some(var)
    }

    fn assign(
        &mut self,
        var: VarId,
        value: Value<'t>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        self.step.next[var as usize] = Some(value);
        let flow = self.go_on(rest, done);
        self.step.next[var as usize] = None;
        flow
    }

    /// `UNCHANGED` of variables.
    fn keep(
        &mut self,
        vars: &[VarId],
        at: ExprId,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let arena = self.arena;
        if vars.iter().any(|&it| it as usize >= self.state.current.len()) {
            let what = "a variable of another module";
            return Err(self.fail(ErrorKind::Unsupported { what }, at));
        }
        let pairs = arena.alloc_slice_fill_iter(vars.iter().map(|&it| (it, self.state.current[it as usize])));
        self.assign_all(pairs, true, at, rest, done)
    }

    /// Gives or compares several variables at once; `kept` when the values are the current ones.
    fn assign_all(
        &mut self,
        pairs: &[(VarId, Value<'t>)],
        kept: bool,
        at: ExprId,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let arena = self.arena;
        let mut given = bumpalo::collections::Vec::with_capacity_in(pairs.len(), arena);
        let mut flow = None;
        for &(var, value) in pairs {
            let Some(next) = self.step.next[var as usize] else {
                self.step.next[var as usize] = Some(value);
                if kept && let Some(how) = self.step.how.get_mut(var as usize) {
                    *how = How::Kept;
                }
                given.push(var);
                continue;
            };
            if self.tracking {
                self.track_variable(var);
            }
            match value::equal(next, value) {
                Ok(true) => {}
                Ok(false) => flow = Some(Ok(false)),
                Err(trouble) => flow = Some(Err(self.trouble(trouble, &[next, value], at))),
            }
            if flow.is_some() {
                break;
            }
        }
        let flow = match flow {
            Some(flow) => flow,
            None => self.go_on(rest, done),
        };
        for var in given {
            self.step.next[var as usize] = None;
            if kept && let Some(how) = self.step.how.get_mut(var as usize) {
                *how = How::Made;
            }
        }
        flow
    }

    fn assign_shape(
        &mut self,
        shape: &Shape,
        value: Value<'t>,
        code: &'i Code<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let mut pairs = vec![];
        if !spread(shape, value, &mut pairs) {
            // Another tuple or function is different; anything else cannot be compared with a tuple.
            return match value.kind() {
                value::Kind::Function | value::Kind::Model => Ok(false),
                _ => Err(self.wrong("a tuple", value, code.at)),
            };
        }
        self.assign_all(&pairs, false, code.at, rest, done)
    }

    /// One element of a set after the other for several variables.
    fn pick_shape(
        &mut self,
        shape: &Shape,
        set: Value<'t>,
        code: &'i Code<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let mut items = self.elements(set, code.at)?;
        let choice = self.begin_elements(&mut items);
        while let Some(item) = items.next(self.arena) {
            let mark = self.mark();
            let stop = self.assign_shape(shape, item, code, rest, done)?;
            self.undo(mark);
            if stop {
                return Ok(true);
            }
            self.next_choice(choice);
        }
        self.end_choice(choice);
        Ok(false)
    }

    /// A tuple of next values, some of which are still open.
    fn open_tuple(&self, code: &'i Code<'i>) -> Option<Shape> {
        self.next_tuple(code).filter(|it| self.has_open(it))
    }

    fn has_open(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Var(var) => self.step.next[*var as usize].is_none(),
            Shape::Tuple(parts) => parts.iter().any(|it| self.has_open(it)),
        }
    }

    /// `v' = v`, of `UNCHANGED` or the stuttering half of `[A]_v`: variables keep their values, whatever else there is is compared.
    fn stay(
        &mut self,
        code: &'i Code<'i>,
        item: Item<'i>,
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let mut vars = vec![];
        if self.variables_of(code, &mut vars) {
            return self.keep(&vars, code.at, rest, done);
        }
        vars.retain(|&it| self.step.next[it as usize].is_none());
        if !vars.is_empty() {
            // Then the whole comes again, with nothing left to give.
            let again = Rest { item, after: rest };
            return self.keep(&vars, code.at, Some(&again), done);
        }
        match self.unchanged(code) {
            Ok(true) => self.go_on(rest, done),
            Ok(false) => Ok(false),
            Err(Fault::Unassigned(var)) => self.wait(item, var, rest, done),
            Err(Fault::Error) => Err(Fault::Error),
        }
    }

    /// The states that the first half of `A \cdot B` leads to.
    fn middles(&mut self, first: &'i Code<'i>) -> Result<Vec<Vec<Value<'t>>>, Fault> {
        // What is read in the second half are parts of a state in the middle.
        self.poison();
        let step = StepContext {
            search: Search {
                label: self.step.search.label,
                ..Search::default()
            },
            ..self.open_step(self.state.current.len())
        };
        let mut middles: Vec<Vec<Value<'t>>> = vec![];
        self.in_step(step, |machine| {
            let found = machine.act(first, None, &mut |machine| {
                middles.push(machine.step.next.iter().flatten().copied().collect());
                Ok(false)
            });
            machine.undo_all(0);
            found
        })?;
        Ok(middles)
    }

    /// Whether a step whose both ends are known is an `A \cdot B` step.
    pub(crate) fn is_composed(&mut self, two: &'i [Code<'i>; 2], at: ExprId) -> Result<bool, Fault> {
        if self.step.primed {
            let what = "`\\cdot` under a prime";
            return Err(self.fail(ErrorKind::Unsupported { what }, at));
        }
        // While a next value is missing, this waits for it.
        self.state_after()?;
        let end = self.step.next.clone();
        for middle in self.middles(&two[0])? {
            let middle = self.state_of(middle, 1);
            let step = StepContext {
                next: end.clone(),
                ..StepContext::default()
            };
            if self.in_state(middle, step, |machine| machine.holds(&two[1]))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `A \cdot B`: an `A` step to some state, then a `B` step from it.
    fn compose(
        &mut self,
        two: &'i [Code<'i>; 2],
        rest: Option<&Rest<'_, 'i>>,
        done: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        // Middle states first: the continuation belongs to the outer search.
        for middle in self.middles(&two[0])? {
            let mark = self.mark();
            let middle = self.state_of(middle, 1);
            // The rest of the conjunction, and what waits, speak of the state that the whole step begins in.
            let mut outer = (middle, vec![]);
            let swap = |machine: &mut Self, outer: &mut (StateContext<'t, 'i>, Vec<(Item<'i>, VarId)>)| {
                std::mem::swap(&mut machine.state, &mut outer.0);
                std::mem::swap(&mut machine.step.search.waiting, &mut outer.1);
            };
            swap(self, &mut outer);
            let flow = self.act(&two[1], None, &mut |machine| {
                swap(machine, &mut outer);
                let flow = machine.go_on(rest, done);
                swap(machine, &mut outer);
                flow
            });
            swap(self, &mut outer);
            self.undo_all(mark);
            if flow? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Pairs the variables of a shape with the parts of a tuple; false when they do not fit.
fn spread<'t>(shape: &Shape, value: Value<'t>, pairs: &mut Vec<(VarId, Value<'t>)>) -> bool {
    match (shape, value) {
        (Shape::Var(var), value) => {
            pairs.push((*var, value));
            true
        }
        (Shape::Tuple(parts), Value::Tuple(it)) if it.items.len() == parts.len() => parts
            .iter()
            .zip(it.items)
            .all(|(part, &value)| spread(part, value, pairs)),
        _ => false,
    }
}

/// The variables of a subscript that is a tuple of variables, also through definitions.
pub(crate) fn subscript_vars(code: &Code<'_>, program: &Program<'_>, vars: &mut Vec<VarId>) -> bool {
    match &code.kind {
        Kind::Var(var) => {
            vars.push(*var);
            true
        }
        Kind::Tuple(items) => items.iter().all(|it| subscript_vars(it, program, vars)),
        Kind::Call { proc, args, .. } if args.is_empty() => {
            subscript_vars(&program.procs[*proc].body, program, vars)
        }
        _ => false,
    }
}
