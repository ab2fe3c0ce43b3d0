//! A barrier for phases that are often shorter than it takes to wake a thread up.
//!
//! Who comes early looks around for a moment before it goes to sleep. It gives its core away while it does, so threads without
//! a core of their own are not kept from arriving.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

use crate::pool::unpoisoned;

pub(crate) struct Barrier {
    n_threads: usize,
    arrived: AtomicUsize,
    /// How often all have arrived.
    round: AtomicUsize,
    n_asleep: Mutex<usize>,
    wake: Condvar,
}

/// Looks before a thread gives its core away, and how often it does that before it goes to sleep: some hundred microseconds.
const LOOKS: u32 = 256;
const TURNS: u32 = 24;

impl Barrier {
    pub(crate) fn new(n_threads: usize) -> Barrier {
        Barrier {
            n_threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            n_asleep: Mutex::new(0),
            wake: Condvar::new(),
        }
    }

    /// Waits until all threads are here. What each did before is seen by all after.
    pub(crate) fn wait(&self) {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.n_threads {
            // Nobody counts again before the round is over.
            self.arrived.store(0, Ordering::Relaxed);
            let n_asleep = unpoisoned(self.n_asleep.lock());
            self.round.store(round.wrapping_add(1), Ordering::Release);
            if *n_asleep > 0 {
                self.wake.notify_all();
            }
            return;
        }
        let is_over = || self.round.load(Ordering::Acquire) != round;
        for _ in 0..TURNS {
            for _ in 0..LOOKS {
                if is_over() {
                    return;
                }
                std::hint::spin_loop();
            }
            std::thread::yield_now();
        }
        let mut n_asleep = unpoisoned(self.n_asleep.lock());
        *n_asleep += 1;
        while !is_over() {
            n_asleep = unpoisoned(self.wake.wait(n_asleep));
        }
        *n_asleep -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn nobody_is_a_round_ahead() {
        const THREADS: usize = 5;
        const ROUNDS: usize = 200;
        let barrier = Barrier::new(THREADS);
        let done = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (barrier, done) = (&barrier, &done);
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        // Now and then long enough for the others to fall asleep.
                        if round % 50 == thread {
                            std::thread::sleep(Duration::from_millis(2));
                        }
                        done.fetch_add(1, Ordering::Relaxed);
                        barrier.wait();
                        assert_eq!(done.load(Ordering::Relaxed), (round + 1) * THREADS);
                        barrier.wait();
                    }
                });
            }
        });
    }
}
