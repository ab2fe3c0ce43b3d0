//! Decision trees: what was looked at, in the order in which it was looked at, and what came of it.
//!
//! Evaluation is a function of what it reads. Two evaluations of one formula that have read the same so far read the same
//! part next, so all evaluations of a formula form a tree: a node is a path, its branches are the values that were found
//! there, a leaf is the result. To look a state up costs one step for each part that decides.

use value::Slot;

use super::path::PathId;

type NodeId = u32;
pub type LeafId = u32;

/// No node, and the path of a leaf.
const NONE: u32 = u32::MAX;

/// Most parts have few values, so the first branches lie in the node, within one cache line; the others are in the table.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node {
    path: PathId,
    n: u32,
    values: [Slot; Node::OWN],
    /// For a leaf, the first of these is its number.
    nexts: [NodeId; Node::OWN],
}

impl Node {
    const OWN: usize = 7;

    fn new(path: PathId) -> Node {
        Node {
            path,
            n: 0,
            values: [0; Node::OWN],
            nexts: [NONE; Node::OWN],
        }
    }

    #[inline]
    fn own(&self, value: Slot) -> Option<NodeId> {
        let n = (self.n as usize).min(Node::OWN);
        let at = self.values[..n].iter().position(|&it| it == value)?;
        Some(self.nexts[at])
    }
}

/// The trees of all formulas of a worker.
#[derive(Default)]
pub struct Trees {
    roots: Vec<Root>,
    /// States so far.
    now: u64,
    /// Nothing is asked before.
    earliest: u64,
    nodes: Vec<Node>,
    branches: util::FxHashMap<(NodeId, Slot), NodeId>,
}

/// One formula's tree, and whether it pays.
#[derive(Clone, Copy, Debug)]
struct Root {
    node: NodeId,
    asked: u32,
    missed: u32,
    /// The last time that so many were asked.
    missed_before: u32,
    /// When it is asked again, after it was given up.
    resumes: u64,
    /// How long it is given up the next time.
    pause: u64,
    /// Evaluations that were recorded, and those among them that read the whole state.
    added: u32,
    whole: u32,
}

/// A formula is given up for a while when it was asked so often and too often in vain: a miss costs more than an evaluation
/// without a tree. At first everything is a miss, so a formula that is missed less and less often goes on, and the while is
/// short at the beginning and doubles each time. (A tree that is given up while it still learns never gets to the end of it.)
const TRIED: u32 = 1024;
const LEARNING: u32 = 32;
const PAUSE: u64 = 4096;
/// A formula about a state that mostly reads all of it is given up after so many evaluations, for a while too: the first
/// states that a worker meets may be special.
const WHOLE: u32 = 32;
/// Branches that all trees of a worker may have.
const NODES_MAX: usize = 2 << 20;

impl Trees {
    pub fn new(n_formulas: usize) -> Trees {
        let root = Root {
            node: NONE,
            asked: 0,
            missed: 0,
            missed_before: u32::MAX,
            resumes: 0,
            pause: PAUSE,
            added: 0,
            whole: 0,
        };
        Trees {
            roots: vec![root; n_formulas],
            ..Trees::default()
        }
    }

    /// Whether the formula's tree is still worth asking.
    pub fn is_on(&self, formula: usize) -> bool {
        self.roots[formula].resumes <= self.now
    }

    /// Gives a formula up for good.
    pub fn turn_off(&mut self, formula: usize) {
        self.pause(formula, u64::MAX);
    }

    /// Gives a formula up for a while.
    fn give_up(&mut self, formula: usize) {
        let root = &mut self.roots[formula];
        let until = self.now + root.pause;
        root.pause *= 2;
        self.pause(formula, until);
    }

    fn pause(&mut self, formula: usize, until: u64) {
        self.roots[formula].resumes = until;
        self.earliest = self.roots.iter().map(|it| it.resumes).min().unwrap_or(u64::MAX);
    }

    /// Goes on to another state.
    pub fn tick(&mut self) {
        self.now += 1;
    }

    pub fn all_off(&self) -> bool {
        self.roots.is_empty() || self.earliest > self.now
    }

    /// Goes down by what `look` finds; nothing when nobody has been there, or the formula is given up at present.
    #[inline]
    pub fn find(&mut self, formula: usize, mut look: impl FnMut(PathId) -> Option<Slot>) -> Option<LeafId> {
        if !self.is_on(formula) {
            return None;
        }
        let root = &mut self.roots[formula];
        root.asked += 1;
        let mut at = root.node;
        let found = loop {
            let Some(node) = self.nodes.get(at as usize) else {
                break None;
            };
            if node.path == NONE {
                return Some(node.nexts[0]);
            }
            let Some(value) = look(node.path) else {
                break None;
            };
            at = match node.own(value) {
                Some(next) => next,
                None if node.n as usize <= Node::OWN => break None,
                None => match self.branches.get(&(at, value)) {
                    Some(&next) => next,
                    None => break None,
                },
            };
        };
        root.missed += 1;
        if root.asked >= TRIED {
            let is_learning = root.missed < root.missed_before - root.missed_before / LEARNING;
            let in_vain = root.missed > root.asked / 3 && !is_learning;
            root.missed_before = if in_vain { u32::MAX } else { root.missed };
            (root.asked, root.missed) = (0, 0);
            if in_vain {
                self.give_up(formula);
            }
        }
        found
    }

    /// As [`Trees::add`], of an evaluation that read the whole state: nobody will ask for it again.
    pub fn add_whole(&mut self, formula: usize) {
        let root = &mut self.roots[formula];
        root.added += 1;
        root.whole += 1;
        if root.added >= WHOLE && root.whole > root.added / 2 {
            (root.added, root.whole) = (0, 0);
            self.give_up(formula);
        }
    }

    /// Adds an evaluation.
    pub fn add(&mut self, formula: usize, reads: &[(PathId, Slot)], leaf: LeafId) {
        self.roots[formula].added += 1;
        if self.nodes.len() + reads.len() > NODES_MAX {
            return;
        }
        let mut at = self.roots[formula].node;
        let mut from: Option<(NodeId, Slot)> = None;
        for &(path, value) in reads {
            if at == NONE {
                at = self.push(formula, from, Node::new(path));
            }
            if self.nodes[at as usize].path != path {
                // What it reads is named in another way from now on.
                self.roots[formula].node = NONE;
                return;
            }
            from = Some((at, value));
            at = self.nodes[at as usize]
                .own(value)
                .or_else(|| self.branches.get(&(at, value)).copied())
                .unwrap_or(NONE);
        }
        if at == NONE {
            let mut node = Node::new(NONE);
            node.nexts[0] = leaf;
            self.push(formula, from, node);
        }
    }

    fn push(&mut self, formula: usize, from: Option<(NodeId, Slot)>, node: Node) -> NodeId {
        let id = self.nodes.len() as NodeId;
        if id as usize == self.nodes.capacity() {
            // In smaller steps than doubling: each worker has such trees.
            self.nodes.reserve_exact((id as usize / 4).max(64));
        }
        self.nodes.push(node);
        match from {
            None => self.roots[formula].node = id,
            Some((parent, value)) => {
                let node = &mut self.nodes[parent as usize];
                match node.n as usize {
                    n if n < Node::OWN => (node.values[n], node.nexts[n]) = (value, id),
                    _ => {
                        self.branches.insert((parent, value), id);
                    }
                }
                node.n += 1;
            }
        }
        id
    }

    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.branches.capacity() * 16
    }
}
