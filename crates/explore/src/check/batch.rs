//! One batch: generated, deduplicated, inspected, judged, inserted; by the thread that searches, or by all.

use super::*;
use crate::chunk::{Progress, state_id};

impl<M: Model> Search<'_, '_, '_, M> {
    /// One batch on this thread: one chunk, deduplicated in plain order.
    pub(super) fn solo_batch(&mut self) -> Flow {
        let mut events = Vec::new();
        loop {
            let mut guard = unpoisoned(self.shared.world.write());
            let world = &mut *guard;
            let worker = self.worker.as_mut().expect("the searching thread has a worker");
            worker.keep_up(world.epoch);
            let chunk = unpoisoned(world.chunks[0].get_mut());
            let shards: Vec<&Shard> = world
                .shards
                .iter_mut()
                .map(|it| &*unpoisoned(it.get_mut()))
                .collect();
            let scene = Scene {
                model: self.model,
                options: self.options,
                nodes: &world.nodes,
                shards: &shards,
                level: &world.level,
                first_id: world.first_id,
                depth: world.depth,
                budget: &world.budget,
            };
            match chunk.progress {
                Progress::Full => scene.number_rest(&mut worker.numbering, chunk),
                _ => {
                    let range = world.ranges[0];
                    events = scene.generate(&mut worker.eval, &mut worker.numbering, range, chunk);
                }
            }
            let progress = chunk.progress;
            drop(guard);
            match progress {
                Progress::Done => break,
                _ => self.recover(progress)?,
            }
        }
        self.before_deduplication(false)?;
        self.is_between = false;
        self.deduplicate_solo(events);
        self.conclude(false)
    }

    fn deduplicate_solo(&mut self, mut events: Vec<Event>) {
        let mut guard = unpoisoned(self.shared.world.write());
        let world = &mut *guard;
        let worker = self.worker.as_mut().expect("the searching thread has a worker");
        let chunk = unpoisoned(world.chunks[0].get_mut());
        let deduplication = Deduplication {
            model: self.model,
            outside: &world.outside,
            depth: world.depth + 1,
            budget: &world.budget,
        };
        let mut shards = tables(&mut world.shards);
        deduplicate_all(&deduplication, &mut worker.eval, chunk, &mut shards, &mut events);
        *unpoisoned(world.events.get_mut()) = events;
    }

    /// One batch with all threads.
    pub(super) fn pool_batch(&mut self) -> Flow {
        loop {
            self.pool.run(Phase::Generate, &mut self.worker);
            let mut world = unpoisoned(self.shared.world.write());
            let n_chunks = world.ranges.len();
            let unfinished = world.chunks[..n_chunks]
                .iter_mut()
                .map(|it| unpoisoned(it.get_mut()).progress)
                .filter(|&progress| progress != Progress::Done)
                // An interruption counts more than a full table.
                .max_by_key(|progress| matches!(progress, Progress::Interrupted(_)));
            drop(world);
            match unfinished {
                None => break,
                Some(progress) => self.recover(progress)?,
            }
        }
        self.before_deduplication(true)?;
        self.is_between = false;
        let mut world = self.world();
        let n_candidates = n_candidates(&mut world);
        let has_keys = world
            .chunks
            .iter_mut()
            .any(|it| !unpoisoned(it.get_mut()).own.is_empty());
        let may_stop =
            !unpoisoned(world.events.get_mut()).is_empty() || self.ledger.may_reach_state_limit(n_candidates);
        drop(world);
        // With keys, what the model says about one candidate decides about others.
        let inspects = may_stop || has_keys || n_candidates < INSERTED_BY_POOL;
        self.pool.run(Phase::Deduplicate { inspects }, &mut self.worker);
        if !inspects && !self.world().budget.is_exhausted() {
            self.pool.run(Phase::Insert, &mut self.worker);
        }
        self.conclude(true)
    }

    /// Asks files about the candidates, and makes room for those that may be new.
    fn before_deduplication(&mut self, is_for_pool: bool) -> Flow {
        if !self.spill.as_ref().is_some_and(|it| it.is_store) {
            return Ok(());
        }
        // The budget is set anew below.
        if is_for_pool {
            self.weigh_at = 0;
        }
        if is_for_pool && !self.world().runs.is_empty() {
            self.pool.run(Phase::Sift, &mut self.worker);
        }
        match self.sift_and_make_room(is_for_pool) {
            Ok(()) => Ok(()),
            Err(failure) => self.fail(failure),
        }
    }

    fn sift_and_make_room(&mut self, is_sifted: bool) -> Result<(), DiskFailure> {
        let mut guard = unpoisoned(self.shared.world.write());
        let world = &mut *guard;
        if let Some(failure) = unpoisoned(world.failure.get_mut()).take() {
            return Err(failure);
        }
        let n_chunks = world.ranges.len();
        let chunks: Vec<&Chunk> = world.chunks[..n_chunks]
            .iter_mut()
            .map(|it| &*unpoisoned(it.get_mut()))
            .collect();
        if !is_sifted {
            spill::sift(&world.runs, &chunks, None)?;
        }
        spill::sift_outside(&world.outside_runs, &chunks)?;
        let entering = spill::n_entering(chunks.iter().copied());
        let outside_entering = chunks.iter().map(|it| it.own.len()).sum();
        let bytes: usize = chunks.iter().map(|it| it.bytes() + it.bytes_to_come()).sum();
        let n_states = world.ranges.iter().map(|it| it.n_states).sum();
        let Some(spill) = &mut self.spill else {
            return Ok(());
        };
        spill.learn(bytes, n_states);
        spill.make_room(&mut world.runs, &mut tables(&mut world.shards), &entering)?;
        make_room_outside(
            spill,
            &mut world.outside_runs,
            &mut world.outside,
            outside_entering,
        )?;
        // Room is there; what is left of the budget was for chunks.
        world.budget = Budget::new(None);
        Ok(())
    }

    /// After chunks that could not be generated: makes room, or gives up.
    fn recover(&mut self, progress: Progress) -> Flow {
        let is_store = self.spill.as_ref().is_some_and(|it| it.is_store);
        if let Progress::Interrupted(Limit::Memory) = progress
            && is_store
        {
            return Err(Halt::TooLarge);
        }
        if let Progress::Interrupted(limit) = progress {
            return self.over(limit);
        }
        let mut guard = unpoisoned(self.shared.world.write());
        let world = &mut *guard;
        if !world.budget.spend(world.nodes.growth()) {
            drop(guard);
            return self.over(Limit::Memory);
        }
        world.nodes.grow();
        world.epoch += 1;
        Ok(())
    }

    /// The end of a batch: enters what was found, up to where the search stops if it does.
    fn conclude(&mut self, is_for_pool: bool) -> Flow {
        let mut guard = unpoisoned(self.shared.world.write());
        let world = &mut *guard;
        if world.budget.is_exhausted() {
            drop(guard);
            return self.over(Limit::Memory);
        }
        let mut events = std::mem::take(unpoisoned(world.events.get_mut()));
        let n_chunks = world.ranges.len();
        let n_slots = self.model.n_slots();
        let mut chunks: Vec<&mut Chunk> = world.chunks[..n_chunks]
            .iter_mut()
            .map(|it| unpoisoned(it.get_mut()))
            .collect();
        let n_candidates = chunks.iter().map(|it| it.len()).sum();
        if self.ledger.may_reach_state_limit(n_candidates) {
            events.extend(self.ledger.state_limit_event(chunks.iter().map(|it| &**it)));
        }
        let Some(stop) = self.ledger.judge(events) else {
            for chunk in &mut chunks {
                chunk.insert_once(n_slots);
                if self.options.graph {
                    number_found(&mut world.directory, chunk);
                }
            }
            drop(guard);
            self.link(is_for_pool);
            self.enter_all();
            return Ok(());
        };
        let first_id = world.first_id;
        let at = world
            .ranges
            .iter()
            .rposition(|range| state_id(first_id + range.position as u32) <= stop.upto.parent);
        let at = at.expect("the position is in the batch");
        for chunk in &mut chunks[..at] {
            chunk.insert_once(n_slots);
            self.ledger.enter(chunk);
        }
        // Nobody has, because of what is wrong in it.
        chunks[at].insert(n_slots, Some(stop.upto));
        self.ledger.enter_states(chunks[at]);
        let range = world.ranges[at];
        drop(guard);
        self.recount(range, stop);
        self.ledger.expanded = stop.upto.parent.next().0;
        Err(Halt::Over)
    }

    /// Writes down the steps of the batch for the graph, if it is asked for. New states have their numbers.
    fn link(&mut self, is_for_pool: bool) {
        if !self.options.graph {
            return;
        }
        if is_for_pool {
            return self.pool.run(Phase::Link, &mut self.worker);
        }
        let mut guard = unpoisoned(self.shared.world.write());
        let world = &mut *guard;
        let first_source = world.first_id + world.ranges[0].position as u32;
        unpoisoned(world.chunks[0].get_mut()).link(&world.directory, first_source);
    }

    /// Enters all chunks of a batch.
    fn enter_all(&mut self) {
        let mut world = unpoisoned(self.shared.world.write());
        let n_chunks = world.ranges.len();
        for chunk in &mut world.chunks[..n_chunks] {
            let chunk = unpoisoned(chunk.get_mut());
            self.ledger.enter(chunk);
            chunk.shrink(CHUNK_BYTES_KEPT);
        }
    }

    /// Counts the steps of the chunk in which the search stops as if it had stopped there.
    fn recount(&mut self, range: Range, stop: Stop) {
        let world = unpoisoned(self.shared.world.write());
        let worker = self.worker.as_mut().expect("the searching thread has a worker");
        let scene = Scene {
            model: self.model,
            options: self.options,
            nodes: &world.nodes,
            shards: &[],
            level: &world.level,
            first_id: world.first_id,
            depth: world.depth,
            budget: &world.budget,
        };
        let taken = scene.recount(&mut worker.eval, range, stop.upto);
        self.ledger.enter_steps(taken.iter().sum(), &taken);
    }
}

/// Memory that a chunk keeps for the next batch.
const CHUNK_BYTES_KEPT: usize = 4 << 20;
/// Candidates from which on a batch is worth being inserted by the pool.
const INSERTED_BY_POOL: usize = 4096;

/// Gives the new states of a inserted chunk their numbers, for the graph.
pub(super) fn number_found(directory: &mut Directory, chunk: &mut Chunk) {
    chunk.first_found = directory.len();
    chunk
        .recording
        .found
        .iter()
        .for_each(|&code| directory.push(code));
}

fn n_candidates(world: &mut World) -> usize {
    let n_chunks = world.ranges.len();
    world.chunks[..n_chunks]
        .iter_mut()
        .map(|it| unpoisoned(it.get_mut()).len())
        .sum()
}

pub(super) fn tables(shards: &mut [RwLock<Shard>]) -> Vec<&mut Shard> {
    shards.iter_mut().map(|it| unpoisoned(it.get_mut())).collect()
}

fn make_room_outside(
    spill: &mut Spill<'_>,
    runs: &mut Runs,
    outside: &mut [Mutex<Shard>],
    n_entering: usize,
) -> Result<(), DiskFailure> {
    let mut outside: Vec<&mut Shard> = outside.iter_mut().map(|it| unpoisoned(it.get_mut())).collect();
    // Which shards they belong to is not worth finding out.
    let entering = [n_entering.div_ceil(SHARDS) * 2; SHARDS];
    match n_entering {
        0 => Ok(()),
        _ => spill.make_room(runs, &mut outside, &entering),
    }
}

/// Deduplicates a whole chunk in plain order.
pub(super) fn deduplicate_all<M: Model>(
    deduplication: &Deduplication<'_, M>,
    worker: &mut M::Worker<'_>,
    chunk: &Chunk,
    shards: &mut [&mut Shard],
    events: &mut Vec<Event>,
) {
    for it in 0..chunk.len() {
        if chunk.is_old(it) {
            continue;
        }
        let shard = &mut *shards[shard_of(chunk.numbers[it])];
        if !deduplication.budget.reserve(shard, 1) {
            return;
        }
        events.extend(deduplication.deduplicate(worker, chunk, it, shard));
    }
}
