//! One file per command.

pub mod check;
pub mod gallery;
pub mod parse;
