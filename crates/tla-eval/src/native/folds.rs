//! Every fold of the library, as a loop: over sets in their order, over sequences from one end or the other.

use tla_sema::ir::ExprId;
use value::Value;

use super::{Given, Row, row};
use crate::machine::{Closure, Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("Folds", "MapThenFoldSet", "2v11v", |machine, given, at| {
        let (op, base) = (machine.operator_arg(given, 0), machine.value_arg(given, 1));
        let (map, choose) = (machine.operator_arg(given, 2), machine.operator_arg(given, 3));
        let set = machine.value_arg(given, 4);
        let mut rest = Value::sorted_set(machine.items(set, at)?, machine.arena);
        // The first chosen is applied last.
        let mut chosen = vec![];
        while !machine.items(rest, at)?.is_empty() {
            let item = machine.call_closure(choose, &[rest])?;
            let one = machine.set_of(&[item], at)?;
            let fewer =
                value::difference(rest, one, machine.arena).map_err(|it| machine.trouble(it, &[rest], at))?;
            if machine.same(fewer, rest, at)? {
                return Err(machine.undefined(
                    "MapThenFoldSet",
                    format!("{item} was chosen, but is not in {rest}"),
                    at,
                ));
            }
            chosen.push(item);
            rest = fewer;
        }
        let mut value = base;
        for item in chosen.into_iter().rev() {
            let mapped = machine.call_closure(map, &[item])?;
            value = machine.call_closure(op, &[mapped, value])?;
        }
        Ok(value)
    }),
    row("FiniteSetsExt", "FoldSet", "2vv", |machine, given, at| {
        let (op, base, set) = three(machine, given);
        let items = machine.items(set, at)?;
        inward(machine, op, base, items.iter().copied())
    }),
    row("FiniteSetsExt", "ReduceSet", "2vv", |machine, given, at| {
        let (op, set, base) = three(machine, given);
        let items = machine.items(set, at)?;
        inward(machine, op, base, items.iter().copied())
    }),
    row("FiniteSetsExt", "SumSet", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        let items = machine.items(set, at)?;
        total(machine, items.iter().copied(), at)
    }),
    row("FiniteSetsExt", "ProductSet", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        let mut product = Value::Int(1);
        for &item in machine.items(set, at)? {
            let next = value::multiply(product, item, machine.arena);
            product = next.map_err(|it| machine.trouble(it, &[item, product], at))?;
        }
        Ok(product)
    }),
    row("FiniteSetsExt", "MapThenSumSet", "1v", |machine, given, at| {
        let (op, set) = (machine.operator_arg(given, 0), machine.value_arg(given, 1));
        let mut values = vec![];
        for &item in machine.items(set, at)? {
            values.push(machine.call_closure(op, &[item])?);
        }
        total(machine, values.into_iter(), at)
    }),
    row("SequencesExt", "FoldLeft", "2vv", |machine, given, at| {
        let (op, base, sequence) = three(machine, given);
        let items = machine.sequence(sequence, at)?;
        outward(machine, op, base, items.iter().copied())
    }),
    row("SequencesExt", "FoldRight", "2vv", |machine, given, at| {
        let (op, sequence, base) = three(machine, given);
        let items = machine.sequence(sequence, at)?;
        inward(machine, op, base, items.iter().rev().copied())
    }),
    row("SequencesExt", "FoldSeq", "2vv", |machine, given, at| {
        let (op, base, sequence) = three(machine, given);
        let items = machine.sequence(sequence, at)?;
        inward(machine, op, base, items.iter().copied())
    }),
    row("SequencesExt", "FoldLeftDomain", "2vv", |machine, given, at| {
        let (op, base, sequence) = three(machine, given);
        let n = machine.sequence(sequence, at)?.len() as i64;
        outward(machine, op, base, (1..=n).map(Value::Int))
    }),
    row("SequencesExt", "FoldRightDomain", "2vv", |machine, given, at| {
        let (op, sequence, base) = three(machine, given);
        let n = machine.sequence(sequence, at)?.len() as i64;
        inward(machine, op, base, (1..=n).rev().map(Value::Int))
    }),
    row("Functions", "FoldFunction", "2vv", |machine, given, at| {
        let (op, base, function) = three(machine, given);
        let pairs = machine.graph(function, at)?;
        inward(machine, op, base, pairs.iter().map(|&(_, it)| it))
    }),
    row("Functions", "FoldFunctionOnSet", "2vvv", |machine, given, at| {
        let (op, base) = (machine.operator_arg(given, 0), machine.value_arg(given, 1));
        let (function, set) = (machine.value_arg(given, 2), machine.value_arg(given, 3));
        let values = on_set(machine, function, set, at)?;
        inward(machine, op, base, values.into_iter())
    }),
    row("Functions", "SumFunctionOnSet", "vv", |machine, given, at| {
        let [function, set] = machine.values(given);
        let values = on_set(machine, function, set, at)?;
        total(machine, values.into_iter(), at)
    }),
    row("Functions", "SumFunction", "v", |machine, given, at| {
        let function = machine.value_arg(given, 0);
        let pairs = machine.graph(function, at)?;
        total(machine, pairs.iter().map(|&(_, it)| it), at)
    }),
    row("Apalache", "ApaFoldSet", "2vv", |machine, given, at| {
        let (op, base, set) = three(machine, given);
        let items = machine.items(set, at)?;
        outward(machine, op, base, items.iter().copied())
    }),
    row("Apalache", "ApaFoldSeqLeft", "2vv", |machine, given, at| {
        let (op, base, sequence) = three(machine, given);
        let items = machine.sequence(sequence, at)?;
        outward(machine, op, base, items.iter().copied())
    }),
    row("Apalache", "Repeat", "2vv", |machine, given, at| {
        let (op, n, base) = three(machine, given);
        let n = machine.integer(n, at)?;
        outward(machine, op, base, (1..=n).map(Value::Int))
    }),
];

/// The arguments of most folds: an operator and two values.
fn three<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    given: &[Given<'t, 'i>],
) -> (Closure, Value<'t>, Value<'t>) {
    let op = machine.operator_arg(given, 0);
    (op, machine.value_arg(given, 1), machine.value_arg(given, 2))
}

/// `op(xn, … op(x2, op(x1, base)))`.
fn inward<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    op: Closure,
    base: Value<'t>,
    items: impl Iterator<Item = Value<'t>>,
) -> Res<'t> {
    let mut value = base;
    for item in items {
        value = machine.call_closure(op, &[item, value])?;
    }
    Ok(value)
}

/// `op(… op(op(base, x1), x2) …, xn)`.
pub(super) fn outward<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    op: Closure,
    base: Value<'t>,
    items: impl Iterator<Item = Value<'t>>,
) -> Res<'t> {
    let mut value = base;
    for item in items {
        value = machine.call_closure(op, &[value, item])?;
    }
    Ok(value)
}

pub(super) fn total<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    items: impl Iterator<Item = Value<'t>>,
    at: ExprId,
) -> Res<'t> {
    let mut sum = Value::Int(0);
    for item in items {
        sum = value::add(sum, item, machine.arena).map_err(|it| machine.trouble(it, &[item, sum], at))?;
    }
    Ok(sum)
}

/// The values of a function at the elements of a set.
fn on_set<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    function: Value<'t>,
    set: Value<'t>,
    at: ExprId,
) -> Result<Vec<Value<'t>>, crate::Fault> {
    let mut values = vec![];
    for &arg in machine.items(set, at)? {
        values.push(value::apply(function, arg).map_err(|it| machine.trouble(it, &[function, arg], at))?);
    }
    Ok(values)
}
