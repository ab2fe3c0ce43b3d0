//! Random walks through a model: a look at what is too large to be searched.
//!
//! The same seed gives the same walks. What holds on them holds on them, and that is all that is said; how often something happened on
//! them is said with the interval that its probability is likely to be in.

use explore::{Limits, Observer, Options, Progress, Sample, Simulation, Walks};
use tla_eval::effects::Effects;
use tla_eval::plan::Plan;
use tla_eval::walk::WalkRequests;
use tla_sema::ir::Level;

use super::periodic::Periodic;
use super::{
    CheckOptions, CheckReport, Checker, Exiting, Ledger, Run, Verdict, WORKERS_MAX, errors, run,
    without_mistakes,
};
use crate::overrides::{ExtraExpr, Overrides};
use crate::tla::TlaFile;

/// Which walks to take.
#[derive(Clone, Debug)]
pub struct SimulateOptions {
    /// How many; nothing for as many as there is time for.
    pub walks: Option<u64>,
    /// States on a walk, at most.
    pub depth: u32,
    pub seed: u64,
    /// How likely an action is beside others, which have 1.
    pub weights: Vec<(String, f64)>,
    /// States that may be generated to make the trace of a violation shorter; none to leave it as it is.
    pub shrink: u64,
    /// Whether to count how many different states the walks see, which takes some of the time.
    pub distinct: bool,
    /// Whether to walk until the time is over, and call that an answer.
    pub until_time: bool,
    /// Of these, what has a meaning without a search.
    pub check: CheckOptions,
}

impl Default for SimulateOptions {
    fn default() -> SimulateOptions {
        SimulateOptions {
            walks: Some(1000),
            depth: 100,
            seed: 0,
            weights: vec![],
            shrink: SHRINK,
            distinct: false,
            until_time: false,
            check: CheckOptions::default(),
        }
    }
}

/// A second or less of most models.
pub const SHRINK: u64 = 50_000;

/// What is counted on walks, as options.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    /// A predicate that walks may meet.
    pub goal: Option<String>,
    /// An expression whose values in the last states are counted.
    pub histogram: Option<String>,
}

impl Counting {
    /// Options that make definitions of the expressions.
    pub fn overrides(&self, overrides: Overrides) -> Overrides {
        let goal = self.goal.iter().map(|it| ExtraExpr::new("--goal", it));
        let histogram = self.histogram.iter().map(|it| ExtraExpr::new("--histogram", it));
        let extra = goal.chain(histogram).collect();
        Overrides { extra, ..overrides }
    }
}

/// What walks say together.
#[derive(Clone, Debug, Default)]
pub struct WalkReport {
    /// Walks that came to their own end: what shares are shares of.
    pub walks: u64,
    /// Those without a way on.
    pub stuck: u64,
    /// By length in states, how many walks have it.
    pub depths: Vec<(u32, u64)>,
    /// What walks ended with, where they go on after a violation: the property, or nothing for a deadlock.
    pub violations: Vec<(Option<String>, Share)>,
    /// Walks that met the goal,
    pub goal: Option<Share>,
    /// and by the number of states up to there, how many.
    pub goal_depths: Vec<(u32, u64)>,
    /// By value of the expression in the last state, how many walks ended so.
    pub histogram: Vec<(String, u64)>,
    /// About how many different states the walks saw.
    pub distinct: Option<u64>,
    /// States of the counterexample before it was made shorter.
    pub shrunk_from: Option<u32>,
}

/// Walks on which something happened, and the interval that its probability is in with a confidence of 95%.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    pub n: u64,
    pub of: u64,
    pub low: f64,
    pub high: f64,
}

impl Share {
    fn new(n: u64, of: u64) -> Share {
        let (low, high) = explore::confidence(n, of);
        Share { n, of, low, high }
    }
}

/// Takes random walks through the file's model until one of them violates something.
pub fn simulate(
    file: &TlaFile,
    options: &SimulateOptions,
    counting: &Counting,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
) -> CheckReport {
    let ledger = Ledger::new(observer);
    let walk = |check: &CheckOptions| {
        let options = SimulateOptions {
            check: *check,
            ..options.clone()
        };
        walked(file, &options, counting, effects, observer, &ledger)
    };
    without_mistakes(walk(&options.check), &options.check, true, walk)
}

fn walked(
    file: &TlaFile,
    options: &SimulateOptions,
    counting: &Counting,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
    ledger: &Ledger,
) -> CheckReport {
    let wrong = unfit(file, options, counting);
    if !wrong.is_empty() {
        return CheckReport {
            verdict: Verdict::Error,
            diagnostics: wrong,
            ..CheckReport::default()
        };
    }
    let mut initial = vec![];
    let extra: Vec<_> = file.requests.extra.iter().map(|it| it.def).collect();
    // As in TLC: walks often begin in chosen states, which need not be those of an abstract specification.
    let adapt = |plan: &mut Plan<'_>| {
        initial = std::mem::take(&mut plan.initial_properties);
        plan.extra.clone_from(&extra);
        // What a search takes for one state is several on a walk.
        (plan.view, plan.symmetry) = (None, None);
    };
    let n_goals = usize::from(counting.goal.is_some());
    let requests = WalkRequests {
        weights: options.weights.clone(),
        goal: counting.goal.as_ref().map(|_| 0),
        sample: counting.histogram.as_ref().map(|_| n_goals),
        hashes: options.distinct,
    };
    let how = Run {
        asks: &|problem| problem.initial_properties.clear(),
        // Without the fast path, all successors are listed and one of them is taken.
        walks: options.check.tables.then_some(&requests),
        ..Run::new(effects, observer, ledger)
    };
    // A state of a walk is not seen again: what is prepared for states that look alike would never pay.
    let check = CheckOptions {
        tables: false,
        slots: false,
        ..options.check
    };
    let mut report = run(file, &check, how, adapt, |checker, plan, report| {
        checker.walk(plan, options, counting, observer, report);
    });
    if !initial.is_empty() {
        report.diagnostics.push(errors::initial_not_checked(&initial));
    }
    report
}

/// What is wrong with the options.
fn unfit(file: &TlaFile, options: &SimulateOptions, counting: &Counting) -> Vec<diag::Diagnostic> {
    if file.has_errors() {
        return vec![];
    }
    let names = [
        counting.goal.as_ref().map(|_| "--goal"),
        counting.histogram.as_ref().map(|_| "--histogram"),
    ];
    let asked = names.into_iter().flatten().zip(&file.requests.extra);
    let mut wrong: Vec<diag::Diagnostic> = asked
        .filter(|(_, it)| crate::solve::level_of(&file.spec, it.def) > Level::State)
        .map(|(option, it)| crate::solve::too_high_a_level(option, Level::State, it.span))
        .collect();
    let mut known: Vec<&str> = file.spec.defs.iter().map(|(_, it)| it.name.as_str()).collect();
    known.sort_unstable();
    known.dedup();
    for (name, _) in &options.weights {
        if known.binary_search(&name.as_str()).is_err() {
            wrong.push(errors::no_such_action(name, &known));
        }
    }
    wrong
}

impl Checker<'_, '_> {
    fn walk(
        &self,
        plan: &Plan<'_>,
        wanted: &SimulateOptions,
        counting: &Counting,
        observer: &dyn Observer,
        report: &mut CheckReport,
    ) {
        let periodic = Periodic::new(self, observer);
        let exiting = Exiting {
            observer: &periodic,
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
            n_walks: wanted.walks,
            depth_max: wanted.depth,
            keep_going: self.options.keep_going,
        };
        let mut found = explore::simulate(self.model, &walks, &options);
        report.generated = found.generated;
        report.distinct = found.states;
        report.depth = found.depth;
        report.walks = Some(found.walks);
        report.definitions = self.definitions();
        report.simulation = Some(self.walk_report(&found, counting));
        report.actions = self.taken(&found);
        let violation = found.violation.take();
        match (violation, found.limit) {
            (Some((_, mut violation)), _) => {
                let length = violation.trace.len();
                self.shrink(&mut violation, wanted, &options);
                if let Some(simulation) = report
                    .simulation
                    .as_mut()
                    .filter(|_| violation.trace.len() < length)
                {
                    simulation.shrunk_from = Some(length as u32);
                }
                self.violated(plan, violation, report);
            }
            // A specification that ends its own simulation has seen enough, and so has one that walks until the time is over.
            (None, Some(_)) if self.effects.exit_requested() => report.verdict = Verdict::Holds,
            (None, Some(explore::Limit::Time)) if wanted.until_time => report.verdict = Verdict::Holds,
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
        periodic.at_the_end();
        periodic.conclude(self, report);
        self.ending(report);
        if !plan.temporal_properties.is_empty() {
            report
                .diagnostics
                .push(errors::walks_are_finite(&plan.temporal_properties));
        }
    }

    /// Makes the way to a violation shorter, where looking around it is no effect that anybody could see.
    fn shrink(&self, violation: &mut explore::Violation, wanted: &SimulateOptions, options: &Options<'_>) {
        if wanted.shrink == 0 || !violation.is_complete || !explore::Model::is_repeatable(self.model) {
            return;
        }
        // The time of the walks is over, perhaps: this takes a moment only.
        let limits = Limits::default();
        let options = Options { limits, ..*options };
        let mut worker = explore::Model::worker(self.model, 0);
        explore::shrink(self.model, &mut worker, violation, wanted.shrink, &options);
    }

    fn taken(&self, found: &Simulation) -> Vec<super::ActionSummary> {
        let mut counts = vec![];
        for (&action, &taken) in &found.statistics.actions {
            let index = action as usize;
            if counts.len() <= index {
                counts.resize(index + 1, explore::ActionCount::default());
            }
            counts[index].taken += taken;
        }
        self.actions(&counts)
    }

    fn walk_report(&self, found: &Simulation, counting: &Counting) -> WalkReport {
        let statistics = &found.statistics;
        let of = statistics.walks();
        let pairs = |it: &std::collections::BTreeMap<u32, u64>| it.iter().map(|(&at, &n)| (at, n)).collect();
        let name = |property: u32| {
            use tla_eval::compiled::Property::{Action, Initial, Invariant};
            let (Invariant(it) | Action(it) | Initial(it)) =
                self.model.compiled.properties.numbered(property);
            it.name.to_string()
        };
        let shown = |it: &Sample| match it {
            Sample::Int(it) => it.to_string(),
            Sample::Text(it) => it.clone(),
        };
        let met = statistics.goals.values().sum();
        WalkReport {
            walks: of,
            stuck: statistics.stuck,
            depths: pairs(&statistics.depths),
            violations: match self.options.keep_going {
                true => statistics
                    .violated
                    .iter()
                    .map(|(property, &n)| (property.map(name), Share::new(n, of)))
                    .collect(),
                false => vec![],
            },
            goal: counting.goal.as_ref().map(|_| Share::new(met, of)),
            goal_depths: pairs(&statistics.goals),
            histogram: statistics.samples.iter().map(|(it, &n)| (shown(it), n)).collect(),
            distinct: statistics.distinct(),
            shrunk_from: None,
        }
    }
}
