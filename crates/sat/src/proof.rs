//! Proofs of unsatisfiability, and a checker that believes nobody.
//!
//! A proof is a list of clauses, each of which follows from those before it by *reverse unit propagation* (RUP): set
//! all its literals to false, propagate units, and a clause becomes empty. This is the implication part of DRAT
//! (Wetzler, Heule, Hunt, SAT 2014); the solvers are configured to need no more. The checker is forward, with two
//! watched literals per clause, and shares no code with any solver.

use util::FxHashMap;

use crate::{Cnf, Lit, Stop};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// This clause is implied by what there is.
    Add(Box<[Lit]>),
    /// This clause is no longer needed. Only a help to the checker.
    Delete(Box<[Lit]>),
}

/// The first step that does not follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unproved {
    /// Index of the step; the number of steps when the goal itself does not follow.
    pub step: usize,
    pub clause: Vec<Lit>,
}

/// Checks that `goal` follows from `cnf` by way of `steps`. An empty goal: `cnf` has no model. After a refutation
/// under assumptions, the goal is the clause of the negated failed assumptions.
pub fn check(cnf: &Cnf, steps: &[Step], goal: &[Lit]) -> Result<(), Unproved> {
    check_until(cnf, steps, goal, &Stop::never()).map(|_| ())
}

/// As [`check`], unless someone asks to stop: then nothing is known, and it gives false.
pub fn check_until(cnf: &Cnf, steps: &[Step], goal: &[Lit], stop: &Stop) -> Result<bool, Unproved> {
    let mut checker = Checker::new(cnf.n_vars());
    for clause in cnf.clauses() {
        checker.add(clause);
    }
    for (i, step) in steps.iter().enumerate() {
        if stop.is_asked() {
            return Ok(false);
        }
        match step {
            Step::Add(clause) => {
                if !checker.follows(clause) {
                    return Err(Unproved {
                        step: i,
                        clause: clause.to_vec(),
                    });
                }
                checker.add(clause);
            }
            Step::Delete(clause) => checker.delete(clause),
        }
    }
    if checker.follows(goal) {
        return Ok(true);
    }
    Err(Unproved {
        step: steps.len(),
        clause: goal.to_vec(),
    })
}

struct Checker {
    clauses: Vec<Option<Box<[Lit]>>>,
    /// For each literal, the clauses that watch it: it is one of their first two.
    watches: Vec<Vec<u32>>,
    value: Vec<Option<bool>>,
    trail: Vec<Lit>,
    propagated: usize,
    /// A clause is empty under the permanent assignment: everything follows.
    refuted: bool,
    by_content: FxHashMap<Vec<Lit>, Vec<u32>>,
}

impl Checker {
    fn new(n_vars: u32) -> Checker {
        Checker {
            clauses: vec![],
            watches: vec![vec![]; 2 * n_vars as usize],
            value: vec![None; n_vars as usize],
            trail: vec![],
            propagated: 0,
            refuted: false,
            by_content: FxHashMap::default(),
        }
    }

    fn lit_value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.var().index()].map(|value| value != lit.is_negative())
    }

    fn assign(&mut self, lit: Lit) {
        self.value[lit.var().index()] = Some(!lit.is_negative());
        self.trail.push(lit);
    }

    fn add(&mut self, clause: &[Lit]) {
        let content = normal(clause);
        if self.refuted || content.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        let mut lits = content.clone();
        // Watch literals that are not false, if there are two.
        lits.sort_by_key(|&lit| self.lit_value(lit) == Some(false));
        match lits
            .iter()
            .filter(|&&lit| self.lit_value(lit) != Some(false))
            .count()
        {
            0 => {
                self.refuted = true;
                return;
            }
            1 if self.lit_value(lits[0]).is_none() => self.assign(lits[0]),
            _ => {}
        }
        if lits.len() >= 2 {
            let id = self.clauses.len() as u32;
            self.watches[lits[0].index()].push(id);
            self.watches[lits[1].index()].push(id);
            self.clauses.push(Some(lits.into()));
            self.by_content.entry(content).or_default().push(id);
        }
        self.refuted |= !self.propagate();
    }

    fn delete(&mut self, clause: &[Lit]) {
        // What became permanent through the clause stays: deletion of units is ignored, as drat-trim does.
        if let Some(id) = self.by_content.get_mut(&normal(clause)).and_then(Vec::pop) {
            self.clauses[id as usize] = None;
        }
    }

    fn follows(&mut self, clause: &[Lit]) -> bool {
        if self.refuted {
            return true;
        }
        let mark = self.trail.len();
        let mut conflict = false;
        for &lit in clause {
            match self.lit_value(lit) {
                Some(true) => conflict = true,
                Some(false) => {}
                None => self.assign(!lit),
            }
        }
        conflict = conflict || !self.propagate();
        for lit in self.trail.drain(mark..) {
            self.value[lit.var().index()] = None;
        }
        self.propagated = mark;
        conflict
    }

    /// Propagates units; false when a clause has become empty.
    fn propagate(&mut self) -> bool {
        while self.propagated < self.trail.len() {
            let falsified = !self.trail[self.propagated];
            self.propagated += 1;
            let mut watchers = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = 0;
            let mut consistent = true;
            for i in 0..watchers.len() {
                let id = watchers[i];
                if !consistent || self.keeps_watch(id, falsified, &mut consistent) {
                    watchers[kept] = id;
                    kept += 1;
                }
            }
            watchers.truncate(kept);
            watchers.append(&mut self.watches[falsified.index()]);
            self.watches[falsified.index()] = watchers;
            if !consistent {
                return false;
            }
        }
        true
    }

    /// Finds another literal for `id` to watch, or uses the clause as a unit. False when it moved (or is gone).
    fn keeps_watch(&mut self, id: u32, falsified: Lit, consistent: &mut bool) -> bool {
        let Some(mut clause) = self.clauses[id as usize].take() else {
            return false;
        };
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let first = clause[0];
        let replacement = match self.lit_value(first) {
            Some(true) => None,
            _ => (2..clause.len()).find(|&k| self.lit_value(clause[k]) != Some(false)),
        };
        if let Some(k) = replacement {
            clause.swap(1, k);
            self.watches[clause[1].index()].push(id);
        } else {
            match self.lit_value(first) {
                Some(true) => {}
                Some(false) => *consistent = false,
                None => self.assign(first),
            }
        }
        self.clauses[id as usize] = Some(clause);
        replacement.is_none()
    }
}

fn normal(clause: &[Lit]) -> Vec<Lit> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits.dedup();
    lits
}
