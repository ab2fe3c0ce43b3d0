//! Paths: which part of a state was looked at.
//!
//! A path begins at a [slot](crate::layout) of the state, or at a definition without parameters, and goes on by keys, `x`, `x[p]`, `x[p].bal`, or ends with a question, `m \in x[p]`, or with a
//! sieve, `{m \in x[p] : m.type = "ack"}`, where the test depends on nothing but the element. All
//! paths that were ever looked at form one tree, so a part is found by one step from the part around it, and what was
//! found in a value of a variable is [remembered](super::rows) with that value.

use std::sync::Arc;

use super::tree::Trees;
use util::FxHashMap;
use value::{Arena, Interner, Key, Slot, Value};

use super::rows::{Class, NO_ROW, Row, Rows};
use crate::code::{ProcId, VarId};
use crate::layout::{Layout, NodeId};

/// The first paths are the names: slots, then definitions. Then come the names of the next state. Far above are those that
/// lead to several slots at once.
pub type PathId = u32;

/// What makes a path of the number of a part that is split, and which of the two states it is in.
const SPLIT: PathId = 1 << 31;
const SPLIT_NEXT: PathId = 1 << 30;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The value of a function at this argument.
    At(Slot),
    /// Whether a set has this element.
    Has(Slot),
    /// The elements of a set that a sieve lets through.
    Where(PredicateId),
}

/// A test of elements with the values that its text captured.
pub type PredicateId = u32;

/// Which elements are known to pass, and what is left of whole sets.
#[derive(Default)]
struct PushedPredicate {
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
    /// The name that it begins at, and in which of the two states.
    root: u32,
    /// Where it is in the rows of the name's values.
    column: u32,
}

/// No column: the whole value.
const WHOLE: u32 = u32::MAX;

/// All paths, and what the present state has there.
pub struct Paths<'i> {
    layout: Arc<Layout<'i>>,
    n_slots: usize,
    /// Of each state: slots and definitions.
    n_names: usize,
    /// By name.
    classes: Vec<Class>,
    /// By class, the question that it goes on from, and how.
    columns: FxHashMap<(Class, u32, Step), u32>,
    parts: Vec<Part<'i>>,
    addresses: Vec<Address>,
    ids: FxHashMap<(PathId, Step), PathId>,
    /// For each definition, its value by what it read of a state.
    definitions: Vec<Trees>,
    /// The present value of each name, of this state and the next one, and its row; 0 for a definition that was not asked for.
    slots: Vec<Slot>,
    row_at: Vec<Row>,
    pub rows: Rows,
    predicate_ids: FxHashMap<(ProcId, Vec<Slot>), PredicateId>,
    predicates: Vec<PushedPredicate>,
    interned: &'i Arena,
}

impl<'i> Paths<'i> {
    pub fn new(layout: Arc<Layout<'i>>, n_definitions: usize, interned: &'i Arena) -> Paths<'i> {
        let n_slots = layout.n_slots();
        let n_names = n_slots + n_definitions;
        let n_classes = layout.n_classes() + n_definitions;
        let mut classes = layout.classes();
        classes.extend((layout.n_classes()..n_classes).map(|it| it as Class));
        let n_roots = 2 * n_names;
        let root = Part {
            around: 0,
            step: Step::At(0),
            key: Key::new(Value::FALSE),
        };
        let address = |root: u32| Address { root, column: WHOLE };
        Paths {
            layout,
            n_slots,
            n_names,
            classes,
            columns: FxHashMap::default(),
            parts: vec![root; n_roots],
            addresses: (0..n_roots as u32).map(address).collect(),
            ids: FxHashMap::default(),
            slots: vec![0; n_roots],
            row_at: vec![NO_ROW; n_roots],
            definitions: (0..n_definitions).map(|_| Trees::new(1)).collect(),
            rows: Rows::new(n_classes),
            predicate_ids: FxHashMap::default(),
            predicates: vec![],
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
        let Paths {
            slots,
            row_at,
            rows,
            classes,
            ..
        } = self;
        let (slots, row_at) = (&mut slots[first..], &mut row_at[first..]);
        for (((&slot, known), row), &class) in state.iter().zip(slots).zip(row_at).zip(&*classes) {
            if *known != slot {
                *known = slot;
                *row = rows.row(class, slot);
            }
        }
        self.slots[first + self.n_slots..first + self.n_names].fill(UNKNOWN);
    }

    /// Finds the rows of the present values again.
    fn find_rows(&mut self) {
        for root in 0..self.slots.len() {
            let class = self.classes[root % self.n_names];
            self.row_at[root] = self.rows.row(class, self.slots[root]);
        }
    }

    /// The name that a path begins at.
    pub fn root(&self, path: PathId) -> PathId {
        self.addresses[path as usize].root
    }

    /// The class of a name.
    pub fn class(&self, root: u32) -> Class {
        self.classes[root as usize % self.n_names]
    }

    /// A new question about the values of a class.
    pub fn add_column(&mut self, class: Class) -> u32 {
        let (column, is_moved) = self.rows.add_column(class);
        if is_moved {
            self.find_rows();
        }
        column
    }

    /// The row of a slot's present value.
    #[inline]
    pub fn row_of(&self, slot: u32) -> Row {
        self.row_at[slot as usize]
    }

    pub fn layout(&self) -> &Arc<Layout<'i>> {
        &self.layout
    }

    /// A variable of this state or of the next one.
    pub fn variable(&self, var: VarId, next: bool) -> PathId {
        self.part(NodeId::from(var), next)
    }

    fn part(&self, node: NodeId, next: bool) -> PathId {
        match self.layout.slot(node) {
            Some(slot) if next => self.n_names as PathId + slot,
            Some(slot) => slot,
            None if next => SPLIT | SPLIT_NEXT | node,
            None => SPLIT | node,
        }
    }

    /// The part that a path leads to when that has several slots, and whether it is in the next state.
    #[inline]
    fn split(path: PathId) -> Option<(NodeId, bool)> {
        (path & SPLIT != 0).then_some((path & !(SPLIT | SPLIT_NEXT), path & SPLIT_NEXT != 0))
    }

    /// The paths that one of them stands for: itself, or those of all slots.
    pub fn slots_of(&self, path: PathId) -> impl Iterator<Item = PathId> + use<'i> {
        let layout = self.layout.clone();
        let (n, first) = match Paths::split(path) {
            None => (1, path),
            Some((node, next)) => (
                layout.slots(node).len(),
                if next { self.n_names as PathId } else { 0 },
            ),
        };
        (0..n).map(move |i| match Paths::split(path) {
            None => path,
            Some((node, _)) => first + layout.slots(node)[i],
        })
    }

    /// Goes on to an element of something that is split; nothing when it has no such element.
    pub fn element(&self, around: PathId, key: Value<'_>) -> Option<PathId> {
        let (node, next) = Paths::split(around)?;
        Some(self.part(self.layout.child(node, key)?, next))
    }

    /// Goes on to the slot that an element of a set would be in.
    pub fn share(&self, around: PathId, element: Value<'_>) -> Option<PathId> {
        let (node, next) = Paths::split(around)?;
        Some(self.part(self.layout.share(node, element)?, next))
    }

    /// Whether a path leads to several slots.
    pub fn is_split(path: PathId) -> bool {
        Paths::split(path).is_some()
    }

    pub fn n_slots(&self) -> usize {
        self.n_slots
    }

    /// A definition in this state or the next one; nothing when it is new most of the time.
    pub fn definition_root(&self, definition: u16, next: bool) -> Option<PathId> {
        let first = if next { self.n_names } else { 0 };
        let is_on = self.definitions.get(definition as usize)?.is_on(0);
        is_on.then_some((first + self.n_slots + definition as usize) as PathId)
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
        let definition = root as usize % self.n_names - self.n_slots;
        self.definitions[definition].add(0, &here, slot);
        self.set_root(root as usize, slot);
        true
    }

    fn set_root(&mut self, root: usize, slot: Slot) {
        self.slots[root] = slot;
        self.row_at[root] = self.rows.row(self.class(root as u32), slot);
    }

    /// The value of a definition, by what it reads.
    #[cold]
    fn derive(&mut self, root: usize, interner: &Interner<'i>) -> Option<Slot> {
        let first = root / self.n_names * self.n_names;
        let definition = root - first - self.n_slots;
        // A definition does not depend on itself, so nobody asks for its tree meanwhile.
        let mut tree = std::mem::take(&mut self.definitions[definition]);
        let found = tree.find(0, |path| self.look_from(path, first, interner));
        self.definitions[definition] = tree;
        self.set_root(root, found?);
        found
    }

    /// The values of names in the present state; 0 for a definition whose value is not known.
    pub fn present(&self) -> &[Slot] {
        &self.slots[..self.n_names]
    }

    /// Finds the values of those names that are definitions.
    #[inline]
    pub fn derive_all(&mut self, names: &[PathId], interner: &Interner<'i>) {
        for &name in names {
            if self.slots[name as usize] == UNKNOWN {
                self.derive(name as usize, interner);
            }
        }
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
        let Address { root, column: outer } = self.addresses[around as usize];
        // A part of the next state has the column of the same part of this one.
        let question = (self.class(root), outer, step);
        let column = match self.columns.get(&question) {
            Some(&column) => column,
            None => {
                let column = self.add_column(question.0);
                self.columns.insert(question, column);
                column
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
                interner.slot_of(Value::bool(has))?
            }
            Step::Where(pushed_predicate) => {
                self.predicates[pushed_predicate as usize].keep(outer_slot, outer, interner, self.interned)?
            }
        };
        let Address { root, column } = self.addresses[index];
        let row = self.row_at[root as usize + first];
        self.rows.set(row, column, slot);
        Some(slot)
    }

    pub fn pushed_predicate(&mut self, test: ProcId, captured: Vec<Slot>) -> PredicateId {
        *self.predicate_ids.entry((test, captured)).or_insert_with(|| {
            self.predicates.push(PushedPredicate::default());
            self.predicates.len() as PredicateId - 1
        })
    }

    /// Whether an element passes, if that is known.
    pub fn passes(&self, pushed_predicate: PredicateId, element: Slot) -> Option<bool> {
        self.predicates[pushed_predicate as usize]
            .passes
            .get(&element)
            .copied()
    }

    pub fn set_passes(&mut self, pushed_predicate: PredicateId, element: Slot, passes: bool) {
        self.predicates[pushed_predicate as usize]
            .passes
            .insert(element, passes);
    }

    pub fn memory(&self) -> usize {
        let predicates = self
            .predicates
            .iter()
            .map(|it| it.kept.capacity() + it.passes.capacity());
        predicates.sum::<usize>() * 9
            + self.parts.capacity() * (size_of::<Part<'_>>() + 32)
            + self.rows.memory()
            + self.definitions.iter().map(Trees::memory).sum::<usize>()
    }
}

impl PushedPredicate {
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
