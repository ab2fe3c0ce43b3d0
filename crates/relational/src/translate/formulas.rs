//! Formulas to gates.

use util::deep;

use super::Translator;
use crate::bits::{Arithmetic, Bits, Overflow};
use crate::budget::Abort;
use crate::circuit::Gate;
use crate::logic::{Cardinality, Comparison, ExprId, Formula, FormulaId, IntId};

impl Translator<'_> {
    pub(crate) fn formula(&mut self, id: FormulaId) -> Result<Gate, Abort> {
        let is_shared = self.caches.is_shared_formula(id);
        let Some(key) = self.key(id.raw(), self.logic().formula_info(id), is_shared) else {
            return deep(|| self.formula_uncached(id));
        };
        if let Some(&gate) = self.caches.formulas.get(&key) {
            return Ok(gate);
        }
        let gate = deep(|| self.formula_uncached(id))?;
        self.caches.formulas.insert(key, gate);
        Ok(gate)
    }

    fn formula_uncached(&mut self, id: FormulaId) -> Result<Gate, Abort> {
        self.check_budget()?;
        let logic = self.logic();
        match *logic.formula(id) {
            Formula::True => Ok(Gate::TRUE),
            Formula::False => Ok(Gate::FALSE),
            Formula::Not(inner) => self.negated(inner).map(|gate| !gate),
            Formula::And(ref parts) => self.junction(parts, Gate::FALSE),
            Formula::Or(ref parts) => self.junction(parts, Gate::TRUE),
            Formula::Iff(a, b) => self.equivalence(a, b),
            Formula::Quantified(quantifier, ref decls, body) => self.quantified(quantifier, decls, body),
            Formula::Subset(a, b) => self.comparison(a, b, false),
            Formula::Equal(a, b) => self.comparison(a, b, true),
            Formula::Counted(cardinality, set) => self.counted(cardinality, set),
            Formula::AtMost(set, n_max) => self.at_most(set, n_max),
            Formula::Compare(comparison, a, b) => self.compare(comparison, a, b),
            Formula::UnaryTemporal(op, inner) => self.unary_temporal(op, id, inner),
            Formula::BinaryTemporal(op, a, b) => self.binary_temporal(op, id, a, b),
        }
    }

    /// The gate of a formula that stands under a negation.
    fn negated(&mut self, id: FormulaId) -> Result<Gate, Abort> {
        self.under(self.polarity.flip(), |this| this.formula(id))
    }

    fn junction(&mut self, parts: &[FormulaId], absorbing: Gate) -> Result<Gate, Abort> {
        let mut gates = Vec::with_capacity(parts.len());
        for &part in parts {
            let gate = self.formula(part)?;
            if gate == absorbing {
                return Ok(absorbing);
            }
            gates.push(gate);
        }
        Ok(match absorbing {
            Gate::FALSE => self.circuit().and_all(gates),
            _ => self.circuit().or_all(gates),
        })
    }

    /// Two gates: one implies the formula, the other its negation. They are opposites unless the formula holds
    /// something that depends on polarity.
    pub(super) fn both_ways(&mut self, id: FormulaId) -> Result<(Gate, Gate), Abort> {
        let polarity = self.polarity.without_witnesses();
        if !self.logic().formula_info(id).arithmetic || self.problem.overflow == Overflow::Wrap {
            let gate = self.under(polarity, |this| this.formula(id))?;
            return Ok((gate, !gate));
        }
        // An expression has no polarity: what is undefined in it is neither true nor false.
        let positive = super::Polarity {
            positive: true,
            ..polarity
        };
        let holds = self.under(positive, |this| this.formula(id))?;
        let fails = self.under(positive.flip(), |this| this.formula(id))?;
        Ok((holds, !fails))
    }

    fn equivalence(&mut self, a: FormulaId, b: FormulaId) -> Result<Gate, Abort> {
        let polar = |id| self.logic().formula_info(id).polar;
        if !polar(a) && !polar(b) {
            let (a, b) = (self.formula(a)?, self.formula(b)?);
            return Ok(self.circuit().iff(a, b));
        }
        // Each side is needed in both directions; for either, all that polarity allows may be used.
        let (a, b) = (
            (self.formula(a)?, self.negated(a)?),
            (self.formula(b)?, self.negated(b)?),
        );
        let circuit = self.circuit();
        // Positive: (¬a⁻ ∨ b⁺) ∧ (¬b⁻ ∨ a⁺). A gate used in the direction it was made for stays right under
        // negation, and where nothing was polar after all the two implications are the equivalence.
        if a.0 == a.1 && b.0 == b.1 {
            return Ok(circuit.iff(a.0, b.0));
        }
        let there = circuit.implies(a.1, b.0);
        let back = circuit.implies(b.1, a.0);
        Ok(circuit.and(there, back))
    }

    fn comparison(&mut self, a: ExprId, b: ExprId, equal: bool) -> Result<Gate, Abort> {
        let (left, right) = (self.expr(a)?, self.expr(b)?);
        let gate = if equal {
            self.matrices.equal(&left, &right)
        } else {
            self.matrices.subset(&left, &right)
        };
        let gate = self.guard(gate, left.undef, self.logic().expr_info(a).free);
        Ok(self.guard(gate, right.undef, self.logic().expr_info(b).free))
    }

    fn counted(&mut self, cardinality: Cardinality, set: ExprId) -> Result<Gate, Abort> {
        let matrix = self.expr(set)?;
        let gate = match cardinality {
            Cardinality::No => !self.matrices.some(&matrix),
            Cardinality::Some => self.matrices.some(&matrix),
            Cardinality::One => self.matrices.one(&matrix),
            Cardinality::Lone => self.matrices.lone(&matrix),
        };
        Ok(self.guard(gate, matrix.undef, self.logic().expr_info(set).free))
    }

    fn at_most(&mut self, set: ExprId, n_max: u32) -> Result<Gate, Abort> {
        let matrix = self.expr(set)?;
        let gates: Vec<Gate> = matrix.gates().collect();
        let n_certain = gates.iter().filter(|&&gate| gate == Gate::TRUE).count();
        let gate = if gates.len() <= n_max as usize {
            Gate::TRUE
        } else if n_certain > n_max as usize {
            Gate::FALSE
        } else {
            let limit = Bits::constant(i64::from(n_max));
            let mut arithmetic = Arithmetic {
                // Wide enough for any count: this is not arithmetic of the user's.
                width: 40,
                ..self.arithmetic()
            };
            let count = arithmetic.count(gates, Gate::FALSE);
            arithmetic.less(&count, &limit, true)
        };
        Ok(self.guard(gate, matrix.undef, self.logic().expr_info(set).free))
    }

    fn compare(&mut self, comparison: Comparison, a: IntId, b: IntId) -> Result<Gate, Abort> {
        let (left, right) = (self.int(a)?, self.int(b)?);
        let gate = match comparison {
            Comparison::Equal => self.arithmetic().equal(&left, &right),
            Comparison::Less => self.arithmetic().less(&left, &right, false),
            Comparison::LessOrEqual => self.arithmetic().less(&left, &right, true),
        };
        let gate = self.guard(gate, left.undef, self.logic().int_info(a).free);
        Ok(self.guard(gate, right.undef, self.logic().int_info(b).free))
    }
}
