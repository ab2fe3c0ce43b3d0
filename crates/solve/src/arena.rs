//! Where a game is played: positions, and the moves of each player.
//!
//! The moves of a player are the steps that the model gives this player. A position in which an outcome holds is the end of
//! the play, as is one without moves. A step that changes nothing is no move. Where several players can move, nobody
//! knows who comes first, so whoever wants to force something must be right in any case: see [`Arena::forces`].

use explore::{Fault, FaultAt, Limit, Model, Progress};

use crate::states::States;
use crate::unfold::{Collect, Stop, Watch};

/// A model with players.
pub trait Moves: Model {
    fn n_players(&self) -> usize;

    /// Emits the moves of a player.
    fn moves(
        &self,
        worker: &mut Self::Worker<'_>,
        player: usize,
        state: &[u32],
        depth: u32,
        sink: &mut dyn explore::Sink,
    ) -> Result<(), Fault>;

    /// Whether a play ends where one of the model's properties is violated, that is, where an outcome holds.
    fn ends(&self) -> bool;
}

/// Positions and moves.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    /// The positions to begin in are `0..n_initial`.
    pub n_initial: u32,
    /// The moves in position s are `offsets[s]..offsets[s + 1]`.
    pub offsets: Vec<u32>,
    pub targets: Vec<u32>,
    /// Who makes each move.
    pub movers: Vec<u8>,
    /// What holds in each position: a bit for the property of the model that it violates.
    pub marks: Vec<u64>,
}

impl Arena {
    pub fn n_positions(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    /// The moves in a position: who makes each, and where to.
    pub fn moves(&self, position: u32) -> impl Iterator<Item = (u8, u32)> + '_ {
        let range = self.offsets[position as usize] as usize..self.offsets[position as usize + 1] as usize;
        range.map(|it| (self.movers[it], self.targets[it]))
    }

    /// Whether a player can make sure that the play goes from a position into a set: every move of the others must lead there
    /// and, where the player has moves too, one of these. A play that has ended stays where it is.
    pub fn forces(&self, player: u8, position: u32, is_in: impl Fn(u32) -> bool) -> bool {
        let (mut has_own, mut has_good) = (false, false);
        for (mover, to) in self.moves(position) {
            match (mover == player, is_in(to)) {
                (true, good) => (has_own, has_good) = (true, has_good || good),
                (false, true) => {}
                (false, false) => return false,
            }
        }
        let is_end = self.moves(position).next().is_none();
        if is_end {
            is_in(position)
        } else {
            has_good || !has_own
        }
    }

    /// For each position, the moves that lead to it: who made them, and where.
    pub(crate) fn reversed(&self) -> (Vec<u32>, Vec<(u8, u32)>) {
        let n = self.n_positions() as usize;
        let mut offsets = vec![0u32; n + 1];
        for &to in &self.targets {
            offsets[to as usize + 1] += 1;
        }
        for i in 0..n {
            offsets[i + 1] += offsets[i];
        }
        let mut places = offsets.clone();
        let mut sources = vec![(0, 0); self.targets.len()];
        for position in 0..n as u32 {
            for (mover, to) in self.moves(position) {
                let place = &mut places[to as usize];
                sources[*place as usize] = (mover, position);
                *place += 1;
            }
        }
        (offsets, sources)
    }
}

/// An arena with the states that its positions are.
#[derive(Debug, Default)]
pub struct Recorded {
    pub arena: Arena,
    pub states: States,
    /// The position from which each was first met; `u32::MAX` for the initial ones.
    pub parents: Vec<u32>,
    depths: Vec<u32>,
    /// Outside the constraints of the model: the play is not looked at any further.
    pub is_outside: Vec<bool>,
    pub generated: u64,
}

const NONE: u32 = u32::MAX;

impl Recorded {
    /// Finds all positions, in the order of a breadth-first search.
    pub fn new<M: Moves>(
        model: &M,
        worker: &mut M::Worker<'_>,
        watch: &Watch<'_>,
    ) -> Result<Recorded, (Stop, Recorded)> {
        let mut recorded = Recorded {
            states: States::new(model.n_slots()),
            ..Recorded::default()
        };
        match recorded.unfold(model, worker, watch) {
            Ok(()) => Ok(recorded),
            Err(stop) => Err((stop, recorded)),
        }
    }

    /// The positions on the way on which a position was first met.
    pub fn first_path(&self, position: u32) -> Vec<u32> {
        let mut path = vec![position];
        while let Some(&last) = path.last()
            && self.parents[last as usize] != NONE
        {
            path.push(self.parents[last as usize]);
        }
        path.reverse();
        path
    }

    pub fn depth_of(&self, position: u32) -> u32 {
        self.depths[position as usize]
    }

    pub fn bytes(&self) -> usize {
        self.states.bytes()
            + (self.arena.offsets.capacity() + self.arena.targets.capacity()) * 4
            + self.arena.movers.capacity()
            + self.arena.marks.capacity() * 8
            + (self.parents.capacity() + self.depths.capacity()) * 4
    }

    fn unfold<M: Moves>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        watch: &Watch<'_>,
    ) -> Result<(), Stop> {
        let mut found = vec![];
        let mut collect = Collect::new(&mut found);
        let wrong = |fault, at, state| Stop::Fault { fault, at, state };
        model
            .initial(worker, &mut collect)
            .map_err(|it| wrong(it, FaultAt::Initial, None))?;
        self.generated += collect.generated;
        self.take_in(model, worker, &found, NONE)?;
        self.arena.n_initial = self.states.len();
        self.arena.offsets.push(0);
        (self.arena.targets, self.arena.movers) = (vec![], vec![]);
        let mut position = 0;
        while position < self.states.len() {
            let depth = self.depths[position as usize];
            if self.arena.targets.len() > (u32::MAX / 2) as usize {
                return Err(Stop::Limit(Limit::Memory));
            }
            if position.is_multiple_of(256) {
                // The reversed graph comes on top.
                let bytes = self.bytes() + self.arena.targets.len() * 12 + model.memory();
                watch.check(u64::from(self.states.len()), bytes)?;
                self.tell(position, bytes, watch);
                model.pause();
            }
            let mut collect = Collect::new(&mut found);
            let has_ended = model.ends() && self.arena.marks[position as usize] != 0;
            let is_end = has_ended || self.is_outside[position as usize];
            for player in (0..model.n_players()).filter(|_| !is_end) {
                collect.tag = player as u32;
                model
                    .moves(worker, player, self.states.get(position), depth, &mut collect)
                    .map_err(|it| wrong(it, FaultAt::Successors, Some(position)))?;
            }
            self.generated += collect.generated;
            self.take_in(model, worker, &found, position)?;
            self.arena.offsets.push(self.arena.targets.len() as u32);
            position += 1;
        }
        self.tell(position, self.bytes(), watch);
        Ok(())
    }

    fn tell(&self, position: u32, memory: usize, watch: &Watch<'_>) {
        watch.observer.progress(&Progress {
            generated: self.generated,
            distinct: u64::from(self.states.len()),
            queue: u64::from(self.states.len() - position),
            depth: self.depths.last().copied().unwrap_or(0),
            memory,
            walks: 0,
        });
    }

    fn take_in<M: Moves>(
        &mut self,
        model: &M,
        worker: &mut M::Worker<'_>,
        found: &[u32],
        from: u32,
    ) -> Result<(), Stop> {
        let n_slots = model.n_slots();
        let first = self.arena.targets.len();
        let depth = if from == NONE {
            1
        } else {
            self.depths[from as usize] + 1
        };
        for one in found.chunks_exact(n_slots + 1) {
            let (player, state) = (one[0] as u8, &one[1..]);
            let id = match self.states.find(state) {
                Some(id) => id,
                None => {
                    let inspection = model.inspect(worker, state, depth);
                    let (id, _) = self.states.insert(state);
                    self.parents.push(from);
                    self.depths.push(depth);
                    let inspection = inspection.map_err(|fault| Stop::Fault {
                        fault,
                        at: FaultAt::Inspection,
                        state: Some(id),
                    })?;
                    let holds = inspection.violated.filter(|&it| it < 64);
                    self.arena.marks.push(holds.map_or(0, |it| 1 << it));
                    self.is_outside.push(!inspection.expand);
                    id
                }
            };
            let is_known = (first..self.arena.targets.len())
                .any(|it| (self.arena.movers[it], self.arena.targets[it]) == (player, id));
            if id != from && !is_known {
                self.arena.targets.push(id);
                self.arena.movers.push(player);
            }
        }
        Ok(())
    }
}
