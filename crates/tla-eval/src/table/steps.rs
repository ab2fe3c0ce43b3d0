//! The steps of one state, and the actions that each is a step of.
//!
//! A fairness condition asks of every step whether it is one of `A(p)`. Where `A(p)` is a part of the next-state relation, the answer
//! is at hand: a step is one exactly when that part leads to the same state. So the steps of a state are gathered before they
//! are passed on; nothing is evaluated for the mark, and nothing for `ENABLED A(p)` either.

use value::Slot;

use super::instance::Instance;
use crate::code::ProcId;

/// A mark on steps whose action consists of parts of the next-state relation.
#[derive(Debug)]
pub(crate) struct Link {
    /// By the number of the part, whether it belongs to the action.
    belongs: Vec<bool>,
    /// At least one of these slots changes.
    subscript: Vec<u32>,
}

impl Link {
    /// Nothing when the action is not the sum of parts of the relation.
    pub fn new(action: &[Instance<'_>], relation: &[Instance<'_>], subscript: Vec<u32>) -> Option<Link> {
        let mut belongs = vec![false; relation.len()];
        for part in action {
            let at = relation.iter().position(|it| it.is_same(part))?;
            belongs[at] = true;
        }
        Some(Link { belongs, subscript })
    }

    pub fn changes(&self, state: &[Slot], next: &[Slot]) -> bool {
        self.subscript
            .iter()
            .any(|&it| state[it as usize] != next[it as usize])
    }
}

/// What was gathered.
#[derive(Default)]
pub(crate) struct Steps {
    n_slots: usize,
    slots: Vec<Slot>,
    /// The action that names the step, and the part of the relation that it comes from.
    origins: Vec<(ProcId, u32)>,
    /// Steps by their targets, equal ones together.
    order: Vec<u32>,
    /// For each step, the first in that order with its target, and how many there are.
    alike: Vec<(u32, u32)>,
    /// The step that is being passed on.
    pub at: usize,
}

impl Steps {
    pub fn clear(&mut self, n_slots: usize) {
        self.n_slots = n_slots;
        self.slots.clear();
        self.origins.clear();
        self.at = 0;
    }

    pub fn len(&self) -> usize {
        self.origins.len()
    }

    pub fn push(&mut self, action: ProcId, part: usize, slots: &[Slot]) {
        self.origins.push((action, part as u32));
        self.slots.extend_from_slice(slots);
    }

    pub fn action(&self, step: usize) -> ProcId {
        self.origins[step].0
    }

    pub fn target(&self, step: usize) -> &[Slot] {
        &self.slots[step * self.n_slots..(step + 1) * self.n_slots]
    }

    /// Says which steps lead to the same state, once all are there.
    pub fn compare(&mut self) {
        let n = self.len();
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..n as u32);
        order.sort_unstable_by(|&a, &b| self.target(a as usize).cmp(self.target(b as usize)));
        let mut alike = std::mem::take(&mut self.alike);
        alike.clear();
        alike.resize(n, (0, 0));
        let mut first = 0;
        for run in order.chunk_by(|&a, &b| self.target(a as usize) == self.target(b as usize)) {
            for &step in run {
                alike[step as usize] = (first, run.len() as u32);
            }
            first += run.len() as u32;
        }
        (self.order, self.alike) = (order, alike);
    }

    /// Whether the step that is being passed on belongs to an action.
    pub fn belongs(&self, link: &Link, state: &[Slot]) -> bool {
        let (first, n) = self.alike[self.at];
        let alike = &self.order[first as usize..(first + n) as usize];
        link.changes(state, self.target(self.at))
            && alike
                .iter()
                .any(|&it| link.belongs[self.origins[it as usize].1 as usize])
    }

    /// Whether any step belongs to an action.
    pub fn enables(&self, link: &Link, state: &[Slot]) -> bool {
        (0..self.len())
            .any(|it| link.belongs[self.origins[it].1 as usize] && link.changes(state, self.target(it)))
    }
}
