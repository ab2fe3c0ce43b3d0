//! Diagnostics as data: what is wrong with a specification, where, why, and what to do about it.
//!
//! The code that finds a problem builds a [`Diagnostic`] in a named constructor of its own crate; how it looks is
//! decided by [`render`] (for people) or by a front end (for programs). Nothing here prints.
//!
//! ```
//! use diag::{Diagnostic, Style, render};
//! use source::{Sources, Span};
//!
//! let mut sources = Sources::new();
//! let file = sources.add("M.tla", "Won == bord");
//! let wrong = Diagnostic::error("unbound-name", "`bord` is not declared")
//!     .at(Span::new(file, 7, 11), "not declared")
//!     .hint("did you mean `board`?");
//! let text = render(&wrong, &sources, Style::Plain);
//! assert!(text.starts_with("error[unbound-name]: `bord` is not declared\n --> M.tla:1:8\n"));
//! ```

mod render;
mod suggest;

use source::Span;

pub use render::{Style, render};
pub use suggest::closest;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
    /// Nothing is wrong, but who reads the answer should know.
    Note,
}

/// A place and what is to be said there. The text may be empty: then the place alone speaks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// A change of the text that mends a problem: for editors, which offer it and show it before it is made.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// What it does, as a person would say it: "put the label `Lbl_1` before it".
    pub title: String,
    /// In the order of the text, without overlaps.
    pub edits: Vec<Edit>,
}

/// Replaces a part of a text; an empty span is a place to insert at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// One problem: a stable code, a title without full stop, the place, the story, a proposal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    pub code: &'static str,
    pub severity: Severity,
    pub title: String,
    /// Where the problem is; absent only when there is no source text (a missing file, a wrong flag).
    pub primary: Option<Label>,
    /// The story: "declared here", "the list starts here". In the order in which it is told.
    pub secondary: Vec<Label>,
    /// Facts that have no place of their own: values at hand, the chain of definitions.
    pub notes: Vec<String>,
    pub hint: Option<String>,
    /// The best first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    pub fn error(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, title.into())
    }

    pub fn warning(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, title.into())
    }

    pub fn remark(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, code, title.into())
    }

    fn new(severity: Severity, code: &'static str, title: String) -> Diagnostic {
        debug_assert!(!title.ends_with('.'), "titles have no full stop: {title}");
        Diagnostic {
            code,
            severity,
            title,
            primary: None,
            secondary: vec![],
            notes: vec![],
            hint: None,
            fixes: vec![],
        }
    }

    /// The place of the problem, and what is wrong there.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.primary = Some(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// A further place that belongs to the story.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub fn hint(mut self, text: impl Into<String>) -> Diagnostic {
        self.hint = Some(text.into());
        self
    }

    /// A change of one place that mends it.
    pub fn fix(mut self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        self.fixes.push(Fix {
            title: title.into(),
            edits: vec![Edit { span, text }],
        });
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    pub fn span(&self) -> Option<Span> {
        self.primary.as_ref().map(|it| it.span)
    }
}
