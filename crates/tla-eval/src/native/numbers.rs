//! `Naturals`, `Integers`, `Reals` and the modules they stand on: arithmetic is compiled to code of its own; here is the
//! rest. Real numbers other than integers are not computed with.

use num_bigint::BigInt;
use value::{Symbolic, Value};

use super::{Row, arith, row};
use crate::code::Arith;

pub(super) const ROWS: &[Row] = &[
    arith("Naturals", "+", Arith::Add),
    arith("Naturals", "-", Arith::Sub),
    arith("Naturals", "*", Arith::Mul),
    arith("Naturals", "^", Arith::Pow),
    arith("Naturals", "<", Arith::Lt),
    arith("Naturals", ">", Arith::Gt),
    arith("Naturals", "<=", Arith::Le),
    arith("Naturals", ">=", Arith::Ge),
    arith("Naturals", "%", Arith::Mod),
    arith("Naturals", "\\div", Arith::Div),
    arith("Naturals", "..", Arith::Range),
    arith("ProtoReals", "+", Arith::Add),
    arith("ProtoReals", "-", Arith::Sub),
    arith("ProtoReals", "*", Arith::Mul),
    arith("ProtoReals", "^", Arith::Pow),
    arith("ProtoReals", "<=", Arith::Le),
    row("Naturals", "Nat", "", |_, _, _| {
        Ok(Value::Symbolic(&Symbolic::Nat))
    }),
    row("Peano", "Nat", "", |_, _, _| Ok(Value::Symbolic(&Symbolic::Nat))),
    row("Peano", "Zero", "", |_, _, _| Ok(Value::Int(0))),
    row("ProtoReals", "Int", "", |_, _, _| {
        Ok(Value::Symbolic(&Symbolic::Int))
    }),
    row("ProtoReals", "Real", "", |_, _, _| {
        Ok(Value::Symbolic(&Symbolic::Real))
    }),
    row("Integers", "Int", "", |_, _, _| {
        Ok(Value::Symbolic(&Symbolic::Int))
    }),
    row("Integers", "-.", "v", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        value::negate(value, machine.arena).map_err(|it| machine.trouble(it, &[value], at))
    }),
    row("Reals", "Real", "", |_, _, _| {
        Ok(Value::Symbolic(&Symbolic::Real))
    }),
    row("Reals", "/", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        let quotient = value::divide(a, b, machine.arena).map_err(|it| machine.trouble(it, &[a, b], at))?;
        let back =
            value::multiply(quotient, b, machine.arena).map_err(|it| machine.trouble(it, &[a, b], at))?;
        match machine.same(back, a, at)? {
            true => Ok(quotient),
            false => Err(machine.undefined(
                "/",
                format!("{a} / {b} is no integer, and only those are computed"),
                at,
            )),
        }
    }),
    row("Reals", "Infinity", "", |machine, _, at| {
        Err(machine.undefined(
            "Infinity",
            "it is a value that no number equals, and has no other properties",
            at,
        ))
    }),
    row("Combinatorics", "choose", "vv", |machine, given, at| {
        let [n, k] = machine.values(given);
        let (n, k) = (machine.natural(n, at)?, machine.natural(k, at)?);
        if k > n {
            return Ok(Value::Int(0));
        }
        // Each product of i neighbours is divisible by i!.
        let k = k.min(n - k);
        let product = (1..=k).fold(BigInt::from(1), |product, i| product * (n - k + i) / i);
        Ok(Value::big(product, machine.arena))
    }),
];
