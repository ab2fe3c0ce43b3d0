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

mod assigned;
pub mod change;
mod dispatch;
pub mod instance;
pub(crate) mod parts;
pub mod path;
pub(crate) mod record;
mod rows;
pub(crate) mod steps;
pub mod tree;
mod ways;
mod worker;

pub(crate) use worker::Nowhere;

use value::{Arena, Interner, Slot, Trouble};

use std::sync::Arc;

use crate::code::ProcId;
use crate::layout::Layout;
use change::{ChangeId, Changes};
use dispatch::Dispatch;
use path::{PathId, Paths};
use tree::{LeafId, Trees};

/// What a step does to a slot; those that are not mentioned stay.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    Be(Slot),
    /// The answer to it is in this column of the rows of the slot's values.
    Change(ChangeId, u32),
}

/// One successor, for all states that look alike.
#[derive(Clone, Debug)]
pub struct Successor {
    pub action: ProcId,
    pub writes: Box<[(u32, Write)]>,
}

/// What a tree is about, and so what its leaves are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// An action instance: a leaf is its successors.
    Action,
    /// A conjunct of an invariant, a constraint or a label: a leaf is 0 or 1.
    Test,
    /// The same for a pair of states.
    Step,
    /// A state function: a leaf is the slot of its value.
    Function,
}

/// The tables of one worker.
pub struct Tables<'i> {
    pub paths: Paths<'i>,
    pub changes: Changes,
    pub dispatch: Dispatch,
    /// The same for tests of states.
    pub tests: Dispatch,
    /// By [`Sort`].
    trees: [Trees; 4],
    leaves: Vec<Box<[Successor]>>,
    /// What is added is made wrong: the last change of each step is left out.
    pub is_spoilt: bool,
}

/// The leaf of an evaluation without a successor: most of them.
const NO_SUCCESSOR: LeafId = 0;
/// The same, of one that [ends at once](dispatch): as the first group can tell, or the second.
const ENDS_AT_ONCE: LeafId = 1;
/// Above these are leaves with successors.
const N_ENDS: u32 = 3;
/// The leaf of a test that fails, of one that holds, and of one that holds at once, as the first group can tell or the second.
const FALSE: LeafId = 0;
const TRUE: LeafId = 1;
const TRUE_AT_ONCE: LeafId = 2;

/// How many formulas of each sort there are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    pub definitions: usize,
    pub actions: usize,
    pub tests: usize,
    /// Those among them that every new state is put to: the first ones.
    pub own_tests: usize,
    pub steps: usize,
    pub functions: usize,
}

/// Finds the formulas that are worth asking in the present state.
fn enter<'i>(dispatch: &mut Dispatch, paths: &mut Paths<'i>, interner: &Interner<'i>) {
    paths.derive_all(dispatch.names(), interner);
    dispatch.enter(paths.present());
}

impl<'i> Tables<'i> {
    pub fn new(sizes: Sizes, layout: Arc<Layout<'i>>, interned: &'i Arena) -> Tables<'i> {
        Tables {
            paths: Paths::new(layout, sizes.definitions, interned),
            changes: Changes::default(),
            dispatch: Dispatch::new(sizes.actions),
            tests: Dispatch::new(sizes.own_tests),
            trees: [sizes.actions, sizes.tests, sizes.steps, sizes.functions].map(Trees::new),
            leaves: vec![Box::default(); N_ENDS as usize],
            is_spoilt: false,
        }
    }

    /// Looks at a state that is to be tested.
    pub fn enter_tests(&mut self, state: &[Slot], interner: &Interner<'i>) {
        let Tables { paths, tests, .. } = self;
        paths.enter(state);
        enter(tests, paths, interner);
    }

    /// Looks at a state whose successors are wanted.
    pub fn enter(&mut self, state: &[Slot], interner: &Interner<'i>) {
        let Tables { paths, dispatch, .. } = self;
        paths.enter(state);
        enter(dispatch, paths, interner);
    }

    /// Adds what a formula read and what came of it.
    pub fn add(&mut self, sort: Sort, n: usize, reads: &[(PathId, Slot)], mut leaf: LeafId) {
        let Tables {
            paths,
            dispatch,
            tests,
            trees,
            ..
        } = self;
        let names = || reads.iter().map(|it| paths.root(it.0));
        let at_once = match (sort, leaf) {
            (Sort::Action, NO_SUCCESSOR) => dispatch.ends_at_once(n, names()).map(|it| ENDS_AT_ONCE + it),
            (Sort::Test, TRUE) => tests.ends_at_once(n, names()).map(|it| TRUE_AT_ONCE + it),
            _ => None,
        };
        leaf = at_once.unwrap_or(leaf);
        trees[sort as usize].add(n, reads, leaf);
    }

    /// Notes that a formula ends at once in the present state, as one of its groups can tell.
    pub fn learn(&mut self, sort: Sort, n: usize, which: u32, interner: &Interner<'i>) {
        let Tables {
            paths,
            dispatch,
            tests,
            ..
        } = self;
        let of = if sort == Sort::Action { dispatch } else { tests };
        paths.derive_all(of.names(), interner);
        of.learn(n, which, paths.present());
    }

    pub fn trees(&mut self, sort: Sort) -> &mut Trees {
        &mut self.trees[sort as usize]
    }

    /// What a formula gives in the present state, or for the present step, if that is known.
    #[inline]
    pub fn find(&mut self, sort: Sort, n: usize, interner: &Interner<'i>) -> Option<LeafId> {
        let Tables { paths, trees, .. } = self;
        trees[sort as usize].find(n, |path| paths.look(path, interner))
    }

    /// The value of a state function in the next state, if that is known.
    #[inline]
    pub fn find_next(&mut self, function: usize, interner: &Interner<'i>) -> Option<Slot> {
        let Tables { paths, trees, .. } = self;
        trees[Sort::Function as usize].find(function, |path| paths.look_next(path, interner))
    }

    pub fn add_leaf(&mut self, successors: &[Successor]) -> LeafId {
        if successors.is_empty() {
            return NO_SUCCESSOR;
        }
        let mut successors: Box<[Successor]> = successors.into();
        if self.is_spoilt {
            for it in &mut successors {
                it.writes = it.writes.split_last().map_or(&[][..], |it| it.1).into();
            }
        }
        self.leaves.push(successors);
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
    ) -> Result<ProcId, Trouble> {
        let Tables {
            leaves,
            changes,
            paths,
            ..
        } = self;
        let successor = &leaves[leaf as usize][n];
        into.clear();
        into.extend_from_slice(state);
        for &(at, write) in &successor.writes {
            let slot = &mut into[at as usize];
            *slot = match write {
                Write::Be(slot) => slot,
                Write::Change(change, column) => {
                    let row = paths.row_of(at);
                    match paths.rows.get(row, column) {
                        Some(made) => made,
                        None => {
                            let made = changes.apply(change, *slot, interner, interned, scratch)?;
                            paths.rows.set(row, column, made);
                            made
                        }
                    }
                }
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
            + self.dispatch.memory()
            + self.tests.memory()
            + self.trees.iter().map(Trees::memory).sum::<usize>()
            + self.leaves.len() * LEAF
    }
}
