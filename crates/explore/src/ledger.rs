//! The books of a search: counts, states found, violations, and whether to go on.

use crate::chunk::{Chunk, Event, EventKind};
use crate::codec::{Decoder, Encoder};
use crate::counts::{action_counts, add_counts};
use crate::disk::{Disk, DiskFailure, Folder, Piece};
use crate::frontier::Level;
use crate::graph::EdgeLog;
use crate::model::Model;
use crate::options::{Limit, Options, Store};
use crate::order::{Position, StateId, Stop, judge};
use crate::outcome::{Outcome, Stats, Step, Verdict, Violation, ViolationKind};
use crate::space::{NO_PARENT, StateSpace};

#[derive(Default)]
pub(crate) struct Ledger {
    pub(crate) generated: u64,
    pub(crate) initial: u64,
    /// States taken off the queue.
    pub(crate) expanded: u64,
    taken: Vec<u64>,
    found: Vec<u64>,
    pub(crate) space: StateSpace,
    /// States found at the depth after the one being expanded.
    pub(crate) next: Level,
    /// Steps between states, if the graph is asked for.
    pub(crate) edges: EdgeLog,
    violations: Vec<Event>,
    pub(crate) limit: Option<Limit>,
    pub(crate) failure: Option<DiskFailure>,
    violations_max: usize,
    states_max: u64,
}

/// In a checkpoint: a deadlock in the place of a property.
const DEADLOCK: u64 = u64::MAX;

impl Ledger {
    pub(crate) fn new(options: &Options<'_>) -> Ledger {
        Ledger {
            violations_max: options.violations_max.max(1),
            // Numbers of states have 32 bits, and one of them is taken.
            states_max: options
                .limits
                .states
                .unwrap_or(u64::MAX)
                .min(u64::from(NO_PARENT)),
            ..Ledger::default()
        }
    }

    pub(crate) fn distinct(&self) -> u64 {
        u64::from(self.space.len())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.space.bytes() + self.next.bytes() + self.edges.bytes()
    }

    /// Whether the candidates might be more than the limit on states allows.
    pub(crate) fn may_reach_state_limit(&self, n_candidates: usize) -> bool {
        self.distinct() + n_candidates as u64 > self.states_max
    }

    /// The event of finding one state too many, if the deduplicated chunks, in order, do.
    pub(crate) fn state_limit_event<'c>(&self, chunks: impl Iterator<Item = &'c Chunk>) -> Option<Event> {
        let mut left = self.states_max - self.distinct();
        for chunk in chunks {
            for it in (0..chunk.len()).filter(|&it| chunk.is_new(it)) {
                if left == 0 {
                    return Some(Event {
                        position: chunk.origins[it].position(),
                        kind: EventKind::StateLimit,
                        last: None,
                    });
                }
                left -= 1;
            }
        }
        None
    }

    /// Enters the events of a batch in the order of the search; gives where to stop, if anywhere.
    pub(crate) fn judge(&mut self, events: Vec<Event>) -> Option<Stop> {
        let stop = judge(events, &mut self.violations, self.violations_max);
        if stop.is_some_and(|it| it.is_state_limit) {
            self.limit = Some(Limit::States);
        }
        stop
    }

    pub(crate) fn has_violations(&self) -> bool {
        !self.violations.is_empty()
    }

    /// Enters a inserted chunk.
    pub(crate) fn enter(&mut self, chunk: &mut Chunk) {
        self.enter_steps(chunk.generated, &chunk.taken);
        self.enter_states(chunk);
    }

    pub(crate) fn enter_steps(&mut self, generated: u64, taken: &[u64]) {
        self.generated += generated;
        add_counts(&mut self.taken, taken);
    }

    /// Takes back all steps entered so far.
    pub(crate) fn reset_steps(&mut self) {
        self.generated = 0;
        self.taken.clear();
    }

    pub(crate) fn enter_states(&mut self, chunk: &mut Chunk) {
        add_counts(&mut self.found, &chunk.found);
        self.space.append(&chunk.lineage);
        self.next.append(&mut chunk.blocks);
        self.edges.append(&chunk.recording.block);
    }

    /// Closes the books. `worker` rebuilds the traces; `memory` is what search and model hold.
    pub(crate) fn close<M: Model>(
        mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        store: Store,
        memory: usize,
        memory_visited: usize,
        disk: u64,
    ) -> Outcome {
        let violations: Vec<Violation> = std::mem::take(&mut self.violations)
            .into_iter()
            .map(|it| self.tell(model, worker, it))
            .collect();
        let distinct = self.distinct();
        let stats = Stats {
            generated: self.generated,
            distinct,
            initial: self.initial,
            queue: distinct - self.expanded.min(distinct),
            depth: self.space.depth(),
            actions: action_counts(&self.taken, &self.found),
            memory,
            memory_visited: memory_visited + self.space.bytes(),
            disk,
            collision_probability: match store {
                Store::Exact => 0.0,
                // Each step to a known state may have been to a new one with the hash of any other.
                Store::Fingerprint | Store::Disk => {
                    let known = self.generated.saturating_sub(distinct) as f64;
                    (distinct as f64 * known / 2f64.powi(64)).min(1.0)
                }
            },
        };
        Outcome {
            verdict: Verdict::of(!violations.is_empty(), self.limit),
            violations,
            limit: self.limit,
            failure: self.failure,
            stats,
            space: self.space,
            graph: None,
        }
    }

    /// Bytes that the next batches may take at once.
    pub(crate) fn growth(&self) -> usize {
        self.space.growth() + self.edges.growth()
    }

    /// Bytes in files.
    pub(crate) fn size(&self) -> u64 {
        self.next.size() + self.space.size() + self.edges.size()
    }

    /// Files that `save` named.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        [self.space.pieces(), self.edges.pieces()].concat()
    }

    /// Writes down the counts, the violations so far, the states found and their steps. The queue is written elsewhere.
    pub(crate) fn save(&mut self, folder: &mut Folder<'_>, to: &mut Encoder) -> Result<(), DiskFailure> {
        to.numbers(&[self.generated, self.initial, self.expanded]);
        to.numbers(&self.taken);
        to.numbers(&self.found);
        to.list(&self.violations, |to, event| {
            to.number(event.position.parent.0);
            to.number(event.position.rank);
            to.number(match event.kind {
                EventKind::Property(property) => u64::from(property),
                // The others end the search.
                _ => DEADLOCK,
            });
            to.list(event.last.as_slice(), |to, (state, action)| {
                to.number(u64::from(*action));
                to.list(state, |to, &slot| to.number(u64::from(slot)));
            });
        });
        self.space.save(folder, to)?;
        self.edges.save(folder, to)
    }

    /// The reverse of `save`, into new books. `None` if it makes no sense.
    pub(crate) fn load(
        &mut self,
        from: &mut Decoder<'_>,
        disk: &dyn Disk,
        translate: &mut dyn FnMut(u32) -> Option<u32>,
    ) -> Option<Result<(), DiskFailure>> {
        [self.generated, self.initial, self.expanded] = from.numbers()?.try_into().ok()?;
        self.taken = from.numbers()?;
        self.found = from.numbers()?;
        self.violations = from.list(|from| {
            let position = Position {
                parent: StateId(from.number()?),
                rank: from.number()?,
            };
            let kind = match from.number()? {
                DEADLOCK => EventKind::Deadlock,
                property => EventKind::Property(property.try_into().ok()?),
            };
            let mut steps = from.list(|from| {
                let action = from.word()?;
                let state = from.list(|from| translate(from.word()?))?;
                Some((state, action))
            })?;
            let last = steps.pop();
            Some(Event { position, kind, last })
        })?;
        match StateSpace::load(from, disk)? {
            Ok(space) => self.space = space,
            Err(failure) => return Some(Err(failure)),
        }
        match EdgeLog::load(from, disk)? {
            Ok(edges) => self.edges = edges,
            Err(failure) => return Some(Err(failure)),
        }
        Some(Ok(()))
    }

    fn tell<M: Model>(&self, model: &M, worker: &mut M::Worker<'_>, event: Event) -> Violation {
        let path = match event.position.parent {
            StateId::NONE => Vec::new(),
            parent => self.space.path_to(parent.0 as u32),
        };
        let replayed = StateSpace::replay(model, worker, &path);
        let is_complete = replayed.is_some();
        let mut trace = replayed.unwrap_or_default();
        trace.extend(event.last.map(|(state, action)| Step { state, action }));
        let kind = match event.kind {
            EventKind::Property(property) => ViolationKind::Property(property),
            EventKind::Deadlock => ViolationKind::Deadlock,
            EventKind::Fault(fault, at) => ViolationKind::Fault { fault, at },
            EventKind::StateLimit => unreachable!("a limit is no violation"),
        };
        Violation {
            kind,
            trace,
            is_complete,
        }
    }
}
