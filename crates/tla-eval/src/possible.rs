//! `_POSSIBLE`: predicates that some reachable state, or some step, must satisfy.
//!
//! Each is asked until it is satisfied once; after that it costs nothing.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use tla_sema::ir::Level;
use tla_sema::{Levels, Spec};

use crate::error::Fault;
use crate::machine::Machine;
use crate::model::{Check, TlaModel, Worker, fault};
use crate::plan::Plan;

#[derive(Default)]
pub struct Possible {
    checks: Vec<Asked>,
    /// How many predicates of states are not satisfied yet.
    states_left: AtomicUsize,
    pub has_steps: bool,
}

struct Asked {
    check: Check,
    is_step: bool,
    satisfied: AtomicBool,
}

impl Possible {
    pub(crate) fn new(spec: &Spec, plan: &Plan<'_>, checks: Vec<Check>) -> Possible {
        let mut levels = Levels::new(spec);
        let checks: Vec<Asked> = checks
            .into_iter()
            .zip(&plan.possible)
            .map(|(check, named)| Asked {
                check,
                is_step: levels.of(named.expr) > Level::State,
                satisfied: AtomicBool::new(false),
            })
            .collect();
        Possible {
            states_left: AtomicUsize::new(checks.iter().filter(|it| !it.is_step).count()),
            has_steps: checks.iter().any(|it| it.is_step),
            checks,
        }
    }

    /// What nothing has satisfied so far.
    pub fn unsatisfied(&self) -> impl Iterator<Item = Check> {
        let open = self.checks.iter().filter(|it| !it.satisfied.load(Relaxed));
        open.map(|it| it.check)
    }

    /// For each, whether something has satisfied it.
    pub(crate) fn seen(&self) -> impl Iterator<Item = bool> {
        self.checks.iter().map(|it| it.satisfied.load(Relaxed))
    }

    /// What was satisfied here or elsewhere.
    pub(crate) fn set_seen(&self, seen: impl Iterator<Item = bool>) {
        for (asked, seen) in self.checks.iter().zip(seen) {
            asked.satisfied.store(seen, Relaxed);
        }
    }

    #[inline]
    pub(crate) fn wants_states(&self) -> bool {
        self.states_left.load(Relaxed) > 0
    }

    /// Looks at the machine's step.
    pub(crate) fn after_step(&self, machine: &mut Machine<'_, '_>) -> Result<(), Fault> {
        if self.has_steps {
            for asked in self.checks.iter().filter(|it| it.is_step) {
                asked.ask(machine)?;
            }
        }
        Ok(())
    }
}

impl Asked {
    /// Whether it has just been satisfied for the first time.
    fn ask(&self, machine: &mut Machine<'_, '_>) -> Result<bool, Fault> {
        let satisfied = !self.satisfied.load(Relaxed) && machine.test(self.check.proc)?;
        Ok(satisfied && !self.satisfied.swap(true, Relaxed))
    }
}

impl<'i> TlaModel<'i> {
    pub(crate) fn look_for_possible(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<(), explore::Fault> {
        let mut machine = Machine::new(self.program, &worker.scratch, worker.interned, self.effects);
        self.set_current(&mut machine, state);
        machine.state.level = depth;
        for asked in self.possible.checks.iter().filter(|it| !it.is_step) {
            match asked.ask(&mut machine) {
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
