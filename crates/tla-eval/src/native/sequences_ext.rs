//! `SequencesExt`: searching and changing sequences, sets as sequences.

use bumpalo::collections::Vec as ArenaVec;
use num_bigint::BigUint;
use tla_sema::ir::ExprId;
use value::{Symbolic, Value};

use super::sequences::{concatenate, part};
use super::tlc::{next_permutation, sort};
use super::{Row, row};
use crate::error::Fault;
use crate::machine::{Closure, Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("SequencesExt", "ToSet", "v", |machine, given, at| {
        let function = machine.value_arg(given, 0);
        let values: Vec<Value<'_>> = machine.graph(function, at)?.iter().map(|&(_, it)| it).collect();
        machine.set_of(&values, at)
    }),
    row("SequencesExt", "SetToSeq", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        Ok(Value::tuple_in(machine.items(set, at)?, machine.arena))
    }),
    row("SequencesExt", "SetToSeqs", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        let items = machine.items(set, at)?;
        machine.check_size(&factorial(items.len()), set, at)?;
        let mut all = ArenaVec::new_in(machine.arena);
        permuted(machine, items, &mut all);
        machine.make_set(all, at)
    }),
    row("SequencesExt", "SetToSortSeq", "v2", |machine, given, at| {
        let (set, less) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let items = machine.items(set, at)?;
        sort(machine, items, less, at)
    }),
    row(
        "SequencesExt",
        "SetToAllKPermutations",
        "v",
        |machine, given, at| {
            let set = machine.value_arg(given, 0);
            let items = machine.items(set, at)?;
            machine.check_size(&(factorial(items.len()) * 3u8), set, at)?;
            let mut all = ArenaVec::new_in(machine.arena);
            for bits in 0u32..1 << items.len() {
                let chosen = items
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| bits >> i & 1 == 1)
                    .map(|(_, &it)| it);
                let chosen: Vec<Value<'_>> = chosen.collect();
                permuted(machine, &chosen, &mut all);
            }
            machine.make_set(all, at)
        },
    ),
    row("SequencesExt", "SeqOf", "vv", |machine, given, at| {
        bounded(machine, given, at)
    }),
    row("SequencesExt", "BoundedSeq", "vv", |machine, given, at| {
        bounded(machine, given, at)
    }),
    row("SequencesExt", "Contains", "vv", |machine, given, at| {
        let [sequence, item] = machine.values(given);
        for &other in machine.sequence(sequence, at)? {
            if machine.same(other, item, at)? {
                return Ok(Value::TRUE);
            }
        }
        Ok(Value::FALSE)
    }),
    row("SequencesExt", "SelectInSeq", "v1", |machine, given, at| {
        let (sequence, test) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let items = machine.sequence(sequence, at)?;
        select(machine, items, 0..items.len(), test, at)
    }),
    row("SequencesExt", "SelectLastInSeq", "v1", |machine, given, at| {
        let (sequence, test) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let items = machine.sequence(sequence, at)?;
        select(machine, items, (0..items.len()).rev(), test, at)
    }),
    row("SequencesExt", "SelectInSubSeq", "vvv1", |machine, given, at| {
        let (items, range, test) = within(machine, given, "SelectInSubSeq", at)?;
        select(machine, items, range, test, at)
    }),
    row(
        "SequencesExt",
        "SelectLastInSubSeq",
        "vvv1",
        |machine, given, at| {
            let (items, range, test) = within(machine, given, "SelectLastInSubSeq", at)?;
            select(machine, items, range.rev(), test, at)
        },
    ),
    row("SequencesExt", "Reverse", "v", |machine, given, at| {
        let sequence = machine.value_arg(given, 0);
        let items: Vec<Value<'_>> = machine.sequence(sequence, at)?.iter().rev().copied().collect();
        Ok(machine.tuple(&items))
    }),
    row("SequencesExt", "Remove", "vv", |machine, given, at| {
        let [sequence, item] = machine.values(given);
        let mut kept = vec![];
        for &other in machine.sequence(sequence, at)? {
            if !machine.same(other, item, at)? {
                kept.push(other);
            }
        }
        Ok(machine.tuple(&kept))
    }),
    row("SequencesExt", "RemoveFirst", "vv", |machine, given, at| {
        let [sequence, item] = machine.values(given);
        let items = machine.sequence(sequence, at)?;
        for (i, &other) in items.iter().enumerate() {
            if machine.same(other, item, at)? {
                return Ok(without(machine, items, i));
            }
        }
        Ok(sequence)
    }),
    row("SequencesExt", "RemoveFirstMatch", "v1", |machine, given, at| {
        let (sequence, test) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let items = machine.sequence(sequence, at)?;
        for (i, &item) in items.iter().enumerate() {
            if machine.test_closure(test, &[item], at)? {
                return Ok(without(machine, items, i));
            }
        }
        Ok(sequence)
    }),
    row("SequencesExt", "Cons", "vv", |machine, given, at| {
        let [item, sequence] = machine.values(given);
        let one = machine.tuple(&[item]);
        concatenate(machine, one, sequence, at)
    }),
    row("SequencesExt", "IsPrefix", "vv", |machine, given, at| {
        let [short, long] = machine.values(given);
        if let (Value::Str(short), Value::Str(long)) = (short, long) {
            return Ok(Value::bool(long.as_str().starts_with(short.as_str())));
        }
        let (short, long) = (machine.sequence(short, at)?, machine.sequence(long, at)?);
        Ok(Value::bool(
            short.len() <= long.len() && all_same(machine, short, &long[..short.len()], at)?,
        ))
    }),
    row("SequencesExt", "IsSuffix", "vv", |machine, given, at| {
        let [short, long] = machine.values(given);
        if let (Value::Str(short), Value::Str(long)) = (short, long) {
            return Ok(Value::bool(long.as_str().ends_with(short.as_str())));
        }
        let (short, long) = (machine.sequence(short, at)?, machine.sequence(long, at)?);
        let fits = short.len() <= long.len();
        Ok(Value::bool(
            fits && all_same(machine, short, &long[long.len() - short.len()..], at)?,
        ))
    }),
    row(
        "SequencesExt",
        "LongestCommonPrefix",
        "v",
        |machine, given, at| {
            let set = machine.value_arg(given, 0);
            let sequences = machine.items(set, at)?;
            let Some((&first, others)) = sequences.split_first() else {
                return Err(machine.undefined("LongestCommonPrefix", "the set of sequences is empty", at));
            };
            let mut n = length(machine, first, at)?;
            for &other in others {
                n = common(machine, first, other, n, at)?;
            }
            Ok(part(machine, first, 0..n))
        },
    ),
    row("SequencesExt", "FlattenSeq", "v", |machine, given, at| {
        let sequences = machine.value_arg(given, 0);
        if let Value::Str(text) = sequences
            && text.as_str().is_empty()
        {
            return Ok(sequences);
        }
        let parts = machine.sequence(sequences, at)?;
        let Some((&first, rest)) = parts.split_first() else {
            return Ok(sequences);
        };
        if let Value::Str(first) = first {
            let mut text = first.as_str().to_owned();
            for &part in rest {
                text.push_str(machine.string(part, at)?.as_str());
            }
            return Ok(Value::str(&text));
        }
        let mut all = vec![];
        for &part in parts {
            all.extend_from_slice(machine.sequence(part, at)?);
        }
        Ok(machine.tuple(&all))
    }),
    row("SequencesExt", "Zip", "vv", |machine, given, at| {
        let [s, t] = machine.values(given);
        let (s, t) = (machine.sequence(s, at)?, machine.sequence(t, at)?);
        let pairs: Vec<Value<'_>> = s.iter().zip(t).map(|(&a, &b)| machine.tuple(&[a, b])).collect();
        Ok(machine.tuple(&pairs))
    }),
];

pub(super) fn factorial(n: usize) -> BigUint {
    (1..=n).fold(BigUint::from(1u8), |product, i| product * i)
}

/// All orders of some items, as sequences.
fn permuted<'t, 'i: 't>(machine: &Machine<'t, 'i>, items: &[Value<'t>], all: &mut ArenaVec<'t, Value<'t>>) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    loop {
        let permuted = machine
            .arena
            .alloc_slice_fill_iter(order.iter().map(|&i| items[i]));
        all.push(Value::tuple_in(permuted, machine.arena));
        if !next_permutation(&mut order) {
            return;
        }
    }
}

fn bounded<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, given: &[super::Given<'t, 'i>], at: ExprId) -> Res<'t> {
    let [set, n] = machine.values(given);
    if set.kind() != value::Kind::Set {
        return Err(machine.wrong("a set", set, at));
    }
    match machine.integer(n, at)? {
        // `0 .. n` has no lengths then.
        n if n < 0 => Ok(Value::empty_set()),
        n => Ok(Value::symbolic(
            Symbolic::BoundedSequences(set, n as usize),
            machine.arena,
        )),
    }
}

/// The first index, in the order given, whose item passes the test; counted from 1, or 0.
fn select<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    items: &[Value<'t>],
    indices: impl Iterator<Item = usize>,
    test: Closure,
    at: ExprId,
) -> Res<'t> {
    for i in indices {
        if machine.test_closure(test, &[items[i]], at)? {
            return Ok(Value::Int(i as i64 + 1));
        }
    }
    Ok(Value::Int(0))
}

type Within<'t> = (&'t [Value<'t>], std::ops::Range<usize>, Closure);

fn within<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    given: &[super::Given<'t, 'i>],
    operator: &'static str,
    at: ExprId,
) -> Result<Within<'t>, Fault> {
    let [sequence, from, to] = machine.values(given);
    let test = machine.operator_arg(given, 3);
    let items = machine.sequence(sequence, at)?;
    let (from, to) = (machine.integer(from, at)?, machine.integer(to, at)?);
    if from > to {
        return Ok((items, 0..0, test));
    }
    if from < 1 || to > items.len() as i64 {
        return Err(machine.undefined(
            operator,
            format!("{from}..{to} is not within 1..{}", items.len()),
            at,
        ));
    }
    Ok((items, from as usize - 1..to as usize, test))
}

fn without<'t, 'i: 't>(machine: &Machine<'t, 'i>, items: &[Value<'t>], index: usize) -> Value<'t> {
    let rest: Vec<Value<'t>> = items[..index]
        .iter()
        .chain(&items[index + 1..])
        .copied()
        .collect();
    machine.tuple(&rest)
}

fn all_same<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    a: &[Value<'t>],
    b: &[Value<'t>],
    at: ExprId,
) -> Result<bool, Fault> {
    for (&a, &b) in a.iter().zip(b) {
        if !machine.same(a, b, at)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn length<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    sequence: Value<'t>,
    at: ExprId,
) -> Result<usize, Fault> {
    match sequence {
        Value::Str(text) => Ok(text.as_str().chars().count()),
        other => Ok(machine.sequence(other, at)?.len()),
    }
}

/// How far two sequences, or strings, agree, at most `n`.
fn common<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    a: Value<'t>,
    b: Value<'t>,
    n: usize,
    at: ExprId,
) -> Result<usize, Fault> {
    if let (Value::Str(a), Value::Str(b)) = (a, b) {
        let agree = a
            .as_str()
            .chars()
            .zip(b.as_str().chars())
            .take(n)
            .take_while(|(a, b)| a == b);
        return Ok(agree.count());
    }
    let (a, b) = (machine.sequence(a, at)?, machine.sequence(b, at)?);
    for (i, (&a, &b)) in a.iter().zip(b).take(n).enumerate() {
        if !machine.same(a, b, at)? {
            return Ok(i);
        }
    }
    Ok(n.min(b.len()))
}
