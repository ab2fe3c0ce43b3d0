//! Everything that can be wrong with an algorithm, each with a constructor and a stable code.
//!
//! The code that finds a problem passes what it has at hand; words, hints and the choice of labels are here. Each code has a
//! page in `diagnostics/` beside `src`, with an example whose message is kept up to date by a test.

mod label;
mod lexical;
mod name;
mod place;
mod syntax;
#[cfg(test)]
mod tests;

use source::Span;

pub(crate) use label::*;
pub(crate) use lexical::*;
pub(crate) use name::*;
pub(crate) use place::*;
pub(crate) use syntax::*;

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

    fn text(&self) -> &str {
        match self {
            Found::End(_) => "",
            Found::Text(text, _) => text,
        }
    }

    fn describe(&self) -> String {
        match self {
            Found::End(_) => "the end of the algorithm's comment".into(),
            Found::Text(text, _) => format!("`{text}`"),
        }
    }
}
