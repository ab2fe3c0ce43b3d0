//! One worker's partition of the visited set: which of the candidates that arrive are new, and what the model says about them.
//!
//! Candidates of a slice arrive in any order. They are looked at when all have arrived, in the order of the search, so the
//! first of equal ones counts, as in a sequential search.

use explore::{Directory, EventKind, Portable, StateId, Visited, inspect};
use util::FxHashMap;

use crate::batch::Origin;
use crate::event::Event;
use crate::gather::{Sighting, Target};
use crate::rank::Source;

pub struct Deduplication {
    n_slots: usize,
    /// States, or what stands for them; made when the first one comes, because then the length is known.
    visited: Option<Visited>,
    /// States outside the constraints, where states have keys: there a key can belong to states on both sides.
    outside: Option<Visited>,
    arrivals: Arrivals,
    /// Candidates since the slice began, known ones included.
    pub n_arrived: u64,
    /// If the graph is asked for: which steps lead to states of this worker.
    sights: Option<Sights>,
}

/// Candidates that were not known before their slice.
struct Arrivals {
    all: Vec<Arrival>,
    states: Vec<u32>,
    /// Where what is new is to be told in full.
    keys: Option<Vec<u32>>,
}

struct Arrival {
    origin: Origin,
    /// Which of the states it is.
    at: u32,
    code: u64,
    /// The code of the state itself, when `code` is that of its key.
    own: u64,
}

/// The numbers of this worker's states by code, and the steps of the slice that lead to them.
#[derive(Default)]
struct Sights {
    directory: Directory,
    /// In the order of the directory.
    numbers: Vec<StateId>,
    sightings: Vec<Sighting>,
    /// Steps to what was known before the slice, by code: candidates may arrive before the new states of the slice before have
    /// their numbers.
    known: Vec<(Source, u64)>,
    /// New states of the slice by code.
    new: FxHashMap<u64, u32>,
}

impl Sights {
    fn bytes(&self) -> usize {
        self.directory.bytes()
            + self.directory.growth() / 2
            + self.numbers.capacity() * 8
            + self.sightings.capacity() * size_of::<Sighting>()
            + self.known.capacity() * size_of::<(Source, u64)>()
            + self.new.capacity() * 16
    }

    /// A step to what was not known before the slice; if that is still not a state, it lies outside the constraints.
    fn see_new(&mut self, origin: Origin, code: u64) {
        let new = self.new.get(&code);
        self.sightings.extend(new.map(|&new| Sighting {
            source: (origin.parent, origin.step),
            target: Target::New(new),
        }));
    }
}

/// The new states of a slice, in the order of the search.
#[derive(Default)]
pub struct Fresh {
    pub sources: Vec<Source>,
    pub actions: Vec<u32>,
    pub states: Vec<u32>,
    /// For the graph, what stands for these.
    codes: Vec<u64>,
    /// For a log: the keys of these, and the new states outside the constraints.
    pub keys: Vec<u32>,
    pub n_outside: usize,
    pub outside: Vec<u32>,
    pub outside_keys: Vec<u32>,
}

impl Deduplication {
    /// With `is_logged`, keys and states outside the constraints are told too; with `sees`, steps are.
    pub fn new(n_slots: usize, is_logged: bool, sees: bool) -> Deduplication {
        Deduplication {
            n_slots,
            visited: None,
            outside: None,
            arrivals: Arrivals {
                all: vec![],
                states: vec![],
                keys: is_logged.then(Vec::new),
            },
            n_arrived: 0,
            sights: sees.then(Sights::default),
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
            + self.arrivals.bytes()
            + self.sights.as_ref().map_or(0, Sights::bytes)
    }

    /// The length of keys, where states have keys.
    pub fn key_len(&self) -> Option<usize> {
        self.outside.as_ref()?;
        self.visited.as_ref().map(Visited::n_slots)
    }

    /// Makes a state known that was found before this process began; without a number it lies outside the constraints.
    pub fn restore(&mut self, state: &[u32], key: Option<&[u32]>, number: Option<StateId>) -> bool {
        let identity = key.unwrap_or(state);
        let visited = self.visited.get_or_insert_with(|| Visited::new(identity.len()));
        if key.is_some() {
            let outside = self.outside.get_or_insert_with(|| Visited::new(state.len()));
            if number.is_none() {
                let code = outside.code(state);
                return outside.insert(code);
            }
        }
        let code = visited.code(identity);
        if let (Some(sights), Some(number)) = (&mut self.sights, number) {
            sights.directory.push(code);
            sights.numbers.push(number);
        }
        visited.insert(code)
    }

    pub fn arrive(&mut self, origin: Origin, state: &[u32], key: Option<&[u32]>) {
        self.n_arrived += 1;
        let identity = key.unwrap_or(state);
        let visited = self.visited.get_or_insert_with(|| Visited::new(identity.len()));
        let code = visited.code(identity);
        if visited.contains(code) {
            if let Some(sights) = &mut self.sights {
                sights.known.push(((origin.parent, origin.step), code));
            }
            return;
        }
        let own = match key {
            None => 0,
            Some(_) => {
                let outside = self.outside.get_or_insert_with(|| Visited::new(state.len()));
                let own = outside.code(state);
                // A step to it leads to the state with its key, if that is found before it in this slice.
                if self.sights.is_none() && outside.contains(own) {
                    return;
                }
                own
            }
        };
        self.arrivals.push(origin, code, own, state, key);
    }

    /// All candidates of the slice are there. Gives the new states and, of each kind, the first event.
    pub fn close<M: Portable>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        depth: u32,
        stops_at_event: bool,
    ) -> (Fresh, Vec<Event>) {
        let key_len = self.key_len().unwrap_or(0);
        let mut arrivals = self.arrivals.take();
        arrivals.all.sort_by_key(|it| it.origin.position());
        let (mut fresh, mut events) = (Fresh::default(), vec![]);
        for arrival in &arrivals.all {
            if self.is_known(arrival) {
                if let Some(sights) = &mut self.sights {
                    sights.see_new(arrival.origin, arrival.code);
                }
                continue;
            }
            let state = arrivals.state(arrival, self.n_slots);
            let (is_inside, kind) = inspect(model, worker, state, depth);
            let kind = kind.map(EventKind::without_fault);
            self.insert(arrival, is_inside, &mut fresh);
            let key = arrivals.key(arrival, key_len);
            if is_inside {
                fresh.states.extend_from_slice(state);
                fresh.keys.extend_from_slice(key);
            } else if arrivals.keys.is_some() {
                fresh.n_outside += 1;
                fresh.outside.extend_from_slice(state);
                fresh.outside_keys.extend_from_slice(key);
            }
            if let Some(kind) = kind
                && !events.iter().any(|it: &Event| it.kind == kind)
            {
                events.push(Event {
                    position: arrival.origin.position(),
                    kind,
                    last: Some((export_state(model, state), arrival.origin.action)),
                });
                if stops_at_event || kind.is_fault() {
                    break;
                }
            }
        }
        self.arrivals.reuse(arrivals);
        (fresh, events)
    }

    fn is_known(&self, arrival: &Arrival) -> bool {
        let has = |set: &Option<Visited>, code| set.as_ref().is_some_and(|it| it.contains(code));
        has(&self.visited, arrival.code) || has(&self.outside, arrival.own)
    }

    /// A state outside the constraints is remembered too, so that it is inspected once.
    fn insert(&mut self, arrival: &Arrival, is_inside: bool, fresh: &mut Fresh) {
        match &mut self.outside {
            Some(outside) if !is_inside => outside.insert(arrival.own),
            _ => self.visited.as_mut().is_some_and(|it| it.insert(arrival.code)),
        };
        if !is_inside {
            return;
        }
        if let Some(sights) = &mut self.sights {
            sights.new.insert(arrival.code, fresh.sources.len() as u32);
            sights.see_new(arrival.origin, arrival.code);
            fresh.codes.push(arrival.code);
        }
        fresh.sources.push((arrival.origin.parent, arrival.origin.step));
        fresh.actions.push(arrival.origin.action);
    }

    /// The steps of the slice that lead to states of this worker, sorted by source.
    pub fn take_sightings(&mut self) -> Vec<Sighting> {
        let Some(sights) = &mut self.sights else {
            return vec![];
        };
        sights.new.clear();
        let mut sightings = std::mem::take(&mut sights.sightings);
        for (source, code) in std::mem::take(&mut sights.known) {
            // What is known and has no number lies outside the constraints.
            let own = sights.directory.find(code);
            sightings.extend(own.map(|own| Sighting {
                source,
                target: Target::Known(sights.numbers[own as usize]),
            }));
        }
        sightings.sort_by_key(|it| it.source);
        sightings
    }

    /// The slice counts, and its new states have numbers.
    pub fn number(&mut self, fresh: &Fresh, numbers: &[StateId]) {
        if let Some(sights) = &mut self.sights {
            fresh.codes.iter().for_each(|&it| sights.directory.push(it));
            sights.numbers.extend_from_slice(numbers);
        }
    }
}

/// Memory that stays for the next slice.
const KEPT_BYTES: usize = 64 << 20;

impl Arrivals {
    fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Arrival>()
            + self.states.capacity() * 4
            + self.keys.as_ref().map_or(0, |it| it.capacity() * 4)
    }

    fn push(&mut self, origin: Origin, code: u64, own: u64, state: &[u32], key: Option<&[u32]>) {
        self.all.push(Arrival {
            origin,
            at: self.all.len() as u32,
            code,
            own,
        });
        self.states.extend_from_slice(state);
        if let (Some(keys), Some(key)) = (&mut self.keys, key) {
            keys.extend_from_slice(key);
        }
    }

    fn state(&self, arrival: &Arrival, n_slots: usize) -> &[u32] {
        let at = arrival.at as usize * n_slots;
        &self.states[at..at + n_slots]
    }

    fn key(&self, arrival: &Arrival, key_len: usize) -> &[u32] {
        let at = arrival.at as usize * key_len;
        self.keys.as_ref().map_or(&[][..], |it| &it[at..at + key_len])
    }

    fn take(&mut self) -> Arrivals {
        Arrivals {
            all: std::mem::take(&mut self.all),
            states: std::mem::take(&mut self.states),
            keys: self.keys.as_mut().map(std::mem::take),
        }
    }

    /// The memory is used again, unless it was an unusually large slice.
    fn reuse(&mut self, mut done: Arrivals) {
        if done.bytes() <= KEPT_BYTES {
            done.all.clear();
            done.states.clear();
            done.keys.as_mut().into_iter().for_each(Vec::clear);
            *self = done;
        }
    }
}

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
