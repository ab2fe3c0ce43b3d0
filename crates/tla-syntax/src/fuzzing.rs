//! What the fuzz targets run: each takes any bytes and panics when a promise of this crate is broken.

mod arbitrary;
#[cfg(test)]
mod tests;

use diag::Diagnostic;
use source::FileId;

use crate::dump::{Parens, dump_with};
use crate::{Notation, Tree};

/// Reading never panics, says where each problem lies, and a module read without errors survives printing.
pub fn parse(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (tree, diagnostics) = crate::parse(&text, FileId(0));
    check_places(&diagnostics, &text);
    check_spans(&tree, &text);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        check_printing(&tree, Parens::Shown);
    }
    let (_, _, diagnostics) = crate::parse_expr(&text, FileId(0));
    check_places(&diagnostics, &text);
}

/// The same for configuration files.
pub fn config(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (_, diagnostics) = crate::config::parse(&text, FileId(0));
    check_places(&diagnostics, &text);
}

/// Any tree, printed and read again, is the same tree but for parentheses.
pub fn print_parse(data: &[u8]) {
    let tree = arbitrary::tree(data);
    check_printing(&tree, Parens::Hidden);
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

fn check_spans(tree: &Tree, text: &str) {
    for (_, expr) in tree.exprs.iter() {
        let range = expr.span.start as usize..expr.span.end as usize;
        assert!(text.get(range).is_some(), "{expr:?} lies outside of the text");
    }
}

fn check_printing(tree: &Tree, parens: Parens) {
    for notation in [Notation::Ascii, Notation::Unicode] {
        let text = crate::print(tree, notation);
        let (again, diagnostics) = crate::parse(&text, FileId(0));
        if let Some(error) = diagnostics.iter().find(|it| it.is_error()) {
            panic!("{error:?} in what was printed:\n{text}");
        }
        let (before, after) = (dump_with(tree, parens), dump_with(&again, parens));
        if let Some((a, b)) = before.lines().zip(after.lines()).find(|(a, b)| a != b) {
            panic!("{a:?} became {b:?} in what was printed:\n{text}");
        }
        assert_eq!(before.len(), after.len(), "{text}");
        if parens == Parens::Shown {
            let once_more = crate::print(&again, notation);
            assert_eq!(once_more, text, "printing again gives another text");
        }
    }
}
