//! The graph of all states, for questions about infinite behaviours.
//!
//! It is recorded on the way, because the search generates every step anyway. What a step leads to is known first as a *code*, that
//! which stands for the target in the visited set; when a batch is inserted all of its targets have numbers, or are outside the
//! constraints, so that the steps of the batch are written down as pairs of state numbers (`link`). A search that is not asked for
//! the graph records nothing.
//!
//! Numbers of states mean the same in every process, so what is written down ([`EdgeLog`]) can be kept in files, gone on with
//! after an interruption, and gathered by one process of several. It is compressed, a few bytes for a step with its labels;
//! [`EdgeLog::to_graph`] makes arrays of it, which is what `temporal` decides questions on.

use util::wire::{Damaged, read_number, unzigzag, write_number, zigzag};

use crate::codec::{Decoder, Encoder};
use crate::disk::{Disk, DiskFailure, Folder, Piece};
use crate::journal::Journal;
use crate::options::{Limit, Options};

/// States by number and the steps between them, with the model's labels.
///
/// Steps to states outside the constraints are not in it, nor are excluded ones. A step from a state to itself is left
/// out, unless states have keys: there it may be a step between different states with one key.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct StateGraph {
    /// The initial states are `0..n_initial`.
    pub n_initial: u32,
    /// The steps of state s are `offsets[s]..offsets[s + 1]`.
    pub offsets: Vec<u32>,
    pub targets: Vec<u32>,
    /// Words of labels for each state.
    pub state_words: usize,
    pub state_labels: Vec<u64>,
    /// Words of labels for each step.
    pub step_words: usize,
    pub step_labels: Vec<u64>,
}

impl StateGraph {
    pub fn n_states(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    pub fn bytes(&self) -> usize {
        (self.offsets.capacity() + self.targets.capacity()) * 4
            + (self.state_labels.capacity() + self.step_labels.capacity()) * 8
    }
}

/// Some consecutive expanded states with their steps, compressed.
///
/// A state is the number of its steps and its labels; then for each step how far its target is from the state, and its labels.
#[derive(Clone, Debug, Default)]
pub struct EdgeBlock {
    bytes: Vec<u8>,
    n_states: u32,
    n_steps: u64,
    state_words: usize,
    step_words: usize,
    /// For `push`: places in the caller's list of the steps that count.
    kept: Vec<usize>,
}

impl EdgeBlock {
    pub fn clear(&mut self) {
        self.bytes.clear();
        (self.n_states, self.n_steps) = (0, 0);
    }

    pub fn bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Adds the next state. Step i leads to `targets[i]`, or nowhere, and has the i-th equal part of `step_labels`; steps that
    /// occur twice count once, and steps from a state to itself only if `keeps_loops`.
    pub fn push(
        &mut self,
        source: u32,
        state_labels: &[u64],
        targets: &[Option<u32>],
        step_labels: &[u64],
        keeps_loops: bool,
    ) {
        let words = step_labels.len().checked_div(targets.len()).unwrap_or(0);
        let labels = |it: usize| &step_labels[it * words..(it + 1) * words];
        self.kept.clear();
        for (it, &target) in targets.iter().enumerate() {
            let is_one = target.is_some_and(|target| keeps_loops || target != source);
            // States have few steps, so looking through them is cheaper than a table.
            if is_one
                && !self
                    .kept
                    .iter()
                    .any(|&known| targets[known] == target && labels(known) == labels(it))
            {
                self.kept.push(it);
            }
        }
        write_number(&mut self.bytes, self.kept.len() as u64);
        state_labels
            .iter()
            .for_each(|&it| write_number(&mut self.bytes, it));
        for &it in &self.kept {
            let target = targets[it].unwrap_or(source);
            write_number(&mut self.bytes, zigzag(i64::from(target) - i64::from(source)));
            labels(it)
                .iter()
                .for_each(|&it| write_number(&mut self.bytes, it));
        }
        self.n_states += 1;
        self.n_steps += self.kept.len() as u64;
        self.state_words = state_labels.len();
        if !self.kept.is_empty() {
            self.step_words = words;
        }
    }
}

/// All expanded states of a search in the order of their numbers, with their steps, compressed and in part in files.
#[derive(Debug, Default)]
pub struct EdgeLog {
    journal: Journal,
    n_states: u32,
    n_steps: u64,
    state_words: usize,
    step_words: usize,
    /// Places in the journal where a state begins, some way from each other: it is read in pieces.
    cuts: Vec<u64>,
}

/// Bytes between two cuts, at least.
const PIECE: u64 = 1 << 16;
/// What the names of files with edges begin with.
const KIND: &str = "edges-";

impl EdgeLog {
    /// Adds the states after those that are there.
    pub fn append(&mut self, block: &EdgeBlock) {
        if block.n_states == 0 {
            return;
        }
        let at = self.journal.len();
        if self.cuts.last().is_none_or(|&last| at - last >= PIECE) {
            self.cuts.push(at);
        }
        self.journal
            .end(block.bytes.len())
            .extend_from_slice(&block.bytes);
        self.n_states += block.n_states;
        self.n_steps += block.n_steps;
        self.state_words = block.state_words;
        if block.n_steps > 0 {
            self.step_words = block.step_words;
        }
    }

    /// Memory.
    pub fn bytes(&self) -> usize {
        self.journal.bytes() + self.cuts.capacity() * 8
    }

    /// Bytes in files.
    pub fn size(&self) -> u64 {
        self.journal.size()
    }

    pub(crate) fn tail(&self) -> usize {
        self.journal.tail_len()
    }

    pub(crate) fn growth(&self) -> usize {
        self.journal.growth()
    }

    pub(crate) fn spill(&mut self, folder: &mut Folder<'_>) -> Result<(), DiskFailure> {
        self.journal.spill(folder, KIND)
    }

    /// What the arrays of [`EdgeLog::to_graph`] take.
    fn graph_bytes(&self) -> usize {
        let n_steps = self.n_steps as usize;
        (self.n_states as usize + 1) * (4 + self.state_words * 8) + n_steps * (4 + self.step_words * 8)
    }

    /// The graph of the states that were expanded. `memory` is what is held already.
    pub fn to_graph(
        &self,
        n_initial: u32,
        memory: usize,
        options: &Options<'_>,
    ) -> Result<StateGraph, GraphFailure> {
        let needed = self.graph_bytes();
        let is_too_much = options.limits.memory.is_some_and(|it| memory + needed > it);
        if is_too_much || self.n_steps >= u64::from(u32::MAX) {
            return Err(Limit::Memory.into());
        }
        let n_states = self.n_states as usize;
        let mut graph = StateGraph {
            n_initial: n_initial.min(self.n_states),
            offsets: Vec::with_capacity(n_states + 1),
            targets: Vec::with_capacity(self.n_steps as usize),
            state_words: self.state_words,
            state_labels: Vec::with_capacity(n_states * self.state_words),
            step_words: self.step_words,
            step_labels: Vec::with_capacity(self.n_steps as usize * self.step_words),
        };
        graph.offsets.push(0);
        for (i, &start) in self.cuts.iter().enumerate() {
            if let Some(limit) = options.interruption() {
                return Err(limit.into());
            }
            let end = self.cuts.get(i + 1).copied().unwrap_or(self.journal.len());
            let bytes = self.journal.read(start, end)?;
            self.decode(&bytes, &mut graph)
                .map_err(|Damaged| DiskFailure::damaged(KIND, "holds no steps"))?;
        }
        Ok(graph)
    }

    fn decode(&self, mut bytes: &[u8], graph: &mut StateGraph) -> Result<(), Damaged> {
        let bytes = &mut bytes;
        while !bytes.is_empty() {
            let source = i64::from(graph.n_states());
            let n_steps = read_number(bytes)?;
            for _ in 0..self.state_words {
                graph.state_labels.push(read_number(bytes)?);
            }
            for _ in 0..n_steps {
                let target = source + unzigzag(read_number(bytes)?);
                let target: u32 = target.try_into().map_err(|_| Damaged)?;
                // A state that was found and not expanded is not in the graph, nor are steps to it.
                let is_in = target < self.n_states;
                if is_in {
                    graph.targets.push(target);
                }
                for _ in 0..self.step_words {
                    let labels = read_number(bytes)?;
                    if is_in {
                        graph.step_labels.push(labels);
                    }
                }
            }
            graph.offsets.push(graph.targets.len() as u32);
        }
        Ok(())
    }

    /// Writes down where everything is, safe on the disk.
    pub(crate) fn save(&mut self, folder: &mut Folder<'_>, to: &mut Encoder) -> Result<(), DiskFailure> {
        self.journal.save(folder, KIND, to)?;
        to.numbers(&[
            u64::from(self.n_states),
            self.n_steps,
            self.state_words as u64,
            self.step_words as u64,
        ]);
        to.numbers(&self.cuts);
        Ok(())
    }

    pub(crate) fn pieces(&self) -> Vec<Piece> {
        self.journal.pieces().cloned().collect()
    }

    /// The reverse of `save`. `None` if it makes no sense.
    pub(crate) fn load(from: &mut Decoder<'_>, disk: &dyn Disk) -> Option<Result<EdgeLog, DiskFailure>> {
        let journal = match Journal::load(from, disk)? {
            Ok(journal) => journal,
            Err(failure) => return Some(Err(failure)),
        };
        let [n_states, n_steps, state_words, step_words] = from.numbers()?.try_into().ok()?;
        let cuts = from.numbers()?;
        if !cuts.is_sorted() || cuts.last().is_some_and(|&it| it > journal.len()) {
            return None;
        }
        Some(Ok(EdgeLog {
            journal,
            n_states: n_states.try_into().ok()?,
            n_steps,
            state_words: state_words.try_into().ok()?,
            step_words: step_words.try_into().ok()?,
            cuts,
        }))
    }
}

/// Why there is no graph.
#[derive(Debug)]
pub enum GraphFailure {
    Limit(Limit),
    Disk(DiskFailure),
}

impl GraphFailure {
    /// The limit that it comes to; what files said is noted.
    pub fn limit(self, failure: &mut Option<DiskFailure>) -> Limit {
        match self {
            GraphFailure::Limit(limit) => limit,
            GraphFailure::Disk(said) => {
                failure.get_or_insert(said);
                Limit::Disk
            }
        }
    }
}

impl From<Limit> for GraphFailure {
    fn from(limit: Limit) -> GraphFailure {
        GraphFailure::Limit(limit)
    }
}

impl From<DiskFailure> for GraphFailure {
    fn from(failure: DiskFailure) -> GraphFailure {
        GraphFailure::Disk(failure)
    }
}

/// What one chunk of the search saw of the graph: steps by the codes of their targets until they are linked.
///
/// Invariant: `n_steps` adds up to the length of `codes`; `step_labels` has as many words for each code, and `state_labels` for each
/// element of `n_steps`. Where states have keys, `steps` has one element for each code, and none otherwise.
#[derive(Default)]
pub(crate) struct Recording {
    pub(crate) is_on: bool,
    n_steps: Vec<u32>,
    codes: Vec<u64>,
    /// Which step of its state it is.
    steps: Vec<u32>,
    state_labels: Vec<u64>,
    step_labels: Vec<u64>,
    /// Codes of the states that became part of the space.
    pub(crate) found: Vec<u64>,
    pub(crate) block: EdgeBlock,
}

impl Recording {
    pub(crate) fn clear(&mut self) {
        self.n_steps.clear();
        self.codes.clear();
        self.steps.clear();
        self.state_labels.clear();
        self.step_labels.clear();
        self.found.clear();
        self.block.clear();
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.n_steps.capacity() + self.steps.capacity()) * 4
            + (self.codes.capacity() + self.found.capacity()) * 8
            + (self.state_labels.capacity() + self.step_labels.capacity()) * 8
            + self.block.bytes()
    }

    pub(crate) fn begin_state(&mut self) {
        if self.is_on {
            self.n_steps.push(0);
        }
    }

    /// A step to what has this code; where states have keys, which step it is.
    #[inline]
    pub(crate) fn step(&mut self, code: u64, keyed: Option<u32>) {
        if self.is_on {
            self.codes.push(code);
            self.steps.extend(keyed);
            if let Some(last) = self.n_steps.last_mut() {
                *last += 1;
            }
        }
    }

    pub(crate) fn n_recorded(&self) -> usize {
        self.codes.len()
    }

    /// The code of a step that was recorded before it was known.
    pub(crate) fn set_code(&mut self, step: usize, code: u64) {
        if self.is_on {
            self.codes[step] = code;
        }
    }

    pub(crate) fn label_step(&mut self, labels: &[u64]) {
        self.step_labels.extend_from_slice(labels);
    }

    pub(crate) fn label_state(&mut self, labels: &[u64]) {
        self.state_labels.extend_from_slice(labels);
    }

    #[inline]
    pub(crate) fn found(&mut self, code: u64) {
        if self.is_on {
            self.found.push(code);
        }
    }

    /// Writes the steps down as steps between states, into `block`. The states are `first_source` and those after it; those
    /// found here are `first_found` and those after it, and where states have keys, `origins` says where: the directory may
    /// know states that were found later in the order.
    pub(crate) fn link(
        &mut self,
        directory: &Directory,
        first_source: u32,
        first_found: u32,
        origins: &[(u32, u32)],
    ) {
        let has_keys = !self.steps.is_empty();
        let words = |all: &[u64], n: usize| all.len().checked_div(n).unwrap_or(0);
        let state_words = words(&self.state_labels, self.n_steps.len());
        let step_words = words(&self.step_labels, self.codes.len());
        let mut targets: Vec<Option<u32>> = Vec::new();
        let mut first = 0;
        for (i, &n_steps) in self.n_steps.iter().enumerate() {
            let source = first_source + i as u32;
            let end = first + n_steps as usize;
            targets.clear();
            targets.extend((first..end).map(|it| {
                let target = directory.find(self.codes[it])?;
                // With keys, a state outside the constraints may have the key of one inside that is found later. Without,
                // equal candidates are one state, and the first of them has found it.
                let is_later = has_keys
                    && target.checked_sub(first_found).is_some_and(|found| {
                        origins
                            .get(found as usize)
                            .is_none_or(|&origin| origin > (source, self.steps[it]))
                    });
                (!is_later).then_some(target)
            }));
            self.block.push(
                source,
                &self.state_labels[i * state_words..(i + 1) * state_words],
                &targets,
                &self.step_labels[first * step_words..end * step_words],
                has_keys,
            );
            first = end;
        }
    }
}

/// From codes to states: open addressing; codes are well mixed.
#[derive(Debug)]
pub struct Directory {
    /// By state.
    codes: Vec<u64>,
    /// A power of two of places.
    states: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Default for Directory {
    fn default() -> Directory {
        Directory {
            codes: Vec::new(),
            states: vec![FREE; 16],
        }
    }
}

impl Directory {
    pub fn len(&self) -> u32 {
        self.codes.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.codes.capacity() * 8 + self.states.capacity() * 4
    }

    /// Bytes that may be taken at once before long.
    pub fn growth(&self) -> usize {
        self.bytes()
    }

    /// The codes of all states, in the order of states.
    pub(crate) fn codes(&self) -> &[u64] {
        &self.codes
    }

    /// Adds the code of the next state, which is not there yet.
    pub fn push(&mut self, code: u64) {
        if self.codes.len() * 3 / 2 + 1 > self.states.len() {
            self.grow();
        }
        let place = self.free_place(code);
        self.states[place] = self.codes.len() as u32;
        self.codes.push(code);
    }

    fn free_place(&self, code: u64) -> usize {
        let mask = self.states.len() - 1;
        let mut place = code as usize & mask;
        while self.states[place] != FREE {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        self.states = vec![FREE; self.states.len() * 2];
        for state in 0..self.codes.len() {
            let place = self.free_place(self.codes[state]);
            self.states[place] = state as u32;
        }
    }

    #[inline]
    pub fn find(&self, code: u64) -> Option<u32> {
        let mask = self.states.len() - 1;
        let mut place = code as usize & mask;
        loop {
            match self.states[place] {
                FREE => return None,
                state if self.codes[state as usize] == code => return Some(state),
                _ => place = (place + 1) & mask,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn what_is_logged_is_the_graph() {
        let mut random = Random::new(4);
        let (mut log, mut expected) = (EdgeLog::default(), StateGraph::default());
        (expected.n_initial, expected.state_words, expected.step_words) = (3, 1, 2);
        expected.offsets.push(0);
        let n_states = 20_000;
        let mut block = EdgeBlock::default();
        for source in 0..n_states {
            let steps: Vec<(Option<u32>, [u64; 2])> = (0..random.below(5))
                .map(|it| {
                    let target = (random.below(4) > 0).then(|| random.below(n_states as usize + 50) as u32);
                    (target, [it as u64, random.next_u64() >> random.below(64)])
                })
                .collect();
            let label = random.next_u64() >> random.below(64);
            let targets: Vec<Option<u32>> = steps.iter().map(|it| it.0).collect();
            let labels: Vec<u64> = steps.iter().flat_map(|it| it.1).collect();
            block.push(source, &[label], &targets, &labels, source % 2 == 0);
            if random.below(100) == 0 {
                log.append(&block);
                block.clear();
            }
            expected.state_labels.push(label);
            for (target, labels) in steps {
                if let Some(target) = target
                    && (target != source || source % 2 == 0)
                    && target < n_states
                {
                    expected.targets.push(target);
                    expected.step_labels.extend(labels);
                }
            }
            expected.offsets.push(expected.targets.len() as u32);
        }
        log.append(&block);
        let graph = log.to_graph(3, 0, &Options::default()).expect("no limit");
        assert_eq!(graph, expected);
    }

    #[test]
    fn a_directory_finds_what_was_pushed() {
        let mut random = Random::new(9);
        let mut directory = Directory::default();
        let codes: Vec<u64> = (0..5000).map(|_| random.next_u64()).collect();
        for &code in &codes {
            assert_eq!(directory.find(code), None);
            directory.push(code);
        }
        for (state, &code) in codes.iter().enumerate() {
            assert_eq!(directory.find(code), Some(state as u32));
        }
    }
}
