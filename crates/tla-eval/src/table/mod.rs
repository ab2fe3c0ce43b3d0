//! Transition tables: evaluate a formula once for each combination of the parts of a state that it reads.
//!
//! A step of a protocol looks at one process and two messages and changes one or two parts; the state space has a
//! million states because of everything that the step does not look at. So each [action instance](instance) and each conjunct of an
//! invariant has a [decision tree](tree) over the [paths](path) that its evaluation really [read](record); a leaf holds the
//! [changes](change) of each successor, in order and with repetitions, so that the counts are those of the evaluator. What is not in the
//! tree is evaluated and added.
//!
//! A formula whose reads are new most of the time (a puzzle in one variable) is given up after some thousand questions, and
//! evaluated without a record from then on. Errors and effects are never recorded. Tables belong to one worker: nothing is
//! shared and nothing is locked.

pub mod change;
pub mod instance;
pub mod path;
pub(crate) mod record;
pub mod tree;
mod worker;

use value::{Arena, Interner, Slot, Trouble};

use crate::code::VarId;
use change::{ChangeId, Changes};
use path::Paths;
use tree::{LeafId, Trees};

/// What a step does to a variable; those that are not mentioned stay.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    Be(Slot),
    Change(ChangeId),
}

/// One successor, for all states that look alike.
#[derive(Clone, Debug)]
pub struct Successor {
    pub action: u32,
    pub writes: Box<[(VarId, Write)]>,
}

/// The tables of one worker.
pub struct Tables<'i> {
    pub paths: Paths<'i>,
    pub changes: Changes,
    /// By instance.
    pub actions: Trees,
    /// By test: invariants, conjunct by conjunct, and constraints.
    pub tests: Trees,
    leaves: Vec<Box<[Successor]>>,
}

/// The leaf of an evaluation without a successor: most of them.
const NO_SUCCESSOR: LeafId = 0;

impl<'i> Tables<'i> {
    pub fn new(n_variables: usize, n_actions: usize, n_tests: usize, interned: &'i Arena) -> Tables<'i> {
        Tables {
            paths: Paths::new(n_variables, interned),
            changes: Changes::default(),
            actions: Trees::new(n_actions),
            tests: Trees::new(n_tests),
            leaves: vec![Box::default()],
        }
    }

    /// What the action does in this state, if that is known.
    #[inline]
    pub fn find_action(&mut self, action: usize, state: &[Slot], interner: &Interner<'i>) -> Option<LeafId> {
        let Tables { paths, actions, .. } = self;
        actions.find(action, |path| paths.look(path, state, interner))
    }

    /// What the test says of this state, if that is known.
    #[inline]
    pub fn find_test(&mut self, test: usize, state: &[Slot], interner: &Interner<'i>) -> Option<bool> {
        let Tables { paths, tests, .. } = self;
        let leaf = tests.find(test, |path| paths.look(path, state, interner))?;
        Some(leaf == 1)
    }

    pub fn add_leaf(&mut self, successors: &[Successor]) -> LeafId {
        if successors.is_empty() {
            return NO_SUCCESSOR;
        }
        self.leaves.push(successors.into());
        self.leaves.len() as LeafId - 1
    }

    pub fn n_successors(&self, leaf: LeafId) -> usize {
        self.leaves[leaf as usize].len()
    }

    /// The state that a successor of a leaf makes of `state`, and its action.
    #[inline]
    pub fn successor(
        &mut self,
        (leaf, n): (LeafId, usize),
        state: &[Slot],
        (interner, interned, scratch): (&Interner<'i>, &'i Arena, &Arena),
        into: &mut Vec<Slot>,
    ) -> Result<u32, Trouble> {
        let Tables { leaves, changes, .. } = self;
        let successor = &leaves[leaf as usize][n];
        into.clear();
        into.extend_from_slice(state);
        for &(var, write) in &successor.writes {
            let slot = &mut into[var as usize];
            *slot = match write {
                Write::Be(slot) => slot,
                Write::Change(change) => changes.apply(change, *slot, interner, interned, scratch)?,
            };
        }
        Ok(successor.action)
    }

    /// Bytes, nearly.
    pub fn memory(&self) -> usize {
        /// A leaf with one successor that writes two variables.
        const LEAF: usize = 80;
        self.paths.memory()
            + self.changes.memory()
            + self.actions.memory()
            + self.tests.memory()
            + self.leaves.len() * LEAF
    }
}
