//! What specifications can ask of a worker: chance and the clock. No files, no commands, no environment.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::json;
use workbench::effects::{Effects, Registers, Request};
use workbench::{Observer, Owned, Progress};

use super::Wire;

pub struct Sandbox {
    registers: Registers,
    random: AtomicU64,
    exit: AtomicBool,
    reached: Mutex<Progress>,
}

impl Sandbox {
    pub fn new() -> Sandbox {
        Sandbox {
            registers: Registers::default(),
            random: AtomicU64::new(0),
            exit: AtomicBool::new(false),
            reached: Mutex::default(),
        }
    }
}

impl Effects for Sandbox {
    /// There is nobody to read it.
    fn print(&self, _: &str) {}

    fn registers(&self) -> &Registers {
        &self.registers
    }

    /// SplitMix64.
    fn random(&self) -> u64 {
        let mut z = self.random.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |it| it.as_secs() as i64)
    }

    fn statistic(&self, name: &str) -> Option<Owned> {
        let reached = *self.reached.lock().ok()?;
        let number = match name {
            "generated" => reached.generated,
            "distinct" => reached.distinct,
            "queue" => reached.queue,
            "diameter" => u64::from(reached.depth),
            "duration" => 0,
            _ => return None,
        };
        Some(Owned::Int(number as i64))
    }

    fn request(&self, what: Request) {
        if what == Request::Exit {
            self.exit.store(true, Ordering::Relaxed);
        }
    }

    fn exit_requested(&self) -> bool {
        self.exit.load(Ordering::Relaxed)
    }
}

/// Tells the page how far a search is, a few times a second.
pub struct Teller<'a> {
    wire: &'a Wire,
    sandbox: &'a Sandbox,
    start: Instant,
    told_ms: AtomicU64,
    /// What is being searched, where there are several things.
    pub note: Mutex<Option<String>>,
}

const PAUSE_MS: u64 = 120;

impl<'a> Teller<'a> {
    pub fn new(wire: &'a Wire, sandbox: &'a Sandbox) -> Teller<'a> {
        Teller {
            wire,
            sandbox,
            start: Instant::now(),
            told_ms: AtomicU64::new(0),
            note: Mutex::new(None),
        }
    }

    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Whether something may be told again.
    fn is_due(&self) -> bool {
        let now = self.start.elapsed().as_millis() as u64;
        let told = self.told_ms.load(Ordering::Relaxed);
        now >= told + PAUSE_MS
            && self
                .told_ms
                .compare_exchange(told, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    pub fn tell(&self, progress: &Progress) {
        if !self.is_due() {
            return;
        }
        self.wire.progress(&json!({
            "distinct": progress.distinct,
            "generated": progress.generated,
            "queue": progress.queue,
            "depth": progress.depth,
            "seconds": self.seconds(),
            "note": self.note.lock().ok().and_then(|it| it.clone()),
        }));
    }
}

impl Observer for Teller<'_> {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn progress(&self, progress: &Progress) {
        if let Ok(mut reached) = self.sandbox.reached.lock() {
            *reached = *progress;
        }
        self.tell(progress);
    }
}
