//! States by number: vectors of slots, each kept once.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use util::FxHasher;

/// All states that were met, numbered in that order.
#[derive(Debug, Default)]
pub struct States {
    n_slots: usize,
    slots: Vec<u32>,
    index: HashTable<u32>,
    len: u32,
}

impl States {
    pub fn new(n_slots: usize) -> States {
        States {
            n_slots,
            ..States::default()
        }
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn get(&self, id: u32) -> &[u32] {
        let start = id as usize * self.n_slots;
        &self.slots[start..start + self.n_slots]
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[u32]) -> (u32, bool) {
        debug_assert_eq!(state.len(), self.n_slots);
        let States {
            n_slots,
            slots,
            index,
            len,
        } = self;
        let at = |id: u32| &slots[id as usize * *n_slots..(id as usize + 1) * *n_slots];
        let entry = index.entry(hash(state), |&id| at(id) == state, |&id| hash(at(id)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(it) => (*it.get(), false),
            hashbrown::hash_table::Entry::Vacant(it) => {
                it.insert(*len);
                slots.extend_from_slice(state);
                *len += 1;
                (*len - 1, true)
            }
        }
    }

    /// The number of a state that was met.
    pub fn find(&self, state: &[u32]) -> Option<u32> {
        self.index.find(hash(state), |&id| self.get(id) == state).copied()
    }

    pub fn bytes(&self) -> usize {
        self.slots.capacity() * 4 + self.index.capacity() * 5
    }
}

fn hash(state: &[u32]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(state)
}
