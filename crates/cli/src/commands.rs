//! One file per command.

pub mod gallery;
pub mod parse;
