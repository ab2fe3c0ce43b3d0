//! `cargo xtask bench`: how fast, measured the way a person would feel it.
//!
//! Every figure comes from a process of its own, start-up included, and ratios to another checker come from the same run on
//! the same machine: times alone prove little on a shared one.

mod alloy;
mod solve;
mod tla;

use std::process::ExitCode;

pub fn run(arguments: &[&str]) -> ExitCode {
    let rest: Vec<&str> = arguments.iter().copied().filter(|&it| it != "--solve").collect();
    match () {
        () if arguments.contains(&"--alloy") => alloy::run(arguments),
        () if rest.len() < arguments.len() => solve::run(&rest),
        () => tla::run(arguments),
    }
}
