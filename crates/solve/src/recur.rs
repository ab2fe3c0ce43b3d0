//! What a player can force to happen again and again: Büchi games.
//!
//! The greatest set from which the player can reach the wanted positions and come back into the set from there. Each round
//! takes the attractor of the wanted positions from which the player can stay in the set of the round before; it only ever
//! shrinks, so it ends. A play that has ended stays where it is for ever.

use crate::arena::Arena;
use crate::attract::{Attractor, attract_in};

/// Where a player can force the wanted positions to be visited infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurring {
    /// The rank is the number of moves until the next wanted position.
    pub winning: Attractor,
    /// Rounds that it took.
    pub rounds: u32,
}

/// Solves the game; `goes_on` is asked between rounds.
pub fn recur<E>(
    arena: &Arena,
    player: u8,
    wanted: impl Fn(u32) -> bool,
    mut goes_on: impl FnMut() -> Result<(), E>,
) -> Result<Recurring, E> {
    let reversed = arena.reversed();
    let mut winning = attract_in(arena, &reversed, player, &wanted);
    let mut rounds = 1;
    loop {
        goes_on()?;
        let can_stay = |it: u32| wanted(it) && arena.forces(player, it, |to| winning.contains(to));
        let next = attract_in(arena, &reversed, player, can_stay);
        rounds += 1;
        let same = (0..arena.n_positions()).all(|it| next.contains(it) == winning.contains(it));
        winning = next;
        if same {
            return Ok(Recurring { winning, rounds });
        }
    }
}
