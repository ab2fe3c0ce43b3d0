//! Second hand: which candidates are new, and what the model says about them.
//!
//! Candidates of one shard are settled in the order of generation, so the first of equal ones wins, as in a sequential
//! search. A state outside the constraints is remembered, so that it is inspected once, but not as a state of the space.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

use crate::chunk::{Chunk, Event, EventKind, Position};
use crate::model::Model;
use crate::outcome::{FaultAt, Step};
use crate::set::{Shard, shard_of};
use crate::team::unpoisoned;

/// Bytes that may still be allocated, shared by the workers of a batch.
pub(crate) struct Budget {
    left: AtomicIsize,
    is_exhausted: AtomicBool,
}

impl Budget {
    pub(crate) fn new(left: Option<usize>) -> Budget {
        let left = left.map_or(isize::MAX / 2, |left| left.min(isize::MAX as usize / 2) as isize);
        Budget {
            left: AtomicIsize::new(left),
            is_exhausted: AtomicBool::new(false),
        }
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.is_exhausted.load(Ordering::Relaxed)
    }

    /// Grows a shard for `additional` numbers if there is memory for it: the old and the new table together, for a while.
    pub(crate) fn reserve(&self, shard: &mut Shard, additional: usize) -> bool {
        let growth = shard.growth_for(additional);
        if growth == 0 {
            return true;
        }
        if self.left.fetch_sub(growth as isize, Ordering::Relaxed) < growth as isize {
            self.is_exhausted.store(true, Ordering::Relaxed);
            return false;
        }
        let old = shard.bytes();
        shard.reserve(additional);
        self.left.fetch_add(old as isize, Ordering::Relaxed);
        true
    }
}

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
