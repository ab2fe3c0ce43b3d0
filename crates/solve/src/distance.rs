//! How far every node is from the goals: the search backwards, from all goals at once.

use crate::buckets::Buckets;
use crate::graph::{Key, Lazy};

/// The distance of a node from which no goal can be reached.
pub const UNREACHED: u64 = u64::MAX;

/// What the cheapest way to a goal costs, for each of the nodes `0..n_nodes`, whose edges were all asked for.
pub fn distances<G: Lazy>(graph: &G, n_nodes: u32) -> Vec<u64> {
    let (offsets, sources) = reversed(graph, n_nodes);
    let mut distances = vec![UNREACHED; n_nodes as usize];
    let mut queue = Buckets::default();
    let key = |cost: u64| Key { cost, steps: 0 };
    for node in (0..n_nodes).filter(|&it| graph.is_goal(it)) {
        distances[node as usize] = 0;
        queue.push(key(0), node);
    }
    while let Some((Key { cost, .. }, node)) = queue.pop() {
        if distances[node as usize] != cost {
            continue;
        }
        let range = offsets[node as usize] as usize..offsets[node as usize + 1] as usize;
        for &(source, edge_cost) in &sources[range] {
            let further = cost.saturating_add(u64::from(edge_cost));
            if further < distances[source as usize] {
                distances[source as usize] = further;
                queue.push(key(further), source);
            }
        }
    }
    distances
}

/// For each node, the edges that lead to it: sources and costs.
fn reversed<G: Lazy>(graph: &G, n_nodes: u32) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut offsets = vec![0u32; n_nodes as usize + 1];
    for node in 0..n_nodes {
        for edge in graph.known_edges(node) {
            offsets[edge.to as usize + 1] += 1;
        }
    }
    for i in 0..n_nodes as usize {
        offsets[i + 1] += offsets[i];
    }
    let mut places = offsets.clone();
    let mut sources = vec![(0, 0); offsets[n_nodes as usize] as usize];
    for node in 0..n_nodes {
        for edge in graph.known_edges(node) {
            let place = &mut places[edge.to as usize];
            sources[*place as usize] = (node, edge.cost);
            *place += 1;
        }
    }
    (offsets, sources)
}
