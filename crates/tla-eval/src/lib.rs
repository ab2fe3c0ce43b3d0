//! The only place where TLA+ meets an engine: expressions are compiled, evaluated, and turned into steps.
//!
//! [`compile`](compile::Compiler) turns definitions into [`code`]; [`machine::Machine`] evaluates it in one state; `action`
//! enumerates the states that satisfy an initial predicate or a next-state action.

pub mod code;
pub mod compile;
pub mod compiled;
pub mod effects;
pub mod error;
pub mod explain;
pub mod liveness;
pub mod machine;
pub mod model;
pub mod native;
pub mod plan;
pub mod prepared;
pub mod table;
pub mod walk;

mod action;
pub mod actions;
mod alias;
pub mod ask;
pub mod audit;
pub mod blame;
mod labels;
pub mod layout;
mod memo;
pub mod moves;
mod portable;
mod possible;
mod prefilter;
mod resumable;
mod stands;
pub mod step;
mod symmetry;
mod unique_choice;
mod view;

pub use error::{ErrorKind, EvalError, Fault};
pub use symmetry::Permutation;
