//! Which parts of an action made a step, and which part keeps it from having one.
//!
//! An action is conjuncts below branches. A step that is known, with all values before and after, goes through one branch of each
//! disjunction, `IF` and `\E`: the conjuncts on that way are what happened. In a state without a step, each way ends at a conjunct that is
//! false: those are what is waited for.

use tla_sema::ir::{Builtin, DefId, ExprId, ExprKind, Level, LocalId, Operator, Pattern, Quant};
use util::Symbol;

use crate::env::{Env, View};
use crate::fuel::{level, paid, spend};
use crate::{Error, Interpreter, Result, State, Value};

/// A conjunct of an action.
#[derive(Clone, Debug)]
pub struct Part {
    pub at: ExprId,
    /// The definitions on the way to it, outer ones first.
    pub inside: Vec<DefId>,
    /// The names that were bound on the way, with their values.
    pub names: Vec<(Symbol, Value)>,
    /// What it reads of the state, where it is false.
    pub reads: Vec<(Reading, Value)>,
}

/// A variable, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    pub variable: Symbol,
    /// Which part, as TLA+ text with the values of indices: `[1]`, `.f`.
    pub path: Vec<String>,
}

/// Where a walk through an action is.
#[derive(Clone, Default)]
struct Place {
    env: Env,
    inside: Vec<DefId>,
    names: Vec<(Symbol, Value)>,
}

impl<'s> Interpreter<'s> {
    /// The conjuncts that made a step of the action, in the order of the text. Of branches that make the same step, those of the first.
    pub fn made(&self, action: ExprId, before: &State, after: &State) -> Result<Vec<Part>> {
        let next: Vec<Option<Value>> = after.iter().cloned().map(Some).collect();
        let view = View {
            lenient: true,
            ..self.view(Some(before), Some(&next))
        };
        let mut parts = vec![];
        paid(self.made_by(action, &Place::default(), view, &mut parts))?;
        Ok(parts)
    }

    /// For each way through an action that has no step in the state, the conjunct that is false.
    pub fn blocked(&self, action: ExprId, state: &State) -> Result<Vec<Part>> {
        let view = self.view(Some(state), None);
        let mut parts = vec![];
        paid(self.is_open(action, &Place::default(), view, &mut parts))?;
        Ok(parts)
    }

    fn made_by(&self, id: ExprId, place: &Place, view: View<'_>, parts: &mut Vec<Part>) -> Result<()> {
        level(|| self.made_here(id, place, view, parts))
    }

    fn made_here(&self, id: ExprId, place: &Place, view: View<'_>, parts: &mut Vec<Part>) -> Result<()> {
        spend(1)?;
        let env = &place.env;
        match &self.spec.exprs[id].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => args
                .iter()
                .try_for_each(|&it| self.made_by(it, place, view, parts)),
            ExprKind::Builtin {
                op: Builtin::Or,
                args,
            } => {
                for &it in args {
                    // A branch without a value is not the one.
                    if self.test(it, env, view).unwrap_or(false) {
                        return self.made_by(it, place, view, parts);
                    }
                }
                Ok(())
            }
            &ExprKind::If { test, then, other } => {
                let branch = if self.test(test, env, view)? { then } else { other };
                self.made_by(branch, place, view, parts)
            }
            ExprKind::Quant {
                kind: Quant::Exists,
                bounds,
                body,
            } => {
                let locals = bounds.iter().flat_map(|it| locals(&it.pattern));
                let locals: Vec<LocalId> = locals.collect();
                let mut found = None;
                self.each(bounds, env, view, &mut |env| {
                    let is_it = self.test(*body, env, view).unwrap_or(false);
                    if is_it {
                        found = Some(env.clone());
                    }
                    Ok(is_it)
                })?;
                match found {
                    Some(env) => self.made_by(*body, &self.bound(place, env, &locals, view)?, view, parts),
                    None => Ok(()),
                }
            }
            ExprKind::Let { defs, body } => {
                let inner = Place {
                    env: env.lets(defs),
                    ..place.clone()
                };
                self.made_by(*body, &inner, view, parts)
            }
            ExprKind::Label { body, .. } => self.made_by(*body, place, view, parts),
            ExprKind::Call { op, args } if self.is_action(id) => {
                match self.entered(*op, args, place, view)? {
                    Some((body, inner)) => self.made_by(body, &inner, view, parts),
                    None => Ok(()),
                }
            }
            _ => {
                parts.push(place.part(id));
                Ok(())
            }
        }
    }

    /// Whether nothing is false before a next value is asked for.
    fn is_open(&self, id: ExprId, place: &Place, view: View<'_>, parts: &mut Vec<Part>) -> Result<bool> {
        level(|| self.is_open_here(id, place, view, parts))
    }

    fn is_open_here(&self, id: ExprId, place: &Place, view: View<'_>, parts: &mut Vec<Part>) -> Result<bool> {
        spend(1)?;
        let env = &place.env;
        match &self.spec.exprs[id].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => {
                for &it in args {
                    if !self.is_open(it, place, view, parts)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            // A disjunction of states is one condition; one of actions is a choice.
            ExprKind::Builtin {
                op: Builtin::Or,
                args,
            } if !self.level_is_state(id) => {
                let mut any = false;
                for &it in args {
                    any |= self.is_open(it, place, view, parts)?;
                }
                Ok(any)
            }
            &ExprKind::If { test, then, other } if self.level_is_state(test) => {
                let branch = if self.test(test, env, view)? { then } else { other };
                self.is_open(branch, place, view, parts)
            }
            ExprKind::Quant {
                kind: Quant::Exists,
                bounds,
                body,
            } if self.is_action(id) => {
                let locals = bounds.iter().flat_map(|it| locals(&it.pattern));
                let locals: Vec<LocalId> = locals.collect();
                let (mut any, mut is_empty) = (false, true);
                self.each(bounds, env, view, &mut |env| {
                    is_empty = false;
                    let inner = self.bound(place, env.clone(), &locals, view)?;
                    any |= self.is_open(*body, &inner, view, parts)?;
                    Ok(false)
                })?;
                if is_empty {
                    parts.push(place.part(id));
                }
                Ok(any)
            }
            ExprKind::Let { defs, body } => {
                let inner = Place {
                    env: env.lets(defs),
                    ..place.clone()
                };
                self.is_open(*body, &inner, view, parts)
            }
            ExprKind::Label { body, .. } => self.is_open(*body, place, view, parts),
            ExprKind::Call { op, args } if self.is_action(id) => {
                match self.entered(*op, args, place, view)? {
                    Some((body, inner)) => self.is_open(body, &inner, view, parts),
                    None => Ok(true),
                }
            }
            _ if !self.level_is_state(id) => Ok(true),
            _ => {
                let is_open = match self.test(id, env, view) {
                    // An assertion that fails is false.
                    Err(Error::Assertion(_)) => false,
                    other => other?,
                };
                if !is_open {
                    let mut part = place.part(id);
                    self.read(id, env, view, &mut part.reads);
                    parts.push(part);
                }
                Ok(is_open)
            }
        }
    }

    fn is_action(&self, id: ExprId) -> bool {
        self.levels.borrow_mut().of(id) == Level::Action
    }

    fn level_is_state(&self, id: ExprId) -> bool {
        self.levels.borrow_mut().of(id) <= Level::State
    }

    /// The body of what is called, and where it stands.
    fn entered(
        &self,
        op: Operator,
        args: &[ExprId],
        place: &Place,
        view: View<'_>,
    ) -> Result<Option<(ExprId, Place)>> {
        let closure = self.closure(op, &place.env)?;
        let bindings = args
            .iter()
            .map(|&it| self.argument(it, &place.env, view))
            .collect::<Result<Vec<_>>>()?;
        let Some((body, env)) = self.unfold(&closure, bindings) else {
            return Ok(None);
        };
        let Operator::Def(def) = op else {
            return Ok(Some((body, Place { env, ..place.clone() })));
        };
        let mut inner = self.bound(place, env, &self.spec.defs[def].params, view)?;
        inner.inside.push(def);
        Ok(Some((body, inner)))
    }

    /// The same place with these names bound. What is no value is not told.
    fn bound(&self, place: &Place, env: Env, locals: &[LocalId], view: View<'_>) -> Result<Place> {
        let mut names = place.names.clone();
        for &local in locals {
            let value = env.find(local).map(|it| self.force(it, view));
            if let Some(Ok(value)) = value {
                let name = self.spec.locals[local].name;
                names.retain(|it| it.0 != name);
                names.push((name, value));
            }
        }
        Ok(Place {
            env,
            inside: place.inside.clone(),
            names,
        })
    }

    /// What an expression reads of the state, outside of what binds names.
    fn read(&self, id: ExprId, env: &Env, view: View<'_>, reads: &mut Vec<(Reading, Value)>) {
        if let Some(reading) = self.reading(id, env, view) {
            if let Ok(value) = self.eval(id, env, view)
                && !reads.iter().any(|it| it.0 == reading)
            {
                reads.push((reading, value));
            }
            return;
        }
        let mut all = |items: &[ExprId]| items.iter().for_each(|&it| self.read(it, env, view, reads));
        match &self.spec.exprs[id].kind {
            ExprKind::Call { op, args } => {
                args.iter().for_each(|&it| self.read(it, env, view, reads));
                // What a definition reads is what its name stands for.
                let place = Place {
                    env: env.clone(),
                    ..Place::default()
                };
                let is_plain = match op {
                    Operator::Def(def) => !self.spec.defs[*def].recursive,
                    Operator::Decl(_) | Operator::Local(_) => false,
                };
                if is_plain && let Ok(Some((body, inner))) = self.entered(*op, args, &place, view) {
                    util::deep(|| self.read(body, &inner.env, view, reads));
                }
            }
            ExprKind::Builtin { args, .. } => all(args),
            ExprKind::SetEnum(items) | ExprKind::Tuple(items) | ExprKind::Times(items) => all(items),
            &ExprKind::FnApply { function, arg } => all(&[function, arg]),
            &ExprKind::Select { record, .. } => all(&[record]),
            &ExprKind::If { test, then, other } => all(&[test, then, other]),
            ExprKind::Quant { bounds, .. } => bounds.iter().for_each(|it| all(&[it.set])),
            _ => {}
        }
    }

    fn reading(&self, id: ExprId, env: &Env, view: View<'_>) -> Option<Reading> {
        match &self.spec.exprs[id].kind {
            ExprKind::Decl(decl) if self.variables.contains_key(decl) => Some(Reading {
                variable: self.spec.decls[*decl].name,
                path: vec![],
            }),
            &ExprKind::FnApply { function, arg } => {
                let mut reading = self.reading(function, env, view)?;
                reading
                    .path
                    .push(format!("[{}]", self.eval(arg, env, view).ok()?));
                Some(reading)
            }
            &ExprKind::Select { record, field } => {
                let mut reading = self.reading(record, env, view)?;
                reading.path.push(format!(".{field}"));
                Some(reading)
            }
            _ => None,
        }
    }
}

impl Place {
    fn part(&self, at: ExprId) -> Part {
        Part {
            at,
            inside: self.inside.clone(),
            names: self.names.clone(),
            reads: vec![],
        }
    }
}

fn locals(pattern: &Pattern) -> Vec<LocalId> {
    match pattern {
        Pattern::One(local) => vec![*local],
        Pattern::Tuple(locals) => locals.to_vec(),
    }
}
