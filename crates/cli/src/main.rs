//! The command line: reads arguments and files, calls the workbench, prints what comes back.
//!
//! Results go to standard output, diagnostics to standard error. Exit status: 0 everything asked for holds, 1 a
//! counterexample was found, 2 the specification or the command line is wrong, 3 a limit was reached, 101 our own bug.

mod alloy_watch;
mod args;
mod audit;
mod commands;
mod files;
mod instance;
mod output;
mod outside;
mod processes;
mod progress;
mod prompt;
mod report;
mod rules_text;
mod simulated;
mod storage;
mod table_file;
mod telling;
mod theorems_text;
mod verdict;
mod world;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report::own_bug));
    let args = Args::parse();
    files::set_libraries(&args.library);
    outside::permit(args.effects.permissions());
    let run = move || match args.command {
        Command::Check(it) => commands::check::run(&it),
        Command::Resume(it) => commands::resume::run(&it),
        Command::Simulate(it) => commands::simulate::run(&it),
        Command::Play(it) => commands::play::run_play(&it),
        Command::Solve(it) => commands::solve::run(&it),
        Command::Strategy(it) => commands::strategy::run(&it),
        Command::Eval(it) => commands::eval::run(&it),
        Command::Rules(it) => commands::rules::run(&it),
        Command::Parse(it) => commands::parse::run(&it),
        Command::New(it) => commands::new::run(&it),
        Command::Translate(it) => commands::translate::run(&it),
        Command::Gallery(it) => commands::gallery::run(&it),
        Command::Serve(it) => commands::serve::run(&it),
        Command::Worker(it) => commands::serve::worker(it),
    };
    // A panic has been reported by the hook; only the exit status is left to set.
    let status = std::panic::catch_unwind(run).unwrap_or(ExitCode::from(101));
    outside::tell();
    status
}
