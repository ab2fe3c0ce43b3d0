//! Breadth-first search.
//!
//! The search is that of a textbook: one queue, states numbered in the order of discovery, stop at the first violation. It
//! is only faster. It takes the queue in batches. In a batch, workers generate from different states at once, then
//! settle different shards of the visited set at once; both keep the order of the textbook (see `chunk`). So numbering,
//! counts, depth, the first violation and its trace are the textbook's, for every number of workers and whatever the
//! size of batches, which may therefore follow the load and the clock.

use std::sync::{Mutex, RwLock, RwLockWriteGuard};
use std::time::Duration;

use crate::budget::Budget;
use crate::chunk::{Chunk, Event, Progress, state_id};
use crate::disk::{DiskFailure, DiskFailureKind};
use crate::frontier::Place;
use crate::generate::{Range, Scene};
use crate::graph::{Directory, GraphFailure, StateGraph};
use crate::ledger::Ledger;
use crate::model::Model;
use crate::options::{self, Limit, Looks, Options};
use crate::order::Stop;
use crate::outcome::Outcome;
use crate::runs::Runs;
use crate::set::{SHARDS, Shard, shard_of};
use crate::settle::Settling;
use crate::spill::{self, Spill};
use crate::team::{Hand, Phase, Shared, Team, World, unpoisoned};

mod initial;

/// Searches `model` until everything is visited, something is violated, or a limit is reached.
pub fn check<M: Model>(model: &M, options: &Options<'_>) -> Outcome {
    let shared = Shared::new(model, options);
    std::thread::scope(|scope| {
        let mut search = Search {
            model,
            options,
            shared: &shared,
            team: Team::new(scope, &shared),
            hand: Some(Hand::new(model, options, 0)),
            ledger: Ledger::new(options),
            pace: Pace::default(),
            spill: Spill::new(options),
            is_between: true,
            memory: 0,
            looks: Looks::default(),
            decided: None,
            weigh_at: 0,
        };
        search.run();
        search.close()
    })
}

pub(crate) struct Search<'scope, 'env, 'a, M: Model> {
    pub(crate) model: &'a M,
    pub(crate) options: &'a Options<'a>,
    pub(crate) shared: &'scope Shared<'a, M>,
    team: Team<'scope, 'env, 'a, M>,
    pub(crate) hand: Option<Hand<'a, M>>,
    pub(crate) ledger: Ledger,
    pace: Pace,
    /// If there is a disk.
    pub(crate) spill: Option<Spill<'a>>,
    /// Nothing of the present batch has been entered into the visited set.
    is_between: bool,
    pub(crate) looks: Looks,
    /// The graph, if it decided the search.
    decided: Option<StateGraph>,
    /// Bytes held when last added up; next when `weigh_at` steps have been generated.
    memory: usize,
    weigh_at: u64,
}

/// Why not to go on.
pub(crate) enum Halt {
    /// The search is over.
    Over,
    /// The batch does not fit into memory: begin it anew, with fewer states.
    TooLarge,
}

pub(crate) type Flow = Result<(), Halt>;

impl<M: Model> Search<'_, '_, '_, M> {
    fn run(&mut self) {
        // An `Err` only says that the search is over; why, is in the ledger.
        let _ = self.begin().and_then(|()| self.levels());
    }

    /// Up to the first batch, or to the place where an earlier search was interrupted.
    fn begin(&mut self) -> Flow {
        let Some(checkpoints) = self.options.checkpoints.filter(|_| self.spill.is_some()) else {
            return self.initial();
        };
        if checkpoints.resume.is_some_and(|it| it.record().is_some()) {
            let what = "it was written by several processes";
            return self.fail(DiskFailure::new(DiskFailureKind::Foreign, what));
        }
        match checkpoints.resume.and_then(|it| it.body()) {
            Some(body) => match self.restore(body) {
                Ok(()) => {
                    self.level(body.position)?;
                    self.look()
                }
                Err(failure) => {
                    // Half of the books are of no use.
                    self.ledger = Ledger::new(self.options);
                    self.fail(failure)
                }
            },
            None => {
                if let Err(failure) = self.first_checkpoint(checkpoints.note) {
                    return self.fail(failure);
                }
                self.initial()
            }
        }
    }

    fn world(&self) -> RwLockWriteGuard<'_, World> {
        unpoisoned(self.shared.world.write())
    }

    fn levels(&mut self) -> Flow {
        loop {
            let depth = self.ledger.space.depth();
            if self.ledger.next.len() == 0 {
                return Ok(());
            }
            if self
                .options
                .limits
                .depth
                .is_some_and(|depth_max| depth >= depth_max)
            {
                let position = self.world().level.len();
                self.last_checkpoint(position);
                return self.over(Limit::Depth);
            }
            let next = std::mem::take(&mut self.ledger.next);
            let first_id = self.ledger.space.len() - next.len() as u32;
            {
                let mut world = unpoisoned(self.shared.world.write());
                if let Some(spill) = &mut self.spill {
                    world.level.discard(&mut spill.folder);
                }
                world.level = next;
                world.first_id = first_id;
                world.depth = depth;
            }
            self.ledger.space.begin_level();
            self.level(0)?;
            self.look()?;
        }
    }

    /// Between levels: lets someone look at the graph so far.
    fn look(&mut self) -> Flow {
        let Some(halfway) = self.options.halfway.filter(|_| self.options.graph) else {
            return Ok(());
        };
        if !self.looks.is_time(self.ledger.expanded) {
            return Ok(());
        }
        let n_initial = self.ledger.initial as u32;
        match self.ledger.edges.to_graph(n_initial, self.memory, self.options) {
            Ok(graph) if halfway.is_decided(&graph) => {
                self.decided = Some(graph);
                self.over(Limit::Decided)
            }
            Err(GraphFailure::Disk(failure)) => self.fail(failure),
            // A graph that does not fit is not looked at; the search goes on and comes to its own limit.
            Ok(_) | Err(GraphFailure::Limit(_)) => Ok(()),
        }
    }

    /// Expands the states of a level from a position on, batch by batch.
    fn level(&mut self, position: usize) -> Flow {
        let flow = self.batches(position);
        self.ledger.space.end_empty_level();
        flow
    }

    fn batches(&mut self, mut position: usize) -> Flow {
        let mut place = Place::default();
        loop {
            let mut world = unpoisoned(self.shared.world.write());
            let left = world.level.len() - position;
            if left == 0 {
                return Ok(());
            }
            let has_runs = !world.runs.is_empty();
            drop(world);
            self.prepare(position)?;
            let started = self.options.observer.elapsed();
            let mut plan = self.pace.plan(left, self.options.workers);
            if let Some(spill) = self.spill.as_ref().filter(|it| it.is_store) {
                let n_states_max = spill.batch_states();
                plan = match self.pace.plan_large(left, n_states_max) {
                    Some(large) if has_runs => large,
                    _ => plan.at_most(n_states_max),
                };
            }
            world = unpoisoned(self.shared.world.write());
            let mut end = world.level.seek(place, position);
            let first_block = end.block;
            let n_states = lay_out(&mut world, &mut end, position, &plan);
            let is_rest = position + n_states == world.level.len();
            let end_block = if is_rest {
                world.level.n_blocks()
            } else {
                end.block + 1
            };
            let loaded = world.level.load(first_block..end_block);
            drop(world);
            if let Err(failure) = loaded {
                return self.fail(failure);
            }
            self.is_between = true;
            let flow = if plan.is_for_team {
                self.team_batch()
            } else {
                self.solo_batch()
            };
            match flow {
                Err(Halt::TooLarge) if n_states > 1 => {
                    self.lighten();
                    continue;
                }
                Err(Halt::TooLarge) => return self.over(Limit::Memory),
                Err(Halt::Over) => {
                    if self.is_between {
                        self.last_checkpoint(position);
                    }
                    return Err(Halt::Over);
                }
                Ok(()) => {}
            }
            let spent = self.options.observer.elapsed().saturating_sub(started);
            place = end;
            position += n_states;
            self.ledger.expanded += n_states as u64;
            let workers = if plan.is_for_team { self.options.workers } else { 1 };
            self.pace.learn(
                n_states,
                spent * workers as u32,
                self.ledger.generated,
                self.ledger.expanded,
            );
            let mut world = self.world();
            world.level.forget_before(place.block);
        }
    }

    /// Between batches: limits, progress, the model's own housekeeping.
    fn prepare(&mut self, position: usize) -> Flow {
        self.model.pause();
        // Adding up takes longer than a tiny batch, so not after each of those.
        if self.ledger.generated >= self.weigh_at || self.options.spill_after.is_some() {
            self.weigh_at = self.ledger.generated + WEIGH_EVERY;
            if let Err(failure) = self.relieve() {
                self.last_checkpoint(position);
                return self.fail(failure);
            }
            self.weigh();
        }
        let mut world = unpoisoned(self.shared.world.write());
        let is_enough = world.budget.spend(if world.nodes.wants_growth() {
            world.nodes.growth()
        } else {
            1
        });
        if is_enough && world.nodes.wants_growth() {
            world.nodes.grow();
        }
        drop(world);
        self.options.observer.progress(&options::Progress {
            generated: self.ledger.generated,
            distinct: self.ledger.distinct(),
            queue: self.ledger.distinct() - self.ledger.expanded,
            depth: self.ledger.space.depth(),
            memory: self.memory,
            walks: 0,
        });
        let limit = match is_enough {
            true => self.options.interruption(),
            false => Some(Limit::Memory),
        };
        if let Some(limit) = limit {
            self.last_checkpoint(position);
            return self.over(limit);
        }
        self.checkpoint_if_due(position)
    }

    /// Adds up the memory, and sets what the next batches may take.
    fn weigh(&mut self) {
        let mut world = unpoisoned(self.shared.world.write());
        self.memory = world.bytes() + self.ledger.bytes() + self.model.memory() + self.hands_bytes();
        let left = match &self.spill {
            Some(spill) if spill.is_store => {
                let mut held = world.bytes_chunks();
                if held > spill.shares.chunks {
                    // Memory that chunks keep for the next batch; the share has become smaller.
                    world.free_chunks();
                    held = 0;
                }
                Some(spill.shares.chunks - held + spill.shares.chunks / 16)
            }
            _ => {
                let directory = if self.options.graph {
                    world.directory.growth()
                } else {
                    0
                };
                let set_aside = self.memory + world.bytes_to_come() + self.ledger.growth() + directory;
                self.options.limits.memory.map(|it| it.saturating_sub(set_aside))
            }
        };
        world.budget = Budget::new(left);
    }

    /// Moves to files what takes more than its share of the memory, while the disk has room.
    fn relieve(&mut self) -> Result<(), DiskFailure> {
        let hands = self.hands_bytes();
        let Some(spill) = &mut self.spill else {
            return Ok(());
        };
        let mut world = unpoisoned(self.shared.world.write());
        let ledger = &mut self.ledger;
        if spill.is_store {
            let fixed = self.model.memory()
                + hands
                + world.runs.bytes()
                + world.outside_runs.bytes()
                + world.directory.bytes()
                + ledger.space.bytes()
                + ledger.edges.bytes()
                - ledger.space.tail()
                - ledger.edges.tail();
            spill.share(self.options.limits.memory, fixed);
            spill.relieve(ledger)?;
        }
        // A checkpoint writes everything that is not in files yet.
        let in_memory = world.bytes_visited() + world.level.bytes() + ledger.bytes();
        spill.watch(in_memory as u64 / 4 * 5)
    }

    /// After a batch that was too large: forgets it, and what was learned from it.
    fn lighten(&mut self) {
        let mut world = unpoisoned(self.shared.world.write());
        if let Some(spill) = &mut self.spill {
            spill.bytes_per_state *= 2.0;
        }
        world.epoch += 1;
        world.free_chunks();
        drop(world);
        self.weigh();
    }

    pub(crate) fn fail(&mut self, failure: DiskFailure) -> Flow {
        self.ledger.failure = Some(failure);
        self.over(Limit::Disk)
    }

    fn hands_bytes(&self) -> usize {
        self.options.workers.max(1) * self.hand.as_ref().map_or(0, |hand| hand.numbering.bytes())
    }

    fn over(&mut self, limit: Limit) -> Flow {
        self.ledger.limit = Some(limit);
        Err(Halt::Over)
    }

    /// One batch on this thread: one chunk, settled in plain order.
    fn solo_batch(&mut self) -> Flow {
        loop {
            let mut guard = unpoisoned(self.shared.world.write());
            let world = &mut *guard;
            let hand = self.hand.as_mut().expect("the searching thread has a hand");
            hand.keep_up(world.epoch);
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
            let mut events = scene.generate(&mut hand.worker, &mut hand.numbering, world.ranges[0], chunk);
            if chunk.progress == Progress::Done {
                drop(guard);
                self.before_settling(false)?;
                self.is_between = false;
                let mut guard = unpoisoned(self.shared.world.write());
                let world = &mut *guard;
                let hand = self.hand.as_mut().expect("the searching thread has a hand");
                let chunk = unpoisoned(world.chunks[0].get_mut());
                let settling = Settling {
                    model: self.model,
                    outside: &world.outside,
                    depth: world.depth + 1,
                    budget: &world.budget,
                };
                let mut shards: Vec<&mut Shard> = world
                    .shards
                    .iter_mut()
                    .map(|it| unpoisoned(it.get_mut()))
                    .collect();
                settle_all(&settling, &mut hand.worker, chunk, &mut shards, &mut events);
                *unpoisoned(world.events.get_mut()) = events;
                drop(guard);
                return self.conclude(false);
            }
            let progress = chunk.progress;
            drop(guard);
            self.recover(progress)?;
        }
    }

    /// One batch with all threads.
    fn team_batch(&mut self) -> Flow {
        loop {
            self.team.run(Phase::Generate, &mut self.hand);
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
        self.before_settling(true)?;
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
        let inspects = may_stop || has_keys || n_candidates < COMMITTED_BY_TEAM;
        self.team.run(Phase::Settle { inspects }, &mut self.hand);
        if !inspects && !self.world().budget.is_exhausted() {
            self.team.run(Phase::Commit, &mut self.hand);
        }
        self.conclude(true)
    }

    /// Asks files about the candidates, and makes room for those that may be new.
    fn before_settling(&mut self, is_for_team: bool) -> Flow {
        if !self.spill.as_ref().is_some_and(|it| it.is_store) {
            return Ok(());
        }
        // The budget is set anew below.
        if is_for_team {
            self.weigh_at = 0;
        }
        if is_for_team && !self.world().runs.is_empty() {
            self.team.run(Phase::Sift, &mut self.hand);
        }
        match self.sift_and_make_room(is_for_team) {
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
        for chunk in &mut world.chunks {
            let chunk = unpoisoned(chunk.get_mut());
            if chunk.progress == Progress::Full {
                chunk.reset();
            }
        }
        Ok(())
    }

    /// The end of a batch: enters what was found, up to where the search stops if it does.
    fn conclude(&mut self, is_for_team: bool) -> Flow {
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
                chunk.commit_once(n_slots);
                if self.options.graph {
                    number_found(&mut world.directory, chunk);
                }
            }
            drop(guard);
            self.link(is_for_team);
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
            chunk.commit_once(n_slots);
            self.ledger.enter(chunk);
        }
        // Nobody has, because of what is wrong in it.
        chunks[at].commit(n_slots, Some(stop.upto));
        self.ledger.enter_states(chunks[at]);
        let range = world.ranges[at];
        drop(guard);
        self.recount(range, stop);
        self.ledger.expanded = stop.upto.parent.next().0;
        Err(Halt::Over)
    }

    /// Writes down the steps of the batch for the graph, if it is asked for. New states have their numbers.
    fn link(&mut self, is_for_team: bool) {
        if !self.options.graph {
            return;
        }
        if is_for_team {
            return self.team.run(Phase::Link, &mut self.hand);
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
        let hand = self.hand.as_mut().expect("the searching thread has a hand");
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
        let taken = scene.recount(&mut hand.worker, range, stop.upto);
        self.ledger.enter_steps(taken.iter().sum(), &taken);
    }

    fn close(mut self) -> Outcome {
        let mut world = unpoisoned(self.shared.world.write());
        let memory = world.bytes() + self.ledger.bytes() + self.model.memory() + self.hands_bytes();
        let (memory_visited, directory) = (world.bytes_visited(), world.directory.bytes());
        let disk = world.size() + self.ledger.size();
        drop(world);
        // What the visited set and the directory held is free for it.
        let graph = self.graph(memory - memory_visited - directory);
        let hand = self.hand.as_mut().expect("the searching thread has a hand");
        let outcome = self.ledger.close(
            self.model,
            &mut hand.worker,
            self.options.store,
            memory,
            memory_visited,
            disk,
        );
        Outcome { graph, ..outcome }
    }

    /// The graph, if it was asked for and is complete, or decided the search. What the visited set held is free for it.
    fn graph(&mut self, memory: usize) -> Option<Result<StateGraph, Limit>> {
        if let Some(graph) = self.decided.take() {
            return Some(Ok(graph));
        }
        // A violation may have ended the search in the last state, whose steps are then not all there.
        let is_complete = self.ledger.limit.is_none()
            && !self.ledger.has_violations()
            && self.ledger.expanded == self.ledger.distinct();
        if !self.options.graph || !is_complete {
            return None;
        }
        *self.world() = World::new();
        let edges = std::mem::take(&mut self.ledger.edges);
        let graph = edges.to_graph(self.ledger.initial as u32, memory, self.options);
        Some(graph.map_err(|it| it.limit(&mut self.ledger.failure)))
    }
}

/// Steps between two times of adding up the memory.
const WEIGH_EVERY: u64 = 4096;
/// Memory that a chunk keeps for the next batch.
const CHUNK_BYTES_KEPT: usize = 4 << 20;
/// Candidates from which on a batch is worth being committed by the team.
const COMMITTED_BY_TEAM: usize = 4096;

/// Gives the new states of a committed chunk their numbers, for the graph.
fn number_found(directory: &mut Directory, chunk: &mut Chunk) {
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

fn tables(shards: &mut [RwLock<Shard>]) -> Vec<&mut Shard> {
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

/// Settles a whole chunk in plain order.
fn settle_all<M: Model>(
    settling: &Settling<'_, M>,
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
        if !settling.budget.reserve(shard, 1) {
            return;
        }
        events.extend(settling.settle(worker, chunk, it, shard));
    }
}

/// Cuts the next states of the level into chunks; gives how many states that are. `place` moves to the block in which
/// the state after them is.
fn lay_out(world: &mut World, place: &mut Place, position: usize, plan: &Plan) -> usize {
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
struct Plan {
    is_for_team: bool,
    n_chunks: usize,
    chunk_states: usize,
}

impl Plan {
    fn at_most(mut self, n_states_max: usize) -> Plan {
        self.chunk_states = self.chunk_states.min(n_states_max);
        self.n_chunks = self.n_chunks.min(n_states_max / self.chunk_states);
        self
    }
}

/// What was learned about how long things take, to plan batches by. Nothing but time depends on it.
struct Pace {
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
    /// A batch for the team should be worth waking it up, ...
    const TEAM_TIME_MIN: Duration = Duration::from_micros(150);
    /// ... which without a clock is taken to be so from this many steps on.
    const TEAM_STEPS_MIN: f64 = 4096.0;
    /// Chunks should be short enough for an even end of a phase.
    const CHUNK_TIME_MAX: Duration = Duration::from_millis(4);
    /// Batches should be short enough for what happens between them.
    const SOLO_TIME_MAX: Duration = Duration::from_millis(50);

    fn plan(&self, left: usize, workers: usize) -> Plan {
        let by_steps = (Pace::CHUNK_STEPS / self.steps_per_state.max(0.1)) as usize;
        let by_time = |time_max: Duration| match self.time_per_state.as_nanos() {
            0 => usize::MAX,
            nanos => (time_max.as_nanos() / nanos) as usize,
        };
        let is_worth_it = match self.time_per_state {
            Duration::ZERO => left as f64 * self.steps_per_state >= Pace::TEAM_STEPS_MIN,
            time => time.as_nanos() * left as u128 >= Pace::TEAM_TIME_MIN.as_nanos(),
        };
        if workers <= 1 || !is_worth_it || left == 1 {
            let chunk_states = by_steps.min(by_time(Pace::SOLO_TIME_MAX)).max(1);
            return Plan {
                is_for_team: false,
                n_chunks: 1,
                chunk_states,
            };
        }
        // Several chunks for each worker, so that all end at about the same time.
        let n_chunks = workers * Pace::CHUNKS_PER_WORKER;
        let even = left.div_ceil(workers * 16);
        let chunk_states = by_steps.min(by_time(Pace::CHUNK_TIME_MAX)).min(even).max(1);
        Plan {
            is_for_team: true,
            n_chunks,
            chunk_states,
        }
    }

    /// As many states as fit, for all threads: where runs are gone through for each batch, nothing else counts. `None` where
    /// that would be few.
    fn plan_large(&self, left: usize, n_states_max: usize) -> Option<Plan> {
        let n_states = left.min(n_states_max);
        let chunk_states = ((Pace::CHUNK_STEPS / self.steps_per_state.max(0.1)) as usize).max(1);
        (n_states as f64 * self.steps_per_state >= Pace::TEAM_STEPS_MIN).then(|| Plan {
            is_for_team: true,
            n_chunks: n_states.div_ceil(chunk_states),
            chunk_states: chunk_states.min(n_states),
        })
    }

    fn learn(&mut self, n_states: usize, spent: Duration, generated: u64, expanded: u64) {
        self.steps_per_state = generated as f64 / expanded.max(1) as f64;
        let latest = spent / n_states as u32;
        // Fast to believe that things go well, slow to believe otherwise: a long batch may be someone else's doing.
        self.time_per_state = match self.time_per_state {
            Duration::ZERO => latest,
            before => (before * 7 + latest.min(before * 8)) / 8,
        };
    }
}
