//! Many initial states, of which each comes twice, some are outside of the constraints, and some are wrong.
//!
//! There are more of them than fit into one chunk, so that the threads work on them together; what comes out is known in closed
//! form, and is the same for every number of threads and every store.

use explore::{
    Fault, Inspection, Limit, Limits, Model, Options, Outcome, Sink, Store, Verdict, ViolationKind,
};

/// Initial states are 0, 1, 0, 2, 1, 3, 2, …: each number comes when it is new and two places later. A state n leads to n again,
/// and to one that is no initial state.
struct Crowd {
    n_initial: u32,
    /// Property 0 fails here, and property 1 there.
    bad: [Option<u32>; 2],
    /// Every so many are outside.
    outside: u32,
    /// Enumerating fails after this many.
    faulty_after: Option<u32>,
    panics_at: Option<u32>,
    has_keys: bool,
}

impl Crowd {
    fn new(n_initial: u32) -> Crowd {
        Crowd {
            n_initial,
            bad: [None; 2],
            outside: u32::MAX,
            faulty_after: None,
            panics_at: None,
            has_keys: false,
        }
    }

    fn is_outside(&self, number: u32) -> bool {
        number % self.outside == self.outside - 1
    }

    fn emit(&self, number: u32, action: u32, sink: &mut dyn Sink) -> bool {
        let state = [number % 100, 7, number / 100];
        let hash = u64::from(number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let key = [number];
        let key = self.has_keys.then_some((&key[..], hash));
        sink.emit(&state, hash, key, action).is_continue()
    }
}

fn number(state: &[u32]) -> u32 {
    state[2] * 100 + state[0]
}

impl Model for Crowd {
    type Worker<'m> = ();

    fn worker(&self, _: usize) {}

    fn n_slots(&self) -> usize {
        3
    }

    fn initial(&self, (): &mut (), sink: &mut dyn Sink) -> Result<(), Fault> {
        for it in 0..self.n_initial {
            if self.faulty_after == Some(it) {
                return Err(Fault::new("enough"));
            }
            if !self.emit(it, it % 3, sink) || it > 0 && !self.emit(it - 1, 3, sink) {
                break;
            }
        }
        Ok(())
    }

    fn successors(&self, (): &mut (), state: &[u32], _: u32, sink: &mut dyn Sink) -> Result<(), Fault> {
        let number = number(state);
        if number < self.n_initial && self.emit(number, 4, sink) {
            self.emit(1_000_000_000 + number / 2, 5, sink);
        }
        Ok(())
    }

    fn inspect(&self, (): &mut (), state: &[u32], depth: u32) -> Result<Inspection, Fault> {
        let number = number(state);
        assert!(self.panics_at != Some(number), "as wanted");
        assert_eq!(depth == 1, number < 1_000_000_000);
        Ok(Inspection {
            expand: !self.is_outside(number),
            violated: (0..2).find(|&it| self.bad[it as usize] == Some(number)),
        })
    }
}

const N: u32 = 60_000;

/// What all searches say, which is the same.
fn same(model: &Crowd, options: &Options<'_>) -> Outcome {
    let searched = |workers, store| {
        explore::check(
            model,
            &Options {
                workers,
                store,
                deadlock: false,
                ..*options
            },
        )
    };
    let told = |it: &Outcome| {
        let violations: Vec<_> = it
            .violations
            .iter()
            .map(|it| {
                let kind = match it.kind {
                    ViolationKind::Property(property) => property.to_string(),
                    ViolationKind::Deadlock => "deadlock".to_owned(),
                    ViolationKind::Fault { at, .. } => format!("{at:?}"),
                };
                let trace: Vec<_> = it.trace.iter().map(|it| (it.state.clone(), it.action)).collect();
                (kind, trace, it.is_complete)
            })
            .collect();
        let stats = &it.stats;
        let actions: Vec<_> = stats.actions.iter().map(|it| (it.taken, it.found)).collect();
        let last = it.space.len().checked_sub(1).map(|last| it.space.path_to(last));
        (
            (it.verdict, it.limit, violations, last),
            (
                stats.generated,
                stats.distinct,
                stats.initial,
                stats.depth,
                actions,
            ),
        )
    };
    let first = searched(1, Store::Exact);
    for workers in 1..=4 {
        for store in [Store::Exact, Store::Fingerprint] {
            let other = searched(workers, store);
            assert_eq!(told(&first), told(&other), "{workers} workers, {store:?}");
        }
    }
    first
}

#[test]
fn all_are_found_once() {
    for has_keys in [false, true] {
        for outside in [7, u32::MAX] {
            let model = Crowd {
                outside,
                has_keys,
                ..Crowd::new(N)
            };
            let outcome = same(&model, &Options::default());
            let inside = (0..N).filter(|&it| !model.is_outside(it)).count() as u64;
            assert_eq!(outcome.verdict, Verdict::Holds);
            assert_eq!(outcome.stats.initial, inside);
            assert_eq!(outcome.stats.generated, u64::from(2 * N - 1) + 2 * inside);
            // The last one was emitted when it was new, as the one before the last.
            assert_eq!(outcome.space.depth_of(inside as u32 - 1), 1);
            if outside == u32::MAX {
                assert_eq!(outcome.space.path_to(N - 1), vec![2 * (N - 1) - 1]);
            }
        }
    }
}

#[test]
fn the_first_violation_ends_the_search() {
    for bad in [0, 1, 8191, 8192, 30_000, N - 1] {
        let model = Crowd {
            bad: [Some(bad), Some(bad + 3)],
            ..Crowd::new(N)
        };
        let outcome = same(&model, &Options::default());
        assert_eq!(outcome.verdict, Verdict::Violated);
        assert_eq!(outcome.violations.len(), 1);
        assert_eq!(number(&outcome.violations[0].trace[0].state), bad);
        assert_eq!(outcome.stats.distinct, u64::from(bad) + 1);
        assert_eq!(outcome.stats.generated, u64::from(bad * 2).max(1));
        // With two to be found, it goes on.
        let both = Options {
            violations_max: 2,
            ..Options::default()
        };
        let n_found = same(&model, &both).violations.len();
        assert_eq!(n_found, if bad + 3 < N { 2 } else { 1 });
    }
}

#[test]
fn limits_are_exact() {
    for states in [0, 1, 8192, 20_000, u64::from(N) - 1] {
        let limits = Limits {
            states: Some(states),
            ..Limits::default()
        };
        let options = Options {
            limits,
            ..Options::default()
        };
        let outcome = same(&Crowd::new(N), &options);
        assert_eq!(outcome.limit, Some(Limit::States));
        assert_eq!(outcome.stats.distinct, states);
    }
}

#[test]
fn memory_is_limited() {
    for workers in 1..=3 {
        let limits = Limits {
            memory: Some(1 << 20),
            ..Limits::default()
        };
        let options = Options {
            workers,
            limits,
            deadlock: false,
            ..Options::default()
        };
        let outcome = explore::check(&Crowd::new(1_000_000), &options);
        assert_eq!(outcome.limit, Some(Limit::Memory), "{workers} workers");
        assert!(outcome.stats.distinct < 1_000_000);
    }
}

#[test]
fn a_fault_comes_after_what_was_found_before_it() {
    for bad in [None, Some(40_000), Some(50_001)] {
        let model = Crowd {
            faulty_after: Some(50_000),
            bad: [bad, None],
            ..Crowd::new(N)
        };
        let outcome = same(&model, &Options::default());
        let kind = &outcome.violations[0].kind;
        match bad {
            Some(40_000) => assert!(matches!(kind, ViolationKind::Property(0))),
            _ => assert!(matches!(kind, ViolationKind::Fault { .. })),
        }
    }
}

/// What happens on another thread ends the search on this one.
#[test]
fn a_panic_is_passed_on() {
    for (workers, at) in [(1, 5), (2, 5), (3, 20_000), (2, N - 1)] {
        let model = Crowd {
            panics_at: Some(at),
            ..Crowd::new(N)
        };
        let options = Options {
            workers,
            deadlock: false,
            ..Options::default()
        };
        let search = std::panic::AssertUnwindSafe(|| explore::check(&model, &options).verdict);
        let ended = std::panic::catch_unwind(search);
        assert!(ended.is_err(), "{workers} workers");
    }
}
