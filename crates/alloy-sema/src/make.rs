//! Making nodes: types computed from the operands, and the errors that do not depend on context. `resolve` does the
//! rest, from above.

use std::sync::Arc;

use diag::Diagnostic;
use source::Span;

use crate::diagnostics as say;
use crate::ir::{FunId, SigId, VarId, builtin};
use crate::node::{Bin, HasMult, Kind, List, Mark, Meaning, N, Node, Quant, QuantDecl, Un};
use crate::resolver::Resolver;
use crate::types::Type;

/// What makes a node besides its kind; most are plain.
struct Draft {
    span: Span,
    ty: Type,
    mult: HasMult,
    weight: u32,
    is_bad: bool,
    errors: Vec<Arc<Diagnostic>>,
}

impl Draft {
    fn new(span: Span) -> Draft {
        Draft {
            span,
            ty: Type::default(),
            mult: HasMult::No,
            weight: 0,
            is_bad: false,
            errors: vec![],
        }
    }

    fn inherit(&mut self, node: &Node) {
        self.is_bad |= node.is_bad;
        self.weight = self.weight.saturating_add(node.weight);
        for error in &node.errors {
            if !self.errors.iter().any(|it| Arc::ptr_eq(it, error)) {
                self.errors.push(error.clone());
            }
        }
    }

    fn fail(&mut self, diagnostic: Diagnostic) {
        self.is_bad = true;
        self.errors.push(Arc::new(diagnostic));
    }
}

impl Resolver {
    fn alloc(&mut self, draft: Draft, kind: Kind) -> N {
        let ty = self.shared_type(if draft.is_bad { Type::default() } else { draft.ty });
        self.work.nodes.push(Node {
            span: draft.span,
            ty,
            mult: draft.mult,
            weight: draft.weight,
            is_bad: draft.is_bad,
            is_final: false,
            errors: draft.errors,
            kind,
        });
        N::new(self.work.nodes.len() - 1)
    }

    /// Most nodes are formulas or integers: these types are kept once.
    fn shared_type(&self, ty: Type) -> Arc<Type> {
        let common = [&self.types.none, &self.types.formula, &self.types.int];
        match common.into_iter().find(|it| ***it == ty) {
            Some(shared) => shared.clone(),
            None => Arc::new(ty),
        }
    }

    pub fn node(&self, n: N) -> &Node {
        &self.work.nodes[n.index()]
    }

    pub fn ty(&self, n: N) -> Arc<Type> {
        self.work.nodes[n.index()].ty.clone()
    }

    pub fn span(&self, n: N) -> Span {
        self.work.nodes[n.index()].span
    }

    pub fn is_bad(&self, n: N) -> bool {
        self.work.nodes[n.index()].is_bad
    }

    /// The same node at another place.
    pub fn moved(&mut self, n: N, span: Span) -> N {
        let mut node = self.work.nodes[n.index()].clone();
        node.span = span;
        self.work.nodes.push(node);
        N::new(self.work.nodes.len() - 1)
    }

    // ---- leaves ----

    pub fn leaf(&mut self, span: Span, ty: Type, kind: Kind) -> N {
        self.weighted_leaf(span, ty, kind, 0)
    }

    pub fn weighted_leaf(&mut self, span: Span, ty: Type, kind: Kind, weight: u32) -> N {
        let draft = Draft {
            ty,
            weight,
            ..Draft::new(span)
        };
        self.alloc(draft, kind)
    }

    /// A node that stands for something already reported.
    pub fn silent_error(&mut self, span: Span) -> N {
        let draft = Draft {
            is_bad: true,
            ..Draft::new(span)
        };
        self.alloc(draft, Kind::Error)
    }

    pub fn error(&mut self, span: Span, diagnostic: Diagnostic) -> N {
        let mut draft = Draft::new(span);
        draft.fail(diagnostic);
        self.alloc(draft, Kind::Error)
    }

    /// The node with a further reason why it is wrong.
    fn failed(&mut self, n: N, diagnostic: Diagnostic) -> N {
        let node = self.node(n).clone();
        let mut draft = Draft::new(node.span);
        draft.inherit(&node);
        draft.fail(diagnostic);
        self.alloc(draft, node.kind)
    }

    pub fn sig_node(&mut self, span: Span, sig: SigId) -> N {
        let ty = (*self.types.of_sigs[sig.index()]).clone();
        self.leaf(span, ty, Kind::Sig(sig))
    }

    pub fn var_node(&mut self, span: Span, var: VarId, ty: &Type) -> N {
        self.leaf(span, ty.clone(), Kind::Var(var))
    }

    // ---- sorts ----

    pub fn as_formula(&mut self, n: N) -> N {
        let node = self.node(n);
        if node.is_bad || node.ty.is_bool {
            return n;
        }
        let diagnostic = say::not_a_formula(&self.show_type(&node.ty), node.span);
        self.failed(n, diagnostic)
    }

    pub fn as_int(&mut self, n: N) -> N {
        let node = self.node(n);
        if node.is_bad || node.ty.is_small_int() {
            return n;
        }
        if node.ty.is_int() {
            let span = node.span;
            return self.unary(Un::ToInt, span, n);
        }
        let diagnostic = say::not_an_integer(&self.show_type(&node.ty), node.span);
        self.failed(n, diagnostic)
    }

    pub fn as_set(&mut self, n: N) -> N {
        let node = self.node(n);
        if node.is_bad {
            return n;
        }
        if node.ty.is_small_int() {
            let span = node.span;
            return self.unary(Un::FromInt, span, n);
        }
        if node.ty.is_relation() {
            return n;
        }
        let diagnostic = say::not_a_relation(node.span);
        self.failed(n, diagnostic)
    }

    // ---- operators ----

    pub fn unary(&mut self, op: Un, span: Span, sub: N) -> N {
        self.weighted_unary(op, span, sub, 0)
    }

    pub fn weighted_unary(&mut self, op: Un, span: Span, sub: N, extra_weight: u32) -> N {
        let mut draft = Draft::new(span);
        draft.weight = extra_weight;
        if self.node(sub).mult != HasMult::No {
            if op == Un::SetOf {
                return sub;
            }
            draft.fail(say::misplaced_multiplicity(self.span(sub)));
        }
        let sub = match (op, &self.node(sub).kind) {
            (Un::FromInt, Kind::Unary(Un::FromInt, _)) | (Un::ToInt, Kind::Unary(Un::ToInt, _)) => {
                return sub;
            }
            (Un::ToInt, &Kind::Unary(Un::FromInt, inner)) => return inner,
            (Un::FromInt, _) => self.as_int(sub),
            _ if op.takes_formula() => self.as_formula(sub),
            _ => self.as_set(sub),
        };
        draft.inherit(&self.work.nodes[sub.index()]);
        if op.is_multiplicity() {
            draft.mult = HasMult::Root;
        }
        if !self.is_bad(sub) {
            match self.unary_type(op, &self.ty(sub)) {
                Ok(ty) => draft.ty = ty,
                Err(()) => {
                    let shown = self.show_type(&self.ty(sub));
                    draft.fail(say::wrong_arity_for_unary(op.word(), &shown, self.span(sub)));
                }
            }
        }
        self.alloc(draft, Kind::Unary(op, sub))
    }

    pub fn unary_type(&self, op: Un, sub: &Type) -> Result<Type, ()> {
        let possible = |ty: Type| if ty.is_impossible() { Err(()) } else { Ok(ty) };
        match op {
            Un::SetOf | Un::ExactlyOf => possible(sub.as_set()),
            Un::SomeOf | Un::LoneOf | Un::OneOf => possible(sub.of_arity(1)),
            Un::Transpose => possible(self.types.hierarchy.transpose(sub)),
            Un::Closure => possible(self.types.hierarchy.closure(sub)),
            Un::ReflexiveClosure => {
                possible(sub.of_arity(2))?;
                Ok(Type::pair(builtin::univ()))
            }
            Un::Prime => Ok(sub.clone()),
            Un::Card => Ok(Type::small_int()),
            Un::ToInt if !sub.has_arity(1) => Err(()),
            Un::ToInt => Ok(Type::small_int()),
            Un::FromInt => Ok(Type::sig(builtin::int())),
            _ => Ok(Type::formula()),
        }
    }

    pub fn binary(&mut self, op: Bin, span: Span, left: N, right: N) -> N {
        // `A <: f` names the field f of A, it need not restrict it.
        if let (Bin::Domain, &Kind::Sig(sig), &Kind::Field(field)) =
            (op, &self.node(left).kind, &self.node(right).kind)
            && self.model.fields[field].sig == sig
        {
            return right;
        }
        let (left, right) = if op.takes_ints() {
            (self.as_int(left), self.as_int(right))
        } else if op.takes_formulas() {
            (self.as_formula(left), self.as_formula(right))
        } else if matches!(op, Bin::Union | Bin::Difference | Bin::Equal | Bin::NotEqual) {
            (left, right)
        } else {
            (self.as_set(left), self.as_set(right))
        };
        let mut draft = Draft::new(span);
        draft.inherit(&self.work.nodes[left.index()]);
        draft.inherit(&self.work.nodes[right.index()]);
        if !draft.is_bad {
            let (a, b) = (self.ty(left), self.ty(right));
            match self.binary_type(op, &a, &b) {
                Ok(ty) => draft.ty = ty,
                Err(()) => {
                    let (a, b) = (self.show_type(&a), self.show_type(&b));
                    let (left, right) = (self.span(left), self.span(right));
                    draft.fail(match op {
                        Bin::Join => say::illegal_join(&a, left, &b, right, span),
                        Bin::Domain => say::not_unary(op.word(), &a, left),
                        Bin::Range => say::not_unary(op.word(), &b, right),
                        _ => say::different_arities(op.word(), &a, left, &b, right, span),
                    });
                }
            }
        }
        if self.node(left).mult != HasMult::No {
            draft.fail(say::misplaced_multiplicity(self.span(left)));
        }
        if self.node(right).mult != HasMult::No && !matches!(op, Bin::In | Bin::NotIn) {
            draft.fail(say::misplaced_multiplicity(self.span(right)));
        }
        self.alloc(draft, Kind::Binary(op, left, right))
    }

    pub fn binary_type(&self, op: Bin, a: &Type, b: &Type) -> Result<Type, ()> {
        let possible = |ty: Type| if ty.is_impossible() { Err(()) } else { Ok(ty) };
        match op {
            Bin::Join => possible(self.types.hierarchy.join(a, b)),
            Bin::Domain => possible(self.types.hierarchy.domain(a, b)),
            Bin::Range => possible(self.types.hierarchy.range(a, b)),
            Bin::Intersect => possible(self.types.hierarchy.intersect_types(a, b)),
            Bin::Override | Bin::Union => possible(self.types.hierarchy.union_of_common_arity(a, b)),
            Bin::Difference => possible(a.of_common_arity(b)),
            Bin::Equal | Bin::NotEqual | Bin::In | Bin::NotIn if !a.has_common_arity(b) => Err(()),
            _ if op.takes_ints() && !op.compares_ints() => Ok(Type::small_int()),
            _ => Ok(Type::formula()),
        }
    }

    pub fn arrow(&mut self, span: Span, left: N, left_mult: Mark, right_mult: Mark, right: N) -> N {
        let (left, right) = (self.as_set(left), self.as_set(right));
        let mut draft = Draft::new(span);
        draft.inherit(&self.work.nodes[left.index()]);
        draft.inherit(&self.work.nodes[right.index()]);
        let mut is_marked = left_mult != Mark::Set || right_mult != Mark::Set;
        for side in [left, right] {
            match self.node(side).mult {
                HasMult::No => {}
                HasMult::Arrow => is_marked = true,
                HasMult::Root => draft.fail(say::misplaced_multiplicity(self.span(side))),
            }
        }
        if is_marked {
            draft.mult = HasMult::Arrow;
        }
        if !draft.is_bad {
            draft.ty = self.types.hierarchy.product(&self.ty(left), &self.ty(right));
        }
        self.alloc(
            draft,
            Kind::Arrow {
                left,
                left_mult,
                right_mult,
                right,
            },
        )
    }

    pub fn seq(&mut self, span: Span, elem: N) -> N {
        let elem = self.as_set(elem);
        let mut draft = Draft::new(span);
        draft.inherit(&self.work.nodes[elem.index()]);
        draft.mult = HasMult::Arrow;
        if self.node(elem).mult == HasMult::Root {
            draft.fail(say::misplaced_multiplicity(self.span(elem)));
        }
        if !draft.is_bad {
            draft.ty = self
                .types
                .hierarchy
                .product(&Type::sig(builtin::seq_int()), &self.ty(elem));
        }
        self.alloc(draft, Kind::Seq(elem))
    }

    pub fn list(&mut self, op: List, span: Span, args: Vec<N>) -> N {
        let mut draft = Draft::new(span);
        draft.ty = Type::formula();
        let mut flat = Vec::with_capacity(args.len());
        let mut common: Option<Type> = None;
        for arg in args {
            let arg = match op {
                List::And | List::Or => self.as_formula(arg),
                List::Disjoint | List::TotalOrder => self.as_set(arg),
            };
            draft.inherit(&self.work.nodes[arg.index()]);
            if self.node(arg).mult != HasMult::No {
                draft.fail(say::misplaced_multiplicity(self.span(arg)));
            }
            common = Some(common.map_or(self.ty(arg).as_set(), |it| it.of_common_arity(&self.ty(arg))));
            match (&self.node(arg).kind, op) {
                (Kind::List(inner, items), List::And | List::Or) if *inner == op => flat.extend(items),
                _ => flat.push(arg),
            }
        }
        match op {
            List::Disjoint if flat.len() < 2 => draft.fail(say::disj_arguments(span)),
            List::Disjoint if !draft.is_bad && common.is_some_and(|it| it.is_impossible()) => {
                draft.fail(say::disj_arities(span));
            }
            List::TotalOrder if flat.len() != 3 => draft.fail(say::total_order_arguments(span)),
            List::TotalOrder if !draft.is_bad => {
                for (i, (&arg, arity)) in flat.iter().zip([1, 1, 2]).enumerate() {
                    if !self.ty(arg).has_arity(arity) {
                        draft.fail(say::total_order_arity(i, arity, self.span(arg)));
                    }
                }
            }
            _ => {}
        }
        self.alloc(draft, Kind::List(op, flat))
    }

    pub fn if_else(&mut self, span: Span, condition: N, then: N, otherwise: N) -> N {
        let condition = self.as_formula(condition);
        let mut draft = Draft::new(span);
        for part in [condition, then, otherwise] {
            draft.inherit(&self.work.nodes[part.index()]);
            if self.node(part).mult != HasMult::No {
                draft.fail(say::misplaced_multiplicity(self.span(part)));
            }
        }
        if !draft.is_bad {
            let (a, b) = (self.ty(then), self.ty(otherwise));
            draft.ty = self.types.hierarchy.union_of_common_arity(&a, &b);
            draft.ty.is_bool = a.is_bool && b.is_bool;
            draft.ty.is_small = a.is_small_int() && b.is_small_int();
            if draft.ty.is_impossible() {
                let (a, b) = (self.show_type(&a), self.show_type(&b));
                draft.fail(say::branches_differ(
                    &a,
                    self.span(then),
                    &b,
                    self.span(otherwise),
                    span,
                ));
            }
        }
        self.alloc(draft, Kind::If(condition, then, otherwise))
    }

    pub fn let_in(&mut self, span: Span, var: VarId, value: N, body: N) -> N {
        let mut draft = Draft::new(span);
        draft.inherit(&self.work.nodes[value.index()]);
        draft.inherit(&self.work.nodes[body.index()]);
        for part in [value, body] {
            if self.node(part).mult != HasMult::No {
                draft.fail(say::misplaced_multiplicity(self.span(part)));
            }
        }
        draft.ty = (*self.ty(body)).clone();
        self.alloc(draft, Kind::Let { var, value, body })
    }

    pub fn quantified(&mut self, op: Quant, span: Span, decls: Vec<QuantDecl>, body: N) -> N {
        let body = match op {
            Quant::Sum => self.as_int(body),
            _ => self.as_formula(body),
        };
        let mut draft = Draft::new(span);
        let mut columns = Type::default();
        if self.node(body).mult != HasMult::No {
            draft.fail(say::misplaced_multiplicity(self.span(body)));
        }
        for decl in &decls {
            draft.inherit(&self.work.nodes[decl.bound.index()]);
            let bound = self.node(decl.bound);
            if bound.is_bad {
                continue;
            }
            let ty = bound.ty.clone();
            if let Kind::Unary(Un::ExactlyOf, _) = bound.kind {
                draft.fail(say::variable_defined(bound.span));
            } else if matches!(op, Quant::Sum | Quant::Comprehension) {
                if !ty.has_arity(1) {
                    draft.fail(say::bound_not_unary(&self.show_type(&ty), bound.span));
                } else if let Kind::Unary(mult @ (Un::SetOf | Un::SomeOf | Un::LoneOf), _) = bound.kind {
                    draft.fail(say::higher_order_bound(mult.word(), bound.span));
                }
            }
            let column = ty.of_arity(1);
            for _ in &decl.vars {
                columns = match columns.is_impossible() {
                    true => column.clone(),
                    false => self.types.hierarchy.product(&columns, &column),
                };
            }
        }
        if draft.is_bad {
            // What the body says of variables without a type would only confuse.
            draft.inherit(&Node {
                errors: vec![],
                ..self.node(body).clone()
            });
        } else {
            draft.inherit(&self.work.nodes[body.index()]);
        }
        draft.ty = match op {
            Quant::Sum => Type::small_int(),
            Quant::Comprehension => columns,
            _ => Type::formula(),
        };
        self.alloc(draft, Kind::Quant { op, decls, body })
    }

    // ---- calls and choices ----

    /// A call, complete and fitting or not; `extra_weight` for an argument that nobody wrote.
    pub fn call(&mut self, span: Span, fun: FunId, args: Vec<N>, extra_weight: u32) -> N {
        let is_fitting = self.is_applicable(fun, &args);
        let n_params = self.declared.funs[fun.index()].params.len();
        let mut draft = Draft::new(span);
        draft.weight = extra_weight;
        let mut checked = Vec::with_capacity(args.len());
        for arg in args {
            let arg = self.as_set(arg);
            draft.inherit(&self.work.nodes[arg.index()]);
            if self.node(arg).mult != HasMult::No {
                draft.fail(say::misplaced_multiplicity(self.span(arg)));
            }
            checked.push(arg);
        }
        if !self.declared.funs[fun.index()].is_declared {
            // Reached through a macro in a declaration.
            draft.fail(say::call_in_declaration(self.model.funs[fun].name.as_str(), span));
        } else if self.declared.funs[fun.index()].is_bad {
            draft.is_bad = true;
        }
        if checked.len() == n_params && (is_fitting || draft.is_bad) {
            if !draft.is_bad {
                draft.ty = self.call_type(fun, &checked);
            }
            return self.alloc(draft, Kind::Call { fun, args: checked });
        }
        if !draft.is_bad {
            let diagnostic = self.wrong_arguments(fun, &checked, span);
            draft.fail(diagnostic);
        }
        self.alloc(draft, Kind::PartialCall { fun, args: checked })
    }

    /// Could these be the first arguments of the function?
    fn is_applicable(&self, fun: FunId, args: &[N]) -> bool {
        let params = &self.declared.funs[fun.index()].params;
        params.len() <= args.len()
            && params.iter().zip(args).all(|((_, param), &arg)| {
                let arg = &self.node(arg).ty;
                arg.has_common_arity(param)
                    && (!arg.has_tuple() || !param.has_tuple() || self.types.hierarchy.types_meet(arg, param))
            })
    }

    fn wrong_arguments(&self, fun: FunId, args: &[N], span: Span) -> Diagnostic {
        let data = &self.declared.funs[fun.index()];
        let ir_fun = &self.model.funs[fun];
        let params: Vec<(String, String)> = data
            .params
            .iter()
            .map(|(var, ty)| (self.model.vars[*var].name.to_string(), self.show_type(ty)))
            .collect();
        let args: Vec<(Span, String)> = args
            .iter()
            .map(|&it| (self.span(it), self.show_type(&self.node(it).ty)))
            .collect();
        say::wrong_arguments(
            data.is_pred,
            ir_fun.name.as_str(),
            ir_fun.span,
            &params,
            &args,
            span,
        )
    }

    /// A macro that waits for more arguments; an error if it never gets them.
    pub fn partial_macro(&mut self, span: Span, id: usize, args: Vec<N>, diagnostic: Diagnostic) -> N {
        let mut draft = Draft::new(span);
        draft.fail(diagnostic);
        self.alloc(draft, Kind::Macro { id, args })
    }

    /// One of several meanings. A single sound meaning is itself.
    pub fn choice(&mut self, span: Span, choices: Vec<N>, meanings: Vec<Meaning>) -> N {
        if let [single] = choices[..]
            && !self.is_bad(single)
        {
            return single;
        }
        let mut draft = Draft::new(span);
        let mut weight = None;
        for &choice in &choices {
            let node = self.node(choice);
            if !node.ty.is_impossible() {
                weight = Some(weight.map_or(node.weight, |it: u32| it.min(node.weight)));
            }
            draft.ty = self.types.hierarchy.merge(&node.ty, &draft.ty);
        }
        draft.weight = weight.unwrap_or(0);
        if draft.ty.is_impossible() {
            draft.is_bad = true;
            draft.errors = self.errors_of_choices(&choices, &meanings, span);
        }
        self.alloc(draft, Kind::Choice { choices, meanings })
    }

    /// Why none of the meanings can be right.
    fn errors_of_choices(&self, choices: &[N], meanings: &[Meaning], span: Span) -> Vec<Arc<Diagnostic>> {
        if choices.iter().any(|&it| self.node(it).errors.is_empty()) {
            return vec![]; // one of them was reported where it is declared
        }
        if let [single] = choices {
            return self.node(*single).errors.clone();
        }
        let reasons: Vec<String> = choices
            .iter()
            .filter_map(|&it| self.node(it).errors.first())
            .map(|it| it.title.clone())
            .collect();
        let candidates = self.describe(meanings);
        vec![Arc::new(say::no_meaning_fits(span, &candidates, &reasons))]
    }

    pub fn describe(&self, meanings: &[Meaning]) -> Vec<(String, Option<Span>)> {
        meanings
            .iter()
            .map(|it| match *it {
                Meaning::Sig(sig) => {
                    let sig = &self.model.sigs[sig];
                    (format!("sig {}", sig.label), sig.span)
                }
                Meaning::Field(field) => {
                    let field = &self.model.fields[field];
                    (
                        format!("field {} of {}", field.name, self.sig_name(field.sig)),
                        field.span,
                    )
                }
                Meaning::Fun(fun) | Meaning::FunOfThis(fun) => {
                    let word = if self.declared.funs[fun.index()].is_pred {
                        "pred"
                    } else {
                        "fun"
                    };
                    let fun = &self.model.funs[fun];
                    (format!("{word} {}", fun.label), Some(fun.span))
                }
                Meaning::Local => ("a local name".to_owned(), None),
            })
            .collect()
    }
}
