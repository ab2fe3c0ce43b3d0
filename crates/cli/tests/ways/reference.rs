//! The reference checker, which shares nothing with the engine, gives the same verdict, counts and trace.

use serde_json::{Value, json};

/// What both tell: a lasso is one of many, so there only the verdict counts.
fn essence(report: &Value) -> Value {
    let is_lasso = report["violation"]["kind"] == "liveness";
    let states = report["trace"]["states"].as_array().cloned().unwrap_or_default();
    let step = |it: &Value| json!([it["action"], it["location"], it["variables"]]);
    let trace: Vec<Value> = match is_lasso {
        true => vec![],
        false => states.iter().map(step).collect(),
    };
    json!([
        report["verdict"],
        report["violation"],
        report["states"],
        report["limit"],
        trace
    ])
}

#[track_caller]
fn same(arguments: &[&str], verdict: &str) {
    let engine = essence(&crate::common::report(arguments, &["--workers", "1"]));
    let reference = essence(&crate::common::report(arguments, &["--reference"]));
    assert_eq!(reference[0], verdict, "{arguments:?}");
    assert_eq!(reference, engine, "{arguments:?}");
}

#[test]
fn the_gallery() {
    same(&["tictactoe-strategy"], "holds");
    same(&["tictactoe-rules", "--max-states", "300"], "holds");
    same(&["tictactoe-field", "--max-depth", "4"], "unknown");
    same(&["klotski", "--max-states", "400"], "unknown");
    same(&["connect", "--max-states", "300"], "unknown");
}

#[test]
fn specifications_that_grow() {
    for (module, size, invariant) in [
        ("Philosophers", "N=3", "Exclusion"),
        ("TokenRing", "N=3", "SomeToken"),
        ("TwoPhase", "N=2", "Agreement"),
        ("Bakery", "N=2", "Exclusion"),
        ("Sliding", "N=2", "HoleIsEmpty"),
        ("Sorting", "N=4", "Complete"),
        ("Queues", "N=2", "InOrder"),
    ] {
        let module = format!("bench/{module}.tla");
        let asked = ["--spec", "Spec", "--constant", size, "--invariant", invariant];
        same(
            &[
                &[&module[..]],
                &asked[..],
                &["--no-deadlock", "--max-states", "500"],
            ]
            .concat(),
            "holds",
        );
    }
}

#[test]
fn violations_and_errors() {
    let ring = ["bench/TwoPhase.tla", "--spec", "Spec", "--constant", "N=2"];
    let with = |more: &[&'static str]| [&ring[..], more].concat();
    same(&with(&[]), "holds");
    let with = |more: &[&'static str]| [&ring[..], &["--no-deadlock"], more].concat();
    same(&with(&["--invariant", "leader # \"committed\""]), "violated");
    same(
        &with(&["--property", "[][leader' # \"aborted\"]_leader"]),
        "violated",
    );
    same(&with(&["--property", "<>(leader = \"committed\")"]), "violated");
    same(
        &with(&[
            "--property",
            "[](leader = \"committed\" => [](leader = \"committed\"))",
        ]),
        "holds",
    );
    same(&with(&["--invariant", "wire[1] = 2"]), "error");
    same(&with(&["--without", "Nothing"]), "error");
}

#[test]
fn every_way_to_depend_on_a_part() {
    let reads = ["crates/cli/tests/Reads.tla", "--spec", "Spec", "--max-depth", "8"];
    same(&[&reads[..], &["--invariant", "Small"]].concat(), "unknown");
    let never = "\\A w \\in Who : Len(line[w]) < 1";
    same(&[&reads[..], &["--invariant", never]].concat(), "violated");
}

#[test]
fn it_says_that_it_counts_all_states() {
    let report = crate::common::report(
        &["crates/cli/tests/Mail.tla", "--spec", "Spec", "--max-depth", "3"],
        &["--reference"],
    );
    assert_eq!(report["diagnostics"], json!([]));
    let output = crate::common::babbage(&["check", "tictactoe-alloy", "--reference"])
        .output()
        .expect("babbage runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-reference-in-alloy"));
}
