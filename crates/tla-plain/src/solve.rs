//! Which next states satisfy an action: needed for `ENABLED` and `\cdot` only.
//!
//! Goals are taken from a list, the first one first. A formula is replaced by its parts; an equation or a membership gives a
//! variable its next value; anything else is tested. A goal that asks for a value that is not there yet goes to the end.

use std::rc::Rc;

use tla_sema::ir::*;

use crate::eval::{Binding, Env, View};
use crate::fuel::{level, paid};
use crate::sets::elements;
use crate::value::equal;
use crate::{Error, Interpreter, Result, Rule, Value};

type Partial = Vec<Option<Value>>;
type Found<'f> = dyn FnMut(&Partial) -> Result<bool> + 'f;

#[derive(Clone)]
struct Goal {
    what: What,
    env: Env,
    primed: bool,
    /// The state that unprimed names speak of.
    state: Rc<Vec<Value>>,
}

#[derive(Clone, Copy)]
enum What {
    Holds(ExprId),
    /// `[A]_v`.
    Rule(Rule),
    Changes(ExprId),
    Stays(ExprId),
}

impl Interpreter<'_> {
    /// Whether there is a next state, completely given or not.
    pub(crate) fn enabled(&self, action: ExprId, env: &Env, view: View<'_>) -> Result<bool> {
        let goal = self.goal(action, env, view)?;
        let mut next = vec![None; self.variables.len()];
        self.solve(vec![goal], vec![], false, &mut next, &mut |_| Ok(true))
    }

    /// `ENABLED <<A>>_v`.
    pub(crate) fn enabled_to_change(
        &self,
        action: ExprId,
        subscript: ExprId,
        env: &Env,
        view: View<'_>,
    ) -> Result<bool> {
        let goal = self.goal(action, env, view)?;
        let change = Goal {
            what: What::Changes(subscript),
            ..goal.clone()
        };
        let mut next = vec![None; self.variables.len()];
        self.solve(vec![change, goal], vec![], false, &mut next, &mut |_| Ok(true))
    }

    /// Whether a first step leads to a state from which a second one leads to the next state.
    pub(crate) fn composed(&self, first: ExprId, second: ExprId, env: &Env, view: View<'_>) -> Result<bool> {
        for middle in self.middles(first, env, view)? {
            let view = self.view(Some(&middle), view.next);
            if self.test(second, env, view)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn middles(&self, first: ExprId, env: &Env, view: View<'_>) -> Result<Vec<Vec<Value>>> {
        let goal = self.goal(first, env, view)?;
        let mut middles = vec![];
        let mut next = vec![None; self.variables.len()];
        self.solve(vec![goal], vec![], false, &mut next, &mut |next| {
            match next.iter().position(Option::is_none) {
                Some(open) => return Err(Error::Unassigned(open)),
                None => middles.push(next.iter().flatten().cloned().collect()),
            }
            Ok(false)
        })?;
        Ok(middles)
    }

    /// All next states of an action, each as often as the action gives it.
    pub fn successors(&self, action: ExprId, state: &[Value]) -> Result<Vec<Vec<Value>>> {
        paid(self.middles(action, &Env::default(), self.view(Some(state), None)))
    }

    /// Whether some next state satisfies all rules.
    pub fn has_step(&self, rules: &[Rule], state: &[Value]) -> Result<bool> {
        let goal = |rule: &Rule| Goal {
            what: What::Rule(*rule),
            env: Env::default(),
            primed: false,
            state: Rc::new(state.to_vec()),
        };
        let goals = rules.iter().rev().map(goal).collect();
        let mut next = vec![None; self.variables.len()];
        paid(self.solve(goals, vec![], false, &mut next, &mut |_| Ok(true)))
    }

    fn goal(&self, action: ExprId, env: &Env, view: View<'_>) -> Result<Goal> {
        // Under a prime, the next state is the one that the action starts from.
        let state = match (view.primed, view.state, view.next) {
            (false, Some(state), _) => state.to_vec(),
            (true, _, Some(next)) => {
                let open = next.iter().position(Option::is_none).unwrap_or(0);
                next.iter()
                    .cloned()
                    .collect::<Option<Vec<Value>>>()
                    .ok_or(Error::Unassigned(open))?
            }
            _ => return Err(Error::Undefined("an action outside any state".to_owned())),
        };
        Ok(Goal {
            what: What::Holds(action),
            env: env.clone(),
            primed: false,
            state: Rc::new(state),
        })
    }

    /// `todo` has the first goal last. True ends the search.
    fn solve(
        &self,
        todo: Vec<Goal>,
        waiting: Vec<Goal>,
        progress: bool,
        next: &mut Partial,
        found: &mut Found<'_>,
    ) -> Result<bool> {
        level(|| self.solve_here(todo, waiting, progress, next, found))
    }

    fn solve_here(
        &self,
        mut todo: Vec<Goal>,
        mut waiting: Vec<Goal>,
        progress: bool,
        next: &mut Partial,
        found: &mut Found<'_>,
    ) -> Result<bool> {
        let Some(goal) = todo.pop() else {
            if waiting.is_empty() {
                return found(next);
            }
            if !progress {
                let open = next.iter().position(Option::is_none).unwrap_or(0);
                return Err(Error::Unassigned(open));
            }
            waiting.reverse();
            return self.solve(waiting, vec![], false, next, found);
        };
        match self.step(&goal, next) {
            Ok(Step::Done(true)) => self.solve(todo, waiting, progress, next, found),
            Ok(Step::Done(false)) => Ok(false),
            Ok(Step::All(goals)) => {
                todo.extend(goals.into_iter().rev());
                self.solve(todo, waiting, progress, next, found)
            }
            Ok(Step::Any(branches)) => {
                for branch in branches {
                    let mut todo = todo.clone();
                    todo.extend(branch.into_iter().rev());
                    if self.solve(todo, waiting.clone(), progress, next, found)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Ok(step @ (Step::Give(..) | Step::GiveAgain(..))) => {
                let (var, values) = match step {
                    Step::GiveAgain(var, values) => {
                        todo.push(goal);
                        (var, values)
                    }
                    Step::Give(var, values) => (var, values),
                    _ => return Ok(false),
                };
                for value in values {
                    next[var] = Some(value);
                    let stop = self.solve(todo.clone(), waiting.clone(), true, next, found);
                    next[var] = None;
                    if stop? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Err(Error::Unassigned(_)) => {
                waiting.push(goal);
                self.solve(todo, waiting, progress, next, found)
            }
            Err(error) => Err(error),
        }
    }

    /// What becomes of a goal.
    fn step(&self, goal: &Goal, next: &Partial) -> Result<Step> {
        let spec = self.spec;
        let view = View {
            primed: goal.primed,
            ..self.view(Some(&goal.state), Some(next))
        };
        let env = &goal.env;
        let holds = |expr: ExprId, env: &Env| Goal {
            what: What::Holds(expr),
            env: env.clone(),
            ..goal.clone()
        };
        let also = |what: What| Goal { what, ..goal.clone() };
        let expr = match goal.what {
            What::Holds(expr) => expr,
            What::Rule(Rule { action, subscript }) => {
                let stays = subscript.map(|it| vec![also(What::Stays(it))]);
                return Ok(Step::Any(
                    [vec![holds(action, env)]].into_iter().chain(stays).collect(),
                ));
            }
            What::Changes(expr) => return Ok(Step::Done(!self.unchanged(expr, env, view)?)),
            What::Stays(expr) => return self.stays(expr, goal, view),
        };
        match &spec.exprs[expr].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => Ok(Step::All(args.iter().map(|&it| holds(it, env)).collect())),
            ExprKind::Builtin {
                op: Builtin::Or,
                args,
            } => Ok(Step::Any(args.iter().map(|&it| vec![holds(it, env)]).collect())),
            ExprKind::Builtin {
                op: Builtin::Implies,
                args,
            } => match self.test(args[0], env, view)? {
                true => Ok(Step::All(vec![holds(args[1], env)])),
                false => Ok(Step::Done(true)),
            },
            ExprKind::Builtin {
                op: Builtin::Prime,
                args,
            } => Ok(Step::All(vec![Goal {
                primed: true,
                ..holds(args[0], env)
            }])),
            ExprKind::Builtin {
                op: Builtin::Unchanged,
                args,
            } => Ok(Step::All(vec![also(What::Stays(args[0]))])),
            ExprKind::Builtin {
                op: Builtin::Eq,
                args,
            } => {
                for (side, other) in [(args[0], args[1]), (args[1], args[0])] {
                    if let Some(var) = self.open(side, env, view) {
                        return Ok(Step::Give(var, vec![self.eval(other, env, view)?]));
                    }
                    if let Some(parts) = self.open_tuple(side, env, view) {
                        let value = self.eval(other, env, view)?;
                        return self.give_tuple(&parts, &[value], goal, view);
                    }
                }
                Ok(Step::Done(self.test(expr, env, view)?))
            }
            ExprKind::Builtin {
                op: Builtin::In,
                args,
            } => {
                if let Some(var) = self.open(args[0], env, view) {
                    let set = self.eval(args[1], env, view)?;
                    return Ok(Step::Give(var, elements(&set)?.to_vec()));
                }
                if let Some(parts) = self.open_tuple(args[0], env, view) {
                    let set = self.eval(args[1], env, view)?;
                    return self.give_tuple(&parts, &elements(&set)?, goal, view);
                }
                Ok(Step::Done(self.test(expr, env, view)?))
            }
            ExprKind::Builtin {
                op: Builtin::Compose,
                args,
            } => {
                let middles = self.middles(args[0], env, view)?;
                let second = |middle| {
                    vec![Goal {
                        state: Rc::new(middle),
                        ..holds(args[1], env)
                    }]
                };
                Ok(Step::Any(middles.into_iter().map(second).collect()))
            }
            ExprKind::Quant {
                kind: Quant::Exists,
                bounds,
                body,
            } => {
                let mut branches = vec![];
                self.each(bounds, env, view, &mut |env| {
                    branches.push(vec![holds(*body, env)]);
                    Ok(false)
                })?;
                Ok(Step::Any(branches))
            }
            ExprKind::Quant {
                kind: Quant::Forall,
                bounds,
                body,
            } => {
                let mut goals = vec![];
                self.each(bounds, env, view, &mut |env| {
                    goals.push(holds(*body, env));
                    Ok(false)
                })?;
                Ok(Step::All(goals))
            }
            ExprKind::If { test, then, other } => {
                let branch = if self.test(*test, env, view)? { then } else { other };
                Ok(Step::All(vec![holds(*branch, env)]))
            }
            ExprKind::Case { arms, other } => {
                for &(guard, body) in arms {
                    if self.test(guard, env, view)? {
                        return Ok(Step::All(vec![holds(body, env)]));
                    }
                }
                match other {
                    Some(other) => Ok(Step::All(vec![holds(*other, env)])),
                    None => Err(Error::Undefined("no guard of the CASE is true".to_owned())),
                }
            }
            ExprKind::Let { defs, body } => Ok(Step::All(vec![holds(*body, &env.lets(defs))])),
            ExprKind::Label { body, .. } => Ok(Step::All(vec![holds(*body, env)])),
            ExprKind::BoxAction { action, subscript } => Ok(Step::Any(vec![
                vec![holds(*action, env)],
                vec![also(What::Stays(*subscript))],
            ])),
            ExprKind::AngleAction { action, subscript } => Ok(Step::All(vec![
                holds(*action, env),
                also(What::Changes(*subscript)),
            ])),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) => {
                    let primed = goal.primed || thunk.primed;
                    Ok(Step::All(vec![Goal {
                        primed,
                        ..holds(thunk.expr, &thunk.env)
                    }]))
                }
                _ => Ok(Step::Done(self.test(expr, env, view)?)),
            },
            ExprKind::Call { op, args } if !matches!(op, Operator::Decl(_)) => {
                let closure = self.closure(*op, env)?;
                let bindings: Vec<Binding> = args
                    .iter()
                    .map(|&it| self.argument(it, env, view))
                    .collect::<Result<_>>()?;
                if let crate::eval::Closure::Def(def, _) = &*closure
                    && self.library(*def, &bindings, view).is_some()
                {
                    return Ok(Step::Done(self.test(expr, env, view)?));
                }
                match self.unfold(&closure, bindings) {
                    Some((body, env)) => Ok(Step::All(vec![holds(body, &env)])),
                    None => Ok(Step::Done(self.test(expr, env, view)?)),
                }
            }
            _ => Ok(Step::Done(self.test(expr, env, view)?)),
        }
    }

    /// The variable that an expression is the next value of, while it has none.
    fn open(&self, expr: ExprId, env: &Env, view: View<'_>) -> Option<usize> {
        let (var, primed) = self.variable_of(expr, env, view.primed)?;
        (primed && view.next?[var].is_none()).then_some(var)
    }

    /// A variable behind definitions, arguments and primes, and whether its next value is meant.
    fn variable_of(&self, expr: ExprId, env: &Env, primed: bool) -> Option<(usize, bool)> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Decl(decl) => self.variables.get(decl).map(|&it| (it, primed)),
            ExprKind::Builtin {
                op: Builtin::Prime,
                args,
            } => self.variable_of(args[0], env, true),
            ExprKind::Label { body, .. } => self.variable_of(*body, env, primed),
            ExprKind::Local(local) => match env.find(*local)? {
                Binding::Thunk(thunk) => self.variable_of(thunk.expr, &thunk.env, primed || thunk.primed),
                _ => None,
            },
            _ => None,
        }
    }

    /// The items of a tuple in which some next value is open.
    fn open_tuple(&self, expr: ExprId, env: &Env, view: View<'_>) -> Option<Vec<usize>> {
        let mut parts = vec![];
        (self.flat_tuple(expr, env, view.primed, &mut parts)?
            && parts
                .iter()
                .any(|&it| view.next.is_some_and(|next| next[it].is_none())))
        .then_some(parts)
    }

    /// The variables of a tuple of next values; whether there are any.
    fn flat_tuple(&self, expr: ExprId, env: &Env, primed: bool, parts: &mut Vec<usize>) -> Option<bool> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Tuple(items) => {
                for &item in items {
                    match self.variable_of(item, env, primed) {
                        Some((var, true)) => parts.push(var),
                        _ => return None,
                    }
                }
                Some(!items.is_empty())
            }
            ExprKind::Builtin {
                op: Builtin::Prime,
                args,
            } => self.flat_tuple(args[0], env, true, parts),
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if args.is_empty() && !self.spec.defs[*def].recursive => {
                self.flat_tuple(self.spec.defs[*def].body, env, primed, parts)
            }
            _ => None,
        }
    }

    /// A branch for each tuple that the variables can be: their values are compared or given one after the other.
    fn give_tuple(&self, parts: &[usize], values: &[Value], goal: &Goal, view: View<'_>) -> Result<Step> {
        let mut states = vec![];
        for value in values {
            let Ok(items) = value.items() else { continue };
            if items.len() == parts.len() {
                states.push(items);
            }
        }
        // Only the first open one is given here; the goal comes again for the others.
        let next = view.next.unwrap_or_default();
        let Some(place) = parts.iter().position(|&it| next[it].is_none()) else {
            return Ok(Step::Done(self.test_goal(goal, view)?));
        };
        let mut fitting = vec![];
        'states: for items in states {
            for (&part, item) in parts.iter().zip(&items) {
                if let Some(value) = &next[part]
                    && !equal(value, item)?
                {
                    continue 'states;
                }
            }
            if !fitting.iter().any(|it| equal(it, &items[place]) == Ok(true)) {
                fitting.push(items[place].clone());
            }
        }
        Ok(Step::GiveAgain(parts[place], fitting))
    }

    fn test_goal(&self, goal: &Goal, view: View<'_>) -> Result<bool> {
        match goal.what {
            What::Holds(expr) | What::Rule(Rule { action: expr, .. }) => self.test(expr, &goal.env, view),
            What::Changes(expr) => Ok(!self.unchanged(expr, &goal.env, view)?),
            What::Stays(expr) => self.unchanged(expr, &goal.env, view),
        }
    }

    /// `UNCHANGED` by parts: variables keep their values.
    fn stays(&self, expr: ExprId, goal: &Goal, view: View<'_>) -> Result<Step> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Decl(decl) => match self.variables.get(decl) {
                Some(&var) if view.next.is_some_and(|next| next[var].is_none()) => {
                    Ok(Step::Give(var, vec![goal.state[var].clone()]))
                }
                _ => Ok(Step::Done(self.unchanged(expr, &goal.env, view)?)),
            },
            ExprKind::Tuple(items) => Ok(Step::All(
                items
                    .iter()
                    .map(|&it| Goal {
                        what: What::Stays(it),
                        ..goal.clone()
                    })
                    .collect(),
            )),
            ExprKind::Label { body, .. } => Ok(Step::All(vec![Goal {
                what: What::Stays(*body),
                ..goal.clone()
            }])),
            ExprKind::Local(local) => match goal.env.find(*local) {
                Some(Binding::Thunk(thunk)) => {
                    let what = What::Stays(thunk.expr);
                    Ok(Step::All(vec![Goal {
                        what,
                        env: thunk.env.clone(),
                        ..goal.clone()
                    }]))
                }
                _ => Ok(Step::Done(true)),
            },
            ExprKind::Call {
                op: op @ Operator::Def(_),
                args,
            } => {
                let closure = self.closure(*op, &goal.env)?;
                let bindings: Vec<Binding> = args
                    .iter()
                    .map(|&it| self.argument(it, &goal.env, view))
                    .collect::<Result<_>>()?;
                match self.unfold(&closure, bindings) {
                    Some((body, env))
                        if matches!(self.spec.exprs[body].kind, ExprKind::Tuple(_) | ExprKind::Decl(_)) =>
                    {
                        Ok(Step::All(vec![Goal {
                            what: What::Stays(body),
                            env,
                            ..goal.clone()
                        }]))
                    }
                    _ => Ok(Step::Done(self.unchanged(expr, &goal.env, view)?)),
                }
            }
            _ => Ok(Step::Done(self.unchanged(expr, &goal.env, view)?)),
        }
    }
}

enum Step {
    Done(bool),
    All(Vec<Goal>),
    Any(Vec<Vec<Goal>>),
    /// One branch for each value.
    Give(usize, Vec<Value>),
    /// The same, and the goal is not done yet.
    GiveAgain(usize, Vec<Value>),
}
