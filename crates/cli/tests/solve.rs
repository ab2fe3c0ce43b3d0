//! `babbage solve` and `babbage strategy` as a person calls them: answers, exit status, files.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Output};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value;

/// Whoever takes the last of five sticks, one or two at a time, wins; and a walk between walls.
const STICKS: &str = r#"---- MODULE Sticks ----
EXTENDS Integers
VARIABLES left, turn
vars == <<left, turn>>
Init == left = 5 /\ turn = "A"
Take(p, q, most) == turn = p /\ turn' = q /\ left' \in {left - n : n \in 1..most} /\ left' >= 0
A == Take("A", "B", 2)
B == Take("B", "A", 2)
Greedy == turn = "A" /\ turn' = "B" /\ left' = left - 1 /\ left > 0
Next == A \/ B
Spec == Init /\ [][Next]_vars
Last(p) == left = 0 /\ turn = (IF p = "A" THEN "B" ELSE "A")
Goal == left = 0
====
"#;

fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("solve-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for a test");
    fs::write(folder.join("Sticks.tla"), STICKS).expect("a file in it");
    folder
}

fn babbage(folder: &PathBuf, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("babbage runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn json(folder: &PathBuf, arguments: &[&str]) -> (Option<i32>, Value) {
    let (status, out, _) = babbage(folder, &[arguments, &["--format", "json"]].concat());
    (status, serde_json::from_str(&out).expect("one object"))
}

#[test]
fn solutions() {
    let folder = folder("solutions");
    let (status, out, _) = babbage(&folder, &["solve", "Sticks.tla", "--count", "--view", "text"]);
    assert_eq!(status, Some(0));
    assert!(
        out.contains("solved: 3 steps\n3 solutions with the fewest steps\n"),
        "{out}"
    );
    let (status, report) = json(
        &folder,
        &["solve", "Sticks.tla", "--goal", "left = 0", "--all", "9"],
    );
    assert_eq!(
        (status, &report["verdict"], &report["steps"]),
        (Some(0), &"solved".into(), &3.into())
    );
    assert_eq!(report["solutions"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["replayed"], true);
    let cost = ["solve", "Sticks.tla", "--cost", "(left - left') * (left - left')"];
    let (_, report) = json(&folder, &cost);
    assert_eq!((&report["cost"], &report["steps"]), (&5.into(), &5.into()));
    let (status, report) = json(&folder, &["solve", "Sticks.tla", "--goal", "left = 7"]);
    assert_eq!((status, &report["verdict"]), (Some(1), &"unreachable".into()));
    let (status, report) = json(
        &folder,
        &[
            "solve",
            "Sticks.tla",
            "--goal",
            "left = 0",
            "--max-states",
            "2",
            "--count",
        ],
    );
    assert_eq!(
        (status, &report["verdict"], &report["limit"]),
        (Some(3), &"unknown".into(), &"states".into())
    );
    for wrong in [
        ["--goal", "lef = 0"],
        ["--goal", "left' = 0"],
        ["--cost", "turn"],
        ["--table", "rows.txt"],
    ] {
        let (status, _, err) = babbage(&folder, &[&["solve", "Sticks.tla"], &wrong[..]].concat());
        assert_eq!(status, Some(2), "{wrong:?}: {err}");
    }
}

#[test]
fn tables() {
    let folder = folder("tables");
    for name in ["rows.csv", "rows.jsonl", "rows.parquet"] {
        let (status, out, err) = babbage(
            &folder,
            &["solve", "Sticks.tla", "--table", name, "--view", "text"],
        );
        assert_eq!(status, Some(0), "{err}");
        assert!(out.contains("10 rows"), "{out}");
        assert!(out.contains("       0          2  "), "{out}");
    }
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("it was written");
    let csv = read("rows.csv");
    assert_eq!(csv.lines().next(), Some("state,distance,left,turn"));
    assert_eq!(csv.lines().nth(1), Some("1,3,5,\"\"\"A\"\"\""));
    let first: Value =
        serde_json::from_str(read("rows.jsonl").lines().next().unwrap_or("")).expect("an object");
    assert_eq!(first["distance"], 3);
    let file = File::open(folder.join("rows.parquet")).expect("it was written");
    let reader = SerializedFileReader::new(file).expect("it is Parquet");
    let rows: Vec<_> = reader
        .get_row_iter(None)
        .expect("rows")
        .map(|it| it.expect("a row"))
        .collect();
    assert_eq!(rows.len(), csv.lines().count() - 1);
    assert_eq!(
        (rows[0].get_long(1).ok(), rows[0].get_string(2).ok().cloned()),
        (Some(3), Some("5".to_owned()))
    );
}

const PLAYERS: [&str; 6] = ["strategy", "Sticks.tla", "--player", "A=A", "--player", "B=B"];

#[test]
fn strategies() {
    let folder = folder("strategies");
    let goal = [&PLAYERS[..], &["--goal", "Last(\"A\")"]].concat();
    let (status, out, _) = babbage(&folder, &[&goal[..], &["--view", "text"]].concat());
    assert_eq!(status, Some(0));
    assert!(out.contains("A can force it in 3 moves, 2 of its own\n"), "{out}");
    // The disjuncts of `Next` are the players when nobody names them.
    let (status, report) = json(&folder, &["strategy", "Sticks.tla", "--goal", "Last(\"A\")"]);
    assert_eq!(
        (status, &report["value"], &report["moves"]),
        (Some(0), &"A".into(), &3.into())
    );
    let (status, report) = json(&folder, &[&goal[..], &["--follow", "Greedy"]].concat());
    assert_eq!((status, &report["verdict"]), (Some(1), &"fails".into()));
    assert_eq!(report["follow"]["lapses"], 2);
    assert_eq!(report["follow"]["examples"][0]["left"], "prevented");
    let (status, report) = json(
        &folder,
        &[&PLAYERS[..], &["--goal", "Last(\"B\")", "--for", "B"]].concat(),
    );
    assert_eq!(
        (status, &report["value"], &report["winner"]),
        (Some(1), &"prevented".into(), &"A".into())
    );
    let outcomes = ["--outcome", "A=Last(\"A\")", "--outcome", "B=Last(\"B\")"];
    let (status, report) = json(
        &folder,
        &[&PLAYERS[..], &outcomes, &["--table", "game.csv"]].concat(),
    );
    assert_eq!(
        (status, &report["value"], &report["moves"]),
        (Some(0), &"A".into(), &3.into())
    );
    let table = fs::read_to_string(folder.join("game.csv")).expect("it was written");
    assert!(
        table.starts_with("position,to_move,value,moves,best,left,turn,best_left,best_turn\n"),
        "{table}"
    );
    // The strategy goes back into the specification.
    let (status, definition, _) = babbage(
        &folder,
        &[&goal[..], &["--definition", "s.tla", "--view", "text"]].concat(),
    );
    assert_eq!(status, Some(0), "{definition}");
    let definition = fs::read_to_string(folder.join("s.tla")).expect("it was written");
    fs::write(
        folder.join("Sticks.tla"),
        STICKS.replace("====", &format!("{definition}====")),
    )
    .expect("written");
    let check = [
        "check",
        "Sticks.tla",
        "--next",
        "StrategyA \\/ B",
        "--invariant",
        "~Last(\"B\")",
        "--no-deadlock",
    ];
    let (status, out, err) = babbage(&folder, &check);
    assert_eq!(status, Some(0), "{out}{err}");
    for wrong in [
        &PLAYERS[..],
        &["strategy", "Sticks.tla", "--goal", "lef = 0"],
        &["strategy", "Sticks.tla", "--player", "A"],
    ] {
        assert_eq!(babbage(&folder, wrong).0, Some(2), "{wrong:?}");
    }
}
