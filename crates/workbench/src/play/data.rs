//! What a session answers with: names, values, places. All of it is owned and can go to another thread.

use trace::{AlgorithmState, State, shortened};
use value::Owned;
use view::{Change, Frame, Journey, Notation, Touch};

use super::Problem;
use crate::language::Language;

/// What is being played.
#[derive(Clone, Debug)]
pub struct About {
    /// The path or gallery name that was opened.
    pub spec: String,
    pub language: Language,
    /// The module, or the command of an Alloy model.
    pub title: String,
    pub variables: Vec<String>,
    /// What steps can be called.
    pub actions: Vec<Action>,
    /// Definitions that are called goals: `Goal`, or names that end so.
    pub goals: Vec<String>,
    /// How values are written.
    pub notation: Notation,
    /// The algorithm that is played.
    pub algorithm: Option<AlgorithmText>,
    /// Warnings about the specification, rendered.
    pub warnings: Vec<String>,
}

/// The text of an algorithm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlgorithmText {
    pub file: String,
    pub first_line: u32,
    pub lines: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    pub name: String,
    pub location: Option<Location>,
}

/// A place in a text of the specification, as people count: from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A parameter or bound name of an action with its value in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    pub name: String,
    pub text: String,
    /// Absent for a value that cannot be written out.
    pub value: Option<Owned>,
}

/// How a state is reached: the definition that names the step, and with which values. For a first state, `Init`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stepped {
    pub action: String,
    pub parameters: Vec<Binding>,
    /// Of an algorithm, who goes from which label to which: `worker(1): read -> write`.
    pub told: Option<String>,
    pub location: Option<Location>,
}

impl Stepped {
    /// A state that is reached so, still without values.
    pub(super) fn to_state(&self) -> State {
        let parameters = self.parameters.iter();
        State {
            action: self.action.clone(),
            parameters: parameters.map(|it| (it.name.clone(), it.text.clone())).collect(),
            location: self.location.as_ref().map(ToString::to_string),
            ..State::default()
        }
    }

    /// In so many columns if it fits: else without the names of its parameters, whose values tell steps apart.
    pub fn within(&self, width: usize) -> String {
        let whole = self.to_string();
        if whole.chars().count() <= width || self.told.is_some() {
            return whole;
        }
        let values: Vec<String> = self.parameters.iter().map(|it| shortened(&it.text, 60)).collect();
        format!("{}({})", self.action, values.join(", "))
    }
}

impl std::fmt::Display for Stepped {
    /// `Move(p = 1)`, or in the words of the algorithm. Long values are cut.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(told) = &self.told {
            return f.write_str(told);
        }
        f.write_str(&self.action)?;
        for (i, it) in self.parameters.iter().enumerate() {
            let value = shortened(&it.text, 60);
            write!(f, "{}{} = {value}", if i == 0 { "(" } else { ", " }, it.name)?;
        }
        f.write_str(if self.parameters.is_empty() { "" } else { ")" })
    }
}

/// A step that can be taken, or a state to begin in.
#[derive(Clone, Debug)]
pub struct Choice {
    pub step: Stepped,
    /// The values of the state it leads to.
    pub after: Vec<(String, Owned)>,
    /// What it changes, by variable; nothing for a state to begin in.
    pub changes: Vec<(String, Vec<Change>)>,
    /// The cells of boards that it changes.
    pub touches: Vec<Touch>,
    /// The pieces that it moves.
    pub journeys: Vec<Journey>,
    /// Everything stays as it is.
    pub is_stuttering: bool,
    /// An action constraint of the model rules it out; it can be taken all the same.
    pub is_excluded: bool,
    /// Whether it is the person's step, where the machine takes the others.
    pub is_yours: bool,
    /// The state that it leads to, in the words of the algorithm: the process that moved is the one whose step it is.
    pub algorithm: Option<AlgorithmState>,
}

impl Choice {
    /// The values of the state it leads to, but for those that tell where processes are.
    pub fn shown_after(&self) -> impl Iterator<Item = &(String, Owned)> {
        let is_told = |name: &str| {
            let mut told = self.algorithm.iter().flat_map(|it| &it.told);
            told.any(|it| *it == name)
        };
        self.after.iter().filter(move |it| !is_told(&it.0))
    }

    /// Whose step it is: the place of the process in [`AlgorithmState::processes`].
    pub fn process(&self) -> Option<usize> {
        self.algorithm.as_ref()?.mover()
    }
}

/// What is known of the way to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// The goal holds here.
    Here,
    /// It is so many steps away, and this choice is the first of them.
    Take { choice: usize, steps: usize },
    /// No way leads there.
    Unreachable,
    /// There were more states than were to be searched.
    Unknown,
}

/// Where the session is. Before a state to begin in was chosen, everything about states is empty.
#[derive(Clone, Debug)]
pub struct Position {
    /// Its place in the trace, from 0; nothing before there is a state.
    pub index: Option<usize>,
    /// How many states the trace has, those that were undone included.
    pub len: usize,
    /// How it was reached.
    pub step: Option<Stepped>,
    pub state: Vec<(String, Owned)>,
    /// What the state looks like, and what is different from the one before.
    pub frame: Frame,
    /// Where each process of the algorithm is, and what those wait for that have no step.
    pub algorithm: Option<AlgorithmState>,
    pub choices: Vec<Choice>,
    /// There are more choices than were asked for.
    pub is_cut: bool,
    pub properties: Vec<Judged>,
    pub watches: Vec<Watched>,
    /// No step leads on.
    pub is_deadlock: bool,
    /// Why the steps cannot be told.
    pub problem: Option<Problem>,
}

/// What a property says here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    pub name: String,
    pub kind: PropertyKind,
    pub truth: Truth,
    /// Why it is false, or what went wrong.
    pub why: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    Invariant,
    /// Of the step to this state.
    Action,
    /// Of the first state.
    Initial,
    /// Of infinite behaviours: not to be told from here.
    Temporal,
    /// States outside are not searched further.
    Constraint,
}

impl PropertyKind {
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Action => "action property",
            PropertyKind::Initial => "initial property",
            PropertyKind::Temporal => "temporal property",
            PropertyKind::Constraint => "constraint",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    True,
    False,
    /// It says nothing about this state or step.
    Open,
    /// It cannot be evaluated.
    Error,
}

/// An expression that is watched, and its value here.
#[derive(Clone, Debug)]
pub struct Watched {
    /// For [`Session::unwatch`](super::Session::unwatch).
    pub number: usize,
    pub expr: String,
    pub value: Result<(String, Owned), Problem>,
}
