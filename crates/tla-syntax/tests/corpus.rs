//! The public specifications beside the project: all are read, and survive being printed and read again.

use std::path::Path;

use source::{FileId, Sources};
use tla_syntax::{Notation, Tree};

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("a readable file")).into_owned()
}

/// The tree and the first diagnostic, rendered.
fn parse(path: &Path) -> (Tree, Option<String>) {
    let text = read(path);
    let mut sources = Sources::new();
    let file = sources.add(path.display().to_string(), text.clone());
    let (tree, diagnostics) = tla_syntax::parse(&text, file);
    let first = diagnostics
        .first()
        .map(|it| diag::render(it, &sources, diag::Style::Plain));
    (tree, first)
}

#[test]
fn every_module_is_read_without_a_diagnostic() {
    let Some(folder) = testkit::corpus("tla") else {
        return;
    };
    for path in testkit::files(&folder, "tla") {
        let (_, diagnostic) = parse(&path);
        assert_eq!(diagnostic, None);
    }
}

#[test]
fn the_syntax_corpus_is_accepted_and_rejected_as_it_says() {
    let Some(folder) = testkit::corpus("syntax") else {
        return;
    };
    let expected = read(&folder.join("expected.json"));
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("the corpus is JSON");
    for row in expected.as_array().expect("a list of cases") {
        let path = folder.join(row["file"].as_str().expect("a name"));
        let (_, diagnostic) = parse(&path);
        let is_valid = !diagnostic.as_ref().is_some_and(|it| it.starts_with("error"));
        assert_eq!(
            Some(is_valid),
            row["valid"].as_bool(),
            "{}: {diagnostic:?}",
            path.display()
        );
    }
}

#[test]
fn every_configuration_is_read_without_a_diagnostic() {
    let Some(folder) = testkit::corpus("tla") else {
        return;
    };
    for path in testkit::files(&folder, "cfg") {
        let (_, diagnostics) = tla_syntax::config::parse(&read(&path), FileId(0));
        assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", path.display());
    }
}

#[test]
fn every_module_survives_printing() {
    let folders = ["tla", "syntax"].map(testkit::corpus);
    for path in folders.iter().flatten().flat_map(|it| testkit::files(it, "tla")) {
        let (tree, diagnostic) = parse(&path);
        if diagnostic.is_some_and(|it| it.starts_with("error")) {
            continue;
        }
        for notation in [Notation::Ascii, Notation::Unicode] {
            let printed = tla_syntax::print(&tree, notation);
            let mut sources = Sources::new();
            let file = sources.add("printed.tla", printed.clone());
            let (again, diagnostics) = tla_syntax::parse(&printed, file);
            if let Some(it) = diagnostics.iter().find(|it| it.is_error()) {
                panic!(
                    "{}: {}",
                    path.display(),
                    diag::render(it, &sources, diag::Style::Plain)
                );
            }
            let (before, after) = (tla_syntax::dump(&tree), tla_syntax::dump(&again));
            if let Some((a, b)) = before.lines().zip(after.lines()).find(|(a, b)| a != b) {
                panic!("{}: {a} became {b} in\n{printed}", path.display());
            }
            assert_eq!(before.len(), after.len(), "{}", path.display());
        }
    }
}
