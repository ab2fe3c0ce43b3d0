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

pub fn no_translation(algorithm: Span) -> Diagnostic {
    Diagnostic::error(
        "no-translation",
        "the algorithm in this module has not been translated, so there is nothing to check",
    )
    .at(algorithm, "an algorithm without a translation")
    .hint("`babbage translate` writes its translation, with `Init`, `Next` and `Spec`, into the module")
}

pub fn no_algorithm(path: &str) -> Diagnostic {
    Diagnostic::error("no-algorithm", format!("`{path}` has no PlusCal algorithm"))
        .hint("an algorithm starts with `--algorithm Name` in a comment")
}

pub fn unknown_view(name: &str, definitions: &[&str]) -> Diagnostic {
    let unknown = Diagnostic::error(
        "unknown-view",
        format!("`{name}` is no view, and no definition that can be shown in a state"),
    );
    match diag::closest(name, definitions.iter().copied()) {
        Some(near) => unknown.hint(format!("did you mean `{near}`?")),
        None => unknown.hint("name a definition without parameters, or one of the views that `--help` lists"),
    }
}

pub fn temporal_watch(span: Span) -> Diagnostic {
    Diagnostic::error(
        "temporal-watch",
        "a temporal formula has no value in a single state or step",
    )
    .at(span, "speaks of whole behaviours")
    .hint("watch the state predicates or actions that it is made of")
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
