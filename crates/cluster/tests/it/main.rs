//! Searches by several processes against searches by one.

mod checkpoints;
mod graph;
mod outcomes;
