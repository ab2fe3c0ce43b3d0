//! The recorded graph is the one that a plain walk through the model gives, for any number of workers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use explore::{
    Checkpoint, Checkpoints, Fault, Halfway, Inspection, Limit, Limits, Model, Options, Outcome, Random,
    Sink, StateGraph, Store, check,
};
use testkit::MemoryDisk;

/// Two counters modulo `n`, with steps that meet often, steps to nowhere, and a constraint.
struct Ring {
    n: u32,
    /// Whether the second counter is left out of a state's identity.
    has_keys: bool,
    /// States that were expanded.
    n_expanded: AtomicU64,
}

/// Long enough that states have parts in common, of which there are many.
fn slots([x, y]: [u32; 2]) -> [u32; 6] {
    [x, y, x ^ y, x * 1000 + y, y * 1000 + x, x + y]
}

fn key([x, _]: [u32; 2]) -> [u32; 4] {
    [x, x + 1, x * x, 7]
}

impl Ring {
    fn new(n: u32, has_keys: bool) -> Ring {
        Ring {
            n,
            has_keys,
            n_expanded: AtomicU64::new(0),
        }
    }

    fn steps(&self, [x, y]: [u32; 2]) -> Vec<([u32; 2], u32)> {
        let n = self.n;
        let mut steps = vec![
            ([(x + 1) % n, y], 0),
            ([x, (y + x) % n], 1),
            ([(x * 2) % n, (y + 1) % n], 2),
        ];
        // The same step by another action.
        steps.push(([(x + 1) % n, y], 0));
        steps
    }

    fn emit(&self, sink: &mut dyn Sink, state: [u32; 2], action: u32) -> ControlFlow<()> {
        let hash = |slots: &[u32]| {
            slots
                .iter()
                .fold(7, |hash, &it| Random::stream(hash, it.into()).next_u64())
        };
        let (state, key) = (slots(state), key(state));
        let key = self.has_keys.then(|| (&key[..], hash(&key)));
        sink.emit(&state, hash(&state), key, action)
    }

    fn is_inside(&self, [x, y]: [u32; 2]) -> bool {
        x + y + 2 < 2 * self.n
    }
}

fn pair(state: &[u32]) -> [u32; 2] {
    [state[0], state[1]]
}

impl Model for Ring {
    type Worker<'m> = ();

    fn worker(&self, _index: usize) {}

    fn n_slots(&self) -> usize {
        6
    }

    fn initial(&self, _: &mut (), sink: &mut dyn Sink) -> Result<(), Fault> {
        for state in [[0, 0], [1, 0]] {
            let _ = self.emit(sink, state, 0);
        }
        Ok(())
    }

    fn successors(&self, _: &mut (), state: &[u32], _: u32, sink: &mut dyn Sink) -> Result<(), Fault> {
        self.n_expanded.fetch_add(1, Ordering::Relaxed);
        for (next, label) in self.steps(pair(state)) {
            if self.emit(sink, next, label).is_break() {
                return Ok(());
            }
            if sink.wants_labels() {
                sink.label_step(&[u64::from(label), 7]);
            }
        }
        if sink.wants_labels() {
            sink.label_state(&[u64::from(state[0] * 1000 + state[1])]);
        }
        Ok(())
    }

    fn inspect(&self, _: &mut (), state: &[u32], _: u32) -> Result<Inspection, Fault> {
        Ok(Inspection {
            expand: self.is_inside(pair(state)),
            violated: None,
        })
    }
}

type Steps = BTreeSet<([u32; 2], [u32; 2], u64)>;

/// Steps between states inside the constraint, without those that change nothing.
fn plain(ring: &Ring) -> Steps {
    let mut steps = Steps::new();
    let mut seen = BTreeSet::from([[0, 0], [1, 0]]);
    let mut todo: Vec<[u32; 2]> = seen.iter().copied().collect();
    while let Some(state) = todo.pop() {
        for (next, label) in ring.steps(state) {
            if !ring.is_inside(next) {
                continue;
            }
            if next != state {
                steps.insert((state, next, u64::from(label)));
            }
            if seen.insert(next) {
                todo.push(next);
            }
        }
    }
    steps
}

#[test]
fn the_graph_is_that_of_the_model() {
    for (n, workers) in [(3, 1), (40, 1), (40, 3), (90, 2)] {
        let ring = Ring::new(n, false);
        let options = Options {
            workers,
            graph: true,
            ..Options::default()
        };
        let outcome = check(&ring, &options);
        // Also where a table was full in the middle of a batch.
        assert_eq!(ring.n_expanded.load(Ordering::Relaxed), outcome.stats.distinct);
        let graph = outcome.graph.expect("it was asked for").expect("no limit");
        assert_eq!(u64::from(graph.n_states()), outcome.stats.distinct);
        assert_eq!((graph.n_initial, graph.state_words, graph.step_words), (2, 1, 2));
        let name = |state: u32| {
            let label = graph.state_labels[state as usize] as u32;
            [label / 1000, label % 1000]
        };
        let mut steps = Steps::new();
        for state in 0..graph.n_states() {
            for step in graph.offsets[state as usize]..graph.offsets[state as usize + 1] {
                let step = step as usize;
                assert_eq!(graph.step_labels[2 * step + 1], 7);
                let entry = (
                    name(state),
                    name(graph.targets[step]),
                    graph.step_labels[2 * step],
                );
                assert!(steps.insert(entry), "a step is recorded once");
            }
        }
        assert_eq!(steps, plain(&ring));
        // Any walk through it can be asked from the model again.
        let mut walk = vec![0];
        while walk.len() < 20 {
            let at = walk[walk.len() - 1] as usize;
            walk.push(graph.targets[graph.offsets[at] as usize]);
        }
        let states = outcome
            .space
            .walk(&ring, &mut (), &walk)
            .expect("a walk of the model");
        let states: Vec<[u32; 2]> = states.iter().map(|it| pair(&it.state)).collect();
        assert_eq!(states, walk.iter().map(|&it| name(it)).collect::<Vec<_>>());
    }
}

#[test]
fn with_keys_there_is_one_state_for_each() {
    let ring = Ring::new(30, true);
    let options = Options {
        graph: true,
        ..Options::default()
    };
    let outcome = check(&ring, &options);
    let graph = outcome.graph.expect("it was asked for").expect("no limit");
    assert_eq!(graph.n_states(), 30);
    let by_target: BTreeMap<u32, usize> = graph.targets.iter().map(|&it| (it, 1)).collect();
    assert!(by_target.keys().all(|&it| it < 30));
}

#[test]
fn nobody_asks_and_nothing_is_recorded() {
    let outcome = check(&Ring::new(9, false), &Options::default());
    assert!(outcome.graph.is_none());
}

fn graph_of(outcome: Outcome) -> StateGraph {
    assert_eq!(outcome.failure, None);
    outcome.graph.expect("it was asked for").expect("no limit")
}

/// Threads, files and interruptions change nothing, down to the order of steps.
#[test]
fn the_graph_is_the_same_in_files_and_after_interruptions() {
    for has_keys in [false, true] {
        let ring = Ring::new(40, has_keys);
        let plain = Options {
            graph: true,
            ..Options::default()
        };
        let expected = graph_of(check(&ring, &plain));
        for store in [Store::Exact, Store::Fingerprint, Store::Disk] {
            for (workers, spill_after) in [(1, None), (2, Some(7)), (3, Some(300))] {
                let disk = MemoryDisk::default();
                let options = Options {
                    workers,
                    store,
                    disk: Some(&disk),
                    spill_after,
                    ..plain
                };
                assert_eq!(
                    graph_of(check(&ring, &options)),
                    expected,
                    "{store:?}, {workers} workers"
                );
                assert_eq!(interrupted(&ring, &options), expected, "{store:?}, resumed");
            }
        }
    }
}

/// Searches to a limit, and from there to a greater one, until there is no limit.
fn interrupted(ring: &Ring, options: &Options<'_>) -> StateGraph {
    let disk = MemoryDisk::default();
    for depth in [Some(1), Some(3), Some(10), Some(11), None] {
        let checkpoint = Checkpoint::open(&disk).ok();
        let outcome = check(
            ring,
            &Options {
                disk: Some(&disk),
                checkpoints: Some(Checkpoints {
                    every: Duration::from_secs(3600),
                    note: b"",
                    resume: checkpoint.as_ref(),
                }),
                limits: Limits {
                    depth,
                    ..Limits::default()
                },
                ..*options
            },
        );
        if outcome.limit.is_none() {
            return graph_of(outcome);
        }
        assert_eq!(outcome.limit, Some(Limit::Depth));
    }
    unreachable!("the last search has no limit")
}

/// Who looks at the graph sees the same graphs, wherever the search was interrupted.
#[test]
fn looks_come_at_the_same_places() {
    #[derive(Default)]
    struct Looking(Mutex<Vec<u32>>);
    impl Halfway for Looking {
        fn is_decided(&self, graph: &StateGraph) -> bool {
            self.0.lock().unwrap().push(graph.n_states());
            graph.n_states() > 500
        }
    }
    let ring = Ring::new(60, false);
    let looking = Looking::default();
    let options = Options {
        graph: true,
        halfway: Some(&looking),
        ..Options::default()
    };
    let outcome = check(&ring, &options);
    assert_eq!(outcome.limit, Some(Limit::Decided));
    let expected = graph_of(outcome);
    let sizes = std::mem::take(&mut *looking.0.lock().unwrap());
    for depth in 1..20 {
        looking.0.lock().unwrap().clear();
        let disk = MemoryDisk::default();
        let search = |depth: Option<u32>, checkpoint: Option<&Checkpoint>| {
            let options = Options {
                disk: Some(&disk),
                checkpoints: Some(Checkpoints {
                    every: Duration::from_secs(3600),
                    note: b"",
                    resume: checkpoint,
                }),
                limits: Limits {
                    depth,
                    ..Limits::default()
                },
                ..options
            };
            check(&ring, &options)
        };
        let first = search(Some(depth), None);
        if first.limit == Some(Limit::Decided) {
            break;
        }
        let outcome = search(None, Some(&Checkpoint::open(&disk).unwrap()));
        assert_eq!(graph_of(outcome), expected);
        assert_eq!(*looking.0.lock().unwrap(), sizes, "stopped at depth {depth}");
    }
}
