//! TLA+ text to tree, and back. One file is enough: nothing here knows what a name means or which modules exist.
//!
//! - [`parse`] reads a module, [`parse_expr`] a single expression, [`config::parse`] a TLC configuration. All return what
//!   could be read and the diagnostics; text that cannot be read leaves holes ([`ast::ExprKind::Error`]), never a panic.
//! - [`print()`] and [`print_expr`] give text that reads back to the same tree, [`dump`] shows the tree itself.
//! - [`op`] is the table of operators, on which lexer, parser and printer rest alike.
//!
//! ```
//! use source::FileId;
//!
//! let text = "---- MODULE Counter ----\nVARIABLE x\nInit == x = 0\n====\n";
//! let (tree, diagnostics) = tla_syntax::parse(text, FileId(0));
//! assert!(diagnostics.is_empty());
//! assert_eq!(tree.module.unwrap().units.len(), 2);
//! ```

pub mod ast;
pub mod config;
mod diagnostics;
mod dump;
#[doc(hidden)]
pub mod fuzzing;
mod lexer;
mod number;
pub mod op;
mod parser;
mod print;
mod relocate;
mod token;

pub use ast::{ExprId, Tree};
pub use dump::{dump, dump_expr};
pub use number::{Numeral, number};
pub use op::Op;
pub use parser::{parse, parse_expr, parse_units};
pub use print::{Notation, print, print_expr};
pub use relocate::{relocate, relocate_diagnostics};
