//! Small sets as bits: no allocation, no sorting, one instruction for a union.
//!
//! Two universes are known beforehand, so that a mask means the same everywhere and at all times: the integers 0 to 62, and
//! the pairs of integers from 0 to 7 but for the last one, the points of a board. In both, the order of the bits is the order of
//! [`compare`](crate::compare). Such a set is a [`Value::Bits`]; that is its normal form, except that the empty set is
//! a [`Value::Set`], whatever it is empty of.
//!
//! The mask and the universe share one word: a value is then a tag and a word, whichever it is, and goes through registers.

use std::cmp::Ordering;

use crate::build::tuple_key;
use crate::hash::{INT, MASK, Mixer, TUPLE, mix};
use crate::{Identity, Symbolic, Trouble, Tuple, Value, equal};

/// The mask, and in the highest bit the universe. Invariant: the mask is not 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits(u64);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Universe {
    /// 0 to 62.
    Integers,
    /// `<<a, b>>` with both from 0 to 7, at `8 * a + b`; not `<<7, 7>>`.
    Pairs,
}

const SIDE: usize = 8;
/// Members of a universe.
pub(crate) const SIZE: usize = 63;
const MASK_BITS: u64 = (1 << SIZE) - 1;

impl Bits {
    /// The set with this mask, in normal form.
    #[inline]
    pub(crate) fn value<'v>(universe: Universe, mask: u64) -> Value<'v> {
        match mask {
            0 => Value::empty_set(),
            _ => Value::Bits(Bits::new(universe, mask)),
        }
    }

    /// The set with this mask, if it can be one.
    pub(crate) fn checked<'v>(universe: Universe, mask: u64) -> Option<Value<'v>> {
        (mask <= MASK_BITS).then(|| Bits::value(universe, mask))
    }

    #[inline]
    fn new(universe: Universe, mask: u64) -> Bits {
        Bits((universe as u64) << SIZE | mask)
    }

    #[inline]
    pub(crate) fn mask(self) -> u64 {
        self.0 & MASK_BITS
    }

    #[inline]
    pub fn universe(self) -> Universe {
        match self.0 >> SIZE {
            0 => Universe::Integers,
            _ => Universe::Pairs,
        }
    }

    #[inline]
    fn is_of_universe_of(self, other: Bits) -> bool {
        (self.0 ^ other.0) <= MASK_BITS
    }

    /// The elements as bits, if there are any and all belong to one universe; in any order, with repetitions.
    #[inline]
    pub(crate) fn of(items: &[Value<'_>]) -> Option<Bits> {
        let (universe, bit) = place(*items.first()?)?;
        let mut mask = 1 << bit;
        for &item in &items[1..] {
            let (other, bit) = place(item)?;
            if other != universe {
                return None;
            }
            mask |= 1 << bit;
        }
        Some(Bits::new(universe, mask))
    }

    /// `low..high`.
    pub(crate) fn interval(low: i64, high: i64) -> Option<Bits> {
        let mask = match (low, high) {
            (0.., ..63) if low <= high => u64::MAX >> (63 - (high - low)) << low,
            _ => return None,
        };
        Some(Bits::new(Universe::Integers, mask))
    }

    /// A set as bits, if that is possible and cheap.
    #[inline]
    pub(crate) fn from_set(set: Value<'_>) -> Option<Bits> {
        match set {
            Value::Bits(it) => Some(it),
            Value::Symbolic(Symbolic::Interval(low, high)) => Bits::interval(*low, *high),
            _ => None,
        }
    }

    #[inline]
    pub fn len(self) -> usize {
        self.mask().count_ones() as usize
    }

    /// Never: the empty set has no bits.
    pub fn is_empty(self) -> bool {
        false
    }

    pub fn iter(self) -> impl ExactSizeIterator<Item = Value<'static>> {
        Walk(self)
    }

    /// Whether a member of the universe is in the set; nothing for other values.
    #[inline]
    pub fn has(self, item: Value<'_>) -> Option<bool> {
        match place(item) {
            Some((universe, bit)) if universe == self.universe() => Some(self.0 >> bit & 1 == 1),
            _ => None,
        }
    }

    /// The set with one more member of its universe.
    #[inline]
    pub(crate) fn with<'v>(self, item: Value<'_>) -> Option<Value<'v>> {
        match place(item) {
            Some((own, bit)) if own == self.universe() => Some(Value::Bits(Bits(self.0 | 1 << bit))),
            _ => None,
        }
    }

    /// The set without a member of its universe.
    #[inline]
    pub(crate) fn without<'v>(self, item: Value<'_>) -> Option<Value<'v>> {
        match place(item) {
            Some((own, bit)) if own == self.universe() => Some(Bits::value(own, self.mask() & !(1 << bit))),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn contains(self, item: Value<'_>) -> Result<bool, Trouble> {
        match self.has(item) {
            Some(known) => Ok(known),
            None => self.contains_other(item),
        }
    }

    /// Membership of what is not in the universe: whether it can be compared with the elements at all.
    fn contains_other(self, item: Value<'_>) -> Result<bool, Trouble> {
        for own in self.iter() {
            if equal(own, item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// By size, then by the first element in which they differ.
    #[inline]
    pub(crate) fn compare(self, other: Bits) -> Result<Ordering, Trouble> {
        if self == other {
            return Ok(Ordering::Equal);
        }
        let sizes = self.len().cmp(&other.len());
        if sizes.is_ne() {
            return Ok(sizes);
        }
        if !self.is_of_universe_of(other) {
            return Err(Trouble::Mismatch);
        }
        let different = self.0 ^ other.0;
        Ok(match self.0 & different & different.wrapping_neg() {
            0 => Ordering::Greater,
            _ => Ordering::Less,
        })
    }

    /// Whether it is a part of another set of its universe.
    #[inline]
    pub(crate) fn is_inside(self, other: Bits) -> bool {
        self.is_of_universe_of(other) && self.0 & !other.0 == 0
    }

    /// Whether two sets of one universe have no element in common; nothing for others.
    #[inline]
    pub fn is_apart(self, other: Bits) -> Option<bool> {
        self.is_of_universe_of(other)
            .then_some(self.mask() & other.0 == 0)
    }

    #[inline]
    pub(crate) fn hash64(self) -> u64 {
        /// By universe.
        const BEGUN: [u64; 2] = [mix(MASK, 0), mix(MASK, 1)];
        mix(BEGUN[self.universe() as usize], self.mask())
    }
}

/// A member of a universe that is looked for in many sets.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    universe: Universe,
    bit: u32,
}

impl Probe {
    #[inline]
    pub fn of(item: Value<'_>) -> Option<Probe> {
        place(item).map(|(universe, bit)| Probe { universe, bit })
    }

    /// Whether it is in a set; nothing where that cannot be seen at once.
    #[inline]
    pub fn is_in(self, set: Value<'_>) -> Option<bool> {
        match set {
            Value::Bits(it) if it.universe() == self.universe => Some(it.0 >> self.bit & 1 == 1),
            _ => None,
        }
    }
}

struct Walk(Bits);

impl Iterator for Walk {
    type Item = Value<'static>;

    #[inline]
    fn next(&mut self) -> Option<Value<'static>> {
        let Walk(left) = self;
        if left.mask() == 0 {
            return None;
        }
        let bit = left.0.trailing_zeros();
        left.0 &= left.0 - 1;
        Some(member(left.universe(), bit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Walk {}

/// The member of a universe at a bit.
#[inline]
pub(crate) fn member(universe: Universe, bit: u32) -> Value<'static> {
    match universe {
        Universe::Integers => Value::Int(i64::from(bit)),
        Universe::Pairs => Value::Tuple(&PAIRS[bit as usize]),
    }
}

/// The universe and the bit of a value that has one.
#[inline]
pub(crate) fn place(value: Value<'_>) -> Option<(Universe, u32)> {
    match value {
        Value::Int(it @ 0..63) => Some((Universe::Integers, it as u32)),
        Value::Tuple(it) => pair_of_key(it.key).map(|bit| (Universe::Pairs, bit)),
        _ => None,
    }
}

/// The pair with this key (see [`Tuple::key`]), if it is one of the universe.
#[inline]
fn pair_of_key(key: u64) -> Option<u32> {
    const FIRST: u64 = tuple_key(&[Value::Int(0), Value::Int(0)]);
    // Everything but three bits of each coordinate must be as in `<<0, 0>>`.
    if key & !(7 << 45 | 7 << 30) != FIRST {
        return None;
    }
    let bit = (key >> 45 & 7) << 3 | key >> 30 & 7;
    (bit < SIZE as u64).then_some(bit as u32)
}

/// The one node of a pair of small numbers.
#[inline]
pub(crate) fn pair(items: &[Value<'_>]) -> Option<&'static Tuple<'static>> {
    match items {
        [Value::Int(a @ 0..8), Value::Int(b @ 0..8)] => Some(&PAIRS[(*a as usize) << 3 | *b as usize]),
        _ => None,
    }
}

/// Pairs have the first numbers of every interner: see there.
pub(crate) static PAIRS: [Tuple<'static>; SIDE * SIDE] = {
    let mut pairs = [const {
        Tuple {
            items: &[],
            key: 0,
            identity: Identity { id: 0, hash: 0 },
        }
    }; SIDE * SIDE];
    let mut i = 0;
    while i < SIDE * SIDE {
        let mut mixer = Mixer::new(TUPLE);
        mixer.add(mix(INT, (i / SIDE) as u64));
        mixer.add(mix(INT, (i % SIDE) as u64));
        pairs[i] = Tuple {
            items: &ITEMS[i],
            key: tuple_key(&ITEMS[i]),
            identity: Identity {
                id: i as u32 + 1,
                hash: mixer.finish(),
            },
        };
        i += 1;
    }
    pairs
};

static ITEMS: [[Value<'static>; 2]; SIDE * SIDE] = {
    let mut items = [[Value::Int(0); 2]; SIDE * SIDE];
    let mut i = 0;
    while i < SIDE * SIDE {
        items[i] = [Value::Int((i / SIDE) as i64), Value::Int((i % SIDE) as i64)];
        i += 1;
    }
    items
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of the universe, and those just outside.
    #[test]
    fn pairs_have_their_places() {
        for a in -1..=8i64 {
            for b in -1..=8i64 {
                let items = [Value::Int(a), Value::Int(b)];
                let inside = (0..8).contains(&a) && (0..8).contains(&b);
                let bit = pair_of_key(tuple_key(&items));
                let place = (a * 8 + b) as u32;
                assert_eq!(bit, (inside && place != 63).then_some(place), "<<{a}, {b}>>");
                assert_eq!(pair(&items).is_some(), inside);
            }
        }
    }

    #[test]
    fn pairs_have_the_hashes_of_tuples() {
        for pair in &PAIRS {
            assert_eq!(pair.identity.hash, crate::hash::hash_all(TUPLE, pair.items));
        }
    }

    #[test]
    fn a_value_stays_two_words() {
        assert_eq!(size_of::<Value<'_>>(), 16);
    }
}
