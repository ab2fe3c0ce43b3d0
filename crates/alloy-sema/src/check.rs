//! Syntax to nodes: names are looked up, receivers become arguments, macros are expanded.
//!
//! A [`Context`] says where an expression stands: in which module, in which sig (then `this` is implied before fields),
//! in a declaration (then functions cannot be called), and which local names there are. What a name may mean follows
//! the Analyzer: locals hide macros, macros hide the rest, and the rest is a choice that types decide.

use std::sync::Arc;

use alloy_syntax::ast::{self, Binary, Const, ExprKind, Paragraph, Quantifier, Unary};
use diag::Diagnostic;
use source::Span;
use util::{FxHashMap, Symbol, deep};

use crate::diagnostics as say;
use crate::ir::{FormulaId, FormulaKind, FunId, ModuleId, SigId, builtin};
use crate::load::LoadedFile;
use crate::node::{Bin, HasMult, Kind, List, Meaning, N, Quant, QuantDecl, Un};
use crate::types::Type;
use crate::world::{FunSource, World};

/// Macros within macros; the deepest that the utility modules need is about half of this.
const MACRO_DEPTH_MAX: u32 = 40;
/// All expansions of a specification: two self-applications at each level would double it at each level.
const MACRO_EXPANSIONS_MAX: u32 = 100_000;

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
    pub world: &'w mut World,
    module: ModuleId,
    file: Arc<LoadedFile>,
    place: Place,
    /// The sig whose fields or facts are checked.
    sig: Option<SigId>,
    locals: FxHashMap<Symbol, Vec<N>>,
    macro_depth: u32,
    /// Warnings are wanted; not in expansions of one text for several meta atoms.
    pub warns: bool,
}

impl<'w> Context<'w> {
    pub fn new(world: &'w mut World, module: ModuleId, place: Place, sig: Option<SigId>) -> Context<'w> {
        let file = world.files[world.modules[module.index()].file].clone();
        let warns = !file.is_library;
        Context {
            world,
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
            self.world.report(diagnostic);
        }
    }

    // ---- whole expressions, with overloads decided ----

    pub fn formula(&mut self, expr: ast::ExprId) -> N {
        let n = self.check(expr);
        self.world.resolve_as_formula(n, self.warns)
    }

    /// A formula as IR, or `None` when it has errors; these are reported. A block is taken item by item and its nodes
    /// are dropped at once: a file may be one long fact.
    pub fn finished_formula(&mut self, expr: ast::ExprId) -> Option<FormulaId> {
        let file = self.file.clone();
        let ast::Expr { span, ref kind, .. } = file.tree.exprs[expr];
        let ExprKind::Block(items) = kind else {
            let n_nodes = self.world.nodes.len();
            let checked = self.formula(expr);
            let is_bad = self.world.report_errors(checked);
            let formula = (!is_bad).then(|| self.world.elaborate_formula(checked));
            self.world.forget_nodes(n_nodes);
            return formula;
        };
        let formulas: Vec<Option<FormulaId>> = items
            .iter()
            .map(|&it| deep(|| self.finished_formula(it)))
            .collect();
        let formulas: Vec<FormulaId> = formulas.into_iter().collect::<Option<_>>()?;
        Some(match formulas[..] {
            [single] => single,
            _ => self.world.add_formula(span, FormulaKind::And(formulas)),
        })
    }

    pub fn set(&mut self, expr: ast::ExprId) -> N {
        let n = self.check(expr);
        self.world.resolve_as_set(n, self.warns)
    }

    /// An expression of any sort.
    pub fn any(&mut self, expr: ast::ExprId) -> N {
        let n = self.check(expr);
        let ty = self.world.ty(n);
        self.world.resolve(n, &ty, self.warns)
    }

    // ---- expressions ----

    pub fn check(&mut self, expr: ast::ExprId) -> N {
        deep(|| self.check_kind(expr))
    }

    fn check_kind(&mut self, expr: ast::ExprId) -> N {
        let file = self.file.clone();
        let ast::Expr { span, ref kind, .. } = file.tree.exprs[expr];
        match kind {
            ExprKind::Error => self.world.silent_error(span),
            ExprKind::Number(n) => self.world.leaf(span, Type::small_int(), Kind::Number(*n)),
            ExprKind::Str(text) => self
                .world
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
                let after = self.world.unary(Un::After, self.world.span(b), b);
                self.world.list(List::And, span, vec![a, after])
            }
            ExprKind::Binary(Binary::Join, left, right) => {
                let left = self.check(*left);
                match &file.tree.exprs[*right].kind {
                    ExprKind::Const(Const::Int | Const::Sum) => self.int_cast(span, left),
                    ExprKind::Const(Const::Disj) => self.world.list(List::Disjoint, span, vec![left]),
                    ExprKind::Const(Const::TotalOrder) => self.world.list(List::TotalOrder, span, vec![left]),
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
                self.world.arrow(span, left, *left_mult, *right_mult, right)
            }
            ExprKind::Apply(target, args) => self.apply(span, *target, args),
            ExprKind::If(a, b, c) => {
                let (a, b, c) = (self.check(*a), self.check(*b), self.check(*c));
                self.world.if_else(span, a, b, c)
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
                [] => self.world.leaf(span, Type::formula(), Kind::True),
                [single] => self.check(single),
                _ => {
                    let items = items.iter().map(|&it| self.check(it)).collect();
                    self.world.list(List::And, span, items)
                }
            },
        }
    }

    fn constant(&mut self, word: Const, span: Span) -> N {
        let int = builtin::int();
        match word {
            Const::This => self.name(Symbol::new("this"), span),
            Const::Univ => self.world.sig_node(span, builtin::univ()),
            Const::None => self.world.sig_node(span, builtin::none()),
            Const::SigInt => self.world.sig_node(span, int),
            Const::String => self.world.sig_node(span, builtin::string()),
            Const::SeqInt => self.world.sig_node(span, builtin::seq_int()),
            Const::Iden => self.world.leaf(span, Type::pair(builtin::univ()), Kind::Iden),
            Const::IntMin => self.world.leaf(span, Type::small_int(), Kind::IntMin),
            Const::IntMax => self.world.leaf(span, Type::small_int(), Kind::IntMax),
            Const::IntNext => self.world.leaf(span, Type::pair(int), Kind::IntNext),
            Const::Disj | Const::TotalOrder | Const::Int | Const::Sum => {
                let diagnostic = say::builtin_without_arguments(span);
                self.world.error(span, diagnostic)
            }
        }
    }

    fn unary(&mut self, op: Unary, span: Span, sub: N) -> N {
        let op = match op {
            Unary::SeqOf => return self.world.seq(span, sub),
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
        self.world.unary(op, span, sub)
    }

    /// `int[e]`, `e.sum` and the like: the sum of the integers, again as a set of one.
    fn int_cast(&mut self, span: Span, sub: N) -> N {
        let number = self.world.unary(Un::ToInt, span, sub);
        self.world.unary(Un::FromInt, span, number)
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
        self.world.list(list, span, parts)
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
        self.world.binary(op, span, a, b)
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
        self.world.list(callee, span, args)
    }

    /// `left.right`: a join, or one more argument for what `right` may call.
    fn join(&mut self, span: Span, left: N, right: N) -> N {
        match &self.world.node(right).kind {
            Kind::Macro { id, args } => {
                let (id, mut args) = (*id, args.clone());
                args.push(left);
                return self.expand(id, args, span);
            }
            Kind::Sig(sig) if *sig == builtin::int() && self.world.ty(left).is_int() => return left,
            Kind::List(op @ (List::Disjoint | List::TotalOrder), args) => {
                let (op, mut args) = (*op, args.clone());
                args.push(left);
                return self.world.list(op, span, args);
            }
            _ => {}
        }
        let left = self.world.as_set(left);
        if let (false, Kind::Choice { choices, meanings }) =
            (self.world.is_bad(left), &self.world.node(right).kind)
        {
            let (choices, meanings) = (choices.clone(), meanings.clone());
            let joined = choices
                .into_iter()
                .map(|it| self.join_choice(span, left, it))
                .collect();
            return self.world.choice(span, joined, meanings);
        }
        self.world.binary(Bin::Join, span, left, right)
    }

    fn join_choice(&mut self, span: Span, left: N, choice: N) -> N {
        let mut inner = choice;
        while let Kind::Choice { choices, .. } = &self.world.node(inner).kind
            && let [single] = choices[..]
        {
            inner = single;
        }
        if let Kind::PartialCall { fun, args } = &self.world.node(inner).kind {
            let (fun, mut args) = (*fun, args.clone());
            if args.len() < self.world.funs[fun.index()].params.len() {
                let of_args: u32 = args.iter().map(|&it| self.world.node(it).weight).sum();
                let extra = self.world.node(inner).weight.saturating_sub(of_args);
                args.push(left);
                return self.world.call(span, fun, args, extra);
            }
        }
        self.world.binary(Bin::Join, span, left, inner)
    }

    // ---- binders ----

    fn quantified(&mut self, op: Quant, span: Span, decls: &[ast::Decl], body: Option<ast::ExprId>) -> N {
        let mut checked: Vec<QuantDecl> = vec![];
        let mut bound_names = vec![];
        for decl in decls {
            let mut bound = self.set(decl.bound);
            if decl.is_defined {
                bound = self.world.unary(Un::ExactlyOf, decl.span, bound);
            } else if self.world.node(bound).mult == HasMult::No && self.world.ty(bound).arity() == Some(1) {
                bound = self.world.unary(Un::OneOf, self.world.span(bound), bound);
            }
            if let ([decl], [name], Some(body)) = (decls, &decl.names[..], body)
                && !decl.is_defined
                && let Some(expanded) = self.over_meta_atoms(op, span, bound, name.text, body)
            {
                return expanded;
            }
            let ty = self.world.ty(bound);
            let is_bad = self.world.is_bad(bound);
            let mut vars = vec![];
            for name in &decl.names {
                let var = self.world.add_var(name.text, Some(name.span), &ty);
                let node = match is_bad {
                    true => self.world.silent_error(name.span),
                    false => self.world.var_node(name.span, var, &ty),
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
            None => self.world.leaf(span, Type::formula(), Kind::True),
        };
        let body = match op {
            Quant::Sum => self.world.resolve_as_int(body, self.warns),
            _ => self.world.resolve_as_formula(body, self.warns),
        };
        for (name, var) in bound_names {
            self.unbind(name.text);
            let is_sound = !self.world.is_bad(body);
            if op != Quant::Comprehension && is_sound && !self.world.is_used(var) {
                self.warn(say::unused_variable(name.text.as_str(), name.span));
            }
        }
        self.world.quantified(op, span, checked, body)
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
        if !matches!(op, Quant::All | Quant::Some | Quant::Comprehension) || self.world.is_bad(bound) {
            return None;
        }
        if !matches!(self.world.node(bound).kind, Kind::Unary(Un::OneOf, _)) {
            return None;
        }
        let meta = self.world.meta.clone()?;
        let ty = self.world.ty(bound);
        let atoms: Vec<SigId> = meta.sig_atoms.iter().chain(&meta.field_atoms).copied().collect();
        let is_meta = ty.has_tuple()
            && ty.products.iter().all(|it| {
                [meta.sig, meta.field]
                    .iter()
                    .flatten()
                    .any(|&of| self.world.hierarchy.is_within(it[0], of))
            });
        if !is_meta {
            return None;
        }
        let warned = std::mem::replace(&mut self.warns, false);
        let mut parts = vec![];
        for atom in atoms {
            let atom_type = self.world.sig_types[atom.index()].clone();
            if !self.world.hierarchy.types_meet(&atom_type, &ty) {
                continue;
            }
            let node = self.world.sig_node(span, atom);
            self.bind(name, node);
            let sub = self.check(body);
            let sub = self.world.as_formula(sub);
            let sub = self.world.resolve_as_formula(sub, false);
            self.unbind(name);
            let is_in = self.world.binary(Bin::In, span, node, bound);
            parts.push(match op {
                Quant::All => self.world.binary(Bin::Implies, span, is_in, sub),
                Quant::Some => self.world.list(List::And, span, vec![is_in, sub]),
                _ => {
                    let both = self.world.list(List::And, span, vec![is_in, sub]);
                    let none = self.world.sig_node(span, builtin::none());
                    self.world.if_else(span, both, node, none)
                }
            });
        }
        self.warns = warned;
        let none = self.world.sig_node(span, builtin::none());
        Some(match op {
            Quant::All => self.world.list(List::And, span, parts),
            Quant::Some => self.world.list(List::Or, span, parts),
            _ => parts
                .into_iter()
                .fold(none, |all, it| self.world.binary(Bin::Union, span, all, it)),
        })
    }

    fn let_in(&mut self, span: Span, name: ast::Name, value: ast::ExprId, body: ast::ExprId) -> N {
        let value = self.any(value);
        let ty = self.world.ty(value);
        let var = self.world.add_var(name.text, Some(name.span), &ty);
        let node = match self.world.is_bad(value) {
            true => self.world.silent_error(name.span),
            false => self.world.var_node(name.span, var, &ty),
        };
        self.bind(name.text, node);
        let body = self.check(body);
        self.unbind(name.text);
        if !self.world.is_bad(body) && !self.world.is_used(var) {
            self.warn(say::unused_variable(name.text.as_str(), name.span));
        }
        self.world.let_in(span, var, value, body)
    }

    // ---- names ----

    fn local(&mut self, name: Symbol, span: Span) -> Option<N> {
        let node = *self.locals.get(&name)?.last()?;
        Some(match self.world.node(node).kind {
            Kind::Var(var) => {
                self.world.mark_used(var);
                self.world.moved(node, span)
            }
            Kind::Macro { .. } => node,
            // An argument of a macro that still waits for arguments of its own.
            _ if self.world.is_bad(node) => self.world.choice(span, vec![node], vec![Meaning::Local]),
            _ => node,
        })
    }

    pub fn name(&mut self, name: Symbol, span: Span) -> N {
        match self.opt_name(name, span) {
            Some(node) => node,
            None => self.unknown_name(name, span),
        }
    }

    fn opt_name(&mut self, name: Symbol, span: Span) -> Option<N> {
        if let Some(local) = self.local(name, span) {
            return Some(local);
        }
        match self.find_macro(name) {
            Ok(Some(id)) => return Some(self.expand(id, vec![], span)),
            Ok(None) => {}
            Err(diagnostic) => return Some(self.world.error(span, diagnostic(span))),
        }
        self.global(name, span, true)
    }

    fn at_name(&mut self, name: Symbol, span: Span) -> N {
        match self.global(name, span, false) {
            Some(node) => node,
            None => self.unknown_name(name, span),
        }
    }

    /// `b''` is the longest declared name of `b''`, `b'`, `b`; what primes are left are operators.
    fn primed_name(&mut self, base: Symbol, primes: u8, span: Span) -> N {
        for in_name in (0..=primes).rev() {
            let text = format!("{base}{}", "'".repeat(in_name as usize));
            if let Some(mut node) = self.opt_name(Symbol::new(&text), span) {
                for _ in in_name..primes {
                    node = self.world.unary(Un::Prime, span, node);
                }
                return node;
            }
        }
        let full = Symbol::new(&format!("{base}{}", "'".repeat(primes as usize)));
        self.unknown_name(full, span)
    }

    fn unknown_name(&mut self, name: Symbol, span: Span) -> N {
        if self.world.is_hopeless() {
            return self.world.silent_error(span); // looking for what was meant takes time
        }
        let diagnostic = self.name_not_found(name, span);
        self.world.error(span, diagnostic)
    }

    #[allow(clippy::type_complexity)]
    fn find_macro(&self, name: Symbol) -> Result<Option<usize>, Box<dyn Fn(Span) -> Diagnostic>> {
        let text = name.as_str();
        if text.contains('/') {
            let Some((module, last)) = self.world.follow_path(self.module, text) else {
                return Ok(None);
            };
            let found = self.world.modules[module.index()]
                .macros
                .get(&Symbol::new(last))
                .copied();
            return Ok(found.filter(|&it| self.is_macro_visible(it)));
        }
        let modules = &self.world.modules[self.module.index()].nameable;
        let found: Vec<usize> = modules
            .iter()
            .filter_map(|it| self.world.modules[it.index()].macros.get(&name).copied())
            .filter(|&it| self.is_macro_visible(it))
            .collect();
        match found[..] {
            [] => Ok(None),
            [single] => Ok(Some(single)),
            _ => {
                let candidates: Vec<_> = found
                    .iter()
                    .map(|&it| (format!("macro {name}"), Some(self.world.macro_span(it))))
                    .collect();
                Err(Box::new(move |span| {
                    say::ambiguous_name(name.as_str(), span, &candidates)
                }))
            }
        }
    }

    fn is_macro_visible(&self, id: usize) -> bool {
        let data = &self.world.macros[id];
        data.module == self.module || !self.world.macro_tree(id).is_private
    }

    /// What sigs, functions and fields a name may mean. With `implies_this`, fields of the sig at hand are those of
    /// `this`.
    fn global(&mut self, name: Symbol, span: Span, implies_this: bool) -> Option<N> {
        if let Some(sig) = crate::world::builtin_sig(name.as_str()) {
            return Some(self.world.sig_node(span, sig));
        }
        if let Some(meta) = &self.world.meta {
            let sig = match name.as_str() {
                "sig$" => meta.sig,
                "field$" => meta.field,
                _ => None,
            };
            if let Some(sig) = sig {
                return Some(self.world.sig_node(span, sig));
            }
        }
        let mut choices = vec![];
        let mut meanings = vec![];
        for sig in self.world.sig_candidates(self.module, name) {
            choices.push(self.world.sig_node(span, sig));
            meanings.push(Meaning::Sig(sig));
        }
        if self.may_call() {
            self.fun_choices(name, span, &mut choices, &mut meanings);
        }
        self.field_choices(name, span, implies_this, &mut choices, &mut meanings);
        (!choices.is_empty()).then(|| self.world.choice(span, choices, meanings))
    }

    fn may_call(&self) -> bool {
        !matches!(self.place, Place::Field { is_defined: false } | Place::Signature)
    }

    fn fun_choices(&mut self, name: Symbol, span: Span, choices: &mut Vec<N>, meanings: &mut Vec<Meaning>) {
        let this = self.this_node(span);
        for fun in self.world.fun_candidates(self.module, name) {
            let first_param = self.world.funs[fun.index()].params.first().map(|it| it.1.clone());
            if let (Some(_), Some(this), Some(first)) = (self.sig, this, first_param) {
                let ty = self.world.ty(this);
                if ty.has_arity(1) && self.world.hierarchy.types_meet(&first, &ty) {
                    choices.push(self.world.call(span, fun, vec![this], 1));
                    meanings.push(Meaning::FunOfThis(fun));
                }
            }
            choices.push(self.world.call(span, fun, vec![], 0));
            meanings.push(Meaning::Fun(fun));
        }
    }

    fn this_node(&mut self, span: Span) -> Option<N> {
        let this = *self.locals.get(&Symbol::new("this"))?.last()?;
        if let Kind::Var(var) = self.world.node(this).kind {
            self.world.mark_used(var);
        }
        Some(self.world.moved(this, span))
    }

    fn field_choices(
        &mut self,
        name: Symbol,
        span: Span,
        implies_this: bool,
        choices: &mut Vec<N>,
        meanings: &mut Vec<Meaning>,
    ) {
        for field in self.world.field_candidates(self.module, name) {
            let owner = self.world.model.fields[field].sig;
            let is_meta = self.world.model.fields[field].is_meta;
            let ty = (*self.world.field_types[field.index()]).clone();
            if ty.is_impossible() {
                choices.push(self.world.silent_error(span)); // its declaration is in error
                meanings.push(Meaning::Field(field));
                continue;
            }
            let is_declaration = matches!(self.place, Place::Field { .. });
            let node = match self.sig {
                _ if is_meta && is_declaration => continue,
                None => self.world.leaf(span, ty, Kind::Field(field)),
                _ if is_meta => self.world.leaf(span, ty, Kind::Field(field)),
                Some(sig) if self.world.is_same_or_below(sig, owner) => {
                    let node = self.world.leaf(span, ty, Kind::Field(field));
                    match implies_this.then(|| self.this_node(span)).flatten() {
                        Some(this) => self.world.binary(Bin::Join, span, this, node),
                        None => node,
                    }
                }
                _ if self.place == (Place::Field { is_defined: false }) => continue,
                _ => self.world.weighted_leaf(span, ty, Kind::Field(field), 1),
            };
            choices.push(node);
            meanings.push(Meaning::Field(field));
        }
    }

    fn name_not_found(&self, name: Symbol, span: Span) -> Diagnostic {
        let text = name.as_str();
        if text == "this" {
            return say::no_this(span);
        }
        if !self.may_call() && !self.world.fun_candidates(self.module, name).is_empty() {
            return say::call_in_declaration(text, span);
        }
        let mut known: Vec<&str> = vec![];
        let mut locals: Vec<_> = self
            .locals
            .iter()
            .filter(|it| !it.1.is_empty())
            .map(|it| it.0.as_str())
            .collect();
        locals.sort_unstable();
        known.extend(locals);
        for &module in &self.world.modules[self.module.index()].nameable {
            let data = &self.world.modules[module.index()];
            for &sig in &data.sig_list {
                let sig = &self.world.model.sigs[sig];
                known.push(sig.name.as_str());
                known.extend(
                    sig.fields
                        .iter()
                        .map(|&it| self.world.model.fields[it].name.as_str()),
                );
            }
            let mut names: Vec<_> = data
                .funs
                .keys()
                .chain(data.macros.keys())
                .map(|it| it.as_str())
                .collect();
            names.sort_unstable();
            known.extend(names);
        }
        let later = self.world.later_field(self.sig, name);
        let hidden = self.world.hidden(self.module, name);
        say::name_not_found(text, span, &known, later, hidden)
    }

    // ---- macros ----

    /// The macro with these arguments; expanded as soon as they are complete.
    fn expand(&mut self, id: usize, args: Vec<N>, span: Span) -> N {
        let tree = self.world.macro_tree(id);
        let n_params = tree.params.len();
        if args.len() < n_params {
            let diagnostic =
                say::macro_arguments(tree.name.text.as_str(), n_params, args.len(), span, tree.span);
            return self.world.partial_macro(span, id, args, diagnostic);
        }
        if self.world.n_expansions > MACRO_EXPANSIONS_MAX {
            return self.world.silent_error(span); // said once, and an end to it
        }
        self.world.n_expansions += 1;
        if self.macro_depth >= MACRO_DEPTH_MAX || self.world.n_expansions == MACRO_EXPANSIONS_MAX {
            self.world.n_expansions = MACRO_EXPANSIONS_MAX + 1;
            self.world
                .report(say::macro_too_deep(tree.name.text.as_str(), span, tree.span));
            return self.world.silent_error(span);
        }
        let mut locals: FxHashMap<Symbol, Vec<N>> = FxHashMap::default();
        for (param, arg) in tree.params.iter().zip(args) {
            let arg = match self.world.node(arg).kind {
                Kind::Macro { .. } => arg,
                _ => {
                    let ty = self.world.ty(arg);
                    let arg = self.world.resolve(arg, &ty, self.warns);
                    self.world.nodes[arg.index()].is_final = true;
                    arg
                }
            };
            locals.insert(param.text, vec![arg]);
        }
        let module = self.world.macros[id].module;
        let file = self.world.files[self.world.modules[module.index()].file].clone();
        let mut inner = Context {
            world: self.world,
            module,
            file,
            place: Place::Body,
            sig: None,
            locals,
            macro_depth: self.macro_depth + 1,
            warns: self.warns,
        };
        inner.check(tree.body)
    }
}

impl World {
    pub fn macro_tree(&self, id: usize) -> ast::Macro {
        let data = &self.macros[id];
        let file = &self.files[self.modules[data.module.index()].file];
        match &file.tree.paragraphs[data.paragraph] {
            Paragraph::Macro(tree) => tree.clone(),
            _ => unreachable!("macros are made from such paragraphs"),
        }
    }

    fn macro_span(&self, id: usize) -> Span {
        self.macro_tree(id).span
    }

    /// The functions that a name may mean in a module.
    pub fn fun_candidates(&self, module: ModuleId, name: Symbol) -> Vec<FunId> {
        let text = name.as_str();
        let is_visible = |owner: ModuleId, fun: FunId| owner == module || !self.model.funs[fun].is_private;
        let visible_in = |owner: ModuleId, name: Symbol| -> Vec<FunId> {
            let funs = self.modules[owner.index()].funs.get(&name);
            funs.into_iter()
                .flatten()
                .copied()
                .filter(|&it| is_visible(owner, it))
                .collect()
        };
        let (start, last) = match text.contains('/') {
            false => (module, name),
            true => match self.follow_path(module, text) {
                Some((start, last)) => {
                    let last = Symbol::new(last);
                    let own = visible_in(start, last);
                    if !own.is_empty() {
                        return own;
                    }
                    (start, last)
                }
                None => return vec![],
            },
        };
        self.modules[start.index()]
            .nameable
            .iter()
            .flat_map(|&it| visible_in(it, last))
            .collect()
    }

    /// The fields of that name which a module can name, in order of modules and declarations.
    fn field_candidates(&self, module: ModuleId, name: Symbol) -> Vec<crate::ir::FieldId> {
        let Some(fields) = self.fields_by_name.get(&name) else {
            return vec![];
        };
        let nameable = &self.modules[module.index()].nameable;
        let mut found: Vec<_> = fields
            .iter()
            .filter_map(|&field| {
                let data = &self.model.fields[field];
                if data.is_meta {
                    return Some((usize::MAX, field));
                }
                let owner = self.model.sigs[data.sig].module;
                let rank = nameable.iter().position(|&it| it == owner)?;
                let is_hidden = owner != module && (data.is_private || self.model.sigs[data.sig].is_private);
                (!is_hidden).then_some((rank, field))
            })
            .collect();
        found.sort();
        found.into_iter().map(|it| it.1).collect()
    }

    /// A field of the sig that is declared, but only after the place at hand.
    fn later_field(&self, sig: Option<SigId>, name: Symbol) -> Option<Span> {
        let data = self.sig_data[sig?.index()];
        let crate::world::SigSource::Sig { paragraph } = data.source else {
            return None;
        };
        let file = &self.files[self.modules[data.module.index()].file];
        let Paragraph::Sig(tree) = &file.tree.paragraphs[paragraph] else {
            return None;
        };
        tree.fields
            .iter()
            .flat_map(|it| &it.names)
            .find(|it| it.text == name)
            .map(|it| it.span)
    }

    /// Something private of that name in another module.
    fn hidden(&self, module: ModuleId, name: Symbol) -> Option<Span> {
        self.modules[module.index()].nameable.iter().find_map(|owner| {
            let data = &self.modules[owner.index()];
            let sig = data.sigs.get(&name).and_then(|&it| self.model.sigs[it].span);
            let fun = data.funs.get(&name).map(|it| self.model.funs[it[0]].span);
            let mut fields = data.sig_list.iter().flat_map(|&it| &self.model.sigs[it].fields);
            let field = fields.find(|&&it| self.model.fields[it].name == name);
            sig.or(fun).or(field.and_then(|&it| self.model.fields[it].span))
        })
    }

    /// The text of a function's declaration.
    pub fn fun_tree(&self, fun: FunId) -> (Arc<LoadedFile>, usize) {
        let data = &self.funs[fun.index()];
        let file = self.files[self.modules[data.module.index()].file].clone();
        match data.source {
            FunSource::Fun { paragraph } | FunSource::Run { paragraph } => (file, paragraph),
        }
    }
}
