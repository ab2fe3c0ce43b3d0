//! From states to candidates.
//!
//! The visited set does not change while workers generate, so they all read it without a lock. A candidate is turned
//! into its number, dropped if this worker met it lately, and looked up together with its neighbours, so that the cache
//! misses of a group overlap.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::chunk::{Chunk, Event, EventKind, Origin, Progress, state_id};
use crate::counts::{add_counts, count_steps};
use crate::frontier::{Level, Place};
use crate::model::{Model, Sink};
use crate::options::{Limit, Options, Store};
use crate::order::{Position, StateId};
use crate::outcome::FaultAt;
use crate::random::mix;
use crate::set::Shard;
use crate::space::NO_PARENT;
use crate::tree::{Encoder, Full, Nodes};

/// Candidates looked up together.
const GROUP: usize = 32;
/// Numbers that a worker remembers having generated; direct-mapped.
const RECENT: usize = 1 << 12;
/// States expanded between two looks at the clock.
const EXPANSIONS_PER_LOOK: usize = 8;

/// What one worker needs to turn states into numbers.
pub(crate) struct Numbering {
    store: Store,
    /// For states.
    encoder: Encoder,
    /// For keys; made when the first key comes, and then the length of all keys is known.
    key_encoder: Option<Encoder>,
    recent: Vec<u64>,
}

impl Numbering {
    pub(crate) fn new(n_slots: usize, store: Store) -> Numbering {
        let mut numbering = Numbering {
            store,
            encoder: Encoder::new(n_slots),
            key_encoder: None,
            recent: vec![0; RECENT],
        };
        numbering.forget();
        numbering
    }

    pub(crate) fn bytes(&self) -> usize {
        self.recent.capacity() * 8
            + self.encoder.bytes()
            + self.key_encoder.as_ref().map_or(0, Encoder::bytes)
    }

    /// The length of keys, once there was one.
    pub(crate) fn key_len(&self) -> Option<usize> {
        self.key_encoder.as_ref().map(Encoder::n_slots)
    }

    /// Forgets what was met lately. Needed whenever chunks are generated out of order: then an earlier occurrence might be
    /// taken for a later one.
    pub(crate) fn forget(&mut self) {
        // No number may be found in its own place: u64::MAX belongs into the last one.
        self.recent.fill(u64::MAX);
        self.recent[RECENT - 1] = 0;
    }

    /// The number of a state, or of its key. Distinct numbers in the exact store mean distinct states, and the reverse.
    #[inline(always)]
    fn number(
        &mut self,
        nodes: &Nodes,
        state: &[u32],
        hash: u64,
        key: Option<(&[u32], u64)>,
    ) -> Result<u64, Full> {
        let code = match (self.store, key) {
            (Store::Fingerprint | Store::Disk, None) => hash,
            (Store::Fingerprint | Store::Disk, Some((_, key_hash))) => key_hash,
            (Store::Exact, None) => self.encoder.encode(nodes, state)?,
            (Store::Exact, Some((key, _))) => {
                let encoder = self.key_encoder.get_or_insert_with(|| Encoder::new(key.len()));
                assert_eq!(encoder.n_slots(), key.len(), "keys of one length");
                // Keys resemble the key before more than the parent.
                encoder.set_base(nodes, key)?;
                encoder.encode(nodes, key)?
            }
        };
        Ok(mix(code))
    }

    /// The number of a state by itself, whatever its key.
    fn own_number(&mut self, nodes: &Nodes, state: &[u32], hash: u64) -> Result<u64, Full> {
        Ok(mix(match self.store {
            Store::Fingerprint | Store::Disk => hash,
            Store::Exact => self.encoder.encode(nodes, state)?,
        }))
    }

    fn set_parent(&mut self, nodes: &Nodes, state: &[u32]) -> Result<(), Full> {
        match self.store {
            Store::Fingerprint | Store::Disk => Ok(()),
            Store::Exact => self.encoder.set_base(nodes, state),
        }
    }

    /// Whether `number` was met lately; it is from now on.
    #[inline]
    fn is_recent(&mut self, number: u64) -> bool {
        let place = &mut self.recent[(number >> 32) as usize % RECENT];
        std::mem::replace(place, number) == number
    }
}

/// A run of states of a level that makes a chunk.
#[derive(Clone, Copy, Default)]
pub(crate) struct Range {
    pub(crate) place: Place,
    pub(crate) position: usize,
    pub(crate) n_states: usize,
}

/// What generating reads. Nothing of it changes while workers generate.
pub(crate) struct Scene<'a, M> {
    pub(crate) model: &'a M,
    pub(crate) options: &'a Options<'a>,
    pub(crate) nodes: &'a Nodes,
    pub(crate) shards: &'a [&'a Shard],
    pub(crate) level: &'a Level,
    /// The number of the first state of the level.
    pub(crate) first_id: u32,
    pub(crate) depth: u32,
    pub(crate) budget: &'a Budget,
}

impl<M: Model> Scene<'_, M> {
    /// Expands the states of `range` into `chunk`, which is empty. Gives the events, in order.
    pub(crate) fn generate(
        &self,
        worker: &mut M::Worker<'_>,
        numbering: &mut Numbering,
        range: Range,
        chunk: &mut Chunk,
    ) -> Vec<Event> {
        let n_slots = self.model.n_slots();
        let charged = chunk.bytes() + chunk.bytes_to_come();
        chunk.recording.is_on = self.options.graph;
        let mut candidates = Candidates {
            numbering,
            nodes: self.nodes,
            shards: self.shards,
            chunk,
            parent: 0,
            n_steps: 0,
            last_action: 0,
            events: Vec::new(),
            halt: None,
            n_slots,
            stops_at_event: self.options.violations_max <= 1,
            charged,
            budget: self.budget,
        };
        let mut reader = self.level.read_from(range.place, range.position, n_slots);
        for it in 0..range.n_states {
            if it.is_multiple_of(EXPANSIONS_PER_LOOK)
                && let Some(limit) = self.options.interruption()
            {
                candidates.halt = Some(Progress::Interrupted(limit));
            }
            let parent = self.first_id + (range.position + it) as u32;
            self.expand(worker, parent, reader.advance(), &mut candidates);
            if candidates.halt.is_some() {
                break;
            }
        }
        candidates.finish()
    }

    /// Numbers what was left when the table of pairs was full, as far as that is possible now.
    pub(crate) fn number_rest(&self, numbering: &mut Numbering, chunk: &mut Chunk) {
        let n_slots = self.model.n_slots();
        let is_done = chunk.number_rest(n_slots, |state, key| {
            let keyed = key.map(|it| (it, 0));
            let number = numbering.number(self.nodes, state, 0, keyed).ok()?;
            let own = match key {
                Some(_) => Some(numbering.own_number(self.nodes, state, 0).ok()?),
                None => None,
            };
            Some((number, own))
        });
        if is_done {
            chunk.filter(self.shards, n_slots);
            chunk.seal();
        }
    }

    fn expand(
        &self,
        worker: &mut M::Worker<'_>,
        parent: u32,
        state: &[u32],
        candidates: &mut Candidates<'_>,
    ) {
        candidates.parent = parent;
        candidates.n_steps = 0;
        candidates.chunk.recording.begin_state();
        if candidates.halt.is_some() {
            return;
        }
        if !candidates.chunk.is_unnumbered() && candidates.numbering.set_parent(self.nodes, state).is_err() {
            candidates.chunk.stop_numbering();
        }
        let done = self.model.successors(worker, state, self.depth, candidates);
        if candidates.halt.is_some() {
            return;
        }
        match done {
            Err(fault) => {
                candidates.event(EventKind::Fault(fault, FaultAt::Successors), None);
                candidates.halt = Some(Progress::Done);
            }
            Ok(()) if candidates.n_steps == 0 && self.options.deadlock => {
                candidates.event(EventKind::Deadlock, None);
            }
            Ok(()) => {}
        }
    }

    /// The steps by action of the states of `range` up to a position.
    pub(crate) fn recount(&self, worker: &mut M::Worker<'_>, range: Range, upto: Position) -> Vec<u64> {
        let mut total = Vec::new();
        let mut reader = self
            .level
            .read_from(range.place, range.position, self.model.n_slots());
        for it in 0..range.n_states {
            let parent = state_id(self.first_id + (range.position + it) as u32);
            if parent > upto.parent {
                break;
            }
            let n_steps_max = upto.n_steps_of(parent);
            let taken = count_steps(self.model, worker, reader.advance(), self.depth, n_steps_max);
            add_counts(&mut total, &taken);
        }
        total
    }
}

/// The sink that successors go to.
struct Candidates<'a> {
    numbering: &'a mut Numbering,
    nodes: &'a Nodes,
    shards: &'a [&'a Shard],
    chunk: &'a mut Chunk,
    parent: u32,
    n_steps: u32,
    last_action: u32,
    events: Vec<Event>,
    /// Why to stop, once there is a reason.
    halt: Option<Progress>,
    n_slots: usize,
    stops_at_event: bool,
    /// Bytes of the chunk that the budget knows of.
    charged: usize,
    budget: &'a Budget,
}

impl Candidates<'_> {
    fn event(&mut self, kind: EventKind, last: Option<(Vec<u32>, u32)>) {
        self.events.push(Event {
            position: Position::after(state_id(self.parent), self.n_steps),
            kind,
            last,
        });
        if self.stops_at_event {
            self.halt = Some(Progress::Done);
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.halt.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn filter(&mut self) {
        if !self.chunk.is_unnumbered() {
            self.chunk.filter(self.shards, self.n_slots);
        }
        let bytes = self.chunk.bytes_soon(GROUP);
        if bytes > self.charged {
            if !self.budget.spend(bytes - self.charged) {
                self.halt = Some(Progress::Interrupted(Limit::Memory));
            }
            self.charged = bytes;
        }
    }

    /// Leaves a candidate, and all that follow in this chunk, to be numbered when the table of pairs has grown.
    #[cold]
    fn put_off(&mut self, state: &[u32], key: Option<(&[u32], u64)>, origin: Origin) -> ControlFlow<()> {
        self.chunk.stop_numbering();
        self.chunk.push_unnumbered(state, key.map(|it| it.0), origin);
        self.filter();
        self.flow()
    }

    fn finish(mut self) -> Vec<Event> {
        self.filter();
        match self.halt {
            None | Some(Progress::Done) => {
                match self.chunk.is_unnumbered() {
                    true => self.chunk.progress = Progress::Full,
                    false => self.chunk.seal(),
                }
                self.events
            }
            Some(progress) => {
                self.chunk.reset();
                self.chunk.progress = progress;
                Vec::new()
            }
        }
    }
}

impl Sink for Candidates<'_> {
    fn needs_hash(&self) -> bool {
        self.numbering.store.is_hashed()
    }

    fn emit(&mut self, state: &[u32], hash: u64, key: Option<(&[u32], u64)>, action: u32) -> ControlFlow<()> {
        if self.halt.is_some() {
            return ControlFlow::Break(());
        }
        debug_assert_eq!(state.len(), self.n_slots);
        let origin = Origin {
            parent: self.parent,
            step: self.n_steps,
            action,
        };
        self.n_steps += 1;
        self.last_action = action;
        self.chunk.count(action);
        if self.chunk.is_unnumbered() {
            return self.put_off(state, key, origin);
        }
        let Ok(number) = self.numbering.number(self.nodes, state, hash, key) else {
            return self.put_off(state, key, origin);
        };
        if key.is_some() {
            // Two states with one key may differ in whether they are inside the constraints, so both stay.
            let Ok(own) = self.numbering.own_number(self.nodes, state, hash) else {
                return self.put_off(state, key, origin);
            };
            self.chunk.recording.step(number, Some(origin.step));
            self.chunk.own.push(own);
        } else {
            self.chunk.recording.step(number, None);
            if self.numbering.is_recent(number) {
                return ControlFlow::Continue(());
            }
        }
        self.chunk.push(number, state, origin);
        if self.chunk.n_unfiltered() >= GROUP {
            self.filter();
        }
        self.flow()
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        if self.halt.is_some() {
            return ControlFlow::Break(());
        }
        self.n_steps += 1;
        self.last_action = action;
        self.chunk.count(action);
        ControlFlow::Continue(())
    }

    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()> {
        if self.halt.is_none() {
            let last = (state.to_vec(), self.last_action);
            self.event(EventKind::Property(property), Some(last));
        }
        self.flow()
    }

    fn wants_labels(&self) -> bool {
        self.chunk.recording.is_on
    }

    fn label_step(&mut self, labels: &[u64]) {
        self.chunk.recording.label_step(labels);
    }

    fn label_state(&mut self, labels: &[u64]) {
        self.chunk.recording.label_state(labels);
    }
}

/// The sink that initial states go to: like [`Candidates`], but whenever a chunk is full it is passed on, because a model
/// may have more initial states than fit into one.
pub(crate) struct Initials<'a> {
    pub(crate) numbering: &'a mut Numbering,
    pub(crate) nodes: &'a mut Nodes,
    pub(crate) chunk: &'a mut Chunk,
    pub(crate) n_steps: u32,
    pub(crate) events: Vec<Event>,
    pub(crate) stops_at_event: bool,
    last_action: u32,
    is_halted: bool,
    pass_on: &'a mut PassOn<'a>,
}

/// Takes what is in the chunk and empties it; the last argument says that it is the last one. False to stop.
pub(crate) type PassOn<'a> = dyn FnMut(&mut Chunk, &mut Vec<Event>, &mut Nodes, bool) -> bool + 'a;

/// Initial states passed on at a time.
const INITIALS_PER_CHUNK: usize = 1 << 13;

impl<'a> Initials<'a> {
    pub(crate) fn new(
        numbering: &'a mut Numbering,
        nodes: &'a mut Nodes,
        chunk: &'a mut Chunk,
        stops_at_event: bool,
        pass_on: &'a mut PassOn<'a>,
    ) -> Initials<'a> {
        Initials {
            numbering,
            nodes,
            chunk,
            n_steps: 0,
            events: Vec::new(),
            stops_at_event,
            last_action: 0,
            is_halted: false,
            pass_on,
        }
    }

    /// Runs the model; the last, partial chunk is passed on here.
    pub(crate) fn run<M: Model>(mut self, model: &M, worker: &mut M::Worker<'_>) {
        let done = model.initial(worker, &mut self);
        if let Err(fault) = done
            && !self.is_halted
        {
            self.event(EventKind::Fault(fault, FaultAt::Initial), None);
        }
        self.flush(true);
    }

    fn event(&mut self, kind: EventKind, last: Option<(Vec<u32>, u32)>) {
        self.events.push(Event {
            position: Position::after(StateId::NONE, self.n_steps),
            kind,
            last,
        });
    }

    fn flush(&mut self, is_last: bool) {
        self.chunk.seal();
        if !(self.pass_on)(self.chunk, &mut self.events, self.nodes, is_last) {
            self.is_halted = true;
        }
    }

    fn number(&mut self, state: &[u32], hash: u64, key: Option<(&[u32], u64)>) -> (u64, Option<u64>) {
        loop {
            let number = self.numbering.number(self.nodes, state, hash, key);
            let own = match key {
                Some(_) => self.numbering.own_number(self.nodes, state, hash).map(Some),
                None => Ok(None),
            };
            match (number, own) {
                (Ok(number), Ok(own)) => return (number, own),
                _ => self.nodes.grow(),
            }
        }
    }
}

impl Sink for Initials<'_> {
    fn needs_hash(&self) -> bool {
        self.numbering.store.is_hashed()
    }

    fn emit(&mut self, state: &[u32], hash: u64, key: Option<(&[u32], u64)>, action: u32) -> ControlFlow<()> {
        if self.is_halted {
            return ControlFlow::Break(());
        }
        let origin = Origin {
            parent: NO_PARENT,
            step: self.n_steps,
            action,
        };
        self.n_steps += 1;
        self.last_action = action;
        self.chunk.count(action);
        let (number, own) = self.number(state, hash, key);
        self.chunk.own.extend(own);
        self.chunk.push(number, state, origin);
        if self.chunk.len() >= INITIALS_PER_CHUNK {
            self.flush(false);
        }
        if self.is_halted {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        self.n_steps += 1;
        self.last_action = action;
        self.chunk.count(action);
        ControlFlow::Continue(())
    }

    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()> {
        if self.is_halted {
            return ControlFlow::Break(());
        }
        let last = (state.to_vec(), self.last_action);
        self.event(EventKind::Property(property), Some(last));
        if self.stops_at_event {
            self.flush(false);
            self.is_halted = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
