//! The elements of a set, one after the other, in an order that depends on the set alone.
//!
//! Symbolic sets are walked without being built: `SUBSET S` counts in binary, products and function sets like a
//! mileage counter. The order is that of the construction, not always the sorted one.

use crate::sets::{check_enumerable, enumerate, filter, merge};
use crate::{Arena, Set, Symbolic, Text, Trouble, Value};

/// An enumeration under way.
pub struct Elements<'v> {
    state: State<'v>,
}

enum State<'v> {
    Slice(&'v [Value<'v>], usize),
    Interval(i64, i64),
    /// Subsets by size of their binary number.
    Subsets {
        base: Base<'v>,
        next: u64,
        end: u64,
    },
    /// A mileage counter over the choices of each place.
    Counter {
        places: Base2<'v>,
        digits: Vec<usize>,
        done: bool,
    },
    Sequences {
        base: Base<'v>,
        length: usize,
        length_max: usize,
        digits: Vec<usize>,
        fresh: bool,
    },
    /// Not yet spelt out.
    Deferred(Value<'v>),
}

/// The elements to choose from: fixed on the first step, when an arena is at hand.
enum Base<'v> {
    Later(Value<'v>),
    Items(&'v [Value<'v>]),
}

enum Base2<'v> {
    Later(Shape<'v>),
    Ready(Shape<'v>, Vec<&'v [Value<'v>]>),
}

#[derive(Clone, Copy)]
enum Shape<'v> {
    Product(&'v [Value<'v>]),
    Records(&'v [Text], &'v [Value<'v>]),
    Functions(Value<'v>, Value<'v>),
}

/// Starts an enumeration, or says why there is none.
pub fn elements<'v>(set: Value<'v>) -> Result<Elements<'v>, Trouble> {
    let symbolic = match set {
        Value::Set(it) => {
            return Ok(Elements {
                state: State::Slice(it.items, 0),
            });
        }
        Value::Symbolic(it) => it,
        _ => return Err(Trouble::NotASet),
    };
    if let Symbolic::Interval(low, high) = symbolic {
        return Ok(Elements {
            state: State::Interval(*low, *high),
        });
    }
    check_enumerable(set)?;
    let state = match symbolic {
        Symbolic::Power(base) => {
            let n = u64::try_from(crate::cardinality(*base)?).map_err(|_| Trouble::TooMany)?;
            State::Subsets {
                base: Base::Later(*base),
                next: 0,
                end: 1 << n,
            }
        }
        Symbolic::Product(sets) => counter(Shape::Product(sets)),
        Symbolic::Records(names, sets) => counter(Shape::Records(names, sets)),
        Symbolic::Functions(domain, range) => counter(Shape::Functions(*domain, *range)),
        Symbolic::Sequences(base) => sequences(*base, 0),
        Symbolic::BoundedSequences(base, n) => sequences(*base, *n),
        _ => State::Deferred(set),
    };
    Ok(Elements { state })
}

fn counter(shape: Shape<'_>) -> State<'_> {
    State::Counter {
        places: Base2::Later(shape),
        digits: vec![],
        done: false,
    }
}

fn sequences(base: Value<'_>, length_max: usize) -> State<'_> {
    State::Sequences {
        base: Base::Later(base),
        length: 0,
        length_max,
        digits: vec![],
        fresh: true,
    }
}

impl<'v> Elements<'v> {
    /// The next element. What has to be built is built in `arena`.
    pub fn next(&mut self, arena: &'v Arena) -> Option<Value<'v>> {
        match &mut self.state {
            State::Slice(items, at) => {
                let item = items.get(*at).copied();
                *at += 1;
                item
            }
            State::Interval(next, end) => {
                if *next > *end {
                    return None;
                }
                let item = *next;
                if item == i64::MAX {
                    (*next, *end) = (1, 0);
                } else {
                    *next += 1;
                }
                Some(Value::Int(item))
            }
            State::Subsets { base, next, end } => {
                if *next >= *end {
                    return None;
                }
                let items = base.items(arena);
                let bits = *next;
                *next += 1;
                let chosen = items
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| bits >> i & 1 == 1)
                    .map(|(_, &it)| it);
                let chosen = bumpalo::collections::Vec::from_iter_in(chosen, arena);
                Some(Value::sorted_set(chosen.into_bump_slice(), arena))
            }
            State::Counter { places, digits, done } => {
                if *done {
                    return None;
                }
                let (shape, choices) = places.ready(arena);
                if digits.is_empty() && !choices.is_empty() {
                    digits.resize(choices.len(), 0);
                    if choices.iter().any(|it| it.is_empty()) {
                        *done = true;
                        return None;
                    }
                }
                let picked = arena
                    .alloc_slice_fill_iter(digits.iter().zip(choices.iter()).map(|(&digit, it)| it[digit]));
                *done = !advance(digits, |place| choices[place].len());
                Some(shape.build(picked, arena))
            }
            State::Sequences {
                base,
                length,
                length_max,
                digits,
                fresh,
            } => {
                let items = base.items(arena);
                if !*fresh && !advance(digits, |_| items.len()) {
                    if *length >= *length_max || items.is_empty() {
                        return None;
                    }
                    *length += 1;
                    *digits = vec![0; *length];
                }
                *fresh = false;
                let picked = arena.alloc_slice_fill_iter(digits.iter().map(|&digit| items[digit]));
                Some(Value::tuple_in(picked, arena))
            }
            State::Deferred(set) => {
                let items = match enumerate_parts(*set, arena) {
                    Ok(Value::Set(it)) => it.items,
                    _ => return None,
                };
                self.state = State::Slice(items, 0);
                self.next(arena)
            }
        }
    }
}

/// Symbolic unions and the like that turn out finite.
fn enumerate_parts<'v>(set: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    match set {
        Value::Symbolic(Symbolic::Union(a, b)) => merge(*a, *b, arena),
        Value::Symbolic(Symbolic::Intersection(a, b)) => {
            let (few, many) = if crate::is_finite(*a)? { (*a, *b) } else { (*b, *a) };
            filter(few, arena, |item| crate::contains(many, item))
        }
        Value::Symbolic(Symbolic::Difference(a, b)) => {
            filter(*a, arena, |item| crate::contains(*b, item).map(|it| !it))
        }
        _ => enumerate(set, arena),
    }
}

/// Counts up by one, last place fastest; false when it was the last number.
fn advance(digits: &mut [usize], base: impl Fn(usize) -> usize) -> bool {
    for place in (0..digits.len()).rev() {
        digits[place] += 1;
        if digits[place] < base(place) {
            return true;
        }
        digits[place] = 0;
    }
    false
}

fn sorted_items<'v>(set: Value<'v>, arena: &'v Arena) -> &'v [Value<'v>] {
    match enumerate(set, arena) {
        Ok(Value::Set(it)) => it.items,
        _ => &[],
    }
}

impl<'v> Base<'v> {
    fn items(&mut self, arena: &'v Arena) -> &'v [Value<'v>] {
        if let Base::Later(set) = *self {
            *self = Base::Items(sorted_items(set, arena));
        }
        match self {
            Base::Items(items) => items,
            Base::Later(_) => &[],
        }
    }
}

impl<'v> Base2<'v> {
    fn ready(&mut self, arena: &'v Arena) -> (Shape<'v>, &[&'v [Value<'v>]]) {
        if let Base2::Later(shape) = *self {
            let (shape, choices) = match shape {
                Shape::Product(sets) | Shape::Records(_, sets) => {
                    (shape, sets.iter().map(|&it| sorted_items(it, arena)).collect())
                }
                Shape::Functions(domain, range) => {
                    let domain = sorted_items(domain, arena);
                    let range = sorted_items(range, arena);
                    let domain = Value::sorted_set(domain, arena);
                    let n = match domain {
                        Value::Set(it) => it.items.len(),
                        _ => 0,
                    };
                    (Shape::Functions(domain, domain), vec![range; n])
                }
            };
            *self = Base2::Ready(shape, choices);
        }
        match self {
            Base2::Ready(shape, choices) => (*shape, choices),
            Base2::Later(shape) => (*shape, &[]),
        }
    }
}

impl<'v> Shape<'v> {
    fn build(self, picked: &'v [Value<'v>], arena: &'v Arena) -> Value<'v> {
        match self {
            Shape::Product(_) => Value::tuple_in(picked, arena),
            Shape::Records(names, _) => Value::record_in(names, picked, arena),
            Shape::Functions(domain, _) => match domain {
                Value::Set(domain) => {
                    let domain: &'v Set<'v> = domain;
                    Value::function(domain, picked, arena)
                }
                _ => Value::empty_tuple(),
            },
        }
    }
}
