//! What people see: counterexamples of the gallery with their boards, instances in every view, as text.
//!
//! `UPDATE_EXPECT=1` writes the expected texts anew.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use expect_test::{ExpectFile, expect_file};

fn babbage(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(arguments)
        .output()
        .expect("the binary runs")
}

/// Standard output, with all times taken out.
fn said(arguments: &[&str]) -> String {
    let output = babbage(arguments);
    let text = String::from_utf8(output.stdout).expect("text");
    // How much there is time to audit is different each time.
    let lines = text.lines().filter(|it| !it.starts_with("audited: "));
    lines.map(|line| without_time(line) + "\n").collect()
}

/// `…, 0.12 s` and what follows are other each time.
fn without_time(line: &str) -> String {
    let Some(start) = line.strip_suffix(" s") else {
        return line.to_string();
    };
    let number = start.rsplit(' ').next().unwrap_or("");
    match number.parse::<f64>() {
        Ok(_) => start[..start.len() - number.len()].trim_end().to_string() + " … s",
        Err(_) => line.to_string(),
    }
}

fn check(arguments: &[&str], expected: ExpectFile) {
    expected.assert_eq(&said(arguments));
}

#[test]
fn nested_sequences_are_a_board() {
    check(
        &[
            "check",
            "tictactoe-strategy",
            "--config",
            "XHasNotWon.cfg",
            "--workers",
            "1",
        ],
        expect_file!["views/tictactoe-strategy.txt"],
    );
}

#[test]
fn functions_on_pairs_are_a_board() {
    check(
        &[
            "check",
            "tictactoe-rules",
            "--config",
            "WithoutBlock.cfg",
            "--workers",
            "1",
        ],
        expect_file!["views/tictactoe-rules.txt"],
    );
}

#[test]
fn sets_of_triples_are_a_board() {
    check(
        &[
            "check",
            "tictactoe-field",
            "--config",
            "GameEnded.cfg",
            "--workers",
            "1",
        ],
        expect_file!["views/tictactoe-field.txt"],
    );
}

#[test]
fn the_same_as_values() {
    check(
        &[
            "check",
            "tictactoe-field",
            "--config",
            "GameEnded.cfg",
            "--workers",
            "1",
            "--view",
            "text",
        ],
        expect_file!["views/tictactoe-field-text.txt"],
    );
}

/// The whole solution takes long without optimisation: the pieces are followed for a few steps.
#[test]
fn sets_of_sets_of_points_are_pieces() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("views-klotski");
    fs::create_dir_all(&folder).expect("a folder to write to");
    let klotski = include_str!("../../../specs/klotski/Klotski.tla");
    let short =
        "---- MODULE Short ----\nEXTENDS Klotski\nUpright == {<<1, 3>>, <<1, 4>>} \\notin board\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANT Upright\n";
    for (name, text) in [
        ("Klotski.tla", klotski),
        ("Short.tla", short),
        ("Short.cfg", config),
    ] {
        fs::write(folder.join(name), text).expect("a file to write");
    }
    let spec = folder.join("Short.tla");
    let spec = spec.to_str().expect("a path in Unicode");
    let text = said(&["check", spec, "--workers", "1"]);
    let text = text.replace(&format!("{}/", folder.display()), "");
    expect_file!["views/klotski.txt"].assert_eq(&text);
}

/// Which game is found is up to the solver; the header and the first board are not.
#[test]
fn the_table_is_the_one_of_the_analyzer() {
    let text = said(&["check", "tictactoe-alloy"]);
    let start: Vec<&str> = text.lines().skip(1).take(22).collect();
    expect_file!["views/tictactoe-alloy.txt"].assert_eq(&(start.join("\n") + "\n"));
    let table: Vec<&str> = text
        .lines()
        .filter(|it| it.starts_with(['┌', '│', '├', '└']))
        .collect();
    assert_eq!(table.len(), 3 + 11 * 18, "header, and eleven boards of nine rows");
    assert!(
        table
            .iter()
            .all(|it| it.chars().count() == table[0].chars().count())
    );
}

#[test]
fn an_ordered_instance_is_a_trace() {
    let text = said(&["check", "tictactoe-alloy", "--view", "trace"]);
    assert!(
        text.contains("1: Board⁰\n   move = _\n   won = _\n   cells"),
        "{text}"
    );
    assert!(text.contains("11: Board¹⁰\n"), "{text}");
}

const RING: &str = "sig Node { succ: one Node }
fact { all n: Node | Node in n.^succ }
one sig Token { var at: one Node }
fact { always Token.at' = Token.at.succ }
run turn { #Node = 3 } for 3 but 1..6 steps
run never { some disj a, b: Node | no a.^succ & b } for 3
check home { all n: Node | Token.at = n implies after after Token.at = n } for 3 but 1..4 steps
check back { eventually always some Token.at } for 3 expect 0
";

fn ring() -> String {
    // Written once: tests run at the same time, and one must not read what another is writing.
    static RING: OnceLock<String> = OnceLock::new();
    RING.get_or_init(write_ring).clone()
}

fn write_ring() -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("views-ring");
    fs::create_dir_all(&folder).expect("a folder to write to");
    let path = folder.join("ring.als");
    fs::write(&path, RING).expect("a file to write");
    path.to_str().expect("a path in Unicode").to_string()
}

fn ring_view(arguments: &[&str]) -> String {
    let ring = ring();
    let mut all = vec!["check", ring.as_str()];
    all.extend(arguments);
    let folder = Path::new(&ring).parent().expect("a folder");
    said(&all).replace(&format!("{}/", folder.display()), "")
}

#[test]
fn all_commands_with_a_summary() {
    expect_file!["views/ring.txt"].assert_eq(&ring_view(&[]));
    assert_eq!(babbage(&["check", &ring()]).status.code(), Some(1));
}

#[test]
fn a_temporal_instance_in_every_view() {
    for view in ["table", "text", "tree", "dot", "json", "xml"] {
        let path = format!("{}/tests/views/ring-{view}.txt", env!("CARGO_MANIFEST_DIR"));
        expect_test::expect_file![path].assert_eq(&ring_view(&["--command", "turn", "--view", view]));
    }
    let svg = ring_view(&["--command", "1", "--view", "svg"]);
    assert!(svg.contains("<svg") && svg.contains("Node$2"), "{svg}");
}

#[test]
fn expressions_are_asked_of_an_instance() {
    let ring = ring();
    let value = |expr: &str, more: &[&str]| {
        let mut all = vec!["eval", expr, "--in", &ring, "--command", "turn"];
        all.extend(more);
        let output = babbage(&all);
        String::from_utf8_lossy(if output.status.success() {
            &output.stdout
        } else {
            &output.stderr
        })
        .into_owned()
    };
    assert_eq!(value("#Node", &[]), "3\n");
    assert_eq!(value("Node$0.^succ = Node", &[]), "true\n");
    assert_eq!(value("Token.at & Token.at'", &[]), "{}\n");
    assert_ne!(value("Token.at", &[]), value("Token.at", &["--state", "2"]));
    assert!(value("Node.nothing", &[]).starts_with("error[unknown-name]"));
}

#[test]
fn wrong_requests_are_explained() {
    let ring = ring();
    let refused = |arguments: &[&str], code: &str| {
        let mut all = vec!["check", ring.as_str()];
        all.extend(arguments);
        let output = babbage(&all);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.starts_with(&format!("error[{code}]")), "{message}");
    };
    refused(&["--command", "trun"], "unknown-command");
    refused(&["--command", "9"], "unknown-command");
    refused(&["--solver", "minisat9"], "unknown-solver");
}

/// A counterexample that takes longer than a moment: `--timeout` ends it, and says so.
#[test]
fn a_limit_ends_the_search() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("views-limit");
    fs::create_dir_all(&folder).expect("a folder to write to");
    let path = folder.join("pigeons.als");
    let model = "sig Hole {} sig Pigeon { in_: one Hole }
        check fits { #Pigeon > #Hole implies some disj a, b: Pigeon | a.in_ = b.in_ } for 30 but 6 int";
    fs::write(&path, model).expect("a file to write");
    let path = path.to_str().expect("a path in Unicode");
    let output = babbage(&["check", path, "--timeout", "1"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("unknown: ended by time"), "{text}");
}
