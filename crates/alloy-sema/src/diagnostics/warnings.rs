//! What is legal but cannot be meant: expressions that are always empty, conditions that are always true.

use diag::Diagnostic;
use source::Span;

/// Both sides of an operator, for the story.
pub(crate) struct Sides {
    pub left: Span,
    pub left_type: String,
    pub right: Span,
    pub right_type: String,
    pub whole: Span,
}

impl Sides {
    fn tell(self, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic
            .also(self.left, format!("this is {}", self.left_type))
            .also(self.right, format!("this is {}", self.right_type))
    }
}

pub(crate) fn unused_variable(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("unused-variable", format!("the variable `{name}` is never used")).at(span, "")
}

pub(crate) fn empty_join(sides: Sides) -> Diagnostic {
    let it = Diagnostic::warning("empty-join", "this join is always empty")
        .at(sides.whole, "the columns that meet have no element in common");
    sides.tell(it)
}

pub(crate) fn empty_intersection(sides: Sides) -> Diagnostic {
    let it = Diagnostic::warning("always-empty", "this intersection is always empty").at(sides.whole, "");
    sides.tell(it)
}

pub(crate) fn empty_restriction(op: &str, sides: Sides) -> Diagnostic {
    let it = Diagnostic::warning("always-empty", format!("the result of `{op}` is always empty"))
        .at(sides.whole, "");
    sides.tell(it)
}

pub(crate) fn product_with_empty(empty: Span, other: Span, whole: Span) -> Diagnostic {
    Diagnostic::warning("always-empty", "this product is always empty")
        .at(whole, "")
        .also(empty, "this is always empty")
        .also(other, "so this does not matter")
}

pub(crate) fn always_different(op: &str, sides: Sides) -> Diagnostic {
    let it = Diagnostic::warning(
        "redundant-comparison",
        format!("the two sides of `{op}` have no element in common"),
    )
    .at(sides.whole, "they can be equal only when both are empty");
    sides.tell(it)
}

pub(crate) fn always_equal(op: &str, sides: Sides) -> Diagnostic {
    Diagnostic::warning(
        "redundant-comparison",
        format!("both sides of `{op}` are the same"),
    )
    .at(sides.whole, "the answer does not depend on the instance")
}

pub(crate) fn inclusion_of_empty(is_right_empty: bool, sides: Sides) -> Diagnostic {
    let side = if is_right_empty { "right" } else { "left" };
    let it = Diagnostic::warning(
        "redundant-comparison",
        format!("the {side} side of `in` is always empty"),
    )
    .at(sides.whole, "");
    sides.tell(it)
}

pub(crate) fn inclusion_disjoint(sides: Sides) -> Diagnostic {
    let it = Diagnostic::warning(
        "redundant-comparison",
        "the two sides of `in` have no element in common",
    )
    .at(sides.whole, "it holds only when the left side is empty");
    sides.tell(it)
}

pub(crate) fn irrelevant_side(op: &str, is_left: bool, sides: Sides) -> Diagnostic {
    let side = if is_left { "left" } else { "right" };
    let it = Diagnostic::warning(
        "irrelevant",
        format!("the {side} side of `{op}` makes no difference here"),
    )
    .at(sides.whole, "");
    sides.tell(it)
}

pub(crate) fn irrelevant(ty: &str, wanted: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("irrelevant", "this makes no difference here")
        .at(span, format!("it is {ty}, and only {wanted} matters"))
}

pub(crate) fn redundant_closure(op: &str, ty: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("redundant-closure", format!("`{op}` adds nothing"))
        .at(span, format!("no element is in both columns of {ty}"))
}

pub(crate) fn no_integers(ty: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("no-integers", "there are no integers in this set").at(span, format!("this is {ty}"))
}

pub(crate) fn result_disjoint(ty: &str, body: Span, declared: &str, result: Span) -> Diagnostic {
    Diagnostic::warning(
        "result-disjoint",
        "what the function returns is never of the declared type",
    )
    .at(body, format!("this is {ty}"))
    .also(result, format!("declared as {declared}"))
}

pub(crate) fn static_in_variable(name: &str, parent: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "static-part",
        format!("`{name}` does not vary, so a part of `{parent}` does not either"),
    )
    .at(span, "")
    .hint(format!("declare it `var sig {name}`"))
}

pub(crate) fn redundant_var(name: &str, parent: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "redundant-var",
        format!("`var` is redundant: `{name}` extends `{parent}`, which does not vary"),
    )
    .at(span, "has the same atoms at all times")
    .hint(format!(
        "declare it `var sig {name} in {parent}` if its atoms are to come and go"
    ))
}

pub(crate) fn static_field_in_variable_sig(name: &str, owner: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "static-part",
        format!("the field `{name}` does not vary, but `{owner}` does"),
    )
    .at(span, "")
    .hint(format!("declare it `var {name}: …`"))
}

pub(crate) fn static_field_of_variable_type(name: &str, varying: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "static-part",
        format!("the field `{name}` does not vary, but `{varying}` in its bound does"),
    )
    .at(span, "")
    .hint(format!("declare it `var {name}: …`"))
}
