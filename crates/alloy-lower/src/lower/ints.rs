//! Integer expressions.

use alloy_sema::ir::{self, ExprKind, IntKind};
use relational::{IntId, IntOp};
use source::Span;
use util::deep;

use super::{Lowerer, Value};
use crate::errors::Refusal;

impl Lowerer<'_> {
    pub(crate) fn int(&mut self, id: ir::IntId) -> Result<IntId, Refusal> {
        deep(|| self.int_node(id))
    }

    fn int_node(&mut self, id: ir::IntId) -> Result<IntId, Refusal> {
        let model = self.model;
        let node = &model.ints[id];
        Ok(match node.kind {
            IntKind::Const(value) => self.constant(i64::from(value), node.span)?,
            IntKind::Min => self.constant(-self.half(), node.span)?,
            IntKind::Max => self.constant(self.half() - 1, node.span)?,
            IntKind::Card(set) => {
                let set = self.expr(set)?;
                self.logic().cardinality(set)
            }
            IntKind::Sum(set) => match model.exprs[set].kind {
                // There and back again.
                ExprKind::FromInt(int) => self.int(int)?,
                _ => {
                    let set = self.expr(set)?;
                    self.logic().sum_of(set)
                }
            },
            IntKind::SumOver { ref decls, body } => self.sum_over(decls, body, node.span)?,
            IntKind::Binary(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                self.logic().int_binary(int_op(op), a, b)
            }
            IntKind::If(cond, a, b) => {
                let (cond, a, b) = (self.formula(cond)?, self.int(a)?, self.int(b)?);
                self.logic().if_int(cond, a, b)
            }
            IntKind::Let { var, value, body } => {
                let value = self.value(value)?;
                self.with(vec![(var, value)], |this| this.int(body))?
            }
            IntKind::Var(var) => match self.env.get(&var) {
                Some(&Value::Int(int)) => int,
                _ => unreachable!("integer variables are bound to integers"),
            },
        })
    }

    /// The number of negative integers.
    fn half(&self) -> i64 {
        1 << (self.bit_width.max(1) - 1)
    }

    fn constant(&mut self, value: i64, span: Span) -> Result<IntId, Refusal> {
        let half = self.half();
        if self.bit_width == 0 || !(-half..half).contains(&value) {
            return Err(Refusal::IntOutOfRange {
                value,
                bit_width: self.bit_width,
                span,
            });
        }
        Ok(self.logic().constant(value))
    }

    fn sum_over(&mut self, decls: &[ir::Decl], body: ir::IntId, span: Span) -> Result<IntId, Refusal> {
        self.binding(decls, |this, bound| {
            if let Some(var) = bound.higher_order {
                return Err(this.refuse_higher_order(var, span));
            }
            let mut body = this.int(body)?;
            let logic = this.logic();
            let condition = logic.and(bound.conditions);
            let zero = logic.constant(0);
            body = logic.if_int(condition, body, zero);
            Ok(logic.sum(bound.decls, body))
        })
    }
}

fn int_op(op: ir::IntOp) -> IntOp {
    match op {
        ir::IntOp::Add => IntOp::Add,
        ir::IntOp::Sub => IntOp::Sub,
        ir::IntOp::Mul => IntOp::Mul,
        ir::IntOp::Div => IntOp::Div,
        ir::IntOp::Rem => IntOp::Rem,
        ir::IntOp::Shl => IntOp::Shl,
        ir::IntOp::Sha => IntOp::Sha,
        ir::IntOp::Shr => IntOp::Shr,
    }
}
