//! The meaning of formulas on a given instance, computed directly.
//!
//! This is the second opinion on everything that the solver finds, so it shares no code with the translation: sets of
//! tuples are sets of lists of atoms, integers are machine integers, time is counted by states from the beginning of
//! the infinite trace. It is written to be obviously right rather than fast.

mod exprs;
mod formulas;
mod ints;

use std::collections::BTreeSet;

use util::FxHashMap;

use crate::instance::Instance;
use crate::logic::*;
use crate::problem::Problem;
use crate::universe::{Atom, TupleSet};

type Tuple = Vec<Atom>;
type Set = BTreeSet<Tuple>;

/// A quantifier over sets for which the instance has no witness and that has too many sets to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManySets(pub VarId);

/// A quantifier over sets is tried out when its domain has up to so many tuples.
const DOMAIN_MAX: usize = 12;

/// A value, and whether an overflow has made it meaningless.
#[derive(Clone, PartialEq, Debug)]
struct Meant<T> {
    value: T,
    undef: bool,
}

impl<T> Meant<T> {
    fn sure(value: T) -> Meant<T> {
        Meant { value, undef: false }
    }
}

struct Frame {
    var: VarId,
    value: Set,
    is_int: bool,
    is_universal: bool,
}

pub struct Evaluator<'p> {
    problem: &'p Problem,
    instance: &'p Instance,
    frames: Vec<Frame>,
    /// A point of the infinite trace.
    now: usize,
    /// Whether overflow counts against truth here (else: against falsity).
    positive: bool,
    /// Values of expressions without variables and without arithmetic, in a state: most of the work, if repeated.
    closed: FxHashMap<(ExprId, usize), Set>,
}

impl<'p> Evaluator<'p> {
    pub fn new(problem: &'p Problem, instance: &'p Instance) -> Evaluator<'p> {
        Evaluator {
            problem,
            instance,
            frames: vec![],
            now: 0,
            positive: true,
            closed: FxHashMap::default(),
        }
    }

    /// The first constraint that does not hold.
    pub fn violated(&mut self) -> Result<Option<FormulaId>, TooManySets> {
        for &constraint in &self.problem.constraints {
            if !self.holds(constraint, 0)? {
                return Ok(Some(constraint));
            }
        }
        Ok(None)
    }

    /// Whether a closed formula holds at a point of the trace.
    pub fn holds(&mut self, formula: FormulaId, position: usize) -> Result<bool, TooManySets> {
        self.now = position;
        self.positive = true;
        self.formula(formula)
    }

    /// The value of a closed expression at a point of the trace.
    pub fn value(&mut self, expr: ExprId, position: usize) -> Result<TupleSet, TooManySets> {
        self.now = position;
        self.positive = true;
        let value = self.expr(expr)?.value;
        let universe = &self.problem.universe;
        let indices = value.iter().map(|tuple| universe.encode(tuple)).collect();
        Ok(TupleSet::from_indices(self.logic().arity(expr), indices))
    }

    /// The value of a closed integer expression at a point of the trace; none after an overflow.
    pub fn int_value(&mut self, int: IntId, position: usize) -> Result<Option<i64>, TooManySets> {
        self.now = position;
        self.positive = true;
        let value = self.int(int)?;
        Ok((!value.undef).then_some(value.value))
    }

    fn logic(&self) -> &'p Logic {
        &self.problem.logic
    }

    fn step(&self) -> usize {
        self.instance.step_at(self.now)
    }

    fn at<R>(&mut self, now: usize, inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.now, now);
        let result = inner(self);
        self.now = before;
        result
    }

    fn with_polarity<R>(&mut self, positive: bool, inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.positive, positive);
        let result = inner(self);
        self.positive = before;
        result
    }

    fn bound<R>(
        &mut self,
        decl: &Decl,
        value: Set,
        is_universal: bool,
        inner: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.frames.push(Frame {
            var: decl.var,
            value,
            is_int: *self.logic().expr(decl.domain) == Expr::Ints,
            is_universal,
        });
        let result = inner(self);
        self.frames.pop();
        result
    }

    fn singletons(&mut self, domain: ExprId) -> Result<Vec<Set>, TooManySets> {
        Ok(self
            .expr(domain)?
            .value
            .into_iter()
            .map(|tuple| Set::from([tuple]))
            .collect())
    }

    /// Calls `visit` for each binding of variables that stand for single tuples.
    fn each_binding(
        &mut self,
        decls: &[Decl],
        visit: &mut dyn FnMut(&mut Self) -> Result<(), TooManySets>,
    ) -> Result<(), TooManySets> {
        let [decl, rest @ ..] = decls else {
            return self.with_polarity(true, |this| visit(this));
        };
        for value in self.with_polarity(true, |this| this.singletons(decl.domain))? {
            self.bound(decl, value, false, |this| this.each_binding(rest, visit))?;
        }
        Ok(())
    }
}
