//! Values that belong to nobody's arena: registers, traces, files.
//!
//! Slow and simple next to [`Value`]: a tree of boxes, with its elements in the same normal form and order. Only finite
//! values are kept this way.

use num_bigint::BigInt;

use crate::function::from_pairs;
use crate::sets::enumerate;
use crate::{Arena, Text, Trouble, Value};

/// A value of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owned {
    Bool(bool),
    Int(i64),
    Big(BigInt),
    Str(Text),
    Model(Text),
    Tuple(Vec<Owned>),
    Record(Vec<(Text, Owned)>),
    Fun(Vec<(Owned, Owned)>),
    Set(Vec<Owned>),
}

impl Owned {
    pub fn str(text: &str) -> Owned {
        Owned::Str(Text::new(text))
    }

    /// A record from fields in any order; names must be distinct.
    pub fn record<'n>(fields: impl IntoIterator<Item = (&'n str, Owned)>) -> Owned {
        let mut fields: Vec<(Text, Owned)> = fields
            .into_iter()
            .map(|(name, it)| (Text::new(name), it))
            .collect();
        fields.sort_by_key(|&(name, _)| name);
        if fields.is_empty() {
            Owned::Tuple(vec![])
        } else {
            Owned::Record(fields)
        }
    }

    /// A copy in an arena, in normal form again: the fields are open to everyone.
    pub fn copy_to<'v>(&self, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
        util::deep(|| self.copy_here(arena))
    }

    fn copy_here<'v>(&self, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
        Ok(match self {
            Owned::Bool(it) => Value::bool(*it),
            Owned::Int(it) => Value::Int(*it),
            Owned::Big(it) => Value::big(it.clone(), arena),
            Owned::Str(it) => Value::Str(*it),
            Owned::Model(it) => Value::Model(*it),
            Owned::Tuple(items) => Value::tuple_in(copy_all(items, arena)?.into_bump_slice(), arena),
            Owned::Record(fields) => {
                let mut copies = Vec::with_capacity(fields.len());
                for (name, it) in fields {
                    copies.push((*name, it.copy_to(arena)?));
                }
                Value::record(&copies, arena)
            }
            Owned::Fun(pairs) => {
                let mut copies = bumpalo::collections::Vec::with_capacity_in(pairs.len(), arena);
                for (key, it) in pairs {
                    copies.push((key.copy_to(arena)?, it.copy_to(arena)?));
                }
                from_pairs(copies, arena)?
            }
            Owned::Set(items) => Value::set(copy_all(items, arena)?, arena)?,
        })
    }
}

fn copy_all<'v>(
    items: &[Owned],
    arena: &'v Arena,
) -> Result<bumpalo::collections::Vec<'v, Value<'v>>, Trouble> {
    let mut copies = bumpalo::collections::Vec::with_capacity_in(items.len(), arena);
    for item in items {
        copies.push(item.copy_to(arena)?);
    }
    Ok(copies)
}

/// A value with more parts than this stays where it is: parts that it has in common with itself are copied each time.
const PARTS_MAX: usize = 1 << 18;
/// So deep a tree of boxes can be dropped.
const DEPTH_MAX: usize = 10_000;

impl Value<'_> {
    /// A copy of its own. Finite symbolic sets are spelt out; what is infinite, or far too large, is refused.
    pub fn to_owned_value(self) -> Result<Owned, Trouble> {
        self.to_owned_within(&mut { PARTS_MAX }, DEPTH_MAX)
    }

    fn to_owned_within(self, parts: &mut usize, depth: usize) -> Result<Owned, Trouble> {
        let depth = depth.checked_sub(1).ok_or(Trouble::TooMany)?;
        util::deep(|| self.to_owned_here(parts, depth))
    }

    fn to_owned_here(self, parts: &mut usize, depth: usize) -> Result<Owned, Trouble> {
        let mut all = |items: &[Value<'_>]| {
            *parts = parts.checked_sub(items.len()).ok_or(Trouble::TooMany)?;
            items
                .iter()
                .map(|it| it.to_owned_within(parts, depth))
                .collect::<Result<Vec<Owned>, Trouble>>()
        };
        Ok(match self {
            Value::Bool(it) => Owned::Bool(it.get()),
            Value::Int(it) => Owned::Int(it),
            Value::Big(it) => Owned::Big(it.clone()),
            Value::Str(it) => Owned::Str(it),
            Value::Model(it) => Owned::Model(it),
            Value::Tuple(it) => Owned::Tuple(all(it.items)?),
            Value::Record(it) => Owned::Record(it.names.iter().copied().zip(all(it.values)?).collect()),
            Value::Fun(it) => Owned::Fun(all(it.domain.items)?.into_iter().zip(all(it.values)?).collect()),
            Value::Set(it) => Owned::Set(all(it.items)?),
            Value::Bits(_) | Value::Symbolic(_) => {
                let scratch = Arena::new();
                Owned::Set(all(enumerate(shorten(self), &scratch)?.items)?)
            }
        })
    }
}

fn shorten<'short, 'long: 'short>(value: Value<'long>) -> Value<'short> {
    value
}

impl std::fmt::Display for Owned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scratch = Arena::new();
        match self.copy_to(&scratch) {
            Ok(value) => value.fmt(f),
            Err(_) => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symbolic;

    #[test]
    fn there_and_back() {
        let arena = Arena::new();
        let base = Value::interval(1, 3, &arena);
        let power = Value::symbolic(Symbolic::Power(base), &arena);
        let record = Value::record(
            &[(Text::new("b"), power), (Text::new("a"), Value::str("x"))],
            &arena,
        );
        let owned = record.to_owned_value().unwrap();
        let back = owned.copy_to(&arena).unwrap();
        assert!(crate::equal(record, back).unwrap());
        assert_eq!(
            owned.to_string(),
            "[a |-> \"x\", b |-> {{}, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}}]"
        );
    }

    #[test]
    fn what_doubles_at_each_step_stays_where_it_is() {
        let arena = Arena::new();
        let twice = |it, n: usize| (0..n).fold(it, |it, _| Value::tuple(&[it, it], &arena));
        let once = |it, n: usize| (0..n).fold(it, |it, _| Value::tuple(&[it], &arena));
        assert!(twice(Value::Int(0), 10).to_owned_value().is_ok());
        for value in [twice(Value::Int(0), 100), once(Value::Int(0), 1_000_000)] {
            assert_eq!(value.to_owned_value(), Err(Trouble::TooMany));
            assert_eq!(crate::text_up_to(value, 4), "<<<<…");
        }
    }

    #[test]
    fn the_infinite_stays_where_it_is() {
        assert_eq!(
            Value::Symbolic(&Symbolic::Nat).to_owned_value(),
            Err(Trouble::Infinite)
        );
    }
}
