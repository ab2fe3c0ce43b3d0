//! Searches that spill to a disk, and searches that are interrupted and go on: the same answers as the textbook's.

use std::time::Duration;

use explore::{
    Checkpoint, Checkpoints, DiskFailureKind, Limit, Limits, Options, Outcome, Random, Store, check,
};
use proptest::prelude::*;
use testkit::MemoryDisk;

use crate::reference::{Answer, Edge, Graph, Interner, Odds, SlowClock, Textbook, answer, odds};

fn search(graph: &Graph, options: &Options<'_>) -> Outcome {
    let clock = SlowClock::default();
    *graph.interner.lock().unwrap() = Interner::default();
    check(
        graph,
        &Options {
            observer: &clock,
            ..*options
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn on_disk_the_same_as_the_textbook(
        seed: u64,
        n_nodes in prop_oneof![1..12usize, 1..300usize, 1000..3000usize],
        odds in odds(),
        with_keys: bool,
        deadlock: bool,
        violations_max in 1..5usize,
        spill_after in prop_oneof![1..10usize, 10..200usize],
    ) {
        let graph = Graph::random(seed, n_nodes, odds, with_keys);
        let options = Options { deadlock, violations_max, ..Options::default() };
        let expected = Textbook::search(&graph, &options);
        for workers in [1, 3] {
            let disk = MemoryDisk::default();
            let outcome = search(&graph, &Options {
                workers,
                store: Store::Disk,
                disk: Some(&disk),
                spill_after: Some(spill_after),
                ..options
            });
            assert_eq!(outcome.failure, None);
            assert_eq!(answer(&graph, &outcome), expected, "{workers} workers");
        }
    }

    #[test]
    fn after_power_cuts_the_same_as_the_textbook(
        seed: u64,
        n_nodes in prop_oneof![1..12usize, 1..300usize, 1000..3000usize],
        odds in odds(),
        with_keys: bool,
        violations_max in 1..5usize,
        store in prop_oneof![Just(Store::Exact), Just(Store::Fingerprint), Just(Store::Disk)],
    ) {
        let graph = Graph::random(seed, n_nodes, odds, with_keys);
        let options = Options { store, violations_max, ..Options::default() };
        let expected = Textbook::search(&graph, &options);
        for workers in [1, 2] {
            let spill_after = Some(50);
            let (found, _) = interrupted(&graph, &Options { workers, spill_after, ..options }, seed, 40);
            assert_eq!(found, expected, "{workers} workers, {store:?}");
        }
    }
}

/// Searches again and again, each time until the power is cut, until one search comes to its end. Gives the number of
/// searches that went on where another was interrupted.
fn interrupted(graph: &Graph, options: &Options<'_>, seed: u64, operations: usize) -> (Answer, usize) {
    let mut random = Random::new(seed);
    let mut disk = MemoryDisk::default();
    let mut n_resumed = 0;
    for attempt in 0.. {
        if attempt < 50 {
            disk.fail_after(random.below(operations << (attempt / 4)) as u64);
        }
        let checkpoint = Checkpoint::open(&disk);
        match &checkpoint {
            Err(failure) => assert!(
                matches!(failure.kind, DiskFailureKind::Missing | DiskFailureKind::Other),
                "{failure:?}"
            ),
            Ok(checkpoint) => {
                assert_eq!(checkpoint.note(), b"noted");
                n_resumed += 1;
            }
        }
        let outcome = search(
            graph,
            &Options {
                disk: Some(&disk),
                checkpoints: Some(Checkpoints {
                    every: Duration::ZERO,
                    note: b"noted",
                    resume: checkpoint.as_ref().ok(),
                }),
                ..*options
            },
        );
        let is_over = outcome.limit != Some(Limit::Disk);
        if is_over || attempt >= 60 {
            assert_eq!(outcome.failure, None);
            return (answer(graph, &outcome), n_resumed);
        }
        disk = disk.after_power_cut(&mut random);
    }
    unreachable!("some attempt is the last")
}

/// Enough states for many runs.
fn large_graph(seed: u64, with_keys: bool) -> Graph {
    let odds = Odds {
        violation: 0,
        fault: 0,
        deadlock: 0,
        outside: 100,
        excluded: 50,
    };
    let mut graph = Graph::random(seed, 20_000, odds, with_keys);
    graph.initial.push(Edge {
        to: 5,
        action: 0,
        is_excluded: false,
        violates: None,
    });
    graph
}

#[test]
fn many_states_in_little_memory() {
    for (seed, with_keys) in [(1, false), (2, true)] {
        let graph = large_graph(seed, with_keys);
        let expected = Textbook::search(&graph, &Options::default());
        for workers in [1, 3] {
            let disk = MemoryDisk::default();
            let outcome = search(
                &graph,
                &Options {
                    workers,
                    store: Store::Disk,
                    disk: Some(&disk),
                    spill_after: Some(1000),
                    ..Options::default()
                },
            );
            assert_eq!(outcome.failure, None);
            assert_eq!(answer(&graph, &outcome), expected, "{workers} workers");
            assert!(outcome.stats.disk > 0, "something was spilt");
        }
    }
}

#[test]
fn many_interruptions() {
    for (seed, with_keys) in [(1, false), (2, true)] {
        let graph = large_graph(seed, with_keys);
        for store in [Store::Exact, Store::Fingerprint, Store::Disk] {
            let options = Options {
                workers: 2,
                store,
                spill_after: Some(1000),
                ..Options::default()
            };
            let expected = Textbook::search(&graph, &options);
            let (found, n_resumed) = interrupted(&graph, &options, seed, 60);
            assert_eq!(found, expected, "{store:?}");
            assert!(n_resumed > 3, "{store:?}: {n_resumed} resumed");
        }
    }
}

/// A search that a limit ended, with its disk.
fn stopped(graph: &Graph, store: Store, states: u64) -> MemoryDisk {
    let disk = MemoryDisk::default();
    let outcome = search(
        graph,
        &Options {
            store,
            disk: Some(&disk),
            checkpoints: Some(Checkpoints {
                every: Duration::ZERO,
                note: b"",
                resume: None,
            }),
            limits: Limits {
                states: Some(states),
                ..Limits::default()
            },
            spill_after: Some(500),
            ..Options::default()
        },
    );
    assert_eq!(outcome.limit, Some(Limit::States));
    disk
}

#[test]
fn damage_is_noticed() {
    use explore::Disk;
    let graph = large_graph(3, true);
    for store in [Store::Exact, Store::Fingerprint, Store::Disk] {
        let disk = stopped(&graph, store, 5_000);
        assert!(Checkpoint::open(&disk).is_ok());
        let mut n_files = 0;
        for name in disk.names().unwrap() {
            let without = disk.copy();
            without.remove(&name).unwrap();
            if Checkpoint::open(&without).is_ok() {
                // Written after the checkpoint.
                continue;
            }
            n_files += 1;
            let size = disk.open(&name).unwrap().size().unwrap() as usize;
            let mut places: Vec<usize> = (0..size).step_by(size / 50 + 1).collect();
            places.extend([0, 1, 7, 8, size / 2, size - 1]);
            for at in places.into_iter().filter(|&it| it < size) {
                for is_flipped in [true, false] {
                    let copy = disk.copy();
                    copy.tamper(&name, |bytes| match is_flipped {
                        true => bytes[at] ^= 1 << (at % 8),
                        false => bytes.truncate(at),
                    });
                    match Checkpoint::open(&copy) {
                        Err(failure) => assert!(
                            matches!(failure.kind, DiskFailureKind::Damaged | DiskFailureKind::Foreign),
                            "{failure:?}"
                        ),
                        // Bytes that were appended after the checkpoint, to a file that it names.
                        Ok(_) => assert!(is_behind(&disk, &name, at), "{name} at {at} of {size}"),
                    }
                }
            }
        }
        assert!(n_files >= 5, "{n_files} files");
    }
}

/// Whether nothing at this place or after it is needed.
fn is_behind(disk: &MemoryDisk, name: &str, at: usize) -> bool {
    let copy = disk.copy();
    copy.tamper(name, |bytes| bytes.truncate(at));
    Checkpoint::open(&copy).is_ok()
}

#[test]
fn a_full_disk_ends_the_search_and_more_room_lets_it_go_on() {
    let graph = large_graph(1, false);
    for store in [Store::Exact, Store::Disk] {
        let options = Options {
            store,
            spill_after: Some(1000),
            ..Options::default()
        };
        let expected = Textbook::search(&graph, &options);
        let disk = MemoryDisk::default();
        let mut n_stops = 0;
        for kilobytes in (0..).map(|it| 8 * 1024 + it * 300) {
            disk.limit(Some(kilobytes << 10));
            let checkpoint = Checkpoint::open(&disk);
            let outcome = search(
                &graph,
                &Options {
                    disk: Some(&disk),
                    checkpoints: Some(Checkpoints {
                        every: Duration::from_millis(50),
                        note: b"",
                        resume: checkpoint.as_ref().ok(),
                    }),
                    ..options
                },
            );
            if outcome.limit.is_none() {
                assert_eq!(answer(&graph, &outcome), expected);
                break;
            }
            n_stops += 1;
            assert_eq!(outcome.limit, Some(Limit::Disk));
            let failure = outcome.failure.expect("it says why");
            assert_eq!(failure.kind, DiskFailureKind::Full, "{}", failure.what);
        }
        assert!(n_stops > 0, "{store:?}");
        assert!(disk.n_operations() > 0);
    }
}
