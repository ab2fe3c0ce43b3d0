//! Overloads decided from above: each node is told which part of its type is relevant, and passes on what is relevant
//! of its operands. A choice takes the meaning that can contribute. On the way it shows which expressions cannot
//! contribute at all; those are the warnings.
//!
//! The relevant types, and the order in which a choice narrows down (possible, then arity, then least far-fetched),
//! are those of the Analyzer, so that a model means the same here.

use diag::Diagnostic;
use util::{FxHashMap, deep};

use crate::diagnostics as say;
use crate::ir::{FunId, VarId, builtin};
use crate::node::{Bin, Kind, List, Meaning, N, Quant, Un};
use crate::resolver::Resolver;
use crate::types::{Product, Type, is_empty_product};

impl Resolver {
    pub fn resolve_as_formula(&mut self, n: N, warns: bool) -> N {
        let n = self.as_formula(n);
        let n = self.resolve(n, &Type::formula(), warns);
        self.as_formula(n)
    }

    pub fn resolve_as_int(&mut self, n: N, warns: bool) -> N {
        let n = self.as_int(n);
        let n = self.resolve(n, &Type::small_int(), warns);
        self.as_int(n)
    }

    pub fn resolve_as_set(&mut self, n: N, warns: bool) -> N {
        let n = self.as_set(n);
        let ty = self.ty(n).as_set();
        let n = self.resolve(n, &ty, warns);
        self.as_set(n)
    }

    /// The node with every choice in it decided, where `wanted` is the part of its value that matters.
    pub fn resolve(&mut self, n: N, wanted: &Type, warns: bool) -> N {
        if self.is_bad(n) || self.node(n).is_final {
            return n;
        }
        deep(|| self.resolve_kind(n, wanted, warns))
    }

    fn resolve_kind(&mut self, n: N, wanted: &Type, warns: bool) -> N {
        match &self.node(n).kind {
            Kind::Unary(op, sub) => self.resolve_unary(n, *op, *sub, wanted, warns),
            Kind::Binary(op, left, right) => self.resolve_binary(n, *op, *left, *right, wanted, warns),
            Kind::Arrow { .. } | Kind::Seq(_) => self.resolve_arrow(n, wanted, warns),
            Kind::List(op, args) => {
                let (op, args) = (*op, args.clone());
                self.resolve_list(n, op, args, warns)
            }
            &Kind::If(condition, then, otherwise) => {
                self.resolve_if(n, [condition, then, otherwise], wanted, warns)
            }
            &Kind::Let { var, value, body } => {
                let new = self.resolve(body, wanted, warns);
                if new == body {
                    n
                } else {
                    self.let_in(self.span(n), var, value, new)
                }
            }
            Kind::Call { fun, args } => {
                let (fun, args) = (*fun, args.clone());
                self.resolve_call(n, fun, args, warns)
            }
            Kind::Choice { choices, meanings } => {
                let (choices, meanings) = (choices.clone(), meanings.clone());
                self.decide(n, choices, meanings, wanted, warns)
            }
            _ => n,
        }
    }

    fn note(&mut self, warns: bool, diagnostic: impl FnOnce(&Resolver) -> Diagnostic) {
        if warns {
            let diagnostic = diagnostic(self);
            self.report(diagnostic);
        }
    }

    // ---- operators ----

    fn resolve_unary(&mut self, n: N, op: Un, sub: N, wanted: &Type, warns: bool) -> N {
        let (span, sub_span) = (self.span(n), self.span(sub));
        let ty = self.ty(sub);
        let relevant = match op {
            _ if op.takes_formula() => Type::formula(),
            Un::Transpose => {
                let back = self.types.hierarchy.transpose(&ty);
                let relevant = self.types.hierarchy.intersect_types(&back, wanted);
                self.types.hierarchy.transpose(&relevant)
            }
            Un::Closure | Un::ReflexiveClosure => {
                let own = self.types.hierarchy.closure(&ty);
                if !self.types.hierarchy.join(&own, &own).has_tuple() {
                    self.note(warns, |it| {
                        say::redundant_closure(op.word(), &it.show_type(&ty), span)
                    });
                }
                self.types.hierarchy.relevant_to_closure(wanted, &ty)
            }
            Un::Card | Un::No | Un::One | Un::Some | Un::Lone => ty.as_set(),
            Un::FromInt => Type::small_int(),
            Un::ToInt => {
                let relevant = self
                    .types
                    .hierarchy
                    .intersect_types(&ty, &Type::sig(builtin::int()));
                if !relevant.has_tuple() {
                    self.note(warns, |it| say::no_integers(&it.show_type(&ty), sub_span));
                }
                relevant
            }
            _ => wanted.clone(),
        };
        let is_relation_op = matches!(op, Un::Transpose | Un::Closure | Un::ReflexiveClosure);
        if is_relation_op && relevant.is_impossible() && wanted.has_tuple() {
            self.note(warns, |it| {
                say::irrelevant(&it.show_type(&ty), &it.show_type(wanted), sub_span)
            });
        }
        let new = self.resolve(sub, &relevant, warns);
        if new == sub {
            return n;
        }
        let extra = self.node(n).weight.saturating_sub(self.node(sub).weight);
        self.weighted_unary(op, span, new, extra)
    }

    fn resolve_binary(&mut self, n: N, op: Bin, left: N, right: N, wanted: &Type, warns: bool) -> N {
        let (a, b) = (self.ty(left), self.ty(right));
        if warns {
            self.warn_of_binary(n, op, left, right, wanted);
        }
        let h = &self.types.hierarchy;
        let (for_left, for_right) = match op {
            _ if op.takes_ints() => (Type::small_int(), Type::small_int()),
            _ if op.takes_formulas() => (Type::formula(), Type::formula()),
            Bin::Equal | Bin::NotEqual => {
                let common = h.intersect_types(&a, &b);
                match common.has_tuple() {
                    true => (common.clone(), common),
                    false => (a.of_common_arity(&b), b.of_common_arity(&a)),
                }
            }
            Bin::In | Bin::NotIn => {
                let for_left = a.of_common_arity(&b);
                let for_right = h.intersect_types(&b, &for_left);
                (for_left, for_right)
            }
            Bin::Intersect | Bin::Override | Bin::Union => {
                (h.intersect_types(&a, wanted), h.intersect_types(&b, wanted))
            }
            Bin::Difference => (wanted.clone(), h.intersect_types(wanted, &b)),
            Bin::Join => self.relevant_to_join(wanted, &a, &b),
            Bin::Domain => self.relevant_to_restriction(wanted, &a, &b, true),
            _ => {
                let (by, of) = self.relevant_to_restriction(wanted, &b, &a, false);
                (of, by)
            }
        };
        let new_left = self.resolve(left, &for_left, warns);
        let new_right = self.resolve(right, &for_right, warns);
        if (new_left, new_right) == (left, right) {
            return n;
        }
        self.binary(op, self.span(n), new_left, new_right)
    }

    fn warn_of_binary(&mut self, n: N, op: Bin, left: N, right: N, wanted: &Type) {
        let (a, b) = (self.ty(left), self.ty(right));
        let ty = self.ty(n);
        let sides = say::Sides {
            left: self.span(left),
            left_type: self.show_type(&a.as_set()),
            right: self.span(right),
            right_type: self.show_type(&b.as_set()),
            whole: self.span(n),
        };
        let h = &self.types.hierarchy;
        let is_same = || self.is_same(left, right);
        let diagnostic = match op {
            Bin::Equal | Bin::NotEqual if a.has_tuple() && b.has_tuple() && !h.types_meet(&a, &b) => {
                Some(say::always_different(op.word(), sides))
            }
            Bin::Equal | Bin::NotEqual if is_same() => Some(say::always_equal(op.word(), sides)),
            Bin::In | Bin::NotIn => {
                let common = h.intersect_types(&b, &a.of_common_arity(&b));
                match (a.has_tuple(), b.has_tuple()) {
                    (false, _) | (_, false) => Some(say::inclusion_of_empty(a.has_tuple(), sides)),
                    _ if !common.has_tuple() => Some(say::inclusion_disjoint(sides)),
                    _ if is_same() => Some(say::always_equal(op.word(), sides)),
                    _ => None,
                }
            }
            Bin::Intersect if !ty.has_tuple() => Some(say::empty_intersection(sides)),
            Bin::Override | Bin::Union => {
                let is_left_in = !h.intersect_types(&a, wanted).is_impossible();
                let is_right_in = !h.intersect_types(&b, wanted).is_impossible()
                    && (op == Bin::Union || h.can_override(&b, &a));
                match (is_left_in, is_right_in) {
                    (true, true) => None,
                    (is_left_in, _) => Some(say::irrelevant_side(op.word(), !is_left_in, sides)),
                }
            }
            Bin::Difference if !ty.has_tuple() || !h.intersect_types(wanted, &b).has_tuple() => {
                Some(say::irrelevant_side(op.word(), false, sides))
            }
            Bin::Join if !ty.has_tuple() => Some(say::empty_join(sides)),
            Bin::Domain | Bin::Range if !ty.has_tuple() => Some(say::empty_restriction(op.word(), sides)),
            _ => None,
        };
        if let Some(diagnostic) = diagnostic {
            self.report(diagnostic);
        }
    }

    /// What of both sides of a join can lead to something wanted; failing that, all that can be joined.
    fn relevant_to_join(&self, wanted: &Type, a: &Type, b: &Type) -> (Type, Type) {
        let h = &self.types.hierarchy;
        let (mut left, mut right) = (Type::default(), Type::default());
        let pairs = || {
            let all = a
                .products
                .iter()
                .flat_map(|a| b.products.iter().map(move |b| (a, b)));
            all.filter(|(a, b)| a.len() + b.len() > 2 && wanted.has_arity(a.len() + b.len() - 2))
        };
        for (a, b) in pairs() {
            let middle = h.intersect(a[a.len() - 1], b[0]);
            if middle == builtin::none() {
                continue;
            }
            for product in h.intersect_product(wanted, &h.join2(a, b)).products {
                if !is_empty_product(&product) {
                    let (before, after) = product.split_at(a.len() - 1);
                    h.add_product(
                        &mut left,
                        before.iter().copied().chain([middle]).collect::<Product>(),
                    );
                    h.add_product(
                        &mut right,
                        [middle].into_iter().chain(after.iter().copied()).collect(),
                    );
                }
            }
        }
        if !left.is_impossible() {
            return (left, right);
        }
        let meeting: Vec<_> = pairs().filter(|(a, b)| h.meets(a[a.len() - 1], b[0])).collect();
        let rest: Vec<_> = if meeting.is_empty() {
            pairs().collect()
        } else {
            meeting
        };
        for (a, b) in rest {
            h.add_product(&mut left, a.clone());
            h.add_product(&mut right, b.clone());
        }
        (left, right)
    }

    /// For `by <: of` or `of :> by`: the relevant types of `by` and `of`.
    fn relevant_to_restriction(&self, wanted: &Type, by: &Type, of: &Type, is_domain: bool) -> (Type, Type) {
        let h = &self.types.hierarchy;
        let (mut for_by, mut for_of) = (Type::default(), Type::default());
        for by in by.products.iter().filter(|it| it.len() == 1) {
            for of in of.products.iter().filter(|it| wanted.has_arity(it.len())) {
                let column = if is_domain { 0 } else { of.len() - 1 };
                let restricted = match is_domain {
                    true => h.domain(&Type::of(vec![by.clone()]), &Type::of(vec![of.clone()])),
                    false => h.range(&Type::of(vec![of.clone()]), &Type::of(vec![by.clone()])),
                };
                for product in h.intersect_types(wanted, &restricted).products {
                    if !is_empty_product(&product) {
                        h.add_product(&mut for_by, Product::from([product[column]]));
                        h.add_product(&mut for_of, product);
                    }
                }
            }
        }
        match for_by.is_impossible() {
            true => (by.of_arity(1), of.of_common_arity(wanted)),
            false => (for_by, for_of),
        }
    }

    fn resolve_arrow(&mut self, n: N, wanted: &Type, warns: bool) -> N {
        let span = self.span(n);
        if let Kind::Seq(elem) = self.node(n).kind {
            let index = Type::sig(builtin::seq_int());
            let (_, for_elem) = self.relevant_to_product(wanted, &index, &self.ty(elem));
            let new = self.resolve(elem, &for_elem, warns);
            return if new == elem { n } else { self.seq(span, new) };
        }
        let Kind::Arrow {
            left,
            left_mult,
            right_mult,
            right,
        } = self.node(n).kind
        else {
            return n;
        };
        let (a, b) = (self.ty(left), self.ty(right));
        if a.has_tuple() != b.has_tuple() {
            let (empty, other) = if a.has_tuple() {
                (right, left)
            } else {
                (left, right)
            };
            self.note(warns, |it| {
                say::product_with_empty(it.span(empty), it.span(other), span)
            });
        }
        let (for_left, for_right) = self.relevant_to_product(wanted, &a, &b);
        let new_left = self.resolve(left, &for_left, warns);
        let new_right = self.resolve(right, &for_right, warns);
        if (new_left, new_right) == (left, right) {
            return n;
        }
        self.arrow(span, new_left, left_mult, right_mult, new_right)
    }

    fn relevant_to_product(&self, wanted: &Type, a: &Type, b: &Type) -> (Type, Type) {
        let h = &self.types.hierarchy;
        let (mut left, mut right) = (Type::default(), Type::default());
        for a in a.products.iter().filter(|it| !is_empty_product(it)) {
            for b in b.products.iter().filter(|it| !is_empty_product(it)) {
                let product = h.product(&Type::of(vec![a.clone()]), &Type::of(vec![b.clone()]));
                for product in h.intersect_types(wanted, &product).products {
                    if !is_empty_product(&product) {
                        let (before, after) = product.split_at(a.len());
                        h.add_product(&mut left, before.into());
                        h.add_product(&mut right, after.into());
                    }
                }
            }
        }
        if left.is_impossible() {
            (a.as_set(), b.as_set())
        } else {
            (left, right)
        }
    }

    fn resolve_list(&mut self, n: N, op: List, args: Vec<N>, warns: bool) -> N {
        let mut new = Vec::with_capacity(args.len());
        match op {
            List::And | List::Or => {
                for &arg in &args {
                    let arg = self.resolve(arg, &Type::formula(), warns);
                    new.push(self.as_formula(arg));
                }
            }
            List::Disjoint => {
                let mut common: Option<Type> = None;
                for &arg in &args {
                    let ty = self.ty(arg);
                    common = Some(match common {
                        None => ty.as_set(),
                        Some(it) => self.types.hierarchy.union_of_common_arity(&it, &ty),
                    });
                }
                let common = common.unwrap_or_default();
                for &arg in &args {
                    let arg = self.resolve(arg, &common, warns);
                    new.push(self.as_set(arg));
                }
            }
            List::TotalOrder => {
                let elem = self.ty(args[0]).of_arity(1);
                let pair = self.types.hierarchy.product(&elem, &elem);
                for (&arg, wanted) in args.iter().zip([&elem, &elem, &pair]) {
                    let arg = self.resolve(arg, wanted, warns);
                    new.push(self.as_set(arg));
                }
            }
        }
        if new == args {
            n
        } else {
            self.list(op, self.span(n), new)
        }
    }

    fn resolve_if(&mut self, n: N, [condition, then, otherwise]: [N; 3], wanted: &Type, warns: bool) -> N {
        let mut relevant = vec![];
        for part in [then, otherwise] {
            let ty = self.ty(part);
            relevant.push(if wanted.is_relation() {
                let mut part_wanted = self.types.hierarchy.intersect_types(&ty, wanted);
                part_wanted.is_bool = wanted.is_bool;
                part_wanted.is_small = wanted.is_small && part_wanted.is_int();
                if ty.has_tuple() && !part_wanted.has_tuple() {
                    self.note(warns, |it| {
                        say::irrelevant(&it.show_type(&ty), &it.show_type(wanted), it.span(part))
                    });
                }
                part_wanted
            } else {
                wanted.clone()
            });
        }
        let new_condition = self.resolve(condition, &Type::formula(), warns);
        let new_then = self.resolve(then, &relevant[0], warns);
        let new_otherwise = self.resolve(otherwise, &relevant[1], warns);
        if [new_condition, new_then, new_otherwise] == [condition, then, otherwise] {
            return n;
        }
        self.if_else(self.span(n), new_condition, new_then, new_otherwise)
    }

    fn resolve_call(&mut self, n: N, fun: FunId, args: Vec<N>, warns: bool) -> N {
        let mut new = Vec::with_capacity(args.len());
        for (i, &arg) in args.iter().enumerate() {
            let param = self.declared.funs[fun.index()].params[i].1.clone();
            let arg = self.resolve(arg, &param, warns);
            new.push(self.as_set(arg));
        }
        if new == args {
            return n;
        }
        let of_args: u32 = args.iter().map(|&it| self.node(it).weight).sum();
        let extra = self.node(n).weight.saturating_sub(of_args);
        self.call(self.span(n), fun, new, extra)
    }

    // ---- choices ----

    fn decide(&mut self, n: N, choices: Vec<N>, meanings: Vec<Meaning>, wanted: &Type, warns: bool) -> N {
        let key = (n, wanted.clone(), warns);
        if let Some(&known) = self.work.decided.get(&key) {
            return known;
        }
        let decided = self.decide_anew(n, choices, meanings, wanted, warns);
        self.work.decided.insert(key, decided);
        decided
    }

    fn decide_anew(
        &mut self,
        n: N,
        choices: Vec<N>,
        meanings: Vec<Meaning>,
        wanted: &Type,
        warns: bool,
    ) -> N {
        let span = self.span(n);
        let mut left: Vec<(N, Meaning)> = choices.iter().copied().zip(meanings.iter().copied()).collect();
        let all = left.clone();
        self.narrow(&mut left, wanted);
        if left.len() > 1 {
            // Deciding within each may show that some cannot be meant after all.
            left = left
                .into_iter()
                .map(|(it, of)| (self.resolve(it, wanted, false), of))
                .collect();
            self.narrow(&mut left, wanted);
        }
        match left[..] {
            [(single, _)] => return self.resolve(single, wanted, warns),
            [] => {}
            // Several empty relations of one arity are the same empty relation.
            [(first, _), ..] if left.iter().all(|&(it, _)| self.is_empty_relation(it, first)) => {
                let arity = self.ty(first).arity().expect("checked by is_empty_relation");
                let mut none = self.sig_node(span, builtin::none());
                for _ in 1..arity {
                    let column = self.sig_node(span, builtin::none());
                    none = self.arrow(span, none, crate::node::Mark::Set, crate::node::Mark::Set, column);
                }
                return none;
            }
            _ => {}
        }
        let is_ambiguous = left.len() > 1;
        let shown: Vec<Meaning> = if is_ambiguous { &left } else { &all }
            .iter()
            .map(|it| it.1)
            .collect();
        let candidates = self.describe(&shown);
        let diagnostic = match is_ambiguous {
            true => say::ambiguous_use(span, &candidates),
            false => say::no_relevant_meaning(span, &self.show_type(wanted), &candidates),
        };
        self.error(span, diagnostic)
    }

    /// Keeps the meanings that can contribute, else those of the right arity; among these the least far-fetched.
    fn narrow(&self, choices: &mut Vec<(N, Meaning)>, wanted: &Type) {
        let contributes = |it: &(N, Meaning)| {
            let ty = &self.node(it.0).ty;
            (wanted.is_bool && ty.is_bool) || self.types.hierarchy.types_meet(wanted, ty)
        };
        match choices.iter().any(contributes) {
            true => choices.retain(contributes),
            false => choices.retain(|it| self.node(it.0).ty.has_common_arity(wanted)),
        }
        let least = choices.iter().map(|it| self.node(it.0).weight).min();
        choices.retain(|it| Some(self.node(it.0).weight) == least);
    }

    fn is_empty_relation(&self, n: N, like: N) -> bool {
        let ty = &self.node(n).ty;
        !ty.is_bool && !ty.has_tuple() && ty.arity().is_some() && ty.arity() == self.node(like).ty.arity()
    }

    // ---- comparisons of nodes ----

    /// Do they surely have the same value, because they are the same expression?
    fn is_same(&self, a: N, b: N) -> bool {
        if a == b {
            return true;
        }
        deep(|| match (&self.node(a).kind, &self.node(b).kind) {
            (Kind::Sig(a), Kind::Sig(b)) => a == b,
            (Kind::Field(a), Kind::Field(b)) => a == b,
            (Kind::Var(a), Kind::Var(b)) => a == b,
            (Kind::Number(a), Kind::Number(b)) => a == b,
            (Kind::Str(a), Kind::Str(b)) => a == b,
            (Kind::Iden, Kind::Iden) => true,
            (Kind::Unary(op, a), Kind::Unary(op2, b)) => op == op2 && self.is_same(*a, *b),
            (Kind::Binary(op, a, b), Kind::Binary(op2, c, d)) => {
                op == op2 && self.is_same(*a, *c) && self.is_same(*b, *d)
            }
            (
                Kind::Call { fun, args },
                Kind::Call {
                    fun: fun2,
                    args: args2,
                },
            ) => {
                fun == fun2
                    && args.len() == args2.len()
                    && args.iter().zip(args2).all(|(a, b)| self.is_same(*a, *b))
            }
            _ => false,
        })
    }

    // ---- the type of a call ----

    /// The declared result, with the types of the arguments in place of those of the parameters.
    pub fn call_type(&self, fun: FunId, args: &[N]) -> Type {
        let data = &self.declared.funs[fun.index()];
        if data.is_pred {
            return Type::formula();
        }
        let declared = data.result_type.as_set();
        let Some(result) = data.result else {
            return declared;
        };
        let mut env: FxHashMap<VarId, Type> = FxHashMap::default();
        for ((var, param), &arg) in data.params.iter().zip(args) {
            let ty = self.ty(arg);
            env.insert(
                *var,
                param.arity().map_or(ty.as_set(), |arity| ty.of_arity(arity)),
            );
        }
        match self.deduce(result, &mut env) {
            Some(ty) if !ty.is_bool && !ty.is_int() && ty.arity() == declared.arity() => ty,
            _ => declared,
        }
    }

    fn deduce(&self, n: N, env: &mut FxHashMap<VarId, Type>) -> Option<Type> {
        let own = || Some((*self.ty(n)).clone());
        deep(|| match &self.node(n).kind {
            Kind::Var(var) => env
                .get(var)
                .filter(|it| !it.is_impossible())
                .cloned()
                .or_else(own),
            Kind::Unary(op, sub) if op.is_multiplicity() || *op == Un::Prime => self.deduce(*sub, env),
            Kind::Unary(op, sub) => {
                let sub = self.deduce(*sub, env)?;
                self.unary_type(*op, &sub).ok()
            }
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.deduce(*a, env)?, self.deduce(*b, env)?);
                self.binary_type(*op, &a, &b).ok()
            }
            Kind::Arrow { left, right, .. } => {
                let (a, b) = (self.deduce(*left, env)?, self.deduce(*right, env)?);
                Some(self.types.hierarchy.product(&a, &b))
            }
            Kind::Seq(elem) => {
                let elem = self.deduce(*elem, env)?;
                Some(
                    self.types
                        .hierarchy
                        .product(&Type::sig(builtin::seq_int()), &elem),
                )
            }
            Kind::If(_, a, b) => {
                let (a, b) = (self.deduce(*a, env)?, self.deduce(*b, env)?);
                Some(self.types.hierarchy.union_of_common_arity(&a, &b))
            }
            Kind::Let { var, value, body } => {
                let value = self.deduce(*value, env)?;
                env.insert(*var, value);
                self.deduce(*body, env)
            }
            Kind::Quant {
                op: Quant::Comprehension,
                decls,
                ..
            } => {
                let mut columns: Option<Type> = None;
                for decl in decls {
                    let ty = self.deduce(decl.bound, env)?;
                    for &var in &decl.vars {
                        env.insert(var, ty.clone());
                        columns = Some(match columns {
                            None => ty.clone(),
                            Some(it) => self.types.hierarchy.product(&it, &ty),
                        });
                    }
                }
                columns
            }
            _ => own(),
        })
    }
}
