//! What is wrong with a configuration, or with a specification that has none.

use diag::Diagnostic;
use source::Span;
use util::Symbol;

use super::{count, did_you_mean, level_name};
use crate::ir::Level;

/// `what` is the role: "the invariant", "the initial predicate".
pub fn config_unknown_name(what: &str, name: Symbol, span: Span, in_scope: &[&str]) -> Diagnostic {
    let title = format!("{what} `{name}` is not defined in the specification");
    let diagnostic = Diagnostic::error("config-unknown-name", title).at(span, "not defined");
    did_you_mean(diagnostic, name.as_str(), in_scope)
}

/// `got` says what it is instead: "a variable".
pub fn config_not_a_definition(
    what: &str,
    name: Symbol,
    span: Span,
    got: &str,
    declared: Span,
) -> Diagnostic {
    Diagnostic::error(
        "config-not-a-definition",
        format!("{what} `{name}` is {got}, not a definition"),
    )
    .at(span, got.to_string())
    .also(declared, "declared here")
    .hint(format!(
        "define a formula in the module, say `Check == … {name} …`, and name that"
    ))
}

pub fn config_takes_arguments(
    what: &str,
    name: Symbol,
    span: Span,
    defined: Span,
    arity: usize,
) -> Diagnostic {
    let title = format!("{what} `{name}` takes {}", count(arity, "argument"));
    Diagnostic::error("config-takes-arguments", title)
        .at(span, "nothing says what the arguments are")
        .also(defined, "defined here")
        .hint(format!(
            "define an instance of it without parameters, and name that instead of `{name}`"
        ))
}

pub fn config_level(
    what: &str,
    name: Symbol,
    span: Span,
    defined: Span,
    allowed: Level,
    got: Level,
) -> Diagnostic {
    let title = format!(
        "{what} `{name}` must be {} at most, but is {}",
        level_name(allowed),
        level_name(got)
    );
    let diagnostic = Diagnostic::error("config-level", title)
        .at(span, level_name(got))
        .also(defined, "defined here");
    match (what, got) {
        ("the invariant", Level::Temporal) => diagnostic
            .hint("an invariant is checked in every state: leave out the `[]`, or make it a PROPERTY"),
        ("the invariant", Level::Action) => {
            diagnostic.hint("what every step must do is a PROPERTY: `[][A]_vars`")
        }
        ("the initial predicate", _) => {
            diagnostic.hint("INIT says what the first state is: it has no primes")
        }
        ("the next-state action", Level::Temporal) => {
            diagnostic.hint("for a whole formula `Init /\\ [][Next]_vars` use SPECIFICATION")
        }
        ("the constraint", Level::Action) => diagnostic.hint("a constraint on steps is an ACTION_CONSTRAINT"),
        _ => diagnostic,
    }
}

pub fn config_property_action(name: Symbol, span: Span, defined: Span) -> Diagnostic {
    Diagnostic::error(
        "config-property-action",
        format!("the property `{name}` is an action, not a temporal formula"),
    )
    .at(
        span,
        "an action says something of one step, a property of a behaviour",
    )
    .also(defined, "defined here")
    .hint(format!(
        "for every step write `[][{name}]_vars`, for some step `<><<{name}>>_vars`"
    ))
}

pub fn config_property_state(name: Symbol, span: Span, defined: Span) -> Diagnostic {
    let title = format!("the property `{name}` says something of the initial states only");
    Diagnostic::warning("config-property-state", title)
        .at(span, "a state predicate")
        .also(defined, "defined here")
        .hint(format!(
            "to check it in every state, make it an INVARIANT or write `[]{name}`"
        ))
}

pub fn config_constant_invariant(name: Symbol, span: Span, defined: Span) -> Diagnostic {
    Diagnostic::warning(
        "config-constant-invariant",
        format!("the invariant `{name}` does not look at the state"),
    )
    .at(span, "a constant: the same in every state")
    .also(defined, "defined here")
    .hint("what holds of the constants alone is an ASSUME")
}

pub fn config_missing_constant(name: Symbol, config: Option<Span>, declared: Span, arity: u32) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "config-missing-constant",
        format!("the constant `{name}` has no value"),
    );
    let diagnostic = match config {
        Some(span) => diagnostic
            .at(declared, "declared here")
            .also(span, "no CONSTANT statement names it"),
        None => diagnostic.at(declared, "declared here"),
    };
    match (config, arity) {
        (Some(_), 0) => diagnostic.hint(format!(
            "add `CONSTANT {name} = …`, or `{name} <- Def` with a definition of the module"
        )),
        (Some(_), _) => diagnostic.hint(format!(
            "define an operator in the module, say `Def`, and add `CONSTANT {name} <- Def`"
        )),
        (None, _) => diagnostic.hint("give it a value in a configuration: `--config FILE`"),
    }
}

pub fn config_unused_constant(name: Symbol, span: Span, in_scope: &[&str]) -> Diagnostic {
    let title = format!("`{name}` is given a value, but the specification has no constant of that name");
    let diagnostic = Diagnostic::warning("config-unused-constant", title).at(span, "has no effect");
    did_you_mean(diagnostic, name.as_str(), in_scope)
}

pub fn config_override_unknown(name: Symbol, span: Span, module: Symbol, in_scope: &[&str]) -> Diagnostic {
    let title = format!("`{name}` is to be replaced, but `{module}` declares and defines no such name");
    let diagnostic = Diagnostic::error("config-override-unknown", title).at(span, "not known there");
    did_you_mean(diagnostic, name.as_str(), in_scope)
}

pub fn config_override_target(name: Symbol, span: Span, got: &str, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "config-override-target",
        format!("`{name}` is {got}: only constants and definitions can be replaced"),
    )
    .at(span, got.to_string())
    .also(declared, "declared here")
}

pub fn config_override_arity(
    name: Symbol,
    span: Span,
    declared: Span,
    want: usize,
    by: Symbol,
    defined: Span,
    got: usize,
) -> Diagnostic {
    let title = format!(
        "`{name}` takes {}, but `{by}` that replaces it takes {}",
        count(want, "argument"),
        count(got, "argument")
    );
    Diagnostic::error("config-override-arity", title)
        .at(span, "replaced here")
        .also(declared, format!("takes {}", count(want, "argument")))
        .also(defined, format!("takes {}", count(got, "argument")))
}

pub fn config_override_level(name: Symbol, span: Span, by: Symbol, defined: Span, got: Level) -> Diagnostic {
    Diagnostic::error(
        "config-override-level",
        format!("the constant `{name}` cannot be {}", level_name(got)),
    )
    .at(span, format!("`{by}` is {}", level_name(got)))
    .also(defined, "defined here")
    .hint("a constant is the same in all states: what replaces it may not mention variables")
}

pub fn config_override_chain(name: Symbol, span: Span, by: Symbol, replaced: Span) -> Diagnostic {
    Diagnostic::error(
        "config-override-chain",
        format!("`{name}` is replaced by `{by}`, which is replaced itself"),
    )
    .at(span, format!("replaced by `{by}`"))
    .also(replaced, "replaced here")
    .hint(format!("replace `{name}` by what `{by}` is replaced by"))
}

pub fn config_value_arity(name: Symbol, span: Span, declared: Span, want: usize, got: usize) -> Diagnostic {
    let title = match (want, got) {
        (_, 0) => format!(
            "`{name}` is an operator of {}, but is given a value",
            count(want, "argument")
        ),
        (0, _) => format!("`{name}` takes no arguments"),
        _ => format!("`{name}` takes {}, but {got} are given", count(want, "argument")),
    };
    let diagnostic = Diagnostic::error("config-value-arity", title)
        .at(span, "here")
        .also(declared, "declared here");
    match got {
        0 => diagnostic.hint(format!(
            "define an operator in the module, say `Def`, and write `{name} <- Def`"
        )),
        _ => diagnostic,
    }
}

/// `name` is a word that means a model value here, and a definition in the module.
pub fn config_value_is_a_name(constant: Symbol, name: Symbol, span: Span, defined: Span) -> Diagnostic {
    let title = format!("`{name}` is a model value here, not the `{name}` that the module defines");
    Diagnostic::warning("config-value-is-a-name", title)
        .at(span, "equal to itself and to nothing else")
        .also(defined, "not this")
        .hint(format!("for the definition write `{constant} <- {name}`"))
}

pub fn config_unknown_module(name: Symbol, span: Span, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error("config-unknown-module", format!("no module `{name}` is opened"))
        .at(span, "not a module of this specification");
    did_you_mean(diagnostic, name.as_str(), known)
}

pub fn config_missing_init(span: Span) -> Diagnostic {
    Diagnostic::error(
        "config-missing-init",
        "the configuration does not say where behaviours start",
    )
    .at(span, "neither SPECIFICATION nor INIT")
    .hint("add `SPECIFICATION Spec`, or `INIT Init` and `NEXT Next`")
}

pub fn config_missing_next(span: Span) -> Diagnostic {
    Diagnostic::error(
        "config-missing-next",
        "the configuration says where behaviours start, but not how they go on",
    )
    .at(span, "INIT without NEXT")
    .hint("add `NEXT Next`")
}

pub fn no_behaviour(module: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "no-behaviour",
        format!("nothing says which behaviours of `{module}` are meant"),
    )
    .at(span, "neither `Spec` nor `Init` and `Next` are defined")
    .hint("name them in a configuration: `--config FILE`")
}
