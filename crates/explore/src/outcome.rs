//! What a search found.

use crate::disk::DiskFailure;
use crate::graph::StateGraph;
use crate::model::Fault;
use crate::options::Limit;
use crate::space::StateSpace;

/// The end of a search.
#[derive(Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    /// In the order of the search, each about another property; the first has a shortest trace.
    pub violations: Vec<Violation>,
    /// Set when the search ended before it was exhaustive and not because of a violation.
    pub limit: Option<Limit>,
    /// With [`Limit::Disk`], what went wrong.
    pub failure: Option<DiskFailure>,
    pub stats: Stats,
    pub space: StateSpace,
    /// If it was asked for, and every state was expanded and nothing violated, or it decided the search: the graph, or why it could
    /// not be made. Of several processes, the first one has it.
    pub graph: Option<Result<StateGraph, Limit>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every reachable state was visited and nothing was violated.
    Holds,
    Violated,
    /// Nothing was violated before this limit.
    Unknown(Limit),
}

impl Verdict {
    /// The verdict of a search that found a violation or not, and that a limit ended or not.
    pub fn of(has_violations: bool, limit: Option<Limit>) -> Verdict {
        match limit {
            _ if has_violations => Verdict::Violated,
            Some(limit) => Verdict::Unknown(limit),
            None => Verdict::Holds,
        }
    }
}

/// Something that must not happen, and how it does.
#[derive(Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    /// From an initial state to the state that violates (its last step is the one that violates, for a property about
    /// steps). Empty only if the initial states could not be computed.
    pub trace: Vec<Step>,
    /// False when the model did not give the same successors again, so that `trace` has only its last state.
    pub is_complete: bool,
}

#[derive(Debug)]
pub enum ViolationKind {
    /// The property that the model gave this number.
    Property(u32),
    /// The last state of the trace has no successor.
    Deadlock,
    Fault {
        fault: Fault,
        at: FaultAt,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultAt {
    /// While computing the initial states.
    Initial,
    /// While inspecting the last state of the trace.
    Inspection,
    /// While computing the successors of the last state of the trace.
    Successors,
}

/// A state and the action that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub state: Vec<u32>,
    pub action: u32,
}

/// Counts, as of the end of the search. When it ended with a violation they are those of a search that takes one step
/// after the other and stops at the violating one, whatever the number of workers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Steps taken, those to known states and the initial states included.
    pub generated: u64,
    /// Different states inside the constraints.
    pub distinct: u64,
    /// Distinct initial states.
    pub initial: u64,
    /// Distinct states that were not expanded.
    pub queue: u64,
    /// States on the longest of the shortest paths to a state; zero without any state.
    pub depth: u32,
    /// By action number.
    pub actions: Vec<ActionCount>,
    /// Bytes held at the end by the search and the model; growth in steps makes it nearly the peak.
    pub memory: usize,
    /// Of these, the visited set with everything that is needed to rebuild traces.
    pub memory_visited: usize,
    /// Bytes in files at the end.
    pub disk: u64,
    /// The chance that the answer is wrong because two states had the same hash, if hashes are random; zero for the exact
    /// store.
    pub collision_probability: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionCount {
    /// Steps of this action.
    pub taken: u64,
    /// Distinct states first found by it.
    pub found: u64,
}
