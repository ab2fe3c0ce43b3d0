//! From a circuit to clauses: one variable for a gate, clauses only for the direction in which the gate is used.
//!
//! This is the translation of Plaisted and Greenbaum (1986), on top of two habits: a conjunction used once inside a
//! conjunction is merged with it, and what is asserted at the top becomes clauses without variables of their own.
//! Every variable of the circuit keeps a variable of the CNF, used or not, so that enumeration sees all of them.

use sat::{Cnf, Lit, Var};

use crate::circuit::{Circuit, Gate, Node};

/// Which implications a gate's clauses must give.
const USED_TRUE: u8 = 1;
const USED_FALSE: u8 = 2;

pub(crate) struct Encoding {
    pub cnf: Cnf,
    /// For each node, its variable, if it has one.
    vars: Vec<Option<Var>>,
}

impl Encoding {
    /// The literal of a gate that is a variable of the circuit, or was given to [`encode`] as a switch.
    pub(crate) fn lit(&self, gate: Gate) -> Option<Lit> {
        self.vars[gate.node()].map(|var| var.lit(!gate.is_negative()))
    }
}

/// Clauses that hold exactly when all of `asserted` do; each of `switches` gets a literal that implies its gate.
pub(crate) fn encode(circuit: &Circuit, asserted: &[Gate], switches: &[Gate]) -> (Encoding, Vec<Lit>) {
    let mut encoder = Encoder {
        circuit,
        n_uses: vec![0; circuit.n_nodes()],
        done: vec![0; circuit.n_nodes()],
        encoding: Encoding {
            cnf: Cnf::new(),
            vars: vec![None; circuit.n_nodes()],
        },
        pending: vec![],
        clause: vec![],
        flat: vec![],
    };
    encoder.count_uses(asserted.iter().chain(switches));
    for node in 0..circuit.n_nodes() {
        if circuit.node_at(node) == Node::Var {
            encoder.encoding.vars[node] = Some(encoder.encoding.cnf.new_var());
        }
    }
    for &gate in asserted {
        encoder.assert(gate);
    }
    let switches = switches.iter().map(|&gate| encoder.switch(gate)).collect();
    encoder.finish();
    (encoder.encoding, switches)
}

struct Encoder<'c> {
    circuit: &'c Circuit,
    /// How many gates (and roots) use a node: counted up to two, that is what matters.
    n_uses: Vec<u8>,
    /// Which directions of a node are already encoded or pending.
    done: Vec<u8>,
    encoding: Encoding,
    pending: Vec<(usize, u8)>,
    clause: Vec<Lit>,
    flat: Vec<Gate>,
}

impl Encoder<'_> {
    fn count_uses<'g>(&mut self, roots: impl Iterator<Item = &'g Gate>) {
        let mut stack: Vec<usize> = vec![];
        for root in roots {
            self.use_once(*root, &mut stack);
            while let Some(node) = stack.pop() {
                match self.circuit.node_at(node) {
                    Node::True | Node::Var => {}
                    Node::And { start, len } => {
                        for &input in self.circuit.inputs(start, len) {
                            self.use_once(input, &mut stack);
                        }
                    }
                    Node::Xor(a, b) => [a, b]
                        .into_iter()
                        .for_each(|gate| self.use_once(gate, &mut stack)),
                    Node::Ite(c, t, e) => [c, t, e]
                        .into_iter()
                        .for_each(|gate| self.use_once(gate, &mut stack)),
                }
            }
        }
    }

    fn use_once(&mut self, gate: Gate, stack: &mut Vec<usize>) {
        let uses = &mut self.n_uses[gate.node()];
        *uses = (*uses + 1).min(2);
        if *uses == 1 {
            stack.push(gate.node());
        }
    }

    /// The literal of a gate that is to be relied on when true.
    fn lit(&mut self, gate: Gate) -> Lit {
        let node = gate.node();
        let direction = if gate.is_negative() { USED_FALSE } else { USED_TRUE };
        if self.done[node] & direction == 0 {
            self.done[node] |= direction;
            self.pending.push((node, direction));
        }
        let var = match self.encoding.vars[node] {
            Some(var) => var,
            None => *self.encoding.vars[node].insert(self.encoding.cnf.new_var()),
        };
        var.lit(!gate.is_negative())
    }

    fn assert(&mut self, gate: Gate) {
        let mut stack = vec![gate];
        while let Some(gate) = stack.pop() {
            match self.circuit.node(gate) {
                _ if gate == Gate::TRUE => {}
                Node::And { start, len } if !gate.is_negative() => {
                    stack.extend(self.circuit.inputs(start, len));
                }
                _ => self.clause_of(&[], gate, true),
            }
        }
    }

    /// A literal that implies the gate, even if the gate is constant.
    fn switch(&mut self, gate: Gate) -> Lit {
        let switch = self.encoding.cnf.new_var().positive();
        match self.circuit.node(gate) {
            _ if gate == Gate::TRUE => {}
            Node::And { start, len } if !gate.is_negative() => {
                for &input in self.circuit.inputs(start, len) {
                    self.clause_of(&[!switch], input, false);
                }
            }
            _ => self.clause_of(&[!switch], gate, false),
        }
        switch
    }

    /// Adds the clause `prefix ∨ gate`, opened up as far as disjunctions go that nobody else uses (`asserted`: at the
    /// first level even if somebody does).
    fn clause_of(&mut self, prefix: &[Lit], gate: Gate, asserted: bool) {
        let mut flat = std::mem::take(&mut self.flat);
        flat.clear();
        match self.circuit.node(gate) {
            Node::And { start, len } if asserted && gate.is_negative() => {
                flat.extend(self.circuit.inputs(start, len).iter().map(|&input| !input));
            }
            _ => flat.push(gate),
        }
        self.open(&mut flat);
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend_from_slice(prefix);
        if !flat.contains(&Gate::TRUE) {
            for &gate in flat.iter().filter(|&&gate| gate != Gate::FALSE) {
                clause.push(self.lit(gate));
            }
            self.encoding.cnf.add_clause(&clause);
        }
        self.clause = clause;
        self.flat = flat;
    }

    /// Replaces, in a list of alternatives, each disjunction with no other use by its own alternatives.
    fn open(&self, flat: &mut Vec<Gate>) {
        let mut i = 0;
        while i < flat.len() {
            let gate = flat[i];
            match self.circuit.node(gate) {
                Node::And { start, len } if gate.is_negative() && self.n_uses[gate.node()] == 1 => {
                    flat.swap_remove(i);
                    flat.extend(self.circuit.inputs(start, len).iter().map(|&input| !input));
                }
                _ => i += 1,
            }
        }
    }

    fn finish(&mut self) {
        while let Some((node, direction)) = self.pending.pop() {
            let var = self.encoding.vars[node].expect("pending nodes have variables");
            match self.circuit.node_at(node) {
                Node::True | Node::Var => {}
                Node::And { start, len } => self.conjunction(var, start, len, direction),
                Node::Xor(a, b) => self.exclusive_or(var, a, b, direction),
                Node::Ite(c, t, e) => self.if_then_else(var, [c, t, e], direction),
            }
        }
    }

    fn conjunction(&mut self, var: Var, start: u32, len: u32, direction: u8) {
        // The inputs, with nested conjunctions that nobody else uses opened up. Seen through the negated inputs, they
        // are disjunctions, so one routine serves both directions.
        let mut negated: Vec<Gate> = self
            .circuit
            .inputs(start, len)
            .iter()
            .map(|&input| !input)
            .collect();
        self.open(&mut negated);
        if direction == USED_TRUE {
            for &input in &negated {
                self.clause_of(&[var.negative()], !input, false);
            }
        } else {
            let mut clause = vec![var.positive()];
            for &input in &negated {
                clause.push(self.lit(input));
            }
            self.encoding.cnf.add_clause(&clause);
        }
    }

    fn exclusive_or(&mut self, var: Var, a: Gate, b: Gate, direction: u8) {
        let pairs = if direction == USED_TRUE {
            [(a, b), (!a, !b)]
        } else {
            [(a, !b), (!a, b)]
        };
        let own = var.lit(direction == USED_FALSE);
        for (x, y) in pairs {
            let clause = [own, self.lit(x), self.lit(y)];
            self.encoding.cnf.add_clause(&clause);
        }
    }

    fn if_then_else(&mut self, var: Var, [cond, then, otherwise]: [Gate; 3], direction: u8) {
        let used_true = direction == USED_TRUE;
        let own = var.lit(!used_true);
        let [then, otherwise] = [then, otherwise].map(|gate| if used_true { gate } else { !gate });
        for (guard, value) in [(!cond, then), (cond, otherwise)] {
            let clause = [own, self.lit(guard), self.lit(value)];
            self.encoding.cnf.add_clause(&clause);
        }
        // Redundant, but lets the solver conclude from both branches without knowing the condition.
        let clause = [own, self.lit(then), self.lit(otherwise)];
        self.encoding.cnf.add_clause(&clause);
    }
}
