//! `TLCExt`: assertions about errors, traces, model values by name.

use tla_sema::ir::ExprId;
use value::{Owned, Text, Value};

use super::registers::bring;
use super::{Row, effect, lazy, row};
use crate::error::{ErrorKind, Fault};
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    effect("TLCExt", "AssertEq", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        let equal = machine.same(a, b, at)?;
        if !equal {
            machine.effects.print(&format!("AssertEq: {a} is not {b}"));
        }
        Ok(Value::bool(equal))
    }),
    lazy("TLCExt", "AssertError", "vv", |machine, given, at| {
        let expected = machine.lazy_arg(given, 0)?;
        let expected = machine.string(expected, at)?;
        match attempt(machine, given)? {
            None => Ok(Value::FALSE),
            Some(kind) => Ok(Value::bool(
                told_by_tlc(&kind).is_none_or(|message| message == expected.as_str()),
            )),
        }
    }),
    row("TLCExt", "TLCNoOp", "v", |machine, given, _| {
        Ok(machine.value_arg(given, 0))
    }),
    // Nobody chooses a successor here, so there is no moment to evaluate the expression.
    lazy("TLCExt", "TLCDefer", "v", |_, _, _| Ok(Value::TRUE)),
    effect("TLCExt", "PickSuccessor", "v", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        // Nobody is asked: every successor is taken.
        machine.boolean(value, at).map(|_| Value::TRUE)
    }),
    row("TLCExt", "TLCModelValue", "v", |machine, given, at| {
        let name = machine.value_arg(given, 0);
        Ok(Value::Model(machine.string(name, at)?))
    }),
    row("TLCExt", "TLCFP", "v", |machine, given, _| {
        // Equal values have equal numbers, however they are written.
        let value = machine.value_arg(given, 0);
        let spelt = value.to_owned_value().and_then(|it| it.copy_to(machine.arena));
        Ok(Value::Int(i64::from(spelt.unwrap_or(value).hash64() as i32)))
    }),
    effect("TLCExt", "Trace", "", |machine, _, at| trace(machine, at)),
    effect("TLCExt", "CounterExample", "", |machine, _, at| {
        let empty = || Owned::record([("action", Owned::Set(vec![])), ("state", Owned::Set(vec![]))]);
        let found = machine.effects.counterexample().unwrap_or_else(empty);
        bring(machine, &found, at)
    }),
    row("TLCExt", "ToTrace", "v", |machine, given, at| {
        let counterexample = machine.value_arg(given, 0);
        let states = machine.field(counterexample, "state", at)?;
        // Pairs of a position and a state, sorted by position.
        let mut trace = vec![];
        for &pair in machine.items(states, at)? {
            match machine.sequence(pair, at)? {
                &[_, state] => trace.push(state),
                _ => return Err(machine.wrong("a pair of a position and a state", pair, at)),
            }
        }
        Ok(machine.tuple(&trace))
    }),
    effect("TLCExt", "TLCEvalDefinition", "v", |machine, _, at| {
        Err(machine.undefined(
            "TLCEvalDefinition",
            "definitions are not found by name while evaluating",
            at,
        ))
    }),
];

/// Evaluates the second argument and tells its error.
fn attempt<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    given: &[super::Given<'t, 'i>],
) -> Result<Option<ErrorKind>, Fault> {
    let before = (machine.stack.len(), machine.base, machine.step.primed);
    match machine.lazy_arg(given, 1) {
        Ok(_) => Ok(None),
        Err(Fault::Error) => {
            machine.stack.truncate(before.0);
            (machine.base, machine.step.primed) = (before.1, before.2);
            Ok(machine.error.take().map(|it| it.kind))
        }
        Err(other) => Err(other),
    }
}

/// TLC's words for an error, where a specification is likely to quote them. For other errors it is enough to happen: our
/// words are our own.
fn told_by_tlc(kind: &ErrorKind) -> Option<String> {
    match kind {
        ErrorKind::Assertion { message } => Some(format!(
            "The first argument of Assert evaluated to FALSE; the second argument was:\n\"{message}\""
        )),
        _ => None,
    }
}

fn trace<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, at: ExprId) -> Res<'t> {
    let mut state = vec![];
    for i in 0..machine.state.current.len() {
        let value = machine.state.current[i];
        state.push(
            value
                .to_owned_value()
                .map_err(|it| machine.trouble(it, &[value], at))?,
        );
    }
    let names: Vec<Text> = machine
        .program
        .variables
        .iter()
        .map(|it| Text::from(*it))
        .collect();
    let walked = machine.walk.as_ref().and_then(|it| it.trace(&names));
    let n_before = (machine.state.level as usize).saturating_sub(1);
    let states = match machine.effects.trace(&state) {
        // Of a state that a walk only looks at, the walk so far is the way to it.
        None if let Some(mut states) = walked.filter(|it| it.len() >= n_before) => {
            states.truncate(n_before);
            states.push(Owned::Record(names.into_iter().zip(state).collect()));
            states
        }
        Some(states) => states,
        // An initial state is its own trace.
        None if machine.state.level == 1 => {
            vec![Owned::Record(names.into_iter().zip(state).collect())]
        }
        None => return Err(machine.undefined("Trace", "the way to the current state is not at hand", at)),
    };
    bring(machine, &Owned::Tuple(states), at)
}
