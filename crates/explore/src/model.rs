//! The meeting point of a language and the search: what a step is, not how to search.
//!
//! The one idea: a state is a short vector of *slots*, each the number of an interned value. The search copies,
//! compares and stores such vectors and never looks into them. Equal states have equal vectors within one run; the
//! numbers themselves may differ from run to run (interning is a race between workers), so nothing that a person can
//! see depends on them.
//!
//! What *is* visible - numbering, counts, depth, the first violation and its trace - depends only on the order in which
//! the model emits. That order is the model's promise; see [`Model::successors`].

use std::any::Any;
use std::ops::ControlFlow;

use crate::outcome::Step;
use crate::random::Random;
use crate::simulate::{Walk, WalkOptions, uniform_walk};

/// A transition system with properties, as the search sees it.
///
/// All methods are called from several threads at once, each thread with its own [`Model::Worker`].
pub trait Model: Sync + Sized {
    /// What one thread needs to evaluate: arenas, caches, scratch space. It is made, used and dropped inside that
    /// thread and need not be `Send`.
    type Worker<'m>
    where
        Self: 'm;

    /// A worker for the thread with this index. The search may make one worker more than it has threads.
    fn worker(&self, index: usize) -> Self::Worker<'_>;

    /// The length of every state. Zero is allowed.
    fn n_slots(&self) -> usize;

    /// Emits every initial state.
    fn initial(&self, worker: &mut Self::Worker<'_>, sink: &mut dyn Sink) -> Result<(), Fault>;

    /// Emits every successor of `state`, which stands at `depth` (an initial state stands at depth 1).
    ///
    /// The promise: within one run, and whatever other threads do, the same state gives the same successors in the same
    /// order; across runs, the same up to the numbering of values. Never enumerate in the order of interned numbers.
    /// Numbering, the first violation and traces are made from this order, and a trace is rebuilt by asking again.
    fn successors(
        &self,
        worker: &mut Self::Worker<'_>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault>;

    /// What is to be said about a state by itself. Called once for each new state, `depth` being its own.
    fn inspect(&self, worker: &mut Self::Worker<'_>, state: &[u32], depth: u32) -> Result<Inspection, Fault>;

    /// Takes one random walk from an initial state, which is inspected already. What is chosen depends on `random` alone.
    fn walk(
        &self,
        worker: &mut Self::Worker<'_>,
        start: Step,
        random: &mut Random,
        how: &WalkOptions<'_>,
    ) -> Walk {
        uniform_walk(self, worker, start, random, how)
    }

    /// Whether asking for the same successors again changes nothing and gives the same: no chance decides, nothing is printed or stored.
    fn is_repeatable(&self) -> bool {
        true
    }

    /// Called when the worker with this index takes no more walks.
    fn end_walks(&self, _worker: &mut Self::Worker<'_>, _index: usize) {}

    /// Bytes that the model holds on behalf of this search (interned values, tables, caches), for the memory limit.
    fn memory(&self) -> usize {
        0
    }

    /// Appends to `bytes` what another process needs to know the slots of this one: as much as came since the last call with
    /// the same `noted`, which is empty at first and the model's own. Called while no worker is inside the model. A model
    /// whose slots mean the same in every process has nothing to say.
    fn write_values(&self, _noted: &mut Vec<usize>, _bytes: &mut Vec<u8>) {}

    /// The reverse: reads all that was exported by another process, and gives what its slots are here. `None` if the bytes
    /// make no sense.
    fn read_values(&self, _worker: &mut Self::Worker<'_>, _bytes: &[u8]) -> Option<Box<Translation>> {
        Some(Box::new(Some))
    }

    /// Called between batches on the thread that searches, while no worker is inside the model: the moment to grow or
    /// tidy what workers share. Batches last from microseconds to some milliseconds; most calls have nothing to do.
    fn pause(&self) {}
}

/// From the slot of another process to the slot with the same value here, if there is such a slot.
pub type Translation = dyn Fn(u32) -> Option<u32>;

/// Where a model puts what it generates, one call for each step.
///
/// A step that satisfies every action constraint is [emitted](Sink::emit); one that does not is
/// [excluded](Sink::exclude). If it violates a property about steps, [`Sink::violation`] follows *after* that call.
///
/// When a call returns [`ControlFlow::Break`] the search wants no more (a limit, or someone gave up): return `Ok(())` soon.
pub trait Sink {
    /// Whether `hash` and the hash inside `key` are looked at. When this is false (the exact store), pass zeros: there
    /// the search does its own hashing of slots, and no result depends on it.
    fn needs_hash(&self) -> bool;

    /// One generated state, known or new; every one counts as generated.
    ///
    /// - `hash`: 64 bits made from the content of the state, the same in every run; equal states have equal hashes.
    /// - `key`: what stands for the state in the visited set, with its hash, where identity differs from the state
    ///   itself (a view, a canonical representative). Either every call of a run gives one, all of the same length, or none does.
    ///   The state kept for a key is the first one found with it.
    /// - `action`: a small number for the counts by action.
    fn emit(&mut self, state: &[u32], hash: u64, key: Option<(&[u32], u64)>, action: u32) -> ControlFlow<()>;

    /// A step that an action constraint rules out. It counts as generated and keeps its source from being a deadlock, but
    /// it leads nowhere. State properties hold for its target too: the model checks them itself and calls [`Sink::violation`].
    fn exclude(&mut self, action: u32) -> ControlFlow<()>;

    /// The step to `state`, just emitted or excluded, violates `property`. Also on steps to known states.
    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()>;

    /// Whether the graph is recorded: then every emitted step and every expanded state gets its labels.
    fn wants_labels(&self) -> bool {
        false
    }

    /// Bits for the step just emitted, as many words each time.
    fn label_step(&mut self, _marks: &[u64]) {}

    /// Bits for the state that is being expanded, once, as many words each time.
    fn label_state(&mut self, _marks: &[u64]) {}
}

/// The answer about one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// False for a state outside the state constraints: its properties count, but it is neither counted as distinct nor
    /// expanded. A state that was once outside is taken to stay outside.
    pub expand: bool,
    /// The first property, in the model's order, that the state violates.
    pub violated: Option<u32>,
}

impl Inspection {
    /// Nothing to say: go on from here.
    pub const FINE: Inspection = Inspection {
        expand: true,
        violated: None,
    };
}

/// An evaluation went wrong; what, is between the model and whoever started the search.
///
/// The search stops at the first one in its order and reports the trace to the state that was expanded or inspected.
pub struct Fault(pub Box<dyn Any + Send>);

impl Fault {
    pub fn new(what: impl Any + Send) -> Fault {
        Fault(Box::new(what))
    }
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Fault")
    }
}
