//! The graph of states, as flat arrays that belong to someone else.

/// States `0..n` with their steps and labels. Every state also has a stuttering step to itself, which is not stored.
///
/// Invariants: `offsets` ascend from 0 to the number of steps and have one element more than there are states; the steps
/// of state s are `offsets[s]..offsets[s + 1]`; every state can be reached from an initial one. Label m of a row is bit
/// m % 64 of its word m / 64.
#[derive(Clone, Copy, Debug)]
pub struct Graph<'a> {
    /// The initial states are `0..n_initial`.
    pub n_initial: u32,
    pub offsets: &'a [u32],
    pub targets: &'a [u32],
    pub state_words: usize,
    pub state_labels: &'a [u64],
    pub step_words: usize,
    pub step_labels: &'a [u64],
    /// The labels of every stuttering step.
    pub stuttering_labels: &'a [u64],
}

/// What is true at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Letter<'a> {
    pub(crate) state: &'a [u64],
    pub(crate) step: &'a [u64],
}

/// A stuttering step, where steps are numbered.
pub(crate) const STUTTERING: u32 = u32::MAX;

impl<'a> Graph<'a> {
    pub fn n_states(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    pub(crate) fn steps(&self, state: u32) -> std::ops::Range<u32> {
        self.offsets[state as usize]..self.offsets[state as usize + 1]
    }

    /// Steps of a state, the stuttering one (the last) included.
    pub(crate) fn n_steps(&self, state: u32) -> u32 {
        self.steps(state).len() as u32 + 1
    }

    /// One of those by its place among them.
    #[inline]
    pub(crate) fn step(&self, state: u32, place: u32) -> u32 {
        let steps = self.steps(state);
        match steps.start + place {
            step if step < steps.end => step,
            _ => STUTTERING,
        }
    }

    #[inline]
    pub(crate) fn target(&self, state: u32, step: u32) -> u32 {
        match step {
            STUTTERING => state,
            _ => self.targets[step as usize],
        }
    }

    #[inline]
    pub(crate) fn letter(&self, state: u32, step: u32) -> Letter<'a> {
        let row = state as usize * self.state_words;
        Letter {
            state: &self.state_labels[row..row + self.state_words],
            step: match step {
                STUTTERING => self.stuttering_labels,
                _ => {
                    let row = step as usize * self.step_words;
                    &self.step_labels[row..row + self.step_words]
                }
            },
        }
    }
}

impl Letter<'_> {
    #[inline]
    pub(crate) fn state_has(&self, label: u32) -> bool {
        self.state[label as usize / 64] >> (label % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn step_has(&self, label: u32) -> bool {
        self.step[label as usize / 64] >> (label % 64) & 1 == 1
    }
}
