//! A second look at what a model says while it is searched.
//!
//! The one idea: the model tells an [`Auditor`] what it said of some states, and a difference that this one finds ends the search with
//! its fault. The hook is in the model itself, so that whoever searches it (a check, several processes, random walks,
//! solutions, games) is audited. Who evaluates again, and how, is not decided here: this crate never judges itself. [`Spoilt`] puts mistakes in, for tests.

use std::ops::ControlFlow;

use explore::{Fault, Inspection, Sink};
use value::Arena;

use crate::error::{ErrorKind, EvalError};
use crate::layout::NodeId;
use crate::model::{TlaModel, Worker};

/// Whoever evaluates some of it again.
pub trait Auditor: Sync {
    /// How much work this state is worth; nothing when it is not to be looked at.
    fn chooses(&self, state: &[u32], depth: u32) -> Option<u64>;

    /// How much work the initial states are worth, and how many of them are looked at; nothing when they are not.
    fn chooses_initial(&self) -> Option<(u64, usize)>;

    /// For one thread.
    fn worker(&self) -> Box<dyn AuditWorker + '_>;

    /// What it has counted, as many numbers each time; sums over several processes make sense.
    fn tallies(&self) -> Vec<u64>;

    /// Takes the sums over all processes for its own.
    fn set_tallies(&self, sums: &[u64]);
}

/// One thread's part of an audit. A fault ends the search.
pub trait AuditWorker {
    fn begun(&mut self, model: &TlaModel<'_>, said: &Beginning, effort: u64) -> Result<(), Fault>;

    fn expanded<'i>(
        &mut self,
        model: &TlaModel<'i>,
        worker: &mut Worker<'_, 'i>,
        said: &Expansion<'_>,
        effort: u64,
    ) -> Result<(), Fault>;

    fn inspected(&mut self, model: &TlaModel<'_>, said: &Inspected<'_>, effort: u64) -> Result<(), Fault>;
}

/// All that was said of the steps of a state.
pub struct Expansion<'s> {
    pub state: &'s [u32],
    pub depth: u32,
    /// Whose moves they are, in a game.
    pub player: Option<usize>,
    pub steps: Vec<Step>,
    /// The search wanted no more before all was said.
    pub is_cut: bool,
    /// An evaluation failed after these steps.
    pub is_failed: bool,
    /// Bits for the state, where the graph is recorded.
    pub labels: Option<Vec<u64>>,
}

/// What was said of one step.
#[derive(Default)]
pub struct Step {
    /// Empty for one that is excluded.
    pub target: Vec<u32>,
    /// What stands for the target in the visited set.
    pub key: Option<Vec<u32>>,
    pub is_excluded: bool,
    pub violated: Option<u32>,
    /// The search wanted no more before it was asked what the step breaks.
    pub is_unjudged: bool,
    /// Bits for the step, where the graph is recorded.
    pub labels: Option<Vec<u64>>,
}

/// The first initial states, in their order.
pub struct Beginning {
    pub states: Vec<Vec<u32>>,
    /// There may be more.
    pub is_cut: bool,
    /// An evaluation failed after these.
    pub is_failed: bool,
}

/// What was said of a new state; nothing when its evaluation failed.
pub struct Inspected<'s> {
    pub state: &'s [u32],
    pub depth: u32,
    pub answer: Option<Inspection>,
}

/// A part of the fast path that is made wrong on purpose, so that a test sees who notices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spoilt {
    /// The last change of each step that is remembered is left out.
    Tables,
    /// What one action instance is known to be disabled by is believed of the next one too.
    Dispatch,
    /// Numbers and truth values that are remembered are others.
    Memos,
    /// An action is said to be enabled exactly where it is not.
    Labels,
    /// The last part of a variable that is kept in parts is the first one.
    Slots,
    /// Each variable of a representative is the least of its own images.
    Representatives,
    /// Random walks never try the last part of the next-state relation.
    Walks,
}

/// Passes everything on, and remembers it.
struct Recorder<'r> {
    sink: &'r mut dyn Sink,
    steps: Vec<Step>,
    /// So many are remembered.
    steps_max: usize,
    is_cut: bool,
    labels: Option<Vec<u64>>,
}

impl<'r> Recorder<'r> {
    fn new(sink: &'r mut dyn Sink, steps_max: usize) -> Recorder<'r> {
        Recorder {
            sink,
            steps: vec![],
            steps_max,
            is_cut: false,
            labels: None,
        }
    }

    fn remember(&mut self, step: Step) {
        match self.steps.len() < self.steps_max {
            true => self.steps.push(step),
            false => self.is_cut = true,
        }
    }

    fn passed(&mut self, flow: ControlFlow<()>) -> ControlFlow<()> {
        self.is_cut |= flow.is_break();
        if let Some(last) = self.steps.last_mut() {
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
        self.remember(Step {
            target: state.to_vec(),
            key: key.map(|it| it.0.to_vec()),
            ..Step::default()
        });
        let flow = self.sink.emit(state, hash, key, action);
        self.passed(flow)
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        self.remember(Step {
            is_excluded: true,
            ..Step::default()
        });
        let flow = self.sink.exclude(action);
        self.passed(flow)
    }

    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()> {
        if let Some(last) = self.steps.last_mut() {
            // An excluded step can break an invariant of its target and a property of steps: the first is what is told.
            last.violated.get_or_insert(property);
        }
        let flow = self.sink.violation(property, state);
        self.passed(flow)
    }

    fn wants_labels(&self) -> bool {
        self.sink.wants_labels()
    }

    fn label_step(&mut self, labels: &[u64]) {
        if let Some(last) = self.steps.last_mut() {
            last.labels = Some(labels.to_vec());
        }
        self.sink.label_step(labels);
    }

    fn label_state(&mut self, labels: &[u64]) {
        self.labels = Some(labels.to_vec());
        self.sink.label_state(labels);
    }
}

/// Whether a fault is one of the specification; else someone wants the search to end.
fn is_error(fault: &Fault) -> bool {
    let error = fault.0.downcast_ref::<EvalError>();
    error.is_some_and(|it| !matches!(it.kind, ErrorKind::Interrupted))
}

impl<'i> TlaModel<'i> {
    /// Finds the initial states, and lets the audit have its say.
    pub(crate) fn audited_initial(
        &self,
        worker: &mut Worker<'_, 'i>,
        (effort, n_max): (u64, usize),
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        let mut recorder = Recorder::new(sink, n_max);
        let result = self.begin(worker, &mut recorder);
        let is_failed = result.as_ref().is_err_and(is_error);
        if result.is_err() != is_failed {
            return result;
        }
        let said = Beginning {
            states: recorder.steps.into_iter().map(|it| it.target).collect(),
            is_cut: recorder.is_cut,
            is_failed,
        };
        self.with_audit(worker, |audit, _| audit.begun(self, &said, effort))?;
        result
    }

    /// Expands a state, and lets the audit have its say.
    pub(crate) fn audited_successors(
        &self,
        worker: &mut Worker<'_, 'i>,
        effort: u64,
        (state, depth): (&[u32], u32),
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        let mut recorder = Recorder::new(sink, usize::MAX);
        let result = self.expand(worker, state, depth, &mut recorder);
        let is_failed = result.as_ref().is_err_and(is_error);
        if result.is_err() != is_failed {
            return result;
        }
        let said = Expansion {
            state,
            depth,
            player: worker.player,
            steps: recorder.steps,
            is_cut: recorder.is_cut,
            is_failed,
            labels: recorder.labels,
        };
        self.with_audit(worker, |audit, worker| {
            audit.expanded(self, worker, &said, effort)
        })?;
        result
    }

    /// Inspects a state, and lets the audit have its say.
    pub(crate) fn audited_inspection(
        &self,
        worker: &mut Worker<'_, 'i>,
        effort: u64,
        (state, depth): (&[u32], u32),
    ) -> Result<Inspection, Fault> {
        let result = self.examine(worker, state, depth);
        if result.as_ref().is_err_and(|it| !is_error(it)) {
            return result;
        }
        let said = Inspected {
            state,
            depth,
            answer: result.as_ref().ok().copied(),
        };
        self.with_audit(worker, |audit, _| audit.inspected(self, &said, effort))?;
        result
    }

    pub(crate) fn with_audit(
        &self,
        worker: &mut Worker<'_, 'i>,
        run: impl FnOnce(&mut dyn AuditWorker, &mut Worker<'_, 'i>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(auditor) = self.auditor else {
            return Ok(());
        };
        let mut audit = worker.audit.take().unwrap_or_else(|| auditor.worker());
        let judged = run(&mut *audit, worker);
        worker.audit = Some(audit);
        judged
    }

    /// The vector of the state that a vector stands for, made anew. A state has one vector, so it is the same.
    pub fn encoded_anew(&self, worker: &Worker<'_, 'i>, state: &[u32]) -> Option<Vec<u32>> {
        let arena = Arena::new();
        let mut slots = vec![0; self.prepared.layout.n_slots()];
        for (node, value) in self.decode(state, &arena).into_iter().enumerate() {
            let arenas = (worker.interned, &arena);
            let encoded =
                self.prepared
                    .layout
                    .encode(node as NodeId, value, &self.heap.interner, arenas, &mut slots);
            encoded.ok()?;
        }
        Some(slots)
    }

    /// An image of what stands for a state that something else stands for, among the first `n_images`: there should be none.
    pub fn second_representative(
        &self,
        worker: &mut Worker<'_, 'i>,
        key: &[u32],
        n_images: usize,
    ) -> Option<Vec<u32>> {
        let group = &self.prepared.permutations;
        let mut found = vec![];
        for permutation in group.iter().take(n_images) {
            let image = permutation.image_of(key, &self.heap.interner, worker.interned)?;
            let images = &mut worker.buffers.images;
            let made = images.representative(&image, group, &self.heap.interner, worker.interned, &mut found);
            made.ok()?;
            if found != key {
                return Some(found);
            }
        }
        None
    }
}
