//! Paths: which part of a state was looked at.
//!
//! A path begins at a variable, or at a definition without parameters, and goes on by keys, `x`, `x[p]`, `x[p].bal`, or ends with a question, `m \in x[p]`, or with a
//! sieve, `{m \in x[p] : m.type = "ack"}`, where the test depends on nothing but the element. All
//! paths that were ever looked at form one tree, so a part is found by one step from the part around it, and what was
//! found in a value of a variable is [remembered](super::rows) with that value.

use super::tree::Trees;
use util::FxHashMap;
use value::{Arena, Interner, Key, Slot, Value};

use super::rows::{NO_ROW, Row, Rows};
use crate::code::{ProcId, VarId};

/// The first paths are the names: variables, then definitions. Then come the names of the next state.
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

/// No value has this number.
const UNKNOWN: Slot = 0;

/// Sets that a sieve remembers at most.
const KEPT_MAX: usize = 1 << 18;

#[derive(Clone, Copy, Debug)]
struct Part<'i> {
    around: PathId,
    step: Step,
    key: Key<'i>,
}

/// What it takes to look a part up.
#[derive(Clone, Copy, Debug)]
struct Address {
    /// The variable that it begins at, and which of the two states.
    root: u32,
    /// Where it is in the rows of the variable's values.
    column: u32,
}

/// All paths, and what the present state has there.
pub struct Paths<'i> {
    n_variables: usize,
    /// Of each state: variables and definitions.
    n_names: usize,
    parts: Vec<Part<'i>>,
    addresses: Vec<Address>,
    ids: FxHashMap<(PathId, Step), PathId>,
    /// For each definition, its value by what it read of a state.
    definitions: Vec<Trees>,
    /// The present value of each name, of this state and the next one, and its row; 0 for a definition that was not asked for.
    slots: Vec<Slot>,
    row_at: Vec<Row>,
    pub rows: Rows,
    sieve_ids: FxHashMap<(ProcId, Vec<Slot>), SieveId>,
    sieves: Vec<Sieve>,
    interned: &'i Arena,
}

impl<'i> Paths<'i> {
    pub fn new(n_variables: usize, n_definitions: usize, interned: &'i Arena) -> Paths<'i> {
        let n_names = n_variables + n_definitions;
        let n_roots = 2 * n_names;
        let root = Part {
            around: 0,
            step: Step::At(0),
            key: Key::new(Value::FALSE),
        };
        let address = |root: u32| Address { root, column: 0 };
        Paths {
            n_variables,
            n_names,
            parts: vec![root; n_roots],
            addresses: (0..n_roots as u32).map(address).collect(),
            ids: FxHashMap::default(),
            slots: vec![0; n_roots],
            row_at: vec![NO_ROW; n_roots],
            definitions: (0..n_definitions).map(|_| Trees::new(1)).collect(),
            rows: Rows::new(n_names),
            sieve_ids: FxHashMap::default(),
            sieves: vec![],
            interned,
        }
    }

    /// Looks at another state.
    pub fn enter(&mut self, state: &[Slot]) {
        if self.rows.is_full() {
            self.rows.clear();
            self.find_rows();
        }
        self.enter_at(0, state);
    }

    /// Looks at a step from the present state to another one.
    pub fn enter_next(&mut self, next: &[Slot]) {
        self.enter_at(self.n_names, next);
    }

    fn enter_at(&mut self, first: usize, state: &[Slot]) {
        for (var, &slot) in state.iter().enumerate() {
            let root = first + var;
            if self.slots[root] != slot || self.row_at[root] == NO_ROW {
                self.slots[root] = slot;
                self.row_at[root] = self.rows.row(var as VarId, slot);
            }
        }
        self.slots[first + self.n_variables..first + self.n_names].fill(UNKNOWN);
    }

    /// Finds the rows of the present values again.
    fn find_rows(&mut self) {
        for root in 0..self.slots.len() {
            let var = (root % self.n_names) as VarId;
            self.row_at[root] = self.rows.row(var, self.slots[root]);
        }
    }

    /// A new question about a variable.
    pub fn add_column(&mut self, var: VarId) -> u32 {
        let (column, is_moved) = self.rows.add_column(var);
        if is_moved {
            self.find_rows();
        }
        column
    }

    /// The row of a variable's present value.
    #[inline]
    pub fn row_of(&self, var: VarId) -> Row {
        self.row_at[var as usize]
    }

    /// A variable of the next state.
    pub fn next_root(&self, var: usize) -> PathId {
        (self.n_names + var) as PathId
    }

    /// A definition in this state or the next one; nothing when it is new most of the time.
    pub fn definition_root(&self, definition: u16, next: bool) -> Option<PathId> {
        let first = if next { self.n_names } else { 0 };
        let is_on = self.definitions.get(definition as usize)?.is_on(0);
        is_on.then_some((first + self.n_variables + definition as usize) as PathId)
    }

    /// Notes the value of a definition, and what of the state it comes from. False when it comes from elsewhere too.
    pub fn learn(
        &mut self,
        root: PathId,
        reads: &[(PathId, Slot)],
        slot: Slot,
        interner: &Interner<'i>,
    ) -> bool {
        let is_next = root as usize >= self.n_names;
        let mut here = Vec::with_capacity(reads.len());
        for &(path, value) in reads {
            if (self.addresses[path as usize].root as usize >= self.n_names) != is_next {
                return false;
            }
            // What holds of this state holds of the next one.
            let path = if is_next { self.twin(path, interner) } else { path };
            here.push((path, value));
        }
        let definition = root as usize % self.n_names - self.n_variables;
        self.definitions[definition].add(0, &here, slot);
        self.set_root(root as usize, slot);
        true
    }

    fn set_root(&mut self, root: usize, slot: Slot) {
        self.slots[root] = slot;
        self.row_at[root] = self.rows.row((root % self.n_names) as VarId, slot);
    }

    /// The value of a definition, by what it reads.
    #[cold]
    fn derive(&mut self, root: usize, interner: &Interner<'i>) -> Option<Slot> {
        let first = root / self.n_names * self.n_names;
        let definition = root - first - self.n_variables;
        // A definition does not depend on itself, so nobody asks for its tree meanwhile.
        let mut tree = std::mem::take(&mut self.definitions[definition]);
        let found = tree.find(0, |path| self.look_from(path, first, interner));
        self.definitions[definition] = tree;
        self.set_root(root, found?);
        found
    }

    /// The same part of the other state of a step.
    fn twin(&mut self, path: PathId, interner: &Interner<'i>) -> PathId {
        if (path as usize) < 2 * self.n_names {
            return (path + self.n_names as PathId) % (2 * self.n_names) as PathId;
        }
        let Part { around, step, .. } = self.parts[path as usize];
        let around = self.twin(around, interner);
        self.extend(around, step, interner)
    }

    pub fn extend(&mut self, around: PathId, step: Step, interner: &Interner<'i>) -> PathId {
        if let Some(&known) = self.ids.get(&(around, step)) {
            return known;
        }
        let key = match step {
            Step::At(slot) | Step::Has(slot) => interner.value(slot),
            Step::Where(_) => Value::FALSE,
        };
        let root = self.addresses[around as usize].root;
        // A part of the next state has the column of the same part of this one.
        let column = match (root as usize) < self.n_names {
            true => self.add_column(root as VarId),
            false => {
                let around = self.twin(around, interner);
                let twin = self.extend(around, step, interner);
                self.addresses[twin as usize].column
            }
        };
        let key = Key::new(key);
        self.parts.push(Part { around, step, key });
        self.addresses.push(Address { root, column });
        let id = self.parts.len() as PathId - 1;
        self.ids.insert((around, step), id);
        id
    }

    /// What the state has there; nothing where the path leads nowhere, or to a value without a number.
    #[inline]
    pub fn look(&mut self, path: PathId, interner: &Interner<'i>) -> Option<Slot> {
        self.look_from(path, 0, interner)
    }

    /// As [`Paths::look`], in the next state.
    #[inline]
    pub fn look_next(&mut self, path: PathId, interner: &Interner<'i>) -> Option<Slot> {
        self.look_from(path, self.n_names, interner)
    }

    /// What is there when the variables of the path are those from `first` on.
    #[inline(always)]
    fn look_from(&mut self, path: PathId, first: usize, interner: &Interner<'i>) -> Option<Slot> {
        match self.slots.get(path as usize + first) {
            None => {}
            Some(&UNKNOWN) => return self.derive(path as usize + first, interner),
            Some(&slot) => return Some(slot),
        }
        let Address { root, column } = self.addresses[path as usize];
        if self.slots[root as usize + first] == UNKNOWN {
            self.derive(root as usize + first, interner)?;
        }
        match self.rows.get(self.row_at[root as usize + first], column) {
            Some(slot) => Some(slot),
            None => self.look_anew(path, first, interner),
        }
    }

    #[cold]
    fn look_anew(&mut self, path: PathId, first: usize, interner: &Interner<'i>) -> Option<Slot> {
        let index = path as usize;
        let Part { around, step, .. } = self.parts[index];
        // The depth of paths is that of the text that looked there.
        let outer_slot = self.look_from(around, first, interner)?;
        let outer = interner.value(outer_slot);
        let slot = match step {
            Step::At(_) => interner.slot_of(self.parts[index].key.apply(outer)?)?,
            Step::Has(_) => {
                let has = value::contains(outer, self.parts[index].key.value).ok()?;
                interner.slot_of(Value::Bool(has))?
            }
            Step::Where(sieve) => {
                self.sieves[sieve as usize].keep(outer_slot, outer, interner, self.interned)?
            }
        };
        let Address { root, column } = self.addresses[index];
        let row = self.row_at[root as usize + first];
        self.rows.set(row, column, slot);
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
            + self.parts.capacity() * (size_of::<Part<'_>>() + 32)
            + self.rows.memory()
            + self.definitions.iter().map(Trees::memory).sum::<usize>()
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
