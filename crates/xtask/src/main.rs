//! Automation, in Rust: `cargo xtask test` sets a machine up and runs every test, `cargo xtask tidy` checks the rules of the project that no compiler knows, `cargo xtask bench`
//! measures, `cargo xtask fuzz` looks for two ways of checking that disagree, `cargo xtask mutants` for code that no test holds.

mod bench;
mod deny;
mod fuzz;
mod layers;
mod mutants;
mod named;
mod root;
mod test;
mod text;
mod tidy;
mod way;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test", ref rest @ ..] => test::run(rest),
        ["tidy"] => tidy::run(),
        ["bench", ref rest @ ..] => bench::run(rest),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["mutants", ref rest @ ..] => mutants::run(rest),
        _ => {
            eprintln!(
                "usage: cargo xtask test | tidy | bench | fuzz | mutants (what they understand: bench --help, fuzz --help, mutants --help)"
            );
            ExitCode::from(2)
        }
    }
}
