//! The initial states: found by one thread, deduplicated by the others.
//!
//! A model has one way through its initial states, and there can be more of them than of anything else. So they come in chunks,
//! like the successors of a batch. While the thread that searches fills one, the pool deduplicates and inserts the one before; with
//! one thread, or where runs on disk must be asked, each chunk is deduplicated where it was filled. Either way, chunks are entered one
//! after the other, so numbering, counts and the first violation are the same.

use super::*;
use crate::counts::count_initial;
use crate::generate::Initials;
use crate::tree::Nodes;

/// Enters chunks of initial states.
struct Entering<'e, 'scope, 'env, 'a, M: Model> {
    model: &'a M,
    options: &'a Options<'a>,
    shared: &'scope Shared<'a, M>,
    pool: &'e mut Pool<'scope, 'env, 'a, M>,
    ledger: &'e mut Ledger,
    /// If there is a disk, and it holds visited states.
    spill: Option<&'e mut Spill<'a>>,
    /// For this thread: its first worker is inside the model all the time.
    inspector: Option<M::Worker<'a>>,
    /// The pool is at work on a chunk.
    is_under_way: bool,
    is_stopped: bool,
    stop: Option<Stop>,
}

impl<M: Model> Search<'_, '_, '_, M> {
    pub(super) fn initial(&mut self) -> Flow {
        let (model, options) = (self.model, self.options);
        // Workers that deduplicate have no need of it, and it grows.
        let mut nodes = {
            let mut world = unpoisoned(self.shared.world.write());
            world.budget = Budget::new(options.limits.memory);
            std::mem::take(&mut world.nodes)
        };
        self.ledger.space.begin_level();
        let worker = self.worker.as_mut().expect("the searching thread has a worker");
        let mut entering = Entering {
            model,
            options,
            shared: self.shared,
            pool: &mut self.pool,
            ledger: &mut self.ledger,
            spill: self.spill.as_mut().filter(|it| it.is_store),
            inspector: None,
            is_under_way: false,
            is_stopped: false,
            stop: None,
        };
        let mut chunk = Chunk::default();
        chunk.recording.is_on = options.graph;
        let stops_at_event = options.violations_max <= 1;
        let mut pass_on = |chunk: &mut Chunk, events: &mut Vec<Event>, nodes: &mut Nodes, is_last| {
            entering.pass_on(chunk, events, nodes, is_last)
        };
        let initials = Initials::new(
            &mut worker.numbering,
            &mut nodes,
            &mut chunk,
            stops_at_event,
            &mut pass_on,
        );
        initials.run(model, &mut worker.eval);
        let Entering { is_stopped, stop, .. } = entering;
        self.world().nodes = nodes;
        self.ledger.space.end_empty_level();
        self.ledger.initial = self.ledger.distinct();
        if let Some(Stop { upto, .. }) = stop {
            let worker = self.worker.as_mut().expect("the searching thread has a worker");
            let taken = count_initial(model, &mut worker.eval, upto.n_steps());
            self.ledger.reset_steps();
            self.ledger.enter_steps(taken.iter().sum(), &taken);
        }
        match is_stopped {
            true => Err(Halt::Over),
            false => Ok(()),
        }
    }
}

impl<M: Model> Entering<'_, '_, '_, '_, M> {
    /// Takes a full chunk, or the last one, and gives back an empty one. False to stop.
    fn pass_on(
        &mut self,
        chunk: &mut Chunk,
        events: &mut Vec<Event>,
        nodes: &mut Nodes,
        is_last: bool,
    ) -> bool {
        if self.is_under_way {
            self.enter_deduplicated(nodes);
        }
        if self.is_stopped {
            chunk.reset();
            return false;
        }
        if is_last || self.options.workers <= 1 || self.spill.is_some() {
            self.deduplicate_here(chunk, events, nodes);
        } else {
            self.give_to_pool(chunk, events);
        }
        !self.is_stopped
    }

    fn deduplicate_here(&mut self, chunk: &mut Chunk, events: &mut Vec<Event>, nodes: &Nodes) {
        let mut guard = unpoisoned(self.shared.world.write());
        let world = &mut *guard;
        let mut shards = tables(&mut world.shards);
        if let Some(spill) = &mut self.spill {
            let fixed = self.model.memory() + chunk.bytes() + chunk.bytes_to_come();
            spill.allot(self.options.limits.memory, fixed);
            let relieved = relieve(spill, self.ledger, &mut world.runs, &mut shards, chunk);
            if let Err(failure) = relieved {
                self.ledger.failure = Some(failure);
                self.ledger.limit = Some(Limit::Disk);
                self.is_stopped = true;
                return;
            }
        }
        let deduplication = Deduplication {
            model: self.model,
            outside: &world.outside,
            depth: 1,
            budget: &world.budget,
        };
        let inspector = self
            .inspector
            .get_or_insert_with(|| self.model.worker(self.options.workers.max(1)));
        deduplicate_all(&deduplication, inspector, chunk, &mut shards, events);
        let is_exhausted = world.budget.is_exhausted();
        drop(guard);
        self.enter(chunk, std::mem::take(events), nodes, is_exhausted);
    }

    /// Lets the pool deduplicate a chunk, and goes on with the one that it deduplicated before.
    fn give_to_pool(&mut self, chunk: &mut Chunk, events: &mut Vec<Event>) {
        let may_insert = !self.ledger.may_reach_state_limit(chunk.len());
        let mut world = unpoisoned(self.shared.world.write());
        if world.chunks.is_empty() {
            world.chunks.push(Default::default());
        }
        world.ranges.clear();
        world.ranges.push(Range::default());
        unpoisoned(world.events.get_mut()).append(events);
        std::mem::swap(chunk, unpoisoned(world.chunks[0].get_mut()));
        drop(world);
        chunk.recording.is_on = self.options.graph;
        self.pool.start(Phase::Initial { may_insert });
        self.is_under_way = true;
    }

    /// Waits for the pool, and enters what it deduplicated.
    fn enter_deduplicated(&mut self, nodes: &Nodes) {
        self.pool.finish();
        self.is_under_way = false;
        let mut world = unpoisoned(self.shared.world.write());
        let events = std::mem::take(unpoisoned(world.events.get_mut()));
        let is_exhausted = world.budget.is_exhausted();
        let mut chunk = std::mem::take(unpoisoned(world.chunks[0].get_mut()));
        drop(world);
        self.enter(&mut chunk, events, nodes, is_exhausted);
        // Its memory is for the chunk after the next.
        *unpoisoned(unpoisoned(self.shared.world.write()).chunks[0].get_mut()) = chunk;
    }

    /// Enters a deduplicated chunk up to where the search stops, if it does, and empties it.
    fn enter(&mut self, chunk: &mut Chunk, mut events: Vec<Event>, nodes: &Nodes, is_exhausted: bool) {
        let (ledger, options) = (&mut *self.ledger, self.options);
        if ledger.may_reach_state_limit(chunk.len()) {
            events.extend(ledger.state_limit_event(std::iter::once(&*chunk)));
        }
        let stop = ledger.judge(events);
        if !chunk.is_inserted {
            chunk.insert(self.model.n_slots(), stop.map(|stop| stop.upto));
        }
        if options.graph {
            number_found(&mut unpoisoned(self.shared.world.write()).directory, chunk);
        }
        ledger.enter(chunk);
        chunk.reset();
        let memory = ledger.bytes() + nodes.bytes() + self.model.memory() + chunk.bytes();
        let limit = match options.limits.memory {
            _ if is_exhausted => Some(Limit::Memory),
            Some(memory_max) if memory > memory_max => Some(Limit::Memory),
            _ => options.interruption(),
        };
        if stop.is_some() {
            self.stop = stop;
        } else if limit.is_some() {
            ledger.limit = limit;
        }
        self.is_stopped |= stop.is_some() || limit.is_some();
    }
}

/// Moves to files what takes more than its quota, before initial states are deduplicated.
fn relieve(
    spill: &mut Spill<'_>,
    ledger: &mut Ledger,
    runs: &mut Runs,
    shards: &mut [&mut Shard],
    chunk: &Chunk,
) -> Result<(), DiskFailure> {
    spill::sift(runs, &[chunk], None)?;
    let entering = spill::n_entering(std::iter::once(chunk));
    spill.make_room(runs, shards, &entering)?;
    spill.relieve(ledger)?;
    spill.watch(0)
}
