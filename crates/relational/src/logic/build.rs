//! Constructors of nodes: fold constants, share equal nodes, compute what is known of each.

use super::*;

impl Info {
    fn leaf(arity: usize) -> Info {
        Info {
            arity: arity as u32,
            free: VarSet::EMPTY,
            in_time: false,
            polar: false,
            arithmetic: false,
            past: 0,
        }
    }
}

impl Logic {
    pub fn add_relation(&mut self, relation: Relation) -> RelId {
        debug_assert!(
            relation.lower.is_subset(&relation.upper),
            "{}: lower ⊆ upper",
            relation.name
        );
        debug_assert_eq!(relation.lower.arity(), relation.upper.arity());
        self.relations.alloc(relation)
    }

    pub fn add_variable(&mut self, name: impl Into<String>, arity: usize) -> VarId {
        let name = name.into();
        self.variables.alloc(Variable { name, arity })
    }

    fn merge(&mut self, arity: usize, parts: &[Info]) -> Info {
        let mut info = Info::leaf(arity);
        for part in parts {
            info.free = self.var_sets.union(info.free, part.free);
            info.in_time |= part.in_time;
            info.polar |= part.polar;
            info.arithmetic |= part.arithmetic;
            info.past = info.past.max(part.past);
        }
        info
    }

    /// What is known of `body` under the binders `decls`: a domain may use the variables declared before it.
    fn bind(&mut self, decls: &[Decl], body: Info, arity: usize) -> Info {
        let mut info = body;
        for decl in decls.iter().rev() {
            info.free = self.var_sets.without(info.free, decl.var);
            let domain = *self.expr_info(decl.domain);
            debug_assert_eq!(domain.arity as usize, self.variables[decl.var].arity);
            info = self.merge(arity, &[info, domain]);
        }
        info.arity = arity as u32;
        info
    }

    fn share_expr(&mut self, node: Expr, info: Info) -> ExprId {
        if let Some(&id) = self.expr_ids.get(&node) {
            return id;
        }
        let id = self.exprs.alloc(node.clone());
        self.expr_info.push(info);
        self.expr_ids.insert(node, id);
        id
    }

    fn share_formula(&mut self, node: Formula, info: Info) -> FormulaId {
        if let Some(&id) = self.formula_ids.get(&node) {
            return id;
        }
        let id = self.formulas.alloc(node.clone());
        self.formula_info.push(info);
        self.formula_ids.insert(node, id);
        id
    }

    fn share_int(&mut self, node: IntExpr, info: Info) -> IntId {
        if let Some(&id) = self.int_ids.get(&node) {
            return id;
        }
        let id = self.ints.alloc(node.clone());
        self.int_info.push(info);
        self.int_ids.insert(node, id);
        id
    }
}

/// Expressions.
impl Logic {
    pub fn none(&mut self, arity: usize) -> ExprId {
        self.share_expr(Expr::None(arity as u32), Info::leaf(arity))
    }

    pub fn univ(&mut self) -> ExprId {
        self.share_expr(Expr::Univ, Info::leaf(1))
    }

    pub fn iden(&mut self) -> ExprId {
        self.share_expr(Expr::Iden, Info::leaf(2))
    }

    pub fn all_ints(&mut self) -> ExprId {
        self.share_expr(Expr::Ints, Info::leaf(1))
    }

    pub fn relation(&mut self, id: RelId) -> ExprId {
        let relation = &self.relations[id];
        let mut info = Info::leaf(relation.arity());
        info.in_time = relation.is_var;
        self.share_expr(Expr::Relation(id), info)
    }

    pub fn var(&mut self, id: VarId) -> ExprId {
        let mut info = Info::leaf(self.variables[id].arity);
        info.free = self.var_sets.singleton(id);
        self.share_expr(Expr::Variable(id), info)
    }

    fn unary(&mut self, op: UnaryOp, inner: ExprId) -> ExprId {
        debug_assert_eq!(self.arity(inner), 2, "{op:?}");
        let info = *self.expr_info(inner);
        self.share_expr(Expr::Unary(op, inner), info)
    }

    pub fn transpose(&mut self, inner: ExprId) -> ExprId {
        match *self.expr(inner) {
            Expr::None(_) | Expr::Iden => inner,
            Expr::Unary(UnaryOp::Transpose, inner) => inner,
            _ => self.unary(UnaryOp::Transpose, inner),
        }
    }

    pub fn closure(&mut self, inner: ExprId) -> ExprId {
        match self.expr(inner) {
            Expr::None(_) | Expr::Iden | Expr::Unary(UnaryOp::Closure | UnaryOp::ReflexiveClosure, _) => {
                inner
            }
            _ => self.unary(UnaryOp::Closure, inner),
        }
    }

    pub fn reflexive_closure(&mut self, inner: ExprId) -> ExprId {
        match *self.expr(inner) {
            Expr::None(_) | Expr::Iden => self.iden(),
            Expr::Unary(UnaryOp::ReflexiveClosure, _) => inner,
            Expr::Unary(UnaryOp::Closure, inner) => self.unary(UnaryOp::ReflexiveClosure, inner),
            _ => self.unary(UnaryOp::ReflexiveClosure, inner),
        }
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(op, a, b) {
            return folded;
        }
        let arity = self.binary_arity(op, a, b);
        let parts = [*self.expr_info(a), *self.expr_info(b)];
        let info = self.merge(arity, &parts);
        self.share_expr(Expr::Binary(op, a, b), info)
    }

    fn binary_arity(&self, op: BinaryOp, a: ExprId, b: ExprId) -> usize {
        let (left, right) = (self.arity(a), self.arity(b));
        match op {
            BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference | BinaryOp::Override => {
                debug_assert_eq!(left, right, "{op:?}");
                left
            }
            BinaryOp::Product => left + right,
            BinaryOp::Join => {
                debug_assert!(left + right > 2, "a join of two sets has no value");
                left + right - 2
            }
            BinaryOp::DomainRestriction => {
                debug_assert_eq!(left, 1);
                right
            }
            BinaryOp::RangeRestriction => {
                debug_assert_eq!(right, 1);
                left
            }
        }
    }

    fn fold_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let is_none = |id| matches!(self.expr(id), Expr::None(_));
        match op {
            BinaryOp::Union if a == b || is_none(b) => Some(a),
            BinaryOp::Union if is_none(a) => Some(b),
            BinaryOp::Intersection if a == b || is_none(a) => Some(a),
            BinaryOp::Intersection if is_none(b) => Some(b),
            BinaryOp::Difference if is_none(a) || is_none(b) => Some(a),
            BinaryOp::Difference if a == b => Some(self.none(self.arity(a))),
            BinaryOp::Override if is_none(b) => Some(a),
            BinaryOp::Override if is_none(a) || a == b => Some(b),
            BinaryOp::Product | BinaryOp::Join | BinaryOp::DomainRestriction | BinaryOp::RangeRestriction
                if is_none(a) || is_none(b) =>
            {
                Some(self.none(self.binary_arity(op, a, b)))
            }
            BinaryOp::Join if *self.expr(a) == Expr::Iden => Some(b),
            BinaryOp::Join if *self.expr(b) == Expr::Iden => Some(a),
            // x.(x->r) is r, when x is known to be a single atom.
            BinaryOp::Join => match *self.expr(b) {
                Expr::Binary(BinaryOp::Product, x, rest) if x == a && self.is_known_atom(x) => Some(rest),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an expression is a relation that holds the same single atom in every solution.
    pub fn is_known_atom(&self, id: ExprId) -> bool {
        match *self.expr(id) {
            Expr::Relation(relation) => {
                let relation = &self.relations[relation];
                relation.arity() == 1 && relation.upper.len() == 1 && relation.lower.len() == 1
            }
            _ => false,
        }
    }

    pub fn union(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Union, a, b)
    }

    pub fn intersection(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Intersection, a, b)
    }

    pub fn difference(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Difference, a, b)
    }

    pub fn product(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Product, a, b)
    }

    pub fn join(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Join, a, b)
    }

    pub fn if_expr(&mut self, cond: FormulaId, then: ExprId, otherwise: ExprId) -> ExprId {
        debug_assert_eq!(self.arity(then), self.arity(otherwise));
        match self.formula(cond) {
            Formula::True => return then,
            Formula::False => return otherwise,
            _ if then == otherwise => return then,
            _ => {}
        }
        let parts = [
            *self.formula_info(cond),
            *self.expr_info(then),
            *self.expr_info(otherwise),
        ];
        let info = self.merge(self.arity(then), &parts);
        self.share_expr(Expr::If(cond, then, otherwise), info)
    }

    pub fn comprehension(&mut self, decls: Vec<Decl>, body: FormulaId) -> ExprId {
        debug_assert!(decls.iter().all(|decl| decl.mult == Multiplicity::One));
        let arity = decls.iter().map(|decl| self.variables[decl.var].arity).sum();
        let info = *self.formula_info(body);
        let info = self.bind(&decls, info, arity);
        self.share_expr(Expr::Comprehension(decls.into(), body), info)
    }

    pub fn of_int(&mut self, value: IntId) -> ExprId {
        let mut info = *self.int_info(value);
        info.arity = 1;
        self.share_expr(Expr::OfInt(value), info)
    }

    pub fn prime(&mut self, inner: ExprId) -> ExprId {
        let info = *self.expr_info(inner);
        if !info.in_time {
            return inner;
        }
        self.share_expr(Expr::Prime(inner), info)
    }
}

/// Formulas.
impl Logic {
    pub fn truth(&mut self, value: bool) -> FormulaId {
        self.share_formula(if value { Formula::True } else { Formula::False }, Info::leaf(0))
    }

    pub fn not(&mut self, inner: FormulaId) -> FormulaId {
        match *self.formula(inner) {
            Formula::True => self.truth(false),
            Formula::False => self.truth(true),
            Formula::Not(inner) => inner,
            _ => {
                let info = *self.formula_info(inner);
                self.share_formula(Formula::Not(inner), info)
            }
        }
    }

    pub fn and(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        self.nary(parts, Formula::True, Formula::False, Formula::And)
    }

    pub fn or(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        self.nary(parts, Formula::False, Formula::True, Formula::Or)
    }

    fn nary(
        &mut self,
        parts: impl IntoIterator<Item = FormulaId>,
        neutral: Formula,
        absorbing: Formula,
        node: fn(Box<[FormulaId]>) -> Formula,
    ) -> FormulaId {
        let mut kept = vec![];
        for part in parts {
            let formula = self.formula(part);
            if *formula == absorbing {
                return part;
            }
            if *formula != neutral && !kept.contains(&part) {
                kept.push(part);
            }
        }
        match kept[..] {
            [] => self.share_formula(neutral, Info::leaf(0)),
            [only] => only,
            _ => {
                let infos: Vec<Info> = kept.iter().map(|&part| *self.formula_info(part)).collect();
                let info = self.merge(0, &infos);
                self.share_formula(node(kept.into()), info)
            }
        }
    }

    pub fn implies(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    pub fn iff(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        match (self.formula(a), self.formula(b)) {
            (Formula::True, _) => return b,
            (_, Formula::True) => return a,
            (Formula::False, _) => return self.not(b),
            (_, Formula::False) => return self.not(a),
            _ => {}
        }
        let parts = [*self.formula_info(a), *self.formula_info(b)];
        let info = self.merge(0, &parts);
        self.share_formula(Formula::Iff(a, b), info)
    }

    pub fn if_formula(&mut self, cond: FormulaId, then: FormulaId, otherwise: FormulaId) -> FormulaId {
        let not_cond = self.not(cond);
        let on_true = self.or([not_cond, then]);
        let on_false = self.or([cond, otherwise]);
        self.and([on_true, on_false])
    }

    pub fn quantified(&mut self, quantifier: Quantifier, decls: Vec<Decl>, body: FormulaId) -> FormulaId {
        if decls.is_empty() {
            return body;
        }
        let trivial = match quantifier {
            Quantifier::All => Formula::True,
            Quantifier::Some => Formula::False,
        };
        if *self.formula(body) == trivial {
            return body;
        }
        let info = *self.formula_info(body);
        let mut info = self.bind(&decls, info, 0);
        info.polar = true;
        self.share_formula(Formula::Quantified(quantifier, decls.into(), body), info)
    }

    pub fn all(&mut self, decls: Vec<Decl>, body: FormulaId) -> FormulaId {
        self.quantified(Quantifier::All, decls, body)
    }

    pub fn some(&mut self, decls: Vec<Decl>, body: FormulaId) -> FormulaId {
        self.quantified(Quantifier::Some, decls, body)
    }

    pub fn subset(&mut self, a: ExprId, b: ExprId) -> FormulaId {
        debug_assert_eq!(self.arity(a), self.arity(b));
        if a == b && !self.expr_info(a).polar {
            return self.truth(true);
        }
        let parts = [*self.expr_info(a), *self.expr_info(b)];
        let info = self.merge(0, &parts);
        self.share_formula(Formula::Subset(a, b), info)
    }

    pub fn equal(&mut self, a: ExprId, b: ExprId) -> FormulaId {
        debug_assert_eq!(self.arity(a), self.arity(b));
        if a == b && !self.expr_info(a).polar {
            return self.truth(true);
        }
        let parts = [*self.expr_info(a), *self.expr_info(b)];
        let info = self.merge(0, &parts);
        self.share_formula(Formula::Equal(a, b), info)
    }

    pub fn counted(&mut self, cardinality: Cardinality, set: ExprId) -> FormulaId {
        if let Expr::None(_) = self.expr(set) {
            return self.truth(matches!(cardinality, Cardinality::No | Cardinality::Lone));
        }
        let mut info = *self.expr_info(set);
        info.arity = 0;
        self.share_formula(Formula::Counted(cardinality, set), info)
    }

    pub fn at_most(&mut self, set: ExprId, n_max: u32) -> FormulaId {
        match (self.expr(set), n_max) {
            (Expr::None(_), _) => return self.truth(true),
            (_, 0) => return self.counted(Cardinality::No, set),
            (_, 1) => return self.counted(Cardinality::Lone, set),
            _ => {}
        }
        let mut info = *self.expr_info(set);
        info.arity = 0;
        self.share_formula(Formula::AtMost(set, n_max), info)
    }

    pub fn exactly(&mut self, set: ExprId, n: u32) -> FormulaId {
        if n == 1 {
            return self.counted(Cardinality::One, set);
        }
        let at_most = self.at_most(set, n);
        let Some(less) = n.checked_sub(1) else {
            return at_most;
        };
        let fewer = self.at_most(set, less);
        let at_least = self.not(fewer);
        self.and([at_most, at_least])
    }

    pub fn compare(&mut self, comparison: Comparison, a: IntId, b: IntId) -> FormulaId {
        let parts = [*self.int_info(a), *self.int_info(b)];
        let info = self.merge(0, &parts);
        self.share_formula(Formula::Compare(comparison, a, b), info)
    }

    pub fn temporal(&mut self, op: UnaryTemporal, inner: FormulaId) -> FormulaId {
        let mut info = *self.formula_info(inner);
        match (op, self.formula(inner)) {
            // The first state has no state before it: only `before` can tell where it is.
            (UnaryTemporal::Before, Formula::False) => return inner,
            (UnaryTemporal::Before, _) => {}
            _ if !info.in_time => return inner,
            _ => {}
        }
        info.in_time = true;
        if let UnaryTemporal::Historically | UnaryTemporal::Once | UnaryTemporal::Before = op {
            info.past += 1;
        }
        self.share_formula(Formula::UnaryTemporal(op, inner), info)
    }

    pub fn binary_temporal(&mut self, op: BinaryTemporal, a: FormulaId, b: FormulaId) -> FormulaId {
        let parts = [*self.formula_info(a), *self.formula_info(b)];
        let mut info = self.merge(0, &parts);
        if !info.in_time {
            // In a frozen world the right side decides at once.
            return b;
        }
        if let BinaryTemporal::Since | BinaryTemporal::Triggered = op {
            info.past += 1;
        }
        self.share_formula(Formula::BinaryTemporal(op, a, b), info)
    }
}

/// Integers.
impl Logic {
    pub fn constant(&mut self, value: i64) -> IntId {
        self.share_int(IntExpr::Constant(value), Info::leaf(0))
    }

    fn arithmetic(&mut self, node: IntExpr, mut info: Info) -> IntId {
        info.arity = 0;
        // It may overflow, and what that means for a formula depends on polarity.
        info.polar = true;
        info.arithmetic = true;
        self.share_int(node, info)
    }

    pub fn cardinality(&mut self, set: ExprId) -> IntId {
        if let Expr::None(_) = self.expr(set) {
            return self.constant(0);
        }
        let info = *self.expr_info(set);
        self.arithmetic(IntExpr::Cardinality(set), info)
    }

    pub fn sum_of(&mut self, set: ExprId) -> IntId {
        debug_assert_eq!(self.arity(set), 1);
        if let Expr::None(_) = self.expr(set) {
            return self.constant(0);
        }
        let info = *self.expr_info(set);
        self.arithmetic(IntExpr::SumOf(set), info)
    }

    pub fn sum(&mut self, decls: Vec<Decl>, body: IntId) -> IntId {
        debug_assert!(decls.iter().all(|decl| decl.mult == Multiplicity::One));
        let info = *self.int_info(body);
        let info = self.bind(&decls, info, 0);
        self.arithmetic(IntExpr::Sum(decls.into(), body), info)
    }

    pub fn if_int(&mut self, cond: FormulaId, then: IntId, otherwise: IntId) -> IntId {
        match self.formula(cond) {
            Formula::True => return then,
            Formula::False => return otherwise,
            _ => {}
        }
        let parts = [
            *self.formula_info(cond),
            *self.int_info(then),
            *self.int_info(otherwise),
        ];
        let info = self.merge(0, &parts);
        self.share_int(IntExpr::If(cond, then, otherwise), info)
    }

    pub fn int_binary(&mut self, op: IntOp, a: IntId, b: IntId) -> IntId {
        let parts = [*self.int_info(a), *self.int_info(b)];
        let info = self.merge(0, &parts);
        self.arithmetic(IntExpr::Binary(op, a, b), info)
    }
}
