//! `Sequences` and the parts of `SequencesExt` that specifications lean on.

use bumpalo::collections::Vec as ArenaVec;
use value::{Symbolic, Text, Value};

use super::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row("Sequences", "Seq", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        match set.kind() {
            value::Kind::Set => Ok(Value::symbolic(Symbolic::Sequences(set), machine.arena)),
            _ => Err(machine.wrong("a set", set, at)),
        }
    }),
    row("Sequences", "Len", |machine, given, at| match machine.value_arg(given, 0) {
        Value::Tuple(it) => Ok(Value::Int(it.items.len() as i64)),
        Value::Str(it) => Ok(Value::Int(it.as_str().chars().count() as i64)),
        other => Err(machine.wrong("a sequence", other, at)),
    }),
    row("Sequences", "\\o", |machine, given, at| {
        match (machine.value_arg(given, 0), machine.value_arg(given, 1)) {
            (Value::Str(a), Value::Str(b)) => Ok(Value::Str(Text::new(&format!("{a}{b}")))),
            (a, b) => {
                let (a, b) = (machine.sequence(a, at)?, machine.sequence(b, at)?);
                let mut all = ArenaVec::with_capacity_in(a.len() + b.len(), machine.arena);
                all.extend_from_slice(a);
                all.extend_from_slice(b);
                Ok(Value::tuple_in(all.into_bump_slice(), machine.arena))
            }
        }
    }),
    row("Sequences", "Append", |machine, given, at| {
        let (sequence, item) = (machine.value_arg(given, 0), machine.value_arg(given, 1));
        let items = machine.sequence(sequence, at)?;
        let mut all = ArenaVec::with_capacity_in(items.len() + 1, machine.arena);
        all.extend_from_slice(items);
        all.push(item);
        Ok(Value::tuple_in(all.into_bump_slice(), machine.arena))
    }),
    row("Sequences", "Head", |machine, given, at| {
        let sequence = machine.value_arg(given, 0);
        match machine.sequence(sequence, at)?.first() {
            Some(&item) => Ok(item),
            None => Err(machine.undefined("Head", "the sequence is empty", at)),
        }
    }),
    row("Sequences", "Tail", |machine, given, at| {
        let sequence = machine.value_arg(given, 0);
        match machine.sequence(sequence, at)?.split_first() {
            Some((_, rest)) => Ok(Value::tuple_in(rest, machine.arena)),
            None => Err(machine.undefined("Tail", "the sequence is empty", at)),
        }
    }),
    row("Sequences", "SubSeq", |machine, given, at| {
        let (sequence, from, to) =
            (machine.value_arg(given, 0), machine.value_arg(given, 1), machine.value_arg(given, 2));
        let (from, to) = (machine.integer(from, at)?, machine.integer(to, at)?);
        if let Value::Str(text) = sequence {
            let n = text.as_str().chars().count() as i64;
            if from <= to && (from < 1 || to > n) {
                return Err(machine.undefined("SubSeq", format!("{from}..{to} is not within 1..{n}"), at));
            }
            let part: String = text.as_str().chars().skip((from - 1).max(0) as usize).take((to - from + 1).max(0) as usize).collect();
            return Ok(Value::Str(Text::new(&part)));
        }
        let items = machine.sequence(sequence, at)?;
        if from > to {
            return Ok(Value::empty_tuple());
        }
        let n = items.len() as i64;
        if from < 1 || to > n {
            return Err(machine.undefined("SubSeq", format!("{from}..{to} is not within 1..{n}"), at));
        }
        Ok(Value::tuple_in(&items[from as usize - 1..to as usize], machine.arena))
    }),
    row("Sequences", "SelectSeq", |machine, given, at| {
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
