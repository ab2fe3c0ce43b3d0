//! Time: infinite traces as lassos, and formulas that look forwards and backwards along them.
//!
//! A trace of `n_steps` states returns from the last one to a state that the solver chooses: `loop_at[k]` holds for
//! exactly one k. A formula about the future alone has one truth value in each state. A formula about the past can
//! have another one each time the loop comes round, but not for ever: when past operators nest d deep, the turns from
//! the d-th on are alike (Benedetti and Cimatti, TACAS 2003). So a position is a turn and a step, and turns are
//! counted up to the depth of the formula at hand. Positions in later turns matter only within the loop.

use super::Translator;
use crate::budget::Abort;
use crate::circuit::{Circuit, Gate};
use crate::logic::{BinaryTemporal, ExprId, FormulaId, UnaryTemporal};
use crate::matrix::Matrix;

/// The shape of a trace.
pub(crate) struct Lasso {
    pub n_steps: usize,
    /// Which state follows the last one.
    pub loop_at: Vec<Gate>,
    /// Which states are in the loop.
    in_loop: Vec<Gate>,
    /// Exactly one state follows the last one.
    pub constraint: Gate,
}

impl Lasso {
    pub(super) fn new(n_steps: usize, circuit: &mut Circuit) -> Lasso {
        let loop_at: Vec<Gate> = match n_steps {
            1 => vec![Gate::TRUE],
            _ => (0..n_steps).map(|_| circuit.var()).collect(),
        };
        let mut in_loop = vec![];
        let mut before = Gate::FALSE;
        for &here in &loop_at {
            before = circuit.or(before, here);
            in_loop.push(before);
        }
        let some = circuit.or_all(loop_at.iter().copied());
        let lone = circuit.lone(&loop_at);
        Lasso {
            n_steps,
            constraint: circuit.and(some, lone),
            loop_at,
            in_loop,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub turn: u32,
    pub step: usize,
}

impl Position {
    pub(super) const START: Position = Position { turn: 0, step: 0 };
}

impl Translator<'_> {
    fn at<R>(&mut self, turn: u32, step: usize, inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.pos, Position { turn, step });
        let result = inner(self);
        self.pos = before;
        result
    }

    fn formula_at(&mut self, turn: u32, step: usize, id: FormulaId) -> Result<Gate, Abort> {
        self.at(turn, step, |this| this.formula(id))
    }

    fn is_last(&self) -> bool {
        self.pos.step + 1 == self.lasso.n_steps
    }

    /// One of the gates, by where the loop returns to.
    fn by_loop(
        &mut self,
        mut gate: impl FnMut(&mut Self, usize) -> Result<Gate, Abort>,
    ) -> Result<Gate, Abort> {
        let mut parts = vec![];
        for step in 0..self.lasso.n_steps {
            let value = gate(self, step)?;
            let here = self.lasso.loop_at[step];
            parts.push(self.circuit().and(here, value));
        }
        Ok(self.circuit().or_all(parts))
    }

    /// A formula in the next state.
    fn next(&mut self, id: FormulaId) -> Result<Gate, Abort> {
        let turn = self.pos.turn;
        match self.is_last() {
            false => self.formula_at(turn, self.pos.step + 1, id),
            true => self.by_loop(|this, step| this.formula_at(turn + 1, step, id)),
        }
    }

    /// A formula in the state before; `at_start` where there is none.
    fn previous(&mut self, id: FormulaId, at_start: Gate) -> Result<Gate, Abort> {
        let (turn, step) = (self.pos.turn, self.pos.step);
        let last = self.lasso.n_steps - 1;
        match (turn, step) {
            (0, 0) => Ok(at_start),
            (0, _) => self.formula_at(0, step - 1, id),
            // In a later turn the first state can only be the first of the loop.
            (_, 0) => self.formula_at(turn - 1, last, id),
            _ => {
                let from_loop = self.formula_at(turn - 1, last, id)?;
                let from_before = self.formula_at(turn, step - 1, id)?;
                let here = self.lasso.loop_at[step];
                Ok(self.circuit().ite(here, from_loop, from_before))
            }
        }
    }

    pub(super) fn primed(&mut self, inner: ExprId) -> Result<Matrix, Abort> {
        let turn = self.pos.turn;
        if !self.is_last() {
            let next = self.at(turn, self.pos.step + 1, |this| this.expr(inner))?;
            return Ok((*next).clone());
        }
        let mut value = Matrix::empty(self.logic().arity(inner));
        for step in 0..self.lasso.n_steps {
            let there = self.at(turn + 1, step, |this| this.expr(inner))?;
            let here = self.lasso.loop_at[step];
            let there = self.matrices.only_if(here, &there);
            value = self.matrices.union(&value, &there);
        }
        Ok(value)
    }

    /// `id` is the whole formula, `inner` what stands under the operator.
    pub(super) fn unary_temporal(
        &mut self,
        op: UnaryTemporal,
        id: FormulaId,
        inner: FormulaId,
    ) -> Result<Gate, Abort> {
        match op {
            UnaryTemporal::After => self.next(inner),
            UnaryTemporal::Before => self.previous(inner, Gate::FALSE),
            UnaryTemporal::Always => self.over_the_future(inner, Gate::TRUE),
            UnaryTemporal::Eventually => self.over_the_future(inner, Gate::FALSE),
            UnaryTemporal::Once => {
                let now = self.formula(inner)?;
                let before = self.previous(id, Gate::FALSE)?;
                Ok(self.circuit().or(now, before))
            }
            UnaryTemporal::Historically => {
                let now = self.formula(inner)?;
                let before = self.previous(id, Gate::TRUE)?;
                Ok(self.circuit().and(now, before))
            }
        }
    }

    /// The conjunction (`neutral` true) or disjunction of a formula over all positions from here on.
    fn over_the_future(&mut self, inner: FormulaId, neutral: Gate) -> Result<Gate, Abort> {
        let past = self.logic().formula_info(inner).past;
        let (turn, step) = (self.pos.turn.min(past), self.pos.step);
        let n_steps = self.lasso.n_steps;
        let mut parts = vec![];
        for k in step..n_steps {
            parts.push(self.formula_at(turn, k, inner)?);
        }
        let later_turns = (turn + 1..=past).flat_map(|later| (0..n_steps).map(move |k| (later, k)));
        // In the last turn that counts, the states before this one come round again.
        let again = (0..if turn == past { step } else { 0 }).map(|k| (past, k));
        for (later, k) in later_turns.chain(again) {
            let value = self.formula_at(later, k, inner)?;
            let counts = self.lasso.in_loop[k];
            parts.push(match neutral {
                Gate::TRUE => self.circuit().implies(counts, value),
                _ => self.circuit().and(counts, value),
            });
        }
        Ok(match neutral {
            Gate::TRUE => self.circuit().and_all(parts),
            _ => self.circuit().or_all(parts),
        })
    }

    pub(super) fn binary_temporal(
        &mut self,
        op: BinaryTemporal,
        id: FormulaId,
        a: FormulaId,
        b: FormulaId,
    ) -> Result<Gate, Abort> {
        match op {
            BinaryTemporal::Until => self.fixpoint(id, a, b, Gate::FALSE),
            BinaryTemporal::Releases => self.fixpoint(id, a, b, Gate::TRUE),
            BinaryTemporal::Since => {
                let before = self.previous(id, Gate::FALSE)?;
                self.unfold(a, b, before, Gate::FALSE)
            }
            BinaryTemporal::Triggered => {
                let before = self.previous(id, Gate::TRUE)?;
                self.unfold(a, b, before, Gate::TRUE)
            }
        }
    }

    /// `b ∨ (a ∧ rest)`, the strong operators; with `limit` true `b ∧ (a ∨ rest)`, the weak ones.
    fn unfold(&mut self, a: FormulaId, b: FormulaId, rest: Gate, limit: Gate) -> Result<Gate, Abort> {
        let (a, b) = (self.formula(a)?, self.formula(b)?);
        let circuit = self.circuit();
        Ok(match limit {
            Gate::FALSE => {
                let goes_on = circuit.and(a, rest);
                circuit.or(b, goes_on)
            }
            _ => {
                let goes_on = circuit.or(a, rest);
                circuit.and(b, goes_on)
            }
        })
    }

    fn fixpoint(&mut self, id: FormulaId, a: FormulaId, b: FormulaId, limit: Gate) -> Result<Gate, Abort> {
        let past = self.logic().formula_info(id).past;
        let turn = self.pos.turn.min(past);
        let rest = if !self.is_last() {
            self.formula_at(turn, self.pos.step + 1, id)?
        } else if turn < past {
            self.by_loop(|this, step| this.formula_at(turn + 1, step, id))?
        } else {
            // Once more round the loop settles it: what has not come by then never comes.
            let mut rest = limit;
            let mut values = vec![];
            for step in (0..self.lasso.n_steps).rev() {
                rest = self.at(turn, step, |this| this.unfold(a, b, rest, limit))?;
                values.push(rest);
            }
            values.reverse();
            self.by_loop(|_, step| Ok(values[step]))?
        };
        self.unfold(a, b, rest, limit)
    }
}

/// Which traces have a shorter form.
impl Translator<'_> {
    /// No shorter lasso gives the same infinite trace: the loop does not begin earlier than it could, and does not
    /// go round more than once.
    pub(crate) fn is_shortest_form(&mut self) -> Gate {
        let n_steps = self.lasso.n_steps;
        let last = n_steps - 1;
        let mut parts = vec![];
        for start in 0..n_steps {
            let mut shorter = vec![];
            if start > 0 {
                shorter.push(self.same_state(start - 1, last));
            }
            let period = n_steps - start;
            for divisor in (1..period).filter(|divisor| period.is_multiple_of(*divisor)) {
                let pairs = (start..n_steps - divisor).map(|step| self.same_state(step, step + divisor));
                let pairs: Vec<Gate> = pairs.collect();
                shorter.push(self.circuit().and_all(pairs));
            }
            let shorter = self.circuit().or_all(shorter);
            let here = self.lasso.loop_at[start];
            parts.push(self.circuit().implies(here, !shorter));
        }
        self.circuit().and_all(parts)
    }

    fn same_state(&mut self, a: usize, b: usize) -> Gate {
        let logic = self.logic();
        let varying: Vec<_> = logic
            .relations()
            .filter(|(_, it)| it.is_var)
            .map(|(id, _)| id)
            .collect();
        let mut parts = vec![];
        for relation in varying {
            let (left, right) = (self.leaf(relation, a).clone(), self.leaf(relation, b).clone());
            parts.push(self.matrices.equal(&left, &right));
        }
        self.circuit().and_all(parts)
    }
}
