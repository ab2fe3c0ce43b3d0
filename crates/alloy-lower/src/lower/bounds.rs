//! `e in bound`, where the bound has multiplicities.

use alloy_sema::ir::{Bound, BoundKind, Mult, builtin};
use relational::{Cardinality, Decl, ExprId, FormulaId};

use super::Lowerer;
use crate::errors::Refusal;

impl Lowerer<'_> {
    pub(super) fn in_bound(&mut self, value: ExprId, bound: &Bound) -> Result<FormulaId, Refusal> {
        let whole = self.expr(bound.expr)?;
        let inside = match bound.kind {
            BoundKind::Exactly => return Ok(self.logic().equal(value, whole)),
            _ => self.logic().subset(value, whole),
        };
        let rest = match &bound.kind {
            BoundKind::Exactly => unreachable!("returned above"),
            BoundKind::Of(mult) => self.counted(value, *mult),
            BoundKind::Seq { elem } => self.in_sequence(value, elem)?,
            BoundKind::Arrow {
                left,
                left_mult,
                right_mult,
                right,
            } => {
                let forth = self.images(value, left, *right_mult, right, true)?;
                let back = self.images(value, right, *left_mult, left, false)?;
                self.logic().and([forth, back])
            }
        };
        Ok(self.logic().and([inside, rest]))
    }

    fn counted(&mut self, value: ExprId, mult: Mult) -> FormulaId {
        let logic = self.logic();
        match mult {
            Mult::Set => logic.truth(true),
            Mult::One => logic.counted(Cardinality::One, value),
            Mult::Lone => logic.counted(Cardinality::Lone, value),
            Mult::Some => logic.counted(Cardinality::Some, value),
        }
    }

    /// For each tuple t of `from`, what `value` relates to t has `mult` tuples and is in `to`. `forwards`: t stands at
    /// the left of `value`.
    fn images(
        &mut self,
        value: ExprId,
        from: &Bound,
        mult: Mult,
        to: &Bound,
        forwards: bool,
    ) -> Result<FormulaId, Refusal> {
        let to_is_plain = matches!(to.kind, BoundKind::Of(Mult::Set));
        if mult == Mult::Set && to_is_plain {
            return Ok(self.logic().truth(true));
        }
        let from_expr = self.expr(from.expr)?;
        let (decls, tuple, image) = self.each_tuple(from_expr, value, forwards);
        let mut parts = vec![self.counted(image, mult)];
        if !to_is_plain {
            parts.push(self.in_bound(image, to)?);
        }
        let body = self.logic().and(parts);
        let body = match from.kind {
            BoundKind::Of(_) => body,
            _ => {
                let counts = self.in_bound(tuple, from)?;
                self.logic().implies(counts, body)
            }
        };
        Ok(self.logic().all(decls, body))
    }

    /// Variables for the columns of `set` that together run through its tuples; the tuple as a product; and what
    /// `value` relates to it.
    fn each_tuple(&mut self, set: ExprId, value: ExprId, forwards: bool) -> (Vec<Decl>, ExprId, ExprId) {
        let arity = self.logic().arity(set);
        let mut decls = vec![];
        let mut image = value;
        let mut rest = set;
        let mut tuple: Option<ExprId> = None;
        for column in 0..arity {
            // The column at the outer end of what is left of the set.
            let mut domain = rest;
            for _ in column + 1..arity {
                let univ = self.logic().univ();
                let logic = self.logic();
                domain = if forwards {
                    logic.join(domain, univ)
                } else {
                    logic.join(univ, domain)
                };
            }
            let (decl, atom) = self.fresh(domain);
            decls.push(decl);
            let logic = self.logic();
            let is_last = column + 1 == arity;
            if forwards {
                image = logic.join(atom, image);
                rest = if is_last { rest } else { logic.join(atom, rest) };
                tuple = Some(tuple.map_or(atom, |tuple| logic.product(tuple, atom)));
            } else {
                image = logic.join(image, atom);
                rest = if is_last { rest } else { logic.join(rest, atom) };
                tuple = Some(tuple.map_or(atom, |tuple| logic.product(atom, tuple)));
            }
        }
        (decls, tuple.expect("at least one column"), image)
    }

    fn in_sequence(&mut self, value: ExprId, elem: &Bound) -> Result<FormulaId, Refusal> {
        let indices = self.layout.sig(builtin::seq_int());
        let int_next = self.layout.int_next;
        let (decl, index) = self.fresh(indices);
        let logic = self.logic();
        let at_index = logic.join(index, value);
        let lone = logic.counted(Cardinality::Lone, at_index);
        let each = match elem.kind {
            BoundKind::Of(_) => lone,
            _ => {
                let fits = self.in_bound(at_index, elem)?;
                self.logic().and([lone, fits])
            }
        };
        let each = self.logic().all(vec![decl], each);
        // An index without the one before it can only be the first.
        let mut used = value;
        for _ in 1..self.logic().arity(value) {
            let univ = self.logic().univ();
            used = self.logic().join(used, univ);
        }
        let logic = self.logic();
        let after_used = logic.join(used, int_next);
        let starts = logic.difference(used, after_used);
        let zero = logic.constant(0);
        let zero = logic.of_int(zero);
        let initial = logic.subset(starts, zero);
        Ok(logic.and([each, initial]))
    }
}
