//! What an engine has found, as plain data: behaviours of any language, and instances of relational models.
//!
//! Views draw this, front ends print it, tests compare it. It holds names, numbers and values only: no trees, no ids of the
//! engine that made it, and no formatting but what a step is called.

mod algorithm;
mod instance;
mod state;

pub use algorithm::{AlgorithmState, ProcessState, Ran};
pub use state::{State, shortened};

pub use instance::{Atom, AtomId, Instance, Relation, RelationKind, Sig, SigOrigin, Tuple};

/// A sequence of states; when it is infinite, one of them follows the last.
///
/// ```
/// let lasso = trace::Behaviour { states: vec!["green", "red"], loop_to: Some(0) };
/// assert_eq!(lasso.index_at(5), Some(1));
/// assert_eq!(trace::Behaviour::finite(vec!["green"]).index_at(5), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behaviour<S> {
    pub states: Vec<S>,
    /// The index of the state that follows the last one; none for a finite behaviour.
    pub loop_to: Option<usize>,
}

impl<S> Default for Behaviour<S> {
    fn default() -> Behaviour<S> {
        Behaviour::finite(vec![])
    }
}

/// A behaviour is looked at as its states.
impl<S> std::ops::Deref for Behaviour<S> {
    type Target = [S];

    fn deref(&self) -> &[S] {
        &self.states
    }
}

impl<S> Behaviour<S> {
    /// A finite behaviour.
    pub fn finite(states: Vec<S>) -> Behaviour<S> {
        Behaviour {
            states,
            loop_to: None,
        }
    }

    /// The index of the state at a point in time, going round the loop as often as needed.
    pub fn index_at(&self, time: usize) -> Option<usize> {
        if time < self.states.len() {
            return Some(time);
        }
        let loop_to = self.loop_to?;
        Some(loop_to + (time - self.states.len()) % (self.states.len() - loop_to))
    }
}

#[cfg(test)]
mod tests {
    use super::Behaviour;

    #[test]
    fn loops_go_on_for_ever() {
        let lasso = Behaviour {
            states: vec!['a', 'b', 'c'],
            loop_to: Some(1),
        };
        let seen: String = (0..8)
            .filter_map(|time| lasso.index_at(time))
            .map(|i| lasso.states[i])
            .collect();
        assert_eq!(seen, "abcbcbcb");
        assert_eq!(Behaviour::finite(vec!['a']).index_at(1), None);
    }
}
