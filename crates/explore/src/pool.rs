//! Workers that go through the phases of a batch together.
//!
//! Between phases everything belongs to the thread that searches; during a phase it is shared. `World` is behind one lock
//! that nobody ever waits for: the searching thread holds it to write between phases, all threads hold it to read
//! during one. Within a phase each thread has a part of the chunks or shards, always the same one, so that what it made it finds in
//! its own cache again; who is done with its part helps the others.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LockResult, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread::Scope;

use crate::barrier::Barrier;
use crate::budget::Budget;
use crate::chunk::{Chunk, Event, Progress};
use crate::deduplicate::Deduplication;
use crate::disk::DiskFailure;
use crate::frontier::Level;
use crate::generate::{Numbering, Range, Scene};
use crate::graph::Directory;
use crate::model::Model;
use crate::options::Options;
use crate::runs::Runs;
use crate::set::{SHARDS, Shard};
use crate::spill;
use crate::tree::Nodes;

/// Everything that a batch works on.
pub(crate) struct World {
    pub(crate) nodes: Nodes,
    pub(crate) shards: Vec<RwLock<Shard>>,
    pub(crate) outside: Vec<Mutex<Shard>>,
    /// What was in `shards` and `outside` once, and is on disk now.
    pub(crate) runs: Runs,
    pub(crate) outside_runs: Runs,
    /// The length of keys, as an earlier search knew it.
    pub(crate) key_len: Option<usize>,
    /// Why files could not be read in this batch.
    pub(crate) failure: Mutex<Option<DiskFailure>>,
    /// From what stands for a state to its number, if the graph is asked for.
    pub(crate) directory: Directory,
    /// The states being expanded.
    pub(crate) level: Level,
    pub(crate) first_id: u32,
    pub(crate) depth: u32,
    /// The batch: range i of the level goes to chunk i.
    pub(crate) ranges: Vec<Range>,
    pub(crate) chunks: Vec<RwLock<Chunk>>,
    pub(crate) events: Mutex<Vec<Event>>,
    pub(crate) budget: Budget,
    /// Changes whenever workers must forget what they met lately.
    pub(crate) epoch: usize,
}

impl World {
    pub(crate) fn new() -> World {
        World {
            nodes: Nodes::default(),
            shards: (0..SHARDS).map(|_| RwLock::default()).collect(),
            outside: (0..SHARDS).map(|_| Mutex::default()).collect(),
            runs: Runs::default(),
            outside_runs: Runs::default(),
            key_len: None,
            failure: Mutex::default(),
            directory: Directory::default(),
            level: Level::default(),
            first_id: 0,
            depth: 0,
            ranges: Vec::new(),
            chunks: Vec::new(),
            events: Mutex::default(),
            budget: Budget::new(None),
            epoch: 0,
        }
    }

    /// Bytes of the visited set.
    pub(crate) fn bytes_visited(&mut self) -> usize {
        let shards = self.shards.iter_mut().map(|it| unpoisoned(it.get_mut()).bytes());
        let outside = self.outside.iter_mut().map(|it| unpoisoned(it.get_mut()).bytes());
        shards.sum::<usize>()
            + outside.sum::<usize>()
            + self.nodes.bytes()
            + self.runs.bytes()
            + self.outside_runs.bytes()
    }

    /// Bytes in files.
    pub(crate) fn size(&self) -> u64 {
        self.runs.size() + self.outside_runs.size() + self.level.size()
    }

    /// Gives back what chunks hold. Nothing in them may be needed.
    pub(crate) fn free_chunks(&mut self) {
        for chunk in &mut self.chunks {
            *unpoisoned(chunk.get_mut()) = Chunk::default();
        }
    }

    /// Bytes of the chunks.
    pub(crate) fn bytes_chunks(&mut self) -> usize {
        self.chunks
            .iter_mut()
            .map(|it| unpoisoned(it.get_mut()).bytes())
            .sum()
    }

    pub(crate) fn bytes(&mut self) -> usize {
        self.bytes_chunks() + self.level.bytes() + self.bytes_visited() + self.directory.bytes()
    }

    /// Bytes that a batch may take even if no chunk grows.
    pub(crate) fn bytes_to_come(&mut self) -> usize {
        self.chunks
            .iter_mut()
            .map(|it| unpoisoned(it.get_mut()).bytes_to_come())
            .sum()
    }
}

/// What one thread works with.
pub(crate) struct Worker<'m, M: Model + 'm> {
    pub(crate) eval: M::Worker<'m>,
    pub(crate) numbering: Numbering,
    pub(crate) epoch: usize,
}

impl<'m, M: Model> Worker<'m, M> {
    pub(crate) fn new(model: &'m M, options: &Options<'_>, index: usize) -> Worker<'m, M> {
        Worker {
            eval: model.worker(index),
            numbering: Numbering::new(model.n_slots(), options.store),
            epoch: 0,
        }
    }

    pub(crate) fn keep_up(&mut self, epoch: usize) {
        if self.epoch != epoch {
            self.numbering.forget();
            self.epoch = epoch;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Generate,
    /// Asks the runs on disk.
    Sift,
    Deduplicate {
        /// The model is asked about new candidates at once, not in the next phase.
        inspects: bool,
    },
    /// Inspects what is new, and inserts it if nothing is wrong.
    Insert,
    /// Writes down the steps of the batch as steps between states.
    Link,
    /// All this for one chunk of initial states, by all threads but the one that finds them.
    Initial {
        /// Nothing that is new can be one too many.
        may_insert: bool,
    },
    Quit,
}

/// In a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Counter(AtomicUsize);

/// What the threads share.
pub(crate) struct Shared<'a, M> {
    pub(crate) model: &'a M,
    pub(crate) options: &'a Options<'a>,
    pub(crate) world: RwLock<World>,
    phase: Mutex<Phase>,
    /// How much of each thread's part is taken.
    taken: Vec<Counter>,
    barrier: Barrier,
    /// For all but the searching thread.
    others_barrier: Barrier,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a, M: Model> Shared<'a, M> {
    pub(crate) fn new(model: &'a M, options: &'a Options<'a>) -> Shared<'a, M> {
        Shared {
            model,
            options,
            world: RwLock::new(World::new()),
            phase: Mutex::new(Phase::Quit),
            taken: (0..options.workers.max(1)).map(|_| Counter::default()).collect(),
            barrier: Barrier::new(options.workers.max(1)),
            others_barrier: Barrier::new(options.workers.max(2) - 1),
            panic: Mutex::default(),
        }
    }

    /// The next of `n` things to do in this phase.
    fn next(&self, index: usize, n: usize) -> Option<usize> {
        let n_threads = self.taken.len();
        (0..n_threads).find_map(|later| {
            let of = (index + later) % n_threads;
            let (begin, end) = (of * n / n_threads, (of + 1) * n / n_threads);
            let Counter(taken) = &self.taken[of];
            if begin + taken.load(Ordering::Relaxed) >= end {
                return None;
            }
            let it = begin + taken.fetch_add(1, Ordering::Relaxed);
            (it < end).then_some(it)
        })
    }

    /// This thread's part of a phase.
    fn take_part(&self, phase: Phase, worker: &mut Worker<'a, M>, index: usize) {
        let world = unpoisoned(self.world.read());
        match phase {
            Phase::Generate => self.generate(&world, worker, index),
            Phase::Sift => self.sift(&world, index),
            Phase::Deduplicate { inspects } => self.deduplicate(&world, worker, index, inspects),
            Phase::Insert => self.insert(&world, worker, index),
            Phase::Link => self.link(&world, index),
            Phase::Initial { may_insert } => self.deduplicate_initial(&world, worker, index, may_insert),
            Phase::Quit => {}
        }
    }

    fn generate(&self, world: &World, worker: &mut Worker<'a, M>, index: usize) {
        worker.keep_up(world.epoch);
        let guards: Vec<RwLockReadGuard<'_, Shard>> =
            world.shards.iter().map(|it| unpoisoned(it.read())).collect();
        let shards: Vec<&Shard> = guards.iter().map(|it| &**it).collect();
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
        let mut last = 0;
        while let Some(it) = self.next(index, world.ranges.len()) {
            let range = world.ranges[it];
            if it < last {
                // What was met in a later chunk may come first in this one.
                worker.numbering.forget();
            }
            last = it;
            let mut chunk = unpoisoned(world.chunks[it].write());
            let events = match chunk.progress {
                Progress::Waiting => {
                    scene.generate(&mut worker.eval, &mut worker.numbering, range, &mut chunk)
                }
                Progress::Full => {
                    scene.number_rest(&mut worker.numbering, &mut chunk);
                    Vec::new()
                }
                Progress::Done | Progress::Interrupted(_) => continue,
            };
            match chunk.progress {
                Progress::Done => chunk.sort_by_shard(),
                // Candidates of this attempt are gone, so none of them was met.
                Progress::Interrupted(_) => worker.numbering.forget(),
                Progress::Waiting | Progress::Full => {}
            }
            if !events.is_empty() {
                unpoisoned(world.events.lock()).extend(events);
            }
        }
    }

    fn sift(&self, world: &World, index: usize) {
        let chunks: Vec<RwLockReadGuard<'_, Chunk>> = world.chunks[..world.ranges.len()]
            .iter()
            .map(|it| unpoisoned(it.read()))
            .collect();
        let chunks: Vec<&Chunk> = chunks.iter().map(|it| &**it).collect();
        while let Some(it) = self.next(index, SHARDS) {
            if let Err(failure) = spill::sift(&world.runs, &chunks, Some(it)) {
                *unpoisoned(world.failure.lock()) = Some(failure);
            }
        }
    }

    fn deduplication<'w>(&self, world: &'w World) -> Deduplication<'w, M>
    where
        'a: 'w,
    {
        Deduplication {
            model: self.model,
            outside: &world.outside,
            depth: world.depth + 1,
            budget: &world.budget,
        }
    }

    fn deduplicate(&self, world: &World, worker: &mut Worker<'a, M>, index: usize, inspects: bool) {
        /// Candidates whose places are brought into the cache together.
        const GROUP: usize = 16;
        let chunks: Vec<RwLockReadGuard<'_, Chunk>> = world.chunks[..world.ranges.len()]
            .iter()
            .map(|it| unpoisoned(it.read()))
            .collect();
        let deduplication = self.deduplication(world);
        let mut events = Vec::new();
        let is_sifted = !world.runs.is_empty() || !world.outside_runs.is_empty();
        'shards: while let Some(it) = self.next(index, SHARDS) {
            let mut shard = unpoisoned(world.shards[it].write());
            for chunk in &chunks {
                for group in chunk.of_shard(it).chunks(GROUP) {
                    // Not for all candidates at once: most may be known by the time they are asked about.
                    if world.budget.is_exhausted() || !world.budget.reserve(&mut shard, group.len()) {
                        break 'shards;
                    }
                    let touched = group
                        .iter()
                        .fold(0, |or, &it| or | shard.peek(chunk.numbers[it as usize]));
                    std::hint::black_box(touched);
                    for &it in group {
                        if is_sifted && chunk.is_old(it as usize) {
                            continue;
                        }
                        match inspects {
                            true => events.extend(deduplication.deduplicate(
                                &mut worker.eval,
                                chunk,
                                it as usize,
                                &mut shard,
                            )),
                            false => deduplication.insert_unseen(chunk, it as usize, &mut shard),
                        }
                    }
                }
            }
        }
        if !events.is_empty() {
            unpoisoned(world.events.lock()).extend(events);
        }
    }

    /// One thread does what is only one thread's work.
    fn deduplicate_initial(&self, world: &World, worker: &mut Worker<'a, M>, index: usize, may_insert: bool) {
        let is_first = index == 1;
        if is_first {
            unpoisoned(world.chunks[0].write()).sort_by_shard();
        }
        self.others_barrier.wait();
        let deduplicated = catch_unwind(AssertUnwindSafe(|| self.deduplicate(world, worker, index, true)));
        // Nobody waits for a thread that panics.
        self.others_barrier.wait();
        if let Err(panic) = deduplicated {
            resume_unwind(panic);
        }
        let has_events = !unpoisoned(world.events.lock()).is_empty();
        if is_first && may_insert && !has_events && !world.budget.is_exhausted() {
            unpoisoned(world.chunks[0].write()).insert(self.model.n_slots(), None);
        }
    }

    fn insert(&self, world: &World, worker: &mut Worker<'a, M>, index: usize) {
        let n_slots = self.model.n_slots();
        let deduplication = self.deduplication(world);
        while let Some(it) = self.next(index, world.ranges.len()) {
            let mut chunk = unpoisoned(world.chunks[it].write());
            let events = deduplication.inspect_all(&mut worker.eval, &chunk);
            if events.is_empty() {
                chunk.insert(n_slots, None);
            } else {
                // The search may end in this chunk.
                unpoisoned(world.events.lock()).extend(events);
            }
        }
    }

    fn link(&self, world: &World, index: usize) {
        while let Some(it) = self.next(index, world.ranges.len()) {
            let first_source = world.first_id + world.ranges[it].position as u32;
            unpoisoned(world.chunks[it].write()).link(&world.directory, first_source);
        }
    }

    fn take_part_guarded(&self, phase: Phase, worker: &mut Option<Worker<'a, M>>, index: usize) {
        let done = catch_unwind(AssertUnwindSafe(|| {
            let worker = worker.get_or_insert_with(|| Worker::new(self.model, self.options, index));
            self.take_part(phase, worker, index);
        }));
        if let Err(panic) = done {
            *unpoisoned(self.panic.lock()) = Some(panic);
        }
    }

    fn work(&self, index: usize) {
        let mut worker = None;
        loop {
            self.barrier.wait();
            let phase = *unpoisoned(self.phase.lock());
            if phase == Phase::Quit {
                return;
            }
            self.take_part_guarded(phase, &mut worker, index);
            self.barrier.wait();
        }
    }
}

/// The threads besides the one that searches. They start when they are first needed: a small model never needs them.
pub(crate) struct Pool<'scope, 'env, 'a, M: Model> {
    scope: &'scope Scope<'scope, 'env>,
    shared: &'scope Shared<'a, M>,
    is_hired: bool,
    /// A phase was started and not finished.
    is_at_work: bool,
}

impl<'scope, 'env, 'a, M: Model> Pool<'scope, 'env, 'a, M> {
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        shared: &'scope Shared<'a, M>,
    ) -> Pool<'scope, 'env, 'a, M> {
        Pool {
            scope,
            shared,
            is_hired: false,
            is_at_work: false,
        }
    }

    /// Goes through a phase with all threads. The caller must not hold the lock of the world.
    pub(crate) fn run(&mut self, phase: Phase, worker: &mut Option<Worker<'a, M>>) {
        self.start(phase);
        self.shared.take_part_guarded(phase, worker, 0);
        self.finish();
    }

    /// Lets the other threads begin a phase. Until it is finished, the world is theirs.
    pub(crate) fn start(&mut self, phase: Phase) {
        let shared = self.shared;
        if !self.is_hired {
            self.is_hired = true;
            for index in 1..shared.options.workers {
                self.scope.spawn(move || shared.work(index));
            }
        }
        *unpoisoned(shared.phase.lock()) = phase;
        for Counter(taken) in &shared.taken {
            taken.store(0, Ordering::Relaxed);
        }
        shared.barrier.wait();
        self.is_at_work = true;
    }

    /// Waits until all threads are through with the phase.
    pub(crate) fn finish(&mut self) {
        let shared = self.shared;
        shared.barrier.wait();
        self.is_at_work = false;
        if let Some(panic) = unpoisoned(shared.panic.lock()).take() {
            resume_unwind(panic);
        }
    }
}

impl<M: Model> Drop for Pool<'_, '_, '_, M> {
    /// Sends the threads home, also when the search panics: the scope waits for them.
    fn drop(&mut self) {
        if self.is_at_work {
            self.shared.barrier.wait();
        }
        if self.is_hired {
            *unpoisoned(self.shared.phase.lock()) = Phase::Quit;
            self.shared.barrier.wait();
        }
    }
}

/// The inside of a lock. A panic of the model ends the search and is passed on, so what it left behind is never read.
pub(crate) fn unpoisoned<T>(locked: LockResult<T>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}
