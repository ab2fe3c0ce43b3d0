//! Random walks: real, reproducible, and the same for every number of workers.

use crate::grid::Grid;
use explore::{Options, ViolationKind, WalkEnd, Walks, simulate, walk};

#[test]
fn walks_are_paths_of_the_model() {
    let grid = Grid::new(3, 4);
    for index in 0..50 {
        let walks = Walks {
            seed: 5,
            n_walks: Some(1),
            depth_max: 7,
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
