//! Is the strategy that a specification fixes as good as the best, and if not, where?

use std::ops::ControlFlow;

use explore::Sink;
use solve::{Arena, Followed, Lapse, Value, attract, follow};

use trace::State;

use super::{Solved, StrategyReport, StrategyVerdict};
use crate::check::{CheckReport, Verdict};

/// What becomes of a player who follows a strategy.
#[derive(Clone, Debug, Default)]
pub struct FollowReport {
    pub player: String,
    /// Positions that are reached while the others do what they like.
    pub reached: u64,
    /// Those in which the player has to move.
    pub decisions: u64,
    /// Positions in which a move of the strategy gives value away.
    pub lapses: u64,
    /// Positions in which a move of the strategy wins, but not as fast as possible.
    pub slower: u64,
    /// Positions in which the strategy has no move, although the player has.
    pub silent: u64,
    /// Moves of the strategy that are no moves of the player.
    pub foreign: u64,
    /// The strategy wins against everything.
    pub wins: bool,
    /// The strategy can lose.
    pub loses: bool,
    /// The first positions in which value is given away.
    pub examples: Vec<LapseReport>,
}

/// A position in which value is given away.
#[derive(Clone, Debug)]
pub struct LapseReport {
    /// How the position is reached; the last step is the lapse.
    pub trace: Vec<State>,
    pub had: String,
    pub left: String,
    /// The position after a best move instead.
    pub better: Option<State>,
}

/// Lapses that are shown.
const EXAMPLES: usize = 5;

impl Solved<'_, '_, '_, '_> {
    pub(super) fn follow(&self, player: u8, report: &mut StrategyReport, search: &mut CheckReport) {
        let model = self.checker.model;
        let mut worker = explore::Model::worker(model, 0);
        // The strategy stands behind the players in the plan.
        let number = self.question.players.len();
        let mut foreign = 0;
        let mut moves: Vec<(u32, u32)> = vec![];
        let fixed = |position: u32| -> Result<Vec<u32>, (u32, explore::Fault)> {
            let mut found = Targets::default();
            let (state, depth) = (self.game.states.get(position), self.game.depth_of(position));
            model
                .moves(&mut worker, number, state, depth, &mut found)
                .map_err(|it| (position, it))?;
            let mut known: Vec<u32> = vec![];
            for target in found.0 {
                match self.game.states.find(&target) {
                    Some(it) if self.arena().moves(position).any(|to| to == (player, it)) => {
                        if !known.contains(&it) {
                            known.push(it);
                            moves.push((position, it));
                        }
                    }
                    _ => foreign += 1,
                }
            }
            Ok(known)
        };
        let followed = match follow(self.arena(), &self.values, player, fixed) {
            Ok(followed) => followed,
            Err((position, fault)) => {
                let path = self.game.first_path(position);
                let states: Vec<&[u32]> = path.iter().map(|&it| self.game.states.get(it)).collect();
                let at = explore::FaultAt::Successors;
                let failed = crate::solve::failed(self.checker, &states, fault, at);
                return self.checker.violated(self.plan, failed, search);
            }
        };
        let positions = |lapses: &[Lapse]| {
            let mut all: Vec<u32> = lapses.iter().map(|it| it.from).collect();
            all.dedup();
            all.len() as u64
        };
        let (wins, loses) = self.worth(player, &followed, &moves);
        let told = FollowReport {
            player: self.player_name(player),
            reached: followed.reached.len() as u64,
            decisions: u64::from(followed.decisions),
            lapses: positions(&followed.lapses),
            slower: positions(&followed.slower),
            silent: followed.silent.len() as u64,
            foreign,
            wins,
            loses,
            examples: self.examples(player, &followed, search),
        };
        let is_good = told.lapses == 0 && told.silent == 0 && told.foreign == 0;
        if search.verdict == Verdict::Holds {
            report.verdict = if is_good {
                StrategyVerdict::Holds
            } else {
                StrategyVerdict::Fails
            };
        }
        report.follow = Some(told);
    }

    /// Whether following wins whatever the others do, and whether it can lose.
    fn worth(&self, player: u8, followed: &Followed, fixed: &[(u32, u32)]) -> (bool, bool) {
        let wins = self.question.wins();
        let arena = self.arena();
        let winner = |it: u32| wins.iter().position(|win| win & arena.marks[it as usize] != 0);
        let loses = followed
            .reached
            .iter()
            .any(|&(it, _)| winner(it).is_some_and(|it| it != usize::from(player)));
        // All that is left to choose is chosen by the others.
        let other = player.wrapping_add(1);
        let mut bound = Arena {
            n_initial: arena.n_initial,
            offsets: vec![0],
            ..Arena::default()
        };
        let mut fixed = fixed.to_vec();
        fixed.sort_unstable();
        for position in 0..arena.n_positions() {
            let own = fixed.partition_point(|it| it.0 < position);
            let own = fixed[own..]
                .iter()
                .take_while(|it| it.0 == position)
                .map(|it| it.1);
            let others = arena.moves(position).filter(|it| it.0 != player).map(|it| it.1);
            bound.targets.extend(own.chain(others));
            bound.offsets.push(bound.targets.len() as u32);
        }
        bound.movers = vec![other; bound.targets.len()];
        let won = attract(&bound, player, |it| winner(it) == Some(usize::from(player)));
        let wins = bound.n_initial > 0 && (0..bound.n_initial).all(|it| won.contains(it));
        (wins, loses)
    }

    fn examples(&self, player: u8, followed: &Followed, search: &mut CheckReport) -> Vec<LapseReport> {
        let mut shown: Vec<&Lapse> = vec![];
        for lapse in &followed.lapses {
            if shown.len() < EXAMPLES && shown.last().is_none_or(|it| it.from != lapse.from) {
                shown.push(lapse);
            }
        }
        let words = |value: Value| match value {
            Value::Win { player, moves } => format!("{} wins in {moves}", self.player_name(player)),
            Value::Draw => self.question.draw(),
        };
        let mut tell = |lapse: &Lapse| {
            let mut path = followed.path(lapse.from);
            let best = self.values.best_move(self.arena(), player, lapse.from);
            let better = best.and_then(|best| self.trace(&[&path[..], &[best]].concat(), search).0.pop());
            path.extend(lapse.to);
            LapseReport {
                trace: self.trace(&path, search).0,
                had: words(lapse.had),
                left: words(lapse.left),
                better,
            }
        };
        shown.into_iter().map(&mut tell).collect()
    }
}

/// Where steps lead.
#[derive(Default)]
struct Targets(Vec<Vec<u32>>);

impl Sink for Targets {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(&mut self, state: &[u32], _: u64, _: Option<(&[u32], u64)>, _: u32) -> ControlFlow<()> {
        self.0.push(state.to_vec());
        ControlFlow::Continue(())
    }

    fn exclude(&mut self, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
