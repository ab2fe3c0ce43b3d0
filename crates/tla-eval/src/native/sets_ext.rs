//! `FiniteSetsExt`: counting, extremes, and families of subsets without the power set.

use bumpalo::collections::Vec as ArenaVec;
use num_bigint::BigUint;
use tla_sema::ir::ExprId;
use value::Value;

use super::{Row, row};
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("FiniteSetsExt", "Quantify", "v1", |machine, given, at| {
        let (set, test) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let mut n = 0;
        for &item in machine.items(set, at)? {
            n += i64::from(machine.test_closure(test, &[item], at)?);
        }
        Ok(Value::Int(n))
    }),
    row("FiniteSetsExt", "kSubset", "vv", |machine, given, at| {
        let [k, set] = machine.values(given);
        let (k, items) = (machine.integer(k, at)?, machine.items(set, at)?);
        if k < 0 || k > items.len() as i64 {
            return Ok(Value::empty_set());
        }
        let k = k as usize;
        let n_subsets = (0..k).fold(BigUint::from(1u8), |n, i| n * (items.len() - i) / (i + 1));
        machine.check_size(&n_subsets, set, at)?;
        let mut all = ArenaVec::new_in(machine.arena);
        each_choice(items.len(), k, |chosen| {
            let subset = machine
                .arena
                .alloc_slice_fill_iter(chosen.iter().map(|&i| items[i]));
            all.push(Value::sorted_set(subset, machine.arena));
        });
        machine.make_set(all, at)
    }),
    row("FiniteSetsExt", "Max", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        extreme(machine, set, "Max", |items| items.last().copied(), at)
    }),
    row("FiniteSetsExt", "Min", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        extreme(machine, set, "Min", |items| items.first().copied(), at)
    }),
    row("FiniteSetsExt", "Choices", "v", |machine, given, at| {
        let sets = machine.value_arg(given, 0);
        // Sets of what was picked so far: different picks that come to the same are joined at once.
        let mut picked = machine.set_of(&[Value::empty_set()], at)?;
        for &set in machine.items(sets, at)? {
            let mut more = ArenaVec::new_in(machine.arena);
            for &item in machine.items(set, at)? {
                let one = machine.set_of(&[item], at)?;
                for &before in machine.items(picked, at)? {
                    let both = value::union(before, one, machine.arena);
                    more.push(both.map_err(|it| machine.trouble(it, &[before, one], at))?);
                }
            }
            machine.check_size(&BigUint::from(more.len()), sets, at)?;
            picked = machine.make_set(more, at)?;
        }
        Ok(picked)
    }),
    row("FiniteSetsExt", "ChooseUnique", "v1", |machine, given, at| {
        let (set, test) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let mut found = None;
        for &item in machine.items(set, at)? {
            if machine.test_closure(test, &[item], at)? && found.replace(item).is_some() {
                return Err(machine.undefined("ChooseUnique", "several elements have the property", at));
            }
        }
        found.ok_or_else(|| machine.undefined("ChooseUnique", "no element has the property", at))
    }),
];

/// Calls `visit` with every increasing list of `k` numbers below `n`.
pub(super) fn each_choice(n: usize, k: usize, mut visit: impl FnMut(&[usize])) {
    let mut chosen: Vec<usize> = (0..k).collect();
    loop {
        visit(&chosen);
        // The last one that can still move up.
        let Some(place) = (0..k).rev().find(|&i| chosen[i] < n - k + i) else {
            return;
        };
        chosen[place] += 1;
        for i in place + 1..k {
            chosen[i] = chosen[i - 1] + 1;
        }
    }
}

/// The elements are sorted, but they must be numbers.
fn extreme<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    set: Value<'t>,
    operator: &'static str,
    pick: fn(&[Value<'t>]) -> Option<Value<'t>>,
    at: ExprId,
) -> Res<'t> {
    if let Value::Symbolic(value::Symbolic::Interval(low, high)) = set
        && low <= high
    {
        return Ok(if operator == "Max" {
            Value::Int(*high)
        } else {
            Value::Int(*low)
        });
    }
    let items = machine.items(set, at)?;
    if let Some(&other) = items.iter().find(|it| it.kind() != value::Kind::Integer) {
        return Err(machine.wrong("an integer", other, at));
    }
    pick(items).ok_or_else(|| machine.undefined(operator, "the set is empty", at))
}
