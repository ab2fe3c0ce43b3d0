//! Every solver against a truth table, every refutation against the proof checker.

use proptest::prelude::*;
use sat::{Answer, Cnf, Kind, Lit, Stop, Var, proof};

fn cnf(n_vars: u32, clauses: &[Vec<i32>]) -> Cnf {
    let mut cnf = Cnf::new();
    cnf.reserve(n_vars);
    for clause in clauses {
        let lits: Vec<Lit> = clause.iter().map(|&lit| Lit::from_dimacs(lit)).collect();
        cnf.add_clause(&lits);
    }
    cnf
}

fn satisfied(cnf: &Cnf, model: impl Fn(Lit) -> bool) -> bool {
    cnf.clauses().all(|clause| clause.iter().any(|&lit| model(lit)))
}

fn has_model(cnf: &Cnf) -> bool {
    (0..1u32 << cnf.n_vars())
        .any(|bits| satisfied(cnf, |lit| (bits >> lit.var().raw() & 1 == 1) != lit.is_negative()))
}

/// Pigeons into holes: unsatisfiable with one pigeon too many, and not by unit propagation alone.
fn pigeons(n_pigeons: u32, n_holes: u32) -> Cnf {
    let mut cnf = Cnf::new();
    cnf.reserve(n_pigeons * n_holes);
    let sits = |pigeon: u32, hole: u32| Var::new(pigeon * n_holes + hole);
    for pigeon in 0..n_pigeons {
        let clause: Vec<Lit> = (0..n_holes).map(|hole| sits(pigeon, hole).positive()).collect();
        cnf.add_clause(&clause);
    }
    for hole in 0..n_holes {
        for a in 0..n_pigeons {
            for b in 0..a {
                cnf.add_clause(&[sits(a, hole).negative(), sits(b, hole).negative()]);
            }
        }
    }
    cnf
}

fn clauses() -> impl Strategy<Value = Vec<Vec<i32>>> {
    let lit = (1..=6i32, any::<bool>()).prop_map(|(var, neg)| if neg { -var } else { var });
    prop::collection::vec(prop::collection::vec(lit, 1..4), 1..30)
}

proptest! {
    #[test]
    fn answers_agree_with_the_truth_table(clauses in clauses()) {
        let cnf = cnf(6, &clauses);
        for kind in Kind::ALL {
            let mut solver = kind.logging();
            cnf.load(&mut *solver);
            match solver.solve(&[], &Stop::never()) {
                Answer::Sat => prop_assert!(satisfied(&cnf, |lit| solver.value(lit)), "{}", kind.name()),
                Answer::Unsat => {
                    prop_assert!(!has_model(&cnf), "{}", kind.name());
                    prop_assert_eq!(proof::check(&cnf, &solver.take_proof(), &[]), Ok(()), "{}", kind.name());
                }
                Answer::Unknown => prop_assert!(false, "nobody asked to stop"),
            }
        }
    }
}

#[test]
fn refutations_are_proved() {
    for kind in Kind::ALL {
        let cnf = pigeons(7, 6);
        let mut solver = kind.logging();
        cnf.load(&mut *solver);
        assert_eq!(solver.solve(&[], &Stop::never()), Answer::Unsat);
        let steps = solver.take_proof();
        assert!(!steps.is_empty());
        assert_eq!(proof::check(&cnf, &steps, &[]), Ok(()), "{}", kind.name());
    }
}

#[test]
fn the_checker_refuses_what_does_not_follow() {
    let cnf = pigeons(4, 4);
    let unproved = proof::check(&cnf, &[], &[]).unwrap_err();
    assert_eq!(unproved.step, 0);
    let first = Lit::from_dimacs(1);
    assert!(proof::check(&cnf, &[proof::Step::Add([first].into())], &[]).is_err());
    assert_eq!(proof::check(&cnf, &[], &[!first, Lit::from_dimacs(-5)]), Ok(()));
}

#[test]
fn failed_assumptions_name_the_culprits() {
    for kind in Kind::ALL {
        let cnf = cnf(4, &[vec![-1, -2]]);
        let mut solver = kind.logging();
        cnf.load(&mut *solver);
        let lit = Lit::from_dimacs;
        assert_eq!(
            solver.solve(&[lit(4), lit(1), lit(3), lit(2)], &Stop::never()),
            Answer::Unsat
        );
        let failed: Vec<i32> = (1..=4).filter(|&it| solver.failed(lit(it))).collect();
        assert_eq!(failed, [1, 2], "{}", kind.name());
        assert_eq!(solver.solve(&[lit(1)], &Stop::never()), Answer::Sat);
        assert!(!solver.value(lit(2)));
    }
}

#[test]
fn a_stopped_search_knows_nothing() {
    for kind in Kind::ALL {
        let mut solver = kind.create();
        pigeons(12, 11).load(&mut *solver);
        let stop = Stop::never();
        stop.ask();
        assert_eq!(solver.solve(&[], &stop), Answer::Unknown, "{}", kind.name());
    }
}
