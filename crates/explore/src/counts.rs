//! Counts by action, and counting again: where a search stops inside a batch, only the steps up to there count.

use std::ops::ControlFlow;

use crate::model::{Model, Sink};
use crate::outcome::ActionCount;

/// Counts one more of an action.
#[inline]
pub fn bump(counts: &mut Vec<u64>, action: u32) {
    let action = action as usize;
    if action >= counts.len() {
        counts.resize(action + 1, 0);
    }
    counts[action] += 1;
}

/// Adds counts to counts; the longer list decides the length.
pub fn add_counts(total: &mut Vec<u64>, part: &[u64]) {
    if total.len() < part.len() {
        total.resize(part.len(), 0);
    }
    for (total, part) in total.iter_mut().zip(part) {
        *total += part;
    }
}

/// Steps taken and states found, by action.
pub fn action_counts(taken: &[u64], found: &[u64]) -> Vec<ActionCount> {
    let found = |action: usize| found.get(action).copied().unwrap_or(0);
    let all = taken.iter().enumerate();
    all.map(|(action, &taken)| ActionCount {
        taken,
        found: found(action),
    })
    .collect()
}

/// The first steps of a state by action, at most `n_steps_max` of them.
pub fn count_steps<M: Model>(
    model: &M,
    worker: &mut M::Worker<'_>,
    state: &[u32],
    depth: u32,
    n_steps_max: u32,
) -> Vec<u64> {
    let mut tally = Tally::new(n_steps_max);
    // The fault, if any, has been reported already.
    let _ = model.successors(worker, state, depth, &mut tally);
    tally.taken
}

/// The same for the initial states.
pub fn count_initial<M: Model>(model: &M, worker: &mut M::Worker<'_>, n_steps_max: u32) -> Vec<u64> {
    let mut tally = Tally::new(n_steps_max);
    let _ = model.initial(worker, &mut tally);
    tally.taken
}

/// A sink that only counts, up to a number of steps.
struct Tally {
    left: u32,
    taken: Vec<u64>,
}

impl Tally {
    fn new(left: u32) -> Tally {
        Tally {
            left,
            taken: Vec::new(),
        }
    }
}

impl Sink for Tally {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(
        &mut self,
        _state: &[u32],
        _hash: u64,
        _key: Option<(&[u32], u64)>,
        action: u32,
    ) -> ControlFlow<()> {
        self.exclude(action)
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        if self.left == 0 {
            return ControlFlow::Break(());
        }
        self.left -= 1;
        bump(&mut self.taken, action);
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _property: u32, _state: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
