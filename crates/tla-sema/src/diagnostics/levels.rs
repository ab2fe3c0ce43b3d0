//! Levels.

use diag::Diagnostic;
use source::Span;
use util::Symbol;

use crate::ir::Level;

pub fn level_name(level: Level) -> &'static str {
    match level {
        Level::Constant => "a constant",
        Level::State => "a state function",
        Level::Action => "an action",
        Level::Temporal => "a temporal formula",
    }
}

/// `allowed` is the highest level that may stand there.
pub fn level_too_high(operator: &str, span: Span, allowed: Level, got: Level) -> Diagnostic {
    let title = format!(
        "{operator} takes {} at most, but this is {}",
        level_name(allowed),
        level_name(got)
    );
    let diagnostic = Diagnostic::error("level-too-high", title).at(span, level_name(got));
    match (operator, got) {
        ("prime", Level::Action) => diagnostic.hint("a primed expression cannot be primed again"),
        ("prime" | "`UNCHANGED`", Level::Temporal) => diagnostic,
        (_, Level::Temporal) => {
            diagnostic.hint("a temporal formula has a value for a behaviour, not for a state")
        }
        _ => diagnostic,
    }
}

pub fn stuttering_always(span: Span) -> Diagnostic {
    Diagnostic::error(
        "stuttering-always",
        "`[]` over an action that is not of the form `[A]_v`",
    )
    .at(span, "stuttering steps would violate it")
    .hint("write `[][A]_vars`")
}

pub fn stuttering_eventually(span: Span) -> Diagnostic {
    Diagnostic::error(
        "stuttering-eventually",
        "`<>` over an action that is not of the form `<<A>>_v`",
    )
    .at(span, "a stuttering step could satisfy it")
    .hint("write `<><<A>>_vars`")
}

pub fn action_in_temporal(operator: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "action-in-temporal",
        format!("`{operator}` relates temporal formulas or state predicates, not actions"),
    )
    .at(span, "an action")
}

pub fn mixed_levels(operator: &str, action: Span, temporal: Span) -> Diagnostic {
    Diagnostic::error(
        "mixed-levels",
        format!("`{operator}` joins an action and a temporal formula"),
    )
    .at(action, "an action")
    .also(temporal, "a temporal formula")
    .hint("an action becomes temporal as `[][A]_v` or `<><<A>>_v`")
}

pub fn assumption_level(span: Span, got: Level) -> Diagnostic {
    Diagnostic::error(
        "assumption-level",
        format!(
            "an assumption must be about constants, but this is {}",
            level_name(got)
        ),
    )
    .at(span, level_name(got))
    .hint("what holds of the initial states belongs in `Init`, what always holds is an invariant")
}

pub fn substitution_level(
    name: Symbol,
    span: Span,
    declared: Span,
    allowed: Level,
    got: Level,
) -> Diagnostic {
    let title = format!(
        "`{name}` can be replaced by {} at most, but this is {}",
        level_name(allowed),
        level_name(got)
    );
    let diagnostic = Diagnostic::error("substitution-level", title)
        .at(span, level_name(got))
        .also(declared, "declared here");
    match allowed {
        Level::Constant => diagnostic.hint(format!(
            "what changes with the state can replace a variable: declare `{name}` as one"
        )),
        _ => diagnostic,
    }
}

pub fn argument_level(
    name: Symbol,
    span: Span,
    param: Symbol,
    declared: Span,
    allowed: Level,
    got: Level,
) -> Diagnostic {
    let title = format!(
        "`{name}` uses its parameter `{param}` where only {} is allowed, but this is {}",
        level_name(allowed),
        level_name(got)
    );
    Diagnostic::error("argument-level", title)
        .at(span, level_name(got))
        .also(declared, "defined here")
}

pub fn temporal_bound(span: Span, body: Span) -> Diagnostic {
    Diagnostic::error(
        "temporal-bound",
        "the set of a quantified temporal formula cannot be an action",
    )
    .at(span, "an action: it has a value only for a step")
    .also(body, "a temporal formula")
}

pub fn temporal_set(span: Span) -> Diagnostic {
    Diagnostic::error(
        "temporal-set",
        "names are bound in a temporal formula, which is no set",
    )
    .at(span, "a temporal formula")
}

pub fn recursive_primes(name: Symbol, param: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "recursive-primes",
        format!("the recursive operator `{name}` primes its parameter `{param}`"),
    )
    .at(span, "primed in the definition")
    .hint("a recursive call would prime it again: prime the argument where the operator is called")
}

/// `op` is given for the parameter `param` of `name`, which applies it to something of level `need`.
pub fn operator_level(
    op: Symbol,
    span: Span,
    name: Symbol,
    param: Symbol,
    declared: Span,
    allowed: Level,
    need: Level,
) -> Diagnostic {
    let title = format!(
        "`{op}` takes {} at most, but stands for `{param}`, which is applied to {}",
        level_name(allowed),
        level_name(need)
    );
    let where_ = if name == param {
        format!("`{param}` is declared here")
    } else {
        format!("`{name}` applies it")
    };
    Diagnostic::error("operator-level", title)
        .at(span, format!("given for `{param}`"))
        .also(declared, where_)
}

/// `name` hands an argument to the operator `op` that another argument gives.
pub fn handed_level(
    name: Symbol,
    span: Span,
    got: Level,
    op: Symbol,
    operator: Span,
    allowed: Level,
) -> Diagnostic {
    let title = format!(
        "`{name}` applies `{op}` to this argument, which is {}; `{op}` takes {} at most",
        level_name(got),
        level_name(allowed)
    );
    Diagnostic::error("handed-level", title)
        .at(span, level_name(got))
        .also(operator, format!("takes {} at most", level_name(allowed)))
}

pub fn not_leibniz(op: Symbol, span: Span, replaced: Symbol, declared: Span, module: Symbol) -> Diagnostic {
    Diagnostic::error("not-leibniz", format!("`{op}` cannot stand for the constant operator `{replaced}` of `{module}`"))
        .at(span, "equal arguments need not give equal results")
        .also(declared, "declared here")
        .note("an operator that primes its argument, or puts it under ENABLED or [], looks at more than its value now")
}
