//! A part of a temporal formula by itself: a predicate of states or of steps, with what its free names mean.
//!
//! Whoever takes a temporal formula apart ends with such parts. They are written down in terms of the resolved specification
//! alone, so that one evaluator can ask another one what it thinks of them. Values are those of whoever writes, `V`.

use crate::ir::{DefId, ExprId, InstanceId, LocalId};

/// A part without free names.
#[derive(Clone, Debug)]
pub struct ClosedPart<V> {
    pub part: Part,
    /// What its free names mean.
    pub names: Names<V>,
    /// It stands in the innermost of these modules as it was written, each instantiated by the one before.
    pub instances: Vec<InstanceId>,
}

#[derive(Clone, Copy, Debug)]
pub enum Part {
    Predicate(ExprId),
    /// `[A]_v`.
    Box {
        action: ExprId,
        subscript: ExprId,
    },
    /// `<<A>>_v`.
    Angle {
        action: ExprId,
        subscript: ExprId,
    },
    /// `ENABLED <<A>>_v`.
    Enabled {
        action: ExprId,
        subscript: ExprId,
    },
}

/// Each name once.
pub type Names<V> = Vec<(Name, NameMeaning<V>)>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name {
    Local(LocalId),
    /// A definition of a `LET`.
    Let(DefId),
}

#[derive(Clone, Debug)]
pub enum NameMeaning<V> {
    Value(V),
    /// An argument, with the names where it was written.
    Argument(ExprId, Names<V>),
    /// The definition itself, with the names that its body uses.
    Definition(Names<V>),
}
