//! Formulas.

use alloy_sema::ir::{self, Count, ExprKind, FormulaKind, IntCompare};
use relational::{
    BinaryTemporal, Cardinality, Comparison, Expr, ExprId, FormulaId, Multiplicity, RelId, TotalOrder,
    TupleSet, UnaryTemporal,
};
use util::deep;

use super::{Lowerer, Value};
use crate::errors::Refusal;

impl Lowerer<'_> {
    pub(crate) fn formula(&mut self, id: ir::FormulaId) -> Result<FormulaId, Refusal> {
        deep(|| self.formula_node(id))
    }

    fn formulas(&mut self, ids: &[ir::FormulaId]) -> Result<Vec<FormulaId>, Refusal> {
        ids.iter().map(|&id| self.formula(id)).collect()
    }

    fn formula_node(&mut self, id: ir::FormulaId) -> Result<FormulaId, Refusal> {
        let model = self.model;
        let node = &model.formulas[id];
        Ok(match node.kind {
            FormulaKind::True => self.logic().truth(true),
            FormulaKind::False => self.logic().truth(false),
            FormulaKind::Not(inner) => {
                let inner = self.formula(inner)?;
                self.logic().not(inner)
            }
            FormulaKind::And(ref parts) => {
                let parts = self.formulas(parts)?;
                self.logic().and(parts)
            }
            FormulaKind::Or(ref parts) => {
                let parts = self.formulas(parts)?;
                self.logic().or(parts)
            }
            FormulaKind::Implies(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.logic().implies(a, b)
            }
            FormulaKind::Iff(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.logic().iff(a, b)
            }
            FormulaKind::If(cond, a, b) => {
                let (cond, a, b) = (self.formula(cond)?, self.formula(a)?, self.formula(b)?);
                self.logic().if_formula(cond, a, b)
            }
            FormulaKind::In(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.logic().subset(a, b)
            }
            FormulaKind::InBound(a, ref bound) => {
                let a = self.expr(a)?;
                self.in_bound(a, bound)?
            }
            FormulaKind::Equal(a, b) => self.equal(a, b)?,
            FormulaKind::Compare(compare, a, b) => self.compare(compare, a, b)?,
            FormulaKind::Count(count, set) => {
                let set = self.expr(set)?;
                let cardinality = match count {
                    Count::No => Cardinality::No,
                    Count::Some => Cardinality::Some,
                    Count::Lone => Cardinality::Lone,
                    Count::One => Cardinality::One,
                };
                self.logic().counted(cardinality, set)
            }
            FormulaKind::Disjoint(ref sets) => self.disjoint(sets)?,
            FormulaKind::TotalOrder { elem, first, next } => {
                let (elem, first, next) = (self.expr(elem)?, self.expr(first)?, self.expr(next)?);
                self.order_formula(elem, first, next)
            }
            FormulaKind::Quantified {
                quantifier,
                ref decls,
                body,
            } => self.quantified(quantifier, decls, body, node.span)?,
            FormulaKind::Let { var, value, body } => {
                let value = self.value(value)?;
                self.with(vec![(var, value)], |this| this.formula(body))?
            }
            FormulaKind::Call { fun, ref args } => match self.call(fun, args)? {
                Some(Value::Formula(formula)) => formula,
                // Recursion deeper than allowed.
                _ => self.logic().truth(false),
            },
            FormulaKind::Var(var) => match self.env.get(&var) {
                Some(&Value::Formula(formula)) => formula,
                _ => unreachable!("formula variables are bound to formulas"),
            },
            FormulaKind::Temporal(op, inner) => {
                let inner = self.formula(inner)?;
                self.logic().temporal(temporal_op(op), inner)
            }
            FormulaKind::Temporal2(op, a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.logic().binary_temporal(temporal2_op(op), a, b)
            }
        })
    }

    fn equal(&mut self, a: ir::ExprId, b: ir::ExprId) -> Result<FormulaId, Refusal> {
        let model = self.model;
        if let (&ExprKind::FromInt(a), &ExprKind::FromInt(b)) = (&model.exprs[a].kind, &model.exprs[b].kind) {
            let (a, b) = (self.int(a)?, self.int(b)?);
            return Ok(self.logic().compare(Comparison::Equal, a, b));
        }
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        Ok(self.logic().equal(a, b))
    }

    fn compare(&mut self, compare: IntCompare, a: ir::IntId, b: ir::IntId) -> Result<FormulaId, Refusal> {
        let (a, b) = (self.int(a)?, self.int(b)?);
        let logic = self.logic();
        Ok(match compare {
            IntCompare::Lt => logic.compare(Comparison::Less, a, b),
            IntCompare::Le => logic.compare(Comparison::LessOrEqual, a, b),
            IntCompare::Gt => logic.compare(Comparison::Less, b, a),
            IntCompare::Ge => logic.compare(Comparison::LessOrEqual, b, a),
        })
    }

    /// No set shares a tuple with the union of those before it.
    fn disjoint(&mut self, sets: &[ir::ExprId]) -> Result<FormulaId, Refusal> {
        let mut parts = vec![];
        let mut before: Option<ExprId> = None;
        for &set in sets {
            let set = self.expr(set)?;
            let logic = self.logic();
            before = Some(match before {
                None => set,
                Some(before) => {
                    let shared = logic.intersection(before, set);
                    parts.push(logic.counted(Cardinality::No, shared));
                    logic.union(before, set)
                }
            });
        }
        Ok(self.logic().and(parts))
    }

    /// Asserts an order: as bounds, if it can be, for these save the solver from trying permutations.
    pub(super) fn assert_total_order(
        &mut self,
        elem: ir::ExprId,
        first: ir::ExprId,
        next: ir::ExprId,
    ) -> Result<FormulaId, Refusal> {
        let (elems, firsts, nexts) = (self.expr(elem)?, self.expr(first)?, self.expr(next)?);
        let relation = |expr: ExprId| match *self.problem.logic.expr(expr) {
            Expr::Relation(id) => Some(id),
            _ => None,
        };
        let (known, first, next) = (relation(elems), relation(firsts), relation(nexts));
        if let (Some(first), Some(next)) = (first, next) {
            if self.fix_enum_order(elem, first, next) {
                return Ok(self.logic().truth(true));
            }
            if let Some(elems) = known {
                self.problem.orders.push(TotalOrder { elems, first, next });
                return Ok(self.logic().truth(true));
            }
        }
        Ok(self.order_formula(elems, firsts, nexts))
    }

    /// The constants of an enum are ordered as they are declared.
    fn fix_enum_order(&mut self, elem: ir::ExprId, first: RelId, next: RelId) -> bool {
        let model = self.model;
        let ExprKind::Sig(sig) = model.exprs[elem].kind else {
            return false;
        };
        let sig = &model.sigs[sig];
        if !sig.is_enum {
            return false;
        }
        let constants = sig
            .children
            .iter()
            .map(|child| &self.layout.bounds[child.index()].lower);
        let line: Vec<_> = constants.flat_map(|lower| lower.atoms()).collect();
        let universe = &self.problem.universe;
        let steps = line.windows(2).map(|pair| universe.encode(pair)).collect();
        let values = [
            (first, TupleSet::of_atoms(line.first().copied())),
            (next, TupleSet::from_indices(2, steps)),
        ];
        let logic = &mut self.problem.logic;
        let fits = values
            .iter()
            .all(|(id, value)| value.is_subset(&logic.rel(*id).upper));
        if fits {
            for (id, value) in values {
                let relation = logic.rel_mut(id);
                (relation.lower, relation.upper) = (value.clone(), value);
            }
        }
        fits
    }

    /// What an order is, in a formula.
    fn order_formula(&mut self, elems: ExprId, first: ExprId, next: ExprId) -> FormulaId {
        let logic = self.logic();
        let closure = logic.closure(next);
        let after_first = logic.join(first, closure);
        let reached = logic.union(first, after_first);
        let complete = logic.subset(elems, reached);
        let before_first = logic.join(next, first);
        let starts = logic.counted(Cardinality::No, before_first);
        let (decl, elem) = self.fresh(elems);
        debug_assert_eq!(decl.mult, Multiplicity::One);
        let logic = self.logic();
        let is_first = logic.equal(elem, first);
        let before = logic.join(next, elem);
        let one_before = logic.counted(Cardinality::One, before);
        let followed = logic.join(next, elems);
        let last = logic.difference(elems, followed);
        let is_last = logic.equal(elem, last);
        let after = logic.join(elem, next);
        let one_after = logic.counted(Cardinality::One, after);
        let later = logic.join(elem, closure);
        let in_cycle = logic.subset(elem, later);
        let parts = [
            logic.or([is_first, one_before]),
            logic.or([is_last, one_after]),
            logic.not(in_cycle),
        ];
        let each = logic.and(parts);
        let each = logic.all(vec![decl], each);
        logic.and([complete, starts, each])
    }
}

fn temporal_op(op: ir::Temporal) -> UnaryTemporal {
    match op {
        ir::Temporal::Always => UnaryTemporal::Always,
        ir::Temporal::Eventually => UnaryTemporal::Eventually,
        ir::Temporal::After => UnaryTemporal::After,
        ir::Temporal::Historically => UnaryTemporal::Historically,
        ir::Temporal::Once => UnaryTemporal::Once,
        ir::Temporal::Before => UnaryTemporal::Before,
    }
}

fn temporal2_op(op: ir::Temporal2) -> BinaryTemporal {
    match op {
        ir::Temporal2::Until => BinaryTemporal::Until,
        ir::Temporal2::Releases => BinaryTemporal::Releases,
        ir::Temporal2::Since => BinaryTemporal::Since,
        ir::Temporal2::Triggered => BinaryTemporal::Triggered,
    }
}
