//! What cannot be said of infinite behaviours, and what may be missed: one constructor per code, described in
//! `diagnostics/<code>.md`.

use diag::Diagnostic;
use source::Span;

/// Without a state nothing is checked: an error, unless somebody said that this may be.
pub fn no_initial_state(init: Option<Span>, may_be: bool) -> Diagnostic {
    let title = "no state satisfies the initial predicate, so nothing was checked";
    let empty = match may_be {
        true => Diagnostic::warning("no-initial-state", title),
        false => Diagnostic::error("no-initial-state", title),
    };
    let empty = empty
        .hint("conjuncts that exclude each other leave no state, and so does `x \\in S` for an empty set S");
    match init {
        Some(init) => empty.at(init, "FALSE in every state"),
        None => empty,
    }
}

pub fn nothing_to_check(module: Option<Span>) -> Diagnostic {
    let nothing = Diagnostic::error(
        "nothing-to-check",
        "there is nothing to check: no behaviour, no assumption and no postcondition",
    )
    .hint("declare variables and define `Init` and `Next`, or say with `--allow-empty` that this is meant");
    match module {
        Some(module) => nothing.at(module, "says nothing that could be false"),
        None => nothing,
    }
}

/// `name` is empty for a conjunct of the specification itself.
fn not_checked(name: &str, why: &str) -> String {
    match name {
        "" => format!("an assumption of the specification is not used: {why}"),
        _ => format!("`{name}` is not checked: {why}"),
    }
}

pub fn temporal_hidden_variable(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "temporal-hidden-variable",
        not_checked(name, "it hides a variable"),
    )
    .at(span, "speaks of the values of a variable that no state has")
    .hint("check the formula without the quantifier, with a refinement mapping for what is hidden")
}

pub fn temporal_guarantees(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "temporal-guarantees",
        not_checked(name, "`-+->` is about prefixes of behaviours"),
    )
    .at(span, "cannot be decided on a graph of states")
    .hint("check `F => G` instead")
}

pub fn temporal_variable_set(name: &str, span: Span) -> Diagnostic {
    let why = "a quantifier around a temporal formula has a set that changes";
    Diagnostic::warning("temporal-variable-set", not_checked(name, why))
        .at(span, "depends on the state")
        .hint("quantify over a constant set, with the condition inside: `\\A x \\in S : [](x \\in dom => …)`")
}

pub fn temporal_unbounded(name: &str, span: Span) -> Diagnostic {
    let why = "a quantifier around a temporal formula has no finite set";
    Diagnostic::warning("temporal-unbounded", not_checked(name, why))
        .at(span, "cannot be written out")
        .hint("give the quantifier a finite set, or replace an infinite one in the configuration")
}

pub fn temporal_recursive(name: &str, span: Span) -> Diagnostic {
    let why = "a temporal formula is defined by recursion";
    Diagnostic::warning("temporal-recursive", not_checked(name, why))
        .at(span, "calls itself")
        .hint("use a quantifier over a constant set")
}

pub fn temporal_too_large(name: &str, span: Span) -> Diagnostic {
    let why = "too many formulas when its quantifiers are written out";
    Diagnostic::warning("temporal-too-large", not_checked(name, why))
        .at(span, "too much of it")
        .hint("quantify over fewer values, or state the property for one of them")
}

pub fn liveness_with_symmetry() -> Diagnostic {
    Diagnostic::warning(
        "liveness-with-symmetry",
        "with SYMMETRY, temporal properties are checked on representatives of states",
    )
    .note("a behaviour that violates a property can be missed, and one that does not exist can be found")
    .hint("leave SYMMETRY out when temporal properties are checked")
}

pub fn liveness_with_view() -> Diagnostic {
    Diagnostic::warning(
        "liveness-with-view",
        "with VIEW, temporal properties are checked on one state for each view",
    )
    .note("a behaviour that violates a property can be missed, and one that does not exist can be found")
    .hint("leave VIEW out when temporal properties are checked")
}

pub fn liveness_with_constraints(names: &[&str]) -> Diagnostic {
    let names = names
        .iter()
        .map(|it| format!("`{it}`"))
        .collect::<Vec<_>>()
        .join(", ");
    Diagnostic::warning(
        "liveness-with-constraints",
        format!("temporal properties are checked only for behaviours that stay inside {names}"),
    )
    .note("a behaviour that leaves the constraints is not looked at, nor is what it does before")
}
