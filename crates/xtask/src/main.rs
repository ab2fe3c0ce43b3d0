//! Automation, in Rust: `cargo xtask tidy` checks the rules of the project that no compiler knows, `cargo xtask bench`
//! measures, `cargo xtask fuzz` looks for two ways of checking that disagree, `cargo xtask mutants` for code that no test holds.

mod bench;
mod fuzz;
mod layers;
mod mutants;
mod text;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy::run(),
        ["bench", ref rest @ ..] => bench::run(rest),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["mutants", ref rest @ ..] => mutants::run(rest),
        _ => {
            eprintln!(
                "usage: cargo xtask tidy | bench | fuzz | mutants (what they understand: bench --help, fuzz --help, mutants --help)"
            );
            ExitCode::from(2)
        }
    }
}
