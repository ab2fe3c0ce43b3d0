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
/// Invariants: place i is free (`pairs[i]` = FREE) or holds a pair and its number; every pair is reachable from its home by
/// linear probing; numbers are given out once.
pub(crate) struct Nodes {
    /// A power of two of places: the pair, left in the upper half, plus one.
    pairs: Vec<AtomicU64>,
    /// The number of the pair in the same place, plus one; zero until whoever claimed the place has written it.
    numbers: Vec<AtomicU32>,
    /// Numbers given out, `NUMBER_OF_LAST` among them.
    len: AtomicU32,
}

const PLACES_MIN: usize = 1 << 8;
const FREE: u64 = 0;
/// The number of the one pair that has no place, because with one added it is `FREE`.
const NUMBER_OF_LAST: u32 = 0;

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes::with_places(PLACES_MIN)
    }
}

impl Nodes {
    fn with_places(n_places: usize) -> Nodes {
        Nodes {
            pairs: (0..n_places).map(|_| AtomicU64::new(FREE)).collect(),
            numbers: (0..n_places).map(|_| AtomicU32::new(0)).collect(),
            len: AtomicU32::new(1),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pairs.capacity() * 8 + self.numbers.capacity() * 4
    }

    /// Whether it is time to grow, with room left for what workers add before anyone looks again.
    pub(crate) fn wants_growth(&self) -> bool {
        self.len.load(Ordering::Relaxed) as usize * 8 > self.pairs.len() * 5
    }

    /// What [`Nodes::grow`] allocates; the old arrays are freed afterwards.
    pub(crate) fn growth(&self) -> usize {
        self.pairs.len() * 2 * (8 + 4)
    }

    pub(crate) fn grow(&mut self) {
        let mut grown = Nodes::with_places(self.pairs.len() * 2);
        for (pair, number) in self.pairs.iter_mut().zip(&mut self.numbers) {
            let pair = *pair.get_mut();
            if pair != FREE {
                let mut at = grown.home(pair);
                while *grown.pairs[at].get_mut() != FREE {
                    at = (at + 1) & (grown.pairs.len() - 1);
                }
                *grown.pairs[at].get_mut() = pair;
                *grown.numbers[at].get_mut() = *number.get_mut();
            }
        }
        *grown.len.get_mut() = *self.len.get_mut();
        *self = grown;
    }

    #[inline]
    fn home(&self, pair: u64) -> usize {
        (mix(pair) >> 20) as usize & (self.pairs.len() - 1)
    }

    /// The pairs with the numbers from `first` on, in their order. Number 0 belongs to the greatest pair.
    pub(crate) fn pairs_from(&mut self, first: u32) -> Vec<u64> {
        let first = first.max(NUMBER_OF_LAST + 1);
        let n_pairs = self.len.get_mut().saturating_sub(first);
        let mut pairs = vec![0; n_pairs as usize];
        for (pair, number) in self.pairs.iter_mut().zip(&mut self.numbers) {
            // Both are one more than what they stand for.
            if let Some(at) = number.get_mut().checked_sub(first + 1) {
                pairs[at as usize] = pair.get_mut().wrapping_sub(1);
            }
        }
        pairs
    }

    /// The number of a pair; `None` when it is new and the table is full.
    pub(crate) fn number(&self, pair: u64) -> Option<u32> {
        let pair = pair.wrapping_add(1);
        if pair == FREE {
            return Some(NUMBER_OF_LAST);
        }
        let mut at = self.home(pair);
        loop {
            let mut there = self.pairs[at].load(Ordering::Relaxed);
            if there == FREE {
                // An eighth stays free, so that probing ends; workers that look at the same time overshoot by one each.
                if self.len.load(Ordering::Relaxed) as usize * 8 >= self.pairs.len() * 7 {
                    return None;
                }
                match self.pairs[at].compare_exchange(FREE, pair, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => {
                        let number = self.len.fetch_add(1, Ordering::Relaxed);
                        self.numbers[at].store(number + 1, Ordering::Relaxed);
                        return Some(number);
                    }
                    Err(theirs) => there = theirs,
                }
            }
            if there == pair {
                loop {
                    match self.numbers[at].load(Ordering::Relaxed) {
                        // Claimed a moment ago by someone who is about to write the number.
                        0 => std::hint::spin_loop(),
                        number => return Some(number - 1),
                    }
                }
            }
            at = (at + 1) & (self.pairs.len() - 1);
        }
    }

    /// Checks the invariants. For tests.
    #[cfg(test)]
    pub(crate) fn check(&self) {
        let mut seen = util::FxHashSet::default();
        for (pair, number) in self.pairs.iter().zip(&self.numbers) {
            let (pair, number) = (pair.load(Ordering::Relaxed), number.load(Ordering::Relaxed));
            assert_eq!(pair == FREE, number == 0);
            if pair != FREE {
                assert!(seen.insert(number), "a number for one pair");
                assert_eq!(self.number(pair.wrapping_sub(1)), Some(number - 1), "reachable");
            }
        }
        assert_eq!(seen.len() + 1, self.len.load(Ordering::Relaxed) as usize);
    }
}

/// The table was full. Grow it and start again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// One worker's way from vectors of one length to codes.
///
/// A tree has at most 64 leaves, so that sets of its nodes fit into a word. A longer vector is cut into groups of 64, and the
/// groups' numbers make the vector that the next level encodes.
pub(crate) struct Encoder {
    n_slots: usize,
    recent: Recent,
    /// From the slots to the root.
    levels: Vec<TreeLevel>,
    /// With several levels: whether `TreeLevel::base` is what it says.
    has_base: bool,
}

/// The trees side by side over one vector.
struct TreeLevel {
    trees: Vec<Tree>,
    /// The numbers of the trees' roots: what the next level encodes. Unused at the top.
    numbers: Vec<u32>,
    /// `numbers` of the base.
    base: Vec<u32>,
}

impl Encoder {
    pub(crate) fn new(n_slots: usize) -> Encoder {
        let mut levels = Vec::new();
        let mut n_leaves = n_slots;
        loop {
            let trees: Vec<Tree> = (0..n_leaves.max(1))
                .step_by(LEAVES_MAX)
                .map(|at| Tree::new(LEAVES_MAX.min(n_leaves - at)))
                .collect();
            n_leaves = trees.len();
            levels.push(TreeLevel {
                trees,
                numbers: vec![0; n_leaves],
                base: vec![0; n_leaves],
            });
            if n_leaves == 1 {
                return Encoder {
                    n_slots,
                    recent: Recent::default(),
                    levels,
                    has_base: false,
                };
            }
        }
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.n_slots
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.recent.pairs)
            + self.levels.iter().map(|it| it.trees.len()).sum::<usize>() * size_of::<Tree>()
    }

    /// Makes `state` the base that later states are compared with.
    pub(crate) fn set_base(&mut self, nodes: &Nodes, state: &[u32]) -> Result<(), Full> {
        self.encode_groups(nodes, state, true).map(drop)
    }

    /// The code of `state`: equal for equal vectors of this encoder's length, different for different ones.
    #[inline]
    pub(crate) fn encode(&mut self, nodes: &Nodes, state: &[u32]) -> Result<u64, Full> {
        debug_assert_eq!(state.len(), self.n_slots);
        match &mut self.levels[..] {
            [TreeLevel { trees, .. }] => trees[0].code(&mut self.recent, nodes, state),
            _ => self.encode_groups(nodes, state, false),
        }
    }

    fn encode_groups(&mut self, nodes: &Nodes, state: &[u32], as_base: bool) -> Result<u64, Full> {
        let as_base = as_base || !self.has_base;
        self.has_base &= !as_base;
        let Encoder {
            recent,
            levels,
            has_base,
            ..
        } = self;
        let mut leaves = state;
        for TreeLevel { trees, numbers, base } in levels {
            if let [tree] = &mut trees[..] {
                if as_base {
                    tree.set_base(recent, nodes, leaves)?;
                    *has_base = true;
                }
                return tree.code(recent, nodes, leaves);
            }
            for (group, (tree, leaves)) in trees.iter_mut().zip(leaves.chunks(LEAVES_MAX)).enumerate() {
                if as_base {
                    tree.set_base(recent, nodes, leaves)?;
                    let code = tree.code(recent, nodes, leaves)?;
                    base[group] = recent.number(nodes, code)?;
                }
                numbers[group] = if tree.is_base(leaves) {
                    base[group]
                } else {
                    let code = tree.code(recent, nodes, leaves)?;
                    recent.number(nodes, code)?
                };
            }
            leaves = numbers;
        }
        unreachable!("the last level is one tree")
    }
}

pub(crate) const LEAVES_MAX: usize = 64;

/// A tree over at most 64 leaves.
///
/// For n leaves, leaf i is at n + i and the node at i < n has its children at 2i and 2i + 1. The root, at 1, has no number of
/// its own; its pair is the code.
///
/// Invariant, between calls, if `has_base`: `tree` = `base` is the tree of the base vector.
struct Tree {
    n_leaves: usize,
    has_base: bool,
    tree: [u32; 2 * LEAVES_MAX],
    base: [u32; 2 * LEAVES_MAX],
    /// For each leaf the inner nodes above it, without the root, as a set.
    above: [u64; LEAVES_MAX],
}

impl Tree {
    fn new(n_leaves: usize) -> Tree {
        let mut above = [0; LEAVES_MAX];
        for (leaf, above) in above[..n_leaves].iter_mut().enumerate() {
            let mut at = (n_leaves + leaf) / 2;
            while at > 1 {
                *above |= 1 << at;
                at /= 2;
            }
        }
        Tree {
            n_leaves,
            has_base: false,
            tree: [0; 2 * LEAVES_MAX],
            base: [0; 2 * LEAVES_MAX],
            above,
        }
    }

    fn is_base(&self, leaves: &[u32]) -> bool {
        self.has_base && self.base[self.n_leaves..2 * self.n_leaves] == *leaves
    }

    fn set_base(&mut self, recent: &mut Recent, nodes: &Nodes, leaves: &[u32]) -> Result<(), Full> {
        if self.n_leaves <= 2 {
            self.base[self.n_leaves..2 * self.n_leaves].copy_from_slice(leaves);
            self.has_base = true;
            return Ok(());
        }
        let (_, dirty) = if self.has_base {
            self.change_leaves(leaves)
        } else {
            self.tree[self.n_leaves..2 * self.n_leaves].copy_from_slice(leaves);
            (0, self.above.iter().fold(0, |all, above| all | above))
        };
        // If this fails some node is stale, and the next call starts afresh.
        self.has_base = false;
        self.look_up(recent, nodes, dirty)?;
        self.base = self.tree;
        self.has_base = true;
        Ok(())
    }

    #[inline]
    fn code(&mut self, recent: &mut Recent, nodes: &Nodes, leaves: &[u32]) -> Result<u64, Full> {
        match *leaves {
            [] => Ok(0),
            [one] => Ok(u64::from(one)),
            [left, right] => Ok(pair(left, right)),
            _ => {
                if !self.has_base {
                    self.set_base(recent, nodes, leaves)?;
                }
                let (mut changed, mut dirty) = self.change_leaves(leaves);
                let res = self.look_up(recent, nodes, dirty);
                let code = pair(self.tree[2], self.tree[3]);
                while changed != 0 {
                    let at = self.n_leaves + changed.trailing_zeros() as usize;
                    self.tree[at] = self.base[at];
                    changed &= changed - 1;
                }
                while dirty != 0 {
                    let at = dirty.trailing_zeros() as usize;
                    self.tree[at] = self.base[at];
                    dirty &= dirty - 1;
                }
                res.map(|()| code)
            }
        }
    }

    /// Writes the leaves that differ from the base. Gives which, and the nodes above them.
    #[inline]
    fn change_leaves(&mut self, leaves: &[u32]) -> (u64, u64) {
        let (mut changed, mut dirty) = (0, 0);
        let tree = &mut self.tree[self.n_leaves..2 * self.n_leaves];
        for (leaf, ((new, old), above)) in leaves.iter().zip(tree).zip(&self.above).enumerate() {
            if new != old {
                *old = *new;
                changed |= 1 << leaf;
                dirty |= above;
            }
        }
        (changed, dirty)
    }

    /// Looks up the given nodes, children first: they have the greater indices.
    #[inline]
    fn look_up(&mut self, recent: &mut Recent, nodes: &Nodes, mut dirty: u64) -> Result<(), Full> {
        while dirty != 0 {
            let at = 63 - dirty.leading_zeros() as usize;
            dirty ^= 1 << at;
            self.tree[at] = recent.number(nodes, pair(self.tree[2 * at], self.tree[2 * at + 1]))?;
        }
        Ok(())
    }
}

/// Pairs looked up lately, so that most lookups touch nothing shared. Direct-mapped.
struct Recent {
    pairs: Box<[(u64, u32); RECENT]>,
}

const RECENT: usize = 1 << 11;
/// In `Recent`: nothing there. Numbers do not get so far.
const NO_NUMBER: u32 = u32::MAX;

impl Default for Recent {
    fn default() -> Recent {
        Recent {
            pairs: Box::new([(0, NO_NUMBER); RECENT]),
        }
    }
}

impl Recent {
    #[inline]
    fn number(&mut self, nodes: &Nodes, pair: u64) -> Result<u32, Full> {
        let place = &mut self.pairs[(pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % RECENT];
        if place.0 == pair && place.1 != NO_NUMBER {
            return Ok(place.1);
        }
        let number = nodes.number(pair).ok_or(Full)?;
        *place = (pair, number);
        Ok(number)
    }
}

#[inline]
pub(crate) fn pair(left: u32, right: u32) -> u64 {
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
                        state[random.below(n_slots)] = [0, 1, 2, u32::MAX][random.below(4)];
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
        let mut nodes = Nodes::with_places(1 << 14);
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
