//! Random specifications, checked in every way, for as long as one likes: what `cargo xtask fuzz` starts.
//!
//! The work is done by processes of their own (`worker`), so that a specification that ends its checker, or never ends, is a
//! finding and not the end of the run. What is found is made small and kept in a folder.

mod fuzz;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match fuzz::Options::parse(&arguments) {
        Some(options) => match options.worker {
            Some(job) => fuzz::work(&options, job),
            None => fuzz::run(&options),
        },
        None => {
            eprintln!("{}", fuzz::USAGE);
            ExitCode::from(2)
        }
    }
}
