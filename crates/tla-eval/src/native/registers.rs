//! `TLCGet` and `TLCSet`: values that outlive a state, and questions about the run.

use tla_sema::ir::ExprId;
use value::{Owned, Truth, Value};

use super::{Row, effect};
use crate::effects::{Register, Request};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    effect("TLC", "TLCGet", "v", |machine, given, at| {
        let key = machine.value_arg(given, 0);
        if let Value::Str(name) = key
            && !name.as_str().starts_with(NAMED)
        {
            return about(machine, name.as_str(), at);
        }
        let register = register(machine, key, "TLCGet", at)?;
        match machine.registers().get(register) {
            Some(value) => bring(machine, &value, at),
            None => Err(machine.undefined("TLCGet", format!("nothing was stored under {key} before"), at)),
        }
    }),
    effect("TLC", "TLCSet", "vv", |machine, given, at| {
        let [key, value] = machine.values(given);
        let request = match key {
            Value::Str(name) if name.as_str() == "exit" => Some(Request::Exit),
            Value::Str(name) if name.as_str() == "pause" => Some(Request::Pause),
            _ => None,
        };
        match request {
            Some(request) => {
                if let Value::Bool(Truth::True) = value {
                    machine.effects.request(request);
                }
            }
            None => {
                let register = register(machine, key, "TLCSet", at)?;
                store(machine, register, value, at)?;
            }
        }
        Ok(Value::TRUE)
    }),
    effect("TLCExt", "TLCGetOrDefault", "vv", |machine, given, at| {
        let [key, default] = machine.values(given);
        let known = match key {
            Value::Int(_) => true,
            Value::Str(name) => name.as_str().starts_with(NAMED),
            _ => false,
        };
        if !known {
            return Ok(default);
        }
        let register = register(machine, key, "TLCGetOrDefault", at)?;
        match machine.registers().get(register) {
            Some(value) => bring(machine, &value, at),
            None => Ok(default),
        }
    }),
    effect("TLCExt", "TLCGetAndSet", "v2vv", |machine, given, at| {
        let (key, op) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let (value, default) = (machine.value_arg(given, 2), machine.value_arg(given, 3));
        let register = register(machine, key, "TLCGetAndSet", at)?;
        let old = match machine.registers().get(register) {
            Some(value) => bring(machine, &value, at)?,
            None => default,
        };
        let new = machine.call_closure(op, &[old, value])?;
        store(machine, register, new, at)?;
        Ok(old)
    }),
];

/// Registers with names begin with this.
const NAMED: &str = "s:";

fn register<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    key: Value<'t>,
    operator: &'static str,
    at: ExprId,
) -> Result<Register, Fault> {
    match key {
        Value::Int(n) if n >= 0 => Ok(Register::Number(n)),
        Value::Str(name) if name.as_str().starts_with(NAMED) => Ok(Register::Name(name)),
        other => {
            let why = format!(
                "{other} names no register: a register is a natural number, or a string like \"s:name\""
            );
            Err(machine.undefined(operator, why, at))
        }
    }
}

/// A copy where values of this state live.
pub(super) fn bring<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, value: &Owned, at: ExprId) -> Res<'t> {
    value
        .copy_to(machine.arena)
        .map_err(|it| machine.trouble(it, &[], at))
}

fn store<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    register: Register,
    value: Value<'t>,
    at: ExprId,
) -> Result<(), Fault> {
    let owned = value
        .to_owned_value()
        .map_err(|it| machine.trouble(it, &[value], at))?;
    machine.registers().set(register, owned);
    Ok(())
}

/// `TLCGet("…")`.
fn about<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, name: &str, at: ExprId) -> Res<'t> {
    if name == "level" {
        // Primed, it is that of the next state; while there is none yet, as in an initial predicate, it is 0.
        let is_after = machine.step.primed && machine.state.level > 0;
        let level = machine.state.level + u32::from(is_after);
        return Ok(Value::Int(i64::from(level)));
    }
    if let Some(value) = machine.effects.statistic(name) {
        return bring(machine, &value, at);
    }
    let registers = machine.registers();
    let all = |named: bool| -> Vec<(Owned, Owned)> {
        let all = registers.of_all_workers().into_iter();
        all.filter_map(|(register, values)| match register {
            Register::Number(n) if !named => Some((Owned::Int(n), Owned::Tuple(values))),
            Register::Name(name) if named => Some((Owned::Str(name), Owned::Tuple(values))),
            _ => None,
        })
        .collect()
    };
    match name {
        "all" => bring(machine, &Owned::Fun(all(false)), at),
        "all:named" => bring(machine, &Owned::Fun(all(true)), at),
        _ => Err(machine.undefined("TLCGet", format!("\"{name}\" is not known here"), at)),
    }
}
