//! What can be wrong or doubtful with a specification, in words. One constructor for each problem; no message is
//! written elsewhere.

mod names;
mod scopes;
#[cfg(test)]
mod tests;
mod types;
mod warnings;

use diag::Diagnostic;
use source::Span;

pub(crate) use names::*;
pub(crate) use scopes::*;
pub(crate) use types::*;
pub(crate) use warnings::*;

/// What a name may mean, for people, and where that is declared.
pub(crate) type Candidates = [(String, Option<Span>)];

/// Adds the declarations of candidates to the story; those without a place as notes.
fn with_candidates(mut diagnostic: Diagnostic, candidates: &Candidates) -> Diagnostic {
    const SHOWN_MAX: usize = 8;
    for (text, span) in candidates.iter().take(SHOWN_MAX) {
        diagnostic = match span {
            Some(span) => diagnostic.also(*span, text.clone()),
            None => diagnostic.note(text.clone()),
        };
    }
    match candidates.len().saturating_sub(SHOWN_MAX) {
        0 => diagnostic,
        n => diagnostic.note(format!("and {n} more")),
    }
}

fn plural(n: usize, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{n} {noun}s")
    }
}
