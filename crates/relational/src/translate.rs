//! From relational logic to a circuit, by grounding: each quantified variable takes each value its domain may have.
//!
//! The meaning of an expression is a [`Matrix`] of gates, of an integer [`Bits`], of a formula a gate. What depends on
//! few variables is translated once for each of *their* bindings and then taken from a cache. Formulas are translated
//! *for a polarity*: the gate may be stronger than the formula where it is only relied on when true, and weaker where
//! only when false. Two things need this:
//!
//! - an existential witness becomes a fresh row of variables instead of a disjunction (skolemisation). The enclosing
//!   universal variables are bound to atoms while we are here, so each binding gets its own row: a Skolem function;
//! - an integer overflow must never be the reason for a solution. An atomic formula about an undefined integer counts
//!   against the solution, except where the integer was chosen by a universal quantifier over the integers: then this
//!   binding is passed over (Milicevic and Jackson, ABZ 2012).
//!
//! Time is a lasso of `n_steps` states; see [`time`].

mod cache;
mod exprs;
mod formulas;
mod ints;
mod quantify;
mod time;

use std::rc::Rc;

use crate::bits::{Arithmetic, Bits, Overflow};
use crate::budget::{Abort, Budget};
use crate::circuit::{Circuit, Gate};
use crate::logic::{Logic, RelId, VarId, VarSet};
use crate::matrix::{Matrices, Matrix};
use crate::problem::Problem;
use crate::universe::TupleIndex;

pub(crate) use time::Lasso;

use cache::Caches;
use time::Position;

/// What a variable stands for while its scope is translated.
#[derive(Clone)]
enum Binding {
    Unbound,
    Tuple(TupleIndex),
    /// A witness: the number of its row, and the row.
    Witness(u32, Rc<Matrix>),
}

/// A quantifier that we are inside of.
#[derive(Clone, Copy)]
struct Frame {
    var: VarId,
    /// The variable ranges over all integers.
    is_int: bool,
    /// Holds for all values, polarity taken into account.
    is_universal: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Polarity {
    /// The gate will be relied on when it is true (else: when it is false).
    positive: bool,
    /// Witnesses may stand for existential variables here.
    skolemise: bool,
}

impl Polarity {
    const TOP: Polarity = Polarity {
        positive: true,
        skolemise: true,
    };

    fn flip(self) -> Polarity {
        Polarity {
            positive: !self.positive,
            ..self
        }
    }

    fn without_witnesses(self) -> Polarity {
        Polarity {
            skolemise: false,
            ..self
        }
    }
}

/// The row of a witness: which of the tuples it may be made of are in it.
pub(crate) struct Witness {
    pub var: VarId,
    /// The values of the universal variables around it, outermost first.
    pub args: Vec<(VarId, TupleIndex)>,
    pub step: usize,
    /// How often the loop came round before.
    pub turn: u32,
    pub row: Rc<Matrix>,
}

pub(crate) struct Translator<'p> {
    problem: &'p Problem,
    pub matrices: Matrices,
    pub lasso: Lasso,
    /// For each relation, its value in each state (one value for all, if it is static).
    pub leaves: Vec<Vec<Rc<Matrix>>>,
    pub witnesses: Vec<Witness>,
    /// Witnesses may stand under so many universal quantifiers.
    skolem_depth: usize,
    env: Vec<Binding>,
    frames: Vec<Frame>,
    pos: Position,
    polarity: Polarity,
    caches: Caches,
}

impl<'p> Translator<'p> {
    pub(crate) fn new(
        problem: &'p Problem,
        n_steps: usize,
        skolem_depth: usize,
        budget: Budget,
    ) -> Result<Translator<'p>, Abort> {
        let mut matrices = Matrices {
            circuit: Circuit::new(),
            budget,
            n_atoms: problem.universe.len().max(1) as u64,
        };
        let mut leaves = vec![];
        for (_, relation) in problem.logic.relations() {
            matrices.stride(relation.arity())?;
            let n_copies = if relation.is_var { n_steps } else { 1 };
            matrices
                .budget
                .check_more(&matrices.circuit, relation.upper.len().saturating_mul(n_copies))?;
            let copies = (0..n_copies).map(|_| {
                let cells = relation.upper.iter().map(|tuple| {
                    let known = relation.lower.contains(tuple);
                    (tuple, if known { Gate::TRUE } else { matrices.circuit.var() })
                });
                Rc::new(Matrix::new(relation.arity(), cells.collect()))
            });
            leaves.push(copies.collect());
        }
        let lasso = Lasso::new(n_steps, &mut matrices.circuit);
        Ok(Translator {
            problem,
            matrices,
            lasso,
            leaves,
            witnesses: vec![],
            skolem_depth,
            env: vec![Binding::Unbound; problem.logic.n_variables()],
            frames: vec![],
            pos: Position::START,
            polarity: Polarity::TOP,
            caches: Caches::new(problem),
        })
    }

    pub(crate) fn logic(&self) -> &'p Logic {
        &self.problem.logic
    }

    fn circuit(&mut self) -> &mut Circuit {
        &mut self.matrices.circuit
    }

    fn arithmetic(&mut self) -> Arithmetic<'_> {
        Arithmetic {
            circuit: &mut self.matrices.circuit,
            width: self.problem.bit_width as usize,
            overflow: self.problem.overflow,
        }
    }

    fn check_budget(&self) -> Result<(), Abort> {
        self.matrices.budget.check(&self.matrices.circuit)
    }

    /// The value of a relation in a state.
    pub(crate) fn leaf(&self, relation: RelId, step: usize) -> &Rc<Matrix> {
        let copies = &self.leaves[relation.index()];
        &copies[step.min(copies.len() - 1)]
    }

    /// Runs `inner` with the variable bound, and unbinds it.
    fn bound<R>(&mut self, frame: Frame, binding: Binding, inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.env[frame.var.index()], binding);
        self.frames.push(frame);
        let result = inner(self);
        self.frames.pop();
        self.env[frame.var.index()] = before;
        result
    }

    fn under<R>(&mut self, polarity: Polarity, inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.polarity, polarity);
        let result = inner(self);
        self.polarity = before;
        result
    }

    /// What an atomic formula means when `undef` holds, for a side with these free variables.
    fn guard(&mut self, value: Gate, undef: Gate, free: VarSet) -> Gate {
        if undef == Gate::FALSE {
            return value;
        }
        debug_assert_eq!(self.problem.overflow, Overflow::Forbid);
        let vars = self.logic().vars(free);
        let chooser = self
            .frames
            .iter()
            .rev()
            .find(|frame| frame.is_int && vars.contains(&frame.var));
        let passed_over = chooser.is_some_and(|frame| frame.is_universal);
        if self.polarity.positive == passed_over {
            self.circuit().or(value, undef)
        } else {
            self.circuit().and(value, !undef)
        }
    }
}

/// The result of translating any node, shared with the cache.
type Value = Rc<Matrix>;
type IntValue = Rc<Bits>;
