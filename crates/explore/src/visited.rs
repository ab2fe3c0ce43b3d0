//! An exact set of states by itself, for a search that is not this crate's own.
//!
//! The same two tables as in [`check`](crate::check()), for one thread: pairs that states share, and the codes of states.

use crate::random::mix;
use crate::set::{SHARDS, Shard, shard_of};
use crate::tree::{Encoder, Nodes};

/// States of one length, each in a few bytes; equal means equal.
pub struct Visited {
    nodes: Nodes,
    encoder: Encoder,
    shards: Vec<Shard>,
    len: u64,
}

impl Visited {
    pub fn new(n_slots: usize) -> Visited {
        Visited {
            nodes: Nodes::default(),
            encoder: Encoder::new(n_slots),
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            len: 0,
        }
    }

    /// The length of its states.
    pub fn n_slots(&self) -> usize {
        self.encoder.n_slots()
    }

    /// What stands for a state in this set, whether it is in it or not: equal exactly for equal states.
    pub fn code(&mut self, state: &[u32]) -> u64 {
        loop {
            // Mostly a state resembles the one before.
            let encoded = self.encoder.set_base(&self.nodes, state);
            match encoded.and_then(|()| self.encoder.encode(&self.nodes, state)) {
                Ok(code) => return mix(code),
                Err(_) => self.nodes.grow(),
            }
        }
    }

    pub fn contains(&self, code: u64) -> bool {
        self.shards[shard_of(code)].contains(code)
    }

    /// Adds a state by its code; false when it was there.
    pub fn insert(&mut self, code: u64) -> bool {
        let is_new = self.shards[shard_of(code)].insert(code);
        self.len += u64::from(is_new);
        is_new
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.encoder.bytes() + self.shards.iter().map(Shard::bytes).sum::<usize>()
    }

    /// Bytes that may be taken at once before long.
    pub fn growth(&self) -> usize {
        match self.nodes.wants_growth() {
            true => self.nodes.growth(),
            false => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn equal_means_equal() {
        let mut random = Random::new(3);
        let mut visited = Visited::new(5);
        let mut reference = util::FxHashSet::default();
        for _ in 0..20_000 {
            let state: Vec<u32> = (0..5).map(|_| random.below(7) as u32).collect();
            let code = visited.code(&state);
            assert_eq!(visited.contains(code), reference.contains(&state));
            assert_eq!(visited.insert(code), reference.insert(state));
        }
        assert_eq!(visited.len(), reference.len() as u64);
    }
}
