//! The states found, by number, and how each was first reached.
//!
//! States are numbered 0, 1, 2 … in the order of a sequential breadth-first search, so the parents of consecutive states
//! never go back: what is kept for a state is how far its parent is from the parent of the state before, and which of
//! that parent's steps it was. Mostly that is one byte. A path is then a list of step numbers, and the states along
//! it come from asking the model again.
//!
//! Records are only appended, so the older ones can lie in files. A path then reads a few hundred bytes for each step.

use std::ops::ControlFlow;

use crate::codec::{Decoder, Encoder};
use crate::disk::{Disk, DiskFailure, Folder, Piece};
use crate::journal::Journal;
use crate::model::{Model, Sink};
use crate::outcome::Step;

/// The parent of an initial state.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// All states that a search found, as a forest rooted in the initial states.
#[derive(Debug, Default)]
pub struct StateSpace {
    /// The number of the first state of each depth.
    levels: Vec<u32>,
    len: u32,
    records: Journal,
    labels: Vec<Label>,
    last_parent: u32,
}

/// Where to start reading: from here, records of the states `first_state`, `first_state + 1`, …
#[derive(Debug)]
struct Label {
    first_state: u32,
    /// The parent of that state.
    parent: u32,
    at: u64,
}

/// What the names of files with records begin with.
const KIND: &str = "lineage-";
/// States between two labels, at least; a path needs to read about so many records for each step.
const MARK_EVERY: u32 = 256;

impl StateSpace {
    /// The number of states; they are `0..len`.
    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The depth of a state: 1 for an initial one.
    pub fn depth_of(&self, state_id: u32) -> u32 {
        self.levels.partition_point(|&first| first <= state_id) as u32
    }

    /// The state from which `state_id` was first reached; `None` for an initial state.
    pub fn parent_of(&self, state_id: u32) -> Option<u32> {
        let (parent, _) = self.record(state_id);
        (parent != NO_PARENT).then_some(parent)
    }

    /// The step numbers that lead to a state: which emission of the initial states, then which of each state's steps.
    pub fn path_to(&self, state_id: u32) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = state_id;
        while at != NO_PARENT {
            let (parent, step) = self.record(at);
            path.push(step);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The states along a path, asked from the model again. `None` if the model breaks its promise and the path leads
    /// nowhere.
    pub fn replay<M: Model>(model: &M, worker: &mut M::Worker<'_>, path: &[u32]) -> Option<Vec<Step>> {
        let mut trace: Vec<Step> = Vec::with_capacity(path.len());
        for &step in path {
            let mut pick = Pick::step(step);
            let done = match trace.last() {
                None => model.initial(worker, &mut pick),
                Some(last) => model.successors(worker, &last.state, trace.len() as u32, &mut pick),
            };
            // A fault after the step that we came for is no matter.
            drop(done);
            trace.push(pick.picked?.0);
        }
        Some(trace)
    }

    /// A walk through these states, each a successor of the one before, asked from the model again. Where states have keys,
    /// the walk goes through states with the keys of these.
    pub fn walk<M: Model>(
        &self,
        model: &M,
        worker: &mut M::Worker<'_>,
        state_ids: &[u32],
    ) -> Option<Vec<Step>> {
        let (&first, rest) = state_ids.split_first()?;
        let mut walk = StateSpace::replay(model, worker, &self.path_to(first))?;
        let mut walk = vec![walk.pop()?];
        for &state_id in rest {
            let path = self.path_to(state_id);
            let (last, before) = path.split_last()?;
            let before = StateSpace::replay(model, worker, before)?;
            // The state as it was found, with its key.
            let mut target = Pick::step(*last);
            drop(match before.last() {
                None => model.initial(worker, &mut target),
                Some(it) => model.successors(worker, &it.state, before.len() as u32, &mut target),
            });
            let target = target.picked?;
            let here = &walk.last()?.state;
            let mut like = Like {
                state: &target.0.state,
                key: target.1.as_deref(),
                found: None,
            };
            drop(model.successors(worker, here, walk.len() as u32, &mut like));
            let found = like.found?;
            walk.push(found);
        }
        Some(walk)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.records.bytes() + self.labels.capacity() * size_of::<Label>() + self.levels.capacity() * 4
    }

    /// Bytes that the next states may take at once.
    pub(crate) fn growth(&self) -> usize {
        self.records.growth()
    }

    pub(crate) fn begin_level(&mut self) {
        self.levels.push(self.len);
    }

    pub(crate) fn end_empty_level(&mut self) {
        if self.levels.last() == Some(&self.len) {
            self.levels.pop();
        }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.levels.len() as u32
    }

    pub(crate) fn append(&mut self, lineage: &Lineage) {
        let Some((parent, step)) = lineage.first else {
            return;
        };
        let starts_label = match self.labels.last() {
            None => true,
            Some(label) => {
                parent == NO_PARENT
                    || self.last_parent == NO_PARENT
                    || self.len - label.first_state >= MARK_EVERY
            }
        };
        if starts_label {
            self.labels.push(Label {
                first_state: self.len,
                parent,
                at: self.records.len(),
            });
        }
        let ahead = match starts_label {
            true => 0,
            false => parent - self.last_parent,
        };
        let records = self.records.end(lineage.rest.len() + 16);
        write_record(records, ahead, step);
        records.extend_from_slice(&lineage.rest);
        self.len += lineage.len;
        self.last_parent = lineage.last_parent;
    }

    /// Parent and step number of a state.
    ///
    /// # Panics
    /// When a file with records can no longer be read: the world failed after the search was over.
    fn record(&self, state_id: u32) -> (u32, u32) {
        assert!(state_id < self.len, "no state {state_id}");
        let next_label = self.labels.partition_point(|label| label.first_state <= state_id);
        let label = &self.labels[next_label - 1];
        let end = self.labels.get(next_label).map_or(self.records.len(), |it| it.at);
        let mut parent = label.parent;
        let mut step = None;
        let records = self
            .records
            .read(label.at, end)
            .unwrap_or_else(|failure| panic!("{}", failure.what));
        let mut at = 0;
        for _ in label.first_state..=state_id {
            let (ahead, rest) = read_record(&records, &mut at);
            step = Some(match step {
                Some(before) if ahead == 0 => before + 1 + rest,
                _ => rest,
            });
            parent = parent.wrapping_add(ahead);
        }
        (parent, step.expect("at least one record"))
    }

    /// Bytes of records in memory.
    pub(crate) fn tail(&self) -> usize {
        self.records.tail_len()
    }

    /// Bytes in files.
    pub(crate) fn size(&self) -> u64 {
        self.records.size()
    }

    /// Moves all records into a file.
    pub(crate) fn spill(&mut self, folder: &mut Folder<'_>) -> Result<(), DiskFailure> {
        self.records.spill(folder, KIND)
    }

    /// Writes down everything but the records, and where those are, safe on the disk.
    pub(crate) fn save(&mut self, folder: &mut Folder<'_>, to: &mut Encoder) -> Result<(), DiskFailure> {
        self.records.save(folder, KIND, to)?;
        to.list(&self.levels, |to, &it| to.number(u64::from(it)));
        to.number(u64::from(self.len));
        to.number(u64::from(self.last_parent));
        to.list(&self.labels, |to, it| {
            to.number(u64::from(it.first_state));
            to.number(u64::from(it.parent));
            to.number(it.at);
        });
        Ok(())
    }

    /// The files that `save` named.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        self.records.pieces().cloned().collect()
    }

    /// The reverse of `save`. `None` if it makes no sense.
    pub(crate) fn load(from: &mut Decoder<'_>, disk: &dyn Disk) -> Option<Result<StateSpace, DiskFailure>> {
        let records = match Journal::load(from, disk)? {
            Ok(records) => records,
            Err(failure) => return Some(Err(failure)),
        };
        let levels = from.list(Decoder::word)?;
        let len = from.word()?;
        let last_parent = from.word()?;
        let labels = from.list(|from| {
            Some(Label {
                first_state: from.word()?,
                parent: from.word()?,
                at: from.number()?,
            })
        })?;
        if labels.last().is_some_and(|it| it.at >= records.len()) || levels.last().is_some_and(|&it| it > len)
        {
            return None;
        }
        Some(Ok(StateSpace {
            levels,
            len,
            records,
            labels,
            last_parent,
        }))
    }
}

/// Parents and steps of a run of new states, ready to be appended.
#[derive(Default)]
pub(crate) struct Lineage {
    first: Option<(u32, u32)>,
    rest: Vec<u8>,
    last_parent: u32,
    last_step: u32,
    len: u32,
}

impl Lineage {
    pub(crate) fn clear(&mut self) {
        self.first = None;
        self.rest.clear();
        self.len = 0;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rest.capacity()
    }

    /// Adds the next state. Parents ascend; the steps of one parent ascend strictly.
    pub(crate) fn push(&mut self, parent: u32, step: u32) {
        if self.first.is_none() {
            self.first = Some((parent, step));
        } else if parent == self.last_parent {
            write_record(&mut self.rest, 0, step - self.last_step - 1);
        } else {
            write_record(&mut self.rest, parent - self.last_parent, step);
        }
        self.last_parent = parent;
        self.last_step = step;
        self.len += 1;
    }
}

/// Three bits for the parent and five for the step; the last value of each says that more follows.
fn write_record(bytes: &mut Vec<u8>, ahead: u32, step: u32) {
    bytes.push((ahead.min(7) << 5 | step.min(31)) as u8);
    for more in [ahead.checked_sub(7), step.checked_sub(31)].into_iter().flatten() {
        let mut more = more;
        while more >= 128 {
            bytes.push(more as u8 | 128);
            more >>= 7;
        }
        bytes.push(more as u8);
    }
}

fn read_record(bytes: &[u8], at: &mut usize) -> (u32, u32) {
    let head = u32::from(bytes[*at]);
    *at += 1;
    let mut more = |least: u32| {
        let mut number = 0;
        let mut shift = 0;
        loop {
            let byte = u32::from(bytes[*at]);
            *at += 1;
            number |= (byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return least + number;
            }
        }
    };
    let ahead = if head >> 5 == 7 { more(7) } else { head >> 5 };
    let step = if head & 31 == 31 { more(31) } else { head & 31 };
    (ahead, step)
}

/// Takes one step out of those that a model emits.
struct Pick {
    /// Steps to let pass.
    left: u32,
    picked: Option<(Step, Option<Vec<u32>>)>,
}

impl Pick {
    fn step(number: u32) -> Pick {
        Pick {
            left: number,
            picked: None,
        }
    }

    fn pass(&mut self) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(1);
        ControlFlow::Continue(())
    }
}

impl Sink for Pick {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(
        &mut self,
        state: &[u32],
        _hash: u64,
        key: Option<(&[u32], u64)>,
        action: u32,
    ) -> ControlFlow<()> {
        if self.picked.is_some() {
            return ControlFlow::Break(());
        }
        if self.left > 0 {
            return self.pass();
        }
        let step = Step {
            state: state.to_vec(),
            action,
        };
        self.picked = Some((step, key.map(|it| it.0.to_vec())));
        ControlFlow::Break(())
    }

    fn exclude(&mut self, _action: u32) -> ControlFlow<()> {
        self.pass()
    }

    fn violation(&mut self, _property: u32, _state: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Takes the first step to a state, or to one with its key.
struct Like<'a> {
    state: &'a [u32],
    key: Option<&'a [u32]>,
    found: Option<Step>,
}

impl Sink for Like<'_> {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(
        &mut self,
        state: &[u32],
        _hash: u64,
        key: Option<(&[u32], u64)>,
        action: u32,
    ) -> ControlFlow<()> {
        let is_it = match (self.key, key) {
            (Some(wanted), Some((key, _))) => wanted == key,
            _ => self.state == state,
        };
        if !is_it || self.found.is_some() {
            return ControlFlow::Continue(());
        }
        self.found = Some(Step {
            state: state.to_vec(),
            action,
        });
        ControlFlow::Break(())
    }

    fn exclude(&mut self, _action: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _property: u32, _state: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn records_come_back() {
        let mut random = Random::new(7);
        let mut space = StateSpace::default();
        let mut expected: Vec<(u32, u32)> = Vec::new();
        let mut step = 0;
        let mut lineage = Lineage::default();
        for _ in 0..100 {
            lineage.push(NO_PARENT, step);
            expected.push((NO_PARENT, step));
            step += 1 + random.below(60) as u32;
        }
        space.append(&lineage);
        let mut parent = 0;
        while expected.len() < 20_000 {
            lineage.clear();
            for _ in 0..random.below(40) {
                let mut step = random.below(40) as u32;
                for _ in 0..random.below(4) {
                    lineage.push(parent, step);
                    expected.push((parent, step));
                    step += 1 + [0, 0, 3, 50, 5000][random.below(5)];
                }
                parent += 1 + [0, 0, 0, 2, 9, 1000][random.below(6)];
            }
            space.append(&lineage);
        }
        assert_eq!(space.len() as usize, expected.len());
        for (state_id, &record) in expected.iter().enumerate().rev().step_by(13) {
            assert_eq!(space.record(state_id as u32), record);
        }
    }
}
