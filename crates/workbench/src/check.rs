//! Checking a TLA+ model: search, verdict, counts, and the trace in words.

mod coverage;
mod ending;
mod errors;
mod retell;
mod simulate;

use std::time::Duration;

use diag::Diagnostic;
use explore::{Limits, Observer, Options, Progress, Store, Verdict as Found, Violation, ViolationKind};
use tla_eval::effects::Effects;
use tla_eval::explain::explain;
use tla_eval::model::{Property, TlaModel};
use tla_eval::plan::{Named, Plan};
use tla_eval::{ErrorKind, EvalError};
use tla_sema::Spec;
use value::Arena;

use crate::tla::TlaFile;

pub use coverage::{ActionSummary, DefinitionSummary};
pub use simulate::{SimulateOptions, simulate};

/// How to check.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions {
    pub workers: usize,
    pub fingerprints: bool,
    /// `Some(false)` switches the check for deadlocks off, whatever the model says.
    pub deadlock: Option<bool>,
    pub keep_going: bool,
    pub memory: Option<usize>,
    pub states_max: Option<u64>,
    pub depth_max: Option<u32>,
    pub time: Option<Duration>,
    /// Whether to remember what formulas did, which changes nothing but the time.
    pub tables: bool,
    /// Count how often each definition is evaluated; then nothing is remembered.
    pub coverage: bool,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            workers: 1,
            fingerprints: false,
            deadlock: None,
            keep_going: false,
            memory: None,
            states_max: None,
            depth_max: None,
            time: None,
            tables: true,
            coverage: false,
        }
    }
}

/// The answer.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    pub verdict: Verdict,
    pub violation: Option<Violated>,
    pub generated: u64,
    pub distinct: u64,
    pub depth: u32,
    pub trace: Vec<TraceState>,
    /// The state that follows the last one, in a lasso.
    pub loop_to: Option<usize>,
    pub diagnostics: Vec<Diagnostic>,
    /// Why the property that is violated is false, in a line.
    pub why: Option<String>,
    /// How often each action was taken, and how many new states it found.
    pub actions: Vec<ActionSummary>,
    /// How often each definition was evaluated, when that was asked for.
    pub definitions: Vec<DefinitionSummary>,
    /// Random walks that were taken, where there was no search.
    pub walks: Option<u64>,
    /// Bytes held at the end.
    pub memory: usize,
    /// Which limit ended the search.
    pub limit: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    Holds,
    Violated,
    /// The specification is wrong.
    Error,
    #[default]
    Unknown,
}

#[derive(Clone, Debug)]
pub struct Violated {
    /// `invariant`, `deadlock`, `action-property`, `assumption`, `assertion`, `postcondition`, `liveness`.
    pub kind: &'static str,
    pub name: String,
}

/// A state of a trace.
#[derive(Clone, Debug)]
pub struct TraceState {
    /// The definition that names the step to this state.
    pub action: String,
    /// Its parameters and bound names in this step, as TLA+ text.
    pub parameters: Vec<(String, String)>,
    pub location: Option<String>,
    /// Name and value, as TLA+ text: of the variables, or of what the model's alias shows instead.
    pub variables: Vec<(String, String)>,
}

/// More workers than this are never made: each has an arena of its own.
const WORKERS_MAX: usize = 256;

/// Checks everything that the file's model asks for.
pub fn check(
    file: &TlaFile,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
) -> CheckReport {
    run(file, options, effects, |checker, plan, report| {
        checker.search(plan, observer, report);
        if report.verdict == Verdict::Holds && !plan.temporal_properties.is_empty() {
            report.verdict = Verdict::Unknown;
            report.limit = Some("temporal properties");
            report
                .diagnostics
                .push(temporal_property(&plan.temporal_properties));
        }
    })
}

/// Makes the model, checks the assumptions, and lets `then` do the rest.
fn run(
    file: &TlaFile,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    then: impl FnOnce(&Checker<'_, '_>, &Plan<'_>, &mut CheckReport),
) -> CheckReport {
    let mut report = CheckReport {
        diagnostics: file.diagnostics.clone(),
        ..CheckReport::default()
    };
    let Some(model) = file.model.as_ref().filter(|_| !file.has_errors()) else {
        report.verdict = Verdict::Error;
        return report;
    };
    let constants = Arena::new();
    let mut arenas: Vec<Arena> = (0..options.workers.clamp(1, WORKERS_MAX) + 2)
        .map(|_| Arena::new())
        .collect();
    let mut plan = match Plan::new(&file.spec, model, &constants) {
        Ok(plan) => plan,
        Err(_) => {
            report.diagnostics.push(unsupported_constant());
            report.verdict = Verdict::Error;
            return report;
        }
    };
    plan.coverage = options.coverage;
    let mut compiled = TlaModel::new(&file.spec, &plan, &constants, &mut arenas, effects);
    // What is remembered is not evaluated, and so neither counted nor seen.
    compiled.use_tables = options.tables && !options.coverage && !compiled.possible.has_steps;
    let prepared = compiled.prepare();
    let checker = Checker {
        file,
        model: &compiled,
        options,
        effects,
    };
    match prepared {
        Ok(true) => {}
        Ok(false) => report.diagnostics.push(no_symmetry()),
        Err(error) => {
            checker.failed(&error, &mut report);
            return report;
        }
    }
    if checker.assumptions(&mut report) {
        then(&checker, &plan, &mut report);
    }
    file.point_at_options(&mut report.diagnostics);
    report
}

fn unsupported_constant() -> Diagnostic {
    Diagnostic::error(
        "unsupported-constant",
        "a constant is given a value that cannot be computed with",
    )
}

fn no_symmetry() -> Diagnostic {
    Diagnostic::warning(
        "no-symmetry",
        "SYMMETRY names no set of permutations of model values, so it is not used",
    )
    .hint("use `Permutations(S)` for a set S of model values")
}

fn temporal_property(properties: &[Named]) -> Diagnostic {
    let names = properties
        .iter()
        .map(|it| format!("`{}`", it.name))
        .collect::<Vec<_>>()
        .join(", ");
    Diagnostic::warning(
        "temporal-property",
        format!("{names}: what a property says of infinite behaviours is not checked"),
    )
    .hint("only the safety part was checked: initial predicates, invariants and steps")
}

struct Checker<'a, 'i> {
    file: &'a TlaFile,
    model: &'a TlaModel<'i>,
    options: &'a CheckOptions,
    effects: &'a (dyn Effects + Sync),
}

impl Checker<'_, '_> {
    fn spec(&self) -> &Spec {
        &self.file.spec
    }

    /// Whether all assumptions hold; if not, the report says which does not.
    fn assumptions(&self, report: &mut CheckReport) -> bool {
        let mut worker = explore::Model::worker(self.model, 0);
        match self.model.check_assumptions(&mut worker) {
            Ok(None) => true,
            Ok(Some(index)) => {
                let proc = self.model.assumptions[index].proc;
                let at = self.model.program.procs[proc as usize].body.at;
                let span = self.spec().exprs[at].span;
                report.verdict = Verdict::Violated;
                report.violation = Some(Violated {
                    kind: "assumption",
                    name: self.file.sources.location(span),
                });
                report.diagnostics.push(
                    Diagnostic::error("false-assumption", "an assumption is false in this model")
                        .at(span, "FALSE here"),
                );
                false
            }
            Err(error) => {
                self.failed(&error, report);
                false
            }
        }
    }

    fn failed(&self, error: &EvalError, report: &mut CheckReport) {
        report.diagnostics.push(explain(error, self.spec()));
        match &error.kind {
            ErrorKind::Assertion { message } => {
                report.verdict = Verdict::Violated;
                report.violation = Some(Violated {
                    kind: "assertion",
                    name: message.clone(),
                });
            }
            _ => report.verdict = Verdict::Error,
        }
    }

    fn search(&self, plan: &Plan<'_>, observer: &dyn Observer, report: &mut CheckReport) {
        if plan.init.is_empty() && plan.next.is_empty() {
            report.verdict = Verdict::Holds;
            return;
        }
        let options = Options {
            workers: self.options.workers.clamp(1, WORKERS_MAX),
            store: if self.options.fingerprints {
                Store::Fingerprint
            } else {
                Store::Exact
            },
            deadlock: self.options.deadlock.unwrap_or(plan.check_deadlock) && !plan.next.is_empty(),
            violations_max: if self.options.keep_going { usize::MAX } else { 1 },
            limits: Limits {
                memory: self.options.memory,
                states: self.options.states_max,
                depth: self.options.depth_max,
                time: self.options.time,
            },
            observer: &Exiting {
                observer,
                effects: self.effects,
            },
        };
        let outcome = explore::check(self.model, &options);
        report.generated = outcome.stats.generated;
        report.distinct = outcome.stats.distinct;
        report.depth = outcome.stats.depth;
        report.memory = outcome.stats.memory;
        report.actions = self.actions(&outcome.stats.actions);
        report.definitions = self.definitions();
        match outcome.verdict {
            Found::Holds => report.verdict = Verdict::Holds,
            Found::Unknown(limit) => {
                report.verdict = Verdict::Unknown;
                report.limit = Some(self.limit_name(limit));
            }
            Found::Violated => {
                if let Some(violation) = outcome.violations.into_iter().next() {
                    self.violated(violation, report);
                }
            }
        }
        observer.progress(&Progress {
            generated: report.generated,
            distinct: report.distinct,
            queue: outcome.stats.queue,
            depth: report.depth,
            memory: report.memory,
            walks: 0,
        });
        self.ending(report);
        self.never_taken(report);
    }

    fn violated(&self, violation: Violation, report: &mut CheckReport) {
        report.verdict = Verdict::Violated;
        match violation.kind {
            ViolationKind::Property(number) => {
                let (kind, check) = match self.model.property(number) {
                    Property::Invariant(it) | Property::Initial(it) => ("invariant", it),
                    Property::Action(it) => ("action-property", it),
                };
                report.violation = Some(Violated {
                    kind,
                    name: check.name.to_string(),
                });
                report.why = self.why(check, &violation.trace, kind == "action-property");
            }
            ViolationKind::Deadlock => {
                report.violation = Some(Violated {
                    kind: "deadlock",
                    name: String::new(),
                });
            }
            ViolationKind::Fault { fault, .. } => match fault.0.downcast::<EvalError>() {
                Ok(error) => self.failed(&error, report),
                Err(_) => report.verdict = Verdict::Error,
            },
        }
        report.trace = self.trace(&violation.trace, report);
    }

    fn action_name(&self, proc: u32) -> String {
        self.file.shown_name(self.model.program.procs[proc as usize].name)
    }

    fn action_location(&self, proc: u32) -> Option<String> {
        let def = self.model.program.procs.get(proc as usize)?.def?;
        Some(self.file.location(self.spec().defs[def].span))
    }

    fn limit_name(&self, limit: explore::Limit) -> &'static str {
        match limit {
            explore::Limit::Memory => "memory",
            explore::Limit::States => "states",
            explore::Limit::Depth => "depth",
            explore::Limit::Time => "time",
            explore::Limit::Cancelled if self.effects.exit_requested() => "`TLCSet(\"exit\", TRUE)`",
            explore::Limit::Cancelled => "interrupted",
        }
    }
}

/// A specification may end its own run.
struct Exiting<'a> {
    observer: &'a dyn Observer,
    effects: &'a (dyn Effects + Sync),
}

impl Observer for Exiting<'_> {
    fn elapsed(&self) -> Duration {
        self.observer.elapsed()
    }

    fn cancelled(&self) -> bool {
        self.observer.cancelled() || self.effects.exit_requested()
    }

    fn progress(&self, progress: &Progress) {
        self.observer.progress(progress);
    }
}
