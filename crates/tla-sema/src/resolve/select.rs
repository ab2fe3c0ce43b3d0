//! Parts of definitions (*TLA+2: A Preliminary Guide*, section 6): the selectors after a definition walk down its body.
//!
//! `!2` is an operand, `!<<` and `!>>` the first and second one, `!x` a label or a `LET` definition, `!(a, b)` gives values to
//! the bound names on the way, `!:` is the body as a whole, `!@` the body of a binder whose names stay bound: such a
//! part is an operator of these names.

use source::Span;
use tla_syntax::ast::{self, PathPart, Selector};
use util::{FxHashMap, Symbol};

use super::Resolver;
use super::expr::{Param, bound_names};
use super::path::Member;
use crate::diagnostics as errors;
use crate::instance::{self, children};
use crate::ir::*;

/// What a path leads to. With open names it is an operator.
pub(super) struct Part {
    pub expr: ExprId,
    pub open: Vec<LocalId>,
}

/// A part that has a value, or what it is that has none.
pub(super) enum Selected {
    Part(Part),
    Rule(&'static str),
}

/// The way down a definition's body.
pub(super) struct Walk {
    pub at: ExprId,
    /// Bound names that have no value yet.
    open: Vec<LocalId>,
    values: FxHashMap<LocalId, ExprId>,
    /// Definitions of each `LET` that was entered: they may use the names on the way.
    lets: Vec<DefId>,
}

/// What has a name inside of an expression.
pub(super) struct NamedPart {
    params: Vec<LocalId>,
    body: ExprId,
    /// Definitions that are known there.
    lets: Vec<DefId>,
}

/// Why a step could not be made.
pub(super) enum Stuck {
    /// There is no such part.
    Nothing(Span, String),
    /// Something else is wrong, and was reported.
    Reported,
}

pub(super) type Step<T> = Result<T, Stuck>;

pub(super) fn nothing<T>(part: &PathPart, why: &str) -> Step<T> {
    Err(Stuck::Nothing(part.span, why.to_string()))
}

impl Resolver<'_> {
    /// Walks from a definition to a part of its body that has a value. `None` after a report.
    pub(super) fn select(&mut self, member: Member, parts: &[PathPart], span: Span) -> Option<Part> {
        let entity = member.entity;
        let (name, place) = (member.name, member.span);
        match self.select_any(member, parts, span)? {
            Selected::Part(part) => Some(part),
            Selected::Rule(what) => {
                let defined = self.entity_span(entity);
                self.report(errors::not_a_formula(name, place, what, defined));
                None
            }
        }
    }

    /// Walks from a definition to a part of it, whether it has a value or can only be cited.
    pub(super) fn select_any(&mut self, member: Member, parts: &[PathPart], span: Span) -> Option<Selected> {
        let Entity::Def(def) = member.entity else {
            let next = &parts[member.used];
            self.report(errors::not_selectable(
                next.span,
                "only definitions have parts",
                None,
            ));
            return None;
        };
        let defined = self.spec.defs[def].span;
        match self.walk(def, member, parts) {
            Ok((_, Some(what))) => Some(Selected::Rule(what)),
            Ok((walk, None)) => Some(Selected::Part(self.finish(walk, span))),
            Err(Stuck::Reported) => None,
            Err(Stuck::Nothing(place, why)) => {
                self.report(errors::not_selectable(place, &why, Some(defined)));
                None
            }
        }
    }

    /// The walk to its end, and what is there if it is no formula.
    fn walk(&mut self, def: DefId, member: Member, parts: &[PathPart]) -> Step<(Walk, Option<&'static str>)> {
        let own = &parts[member.used - 1];
        let mut walk = Walk {
            at: self.spec.defs[def].body,
            open: vec![],
            values: FxHashMap::default(),
            lets: vec![],
        };
        let params = self.spec.defs[def].params.to_vec();
        let (taken, rest) = params.split_at(member.prefix.len().min(params.len()));
        walk.values.extend(taken.iter().copied().zip(member.prefix));
        match own.args.is_empty() {
            true => walk.open.extend(rest),
            false => self.fill(rest, &mut walk, &own.args, own.span, member.name)?,
        }
        let mut parts = parts[member.used..].iter();
        if let Some(clause) = self.rule(member.entity).map(|it| it.clause.clone())
            && let Some(what) = self.walk_clauses(&clause, &mut walk, &mut parts)?
        {
            return Ok((walk, Some(what)));
        }
        while let Some(part) = parts.next() {
            self.select_step(&mut walk, part, &mut parts)?;
        }
        Ok((walk, None))
    }

    /// Puts values for names. Names that stay open get a binder of their own.
    fn finish(&mut self, walk: Walk, span: Span) -> Part {
        let Walk {
            at,
            open,
            mut values,
            lets,
        } = walk;
        if values.is_empty() && open.is_empty() {
            return Part { expr: at, open };
        }
        // What a `LET` on the way defines goes along, with the same values for the names on the way.
        let defs = self.used(at, &lets);
        let at = match defs.is_empty() {
            true => at,
            false => self.alloc(ExprKind::Let { defs, body: at }, span),
        };
        let mut fresh = vec![];
        for local in open {
            let copy = self.spec.locals.alloc(self.spec.locals[local]);
            let value = self.alloc(ExprKind::Local(copy), span);
            values.insert(local, value);
            fresh.push(copy);
        }
        let expr = self.instances.replace_locals(&mut self.spec, at, values);
        Part { expr, open: fresh }
    }

    /// Those of some definitions that an expression needs, in their order.
    fn used(&self, expr: ExprId, lets: &[DefId]) -> Box<[DefId]> {
        let mut used: Vec<DefId> = vec![];
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            instance::walk(&self.spec, expr, &mut |kind| {
                if let ExprKind::Call {
                    op: Operator::Def(def),
                    ..
                }
                | ExprKind::OpRef(Operator::Def(def)) = kind
                    && lets.contains(def)
                    && !used.contains(def)
                {
                    used.push(*def);
                    todo.push(self.spec.defs[*def].body);
                }
            });
        }
        lets.iter().copied().filter(|it| used.contains(it)).collect()
    }

    /// Gives values to names.
    fn fill(
        &mut self,
        names: &[LocalId],
        walk: &mut Walk,
        args: &[ast::ExprId],
        span: Span,
        of: Symbol,
    ) -> Step<()> {
        if names.len() != args.len() {
            self.report(errors::selector_arity(of, span, names.len(), args.len()));
            return Err(Stuck::Reported);
        }
        for (&local, &arg) in names.iter().zip(args) {
            let Local {
                name, arity, span, ..
            } = self.spec.locals[local];
            let value = self.argument(arg, of, Param { name, arity, span });
            walk.values.insert(local, value);
        }
        Ok(())
    }

    /// One selector (two for an arm of `CASE`). Bound names of a binder that is entered become open.
    pub(super) fn select_step<'p>(
        &mut self,
        walk: &mut Walk,
        part: &PathPart,
        rest: &mut impl Iterator<Item = &'p PathPart>,
    ) -> Step<()> {
        if let Selector::Name(name) = part.selector {
            return self.named_part(walk, name, part);
        }
        if part.selector == Selector::Body {
            return Ok(());
        }
        // A label is transparent.
        while let ExprKind::Label { body, .. } = self.spec.exprs[walk.at].kind {
            walk.at = body;
        }
        let kind = self.spec.exprs[walk.at].kind.clone();
        if let ExprKind::Let { defs, .. } = &kind {
            walk.lets.extend(defs);
        }
        walk.at = match part.selector {
            Selector::Args | Selector::At => {
                let Some((names, body)) = binder_of(&kind) else {
                    return nothing(part, "no names are bound here");
                };
                match part.selector {
                    Selector::At => walk.open.extend(names),
                    _ => self.fill(&names, walk, &part.args, part.span, Symbol::new("!"))?,
                }
                body
            }
            Selector::First => self.operand(&kind, 1, part)?,
            Selector::Second => self.operand(&kind, 2, part)?,
            Selector::Index(n) => match &kind {
                ExprKind::Case { arms, other } => match rest.next() {
                    Some(next) => arm(arms, *other, n, part, next)?,
                    None => return nothing(part, "an arm of CASE is followed by `!1` or `!2`"),
                },
                _ => self.operand(&kind, n, part)?,
            },
            Selector::Name(_) | Selector::Body => walk.at,
        };
        Ok(())
    }

    /// The n-th operand, from 1: of a binder, its n-th set; of `r.f` the second is the string `"f"`.
    fn operand(&mut self, kind: &ExprKind, n: u32, part: &PathPart) -> Step<ExprId> {
        let mut operands = vec![];
        children(kind, &mut |it| operands.push(it));
        match kind {
            // What follows may mention `@`.
            ExprKind::Except { .. } => operands.truncate(1),
            ExprKind::Select { field, .. } => operands.push(self.alloc(ExprKind::Str(*field), part.span)),
            _ if binder_of(kind).is_some() => {
                operands.pop();
                // `x, y \in S` is one set.
                operands.dedup();
            }
            _ => {}
        }
        match (operands.get((n as usize).wrapping_sub(1)), operands.len()) {
            (Some(&picked), _) => Ok(picked),
            (None, 0) => nothing(part, "there are no operands here"),
            (None, 1) => nothing(part, "there is one operand here"),
            (None, n) => nothing(part, &format!("there are {n} operands here")),
        }
    }

    /// A label of what has been reached, or a definition of its `LET`.
    pub(super) fn named_part(&mut self, walk: &mut Walk, name: Symbol, part: &PathPart) -> Step<()> {
        let found = self
            .find_label(walk.at, name)
            .or_else(|| self.find_let(walk.at, name));
        let Some(NamedPart { params, body, lets }) = found else {
            return nothing(part, "no label or LET definition of this name");
        };
        match part.args.is_empty() {
            true => walk.open.extend(params),
            false => self.fill(&params, walk, &part.args, part.span, name)?,
        }
        walk.lets.extend(lets);
        walk.at = body;
        Ok(())
    }

    /// Labels inside of other labels belong to these.
    pub(super) fn find_label(&self, at: ExprId, name: Symbol) -> Option<NamedPart> {
        let mut todo: Vec<(ExprId, Vec<DefId>)> = vec![(at, vec![])];
        while let Some((id, mut lets)) = todo.pop() {
            let kind = &self.spec.exprs[id].kind;
            match kind {
                ExprKind::Label {
                    name: label,
                    params,
                    body,
                } if *label == name => {
                    return Some(NamedPart {
                        params: params.to_vec(),
                        body: *body,
                        lets,
                    });
                }
                ExprKind::Label { .. } if id != at => continue,
                ExprKind::Let { defs, .. } => lets.extend(defs),
                _ => {}
            }
            children(kind, &mut |it| todo.push((it, lets.clone())));
        }
        None
    }

    fn find_let(&self, mut at: ExprId, name: Symbol) -> Option<NamedPart> {
        loop {
            match &self.spec.exprs[at].kind {
                ExprKind::Label { body, .. } => at = *body,
                ExprKind::Let { defs, .. } => {
                    let def = defs
                        .iter()
                        .map(|&it| &self.spec.defs[it])
                        .find(|it| it.name == name)?;
                    return Some(NamedPart {
                        params: def.params.to_vec(),
                        body: def.body,
                        lets: defs.to_vec(),
                    });
                }
                _ => return None,
            }
        }
    }
}

/// `!n!1` is the guard of the n-th arm, `!n!2` its value.
fn arm(
    arms: &[(ExprId, ExprId)],
    other: Option<ExprId>,
    n: u32,
    part: &PathPart,
    next: &PathPart,
) -> Step<ExprId> {
    let is_guard = match next.selector {
        Selector::Index(1) | Selector::First => true,
        Selector::Index(2) | Selector::Second => false,
        _ => return nothing(next, "an arm of CASE has a guard, `!1`, and a value, `!2`"),
    };
    let index = (n as usize).wrapping_sub(1);
    match (arms.get(index), other) {
        (Some(&(guard, _)), _) if is_guard => Ok(guard),
        (Some(&(_, value)), _) => Ok(value),
        (None, Some(value)) if index == arms.len() && !is_guard => Ok(value),
        _ => nothing(
            part,
            &format!("there are {} arms here", arms.len() + other.iter().len()),
        ),
    }
}

/// The bound names of a binder, and what they are bound in.
fn binder_of(kind: &ExprKind) -> Option<(Vec<LocalId>, ExprId)> {
    Some(match kind {
        ExprKind::Quant { bounds, body, .. }
        | ExprKind::SetMap { bounds, body }
        | ExprKind::FnLiteral { bounds, body } => (bound_names(bounds), *body),
        ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
            (bound.pattern.locals().to_vec(), *body)
        }
        ExprKind::UnboundedQuant {
            locals: params, body, ..
        }
        | ExprKind::Lambda { params, body } => (params.to_vec(), *body),
        ExprKind::UnboundedChoose { pattern, body } => (pattern.locals().to_vec(), *body),
        _ => return None,
    })
}
