//! The product of a graph and an automaton: only the pairs that can be reached, with numbers of their own.

use util::FxHashMap;

use crate::automaton::Automaton;
use crate::graph::{Graph, Letter};
use crate::search::{Stopped, Ticker};

pub(crate) type NodeId = u32;

pub(crate) struct Product<'a> {
    pub(crate) graph: Graph<'a>,
    pub(crate) automaton: &'a Automaton,
    /// Whether a run may begin in any state, not only in the initial ones.
    pub(crate) begins_anywhere: bool,
    index: Index,
    /// By node: state * automaton states + automaton state. Empty when nodes are states.
    pairs: Vec<u64>,
    /// Bytes that were asked for.
    pub(crate) bytes: usize,
}

/// From a pair to its node.
enum Index {
    /// The automaton has one state and every state of the graph is reached.
    Same,
    Dense(Vec<NodeId>),
    Sparse(FxHashMap<u64, NodeId>),
}

/// Automata with more states than this are unlikely to meet every state in each of theirs.
const DENSE_MAX: usize = 8;
const NONE: NodeId = u32::MAX;

/// A step of the product.
pub(crate) struct Move<'a> {
    pub(crate) step: u32,
    pub(crate) letter: Letter<'a>,
    pub(crate) kept: u64,
    pub(crate) target: NodeId,
}

impl<'a> Product<'a> {
    pub(crate) fn new(
        graph: Graph<'a>,
        automaton: &'a Automaton,
        begins_anywhere: bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<Product<'a>, Stopped> {
        let n_pairs = graph.n_states() as usize * automaton.states.len();
        let mut product = Product {
            graph,
            automaton,
            begins_anywhere,
            index: match automaton.states.len() {
                _ if automaton.is_trivial() => Index::Same,
                n if n <= DENSE_MAX => Index::Dense(vec![]),
                _ => Index::Sparse(FxHashMap::default()),
            },
            pairs: vec![],
            bytes: 0,
        };
        match &mut product.index {
            Index::Same => return Ok(product),
            Index::Dense(nodes) => {
                ticker.spend(n_pairs * 4)?;
                product.bytes = n_pairs * 4;
                nodes.resize(n_pairs, NONE);
            }
            Index::Sparse(_) => {}
        }
        product.discover(ticker)?;
        Ok(product)
    }

    fn discover(&mut self, ticker: &mut Ticker<'_>) -> Result<(), Stopped> {
        for state in 0..self.n_roots() {
            self.enter(state, 0)?;
        }
        let mut node = 0;
        while (node as usize) < self.pairs.len() {
            let (state, at) = self.pair(node);
            let n_places = self.n_places(node);
            ticker.tick(n_places)?;
            if self.pairs.len() == self.pairs.capacity() {
                // A pair, and about as much for its place in a sparse index.
                let growth = self.pairs.capacity().max(1 << 10) * 24;
                ticker.spend(growth)?;
                self.bytes += growth;
            }
            for place in 0..self.graph.n_steps(state) {
                let step = self.graph.step(state, place);
                let letter = self.graph.letter(state, step);
                for transition in &self.automaton.states[at as usize] {
                    if transition.admits(&letter) {
                        self.enter(self.graph.target(state, step), transition.target)?;
                    }
                }
            }
            node += 1;
        }
        Ok(())
    }

    fn enter(&mut self, state: u32, at: u32) -> Result<(), Stopped> {
        let pair = u64::from(state) * self.automaton.states.len() as u64 + u64::from(at);
        let node = self.pairs.len() as NodeId;
        let known = match &mut self.index {
            Index::Same => return Ok(()),
            Index::Dense(nodes) => &mut nodes[pair as usize],
            Index::Sparse(nodes) => nodes.entry(pair).or_insert(NONE),
        };
        if *known == NONE {
            if node >= NODES_MAX {
                return Err(Stopped::TooLarge);
            }
            *known = node;
            self.pairs.push(pair);
        }
        Ok(())
    }

    /// Nodes `0..n_roots` are those in which a run may begin, in the order of their states.
    pub(crate) fn n_roots(&self) -> u32 {
        if self.begins_anywhere || matches!(self.index, Index::Same) {
            self.graph.n_states()
        } else {
            self.graph.n_initial
        }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        match self.index {
            Index::Same => self.graph.n_states() as usize,
            _ => self.pairs.len(),
        }
    }

    /// The state of the graph and of the automaton.
    #[inline]
    pub(crate) fn pair(&self, node: NodeId) -> (u32, u32) {
        match self.index {
            Index::Same => (node, 0),
            _ => {
                let n = self.automaton.states.len() as u64;
                let pair = self.pairs[node as usize];
                ((pair / n) as u32, (pair % n) as u32)
            }
        }
    }

    #[inline]
    fn node(&self, state: u32, at: u32) -> NodeId {
        let pair = || u64::from(state) * self.automaton.states.len() as u64 + u64::from(at);
        match &self.index {
            Index::Same => state,
            Index::Dense(nodes) => nodes[pair() as usize],
            Index::Sparse(nodes) => nodes[&pair()],
        }
    }

    /// Moves of a node are tried by place: each step with each transition.
    #[inline]
    pub(crate) fn n_places(&self, node: NodeId) -> u32 {
        let (state, at) = self.pair(node);
        self.graph.n_steps(state) * self.automaton.states[at as usize].len() as u32
    }

    #[inline]
    pub(crate) fn move_at(&self, node: NodeId, place: u32) -> Option<Move<'a>> {
        let (state, at) = self.pair(node);
        let transitions = &self.automaton.states[at as usize];
        let n = transitions.len() as u32;
        let (step_place, transition) = match n {
            1 => (place, &transitions[0]),
            _ => (place / n, &transitions[(place % n) as usize]),
        };
        let step = self.graph.step(state, step_place);
        let letter = self.graph.letter(state, step);
        if !transition.admits(&letter) {
            return None;
        }
        Some(Move {
            step,
            letter,
            kept: transition.kept,
            target: self.node(self.graph.target(state, step), transition.target),
        })
    }
}

/// The last numbers have a meaning for the search.
const NODES_MAX: NodeId = u32::MAX - 8;
