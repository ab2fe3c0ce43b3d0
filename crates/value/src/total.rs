//! An order in which every value has its place, also beside those that it cannot be compared with.
//!
//! Sorting asks for one order from its beginning to its end, and panics where it gets several. So what is going to be rejected is sorted by this one: it
//! is [`compare`] wherever that has an answer.

use std::cmp::Ordering;

use crate::extent::{Extent, extent, place_endless};
use crate::order::{compare, fn_len, fn_rank};
use crate::sets::{cardinality, enumerate};
use crate::{Arena, Kind, Trouble, Value};

/// Two values that cannot be compared, and why.
pub struct Unordered<'v> {
    pub trouble: Trouble,
    pub pair: [Value<'v>; 2],
}

/// An order to sort by that notes the first pair that cannot be compared.
pub(crate) struct Sorting<'v> {
    unordered: Option<Unordered<'v>>,
}

impl<'v> Sorting<'v> {
    pub(crate) fn new() -> Sorting<'v> {
        Sorting { unordered: None }
    }

    #[inline]
    pub(crate) fn order(&mut self, a: Value<'v>, b: Value<'v>) -> Ordering {
        compare(a, b).unwrap_or_else(|trouble| {
            let pair = [a, b];
            self.unordered.get_or_insert(Unordered { trouble, pair });
            total(a, b)
        })
    }

    pub(crate) fn end(self) -> Result<(), Unordered<'v>> {
        self.unordered.map_or(Ok(()), Err)
    }
}

pub(crate) fn total(a: Value<'_>, b: Value<'_>) -> Ordering {
    let kinds = kind_rank(a).cmp(&kind_rank(b));
    if kinds.is_ne() {
        return kinds;
    }
    match (a, b) {
        (Value::Model(a), Value::Model(b)) => a.cmp(&b),
        (Value::Tuple(a), Value::Tuple(b)) => {
            let sizes = a.items.len().cmp(&b.items.len());
            sizes.then_with(|| total_all(a.items, b.items))
        }
        (Value::Record(a), Value::Record(b)) => {
            let sizes = a.names.len().cmp(&b.names.len());
            sizes
                .then_with(|| a.names.cmp(b.names))
                .then_with(|| total_all(a.values, b.values))
        }
        (Value::Fun(a), Value::Fun(b)) => {
            total(Value::Set(a.domain), Value::Set(b.domain)).then_with(|| total_all(a.values, b.values))
        }
        _ if a.kind() == Kind::Function => fn_len(a).cmp(&fn_len(b)).then(fn_rank(a).cmp(&fn_rank(b))),
        _ if a.kind() == Kind::Set => total_sets(a, b),
        // Within the other kinds all can be compared.
        _ => compare(a, b).unwrap_or(Ordering::Equal),
    }
}

/// Model values come before everything else.
fn kind_rank(value: Value<'_>) -> u8 {
    match value.kind() {
        Kind::Model => 0,
        other => 1 + other as u8,
    }
}

pub(crate) fn total_all(a: &[Value<'_>], b: &[Value<'_>]) -> Ordering {
    let pairs = a.iter().zip(b);
    pairs
        .map(|(&a, &b)| total(a, b))
        .find(|it| it.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Sets whose elements can be listed come first, by size and elements, then those that have an end, and then all others.
fn total_sets(a: Value<'_>, b: Value<'_>) -> Ordering {
    let class = |set| match extent(set) {
        Ok(Extent::Finite) if cardinality(set).is_ok() => 0,
        Ok(Extent::Finite) => 1,
        _ => 2,
    };
    let (first, second) = (class(a), class(b));
    if (first, second) != (0, 0) {
        return first.cmp(&second).then_with(|| place_endless(a, b));
    }
    let sizes = cardinality(a).ok().cmp(&cardinality(b).ok());
    if sizes.is_ne() {
        return sizes;
    }
    let scratch = Arena::new();
    match (
        enumerate(crate::order::shorten(a), &scratch),
        enumerate(crate::order::shorten(b), &scratch),
    ) {
        (Ok(a), Ok(b)) => total_all(a.items, b.items),
        (a, b) => a.is_err().cmp(&b.is_err()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Symbolic, Text};

    fn several<'v>(arena: &'v Arena) -> Vec<Value<'v>> {
        let text = |it| Value::Str(Text::new(it));
        let model = |it| Value::Model(Text::new(it));
        let mut all = vec![Value::TRUE, Value::Int(1), Value::Int(2), text("a"), text("b")];
        all.extend([model("m"), model("A_1"), model("B_1")]);
        let set = |items: &[Value<'v>]| {
            let items = items.iter().copied();
            Value::set(bumpalo::collections::Vec::from_iter_in(items, arena), arena).expect("of one kind")
        };
        let symbolic = |it| Value::symbolic(it, arena);
        let (nat, int) = (symbolic(Symbolic::Nat), symbolic(Symbolic::Int));
        let sets = [
            set(&[]),
            set(&all[1..2]),
            set(&all[1..3]),
            set(&all[3..4]),
            set(&all[3..5]),
            symbolic(Symbolic::Interval(1, 2)),
            nat,
            int,
            symbolic(Symbolic::Difference(nat, int)),
            symbolic(Symbolic::Union(set(&all[1..2]), set(&all[3..4]))),
            symbolic(Symbolic::Union(nat, set(&all[3..4]))),
            symbolic(Symbolic::Power(nat)),
            symbolic(Symbolic::Power(symbolic(Symbolic::Difference(nat, int)))),
            symbolic(Symbolic::Sequences(nat)),
            symbolic(Symbolic::Sequences(set(&[]))),
            symbolic(Symbolic::Functions(set(&all[3..5]), nat)),
            symbolic(Symbolic::Functions(set(&all[1..3]), nat)),
            symbolic(Symbolic::Product(arena.alloc_slice_copy(&[nat, nat]))),
            symbolic(Symbolic::Product(arena.alloc_slice_copy(&[nat, set(&all[3..4])]))),
        ];
        all.extend(sets);
        let leaves = all.clone();
        for (i, &a) in leaves.iter().enumerate() {
            for &b in &leaves[i / 2..leaves.len().min(i / 2 + 3)] {
                all.push(Value::tuple(&[a, b], arena));
            }
            all.push(Value::record(&[(Text::new("f"), a)], arena));
        }
        all
    }

    /// One order of everything: sorting panics where `<` goes round in a circle.
    #[test]
    fn everything_has_its_place() {
        let arena = Arena::new();
        let all = several(&arena);
        for &a in &all {
            for &b in &all {
                let order = total(a, b);
                assert_eq!(order, total(b, a).reverse(), "{a} {b}");
                if let Ok(known) = compare(a, b) {
                    assert_eq!(known, order, "{a} {b}");
                }
            }
        }
        for &a in &all {
            for &b in all.iter().filter(|&&b| total(a, b).is_le()) {
                for &c in all.iter().filter(|&&c| total(b, c).is_le()) {
                    let strictly = total(a, b).is_lt() || total(b, c).is_lt();
                    assert_eq!(total(a, c).is_lt(), strictly, "{a} {b} {c}");
                }
            }
        }
    }

    /// What cannot be compared is an error in a set of any size, and in the domain of a function.
    #[test]
    fn mixed_sets_are_refused() {
        let arena = Arena::new();
        for n in [2, 9, 64, 500] {
            let mixed = (0..n).map(|it| {
                let number = Value::Int(it * 7919 % 64);
                let item = if it % 3 == 0 { Value::str("a") } else { number };
                Value::tuple(&[item], &arena)
            });
            let items = bumpalo::collections::Vec::from_iter_in(mixed, &arena);
            let pairs = items.iter().map(|&it| (it, Value::TRUE));
            let pairs = bumpalo::collections::Vec::from_iter_in(pairs, &arena);
            assert!(matches!(Value::set(items, &arena), Err(Trouble::Mismatch)));
            assert!(matches!(crate::from_pairs(pairs, &arena), Err(Trouble::Mismatch)));
        }
    }
}
