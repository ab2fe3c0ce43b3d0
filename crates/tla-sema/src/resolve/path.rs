//! Names with `!`: members of instances, and parts of definitions (*TLA+2: A Preliminary Guide*, section 6).
//!
//! The head is a name; while it is an instance, the next part names one of its members. After a definition, the
//! parts walk down its body: `!2` an operand, `!<<` and `!>>` the first and second one, `!x` a label or a `LET`
//! definition, `!(a, b)` gives values to the bound names on the way, `!:` the body of a definition as a whole, `!@` the
//! body of a binder whose names stay bound.

use source::Span;
use tla_syntax::ast::{self, PathPart, Selector};
use util::{FxHashMap, Symbol};

use super::Resolver;
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

impl Resolver<'_> {
    pub(super) fn path(&mut self, parts: &[PathPart], span: Span) -> ExprId {
        let Some(member) = self.member(parts) else { return self.hole(span) };
        let own = &parts[member.used - 1];
        if member.used == parts.len() {
            return self.apply(member.entity, member.name, member.span, member.prefix, &own.args, span);
        }
        self.select(member, parts, span)
    }

    /// A path as an operator argument.
    pub(super) fn path_operator(&mut self, parts: &[PathPart], span: Span) -> Option<(ExprId, Option<usize>)> {
        let Some(member) = self.member(parts) else { return Some((self.hole(span), None)) };
        if member.used < parts.len() || !parts[member.used - 1].args.is_empty() {
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
        let idents = params[member.prefix.len()..].iter().map(|&(name, _, span)| ast::Ident { name, span });
        let locals: Box<[LocalId]> = idents.collect::<Vec<_>>().into_iter().map(|it| self.new_local(it, 0)).collect();
        let mut args = member.prefix;
        for &local in &locals {
            args.push(self.alloc(ExprKind::Local(local), span));
        }
        let body = self.alloc(ExprKind::Call { op, args: args.into() }, span);
        Some((self.alloc(ExprKind::Lambda { params: locals, body }, span), Some(open)))
    }

    /// Follows instances as far as they go.
    fn member(&mut self, parts: &[PathPart]) -> Option<Member> {
        let Some(PathPart { selector: Selector::Name(name), span, .. }) = parts.first() else {
            return None;
        };
        let Some(mut entity) = self.scope.get(*name) else {
            self.unbound(ast::Ident { name: *name, span: *span });
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
            self.instance_arguments(instance, last.0, part, &mut prefix)?;
            let Some(next) = parts.get(used) else {
                let declared = self.spec.instances[instance].span;
                self.report(errors::not_a_value(last.0, last.1, "instance", declared));
                return None;
            };
            let Selector::Name(member) = next.selector else {
                self.report(errors::not_selectable(next.span, "an instance has named members only"));
                return None;
            };
            chain.push(instance);
            let module = self.spec.instances[instance].module;
            let binding = self.spec.modules[module].scope.get(&member).copied().filter(|it| !it.local);
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
                Entity::Decl(decl) => return self.replaced(decl, &chain, parts, used + 1),
                other => other,
            };
            last = (member, next.span);
            used += 1;
        }
        Some(Member { entity, name: last.0, span: last.1, prefix, used })
    }

    fn instance_arguments(
        &mut self,
        instance: InstanceId,
        name: Symbol,
        part: &PathPart,
        prefix: &mut Vec<ExprId>,
    ) -> Option<()> {
        let params: Vec<Local> =
            self.spec.instances[instance].params.iter().map(|&it| self.spec.locals[it]).collect();
        if params.len() != part.args.len() {
            let declared = self.spec.instances[instance].span;
            self.report(errors::wrong_arity(name, part.span, declared, params.len(), part.args.len()));
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
        chain.iter().rev().fold(def, |def, &it| self.instances.instantiate(&mut self.spec, def, it, name))
    }

    /// `I!x` where `x` is a constant or variable of the module: what replaces it. Only for `INSTANCE`s without
    /// parameters on the way, which is all that specifications use.
    fn replaced(&mut self, decl: DeclId, chain: &[InstanceId], parts: &[PathPart], used: usize) -> Option<Member> {
        let part = &parts[used - 1];
        let Selector::Name(name) = part.selector else { return None };
        let ident = ast::Ident { name, span: part.span };
        let body = self.alloc(ExprKind::Decl(decl), part.span);
        let def = self.new_def(ident, DefKind::Operator, Box::default(), body, false);
        let def = self.through(def, chain, name.as_str());
        let prefix = self.spec.defs[def].params.iter().copied().collect::<Vec<_>>();
        if !prefix.is_empty() {
            self.report(errors::not_selectable(part.span, "a declared name of a parametrised instance"));
            return None;
        }
        Some(Member { entity: Entity::Def(def), name, span: part.span, prefix: vec![], used })
    }

    /// Walks from a definition to a part of its body.
    fn select(&mut self, member: Member, parts: &[PathPart], span: Span) -> ExprId {
        let Entity::Def(def) = member.entity else {
            let next = &parts[member.used];
            self.report(errors::not_selectable(next.span, "only definitions have parts"));
            return self.hole(span);
        };
        let definition = self.spec.defs[def].clone();
        let mut open: Vec<LocalId> = definition.params.to_vec();
        let mut values: FxHashMap<LocalId, ExprId> = FxHashMap::default();
        for &value in &member.prefix {
            values.insert(open.remove(0), value);
        }
        let args = &parts[member.used - 1].args;
        if !args.is_empty() && !self.fill(&mut open, &mut values, args, parts[member.used - 1].span, member.name) {
            return self.hole(span);
        }
        let mut at = definition.body;
        for part in &parts[member.used..] {
            match self.step(at, part, &mut open, &mut values) {
                Some(next) => at = next,
                None => return self.hole(span),
            }
        }
        if !open.is_empty() {
            let names: Vec<Symbol> = open.iter().map(|&it| self.spec.locals[it].name).collect();
            self.report(errors::unbound_selection(span, &names));
            return self.hole(span);
        }
        if values.is_empty() { at } else { self.instances.replace_locals(&mut self.spec, at, values) }
    }

    fn fill(
        &mut self,
        open: &mut Vec<LocalId>,
        values: &mut FxHashMap<LocalId, ExprId>,
        args: &[ast::ExprId],
        span: Span,
        name: Symbol,
    ) -> bool {
        if open.len() != args.len() {
            self.report(errors::wrong_arity(name, span, span, open.len(), args.len()));
            return false;
        }
        for (local, &arg) in std::mem::take(open).into_iter().zip(args) {
            let Local { arity, name: param, span } = self.spec.locals[local];
            let value = self.argument(arg, arity, name, param, span);
            values.insert(local, value);
        }
        true
    }

    /// One selector. Bound names of a binder that is entered become open.
    fn step(
        &mut self,
        at: ExprId,
        part: &PathPart,
        open: &mut Vec<LocalId>,
        values: &mut FxHashMap<LocalId, ExprId>,
    ) -> Option<ExprId> {
        let kind = self.spec.exprs[at].kind.clone();
        match part.selector {
            Selector::Body => Some(at),
            Selector::Args => {
                // `!(a, b)` enters a binder and gives its names values at once.
                let (names, body) = binder_of(&kind).or_else(|| {
                    self.report(errors::not_selectable(part.span, "no bound names to give values to"));
                    None
                })?;
                let mut names = names;
                self.fill(&mut names, values, &part.args, part.span, Symbol::new("!")).then_some(body)
            }
            Selector::At => match binder_of(&kind) {
                Some((names, body)) => {
                    open.extend(names);
                    Some(body)
                }
                None => {
                    self.report(errors::not_selectable(part.span, "no binder here"));
                    None
                }
            },
            Selector::First => self.operand(&kind, 0, part),
            Selector::Second => self.operand(&kind, 1, part),
            Selector::Index(n) => self.operand(&kind, (n as usize).wrapping_sub(1), part),
            Selector::Name(name) => self.named_part(at, name, part, values),
        }
    }

    fn operand(&mut self, kind: &ExprKind, index: usize, part: &PathPart) -> Option<ExprId> {
        let mut operands = vec![];
        children(kind, &mut |it| operands.push(it));
        let picked = operands.get(index).copied();
        if picked.is_none() {
            let why = format!("there are {} operands here", operands.len());
            self.report(errors::not_selectable(part.span, &why));
        }
        picked
    }

    /// A label below `at`, or a definition of a `LET`.
    fn named_part(
        &mut self,
        at: ExprId,
        name: Symbol,
        part: &PathPart,
        values: &mut FxHashMap<LocalId, ExprId>,
    ) -> Option<ExprId> {
        let mut todo = vec![at];
        while let Some(id) = todo.pop() {
            match self.spec.exprs[id].kind.clone() {
                ExprKind::Label { name: label, params, body } if label == name => {
                    let mut open = params.to_vec();
                    return self.fill(&mut open, values, &part.args, part.span, name).then_some(body);
                }
                ExprKind::Let { defs, body } => {
                    if let Some(&def) = defs.iter().find(|&&it| self.spec.defs[it].name == name) {
                        let mut open = self.spec.defs[def].params.to_vec();
                        let found = self.spec.defs[def].body;
                        return self.fill(&mut open, values, &part.args, part.span, name).then_some(found);
                    }
                    todo.push(body);
                }
                other => children(&other, &mut |it| todo.push(it)),
            }
        }
        self.report(errors::not_selectable(part.span, "no label or LET definition of this name"));
        None
    }
}

/// The bound names of a binder, and what they are bound in.
fn binder_of(kind: &ExprKind) -> Option<(Vec<LocalId>, ExprId)> {
    let names = |bounds: &[Bound]| bounds.iter().flat_map(|it| it.pattern.locals().iter().copied()).collect();
    Some(match kind {
        ExprKind::Quant { bounds, body, .. }
        | ExprKind::SetMap { bounds, body }
        | ExprKind::FnLiteral { bounds, body } => (names(bounds), *body),
        ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
            (bound.pattern.locals().to_vec(), *body)
        }
        ExprKind::UnboundedQuant { locals: params, body, .. } | ExprKind::Lambda { params, body } => {
            (params.to_vec(), *body)
        }
        ExprKind::UnboundedChoose { pattern, body } => (pattern.locals().to_vec(), *body),
        _ => return None,
    })
}
