//! The same answer, whatever way it is found: with and without tables and slots, with one worker or two, exactly or by fingerprints.
//!
//! An example is a module; what follows its last line is the configuration. The answers are those of a checker that has none of
//! these. `UPDATE_EXPECT=1` writes them anew.

#[path = "support/example.rs"]
mod example;

use std::path::Path;

use example::{run, shown};
use workbench::CheckOptions;

/// Ways to find an answer; the first is the plainest.
fn ways() -> Vec<(&'static str, CheckOptions)> {
    let plain = CheckOptions {
        tables: false,
        slots: false,
        ..CheckOptions::default()
    };
    let tables = CheckOptions {
        tables: true,
        ..plain
    };
    let slots = CheckOptions { slots: true, ..plain };
    let default = CheckOptions::default();
    let two = CheckOptions {
        workers: 2,
        ..default
    };
    let fingerprints = CheckOptions {
        fingerprints: true,
        ..default
    };
    vec![
        ("plain", plain),
        ("tables", tables),
        ("slots", slots),
        ("default", default),
        ("two workers", two),
        ("fingerprints", fingerprints),
    ]
}

/// The message, the trace, the verdict and the counts.
fn answer(text: &str, options: &CheckOptions) -> String {
    let (file, report) = run(text, options);
    let counts = format!(
        "{} distinct, {} generated, depth {}",
        report.distinct, report.generated, report.depth
    );
    shown(&file, &report) + "\n" + &counts
}

#[test]
fn every_way_gives_the_same_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
    for path in testkit::files(&folder, "md") {
        testkit::check_literate(&path, |example| {
            let mut ways = ways().into_iter();
            let (_, plain) = ways.next().expect("there is a first way");
            let expected = answer(&example.text, &plain);
            for (way, options) in ways {
                let found = answer(&example.text, &options);
                assert_eq!(found, expected, "{way} against plain, for\n{}", example.text);
            }
            expected
        });
    }
}
