//! What every worker tells every other at the end of a slice, so that all come to the same decision.

use explore::{DiskFailure, DiskFailureKind, Limit, Position, StateId, add_counts};

use crate::bytes::{
    Damaged, read_counts, read_number, read_slice, read_text, write_counts, write_number, write_slice,
    write_text,
};
use crate::event::{Event, read_events, write_events};
use crate::record::{Segment, read_segments, write_segments};

/// One worker's part of a slice.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Steps taken.
    pub generated: u64,
    /// Candidates that arrived here from other workers and from this one.
    pub arrived: u64,
    /// Bytes that the process of this worker holds; zero but for the first worker of a process.
    pub memory: u64,
    /// Why this worker cannot go on, if it cannot.
    pub limit: Option<Limit>,
    /// Of each kind the first one that this worker knows of.
    pub events: Vec<Event>,
    /// States that the next slice should have; what the first worker says counts.
    pub slice_len: u64,
    /// Where the first state beyond the limit on states was found, if this worker owns it.
    pub state_limit: Option<Position>,
    /// For violations by place: the steps that led to the state in question, the last one first, and from where to go on.
    pub climbed: Vec<(usize, Vec<u32>, StateId)>,
    /// At the end, or for a checkpoint, what this worker has counted.
    pub totals: Option<Totals>,
    /// Why files cannot be used, if that is the limit.
    pub failure: Option<DiskFailure>,
    /// Whether it is time for a checkpoint; what the first worker says counts.
    pub is_due: bool,
    /// For a checkpoint: the logs that have the states of this worker.
    pub segments: Vec<Segment>,
    /// Before a search goes on: the record that this process has; empty without one.
    pub record: Vec<u8>,
    /// For a checkpoint: where the first worker has the graph, if it is asked for.
    pub gathered: Vec<u8>,
    /// Whether the graph so far decides the search; what the first worker says counts.
    pub is_decided: bool,
}

/// What one worker has counted in the whole search, up to where it stopped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    pub generated: u64,
    pub distinct: u64,
    pub initial: u64,
    pub taken: Vec<u64>,
    pub found: Vec<u64>,
    /// What the model has counted, and bytes sent, for a process as a whole.
    pub tallies: Vec<u64>,
    pub bytes_sent: u64,
    pub candidates_sent: u64,
    pub memory: u64,
    pub memory_visited: u64,
}

impl Totals {
    pub fn add(&mut self, other: &Totals) {
        self.generated += other.generated;
        self.distinct += other.distinct;
        self.initial += other.initial;
        add_counts(&mut self.taken, &other.taken);
        add_counts(&mut self.found, &other.found);
        add_counts(&mut self.tallies, &other.tallies);
        self.bytes_sent += other.bytes_sent;
        self.candidates_sent += other.candidates_sent;
        self.memory += other.memory;
        self.memory_visited += other.memory_visited;
    }
}

const LIMITS: [Limit; 8] = [
    Limit::Disk,
    Limit::Memory,
    Limit::States,
    Limit::Depth,
    Limit::Time,
    Limit::Cancelled,
    Limit::Processes,
    Limit::Decided,
];

const FAILURES: [DiskFailureKind; 5] = [
    DiskFailureKind::Full,
    DiskFailureKind::Missing,
    DiskFailureKind::Damaged,
    DiskFailureKind::Foreign,
    DiskFailureKind::Other,
];

fn write_failure(bytes: &mut Vec<u8>, failure: &DiskFailure) {
    let kind = FAILURES.iter().position(|it| *it == failure.kind);
    write_number(bytes, kind.map_or(0, |it| it as u64));
    write_text(bytes, &failure.what);
}

fn read_failure(bytes: &mut &[u8]) -> Result<DiskFailure, Damaged> {
    let kind = *FAILURES.get(read_number(bytes)? as usize).ok_or(Damaged)?;
    Ok(DiskFailure::new(kind, read_text(bytes)?))
}

impl Summary {
    pub fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.generated, self.arrived, self.memory, self.slice_len] {
            write_number(bytes, number);
        }
        let limit = self
            .limit
            .and_then(|it| LIMITS.iter().position(|&other| other == it));
        write_number(bytes, limit.map_or(0, |it| it as u64 + 1));
        write_events(bytes, &self.events);
        write_number(bytes, u64::from(self.state_limit.is_some()));
        if let Some(position) = self.state_limit {
            position.write(bytes);
        }
        write_number(bytes, self.climbed.len() as u64);
        for (violation, steps, from) in &self.climbed {
            write_number(bytes, *violation as u64);
            let steps: Vec<u64> = steps.iter().map(|&it| u64::from(it)).collect();
            write_counts(bytes, &steps);
            from.write(bytes);
        }
        write_number(bytes, u64::from(self.totals.is_some()));
        if let Some(totals) = &self.totals {
            totals.write(bytes);
        }
        write_number(bytes, u64::from(self.failure.is_some()));
        if let Some(failure) = &self.failure {
            write_failure(bytes, failure);
        }
        write_number(bytes, u64::from(self.is_due));
        write_segments(bytes, &self.segments);
        write_slice(bytes, &self.record);
        write_slice(bytes, &self.gathered);
        write_number(bytes, u64::from(self.is_decided));
    }

    pub fn read(bytes: &mut &[u8]) -> Result<Summary, Damaged> {
        let generated = read_number(bytes)?;
        let arrived = read_number(bytes)?;
        let memory = read_number(bytes)?;
        let slice_len = read_number(bytes)?;
        let limit = match read_number(bytes)? {
            0 => None,
            it => Some(*LIMITS.get(it as usize - 1).ok_or(Damaged)?),
        };
        let events = read_events(bytes)?;
        let state_limit = match read_number(bytes)? {
            0 => None,
            _ => Some(Position::read(bytes)?),
        };
        let mut climbed = vec![];
        for _ in 0..read_number(bytes)? {
            let violation = read_number(bytes)? as usize;
            let steps = read_counts(bytes)?.into_iter().map(|it| it as u32).collect();
            climbed.push((violation, steps, StateId::read(bytes)?));
        }
        let totals = match read_number(bytes)? {
            0 => None,
            _ => Some(Totals::read(bytes)?),
        };
        let failure = match read_number(bytes)? {
            0 => None,
            _ => Some(read_failure(bytes)?),
        };
        Ok(Summary {
            failure,
            is_due: read_number(bytes)? == 1,
            segments: read_segments(bytes)?,
            record: read_slice(bytes)?.to_vec(),
            gathered: read_slice(bytes)?.to_vec(),
            is_decided: read_number(bytes)? == 1,
            generated,
            arrived,
            memory,
            limit,
            events,
            slice_len,
            state_limit,
            climbed,
            totals,
        })
    }
}

impl Totals {
    pub fn write(&self, bytes: &mut Vec<u8>) {
        for number in [
            self.generated,
            self.distinct,
            self.initial,
            self.bytes_sent,
            self.candidates_sent,
            self.memory,
            self.memory_visited,
        ] {
            write_number(bytes, number);
        }
        for counts in [&self.taken, &self.found, &self.tallies] {
            write_counts(bytes, counts);
        }
    }

    pub fn read(bytes: &mut &[u8]) -> Result<Totals, Damaged> {
        Ok(Totals {
            generated: read_number(bytes)?,
            distinct: read_number(bytes)?,
            initial: read_number(bytes)?,
            bytes_sent: read_number(bytes)?,
            candidates_sent: read_number(bytes)?,
            memory: read_number(bytes)?,
            memory_visited: read_number(bytes)?,
            taken: read_counts(bytes)?,
            found: read_counts(bytes)?,
            tallies: read_counts(bytes)?,
        })
    }
}

/// A message from one worker to one other: a summary, and with it something for this one reader.
pub fn write_with(summary: &[u8], rest: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(summary.len() + rest.len() + 8);
    write_slice(&mut bytes, summary);
    bytes.extend_from_slice(rest);
    bytes
}

/// The two parts of such a message.
pub fn read_with<'b>(bytes: &mut &'b [u8]) -> Result<(Summary, &'b [u8]), Damaged> {
    let mut summary = read_slice(bytes)?;
    Ok((Summary::read(&mut summary)?, bytes))
}
