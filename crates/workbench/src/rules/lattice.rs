//! Which subsets of some rules give a property, when more rules never take it away.
//!
//! More rules allow fewer behaviours. So what holds for a set holds for every larger one, and what fails for a set fails for
//! every smaller one: one answer decides many sets. The largest undecided set is asked about; if the property holds, rules
//! are taken away one by one as long as it does, which leaves a *minimal* set; if it fails, every subset is decided. This is
//! the exploration of Liffiton, Previti, Malik and Marques-Silva (*Fast, flexible MUS enumeration*, 2016), with a table
//! of all sets where they have a solver: rules are few.

/// A set of rules: a bit for each.
pub type Mask = u32;

/// More rules than this have too many subsets for a table.
pub const RULES_MAX: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Holds,
    Fails,
    /// Nobody can tell, or nothing was said yet. It decides nothing about other sets.
    Open,
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Lattice {
    /// By set.
    pub answers: Vec<Option<Answer>>,
    /// Sets with the property that lose it with any one rule.
    pub minimal: Vec<Mask>,
    pub n_decided: usize,
}

/// Decides all subsets of `n` rules. `ask` answers for one of them, or ends it all with `None`; it also gets to know how many are
/// decided.
pub fn decide(n: usize, ask: &mut dyn FnMut(Mask, usize) -> Option<Answer>) -> Lattice {
    let full = ((1u64 << n) - 1) as Mask;
    let mut lattice = Lattice {
        answers: vec![None; 1 << n],
        ..Lattice::default()
    };
    let mut order: Vec<Mask> = (0..=full).collect();
    order.sort_by_key(|it| (std::cmp::Reverse(it.count_ones()), *it));
    for set in order {
        if lattice.answers[set as usize].is_some() {
            continue;
        }
        let Some(answer) = lattice.ask(set, ask) else {
            break;
        };
        if answer == Answer::Holds && lattice.shrink(set, n, ask).is_none() {
            break;
        }
    }
    lattice
        .minimal
        .sort_by_key(|it| (it.count_ones(), it.reverse_bits().wrapping_neg()));
    lattice
}

impl Lattice {
    fn ask(&mut self, set: Mask, ask: &mut dyn FnMut(Mask, usize) -> Option<Answer>) -> Option<Answer> {
        if let Some(known) = self.answers[set as usize] {
            return Some(known);
        }
        let answer = ask(set, self.n_decided)?;
        self.note(set, answer);
        Some(answer)
    }

    /// Takes rules away as long as the property stays.
    fn shrink(
        &mut self,
        set: Mask,
        n: usize,
        ask: &mut dyn FnMut(Mask, usize) -> Option<Answer>,
    ) -> Option<()> {
        let mut set = set;
        // The later rules first: the earlier ones are what these were added to.
        for rule in (0..n).rev().map(|it| 1 << it) {
            if set & rule != 0 && self.ask(set & !rule, ask)? == Answer::Holds {
                set &= !rule;
            }
        }
        if !self.minimal.contains(&set) {
            self.minimal.push(set);
        }
        Some(())
    }

    /// Notes an answer, for the set and for those that it decides.
    fn note(&mut self, set: Mask, answer: Answer) {
        for (other, known) in self.answers.iter_mut().enumerate() {
            let other = other as Mask;
            let is_decided = match answer {
                Answer::Holds => other & set == set,
                Answer::Fails => other & set == other,
                Answer::Open => other == set,
            };
            // What nobody could tell by itself is told by what it contains, or by what contains it.
            if is_decided && (known.is_none() || *known == Some(Answer::Open)) {
                self.n_decided += usize::from(known.is_none());
                *known = Some(answer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic numbers, so that the test needs nothing.
    fn random(seed: &mut u64) -> u64 {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *seed >> 33
    }

    #[test]
    fn agrees_with_asking_about_every_set() {
        let mut seed = 7;
        for round in 0..300 {
            let n = 1 + round % 7;
            let n_generators = random(&mut seed) % 4;
            let generators: Vec<Mask> = (0..n_generators)
                .map(|_| random(&mut seed) as Mask & ((1 << n) - 1))
                .collect();
            let is_open: Mask = random(&mut seed) as Mask & ((1 << n) - 1);
            let holds = |set: Mask| generators.iter().any(|it| set & it == *it);
            // Small sets without a certain rule cannot be checked.
            let truth = |set: Mask| match set & is_open == 0 && set.count_ones() < 2 && round % 2 == 0 {
                true => Answer::Open,
                false if holds(set) => Answer::Holds,
                false => Answer::Fails,
            };
            let mut n_asked = 0;
            let found = decide(n, &mut |set, _| {
                n_asked += 1;
                Some(truth(set))
            });
            for set in 0..1 << n {
                let answer = found.answers[set as usize];
                let expected = if holds(set) { Answer::Holds } else { Answer::Fails };
                assert!(
                    answer == Some(expected) || answer == Some(Answer::Open) && truth(set) == Answer::Open
                );
            }
            let is_minimal = |set: Mask| {
                let known = |set: Mask| found.answers[set as usize] == Some(Answer::Holds);
                known(set) && (0..n).all(|it| set & (1 << it) == 0 || !known(set & !(1 << it)))
            };
            let mut minimal: Vec<Mask> = (0..1 << n).filter(|&it| is_minimal(it)).collect();
            let mut known = found.minimal.clone();
            minimal.sort_unstable();
            known.sort_unstable();
            assert_eq!(known, minimal, "{n} rules, {generators:?}");
            assert!(n_asked <= 1 << n);
            assert_eq!(found.n_decided, 1 << n);
        }
    }

    #[test]
    fn one_answer_is_enough_when_all_rules_fail() {
        let mut n_asked = 0;
        let found = decide(10, &mut |_, _| {
            n_asked += 1;
            Some(Answer::Fails)
        });
        assert_eq!((n_asked, found.minimal.len()), (1, 0));
    }
}
