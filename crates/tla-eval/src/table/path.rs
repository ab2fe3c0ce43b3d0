//! Paths: which part of a state was looked at.
//!
//! A path begins at a variable and goes on by keys, `x`, `x[p]`, `x[p].bal`, or ends with a question, `m \in x[p]`. All
//! paths that were ever looked at form one tree, so a part is found by one step from the part around it, and what was
//! found in the present state is remembered until the next one.

use util::FxHashMap;
use value::{Interner, Key, Slot, Value};

/// The paths `0..` are the variables.
pub type PathId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The value of a function at this argument.
    At(Slot),
    /// Whether a set has this element.
    Has(Slot),
}

#[derive(Clone, Copy, Debug)]
struct Part<'i> {
    around: PathId,
    has: bool,
    key: Key<'i>,
}

#[derive(Clone, Copy, Debug)]
struct Found<'i> {
    /// The state it was found in.
    time: u32,
    slot: Slot,
    value: Value<'i>,
}

/// All paths, and what the present state has there.
pub struct Paths<'i> {
    n_variables: usize,
    parts: Vec<Part<'i>>,
    ids: FxHashMap<(PathId, Step), PathId>,
    found: Vec<Found<'i>>,
    time: u32,
}

impl<'i> Paths<'i> {
    pub fn new(n_variables: usize) -> Paths<'i> {
        let nowhere = Part {
            around: 0,
            has: false,
            key: Key::new(Value::FALSE),
        };
        let nothing = Found {
            time: 0,
            slot: 0,
            value: Value::FALSE,
        };
        Paths {
            n_variables,
            parts: vec![nowhere; n_variables],
            ids: FxHashMap::default(),
            found: vec![nothing; n_variables],
            time: 0,
        }
    }

    /// Forgets what was found: another state is looked at.
    pub fn enter(&mut self) {
        self.time += 1;
        if self.time == u32::MAX {
            self.found.iter_mut().for_each(|it| it.time = 0);
            self.time = 1;
        }
    }

    pub fn len(&self) -> usize {
        self.parts.len()
    }

    pub fn extend(&mut self, around: PathId, step: Step, interner: &Interner<'i>) -> PathId {
        *self.ids.entry((around, step)).or_insert_with(|| {
            let (slot, has) = match step {
                Step::At(slot) => (slot, false),
                Step::Has(slot) => (slot, true),
            };
            self.parts.push(Part {
                around,
                has,
                key: Key::new(interner.value(slot)),
            });
            self.found.push(Found {
                time: 0,
                slot: 0,
                value: Value::FALSE,
            });
            self.parts.len() as PathId - 1
        })
    }

    /// What the state has there; nothing where the path leads nowhere, or to a value without a number.
    #[inline]
    pub fn look(&mut self, path: PathId, state: &[Slot], interner: &Interner<'i>) -> Option<Slot> {
        let found = &self.found[path as usize];
        match found.time == self.time {
            true => Some(found.slot),
            false => self.look_anew(path, state, interner),
        }
    }

    fn look_anew(&mut self, path: PathId, state: &[Slot], interner: &Interner<'i>) -> Option<Slot> {
        let index = path as usize;
        let (slot, value) = if index < self.n_variables {
            (state[index], interner.value(state[index]))
        } else {
            let around = self.parts[index].around;
            // The depth of paths is that of the text that looked there.
            self.look(around, state, interner)?;
            let outer = self.found[around as usize].value;
            let part = &mut self.parts[index];
            let value = match part.has {
                true => Value::Bool(value::contains(outer, part.key.value).ok()?),
                false => part.key.apply(outer)?,
            };
            (interner.slot_of(value)?, value)
        };
        self.found[index] = Found {
            time: self.time,
            slot,
            value,
        };
        Some(slot)
    }

    pub fn memory(&self) -> usize {
        self.parts.capacity() * (size_of::<Part<'_>>() + size_of::<Found<'_>>() + 32)
    }
}
