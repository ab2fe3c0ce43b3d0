//! `TLC`: printing, assertions, functions written by pairs, permutations. Registers and chance have files of their own.

use bumpalo::collections::Vec as ArenaVec;
use tla_sema::ir::ExprId;
use value::{Symbolic, Text, Value};

use super::format::spelt;
use super::sequences_ext::factorial;
use super::{Row, effect, row};
use crate::error::ErrorKind;
use crate::machine::{Closure, Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("TLC", ":>", "vv", |machine, given, at| {
        let [key, value] = machine.values(given);
        let mut pairs = ArenaVec::with_capacity_in(1, machine.arena);
        pairs.push((key, value));
        machine.function_of(pairs, at)
    }),
    row("TLC", "@@", "vv", |machine, given, at| {
        let [first, second] = machine.values(given);
        // What cannot be merged is put together by pairs, and that tells what is wrong with it.
        if let (Value::Fun(first), Value::Fun(second)) = (first, second)
            && let Ok(merged) = value::merged(first, second, machine.arena)
        {
            return Ok(merged);
        }
        let mut pairs = machine.graph(first, at)?;
        let more = machine.graph(second, at)?;
        if pairs.is_empty() {
            return Ok(second);
        }
        for (key, value) in more {
            let known = value::apply(first, key);
            match known {
                Ok(_) => {}
                Err(value::Trouble::NotInDomain) => pairs.push((key, value)),
                Err(trouble) => return Err(machine.trouble(trouble, &[first, key], at)),
            }
        }
        value::from_pairs(pairs, machine.arena).map_err(|it| machine.trouble(it, &[first, second], at))
    }),
    effect("TLC", "Print", "vv", |machine, given, _| {
        let [out, value] = machine.values(given);
        let text = format!("{}  {}", spelt(out, machine.arena), spelt(value, machine.arena));
        machine.effects.print(&text);
        Ok(value)
    }),
    effect("TLC", "PrintT", "v", |machine, given, _| {
        let out = machine.value_arg(given, 0);
        machine.effects.print(&spelt(out, machine.arena).to_string());
        Ok(Value::TRUE)
    }),
    effect("TLC", "Assert", "vv", |machine, given, at| {
        let [test, message] = machine.values(given);
        match machine.boolean(test, at)? {
            true => Ok(Value::TRUE),
            false => {
                let message = match message {
                    Value::Str(text) => text.to_string(),
                    other => spelt(other, machine.arena).to_string(),
                };
                Err(machine.fail(ErrorKind::Assertion { message }, at))
            }
        }
    }),
    row("TLC", "ToString", "v", |machine, given, _| {
        let value = machine.value_arg(given, 0);
        Ok(Value::Str(Text::new(&spelt(value, machine.arena).to_string())))
    }),
    row("TLC", "TLCEval", "v", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        match value {
            Value::Symbolic(Symbolic::Interval(..)) => Ok(value),
            Value::Symbolic(_) if value::is_finite(value) == Ok(true) => {
                value::spell_out(value, machine.arena).map_err(|it| machine.trouble(it, &[value], at))
            }
            _ => Ok(value),
        }
    }),
    row("TLC", "Permutations", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        let items = machine.items(set, at)?;
        machine.check_size(&factorial(items.len()), set, at)?;
        let mut all = ArenaVec::new_in(machine.arena);
        let mut order: Vec<usize> = (0..items.len()).collect();
        loop {
            let mut pairs = ArenaVec::with_capacity_in(items.len(), machine.arena);
            pairs.extend(order.iter().enumerate().map(|(i, &to)| (items[i], items[to])));
            all.push(machine.function_of(pairs, at)?);
            if !next_permutation(&mut order) {
                break;
            }
        }
        machine.make_set(all, at)
    }),
    row("TLC", "SortSeq", "v2", |machine, given, at| {
        let (sequence, less) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let items = machine.sequence(sequence, at)?;
        sort(machine, items, less, at)
    }),
    row("TLC", "Any", "", |_, _, _| Ok(Value::Symbolic(&Symbolic::Any))),
    effect("TLC", "JavaTime", "", |machine, _, _| {
        Ok(Value::Int(machine.effects.now() & 0x7FFF_FFFF))
    }),
];

/// Insertion sort: each item goes before the items that it is less than. What that means when the order is not total, or
/// not strict, is as in TLC; only the search for the place of an item in a long row is binary.
pub(super) fn sort<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    items: &[Value<'t>],
    less: Closure,
    at: ExprId,
) -> Res<'t> {
    const LINEAR_MAX: usize = 24;
    let mut sorted: Vec<Value<'t>> = Vec::with_capacity(items.len());
    for &item in items {
        let mut place = sorted.len();
        if sorted.len() <= LINEAR_MAX {
            while place > 0 && machine.test_closure(less, &[item, sorted[place - 1]], at)? {
                place -= 1;
            }
        } else {
            let mut low = 0;
            while low < place {
                let middle = (low + place) / 2;
                match machine.test_closure(less, &[item, sorted[middle]], at)? {
                    true => place = middle,
                    false => low = middle + 1,
                }
            }
        }
        sorted.insert(place, item);
    }
    Ok(machine.tuple(&sorted))
}

/// The next order of the numbers in lexicographic order; false after the last.
pub(super) fn next_permutation(order: &mut [usize]) -> bool {
    let Some(i) = (1..order.len()).rev().find(|&i| order[i - 1] < order[i]) else {
        return false;
    };
    let j = (i..order.len())
        .rev()
        .find(|&j| order[j] > order[i - 1])
        .unwrap_or(i);
    order.swap(i - 1, j);
    order[i..].reverse();
    true
}
