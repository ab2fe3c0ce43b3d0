//! What another engine than this crate's search finds, in the order of the search: states and steps by number.
//!
//! A search by several processes divides the states among them. To decide temporal properties, and to tell any walk through the
//! graph, one process gathers how each state was reached and which steps lead where; all of that is numbers, a few bytes for a
//! state and for a step. The formats, in memory and in files, are those of [`check`](crate::check()).

use crate::codec::{Decoder, Encoder};
use crate::disk::{Disk, DiskFailure, Folder, Piece};
use crate::graph::{EdgeBlock, EdgeLog, GraphFailure, StateGraph};
use crate::options::Options;
use crate::order::StateId;
use crate::space::{Lineage, NO_PARENT, StateSpace};

#[derive(Default)]
pub struct Gathered {
    space: StateSpace,
    edges: EdgeLog,
}

impl Gathered {
    /// States are 32 bits here.
    pub const STATES_MAX: u64 = NO_PARENT as u64;

    /// What is found next is one step further from the initial states.
    pub fn begin_level(&mut self) {
        // A level without states is none.
        self.space.end_empty_level();
        self.space.begin_level();
    }

    /// The next states, each with its parent and the number of the step.
    pub fn found(&mut self, origins: impl Iterator<Item = (StateId, u32)>) {
        let mut lineage = Lineage::default();
        for (parent, step) in origins {
            let parent = match parent {
                StateId::NONE => NO_PARENT,
                StateId(number) => number as u32,
            };
            lineage.push(parent, step);
        }
        self.space.append(&lineage);
    }

    /// The next states that were expanded.
    pub fn expanded(&mut self, block: &EdgeBlock) {
        self.edges.append(block);
    }

    pub fn bytes(&self) -> usize {
        self.space.bytes() + self.space.growth() + self.edges.bytes() + self.edges.growth()
    }

    /// The graph of the states that were expanded. `memory` is what is held already.
    pub fn to_graph(
        &self,
        n_initial: u32,
        memory: usize,
        options: &Options<'_>,
    ) -> Result<StateGraph, GraphFailure> {
        self.edges.to_graph(n_initial, memory, options)
    }

    pub fn into_space(mut self) -> StateSpace {
        self.space.end_empty_level();
        self.space
    }

    /// Writes everything to files, and says where it is.
    pub fn save(&mut self, folder: &mut Folder<'_>) -> Result<Vec<u8>, DiskFailure> {
        let mut rest = Encoder::default();
        self.space.save(folder, &mut rest)?;
        self.edges.save(folder, &mut rest)?;
        // The files come first, for who only wants to know these.
        let mut to = Encoder::default();
        to.list(&self.pieces(), |to, it| to.piece(it));
        to.bytes.extend(rest.bytes);
        Ok(to.bytes)
    }

    fn pieces(&self) -> Vec<Piece> {
        [self.space.pieces(), self.edges.pieces()].concat()
    }

    /// The reverse of `save`, once all files are found whole.
    pub fn load(saved: &[u8], disk: &dyn Disk) -> Result<Gathered, DiskFailure> {
        let damaged = || DiskFailure::damaged("checkpoint", "has states that make no sense");
        let from = &mut Decoder::new(saved);
        for piece in from.list(Decoder::piece).ok_or_else(damaged)? {
            piece.verify(disk, |_| {})?;
        }
        let space = StateSpace::load(from, disk).ok_or_else(damaged)??;
        let edges = EdgeLog::load(from, disk).ok_or_else(damaged)??;
        Ok(Gathered { space, edges })
    }

    /// The files that `save` names; none if it makes no sense.
    pub fn pieces_of(saved: &[u8]) -> Vec<Piece> {
        Decoder::new(saved).list(Decoder::piece).unwrap_or_default()
    }
}
