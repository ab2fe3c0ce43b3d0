//! One file per command.

pub mod check;
mod check_alloy;
pub mod eval;
mod eval_alloy;
pub mod gallery;
pub mod new;
pub mod parse;
pub mod play;
pub mod resume;
pub mod rules;
pub mod serve;
pub mod simulate;
pub mod solve;
pub mod strategy;
pub mod translate;
