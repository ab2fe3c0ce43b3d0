//! What names mean and which states they speak of.
//!
//! An environment is a list that is never changed, only extended, so that a branch of a search cannot disturb another one. The
//! same holds of a [`View`]. What has been computed is kept beside the name ([`Memo`]), with what it read: a value that was made of
//! the current state alone is good for every step from it.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use tla_sema::ir::*;
use util::{FxHashMap, deep};

use crate::{Table, Value};

/// What names mean: a list, the innermost first.
#[derive(Clone, Default)]
pub(crate) struct Env(pub Option<Rc<Node>>);

pub(crate) struct Node {
    pub entry: Entry,
    outer: Env,
}

pub(crate) enum Entry {
    Local(LocalId, Binding),
    /// The definitions of a `LET`, which see each other, with the values that they have had.
    Lets(Box<[DefId]>, RefCell<FxHashMap<DefId, Memo>>),
}

#[derive(Clone)]
pub(crate) enum Binding {
    Value(Value),
    Thunk(Rc<Thunk>),
    Operator(Rc<Closure>),
}

/// An argument: evaluated where it is used, primed if it was primed there or here.
pub(crate) struct Thunk {
    pub expr: ExprId,
    pub env: Env,
    /// It was, and when.
    pub primed: bool,
    pub turn: u32,
    pub memo: RefCell<Option<Memo>>,
}

pub(crate) enum Closure {
    Def(DefId, Env),
    Builtin(Builtin),
    Table(Rc<Table>),
    Lambda(Box<[LocalId]>, ExprId, Env),
}

impl Drop for Env {
    fn drop(&mut self) {
        // A long list must not be dropped on a short stack.
        if let Some(node) = self.0.take() {
            deep(|| drop(node));
        }
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Env")
    }
}

impl Env {
    fn with(&self, entry: Entry) -> Env {
        Env(Some(Rc::new(Node {
            entry,
            outer: self.clone(),
        })))
    }

    pub fn bind(&self, local: LocalId, binding: Binding) -> Env {
        self.with(Entry::Local(local, binding))
    }

    pub fn lets(&self, defs: &[DefId]) -> Env {
        self.with(Entry::Lets(defs.into(), RefCell::default()))
    }

    pub fn find(&self, wanted: LocalId) -> Option<&Binding> {
        let mut env = self;
        while let Some(node) = &env.0 {
            match &node.entry {
                Entry::Local(local, binding) if *local == wanted => return Some(binding),
                _ => env = &node.outer,
            }
        }
        None
    }

    /// The environment that a `LET` definition was made in, which has it as its first entry.
    pub fn find_let(&self, wanted: DefId) -> Option<&Env> {
        let mut env = self;
        while let Some(node) = &env.0 {
            match &node.entry {
                Entry::Lets(defs, _) if defs.contains(&wanted) => return Some(env),
                _ => env = &node.outer,
            }
        }
        None
    }
}

/// Which states an expression speaks of.
#[derive(Clone, Copy, Default)]
pub(crate) struct View<'v> {
    pub state: Option<&'v [Value]>,
    pub next: Option<&'v [Option<Value>]>,
    /// Names mean their next values.
    pub primed: bool,
    /// How often what was the next state has become the present one: by `ENABLED` under a prime.
    pub turn: u32,
    /// `TRUE \/ e` holds and `FALSE /\ e` does not, wherever they stand, even when `e` has no value: for a pair of states that
    /// one disjunct of an action allows, another one need not make sense.
    pub lenient: bool,
    /// States on the way to `state`, itself included.
    pub level: u32,
    /// Two views with the same number have the same state; and the same next values, with the same second number.
    pub moment: u64,
    pub step: u64,
}

impl Thunk {
    /// Whether it speaks of the next state of a view. What was passed under a prime speaks of the present one where that was the next one.
    pub fn is_primed(&self, view: View<'_>) -> bool {
        view.primed || self.primed && self.turn == view.turn
    }
}

/// What an evaluation has read: the bits of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Reads(pub u8);

impl Reads {
    pub const STATE: Reads = Reads(1);
    pub const NEXT: Reads = Reads(2);
    /// Registers, or how far the search is.
    pub const RUN: Reads = Reads(4);

    pub fn and(self, other: Reads) -> Reads {
        Reads(self.0 | other.0)
    }

    pub fn has(self, other: Reads) -> bool {
        self.0 & other.0 != 0
    }
}

/// A value, with what it was computed of.
pub(crate) struct Memo {
    pub value: Value,
    pub reads: Reads,
    primed: bool,
    moment: u64,
    step: u64,
}

impl Memo {
    pub fn new(value: Value, reads: Reads, view: View<'_>) -> Memo {
        Memo {
            value,
            reads,
            primed: view.primed,
            moment: view.moment,
            step: view.step,
        }
    }

    /// Whether evaluating again in this view would read the same.
    pub fn is_good(&self, view: View<'_>) -> bool {
        !self.reads.has(Reads::RUN)
            && (self.reads == Reads::default() || self.primed == view.primed)
            && (!self.reads.has(Reads::STATE) || self.moment == view.moment)
            && (!self.reads.has(Reads::NEXT) || self.step == view.step)
    }
}
