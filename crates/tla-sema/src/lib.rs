//! What the names of a TLA+ specification mean: modules, instances, arities, levels.
//!
//! [`resolve`] turns a root module and everything it opens into a [`Spec`] (see [`ir`]) and a list of diagnostics. It
//! never fails: what cannot be resolved becomes a hole, and whoever wants to evaluate refuses a spec with errors.
//! Texts come in through [`Modules`]; nothing here reads files.

pub mod diagnostics;
pub mod ir;

mod builtin;
mod instance;
mod level;
mod lint;
mod resolve;
mod same;

pub use instance::{children, walk};
pub use ir::Spec;
pub use level::Levels;
pub use resolve::{ModuleText, Modules, resolve};
