//! What a checkpoint says of a run by several processes: where the search is, and in which logs its states are.
//!
//! Every process that has a folder of its own keeps a record, and all of them the same one, so any of them says
//! everything. They are written one after the other, but only when all logs are safe; until all are written, nothing of the
//! record before is removed. So after an interruption some folders may have the record before the last one, never an older
//! one, and the latest is the one that counts: each says what the one before it was, so records of different runs
//! are told apart.

use explore::{DiskFailure, DiskFailureKind, Looks, Piece, checksum};

use crate::bytes::{Damaged, read_number, read_slice, read_text, write_number, write_slice, write_text};
use crate::event::{Event, read_events, write_events};
use crate::summary::Totals;

/// A log, and which states are in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    pub piece: Piece,
    /// The process in whose folder it is, if each has one.
    pub process: usize,
    /// The worker that wrote it, of how many: its states have hashes of this part of the range.
    pub index: usize,
    pub peers: usize,
}

impl Segment {
    /// Whether states of a worker may be in it.
    pub fn has_states_of(&self, index: usize, peers: usize) -> bool {
        let (index, peers) = (index as u128, peers as u128);
        let (mine, all) = (self.index as u128, self.peers as u128);
        // [index / peers, (index + 1) / peers) meets [mine / all, (mine + 1) / all).
        index * all < (mine + 1) * peers && mine * peers < (index + 1) * all
    }
}

/// Where a search is, between two slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The depth of the states being expanded; zero for the initial slice.
    pub depth: u32,
    /// The slice has the numbers `first..end`, the level has `level_start..level_end`, and `total` numbers are given out.
    pub first: u64,
    pub end: u64,
    pub level_start: u64,
    pub level_end: u64,
    pub total: u64,
    pub n_initial: u64,
    /// States expanded and steps taken, in slices that count.
    pub expanded: u64,
    pub generated: u64,
    /// When someone looks at the graph.
    pub looks: Looks,
}

impl Place {
    fn numbers(&self) -> [u64; 10] {
        [
            u64::from(self.depth),
            self.first,
            self.end,
            self.level_start,
            self.level_end,
            self.total,
            self.n_initial,
            self.expanded,
            self.generated,
            self.looks.at,
        ]
    }

    fn of(numbers: [u64; 10]) -> Result<Place, Damaged> {
        let [
            depth,
            first,
            end,
            level_start,
            level_end,
            total,
            n_initial,
            expanded,
            generated,
            at,
        ] = numbers;
        Ok(Place {
            depth: depth.try_into().map_err(|_| Damaged)?,
            first,
            end,
            level_start,
            level_end,
            total,
            n_initial,
            expanded,
            generated,
            looks: Looks { at },
        })
    }
}

#[derive(Clone, Debug, Default)]
pub struct Record {
    /// How many records came before.
    pub generation: u64,
    /// The checksum of the one before; zero for the first.
    pub previous: u64,
    pub processes: usize,
    /// Whether all processes had one folder.
    pub is_shared: bool,
    pub n_slots: usize,
    /// Logs get numbers from here on.
    pub next_file: u64,
    pub place: Place,
    pub violations: Vec<Event>,
    /// What all workers counted together.
    pub totals: Totals,
    pub segments: Vec<Segment>,
    /// If the graph is asked for, where the first worker has it; see [`explore::Gathered`].
    pub gathered: Vec<u8>,
}

impl Record {
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = vec![];
        for number in [
            self.generation,
            self.previous,
            self.processes as u64,
            u64::from(self.is_shared),
            self.n_slots as u64,
            self.next_file,
        ]
        .into_iter()
        .chain(self.place.numbers())
        {
            write_number(&mut bytes, number);
        }
        write_events(&mut bytes, &self.violations);
        self.totals.write(&mut bytes);
        write_segments(&mut bytes, &self.segments);
        write_slice(&mut bytes, &self.gathered);
        bytes
    }

    pub fn read(mut bytes: &[u8]) -> Result<Record, Damaged> {
        let bytes = &mut bytes;
        let mut numbers = [0; 16];
        for number in &mut numbers {
            *number = read_number(bytes)?;
        }
        let [
            generation,
            previous,
            processes,
            is_shared,
            n_slots,
            next_file,
            place @ ..,
        ] = numbers;
        let record = Record {
            generation,
            previous,
            processes: processes as usize,
            is_shared: is_shared == 1,
            n_slots: n_slots as usize,
            next_file,
            place: Place::of(place)?,
            violations: read_events(bytes)?,
            totals: Totals::read(bytes)?,
            segments: read_segments(bytes)?,
            gathered: read_slice(bytes)?.to_vec(),
        };
        match bytes.is_empty() {
            true => Ok(record),
            false => Err(Damaged),
        }
    }

    /// The record that counts, of those that the processes have; `None` when no search has begun.
    pub fn latest(records: &[Vec<u8>]) -> Result<Option<Record>, DiskFailure> {
        let mut latest: Option<(Record, &[u8])> = None;
        for bytes in records.iter().filter(|it| !it.is_empty()) {
            let record = Record::read(bytes)
                .map_err(|Damaged| DiskFailure::damaged("checkpoint", "makes no sense"))?;
            if latest
                .as_ref()
                .is_none_or(|it| record.generation > it.0.generation)
            {
                latest = Some((record, bytes));
            }
        }
        let Some((latest, latest_bytes)) = latest else {
            return Ok(None);
        };
        // One that had not begun is the one before the first.
        let is_before = |bytes: &[u8]| match bytes.is_empty() {
            true => latest.previous == 0,
            false => latest.previous == checksum(bytes),
        };
        match records.iter().all(|it| it == latest_bytes || is_before(it)) {
            true => Ok(Some(latest)),
            false => {
                let what = "the processes have checkpoints of different runs, or of different moments of one";
                Err(DiskFailure::new(DiskFailureKind::Foreign, what))
            }
        }
    }
}

pub fn write_segments(bytes: &mut Vec<u8>, segments: &[Segment]) {
    write_number(bytes, segments.len() as u64);
    for it in segments {
        write_text(bytes, &it.piece.name);
        for number in [
            it.piece.len,
            it.piece.checksum,
            it.process as u64,
            it.index as u64,
            it.peers as u64,
        ] {
            write_number(bytes, number);
        }
    }
}

pub fn read_segments(bytes: &mut &[u8]) -> Result<Vec<Segment>, Damaged> {
    let n = read_number(bytes)?;
    (0..n)
        .map(|_| {
            Ok(Segment {
                piece: Piece {
                    name: read_text(bytes)?,
                    len: read_number(bytes)?,
                    checksum: read_number(bytes)?,
                },
                process: read_number(bytes)? as usize,
                index: read_number(bytes)? as usize,
                peers: read_number(bytes)? as usize,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(generation: u64, previous: u64) -> Record {
        Record {
            generation,
            previous,
            processes: 2,
            ..Record::default()
        }
    }

    #[test]
    fn the_latest_counts_if_the_others_came_before_it() {
        let one = record(1, 0).write();
        let two = record(2, checksum(&one)).write();
        let three = record(3, checksum(&two)).write();
        let latest = |records: &[&[u8]]| {
            let records: Vec<Vec<u8>> = records.iter().map(|it| it.to_vec()).collect();
            Record::latest(&records).map(|it| it.map(|it| it.generation))
        };
        assert_eq!(latest(&[&[], &[]]), Ok(None));
        assert_eq!(latest(&[&one, &[]]), Ok(Some(1)));
        assert_eq!(latest(&[&one, &two]), Ok(Some(2)));
        assert_eq!(latest(&[&three, &three]), Ok(Some(3)));
        let other = record(2, 7).write();
        for mixed in [
            [&one[..], &three],
            [&[], &two],
            [&two, &other],
            [&one, &other],
            [&two, &[9]],
        ] {
            assert!(latest(&mixed).is_err(), "{mixed:?}");
        }
    }

    #[test]
    fn segments_are_read_by_those_who_may_own_their_states() {
        for (peers, of) in [(1, 3), (2, 3), (4, 2), (5, 5), (7, 4)] {
            for hash in (0..1000).map(|it: u64| it * (u64::MAX / 1000) + it) {
                let owner = |peers| crate::expand::owner(hash, peers);
                let segment = Segment {
                    piece: Piece::default(),
                    process: 0,
                    index: owner(of),
                    peers: of,
                };
                assert!(segment.has_states_of(owner(peers), peers), "{hash} {peers} {of}");
            }
        }
        let whole = |index| Segment {
            piece: Piece::default(),
            process: 0,
            index,
            peers: 4,
        };
        let readers = |index: usize| (0..2).filter(move |&it| whole(index).has_states_of(it, 2));
        assert!((0..4).all(|it| readers(it).eq([it / 2])));
    }
}
