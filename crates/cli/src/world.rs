//! What specifications can ask of a run: printing, the clock, chance, numbers; files and commands are in `outside`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use workbench::effects::{Effects, Registers, Request, World as Files};
use workbench::{Owned, Progress};

use crate::output::err;
use crate::outside::Outside;
use crate::progress::is_interrupted;

pub struct World {
    registers: Registers,
    random: AtomicU64,
    start: Instant,
    run: Run,
    progress: Mutex<Progress>,
    exit: AtomicBool,
}

/// What `TLCGet("config")` tells of a run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub mode: &'static str,
    pub workers: usize,
    pub deadlock: bool,
    /// -1 without a limit, as is the number of traces.
    pub depth: i64,
    pub traces: i64,
    /// The same seed gives the same random numbers.
    pub seed: u64,
    /// When to give up.
    pub time: Option<Duration>,
}

impl Default for Run {
    fn default() -> Run {
        Run {
            mode: "eval",
            workers: 1,
            deadlock: true,
            depth: -1,
            traces: -1,
            seed: 0,
            time: None,
        }
    }
}

impl World {
    pub fn new(run: Run) -> World {
        World {
            registers: Registers::default(),
            random: AtomicU64::new(run.seed),
            start: Instant::now(),
            run,
            progress: Mutex::default(),
            exit: AtomicBool::new(false),
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

    fn request(&self, what: Request) {
        if what == Request::Exit {
            self.exit.store(true, Ordering::Relaxed);
        }
    }

    fn interrupted(&self) -> bool {
        is_interrupted() || self.run.time.is_some_and(|it| self.start.elapsed() >= it)
    }

    fn exit_requested(&self) -> bool {
        self.exit.load(Ordering::Relaxed)
    }

    fn statistic(&self, name: &str) -> Option<Owned> {
        let progress = *self.progress.lock().expect("no panic while numbers are copied");
        let number = |it: u64| Owned::Int(it as i64);
        let is_walking = self.run.mode == "simulate";
        let numbers = [
            ("generated", number(progress.generated)),
            ("distinct", number(progress.distinct)),
            ("queue", number(progress.queue)),
            ("traces", number(progress.walks)),
            // Walks have no common depth: as in TLC, it is their number that grows.
            (
                "diameter",
                number(if is_walking {
                    progress.walks
                } else {
                    u64::from(progress.depth)
                }),
            ),
            ("duration", number(self.start.elapsed().as_secs())),
        ];
        match name {
            "stats" => Some(Owned::record(numbers)),
            "config" => Some(self.config()),
            "revision" => Some(Owned::record([
                ("tag", Owned::str(env!("CARGO_PKG_VERSION"))),
                ("count", Owned::Int(0)),
                ("timestamp", Owned::Int(self.now())),
                ("date", Owned::str("")),
            ])),
            // TLC composes actions only when it is told to; here nobody needs to.
            "-Dtlc2.tool.impl.Tool.cdot" => Some(Owned::str("true")),
            _ => numbers.into_iter().find(|it| it.0 == name).map(|it| it.1),
        }
    }

    fn world(&self) -> Option<&dyn Files> {
        Some(&Outside)
    }
}

impl World {
    /// `TLCGet("config")`.
    fn config(&self) -> Owned {
        let Run {
            mode,
            workers,
            deadlock,
            depth,
            traces,
            seed,
            time: _,
        } = self.run;
        Owned::record([
            ("mode", Owned::str(mode)),
            ("depth", Owned::Int(depth)),
            ("traces", Owned::Int(traces)),
            ("deadlock", Owned::Bool(deadlock)),
            ("worker", Owned::Int(workers as i64)),
            ("seed", Owned::str(&seed.to_string())),
        ])
    }
}

/// Three quarters of the memory that is free now, where the system tells.
pub fn memory_to_use() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|it| it.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    let free = group_memory().map_or(kib * 1024, |it| it.min(kib * 1024));
    Some(free / 4 * 3)
}

/// What is left of the memory that a control group grants, if there is one: beyond it the kernel ends the process.
fn group_memory() -> Option<usize> {
    let number = |file: &str| -> Option<usize> {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/{file}")).ok()?;
        text.trim().parse().ok()
    };
    let (max, used) = match number("memory.max") {
        Some(max) => (max, number("memory.current")?),
        // The first version of control groups.
        None => (
            number("memory/memory.limit_in_bytes")?,
            number("memory/memory.usage_in_bytes")?,
        ),
    };
    Some(max.saturating_sub(used))
}

/// The memory that this process holds now, where the system tells. Pages of the program's own file are not counted: the system drops
/// them when it needs room, and how many there are depends on how large the program is, not on what it does.
pub fn resident_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|it| it.starts_with("RssAnon:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
