//! Explicit-state search over a [`Model`].
//!
//! A language implements [`Model`]: initial states, successors, and what to say about one state. This crate searches
//! it: breadth-first with any number of workers and one answer ([`check`]), or by random walks ([`simulate`]). It has
//! never heard of TLA+, reads no clock and does no IO.
//!
//! In reading order: `order` (the protocol of a search, which the threads of a process and the processes of a cluster carry out),
//! `model`, `options` and `outcome` (what comes in and out), `chunk`, `generate` and `deduplicate` (the way of a batch), `check` and
//! `pool` (the search by threads), `ledger` and `counts` (what is found), `set`, `tree` and `visited` (states that are known),
//! `frontier`, `space` and `graph` (states and steps in the order of the search), `disk`, `journal`, `runs` and `spill` (files),
//! `checkpoint`, `resume` and `renumber` (going on), `portable` and `gathered` (other engines), `simulate` (random walks), `statistics` (what they say together) and `shrink`
//! (a shorter way to what a walk found).

mod barrier;
mod budget;
mod check;
mod checkpoint;
mod chunk;
mod codec;
mod counts;
mod deduplicate;
mod disk;
mod frontier;
mod gathered;
mod generate;
mod graph;
mod journal;
mod ledger;
mod model;
mod options;
mod order;
mod outcome;
mod pool;
mod portable;
mod random;
mod renumber;
mod resume;
mod runs;
mod set;
mod shrink;
mod simulate;
mod space;
mod spill;
mod statistics;
mod tree;
mod visited;

pub use check::check;
pub use checkpoint::{Checkpoint, remove_others};
pub use counts::{action_counts, add_counts, bump, count_initial, count_steps};
pub use disk::{Disk, DiskFailure, DiskFailureKind, DiskFile, Folder, Output, Piece, checksum};
pub use gathered::Gathered;
pub use graph::{Directory, EdgeBlock, EdgeLog, GraphFailure, StateGraph};
pub use model::{Fault, Inspection, Model, Sink, Translation};
pub use options::{Checkpoints, Halfway, Limit, Limits, Looks, Observer, Options, Progress, Store};
pub use order::{Event, EventKind, Position, StateId, Stop, inspect, judge};
pub use outcome::{ActionCount, FaultAt, Outcome, Stats, Step, Verdict, Violation, ViolationKind};
pub use portable::{Engine, Here, Portable};
pub use random::Random;
pub use shrink::shrink;
pub use simulate::{Simulation, Walk, WalkEnd, WalkOptions, Walks, simulate, uniform_walk, walk};
pub use space::StateSpace;
pub use statistics::{Sample, Statistics, WalkNotes, confidence};
pub use visited::Visited;
