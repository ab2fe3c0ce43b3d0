//! `cargo xtask bench`: how fast, measured the way a person would feel it.
//!
//! Every figure comes from a process of its own, start-up included, and ratios to another checker come from the same run on
//! the same machine: times alone prove little on a shared one. Each file below is one question.

mod alloy;
mod audit;
mod figures;
mod growth;
mod hand;
mod instructions;
mod models;
mod options;
mod peer;
mod pluscal;
pub mod process;
mod solve;
mod speedup;
mod table;

use std::process::ExitCode;

use options::{Mode, Options};

pub fn run(arguments: &[&str]) -> ExitCode {
    if arguments.contains(&"--alloy") {
        return alloy::run(arguments);
    }
    let done = Options::parse(arguments).and_then(|options| match options.mode {
        Mode::Growth => growth::run(&options),
        Mode::Peer(ref command) => peer::run(&options, command),
        Mode::Hand => hand::run(&options),
        Mode::Speedup => speedup::run(&options),
        Mode::Audit => audit::run(&options),
        Mode::Instructions { update } => instructions::run(&options, update),
        Mode::Pluscal => pluscal::run(&options),
        Mode::Solve => solve::run(&options),
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
