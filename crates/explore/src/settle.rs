//! Second hand: which candidates are new, and what the model says about them.
//!
//! Candidates of one shard are settled in the order of generation, so the first of equal ones wins, as in a sequential
//! search. A state outside the constraints is remembered, so that it is inspected once, but not as a state of the space.

use std::sync::Mutex;

use crate::budget::Budget;
use crate::chunk::{Chunk, Event, EventKind, Position};
use crate::model::Model;
use crate::outcome::{FaultAt, Step};
use crate::set::{Shard, shard_of};
use crate::team::unpoisoned;

/// What settling reads.
pub(crate) struct Settling<'a, M> {
    pub(crate) model: &'a M,
    /// States outside the constraints, where states have keys: there a key can belong to states on both sides.
    pub(crate) outside: &'a [Mutex<Shard>],
    /// The depth of the candidates.
    pub(crate) depth: u32,
    pub(crate) budget: &'a Budget,
}

impl<M: Model> Settling<'_, M> {
    /// Settles one candidate in its shard, which has room for it.
    #[inline]
    pub(crate) fn settle(
        &self,
        worker: &mut M::Worker<'_>,
        chunk: &Chunk,
        it: usize,
        shard: &mut Shard,
    ) -> Option<Event> {
        let number = chunk.numbers[it];
        match chunk.own.get(it) {
            None => {
                if !shard.insert(number) {
                    return None;
                }
                let (is_inside, event) = self.inspect(worker, chunk, it);
                if is_inside {
                    chunk.set_new(it);
                }
                event
            }
            Some(&own) => {
                if shard.contains(number) || self.is_outside(own) {
                    return None;
                }
                let (is_inside, event) = self.inspect(worker, chunk, it);
                if is_inside {
                    shard.insert(number);
                    chunk.set_new(it);
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

    fn is_outside(&self, own: u64) -> bool {
        unpoisoned(self.outside[shard_of(own)].lock()).contains(own)
    }

    fn inspect(&self, worker: &mut M::Worker<'_>, chunk: &Chunk, it: usize) -> (bool, Option<Event>) {
        let origin = chunk.origins[it];
        let state = chunk.state(it, self.model.n_slots());
        let (is_inside, kind) = match self.model.inspect(worker, state, self.depth) {
            Ok(inspection) => (inspection.expand, inspection.violated.map(EventKind::Property)),
            Err(fault) => (true, Some(EventKind::Fault(fault, FaultAt::Inspection))),
        };
        let event = kind.map(|kind| Event {
            position: Position::of_state(origin.parent, origin.step),
            kind,
            last: Some(Step {
                state: state.to_vec(),
                action: origin.action,
            }),
        });
        (is_inside, event)
    }
}
