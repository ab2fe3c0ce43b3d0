//! Where a search is, in files from which another process can go on.
//!
//! A checkpoint is one small file, `checkpoint`, that names others by their length and checksum. Files are only ever
//! appended to, and a name is never used twice, so what an older checkpoint says stays true while the next one is being
//! made: first the others are written and synced, then `checkpoint.new`, then that is renamed. Whenever the
//! process ends, the file `checkpoint` is whole and so is everything it names. What it names no more is removed afterwards.
//!
//! Slots mean nothing in another process, so what the model says of them ([`Model::write_values`](crate::Model::write_values)) is in a
//! file too, and the frontier is translated when a search goes on. Visited states are numbers in sorted
//! runs, as they are for a search on disk, whose runs are therefore only named, not copied. Hashes of content mean the same
//! everywhere; exact codes are translated pair by pair (`renumber`).
//!
//! Another engine than this crate's search puts a *record* of its own into the same small file.

use crate::codec::{Decoder, Encoder};
use crate::disk::{Checksum, Disk, DiskFailure, DiskFailureKind, Folder, KINDS, Piece};

const NAME: &str = "checkpoint";
const NAME_NEW: &str = "checkpoint.new";
const MAGIC: &[u8; 16] = b"babbage search\r\n";
/// Changes whenever the meaning of any file does.
const FORMAT: u64 = 3;

/// A checkpoint that was read, and all of whose files were found whole.
#[derive(Debug)]
pub struct Checkpoint {
    note: Vec<u8>,
    content: Content,
}

/// Where the search was.
#[derive(Debug)]
enum Content {
    NotBegun,
    Search(Box<Body>),
    Record(Vec<u8>),
}

/// Where a search is, between two batches.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// Every file.
    pub(crate) files: Vec<Piece>,
    /// Whether numbers are hashes.
    pub(crate) is_hashed: bool,
    pub(crate) n_slots: usize,
    pub(crate) key_len: Option<usize>,
    /// Files get numbers from here on.
    pub(crate) next_file: u64,
    /// States of the level that have been expanded.
    pub(crate) position: usize,
    pub(crate) first_id: u32,
    pub(crate) depth: u32,
    pub(crate) visited: Vec<Piece>,
    pub(crate) outside: Vec<Piece>,
    pub(crate) pairs: Option<Piece>,
    pub(crate) values: Option<Piece>,
    /// If the graph is recorded: what stands for each state, and when to look at the graph next.
    pub(crate) codes: Option<Piece>,
    pub(crate) look_at: u64,
    pub(crate) level: Option<Piece>,
    pub(crate) next: Option<Piece>,
    pub(crate) ledger: Vec<u8>,
}

impl Checkpoint {
    /// Reads the checkpoint of a folder and goes through all of its files.
    pub fn open(disk: &dyn Disk) -> Result<Checkpoint, DiskFailure> {
        let file = disk.open(NAME)?;
        let size = file.size()?;
        let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
        file.read_at(0, &mut bytes)?;
        let checkpoint = decode(&bytes)?;
        for piece in checkpoint.body().into_iter().flat_map(|it| &it.files) {
            piece.verify(disk, |_| {})?;
        }
        Ok(checkpoint)
    }

    /// Makes this the checkpoint of a folder, for an engine that knows what its record means; without one, nothing has been
    /// done yet. The files that it names are safe on the disk, but maybe not their names.
    pub fn write(disk: &dyn Disk, note: &[u8], record: Option<&[u8]>) -> Result<(), DiskFailure> {
        put(disk, &encode(note, None, record))
    }

    /// Whether there is one, whole or not.
    pub fn exists(disk: &dyn Disk) -> bool {
        disk.open(NAME).is_ok()
    }

    /// Removes the checkpoint of a folder and everything that a search wrote there.
    pub fn remove(disk: &dyn Disk) -> Result<(), DiskFailure> {
        for name in [NAME, NAME_NEW] {
            match disk.remove(name) {
                Err(failure) if failure.kind != DiskFailureKind::Missing => return Err(failure),
                _ => {}
            }
        }
        remove_others(disk, &[])
    }

    /// What the caller of the search noted.
    pub fn note(&self) -> &[u8] {
        &self.note
    }

    /// Whether the search had begun.
    pub fn has_begun(&self) -> bool {
        !matches!(self.content, Content::NotBegun)
    }

    /// What another engine than this crate's search wrote.
    pub fn record(&self) -> Option<&[u8]> {
        match &self.content {
            Content::Record(record) => Some(record),
            _ => None,
        }
    }

    /// Absent when the search had not begun.
    pub(crate) fn body(&self) -> Option<&Body> {
        match &self.content {
            Content::Search(body) => Some(body),
            _ => None,
        }
    }
}

/// Removes all files of searches but these.
pub fn remove_others(disk: &dyn Disk, kept: &[Piece]) -> Result<(), DiskFailure> {
    for name in disk.names()? {
        let is_ours = KINDS.iter().any(|kind| {
            name.strip_prefix(kind)
                .is_some_and(|it| it.parse::<u64>().is_ok())
        });
        if is_ours && kept.iter().all(|it| it.name != name) {
            disk.remove(&name)?;
        }
    }
    Ok(())
}

/// Makes this the checkpoint of the folder. The files that it names are safe on the disk, but maybe not their names.
pub(crate) fn write(folder: &mut Folder<'_>, note: &[u8], body: Option<&Body>) -> Result<(), DiskFailure> {
    put(folder.disk, &encode(note, body, None))?;
    folder.sweep();
    Ok(())
}

fn put(disk: &dyn Disk, bytes: &[u8]) -> Result<(), DiskFailure> {
    let file = disk.create(NAME_NEW)?;
    file.append(bytes)?;
    file.sync()?;
    disk.sync()?;
    disk.rename(NAME_NEW, NAME)?;
    disk.sync()
}

const NOT_BEGUN: u64 = 0;
const SEARCH: u64 = 1;
const RECORD: u64 = 2;

fn encode(note: &[u8], body: Option<&Body>, record: Option<&[u8]>) -> Vec<u8> {
    let mut to = Encoder::default();
    to.bytes.extend_from_slice(MAGIC);
    to.number(FORMAT);
    to.text(note);
    to.number(match (body, record) {
        (Some(_), _) => SEARCH,
        (None, Some(_)) => RECORD,
        (None, None) => NOT_BEGUN,
    });
    if let Some(record) = record {
        to.text(record);
    }
    if let Some(body) = body {
        let pieces = |to: &mut Encoder, pieces: &[Piece]| to.list(pieces, |to, it| to.piece(it));
        pieces(&mut to, &body.files);
        to.numbers(&[
            u64::from(body.is_hashed),
            body.n_slots as u64,
            body.key_len.map_or(0, |it| it as u64 + 1),
            body.next_file,
            body.position as u64,
            u64::from(body.first_id),
            u64::from(body.depth),
            body.look_at,
        ]);
        pieces(&mut to, &body.visited);
        pieces(&mut to, &body.outside);
        for piece in [&body.pairs, &body.values, &body.codes, &body.level, &body.next] {
            pieces(&mut to, piece.as_slice());
        }
        to.text(&body.ledger);
    }
    let checksum = Checksum::of(&to.bytes);
    to.number(checksum);
    to.bytes
}

fn decode(bytes: &[u8]) -> Result<Checkpoint, DiskFailure> {
    let damaged = || DiskFailure::damaged(NAME, "does not hold what was written");
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(damaged());
    };
    let (rest, sum) = rest.split_last_chunk::<8>().ok_or_else(damaged)?;
    if Checksum::of(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let mut from = Decoder::new(rest);
    let format = from.number().ok_or_else(damaged)?;
    if format != FORMAT {
        let what = format!("its format is number {format}, and this program writes number {FORMAT}");
        return Err(DiskFailure::new(DiskFailureKind::Foreign, what));
    }
    decode_rest(&mut from).ok_or_else(damaged)
}

fn decode_rest(from: &mut Decoder<'_>) -> Option<Checkpoint> {
    let note = from.text()?.to_vec();
    let content = match from.number()? {
        NOT_BEGUN => Content::NotBegun,
        SEARCH => Content::Search(Box::new(decode_body(from)?)),
        RECORD => Content::Record(from.text()?.to_vec()),
        _ => return None,
    };
    from.is_empty().then_some(Checkpoint { note, content })
}

fn decode_body(from: &mut Decoder<'_>) -> Option<Body> {
    let mut body = Body {
        files: from.list(Decoder::piece)?,
        ..Body::default()
    };
    let numbers: [u64; 8] = from.numbers()?.try_into().ok()?;
    let [
        is_hashed,
        n_slots,
        key_len,
        next_file,
        position,
        first_id,
        depth,
        look_at,
    ] = numbers;
    body.look_at = look_at;
    body.is_hashed = is_hashed == 1;
    body.n_slots = n_slots.try_into().ok()?;
    body.key_len = (key_len as usize).checked_sub(1);
    body.next_file = next_file;
    body.position = position.try_into().ok()?;
    body.first_id = first_id.try_into().ok()?;
    body.depth = depth.try_into().ok()?;
    body.visited = from.list(Decoder::piece)?;
    body.outside = from.list(Decoder::piece)?;
    let mut one = || Some(from.list(Decoder::piece)?.pop());
    [body.pairs, body.values, body.codes, body.level, body.next] = [one()?, one()?, one()?, one()?, one()?];
    body.ledger = from.text()?.to_vec();
    Some(body)
}
