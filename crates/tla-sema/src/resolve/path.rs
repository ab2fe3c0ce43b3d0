//! Names with `!`: members of instances, and parts of definitions (*TLA+2: A Preliminary Guide*, section 6).
//!
//! The head is a name; while it is an instance, the next part names one of its members. After a definition, the
//! parts walk down its body: `!2` an operand, `!<<` and `!>>` the first and second one, `!x` a label or a `LET`
//! definition, `!(a, b)` gives values to the bound names on the way, `!:` the body of a definition as a whole, `!@` the
//! body of a binder whose names stay bound: such a part is an operator of these names.

use source::Span;
use tla_syntax::ast::{self, PathPart, Selector};
use util::{FxHashMap, Symbol};

use super::Resolver;
use super::expr::bound_names;
use crate::diagnostics as errors;
use crate::instance::children;
use crate::ir::*;

/// What a chain of instances leads to.
struct Member {
    entity: Entity,
    name: Symbol,
    span: Span,
    /// Arguments of the instances on the way.
    prefix: Vec<ExprId>,
    /// How many parts of the path are used up, the member's own included.
    used: usize,
}

/// What a path is followed for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Value,
    /// To name it in `BY` or `USE`: an instance needs no arguments there.
    Cite,
}

impl Resolver<'_> {
    pub(super) fn path(&mut self, parts: &[PathPart], span: Span) -> ExprId {
        let Some(member) = self.member(parts, Purpose::Value) else {
            return self.hole(span);
        };
        let own = &parts[member.used - 1];
        if member.used == parts.len() {
            return self.apply(
                member.entity,
                member.name,
                member.span,
                member.prefix,
                &own.args,
                span,
            );
        }
        let Some(part) = self.select(member, parts, span) else {
            return self.hole(span);
        };
        if !part.open.is_empty() {
            let names: Vec<Symbol> = part.open.iter().map(|&it| self.spec.locals[it].name).collect();
            self.report(errors::unbound_selection(span, &names));
            return self.hole(span);
        }
        part.expr
    }

    /// A path that is cited as a fact. Clauses of an `ASSUME … PROVE` are not followed.
    pub(super) fn path_fact(&mut self, parts: &[PathPart], span: Span) -> Option<Entity> {
        let member = self.member(parts, Purpose::Cite)?;
        let entity = member.entity;
        if member.used == parts.len() || self.rule(entity).is_some() {
            for part in &parts[member.used - 1..] {
                part.args.iter().for_each(|&it| self.expr_or_operator(it));
            }
        } else {
            self.select(member, parts, span)?;
        }
        Some(entity)
    }

    /// A path as an operator argument.
    pub(super) fn path_operator(
        &mut self,
        parts: &[PathPart],
        span: Span,
    ) -> Option<(ExprId, Option<usize>)> {
        let Some(member) = self.member(parts, Purpose::Value) else {
            return Some((self.hole(span), None));
        };
        if member.used < parts.len() {
            let Some(part) = self.select(member, parts, span) else {
                return Some((self.hole(span), None));
            };
            if part.open.is_empty() {
                return None;
            }
            let arity = part.open.len();
            let kind = ExprKind::Lambda {
                params: part.open.into(),
                body: part.expr,
            };
            return Some((self.alloc(kind, span), Some(arity)));
        }
        if !parts[member.used - 1].args.is_empty() {
            return None;
        }
        let (op, params) = self.operator_of(member.entity)?;
        let open = params.len() - member.prefix.len().min(params.len());
        if open == 0 {
            return None;
        }
        if member.prefix.is_empty() {
            return Some((self.alloc(ExprKind::OpRef(op), span), Some(open)));
        }
        let mut locals = vec![];
        for param in &params[member.prefix.len()..] {
            locals.push(self.new_local(
                ast::Ident {
                    name: param.name,
                    span: param.span,
                },
                0,
                Level::Constant,
            ));
        }
        let mut args = member.prefix;
        for &local in &locals {
            args.push(self.alloc(ExprKind::Local(local), span));
        }
        let body = self.alloc(
            ExprKind::Call {
                op,
                args: args.into(),
            },
            span,
        );
        Some((
            self.alloc(
                ExprKind::Lambda {
                    params: locals.into(),
                    body,
                },
                span,
            ),
            Some(open),
        ))
    }

    /// Follows instances as far as they go.
    fn member(&mut self, parts: &[PathPart], purpose: Purpose) -> Option<Member> {
        let Some(PathPart {
            selector: Selector::Name(name),
            span,
            ..
        }) = parts.first()
        else {
            return None;
        };
        let Some(mut entity) = self.ctx.scope.get(*name) else {
            self.unbound(ast::Ident {
                name: *name,
                span: *span,
            });
            for part in parts {
                part.args.iter().for_each(|&it| self.expr_or_operator(it));
            }
            return None;
        };
        let mut prefix = vec![];
        let mut chain: Vec<InstanceId> = vec![];
        let mut full_name = name.as_str().to_string();
        let mut last = (*name, *span);
        let mut used = 1;
        while let Entity::Instance(instance) = entity {
            let part = &parts[used - 1];
            if purpose == Purpose::Value || !part.args.is_empty() {
                self.instance_arguments(instance, last.0, part, &mut prefix)?;
            }
            let Some(next) = parts.get(used) else {
                if purpose == Purpose::Cite {
                    break;
                }
                let declared = self.spec.instances[instance].span;
                self.report(errors::not_a_value(last.0, last.1, "instance", declared));
                return None;
            };
            let Selector::Name(member) = next.selector else {
                self.report(errors::not_selectable(
                    next.span,
                    "an instance has named members only",
                ));
                return None;
            };
            chain.push(instance);
            let module = self.spec.instances[instance].module;
            let binding = self.spec.modules[module]
                .scope
                .get(&member)
                .copied()
                .filter(|it| !it.local);
            let Some(binding) = binding else {
                let exported = self.exported(module);
                let mut names: Vec<&str> = exported.iter().map(|(name, _)| name.as_str()).collect();
                names.sort_unstable();
                let module = self.spec.modules[module].name;
                self.report(errors::unknown_member(member, next.span, module, &names));
                return None;
            };
            full_name = format!("{full_name}!{member}");
            entity = match binding.entity {
                Entity::Def(def) => Entity::Def(self.through(def, &chain, &full_name)),
                Entity::Decl(decl) => {
                    let Decl {
                        kind, span: declared, ..
                    } = self.spec.decls[decl];
                    let module = self.spec.modules[module].name;
                    self.report(errors::declared_member(member, next.span, module, kind, declared));
                    return None;
                }
                other => other,
            };
            last = (member, next.span);
            used += 1;
        }
        Some(Member {
            entity,
            name: last.0,
            span: last.1,
            prefix,
            used,
        })
    }

    fn instance_arguments(
        &mut self,
        instance: InstanceId,
        name: Symbol,
        part: &PathPart,
        prefix: &mut Vec<ExprId>,
    ) -> Option<()> {
        let params: Vec<Local> = self.spec.instances[instance]
            .params
            .iter()
            .map(|&it| self.spec.locals[it])
            .collect();
        if params.len() != part.args.len() {
            let declared = self.spec.instances[instance].span;
            self.report(errors::wrong_arity(
                name,
                part.span,
                declared,
                params.len(),
                part.args.len(),
            ));
            return None;
        }
        for (param, &arg) in params.iter().zip(&part.args) {
            let value = self.argument(arg, param.arity, name, param.name, param.span);
            prefix.push(value);
        }
        Some(())
    }

    /// The copy of `def` that a chain of instances leads to, innermost applied first.
    fn through(&mut self, def: DefId, chain: &[InstanceId], name: &str) -> DefId {
        let name = Symbol::new(name);
        chain.iter().rev().fold(def, |def, &it| {
            self.instances.instantiate(&mut self.spec, def, it, name)
        })
    }

    /// Walks from a definition to a part of its body. `None` after a report.
    fn select(&mut self, member: Member, parts: &[PathPart], span: Span) -> Option<Part> {
        let own = &parts[member.used - 1];
        let Entity::Def(def) = member.entity else {
            let next = &parts[member.used];
            self.report(errors::not_selectable(next.span, "only definitions have parts"));
            return None;
        };
        if let Some(what) = self.rule(member.entity) {
            let declared = self.spec.defs[def].span;
            self.report(errors::not_a_formula(member.name, member.span, what, declared));
            return None;
        }
        let mut walk = Walk {
            at: self.spec.defs[def].body,
            open: vec![],
            values: FxHashMap::default(),
        };
        let params = self.spec.defs[def].params.to_vec();
        let (taken, rest) = params.split_at(member.prefix.len().min(params.len()));
        walk.values.extend(taken.iter().copied().zip(member.prefix));
        match own.args.is_empty() {
            true => walk.open.extend(rest),
            false => self.fill(rest, &mut walk, &own.args, own.span, member.name)?,
        }
        let mut parts = parts[member.used..].iter();
        while let Some(part) = parts.next() {
            self.select_step(&mut walk, part, &mut parts)?;
        }
        let Walk { at, open, mut values } = walk;
        if values.is_empty() && open.is_empty() {
            return Some(Part { expr: at, open });
        }
        // Names that stay open get a binder of their own.
        let mut fresh = vec![];
        for local in open {
            let copy = self.spec.locals.alloc(self.spec.locals[local]);
            let value = self.alloc(ExprKind::Local(copy), span);
            values.insert(local, value);
            fresh.push(copy);
        }
        let expr = self.instances.replace_locals(&mut self.spec, at, values);
        Some(Part { expr, open: fresh })
    }

    /// Gives values to names.
    fn fill(
        &mut self,
        names: &[LocalId],
        walk: &mut Walk,
        args: &[ast::ExprId],
        span: Span,
        of: Symbol,
    ) -> Option<()> {
        if names.len() != args.len() {
            self.report(errors::selector_arity(of, span, names.len(), args.len()));
            return None;
        }
        for (&local, &arg) in names.iter().zip(args) {
            let Local {
                arity,
                name: param,
                span,
                ..
            } = self.spec.locals[local];
            let value = self.argument(arg, arity, of, param, span);
            walk.values.insert(local, value);
        }
        Some(())
    }

    /// One selector (two for an arm of `CASE`). Bound names of a binder that is entered become open.
    fn select_step<'p>(
        &mut self,
        walk: &mut Walk,
        part: &PathPart,
        rest: &mut impl Iterator<Item = &'p PathPart>,
    ) -> Option<()> {
        if let Selector::Name(name) = part.selector {
            return self.named_part(walk, name, part);
        }
        if part.selector == Selector::Body {
            return Some(());
        }
        // A label is transparent.
        while let ExprKind::Label { body, .. } = self.spec.exprs[walk.at].kind {
            walk.at = body;
        }
        let kind = self.spec.exprs[walk.at].kind.clone();
        walk.at = match part.selector {
            Selector::Args | Selector::At => {
                let Some((names, body)) = binder_of(&kind) else {
                    self.report(errors::not_selectable(part.span, "no names are bound here"));
                    return None;
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
                ExprKind::Case { arms, other } => {
                    let Some(next) = rest.next() else {
                        self.report(errors::not_selectable(
                            part.span,
                            "an arm of CASE is followed by `!1` or `!2`",
                        ));
                        return None;
                    };
                    self.arm(arms, *other, (n, part), next)?
                }
                _ => self.operand(&kind, n, part)?,
            },
            Selector::Name(_) | Selector::Body => walk.at,
        };
        Some(())
    }

    /// `!n!1` is the guard of the n-th arm, `!n!2` its value.
    fn arm(
        &mut self,
        arms: &[(ExprId, ExprId)],
        other: Option<ExprId>,
        (n, part): (u32, &PathPart),
        next: &PathPart,
    ) -> Option<ExprId> {
        let side = match next.selector {
            Selector::Index(1) | Selector::First => 1,
            Selector::Index(2) | Selector::Second => 2,
            _ => {
                self.report(errors::not_selectable(
                    next.span,
                    "an arm of CASE has a guard, `!1`, and a value, `!2`",
                ));
                return None;
            }
        };
        let index = (n as usize).wrapping_sub(1);
        let picked = match (arms.get(index), other) {
            (Some(&(guard, value)), _) => Some(if side == 1 { guard } else { value }),
            (None, Some(value)) if index == arms.len() && side == 2 => Some(value),
            _ => None,
        };
        if picked.is_none() {
            let why = format!("there are {} arms here", arms.len() + other.iter().len());
            self.report(errors::not_selectable(part.span, &why));
        }
        picked
    }

    /// The n-th operand, from 1: of a binder, its n-th set.
    fn operand(&mut self, kind: &ExprKind, n: u32, part: &PathPart) -> Option<ExprId> {
        let mut operands = vec![];
        children(kind, &mut |it| operands.push(it));
        match kind {
            ExprKind::Except { .. } => operands.truncate(1),
            _ if binder_of(kind).is_some() => {
                operands.pop();
                // `x, y \in S` is one set.
                operands.dedup();
            }
            _ => {}
        }
        let picked = operands.get((n as usize).wrapping_sub(1)).copied();
        if picked.is_none() {
            let why = match operands.len() {
                0 => "there are no operands here".to_string(),
                1 => "there is one operand here".to_string(),
                n => format!("there are {n} operands here"),
            };
            self.report(errors::not_selectable(part.span, &why));
        }
        picked
    }

    /// A label of what has been reached, or a definition of its `LET`.
    fn named_part(&mut self, walk: &mut Walk, name: Symbol, part: &PathPart) -> Option<()> {
        let found = self
            .find_label(walk.at, name)
            .or_else(|| self.find_let(walk.at, name));
        let Some((names, body)) = found else {
            self.report(errors::not_selectable(
                part.span,
                "no label or LET definition of this name",
            ));
            return None;
        };
        self.fill(&names, walk, &part.args, part.span, name)?;
        walk.at = body;
        Some(())
    }

    /// Labels inside of other labels belong to these.
    fn find_label(&self, at: ExprId, name: Symbol) -> Option<(Vec<LocalId>, ExprId)> {
        let mut todo = vec![at];
        while let Some(id) = todo.pop() {
            match &self.spec.exprs[id].kind {
                ExprKind::Label {
                    name: label,
                    params,
                    body,
                } if *label == name => {
                    return Some((params.to_vec(), *body));
                }
                ExprKind::Label { .. } if id != at => {}
                other => children(other, &mut |it| todo.push(it)),
            }
        }
        None
    }

    fn find_let(&self, mut at: ExprId, name: Symbol) -> Option<(Vec<LocalId>, ExprId)> {
        loop {
            match &self.spec.exprs[at].kind {
                ExprKind::Label { body, .. } => at = *body,
                ExprKind::Let { defs, .. } => {
                    let def = defs
                        .iter()
                        .map(|&it| &self.spec.defs[it])
                        .find(|it| it.name == name)?;
                    return Some((def.params.to_vec(), def.body));
                }
                _ => return None,
            }
        }
    }
}

/// The way down a definition's body.
struct Walk {
    at: ExprId,
    /// Bound names that have no value yet.
    open: Vec<LocalId>,
    values: FxHashMap<LocalId, ExprId>,
}

/// What a path leads to. With open names it is an operator.
struct Part {
    expr: ExprId,
    open: Vec<LocalId>,
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
