//! A generalised Büchi automaton for what is left of a formula, with its acceptance on transitions.
//!
//! A state is a set of terms to be satisfied from now on. Expanding it splits each term into what the next letter must
//! satisfy (a guard) and what remains for the moment after. `<>f` may be put off: then the transition does not keep the promise of
//! `<>f`, and a run that puts it off for ever is not accepted. States with the same transitions are one state.

use util::FxHashMap;

use crate::graph::Letter;
use crate::search::Stopped;
use crate::term::{FALSE, Predicate, TRUE, Term, TermId, Terms};

#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    /// State 0 is the initial one.
    pub(crate) states: Vec<Vec<Transition>>,
    /// Bits of promises that must be kept again and again.
    pub(crate) promises: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    /// All must hold of the letter.
    guard: Box<[Predicate]>,
    pub(crate) target: u32,
    /// Promises that are not put off.
    pub(crate) kept: u64,
}

impl Transition {
    #[inline]
    pub(crate) fn admits(&self, letter: &Letter<'_>) -> bool {
        self.guard.iter().all(|it| it.holds(letter))
    }
}

const STATES_MAX: usize = 1 << 14;
const TRANSITIONS_MAX: usize = 1 << 18;

/// A transition before its target has a number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Draft {
    guard: Vec<TermId>,
    target: u32,
    put_off: u64,
}

/// A branch of an expansion.
#[derive(Clone, Default)]
struct Branch {
    todo: Vec<TermId>,
    done: Vec<TermId>,
    guard: Vec<TermId>,
    next: Vec<TermId>,
    put_off: u64,
}

struct Builder<'t> {
    terms: &'t Terms,
    /// Each `<>f` that was put off, by its bit.
    promises: Vec<TermId>,
    sets: Vec<Vec<TermId>>,
    numbers: FxHashMap<Vec<TermId>, u32>,
}

impl Automaton {
    /// One state and no demands.
    pub(crate) fn trivial() -> Automaton {
        Automaton {
            states: vec![vec![Transition {
                guard: Box::new([]),
                target: 0,
                kept: 0,
            }]],
            promises: 0,
        }
    }

    pub(crate) fn is_trivial(&self) -> bool {
        self.promises == 0
            && matches!(&self.states[..], [only] if matches!(&only[..], [it] if it.guard.is_empty()))
    }

    /// The automaton of a conjunction.
    pub(crate) fn new(terms: &Terms, conjuncts: &[TermId]) -> Result<Automaton, Stopped> {
        let mut builder = Builder {
            terms,
            promises: vec![],
            sets: vec![],
            numbers: FxHashMap::default(),
        };
        builder.number(conjuncts.to_vec());
        let mut states: Vec<Vec<Draft>> = vec![];
        let mut n_transitions = 0;
        while states.len() < builder.sets.len() {
            let drafts = builder.expand(states.len())?;
            n_transitions += drafts.len();
            if builder.sets.len() > STATES_MAX || n_transitions > TRANSITIONS_MAX {
                return Err(Stopped::TooLarge);
            }
            states.push(drafts);
        }
        let states = merged(states);
        let promises = match builder.promises.len() {
            64 => u64::MAX,
            n => (1 << n) - 1,
        };
        let transition = |it: &Draft| Transition {
            guard: it.guard.iter().map(|&it| terms.predicate(it)).collect(),
            target: it.target,
            kept: !it.put_off & promises,
        };
        Ok(Automaton {
            states: states
                .iter()
                .map(|it| it.iter().map(transition).collect())
                .collect(),
            promises,
        })
    }
}

impl Builder<'_> {
    fn number(&mut self, mut set: Vec<TermId>) -> u32 {
        set.retain(|&it| it != TRUE);
        set.sort_unstable();
        set.dedup();
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let number = self.sets.len() as u32;
        self.numbers.insert(set.clone(), number);
        self.sets.push(set);
        number
    }

    fn promise(&mut self, id: TermId) -> Result<u64, Stopped> {
        let place = match self.promises.iter().position(|&it| it == id) {
            Some(place) => place,
            None => {
                self.promises.push(id);
                self.promises.len() - 1
            }
        };
        if place < 64 {
            Ok(1 << place)
        } else {
            Err(Stopped::TooLarge)
        }
    }

    fn expand(&mut self, state: usize) -> Result<Vec<Draft>, Stopped> {
        let terms = self.terms;
        let mut branches = vec![Branch {
            todo: self.sets[state].clone(),
            ..Branch::default()
        }];
        let mut drafts: Vec<Draft> = vec![];
        while let Some(mut branch) = branches.pop() {
            let Some(id) = branch.todo.pop() else {
                branch.guard.sort_unstable();
                branch.guard.dedup();
                drafts.push(Draft {
                    guard: branch.guard,
                    target: self.number(branch.next),
                    put_off: branch.put_off,
                });
                if drafts.len() > TRANSITIONS_MAX {
                    return Err(Stopped::TooLarge);
                }
                continue;
            };
            if id == FALSE {
                continue;
            }
            if id != TRUE && !branch.done.contains(&id) {
                branch.done.push(id);
                match terms.get(id) {
                    _ if terms.is_predicate(id) => branch.guard.push(id),
                    Term::And(items) => branch.todo.extend(items),
                    Term::Or(items) => {
                        for &item in items {
                            let mut other = branch.clone();
                            other.todo.push(item);
                            branches.push(other);
                        }
                        continue;
                    }
                    &Term::Always(inner) => {
                        branch.todo.push(inner);
                        branch.next.push(id);
                    }
                    &Term::Eventually(inner) => {
                        if !branch.done.contains(&inner) {
                            let mut later = branch.clone();
                            later.next.push(id);
                            later.put_off |= self.promise(id)?;
                            branches.push(later);
                        }
                        branch.todo.push(inner);
                    }
                    Term::Const(_) | Term::Literal(_) => unreachable!("predicates were met above"),
                }
            }
            branches.push(branch);
        }
        Ok(simplified(drafts))
    }
}

/// Without transitions that another one covers: as good a target, fewer demands, more promises kept.
fn simplified(mut drafts: Vec<Draft>) -> Vec<Draft> {
    drafts.sort();
    drafts.dedup();
    if drafts.len() > 256 {
        return drafts;
    }
    let covers = |one: &Draft, other: &Draft| {
        one.target == other.target
            && one.put_off & !other.put_off == 0
            && one.guard.iter().all(|it| other.guard.contains(it))
    };
    let kept: Vec<Draft> = drafts
        .iter()
        .filter(|&it| !drafts.iter().any(|other| other != it && covers(other, it)))
        .cloned()
        .collect();
    kept
}

/// With states of equal transitions made one, until there are none, and only those that can be reached.
fn merged(mut states: Vec<Vec<Draft>>) -> Vec<Vec<Draft>> {
    loop {
        let mut first: FxHashMap<&[Draft], u32> = FxHashMap::default();
        let mut renamed: Vec<u32> = Vec::with_capacity(states.len());
        for (number, drafts) in states.iter().enumerate() {
            renamed.push(*first.entry(drafts).or_insert(number as u32));
        }
        let is_same = renamed.iter().enumerate().all(|(i, &it)| it == i as u32);
        if is_same {
            return reachable(&states);
        }
        for drafts in &mut states {
            for draft in drafts.iter_mut() {
                draft.target = renamed[draft.target as usize];
            }
            *drafts = simplified(std::mem::take(drafts));
        }
        states = reachable(&states);
    }
}

fn reachable(states: &[Vec<Draft>]) -> Vec<Vec<Draft>> {
    let mut numbers = vec![u32::MAX; states.len()];
    let mut order = vec![0usize];
    numbers[0] = 0;
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        for draft in &states[state] {
            let target = draft.target as usize;
            if numbers[target] == u32::MAX {
                numbers[target] = order.len() as u32;
                order.push(target);
            }
        }
    }
    let renamed = |it: &Draft| Draft {
        target: numbers[it.target as usize],
        ..it.clone()
    };
    order
        .iter()
        .map(|&state| states[state].iter().map(renamed).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::cases;
    use crate::formula::Formula;

    /// States of the automata that the cases of a formula need, and whether each may begin anywhere.
    fn sizes(formula: &Formula) -> Vec<usize> {
        let mut terms = Terms::new();
        let whole = terms.add(formula, true);
        let sizes = |rest: &[TermId]| match rest {
            [] => 0,
            _ => Automaton::new(&terms, rest)
                .expect("a small formula")
                .states
                .len(),
        };
        let cases = cases(&terms, whole).expect("a small formula");
        cases.iter().map(|it| sizes(&it.rest)).collect()
    }

    #[test]
    fn common_shapes_are_small() {
        let (p, q) = (|| Formula::State(0), || Formula::Step(1));
        // What speaks of the far future needs no automaton, nor does its negation.
        for formula in [
            p().eventually().always(),
            p().always().eventually(),
            Formula::weak_fairness(p(), q()),
            Formula::strong_fairness(p(), q()),
            p().implies(q().always().eventually()).eventually().always(),
        ] {
            assert!(sizes(&formula).iter().all(|&it| it == 0), "{formula:?}");
            assert!(
                sizes(&formula.clone().not()).iter().all(|&it| it == 0),
                "{formula:?}"
            );
        }
        assert_eq!(sizes(&p().eventually().not()), [1]);
        assert_eq!(sizes(&p().leads_to(q()).not()), [2]);
        assert_eq!(sizes(&p().leads_to(q())), [2]);
        assert_eq!(sizes(&p().implies(q().always()).always().not()), [3]);
    }

    #[test]
    fn a_transition_covers_those_that_demand_more() {
        let draft = |guard: &[TermId], target, put_off| Draft {
            guard: guard.to_vec(),
            target,
            put_off,
        };
        let n_kept = |drafts: &[Draft]| simplified(drafts.to_vec()).len();
        assert_eq!(
            n_kept(&[draft(&[], 1, 0), draft(&[TRUE], 1, 0), draft(&[], 1, 1)]),
            1
        );
        // To another state, with another demand, or with another promise put off.
        assert_eq!(n_kept(&[draft(&[], 1, 0), draft(&[], 2, 0)]), 2);
        assert_eq!(n_kept(&[draft(&[TRUE], 1, 0), draft(&[FALSE], 1, 0)]), 2);
        assert_eq!(n_kept(&[draft(&[], 1, 1), draft(&[], 1, 2)]), 2);
        assert_eq!(n_kept(&[draft(&[], 1, 1), draft(&[TRUE], 1, 0)]), 2);
    }
}
