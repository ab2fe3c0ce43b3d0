//! Bytes that are only ever appended, the older ones in files.
//!
//! Some of what a search knows is written once, in the order of the search, and read at its end or not at all: how each state was
//! reached (`space`), and the steps between states (`graph`). Such bytes lie in memory until somebody needs the room, and a
//! checkpoint names the files that they are in.

use std::borrow::Cow;
use std::sync::Arc;

use crate::codec::{Decoder, Encoder};
use crate::disk::{Disk, DiskFailure, DiskFile, Folder, Output, Piece};

#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// Files with the first bytes, one after the other.
    parts: Vec<Part>,
    /// Bytes in files.
    spilt: u64,
    /// What comes after those.
    tail: Vec<u8>,
    /// The last of `parts`, while it is being written.
    output: Option<JournalOutput>,
}

#[derive(Debug)]
struct Part {
    file: Arc<dyn DiskFile>,
    /// Where its bytes begin among all.
    start: u64,
    piece: Piece,
}

struct JournalOutput(Output);

impl std::fmt::Debug for JournalOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name())
    }
}

impl Journal {
    /// Bytes in files and in memory.
    pub(crate) fn len(&self) -> u64 {
        self.spilt + self.tail.len() as u64
    }

    /// Bytes in files.
    pub(crate) fn size(&self) -> u64 {
        self.spilt
    }

    /// Bytes that could leave the memory.
    pub(crate) fn tail_len(&self) -> usize {
        self.tail.len()
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.tail.capacity()
    }

    /// Bytes that the next appends may take at once.
    pub(crate) fn growth(&self) -> usize {
        self.tail.len() / 32
    }

    /// Where to append, with room for so many bytes.
    pub(crate) fn end(&mut self, additional: usize) -> &mut Vec<u8> {
        if self.tail.len() + additional > self.tail.capacity() {
            // In small steps: memory is worth more than the copies, and large blocks are remapped, not copied.
            self.tail.reserve_exact(additional + self.tail.len() / 32);
        }
        &mut self.tail
    }

    /// The bytes from `start` to `end`.
    pub(crate) fn read(&self, start: u64, end: u64) -> Result<Cow<'_, [u8]>, DiskFailure> {
        let in_tail = |at: u64| (at - self.spilt) as usize;
        if start >= self.spilt {
            return Ok(Cow::Borrowed(&self.tail[in_tail(start)..in_tail(end)]));
        }
        let mut bytes = Vec::with_capacity((end - start) as usize);
        for (i, part) in self.parts.iter().enumerate() {
            let part_end = self.parts.get(i + 1).map_or(self.spilt, |it| it.start);
            let (from, to) = (start.max(part.start), end.min(part_end));
            if from < to {
                let filled = bytes.len();
                bytes.resize(filled + (to - from) as usize, 0);
                part.file.read_at(from - part.start, &mut bytes[filled..])?;
            }
        }
        if end > self.spilt {
            bytes.extend_from_slice(&self.tail[..in_tail(end)]);
        }
        Ok(Cow::Owned(bytes))
    }

    /// Moves everything into a file, whose name begins with `kind` if it is a new one.
    pub(crate) fn spill(&mut self, folder: &mut Folder<'_>, kind: &str) -> Result<(), DiskFailure> {
        if self.tail.is_empty() {
            return Ok(());
        }
        if self.output.is_none() {
            let output = folder.create(kind)?;
            self.parts.push(Part {
                file: output.file.clone(),
                start: self.spilt,
                piece: Piece::default(),
            });
            self.output = Some(JournalOutput(output));
        }
        if let Some(JournalOutput(output)) = &mut self.output {
            output.put(&self.tail)?;
            output.flush()?;
        }
        self.spilt += self.tail.len() as u64;
        self.tail.clear();
        Ok(())
    }

    /// Writes down where the bytes are, safe on the disk.
    pub(crate) fn save(
        &mut self,
        folder: &mut Folder<'_>,
        kind: &str,
        to: &mut Encoder,
    ) -> Result<(), DiskFailure> {
        self.spill(folder, kind)?;
        if let (Some(JournalOutput(output)), Some(part)) = (&mut self.output, self.parts.last_mut()) {
            part.piece = output.piece()?;
        }
        to.list(&self.parts, |to, it| to.piece(&it.piece));
        Ok(())
    }

    /// The files that `save` named.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.parts.iter().map(|it| &it.piece)
    }

    /// The reverse of `save`. `None` if it makes no sense.
    pub(crate) fn load(from: &mut Decoder<'_>, disk: &dyn Disk) -> Option<Result<Journal, DiskFailure>> {
        let mut journal = Journal::default();
        for piece in from.list(Decoder::piece)? {
            let file = match disk.open(&piece.name) {
                Ok(file) => file,
                Err(failure) => return Some(Err(failure)),
            };
            let start = journal.spilt;
            journal.spilt += piece.len;
            journal.parts.push(Part { file, start, piece });
        }
        Some(Ok(journal))
    }
}
