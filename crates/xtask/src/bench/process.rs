//! One run of a program: how long it took, how much of the processor and of memory it used, what it printed.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use wait4::Wait4;

#[derive(Default)]
pub struct Finished {
    pub seconds: f64,
    /// Seconds of all its threads; less disturbed by what else the machine does.
    pub cpu: f64,
    /// The most memory that was resident, in bytes.
    pub peak: u64,
    pub stdout: String,
    /// None: ended by a signal, or never started.
    pub status: Option<i32>,
}

/// Runs shorter than this are repeated, where repeating was asked for.
const LONG: f64 = 5.0;

/// Runs a command in a folder of its own: specifications may write files, and those are nobody's.
pub fn finished(command: &mut Command) -> Finished {
    match Scratch::new() {
        Ok(scratch) => finished_in(scratch.path(), command),
        Err(_) => Finished::default(),
    }
}

/// Runs a command in this folder.
pub fn finished_in(folder: &Path, command: &mut Command) -> Finished {
    command.current_dir(folder);
    let start = Instant::now();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return Finished::default();
    };
    let mut stdout = vec![];
    if let Some(mut pipe) = child.stdout.take() {
        let _ = pipe.read_to_end(&mut stdout);
    }
    let usage = child.wait4();
    let seconds = start.elapsed().as_secs_f64();
    let stdout = String::from_utf8_lossy(&stdout).into_owned();
    match usage {
        Ok(it) => Finished {
            seconds,
            cpu: (it.rusage.utime + it.rusage.stime).as_secs_f64(),
            peak: it.rusage.maxrss,
            stdout,
            status: it.status.code(),
        },
        Err(_) => Finished::default(),
    }
}

/// The fastest of several runs, or of one that is long.
pub fn fastest(runs: u32, command: &mut Command) -> Finished {
    let mut best = finished(command);
    for _ in 1..runs {
        if best.seconds > LONG {
            break;
        }
        let next = finished(command);
        if next.seconds < best.seconds {
            best = next;
        }
    }
    best
}

/// A folder for the time of one measurement.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Result<Scratch, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("babbage-bench-{}-{n}", std::process::id()));
        match std::fs::create_dir_all(&path) {
            Ok(()) => Ok(Scratch(path)),
            Err(why) => Err(format!("{}: {why}", path.display())),
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_writes_is_gone_afterwards() {
        let run = finished(Command::new("sh").args(["-c", "touch drawing.svg; ls; pwd"]));
        let mut lines = run.stdout.lines();
        assert_eq!(lines.next(), Some("drawing.svg"));
        assert!(!Path::new(lines.next().unwrap()).exists());
    }
}
