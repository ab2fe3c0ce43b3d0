//! Constructors: everything that makes a composite value makes it in normal form.

use std::cmp::Ordering;

use bumpalo::Bump;
use num_bigint::BigInt;

use crate::bits::pair;
use crate::total::{Sorting, Unordered, total};
use crate::{Bits, Fun, Identity, Record, Set, Symbolic, Text, Trouble, Tuple, Value};

/// See [`Tuple::key`]: the length, then fifteen bits for each item.
pub(crate) const fn tuple_key(items: &[Value<'_>]) -> u64 {
    const BITS: u32 = 15;
    const OFFSET: i64 = 1 << (BITS - 1);
    let n = items.len();
    if n == 0 || n > 4 {
        return 0;
    }
    let mut key = n as u64;
    let mut i = 0;
    while i < n {
        match items[i] {
            Value::Int(it) if it >= -OFFSET && it < OFFSET => {
                key = key << BITS | (it + OFFSET) as u64;
            }
            _ => return 0,
        }
        i += 1;
    }
    // Tuples of one length differ in the items only; the length goes on top.
    key << (BITS * (4 - n as u32))
}

/// Where temporary values are made. All of them go at once, when the arena is reset.
pub type Arena = Bump;

impl<'v> Value<'v> {
    #[inline]
    pub fn tuple(items: &[Value<'v>], arena: &'v Arena) -> Value<'v> {
        match pair(items) {
            Some(pair) => Value::Tuple(pair),
            None => Value::tuple_in(arena.alloc_slice_copy(items), arena),
        }
    }

    /// As [`Value::tuple`], for a slice that is in the arena already.
    pub fn tuple_in(items: &'v [Value<'v>], arena: &'v Arena) -> Value<'v> {
        if let Some(pair) = pair(items) {
            return Value::Tuple(pair);
        }
        Value::Tuple(arena.alloc(Tuple {
            items,
            key: tuple_key(items),
            identity: Identity::default(),
        }))
    }

    /// A set from elements in any order, with duplicates. They must be comparable with each other.
    pub fn set(
        items: bumpalo::collections::Vec<'v, Value<'v>>,
        arena: &'v Arena,
    ) -> Result<Value<'v>, Trouble> {
        Value::set_of(items, arena).map_err(|it| it.trouble)
    }

    /// The same for who wants to know which elements cannot be compared.
    pub fn set_of(
        mut items: bumpalo::collections::Vec<'v, Value<'v>>,
        arena: &'v Arena,
    ) -> Result<Value<'v>, Unordered<'v>> {
        if let Some(bits) = Bits::of(&items) {
            return Ok(Value::Bits(bits));
        }
        let mut sorting = Sorting::new();
        let mut order = |a, b| sorting.order(a, b);
        if items.len() <= FEW {
            sort_few(&mut items, &mut order);
        } else if !items.windows(2).all(|pair| order(pair[0], pair[1]).is_lt()) {
            items.sort_by(|&a, &b| order(a, b));
            items.dedup_by(|a, b| match (*a, *b) {
                (Value::Int(a), Value::Int(b)) => a == b,
                (a, b) => total(a, b).is_eq(),
            });
        }
        sorting.end()?;
        Ok(Value::Set(Set::listed(items.into_bump_slice(), arena)))
    }

    /// A set from strictly increasing elements.
    pub fn sorted_set(items: &'v [Value<'v>], arena: &'v Arena) -> Value<'v> {
        match Bits::of(items) {
            Some(bits) => Value::Bits(bits),
            None => Value::Set(Set::listed(items, arena)),
        }
    }

    pub fn symbolic(set: Symbolic<'v>, arena: &'v Arena) -> Value<'v> {
        Value::Symbolic(arena.alloc(set))
    }

    pub fn interval(low: i64, high: i64, arena: &'v Arena) -> Value<'v> {
        Value::symbolic(Symbolic::Interval(low, high), arena)
    }

    pub fn empty_set() -> Value<'static> {
        static EMPTY: Set<'static> = Set {
            items: &[],
            identity: Identity { id: 0, hash: 0 },
        };
        Value::Set(&EMPTY)
    }

    pub fn empty_tuple() -> Value<'static> {
        static EMPTY: Tuple<'static> = Tuple {
            key: 0,
            items: &[],
            identity: Identity { id: 0, hash: 0 },
        };
        Value::Tuple(&EMPTY)
    }

    /// `BOOLEAN`.
    pub fn booleans() -> Value<'static> {
        static BOTH: Set<'static> = Set {
            items: &[Value::FALSE, Value::TRUE],
            identity: Identity { id: 0, hash: 0 },
        };
        Value::Set(&BOTH)
    }

    pub fn big(value: BigInt, arena: &'v Arena) -> Value<'v> {
        match i64::try_from(&value) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(arena.alloc(value)),
        }
    }

    /// A record from fields in any order; names must be distinct.
    pub fn record(fields: &[(Text, Value<'v>)], arena: &'v Arena) -> Value<'v> {
        if fields.is_empty() {
            return Value::empty_tuple();
        }
        let mut fields = bumpalo::collections::Vec::from_iter_in(fields.iter().copied(), arena);
        fields.sort_by_key(|&(name, _)| name);
        let names = arena.alloc_slice_fill_iter(fields.iter().map(|&(name, _)| name));
        let values = arena.alloc_slice_fill_iter(fields.iter().map(|&(_, value)| value));
        Value::record_in(names, values, arena)
    }

    /// A record from sorted names.
    pub fn record_in(names: &'v [Text], values: &'v [Value<'v>], arena: &'v Arena) -> Value<'v> {
        debug_assert!(names.is_sorted() && !names.is_empty() && names.len() == values.len());
        Value::Record(arena.alloc(Record {
            names,
            values,
            identity: Identity::default(),
        }))
    }

    /// A function from a sorted domain and the values in its order, in whatever form is normal for that domain.
    pub fn function(domain: &'v Set<'v>, values: &'v [Value<'v>], arena: &'v Arena) -> Value<'v> {
        debug_assert_eq!(domain.items.len(), values.len());
        match domain.items {
            [] => Value::empty_tuple(),
            // Sorted, so `1 … n` is recognised by its ends.
            [Value::Int(1), ..] if is_range(domain.items) => Value::tuple_in(values, arena),
            [Value::Str(_), ..] if domain.items.iter().all(|it| matches!(it, Value::Str(_))) => {
                let names = domain.items.iter().filter_map(|it| match it {
                    Value::Str(name) => Some(*name),
                    _ => None,
                });
                let names = bumpalo::collections::Vec::from_iter_in(names, arena).into_bump_slice();
                Value::record_in(names, values, arena)
            }
            _ => Value::Fun(arena.alloc(Fun {
                domain,
                values,
                identity: Identity::default(),
            })),
        }
    }
}

/// So many elements are sorted by insertion.
const FEW: usize = 8;

/// Sorts by insertion, and leaves out what is there already: most small sets come in order.
fn sort_few<'v>(
    items: &mut bumpalo::collections::Vec<'v, Value<'v>>,
    order: &mut impl FnMut(Value<'v>, Value<'v>) -> Ordering,
) {
    let mut n = 1.min(items.len());
    for i in 1..items.len() {
        let item = items[i];
        let mut at = n;
        let place = loop {
            match at.checked_sub(1).map(|before| order(items[before], item)) {
                None | Some(Ordering::Less) => break Some(at),
                Some(Ordering::Equal) => break None,
                Some(Ordering::Greater) => at -= 1,
            }
        };
        if let Some(place) = place {
            for later in (place..n).rev() {
                items[later + 1] = items[later];
            }
            items[place] = item;
            n += 1;
        }
    }
    items.truncate(n);
}

impl<'v> Set<'v> {
    /// A list of strictly increasing elements: what an enumeration gives, and the domain of a function.
    pub fn listed(items: &'v [Value<'v>], arena: &'v Arena) -> &'v Set<'v> {
        debug_assert!(
            items.windows(2).all(|pair| total(pair[0], pair[1]).is_lt()),
            "sorted: {items:?}"
        );
        arena.alloc(Set {
            items,
            identity: Identity::default(),
        })
    }

    /// The set in normal form.
    pub fn normal(&'v self) -> Value<'v> {
        match Bits::of(self.items) {
            Some(bits) => Value::Bits(bits),
            None => Value::Set(self),
        }
    }
}

/// Whether sorted integers have no gap.
pub(crate) fn is_range(items: &[Value<'_>]) -> bool {
    match (items.first(), items.last()) {
        (Some(Value::Int(first)), Some(Value::Int(last))) => last
            .checked_sub(*first)
            .is_some_and(|span| span == items.len() as i64 - 1),
        _ => false,
    }
}

impl Value<'_> {
    /// A copy that lives in another arena. Symbolic sets stay symbolic.
    pub fn copy_to<'w>(self, arena: &'w Arena) -> Value<'w> {
        let all = |items: &[Value<'_>]| -> &'w [Value<'w>] {
            let copies: Vec<Value<'w>> = items.iter().map(|it| it.copy_to(arena)).collect();
            arena.alloc_slice_copy(&copies)
        };
        match self {
            Value::Bool(it) => Value::Bool(it),
            Value::Int(it) => Value::Int(it),
            Value::Big(it) => Value::Big(arena.alloc(it.clone())),
            Value::Str(it) => Value::Str(it),
            Value::Model(it) => Value::Model(it),
            Value::Tuple(it) => Value::tuple_in(all(it.items), arena),
            Value::Record(it) => Value::record_in(arena.alloc_slice_copy(it.names), all(it.values), arena),
            Value::Fun(it) => Value::Fun(arena.alloc(Fun {
                domain: Set::listed(all(it.domain.items), arena),
                values: all(it.values),
                identity: Identity::default(),
            })),
            Value::Set(it) => Value::sorted_set(all(it.items), arena),
            Value::Bits(it) => Value::Bits(it),
            Value::Symbolic(it) => {
                let one = |it: &Value<'_>| it.copy_to(arena);
                let copy = match it {
                    Symbolic::Nat => Symbolic::Nat,
                    Symbolic::Int => Symbolic::Int,
                    Symbolic::Real => Symbolic::Real,
                    Symbolic::Strings => Symbolic::Strings,
                    Symbolic::Any => Symbolic::Any,
                    Symbolic::Interval(low, high) => Symbolic::Interval(*low, *high),
                    Symbolic::Power(it) => Symbolic::Power(one(it)),
                    Symbolic::Functions(a, b) => Symbolic::Functions(one(a), one(b)),
                    Symbolic::Product(sets) => Symbolic::Product(all(sets)),
                    Symbolic::Records(names, sets) => {
                        Symbolic::Records(arena.alloc_slice_copy(names), all(sets))
                    }
                    Symbolic::Sequences(it) => Symbolic::Sequences(one(it)),
                    Symbolic::BoundedSequences(it, n) => Symbolic::BoundedSequences(one(it), *n),
                    Symbolic::Union(a, b) => Symbolic::Union(one(a), one(b)),
                    Symbolic::Intersection(a, b) => Symbolic::Intersection(one(a), one(b)),
                    Symbolic::Difference(a, b) => Symbolic::Difference(one(a), one(b)),
                    Symbolic::Filter(it, test, more) => Symbolic::Filter(one(it), *test, all(more)),
                };
                Value::symbolic(copy, arena)
            }
        }
    }
}
