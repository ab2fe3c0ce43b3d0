//! Boolean circuits with sharing: equal gates are one gate, and constants never reach a gate.
//!
//! A [`Gate`] is a node and a sign; conjunction (of any width), exclusive or and if-then-else are the nodes, and
//! disjunction is conjunction seen from the other side. The circuit only grows; [`crate::cnf`] takes from it what is
//! needed.

use std::hash::{Hash, Hasher};
use std::ops::Not;

use hashbrown::HashTable;
use util::FxHasher;

/// The output of a node, or its negation: the sign is the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Gate(u32);

impl Gate {
    pub(crate) const TRUE: Gate = Gate(0);
    pub(crate) const FALSE: Gate = Gate(1);

    fn new(node: usize) -> Gate {
        Gate((node as u32) << 1)
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn constant(value: bool) -> Gate {
        if value { Gate::TRUE } else { Gate::FALSE }
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 <= 1
    }

    fn positive(self) -> Gate {
        Gate(self.0 & !1)
    }

    fn negated_if(self, negate: bool) -> Gate {
        Gate(self.0 ^ u32::from(negate))
    }
}

impl Not for Gate {
    type Output = Gate;
    fn not(self) -> Gate {
        Gate(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    True,
    Var,
    /// Children in `Circuit::children`: at least two, sorted, no constant, no child together with its negation.
    And {
        start: u32,
        len: u32,
    },
    /// Both children positive, the first one smaller.
    Xor(Gate, Gate),
    /// Condition positive.
    Ite(Gate, Gate, Gate),
}

pub(crate) struct Circuit {
    nodes: Vec<Node>,
    children: Vec<Gate>,
    shared: HashTable<u32>,
    scratch: Vec<Gate>,
}

impl Circuit {
    pub(crate) fn new() -> Circuit {
        Circuit {
            nodes: vec![Node::True],
            children: vec![],
            shared: HashTable::new(),
            scratch: vec![],
        }
    }

    /// How much memory the circuit takes, in gates and their inputs.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len() + self.children.len()
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, gate: Gate) -> Node {
        self.nodes[gate.node()]
    }

    pub(crate) fn node_at(&self, node: usize) -> Node {
        self.nodes[node]
    }

    /// The inputs of a conjunction.
    pub(crate) fn inputs(&self, start: u32, len: u32) -> &[Gate] {
        &self.children[start as usize..(start + len) as usize]
    }

    pub(crate) fn var(&mut self) -> Gate {
        self.nodes.push(Node::Var);
        Gate::new(self.nodes.len() - 1)
    }

    pub(crate) fn and(&mut self, a: Gate, b: Gate) -> Gate {
        if a == b || b == Gate::TRUE {
            return a;
        }
        if a == Gate::TRUE {
            return b;
        }
        if a == !b || a == Gate::FALSE || b == Gate::FALSE {
            return Gate::FALSE;
        }
        let pair = if a < b { [a, b] } else { [b, a] };
        if let Some(simple) = self
            .absorb(pair[0], pair[1])
            .or_else(|| self.absorb(pair[1], pair[0]))
        {
            return simple;
        }
        self.share_and(&pair)
    }

    pub(crate) fn or(&mut self, a: Gate, b: Gate) -> Gate {
        !self.and(!a, !b)
    }

    /// `a ∧ b` when `b` is a conjunction, or the negation of one, that has `a` or `¬a` as an input.
    fn absorb(&mut self, a: Gate, b: Gate) -> Option<Gate> {
        let Node::And { start, len } = self.node(b) else {
            return None;
        };
        let inputs = self.inputs(start, len);
        if len > 8 {
            return None;
        }
        match (b.is_negative(), inputs.contains(&a), inputs.contains(&!a)) {
            (false, true, _) => Some(b),
            (false, _, true) => Some(Gate::FALSE),
            // a ∧ ¬(¬a ∧ …) is a.
            (true, _, true) => Some(a),
            // a ∧ ¬(a ∧ c) is a ∧ ¬c.
            (true, true, _) if len == 2 => {
                let other = if inputs[0] == a { inputs[1] } else { inputs[0] };
                Some(self.and(a, !other))
            }
            _ => None,
        }
    }

    pub(crate) fn and_all(&mut self, gates: impl IntoIterator<Item = Gate>) -> Gate {
        let mut inputs = std::mem::take(&mut self.scratch);
        inputs.clear();
        inputs.extend(gates);
        let gate = self.and_of(&mut inputs);
        self.scratch = inputs;
        gate
    }

    pub(crate) fn or_all(&mut self, gates: impl IntoIterator<Item = Gate>) -> Gate {
        !self.and_all(gates.into_iter().map(|gate| !gate))
    }

    fn and_of(&mut self, inputs: &mut Vec<Gate>) -> Gate {
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.first() == Some(&Gate::TRUE) {
            inputs.remove(0);
        }
        match inputs[..] {
            [] => Gate::TRUE,
            [only] => only,
            [a, b] => self.and(a, b),
            [Gate::FALSE, ..] => Gate::FALSE,
            _ if inputs.windows(2).any(|pair| pair[0] == !pair[1]) => Gate::FALSE,
            _ => self.share_and(inputs),
        }
    }

    fn share_and(&mut self, inputs: &[Gate]) -> Gate {
        let hash = hash_of(|state| inputs.hash(state));
        let Circuit {
            nodes,
            children,
            shared,
            ..
        } = self;
        let same = |&node: &u32| match nodes[node as usize] {
            Node::And { start, len } => children[start as usize..(start + len) as usize] == *inputs,
            _ => false,
        };
        if let Some(&node) = shared.find(hash, same) {
            return Gate::new(node as usize);
        }
        let start = children.len() as u32;
        children.extend_from_slice(inputs);
        let len = inputs.len() as u32;
        self.insert(hash, Node::And { start, len })
    }

    fn insert(&mut self, hash: u64, node: Node) -> Gate {
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        let Circuit {
            nodes,
            children,
            shared,
            ..
        } = self;
        shared.insert_unique(hash, id, |&id| node_hash(nodes[id as usize], children));
        Gate::new(id as usize)
    }

    fn share(&mut self, node: Node) -> Gate {
        let hash = node_hash(node, &self.children);
        let nodes = &self.nodes;
        if let Some(&id) = self.shared.find(hash, |&id| nodes[id as usize] == node) {
            return Gate::new(id as usize);
        }
        self.insert(hash, node)
    }

    pub(crate) fn xor(&mut self, a: Gate, b: Gate) -> Gate {
        let negate = a.is_negative() != b.is_negative();
        let (a, b) = (a.positive(), b.positive());
        let gate = if a == b {
            Gate::FALSE
        } else if a == Gate::TRUE {
            !b
        } else if b == Gate::TRUE {
            !a
        } else {
            self.share(Node::Xor(a.min(b), a.max(b)))
        };
        gate.negated_if(negate)
    }

    pub(crate) fn iff(&mut self, a: Gate, b: Gate) -> Gate {
        !self.xor(a, b)
    }

    pub(crate) fn implies(&mut self, a: Gate, b: Gate) -> Gate {
        self.or(!a, b)
    }

    pub(crate) fn ite(&mut self, cond: Gate, then: Gate, otherwise: Gate) -> Gate {
        if cond.is_negative() {
            return self.ite(!cond, otherwise, then);
        }
        if cond == Gate::TRUE || then == otherwise {
            return then;
        }
        if then == Gate::TRUE || then == cond {
            return self.or(cond, otherwise);
        }
        if then == Gate::FALSE || then == !cond {
            return self.and(!cond, otherwise);
        }
        if otherwise == Gate::TRUE || otherwise == !cond {
            return self.implies(cond, then);
        }
        if otherwise == Gate::FALSE || otherwise == cond {
            return self.and(cond, then);
        }
        if then == !otherwise {
            return self.iff(cond, then);
        }
        self.share(Node::Ite(cond, then, otherwise))
    }

    /// At most one of the gates.
    pub(crate) fn lone(&mut self, gates: &[Gate]) -> Gate {
        // Up to this many, pairs are fewer clauses than a chain, and propagate as well.
        const PAIRS_MAX: usize = 5;
        let mut parts = vec![];
        if gates.len() <= PAIRS_MAX {
            for (i, &a) in gates.iter().enumerate() {
                for &b in &gates[..i] {
                    parts.push(!self.and(a, b));
                }
            }
        } else {
            let mut before = Gate::FALSE;
            for &gate in gates {
                parts.push(!self.and(before, gate));
                before = self.or(before, gate);
            }
        }
        self.and_all(parts)
    }
}

fn hash_of(feed: impl FnOnce(&mut FxHasher)) -> u64 {
    let mut hasher = FxHasher::default();
    feed(&mut hasher);
    hasher.finish()
}

fn node_hash(node: Node, children: &[Gate]) -> u64 {
    match node {
        Node::And { start, len } => {
            let inputs = &children[start as usize..(start + len) as usize];
            hash_of(|state| inputs.hash(state))
        }
        Node::Xor(a, b) => hash_of(|state| (1u8, a, b).hash(state)),
        Node::Ite(c, t, e) => hash_of(|state| (2u8, c, t, e).hash(state)),
        Node::True | Node::Var => unreachable!("constants and variables are not shared"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_gates_are_one() {
        let mut circuit = Circuit::new();
        let [a, b, c] = [(); 3].map(|()| circuit.var());
        assert_eq!(circuit.and(a, b), circuit.and(b, a));
        assert_eq!(circuit.and_all([c, a, b, a]), circuit.and_all([a, b, c]));
        assert_eq!(circuit.xor(a, !b), !circuit.xor(b, a));
        assert_eq!(circuit.ite(!a, b, c), circuit.ite(a, c, b));
        let size = circuit.size();
        circuit.or_all([!a, !b, !c]);
        assert_eq!(circuit.size(), size, "a disjunction is a negated conjunction");
    }

    #[test]
    fn constants_never_reach_a_gate() {
        let mut circuit = Circuit::new();
        let a = circuit.var();
        let b = circuit.var();
        let both = circuit.and(a, b);
        assert_eq!(circuit.and(a, !a), Gate::FALSE);
        assert_eq!(circuit.and_all([a, Gate::TRUE]), a);
        assert_eq!(circuit.and_all([b, a, Gate::FALSE]), Gate::FALSE);
        assert_eq!(circuit.and(a, both), both);
        assert_eq!(circuit.and(!a, both), Gate::FALSE);
        assert_eq!(circuit.or(a, both), a);
        assert_eq!(circuit.and(a, !both), circuit.and(a, !b));
        assert_eq!(circuit.ite(a, Gate::TRUE, Gate::FALSE), a);
        assert_eq!(circuit.lone(&[Gate::TRUE, a, Gate::FALSE]), !a);
    }
}
