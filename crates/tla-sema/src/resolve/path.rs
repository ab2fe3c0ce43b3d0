//! Names with `!`: members of instances, and then parts of definitions.
//!
//! The head is a name; while it is an instance, the next part names one of its members. What follows a definition is
//! selected from its body (see [`super::select`]).

use source::Span;
use tla_syntax::ast::{self, PathPart, Selector};
use util::Symbol;

use super::Resolver;
use super::expr::Param;
use crate::diagnostics as errors;
use crate::ir::*;

/// What a chain of instances leads to.
pub(super) struct Member {
    pub entity: Entity,
    pub name: Symbol,
    pub span: Span,
    /// Arguments of the instances on the way.
    pub prefix: Vec<ExprId>,
    /// How many parts of the path are used up, the member's own included.
    pub used: usize,
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

    /// A path that is cited as a fact.
    pub(super) fn path_fact(&mut self, parts: &[PathPart], span: Span) -> Option<Entity> {
        let member = self.member(parts, Purpose::Cite)?;
        let entity = member.entity;
        if member.used == parts.len() {
            for part in &parts[member.used - 1..] {
                part.args.iter().for_each(|&it| self.expr_or_operator(it));
            }
        } else {
            self.select_any(member, parts, span)?;
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
                    None,
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
                let mut names: Vec<&str> = exported.iter().map(|(name, ..)| name.as_str()).collect();
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
            let Local {
                name: param,
                arity,
                span,
                ..
            } = *param;
            let value = self.argument(
                arg,
                name,
                Param {
                    name: param,
                    arity,
                    span,
                },
            );
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
}
