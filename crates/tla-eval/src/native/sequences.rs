//! `Sequences`. Strings count as sequences of characters for `Len`, `\o`, `SubSeq` and `Tail`, as in TLC.

use bumpalo::collections::Vec as ArenaVec;
use tla_sema::ir::ExprId;
use value::{Symbolic, Text, Value};

use super::{Row, row};
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("Sequences", "Seq", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        match set.kind() {
            value::Kind::Set => Ok(Value::symbolic(Symbolic::Sequences(set), machine.arena)),
            _ => Err(machine.wrong("a set", set, at)),
        }
    }),
    row("Sequences", "Len", "v", |machine, given, at| {
        match machine.value_arg(given, 0) {
            Value::Tuple(it) => Ok(Value::Int(it.items.len() as i64)),
            Value::Str(it) => Ok(Value::Int(it.as_str().chars().count() as i64)),
            other => Err(machine.wrong("a sequence", other, at)),
        }
    }),
    row("Sequences", "\\o", "vv", |machine, given, at| {
        let [a, b] = machine.values(given);
        concatenate(machine, a, b, at)
    }),
    row("Sequences", "Append", "vv", |machine, given, at| {
        let [sequence, item] = machine.values(given);
        let items = machine.sequence(sequence, at)?;
        let mut all = ArenaVec::with_capacity_in(items.len() + 1, machine.arena);
        all.extend_from_slice(items);
        all.push(item);
        Ok(Value::tuple_in(all.into_bump_slice(), machine.arena))
    }),
    row("Sequences", "Head", "v", |machine, given, at| {
        let sequence = machine.value_arg(given, 0);
        match machine.sequence(sequence, at)?.first() {
            Some(&item) => Ok(item),
            None => Err(machine.undefined("Head", "the sequence is empty", at)),
        }
    }),
    row("Sequences", "Tail", "v", |machine, given, at| {
        let sequence = machine.value_arg(given, 0);
        if let Value::Str(text) = sequence
            && let Some(first) = text.as_str().chars().next()
        {
            return Ok(Value::str(&text.as_str()[first.len_utf8()..]));
        }
        match sequence {
            Value::Str(_) => Err(machine.undefined("Tail", "the string is empty", at)),
            _ => match machine.sequence(sequence, at)?.split_first() {
                Some((_, rest)) => Ok(Value::tuple_in(rest, machine.arena)),
                None => Err(machine.undefined("Tail", "the sequence is empty", at)),
            },
        }
    }),
    row("Sequences", "SubSeq", "vvv", |machine, given, at| {
        let [sequence, from, to] = machine.values(given);
        let n = match sequence {
            Value::Str(text) => text.as_str().chars().count(),
            other => machine.sequence(other, at)?.len(),
        } as i64;
        let (from, to) = (machine.integer(from, at)?, machine.integer(to, at)?);
        if from <= to && (from < 1 || to > n) {
            return Err(machine.undefined("SubSeq", format!("{from}..{to} is not within 1..{n}"), at));
        }
        let range = if from > to {
            0..0
        } else {
            from as usize - 1..to as usize
        };
        Ok(part(machine, sequence, range))
    }),
    row("Sequences", "SelectSeq", "v1", |machine, given, at| {
        let (sequence, test) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let items = machine.sequence(sequence, at)?;
        let mut kept = ArenaVec::new_in(machine.arena);
        for &item in items {
            if machine.test_closure(test, &[item], at)? {
                kept.push(item);
            }
        }
        Ok(Value::tuple_in(kept.into_bump_slice(), machine.arena))
    }),
];

/// Two sequences, or two strings, in one.
pub(super) fn concatenate<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    a: Value<'t>,
    b: Value<'t>,
    at: ExprId,
) -> Res<'t> {
    if let (Value::Str(a), b) = (a, b) {
        let b = machine.string(b, at)?;
        return Ok(Value::Str(Text::new(&format!("{a}{b}"))));
    }
    let (left, right) = (machine.sequence(a, at)?, machine.sequence(b, at)?);
    if left.is_empty() {
        return Ok(b);
    }
    if right.is_empty() {
        return Ok(a);
    }
    let mut all = ArenaVec::with_capacity_in(left.len() + right.len(), machine.arena);
    all.extend_from_slice(left);
    all.extend_from_slice(right);
    Ok(Value::tuple_in(all.into_bump_slice(), machine.arena))
}

/// Some of the items of a sequence, or characters of a string, that lie within it.
pub(super) fn part<'t, 'i: 't>(
    machine: &Machine<'t, 'i>,
    sequence: Value<'t>,
    range: std::ops::Range<usize>,
) -> Value<'t> {
    match sequence {
        Value::Str(text) => {
            let part: String = text
                .as_str()
                .chars()
                .skip(range.start)
                .take(range.len())
                .collect();
            Value::Str(Text::new(&part))
        }
        Value::Tuple(it) if range.len() == it.items.len() => sequence,
        Value::Tuple(it) => Value::tuple_in(&it.items[range], machine.arena),
        other => other,
    }
}
