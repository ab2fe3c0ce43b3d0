//! Random walks: for models too large to search, and for a first look at any.
//!
//! Walk number i of a seed is always the same walk, whoever walks it, so the first violation (that of the lowest
//! number), all counts and all statistics are the same for every number of workers.
//!
//! How the next step is chosen is the model's own matter ([`Model::walk`]): a language that knows actions chooses an action first, and
//! need not make the states that it does not go to. [`uniform_walk`] is for models that only know their successors.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::{Fault, Model, Sink};
use crate::options::{Limit, Options, Progress};
use crate::outcome::{FaultAt, Step, Violation, ViolationKind};
use crate::pool::unpoisoned;
use crate::random::Random;
use crate::statistics::{Statistics, WalkNotes};

/// Which walks to take.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    pub seed: u64,
    /// How many; `None` until a violation or a limit.
    pub n_walks: Option<u64>,
    /// States on a walk, at most.
    pub depth_max: u32,
    /// Whether to go on after a walk that violates something, and only count. An evaluation that fails ends it all the same.
    pub keep_going: bool,
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
    pub statistics: Statistics,
}

/// One walk.
#[derive(Debug)]
pub struct Walk {
    /// Of a walk that violates something, all of it; of others it need not be there.
    pub trace: Vec<Step>,
    pub end: WalkEnd,
    /// States on it.
    pub depth: u32,
    pub generated: u64,
    pub notes: WalkNotes,
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

/// What a walk is given beside the state that it begins in.
#[derive(Clone, Copy)]
pub struct WalkOptions<'a> {
    pub number: u64,
    /// States on it, at most.
    pub depth_max: u32,
    /// Whether a state without successors is a violation.
    pub deadlock: bool,
    pub options: &'a Options<'a>,
}

impl WalkOptions<'_> {
    /// Whether someone or something wants the walk to end now.
    pub fn interruption(&self) -> Option<Limit> {
        self.options.interruption()
    }
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
            statistics: Statistics::default(),
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
    let mut tallies = std::thread::scope(|scope| {
        let shared = &shared;
        let others: Vec<_> = (1..workers)
            .map(|index| {
                scope.spawn(move || {
                    let mut worker = shared.model.worker(index);
                    let tally = shared.work(&mut worker, index);
                    shared.model.end_walks(&mut worker, index);
                    tally
                })
            })
            .collect();
        let mut tallies = vec![shared.work(&mut first, 0)];
        model.end_walks(&mut first, 0);
        for other in others {
            tallies.push(
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        tallies
    });
    let found = unpoisoned(shared.found.into_inner());
    let mut total = Total::default();
    for tally in &mut tallies {
        // With `keep_going` every walk counts, those after the first violation too.
        let last = match (&found.violation, walks.keep_going) {
            (Some(_), false) => found.walk,
            _ => u64::MAX,
        };
        tally.fold(last);
        total.add(&tally.sum);
    }
    let limit = found.limit.filter(|_| found.violation.is_none());
    Simulation {
        violation: found.violation.map(|it| (found.walk, it)),
        limit,
        walks: total.walks,
        states: total.states,
        generated: total.generated + initial.generated,
        depth: total.depth,
        statistics: total.statistics,
    }
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
            depth: 1,
            generated: initial.generated,
            notes: WalkNotes::default(),
        };
    }
    take_walk(model, worker, walks, index, options, &initial)
}

/// Counts of walks whose numbers no longer matter.
#[derive(Default)]
struct Total {
    walks: u64,
    states: u64,
    generated: u64,
    depth: u32,
    statistics: Statistics,
}

impl Total {
    fn add(&mut self, other: &Total) {
        self.walks += other.walks;
        self.states += other.states;
        self.generated += other.generated;
        self.depth = self.depth.max(other.depth);
        self.statistics.merge(&other.statistics);
    }
}

/// What one worker has counted.
#[derive(Default)]
struct Tally {
    /// Walks that might still turn out to be after the first violation, by their numbers, which grow.
    pending: Vec<(u64, Counted)>,
    sum: Total,
}

/// One walk.
struct Counted {
    depth: u32,
    generated: u64,
    end: Ending,
    notes: WalkNotes,
}

/// How a walk ended, for the statistics.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Depth,
    Stuck,
    /// By the number of a property, or a deadlock.
    Violated(Option<u32>),
    /// It says nothing about how walks end.
    Cut,
}

impl Tally {
    /// Adds up the walks before which nothing can be found any more: those up to this number.
    fn fold(&mut self, last: u64) {
        let sum = &mut self.sum;
        self.pending.retain(|(number, walk)| {
            if *number <= last {
                sum.walks += 1;
                sum.states += u64::from(walk.depth);
                sum.generated += walk.generated;
                sum.depth = sum.depth.max(walk.depth);
                sum.statistics.count(walk.depth, walk.end, &walk.notes);
            }
            *number > last
        });
    }
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
    /// Walks until there is nothing left to do.
    fn work(&self, worker: &mut M::Worker<'_>, index: usize) -> Tally {
        const FOLD_AT: usize = 64;
        let mut tally = Tally::default();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            self.current[index].store(number, Ordering::Relaxed);
            if self.is_over(number) {
                self.current[index].store(u64::MAX, Ordering::Relaxed);
                return tally;
            }
            let walk = take_walk(self.model, worker, self.walks, number, self.options, self.initial);
            self.tell(index, walk.depth, walk.generated);
            let counted = Counted {
                depth: walk.depth,
                generated: walk.generated,
                end: Ending::of(&walk.end),
                notes: walk.notes,
            };
            tally.pending.push((number, counted));
            self.report(number, walk.end);
            if tally.pending.len() >= FOLD_AT {
                tally.fold(self.last_certain());
            }
        }
    }

    fn is_over(&self, number: u64) -> bool {
        let found = unpoisoned(self.found.lock());
        let is_last = match &found.violation {
            Some(violation) if !self.goes_on_after(violation) => number >= found.walk,
            _ => self.walks.n_walks.is_some_and(|it| number >= it),
        };
        found.limit.is_some() || is_last
    }

    fn goes_on_after(&self, violation: &Violation) -> bool {
        self.walks.keep_going && !matches!(violation.kind, ViolationKind::Fault { .. })
    }

    /// The walk up to which no walk can turn out to be after the first violation.
    fn last_certain(&self) -> u64 {
        if self.walks.keep_going {
            return u64::MAX;
        }
        let current = self.current.iter().map(|it| it.load(Ordering::Relaxed));
        current.min().unwrap_or(0).saturating_sub(1)
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
            WalkEnd::Violated(violation) => {
                // An evaluation that failed is no violation to be counted: it is told, whatever else was found before.
                let before = match &found.violation {
                    None => true,
                    Some(known) => {
                        let rank = |it: &Violation, number| (self.goes_on_after(it), number);
                        rank(&violation, number) < rank(known, found.walk)
                    }
                };
                if before {
                    found.walk = number;
                    found.violation = Some(violation);
                }
            }
            WalkEnd::Interrupted(limit) => found.limit = Some(limit),
            WalkEnd::Depth | WalkEnd::Stuck => {}
        }
    }
}

impl Ending {
    fn of(end: &WalkEnd) -> Ending {
        match end {
            WalkEnd::Depth => Ending::Depth,
            WalkEnd::Stuck => Ending::Stuck,
            WalkEnd::Interrupted(_) => Ending::Cut,
            WalkEnd::Violated(violation) => match violation.kind {
                ViolationKind::Property(number) => Ending::Violated(Some(number)),
                ViolationKind::Deadlock => Ending::Violated(None),
                ViolationKind::Fault { .. } => Ending::Cut,
            },
        }
    }
}

/// Chooses where to begin, and lets the model go on.
fn take_walk<M: Model>(
    model: &M,
    worker: &mut M::Worker<'_>,
    walks: &Walks,
    index: u64,
    options: &Options<'_>,
    initial: &Choices,
) -> Walk {
    let mut random = Random::stream(walks.seed, index);
    let mut trace = vec![];
    let ended = |end, trace: Vec<Step>| Walk {
        depth: trace.len() as u32,
        trace,
        end,
        generated: 0,
        notes: WalkNotes::default(),
    };
    if initial.is_too_large {
        return ended(WalkEnd::Interrupted(Limit::Memory), trace);
    }
    if walks.depth_max == 0 {
        return ended(WalkEnd::Depth, trace);
    }
    match initial.choose(model, worker, &mut random, &mut trace) {
        Chosen::Step => {}
        Chosen::Nothing => return ended(WalkEnd::Stuck, trace),
        Chosen::Violation(kind) => {
            let violation = Violation {
                kind,
                trace: trace.clone(),
                is_complete: true,
            };
            return ended(WalkEnd::Violated(violation), trace);
        }
    }
    let how = WalkOptions {
        number: index,
        depth_max: walks.depth_max,
        deadlock: options.deadlock,
        options,
    };
    let Some(start) = trace.pop() else {
        return ended(WalkEnd::Stuck, trace);
    };
    model.walk(worker, start, &mut random, &how)
}

/// A walk on which all successors of a state are equally likely; it lists them all.
pub fn uniform_walk<M: Model>(
    model: &M,
    worker: &mut M::Worker<'_>,
    start: Step,
    random: &mut Random,
    how: &WalkOptions<'_>,
) -> Walk {
    let mut walk = Walk {
        trace: vec![start],
        end: WalkEnd::Depth,
        depth: 1,
        generated: 0,
        notes: WalkNotes::default(),
    };
    let mut choices = Choices::new(model.n_slots(), how.options.limits.memory);
    walk.end = loop {
        walk.depth = walk.trace.len() as u32;
        if walk.depth >= how.depth_max {
            break WalkEnd::Depth;
        }
        if let Some(limit) = how.interruption() {
            break WalkEnd::Interrupted(limit);
        }
        let violation = choices.of_successors(model, worker, &walk.trace, how.deadlock);
        walk.generated += choices.generated;
        if let Some(violation) = violation {
            walk.trace.clone_from(&violation.trace);
            break WalkEnd::Violated(violation);
        }
        if choices.is_too_large {
            break WalkEnd::Interrupted(Limit::Memory);
        }
        match choices.choose(model, worker, random, &mut walk.trace) {
            Chosen::Step => {}
            Chosen::Nothing => break WalkEnd::Stuck,
            Chosen::Violation(kind) => {
                break WalkEnd::Violated(Violation {
                    kind,
                    trace: walk.trace.clone(),
                    is_complete: true,
                });
            }
        }
    };
    walk.depth = walk.trace.len() as u32;
    walk.notes.actions = walk.trace.iter().skip(1).map(|it| it.action).collect();
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
        trace: &[Step],
        checks_deadlock: bool,
    ) -> Option<Violation> {
        let last = trace.last()?;
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
