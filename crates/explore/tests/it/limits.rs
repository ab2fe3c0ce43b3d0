//! Where a search gives up, and that it does so in time.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use crate::grid::Grid;
use explore::{Limit, Limits, Observer, Options, Progress, Store, Verdict, check};

/// Remembers the most memory that the search said it had.
#[derive(Default)]
struct Peak(AtomicUsize);

impl Observer for Peak {
    fn progress(&self, progress: &Progress) {
        self.0.fetch_max(progress.memory, Ordering::Relaxed);
    }
}

#[test]
fn an_exhaustive_search_has_the_known_counts() {
    let grid = Grid::new(6, 6);
    for store in [Store::Exact, Store::Fingerprint] {
        for workers in [1, 2, 3] {
            let outcome = check(
                &grid,
                &Options {
                    workers,
                    store,
                    deadlock: false,
                    ..Options::default()
                },
            );
            assert_eq!(outcome.verdict, Verdict::Holds);
            assert_eq!(outcome.stats.distinct, grid.n_states());
            assert_eq!(outcome.stats.generated, 1 + 6 * 5 * 6u64.pow(5));
            assert_eq!(outcome.stats.depth, 31);
            assert_eq!(outcome.stats.queue, 0);
            assert_eq!(
                outcome.stats.collision_probability > 0.0,
                store == Store::Fingerprint
            );
        }
    }
}

#[test]
fn the_only_deadlock_is_at_the_end() {
    let grid = Grid::new(4, 5);
    let outcome = check(&grid, &Options::default());
    assert_eq!(outcome.violations[0].trace.len(), 17);
    assert_eq!(outcome.violations[0].trace[16].state, vec![4; 4]);
}

#[test]
fn memory_is_never_exceeded() {
    let grid = Grid::new(7, 8);
    for store in [Store::Exact, Store::Fingerprint] {
        for workers in [1, 2] {
            for megabytes in [1, 2, 5, 9] {
                let peak = Peak::default();
                let memory = megabytes << 20;
                let limits = Limits {
                    memory: Some(memory),
                    ..Limits::default()
                };
                let outcome = check(
                    &grid,
                    &Options {
                        workers,
                        store,
                        limits,
                        observer: &peak,
                        ..Options::default()
                    },
                );
                assert_eq!(outcome.verdict, Verdict::Unknown(Limit::Memory));
                assert!(outcome.stats.distinct > 1000 && outcome.stats.distinct < grid.n_states());
                assert!(
                    outcome.stats.memory <= memory,
                    "{} of {memory}",
                    outcome.stats.memory
                );
                assert!(peak.0.load(Ordering::Relaxed) <= memory);
            }
        }
    }
}

#[test]
fn the_memory_of_the_model_counts() {
    let grid = Grid {
        memory: 3 << 30,
        ..Grid::new(5, 5)
    };
    let limits = Limits {
        memory: Some(2 << 30),
        ..Limits::default()
    };
    let outcome = check(
        &grid,
        &Options {
            limits,
            ..Options::default()
        },
    );
    assert_eq!(outcome.verdict, Verdict::Unknown(Limit::Memory));
}

#[test]
fn depth_and_states() {
    let grid = Grid::new(3, 4);
    let run = |limits| {
        check(
            &grid,
            &Options {
                limits,
                deadlock: false,
                ..Options::default()
            },
        )
    };
    let outcome = run(Limits {
        depth: Some(2),
        ..Limits::default()
    });
    assert_eq!(outcome.verdict, Verdict::Unknown(Limit::Depth));
    assert_eq!(
        (outcome.stats.distinct, outcome.stats.depth, outcome.stats.queue),
        (4, 2, 3)
    );
    let outcome = run(Limits {
        states: Some(10),
        ..Limits::default()
    });
    assert_eq!(outcome.verdict, Verdict::Unknown(Limit::States));
    assert_eq!(outcome.stats.distinct, 10);
    let outcome = run(Limits {
        states: Some(64),
        ..Limits::default()
    });
    assert_eq!(outcome.verdict, Verdict::Holds);
    let outcome = run(Limits {
        states: Some(63),
        ..Limits::default()
    });
    assert_eq!(
        (outcome.verdict, outcome.stats.distinct),
        (Verdict::Unknown(Limit::States), 63)
    );
}

/// A clock that ticks whenever someone looks at it, and a user who gives up at some time.
struct Ticking {
    now: AtomicU64,
    cancel_at: u64,
}

impl Observer for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.now.fetch_add(10, Ordering::Relaxed))
    }

    fn cancelled(&self) -> bool {
        self.now.fetch_add(1, Ordering::Relaxed) > self.cancel_at
    }
}

#[test]
fn time_and_cancellation() {
    let grid = Grid::new(6, 8);
    for workers in [1, 2] {
        let clock = Ticking {
            now: AtomicU64::new(0),
            cancel_at: u64::MAX,
        };
        let limits = Limits {
            time: Some(Duration::from_millis(3)),
            ..Limits::default()
        };
        let outcome = check(
            &grid,
            &Options {
                workers,
                limits,
                observer: &clock,
                ..Options::default()
            },
        );
        assert_eq!(outcome.verdict, Verdict::Unknown(Limit::Time));
        let clock = Ticking {
            now: AtomicU64::new(0),
            cancel_at: 5_000,
        };
        let outcome = check(
            &grid,
            &Options {
                workers,
                observer: &clock,
                ..Options::default()
            },
        );
        assert_eq!(outcome.verdict, Verdict::Unknown(Limit::Cancelled));
        assert!(outcome.stats.distinct > 0);
    }
}

#[test]
fn a_violation_far_out_has_a_shortest_trace() {
    let grid = Grid {
        bad: Some(vec![3, 0, 4, 1, 2]),
        ..Grid::new(5, 7)
    };
    let traces: Vec<_> = [(1, Store::Exact), (2, Store::Exact), (2, Store::Fingerprint)]
        .into_iter()
        .map(|(workers, store)| {
            let outcome = check(
                &grid,
                &Options {
                    workers,
                    store,
                    ..Options::default()
                },
            );
            assert_eq!(outcome.verdict, Verdict::Violated);
            let mut violations = outcome.violations;
            assert!(violations[0].is_complete);
            violations.remove(0).trace
        })
        .collect();
    assert_eq!(traces[0].len(), 11);
    assert_eq!(traces[0][10].state, [3, 0, 4, 1, 2]);
    assert!(traces.iter().all(|trace| *trace == traces[0]));
}

#[test]
#[should_panic(expected = "as wanted")]
fn a_panic_of_the_model_comes_through() {
    let grid = Grid {
        panic_at: Some(vec![4, 4, 4, 4, 0, 0]),
        ..Grid::new(6, 6)
    };
    check(
        &grid,
        &Options {
            workers: 3,
            ..Options::default()
        },
    );
}

#[test]
fn a_long_chain_and_no_states() {
    let chain = Grid::new(1, 100_000);
    let outcome = check(
        &chain,
        &Options {
            workers: 2,
            deadlock: false,
            ..Options::default()
        },
    );
    assert_eq!((outcome.stats.distinct, outcome.stats.depth), (100_000, 100_000));
    assert_eq!(outcome.space.path_to(99_999).len(), 100_000);
    // A state without slots: one state.
    let point = Grid::new(0, 1);
    let outcome = check(&point, &Options::default());
    assert_eq!((outcome.verdict, outcome.stats.distinct), (Verdict::Violated, 1));
}
