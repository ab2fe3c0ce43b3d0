//! Modules, what they bring in, and instances.

use diag::{Diagnostic, closest};
use source::Span;
use util::Symbol;

use super::did_you_mean;
use crate::ir::DeclKind;

pub fn module_not_found(name: Symbol, span: Span, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error("module-not-found", format!("module `{name}` is not found"))
        .at(span, "neither beside this file nor built in");
    match closest(name.as_str(), known.iter().copied()) {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic.hint(format!(
            "put `{name}.tla` into the folder of the file that opens it"
        )),
    }
}

pub fn module_unreadable(name: Symbol, span: Span, why: String) -> Diagnostic {
    Diagnostic::error("module-unreadable", format!("module `{name}` cannot be read"))
        .at(span, "opened here")
        .note(why)
}

pub fn module_cycle(chain: &[Symbol], span: Span) -> Diagnostic {
    let path = chain
        .iter()
        .map(|it| format!("`{it}`"))
        .collect::<Vec<_>>()
        .join(" opens ");
    Diagnostic::error("module-cycle", "modules open each other in a circle")
        .at(span, "closes the circle")
        .note(path)
        .hint("move what both need into a third module")
}

pub fn module_name_mismatch(name: Symbol, span: Span, file_stem: &str) -> Diagnostic {
    Diagnostic::error(
        "module-name-mismatch",
        format!("the module is called `{name}`, but its file is `{file_stem}.tla`"),
    )
    .at(span, "the name of the module")
    .hint(format!(
        "rename the module to `{file_stem}`, or the file to `{name}.tla`"
    ))
}

pub fn module_redefined(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "module-redefined",
        format!("there are two modules called `{name}`"),
    )
    .at(span, "the second")
    .also(first, "the first")
    .hint("rename the nested module")
}

pub fn conflicting_imports(name: Symbol, span: Span, first: Span, second: Span) -> Diagnostic {
    Diagnostic::warning(
        "conflicting-imports",
        format!("`{name}` has two different definitions"),
    )
    .at(span, "brings in the second, which is ignored")
    .also(first, "this definition is used")
    .also(second, "this definition is ignored")
    .hint("make one of them LOCAL, or open one module with a named INSTANCE")
}

pub fn clashing_imports(name: Symbol, span: Span, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(
        "clashing-imports",
        format!("`{name}` means different things in two opened modules"),
    )
    .at(span, "both meanings meet here")
    .also(first, "this is one of them")
    .also(second, "this is the other")
    .hint("open one of the modules with a named INSTANCE")
}

pub fn merged_declarations(name: Symbol, span: Span, first: Span, second: Span) -> Diagnostic {
    Diagnostic::warning(
        "merged-declarations",
        format!("`{name}` is declared by two of the extended modules"),
    )
    .at(span, "both declarations are taken for one")
    .also(first, "declared here")
    .also(second, "and here")
    .hint("declare it in a module that both extend")
}

// Instances

pub fn unknown_substitution(name: Symbol, span: Span, module: Symbol, declared: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "unknown-substitution",
        format!("module `{module}` declares no constant or variable `{name}`"),
    )
    .at(span, "only declared names can be replaced");
    did_you_mean(diagnostic, name.as_str(), declared)
}

pub fn missing_substitution(name: Symbol, span: Span, module: Symbol, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "missing-substitution",
        format!("the instance of `{module}` says nothing for `{name}`"),
    )
    .at(span, format!("no `{name}` is known here"))
    .also(declared, "declared here")
    .hint(format!(
        "add `WITH {name} <- …`, or declare `{name}` before the instance"
    ))
}

pub fn duplicate_substitution(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-substitution", format!("`{name}` is replaced twice"))
        .at(span, "again here")
        .also(first, "first here")
        .hint("remove one of them")
}

pub fn unknown_member(name: Symbol, span: Span, module: Symbol, exported: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-member", format!("module `{module}` defines no `{name}`"))
        .at(span, "not defined there (or LOCAL)");
    did_you_mean(diagnostic, name.as_str(), exported)
}

/// `defined` is the definition that parts are selected of.
pub fn not_selectable(span: Span, why: &str, defined: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error("not-selectable", "this `!` selects nothing").at(span, why);
    match defined {
        Some(defined) => diagnostic.also(defined, "in this definition"),
        None => diagnostic,
    }
}

pub fn unbound_selection(span: Span, names: &[Symbol]) -> Diagnostic {
    let names = names
        .iter()
        .map(|it| format!("`{it}`"))
        .collect::<Vec<_>>()
        .join(", ");
    Diagnostic::error(
        "unbound-selection",
        "the selected part has bound names that are given no value",
    )
    .at(span, format!("{names} would be free"))
    .hint("give them values: `!(a, b)`")
}

pub fn declared_member(
    name: Symbol,
    span: Span,
    module: Symbol,
    kind: DeclKind,
    declared: Span,
) -> Diagnostic {
    let what = match kind {
        DeclKind::Constant => "a constant",
        DeclKind::Variable => "a variable",
    };
    Diagnostic::error(
        "declared-member",
        format!("`{name}` is {what} of `{module}`, not a definition"),
    )
    .at(span, "the instance has replaced it")
    .also(declared, "declared here")
    .hint(format!("write what the instance puts for `{name}`"))
}

pub fn selector_arity(name: Symbol, span: Span, want: usize, got: usize) -> Diagnostic {
    let title = match name.as_str() {
        "!" => format!("{} bound here, but {got} given", super::count(want, "name")),
        _ => format!(
            "`{name}` takes {}, but is given {got}",
            super::count(want, "argument")
        ),
    };
    Diagnostic::error("selector-arity", title).at(span, "here")
}
