//! Every public algorithm beside the project is translated byte for byte as `pcal.trans` translates it.

use std::path::Path;

use pluscal::{Options, translate};
use source::Sources;
use testkit::{corpus, files};

/// What is wrong with the translation of one file, if anything.
fn compare(path: &Path, expected: &Path) -> Option<String> {
    let read = |it: &Path| String::from_utf8_lossy(&std::fs::read(it).expect("readable")).into_owned();
    let mut sources = Sources::new();
    let text = read(path);
    let file = sources.add(path.to_string_lossy(), text.clone());
    let (translation, diagnostics) = translate(&text, file, &Options::default());
    let Some(translation) = translation else {
        let wrong = diagnostics
            .iter()
            .map(|it| diag::render(it, &sources, diag::Style::Plain));
        return Some(wrong.collect::<Vec<_>>().join("\n"));
    };
    let expected = read(expected);
    let mut lines = translation.text.lines().zip(expected.lines()).enumerate();
    if let Some((i, (got, wanted))) = lines.find(|(_, it)| it.0 != it.1) {
        return Some(format!(
            "line {}\n  got      {got:?}\n  expected {wanted:?}",
            i + 1
        ));
    }
    let (got, wanted) = (translation.text.lines().count(), expected.lines().count());
    (got != wanted).then(|| format!("{got} lines, expected {wanted}"))
}

/// Files that `pcal.trans` refuses, and the lines that it names.
const REFUSED: &[(&str, &[u32])] = &[
    ("CallGotoUnlabeledTest", &[10, 19]),
    ("Github358", &[5]),
    ("MissingBodyInWhile", &[6]),
    ("MissingBodyInWith", &[5]),
    ("bug-05-12-10", &[21]),
];

#[test]
fn translations_are_those_of_the_corpus() {
    let Some(folder) = corpus("pluscal") else {
        return;
    };
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut wrong = vec![];
    let mut n = 0;
    for path in files(&folder, "tla") {
        let expected = path.with_file_name("expected.tla");
        if path == expected || !expected.exists() || !path.to_string_lossy().contains(&only) {
            continue;
        }
        n += 1;
        if let Some(why) = compare(&path, &expected) {
            wrong.push(format!(
                "{}: {why}",
                path.strip_prefix(&folder).expect("inside").display()
            ));
        }
    }
    println!("{} of {n} as expected", n - wrong.len());
    assert!(
        wrong.is_empty(),
        "{} of {n} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn what_is_refused_is_refused_at_the_same_line() {
    let Some(folder) = corpus("pluscal") else {
        return;
    };
    for (name, lines) in REFUSED {
        let path = files(&folder, "tla")
            .into_iter()
            .find(|it| it.file_stem().is_some_and(|it| it == *name));
        let path = path.unwrap_or_else(|| panic!("{name} is in the corpus"));
        let text = std::fs::read_to_string(&path).expect("readable");
        let mut sources = Sources::new();
        let file = sources.add(*name, text.clone());
        let (translation, diagnostics) = translate(&text, file, &Options::default());
        assert!(translation.is_none(), "{name} is translated");
        let place = |it: &diag::Diagnostic| it.span().map(|it| sources.file(file).place(it.start).line);
        let told: Vec<u32> = diagnostics.iter().filter_map(place).collect();
        // That tool stops at the first mistake; more are told here.
        assert!(told.starts_with(lines), "{name}: {told:?} {diagnostics:?}");
    }
}
