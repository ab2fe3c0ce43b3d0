//! `cargo xtask bench`: how fast, measured the way a person would feel it.
//!
//! Every figure comes from a process of its own, start-up included, and ratios to another checker come from the same run on
//! the same machine: times alone prove little on a shared one.

mod alloy;
mod tla;

use std::process::ExitCode;

pub fn run(arguments: &[&str]) -> ExitCode {
    match arguments.contains(&"--alloy") {
        true => alloy::run(arguments),
        false => tla::run(arguments),
    }
}
