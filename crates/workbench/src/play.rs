//! Playing a specification: a state, the steps that it offers, one of them taken, and back again.
//!
//! A [`Session`] is a trace with a cursor in it. It answers in plain owned data ([`Position`], [`Choice`], [`Judged`]) that
//! any front end can draw, send or keep. The specification is compiled once, when the session is opened; a step is one
//! evaluation of the next-state relation in one state. What a state looks like is up to the crate `view`: a position
//! has its picture with it, and a choice says which cells of that picture it would change.
//!
//! A session borrows what it was compiled from, so [`play`] lends it to a closure, and all of its life is inside that
//! closure, on one thread. The server of the page gives every session a process of its own.
//!
//! A question may take for ever, because a specification may. The front end's [`Effects`] are asked now and then whether
//! anyone still waits ([`Effects::interrupted`]); if not, the answer is a [`Problem`] `eval-interrupted`, and the session can be
//! asked again.

pub(crate) mod alloy;
mod data;
mod problem;
mod session;
pub(crate) mod tla;
mod way;

use std::sync::Arc;

use alloy_lower::Stop;
use tla_eval::effects::Effects;
use trace::AlgorithmState;
use value::Owned;

use crate::alloy::AlloyOptions;
use crate::language::Played;
use crate::overrides::Overrides;
use crate::workspace::Workspace;

pub use data::{
    About, Action, Advice, AlgorithmText, Binding, Choice, Judged, Location, Position, PropertyKind, Stepped,
    Truth, Watched,
};
pub use problem::Problem;
pub use session::{Chance, Moment, Session};

pub use crate::workspace::Refused;

/// What to play, and how much of it to offer.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// The TLC configuration; without it the one beside the specification, else well-known names.
    pub config: Option<String>,
    pub overrides: Overrides,
    /// For Alloy: which command, and how.
    pub alloy: AlloyOptions,
    /// More steps than this are not offered; the position says that there are more.
    pub choices_max: usize,
    /// Which steps are the person's: the name of an action, or an expression that is true of a step or of the state
    /// before it. Nothing: all of them.
    pub you: Option<String>,
    /// What is looked at instead of the variables: a definition, or any expression about a state. The fields of a record
    /// are shown one by one. Without it the `ALIAS` of the model, if it has one.
    pub view: Option<String>,
}

impl Default for PlayOptions {
    fn default() -> PlayOptions {
        PlayOptions {
            config: None,
            overrides: Overrides::default(),
            alloy: AlloyOptions::default(),
            choices_max: 1000,
            you: None,
            view: None,
        }
    }
}

/// Opens `spec`, a path or a gallery name, and lends a session in it to `ask`. `stop` ends the search for an Alloy instance.
pub fn play<R>(
    workspace: &Workspace<'_>,
    spec: &str,
    options: &PlayOptions,
    effects: &(dyn Effects + Sync),
    stop: &Stop,
    ask: impl FnOnce(&mut Session<'_>) -> R,
) -> Result<R, Refused> {
    let language = workspace.open(spec)?.language;
    let played = Played {
        workspace,
        spec,
        options,
        effects,
        stop,
    };
    let (mut ask, mut answer) = (Some(ask), None);
    language.speaker().play(played, &mut |session| {
        answer = ask.take().map(|it| it(session));
    })?;
    Ok(answer.expect("a session that is played is lent once"))
}

/// A state as the one who has it knows it.
type StateKey = Arc<[u32]>;

/// Something that can be played: what a session needs of a language.
trait Game {
    fn about(&self) -> About;

    /// The states to begin in.
    fn initial(&mut self) -> Result<Found, Problem>;

    /// The steps from a state, an initial one being at depth 1.
    fn steps(&mut self, state: &StateKey, depth: u32) -> Result<Found, Problem>;

    /// What the properties say of a state, and of the step to it.
    fn judge(&mut self, before: Option<&StateKey>, state: &StateKey, depth: u32) -> Vec<Judged>;

    /// Makes an expression known; its number is asked for with [`Game::value`].
    fn watch(&mut self, expr: &str) -> Result<usize, Refused>;

    /// Whether an expression speaks of two states.
    fn is_about_steps(&self, _watch: usize) -> bool {
        false
    }

    /// The value of an expression in a state, or in the step to it if it speaks of one.
    fn value(
        &mut self,
        watch: usize,
        before: Option<&StateKey>,
        state: &StateKey,
        depth: u32,
    ) -> Result<(String, Owned), Problem>;

    /// What keeps each process of an algorithm from its next step, in their order.
    fn waits_for(&mut self, _state: &[(String, Owned)]) -> Vec<Option<String>> {
        vec![]
    }

    /// What the specification draws of a state beside its values: names and elements of the module `SVG`.
    fn drawings(&mut self, _state: &StateKey, _depth: u32) -> Vec<(String, Owned)> {
        vec![]
    }

    /// The shortest way from a state to one where a watched expression is true.
    fn way(&mut self, _: (&StateKey, u32), _goal: usize, _states_max: usize) -> Result<way::Way, Problem> {
        Ok(way::Way::None)
    }

    /// Goes on to something else to play (another instance); false when there is none.
    fn next_instance(&mut self) -> Result<bool, Problem> {
        Ok(false)
    }
}

/// Steps of a game.
#[derive(Default)]
struct Found {
    steps: Vec<FoundStep>,
    /// There are more.
    is_cut: bool,
}

struct FoundStep {
    stepped: Stepped,
    state: StateKey,
    values: Vec<(String, Owned)>,
    /// What is looked at, where that is something else.
    shown: Option<Vec<(String, Owned)>>,
    is_excluded: bool,
    /// The state in the words of the algorithm that it is one of.
    algorithm: Option<AlgorithmState>,
}

impl FoundStep {
    fn shown(&self) -> &[(String, Owned)] {
        self.shown.as_ref().unwrap_or(&self.values)
    }
}
