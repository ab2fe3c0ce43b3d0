//! What a player can force to be reached: the attractor of a set of positions.
//!
//! Worked backwards from the set, layer by layer: a position belongs to it when the player has a move into what is there
//! already, or the others have no move that leads anywhere else. The layer is the number of moves, by whomever, until the
//! set is reached when the player hurries and the others delay. What is never reached is what the others can avoid for ever.

use std::collections::VecDeque;

use crate::arena::Arena;

/// The positions from which a player can force a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attractor {
    ranks: Vec<u32>,
}

const OUTSIDE: u32 = u32::MAX;

impl Attractor {
    /// The moves until the set is reached; nothing where the player cannot force it.
    pub fn rank(&self, position: u32) -> Option<u32> {
        let rank = self.ranks[position as usize];
        (rank != OUTSIDE).then_some(rank)
    }

    pub(crate) fn nowhere(&self) -> Attractor {
        Attractor {
            ranks: vec![OUTSIDE; self.ranks.len()],
        }
    }

    pub fn contains(&self, position: u32) -> bool {
        self.ranks[position as usize] != OUTSIDE
    }
}

/// The attractor of the positions in `set`, for a player.
pub fn attract(arena: &Arena, player: u8, set: impl Fn(u32) -> bool) -> Attractor {
    attract_in(arena, &arena.reversed(), player, set)
}

/// As [`attract`], where the reversed moves are known.
pub(crate) fn attract_in(
    arena: &Arena,
    (offsets, sources): &(Vec<u32>, Vec<(u8, u32)>),
    player: u8,
    set: impl Fn(u32) -> bool,
) -> Attractor {
    let n = arena.n_positions();
    let mut ranks = vec![OUTSIDE; n as usize];
    // Moves of the others that may still lead elsewhere, and whether the player still needs a move of its own.
    let mut open = vec![0u32; n as usize];
    let mut needs_own = vec![false; n as usize];
    let mut queue = VecDeque::new();
    for position in 0..n {
        if set(position) {
            ranks[position as usize] = 0;
            queue.push_back(position);
        }
        for (mover, _) in arena.moves(position) {
            match mover == player {
                true => needs_own[position as usize] = true,
                false => open[position as usize] += 1,
            }
        }
    }
    while let Some(position) = queue.pop_front() {
        let rank = ranks[position as usize];
        let range = offsets[position as usize] as usize..offsets[position as usize + 1] as usize;
        for &(mover, source) in &sources[range] {
            let at = source as usize;
            match mover == player {
                true => needs_own[at] = false,
                false => open[at] -= 1,
            }
            if ranks[at] == OUTSIDE && open[at] == 0 && !needs_own[at] {
                ranks[at] = rank + 1;
                queue.push_back(source);
            }
        }
    }
    Attractor { ranks }
}
