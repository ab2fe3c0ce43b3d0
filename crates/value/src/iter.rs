//! The elements of a set, one after the other, in an order that depends on the set alone.
//!
//! Symbolic sets are walked without being built: `SUBSET S` goes by size, products and function sets like a
//! mileage counter. The order is that of the construction, not always the sorted one.

use crate::bits::{Universe, member};
use crate::extent::is_empty;
use crate::sets::{ELEMENTS_MAX, check_enumerable, enumerate, filter, merge};
use crate::subsets::Subsets;
use crate::{Arena, Set, Symbolic, Text, Trouble, Value};

/// An enumeration under way.
pub struct Elements<'v> {
    state: State<'v>,
}

enum State<'v> {
    Slice(&'v [Value<'v>], usize),
    Interval(i64, i64),
    Bits(Universe, u64),
    /// Apart, so that the others stay small.
    Built(Box<Built<'v>>),
}

enum Built<'v> {
    Subsets {
        base: &'v [Value<'v>],
        subsets: Subsets,
    },
    /// A mileage counter over the choices of each place.
    Counter {
        shape: Shape<'v>,
        choices: Vec<&'v [Value<'v>]>,
        digits: Vec<usize>,
        done: bool,
    },
    Sequences {
        base: &'v [Value<'v>],
        length: usize,
        length_max: usize,
        digits: Vec<usize>,
        fresh: bool,
    },
}

#[derive(Clone, Copy)]
enum Shape<'v> {
    Product,
    Records(&'v [Text]),
    Functions(&'v Set<'v>),
}

/// The places of the elements of a product, and what each may hold, before the first element is built.
///
/// Invariant: with the choices of a place restricted, the elements that are left come in the order they had.
pub struct Places<'e, 'v> {
    shape: Shape<'v>,
    choices: &'e mut Vec<&'v [Value<'v>]>,
    done: &'e mut bool,
}

/// Starts an enumeration, or says why there is none. What has to be built for it is built in `arena`.
pub fn elements<'v>(set: Value<'v>, arena: &'v Arena) -> Result<Elements<'v>, Trouble> {
    let symbolic = match set {
        Value::Set(it) => return Ok(Elements::listed(it.items)),
        Value::Bits(it) => {
            return Ok(Elements {
                state: State::Bits(it.universe(), it.mask()),
            });
        }
        Value::Symbolic(it) => it,
        _ => return Err(Trouble::NotASet),
    };
    if let Symbolic::Interval(low, high) = symbolic {
        if low <= high && high.abs_diff(*low) >= ELEMENTS_MAX {
            return Err(Trouble::TooMany);
        }
        return Ok(Elements {
            state: State::Interval(*low, *high),
        });
    }
    check_enumerable(set)?;
    let state = match symbolic {
        Symbolic::Power(base) => {
            let base = enumerate(*base, arena)?.items;
            State::Built(Box::new(Built::Subsets {
                base,
                subsets: Subsets::of(base.len()).ok_or(Trouble::TooMany)?,
            }))
        }
        Symbolic::Product(sets) => places(Shape::Product, sets, arena)?,
        Symbolic::Records(names, sets) => places(Shape::Records(names), sets, arena)?,
        Symbolic::Functions(domain, range) => functions(*domain, *range, arena)?,
        Symbolic::Sequences(base) => sequences(*base, 0, arena)?,
        Symbolic::BoundedSequences(base, n) => sequences(*base, *n, arena)?,
        _ => State::Slice(parts(set, arena)?.items, 0),
    };
    Ok(Elements { state })
}

fn counter<'v>(shape: Shape<'v>, choices: Vec<&'v [Value<'v>]>) -> State<'v> {
    State::Built(Box::new(Built::Counter {
        done: choices.iter().any(|it| it.is_empty()),
        digits: vec![0; choices.len()],
        shape,
        choices,
    }))
}

fn places<'v>(shape: Shape<'v>, sets: &[Value<'v>], arena: &'v Arena) -> Result<State<'v>, Trouble> {
    let mut choices = vec![];
    for &set in sets {
        // With one empty factor, the others may be infinite.
        if is_empty(set)? {
            return Ok(State::Slice(&[], 0));
        }
    }
    for &set in sets {
        choices.push(enumerate(set, arena)?.items);
    }
    Ok(counter(shape, choices))
}

fn functions<'v>(domain: Value<'v>, range: Value<'v>, arena: &'v Arena) -> Result<State<'v>, Trouble> {
    // Without arguments the range may be infinite, without values the domain.
    if is_empty(domain)? {
        return Ok(counter(Shape::Product, vec![]));
    }
    if is_empty(range)? {
        return Ok(State::Slice(&[], 0));
    }
    let domain = enumerate(domain, arena)?;
    let range = enumerate(range, arena)?.items;
    Ok(counter(Shape::Functions(domain), vec![range; domain.items.len()]))
}

fn sequences<'v>(base: Value<'v>, length_max: usize, arena: &'v Arena) -> Result<State<'v>, Trouble> {
    // Without elements, or without places for them, there is the empty sequence alone.
    let base = if length_max == 0 || is_empty(base)? {
        &[]
    } else {
        enumerate(base, arena)?.items
    };
    Ok(State::Built(Box::new(Built::Sequences {
        base,
        length: 0,
        length_max,
        digits: vec![],
        fresh: true,
    })))
}

impl<'v> Elements<'v> {
    /// These, in this order.
    pub fn listed(items: &'v [Value<'v>]) -> Elements<'v> {
        Elements {
            state: State::Slice(items, 0),
        }
    }

    /// The next element. What has to be built is built in `arena`.
    #[inline]
    pub fn next(&mut self, arena: &'v Arena) -> Option<Value<'v>> {
        match &mut self.state {
            State::Slice(items, at) if *at < items.len() => {
                *at += 1;
                Some(items[*at - 1])
            }
            State::Bits(universe, mask) if *mask != 0 => {
                let bit = mask.trailing_zeros();
                *mask &= *mask - 1;
                Some(member(*universe, bit))
            }
            _ => self.next_built(arena),
        }
    }

    /// Goes past the next `n` elements.
    pub fn skip(&mut self, n: u64) {
        match &mut self.state {
            State::Slice(items, at) => *at = items.len().min(at.saturating_add(n as usize)),
            State::Bits(_, mask) => {
                for _ in 0..n.min(64) {
                    *mask &= mask.saturating_sub(1);
                }
            }
            State::Interval(next, end) => match next.checked_add_unsigned(n) {
                Some(at) if at <= *end => *next = at,
                _ => (*next, *end) = (1, 0),
            },
            State::Built(built) => built.skip(n),
        }
    }

    /// Goes past elements that are listed and of no consequence.
    #[inline]
    pub fn pass_over(&mut self, is_shut: impl Fn(Value<'v>) -> bool) {
        if let State::Slice(items, at) = &mut self.state {
            while *at < items.len() && is_shut(items[*at]) {
                *at += 1;
            }
        }
    }

    /// Whether the elements are built one after the other.
    #[inline]
    pub fn is_built(&self) -> bool {
        matches!(self.state, State::Built(_))
    }

    /// The places of the elements, where these are built one after the other from what each place may hold. Nothing may have been
    /// built yet.
    pub fn places(&mut self) -> Option<Places<'_, 'v>> {
        let State::Built(built) = &mut self.state else {
            return None;
        };
        match &mut **built {
            Built::Counter {
                shape,
                choices,
                digits,
                done,
            } if !choices.is_empty() => {
                debug_assert!(digits.iter().all(|&it| it == 0));
                let shape = *shape;
                Some(Places { shape, choices, done })
            }
            _ => None,
        }
    }

    /// How many elements there are at least.
    #[inline]
    pub fn least_len(&self) -> usize {
        match &self.state {
            State::Slice(items, at) => items.len() - at,
            State::Bits(_, mask) => mask.count_ones() as usize,
            State::Interval(next, end) => usize::from(next <= end),
            State::Built(_) => 0,
        }
    }

    fn next_built(&mut self, arena: &'v Arena) -> Option<Value<'v>> {
        match &mut self.state {
            State::Slice(items, at) => {
                let item = items.get(*at).copied();
                *at += 1;
                item
            }
            State::Bits(..) => None,
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
            State::Built(built) => built.next(arena),
        }
    }
}

impl<'v> Built<'v> {
    fn skip(&mut self, n: u64) {
        match self {
            Built::Subsets { subsets, .. } => subsets.skip(n),
            Built::Counter {
                choices,
                digits,
                done,
                ..
            } => {
                let mut carried = n;
                for (digit, choice) in digits.iter_mut().zip(&*choices).rev() {
                    let (base, sum) = (choice.len().max(1) as u64, *digit as u64 + carried);
                    *digit = (sum % base) as usize;
                    carried = sum / base;
                }
                *done |= carried > 0;
            }
            Built::Sequences { .. } => {
                for _ in 0..n {
                    if !self.advance_sequence() {
                        return;
                    }
                }
            }
        }
    }

    /// Goes on to the next sequence; false when there is none.
    fn advance_sequence(&mut self) -> bool {
        let Built::Sequences {
            base,
            length,
            length_max,
            digits,
            fresh,
        } = self
        else {
            return false;
        };
        if !*fresh && !advance(digits, |_| base.len()) {
            if *length >= *length_max || base.is_empty() {
                // It stays at its end.
                *base = &[];
                return false;
            }
            *length += 1;
            *digits = vec![0; *length];
        }
        *fresh = false;
        true
    }

    fn next(&mut self, arena: &'v Arena) -> Option<Value<'v>> {
        match self {
            Built::Subsets { base, subsets } => {
                let bits = subsets.next()?;
                let chosen = base
                    .iter()
                    .rev()
                    .enumerate()
                    .rev()
                    .filter(|(i, _)| bits >> i & 1 == 1)
                    .map(|(_, &it)| it);
                let chosen = bumpalo::collections::Vec::from_iter_in(chosen, arena);
                Some(Value::sorted_set(chosen.into_bump_slice(), arena))
            }
            Built::Counter {
                shape,
                choices,
                digits,
                done,
            } => {
                if *done {
                    return None;
                }
                let picked = arena
                    .alloc_slice_fill_iter(digits.iter().zip(choices.iter()).map(|(&digit, it)| it[digit]));
                *done = !advance(digits, |place| choices[place].len());
                Some(shape.build(picked, arena))
            }
            Built::Sequences { .. } => {
                let is_there = self.advance_sequence();
                let Built::Sequences { base, digits, .. } = self else {
                    return None;
                };
                if !is_there {
                    return None;
                }
                let picked = arena.alloc_slice_fill_iter(digits.iter().map(|&digit| base[digit]));
                Some(Value::tuple_in(picked, arena))
            }
        }
    }
}

impl<'v> Places<'_, 'v> {
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// How many elements there are.
    pub fn n_elements(&self) -> u64 {
        self.choices
            .iter()
            .fold(1, |n: u64, it| n.saturating_mul(it.len() as u64))
    }

    /// The place that an element has under this argument, if it is in their domain.
    pub fn place(&self, key: Value<'v>) -> Option<usize> {
        match self.shape {
            Shape::Product => match key {
                Value::Int(n) => usize::try_from(n)
                    .ok()?
                    .checked_sub(1)
                    .filter(|&it| it < self.len()),
                _ => None,
            },
            Shape::Records(names) => names
                .iter()
                .position(|&it| crate::equal(Value::Str(it), key) == Ok(true)),
            Shape::Functions(domain) => domain
                .items
                .iter()
                .position(|&it| crate::equal(it, key) == Ok(true)),
        }
    }

    pub fn choices(&self, place: usize) -> &'v [Value<'v>] {
        self.choices[place]
    }

    /// Leaves a place only some of its choices, in their order.
    pub fn restrict(&mut self, place: usize, choices: &'v [Value<'v>]) {
        *self.done |= choices.is_empty();
        self.choices[place] = choices;
    }

    /// Leaves no element.
    pub fn clear(&mut self) {
        *self.done = true;
    }

    /// An element of which nothing is known but what it holds at one place.
    pub fn partial(&self, place: usize, value: Value<'v>, arena: &'v Arena) -> Value<'v> {
        let value = arena.alloc_slice_copy(&[value]);
        let key = match self.shape {
            Shape::Records(names) => return Value::record_in(&names[place..=place], value, arena),
            Shape::Product => Value::Int(place as i64 + 1),
            Shape::Functions(domain) => domain.items[place],
        };
        let domain = Set::listed(arena.alloc_slice_copy(&[key]), arena);
        Value::function(domain, value, arena)
    }
}

/// Symbolic unions and the like that turn out finite.
fn parts<'v>(set: Value<'v>, arena: &'v Arena) -> Result<&'v Set<'v>, Trouble> {
    let all = match set {
        Value::Symbolic(Symbolic::Union(a, b)) => merge(*a, *b, arena)?,
        Value::Symbolic(Symbolic::Intersection(a, b)) => {
            let (few, many) = if crate::is_finite(*a)? { (*a, *b) } else { (*b, *a) };
            filter(few, arena, |item| crate::contains(many, item))?
        }
        Value::Symbolic(Symbolic::Difference(a, b)) => {
            filter(*a, arena, |item| crate::contains(*b, item).map(|it| !it))?
        }
        _ => return Err(Trouble::Unsupported),
    };
    enumerate(all, arena)
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

impl<'v> Shape<'v> {
    fn build(self, picked: &'v [Value<'v>], arena: &'v Arena) -> Value<'v> {
        match self {
            Shape::Product => Value::tuple_in(picked, arena),
            Shape::Records(names) => Value::record_in(names, picked, arena),
            Shape::Functions(domain) => Value::function(domain, picked, arena),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<'v>(mut elements: Elements<'v>, arena: &'v Arena) -> Vec<Value<'v>> {
        std::iter::from_fn(|| elements.next(arena)).collect()
    }

    #[test]
    fn skipping_is_going_past() {
        let arena = &Arena::new();
        let set_of = |items: &[Value<'static>]| {
            let items = items.iter().copied();
            Value::set(bumpalo::collections::Vec::from_iter_in(items, arena), arena).unwrap()
        };
        let numbers = |n: i64| set_of(&(1..=n).map(Value::Int).collect::<Vec<_>>());
        let symbolic = |it| Value::symbolic(it, arena);
        let texts = set_of(&["a", "b", "c"].map(|it| Value::Str(Text::new(it))));
        let two = arena.alloc_slice_copy(&[numbers(2), texts]);
        let sets = [
            numbers(0),
            numbers(5),
            texts,
            symbolic(Symbolic::Interval(-3, 4)),
            symbolic(Symbolic::Interval(i64::MAX - 2, i64::MAX)),
            symbolic(Symbolic::Interval(2, 1)),
            symbolic(Symbolic::Power(texts)),
            symbolic(Symbolic::Functions(texts, numbers(3))),
            symbolic(Symbolic::Functions(numbers(0), numbers(3))),
            symbolic(Symbolic::Functions(numbers(3), numbers(0))),
            symbolic(Symbolic::Product(two)),
            symbolic(Symbolic::BoundedSequences(numbers(2), 3)),
        ];
        for set in sets {
            let begun = || elements(set, arena).unwrap();
            let whole = all(begun(), arena);
            for n in 0..=whole.len() + 2 {
                for first in 0..=n.min(3) {
                    let mut rest = begun();
                    for _ in 0..first {
                        let _ = rest.next(arena);
                    }
                    rest.skip((n - first) as u64);
                    let expected = &whole[n.min(whole.len())..];
                    assert_eq!(
                        format!("{:?}", all(rest, arena)),
                        format!("{expected:?}"),
                        "{set} {n}"
                    );
                }
            }
        }
    }
}
