//! What expanding a run of neighbouring states gives: the unit of work of the search.
//!
//! One worker *generates* into a chunk, keeping only the states that were not known when the batch began; then each candidate is
//! *deduplicated* by whoever owns its shard of the visited set; then one worker, the first one again if it can be, has what turned
//! out to be new *inspected* by the model and *inserts* it. Candidates stand in the
//! order of generation throughout, so what the search does is what a sequential search does.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::counts::bump;
use crate::frontier::{Block, Writer};
use crate::graph::{Directory, Recording};
use crate::model::Fault;
use crate::options::Limit;
use crate::order::{self, Position, StateId};
use crate::set::{SHARDS, Shard, shard_of};
use crate::space::{Lineage, NO_PARENT};

/// An event as threads of one process know it: with states of their own, and with what was wrong.
pub(crate) type Event = order::Event<Vec<u32>, Fault>;
pub(crate) type EventKind = order::EventKind<Fault>;

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) parent: u32,
    pub(crate) step: u32,
    pub(crate) action: u32,
}

impl Origin {
    pub(crate) fn position(&self) -> Position {
        Position::of_state(state_id(self.parent), self.step)
    }
}

/// The number of a state that is kept in 32 bits.
pub(crate) fn state_id(number: u32) -> StateId {
    match number {
        NO_PARENT => StateId::NONE,
        _ => StateId(u64::from(number)),
    }
}

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fate {
    Known,
    New,
    /// Known since an earlier batch, as files tell.
    Old,
}

/// How far generating got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Progress {
    #[default]
    Waiting,
    Done,
    /// The table of pairs was full: grow it, and number the candidates that have no number yet.
    Full,
    Interrupted(Limit),
}

/// Invariant: `numbers`, `origins` and `fates` have one element for each candidate, `states` has n_slots, and `own` has one
/// if states have keys and none otherwise. Origins ascend.
#[derive(Default)]
pub(crate) struct Chunk {
    pub(crate) progress: Progress,
    /// What stands for the candidate in the visited set.
    pub(crate) numbers: Vec<u64>,
    pub(crate) states: Vec<u32>,
    pub(crate) origins: Vec<Origin>,
    /// What stands for the state itself when `numbers` stands for its key.
    pub(crate) own: Vec<u64>,
    /// Where the table of pairs was full, what there is to number of the candidates from the first one without a number on.
    unnumbered: Option<Unnumbered>,
    fates: Vec<AtomicU8>,
    /// Candidates up to here were not known when the batch began; those after it have not been looked up.
    n_filtered: usize,
    /// Candidates by shard, in order: those of shard s are `by_shard[shard_starts[s]..shard_starts[s + 1]]`.
    by_shard: Vec<u32>,
    shard_starts: Vec<u32>,
    pub(crate) generated: u64,
    pub(crate) taken: Vec<u64>,
    /// `insert` was called.
    pub(crate) is_inserted: bool,
    pub(crate) blocks: Vec<Block>,
    pub(crate) lineage: Lineage,
    pub(crate) found: Vec<u64>,
    /// The number of the first new state, once the states before it have theirs.
    pub(crate) first_found: u32,
    pub(crate) recording: Recording,
}

/// Candidates that could not be numbered when they were generated. The model is not asked for them again: that takes longer, and
/// what it counts would be counted twice.
#[derive(Default)]
struct Unnumbered {
    /// The first of them, and where its step is recorded.
    start: usize,
    start_recorded: usize,
    /// How many have their numbers meanwhile.
    n_numbered: usize,
    /// Their keys, if states have keys, and how long those are.
    keys: Vec<u32>,
    key_len: Option<usize>,
}

impl Chunk {
    /// Empty, with its memory kept.
    pub(crate) fn reset(&mut self) {
        self.progress = Progress::Waiting;
        self.numbers.clear();
        self.states.clear();
        self.origins.clear();
        self.own.clear();
        self.unnumbered = None;
        self.fates.clear();
        self.n_filtered = 0;
        self.by_shard.clear();
        self.shard_starts.clear();
        self.generated = 0;
        self.taken.fill(0);
        self.is_inserted = false;
        self.blocks.clear();
        self.lineage.clear();
        self.found.fill(0);
        self.recording.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<u64>()
            + self.states.capacity() * 4
            + self.origins.capacity() * size_of::<Origin>()
            + self.own.capacity() * 8
            + self.unnumbered.as_ref().map_or(0, |it| it.keys.capacity() * 4)
            + self.fates.capacity()
            + self.by_shard.capacity() * 4
            + (self.taken.capacity() + self.found.capacity()) * 8
            + self.lineage.bytes()
            + self.recording.bytes()
    }

    /// What deduplication and inserting may write: fates, the order by shard, lineage, the states themselves.
    pub(crate) fn bytes_to_come(&self) -> usize {
        let deduplicated = (self.numbers.capacity() * (1 + 4))
            .saturating_sub(self.fates.capacity() + self.by_shard.capacity() * 4);
        deduplicated + self.numbers.capacity() + self.states.capacity() * 4
    }

    /// All of it, with so many candidates more: vectors double.
    pub(crate) fn bytes_soon(&self, additional: usize) -> usize {
        let factor = if self.numbers.len() + additional > self.numbers.capacity() {
            2
        } else {
            1
        };
        (self.bytes() + self.bytes_to_come()) * factor
    }

    /// Gives memory back after an unusually large chunk.
    pub(crate) fn shrink(&mut self, bytes_max: usize) {
        if self.bytes() > bytes_max {
            *self = Chunk::default();
        }
    }

    #[inline]
    pub(crate) fn count(&mut self, action: u32) {
        self.generated += 1;
        bump(&mut self.taken, action);
    }

    #[inline]
    pub(crate) fn push(&mut self, number: u64, state: &[u32], origin: Origin) {
        self.numbers.push(number);
        self.states.extend_from_slice(state);
        self.origins.push(origin);
    }

    /// Whether candidates have no numbers from here on.
    #[inline]
    pub(crate) fn is_unnumbered(&self) -> bool {
        self.unnumbered.is_some()
    }

    /// Candidates have no numbers from here on.
    pub(crate) fn stop_numbering(&mut self) {
        let unnumbered = Unnumbered {
            start: self.numbers.len(),
            start_recorded: self.recording.n_recorded(),
            ..Unnumbered::default()
        };
        self.unnumbered.get_or_insert(unnumbered);
    }

    /// Adds a candidate without a number.
    pub(crate) fn push_unnumbered(&mut self, state: &[u32], key: Option<&[u32]>, origin: Origin) {
        let Some(unnumbered) = &mut self.unnumbered else {
            return;
        };
        unnumbered.keys.extend_from_slice(key.unwrap_or_default());
        unnumbered.key_len = key.map(<[u32]>::len);
        self.own.extend(key.map(|_| 0));
        self.recording.step(0, key.map(|_| origin.step));
        self.push(0, state, origin);
    }

    /// Numbers the candidates that have no number, in order; false when the table of pairs is full once more.
    pub(crate) fn number_rest(
        &mut self,
        n_slots: usize,
        mut number: impl FnMut(&[u32], Option<&[u32]>) -> Option<(u64, Option<u64>)>,
    ) -> bool {
        let Some(mut unnumbered) = self.unnumbered.take() else {
            return true;
        };
        for at in unnumbered.n_numbered..self.numbers.len() - unnumbered.start {
            let it = unnumbered.start + at;
            let state = &self.states[it * n_slots..(it + 1) * n_slots];
            let key = unnumbered
                .key_len
                .map(|len| &unnumbered.keys[at * len..(at + 1) * len]);
            let Some((code, own)) = number(state, key) else {
                unnumbered.n_numbered = at;
                self.unnumbered = Some(unnumbered);
                return false;
            };
            self.numbers[it] = code;
            if let Some(own) = own {
                self.own[it] = own;
            }
            self.recording.set_code(unnumbered.start_recorded + at, code);
        }
        true
    }

    /// Candidates not looked up yet.
    #[inline]
    pub(crate) fn n_unfiltered(&self) -> usize {
        self.numbers.len() - self.n_filtered
    }

    /// Drops the candidates that are known already.
    pub(crate) fn filter(&mut self, shards: &[&Shard], n_slots: usize) {
        let has_own = !self.own.is_empty();
        // The loads of this loop overlap; the answers below then come from the cache.
        let mut touched = 0;
        for &number in &self.numbers[self.n_filtered..] {
            touched |= shards[shard_of(number)].peek(number);
        }
        let mut kept = self.n_filtered;
        if touched == 0 {
            // Every home is free, so nothing is known.
            kept = self.numbers.len();
        } else {
            for it in self.n_filtered..self.numbers.len() {
                if shards[shard_of(self.numbers[it])].contains(self.numbers[it]) {
                    continue;
                }
                if kept != it {
                    self.numbers[kept] = self.numbers[it];
                    self.origins[kept] = self.origins[it];
                    self.states
                        .copy_within(it * n_slots..(it + 1) * n_slots, kept * n_slots);
                    if has_own {
                        self.own[kept] = self.own[it];
                    }
                }
                kept += 1;
            }
        }
        self.numbers.truncate(kept);
        self.origins.truncate(kept);
        self.states.truncate(kept * n_slots);
        self.own.truncate(kept);
        self.n_filtered = kept;
    }

    /// Everything is generated; from now on candidates have fates.
    pub(crate) fn seal(&mut self) {
        self.progress = Progress::Done;
        self.fates
            .resize_with(self.numbers.len(), || AtomicU8::new(Fate::Known as u8));
    }

    /// Sorts the candidates by shard, for workers that deduplicate shard by shard.
    pub(crate) fn sort_by_shard(&mut self) {
        self.shard_starts.resize(SHARDS + 1, 0);
        for &number in &self.numbers {
            self.shard_starts[shard_of(number) + 1] += 1;
        }
        for shard in 0..SHARDS {
            self.shard_starts[shard + 1] += self.shard_starts[shard];
        }
        let mut next: [u32; SHARDS] = self.shard_starts[..SHARDS].try_into().expect("as many");
        self.by_shard.resize(self.numbers.len(), 0);
        for (it, &number) in self.numbers.iter().enumerate() {
            let place = &mut next[shard_of(number)];
            self.by_shard[*place as usize] = it as u32;
            *place += 1;
        }
    }

    pub(crate) fn of_shard(&self, shard: usize) -> &[u32] {
        &self.by_shard[self.shard_starts[shard] as usize..self.shard_starts[shard + 1] as usize]
    }

    pub(crate) fn state(&self, it: usize, n_slots: usize) -> &[u32] {
        &self.states[it * n_slots..(it + 1) * n_slots]
    }

    #[inline]
    pub(crate) fn set_new(&self, it: usize) {
        self.fates[it].store(Fate::New as u8, Ordering::Relaxed);
    }

    pub(crate) fn set_known(&self, it: usize) {
        self.fates[it].store(Fate::Known as u8, Ordering::Relaxed);
    }

    pub(crate) fn set_old(&self, it: usize) {
        self.fates[it].store(Fate::Old as u8, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn is_old(&self, it: usize) -> bool {
        self.fates[it].load(Ordering::Relaxed) == Fate::Old as u8
    }

    #[inline]
    pub(crate) fn is_new(&self, it: usize) -> bool {
        self.fates[it].load(Ordering::Relaxed) == Fate::New as u8
    }

    /// Writes all new states unless that was done.
    pub(crate) fn insert_once(&mut self, n_slots: usize) {
        if !self.is_inserted {
            self.insert(n_slots, None);
        }
    }

    /// Writes the new states, up to a position, to where the search will read them again.
    pub(crate) fn insert(&mut self, n_slots: usize, upto: Option<Position>) {
        let mut writer = Writer::new(&mut self.blocks);
        let mut before: Option<usize> = None;
        for it in 0..self.numbers.len() {
            let origin @ Origin { parent, step, action } = self.origins[it];
            if self.fates[it].load(Ordering::Relaxed) != Fate::New as u8 {
                continue;
            }
            if upto.is_some_and(|upto| origin.position() > upto) {
                break;
            }
            let state = |it: usize| &self.states[it * n_slots..(it + 1) * n_slots];
            writer.push(state(it), before.map(state));
            self.lineage.push(parent, step);
            bump(&mut self.found, action);
            self.recording.found(self.numbers[it]);
            before = Some(it);
        }
        writer.close();
        self.is_inserted = true;
    }

    /// Writes down the recorded steps as steps between states; see [`Recording::link`].
    pub(crate) fn link(&mut self, directory: &Directory, first_source: u32) {
        // Positions are asked for only where states have keys.
        let origins: Vec<(u32, u32)> = match self.own.is_empty() {
            true => Vec::new(),
            false => {
                let new = (0..self.len()).filter(|&it| self.is_new(it));
                new.map(|it| (self.origins[it].parent, self.origins[it].step))
                    .collect()
            }
        };
        self.recording
            .link(directory, first_source, self.first_found, &origins);
    }
}
