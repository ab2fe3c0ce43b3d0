//! What a specification does outside of its own state, and files that a person asks for: told, refused, or permitted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const WRITER: &str = r#"---- MODULE Writer ----
EXTENDS Naturals, Sequences, Json, IOUtils, SVG, TLC
VARIABLE x
Init == x = 0
Next == x < 4 /\ x' = x + 1
Writes == JsonSerialize("out/state" \o ToString(x) \o ".json", [x |-> x])
Draws == SVGSerialize(Text(0, 0, ToString(x), <<>>), "frame_", x).exitValue \in {0, 1}
Runs == IOExec(<<"touch", "touched">>).exitValue = 0
====
"#;

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder to write to");
    fs::write(folder.join("Writer.tla"), WRITER).expect("a file to write");
    folder
}

fn check(folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args([
            "check",
            "Writer.tla",
            "--init",
            "Init",
            "--next",
            "Next",
            "--no-deadlock",
        ])
        .args(more)
        .current_dir(folder)
        .output()
        .expect("the binary runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn files_that_are_written_are_counted_and_named() {
    let folder = folder("written");
    let output = check(&folder, &["--invariant", "Writes"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let told = "the specification wrote 5 files: out/state0.json … out/state4.json\n";
    assert!(said.ends_with(told), "{said}");
    assert!(folder.join("out/state4.json").exists());
    let output = check(
        &folder,
        &["--invariant", "Draws", "--max-depth", "2", "--format", "json"],
    );
    let said = stderr(&output);
    assert_eq!(
        said,
        "the specification wrote 2 files: frame_000.svg, frame_001.svg\n"
    );
}

#[test]
fn no_effects_means_no_files() {
    let folder = folder("refused");
    let output = check(&folder, &["--invariant", "Writes", "--no-effects"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("files are not written with `--no-effects`"),
        "{said}"
    );
    assert!(!folder.join("out").exists());
    // Who writes a text is told that it failed, and may go on.
    let output = check(&folder, &["--invariant", "Draws", "--no-effects"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let told = "not written, because of `--no-effects`: 5 files: frame_000.svg … frame_004.svg\n";
    assert!(said.ends_with(told), "{said}");
    assert!(!folder.join("frame_000.svg").exists());
}

#[test]
fn programs_are_run_only_where_that_is_allowed() {
    let folder = folder("programs");
    for more in [&[][..], &["--no-effects"]] {
        let output = check(&folder, &[&["--invariant", "Runs"], more].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("touch: a specification may run programs only with `--allow-exec`"),
            "{said}"
        );
        assert!(!folder.join("touched").exists());
    }
    let output = check(&folder, &["--invariant", "Runs", "--allow-exec"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("the specification ran "), "{said}");
    assert!(folder.join("touched").exists());
}

#[test]
fn a_trace_file_that_cannot_be_written_is_refused_before_the_search() {
    let folder = folder("trace-file");
    // The search would take for ever.
    let endless = ["--next", "x' = x + 1"];
    for (file, why) in [
        ("trace.doc", "the ending of `trace.doc` says no format"),
        ("nowhere/trace.md", "`nowhere/trace.md` cannot be written"),
        ("trace.xml", "`tree` and `xml` are views of Alloy instances"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
            .args(["check", "Writer.tla", "--init", "Init", "--trace-file", file])
            .args(endless)
            .current_dir(&folder)
            .output()
            .expect("the binary runs");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
        assert!(output.stdout.is_empty());
    }
    // Looking whether it can be written leaves nothing behind, and what was there stays.
    fs::write(folder.join("old.md"), "kept").expect("a file to write");
    for file in ["old.md", "new.md"] {
        let output = check(&folder, &["--invariant", "x < 9", "--trace-file", file]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("there is no trace"), "{said}");
    }
    assert_eq!(
        fs::read_to_string(folder.join("old.md")).ok().as_deref(),
        Some("kept")
    );
    assert!(!folder.join("new.md").exists());
}

#[test]
fn paths_are_told_from_the_folder_where_the_command_was_typed() {
    let folder = folder("paths").canonicalize().expect("a folder");
    fs::create_dir_all(folder.join("deep")).expect("a folder to write to");
    fs::write(
        folder.join("deep/Bad.tla"),
        "---- MODULE Bad ----\nA == b\n====\n",
    )
    .expect("a file to write");
    let whole = folder.join("deep/Bad.tla");
    let said = |typed_in: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
            .arg("parse")
            .arg(&whole)
            .current_dir(typed_in)
            .output()
            .expect("the binary runs");
        stderr(&output)
    };
    assert!(
        said(&folder).contains("--> deep/Bad.tla:2:6\n"),
        "{}",
        said(&folder)
    );
    // Not above the file, wherever the project lies.
    let elsewhere = folder.join("elsewhere");
    fs::create_dir_all(&elsewhere).expect("a folder to write to");
    let place = format!("--> {}:2:6\n", whole.display());
    assert!(said(&elsewhere).contains(&place), "{}", said(&elsewhere));
}

#[test]
fn an_alloy_model_refuses_early_too() {
    let folder = folder("alloy");
    fs::write(folder.join("m.als"), "sig A {}\nrun { some A }\n").expect("a file to write");
    for (more, why) in [
        (["--trace-file", "t.doc"], "says no format"),
        (["--view", "Board"], "is no view of an Alloy instance"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
            .args(["check", "m.als"])
            .args(more)
            .current_dir(&folder)
            .output()
            .expect("the binary runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
        assert!(output.stdout.is_empty(), "nothing was run");
    }
}

#[test]
fn help_and_version_say_what_they_are_about() {
    let said = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
            .args(arguments)
            .output()
            .expect("the binary runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(said(&["check", "--help"]).contains("`.als`"));
    let version = said(&["--version"]);
    assert!(version.starts_with("babbage 0.1.0"), "{version}");
}
