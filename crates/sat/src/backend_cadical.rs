//! CaDiCaL (Biere et al., CAV 2024) behind the [`Solver`] trait: the default, because it won on the corpus.

use std::cell::RefCell;
use std::rc::Rc;

use cadical_sys::{CaDiCal as Engine, ProofTracer, Status, Terminator};

use crate::proof::Step;
use crate::{Answer, Lit, Solver, Stop};

pub(crate) struct Cadical {
    /// Reading a value may restore eliminated variables inside the engine, hence the cell behind `&self`.
    engine: RefCell<Engine>,
    stop: Rc<RefCell<Stop>>,
    log: Option<Rc<RefCell<Log>>>,
}

impl Cadical {
    pub(crate) fn new(log: bool) -> Cadical {
        let mut engine = Engine::new();
        // Bounded variable addition derives clauses that are not implied (RAT): our checker wants implied ones.
        engine.set("factor", 0);
        // Most tuples are in no relation. Of ten slow models, two then took a quarter of the time (17 to 4 s, 1.3 to 0.3 s),
        // and none much more.
        engine.set("phase", 0);
        let stop = Rc::new(RefCell::new(Stop::never()));
        engine.connect_terminator(AskStop(stop.clone()));
        let log = log.then(|| {
            let log = Rc::new(RefCell::new(Log::default()));
            engine.connect_proof_tracer1(log.clone(), false, false);
            log
        });
        Cadical {
            engine: RefCell::new(engine),
            stop,
            log,
        }
    }
}

impl Solver for Cadical {
    fn reserve(&mut self, n_vars: u32) {
        let engine = self.engine.get_mut();
        if n_vars as i32 > engine.vars() {
            engine.resize(n_vars as i32);
        }
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let engine = self.engine.get_mut();
        for lit in clause {
            engine.add(lit.dimacs());
        }
        engine.add(0);
    }

    fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Answer {
        *self.stop.borrow_mut() = stop.clone();
        let engine = self.engine.get_mut();
        for lit in assumptions {
            engine.assume(lit.dimacs());
        }
        match engine.solve() {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => Answer::Unsat,
            Status::UNKNOWN => Answer::Unknown,
        }
    }

    fn value(&self, lit: Lit) -> bool {
        let lit = lit.dimacs();
        self.engine.borrow_mut().val(lit) == lit
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.engine.borrow_mut().failed(assumption.dimacs())
    }

    fn take_proof(&mut self) -> Vec<Step> {
        let log = self.log.as_ref();
        log.map(|log| std::mem::take(&mut log.borrow_mut().steps))
            .unwrap_or_default()
    }
}

struct AskStop(Rc<RefCell<Stop>>);

impl Terminator for AskStop {
    fn terminated(&mut self) -> bool {
        self.0.borrow().is_asked()
    }
}

#[derive(Default)]
struct Log {
    steps: Vec<Step>,
}

impl Log {
    fn lits(clause: &[i32]) -> Box<[Lit]> {
        clause.iter().map(|&lit| Lit::from_dimacs(lit)).collect()
    }
}

impl ProofTracer for Log {
    fn add_original_clause(&mut self, _: i64, _: bool, _: &[i32], _: bool) {}

    fn add_derived_clause(&mut self, _: i64, _: bool, _: i32, clause: &[i32], _: &[i64]) {
        self.steps.push(Step::Add(Log::lits(clause)));
    }

    fn delete_clause(&mut self, _: i64, redundant: bool, clause: &[i32]) {
        // An irredundant clause may be restored later. Keeping it does no harm to a proof by implication.
        if redundant {
            self.steps.push(Step::Delete(Log::lits(clause)));
        }
    }

    fn add_assumption_clause(&mut self, _: i64, clause: &[i32], _: &[i64]) {
        self.steps.push(Step::Add(Log::lits(clause)));
    }

    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
