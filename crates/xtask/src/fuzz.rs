//! `cargo xtask fuzz`: random specifications in every way of checking, by the crate `differential` in a release build.
//!
//! It is a program of its own, so that `cargo xtask tidy` need not build every engine first.

use std::process::{Command, ExitCode};

use crate::tidy::root;

pub fn run(arguments: &[&str]) -> ExitCode {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root());
    cargo.args(["run", "--quiet", "--release", "--package", "differential", "--"]);
    let status = cargo.args(arguments).status();
    match status.map(|it| it.code()) {
        Ok(Some(code)) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Ok(None) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo does not run: {error}");
            ExitCode::FAILURE
        }
    }
}
