//! Exact states in 64 bits: a vector of slots as the root of a tree of shared pairs.
//!
//! The vector's slots are the leaves of a binary tree; each inner node is a pair of what stands below it, and equal pairs
//! get one number, so a vector of any length becomes the pair at the root: eight bytes that are equal exactly when the
//! vectors are (Laarman, van de Pol, Weber, "Parallel recursive state compression for free", SPIN 2011, after Blom et
//! al. 2008). Parts of states repeat, so inner nodes are few beside states. A successor that changes one slot asks only
//! for the nodes above that slot.
//!
//! Nothing here turns a pair back into a vector: the search never needs it. The numbers of pairs depend on who came
//! first, so they must not show.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::random::mix;

/// The pairs of all inner nodes, shared by all workers.
///
/// Looking up and adding need no lock; growing needs `&mut self`, so the search does it while no worker is at work. In
/// between, a full table says so and the worker gives up what it was doing.
///
/// Invariants: index[i] = 0, or index[i] - 1 is the number of a pair; every pair is reachable from `place(pair)` by
/// linear probing; no pair has two numbers that are in the index.
pub(crate) struct Nodes {
    /// The pair of each number: left in the upper half. As long as the numbers that fit before the next growth.
    pairs: Vec<AtomicU64>,
    /// A power of two of places, each a number plus one.
    index: Vec<AtomicU32>,
    /// Numbers given out; beyond `pairs.len()` when the table is full.
    n_numbers: AtomicU32,
}

const INDEX_MIN: usize = 1 << 8;

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes::with_index(INDEX_MIN)
    }
}

impl Nodes {
    fn with_index(n_places: usize) -> Nodes {
        Nodes {
            pairs: (0..n_places / 4 * 3).map(|_| AtomicU64::new(0)).collect(),
            index: (0..n_places).map(|_| AtomicU32::new(0)).collect(),
            n_numbers: AtomicU32::new(0),
        }
    }

    pub(crate) fn len(&self) -> usize {
        (self.n_numbers.load(Ordering::Relaxed) as usize).min(self.pairs.len())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pairs.capacity() * 8 + self.index.capacity() * 4
    }

    /// Whether it is time to grow, with room left for what workers add before anyone looks again.
    pub(crate) fn wants_growth(&self) -> bool {
        (self.n_numbers.load(Ordering::Relaxed) as usize) * 8 > self.index.len() * 5
    }

    /// What [`Nodes::grow`] allocates; the old arrays are freed afterwards.
    pub(crate) fn growth(&self) -> usize {
        self.index.len() * 2 * (6 + 4)
    }

    pub(crate) fn grow(&mut self) {
        let mut grown = Nodes::with_index(self.index.len() * 2);
        for (number, pair) in self.pairs[..self.len()].iter().enumerate() {
            let pair = pair.load(Ordering::Relaxed);
            *grown.pairs[number].get_mut() = pair;
        }
        // From the index, not from the pairs: a number that lost a race has no place in the index.
        for place in &self.index {
            let entry = place.load(Ordering::Relaxed);
            if entry != 0 {
                let mut at = grown.place(grown.pairs[entry as usize - 1].load(Ordering::Relaxed));
                while *grown.index[at].get_mut() != 0 {
                    at = (at + 1) & (grown.index.len() - 1);
                }
                *grown.index[at].get_mut() = entry;
            }
        }
        *grown.n_numbers.get_mut() = self.len() as u32;
        *self = grown;
    }

    #[inline]
    fn place(&self, pair: u64) -> usize {
        (mix(pair) >> 20) as usize & (self.index.len() - 1)
    }

    /// The number of `pair`; `None` when it is new and the table is full. `spare` keeps a number that this worker drew and
    /// could not use.
    fn number(&self, pair: u64, spare: &mut Option<u32>) -> Option<u32> {
        let mut at = self.place(pair);
        loop {
            let mut entry = self.index[at].load(Ordering::Acquire);
            if entry == 0 {
                let number = match spare.take() {
                    Some(number) => number,
                    None => self.draw()?,
                };
                self.pairs[number as usize].store(pair, Ordering::Relaxed);
                // Release: who reads the entry sees the pair.
                match self.index[at].compare_exchange(0, number + 1, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return Some(number),
                    Err(theirs) => {
                        *spare = Some(number);
                        entry = theirs;
                    }
                }
            }
            if self.pairs[entry as usize - 1].load(Ordering::Relaxed) == pair {
                return Some(entry - 1);
            }
            at = (at + 1) & (self.index.len() - 1);
        }
    }

    fn draw(&self) -> Option<u32> {
        let limit = self.pairs.len() as u32;
        // Looking first keeps the counter from running on while the table is full.
        if self.n_numbers.load(Ordering::Relaxed) >= limit {
            return None;
        }
        let number = self.n_numbers.fetch_add(1, Ordering::Relaxed);
        (number < limit).then_some(number)
    }

    /// Checks the invariants. For tests.
    #[cfg(test)]
    pub(crate) fn check(&self) {
        let mut seen = util::FxHashSet::default();
        for place in &self.index {
            let entry = place.load(Ordering::Relaxed);
            if entry != 0 {
                let pair = self.pairs[entry as usize - 1].load(Ordering::Relaxed);
                assert!(seen.insert(pair), "one number for each pair");
                assert_eq!(self.number(pair, &mut None), Some(entry - 1), "reachable");
            }
        }
    }
}

/// The table was full. Grow it and start again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// One worker's way from vectors of one length to codes.
///
/// Invariant: after [`Encoder::set_base`], `tree` is the tree of the base vector: for a length n, leaf i is at n + i and
/// the node at i < n has its children at 2i and 2i + 1. The root, at 1, has no number of its own; its pair is the code.
pub(crate) struct Encoder {
    n_slots: usize,
    tree: Vec<u32>,
    /// Inner nodes to look up again, a bit each; all zero between calls.
    dirty: Vec<u64>,
    /// What to put back into `tree` after encoding something near the base.
    undo: Vec<(u32, u32)>,
    /// Pairs looked up lately, so that most lookups touch nothing shared.
    recent: Vec<(u64, u32)>,
    spare: Option<u32>,
    has_base: bool,
}

const RECENT: usize = 1 << 11;

impl Encoder {
    pub(crate) fn new(n_slots: usize) -> Encoder {
        Encoder {
            n_slots,
            tree: vec![0; 2 * n_slots],
            dirty: vec![0; n_slots / 64 + 1],
            undo: Vec::new(),
            recent: Vec::new(),
            spare: None,
            has_base: false,
        }
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.n_slots
    }

    pub(crate) fn bytes(&self) -> usize {
        self.recent.capacity() * 16
    }

    /// Makes `state` the base that later states are compared with.
    pub(crate) fn set_base(&mut self, nodes: &Nodes, state: &[u32]) -> Result<(), Full> {
        if self.n_slots < 2 {
            return Ok(());
        }
        if !self.has_base {
            self.tree[self.n_slots..].copy_from_slice(state);
            for slot in 0..self.n_slots {
                self.mark(slot);
            }
        } else {
            self.leaves(state);
        }
        self.undo.clear();
        // On failure some node may be stale, so the next call starts afresh.
        self.has_base = false;
        self.clean(nodes)?;
        self.undo.clear();
        self.has_base = true;
        Ok(())
    }

    /// The code of `state`: equal for equal vectors of this encoder's length, different for different ones.
    #[inline]
    pub(crate) fn encode(&mut self, nodes: &Nodes, state: &[u32]) -> Result<u64, Full> {
        debug_assert_eq!(state.len(), self.n_slots);
        match *state {
            [] => Ok(0),
            [one] => Ok(u64::from(one)),
            [left, right] => Ok(pair(left, right)),
            _ => {
                if !self.has_base {
                    self.set_base(nodes, state)?;
                }
                self.undo.clear();
                self.leaves(state);
                let res = self.clean(nodes);
                let code = pair(self.tree[2], self.tree[3]);
                for &(at, old) in self.undo.iter().rev() {
                    self.tree[at as usize] = old;
                }
                res.map(|()| code)
            }
        }
    }

    /// Writes the leaves that differ and marks what stands above them.
    #[inline]
    fn leaves(&mut self, state: &[u32]) {
        for slot in 0..self.n_slots {
            let at = self.n_slots + slot;
            let old = self.tree[at];
            if old != state[slot] {
                self.undo.push((at as u32, old));
                self.tree[at] = state[slot];
                self.mark(slot);
            }
        }
    }

    #[inline]
    fn mark(&mut self, slot: usize) {
        let mut at = (self.n_slots + slot) / 2;
        // The root is never looked up.
        while at > 1 {
            let bit = 1 << (at % 64);
            if self.dirty[at / 64] & bit != 0 {
                return;
            }
            self.dirty[at / 64] |= bit;
            at /= 2;
        }
    }

    /// Looks up every marked node, children first: they have the greater indices.
    #[inline]
    fn clean(&mut self, nodes: &Nodes) -> Result<(), Full> {
        for word in (0..self.dirty.len()).rev() {
            while self.dirty[word] != 0 {
                let bit = 63 - self.dirty[word].leading_zeros() as usize;
                self.dirty[word] &= !(1 << bit);
                let at = word * 64 + bit;
                let Some(number) = self.number(nodes, pair(self.tree[2 * at], self.tree[2 * at + 1])) else {
                    self.dirty.fill(0);
                    return Err(Full);
                };
                self.undo.push((at as u32, self.tree[at]));
                self.tree[at] = number;
            }
        }
        Ok(())
    }

    #[inline]
    fn number(&mut self, nodes: &Nodes, pair: u64) -> Option<u32> {
        if self.recent.is_empty() {
            self.recent.resize(RECENT, (0, u32::MAX));
        }
        let at = (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % RECENT;
        let (known, number) = self.recent[at];
        if known == pair && number != u32::MAX {
            return Some(number);
        }
        let number = nodes.number(pair, &mut self.spare)?;
        self.recent[at] = (pair, number);
        Some(number)
    }
}

#[inline]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use util::FxHashMap;

    fn encode(nodes: &mut Nodes, encoder: &mut Encoder, state: &[u32], as_base: bool) -> u64 {
        loop {
            if as_base && encoder.set_base(nodes, state) == Err(Full) {
                nodes.grow();
                continue;
            }
            match encoder.encode(nodes, state) {
                Ok(code) => return code,
                Err(Full) => nodes.grow(),
            }
        }
    }

    #[test]
    fn codes_are_equal_exactly_when_vectors_are() {
        for n_slots in [0, 1, 2, 3, 4, 5, 7, 8, 13, 64, 65, 130] {
            let mut random = Random::new(n_slots as u64);
            let mut nodes = Nodes::default();
            let mut encoders = [Encoder::new(n_slots), Encoder::new(n_slots)];
            let mut by_state = FxHashMap::default();
            let mut by_code = FxHashMap::default();
            let mut state = vec![0; n_slots];
            for round in 0..3000 {
                for _ in 0..random.below(3) {
                    if n_slots > 0 {
                        state[random.below(n_slots)] = random.below(4) as u32;
                    }
                }
                let code = encode(&mut nodes, &mut encoders[round % 2], &state, random.below(4) == 0);
                assert_eq!(*by_state.entry(state.clone()).or_insert(code), code);
                assert_eq!(*by_code.entry(code).or_insert_with(|| state.clone()), state);
            }
            nodes.check();
        }
    }

    #[test]
    fn threads_agree_on_numbers() {
        let mut nodes = Nodes::with_index(1 << 14);
        let codes: Vec<Vec<u64>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let mut encoder = Encoder::new(4);
                        (0..5000u32)
                            .map(|i| {
                                encoder
                                    .encode(&nodes, &[i % 97, i % 89, i % 83, i % 5])
                                    .expect("room")
                            })
                            .collect()
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|it| it.join().expect("no panic"))
                .collect()
        });
        assert!(codes.windows(2).all(|it| it[0] == it[1]));
        nodes.check();
        nodes.grow();
        nodes.check();
    }
}
