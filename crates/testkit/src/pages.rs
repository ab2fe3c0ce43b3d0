//! One Markdown page for each diagnostic: what it means, an example, and the message that the example gives.
//!
//! The pages are documentation, and the test that runs them keeps them true: every code that a crate can emit has a page
//! and every page is about such a code; the message in the page is the one that the example gives now. Messages are
//! written anew with `UPDATE_EXPECT=1`, and read in the diff.

use std::collections::BTreeSet;
use std::path::Path;

use diag::{Diagnostic, Style, render};
use source::Sources;

/// The first fence of a page.
#[derive(Clone, Debug)]
pub struct Example {
    /// The word after the backticks: `tla`, `cfg`, …
    pub language: String,
    /// What follows that word, for pages whose example needs special treatment.
    pub options: String,
    pub text: String,
}

/// Checks the pages of `folder` against the constructors in `code`, the texts of the source files that hold them.
///
/// `run` gives the diagnostics of an example and the sources to show them with.
pub fn check_pages(folder: &Path, code: &[&str], run: impl Fn(&Example) -> (Sources, Vec<Diagnostic>)) {
    let emitted: BTreeSet<String> = code.iter().flat_map(|it| codes_in(it)).collect();
    let mut described = BTreeSet::new();
    let mut wrong: Vec<String> = vec![];
    for path in super::files(folder, "md") {
        let name = path
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        let page = std::fs::read_to_string(&path).expect("a readable page");
        assert!(
            page.starts_with(&format!("# `{name}`\n")),
            "{name}.md does not start with its code"
        );
        let (before, example, after) = split(&page).unwrap_or_else(|| panic!("{name}.md has no example"));
        let (sources, diagnostics) = run(&example);
        if !diagnostics.iter().any(|it| it.code == name) {
            let codes: Vec<_> = diagnostics.iter().map(|it| it.code).collect();
            wrong.push(format!("the example of {name}.md gives {codes:?}"));
        }
        let messages: Vec<String> = diagnostics
            .iter()
            .map(|it| render(it, &sources, Style::Plain))
            .collect();
        let messages: String = messages
            .join("\n\n")
            .lines()
            .map(|it| format!("{}\n", it.trim_end()))
            .collect();
        let expected = format!("{before}```text\n{messages}```\n{after}");
        expect_test::expect_file![&path].assert_eq(&expected);
        described.insert(name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let undescribed: Vec<_> = emitted.difference(&described).collect();
    let unemitted: Vec<_> = described.difference(&emitted).collect();
    assert!(undescribed.is_empty(), "without a page: {undescribed:?}");
    assert!(unemitted.is_empty(), "pages about nothing: {unemitted:?}");
}

/// The text up to the message, the example, and the text after the message.
fn split(page: &str) -> Option<(&str, Example, &str)> {
    let open = page.find("```")?;
    let info_end = open + page[open..].find('\n')?;
    let info = page[open + 3..info_end].trim();
    let (language, options) = info.split_once(' ').unwrap_or((info, ""));
    let close = info_end + page[info_end..].find("\n```\n")?;
    let example = Example {
        language: language.into(),
        options: options.into(),
        text: page[info_end + 1..close + 1].into(),
    };
    let example_end = close + "\n```\n".len();
    let message = match page[example_end..].find("```text\n") {
        Some(at) => example_end + at,
        None => return Some((page, example, "")),
    };
    let message_end = page[message + 3..]
        .find("```\n")
        .map_or(page.len(), |at| message + 3 + at + 4);
    Some((&page[..message], example, &page[message_end..]))
}

/// The codes in `Diagnostic::error("code", …)` and `Diagnostic::warning("code", …)`.
fn codes_in(source: &str) -> impl Iterator<Item = String> {
    let after = ["Diagnostic::error(", "Diagnostic::warning("];
    after.into_iter().flat_map(move |call| {
        source.split(call).skip(1).map(|rest| {
            let literal = rest
                .trim_start()
                .strip_prefix('"')
                .expect("the code comes first, as a literal");
            literal.split('"').next().unwrap_or_default().to_owned()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_falls_into_its_parts() {
        let page = "# `x`\n\nText.\n\n```tla a b\nA == 1\n```\n\nMore.\n\n```text\nold\n```\nEnd.\n";
        let (before, example, after) = split(page).unwrap();
        assert!(before.ends_with("More.\n\n"));
        assert_eq!(
            (
                example.language.as_str(),
                example.options.as_str(),
                example.text.as_str()
            ),
            ("tla", "a b", "A == 1\n")
        );
        assert_eq!(after, "End.\n");
    }

    #[test]
    fn codes_are_found_over_line_breaks() {
        let source = "Diagnostic::error(\n    \"a-b\", x) Diagnostic::warning(\"c\", y)";
        assert_eq!(codes_in(source).collect::<Vec<_>>(), ["a-b", "c"]);
    }
}
