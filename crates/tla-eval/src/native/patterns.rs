//! Sequences inside sequences: looking for a part, and putting another one in its place.
//!
//! Strings are taken apart into characters, so that one search serves both.

use tla_sema::ir::ExprId;
use value::{Text, Value};

use super::{Given, Row, row};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("SequencesExt", "IndexFirstSubSeq", "vv", |machine, given, at| {
        let [part, whole] = machine.values(given);
        let (part, whole) = (Items::of(machine, part, at)?, Items::of(machine, whole, at)?);
        match find(machine, &part, &whole, 0, at)? {
            Some(i) => Ok(Value::Int(i as i64 + 1)),
            None => Err(machine.undefined(
                "IndexFirstSubSeq",
                "the first sequence does not lie in the second",
                at,
            )),
        }
    }),
    row(
        "SequencesExt",
        "ReplaceFirstSubSeq",
        "vvv",
        |machine, given, at| replace(machine, given, 1, at),
    ),
    row(
        "SequencesExt",
        "ReplaceAllSubSeqs",
        "vvv",
        |machine, given, at| replace(machine, given, usize::MAX, at),
    ),
];

enum Items<'t> {
    Text(Vec<char>),
    Values(&'t [Value<'t>]),
}

impl<'t> Items<'t> {
    fn of<'i: 't>(
        machine: &mut Machine<'t, 'i>,
        sequence: Value<'t>,
        at: ExprId,
    ) -> Result<Items<'t>, Fault> {
        match sequence {
            Value::Str(text) => Ok(Items::Text(text.as_str().chars().collect())),
            other => Ok(Items::Values(machine.sequence(other, at)?)),
        }
    }

    fn len(&self) -> usize {
        match self {
            Items::Text(it) => it.len(),
            Items::Values(it) => it.len(),
        }
    }
}

/// Whether `part` lies in `whole` at an index.
fn lies_at<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    part: &Items<'t>,
    whole: &Items<'t>,
    index: usize,
    at: ExprId,
) -> Result<bool, Fault> {
    match (part, whole) {
        (Items::Text(part), Items::Text(whole)) => Ok(whole[index..].starts_with(part)),
        (Items::Values(part), Items::Values(whole)) => {
            for (&a, &b) in part.iter().zip(&whole[index..]) {
                if !machine.same(a, b, at)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        // Only the empty sequence lies in a string, and the empty string in a sequence.
        _ => Ok(part.len() == 0),
    }
}

fn find<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    part: &Items<'t>,
    whole: &Items<'t>,
    from: usize,
    at: ExprId,
) -> Result<Option<usize>, Fault> {
    for index in from..(whole.len() + 1).saturating_sub(part.len()) {
        if lies_at(machine, part, whole, index, at)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// `whole` with `new` in the place of the first `n_max` parts `old`. The empty part lies before every element, and in the
/// empty sequence once.
fn replace<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    given: &[Given<'t, 'i>],
    n_max: usize,
    at: ExprId,
) -> Res<'t> {
    let [new, old, whole_value] = machine.values(given);
    let (old, whole) = (Items::of(machine, old, at)?, Items::of(machine, whole_value, at)?);
    let mut places = vec![];
    let mut from = 0;
    while places.len() < n_max && (from < whole.len() || places.is_empty()) {
        let Some(index) = find(machine, &old, &whole, from, at)? else {
            break;
        };
        places.push(index);
        from = index + old.len().max(1);
    }
    if places.is_empty() {
        return Ok(whole_value);
    }
    let new = Items::of(machine, new, at)?;
    match (&new, &whole) {
        (Items::Text(new), Items::Text(whole)) => {
            let text: String = spliced(&places, old.len(), new, whole).into_iter().collect();
            Ok(Value::Str(Text::new(&text)))
        }
        (Items::Values(new), Items::Values(whole)) => {
            let items = spliced(&places, old.len(), new, whole);
            Ok(machine.tuple(&items))
        }
        _ => Err(machine.wrong("a sequence of the same kind", whole_value, at)),
    }
}

fn spliced<T: Copy>(places: &[usize], n_old: usize, new: &[T], whole: &[T]) -> Vec<T> {
    let mut all = vec![];
    let mut kept = 0;
    for &place in places {
        all.extend_from_slice(&whole[kept..place]);
        all.extend_from_slice(new);
        kept = place + n_old;
    }
    all.extend_from_slice(&whole[kept..]);
    all
}
