//! Files and commands for specifications, as far as the command line permits them, and what was done in the end.
//!
//! A check evaluates a definition as often as it likes. What comes of that outside of the program must not come as a
//! surprise: files that were written are counted and named, and programs are run only where someone has said so.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use workbench::effects::{Failure, Finished, World, Write};

use crate::output::err;
use crate::report::counted;

/// What specifications may do, the same for the whole run.
#[derive(Clone, Copy, Debug)]
pub struct Permissions {
    pub write: bool,
    pub execute: bool,
}

/// What they may do, and what they did.
struct Ledger {
    permissions: Permissions,
    written: BTreeSet<String>,
    refused: BTreeSet<String>,
    n_commands: usize,
}

static LEDGER: Mutex<Ledger> = Mutex::new(Ledger {
    permissions: Permissions {
        write: true,
        execute: false,
    },
    written: BTreeSet::new(),
    refused: BTreeSet::new(),
    n_commands: 0,
});

fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn permit(permissions: Permissions) {
    ledger().permissions = permissions;
}

/// Says on standard error what specifications did, if they did anything.
pub fn tell() {
    let ledger = ledger();
    if !ledger.written.is_empty() {
        err(&format!("the specification wrote {}", files(&ledger.written)));
    }
    if !ledger.refused.is_empty() {
        err(&format!(
            "not written, because of `--no-effects`: {}",
            files(&ledger.refused)
        ));
    }
    if ledger.n_commands > 0 {
        err(&format!(
            "the specification ran {}",
            counted(ledger.n_commands, "command")
        ));
    }
}

/// How many files, and which: the first and the last when they are many.
fn files(paths: &BTreeSet<String>) -> String {
    const NAMED_MAX: usize = 3;
    let count = counted(paths.len(), "file");
    let all: Vec<&str> = paths.iter().map(String::as_str).collect();
    match all[..] {
        [first, .., last] if all.len() > NAMED_MAX => format!("{count}: {first} … {last}"),
        _ => format!("{count}: {}", all.join(", ")),
    }
}

/// The file system and the programs of this machine.
pub struct Outside;

impl World for Outside {
    fn read(&self, path: &str) -> Result<Vec<u8>, Failure> {
        std::fs::read(path).map_err(failure)
    }

    fn write(&self, path: &str, bytes: &[u8], how: Write) -> Result<(), Failure> {
        let mut ledger = ledger();
        if !ledger.permissions.write {
            ledger.refused.insert(path.to_owned());
            return Err(Failure::Because(
                "files are not written with `--no-effects`".to_owned(),
            ));
        }
        // Noted first: what could be written only in part is there too. One thread writes at a time, so that lines which
        // are appended do not mix.
        ledger.written.insert(path.to_owned());
        let done = write(path, bytes, how).map_err(failure);
        if done.is_err() && !Path::new(path).exists() {
            ledger.written.remove(path);
        }
        done
    }

    fn environment(&self) -> Vec<(String, String)> {
        let text = |it: std::ffi::OsString| it.to_string_lossy().into_owned();
        std::env::vars_os()
            .map(|(name, value)| (text(name), text(value)))
            .collect()
    }

    fn execute(&self, command: &[String], environment: &[(String, String)]) -> Result<Finished, Failure> {
        let (program, args) = command.split_first().ok_or(Failure::Missing)?;
        if !ledger().permissions.execute {
            return Err(Failure::Because(
                "a specification may run programs only with `--allow-exec`".to_owned(),
            ));
        }
        let envs = environment.iter().map(|(name, value)| (name, value));
        let output = Command::new(program)
            .args(args)
            .envs(envs)
            .output()
            .map_err(failure)?;
        ledger().n_commands += 1;
        Ok(Finished {
            exit_value: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}

fn write(path: &str, bytes: &[u8], how: Write) -> std::io::Result<()> {
    if let Some(folder) = Path::new(path).parent().filter(|_| how.folders) {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options
        .write(true)
        .append(how.append)
        .create(how.create)
        .create_new(how.create_new);
    let mut file = options.truncate(how.truncate && !how.append).open(path)?;
    file.write_all(bytes)
}

fn failure(error: std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => Failure::Missing,
        _ => Failure::Because(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_are_told_by_the_first_and_the_last() {
        let set = |n: usize| (1..=n).map(|it| format!("a{it}.svg")).collect();
        assert_eq!(files(&set(1)), "1 file: a1.svg");
        assert_eq!(files(&set(3)), "3 files: a1.svg, a2.svg, a3.svg");
        assert_eq!(files(&set(9)), "9 files: a1.svg … a9.svg");
    }
}
