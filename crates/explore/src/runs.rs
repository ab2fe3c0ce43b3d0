//! Visited numbers on disk: sorted runs, each written once and read often.
//!
//! A search that is in no hurry to know whether one state is new can ask about very many at a time ("delayed duplicate
//! detection": Stern and Dill, "Using magnetic disk instead of main memory in the Murφ verifier", CAV 1998; Korf, AAAI
//! 2004). The candidates of a batch, sorted, are held against each run in one pass from front to back; where a batch is small, only
//! the pages are read that its candidates would be in. A run is sorted by shard first, so workers go through
//! different shards at once, as they do in memory.
//!
//! Why not an engine from a shelf: 20 million numbers, each asked for twice, see `docs/scale.md` for the figures. A
//! log-structured store answers one question at a time, and each new state is such a question; a batch of a million
//! costs a run less than ten nanoseconds a number.
//!
//! Invariant: no number is in two runs, nor in a run and in the memory.

use std::sync::Arc;

use crate::disk::{Disk, DiskFailure, DiskFile, Folder, Output, Piece, STRIDE};
use crate::set::{SHARD_BITS, Shard};

/// Numbers in a page: what is read to find one.
const PAGE: usize = 512;
/// Pages read at once where most are needed.
const PAGES_AHEAD: usize = STRIDE / (PAGE * 8);
/// Where there is a candidate for this many pages, all pages are read.
const PAGES_PER_CANDIDATE: usize = 8;
/// So many runs of about one size become one.
const FANOUT: usize = 6;

/// The order of runs: by shard, then by number.
#[inline]
pub(crate) fn key_of(number: u64) -> u64 {
    number.rotate_right(SHARD_BITS)
}

#[inline]
pub(crate) fn number_of(key: u64) -> u64 {
    key.rotate_left(SHARD_BITS)
}

/// A candidate: the key of its number, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wanted {
    pub(crate) key: u64,
    pub(crate) chunk: u32,
    pub(crate) it: u32,
}

/// One sorted file.
#[derive(Debug)]
pub(crate) struct Run {
    file: Arc<dyn DiskFile>,
    pub(crate) piece: Piece,
    /// The first key of each page.
    fences: Vec<u64>,
    len: u64,
    is_synced: bool,
}

/// Writes a run; keys come in order.
pub(crate) struct RunWriter {
    output: Output,
    fences: Vec<u64>,
    len: u64,
}

impl RunWriter {
    pub(crate) fn new(folder: &mut Folder<'_>, kind: &str) -> Result<RunWriter, DiskFailure> {
        Ok(RunWriter {
            output: folder.create(kind)?,
            fences: Vec::new(),
            len: 0,
        })
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64) -> Result<(), DiskFailure> {
        if self.len.is_multiple_of(PAGE as u64) {
            self.fences.push(key);
        }
        self.len += 1;
        self.output.put_u64(key)
    }

    /// All numbers of a table, which is the shard `index`.
    pub(crate) fn push_shard(&mut self, shard: &Shard, index: usize) -> Result<(), DiskFailure> {
        let mut keys = Vec::with_capacity(shard.len());
        shard.for_each(|number| keys.push(key_of(number | index as u64)));
        // Nearly sorted as they come.
        keys.sort_unstable();
        keys.into_iter().try_for_each(|key| self.push(key))
    }

    pub(crate) fn finish(mut self) -> Result<Run, DiskFailure> {
        self.output.flush()?;
        self.fences.shrink_to_fit();
        Ok(Run {
            piece: self.output.piece_unsynced(),
            file: self.output.file,
            fences: self.fences,
            len: self.len,
            is_synced: false,
        })
    }
}

impl Run {
    /// The run in a file that was written earlier.
    pub(crate) fn open(disk: &dyn Disk, piece: &Piece) -> Result<Run, DiskFailure> {
        let mut fences = Vec::new();
        // Strides are whole pages.
        let file = piece.verify(disk, |bytes| {
            let first = |page: &[u8]| Some(u64::from_le_bytes(page.get(..8)?.try_into().ok()?));
            fences.extend(bytes.chunks(PAGE * 8).filter_map(first));
        })?;
        if !piece.len.is_multiple_of(8) {
            return Err(DiskFailure::damaged(&piece.name, "ends inside a number"));
        }
        Ok(Run {
            file,
            piece: piece.clone(),
            fences,
            len: piece.len / 8,
            is_synced: true,
        })
    }

    fn read(&self, from_key: u64, n_keys: usize, keys: &mut Vec<u64>) -> Result<(), DiskFailure> {
        let n_keys = n_keys.min((self.len - from_key) as usize);
        let mut bytes = vec![0; n_keys * 8];
        self.file.read_at(from_key * 8, &mut bytes)?;
        keys.clear();
        keys.extend(
            bytes
                .chunks_exact(8)
                .map(|it| u64::from_le_bytes(it.try_into().expect("eight bytes"))),
        );
        Ok(())
    }

    /// Calls `found` for each candidate that is here. Candidates are sorted.
    fn sift(&self, wanted: &[Wanted], found: &mut dyn FnMut(&Wanted)) -> Result<(), DiskFailure> {
        let (Some(first), Some(last)) = (wanted.first(), wanted.last()) else {
            return Ok(());
        };
        let page_of = |key: u64| self.fences.partition_point(|&fence| fence <= key);
        let end_page = page_of(last.key);
        let n_pages = end_page + 1 - page_of(first.key);
        let is_dense = wanted.len() * PAGES_PER_CANDIDATE >= n_pages;
        let ahead = if is_dense { PAGES_AHEAD } else { 1 };
        let mut keys: Vec<u64> = Vec::with_capacity(ahead * PAGE);
        let mut pages = 0..0;
        let mut page = 0;
        let mut at = 0;
        for it in wanted {
            if is_dense {
                while page + 1 < self.fences.len() && self.fences[page + 1] <= it.key {
                    page += 1;
                }
            } else {
                page = page_of(it.key).saturating_sub(1);
            }
            if self.fences.get(page).is_none_or(|&fence| fence > it.key) {
                continue;
            }
            if !pages.contains(&page) {
                pages = page..(page + ahead).min(end_page);
                self.read((page * PAGE) as u64, pages.len() * PAGE, &mut keys)?;
                at = 0;
            }
            if is_dense {
                while at < keys.len() && keys[at] < it.key {
                    at += 1;
                }
            } else {
                at = keys.partition_point(|&key| key < it.key);
            }
            if keys.get(at) == Some(&it.key) {
                found(it);
            }
        }
        Ok(())
    }

    /// Reads all keys in order.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        Cursor {
            run: self,
            keys: Vec::new(),
            at: 0,
            read: 0,
        }
    }

    fn bytes(&self) -> usize {
        self.fences.capacity() * 8
    }

    /// Makes it safe on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), DiskFailure> {
        if !self.is_synced {
            self.file.sync()?;
            self.is_synced = true;
        }
        Ok(())
    }
}

/// A run being read from front to back.
pub(crate) struct Cursor<'r> {
    run: &'r Run,
    keys: Vec<u64>,
    at: usize,
    read: u64,
}

impl Cursor<'_> {
    pub(crate) fn peek(&mut self) -> Result<Option<u64>, DiskFailure> {
        if self.at == self.keys.len() {
            if self.read == self.run.len {
                return Ok(None);
            }
            self.run.read(self.read, STRIDE / 8, &mut self.keys)?;
            self.read += self.keys.len() as u64;
            self.at = 0;
        }
        Ok(Some(self.keys[self.at]))
    }

    pub(crate) fn advance(&mut self) -> Result<Option<u64>, DiskFailure> {
        let key = self.peek()?;
        self.at += usize::from(key.is_some());
        Ok(key)
    }
}

/// All runs, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub(crate) runs: Vec<Run>,
}

impl Runs {
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Memory.
    pub(crate) fn bytes(&self) -> usize {
        self.runs.iter().map(Run::bytes).sum()
    }

    /// Bytes in files.
    pub(crate) fn size(&self) -> u64 {
        self.runs.iter().map(|it| it.piece.len).sum()
    }

    pub(crate) fn sift(&self, wanted: &[Wanted], found: &mut dyn FnMut(&Wanted)) -> Result<(), DiskFailure> {
        debug_assert!(wanted.is_sorted());
        self.runs.iter().try_for_each(|run| run.sift(wanted, found))
    }

    /// Adds a run, and merges where there are too many of about one size and `may_write` so many bytes.
    pub(crate) fn add(
        &mut self,
        folder: &mut Folder<'_>,
        run: Run,
        may_write: impl Fn(u64) -> bool,
    ) -> Result<(), DiskFailure> {
        if run.len == 0 {
            folder.discard(&run.piece.name);
            return Ok(());
        }
        self.runs.push(run);
        while let Some(first) = self.first_to_merge() {
            let size = self.runs[first..].iter().map(|it| it.piece.len).sum();
            if !may_write(size) {
                break;
            }
            let merged = merge(folder, &self.runs[first..])?;
            for old in self.runs.drain(first..) {
                folder.discard(&old.piece.name);
            }
            self.runs.push(merged);
        }
        Ok(())
    }

    /// The youngest runs that are together no smaller than what they would be merged into, if they are enough.
    fn first_to_merge(&self) -> Option<usize> {
        let mut sum = self.runs.last()?.len;
        let mut first = self.runs.len() - 1;
        while first > 0 && self.runs[first - 1].len <= sum * 2 {
            first -= 1;
            sum += self.runs[first].len;
        }
        (self.runs.len() - first >= FANOUT).then_some(first)
    }
}

fn merge(folder: &mut Folder<'_>, runs: &[Run]) -> Result<Run, DiskFailure> {
    let mut writer = RunWriter::new(folder, "run-")?;
    let mut cursors: Vec<Cursor<'_>> = runs.iter().map(Run::cursor).collect();
    loop {
        let mut least: Option<(u64, usize)> = None;
        for (i, cursor) in cursors.iter_mut().enumerate() {
            if let Some(key) = cursor.peek()?
                && least.is_none_or(|(least, _)| key < least)
            {
                least = Some((key, i));
            }
        }
        let Some((key, i)) = least else {
            return writer.finish();
        };
        writer.push(key)?;
        cursors[i].advance()?;
    }
}
