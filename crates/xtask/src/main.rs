//! Automation, in Rust: `cargo xtask tidy` checks the rules of the project that no compiler knows, `cargo xtask bench`
//! measures, `cargo xtask fuzz` looks for two ways of checking that disagree.

mod bench;
mod fuzz;
mod layers;
mod text;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy::run(),
        ["bench", ref rest @ ..] => bench::run(rest),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        _ => {
            eprintln!(
                "usage: cargo xtask tidy | bench | fuzz (what it understands: bench --help, fuzz --help)"
            );
            ExitCode::from(2)
        }
    }
}
