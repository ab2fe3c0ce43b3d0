//! Instances of relational models: atoms, sets and relations over them, in each state.

use crate::Behaviour;

/// The place of an atom in [`Instance::atoms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(pub u32);

pub type Tuple = Box<[AtomId]>;

/// Atoms, what is declared, and the value of each relation in each state.
///
/// Invariant: every state has one set of tuples for each of `relations`, in the same order; tuples are sorted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    pub atoms: Vec<Atom>,
    pub sigs: Vec<Sig>,
    pub relations: Vec<Relation>,
    pub states: Behaviour<Vec<Vec<Tuple>>>,
    /// Integers have this many bits.
    pub bit_width: u32,
    /// Sequences have at most this many elements.
    pub max_seq: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// `Board$0`, `-3`, `"text"`.
    pub name: String,
    /// The most specific sig that it belongs to (in the first state in which it is in any), as an index of
    /// [`Instance::sigs`].
    pub sig: Option<usize>,
}

/// A declared set of atoms. Its value is the relation of kind [`RelationKind::Sig`] with its index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sig {
    /// `this/Board`, `ordering/Ord`, `Int`.
    pub label: String,
    pub origin: SigOrigin,
    pub is_abstract: bool,
    pub is_one: bool,
    pub is_lone: bool,
    pub is_some: bool,
    pub is_private: bool,
    pub is_meta: bool,
    pub is_enum: bool,
    pub is_var: bool,
}

/// Parents are indices of [`Instance::sigs`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SigOrigin {
    Builtin { parent: Option<usize> },
    Top,
    Extends(usize),
    Subset { parents: Vec<usize>, is_exact: bool },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// `Board`, `cells`, `$show_b`.
    pub name: String,
    pub kind: RelationKind,
    pub arity: usize,
    /// The types of the columns: each product is a list of indices of [`Instance::sigs`].
    pub types: Vec<Vec<usize>>,
    pub is_var: bool,
    pub is_private: bool,
    pub is_meta: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RelationKind {
    /// The value of a sig, by its index.
    Sig(usize),
    /// A field of a sig.
    Field(usize),
    /// The witness of an existential quantifier.
    Skolem,
}

impl Instance {
    /// The tuples of a relation in a state.
    pub fn tuples(&self, relation: usize, state: usize) -> &[Tuple] {
        &self.states.states[state][relation]
    }

    pub fn name(&self, atom: AtomId) -> &str {
        &self.atoms[atom.0 as usize].name
    }

    /// The relation with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.relations.iter().position(|it| it.name == name)
    }
}
