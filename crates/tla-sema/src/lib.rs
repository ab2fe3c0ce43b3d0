//! What the names of a TLA+ specification mean: modules, instances, arities, levels.
//!
//! [`resolve`] turns a root module and everything it opens into a [`Spec`] (see [`ir`]) and a list of diagnostics. It
//! never fails: what cannot be resolved becomes a hole, and whoever wants to evaluate refuses a spec with errors.
//! [`Appendix`] resolves texts from outside, such as formulas of a command line, where the root module ends.
//! [`configure`] reads a TLC configuration against a `Spec` and says what is to be checked (see [`model`]).
//! Texts come in through [`Modules`]; nothing here reads files.

pub mod compose;
pub mod diagnostics;
pub mod ir;
pub mod model;
pub mod part;

mod alpha_equivalence;
mod builtin;
mod free_variables;
mod fresh;
mod instance;
mod level;
mod lint;
mod resolve;

pub use free_variables::FreeVariables;
pub use fresh::is_fresh_value;
pub use instance::{children, walk};
pub use ir::Spec;
pub use level::Levels;
pub use model::{Model, configure, default_model, default_model_of};
pub use resolve::{Appendix, Found, ModuleText, Modules, resolve};
