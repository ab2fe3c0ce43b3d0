//! Checkpoints: how the workers write down together where the search is, and how others go on from there.
//!
//! After a slice nothing is under way, so the workers' own states make a whole. A checkpoint takes two turns of the loop. In the
//! first, every worker makes its log safe and tells everyone its name, length and checksum (`Save`). Now everything that the
//! checkpoint needs is on some disk, and whoever keeps a folder writes the record, which is the same everywhere: a file that
//! replaces the one before at once or not at all. In the second turn everyone hears that all are written (`Saved`). Whenever
//! processes end in between, the record before this one is as good as it was, or this one is complete.
//!
//! To go on, every worker reads the logs that may have states of its part of the range of hashes, and keeps those
//! that have; so the number of workers may be another one. Processes whose folders are on different machines find in their own
//! folder all states of their part, if there are as many as before.

use std::time::Duration;

use explore::{
    Checkpoint, Checkpoints, Disk, DiskFailure, DiskFailureKind, Folder, Gathered, Limit, Piece, Portable,
    checksum, remove_others,
};

use crate::expand::owner;
use crate::log::{Entry, Log, Reader};
use crate::partition::{Partition, Phase};
use crate::record::{Place, Record, Segment};
use crate::summary::{Summary, Totals};
use crate::worker::{Ctx, Seat};

/// What a worker needs for checkpoints.
pub struct Recovery<'a, M: Portable> {
    disk: &'a dyn Disk,
    checkpoints: Checkpoints<'a>,
    /// Whether this worker writes the record of a folder.
    is_keeper: bool,
    log: Log<'a, M>,
    /// Where the graph goes, of the first worker.
    gathered: Folder<'a>,
    /// The number of the first worker's log.
    first_file: u64,
    /// Logs of earlier processes in which states of this worker are.
    inherited: Vec<Segment>,
    /// The last record, and its checksum.
    record: Record,
    checksum: u64,
    /// Where the search was after the last slice that counts, and what this worker had counted; nothing before the first.
    place: Option<(Place, Totals)>,
    n_violations: usize,
    due: Duration,
    started: Duration,
    then: Then,
}

/// What comes after a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    GoOn,
    GoBack,
}

/// States between two looks at the clock and the memory.
const STATES_PER_LOOK: u64 = 1 << 12;

impl<'a, M: Portable> Recovery<'a, M> {
    /// Nothing if no checkpoints are asked for.
    pub fn new(ctx: Ctx<'a, M>) -> Option<Recovery<'a, M>> {
        let Ctx {
            options,
            process,
            seat,
            ..
        } = ctx;
        let (disk, checkpoints) = (options.disk?, options.checkpoints?);
        Some(Recovery {
            disk,
            checkpoints,
            is_keeper: match process.is_folder_shared {
                true => seat.is_first(),
                false => seat.speaks(),
            },
            gathered: Folder::new(disk, 0, true),
            log: new_log(disk, 0, seat),
            first_file: 0,
            inherited: vec![],
            record: Record::default(),
            checksum: 0,
            place: None,
            n_violations: 0,
            due: options.observer.elapsed() + checkpoints.every,
            started: Duration::ZERO,
            then: Then::GoOn,
        })
    }

    pub fn first_phase(&self) -> Phase {
        match self.checkpoints.resume {
            Some(_) => Phase::Meet,
            None => Phase::Initial,
        }
    }

    pub fn bytes(&self, model: &M) -> usize {
        self.log.bytes(model)
    }

    /// The record that this process has; empty without one.
    fn own_record(&self) -> &[u8] {
        let resume = self.checkpoints.resume;
        resume.and_then(Checkpoint::record).unwrap_or_default()
    }
}

/// A log for a worker; every worker writes one, and no two have the same name.
fn new_log<M: Portable>(disk: &dyn Disk, next_file: u64, seat: Seat) -> Log<'_, M> {
    Log::new(Folder::new(disk, next_file + seat.index as u64, true), seat.peers)
}

fn foreign(what: String) -> DiskFailure {
    DiskFailure::new(DiskFailureKind::Foreign, what)
}

impl<'a, M: Portable> Partition<'a, M> {
    /// A limit ends the search: there is one more checkpoint, of the last slice that counts.
    pub fn give_up(&mut self, limit: Limit) {
        self.ending.limit = Some(limit);
        let has_place = self.recovery.as_ref().is_some_and(|it| it.place.is_some());
        // Without the others there is none.
        match has_place && limit != Limit::Processes {
            true => self.save(Then::GoBack),
            false => self.go_back(),
        }
    }

    /// Files failed, so the search ends here.
    pub fn fail(&mut self, failure: DiskFailure) {
        self.ending.failure.get_or_insert(failure);
        self.ending.limit.get_or_insert(Limit::Disk);
        self.go_back();
    }

    /// What the present turn of the loop has to say.
    pub fn tell_files(&mut self, summary: &mut Summary) {
        summary.failure = self.ending.failure.clone();
        summary.limit = self.slice.expansion.limit;
        let Some(recovery) = &mut self.recovery else {
            return;
        };
        match self.phase {
            Phase::Meet if self.ctx.seat.speaks() => {
                summary.record = recovery.own_record().to_vec();
                let resume = recovery.checkpoints.resume;
                if summary.record.is_empty() && resume.is_some_and(Checkpoint::has_begun) {
                    summary.failure = Some(foreign("it was written by one process".to_owned()));
                }
            }
            Phase::Restore => summary.arrived = std::mem::take(&mut self.deduplication.n_arrived),
            Phase::Save => {
                if let Err(failure) = self.make_safe(summary) {
                    summary.failure = Some(failure);
                }
            }
            _ => {}
        }
    }

    /// Makes everything of this worker safe that a checkpoint needs, and tells where it is.
    fn make_safe(&mut self, summary: &mut Summary) -> Result<(), DiskFailure> {
        let Some(recovery) = &mut self.recovery else {
            return Ok(());
        };
        let seat = self.ctx.seat;
        let own = recovery.log.piece()?.map(|piece| Segment {
            piece,
            process: self.ctx.process.index,
            index: seat.index,
            peers: seat.peers,
        });
        if let Some(gathering) = &mut self.gathering {
            summary.gathered = gathering.gathered.save(&mut recovery.gathered)?;
            // The names too, not only the bytes.
            recovery.disk.sync()?;
        }
        summary.segments = recovery.inherited.iter().cloned().chain(own).collect();
        let mut totals = recovery.place.clone().unwrap_or_default().1;
        if seat.speaks() {
            explore::add_counts(&mut totals.tallies, &self.ctx.tallies());
        }
        summary.totals = Some(totals);
        Ok(())
    }

    /// Between slices: whether files can be written, and whether it is time for a checkpoint.
    pub fn watch_files(&mut self, summary: &mut Summary) {
        if let Some(recovery) = &self.recovery {
            summary.is_due = self.ctx.options.observer.elapsed() >= recovery.due;
            summary.failure = self.ending.failure.clone().or_else(|| recovery.log.watch());
            if summary.failure.is_some() {
                summary.limit.get_or_insert(Limit::Disk);
            }
        }
    }

    /// Before the first slice: a checkpoint that says that nothing has been done. False if the search cannot begin.
    pub fn first_checkpoint(&mut self) -> bool {
        let Some(recovery) = self.recovery.as_ref().filter(|it| it.is_keeper) else {
            return true;
        };
        let written = remove_others(recovery.disk, &[])
            .and_then(|()| Checkpoint::write(recovery.disk, recovery.checkpoints.note, None));
        if let Err(failure) = written {
            self.ending.failure = Some(failure);
            self.slice.expansion.limit = Some(Limit::Disk);
            return false;
        }
        true
    }

    /// Adds the new states of a slice that counts to the log.
    pub fn write_log(&mut self) {
        let Some(recovery) = &mut self.recovery else {
            return;
        };
        let key_len = self.deduplication.key_len();
        let (model, n_slots) = (self.ctx.model, self.ctx.model.n_slots());
        let part = |all: &'_ [u32], at: usize, len: usize| at * len..((at + 1) * len).min(all.len());
        let fresh = &self.slice.fresh;
        for (at, (&number, &(parent, step))) in self.slice.numbers.iter().zip(&fresh.sources).enumerate() {
            let entry = Entry {
                number,
                parent,
                step,
                is_outside: false,
            };
            let state = &fresh.states[part(&fresh.states, at, n_slots)];
            let key = key_len.map(|len| &fresh.keys[part(&fresh.keys, at, len)]);
            recovery.log.push(model, entry, state, key);
        }
        for at in 0..fresh.n_outside {
            let entry = Entry {
                is_outside: true,
                ..Entry::default()
            };
            let state = &fresh.outside[part(&fresh.outside, at, n_slots)];
            let key = key_len.map(|len| &fresh.outside_keys[part(&fresh.outside_keys, at, len)]);
            recovery.log.push(model, entry, state, key);
        }
    }

    /// A slice counts: this is where another process would go on. False without checkpoints.
    pub fn note_place(&mut self) -> bool {
        if let Some(recovery) = &mut self.recovery {
            recovery.place = Some((self.place, self.totals.clone()));
            recovery.n_violations = self.ending.violations.len();
        }
        self.recovery.is_some()
    }

    /// Begins a checkpoint.
    pub fn save(&mut self, then: Then) {
        if let Some(recovery) = &mut self.recovery {
            recovery.then = then;
            recovery.started = self.ctx.options.observer.elapsed();
        }
        self.slice.fresh = Default::default();
        self.phase = Phase::Save;
    }

    /// All logs are safe: whoever keeps a folder writes the record.
    pub fn end_save(&mut self) {
        if let Some(failure) = self.failed_elsewhere() {
            return self.fail(failure);
        }
        let record = self.new_record();
        let Some(recovery) = &mut self.recovery else {
            return;
        };
        let bytes = record.write();
        recovery.checksum = checksum(&bytes);
        recovery.record = record;
        if recovery.is_keeper {
            let written = Checkpoint::write(recovery.disk, recovery.checkpoints.note, Some(&bytes));
            if let Err(failure) = written {
                self.ending.failure.get_or_insert(failure);
            }
        }
        self.phase = Phase::Saved;
    }

    fn new_record(&self) -> Record {
        let mut record = Record {
            processes: self.ctx.process.processes,
            is_shared: self.ctx.process.is_folder_shared,
            n_slots: self.ctx.model.n_slots(),
            gathered: self.summaries[0].gathered.clone(),
            ..Record::default()
        };
        if let Some(recovery) = &self.recovery {
            record.generation = recovery.record.generation + 1;
            record.previous = recovery.checksum;
            record.next_file = recovery.first_file + self.ctx.seat.peers as u64;
            record.place = recovery.place.clone().unwrap_or_default().0;
            record.violations = self.ending.violations[..recovery.n_violations].to_vec();
        }
        for summary in &self.summaries {
            record
                .totals
                .add(summary.totals.as_ref().unwrap_or(&Totals::default()));
            record.segments.extend_from_slice(&summary.segments);
        }
        record
            .segments
            .sort_by(|a, b| (a.process, &a.piece.name).cmp(&(b.process, &b.piece.name)));
        // Several workers have states in one log of a worker before.
        record.segments.dedup();
        record
    }

    /// The checkpoint is complete, or not.
    pub fn end_saved(&mut self) {
        if let Some(failure) = self.failed_elsewhere() {
            return self.fail(failure);
        }
        let Some(recovery) = &mut self.recovery else {
            return;
        };
        // Writing it should take a small part of the time.
        let now = self.ctx.options.observer.elapsed();
        let spent = now.saturating_sub(recovery.started);
        recovery.due = now + recovery.checkpoints.every.max(spent * 4);
        match recovery.then {
            Then::GoOn => self.go_on(),
            Then::GoBack => self.go_back(),
        }
    }

    pub fn failed_elsewhere(&self) -> Option<DiskFailure> {
        self.summaries.iter().find_map(|it| it.failure.clone())
    }

    /// Every process has told its record: from which one to go on?
    pub fn agree(&mut self) {
        // A process has one worker that tells it.
        let workers = (self.ctx.seat.peers / self.ctx.process.processes).max(1);
        let tellers = self.summaries.iter().step_by(workers);
        let records: Vec<Vec<u8>> = tellers.map(|it| it.record.clone()).collect();
        let told = self.failed_elsewhere().map_or(Ok(()), Err);
        match told
            .and_then(|()| Record::latest(&records))
            .and_then(|it| self.may_go_on(it))
        {
            Ok(Some(record)) => {
                if let Some(recovery) = &mut self.recovery {
                    recovery.checksum = checksum(&record.write());
                    recovery.first_file = record.next_file;
                    recovery.log = new_log(recovery.disk, record.next_file, self.ctx.seat);
                    recovery.gathered = Folder::new(recovery.disk, record.next_file, true);
                    recovery.record = record;
                }
                self.phase = Phase::Restore;
            }
            Ok(None) => self.phase = Phase::Initial,
            Err(failure) => self.fail(failure),
        }
    }

    /// Whether these processes can go on from there.
    fn may_go_on(&self, record: Option<Record>) -> Result<Option<Record>, DiskFailure> {
        let Some(record) = record else {
            return Ok(None);
        };
        let (n, process) = (record.processes, self.ctx.process);
        if record.n_slots != self.ctx.model.n_slots() {
            return Err(foreign("its states are not those of this search".to_owned()));
        }
        if self.ctx.options.graph && record.gathered.is_empty() {
            let what = "it does not have the steps between states, which temporal properties are about";
            return Err(foreign(what.to_owned()));
        }
        if record.is_shared && !process.is_folder_shared {
            return Err(foreign(
                "it was written by processes of one machine, which are not on a list of hosts".to_owned(),
            ));
        }
        if !record.is_shared && process.is_folder_shared {
            let what = "it was written on a list of hosts, each of which has a part of it in its own folder";
            return Err(foreign(what.to_owned()));
        }
        if !record.is_shared && n != process.processes {
            let what = format!(
                "it was written by {n} hosts, each of which has a part of it, and there are {} now",
                process.processes
            );
            return Err(foreign(what));
        }
        Ok(Some(record))
    }

    /// Reads what belongs to this worker. What goes wrong is told when everyone is done.
    pub fn restore(&mut self) {
        let Some(mut recovery) = self.recovery.take() else {
            return;
        };
        if let Err(failure) = self.restore_from(&mut recovery) {
            self.ending.failure = Some(failure);
        }
        self.recovery = Some(recovery);
    }

    fn restore_from(&mut self, recovery: &mut Recovery<'a, M>) -> Result<(), DiskFailure> {
        let (seat, own_process) = (self.ctx.seat, self.ctx.process.index);
        let is_shared = recovery.record.is_shared;
        let is_here = |it: &&Segment| is_shared || it.process == own_process;
        if recovery.is_keeper {
            // Files that belong to no checkpoint only take room; nobody makes new ones before all are done here.
            let here = recovery.record.segments.iter().filter(is_here);
            let mut pieces: Vec<Piece> = here.map(|it| it.piece.clone()).collect();
            if is_shared || own_process == 0 {
                pieces.extend(Gathered::pieces_of(&recovery.record.gathered));
            }
            remove_others(recovery.disk, &pieces)?;
            // A folder may have the record before: then the next one would be two ahead.
            let record = recovery.record.write();
            if recovery.own_record() != record {
                Checkpoint::write(recovery.disk, recovery.checkpoints.note, Some(&record))?;
            }
        }
        if let Some(gathering) = &mut self.gathering {
            gathering.gathered = Gathered::load(&recovery.record.gathered, recovery.disk)?;
        }
        let segments = recovery.record.segments.iter().filter(is_here);
        let own = segments.filter(|it| it.has_states_of(seat.index, seat.peers));
        recovery.inherited = own.cloned().collect();
        let folder = Folder::new(recovery.disk, 0, true);
        let mut readers = recovery
            .inherited
            .iter()
            .map(|it| Reader::open(&folder, &it.piece))
            .collect::<Result<Vec<Reader>, _>>()?;
        self.read_states(&mut readers, recovery.record.place)
    }

    /// Merges logs by number: each is sorted.
    fn read_states(&mut self, readers: &mut [Reader], place: Place) -> Result<(), DiskFailure> {
        let (model, n_slots) = (self.ctx.model, self.ctx.model.n_slots());
        let (mut last, mut n_read) = (None, 0);
        loop {
            let mut least: Option<(Entry, &mut Reader)> = None;
            for reader in readers.iter_mut() {
                if let Some(entry) = reader.peek(model, &mut self.worker)?
                    && least.as_ref().is_none_or(|it| entry.number < it.0.number)
                {
                    least = Some((entry, reader));
                }
            }
            let Some((entry, reader)) = least else {
                return Ok(());
            };
            n_read += 1;
            if n_read % STATES_PER_LOOK == 0 && self.is_interrupted() {
                return Ok(());
            }
            let damaged = reader.damaged();
            let (state, key) = reader.take(n_slots);
            let hash = model.hash(key.unwrap_or(state), key.is_some());
            if owner(hash, self.ctx.seat.peers) != self.ctx.seat.index {
                continue;
            }
            let number = (!entry.is_outside).then_some(entry.number);
            let is_new = self.deduplication.restore(state, key, number);
            if entry.is_outside {
                continue;
            }
            if !is_new || last.is_some_and(|it| entry.number <= it) || entry.number.0 >= place.total {
                return Err(damaged);
            }
            last = Some(entry.number);
            self.deduplication.n_arrived += 1;
            self.lineage.push(entry.number, entry.parent, entry.step);
            if entry.number.0 >= place.end {
                let level = match entry.number.0 < place.level_end {
                    true => &mut self.frontier.level,
                    false => &mut self.frontier.next,
                };
                level.push(entry.number, state);
            }
        }
    }

    fn is_interrupted(&mut self) -> bool {
        self.ctx.hold(self.bytes());
        self.slice.expansion.limit = self.ctx.interruption();
        self.slice.expansion.limit.is_some()
    }

    /// Everyone has read its own: the search goes on where it was.
    pub fn end_restore(&mut self) {
        if let Some(failure) = self.failed_elsewhere() {
            return self.fail(failure);
        }
        if let Some(limit) = self.summaries.iter().find_map(|it| it.limit) {
            self.ending.limit = Some(limit);
            return self.go_back();
        }
        let Some(recovery) = &self.recovery else {
            return;
        };
        let record = recovery.record.clone();
        let n_states: u64 = self.summaries.iter().map(|it| it.arrived).sum();
        let place = record.place;
        if n_states != place.total {
            let what = format!(
                "says that there are {} states, and there are {n_states}",
                place.total
            );
            return self.fail(DiskFailure::damaged("checkpoint", &what));
        }
        self.place = place;
        self.ending.violations = record.violations;
        if self.ctx.seat.is_first() {
            self.totals = record.totals;
        }
        self.note_place();
        self.go_on();
    }
}
