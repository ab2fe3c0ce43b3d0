//! Elements of a loop that are of no consequence, told by one look.
//!
//! In `CHOOSE x \in S : k \in x /\ …` or `\A q \in S : q # p => …` most elements fail, or pass, by a test that compares the element
//! with something that stays the same during the loop. Where both are at hand as small sets, numbers or names, the loop goes past such an
//! element without evaluating anything.

use value::{Bits, Elements, Probe, Value};

use crate::code::{Bound, Code, Kind, Pattern, Place};
use crate::error::Fault;
use crate::machine::{Cell, Machine};

/// A test that every element must pass to be of consequence.
#[derive(Debug)]
pub struct Prefilter<'i> {
    relation: Relation,
    /// It must not hold.
    negated: bool,
    other: Other<'i>,
    /// It is the whole first part of the body.
    is_first: bool,
}

/// Between an element and the other side.
#[derive(Clone, Copy, Debug)]
enum Relation {
    /// The other side is in the element.
    Has,
    /// The element is in the other side.
    Among,
    Is,
}

#[derive(Debug)]
enum Other<'i> {
    Const(Value<'i>),
    /// A name of this frame, from outside the loop.
    Name(u16),
}

/// Which elements end a loop, or are taken by it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// Those with the body true.
    ForTrue,
    ForFalse,
}

impl<'i> Prefilter<'i> {
    pub fn of(pattern: &Pattern, body: &Code<'i>, looks: Looks) -> Option<Box<Prefilter<'i>>> {
        let &Pattern::One(element) = pattern else {
            return None;
        };
        let (code, negated) = match (&body.kind, looks) {
            (Kind::And(items), Looks::ForTrue) => (items.first()?, false),
            (Kind::Implies(two), Looks::ForFalse) => (&two[0], false),
            (Kind::Or(items), Looks::ForFalse) => (items.first()?, true),
            (_, Looks::ForTrue) => (body, false),
            (_, Looks::ForFalse) => (body, true),
        };
        let (code, is_first) = match &code.kind {
            Kind::And(items) if !negated => (items.first()?, false),
            _ => (code, true),
        };
        let is_element =
            |code: &Code<'i>| matches!(code.kind, Kind::Local(Place { up: 0, slot }) if slot == element);
        let other = |code: &Code<'i>| match code.kind {
            Kind::Const(value) => Some(Other::Const(value)),
            Kind::Local(Place { up: 0, slot }) if slot != element => Some(Other::Name(slot)),
            _ => None,
        };
        let (two, is_equality, is_negation) = match &code.kind {
            Kind::In(two) => (two, false, false),
            Kind::NotIn(two) => (two, false, true),
            Kind::Eq(two) => (two, true, false),
            Kind::Neq(two) => (two, true, true),
            _ => return None,
        };
        let (relation, other) = match (is_element(&two[0]), is_element(&two[1])) {
            (true, false) if is_equality => (Relation::Is, other(&two[1])?),
            (false, true) if is_equality => (Relation::Is, other(&two[0])?),
            (true, false) => (Relation::Among, other(&two[1])?),
            (false, true) => (Relation::Has, other(&two[0])?),
            _ => return None,
        };
        Some(Box::new(Prefilter {
            relation,
            negated: negated != is_negation,
            other,
            is_first,
        }))
    }
}

/// A gate with its other side at hand.
#[derive(Clone, Copy)]
pub(crate) struct Ready<'t> {
    question: Question<'t>,
    negated: bool,
    is_first: bool,
}

/// What a gate says of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Unknown,
    /// It is of no consequence.
    Shut,
    /// The first part of the body lets it through.
    Open,
}

#[derive(Clone, Copy)]
enum Question<'t> {
    /// The other side is not known yet, or nothing quick can be said.
    None,
    Has(Probe),
    Among(Bits),
    Is(Value<'t>),
}

impl<'t> Ready<'t> {
    /// Goes past elements that can be passed over.
    #[inline]
    pub fn pass(&self, items: &mut Elements<'t>) {
        let shut = Some(self.negated);
        match self.question {
            Question::None => {}
            Question::Has(probe) => items.pass_over(|it| probe.is_in(it) == shut),
            _ => items.pass_over(|it| self.holds(it) == shut),
        }
    }

    #[inline]
    pub fn look(&self, element: Value<'_>) -> Look {
        match self.holds(element) {
            None => Look::Unknown,
            Some(it) if it == self.negated => Look::Shut,
            Some(_) if self.is_first => Look::Open,
            Some(_) => Look::Unknown,
        }
    }

    #[inline]
    fn holds(&self, element: Value<'_>) -> Option<bool> {
        match self.question {
            Question::None => None,
            Question::Has(probe) => probe.is_in(element),
            Question::Among(set) => set.has(element),
            Question::Is(other) => match (element, other) {
                (Value::Int(a), Value::Int(b)) => Some(a == b),
                (Value::Str(a), Value::Str(b)) => Some(a == b),
                // Those of different types are an error, which the loop itself tells.
                (Value::Model(_), Value::Model(_)) => value::equal(element, other).ok(),
                _ => None,
            },
        }
    }
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// The gate of a loop over these elements.
    #[inline]
    pub(crate) fn prefilter(
        &mut self,
        bound: &'i Bound<'i>,
        items: &Elements<'t>,
    ) -> Result<Ready<'t>, Fault> {
        const OPEN: Ready<'static> = Ready {
            question: Question::None,
            negated: false,
            is_first: false,
        };
        match &bound.prefilter {
            // Where calls are counted, all of them are made.
            Some(prefilter) if self.program.counts.is_empty() && items.least_len() > 0 => Ok(Ready {
                question: self.question(prefilter)?,
                negated: prefilter.negated,
                is_first: prefilter.is_first,
            }),
            _ => Ok(OPEN),
        }
    }

    /// The truth of a body for an element that its gate has looked at, and not shut out.
    #[inline]
    pub(crate) fn holds_after(&mut self, look: Look, body: &'i Code<'i>) -> Result<bool, Fault> {
        match (&body.kind, look) {
            (Kind::And(items), Look::Open) => {
                for item in &items[1..] {
                    if !self.holds(item)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Kind::Implies(two), Look::Open) => self.holds(&two[1]),
            _ => self.holds(body),
        }
    }

    /// What the elements that have it pass the gate by, where nothing else decides about the first part of the body.
    #[inline]
    pub(crate) fn probe(&mut self, prefilter: &'i Prefilter<'i>) -> Result<Option<Probe>, Fault> {
        match prefilter.relation {
            Relation::Has if prefilter.is_first && !prefilter.negated => {
                Ok(self.other(prefilter)?.and_then(Probe::of))
            }
            _ => Ok(None),
        }
    }

    /// The other side of a gate, if it has a value.
    #[inline]
    fn other(&mut self, prefilter: &'i Prefilter<'i>) -> Result<Option<Value<'t>>, Fault> {
        match prefilter.other {
            Other::Const(value) => Ok(Some(value)),
            Other::Name(slot) => {
                let index = self.base + slot as usize;
                match self.stack[index] {
                    Cell::Value(value) => Ok(Some(value)),
                    // It is what the body of the first element would begin with.
                    Cell::Thunk(thunk) => self.force(index, thunk).map(Some),
                    _ => Ok(None),
                }
            }
        }
    }

    fn question(&mut self, prefilter: &'i Prefilter<'i>) -> Result<Question<'t>, Fault> {
        let Some(other) = self.other(prefilter)? else {
            return Ok(Question::None);
        };
        Ok(match (prefilter.relation, other) {
            (Relation::Has, _) => Probe::of(other).map_or(Question::None, Question::Has),
            (Relation::Among, Value::Bits(set)) => Question::Among(set),
            (Relation::Is, Value::Int(_) | Value::Str(_) | Value::Model(_)) => Question::Is(other),
            _ => Question::None,
        })
    }
}
