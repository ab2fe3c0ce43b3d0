//! Functions that are applied without being made: recursive ones, those without an end, those whose values are actions.
//!
//! An expression that stands for such a function, or has one in it, is followed to where the function is written, through definitions,
//! parameters and parts, and applied there to one argument.

use num_traits::ToPrimitive;
use tla_sema::ir::*;
use util::Symbol;
use value::Text;

use crate::env::{Binding, Env, View};
use crate::eval::bind_argument;
use crate::fuel::level;
use crate::sets::{ENDLESS, contains, is_finite};
use crate::value::{equal, undefined};
use crate::{Error, Interpreter, Result, Value};

/// A function as it is written: its bounds, its value, where they are, and whether it is recursive.
type Written<'s> = (&'s [Bound], ExprId, Env, bool);

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
                Some(Binding::Thunk(thunk)) if thunk.is_primed(view) == view.primed => {
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

    /// An argument, which must be in the domain.
    pub(crate) fn checked_argument(&self, domain: &Value, arg: Value) -> Result<Value> {
        match contains(Some(self), domain, &arg)? {
            true => Ok(arg),
            false => undefined(format!("{arg} is not in the domain")),
        }
    }

    /// `f[arg]`; a function that is recursive, has no end, or has actions as its values is applied to this argument only.
    pub(crate) fn apply(&self, function: ExprId, arg: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        if let Some((bounds, body, home, is_recursive)) = self.written_out(function, env, view)? {
            let is_action = self.levels.borrow_mut().of(body) >= Level::Action;
            let domain = self.domain_of(bounds, &home, view)?;
            if is_recursive || is_action || is_finite(&domain) == Ok(false) {
                let arg = self.checked_argument(&domain, self.eval(arg, env, view)?)?;
                return self.eval(body, &bind_argument(bounds, &arg, &home)?, view);
            }
        }
        let written = || {
            let key = self.eval(arg, env, view)?;
            self.written(function, &[key], Want::Value, env, view)
        };
        if self.is_row(function) {
            return written();
        }
        match self.eval(function, env, view) {
            Ok(function) => function.apply(&self.eval(arg, env, view)?),
            Err(error) if is_endless(&error) => written(),
            Err(error) => Err(error),
        }
    }

    /// `r.f`.
    pub(crate) fn select(&self, record: ExprId, field: Symbol, env: &Env, view: View<'_>) -> Result<Value> {
        let key = Value::Str(Text::from(field));
        match self.eval(record, env, view) {
            Ok(record) => record.apply(&key),
            Err(error) if is_endless(&error) => self.written(record, &[key], Want::Value, env, view),
            Err(error) => Err(error),
        }
    }

    /// `DOMAIN f`.
    pub(crate) fn domain(&self, function: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        if let Some((bounds, _, home, _)) = self.written_out(function, env, view)? {
            return self.domain_of(bounds, &home, view);
        }
        match self.eval(function, env, view) {
            Ok(function) => self.operate(Builtin::Domain, &[function]),
            Err(error) if is_endless(&error) => self.written(function, &[], Want::Domain, env, view),
            Err(error) => Err(error),
        }
    }

    /// Whether an expression applies a recursive function: its value may be needed to compute a part of itself.
    fn is_row(&self, expr: ExprId) -> bool {
        let mut head = expr;
        while let ExprKind::FnApply { function, .. } = &self.spec.exprs[head].kind {
            head = *function;
        }
        match &self.spec.exprs[head].kind {
            ExprKind::Call {
                op: Operator::Def(def),
                ..
            } => {
                let definition = &self.spec.defs[*def];
                let is_recursive = definition.kind == DefKind::Function && definition.recursive;
                head != expr && is_recursive && !self.overrides.contains_key(def)
            }
            _ => false,
        }
    }

    /// Follows an expression, and what its value is applied to, to where that is written.
    fn written(&self, expr: ExprId, keys: &[Value], want: Want, env: &Env, view: View<'_>) -> Result<Value> {
        level(|| self.written_here(expr, keys, want, env, view))
    }

    fn written_here(
        &self,
        expr: ExprId,
        keys: &[Value],
        want: Want,
        env: &Env,
        view: View<'_>,
    ) -> Result<Value> {
        let further = |function: ExprId, key: Value| {
            let keys: Vec<Value> = std::iter::once(key).chain(keys.iter().cloned()).collect();
            self.written(function, &keys, want, env, view)
        };
        match (&self.spec.exprs[expr].kind, keys) {
            (ExprKind::FnApply { function, arg }, _) => further(*function, self.eval(*arg, env, view)?),
            (ExprKind::Select { record, field }, _) => further(*record, Value::Str(Text::from(*field))),
            (ExprKind::FnLiteral { bounds, body }, [key, rest @ ..]) => {
                let domain = self.domain_of(bounds, env, view)?;
                let key = self.checked_argument(&domain, key.clone())?;
                self.written(*body, rest, want, &bind_argument(bounds, &key, env)?, view)
            }
            (ExprKind::Record(fields), [Value::Str(name), rest @ ..])
                if let Some((_, field)) = fields.iter().find(|it| Text::from(it.0) == *name) =>
            {
                self.written(*field, rest, want, env, view)
            }
            (ExprKind::Tuple(items), [Value::Int(n), rest @ ..])
                if let Some(item) = n.to_usize().and_then(|n| items.get(n.wrapping_sub(1))) =>
            {
                self.written(*item, rest, want, env, view)
            }
            (ExprKind::Except { function, updates }, [_, ..]) => {
                self.changed((*function, updates), keys, want, env, view)
            }
            (ExprKind::FnLiteral { bounds, .. }, []) if want == Want::Domain => {
                self.domain_of(bounds, env, view)
            }
            (ExprKind::Except { function, .. }, []) if want == Want::Domain => {
                self.written(*function, keys, want, env, view)
            }
            _ => match self.one_step_nearer(expr, env, view)? {
                Some((expr, env)) => self.written(expr, keys, want, &env, view),
                None => self.wanted(expr, keys, want, env, view),
            },
        }
    }

    /// Answers where nothing can be followed any further.
    fn wanted(&self, expr: ExprId, keys: &[Value], want: Want, env: &Env, view: View<'_>) -> Result<Value> {
        if keys.is_empty() && want == Want::Place {
            return Ok(Value::Bool(true));
        }
        let mut value = self.eval(expr, env, view)?;
        for key in keys {
            value = value.apply(key)?;
        }
        match want {
            Want::Domain => self.operate(Builtin::Domain, &[value]),
            Want::Value | Want::Place => Ok(value),
        }
    }

    /// A place of `[f EXCEPT ![a][b] = e, …]`. The last change counts.
    fn changed(
        &self,
        (function, updates): (ExprId, &[Update]),
        keys: &[Value],
        want: Want,
        env: &Env,
        view: View<'_>,
    ) -> Result<Value> {
        let Some((update, before)) = updates.split_last() else {
            return self.written(function, keys, want, env, view);
        };
        let before = (function, before);
        for (&step, key) in update.path.iter().zip(keys) {
            if !equal(&self.eval(step, env, view)?, key)? {
                return self.changed(before, keys, want, env, view);
            }
        }
        if keys.len() < update.path.len() {
            // Something inside of what is asked for, which has the same domain as before.
            let value = self.changed(before, keys, want, env, view)?;
            return match want {
                Want::Value => self.update(&value, &update.path[keys.len()..], update, env, view),
                Want::Domain | Want::Place => Ok(value),
            };
        }
        let (place, rest) = keys.split_at(update.path.len());
        let mut mentions_old = false;
        tla_sema::walk(self.spec, update.value, &mut |kind| {
            mentions_old |= matches!(kind, ExprKind::Local(it) if *it == update.at);
        });
        // Outside of the domain nothing changes: then there is no such place.
        let wanted = if mentions_old { Want::Value } else { Want::Place };
        let old = self.changed(before, place, wanted, env, view)?;
        let env = env.bind(update.at, Binding::Value(old));
        self.written(update.value, rest, want, &env, view)
    }

    /// What an expression that is no function literal stands for, and where that is written.
    fn one_step_nearer(&self, expr: ExprId, env: &Env, view: View<'_>) -> Result<Option<(ExprId, Env)>> {
        Ok(match &self.spec.exprs[expr].kind {
            ExprKind::If { test, then, other } => {
                let branch = if self.test(*test, env, view)? { then } else { other };
                Some((*branch, env.clone()))
            }
            ExprKind::Case { arms, other } => {
                for (guard, value) in arms {
                    if self.test(*guard, env, view)? {
                        return Ok(Some((*value, env.clone())));
                    }
                }
                other.map(|it| (it, env.clone()))
            }
            ExprKind::Let { defs, body } => Some((*body, env.lets(defs))),
            ExprKind::Label { body, .. } => Some((*body, env.clone())),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) if thunk.is_primed(view) == view.primed => {
                    Some((thunk.expr, thunk.env.clone()))
                }
                _ => None,
            },
            // What the library defines is computed in another way.
            ExprKind::Call {
                op: Operator::Def(def),
                ..
            } if self.spec.modules[self.spec.defs[*def].module].is_library => None,
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
}

/// What is asked of an expression that is followed to where it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Value,
    Domain,
    /// Only that there is such a place.
    Place,
}

/// Whether something has no value because it has no end: another error is one wherever the function is written.
fn is_endless(error: &Error) -> bool {
    matches!(error, Error::Undefined(why) if why == ENDLESS)
}
