//! An Alloy instance as a game: its moments one after the other. There is little to choose, but much to look at.

use trace::{Behaviour, State};
use value::Owned;
use view::Notation;
use view::instance::{Steps, snapshot, steps};

use super::{About, Action, Found, FoundStep, Game, Judged, Problem, Refused, Session, StateKey, Stepped};
use crate::alloy_prompt::{AlloyPrompt, with_alloy_instance};
use crate::language::{Language, Played};

pub(crate) fn play(
    Played {
        workspace,
        spec,
        options,
        stop,
        ..
    }: Played<'_, '_>,
    ask: &mut dyn FnMut(&mut Session<'_>),
) -> Result<(), Refused> {
    with_alloy_instance(workspace, spec, &options.alloy, stop, |prompt| {
        let game = AlloyGame {
            story: story(prompt),
            prompt,
            spec: spec.to_owned(),
            watches: vec![],
        };
        ask(&mut Session::new(Box::new(game)));
    })
}

struct AlloyGame<'p, 'a> {
    prompt: &'p mut AlloyPrompt<'a>,
    story: Steps,
    spec: String,
    watches: Vec<String>,
}

/// What the instance tells; one that tells nothing is one moment.
fn story(prompt: &AlloyPrompt<'_>) -> Steps {
    steps(&prompt.instance).unwrap_or_else(|| Steps {
        constants: vec![],
        behaviour: Behaviour::finite(vec![State {
            values: snapshot(&prompt.instance, 0),
            ..State::default()
        }]),
    })
}

impl AlloyGame<'_, '_> {
    /// The moment with this number.
    fn moment(&self, index: usize) -> FoundStep {
        let moment = &self.story.behaviour[index];
        let action = match moment.action.is_empty() {
            true => format!("state {}", index + 1),
            false => moment.action.clone(),
        };
        let constants = self.story.constants.iter();
        FoundStep {
            stepped: Stepped {
                action,
                parameters: vec![],
                told: None,
                location: None,
            },
            state: [index as u32].into(),
            values: constants.chain(&moment.values).cloned().collect(),
            shown: None,
            is_excluded: false,
            algorithm: None,
        }
    }
}

impl Game for AlloyGame<'_, '_> {
    fn about(&self) -> About {
        let first = self.story.behaviour.first();
        let constants = self.story.constants.iter();
        About {
            spec: self.spec.clone(),
            language: Language::Alloy,
            title: self.prompt.label().to_owned(),
            variables: constants
                .chain(first.map_or(&[][..], |it| &it.values))
                .map(|it| it.0.clone())
                .collect(),
            actions: Vec::<Action>::new(),
            goals: vec![],
            algorithm: None,
            notation: Notation::Alloy,
            warnings: vec![],
        }
    }

    fn initial(&mut self) -> Result<Found, Problem> {
        let first = (!self.story.behaviour.is_empty()).then(|| self.moment(0));
        Ok(Found {
            steps: first.into_iter().collect(),
            is_cut: false,
        })
    }

    fn steps(&mut self, state: &StateKey, _depth: u32) -> Result<Found, Problem> {
        let next = state[0] as usize + 1;
        let next = match next < self.story.behaviour.len() {
            true => Some(next),
            false => self.story.behaviour.loop_to,
        };
        Ok(Found {
            steps: next.into_iter().map(|it| self.moment(it)).collect(),
            is_cut: false,
        })
    }

    fn judge(&mut self, _before: Option<&StateKey>, _state: &StateKey, _depth: u32) -> Vec<Judged> {
        vec![]
    }

    fn watch(&mut self, expr: &str) -> Result<usize, Refused> {
        match self.prompt.evaluate(expr, 0) {
            Ok(_) => {
                self.watches.push(expr.to_owned());
                Ok(self.watches.len() - 1)
            }
            Err(diagnostics) => Err((self.prompt.sources.clone(), diagnostics)),
        }
    }

    fn value(
        &mut self,
        watch: usize,
        _before: Option<&StateKey>,
        state: &StateKey,
        _depth: u32,
    ) -> Result<(String, Owned), Problem> {
        // Under an ordering all moments are of the one state that there is.
        let n_states = self.prompt.instance.states.states.len();
        let at = (state[0] as usize).min(n_states.saturating_sub(1));
        match self.prompt.evaluate(&self.watches[watch], at) {
            Ok(text) => Ok((text.clone(), Owned::Model(value::Text::new(&text)))),
            Err(diagnostics) => Err(Problem::first(&diagnostics, &self.prompt.sources)),
        }
    }

    fn next_instance(&mut self) -> Result<bool, Problem> {
        let found = self.prompt.find_next();
        let found = found.map_err(|it| Problem::first(&it, &self.prompt.sources))?;
        self.story = story(self.prompt);
        Ok(found)
    }
}
