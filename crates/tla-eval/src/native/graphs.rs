//! `Graphs` and `UndirectedGraphs`: paths and connections by walking the graph.

use bumpalo::collections::Vec as ArenaVec;
use num_bigint::BigUint;
use tla_sema::ir::ExprId;
use value::Value;

use super::{Given, Row, row};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("Graphs", "SimplePath", "v", |machine, given, at| {
        simple_paths(machine, given, true, at)
    }),
    row("UndirectedGraphs", "SimplePath", "v", |machine, given, at| {
        simple_paths(machine, given, false, at)
    }),
    row("Graphs", "AreConnectedIn", "vvv", |machine, given, at| {
        connected(machine, given, true, at)
    }),
    row(
        "UndirectedGraphs",
        "AreConnectedIn",
        "vvv",
        |machine, given, at| connected(machine, given, false, at),
    ),
    row("Graphs", "IsStronglyConnected", "v", |machine, given, at| {
        let graph = machine.value_arg(given, 0);
        let graph = Graph::of(machine, graph, true, at)?;
        // All can be reached from one node, and that one from all.
        let all = |graph: &Graph<'_>| graph.nodes.is_empty() || graph.reached(0).iter().all(|&it| it);
        Ok(Value::bool(all(&graph) && all(&graph.turned())))
    }),
    row(
        "UndirectedGraphs",
        "IsStronglyConnected",
        "v",
        |machine, given, at| {
            let graph = machine.value_arg(given, 0);
            let graph = Graph::of(machine, graph, false, at)?;
            // By its definition, the empty graph has no component at all.
            let Some(n) = graph.nodes.len().checked_sub(1) else {
                return Ok(Value::FALSE);
            };
            Ok(Value::bool(graph.reached(n).iter().all(|&it| it)))
        },
    ),
    row(
        "UndirectedGraphs",
        "ConnectedComponents",
        "v",
        |machine, given, at| {
            let graph = machine.value_arg(given, 0);
            let graph = Graph::of(machine, graph, false, at)?;
            let mut seen = vec![false; graph.nodes.len()];
            let mut components = vec![];
            for i in 0..graph.nodes.len() {
                if !seen[i] {
                    let reached = graph.reached(i);
                    let nodes = graph
                        .nodes
                        .iter()
                        .zip(&reached)
                        .filter(|&(_, &it)| it)
                        .map(|(&node, _)| node);
                    let nodes: Vec<Value<'_>> = nodes.collect();
                    components.push(machine.set_of(&nodes, at)?);
                    seen.iter_mut()
                        .zip(reached)
                        .for_each(|(seen, reached)| *seen |= reached);
                }
            }
            machine.set_of(&components, at)
        },
    ),
];

struct Graph<'t> {
    nodes: &'t [Value<'t>],
    /// Where the edges of each node lead, in order.
    edges: Vec<Vec<usize>>,
}

impl<'t> Graph<'t> {
    /// From a record with `node` and `edge`. Edges between other things than nodes lead nowhere.
    fn of<'i: 't>(
        machine: &mut Machine<'t, 'i>,
        graph: Value<'t>,
        directed: bool,
        at: ExprId,
    ) -> Result<Graph<'t>, Fault> {
        let (nodes, all) = (
            machine.field(graph, "node", at)?,
            machine.field(graph, "edge", at)?,
        );
        let nodes = machine.items(nodes, at)?;
        let mut edges = vec![vec![]; nodes.len()];
        for &edge in machine.items(all, at)? {
            let ends: &[Value<'t>] = match edge {
                Value::Tuple(it) if directed => it.items,
                other if !directed && other.kind() == value::Kind::Set => machine.items(other, at)?,
                _ => &[],
            };
            let ends = match *ends {
                [a, b] => [a, b],
                [a] if !directed => [a, a],
                _ => continue,
            };
            let [Some(a), Some(b)] = [
                index(machine, nodes, ends[0], at)?,
                index(machine, nodes, ends[1], at)?,
            ] else {
                continue;
            };
            edges[a].push(b);
            if !directed && a != b {
                edges[b].push(a);
            }
        }
        Ok(Graph { nodes, edges })
    }

    fn turned(&self) -> Graph<'t> {
        let mut edges = vec![vec![]; self.nodes.len()];
        for (a, ends) in self.edges.iter().enumerate() {
            ends.iter().for_each(|&b| edges[b].push(a));
        }
        Graph {
            nodes: self.nodes,
            edges,
        }
    }

    /// Which nodes can be reached, the first one included.
    fn reached(&self, first: usize) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        reached[first] = true;
        let mut todo = vec![first];
        while let Some(node) = todo.pop() {
            for &next in &self.edges[node] {
                if !std::mem::replace(&mut reached[next], true) {
                    todo.push(next);
                }
            }
        }
        reached
    }
}

fn index<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    nodes: &[Value<'t>],
    node: Value<'t>,
    at: ExprId,
) -> Result<Option<usize>, Fault> {
    for (i, &other) in nodes.iter().enumerate() {
        if machine.same(other, node, at)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

fn connected<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    given: &[Given<'t, 'i>],
    directed: bool,
    at: ExprId,
) -> Res<'t> {
    let [from, to, graph] = machine.values(given);
    let graph = Graph::of(machine, graph, directed, at)?;
    let from = index(machine, graph.nodes, from, at)?;
    let to = index(machine, graph.nodes, to, at)?;
    Ok(Value::bool(match (from, to) {
        (Some(from), Some(to)) => graph.reached(from)[to],
        _ => false,
    }))
}

fn simple_paths<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    given: &[Given<'t, 'i>],
    directed: bool,
    at: ExprId,
) -> Res<'t> {
    let value = machine.value_arg(given, 0);
    let graph = Graph::of(machine, value, directed, at)?;
    let mut all = ArenaVec::new_in(machine.arena);
    // The path so far, with how many edges of each node were tried.
    for first in 0..graph.nodes.len() {
        let mut path = vec![(first, 0)];
        let mut on_path = vec![false; graph.nodes.len()];
        on_path[first] = true;
        all.push(machine.tuple(&[graph.nodes[first]]));
        while let Some((node, tried)) = path.last_mut() {
            let Some(&next) = graph.edges[*node].get(*tried) else {
                on_path[*node] = false;
                path.pop();
                continue;
            };
            *tried += 1;
            if !std::mem::replace(&mut on_path[next], true) {
                path.push((next, 0));
                let nodes: Vec<Value<'t>> = path.iter().map(|&(it, _)| graph.nodes[it]).collect();
                all.push(machine.tuple(&nodes));
                machine.check_size(&BigUint::from(all.len()), value, at)?;
            }
        }
    }
    machine.make_set(all, at)
}
