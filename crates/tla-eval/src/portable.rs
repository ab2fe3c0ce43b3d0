//! States that leave the process: values by their content, and what was counted on the way.

use std::sync::atomic::Ordering::Relaxed;

use explore::Portable;
use value::Exported;

use crate::model::{TlaModel, Worker};
use crate::prepared::evaluate_constant;

impl<'i> Portable for TlaModel<'i> {
    type Sent = Exported;

    fn send(&self, slot: u32, sent: &mut Exported, bytes: &mut Vec<u8>) {
        self.heap.interner.export(slot, sent, bytes);
    }

    fn n_sent(&self, sent: &Exported) -> usize {
        sent.len()
    }

    fn receive(&self, worker: &mut Worker<'_, 'i>, bytes: &mut &[u8], known: &mut Vec<u32>) -> Option<u32> {
        worker.scratch.reset();
        let slot = self
            .heap
            .interner
            .import(bytes, known, worker.interned, &worker.scratch);
        slot.ok()
    }

    fn hash(&self, vector: &[u32], is_key: bool) -> u64 {
        match is_key {
            true => self.key_hash(vector),
            false => self.content_hash(vector),
        }
    }

    /// How often each definition was evaluated and which closed constants were, where that is counted, how often each possibility
    /// was seen, and how much was audited.
    fn tallies(&self) -> Vec<u64> {
        let audited = self.auditor.map_or(vec![], |it| it.tallies());
        let counts = self.compiled.program.counts.iter().map(|it| it.load(Relaxed));
        let constants = self.compiled.counted_constants();
        let constants = constants.iter().map(|it| u64::from(it.calls().is_some()));
        let seen = self.possible.seen();
        counts.chain(constants).chain(seen).chain(audited).collect()
    }

    fn set_tallies(&self, sums: &[u64]) {
        let (counts, rest) = sums.split_at(self.compiled.program.counts.len().min(sums.len()));
        let (constants, seen) = rest.split_at(self.compiled.counted_constants().len().min(rest.len()));
        for (count, &sum) in self.compiled.program.counts.iter().zip(counts) {
            count.store(sum, Relaxed);
        }
        // What a closed constant called is the same in every process, so it is counted once, however many evaluated it.
        for (&n, index) in constants.iter().zip(0..) {
            if n > 0 {
                evaluate_constant(&self.compiled, &self.heap, index);
            }
        }
        let (seen, audited) = seen.split_at(self.possible.seen().count().min(seen.len()));
        self.possible.set_seen(seen.iter().copied());
        if let Some(auditor) = self.auditor {
            auditor.set_tallies(audited);
        }
    }
}
