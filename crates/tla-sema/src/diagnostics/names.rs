//! Names that are unknown, known twice, or of the wrong kind.

use diag::Diagnostic;
use source::Span;
use util::Symbol;

use super::{article, did_you_mean};

/// `library` names the module that would define the name, when one does.
pub fn unbound_name(name: Symbol, span: Span, in_scope: &[&str], library: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error("unbound-name", format!("`{name}` is not declared"))
        .at(span, "not declared or defined before this place");
    match library {
        Some(module) => diagnostic.hint(format!(
            "it is defined in module `{module}`: add `EXTENDS {module}`"
        )),
        None => did_you_mean(diagnostic, name.as_str(), in_scope),
    }
}

/// A note about the names that a report about the first of them covers too.
pub fn further_uses(names: &[Symbol]) -> Option<String> {
    let (first, rest) = names.split_first()?;
    if rest.is_empty() {
        return None;
    }
    let mut others: Vec<&str> = rest
        .iter()
        .filter(|&it| it != first)
        .map(|it| it.as_str())
        .collect();
    others.sort_unstable();
    others.dedup();
    let more = others.len().saturating_sub(SHOWN_MAX);
    others.truncate(SHOWN_MAX);
    Some(match (others.is_empty(), rest.len()) {
        (true, 1) => "it is used once more".to_string(),
        (true, n) => format!("it is used {n} more times"),
        (false, n) => {
            let names = others
                .iter()
                .map(|it| format!("`{it}`"))
                .collect::<Vec<_>>()
                .join(", ");
            let names = if more > 0 {
                format!("{names} and {more} other names")
            } else {
                names
            };
            let places = if n == 1 {
                "1 more place".to_string()
            } else {
                format!("{n} more places")
            };
            format!("the same goes for {places}, with {names}")
        }
    })
}

/// How many names a note lists.
const SHOWN_MAX: usize = 6;

pub fn defined_later(name: Symbol, span: Span, later: Span) -> Diagnostic {
    Diagnostic::error("defined-later", format!("`{name}` is used before it is defined"))
        .at(span, "used here")
        .also(later, "defined only here")
        .hint(format!(
            "move the definition of `{name}` up, or declare it with `RECURSIVE` if it is recursive"
        ))
}

pub fn undeclared_recursion(name: Symbol, span: Span, definition: Span, arity: usize) -> Diagnostic {
    let blanks = vec!["_"; arity].join(", ");
    let declaration = if arity == 0 {
        format!("RECURSIVE {name}")
    } else {
        format!("RECURSIVE {name}({blanks})")
    };
    Diagnostic::error(
        "undeclared-recursion",
        format!("`{name}` uses itself without being declared recursive"),
    )
    .at(span, "used in its own definition")
    .also(definition, "this definition")
    .hint(format!("add `{declaration}` before it"))
}

pub fn duplicate_name(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-name", format!("`{name}` is declared or defined twice"))
        .at(span, "given a meaning again here")
        .also(first, "first declared here")
        .hint("TLA+ has no shadowing: give one of them another name")
}

pub fn shadowed_name(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "shadowed-name",
        format!("the bound name `{name}` already has a meaning here"),
    )
    .at(span, "bound again here")
    .also(first, "already declared here")
    .hint("TLA+ has no shadowing: rename the bound name")
}

pub fn builtin_redefined(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "builtin-redefined",
        format!("the built-in operator `{name}` cannot be redefined"),
    )
    .at(span, "belongs to the language")
    .hint("define an operator of another name")
}

pub fn not_a_value(name: Symbol, span: Span, what: &str, declared: Span) -> Diagnostic {
    let hint = match what {
        "instance" => format!("select something of it: `{name}!…`"),
        _ => format!("open it first: `INSTANCE {name}`"),
    };
    Diagnostic::error(
        "not-a-value",
        format!("`{name}` is the name of {}, not a value", article(what)),
    )
    .at(span, "a value is needed here")
    .also(declared, "declared here")
    .hint(hint)
}

pub fn not_a_formula(name: Symbol, span: Span, what: &str, declared: Span) -> Diagnostic {
    Diagnostic::error("not-a-formula", format!("`{name}` is {what}, which has no value"))
        .at(span, "a formula is needed here")
        .also(declared, what)
        .hint("it can be cited in `BY` and `USE`, but not stand in an expression")
}

pub fn repeated_declaration(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::warning("repeated-declaration", format!("`{name}` is declared twice"))
        .at(span, "this declaration adds nothing")
        .also(first, "first declared here")
        .hint("remove one of them")
}

// Labels

pub fn misplaced_label(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "misplaced-label",
        format!("the label `{name}` is outside of every definition"),
    )
    .at(span, "nothing could refer to it")
    .hint("name the statement (`THEOREM T == …`), or remove the label")
}

pub fn label_under_new(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "label-under-new",
        format!("the label `{name}` stands under the `NEW` of an inner ASSUME"),
    )
    .at(span, "could be referred to only where that name is known")
    .hint("label the whole inner `ASSUME … PROVE` instead")
}

pub fn label_in_except(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "label-in-except",
        format!("the label `{name}` stands inside of `EXCEPT`"),
    )
    .at(span, "`@` would have no meaning from outside")
    .hint("define what it labels outside of the `EXCEPT`, with `LET`")
}

pub fn duplicate_label(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "duplicate-label",
        format!("two labels of one definition are called `{name}`"),
    )
    .at(span, "the second")
    .also(first, "the first")
    .hint("rename one of them: `!` could not tell them apart")
}

pub fn label_extra_parameter(label: Symbol, name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "label-extra-parameter",
        format!("`{name}` is not bound around the label `{label}`"),
    )
    .at(
        span,
        "no quantifier, CHOOSE or constructor inside of this definition binds it",
    )
    .hint("a label lists only names that are bound between the definition and the label")
}

pub fn label_repeats_parameter(label: Symbol, name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error(
        "label-repeats-parameter",
        format!("the label `{label}` lists `{name}` twice"),
    )
    .at(span, "listed already")
}

pub fn label_misses_parameter(label: Symbol, span: Span, name: Symbol, bound: Span) -> Diagnostic {
    Diagnostic::error(
        "label-misses-parameter",
        format!("the label `{label}` does not list `{name}`"),
    )
    .at(span, format!("`{name}` is bound here too"))
    .also(bound, "bound here")
    .hint("list every name that is bound around the label, so that `!` can say what it stands for")
}

// Habits

pub fn field_is_a_name(field: Symbol, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::warning(
        "field-is-a-name",
        format!("the field `{field}` has nothing to do with the `{field}` of this module"),
    )
    .at(span, format!("the field is the string \"{field}\""))
    .also(declared, "not this")
    .hint(format!(
        "for a function of that value write `{field} :> …`, or rename the field"
    ))
}
