//! BatSat, a MiniSat in Rust, behind the [`Solver`] trait: no C++ needed, quick to start on small problems.

use batsat::{Callbacks, ClauseKind, SolverInterface, SolverOpts, lbool};

use crate::proof::Step;
use crate::{Answer, Lit, Solver, Stop, Var};

pub(crate) struct Batsat {
    engine: batsat::Solver<Hooks>,
    scratch: Vec<batsat::Lit>,
}

impl Batsat {
    pub(crate) fn new(log: bool) -> Batsat {
        let hooks = Hooks {
            stop: Stop::never(),
            log: log.then(Vec::new),
        };
        Batsat {
            engine: batsat::Solver::new(SolverOpts::default(), hooks),
            scratch: vec![],
        }
    }
}

fn inner(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.var().raw()), !lit.is_negative())
}

fn outer(lit: batsat::Lit) -> Lit {
    Var::new(lit.var().idx()).lit(lit.sign())
}

impl Solver for Batsat {
    fn reserve(&mut self, n_vars: u32) {
        while self.engine.num_vars() < n_vars {
            self.engine.new_var_default();
        }
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.scratch.clear();
        self.scratch.extend(clause.iter().map(|&lit| inner(lit)));
        self.engine.add_clause_reuse(&mut self.scratch);
    }

    fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Answer {
        self.engine.cb_mut().stop = stop.clone();
        let assumptions: Vec<_> = assumptions.iter().map(|&lit| inner(lit)).collect();
        let answer = self.engine.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Answer::Sat
        } else if answer == lbool::FALSE {
            Answer::Unsat
        } else {
            Answer::Unknown
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.engine.value_lit(inner(lit)) == lbool::TRUE
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.engine.unsat_core_contains_var(inner(assumption).var())
    }

    fn take_proof(&mut self) -> Vec<Step> {
        self.engine
            .cb_mut()
            .log
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }
}

struct Hooks {
    stop: Stop,
    log: Option<Vec<Step>>,
}

impl Callbacks for Hooks {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], kind: ClauseKind) {
        if let (Some(log), ClauseKind::Learnt) = (&mut self.log, kind) {
            log.push(Step::Add(clause.iter().map(|&lit| outer(lit)).collect()));
        }
    }

    fn stop(&self) -> bool {
        self.stop.is_asked()
    }
}
