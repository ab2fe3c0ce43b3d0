//! Everything that can be wrong with the text of a module or a configuration, each with a constructor and a stable code.
//!
//! The code that finds a problem passes what it has at hand; words, hints and the choice of labels are here. Each code has a
//! page in `diagnostics/` beside `src`, with an example whose message is kept up to date by a test.

mod config;
mod expression;
mod lexical;
mod module;
mod operator;
mod proof;
#[cfg(test)]
mod tests;

use source::Span;

pub(crate) use config::*;
pub(crate) use expression::*;
pub(crate) use lexical::*;
pub(crate) use module::*;
pub(crate) use operator::*;
pub(crate) use proof::*;

/// The token that stands where something else was expected.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    End(Span),
    Text(String, Span),
}

impl Found {
    fn span(&self) -> Span {
        match self {
            Found::End(span) | Found::Text(_, span) => *span,
        }
    }

    fn describe(&self) -> String {
        match self {
            Found::End(_) => "the end of the file".into(),
            Found::Text(text, _) => quoted(text),
        }
    }
}

/// A piece of source text in a sentence; of a long one only its start.
fn quoted(text: &str) -> String {
    const SHOWN_MAX: usize = 30;
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
