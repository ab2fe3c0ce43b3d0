//! Formulas with negations at the leaves, each stored once, simplified as they are made.
//!
//! A term is a *predicate* when it speaks of one letter, and a *tail* when it speaks of the far future only: its value is
//! the same at all moments of a behaviour. Tails are kept as Boolean combinations of `[]<>p` and `<>[]p` with predicates `p`.

use util::{FxHashMap, deep};

use crate::formula::Formula;
use crate::graph::Letter;

pub(crate) type TermId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Literal {
    pub(crate) of_step: bool,
    pub(crate) label: u32,
    pub(crate) positive: bool,
}

impl Literal {
    #[inline]
    fn holds(self, letter: &Letter<'_>) -> bool {
        let has = if self.of_step {
            letter.step_has(self.label)
        } else {
            letter.state_has(self.label)
        };
        has == self.positive
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    Const(bool),
    Literal(Literal),
    /// Two or more, sorted.
    And(Box<[TermId]>),
    Or(Box<[TermId]>),
    Always(TermId),
    Eventually(TermId),
}

#[derive(Clone, Copy)]
struct Nature {
    is_predicate: bool,
    is_tail: bool,
}

/// All terms of one question.
pub(crate) struct Terms {
    terms: Vec<Term>,
    natures: Vec<Nature>,
    ids: FxHashMap<Term, TermId>,
}

pub(crate) const FALSE: TermId = 0;
pub(crate) const TRUE: TermId = 1;

/// More terms than this are given up: a formula that large comes from quantifiers over large sets.
const TERMS_MAX: usize = 1 << 20;

impl Terms {
    pub(crate) fn new() -> Terms {
        let mut terms = Terms {
            terms: vec![],
            natures: vec![],
            ids: FxHashMap::default(),
        };
        terms.intern(Term::Const(false));
        terms.intern(Term::Const(true));
        terms
    }

    pub(crate) fn get(&self, id: TermId) -> &Term {
        &self.terms[id as usize]
    }

    pub(crate) fn is_predicate(&self, id: TermId) -> bool {
        self.natures[id as usize].is_predicate
    }

    pub(crate) fn is_too_many(&self) -> bool {
        self.terms.len() > TERMS_MAX
    }

    /// The term of a formula, or of its negation.
    pub(crate) fn add(&mut self, formula: &Formula, positive: bool) -> TermId {
        if self.is_too_many() {
            return FALSE;
        }
        deep(|| match formula {
            Formula::Const(it) => constant(*it == positive),
            Formula::State(label) => self.literal(false, *label, positive),
            Formula::Step(label) => self.literal(true, *label, positive),
            Formula::Not(inner) => self.add(inner, !positive),
            Formula::And(items) | Formula::Or(items) => {
                let terms = items.iter().map(|it| self.add(it, positive)).collect();
                if matches!(formula, Formula::And(_)) == positive {
                    self.and(terms)
                } else {
                    self.or(terms)
                }
            }
            Formula::Always(inner) | Formula::Eventually(inner) => {
                let inner = self.add(inner, positive);
                if matches!(formula, Formula::Always(_)) == positive {
                    self.always(inner)
                } else {
                    self.eventually(inner)
                }
            }
        })
    }

    fn literal(&mut self, of_step: bool, label: u32, positive: bool) -> TermId {
        self.intern(Term::Literal(Literal {
            of_step,
            label,
            positive,
        }))
    }

    fn intern(&mut self, term: Term) -> TermId {
        if let Some(&known) = self.ids.get(&term) {
            return known;
        }
        let nature = self.nature(&term);
        let id = self.terms.len() as TermId;
        self.ids.insert(term.clone(), id);
        self.terms.push(term);
        self.natures.push(nature);
        id
    }

    fn nature(&self, term: &Term) -> Nature {
        let of = |id: TermId| self.natures[id as usize];
        match term {
            Term::Const(_) => Nature {
                is_predicate: true,
                is_tail: true,
            },
            Term::Literal(_) => Nature {
                is_predicate: true,
                is_tail: false,
            },
            Term::And(items) | Term::Or(items) => Nature {
                is_predicate: items.iter().all(|&it| of(it).is_predicate),
                is_tail: items.iter().all(|&it| of(it).is_tail),
            },
            Term::Always(inner) => Nature {
                is_predicate: false,
                is_tail: matches!(self.get(*inner), Term::Eventually(_)),
            },
            Term::Eventually(inner) => Nature {
                is_predicate: false,
                is_tail: matches!(self.get(*inner), Term::Always(_)),
            },
        }
    }

    pub(crate) fn is_tail(&self, id: TermId) -> bool {
        self.natures[id as usize].is_tail
    }

    pub(crate) fn and(&mut self, items: Vec<TermId>) -> TermId {
        self.join(items, true)
    }

    pub(crate) fn or(&mut self, items: Vec<TermId>) -> TermId {
        self.join(items, false)
    }

    /// A conjunction or disjunction. `[]p /\ []q` becomes `[](p /\ q)` for predicates, likewise `<>[]`; and dually.
    fn join(&mut self, items: Vec<TermId>, is_and: bool) -> TermId {
        let (absorbing, neutral) = (constant(!is_and), constant(is_and));
        let mut parts: Vec<TermId> = vec![];
        let mut once: Vec<TermId> = vec![];
        let mut tails: Vec<TermId> = vec![];
        let mut todo = items;
        todo.reverse();
        while let Some(id) = todo.pop() {
            match self.get(id) {
                Term::And(inner) if is_and => todo.extend(inner.iter().rev()),
                Term::Or(inner) if !is_and => todo.extend(inner.iter().rev()),
                Term::Always(inner) if is_and && self.is_predicate(*inner) => once.push(*inner),
                Term::Eventually(inner) if !is_and && self.is_predicate(*inner) => once.push(*inner),
                &Term::Always(inner) | &Term::Eventually(inner) => {
                    match (self.merging_tail(inner, is_and), self.is_tail(id)) {
                        (Some(predicate), true) => tails.push(predicate),
                        _ => parts.push(id),
                    }
                }
                _ if id == absorbing => return absorbing,
                _ if id == neutral => {}
                _ => parts.push(id),
            }
        }
        if !once.is_empty() {
            let predicate = self.merged(once, is_and);
            parts.push(if is_and {
                self.always(predicate)
            } else {
                self.eventually(predicate)
            });
        }
        if !tails.is_empty() {
            let predicate = self.merged(tails, is_and);
            parts.push(if is_and {
                self.finally(predicate)
            } else {
                self.infinitely(predicate)
            });
        }
        if parts.contains(&absorbing) {
            return absorbing;
        }
        parts.retain(|&it| it != neutral);
        parts.sort_unstable();
        parts.dedup();
        if self.has_opposites(&parts) {
            return absorbing;
        }
        match parts[..] {
            [] => neutral,
            [one] => one,
            _ if is_and => self.intern(Term::And(parts.into())),
            _ => self.intern(Term::Or(parts.into())),
        }
    }

    fn merged(&mut self, predicates: Vec<TermId>, is_and: bool) -> TermId {
        match predicates[..] {
            [one] => one,
            _ => self.join(predicates, is_and),
        }
    }

    /// The predicate of `<>[]p` in a conjunction, of `[]<>p` in a disjunction.
    fn merging_tail(&self, inner: TermId, is_and: bool) -> Option<TermId> {
        match self.get(inner) {
            Term::Always(it) if is_and && self.is_predicate(*it) => Some(*it),
            Term::Eventually(it) if !is_and && self.is_predicate(*it) => Some(*it),
            _ => None,
        }
    }

    fn has_opposites(&self, parts: &[TermId]) -> bool {
        let literals = || {
            parts.iter().filter_map(|&it| match self.get(it) {
                Term::Literal(it) => Some(*it),
                _ => None,
            })
        };
        literals().any(|one| {
            let opposite = Literal {
                positive: !one.positive,
                ..one
            };
            one.positive
                && self
                    .ids
                    .get(&Term::Literal(opposite))
                    .is_some_and(|it| parts.binary_search(it).is_ok())
        })
    }

    pub(crate) fn always(&mut self, id: TermId) -> TermId {
        if self.is_tail(id) {
            return id;
        }
        match self.get(id).clone() {
            _ if self.is_predicate(id) => self.intern(Term::Always(id)),
            Term::Always(_) => id,
            Term::Eventually(inner) => self.infinitely(inner),
            Term::And(items) => {
                let items = items.iter().map(|&it| self.always(it)).collect();
                // Predicates among them have become one.
                self.and(items)
            }
            Term::Or(items) if items.iter().any(|&it| self.is_tail(it)) => {
                let (mut tails, near): (Vec<_>, Vec<_>) = items.iter().partition(|&&it| self.is_tail(it));
                let near = self.or(near);
                tails.push(self.always(near));
                self.or(tails)
            }
            _ => self.intern(Term::Always(id)),
        }
    }

    pub(crate) fn eventually(&mut self, id: TermId) -> TermId {
        if self.is_tail(id) {
            return id;
        }
        match self.get(id).clone() {
            _ if self.is_predicate(id) => self.intern(Term::Eventually(id)),
            Term::Eventually(_) => id,
            Term::Always(inner) => self.finally(inner),
            Term::Or(items) => {
                let items = items.iter().map(|&it| self.eventually(it)).collect();
                self.or(items)
            }
            Term::And(items) if items.iter().any(|&it| self.is_tail(it)) => {
                let (mut tails, near): (Vec<_>, Vec<_>) = items.iter().partition(|&&it| self.is_tail(it));
                let near = self.and(near);
                tails.push(self.eventually(near));
                self.and(tails)
            }
            _ => self.intern(Term::Eventually(id)),
        }
    }

    /// `[]<>id`.
    fn infinitely(&mut self, id: TermId) -> TermId {
        self.tail(id, false)
    }

    /// `<>[]id`.
    fn finally(&mut self, id: TermId) -> TermId {
        self.tail(id, true)
    }

    fn tail(&mut self, id: TermId, finally: bool) -> TermId {
        let id = self.settled(id);
        self.tail_of_settled(id, finally)
    }

    /// `<>[]id` or `[]<>id`, where all temporal parts of `id` are tails, which therefore have one value for ever.
    fn tail_of_settled(&mut self, id: TermId, finally: bool) -> TermId {
        if self.is_tail(id) {
            return id;
        }
        if self.is_predicate(id) {
            return if finally {
                let inner = self.intern(Term::Always(id));
                self.intern(Term::Eventually(inner))
            } else {
                let inner = self.intern(Term::Eventually(id));
                self.intern(Term::Always(inner))
            };
        }
        match self.get(id).clone() {
            Term::And(items) if finally => {
                let items = items.iter().map(|&it| self.tail_of_settled(it, true)).collect();
                self.and(items)
            }
            Term::Or(items) if !finally => {
                let items = items.iter().map(|&it| self.tail_of_settled(it, false)).collect();
                self.or(items)
            }
            _ => {
                // The term grows with its tails, and each tail is either true for ever or false for ever.
                let Some(tail) = self.some_tail(id) else {
                    unreachable!("a settled term is made of predicates and tails")
                };
                let with = self.put(id, tail, TRUE);
                let without = self.put(id, tail, FALSE);
                let with = self.tail_of_settled(with, finally);
                let without = self.tail_of_settled(without, finally);
                let with = self.and(vec![tail, with]);
                self.or(vec![with, without])
            }
        }
    }

    /// The term with `[]p` and `<>p` replaced by what they become in the far future: `<>[]p` and `[]<>p`.
    fn settled(&mut self, id: TermId) -> TermId {
        if self.is_predicate(id) || self.is_tail(id) {
            return id;
        }
        deep(|| match self.get(id).clone() {
            Term::And(items) => {
                let items = items.iter().map(|&it| self.settled(it)).collect();
                self.and(items)
            }
            Term::Or(items) => {
                let items = items.iter().map(|&it| self.settled(it)).collect();
                self.or(items)
            }
            Term::Always(inner) => self.finally(inner),
            Term::Eventually(inner) => self.infinitely(inner),
            Term::Const(_) | Term::Literal(_) => id,
        })
    }

    fn some_tail(&self, id: TermId) -> Option<TermId> {
        match self.get(id) {
            Term::And(items) | Term::Or(items) => items.iter().find_map(|&it| self.some_tail(it)),
            Term::Always(_) | Term::Eventually(_) => Some(id),
            Term::Const(_) | Term::Literal(_) => None,
        }
    }

    fn put(&mut self, id: TermId, part: TermId, by: TermId) -> TermId {
        if id == part {
            return by;
        }
        match self.get(id).clone() {
            Term::And(items) => {
                let items = items.iter().map(|&it| self.put(it, part, by)).collect();
                self.and(items)
            }
            Term::Or(items) => {
                let items = items.iter().map(|&it| self.put(it, part, by)).collect();
                self.or(items)
            }
            _ => id,
        }
    }

    /// A predicate, ready to be asked about many letters.
    pub(crate) fn predicate(&self, id: TermId) -> Predicate {
        debug_assert!(self.is_predicate(id));
        let literals = |items: &[TermId]| -> Option<Box<[Literal]>> {
            let literal = |&it: &TermId| match self.get(it) {
                Term::Literal(it) => Some(*it),
                _ => None,
            };
            items.iter().map(literal).collect()
        };
        match self.get(id) {
            Term::Const(it) => Predicate::Const(*it),
            Term::Literal(it) => Predicate::Literal(*it),
            Term::And(items) => match literals(items) {
                Some(literals) => Predicate::All(literals),
                None => Predicate::Every(items.iter().map(|&it| self.predicate(it)).collect()),
            },
            Term::Or(items) => match literals(items) {
                Some(literals) => Predicate::Any(literals),
                None => Predicate::Some(items.iter().map(|&it| self.predicate(it)).collect()),
            },
            Term::Always(_) | Term::Eventually(_) => unreachable!("a predicate is not temporal"),
        }
    }
}

pub(crate) fn constant(value: bool) -> TermId {
    if value { TRUE } else { FALSE }
}

/// Something that is true or false of one letter.
#[derive(Clone, Debug)]
pub(crate) enum Predicate {
    Const(bool),
    Literal(Literal),
    All(Box<[Literal]>),
    Any(Box<[Literal]>),
    Every(Box<[Predicate]>),
    Some(Box<[Predicate]>),
}

impl Predicate {
    #[inline]
    pub(crate) fn holds(&self, letter: &Letter<'_>) -> bool {
        match self {
            Predicate::Const(it) => *it,
            Predicate::Literal(it) => it.holds(letter),
            Predicate::All(items) => items.iter().all(|it| it.holds(letter)),
            Predicate::Any(items) => items.iter().any(|it| it.holds(letter)),
            Predicate::Every(items) => items.iter().all(|it| it.holds(letter)),
            Predicate::Some(items) => items.iter().any(|it| it.holds(letter)),
        }
    }
}
