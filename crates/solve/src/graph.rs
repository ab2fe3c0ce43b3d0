//! What the searches see of a graph: numbered nodes, and edges that cost something.

/// An edge to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub to: u32,
    pub cost: u32,
}

/// How far a node is: first what the way costs, then how many steps it has. The cheapest way is the one with the least key;
/// steps make cheapest ways comparable where steps may cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub cost: u64,
    pub steps: u32,
}

impl Key {
    pub const START: Key = Key { cost: 0, steps: 0 };
    pub const UNKNOWN: Key = Key {
        cost: u64::MAX,
        steps: u32::MAX,
    };

    pub fn after(self, edge: Edge) -> Key {
        Key {
            cost: self.cost.saturating_add(u64::from(edge.cost)),
            steps: self.steps.saturating_add(1),
        }
    }
}

/// A graph that is found on the way. Nodes are `0..n`, where n grows when edges are asked for.
pub trait Lazy {
    /// Why edges cannot be told.
    type Stop;

    /// The nodes to start from.
    fn initial(&mut self) -> Result<Vec<u32>, Self::Stop>;

    /// The edges of a node, each target once; the same ones whenever they are asked for.
    fn edges(&mut self, node: u32) -> Result<&[Edge], Self::Stop>;

    /// The edges of a node that was asked for before.
    fn known_edges(&self, node: u32) -> &[Edge];

    fn is_goal(&self, node: u32) -> bool;

    /// Told now and then: so many bytes are held by whoever searches.
    fn held_besides(&mut self, _bytes: usize) {}

    /// A guess of what the way from a node to a goal costs.
    fn estimate(&self, _node: u32) -> u64 {
        0
    }
}

/// A graph that is known from the start.
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    pub initial: Vec<u32>,
    pub edges: Vec<Vec<Edge>>,
    pub is_goal: Vec<bool>,
    /// Empty: nothing is known.
    pub estimates: Vec<u64>,
}

impl Lazy for Explicit {
    type Stop = std::convert::Infallible;

    fn initial(&mut self) -> Result<Vec<u32>, Self::Stop> {
        Ok(self.initial.clone())
    }

    fn edges(&mut self, node: u32) -> Result<&[Edge], Self::Stop> {
        Ok(&self.edges[node as usize])
    }

    fn known_edges(&self, node: u32) -> &[Edge] {
        &self.edges[node as usize]
    }

    fn is_goal(&self, node: u32) -> bool {
        self.is_goal[node as usize]
    }

    fn estimate(&self, node: u32) -> u64 {
        self.estimates.get(node as usize).copied().unwrap_or(0)
    }
}
