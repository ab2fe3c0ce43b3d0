//! Standard output and standard error.
//!
//! Whoever reads our output may stop early (`babbage parse M.tla | head -1`): then the rest is not wanted, and that is no
//! failure of ours. So nothing here panics, as `println!` would.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Writes a result, and ends it with a line break if it has none.
pub fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let ending = if text.ends_with('\n') { "" } else { "\n" };
    let written = write!(stdout, "{text}{ending}").and_then(|()| stdout.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        err(&format!("error: the result cannot be written: {error}"));
    }
}

/// Writes a line for a person. If that fails there is no one to tell.
pub fn err(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// What is said when the command line asks for something that cannot be done.
pub fn refuse(why: &str) -> ExitCode {
    err(&format!("error: {why}"));
    ExitCode::from(2)
}
