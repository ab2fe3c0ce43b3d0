//! Diagnostics and our own failures, on standard error or as JSON.

use std::io::IsTerminal;
use std::panic::PanicHookInfo;

use diag::{Diagnostic, Severity, Style};
use serde_json::{Value, json};
use source::Sources;
use view::Paint;
use workbench::Status;

use crate::output::err;

/// More than this many are counted, not shown: the first ones are what a person mends.
const SHOWN_MAX: usize = 50;

/// The version, and in a release the commit it was built from.
pub const VERSION: &str = env!("BABBAGE_VERSION");

/// Prints diagnostics for a person, errors counted at the end.
pub fn diagnostics(all: &[Diagnostic], sources: &Sources) {
    let style = style();
    for diagnostic in all.iter().take(SHOWN_MAX) {
        err(&format!("{}\n", diag::render(diagnostic, sources, style)));
    }
    if all.len() > SHOWN_MAX {
        err(&format!("… and {} more\n", all.len() - SHOWN_MAX));
    }
    let n_errors = all.iter().filter(|it| it.is_error()).count();
    let n_warnings = all.iter().filter(|it| it.severity == Severity::Warning).count();
    match (n_errors, n_warnings) {
        (0, 0) => {}
        (0, n) => err(&counted(n, "warning")),
        (n, 0) => err(&counted(n, "error")),
        (n, m) => err(&format!("{}, {}", counted(n, "error"), counted(m, "warning"))),
    }
}

pub fn counted(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}

fn style() -> Style {
    match error_style() {
        view::Style::Ansi => Style::Coloured,
        view::Style::Plain => Style::Plain,
    }
}

/// Whether the environment says nothing against colours.
pub fn is_colour_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

/// How verdicts and pictures on standard output are drawn.
pub fn output_style() -> view::Style {
    style_of(std::io::stdout().is_terminal())
}

/// How a verdict is drawn: next to a document, which has standard output for itself, it stands on standard error.
pub fn verdict_style(is_document: bool) -> view::Style {
    match is_document {
        true => error_style(),
        false => output_style(),
    }
}

fn error_style() -> view::Style {
    style_of(std::io::stderr().is_terminal())
}

fn style_of(is_terminal: bool) -> view::Style {
    match is_terminal && is_colour_wanted() {
        true => view::Style::Ansi,
        false => view::Style::Plain,
    }
}

/// A verdict in the colour of its exit status: all of it, or the word before the colon.
pub fn verdict(text: &str, status: Status, style: view::Style) -> String {
    let paint = match status {
        Status::Good => Paint::Good,
        Status::Unknown => Paint::Open,
        Status::Bad | Status::Wrong | Status::OwnBug => Paint::Bad,
    };
    let end = text.find(':').unwrap_or(text.trim_end().len());
    style.paint(&text[..end], paint) + &text[end..]
}

/// A diagnostic as programs read it. Fields may be added; these stay.
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let label = |it: &diag::Label| json!({ "location": sources.location(it.span), "message": it.text });
    json!({
        "code": diagnostic.code,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        "message": diagnostic.title,
        "location": diagnostic.span().map(|it| sources.location(it)),
        "label": diagnostic.primary.as_ref().map(|it| it.text.as_str()),
        "story": diagnostic.secondary.iter().map(label).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "hint": diagnostic.hint,
        "fixes": diagnostic.fixes.iter().map(|it| fix(it, sources)).collect::<Vec<_>>(),
    })
}

/// A change that mends it, for editors: places as people count, from 1.
fn fix(fix: &diag::Fix, sources: &Sources) -> Value {
    let edits = fix.edits.iter().map(|it| {
        let file = sources.file(it.span.file);
        let place = |offset: u32| {
            let place = file.place(offset);
            json!([place.line, place.column])
        };
        json!({
            "file": file.name(),
            "from": place(it.span.start),
            "to": place(it.span.end),
            "text": it.text,
        })
    });
    json!({ "title": fix.title, "edits": edits.collect::<Vec<_>>() })
}

/// The panic hook: the third kind of failure, after a wrong spec and a failing world.
pub fn own_bug(info: &PanicHookInfo<'_>) {
    let place = info
        .location()
        .map_or(String::new(), |it| format!(" at {}:{}", it.file(), it.line()));
    let message = info.payload_as_str().unwrap_or("no message");
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|it| it.to_string_lossy().into_owned())
        .collect();
    err(&format!(
        "This is a bug of babbage {}, not of your specification:",
        VERSION
    ));
    err(&format!("  {message}{place}"));
    err(&format!("It happened on: babbage {}", arguments.join(" ")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_coloured_by_its_status_on_terminals_only() {
        let line = "violated: deadlock\n";
        assert_eq!(verdict(line, Status::Bad, view::Style::Plain), line);
        let red = "\u{1b}[1;31mviolated\u{1b}[0m: deadlock\n";
        assert_eq!(verdict(line, Status::Bad, view::Style::Ansi), red);
        let green = "\u{1b}[1;32mno counterexample\u{1b}[0m";
        assert_eq!(
            verdict("no counterexample", Status::Good, view::Style::Ansi),
            green
        );
    }
}
