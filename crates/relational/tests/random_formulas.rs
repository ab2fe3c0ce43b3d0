//! Random formulas over small universes: the solutions that the search lists are those, and only those, of all
//! instances within the bounds that the direct evaluator accepts.

mod random;

use std::collections::BTreeSet;

use proptest::prelude::*;
use random::Source;
use relational::*;

/// Every instance within the bounds, for traces of one length in their shortest form.
fn all_instances(problem: &Problem, n_steps: usize) -> Vec<Instance> {
    let mut instances = vec![Instance {
        states: vec![vec![]; n_steps],
        loop_to: 0,
        witnesses: vec![],
    }];
    for (_, relation) in problem.logic.relations() {
        let free: Vec<TupleIndex> = relation.upper.difference(&relation.lower).iter().collect();
        let values: Vec<TupleSet> = (0..1usize << free.len())
            .map(|bits| {
                let chosen = free
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| bits >> i & 1 == 1)
                    .map(|(_, &tuple)| tuple);
                TupleSet::from_indices(relation.arity(), chosen.chain(relation.lower.iter()).collect())
            })
            .collect();
        // A static relation has one value, which all states repeat.
        for step in 0..n_steps {
            let mut extended = vec![];
            for instance in &instances {
                let repeated = (!relation.is_var && step > 0)
                    .then(|| instance.states[0].last().cloned())
                    .flatten();
                let choices = match &repeated {
                    Some(value) => std::slice::from_ref(value),
                    None => &values,
                };
                for value in choices {
                    let mut next = instance.clone();
                    next.states[step].push(value.clone());
                    extended.push(next);
                }
            }
            instances = extended;
        }
    }
    let loops = (0..n_steps).flat_map(|loop_to| {
        instances.iter().map(move |instance| Instance {
            loop_to,
            ..instance.clone()
        })
    });
    loops.filter(is_shortest).collect()
}

fn is_shortest(instance: &Instance) -> bool {
    let (n_steps, loop_to) = (instance.states.len(), instance.loop_to);
    let same = |a: usize, b: usize| instance.states[a] == instance.states[b];
    let starts_late = loop_to > 0 && same(loop_to - 1, n_steps - 1);
    let period = n_steps - loop_to;
    let repeats =
        (1..period).any(|part| period % part == 0 && (loop_to..n_steps - part).all(|i| same(i, i + part)));
    !starts_late && !repeats
}

type Key = (Vec<Vec<Vec<TupleIndex>>>, usize);

fn key(instance: &Instance) -> Key {
    let states = instance
        .states
        .iter()
        .map(|state| state.iter().map(|set| set.iter().collect()).collect());
    (states.collect(), instance.loop_to)
}

fn expected(problem: &Problem, lengths: std::ops::RangeInclusive<usize>) -> BTreeSet<Key> {
    let instances = lengths.flat_map(|n_steps| all_instances(problem, n_steps));
    let accepted = instances.filter(|instance| {
        let violated = Evaluator::new(problem, instance).violated();
        violated.expect("domains are small").is_none()
    });
    accepted.map(|instance| key(&instance)).collect()
}

fn solutions(problem: &Problem, options: &Options) -> Result<BTreeSet<Key>, Failure> {
    let mut search = Search::new(problem.clone(), options.clone(), Stop::never());
    let mut found = BTreeSet::new();
    while let Found::Instance(instance) = search.find_next()? {
        // The first trace found is only as short as its length: the solver may have wound its loop twice.
        if is_shortest(&instance) {
            assert!(found.insert(key(&instance)), "found twice");
        }
    }
    Ok(found)
}

/// The clauses have no solution, and a checker that knows no solver agrees.
fn refuted(problem: &Problem, options: &Options) -> Result<(), TestCaseError> {
    for n_steps in options.steps.clone() {
        let Ok(cnf) = Search::to_cnf(problem, options, n_steps) else {
            return Ok(());
        };
        let mut solver = options.solver.logging();
        cnf.load(&mut *solver);
        prop_assert_eq!(solver.solve(&[], &Stop::never()), sat::Answer::Unsat);
        prop_assert_eq!(sat::proof::check(&cnf, &solver.take_proof(), &[]), Ok(()));
    }
    Ok(())
}

fn check(problem: &Problem, is_temporal: bool) -> Result<(), TestCaseError> {
    let lengths = if is_temporal { 1..=3 } else { 1..=1 };
    let expected = expected(problem, lengths.clone());
    for (solver, skolem_depth) in [(sat::Kind::ALL[0], 1), (sat::Kind::Batsat, 0)] {
        let options = Options {
            solver,
            skolem_depth,
            symmetry: 0,
            steps: lengths.clone(),
            ..Options::default()
        };
        match solutions(problem, &options) {
            Ok(found) => {
                let missing: Vec<_> = expected.difference(&found).collect();
                let extra: Vec<_> = found.difference(&expected).collect();
                prop_assert!(
                    missing.is_empty() && extra.is_empty(),
                    "missing {missing:?}, extra {extra:?}"
                );
            }
            Err(Failure::Abort(Abort::HigherOrder(_))) => {}
            Err(failure) => prop_assert!(false, "{failure:?}"),
        }
        if expected.is_empty() {
            refuted(problem, &options)?;
        }
        // Symmetry breaking keeps at least one solution, if there is one.
        let options = Options {
            symmetry: 20,
            ..options
        };
        if let Ok(found) = solutions(problem, &options) {
            prop_assert_eq!(found.is_empty(), expected.is_empty());
            prop_assert!(found.is_subset(&expected));
        }
    }
    Ok(())
}

/// Few by default; `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(64)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn static_formulas(bytes in prop::collection::vec(any::<u8>(), 0..120), wrap: bool) {
        let overflow = if wrap { Overflow::Wrap } else { Overflow::Forbid };
        check(&Source::new(&bytes).problem(overflow, false), false)?;
    }

    #[test]
    fn temporal_formulas(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        check(&Source::new(&bytes).problem(Overflow::Forbid, true), true)?;
    }
}
