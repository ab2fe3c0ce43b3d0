//! Automation, in Rust: `cargo xtask tidy` checks the rules of the project that no compiler knows, `cargo xtask bench`
//! measures.

mod bench;
mod layers;
mod text;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy::run(),
        ["bench", ref rest @ ..] => bench::run(rest),
        _ => {
            eprintln!("usage: cargo xtask tidy | bench (what it measures: bench --help)");
            ExitCode::from(2)
        }
    }
}
