//! `cargo xtask test`: what a fresh machine needs, then every test, then what could not be run.
//!
//! `cargo xtask test -p cli --test browser` runs some of them; what `cargo test` understands is passed on.
//!
//! Everything but the tests of the page needs a Rust toolchain with a C++ compiler and no more. Those need Chromium; where
//! it is missing and apt may be used, it is installed, and otherwise they are not run, which is said.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::tidy::root;

/// What the tests of the page start, and the packages of Debian that have it.
const PROGRAMS: [&str; 2] = ["chromedriver", "chromium"];
const INSTALL: &str = "apt-get install --yes --no-install-recommends chromium chromium-driver";

pub fn run(arguments: &[&str]) -> ExitCode {
    set_up();
    let list = std::env::temp_dir().join(format!("babbage-not-run-{}", std::process::id()));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).arg("test");
    if !arguments.iter().any(|it| matches!(*it, "-p" | "--package")) {
        cargo.arg("--workspace");
    }
    let status = cargo.args(arguments).env("BABBAGE_NOT_RUN", &list).status();
    let not_run = not_run(&list);
    let _ = std::fs::remove_file(&list);
    match status {
        Ok(status) if status.success() => {
            println!("\nevery test that was run has passed");
            print!("{not_run}");
            ExitCode::SUCCESS
        }
        Ok(_) => {
            eprint!("{not_run}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("cargo test does not run: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Installs what is missing, or says the one line that does.
fn set_up() {
    if PROGRAMS.into_iter().all(is_there) {
        return;
    }
    let may_install = is_there("apt-get") && said("id", &["-u"]).as_deref() == Some("0");
    if may_install {
        println!("the tests of the page need Chromium: {INSTALL}");
        let script = format!("apt-get update --quiet && {INSTALL}");
        let done = Command::new("sh")
            .args(["-c", &script])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null())
            .status();
        if done.is_ok_and(|it| it.success()) && PROGRAMS.into_iter().all(is_there) {
            return;
        }
    }
    println!(
        "there is no Chromium, so the tests of the page will not be run; this installs it:\n    sudo {INSTALL}"
    );
}

fn is_there(program: &str) -> bool {
    said(program, &["--version"]).is_some()
}

/// The first line that a program says, if it ends well.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output
        .status
        .success()
        .then(|| text.lines().next().unwrap_or_default().to_owned())
}

/// The reasons that tests wrote down for not being run, each with the number of tests.
fn not_run(list: &Path) -> String {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    let mut reasons: Vec<(&str, usize)> = vec![];
    for line in text.lines() {
        match reasons.iter_mut().find(|it| it.0 == line) {
            Some(reason) => reason.1 += 1,
            None => reasons.push((line, 1)),
        }
    }
    let told = |(reason, n): &(&str, usize)| match n {
        1 => format!("{reason} (1 test)\n"),
        n => format!("{reason} ({n} tests)\n"),
    };
    reasons.iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted() {
        let list = std::env::temp_dir().join(format!("babbage-reasons-{}", std::process::id()));
        std::fs::write(&list, "not run: a\nnot run: b\nnot run: a\n").unwrap();
        let told = not_run(&list);
        std::fs::remove_file(&list).unwrap();
        assert_eq!(told, "not run: a (2 tests)\nnot run: b (1 test)\n");
    }
}
