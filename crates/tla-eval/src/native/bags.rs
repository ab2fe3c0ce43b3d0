//! `Bags` and `BagsExt`: functions from elements to how often they occur.

use bumpalo::collections::Vec as ArenaVec;
use num_bigint::BigUint;
use tla_sema::ir::ExprId;
use value::Value;

use super::folds::{outward, total};
use super::{Row, row};
use crate::error::Fault;
use crate::machine::{Closure, Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("Bags", "IsABag", "v", |machine, given, at| {
        let bag = machine.value_arg(given, 0);
        if bag.kind() != value::Kind::Function {
            return Ok(Value::FALSE);
        }
        let pairs = machine.graph(bag, at)?;
        Ok(Value::bool(pairs.iter().all(|&(_, it)| is_positive(it))))
    }),
    row("Bags", "EmptyBag", "", |_, _, _| Ok(Value::empty_tuple())),
    row("Bags", "SetToBag", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        let items = machine.items(set, at)?;
        let pairs = ArenaVec::from_iter_in(items.iter().map(|&it| (it, Value::Int(1))), machine.arena);
        machine.function_of(pairs, at)
    }),
    row("Bags", "BagIn", "vv", |machine, given, at| {
        let [item, bag] = machine.values(given);
        let copies = copies(machine, item, bag, at)?;
        Ok(Value::bool(is_positive(copies)))
    }),
    row("Bags", "CopiesIn", "vv", |machine, given, at| {
        let [item, bag] = machine.values(given);
        copies(machine, item, bag, at)
    }),
    row("Bags", "\\oplus", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        let mut pairs = bag(machine, a, at)?;
        pairs.extend(bag(machine, b, at)?);
        gather(machine, pairs, at)
    }),
    row("Bags", "\\ominus", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        let mut left = ArenaVec::new_in(machine.arena);
        for (item, n) in bag(machine, a, at)? {
            let taken = copies(machine, item, b, at)?;
            let n = value::subtract(n, taken, machine.arena)
                .map_err(|it| machine.trouble(it, &[n, taken], at))?;
            if is_positive(n) {
                left.push((item, n));
            }
        }
        machine.function_of(left, at)
    }),
    row("Bags", "BagUnion", "v", |machine, given, at| {
        let bags = machine.value_arg(given, 0);
        let mut pairs = ArenaVec::new_in(machine.arena);
        for &one in machine.items(bags, at)? {
            pairs.extend(bag(machine, one, at)?);
        }
        gather(machine, pairs, at)
    }),
    row("Bags", "\\sqsubseteq", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        for (item, n) in bag(machine, a, at)? {
            let there = copies(machine, item, b, at)?;
            if value::int_cmp(n, there).is_gt() {
                return Ok(Value::FALSE);
            }
        }
        Ok(Value::TRUE)
    }),
    row("Bags", "SubBag", "v", |machine, given, at| {
        let whole = machine.value_arg(given, 0);
        let pairs = bag(machine, whole, at)?;
        let mut counts = vec![];
        for &(_, n) in &pairs {
            counts.push(machine.natural(n, at)?);
        }
        let size = counts
            .iter()
            .fold(BigUint::from(1u8), |product, &n| product * (n + 1));
        machine.check_size(&size, whole, at)?;
        let mut all = ArenaVec::new_in(machine.arena);
        let mut chosen = vec![0; counts.len()];
        loop {
            let kept = pairs.iter().zip(&chosen).filter(|&(_, &n)| n > 0);
            let kept = kept.map(|(&(item, _), &n)| (item, Value::Int(n as i64)));
            let kept = ArenaVec::from_iter_in(kept, machine.arena);
            all.push(machine.function_of(kept, at)?);
            let Some(place) = (0..counts.len()).find(|&i| chosen[i] < counts[i]) else {
                break;
            };
            chosen[place] += 1;
            chosen[..place].fill(0);
        }
        machine.make_set(all, at)
    }),
    row("Bags", "BagOfAll", "1v", |machine, given, at| {
        let (map, whole) = (machine.operator_arg(given, 0), machine.value_arg(given, 1));
        let mut pairs = bag(machine, whole, at)?;
        for pair in &mut pairs {
            pair.0 = machine.call_closure(map, &[pair.0])?;
        }
        gather(machine, pairs, at)
    }),
    row("Bags", "BagCardinality", "v", |machine, given, at| {
        let whole = machine.value_arg(given, 0);
        let pairs = bag(machine, whole, at)?;
        total(machine, pairs.iter().map(|&(_, n)| n), at)
    }),
    row("SequencesExt", "ToBag", "v", |machine, given, at| {
        let sequence = machine.value_arg(given, 0);
        let mut pairs = machine.graph(sequence, at)?;
        for pair in &mut pairs {
            *pair = (pair.1, Value::Int(1));
        }
        gather(machine, pairs, at)
    }),
    row("BagsExt", "FoldBag", "2vv", |machine, given, at| {
        let (op, base, whole) = (
            machine.operator_arg(given, 0),
            machine.value_arg(given, 1),
            machine.value_arg(given, 2),
        );
        fold(machine, op, base, whole, at)
    }),
    row("BagsExt", "SumBag", "v", |machine, given, at| {
        let whole = machine.value_arg(given, 0);
        let mut terms = vec![];
        for (item, n) in bag(machine, whole, at)? {
            let term = value::multiply(item, n, machine.arena);
            terms.push(term.map_err(|it| machine.trouble(it, &[item, n], at))?);
        }
        total(machine, terms.into_iter(), at)
    }),
    row("BagsExt", "ProductBag", "v", |machine, given, at| {
        let whole = machine.value_arg(given, 0);
        let mut product = Value::Int(1);
        for (item, n) in bag(machine, whole, at)? {
            let power =
                value::power(item, n, machine.arena).map_err(|it| machine.trouble(it, &[item, n], at))?;
            let next = value::multiply(product, power, machine.arena);
            product = next.map_err(|it| machine.trouble(it, &[product, power], at))?;
        }
        Ok(product)
    }),
];

fn is_positive(n: Value<'_>) -> bool {
    n.kind() == value::Kind::Integer && value::int_cmp(n, Value::Int(0)).is_gt()
}

/// The elements of a bag with their positive numbers.
fn bag<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    value: Value<'t>,
    at: ExprId,
) -> Result<ArenaVec<'t, (Value<'t>, Value<'t>)>, Fault> {
    if value.kind() == value::Kind::Function {
        let pairs = machine.graph(value, at)?;
        if pairs.iter().all(|&(_, n)| is_positive(n)) {
            return Ok(pairs);
        }
    }
    Err(machine.wrong("a bag", value, at))
}

fn copies<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, item: Value<'t>, bag: Value<'t>, at: ExprId) -> Res<'t> {
    let domain = value::domain(bag, machine.arena).map_err(|_| machine.wrong("a bag", bag, at))?;
    if !machine.contains(domain, item, at)? {
        return Ok(Value::Int(0));
    }
    let n = value::apply(bag, item).map_err(|it| machine.trouble(it, &[bag, item], at))?;
    if n.kind() == value::Kind::Integer {
        Ok(n)
    } else {
        Err(machine.wrong("a bag", bag, at))
    }
}

/// One entry for each element, its numbers added up.
fn gather<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    mut pairs: ArenaVec<'t, (Value<'t>, Value<'t>)>,
    at: ExprId,
) -> Res<'t> {
    let mut mismatch = None;
    pairs.sort_by(|&(a, _), &(b, _)| {
        value::compare(a, b).unwrap_or_else(|trouble| {
            mismatch = Some((trouble, a, b));
            std::cmp::Ordering::Equal
        })
    });
    if let Some((trouble, a, b)) = mismatch {
        return Err(machine.trouble(trouble, &[a, b], at));
    }
    let mut sums: ArenaVec<'t, (Value<'t>, Value<'t>)> =
        ArenaVec::with_capacity_in(pairs.len(), machine.arena);
    for (item, n) in pairs {
        match sums.last_mut() {
            Some((last, sum)) if value::equal(*last, item) == Ok(true) => {
                *sum = value::add(*sum, n, machine.arena).map_err(|it| machine.trouble(it, &[n], at))?;
            }
            _ => sums.push((item, n)),
        }
    }
    machine.function_of(sums, at)
}

fn fold<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    op: Closure,
    base: Value<'t>,
    whole: Value<'t>,
    at: ExprId,
) -> Res<'t> {
    let mut value = base;
    for (item, n) in bag(machine, whole, at)? {
        let n = machine.natural(n, at)?;
        value = outward(machine, op, value, std::iter::repeat_n(item, n))?;
    }
    Ok(value)
}
