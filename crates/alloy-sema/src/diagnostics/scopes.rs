//! Scopes of commands.

use diag::Diagnostic;
use source::Span;

use crate::ir::Mult;

pub(crate) fn negative_scope(span: Span) -> Diagnostic {
    Diagnostic::error("bad-scope", "a scope cannot be negative").at(span, "")
}

pub(crate) fn scope_of_builtin(name: &str, span: Span) -> Diagnostic {
    let it = Diagnostic::error("bad-scope", format!("`{name}` cannot have a scope of its own")).at(span, "");
    match name {
        "univ" => it.hint("an overall scope is `for 5`"),
        "seq/Int" => it.hint("the length of sequences is `5 seq`"),
        _ => it,
    }
}

pub(crate) fn scope_always_exact(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "bad-scope",
        format!("the scope of `{word}` is one number, always exact"),
    )
    .at(span, "")
}

pub(crate) fn scope_twice(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("bad-scope", format!("the scope of `{word}` is given twice")).at(span, "")
}

pub(crate) fn bitwidth_too_large(max: u32, span: Span) -> Diagnostic {
    Diagnostic::error("bad-scope", format!("integers have at most {max} bits"))
        .at(span, "")
        .hint("`4 int` are the integers from -8 to 7")
}

pub(crate) fn string_scope_not_exact(span: Span) -> Diagnostic {
    Diagnostic::error("bad-scope", "the scope of `String` must be exact")
        .at(span, "")
        .hint("write `exactly n String`")
}

pub(crate) fn bad_steps(span: Span) -> Diagnostic {
    Diagnostic::error("bad-scope", "these are no lengths of traces")
        .at(span, "")
        .hint("write `n steps`, `m..n steps` with 1 =< m =< n, or `1.. steps`")
}

pub(crate) fn steps_of_static(span: Span) -> Diagnostic {
    Diagnostic::error("bad-scope", "nothing varies, so there are no steps")
        .at(span, "")
        .hint("declare what changes as `var`, or drop the scope of `steps`")
}

pub(crate) fn bad_growth(span: Span) -> Diagnostic {
    Diagnostic::error(
        "bad-scope",
        "a growing scope goes from a smaller to a larger number in steps of at least 1",
    )
    .at(span, "")
}

pub(crate) fn scope_of_subset(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "bad-scope",
        format!("the subset signature `{name}` cannot have a scope"),
    )
    .at(span, "")
    .hint("its size is bounded by its parents; state more as a fact")
}

pub(crate) fn scope_of_enum(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "bad-scope",
        format!("the enumeration `{name}` cannot have a scope"),
    )
    .at(span, "")
    .hint("its atoms are those it lists")
}

pub(crate) fn scope_of_variable_child(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "bad-scope",
        format!("`{name}` varies within another signature and cannot have a scope"),
    )
    .at(span, "")
}

pub(crate) fn exact_variable(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "bad-scope",
        format!("`{name}` varies, so its scope cannot be exact"),
    )
    .at(span, "")
    .hint("leave out `exactly`")
}

pub(crate) fn scope_against_multiplicity(name: &str, mult: Mult, atoms: u32, span: Span) -> Diagnostic {
    let (word, sizes) = match mult {
        Mult::One => ("one", "1"),
        Mult::Lone => ("lone", "0 or 1"),
        _ => ("some", "at least 1"),
    };
    Diagnostic::error(
        "bad-scope",
        format!("`{name}` is declared `{word}`, so its scope is {sizes}, not {atoms}"),
    )
    .at(span, "")
}

pub(crate) fn scope_missing(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "scope-missing",
        format!("the command says nothing about the size of `{name}`"),
    )
    .at(span, "")
    .hint(format!(
        "add `{name}` to the scope, or an overall scope: `for 3 but …`"
    ))
}

pub(crate) fn seq_too_long(wanted: u32, greatest: u32, bitwidth: u32, span: Span) -> Diagnostic {
    Diagnostic::error(
        "bad-scope",
        format!("sequences of length {wanted} need integers up to {wanted}, but the greatest is {greatest}"),
    )
    .at(span, "")
    .hint(format!(
        "integers have {bitwidth} bits here; add a larger `int` to the scope"
    ))
}
