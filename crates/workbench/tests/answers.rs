//! The same answer, whatever way it is found: with and without tables and slots, with one worker or two, exactly or by
//! fingerprints, with a layout that most states do not fit.
//!
//! An example is a module; what follows its last line is the configuration. The reference checker, which shares nothing with the
//! others, agrees. `UPDATE_EXPECT=1` writes the answers anew.

#[path = "support/example.rs"]
mod example;

use std::path::{Path, PathBuf};

use example::{found, run, run_with, shown};
use workbench::{CheckOptions, CheckReport, Verdict, check_reference};

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
    let hostile = CheckOptions {
        hostile_layout: true,
        ..default
    };
    let hostile_slots = CheckOptions {
        hostile_layout: true,
        ..slots
    };
    vec![
        ("plain", plain),
        ("tables", tables),
        ("slots", slots),
        ("a layout that does not fit", hostile_slots),
        ("a layout that does not fit, and tables", hostile),
        ("default", default),
        ("two workers", two),
        ("fingerprints", fingerprints),
    ]
}

fn counts(report: &CheckReport) -> String {
    format!(
        "\n{} distinct, {} generated, depth {}",
        report.distinct, report.generated, report.depth
    )
}

/// What the reference checker says, in words that are its own where it has any.
fn agrees_with_reference(text: &str, plain: &CheckReport) {
    let options = CheckOptions::default();
    let (_, reference) = run_with(text, &options, |file, options, effects, observer| {
        check_reference(file, options, effects, observer)
    });
    // It gives up where a recursion takes long.
    if reference.verdict == Verdict::Unknown {
        return;
    }
    // What is wrong with a temporal formula it notices at the end, and not where the formula is first asked.
    if reference.verdict == Verdict::Error && reference.trace.is_empty() {
        assert_eq!(
            plain.verdict,
            Verdict::Error,
            "reference against plain, for\n{text}"
        );
        return;
    }
    assert_eq!(
        found(&reference),
        found(plain),
        "reference against plain, for\n{text}"
    );
    // It knows nothing of symmetry and views: its states are more. It looks at infinite behaviours at the end only.
    if !text.contains("SYMMETRY") {
        assert_eq!(
            counts(&reference),
            counts(plain),
            "reference against plain, for\n{text}"
        );
    }
}

/// Runs the examples of a page.
fn holds(page: &str) {
    let path = folder().join(page).with_extension("md");
    testkit::check_literate(&path, |example| {
        let mut ways = ways().into_iter();
        let (_, plain) = ways.next().expect("there is a first way");
        let answer = |options: &CheckOptions| {
            let (file, report) = run(&example.text, options);
            (shown(&file, &report) + &counts(&report), report)
        };
        let (expected, report) = answer(&plain);
        for (way, options) in ways {
            let (found, _) = answer(&options);
            assert_eq!(found, expected, "{way} against plain, for\n{}", example.text);
        }
        agrees_with_reference(&example.text, &report);
        expected
    });
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers")
}

/// One test for each page: they run side by side, and one that fails does not hide the others.
macro_rules! pages {
    ($($page:ident)*) => {
        $(#[test]
        fn $page() {
            holds(stringify!($page));
        })*

        #[test]
        fn every_page_has_a_test() {
            let pages = testkit::files(&folder(), "md");
            let names = pages.iter().filter_map(|it| it.file_stem()?.to_str());
            assert_eq!(names.collect::<Vec<_>>(), [$(stringify!($page)),*]);
        }
    };
}

pages! {
    apart
    changes
    choices
    definitions
    enabled
    endless
    fair
    gates
    layouts
    names
    patterns
    properties
    reads
    recursion
    steps
    subscripts
    symmetry
    temporal
    types
}
