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

pub(crate) fn file_too_large(file: FileId, size: usize, max: usize) -> Diagnostic {
    let _ = file;
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
