//! Tests that cannot be run here: they pass, but not in silence.

use std::fs::OpenOptions;
use std::io::Write;

/// Where `cargo xtask test` collects what was not run, to list it at the end.
const LIST: &str = "BABBAGE_NOT_RUN";

/// Says that a test is not run, and why. The test harness keeps what tests print to itself as long as they pass, so this
/// goes around it: straight to standard error, and into the list of whoever keeps one.
pub fn not_run(why: &str) {
    let line = format!("not run: {why}\n");
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
    if let Some(list) = std::env::var_os(LIST) {
        let file = OpenOptions::new().append(true).create(true).open(list);
        // One call for each line: many tests write at the same time.
        let _ = file.and_then(|mut it| it.write_all(line.as_bytes()));
    }
}
