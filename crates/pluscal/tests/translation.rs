//! What becomes of small algorithms, as pages: prose, an algorithm, and the lines of its translation.

use std::path::Path;

use pluscal::{Options, translate};
use source::Sources;
use testkit::{Example, check_literate, files};

#[test]
fn translations_are_those_of_the_pages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/translation");
    for path in files(&folder, "md") {
        check_literate(&path, run);
    }
}

/// The translation of an example; with words after `tla`, only the lines from the first that has one of them to the next empty one.
fn run(example: &Example) -> String {
    let text = format!("---- MODULE M ----\n(*\n{}*)\n====\n", example.text);
    let mut sources = Sources::new();
    let file = sources.add("M.tla", text.as_str());
    let (translation, diagnostics) = translate(&text, file, &Options::default());
    let Some(translation) = translation else {
        let told = diagnostics
            .iter()
            .map(|it| diag::render(it, &sources, diag::Style::Plain));
        return told.collect::<Vec<_>>().join("\n\n");
    };
    let lines: Vec<&str> = translation.text[translation.lines.clone()].lines().collect();
    if example.options.is_empty() {
        return lines.join("\n");
    }
    let mut shown: Vec<&str> = vec![];
    for word in example.options.split_whitespace() {
        let from = lines.iter().position(|it| it.starts_with(word));
        let from = from.unwrap_or_else(|| panic!("no line starts with {word}"));
        shown.extend(lines[from..].iter().take_while(|it| !it.is_empty()));
    }
    shown.into_iter().map(|it| format!("{it}\n")).collect()
}
