//! Operators and their arguments, recursion.

use diag::Diagnostic;
use source::Span;
use util::Symbol;

use super::count;

pub fn wrong_arity(name: Symbol, span: Span, declared: Span, want: usize, got: usize) -> Diagnostic {
    let title = format!(
        "`{name}` takes {}, but is given {}",
        count(want, "argument"),
        count(got, "argument")
    );
    let form = match want {
        0 => format!("write `{name}` without arguments"),
        n => format!("write `{name}({})`", vec!["…"; n].join(", ")),
    };
    Diagnostic::error("wrong-arity", title)
        .at(span, count(got, "argument"))
        .also(declared, "declared here")
        .hint(form)
}

/// A parameter of a definition, or a constant that an instance replaces.
fn parameter(name: Symbol, param: Symbol) -> String {
    if name == param {
        format!("the constant `{param}`")
    } else {
        format!("parameter `{param}` of `{name}`")
    }
}

pub fn operator_expected(name: Symbol, span: Span, param: Symbol, declared: Span, arity: u32) -> Diagnostic {
    let params = (1..=arity)
        .map(|i| format!("x{i}"))
        .collect::<Vec<_>>()
        .join(", ");
    let what = parameter(name, param);
    let title = format!("{what} is an operator of {}", count(arity as usize, "argument"));
    Diagnostic::error("operator-expected", title)
        .at(span, "this is a value")
        .also(declared, "declared here")
        .hint(format!(
            "give the name of such an operator, or `LAMBDA {params} : …`"
        ))
}

pub fn operator_arity(
    name: Symbol,
    span: Span,
    param: Symbol,
    declared: Span,
    want: u32,
    got: usize,
) -> Diagnostic {
    let what = parameter(name, param);
    let (want, got) = (count(want as usize, "argument"), count(got, "argument"));
    Diagnostic::error(
        "operator-arity",
        format!("{what} is an operator of {want}, but this one takes {got}"),
    )
    .at(span, format!("takes {got}"))
    .also(declared, format!("takes {want}"))
}

pub fn misplaced_lambda(span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-lambda", "`LAMBDA` stands where a value is needed")
        .at(span, "an operator, not a value")
        .hint("a function is written `[x \\in S |-> …]`; `LAMBDA` is only for operator parameters")
}

pub fn misplaced_operator(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "misplaced-operator",
        format!("the operator `{name}` stands where a value is needed"),
    )
    .at(span, "an operator, not a value")
    .hint("an operator can be given only for a parameter that is one, such as `Op(_, _)`")
}

pub fn at_outside_except(span: Span) -> Diagnostic {
    Diagnostic::error("at-outside-except", "`@` has a meaning only inside `EXCEPT`")
        .at(span, "no `EXCEPT` around it")
        .hint("`@` is the old value in `[f EXCEPT ![x] = @ + 1]`")
}

pub fn duplicate_field(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-field", format!("the field `{name}` is given twice"))
        .at(span, "again here")
        .also(first, "first given here")
        .hint("remove or rename one of them")
}

pub fn function_arity(name: Symbol, span: Span, defined: Span, want: usize, got: usize) -> Diagnostic {
    let title = format!(
        "the function `{name}` has {}, but is applied to {got}",
        count(want, "argument")
    );
    Diagnostic::error("function-arity", title)
        .at(span, count(got, "argument"))
        .also(defined, "defined here")
}

pub fn higher_order_argument(
    name: Symbol,
    span: Span,
    param: Symbol,
    given: Symbol,
    higher: Symbol,
    declared: Span,
) -> Diagnostic {
    let title =
        format!("`{given}` cannot be given for `{param}` of `{name}`, because it takes an operator itself");
    Diagnostic::error("higher-order-argument", title)
        .at(span, "an operator of operators")
        .also(declared, format!("its parameter `{higher}` is an operator"))
        .hint("wrap it: `LAMBDA x : …` with values as parameters")
}

// Recursion

pub fn recursive_not_defined(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "recursive-not-defined",
        format!("`{name}` is declared RECURSIVE but never defined"),
    )
    .at(span, "declared here")
    .hint("define it in the same module or LET, or remove the declaration")
}

pub fn recursive_arity(name: Symbol, span: Span, declared: Span, want: usize, got: usize) -> Diagnostic {
    let title = format!(
        "`{name}` is declared RECURSIVE with {}, but defined with {}",
        count(want, "argument"),
        got
    );
    Diagnostic::error("recursive-arity", title)
        .at(span, "defined here")
        .also(declared, "declared here")
}

pub fn recursive_takes_operator(name: Symbol, param: Symbol, span: Span) -> Diagnostic {
    let title = format!("the recursive operator `{name}` takes an operator, `{param}`");
    Diagnostic::error("recursive-takes-operator", title)
        .at(span, "the parameters of a recursive operator are values")
        .hint("make the function that is passed a value: `f[x]` instead of `Op(x)`")
}

pub fn recursive_defined_inside(name: Symbol, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "recursive-defined-inside",
        format!("`{name}` is declared RECURSIVE outside of the LET that defines it"),
    )
    .at(span, "defined here, inside of a LET")
    .also(declared, "declared here, outside of it")
    .hint("declare and define it in the same place")
}

pub fn in_recursive_section(what: &str, span: Span, name: Symbol, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "in-recursive-section",
        format!("{what} stands between the declaration and the definition of `{name}`"),
    )
    .at(span, "only definitions may stand here")
    .also(declared, "declared RECURSIVE here, not defined yet")
    .hint(format!(
        "move it before the declaration of `{name}` or after its definition"
    ))
}
