//! Exact codes of another process as codes of this one.
//!
//! A code is made of numbers of pairs, and those in the end of slots; both depend on who came first. So the tree of a code
//! is gone through from the root, its slots are translated, and pairs are numbered anew. What a number stands for
//! depends on its place in the tree, so it is looked up by both, once: pairs are few beside states.

use util::FxHashMap;

use crate::model::Translation;
use crate::tree::{LEAVES_MAX, Nodes, pair};

pub(crate) struct Renumbering<'a> {
    /// The other process's pairs, by number.
    pairs: &'a [u64],
    translate: &'a Translation,
    /// The leaves of each tree, level by level from the slots to the root.
    shape: Vec<Vec<usize>>,
    known: FxHashMap<(Place, u32), u32>,
}

/// A node of a tree: level, tree, node.
type Place = (u8, u32, u8);

impl<'a> Renumbering<'a> {
    /// For vectors of one length. `pairs[0]` is the pair that has no place in a table.
    pub(crate) fn new(n_slots: usize, pairs: &'a [u64], translate: &'a Translation) -> Renumbering<'a> {
        let mut shape: Vec<Vec<usize>> = Vec::new();
        let mut n_leaves = n_slots;
        loop {
            let trees: Vec<usize> = (0..n_leaves.max(1))
                .step_by(LEAVES_MAX)
                .map(|at| LEAVES_MAX.min(n_leaves - at))
                .collect();
            n_leaves = trees.len();
            shape.push(trees);
            if n_leaves == 1 {
                break;
            }
        }
        Renumbering {
            pairs,
            translate,
            shape,
            known: FxHashMap::default(),
        }
    }

    /// The code here of what has this code there; `None` if nothing can have it.
    pub(crate) fn code(&mut self, nodes: &mut Nodes, code: u64) -> Option<u64> {
        let top = self.shape.len() - 1;
        self.tree(nodes, top as u8, 0, code)
    }

    fn tree(&mut self, nodes: &mut Nodes, level: u8, tree: u32, code: u64) -> Option<u64> {
        let (left, right) = ((code >> 32) as u32, code as u32);
        let n_leaves = *self.shape[level as usize].get(tree as usize)?;
        match n_leaves {
            0 => Some(code),
            1 => Some(u64::from(self.node(nodes, (level, tree, 1), right)?)),
            _ => {
                let left = self.node(nodes, (level, tree, 2), left)?;
                let right = self.node(nodes, (level, tree, 3), right)?;
                Some(pair(left, right))
            }
        }
    }

    fn node(&mut self, nodes: &mut Nodes, place: Place, number: u32) -> Option<u32> {
        let (level, tree, at) = place;
        let n_leaves = self.shape[level as usize][tree as usize];
        let leaf = (at as usize).checked_sub(n_leaves);
        if level == 0 && leaf.is_some() {
            return (self.translate)(number);
        }
        if let Some(&known) = self.known.get(&(place, number)) {
            return Some(known);
        }
        let old = *self.pairs.get(number as usize)?;
        let new = match leaf {
            Some(leaf) => self.tree(nodes, level - 1, tree * LEAVES_MAX as u32 + leaf as u32, old)?,
            None => {
                let left = self.node(nodes, (level, tree, 2 * at), (old >> 32) as u32)?;
                let right = self.node(nodes, (level, tree, 2 * at + 1), old as u32)?;
                pair(left, right)
            }
        };
        let new = loop {
            match nodes.number(new) {
                Some(number) => break number,
                None => nodes.grow(),
            }
        };
        self.known.insert((place, number), new);
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::tree::Encoder;

    fn encode(nodes: &mut Nodes, encoder: &mut Encoder, state: &[u32]) -> u64 {
        loop {
            match encoder.encode(nodes, state) {
                Ok(code) => return code,
                Err(_) => nodes.grow(),
            }
        }
    }

    #[test]
    fn codes_come_out_as_if_they_had_been_made_here() {
        for n_slots in [0, 1, 2, 3, 5, 64, 65, 130, 5000] {
            let mut random = Random::new(n_slots as u64);
            let (mut there, mut here) = (Nodes::default(), Nodes::default());
            let mut encoder = Encoder::new(n_slots);
            let mut encoder_here = Encoder::new(n_slots);
            let states: Vec<Vec<u32>> = (0..if n_slots > 1000 { 20 } else { 500 })
                .map(|_| (0..n_slots).map(|_| random.below(5) as u32).collect())
                .collect();
            let codes: Vec<u64> = states
                .iter()
                .map(|it| encode(&mut there, &mut encoder, it))
                .collect();
            let mut pairs = vec![u64::MAX];
            pairs.extend(there.pairs_from(1));
            let translate = |slot: u32| Some(1000 - slot);
            let mut renumbering = Renumbering::new(n_slots, &pairs, &translate);
            for (state, &code) in states.iter().zip(&codes).rev() {
                let moved: Vec<u32> = state.iter().map(|&it| 1000 - it).collect();
                let expected = encode(&mut here, &mut encoder_here, &moved);
                assert_eq!(renumbering.code(&mut here, code), Some(expected));
            }
            here.check();
        }
    }
}
