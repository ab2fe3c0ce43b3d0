//! The steps of one state, and the actions that each is a step of.
//!
//! A fairness condition asks of every step whether it is one of `A(p)`. Where `A(p)` is a part of the next-state relation, the answer
//! is at hand: a step is one exactly when that part leads to the same state. So the steps of a state are gathered before they
//! are passed on; nothing is evaluated for the label, and nothing for `ENABLED A(p)` either. The same goes for `[A(p)]_v`.
//!
//! Labels are about a pair of states: steps to the same state have the same ones. And a part of the relation that says the same as an
//! earlier one (`\E p, q : A(p) \/ B(p, q)` has `A(p)` once for each `q`) has the same steps.

use value::{Interner, Slot, is_box};

use super::instance::ActionInstance;
use crate::code::ProcId;

/// A label on steps whose action consists of parts of the next-state relation.
#[derive(Debug)]
pub(crate) struct Link {
    /// By the number of the part, whether it belongs to the action.
    belongs: Vec<bool>,
    /// At least one of these slots changes,
    subscript: Vec<u32>,
    /// or the step has the label for this reason alone.
    when_kept: bool,
}

impl Link {
    /// Nothing when the action is not the sum of parts of the relation.
    pub fn new(
        action: &[ActionInstance<'_>],
        relation: &[ActionInstance<'_>],
        subscript: Vec<u32>,
        when_kept: bool,
    ) -> Option<Link> {
        let mut belongs = vec![false; relation.len()];
        for part in action {
            let at = relation.iter().position(|it| it.is_same(part))?;
            belongs[at] = true;
        }
        Some(Link {
            belongs,
            subscript,
            when_kept,
        })
    }

    /// Whether the subscript changes. Nothing where that is an error, or may be one. Whoever evaluates the subscript tells the error.
    fn changes(&self, state: &[Slot], next: &[Slot], interner: &Interner<'_>) -> Option<bool> {
        let mut changes = false;
        for &it in &self.subscript {
            let (before, after) = (state[it as usize], next[it as usize]);
            if before != after {
                if !are_comparable(before, after, interner) {
                    return None;
                }
                changes = true;
            }
        }
        Some(changes)
    }
}

/// Whether it is sure that what two slots hold can be compared: slots always differ or not, but `0` and `{}` are an error. A box holds
/// something else than the part that its slot is for.
pub(super) fn are_comparable(a: Slot, b: Slot, interner: &Interner<'_>) -> bool {
    !is_box(a) && !is_box(b) && value::equal(interner.value(a), interner.value(b)).is_ok()
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
    /// What was found for the first step to each state.
    labels: Vec<u64>,
}

impl Steps {
    pub fn clear(&mut self, n_slots: usize) {
        self.n_slots = n_slots;
        self.slots.clear();
        self.origins.clear();
        self.labels.clear();
        self.at = 0;
    }

    pub fn len(&self) -> usize {
        self.origins.len()
    }

    pub fn push(&mut self, action: ProcId, part: usize, slots: &[Slot]) {
        self.origins.push((action, part as u32));
        self.slots.extend_from_slice(slots);
    }

    /// Gives a part of the relation the steps of an earlier one. Parts come in their order.
    pub fn repeat(&mut self, earlier: usize, part: usize) {
        let first = self.origins.partition_point(|it| (it.1 as usize) < earlier);
        let n = self.origins[first..].partition_point(|it| it.1 as usize == earlier);
        for step in first..first + n {
            self.origins.push((self.origins[step].0, part as u32));
        }
        self.slots
            .extend_from_within(first * self.n_slots..(first + n) * self.n_slots);
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
        order.sort_unstable_by(|&a, &b| {
            let by_target = self.target(a as usize).cmp(self.target(b as usize));
            by_target.then(a.cmp(&b))
        });
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

    /// The labels of an earlier step to the state that the present one leads to, `n_words` of them.
    pub fn known_labels(&self, n_words: usize) -> Option<&[u64]> {
        let first = self.order[self.alike[self.at].0 as usize] as usize;
        (first < self.at).then(|| &self.labels[first * n_words..(first + 1) * n_words])
    }

    /// Notes the labels of the present step, for those after it.
    pub fn note_labels(&mut self, labels: &[u64]) {
        self.labels.resize(self.at * labels.len(), 0);
        self.labels.extend_from_slice(labels);
    }

    /// Whether the step that is being passed on belongs to an action; nothing where that must be evaluated.
    pub fn belongs(&self, link: &Link, state: &[Slot], interner: &Interner<'_>) -> Option<bool> {
        if !link.changes(state, self.target(self.at), interner)? {
            return Some(link.when_kept);
        }
        let (first, n) = self.alike[self.at];
        let alike = &self.order[first as usize..(first + n) as usize];
        Some(
            alike
                .iter()
                .any(|&it| link.belongs[self.origins[it as usize].1 as usize]),
        )
    }

    /// Whether any step belongs to an action; nothing where that must be evaluated.
    pub fn enables(&self, link: &Link, state: &[Slot], interner: &Interner<'_>) -> Option<bool> {
        for step in 0..self.len() {
            let belongs = link.belongs[self.origins[step].1 as usize];
            if belongs && link.changes(state, self.target(step), interner)? {
                return Some(true);
            }
        }
        Some(false)
    }
}
