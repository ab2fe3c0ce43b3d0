//! Games through the line mode, as a script plays them.
//!
//! `UPDATE_EXPECT=1` writes the expected transcripts anew.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::expect_file;

fn play_in(folder: &Path, arguments: &[&str], script: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .arg("play")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // One that ends early does not read all of it.
    let _ = child
        .stdin
        .take()
        .expect("a pipe to it")
        .write_all(script.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

fn play(arguments: &[&str], script: &str) -> (String, Option<i32>) {
    let output = play_in(Path::new("."), arguments, script);
    (
        String::from_utf8(output.stdout).expect("text"),
        output.status.code(),
    )
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder to write to");
    folder
}

#[test]
fn a_whole_game_against_the_strategy() {
    let script = "c 2 2\nc 2 3\nc 3 1\nc 1 2\nt\nu\n/MoveO\nm\n";
    let (text, status) = play(&["tictactoe-strategy", "--you", "MoveO", "--seed", "4"], script);
    expect_file!["play/tictactoe-strategy.txt"].assert_eq(&text);
    assert_eq!(status, Some(0));
}

#[test]
fn o_never_wins_against_the_strategy() {
    // Only moves are typed: cells in an order that is another one each time, taken or not.
    for seed in 0..10 {
        let cells = (0..9).map(|i| (i * (seed % 4 * 2 + 1) + seed) % 9);
        let script: String = cells
            .map(|it| format!("c {} {}\n", it / 3 + 1, it % 3 + 1))
            .collect();
        let seed = seed.to_string();
        let (text, _) = play(
            &["tictactoe-strategy", "--you", "MoveO", "--seed", &seed],
            &script,
        );
        assert!(text.contains("invariant OHasNotWon: TRUE"));
        assert!(!text.contains("invariant OHasNotWon: FALSE"), "{text}");
        assert!(text.contains("no step can be taken"), "the game ends: {text}");
    }
}

#[test]
fn pieces_hints_and_files() {
    let folder = folder("play-files");
    let script = "1\ns {<<1, 4>>} \\in board /\\ {<<2, 4>>} \\in board /\\ {<<0, 3>>} \\in board\nS\nr\nw trace.md\nw graph.xyz\n\
                  w page.html\nw moving.svg\nw trace.itf.json\np <<1, 4>> \\in UNION board\nunpin 1\nq\n99\n";
    let output = play_in(&folder, &["klotski"], script);
    let text = String::from_utf8(output.stdout).expect("text");
    expect_file!["play/klotski.txt"].assert_eq(&text);
    assert_eq!(output.status.code(), Some(2), "one of the commands is wrong");
    for (file, start) in [
        ("trace.md", "# Klotski"),
        ("page.html", "<!doctype html>"),
        ("moving.svg", "<svg"),
        ("trace.itf.json", "{"),
    ] {
        let written = fs::read_to_string(folder.join(file)).expect("written");
        assert!(written.starts_with(start), "{file}");
    }
}

#[test]
fn an_instance_of_alloy() {
    let (text, status) = play(&["tictactoe-alloy"], "1\n1\np #Board\nn\ng 1\n");
    assert!(text.contains("1: Board⁰") && text.contains("3: Board²"), "{text}");
    assert!(text.contains("[1] #Board = "), "{text}");
    assert!(text.contains("another instance"), "{text}");
    assert_eq!(status, Some(0));
}

#[test]
fn states_to_begin_in_and_errors() {
    let folder = folder("play-begin");
    let module = "---- MODULE Begin ----\nEXTENDS Integers, Sequences\nVARIABLES x, q\n\
                  Init == x \\in 1..2 /\\ q = <<x>>\nNext == x' = x + 1 /\\ q' = Tail(q)\n====\n";
    fs::write(folder.join("Begin.tla"), module).expect("written");
    let output = play_in(&folder, &["Begin.tla"], "2\n1\n1\nu\nnonsense\nc 1\ng 7\n");
    let text = String::from_utf8(output.stdout).expect("text");
    expect_file!["play/begin.txt"].assert_eq(&text);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn wrong_requests_are_explained() {
    let said = |arguments: &[&str]| {
        let output = play_in(Path::new("."), arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    assert!(said(&["klotsky"]).contains("did you mean `klotski`"));
    assert!(said(&["klotski", "--you", "Mov"]).contains("Mov"));
    assert!(said(&["klotski", "--watch", "[](board = {})"]).contains("temporal-watch"));
    assert!(said(&["klotski", "--view", "bord"]).contains("bord"));
    assert!(said(&["klotski", "--config", "None.cfg"]).contains("None.cfg"));
}

#[test]
fn the_machine_plays_its_best() {
    let mine = "current_player = \"player_two\"";
    let arguments = [
        "tictactoe-field",
        "--you",
        mine,
        "--machine",
        "best",
        "--player",
        "one=current_player = \"player_one\"",
        "--player",
        "two=current_player = \"player_two\"",
        "--outcome",
        "one=~GameEnded /\\ current_player = \"player_two\"",
        "--outcome",
        "two=~GameEnded /\\ current_player = \"player_one\"",
        "--watch",
        "GameEnded",
    ];
    // The first steps offered, whatever they are, lose or draw against a machine that knows the game.
    let (text, _) = play(&arguments, "1\n2\n1\n1\n");
    assert!(text.contains("[1] GameEnded = "), "{text}");
    let broken = text.find("[1] GameEnded = FALSE").map(|at| &text[..at]);
    let last = broken
        .unwrap_or(&text)
        .rfind("current_player = ")
        .expect("a state");
    assert!(
        broken.is_none() || text[last..].starts_with("current_player = \"player_two\""),
        "the machine moved last: {text}"
    );
    let (text, status) = play(&["klotski", "--machine", "best", "--goal", "nonsense"], "");
    assert_eq!((text.as_str(), status), ("", Some(2)));
}
