//! The search from outside: against a textbook, at its limits, and by random walks.

mod graph;
mod grid;
mod limits;
mod reference;
mod walks;
