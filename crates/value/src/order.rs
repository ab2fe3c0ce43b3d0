//! Equality and the one total order.
//!
//! Within a kind: integers by size, strings by text, sets and functions by size first and then element by element (a
//! function: its domain, then its values). Across kinds [`compare`] refuses, except that model values come before
//! everything else. A model value with a type, such as `p_1`, is compared with model values of its type, and of none, only.

use std::cmp::Ordering;

use crate::extent::{Extent, any_is_empty, compare_endless, extent, is_empty};
use crate::sets::cardinality;
use crate::{Arena, Bits, Identity, Kind, Symbolic, Text, Trouble, Value, int_cmp};

/// Whether two values are equal; an error when they are of kinds that cannot be compared.
#[inline]
pub fn equal(a: Value<'_>, b: Value<'_>) -> Result<bool, Trouble> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a == b),
        (Value::Str(a), Value::Str(b)) => Ok(a == b),
        (Value::Model(a), Value::Model(b)) => Ok(compare_models(a, b)?.is_eq()),
        (Value::Tuple(a), Value::Tuple(b)) if a.key != 0 && b.key != 0 => Ok(a.key == b.key),
        (Value::Bits(a), Value::Bits(b)) if a.universe() == b.universe() => Ok(a == b),
        _ => equal_composite(a, b),
    }
}

/// The order of model values; an error where they have different types.
#[inline]
fn compare_models(a: Text, b: Text) -> Result<Ordering, Trouble> {
    if a == b {
        return Ok(Ordering::Equal);
    }
    match (a.model_type(), b.model_type()) {
        (Some(a), Some(b)) if a != b => Err(Trouble::Mismatch),
        _ => Ok(a.cmp(&b)),
    }
}

/// Whether a model value may be compared with what is none: it has no type.
pub(crate) fn is_untyped(model: Text) -> Result<(), Trouble> {
    match model.model_type() {
        Some(_) => Err(Trouble::Mismatch),
        None => Ok(()),
    }
}

/// Whether two parts are one, if their numbers tell: both are interned, or they are the same node.
#[inline]
fn same_node<T>(a: &T, b: &T, identities: [Identity; 2]) -> Option<bool> {
    match identities.map(|it| it.id) {
        _ if std::ptr::eq(a, b) => Some(true),
        [0, _] | [_, 0] => None,
        [a, b] => Some(a == b),
    }
}

/// Whether two values are one, if their numbers tell. Numbers are unique among interned values of one kind.
#[inline]
fn same_value(a: Value<'_>, b: Value<'_>) -> Option<bool> {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => same_node(a, b, [a.identity, b.identity]),
        (Value::Record(a), Value::Record(b)) => same_node(a, b, [a.identity, b.identity]),
        (Value::Fun(a), Value::Fun(b)) => same_node(a, b, [a.identity, b.identity]),
        (Value::Set(a), Value::Set(b)) => same_node(a, b, [a.identity, b.identity]),
        _ => None,
    }
}

fn equal_composite(a: Value<'_>, b: Value<'_>) -> Result<bool, Trouble> {
    // Different numbers do not say that values can be compared: that is an error or not whoever holds them, so it is looked for.
    if same_value(a, b) == Some(true) {
        return Ok(true);
    }
    Ok(match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Model(a), Value::Model(b)) => compare_models(a, b)?.is_eq(),
        (Value::Model(it), _) | (_, Value::Model(it)) => {
            is_untyped(it)?;
            false
        }
        (Value::Tuple(a), Value::Tuple(b)) => a.items.len() == b.items.len() && all_equal(a.items, b.items)?,
        (Value::Record(a), Value::Record(b)) => a.names == b.names && all_equal(a.values, b.values)?,
        (Value::Fun(a), Value::Fun(b)) => {
            a.values.len() == b.values.len()
                && (std::ptr::eq(a.domain, b.domain) || all_equal(a.domain.items, b.domain.items)?)
                && all_equal(a.values, b.values)?
        }
        (Value::Set(a), Value::Set(b)) => a.items.len() == b.items.len() && all_equal(a.items, b.items)?,
        (Value::Bits(a), Value::Bits(b)) => a.compare(b)?.is_eq(),
        (Value::Symbolic(x), Value::Symbolic(y)) => match equal_shapes(x, y)? {
            Some(known) => known,
            None => compare(a, b)?.is_eq(),
        },
        _ => compare(a, b)?.is_eq(),
    })
}

/// Equality of sets that are built alike, decided from their parts; nothing when they are not.
fn equal_shapes(a: &Symbolic<'_>, b: &Symbolic<'_>) -> Result<Option<bool>, Trouble> {
    use Symbolic::*;
    let parts = |a: &[Value<'_>], b: &[Value<'_>]| -> Result<bool, Trouble> {
        match (any_is_empty(a)?, any_is_empty(b)?) {
            (false, false) => Ok(a.len() == b.len() && all_equal(a, b)?),
            (a, b) => Ok(a == b),
        }
    };
    Ok(Some(match (a, b) {
        (Power(a), Power(b)) | (Sequences(a), Sequences(b)) => equal(*a, *b)?,
        (BoundedSequences(a, n), BoundedSequences(b, m)) if n == m && *n > 0 => equal(*a, *b)?,
        (Product(a), Product(b)) => parts(a, b)?,
        (Records(names, a), Records(others, b)) if names == others => parts(a, b)?,
        (Functions(a, s), Functions(b, t)) => match (is_empty(*a)?, is_empty(*b)?) {
            (false, false) => match (is_empty(*s)?, is_empty(*t)?) {
                (false, false) => equal_domains(*a, *b)? && equal(*s, *t)?,
                (s, t) => s == t,
            },
            // The empty function is the only one on the empty set.
            (a, b) => a == b,
        },
        _ => return Ok(None),
    }))
}

/// Domains of different kinds are different.
fn equal_domains(a: Value<'_>, b: Value<'_>) -> Result<bool, Trouble> {
    match equal(a, b) {
        Err(Trouble::Mismatch) => Ok(false),
        other => other,
    }
}

fn all_equal(a: &[Value<'_>], b: &[Value<'_>]) -> Result<bool, Trouble> {
    for (&a, &b) in a.iter().zip(b) {
        // Tuples of integers are the commonest elements: no call for them.
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            if a != b {
                return Ok(false);
            }
            continue;
        }
        if !equal(a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The order in which sets are sorted.
#[inline]
pub fn compare(a: Value<'_>, b: Value<'_>) -> Result<Ordering, Trouble> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a.cmp(&b)),
        (Value::Tuple(a), Value::Tuple(b)) if a.key != 0 && b.key != 0 => Ok(a.key.cmp(&b.key)),
        (Value::Bits(a), Value::Bits(b)) => a.compare(b),
        (Value::Str(a), Value::Str(b)) => Ok(a.cmp(&b)),
        (Value::Model(a), Value::Model(b)) => compare_models(a, b),
        _ => compare_composite(a, b),
    }
}

fn compare_composite(a: Value<'_>, b: Value<'_>) -> Result<Ordering, Trouble> {
    // The commonest elements of sets that are looked through.
    if let (Value::Tuple(a), Value::Tuple(b)) = (a, b) {
        return match std::ptr::eq(a, b) {
            true => Ok(Ordering::Equal),
            false => a
                .items
                .len()
                .cmp(&b.items.len())
                .then_try(|| compare_all(a.items, b.items)),
        };
    }
    if same_value(a, b) == Some(true) {
        return Ok(Ordering::Equal);
    }
    Ok(match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(&b),
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => int_cmp(a, b),
        (Value::Str(a), Value::Str(b)) => a.cmp(&b),
        (Value::Model(a), Value::Model(b)) => compare_models(a, b)?,
        (Value::Model(it), _) => {
            is_untyped(it)?;
            Ordering::Less
        }
        (_, Value::Model(it)) => {
            is_untyped(it)?;
            Ordering::Greater
        }
        (Value::Record(a), Value::Record(b)) => {
            // Records that are compared mostly have the same names, and whether they do is told by addresses.
            let names = match a.names == b.names {
                true => Ordering::Equal,
                false => a
                    .names
                    .len()
                    .cmp(&b.names.len())
                    .then_with(|| a.names.cmp(b.names)),
            };
            names.then_try(|| compare_all(a.values, b.values))?
        }
        (Value::Fun(a), Value::Fun(b)) => {
            let domains = compare(Value::Set(a.domain), Value::Set(b.domain))?;
            domains.then_try(|| compare_all(a.values, b.values))?
        }
        (Value::Set(a), Value::Set(b)) => a
            .items
            .len()
            .cmp(&b.items.len())
            .then_try(|| compare_all(a.items, b.items))?,
        _ if a.kind() == Kind::Set && b.kind() == Kind::Set => compare_symbolic(a, b)?,
        // Functions of different shapes: a tuple, a record and another function never have the same domain.
        _ if a.kind() == Kind::Function && b.kind() == Kind::Function => {
            fn_len(a).cmp(&fn_len(b)).then(fn_rank(a).cmp(&fn_rank(b)))
        }
        _ => return Err(Trouble::Mismatch),
    })
}

fn compare_all(a: &[Value<'_>], b: &[Value<'_>]) -> Result<Ordering, Trouble> {
    for (&a, &b) in a.iter().zip(b) {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            if a != b {
                return Ok(a.cmp(&b));
            }
            continue;
        }
        let order = compare(a, b)?;
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(Ordering::Equal)
}

pub(crate) fn fn_len(value: Value<'_>) -> usize {
    match value {
        Value::Tuple(it) => it.items.len(),
        Value::Record(it) => it.values.len(),
        Value::Fun(it) => it.values.len(),
        _ => 0,
    }
}

pub(crate) fn fn_rank(value: Value<'_>) -> u8 {
    match value {
        Value::Tuple(_) => 0,
        Value::Record(_) => 1,
        _ => 2,
    }
}

/// Sets of which at most one is spelt out. Finite ones are compared by their elements, in a scratch arena; infinite
/// ones by their parts, where these decide.
fn compare_symbolic(a: Value<'_>, b: Value<'_>) -> Result<Ordering, Trouble> {
    if let (Value::Symbolic(Symbolic::Interval(a, b)), Value::Symbolic(Symbolic::Interval(c, d))) = (a, b) {
        let (n, m) = (
            b.saturating_sub(*a).saturating_add(1).max(0),
            d.saturating_sub(*c).saturating_add(1).max(0),
        );
        return Ok(n.cmp(&m).then(if n == 0 { Ordering::Equal } else { a.cmp(c) }));
    }
    if let (Some(a), Some(b)) = (Bits::from_set(a), Bits::from_set(b)) {
        return a.compare(b);
    }
    match (extent(a)?, extent(b)?) {
        (Extent::Finite, Extent::Finite) => {}
        (Extent::Finite, Extent::Infinite) => return Ok(Ordering::Less),
        (Extent::Infinite, Extent::Finite) => return Ok(Ordering::Greater),
        (Extent::Finite, Extent::Unknown) | (Extent::Unknown, Extent::Finite) => {
            return Err(Trouble::Infinite);
        }
        _ => {
            return match (a, b) {
                (Value::Symbolic(a), Value::Symbolic(b)) => compare_endless(a, b),
                _ => Err(Trouble::Infinite),
            };
        }
    }
    let sizes = cardinality(a)?.cmp(&cardinality(b)?);
    if sizes.is_ne() {
        return Ok(sizes);
    }
    let scratch = Arena::new();
    let a = crate::enumerate(shorten(a), &scratch)?;
    let b = crate::enumerate(shorten(b), &scratch)?;
    compare_all(a.items, b.items)
}

pub(crate) fn shorten<'short, 'long: 'short>(value: Value<'long>) -> Value<'short> {
    value
}

trait ThenTry {
    fn then_try(self, next: impl FnOnce() -> Result<Ordering, Trouble>) -> Result<Ordering, Trouble>;
}

impl ThenTry for Ordering {
    fn then_try(self, next: impl FnOnce() -> Result<Ordering, Trouble>) -> Result<Ordering, Trouble> {
        if self.is_eq() { next() } else { Ok(self) }
    }
}
