//! The listing and the folder say the same, and every text is the module that its name promises.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{module, names};

fn folder(path: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_dir(path)
        .expect("the folder is part of the crate")
        .map(|entry| {
            entry
                .expect("a readable entry")
                .file_name()
                .into_string()
                .expect("a UTF-8 name")
        })
        .map(|file| file.strip_suffix(".tla").expect("only modules here").to_owned())
        .collect()
}

#[test]
fn the_listing_is_the_folder() {
    let listed: BTreeSet<String> = names().iter().map(|&name| name.to_owned()).collect();
    assert_eq!(listed.len(), names().len(), "a module is listed twice");
    assert_eq!(listed, folder("modules"));
}

#[test]
fn a_module_is_called_as_its_file() {
    for &name in names() {
        let text = module(name).expect("listed");
        let header = text.lines().next().unwrap_or_default();
        let words: Vec<&str> = header.split_whitespace().collect();
        assert!(
            matches!(words[..], [left, "MODULE", found, right]
                if found == name && left.starts_with("----") && right.starts_with("----")),
            "{name}: {header}"
        );
        assert!(
            text.trim_end().ends_with("===="),
            "{name} does not end with its closing line"
        );
    }
}

#[test]
fn modules_are_tidy_ascii() {
    for &name in names() {
        for (number, line) in module(name).expect("listed").lines().enumerate() {
            let place = format!("{name}:{}", number + 1);
            assert!(line.is_ascii(), "{place} is not ASCII");
            assert!(
                !line.contains('\t') && line.trim_end() == line,
                "{place} has stray blanks"
            );
            assert!(line.len() <= 100, "{place} is {} characters long", line.len());
        }
    }
}

#[test]
fn every_opened_module_is_there() {
    for &name in names() {
        for opened in opened_by(module(name).expect("listed")) {
            assert!(
                module(&opened).is_some(),
                "{name} opens {opened}, which is not in the library"
            );
        }
    }
}

#[test]
fn every_assertion_file_tests_a_module() {
    for file in folder("tests/assertions") {
        let tested = file
            .strip_suffix("Assertions")
            .expect("named after the module it tests");
        assert!(module(tested).is_some(), "no module {tested}");
        let path = format!("{}/tests/assertions/{file}.tla", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("listed");
        assert!(
            text.contains(&format!("MODULE {file} -")),
            "{file} has another name inside"
        );
        assert!(
            opened_by(&text).iter().any(|name| name == tested),
            "{file} does not open {tested}"
        );
    }
}

#[test]
fn an_unknown_name_has_no_text() {
    assert_eq!(module("Natural"), None);
    assert_eq!(module(""), None);
}

/// The names after `EXTENDS` and `INSTANCE`, read word by word: comments of the library never hold these words.
fn opened_by(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut opened = Vec::new();
    for (at, &word) in words.iter().enumerate() {
        let list = &words[at + 1..];
        match word {
            "INSTANCE" => opened.extend(list.first().map(|name| (*name).to_owned())),
            "EXTENDS" => {
                let last = list
                    .iter()
                    .position(|name| !name.ends_with(','))
                    .unwrap_or_default();
                opened.extend(
                    list[..=last]
                        .iter()
                        .map(|name| name.trim_end_matches(',').to_owned()),
                );
            }
            _ => {}
        }
    }
    opened
}
