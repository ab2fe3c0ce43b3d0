//! The switch of all mutants. `cargo xtask mutants` puts this file into its copy of the workspace, as a crate of its own.
//!
//! `BABBAGE_MUTANT` says which mutant lives, if any. `BABBAGE_MUTANTS_REACHED` names a file that gets the number of each mutant
//! when it is first asked for; no mutant lives then.

use std::io::Write;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Greater than the number of every mutant.
const NONE: u32 = u32::MAX;
const RECORDING: u32 = u32::MAX - 1;
const UNKNOWN: u32 = u32::MAX - 2;

static LIVING: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];

/// Whether this mutant lives.
#[inline(always)]
pub fn on(id: u32) -> bool {
    let living = LIVING.load(Ordering::Relaxed);
    if living == id {
        return true;
    }
    if living == RECORDING || living == UNKNOWN {
        return ask(id, living);
    }
    false
}

#[cold]
#[inline(never)]
fn ask(id: u32, living: u32) -> bool {
    if living == UNKNOWN {
        let living = if std::env::var_os("BABBAGE_MUTANTS_REACHED").is_some() {
            RECORDING
        } else {
            let number = std::env::var("BABBAGE_MUTANT").ok();
            number.and_then(|it| it.parse().ok()).unwrap_or(NONE)
        };
        LIVING.store(living, Ordering::Relaxed);
        return on(id);
    }
    let bit = 1u64 << (id % 64);
    let is_first = REACHED[(id / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0;
    if is_first && let Some(path) = std::env::var_os("BABBAGE_MUTANTS_REACHED") {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        // One write for a line: lines of several threads and processes do not mix.
        let written = file.and_then(|mut it| it.write_all(format!("{id}\n").as_bytes()));
        written.expect("what is reached can be noted");
    }
    false
}
