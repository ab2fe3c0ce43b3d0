//! A solution as plain data: the value of every relation in every state.

use crate::logic::{RelId, VarId};
use crate::universe::{TupleIndex, TupleSet};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// For each state, the values of the relations, by relation.
    pub states: Vec<Vec<TupleSet>>,
    /// The state that follows the last one.
    pub loop_to: usize,
    pub witnesses: Vec<WitnessValue>,
}

/// What an existential variable was found to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessValue {
    pub var: VarId,
    /// The universal variables that it depends on, outermost first, and their values.
    pub args: Vec<(VarId, TupleIndex)>,
    /// The state in which it was chosen.
    pub step: usize,
    pub value: TupleSet,
}

impl Instance {
    pub fn value(&self, relation: RelId, step: usize) -> &TupleSet {
        &self.states[step][relation.index()]
    }

    /// The state at any point of the infinite trace.
    pub fn step_at(&self, position: usize) -> usize {
        let n_steps = self.states.len();
        match position < n_steps {
            true => position,
            false => self.loop_to + (position - n_steps) % (n_steps - self.loop_to),
        }
    }
}
