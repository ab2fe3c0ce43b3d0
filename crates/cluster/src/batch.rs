//! States on their way to someone else, a few bytes each: candidates to the worker that owns them, or states to a log.
//!
//! A candidate is its origin, its action and its state. Neighbours on the way to one owner come from neighbouring parents
//! and differ in few slots, so each says only what differs from the one before. What a slot stands for crosses once; see
//! [`Portable`]. What goes with a state is a [`Label`].

use explore::{Portable, Position, StateId};

use crate::bytes::{Damaged, read_number, write_number};

/// What goes with a state, written as what differs from the label before it.
pub trait Label: Copy + Default {
    /// Gives what a reader makes of it.
    fn write(self, before: Self, bytes: &mut Vec<u8>) -> Self;
    fn read(before: Self, bytes: &mut &[u8]) -> Result<Self, Damaged>;
}

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub parent: StateId,
    pub step: u32,
    pub action: u32,
}

impl Origin {
    pub fn position(&self) -> Position {
        Position::of_state(self.parent, self.step)
    }
}

impl Default for Origin {
    /// Before everything else.
    fn default() -> Origin {
        Origin {
            parent: StateId::NONE,
            step: 0,
            action: 0,
        }
    }
}

/// How far a number is ahead of the one before. Numbers ascend; the missing one, of a parent of initial states, comes first.
pub fn ahead(number: StateId, before: StateId) -> u64 {
    number.0.wrapping_add(1) - before.0.wrapping_add(1)
}

/// The number that is so far ahead.
pub fn after(before: StateId, ahead: u64) -> Result<StateId, Damaged> {
    let number = before.0.wrapping_add(1).checked_add(ahead).ok_or(Damaged)?;
    Ok(StateId(number.wrapping_sub(1)))
}

impl Label for Origin {
    fn write(self, before: Origin, bytes: &mut Vec<u8>) -> Origin {
        let ahead = ahead(self.parent, before.parent);
        write_number(bytes, ahead);
        let from = if ahead == 0 { before.step } else { 0 };
        write_number(bytes, u64::from(self.step - from));
        write_number(bytes, u64::from(self.action));
        self
    }

    fn read(before: Origin, bytes: &mut &[u8]) -> Result<Origin, Damaged> {
        let ahead = read_number(bytes)?;
        let step = read_number(bytes)? as u32;
        let from = if ahead == 0 { before.step } else { 0 };
        Ok(Origin {
            parent: after(before.parent, ahead)?,
            step: from.checked_add(step).ok_or(Damaged)?,
            action: read_number(bytes)? as u32,
        })
    }
}

/// Bytes of a batch before it is sent.
const BATCH_BYTES: usize = 1 << 15;
/// Values that a reader remembers at most, all its writers together.
const KNOWN_MAX: usize = 1 << 21;

/// What goes to one reader.
pub struct Outbox<M: Portable, L> {
    sent: M::Sent,
    known_max: usize,
    bytes: Vec<u8>,
    before: Before<L>,
}

/// What comes from one writer.
#[derive(Default)]
pub struct Inbox {
    known: Vec<u32>,
}

/// The state before.
#[derive(Default)]
struct Before<L> {
    label: L,
    state: Vec<u32>,
    key: Vec<u32>,
}

impl<M: Portable, L: Label> Outbox<M, L> {
    pub fn new(peers: usize) -> Outbox<M, L> {
        Outbox {
            sent: M::Sent::default(),
            known_max: (KNOWN_MAX / peers.max(1)).max(1 << 10),
            bytes: vec![],
            before: Before::default(),
        }
    }

    pub fn bytes(&self, model: &M) -> usize {
        self.bytes.capacity() + model.n_sent(&self.sent) * 12
    }

    /// Adds a state; gives the batch if it is full.
    pub fn push(&mut self, model: &M, label: L, state: &[u32], key: Option<&[u32]>) -> Option<Vec<u8>> {
        if self.bytes.is_empty() {
            let begins_anew = model.n_sent(&self.sent) >= self.known_max;
            if begins_anew {
                self.sent = M::Sent::default();
            }
            write_number(
                &mut self.bytes,
                u64::from(begins_anew) | u64::from(key.is_some()) << 1,
            );
            self.before = Before::default();
        }
        let (bytes, before) = (&mut self.bytes, &mut self.before);
        before.label = label.write(before.label, bytes);
        write_slots(model, &mut self.sent, &mut before.state, state, bytes);
        if let Some(key) = key {
            if before.key.is_empty() {
                write_number(bytes, key.len() as u64);
            }
            write_slots(model, &mut self.sent, &mut before.key, key, bytes);
        }
        (bytes.len() >= BATCH_BYTES).then(|| std::mem::take(bytes))
    }

    /// What has not been sent yet.
    pub fn flush(&mut self) -> Option<Vec<u8>> {
        (!self.bytes.is_empty()).then(|| std::mem::take(&mut self.bytes))
    }
}

/// Writes which slots differ, and what they are now.
fn write_slots<M: Portable>(
    model: &M,
    sent: &mut M::Sent,
    before: &mut Vec<u32>,
    slots: &[u32],
    bytes: &mut Vec<u8>,
) {
    let is_first = before.is_empty();
    before.resize(slots.len(), 0);
    for (before, slots) in before.chunks(GROUP).zip(slots.chunks(GROUP)) {
        let pairs = before.iter().zip(slots).enumerate();
        let mask = pairs.fold(0, |mask, (i, (a, b))| mask | u64::from(is_first || a != b) << i);
        write_number(bytes, mask);
    }
    for (before, &slot) in before.iter_mut().zip(slots) {
        if is_first || *before != slot {
            model.send(slot, sent, bytes);
            *before = slot;
        }
    }
}

/// Slots whose differences are one number.
const GROUP: usize = 56;

impl Inbox {
    pub fn bytes(&self) -> usize {
        self.known.capacity() * 4
    }

    /// Reads a batch and hands its states on, one after the other.
    pub fn read<M: Portable, L: Label>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        mut bytes: &[u8],
        mut arrive: impl FnMut(L, &[u32], Option<&[u32]>),
    ) -> Result<(), Damaged> {
        let bytes = &mut bytes;
        let head = read_number(bytes)?;
        let (begins_anew, is_keyed) = (head & 1 == 1, head & 2 == 2);
        if begins_anew {
            self.known.clear();
        }
        let mut before = Before::default();
        before.state.resize(model.n_slots(), 0);
        while !bytes.is_empty() {
            before.label = L::read(before.label, bytes)?;
            self.read_slots(model, worker, bytes, &mut before.state)?;
            if is_keyed {
                if before.key.is_empty() {
                    let len = read_number(bytes)? as usize;
                    if len > bytes.len() * GROUP {
                        return Err(Damaged);
                    }
                    before.key.resize(len, 0);
                }
                self.read_slots(model, worker, bytes, &mut before.key)?;
            }
            arrive(before.label, &before.state, is_keyed.then_some(&before.key[..]));
        }
        Ok(())
    }

    fn read_slots<M: Portable>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        bytes: &mut &[u8],
        slots: &mut [u32],
    ) -> Result<(), Damaged> {
        let n_groups = slots.len().div_ceil(GROUP);
        let masks = (0..n_groups)
            .map(|_| read_number(bytes))
            .collect::<Result<Vec<u64>, Damaged>>()?;
        for (slots, mask) in slots.chunks_mut(GROUP).zip(masks) {
            let mut mask = mask;
            while mask != 0 {
                let at = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let slot = model.receive(worker, bytes, &mut self.known).ok_or(Damaged)?;
                *slots.get_mut(at).ok_or(Damaged)? = slot;
            }
        }
        Ok(())
    }
}
