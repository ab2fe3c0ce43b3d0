//! One test in a process of its own, with limits of time and memory: a mutant may do anything.
//!
//! It needs a shell with `ulimit`, and `timeout`. Processor time is limited first, which a busy machine does not disturb; the clock only
//! ends what waits forever.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bench::process::{Finished, finished_in};

#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    pub program: PathBuf,
    pub folder: PathBuf,
    /// `crate/target: name`.
    pub title: String,
    pub name: String,
    /// Seconds of the processor without a mutant.
    pub cpu: f64,
    pub passes: bool,
    /// Numbers of mutants.
    pub reached: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Passed,
    Failed,
    TimedOut,
    Crashed,
}

/// Kilobytes of address space.
const MEMORY: u64 = 6_000_000;
/// Seconds that every test has.
const LEAST: f64 = 4.0;

/// Runs a test with these variables set.
pub fn run(test: &Test, variables: &[(&str, String)], cpu_max: f64) -> Finished {
    let mut command = Command::new("sh");
    let limits = format!(
        "ulimit -c 0; ulimit -v {MEMORY}; ulimit -t {}; exec timeout -s KILL {} \"$@\"",
        cpu_max.ceil(),
        (cpu_max * 6.0).ceil()
    );
    command.args(["-c", &limits, "sh"]).arg(&test.program);
    command.args(["--exact", &test.name, "--test-threads", "1"]);
    // The same random cases every time, and none of them made small or written down.
    command
        .env("PROPTEST_RNG_SEED", "1")
        .env("PROPTEST_MAX_SHRINK_ITERS", "0");
    command
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true")
        .env("RUST_BACKTRACE", "0");
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    finished_in(&test.folder, &mut command)
}

/// A test that took longer by the clock may have failed for that alone: the machine is busy, and some tests have limits of their own.
const SLOW: Duration = Duration::from_secs(5);

/// Runs a test with a mutant; again, if it failed and was slow.
pub fn with_mutant(test: &Test, mutant: u32) -> Ended {
    let start = Instant::now();
    match once(test, mutant) {
        Ended::Passed => Ended::Passed,
        ended if start.elapsed() < SLOW => ended,
        _ => once(test, mutant),
    }
}

fn once(test: &Test, mutant: u32) -> Ended {
    let cpu_max = (test.cpu * 5.0).max(LEAST);
    let done = run(test, &[("BABBAGE_MUTANT", mutant.to_string())], cpu_max);
    match done.status {
        Some(0) => Ended::Passed,
        // What the harness says when a test fails.
        Some(101) => Ended::Failed,
        // `timeout` is killed with what it runs.
        None if done.cpu < 1.0 => Ended::TimedOut,
        Some(137) => Ended::TimedOut,
        _ if done.cpu >= cpu_max => Ended::TimedOut,
        _ => Ended::Crashed,
    }
}
