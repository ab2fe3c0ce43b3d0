//! A diagnostic as text for a person: labelled excerpts of the source, then notes and the hint.
//!
//! Layout is left to `annotate-snippets`. It gets only the lines that a label touches, and of a very long line only
//! the surroundings of the label, so a message costs the same in a file of 50 MB as in one of 50 lines.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use source::{FileId, Sources, Span};

use crate::{Diagnostic, Label, Severity};

/// A line longer than this is shown in part.
const LINE_MAX: usize = 400;
/// How many bytes around a label are shown of such a line.
const AROUND: usize = 60;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Plain,
    Coloured,
}

/// The diagnostic as several lines of text, without a final line break.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let excerpts = excerpts(diagnostic, sources);
    let title = level.primary_title(diagnostic.title.as_str()).id(diagnostic.code);
    let mut group = match excerpts.is_empty() {
        true => Group::with_title(title),
        false => title.elements(excerpts.iter().map(Excerpt::snippet)),
    };
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.with_name("hint").message(hint.as_str()));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    renderer.render(&[group]).to_string()
}

/// Neighbouring lines of one file with the labels that lie in them.
struct Excerpt<'a> {
    path: &'a str,
    text: &'a str,
    line_start: usize,
    labels: Vec<(AnnotationKind, Range<usize>, &'a str)>,
}

impl<'a> Excerpt<'a> {
    fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let annotations = self.labels.iter().map(|(kind, range, text)| {
            let annotation = kind.span(range.clone());
            if text.is_empty() {
                annotation
            } else {
                annotation.label(*text)
            }
        });
        Snippet::source(self.text)
            .path(self.path)
            .line_start(self.line_start)
            .annotations(annotations)
    }
}

/// One excerpt per file, the primary's first.
fn excerpts<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Excerpt<'a>> {
    let labels = || {
        let primary = diagnostic.primary.iter().map(|it| (AnnotationKind::Primary, it));
        primary.chain(
            diagnostic
                .secondary
                .iter()
                .map(|it| (AnnotationKind::Context, it)),
        )
    };
    let mut files: Vec<FileId> = vec![];
    for (_, label) in labels() {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
        .into_iter()
        .map(|file| excerpt(file, labels().filter(|(_, it)| it.span.file == file), sources))
        .collect()
}

fn excerpt<'a>(
    file: FileId,
    labels: impl Iterator<Item = (AnnotationKind, &'a Label)>,
    sources: &'a Sources,
) -> Excerpt<'a> {
    let source = sources.file(file);
    let text: &str = source.text();
    let labels: Vec<_> = labels.collect();
    let start = labels
        .iter()
        .map(|(_, it)| it.span.start as usize)
        .min()
        .unwrap_or(0);
    let end = labels
        .iter()
        .map(|(_, it)| shown_end(it.span, text))
        .max()
        .unwrap_or(0);
    let line_before = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_after = text[end..].find('\n').map_or(text.len(), |i| end + i);
    let from = if start - line_before > LINE_MAX {
        boundary(text, start - AROUND)
    } else {
        line_before
    };
    let to = if line_after - end > LINE_MAX {
        boundary(text, end + AROUND)
    } else {
        line_after
    };
    let labels = labels
        .into_iter()
        .map(|(kind, it)| {
            (
                kind,
                it.span.start as usize - from..shown_end(it.span, text) - from,
                it.text.as_str(),
            )
        })
        .collect();
    Excerpt {
        path: source.name(),
        text: &text[from..to],
        line_start: source.place(start as u32).line as usize,
        labels,
    }
}

/// A label that spans many lines would fill the screen: only its first line is marked.
fn shown_end(span: Span, text: &str) -> usize {
    let range = span.start as usize..span.end as usize;
    let first_line = text[range.clone()]
        .find('\n')
        .map_or(range.end, |i| range.start + i);
    if first_line - range.start > LINE_MAX {
        boundary(text, range.start + AROUND)
    } else {
        first_line
    }
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_place_the_story_and_the_hint() {
        let mut sources = Sources::new();
        let file = sources.add("M.tla", "VARIABLE board\nInit == baord = 1\n");
        let diagnostic = Diagnostic::error("unbound-name", "`baord` is not declared in this module")
            .at(Span::new(file, 23, 28), "not declared")
            .also(Span::new(file, 9, 14), "a variable of a similar name")
            .hint("did you mean `board`?");
        let text = render(&diagnostic, &sources, Style::Plain);
        for part in [
            "error[unbound-name]: `baord`",
            "M.tla:2:9",
            "^^^^^ not declared",
            "did you mean `board`?",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn a_very_long_line_is_shown_in_part() {
        let mut sources = Sources::new();
        let file = sources.add("M.tla", "∧".repeat(1_000_000));
        let diagnostic = Diagnostic::error("x", "long").at(Span::new(file, 1_500_000, 1_500_003), "here");
        assert!(render(&diagnostic, &sources, Style::Plain).len() < 2000);
    }
}
