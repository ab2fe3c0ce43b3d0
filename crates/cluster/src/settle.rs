//! One worker's share of the visited set: which of the candidates that arrive are new, and what the model says about them.
//!
//! Candidates of a slice arrive in any order. They are settled when all have arrived, in the order of the search, so the
//! first of equal ones wins, as in a sequential search.

use explore::{EventKind, FaultAt, Portable, Position, StateId, Visited};

use crate::batch::Origin;
use crate::event::Event;
use crate::rank::Source;

pub struct Settling {
    n_slots: usize,
    /// States, or what stands for them; made when the first one comes, because then the length is known.
    visited: Option<Visited>,
    /// States outside the constraints, where states have keys: there a key can belong to states on both sides.
    outside: Option<Visited>,
    arrivals: Vec<Arrival>,
    states: Vec<u32>,
    /// Keys of arrivals, where what is new is to be told in full.
    keys: Option<Vec<u32>>,
    /// Candidates since the slice began, known ones included.
    pub n_arrived: u64,
}

/// A candidate that was not known before its slice.
struct Arrival {
    parent: StateId,
    step: u32,
    action: u32,
    /// Which of the states it is.
    at: u32,
    code: u64,
    /// The code of the state itself, when `code` is that of its key.
    own: u64,
}

/// The new states of a slice, in the order of the search.
#[derive(Default)]
pub struct Fresh {
    pub sources: Vec<Source>,
    pub actions: Vec<u32>,
    pub states: Vec<u32>,
    /// For a log: the keys of these, and the new states outside the constraints.
    pub keys: Vec<u32>,
    pub n_outside: usize,
    pub outside: Vec<u32>,
    pub outside_keys: Vec<u32>,
}

impl Settling {
    /// With `is_logged`, keys and states outside the constraints are told too.
    pub fn new(n_slots: usize, is_logged: bool) -> Settling {
        Settling {
            n_slots,
            keys: is_logged.then(Vec::new),
            visited: None,
            outside: None,
            arrivals: vec![],
            states: vec![],
            n_arrived: 0,
        }
    }

    pub fn bytes_visited(&self) -> usize {
        let sets = [&self.visited, &self.outside];
        sets.iter().filter_map(|it| it.as_ref()).map(Visited::bytes).sum()
    }

    /// All of it, and what may be taken at once before long.
    pub fn bytes(&self) -> usize {
        self.bytes_visited()
            + self.visited.as_ref().map_or(0, Visited::growth)
            + self.arrivals.capacity() * size_of::<Arrival>()
            + self.states.capacity() * 4
            + self.keys.as_ref().map_or(0, |it| it.capacity() * 4)
    }

    /// The length of keys, where states have keys.
    pub fn key_len(&self) -> Option<usize> {
        self.outside.as_ref()?;
        self.visited.as_ref().map(Visited::n_slots)
    }

    /// Makes a state known that was found before this process began.
    pub fn restore(&mut self, state: &[u32], key: Option<&[u32]>, is_outside: bool) -> bool {
        let identity = key.unwrap_or(state);
        let visited = self.visited.get_or_insert_with(|| Visited::new(identity.len()));
        if key.is_some() {
            let outside = self.outside.get_or_insert_with(|| Visited::new(state.len()));
            if is_outside {
                let code = outside.code(state);
                return outside.insert(code);
            }
        }
        let code = visited.code(identity);
        visited.insert(code)
    }

    pub fn arrive(&mut self, origin: Origin, state: &[u32], key: Option<&[u32]>) {
        self.n_arrived += 1;
        let identity = key.unwrap_or(state);
        let visited = self.visited.get_or_insert_with(|| Visited::new(identity.len()));
        let code = visited.code(identity);
        if visited.contains(code) {
            return;
        }
        let own = match key {
            None => 0,
            Some(_) => {
                let outside = self.outside.get_or_insert_with(|| Visited::new(state.len()));
                let own = outside.code(state);
                if outside.contains(own) {
                    return;
                }
                own
            }
        };
        self.arrivals.push(Arrival {
            parent: origin.parent,
            step: origin.step,
            action: origin.action,
            at: self.arrivals.len() as u32,
            code,
            own,
        });
        self.states.extend_from_slice(state);
        if let (Some(keys), Some(key)) = (&mut self.keys, key) {
            keys.extend_from_slice(key);
        }
    }

    /// All candidates of the slice are there: settles them. Gives the new states and, of each kind, the first event.
    pub fn close<M: Portable>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        depth: u32,
        stops_at_event: bool,
    ) -> (Fresh, Vec<Event>) {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        let states = std::mem::take(&mut self.states);
        let keys = self.keys.as_mut().map(std::mem::take);
        let key_len = self.key_len().unwrap_or(0);
        arrivals.sort_by_key(|it| (it.parent, it.step));
        let (mut fresh, mut events) = (Fresh::default(), vec![]);
        for arrival in &arrivals {
            if self.is_known(arrival) {
                continue;
            }
            let at = arrival.at as usize * self.n_slots;
            let state = &states[at..at + self.n_slots];
            let (is_inside, kind) = match model.inspect(worker, state, depth) {
                Ok(inspection) => (inspection.expand, inspection.violated.map(EventKind::Property)),
                Err(_) => (true, Some(EventKind::Fault((), FaultAt::Inspection))),
            };
            self.remember(arrival, is_inside);
            let at = arrival.at as usize * key_len;
            let key = keys.as_ref().map_or(&[][..], |it| &it[at..at + key_len]);
            if is_inside {
                fresh.sources.push((arrival.parent, arrival.step));
                fresh.actions.push(arrival.action);
                fresh.states.extend_from_slice(state);
                fresh.keys.extend_from_slice(key);
            } else if keys.is_some() {
                fresh.n_outside += 1;
                fresh.outside.extend_from_slice(state);
                fresh.outside_keys.extend_from_slice(key);
            }
            if let Some(kind) = kind
                && !events.iter().any(|it: &Event| it.kind == kind)
            {
                events.push(Event {
                    position: Position::of_state(arrival.parent, arrival.step),
                    kind,
                    last: Some((export_state(model, state), arrival.action)),
                });
                if stops_at_event || kind.is_fault() {
                    break;
                }
            }
        }
        // The memory is used again, unless it was an unusually large slice.
        if arrivals.capacity() * size_of::<Arrival>() + states.capacity() * 4 <= KEPT_BYTES {
            (self.arrivals, self.states) = (arrivals, states);
            self.arrivals.clear();
            self.states.clear();
        }
        (fresh, events)
    }

    fn is_known(&self, arrival: &Arrival) -> bool {
        let has = |set: &Option<Visited>, code| set.as_ref().is_some_and(|it| it.contains(code));
        has(&self.visited, arrival.code) || has(&self.outside, arrival.own)
    }

    /// A state outside the constraints is remembered too, so that it is inspected once.
    fn remember(&mut self, arrival: &Arrival, is_inside: bool) {
        match &mut self.outside {
            Some(outside) if !is_inside => outside.insert(arrival.own),
            _ => self.visited.as_mut().is_some_and(|it| it.insert(arrival.code)),
        };
    }
}

/// Memory that stays for the next slice.
const KEPT_BYTES: usize = 64 << 20;

/// A state by itself, for a reader that knows nothing.
pub fn export_state<M: Portable>(model: &M, state: &[u32]) -> Vec<u8> {
    let (mut seen, mut bytes) = (M::Sent::default(), vec![]);
    state.iter().for_each(|&it| model.send(it, &mut seen, &mut bytes));
    bytes
}

/// What [`export_state`] wrote.
pub fn import_state<M: Portable>(
    model: &M,
    worker: &mut M::Worker<'_>,
    mut bytes: &[u8],
) -> Option<Vec<u32>> {
    let mut known = vec![];
    (0..model.n_slots())
        .map(|_| model.receive(worker, &mut bytes, &mut known))
        .collect()
}
