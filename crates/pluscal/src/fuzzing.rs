//! What the fuzz targets run: each takes any bytes and panics when a promise of this crate is broken.

mod arbitrary;
mod dump;
#[cfg(test)]
mod tests;

use diag::Diagnostic;
use source::FileId;

use crate::ast::{Algorithm, Syntax};
use crate::{Options, Translation};

/// Reading and translating never panics, says where each problem lies, and what it gives is the translation of itself.
pub fn translate(data: &[u8]) {
    check(&String::from_utf8_lossy(data));
}

/// Any algorithm, printed in both syntaxes and read again, is the same algorithm; and it is translated without a panic.
pub fn print_parse(data: &[u8]) {
    let algorithm = arbitrary::algorithm(data);
    check_printing(&algorithm);
    for syntax in [Syntax::P, Syntax::C] {
        check(&module(&algorithm, syntax, &[]));
    }
}

/// A module with the algorithm that grows from `data`, and the options that grow from it too.
pub fn grown_module(data: &[u8]) -> String {
    let (data, options, syntax) = arbitrary::options(data);
    let algorithm = arbitrary::algorithm(data);
    module(&algorithm, syntax, &options)
}

fn module(algorithm: &Algorithm, syntax: Syntax, options: &[&str]) -> String {
    let text = crate::print::print(algorithm, syntax);
    let options = match options {
        [] => String::new(),
        options => format!("(* PlusCal options ({}) *)\n", options.join(" ")),
    };
    format!("---- MODULE M ----\nEXTENDS Integers, Sequences, TLC\n{options}(*\n{text}*)\n====\n")
}

fn check(text: &str) {
    let (translation, diagnostics) = crate::translate(text, FileId(0), &Options::default());
    check_places(&diagnostics, text);
    match translation {
        Some(translation) => {
            check_map(&translation, text);
            let (again, _) = crate::translate(&translation.text, FileId(0), &Options::default());
            // The marks of the translation may be hidden by what the text around it says.
            if let Some(again) = again.filter(|_| !text.contains("TRANSLATION")) {
                assert_eq!(again.text, translation.text, "translating again changes the file");
            }
        }
        None => assert!(
            !diagnostics.is_empty() || !has_algorithm(text),
            "no translation, and no reason:\n{text}"
        ),
    }
    if let Some(algorithm) = crate::parse(text, FileId(0)).algorithm
        && !diagnostics.iter().any(Diagnostic::is_error)
    {
        check_printing(&algorithm);
    }
}

fn has_algorithm(text: &str) -> bool {
    crate::locate::locate(text, FileId(0)).0.is_some()
}

fn check_places(diagnostics: &[Diagnostic], text: &str) {
    for diagnostic in diagnostics {
        let labels = diagnostic.primary.iter().chain(&diagnostic.secondary);
        for span in labels.map(|it| it.span) {
            let range = span.start as usize..span.end as usize;
            assert!(
                text.get(range).is_some(),
                "{diagnostic:?} points outside of the text"
            );
        }
    }
}

/// What is copied into the translation is there what it is in the algorithm, and no region ends outside of the translation.
fn check_map(translation: &Translation, text: &str) {
    let lines = &translation.text[translation.lines.clone()];
    for piece in translation.map.regions() {
        assert!(
            piece.start <= piece.end && piece.end as usize <= lines.len(),
            "{piece:?}"
        );
        assert!(
            text.get(piece.origin.span.start as usize..piece.origin.span.end as usize)
                .is_some()
        );
    }
    let mut end = 0;
    for piece in translation.map.tokens() {
        assert!(end <= piece.start && piece.start < piece.end, "{piece:?}");
        end = piece.end;
        assert!(lines.get(piece.start as usize..piece.end as usize).is_some());
        assert!(
            text.get(piece.origin.span.start as usize..piece.origin.span.end as usize)
                .is_some()
        );
    }
    assert!(end as usize <= lines.len());
}

fn check_printing(algorithm: &Algorithm) {
    for syntax in [Syntax::P, Syntax::C] {
        let text = crate::print::print(algorithm, syntax);
        let options = match algorithm.fair_body {
            true => "(* PlusCal options (-version 1.5) *)\n",
            false => "",
        };
        let file = format!("{options}(*\n{text}*)\n");
        let parsed = crate::parse(&file, FileId(0));
        if let Some(error) = parsed.diagnostics.iter().find(|it| it.is_error()) {
            panic!("{error:?} in what was printed:\n{text}");
        }
        let again = parsed.algorithm.expect("it has no mistakes");
        let (before, after) = (dump::dump(algorithm, syntax), dump::dump(&again, syntax));
        if let Some((a, b)) = before.lines().zip(after.lines()).find(|(a, b)| a != b) {
            panic!("{a:?} became {b:?} in what was printed:\n{text}");
        }
        assert_eq!(before.len(), after.len(), "{text}");
        assert_eq!(
            crate::print::print(&again, syntax),
            text,
            "printing again gives another text"
        );
    }
}
