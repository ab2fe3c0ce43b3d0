//! Something that went wrong while playing, in words that need no sources any more.

use diag::Diagnostic;
use source::Sources;

/// A diagnostic that has been told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub code: &'static str,
    pub title: String,
    /// `name:line:column`.
    pub location: Option<String>,
    /// All of it, with an excerpt of the source; several lines.
    pub text: String,
}

impl Problem {
    pub fn new(diagnostic: &Diagnostic, sources: &Sources) -> Problem {
        Problem {
            code: diagnostic.code,
            title: diagnostic.title.clone(),
            location: diagnostic.span().map(|it| sources.location(it)),
            text: diag::render(diagnostic, sources, diag::Style::Plain),
        }
    }

    /// The first error of several diagnostics.
    pub fn first(diagnostics: &[Diagnostic], sources: &Sources) -> Problem {
        let first = diagnostics
            .iter()
            .find(|it| it.is_error())
            .or(diagnostics.first());
        match first {
            Some(it) => Problem::new(it, sources),
            None => Problem {
                code: "unknown",
                title: "it cannot be told what is wrong".to_owned(),
                location: None,
                text: "it cannot be told what is wrong".to_owned(),
            },
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
