//! Where labels must stand, and where they must not.

use diag::Diagnostic;
use source::Span;
use util::Symbol;

use crate::ast::Name;
use crate::label::Why;

/// The reason for a label, as a sentence and as the place that it speaks of.
fn reason(why: Why) -> (String, Option<(Span, &'static str)>) {
    match why {
        Why::First => ("each body starts with a label".into(), None),
        Why::Loop => ("each turn of a loop is a step of its own".into(), None),
        Why::AfterJump(span) => (
            "control is elsewhere after the statement before".into(),
            Some((span, "control goes elsewhere")),
        ),
        Why::AfterLabel(span) => (
            "there is a label inside of the statement before, so this is another step".into(),
            Some((span, "the label inside")),
        ),
        Why::SecondAssignment(name, span) => (
            format!("`{name}` is assigned a second time in this step"),
            Some((span, "the first time")),
        ),
        Why::SecondCall(name, span) => (
            format!("`{name}` is changed a second time in this step"),
            Some((span, "the first time")),
        ),
    }
}

/// `name` is a label that there is not yet.
pub(crate) fn missing_label(span: Span, name: Symbol, why: Why) -> Diagnostic {
    let (because, story) = reason(why);
    let wrong = Diagnostic::error("missing-label", "a label is needed here").at(span, because);
    let wrong = match story {
        Some((span, text)) => wrong.also(span, text),
        None => wrong,
    };
    wrong
        .hint(format!(
            "put a label before it, such as `{name}:`; `PlusCal options (-label)` lets labels be added"
        ))
        .fix(
            format!("put the label `{name}` before it"),
            span.before(),
            format!("{name}: "),
        )
}

pub(crate) fn needs_label_in_with(span: Span, with: Span, why: Why) -> Diagnostic {
    let (because, story) = reason(why);
    let wrong = Diagnostic::error(
        "needs-label-in-with",
        "a label would be needed here, inside of `with`",
    )
    .at(span, because);
    let wrong = match story {
        Some((span, text)) => wrong.also(span, text),
        None => wrong,
    };
    wrong
        .also(with, "all of a `with` is one step")
        .hint("move this out of the `with`, or say it in the assignment that is there")
}

pub(crate) fn label_in_with(name: Name, with: Span) -> Diagnostic {
    Diagnostic::error(
        "label-in-with",
        format!("label `{}` is inside of a `with`", name.text),
    )
    .at(name.span, "a step cannot end here")
    .also(with, "all of a `with` is one step")
    .hint("keep the chosen value in a variable, and end the `with` before the label")
}

pub(crate) fn while_in_with(span: Span, with: Span) -> Diagnostic {
    Diagnostic::error("while-in-with", "a loop is inside of a `with`")
        .at(span, "each turn of a loop is a step of its own")
        .also(with, "all of a `with` is one step")
        .hint("keep the chosen value in a variable, and end the `with` before the loop")
}
