//! What every way of checking must agree on: which models, and what of an answer does not depend on the way or the machine.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The program, started in the root of the project.
pub fn babbage(arguments: &[&str]) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_babbage"));
    command.current_dir(root).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn report(arguments: &[&str], more: &[&str]) -> Value {
    let all = [&["check"], arguments, &["--format", "json"], more].concat();
    let output = babbage(&all).output().expect("babbage runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("an object from {all:?}: {output:?}"))
}

/// What a report says, without what depends on the machine.
pub fn essence(report: &Value) -> Value {
    let kept = [
        "verdict",
        "violation",
        "states",
        "trace",
        "lasso",
        "actions",
        "definitions",
        "diagnostics",
        "limit",
        "replayed",
    ];
    kept.iter().map(|&it| report[it].clone()).collect()
}

/// Checks in one way and in others: the same answer.
#[track_caller]
pub fn same(arguments: &[&str], verdict: &str, plain: &[&str], others: &[&[&str]]) {
    let expected = essence(&report(arguments, plain));
    assert_eq!(expected[0], verdict, "{arguments:?}");
    for more in others {
        let answer = essence(&report(arguments, more));
        assert_eq!(answer, expected, "{arguments:?} {more:?}");
    }
}

/// Specifications of `bench/` with a size at which they are small, each with an invariant that holds.
pub fn growing() -> Vec<Vec<String>> {
    let models = [
        ("Philosophers", "N=5", "Exclusion"),
        ("TokenRing", "N=5", "SomeToken"),
        ("TwoPhase", "N=4", "Agreement"),
        ("Bakery", "N=3", "Exclusion"),
        ("Consensus", "N=2", "Agreement"),
        ("Sliding", "N=3", "HoleIsEmpty"),
        ("Sorting", "N=5", "Complete"),
        ("Queues", "N=4", "InOrder"),
    ];
    let arguments = |(name, size, invariant): (&str, &str, &str)| {
        let module = format!("bench/{name}.tla");
        [
            &module,
            "--spec",
            "Spec",
            "--constant",
            size,
            "--invariant",
            invariant,
            "--no-deadlock",
        ]
        .map(str::to_owned)
        .to_vec()
    };
    models.into_iter().map(arguments).collect()
}
