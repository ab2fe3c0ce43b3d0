//! Random walks: real, reproducible, and the same for every number of workers.

use crate::grid::Grid;
use explore::{Options, Violation, ViolationKind, WalkEnd, Walks, shrink, simulate, walk};

#[test]
fn walks_are_paths_of_the_model() {
    let grid = Grid::new(3, 4);
    for index in 0..50 {
        let walks = Walks {
            seed: 5,
            n_walks: Some(1),
            depth_max: 7,
            keep_going: false,
        };
        let walk = walk(&grid, &mut Vec::new(), &walks, index, &Options::default());
        assert!(matches!(walk.end, WalkEnd::Depth));
        assert_eq!(walk.trace.len(), 7);
        assert_eq!(walk.trace[0].state, [0, 0, 0]);
        for pair in walk.trace.windows(2) {
            let changed = pair[1].action as usize - 1;
            let mut expected = pair[0].state.clone();
            expected[changed] += 1;
            assert_eq!(pair[1].state, expected);
        }
    }
}

#[test]
fn every_walk_can_happen() {
    let grid = Grid::new(3, 2);
    let walks = Walks {
        seed: 1,
        n_walks: None,
        depth_max: 9,
        keep_going: false,
    };
    let options = Options {
        deadlock: false,
        ..Options::default()
    };
    let ways: std::collections::BTreeSet<Vec<u32>> = (0..200)
        .map(|index| {
            let walk = walk(&grid, &mut Vec::new(), &walks, index, &options);
            assert!(matches!(walk.end, WalkEnd::Stuck));
            walk.trace.iter().map(|step| step.action).collect()
        })
        .collect();
    assert_eq!(ways.len(), 6);
}

#[test]
fn the_first_violation_does_not_depend_on_workers() {
    let grid = Grid {
        bad: Some(vec![4, 1, 2, 0]),
        ..Grid::new(4, 6)
    };
    let walks = Walks {
        seed: 3,
        n_walks: None,
        depth_max: 20,
        keep_going: false,
    };
    let runs: Vec<_> = [1, 2, 4]
        .into_iter()
        .map(|workers| {
            let simulation = simulate(
                &grid,
                &walks,
                &Options {
                    workers,
                    ..Options::default()
                },
            );
            let (number, violation) = simulation.violation.expect("found sooner or later");
            assert!(matches!(violation.kind, ViolationKind::Property(0)));
            assert_eq!(simulation.walks, number + 1);
            (
                number,
                violation.trace,
                simulation.states,
                simulation.generated,
                simulation.depth,
            )
        })
        .collect();
    assert!(runs.iter().all(|run| *run == runs[0]));
}

#[test]
fn a_deadlock_ends_every_walk_of_a_finite_model() {
    let grid = Grid::new(2, 3);
    let walks = Walks {
        seed: 3,
        n_walks: Some(10),
        depth_max: 100,
        keep_going: false,
    };
    let simulation = simulate(&grid, &walks, &Options::default());
    let (number, violation) = simulation.violation.expect("at the end of the first walk");
    assert_eq!((number, violation.trace.len()), (0, 5));
    let simulation = simulate(
        &grid,
        &walks,
        &Options {
            deadlock: false,
            workers: 2,
            ..Options::default()
        },
    );
    assert!(simulation.violation.is_none());
    assert_eq!(
        (simulation.walks, simulation.states, simulation.depth),
        (10, 50, 5)
    );
}

#[test]
fn statistics_do_not_depend_on_workers() {
    let grid = Grid {
        bad: Some(vec![2, 1, 0]),
        ..Grid::new(3, 4)
    };
    for keep_going in [false, true] {
        let walks = Walks {
            seed: 11,
            n_walks: Some(3000),
            depth_max: 8,
            keep_going,
        };
        let runs: Vec<_> = [1, 2, 3]
            .into_iter()
            .map(|workers| {
                let options = Options {
                    workers,
                    ..Options::default()
                };
                let simulation = simulate(&grid, &walks, &options);
                let (number, _) = simulation.violation.expect("a walk of 3000 comes there");
                let statistics = simulation.statistics;
                let ended: u64 = statistics.depths.values().sum();
                assert_eq!((ended, statistics.walks()), (simulation.walks, simulation.walks));
                assert_eq!(simulation.walks, if keep_going { 3000 } else { number + 1 });
                (number, statistics.depths, statistics.violated, statistics.actions)
            })
            .collect();
        assert!(runs.iter().all(|run| *run == runs[0]), "{runs:?}");
    }
}

/// From the origin each axis is as likely as the others: one walk in three goes along the first one.
#[test]
fn frequencies_are_those_of_a_model_with_known_probabilities() {
    let grid = Grid {
        bad: Some(vec![1, 0, 0]),
        ..Grid::new(3, 4)
    };
    let walks = Walks {
        seed: 5,
        n_walks: Some(9000),
        depth_max: 2,
        keep_going: true,
    };
    let simulation = simulate(&grid, &walks, &Options::default());
    let met = simulation.statistics.violated.values().sum::<u64>();
    let (low, high) = explore::confidence(met, simulation.statistics.walks());
    assert!(low < 1.0 / 3.0 && 1.0 / 3.0 < high, "{low} {high}");
    assert!(high - low < 0.03);
}

#[test]
fn what_is_shrunk_is_a_shortest_way_in_a_small_model() {
    // A walk to a corner may go nowhere else, so this one has detours: sums of coordinates only grow, and the way is as long as the sum.
    let grid = Grid {
        bad: Some(vec![2, 3]),
        ..Grid::new(2, 6)
    };
    let walks = Walks {
        seed: 1,
        n_walks: None,
        depth_max: 20,
        keep_going: false,
    };
    let options = Options::default();
    let simulation = simulate(&grid, &walks, &options);
    let (_, mut violation) = simulation.violation.expect("found sooner or later");
    shrink(&grid, &mut Vec::new(), &mut violation, 100_000, &options);
    assert_eq!(violation.trace.len(), 6);
    is_path(&violation);
}

fn is_path(violation: &Violation) {
    for pair in violation.trace.windows(2) {
        let mut expected = pair[0].state.clone();
        expected[pair[1].action as usize - 1] += 1;
        assert_eq!(pair[1].state, expected);
    }
}
