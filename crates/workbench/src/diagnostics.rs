//! What can be wrong before there is any text: one constructor per code, described in `diagnostics/<code>.md`.

use diag::Diagnostic;
use source::Span;
use util::Symbol;

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

/// `file` is where the algorithm stands.
pub fn translated_for_this_run(name: Symbol, file: &str, is_stale: bool) -> Diagnostic {
    let why = match is_stale {
        true => "has changed since it was translated, and was translated anew for this run",
        false => "has no translation, and was translated for this run",
    };
    Diagnostic::remark(
        "translated-for-this-run",
        format!("algorithm `{name}` in {file} {why}"),
    )
}

/// Another definition of the module has the name.
pub fn algorithm_not_used(head: Span, name: Symbol, own: Span) -> Diagnostic {
    Diagnostic::warning(
        "algorithm-not-used",
        format!("the algorithm is not translated, because the module itself defines `{name}`"),
    )
    .at(head, "an algorithm without a translation")
    .also(own, "its translation would define this too")
    .hint("rename what the module defines, or move it to a module that extends this one")
}

pub fn translation_as_it_stands(head: Span, is_edited: bool) -> Diagnostic {
    let title = match is_edited {
        true => "the translation was changed by hand, and is taken as it stands",
        false => "the translation may be that of another algorithm, and is taken as it stands",
    };
    let (text, hint) = match is_edited {
        true => (
            "its translation is another text",
            "`babbage translate` makes it anew, without what was changed",
        ),
        false => (
            "its translation is another text, without checksums that could tell why",
            "`babbage translate` makes it anew, with checksums",
        ),
    };
    Diagnostic::warning("translation-as-it-stands", title)
        .at(head, text)
        .hint(hint)
}

pub fn algorithm_with_mistakes(head: Span, first: &Diagnostic) -> Diagnostic {
    let wrong = Diagnostic::warning(
        "algorithm-with-mistakes",
        "the algorithm has mistakes, and its translation is taken as it stands",
    )
    .at(head, "no longer, or not yet, an algorithm");
    let wrong = match first.span() {
        Some(span) => wrong.also(span, first.title.clone()),
        None => wrong,
    };
    wrong.hint("`babbage translate --check` lists the mistakes")
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
