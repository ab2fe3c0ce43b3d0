//! Fields: their bounds, types, and what their declarations say as formulas.

use std::sync::Arc;

use alloy_syntax::ast::{self, Paragraph};
use source::Span;

use crate::check::{Context, Place};
use crate::diagnostics as say;
use crate::ir::{
    self, BinaryOp, Bound, BoundKind, Count, Decl, ExprId, ExprKind, Fact, FactOrigin, FieldId, FormulaId,
    FormulaKind, Mult, Quantifier, SigId, VarId,
};
use crate::node::{HasMult, Kind, N, Un};
use crate::resolver::{Resolver, SigSource};
use crate::types::Type;

impl Resolver {
    /// Checks the fields of each sig in turn; those defined by `=` come in a second round, when functions are known.
    pub fn resolve_fields(&mut self, order: &[SigId], defined: bool) {
        for &sig in order {
            let data = self.declared.sigs[sig.index()];
            let SigSource::Sig { paragraph } = data.source else {
                continue;
            };
            let file = self.graph.files[self.graph.modules[data.module.index()].file].clone();
            let Paragraph::Sig(tree) = &file.tree.paragraphs[paragraph] else {
                continue;
            };
            if !defined {
                self.check_field_names(sig, tree);
            }
            for decl in tree.fields.iter().filter(|it| it.is_defined == defined) {
                self.resolve_field(sig, decl);
            }
        }
    }

    fn check_field_names(&mut self, sig: SigId, tree: &ast::Sig) {
        let mut seen: Vec<ast::Name> = vec![];
        for name in tree.fields.iter().flat_map(|it| &it.names) {
            if let Some(first) = seen.iter().find(|it| it.text == name.text) {
                let owner = self.sig_name(sig);
                self.report(say::duplicate_field(
                    name.text.as_str(),
                    &owner,
                    name.span,
                    first.span,
                ));
            }
            seen.push(*name);
        }
    }

    /// The variable that stands for an element of the sig in its declarations and facts.
    pub fn this_of(&mut self, sig: SigId) -> VarId {
        if let Some(&var) = self.declared.this_vars.get(&sig) {
            return var;
        }
        let ty = self.types.of_sigs[sig.index()].clone();
        let var = self.add_var(Resolver::this_symbol(), self.model.sigs[sig].span, &ty);
        self.mark_used(var);
        self.declared.this_vars.insert(sig, var);
        var
    }

    fn resolve_field(&mut self, sig: SigId, decl: &ast::Decl) {
        let n_nodes = self.work.nodes.len();
        let this = self.this_of(sig);
        let module = self.declared.sigs[sig.index()].module;
        let sig_type = self.types.of_sigs[sig.index()].clone();
        let this_node = self.var_node(decl.span, this, &sig_type);
        let place = Place::Field {
            is_defined: decl.is_defined,
        };
        let mut ctx = Context::new(self, module, place, Some(sig));
        ctx.bind(Resolver::this_symbol(), this_node);
        let checked = ctx.check(decl.bound);
        let warns = ctx.warns;
        let checked = match decl.is_defined {
            true => self.unary(Un::ExactlyOf, self.span(checked), checked),
            false => checked,
        };
        let mut bound = self.resolve_as_set(checked, warns);
        if !decl.is_defined && self.node(bound).mult == HasMult::No && self.ty(bound).arity() == Some(1) {
            bound = self.unary(Un::OneOf, self.span(bound), bound);
        }
        let is_sound = self.check_field_bound(sig, decl, bound, warns);
        self.add_fields(sig, decl, this, is_sound.then_some(bound));
        self.work.forget(n_nodes);
    }

    fn check_field_bound(&mut self, sig: SigId, decl: &ast::Decl, bound: N, warns: bool) -> bool {
        if self.report_errors(bound) {
            return false;
        }
        let span = self.span(bound);
        let ty = self.ty(bound);
        if ty.arity().is_none() {
            self.report(say::unclear_arity(&self.show_type(&ty), span));
            return false;
        }
        let first = decl.names[0].text;
        if !ty.has_tuple() {
            self.report(say::empty_field(first.as_str(), span));
            return false;
        }
        if !decl.is_defined && self.has_call(bound) {
            self.report(say::call_in_declaration(first.as_str(), span));
            return false;
        }
        if warns && decl.var.is_none() {
            if self.model.sigs[sig].is_var {
                let owner = self.sig_name(sig);
                self.report(say::static_field_in_variable_sig(
                    first.as_str(),
                    &owner,
                    decl.span,
                ));
            }
            if let Some(varying) = self.varying_sig(bound) {
                let varying = self.sig_name(varying);
                self.report(say::static_field_of_variable_type(
                    first.as_str(),
                    &varying,
                    decl.span,
                ));
            }
        }
        true
    }

    fn has_call(&self, n: N) -> bool {
        let mut found = false;
        self.walk_nodes(n, &mut |kind| found |= matches!(kind, Kind::Call { .. }));
        found
    }

    fn varying_sig(&self, n: N) -> Option<SigId> {
        let mut found = None;
        self.walk_nodes(n, &mut |kind| match kind {
            Kind::Sig(sig) if self.model.sigs[*sig].is_var => found = Some(*sig),
            _ => {}
        });
        found
    }

    fn add_fields(&mut self, sig: SigId, decl: &ast::Decl, this: VarId, bound: Option<N>) {
        let ty = match bound {
            Some(bound) => self
                .types
                .hierarchy
                .product(&self.types.of_sigs[sig.index()], &self.ty(bound)),
            None => Type::default(),
        };
        let ir_bound = match bound {
            Some(bound) => self.bound(bound),
            None => Bound {
                span: decl.span,
                expr: self.add_expr(decl.span, 1, ExprKind::None),
                kind: BoundKind::Of(Mult::Set),
            },
        };
        let mut fields = vec![];
        for name in &decl.names {
            fields.push(self.add_field(
                ir::Field {
                    name: name.text,
                    sig,
                    span: Some(name.span),
                    ty: ty.to_ir(),
                    arity: ty.arity().unwrap_or(2) as u32,
                    this,
                    bound: ir_bound.clone(),
                    is_defined: decl.is_defined,
                    is_var: decl.var.is_some(),
                    is_private: decl.private.is_some() || self.model.sigs[sig].is_private,
                    is_meta: false,
                },
                ty.clone(),
            ));
        }
        if bound.is_none() {
            return;
        }
        for &field in &fields {
            self.add_field_fact(field, decl.span);
        }
        if decl.disj.is_some() && fields.len() > 1 {
            self.add_disjoint_fields(fields.clone(), decl.span);
        }
        if decl.disj_values.is_some() && self.model.sigs[sig].mult != Mult::One {
            for &field in &fields {
                self.add_disjoint_values(field, decl.span);
            }
        }
    }

    pub fn add_field(&mut self, field: ir::Field, ty: Type) -> FieldId {
        let (name, sig) = (field.name, field.sig);
        let id = self.model.fields.alloc(field);
        self.types.of_fields.push(Arc::new(ty));
        self.model.sigs[sig].fields.push(id);
        self.declared.fields_by_name.entry(name).or_default().push(id);
        id
    }

    // ---- what declarations say ----

    fn field_of(&mut self, field: FieldId, of: VarId, span: Span) -> ExprId {
        let arity = self.model.fields[field].arity;
        let element = self.add_expr(span, 1, ExprKind::Var(of));
        let relation = self.add_expr(span, arity, ExprKind::Field(field));
        self.add_binary(span, BinaryOp::Join, element, relation)
    }

    /// `all vars: sig | body`
    pub fn for_all(&mut self, sig: SigId, vars: Vec<VarId>, body: FormulaId, span: Span) -> FormulaId {
        let expr = self.add_expr(span, 1, ExprKind::Sig(sig));
        let bound = Bound {
            span,
            expr,
            kind: BoundKind::Of(Mult::One),
        };
        let decl = Decl {
            vars,
            is_disj: false,
            bound,
        };
        self.add_formula(
            span,
            FormulaKind::Quantified {
                quantifier: Quantifier::All,
                decls: vec![decl],
                body,
            },
        )
    }

    /// `all this: S | this.f in bound`, and `f.univ… in S`.
    pub fn add_field_fact(&mut self, field: FieldId, span: Span) {
        let ir::Field {
            sig,
            this,
            bound,
            arity,
            ..
        } = self.model.fields[field].clone();
        let value = self.field_of(field, this, span);
        let inclusion = match bound.kind {
            BoundKind::Of(Mult::Set) => FormulaKind::In(value, bound.expr),
            BoundKind::Exactly => FormulaKind::Equal(value, bound.expr),
            _ => FormulaKind::InBound(value, bound),
        };
        let inclusion = self.add_formula(span, inclusion);
        let each = self.for_all(sig, vec![this], inclusion, span);
        let mut first_column = self.add_expr(span, arity, ExprKind::Field(field));
        for _ in 1..arity {
            let univ = self.add_expr(span, 1, ExprKind::Univ);
            first_column = self.add_binary(span, BinaryOp::Join, first_column, univ);
        }
        let owner = self.add_expr(span, 1, ExprKind::Sig(sig));
        let domain = self.add_formula(span, FormulaKind::In(first_column, owner));
        let formula = self.add_formula(span, FormulaKind::And(vec![each, domain]));
        self.model.facts.push(Fact {
            origin: FactOrigin::Field(field),
            span,
            formula,
        });
    }

    fn add_disjoint_fields(&mut self, fields: Vec<FieldId>, span: Span) {
        let relations = fields
            .iter()
            .map(|&it| {
                let arity = self.model.fields[it].arity;
                self.add_expr(span, arity, ExprKind::Field(it))
            })
            .collect();
        let formula = self.add_formula(span, FormulaKind::Disjoint(relations));
        self.model.facts.push(Fact {
            origin: FactOrigin::DisjointFields(fields),
            span,
            formula,
        });
    }

    /// `all this, that: S | this = that or no this.f & that.f`
    fn add_disjoint_values(&mut self, field: FieldId, span: Span) {
        let (sig, this) = (self.model.fields[field].sig, self.model.fields[field].this);
        let ty = self.types.of_sigs[sig.index()].clone();
        let that = self.add_var(util::Symbol::new("that"), None, &ty);
        let (a, b) = (
            self.add_expr(span, 1, ExprKind::Var(this)),
            self.add_expr(span, 1, ExprKind::Var(that)),
        );
        let same = self.add_formula(span, FormulaKind::Equal(a, b));
        let (of_this, of_that) = (self.field_of(field, this, span), self.field_of(field, that, span));
        let common = self.add_binary(span, BinaryOp::Intersect, of_this, of_that);
        let apart = self.add_formula(span, FormulaKind::Count(Count::No, common));
        let body = self.add_formula(span, FormulaKind::Or(vec![same, apart]));
        let formula = self.for_all(sig, vec![this, that], body, span);
        self.model.facts.push(Fact {
            origin: FactOrigin::DisjointValues(field),
            span,
            formula,
        });
    }

    // ---- names that clash ----

    /// Two fields of one name need sigs that cannot overlap: otherwise no type could tell them apart.
    pub fn reject_field_clashes(&mut self) {
        let mut by_name: Vec<Vec<FieldId>> = self.declared.fields_by_name.values().cloned().collect();
        by_name.sort();
        for fields in by_name {
            for (i, &field) in fields.iter().enumerate() {
                for &other in &fields[..i] {
                    let (a, b) = (
                        &self.types.of_fields[field.index()],
                        &self.types.of_fields[other.index()],
                    );
                    let is_meta = self.model.fields[field].is_meta || self.model.fields[other].is_meta;
                    let (owner, other_owner) = (self.model.fields[field].sig, self.model.fields[other].sig);
                    if is_meta || owner == other_owner || !self.types.hierarchy.first_columns_meet(a, b) {
                        continue;
                    }
                    let (Some(span), Some(other_span)) =
                        (self.model.fields[field].span, self.model.fields[other].span)
                    else {
                        continue;
                    };
                    let name = self.model.fields[field].name;
                    let (owner, other_owner) = (self.sig_name(owner), self.sig_name(other_owner));
                    self.report(say::field_clash(
                        name.as_str(),
                        &owner,
                        span,
                        &other_owner,
                        other_span,
                    ));
                }
            }
        }
    }

    /// Calls `f` on the kind of each node below.
    pub fn walk_nodes(&self, n: N, f: &mut impl FnMut(&Kind)) {
        let mut stack = vec![n];
        let mut seen = util::FxHashSet::default();
        while let Some(n) = stack.pop() {
            if !seen.insert(n) {
                continue;
            }
            let kind = &self.node(n).kind;
            f(kind);
            match kind {
                Kind::Unary(_, a) | Kind::Seq(a) => stack.push(*a),
                Kind::Binary(_, a, b)
                | Kind::Arrow {
                    left: a, right: b, ..
                } => stack.extend([*a, *b]),
                Kind::If(a, b, c) => stack.extend([*a, *b, *c]),
                Kind::Let { value, body, .. } => stack.extend([*value, *body]),
                Kind::List(_, args) | Kind::Call { args, .. } | Kind::PartialCall { args, .. } => {
                    stack.extend(args);
                }
                Kind::Quant { decls, body, .. } => {
                    stack.extend(decls.iter().map(|it| it.bound));
                    stack.push(*body);
                }
                _ => {}
            }
        }
    }
}
