//! How much to do in a batch: enough to be worth waking the threads, and no more than fits and than anyone wants to wait for.

use std::time::Duration;

use crate::frontier::Place;
use crate::generate::Range;
use crate::pool::{World, unpoisoned};

/// Cuts the next states of the level into chunks; gives how many states that are. `place` moves to the block in which
/// the state after them is.
pub(super) fn lay_out(world: &mut World, place: &mut Place, position: usize, plan: &Plan) -> usize {
    world.ranges.clear();
    let end = world
        .level
        .len()
        .min(position.saturating_add(plan.n_chunks.saturating_mul(plan.chunk_states)));
    let mut at = position;
    while at < end {
        *place = world.level.seek(*place, at);
        let n_states = plan.chunk_states.min(end - at);
        world.ranges.push(Range {
            place: *place,
            position: at,
            n_states,
        });
        at += n_states;
    }
    if end < world.level.len() {
        *place = world.level.seek(*place, end);
    }
    while world.chunks.len() < world.ranges.len() {
        world.chunks.push(Default::default());
    }
    for chunk in &mut world.chunks[..world.ranges.len()] {
        unpoisoned(chunk.get_mut()).reset();
    }
    end - position
}

/// How much to do in the next batch.
pub(super) struct Plan {
    pub(super) is_for_pool: bool,
    pub(super) n_chunks: usize,
    pub(super) chunk_states: usize,
}

impl Plan {
    pub(super) fn at_most(mut self, n_states_max: usize) -> Plan {
        self.chunk_states = self.chunk_states.min(n_states_max);
        self.n_chunks = self.n_chunks.min(n_states_max / self.chunk_states);
        self
    }
}

/// What was learned about how long things take, to plan batches by. Nothing but time depends on it.
pub(super) struct Pace {
    /// Steps of a state.
    steps_per_state: f64,
    /// Time to expand a state on one thread; zero while unknown.
    time_per_state: Duration,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            steps_per_state: 8.0,
            time_per_state: Duration::ZERO,
        }
    }
}

impl Pace {
    /// Steps that make a chunk: its candidates should stay in the cache of a core.
    const CHUNK_STEPS: f64 = 4096.0;
    const CHUNKS_PER_WORKER: usize = 16;
    /// A batch for the pool should be worth waking it up, ...
    const POOL_TIME_MIN: Duration = Duration::from_micros(150);
    /// ... which without a clock is taken to be so from this many steps on.
    const POOL_STEPS_MIN: f64 = 4096.0;
    /// Chunks should be short enough for an even end of a phase.
    const CHUNK_TIME_MAX: Duration = Duration::from_millis(4);
    /// Batches should be short enough for what happens between them.
    const SOLO_TIME_MAX: Duration = Duration::from_millis(50);

    pub(super) fn plan(&self, left: usize, workers: usize) -> Plan {
        let by_steps = (Pace::CHUNK_STEPS / self.steps_per_state.max(0.1)) as usize;
        let by_time = |time_max: Duration| match self.time_per_state.as_nanos() {
            0 => usize::MAX,
            nanos => (time_max.as_nanos() / nanos) as usize,
        };
        let is_worth_it = match self.time_per_state {
            Duration::ZERO => left as f64 * self.steps_per_state >= Pace::POOL_STEPS_MIN,
            time => time.as_nanos() * left as u128 >= Pace::POOL_TIME_MIN.as_nanos(),
        };
        if workers <= 1 || !is_worth_it || left == 1 {
            let chunk_states = by_steps.min(by_time(Pace::SOLO_TIME_MAX)).max(1);
            return Plan {
                is_for_pool: false,
                n_chunks: 1,
                chunk_states,
            };
        }
        // Several chunks for each worker, so that all end at about the same time.
        let n_chunks = workers * Pace::CHUNKS_PER_WORKER;
        let even = left.div_ceil(workers * 16);
        let chunk_states = by_steps.min(by_time(Pace::CHUNK_TIME_MAX)).min(even).max(1);
        Plan {
            is_for_pool: true,
            n_chunks,
            chunk_states,
        }
    }

    /// As many states as fit, for all threads: where runs are gone through for each batch, nothing else counts. `None` where
    /// that would be few.
    pub(super) fn plan_large(&self, left: usize, n_states_max: usize) -> Option<Plan> {
        let n_states = left.min(n_states_max);
        let chunk_states = ((Pace::CHUNK_STEPS / self.steps_per_state.max(0.1)) as usize).max(1);
        (n_states as f64 * self.steps_per_state >= Pace::POOL_STEPS_MIN).then(|| Plan {
            is_for_pool: true,
            n_chunks: n_states.div_ceil(chunk_states),
            chunk_states: chunk_states.min(n_states),
        })
    }

    pub(super) fn learn(&mut self, n_states: usize, spent: Duration, generated: u64, expanded: u64) {
        self.steps_per_state = generated as f64 / expanded.max(1) as f64;
        let latest = spent / n_states as u32;
        // Fast to believe that things go well, slow to believe otherwise: a long batch may be someone else's doing.
        self.time_per_state = match self.time_per_state {
            Duration::ZERO => latest,
            before => (before * 7 + latest.min(before * 8)) / 8,
        };
    }
}
