//! One worker's partition of a search: the states it owns, and its part in every decision.
//!
//! The search goes level by level, and through a level in *slices* of consecutive numbers. For each slice a worker expands
//! its own states (`expand`), takes in the candidates that are its own (`arrive`), deduplicates them when all are there
//! (`close`), ranks the new states of a part of the slice (`rank`), and learns the numbers of its new states and what
//! all others have to say (`number`). Then every worker decides, from the same facts, the same thing (`decide`). A slice is
//! bounded, so what is under way is: a fast worker waits for a slow one instead of burying it.
//!
//! A turn of the loop that has something else to do than a slice, a [`Phase`], goes the same way, without candidates.

use explore::{Options, Portable, StateId, add_counts};

use crate::batch::Inbox;
use crate::bytes::Damaged;
use crate::decide::Ending;
use crate::deduplicate::{Deduplication, Fresh};
use crate::event::Event;
use crate::expand::{Expanding, Expansion, Sending};
use crate::gather::{Gathering, Part};
use crate::lineage::Lineage;
use crate::pace::Pace;
use crate::parcel::Parcel;
use crate::rank::{Division, rank, read_places, read_sources, write_sources};
use crate::record::Place;
use crate::recover::Recovery;
use crate::summary::{Summary, Totals, read_with, write_with};
use crate::worker::{Ctx, Process, Seat};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Which checkpoint do the processes have?
    Meet,
    /// What an interrupted search knew is read from its logs.
    Restore,
    Initial,
    Expand,
    /// Someone looks at the graph so far.
    Look,
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

    pub fn push(&mut self, number: StateId, state: &[u32]) {
        self.numbers.push(number);
        self.slots.extend_from_slice(state);
    }

    pub fn state(&self, at: usize, n_slots: usize) -> &[u32] {
        &self.slots[at * n_slots..(at + 1) * n_slots]
    }
}

/// The states of this worker that are expanded now, and those that are found meanwhile.
#[derive(Default)]
pub struct Frontier {
    pub level: Level,
    pub next: Level,
    /// States of the level that are expanded, and of these, those of slices before.
    pub cursor: usize,
    pub slice_start: usize,
}

impl Frontier {
    /// What was found is expanded next.
    pub fn turn(&mut self) {
        *self = Frontier {
            level: std::mem::take(&mut self.next),
            ..Frontier::default()
        };
    }

    fn bytes(&self) -> usize {
        self.level.bytes() + self.next.bytes()
    }
}

/// What this worker knows of the present slice.
#[derive(Default)]
pub struct Slice {
    pub expansion: Expansion,
    pub fresh: Fresh,
    /// Of the new states of this worker.
    pub numbers: Vec<StateId>,
    /// Of all workers.
    pub events: Vec<Event>,
}

pub struct Partition<'a, M: Portable> {
    pub(crate) ctx: Ctx<'a, M>,
    pub worker: M::Worker<'a>,
    pub(crate) sending: Sending<M>,
    pub(crate) inboxes: Vec<Inbox>,
    pub(crate) deduplication: Deduplication,
    pub(crate) lineage: Lineage,
    pub(crate) frontier: Frontier,
    pub(crate) slice: Slice,
    pub(crate) pace: Pace,
    /// What this worker has counted.
    pub(crate) totals: Totals,
    // The same for all workers: what to do, where the search is, what everyone said last, and what ends it.
    pub(crate) phase: Phase,
    pub(crate) place: Place,
    /// Bytes that all processes held after the last slice.
    pub(crate) memory: u64,
    pub(crate) summaries: Vec<Summary>,
    pub(crate) ending: Ending,
    /// The graph, if it is asked for; of the first worker.
    pub(crate) gathering: Option<Gathering>,
    /// If there are checkpoints.
    pub(crate) recovery: Option<Recovery<'a, M>>,
}

/// Candidates that one call of `expand` makes, about: in between, others are heard.
const PIECE: u64 = 1 << 12;

impl<'a, M: Portable> Partition<'a, M> {
    pub fn new(
        model: &'a M,
        options: &'a Options<'a>,
        process: &'a Process<'a>,
        seat: Seat,
    ) -> Partition<'a, M> {
        let ctx = Ctx {
            model,
            options,
            process,
            seat,
        };
        let n_slots = model.n_slots();
        let recovery = Recovery::new(ctx);
        Partition {
            phase: match &recovery {
                Some(recovery) => recovery.first_phase(),
                None => Phase::Initial,
            },
            deduplication: Deduplication::new(n_slots, recovery.is_some(), options.graph),
            gathering: (options.graph && seat.is_first()).then(Gathering::default),
            recovery,
            worker: model.worker(seat.here),
            sending: Sending::new(seat.peers, n_slots),
            inboxes: (0..seat.peers).map(|_| Inbox::default()).collect(),
            lineage: Lineage::default(),
            frontier: Frontier::default(),
            slice: Slice {
                expansion: Expansion::new(options.graph),
                ..Slice::default()
            },
            pace: Pace::new(seat.peers),
            totals: Totals::default(),
            place: Place::default(),
            memory: 0,
            summaries: vec![Summary::default(); seat.peers],
            ending: Ending::default(),
            ctx,
        }
    }

    /// How far the search is, for whoever must report without an end.
    pub fn reached(&self) -> explore::Progress {
        let Place {
            total,
            expanded,
            depth,
            level_end,
            generated,
            ..
        } = self.place;
        explore::Progress {
            generated,
            distinct: total,
            queue: total - expanded.min(total),
            depth: depth + u32::from(total > level_end),
            memory: self.memory as usize,
            walks: 0,
        }
    }

    /// Expands some states of the slice. Gives what is to be sent, and whether there is more to expand.
    pub fn expand(&mut self) -> (Vec<Parcel>, bool) {
        let mut full = vec![];
        let has_more = match self.phase {
            Phase::Initial => {
                self.pace.begin(self.ctx.options);
                if self.first_checkpoint() && self.ctx.seat.is_first() {
                    self.begin(&mut full);
                }
                false
            }
            Phase::Expand => {
                if self.frontier.cursor == self.frontier.slice_start {
                    self.pace.begin(self.ctx.options);
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
            // Everyone has something to deduplicate, if only that there is nothing.
            full.push((self.ctx.seat.index, vec![]));
        }
        let parcels = full
            .into_iter()
            .map(|(to, bytes)| self.parcel(to, &bytes))
            .collect();
        (parcels, has_more)
    }

    fn parcel(&self, to: usize, bytes: &[u8]) -> Parcel {
        Parcel::new(self.ctx.seat.index, to, bytes)
    }

    fn begin(&mut self, full: &mut Vec<(usize, Vec<u8>)>) {
        let expansion = &mut self.slice.expansion;
        let mut sink = Expanding::new(
            self.ctx,
            &mut self.sending,
            &mut self.deduplication,
            expansion,
            full,
        );
        sink.begin(&mut self.worker);
    }

    fn expand_piece(&mut self, full: &mut Vec<(usize, Vec<u8>)>) -> bool {
        let n_slots = self.ctx.model.n_slots();
        let Frontier { level, cursor, .. } = &mut self.frontier;
        let expansion = &mut self.slice.expansion;
        let enough = expansion.generated + PIECE;
        let mut sink = Expanding::new(
            self.ctx,
            &mut self.sending,
            &mut self.deduplication,
            expansion,
            full,
        );
        let mut n_expanded = 0;
        let mut has_more = false;
        while let Some(&number) = level.numbers.get(*cursor)
            && number.0 < self.place.end
            && !sink.expansion.is_halted
        {
            has_more = sink.expansion.generated >= enough || n_expanded >= PIECE;
            if has_more {
                break;
            }
            let state = level.state(*cursor, n_slots);
            sink.expand(&mut self.worker, state, number, self.place.depth);
            *cursor += 1;
            n_expanded += 1;
        }
        if has_more {
            self.ctx.hold(self.bytes());
        }
        has_more
    }

    /// Takes in candidates from another worker.
    pub fn arrive(&mut self, parcels: &[Parcel]) -> Result<(), Damaged> {
        for parcel in parcels.iter().filter(|it| !it.body().is_empty()) {
            let deduplication = &mut self.deduplication;
            let inbox = self.inboxes.get_mut(parcel.from()).ok_or(Damaged)?;
            inbox.read(
                self.ctx.model,
                &mut self.worker,
                parcel.body(),
                |origin, state, key| {
                    deduplication.arrive(origin, state, key);
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
            Phase::Initial | Phase::Expand => self.close_slice(&mut summary),
            Phase::Meet | Phase::Restore | Phase::Save | Phase::Saved => self.tell_files(&mut summary),
            Phase::Look => self.look(&mut summary),
            Phase::Limit => summary.state_limit = self.state_limit(),
            Phase::Trace => summary.climbed = self.climbed(),
            Phase::Finish | Phase::Over => summary.totals = Some(self.own_totals()),
        }
        let mut written = vec![];
        summary.write(&mut written);
        let part = self.part();
        let division = self.division();
        let mut from = 0;
        (0..self.ctx.seat.peers)
            .map(|to| {
                let sources = &self.slice.fresh.sources[from..];
                let n = sources.partition_point(|&it| division.ranker(it) <= to);
                from += n;
                let mut rest = vec![];
                write_sources(&mut rest, &sources[..n]);
                if to == 0 {
                    part.write(&mut rest);
                }
                self.parcel(to, &write_with(&written, &rest))
            })
            .collect()
    }

    /// What this worker knows of the graph in this slice, for the first one.
    fn part(&mut self) -> Part {
        Part {
            sightings: self.deduplication.take_sightings(),
            labels: self
                .slice
                .expansion
                .labels
                .as_mut()
                .map(std::mem::take)
                .unwrap_or_default(),
        }
    }

    fn division(&self) -> Division {
        Division {
            first: self.place.first,
            len: self.place.end - self.place.first,
            // Who gathers the graph needs all origins, and so ranks them all.
            peers: match self.ctx.options.graph {
                true => 1,
                false => self.ctx.seat.peers,
            },
        }
    }

    fn close_slice(&mut self, summary: &mut Summary) {
        let ctx = self.ctx;
        if self.slice.expansion.limit.is_none() {
            let depth = self.place.depth + 1;
            let (fresh, events) =
                self.deduplication
                    .close(ctx.model, &mut self.worker, depth, ctx.stops_at_event());
            self.slice.fresh = fresh;
            self.slice.expansion.events.extend(events);
        }
        ctx.hold(self.bytes());
        summary.generated = self.slice.expansion.generated;
        summary.arrived = std::mem::take(&mut self.deduplication.n_arrived);
        summary.events = std::mem::take(&mut self.slice.expansion.events);
        summary.limit = self.slice.expansion.limit.or_else(|| ctx.interruption());
        self.watch_files(summary);
        if ctx.seat.speaks() {
            summary.memory = ctx.process_bytes() as u64;
        }
        let n_states = self.place.end - self.place.first;
        let per_candidate = ctx.model.n_slots() * 4 + 64;
        summary.slice_len = self
            .pace
            .learn(ctx.options, n_states, summary.arrived, per_candidate);
    }

    pub(crate) fn bytes(&self) -> usize {
        let model = self.ctx.model;
        self.deduplication.bytes()
            + self.recovery.as_ref().map_or(0, |it| it.bytes(model))
            + self.gathering.as_ref().map_or(0, Gathering::bytes)
            + self.sending.bytes(model)
            + self.lineage.bytes()
            + self.frontier.bytes()
            + self.inboxes.iter().map(Inbox::bytes).sum::<usize>()
    }

    pub(crate) fn own_totals(&self) -> Totals {
        let ctx = self.ctx;
        let mut totals = self.totals.clone();
        totals.candidates_sent = self.sending.n_sent;
        totals.memory_visited = (self.deduplication.bytes_visited() + self.lineage.bytes()) as u64;
        totals.initial = match self.place.depth {
            0 => totals.distinct,
            _ => totals.initial,
        };
        if ctx.seat.speaks() {
            add_counts(&mut totals.tallies, &ctx.tallies());
            totals.bytes_sent = (ctx.process.bytes_sent)();
            totals.memory = ctx.process_bytes() as u64;
        }
        totals
    }

    /// What all workers said at the end of the slice, and the origins that this one is to rank. Gives everyone an answer.
    pub fn rank(&mut self, parcels: &[Parcel]) -> Result<Vec<Parcel>, Damaged> {
        let peers = self.ctx.seat.peers;
        let (mut by_owner, mut parts) = (vec![vec![]; peers], vec![Part::default(); peers]);
        for parcel in parcels {
            let mut body = parcel.body();
            let (summary, mut rest) = read_with(&mut body)?;
            *self.summaries.get_mut(parcel.from()).ok_or(Damaged)? = summary;
            by_owner[parcel.from()] = read_sources(&mut rest)?;
            if self.gathering.is_some() {
                parts[parcel.from()] = Part::read(&mut rest)?;
            }
        }
        let replies = rank(&by_owner);
        if let Some(gathering) = self.gathering.as_mut().filter(|_| self.phase.is_slice()) {
            gathering.hear(parts, by_owner);
        }
        Ok(replies
            .iter()
            .enumerate()
            .map(|(to, it)| self.parcel(to, it))
            .collect())
    }

    /// The numbers of this worker's new states. Decides how to go on; false when there is nothing more to do.
    pub fn number(&mut self, parcels: &[Parcel]) -> Result<bool, Damaged> {
        let mut by_ranker = vec![(vec![], 0); self.ctx.seat.peers];
        for parcel in parcels {
            let place = by_ranker.get_mut(parcel.from()).ok_or(Damaged)?;
            *place = read_places(&mut parcel.body())?;
        }
        if self.phase.is_slice() {
            let mut base = self.place.total;
            self.slice.numbers.clear();
            for (places, total) in by_ranker {
                let numbers = places.iter().map(|it| StateId(base + it));
                self.slice.numbers.extend(numbers);
                base += total;
            }
            if self.slice.numbers.len() != self.slice.fresh.sources.len() {
                return Err(Damaged);
            }
            self.end_slice(base);
        } else {
            self.end_phase();
        }
        if self.ctx.seat.speaks() {
            self.ctx.options.observer.progress(&self.reached());
        }
        Ok(self.phase != Phase::Over)
    }
}

impl Phase {
    /// Whether states are found in it.
    fn is_slice(self) -> bool {
        matches!(self, Phase::Initial | Phase::Expand)
    }
}
