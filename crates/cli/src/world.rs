//! What specifications can ask of the world: printing, the clock, chance, files, commands, numbers of the run.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use workbench::effects::{Effects, Failure, Finished, Registers, World as Outside, Write};
use workbench::{Owned, Progress};

use crate::output::err;

pub struct World {
    registers: Registers,
    random: AtomicU64,
    start: Instant,
    mode: &'static str,
    workers: usize,
    progress: Mutex<Progress>,
}

impl World {
    /// The same seed gives the same random numbers. `mode` is what `TLCGet("config").mode` says.
    pub fn new(seed: u64, mode: &'static str, workers: usize) -> World {
        World {
            registers: Registers::default(),
            random: AtomicU64::new(seed),
            start: Instant::now(),
            mode,
            workers,
            progress: Mutex::default(),
        }
    }

    /// What the search has reached.
    pub fn reached(&self, progress: &Progress) {
        *self.progress.lock().expect("no panic while numbers are copied") = *progress;
    }
}

impl Effects for World {
    fn print(&self, text: &str) {
        err(text);
    }

    fn registers(&self) -> &Registers {
        &self.registers
    }

    /// SplitMix64: one addition and a mix of the bits.
    fn random(&self) -> u64 {
        let mut z = self.random.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn now(&self) -> i64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |it| it.as_secs() as i64)
    }

    fn statistic(&self, name: &str) -> Option<Owned> {
        let Progress {
            generated,
            distinct,
            queue,
            depth,
            ..
        } = *self.progress.lock().expect("no panic while numbers are copied");
        Some(match name {
            "generated" => Owned::Int(generated as i64),
            "distinct" => Owned::Int(distinct as i64),
            "queue" => Owned::Int(queue as i64),
            "diameter" => Owned::Int(i64::from(depth)),
            "duration" => Owned::Int(self.start.elapsed().as_secs() as i64),
            "config" => Owned::record([
                ("mode", Owned::str(self.mode)),
                ("depth", Owned::Int(-1)),
                ("deadlock", Owned::Bool(true)),
                ("worker", Owned::Int(self.workers as i64)),
            ]),
            _ => return None,
        })
    }

    fn world(&self) -> Option<&dyn Outside> {
        Some(self)
    }
}

impl Outside for World {
    fn read(&self, path: &str) -> Result<Vec<u8>, Failure> {
        std::fs::read(path).map_err(failure)
    }

    fn write(&self, path: &str, bytes: &[u8], how: Write) -> Result<(), Failure> {
        if let Some(folder) = Path::new(path).parent().filter(|_| how.folders) {
            std::fs::create_dir_all(folder).map_err(failure)?;
        }
        let mut options = OpenOptions::new();
        options
            .write(true)
            .append(how.append)
            .create(how.create)
            .create_new(how.create_new);
        let mut file = options
            .truncate(how.truncate && !how.append)
            .open(path)
            .map_err(failure)?;
        file.write_all(bytes).map_err(failure)
    }

    fn environment(&self) -> Vec<(String, String)> {
        std::env::vars_os()
            .map(|(name, value)| {
                (
                    name.to_string_lossy().into_owned(),
                    value.to_string_lossy().into_owned(),
                )
            })
            .collect()
    }

    fn execute(&self, command: &[String], environment: &[(String, String)]) -> Result<Finished, Failure> {
        let (program, args) = command.split_first().ok_or(Failure::Missing)?;
        let envs = environment.iter().map(|(name, value)| (name, value));
        let output = Command::new(program)
            .args(args)
            .envs(envs)
            .output()
            .map_err(failure)?;
        Ok(Finished {
            exit_value: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}

fn failure(error: std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => Failure::Missing,
        _ => Failure::Because(error.to_string()),
    }
}

/// Three quarters of the memory that is free now, where the system tells.
pub fn memory_to_use() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|it| it.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 4 * 3 * 1024)
}

/// The memory that this process holds now, where the system tells.
pub fn resident_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|it| it.starts_with("VmRSS:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
