//! Writing down where a search is, and going on from there.

use std::sync::{Mutex, RwLock};

use crate::check::{Flow, Search};
use crate::checkpoint::{self, Body};
use crate::codec::{Decoder, Encoder};
use crate::disk::{Disk, DiskFailure, DiskFailureKind, Piece};
use crate::frontier::Level;
use crate::graph::Directory;
use crate::model::{Model, Translation};
use crate::pool::{World, unpoisoned};
use crate::random::{mix, unmix};
use crate::renumber::Renumbering;
use crate::runs::{Run, RunWriter, number_of};
use crate::set::{Shard, shard_of};
use crate::spill::Spill;
use crate::tree::Nodes;

impl<M: Model> Search<'_, '_, '_, M> {
    /// A checkpoint that says that nothing has been done, so that there is always one.
    pub(crate) fn first_checkpoint(&mut self, note: &[u8]) -> Result<(), DiskFailure> {
        match &mut self.spill {
            Some(spill) => checkpoint::write(&mut spill.folder, note, None),
            None => Ok(()),
        }
    }

    pub(crate) fn checkpoint_if_due(&mut self, position: usize) -> Flow {
        let now = self.options.observer.elapsed();
        let (Some(spill), Some(checkpoints)) = (&mut self.spill, self.options.checkpoints) else {
            return Ok(());
        };
        if now < spill.due {
            return Ok(());
        }
        if let Err(failure) = self.save(position) {
            return self.fail(failure);
        }
        if let Some(spill) = &mut self.spill {
            // Writing it should take a small part of the time.
            let spent = self.options.observer.elapsed().saturating_sub(now);
            spill.due = now + spent + checkpoints.every.max(spent * 4);
        }
        Ok(())
    }

    /// A checkpoint at a limit. If there is none, the one before it stays.
    pub(crate) fn last_checkpoint(&mut self, position: usize) {
        if self.options.checkpoints.is_some()
            && let Err(failure) = self.save(position)
        {
            self.ledger.failure.get_or_insert(failure);
        }
    }

    /// Writes a checkpoint. `position` states of the level are done with, and nothing else of it has begun.
    fn save(&mut self, position: usize) -> Result<(), DiskFailure> {
        let (Some(spill), Some(checkpoints)) = (&mut self.spill, self.options.checkpoints) else {
            return Ok(());
        };
        let mut guard = unpoisoned(self.shared.world.write());
        let world = &mut *guard;
        let old_recent = std::mem::take(&mut spill.recent);
        let mut body = Body {
            is_hashed: self.options.store.is_hashed(),
            n_slots: self.model.n_slots(),
            position,
            first_id: world.first_id,
            depth: world.depth,
            ..Body::default()
        };
        // This worker met the initial states, or the search that is gone on with did.
        let met = self.worker.as_ref().and_then(|it| it.numbering.key_len());
        body.key_len = met.or(world.key_len);
        save_visited(spill, world, &mut body)?;
        if !body.is_hashed {
            body.pairs = Some(save_pairs(spill, &mut world.nodes)?);
        }
        body.values = save_values(self.model, spill)?;
        if self.options.graph {
            body.codes = Some(save_codes(spill, &world.directory)?);
            body.look_at = self.looks.at;
        }
        world.level.spill(&mut spill.folder, false)?;
        body.level = world.level.piece()?;
        if self.ledger.next.len() > 0 {
            self.ledger.next.spill(&mut spill.folder, false)?;
        }
        body.next = self.ledger.next.piece()?;
        let mut ledger = Encoder::default();
        self.ledger.save(&mut spill.folder, &mut ledger)?;
        body.ledger = ledger.bytes;
        body.next_file = spill.folder.next();
        body.files = [&body.visited[..], &body.outside, &self.ledger.pieces()].concat();
        for piece in [&body.pairs, &body.values, &body.codes, &body.level, &body.next] {
            body.files.extend_from_slice(piece.as_slice());
        }
        old_recent.iter().for_each(|name| spill.folder.discard(name));
        checkpoint::write(&mut spill.folder, checkpoints.note, Some(&body))
    }

    /// Makes this search what it was when the checkpoint was written.
    pub(crate) fn restore(&mut self, body: &Body) -> Result<(), DiskFailure> {
        let Some(spill) = &mut self.spill else {
            return Ok(());
        };
        let disk = spill.folder.disk;
        if body.n_slots != self.model.n_slots() || body.is_hashed != self.options.store.is_hashed() {
            let what = "its states are not those of this search";
            return Err(DiskFailure::new(DiskFailureKind::Foreign, what));
        }
        if body.codes.is_none() && self.options.graph {
            let what = "it does not have the steps between states, which temporal properties are about";
            return Err(DiskFailure::new(DiskFailureKind::Foreign, what));
        }
        checkpoint::remove_others(disk, &body.files)?;
        let worker = self.worker.as_mut().expect("the searching thread has a worker");
        let values = body.values.as_ref().map_or(Ok(Vec::new()), |it| it.read(disk))?;
        let damaged = |what: &str| DiskFailure::damaged("checkpoint", what);
        let translation = self.model.read_values(&mut worker.eval, &values);
        let translation = translation.ok_or_else(|| damaged("has values that make no sense"))?;
        drop(values);
        let mut guard = unpoisoned(self.shared.world.write());
        let world = &mut *guard;
        (world.first_id, world.depth) = (body.first_id, body.depth);
        world.key_len = body.key_len;
        let workers_bytes = self.options.workers.max(1) * worker.numbering.bytes();
        spill.allot(self.options.limits.memory, self.model.memory() + workers_bytes);
        let mut translate = |slot: u32| translation(slot);
        let loaded = self
            .ledger
            .load(&mut Decoder::new(&body.ledger), disk, &mut translate);
        loaded.ok_or_else(|| damaged("has counts that make no sense"))??;
        let mut level = |piece: &Option<Piece>, position: usize| match piece {
            None => Ok(Level::default()),
            Some(piece) => {
                let mut relieve = |level: &mut Level| match level.bytes() > spill.quotas.next {
                    true => level.spill(&mut spill.folder, true),
                    false => Ok(()),
                };
                let translate = &mut translate;
                let level = Level::restore(disk, piece, position, body.n_slots, translate, &mut relieve);
                spill.folder.discard(&piece.name);
                level
            }
        };
        world.level = level(&body.level, body.position)?;
        self.ledger.next = level(&body.next, 0)?;
        if body.position > world.level.len() {
            return Err(damaged("has fewer states than were expanded"));
        }
        for piece in body.pairs.iter().chain(&body.values).chain(&body.codes) {
            spill.folder.discard(&piece.name);
        }
        if self.options.graph {
            self.looks.at = body.look_at;
        }
        restore_visited(spill, world, body, &*translation)
    }
}

/// Names the runs that are there, and writes down the numbers that are in memory.
fn save_visited(spill: &mut Spill<'_>, world: &mut World, body: &mut Body) -> Result<(), DiskFailure> {
    let mut outside = outside(&mut world.outside);
    let mut shards = shards(&mut world.shards);
    for (runs, shards, pieces) in [
        (&mut world.runs, &mut shards, &mut body.visited),
        (&mut world.outside_runs, &mut outside, &mut body.outside),
    ] {
        let bytes: usize = shards.iter().map(|it| it.len() * 8).sum();
        if spill.is_store && bytes > spill.quotas.visited / 4 {
            // It will be a run soon anyway.
            spill.spill_shards(runs, shards)?;
        } else if bytes > 0 {
            let mut writer = RunWriter::new(&mut spill.folder, "recent-")?;
            for (i, shard) in shards.iter().enumerate() {
                writer.push_shard(shard, i)?;
            }
            let mut recent = writer.finish()?;
            recent.sync()?;
            spill.recent.push(recent.piece.name.clone());
            pieces.push(recent.piece);
        }
        for run in &mut runs.runs {
            run.sync()?;
            pieces.push(run.piece.clone());
        }
    }
    Ok(())
}

fn save_pairs(spill: &mut Spill<'_>, nodes: &mut Nodes) -> Result<Piece, DiskFailure> {
    let output = match &mut spill.pairs {
        Some(output) => output,
        none => none.insert(spill.folder.create("pairs-")?),
    };
    let pairs = nodes.pairs_from(spill.n_pairs);
    spill.n_pairs += pairs.len() as u32;
    pairs.into_iter().try_for_each(|pair| output.put_u64(pair))?;
    output.piece()
}

/// Codes mean nothing in another process where states are kept whole, so they are translated as those of visited states are.
fn save_codes(spill: &mut Spill<'_>, directory: &Directory) -> Result<Piece, DiskFailure> {
    let output = match &mut spill.codes {
        Some(output) => output,
        none => none.insert(spill.folder.create("codes-")?),
    };
    let new = &directory.codes()[spill.n_codes..];
    new.iter().try_for_each(|&code| output.put_u64(code))?;
    spill.n_codes = directory.codes().len();
    output.piece()
}

fn save_values<M: Model>(model: &M, spill: &mut Spill<'_>) -> Result<Option<Piece>, DiskFailure> {
    let mut bytes = Vec::new();
    model.write_values(&mut spill.noted, &mut bytes);
    if bytes.is_empty() && spill.values.is_none() {
        return Ok(None);
    }
    let output = match &mut spill.values {
        Some(output) => output,
        none => none.insert(spill.folder.create("values-")?),
    };
    output.put(&bytes)?;
    output.piece().map(Some)
}

fn restore_visited(
    spill: &mut Spill<'_>,
    world: &mut World,
    body: &Body,
    translation: &Translation,
) -> Result<(), DiskFailure> {
    let disk = spill.folder.disk;
    let codes = body
        .codes
        .as_ref()
        .map_or(Ok(Vec::new()), |it| read_u64s(it, disk))?;
    if body.is_hashed {
        // A hash of content is the same in every process.
        codes.iter().for_each(|&code| world.directory.push(code));
    }
    if spill.is_store {
        for (runs, pieces) in [
            (&mut world.runs, &body.visited),
            (&mut world.outside_runs, &body.outside),
        ] {
            let opened = pieces.iter().map(|it| Run::open(disk, it));
            runs.runs = opened.collect::<Result<_, _>>()?;
            // Merging goes by size, from the young and small to the old and large.
            runs.runs.sort_by_key(|it| std::cmp::Reverse(it.piece.len));
        }
        return Ok(());
    }
    let mut pairs = vec![u64::MAX];
    if let Some(piece) = &body.pairs {
        pairs.extend(read_u64s(piece, disk)?);
    }
    let mut of_keys = Renumbering::new(body.key_len.unwrap_or(body.n_slots), &pairs, translation);
    let mut of_states = Renumbering::new(body.n_slots, &pairs, translation);
    let mut outside = outside(&mut world.outside);
    let mut shards = shards(&mut world.shards);
    for (pieces, renumbering, shards) in [
        (&body.visited, &mut of_keys, &mut shards),
        (&body.outside, &mut of_states, &mut outside),
    ] {
        for piece in pieces {
            let run = Run::open(disk, piece)?;
            let mut cursor = run.cursor();
            while let Some(key) = cursor.advance()? {
                let mut number = number_of(key);
                if !body.is_hashed {
                    let code = renumbering.code(&mut world.nodes, unmix(number));
                    let damaged = || DiskFailure::damaged(&piece.name, "has states that make no sense");
                    number = mix(code.ok_or_else(damaged)?);
                }
                shards[shard_of(number)].insert(number);
            }
            // All of it is in memory, and in the next checkpoint again.
            spill.folder.discard(&piece.name);
        }
    }
    if !body.is_hashed {
        for code in codes {
            let code = of_keys.code(&mut world.nodes, unmix(code));
            let damaged = || DiskFailure::damaged("codes-", "has states that make no sense");
            world.directory.push(mix(code.ok_or_else(damaged)?));
        }
    }
    Ok(())
}

fn read_u64s(piece: &Piece, disk: &dyn Disk) -> Result<Vec<u64>, DiskFailure> {
    let number = |it: &[u8]| u64::from_le_bytes(it.try_into().expect("eight bytes"));
    Ok(piece.read(disk)?.chunks_exact(8).map(number).collect())
}

fn shards(shards: &mut [RwLock<Shard>]) -> Vec<&mut Shard> {
    shards.iter_mut().map(|it| unpoisoned(it.get_mut())).collect()
}

fn outside(shards: &mut [Mutex<Shard>]) -> Vec<&mut Shard> {
    shards.iter_mut().map(|it| unpoisoned(it.get_mut())).collect()
}
