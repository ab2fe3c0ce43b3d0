//! `babbage rules`, `--without`, `--only`, `--with` and `--theorems` as a person calls them: texts, JSON, exit status.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LIFT: &str = r#"---- MODULE Lift ----
EXTENDS Naturals
VARIABLES floor, door
Moves == floor = 0 /\ [][floor' \in {floor + 1, floor - 1}]_floor
House == [](floor \in 0..3)
Doors == door = "open" /\ [][door' # door /\ door' \in {"open", "shut"}]_door
Safe == [][door = "shut" /\ door' = door]_floor
Polite == [][floor' = floor]_door
Unsafe == Moves /\ House /\ Doors
Spec == Unsafe /\ Safe /\ Polite
NeverOpenAndUp == [][floor' # floor => door = "shut"]_<<floor, door>>
THEOREM Held == Spec => NeverOpenAndUp
THEOREM Unsafe => NeverOpenAndUp
THEOREM floor > 7
====
"#;

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder to write to");
    fs::write(folder.join("Lift.tla"), LIFT).expect("a file to write");
    folder
}

fn babbage(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary runs")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn rules_are_listed_with_their_places() {
    let folder = folder("rules_listed");
    let output = babbage(&folder, &["rules", "tictactoe-rules"]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output);
    assert!(
        said.starts_with("TicTacToe7WithBlock is a conjunction of 7 rules"),
        "{said}"
    );
    assert!(said.contains("BlockOpponentFromWinning"), "{said}");
    // As it is written, rule 5 is left out, and one is told so.
    let output = babbage(
        &folder,
        &[
            "rules",
            "tictactoe-rules",
            "--spec",
            "TicTacToe7",
            "--format",
            "json",
        ],
    );
    let listed = json(&output);
    assert_eq!(listed["rules"].as_array().map(Vec::len), Some(6));
    assert_eq!(listed["rules"][0]["name"], "Board");
    assert_eq!(listed["left_out"][0]["name"], "BlockOpponentFromWinning");
}

#[test]
fn rules_can_be_left_out_of_every_command() {
    let folder = folder("rules_left_out");
    let property = ["--property", "NeverOpenAndUp"];
    let run = |arguments: &[&str]| babbage(&folder, &[arguments, &property].concat());
    assert_eq!(
        run(&["check", "Lift.tla", "--no-deadlock"]).status.code(),
        Some(0)
    );
    let output = run(&["check", "Lift.tla", "--no-deadlock", "--without", "Safe"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("switched off: Safe"), "{}", text(&output));
    let output = run(&[
        "simulate",
        "Lift.tla",
        "--without",
        "Safe,Polite",
        "--no-deadlock",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let with = [
        "check",
        "Lift.tla",
        "--spec",
        "Unsafe",
        "--with",
        "Safe",
        "--no-deadlock",
    ];
    assert_eq!(run(&with).status.code(), Some(0));
    for command in [&["eval", "1", "--in"][..], &["parse"][..]] {
        let known = babbage(&folder, &[command, &["Lift.tla", "--without", "Safe"]].concat());
        assert_eq!(known.status.code(), Some(0), "{command:?}");
        let unknown = babbage(&folder, &[command, &["Lift.tla", "--only", "Save"]].concat());
        assert_eq!(unknown.status.code(), Some(2), "{command:?}");
        let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
        assert!(said.contains("did you mean `Safe`"), "{said}");
    }
    let alloy = babbage(&folder, &["check", "tictactoe-alloy", "--only", "A"]);
    assert_eq!(alloy.status.code(), Some(2));
}

#[test]
fn sets_of_rules_are_compared() {
    let folder = folder("rules_compared");
    let arguments = ["rules", "Lift.tla", "--property", "NeverOpenAndUp", "--subsets"];
    let output = babbage(&folder, &arguments);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output);
    assert!(
        said.contains("the minimal set of rules that gives NeverOpenAndUp"),
        "{said}"
    );
    let output = babbage(&folder, &[&arguments[..], &["--format", "json"]].concat());
    let minimal = &json(&output)["properties"][0]["minimal"];
    assert_eq!(minimal, &serde_json::json!([["Moves", "Doors", "Safe"]]));
}

#[test]
fn theorems_have_verdicts() {
    let folder = folder("rules_theorems");
    let output = babbage(&folder, &["check", "Lift.tla", "--theorems", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let theorems = &json(&output)["theorems"];
    let verdict = |i: usize| theorems[i]["verdict"].as_str().unwrap_or("none").to_string();
    assert_eq!(
        [verdict(0), verdict(1), verdict(2)],
        ["holds", "violated", "not checkable"]
    );
    assert_eq!(theorems[0]["name"], "Held");
    assert_eq!(theorems[1]["statement"], "Unsafe => NeverOpenAndUp");
    assert_eq!(theorems[1]["location"], "Lift.tla:13:9");
    assert_eq!(theorems[1]["rules"], serde_json::json!(["Moves", "Doors"]));
    assert_eq!(theorems[1]["trace"]["states"].as_array().map(Vec::len), Some(2));
    let output = babbage(&folder, &["check", "Lift.tla", "--theorems", "--view", "text"]);
    let said = text(&output);
    assert!(
        said.contains("not among them: Safe (Lift.tla:7:1), Polite (Lift.tla:8:1)"),
        "{said}"
    );
    assert!(
        said.contains("3 theorems: 1 hold, 1 false, 1 not checkable"),
        "{said}"
    );
}
