//! A problem: a universe, relations within bounds, and formulas that must hold.

use crate::bits::Overflow;
use crate::logic::{FormulaId, Logic, RelId};
use crate::universe::Universe;

/// `next` orders the atoms of `elems` in a line that starts at `first`.
///
/// A solver spends its time on permutations here, so the order is not left to it: when the atoms are interchangeable,
/// one order is as good as any, and the three relations are fixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TotalOrder {
    /// Unary.
    pub elems: RelId,
    /// Unary.
    pub first: RelId,
    /// Binary.
    pub next: RelId,
}

#[derive(Clone, Debug)]
pub struct Problem {
    pub universe: Universe,
    pub logic: Logic,
    /// What must hold in the first state. Each is a unit of blame when there is no solution.
    pub constraints: Vec<FormulaId>,
    pub orders: Vec<TotalOrder>,
    /// Integers lie in -2^(bit_width-1) .. 2^(bit_width-1)-1. At least one.
    pub bit_width: u32,
    pub overflow: Overflow,
}

impl Problem {
    pub fn new(universe: Universe) -> Problem {
        Problem {
            universe,
            logic: Logic::new(),
            constraints: vec![],
            orders: vec![],
            bit_width: 4,
            overflow: Overflow::default(),
        }
    }

    /// Whether solutions have more than one state: a relation varies, or a formula looks at other states.
    pub fn is_temporal(&self) -> bool {
        self.logic.relations().any(|(_, relation)| relation.is_var)
            || self.constraints.iter().any(|&it| self.logic.is_temporal(it))
    }
}
