//! PlusCal: text to an algorithm, and an algorithm to TLA+.
//!
//! In reading order: `locate` finds the algorithm in a file, `lexer` and `parser` make an [`ast::Algorithm`] of it, `expand` puts
//! macros in their places, `label` cuts it into steps, `names` gives everything one name, `explode` turns control into assignments,
//! `generate` writes the translation and the [`Map`] back to the algorithm. Expressions stay tokens in columns throughout
//! ([`expr::Expr`]): TLA+ is read once, in the translation. `print` is the way back from an algorithm to its text.
//!
//! Nothing here does IO, and nothing here evaluates.

mod action;
pub mod ast;
mod checksum;
mod diagnostics;
mod digest;
mod expand;
mod explode;
pub mod expr;
pub mod fuzzing;
mod generate;
mod hygiene;
mod label;
mod lexer;
mod locate;
mod map;
mod names;
pub mod options;
pub mod outline;
mod parser;
mod print;
mod steps;
mod tail;
mod translate;

pub use checksum::checksum;
pub use label::AddedLabel;
pub use lexer::{At, Kind};
pub use map::{Map, Origin, Piece};
pub use options::Options;
pub use outline::Outline;
pub use print::print;
pub use translate::{Edit, Freshness, Parsed, Translation, apply, parse, translate};
