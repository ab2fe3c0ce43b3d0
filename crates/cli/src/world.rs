//! What specifications can ask of the world: printing, the clock, chance; and the registers of `TLCSet`.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use workbench::{Effects, Registered};

use crate::output::err;

pub struct World {
    registers: Mutex<HashMap<String, Registered>>,
    random: AtomicU64,
}

impl World {
    /// The same seed gives the same random numbers.
    pub fn new(seed: u64) -> World {
        World { registers: Mutex::default(), random: AtomicU64::new(seed) }
    }
}

impl Effects for World {
    fn print(&self, text: &str) {
        err(text);
    }

    fn get(&self, name: &str) -> Option<Registered> {
        self.registers.lock().expect("no panic while holding the registers").get(name).cloned()
    }

    fn set(&self, register: i64, value: Registered) {
        self.registers.lock().expect("no panic while holding the registers").insert(register.to_string(), value);
    }

    /// SplitMix64: one addition and a mix of the bits.
    fn random(&self) -> u64 {
        let mut z = self.random.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn now(&self) -> i64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs() as i64)
    }
}

/// Three quarters of the memory that is free now, where the system tells.
pub fn memory_to_use() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|it| it.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 4 * 3 * 1024)
}
