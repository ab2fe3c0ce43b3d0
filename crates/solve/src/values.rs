//! What every position is worth, which moves keep that, and where a fixed strategy does not.
//!
//! A player wins where it can force its own outcome, whatever the others do. Where nobody can force anything the value is a
//! draw: an outcome that belongs to no player, the end of the play without an outcome, or no end at all.

use crate::arena::Arena;
use crate::attract::{Attractor, attract_in};

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// This player forces its outcome, in so many moves of all players together.
    Win {
        player: u8,
        moves: u32,
    },
    Draw,
}

impl Value {
    pub fn winner(self) -> Option<u8> {
        match self {
            Value::Win { player, .. } => Some(player),
            Value::Draw => None,
        }
    }

    /// How good a value is for a player: lost, drawn, won.
    pub fn class(self, player: u8) -> u8 {
        match self.winner() {
            Some(it) if it == player => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// The same with the number of moves: sooner won is better, later lost too.
    fn merit(self, player: u8) -> (u8, i64) {
        let moves = match self {
            Value::Win { moves, .. } => i64::from(moves),
            Value::Draw => 0,
        };
        let class = self.class(player);
        (class, if class == 2 { -moves } else { moves })
    }
}

/// The values of all positions of an arena.
#[derive(Clone, Debug)]
pub struct Values {
    attractors: Vec<Attractor>,
}

impl Values {
    /// `wins[p]` says which marks are wins of player p. Where marks of several players hold, the first has won.
    pub fn new(arena: &Arena, wins: &[u64]) -> Values {
        let reversed = arena.reversed();
        let winner = |position: u32| {
            let marks = arena.marks[position as usize];
            wins.iter().position(|it| it & marks != 0)
        };
        let attractor =
            |player: usize| attract_in(arena, &reversed, player as u8, |it| winner(it) == Some(player));
        Values {
            attractors: (0..wins.len()).map(attractor).collect(),
        }
    }

    /// One player alone wants something, and can force it there.
    pub fn of_one(player: u8, attractor: Attractor) -> Values {
        let nowhere = attractor.nowhere();
        let mut attractors = vec![nowhere; usize::from(player)];
        attractors.push(attractor);
        Values { attractors }
    }

    pub fn of(&self, position: u32) -> Value {
        let mut all = self.attractors.iter().zip(0u8..);
        let won = all.find_map(|(it, player)| Some((player, it.rank(position)?)));
        match won {
            Some((player, moves)) => Value::Win { player, moves },
            None => Value::Draw,
        }
    }

    /// The best move of a player in a position, the first of several.
    pub fn best_move(&self, arena: &Arena, player: u8, position: u32) -> Option<u32> {
        self.best_moves(arena, player, position).first().copied()
    }

    /// All moves of a player that are as good as any, with the number of moves.
    pub fn best_moves(&self, arena: &Arena, player: u8, position: u32) -> Vec<u32> {
        let mut best: Vec<u32> = vec![];
        let mut merit = None;
        for (_, to) in arena.moves(position).filter(|it| it.0 == player) {
            let here = Some(self.of(to).merit(player));
            if here > merit {
                best.clear();
                merit = here;
            }
            if here == merit {
                best.push(to);
            }
        }
        best
    }

    /// The best play of all sides from a position: until it ends, or comes back to where it was.
    pub fn main_line(&self, arena: &Arena, position: u32) -> Vec<u32> {
        let mut line = vec![position];
        let mut seen = vec![false; arena.n_positions() as usize];
        while let Some(&last) = line.last()
            && !std::mem::replace(&mut seen[last as usize], true)
        {
            let movers = arena.moves(last).map(|it| it.0);
            let Some(mover) = movers.min() else { break };
            match self.best_move(arena, mover, last) {
                Some(to) => line.push(to),
                None => break,
            }
        }
        line
    }
}

/// A move that makes the value worse for the player who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lapse {
    pub from: u32,
    /// Nothing where the strategy has no move.
    pub to: Option<u32>,
    pub had: Value,
    pub left: Value,
}

/// What becomes of a player who follows a strategy, while the others do what they like.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// The positions that are reached, in the order of a breadth-first search, and from where each was first reached.
    pub reached: Vec<(u32, Option<u32>)>,
    /// Moves that give value away, in the same order.
    pub lapses: Vec<Lapse>,
    /// Moves that win, but not as fast as possible.
    pub slower: Vec<Lapse>,
    /// Positions in which the player can move, but the strategy says nothing.
    pub silent: Vec<u32>,
    /// Reached positions where the player has to move.
    pub decisions: u32,
}

impl Followed {
    /// The positions on the way on which a position was first reached.
    pub fn path(&self, position: u32) -> Vec<u32> {
        let mut path = vec![position];
        let parent = |it: u32| self.reached.iter().find(|(at, _)| *at == it).and_then(|it| it.1);
        while let Some(&last) = path.last()
            && let Some(before) = parent(last)
        {
            path.push(before);
        }
        path.reverse();
        path
    }
}

/// Follows a strategy of a player from the initial positions; `fixed` gives its moves in a position.
pub fn follow<E>(
    arena: &Arena,
    values: &Values,
    player: u8,
    mut fixed: impl FnMut(u32) -> Result<Vec<u32>, E>,
) -> Result<Followed, E> {
    let mut followed = Followed::default();
    let mut is_reached = vec![false; arena.n_positions() as usize];
    let mut reach = |followed: &mut Followed, to: u32, from: Option<u32>| {
        if !std::mem::replace(&mut is_reached[to as usize], true) {
            followed.reached.push((to, from));
        }
    };
    (0..arena.n_initial).for_each(|it| reach(&mut followed, it, None));
    let mut at = 0;
    while let Some(&(position, _)) = followed.reached.get(at) {
        at += 1;
        for (_, to) in arena.moves(position).filter(|it| it.0 != player) {
            reach(&mut followed, to, Some(position));
        }
        if !arena.moves(position).any(|it| it.0 == player) {
            continue;
        }
        followed.decisions += 1;
        let moves = fixed(position)?;
        let had = values.of(position);
        if moves.is_empty() {
            followed.silent.push(position);
        }
        let best = values.best_move(arena, player, position).map(|it| values.of(it));
        for to in moves {
            let left = values.of(to);
            let lapse = Lapse {
                from: position,
                to: Some(to),
                had,
                left,
            };
            // Among more than two, a position that nobody has won may leave only the choice of who wins.
            if best.is_some_and(|it| left.class(player) < it.class(player)) {
                followed.lapses.push(lapse);
            } else if best.is_some_and(|it| left.class(player) == 2 && left.merit(player) < it.merit(player))
            {
                followed.slower.push(lapse);
            }
            reach(&mut followed, to, Some(position));
        }
    }
    Ok(followed)
}
