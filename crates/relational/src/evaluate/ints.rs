//! Integers, as machine integers.

use util::deep;

use super::{Evaluator, Meant, TooManySets};
use crate::bits::Overflow;
use crate::logic::{Decl, IntExpr, IntId, IntOp};

impl Evaluator<'_> {
    /// Cuts an exact result to the bit width.
    fn fit(&self, exact: i128, undef: bool) -> Meant<i64> {
        let half = 1i128 << (self.problem.bit_width - 1);
        let value = (exact + half).rem_euclid(2 * half) - half;
        let forbid = self.problem.overflow == Overflow::Forbid;
        Meant {
            value: value as i64,
            undef: forbid && (undef || value != exact),
        }
    }

    pub(super) fn int(&mut self, id: IntId) -> Result<Meant<i64>, TooManySets> {
        deep(|| self.int_anew(id))
    }

    fn int_anew(&mut self, id: IntId) -> Result<Meant<i64>, TooManySets> {
        let problem = self.problem;
        Ok(match *self.logic().int(id) {
            IntExpr::Constant(value) => self.fit(i128::from(value), false),
            IntExpr::Cardinality(set) => {
                let set = self.expr(set)?;
                self.fit(set.value.len() as i128, set.undef)
            }
            IntExpr::SumOf(set) => {
                let set = self.expr(set)?;
                let ints = problem
                    .universe
                    .ints()
                    .filter(|(_, atom)| set.value.contains(&vec![*atom]));
                self.fit(ints.map(|(value, _)| i128::from(value)).sum(), set.undef)
            }
            IntExpr::Sum(ref decls, body) => {
                let (mut sum, mut undef) = (0, false);
                self.each_binding(decls, &mut |this| {
                    let term = this.int(body)?;
                    sum += i128::from(term.value);
                    undef |= term.undef;
                    Ok(())
                })?;
                self.fit(sum, undef)
            }
            IntExpr::If(cond, a, b) => {
                let (holds, fails) = self.both_ways(cond)?;
                let mut result = Meant::sure(0);
                for (applies, branch) in [(holds, a), (fails, b)] {
                    if applies {
                        let branch = self.int(branch)?;
                        result.value |= branch.value;
                        result.undef |= branch.undef;
                    }
                }
                result
            }
            IntExpr::Binary(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                let (exact, undef) = self.operate(op, a.value, b.value);
                self.fit(exact, undef || a.undef || b.undef)
            }
        })
    }

    /// The exact result, and whether there is none.
    fn operate(&self, op: IntOp, a: i64, b: i64) -> (i128, bool) {
        let (x, y) = (i128::from(a), i128::from(b));
        let width = self.problem.bit_width;
        // Shift distances count as unsigned words, and as many of their low bits as can matter.
        let word = (1i128 << width) - 1;
        let distance = y
            & (word
                >> word
                    .count_ones()
                    .saturating_sub(u32::BITS - (width - 1).leading_zeros()));
        match op {
            IntOp::Add => (x + y, false),
            IntOp::Sub => (x - y, false),
            IntOp::Mul => (x * y, false),
            IntOp::Div if y == 0 => (-x.signum(), true),
            IntOp::Div => (x / y, false),
            IntOp::Rem if y == 0 => (x, true),
            IntOp::Rem => (x % y, false),
            IntOp::Shl => (x << distance, y & word != distance && x != 0),
            IntOp::Shr => (
                (((x & word) >> distance) ^ (word / 2 + 1)) - (word / 2 + 1),
                false,
            ),
            IntOp::Sha => (x >> distance, false),
        }
    }

    pub(super) fn any_domain_undef(&mut self, decls: &[Decl]) -> Result<bool, TooManySets> {
        let [decl, rest @ ..] = decls else {
            return Ok(false);
        };
        if !decls
            .iter()
            .any(|decl| self.logic().expr_info(decl.domain).arithmetic)
        {
            return Ok(false);
        }
        let mut undef = self.with_polarity(true, |this| this.expr(decl.domain))?.undef;
        for value in self.with_polarity(true, |this| this.singletons(decl.domain))? {
            undef |= self.bound(decl, value, false, |this| this.any_domain_undef(rest))?;
        }
        Ok(undef)
    }
}
