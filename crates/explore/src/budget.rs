//! Memory that is left, asked for before it is taken: the system must never have to end a search.

use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

use crate::set::Shard;

/// Bytes that may still be allocated, shared by the workers of a batch.
pub(crate) struct Budget {
    left: AtomicIsize,
    is_exhausted: AtomicBool,
}

impl Budget {
    pub(crate) fn new(left: Option<usize>) -> Budget {
        let left = left.map_or(isize::MAX / 2, |left| left.min(isize::MAX as usize / 2) as isize);
        Budget {
            left: AtomicIsize::new(left),
            is_exhausted: AtomicBool::new(false),
        }
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.is_exhausted.load(Ordering::Relaxed)
    }

    /// Takes note of an allocation that is not to be given back; false if it was one too many.
    pub(crate) fn spend(&self, bytes: usize) -> bool {
        let is_enough = self.left.fetch_sub(bytes as isize, Ordering::Relaxed) >= bytes as isize;
        if !is_enough {
            self.is_exhausted.store(true, Ordering::Relaxed);
        }
        is_enough
    }

    /// Grows a shard for `additional` numbers if there is memory for it: the old and the new table together, for a while.
    pub(crate) fn reserve(&self, shard: &mut Shard, additional: usize) -> bool {
        let growth = shard.growth_for(additional);
        if growth == 0 {
            return true;
        }
        if !self.spend(growth) {
            return false;
        }
        let old = shard.bytes();
        shard.reserve(additional);
        self.left.fetch_add(old as isize, Ordering::Relaxed);
        true
    }
}
