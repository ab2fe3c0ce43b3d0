//! Union, intersection, difference, size.

use std::cmp::Ordering;

use bumpalo::collections::Vec;
use num_bigint::BigUint;

use crate::extent::{is_empty, is_finite};
use crate::function::{find, search};
use crate::hash::hash_replaced;
use crate::iter::elements;
use crate::order::compare;
use crate::{Arena, Bits, Identity, Kind, Set, Symbolic, Trouble, Value, contains, exact};

/// More elements than this are not walked through.
pub(crate) const ELEMENTS_MAX: u64 = 1 << 28;
/// More elements than this are not listed: a subset or a function takes some hundred bytes.
const LISTED_MAX: u64 = 1 << 22;
/// The same for numbers.
const LISTED_INTERVAL_MAX: u64 = 1 << 26;

/// The elements of a set, spelt out and sorted.
pub fn enumerate<'v>(set: Value<'v>, arena: &'v Arena) -> Result<&'v Set<'v>, Trouble> {
    let symbolic = match set {
        Value::Set(it) => return Ok(it),
        Value::Bits(it) => return Ok(Set::listed(arena.alloc_slice_fill_iter(it.iter()), arena)),
        Value::Symbolic(it) => it,
        _ => return Err(Trouble::NotASet),
    };
    let mut items = elements(set, arena)?;
    let listed_max = match symbolic {
        Symbolic::Interval(..) => LISTED_INTERVAL_MAX,
        // Their parts are listed one by one.
        Symbolic::Union(..) | Symbolic::Intersection(..) | Symbolic::Difference(..) => u64::MAX,
        _ => LISTED_MAX,
    };
    if listed_max < u64::MAX && cardinality(set)? > BigUint::from(listed_max) {
        return Err(Trouble::TooMany);
    }
    let mut all = Vec::new_in(arena);
    while let Some(item) = items.next(arena) {
        all.push(item);
    }
    match symbolic {
        Symbolic::Interval(..) => Ok(Set::listed(all.into_bump_slice(), arena)),
        _ => match Value::set(all, arena)? {
            Value::Set(it) => Ok(it),
            other => enumerate(other, arena),
        },
    }
}

/// A product of small sets as [`Bits`], if it fits; anything else as it is. Worth it for what is used often.
pub fn as_bits<'v>(set: Value<'v>, arena: &'v Arena) -> Value<'v> {
    const SIZE: usize = crate::bits::SIZE;
    match set {
        Value::Symbolic(Symbolic::Product([_, _]))
            if cardinality(set).is_ok_and(|it| it <= BigUint::from(SIZE)) =>
        {
            match spell_out(set, arena) {
                Ok(bits @ Value::Bits(_)) => bits,
                _ => set,
            }
        }
        _ => set,
    }
}

/// The same set with its elements at hand, in normal form.
pub fn spell_out<'v>(set: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    match set {
        Value::Symbolic(_) => Ok(enumerate(set, arena)?.normal()),
        Value::Set(_) | Value::Bits(_) => Ok(set),
        _ => Err(Trouble::NotASet),
    }
}

/// The same value with every finite set in it by its elements: equal values then have equal content hashes.
pub fn spell_out_all<'v>(value: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    if is_spelt(value) {
        return Ok(value);
    }
    let all = |items: &'v [Value<'v>]| -> Result<&'v [Value<'v>], Trouble> {
        let mut made = Vec::with_capacity_in(items.len(), arena);
        for &item in items {
            made.push(spell_out_all(item, arena)?);
        }
        Ok(made.into_bump_slice())
    };
    Ok(match value {
        Value::Tuple(it) => Value::tuple_in(all(it.items)?, arena),
        Value::Record(it) => Value::record_in(it.names, all(it.values)?, arena),
        Value::Fun(it) => Value::function(Set::listed(all(it.domain.items)?, arena), all(it.values)?, arena),
        Value::Set(it) => Value::sorted_set(all(it.items)?, arena),
        Value::Symbolic(_) if is_finite(value)? => spell_out_all(spell_out(value, arena)?, arena)?,
        other => other,
    })
}

fn is_spelt(value: Value<'_>) -> bool {
    let all = |items: &[Value<'_>]| items.iter().all(|&it| is_spelt(it));
    match value {
        Value::Tuple(it) => it.identity.id != 0 || all(it.items),
        Value::Record(it) => it.identity.id != 0 || all(it.values),
        Value::Fun(it) => it.identity.id != 0 || all(it.domain.items) && all(it.values),
        Value::Set(it) => it.identity.id != 0 || all(it.items),
        Value::Symbolic(_) => false,
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Str(_) | Value::Model(_) | Value::Bits(_) => {
            true
        }
    }
}

/// Sets with more than this many places are not counted.
const EXPONENT_MAX: u32 = 1 << 20;

/// The number of elements, computed from the shape of the set where that is possible.
pub fn cardinality(set: Value<'_>) -> Result<BigUint, Trouble> {
    let symbolic = match set {
        Value::Set(it) => return Ok(it.items.len().into()),
        Value::Bits(it) => return Ok(it.len().into()),
        Value::Symbolic(it) => it,
        _ => return Err(Trouble::NotASet),
    };
    if !is_finite(set)? {
        return Err(Trouble::Infinite);
    }
    // Whatever the other parts are, and whether they can be listed.
    if is_empty(set)? {
        return Ok(0u8.into());
    }
    // A number with more digits than this is of no use, and takes long.
    let small = |n: BigUint| {
        u32::try_from(&n)
            .ok()
            .filter(|&it| it <= EXPONENT_MAX)
            .ok_or(Trouble::TooMany)
    };
    Ok(match symbolic {
        Symbolic::Interval(low, high) => BigUint::from(high.abs_diff(*low)) + 1u8,
        Symbolic::Power(base) => BigUint::from(2u8).pow(small(cardinality(*base)?)?),
        Symbolic::Functions(domain, range) => {
            if is_empty(*domain)? {
                return Ok(1u8.into());
            }
            cardinality(*range)?.pow(small(cardinality(*domain)?)?)
        }
        Symbolic::Product(sets) | Symbolic::Records(_, sets) => {
            let mut product = BigUint::from(1u8);
            for &set in *sets {
                product *= cardinality(set)?;
            }
            product
        }
        // Of nothing, and therefore one: an endless set of sequences was refused.
        Symbolic::Sequences(_) | Symbolic::BoundedSequences(_, 0) => 1u8.into(),
        Symbolic::BoundedSequences(base, n) => {
            let base = cardinality(*base)?;
            (0..=*n as u32).map(|length| base.pow(length)).sum()
        }
        _ => {
            let scratch = Arena::new();
            enumerate(set, &scratch)?.items.len().into()
        }
    })
}

/// Refuses to enumerate what is infinite or hopelessly large.
pub(crate) fn check_enumerable(set: Value<'_>) -> Result<(), Trouble> {
    if !is_finite(set)? {
        return Err(Trouble::Infinite);
    }
    match set {
        Value::Symbolic(Symbolic::Union(..) | Symbolic::Intersection(..) | Symbolic::Difference(..)) => {
            Ok(())
        }
        _ if cardinality(set)? > BigUint::from(ELEMENTS_MAX) => Err(Trouble::TooMany),
        _ => Ok(()),
    }
}

fn both_sets(a: Value<'_>, b: Value<'_>) -> Result<(), Trouble> {
    if a.kind() == Kind::Set && b.kind() == Kind::Set {
        Ok(())
    } else {
        Err(Trouble::NotASet)
    }
}

/// Whether the elements are at hand, or as good as.
fn is_explicit(set: Value<'_>) -> bool {
    match set {
        Value::Set(_) | Value::Bits(_) => true,
        Value::Symbolic(Symbolic::Interval(low, high)) => high.saturating_sub(*low) < 1 << 12,
        _ => false,
    }
}

/// An operation on two small sets of one universe.
#[inline]
fn by_bits<'v>(a: Value<'v>, b: Value<'v>, mask: impl FnOnce(u64, u64) -> u64) -> Option<Value<'v>> {
    let (a, b) = (Bits::from_set(a)?, Bits::from_set(b)?);
    (a.universe() == b.universe()).then(|| Bits::value(a.universe(), mask(a.mask(), b.mask())))
}

/// `a \cup b`; stays symbolic when a side is, and where elements of both cannot be compared: what is in it can still be said, and whoever
/// lists it meets the error. So it does not matter which of several forms a side has.
pub fn union<'v>(a: Value<'v>, b: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    if let Some(union) = by_bits(a, b, |a, b| a | b) {
        return Ok(union);
    }
    both_sets(a, b)?;
    if !is_explicit(a) || !is_explicit(b) {
        return Ok(Value::symbolic(Symbolic::Union(a, b), arena));
    }
    match merge(a, b, arena) {
        Err(Trouble::Mismatch) => Ok(Value::symbolic(Symbolic::Union(a, b), arena)),
        merged => merged,
    }
}

/// `a \cup b` with its elements spelt out.
pub(crate) fn merge<'v>(a: Value<'v>, b: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    let (left, right) = (enumerate(a, arena)?, enumerate(b, arena)?);
    if left.items.is_empty() {
        return Ok(right.normal());
    }
    if right.items.is_empty() {
        return Ok(left.normal());
    }
    if let [item] = right.items {
        return insert(left, *item, arena);
    }
    let mut merged = Vec::with_capacity_in(left.items.len() + right.items.len(), arena);
    let (mut i, mut j) = (0, 0);
    while i < left.items.len() && j < right.items.len() {
        let order = compare(left.items[i], right.items[j])?;
        merged.push(if order.is_gt() {
            right.items[j]
        } else {
            left.items[i]
        });
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    merged.extend_from_slice(&left.items[i..]);
    merged.extend_from_slice(&right.items[j..]);
    // Nothing new on one side: keep the set that is there, which may be interned.
    if merged.len() == left.items.len() {
        return Ok(left.normal());
    }
    if merged.len() == right.items.len() {
        return Ok(right.normal());
    }
    Ok(Value::sorted_set(merged.into_bump_slice(), arena))
}

/// `set \cup {item}`, where that takes no more than a look at the elements.
#[inline]
pub fn with<'v>(set: Value<'v>, item: Value<'v>, arena: &'v Arena) -> Option<Value<'v>> {
    match set {
        Value::Set(it) if !it.items.is_empty() => insert(it, item, arena).ok(),
        Value::Bits(it) => it.with(item),
        _ => None,
    }
}

/// `set \ {item}`, where that takes no more than a look at the elements.
#[inline]
pub fn without<'v>(set: Value<'v>, item: Value<'v>, arena: &'v Arena) -> Option<Value<'v>> {
    match set {
        Value::Set(it) if !it.items.is_empty() => {
            let at = find(it.items, item).ok()?;
            Some(at.map_or(set, |at| remove(it, at, arena)))
        }
        Value::Bits(it) => it.without(item),
        _ => None,
    }
}

/// `(set \ {out}) \cup {item}`, where that takes no more than a look at the elements.
pub fn replaced<'v>(set: Value<'v>, out: Value<'v>, item: Value<'v>, arena: &'v Arena) -> Option<Value<'v>> {
    let Value::Set(all) = set else { return None };
    let Some(from) = find(all.items, out).ok()? else {
        return with(set, item, arena);
    };
    let to = match place_near(all.items, from, item).ok()? {
        Ok(at) if at == from => return Some(set),
        Ok(_) => return Some(remove(all, from, arena)),
        Err(at) => at,
    };
    let items = arena.alloc_slice_copy(all.items);
    let to = match from < to {
        true => {
            items.copy_within(from + 1..to, from);
            to - 1
        }
        false => {
            items.copy_within(to..from, to + 1);
            to
        }
    };
    items[to] = item;
    if Bits::of(items).is_some() {
        return Some(Value::sorted_set(items, arena));
    }
    let hash = match all.identity.hash {
        known if known != 0 && exact(item).kind != 0 => hash_replaced(known, out, item),
        _ => 0,
    };
    let identity = Identity { id: 0, hash };
    Some(Value::Set(arena.alloc(Set { items, identity })))
}

/// As [`search`], beginning near a place: what replaces an element is mostly like it.
fn place_near<'v>(
    items: &[Value<'v>],
    near: usize,
    item: Value<'v>,
) -> Result<Result<usize, usize>, Trouble> {
    const NEAR: usize = 4;
    let mut at = near;
    let order = compare(items[near], item)?;
    for _ in 0..NEAR {
        let next = match order {
            Ordering::Equal => return Ok(Ok(near)),
            Ordering::Less => at + 1,
            Ordering::Greater => at.wrapping_sub(1),
        };
        let Some(&other) = items.get(next) else {
            return Ok(Err(if order.is_lt() { items.len() } else { 0 }));
        };
        match compare(other, item)? {
            Ordering::Equal => return Ok(Ok(next)),
            it if it != order => return Ok(Err(next.max(at))),
            _ => at = next,
        }
    }
    search(items, item)
}

/// Whether a small set has no element in common with any of `sets` but `except`, which counts as no set at all. Nothing where
/// they are not all small sets of one universe.
pub fn is_apart_from_all(set: Bits, sets: Value<'_>, except: Option<Value<'_>>) -> Option<bool> {
    let Value::Set(Set { items, .. }) = sets else {
        return None;
    };
    let except = match except {
        None => 0,
        Some(Value::Bits(it)) if it.universe() == set.universe() => it.mask(),
        Some(_) => return None,
    };
    let mut all = 0;
    for &item in *items {
        match item {
            Value::Bits(it) if it.universe() == set.universe() => {
                all |= if it.mask() == except { 0 } else { it.mask() };
            }
            _ => return None,
        }
    }
    Some(set.mask() & all == 0)
}

/// A set with one more element.
fn insert<'v>(all: &'v Set<'v>, item: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    let Err(low) = search(all.items, item)? else {
        return Ok(all.normal());
    };
    let more = arena.alloc_slice_fill_copy(all.items.len() + 1, item);
    more[..low].copy_from_slice(&all.items[..low]);
    more[low + 1..].copy_from_slice(&all.items[low..]);
    Ok(Value::sorted_set(more, arena))
}

/// `a \cap b`.
pub fn intersection<'v>(a: Value<'v>, b: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    if let Some(intersection) = by_bits(a, b, |a, b| a & b) {
        return Ok(intersection);
    }
    both_sets(a, b)?;
    if let (Value::Set(a), Value::Set(b)) = (a, b)
        && let Some(both) = walk(a, b, true, arena)
    {
        return Ok(both);
    }
    let (few, many) = if is_explicit(a) { (a, b) } else { (b, a) };
    if !is_explicit(few) {
        return Ok(Value::symbolic(Symbolic::Intersection(a, b), arena));
    }
    filter(few, arena, |item| contains(many, item))
}

/// `a \ b`.
pub fn difference<'v>(a: Value<'v>, b: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    if let Some(difference) = by_bits(a, b, |a, b| a & !b) {
        return Ok(difference);
    }
    both_sets(a, b)?;
    if !is_explicit(a) {
        return Ok(Value::symbolic(Symbolic::Difference(a, b), arena));
    }
    if let (Value::Set(all), Value::Set(few)) = (a, b) {
        match few.items {
            [] => return Ok(all.normal()),
            [item] => {
                let at = find(all.items, *item)?;
                return Ok(at.map_or(all.normal(), |at| remove(all, at, arena)));
            }
            _ => {}
        }
        if let Some(left) = walk(all, few, false, arena) {
            return Ok(left);
        }
    }
    filter(a, arena, |item| contains(b, item).map(|it| !it))
}

/// The elements of `a` that are, or are not, in `b`: both lists once from front to back. Nothing where elements cannot be
/// compared, or where one list is so much longer that searching is quicker.
fn walk<'v>(a: &'v Set<'v>, b: &'v Set<'v>, inside: bool, arena: &'v Arena) -> Option<Value<'v>> {
    const LONGER: usize = 8;
    if b.items.len() > LONGER * a.items.len() {
        return None;
    }
    let mut kept = Vec::with_capacity_in(a.items.len(), arena);
    let mut at = 0;
    for &item in a.items {
        let mut found = false;
        while let Some(&other) = b.items.get(at) {
            let order = match (item, other) {
                (Value::Bits(a), Value::Bits(b)) if a == b => Ordering::Equal,
                _ => compare(item, other).ok()?,
            };
            at += usize::from(order.is_ge());
            found = order.is_eq();
            if order.is_le() {
                break;
            }
        }
        if found == inside {
            kept.push(item);
        }
    }
    match kept.len() == a.items.len() {
        true => Some(a.normal()),
        false => Some(Value::sorted_set(kept.into_bump_slice(), arena)),
    }
}

/// A set without the element in this place.
fn remove<'v>(all: &'v Set<'v>, at: usize, arena: &'v Arena) -> Value<'v> {
    let left = arena.alloc_slice_fill_copy(all.items.len() - 1, Value::FALSE);
    left[..at].copy_from_slice(&all.items[..at]);
    left[at..].copy_from_slice(&all.items[at + 1..]);
    Value::sorted_set(left, arena)
}

pub(crate) fn filter<'v>(
    set: Value<'v>,
    arena: &'v Arena,
    mut keep: impl FnMut(Value<'v>) -> Result<bool, Trouble>,
) -> Result<Value<'v>, Trouble> {
    let all = enumerate(set, arena)?;
    let mut kept = Vec::with_capacity_in(all.items.len(), arena);
    for &item in all.items {
        if keep(item)? {
            kept.push(item);
        }
    }
    if kept.len() == all.items.len() {
        return Ok(all.normal());
    }
    Ok(Value::sorted_set(kept.into_bump_slice(), arena))
}

/// `UNION set`.
pub fn union_all<'v>(set: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    if let Some(union) = union_of_bits(set) {
        return Ok(union);
    }
    let mut parts = elements(set, arena)?;
    let mut all = Vec::new_in(arena);
    let mut symbolic: Option<Value<'v>> = None;
    while let Some(part) = parts.next(arena) {
        if !is_finite(part)? {
            symbolic = Some(match symbolic {
                Some(other) => union(other, part, arena)?,
                None => part,
            });
            continue;
        }
        let mut items = elements(part, arena)?;
        while let Some(item) = items.next(arena) {
            all.push(item);
        }
    }
    let finite = match Value::set(all, arena) {
        // As for two of them: which elements there are can still be said.
        Err(Trouble::Mismatch) => one_by_one(set, arena)?,
        finite => finite?,
    };
    match symbolic {
        Some(infinite) => union(infinite, finite, arena),
        None => Ok(finite),
    }
}

/// The union of the finite elements of `set`, pair by pair.
fn one_by_one<'v>(set: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    let mut parts = elements(set, arena)?;
    let mut all = Value::empty_set();
    while let Some(part) = parts.next(arena) {
        if is_finite(part)? {
            all = union(all, part, arena)?;
        }
    }
    Ok(all)
}

/// `UNION set` where all elements are small sets of one universe.
fn union_of_bits<'v>(set: Value<'v>) -> Option<Value<'v>> {
    let Value::Set(Set { items, .. }) = set else {
        return None;
    };
    let universe = Bits::from_set(*items.first()?)?.universe();
    let mut mask = 0;
    for &item in *items {
        let bits = Bits::from_set(item)?;
        if bits.universe() != universe {
            return None;
        }
        mask |= bits.mask();
    }
    Some(Bits::value(universe, mask))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interner;

    /// All small sets of a few numbers, each of them replaced by each.
    #[test]
    fn what_is_replaced_is_taken_out_and_put_in() {
        let (arena, scratch) = (Arena::new(), Arena::new());
        let interner = Interner::new();
        let small: std::vec::Vec<Value<'_>> = (1..32)
            .map(|mask| Bits::value(crate::Universe::Integers, mask * 0x1_0000_0001))
            .collect();
        for n in [2, 5, 12, 20] {
            let mut items = Vec::new_in(&scratch);
            items.extend(small.iter().copied().step_by(small.len() / n).take(n));
            let made = Value::set(items, &scratch).unwrap();
            let known = interner.intern_value(made, &arena).unwrap();
            for (&out, &item) in small
                .iter()
                .flat_map(|out| small.iter().map(move |item| (out, item)))
            {
                let one = |it: Value<'static>| Value::set(bumpalo::vec![in &scratch; it], &scratch).unwrap();
                let left = difference(made, one(out), &scratch).unwrap();
                let wanted = merge(left, one(item), &scratch).unwrap();
                for set in [made, known] {
                    let got = replaced(set, out, item, &scratch).unwrap();
                    assert_eq!(
                        crate::equal(got, wanted),
                        Ok(true),
                        "{set} without {out} with {item}"
                    );
                    assert_eq!(got.hash64(), wanted.hash64());
                    assert_eq!(
                        interner.intern(got, &arena).unwrap(),
                        interner.intern(wanted, &arena).unwrap()
                    );
                }
                let Value::Bits(bits) = item else { continue };
                let others = union_all(left, &scratch).unwrap();
                let both = intersection(item, others, &scratch).unwrap();
                let is_apart = crate::equal(both, Value::empty_set()).unwrap();
                assert_eq!(is_apart_from_all(bits, made, Some(out)), Some(is_apart));
            }
        }
    }
}
