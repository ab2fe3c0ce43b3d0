//! `Naturals`, `Integers`, `Reals`: arithmetic is compiled to code of its own; here is the rest.

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
    arith("Integers", "+", Arith::Add),
    arith("Integers", "-", Arith::Sub),
    arith("Integers", "*", Arith::Mul),
    arith("Integers", "^", Arith::Pow),
    arith("Integers", "<", Arith::Lt),
    arith("Integers", ">", Arith::Gt),
    arith("Integers", "<=", Arith::Le),
    arith("Integers", ">=", Arith::Ge),
    arith("Integers", "%", Arith::Mod),
    arith("Integers", "\\div", Arith::Div),
    arith("Integers", "..", Arith::Range),
    row("Naturals", "Nat", |_, _, _| Ok(Value::Symbolic(&Symbolic::Nat))),
    row("Integers", "Nat", |_, _, _| Ok(Value::Symbolic(&Symbolic::Nat))),
    row("Integers", "Int", |_, _, _| Ok(Value::Symbolic(&Symbolic::Int))),
    row("Integers", "-.", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        value::negate(value, machine.arena).map_err(|it| machine.trouble(it, &[value], at))
    }),
    row("Reals", "Real", |_, _, _| Ok(Value::Symbolic(&Symbolic::Real))),
];
