//! An algorithm in a comment that nobody has translated.
//!
//! PlusCal stands in a comment, and its translation between two marks in the same module. Where the translation is missing there is
//! nothing to be checked, and that is what should be said, not that nothing defines `Spec`.

use source::Span;

use crate::tla::TlaFile;

impl TlaFile {
    /// Where an algorithm begins, if the module has no translation of it.
    pub(crate) fn untranslated(&self) -> Option<Span> {
        let text = self.sources.file(self.file).text();
        let start = algorithm(text)?;
        let end = start + text[start..].find('\n').unwrap_or(text.len() - start);
        (!is_translated(text)).then(|| Span::new(self.file, start as u32, end as u32))
    }
}

/// Where `--algorithm Name` or `--fair algorithm Name` stands.
fn algorithm(text: &str) -> Option<usize> {
    text.match_indices("--").map(|it| it.0).find(|&at| {
        let rest = &text[at + 2..];
        let rest = match rest.strip_prefix("fair") {
            Some(after) if after.starts_with([' ', '\t', '\n', '\r']) => after.trim_start(),
            _ => rest,
        };
        let named = rest
            .strip_prefix("algorithm")
            .filter(|it| it.starts_with([' ', '\t', '\n', '\r']));
        named.is_some_and(|it| {
            it.trim_start()
                .starts_with(|it: char| it.is_alphabetic() || it == '_')
        }) && !text[..at].ends_with('-')
    })
}

/// Whether there is something between the marks.
fn is_translated(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("BEGIN TRANSLATION") else {
        return false;
    };
    let mut lines = rest
        .lines()
        .skip(1)
        .take_while(|it| !it.contains("END TRANSLATION"));
    lines.any(|it| !it.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_algorithm_is_found_where_one_is() {
        assert_eq!(algorithm("(* --algorithm A { } *)"), Some(3));
        assert_eq!(algorithm("(*\n--fair algorithm\n  A\n*)"), Some(3));
        assert_eq!(
            algorithm("---- MODULE algorithm ----\n----algorithm x\n--algorithms are"),
            None
        );
        assert!(is_translated(
            "\\* BEGIN TRANSLATION\nVARIABLE x\n\\* END TRANSLATION"
        ));
        assert!(!is_translated(
            "\\* BEGIN TRANSLATION\n\n\\* END TRANSLATION\n\nVARIABLE x"
        ));
    }
}
