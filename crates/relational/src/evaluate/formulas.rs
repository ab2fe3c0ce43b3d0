//! Formulas, as truth values.

use util::deep;

use super::{DOMAIN_MAX, Evaluator, Set, TooManySets};
use crate::logic::*;
use crate::universe::TupleIndex;

impl Evaluator<'_> {
    pub(super) fn formula(&mut self, id: FormulaId) -> Result<bool, TooManySets> {
        deep(|| self.formula_anew(id))
    }

    fn formula_anew(&mut self, id: FormulaId) -> Result<bool, TooManySets> {
        match *self.logic().formula(id) {
            Formula::True => Ok(true),
            Formula::False => Ok(false),
            Formula::Not(inner) => Ok(!self.flipped(inner)?),
            Formula::And(ref parts) => {
                for &part in parts {
                    if !self.formula(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Formula::Or(ref parts) => {
                for &part in parts {
                    if self.formula(part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Formula::Iff(a, b) => {
                let there = !self.flipped(a)? || self.formula(b)?;
                Ok(there && (!self.flipped(b)? || self.formula(a)?))
            }
            Formula::Quantified(quantifier, ref decls, body) => {
                let decided = self.quantified(quantifier, decls, body)?;
                let mut value = decided == (quantifier == Quantifier::Some);
                for i in 0..decls.len() {
                    let undef = self.domain_undef_at(&decls[..=i])?;
                    value = self.guard(value, undef, self.logic().expr_info(decls[i].domain).free);
                }
                Ok(value)
            }
            Formula::Subset(a, b) => self.comparison(a, b, Set::is_subset),
            Formula::Equal(a, b) => self.comparison(a, b, |x, y| x == y),
            Formula::Counted(cardinality, set) => {
                let value = self.expr(set)?;
                let n = value.value.len();
                let holds = match cardinality {
                    Cardinality::No => n == 0,
                    Cardinality::Some => n > 0,
                    Cardinality::One => n == 1,
                    Cardinality::Lone => n <= 1,
                };
                Ok(self.guard(holds, value.undef, self.logic().expr_info(set).free))
            }
            Formula::AtMost(set, n_max) => {
                let value = self.expr(set)?;
                let holds = value.value.len() <= n_max as usize;
                Ok(self.guard(holds, value.undef, self.logic().expr_info(set).free))
            }
            Formula::Compare(comparison, a, b) => {
                let (left, right) = (self.int(a)?, self.int(b)?);
                let holds = match comparison {
                    Comparison::Equal => left.value == right.value,
                    Comparison::Less => left.value < right.value,
                    Comparison::LessOrEqual => left.value <= right.value,
                };
                let holds = self.guard(holds, left.undef, self.logic().int_info(a).free);
                Ok(self.guard(holds, right.undef, self.logic().int_info(b).free))
            }
            Formula::UnaryTemporal(op, inner) => self.unary_temporal(op, inner),
            Formula::BinaryTemporal(op, a, b) => self.binary_temporal(op, a, b),
        }
    }

    fn flipped(&mut self, id: FormulaId) -> Result<bool, TooManySets> {
        self.with_polarity(!self.positive, |this| this.formula(id))
    }

    /// Whether the formula certainly holds, and whether it certainly fails.
    pub(super) fn both_ways(&mut self, id: FormulaId) -> Result<(bool, bool), TooManySets> {
        let holds = self.with_polarity(true, |this| this.formula(id))?;
        let fails = !self.with_polarity(false, |this| this.formula(id))?;
        Ok((holds, fails))
    }

    /// What an atomic formula says when an integer in it is meaningless: see the module `translate`.
    fn guard(&self, value: bool, undef: bool, free: VarSet) -> bool {
        if !undef {
            return value;
        }
        let vars = self.logic().vars(free);
        let chooser = self
            .frames
            .iter()
            .rev()
            .find(|frame| frame.is_int && vars.contains(&frame.var));
        self.positive == chooser.is_some_and(|frame| frame.is_universal)
    }

    fn comparison(
        &mut self,
        a: ExprId,
        b: ExprId,
        holds: fn(&Set, &Set) -> bool,
    ) -> Result<bool, TooManySets> {
        let (left, right) = (self.expr(a)?, self.expr(b)?);
        let holds = holds(&left.value, &right.value);
        let holds = self.guard(holds, left.undef, self.logic().expr_info(a).free);
        Ok(self.guard(holds, right.undef, self.logic().expr_info(b).free))
    }

    /// Whether a binding decides the quantifier: makes the body true (for `some`) or false (for `all`).
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        decls: &[Decl],
        body: FormulaId,
    ) -> Result<bool, TooManySets> {
        let [decl, rest @ ..] = decls else {
            return Ok(self.formula(body)? == (quantifier == Quantifier::Some));
        };
        let is_universal = (quantifier == Quantifier::All) == self.positive;
        let values = match decl.mult {
            Multiplicity::One => self.singletons(decl.domain)?,
            _ => {
                let hint = self.hint(decl)?;
                if let Some(value) = hint
                    && self.bound(decl, value, is_universal, |this| {
                        this.quantified(quantifier, rest, body)
                    })?
                {
                    return Ok(true);
                }
                self.subsets(decl)?
            }
        };
        for value in values {
            if self.bound(decl, value, is_universal, |this| {
                this.quantified(quantifier, rest, body)
            })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The set that the instance proposes for a variable, if it is one that the variable may have.
    fn hint(&mut self, decl: &Decl) -> Result<Option<Set>, TooManySets> {
        let universe = &self.problem.universe;
        let args: Vec<(VarId, TupleIndex)> = self
            .frames
            .iter()
            .filter(|frame| frame.is_universal && frame.value.len() == 1)
            .map(|frame| {
                (
                    frame.var,
                    universe.encode(frame.value.first().expect("one tuple")),
                )
            })
            .collect();
        let step = self.step();
        let found = self
            .instance
            .witnesses
            .iter()
            .find(|it| it.var == decl.var && it.args == args && it.step == step);
        let Some(found) = found else {
            return Ok(None);
        };
        let value: Set = found
            .value
            .iter()
            .map(|tuple| universe.decode(tuple, found.value.arity()))
            .collect();
        let domain = self.expr(decl.domain)?.value;
        Ok((value.is_subset(&domain) && counts(decl.mult, value.len())).then_some(value))
    }

    fn subsets(&mut self, decl: &Decl) -> Result<Vec<Set>, TooManySets> {
        let domain: Vec<_> = self.expr(decl.domain)?.value.into_iter().collect();
        if domain.len() > DOMAIN_MAX {
            return Err(TooManySets(decl.var));
        }
        let subset = |bits: usize| {
            let chosen = domain.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
            chosen.map(|(_, tuple)| tuple.clone()).collect::<Set>()
        };
        let subsets = (0..1usize << domain.len()).map(subset);
        Ok(subsets.filter(|set| counts(decl.mult, set.len())).collect())
    }

    /// Whether the last of these domains is meaningless for some binding of the variables before it.
    fn domain_undef_at(&mut self, decls: &[Decl]) -> Result<bool, TooManySets> {
        let (last, before) = decls.split_last().expect("at least one");
        if !self.logic().expr_info(last.domain).arithmetic {
            return Ok(false);
        }
        let [first, rest @ ..] = before else {
            return Ok(self.expr(last.domain)?.undef);
        };
        let is_universal = false;
        for value in self.singletons(first.domain)? {
            let rest: Vec<Decl> = rest.iter().chain([last]).copied().collect();
            if self.bound(first, value, is_universal, |this| this.domain_undef_at(&rest))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The points that must be looked at to know a formula from now on: one turn of the loop, once past operators
    /// have settled.
    fn horizon(&self, inner: &[FormulaId]) -> std::ops::Range<usize> {
        let past = inner
            .iter()
            .map(|&it| self.logic().formula_info(it).past)
            .max()
            .unwrap_or(0);
        let period = self.instance.states.len() - self.instance.loop_to;
        let settled = self.instance.loop_to + past as usize * period;
        self.now..self.now.max(settled) + period
    }

    fn unary_temporal(&mut self, op: UnaryTemporal, inner: FormulaId) -> Result<bool, TooManySets> {
        let now = self.now;
        let (points, wanted): (std::ops::Range<usize>, bool) = match op {
            UnaryTemporal::After => return self.at(now + 1, |this| this.formula(inner)),
            UnaryTemporal::Before if now == 0 => return Ok(false),
            UnaryTemporal::Before => return self.at(now - 1, |this| this.formula(inner)),
            UnaryTemporal::Always => (self.horizon(&[inner]), false),
            UnaryTemporal::Eventually => (self.horizon(&[inner]), true),
            UnaryTemporal::Historically => (0..now + 1, false),
            UnaryTemporal::Once => (0..now + 1, true),
        };
        for point in points {
            if self.at(point, |this| this.formula(inner))? == wanted {
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }

    fn binary_temporal(
        &mut self,
        op: BinaryTemporal,
        a: FormulaId,
        b: FormulaId,
    ) -> Result<bool, TooManySets> {
        let points: Vec<usize> = match op {
            BinaryTemporal::Until | BinaryTemporal::Releases => self.horizon(&[a, b]).collect(),
            BinaryTemporal::Since | BinaryTemporal::Triggered => (0..self.now + 1).rev().collect(),
        };
        let strong = matches!(op, BinaryTemporal::Until | BinaryTemporal::Since);
        for point in points {
            if self.at(point, |this| this.formula(b))? == strong {
                return Ok(strong);
            }
            if self.at(point, |this| this.formula(a))? != strong {
                return Ok(!strong);
            }
        }
        Ok(!strong)
    }
}

fn counts(mult: Multiplicity, n: usize) -> bool {
    match mult {
        Multiplicity::One => n == 1,
        Multiplicity::Lone => n <= 1,
        Multiplicity::Some => n > 0,
        Multiplicity::Set => true,
    }
}
