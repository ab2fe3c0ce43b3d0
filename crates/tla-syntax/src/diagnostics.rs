//! Everything that can be wrong with the text of a module, each with its own constructor and a stable code.

use diag::Diagnostic;
use source::{FileId, Span};

use crate::ast::Ident;
use crate::op::Op;

/// The token that stands where something else was expected.
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
            Found::Text(text, _) => format!("`{text}`"),
        }
    }
}

pub(crate) fn unexpected_token(expected: &str, found: Found) -> Diagnostic {
    Diagnostic::error(
        "unexpected-token",
        format!("expected {expected}, found {}", found.describe()),
    )
    .at(found.span(), format!("expected {expected}"))
}

pub(crate) fn unclosed_bracket(opener: &str, opener_span: Span, found: Found) -> Diagnostic {
    Diagnostic::error("unclosed-bracket", format!("this `{opener}` is not closed"))
        .at(found.span(), format!("found {}", found.describe()))
        .also(opener_span, "opened here")
}

pub(crate) fn unterminated_string(span: Span) -> Diagnostic {
    Diagnostic::error("unterminated-string", "this string has no closing `\"`")
        .at(span, "the string ends with its line")
}

pub(crate) fn unknown_escape(c: char, span: Span) -> Diagnostic {
    Diagnostic::warning("unknown-escape", format!("`\\{c}` is no escape sequence")).at(span, "")
}

pub(crate) fn unclosed_comment(span: Span, suspect: Option<Span>) -> Diagnostic {
    let it = Diagnostic::error("unclosed-comment", "this comment is never closed").at(span, "opened here");
    match suspect {
        Some(span) => it.also(span, "a comment inside of it opens here"),
        None => it,
    }
}

pub(crate) fn unexpected_character(c: char, text: &str, span: Span) -> Diagnostic {
    let _ = c;
    Diagnostic::error("unexpected-character", format!("`{text}` is not TLA+")).at(span, "")
}

pub(crate) fn file_too_large(size: usize, max: usize) -> Diagnostic {
    Diagnostic::error(
        "file-too-large",
        format!("the text has {size} bytes; more than {max} are not read"),
    )
}

pub(crate) fn no_module(text: &str, file: FileId) -> Diagnostic {
    let _ = (text, file);
    Diagnostic::error("no-module", "there is no module in this file")
}

pub(crate) fn nested_too_deeply(span: Span, max: u32) -> Diagnostic {
    Diagnostic::error("nested-too-deeply", format!("more than {max} levels of nesting")).at(span, "")
}

pub(crate) fn precedence_conflict(left: Op, left_span: Span, right: Op, right_span: Span) -> Diagnostic {
    Diagnostic::error(
        "precedence-conflict",
        format!("`{}` and `{}` need parentheses", left.name(), right.name()),
    )
    .at(right_span, "")
    .also(left_span, "")
}

pub(crate) fn label_changes_parse(
    label: Span,
    left: Op,
    left_span: Span,
    op: Op,
    op_span: Span,
) -> Diagnostic {
    let _ = (left, op, op_span);
    Diagnostic::error(
        "label-changes-parse",
        "without the label this would be read differently",
    )
    .at(label, "")
    .also(left_span, "")
}

pub(crate) fn not_a_label(label: Span, colons: Span) -> Diagnostic {
    Diagnostic::error("not-a-label", "`::` must follow a label")
        .at(colons, "")
        .also(label, "")
}

pub(crate) fn empty_arguments(span: Span) -> Diagnostic {
    Diagnostic::error("empty-arguments", "no arguments between the parentheses").at(span, "")
}

pub(crate) fn empty_parameters(span: Span) -> Diagnostic {
    Diagnostic::error("empty-parameters", "no parameters between the parentheses").at(span, "")
}

pub(crate) fn other_not_last(other: Span, next: Span) -> Diagnostic {
    Diagnostic::error("other-not-last", "OTHER must be the last arm")
        .at(next, "")
        .also(other, "")
}

pub(crate) fn case_without_arm(span: Span) -> Diagnostic {
    Diagnostic::error("case-without-arm", "this CASE has no arm but OTHER").at(span, "")
}

pub(crate) fn empty_let(opener: Span, next: Span) -> Diagnostic {
    Diagnostic::error("empty-let", "this LET defines nothing")
        .at(next, "")
        .also(opener, "")
}

pub(crate) fn bounded_temporal_quantifier(quantifier: Span, op: Span) -> Diagnostic {
    Diagnostic::error(
        "bounded-temporal-quantifier",
        "temporal quantifiers have no bound",
    )
    .at(op, "")
    .also(quantifier, "")
}

pub(crate) fn empty_tuple_pattern(span: Span) -> Diagnostic {
    Diagnostic::error("empty-tuple-pattern", "an empty tuple binds nothing").at(span, "")
}

pub(crate) fn filter_over_many(span: Span, colon: Span) -> Diagnostic {
    Diagnostic::error("filter-over-many", "a set filter binds one name")
        .at(colon, "")
        .also(span, "")
}

pub(crate) fn missing_subscript(span: Span) -> Diagnostic {
    Diagnostic::error("missing-subscript", "an action in brackets needs a subscript").at(span, "")
}

pub(crate) fn not_a_bound(span: Span, maps_to: Span) -> Diagnostic {
    Diagnostic::error("not-a-bound", "this is not `x \\in S`")
        .at(span, "")
        .also(maps_to, "")
}

pub(crate) fn action_of_many(span: Span) -> Diagnostic {
    Diagnostic::error("action-of-many", "`<<A>>_v` takes one action").at(span, "")
}

pub(crate) fn local_not_allowed(local: Span, text: &str, span: Span) -> Diagnostic {
    Diagnostic::error("local-not-allowed", format!("`{text}` cannot be LOCAL"))
        .at(local, "")
        .also(span, "")
}

pub(crate) fn primed_declaration(name: Ident, prime: Span) -> Diagnostic {
    Diagnostic::error(
        "primed-declaration",
        format!("`{}` is declared with a prime", name.name),
    )
    .at(prime, "")
}

pub(crate) fn not_in_let(text: &str, span: Span, opener: Span) -> Diagnostic {
    Diagnostic::error("not-in-let", format!("`{text}` cannot stand in LET"))
        .at(span, "")
        .also(opener, "")
}

pub(crate) fn new_in_set(name: Ident, span: Span) -> Diagnostic {
    Diagnostic::error(
        "new-in-set",
        format!("`{}` cannot be an element of a set", name.name),
    )
    .at(span, "")
}

pub(crate) fn step_takes_no_proof(step: Span, proof: Span) -> Diagnostic {
    Diagnostic::error("step-takes-no-proof", "this step takes no proof")
        .at(proof, "")
        .also(step, "")
}

pub(crate) fn local_in_proof(span: Span) -> Diagnostic {
    Diagnostic::error("local-in-proof", "definitions of a proof are local already").at(span, "")
}

pub(crate) fn deeper_step_cited(span: Span) -> Diagnostic {
    Diagnostic::error("deeper-step-cited", "`<+>` cannot be cited").at(span, "")
}

pub(crate) fn step_outside_proof(span: Span) -> Diagnostic {
    Diagnostic::error("step-outside-proof", "a step name outside of a proof").at(span, "")
}

// Configuration files

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
