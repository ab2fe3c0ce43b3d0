//! A set of clauses, kept flat: what a translation produces, what a solver and a proof checker are given.

use std::fmt::Write as _;

use crate::{Lit, Solver, Var};

#[derive(Clone, Default, Debug)]
pub struct Cnf {
    n_vars: u32,
    lits: Vec<Lit>,
    /// Where each clause ends in `lits`.
    ends: Vec<u32>,
}

impl Cnf {
    pub fn new() -> Cnf {
        Cnf::default()
    }

    pub fn n_vars(&self) -> u32 {
        self.n_vars
    }

    pub fn n_clauses(&self) -> usize {
        self.ends.len()
    }

    pub fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    pub fn reserve(&mut self, n_vars: u32) {
        self.n_vars = self.n_vars.max(n_vars);
    }

    pub fn add_clause(&mut self, clause: &[Lit]) {
        debug_assert!(clause.iter().all(|it| it.var().raw() < self.n_vars));
        self.lits.extend_from_slice(clause);
        self.ends.push(
            u32::try_from(self.lits.len()).expect("fewer than 2^32 literals: circuits are limited before"),
        );
    }

    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        self.ends.iter().enumerate().map(|(i, &end)| {
            let start = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.lits[start as usize..end as usize]
        })
    }

    /// Gives everything to a fresh solver.
    pub fn load(&self, solver: &mut dyn Solver) {
        solver.reserve(self.n_vars);
        for clause in self.clauses() {
            solver.add_clause(clause);
        }
    }

    /// The DIMACS text, for other solvers and for bug reports.
    pub fn to_dimacs(&self) -> String {
        let mut text = format!("p cnf {} {}\n", self.n_vars, self.n_clauses());
        for clause in self.clauses() {
            for lit in clause {
                let _ = write!(text, "{} ", lit.dimacs());
            }
            text.push_str("0\n");
        }
        text
    }
}
