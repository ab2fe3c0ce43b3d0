//! A state of a behaviour in the words of the algorithm that it is a state of: labels, processes and statements.

/// A state of an algorithm, and the step to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AlgorithmState {
    /// `worker(1): read -> write`. Nothing for a first state, and for steps that are none of the algorithm.
    pub step: Option<String>,
    /// What ran in the step. Empty also where nobody asked.
    pub statements: Vec<Ran>,
    /// Where each process is. Empty when each is always at its one label.
    pub processes: Vec<ProcessState>,
    /// The variables that `processes` tells.
    pub told: Vec<&'static str>,
}

/// A statement of the algorithm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    pub line: u32,
    /// Its text on one line, cut if it is long.
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessState {
    /// Empty in an algorithm without processes.
    pub name: String,
    /// The label that it is at, as it is written, or `Done`.
    pub label: String,
    /// The line of the label, and what stands there.
    pub place: Option<Ran>,
    /// The last step was one of its steps.
    pub moved: bool,
    /// The procedures that it is in, the outermost first, each with the label that it returns to.
    pub calls: Vec<(String, String)>,
    /// What keeps it from its next step. Nothing also where nobody asked.
    pub waits_for: Option<String>,
}

impl AlgorithmState {
    /// The place in `processes` of the one that moved.
    pub fn mover(&self) -> Option<usize> {
        self.processes.iter().position(|it| it.moved)
    }
}

impl ProcessState {
    /// "in multiply, back to check", of a process that is in a procedure.
    pub fn called(&self) -> Option<String> {
        match &self.calls[..] {
            [] => None,
            [(name, back)] => Some(format!("in {name}, back to {back}")),
            [.., (name, back)] => Some(format!(
                "in {name}, back to {back}; {} calls deep",
                self.calls.len()
            )),
        }
    }
}
