//! What becomes of a conjunct: it is replaced by its parts, leaves a choice, gives a variable its next value, or is tested.

use std::rc::Rc;

use tla_sema::ir::*;
use util::Symbol;

use super::{Action, Branch, From, Goal, What};
use crate::env::{Binding, Closure, Env, View};
use crate::fuel::{level, spend};
use crate::sets::elements;
use crate::value::undefined;
use crate::{Interpreter, Large, Result, State, Value};

/// A universal quantifier over more elements than this cannot be meant as a conjunction of actions, but only as a test.
const CONJUNCTS_MAX: usize = 1 << 12;

/// What becomes of a conjunct.
pub(super) enum Step<'s> {
    Done(bool),
    /// More conjuncts, the first one first.
    All(Vec<Goal>),
    /// The conjuncts of a `/\`.
    Conjunction(Vec<Goal>),
    /// The body of a definition that may name the step.
    Named(Goal, Action),
    /// These variables keep their values.
    Keep(Vec<usize>),
    Choose(Choices<'s>),
    /// The second halves of a composition, each from another state in the middle.
    Composed(Vec<Goal>),
}

/// Where the formula leaves a choice.
pub(super) enum Choices<'s> {
    Any(Vec<Goal>),
    /// A body for every choice of one element from each set.
    Exists(&'s [Bound], ExprId, Vec<Rc<Vec<Value>>>),
    /// Each element in turn is the next value of these variables.
    Give(Shape, Rc<Vec<Value>>),
}

/// Variables whose next values an expression is: one, or a tuple of them.
#[derive(Clone)]
pub(super) enum Shape {
    Variable(usize),
    Tuple(Vec<Shape>),
}

impl<'s> Interpreter<'s> {
    /// What becomes of a conjunct.
    pub(super) fn step(&self, goal: &Goal, branch: &Branch) -> Result<Step<'s>> {
        let view = goal.view(branch);
        let env = &goal.env;
        let is_complete = branch.next.iter().all(Option::is_some);
        match goal.what {
            // Nothing is left to be given: the rest is true or not, however many ways there are to see it.
            What::Box(action, subscript) if is_complete => {
                Ok(Step::Done(self.is_box_step(action, subscript, env, view)?))
            }
            What::Holds(expr) if is_complete => Ok(Step::Done(self.test(expr, env, view)?)),
            What::Box(action, subscript) => Ok(Step::Choose(Choices::Any(vec![
                goal.holds(action, env),
                goal.also(What::Stays(subscript)),
            ]))),
            What::Changes(expr) => Ok(Step::Done(!self.unchanged(expr, env, view)?)),
            What::Stays(expr) => self.stays(expr, goal, view),
            What::Holds(expr) if self.is_known_value(expr) => Ok(Step::Done(self.test(expr, env, view)?)),
            What::Holds(expr) => self.step_formula(expr, goal, view),
        }
    }

    fn step_formula(&self, expr: ExprId, goal: &Goal, view: View<'_>) -> Result<Step<'s>> {
        let env = &goal.env;
        match &self.spec.exprs[expr].kind {
            ExprKind::Builtin { op, args } => self.step_builtin(*op, args, expr, goal, view),
            ExprKind::Quant {
                kind: Quant::Exists,
                bounds,
                body,
            } => Ok(match self.bound_sets(bounds, env, view)? {
                None => Step::Done(false),
                Some(sets) => Step::Choose(Choices::Exists(bounds, *body, sets)),
            }),
            ExprKind::Quant {
                kind: Quant::Forall,
                bounds,
                body,
            } => self.for_all(bounds, *body, expr, goal, view),
            ExprKind::If { test, then, other } => {
                let branch = if self.test(*test, env, view)? { then } else { other };
                Ok(Step::All(vec![goal.holds(*branch, env)]))
            }
            ExprKind::Case { arms, other } => {
                for &(guard, body) in arms {
                    if self.test(guard, env, view)? {
                        return Ok(Step::All(vec![goal.holds(body, env)]));
                    }
                }
                match other {
                    Some(other) => Ok(Step::All(vec![goal.holds(*other, env)])),
                    None => undefined("no guard of the CASE is true"),
                }
            }
            ExprKind::Let { defs, body } => Ok(Step::All(vec![goal.holds(*body, &env.lets(defs))])),
            ExprKind::Label { body, .. } => Ok(Step::All(vec![goal.holds(*body, env)])),
            ExprKind::BoxAction { action, subscript } => {
                Ok(Step::All(vec![goal.also(What::Box(*action, *subscript))]))
            }
            ExprKind::AngleAction { action, subscript } => Ok(Step::All(vec![
                goal.holds(*action, env),
                goal.also(What::Changes(*subscript)),
            ])),
            ExprKind::Local(local) => match env.find(*local) {
                // An argument that has a value already is a test; one that has none may be an action, and each way to satisfy it is a step.
                Some(Binding::Thunk(thunk))
                    if !self.is_closed_constant(thunk.expr) && !self.is_evaluated(thunk, view) =>
                {
                    Ok(Step::All(vec![Goal {
                        primed: thunk.is_primed(view),
                        ..goal.holds(thunk.expr, &thunk.env)
                    }]))
                }
                _ => Ok(Step::Done(self.test(expr, env, view)?)),
            },
            ExprKind::FnApply { function, arg } => self.step_application(*function, *arg, expr, goal, view),
            ExprKind::Call { op, args } => self.step_call(*op, args, expr, goal, view),
            _ => Ok(Step::Done(self.test(expr, env, view)?)),
        }
    }

    fn step_builtin(
        &self,
        op: Builtin,
        args: &[ExprId],
        expr: ExprId,
        goal: &Goal,
        view: View<'_>,
    ) -> Result<Step<'s>> {
        let env = &goal.env;
        let each = || args.iter().map(|&it| goal.holds(it, env)).collect();
        match op {
            Builtin::And => return Ok(Step::Conjunction(each())),
            Builtin::Or => return Ok(Step::Choose(Choices::Any(each()))),
            Builtin::Implies => {
                return match self.test(args[0], env, view)? {
                    true => Ok(Step::All(vec![goal.holds(args[1], env)])),
                    false => Ok(Step::Done(true)),
                };
            }
            Builtin::Prime => {
                let primed = true;
                let inner = goal.holds(args[0], env);
                return Ok(Step::All(vec![Goal { primed, ..inner }]));
            }
            Builtin::Unchanged => return self.stays(args[0], goal, view),
            Builtin::Eq => {
                for (side, other) in [(args[0], args[1]), (args[1], args[0])] {
                    if let Some(shape @ Shape::Variable(_)) = self.open(side, env, view)? {
                        let value = self.eval(other, env, view)?;
                        return Ok(Step::Choose(Choices::Give(shape, Rc::new(vec![value]))));
                    }
                }
                if let Some(shape) = self.open(args[0], env, view)? {
                    let value = self.eval(args[1], env, view)?;
                    return Ok(Step::Choose(Choices::Give(shape, Rc::new(vec![value]))));
                }
            }
            Builtin::In => {
                if let Some(shape) = self.open(args[0], env, view)? {
                    let set = self.set(args[1], env, view)?;
                    return Ok(Step::Choose(Choices::Give(shape, elements(&set)?)));
                }
            }
            Builtin::SubsetEq => {
                if let Some(shape @ Shape::Variable(_)) = self.open(args[0], env, view)? {
                    let subsets = Value::large(Large::Power(self.set(args[1], env, view)?));
                    return Ok(Step::Choose(Choices::Give(shape, elements(&subsets)?)));
                }
            }
            Builtin::Compose => {
                let middles = self.middles(args[0], env, view)?;
                let second = |middle: State| Goal {
                    from: From {
                        state: Some(Rc::new(middle)),
                        level: goal.from.level + 1,
                        turn: goal.from.turn,
                        moment: self.fresh(),
                    },
                    ..goal.holds(args[1], env)
                };
                return Ok(Step::Composed(middles.into_iter().map(second).collect()));
            }
            _ => {}
        }
        Ok(Step::Done(self.test(expr, env, view)?))
    }

    /// The elements of the sets of a quantifier. Nothing when one of them is empty: those behind it are not asked for, and of those before it,
    /// an element that does not fit its pattern is still an error, as it is where the quantifier is a value.
    fn bound_sets(&self, bounds: &[Bound], env: &Env, view: View<'_>) -> Result<Option<Vec<Rc<Vec<Value>>>>> {
        let mut sets = vec![];
        for bound in bounds {
            let set = elements(&self.set(bound.set, env, view)?)?;
            let is_empty = set.is_empty();
            sets.push(set);
            if is_empty {
                self.exists(bounds, &sets, env, &mut |_| Ok(false))?;
                return Ok(None);
            }
        }
        Ok(Some(sets))
    }

    /// `\A x \in S : A` as a conjunction.
    fn for_all(
        &self,
        bounds: &[Bound],
        body: ExprId,
        expr: ExprId,
        goal: &Goal,
        view: View<'_>,
    ) -> Result<Step<'s>> {
        let Some(sets) = self.bound_sets(bounds, &goal.env, view)? else {
            return Ok(Step::Done(true));
        };
        if !goal.primed && sets[0].len() > CONJUNCTS_MAX {
            return Ok(Step::Done(self.test(expr, &goal.env, view)?));
        }
        let mut goals = vec![];
        self.exists(bounds, &sets, &goal.env, &mut |env| {
            spend(1)?;
            goals.push(goal.holds(body, env));
            Ok(false)
        })?;
        Ok(Step::All(goals))
    }

    /// A function whose values are actions.
    fn step_application(
        &self,
        function: ExprId,
        arg: ExprId,
        expr: ExprId,
        goal: &Goal,
        view: View<'_>,
    ) -> Result<Step<'s>> {
        match self.action_of_function(function, arg, &goal.env, view)? {
            Some((body, env)) => Ok(Step::All(vec![goal.holds(body, &env)])),
            None => Ok(Step::Done(self.test(expr, &goal.env, view)?)),
        }
    }

    fn step_call(
        &self,
        op: Operator,
        args: &[ExprId],
        expr: ExprId,
        goal: &Goal,
        view: View<'_>,
    ) -> Result<Step<'s>> {
        let env = &goal.env;
        if matches!(op, Operator::Decl(_)) && args.is_empty() {
            return Ok(Step::Done(self.test(expr, env, view)?));
        }
        let closure = self.closure(op, env)?;
        let bindings: Vec<Binding> = args
            .iter()
            .map(|&it| self.argument(it, env, view))
            .collect::<Result<_>>()?;
        if let (Closure::Builtin(op @ (Builtin::Prime | Builtin::Unchanged)), [Binding::Thunk(thunk)]) =
            (&*closure, &bindings[..])
        {
            let passed = Goal {
                primed: thunk.is_primed(view),
                ..goal.holds(thunk.expr, &thunk.env)
            };
            return self.step_builtin(*op, &[thunk.expr], thunk.expr, &passed, view);
        }
        let (name, is_value) = match &*closure {
            // What comes with the language is no action.
            Closure::Def(def, _) if self.is_library(*def) || self.has_value(*def) => (None, false),
            Closure::Def(def, home) => {
                let name = self.spec.defs[*def].name;
                (Some((name, Some(*def))), args.is_empty() && home.0.is_some())
            }
            Closure::Lambda(..) => (Some((Symbol::new("LAMBDA"), None)), false),
            Closure::Builtin(_) | Closure::Table(_) => (None, false),
        };
        match (name, self.unfold(&closure, bindings)) {
            // The value of a `LET` is no step by its name.
            (Some(_), Some((body, env))) if is_value => Ok(Step::All(vec![goal.holds(body, &env)])),
            (Some((name, def)), Some((body, env))) => {
                Ok(Step::Named(goal.holds(body, &env), Action { name, def }))
            }
            _ => Ok(Step::Done(self.test(expr, env, view)?)),
        }
    }

    /// The variables whose next values an expression is, if some of these are not known yet.
    fn open(&self, expr: ExprId, env: &Env, view: View<'_>) -> Result<Option<Shape>> {
        let shape = self.shape(expr, env, view)?;
        let next = view.next.unwrap_or_default();
        Ok(shape.filter(|it| it.variables().iter().any(|&it| next[it].is_none())))
    }

    /// The variables that a primed expression is: a name, a tuple of names, or what is defined or passed as one.
    fn shape(&self, expr: ExprId, env: &Env, view: View<'_>) -> Result<Option<Shape>> {
        level(|| match &self.spec.exprs[expr].kind {
            ExprKind::Decl(decl) if view.primed => {
                Ok(self.variables.get(decl).map(|&it| Shape::Variable(it)))
            }
            ExprKind::Builtin {
                op: Builtin::Prime,
                args,
            } => self.shape(args[0], env, View { primed: true, ..view }),
            ExprKind::Label { body, .. } => self.shape(*body, env, view),
            ExprKind::Let { defs, body } => self.shape(*body, &env.lets(defs), view),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) => {
                    let primed = thunk.is_primed(view);
                    self.shape(thunk.expr, &thunk.env, View { primed, ..view })
                }
                _ => Ok(None),
            },
            ExprKind::Tuple(items) if !items.is_empty() => {
                let mut parts = vec![];
                for &item in items {
                    match self.shape(item, env, view)? {
                        Some(part) => parts.push(part),
                        None => return Ok(None),
                    }
                }
                Ok(Some(Shape::Tuple(parts)))
            }
            ExprKind::Call {
                op: op @ Operator::Def(def),
                args,
            } if args.is_empty() && !self.spec.defs[*def].recursive => match &*self.closure(*op, env)? {
                Closure::Def(def, env) if !self.has_value(*def) => {
                    self.shape(self.spec.defs[*def].body, env, view)
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        })
    }

    /// `v' = v` by parts: variables keep their values, the parts of a tuple stay one by one.
    fn stays(&self, expr: ExprId, goal: &Goal, view: View<'_>) -> Result<Step<'s>> {
        if let Some(shape) = self.shape(expr, &goal.env, View { primed: true, ..view })? {
            return Ok(Step::Keep(shape.variables()));
        }
        let (body, env) = self.meant(expr, &goal.env, view)?;
        match &self.spec.exprs[body].kind {
            ExprKind::Tuple(items) => {
                let part = |&it: &ExprId| Goal {
                    what: What::Stays(it),
                    env: env.clone(),
                    ..goal.clone()
                };
                Ok(Step::All(items.iter().map(part).collect()))
            }
            _ => Ok(Step::Done(self.unchanged(expr, &goal.env, view)?)),
        }
    }

    /// What a name without parameters, or a parameter, stands for.
    fn meant(&self, expr: ExprId, env: &Env, view: View<'_>) -> Result<(ExprId, Env)> {
        level(|| match &self.spec.exprs[expr].kind {
            ExprKind::Label { body, .. } => self.meant(*body, env, view),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) if thunk.is_primed(view) == view.primed => {
                    self.meant(thunk.expr, &thunk.env, view)
                }
                _ => Ok((expr, env.clone())),
            },
            ExprKind::Call {
                op: op @ Operator::Def(def),
                args,
            } if args.is_empty() && !self.spec.defs[*def].recursive => match &*self.closure(*op, env)? {
                Closure::Def(def, home) if !self.has_value(*def) => {
                    self.meant(self.spec.defs[*def].body, home, view)
                }
                _ => Ok((expr, env.clone())),
            },
            _ => Ok((expr, env.clone())),
        })
    }
}

impl Shape {
    pub(super) fn variables(&self) -> Vec<usize> {
        match self {
            Shape::Variable(it) => vec![*it],
            Shape::Tuple(parts) => parts.iter().flat_map(Shape::variables).collect(),
        }
    }
}
