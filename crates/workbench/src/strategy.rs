//! Games: who can force what, in how many moves, and how.
//!
//! Players have actions; a position is a state. The whole game is unfolded, worked backwards from its outcomes
//! (`solve::Values`), and told in the terms of the specification: the value, the best play of both sides as a trace, every
//! position as a row, a strategy as a definition that can be put into the specification, and the positions in which a
//! strategy that the specification fixes gives something away.
//!
//! The rules, where a specification leaves room: a play ends where an outcome holds, and where nobody can move. A step
//! that changes nothing is no move. A play without end, or without an outcome, is a draw. Where several players can move, who
//! wants to force something must be ready for any of them to come first.

mod advise;
mod definition;
mod follow;
mod game;
mod players;
mod report;

use explore::{Limits, Observer};
use solve::{Arena, Recorded, Stop, Values, Watch, attract, recur};
use tla_eval::effects::Effects;
use tla_eval::plan::{Named, Plan, Player};
use tla_sema::ir::Level;
use trace::State;
use util::Symbol;

use crate::check::{
    CheckOptions, CheckReport, Checker, Exiting, Ledger, Run, Verdict, run, without_mistakes,
};
use crate::overrides::{ExtraExpr, Overrides};
use crate::solve::{Rows, ask_only, diagnostics, failed, level_of, only_behaviour, unreduced};
use crate::tla::TlaFile;

pub use advise::{Advice, Advisor, advise};
pub use follow::{FollowReport, LapseReport};
use game::Game;
pub use players::players_of;

/// A game, in expressions of the specification.
#[derive(Clone, Debug, Default)]
pub struct StrategyQuestion {
    /// Name and moves: an action, or a state predicate that says when the steps of the specification are the player's.
    pub players: Vec<(String, String)>,
    pub aim: Aim,
    /// Who wants the goal; the first player when not given.
    pub hero: Option<String>,
    /// The action that a player is to follow, `MoveX` or `X=MoveX`.
    pub follow: Option<String>,
    /// Whether the strategy is wanted as a definition.
    pub definition: bool,
}

/// What a play is about.
#[derive(Clone, Debug)]
pub enum Aim {
    /// One player wants a state predicate to hold once, the others do not.
    Goal(String),
    /// Or again and again, for ever.
    Recurring(String),
    /// Names and state predicates. One that is called like a player is a win of that player, the others are draws.
    Outcomes(Vec<(String, String)>),
}

impl Default for Aim {
    fn default() -> Aim {
        Aim::Outcomes(vec![])
    }
}

impl StrategyQuestion {
    /// What is to be read beside the specification; `strategy` expects a file that was parsed with it.
    pub fn overrides(&self, overrides: Overrides) -> Overrides {
        let players = self
            .players
            .iter()
            .map(|(_, text)| ExtraExpr::new("--player", text));
        let aim = |option, text: &String| ExtraExpr {
            negated: true,
            ..ExtraExpr::new(option, text)
        };
        let aims: Vec<ExtraExpr> = match &self.aim {
            Aim::Goal(text) => vec![aim("--goal", text)],
            Aim::Recurring(text) => vec![aim("--infinitely-often", text)],
            Aim::Outcomes(all) => all.iter().map(|(_, text)| aim("--outcome", text)).collect(),
        };
        let follow = self.followed().map(|(_, text)| ExtraExpr::new("--follow", text));
        Overrides {
            extra: players.chain(aims).chain(follow).collect(),
            ..overrides
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|it| it.0 == name)
    }

    fn hero(&self) -> usize {
        self.hero.as_deref().and_then(|it| self.place(it)).unwrap_or(0)
    }

    /// Who follows what.
    fn followed(&self) -> Option<(usize, &str)> {
        let text = self.follow.as_deref()?;
        let named = text.split_once('=').filter(|it| !it.1.starts_with('='));
        let named = named.and_then(|(name, action)| Some((self.place(name.trim())?, action)));
        Some(named.unwrap_or((self.hero(), text)))
    }

    /// The marks that are wins of each player.
    fn wins(&self) -> Vec<u64> {
        let mut wins = vec![0; self.players.len()];
        match &self.aim {
            Aim::Goal(_) | Aim::Recurring(_) => wins[self.hero()] = 1,
            Aim::Outcomes(all) => {
                for (i, (name, _)) in all.iter().enumerate() {
                    if let Some(place) = self.place(name) {
                        wins[place] |= 1 << i;
                    }
                }
            }
        }
        wins
    }

    /// What nobody winning is called.
    fn draw(&self) -> String {
        let Aim::Outcomes(all) = &self.aim else {
            return "prevented".to_owned();
        };
        let mut neutral = all.iter().filter(|it| self.place(&it.0).is_none());
        match (neutral.next(), neutral.next()) {
            (Some((name, _)), None) => name.clone(),
            _ => "draw".to_owned(),
        }
    }

    fn wrong(&self) -> Vec<diag::Diagnostic> {
        let mut wrong = vec![];
        if self.players.is_empty() {
            wrong.push(diagnostics::no_players());
        }
        let names: Vec<&str> = self.players.iter().map(|it| it.0.as_str()).collect();
        for (i, name) in names.iter().enumerate() {
            if names[..i].contains(name) {
                wrong.push(diagnostics::player_twice(name));
            }
        }
        if let Some(hero) = self.hero.as_deref().filter(|it| self.place(it).is_none()) {
            wrong.push(diagnostics::unknown_player(hero, &names));
        }
        if let Aim::Outcomes(all) = &self.aim
            && !all.iter().any(|it| self.place(&it.0).is_some())
        {
            wrong.push(diagnostics::no_outcome(&names));
        }
        /// Outcomes are bits, and players are bytes.
        const MANY: usize = 60;
        let n_outcomes = match &self.aim {
            Aim::Outcomes(all) => all.len(),
            _ => 1,
        };
        if n_outcomes.max(self.players.len()) > MANY {
            wrong.push(diagnostics::too_many_players(MANY));
        }
        wrong
    }
}

/// The answer.
#[derive(Clone, Debug, Default)]
pub struct StrategyReport {
    pub verdict: StrategyVerdict,
    /// A player, the name of a draw, or `prevented`; of the worst initial position, where there are several.
    pub value: Option<String>,
    pub winner: Option<String>,
    /// Who wants what was asked for.
    pub hero: String,
    /// Until the end, by all players together, when the winner hurries and the others delay.
    pub moves: Option<u32>,
    /// Those of the winner among these.
    pub own_moves: Option<u32>,
    pub positions: u64,
    /// How many positions have which value.
    pub tally: Vec<(String, u64)>,
    /// What the rules did that the specification left open.
    pub notes: Vec<String>,
    pub follow: Option<FollowReport>,
    /// The strategy of the hero as TLA+ text.
    pub definition: Option<String>,
    /// Rows that were written.
    pub rows: Option<u64>,
    /// Counts and diagnostics; its trace is the best play of all sides.
    pub search: CheckReport,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StrategyVerdict {
    /// The hero can force it; or there is a value, or the strategy that is followed is as good as the best.
    Holds,
    /// The hero cannot, or the strategy that is followed gives something away.
    Fails,
    #[default]
    Unknown,
    Error,
    Internal,
}

/// Solves the game of a file that was parsed with [`StrategyQuestion::overrides`]. With `rows`, every position is written there.
pub fn strategy(
    file: &mut TlaFile,
    question: &StrategyQuestion,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
    mut rows: Option<&mut dyn Rows>,
) -> StrategyReport {
    let mut report = StrategyReport::default();
    let search = solved(file, question, options, effects, observer, |solved, search| {
        report = StrategyReport::default();
        let rows = rows.as_mut().map(|it| &mut **it as &mut dyn Rows);
        solved.tell(rows, &mut report, search);
    });
    report.search = search;
    report.verdict = match report.search.verdict {
        Verdict::Error | Verdict::Violated => StrategyVerdict::Error,
        Verdict::Internal => StrategyVerdict::Internal,
        Verdict::Unknown => StrategyVerdict::Unknown,
        Verdict::Holds => report.verdict,
    };
    report
}

/// Solves the game, and lends it to `then`; otherwise the report says what is wrong.
fn solved(
    file: &mut TlaFile,
    question: &StrategyQuestion,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
    mut then: impl FnMut(&Solved<'_, '_, '_, '_>, &mut CheckReport),
) -> CheckReport {
    let prepared = match file.has_errors() {
        true => Prepared::default(),
        false => match Prepared::new(file, question) {
            Ok(prepared) => prepared,
            Err(wrong) => {
                file.diagnostics.extend(wrong);
                Prepared::default()
            }
        },
    };
    let ledger = Ledger::new(observer);
    let mut once = |options: &CheckOptions| {
        let mut dropped = vec![];
        let adapt = |plan: &mut Plan<'_>| dropped = prepared.adapt(plan);
        let how = Run {
            asks: &|problem| ask_only(problem, &prepared.aims),
            ..Run::new(effects, observer, &ledger)
        };
        let mut search = run(file, options, how, adapt, |checker, plan, search| {
            let exiting = Exiting {
                observer,
                effects: checker.effects,
            };
            let watch = Watch {
                limits: Limits {
                    memory: options.memory,
                    states: options.states_max,
                    depth: None,
                    time: options.time,
                },
                observer: &exiting,
            };
            if let Some(solved) = Solved::new(checker, plan, question, watch, search) {
                then(&solved, search);
            }
        });
        search.diagnostics.extend(dropped);
        search
    };
    let first = once(options);
    without_mistakes(first, options, true, once)
}

/// The question in terms of the resolved specification.
#[derive(Clone, Debug, Default)]
struct Prepared {
    players: Vec<Player>,
    /// Negated.
    aims: Vec<Named>,
}

impl Prepared {
    fn new(file: &TlaFile, question: &StrategyQuestion) -> Result<Prepared, Vec<diag::Diagnostic>> {
        let mut wrong = question.wrong();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let spec = &file.spec;
        let mut prepared = Prepared::default();
        let n_players = question.players.len();
        let n_aims = file.requests.extra.len() - n_players - usize::from(question.follow.is_some());
        for (i, defined) in file.requests.extra.iter().enumerate() {
            let def = defined.def;
            let (body, level) = (spec.defs[def].body, level_of(spec, def));
            let is_aim = (n_players..n_players + n_aims).contains(&i);
            let level_max = if is_aim { Level::State } else { Level::Action };
            if level > level_max {
                let option = if is_aim { "an outcome" } else { "a player" };
                wrong.push(diagnostics::too_high_a_level(option, level_max, defined.span));
            }
            if let (true, Some(negation)) = (is_aim, defined.negation) {
                prepared.aims.push(Named {
                    name: spec.defs[def].name,
                    expr: spec.defs[negation].body,
                });
            } else {
                let name = question.players.get(i).map_or("follow", |it| &it.0);
                let is_turn = level <= Level::State;
                prepared.players.push(Player {
                    name: Symbol::new(name),
                    turn: is_turn.then_some(body),
                    action: (!is_turn).then_some(body),
                });
            }
        }
        if wrong.is_empty() {
            Ok(prepared)
        } else {
            Err(wrong)
        }
    }

    fn adapt(&self, plan: &mut Plan<'_>) -> Vec<diag::Diagnostic> {
        only_behaviour(plan);
        plan.invariants.clone_from(&self.aims);
        plan.players.clone_from(&self.players);
        unreduced(plan)
    }
}

/// A game that was solved.
struct Solved<'a, 'c, 'i, 'p> {
    checker: &'a Checker<'c, 'i>,
    plan: &'a Plan<'p>,
    question: &'a StrategyQuestion,
    watch: Watch<'a>,
    game: Recorded,
    values: Values,
}

impl<'a, 'c, 'i, 'p> Solved<'a, 'c, 'i, 'p> {
    fn new(
        checker: &'a Checker<'c, 'i>,
        plan: &'a Plan<'p>,
        question: &'a StrategyQuestion,
        watch: Watch<'a>,
        search: &mut CheckReport,
    ) -> Option<Self> {
        let needs_next = plan.players.iter().any(|it| it.action.is_none());
        if plan.init.is_empty() || needs_next && plan.next.is_empty() {
            search.diagnostics.push(diagnostics::nothing_to_search());
            search.verdict = Verdict::Error;
            return None;
        }
        let model = Game::new(checker.model, question);
        let mut worker = explore::Model::worker(&model, 0);
        let recorded = Recorded::new(&model, &mut worker, &watch);
        let (game, stop) = match recorded {
            Ok(game) => (game, None),
            Err((stop, game)) => (game, Some(stop)),
        };
        search.generated = game.generated;
        search.distinct = u64::from(game.states.len());
        search.depth = (0..game.states.len()).last().map_or(0, |it| game.depth_of(it));
        search.memory = game.bytes();
        let values = match stop {
            None => values(&game.arena, question, &watch, search.memory),
            Some(stop) => Err(stop),
        };
        search.verdict = Verdict::Holds;
        match values {
            Ok(values) => Some(Solved {
                checker,
                plan,
                question,
                watch,
                game,
                values,
            }),
            Err(Stop::Limit(limit)) => {
                search.verdict = Verdict::Unknown;
                search.limit = Some(checker.limit(limit));
                None
            }
            Err(Stop::Fault { fault, at, state }) => {
                let path = state.map_or(vec![], |it| game.first_path(it));
                let states: Vec<&[u32]> = path.iter().map(|&it| game.states.get(it)).collect();
                checker.violated(plan, failed(checker, &states, fault, at), search);
                None
            }
        }
    }

    fn arena(&self) -> &Arena {
        &self.game.arena
    }

    /// A way through positions as a trace, replayed.
    fn trace(&self, positions: &[u32], search: &mut CheckReport) -> (Vec<State>, Vec<explore::Step>) {
        let states: Vec<&[u32]> = positions.iter().map(|&it| self.game.states.get(it)).collect();
        let mut worker = explore::Model::worker(self.checker.model, 0);
        let steps = solve::along(self.checker.model, &mut worker, &states).unwrap_or_default();
        let trace = self.checker.trace(&steps, search);
        search.counterexample = None;
        (trace, steps)
    }
}

fn values(
    arena: &Arena,
    question: &StrategyQuestion,
    watch: &Watch<'_>,
    memory: usize,
) -> Result<Values, Stop> {
    let hero = question.hero() as u8;
    let wanted = |it: u32| arena.marks[it as usize] != 0;
    Ok(match &question.aim {
        Aim::Outcomes(_) => Values::new(arena, &question.wins()),
        Aim::Goal(_) => Values::of_one(hero, attract(arena, hero, wanted)),
        Aim::Recurring(_) => {
            let goes_on = || watch.check(0, memory);
            Values::of_one(hero, recur(arena, hero, wanted, goes_on)?.winning)
        }
    })
}
