//! A model with known counts, for tests: digits that are increased one at a time.

use explore::{Fault, Inspection, Model, Sink};

/// base^digits states, depth digits * (base - 1) + 1. Digit i at v, as a slot, is v.
#[derive(Clone, Debug)]
pub struct Grid {
    pub digits: usize,
    pub base: u32,
    /// A state in which property 0 is violated.
    pub bad: Option<Vec<u32>>,
    /// The state in which the model panics.
    pub panic_at: Option<Vec<u32>>,
    /// What the model claims to hold.
    pub memory: usize,
}

impl Grid {
    pub fn new(digits: usize, base: u32) -> Grid {
        Grid {
            digits,
            base,
            bad: None,
            panic_at: None,
            memory: 0,
        }
    }

    pub fn n_states(&self) -> u64 {
        u64::from(self.base).pow(self.digits as u32)
    }
}

fn hash(state: &[u32]) -> u64 {
    state.iter().fold(1, |hash: u64, &value| {
        (hash ^ u64::from(value))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    })
}

impl Model for Grid {
    type Worker<'m> = Vec<u32>;

    fn worker(&self, _index: usize) -> Vec<u32> {
        Vec::new()
    }

    fn n_slots(&self) -> usize {
        self.digits
    }

    fn initial(&self, _: &mut Vec<u32>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let state = vec![0; self.digits];
        let _ = sink.emit(&state, hash(&state), None, 0);
        Ok(())
    }

    fn successors(
        &self,
        next: &mut Vec<u32>,
        state: &[u32],
        _depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        assert!(self.panic_at.as_deref() != Some(state), "as wanted");
        next.clear();
        next.extend_from_slice(state);
        for slot in 0..self.digits {
            if state[slot] + 1 < self.base {
                next[slot] += 1;
                if sink.emit(next, hash(next), None, 1 + slot as u32).is_break() {
                    return Ok(());
                }
                next[slot] -= 1;
            }
        }
        Ok(())
    }

    fn inspect(&self, _: &mut Vec<u32>, state: &[u32], _depth: u32) -> Result<Inspection, Fault> {
        let is_bad = self.bad.as_deref() == Some(state);
        Ok(Inspection {
            expand: true,
            violated: is_bad.then_some(0),
        })
    }

    fn memory(&self) -> usize {
        self.memory
    }
}
