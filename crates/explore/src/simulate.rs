//! Random walks: for models too large to search, and for a first look at any.
//!
//! Walk number i of a seed is always the same walk, whoever walks it, so the first violation (that of the lowest
//! number) and all counts are the same for every number of workers.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::{Fault, Model, Sink};
use crate::options::{Limit, Options, Progress};
use crate::outcome::{FaultAt, Step, Violation, ViolationKind};
use crate::pool::unpoisoned;
use crate::random::Random;

/// Which walks to take.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    pub seed: u64,
    /// How many; `None` until a violation or a limit.
    pub n_walks: Option<u64>,
    /// States on a walk, at most.
    pub depth_max: u32,
}

/// What walking gave.
#[derive(Debug)]
pub struct Simulation {
    /// The violation of the first walk that has one, and the number of that walk.
    pub violation: Option<(u64, Violation)>,
    /// Set when there was no violation and not all walks were taken.
    pub limit: Option<Limit>,
    /// Walks taken, the violating one included.
    pub walks: u64,
    /// States on all walks.
    pub states: u64,
    /// Steps that the model generated.
    pub generated: u64,
    /// States on the longest walk.
    pub depth: u32,
}

/// One walk.
#[derive(Debug)]
pub struct Walk {
    pub trace: Vec<Step>,
    pub end: WalkEnd,
    pub generated: u64,
}

#[derive(Debug)]
pub enum WalkEnd {
    /// As many states as wanted.
    Depth,
    /// No way on: no successor, or none inside the constraints, or no initial state.
    Stuck,
    /// The violation has the trace.
    Violated(Violation),
    Interrupted(Limit),
}

/// Takes random walks until one violates something. `options.store`, `violations_max` and the limits on states and depth do
/// not matter here.
pub fn simulate<M: Model>(model: &M, walks: &Walks, options: &Options<'_>) -> Simulation {
    let workers = options.workers.max(1);
    let mut first = model.worker(0);
    let mut initial = Choices::new(model.n_slots(), options.limits.memory);
    if let Some(violation) = initial.of_initial(model, &mut first) {
        let generated = initial.generated;
        return Simulation {
            violation: Some((0, violation)),
            limit: None,
            walks: 1,
            states: 1,
            generated,
            depth: 1,
        };
    }
    let shared = Shared {
        model,
        walks,
        options,
        initial: &initial,
        next: AtomicU64::new(0),
        current: (0..workers).map(|_| AtomicU64::new(0)).collect(),
        found: Mutex::new(Found {
            walk: walks.n_walks.unwrap_or(u64::MAX),
            violation: None,
            limit: None,
        }),
        done: Default::default(),
    };
    let mut total = std::thread::scope(|scope| {
        let shared = &shared;
        let others: Vec<_> = (1..workers)
            .map(|index| scope.spawn(move || shared.work(&mut shared.model.worker(index), index)))
            .collect();
        let mut total = shared.work(&mut first, 0);
        for other in others {
            total.extend(
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        total
    });
    let found = unpoisoned(shared.found.into_inner());
    let mut simulation = Simulation {
        violation: None,
        limit: found.limit,
        walks: 0,
        states: 0,
        generated: initial.generated,
        depth: 0,
    };
    if let Some(violation) = found.violation {
        total.retain(|tally| tally.walk <= found.walk);
        simulation.limit = None;
        simulation.violation = Some((found.walk, violation));
    }
    for tally in total {
        simulation.walks += tally.n_walks;
        simulation.states += tally.states;
        simulation.generated += tally.generated;
        simulation.depth = simulation.depth.max(tally.depth);
    }
    simulation
}

/// Walk number `index` of `walks`, by itself.
pub fn walk<M: Model>(
    model: &M,
    worker: &mut M::Worker<'_>,
    walks: &Walks,
    index: u64,
    options: &Options<'_>,
) -> Walk {
    let mut initial = Choices::new(model.n_slots(), options.limits.memory);
    if let Some(violation) = initial.of_initial(model, worker) {
        return Walk {
            trace: violation.trace.clone(),
            end: WalkEnd::Violated(violation),
            generated: initial.generated,
        };
    }
    take_walk(model, worker, walks, index, options, &initial)
}

/// Counts of one walk, or of several whose numbers no longer matter.
#[derive(Clone, Copy, Default)]
struct Tally {
    walk: u64,
    n_walks: u64,
    states: u64,
    generated: u64,
    depth: u32,
}

struct Found {
    /// The least number of a walk that violates; before there is one, the number of walks wanted.
    walk: u64,
    violation: Option<Violation>,
    limit: Option<Limit>,
}

struct Shared<'a, M> {
    model: &'a M,
    walks: &'a Walks,
    options: &'a Options<'a>,
    initial: &'a Choices,
    next: AtomicU64,
    /// The walk that each worker is on: all walks before the least of these are done.
    current: Vec<AtomicU64>,
    found: Mutex<Found>,
    /// For whoever watches: walks, states, generated.
    done: [AtomicU64; 3],
}

impl<M: Model> Shared<'_, M> {
    /// Walks until there is nothing left to do. Tallies of walks that might still turn out to be after the first violation are
    /// kept apart.
    fn work(&self, worker: &mut M::Worker<'_>, index: usize) -> Vec<Tally> {
        const FOLD_AT: usize = 1024;
        let mut tallies = vec![Tally::default()];
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            self.current[index].store(number, Ordering::Relaxed);
            let is_over = {
                let found = unpoisoned(self.found.lock());
                found.limit.is_some() || number >= found.walk
            };
            if is_over {
                self.current[index].store(u64::MAX, Ordering::Relaxed);
                return tallies;
            }
            let walk = take_walk(self.model, worker, self.walks, number, self.options, self.initial);
            let depth = walk.trace.len() as u32;
            tallies.push(Tally {
                walk: number,
                n_walks: 1,
                states: depth.into(),
                generated: walk.generated,
                depth,
            });
            self.tell(index, depth, walk.generated);
            self.report(number, walk.end);
            if tallies.len() >= FOLD_AT {
                self.fold(&mut tallies);
            }
        }
    }

    /// Tells whoever watches of one walk more.
    fn tell(&self, index: usize, depth: u32, generated: u64) {
        let [walks, states, steps] = &self.done;
        let add = |to: &AtomicU64, n: u64| to.fetch_add(n, Ordering::Relaxed) + n;
        let progress = Progress {
            walks: add(walks, 1),
            distinct: add(states, depth.into()),
            generated: add(steps, generated),
            depth,
            ..Progress::default()
        };
        if index == 0 {
            self.options.observer.progress(&progress);
        }
    }

    fn report(&self, number: u64, end: WalkEnd) {
        let mut found = unpoisoned(self.found.lock());
        match end {
            WalkEnd::Violated(violation) if number < found.walk || found.violation.is_none() => {
                found.walk = number;
                found.violation = Some(violation);
            }
            WalkEnd::Interrupted(limit) => found.limit = Some(limit),
            _ => {}
        }
    }

    /// Adds up the tallies of walks before which nothing can be found any more.
    fn fold(&self, tallies: &mut Vec<Tally>) {
        let done = self
            .current
            .iter()
            .map(|it| it.load(Ordering::Relaxed))
            .min()
            .unwrap_or(0);
        let mut sum = Tally::default();
        tallies.retain(|tally| {
            if tally.walk < done {
                sum.n_walks += tally.n_walks;
                sum.states += tally.states;
                sum.generated += tally.generated;
                sum.depth = sum.depth.max(tally.depth);
            }
            tally.walk >= done
        });
        tallies.push(sum);
    }
}

fn take_walk<M: Model>(
    model: &M,
    worker: &mut M::Worker<'_>,
    walks: &Walks,
    index: u64,
    options: &Options<'_>,
    initial: &Choices,
) -> Walk {
    let mut random = Random::stream(walks.seed, index);
    let mut choices = Choices::new(model.n_slots(), options.limits.memory);
    let mut walk = Walk {
        trace: Vec::new(),
        end: WalkEnd::Stuck,
        generated: 0,
    };
    while (walk.trace.len() as u32) < walks.depth_max {
        if let Some(limit) = options.interruption() {
            walk.end = WalkEnd::Interrupted(limit);
            return walk;
        }
        let from = match walk.trace.last() {
            None => initial,
            Some(last) => {
                let violation = choices.of_successors(model, worker, last, &walk.trace, options.deadlock);
                walk.generated += choices.generated;
                if let Some(violation) = violation {
                    walk.trace.clone_from(&violation.trace);
                    walk.end = WalkEnd::Violated(violation);
                    return walk;
                }
                &choices
            }
        };
        if from.is_too_large {
            walk.end = WalkEnd::Interrupted(Limit::Memory);
            return walk;
        }
        match from.choose(model, worker, &mut random, &mut walk.trace) {
            Chosen::Step => {}
            Chosen::Nothing => return walk,
            Chosen::Violation(kind) => {
                let violation = Violation {
                    kind,
                    trace: walk.trace.clone(),
                    is_complete: true,
                };
                walk.end = WalkEnd::Violated(violation);
                return walk;
            }
        }
    }
    walk.end = WalkEnd::Depth;
    walk
}

/// The steps to choose from, and the first violation met while listing them.
struct Choices {
    n_slots: usize,
    states: Vec<u32>,
    actions: Vec<u32>,
    generated: u64,
    last_action: u32,
    violated: Option<(u32, Step)>,
    bytes_max: usize,
    is_too_large: bool,
}

enum Chosen {
    /// The trace has one state more.
    Step,
    Nothing,
    /// The trace has one state more, and that violates.
    Violation(ViolationKind),
}

impl Choices {
    fn new(n_slots: usize, memory_max: Option<usize>) -> Choices {
        Choices {
            n_slots,
            states: Vec::new(),
            actions: Vec::new(),
            generated: 0,
            last_action: 0,
            violated: None,
            bytes_max: memory_max.unwrap_or(usize::MAX),
            is_too_large: false,
        }
    }

    fn of_initial<M: Model>(&mut self, model: &M, worker: &mut M::Worker<'_>) -> Option<Violation> {
        let done = model.initial(worker, self);
        self.verdict(done, &[], FaultAt::Initial)
    }

    fn of_successors<M: Model>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        last: &Step,
        trace: &[Step],
        checks_deadlock: bool,
    ) -> Option<Violation> {
        self.states.clear();
        self.actions.clear();
        self.generated = 0;
        let done = model.successors(worker, &last.state, trace.len() as u32, self);
        if done.is_ok() && self.generated == 0 && checks_deadlock {
            return Some(Violation {
                kind: ViolationKind::Deadlock,
                trace: trace.to_vec(),
                is_complete: true,
            });
        }
        self.verdict(done, trace, FaultAt::Successors)
    }

    fn verdict(&mut self, done: Result<(), Fault>, trace: &[Step], at: FaultAt) -> Option<Violation> {
        let mut trace = trace.to_vec();
        let kind = match (self.violated.take(), done) {
            (Some((property, step)), _) => {
                trace.push(step);
                ViolationKind::Property(property)
            }
            (None, Err(fault)) => ViolationKind::Fault { fault, at },
            (None, Ok(())) => return None,
        };
        Some(Violation {
            kind,
            trace,
            is_complete: true,
        })
    }

    /// Takes a step to a state inside the constraints; all of those are equally likely.
    fn choose<M: Model>(
        &self,
        model: &M,
        worker: &mut M::Worker<'_>,
        random: &mut Random,
        trace: &mut Vec<Step>,
    ) -> Chosen {
        let mut left: Vec<u32> = Vec::new();
        let mut n_left = self.actions.len();
        while n_left > 0 {
            // Mostly the first choice is fine; only otherwise is it worth listing the rest.
            let at = random.below(n_left);
            let it = if left.is_empty() { at } else { left[at] as usize };
            let state = &self.states[it * self.n_slots..(it + 1) * self.n_slots];
            let inspection = model.inspect(worker, state, trace.len() as u32 + 1);
            let step = || Step {
                state: state.to_vec(),
                action: self.actions[it],
            };
            match inspection {
                Err(fault) => {
                    trace.push(step());
                    return Chosen::Violation(ViolationKind::Fault {
                        fault,
                        at: FaultAt::Inspection,
                    });
                }
                Ok(inspection) => {
                    if let Some(property) = inspection.violated {
                        trace.push(step());
                        return Chosen::Violation(ViolationKind::Property(property));
                    }
                    if inspection.expand {
                        trace.push(step());
                        return Chosen::Step;
                    }
                }
            }
            if left.is_empty() {
                left = (0..n_left as u32).collect();
            }
            left.swap_remove(at);
            n_left -= 1;
        }
        Chosen::Nothing
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.violated.is_some() || self.is_too_large {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Sink for Choices {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(
        &mut self,
        state: &[u32],
        _hash: u64,
        _key: Option<(&[u32], u64)>,
        action: u32,
    ) -> ControlFlow<()> {
        self.flow()?;
        self.generated += 1;
        self.last_action = action;
        self.states.extend_from_slice(state);
        self.actions.push(action);
        self.is_too_large = (self.states.len() + self.actions.len()) * 4 > self.bytes_max;
        self.flow()
    }

    fn exclude(&mut self, action: u32) -> ControlFlow<()> {
        self.flow()?;
        self.generated += 1;
        self.last_action = action;
        ControlFlow::Continue(())
    }

    fn violation(&mut self, property: u32, state: &[u32]) -> ControlFlow<()> {
        if self.violated.is_none() {
            self.violated = Some((
                property,
                Step {
                    state: state.to_vec(),
                    action: self.last_action,
                },
            ));
        }
        ControlFlow::Break(())
    }
}
