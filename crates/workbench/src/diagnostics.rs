//! What can be wrong before there is any text: one constructor per code, described in `diagnostics/<code>.md`.

use diag::Diagnostic;
use source::Span;

pub fn file_not_found(path: &str, gallery: &[&str]) -> Diagnostic {
    let missing = Diagnostic::error("file-not-found", format!("there is no file `{path}`"));
    match diag::closest(path, gallery.iter().copied()) {
        Some(near) => missing.hint(format!("did you mean `{near}` of the gallery?")),
        None if path.contains(['/', '.']) => missing,
        None => missing.hint("`babbage gallery` lists the specifications that are built in"),
    }
}

pub fn not_a_file(path: &str) -> Diagnostic {
    Diagnostic::error(
        "not-a-file",
        format!("`{path}` is a directory, not a specification"),
    )
    .hint("name a `.tla`, `.als` or `.md` file in it")
}

pub fn file_over_limit(path: &str, bytes: u64, bytes_max: u64) -> Diagnostic {
    let title = format!("`{path}` has {bytes} bytes, more than the {bytes_max} that are read");
    Diagnostic::error("file-over-limit", title)
}

pub fn file_unreadable(path: &str, why: &str) -> Diagnostic {
    Diagnostic::error("file-unreadable", format!("`{path}` cannot be read")).note(why)
}

pub fn invalid_utf8(path: &str, first: Span) -> Diagnostic {
    Diagnostic::error("invalid-utf8", format!("`{path}` is not UTF-8 text"))
        .at(first, "the first byte that is not UTF-8")
        .hint("save the file with UTF-8 encoding")
}

pub fn unknown_language(path: &str) -> Diagnostic {
    Diagnostic::error("unknown-language", format!("`{path}` is neither TLA+ nor Alloy"))
        .hint("name a `.tla` or `.als` file, or a `.md` file with ```tla or ```alloy fences")
}

pub fn unsupported_language(path: &str) -> Diagnostic {
    Diagnostic::error(
        "unsupported-language",
        format!("`{path}` is in Alloy, and only TLA+ can be read so far"),
    )
}

/// `name` is empty for a conjunct of the specification itself.
fn not_checked(code: &'static str, name: &str, what: &str) -> Diagnostic {
    Diagnostic::warning(
        code,
        match name {
            "" => format!("an assumption of the specification is not used: {what}"),
            _ => format!("`{name}` is not checked: {what}"),
        },
    )
}

pub fn temporal_hidden_variable(name: &str, span: Span) -> Diagnostic {
    not_checked("temporal-hidden-variable", name, "it hides a variable")
        .at(span, "speaks of some or all values of a variable that no state has")
        .hint("check the formula without the quantifier, with a variable or a refinement mapping for what is hidden")
}

pub fn temporal_guarantees(name: &str, span: Span) -> Diagnostic {
    not_checked(
        "temporal-guarantees",
        name,
        "`-+->` is about prefixes of behaviours",
    )
    .at(span, "cannot be decided on a graph of states")
    .hint("check `F => G` instead")
}

pub fn temporal_bare_action(name: &str, span: Span) -> Diagnostic {
    not_checked(
        "temporal-bare-action",
        name,
        "an action stands outside `[A]_v` and `<<A>>_v`",
    )
    .at(
        span,
        "what it says changes when a step that does nothing is put in",
    )
}

pub fn temporal_variable_set(name: &str, span: Span) -> Diagnostic {
    not_checked(
        "temporal-variable-set",
        name,
        "a quantifier around a temporal formula has a set that changes",
    )
    .at(span, "depends on the state")
    .hint("quantify over a constant set, and put the condition inside: `\\A x \\in S : [](x \\in dom => …)`")
}

pub fn temporal_unbounded(name: &str, span: Span) -> Diagnostic {
    not_checked(
        "temporal-unbounded",
        name,
        "a quantifier around a temporal formula has no finite set",
    )
    .at(span, "cannot be written out")
}

pub fn temporal_as_value(name: &str, span: Span) -> Diagnostic {
    not_checked(
        "temporal-as-value",
        name,
        "a temporal formula stands where a value is needed",
    )
    .at(span, "here")
}

pub fn temporal_recursive(name: &str, span: Span) -> Diagnostic {
    not_checked(
        "temporal-recursive",
        name,
        "a temporal formula is defined by recursion",
    )
    .at(span, "calls itself")
    .hint("use a quantifier over a constant set")
}

pub fn temporal_too_large(name: &str, span: Span) -> Diagnostic {
    not_checked(
        "temporal-too-large",
        name,
        "too many formulas when its quantifiers are written out",
    )
    .at(span, "this one")
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
    .note("a behaviour that leaves the constraints for ever is not looked at")
}
