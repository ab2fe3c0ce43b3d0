//! Paths: which part of a state was looked at.
//!
//! A path begins at a variable and goes on by keys, `x`, `x[p]`, `x[p].bal`, or ends with a question, `m \in x[p]`, or with a
//! sieve, `{m \in x[p] : m.type = "ack"}`, where the test depends on nothing but the element. All
//! paths that were ever looked at form one tree, so a part is found by one step from the part around it, and what was
//! found in the present state is remembered until the next one.

use util::FxHashMap;
use value::{Arena, Interner, Key, Slot, Value};

use crate::code::ProcId;

/// The first paths are the variables, then come the variables of the next state.
pub type PathId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The value of a function at this argument.
    At(Slot),
    /// Whether a set has this element.
    Has(Slot),
    /// The elements of a set that a sieve lets through.
    Where(SieveId),
}

/// A test of elements with the values that its text captured.
pub type SieveId = u32;

/// Which elements are known to pass, and what is left of whole sets.
#[derive(Default)]
struct Sieve {
    passes: FxHashMap<Slot, bool>,
    kept: FxHashMap<Slot, Slot>,
}

/// Sets that a sieve remembers at most.
const KEPT_MAX: usize = 1 << 18;

#[derive(Clone, Copy, Debug)]
struct Part<'i> {
    around: PathId,
    /// The variable that it begins at.
    root: PathId,
    step: Step,
    key: Key<'i>,
}

#[derive(Clone, Copy, Debug)]
struct Found<'i> {
    /// When its state was entered.
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
    /// Goes on with each state that is entered.
    time: u32,
    sieve_ids: FxHashMap<(ProcId, Vec<Slot>), SieveId>,
    sieves: Vec<Sieve>,
    interned: &'i Arena,
}

impl<'i> Paths<'i> {
    pub fn new(n_variables: usize, interned: &'i Arena) -> Paths<'i> {
        let root = |root: PathId| Part {
            around: 0,
            root,
            step: Step::At(0),
            key: Key::new(Value::FALSE),
        };
        let nothing = Found {
            time: 0,
            slot: 0,
            value: Value::FALSE,
        };
        let n_roots = 2 * n_variables;
        Paths {
            n_variables,
            parts: (0..n_roots as PathId).map(root).collect(),
            ids: FxHashMap::default(),
            found: vec![nothing; n_roots],
            time: 0,
            sieve_ids: FxHashMap::default(),
            sieves: vec![],
            interned,
        }
    }

    /// Looks at another state.
    pub fn enter(&mut self, state: &[Slot], interner: &Interner<'i>) {
        self.enter_at(0, state, interner);
    }

    /// Looks at a step from the present state to another one.
    pub fn enter_next(&mut self, next: &[Slot], interner: &Interner<'i>) {
        self.enter_at(self.n_variables, next, interner);
    }

    fn enter_at(&mut self, first: usize, state: &[Slot], interner: &Interner<'i>) {
        if self.time == u32::MAX {
            self.found.iter_mut().for_each(|it| it.time = 0);
            self.time = 0;
        }
        self.time += 1;
        for (root, &slot) in self.found[first..].iter_mut().zip(state) {
            *root = Found {
                time: self.time,
                slot,
                value: interner.value(slot),
            };
        }
    }

    /// A variable of the next state.
    pub fn next_root(&self, var: usize) -> PathId {
        (self.n_variables + var) as PathId
    }

    /// The same part of the next state.
    pub fn twin(&mut self, path: PathId, interner: &Interner<'i>) -> PathId {
        if (path as usize) < self.n_variables {
            return self.next_root(path as usize);
        }
        let Part { around, step, .. } = self.parts[path as usize];
        let around = self.twin(around, interner);
        self.extend(around, step, interner)
    }

    pub fn extend(&mut self, around: PathId, step: Step, interner: &Interner<'i>) -> PathId {
        *self.ids.entry((around, step)).or_insert_with(|| {
            let key = match step {
                Step::At(slot) | Step::Has(slot) => interner.value(slot),
                Step::Where(_) => Value::FALSE,
            };
            self.parts.push(Part {
                around,
                root: self.parts[around as usize].root,
                step,
                key: Key::new(key),
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
    pub fn look(&mut self, path: PathId, interner: &Interner<'i>) -> Option<Slot> {
        let found = &self.found[path as usize];
        let root = self.parts[path as usize].root;
        match found.time == self.found[root as usize].time {
            true => Some(found.slot),
            false => self.look_anew(path, interner),
        }
    }

    fn look_anew(&mut self, path: PathId, interner: &Interner<'i>) -> Option<Slot> {
        let index = path as usize;
        let Part {
            around, root, step, ..
        } = self.parts[index];
        // The depth of paths is that of the text that looked there.
        self.look(around, interner)?;
        let outer = self.found[around as usize].value;
        let (slot, value) = match step {
            Step::At(_) => {
                let value = self.parts[index].key.apply(outer)?;
                (interner.slot_of(value)?, value)
            }
            Step::Has(_) => {
                let value = Value::Bool(value::contains(outer, self.parts[index].key.value).ok()?);
                (interner.slot_of(value)?, value)
            }
            Step::Where(sieve) => {
                let outer_slot = self.found[around as usize].slot;
                let slot = self.sieves[sieve as usize].keep(outer_slot, outer, interner, self.interned)?;
                (slot, interner.value(slot))
            }
        };
        self.found[index] = Found {
            time: self.found[root as usize].time,
            slot,
            value,
        };
        Some(slot)
    }

    pub fn sieve(&mut self, test: ProcId, captured: Vec<Slot>) -> SieveId {
        *self.sieve_ids.entry((test, captured)).or_insert_with(|| {
            self.sieves.push(Sieve::default());
            self.sieves.len() as SieveId - 1
        })
    }

    /// Whether an element passes, if that is known.
    pub fn passes(&self, sieve: SieveId, element: Slot) -> Option<bool> {
        self.sieves[sieve as usize].passes.get(&element).copied()
    }

    pub fn set_passes(&mut self, sieve: SieveId, element: Slot, passes: bool) {
        self.sieves[sieve as usize].passes.insert(element, passes);
    }

    pub fn memory(&self) -> usize {
        let sieves = self
            .sieves
            .iter()
            .map(|it| it.kept.capacity() + it.passes.capacity());
        sieves.sum::<usize>() * 9
            + self.parts.capacity() * (size_of::<Part<'_>>() + size_of::<Found<'_>>() + 32)
    }
}

impl Sieve {
    /// What is left of a set; nothing when an element is not known.
    fn keep<'i>(
        &mut self,
        slot: Slot,
        set: Value<'i>,
        interner: &Interner<'i>,
        interned: &'i Arena,
    ) -> Option<Slot> {
        if let Some(&kept) = self.kept.get(&slot) {
            return Some(kept);
        }
        if matches!(set, Value::Symbolic(_)) {
            return None;
        }
        let scratch = Arena::new();
        let set = value::enumerate(set, &scratch).ok()?;
        let mut items = vec![];
        for &item in set.items {
            if *self.passes.get(&interner.slot_of(item)?)? {
                items.push(item);
            }
        }
        let kept = if items.len() == set.items.len() {
            slot
        } else {
            let value = Value::sorted_set(scratch.alloc_slice_copy(&items), &scratch);
            interner.intern(value, interned).ok()?
        };
        if self.kept.len() >= KEPT_MAX {
            self.kept.clear();
        }
        self.kept.insert(slot, kept);
        Some(kept)
    }
}
