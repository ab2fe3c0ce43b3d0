//! Files, as far as a search needs them: created, appended to, read at a place, renamed, removed. Nothing is ever
//! overwritten.
//!
//! This crate does no IO: a front end implements [`Disk`], and so do tests that let it fail. What a search writes goes
//! through [`Folder`] and [`Output`], which number the files and add up checksums on the way, so that a checkpoint can name
//! any file, or the part of it that was written so far, without reading it again. Other engines write their files in the same way.

use std::fmt;
use std::sync::Arc;

use crate::random::mix;

/// A folder of files, all of them the search's own.
pub trait Disk: Send + Sync + fmt::Debug {
    /// A new, empty file; what had this name is gone.
    fn create(&self, name: &str) -> Result<Arc<dyn DiskFile>, DiskFailure>;
    fn open(&self, name: &str) -> Result<Arc<dyn DiskFile>, DiskFailure>;
    /// At once or not at all; what had the new name is gone.
    fn rename(&self, from: &str, to: &str) -> Result<(), DiskFailure>;
    fn remove(&self, name: &str) -> Result<(), DiskFailure>;
    /// The names of all files.
    fn names(&self) -> Result<Vec<String>, DiskFailure>;
    /// Returns when names that were created, changed or removed would survive a loss of power.
    fn sync(&self) -> Result<(), DiskFailure>;
    /// Bytes that can still be written, where the system tells.
    fn free(&self) -> Option<u64>;
}

/// A file. Workers read it at the same time; only the searching thread appends.
pub trait DiskFile: Send + Sync + fmt::Debug {
    fn size(&self) -> Result<u64, DiskFailure>;
    fn append(&self, bytes: &[u8]) -> Result<(), DiskFailure>;
    /// Fills `into` from the file; an error if it ends before.
    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), DiskFailure>;
    /// Returns when everything appended would survive a loss of power.
    fn sync(&self) -> Result<(), DiskFailure>;
}

/// Why files did not do what they should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskFailure {
    pub kind: DiskFailureKind,
    /// In the words of whoever refused, with the name of the file.
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskFailureKind {
    /// No room for another byte, or less than what should stay free.
    Full,
    /// There is no such file.
    Missing,
    /// A file does not hold what was written to it.
    Damaged,
    /// It was written by another version of this program.
    Foreign,
    Other,
}

impl DiskFailure {
    pub fn new(kind: DiskFailureKind, what: impl Into<String>) -> DiskFailure {
        let what = what.into();
        DiskFailure { kind, what }
    }

    pub fn damaged(name: &str, what: &str) -> DiskFailure {
        DiskFailure::new(DiskFailureKind::Damaged, format!("`{name}` {what}"))
    }
}

/// 64 bits about a sequence of bytes. A bijection for each word, so that a change within eight bytes never goes unnoticed;
/// for damage, not against someone who wants to deceive.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checksum {
    state: u64,
    tail: [u8; 8],
    n_bytes: u64,
}

impl Checksum {
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        let filled = (self.n_bytes % 8) as usize;
        self.n_bytes += bytes.len() as u64;
        if filled > 0 {
            let n = bytes.len().min(8 - filled);
            self.tail[filled..filled + n].copy_from_slice(&bytes[..n]);
            bytes = &bytes[n..];
            if filled + n < 8 {
                return;
            }
            self.word(u64::from_le_bytes(self.tail));
        }
        let mut words = bytes.chunks_exact(8);
        for word in words.by_ref() {
            self.word(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        let rest = words.remainder();
        self.tail[..rest.len()].copy_from_slice(rest);
    }

    fn word(&mut self, word: u64) {
        self.state = mix(self.state.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ word);
    }

    pub(crate) fn finish(mut self) -> u64 {
        let filled = (self.n_bytes % 8) as usize;
        self.tail[filled..].fill(0);
        self.word(u64::from_le_bytes(self.tail));
        self.word(self.n_bytes);
        self.state
    }

    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut sum = Checksum::default();
        sum.add(bytes);
        sum.finish()
    }
}

/// 64 bits about these bytes, the same in every process.
pub fn checksum(bytes: &[u8]) -> u64 {
    Checksum::of(bytes)
}

/// The first bytes of a file, and what they add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    pub name: String,
    pub len: u64,
    pub checksum: u64,
}

/// Bytes read or written at once where a file is gone through from front to back.
pub(crate) const STRIDE: usize = 1 << 18;

impl Piece {
    /// Goes through the bytes and compares the checksum; `each` sees them in order.
    pub fn verify(
        &self,
        disk: &dyn Disk,
        mut each: impl FnMut(&[u8]),
    ) -> Result<Arc<dyn DiskFile>, DiskFailure> {
        let file = disk.open(&self.name).map_err(|failure| match failure.kind {
            DiskFailureKind::Missing => DiskFailure::damaged(&self.name, "is not there"),
            _ => failure,
        })?;
        if file.size()? < self.len {
            return Err(DiskFailure::damaged(&self.name, "is shorter than it was"));
        }
        let mut sum = Checksum::default();
        let mut bytes = vec![0; STRIDE];
        let mut at = 0;
        while at < self.len {
            let n = (self.len - at).min(STRIDE as u64) as usize;
            file.read_at(at, &mut bytes[..n])?;
            sum.add(&bytes[..n]);
            each(&bytes[..n]);
            at += n as u64;
        }
        if sum.finish() != self.checksum {
            return Err(DiskFailure::damaged(&self.name, "does not hold what was written"));
        }
        Ok(file)
    }

    /// All of it in memory.
    pub(crate) fn read(&self, disk: &dyn Disk) -> Result<Vec<u8>, DiskFailure> {
        let mut all = Vec::new();
        self.verify(disk, |bytes| all.extend_from_slice(bytes))?;
        Ok(all)
    }
}

/// A file being written. Bytes are gathered first; they are in the file after [`Output::flush`].
pub struct Output {
    name: String,
    pub(crate) file: Arc<dyn DiskFile>,
    buffer: Vec<u8>,
    written: u64,
    checksum: Checksum,
    is_synced: bool,
    /// What the disk said when it failed. Part of the bytes may be in the file since then, so nothing is added any more, and
    /// no checkpoint will name this file again.
    failure: Option<DiskFailure>,
}

impl Output {
    /// Where the next byte goes.
    pub(crate) fn len(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub fn put(&mut self, bytes: &[u8]) -> Result<(), DiskFailure> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= STRIDE {
            self.flush()?;
        }
        Ok(())
    }

    pub(crate) fn put_u64(&mut self, number: u64) -> Result<(), DiskFailure> {
        self.put(&number.to_le_bytes())
    }

    pub(crate) fn flush(&mut self) -> Result<(), DiskFailure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        if !self.buffer.is_empty() {
            let appended = self.file.append(&self.buffer);
            self.note(appended)?;
            self.checksum.add(&self.buffer);
            self.written += self.buffer.len() as u64;
            self.buffer.clear();
            self.is_synced = false;
        }
        Ok(())
    }

    /// Everything put so far, safe on the disk.
    pub fn piece(&mut self) -> Result<Piece, DiskFailure> {
        self.flush()?;
        if !self.is_synced {
            let synced = self.file.sync();
            self.note(synced)?;
            self.is_synced = true;
        }
        Ok(self.piece_unsynced())
    }

    fn note(&mut self, done: Result<(), DiskFailure>) -> Result<(), DiskFailure> {
        if let Err(failure) = &done {
            self.failure = Some(failure.clone());
        }
        done
    }

    /// Everything flushed so far.
    pub(crate) fn piece_unsynced(&self) -> Piece {
        Piece {
            name: self.name.clone(),
            len: self.written,
            checksum: self.checksum.finish(),
        }
    }
}

/// The files of one search: gives them names, and removes them when nobody needs them any more.
#[derive(Debug)]
pub struct Folder<'a> {
    pub disk: &'a dyn Disk,
    next: u64,
    /// Files that the last checkpoint may name: they go after the next one.
    garbage: Vec<String>,
    keeps_garbage: bool,
}

/// Disk that stays free beyond what is about to be written.
pub(crate) const FREE_MIN: u64 = 8 << 20;

/// What names of files begin with.
pub(crate) const KINDS: [&str; 9] = [
    "run-", "level-", "lineage-", "edges-", "values-", "pairs-", "codes-", "recent-", "log-",
];

impl<'a> Folder<'a> {
    /// `next` is greater than the number of every file that is there.
    pub fn new(disk: &'a dyn Disk, next: u64, keeps_garbage: bool) -> Folder<'a> {
        Folder {
            disk,
            next,
            garbage: Vec::new(),
            keeps_garbage,
        }
    }

    pub fn create(&mut self, kind: &str) -> Result<Output, DiskFailure> {
        debug_assert!(KINDS.contains(&kind));
        let name = format!("{kind}{}", self.next);
        self.next += 1;
        let file = self.disk.create(&name)?;
        Ok(Output {
            name,
            file,
            buffer: Vec::new(),
            written: 0,
            checksum: Checksum::default(),
            is_synced: false,
            failure: None,
        })
    }

    /// Fails while so many bytes could still be written, if there is no room for more.
    pub fn watch(&self, about_to_write: u64) -> Result<(), DiskFailure> {
        match self.disk.free() {
            Some(free) if free < about_to_write.saturating_add(FREE_MIN) => {
                let what = format!("{} MiB are free, too little to go on", free >> 20);
                Err(DiskFailure::new(DiskFailureKind::Full, what))
            }
            _ => Ok(()),
        }
    }

    /// The number that the next file would get.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Nobody reads this file any more.
    pub(crate) fn discard(&mut self, name: &str) {
        if self.keeps_garbage {
            self.garbage.push(name.to_owned());
        } else {
            // What cannot be removed only takes room.
            let _ = self.disk.remove(name);
        }
    }

    /// A checkpoint is complete, and it names none of what was discarded before.
    pub(crate) fn sweep(&mut self) {
        for name in self.garbage.drain(..) {
            let _ = self.disk.remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_do_not_depend_on_how_bytes_come() {
        let bytes: Vec<u8> = (0..1000u32).map(|it| (it * it) as u8).collect();
        for cut in [1, 3, 8, 64, 999] {
            let mut sum = Checksum::default();
            bytes.chunks(cut).for_each(|it| sum.add(it));
            assert_eq!(sum.finish(), Checksum::of(&bytes));
        }
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            assert_ne!(Checksum::of(&flipped), Checksum::of(&bytes));
        }
        assert_ne!(Checksum::of(&[0; 7]), Checksum::of(&[0; 8]));
        assert_ne!(Checksum::of(&[]), Checksum::of(&[0]));
    }
}
