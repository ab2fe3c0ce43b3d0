//! The shortest way from a state to a goal: breadth-first over bare states, which is all that a hint needs.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use explore::Sink;
use tla_eval::EvalError;
use tla_eval::model::{TlaModel, Worker};
use util::FxHashMap;

use super::{Problem, StateKey};

/// What a search for a goal says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// The states after the first one.
    Found(Vec<StateKey>),
    /// No way leads there.
    None,
    /// There were more states than were to be looked at.
    Unknown,
}

/// Why a search ended early.
pub(super) enum Trouble {
    Evaluation(EvalError),
    Told(Problem),
}

/// Looks for a way. `is_goal` tells of a state at a depth.
pub(super) fn way<'m, 'i>(
    model: &'m TlaModel<'i>,
    worker: &mut Worker<'m, 'i>,
    (from, depth): (&StateKey, u32),
    states_max: usize,
    is_goal: &mut dyn FnMut(&StateKey, u32) -> Result<bool, Problem>,
) -> Result<Way, Trouble> {
    // Each state with the one that it was found from.
    let mut found: Vec<(StateKey, usize)> = vec![(from.clone(), 0)];
    let mut places: FxHashMap<StateKey, ()> = FxHashMap::default();
    places.insert(from.clone(), ());
    let mut queue = VecDeque::from([(0, depth)]);
    while let Some((at, depth)) = queue.pop_front() {
        let state = found[at].0.clone();
        if is_goal(&state, depth).map_err(Trouble::Told)? {
            return Ok(Way::Found(back(&found, at)));
        }
        let mut next = Collected(vec![]);
        explore::Model::successors(model, worker, &state, depth, &mut next).map_err(evaluation)?;
        for state in next.0 {
            if places.insert(state.clone(), ()).is_some() {
                continue;
            }
            let inspected = explore::Model::inspect(model, worker, &state, depth + 1).map_err(evaluation)?;
            if found.len() >= states_max {
                return Ok(Way::Unknown);
            }
            found.push((state, at));
            // States outside the constraints are found, but nothing comes after them.
            if inspected.expand {
                queue.push_back((found.len() - 1, depth + 1));
            }
        }
    }
    Ok(Way::None)
}

fn evaluation(fault: explore::Fault) -> Trouble {
    match fault.0.downcast::<EvalError>() {
        Ok(error) => Trouble::Evaluation(*error),
        Err(_) => Trouble::Told(Problem::first(&[], &source::Sources::new())),
    }
}

fn back(found: &[(StateKey, usize)], mut at: usize) -> Vec<StateKey> {
    let mut way = vec![];
    while at != 0 {
        way.push(found[at].0.clone());
        at = found[at].1;
    }
    way.reverse();
    way
}

struct Collected(Vec<StateKey>);

impl Sink for Collected {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(&mut self, state: &[u32], _: u64, _: Option<(&[u32], u64)>, _: u32) -> ControlFlow<()> {
        self.0.push(state.into());
        ControlFlow::Continue(())
    }

    fn exclude(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
