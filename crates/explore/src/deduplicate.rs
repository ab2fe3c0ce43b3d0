//! Which candidates are new, and what the model says about them.
//!
//! Candidates of one shard are deduplicated in the order of generation, so the first of equal ones wins, as in a sequential
//! search. A state outside the constraints is remembered, so that it is inspected once, but not as a state of the space.

use std::sync::Mutex;

use crate::budget::Budget;
use crate::chunk::{Chunk, Event};
use crate::model::Model;
use crate::order::inspect;
use crate::pool::unpoisoned;
use crate::set::{Shard, shard_of};

/// What deduplication reads.
pub(crate) struct Deduplication<'a, M> {
    pub(crate) model: &'a M,
    /// States outside the constraints, where states have keys: there a key can belong to states on both sides.
    pub(crate) outside: &'a [Mutex<Shard>],
    /// The depth of the candidates.
    pub(crate) depth: u32,
    pub(crate) budget: &'a Budget,
}

impl<M: Model> Deduplication<'_, M> {
    /// Deduplicates one candidate in its shard, which has room for it.
    #[inline]
    pub(crate) fn deduplicate(
        &self,
        worker: &mut M::Worker<'_>,
        chunk: &Chunk,
        it: usize,
        shard: &mut Shard,
    ) -> Option<Event> {
        let number = chunk.numbers[it];
        match chunk.own.get(it) {
            None if shard.insert(number) => {
                chunk.set_new(it);
                self.inspect_new(worker, chunk, it)
            }
            None => None,
            Some(&own) => {
                if shard.contains(number) || self.is_outside(own) {
                    return None;
                }
                chunk.set_new(it);
                let event = self.inspect_new(worker, chunk, it);
                if chunk.is_new(it) {
                    shard.insert(number);
                } else {
                    let mut outside = unpoisoned(self.outside[shard_of(own)].lock());
                    if self.budget.reserve(&mut outside, 1) {
                        outside.insert(own);
                    }
                }
                event
            }
        }
    }

    /// As [`Deduplication::deduplicate`], where states have no keys, and leaves the inspection for later: whoever generated the
    /// chunk still has its states in the cache.
    #[inline]
    pub(crate) fn insert_unseen(&self, chunk: &Chunk, it: usize, shard: &mut Shard) {
        if shard.insert(chunk.numbers[it]) {
            chunk.set_new(it);
        }
    }

    /// Inspects all candidates that are new, in order.
    pub(crate) fn inspect_all(&self, worker: &mut M::Worker<'_>, chunk: &Chunk) -> Vec<Event> {
        (0..chunk.len())
            .filter(|&it| chunk.is_new(it))
            .filter_map(|it| self.inspect_new(worker, chunk, it))
            .collect()
    }

    fn is_outside(&self, own: u64) -> bool {
        unpoisoned(self.outside[shard_of(own)].lock()).contains(own)
    }

    /// Asks the model about a new candidate, which is not new after all if it lies outside the constraints.
    fn inspect_new(&self, worker: &mut M::Worker<'_>, chunk: &Chunk, it: usize) -> Option<Event> {
        let origin = chunk.origins[it];
        let state = chunk.state(it, self.model.n_slots());
        let (is_inside, kind) = inspect(self.model, worker, state, self.depth);
        if !is_inside {
            chunk.set_known(it);
        }
        kind.map(|kind| Event {
            position: origin.position(),
            kind,
            last: Some((state.to_vec(), origin.action)),
        })
    }
}
