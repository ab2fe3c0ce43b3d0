//! Temporal formulas over one behaviour: a prefix and a loop, unfolded.
//!
//! A formula has a truth value at each moment of the behaviour; those in the loop are the same every time round. So the truth of
//! `[]F` is that of `F` from here to the end and all through the loop, and so on: the definitions of *Specifying Systems*,
//! section 16.2.4, with no automaton and no graph. Fairness is taken literally: `WF` is `[]<>~ENABLED <<A>>_v \/ []<><<A>>_v`.
//!
//! What it does not do: `\EE`, `-+->`, and `ENABLED` in a module that is instantiated with other things than variables.

use tla_sema::ir::*;
use util::FxHashSet;

use crate::env::{Binding, Env, View};
use crate::fuel::{level, paid, spend};
use crate::problem::Closed;
use crate::temporal::Kind;
use crate::{Error, Interpreter, Result, State, Value};

/// A behaviour that goes from its last state back to an earlier one, or stays in it.
#[derive(Clone, Copy, Debug)]
pub struct Lasso<'a> {
    pub states: &'a [State],
    /// The state after the last one.
    pub loop_start: usize,
    /// How far each state is from an initial one; empty where nobody knows.
    pub levels: &'a [u32],
}

impl Lasso<'_> {
    fn next(&self, moment: usize) -> usize {
        if moment + 1 < self.states.len() {
            moment + 1
        } else {
            self.loop_start
        }
    }

    /// A state as a formula sees it that is evaluated there.
    fn view<'v>(&'v self, moment: usize, interpreter: &Interpreter<'_>) -> View<'v> {
        View {
            level: self.levels.get(moment).copied().unwrap_or_default(),
            ..interpreter.view(Some(&self.states[moment]), None)
        }
    }

    /// From each moment on: whether all (or, not `all`, some) moments have it.
    fn later(&self, truth: &[bool], all: bool) -> Vec<bool> {
        let mut value = match all {
            true => !truth[self.loop_start..].contains(&false),
            false => truth[self.loop_start..].contains(&true),
        };
        let mut result = vec![value; truth.len()];
        for moment in (0..self.loop_start).rev() {
            value = if all {
                value && truth[moment]
            } else {
                value || truth[moment]
            };
            result[moment] = value;
        }
        result
    }
}

/// Where a formula stands.
#[derive(Clone)]
struct Here {
    env: Env,
    /// In a module whose variables are something else in the states.
    is_abstract: bool,
}

impl Interpreter<'_> {
    /// Whether a temporal formula is true of a behaviour.
    pub fn satisfies(&self, formula: ExprId, lasso: Lasso<'_>) -> Result<bool> {
        self.satisfies_closed(&formula.into(), lasso)
    }

    pub(crate) fn satisfies_closed(&self, formula: &Closed, lasso: Lasso<'_>) -> Result<bool> {
        let here = Here {
            env: formula.env.clone(),
            is_abstract: false,
        };
        let truth = paid(self.moments(formula.expr, &here, lasso))?;
        truth
            .first()
            .copied()
            .ok_or_else(|| Error::Undefined("a behaviour without states".to_owned()))
    }

    fn moments(&self, id: ExprId, here: &Here, lasso: Lasso<'_>) -> Result<Vec<bool>> {
        spend(lasso.states.len())?;
        level(|| self.moments_here(id, here, lasso))
    }

    fn moments_here(&self, id: ExprId, here: &Here, lasso: Lasso<'_>) -> Result<Vec<bool>> {
        if !self.is_temporal(id, &here.env)? {
            return self.predicate(id, here, lasso);
        }
        let inside = |id: ExprId, env: Env| {
            let here = Here { env, ..*here };
            self.moments(id, &here, lasso)
        };
        match &self.spec.exprs[id].kind {
            ExprKind::Builtin { op, args } => self.temporal_builtin(*op, args, here, lasso),
            ExprKind::BoxAction { action, subscript } => self.steps(here, lasso, |env, view| {
                self.is_marked_step(Kind::Box(*subscript), *action, env, view)
            }),
            ExprKind::AngleAction { action, subscript } => self.taken(*action, *subscript, here, lasso),
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            } => self.fairness(*kind, *action, *subscript, here, lasso),
            ExprKind::Quant {
                kind: kind @ (Quant::Forall | Quant::Exists),
                bounds,
                body,
            } => {
                let mut envs = vec![];
                let view = self.view(lasso.states.first().map(Vec::as_slice), None);
                self.each(bounds, &here.env, view, &mut |env| {
                    envs.push(env.clone());
                    Ok(false)
                })?;
                let all = *kind == Quant::Forall;
                let mut truth = vec![all; lasso.states.len()];
                for env in envs {
                    combine(&mut truth, &inside(*body, env)?, all);
                }
                Ok(truth)
            }
            ExprKind::If { test, then, other } => {
                let test = inside(*test, here.env.clone())?;
                let (then, other) = (
                    inside(*then, here.env.clone())?,
                    inside(*other, here.env.clone())?,
                );
                let choose = |i: usize| if test[i] { then[i] } else { other[i] };
                Ok((0..test.len()).map(choose).collect())
            }
            ExprKind::Let { defs, body } => inside(*body, here.env.lets(defs)),
            ExprKind::Label { body, .. } => inside(*body, here.env.clone()),
            ExprKind::Local(local) => match here.env.find(*local) {
                Some(Binding::Thunk(thunk)) => inside(thunk.expr, thunk.env.clone()),
                _ => refused("a name that is no formula"),
            },
            ExprKind::Call { op, args } => self.called(*op, args, here, lasso),
            _ => refused("this is no formula about behaviours"),
        }
    }

    fn called(&self, op: Operator, args: &[ExprId], here: &Here, lasso: Lasso<'_>) -> Result<Vec<bool>> {
        let closure = self.closure(op, &here.env)?;
        let view = self.view(None, None);
        let bindings = args
            .iter()
            .map(|&it| self.argument(it, &here.env, view))
            .collect::<Result<Vec<_>>>()?;
        let Some((body, env)) = self.unfold(&closure, bindings) else {
            return refused("an operator without a body");
        };
        let is_abstract = match op {
            Operator::Def(def) => self.is_abstract(def),
            _ => false,
        };
        let here = Here {
            env,
            is_abstract: here.is_abstract || is_abstract,
        };
        self.moments(body, &here, lasso)
    }

    /// Whether a definition is one of an instantiated module whose variables are something else in the states. That module may have it
    /// from another one.
    pub(crate) fn is_abstract(&self, mut def: DefId) -> bool {
        while let Some((original, instance)) = self.spec.defs[def].origin {
            if !self.renames(instance) {
                return true;
            }
            def = original;
        }
        false
    }

    /// Whether an instance puts nothing but variables for variables, a different one for each.
    fn renames(&self, instance: InstanceId) -> bool {
        let spec = self.spec;
        let mut put: FxHashSet<DeclId> = FxHashSet::default();
        let mut is_new = |it: ExprId| matches!(spec.exprs[it].kind, ExprKind::Decl(it) if spec.decls[it].kind == DeclKind::Variable && put.insert(it));
        let decls = spec.modules[spec.instances[instance].module].decls.iter();
        decls
            .filter(|it| spec.decls[**it].kind == DeclKind::Variable)
            .filter_map(|it| spec.instances[instance].substitution.get(it))
            .all(|&it| is_new(it))
    }

    fn temporal_builtin(
        &self,
        op: Builtin,
        args: &[ExprId],
        here: &Here,
        lasso: Lasso<'_>,
    ) -> Result<Vec<bool>> {
        let parts = args
            .iter()
            .map(|&it| self.moments(it, here, lasso))
            .collect::<Result<Vec<_>>>()?;
        let both = |of: &dyn Fn(bool, bool) -> bool| -> Vec<bool> {
            parts[0].iter().zip(&parts[1]).map(|(&a, &b)| of(a, b)).collect()
        };
        Ok(match op {
            Builtin::And | Builtin::Or => {
                let all = op == Builtin::And;
                let mut truth = vec![all; lasso.states.len()];
                parts.iter().for_each(|it| combine(&mut truth, it, all));
                truth
            }
            Builtin::Not => parts[0].iter().map(|it| !it).collect(),
            Builtin::Implies => both(&|a, b| !a || b),
            Builtin::Equiv | Builtin::Eq => both(&|a, b| a == b),
            Builtin::Neq => both(&|a, b| a != b),
            Builtin::Always => lasso.later(&parts[0], true),
            Builtin::Eventually => lasso.later(&parts[0], false),
            Builtin::LeadsTo => {
                let goal = lasso.later(&parts[1], false);
                let reached: Vec<bool> = parts[0].iter().zip(&goal).map(|(&a, &b)| !a || b).collect();
                lasso.later(&reached, true)
            }
            _ => return refused("this is no formula about behaviours"),
        })
    }

    fn predicate(&self, id: ExprId, here: &Here, lasso: Lasso<'_>) -> Result<Vec<bool>> {
        if here.is_abstract && self.asks_enabled(id) {
            return refused("`ENABLED` in an instantiated module");
        }
        (0..lasso.states.len())
            .map(|it| self.test(id, &here.env, lasso.view(it, self)))
            .collect()
    }

    fn steps(
        &self,
        here: &Here,
        lasso: Lasso<'_>,
        test: impl Fn(&Env, View<'_>) -> Result<bool>,
    ) -> Result<Vec<bool>> {
        let mut truth = vec![];
        for i in 0..lasso.states.len() {
            let next: Vec<Option<Value>> = lasso.states[lasso.next(i)].iter().cloned().map(Some).collect();
            let from = lasso.view(i, self);
            let view = View {
                lenient: true,
                level: from.level,
                ..self.view(from.state, Some(&next))
            };
            truth.push(test(&here.env, view)?);
        }
        Ok(truth)
    }

    fn taken(&self, action: ExprId, subscript: ExprId, here: &Here, lasso: Lasso<'_>) -> Result<Vec<bool>> {
        self.steps(here, lasso, |env, view| {
            self.is_marked_step(Kind::Angle(subscript), action, env, view)
        })
    }

    fn fairness(
        &self,
        kind: Fairness,
        action: ExprId,
        subscript: ExprId,
        here: &Here,
        lasso: Lasso<'_>,
    ) -> Result<Vec<bool>> {
        let is_taken = self.taken(action, subscript, here, lasso)?[lasso.loop_start..].contains(&true);
        if is_taken {
            return Ok(vec![true; lasso.states.len()]);
        }
        if here.is_abstract {
            return refused("`ENABLED` in an instantiated module");
        }
        let mut enabled = vec![];
        for moment in lasso.loop_start..lasso.states.len() {
            let view = lasso.view(moment, self);
            enabled.push(self.enabled_to_change(action, subscript, &here.env, view)?);
        }
        let is_fair = match kind {
            Fairness::Weak => enabled.contains(&false),
            Fairness::Strong => !enabled.contains(&true),
        };
        Ok(vec![is_fair; lasso.states.len()])
    }

    /// Whether an expression is more than a predicate of states, with what its names stand for.
    fn is_temporal(&self, id: ExprId, env: &Env) -> Result<bool> {
        spend(1)?;
        if self.levels.borrow_mut().of(id) > Level::State {
            return Ok(true);
        }
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let kind = &self.spec.exprs[id].kind;
            match kind {
                ExprKind::Local(local) => {
                    if let Some(Binding::Thunk(thunk)) = env.find(*local)
                        && level(|| self.is_temporal(thunk.expr, &thunk.env))?
                    {
                        return Ok(true);
                    }
                }
                _ => tla_sema::children(kind, &mut |it| todo.push(it)),
            }
        }
        Ok(false)
    }

    fn asks_enabled(&self, id: ExprId) -> bool {
        let mut found = false;
        let mut todo = vec![id];
        let mut seen: FxHashSet<DefId> = FxHashSet::default();
        while let Some(id) = todo.pop() {
            tla_sema::walk(self.spec, id, &mut |kind| match kind {
                ExprKind::Builtin {
                    op: Builtin::Enabled | Builtin::Compose,
                    ..
                } => found = true,
                ExprKind::Call {
                    op: Operator::Def(def),
                    ..
                } if seen.insert(*def) => todo.push(self.spec.defs[*def].body),
                _ => {}
            });
        }
        found
    }
}

fn refused<T>(why: &str) -> Result<T> {
    Err(Error::Undefined(why.to_owned()))
}

/// Moment by moment: `/\` for all, `\/` otherwise.
fn combine(truth: &mut [bool], other: &[bool], all: bool) {
    for (it, &other) in truth.iter_mut().zip(other) {
        *it = if all { *it && other } else { *it || other };
    }
}
