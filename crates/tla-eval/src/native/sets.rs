//! `FiniteSets`.

use value::Value;

use super::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row("FiniteSets", "IsFiniteSet", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        value::is_finite(set)
            .map(Value::bool)
            .map_err(|it| machine.trouble(it, &[set], at))
    }),
    row("FiniteSets", "Cardinality", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        match set {
            Value::Set(it) => Ok(Value::Int(it.items.len() as i64)),
            Value::Bits(it) => Ok(Value::Int(it.len() as i64)),
            _ => match value::cardinality(set) {
                Ok(size) => Ok(Value::big(size.into(), machine.arena)),
                Err(trouble) => Err(machine.trouble(trouble, &[set], at)),
            },
        }
    }),
];
