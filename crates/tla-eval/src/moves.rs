//! One state at a time, for someone who plays: initial states, every step from a state with its parameters, formulas in a
//! state or in a step.
//!
//! A search wants successors fast and forgets how it came to them; a player wants each of them with its name, and asks
//! for few. So this is the evaluator without tables, and every next state is kept with the choices that led to it.
//! Nothing is printed or stored while steps are looked for: a player goes back and forth.

use std::ops::ControlFlow;

use tla_sema::{Levels, Spec};
use util::FxHashSet;
use value::{Arena, Owned, Text, Value};

use crate::blame::Blame;
use crate::code::{ProcId, Program};
use crate::effects::Quiet;
use crate::error::{EvalError, Fault};
use crate::machine::Machine;
use crate::model::{TlaModel, take_error};
use crate::step::{Parameter, parameters_of};

/// A step that can be taken.
#[derive(Clone, Debug)]
pub struct Move {
    /// The definition that names the step.
    pub action: ProcId,
    pub parameters: Vec<Parameter>,
    pub state: Vec<u32>,
    /// An action constraint rules it out.
    pub is_excluded: bool,
}

/// What was found, up to a limit.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    pub moves: Vec<Move>,
    /// There are more.
    pub is_cut: bool,
    known: FxHashSet<(ProcId, Vec<u32>)>,
}

/// Where formulas are evaluated: a state, and the one after it for formulas about a step.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    pub state: &'a [u32],
    pub next: Option<&'a [u32]>,
    /// Of the state; an initial one is at 1.
    pub depth: u32,
}

/// Who looks for moves: one for each thread.
pub struct Stepper<'m, 'i> {
    model: &'m TlaModel<'i>,
    interned: &'i Arena,
    scratch: Arena,
}

impl<'m, 'i> Stepper<'m, 'i> {
    pub fn new(model: &'m TlaModel<'i>) -> Stepper<'m, 'i> {
        Stepper {
            model,
            interned: model.heap.arena(),
            scratch: Arena::new(),
        }
    }

    /// The initial states, each once.
    pub fn initial(&mut self, moves_max: usize) -> Result<Moves, EvalError> {
        self.scratch.reset();
        let (model, interned) = (self.model, self.interned);
        let quiet = Quiet::new(model.compiled.effects);
        let mut machine = Machine::new(model.compiled.program, &self.scratch, interned, &quiet);
        let mut found = Moves::default();
        let init = model.compiled.relation.init;
        let flow = machine.initial(init, model.n_variables(), &mut |machine, action| {
            let state = intern(model, interned, machine, action)?;
            Ok(found.add(moves_max, action, vec![], state, false).is_break())
        });
        match flow {
            Ok(_) => Ok(found),
            Err(fault) => Err(take_error(&mut machine, fault, init)),
        }
    }

    /// The steps from a state. Several ways to take one action to one state are one step, with the parameters of the first.
    pub fn steps(
        &mut self,
        spec: &Spec,
        state: &[u32],
        depth: u32,
        moves_max: usize,
    ) -> Result<Moves, EvalError> {
        let mut found = Moves::default();
        let (model, interned) = (self.model, self.interned);
        let Some(next) = model.compiled.relation.next else {
            return Ok(found);
        };
        self.scratch.reset();
        let quiet = Quiet::new(model.compiled.effects);
        let mut machine = Machine::new(model.compiled.program, &self.scratch, interned, &quiet);
        model.set_current(&mut machine, state);
        machine.state.level = depth;
        machine.step.choices = Some(vec![]);
        let mut levels = Levels::new(spec);
        let flow = machine.successors(next, &mut |machine, action| {
            let parameters = parameters_of(machine, spec, &mut levels);
            let state = intern(model, interned, machine, action)?;
            let mut is_excluded = false;
            let constraints = &model.compiled.constraints;
            for check in constraints.exclusions.iter().chain(&constraints.actions) {
                is_excluded |= !machine.test(check.proc)?;
            }
            Ok(found
                .add(moves_max, action, parameters, state, is_excluded)
                .is_break())
        });
        match flow {
            Ok(_) => Ok(found),
            Err(fault) => Err(take_error(&mut machine, fault, next)),
        }
    }

    /// Whether a predicate of the model holds.
    pub fn test(&mut self, proc: ProcId, at: Moment<'_>) -> Result<bool, EvalError> {
        self.evaluate(self.model.compiled.program, proc, at, |value| match value {
            Value::Bool(it) => Some(it.get()),
            _ => None,
        })
    }

    /// The value of an expression of a program with the same variables, as text and as data.
    pub fn value(
        &mut self,
        program: &'i Program<'i>,
        proc: ProcId,
        at: Moment<'_>,
    ) -> Result<(String, Owned), EvalError> {
        self.evaluate(program, proc, at, |value| {
            let text = value.to_string();
            let owned = value
                .to_owned_value()
                .unwrap_or_else(|_| Owned::Model(Text::new(&text)));
            Some((text, owned))
        })
    }

    fn evaluate<R>(
        &mut self,
        program: &'i Program<'i>,
        proc: ProcId,
        at: Moment<'_>,
        take: impl FnOnce(Value<'_>) -> Option<R>,
    ) -> Result<R, EvalError> {
        self.scratch.reset();
        let model = self.model;
        let quiet = Quiet::new(model.compiled.effects);
        let mut machine = Machine::new(program, &self.scratch, self.interned, &quiet);
        machine.state.current = model.arranged(program, at.state, &self.scratch).into();
        let next = at.next.map(|it| model.arranged(program, it, &self.scratch));
        let next = next.unwrap_or_default();
        machine.step.next = next.into_iter().map(Some).collect();
        machine.state.level = at.depth;
        let outcome = machine.run(proc);
        match outcome {
            Ok(value) => match take(value) {
                Some(it) => Ok(it),
                None => {
                    let place = program.procs[proc].body.at;
                    let fault = machine.wrong("a Boolean", value, place);
                    Err(take_error(&mut machine, fault, proc))
                }
            },
            Err(fault) => Err(take_error(&mut machine, fault, proc)),
        }
    }

    /// Why a predicate of the model is false.
    pub fn blame(&mut self, spec: &Spec, proc: ProcId, at: Moment<'_>) -> Option<Blame> {
        self.scratch.reset();
        self.model.blame_in(
            (&self.scratch, self.interned),
            spec,
            proc,
            at.state,
            at.next,
            at.depth,
        )
    }
}

impl Moves {
    fn add(
        &mut self,
        moves_max: usize,
        action: ProcId,
        parameters: Vec<Parameter>,
        state: Vec<u32>,
        is_excluded: bool,
    ) -> ControlFlow<()> {
        if !self.known.insert((action, state.clone())) {
            return ControlFlow::Continue(());
        }
        if self.moves.len() >= moves_max {
            self.is_cut = true;
            return ControlFlow::Break(());
        }
        self.moves.push(Move {
            action,
            parameters,
            state,
            is_excluded,
        });
        ControlFlow::Continue(())
    }
}

fn intern<'i>(
    model: &TlaModel<'i>,
    interned: &'i Arena,
    machine: &mut Machine<'_, 'i>,
    action: ProcId,
) -> Result<Vec<u32>, Fault> {
    let mut state = vec![];
    model.encode_next(machine, interned, action, &mut state)?;
    Ok(state)
}

impl<'i> TlaModel<'i> {
    /// The values of a state in the order in which a program with the same variables has them.
    fn arranged<'t>(&self, program: &Program<'_>, state: &[u32], arena: &'t Arena) -> Vec<Value<'t>>
    where
        'i: 't,
    {
        let values = self.decode(state, arena);
        if std::ptr::addr_eq(program, self.compiled.program) {
            return values;
        }
        let own = &self.compiled.program.variables;
        let place = |name| own.iter().position(|it| *it == name);
        let found: Option<Vec<Value<'t>>> = program
            .variables
            .iter()
            .map(|&name| values.get(place(name)?).copied())
            .collect();
        found.unwrap_or_default()
    }
}
