//! Sorts, arities and multiplicities.

use diag::Diagnostic;
use source::Span;

pub(crate) fn not_a_formula(ty: &str, span: Span) -> Diagnostic {
    Diagnostic::error("alloy-not-a-formula", "a formula is expected here")
        .at(span, format!("this is a value: {ty}"))
        .hint("compare it, or ask for `some` of it")
}

pub(crate) fn not_an_integer(ty: &str, span: Span) -> Diagnostic {
    Diagnostic::error("not-an-integer", "an integer is expected here").at(span, format!("this is {ty}"))
}

pub(crate) fn not_a_relation(span: Span) -> Diagnostic {
    Diagnostic::error("not-a-relation", "a set or relation is expected here").at(span, "this is a formula")
}

pub(crate) fn misplaced_multiplicity(span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-multiplicity", "a multiplicity has no meaning here")
        .at(span, "")
        .hint("multiplicities stand after `:` in a declaration and on the right of `in`")
}

pub(crate) fn wrong_arity_for_unary(op: &str, ty: &str, span: Span) -> Diagnostic {
    let wanted = match op {
        "~" | "^" | "*" => "a binary relation",
        _ => "a set",
    };
    Diagnostic::error("alloy-wrong-arity", format!("`{op}` needs {wanted}")).at(span, format!("this is {ty}"))
}

pub(crate) fn not_unary(op: &str, ty: &str, span: Span) -> Diagnostic {
    Diagnostic::error("alloy-wrong-arity", format!("`{op}` restricts by a set"))
        .at(span, format!("this is {ty}"))
}

pub(crate) fn bound_not_unary(ty: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "alloy-wrong-arity",
        "variables of a comprehension or a sum range over sets",
    )
    .at(span, format!("this is {ty}"))
}

pub(crate) fn higher_order_bound(mult: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "higher-order-bound",
        "variables of a comprehension or a sum stand for single elements",
    )
    .at(span, format!("`{mult}` makes it a set"))
}

pub(crate) fn variable_defined(span: Span) -> Diagnostic {
    Diagnostic::error("defined-variable", "a variable is declared by `:`")
        .at(span, "")
        .hint("to name a value, use `let`")
}

pub(crate) fn illegal_join(a: &str, left: Span, b: &str, right: Span, span: Span) -> Diagnostic {
    Diagnostic::error("illegal-join", "two sets cannot be joined")
        .at(span, "")
        .also(left, format!("this is {a}"))
        .also(right, format!("this is {b}"))
        .hint("a join needs a relation of at least two columns on one side")
}

pub(crate) fn different_arities(
    op: &str,
    a: &str,
    left: Span,
    b: &str,
    right: Span,
    span: Span,
) -> Diagnostic {
    Diagnostic::error(
        "different-arities",
        format!("`{op}` needs the same number of columns on both sides"),
    )
    .at(span, "")
    .also(left, format!("this is {a}"))
    .also(right, format!("this is {b}"))
}

pub(crate) fn branches_differ(a: &str, then: Span, b: &str, otherwise: Span, span: Span) -> Diagnostic {
    Diagnostic::error("branches-differ", "the two branches are not of one kind")
        .at(span, "")
        .also(then, format!("this is {a}"))
        .also(otherwise, format!("this is {b}"))
}

pub(crate) fn disj_arguments(span: Span) -> Diagnostic {
    Diagnostic::error("wrong-arguments", "`disj` needs at least two arguments").at(span, "")
}

pub(crate) fn disj_arities(span: Span) -> Diagnostic {
    Diagnostic::error(
        "different-arities",
        "the arguments of `disj` have different numbers of columns",
    )
    .at(span, "")
}

pub(crate) fn total_order_arguments(span: Span) -> Diagnostic {
    Diagnostic::error(
        "wrong-arguments",
        "`pred/totalOrder` takes a set, its first element and a successor relation",
    )
    .at(span, "")
}

pub(crate) fn total_order_arity(i: usize, arity: usize, span: Span) -> Diagnostic {
    let which = ["first", "second", "third"][i];
    Diagnostic::error(
        "alloy-wrong-arity",
        format!("the {which} argument of `pred/totalOrder` has {arity} column(s)"),
    )
    .at(span, "")
}

pub(crate) fn unclear_arity(ty: &str, span: Span) -> Diagnostic {
    Diagnostic::error("unclear-arity", "it is not clear how many columns this has")
        .at(span, format!("it may be {ty}"))
}

pub(crate) fn empty_field(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("empty-field", format!("the field `{name}` can only be empty"))
        .at(span, "nothing lies in this bound")
}

pub(crate) fn result_arity(ty: &str, body: Span, declared: &str, result: Span) -> Diagnostic {
    Diagnostic::error(
        "result-arity",
        "the body does not have the columns that the function declares",
    )
    .at(body, format!("this is {ty}"))
    .also(result, format!("declared as {declared}"))
}
