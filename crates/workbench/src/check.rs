//! Checking a TLA+ model: search, verdict, counts, and the trace in words.

mod asked_for;
mod audit;
mod coverage;
mod described;
mod diagnostics;
mod each;
mod ending;
mod errors;
mod liveness;
mod periodic;
mod reference;
mod retell;
mod simulate;
pub mod storage;

use std::time::Duration;

use diag::Diagnostic;
use explore::{
    Engine, Here, Limits, Observer, Options, Outcome, Progress, Store, Verdict as Found, Violation,
    ViolationKind,
};
use tla_eval::audit::Spoilt;
use tla_eval::code::ProcId;
use tla_eval::compiled::{Compiled, Property};
use tla_eval::effects::Effects;
use tla_eval::explain::explain;
use tla_eval::model::TlaModel;
use tla_eval::plan::{Named, Plan};
use tla_eval::prepared::{Preparation, Slots};
use tla_eval::walk::WalkRequests;
use tla_eval::{ErrorKind, EvalError};
use tla_sema::{Model, Spec};
use trace::{Behaviour, State};
use value::{Arena, Owned};

use crate::replay::{End, Replay, replay, replay_refuted};
use crate::tla::TlaFile;
use crate::verdict::{Limit, ViolationKind as Kind};

use audit::{Adapt, Answered, Auditor};

pub(crate) use audit::Ledger;
pub(crate) use retell::{owned, sentence};

pub use asked_for::{Checked, Decided};
pub use audit::{Audit, AuditReport, Difference, Mismatch};
pub use coverage::{ActionSummary, DefinitionSummary};
pub use each::check_each;
pub use reference::check_reference;
pub use simulate::{Counting, SHRINK, Share, SimulateOptions, WalkReport, simulate};
pub use storage::Storage;

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
    /// Whether the parts of a variable may be kept one by one, which changes nothing but time and memory.
    pub slots: bool,
    /// Whether to choose these parts as badly as possible, which changes nothing either: for tests.
    pub hostile_layout: bool,
    /// Whether states that are the same up to the model's SYMMETRY are searched once.
    pub symmetry: bool,
    /// What of the fast path is made wrong, which must come to light: for tests of the audit.
    pub spoilt: Option<Spoilt>,
    /// Count how often each definition is evaluated; then nothing is remembered.
    pub coverage: bool,
    /// How much of what is found is found again, the plain way, and compared.
    pub audit: Audit,
    /// Whether everything holds where there is nothing to check, or no state to check it in.
    pub allow_empty: bool,
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
            slots: true,
            hostile_layout: false,
            symmetry: true,
            spoilt: None,
            coverage: false,
            audit: Audit::default(),
            allow_empty: false,
        }
    }
}

impl CheckOptions {
    fn preparation(&self) -> Preparation {
        Preparation {
            tables: self.tables,
            slots: match (self.slots, self.hostile_layout) {
                (false, _) => Slots::Whole,
                (true, false) => Slots::Parts,
                (true, true) => Slots::Hostile,
            },
            spoilt: self.spoilt,
        }
    }
}

/// The answer.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    pub verdict: Verdict,
    pub violation: Option<Violated>,
    /// Everything that was asked for, with what is known of it.
    pub checked: Vec<Checked>,
    /// The names of all properties that were found to be false, where the search went on.
    pub violated: Vec<String>,
    pub generated: u64,
    pub distinct: u64,
    pub depth: u32,
    /// The counterexample; the state that follows the last one is that of a lasso.
    pub trace: Behaviour<State>,
    /// Whether a second, plain evaluator confirms the trace.
    pub replay: Replay,
    /// The lasso repeats its last state for ever.
    pub stutters: bool,
    /// For each fairness condition, why the lasso meets it.
    pub fairness: Vec<String>,
    /// The last step of the trace as the module sees it whose property it violates: name, value before, value after.
    pub abstract_step: Vec<(String, String, String)>,
    /// Where the property fails.
    pub failure: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
    /// Why the property that is violated is false, in a line.
    pub why: Option<String>,
    /// How often each action was taken, and how many new states it found.
    pub actions: Vec<ActionSummary>,
    /// How often each definition was evaluated, when that was asked for.
    pub definitions: Vec<DefinitionSummary>,
    /// The counterexample as a specification can ask for it.
    pub counterexample: Option<Owned>,
    /// Random walks that were taken, where there was no search.
    pub walks: Option<u64>,
    /// What these walks say together.
    pub simulation: Option<WalkReport>,
    /// Bytes held at the end.
    pub memory: usize,
    /// Bytes in files at the end.
    pub disk: u64,
    /// The chance that a state was missed because another one has its hash; zero where states are kept whole.
    pub collision_probability: f64,
    /// How much of the search was audited.
    pub audit: AuditReport,
    /// Where the engine was caught in a mistake. The rest of the report is then that of a search without its fast path.
    pub mismatch: Option<Mismatch>,
    /// Which limit ended the search.
    pub limit: Option<Limit>,
    /// Of a conjunction of several rules, those in force, and those that are switched off.
    pub rules: (Vec<String>, Vec<String>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    Holds,
    Violated,
    /// The specification is wrong.
    Error,
    #[default]
    Unknown,
    /// We are wrong: the counterexample did not survive its replay.
    Internal,
}

#[derive(Clone, Debug)]
pub struct Violated {
    pub kind: Kind,
    pub name: String,
}

impl CheckReport {
    /// The variables of each state of the counterexample, whatever an alias shows of them.
    pub fn states(&self) -> Vec<Vec<(String, Owned)>> {
        let field = |of: &Owned, name: &str| match of {
            Owned::Record(fields) => fields
                .iter()
                .find(|it| it.0.as_str() == name)
                .map(|it| it.1.clone()),
            _ => None,
        };
        let numbered = self.counterexample.as_ref().and_then(|it| field(it, "state"));
        let Some(Owned::Set(numbered)) = numbered else {
            return vec![];
        };
        let mut states: Vec<(i64, Vec<(String, Owned)>)> = vec![];
        for item in numbered {
            if let Owned::Tuple(pair) = item
                && let [Owned::Int(number), Owned::Record(fields)] = &pair[..]
            {
                let fields = fields.iter().map(|(name, it)| (name.to_string(), it.clone()));
                states.push((*number, fields.collect()));
            }
        }
        states.sort_by_key(|it| it.0);
        states.into_iter().map(|it| it.1).collect()
    }

    /// A counterexample that is none is our mistake, and not an answer.
    pub(crate) fn replayed(&mut self, replay: Replay) {
        if let Replay::Refuted(what) = &replay {
            self.diagnostics.push(replay_refuted(what));
            self.verdict = Verdict::Internal;
            self.violation = None;
        }
        self.replay = replay;
    }
}

/// More workers than this are never made: each has an arena of its own.
pub(crate) const WORKERS_MAX: usize = 256;

/// Checks everything that the file's model asks for.
pub fn check(
    file: &TlaFile,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
) -> CheckReport {
    check_with(file, options, &Here, effects, observer)
}

/// As [`check`], with a search that a front end brings.
pub fn check_with(
    file: &TlaFile,
    options: &CheckOptions,
    engine: &impl Engine,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
) -> CheckReport {
    let ledger = Ledger::new(observer);
    checked(file, options, Run::new(effects, observer, &ledger), engine)
}

/// One check of many that are one answer: what audits take is noted in a common ledger.
pub(crate) fn check_one_of_many(file: &TlaFile, options: &CheckOptions, how: Run<'_>) -> CheckReport {
    checked(file, options, how, &Here)
}

fn checked(file: &TlaFile, options: &CheckOptions, how: Run<'_>, engine: &impl Engine) -> CheckReport {
    let first = check_once(file, options, how, engine);
    without_mistakes(first, options, engine.tells(), |options| {
        // From the beginning: what a checkpoint holds was found by the fast path, and is written in its terms.
        let storage = how.storage.filter(|it| it.is_store).map(|storage| Storage {
            checkpoints: None,
            ..storage
        });
        check_once(file, options, Run { storage, ..how }, &Here)
    })
}

fn check_once(file: &TlaFile, options: &CheckOptions, how: Run<'_>, engine: &impl Engine) -> CheckReport {
    run(
        file,
        options,
        how,
        |_| {},
        |checker, plan, report| {
            let may_be = match how.storage {
                Some(storage) => checker.may_be_stored(storage, report),
                None => true,
            };
            if may_be {
                checker.search(plan, engine, how.observer, report);
            }
        },
    )
}

/// A report that no audit contradicts: if one did, that of the same search `again` without the fast path of the engine. Of several
/// processes, one searches again, alone: the others know of the mistake, but they are over.
pub(crate) fn without_mistakes(
    first: CheckReport,
    options: &CheckOptions,
    tells: bool,
    again: impl FnOnce(&CheckOptions) -> CheckReport,
) -> CheckReport {
    let Some(mismatch) = first.mismatch else {
        return first;
    };
    let is_of_symmetry = mismatch.difference == Difference::Representative && options.symmetry;
    let has_another_way = options.tables || options.slots || is_of_symmetry;
    let mut report = match has_another_way && tells {
        true => again(&CheckOptions {
            tables: false,
            slots: false,
            symmetry: options.symmetry && !is_of_symmetry,
            ..*options
        }),
        false => CheckReport {
            verdict: Verdict::Internal,
            ..CheckReport::default()
        },
    };
    if report.mismatch.is_some() {
        report.verdict = Verdict::Internal;
    }
    let answer = match report.verdict {
        _ if !tells => Answered::Elsewhere,
        Verdict::Internal => Answered::Never,
        _ => Answered::Plainly,
    };
    report.diagnostics.insert(0, mismatch.diagnostic(answer));
    report.mismatch = Some(mismatch);
    report
}

/// As [`check_with`], with files for what does not fit into memory, or to go on from after an interruption.
pub fn check_stored(
    file: &TlaFile,
    options: &CheckOptions,
    storage: Storage<'_>,
    engine: &impl Engine,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
) -> CheckReport {
    let ledger = Ledger::new(observer);
    let how = Run {
        storage: Some(storage),
        ..Run::new(effects, observer, &ledger)
    };
    checked(file, options, how, engine)
}

/// What a run is given beside its model.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub effects: &'a (dyn Effects + Sync),
    pub observer: &'a dyn Observer,
    pub storage: Option<Storage<'a>>,
    pub ledger: &'a Ledger,
    /// What random walks are asked for; nothing where none are prepared.
    pub walks: Option<&'a WalkRequests>,
    /// Makes of what the model asks for what is asked in this run, for the audit; as a plan is adapted for the engine.
    pub asks: Adapt<'a>,
}

impl<'a> Run<'a> {
    /// One that asks for what the model asks for.
    pub fn new(effects: &'a (dyn Effects + Sync), observer: &'a dyn Observer, ledger: &'a Ledger) -> Run<'a> {
        Run {
            effects,
            observer,
            storage: None,
            ledger,
            walks: None,
            asks: &|_| {},
        }
    }
}

/// Makes the model of a plan that `adapt` may change, checks the assumptions, and lets `then` do the rest.
pub(crate) fn run(
    file: &TlaFile,
    options: &CheckOptions,
    Run {
        effects,
        observer,
        storage,
        ledger,
        walks,
        asks,
    }: Run<'_>,
    adapt: impl FnOnce(&mut Plan<'_>),
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
    report.rules = crate::rules::in_force(model.composition.as_ref());
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
    if !options.symmetry {
        plan.symmetry = None;
    }
    adapt(&mut plan);
    let auditing = (options.audit, options.workers.clamp(1, WORKERS_MAX));
    let auditor = Auditor::new((file, model), &plan, auditing, (observer, ledger), asks);
    let described = described::Described::new(effects, file, &plan);
    let effects: &(dyn Effects + Sync) = &described;
    let compiled = Compiled::new(&file.spec, &plan, &constants, effects);
    let audited: Option<&dyn tla_eval::audit::Auditor> = match options.audit {
        Audit::Off => None,
        Audit::Sample | Audit::Full => Some(&auditor),
    };
    let prepared = TlaModel::new(compiled, &mut arenas, options.preparation(), audited);
    let prepared = prepared.map(|mut it| {
        if let Some(requests) = walks {
            it.prepare_walks(requests);
        }
        it
    });
    let compiled = match &prepared {
        Ok(it) => it,
        Err(error) => {
            failed(file, error, &mut report);
            return report;
        }
    };
    if compiled.prepared.ignores_symmetry {
        report.diagnostics.push(no_symmetry(model));
    }
    let checker = Checker {
        file,
        model: compiled,
        options,
        storage,
        effects,
        auditor: &auditor,
    };
    if checker.assumptions(&mut report) {
        then(&checker, &plan, &mut report);
    }
    report.audit = auditor.report();
    report.mismatch = auditor.mismatch();
    let is_temporal = |name| plan.temporal_properties.iter().any(|it| it.name == name);
    asked_for::list_checked(file, checker.checks_deadlock(&plan), is_temporal, &mut report);
    report
}

pub(crate) fn false_assumption(span: source::Span) -> Diagnostic {
    Diagnostic::error("false-assumption", "an assumption is false in this model").at(span, "FALSE here")
}

pub(crate) fn unsupported_constant() -> Diagnostic {
    Diagnostic::error(
        "unsupported-constant",
        "a constant is given a value that cannot be computed with",
    )
}

fn no_symmetry(model: &Model) -> Diagnostic {
    let none = Diagnostic::warning(
        "no-symmetry",
        "SYMMETRY names no set of permutations of model values, so it is not used",
    )
    .hint("use `Permutations(S)` for a set S of model values");
    match &model.symmetry {
        Some(it) => none.at(it.span, "not a set of permutations"),
        None => none,
    }
}

/// Tells an error of an evaluation.
fn failed(file: &TlaFile, error: &EvalError, report: &mut CheckReport) {
    let mut wrong = explain(error, &file.spec);
    // In an algorithm nobody calls a label.
    wrong.secondary.retain(|it| {
        let called = it
            .text
            .strip_prefix("in `")
            .and_then(|it| it.strip_suffix("`, called here"));
        !called.is_some_and(|it| file.is_translation(it))
    });
    report.diagnostics.push(wrong);
    match &error.kind {
        ErrorKind::Interrupted => {
            report.verdict = Verdict::Unknown;
            report.limit = Some(Limit::Time);
        }
        ErrorKind::Assertion { message } => {
            report.verdict = Verdict::Violated;
            report.violation = Some(Violated {
                kind: Kind::Assertion,
                name: message.clone(),
            });
        }
        _ => report.verdict = Verdict::Error,
    }
}

pub(crate) struct Checker<'a, 'i> {
    pub file: &'a TlaFile,
    pub model: &'a TlaModel<'i>,
    pub options: &'a CheckOptions,
    pub storage: Option<Storage<'a>>,
    pub effects: &'a (dyn Effects + Sync),
    auditor: &'a Auditor<'a>,
}

impl Checker<'_, '_> {
    pub(crate) fn spec(&self) -> &Spec {
        &self.file.spec
    }

    /// Whether all assumptions hold; if not, the report says which does not.
    fn assumptions(&self, report: &mut CheckReport) -> bool {
        let mut worker = explore::Model::worker(self.model, 0);
        match self.model.check_assumptions(&mut worker) {
            Ok(None) => true,
            Ok(Some(index)) => {
                let proc = self.model.compiled.assumptions[index].proc;
                let at = self.model.compiled.program.procs[proc].body.at;
                let span = self.spec().exprs[at].span;
                report.verdict = Verdict::Violated;
                let named = self.own_assumptions().find(|it| it.body == Some(at));
                let name = named.and_then(|it| Some(it.name?.to_string()));
                report.violation = Some(Violated {
                    kind: Kind::Assumption,
                    name: name.unwrap_or_else(|| self.file.sources.location(span)),
                });
                report.diagnostics.push(false_assumption(span));
                false
            }
            Err(error) => {
                self.failed(&error, report);
                false
            }
        }
    }

    pub(crate) fn failed(&self, error: &EvalError, report: &mut CheckReport) {
        failed(self.file, error, report);
    }

    fn search(
        &self,
        plan: &Plan<'_>,
        engine: &impl Engine,
        observer: &dyn Observer,
        report: &mut CheckReport,
    ) {
        if plan.init.is_empty() && plan.next.is_empty() {
            return self.no_behaviour(report);
        }
        let periodic = periodic::Periodic::new(self, observer);
        let outcome = self.explore(plan, engine, &periodic);
        if self.auditor.mismatch().is_some() {
            report.verdict = Verdict::Internal;
            return;
        }
        if !engine.tells() {
            return self.conclude_elsewhere(&outcome, report);
        }
        report.generated = outcome.stats.generated;
        report.distinct = outcome.stats.distinct;
        report.depth = outcome.stats.depth;
        report.memory = outcome.stats.memory;
        report.disk = outcome.stats.disk;
        report.collision_probability = outcome.stats.collision_probability;
        report.actions = self.actions(&outcome.stats.actions);
        report.definitions = self.definitions();
        match outcome.verdict {
            Found::Holds => {
                report.verdict = Verdict::Holds;
                if outcome.stats.generated == 0 && !self.may_be_empty(plan, report) {
                    return;
                }
                self.liveness(plan, &outcome, observer, report);
            }
            // A specification that ends its own run has seen enough: what was searched is what it asked for.
            Found::Unknown(limit @ explore::Limit::Cancelled) if self.effects.exit_requested() => {
                report.verdict = Verdict::Holds;
                report.limit = Some(self.limit(limit));
            }
            Found::Unknown(explore::Limit::Decided) => self.liveness(plan, &outcome, observer, report),
            Found::Unknown(limit) => {
                report.verdict = Verdict::Unknown;
                report.limit = Some(self.limit(limit));
                self.disk_failed(outcome.failure.as_ref(), report);
            }
            Found::Violated => {
                report.violated = self.names(&outcome.violations);
                if let Some(violation) = outcome.violations.into_iter().next() {
                    self.violated(plan, violation, report);
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
        periodic.conclude(self, report);
        self.ending(report);
        self.never_taken(report);
    }

    /// Searches the state space.
    fn explore(&self, plan: &Plan<'_>, engine: &impl Engine, observer: &dyn Observer) -> Outcome {
        let options = Options {
            workers: self.options.workers.clamp(1, WORKERS_MAX),
            store: match self.storage {
                Some(storage) if storage.is_store => Store::Disk,
                _ if self.options.fingerprints => Store::Fingerprint,
                _ => Store::Exact,
            },
            disk: self.storage.map(|it| it.disk),
            checkpoints: self.storage.and_then(|it| it.checkpoints),
            spill_after: None,
            deadlock: self.checks_deadlock(plan),
            violations_max: if self.options.keep_going { usize::MAX } else { 1 },
            graph: !self.model.compiled.liveness.properties.is_empty(),
            halfway: Some(&self.halfway(observer)),
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
        engine.check(self.model, &options)
    }

    /// The verdict of a search that another process tells about.
    fn conclude_elsewhere(&self, outcome: &Outcome, report: &mut CheckReport) {
        report.generated = outcome.stats.generated;
        let kind = outcome.violations.first().map(|it| &it.kind);
        report.verdict = match outcome.verdict {
            Found::Holds => Verdict::Holds,
            Found::Violated if matches!(kind, Some(ViolationKind::Fault { .. })) => Verdict::Error,
            Found::Violated => Verdict::Violated,
            Found::Unknown(limit) => {
                report.limit = Some(self.limit(limit));
                Verdict::Unknown
            }
        };
        self.disk_failed(outcome.failure.as_ref(), report);
    }

    /// Without behaviours there are only assumptions and postconditions; without these, nothing.
    fn no_behaviour(&self, report: &mut CheckReport) {
        match nothing_checked(self.file, self.options) {
            None => {
                report.verdict = Verdict::Holds;
                self.ending(report);
            }
            Some(nothing) => {
                report.verdict = Verdict::Error;
                report.diagnostics.push(nothing);
            }
        }
    }

    /// Whether a model without any state is fine; if not, the report says so.
    fn may_be_empty(&self, plan: &Plan<'_>, report: &mut CheckReport) -> bool {
        let may_be = self.options.allow_empty;
        report.diagnostics.push(self.no_initial_state(plan, may_be));
        if !may_be {
            report.verdict = Verdict::Error;
        }
        may_be
    }

    pub(crate) fn no_initial_state(&self, plan: &Plan<'_>, may_be: bool) -> Diagnostic {
        let init = plan.init.first().map(|&it| self.spec().exprs[it].span);
        diagnostics::no_initial_state(init, may_be)
    }

    /// The properties that are violated.
    fn names(&self, violations: &[Violation]) -> Vec<String> {
        let name = |it: &Violation| match it.kind {
            ViolationKind::Property(number) => match self.model.compiled.properties.numbered(number) {
                Property::Invariant(it) | Property::Initial(it) | Property::Action(it) => {
                    Some(it.name.to_string())
                }
            },
            _ => None,
        };
        violations.iter().filter_map(name).collect()
    }

    /// Tells a violation, once the plain evaluator has had its say.
    pub(crate) fn violated(&self, plan: &Plan<'_>, violation: Violation, report: &mut CheckReport) {
        report.verdict = Verdict::Violated;
        report.trace.states = self.trace(&violation.trace, report);
        self.tell_statements(plan, &violation.trace, report);
        report.abstract_step = self.abstract_step(&violation);
        self.replay(plan, &violation, report);
        if report.verdict == Verdict::Internal {
            return;
        }
        match violation.kind {
            ViolationKind::Property(number) => {
                let (kind, check) = match self.model.compiled.properties.numbered(number) {
                    Property::Invariant(it) | Property::Initial(it) => (Kind::Invariant, it),
                    Property::Action(it) => (Kind::ActionProperty, it),
                };
                report.violation = Some(Violated {
                    kind,
                    name: check.name.to_string(),
                });
                report.why = self.why(check, &violation.trace, kind == Kind::ActionProperty);
            }
            ViolationKind::Deadlock => {
                report.violation = Some(Violated {
                    kind: Kind::Deadlock,
                    name: String::new(),
                });
                report.why = self.waiting(plan, &violation.trace, report);
            }
            ViolationKind::Fault { fault, .. } => match fault.0.downcast::<EvalError>() {
                Ok(error) => {
                    self.failed(&error, report);
                    if report.verdict == Verdict::Violated {
                        report.why = self.asserted(plan, &violation.trace, report);
                    }
                }
                Err(_) => report.verdict = Verdict::Error,
            },
        }
    }

    fn abstract_step(&self, violation: &Violation) -> Vec<(String, String, String)> {
        let (ViolationKind::Property(number), [.., before, after]) = (&violation.kind, &violation.trace[..])
        else {
            return vec![];
        };
        let mut worker = explore::Model::worker(self.model, 0);
        let mut seen = |step: &explore::Step| self.model.abstract_state(&mut worker, *number, &step.state);
        let (before, after) = (seen(before), seen(after));
        let pairs = before.into_iter().zip(after);
        pairs
            .map(|((name, before), (_, after))| (name.to_string(), before, after))
            .collect()
    }

    /// Lets the plain evaluator have its say.
    fn replay(&self, plan: &Plan<'_>, violation: &Violation, report: &mut CheckReport) {
        let end = match &violation.kind {
            ViolationKind::Deadlock => Some(End::Deadlock),
            ViolationKind::Fault { .. } => Some(End::Fault),
            ViolationKind::Property(number) => self.numbered(plan, *number),
        };
        let replay = match end {
            _ if violation.trace.is_empty() => Replay::Nothing,
            _ if !violation.is_complete => {
                Replay::NotReplayed("the same state did not have the same successors again".to_owned())
            }
            Some(end) => self.replay_trace(plan, &violation.trace, end),
            None => Replay::NotReplayed("it breaks no property that is known".to_owned()),
        };
        report.replayed(replay);
    }

    fn replay_lasso(&self, plan: &Plan<'_>, steps: &[explore::Step], end: End, report: &mut CheckReport) {
        report.replayed(self.replay_trace(plan, steps, end));
    }

    pub(crate) fn replay_trace(&self, plan: &Plan<'_>, steps: &[explore::Step], end: End) -> Replay {
        match (self.plain_states(steps), &self.file.model) {
            (Some(states), Some(model)) => replay(self.spec(), model, plan, &states, end),
            _ => Replay::NotReplayed("a state cannot be written out".to_owned()),
        }
    }

    /// The states of a trace as the plain evaluator has them.
    pub(crate) fn plain_states(&self, steps: &[explore::Step]) -> Option<Vec<tla_plain::State>> {
        let plain = |it: value::Value<'_>| {
            it.to_owned_value()
                .ok()
                .and_then(|it| tla_plain::Value::from_owned(&it).ok())
        };
        steps
            .iter()
            .map(|step| {
                let arena = Arena::new();
                let values = self.model.decode(&step.state, &arena);
                values.into_iter().map(plain).collect()
            })
            .collect()
    }

    /// What the model gave this number: its invariants, its action properties, its initial properties.
    fn numbered(&self, plan: &Plan<'_>, number: u32) -> Option<End> {
        let predicates = |it: &Named| End::State(it.name, it.expr);
        let invariants = plan.invariants.iter().map(predicates);
        let steps = plan
            .action_properties
            .iter()
            .map(|(it, rule)| End::Step(it.name, *rule));
        let initial = plan.initial_properties.iter().map(predicates);
        invariants.chain(steps).chain(initial).nth(number as usize)
    }

    pub(crate) fn action_name(&self, proc: ProcId) -> String {
        self.model.compiled.program.procs[proc].name.to_string()
    }

    fn action_location(&self, proc: ProcId) -> Option<String> {
        let def = self.model.compiled.program.procs.get(proc)?.def?;
        Some(self.file.location(self.spec().defs[def].span))
    }

    pub(crate) fn limit(&self, limit: explore::Limit) -> Limit {
        match limit {
            explore::Limit::Cancelled if self.effects.exit_requested() => Limit::Exit,
            other => other.into(),
        }
    }
}

/// A specification may end its own run.
pub(crate) struct Exiting<'a> {
    pub observer: &'a dyn Observer,
    pub effects: &'a (dyn Effects + Sync),
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

/// Of a model without behaviours: that nothing was checked, unless there is something else, or that is fine.
fn nothing_checked(file: &TlaFile, options: &CheckOptions) -> Option<Diagnostic> {
    let has_postconditions = file
        .model
        .as_ref()
        .is_some_and(|it| !it.postconditions.is_empty());
    let has_others = has_postconditions || asked_for::own_assumptions(&file.spec).next().is_some();
    let nothing = || diagnostics::nothing_to_check(file.spec.root().map(|it| it.name_span));
    (!options.allow_empty && !has_others).then(nothing)
}
