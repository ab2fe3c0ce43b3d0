//! One file per command.

pub mod check;
pub mod eval;
pub mod gallery;
pub mod parse;
