//! Declarations of bound variables.

use alloy_sema::ir::{self, BoundKind, Mult};
use relational::{Cardinality, Decl, ExprId, FormulaId, Multiplicity, Quantifier};
use source::Span;

use super::{Lowerer, Value};
use crate::errors::Refusal;

/// Declarations of the model as the relational side knows them.
pub(super) struct Bound {
    pub decls: Vec<Decl>,
    /// What a binding must satisfy besides being in the domains, in order to count.
    pub conditions: Vec<FormulaId>,
    /// The first variable that stands for a set or relation.
    pub higher_order: Option<ir::VarId>,
    /// Every variable is a column of a comprehension, so that none may be left out.
    has_columns: bool,
}

impl Lowerer<'_> {
    /// Runs `inner` in the scope of the declarations. A variable that can have only one value is that value.
    pub(super) fn binding<R>(
        &mut self,
        decls: &[ir::Decl],
        inner: impl FnOnce(&mut Self, Bound) -> Result<R, Refusal>,
    ) -> Result<R, Refusal> {
        self.binding_to(decls, false, inner)
    }

    /// As [`Lowerer::binding`], with a declaration for every variable.
    pub(super) fn binding_columns<R>(
        &mut self,
        decls: &[ir::Decl],
        inner: impl FnOnce(&mut Self, Bound) -> Result<R, Refusal>,
    ) -> Result<R, Refusal> {
        self.binding_to(decls, true, inner)
    }

    fn binding_to<R>(
        &mut self,
        decls: &[ir::Decl],
        has_columns: bool,
        inner: impl FnOnce(&mut Self, Bound) -> Result<R, Refusal>,
    ) -> Result<R, Refusal> {
        let mut bound = Bound {
            decls: vec![],
            conditions: vec![],
            higher_order: None,
            has_columns,
        };
        let mut before = vec![];
        let result = self
            .bind_all(decls, &mut bound, &mut before)
            .and_then(|()| inner(self, bound));
        for (var, value) in before.into_iter().rev() {
            match value {
                Some(value) => self.env.insert(var, value),
                None => self.env.remove(&var),
            };
        }
        result
    }

    fn bind_all(
        &mut self,
        decls: &[ir::Decl],
        bound: &mut Bound,
        before: &mut Vec<(ir::VarId, Option<Value>)>,
    ) -> Result<(), Refusal> {
        for decl in decls {
            let domain = self.expr(decl.bound.expr)?;
            let mut exprs: Vec<ExprId> = vec![];
            for &var in &decl.vars {
                let expr = self.bind_one(decl, var, domain, &exprs, bound)?;
                before.push((var, self.env.insert(var, Value::Expr(expr))));
                exprs.push(expr);
            }
        }
        Ok(())
    }

    fn bind_one(
        &mut self,
        decl: &ir::Decl,
        var: ir::VarId,
        domain: ExprId,
        earlier: &[ExprId],
        bound: &mut Bound,
    ) -> Result<ExprId, Refusal> {
        let mult = match decl.bound.kind {
            // `x: exactly e` leaves no choice.
            BoundKind::Exactly => return Ok(domain),
            BoundKind::Of(Mult::One) => Multiplicity::One,
            BoundKind::Of(Mult::Lone) => Multiplicity::Lone,
            BoundKind::Of(Mult::Some) => Multiplicity::Some,
            BoundKind::Of(Mult::Set) | BoundKind::Arrow { .. } | BoundKind::Seq { .. } => Multiplicity::Set,
        };
        // The only element of a `one` sig needs no variable.
        let may_be_left_out = mult == Multiplicity::One && !decl.is_disj && !bound.has_columns;
        if may_be_left_out && self.logic().is_known_atom(domain) {
            return Ok(domain);
        }
        if mult != Multiplicity::One {
            bound.higher_order.get_or_insert(var);
        }
        let id = self.variable(var);
        let expr = self.logic().var(id);
        let all_ints = self.logic().all_ints();
        let mut own_domain = domain;
        if decl.is_disj {
            for &other in earlier {
                if mult == Multiplicity::One && domain != all_ints {
                    // Leaving the others out of the domain saves looking at bindings that do not count.
                    own_domain = self.logic().difference(own_domain, other);
                } else {
                    let logic = self.logic();
                    let shared = logic.intersection(expr, other);
                    bound.conditions.push(logic.counted(Cardinality::No, shared));
                }
            }
        }
        if let BoundKind::Arrow { .. } | BoundKind::Seq { .. } = decl.bound.kind {
            let condition = self.in_bound(expr, &decl.bound)?;
            bound.conditions.push(condition);
        }
        bound.decls.push(Decl {
            var: id,
            mult,
            domain: own_domain,
        });
        Ok(expr)
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: ir::Quantifier,
        decls: &[ir::Decl],
        body: ir::FormulaId,
        span: Span,
    ) -> Result<FormulaId, Refusal> {
        let counting = match quantifier {
            ir::Quantifier::One => Some(Cardinality::One),
            ir::Quantifier::Lone => Some(Cardinality::Lone),
            ir::Quantifier::All | ir::Quantifier::Some | ir::Quantifier::No => None,
        };
        if let Some(cardinality) = counting {
            let set = self.comprehension(decls, span, |this| this.formula(body))?;
            return Ok(self.logic().counted(cardinality, set));
        }
        self.binding(decls, |this, bound| {
            let body = this.formula(body)?;
            let logic = this.logic();
            Ok(match quantifier {
                ir::Quantifier::Some => {
                    let body = logic.and(bound.conditions.into_iter().chain([body]));
                    logic.quantified(Quantifier::Some, bound.decls, body)
                }
                _ => {
                    let body = if quantifier == ir::Quantifier::No {
                        logic.not(body)
                    } else {
                        body
                    };
                    let condition = logic.and(bound.conditions);
                    let body = logic.implies(condition, body);
                    logic.quantified(Quantifier::All, bound.decls, body)
                }
            })
        })
    }
}
