//! One worker's share of a search: the states it owns, and its part in every decision.
//!
//! The search goes level by level, and through a level in *slices* of consecutive numbers. For each slice a worker expands
//! its own states (`expand`), takes in the candidates that are its own (`arrive`), settles them when all are there
//! (`close`), ranks the new states of a part of the slice (`rank`), and learns the numbers of its new states and what
//! all others have to say (`number`). Then every worker decides, from the same facts, the same thing. A slice is bounded, so
//! what is under way is: a fast worker waits for a slow one instead of burying it.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use explore::{
    DiskFailure, EventKind, Limit, Options, Portable, Position, StateId, Tally, add_counts, bump, judge,
};

use crate::batch::Inbox;
use crate::bytes::Damaged;
use crate::event::Event;
use crate::expand::{Beginning, Books, Expanding, Sending};
use crate::lineage::Lineage;
use crate::pace::Pace;
use crate::parcel::Parcel;
use crate::rank::{Division, Source, rank, read_places, read_sources, write_sources};
use crate::recover::{Recovery, Then};
use crate::settle::{Fresh, Settling};
use crate::summary::{Summary, Totals, read_with, write_with};

/// What the workers of a process have in common.
pub struct Process<'a> {
    /// Bytes that each of its workers holds.
    pub held: Vec<AtomicUsize>,
    /// Whether another process is gone.
    pub is_cut_off: &'a (dyn Fn() -> bool + Sync),
    /// Bytes sent to other processes so far.
    pub bytes_sent: &'a (dyn Fn() -> u64 + Sync),
    /// Which process it is, and of how many.
    pub index: usize,
    pub processes: usize,
    /// Whether all processes have one folder for their checkpoints, or each its own.
    pub is_folder_shared: bool,
}

/// Which of all workers this is.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    pub index: usize,
    pub peers: usize,
    /// Its place among the workers of its process.
    pub here: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Which checkpoint do the processes have?
    Meet,
    /// What an interrupted search knew is read from its logs.
    Restore,
    Initial,
    Expand,
    /// Logs are made safe for a checkpoint.
    Save,
    /// They are, and whoever keeps a folder has written its record.
    Saved,
    /// More states than the limit allows were found: where was the first of them?
    Limit,
    /// From violations back to initial states.
    Trace,
    /// Everyone's counts.
    Finish,
    Over,
}

/// The states of one depth that this worker owns.
#[derive(Default)]
pub struct Level {
    pub numbers: Vec<StateId>,
    pub slots: Vec<u32>,
}

impl Level {
    fn bytes(&self) -> usize {
        self.numbers.capacity() * 8 + self.slots.capacity() * 4
    }
}

/// A way from a violation back to an initial state.
#[derive(Clone, Debug)]
pub struct Path {
    /// The last step first.
    pub steps: Vec<u32>,
    /// The state whose origin is not known yet.
    pub from: StateId,
}

pub struct Share<'a, M: Portable> {
    pub(crate) model: &'a M,
    pub(crate) options: &'a Options<'a>,
    pub(crate) process: &'a Process<'a>,
    pub(crate) seat: Seat,
    pub worker: M::Worker<'a>,
    pub(crate) sending: Sending<M>,
    pub(crate) settling: Settling,
    pub(crate) inboxes: Vec<Inbox>,
    pub(crate) lineage: Lineage,
    pub(crate) level: Level,
    pub(crate) next: Level,
    /// States of the level that are expanded, and of these, those of slices before.
    pub(crate) cursor: usize,
    pub(crate) slice_start: usize,
    // Where the search is: the same for all workers.
    pub(crate) phase: Phase,
    /// The depth of the states being expanded; zero for the initial slice.
    pub(crate) depth: u32,
    /// The slice has the numbers `first..end`, the level ends before `level_end`, and `total` numbers are given out.
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) level_end: u64,
    pub(crate) total: u64,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) memory: u64,
    pub(crate) limit: Option<Limit>,
    pub(crate) violations: Vec<Event>,
    pub(crate) paths: Vec<Path>,
    // The slice.
    pub(crate) books: Books,
    pub(crate) n_initial: u32,
    pub(crate) fresh: Fresh,
    pub(crate) numbers: Vec<StateId>,
    pub(crate) events: Vec<Event>,
    pub(crate) summaries: Vec<Summary>,
    pub(crate) pace: Pace,
    pub(crate) totals: Totals,
    pub(crate) sum: Totals,
    /// Checkpoints, if there are any, and what files said when they failed.
    pub(crate) recovery: Option<Recovery<'a, M>>,
    pub(crate) failure: Option<DiskFailure>,
}

/// What came out, as every worker knows it.
pub struct Conclusion {
    pub sum: Totals,
    pub violations: Vec<Event>,
    pub paths: Vec<Path>,
    pub limit: Option<Limit>,
    pub failure: Option<DiskFailure>,
    pub depth: u32,
    pub expanded: u64,
}

/// Candidates that one call of `expand` makes, about: in between, others are heard.
const PIECE: u64 = 1 << 12;

impl<'a, M: Portable> Share<'a, M> {
    pub fn new(model: &'a M, options: &'a Options<'a>, process: &'a Process<'a>, seat: Seat) -> Share<'a, M> {
        let n_slots = model.n_slots();
        let recovery = Recovery::new(options, process, seat);
        Share {
            phase: match &recovery {
                Some(recovery) => recovery.first_phase(),
                None => Phase::Initial,
            },
            settling: Settling::new(n_slots, recovery.is_some()),
            recovery,
            failure: None,
            model,
            options,
            process,
            seat,
            worker: model.worker(seat.here),
            sending: Sending::new(seat.peers, n_slots),
            inboxes: (0..seat.peers).map(|_| Inbox::default()).collect(),
            lineage: Lineage::default(),
            level: Level::default(),
            next: Level::default(),
            cursor: 0,
            slice_start: 0,
            depth: 0,
            first: 0,
            end: 0,
            level_end: 0,
            total: 0,
            expanded: 0,
            generated: 0,
            memory: 0,
            limit: None,
            violations: vec![],
            paths: vec![],
            books: Books::default(),
            n_initial: 0,
            fresh: Fresh::default(),
            numbers: vec![],
            events: vec![],
            summaries: vec![Summary::default(); seat.peers],
            pace: Pace::new(seat.peers),
            totals: Totals::default(),
            sum: Totals::default(),
        }
    }

    pub fn conclusion(&self) -> Conclusion {
        // States beyond the level that was being expanded make one level more.
        let is_deeper = self.sum.distinct > self.level_end;
        Conclusion {
            sum: self.sum.clone(),
            violations: self.violations.clone(),
            paths: self.paths.clone(),
            limit: self.limit,
            failure: self.failure.clone(),
            depth: self.depth + u32::from(is_deeper),
            expanded: self.expanded,
        }
    }

    /// How far the search is, for whoever must report without an end.
    pub fn reached(&self) -> explore::Progress {
        explore::Progress {
            generated: self.generated,
            distinct: self.total,
            queue: self.total - self.expanded.min(self.total),
            depth: self.depth + u32::from(self.total > self.level_end),
            memory: self.memory as usize,
            walks: 0,
        }
    }

    fn stops_at_event(&self) -> bool {
        self.options.violations_max <= 1
    }

    /// Expands some states of the slice. Gives what is to be sent, and whether there is more to expand.
    pub fn expand(&mut self) -> (Vec<Parcel>, bool) {
        let mut full = vec![];
        let has_more = match self.phase {
            Phase::Initial => {
                self.pace.begin(self.options);
                self.begin();
                false
            }
            Phase::Expand => {
                if self.cursor == self.slice_start {
                    self.pace.begin(self.options);
                }
                self.expand_piece(&mut full)
            }
            Phase::Restore => {
                self.restore();
                false
            }
            _ => false,
        };
        if !has_more {
            full.extend(self.sending.flush());
            // Everyone has something to settle, if only that there is nothing.
            full.push((self.seat.index, vec![]));
        }
        let parcels = full
            .into_iter()
            .map(|(to, bytes)| self.parcel(to, &bytes))
            .collect();
        (parcels, has_more)
    }

    fn parcel(&self, to: usize, bytes: &[u8]) -> Parcel {
        Parcel::new(self.seat.index, to, bytes)
    }

    fn begin(&mut self) {
        if !self.first_checkpoint() {
            return;
        }
        let (options, process, model) = (self.options, self.process, self.model);
        let interruption = || interruption(options, process, model);
        let mut beginning = Beginning {
            index: self.seat.index,
            peers: self.seat.peers,
            interruption: &interruption,
            settling: &mut self.settling,
            books: &mut self.books,
            n_steps: 0,
        };
        beginning.run(model, &mut self.worker);
        self.n_initial = beginning.n_steps;
    }

    fn expand_piece(&mut self, full: &mut Vec<(usize, Vec<u8>)>) -> bool {
        let (options, process, model) = (self.options, self.process, self.model);
        let interruption = || interruption(options, process, model);
        let n_slots = model.n_slots();
        let enough = self.books.generated + PIECE;
        let mut sink = Expanding {
            model,
            index: self.seat.index,
            peers: self.seat.peers,
            stops_at_event: options.violations_max <= 1,
            interruption: &interruption,
            sending: &mut self.sending,
            settling: &mut self.settling,
            books: &mut self.books,
            full,
            parent: StateId::NONE,
            n_steps: 0,
            last_action: 0,
        };
        let mut n_expanded = 0;
        let mut has_more = false;
        while let Some(&number) = self.level.numbers.get(self.cursor)
            && number.0 < self.end
            && !sink.books.is_halted
        {
            has_more = sink.books.generated >= enough || n_expanded >= PIECE;
            if has_more {
                break;
            }
            let state = &self.level.slots[self.cursor * n_slots..(self.cursor + 1) * n_slots];
            sink.expand(&mut self.worker, state, number, self.depth, options.deadlock);
            self.cursor += 1;
            n_expanded += 1;
        }
        if has_more {
            self.process.held[self.seat.here].store(self.bytes(), Relaxed);
        }
        has_more
    }

    /// Takes in candidates from another worker.
    pub fn arrive(&mut self, parcels: &[Parcel]) -> Result<(), Damaged> {
        for parcel in parcels.iter().filter(|it| !it.body().is_empty()) {
            let settling = &mut self.settling;
            let inbox = self.inboxes.get_mut(parcel.from()).ok_or(Damaged)?;
            inbox.read(
                self.model,
                &mut self.worker,
                parcel.body(),
                |origin, state, key| {
                    settling.arrive(origin, state, key);
                },
            )?;
        }
        Ok(())
    }

    /// All candidates are there. Gives a message for every worker.
    pub fn close(&mut self) -> Vec<Parcel> {
        let mut summary = Summary {
            slice_len: self.pace.len,
            ..Summary::default()
        };
        match self.phase {
            Phase::Initial | Phase::Expand => self.settle(&mut summary),
            Phase::Meet | Phase::Restore | Phase::Save | Phase::Saved => self.tell_files(&mut summary),
            Phase::Limit => summary.state_limit = self.state_limit(),
            Phase::Trace => {
                let paths = self.paths.iter().enumerate();
                let open = paths.filter(|(_, it)| it.from != StateId::NONE);
                summary.climbed = open
                    .filter_map(|(i, it)| {
                        let (steps, from) = self.lineage.climb(it.from)?;
                        Some((i, steps, from))
                    })
                    .collect();
            }
            Phase::Finish | Phase::Over => summary.totals = Some(self.own_totals()),
        }
        let mut written = vec![];
        summary.write(&mut written);
        let division = self.division();
        let mut from = 0;
        (0..self.seat.peers)
            .map(|to| {
                let sources = &self.fresh.sources[from..];
                let n = sources.partition_point(|&it| division.ranker(it) <= to);
                from += n;
                let mut rest = vec![];
                write_sources(&mut rest, &sources[..n]);
                self.parcel(to, &write_with(&written, &rest))
            })
            .collect()
    }

    fn division(&self) -> Division {
        let (first, len) = match self.phase {
            Phase::Initial => (0, u64::from(self.n_initial)),
            _ => (self.first, self.end - self.first),
        };
        Division {
            first,
            len,
            peers: self.seat.peers,
        }
    }

    fn settle(&mut self, summary: &mut Summary) {
        let stops_at_event = self.stops_at_event();
        if self.books.limit.is_none() {
            let (fresh, events) =
                self.settling
                    .close(self.model, &mut self.worker, self.depth + 1, stops_at_event);
            self.fresh = fresh;
            self.books.events.extend(events);
        }
        let bytes = self.bytes();
        self.process.held[self.seat.here].store(bytes, Relaxed);
        summary.generated = self.books.generated;
        summary.arrived = std::mem::take(&mut self.settling.n_arrived);
        summary.events = std::mem::take(&mut self.books.events);
        summary.limit = self
            .books
            .limit
            .or_else(|| interruption(self.options, self.process, self.model));
        self.watch_files(summary);
        if self.seat.here == 0 {
            summary.memory = process_bytes(self.process, self.model) as u64;
        }
        let n_states = self.end - self.first;
        let per_candidate = self.model.n_slots() * 4 + 64;
        summary.slice_len = self
            .pace
            .learn(self.options, n_states, summary.arrived, per_candidate);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.settling.bytes()
            + self.recovery.as_ref().map_or(0, |it| it.bytes(self.model))
            + self.sending.bytes(self.model)
            + self.lineage.bytes()
            + self.level.bytes()
            + self.next.bytes()
            + self.inboxes.iter().map(Inbox::bytes).sum::<usize>()
    }

    fn state_limit(&self) -> Option<Position> {
        let states_max = self.options.limits.states?;
        let at = self.numbers.iter().position(|it| it.0 == states_max)?;
        let (parent, step) = self.fresh.sources[at];
        Some(Position::of_state(parent, step))
    }

    fn own_totals(&self) -> Totals {
        let mut totals = self.totals.clone();
        totals.candidates_sent = self.sending.n_sent;
        totals.memory_visited = (self.settling.bytes_visited() + self.lineage.bytes()) as u64;
        totals.initial = match self.depth {
            0 => totals.distinct,
            _ => totals.initial,
        };
        if self.seat.here == 0 {
            add_counts(&mut totals.tallies, &self.model.tallies());
            totals.bytes_sent = (self.process.bytes_sent)();
            totals.memory = process_bytes(self.process, self.model) as u64;
        }
        totals
    }

    /// What all workers said at the end of the slice, and the origins that this one is to rank. Gives everyone an answer.
    pub fn rank(&mut self, parcels: &[Parcel]) -> Result<Vec<Parcel>, Damaged> {
        let mut by_owner = vec![vec![]; self.seat.peers];
        for parcel in parcels {
            let mut body = parcel.body();
            let (summary, mut rest) = read_with(&mut body)?;
            *self.summaries.get_mut(parcel.from()).ok_or(Damaged)? = summary;
            by_owner[parcel.from()] = read_sources(&mut rest)?;
        }
        let replies = rank(&by_owner);
        Ok(replies
            .iter()
            .enumerate()
            .map(|(to, it)| self.parcel(to, it))
            .collect())
    }

    /// The numbers of this worker's new states. Decides how to go on; false when there is nothing more to do.
    pub fn number(&mut self, parcels: &[Parcel]) -> Result<bool, Damaged> {
        let mut by_ranker = vec![(vec![], 0); self.seat.peers];
        for parcel in parcels {
            let place = by_ranker.get_mut(parcel.from()).ok_or(Damaged)?;
            *place = read_places(&mut parcel.body())?;
        }
        if matches!(self.phase, Phase::Initial | Phase::Expand) {
            let mut base = self.total;
            self.numbers.clear();
            for (places, total) in by_ranker {
                self.numbers.extend(places.iter().map(|it| StateId(base + it)));
                base += total;
            }
            if self.numbers.len() != self.fresh.sources.len() {
                return Err(Damaged);
            }
            self.end_slice(base);
        } else {
            self.end_phase();
        }
        if self.seat.here == 0 {
            self.options.observer.progress(&self.reached());
        }
        Ok(self.phase != Phase::Over)
    }

    /// Every worker has said its part about the slice; there are `total` states now, if all of it counts.
    fn end_slice(&mut self, total: u64) {
        self.memory = self.summaries.iter().map(|it| it.memory).sum();
        self.events = self.summaries.iter().flat_map(|it| it.events.clone()).collect();
        if let Some(limit) = self.summaries.iter().find_map(|it| it.limit) {
            self.failure = self.summaries.iter().find_map(|it| it.failure.clone());
            return self.give_up(limit);
        }
        if self.options.limits.states.is_some_and(|it| total > it) {
            self.phase = Phase::Limit;
            return;
        }
        self.judge(total);
    }

    fn end_phase(&mut self) {
        match self.phase {
            Phase::Limit => {
                let first = self.summaries.iter().find_map(|it| it.state_limit);
                self.events.extend(first.map(|position| Event {
                    position,
                    kind: EventKind::StateLimit,
                    last: None,
                }));
                self.judge(self.total);
            }
            Phase::Trace => self.climb(),
            Phase::Meet => self.agree(),
            Phase::Restore => self.end_restore(),
            Phase::Save => self.end_save(),
            Phase::Saved => self.end_saved(),
            _ => {
                for summary in &self.summaries {
                    if let Some(totals) = &summary.totals {
                        self.sum.add(totals);
                    }
                }
                self.phase = Phase::Over;
            }
        }
    }

    fn judge(&mut self, total: u64) {
        let events = std::mem::take(&mut self.events);
        match judge(events, &mut self.violations, self.options.violations_max) {
            None => self.commit(total),
            Some(stop) => {
                self.commit_up_to(stop.upto);
                match stop.is_state_limit {
                    true => self.give_up(Limit::States),
                    false => self.go_back(),
                }
            }
        }
    }

    /// The whole slice counts: its new states are states of the search.
    fn commit(&mut self, total: u64) {
        self.totals.generated += self.books.generated;
        add_counts(&mut self.totals.taken, &self.books.taken);
        self.generated += self.summaries.iter().map(|it| it.generated).sum::<u64>();
        self.write_log();
        let fresh = std::mem::take(&mut self.fresh);
        let origins = fresh.sources.iter().zip(&fresh.actions);
        for (&number, (&(parent, step), &action)) in self.numbers.iter().zip(origins) {
            self.lineage.push(number, parent, step);
            self.next.numbers.push(number);
            bump(&mut self.totals.found, action);
        }
        self.totals.distinct += fresh.sources.len() as u64;
        self.next.slots.extend_from_slice(&fresh.states);
        self.total = total;
        self.expanded = self.end;
        self.books = Books::default();
        self.slice_start = self.cursor;
        match self.note_place() && self.summaries[0].is_due {
            true => self.save(Then::GoOn),
            false => self.go_on(),
        }
    }

    /// The next slice, if there is one.
    pub(crate) fn go_on(&mut self) {
        self.first = self.end;
        if self.end == self.level_end {
            if self.depth == 0 {
                self.totals.initial = self.totals.distinct;
            }
            if self.total == self.level_end {
                return self.go_back();
            }
            let depth = self.depth + 1;
            if self.options.limits.depth.is_some_and(|it| depth >= it) {
                return self.give_up(Limit::Depth);
            }
            self.depth = depth;
            self.level_end = self.total;
            self.level = std::mem::take(&mut self.next);
            (self.cursor, self.slice_start) = (0, 0);
        }
        self.phase = Phase::Expand;
        let len = self.summaries[0].slice_len.max(1);
        self.end = self.level_end.min(self.first + len);
    }

    /// What comes after `stop` has not happened: the steps before it are counted anew.
    fn commit_up_to(&mut self, stop: Position) {
        let fresh = std::mem::take(&mut self.fresh);
        let counts = |&(parent, step): &Source| Position::of_state(parent, step) <= stop;
        let n = fresh.sources.partition_point(counts);
        self.totals.distinct += n as u64;
        for &action in &fresh.actions[..n] {
            bump(&mut self.totals.found, action);
        }
        let mut taken = vec![];
        if self.depth == 0 {
            if self.seat.index == 0 {
                let mut tally = Tally {
                    left: stop.n_steps(),
                    taken: vec![],
                };
                // The fault, if any, has been reported already; so below.
                let _ = self.model.initial(&mut self.worker, &mut tally);
                taken = tally.taken;
            }
        } else {
            let n_slots = self.model.n_slots();
            for at in self.slice_start..self.level.numbers.len() {
                let number = self.level.numbers[at];
                if number > stop.parent {
                    break;
                }
                let mut tally = Tally {
                    left: stop.n_steps_of(number),
                    taken: vec![],
                };
                let state = &self.level.slots[at * n_slots..(at + 1) * n_slots];
                let _ = self
                    .model
                    .successors(&mut self.worker, state, self.depth, &mut tally);
                add_counts(&mut taken, &tally.taken);
            }
            self.expanded = stop.parent.next().0;
        }
        self.totals.generated += taken.iter().sum::<u64>();
        add_counts(&mut self.totals.taken, &taken);
    }

    /// The search is over: rebuild the way to each violation, if there are any.
    pub(crate) fn go_back(&mut self) {
        self.fresh = Fresh::default();
        self.paths = self
            .violations
            .iter()
            .map(|it| Path {
                steps: vec![],
                from: it.position.parent,
            })
            .collect();
        self.phase = match self.paths.iter().any(|it| it.from != StateId::NONE) {
            true => Phase::Trace,
            false => Phase::Finish,
        };
    }

    fn climb(&mut self) {
        let mut has_climbed = false;
        for summary in &self.summaries {
            for (violation, steps, from) in &summary.climbed {
                if let Some(path) = self.paths.get_mut(*violation) {
                    path.steps.extend(steps);
                    path.from = *from;
                    has_climbed = true;
                }
            }
        }
        // Without an answer there is none to come.
        if !has_climbed || self.paths.iter().all(|it| it.from == StateId::NONE) {
            self.phase = Phase::Finish;
        }
    }
}

pub(crate) fn process_bytes<M: Portable>(process: &Process<'_>, model: &M) -> usize {
    process.held.iter().map(|it| it.load(Relaxed)).sum::<usize>() + model.memory()
}

/// Whether someone or something wants the search to end now.
pub(crate) fn interruption<M: Portable>(
    options: &Options<'_>,
    process: &Process<'_>,
    model: &M,
) -> Option<Limit> {
    if (process.is_cut_off)() {
        return Some(Limit::Processes);
    }
    if options.observer.cancelled() {
        return Some(Limit::Cancelled);
    }
    let limits = options.limits;
    if limits.memory.is_some_and(|it| process_bytes(process, model) > it) {
        return Some(Limit::Memory);
    }
    let time_max = limits.time?;
    (options.observer.elapsed() >= time_max).then_some(Limit::Time)
}
