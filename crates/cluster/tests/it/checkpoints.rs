//! Searches that end at any place and go on with another number of processes: the outcome of one that was never interrupted.

use std::time::Duration;

use explore::{
    Checkpoint, Checkpoints, Disk, DiskFailureKind, Halfway, Limits, Options, Outcome, Random, Verdict,
};
use testkit::MemoryDisk;

use crate::graph::*;

/// The folders of a search: one for all processes, or one for each.
struct Folders(Vec<MemoryDisk>);

impl Folders {
    fn new(team: Team) -> Folders {
        let n = if team.is_folder_shared { 1 } else { team.processes };
        Folders((0..n).map(|_| MemoryDisk::default()).collect())
    }

    fn of(&self, process: usize) -> &MemoryDisk {
        &self.0[process.min(self.0.len() - 1)]
    }

    /// Goes on from what is there, or begins.
    fn run(&self, graph: &Graph, team: Team, asked: &Options<'_>) -> Vec<(String, Outcome)> {
        self.run_failing(graph, team, asked, None)
    }

    /// The same, and one of the disks fails after so many operations.
    fn run_failing(
        &self,
        graph: &Graph,
        team: Team,
        asked: &Options<'_>,
        failing: Option<(usize, u64)>,
    ) -> Vec<(String, Outcome)> {
        let open = |disk: &MemoryDisk| Checkpoint::open(disk).ok();
        let checkpoints: Vec<Option<Checkpoint>> = self.0.iter().map(open).collect();
        // Where one has nothing at all, the search has not begun anywhere.
        let goes_on = checkpoints.iter().all(Option::is_some);
        if let Some((which, operations)) = failing {
            self.0[which].fail_after(operations);
        }
        in_processes(graph, team, |process| Options {
            disk: Some(self.of(process) as &dyn Disk),
            checkpoints: Some(Checkpoints {
                every: Duration::ZERO,
                note: b"note",
                resume: checkpoints[process.min(checkpoints.len() - 1)]
                    .as_ref()
                    .filter(|_| goes_on),
            }),
            ..*asked
        })
    }
}

fn team(processes: usize, workers: usize, is_folder_shared: bool) -> Team {
    Team {
        processes,
        workers,
        is_folder_shared,
    }
}

fn asked<'a>(seed: u64, limits: Limits) -> Options<'a> {
    let violations_max = if seed.is_multiple_of(3) { usize::MAX } else { 1 };
    Options {
        graph: seed.is_multiple_of(2),
        halfway: seed.is_multiple_of(4).then_some(&Enough(900) as &dyn Halfway),
        ..options(limits, violations_max)
    }
}

/// Another team that may go on.
fn other_team(random: &mut Random, before: Team) -> Team {
    let processes = match before.is_folder_shared {
        true => 1 + random.below(4),
        false => before.processes,
    };
    team(processes, 1 + random.below(2), before.is_folder_shared)
}

#[test]
fn after_any_level_with_any_number_of_processes() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let graph = graph(seed);
        let whole = asked(seed, Limits::default());
        let expected = told(&graph, &explore::check(&graph, &whole));
        let mut team = team(1 + random.below(3), 1 + random.below(2), seed % 3 != 0);
        let folders = Folders::new(team);
        let mut depth = 0;
        loop {
            depth += 1 + random.below(6) as u32;
            let limits = Limits {
                depth: Some(depth),
                ..Limits::default()
            };
            let limited = asked(seed, limits);
            let there = folders.run(&graph, team, &limited).swap_remove(0);
            let here = explore::check(&graph, &limited);
            assert_eq!(
                there.0,
                told(&graph, &here),
                "seed {seed}, {team:?}, depth {depth}"
            );
            if here.limit.is_none() {
                break;
            }
            team = other_team(&mut random, team);
        }
        let last = folders.run(&graph, team, &whole).swap_remove(0).0;
        assert_eq!(last, expected, "seed {seed}, {team:?}");
    }
}

#[test]
fn after_any_state() {
    for seed in 100..120 {
        let mut random = Random::new(seed);
        let graph = graph(seed);
        let whole = asked(seed, Limits::default());
        let here = explore::check(&graph, &whole);
        let mut team = team(1 + random.below(3), 1, true);
        let folders = Folders::new(team);
        for _ in 0..3 {
            let limits = Limits {
                states: Some(random.below(here.stats.distinct as usize + 1) as u64),
                ..Limits::default()
            };
            // Fewer than there are already is a limit that is reached at once.
            let stopped = folders.run(&graph, team, &asked(seed, limits));
            assert!(stopped.iter().all(|it| it.1.failure.is_none()));
            team = other_team(&mut random, team);
        }
        let last = folders.run(&graph, team, &whole).swap_remove(0).0;
        assert_eq!(last, told(&graph, &here), "seed {seed}, {team:?}");
    }
}

/// Disks fail at random moments, and lose what was not synced.
#[test]
fn after_a_power_cut() {
    let (mut n_cuts, mut n_begun) = (0, 0);
    for seed in 200..240 {
        let mut random = Random::new(seed);
        let graph = graph(seed);
        let whole = asked(seed, Limits::default());
        let expected = told(&graph, &explore::check(&graph, &whole));
        let mut team = team(2 + random.below(2), 1 + random.below(2), seed % 2 == 0);
        let mut folders = Folders::new(team);
        let last = loop {
            // Sooner or later it comes to its end.
            let operations = random.below(60) as u64 + n_cuts % 7 * 20;
            let failing = Some((random.below(folders.0.len()), operations));
            let all = folders.run_failing(&graph, team, &whole, failing);
            let (said, outcome) = all.into_iter().next().expect("the first process");
            let Some(failure) = outcome.failure else {
                break said;
            };
            assert_eq!(failure.kind, DiskFailureKind::Other);
            n_cuts += 1;
            let after = folders.0.iter().map(|it| it.after_power_cut(&mut random));
            folders = Folders(after.collect());
            n_begun += usize::from(folders.0.iter().all(|it| Checkpoint::exists(it)));
            team = other_team(&mut random, team);
        };
        assert_eq!(last, expected, "seed {seed}, {team:?}");
    }
    assert!(n_cuts > 40 && n_begun > 20, "{n_cuts} cuts, {n_begun} went on");
}

/// One of two folders fails at every moment of a checkpoint, and then again: they may have different checkpoints, and one of them
/// is the one that counts.
#[test]
fn one_folder_behind_the_other() {
    let graph = Graph {
        nodes: 300,
        ..sound(6)
    };
    let two = team(2, 1, false);
    let whole = options(Limits::default(), 1);
    let expected = told(&graph, &explore::check(&graph, &whole));
    let begun = stopped(&graph, two, 4);
    let failing = |from: &Folders, operations: u64| {
        let folders = copy(from);
        let mut all = folders.run_failing(&graph, two, &whole, Some((1, operations)));
        let outcome = all.swap_remove(0).1;
        outcome.failure.map(|_| copy(&folders))
    };
    let record = |folders: &Folders, of: usize| {
        let checkpoint = Checkpoint::open(folders.of(of)).unwrap();
        checkpoint.record().map(<[u8]>::to_vec)
    };
    let once: Vec<Folders> = (0..24).filter_map(|it| failing(&begun, it)).collect();
    let is_apart = |it: &&Folders| record(it, 0) != record(it, 1);
    let apart: Vec<&Folders> = once.iter().filter(is_apart).collect();
    assert!(!apart.is_empty());
    let twice: Vec<Folders> = (0..24).filter_map(|it| failing(apart[0], it)).collect();
    for folders in once.iter().chain(&twice) {
        let (last, outcome) = folders.run(&graph, two, &whole).swap_remove(0);
        assert_eq!(last, expected, "{:?}", outcome.failure);
    }
}

/// A search that ended at a depth, with one folder for each process or one for all.
fn stopped(graph: &Graph, team: Team, depth: u32) -> Folders {
    let folders = Folders::new(team);
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let outcome = folders.run(graph, team, &options(limits, 1)).swap_remove(0).1;
    assert!(matches!(outcome.verdict, Verdict::Unknown(_)));
    folders
}

fn copy(folders: &Folders) -> Folders {
    Folders(folders.0.iter().map(MemoryDisk::copy).collect())
}

#[track_caller]
fn refused(folders: &Folders, graph: &Graph, team: Team, kind: DiskFailureKind, why: &str) {
    let all = folders.run(graph, team, &options(Limits::default(), 1));
    for (_, outcome) in all {
        let failure = outcome.failure.expect("a refusal");
        assert!(
            failure.kind == kind && failure.what.contains(why),
            "{failure:?} says {why}"
        );
    }
}

#[test]
fn damaged_and_missing_logs_are_refused() {
    let graph = sound(3);
    for is_folder_shared in [true, false] {
        let team = team(2, 1, is_folder_shared);
        let whole = stopped(&graph, team, 8);
        for (i, disk) in whole.0.iter().enumerate() {
            let logs = disk.names().unwrap();
            for log in logs.iter().filter(|it| it.starts_with("log-")) {
                for (at, is_cut) in [(0, false), (70, false), (9, true)] {
                    let folders = copy(&whole);
                    folders.0[i].tamper(log, |bytes| match is_cut {
                        true => bytes.truncate(bytes.len() - at),
                        false => bytes[at] ^= 4,
                    });
                    refused(&folders, &graph, team, DiskFailureKind::Damaged, log);
                }
                let folders = copy(&whole);
                folders.0[i].remove(log).unwrap();
                refused(&folders, &graph, team, DiskFailureKind::Damaged, "is not there");
            }
        }
    }
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let graph = sound(4);
    let two = team(2, 1, false);
    let (early, late) = (stopped(&graph, two, 4), stopped(&graph, two, 9));
    let mixed = Folders(vec![early.0[0].copy(), late.0[1].copy()]);
    refused(&mixed, &graph, two, DiskFailureKind::Foreign, "different");
    let swapped = Folders(vec![late.0[1].copy(), late.0[0].copy()]);
    refused(&swapped, &graph, two, DiskFailureKind::Damaged, "");
    let three = Folders([&late.0[..], &[late.0[0].copy()]].concat());
    refused(
        &three,
        &graph,
        team(3, 1, false),
        DiskFailureKind::Foreign,
        "by 2 hosts",
    );
    refused(
        &Folders(vec![late.0[0].copy()]),
        &graph,
        team(2, 1, true),
        DiskFailureKind::Foreign,
        "on a list of hosts",
    );
    let alone = MemoryDisk::default();
    let limits = Limits {
        depth: Some(5),
        ..Limits::default()
    };
    explore::check(
        &graph,
        &Options {
            disk: Some(&alone),
            checkpoints: Some(Checkpoints {
                every: Duration::ZERO,
                note: b"note",
                resume: None,
            }),
            ..options(limits, 1)
        },
    );
    let alone = Folders(vec![alone]);
    refused(
        &alone,
        &graph,
        team(2, 1, true),
        DiskFailureKind::Foreign,
        "by one process",
    );
    let one = stopped(&graph, team(2, 1, true), 9);
    let there = Folders(vec![one.0[0].copy(), one.0[0].copy()]);
    refused(&there, &graph, two, DiskFailureKind::Foreign, "of one machine");
}

#[test]
fn a_full_disk_leaves_a_checkpoint() {
    let graph = sound(5);
    let team = team(2, 1, true);
    let folders = Folders::new(team);
    // Eight megabytes always stay free.
    folders.0[0].limit(Some((8 << 20) + 3000));
    let outcome = folders
        .run(&graph, team, &options(Limits::default(), 1))
        .swap_remove(0)
        .1;
    assert_eq!(outcome.failure.map(|it| it.kind), Some(DiskFailureKind::Full));
    assert!(Checkpoint::open(&folders.0[0]).unwrap().record().is_some());
    folders.0[0].limit(None);
    let options = options(Limits::default(), 1);
    let last = folders.run(&graph, team, &options).swap_remove(0).0;
    assert_eq!(last, told(&graph, &explore::check(&graph, &options)));
}
