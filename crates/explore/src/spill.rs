//! Keeping to the memory: what goes to files, and when.
//!
//! The limit on memory is cut into quotas, after what cannot leave: the model, the workers, the fences of runs. Where a
//! quota is used up, what it is for goes to files: visited numbers become a run, waiting states are appended to the
//! file of their level, records of predecessors to theirs. Batches are made as large as their quota allows once there
//! are runs, because going through the runs costs the same for a large batch and for a small one.

use std::time::Duration;

use crate::chunk::Chunk;
use crate::disk::{DiskFailure, FREE_MIN, Folder, Output};
use crate::ledger::Ledger;
use crate::options::{Options, Store};
use crate::runs::{RunWriter, Runs, Wanted, key_of};
use crate::set::{SHARDS, Shard, shard_of};

pub(crate) struct Spill<'a> {
    pub(crate) folder: Folder<'a>,
    /// Whether memory is relieved; otherwise files are for checkpoints only.
    pub(crate) is_store: bool,
    pub(crate) quotas: Quotas,
    /// States to keep in memory whatever the quotas.
    states_max: usize,
    /// What a chunk holds for each state that is expanded.
    pub(crate) bytes_per_state: f64,
    /// When the next checkpoint is due.
    pub(crate) due: Duration,
    /// What the model said of its slots, and what it noted about that.
    pub(crate) values: Option<Output>,
    pub(crate) noted: Vec<usize>,
    /// Pairs of exact codes, and how many there are.
    pub(crate) pairs: Option<Output>,
    pub(crate) n_pairs: u32,
    /// What stands for each state, in the order of states, if the graph is asked for; and of how many.
    pub(crate) codes: Option<Output>,
    pub(crate) n_codes: usize,
    /// Files of the last checkpoint that hold what is still in memory.
    pub(crate) recent: Vec<String>,
}

/// Bytes that may be used for each purpose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quotas {
    pub(crate) visited: usize,
    pub(crate) chunks: usize,
    pub(crate) next: usize,
    /// For how states were reached; as much again for the steps between them.
    pub(crate) lineage: usize,
}

impl Quotas {
    const UNLIMITED: Quotas = Quotas {
        visited: usize::MAX / 4,
        chunks: usize::MAX / 4,
        next: usize::MAX / 4,
        lineage: usize::MAX / 4,
    };

    fn new(bytes: usize) -> Quotas {
        // The rest is for the states of the batch and for buffers.
        Quotas {
            visited: bytes / 16 * 6,
            chunks: bytes / 16 * 6,
            next: bytes / 16,
            lineage: bytes / 32,
        }
    }
}

/// What a number takes at most in a large table, just after it has grown.
const BYTES_PER_NUMBER: usize = 10;

impl<'a> Spill<'a> {
    pub(crate) fn new(options: &Options<'a>) -> Option<Spill<'a>> {
        let disk = options.disk?;
        let resumed = options.checkpoints.and_then(|it| it.resume);
        let next = resumed.and_then(|it| it.body()).map_or(0, |it| it.next_file);
        Some(Spill {
            folder: Folder::new(disk, next, options.checkpoints.is_some()),
            is_store: options.store == Store::Disk,
            quotas: Quotas::UNLIMITED,
            states_max: options.spill_after.unwrap_or(usize::MAX),
            bytes_per_state: 256.0,
            due: options.checkpoints.map_or(Duration::MAX, |it| it.every),
            values: None,
            noted: Vec::new(),
            pairs: None,
            n_pairs: 1,
            codes: None,
            n_codes: 0,
            recent: Vec::new(),
        })
    }

    /// Allots the memory that is left after what cannot leave it. False if that is nothing.
    pub(crate) fn allot(&mut self, memory_max: Option<usize>, fixed: usize) -> bool {
        let Some(memory_max) = memory_max.filter(|_| self.is_store) else {
            return true;
        };
        // An eighth for what nobody counts: the allocator's gaps, stacks, the program itself.
        let left = (memory_max - memory_max / 8).saturating_sub(fixed);
        self.quotas = Quotas::new(left);
        left > 0
    }

    /// Fails while so many bytes could still be written, if there is no room for more.
    pub(crate) fn watch(&self, about_to_write: u64) -> Result<(), DiskFailure> {
        self.folder.watch(about_to_write)
    }

    /// Before so many numbers are added to each shard: moves what is there into a run if memory would be short.
    pub(crate) fn make_room(
        &mut self,
        runs: &mut Runs,
        shards: &mut [&mut Shard],
        additional: &[usize; SHARDS],
    ) -> Result<(), DiskFailure> {
        if !self.is_store {
            return Ok(());
        }
        let all = shards.iter().zip(additional);
        // While a table grows, the old one is there too.
        let (bytes, growth) = all.fold((0, 0), |(bytes, growth), (shard, &n)| {
            (bytes + shard.bytes(), growth + shard.growth_for(n))
        });
        let n_states = shards.iter().map(|it| it.len()).sum::<usize>() + additional.iter().sum::<usize>();
        // A large table also grows where a number finds no place near its home, whatever `growth_for` says.
        let n_states_max = self.states_max.min(self.quotas.visited / BYTES_PER_NUMBER);
        if n_states <= n_states_max && (growth == 0 || bytes + growth <= self.quotas.visited) {
            return Ok(());
        }
        self.spill_shards(runs, shards)
    }

    /// Makes a run of everything in the tables, and empties them.
    pub(crate) fn spill_shards(
        &mut self,
        runs: &mut Runs,
        shards: &mut [&mut Shard],
    ) -> Result<(), DiskFailure> {
        if shards.iter().all(|it| it.len() == 0) {
            return Ok(());
        }
        let mut writer = RunWriter::new(&mut self.folder, "run-")?;
        for (i, shard) in shards.iter().enumerate() {
            writer.push_shard(shard, i)?;
        }
        let run = writer.finish()?;
        let bytes: usize = shards.iter().map(|it| it.bytes()).sum();
        for shard in shards {
            if bytes > self.quotas.visited {
                **shard = Shard::default();
            } else {
                shard.clear();
            }
        }
        let disk = self.folder.disk;
        runs.add(&mut self.folder, run, |size| {
            disk.free()
                .is_none_or(|free| free > size.saturating_mul(2).saturating_add(FREE_MIN))
        })
    }

    /// States to expand in one batch, given that there are runs.
    pub(crate) fn batch_states(&self) -> usize {
        let fitting = (self.quotas.chunks as f64 * 0.6 / self.bytes_per_state) as usize;
        fitting.clamp(1, self.states_max)
    }

    /// Moves waiting states and records to files where they take more than their quotas.
    pub(crate) fn relieve(&mut self, ledger: &mut Ledger) -> Result<(), DiskFailure> {
        if ledger.next.bytes() > self.quotas.next || ledger.next.n_loaded() > self.states_max {
            ledger.next.spill(&mut self.folder, true)?;
        }
        let tail_max = self.quotas.lineage.min(self.states_max);
        if ledger.space.tail() > tail_max {
            ledger.space.spill(&mut self.folder)?;
        }
        if ledger.edges.tail() > tail_max {
            ledger.edges.spill(&mut self.folder)?;
        }
        Ok(())
    }

    pub(crate) fn learn(&mut self, bytes: usize, n_states: usize) {
        let latest = bytes as f64 / n_states.max(1) as f64;
        self.bytes_per_state = latest.max(self.bytes_per_state * 0.9);
    }
}

/// Labels the candidates of one shard, or of all, that runs know. Chunks are sealed.
pub(crate) fn sift(runs: &Runs, chunks: &[&Chunk], shard: Option<usize>) -> Result<(), DiskFailure> {
    if runs.is_empty() {
        return Ok(());
    }
    let mut wanted = Vec::new();
    for (chunk, index) in chunks.iter().zip(0..) {
        let mut want = |it: u32| {
            let key = key_of(chunk.numbers[it as usize]);
            wanted.push(Wanted {
                key,
                chunk: index,
                it,
            });
        };
        match shard {
            Some(shard) => chunk.of_shard(shard).iter().for_each(|&it| want(it)),
            None => (0..chunk.len() as u32).for_each(want),
        }
    }
    label(runs, chunks, wanted)
}

/// The same for states outside the constraints, where states have keys.
pub(crate) fn sift_outside(runs: &Runs, chunks: &[&Chunk]) -> Result<(), DiskFailure> {
    if runs.is_empty() {
        return Ok(());
    }
    let mut wanted = Vec::new();
    for (chunk, index) in chunks.iter().zip(0..) {
        wanted.extend(chunk.own.iter().zip(0..).map(|(&own, it)| Wanted {
            key: key_of(own),
            chunk: index,
            it,
        }));
    }
    label(runs, chunks, wanted)
}

fn label(runs: &Runs, chunks: &[&Chunk], mut wanted: Vec<Wanted>) -> Result<(), DiskFailure> {
    wanted.sort_unstable();
    runs.sift(&wanted, &mut |it| {
        chunks[it.chunk as usize].set_old(it.it as usize)
    })
}

/// How many candidates may enter each shard.
pub(crate) fn n_entering<'c>(chunks: impl Iterator<Item = &'c Chunk>) -> [usize; SHARDS] {
    let mut n = [0; SHARDS];
    for chunk in chunks {
        for it in (0..chunk.len()).filter(|&it| !chunk.is_old(it)) {
            n[shard_of(chunk.numbers[it])] += 1;
        }
    }
    n
}
