//! TLA+ text to tree. One file is enough: nothing here knows what a name means or which modules exist.

pub mod ast;
pub mod op;

pub use ast::{ExprId, Tree};
pub use op::Op;
