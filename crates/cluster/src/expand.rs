//! From states to candidates, each on its way to the worker that owns it.

use std::ops::ControlFlow;

use explore::{EventKind, FaultAt, Limit, Portable, Position, Sink, StateId, bump};

use crate::batch::{Origin, Outbox};
use crate::deduplicate::{Deduplication, export_state};
use crate::event::Event;
use crate::gather::Labels;
use crate::worker::Ctx;

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

/// What a worker saw and counted while it expanded its states of a slice.
#[derive(Default)]
pub struct Expansion {
    pub generated: u64,
    pub taken: Vec<u64>,
    pub events: Vec<Event>,
    /// Why this worker cannot go on.
    pub limit: Option<Limit>,
    /// Nothing that comes later in the order counts.
    pub is_halted: bool,
    /// If the graph is asked for.
    pub labels: Option<Labels>,
}

impl Expansion {
    pub fn new(has_labels: bool) -> Expansion {
        Expansion {
            labels: has_labels.then(Labels::default),
            ..Expansion::default()
        }
    }

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

/// The sink that initial states and successors go to.
pub struct Expanding<'s, 'a, M: Portable> {
    ctx: Ctx<'a, M>,
    sending: &'s mut Sending<M>,
    deduplication: &'s mut Deduplication,
    pub expansion: &'s mut Expansion,
    /// Batches that are full.
    full: &'s mut Vec<(usize, Vec<u8>)>,
    parent: StateId,
    n_steps: u32,
    last_action: u32,
}

/// Steps between two looks at the clock, beside one for each state.
const STEPS_PER_LOOK: u32 = 1 << 8;

impl<'s, 'a, M: Portable> Expanding<'s, 'a, M> {
    pub fn new(
        ctx: Ctx<'a, M>,
        sending: &'s mut Sending<M>,
        deduplication: &'s mut Deduplication,
        expansion: &'s mut Expansion,
        full: &'s mut Vec<(usize, Vec<u8>)>,
    ) -> Expanding<'s, 'a, M> {
        Expanding {
            ctx,
            sending,
            deduplication,
            expansion,
            full,
            parent: StateId::NONE,
            n_steps: 0,
            last_action: 0,
        }
    }

    /// Finds the initial states, which are the steps of no state.
    pub fn begin(&mut self, worker: &mut M::Worker<'_>) {
        (self.parent, self.n_steps) = (StateId::NONE, 0);
        let done = self.ctx.model.initial(worker, self);
        if done.is_err() && !self.expansion.is_halted {
            self.event(EventKind::Fault((), FaultAt::Initial), None);
        }
    }

    /// Expands a state.
    pub fn expand(&mut self, worker: &mut M::Worker<'_>, state: &[u32], parent: StateId, depth: u32) {
        (self.parent, self.n_steps) = (parent, 0);
        self.look();
        if self.expansion.is_halted {
            return;
        }
        if let Some(labels) = &mut self.expansion.labels {
            labels.begin_state(parent);
        }
        let done = self.ctx.model.successors(worker, state, depth, self);
        if self.expansion.is_halted {
            return;
        }
        match done {
            Err(_) => self.event(EventKind::Fault((), FaultAt::Successors), None),
            Ok(()) if self.n_steps == 0 && self.ctx.options.deadlock => {
                self.event(EventKind::Deadlock, None);
            }
            Ok(()) => {}
        }
    }

    fn look(&mut self) {
        if let Some(limit) = self.ctx.interruption() {
            self.expansion.limit = Some(limit);
            self.expansion.is_halted = true;
        }
    }

    fn event(&mut self, kind: EventKind<()>, last: Option<(Vec<u8>, u32)>) {
        let event = Event {
            position: Position::after(self.parent, self.n_steps),
            kind,
            last,
        };
        self.expansion.event(event, self.ctx.stops_at_event());
    }

    fn step(&mut self, action: u32) -> ControlFlow<()> {
        if self.expansion.is_halted {
            return ControlFlow::Break(());
        }
        self.n_steps += 1;
        self.last_action = action;
        self.expansion.count(action);
        if self.n_steps.is_multiple_of(STEPS_PER_LOOK) {
            self.look();
        }
        self.flow()
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.expansion.is_halted {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl<M: Portable> Sink for Expanding<'_, '_, M> {
    fn needs_hash(&self) -> bool {
        true
    }

    fn emit(&mut self, state: &[u32], hash: u64, key: Option<(&[u32], u64)>, action: u32) -> ControlFlow<()> {
        let (model, seat) = (self.ctx.model, self.ctx.seat);
        let origin = Origin {
            parent: self.parent,
            step: self.n_steps,
            action,
        };
        debug_assert_eq!(hash, model.hash(state, false));
        debug_assert!(key.is_none_or(|(key, hash)| hash == model.hash(key, true)));
        self.step(action)?;
        match &mut self.expansion.labels {
            // Every step goes to the owner of its target, who says where it leads.
            Some(labels) => {
                labels.has_keys |= key.is_some();
                labels.step(origin.step);
            }
            // Two states with one key may differ in whether they are inside the constraints, so both go.
            None if key.is_none() && self.sending.recent.is_recent(hash, state) => {
                return ControlFlow::Continue(());
            }
            None => {}
        }
        let owner = owner(key.map_or(hash, |it| it.1), seat.peers);
        let key = key.map(|it| it.0);
        if owner == seat.index {
            self.deduplication.arrive(origin, state, key);
            return ControlFlow::Continue(());
        }
        self.sending.n_sent += 1;
        if let Some(batch) = self.sending.outboxes[owner].push(model, origin, state, key) {
            self.full.push((owner, batch));
        }
        ControlFlow::Continue(())
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        self.step(action)
    }

    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()> {
        if !self.expansion.is_halted {
            let last = (export_state(self.ctx.model, state), self.last_action);
            self.event(EventKind::Property(property), Some(last));
        }
        self.flow()
    }

    /// Nothing is said of the initial states as steps.
    fn wants_labels(&self) -> bool {
        self.expansion.labels.is_some() && self.parent != StateId::NONE
    }

    fn label_step(&mut self, words: &[u64]) {
        if let Some(labels) = &mut self.expansion.labels {
            labels.label_step(words);
        }
    }

    fn label_state(&mut self, words: &[u64]) {
        if let Some(labels) = &mut self.expansion.labels {
            labels.label_state(words);
        }
    }
}
