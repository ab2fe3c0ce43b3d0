//! Candidates on their way to the worker that owns them: a few bytes each.
//!
//! A candidate is its origin, its action and its state. Neighbours on the way to one owner come from neighbouring parents
//! and differ in few slots, so each says only what differs from the one before. What a slot stands for crosses once; see
//! [`Portable`].

use explore::Portable;

use crate::bytes::{Damaged, read_number, write_number};

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub parent: u64,
    pub step: u32,
    pub action: u32,
}

/// Bytes of a batch before it is sent.
const BATCH_BYTES: usize = 1 << 15;
/// Values that a reader remembers at most, all its writers together.
const KNOWN_MAX: usize = 1 << 21;

/// What goes to one owner.
pub struct Outbox<M: Portable> {
    sent: M::Sent,
    known_max: usize,
    bytes: Vec<u8>,
    before: Before,
}

/// What comes from one sender.
#[derive(Default)]
pub struct Inbox {
    known: Vec<u32>,
}

/// The candidate before.
#[derive(Default)]
struct Before {
    parent: u64,
    step: u32,
    state: Vec<u32>,
    key: Vec<u32>,
}

impl<M: Portable> Outbox<M> {
    pub fn new(peers: usize) -> Outbox<M> {
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

    /// Adds a candidate; gives the batch if it is full.
    pub fn push(&mut self, model: &M, origin: Origin, state: &[u32], key: Option<&[u32]>) -> Option<Vec<u8>> {
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
        // The missing parent of initial states does not occur: those are found by everyone.
        let ahead = origin.parent - before.parent;
        write_number(bytes, ahead);
        let from = if ahead == 0 { before.step } else { 0 };
        write_number(bytes, u64::from(origin.step - from));
        write_number(bytes, u64::from(origin.action));
        (before.parent, before.step) = (origin.parent, origin.step);
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

    /// Reads a batch and hands its candidates on, one after the other.
    pub fn read<M: Portable>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        mut bytes: &[u8],
        mut arrive: impl FnMut(Origin, &[u32], Option<&[u32]>),
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
            let ahead = read_number(bytes)?;
            let step = read_number(bytes)? as u32;
            let action = read_number(bytes)? as u32;
            before.parent += ahead;
            before.step = if ahead == 0 { before.step + step } else { step };
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
            let origin = Origin {
                parent: before.parent,
                step: before.step,
                action,
            };
            arrive(origin, &before.state, is_keyed.then_some(&before.key[..]));
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
