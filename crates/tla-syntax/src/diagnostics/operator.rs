//! Operators and their operands, and the lists of bullets.

use diag::Diagnostic;
use source::Span;

use super::{Found, quoted};
use crate::op::Op;

fn spelled(op: Op) -> &'static str {
    if op == Op::NEGATE { "-" } else { op.name() }
}

pub(crate) fn precedence_conflict(
    left: Op,
    left_span: Span,
    right: Op,
    right_span: Span,
    ways: Option<[String; 2]>,
) -> Diagnostic {
    let (l, r) = (spelled(left), spelled(right));
    let title = match left == right {
        true => format!("`{l}` cannot be chained without parentheses"),
        false => format!("`{l}` and `{r}` cannot be mixed without parentheses"),
    };
    let hint = match ways {
        Some([a, b]) => format!("neither binds more tightly; write `{a}` or `{b}`"),
        None => "neither binds more tightly; add parentheses to say what belongs together".to_owned(),
    };
    Diagnostic::error("precedence-conflict", title)
        .at(right_span, "could take what stands before it")
        .also(left_span, "could take what stands after it")
        .hint(hint)
}

pub(crate) fn missing_operand(op: &str, span: Span, side: &str, found: Option<Found>) -> Diagnostic {
    let it = Diagnostic::error("missing-operand", format!("`{op}` has no {side} operand"))
        .at(span, format!("nothing to its {side}"));
    match found {
        Some(found) => it.also(
            found.span(),
            format!("found {} instead of an operand", found.describe()),
        ),
        None => it,
    }
}

pub(crate) fn missing_operator(found: Found, before: Span) -> Diagnostic {
    Diagnostic::error(
        "missing-operator",
        format!("expected an operator before {}", found.describe()),
    )
    .at(found.span(), "a second expression starts here")
    .also(before, "the expression before it ends here")
}

pub(crate) fn definition_in_expression(span: Span) -> Diagnostic {
    Diagnostic::error("definition-in-expression", "`==` stands inside of an expression")
        .at(span, "this defines, it does not compare")
        .hint("to compare two values write `=`")
}

pub(crate) fn foreign_operator(text: &str, span: Span, meant: &str) -> Diagnostic {
    Diagnostic::error("foreign-operator", format!("`{text}` is no operator of TLA+"))
        .at(span, "taken from another language?")
        .hint(format!("write {meant}"))
}

pub(crate) fn foreign_word(word: &str, span: Span, meant: &str) -> Diagnostic {
    Diagnostic::error("foreign-word", format!("`{word}` is no word of TLA+"))
        .at(span, "read as a name, which cannot stand here")
        .hint(format!("write {meant}"))
}

pub(crate) fn unknown_operator(word: &str, span: Span, suggestion: Option<&str>) -> Diagnostic {
    let it = Diagnostic::error(
        "unknown-operator",
        format!("there is no operator {}", quoted(word)),
    )
    .at(span, "not an operator");
    match suggestion {
        Some(suggestion) => it.hint(format!("did you mean `\\{suggestion}`?")),
        None => it.hint("for set difference put a blank after the `\\`"),
    }
}

pub(crate) fn minus_dot(span: Span) -> Diagnostic {
    Diagnostic::error(
        "minus-dot",
        "`-.` names the prefix operator, it does not apply it",
    )
    .at(span, "only in declarations, definitions and as an argument")
    .hint("to negate a value write `-x`")
}

/// `list` is a bullet of the list that the operator at `span` was probably meant to continue; `offset` counts how many columns
/// it stands to the right of the bullets.
pub(crate) fn misaligned_bullet(op: Op, span: Span, list: Span, offset: i64, tabs: bool) -> Diagnostic {
    let name = op.name();
    let side = if offset < 0 { "left" } else { "right" };
    let distance = match offset.abs() {
        1 => "one column".to_owned(),
        n => format!("{n} columns"),
    };
    let title = format!("this `{name}` is {distance} {side} of the list it seems to belong to");
    let it = Diagnostic::error("misaligned-bullet", title)
        .at(span, "not a bullet of the list")
        .also(list, "the bullets of the list stand here");
    let it = match tabs {
        true => it.note("a tab counts up to the next multiple of eight columns"),
        false => it,
    };
    it.hint("align it with the bullets of the list, or use parentheses if it joins the whole list with something else")
}

pub(crate) fn outdented_token(
    found: Found,
    expected: &str,
    bullet: Span,
    opener: Option<(&str, Span)>,
) -> Diagnostic {
    let it = Diagnostic::error(
        "outdented-token",
        format!("{} stands too far left for its list item", found.describe()),
    )
    .at(found.span(), format!("expected {expected}, right of the bullet"))
    .also(bullet, "everything in the item must stand right of this bullet");
    let it = match opener {
        Some((text, span)) => it.also(span, format!("this `{text}` is still open")),
        None => it,
    };
    it.hint("indent it further, or finish the item before it")
}
