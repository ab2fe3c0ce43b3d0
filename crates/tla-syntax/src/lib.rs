//! TLA+ text to tree. One file is enough: nothing here knows what a name means or which modules exist.

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
mod token;

pub use ast::{ExprId, Tree};
pub use dump::{dump, dump_expr};
pub use number::{Numeral, number};
pub use op::Op;
pub use parser::{parse, parse_expr};
pub use print::{Notation, print, print_expr};
