//! Wrong specifications and configurations, each with what a person gets to read. None of them panics, hangs or eats the memory.
//!
//! An example is a module; what follows its last line is the configuration. `UPDATE_EXPECT=1` writes the messages anew.

#[path = "support/example.rs"]
mod example;

use std::path::Path;

use example::{found, run, run_with, shown};
use workbench::{CheckOptions, CheckReport, Verdict, check_reference};

/// What has no value has none for the reference checker either, after the same states.
fn agrees_with_reference(text: &str, report: &CheckReport) {
    let (_, reference) = run_with(
        text,
        &CheckOptions::default(),
        |file, options, effects, observer| check_reference(file, options, effects, observer),
    );
    if reference.verdict != Verdict::Unknown && report.verdict != Verdict::Unknown {
        assert_eq!(
            found(&reference),
            found(report),
            "the reference checker, for\n{text}"
        );
    }
}

#[test]
fn every_mistake_gets_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut n_examples = 0;
    for path in testkit::files(&folder, "md") {
        let examples = testkit::check_literate(&path, |example| {
            let (file, report) = run(&example.text, &CheckOptions::default());
            let silent = report.verdict == Verdict::Holds && report.diagnostics.is_empty();
            assert!(!silent, "{}", example.text);
            agrees_with_reference(&example.text, &report);
            shown(&file, &report)
        });
        n_examples += examples.len();
    }
    assert!(n_examples >= 40, "{n_examples} examples");
}
