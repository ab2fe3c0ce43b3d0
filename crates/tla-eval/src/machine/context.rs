//! What an evaluation speaks of: a state, and a step from it that is given or looked for.
//!
//! Everything that is true of one state or of one step only is a field here, not of the machine. So whatever evaluates
//! something inside something (`ENABLED`, `\cdot`, a formula about another state) swaps a whole context and puts it back; there
//! is no list of fields to save, and none that could be forgotten.

use super::*;
use crate::action::Search;
use crate::step::Choice;
use crate::table::record::How;

/// The state that unprimed names speak of.
#[derive(Default)]
pub struct StateContext<'t, 'i> {
    pub current: Values<'t, 'i>,
    /// How far the state is from an initial one, which is at 1; 0 where there is no state.
    pub level: u32,
    /// The state stays: values of definitions that depend on it are kept.
    pub(crate) memo_on: bool,
    pub(super) memos: Vec<Option<Value<'t>>>,
}

/// The step that primed names speak of.
#[derive(Default)]
pub struct StepContext<'t, 'i> {
    /// Names mean their next values.
    pub(crate) primed: bool,
    pub next: Vec<Option<Value<'t>>>,
    /// What next values are made from that are not there yet: a step is given, not looked for.
    pub(crate) next_state: Option<State<'t, 'i>>,
    /// How each variable got its next value, while a table is made; empty otherwise.
    pub(crate) how: Vec<How>,
    /// While a table is made: both states of the step are given, and primed names are parts of the second one.
    pub(crate) is_pair: bool,
    /// Forced thunks are put back when a choice is undone.
    pub(crate) trail: Option<Trail<'i>>,
    pub(crate) search: Search<'i>,
    /// What was chosen on the way to a next state, while someone wants to know.
    pub(crate) choices: Option<Vec<Choice<'t, 'i>>>,
    /// Values of a recursive function may depend on the step.
    pub(crate) recursion: Option<Box<Recursion<'t>>>,
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Does something about another step from the present state.
    pub(crate) fn in_step<T>(&mut self, step: StepContext<'t, 'i>, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.step, step);
        let result = run(self);
        self.step = outer;
        result
    }

    /// Does something in another state, about a step from there.
    pub(crate) fn in_state<T>(
        &mut self,
        state: StateContext<'t, 'i>,
        step: StepContext<'t, 'i>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let passed = match self.step.primed {
            true => self.unprime(),
            false => vec![],
        };
        let outer = std::mem::replace(&mut self.state, state);
        let result = self.in_step(step, run);
        self.state = outer;
        for (index, cell) in passed {
            self.stack[index] = cell;
        }
        result
    }

    /// What was passed under a prime speaks of the next state. Where that is the present one, it does so without a prime. Gives the cells
    /// as they were.
    fn unprime(&mut self) -> Vec<(usize, Cell<'t, 'i>)> {
        let mut before = vec![];
        for (index, cell) in self.stack.iter_mut().enumerate() {
            let outer = *cell;
            if let Cell::Thunk(thunk) | Cell::ByName(thunk) = cell
                && thunk.primed
            {
                thunk.primed = false;
                before.push((index, outer));
            }
        }
        before
    }

    /// A step that is to be looked for among `n_variables`: nothing is known of it.
    pub(crate) fn open_step(&self, n_variables: usize) -> StepContext<'t, 'i> {
        StepContext {
            next: vec![None; n_variables],
            how: match self.tracking {
                true => vec![How::Made; n_variables],
                false => vec![],
            },
            trail: Some(vec![]),
            ..StepContext::default()
        }
    }

    /// The next state as one that unprimed names can speak of; fails when a variable has no next value yet.
    pub(crate) fn state_after(&mut self) -> Result<StateContext<'t, 'i>, Fault> {
        self.make_next();
        // Hidden variables have next values only.
        let n = self.state.current.len().max(self.program.variables.len());
        let next = &self.step.next[..n.min(self.step.next.len())];
        let values: Option<Vec<Value<'t>>> = next.iter().copied().collect();
        match values {
            Some(values) => Ok(self.state_of(values, 1)),
            None => {
                let missing = next.iter().position(Option::is_none).unwrap_or(0);
                Err(Fault::Unassigned(missing as VarId))
            }
        }
    }

    /// A state some steps away from the present one.
    pub(crate) fn state_of(&self, values: Vec<Value<'t>>, n_steps: u32) -> StateContext<'t, 'i> {
        StateContext {
            current: values.into(),
            level: self.state.level + n_steps,
            ..StateContext::default()
        }
    }
}
