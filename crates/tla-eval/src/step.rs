//! Which step it was: the action with the values that its parameters and bound names had.
//!
//! The search keeps states, not how it came to them. Here one step is looked for again, by the evaluator without any
//! table, and the choices on the way to it are noted: the arguments of the definition that names the step, and what
//! every `\E` chose that has a step as its body; one in a guard chooses nothing that a person would call part of the step. Nothing is printed or stored while a step is looked for.

use tla_sema::ir::{self, ExprId, ExprKind, Level};
use tla_sema::{Levels, Spec};
use util::Symbol;
use value::{Owned, Value};

use crate::code::{Arg, ProcId};
use crate::effects::Quiet;
use crate::machine::{Cell, Machine};
use crate::model::TlaModel;

/// Noted on the way to a next state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice<'t, 'i> {
    /// A definition that names the step, where its frame begins, and what it was called with.
    Action {
        proc: ProcId,
        base: usize,
        args: &'i [Arg<'i>],
    },
    /// What a quantifier chose for the bound that is so far from its last one.
    Bound {
        quantifier: ExprId,
        left: usize,
        value: Value<'t>,
    },
}

/// A parameter or bound name of an action, and its value in one step.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Symbol,
    /// TLA+ text.
    pub text: String,
    /// Absent for a value that cannot be written out.
    pub value: Option<Owned>,
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Notes a choice; what is returned undoes it.
    #[inline]
    pub(crate) fn note_choice(&mut self, quantifier: ExprId, left: usize, value: Value<'t>) -> usize {
        self.note(Choice::Bound {
            quantifier,
            left,
            value,
        })
    }

    #[inline]
    pub(crate) fn enter_action(&mut self, proc: ProcId, base: usize, args: &'i [Arg<'i>]) -> usize {
        self.note(Choice::Action { proc, base, args })
    }

    #[inline]
    fn note(&mut self, choice: Choice<'t, 'i>) -> usize {
        match &mut self.step.choices {
            None => usize::MAX,
            Some(choices) => {
                choices.push(choice);
                choices.len() - 1
            }
        }
    }

    #[inline]
    pub(crate) fn unchoose(&mut self, to: usize) {
        if let Some(choices) = &mut self.step.choices {
            choices.truncate(to);
        }
    }

    /// The value of a cell, evaluated if need be.
    pub(crate) fn cell_value(&mut self, cell: Cell<'t, 'i>) -> Option<Value<'t>> {
        let (Cell::Thunk(thunk) | Cell::ByName(thunk)) = cell else {
            return match cell {
                Cell::Value(value) => Some(value),
                _ => None,
            };
        };
        let outer = (self.base, self.step.primed);
        (self.base, self.step.primed) = (thunk.base, thunk.primed);
        let value = self.eval(thunk.code).ok();
        (self.base, self.step.primed) = outer;
        self.error = None;
        value
    }
}

impl<'i> TlaModel<'i> {
    /// The parameters of the step from a state, which is at `depth`, to the next one; empty when it has none, or is not
    /// found again.
    pub fn parameters(
        &self,
        spec: &Spec,
        step: (&[u32], &[u32]),
        action: ProcId,
        depth: u32,
    ) -> Vec<Parameter> {
        let (Some(next), (before, after)) = (self.compiled.relation.next, step) else {
            return vec![];
        };
        let arena = self.heap.arena();
        let quiet = Quiet::new(self.compiled.effects);
        let mut machine = Machine::new(self.compiled.program, arena, arena, &quiet);
        self.set_current(&mut machine, before);
        machine.state.level = depth;
        machine.step.choices = Some(vec![]);
        let mut parameters = vec![];
        // An error is told elsewhere; here it means that the step is not found.
        let _ = machine.successors(next, &mut |machine, found| {
            let is_it = found == action && self.is_next(machine, after, arena);
            if is_it {
                parameters = parameters_of(machine, spec, &mut Levels::new(spec));
            }
            Ok(is_it)
        });
        parameters
    }

    fn is_next(&self, machine: &Machine<'_, 'i>, state: &[u32], arena: &'i value::Arena) -> bool {
        let mut slots = vec![0; state.len()];
        let mut encoded = machine.step.next.iter().zip(0..).map(|(it, var)| {
            let value = (*it)?;
            self.prepared
                .layout
                .encode(
                    var,
                    value,
                    &self.heap.interner,
                    (arena, machine.arena),
                    &mut slots,
                )
                .ok()
        });
        encoded.all(|it| it.is_some()) && slots == state
    }
}

pub(crate) fn parameters_of<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    spec: &Spec,
    levels: &mut Levels<'_>,
) -> Vec<Parameter> {
    let choices = machine.step.choices.take().unwrap_or_default();
    let mut parameters = vec![];
    for &choice in &choices {
        match choice {
            Choice::Action { proc, base, args } => {
                parameters = arguments(machine, (spec, levels), (proc, base), args);
            }
            Choice::Bound {
                quantifier,
                left,
                value,
            } if levels.of(quantifier) > Level::State => {
                bound(spec, quantifier, left, value, &mut parameters);
            }
            Choice::Bound { .. } => {}
        }
    }
    machine.step.choices = Some(choices);
    parameters
}

fn parameter(spec: &Spec, local: ir::LocalId, value: Value<'_>) -> Parameter {
    Parameter {
        name: spec.locals[local].name,
        text: value.to_string(),
        value: value.to_owned_value().ok(),
    }
}

/// The values of the parameters of a definition. An argument that speaks of the next state is an action, and no value.
fn arguments<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    (spec, levels): (&Spec, &mut Levels<'_>),
    (proc, base): (ProcId, usize),
    args: &'i [Arg<'i>],
) -> Vec<Parameter> {
    let program = machine.program;
    let proc = &program.procs[proc];
    let Some(def) = proc.def else { return vec![] };
    let first = base + usize::from(proc.linked);
    let mut parameters = vec![];
    for ((&local, arg), index) in spec.defs[def].params.iter().zip(args).zip(first..) {
        let (Arg::Value(code) | Arg::Lazy(code) | Arg::ByName(code)) = arg else {
            continue;
        };
        if levels.of(code.at) > Level::State {
            continue;
        }
        let cell = machine.stack.get(index).copied().unwrap_or(Cell::Empty);
        if let Some(value) = machine.cell_value(cell) {
            parameters.push(parameter(spec, local, value));
        }
    }
    parameters
}

fn bound(spec: &Spec, quantifier: ExprId, left: usize, value: Value<'_>, parameters: &mut Vec<Parameter>) {
    let ExprKind::Quant { bounds, .. } = &spec.exprs[quantifier].kind else {
        return;
    };
    let Some(bound) = bounds.len().checked_sub(left).and_then(|it| bounds.get(it)) else {
        return;
    };
    let mut add = |local: ir::LocalId, value: Value<'_>| {
        // Rules that move together often choose by the same names; the outermost one tells.
        let name = spec.locals[local].name;
        if !parameters.iter().any(|it| it.name == name) {
            parameters.push(parameter(spec, local, value));
        }
    };
    match (&bound.pattern, value) {
        (ir::Pattern::One(local), _) => add(*local, value),
        (ir::Pattern::Tuple(locals), Value::Tuple(tuple)) => {
            locals
                .iter()
                .zip(tuple.items)
                .for_each(|(&local, &it)| add(local, it));
        }
        _ => {}
    }
}
