//! How each state of one share was first reached: three or four bytes for a state.
//!
//! States come in the order of their numbers, and so do their parents. What is kept for a state is how far its number and its
//! parent are from those of the state before, and which of the parent's steps it was.

use explore::StateId;

use crate::bytes::{read_number, write_number};

#[derive(Default)]
pub struct Lineage {
    records: Vec<u8>,
    marks: Vec<Mark>,
    len: u64,
    last: (u64, u64),
}

/// Where to start reading: what number and parent were before this place.
struct Mark {
    /// The first number from here on.
    number: u64,
    before: (u64, u64),
    at: usize,
}

const MARK_EVERY: u64 = 256;

impl Lineage {
    /// Adds the next state. Numbers ascend strictly; initial states come first.
    pub fn push(&mut self, number: StateId, parent: StateId, step: u32) {
        // Parents ascend when the missing one of initial states is the least.
        let (number, parent) = (number.0, parent.0.wrapping_add(1));
        debug_assert!(self.len == 0 || number > self.last.0);
        debug_assert!(parent >= self.last.1);
        if self.len.is_multiple_of(MARK_EVERY) {
            self.marks.push(Mark {
                number,
                before: self.last,
                at: self.records.len(),
            });
        }
        write_number(&mut self.records, number - self.last.0);
        write_number(&mut self.records, parent - self.last.1);
        write_number(&mut self.records, u64::from(step));
        self.last = (number, parent);
        self.len += 1;
    }

    /// Parent and step of a state, if it is one of this share.
    pub fn find(&self, number: StateId) -> Option<(StateId, u32)> {
        let number = number.0;
        let at = self
            .marks
            .partition_point(|it| it.number <= number)
            .checked_sub(1)?;
        let mark = &self.marks[at];
        let mut left = &self.records[mark.at..];
        let (mut here, mut parent) = mark.before;
        for _ in 0..MARK_EVERY {
            let mut next = || read_number(&mut left).ok();
            here += next()?;
            parent += next()?;
            let step = next()? as u32;
            if here == number {
                return Some((StateId(parent.wrapping_sub(1)), step));
            }
            if here > number {
                return None;
            }
        }
        None
    }

    /// The steps that lead to a state, the last one first, as far as all states on the way are of this share; and the state
    /// from where someone else must go on.
    pub fn climb(&self, number: StateId) -> Option<(Vec<u32>, StateId)> {
        let mut steps = vec![];
        let mut here = number;
        while here != StateId::NONE
            && let Some((parent, step)) = self.find(here)
        {
            steps.push(step);
            here = parent;
        }
        (!steps.is_empty()).then_some((steps, here))
    }

    pub fn bytes(&self) -> usize {
        self.records.capacity() + self.marks.capacity() * size_of::<Mark>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::Random;

    #[test]
    fn records_come_back() {
        let mut random = Random::new(11);
        let mut lineage = Lineage::default();
        let mut all = vec![];
        let (mut number, mut parent) = (random.below(3) as u64, 0);
        for it in 0..5000 {
            let step = random.below(40) as u32 * if it % 100 == 0 { 5000 } else { 1 };
            let from = if it < 300 { StateId::NONE } else { StateId(parent) };
            lineage.push(StateId(number), from, step);
            all.push((number, from, step));
            number += 1 + random.below(4) as u64;
            parent += random.below(3) as u64;
        }
        for &(number, parent, step) in &all {
            assert_eq!(lineage.find(StateId(number)), Some((parent, step)));
        }
        let gaps = (0..number).filter(|it| all.binary_search_by_key(it, |it| it.0).is_err());
        for gap in gaps {
            assert_eq!(lineage.find(StateId(gap)), None);
        }
    }
}
