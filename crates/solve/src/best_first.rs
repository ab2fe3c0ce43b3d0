//! The cheapest way to a goal: Dijkstra's search, and A* where there is an estimate.
//!
//! Nodes are taken in the order of their keys (cost, then steps), so the first goal that is taken is a best one, and every
//! node on any best way was taken before it. An estimate h that never falls by more than a step costs (it is *consistent*:
//! h(s) <= cost + h(t)) keeps that true with keys of cost + h. This is asked of every edge that is met; at the first that is
//! not so, the search goes on without the estimate, and nodes that were taken too early are taken again. What no edge on
//! the way shows is not found: then the answer is as good as the estimate.

use crate::buckets::Buckets;
use crate::graph::{Key, Lazy};

/// What a search knows of each node.
#[derive(Debug, Default)]
pub struct Best {
    /// The best goal that was found.
    pub goal: Option<u32>,
    keys: Vec<Key>,
    parents: Vec<u32>,
    is_done: Vec<bool>,
    pub inconsistent: Option<Inconsistent>,
    /// Nodes whose edges were asked for.
    pub expanded: u64,
}

/// An edge on which the estimate falls by more than the edge costs; from a goal to itself where the estimate is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inconsistent {
    pub from: u32,
    pub to: u32,
    pub cost: u32,
}

const NONE: u32 = u32::MAX;

impl Best {
    /// The key of a node; [`Key::UNKNOWN`] where the search has not been.
    pub fn key(&self, node: u32) -> Key {
        self.keys.get(node as usize).copied().unwrap_or(Key::UNKNOWN)
    }

    /// Whether the edges of a node were asked for.
    pub fn is_expanded(&self, node: u32) -> bool {
        self.is_done.get(node as usize).copied().unwrap_or(false)
    }

    /// The nodes of a best way.
    pub fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut at = node;
        while self.parents[at as usize] != NONE {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        path
    }

    pub fn n_nodes(&self) -> u32 {
        self.keys.len() as u32
    }

    fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Key>() + self.parents.capacity() * 5
    }

    /// Whether this way to a node is better than what was known.
    fn improve(&mut self, node: u32, key: Key, parent: u32) -> bool {
        let at = node as usize;
        if at >= self.keys.len() {
            self.keys.resize(at + 1, Key::UNKNOWN);
            self.parents.resize(at + 1, NONE);
            self.is_done.resize(at + 1, false);
        }
        if key >= self.keys[at] {
            return false;
        }
        self.keys[at] = key;
        self.parents[at] = parent;
        self.is_done[at] = false;
        true
    }
}

/// Searches until a best goal is taken.
///
/// ```
/// use solve::{Edge, Explicit, best_first};
///
/// let edge = |to, cost| Edge { to, cost };
/// let mut graph = Explicit {
///     initial: vec![0],
///     edges: vec![vec![edge(1, 5), edge(2, 1)], vec![], vec![edge(1, 1)]],
///     is_goal: vec![false, true, false],
///     estimates: vec![],
/// };
/// let Ok(best) = best_first(&mut graph);
/// assert_eq!(best.path(best.goal.expect("it can be reached")), [0, 2, 1]);
/// ```
pub fn best_first<G: Lazy>(graph: &mut G) -> Result<Best, G::Stop> {
    let mut best = Best::default();
    let mut queue = Buckets::default();
    for node in graph.initial()? {
        if best.improve(node, Key::START, NONE) {
            queue.push(guess(graph, &best, node), node);
        }
    }
    while let Some((key, node)) = queue.pop() {
        if best.is_done[node as usize] || guess(graph, &best, node) != key {
            continue;
        }
        best.is_done[node as usize] = true;
        if graph.is_goal(node) {
            let Some(wrong) = overestimate(graph, &best, node) else {
                best.goal = Some(node);
                return Ok(best);
            };
            begin_anew(graph, &mut best, &mut queue, wrong);
            continue;
        }
        best.expanded += 1;
        if best.expanded.is_multiple_of(1024) {
            graph.held_besides(best.bytes() + queue.bytes());
        }
        let here = best.keys[node as usize];
        let mut wrong = None;
        graph.edges(node)?;
        for &edge in graph.known_edges(node) {
            if best.improve(edge.to, here.after(edge), node) {
                queue.push(guess(graph, &best, edge.to), edge.to);
            }
            let after = graph.estimate(edge.to).saturating_add(u64::from(edge.cost));
            if best.inconsistent.is_none() && graph.estimate(node) > after {
                wrong = Some(Inconsistent {
                    from: node,
                    to: edge.to,
                    cost: edge.cost,
                });
            }
        }
        if let Some(wrong) = wrong {
            begin_anew(graph, &mut best, &mut queue, wrong);
        }
    }
    Ok(best)
}

fn guess<G: Lazy>(graph: &G, best: &Best, node: u32) -> Key {
    let key = best.keys[node as usize];
    match best.inconsistent {
        None => Key {
            cost: key.cost.saturating_add(graph.estimate(node)),
            ..key
        },
        Some(_) => key,
    }
}

fn overestimate<G: Lazy>(graph: &G, best: &Best, goal: u32) -> Option<Inconsistent> {
    (best.inconsistent.is_none() && graph.estimate(goal) > 0).then_some(Inconsistent {
        from: goal,
        to: goal,
        cost: 0,
    })
}

/// The estimate is given up: all that waits is sorted by what is known.
fn begin_anew<G: Lazy>(graph: &G, best: &mut Best, queue: &mut Buckets, wrong: Inconsistent) {
    best.inconsistent = Some(wrong);
    let mut waiting = queue.drain();
    waiting.sort_unstable();
    waiting.dedup();
    if graph.is_goal(wrong.from) {
        best.is_done[wrong.from as usize] = false;
        waiting.push(wrong.from);
    }
    for node in waiting {
        if !best.is_done[node as usize] {
            queue.push(best.keys[node as usize], node);
        }
    }
}
