//! What a formula means in a valuation, by its definition.

use std::collections::BTreeSet;

use super::model::{Expr, Formula, Int, Multiplicity, Quantifier};

pub type Tuples = BTreeSet<Vec<u8>>;

/// The values of sigs and fields.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    pub sigs: Vec<Tuples>,
    pub fields: Vec<Tuples>,
}

/// States one after the other; after the last one comes `loop_to` again.
#[derive(Clone, Debug)]
pub struct Trace<'s> {
    pub states: &'s [&'s State],
    pub loop_to: usize,
    /// The atoms of the sig that is in order, from the first to the last.
    pub order: &'s [u8],
}

/// A place in a trace, with the values of bound names.
struct Place<'s> {
    trace: &'s Trace<'s>,
    at: usize,
    names: Vec<(usize, u8)>,
}

impl Trace<'_> {
    pub fn satisfies(&self, formula: &Formula) -> bool {
        let mut place = Place {
            trace: self,
            at: 0,
            names: vec![],
        };
        place.holds(formula)
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 < self.states.len() {
            at + 1
        } else {
            self.loop_to
        }
    }

    /// All places from one on, each once, in the order in which they come.
    fn from(&self, at: usize) -> Vec<usize> {
        let mut places = vec![at];
        let mut next = self.next(at);
        while !places.contains(&next) {
            places.push(next);
            next = self.next(next);
        }
        places
    }
}

fn joined(a: &Tuples, b: &Tuples) -> Tuples {
    let mut all = Tuples::new();
    for x in a {
        for y in b.iter().filter(|y| x.last() == y.first()) {
            all.insert(x[..x.len() - 1].iter().chain(&y[1..]).copied().collect());
        }
    }
    all
}

fn closure(relation: &Tuples) -> Tuples {
    let mut all = relation.clone();
    loop {
        let more = joined(&all, relation);
        let n = all.len();
        all.extend(more);
        if all.len() == n {
            return all;
        }
    }
}

impl Place<'_> {
    fn state(&self) -> &State {
        self.trace.states[self.at]
    }

    fn at<T>(&mut self, at: usize, what: impl FnOnce(&mut Self) -> T) -> T {
        let here = std::mem::replace(&mut self.at, at);
        let found = what(self);
        self.at = here;
        found
    }

    fn with<T>(&mut self, name: usize, atom: u8, what: impl FnOnce(&mut Self) -> T) -> T {
        self.names.push((name, atom));
        let found = what(self);
        self.names.pop();
        found
    }

    fn both(&mut self, two: &[Expr; 2]) -> (Tuples, Tuples) {
        (self.value(&two[0]), self.value(&two[1]))
    }

    fn value(&mut self, expr: &Expr) -> Tuples {
        match expr {
            Expr::None => Tuples::new(),
            Expr::Sig(it) => self.state().sigs[*it].clone(),
            Expr::Field(it) => self.state().fields[*it].clone(),
            Expr::Name(name) => {
                let found = self.names.iter().rev().find(|it| it.0 == *name);
                found.map(|it| vec![it.1]).into_iter().collect()
            }
            Expr::Union(it) => {
                let (a, b) = self.both(it);
                &a | &b
            }
            Expr::Inter(it) => {
                let (a, b) = self.both(it);
                &a & &b
            }
            Expr::Diff(it) => {
                let (a, b) = self.both(it);
                &a - &b
            }
            Expr::Join(it) => {
                let (a, b) = self.both(it);
                joined(&a, &b)
            }
            Expr::Product(it) => {
                let (a, b) = self.both(it);
                let pairs = a
                    .iter()
                    .flat_map(|x| b.iter().map(move |y| [&x[..], &y[..]].concat()));
                pairs.collect()
            }
            Expr::Override(it) => {
                let (a, b) = self.both(it);
                let kept = a.into_iter().filter(|x| b.iter().all(|y| x[0] != y[0]));
                kept.chain(b.iter().cloned()).collect()
            }
            Expr::Domain(it) => {
                let (set, relation) = self.both(it);
                relation.into_iter().filter(|it| set.contains(&it[..1])).collect()
            }
            Expr::Range(it) => {
                let (relation, set) = self.both(it);
                relation
                    .into_iter()
                    .filter(|it| set.contains(&it[it.len() - 1..]))
                    .collect()
            }
            Expr::Transpose(it) => self.value(it).into_iter().map(|it| vec![it[1], it[0]]).collect(),
            Expr::Closure(it) => closure(&self.value(it)),
            Expr::Reached(it) => {
                let (set, relation) = self.both(it);
                let further = joined(&set, &closure(&relation));
                &set | &further
            }
            Expr::Identity(it) => self.value(it).into_iter().map(|it| vec![it[0], it[0]]).collect(),
            Expr::Comprehension(name, set, body) => {
                let set = self.value(set);
                let is_in = |it: &Vec<u8>| self.with(*name, it[0], |this| this.holds(body));
                set.into_iter().filter(is_in).collect()
            }
            Expr::If(test, it) => match self.holds(test) {
                true => self.value(&it[0]),
                false => self.value(&it[1]),
            },
            Expr::Prime(it) => self.at(self.trace.next(self.at), |this| this.value(it)),
            Expr::First => self.trace.order.first().map(|&it| vec![it]).into_iter().collect(),
            Expr::Last => self.trace.order.last().map(|&it| vec![it]).into_iter().collect(),
            Expr::Next => self.trace.order.windows(2).map(<[u8]>::to_vec).collect(),
        }
    }

    fn int(&mut self, int: &Int) -> i32 {
        match int {
            Int::Literal(it) => *it,
            Int::Count(it) => self.value(it).len() as i32,
            Int::Plus(it) => self.int(&it[0]) + self.int(&it[1]),
            Int::Minus(it) => self.int(&it[0]) - self.int(&it[1]),
            Int::If(test, it) => match self.holds(test) {
                true => self.int(&it[0]),
                false => self.int(&it[1]),
            },
        }
    }

    fn holds(&mut self, formula: &Formula) -> bool {
        match formula {
            Formula::True => true,
            Formula::In(it) => {
                let (a, b) = self.both(it);
                a.is_subset(&b)
            }
            Formula::Equal(it) => {
                let (a, b) = self.both(it);
                a == b
            }
            Formula::Count(Multiplicity::Set, it) => self.value(it).is_empty(),
            Formula::Count(how, it) => how.allows(self.value(it).len()),
            Formula::Less(it) => self.int(&it[0]) < self.int(&it[1]),
            Formula::Same(it) => self.int(&it[0]) == self.int(&it[1]),
            Formula::Not(it) => !self.holds(it),
            Formula::And(it) => self.holds(&it[0]) && self.holds(&it[1]),
            Formula::Or(it) => self.holds(&it[0]) || self.holds(&it[1]),
            Formula::Implies(it) => !self.holds(&it[0]) || self.holds(&it[1]),
            Formula::Iff(it) => self.holds(&it[0]) == self.holds(&it[1]),
            Formula::Quantified(how, name, set, body) => {
                let set = self.value(set);
                let all = set.len();
                let is_true = |it: &&Vec<u8>| self.with(*name, it[0], |this| this.holds(body));
                let n = set.iter().filter(is_true).count();
                match how {
                    Quantifier::All => n == all,
                    Quantifier::Some => n > 0,
                    Quantifier::No => n == 0,
                    Quantifier::Lone => n < 2,
                    Quantifier::One => n == 1,
                }
            }
            Formula::Always(it) => self
                .trace
                .from(self.at)
                .into_iter()
                .all(|at| self.at(at, |this| this.holds(it))),
            Formula::Eventually(it) => self
                .trace
                .from(self.at)
                .into_iter()
                .any(|at| self.at(at, |this| this.holds(it))),
            Formula::After(it) => self.at(self.trace.next(self.at), |this| this.holds(it)),
            Formula::Until(it) => self.until(&it[0], &it[1]),
            // The second holds up to and including where the first does, or for ever.
            Formula::Releases(it) => {
                for at in self.trace.from(self.at) {
                    if !self.at(at, |this| this.holds(&it[1])) {
                        return false;
                    }
                    if self.at(at, |this| this.holds(&it[0])) {
                        return true;
                    }
                }
                true
            }
        }
    }

    fn until(&mut self, first: &Formula, second: &Formula) -> bool {
        for at in self.trace.from(self.at) {
            if self.at(at, |this| this.holds(second)) {
                return true;
            }
            if !self.at(at, |this| this.holds(first)) {
                return false;
            }
        }
        false
    }
}
