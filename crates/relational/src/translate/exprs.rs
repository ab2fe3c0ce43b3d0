//! Expressions to matrices.

use std::rc::Rc;

use util::deep;

use super::{Binding, Translator, Value};
use crate::budget::Abort;
use crate::circuit::Gate;
use crate::logic::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::matrix::Matrix;

impl Translator<'_> {
    pub(crate) fn expr(&mut self, id: ExprId) -> Result<Value, Abort> {
        let logic = self.logic();
        match *logic.expr(id) {
            Expr::Relation(relation) => return Ok(self.leaf(relation, self.pos.step).clone()),
            Expr::Variable(var) => {
                return Ok(match &self.env[var.index()] {
                    Binding::Unbound => unreachable!("a free variable without a binding"),
                    Binding::Tuple(tuple) => Rc::new(Matrix::singleton(logic.variable(var).arity, *tuple)),
                    Binding::Witness(_, row) => row.clone(),
                });
            }
            _ => {}
        }
        let is_shared = self.caches.is_shared_expr(id);
        let Some(key) = self.key(id.raw(), logic.expr_info(id), is_shared) else {
            return Ok(Rc::new(deep(|| self.expr_uncached(id))?));
        };
        if let Some(value) = self.caches.exprs.get(&key) {
            return Ok(value.clone());
        }
        let value = Rc::new(deep(|| self.expr_uncached(id))?);
        self.caches.exprs.insert(key, value.clone());
        Ok(value)
    }

    fn expr_uncached(&mut self, id: ExprId) -> Result<Matrix, Abort> {
        self.check_budget()?;
        let logic = self.logic();
        Ok(match *logic.expr(id) {
            Expr::None(arity) => Matrix::empty(arity as usize),
            Expr::Univ => self.matrices.univ(),
            Expr::Iden => self.matrices.iden(),
            Expr::Ints => self.all_ints(),
            Expr::Relation(_) | Expr::Variable(_) => unreachable!("leaves are not translated"),
            Expr::Unary(op, inner) => {
                let inner = self.expr(inner)?;
                match op {
                    UnaryOp::Transpose => self.matrices.transpose(&inner),
                    UnaryOp::Closure => self.matrices.closure(&inner)?,
                    UnaryOp::ReflexiveClosure => self.matrices.reflexive_closure(&inner)?,
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.binary(op, &a, &b)?
            }
            Expr::If(cond, a, b) => {
                let (holds, fails) = self.both_ways(cond)?;
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.matrices.choose(holds, &a, fails, &b)
            }
            Expr::Comprehension(ref decls, body) => self.comprehension(decls, body)?,
            Expr::OfInt(value) => self.atom_of_int(value)?,
            Expr::Prime(inner) => self.primed(inner)?,
        })
    }

    fn all_ints(&self) -> Matrix {
        let mut cells: Vec<_> = self
            .problem
            .universe
            .ints()
            .map(|(_, atom)| (u64::from(atom.0), Gate::TRUE))
            .collect();
        cells.sort_unstable();
        Matrix::new(1, cells)
    }

    fn binary(&mut self, op: BinaryOp, a: &Matrix, b: &Matrix) -> Result<Matrix, Abort> {
        let matrices = &mut self.matrices;
        match op {
            BinaryOp::Union => Ok(matrices.union(a, b)),
            BinaryOp::Intersection => Ok(matrices.intersection(a, b)),
            BinaryOp::Difference => Ok(matrices.difference(a, b)),
            BinaryOp::Override => matrices.override_with(a, b),
            BinaryOp::Product => matrices.product(a, b),
            BinaryOp::Join => matrices.join(a, b),
            BinaryOp::DomainRestriction => matrices.restrict_domain(a, b),
            BinaryOp::RangeRestriction => Ok(matrices.restrict_range(a, b)),
        }
    }
}
