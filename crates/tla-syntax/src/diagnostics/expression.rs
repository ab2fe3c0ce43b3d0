//! Expressions: brackets, binders, and the forms with keywords.

use diag::Diagnostic;
use source::Span;

use super::{Found, quoted};
use crate::op::Op;

pub(crate) fn unexpected_token(expected: &str, found: Found) -> Diagnostic {
    Diagnostic::error(
        "unexpected-token",
        format!("expected {expected}, found {}", found.describe()),
    )
    .at(found.span(), format!("expected {expected}"))
}

pub(crate) fn missing_expression(after: &str, after_span: Span, found: Found) -> Diagnostic {
    Diagnostic::error(
        "missing-expression",
        format!("expected an expression, found {}", found.describe()),
    )
    .at(found.span(), "no expression starts here")
    .also(
        after_span,
        format!("an expression must follow this {}", quoted(after)),
    )
}

// Brackets

pub(crate) fn unclosed_bracket(opener: &str, opener_span: Span, closer: &str, found: Found) -> Diagnostic {
    Diagnostic::error("unclosed-bracket", format!("this `{opener}` is never closed"))
        .at(opener_span, "opened here")
        .also(
            found.span(),
            format!("expected `{closer}` before {}", found.describe()),
        )
}

pub(crate) fn mismatched_bracket(opener: &str, opener_span: Span, closer: &str, found: Found) -> Diagnostic {
    Diagnostic::error(
        "mismatched-bracket",
        format!("`{opener}` is closed by {}", found.describe()),
    )
    .at(found.span(), format!("expected `{closer}`"))
    .also(opener_span, "opened here")
}

pub(crate) fn unopened_bracket(found: Found) -> Diagnostic {
    Diagnostic::error(
        "unopened-bracket",
        format!("this {} closes nothing", found.describe()),
    )
    .at(found.span(), "no bracket of this kind is open here")
    .hint("remove it, or add the bracket that it closes")
}

pub(crate) fn missing_separator(opener: &str, opener_span: Span, closer: &str, found: Found) -> Diagnostic {
    Diagnostic::error(
        "missing-separator",
        format!(
            "expected an operator, `,` or `{closer}`, found {}",
            found.describe()
        ),
    )
    .at(found.span(), format!("expected an operator, `,` or `{closer}`"))
    .also(opener_span, format!("inside of this `{opener}`"))
}

pub(crate) fn empty_arguments(span: Span) -> Diagnostic {
    Diagnostic::error(
        "empty-arguments",
        "there is no argument between these parentheses",
    )
    .at(span, "nothing between them")
    .hint("an operator without arguments is written without parentheses")
}

pub(crate) fn empty_parentheses(span: Span) -> Diagnostic {
    Diagnostic::error(
        "empty-parentheses",
        "there is no expression between these parentheses",
    )
    .at(span, "nothing between them")
    .hint("the empty tuple is `<<>>`, the empty set `{}`")
}

pub(crate) fn list_in_brackets(span: Span) -> Diagnostic {
    Diagnostic::error("list-in-brackets", "square brackets make no list")
        .at(span, "several expressions, and no `|->` or `->`")
        .hint("a sequence or tuple is `<<a, b>>`, a set is `{a, b}`, a function `[x \\in S |-> e]`")
}

pub(crate) fn old_set_syntax(span: Span) -> Diagnostic {
    Diagnostic::error("old-set-syntax", "`{|` is syntax of an early TLA+")
        .at(span, "not an opening bracket")
        .hint("sets stand between `{` and `}`, records and EXCEPT between `[` and `]`")
}

// Names and labels

pub(crate) fn not_a_label(label: Span, colons: Span) -> Diagnostic {
    Diagnostic::error("not-a-label", "what stands before `::` is no label")
        .at(label, "not a label")
        .also(colons, "`::` names the expression after it")
        .hint("a label is a name, or a name with the bound names in parentheses: `lab(x, y) :: e`")
}

pub(crate) fn label_changes_parse(
    label: Span,
    left: Op,
    left_span: Span,
    op: Op,
    op_span: Span,
) -> Diagnostic {
    let title = format!(
        "the label hides that `{}` and `{}` compete",
        left.name(),
        op.name()
    );
    Diagnostic::error("label-changes-parse", title)
        .at(
            label,
            "without this label the expression would be read differently",
        )
        .also(left_span, "could bind what follows it")
        .also(op_span, "could bind what precedes it")
        .hint("put the labelled expression in parentheses")
}

pub(crate) fn lambda_not_argument(span: Span) -> Diagnostic {
    Diagnostic::error("lambda-not-argument", "LAMBDA can only be an argument")
        .at(span, "not an argument of an operator")
        .hint("a LAMBDA is an operator, not a value; for a function write `[x \\in S |-> e]`")
}

pub(crate) fn assume_in_expression(span: Span) -> Diagnostic {
    Diagnostic::error(
        "assume-in-expression",
        "ASSUME ... PROVE cannot be part of an expression",
    )
    .at(
        span,
        "only a theorem, a lemma or a step of a proof can state this",
    )
    .hint("inside of an expression write an implication: `A => B`")
}

// Binders

pub(crate) fn incomplete_binder(word: &str, binder: Span, expected: &str, found: Found) -> Diagnostic {
    let form = match word {
        "CHOOSE" => "CHOOSE x \\in S : P".to_owned(),
        "PICK" => "PICK x \\in S : P".to_owned(),
        "LAMBDA" => "LAMBDA x, y : e".to_owned(),
        "\\AA" | "\\EE" => format!("{word} x : F"),
        _ => format!("{word} x \\in S : P"),
    };
    Diagnostic::error(
        "incomplete-binder",
        format!("expected {expected}, found {}", found.describe()),
    )
    .at(found.span(), format!("expected {expected}"))
    .also(binder, format!("of this `{word}`"))
    .hint(format!("the form is `{form}`"))
}

pub(crate) fn bounded_temporal_quantifier(quantifier: Span, op: Span) -> Diagnostic {
    Diagnostic::error(
        "bounded-temporal-quantifier",
        "a temporal quantifier has no bound",
    )
    .at(op, "no set can be given here")
    .also(
        quantifier,
        "this quantifies over the values of a variable in all states",
    )
    .hint("write `\\EE x : F`, or `\\E x \\in S : F` for a value that does not change")
}

pub(crate) fn empty_tuple_pattern(span: Span) -> Diagnostic {
    Diagnostic::error("empty-tuple-pattern", "an empty tuple binds no name")
        .at(span, "expected at least one name")
        .hint("write `<<x, y>> \\in S`")
}

pub(crate) fn filter_over_many(span: Span, colon: Span) -> Diagnostic {
    Diagnostic::error("filter-over-many", "a set filter takes its elements from one set")
        .at(span, "more than one bound")
        .also(colon, "the condition starts here")
        .hint("use tuples: `{<<x, y>> \\in S \\X T : P}`")
}

pub(crate) fn not_a_bound(span: Span, maps_to: Span) -> Diagnostic {
    Diagnostic::error(
        "not-a-bound",
        "a function needs a domain for each of its arguments",
    )
    .at(span, "expected `x \\in S`")
    .also(maps_to, "the function's value follows this")
    .hint("write `[x \\in S, y \\in T |-> e]`; a record is `[a |-> 1, b |-> 2]`")
}

// Functions, records, actions

pub(crate) fn not_an_update(found: Found) -> Diagnostic {
    Diagnostic::error(
        "not-an-update",
        format!("expected `=` and the new value, found {}", found.describe()),
    )
    .at(found.span(), "expected `=`")
    .hint("write `[f EXCEPT ![x] = e, !.a = e]`; `@` in `e` is the old value")
}

pub(crate) fn update_without_bang(found: Found, except: Span) -> Diagnostic {
    Diagnostic::error(
        "update-without-bang",
        format!("expected `!` and what changes, found {}", found.describe()),
    )
    .at(found.span(), "expected `!`")
    .also(except, "after this")
    .hint("write `[f EXCEPT ![x] = e, !.a = e]`")
}

pub(crate) fn missing_subscript(span: Span) -> Diagnostic {
    Diagnostic::error(
        "missing-subscript",
        "square brackets around one expression need a subscript",
    )
    .at(span, "expected `_` and a subscript after the `]`")
    .hint("write `[A]_vars` for \"A, or vars unchanged\"; parentheses group an expression")
}

pub(crate) fn action_of_many(span: Span) -> Diagnostic {
    Diagnostic::error("action-of-many", "`<<A>>_v` takes one action")
        .at(span, "more or less than one")
        .hint("join the actions by `/\\`")
}

pub(crate) fn fairness_without_action(word: &str, fairness: Span, found: Found) -> Diagnostic {
    Diagnostic::error(
        "fairness-without-action",
        format!("expected an action in parentheses, found {}", found.describe()),
    )
    .at(found.span(), "expected `(` and the action")
    .also(fairness, "fairness of which action?")
    .hint(format!("write `{word}vars(Next)`"))
}

// Keywords

pub(crate) fn missing_keyword(word: &str, opener: &str, opener_span: Span, found: Found) -> Diagnostic {
    let form = match opener {
        "IF" => "IF p THEN a ELSE b",
        "CASE" => "CASE p -> a [] q -> b [] OTHER -> c",
        _ => "LET x == e IN f",
    };
    Diagnostic::error("missing-keyword", format!("this {opener} has no `{word}`"))
        .at(
            found.span(),
            format!("expected `{word}`, found {}", found.describe()),
        )
        .also(opener_span, format!("this {opener}"))
        .hint(format!("the form is `{form}`"))
}

pub(crate) fn empty_let(opener: Span, next: Span) -> Diagnostic {
    Diagnostic::error("empty-let", "this LET defines nothing")
        .at(next, "expected a definition")
        .also(opener, "this LET")
        .hint("the form is `LET x == e IN f`")
}

pub(crate) fn other_not_last(other: Span, next: Span) -> Diagnostic {
    Diagnostic::error("other-not-last", "OTHER must be the last arm of its CASE")
        .at(next, "an arm after it")
        .also(other, "this matches whatever is left")
        .hint("move the OTHER arm to the end")
}

pub(crate) fn case_without_arm(span: Span) -> Diagnostic {
    Diagnostic::error("case-without-arm", "this CASE has no arm but OTHER")
        .at(span, "expected `p -> e` before OTHER")
        .hint("without a choice no CASE is needed")
}
