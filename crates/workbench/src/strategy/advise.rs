//! Advice for someone who plays: the value of a position, and its best moves.
//!
//! A game is solved once, and its advisor owns all that it needs, so that it can be kept and sent about. A puzzle is a game of
//! one player who wants the goal.
//!
//! ```text
//! let question = StrategyQuestion { players, aim: Aim::Outcomes(outcomes), ..StrategyQuestion::default() };
//! // or, for a puzzle: StrategyQuestion::puzzle("KlotskiGoal")
//! let mut file = parse_tla_with(opened, host, &question.overrides(Overrides::default()));
//! file.configure_with(config, host);
//! let advisor = advise(&mut file, &question, &options, effects, observer)?;
//! // A state is the values of all variables, in the order of the specification, as in `TraceState::values`.
//! let advice = advisor.advice(&state);             // the value, and the best next states
//! let choice = advisor.choose(&state, &choices);   // which of these next states is best
//! let rest = advisor.solution(&state);             // the best play of all sides from here
//! ```

use explore::Observer;
use solve::{Arena, Value, Values};
use tla_eval::effects::Effects;
use util::FxHashMap;
use value::Owned;

use super::{Aim, StrategyQuestion, solved};
use crate::check::{CheckOptions, CheckReport};
use crate::tla::TlaFile;

/// What is known of all positions of a game.
#[derive(Clone, Debug)]
pub struct Advisor {
    index: FxHashMap<String, u32>,
    states: Vec<Vec<Owned>>,
    arena: Arena,
    values: Values,
    names: Vec<String>,
    draw: String,
}

/// What a position is worth, and what to do there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The player who wins, or the name of a draw.
    pub value: String,
    pub winner: Option<String>,
    /// Until the end, by all players, where somebody wins.
    pub moves: Option<u32>,
    /// Who can move.
    pub to_move: Vec<String>,
    /// The states after the best moves of whoever can move.
    pub best: Vec<Vec<Owned>>,
}

impl StrategyQuestion {
    /// A puzzle: one player makes all steps of the specification, and wants the goal.
    pub fn puzzle(goal: &str) -> StrategyQuestion {
        StrategyQuestion {
            players: vec![("you".to_owned(), "TRUE".to_owned())],
            aim: Aim::Goal(goal.to_owned()),
            ..StrategyQuestion::default()
        }
    }
}

/// Solves the game of a file that was parsed with [`StrategyQuestion::overrides`]; otherwise the report says why not.
pub fn advise(
    file: &mut TlaFile,
    question: &StrategyQuestion,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
) -> Result<Advisor, Box<CheckReport>> {
    let mut advisor = None;
    let report = solved(file, question, options, effects, observer, |solved, _| {
        let model = solved.checker.model;
        let n_positions = solved.arena().n_positions();
        let mut index = FxHashMap::default();
        let mut states = Vec::with_capacity(n_positions as usize);
        for position in 0..n_positions {
            let arena = value::Arena::new();
            let values = model.decode(solved.game.states.get(position), &arena);
            let texts: Vec<String> = values.iter().map(|it| it.to_string()).collect();
            index.insert(texts.join("\n"), position);
            let owned = |it: &value::Value<'_>| {
                let text = || Owned::Model(value::Text::new(&it.to_string()));
                it.to_owned_value().unwrap_or_else(|_| text())
            };
            states.push(values.iter().map(owned).collect());
        }
        advisor = Some(Advisor {
            index,
            states,
            arena: solved.arena().clone(),
            values: solved.values.clone(),
            names: question.players.iter().map(|it| it.0.clone()).collect(),
            draw: question.draw(),
        });
    });
    advisor.ok_or_else(|| Box::new(report))
}

impl Advisor {
    pub fn n_positions(&self) -> usize {
        self.states.len()
    }

    /// What to do in a state; nothing for a state that the game does not reach.
    pub fn advice(&self, state: &[Owned]) -> Option<Advice> {
        let position = self.position(state)?;
        let value = self.values.of(position);
        let name = |it: u8| self.names[usize::from(it)].clone();
        let movers = self.movers(position);
        let best = movers
            .iter()
            .flat_map(|&it| self.values.best_moves(&self.arena, it, position));
        Some(Advice {
            value: value.winner().map_or(self.draw.clone(), name),
            winner: value.winner().map(name),
            moves: match value {
                Value::Win { moves, .. } => Some(moves),
                Value::Draw => None,
            },
            to_move: movers.iter().map(|&it| name(it)).collect(),
            best: best.map(|it| self.states[it as usize].clone()).collect(),
        })
    }

    /// Which of several next states is best for whoever moves there; the first of several.
    pub fn choose(&self, state: &[Owned], choices: &[Vec<Owned>]) -> Option<usize> {
        let position = self.position(state)?;
        let places: Vec<Option<u32>> = choices.iter().map(|it| self.position(it)).collect();
        let mut best = self
            .movers(position)
            .into_iter()
            .flat_map(|it| self.values.best_moves(&self.arena, it, position));
        best.find_map(|best| places.iter().position(|&it| it == Some(best)))
    }

    /// The best play of all sides from a state, which is the first of it.
    pub fn solution(&self, state: &[Owned]) -> Option<Vec<Vec<Owned>>> {
        let line = self.values.main_line(&self.arena, self.position(state)?);
        Some(
            line.into_iter()
                .map(|it| self.states[it as usize].clone())
                .collect(),
        )
    }

    fn movers(&self, position: u32) -> Vec<u8> {
        let mut movers: Vec<u8> = self.arena.moves(position).map(|it| it.0).collect();
        movers.dedup();
        movers
    }

    fn position(&self, state: &[Owned]) -> Option<u32> {
        let arena = value::Arena::new();
        let text = |it: &Owned| it.copy_to(&arena).ok().map(|it| it.to_string());
        let texts: Option<Vec<String>> = state.iter().map(text).collect();
        self.index.get(&texts?.join("\n")).copied()
    }
}
