//! PlusCal in files: the translation that is written into a file, and the one that is used when the file has none.

use diag::Diagnostic;
use pluscal::{Freshness, Options};
use source::{Place, Sources};

use crate::diagnostics as errors;
use crate::host::Host;
use crate::open::{open, read_text};

/// What became of a file that was to be translated.
pub struct Translated {
    /// The whole file, with the translation.
    pub text: String,
    /// How the translation that was there stands to the algorithm.
    pub freshness: Freshness,
    /// The labels that the translation adds, and where.
    pub added_labels: Vec<(String, Place)>,
    pub sources: Sources,
    /// Warnings only.
    pub diagnostics: Vec<Diagnostic>,
}

impl Translated {
    /// Whether the file already is as the translation makes it.
    pub fn is_up_to_date(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Translates the algorithm of the file at a path.
pub fn translate_file(
    path: &str,
    host: &dyn Host,
    options: &Options,
) -> Result<(String, Translated), (Sources, Vec<Diagnostic>)> {
    let opened = open(path, host)?;
    let mut sources = opened.sources;
    // Of Markdown only the code is looked at, but all of it is kept.
    let whole = match read_text(path, host, &mut sources) {
        Ok(whole) => whole,
        Err(wrong) => return Err((sources, vec![wrong])),
    };
    let text = sources.file(opened.file).text().clone();
    let speaker = opened.language.speaker();
    let (translation, diagnostics) = speaker.translate(&text, opened.file, options);
    let Some(translation) = translation else {
        let none = diagnostics.is_empty().then(|| errors::no_algorithm(path));
        return Err((sources, diagnostics.into_iter().chain(none).collect()));
    };
    let place = |it: &pluscal::AddedLabel| {
        let place = sources.file(opened.file).place(it.span.start);
        (it.name.to_string(), place)
    };
    let translated = Translated {
        text: pluscal::apply(&translation.edits, &whole),
        freshness: translation.freshness,
        added_labels: translation.added_labels.iter().map(place).collect(),
        sources,
        diagnostics,
    };
    Ok((whole, translated))
}
