//! How fast the search is when the model costs next to nothing: states per second and bytes per state.
//!
//!     cargo run --release -p explore --example throughput -- [MODEL] [WORKERS] [exact|fingerprint]
//!
//! `ring N B`-like models are given as `kind:size:base`; see `main`.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use explore::{Fault, Inspection, Limits, Model, Observer, Options, Progress, Sink, Store, check};

/// Digits that are increased one at a time: `digits` successors a state, each found `digits` times.
struct Grid {
    digits: usize,
    base: u32,
    /// Only the first so many digits change freely; the rest change when all of these are at their maximum.
    wide: usize,
}

/// A content hash that can be updated slot by slot.
fn slot_hash(slot: usize, value: u32) -> u64 {
    let x = (((slot as u64) << 32) | u64::from(value))
        .wrapping_add(1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}

impl Model for Grid {
    type Worker<'m> = Vec<u32>;

    fn worker(&self, _index: usize) -> Vec<u32> {
        Vec::new()
    }

    fn n_slots(&self) -> usize {
        self.digits
    }

    fn initial(&self, _: &mut Vec<u32>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let state = vec![0; self.digits];
        let hash = (0..self.digits)
            .map(|slot| slot_hash(slot, 0))
            .fold(0, u64::wrapping_add);
        let _ = sink.emit(&state, hash, None, 0);
        Ok(())
    }

    fn successors(
        &self,
        next: &mut Vec<u32>,
        state: &[u32],
        _: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        next.clear();
        next.extend_from_slice(state);
        let hash = if sink.needs_hash() {
            state.iter().enumerate().fold(0u64, |hash, (slot, &value)| {
                hash.wrapping_add(slot_hash(slot, value))
            })
        } else {
            0
        };
        let full = state[..self.wide].iter().all(|&value| value + 1 == self.base);
        let free = if full {
            self.wide..self.digits
        } else {
            0..self.wide
        };
        for slot in free {
            let old = next[slot];
            if old + 1 < self.base {
                next[slot] = old + 1;
                let hash = hash
                    .wrapping_sub(slot_hash(slot, old))
                    .wrapping_add(slot_hash(slot, old + 1));
                let flow = sink.emit(next, hash, None, slot as u32);
                next[slot] = old;
                if flow.is_break() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn inspect(&self, _: &mut Vec<u32>, _: &[u32], _: u32) -> Result<Inspection, Fault> {
        Ok(Inspection::FINE)
    }
}

/// A permutation graph: rotate the first k, for two values of k. Two successors a state, no locality at all.
struct Shuffle {
    n: usize,
}

impl Model for Shuffle {
    type Worker<'m> = Vec<u32>;

    fn worker(&self, _index: usize) -> Vec<u32> {
        Vec::new()
    }

    fn n_slots(&self) -> usize {
        self.n
    }

    fn initial(&self, _: &mut Vec<u32>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let state: Vec<u32> = (0..self.n as u32).collect();
        let _ = sink.emit(&state, self.hash(&state), None, 0);
        Ok(())
    }

    fn successors(
        &self,
        next: &mut Vec<u32>,
        state: &[u32],
        _: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        for (action, k) in [(0, 2), (1, self.n)] {
            next.clear();
            next.extend_from_slice(state);
            next[..k].rotate_left(1);
            let hash = if sink.needs_hash() { self.hash(next) } else { 0 };
            if sink.emit(next, hash, None, action).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn inspect(&self, _: &mut Vec<u32>, _: &[u32], _: u32) -> Result<Inspection, Fault> {
        Ok(Inspection::FINE)
    }
}

impl Shuffle {
    fn hash(&self, state: &[u32]) -> u64 {
        state.iter().enumerate().fold(0, |hash, (slot, &value)| {
            hash.wrapping_add(slot_hash(slot, value))
        })
    }
}

struct Watch {
    start: Instant,
    peak: Mutex<(usize, u64)>,
}

impl Observer for Watch {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn progress(&self, progress: &Progress) {
        let mut peak = self.peak.lock().expect("no panic");
        if progress.memory > peak.0 {
            *peak = (progress.memory, progress.distinct);
        }
    }
}

fn run<M: Model>(name: &str, model: &M, workers: usize, store: Store) {
    let watch = Watch {
        start: Instant::now(),
        peak: Mutex::default(),
    };
    let limits = Limits {
        memory: Some(16 << 30),
        ..Limits::default()
    };
    let options = Options {
        workers,
        store,
        deadlock: false,
        limits,
        observer: &watch,
        ..Options::default()
    };
    let outcome = check(model, &options);
    let seconds = watch.start.elapsed().as_secs_f64();
    let stats = outcome.stats;
    let per = |bytes: usize| bytes as f64 / stats.distinct as f64;
    println!(
        "{name:24} {workers} workers {store:?}: {:?} {} distinct, {} generated, depth {}, {seconds:.3} s, \
         {:.2} M distinct/s, {:.2} M generated/s, {:.1} bytes/state visited, {:.1} peak",
        outcome.verdict,
        stats.distinct,
        stats.generated,
        stats.depth,
        stats.distinct as f64 / seconds / 1e6,
        stats.generated as f64 / seconds / 1e6,
        per(stats.memory_visited),
        per(watch.peak.lock().expect("no panic").0),
    );
    let rss = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(line) = rss.lines().find(|line| line.starts_with("VmHWM")) {
        println!("{line}");
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let model = args.first().map_or("grid:6:14:6", |it| it);
    let workers = args
        .get(1)
        .map_or(1, |it| it.parse().expect("a number of workers"));
    let store = match args.get(2).map(|it| &**it) {
        Some("fingerprint") => Store::Fingerprint,
        _ => Store::Exact,
    };
    let parts: Vec<&str> = model.split(':').collect();
    let number = |i: usize| parts[i].parse::<usize>().expect("a number");
    match parts[0] {
        "grid" => {
            let grid = Grid {
                digits: number(1),
                base: number(2) as u32,
                wide: number(3),
            };
            run(model, &grid, workers, store)
        }
        "shuffle" => run(model, &Shuffle { n: number(1) }, workers, store),
        other => panic!("no model {other}"),
    }
}
