//! What a search asks about one state and about one step: is it inside the constraints, what does it break?
//!
//! The reference checker asks this of every state; whoever wants to audit another checker asks it of some.

use tla_sema::ir::ExprId;
use util::Symbol;

use crate::env::{Env, View};
use crate::fuel::paid;
use crate::problem::Problem;
use crate::steps::{Action, Successor};
use crate::{Interpreter, Result, State, Value};

/// What is true of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateJudgement {
    /// Inside the constraints: it is one of those that are counted and expanded.
    pub is_inside: bool,
    /// The first invariant that it breaks; of an initial state, also a property of those.
    pub violated: Option<Symbol>,
}

/// What is true of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepJudgement {
    /// Broken by `[]P` of the specification: it is in no behaviour.
    None,
    /// Outside the action constraints: not followed, but what must be true of its target and of it must be true.
    Outside,
    Inside,
}

/// A step that is taken.
#[derive(Clone, Debug)]
pub struct Step {
    pub action: Action,
    pub state: State,
    /// Whether it leads on.
    pub is_inside: bool,
    /// What it breaks: a property of steps, or, if it is not followed, an invariant.
    pub violated: Option<Symbol>,
}

impl Interpreter<'_> {
    /// The steps from a state, in the order in which a reader finds them. `level` counts the states up to this one.
    pub fn judged_steps(&self, problem: &Problem, state: &State, level: u32) -> Result<Vec<Step>> {
        let mut steps = vec![];
        self.each_successor(&problem.rules, state, level, &mut |it: Successor| {
            let next: Vec<Option<Value>> = it.state.iter().cloned().map(Some).collect();
            let view = View {
                level,
                ..self.view(Some(state), Some(&next))
            };
            let judgement = self.judge_step(problem, view)?;
            let mut violated = None;
            if judgement == StepJudgement::Outside {
                violated = self.broken_invariant(problem, &it.state, level + 1)?;
            }
            if judgement != StepJudgement::None && violated.is_none() {
                violated = self.broken_step_property(problem, view)?;
            }
            steps.push(Step {
                action: it.action,
                state: it.state,
                is_inside: judgement == StepJudgement::Inside,
                violated,
            });
            Ok(true)
        })?;
        Ok(steps)
    }

    /// The value of a closed expression in a state, as part of a state would be written.
    pub fn value_at(&self, expr: ExprId, state: &State, level: u32) -> Result<Value> {
        let view = View {
            level,
            ..self.view(Some(state), None)
        };
        paid(self.eval(expr, &Env::default(), view).and_then(|it| it.normal()))
    }

    /// Whether a state is inside the constraints, and what it breaks.
    pub fn judge_state(&self, problem: &Problem, state: &State, level: u32) -> Result<StateJudgement> {
        let view = View {
            level,
            ..self.view(Some(state), None)
        };
        paid(self.judge_in(problem, state, view))
    }

    fn judge_in(&self, problem: &Problem, state: &State, view: View<'_>) -> Result<StateJudgement> {
        let level = view.level;
        let mut is_inside = true;
        for formula in &problem.constraints {
            is_inside &= self.holds_in(formula, view)?;
        }
        let mut violated = self.broken_invariant(problem, state, level)?;
        if level == 1 && violated.is_none() {
            for (name, formula) in &problem.initial_properties {
                if !self.holds_in(formula, view)? {
                    violated = Some(*name);
                    break;
                }
            }
        }
        Ok(StateJudgement { is_inside, violated })
    }

    pub(crate) fn broken_invariant(
        &self,
        problem: &Problem,
        state: &State,
        level: u32,
    ) -> Result<Option<Symbol>> {
        let view = View {
            level,
            ..self.view(Some(state), None)
        };
        for (name, formula) in &problem.invariants {
            if !self.holds_in(formula, view)? {
                return Ok(Some(*name));
            }
        }
        Ok(None)
    }

    pub(crate) fn broken_step_property(&self, problem: &Problem, view: View<'_>) -> Result<Option<Symbol>> {
        for (name, rule) in &problem.action_properties {
            if !self.is_step_of(rule, view)? {
                return Ok(Some(*name));
            }
        }
        Ok(None)
    }

    pub(crate) fn judge_step(&self, problem: &Problem, view: View<'_>) -> Result<StepJudgement> {
        let primed = View { primed: true, ..view };
        for formula in &problem.always {
            if !self.holds_in(formula, primed)? {
                return Ok(StepJudgement::None);
            }
        }
        for formula in &problem.action_constraints {
            if !self.holds_in(formula, view)? {
                return Ok(StepJudgement::Outside);
            }
        }
        Ok(StepJudgement::Inside)
    }
}
