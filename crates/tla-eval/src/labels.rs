//! Labels: what temporal formulas ask of each state and of each step, noted while the graph is searched.
//!
//! A label is a bit. Whether it is set is asked of [`LabelTests`], so that tables and evaluation give the same labels. An action that
//! is not enabled has no steps: then its label on steps is not asked for.
//!
//! A step is one of `A` when `A` is true of it, and where that has no value (`x' = 0` of a step to `x = "a"`), when it is among the steps
//! that `A` has in the state. So it does not matter whether `A` is evaluated or its steps are known already.

use crate::error::Fault;
use crate::liveness::{Liveness, StepTest};
use crate::machine::{Machine, StepContext};
use crate::model::TlaModel;

/// Whether labels hold, by whatever means.
pub(crate) trait LabelTests {
    fn state_label(&mut self, n: usize) -> Result<bool, Fault>;
    fn step_label(&mut self, n: usize) -> Result<bool, Fault>;
    /// That of the step that stays in the state.
    fn stuttering_label(&mut self, n: usize) -> Result<bool, Fault>;
    /// Whether a step to another state changes the subscript of a label that every step has which does: it holds all variables, but some of
    /// their values may not be comparable.
    fn moves(&mut self, n: usize) -> Result<bool, Fault>;
}

/// What one expansion finds for the graph of states.
#[derive(Default)]
pub(crate) struct Labels {
    pub step: Vec<u64>,
    pub state: Vec<u64>,
    /// The state that is being expanded.
    source: Vec<u32>,
    /// Labels that no step of the state can have, because their actions are not enabled.
    impossible: Vec<u64>,
    /// Whether some step had the label of an action that all steps belong to.
    has_moved: bool,
    pub has_excluded: bool,
    /// There is an error to be told when the steps of the state are counted; nobody will look at its labels.
    is_void: bool,
}

impl Labels {
    /// Labels a state before it is expanded.
    pub fn enter(&mut self, all: &Liveness, tests: &mut impl LabelTests, state: &[u32]) -> Result<(), Fault> {
        self.begin(all, state);
        for (i, label) in all.state_labels.iter().enumerate() {
            if all.is_of_every_step(label.enables) {
                // Known when the state has been expanded.
                continue;
            }
            if tests.state_label(i)? {
                set_bit(&mut self.state, i);
            } else if let Some(step) = label.enables.filter(|_| label.abstraction.is_empty()) {
                set_bit(&mut self.impossible, step as usize);
            }
        }
        // Every state may be repeated, and what its labels say then is known, unless it has no value.
        for (i, label) in all.step_labels.iter().enumerate() {
            if label.may_fail_on_stuttering {
                tests.stuttering_label(i)?;
            }
        }
        Ok(())
    }

    /// Forgets the state before. What is not labelled yet is taken to be false.
    pub fn begin(&mut self, all: &Liveness, state: &[u32]) {
        self.source.clear();
        self.source.extend_from_slice(state);
        clear(&mut self.state, all.state_labels.len());
        clear(&mut self.impossible, all.step_labels.len());
        (self.has_moved, self.has_excluded, self.is_void) = (false, false, false);
    }

    /// Evaluates nothing more for the state.
    pub fn give_up(&mut self, all: &Liveness, state: &[u32]) {
        self.begin(all, state);
        self.is_void = true;
    }

    /// Labels the step just found.
    pub fn step(&mut self, all: &Liveness, tests: &mut impl LabelTests, target: &[u32]) -> Result<(), Fault> {
        clear(&mut self.step, all.step_labels.len());
        if self.is_void {
            return Ok(());
        }
        let is_stuttering = self.source == target;
        self.has_moved |= !is_stuttering;
        for (i, label) in all.step_labels.iter().enumerate() {
            let holds = match label.test {
                _ if is_stuttering => label.on_stuttering,
                StepTest::Always(_) => tests.moves(i)?,
                StepTest::Proc(_) if has_bit(&self.impossible, i) => false,
                StepTest::Proc(_) => tests.step_label(i)?,
            };
            if holds {
                set_bit(&mut self.step, i);
            }
        }
        Ok(())
    }

    /// The rest of [`Labels::enter`], after the state was expanded.
    pub fn leave(&mut self, all: &Liveness, tests: &mut impl LabelTests) -> Result<(), Fault> {
        for (i, label) in all.state_labels.iter().enumerate() {
            // A step that an action constraint excludes may still be one.
            if all.is_of_every_step(label.enables)
                && (self.has_moved || self.has_excluded && tests.state_label(i)?)
            {
                set_bit(&mut self.state, i);
            }
        }
        Ok(())
    }
}

impl Liveness {
    /// Whether a label on steps is one that every step has.
    pub fn is_of_every_step(&self, label: Option<u32>) -> bool {
        label.is_some_and(|it| matches!(self.step_labels[it as usize].test, StepTest::Always(_)))
    }
}

/// Labels by evaluation, in the machine's states.
pub(crate) struct Evaluated<'e, 't, 'i>(pub &'e TlaModel<'i>, pub &'e mut Machine<'t, 'i>);

impl LabelTests for Evaluated<'_, '_, '_> {
    fn state_label(&mut self, n: usize) -> Result<bool, Fault> {
        let Evaluated(model, machine) = self;
        let label = &model.compiled.liveness.state_labels[n];
        if label.abstraction.is_empty() {
            return machine.test(label.proc);
        }
        // The module that the label comes from has variables of its own, which stand behind those of the state.
        // One may be made of those before it: a module is instantiated by one that is instantiated itself.
        let mut values = machine.state.current.all();
        for &proc in &label.abstraction {
            let state = machine.state_of(values.clone(), 0);
            values.push(machine.in_state(state, StepContext::default(), |machine| machine.run(proc))?);
        }
        let state = machine.state_of(values, 0);
        machine.in_state(state, StepContext::default(), |machine| machine.test(label.proc))
    }

    fn stuttering_label(&mut self, n: usize) -> Result<bool, Fault> {
        let machine = &mut *self.1;
        let next: Vec<_> = machine.state.current.all().into_iter().map(Some).collect();
        let step = StepContext {
            next,
            ..StepContext::default()
        };
        match self.0.compiled.liveness.step_labels[n].test {
            StepTest::Always(_) => Ok(false),
            StepTest::Proc(proc) => machine.in_step(step, |machine| machine.test(proc)),
        }
    }

    fn step_label(&mut self, n: usize) -> Result<bool, Fault> {
        match self.0.compiled.liveness.step_labels[n].test {
            StepTest::Always(_) => self.moves(n),
            StepTest::Proc(proc) => {
                let holds = self.1.test(proc);
                holds.or_else(|fault| self.1.is_among_steps(proc, fault))
            }
        }
    }

    fn moves(&mut self, n: usize) -> Result<bool, Fault> {
        match self.0.compiled.liveness.step_labels[n].test {
            StepTest::Always(changed) => self.1.test(changed),
            StepTest::Proc(_) => self.step_label(n),
        }
    }
}

fn clear(bits: &mut Vec<u64>, n: usize) {
    bits.clear();
    bits.resize(n.div_ceil(64), 0);
}

fn set_bit(bits: &mut [u64], i: usize) {
    bits[i / 64] |= 1 << (i % 64);
}

fn has_bit(bits: &[u64], i: usize) -> bool {
    bits[i / 64] >> (i % 64) & 1 == 1
}
