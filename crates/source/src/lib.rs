//! Source texts and places in them.
//!
//! A [`Span`] is a file and a range of bytes; a [`Place`] is what a person reads (line and column, both from 1,
//! columns in characters). Markdown is handled here once for all languages: [`fenced`] blanks everything
//! outside the fences and keeps every offset, so no later stage knows that a file was literate.

mod file;
mod markdown;

pub use file::{FileId, Place, SourceFile, Sources, Span};
pub use markdown::fenced;
