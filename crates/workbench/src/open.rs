//! From the name that a user gives to a parsed and resolved specification.

use std::path::Path;

use diag::Diagnostic;
use source::{FileId, Sources, Span};

use crate::diagnostics as errors;
use crate::gallery::{Entry, gallery};
use crate::host::Host;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    Tla,
    Alloy,
}

/// A text that a user named, ready for its language's parser.
pub struct Opened {
    pub sources: Sources,
    pub file: FileId,
    pub language: Language,
    /// The file name without folder and extension.
    pub stem: String,
    pub origin: Origin,
}

/// Where further files of a specification are looked for.
#[derive(Clone)]
pub enum Origin {
    Gallery(&'static Entry),
    Folder(String),
}

/// Reads `spec`, a path or a gallery name. Markdown is reduced to its code.
pub fn open(spec: &str, host: &dyn Host) -> Result<Opened, (Sources, Vec<Diagnostic>)> {
    open_untranslated(spec, host)
}

/// As [`open`], but an algorithm stays as it is.
pub(crate) fn open_untranslated(spec: &str, host: &dyn Host) -> Result<Opened, (Sources, Vec<Diagnostic>)> {
    let mut sources = Sources::new();
    if let Some(entry) = gallery().iter().find(|it| it.name == spec) {
        let (name, text) = entry.files[0];
        let file = sources.add(name, code(name, text, entry.language));
        let origin = Origin::Gallery(entry);
        return Ok(Opened {
            sources,
            file,
            language: entry.language,
            stem: stem(name),
            origin,
        });
    }
    let text = match read_text(spec, host, &mut sources) {
        Ok(text) => text,
        Err(diagnostic) => return Err((sources, vec![diagnostic])),
    };
    let Some(language) = language(spec, &text) else {
        let unknown = errors::unknown_language(spec);
        return Err((sources, vec![unknown]));
    };
    let file = sources.add(spec, code(spec, &text, language));
    let folder = Path::new(spec)
        .parent()
        .map_or(String::new(), |it| it.to_string_lossy().into_owned());
    Ok(Opened {
        sources,
        file,
        language,
        stem: stem(spec),
        origin: Origin::Folder(folder),
    })
}

/// Reads a file as UTF-8, or says where it is not.
pub(crate) fn read_text(path: &str, host: &dyn Host, sources: &mut Sources) -> Result<String, Diagnostic> {
    let names: Vec<&str> = gallery().iter().map(|it| it.name).collect();
    let bytes = host.read(path).map_err(|why| why.diagnostic(path, &names))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let file = sources.add(path, text);
        errors::invalid_utf8(path, Span::new(file, valid as u32, valid as u32))
    })
}

fn stem(path: &str) -> String {
    Path::new(path)
        .file_stem()
        .map_or(String::new(), |it| it.to_string_lossy().into_owned())
}

pub(crate) fn is_markdown(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("md") || it.eq_ignore_ascii_case("markdown"))
}

const TLA_FENCES: &[&str] = &["tla", "tla+", "tlaplus"];
const ALLOY_FENCES: &[&str] = &["alloy", "als"];

fn language(path: &str, text: &str) -> Option<Language> {
    let has_code = |fences| !source::fenced(text, fences).trim().is_empty();
    match Path::new(path)
        .extension()
        .and_then(|it| it.to_str())
        .map(str::to_ascii_lowercase)
        .as_deref()
    {
        Some("tla") => Some(Language::Tla),
        Some("als") => Some(Language::Alloy),
        Some("md" | "markdown") if has_code(TLA_FENCES) => Some(Language::Tla),
        Some("md" | "markdown") if has_code(ALLOY_FENCES) => Some(Language::Alloy),
        _ => None,
    }
}

/// What the language's parser is given. Alloy reads Markdown itself, because it opens Markdown files too.
fn code(path: &str, text: &str, language: Language) -> String {
    match language {
        Language::Tla if is_markdown(path) => source::fenced(text, TLA_FENCES),
        Language::Tla | Language::Alloy => text.to_string(),
    }
}
