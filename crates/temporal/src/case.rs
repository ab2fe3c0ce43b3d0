//! A formula as a disjunction of cases, most of whose parts need no automaton.

use util::deep;

use crate::search::Stopped;
use crate::term::{Term, TermId, Terms};

/// A conjunction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Case {
    /// `[]<>p`.
    pub(crate) infinitely: Vec<TermId>,
    /// `<>[]p`.
    pub(crate) finally: Vec<TermId>,
    /// `<>[]p \/ []<>q`.
    pub(crate) pairs: Vec<(TermId, TermId)>,
    /// Everything else: what is true at the first moment.
    pub(crate) rest: Vec<TermId>,
}

/// More cases than this are not looked at one by one: the formula is left to the automaton.
const CASES_MAX: usize = 1 << 12;

/// The cases of a formula. None of them needs to be possible.
pub(crate) fn cases(terms: &Terms, formula: TermId) -> Result<Vec<Case>, Stopped> {
    if terms.is_too_many() {
        return Err(Stopped::TooLarge);
    }
    Ok(cases_of(terms, formula))
}

fn cases_of(terms: &Terms, id: TermId) -> Vec<Case> {
    let mut case = Case::default();
    match terms.get(id) {
        Term::Const(false) => return vec![],
        Term::Const(true) => {}
        Term::And(items) => return deep(|| conjunction(terms, items)),
        Term::Or(items) if !terms.is_predicate(id) => {
            if let Some(pair) = pair(terms, items) {
                case.pairs.push(pair);
            } else {
                let mut all: Vec<Case> = vec![];
                for &item in items {
                    all.extend(deep(|| cases_of(terms, item)));
                }
                if all.len() <= CASES_MAX {
                    return all;
                }
                case.rest.push(id);
            }
        }
        _ => match tail(terms, id) {
            Some((true, predicate)) => case.finally.push(predicate),
            Some((false, predicate)) => case.infinitely.push(predicate),
            None => case.rest.push(id),
        },
    }
    vec![case]
}

fn conjunction(terms: &Terms, items: &[TermId]) -> Vec<Case> {
    let mut all = vec![Case::default()];
    for &item in items {
        let mut more = cases_of(terms, item);
        if all.len() * more.len() > CASES_MAX {
            more = vec![Case {
                rest: vec![item],
                ..Case::default()
            }];
        }
        all = all
            .iter()
            .flat_map(|one| more.iter().map(|other| one.joined(other)))
            .collect();
    }
    all
}

impl Case {
    fn joined(&self, other: &Case) -> Case {
        fn both<T: Clone>(one: &[T], other: &[T]) -> Vec<T> {
            one.iter().chain(other).cloned().collect()
        }
        Case {
            infinitely: both(&self.infinitely, &other.infinitely),
            finally: both(&self.finally, &other.finally),
            pairs: both(&self.pairs, &other.pairs),
            rest: both(&self.rest, &other.rest),
        }
    }
}

/// `<>[]p` (true) or `[]<>p` (false), with its predicate.
fn tail(terms: &Terms, id: TermId) -> Option<(bool, TermId)> {
    match terms.get(id) {
        Term::Eventually(inner) => match terms.get(*inner) {
            Term::Always(it) if terms.is_predicate(*it) => Some((true, *it)),
            _ => None,
        },
        Term::Always(inner) => match terms.get(*inner) {
            Term::Eventually(it) if terms.is_predicate(*it) => Some((false, *it)),
            _ => None,
        },
        _ => None,
    }
}

/// `<>[]p \/ []<>q`, in either order.
fn pair(terms: &Terms, items: &[TermId]) -> Option<(TermId, TermId)> {
    let [one, other] = items else { return None };
    match (tail(terms, *one)?, tail(terms, *other)?) {
        ((true, p), (false, q)) | ((false, q), (true, p)) => Some((p, q)),
        _ => None,
    }
}
