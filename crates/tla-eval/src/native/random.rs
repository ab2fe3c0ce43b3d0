//! Chance: `RandomElement` of `TLC` and the module `Randomization`.
//!
//! Products, function sets and power sets are drawn from part by part, so they may be as large as they like.

use num_bigint::BigUint;
use tla_sema::ir::ExprId;
use value::{Symbolic, Value};

use super::{Row, once};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    once("TLC", "RandomElement", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        draw(machine, set, at)
    }),
    once("Randomization", "RandomSubset", "vv", |machine, given, at| {
        let [k, set] = machine.values(given);
        let k = machine.natural(k, at)?;
        subset(machine, k, set, at)
    }),
    once(
        "Randomization",
        "RandomSetOfSubsets",
        "vvv",
        |machine, given, at| {
            let [k, n, set] = machine.values(given);
            family(machine, k, n, set, "RandomSetOfSubsets", at)
        },
    ),
    once(
        "Randomization",
        "TestRandomSetOfSubsets",
        "vvv",
        |machine, given, at| {
            let [k, n, set] = machine.values(given);
            let mut sizes = vec![];
            for _ in 0..5 {
                let family = family(machine, k, n, set, "TestRandomSetOfSubsets", at)?;
                sizes.push(Value::Int(machine.items(family, at)?.len() as i64));
            }
            Ok(machine.tuple(&sizes))
        },
    ),
];

/// A number below `n`.
fn below<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, n: u64) -> u64 {
    // The high half of a product spreads 64 random bits over 0 .. n-1.
    ((u128::from(machine.random()) * u128::from(n)) >> 64) as u64
}

fn draw<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, set: Value<'t>, at: ExprId) -> Res<'t> {
    util::deep(|| draw_here(machine, set, at))
}

fn draw_here<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, set: Value<'t>, at: ExprId) -> Res<'t> {
    match set {
        Value::Symbolic(Symbolic::Interval(low, high)) if low <= high => {
            let n = high.abs_diff(*low).saturating_add(1);
            Ok(Value::Int(low.wrapping_add_unsigned(below(machine, n))))
        }
        Value::Symbolic(Symbolic::Functions(domain, range)) => {
            let domain = value::Set::listed(machine.items(*domain, at)?, machine.arena);
            let values = draw_all(machine, &vec![*range; domain.items.len()], at)?;
            Ok(Value::function(domain, values, machine.arena))
        }
        Value::Symbolic(Symbolic::Product(sets)) => {
            let values = draw_all(machine, sets, at)?;
            Ok(Value::tuple_in(values, machine.arena))
        }
        Value::Symbolic(Symbolic::Records(names, sets)) if !names.is_empty() => {
            let values = draw_all(machine, sets, at)?;
            Ok(Value::record_in(names, values, machine.arena))
        }
        Value::Symbolic(Symbolic::Power(base)) => {
            let items = machine.items(*base, at)?;
            let chosen: Vec<Value<'t>> = items.iter().copied().filter(|_| below(machine, 2) == 1).collect();
            machine.set_of(&chosen, at)
        }
        _ => {
            let items = machine.items(set, at)?;
            match items.len() {
                0 => Err(machine.undefined("RandomElement", "the set is empty", at)),
                n => Ok(items[below(machine, n as u64) as usize]),
            }
        }
    }
}

fn draw_all<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    sets: &[Value<'t>],
    at: ExprId,
) -> Result<&'t [Value<'t>], Fault> {
    let mut values = vec![];
    for &set in sets {
        values.push(draw(machine, set, at)?);
    }
    Ok(machine.arena.alloc_slice_copy(&values))
}

/// `k` different elements; all when there are not so many, as in TLC.
fn subset<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, k: usize, set: Value<'t>, at: ExprId) -> Res<'t> {
    let size = value::cardinality(set).map_err(|it| machine.trouble(it, &[set], at))?;
    if BigUint::from(k) >= size {
        return value::spell_out(set, machine.arena).map_err(|it| machine.trouble(it, &[set], at));
    }
    // Few of many: draw until there are enough. Otherwise shuffle the first k places.
    if size > BigUint::from(4 * k + 1000) {
        let mut chosen = machine.set_of(&[], at)?;
        while machine.items(chosen, at)?.len() < k {
            let one = draw(machine, set, at)?;
            let one = machine.set_of(&[one], at)?;
            chosen = value::union(chosen, one, machine.arena)
                .map_err(|it| machine.trouble(it, &[chosen, one], at))?;
        }
        return Ok(chosen);
    }
    let mut items = machine.items(set, at)?.to_vec();
    for i in 0..k {
        let j = i + below(machine, (items.len() - i) as u64) as usize;
        items.swap(i, j);
    }
    machine.set_of(&items[..k], at)
}

/// At most `k` subsets, into each of which an element goes with the same probability, `n` of them on average.
fn family<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    k: Value<'t>,
    n: Value<'t>,
    set: Value<'t>,
    operator: &'static str,
    at: ExprId,
) -> Res<'t> {
    let (k, n, items) = (
        machine.natural(k, at)?,
        machine.natural(n, at)?,
        machine.items(set, at)?,
    );
    if n > items.len() {
        return Err(machine.undefined(
            operator,
            format!("subsets of {n} of {} elements", items.len()),
            at,
        ));
    }
    if items.len() < 64 && k as u128 > 1 << items.len() {
        return Err(machine.undefined(operator, format!("there are no {k} subsets of {set}"), at));
    }
    let mut subsets = vec![];
    for _ in 0..k {
        let chosen = items
            .iter()
            .copied()
            .filter(|_| below(machine, items.len() as u64) < n as u64);
        let chosen: Vec<Value<'t>> = chosen.collect();
        subsets.push(machine.set_of(&chosen, at)?);
    }
    machine.set_of(&subsets, at)
}
