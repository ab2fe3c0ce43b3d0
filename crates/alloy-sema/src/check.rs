//! Syntax to nodes: operators, binders, joins that may be calls.
//!
//! A [`Context`] says where an expression stands: in which module, in which sig (then `this` is implied before fields),
//! in a declaration (then functions cannot be called), and which local names there are. Names are looked up in `names`.

use std::sync::Arc;

use alloy_syntax::ast::{self, Binary, Const, ExprKind, Quantifier, Unary};
use diag::Diagnostic;
use source::Span;
use util::{FxHashMap, Symbol, deep};

use crate::diagnostics as say;
use crate::ir::{FormulaId, FormulaKind, ModuleId, SigId, builtin};
use crate::load::LoadedFile;
use crate::node::{Bin, HasMult, Kind, List, N, Quant, QuantDecl, Un};
use crate::resolver::Resolver;
use crate::types::Type;

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A fact, assertion or body.
    Body,
    /// A field's bound; functions can be called only when the field is defined by `=`.
    Field { is_defined: bool },
    /// A parameter's bound or a result.
    Signature,
}

pub(crate) struct Context<'w> {
    pub resolver: &'w mut Resolver,
    pub module: ModuleId,
    pub file: Arc<LoadedFile>,
    pub place: Place,
    /// The sig whose fields or facts are checked.
    pub sig: Option<SigId>,
    pub locals: FxHashMap<Symbol, Vec<N>>,
    pub macro_depth: u32,
    /// Warnings are wanted; not in expansions of one text for several meta atoms.
    pub warns: bool,
}

impl<'w> Context<'w> {
    pub fn new(
        resolver: &'w mut Resolver,
        module: ModuleId,
        place: Place,
        sig: Option<SigId>,
    ) -> Context<'w> {
        let file = resolver.graph.files[resolver.graph.modules[module.index()].file].clone();
        let warns = !file.is_library;
        Context {
            resolver,
            module,
            file,
            place,
            sig,
            locals: FxHashMap::default(),
            macro_depth: 0,
            warns,
        }
    }

    /// Expressions come from this file instead of that of the module.
    pub fn read_from(&mut self, file: Arc<LoadedFile>) {
        self.file = file;
    }

    pub fn bind(&mut self, name: Symbol, node: N) {
        self.locals.entry(name).or_default().push(node);
    }

    pub fn unbind(&mut self, name: Symbol) {
        if let Some(stack) = self.locals.get_mut(&name) {
            stack.pop();
        }
    }

    pub fn warn(&mut self, diagnostic: Diagnostic) {
        if self.warns {
            self.resolver.report(diagnostic);
        }
    }

    // ---- whole expressions, with overloads decided ----

    pub fn formula(&mut self, expr: ast::ExprId) -> N {
        let n = self.check(expr);
        self.resolver.resolve_as_formula(n, self.warns)
    }

    /// A formula as IR, or `None` when it has errors; these are reported. A block is taken item by item and its nodes
    /// are dropped at once: a file may be one long fact.
    pub fn finished_formula(&mut self, expr: ast::ExprId) -> Option<FormulaId> {
        let file = self.file.clone();
        let ast::Expr { span, ref kind, .. } = file.tree.exprs[expr];
        let ExprKind::Block(items) = kind else {
            let n_nodes = self.resolver.work.nodes.len();
            let checked = self.formula(expr);
            let is_bad = self.resolver.report_errors(checked);
            let formula = (!is_bad).then(|| self.resolver.elaborate_formula(checked));
            self.resolver.work.forget(n_nodes);
            return formula;
        };
        let formulas: Vec<Option<FormulaId>> = items
            .iter()
            .map(|&it| deep(|| self.finished_formula(it)))
            .collect();
        let formulas: Vec<FormulaId> = formulas.into_iter().collect::<Option<_>>()?;
        Some(match formulas[..] {
            [single] => single,
            _ => self.resolver.add_formula(span, FormulaKind::And(formulas)),
        })
    }

    pub fn set(&mut self, expr: ast::ExprId) -> N {
        let n = self.check(expr);
        self.resolver.resolve_as_set(n, self.warns)
    }

    /// An expression of any sort.
    pub fn any(&mut self, expr: ast::ExprId) -> N {
        let n = self.check(expr);
        let ty = self.resolver.ty(n);
        self.resolver.resolve(n, &ty, self.warns)
    }

    // ---- expressions ----

    pub fn check(&mut self, expr: ast::ExprId) -> N {
        deep(|| self.check_kind(expr))
    }

    fn check_kind(&mut self, expr: ast::ExprId) -> N {
        let file = self.file.clone();
        let ast::Expr { span, ref kind, .. } = file.tree.exprs[expr];
        match kind {
            ExprKind::Error => self.resolver.silent_error(span),
            ExprKind::Number(n) => self.resolver.leaf(span, Type::small_int(), Kind::Number(*n)),
            ExprKind::Str(text) => self
                .resolver
                .leaf(span, Type::sig(builtin::string()), Kind::Str(*text)),
            ExprKind::Const(word) => self.constant(*word, span),
            ExprKind::Name(name) => self.name(*name, span),
            ExprKind::PrimedName { base, primes } => self.primed_name(*base, *primes, span),
            ExprKind::At(name) => self.at_name(*name, span),
            ExprKind::Unary(op, sub) => {
                let sub = self.check(*sub);
                self.unary(*op, span, sub)
            }
            ExprKind::Binary(op @ (Binary::And | Binary::Or), ..) => self.chain(*op, expr, span),
            ExprKind::Binary(Binary::Then, a, b) => {
                let (a, b) = (self.check(*a), self.check(*b));
                let after = self.resolver.unary(Un::After, self.resolver.span(b), b);
                self.resolver.list(List::And, span, vec![a, after])
            }
            ExprKind::Binary(Binary::Join, left, right) => {
                let left = self.check(*left);
                match &file.tree.exprs[*right].kind {
                    ExprKind::Const(Const::Int | Const::Sum) => self.int_cast(span, left),
                    ExprKind::Const(Const::Disj) => self.resolver.list(List::Disjoint, span, vec![left]),
                    ExprKind::Const(Const::TotalOrder) => {
                        self.resolver.list(List::TotalOrder, span, vec![left])
                    }
                    _ => {
                        let right = self.check(*right);
                        self.join(span, left, right)
                    }
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.check(*a), self.check(*b));
                self.binary(*op, span, a, b)
            }
            ExprKind::Arrow {
                left,
                left_mult,
                right_mult,
                right,
            } => {
                let (left, right) = (self.check(*left), self.check(*right));
                self.resolver.arrow(span, left, *left_mult, *right_mult, right)
            }
            ExprKind::Apply(target, args) => self.apply(span, *target, args),
            ExprKind::If(a, b, c) => {
                let (a, b, c) = (self.check(*a), self.check(*b), self.check(*c));
                self.resolver.if_else(span, a, b, c)
            }
            ExprKind::Quantified {
                quantifier,
                decls,
                body,
            } => {
                let op = match quantifier {
                    Quantifier::All => Quant::All,
                    Quantifier::No => Quant::No,
                    Quantifier::Some => Quant::Some,
                    Quantifier::Lone => Quant::Lone,
                    Quantifier::One => Quant::One,
                    Quantifier::Sum => Quant::Sum,
                };
                self.quantified(op, span, decls, Some(*body))
            }
            ExprKind::Comprehension { decls, body } => {
                self.quantified(Quant::Comprehension, span, decls, *body)
            }
            ExprKind::Let { name, value, body } => self.let_in(span, *name, *value, *body),
            ExprKind::Block(items) => match items[..] {
                [] => self.resolver.leaf(span, Type::formula(), Kind::True),
                [single] => self.check(single),
                _ => {
                    let items = items.iter().map(|&it| self.check(it)).collect();
                    self.resolver.list(List::And, span, items)
                }
            },
        }
    }

    fn constant(&mut self, word: Const, span: Span) -> N {
        let int = builtin::int();
        match word {
            Const::This => self.name(Symbol::new("this"), span),
            Const::Univ => self.resolver.sig_node(span, builtin::univ()),
            Const::None => self.resolver.sig_node(span, builtin::none()),
            Const::SigInt => self.resolver.sig_node(span, int),
            Const::String => self.resolver.sig_node(span, builtin::string()),
            Const::SeqInt => self.resolver.sig_node(span, builtin::seq_int()),
            Const::Iden => self.resolver.leaf(span, Type::pair(builtin::univ()), Kind::Iden),
            Const::IntMin => self.resolver.leaf(span, Type::small_int(), Kind::IntMin),
            Const::IntMax => self.resolver.leaf(span, Type::small_int(), Kind::IntMax),
            Const::IntNext => self.resolver.leaf(span, Type::pair(int), Kind::IntNext),
            Const::Disj | Const::TotalOrder | Const::Int | Const::Sum => {
                let diagnostic = say::builtin_without_arguments(span);
                self.resolver.error(span, diagnostic)
            }
        }
    }

    fn unary(&mut self, op: Unary, span: Span, sub: N) -> N {
        let op = match op {
            Unary::SeqOf => return self.resolver.seq(span, sub),
            Unary::IntOf => return self.int_cast(span, sub),
            Unary::Not => Un::Not,
            Unary::Always => Un::Always,
            Unary::Eventually => Un::Eventually,
            Unary::After => Un::After,
            Unary::Before => Un::Before,
            Unary::Historically => Un::Historically,
            Unary::Once => Un::Once,
            Unary::No => Un::No,
            Unary::Some => Un::Some,
            Unary::Lone => Un::Lone,
            Unary::One => Un::One,
            Unary::SomeOf => Un::SomeOf,
            Unary::LoneOf => Un::LoneOf,
            Unary::OneOf => Un::OneOf,
            Unary::SetOf => Un::SetOf,
            Unary::Card => Un::Card,
            Unary::Transpose => Un::Transpose,
            Unary::Closure => Un::Closure,
            Unary::ReflexiveClosure => Un::ReflexiveClosure,
            Unary::Prime => Un::Prime,
        };
        self.resolver.unary(op, span, sub)
    }

    /// `int[e]`, `e.sum` and the like: the sum of the integers, again as a set of one.
    fn int_cast(&mut self, span: Span, sub: N) -> N {
        let number = self.resolver.unary(Un::ToInt, span, sub);
        self.resolver.unary(Un::FromInt, span, number)
    }

    /// `a and b and c` as one list, without a level for each word.
    fn chain(&mut self, op: Binary, expr: ast::ExprId, span: Span) -> N {
        let file = self.file.clone();
        let mut parts = vec![];
        let mut at = expr;
        while let ExprKind::Binary(same, left, right) = file.tree.exprs[at].kind
            && same == op
        {
            parts.push(right);
            at = left;
        }
        parts.push(at);
        let parts = parts.into_iter().rev().map(|it| self.check(it)).collect();
        let list = if op == Binary::And { List::And } else { List::Or };
        self.resolver.list(list, span, parts)
    }

    fn binary(&mut self, op: Binary, span: Span, a: N, b: N) -> N {
        let op = match op {
            Binary::Then | Binary::And | Binary::Or | Binary::Join => unreachable!("handled by the caller"),
            Binary::Iff => Bin::Iff,
            Binary::Implies => Bin::Implies,
            Binary::Until => Bin::Until,
            Binary::Releases => Bin::Releases,
            Binary::Since => Bin::Since,
            Binary::Triggered => Bin::Triggered,
            Binary::In => Bin::In,
            Binary::NotIn => Bin::NotIn,
            Binary::Equal => Bin::Equal,
            Binary::NotEqual => Bin::NotEqual,
            Binary::Lt => Bin::Lt,
            Binary::NotLt => Bin::NotLt,
            Binary::Le => Bin::Le,
            Binary::NotLe => Bin::NotLe,
            Binary::Gt => Bin::Gt,
            Binary::NotGt => Bin::NotGt,
            Binary::Ge => Bin::Ge,
            Binary::NotGe => Bin::NotGe,
            Binary::Shl => Bin::Shl,
            Binary::Sha => Bin::Sha,
            Binary::Shr => Bin::Shr,
            Binary::Union => Bin::Union,
            Binary::Difference => Bin::Difference,
            Binary::IntAdd => Bin::IntAdd,
            Binary::IntSub => Bin::IntSub,
            Binary::IntMul => Bin::IntMul,
            Binary::IntDiv => Bin::IntDiv,
            Binary::IntRem => Bin::IntRem,
            Binary::Override => Bin::Override,
            Binary::Intersect => Bin::Intersect,
            Binary::Domain => Bin::Domain,
            Binary::Range => Bin::Range,
        };
        self.resolver.binary(op, span, a, b)
    }

    // ---- joins and calls ----

    fn apply(&mut self, span: Span, target: ast::ExprId, args: &[ast::ExprId]) -> N {
        let file = self.file.clone();
        let callee = match &file.tree.exprs[target].kind {
            ExprKind::Const(Const::Disj) => List::Disjoint,
            ExprKind::Const(Const::TotalOrder) => List::TotalOrder,
            ExprKind::Const(Const::Int | Const::Sum) => {
                let mut args = args.iter();
                let Some(&first) = args.next() else {
                    return self.constant(Const::Int, span);
                };
                let first = self.check(first);
                let mut cast = self.int_cast(span, first);
                for &arg in args {
                    let arg = self.check(arg);
                    cast = self.join(span, arg, cast);
                }
                return cast;
            }
            _ => {
                let mut callee = self.check(target);
                for &arg in args {
                    let arg = self.check(arg);
                    callee = self.join(span, arg, callee);
                }
                return callee;
            }
        };
        let args = args.iter().map(|&it| self.check(it)).collect();
        self.resolver.list(callee, span, args)
    }

    /// `left.right`: a join, or one more argument for what `right` may call.
    fn join(&mut self, span: Span, left: N, right: N) -> N {
        match &self.resolver.node(right).kind {
            Kind::Macro { id, args } => {
                let (id, mut args) = (*id, args.clone());
                args.push(left);
                return self.expand(id, args, span);
            }
            Kind::Sig(sig) if *sig == builtin::int() && self.resolver.ty(left).is_int() => return left,
            Kind::List(op @ (List::Disjoint | List::TotalOrder), args) => {
                let (op, mut args) = (*op, args.clone());
                args.push(left);
                return self.resolver.list(op, span, args);
            }
            _ => {}
        }
        let left = self.resolver.as_set(left);
        if let (false, Kind::Choice { choices, meanings }) =
            (self.resolver.is_bad(left), &self.resolver.node(right).kind)
        {
            let (choices, meanings) = (choices.clone(), meanings.clone());
            let joined = choices
                .into_iter()
                .map(|it| self.join_choice(span, left, it))
                .collect();
            return self.resolver.choice(span, joined, meanings);
        }
        self.resolver.binary(Bin::Join, span, left, right)
    }

    fn join_choice(&mut self, span: Span, left: N, choice: N) -> N {
        let mut inner = choice;
        while let Kind::Choice { choices, .. } = &self.resolver.node(inner).kind
            && let [single] = choices[..]
        {
            inner = single;
        }
        if let Kind::PartialCall { fun, args } = &self.resolver.node(inner).kind {
            let (fun, mut args) = (*fun, args.clone());
            if args.len() < self.resolver.declared.funs[fun.index()].params.len() {
                let of_args: u32 = args.iter().map(|&it| self.resolver.node(it).weight).sum();
                let extra = self.resolver.node(inner).weight.saturating_sub(of_args);
                args.push(left);
                return self.resolver.call(span, fun, args, extra);
            }
        }
        self.resolver.binary(Bin::Join, span, left, inner)
    }

    // ---- binders ----

    fn quantified(&mut self, op: Quant, span: Span, decls: &[ast::Decl], body: Option<ast::ExprId>) -> N {
        let mut checked: Vec<QuantDecl> = vec![];
        let mut bound_names = vec![];
        for decl in decls {
            let mut bound = self.set(decl.bound);
            if decl.is_defined {
                bound = self.resolver.unary(Un::ExactlyOf, decl.span, bound);
            } else if self.resolver.node(bound).mult == HasMult::No
                && self.resolver.ty(bound).arity() == Some(1)
            {
                bound = self.resolver.unary(Un::OneOf, self.resolver.span(bound), bound);
            }
            if let ([decl], [name], Some(body)) = (decls, &decl.names[..], body)
                && !decl.is_defined
                && let Some(expanded) = self.over_meta_atoms(op, span, bound, name.text, body)
            {
                return expanded;
            }
            let ty = self.resolver.ty(bound);
            let is_bad = self.resolver.is_bad(bound);
            let mut vars = vec![];
            for name in &decl.names {
                let var = self.resolver.add_var(name.text, Some(name.span), &ty);
                let node = match is_bad {
                    true => self.resolver.silent_error(name.span),
                    false => self.resolver.var_node(name.span, var, &ty),
                };
                self.bind(name.text, node);
                bound_names.push((*name, var));
                vars.push(var);
            }
            checked.push(QuantDecl {
                vars,
                is_disj: decl.disj.is_some() && decl.names.len() > 1,
                bound,
            });
        }
        let body = match body {
            Some(body) => self.check(body),
            None => self.resolver.leaf(span, Type::formula(), Kind::True),
        };
        let body = match op {
            Quant::Sum => self.resolver.resolve_as_int(body, self.warns),
            _ => self.resolver.resolve_as_formula(body, self.warns),
        };
        for (name, var) in bound_names {
            self.unbind(name.text);
            let is_sound = !self.resolver.is_bad(body);
            if op != Quant::Comprehension && is_sound && !self.resolver.is_used(var) {
                self.warn(say::unused_variable(name.text.as_str(), name.span));
            }
        }
        self.resolver.quantified(op, span, checked, body)
    }

    /// A quantifier over meta atoms is written out, once for each: the value of `a.value` has another type for each.
    fn over_meta_atoms(
        &mut self,
        op: Quant,
        span: Span,
        bound: N,
        name: Symbol,
        body: ast::ExprId,
    ) -> Option<N> {
        if !matches!(op, Quant::All | Quant::Some | Quant::Comprehension) || self.resolver.is_bad(bound) {
            return None;
        }
        if !matches!(self.resolver.node(bound).kind, Kind::Unary(Un::OneOf, _)) {
            return None;
        }
        let meta = self.resolver.declared.meta.clone()?;
        let ty = self.resolver.ty(bound);
        let atoms: Vec<SigId> = meta.sig_atoms.iter().chain(&meta.field_atoms).copied().collect();
        let is_meta = ty.has_tuple()
            && ty.products.iter().all(|it| {
                [meta.sig, meta.field]
                    .iter()
                    .flatten()
                    .any(|&of| self.resolver.types.hierarchy.is_within(it[0], of))
            });
        if !is_meta {
            return None;
        }
        let warned = std::mem::replace(&mut self.warns, false);
        let mut parts = vec![];
        for atom in atoms {
            let atom_type = self.resolver.types.of_sigs[atom.index()].clone();
            if !self.resolver.types.hierarchy.types_meet(&atom_type, &ty) {
                continue;
            }
            let node = self.resolver.sig_node(span, atom);
            self.bind(name, node);
            let sub = self.check(body);
            let sub = self.resolver.as_formula(sub);
            let sub = self.resolver.resolve_as_formula(sub, false);
            self.unbind(name);
            let is_in = self.resolver.binary(Bin::In, span, node, bound);
            parts.push(match op {
                Quant::All => self.resolver.binary(Bin::Implies, span, is_in, sub),
                Quant::Some => self.resolver.list(List::And, span, vec![is_in, sub]),
                _ => {
                    let both = self.resolver.list(List::And, span, vec![is_in, sub]);
                    let none = self.resolver.sig_node(span, builtin::none());
                    self.resolver.if_else(span, both, node, none)
                }
            });
        }
        self.warns = warned;
        let none = self.resolver.sig_node(span, builtin::none());
        Some(match op {
            Quant::All => self.resolver.list(List::And, span, parts),
            Quant::Some => self.resolver.list(List::Or, span, parts),
            _ => parts
                .into_iter()
                .fold(none, |all, it| self.resolver.binary(Bin::Union, span, all, it)),
        })
    }

    fn let_in(&mut self, span: Span, name: ast::Name, value: ast::ExprId, body: ast::ExprId) -> N {
        let value = self.any(value);
        let ty = self.resolver.ty(value);
        let var = self.resolver.add_var(name.text, Some(name.span), &ty);
        let node = match self.resolver.is_bad(value) {
            true => self.resolver.silent_error(name.span),
            false => self.resolver.var_node(name.span, var, &ty),
        };
        self.bind(name.text, node);
        let body = self.check(body);
        self.unbind(name.text);
        if !self.resolver.is_bad(body) && !self.resolver.is_used(var) {
            self.warn(say::unused_variable(name.text.as_str(), name.span));
        }
        self.resolver.let_in(span, var, value, body)
    }
}
