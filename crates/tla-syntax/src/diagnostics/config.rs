//! Configuration files.

use diag::Diagnostic;
use source::Span;

use super::Found;
use crate::ast::Ident;

pub(crate) fn config_expected(expected: &str, found: Found) -> Diagnostic {
    Diagnostic::error(
        "config-expected",
        format!("expected {expected}, found {}", found.describe()),
    )
    .at(found.span(), format!("expected {expected}"))
}

pub(crate) fn config_unknown_statement(
    text: &str,
    span: Span,
    after: Option<Span>,
    suggestion: Option<&str>,
) -> Diagnostic {
    let mut it = Diagnostic::error(
        "config-unknown-statement",
        format!("`{text}` is no statement of a configuration"),
    )
    .at(span, "expected a keyword such as INVARIANT or CONSTANT");
    if let Some(after) = after {
        it = it.also(after, "the statement before it is complete");
    }
    match suggestion {
        Some(suggestion) => it.hint(format!("did you mean `{suggestion}`?")),
        None => it,
    }
}

pub(crate) fn config_duplicate(keyword: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("config-duplicate", format!("{keyword} is given twice"))
        .at(span, "given again here")
        .also(first, "given first here")
        .hint("keep one of them")
}

pub(crate) fn config_missing_name(keyword: &str, span: Span, found: Found) -> Diagnostic {
    Diagnostic::error("config-missing-name", format!("{keyword} names nothing"))
        .at(span, format!("a name must follow, found {}", found.describe()))
}

pub(crate) fn config_deadlock(found: Span, statement: Span) -> Diagnostic {
    Diagnostic::error("config-deadlock", "CHECK_DEADLOCK is TRUE or FALSE")
        .at(found, "neither TRUE nor FALSE")
        .also(statement, "of this statement")
}

pub(crate) fn config_comma(span: Span) -> Diagnostic {
    Diagnostic::warning("config-comma", "a configuration has no commas between its names")
        .at(span, "TLC takes this for a name")
        .hint("separate names by blanks or line breaks")
}

pub(crate) fn config_constant_twice(name: Ident, first: Span) -> Diagnostic {
    Diagnostic::error(
        "config-constant-twice",
        format!("`{}` is given a value twice", name.name),
    )
    .at(name.span, "given again here")
    .also(first, "given first here")
    .hint("keep one of them")
}

pub(crate) fn config_not_a_value(found: Found) -> Diagnostic {
    Diagnostic::error(
        "config-not-a-value",
        format!("{} starts no value of a configuration", found.describe()),
    )
    .at(
        found.span(),
        "expected a number, a string, TRUE, FALSE, a model value or a set of these",
    )
    .hint("define the value in the module, say `Def == ...`, and write `name <- Def` here")
}

pub(crate) fn config_obsolete(keyword: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("config-obsolete", format!("{keyword} has no effect"))
        .at(span, "a statement of early versions of TLC")
        .hint("remove it, or state the type as an INVARIANT")
}

pub(crate) fn config_two_behaviours(specification: Ident, keyword: &str, other: Ident) -> Diagnostic {
    Diagnostic::error(
        "config-two-behaviours",
        format!("both SPECIFICATION and {keyword} are given"),
    )
    .at(other.span, "a part of the behaviour")
    .also(specification.span, "the whole behaviour")
    .hint("keep SPECIFICATION, or keep INIT and NEXT")
}
