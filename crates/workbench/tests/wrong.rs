//! Wrong specifications and configurations, each with what a person gets to read. None of them panics, hangs or eats the memory.
//!
//! An example is a module; what follows its last line is the configuration. `UPDATE_EXPECT=1` writes the messages anew.

#[path = "support/example.rs"]
mod example;

use std::path::Path;

use example::{run, shown};
use workbench::{CheckOptions, Verdict};

#[test]
fn every_mistake_gets_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut n_examples = 0;
    for path in testkit::files(&folder, "md") {
        let examples = testkit::check_literate(&path, |example| {
            let (file, report) = run(&example.text, &CheckOptions::default());
            let silent = report.verdict == Verdict::Holds && report.diagnostics.is_empty();
            assert!(!silent, "{}", example.text);
            shown(&file, &report)
        });
        n_examples += examples.len();
    }
    assert!(n_examples >= 40, "{n_examples} examples");
}
