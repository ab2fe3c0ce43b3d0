//! What every worker decides at the end of a slice, from the same facts: whether it counts, and how to go on.

use explore::{
    DiskFailure, EventKind, Gathered, GraphFailure, Limit, Portable, Position, StateId, add_counts, bump,
    count_initial, count_steps, judge,
};

use crate::deduplicate::Fresh;
use crate::event::Event;
use crate::expand::Expansion;
use crate::partition::{Partition, Phase};
use crate::rank::Source;
use crate::recover::Then;
use crate::summary::{Summary, Totals};

/// A way from a violation back to an initial state.
#[derive(Clone, Debug)]
pub struct Path {
    /// The last step first.
    pub steps: Vec<u32>,
    /// The state whose origin is not known yet.
    pub from: StateId,
}

/// What ends the search, and what comes out.
#[derive(Clone, Default)]
pub struct Ending {
    pub limit: Option<Limit>,
    /// What files said when they failed.
    pub failure: Option<DiskFailure>,
    pub violations: Vec<Event>,
    pub paths: Vec<Path>,
    /// What all workers counted together.
    pub sum: Totals,
}

impl<M: Portable> Partition<'_, M> {
    /// Every worker has said its part about the slice; there are `total` states now, if all of it counts.
    pub(crate) fn end_slice(&mut self, total: u64) {
        self.memory = self.summaries.iter().map(|it| it.memory).sum();
        self.slice.events = self.summaries.iter().flat_map(|it| it.events.clone()).collect();
        if let Some(limit) = self.summaries.iter().find_map(|it| it.limit) {
            self.ending.failure = self.summaries.iter().find_map(|it| it.failure.clone());
            return self.give_up(limit);
        }
        if self.states_max().is_some_and(|it| total > it) {
            self.phase = Phase::Limit;
            return;
        }
        self.judge(total);
    }

    /// In a graph that is gathered, states have 32 bits.
    fn states_max(&self) -> Option<u64> {
        let options = self.ctx.options;
        let gathered = options.graph.then_some(Gathered::STATES_MAX);
        options.limits.states.into_iter().chain(gathered).min()
    }

    /// Everyone has been heard in a turn that is no slice.
    pub(crate) fn end_phase(&mut self) {
        match self.phase {
            Phase::Limit => {
                let first = self.summaries.iter().find_map(|it| it.state_limit);
                self.slice.events.extend(first.map(|position| Event {
                    position,
                    kind: EventKind::StateLimit,
                    last: None,
                }));
                self.judge(self.place.total);
            }
            Phase::Trace => self.climb(),
            Phase::Meet => self.agree(),
            Phase::Restore => self.end_restore(),
            Phase::Save => self.end_save(),
            Phase::Saved => self.end_saved(),
            Phase::Look => self.end_look(),
            _ => {
                for summary in &self.summaries {
                    if let Some(totals) = &summary.totals {
                        self.ending.sum.add(totals);
                    }
                }
                self.phase = Phase::Over;
            }
        }
    }

    fn judge(&mut self, total: u64) {
        let events = std::mem::take(&mut self.slice.events);
        let violations_max = self.ctx.options.violations_max;
        match judge(events, &mut self.ending.violations, violations_max) {
            None => self.insert(total),
            Some(stop) => {
                self.insert_up_to(stop.upto);
                match stop.is_state_limit {
                    true => self.give_up(Limit::States),
                    false => self.go_back(),
                }
            }
        }
    }

    /// The whole slice counts: its new states are states of the search.
    fn insert(&mut self, total: u64) {
        let has_labels = self.ctx.options.graph;
        let expansion = std::mem::replace(&mut self.slice.expansion, Expansion::new(has_labels));
        self.totals.generated += expansion.generated;
        add_counts(&mut self.totals.taken, &expansion.taken);
        self.place.generated += self.summaries.iter().map(|it| it.generated).sum::<u64>();
        self.write_log();
        let fresh = std::mem::take(&mut self.slice.fresh);
        self.deduplication.number(&fresh, &self.slice.numbers);
        let origins = fresh.sources.iter().zip(&fresh.actions);
        for (&number, (&(parent, step), &action)) in self.slice.numbers.iter().zip(origins) {
            self.lineage.push(number, parent, step);
            self.frontier.next.numbers.push(number);
            bump(&mut self.totals.found, action);
        }
        self.frontier.next.slots.extend_from_slice(&fresh.states);
        self.totals.distinct += fresh.sources.len() as u64;
        if let Some(gathering) = &mut self.gathering {
            if self.place.first == self.place.level_start {
                gathering.gathered.begin_level();
            }
            gathering.insert(self.place.total);
        }
        self.place.total = total;
        self.place.expanded = self.place.end;
        self.frontier.slice_start = self.frontier.cursor;
        match self.note_place() && self.summaries[0].is_due {
            true => self.save(Then::GoOn),
            false => self.go_on(),
        }
    }

    /// The next slice, if there is one.
    pub(crate) fn go_on(&mut self) {
        self.place.first = self.place.end;
        if self.place.end < self.place.level_end {
            return self.begin_slice();
        }
        if self.place.depth == 0 {
            self.totals.initial = self.totals.distinct;
            self.place.n_initial = self.place.total;
            return self.begin_level();
        }
        let is_watched = self.ctx.options.graph && self.ctx.options.halfway.is_some();
        match is_watched && self.place.looks.is_time(self.place.expanded) {
            true => self.phase = Phase::Look,
            false => self.begin_level(),
        }
    }

    /// The next level, if there is one.
    fn begin_level(&mut self) {
        if self.place.total == self.place.level_end {
            return self.go_back();
        }
        let depth = self.place.depth + 1;
        if self.ctx.options.limits.depth.is_some_and(|it| depth >= it) {
            return self.give_up(Limit::Depth);
        }
        self.place.depth = depth;
        self.place.level_start = self.place.level_end;
        self.place.level_end = self.place.total;
        self.frontier.turn();
        self.begin_slice();
    }

    fn begin_slice(&mut self) {
        self.phase = Phase::Expand;
        let len = self.summaries[0].slice_len.max(1);
        self.place.end = self.place.level_end.min(self.place.first + len);
    }

    /// Lets someone look at the graph, who may have seen enough.
    pub(crate) fn look(&mut self, summary: &mut Summary) {
        let memory = self.ctx.process_bytes();
        let Some(gathering) = &mut self.gathering else {
            return;
        };
        let n_initial = self.place.n_initial as u32;
        match gathering.look(n_initial, memory, self.ctx.options) {
            Ok(is_decided) => summary.is_decided = is_decided,
            Err(GraphFailure::Disk(failure)) => summary.failure = Some(failure),
            Err(GraphFailure::Limit(limit)) => summary.limit = Some(limit),
        }
    }

    fn end_look(&mut self) {
        if let Some(failure) = self.failed_elsewhere() {
            return self.fail(failure);
        }
        match self.summaries[0].is_decided {
            true => {
                self.ending.limit = Some(Limit::Decided);
                self.go_back();
            }
            false => self.begin_level(),
        }
    }

    /// What comes after `stop` has not happened: the steps before it are counted anew.
    fn insert_up_to(&mut self, stop: Position) {
        let fresh = std::mem::take(&mut self.slice.fresh);
        let counts = |&(parent, step): &Source| Position::of_state(parent, step) <= stop;
        let n = fresh.sources.partition_point(counts);
        self.totals.distinct += n as u64;
        for &action in &fresh.actions[..n] {
            bump(&mut self.totals.found, action);
        }
        let taken = match self.place.depth {
            0 => self.recount_initial(stop),
            _ => {
                self.place.expanded = stop.parent.next().0;
                self.recount(stop)
            }
        };
        self.totals.generated += taken.iter().sum::<u64>();
        add_counts(&mut self.totals.taken, &taken);
    }

    fn recount_initial(&mut self, stop: Position) -> Vec<u64> {
        match self.ctx.seat.is_first() {
            true => count_initial(self.ctx.model, &mut self.worker, stop.n_steps()),
            false => vec![],
        }
    }

    /// The steps of this worker's states of the slice up to a position.
    fn recount(&mut self, stop: Position) -> Vec<u64> {
        let (model, level, depth) = (self.ctx.model, &self.frontier.level, self.place.depth);
        let mut taken = vec![];
        for at in self.frontier.slice_start..level.numbers.len() {
            let number = level.numbers[at];
            if number > stop.parent {
                break;
            }
            let state = level.state(at, model.n_slots());
            let steps = count_steps(model, &mut self.worker, state, depth, stop.n_steps_of(number));
            add_counts(&mut taken, &steps);
        }
        taken
    }

    /// Where the first state beyond the limit was found, if it is one of this worker.
    pub(crate) fn state_limit(&self) -> Option<Position> {
        let states_max = self.states_max()?;
        let at = self.slice.numbers.iter().position(|it| it.0 == states_max)?;
        let (parent, step) = self.slice.fresh.sources[at];
        Some(Position::of_state(parent, step))
    }

    /// The search is over: rebuild the way to each violation, if there are any.
    pub(crate) fn go_back(&mut self) {
        self.slice.fresh = Fresh::default();
        let violations = self.ending.violations.iter();
        self.ending.paths = violations
            .map(|it| Path {
                steps: vec![],
                from: it.position.parent,
            })
            .collect();
        self.phase = match self.ending.paths.iter().any(|it| it.from != StateId::NONE) {
            true => Phase::Trace,
            false => Phase::Finish,
        };
    }

    /// The parts of the ways back that this worker knows.
    pub(crate) fn climbed(&self) -> Vec<(usize, Vec<u32>, StateId)> {
        let paths = self.ending.paths.iter().enumerate();
        let open = paths.filter(|(_, it)| it.from != StateId::NONE);
        open.filter_map(|(i, it)| {
            let (steps, from) = self.lineage.climb(it.from)?;
            Some((i, steps, from))
        })
        .collect()
    }

    fn climb(&mut self) {
        let mut has_climbed = false;
        for summary in &self.summaries {
            for (violation, steps, from) in &summary.climbed {
                if let Some(path) = self.ending.paths.get_mut(*violation) {
                    path.steps.extend(steps);
                    path.from = *from;
                    has_climbed = true;
                }
            }
        }
        // Without an answer there is none to come.
        if !has_climbed || self.ending.paths.iter().all(|it| it.from == StateId::NONE) {
            self.phase = Phase::Finish;
        }
    }
}
