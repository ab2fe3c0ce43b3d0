//! Random formulas over random small graphs, against a reference that shares nothing with the search.
//!
//! The reference uses that a formula of `[]` and `<>` cannot tell apart two loops with the same set of steps: it tries every
//! strongly connected set of steps as what happens infinitely often, computes the truth of every subformula there, and
//! then goes backwards from state to state with the truths of all subformulas, until nothing new is found.

use std::collections::BTreeSet;

use proptest::prelude::*;
use temporal::{Formula, Graph, find, truth};

const N_MARKS: u32 = 3;

#[derive(Clone, Debug)]
struct World {
    n_initial: u32,
    offsets: Vec<u32>,
    targets: Vec<u32>,
    state_labels: Vec<u64>,
    step_labels: Vec<u64>,
}

impl World {
    fn graph(&self) -> Graph<'_> {
        Graph {
            n_initial: self.n_initial,
            offsets: &self.offsets,
            targets: &self.targets,
            state_words: 1,
            state_labels: &self.state_labels,
            step_words: 1,
            step_labels: &self.step_labels,
            stuttering_labels: &[0],
        }
    }

    /// All steps: source, target, labels. Stuttering ones last.
    fn steps(&self) -> Vec<(u32, u32, u64)> {
        let n = self.offsets.len() as u32 - 1;
        let mut all = vec![];
        for state in 0..n {
            for step in self.offsets[state as usize]..self.offsets[state as usize + 1] {
                all.push((
                    state,
                    self.targets[step as usize],
                    self.step_labels[step as usize],
                ));
            }
        }
        all.extend((0..n).map(|it| (it, it, 0)));
        all
    }
}

/// States are renumbered in the order of a search from the initial ones, and only those that are reached stay.
fn world(n_initial: u32, n: u32, edges: &[(u32, u32, u64)], state_labels: &[u64]) -> World {
    let n_initial = n_initial.min(n);
    let mut order: Vec<u32> = (0..n_initial).collect();
    let mut next = 0;
    while next < order.len() {
        for &(from, to, _) in edges {
            if from % n == order[next] && !order.contains(&(to % n)) {
                order.push(to % n);
            }
        }
        next += 1;
    }
    let place = |state: u32| order.iter().position(|&it| it == state).map(|it| it as u32);
    let mut world = World {
        n_initial,
        offsets: vec![0],
        targets: vec![],
        state_labels: vec![],
        step_labels: vec![],
    };
    for &state in &order {
        for &(from, to, labels) in edges {
            if from % n == state && to % n != state {
                world.targets.extend(place(to % n));
                world.step_labels.push(labels);
            }
        }
        world.offsets.push(world.targets.len() as u32);
        world.state_labels.push(state_labels[state as usize]);
    }
    world
}

fn worlds() -> impl Strategy<Value = World> {
    let labels = 0u64..1 << N_MARKS;
    let edge = (0u32..5, 0u32..5, labels.clone());
    (
        1u32..3,
        2u32..6,
        prop::collection::vec(edge, 1..9),
        prop::collection::vec(labels, 5),
    )
        .prop_map(|(n_initial, n, edges, labels)| world(n_initial, n, &edges, &labels))
}

fn formulas() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        (0..N_MARKS).prop_map(Formula::State),
        (0..N_MARKS).prop_map(Formula::Step),
        any::<bool>().prop_map(Formula::Const),
    ];
    leaf.prop_recursive(5, 16, 3, |inner| {
        prop_oneof![
            3 => inner.clone().prop_map(Formula::always),
            3 => inner.clone().prop_map(Formula::eventually),
            1 => inner.clone().prop_map(Formula::not),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(Formula::And),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(Formula::Or),
            2 => (inner.clone(), inner).prop_map(|(a, b)| a.leads_to(b)),
        ]
    })
}

/// Weak and strong fairness of actions that are enabled where it pleases chance.
fn fairness() -> impl Strategy<Value = Formula> {
    let one = (any::<bool>(), 0..N_MARKS, 0..N_MARKS).prop_map(|(strong, enabled, taken)| {
        let (enabled, taken) = (Formula::State(enabled), Formula::Step(taken));
        match strong {
            true => Formula::strong_fairness(enabled, taken),
            false => Formula::weak_fairness(enabled, taken),
        }
    });
    prop::collection::vec(one, 0..4).prop_map(Formula::And)
}

/// Subformulas, inner ones first.
fn subformulas<'f>(formula: &'f Formula, all: &mut Vec<&'f Formula>) {
    match formula {
        Formula::Not(it) | Formula::Always(it) | Formula::Eventually(it) => subformulas(it, all),
        Formula::And(items) | Formula::Or(items) => items.iter().for_each(|it| subformulas(it, all)),
        _ => {}
    }
    all.push(formula);
}

/// Truths of all subformulas at a moment, given those of the next moment (or, in a loop, what is so at some and at all of
/// its moments).
fn truths(all: &[&Formula], state: u64, step: u64, temporal: &dyn Fn(usize, bool) -> bool) -> u64 {
    let mut now = 0u64;
    for (i, formula) in all.iter().enumerate() {
        let of = |inner: &Formula, now: u64| {
            let place = all[..i].iter().rposition(|it| std::ptr::eq(*it, inner));
            now >> place.expect("inner ones come first") & 1 == 1
        };
        let value = match formula {
            Formula::Const(it) => *it,
            Formula::State(label) => state >> label & 1 == 1,
            Formula::Step(label) => step >> label & 1 == 1,
            Formula::Not(it) => !of(it, now),
            Formula::And(items) => items.iter().all(|it| of(it, now)),
            Formula::Or(items) => items.iter().any(|it| of(it, now)),
            Formula::Always(it) | Formula::Eventually(it) => temporal(i, of(it, now)),
        };
        now |= u64::from(value) << i;
    }
    now
}

fn is_strongly_connected(steps: &[(u32, u32, u64)]) -> bool {
    let Some(&(start, ..)) = steps.first() else {
        return false;
    };
    let reach = |forward: bool| {
        let mut seen = BTreeSet::from([start]);
        loop {
            let before = seen.len();
            for &(from, to, _) in steps {
                let (from, to) = if forward { (from, to) } else { (to, from) };
                if seen.contains(&from) {
                    seen.insert(to);
                }
            }
            if seen.len() == before {
                return seen;
            }
        }
    };
    let (there, back) = (reach(true), reach(false));
    steps.iter().all(|(from, to, _)| {
        there.contains(from) && there.contains(to) && back.contains(from) && back.contains(to)
    })
}

fn reference(world: &World, formula: &Formula) -> bool {
    let mut all = vec![];
    subformulas(formula, &mut all);
    let steps = world.steps();
    let top = all.len() - 1;
    // What is true in a state, with some future.
    let mut known: BTreeSet<(u32, u64)> = BTreeSet::new();
    for set in 1u32..1 << steps.len() {
        let chosen: Vec<(u32, u32, u64)> = (0..steps.len())
            .filter(|it| set >> it & 1 == 1)
            .map(|it| steps[it])
            .collect();
        if !is_strongly_connected(&chosen) {
            continue;
        }
        // The temporal subformulas have one value in the whole loop: computed from the inside out.
        let mut values = vec![false; all.len()];
        for (i, formula) in all.iter().enumerate() {
            let is_always = match formula {
                Formula::Always(_) => true,
                Formula::Eventually(_) => false,
                _ => continue,
            };
            let of = |&(from, _, labels): &(u32, u32, u64)| {
                let inner = match formula {
                    Formula::Always(it) | Formula::Eventually(it) => &**it,
                    _ => unreachable!(),
                };
                let place = all[..i].iter().rposition(|it| std::ptr::eq(*it, inner));
                let now = truths(&all[..i], world.state_labels[from as usize], labels, &|it, _| {
                    values[it]
                });
                now >> place.expect("inner ones come first") & 1 == 1
            };
            values[i] = match is_always {
                true => chosen.iter().all(of),
                false => chosen.iter().any(of),
            };
        }
        for &(from, _, labels) in &chosen {
            let now = truths(&all, world.state_labels[from as usize], labels, &|it, _| {
                values[it]
            });
            known.insert((from, now));
        }
    }
    let mut todo: Vec<(u32, u64)> = known.iter().copied().collect();
    while let Some((state, later)) = todo.pop() {
        if state < world.n_initial && later >> top & 1 == 1 {
            return true;
        }
        for &(from, to, labels) in &steps {
            if to != state {
                continue;
            }
            let now = truths(&all, world.state_labels[from as usize], labels, &|it, inner| {
                let then = later >> it & 1 == 1;
                match all[it] {
                    Formula::Always(_) => inner && then,
                    _ => inner || then,
                }
            });
            if known.insert((from, now)) {
                todo.push((from, now));
            }
        }
    }
    false
}

fn compare(world: &World, formula: &Formula) {
    let found = find(&world.graph(), formula, &()).expect("nobody interrupts");
    assert_eq!(
        found.is_some(),
        reference(world, formula),
        "{world:?} {formula:?}"
    );
    if let Some(lasso) = found {
        let graph = world.graph();
        assert!(lasso.states[0] < world.n_initial);
        for (i, &state) in lasso.states.iter().enumerate() {
            let next = *lasso.states.get(i + 1).unwrap_or(&lasso.states[lasso.loop_start]);
            match lasso.steps[i] {
                None => assert_eq!(state, next),
                Some(step) => {
                    let steps = graph.offsets[state as usize]..graph.offsets[state as usize + 1];
                    assert!(steps.contains(&step));
                    assert_eq!(graph.targets[step as usize], next);
                }
            }
        }
        assert!(truth(&graph, &lasso, formula)[0]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn formulas_agree(world in worlds(), formula in formulas()) {
        compare(&world, &formula);
    }

    #[test]
    fn properties_under_fairness_agree(world in worlds(), fairness in fairness(), property in formulas()) {
        compare(&world, &fairness.and(property.not()));
    }

    #[test]
    fn fairness_as_a_property_agrees(world in worlds(), given in fairness(), wanted in fairness()) {
        compare(&world, &given.and(wanted.not()));
    }
}
