//! Sets by the book: membership by definition, everything else by listing the elements.

use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use crate::fuel::{give_up, spend};
use crate::value::{compare, equal, model_type, undefined};
use crate::{Error, Interpreter, Large, Result, Value};

/// Why there is no list of the elements of a set.
pub(crate) const ENDLESS: &str = "an infinite set cannot be listed";
/// More elements than this are not listed here.
const ELEMENTS_MAX: usize = 1 << 20;
/// Longer intervals stay as they are written.
const INTERVAL_MAX: usize = 1000;

/// The elements of a finite set, in order.
pub(crate) fn elements(set: &Value) -> Result<Rc<Vec<Value>>> {
    match spelt(set)? {
        Value::Set(items) => Ok(items),
        other => undefined(format!("{other} is not a set")),
    }
}

/// A set with its elements listed.
pub(crate) fn spelt(set: &Value) -> Result<Value> {
    let Value::Large(large) = set else {
        return match set {
            Value::Set(_) => Ok(set.clone()),
            other => undefined(format!("{other} is not a set")),
        };
    };
    match &**large {
        Large::Union(a, b) => Value::set(elements(a)?.iter().chain(elements(b)?.iter()).cloned().collect()),
        // What is put together of finite sets is listed when it is made.
        Large::Nat
        | Large::Int
        | Large::Real
        | Large::Strings
        | Large::Any
        | Large::Intersection(..)
        | Large::Difference(..)
        | Large::Filter(_) => undefined(ENDLESS),
        Large::Interval(low, high) => list_interval(low, high),
        Large::Power(base) => {
            let base = elements(base)?;
            if base.len() >= 20 {
                return give_up();
            }
            spend(base.len() << base.len())?;
            let subset = |bits: usize| {
                let chosen = base
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| bits >> i & 1 == 1)
                    .map(|(_, it)| it.clone());
                Value::Set(Rc::new(chosen.collect()))
            };
            Value::set((0..1usize << base.len()).map(subset).collect())
        }
        Large::Functions(domain, range) => {
            let domain = match (is_empty(range)?, is_empty(domain)?) {
                (_, true) => return Value::set(vec![Value::tuple(vec![])]),
                (true, false) => return Value::set(vec![]),
                _ => elements(domain)?,
            };
            let range = elements(range)?;
            let all = choices(&vec![range; domain.len()])?;
            let function = |values: Vec<Value>| Value::function(domain.iter().cloned().zip(values).collect());
            Value::set(all.into_iter().map(function).collect::<Result<_>>()?)
        }
        Large::Product(sets) => {
            if any_empty(sets)? {
                return Value::set(vec![]);
            }
            let sets: Vec<Rc<Vec<Value>>> = sets.iter().map(elements).collect::<Result<_>>()?;
            Value::set(choices(&sets)?.into_iter().map(Value::tuple).collect())
        }
        Large::Records(fields) => {
            let sets: Vec<Value> = fields.iter().map(|(_, set)| set.clone()).collect();
            if any_empty(&sets)? {
                return Value::set(vec![]);
            }
            let sets: Vec<Rc<Vec<Value>>> = sets.iter().map(elements).collect::<Result<_>>()?;
            let record = |values: Vec<Value>| {
                Value::function(
                    fields
                        .iter()
                        .map(|(name, _)| Value::Str(*name))
                        .zip(values)
                        .collect(),
                )
            };
            Value::set(choices(&sets)?.into_iter().map(record).collect::<Result<_>>()?)
        }
        Large::Sequences(base) => match is_empty(base)? {
            true => Value::set(vec![Value::tuple(vec![])]),
            false => undefined(ENDLESS),
        },
    }
}

fn kept(it: &Interpreter<'_>, items: &[Value], other: &Value, inside: bool) -> Result<Value> {
    let mut kept = vec![];
    for item in items {
        if contains(Some(it), other, item)? == inside {
            kept.push(item.clone());
        }
    }
    Value::set(kept)
}

/// Every way to take one from each.
fn choices(sets: &[Rc<Vec<Value>>]) -> Result<Vec<Vec<Value>>> {
    let mut all = vec![vec![]];
    for set in sets {
        if all.len().saturating_mul(set.len()) > ELEMENTS_MAX {
            return give_up();
        }
        spend(all.len() * set.len())?;
        let longer = |chosen: &Vec<Value>| -> Vec<Vec<Value>> {
            set.iter()
                .map(|it| chosen.iter().chain([it]).cloned().collect())
                .collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Ok(all)
}

/// One empty set is enough, whatever is known of the others.
fn any_empty(sets: &[Value]) -> Result<bool> {
    let all: Vec<Result<bool>> = sets.iter().map(is_empty).collect();
    match all.contains(&Ok(true)) {
        true => Ok(true),
        false => all.into_iter().try_fold(false, |any, it| Ok(any || it?)),
    }
}

fn is_empty(set: &Value) -> Result<bool> {
    match set {
        Value::Set(items) => Ok(items.is_empty()),
        Value::Large(large) => match &**large {
            Large::Product(sets) => any_empty(sets),
            Large::Records(fields) => {
                any_empty(&fields.iter().map(|(_, set)| set.clone()).collect::<Vec<_>>())
            }
            Large::Functions(domain, range) => Ok(is_empty(range)? && !is_empty(domain)?),
            Large::Union(a, b) => Ok(is_empty(a)? && is_empty(b)?),
            Large::Difference(a, b) if is_finite(a) == Ok(false) && is_finite(b) == Ok(true) => Ok(false),
            Large::Intersection(..) | Large::Difference(..) | Large::Filter(_) => {
                undefined("whether a filter leaves anything of an infinite set")
            }
            _ => Ok(false),
        },
        other => undefined(format!("{other} is not a set")),
    }
}

/// Whether a set is finite, where that can be told.
pub(crate) fn is_finite(set: &Value) -> Result<bool> {
    match set {
        Value::Set(_) => Ok(true),
        Value::Large(large) => match &**large {
            Large::Nat | Large::Int | Large::Real | Large::Strings | Large::Any => Ok(false),
            Large::Interval(..) => Ok(true),
            Large::Power(base) => is_finite(base),
            Large::Functions(a, b) => Ok(is_empty(b)? || is_empty(a)? || is_finite(a)? && is_finite(b)?),
            Large::Product(sets) => all_finite(sets),
            Large::Records(fields) => {
                all_finite(&fields.iter().map(|(_, set)| set.clone()).collect::<Vec<_>>())
            }
            Large::Sequences(base) => is_empty(base),
            Large::Union(a, b) => Ok(is_finite(a)? && is_finite(b)?),
            // What two infinite sets have in common, and what one leaves of the other, may be nothing.
            Large::Intersection(a, b) => match is_finite(a) == Ok(true) || is_finite(b)? {
                true => Ok(true),
                false => undefined("whether two infinite sets have finitely many elements in common"),
            },
            Large::Difference(a, b) => match is_finite(a)? || is_finite(b)? {
                true => is_finite(a),
                false => undefined("whether one infinite set leaves finitely many elements of another one"),
            },
            Large::Filter(_) => undefined("whether a filter leaves finitely many elements"),
        },
        other => undefined(format!("{other} is not a set")),
    }
}

fn all_finite(sets: &[Value]) -> Result<bool> {
    if any_empty(sets)? {
        return Ok(true);
    }
    for set in sets {
        if !is_finite(set)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The order of two sets of which at least one is not listed: finite before infinite, and then by the way of writing.
pub(crate) fn compare_sets(a: &Value, b: &Value) -> Result<Ordering> {
    if are_alike(a, b) {
        return Ok(Ordering::Equal);
    }
    match (is_finite(a)?, is_finite(b)?) {
        (true, true) => compare(&spelt(a)?, &spelt(b)?),
        (true, false) => Ok(Ordering::Less),
        (false, true) => Ok(Ordering::Greater),
        (false, false) if equal_infinite(a, b)? => Ok(Ordering::Equal),
        (false, false) => Ok(format!("{a:?}").cmp(&format!("{b:?}"))),
    }
}

/// Equality when at least one side is not listed.
pub(crate) fn equal_sets(a: &Value, b: &Value) -> Result<bool> {
    if let (Value::Large(x), Value::Large(y)) = (a, b)
        && let (Large::Interval(a, b), Large::Interval(c, d)) = (&**x, &**y)
    {
        return Ok((a, b) == (c, d));
    }
    if are_alike(a, b) {
        return Ok(true);
    }
    match (is_finite(a)?, is_finite(b)?) {
        (true, true) => equal(&spelt(a)?, &spelt(b)?),
        (false, false) => equal_infinite(a, b),
        _ => Ok(false),
    }
}

fn equal_infinite(a: &Value, b: &Value) -> Result<bool> {
    use Large::*;
    let (Value::Large(x), Value::Large(y)) = (a, b) else {
        return Ok(false);
    };
    match (&**x, &**y) {
        (Nat, Nat) | (Int, Int) | (Real, Real) | (Strings, Strings) | (Any, Any) => Ok(true),
        (Power(a), Power(b)) | (Sequences(a), Sequences(b)) => equal(a, b),
        (Functions(a, s), Functions(b, t)) => Ok(equal(a, b)? && equal(s, t)?),
        (Product(a), Product(b)) if a.len() == b.len() => {
            for (a, b) in a.iter().zip(b) {
                if !equal(a, b)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Records(a), Records(b)) if a.iter().map(|it| it.0).eq(b.iter().map(|it| it.0)) => {
            for ((_, a), (_, b)) in a.iter().zip(b) {
                if !equal(a, b)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        // Tuples and records are functions, and what is left of a set may be any set; between all others none is like another.
        (Union(..) | Intersection(..) | Difference(..) | Filter(_), _)
        | (_, Union(..) | Intersection(..) | Difference(..) | Filter(_))
        | (Functions(..) | Product(_) | Records(_), Functions(..) | Product(_) | Records(_)) => {
            undefined("whether two infinite sets are equal")
        }
        _ => Ok(false),
    }
}

/// Whether two sets that are written like this one, and differently, are two sets. What a state holds must be known that well.
pub(crate) fn is_known_by_its_parts(set: &Large) -> bool {
    let known = |set: &Value| match set {
        Value::Large(it) => is_known_by_its_parts(it),
        _ => true,
    };
    match set {
        Large::Nat | Large::Int | Large::Real | Large::Strings | Large::Any | Large::Interval(..) => true,
        Large::Power(it) | Large::Sequences(it) => known(it),
        Large::Product(sets) => sets.iter().all(known),
        Large::Records(fields) => fields.iter().all(|(_, set)| known(set)),
        // On `1..n` or on strings these are also tuples or records.
        Large::Functions(domain, range) => {
            let is_other = match domain {
                Value::Set(items) => !matches!(items.first(), None | Some(Value::Int(_) | Value::Str(_))),
                _ => true,
            };
            is_other && known(domain) && known(range)
        }
        Large::Union(..) | Large::Intersection(..) | Large::Difference(..) | Large::Filter(_) => false,
    }
}

/// Whether two sets are written alike, so that they are one, whatever is in them.
fn are_alike(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::Large(a), Value::Large(b)) if is_alike(a, b))
}

/// Whether two sets that are not listed are written alike.
pub(crate) fn is_alike(a: &Large, b: &Large) -> bool {
    use Large::*;
    let all = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is(b));
    match (a, b) {
        (Nat, Nat) | (Int, Int) | (Real, Real) | (Strings, Strings) | (Any, Any) => true,
        (Interval(a, b), Interval(c, d)) => (a, b) == (c, d),
        (Power(a), Power(b)) | (Sequences(a), Sequences(b)) => a.is(b),
        (Functions(a, b), Functions(c, d))
        | (Union(a, b), Union(c, d))
        | (Intersection(a, b), Intersection(c, d))
        | (Difference(a, b), Difference(c, d)) => a.is(c) && b.is(d),
        (Product(a), Product(b)) => all(a, b),
        (Records(a), Records(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.is(&b.1))
        }
        _ => false,
    }
}

fn not_comparable<T>(set: &Value, item: &Value) -> Result<T> {
    undefined(format!("{item} cannot be compared with the elements of {set}"))
}

/// `item \in set`. Filters need an interpreter.
pub(crate) fn contains(interpreter: Option<&Interpreter<'_>>, set: &Value, item: &Value) -> Result<bool> {
    let go = |set: &Value, item: &Value| contains(interpreter, set, item);
    let large = match set {
        Value::Set(items) => {
            for other in items.iter() {
                if equal(other, item)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        Value::Large(large) => large,
        other => return undefined(format!("{other} is not a set")),
    };
    match (&**large, item) {
        (Large::Any, _) => Ok(true),
        (Large::Union(a, b), _) => match (go(a, item), go(b, item)) {
            (Ok(true), _) | (_, Ok(true)) => Ok(true),
            (a, b) => Ok(a? || b?),
        },
        (Large::Intersection(a, b), _) => Ok(go(a, item)? && go(b, item)?),
        (Large::Difference(a, b), _) => Ok(go(a, item)? && !go(b, item)?),
        (Large::Filter(filter), _) => match interpreter {
            Some(interpreter) => Ok(go(&filter.base, item)? && interpreter.passes(filter, item)?),
            None => undefined("a filter is not listed"),
        },
        // Nothing is compared with the elements of the empty set.
        (Large::Interval(low, high), _) if low > high => Ok(false),
        (_, Value::Model(name)) if model_type(*name).is_none() => Ok(false),
        (Large::Nat, Value::Int(n)) => Ok(!n.is_negative()),
        (Large::Interval(low, high), Value::Int(n)) => Ok(low <= n && n <= high),
        (Large::Int | Large::Real, Value::Int(_)) => Ok(true),
        (Large::Strings, Value::Str(_)) => Ok(true),
        (Large::Power(base), Value::Set(_) | Value::Large(_)) => subset(interpreter, item, base),
        (Large::Functions(domain, range), Value::Fun(pairs)) => {
            let own = Value::set(pairs.iter().map(|(key, _)| key.clone()).collect())?;
            // A domain of another kind is another domain.
            if !equal(&own, domain).unwrap_or(false) {
                return Ok(false);
            }
            all_in(pairs.iter().map(|(_, value)| (range, value)), go)
        }
        (Large::Product(sets), Value::Fun(pairs)) => match item.items() {
            Ok(_) if pairs.len() == sets.len() => all_in(sets.iter().zip(pairs.iter().map(|it| &it.1)), go),
            _ => Ok(false),
        },
        (Large::Records(fields), Value::Fun(pairs)) => {
            let names = fields.iter().map(|(name, _)| Some(*name));
            let own = pairs.iter().map(|(key, _)| match key {
                Value::Str(name) => Some(*name),
                _ => None,
            });
            Ok(names.eq(own)
                && all_in(
                    fields.iter().map(|it| &it.1).zip(pairs.iter().map(|it| &it.1)),
                    go,
                )?)
        }
        (Large::Sequences(base), Value::Fun(pairs)) => {
            Ok(item.items().is_ok() && all_in(pairs.iter().map(|(_, value)| (base, value)), go)?)
        }
        _ => not_comparable(set, item),
    }
}

fn all_in<'v>(
    mut pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
    go: impl Fn(&Value, &Value) -> Result<bool>,
) -> Result<bool> {
    pairs.try_fold(
        true,
        |all, (set, item)| if all { go(set, item) } else { Ok(false) },
    )
}

/// `a \subseteq b`: by the elements of `a`, or by the shape of both when it is infinite.
pub(crate) fn subset(interpreter: Option<&Interpreter<'_>>, a: &Value, b: &Value) -> Result<bool> {
    use Large::*;
    if let (Value::Large(x), Value::Large(y)) = (a, b) {
        match (&**x, &**y) {
            (_, Any) => return Ok(true),
            (Nat, Nat | Int | Real) | (Int, Int | Real) | (Real, Real) | (Strings, Strings) => {
                return Ok(true);
            }
            (Interval(low, _), Nat) => return Ok(!low.is_negative()),
            (Interval(..), Int | Real) => return Ok(true),
            (Interval(a, b), Interval(low, high)) => return Ok(low <= a && b <= high),
            (Int | Real, Nat) | (Real, Int) => return Ok(false),
            (Power(a), Power(b)) | (Sequences(a), Sequences(b)) => return subset(interpreter, a, b),
            // Part by part, where that is enough; there are other ways to be a part of such a set.
            (Product(a), Product(b))
                if a.len() == b.len() && are_all_within(interpreter, a.iter().zip(b)) =>
            {
                return Ok(true);
            }
            (Records(a), Records(b))
                if a.iter().map(|it| it.0).eq(b.iter().map(|it| it.0))
                    && are_all_within(
                        interpreter,
                        a.iter().map(|it| &it.1).zip(b.iter().map(|it| &it.1)),
                    ) =>
            {
                return Ok(true);
            }
            (Functions(a, s), Functions(b, t))
                if equal(a, b) == Ok(true) && are_all_within(interpreter, [(s, t)].into_iter()) =>
            {
                return Ok(true);
            }
            _ => {}
        }
    }
    if !matches!(b, Value::Set(_) | Value::Large(_)) {
        return undefined(format!("{b} is not a set"));
    }
    if is_finite(a) == Ok(false) && is_finite(b) == Ok(true) {
        return Ok(false);
    }
    for item in elements(a)?.iter() {
        if !contains(interpreter, b, item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn are_all_within<'v>(
    interpreter: Option<&Interpreter<'_>>,
    mut pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
) -> bool {
    pairs.all(|(a, b)| subset(interpreter, a, b) == Ok(true))
}

/// `a..b`, listed when it is short.
pub(crate) fn interval(low: &BigInt, high: &BigInt) -> Result<Value> {
    if low > high {
        return Value::set(vec![]);
    }
    match (high - low).to_usize() {
        Some(more) if more < INTERVAL_MAX => list_interval(low, high),
        _ => Ok(Value::large(Large::Interval(low.clone(), high.clone()))),
    }
}

fn list_interval(low: &BigInt, high: &BigInt) -> Result<Value> {
    let Some(size) = (high - low + 1u8).to_usize().filter(|&it| it <= ELEMENTS_MAX) else {
        return give_up();
    };
    spend(size)?;
    Ok(Value::Set(Rc::new(
        (0..size).map(|i| Value::Int(low + i)).collect(),
    )))
}

/// How two sets are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combination {
    Union,
    Intersection,
    Difference,
}

/// `a \cup b` and its kin: listed when the result can be, with the elements of the finite side.
pub(crate) fn combine(it: &Interpreter<'_>, a: &Value, b: &Value, how: Combination) -> Result<Value> {
    let finite = (is_known_finite(a)?, is_known_finite(b)?);
    let are_listed = matches!((a, b), (Value::Set(_), Value::Set(_)));
    let (x, y) = (a.clone(), b.clone());
    match (how, finite) {
        // A set of functions may be finite and still better not listed, if only membership is asked.
        (Combination::Union, _) if are_listed => {
            match Value::set(elements(a)?.iter().chain(elements(b)?.iter()).cloned().collect()) {
                // It cannot be listed, but what is in it can be said.
                Err(Error::Undefined(_)) => Ok(Value::large(Large::Union(x, y))),
                listed => listed,
            }
        }
        (Combination::Intersection, (true, _)) => kept(it, &elements(a)?, b, true),
        (Combination::Intersection, (_, true)) => kept(it, &elements(b)?, a, true),
        (Combination::Difference, (true, _)) => kept(it, &elements(a)?, b, false),
        (Combination::Union, _) => Ok(Value::large(Large::Union(x, y))),
        (Combination::Intersection, _) => Ok(Value::large(Large::Intersection(x, y))),
        (Combination::Difference, _) => Ok(Value::large(Large::Difference(x, y))),
    }
}

/// Whether a set can be listed; that something is a set at all must be certain.
fn is_known_finite(set: &Value) -> Result<bool> {
    match set {
        Value::Set(_) => Ok(true),
        Value::Large(_) => Ok(is_finite(set) == Ok(true)),
        other => undefined(format!("{other} is not a set")),
    }
}

/// All elements of all elements.
pub(crate) fn union_all(it: &Interpreter<'_>, sets: &Value) -> Result<Value> {
    let sets = elements(sets)?;
    let Some((first, rest)) = sets.split_first() else {
        return Value::set(vec![]);
    };
    is_known_finite(first)?;
    let mut all = first.clone();
    for set in rest {
        all = combine(it, &all, set, Combination::Union)?;
    }
    Ok(all)
}

/// The least element that passes a test.
pub(crate) fn least(items: &[Value], mut test: impl FnMut(&Value) -> Result<bool>) -> Result<Option<&Value>> {
    debug_assert!(
        items
            .windows(2)
            // A comparison that nobody pays for any more says nothing.
            .all(|it| compare(&it[0], &it[1]).map_or(true, |it| it.is_lt()))
    );
    for item in items {
        if test(item)? {
            return Ok(Some(item));
        }
    }
    Ok(None)
}
