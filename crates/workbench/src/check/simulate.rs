//! Random walks through a model: a look at what is too large to be searched.
//!
//! The same seed gives the same walks. What holds on them holds on them, and that is all that is said.

use explore::{Limits, Observer, Options, Progress, Walks};
use tla_eval::effects::Effects;
use tla_eval::plan::Plan;

use super::{
    CheckOptions, CheckReport, Checker, Exiting, Ledger, Run, Verdict, WORKERS_MAX, errors, run,
    without_mistakes,
};
use crate::tla::TlaFile;

/// Which walks to take.
#[derive(Clone, Copy, Debug)]
pub struct SimulateOptions {
    pub walks: u64,
    /// States on a walk, at most.
    pub depth: u32,
    pub seed: u64,
    /// Of these, what has a meaning without a search.
    pub check: CheckOptions,
}

/// Takes random walks through the file's model until one of them violates something.
pub fn simulate(
    file: &TlaFile,
    options: &SimulateOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
) -> CheckReport {
    let ledger = Ledger::new(observer);
    let first = walked(file, options, effects, observer, &ledger);
    without_mistakes(first, &options.check, true, |check| {
        let check = *check;
        walked(
            file,
            &SimulateOptions { check, ..*options },
            effects,
            observer,
            &ledger,
        )
    })
}

fn walked(
    file: &TlaFile,
    options: &SimulateOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
    ledger: &Ledger,
) -> CheckReport {
    let mut initial = vec![];
    // As in TLC: walks often begin in chosen states, which need not be those of an abstract specification.
    let adapt = |plan: &mut Plan<'_>| initial = std::mem::take(&mut plan.initial_properties);
    let how = Run {
        asks: &|problem| problem.initial_properties.clear(),
        ..Run::new(effects, observer, ledger)
    };
    let mut report = run(file, &options.check, how, adapt, |checker, plan, report| {
        checker.walk(plan, options, observer, report);
    });
    if !initial.is_empty() {
        report.diagnostics.push(errors::initial_not_checked(&initial));
    }
    report
}

impl Checker<'_, '_> {
    fn walk(
        &self,
        plan: &Plan<'_>,
        wanted: &SimulateOptions,
        observer: &dyn Observer,
        report: &mut CheckReport,
    ) {
        let exiting = Exiting {
            observer,
            effects: self.effects,
        };
        let options = Options {
            workers: self.options.workers.clamp(1, WORKERS_MAX),
            deadlock: self.options.deadlock.unwrap_or(plan.check_deadlock) && !plan.next.is_empty(),
            limits: Limits {
                memory: self.options.memory,
                time: self.options.time,
                ..Limits::default()
            },
            observer: &exiting,
            ..Options::default()
        };
        let walks = Walks {
            seed: wanted.seed,
            n_walks: Some(wanted.walks),
            depth_max: wanted.depth,
        };
        let found = explore::simulate(self.model, &walks, &options);
        report.generated = found.generated;
        report.distinct = found.states;
        report.depth = found.depth;
        report.walks = Some(found.walks);
        report.definitions = self.definitions();
        match (found.violation, found.limit) {
            (Some((_, violation)), _) => self.violated(plan, violation, report),
            // A specification that ends its own simulation has seen enough.
            (None, Some(_)) if self.effects.exit_requested() => report.verdict = Verdict::Holds,
            (None, Some(limit)) => {
                report.verdict = Verdict::Unknown;
                report.limit = Some(self.limit(limit));
            }
            (None, None) => report.verdict = Verdict::Holds,
        }
        observer.progress(&Progress {
            generated: report.generated,
            distinct: report.distinct,
            depth: report.depth,
            walks: found.walks,
            ..Progress::default()
        });
        self.ending(report);
        if !plan.temporal_properties.is_empty() {
            report
                .diagnostics
                .push(errors::walks_are_finite(&plan.temporal_properties));
        }
    }
}
