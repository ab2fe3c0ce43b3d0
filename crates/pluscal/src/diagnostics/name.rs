//! Names that mean nothing, or too much.

use diag::Diagnostic;
use source::Span;

use crate::ast::Name;
use crate::expr::Expr;

/// Proposes the known name that is nearest, or else says something of use.
fn with_closest(wrong: Diagnostic, name: Name, mut known: Vec<&str>, otherwise: &str) -> Diagnostic {
    // Candidates come out of tables in any order; what is proposed must not depend on it.
    known.sort_unstable();
    match diag::closest(name.text.as_str(), known) {
        Some(near) => {
            wrong
                .hint(format!("did you mean `{near}`?"))
                .fix(format!("write `{near}`"), name.span, near)
        }
        None => wrong.hint(otherwise),
    }
}

pub(crate) fn duplicate_macro(name: Name, first: Name) -> Diagnostic {
    Diagnostic::error(
        "duplicate-macro",
        format!("macro `{}` is defined twice", name.text),
    )
    .at(name.span, "the second definition")
    .also(first.span, "the first one")
}

pub(crate) fn unknown_macro(name: Name, known: Vec<&str>) -> Diagnostic {
    let wrong = Diagnostic::error("unknown-macro", format!("there is no macro `{}`", name.text))
        .at(name.span, "not defined above");
    with_closest(
        wrong,
        name,
        known,
        "a macro is defined before it is used; a procedure is called by `call`",
    )
}

pub(crate) fn macro_arity(name: Name, definition: Name, takes: usize, given: usize) -> Diagnostic {
    let title = format!("macro `{}` takes {}, not {given}", name.text, arguments(takes));
    Diagnostic::error("macro-arity", title)
        .at(name.span, format!("called with {}", arguments(given)))
        .also(definition.span, "defined here")
}

fn arguments(n: usize) -> String {
    match n {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        n => format!("{n} arguments"),
    }
}

pub(crate) fn assignment_to_argument(variable: Name, arg: &Expr, call: Span) -> Diagnostic {
    let arg: Vec<String> = arg.text().iter().map(|it| it.trim().to_string()).collect();
    let title = format!("`{}` cannot be assigned to", arg.join(" "));
    Diagnostic::error("assignment-to-argument", title)
        .at(call, format!("given to the macro as `{}`", variable.text))
        .also(variable.span, "which is assigned here")
        .hint("pass the name of a variable")
}

pub(crate) fn defined_twice(sort: &str, name: Name, first: Name, first_sort: &str) -> Diagnostic {
    let title = format!("{} `{}` is declared twice", sort.to_lowercase(), name.text);
    let wrong = Diagnostic::error("declared-twice", title).at(name.span, "the second declaration");
    match first.at.line {
        0 => wrong.hint(format!(
            "`{}` is a variable that the translation brings along",
            name.text
        )),
        _ => wrong.also(first.span, format!("{} of this name", first_sort.to_lowercase())),
    }
}

pub(crate) fn reserved_name(name: Name) -> Diagnostic {
    Diagnostic::error("reserved-name", format!("`{}` cannot be declared", name.text))
        .at(name.span, "the translation uses this name")
        .hint("it is the first value of variables that have none")
}

pub(crate) fn unknown_label(name: Name, known: Vec<&str>) -> Diagnostic {
    let wrong = Diagnostic::error("unknown-label", format!("there is no label `{}` here", name.text))
        .at(name.span, "control cannot go there");
    with_closest(
        wrong,
        name,
        known,
        "`goto` reaches the labels of its own process or procedure, and `Done`",
    )
}

pub(crate) fn unknown_procedure(name: Name, known: Vec<&str>) -> Diagnostic {
    let wrong = Diagnostic::error(
        "unknown-procedure",
        format!("there is no procedure `{}`", name.text),
    )
    .at(name.span, "not defined");
    with_closest(
        wrong,
        name,
        known,
        "a macro is called by its name alone, without `call`",
    )
}

pub(crate) fn procedure_arity(name: Name, definition: Name, takes: usize, given: usize) -> Diagnostic {
    let title = format!(
        "procedure `{}` takes {}, not {given}",
        name.text,
        arguments(takes)
    );
    Diagnostic::error("procedure-arity", title)
        .at(name.span, format!("called with {}", arguments(given)))
        .also(definition.span, "defined here")
}

pub(crate) fn parameters_not_restored(call: Span, procedure: Name, params: &[&str]) -> Diagnostic {
    let names: Vec<String> = params.iter().map(|it| format!("`{it}`")).collect();
    let title = format!(
        "this call leaves {} of `{}` as they are",
        names.join(", "),
        procedure.text
    );
    Diagnostic::warning("parameters-not-restored", title)
        .at(call, "the procedure returns with this call")
        .also(
            procedure.span,
            "an outer call of it goes on with the parameters of this one",
        )
        .hint("put a label before `return`; then everything is put back")
}

pub(crate) fn not_a_variable(name: Name, known: Vec<&str>) -> Diagnostic {
    let wrong = Diagnostic::error("not-a-variable", format!("`{}` is no variable", name.text))
        .at(name.span, "only variables get values");
    with_closest(
        wrong,
        name,
        known,
        "declare it under `variables`; what `with` names keeps its value",
    )
}

pub(crate) fn assigned_twice(name: Name, first: Name) -> Diagnostic {
    let title = format!("`{}` is assigned twice in one statement", name.text);
    Diagnostic::error("assigned-twice", title)
        .at(name.span, "the second value")
        .also(first.span, "the first one")
        .hint("the parts of `||` assign to different variables, or to different parts of one")
}

pub(crate) fn return_outside(span: Span) -> Diagnostic {
    Diagnostic::error("return-outside", "this `return` is in no procedure")
        .at(span, "there is nothing to return from")
        .hint("to end a process write `goto Done`")
        .fix("go to the end of the process", span, "goto Done")
}
