//! Atoms, tuples as single numbers, and sets of tuples.
//!
//! A tuple of a universe with n atoms is a number in base n, its first atom the most significant digit. Sets of tuples
//! are sorted lists of such numbers: union, product and search are merges and shifts, with no allocation per tuple.

use std::collections::BTreeMap;

/// An atom of a [`Universe`], by position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Atom(pub u32);

impl Atom {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tuple as a number in base `universe.len()`.
pub type TupleIndex = u64;

#[derive(Clone, Default, Debug)]
pub struct Universe {
    names: Vec<String>,
    /// The atoms that stand for integers. Invariant: a bijection.
    ints: BTreeMap<i64, Atom>,
}

impl Universe {
    pub fn new() -> Universe {
        Universe::default()
    }

    pub fn add(&mut self, name: impl Into<String>) -> Atom {
        self.names.push(name.into());
        Atom(self.names.len() as u32 - 1)
    }

    /// Adds the atom that stands for an integer.
    pub fn add_int(&mut self, value: i64) -> Atom {
        let atom = self.add(value.to_string());
        let before = self.ints.insert(value, atom);
        debug_assert!(before.is_none(), "one atom for each integer");
        atom
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn name(&self, atom: Atom) -> &str {
        &self.names[atom.index()]
    }

    pub fn atoms(&self) -> impl ExactSizeIterator<Item = Atom> + use<> {
        (0..self.names.len() as u32).map(Atom)
    }

    pub fn ints(&self) -> impl ExactSizeIterator<Item = (i64, Atom)> {
        self.ints.iter().map(|(&value, &atom)| (value, atom))
    }

    pub fn int_atom(&self, value: i64) -> Option<Atom> {
        self.ints.get(&value).copied()
    }

    /// How many tuples of this arity there are, if 64 bits can number them.
    pub fn n_tuples(&self, arity: usize) -> Option<u64> {
        (self.len() as u64).checked_pow(u32::try_from(arity).ok()?)
    }

    pub fn encode(&self, tuple: &[Atom]) -> TupleIndex {
        tuple
            .iter()
            .fold(0, |index, atom| index * self.len() as u64 + u64::from(atom.0))
    }

    pub fn decode(&self, mut index: TupleIndex, arity: usize) -> Vec<Atom> {
        let base = self.len() as u64;
        let mut tuple = vec![Atom(0); arity];
        for place in tuple.iter_mut().rev() {
            *place = Atom((index % base) as u32);
            index /= base;
        }
        tuple
    }
}

/// A set of tuples of one arity. Invariant: sorted, no tuple twice.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleSet {
    arity: usize,
    tuples: Vec<TupleIndex>,
}

impl TupleSet {
    pub fn empty(arity: usize) -> TupleSet {
        TupleSet {
            arity,
            tuples: vec![],
        }
    }

    pub fn from_indices(arity: usize, mut tuples: Vec<TupleIndex>) -> TupleSet {
        tuples.sort_unstable();
        tuples.dedup();
        TupleSet { arity, tuples }
    }

    pub fn of_atoms(atoms: impl IntoIterator<Item = Atom>) -> TupleSet {
        TupleSet::from_indices(1, atoms.into_iter().map(|atom| u64::from(atom.0)).collect())
    }

    pub fn arity(&self) -> usize {
        self.arity
    }

    pub fn len(&self) -> usize {
        self.tuples.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tuples.is_empty()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = TupleIndex> {
        self.tuples.iter().copied()
    }

    pub fn contains(&self, tuple: TupleIndex) -> bool {
        self.tuples.binary_search(&tuple).is_ok()
    }

    pub fn is_subset(&self, other: &TupleSet) -> bool {
        self.iter().all(|tuple| other.contains(tuple))
    }

    /// The atoms of a unary set.
    pub fn atoms(&self) -> impl ExactSizeIterator<Item = Atom> {
        debug_assert_eq!(self.arity, 1);
        self.tuples.iter().map(|&tuple| Atom(tuple as u32))
    }

    pub fn union(&self, other: &TupleSet) -> TupleSet {
        debug_assert_eq!(self.arity, other.arity);
        TupleSet::from_indices(self.arity, self.iter().chain(other.iter()).collect())
    }

    pub fn intersection(&self, other: &TupleSet) -> TupleSet {
        TupleSet {
            arity: self.arity,
            tuples: self.iter().filter(|&tuple| other.contains(tuple)).collect(),
        }
    }

    pub fn difference(&self, other: &TupleSet) -> TupleSet {
        TupleSet {
            arity: self.arity,
            tuples: self.iter().filter(|&tuple| !other.contains(tuple)).collect(),
        }
    }

    /// The product, unless it has more than `len_max` tuples or 64 bits cannot number them.
    pub fn product(&self, other: &TupleSet, universe: &Universe, len_max: usize) -> Option<TupleSet> {
        let arity = self.arity + other.arity;
        universe.n_tuples(arity)?;
        if self.len().checked_mul(other.len())? > len_max {
            return None;
        }
        let shift = universe.n_tuples(other.arity)?;
        let tuples = self
            .iter()
            .flat_map(|left| other.iter().map(move |right| left * shift + right))
            .collect();
        Some(TupleSet { arity, tuples })
    }
}
