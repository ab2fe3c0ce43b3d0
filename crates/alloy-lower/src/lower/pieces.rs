//! A formula taken apart into pieces that must all hold: the units of blame, each with its own place in the text.
//!
//! `all x | a and b` becomes two pieces, so do `p => a and b` and a call of a predicate whose body is a conjunction.
//! This also spares the solver a variable for the conjunction.

use alloy_sema::ir::{self, FormulaKind, FunBody};
use relational::{FormulaId, Quantifier, UnaryTemporal};
use source::Span;
use util::deep;

use super::{Lowerer, Value};
use crate::errors::Refusal;

type Pieces = Vec<(FormulaId, Span)>;

impl Lowerer<'_> {
    /// Pieces whose conjunction is the formula, which is asserted in the first state.
    pub(crate) fn pieces(&mut self, id: ir::FormulaId) -> Result<Pieces, Refusal> {
        self.split(id, true, true)
    }

    /// `positive`: pieces of the formula, else of its negation. `at_top`: nothing stands around it.
    fn split(&mut self, id: ir::FormulaId, positive: bool, at_top: bool) -> Result<Pieces, Refusal> {
        deep(|| self.split_node(id, positive, at_top))
    }

    fn split_node(&mut self, id: ir::FormulaId, positive: bool, at_top: bool) -> Result<Pieces, Refusal> {
        let model = self.model;
        let node = &model.formulas[id];
        match (&node.kind, positive) {
            (&FormulaKind::Not(inner), _) => self.split(inner, !positive, at_top),
            (FormulaKind::And(parts), true) | (FormulaKind::Or(parts), false) => {
                let mut pieces = vec![];
                for &part in parts {
                    pieces.extend(self.split(part, positive, at_top)?);
                }
                Ok(pieces)
            }
            (&FormulaKind::Implies(a, b), true) => {
                let condition = self.formula(a)?;
                self.split_under(b, true, |this, piece| this.logic().implies(condition, piece))
            }
            (&FormulaKind::Implies(a, b), false) => {
                let mut pieces = self.split(a, true, at_top)?;
                pieces.extend(self.split(b, false, at_top)?);
                Ok(pieces)
            }
            (&FormulaKind::Temporal(ir::Temporal::Always, inner), true) => {
                self.split_under(inner, true, |this, piece| {
                    this.logic().temporal(UnaryTemporal::Always, piece)
                })
            }
            (&FormulaKind::Temporal(ir::Temporal::Eventually, inner), false) => {
                self.split_under(inner, false, |this, piece| {
                    this.logic().temporal(UnaryTemporal::Always, piece)
                })
            }
            (
                FormulaKind::Quantified {
                    quantifier,
                    decls,
                    body,
                },
                _,
            ) => {
                let body_positive = match (quantifier, positive) {
                    (ir::Quantifier::All, true) => true,
                    (ir::Quantifier::No, true) | (ir::Quantifier::Some, false) => false,
                    _ => return self.whole(id, positive),
                };
                self.split_all(decls, *body, body_positive, at_top)
            }
            (&FormulaKind::Let { var, value, body }, _) => {
                let value = self.value(value)?;
                self.with(vec![(var, value)], |this| this.split(body, positive, at_top))
            }
            (FormulaKind::Call { fun, args }, _) if !model.funs[*fun].is_recursive => {
                self.split_call(*fun, args, positive, at_top)
            }
            (&FormulaKind::TotalOrder { elem, first, next }, true) if at_top => {
                let order = self.assert_total_order(elem, first, next)?;
                Ok(vec![(order, node.span)])
            }
            _ => self.whole(id, positive),
        }
    }

    fn whole(&mut self, id: ir::FormulaId, positive: bool) -> Result<Pieces, Refusal> {
        let formula = self.formula(id)?;
        let formula = if positive {
            formula
        } else {
            self.logic().not(formula)
        };
        Ok(vec![(formula, self.model.formulas[id].span)])
    }

    fn split_under(
        &mut self,
        id: ir::FormulaId,
        positive: bool,
        mut wrap: impl FnMut(&mut Self, FormulaId) -> FormulaId,
    ) -> Result<Pieces, Refusal> {
        let pieces = self.split(id, positive, false)?;
        Ok(pieces
            .into_iter()
            .map(|(piece, span)| (wrap(self, piece), span))
            .collect())
    }

    fn split_all(
        &mut self,
        decls: &[ir::Decl],
        body: ir::FormulaId,
        positive: bool,
        at_top: bool,
    ) -> Result<Pieces, Refusal> {
        self.binding(decls, |this, bound| {
            let is_empty = bound.decls.is_empty() && bound.conditions.is_empty();
            let pieces = this.split(body, positive, at_top && is_empty)?;
            let logic = this.logic();
            let condition = logic.and(bound.conditions);
            let wrap = |(piece, span)| {
                let body = logic.implies(condition, piece);
                (logic.quantified(Quantifier::All, bound.decls.clone(), body), span)
            };
            Ok(pieces.into_iter().map(wrap).collect())
        })
    }

    fn split_call(
        &mut self,
        fun: ir::FunId,
        args: &[ir::ExprId],
        positive: bool,
        at_top: bool,
    ) -> Result<Pieces, Refusal> {
        let model = self.model;
        let FunBody::Pred(body) = model.funs[fun].body else {
            unreachable!("a formula calls a predicate")
        };
        let mut values = vec![];
        for &arg in args {
            values.push(Value::Expr(self.expr(arg)?));
        }
        let params = model.funs[fun].params.iter().flat_map(|decl| &decl.vars).copied();
        let bindings = params.zip(values).collect();
        self.calls.push(fun);
        let pieces = self.with(bindings, |this| this.split(body, positive, at_top));
        self.calls.pop();
        pieces
    }
}
