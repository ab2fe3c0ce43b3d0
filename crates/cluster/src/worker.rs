//! Which worker of a run this is, and what it works for.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use explore::{Limit, Options, Portable};

/// What the workers of a process have in common.
pub struct Process<'a> {
    /// Bytes that each of its workers holds.
    pub held: Vec<AtomicUsize>,
    /// Whether another process is gone.
    pub is_cut_off: &'a (dyn Fn() -> bool + Sync),
    /// Bytes sent to other processes so far.
    pub bytes_sent: &'a (dyn Fn() -> u64 + Sync),
    /// Which process it is, and of how many.
    pub index: usize,
    pub processes: usize,
    /// Whether all processes have one folder for their checkpoints, or each its own.
    pub is_folder_shared: bool,
    /// What the model had counted before the search began.
    pub tallies_before: Vec<u64>,
}

/// Which of all workers this is.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    pub index: usize,
    pub peers: usize,
    /// Its place among the workers of its process.
    pub here: usize,
}

impl Seat {
    /// The first of all workers finds the initial states, and has everything that is gathered.
    pub fn is_first(&self) -> bool {
        self.index == 0
    }

    /// Whether it speaks for its process.
    pub fn speaks(&self) -> bool {
        self.here == 0
    }
}

/// What a worker works for: the same through the whole search.
pub struct Ctx<'a, M> {
    pub model: &'a M,
    pub options: &'a Options<'a>,
    pub process: &'a Process<'a>,
    pub seat: Seat,
}

impl<M> Clone for Ctx<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Ctx<'_, M> {}

impl<M: Portable> Ctx<'_, M> {
    pub fn stops_at_event(&self) -> bool {
        self.options.violations_max <= 1
    }

    /// Takes note of what this worker holds.
    pub fn hold(&self, bytes: usize) {
        self.process.held[self.seat.here].store(bytes, Relaxed);
    }

    /// What the whole process holds.
    pub fn process_bytes(&self) -> usize {
        let held = self.process.held.iter().map(|it| it.load(Relaxed));
        held.sum::<usize>() + self.model.memory()
    }

    /// What the model has counted in this process. Every process checks the assumptions before it joins the others; the first
    /// one counts that.
    pub fn tallies(&self) -> Vec<u64> {
        let mut tallies = self.model.tallies();
        if self.process.index > 0 {
            let before = self.process.tallies_before.iter();
            tallies
                .iter_mut()
                .zip(before)
                .for_each(|(it, before)| *it = it.saturating_sub(*before));
        }
        tallies
    }

    /// Whether someone or something wants the search to end now.
    pub fn interruption(&self) -> Option<Limit> {
        if (self.process.is_cut_off)() {
            return Some(Limit::Processes);
        }
        let options = self.options;
        if options.observer.cancelled() {
            return Some(Limit::Cancelled);
        }
        let limits = options.limits;
        if limits.memory.is_some_and(|it| self.process_bytes() > it) {
            return Some(Limit::Memory);
        }
        let time_max = limits.time?;
        (options.observer.elapsed() >= time_max).then_some(Limit::Time)
    }
}
