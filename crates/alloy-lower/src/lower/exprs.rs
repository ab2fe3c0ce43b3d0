//! Expressions.

use alloy_sema::ir::{self, ExprKind};
use relational::{BinaryOp, Decl, ExprId};
use util::deep;

use super::{Lowerer, Value};
use crate::errors::Refusal;

impl Lowerer<'_> {
    pub(crate) fn expr(&mut self, id: ir::ExprId) -> Result<ExprId, Refusal> {
        deep(|| self.expr_node(id))
    }

    fn expr_node(&mut self, id: ir::ExprId) -> Result<ExprId, Refusal> {
        let model = self.model;
        let node = &model.exprs[id];
        Ok(match node.kind {
            ExprKind::Univ => self.layout.univ,
            ExprKind::Iden => self.layout.iden,
            ExprKind::None => self.logic().none(node.arity as usize),
            ExprKind::Sig(sig) => self.layout.sig(sig),
            ExprKind::Field(field) => self.layout.field(field),
            ExprKind::Var(var) => match self.env.get(&var) {
                Some(&Value::Expr(expr)) => expr,
                _ => unreachable!("relation variables are bound to relations"),
            },
            ExprKind::String(text) => {
                let unknown = Refusal::UnknownString {
                    text,
                    span: node.span,
                };
                self.layout.string(text).ok_or(unknown)?
            }
            ExprKind::IntNext => self.layout.int_next,
            ExprKind::FromInt(int) => {
                let int = self.int(int)?;
                self.logic().of_int(int)
            }
            ExprKind::Unary(op, inner) => {
                let inner = self.expr(inner)?;
                self.unary(op, inner)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.logic().binary(binary_op(op), a, b)
            }
            ExprKind::If(cond, a, b) => {
                let (cond, a, b) = (self.formula(cond)?, self.expr(a)?, self.expr(b)?);
                self.logic().if_expr(cond, a, b)
            }
            ExprKind::Let { var, value, body } => {
                let value = self.value(value)?;
                self.with(vec![(var, value)], |this| this.expr(body))?
            }
            ExprKind::Call { fun, ref args } => match self.call(fun, args)? {
                Some(Value::Expr(expr)) => expr,
                // Recursion deeper than allowed.
                _ => self.logic().none(node.arity as usize),
            },
            ExprKind::Comprehension { ref decls, body } => {
                self.comprehension(decls, node.span, |this| this.formula(body))?
            }
        })
    }

    fn unary(&mut self, op: ir::UnaryOp, inner: ExprId) -> ExprId {
        let iden = self.layout.iden;
        let logic = self.logic();
        match op {
            ir::UnaryOp::Transpose => logic.transpose(inner),
            ir::UnaryOp::Closure => logic.closure(inner),
            ir::UnaryOp::ReflexiveClosure => {
                // The identity on what exists, not on all atoms that might.
                let closure = logic.closure(inner);
                logic.union(closure, iden)
            }
            ir::UnaryOp::Prime => logic.prime(inner),
        }
    }

    pub(crate) fn value(&mut self, value: ir::Value) -> Result<Value, Refusal> {
        Ok(match value {
            ir::Value::Formula(formula) => Value::Formula(self.formula(formula)?),
            ir::Value::Expr(expr) => Value::Expr(self.expr(expr)?),
            ir::Value::Int(int) => Value::Int(self.int(int)?),
        })
    }

    /// The set of all bindings for which the body holds, as tuples of the variables.
    pub(super) fn comprehension(
        &mut self,
        decls: &[ir::Decl],
        span: source::Span,
        body: impl FnOnce(&mut Self) -> Result<relational::FormulaId, Refusal>,
    ) -> Result<ExprId, Refusal> {
        self.binding_columns(decls, |this, bound| {
            if let Some(var) = bound.higher_order {
                return Err(this.refuse_higher_order(var, span));
            }
            let body = body(this)?;
            let logic = this.logic();
            let body = logic.and(bound.conditions.into_iter().chain([body]));
            let decls: Vec<Decl> = bound.decls;
            Ok(logic.comprehension(decls, body))
        })
    }
}

fn binary_op(op: ir::BinaryOp) -> BinaryOp {
    match op {
        ir::BinaryOp::Union => BinaryOp::Union,
        ir::BinaryOp::Difference => BinaryOp::Difference,
        ir::BinaryOp::Intersect => BinaryOp::Intersection,
        ir::BinaryOp::Override => BinaryOp::Override,
        ir::BinaryOp::Product => BinaryOp::Product,
        ir::BinaryOp::Join => BinaryOp::Join,
        ir::BinaryOp::Domain => BinaryOp::DomainRestriction,
        ir::BinaryOp::Range => BinaryOp::RangeRestriction,
    }
}
