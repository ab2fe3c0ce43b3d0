//! A search by several processes, on one machine or on many, as a timely dataflow.
//!
//! Every worker owns the states whose content hash falls into its part of the range, and the answer is that of one machine:
//! verdict, counts, depth, and the first violation with its shortest trace, whatever the number of processes. In
//! reading order: `dataflow` (the loop), `worker` and `partition` (what one worker does in it), `expand`, `deduplicate` and
//! `rank` (its parts), `decide` (what all of them decide together), `gather` (the graph of states),
//! `batch` (states on the wire), `event`, `summary` and `lineage` (order, what is told, ways back); `log`, `record` and
//! `recover` are checkpoints; `join`, `link` and `children` are processes and connections; `engine` puts it together and `tell`
//! says what came out. The order of a search and what its events mean are `explore::Position` and `explore::judge`, as for
//! threads of one process.
//!
//! States are compared exactly, not by fingerprints. It has never heard of TLA+, and prints nothing.

mod batch;
mod bytes;
mod children;
mod dataflow;
mod decide;
mod deduplicate;
mod engine;
mod event;
mod expand;
mod gather;
mod join;
mod lineage;
mod link;
mod log;
mod pace;
mod parcel;
mod partition;
mod rank;
mod record;
mod recover;
mod summary;
mod tell;
mod worker;

pub use children::Invitation;
pub use engine::{Cluster, Config, Role, Traffic};
pub use join::read_hosts;
pub use link::Failure;
