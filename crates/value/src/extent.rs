//! Whether a set is empty, finite or infinite, and in which order infinite sets stand, as far as that can be said.
//!
//! The elements of an infinite set cannot be compared with those of another one. Where both are built in one of the ways in which different parts make
//! different sets, their parts decide. What unions, intersections, differences and filters of infinite sets hold is not
//! worked out: whoever asks gets [`Trouble::Infinite`], never a guess.

use std::cmp::Ordering;

use crate::order::{compare, equal};
use crate::sets::enumerate;
use crate::total::{total, total_all};
use crate::{Arena, Symbolic, Trouble, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Finite,
    Infinite,
    /// What is left of an infinite set; perhaps nothing.
    Unknown,
}

use Extent::{Finite, Infinite, Unknown};

/// Whether the set has finitely many elements; an error where nobody knows.
pub fn is_finite(set: Value<'_>) -> Result<bool, Trouble> {
    match extent(set)? {
        Finite => Ok(true),
        Infinite => Ok(false),
        Unknown => Err(Trouble::Infinite),
    }
}

pub(crate) fn extent(set: Value<'_>) -> Result<Extent, Trouble> {
    let symbolic = match set {
        Value::Set(_) | Value::Bits(_) => return Ok(Finite),
        Value::Symbolic(it) => it,
        _ => return Err(Trouble::NotASet),
    };
    Ok(match symbolic {
        Symbolic::Nat | Symbolic::Int | Symbolic::Real | Symbolic::Strings | Symbolic::Any => Infinite,
        Symbolic::Interval(..) => Finite,
        Symbolic::Power(base) => extent(*base)?,
        Symbolic::Functions(domain, range) => {
            if is_empty(*range)? || is_empty(*domain)? {
                return Ok(Finite);
            }
            match (extent(*domain)?, extent(*range)?) {
                // There is one function into a set with one element.
                (Infinite | Unknown, Finite) => Unknown,
                (domain, range) => domain.max(range),
            }
        }
        Symbolic::Product(sets) | Symbolic::Records(_, sets) => {
            if any_is_empty(sets)? {
                return Ok(Finite);
            }
            let mut widest = Finite;
            for &set in *sets {
                widest = widest.max(extent(set)?);
            }
            widest
        }
        Symbolic::Sequences(base) => match is_empty(*base)? {
            true => Finite,
            false => Infinite,
        },
        Symbolic::BoundedSequences(_, 0) => Finite,
        Symbolic::BoundedSequences(base, _) => extent(*base)?,
        Symbolic::Union(a, b) => match (extent(*a)?, extent(*b)?) {
            (Infinite, _) | (_, Infinite) => Infinite,
            (a, b) => a.max(b),
        },
        Symbolic::Intersection(a, b) => match (extent(*a)?, extent(*b)?) {
            (Finite, _) | (_, Finite) => Finite,
            _ => Unknown,
        },
        Symbolic::Difference(a, b) => match (extent(*a)?, extent(*b)?) {
            (Finite, _) => Finite,
            (Infinite, Finite) => Infinite,
            _ => Unknown,
        },
        Symbolic::Filter(base, ..) => match extent(*base)? {
            Finite => Finite,
            _ => Unknown,
        },
    })
}

impl Extent {
    /// Of a product of sets that are not empty.
    fn max(self, other: Extent) -> Extent {
        match (self, other) {
            (Infinite, _) | (_, Infinite) => Infinite,
            (Unknown, _) | (_, Unknown) => Unknown,
            _ => Finite,
        }
    }
}

/// Whether the set has no element; an error where nobody knows. Nothing is listed that need not be.
pub(crate) fn is_empty(set: Value<'_>) -> Result<bool, Trouble> {
    let symbolic = match set {
        Value::Set(it) => return Ok(it.items.is_empty()),
        Value::Bits(_) => return Ok(false),
        Value::Symbolic(it) => it,
        _ => return Err(Trouble::NotASet),
    };
    Ok(match symbolic {
        Symbolic::Nat | Symbolic::Int | Symbolic::Real | Symbolic::Strings | Symbolic::Any => false,
        Symbolic::Interval(low, high) => low > high,
        Symbolic::Product(sets) | Symbolic::Records(_, sets) => any_is_empty(sets)?,
        Symbolic::Functions(domain, range) => is_empty(*range)? && !is_empty(*domain)?,
        // At least the empty set, and the empty sequence.
        Symbolic::Power(_) | Symbolic::Sequences(_) | Symbolic::BoundedSequences(..) => false,
        Symbolic::Union(a, b) => is_empty(*a)? && is_empty(*b)?,
        Symbolic::Intersection(..) | Symbolic::Difference(..) | Symbolic::Filter(..) => match extent(set)? {
            Finite => enumerate(set, &Arena::new())?.items.is_empty(),
            Infinite => false,
            Unknown => return Err(Trouble::Infinite),
        },
    })
}

/// One empty set is enough, whatever is known of the others.
pub(crate) fn any_is_empty(sets: &[Value<'_>]) -> Result<bool, Trouble> {
    let mut unknown = None;
    for &set in sets {
        match is_empty(set) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(it) => unknown = unknown.or(Some(it)),
        }
    }
    unknown.map_or(Ok(false), Err)
}

/// The order of two sets neither of which is known to be finite.
pub(crate) fn compare_endless(a: &Symbolic<'_>, b: &Symbolic<'_>) -> Result<Ordering, Trouble> {
    use Symbolic::*;
    let all = |a: &[Value<'_>], b: &[Value<'_>]| -> Result<Ordering, Trouble> {
        for (&a, &b) in a.iter().zip(b) {
            let order = compare(a, b)?;
            if order.is_ne() {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    };
    match (a, b) {
        (Power(a), Power(b)) | (Sequences(a), Sequences(b)) => compare(*a, *b),
        (BoundedSequences(a, n), BoundedSequences(b, m)) => Ok(n.cmp(m).then(compare(*a, *b)?)),
        (Functions(a, s), Functions(b, t)) => all(&[*a, *s], &[*b, *t]),
        (Product(a), Product(b)) => match a.len().cmp(&b.len()) {
            Ordering::Equal => all(a, b),
            other => Ok(other),
        },
        (Records(names, a), Records(others, b)) => match names.cmp(others) {
            Ordering::Equal => all(a, b),
            other => Ok(other),
        },
        (Union(a, b), Union(c, d))
        | (Intersection(a, b), Intersection(c, d))
        | (Difference(a, b), Difference(c, d)) => same_parts(&[*a, *b], &[*c, *d]),
        (Filter(a, test, captured), Filter(b, other, values)) if test == other => {
            same_parts(&[*a], &[*b]).and_then(|_| same_parts(captured, values))
        }
        _ => match (rank(a), rank(b)) {
            // Tuples and records are functions, so two of these may be the same set.
            (Some(a), Some(b)) if a != b && a.min(b) < FUNCTIONS => Ok(a.cmp(&b)),
            (Some(a), Some(b)) if a == b && a < FUNCTIONS => Ok(Ordering::Equal),
            _ => Err(Trouble::Infinite),
        },
    }
}

/// The same parts make the same set; of others nobody knows.
fn same_parts(a: &[Value<'_>], b: &[Value<'_>]) -> Result<Ordering, Trouble> {
    for (&a, &b) in a.iter().zip(b) {
        if !matches!(equal(a, b), Ok(true)) {
            return Err(Trouble::Infinite);
        }
    }
    Ok(Ordering::Equal)
}

/// The place of an endless set among all of them, in agreement with [`compare_endless`].
pub(crate) fn place_endless(a: Value<'_>, b: Value<'_>) -> Ordering {
    use Symbolic::*;
    let (Value::Symbolic(a), Value::Symbolic(b)) = (a, b) else {
        return Ordering::Equal;
    };
    let ways = way(a).cmp(&way(b));
    ways.then_with(|| match (a, b) {
        (Interval(a, b), Interval(c, d)) => (a, b).cmp(&(c, d)),
        (Power(a), Power(b)) | (Sequences(a), Sequences(b)) => total(*a, *b),
        (BoundedSequences(a, n), BoundedSequences(b, m)) => n.cmp(m).then_with(|| total(*a, *b)),
        (Product(a), Product(b)) => a.len().cmp(&b.len()).then_with(|| total_all(a, b)),
        (Records(names, a), Records(others, b)) => names.cmp(others).then_with(|| total_all(a, b)),
        (Functions(a, b), Functions(c, d))
        | (Union(a, b), Union(c, d))
        | (Intersection(a, b), Intersection(c, d))
        | (Difference(a, b), Difference(c, d)) => total_all(&[*a, *b], &[*c, *d]),
        (Filter(a, test, captured), Filter(b, other, values)) => {
            let tests = test.cmp(other).then_with(|| total(*a, *b));
            tests.then_with(|| total_all(captured, values))
        }
        _ => Ordering::Equal,
    })
}

/// A number for each way to build a set, in the order of [`rank`].
fn way(set: &Symbolic<'_>) -> u8 {
    match set {
        Symbolic::Interval(..) => 20,
        Symbolic::Union(..) => 21,
        Symbolic::Intersection(..) => 22,
        Symbolic::Difference(..) => 23,
        Symbolic::Filter(..) => 24,
        _ => rank(set).unwrap_or(25),
    }
}

const FUNCTIONS: u8 = 8;

/// Ways to build a set. Sets that are built in different ways below [`FUNCTIONS`] are different.
fn rank(set: &Symbolic<'_>) -> Option<u8> {
    Some(match set {
        Symbolic::Nat => 0,
        Symbolic::Int => 1,
        Symbolic::Real => 2,
        Symbolic::Strings => 3,
        Symbolic::Any => 4,
        Symbolic::Power(_) => 5,
        Symbolic::Sequences(_) => 6,
        Symbolic::BoundedSequences(..) => 7,
        Symbolic::Product(_) => FUNCTIONS,
        Symbolic::Records(..) => FUNCTIONS + 1,
        Symbolic::Functions(..) => FUNCTIONS + 2,
        Symbolic::Interval(..)
        | Symbolic::Union(..)
        | Symbolic::Intersection(..)
        | Symbolic::Difference(..)
        | Symbolic::Filter(..) => return None,
    })
}

/// Whether two sets that are built in this way, all through, are the same only if their parts are.
pub(crate) fn is_known_by_shape(set: &Symbolic<'_>) -> bool {
    let known = |set: &Value<'_>| match set {
        Value::Symbolic(it) => is_known_by_shape(it),
        _ => true,
    };
    match set {
        Symbolic::Nat
        | Symbolic::Int
        | Symbolic::Real
        | Symbolic::Strings
        | Symbolic::Any
        | Symbolic::Interval(..) => true,
        Symbolic::Power(it) | Symbolic::Sequences(it) | Symbolic::BoundedSequences(it, _) => known(it),
        Symbolic::Product(sets) | Symbolic::Records(_, sets) => sets.iter().all(known),
        Symbolic::Functions(domain, range) => known(range) && known(domain) && !makes_tuples(*domain),
        Symbolic::Union(..)
        | Symbolic::Intersection(..)
        | Symbolic::Difference(..)
        | Symbolic::Filter(..) => false,
    }
}

/// Whether functions on this set are tuples or records: a product of a set with itself is a set of functions on `1..n`.
fn makes_tuples(domain: Value<'_>) -> bool {
    match domain {
        Value::Set(it) => matches!(it.items.first(), None | Some(Value::Int(1) | Value::Str(_))),
        Value::Symbolic(it) => matches!(it, Symbolic::Interval(1, _)),
        Value::Bits(it) => matches!(it.iter().next(), Some(Value::Int(1))),
        _ => true,
    }
}
