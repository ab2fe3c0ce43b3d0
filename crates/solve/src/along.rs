//! Which steps lead from one state to the next: asked of the model again.

use std::ops::ControlFlow;

use explore::{Model, Sink, Step};

/// The steps along these states, of which the first is an initial one; nothing if the model does not have them.
pub fn along<M: Model>(model: &M, worker: &mut M::Worker<'_>, states: &[&[u32]]) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::with_capacity(states.len());
    for &state in states {
        let mut find = Find { state, action: None };
        // A fault after the step that we came for is no matter.
        drop(match steps.last() {
            None => model.initial(worker, &mut find),
            Some(last) => model.successors(worker, &last.state, steps.len() as u32, &mut find),
        });
        steps.push(Step {
            state: state.to_vec(),
            action: find.action?,
        });
    }
    Some(steps)
}

/// Looks for the step to a state.
struct Find<'a> {
    state: &'a [u32],
    action: Option<u32>,
}

impl Sink for Find<'_> {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(&mut self, state: &[u32], _: u64, _: Option<(&[u32], u64)>, action: u32) -> ControlFlow<()> {
        if state != self.state {
            return ControlFlow::Continue(());
        }
        self.action = self.action.or(Some(action));
        ControlFlow::Break(())
    }

    fn exclude(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
