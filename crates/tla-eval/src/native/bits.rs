//! `Bitwise`: natural numbers as rows of binary digits, of any length.

use num_bigint::BigUint;
use tla_sema::ir::ExprId;
use value::Value;

use super::{Row, row};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("Bitwise", "&", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        both(machine, a, b, at, |a, b| a & b)
    }),
    row("Bitwise", "|", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        both(machine, a, b, at, |a, b| a | b)
    }),
    row("Bitwise", "^^", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        both(machine, a, b, at, |a, b| a ^ b)
    }),
    row("Bitwise", "Not", "v", |machine, given, at| {
        let [a] = machine.values(given);
        let a = digits(machine, a, at)?;
        // The digits of the number, and none beyond them.
        let all = (BigUint::from(1u8) << a.bits()) - 1u8;
        Ok(Value::big((a ^ all).into(), machine.arena))
    }),
    row("Bitwise", "shiftR", "vv", |machine, given, at| {
        let [n, pos] = machine.values(given);
        let (n, pos) = (digits(machine, n, at)?, machine.natural(pos, at)?);
        Ok(Value::big((n >> pos).into(), machine.arena))
    }),
];

fn digits<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, value: Value<'t>, at: ExprId) -> Result<BigUint, Fault> {
    let natural = match value {
        Value::Int(it) => BigUint::try_from(it).ok(),
        Value::Big(it) => BigUint::try_from(it).ok(),
        _ => None,
    };
    natural.ok_or_else(|| machine.wrong("a natural number", value, at))
}

fn both<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    a: Value<'t>,
    b: Value<'t>,
    at: ExprId,
    op: fn(BigUint, BigUint) -> BigUint,
) -> Res<'t> {
    let (a, b) = (digits(machine, a, at)?, digits(machine, b, at)?);
    Ok(Value::big(op(a, b).into(), machine.arena))
}
