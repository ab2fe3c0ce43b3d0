//! The states of one depth, waiting to be expanded, in the order in which they were found.
//!
//! Neighbours in that order are mostly children of one parent, so all but the first state of a block are written as what
//! changed since the one before. A frontier is read once, from front to back. So it can lie in a file: blocks are appended
//! when memory is short, and those of a batch are brought back before it begins.

use std::ops::Range;

use crate::disk::{Disk, DiskFailure, DiskFile, Folder, Output, Piece};

/// A run of states: the first in full; for each other, by groups of 32 slots, one bit for each slot that differs from
/// the one before, then these slots.
#[derive(Default)]
pub(crate) struct Block {
    words: Vec<u32>,
    n_states: u32,
    /// Where it is in the file of its level, if it is there.
    at: Option<(u64, u32)>,
}

/// States in a full block; a reader that starts inside a block reads up to this many for nothing.
const BLOCK_STATES: u32 = 256;

/// All states of one depth.
#[derive(Default)]
pub(crate) struct Level {
    blocks: Vec<Block>,
    n_states: usize,
    words: usize,
    file: Option<Output>,
}

impl Level {
    pub(crate) fn len(&self) -> usize {
        self.n_states
    }

    /// States in memory, at least roughly.
    pub(crate) fn n_loaded(&self) -> usize {
        if self.words == 0 { 0 } else { self.n_states }
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words * 4 + self.blocks.capacity() * size_of::<Block>()
    }

    pub(crate) fn append(&mut self, blocks: &mut Vec<Block>) {
        for block in blocks.drain(..) {
            self.n_states += block.n_states as usize;
            self.words += block.words.capacity();
            self.blocks.push(block);
        }
    }

    /// The block that holds the state at `position` counted from `from`, which must be a block and the position of its
    /// first state.
    pub(crate) fn seek(&self, mut from: Place, position: usize) -> Place {
        while from.position + (self.blocks[from.block].n_states as usize) <= position {
            from.position += self.blocks[from.block].n_states as usize;
            from.block += 1;
        }
        from
    }

    /// Writes all blocks that are not in the file yet; with `frees`, they leave the memory.
    pub(crate) fn spill(&mut self, folder: &mut Folder<'_>, frees: bool) -> Result<(), DiskFailure> {
        let output = match &mut self.file {
            Some(output) => output,
            none => none.insert(folder.create("level-")?),
        };
        for block in &mut self.blocks {
            if block.at.is_none() {
                // Blocks that are done with stay as headers, so that the file says which states it holds.
                block.at = Some((output.len() + 8, block.words.len() as u32));
                output.put(&block.n_states.to_le_bytes())?;
                output.put(&(block.words.len() as u32).to_le_bytes())?;
                for word in &block.words {
                    output.put(&word.to_le_bytes())?;
                }
            }
            if frees {
                self.words -= block.words.capacity();
                block.words = Vec::new();
            }
        }
        output.flush()
    }

    /// Brings blocks back into memory.
    pub(crate) fn load(&mut self, blocks: Range<usize>) -> Result<(), DiskFailure> {
        let Some(output) = &self.file else {
            return Ok(());
        };
        for block in &mut self.blocks[blocks] {
            let Some((at, n_words)) = block.at else {
                continue;
            };
            if n_words > 0 && block.words.is_empty() {
                block.words = read_words(&*output.file, at, n_words)?;
                self.words += block.words.capacity();
            }
        }
        Ok(())
    }

    /// Everything that was spilt, safe on the disk; nothing if there are no states.
    pub(crate) fn piece(&mut self) -> Result<Option<Piece>, DiskFailure> {
        self.file.as_mut().map(Output::piece).transpose()
    }

    /// The level that a file holds, with every slot translated, from the block that has the state at `position` on. Calls
    /// `relieve` now and then, which may spill.
    pub(crate) fn restore(
        disk: &dyn Disk,
        piece: &Piece,
        position: usize,
        n_slots: usize,
        translate: &mut dyn FnMut(u32) -> Option<u32>,
        relieve: &mut dyn FnMut(&mut Level) -> Result<(), DiskFailure>,
    ) -> Result<Level, DiskFailure> {
        let damaged = || DiskFailure::damaged(&piece.name, "holds no states");
        let file = disk.open(&piece.name)?;
        let mut level = Level::default();
        let mut at = 0;
        while at < piece.len {
            let mut header = [0; 8];
            file.read_at(at, &mut header)?;
            let n_states = u32::from_le_bytes(header[..4].try_into().expect("four bytes"));
            let n_words = u32::from_le_bytes(header[4..].try_into().expect("four bytes"));
            at += 8;
            let mut block = Block {
                words: Vec::new(),
                n_states,
                at: None,
            };
            if level.n_states + n_states as usize > position {
                if at + u64::from(n_words) * 4 > piece.len {
                    return Err(damaged());
                }
                block.words = read_words(&*file, at, n_words)?;
                translate_block(&mut block, n_slots, translate).ok_or_else(damaged)?;
            }
            at += u64::from(n_words) * 4;
            level.append(&mut vec![block]);
            relieve(&mut level)?;
        }
        Ok(level)
    }

    /// The file is needed no more.
    pub(crate) fn discard(&mut self, folder: &mut Folder<'_>) {
        if let Some(output) = self.file.take() {
            folder.discard(output.name());
        }
    }

    /// Bytes in the file.
    pub(crate) fn size(&self) -> u64 {
        self.file.as_ref().map_or(0, Output::len)
    }

    /// Frees the blocks before `block`.
    pub(crate) fn forget_before(&mut self, block: usize) {
        for old in self.blocks[..block].iter_mut().rev() {
            if old.words.capacity() == 0 {
                break;
            }
            self.words -= old.words.capacity();
            old.words = Vec::new();
        }
    }

    /// Reads from the state at `position` on, given the block it is in.
    pub(crate) fn read_from(&self, place: Place, position: usize, n_slots: usize) -> Reader<'_> {
        let mut reader = Reader {
            blocks: &self.blocks[place.block..],
            at: 0,
            left: self.blocks[place.block].n_states,
            state: vec![0; n_slots],
            is_first: true,
        };
        for _ in place.position..position {
            reader.advance();
        }
        reader
    }
}

fn read_words(file: &dyn DiskFile, at: u64, n_words: u32) -> Result<Vec<u32>, DiskFailure> {
    let mut bytes = vec![0; n_words as usize * 4];
    file.read_at(at, &mut bytes)?;
    let word = |it: &[u8]| u32::from_le_bytes(it.try_into().expect("four bytes"));
    Ok(bytes.chunks_exact(4).map(word).collect())
}

/// Replaces every slot. A slot is a word that is not a mask.
fn translate_block(
    block: &mut Block,
    n_slots: usize,
    translate: &mut dyn FnMut(u32) -> Option<u32>,
) -> Option<()> {
    let mut at = n_slots;
    for word in block.words.get_mut(..n_slots)? {
        *word = translate(*word)?;
    }
    for _ in 1..block.n_states {
        for _ in 0..n_slots.div_ceil(32) {
            let n_changed = block.words.get(at)?.count_ones() as usize;
            for word in block.words.get_mut(at + 1..at + 1 + n_changed)? {
                *word = translate(*word)?;
            }
            at += 1 + n_changed;
        }
    }
    (at == block.words.len()).then_some(())
}

/// A block of a level, and the position of its first state in the level.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    pub(crate) block: usize,
    pub(crate) position: usize,
}

pub(crate) struct Reader<'l> {
    blocks: &'l [Block],
    at: usize,
    /// States of the first of `blocks` not read yet.
    left: u32,
    state: Vec<u32>,
    is_first: bool,
}

impl Reader<'_> {
    /// The next state. There must be one.
    pub(crate) fn advance(&mut self) -> &[u32] {
        while self.left == 0 {
            self.blocks = &self.blocks[1..];
            self.at = 0;
            self.left = self.blocks[0].n_states;
            self.is_first = true;
        }
        let words = &self.blocks[0].words;
        let n_slots = self.state.len();
        if self.is_first {
            self.state.copy_from_slice(&words[self.at..self.at + n_slots]);
            self.at += n_slots;
            self.is_first = false;
        } else {
            for slots in self.state.chunks_mut(32) {
                let mut mask = words[self.at];
                self.at += 1;
                while mask != 0 {
                    slots[mask.trailing_zeros() as usize] = words[self.at];
                    self.at += 1;
                    mask &= mask - 1;
                }
            }
        }
        self.left -= 1;
        &self.state
    }
}

/// Writes states into blocks.
pub(crate) struct Writer<'b> {
    blocks: &'b mut Vec<Block>,
    open: Block,
}

impl<'b> Writer<'b> {
    pub(crate) fn new(blocks: &'b mut Vec<Block>) -> Writer<'b> {
        Writer {
            blocks,
            open: Block::default(),
        }
    }

    /// Writes `state`; `before` is what was written last, if anything was.
    pub(crate) fn push(&mut self, state: &[u32], before: Option<&[u32]>) {
        if self.open.n_states == BLOCK_STATES {
            self.close();
        }
        let words = &mut self.open.words;
        match before {
            Some(before) if self.open.n_states > 0 => {
                for (new, old) in state.chunks(32).zip(before.chunks(32)) {
                    let mut mask = 0u32;
                    for (slot, (new, old)) in new.iter().zip(old).enumerate() {
                        mask |= u32::from(new != old) << slot;
                    }
                    words.push(mask);
                    while mask != 0 {
                        words.push(new[mask.trailing_zeros() as usize]);
                        mask &= mask - 1;
                    }
                }
            }
            _ => words.extend_from_slice(state),
        }
        self.open.n_states += 1;
    }

    pub(crate) fn close(&mut self) {
        if self.open.n_states > 0 {
            self.open.words.shrink_to_fit();
            self.blocks.push(std::mem::take(&mut self.open));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn what_is_written_is_read_from_every_place() {
        for n_slots in [0, 1, 5, 32, 33, 70] {
            let mut random = Random::new(n_slots as u64);
            let mut states = vec![vec![0u32; n_slots]];
            for _ in 0..1000 {
                let mut state = states[states.len() - 1].clone();
                for _ in 0..random.below(3).min(n_slots) {
                    state[random.below(n_slots)] = random.below(9) as u32;
                }
                states.push(state);
            }
            let mut level = Level::default();
            for part in states.chunks(300) {
                let mut blocks = Vec::new();
                let mut writer = Writer::new(&mut blocks);
                for (i, state) in part.iter().enumerate() {
                    writer.push(state, i.checked_sub(1).map(|it| &part[it][..]));
                }
                writer.close();
                level.append(&mut blocks);
            }
            assert_eq!(level.len(), states.len());
            for start in (0..states.len()).step_by(77) {
                let place = level.seek(Place::default(), start);
                let mut reader = level.read_from(place, start, n_slots);
                for state in &states[start..] {
                    assert_eq!(reader.advance(), &state[..]);
                }
            }
            level.forget_before(3);
            level.forget_before(level.blocks.len());
            assert_eq!(level.words, 0);
        }
    }
}
