//! From states to candidates, each on its way to the worker that owns it.

use std::ops::ControlFlow;

use explore::{EventKind, FaultAt, Limit, Portable, Position, Sink, StateId, bump};

use crate::batch::{Origin, Outbox};
use crate::event::Event;
use crate::settle::{Settling, export_state};

/// Who owns a state with this content hash.
pub fn owner(hash: u64, peers: usize) -> usize {
    ((u128::from(hash) * peers as u128) >> 64) as usize
}

/// What one worker sends.
pub struct Sending<M: Portable> {
    outboxes: Vec<Outbox<M, Origin>>,
    recent: Recent,
    pub n_sent: u64,
}

impl<M: Portable> Sending<M> {
    pub fn new(peers: usize, n_slots: usize) -> Sending<M> {
        Sending {
            outboxes: (0..peers).map(|_| Outbox::new(peers)).collect(),
            recent: Recent::new(n_slots),
            n_sent: 0,
        }
    }

    /// All that was not sent yet, with its targets.
    pub fn flush(&mut self) -> Vec<(usize, Vec<u8>)> {
        let full = self.outboxes.iter_mut().enumerate();
        full.filter_map(|(to, it)| Some((to, it.flush()?))).collect()
    }

    pub fn bytes(&self, model: &M) -> usize {
        self.outboxes.iter().map(|it| it.bytes(model)).sum::<usize>() + self.recent.bytes()
    }
}

/// States that this worker generated lately: their owner has them, and from an earlier place in the order.
struct Recent {
    n_slots: usize,
    hashes: Vec<u64>,
    states: Vec<u32>,
}

const RECENT: usize = 1 << 12;

impl Recent {
    fn new(n_slots: usize) -> Recent {
        Recent {
            n_slots,
            hashes: vec![0; RECENT],
            states: vec![u32::MAX; RECENT * n_slots],
        }
    }

    /// Whether the state was met lately; it is from now on.
    fn is_recent(&mut self, hash: u64, state: &[u32]) -> bool {
        let place = hash as usize % RECENT;
        let kept = &mut self.states[place * self.n_slots..(place + 1) * self.n_slots];
        if self.hashes[place] == hash && *kept == *state {
            return true;
        }
        self.hashes[place] = hash;
        kept.copy_from_slice(state);
        false
    }

    fn bytes(&self) -> usize {
        self.hashes.capacity() * 8 + self.states.capacity() * 4
    }
}

/// What is counted in a slice.
#[derive(Default)]
pub struct Books {
    pub generated: u64,
    pub taken: Vec<u64>,
    pub events: Vec<Event>,
    /// Why this worker cannot go on.
    pub limit: Option<Limit>,
    /// Nothing that comes later in the order counts.
    pub is_halted: bool,
}

impl Books {
    fn count(&mut self, action: u32) {
        self.generated += 1;
        bump(&mut self.taken, action);
    }

    fn event(&mut self, event: Event, stops_at_event: bool) {
        let is_fault = event.kind.is_fault();
        if !self.events.iter().any(|it| it.kind == event.kind) {
            self.events.push(event);
        }
        self.is_halted |= stops_at_event || is_fault;
    }
}

/// The sink that successors go to.
pub struct Expanding<'s, M: Portable> {
    pub model: &'s M,
    pub index: usize,
    pub peers: usize,
    pub stops_at_event: bool,
    pub interruption: &'s dyn Fn() -> Option<Limit>,
    pub sending: &'s mut Sending<M>,
    pub settling: &'s mut Settling,
    pub books: &'s mut Books,
    /// Batches that are full.
    pub full: &'s mut Vec<(usize, Vec<u8>)>,
    pub parent: StateId,
    pub n_steps: u32,
    pub last_action: u32,
}

/// Steps between two looks at the clock, beside one for each state.
const STEPS_PER_LOOK: u32 = 1 << 8;

impl<M: Portable> Expanding<'_, M> {
    /// Expands a state; `deadlock` says whether it must have a successor.
    pub fn expand(
        &mut self,
        worker: &mut M::Worker<'_>,
        state: &[u32],
        parent: StateId,
        depth: u32,
        deadlock: bool,
    ) {
        (self.parent, self.n_steps) = (parent, 0);
        self.look();
        if self.books.is_halted {
            return;
        }
        let done = self.model.successors(worker, state, depth, self);
        if self.books.is_halted {
            return;
        }
        match done {
            Err(_) => self.event(EventKind::Fault((), FaultAt::Successors), None),
            Ok(()) if self.n_steps == 0 && deadlock => self.event(EventKind::Deadlock, None),
            Ok(()) => {}
        }
    }

    fn look(&mut self) {
        if let Some(limit) = (self.interruption)() {
            self.books.limit = Some(limit);
            self.books.is_halted = true;
        }
    }

    fn event(&mut self, kind: EventKind<()>, last: Option<(Vec<u8>, u32)>) {
        let event = Event {
            position: Position::after(self.parent, self.n_steps),
            kind,
            last,
        };
        self.books.event(event, self.stops_at_event);
    }

    fn step(&mut self, action: u32) -> ControlFlow<()> {
        if self.books.is_halted {
            return ControlFlow::Break(());
        }
        self.n_steps += 1;
        self.last_action = action;
        self.books.count(action);
        if self.n_steps.is_multiple_of(STEPS_PER_LOOK) {
            self.look();
        }
        self.flow()
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.books.is_halted {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl<M: Portable> Sink for Expanding<'_, M> {
    fn needs_hash(&self) -> bool {
        true
    }

    fn emit(&mut self, state: &[u32], hash: u64, key: Option<(&[u32], u64)>, action: u32) -> ControlFlow<()> {
        let origin = Origin {
            parent: self.parent,
            step: self.n_steps,
            action,
        };
        debug_assert_eq!(hash, self.model.hash(state, false));
        debug_assert!(key.is_none_or(|(key, hash)| hash == self.model.hash(key, true)));
        self.step(action)?;
        // Two states with one key may differ in whether they are inside the constraints, so both go.
        if key.is_none() && self.sending.recent.is_recent(hash, state) {
            return ControlFlow::Continue(());
        }
        let owner = owner(key.map_or(hash, |it| it.1), self.peers);
        let key = key.map(|it| it.0);
        if owner == self.index {
            self.settling.arrive(origin, state, key);
            return ControlFlow::Continue(());
        }
        self.sending.n_sent += 1;
        if let Some(batch) = self.sending.outboxes[owner].push(self.model, origin, state, key) {
            self.full.push((owner, batch));
        }
        ControlFlow::Continue(())
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        self.step(action)
    }

    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()> {
        if !self.books.is_halted {
            let last = (export_state(self.model, state), self.last_action);
            self.event(EventKind::Property(property), Some(last));
        }
        self.flow()
    }
}

/// The sink that initial states go to. Every worker generates them all and keeps its own: nothing has to be sent.
pub struct Beginning<'s> {
    pub index: usize,
    pub peers: usize,
    pub interruption: &'s dyn Fn() -> Option<Limit>,
    pub settling: &'s mut Settling,
    pub books: &'s mut Books,
    pub n_steps: u32,
}

impl Beginning<'_> {
    pub fn run<M: Portable>(&mut self, model: &M, worker: &mut M::Worker<'_>) {
        let done = model.initial(worker, self);
        if done.is_err() && !self.books.is_halted && self.index == 0 {
            let event = Event {
                position: Position::after(StateId::NONE, self.n_steps),
                kind: EventKind::Fault((), FaultAt::Initial),
                last: None,
            };
            self.books.event(event, true);
        }
    }
}

impl Sink for Beginning<'_> {
    fn needs_hash(&self) -> bool {
        true
    }

    fn emit(&mut self, state: &[u32], hash: u64, key: Option<(&[u32], u64)>, action: u32) -> ControlFlow<()> {
        let origin = Origin {
            parent: StateId::NONE,
            step: self.n_steps,
            action,
        };
        self.exclude(action)?;
        if owner(key.map_or(hash, |it| it.1), self.peers) == self.index {
            self.settling.arrive(origin, state, key.map(|it| it.0));
        }
        ControlFlow::Continue(())
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        if self.n_steps.is_multiple_of(STEPS_PER_LOOK)
            && let Some(limit) = (self.interruption)()
        {
            self.books.limit = Some(limit);
            self.books.is_halted = true;
        }
        if self.books.is_halted {
            return ControlFlow::Break(());
        }
        self.n_steps += 1;
        if self.index == 0 {
            self.books.count(action);
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _property: u32, _state: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
