//! Which variables a step has given new values to, so far.

use util::Symbol;

use super::writer::width;

/// The variables of a program, and whether each has a new value.
#[derive(Clone)]
pub(super) struct Changed<'a> {
    variables: &'a [Symbol],
    is_changed: Vec<bool>,
}

impl<'a> Changed<'a> {
    pub fn none(variables: &'a [Symbol]) -> Changed<'a> {
        Changed {
            variables,
            is_changed: vec![false; variables.len()],
        }
    }

    pub fn contains(&self, variable: Symbol) -> bool {
        let at = self.variables.iter().position(|it| *it == variable);
        at.is_some_and(|it| self.is_changed[it])
    }

    pub fn add(&mut self, variable: Symbol) {
        if let Some(at) = self.variables.iter().position(|it| *it == variable) {
            self.is_changed[at] = true;
        }
    }

    pub fn merge(&mut self, other: &Changed<'_>) {
        for (it, other) in self.is_changed.iter_mut().zip(&other.is_changed) {
            *it |= other;
        }
    }

    /// The variables that keep their values.
    pub fn unchanged(&self) -> Vec<Symbol> {
        self.pick(|it| !self.is_changed[it])
    }

    /// The variables that keep their values here, but not in `other`.
    pub fn unchanged_but_in(&self, other: &Changed<'_>) -> Vec<Symbol> {
        self.pick(|it| !self.is_changed[it] && other.is_changed[it])
    }

    fn pick(&self, wanted: impl Fn(usize) -> bool) -> Vec<Symbol> {
        let all = self.variables.iter().enumerate();
        all.filter(|(i, _)| wanted(*i)).map(|(_, it)| *it).collect()
    }
}

/// Names with commas between, in lines of at most `max` where that is possible. A line keeps the comma and blank at its end.
pub(super) fn wrapped(names: &[Symbol], max: isize) -> Vec<String> {
    let mut lines = vec![];
    let mut line = String::new();
    // A long algorithm has a list like this for each label: the width is counted once.
    let mut column = 0;
    for (i, name) in names.iter().enumerate() {
        let name = name.as_str();
        if i > 0 {
            line += ", ";
            column += 2;
        }
        if (column + width(name)) as isize > max && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
            column = 0;
        }
        line += name;
        column += width(name);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Names with commas between.
pub(super) fn joined(names: &[Symbol]) -> String {
    let names: Vec<&str> = names.iter().map(|it| it.as_str()).collect();
    names.join(", ")
}
