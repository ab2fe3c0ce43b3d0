//! Alloy text to a tree, one file at a time.
//!
//! [`parse`] never fails: it returns a [`ast::File`] with whatever could be read, and the diagnostics. The tree keeps
//! the words of the user (overloaded operators, receivers, macros); what they mean is the business of `alloy-sema`.
//! Nothing here opens a file or knows another module.
//!
//! The grammar is that of Alloy 6, with two courtesies to Alloy 5: a name may hold primes (`b'`), and a temporal
//! keyword that a file declares as a name is a name in that file.

pub mod ast;
mod diagnostics;
mod lexer;
mod parser;
mod print;
mod token;

use std::borrow::Cow;

use diag::Diagnostic;
use source::FileId;

pub use print::{print_expr, print_file};

/// How deep expressions may nest. Generated models reach thousands; beyond this it is a mistake or an attack.
pub const NESTING_MAX: u32 = 10_000;

/// Reads one file. `text` is what [`code`] returned for it.
pub fn parse(file: FileId, text: &str) -> (ast::File, Vec<Diagnostic>) {
    let mut diagnostics = vec![];
    let tokens = lexer::lex(file, text, &mut diagnostics);
    let tree = parser::file(file, text, tokens, &mut diagnostics);
    diagnostics.sort_by_key(|it| it.span().map(|span| (span.start, span.end)));
    (tree, diagnostics)
}

/// Reads one expression (what a user types at a prompt).
pub fn parse_expr(file: FileId, text: &str) -> (ast::Exprs, Option<ast::ExprId>, Vec<Diagnostic>) {
    let mut diagnostics = vec![];
    let tokens = lexer::lex(file, text, &mut diagnostics);
    let (exprs, expr) = parser::single_expr(file, text, tokens, &mut diagnostics);
    (exprs, expr, diagnostics)
}

/// The Alloy code of a file, at its own offsets: of Markdown (by name, or by a front matter) only what stands in
/// fences of `alloy`.
pub fn code<'a>(name: &str, text: &'a str) -> Cow<'a, str> {
    let is_markdown = name.to_ascii_lowercase().ends_with(".md") || text.starts_with("---\n");
    if is_markdown {
        Cow::Owned(source::fenced(text, &["alloy"]))
    } else {
        Cow::Borrowed(text)
    }
}
