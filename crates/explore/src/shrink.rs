//! A shorter way to what a walk found.
//!
//! A random walk wanders: most of its steps have nothing to do with what it violates. Around each state of the trace the search goes
//! breadth-first, a little way, and looks for a state of the trace that the trace itself takes longer to come to, or for the same
//! violation. What is found is put in, and it begins anew, until nothing gets shorter or the budget is used up. Every step of the
//! result is one that the model said is a step. It need not be the shortest of all.
//!
//! What a step is may depend on how far it is from the beginning (`TLCGet("level")`). So the whole is asked for again at the end, each
//! step at its own depth, and when it is no longer a behaviour with the same violation, the trace stays as it was.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use util::FxHashMap;

use crate::model::{Model, Sink};
use crate::options::Options;
use crate::outcome::{FaultAt, Step, Violation, ViolationKind};

/// Makes the trace of a violation shorter with so many generated states at most. Gives those that it generated.
pub fn shrink<M: Model>(
    model: &M,
    worker: &mut M::Worker<'_>,
    violation: &mut Violation,
    budget: u64,
    options: &Options<'_>,
) -> u64 {
    let property = match violation.kind {
        ViolationKind::Property(it) => Some(it),
        // These are true of the last state of the trace, by whatever way.
        ViolationKind::Deadlock | ViolationKind::Fault { .. } => None,
    };
    let mut around = Around {
        model,
        options,
        property,
        left: budget,
        steps: vec![],
    };
    let original = violation.trace.clone();
    cut_loops(&mut violation.trace);
    let mut from = 0;
    while from + 1 < violation.trace.len() && around.left > 0 {
        // A shortcut may make another one possible that begins earlier, but not often: one pass does nearly all.
        match around.shortcut(worker, &violation.trace, from) {
            Some((to, way)) => {
                violation.trace.splice(from + 1..=to, way);
                cut_loops(&mut violation.trace);
            }
            None => from += 1,
        }
    }
    let generated = budget - around.left;
    if violation.trace.len() == original.len() || !around.is_behaviour(worker, violation) {
        violation.trace = original;
    }
    generated
}

/// Leaves out what leads from a state back to it.
fn cut_loops(trace: &mut Vec<Step>) {
    let mut from = 0;
    while from < trace.len() {
        let again = trace.iter().rposition(|it| it.state == trace[from].state);
        match again {
            // The last step may be what violates, and the same state be there before.
            Some(to) if to > from && to + 1 < trace.len() => {
                trace.drain(from + 1..=to);
            }
            _ => from += 1,
        }
    }
}

struct Around<'a, M> {
    model: &'a M,
    options: &'a Options<'a>,
    property: Option<u32>,
    /// States that may still be generated.
    left: u64,
    steps: Vec<Found>,
}

/// A step of the state that is expanded.
struct Found {
    step: Step,
    is_excluded: bool,
    violates: bool,
}

/// Of the budget, what one state of the trace may use.
const SHARE: u64 = 8;

impl<M: Model> Around<'_, M> {
    /// A way from a state of the trace to a later one, or to the violation, that is shorter than the trace's own: where it leads
    /// to, and the steps.
    fn shortcut(
        &mut self,
        worker: &mut M::Worker<'_>,
        trace: &[Step],
        from: usize,
    ) -> Option<(usize, Vec<Step>)> {
        let last = trace.len() - 1;
        let mut later: FxHashMap<&[u32], usize> = FxHashMap::default();
        // To the last state of a property's violation any way will not do: it is the step that violates, or a state that is judged anew.
        let end = last + usize::from(self.property.is_none());
        for (at, step) in trace.iter().enumerate().take(end).skip(from + 1) {
            later.insert(&step.state, at);
        }
        let share = (self.left / SHARE).max(self.left.min(1000));
        let until = self.left - share;
        // States that were come to, with the place of the one before.
        let mut known: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut ways: Vec<(Step, usize, u32)> = vec![(trace[from].clone(), 0, 0)];
        known.insert(trace[from].state.clone(), 0);
        let mut queue = VecDeque::from([0usize]);
        let mut best: Option<(usize, usize)> = None;
        let mut gain = 0;
        while let Some(place) = queue.pop_front() {
            let depth = ways[place].2;
            // Nothing farther away is worth more than what is known.
            if (from + depth as usize + 1 + gain) >= last || self.left <= until {
                break;
            }
            if self.options.interruption().is_some() {
                self.left = 0;
                break;
            }
            let state = ways[place].0.state.clone();
            self.expand(worker, &state, from as u32 + depth + 1);
            for found in std::mem::take(&mut self.steps) {
                let n_steps = depth as usize + 1;
                if found.violates {
                    let saved = last - from - n_steps;
                    if saved > gain {
                        gain = saved;
                        ways.push((found.step, place, depth + 1));
                        best = Some((last, ways.len() - 1));
                    }
                    continue;
                }
                if found.is_excluded || known.contains_key(&found.step.state) {
                    continue;
                }
                let inspected = self
                    .model
                    .inspect(worker, &found.step.state, from as u32 + depth + 2);
                let Ok(inspection) = inspected else { continue };
                let violates = inspection.violated.is_some() && inspection.violated == self.property;
                if !violates && (inspection.violated.is_some() || !inspection.expand) {
                    continue;
                }
                let target = match violates {
                    true => Some(last),
                    false => later.get(&found.step.state[..]).copied(),
                };
                known.insert(found.step.state.clone(), ways.len());
                ways.push((found.step, place, depth + 1));
                if let Some(to) = target
                    && (to - from).saturating_sub(n_steps) > gain
                {
                    gain = to - from - n_steps;
                    best = Some((to, ways.len() - 1));
                }
                if !violates {
                    queue.push_back(ways.len() - 1);
                }
            }
        }
        let (to, mut place) = best?;
        let mut way = vec![];
        while place != 0 {
            way.push(ways[place].0.clone());
            place = ways[place].1;
        }
        way.reverse();
        Some((to, way))
    }

    /// Whether the model still says that all of it can happen, and the violation at its end.
    fn is_behaviour(&mut self, worker: &mut M::Worker<'_>, violation: &Violation) -> bool {
        let Violation { kind, trace, .. } = violation;
        self.left = u64::MAX;
        for (i, pair) in trace.windows(2).enumerate() {
            let (depth, is_last) = (i as u32 + 1, i + 2 == trace.len());
            self.expand(worker, &pair[0].state, depth);
            let mut to_next = self.steps.iter().filter(|it| it.step.state == pair[1].state);
            if is_last && to_next.clone().any(|it| it.violates) {
                return true;
            }
            let is_step = to_next.any(|it| !it.is_excluded && !it.violates);
            let inspection = self.model.inspect(worker, &pair[1].state, depth + 1);
            let is_fine = match (inspection, kind) {
                (Ok(it), _) if !is_last => it.expand && it.violated.is_none(),
                (Ok(it), ViolationKind::Property(property)) => it.violated == Some(*property),
                (Ok(it), _) => it.expand && it.violated.is_none(),
                (Err(_), ViolationKind::Fault { at, .. }) => is_last && *at == FaultAt::Inspection,
                (Err(_), _) => false,
            };
            if !is_step || !is_fine {
                return false;
            }
        }
        let (Some(last), depth) = (trace.last(), trace.len() as u32) else {
            return false;
        };
        let mut sink = Collect::new(None, u64::MAX);
        match kind {
            ViolationKind::Property(_) => trace.len() > 1,
            ViolationKind::Deadlock => {
                let done = self.model.successors(worker, &last.state, depth, &mut sink);
                done.is_ok() && sink.steps.is_empty()
            }
            ViolationKind::Fault { at, .. } => match at {
                FaultAt::Successors => self
                    .model
                    .successors(worker, &last.state, depth, &mut sink)
                    .is_err(),
                FaultAt::Inspection => self.model.inspect(worker, &last.state, depth).is_err(),
                FaultAt::Initial => false,
            },
        }
    }

    fn expand(&mut self, worker: &mut M::Worker<'_>, state: &[u32], depth: u32) {
        let mut sink = Collect::new(self.property, self.left);
        // A step that was found is one, whatever goes wrong after it.
        let _ = self.model.successors(worker, state, depth, &mut sink);
        self.left = sink.left.saturating_sub(1);
        self.steps = sink.steps;
    }
}

/// Notes the steps of one state.
struct Collect {
    property: Option<u32>,
    steps: Vec<Found>,
    left: u64,
}

impl Collect {
    fn new(property: Option<u32>, left: u64) -> Collect {
        Collect {
            property,
            steps: vec![],
            left,
        }
    }

    fn flow(&mut self) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(1);
        match self.left {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Sink for Collect {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(
        &mut self,
        state: &[u32],
        _hash: u64,
        _key: Option<(&[u32], u64)>,
        action: u32,
    ) -> ControlFlow<()> {
        self.steps.push(Found {
            step: Step {
                state: state.to_vec(),
                action,
            },
            is_excluded: false,
            violates: false,
        });
        self.flow()
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        self.steps.push(Found {
            step: Step {
                state: vec![],
                action,
            },
            is_excluded: true,
            violates: false,
        });
        self.flow()
    }

    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()> {
        if let Some(last) = self.steps.last_mut() {
            match self.property == Some(property) {
                true => {
                    last.step.state = state.to_vec();
                    last.violates = true;
                }
                // It would be told instead of the one that is looked for.
                false => last.is_excluded = true,
            }
        }
        ControlFlow::Continue(())
    }
}
