//! `_PERIODIC`: an expression that is evaluated now and then while a model is searched or walked through.
//!
//! As in TLC, each minute and, of random walks, once more at the end. It is there for its effects: to print where the run is, to write
//! statistics, to end the run (`TLCSet("exit", …)`). Where it is false, the run ends too.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use explore::{Observer, Progress};
use tla_eval::EvalError;
use tla_eval::effects::Effects;
use tla_eval::model::TlaModel;

use super::{CheckReport, Checker, Verdict, Violated};
use crate::verdict::ViolationKind;

/// Between two evaluations.
const EVERY: Duration = Duration::from_secs(60);

/// Passes on what it is told, and evaluates the expression when it is time.
pub(super) struct Periodic<'a, 'i> {
    model: &'a TlaModel<'i>,
    effects: &'a (dyn Effects + Sync),
    observer: &'a dyn Observer,
    /// Seconds of the observer's clock.
    next: AtomicU64,
    is_over: AtomicBool,
    failed: Mutex<Option<Failed>>,
}

enum Failed {
    False,
    Error(EvalError),
}

impl<'a, 'i> Periodic<'a, 'i> {
    pub fn new(checker: &Checker<'a, 'i>, observer: &'a dyn Observer) -> Periodic<'a, 'i> {
        Periodic {
            model: checker.model,
            effects: checker.effects,
            observer,
            next: AtomicU64::new((observer.elapsed() + EVERY).as_secs()),
            is_over: AtomicBool::new(false),
            failed: Mutex::new(None),
        }
    }

    fn evaluate(&self) {
        let Some(check) = self.model.compiled.periodic else {
            return;
        };
        let failed = match self.model.postcondition(check, 0, self.effects) {
            Ok(true) => return,
            Ok(false) => Failed::False,
            Err(error) => Failed::Error(error),
        };
        self.is_over.store(true, Relaxed);
        let mut first = self.failed.lock().expect("no panic while this is held");
        first.get_or_insert(failed);
    }

    /// Once more, where random walks are over.
    pub fn at_the_end(&self) {
        if !self.is_over.load(Relaxed) {
            self.evaluate();
        }
    }

    /// Tells that it was false, or could not be evaluated, unless the run found something else.
    pub fn conclude(self, checker: &Checker<'_, '_>, report: &mut CheckReport) {
        let failed = self.failed.into_inner().expect("no panic while this is held");
        if matches!(
            report.verdict,
            Verdict::Violated | Verdict::Error | Verdict::Internal
        ) {
            return;
        }
        match (failed, self.model.compiled.periodic) {
            (Some(Failed::False), Some(check)) => {
                report.verdict = Verdict::Violated;
                report.limit = None;
                report.violation = Some(Violated {
                    kind: ViolationKind::Assumption,
                    name: check.name.to_string(),
                });
            }
            (Some(Failed::Error(error)), _) => {
                report.limit = None;
                checker.failed(&error, report);
            }
            _ => {}
        }
    }
}

impl Observer for Periodic<'_, '_> {
    fn elapsed(&self) -> Duration {
        self.observer.elapsed()
    }

    fn cancelled(&self) -> bool {
        self.observer.cancelled() || self.is_over.load(Relaxed)
    }

    fn progress(&self, progress: &Progress) {
        self.observer.progress(progress);
        if self.model.compiled.periodic.is_none() {
            return;
        }
        let now = self.observer.elapsed().as_secs();
        if now >= self.next.load(Relaxed) {
            self.next.store(now + EVERY.as_secs(), Relaxed);
            self.evaluate();
        }
    }
}
