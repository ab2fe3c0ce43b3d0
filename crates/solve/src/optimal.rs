//! All best ways to a goal: how many there are, and the first few.
//!
//! An edge is *tight* when the best way to its source and the edge itself make a best way to its target. Steps count in keys,
//! so tight edges make no cycle, and the best ways are the paths of tight edges that end in a goal with the least key.

use num_bigint::BigUint;

use crate::best_first::Best;
use crate::graph::{Edge, Key, Lazy};

/// The tight edges that lead to a best goal.
#[derive(Debug, Default)]
pub struct Optimal {
    /// Nodes on best ways, by key.
    order: Vec<u32>,
    /// The tight edges of the node at each place of `order`, as places in it.
    next: Vec<Vec<u32>>,
    is_start: Vec<bool>,
    is_goal: Vec<bool>,
}

impl Optimal {
    /// All best ways of a search that found one; none otherwise.
    pub fn new<G: Lazy>(graph: &G, best: &Best) -> Optimal {
        let Some(goal) = best.goal else {
            return Optimal::default();
        };
        let end = best.key(goal);
        let is_best_goal = |node: u32| graph.is_goal(node) && best.key(node) == end;
        let mut nodes: Vec<u32> = (0..best.n_nodes())
            .filter(|&it| best.key(it) < end && best.is_expanded(it) || is_best_goal(it))
            .collect();
        nodes.sort_by_key(|&it| best.key(it));
        let mut place = vec![u32::MAX; best.n_nodes() as usize];
        for (i, &node) in nodes.iter().enumerate() {
            place[node as usize] = i as u32;
        }
        // From the end: what leads to a goal.
        let mut next: Vec<Vec<u32>> = vec![vec![]; nodes.len()];
        let mut leads = vec![false; nodes.len()];
        for at in (0..nodes.len()).rev() {
            let node = nodes[at];
            if is_best_goal(node) {
                leads[at] = true;
                continue;
            }
            let is_tight = |edge: &&Edge| best.key(node).after(**edge) == best.key(edge.to);
            for edge in graph.known_edges(node).iter().filter(is_tight) {
                let to = place[edge.to as usize];
                if to != u32::MAX && leads[to as usize] {
                    next[at].push(to);
                    leads[at] = true;
                }
            }
        }
        Optimal {
            is_start: nodes.iter().map(|&it| best.key(it) == Key::START).collect(),
            is_goal: nodes.iter().map(|&it| is_best_goal(it)).collect(),
            order: nodes,
            next,
        }
    }

    /// How many best ways there are, as sequences of nodes.
    pub fn count(&self) -> BigUint {
        match self.count_with(|a: &u128, b: &u128| a.checked_add(*b), 0, 1) {
            Some(small) => small.into(),
            None => {
                let sum = |a: &BigUint, b: &BigUint| Some(a + b);
                let count = self.count_with(sum, BigUint::ZERO, BigUint::from(1u32));
                count.unwrap_or_default()
            }
        }
    }

    fn count_with<N: Clone>(&self, add: impl Fn(&N, &N) -> Option<N>, zero: N, one: N) -> Option<N> {
        let mut ways = vec![zero.clone(); self.order.len()];
        let mut total = zero;
        for at in (0..self.order.len()).rev() {
            if self.is_goal[at] {
                ways[at] = one.clone();
            }
            for &to in &self.next[at] {
                ways[at] = add(&ways[at], &ways[to as usize])?;
            }
            if self.is_start[at] {
                total = add(&total, &ways[at])?;
            }
        }
        Some(total)
    }

    /// The first best ways, at most so many.
    pub fn paths(&self, n_max: usize) -> Vec<Vec<u32>> {
        let mut paths = vec![];
        for start in 0..self.order.len() {
            let leads = self.is_goal[start] || !self.next[start].is_empty();
            if !self.is_start[start] || !leads {
                continue;
            }
            // The way so far, with the number of edges that were tried at each node of it.
            let mut way: Vec<(usize, usize)> = vec![(start, 0)];
            while paths.len() < n_max
                && let Some((at, tried)) = way.last_mut()
            {
                if self.is_goal[*at] {
                    paths.push(way.iter().map(|it| self.order[it.0]).collect());
                    way.pop();
                } else if let Some(&to) = self.next[*at].get(*tried) {
                    *tried += 1;
                    way.push((to as usize, 0));
                } else {
                    way.pop();
                }
            }
        }
        paths
    }
}
