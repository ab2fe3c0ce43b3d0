//! Membership and inclusion, without enumerating what need not be enumerated.

use crate::extent::{Extent, extent};
use crate::function::find;
use crate::iter::elements;
use crate::order::{equal, is_untyped, shorten};
use crate::{Arena, Bits, Kind, Symbolic, Trouble, Value};

/// `item \in set`.
pub fn contains(set: Value<'_>, item: Value<'_>) -> Result<bool, Trouble> {
    match set {
        Value::Set(set) => Ok(find(set.items, item)?.is_some()),
        Value::Bits(set) => set.contains(item),
        Value::Symbolic(set) => contains_symbolic(set, item),
        _ => Err(Trouble::NotASet),
    }
}

fn contains_symbolic(set: &Symbolic<'_>, item: Value<'_>) -> Result<bool, Trouble> {
    let model = matches!(item, Value::Model(_));
    match set {
        Symbolic::Any => return Ok(true),
        // Nothing is compared with the elements of the empty set.
        Symbolic::Interval(low, high) if low > high => return Ok(false),
        Symbolic::Union(..)
        | Symbolic::Filter(..)
        | Symbolic::Intersection(..)
        | Symbolic::Difference(..) => {}
        // None of the others has a model value in it.
        _ => {
            if let Value::Model(model) = item {
                is_untyped(model)?;
            }
        }
    }
    match set {
        Symbolic::Any => Ok(true),
        Symbolic::Nat | Symbolic::Int | Symbolic::Real | Symbolic::Interval(..) => match item {
            Value::Int(n) => Ok(match set {
                Symbolic::Nat => n >= 0,
                Symbolic::Interval(low, high) => *low <= n && n <= *high,
                _ => true,
            }),
            Value::Big(n) => Ok(match set {
                Symbolic::Nat => n.sign() == num_bigint::Sign::Plus,
                Symbolic::Interval(..) => false,
                _ => true,
            }),
            _ if model => Ok(false),
            _ => Err(Trouble::Mismatch),
        },
        Symbolic::Strings => match item {
            Value::Str(_) => Ok(true),
            _ if model => Ok(false),
            _ => Err(Trouble::Mismatch),
        },
        Symbolic::Power(Value::Bits(base))
            if let Value::Bits(item) = item
                && item.universe() == base.universe() =>
        {
            Ok(item.mask() & !base.mask() == 0)
        }
        Symbolic::Power(base) => match item.kind() {
            Kind::Set => subset_eq(item, *base),
            Kind::Model => Ok(false),
            _ => Err(Trouble::Mismatch),
        },
        Symbolic::Functions(domain, range) => contains_function(*domain, *range, item),
        Symbolic::Product(factors) => match item {
            Value::Tuple(it) if it.items.len() == factors.len() => all_in(factors, it.items),
            Value::Tuple(_) | Value::Record(_) | Value::Fun(_) | Value::Model(_) => Ok(false),
            _ => Err(Trouble::Mismatch),
        },
        Symbolic::Records(names, sets) => match item {
            Value::Record(it) if it.names == *names => all_in(sets, it.values),
            Value::Tuple(_) | Value::Record(_) | Value::Fun(_) | Value::Model(_) => Ok(false),
            _ => Err(Trouble::Mismatch),
        },
        Symbolic::Sequences(base) => match item {
            Value::Tuple(it) => each_in(*base, it.items),
            Value::Record(_) | Value::Fun(_) | Value::Model(_) => Ok(false),
            _ => Err(Trouble::Mismatch),
        },
        Symbolic::BoundedSequences(base, n) => match item {
            Value::Tuple(it) => Ok(it.items.len() <= *n && each_in(*base, it.items)?),
            Value::Record(_) | Value::Fun(_) | Value::Model(_) => Ok(false),
            _ => Err(Trouble::Mismatch),
        },
        // A mismatch with one side is no error when the other side has the item.
        Symbolic::Union(a, b) => match (contains(*a, item), contains(*b, item)) {
            (Ok(true), _) | (_, Ok(true)) => Ok(true),
            (a, b) => Ok(a? || b?),
        },
        Symbolic::Filter(base, ..) => match contains(*base, item)? {
            true => Err(Trouble::Filtered),
            false => Ok(false),
        },
        Symbolic::Intersection(a, b) => Ok(contains(*a, item)? && contains(*b, item)?),
        Symbolic::Difference(a, b) => Ok(contains(*a, item)? && !contains(*b, item)?),
    }
}

fn all_in(sets: &[Value<'_>], items: &[Value<'_>]) -> Result<bool, Trouble> {
    for (&set, &item) in sets.iter().zip(items) {
        if !contains(set, item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn each_in(set: Value<'_>, items: &[Value<'_>]) -> Result<bool, Trouble> {
    for &item in items {
        if !contains(set, item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn contains_function(domain: Value<'_>, range: Value<'_>, item: Value<'_>) -> Result<bool, Trouble> {
    match item {
        Value::Tuple(_) | Value::Record(_) | Value::Fun(_) => {}
        Value::Model(_) => return Ok(false),
        _ => return Err(Trouble::Mismatch),
    }
    let (same, values) = match item {
        // The usual case without building a domain.
        Value::Tuple(it) => match domain {
            Value::Symbolic(Symbolic::Interval(low, high)) => {
                let n = it.items.len() as i64;
                ((*low == 1 && *high == n) || (n == 0 && low > high), it.items)
            }
            _ => (same_domain(item, domain)?, it.items),
        },
        Value::Record(it) => (same_domain(item, domain)?, it.values),
        Value::Fun(it) => (same_domain(item, domain)?, it.values),
        _ => return Ok(false),
    };
    Ok(same && each_in(range, values)?)
}

fn same_domain(function: Value<'_>, domain: Value<'_>) -> Result<bool, Trouble> {
    let scratch = Arena::new();
    let own = crate::domain(function, &scratch)?;
    match equal(own, domain) {
        Err(Trouble::Mismatch) => Ok(false),
        other => other,
    }
}

/// `a \subseteq b`.
pub fn subset_eq(a: Value<'_>, b: Value<'_>) -> Result<bool, Trouble> {
    if b.kind() != Kind::Set {
        return Err(Trouble::NotASet);
    }
    if let (Kind::Set, Value::Symbolic(Symbolic::Any)) = (a.kind(), b) {
        return Ok(true);
    }
    if let (Some(a), Some(b)) = (Bits::from_set(a), Bits::from_set(b))
        && a.universe() == b.universe()
    {
        return Ok(a.mask() & !b.mask() == 0);
    }
    if let Some(known) = by_shape(a, b) {
        return known;
    }
    if let Value::Set(a) = a {
        // `SUBSET` of a small set has the small sets inside it.
        if let Value::Symbolic(Symbolic::Power(Value::Bits(base))) = b
            && a.items
                .iter()
                .all(|it| matches!(it, Value::Bits(it) if it.is_inside(*base)))
        {
            return Ok(true);
        }
        return each_in(b, a.items);
    }
    // Trouble with the elements of either is met when they are listed.
    if let (Ok(Extent::Infinite), Ok(Extent::Finite)) = (extent(a), extent(b)) {
        return Ok(false);
    }
    let scratch = Arena::new();
    let mut items = elements(shorten(a), &scratch)?;
    while let Some(item) = items.next(&scratch) {
        if !contains(b, item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Inclusion of sets that are built alike, decided from their parts.
fn by_shape(a: Value<'_>, b: Value<'_>) -> Option<Result<bool, Trouble>> {
    use Symbolic::*;
    let (Value::Symbolic(a), Value::Symbolic(b)) = (a, b) else {
        return None;
    };
    match (a, b) {
        (Interval(low, high), _) if low > high => Some(Ok(true)),
        (Interval(a, b), Interval(c, d)) => Some(Ok(c <= a && b <= d)),
        (Interval(low, _), Nat) => Some(Ok(*low >= 0)),
        (Interval(..) | Nat | Int, Int | Real) | (Nat, Nat) | (Real, Real) | (Strings, Strings) => {
            Some(Ok(true))
        }
        (Int | Real, Nat) | (Real, Int) => Some(Ok(false)),
        (Nat | Int | Real, Interval(..)) => Some(Ok(false)),
        (Power(a), Power(b)) | (Sequences(a), Sequences(b)) => Some(subset_eq(*a, *b)),
        // The empty sequence alone.
        (BoundedSequences(_, 0), BoundedSequences(..) | Sequences(_)) => Some(Ok(true)),
        (BoundedSequences(a, n), BoundedSequences(b, m)) if n <= m => Some(subset_eq(*a, *b)),
        (BoundedSequences(a, _), Sequences(b)) => Some(subset_eq(*a, *b)),
        (Functions(a, s), Functions(b, t)) => {
            if !equal(*a, *b).ok()? {
                return None;
            }
            Some(subset_eq(*s, *t)).filter(|it| matches!(it, Ok(true)))
        }
        (Product(a), Product(b)) if a.len() == b.len() => {
            Some(Ok(a.iter().zip(*b).all(|(&a, &b)| subset_eq(a, b) == Ok(true))))
                .filter(|it| *it == Ok(true))
        }
        (Records(n, a), Records(m, b)) if n == m => {
            Some(Ok(a.iter().zip(*b).all(|(&a, &b)| subset_eq(a, b) == Ok(true))))
                .filter(|it| *it == Ok(true))
        }
        _ => None,
    }
}
