//! Breadth-first search.
//!
//! The search is that of a textbook: one queue, states numbered in the order of discovery, stop at the first violation. It
//! is only faster. It takes the queue in batches. In a batch, workers generate from different states at once, then
//! deduplicate different shards of the visited set at once; both keep the order of the textbook (see `chunk`). So numbering,
//! counts, depth, the first violation and its trace are the textbook's, for every number of workers and whatever the
//! size of batches, which may therefore follow the load and the clock.

use std::sync::{Mutex, RwLock, RwLockWriteGuard};

use crate::budget::Budget;
use crate::chunk::{Chunk, Event};
use crate::deduplicate::Deduplication;
use crate::disk::{DiskFailure, DiskFailureKind};
use crate::frontier::Place;
use crate::generate::{Range, Scene};
use crate::graph::{Directory, GraphFailure, StateGraph};
use crate::ledger::Ledger;
use crate::model::Model;
use crate::options::{self, Limit, Looks, Options};
use crate::order::Stop;
use crate::outcome::Outcome;
use crate::pool::{Phase, Pool, Shared, Worker, World, unpoisoned};
use crate::runs::Runs;
use crate::set::{SHARDS, Shard, shard_of};
use crate::spill::{self, Spill};

use batch::{deduplicate_all, number_found, tables};
use pace::{Pace, lay_out};

mod batch;
mod initial;
mod pace;

/// Searches `model` until everything is visited, something is violated, or a limit is reached.
pub fn check<M: Model>(model: &M, options: &Options<'_>) -> Outcome {
    let shared = Shared::new(model, options);
    std::thread::scope(|scope| {
        let mut search = Search {
            model,
            options,
            shared: &shared,
            pool: Pool::new(scope, &shared),
            worker: Some(Worker::new(model, options, 0)),
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
    pool: Pool<'scope, 'env, 'a, M>,
    pub(crate) worker: Option<Worker<'a, M>>,
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
            let flow = if plan.is_for_pool {
                self.pool_batch()
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
            let workers = if plan.is_for_pool { self.options.workers } else { 1 };
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
        self.memory = world.bytes() + self.ledger.bytes() + self.model.memory() + self.workers_bytes();
        let left = match &self.spill {
            Some(spill) if spill.is_store => {
                let mut held = world.bytes_chunks();
                if held > spill.quotas.chunks {
                    // Memory that chunks keep for the next batch; the quota has become smaller.
                    world.free_chunks();
                    held = 0;
                }
                Some(spill.quotas.chunks - held + spill.quotas.chunks / 16)
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

    /// Moves to files what takes more than its quota of the memory, while the disk has room.
    fn relieve(&mut self) -> Result<(), DiskFailure> {
        let workers_bytes = self.workers_bytes();
        let Some(spill) = &mut self.spill else {
            return Ok(());
        };
        let mut world = unpoisoned(self.shared.world.write());
        let ledger = &mut self.ledger;
        if spill.is_store {
            let fixed = self.model.memory()
                + workers_bytes
                + world.runs.bytes()
                + world.outside_runs.bytes()
                + world.directory.bytes()
                + ledger.space.bytes()
                + ledger.edges.bytes()
                - ledger.space.tail()
                - ledger.edges.tail();
            spill.allot(self.options.limits.memory, fixed);
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

    fn workers_bytes(&self) -> usize {
        self.options.workers.max(1) * self.worker.as_ref().map_or(0, |worker| worker.numbering.bytes())
    }

    fn over(&mut self, limit: Limit) -> Flow {
        self.ledger.limit = Some(limit);
        Err(Halt::Over)
    }

    fn close(mut self) -> Outcome {
        let mut world = unpoisoned(self.shared.world.write());
        let memory = world.bytes() + self.ledger.bytes() + self.model.memory() + self.workers_bytes();
        let (memory_visited, directory) = (world.bytes_visited(), world.directory.bytes());
        let disk = world.size() + self.ledger.size();
        drop(world);
        // What the visited set and the directory held is free for it.
        let graph = self.graph(memory - memory_visited - directory);
        let worker = self.worker.as_mut().expect("the searching thread has a worker");
        let outcome = self.ledger.close(
            self.model,
            &mut worker.eval,
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
