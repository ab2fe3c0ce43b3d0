//! From the name that a user gives to a parsed and resolved specification.

use std::path::Path;

use diag::Diagnostic;
use source::{FileId, Sources, Span};

use crate::diagnostics as errors;
use crate::gallery::{Entry, gallery};
use crate::host::Host;
use crate::language::Language;

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
    let mut sources = Sources::new();
    if let Some(entry) = gallery().iter().find(|it| it.name == spec) {
        let (name, text) = entry.files[0];
        let file = sources.add(name, entry.language.speaker().code(name, text));
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
    let Some(language) = Language::of(spec, &text) else {
        let unknown = errors::unknown_language(spec);
        return Err((sources, vec![unknown]));
    };
    let file = sources.add(spec, language.speaker().code(spec, &text));
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
