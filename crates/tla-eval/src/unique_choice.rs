//! The one element with a property.
//!
//! `CHOOSE x \in S : P(x) /\ \A y \in S : P(y) => y = x` goes through the set for every candidate. To say that there is one such
//! element and which, one walk is enough; where there is none or several, the text is evaluated as it stands.

use value::{Probe, Value};

use crate::code::{Bound, Code, Kind, Pattern, Place};
use crate::error::Fault;
use crate::machine::Machine;

/// Whether the body of a `CHOOSE` has this form.
pub(crate) fn is_unique_choice(bound: &Bound<'_>, body: &Code<'_>) -> bool {
    let (Pattern::One(x), Kind::And(items)) = (&bound.pattern, &body.kind) else {
        return false;
    };
    let [property, all] = &items[..] else { return false };
    let Kind::Forall { bounds, body, .. } = &all.kind else {
        return false;
    };
    let ([other], Kind::Implies(two)) = (&bounds[..], &body.kind) else {
        return false;
    };
    let (Pattern::One(y), Kind::Eq(sides)) = (&other.pattern, &two[1].kind) else {
        return false;
    };
    let is = |code: &Code<'_>, slot: u16| matches!(code.kind, Kind::Local(Place { up: 0, slot: it }) if it == slot);
    let is_equation = is(&sides[0], *x) && is(&sides[1], *y) || is(&sides[0], *y) && is(&sides[1], *x);
    is_equation && is_same(&bound.set, &other.set, (*x, *y)) && is_same(property, &two[0], (*x, *y))
}

/// Whether one expression says of `x` what the other says of `y`. May say no where it does.
fn is_same(one: &Code<'_>, two: &Code<'_>, (x, y): (u16, u16)) -> bool {
    let both = |a: &[Code<'_>], b: &[Code<'_>]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b, (x, y)))
    };
    match (&one.kind, &two.kind) {
        (Kind::Local(a), Kind::Local(b)) => match (a.up, a.slot == x) {
            (0, true) => *b == Place { up: 0, slot: y },
            _ => a == b,
        },
        (Kind::Var(a), Kind::Var(b)) => a == b,
        (Kind::Const(a), Kind::Const(b)) => a.kind() == b.kind() && value::equal(*a, *b) == Ok(true),
        (Kind::Cached(a), Kind::Cached(b)) => a == b,
        (Kind::In(a), Kind::In(b))
        | (Kind::NotIn(a), Kind::NotIn(b))
        | (Kind::Eq(a), Kind::Eq(b))
        | (Kind::Neq(a), Kind::Neq(b))
        | (Kind::Apply(a), Kind::Apply(b)) => both(&a[..], &b[..]),
        (Kind::Arith(op, a), Kind::Arith(other, b)) => op == other && both(&a[..], &b[..]),
        (Kind::And(a), Kind::And(b)) | (Kind::Or(a), Kind::Or(b)) | (Kind::Tuple(a), Kind::Tuple(b)) => {
            both(a, b)
        }
        (Kind::Not(a), Kind::Not(b)) => is_same(a, b, (x, y)),
        (
            Kind::Select { record: a, field },
            Kind::Select {
                record: b,
                field: other,
            },
        ) => field == other && is_same(a, b, (x, y)),
        _ => false,
    }
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// The one element with the property that the body begins with; nothing when there is none, or another one.
    pub(crate) fn only(
        &mut self,
        set: Value<'t>,
        bound: &'i Bound<'i>,
        body: &'i Code<'i>,
    ) -> Result<Option<Value<'t>>, Fault> {
        if let (Value::Set(it), Some(prefilter)) = (set, &bound.prefilter)
            && !it.items.is_empty()
            && let Some(probe) = self.probe(prefilter)?
            && let Some(only) = only_with(it.items, probe)
        {
            return Ok(only);
        }
        let Kind::And(parts) = &body.kind else {
            return Ok(None);
        };
        let mut items = self.elements(set, bound.set.at)?;
        let mut found = None;
        while let Some(item) = items.next(self.arena) {
            self.go_on_working(bound.set.at)?;
            self.bind(&bound.pattern, item, bound.set.at)?;
            if self.holds(&parts[0])? && found.replace(item).is_some() {
                return Ok(None);
            }
        }
        Ok(found)
    }
}

/// The one set that has something, if it is only one; nothing where that cannot be seen at once.
#[inline]
fn only_with<'t>(sets: &[Value<'t>], probe: Probe) -> Option<Option<Value<'t>>> {
    let mut n = 0;
    let mut last = None;
    for &set in sets {
        if probe.is_in(set)? {
            n += 1;
            last = Some(set);
        }
    }
    Some(last.filter(|_| n == 1))
}
