//! Small tools that know no language: interned names, typed indices, deep recursion, numbers as bytes.
//!
//! Nothing here does IO, and nothing here knows what a specification is.

mod arena;
mod deep;
mod symbol;
pub mod wire;

pub use arena::{Arena, Idx};
pub use deep::deep;
pub use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
pub use symbol::Symbol;
