//! Functions that are applied without being made: recursive ones, those without an end, those whose values are actions.
//!
//! An expression that stands for such a function is followed to where the function is written, through definitions, parameters and
//! applications, and applied there to one argument.

use tla_sema::ir::*;

use crate::env::{Binding, Env, View};
use crate::eval::bind_argument;
use crate::fuel::level;
use crate::sets::{ENDLESS, contains, is_finite};
use crate::value::{equal, undefined};
use crate::{Error, Interpreter, Result, Value};

/// A function as it is written: its bounds, its value, where they are, and whether it is recursive.
type Written<'s> = (&'s [Bound], ExprId, Env, bool);

/// `[f EXCEPT ![a] = b]`: the function, the changes, where they are.
type Changed<'s> = (ExprId, &'s [Update], Env);

impl<'s> Interpreter<'s> {
    /// What a function is that stands there, or in a definition. A row of a recursive function is such a function itself: it may be
    /// needed to compute another place of the row.
    pub(crate) fn written_out(
        &self,
        function: ExprId,
        env: &Env,
        view: View<'_>,
    ) -> Result<Option<Written<'s>>> {
        let spec = self.spec;
        let (literal, home, is_recursive) = match &spec.exprs[function].kind {
            ExprKind::FnLiteral { .. } => (function, env.clone(), false),
            ExprKind::FnApply { function, arg } => match self.written_out(*function, env, view)? {
                Some((bounds, body, home, true)) => {
                    let domain = self.domain_of(bounds, &home, view)?;
                    let arg = self.checked_argument(&domain, self.eval(*arg, env, view)?)?;
                    (body, bind_argument(bounds, &arg, &home)?, true)
                }
                _ => return Ok(None),
            },
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) if thunk.primed == view.primed => {
                    return self.written_out(thunk.expr, &thunk.env, view);
                }
                _ => return Ok(None),
            },
            ExprKind::Call {
                op: Operator::Def(def),
                ..
            } if spec.defs[*def].params.is_empty() && !self.overrides.contains_key(def) => {
                let definition = &spec.defs[*def];
                let is_recursive = definition.kind == DefKind::Function && definition.recursive;
                let home = env.find_let(*def).cloned().unwrap_or_default();
                (definition.body, home, is_recursive)
            }
            _ => return Ok(None),
        };
        Ok(match &spec.exprs[literal].kind {
            ExprKind::FnLiteral { bounds, body } => Some((bounds, *body, home, is_recursive)),
            _ => None,
        })
    }

    /// `[f EXCEPT ![a] = b]`, here or in a definition, where `f` has no end.
    fn changed_endless(&self, function: ExprId, env: &Env, view: View<'_>) -> Result<Option<Changed<'s>>> {
        let spec = self.spec;
        match &spec.exprs[function].kind {
            ExprKind::Except { function, updates } => {
                let is_endless = match self.written_out(*function, env, view)? {
                    Some((bounds, _, home, _)) => {
                        is_finite(&self.domain_of(bounds, &home, view)?) == Ok(false)
                    }
                    None => self.changed_endless(*function, env, view)?.is_some(),
                };
                Ok(is_endless.then(|| (*function, &updates[..], env.clone())))
            }
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if args.is_empty() && !self.overrides.contains_key(def) && !spec.defs[*def].recursive => {
                let home = env.find_let(*def).cloned().unwrap_or_default();
                self.changed_endless(spec.defs[*def].body, &home, view)
            }
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) if thunk.primed == view.primed => {
                    self.changed_endless(thunk.expr, &thunk.env, view)
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// An argument, which must be in the domain.
    pub(crate) fn checked_argument(&self, domain: &Value, arg: Value) -> Result<Value> {
        match contains(Some(self), domain, &arg)? {
            true => Ok(arg),
            false => undefined(format!("{arg} is not in the domain")),
        }
    }

    /// `f[arg]`; a function that is recursive, has no end, or has actions as its values is applied to this argument only.
    pub(crate) fn apply(&self, function: ExprId, arg: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        self.apply_to(function, &|| self.eval(arg, env, view), env, view)
    }

    fn apply_to(
        &self,
        function: ExprId,
        arg: &dyn Fn() -> Result<Value>,
        env: &Env,
        view: View<'_>,
    ) -> Result<Value> {
        if let Some((bounds, body, home, is_recursive)) = self.written_out(function, env, view)? {
            let is_action = self.levels.borrow_mut().of(body) >= Level::Action;
            let domain = self.domain_of(bounds, &home, view)?;
            if is_recursive || is_action || is_finite(&domain) == Ok(false) {
                let arg = self.checked_argument(&domain, arg()?)?;
                return self.eval(body, &bind_argument(bounds, &arg, &home)?, view);
            }
        }
        if let Some((inner, updates, home)) = self.changed_endless(function, env, view)? {
            let arg = arg()?;
            let mut value = self.apply_to(inner, &|| Ok(arg.clone()), &home, view)?;
            for update in updates {
                if let Some((&first, rest)) = update.path.split_first()
                    && equal(&self.eval(first, &home, view)?, &arg)?
                {
                    value = self.update(&value, rest, update, &home, view)?;
                }
            }
            return Ok(value);
        }
        match self.eval(function, env, view) {
            Ok(function) => function.apply(&arg()?),
            // It may be written further away.
            Err(error) if is_endless(&error) => match self.one_step_nearer(function, env, view)? {
                Some((function, env)) => level(|| self.apply_to(function, arg, &env, view)),
                None => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// What an expression that is no function literal stands for, and where that is written.
    fn one_step_nearer(&self, expr: ExprId, env: &Env, view: View<'_>) -> Result<Option<(ExprId, Env)>> {
        Ok(match &self.spec.exprs[expr].kind {
            ExprKind::If { test, then, other } => {
                let branch = if self.test(*test, env, view)? { then } else { other };
                Some((*branch, env.clone()))
            }
            ExprKind::Let { defs, body } => Some((*body, env.lets(defs))),
            ExprKind::Label { body, .. } => Some((*body, env.clone())),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) if thunk.primed == view.primed => {
                    Some((thunk.expr, thunk.env.clone()))
                }
                _ => None,
            },
            ExprKind::Call {
                op: op @ (Operator::Def(_) | Operator::Local(_)),
                args,
            } => {
                let arguments: Result<Vec<Binding>> =
                    args.iter().map(|&it| self.argument(it, env, view)).collect();
                let closure = self.closure(*op, env)?;
                self.unfold(&closure, arguments?)
            }
            _ => None,
        })
    }

    /// `DOMAIN f`.
    pub(crate) fn domain(&self, function: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        if let Some((bounds, _, home, _)) = self.written_out(function, env, view)? {
            return self.domain_of(bounds, &home, view);
        }
        if let Some((inner, _, home)) = self.changed_endless(function, env, view)? {
            return self.domain(inner, &home, view);
        }
        match self.eval(function, env, view) {
            Ok(function) => self.operate(Builtin::Domain, &[function]),
            Err(error) if is_endless(&error) => match self.one_step_nearer(function, env, view)? {
                Some((function, env)) => level(|| self.domain(function, &env, view)),
                None => Err(error),
            },
            Err(error) => Err(error),
        }
    }
}

/// Whether something has no value because it has no end: another error is one wherever the function is written.
fn is_endless(error: &Error) -> bool {
    matches!(error, Error::Undefined(why) if why == ENDLESS)
}
