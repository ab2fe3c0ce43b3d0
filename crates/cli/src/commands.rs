//! One file per command.

pub mod check;
mod check_alloy;
pub mod eval;
pub mod gallery;
pub mod parse;
