//! `babbage parse` as a person calls it, on good and on bad input. Whatever the input, it ends with a diagnostic and a
//! status, never with a panic.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn babbage(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary runs")
}

/// A folder of its own for one test, with these files in it.
fn folder(test: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder to write to");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file to write");
    }
    folder
}

/// Parses `M.tla` among some files. It must be refused with this code, at this place, and nothing else.
fn refused(test: &str, files: &[(&str, &[u8])], arguments: &[&str], code: &str, place: &str) {
    let folder = folder(test, files);
    let mut all = vec!["parse"];
    all.extend(arguments);
    let output = babbage(&all, &folder);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with(&format!("error[{code}]")), "{message}");
    assert!(message.contains(place), "{message}");
    assert!(message.ends_with("1 error\n"), "{message}");
    assert!(output.stdout.is_empty());
    assert!(message.len() < 5000, "a message of {} bytes", message.len());
}

#[test]
fn a_good_module_is_summarised() {
    let module = b"---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n====\n";
    let folder = folder("good", &[("M.tla", module)]);
    let output = babbage(&["parse", "M.tla"], &folder);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("module M\n  extends    Naturals\n  variables  x\n  defines    Init\n"),
        "{text}"
    );
    assert!(output.stderr.is_empty());
}

#[test]
fn every_specification_of_the_gallery_is_right() {
    for name in [
        "tictactoe-strategy",
        "tictactoe-rules",
        "tictactoe-field",
        "klotski",
    ] {
        let output = babbage(&["parse", "--format", "json", name], Path::new("."));
        assert_eq!(output.status.code(), Some(0), "{name}");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["diagnostics"].as_array().map(Vec::len), Some(0), "{name}");
        assert!(
            !answer["model"]["behaviour"]
                .as_array()
                .expect("its own model")
                .is_empty(),
            "{name}"
        );
    }
}

#[test]
fn diagnostics_are_data_too() {
    let folder = folder("json", &[("M.tla", b"---- MODULE M ----\nA == B\n====\n")]);
    let output = babbage(&["parse", "--format", "json", "M.tla"], &folder);
    assert_eq!(output.status.code(), Some(2));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["diagnostics"][0]["code"], "unbound-name");
    assert_eq!(answer["diagnostics"][0]["location"], "M.tla:2:6");
}

#[test]
fn markdown_is_read_at_its_own_places() {
    let text = b"# A spec\n\n```tla\n---- MODULE M ----\nA == B\n====\n```\n";
    refused(
        "markdown",
        &[("M.md", text)],
        &["M.md"],
        "unbound-name",
        "M.md:5:6",
    );
}

#[test]
fn invalid_utf8_is_refused() {
    let text = b"---- MODULE M ----\nA == \"\xff\"\n====\n";
    refused(
        "utf8",
        &[("M.tla", text)],
        &["M.tla"],
        "invalid-utf8",
        "M.tla:2:7",
    );
}

#[test]
fn an_opened_module_that_is_not_utf8_is_refused_where_it_is_opened() {
    let files: &[(&str, &[u8])] = &[
        ("M.tla", b"---- MODULE M ----\nEXTENDS N\n====\n"),
        ("N.tla", b"\xfe\xff"),
    ];
    refused("utf8-opened", files, &["M.tla"], "module-unreadable", "M.tla:2:9");
}

#[test]
fn fifty_megabytes_are_read() {
    let mut text = b"---- MODULE M ----\n".to_vec();
    while text.len() < 50 << 20 {
        text.extend_from_slice(
            b"(* a comment that says nothing, but says it at length, again and again and again *)\n",
        );
    }
    text.extend_from_slice(b"A == B\n====\n");
    refused("large", &[("M.tla", &text)], &["M.tla"], "unbound-name", ":6");
}

#[test]
fn one_line_of_fifty_megabytes_is_read() {
    let mut text = b"---- MODULE M ----\nA == B".to_vec();
    text.resize(50 << 20, b' ');
    text.extend_from_slice(b"\n====\n");
    refused(
        "long-line",
        &[("M.tla", &text)],
        &["M.tla"],
        "unbound-name",
        "M.tla:2:6",
    );
}

#[test]
fn nesting_without_end_is_refused() {
    let text = format!(
        "---- MODULE M ----\nA == {}1{}\n====\n",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    refused(
        "nested",
        &[("M.tla", text.as_bytes())],
        &["M.tla"],
        "nested-too-deeply",
        "M.tla:2:",
    );
}

#[test]
fn deep_nesting_below_the_limit_is_resolved() {
    let text = format!(
        "---- MODULE M ----\nA == {}1{}\n====\n",
        "{".repeat(15_000),
        "}".repeat(15_000)
    );
    let folder = folder("deep", &[("M.tla", text.as_bytes())]);
    assert_eq!(babbage(&["parse", "M.tla"], &folder).status.code(), Some(0));
}

#[test]
fn a_long_chain_of_definitions_is_resolved() {
    let mut text = "---- MODULE M ----\nD0 == 1\n".to_string();
    for i in 1..20_000 {
        text += &format!("D{i} == {{D{}}}\n", i - 1);
    }
    text += "====\n";
    let folder = folder("chain", &[("M.tla", text.as_bytes())]);
    assert_eq!(babbage(&["parse", "M.tla"], &folder).status.code(), Some(0));
}

#[test]
fn an_unterminated_string_is_refused() {
    let text = b"---- MODULE M ----\nA == \"no end\nB == 1\n====\n";
    refused(
        "string",
        &[("M.tla", text)],
        &["M.tla"],
        "unterminated-string",
        "M.tla:2:6",
    );
}

#[test]
fn a_directory_is_refused() {
    refused("directory", &[], &["."], "not-a-file", "`.` is a directory");
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    refused("missing", &[], &["M.tla"], "file-not-found", "`M.tla`");
}

#[test]
fn a_configuration_that_names_nothing_is_refused() {
    let module: &[u8] =
        b"---- MODULE M ----\nVARIABLE x\nInit == x = 0\nNext == x' = x\nTypeOK == x = 0\n====\n";
    let config: &[u8] = b"INIT Init\nNEXT Next\nINVARIANT TypeOk\n";
    let files = &[("M.tla", module), ("M.cfg", config)];
    let arguments = &["M.tla", "--config", "M.cfg"];
    refused(
        "config",
        files,
        arguments,
        "config-unknown-name",
        "did you mean `TypeOK`?",
    );
    let arguments = &["M.tla", "--config", "N.cfg"];
    refused("no-config", files, arguments, "file-not-found", "`N.cfg`");
}

#[test]
fn modules_that_extend_each_other_are_refused() {
    let files: &[(&str, &[u8])] = &[
        ("M.tla", b"---- MODULE M ----\nEXTENDS N\n====\n"),
        ("N.tla", b"---- MODULE N ----\nEXTENDS O\n====\n"),
        ("O.tla", b"---- MODULE O ----\nEXTENDS M\n====\n"),
    ];
    refused(
        "cycle",
        files,
        &["M.tla"],
        "module-cycle",
        "`M` opens `N` opens `O` opens `M`",
    );
}

/// `babbage parse M.tla | head -1`.
#[test]
fn a_reader_that_stops_early_is_no_failure() {
    let definitions: String = (0..20_000).map(|i| format!("Definition{i} == {i}\n")).collect();
    let text = format!("---- MODULE M ----\n{definitions}====\n");
    let folder = folder("pipe", &[("M.tla", text.as_bytes())]);
    for format in ["text", "json", "tree"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_babbage"))
            .args(["parse", "M.tla", "--format", format])
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut first = [0; 1];
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut first).expect("something is written");
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(
            output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn a_wrong_command_line_has_status_2() {
    for arguments in [
        &["parse"][..],
        &["prase", "M.tla"],
        &["parse", "M.tla", "--format", "xml"],
    ] {
        assert_eq!(
            babbage(arguments, Path::new(".")).status.code(),
            Some(2),
            "{arguments:?}"
        );
    }
}
