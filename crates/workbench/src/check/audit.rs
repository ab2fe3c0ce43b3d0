//! An audit while a model is searched: some of what the engine says is found again by the plain evaluator, and compared.
//!
//! The engine is fast because it does not evaluate: it remembers what formulas did, keeps parts of values as numbers, takes
//! formulas apart. `tla-plain` has none of this. A state is chosen by its hash; its steps in their order (not
//! what they are called), what they and the state break, their labels, how they are encoded, what stands for them in the visited set: all
//! of it must come out the same (`compare`). A difference is our mistake ([`Mismatch`]). It ends the search, which begins anew without the fast path.
//!
//! A sample takes a bounded share of the time, by the observer's clock. What the plain evaluator cannot say (because chance, files or
//! registers decide, or because it would take too long) is counted, not guessed. So is an error of the engine that it does not share:
//! what has to be evaluated at all depends on which sets are listed and in which order, and whoever is told of an error looks at it.

mod compare;
mod mismatch;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use explore::{Fault, Observer};
use tla_eval::audit::AuditWorker;
use tla_eval::plan::Plan;
use tla_plain::Problem;
use tla_sema::Model;
use tla_sema::ir::ExprId;

use crate::tla::TlaFile;

use compare::Comparing;
pub(super) use mismatch::Answered;
pub use mismatch::{Difference, Mismatch};

/// How much of a search is evaluated a second time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Audit {
    Off,
    #[default]
    Sample,
    Full,
}

/// How much was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AuditReport {
    /// States whose steps were compared.
    pub expanded: u64,
    /// States whose invariants and constraints were compared.
    pub inspected: u64,
    /// States whose labels, and those of their steps, were compared: what temporal properties ask of them.
    pub labelled: u64,
    /// States that the plain evaluator could say nothing about.
    pub undecided: u64,
}

impl AuditReport {
    /// With what another search adds.
    pub fn and(self, other: AuditReport) -> AuditReport {
        AuditReport {
            expanded: self.expanded + other.expanded,
            inspected: self.inspected + other.inspected,
            labelled: self.labelled + other.labelled,
            undecided: self.undecided + other.undecided,
        }
    }
}

/// Makes of what a model asks for what is asked here: a front end may ask for something else.
pub(crate) type Adapt<'a> = &'a (dyn Fn(&mut Problem) + Sync);

/// One state in so many is looked at, and then the clock decides whether there is time for it: asking the clock takes time too.
const RARE: u64 = 32;
/// Before that, so many are, one after the other.
const FIRST: u64 = 64;
/// Of the time of all workers, how many thousandths a sample may take.
const SHARE: u64 = 25;
/// What a sample may always take, in nanoseconds: nobody notices it, a small model is audited whole, and of one that is searched in a
/// moment some states are (at half a millisecond, none of Klotski's was).
const FREE: u64 = 5_000_000;
/// Nanoseconds that a step of the plain evaluator takes, at most.
const STEP: u64 = 250;
/// Steps of the plain evaluator for one state in a full audit.
const FUEL: u64 = 50_000_000;
/// Initial states that are compared, in a sample and in a full audit.
const BEGINNING: usize = 1000;
const BEGINNING_FULL: usize = 1_000_000;

/// What audits have taken, of one search or of many that are one answer: each small one of these has no time of its own to give.
pub(crate) struct Ledger {
    /// When the first search began, by the observer's clock.
    begun: Duration,
    /// Nanoseconds that audits have taken.
    spent: AtomicU64,
}

impl Ledger {
    pub fn new(observer: &dyn Observer) -> Ledger {
        Ledger {
            begun: observer.elapsed(),
            spent: AtomicU64::new(0),
        }
    }

    /// Nanoseconds that are left for a sample; nothing when it has taken its share.
    fn left(&self, observer: &dyn Observer, workers: u64) -> Option<u64> {
        let elapsed = observer.elapsed().saturating_sub(self.begun);
        let may = elapsed.as_nanos() as u64 / 1000 * SHARE * workers + FREE;
        may.checked_sub(self.spent.load(Relaxed))
    }
}

/// What all workers of an audited search share.
pub(crate) struct Auditor<'a> {
    file: &'a TlaFile,
    model: Model,
    mode: Audit,
    observer: &'a dyn Observer,
    adapt: Adapt<'a>,
    /// The action of each player of a game; nothing for the steps of the specification.
    players: Vec<Option<ExprId>>,
    workers: u64,
    ledger: &'a Ledger,
    /// Steps of the plain evaluator below which there is no use in trying: half of this was not enough before.
    least: AtomicU64,
    has_begun: AtomicBool,
    expanded: AtomicU64,
    inspected: AtomicU64,
    labelled: AtomicU64,
    undecided: AtomicU64,
    /// Differences, those of other processes included.
    n_mismatches: AtomicU64,
    mismatch: Mutex<Option<Mismatch>>,
}

impl<'a> Auditor<'a> {
    pub fn new(
        (file, model): (&'a TlaFile, &Model),
        plan: &Plan<'_>,
        (mode, workers): (Audit, usize),
        (observer, ledger): (&'a dyn Observer, &'a Ledger),
        adapt: Adapt<'a>,
    ) -> Self {
        Auditor {
            file,
            model: model.clone(),
            mode,
            observer,
            adapt,
            players: plan.players.iter().map(|it| it.action).collect(),
            workers: workers as u64,
            ledger,
            least: AtomicU64::new(1),
            has_begun: AtomicBool::new(false),
            expanded: AtomicU64::new(0),
            inspected: AtomicU64::new(0),
            labelled: AtomicU64::new(0),
            undecided: AtomicU64::new(0),
            n_mismatches: AtomicU64::new(0),
            mismatch: Mutex::new(None),
        }
    }

    pub fn report(&self) -> AuditReport {
        AuditReport {
            expanded: self.expanded.load(Relaxed),
            inspected: self.inspected.load(Relaxed),
            labelled: self.labelled.load(Relaxed),
            undecided: self.undecided.load(Relaxed),
        }
    }

    /// The first difference; one that another process found is known to be there, and no more.
    pub fn mismatch(&self) -> Option<Mismatch> {
        let found = self.mismatch.lock().unwrap_or_else(|it| it.into_inner()).clone();
        let elsewhere = || (self.n_mismatches.load(Relaxed) > 0).then(Mismatch::elsewhere);
        found.or_else(elsewhere)
    }

    /// Steps that a sample has time for now.
    fn affordable(&self) -> Option<u64> {
        let left = self.ledger.left(self.observer, self.workers)?;
        let steps = (left / STEP).min(FUEL);
        (steps >= self.least.load(Relaxed)).then_some(steps)
    }

    /// Does an audit, and notes what it took.
    fn timed<T>(&self, run: impl FnOnce() -> T) -> T {
        let before = self.observer.elapsed();
        let result = run();
        let took = self.observer.elapsed().saturating_sub(before);
        self.ledger.spent.fetch_add(took.as_nanos() as u64, Relaxed);
        result
    }

    fn differ(&self, mismatch: Mismatch) -> Fault {
        self.n_mismatches.fetch_add(1, Relaxed);
        self.mismatch
            .lock()
            .unwrap_or_else(|it| it.into_inner())
            .get_or_insert(mismatch);
        Fault::new(Differ)
    }
}

/// In the place of an error: the search is not to go on.
struct Differ;

impl tla_eval::audit::Auditor for Auditor<'_> {
    fn chooses(&self, state: &[u32], depth: u32) -> Option<u64> {
        match self.mode {
            Audit::Off => None,
            Audit::Full => Some(FUEL),
            Audit::Sample => {
                let ends = [state.first(), state.last()];
                let seed = ends
                    .into_iter()
                    .flatten()
                    .fold(u64::from(depth), |hash, &it| value::mix(hash, u64::from(it)));
                let n_before = self.expanded.load(Relaxed) + self.inspected.load(Relaxed);
                if n_before >= FIRST && !seed.is_multiple_of(RARE) {
                    return None;
                }
                self.affordable()
            }
        }
    }

    fn chooses_initial(&self) -> Option<(u64, usize)> {
        // They are the same each time that someone asks for them.
        match self.mode {
            Audit::Off => None,
            _ if self.has_begun.swap(true, Relaxed) => None,
            Audit::Full => Some((FUEL, BEGINNING_FULL)),
            Audit::Sample => self.affordable().map(|it| (it, BEGINNING)),
        }
    }

    fn worker(&self) -> Box<dyn AuditWorker + '_> {
        Box::new(Comparing::new(self))
    }

    fn tallies(&self) -> Vec<u64> {
        [
            &self.expanded,
            &self.inspected,
            &self.labelled,
            &self.undecided,
            &self.n_mismatches,
        ]
        .map(|it| it.load(Relaxed))
        .into()
    }

    fn set_tallies(&self, sums: &[u64]) {
        let own = [
            &self.expanded,
            &self.inspected,
            &self.labelled,
            &self.undecided,
            &self.n_mismatches,
        ];
        for (own, &sum) in own.into_iter().zip(sums) {
            own.store(sum, Relaxed);
        }
    }
}
