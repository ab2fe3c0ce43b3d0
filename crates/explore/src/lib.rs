//! Explicit-state search over a [`Model`].
//!
//! A language implements [`Model`]: initial states, successors, and what to say about one state. This crate searches
//! it: breadth-first with any number of workers and one answer ([`check`]), or by random walks ([`simulate`]). It has
//! never heard of TLA+, reads no clock and does no IO.

mod model;

pub use model::{Fault, Inspection, Model, Sink};
