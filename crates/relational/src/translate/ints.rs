//! Integer expressions to bits.

use std::rc::Rc;

use util::deep;

use super::{IntValue, Translator};
use crate::bits::Bits;
use crate::budget::Abort;
use crate::circuit::Gate;
use crate::logic::{ExprId, IntExpr, IntId};
use crate::matrix::Matrix;

impl Translator<'_> {
    pub(super) fn int(&mut self, id: IntId) -> Result<IntValue, Abort> {
        let is_shared = self.caches.is_shared_int(id);
        let Some(key) = self.key(id.raw(), self.logic().int_info(id), is_shared) else {
            return Ok(Rc::new(deep(|| self.int_uncached(id))?));
        };
        if let Some(value) = self.caches.ints.get(&key) {
            return Ok(value.clone());
        }
        let value = Rc::new(deep(|| self.int_uncached(id))?);
        self.caches.ints.insert(key, value.clone());
        Ok(value)
    }

    fn int_uncached(&mut self, id: IntId) -> Result<Bits, Abort> {
        self.check_budget()?;
        let logic = self.logic();
        Ok(match *logic.int(id) {
            IntExpr::Constant(value) => self.arithmetic().constant(value),
            IntExpr::Cardinality(set) => {
                let set = self.expr(set)?;
                self.arithmetic().count(set.gates().collect(), set.undef)
            }
            IntExpr::SumOf(set) => self.sum_of(set)?,
            IntExpr::Sum(ref decls, body) => {
                let mut terms = vec![];
                self.each_binding(decls, &mut |this, guard| {
                    let value = this.int(body)?;
                    terms.push((guard, (*value).clone()));
                    Ok(())
                })?;
                self.arithmetic().sum(terms)
            }
            IntExpr::If(cond, a, b) => {
                let (holds, fails) = self.both_ways(cond)?;
                let (a, b) = (self.int(a)?, self.int(b)?);
                self.arithmetic().choose(holds, &a, fails, &b)
            }
            IntExpr::Binary(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                self.arithmetic().binary(op, &a, &b)
            }
        })
    }

    fn sum_of(&mut self, set: ExprId) -> Result<Bits, Abort> {
        let set = self.expr(set)?;
        let mut terms = vec![];
        for (value, atom) in self.problem.universe.ints() {
            let gate = set.get(u64::from(atom.0));
            if gate != Gate::FALSE && value != 0 {
                terms.push((gate, Bits::constant(value)));
            }
        }
        // The set itself may be meaningless: an undefined term of value zero carries that on.
        let mut nothing = Bits::constant(0);
        nothing.undef = set.undef;
        terms.push((Gate::TRUE, nothing));
        Ok(self.arithmetic().sum(terms))
    }

    pub(super) fn atom_of_int(&mut self, id: IntId) -> Result<Matrix, Abort> {
        let value = self.int(id)?;
        let ints: Vec<_> = self.problem.universe.ints().collect();
        let mut cells = vec![];
        for (constant, atom) in ints {
            let gate = self.arithmetic().equal(&value, &Bits::constant(constant));
            if gate != Gate::FALSE {
                cells.push((u64::from(atom.0), gate));
            }
        }
        cells.sort_unstable();
        let mut matrix = Matrix::new(1, cells);
        matrix.undef = value.undef;
        Ok(matrix)
    }
}
