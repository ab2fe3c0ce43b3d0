//! The end of a search in the words of `explore`: counts added up, and behaviours rebuilt.

use std::ops::ControlFlow;

use explore::{
    EventKind, Fault, FaultAt, GraphFailure, Outcome, Portable, Progress, Sink, StateGraph, StateSpace,
    Stats, Step, Verdict, Violation, ViolationKind, action_counts,
};

use crate::decide::{Ending, Path};
use crate::deduplicate::import_state;
use crate::engine::{Traffic, without_end};
use crate::event::Event;
use crate::partition::Partition;
use crate::worker::Ctx;

/// What all workers found together. Only the first one has violations with their traces, and the graph.
pub fn outcome<M: Portable>(
    model: &M,
    partition: &mut Partition<'_, M>,
    processes: usize,
    workers: usize,
) -> (Outcome, Traffic) {
    let is_first = partition.ctx.seat.is_first();
    let mut ending = std::mem::take(&mut partition.ending);
    let stats = stats(partition, &ending);
    let traffic = Traffic {
        processes,
        workers,
        bytes_sent: ending.sum.bytes_sent,
        candidates_sent: ending.sum.candidates_sent,
    };
    // Every process knows the sums: what an audit found in one of them counts for all.
    if partition.ctx.seat.speaks() {
        model.set_tallies(&ending.sum.tallies);
    }
    let verdict = Verdict::of(!ending.violations.is_empty(), ending.limit);
    let graph = graph(partition, &ending, &stats);
    let graph = graph.map(|it| it.map_err(|it| it.limit(&mut ending.failure)));
    let space = partition.gathering.take().map(|it| it.gathered.into_space());
    let violations = ending
        .violations
        .into_iter()
        .zip(ending.paths)
        .map(|(event, path)| match is_first {
            true => violation(partition.ctx, &mut partition.worker, event, &path),
            false => elsewhere(event),
        })
        .collect();
    let outcome = Outcome {
        verdict,
        violations,
        limit: ending.limit,
        failure: ending.failure,
        stats,
        space: space.unwrap_or_default(),
        graph,
    };
    (outcome, traffic)
}

fn stats<M: Portable>(partition: &Partition<'_, M>, ending: &Ending) -> Stats {
    let (sum, place) = (&ending.sum, &partition.place);
    // States beyond the level that was being expanded make one level more.
    let is_deeper = sum.distinct > place.level_end;
    Stats {
        generated: sum.generated,
        distinct: sum.distinct,
        initial: sum.initial,
        queue: sum.distinct.saturating_sub(place.expanded),
        depth: place.depth + u32::from(is_deeper),
        actions: action_counts(&sum.taken, &sum.found),
        memory: sum.memory as usize,
        memory_visited: sum.memory_visited as usize,
        ..Stats::default()
    }
}

/// The graph, if it was asked for and is complete, or decided the search.
fn graph<M: Portable>(
    partition: &mut Partition<'_, M>,
    ending: &Ending,
    stats: &Stats,
) -> Option<Result<StateGraph, GraphFailure>> {
    let (options, memory) = (partition.ctx.options, partition.ctx.process_bytes());
    let gathering = partition.gathering.as_mut()?;
    if let Some(graph) = gathering.decided.take() {
        return Some(Ok(graph));
    }
    let is_complete = ending.limit.is_none() && ending.violations.is_empty() && stats.queue == 0;
    is_complete.then(|| gathering.gathered.to_graph(stats.initial as u32, memory, options))
}

/// A search that lost a process, as far as it came.
pub fn unfinished(reached: &Progress) -> (Outcome, Traffic) {
    let stats = Stats {
        generated: reached.generated,
        distinct: reached.distinct,
        queue: reached.queue,
        depth: reached.depth,
        memory: reached.memory,
        ..Stats::default()
    };
    (without_end(stats), Traffic::default())
}

/// A violation that another process tells.
fn elsewhere(event: Event) -> Violation {
    Violation {
        kind: kind(event.kind, Fault::new(())),
        trace: vec![],
        is_complete: false,
    }
}

fn kind(kind: EventKind<()>, fault: Fault) -> ViolationKind {
    match kind {
        EventKind::Property(property) => ViolationKind::Property(property),
        EventKind::Deadlock => ViolationKind::Deadlock,
        EventKind::Fault((), at) => ViolationKind::Fault { fault, at },
        EventKind::StateLimit => unreachable!("a limit is no violation"),
    }
}

/// Rebuilds the behaviour by asking the model again; what went wrong in another process goes wrong here too.
fn violation<M: Portable>(
    ctx: Ctx<'_, M>,
    worker: &mut M::Worker<'_>,
    event: Event,
    path: &Path,
) -> Violation {
    let model = ctx.model;
    let steps: Vec<u32> = path.steps.iter().rev().copied().collect();
    let replayed = StateSpace::replay(model, worker, &steps);
    let is_complete = replayed.is_some();
    let mut trace = replayed.unwrap_or_default();
    let last = event.last.as_ref().and_then(|(state, action)| {
        let state = import_state(model, worker, state)?;
        Some(Step {
            state,
            action: *action,
        })
    });
    trace.extend(last);
    let fault = match event.kind {
        EventKind::Fault((), at) => fault(ctx, worker, at, &trace),
        _ => None,
    };
    Violation {
        kind: kind(event.kind, fault.unwrap_or_else(|| Fault::new(()))),
        trace,
        is_complete,
    }
}

fn fault<M: Portable>(
    ctx: Ctx<'_, M>,
    worker: &mut M::Worker<'_>,
    at: FaultAt,
    trace: &[Step],
) -> Option<Fault> {
    let (model, depth) = (ctx.model, trace.len() as u32);
    let mut sink = Unheard {
        wants_labels: ctx.options.graph,
    };
    match (at, trace.last()) {
        (FaultAt::Initial, _) => model.initial(worker, &mut sink).err(),
        (FaultAt::Inspection, Some(last)) => model.inspect(worker, &last.state, depth).err(),
        (FaultAt::Successors, Some(last)) => model.successors(worker, &last.state, depth, &mut sink).err(),
        _ => None,
    }
}

/// A sink for what has been counted before.
struct Unheard {
    /// What went wrong may be a label, so they are asked for where the search did.
    wants_labels: bool,
}

impl Sink for Unheard {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(&mut self, _: &[u32], _: u64, _: Option<(&[u32], u64)>, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn exclude(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_labels(&self) -> bool {
        self.wants_labels
    }
}
