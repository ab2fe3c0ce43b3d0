//! What to ask of a search, and who watches it.

use std::time::Duration;

use crate::checkpoint::Checkpoint;
use crate::disk::Disk;
use crate::graph::StateGraph;

/// How to search.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Threads to use; zero is taken as one. Nothing but time depends on it.
    pub workers: usize,
    pub store: Store,
    /// Whether a state without successors is a violation.
    pub deadlock: bool,
    /// Stop after this many violations of different properties; zero is taken as one.
    pub violations_max: usize,
    /// Whether to record the graph of all states, for [`Outcome::graph`](crate::Outcome::graph).
    pub graph: bool,
    /// Who looks at the graph before it is complete. A state space may have no end, and yet decide what is asked about it.
    pub halfway: Option<&'a dyn Halfway>,
    pub limits: Limits,
    /// Where files go: needed by [`Store::Disk`] and by checkpoints.
    pub disk: Option<&'a dyn Disk>,
    pub checkpoints: Option<Checkpoints<'a>>,
    /// With [`Store::Disk`], states to keep in memory at most. For tests, whose state spaces would fit into any memory.
    pub spill_after: Option<usize>,
    pub observer: &'a dyn Observer,
}

/// When to write down where the search is, and whether to begin at such a place.
#[derive(Clone, Copy)]
pub struct Checkpoints<'a> {
    /// Time between two of them, by the observer's clock. Where a limit ends the search there is one more.
    pub every: Duration,
    /// The caller's own words, to be found in [`Checkpoint::note`](crate::Checkpoint::note).
    pub note: &'a [u8],
    /// Go on from here. The model must be the same, and so must `store`.
    pub resume: Option<&'a Checkpoint>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            workers: 1,
            store: Store::Exact,
            deadlock: true,
            violations_max: 1,
            graph: false,
            halfway: None,
            limits: Limits::default(),
            disk: None,
            checkpoints: None,
            spill_after: None,
            observer: &(),
        }
    }
}

/// How visited states are remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// Equal means equal.
    #[default]
    Exact,
    /// Only the 64-bit hash of a state is kept: two states with one hash are taken for one, with the probability
    /// [`Stats::collision_probability`](crate::Stats::collision_probability). Saves what shared parts of states take.
    Fingerprint,
    /// As `Fingerprint`, and what does not fit into the memory limit goes to [`Options::disk`]: visited states, the queue,
    /// predecessors. What the model itself holds stays in memory.
    Disk,
}

impl Store {
    /// Whether only hashes are kept.
    #[inline]
    pub(crate) fn is_hashed(self) -> bool {
        !matches!(self, Store::Exact)
    }
}

/// Where to give up. At a limit the verdict is unknown, with the counts so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Bytes, of the search and of the model together.
    pub memory: Option<usize>,
    /// Distinct states. A search that needs exactly this many ends with an answer.
    pub states: Option<u64>,
    /// States at this depth are found and inspected, but not expanded.
    pub depth: Option<u32>,
    /// Measured by [`Observer::elapsed`].
    pub time: Option<Duration>,
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Memory,
    States,
    Depth,
    Time,
    Cancelled,
    /// The disk is full, or nearly, or it fails; [`Outcome::failure`](crate::Outcome::failure) says how.
    Disk,
    /// A process that took part in the search is gone.
    Processes,
    /// [`Halfway`] has seen enough.
    Decided,
}

/// Looks at the graph of the states that were expanded so far, now and then at the end of a level.
pub trait Halfway: Sync {
    /// Whether the search can end: more states would not change the answer. Every state of the graph has all of its labels; its
    /// steps to states that were not expanded are missing.
    fn is_decided(&self, graph: &StateGraph) -> bool;
}

/// When somebody looks at the graph before it is complete: at the end of a level, which is the same place however the work is
/// divided, and when the graph has grown enough since the last time that all of these looks together take less time than the
/// one at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    /// States that are expanded when it is time for the next one.
    pub at: u64,
}

impl Default for Looks {
    fn default() -> Looks {
        Looks { at: 64 }
    }
}

impl Looks {
    /// Whether to look now, with so many states expanded; if so, the next time is put off.
    pub fn is_time(&mut self, expanded: u64) -> bool {
        let is_time = expanded >= self.at;
        if is_time {
            self.at = expanded * 4;
        }
        is_time
    }
}

/// The world outside, as far as a search needs it: this crate reads no clock and prints nothing.
///
/// `elapsed` and `cancelled` are called from all workers, often; they should be cheap.
pub trait Observer: Sync {
    /// Time since the search began. Also used to decide how much work to hand out at once, which changes no result. An
    /// observer without a clock always says zero.
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether to give up.
    fn cancelled(&self) -> bool {
        false
    }

    /// Called between batches, on the thread that called the search.
    fn progress(&self, _progress: &Progress) {}
}

/// Nobody watches.
impl Observer for () {}

/// A moment of a running search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub generated: u64,
    pub distinct: u64,
    /// Distinct states not yet expanded.
    pub queue: u64,
    pub depth: u32,
    /// Bytes held by the search and the model.
    pub memory: usize,
    /// Random walks that are done, where walks are taken.
    pub walks: u64,
}

impl Options<'_> {
    /// Whether someone or something wants the search to end now.
    pub(crate) fn interruption(&self) -> Option<Limit> {
        if self.observer.cancelled() {
            return Some(Limit::Cancelled);
        }
        let time_max = self.limits.time?;
        (self.observer.elapsed() >= time_max).then_some(Limit::Time)
    }
}
