//! A whole file: its algorithm, and the file with the translation in it.

use std::ops::Range;

use diag::Diagnostic;
use source::{FileId, Span};

use crate::ast::Algorithm;
use crate::checksum::{Checksums, checksum};
use crate::diagnostics as errors;
use crate::expand::expand;
use crate::label::{AddedLabel, Facts, label};
use crate::lexer::lex;
use crate::locate::{Located, Slot, another, file_options, locate};
use crate::map::{Map, Origin};
use crate::names::resolve;
use crate::options::Options;
use crate::outline::Outline;
use crate::tail::lost_parameters;
use crate::{digest, generate, parser};

/// What a file says in PlusCal.
pub struct Parsed {
    /// Nothing when the file has no algorithm, or one whose first words cannot be read.
    pub algorithm: Option<Algorithm>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the algorithm of a file.
pub fn parse(text: &str, file: FileId) -> Parsed {
    let mut options = Options::default();
    let mut diagnostics = file_options(text, file, &mut options);
    let (located, wrong) = locate(text, file);
    diagnostics.extend(wrong);
    let Some(located) = located else {
        return Parsed {
            algorithm: None,
            diagnostics,
        };
    };
    let (algorithm, wrong) = parse_located(text, file, &located, &options);
    diagnostics.extend(wrong);
    Parsed {
        algorithm,
        diagnostics,
    }
}

fn parse_located(
    text: &str,
    file: FileId,
    located: &Located,
    options: &Options,
) -> (Option<Algorithm>, Vec<Diagnostic>) {
    let (tokens, mut diagnostics) = lex(text, located.head.end, file);
    let head = Span::new(file, located.head.start as u32, located.head.end as u32);
    let (algorithm, mut wrong) = parser::parse(&tokens, head, located.fair, options.version);
    // Behind text that is no token, nothing is certain.
    if let Some(first) = diagnostics.iter().filter_map(Diagnostic::span).min() {
        wrong.retain(|it| it.span().is_some_and(|it| it < first));
    }
    diagnostics.extend(wrong);
    diagnostics.sort_by_key(|it| it.span().map(|it| it.start));
    (algorithm, diagnostics)
}

/// How the translation in a file stands to the algorithm above it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Freshness {
    /// There is no translation.
    Absent,
    /// It is the one that the algorithm gives.
    Fresh,
    /// Its algorithm was another one.
    Stale,
    /// It is not the one that the algorithm gives with these options, but its checksums say that it is one of this algorithm: other
    /// options were given, or another version of the translator made it.
    Matching,
    /// The algorithm is the same, but the translation was changed by hand.
    Edited,
    /// It is not the one that the algorithm gives now, and has no checksums that could tell why.
    Unknown,
}

/// A file with the translation of its algorithm.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The whole file.
    pub text: String,
    /// What was changed to get it.
    pub edits: Vec<Edit>,
    /// The lines of the translation in `text`, without the lines that mark its begin and end.
    pub lines: Range<usize>,
    /// From offsets in these lines to the algorithm.
    pub map: Map,
    /// `--algorithm` and the name.
    pub head: Span,
    /// The whole algorithm.
    pub span: Span,
    /// What the algorithm consists of, under the names that the translation gives to it.
    pub outline: Outline,
    /// The translation that was there before.
    pub freshness: Freshness,
    pub added_labels: Vec<AddedLabel>,
    /// `defaultInitValue` is a constant of the module.
    pub has_default_value: bool,
    /// The options, those in the file included.
    pub options: Options,
}

/// Translates the algorithm of a file. Nothing, and no diagnostics, when there is none.
///
/// ```
/// let text = "---- MODULE M ----\n(* --algorithm A { variables x = 0; { x := 1 } } *)\n====\n";
/// let mut sources = source::Sources::new();
/// let file = sources.add("M.tla", text);
/// let (translation, diagnostics) = pluscal::translate(text, file, &pluscal::Options::default());
/// assert!(diagnostics.is_empty());
/// assert!(translation.is_some());
/// ```
pub fn translate(text: &str, file: FileId, options: &Options) -> (Option<Translation>, Vec<Diagnostic>) {
    let (located, mut diagnostics) = locate(text, file);
    let Some(located) = located else {
        return (None, diagnostics);
    };
    let mut options = options.clone();
    diagnostics.extend(file_options(text, file, &mut options));
    let (algorithm, wrong) = parse_located(text, file, &located, &options);
    diagnostics.extend(wrong);
    let has_errors = |all: &[Diagnostic]| all.iter().any(Diagnostic::is_error);
    let Some(mut algorithm) = algorithm.filter(|_| !has_errors(&diagnostics)) else {
        return (None, diagnostics);
    };
    let head = Span::new(file, located.head.start as u32, algorithm.name.span.end);
    let span = algorithm.span;
    if let Some(second) = another(text, span.end as usize) {
        let second = Span::new(file, second.start as u32, second.end as u32);
        diagnostics.push(errors::second_algorithm(head, second));
    }
    let facts = Facts::of(&algorithm);
    diagnostics.extend(expand(&mut algorithm));
    if has_errors(&diagnostics) {
        return (None, diagnostics);
    }
    diagnostics.extend(lost_parameters(&algorithm));
    let (mut program, added_labels, wrong) = label(algorithm, facts, &options);
    diagnostics.extend(wrong);
    let (comments, wrong) = resolve(&mut program);
    diagnostics.extend(wrong);
    if has_errors(&diagnostics) {
        diagnostics.sort_by_key(|it| it.span().map(|it| it.start));
        return (None, diagnostics);
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (lines, map) = generate::generate(&program, &comments, &options, newline.len());
    let checksums = [
        match located.fair {
            // Of a fair algorithm nothing more is looked at.
            true => checksum(["fair"]),
            false => checksum([digest::digest(&program, options.version).as_str()]),
        },
        checksum(lines.iter().map(String::as_str)),
    ];
    let translated = lines.iter().flat_map(|it| [it.as_str(), newline]).collect();
    let placed = place(text, &located, translated, newline, &checksums);
    let translation = Translation {
        text: apply(&placed.edits, text),
        edits: placed.edits,
        lines: placed.lines,
        map,
        head,
        span,
        outline: Outline::of(&program, text),
        freshness: placed.freshness,
        added_labels,
        has_default_value: program.has_default_value,
        options,
    };
    (Some(translation), diagnostics)
}

/// Replaces a range of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

impl Translation {
    /// Where something in the text with the translation stands in the text without: what was translated, in the algorithm.
    pub fn origin(&self, span: Span) -> Origin {
        let range = span.start as usize..span.end as usize;
        if self.lines.start <= range.start && range.end <= self.lines.end {
            let from = |at: usize| (at - self.lines.start) as u32;
            let origin = self.map.source(from(range.start)..from(range.end));
            return origin.unwrap_or(self.head.into());
        }
        let at = |offset: usize| self.before_edits(offset) as u32;
        Span::new(span.file, at(range.start), at(range.end)).into()
    }

    /// An offset in the text before it was edited; inside of what was put there, the end of what it replaced.
    fn before_edits(&self, offset: usize) -> usize {
        let mut grown = 0isize;
        for it in &self.edits {
            let start = it.range.start.saturating_add_signed(grown);
            if offset < start {
                break;
            }
            if offset < start + it.text.len() {
                return it.range.end;
            }
            grown += it.text.len() as isize - it.range.len() as isize;
        }
        offset.saturating_add_signed(-grown)
    }
}

/// A text with edits, which are in its order and do not overlap.
pub fn apply(edits: &[Edit], text: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for it in edits {
        out += &text[from..it.range.start];
        out += &it.text;
        from = it.range.end;
    }
    out += &text[from..];
    out
}

/// What puts a translation in its place.
fn place(
    text: &str,
    located: &Located,
    translated: String,
    newline: &str,
    checksums: &[String; 2],
) -> Placed {
    let [algorithm, translation] = checksums;
    let edit = |range: Range<usize>, text: String| Edit { range, text };
    match &located.translation {
        Slot::After(at) => {
            let break_before = if text[..*at].ends_with('\n') { "" } else { newline };
            let begin = format!(
                "{break_before}\\* BEGIN TRANSLATION (chksum(pcal) = \"{algorithm}\" /\\ chksum(tla) = \"{translation}\"){newline}"
            );
            let end = format!("\\* END TRANSLATION {newline}");
            let start = at + begin.len();
            Placed {
                lines: start..start + translated.len(),
                edits: vec![
                    edit(*at..*at, begin),
                    edit(*at..*at, translated),
                    edit(*at..*at, end),
                ],
                freshness: Freshness::Absent,
            }
        }
        Slot::Between {
            body,
            checksums: places,
            ..
        } => {
            let freshness = freshness(text, body, places.as_ref(), &translated, checksums, located.fair);
            let places = places.clone().unwrap_or_default();
            let values = [(places.algorithm, algorithm), (places.translation, translation)];
            let mut edits: Vec<Edit> = values
                .into_iter()
                .filter_map(|(place, value)| Some(edit(place?, value.clone())))
                .collect();
            let grown: isize = edits
                .iter()
                .map(|it| it.text.len() as isize - it.range.len() as isize)
                .sum();
            let start = body.start.saturating_add_signed(grown);
            let lines = start..start + translated.len();
            edits.push(edit(body.clone(), translated));
            Placed {
                lines,
                edits,
                freshness,
            }
        }
    }
}

struct Placed {
    edits: Vec<Edit>,
    lines: Range<usize>,
    freshness: Freshness,
}

fn freshness(
    text: &str,
    body: &Range<usize>,
    places: Option<&Checksums>,
    translated: &str,
    checksums: &[String; 2],
    is_fair: bool,
) -> Freshness {
    let old = &text[body.clone()];
    if old.trim().is_empty() {
        return Freshness::Absent;
    }
    if old == translated {
        return Freshness::Fresh;
    }
    let at = |it: &Option<Range<usize>>| it.clone().map(|it| &text[it]);
    let old_lines = checksum(old.lines());
    let (algorithm, translation) = places.map_or((None, None), |it| (at(&it.algorithm), at(&it.translation)));
    match (algorithm, translation) {
        (Some(it), _) if *it != *checksums[0] => Freshness::Stale,
        (Some(_), Some(it)) if *it != *old_lines => Freshness::Edited,
        // A fair algorithm's checksum tells nothing, and what it gives is another text.
        (Some(_), Some(_)) if is_fair => Freshness::Stale,
        (Some(_), Some(_)) => Freshness::Matching,
        _ => Freshness::Unknown,
    }
}
