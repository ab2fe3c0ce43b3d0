//! With and without tables, with and without slots, and with one worker or two: the same verdict, counts, steps by action, and
//! trace.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a check says, without what depends on the machine.
fn answer(arguments: &[&str], more: &[&str]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .current_dir(root)
        .arg("check")
        .args(arguments)
        .args(["--format", "json"])
        .args(more)
        .output()
        .expect("babbage runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let kept = [
        "verdict",
        "violation",
        "states",
        "trace",
        "lasso",
        "actions",
        "diagnostics",
    ];
    kept.iter().map(|&it| report[it].clone()).collect()
}

#[track_caller]
fn same(arguments: &[&str], verdict: &str) {
    let plain = answer(arguments, &["--no-tables", "--no-slots", "--workers", "1"]);
    assert_eq!(plain[0], verdict, "{arguments:?}");
    for more in [
        &["--workers", "1"][..],
        &["--workers", "1", "--no-slots"],
        &["--workers", "1", "--no-tables"],
    ] {
        assert_eq!(answer(arguments, more), plain, "{arguments:?}, {more:?}");
    }
    assert_eq!(
        answer(arguments, &["--workers", "2"]),
        plain,
        "{arguments:?}, two workers"
    );
}

#[test]
fn specifications_that_grow() {
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
    for (name, size, invariant) in models {
        let module = format!("bench/{name}.tla");
        let asked = [
            "--spec",
            "Spec",
            "--constant",
            size,
            "--invariant",
            invariant,
            "--no-deadlock",
        ];
        same(&[&[&module[..]], &asked[..]].concat(), "holds");
    }
}

#[test]
fn every_way_to_depend_on_a_part() {
    let reads = ["crates/cli/tests/Reads.tla", "--spec", "Spec", "--max-depth", "9"];
    same(&[&reads[..], &["--invariant", "Small"]].concat(), "unknown");
    let never = "\\A w \\in Who : Len(line[w]) < 1";
    same(&[&reads[..], &["--invariant", never]].concat(), "violated");
}

/// The domain of a function changes long after the layout of states was found.
#[test]
fn values_that_stop_fitting() {
    for late in ["Late=0", "Late=3", "Late=150"] {
        let late = ["crates/cli/tests/Late.tla", "--constant", late, "--no-deadlock"];
        let with = |more: &[&'static str]| [&late[..], more].concat();
        same(&with(&["--spec", "Spec", "--invariant", "TypeOK"]), "holds");
        same(&with(&["--spec", "Spec", "--invariant", "Small"]), "violated");
        same(&with(&["--spec", "Spec", "--invariant", "Whole"]), "violated");
        same(&with(&["--spec", "Spec", "--property", "Kept"]), "violated");
        same(&with(&["--spec", "Fair", "--property", "Ends"]), "holds");
        same(&with(&["--spec", "Fair", "--property", "Comes"]), "violated");
    }
}

#[test]
fn the_gallery() {
    same(&["tictactoe-strategy"], "holds");
    same(&["tictactoe-field"], "holds");
}

/// Giving up and obeying an abort lead to the same states, so steps belong to several actions.
#[test]
fn fair_actions_have_the_same_steps() {
    let vars = "<<part, leader, votes, wire>>";
    let ends = "\\A p \\in Part : <>(part[p] # \"working\")";
    let decided = "<>(leader # \"waits\")";
    for (fairness, property, verdict) in [
        (format!("\\A p \\in Part : WF_{vars}(GiveUp(p))"), ends, "holds"),
        (format!("WF_{vars}(GiveUp(1))"), ends, "violated"),
        (
            format!("\\A p \\in Part : SF_{vars}(Obey(p, \"abort\", \"aborted\"))"),
            ends,
            "violated",
        ),
        (
            "WF_leader(Decide(\"abort\", \"aborted\"))".to_owned(),
            decided,
            "holds",
        ),
        // No part of the relation, but a conjunction of two.
        (format!("WF_{vars}(Next /\\ leader' # leader)"), decided, "holds"),
        (
            format!("WF_{vars}(\\E p \\in Part : Count(p))"),
            decided,
            "violated",
        ),
    ] {
        let behaviours = format!("Init /\\ [][Next]_{vars} /\\ {fairness}");
        let asked = [
            "bench/TwoPhase.tla",
            "--constant",
            "N=2",
            "--no-deadlock",
            "--spec",
            &behaviours,
            "--property",
            property,
        ];
        same(&asked, verdict);
    }
}

#[test]
fn violations_are_found_at_the_same_step() {
    let ring = [
        "bench/TwoPhase.tla",
        "--spec",
        "Spec",
        "--constant",
        "N=3",
        "--no-deadlock",
    ];
    let with = |more: &[&'static str]| [&ring[..], more].concat();
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
}
