//! One Markdown page for each diagnostic: what it means, an example, and the message that the example gives.
//!
//! The pages are documentation, and the test that runs them keeps them true: every code that a crate can emit has a page
//! and every page is about such a code; the message in the page is the one that the example gives now.

use std::collections::BTreeSet;
use std::path::Path;

use diag::{Diagnostic, Style, render};
use source::Sources;

use crate::{Example, check_literate, files};

/// Checks the pages of `folder` against the constructors in `code`, the texts of the source files that hold them.
///
/// `run` gives the diagnostics of an example and the sources to show them with.
pub fn check_pages(folder: &Path, code: &[&str], run: impl Fn(&Example) -> (Sources, Vec<Diagnostic>)) {
    let emitted: BTreeSet<String> = code.iter().flat_map(|it| codes_in(it)).collect();
    let mut described = BTreeSet::new();
    let mut wrong: Vec<String> = vec![];
    for path in files(folder, "md") {
        let name = path
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        let mut given = vec![];
        check_literate(&path, |example| {
            let (sources, diagnostics) = run(example);
            given.extend(diagnostics.iter().map(|it| it.code));
            let messages: Vec<String> = diagnostics
                .iter()
                .map(|it| render(it, &sources, Style::Plain))
                .collect();
            messages.join("\n\n")
        });
        if !given.iter().any(|it| *it == name) {
            wrong.push(format!("the example of {name}.md gives {given:?}"));
        }
        let page = std::fs::read_to_string(&path).expect("a readable page");
        if !page.starts_with(&format!("# `{name}`\n")) {
            wrong.push(format!("{name}.md does not start with its code"));
        }
        described.insert(name);
    }
    wrong.extend(
        emitted
            .difference(&described)
            .map(|it| format!("{it} has no page")),
    );
    wrong.extend(
        described
            .difference(&emitted)
            .map(|it| format!("{it}.md is about nothing")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same for every code in the sources of a crate, whose manifest is in `root`.
pub fn check_pages_of(root: &Path, run: impl Fn(&Example) -> (Sources, Vec<Diagnostic>)) {
    let texts: Vec<String> = files(&root.join("src"), "rs")
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a readable source"))
        .collect();
    // What unit tests make up is no diagnostic of the crate.
    let code = |it: &String| it.split("#[cfg(test)]\nmod tests {").next().map(str::to_owned);
    let code: Vec<String> = texts.iter().filter_map(code).collect();
    let code: Vec<&str> = code.iter().map(String::as_str).collect();
    check_pages(&root.join("diagnostics"), &code, run);
}

/// The codes in `Diagnostic::error("code", …)`, `Diagnostic::warning("code", …)` and `Diagnostic::remark("code", …)`.
fn codes_in(source: &str) -> impl Iterator<Item = String> {
    let after = [
        "Diagnostic::error(",
        "Diagnostic::warning(",
        "Diagnostic::remark(",
    ];
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
    use super::codes_in;

    #[test]
    fn codes_are_found_over_line_breaks() {
        let source = "Diagnostic::error(\n    \"a-b\", x) Diagnostic::warning(\"c\", y)";
        assert_eq!(codes_in(source).collect::<Vec<_>>(), ["a-b", "c"]);
    }
}
