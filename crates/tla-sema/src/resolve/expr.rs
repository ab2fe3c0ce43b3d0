//! Expressions: one match over the language.

use diag::Diagnostic;
use source::Span;
use tla_syntax::ast::{self, ExprKind as Ast};
use util::{FxHashMap, Symbol, deep};

use super::Resolver;
use crate::builtin::{builtin, defining_module};
use crate::diagnostics as errors;
use crate::ir::*;
use crate::lint::Record;

impl Resolver<'_> {
    /// Resolves an expression that must be a value or formula.
    pub(super) fn expr(&mut self, id: ast::ExprId) -> ExprId {
        deep(|| self.expr_here(id))
    }

    fn expr_here(&mut self, id: ast::ExprId) -> ExprId {
        let tree = self.ctx.tree.clone();
        let ast::Expr { kind, span } = &tree.exprs[id];
        let span = *span;
        let kind = match kind {
            Ast::Error => ExprKind::Error,
            Ast::Ident(name) => return self.name(ast::Ident { name: *name, span }, &[], span),
            Ast::Apply { name, args } => return self.name(*name, args, span),
            Ast::Path(parts) => return self.path(parts, span),
            Ast::OpRef(name) => {
                self.report(errors::misplaced_operator(*name, span));
                ExprKind::Error
            }
            Ast::Number(text) => integer(*text),
            Ast::Decimal(text) => ExprKind::Decimal(*text),
            Ast::Str(text) => ExprKind::Str(*text),
            Ast::At => match (self.ctx.at, self.ctx.chained.take()) {
                (Some(local), _) => ExprKind::Local(local),
                (None, Some(before)) => return before,
                (None, None) => {
                    self.report(errors::at_outside_except(span));
                    ExprKind::Error
                }
            },
            Ast::Paren(inner) => return self.expr(*inner),
            Ast::Prefix { op, op_span, arg } | Ast::Postfix { op, op_span, arg } => {
                return self.operator_use(op.symbol(), *op_span, &[*arg], span);
            }
            Ast::Infix {
                op,
                op_span,
                lhs,
                rhs,
            } => {
                return self.operator_use(op.symbol(), *op_span, &[*lhs, *rhs], span);
            }
            Ast::Junction { kind, items } => {
                let op = match kind {
                    ast::Junction::And => Builtin::And,
                    ast::Junction::Or => Builtin::Or,
                };
                ExprKind::Builtin {
                    op,
                    args: self.exprs(items),
                }
            }
            Ast::Times(factors) => ExprKind::Times(self.exprs(factors)),
            Ast::If { test, then, other } => ExprKind::If {
                test: self.expr(*test),
                then: self.expr(*then),
                other: self.expr(*other),
            },
            Ast::Case { arms, other } => ExprKind::Case {
                arms: arms
                    .iter()
                    .map(|arm| (self.expr(arm.guard), self.expr(arm.body)))
                    .collect(),
                other: other.map(|it| self.expr(it)),
            },
            Ast::Let { units, body } => self.let_in(units, *body),
            Ast::Quant { kind, bounds, body } => {
                let (bounds, body) = self.binder(bounds, *body);
                ExprKind::Quant {
                    kind: *kind,
                    bounds,
                    body,
                }
            }
            Ast::UnboundedQuant { kind, names, body } => {
                let level = match kind {
                    Quant::Forall | Quant::Exists => Level::Constant,
                    Quant::TemporalForall | Quant::TemporalExists => Level::State,
                };
                let mark = self.ctx.scope.mark();
                let locals: Box<[LocalId]> = names.iter().map(|&it| self.bind_local(it, 0, level)).collect();
                let body = self.with_bound(locals.iter().copied(), |it| it.expr(*body));
                self.ctx.scope.release(mark);
                ExprKind::UnboundedQuant {
                    kind: *kind,
                    locals,
                    body,
                }
            }
            Ast::Choose { pattern, set, body } => self.choose(pattern, *set, *body),
            Ast::SetEnum(items) => ExprKind::SetEnum(self.exprs(items)),
            Ast::SetFilter { bound, body } => {
                let (bounds, body) = self.binder(std::slice::from_ref(bound), *body);
                match bounds.into_vec().pop() {
                    Some(bound) => ExprKind::SetFilter {
                        bound: Box::new(bound),
                        body,
                    },
                    None => ExprKind::Error,
                }
            }
            Ast::SetMap { body, bounds } => {
                let (bounds, body) = self.binder(bounds, *body);
                ExprKind::SetMap { bounds, body }
            }
            Ast::FnApply { function, args } => {
                let function = self.expr(*function);
                self.check_index(function, args.len(), span);
                let arg = self.index(args, span);
                ExprKind::FnApply { function, arg }
            }
            Ast::FnLiteral { bounds, body } => {
                let (bounds, body) = self.binder(bounds, *body);
                ExprKind::FnLiteral { bounds, body }
            }
            Ast::FnSet { domain, range } => ExprKind::FnSet {
                domain: self.expr(*domain),
                range: self.expr(*range),
            },
            Ast::Record(fields) => ExprKind::Record(self.fields(fields)),
            Ast::RecordSet(fields) => ExprKind::RecordSet(self.fields(fields)),
            Ast::Select { record, field } => ExprKind::Select {
                record: self.expr(*record),
                field: field.name,
            },
            Ast::Except { function, updates } => {
                let function = self.expr(*function);
                let updates = updates.iter().map(|it| self.update(it)).collect();
                ExprKind::Except { function, updates }
            }
            Ast::Tuple(items) => ExprKind::Tuple(self.exprs(items)),
            Ast::BoxAction { action, subscript } => ExprKind::BoxAction {
                action: self.expr(*action),
                subscript: self.expr(*subscript),
            },
            Ast::AngleAction { action, subscript } => ExprKind::AngleAction {
                action: self.expr(*action),
                subscript: self.expr(*subscript),
            },
            Ast::Fairness {
                kind,
                subscript,
                action,
            } => ExprKind::Fairness {
                kind: *kind,
                subscript: self.expr(*subscript),
                action: self.expr(*action),
            },
            Ast::Lambda { .. } => {
                self.report(errors::misplaced_lambda(span));
                ExprKind::Error
            }
            Ast::Label { name, params, body } => self.label(*name, params, *body),
            // The parser has reported it.
            Ast::AssumeProve(_) => ExprKind::Error,
        };
        self.alloc(kind, span)
    }

    fn exprs(&mut self, ids: &[ast::ExprId]) -> Box<[ExprId]> {
        ids.iter().map(|&it| self.expr(it)).collect()
    }

    /// Index arguments: several are one tuple.
    fn index(&mut self, args: &[ast::ExprId], span: Span) -> ExprId {
        match args {
            [arg] => self.expr(*arg),
            _ => {
                let items = self.exprs(args);
                let span = match args {
                    [first, .., last] => self.ctx.tree.exprs[*first]
                        .span
                        .to(self.ctx.tree.exprs[*last].span),
                    _ => span,
                };
                self.alloc(ExprKind::Tuple(items), span)
            }
        }
    }

    /// A function that is defined with several parameters is applied to as many, or to one tuple.
    fn check_index(&mut self, function: ExprId, got: usize, span: Span) {
        let ExprKind::Call {
            op: Operator::Def(def),
            ..
        } = self.spec.exprs[function].kind
        else {
            return;
        };
        if got < 2 || self.ctx.unfinished.contains(&def) || self.spec.defs[def].kind != DefKind::Function {
            return;
        }
        let Def {
            name,
            span: defined,
            body,
            ..
        } = self.spec.defs[def];
        if let ExprKind::FnLiteral { bounds, .. } = &self.spec.exprs[body].kind
            && bounds.len() != got
        {
            let want = bounds.len();
            self.report(errors::function_arity(name, span, defined, want, got));
        }
    }

    fn let_in(&mut self, units: &[ast::Unit], body: ast::ExprId) -> ExprKind {
        let mark = self.ctx.scope.mark();
        self.ctx.pending.push(FxHashMap::default());
        let mut defs = vec![];
        for unit in units {
            defs.extend(self.definition_unit(unit));
        }
        self.report_pending();
        let body = self.expr(body);
        self.ctx.scope.release(mark);
        ExprKind::Let {
            defs: defs.into(),
            body,
        }
    }

    /// Sets first, outside the scope of the bound names; then the names; then the body.
    pub(super) fn binder(&mut self, bounds: &[ast::Bound], body: ast::ExprId) -> (Box<[Bound]>, ExprId) {
        let sets: Vec<ExprId> = bounds.iter().map(|it| self.expr(it.set)).collect();
        let mark = self.ctx.scope.mark();
        let bounds = self.bind_patterns(bounds, &sets);
        let body = self.with_bound(bound_names(&bounds), |it| it.expr(body));
        self.ctx.scope.release(mark);
        (bounds, body)
    }

    /// Binds the names of `bounds` until the caller releases its mark.
    pub(super) fn bind_patterns(&mut self, bounds: &[ast::Bound], sets: &[ExprId]) -> Box<[Bound]> {
        let mut bound = vec![];
        for (it, &set) in bounds.iter().zip(sets) {
            match &it.pattern {
                ast::Pattern::Names(names) => {
                    for &name in names {
                        bound.push(Bound {
                            pattern: Pattern::One(self.bind_name(name)),
                            set,
                        });
                    }
                }
                ast::Pattern::Tuple(names) => {
                    let locals = names.iter().map(|&name| self.bind_name(name)).collect();
                    bound.push(Bound {
                        pattern: Pattern::Tuple(locals),
                        set,
                    });
                }
            }
        }
        bound.into()
    }

    fn choose(&mut self, pattern: &ast::Pattern, set: Option<ast::ExprId>, body: ast::ExprId) -> ExprKind {
        let set = set.map(|it| self.expr(it));
        let mark = self.ctx.scope.mark();
        let pattern = match pattern {
            ast::Pattern::Names(names) => match names.first() {
                Some(&name) => Pattern::One(self.bind_name(name)),
                None => return ExprKind::Error,
            },
            ast::Pattern::Tuple(names) => {
                Pattern::Tuple(names.iter().map(|&it| self.bind_name(it)).collect())
            }
        };
        let body = self.with_bound(pattern.locals().to_vec(), |it| it.expr(body));
        self.ctx.scope.release(mark);
        match set {
            Some(set) => ExprKind::Choose {
                bound: Box::new(Bound { pattern, set }),
                body,
            },
            None => ExprKind::UnboundedChoose { pattern, body },
        }
    }

    fn fields(&mut self, fields: &[ast::Field]) -> Box<[(Symbol, ExprId)]> {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for field in fields {
            if let Some(first) = seen.insert(field.name.name, field.name.span) {
                self.report(errors::duplicate_field(field.name.name, field.name.span, first));
            }
        }
        let values: Box<[(Symbol, ExprId)]> = fields
            .iter()
            .map(|it| (it.name.name, self.expr(it.value)))
            .collect();
        if !self.spec.modules[self.ctx.module].is_library && !self.ctx.silent {
            self.note_record(fields, &values);
        }
        values
    }

    fn note_record(&mut self, fields: &[ast::Field], values: &[(Symbol, ExprId)]) {
        let names = fields.iter().map(|it| {
            let known = match self.ctx.scope.get(it.name.name) {
                Some(entity @ (Entity::Decl(_) | Entity::Def(_))) => Some(self.entity_span(entity)),
                _ => None,
            };
            (it.name.name, it.name.span, known)
        });
        let names = names.collect();
        let values = values.iter().map(|&(_, it)| it).collect();
        self.records.push(Record { names, values });
    }

    fn update(&mut self, update: &ast::Update) -> Update {
        let mut path = vec![];
        for step in &update.path {
            path.push(match step {
                ast::PathStep::Index(args) => self.index(args, update.span),
                ast::PathStep::Field(field) => self.alloc(ExprKind::Str(field.name), field.span),
            });
        }
        let at = self.new_local(
            ast::Ident {
                name: Symbol::new("@"),
                span: update.span,
            },
            0,
            Level::Constant,
        );
        let outer = self.ctx.at.replace(at);
        let value = self.expr(update.value);
        self.ctx.at = outer;
        Update {
            path: path.into(),
            at,
            value,
        }
    }

    /// A name with arguments: `f(a, b)`, `x`, `+(1, 2)`, `TRUE`.
    fn name(&mut self, name: ast::Ident, args: &[ast::ExprId], span: Span) -> ExprId {
        if args.is_empty() {
            let constant = match name.name.as_str() {
                "TRUE" => Some(ExprKind::Bool(true)),
                "FALSE" => Some(ExprKind::Bool(false)),
                "BOOLEAN" => Some(ExprKind::Builtin {
                    op: Builtin::Boolean,
                    args: Box::default(),
                }),
                "STRING" => Some(ExprKind::Builtin {
                    op: Builtin::StringSet,
                    args: Box::default(),
                }),
                _ => None,
            };
            if let Some(kind) = constant {
                return self.alloc(kind, span);
            }
        }
        self.operator_use(name.name, name.span, args, span)
    }

    /// An operator applied to arguments, however it is written.
    fn operator_use(&mut self, name: Symbol, name_span: Span, args: &[ast::ExprId], span: Span) -> ExprId {
        if let Some(op) = builtin(name) {
            if op.arity() != args.len() {
                self.report(errors::wrong_arity(name, span, name_span, op.arity(), args.len()));
                return self.hole(span);
            }
            let args = self.exprs(args);
            return match op {
                Builtin::Product => self.alloc(ExprKind::Times(args), span),
                _ => self.alloc(ExprKind::Builtin { op, args }, span),
            };
        }
        let Some(entity) = self.ctx.scope.get(name) else {
            self.unbound(ast::Ident {
                name,
                span: name_span,
            });
            for &arg in args {
                self.expr_or_operator(arg);
            }
            return self.hole(span);
        };
        self.apply(entity, name, name_span, vec![], args, span)
    }

    /// Applies what a name stands for. `prefix` are arguments that instances on the way have taken already.
    pub(super) fn apply(
        &mut self,
        entity: Entity,
        name: Symbol,
        name_span: Span,
        prefix: Vec<ExprId>,
        args: &[ast::ExprId],
        span: Span,
    ) -> ExprId {
        if let Some(what) = self.rule(entity).map(|it| it.what) {
            let declared = self.entity_span(entity);
            self.report(errors::not_a_formula(name, name_span, what, declared));
            return self.hole(span);
        }
        let Some((op, params)) = self.operator_of(entity) else {
            let (what, declared) = (entity_kind(entity), self.entity_span(entity));
            self.report(errors::not_a_value(name, name_span, what, declared));
            return self.hole(span);
        };
        let params = &params[prefix.len().min(params.len())..];
        if params.len() != args.len() {
            let declared = self.entity_span(entity);
            self.report(errors::wrong_arity(
                name,
                span,
                declared,
                params.len(),
                args.len(),
            ));
            for &arg in args {
                self.expr_or_operator(arg);
            }
            return self.hole(span);
        }
        if let Operator::Def(def) = op
            && self.ctx.unfinished.contains(&def)
        {
            self.spec.defs[def].recursive = true;
        }
        let mut all = prefix;
        for (&arg, param) in args.iter().zip(params) {
            let value = self.argument(arg, name, *param);
            all.push(value);
        }
        let kind = match op {
            Operator::Local(local) if all.is_empty() => ExprKind::Local(local),
            Operator::Decl(decl) if all.is_empty() => ExprKind::Decl(decl),
            _ => ExprKind::Call { op, args: all.into() },
        };
        self.alloc(kind, span)
    }

    /// The operator that an entity is, with name, arity and place of each parameter.
    pub(super) fn operator_of(&self, entity: Entity) -> Option<(Operator, Vec<Param>)> {
        let anonymous = |arity: u32, span: Span| {
            vec![
                Param {
                    name: Symbol::new("_"),
                    arity: 0,
                    span
                };
                arity as usize
            ]
        };
        Some(match entity {
            Entity::Decl(decl) => {
                let it = &self.spec.decls[decl];
                (Operator::Decl(decl), anonymous(it.arity, it.span))
            }
            Entity::Local(local) => {
                let it = &self.spec.locals[local];
                (Operator::Local(local), anonymous(it.arity, it.span))
            }
            Entity::Def(def) => {
                let params = self.spec.defs[def].params.iter().map(|&it| &self.spec.locals[it]);
                (
                    Operator::Def(def),
                    params
                        .map(
                            |&Local {
                                 name, arity, span, ..
                             }| Param { name, arity, span },
                        )
                        .collect(),
                )
            }
            Entity::Instance(_) | Entity::Module(_) => return None,
        })
    }

    /// An argument for a parameter of `of`: a value, or an operator.
    pub(super) fn argument(&mut self, id: ast::ExprId, of: Symbol, param: Param) -> ExprId {
        if param.arity == 0 {
            return self.expr(id);
        }
        let Param {
            name,
            arity,
            span: declared,
        } = param;
        let span = self.ctx.tree.exprs[id].span;
        let Some((value, got)) = self.operator_argument(id) else {
            self.report(errors::operator_expected(of, span, name, declared, arity));
            return self.hole(span);
        };
        match got {
            Some(got) if got != arity as usize => {
                self.report(errors::operator_arity(of, span, name, declared, arity, got));
            }
            _ => self.check_second_order(value, of, name),
        }
        value
    }

    /// An operator that is an argument takes values only.
    fn check_second_order(&mut self, value: ExprId, of: Symbol, param: Symbol) {
        let Expr {
            kind: ExprKind::OpRef(Operator::Def(given)),
            span,
        } = self.spec.exprs[value]
        else {
            return;
        };
        let Def { name, ref params, .. } = self.spec.defs[given];
        let higher = params
            .iter()
            .map(|&it| self.spec.locals[it])
            .find(|it| it.arity > 0);
        if let Some(higher) = higher {
            self.report(errors::higher_order_argument(
                of,
                span,
                param,
                name,
                higher.name,
                higher.span,
            ));
        }
    }

    /// An operator with its arity (unknown after an error), or `None` for what can only be a value.
    fn operator_argument(&mut self, id: ast::ExprId) -> Option<(ExprId, Option<usize>)> {
        let tree = self.ctx.tree.clone();
        let ast::Expr { kind, span } = &tree.exprs[id];
        let name = match kind {
            Ast::Lambda { params, body } => {
                let mark = self.ctx.scope.mark();
                let locals: Box<[LocalId]> = params.iter().map(|&it| self.bind_name(it)).collect();
                let body = self.labelled(|it| it.expr(*body));
                self.ctx.scope.release(mark);
                let arity = locals.len();
                return Some((
                    self.alloc(ExprKind::Lambda { params: locals, body }, *span),
                    Some(arity),
                ));
            }
            Ast::Paren(inner) => return self.operator_argument(*inner),
            Ast::Path(parts) => return self.path_operator(parts, *span),
            Ast::Ident(name) | Ast::OpRef(name) => *name,
            _ => return None,
        };
        if let Some(op) = builtin(name) {
            return Some((self.alloc(ExprKind::BuiltinRef(op), *span), Some(op.arity())));
        }
        let Some(entity) = self.ctx.scope.get(name) else {
            self.unbound(ast::Ident { name, span: *span });
            return Some((self.hole(*span), None));
        };
        let (op, params) = self.operator_of(entity)?;
        if params.is_empty() {
            return None;
        }
        Some((self.alloc(ExprKind::OpRef(op), *span), Some(params.len())))
    }

    /// For errors already reported: resolves whatever stands there, to find further errors in it.
    pub(super) fn expr_or_operator(&mut self, id: ast::ExprId) {
        if self.operator_argument(id).is_none() {
            self.expr(id);
        }
    }

    pub(super) fn unbound(&mut self, name: ast::Ident) {
        if self.ctx.incomplete || self.ctx.silent {
            return;
        }
        // One name, or one module that is not opened, is one mistake, however often it shows.
        let library = defining_module(name.name);
        let mistake = library.map_or(name.name, Symbol::new);
        if let Some(known) = self.ctx.unbound.get_mut(&mistake) {
            known.names.push(name.name);
            return;
        }
        if self.ctx.unbound.len() >= UNBOUND_MAX {
            return;
        }
        let error = self.unbound_error(name, library);
        self.ctx.unbound.insert(
            mistake,
            Unbound {
                report: self.diagnostics.len(),
                names: vec![name.name],
            },
        );
        self.report(error);
    }

    fn unbound_error(&self, name: ast::Ident, library: Option<&str>) -> Diagnostic {
        let unfinished = self.ctx.unfinished.iter().map(|&it| &self.spec.defs[it]);
        if let Some(def) = unfinished
            .filter(|it| it.name == name.name)
            .min_by_key(|it| it.span)
        {
            return errors::undeclared_recursion(name.name, name.span, def.span, def.params.len());
        }
        match self.ctx.later.get(&name.name) {
            Some(&later) if later.start > name.span.start => {
                errors::defined_later(name.name, name.span, later)
            }
            _ => errors::unbound_name(name.name, name.span, &self.ctx.scope.spellings(), library),
        }
    }

    /// Says of each unknown name how often it was met, once the file has been read.
    pub(super) fn count_unbound(&mut self) {
        let mut unbound: Vec<Unbound> = std::mem::take(&mut self.ctx.unbound).into_values().collect();
        unbound.sort_unstable_by_key(|it| it.report);
        for Unbound { report, names } in unbound {
            let note = errors::further_uses(&names);
            self.diagnostics[report].notes.extend(note);
        }
    }
}

/// How many unknown names of a file are reported: each costs a search for a similar one, and more help nobody.
const UNBOUND_MAX: usize = 100;

/// A name that was not declared, with all others that the same mistake explains.
pub(super) struct Unbound {
    /// The place of the diagnostic.
    report: usize,
    names: Vec<Symbol>,
}

/// A parameter of whatever can be applied.
#[derive(Clone, Copy)]
pub(super) struct Param {
    pub name: Symbol,
    pub arity: u32,
    pub span: Span,
}

pub(super) fn bound_names(bounds: &[Bound]) -> Vec<LocalId> {
    bounds
        .iter()
        .flat_map(|it| it.pattern.locals().iter().copied())
        .collect()
}

fn entity_kind(entity: Entity) -> &'static str {
    match entity {
        Entity::Instance(_) => "instance",
        Entity::Module(_) => "module",
        Entity::Decl(_) | Entity::Def(_) | Entity::Local(_) => "value",
    }
}

fn integer(text: Symbol) -> ExprKind {
    let numeral = tla_syntax::number(text.as_str());
    match numeral.to_u64().and_then(|it| i64::try_from(it).ok()) {
        Some(value) => ExprKind::Int(value),
        None => ExprKind::BigInt {
            digits: Symbol::new(numeral.digits),
            radix: numeral.radix,
        },
    }
}
