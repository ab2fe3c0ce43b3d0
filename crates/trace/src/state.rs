//! A state of a behaviour with the step that leads to it, as everybody tells, shows and writes it.

use value::Owned;

use crate::AlgorithmState;

/// A state, and how it is reached.
///
/// ```
/// let state = trace::State {
///     action: "Move".to_owned(),
///     parameters: vec![("p".to_owned(), "1".to_owned())],
///     ..trace::State::default()
/// };
/// assert_eq!(state.step(), "Move(p = 1)");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The definition that names the step to this state; steps of some languages have no names.
    pub action: String,
    /// Its parameters and bound names in this step, as text of the specification.
    pub parameters: Vec<(String, String)>,
    pub location: Option<String>,
    /// Name and value: of the variables, or of what is shown instead of them. A set that cannot be spelt out is its text.
    pub values: Vec<(String, Owned)>,
    /// Of a conjunction of several rules, those that moved in the step to this state, and those that stuttered.
    pub moved: Vec<String>,
    pub stuttered: Vec<String>,
    /// What the specification itself draws of the state: elements of the module `SVG`.
    pub drawings: Vec<(String, Owned)>,
    /// The same in the words of the algorithm that it is a state of.
    pub algorithm: Option<AlgorithmState>,
}

impl State {
    /// The action with its parameters, `Move(p = 1)`; of an algorithm, who went from which label to which. Long values are cut.
    pub fn step(&self) -> String {
        if let Some(step) = self.algorithm.as_ref().and_then(|it| it.step.as_ref()) {
            return step.clone();
        }
        let parameters = self.parameters.iter();
        let all: Vec<String> = parameters
            .map(|(name, value)| format!("{name} = {}", shortened(value, 60)))
            .collect();
        match all.is_empty() {
            true => self.action.clone(),
            false => format!("{}({})", self.action, all.join(", ")),
        }
    }

    /// Names and values as TLA+ text.
    pub fn texts(&self) -> impl Iterator<Item = (&String, String)> {
        self.values.iter().map(|(name, it)| (name, it.to_string()))
    }
}

/// On one line, and cut if it is long.
pub fn shortened(text: &str, max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
