//! `TLC` and `TLCExt`: printing, assertions, registers, functions written by pairs.

use bumpalo::collections::Vec as ArenaVec;
use value::{Text, Value};

use super::{Row, effect, row};
use crate::error::ErrorKind;

pub(super) const ROWS: &[Row] = &[
    row("TLC", ":>", |machine, given, at| {
        let (key, value) = (machine.value_arg(given, 0), machine.value_arg(given, 1));
        let mut pairs = ArenaVec::with_capacity_in(1, machine.arena);
        pairs.push((key, value));
        value::from_pairs(pairs, machine.arena).map_err(|it| machine.trouble(it, &[key], at))
    }),
    row("TLC", "@@", |machine, given, at| {
        let (first, second) = (machine.value_arg(given, 0), machine.value_arg(given, 1));
        let mut pairs = machine.graph(first, at)?;
        let more = machine.graph(second, at)?;
        let n_first = pairs.len();
        for (key, value) in more {
            let mut known = false;
            for &(other, _) in &pairs[..n_first] {
                if value::equal(other, key).map_err(|it| machine.trouble(it, &[other, key], at))? {
                    known = true;
                    break;
                }
            }
            if !known {
                pairs.push((key, value));
            }
        }
        value::from_pairs(pairs, machine.arena).map_err(|it| machine.trouble(it, &[first, second], at))
    }),
    effect("TLC", "Print", |machine, given, _| {
        let (out, value) = (machine.value_arg(given, 0), machine.value_arg(given, 1));
        machine.effects.print(&format!("{out}  {value}"));
        Ok(value)
    }),
    effect("TLC", "PrintT", |machine, given, _| {
        let out = machine.value_arg(given, 0);
        machine.effects.print(&out.to_string());
        Ok(Value::TRUE)
    }),
    effect("TLC", "Assert", |machine, given, at| {
        let (test, message) = (machine.value_arg(given, 0), machine.value_arg(given, 1));
        match machine.boolean(test, at)? {
            true => Ok(Value::TRUE),
            false => {
                let message = match message {
                    Value::Str(text) => text.to_string(),
                    other => other.to_string(),
                };
                Err(machine.fail(ErrorKind::Assertion { message }, at))
            }
        }
    }),
    row("TLC", "ToString", |machine, given, _| {
        Ok(Value::Str(Text::new(&machine.value_arg(given, 0).to_string())))
    }),
    row("TLC", "TLCEval", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        match value.kind() {
            value::Kind::Set => value::enumerate(value, machine.arena).map_err(|it| machine.trouble(it, &[value], at)),
            _ => Ok(value),
        }
    }),
    row("TLC", "Permutations", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        let items = machine.items(set, at)?;
        let mut all = ArenaVec::new_in(machine.arena);
        let mut order: Vec<usize> = (0..items.len()).collect();
        loop {
            let mut pairs = ArenaVec::with_capacity_in(items.len(), machine.arena);
            pairs.extend(order.iter().enumerate().map(|(i, &to)| (items[i], items[to])));
            let permutation = value::from_pairs(pairs, machine.arena).map_err(|it| machine.trouble(it, &[set], at))?;
            all.push(permutation);
            if !next_permutation(&mut order) {
                break;
            }
        }
        machine.make_set(all, at)
    }),
    row("TLC", "SortSeq", |machine, given, at| {
        let (sequence, less) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let mut items = machine.sequence(sequence, at)?.to_vec();
        // Insertion sort: the order is the user's and may fail, and it need not be total.
        for i in 1..items.len() {
            let mut j = i;
            while j > 0 && machine.test_closure(less, &[items[j], items[j - 1]], at)? {
                items.swap(j, j - 1);
                j -= 1;
            }
        }
        Ok(Value::tuple(&items, machine.arena))
    }),
    effect("TLC", "RandomElement", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        let items = machine.items(set, at)?;
        match items.len() {
            0 => Err(machine.undefined("RandomElement", "the set is empty", at)),
            n => Ok(items[(machine.effects.random() % n as u64) as usize]),
        }
    }),
    effect("TLC", "JavaTime", |machine, _, _| Ok(Value::Int(machine.effects.now()))),
];

/// The next order of the numbers in lexicographic order; false after the last.
fn next_permutation(order: &mut [usize]) -> bool {
    let Some(i) = (1..order.len()).rev().find(|&i| order[i - 1] < order[i]) else { return false };
    let j = (i..order.len()).rev().find(|&j| order[j] > order[i - 1]).unwrap_or(i);
    order.swap(i - 1, j);
    order[i..].reverse();
    true
}
