//! The search from outside: against a textbook, at its limits, and by random walks.

mod disk;
mod graph;
mod grid;
mod initial;
mod limits;
mod reference;
mod walks;
