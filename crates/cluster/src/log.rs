//! The states of a share in a file, in the order in which they got their numbers.
//!
//! A log is only appended to, and a checkpoint names the part of it that is written so far. So a checkpoint costs what is new
//! since the last one, whatever was found before. States are there by content, as on the wire; with each goes how it was
//! first reached, so that what a share knows (visited states, the queue, the ways back) can be made anew from its log.

use std::sync::Arc;

use explore::{DiskFailure, DiskFile, Folder, Output, Piece, Portable, StateId};

use crate::batch::{Inbox, Label, Outbox, after, ahead};
use crate::bytes::{Damaged, read_number, write_number};

/// How a state was first reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub number: StateId,
    pub parent: StateId,
    pub step: u32,
    /// A state outside the constraints: it has no number, and the rest is not about it.
    pub is_outside: bool,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry {
            number: StateId(0),
            parent: StateId::NONE,
            step: 0,
            is_outside: false,
        }
    }
}

impl Label for Entry {
    fn write(self, before: Entry, bytes: &mut Vec<u8>) -> Entry {
        if self.is_outside {
            write_number(bytes, 1);
            return Entry {
                is_outside: true,
                ..before
            };
        }
        write_number(bytes, ahead(self.number, before.number) << 1);
        write_number(bytes, ahead(self.parent, before.parent));
        write_number(bytes, u64::from(self.step));
        self
    }

    fn read(before: Entry, bytes: &mut &[u8]) -> Result<Entry, Damaged> {
        let head = read_number(bytes)?;
        if head & 1 == 1 {
            return Ok(Entry {
                is_outside: true,
                ..before
            });
        }
        Ok(Entry {
            number: after(before.number, head >> 1)?,
            parent: after(before.parent, read_number(bytes)?)?,
            step: read_number(bytes)?.try_into().map_err(|_| Damaged)?,
            is_outside: false,
        })
    }
}

/// A log being written.
pub struct Log<'a, M: Portable> {
    folder: Folder<'a>,
    output: Option<Output>,
    open: Outbox<M, Entry>,
    /// What the disk said when it failed; nothing is written any more.
    failure: Option<DiskFailure>,
}

impl<'a, M: Portable> Log<'a, M> {
    /// The file gets the next number of the folder.
    pub fn new(folder: Folder<'a>, peers: usize) -> Log<'a, M> {
        Log {
            folder,
            output: None,
            open: Outbox::new(peers),
            failure: None,
        }
    }

    pub fn bytes(&self, model: &M) -> usize {
        self.open.bytes(model)
    }

    /// Adds the next state: numbers ascend. What goes wrong is told by [`Log::piece`].
    pub fn push(&mut self, model: &M, entry: Entry, state: &[u32], key: Option<&[u32]>) {
        if let Some(batch) = self.open.push(model, entry, state, key) {
            self.put(&batch);
        }
    }

    fn put(&mut self, batch: &[u8]) {
        if self.failure.is_none() {
            self.failure = self.try_put(batch).err();
        }
    }

    fn try_put(&mut self, batch: &[u8]) -> Result<(), DiskFailure> {
        let output = match &mut self.output {
            Some(output) => output,
            none => none.insert(self.folder.create("log-")?),
        };
        output.put(&(batch.len() as u32).to_le_bytes())?;
        output.put(batch)
    }

    /// Everything so far, safe on the disk; nothing if there are no states.
    pub fn piece(&mut self) -> Result<Option<Piece>, DiskFailure> {
        if let Some(batch) = self.open.flush() {
            self.put(&batch);
        }
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let piece = self.output.as_mut().map(Output::piece).transpose();
        // The name too, not only the bytes.
        piece.and_then(|it| self.folder.disk.sync().map(|()| it))
    }

    /// Whether something went wrong, or is about to for want of room.
    pub fn watch(&self) -> Option<DiskFailure> {
        self.failure.clone().or_else(|| self.folder.watch(0).err())
    }
}

/// A log being read, state after state.
pub struct Reader {
    name: String,
    file: Arc<dyn DiskFile>,
    at: u64,
    end: u64,
    inbox: Inbox,
    batch: Batch,
    next: usize,
}

/// The states of a batch.
#[derive(Default)]
struct Batch {
    entries: Vec<Entry>,
    states: Vec<u32>,
    keys: Vec<u32>,
    key_len: Option<usize>,
}

impl Reader {
    /// Goes through the whole log once, to be sure that it is what was written.
    pub fn open(folder: &Folder<'_>, piece: &Piece) -> Result<Reader, DiskFailure> {
        Ok(Reader {
            name: piece.name.clone(),
            file: piece.verify(folder.disk, |_| {})?,
            at: 0,
            end: piece.len,
            inbox: Inbox::default(),
            batch: Batch::default(),
            next: 0,
        })
    }

    pub fn damaged(&self) -> DiskFailure {
        DiskFailure::damaged(&self.name, "has states that make no sense")
    }

    /// The next state, if there is one more.
    pub fn peek<M: Portable>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
    ) -> Result<Option<Entry>, DiskFailure> {
        while self.next == self.batch.entries.len() {
            if self.at == self.end {
                return Ok(None);
            }
            self.read_batch(model, worker)?;
        }
        Ok(Some(self.batch.entries[self.next]))
    }

    fn read_batch<M: Portable>(&mut self, model: &M, worker: &mut M::Worker<'_>) -> Result<(), DiskFailure> {
        let mut head = [0; 4];
        if self.end - self.at < 4 {
            return Err(self.damaged());
        }
        self.file.read_at(self.at, &mut head)?;
        let len = u32::from_le_bytes(head);
        if self.end - self.at - 4 < u64::from(len) {
            return Err(self.damaged());
        }
        let mut bytes = vec![0; len as usize];
        self.file.read_at(self.at + 4, &mut bytes)?;
        self.at += 4 + u64::from(len);
        let last = self.batch.entries.last().copied();
        let mut batch = Batch::default();
        let read = self
            .inbox
            .read(model, worker, &bytes, |entry: Entry, state, key| {
                batch.entries.push(entry);
                batch.states.extend_from_slice(state);
                batch.keys.extend_from_slice(key.unwrap_or_default());
                batch.key_len = key.map(<[u32]>::len);
            });
        let numbers = last.iter().chain(&batch.entries).filter(|it| !it.is_outside);
        if read.is_err() || !numbers.map(|it| it.number).is_sorted_by(|a, b| a < b) {
            return Err(self.damaged());
        }
        self.batch = batch;
        self.next = 0;
        Ok(())
    }

    /// Takes the state that [`Reader::peek`] told of, with its key.
    pub fn take(&mut self, n_slots: usize) -> (&[u32], Option<&[u32]>) {
        let (at, batch) = (self.next, &self.batch);
        self.next += 1;
        let key = |len: usize| &batch.keys[at * len..(at + 1) * len];
        (
            &batch.states[at * n_slots..(at + 1) * n_slots],
            batch.key_len.map(key),
        )
    }
}
