//! An audit while a search runs: some of what the engine says is found again by the plain evaluator, and compared.
//!
//! The engine is fast because it does not evaluate: it remembers what formulas did, keeps parts of values as numbers, takes
//! formulas apart. `tla-plain` has none of this. A state is chosen by its hash; its steps in their order (not
//! what they are called), what they and the state break, what stands for it in the visited set: all of it must come out the same. A difference is our mistake.
//! It ends the search, which begins anew without the fast path.
//!
//! A sample takes a bounded share of the time, by the observer's clock. What the plain evaluator cannot say (because chance, files or
//! registers decide, or because it would take too long) is counted, not guessed. So is an error of the engine that it does not share:
//! what has to be evaluated at all depends on which sets are listed and in which order, and whoever is told of an error looks at it.

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use diag::Diagnostic;
use explore::{Fault, Inspection, Observer, Portable, Sink};
use tla_eval::model::{Property, TlaModel, Worker};
use tla_eval::{ErrorKind, EvalError};
use tla_plain::{Error, Interpreter, Problem, State};
use tla_sema::{Model, Spec};
use value::{Arena, Text};

use crate::tla::TlaFile;

/// How much of a search is evaluated a second time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
    /// States that the plain evaluator could say nothing about.
    pub undecided: u64,
}

/// Where the engine and the plain evaluator differ.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Name and value of each variable.
    pub state: Vec<(String, String)>,
    pub level: u32,
    /// What the engine says.
    pub engine: String,
    /// What the plain evaluator says.
    pub plain: String,
}

impl Mismatch {
    /// `is_decided` when a search without the fast path came to an answer.
    pub(super) fn diagnostic(&self, is_decided: bool) -> Diagnostic {
        let state: Vec<String> = self
            .state
            .iter()
            .map(|(name, it)| format!("{name} = {it}"))
            .collect();
        let found = Diagnostic::error(
            "audit-mismatch",
            "the audit found a bug of babbage: two evaluations of one state differ",
        )
        .note(format!("the state: {}", state.join(" /\\ ")))
        .note(format!("the engine: {}", self.engine))
        .note(format!("the plain evaluator: {}", self.plain))
        .hint("please report it, with the file that was written");
        match is_decided {
            true => found.note("the answer below was found without the fast path of the engine"),
            false => found.note("there is no answer that could be believed"),
        }
    }

    /// Everything that is needed to see the difference again, in one text.
    pub fn document(&self, file: &TlaFile) -> String {
        let mut text = String::from("# Two evaluations of one state differ\n\n## The state\n\n");
        text += &format!("Level {}.\n\n```tla\n", self.level);
        for (name, value) in &self.state {
            text += &format!("/\\ {name} = {value}\n");
        }
        text += &format!(
            "```\n\n- the engine: {}\n- the plain evaluator: {}\n",
            self.engine, self.plain
        );
        for source in file.sources.files() {
            text += &format!(
                "\n## {}\n\n```\n{}\n```\n",
                source.name(),
                source.text().trim_end()
            );
        }
        text
    }
}

/// One state in so many is looked at, and then the clock decides whether there is time for it: asking the clock takes time too.
const RARE: u64 = 32;
/// Before that, so many are, one after the other.
const FIRST: u64 = 64;
/// Of the time of all workers, how many thousandths a sample may take.
const SHARE: u64 = 25;
/// What a sample may always take, in nanoseconds: a small model is audited whole.
const FREE: u64 = 500_000;
/// Nanoseconds that a step of the plain evaluator takes, at most.
const STEP: u64 = 250;
/// Steps of the plain evaluator for one state in a full audit.
const FUEL: u64 = 50_000_000;

/// What all workers of an audited search share.
pub(super) struct Auditor<'a> {
    spec: &'a Spec,
    model: Model,
    mode: Audit,
    observer: &'a dyn Observer,
    workers: u64,
    /// Nanoseconds that audits have taken.
    spent: AtomicU64,
    /// Steps of the plain evaluator below which there is no use in trying: half of this was not enough before.
    least: AtomicU64,
    expanded: AtomicU64,
    inspected: AtomicU64,
    undecided: AtomicU64,
    mismatch: Mutex<Option<Mismatch>>,
}

impl<'a> Auditor<'a> {
    pub fn new(
        file: &'a TlaFile,
        model: &Model,
        mode: Audit,
        workers: usize,
        observer: &'a dyn Observer,
    ) -> Self {
        Auditor {
            spec: &file.spec,
            model: model.clone(),
            mode,
            observer,
            workers: workers as u64,
            spent: AtomicU64::new(0),
            least: AtomicU64::new(1),
            expanded: AtomicU64::new(0),
            inspected: AtomicU64::new(0),
            undecided: AtomicU64::new(0),
            mismatch: Mutex::new(None),
        }
    }

    pub fn report(&self) -> AuditReport {
        AuditReport {
            expanded: self.expanded.load(Relaxed),
            inspected: self.inspected.load(Relaxed),
            undecided: self.undecided.load(Relaxed),
        }
    }

    pub fn mismatch(&self) -> Option<Mismatch> {
        self.mismatch.lock().unwrap_or_else(|it| it.into_inner()).clone()
    }

    /// Steps that may be spent on a state; nothing when it is not to be looked at.
    fn fuel(&self, state: &[u32], depth: u32) -> Option<u64> {
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
                let elapsed = self.observer.elapsed().as_nanos() as u64;
                let may = elapsed / 1000 * SHARE * self.workers + FREE;
                let left = may.checked_sub(self.spent.load(Relaxed))?;
                let steps = (left / STEP).min(FUEL);
                (steps >= self.least.load(Relaxed)).then_some(steps)
            }
        }
    }

    /// Does an audit, and notes what it took.
    fn timed<T>(&self, run: impl FnOnce() -> T) -> T {
        let before = self.observer.elapsed();
        let result = run();
        let took = self.observer.elapsed().saturating_sub(before);
        self.spent.fetch_add(took.as_nanos() as u64, Relaxed);
        result
    }

    fn differ(&self, mismatch: Mismatch) -> Fault {
        self.mismatch
            .lock()
            .unwrap_or_else(|it| it.into_inner())
            .get_or_insert(mismatch);
        Fault::new(Differ)
    }
}

/// In the place of an error: the search is not to go on.
pub(super) struct Differ;

/// A model that is audited while it is searched.
pub(super) struct Audited<'a, 'i> {
    pub model: &'a TlaModel<'i>,
    pub auditor: &'a Auditor<'a>,
}

pub(super) struct AuditedWorker<'m, 'i> {
    inner: Worker<'m, 'i>,
    auditor: &'m Auditor<'m>,
    /// Made when it is first needed.
    plain: OnceCell<Option<(Interpreter<'m>, Problem)>>,
}

impl<'m> AuditedWorker<'m, '_> {
    /// The plain evaluator; nothing when it does not understand the model.
    fn plain(&self) -> Option<&(Interpreter<'m>, Problem)> {
        let Auditor { spec, model, .. } = self.auditor;
        let made = self.plain.get_or_init(|| {
            let plain = Interpreter::for_model(spec, model);
            let problem = plain.problem(model).ok()?;
            Some((plain, problem))
        });
        made.as_ref()
    }
}

/// What the engine said of one step.
struct Event {
    /// Empty for one that is excluded.
    target: Vec<u32>,
    key: Option<Vec<u32>>,
    is_excluded: bool,
    violated: Option<u32>,
    /// The search wanted no more before it was asked what the step breaks.
    is_unjudged: bool,
}

/// Passes everything on, and remembers it.
struct Recorder<'r> {
    sink: &'r mut dyn Sink,
    events: Vec<Event>,
    /// The search wanted no more.
    is_cut: bool,
}

/// All that the engine said of the steps of a state.
struct Said<'s> {
    events: Vec<Event>,
    is_cut: bool,
    error: Option<&'s EvalError>,
}

impl Recorder<'_> {
    fn passed(&mut self, flow: ControlFlow<()>) -> ControlFlow<()> {
        self.is_cut |= flow.is_break();
        if let Some(last) = self.events.last_mut() {
            last.is_unjudged = flow.is_break() && last.violated.is_none();
        }
        flow
    }
}

impl Sink for Recorder<'_> {
    fn needs_hash(&self) -> bool {
        self.sink.needs_hash()
    }

    fn emit(&mut self, state: &[u32], hash: u64, key: Option<(&[u32], u64)>, action: u32) -> ControlFlow<()> {
        self.events.push(Event {
            target: state.to_vec(),
            key: key.map(|it| it.0.to_vec()),
            is_excluded: false,
            violated: None,
            is_unjudged: false,
        });
        let flow = self.sink.emit(state, hash, key, action);
        self.passed(flow)
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        self.events.push(Event {
            target: vec![],
            key: None,
            is_excluded: true,
            violated: None,
            is_unjudged: false,
        });
        let flow = self.sink.exclude(action);
        self.passed(flow)
    }

    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()> {
        if let Some(last) = self.events.last_mut() {
            last.violated = Some(property);
        }
        let flow = self.sink.violation(property, state);
        self.passed(flow)
    }

    fn wants_marks(&self) -> bool {
        self.sink.wants_marks()
    }

    fn mark_step(&mut self, marks: &[u64]) {
        self.sink.mark_step(marks);
    }

    fn mark_state(&mut self, marks: &[u64]) {
        self.sink.mark_state(marks);
    }
}

/// Why a comparison ends early.
enum Odd {
    /// They differ: what the engine says, and what the plain evaluator says.
    Differ(String, String),
    /// The plain evaluator cannot say.
    Undecided,
    /// It would take longer than there is time for.
    TooLong,
}

type Compared = Result<(), Odd>;

fn differ<T>(engine: impl Into<String>, plain: impl Into<String>) -> Result<T, Odd> {
    Err(Odd::Differ(engine.into(), plain.into()))
}

impl<'i> Audited<'_, 'i> {
    /// A state as the plain evaluator has it.
    fn plain_state(&self, state: &[u32]) -> Result<State, Odd> {
        let arena = Arena::new();
        plain_values(self.model.decode(state, &arena))
    }

    fn compare_steps(
        &self,
        (plain, problem): &(Interpreter<'_>, Problem),
        (state, depth): (&[u32], u32),
        said: &Said<'_>,
    ) -> Compared {
        let from = self.plain_state(state)?;
        let Said { events, is_cut, .. } = said;
        let steps = match (plain.judged_steps(problem, &from, depth), said.error) {
            (Ok(steps), None) => steps,
            (Ok(_), Some(_)) => return Err(Odd::Undecided),
            (Err(error), failed) => return compare_error(error, failed.is_some() || *is_cut),
        };
        if events.len() > steps.len() || !*is_cut && events.len() < steps.len() {
            return differ(n_steps(events.len()), n_steps(steps.len()));
        }
        for (event, step) in events.iter().zip(&steps) {
            if event.is_excluded == step.is_inside {
                return differ(excluded(event.is_excluded), excluded(!step.is_inside));
            }
            if !event.is_excluded {
                self.compare_target(event, &step.state, (plain, depth))?;
            }
            if !event.is_unjudged {
                compare_names(
                    event.violated.map(|it| self.property_name(it)),
                    step.violated.map(|it| it.to_string()),
                )?;
            }
        }
        Ok(())
    }

    fn compare_target(
        &self,
        event: &Event,
        expected: &State,
        (plain, depth): (&Interpreter<'_>, u32),
    ) -> Compared {
        let target = self.plain_state(&event.target)?;
        if !are_same(&target, expected) {
            return differ(self.text(&target), self.text(expected));
        }
        let Some(key) = &event.key else { return Ok(()) };
        let arena = Arena::new();
        let key = plain_values(self.model.decode_key(key, &arena))?;
        let seen = match &self.auditor.model.view {
            None => target,
            Some(view) => match plain.value_at(view.expr, &target, depth + 1) {
                Ok(value) => vec![value],
                Err(error) => return compare_error(error, false),
            },
        };
        if are_same(&key, &seen) {
            return Ok(());
        }
        for permutation in self.model.permutations() {
            if are_same(&key, &permuted(&seen, permutation.moved())?) {
                return Ok(());
            }
        }
        differ(
            format!("{} stands for it", self.text(&key)),
            "that is no image of it",
        )
    }

    fn property_name(&self, number: u32) -> String {
        let (Property::Invariant(it) | Property::Action(it) | Property::Initial(it)) =
            self.model.property(number);
        it.name.to_string()
    }

    fn text(&self, state: &State) -> String {
        let names = self.model.program.variables.iter();
        let values: Vec<String> = names
            .zip(state)
            .map(|(name, it)| format!("{name} = {it}"))
            .collect();
        values.join(" /\\ ")
    }

    /// What comes of a comparison.
    fn concluded(
        &self,
        compared: Compared,
        (state, depth): (&[u32], u32),
        fuel: u64,
        count: &AtomicU64,
    ) -> Result<(), Fault> {
        match compared {
            Ok(()) => {
                count.fetch_add(1, Relaxed);
                Ok(())
            }
            // A sample waits until there is more time.
            Err(Odd::TooLong) if fuel < FUEL => {
                self.auditor.least.fetch_max(fuel * 2, Relaxed);
                Ok(())
            }
            Err(Odd::Undecided | Odd::TooLong) => {
                self.auditor.undecided.fetch_add(1, Relaxed);
                Ok(())
            }
            Err(Odd::Differ(engine, plain)) => {
                let arena = Arena::new();
                let values = self.model.decode(state, &arena);
                let names = self.model.program.variables.iter();
                Err(self.auditor.differ(Mismatch {
                    state: names
                        .zip(values)
                        .map(|(name, it)| (name.to_string(), value::text(it)))
                        .collect(),
                    level: depth,
                    engine,
                    plain,
                }))
            }
        }
    }
}

fn plain_values(values: Vec<value::Value<'_>>) -> Result<State, Odd> {
    let values = values.into_iter().map(tla_plain::Value::from_compiled);
    values.collect::<Option<State>>().ok_or(Odd::Undecided)
}

fn n_steps(n: usize) -> String {
    format!("{n} steps")
}

fn excluded(is_excluded: bool) -> &'static str {
    match is_excluded {
        true => "the step is excluded",
        false => "the step is followed",
    }
}

fn compare_names(engine: Option<String>, plain: Option<String>) -> Compared {
    let told = |it: &Option<String>| match it {
        Some(name) => format!("{name} is violated"),
        None => "nothing is violated".to_owned(),
    };
    match engine == plain {
        true => Ok(()),
        false => differ(told(&engine), told(&plain)),
    }
}

/// An error of the plain evaluator, where the engine has one or may have stopped before it.
fn compare_error(error: Error, is_expected: bool) -> Compared {
    match error {
        Error::TooLong | Error::Interrupted => Err(Odd::TooLong),
        Error::Effect(_) | Error::Refused(_) => Err(Odd::Undecided),
        Error::Undefined(_) | Error::Unassigned(_) | Error::Assertion(_) if is_expected => Ok(()),
        Error::Undefined(why) | Error::Assertion(why) => differ("no error", why),
        Error::Unassigned(_) => differ("no error", "a variable without a next value"),
    }
}

fn are_same(a: &State, b: &State) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is(b))
}

/// The image of values under a permutation of model values.
fn permuted(values: &State, moved: &[(Text, Text)]) -> Result<State, Odd> {
    let values = values.iter().map(|it| it.renamed(moved));
    values
        .collect::<tla_plain::Result<State>>()
        .map_err(|_| Odd::Undecided)
}

/// The error of an evaluation, unless it is that someone wants the search to end.
fn error_of(fault: &Fault) -> Option<&EvalError> {
    let error = fault.0.downcast_ref::<EvalError>()?;
    (!matches!(error.kind, ErrorKind::Interrupted)).then_some(error)
}

impl<'a, 'i> explore::Model for Audited<'a, 'i> {
    type Worker<'m>
        = AuditedWorker<'m, 'i>
    where
        Self: 'm;

    fn worker(&self, index: usize) -> AuditedWorker<'_, 'i> {
        AuditedWorker {
            inner: self.model.worker(index),
            auditor: self.auditor,
            plain: OnceCell::new(),
        }
    }

    fn n_slots(&self) -> usize {
        self.model.n_slots()
    }

    fn initial(&self, worker: &mut AuditedWorker<'_, 'i>, sink: &mut dyn Sink) -> Result<(), Fault> {
        self.model.initial(&mut worker.inner, sink)
    }

    fn successors(
        &self,
        worker: &mut AuditedWorker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        let Some(fuel) = self.auditor.fuel(state, depth) else {
            return self.model.successors(&mut worker.inner, state, depth, sink);
        };
        let mut recorder = Recorder {
            sink,
            events: vec![],
            is_cut: false,
        };
        let result = self
            .model
            .successors(&mut worker.inner, state, depth, &mut recorder);
        let failed = result.as_ref().err();
        let error = failed.and_then(error_of);
        if failed.is_some() != error.is_some() {
            return result;
        }
        let said = Said {
            events: recorder.events,
            is_cut: recorder.is_cut,
            error,
        };
        self.auditor.timed(|| {
            let Some(plain) = worker.plain() else {
                return self.concluded(Err(Odd::Undecided), (state, depth), fuel, &self.auditor.expanded);
            };
            plain.0.refuel(fuel);
            let compared = self.compare_steps(plain, (state, depth), &said);
            self.concluded(compared, (state, depth), fuel, &self.auditor.expanded)
        })?;
        result
    }

    fn inspect(
        &self,
        worker: &mut AuditedWorker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<Inspection, Fault> {
        let result = self.model.inspect(&mut worker.inner, state, depth);
        let Some(fuel) = self.auditor.fuel(state, depth) else {
            return result;
        };
        if result.as_ref().is_err_and(|it| error_of(it).is_none()) {
            return result;
        }
        self.auditor.timed(|| {
            let Some((plain, problem)) = worker.plain() else {
                return self.concluded(Err(Odd::Undecided), (state, depth), fuel, &self.auditor.inspected);
            };
            plain.refuel(fuel);
            let compared = self.plain_state(state).and_then(|it| {
                match (plain.judge_state(problem, &it, depth), &result) {
                    (Err(error), _) => compare_error(error, result.is_err()),
                    (Ok(_), Err(_)) => Err(Odd::Undecided),
                    (Ok(it), Ok(inspection)) if it.is_inside != inspection.expand => {
                        differ(inside(inspection.expand), inside(it.is_inside))
                    }
                    (Ok(it), Ok(inspection)) => compare_names(
                        inspection.violated.map(|it| self.property_name(it)),
                        it.violated.map(|it| it.to_string()),
                    ),
                }
            });
            self.concluded(compared, (state, depth), fuel, &self.auditor.inspected)
        })?;
        result
    }

    fn memory(&self) -> usize {
        self.model.memory()
    }

    fn write_values(&self, noted: &mut Vec<usize>, bytes: &mut Vec<u8>) {
        self.model.write_values(noted, bytes);
    }

    fn read_values(
        &self,
        worker: &mut AuditedWorker<'_, 'i>,
        bytes: &[u8],
    ) -> Option<Box<explore::Translation>> {
        self.model.read_values(&mut worker.inner, bytes)
    }

    fn pause(&self) {
        self.model.pause();
    }
}

fn inside(is_inside: bool) -> &'static str {
    match is_inside {
        true => "the state is inside the constraints",
        false => "the state is outside the constraints",
    }
}

impl<'a, 'i> Portable for Audited<'a, 'i> {
    type Sent = <TlaModel<'i> as Portable>::Sent;

    fn send(&self, slot: u32, sent: &mut Self::Sent, bytes: &mut Vec<u8>) {
        self.model.send(slot, sent, bytes);
    }

    fn n_sent(&self, sent: &Self::Sent) -> usize {
        self.model.n_sent(sent)
    }

    fn receive(
        &self,
        worker: &mut AuditedWorker<'_, 'i>,
        bytes: &mut &[u8],
        known: &mut Vec<u32>,
    ) -> Option<u32> {
        self.model.receive(&mut worker.inner, bytes, known)
    }

    fn hash(&self, vector: &[u32], is_key: bool) -> u64 {
        Portable::hash(self.model, vector, is_key)
    }

    fn tallies(&self) -> Vec<u64> {
        self.model.tallies()
    }

    fn set_tallies(&self, sums: &[u64]) {
        self.model.set_tallies(sums);
    }
}
