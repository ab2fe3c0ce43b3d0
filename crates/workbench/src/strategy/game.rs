//! A specification as a game: the moves of each player, and where the play ends.

use explore::{Fault, Inspection, Model, Sink};
use solve::Moves;
use tla_eval::model::{TlaModel, Worker};

use super::{Aim, StrategyQuestion};

/// Outcomes are the violated properties of the model, which has their negations for invariants.
pub(super) struct Game<'m, 'i> {
    model: &'m TlaModel<'i>,
    n_players: usize,
    ends: bool,
}

impl<'m, 'i> Game<'m, 'i> {
    pub fn new(model: &'m TlaModel<'i>, question: &StrategyQuestion) -> Game<'m, 'i> {
        Game {
            model,
            n_players: question.players.len(),
            ends: !matches!(question.aim, Aim::Recurring(_)),
        }
    }
}

impl<'i> Model for Game<'_, 'i> {
    type Worker<'w>
        = Worker<'w, 'i>
    where
        Self: 'w;

    fn worker(&self, index: usize) -> Worker<'_, 'i> {
        self.model.worker(index)
    }

    fn n_slots(&self) -> usize {
        self.model.n_slots()
    }

    fn initial(&self, worker: &mut Worker<'_, 'i>, sink: &mut dyn Sink) -> Result<(), Fault> {
        self.model.initial(worker, sink)
    }

    fn successors(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        self.model.successors(worker, state, depth, sink)
    }

    fn inspect(&self, worker: &mut Worker<'_, 'i>, state: &[u32], depth: u32) -> Result<Inspection, Fault> {
        self.model.inspect(worker, state, depth)
    }

    fn memory(&self) -> usize {
        self.model.memory()
    }

    fn pause(&self) {
        self.model.pause();
    }
}

impl<'i> Moves for Game<'_, 'i> {
    fn n_players(&self) -> usize {
        self.n_players
    }

    fn ends(&self) -> bool {
        self.ends
    }

    fn moves(
        &self,
        worker: &mut Worker<'_, 'i>,
        player: usize,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        self.model.moves(worker, player, state, depth, sink)
    }
}
