//! `_POSSIBLE`: predicates that some reachable state, or some step, must satisfy. What the constraints exclude is not reached.
//!
//! Each is asked until it is satisfied once; after that it costs nothing. Only where a postcondition may ask how often, each state that
//! is generated counts.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::compiled::{Check, Compiled, Possibility};
use crate::error::Fault;
use crate::machine::Machine;
use crate::model::{TlaModel, Worker, fault};

pub struct Possible {
    checks: Vec<Overrides>,
    /// How many predicates of states are not satisfied yet.
    states_left: AtomicUsize,
    counts_all: bool,
}

struct Overrides {
    check: Check,
    is_step: bool,
    /// How often it was satisfied, or whether.
    satisfied: AtomicU64,
}

impl Possible {
    pub(crate) fn new(compiled: &Compiled<'_>) -> Possible {
        let checks: Vec<Overrides> = compiled
            .possible
            .iter()
            .map(|&Possibility { check, is_step }| Overrides {
                check,
                is_step,
                satisfied: AtomicU64::new(0),
            })
            .collect();
        Possible {
            states_left: AtomicUsize::new(checks.iter().filter(|it| !it.is_step).count()),
            counts_all: compiled.counts_possible(),
            checks,
        }
    }

    /// What nothing has satisfied so far.
    pub fn unsatisfied(&self) -> impl Iterator<Item = Check> {
        let open = self.checks.iter().filter(|it| it.satisfied.load(Relaxed) == 0);
        open.map(|it| it.check)
    }

    /// How often each was satisfied, if that was counted.
    pub fn counts(&self) -> Option<Vec<(Check, u64)>> {
        let counts = self.checks.iter().zip(self.seen());
        self.counts_all
            .then(|| counts.map(|(it, n)| (it.check, n)).collect())
    }

    /// How often each was satisfied, or whether.
    pub(crate) fn seen(&self) -> impl Iterator<Item = u64> {
        self.checks.iter().map(|it| it.satisfied.load(Relaxed))
    }

    /// What was satisfied here or elsewhere.
    pub(crate) fn set_seen(&self, seen: impl Iterator<Item = u64>) {
        for (asked, seen) in self.checks.iter().zip(seen) {
            asked.satisfied.store(seen, Relaxed);
        }
    }

    #[inline]
    pub(crate) fn wants_states(&self, depth: u32) -> bool {
        match self.counts_all {
            // Of the others, the steps to them are looked at.
            true => depth == 1,
            false => self.states_left.load(Relaxed) > 0,
        }
    }

    /// Looks at the machine's step.
    pub(crate) fn after_step(
        &self,
        machine: &mut Machine<'_, '_>,
        constraints: &[Check],
    ) -> Result<(), Fault> {
        let is_open = |it: &Overrides| it.is_step && it.satisfied.load(Relaxed) == 0;
        if !self.counts_all && !self.checks.iter().any(is_open) {
            return Ok(());
        }
        let state = machine.state_after()?;
        let step = machine.open_step(state.current.len());
        let is_inside = machine.in_state(state, step, |machine| {
            for check in constraints {
                if !machine.test(check.proc)? {
                    return Ok(false);
                }
            }
            if self.counts_all {
                let mut states = self.checks.iter().filter(|it| !it.is_step);
                states.try_for_each(|asked| asked.ask(machine, true).map(drop))?;
            }
            Ok(true)
        })?;
        if is_inside {
            for asked in self.checks.iter().filter(|it| it.is_step) {
                asked.ask(machine, self.counts_all)?;
            }
        }
        Ok(())
    }
}

impl Overrides {
    /// Whether it has just been satisfied for the first time.
    fn ask(&self, machine: &mut Machine<'_, '_>, counts: bool) -> Result<bool, Fault> {
        let is_open = counts || self.satisfied.load(Relaxed) == 0;
        Ok(is_open && machine.test(self.check.proc)? && self.satisfied.fetch_add(1, Relaxed) == 0)
    }
}

impl Possible {
    /// Looks at the machine's state.
    pub(crate) fn in_state(&self, machine: &mut Machine<'_, '_>) -> Result<(), Fault> {
        for asked in self.checks.iter().filter(|it| !it.is_step) {
            if asked.ask(machine, self.counts_all)? {
                self.states_left.fetch_sub(1, Relaxed);
            }
        }
        Ok(())
    }
}

impl<'i> TlaModel<'i> {
    pub(crate) fn look_for_possible(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<(), explore::Fault> {
        let mut machine = self.compiled.machine(&worker.scratch, worker.interned);
        self.set_current(&mut machine, state);
        machine.state.level = depth;
        for asked in self.possible.checks.iter().filter(|it| !it.is_step) {
            match asked.ask(&mut machine, self.possible.counts_all) {
                Ok(true) => {
                    self.possible.states_left.fetch_sub(1, Relaxed);
                }
                Ok(false) => {}
                Err(it) => return Err(fault(&mut machine, it, asked.check.proc)),
            }
        }
        Ok(())
    }
}
