//! Alloy models that ask for too much: each ends with an answer, a diagnostic or a limit, in time and without a panic.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Far more than any of them takes, far less than for ever.
const PATIENCE: Duration = Duration::from_secs(120);

/// Checks a model. It ends with one of these statuses, and says this.
fn ends(name: &str, text: &str, statuses: &[i32], said: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile-alloy");
    fs::create_dir_all(&folder).expect("a folder to write to");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file to write");
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .arg("check")
        .arg(&path)
        .args(["--timeout", "5", "--memory", "4G"])
        .output()
        .expect("the binary runs");
    let _ = fs::remove_file(&path);
    let message = [output.stdout, output.stderr].concat();
    let message = String::from_utf8_lossy(&message).into_owned();
    let status = output.status.code().unwrap_or(-1);
    assert!(statuses.contains(&status), "{name}: status {status}: {message}");
    assert!(message.contains(said), "{name}: {message}");
    // A found instance may be long; a refusal may not.
    assert!(
        status != 2 || message.len() < 20_000,
        "{name}: {} bytes",
        message.len()
    );
    assert!(start.elapsed() < PATIENCE, "{name} took {:?}", start.elapsed());
}

#[test]
fn a_scope_of_a_hundred_with_a_ternary_field() {
    let text = "sig A { f: A -> A } check { all a: A | lone a.f } for 100";
    // Quick enough for an answer, or not: both are fine, and so is a counterexample with its table left unread.
    ends(
        "ternary.als",
        &format!("{text} expect 0"),
        &[1, 3],
        "check check$1",
    );
    ends(
        "wider.als",
        "sig A { f: A -> A -> A } run { some f } for 100",
        &[2],
        "error[too-many-tuples]",
    );
}

#[test]
fn functions_that_call_themselves() {
    ends(
        "recursion.als",
        "sig A { f: set A } fun all_of[a: A]: set A { a + all_of[a.f] } run { some all_of[A] }",
        &[2],
        "error[recursion]",
    );
}

#[test]
fn a_module_that_opens_itself() {
    ends("circle.als", "module circle open circle run {}", &[2], "error[");
}

#[test]
fn a_scope_for_an_unknown_sig() {
    ends(
        "unknown.als",
        "sig A {} run {} for 3 B",
        &[2],
        "error[unknown-sig]",
    );
}

#[test]
fn files_of_twenty_megabytes() {
    let comment = format!(
        "sig A {{}}\n{}run {{}} for 2\n",
        "-- nothing to see here, really\n".repeat(680_000)
    );
    assert!(comment.len() > 20_000_000);
    ends("comments.als", &comment, &[0], "an instance was found");
    let nested = format!(
        "sig A {{}}\nfact {{ {}some A{} }}\nrun {{}}\n",
        "(".repeat(10_000_000),
        ")".repeat(10_000_000)
    );
    ends("nested.als", &nested, &[2], "error[");
    let long = format!(
        "sig A {{}}\nfact {{ {}some A }}\nrun {{}}\n",
        "some A and ".repeat(1_900_000)
    );
    ends("long.als", &long, &[2], "error[");
}
