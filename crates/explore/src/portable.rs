//! What a model adds to be searched elsewhere: by several processes, or by another engine than [`check`](crate::check()).

use crate::model::Model;
use crate::options::Options;
use crate::outcome::Outcome;

/// A model whose states can leave the process.
///
/// Slots mean nothing outside of the process that gave them out. So a slot is written by its content, to one reader after
/// the other; both sides remember what has passed.
pub trait Portable: Model {
    /// What one reader knows already.
    type Sent: Default;

    /// Writes what the slot stands for.
    fn send(&self, slot: u32, sent: &mut Self::Sent, bytes: &mut Vec<u8>);

    /// How many things `sent` has; whoever writes begins anew before it is too much.
    fn n_sent(&self, sent: &Self::Sent) -> usize;

    /// Reads what [`Portable::send`] wrote in a process with the same model: the slot that stands for it here. `known` is
    /// what has passed, empty where `sent` was. `None` when the bytes are none of those.
    fn receive(&self, worker: &mut Self::Worker<'_>, bytes: &mut &[u8], known: &mut Vec<u32>) -> Option<u32>;

    /// The content hash that comes with a state, or with a key, where it is [emitted](crate::Sink::emit).
    fn hash(&self, vector: &[u32], is_key: bool) -> u64;

    /// What the model itself counts while it is searched; as many numbers each time, and sums of them make sense.
    fn tallies(&self) -> Vec<u64> {
        vec![]
    }

    /// Takes the sums over all processes for its own tallies.
    fn set_tallies(&self, _sums: &[u64]) {}
}

/// Something that searches a model and says what it found.
pub trait Engine {
    fn check<M: Portable>(&self, model: &M, options: &Options<'_>) -> Outcome;

    /// Whether the answer is to be told here: of several processes, one does.
    fn tells(&self) -> bool;
}

/// The search of this crate, in this process.
pub struct Here;

impl Engine for Here {
    fn check<M: Portable>(&self, model: &M, options: &Options<'_>) -> Outcome {
        crate::check(model, options)
    }

    fn tells(&self) -> bool {
        true
    }
}
