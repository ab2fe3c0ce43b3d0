//! Everything that can be wrong with the meaning of a module: one constructor per code.
//!
//! A constructor takes what its caller has at hand and decides the words. Each code is described, with an example,
//! in `diagnostics/<code>.md`.

use diag::{Diagnostic, closest};
use source::Span;
use util::Symbol;

use crate::ir::Level;

fn did_you_mean(diagnostic: Diagnostic, name: &str, in_scope: &[&str]) -> Diagnostic {
    match closest(name, in_scope.iter().copied()) {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}

// Names

/// `library` names the module that would define the name, when one does.
pub fn unbound_name(name: Symbol, span: Span, in_scope: &[&str], library: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error("unbound-name", format!("`{name}` is not declared"))
        .at(span, "not declared or defined before this place");
    match library {
        Some(module) => diagnostic.hint(format!("it is defined in module `{module}`: add `EXTENDS {module}`")),
        None => did_you_mean(diagnostic, name.as_str(), in_scope),
    }
}

pub fn defined_later(name: Symbol, span: Span, later: Span) -> Diagnostic {
    Diagnostic::error("defined-later", format!("`{name}` is used before it is defined"))
        .at(span, "used here")
        .also(later, "defined only here")
        .hint(format!("move the definition of `{name}` up, or declare it with `RECURSIVE` if it is recursive"))
}

pub fn undeclared_recursion(name: Symbol, span: Span, definition: Span, arity: usize) -> Diagnostic {
    let blanks = vec!["_"; arity].join(", ");
    let declaration = if arity == 0 { format!("RECURSIVE {name}") } else { format!("RECURSIVE {name}({blanks})") };
    Diagnostic::error("undeclared-recursion", format!("`{name}` uses itself without being declared recursive"))
        .at(span, "used in its own definition")
        .also(definition, "this definition")
        .hint(format!("add `{declaration}` before it"))
}

pub fn duplicate_name(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-name", format!("`{name}` is declared or defined twice"))
        .at(span, "declared again here")
        .also(first, "first declared here")
        .hint("TLA+ has no shadowing: give one of them another name")
}

pub fn shadowed_name(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("shadowed-name", format!("the bound name `{name}` already has a meaning here"))
        .at(span, "bound again here")
        .also(first, "already declared here")
        .hint("TLA+ has no shadowing: rename the bound name")
}

pub fn builtin_redefined(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error("builtin-redefined", format!("the built-in operator `{name}` cannot be redefined"))
        .at(span, "belongs to the language")
        .hint("define an operator of another name")
}

pub fn conflicting_imports(name: Symbol, span: Span, first: Span, second: Span) -> Diagnostic {
    Diagnostic::warning("conflicting-imports", format!("`{name}` comes from two modules with different definitions"))
        .at(span, "the later definition is ignored")
        .also(first, "this definition is used")
        .also(second, "this one is not")
        .hint("make one of them LOCAL, or open one module with a named INSTANCE")
}

pub fn clashing_imports(name: Symbol, span: Span, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error("clashing-imports", format!("`{name}` means different things in two opened modules"))
        .at(span, "both meanings meet here")
        .also(first, "this is one of them")
        .also(second, "this is the other")
        .hint("open one of the modules with a named INSTANCE")
}

pub fn not_a_value(name: Symbol, span: Span, what: &str, declared: Span) -> Diagnostic {
    let hint = match what {
        "instance" => format!("select something of it: `{name}!…`"),
        _ => format!("open it first: `INSTANCE {name}`"),
    };
    Diagnostic::error("not-a-value", format!("`{name}` is the name of {}, not a value", article(what)))
        .at(span, "a value is needed here")
        .also(declared, "declared here")
        .hint(hint)
}

fn article(what: &str) -> String {
    let vowel = what.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {what}", if vowel { "an" } else { "a" })
}

// Operators and arguments

pub fn wrong_arity(name: Symbol, span: Span, declared: Span, want: usize, got: usize) -> Diagnostic {
    let title = format!("`{name}` takes {}, but is given {}", count(want, "argument"), count(got, "argument"));
    let form = match want {
        0 => format!("write `{name}` without arguments"),
        n => format!("write `{name}({})`", vec!["…"; n].join(", ")),
    };
    Diagnostic::error("wrong-arity", title).at(span, "here").also(declared, "declared here").hint(form)
}

pub fn operator_expected(name: Symbol, span: Span, param: Symbol, declared: Span, arity: u32) -> Diagnostic {
    let params = (1..=arity).map(|i| format!("x{i}")).collect::<Vec<_>>().join(", ");
    Diagnostic::error(
        "operator-expected",
        format!("parameter `{param}` of `{name}` is an operator of {}", count(arity as usize, "argument")),
    )
    .at(span, "this is a value")
    .also(declared, "the parameter is declared here")
    .hint(format!("pass the name of such an operator, or `LAMBDA {params} : …`"))
}

pub fn operator_arity(name: Symbol, span: Span, param: Symbol, want: u32, got: usize) -> Diagnostic {
    let title = format!(
        "parameter `{param}` of `{name}` needs an operator of {}, this one takes {}",
        count(want as usize, "argument"),
        count(got, "argument")
    );
    Diagnostic::error("operator-arity", title).at(span, format!("takes {}", count(got, "argument")))
}

pub fn misplaced_lambda(span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-lambda", "`LAMBDA` stands where a value is needed")
        .at(span, "an operator, not a value")
        .hint("a function is written `[x \\in S |-> …]`; `LAMBDA` is only for operator parameters")
}

pub fn misplaced_operator(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-operator", format!("the operator `{name}` stands where a value is needed"))
        .at(span, "an operator, not a value")
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
}

pub fn misplaced_assume_prove(span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-assume-prove", "`ASSUME … PROVE` stands where a formula is needed")
        .at(span, "a rule, not a formula")
        .hint("write an implication: `assumptions => conclusion`")
}

// Recursion

pub fn recursive_not_defined(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error("recursive-not-defined", format!("`{name}` is declared RECURSIVE but never defined"))
        .at(span, "declared here")
        .hint("define it in the same module or LET, or remove the declaration")
}

pub fn recursive_arity(name: Symbol, span: Span, declared: Span, want: usize, got: usize) -> Diagnostic {
    let title = format!("`{name}` is declared RECURSIVE with {}, but defined with {}", count(want, "argument"), got);
    Diagnostic::error("recursive-arity", title).at(span, "defined here").also(declared, "declared here")
}

// Modules

pub fn module_not_found(name: Symbol, span: Span, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error("module-not-found", format!("module `{name}` is not found"))
        .at(span, "neither beside this file nor built in");
    match closest(name.as_str(), known.iter().copied()) {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic.hint(format!("put `{name}.tla` into the folder of the file that opens it")),
    }
}

pub fn module_cycle(chain: &[Symbol], span: Span) -> Diagnostic {
    let path = chain.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" opens ");
    Diagnostic::error("module-cycle", "modules open each other in a circle")
        .at(span, "closes the circle")
        .note(path)
        .hint("move what both need into a third module")
}

pub fn module_name_mismatch(name: Symbol, span: Span, file_stem: &str) -> Diagnostic {
    Diagnostic::error("module-name-mismatch", format!("the module is called `{name}`, but its file is `{file_stem}.tla`"))
        .at(span, "the name of the module")
        .hint(format!("rename the module to `{file_stem}`, or the file to `{name}.tla`"))
}

pub fn module_with_errors(name: Symbol, span: Span) -> Diagnostic {
    Diagnostic::error("module-with-errors", format!("module `{name}` cannot be opened, because it has errors"))
        .at(span, "opened here")
}

pub fn module_redefined(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("module-redefined", format!("there are two modules called `{name}`"))
        .at(span, "the second")
        .also(first, "the first")
}

// Instances

pub fn unknown_substitution(name: Symbol, span: Span, module: Symbol, declared: &[&str]) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("unknown-substitution", format!("module `{module}` declares no constant or variable `{name}`"))
            .at(span, "only declared names can be replaced");
    did_you_mean(diagnostic, name.as_str(), declared)
}

pub fn missing_substitution(name: Symbol, span: Span, module: Symbol, declared: Span) -> Diagnostic {
    Diagnostic::error("missing-substitution", format!("the instance of `{module}` says nothing for `{name}`"))
        .at(span, format!("no `{name}` is known here"))
        .also(declared, "declared here")
        .hint(format!("add `WITH {name} <- …`, or declare `{name}` before the instance"))
}

pub fn duplicate_substitution(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-substitution", format!("`{name}` is replaced twice"))
        .at(span, "again here")
        .also(first, "first here")
}

pub fn unknown_member(name: Symbol, span: Span, module: Symbol, exported: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-member", format!("module `{module}` defines no `{name}`"))
        .at(span, "not defined there (or LOCAL)");
    did_you_mean(diagnostic, name.as_str(), exported)
}

pub fn not_selectable(span: Span, why: &str) -> Diagnostic {
    Diagnostic::error("not-selectable", "this `!` selects nothing").at(span, why.to_string())
}

pub fn unbound_selection(span: Span, names: &[Symbol]) -> Diagnostic {
    let names = names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    Diagnostic::error("unbound-selection", "the selected part has bound names that are given no value")
        .at(span, format!("{names} would be free"))
        .hint("give them values: `!(a, b)`")
}

// Levels

pub fn level_name(level: Level) -> &'static str {
    match level {
        Level::Constant => "a constant",
        Level::State => "a state function",
        Level::Action => "an action",
        Level::Temporal => "a temporal formula",
    }
}

/// `allowed` is the highest level that may stand there.
pub fn level_too_high(operator: &str, span: Span, allowed: Level, got: Level, why: Option<(Span, &str)>) -> Diagnostic {
    let title = format!("{operator} applies to {} at most, but this is {}", level_name(allowed), level_name(got));
    let mut diagnostic = Diagnostic::error("level-too-high", title).at(span, level_name(got));
    if let Some((place, text)) = why {
        diagnostic = diagnostic.also(place, text);
    }
    match (operator, got) {
        ("prime", Level::Action) => diagnostic.hint("a primed expression cannot be primed again"),
        _ => diagnostic,
    }
}

pub fn stuttering_always(span: Span) -> Diagnostic {
    Diagnostic::error("stuttering-always", "`[]` over an action that is not of the form `[A]_v`")
        .at(span, "stuttering steps would violate it")
        .hint("write `[][A]_vars`")
}

pub fn stuttering_eventually(span: Span) -> Diagnostic {
    Diagnostic::error("stuttering-eventually", "`<>` over an action that is not of the form `<<A>>_v`")
        .at(span, "a stuttering step could satisfy it")
        .hint("write `<><<A>>_vars`")
}

pub fn action_in_temporal(operator: &str, span: Span) -> Diagnostic {
    Diagnostic::error("action-in-temporal", format!("`{operator}` relates temporal formulas or state predicates, not actions"))
        .at(span, "an action")
}

pub fn mixed_levels(operator: &str, action: Span, temporal: Span) -> Diagnostic {
    Diagnostic::error("mixed-levels", format!("`{operator}` joins an action and a temporal formula"))
        .at(action, "an action")
        .also(temporal, "a temporal formula")
        .hint("an action becomes temporal as `[][A]_v` or `<><<A>>_v`")
}

pub fn assumption_level(span: Span, got: Level) -> Diagnostic {
    Diagnostic::error("assumption-level", format!("an assumption must be about constants, but this is {}", level_name(got)))
        .at(span, level_name(got))
        .hint("what holds of the initial states belongs into `Init`, what always holds is an invariant")
}

pub fn substitution_level(name: Symbol, span: Span, declared: Span, allowed: Level, got: Level) -> Diagnostic {
    let title = format!("`{name}` can be replaced by {} at most, but this is {}", level_name(allowed), level_name(got));
    Diagnostic::error("substitution-level", title).at(span, level_name(got)).also(declared, "declared here")
}

pub fn argument_level(name: Symbol, span: Span, param: Symbol, declared: Span, allowed: Level, got: Level) -> Diagnostic {
    let title = format!(
        "`{name}` uses its parameter `{param}` where only {} is allowed, but this is {}",
        level_name(allowed),
        level_name(got)
    );
    Diagnostic::error("argument-level", title).at(span, level_name(got)).also(declared, "defined here")
}

pub fn temporal_bound(span: Span, got: Level) -> Diagnostic {
    Diagnostic::error("temporal-bound", "the bound of a quantified temporal formula must be a constant or a state function")
        .at(span, level_name(got))
}
