//! The value of an expression before anything is solved: for each tuple, the gate that says whether it is in.
//!
//! A matrix is sparse: a tuple that is not listed is out. Operators of relational logic become merges, shifts and
//! grouping over sorted lists, in the manner of Kodkod's boolean matrices.

use crate::budget::{Abort, Budget};
use crate::circuit::{Circuit, Gate};
use crate::universe::TupleIndex;

type Cell = (TupleIndex, Gate);

/// Invariant: cells are sorted by tuple, no tuple twice, no gate constantly false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Matrix {
    pub arity: usize,
    pub cells: Vec<Cell>,
    /// Holds when an integer overflow makes the value meaningless.
    pub undef: Gate,
}

impl Matrix {
    pub(crate) fn empty(arity: usize) -> Matrix {
        Matrix::new(arity, vec![])
    }

    pub(crate) fn new(arity: usize, cells: Vec<Cell>) -> Matrix {
        debug_assert!(
            cells.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "sorted, no tuple twice"
        );
        debug_assert!(cells.iter().all(|cell| cell.1 != Gate::FALSE));
        Matrix {
            arity,
            cells,
            undef: Gate::FALSE,
        }
    }

    pub(crate) fn singleton(arity: usize, tuple: TupleIndex) -> Matrix {
        Matrix::new(arity, vec![(tuple, Gate::TRUE)])
    }

    fn with_undef(mut self, undef: Gate) -> Matrix {
        self.undef = undef;
        self
    }

    pub(crate) fn get(&self, tuple: TupleIndex) -> Gate {
        match self.cells.binary_search_by_key(&tuple, |cell| cell.0) {
            Ok(i) => self.cells[i].1,
            Err(_) => Gate::FALSE,
        }
    }

    pub(crate) fn gates(&self) -> impl ExactSizeIterator<Item = Gate> {
        self.cells.iter().map(|cell| cell.1)
    }

    /// The cells whose tuples lie in `low..high`.
    fn range(&self, low: TupleIndex, high: TupleIndex) -> &[Cell] {
        let start = self.cells.partition_point(|cell| cell.0 < low);
        let len = self.cells[start..].partition_point(|cell| cell.0 < high);
        &self.cells[start..start + len]
    }
}

/// Matrices over one universe: knows its size, owns the circuit, keeps the budget.
pub(crate) struct Matrices {
    pub circuit: Circuit,
    pub budget: Budget,
    pub n_atoms: u64,
}

impl Matrices {
    /// How many tuples of this arity there are: the weight of the digit before them.
    pub(crate) fn stride(&self, arity: usize) -> Result<u64, Abort> {
        self.n_atoms.checked_pow(arity as u32).ok_or(Abort::TooLarge)
    }

    fn undef2(&mut self, a: &Matrix, b: &Matrix) -> Gate {
        self.circuit.or(a.undef, b.undef)
    }

    /// Sorts cells that may name a tuple several times, and joins these with or.
    fn gather(&mut self, arity: usize, mut cells: Vec<Cell>) -> Matrix {
        cells.sort_unstable();
        let mut out: Vec<Cell> = Vec::with_capacity(cells.len());
        let mut i = 0;
        while i < cells.len() {
            let tuple = cells[i].0;
            let end = i + cells[i..].partition_point(|cell| cell.0 == tuple);
            let gate = match cells[i..end] {
                [(_, only)] => only,
                ref group => self.circuit.or_all(group.iter().map(|cell| cell.1)),
            };
            if gate != Gate::FALSE {
                out.push((tuple, gate));
            }
            i = end;
        }
        Matrix::new(arity, out)
    }

    pub(crate) fn union(&mut self, a: &Matrix, b: &Matrix) -> Matrix {
        let undef = self.undef2(a, b);
        let mut out = Vec::with_capacity(a.cells.len() + b.cells.len());
        let (mut left, mut right) = (a.cells.as_slice(), b.cells.as_slice());
        loop {
            match (left, right) {
                ([], rest) | (rest, []) => {
                    out.extend_from_slice(rest);
                    return Matrix::new(a.arity, out).with_undef(undef);
                }
                ([x, more_left @ ..], [y, more_right @ ..]) => match x.0.cmp(&y.0) {
                    std::cmp::Ordering::Less => {
                        out.push(*x);
                        left = more_left;
                    }
                    std::cmp::Ordering::Greater => {
                        out.push(*y);
                        right = more_right;
                    }
                    std::cmp::Ordering::Equal => {
                        out.push((x.0, self.circuit.or(x.1, y.1)));
                        (left, right) = (more_left, more_right);
                    }
                },
            }
        }
    }

    /// Keeps the cells of `a`, each with a gate computed from it and the cell of `b` (false where `b` has none).
    fn zip(&mut self, a: &Matrix, b: &Matrix, combine: impl Fn(&mut Circuit, Gate, Gate) -> Gate) -> Matrix {
        let undef = self.undef2(a, b);
        let mut rest = b.cells.as_slice();
        let mut out = vec![];
        for &(tuple, gate) in &a.cells {
            rest = &rest[rest.partition_point(|cell| cell.0 < tuple)..];
            let other = match rest.first() {
                Some(cell) if cell.0 == tuple => cell.1,
                _ => Gate::FALSE,
            };
            let gate = combine(&mut self.circuit, gate, other);
            if gate != Gate::FALSE {
                out.push((tuple, gate));
            }
        }
        Matrix::new(a.arity, out).with_undef(undef)
    }

    pub(crate) fn intersection(&mut self, a: &Matrix, b: &Matrix) -> Matrix {
        self.zip(a, b, Circuit::and)
    }

    pub(crate) fn difference(&mut self, a: &Matrix, b: &Matrix) -> Matrix {
        self.zip(a, b, |circuit, x, y| circuit.and(x, !y))
    }

    pub(crate) fn product(&mut self, a: &Matrix, b: &Matrix) -> Result<Matrix, Abort> {
        self.stride(a.arity + b.arity)?;
        let shift = self.stride(b.arity)?;
        self.budget
            .check_more(&self.circuit, a.cells.len().saturating_mul(b.cells.len()))?;
        let undef = self.undef2(a, b);
        let mut out = Vec::with_capacity(a.cells.len() * b.cells.len());
        for &(left, x) in &a.cells {
            for &(right, y) in &b.cells {
                let gate = self.circuit.and(x, y);
                if gate != Gate::FALSE {
                    out.push((left * shift + right, gate));
                }
            }
        }
        Ok(Matrix::new(a.arity + b.arity, out).with_undef(undef))
    }

    pub(crate) fn join(&mut self, a: &Matrix, b: &Matrix) -> Result<Matrix, Abort> {
        let shift = self.stride(b.arity - 1)?;
        self.stride(a.arity + b.arity - 2)?;
        let undef = self.undef2(a, b);
        let mut out: Vec<Cell> = vec![];
        for (i, &(left, x)) in a.cells.iter().enumerate() {
            let (prefix, atom) = (left / self.n_atoms, left % self.n_atoms);
            if i % 64 == 0 {
                self.budget.check_more(&self.circuit, out.len())?;
            }
            for &(right, y) in b.range(atom * shift, (atom + 1) * shift) {
                let gate = self.circuit.and(x, y);
                if gate != Gate::FALSE {
                    out.push((prefix * shift + right % shift, gate));
                }
            }
        }
        Ok(self.gather(a.arity + b.arity - 2, out).with_undef(undef))
    }

    pub(crate) fn transpose(&mut self, a: &Matrix) -> Matrix {
        let n = self.n_atoms;
        let mut cells: Vec<Cell> = a
            .cells
            .iter()
            .map(|&(tuple, gate)| (tuple % n * n + tuple / n, gate))
            .collect();
        cells.sort_unstable();
        Matrix::new(2, cells).with_undef(a.undef)
    }

    /// By repeated squaring: after k rounds, paths of up to 2^k steps are in.
    pub(crate) fn closure(&mut self, a: &Matrix) -> Result<Matrix, Abort> {
        let mut atoms: Vec<u64> = a.cells.iter().map(|cell| cell.0 / self.n_atoms).collect();
        atoms.dedup();
        let mut steps = 1;
        let mut closed = a.clone();
        while steps < atoms.len() {
            let longer = self.join(&closed, &closed)?;
            let next = self.union(&closed, &longer);
            if next == closed {
                break;
            }
            closed = next;
            steps *= 2;
        }
        Ok(closed)
    }

    pub(crate) fn reflexive_closure(&mut self, a: &Matrix) -> Result<Matrix, Abort> {
        let closed = self.closure(a)?;
        let iden = self.iden();
        Ok(self.union(&closed, &iden))
    }

    pub(crate) fn univ(&self) -> Matrix {
        Matrix::new(1, (0..self.n_atoms).map(|atom| (atom, Gate::TRUE)).collect())
    }

    pub(crate) fn iden(&self) -> Matrix {
        let cells = (0..self.n_atoms).map(|atom| (atom * self.n_atoms + atom, Gate::TRUE));
        Matrix::new(2, cells.collect())
    }

    /// The tuples of `b`, and those of `a` that begin where no tuple of `b` does.
    pub(crate) fn override_with(&mut self, a: &Matrix, b: &Matrix) -> Result<Matrix, Abort> {
        let stride = self.stride(a.arity - 1)?;
        let undef = self.undef2(a, b);
        let mut kept = vec![];
        let mut begun: Option<(u64, Gate)> = None;
        for &(tuple, gate) in &a.cells {
            let first = tuple / stride;
            let overridden = match begun {
                Some((atom, any)) if atom == first => any,
                _ => {
                    let row = b.range(first * stride, (first + 1) * stride);
                    self.circuit.or_all(row.iter().map(|cell| cell.1))
                }
            };
            begun = Some((first, overridden));
            let gate = self.circuit.and(gate, !overridden);
            if gate != Gate::FALSE {
                kept.push((tuple, gate));
            }
        }
        let kept = Matrix::new(a.arity, kept);
        Ok(self.union(&kept, b).with_undef(undef))
    }

    /// Keeps the tuples of `a` whose atom, as `digit` finds it, is in the set.
    fn restrict(&mut self, a: &Matrix, set: &Matrix, digit: impl Fn(TupleIndex) -> u64) -> Matrix {
        let undef = self.undef2(a, set);
        let mut out = vec![];
        for &(tuple, gate) in &a.cells {
            let gate = self.circuit.and(gate, set.get(digit(tuple)));
            if gate != Gate::FALSE {
                out.push((tuple, gate));
            }
        }
        Matrix::new(a.arity, out).with_undef(undef)
    }

    pub(crate) fn restrict_domain(&mut self, set: &Matrix, a: &Matrix) -> Result<Matrix, Abort> {
        let stride = self.stride(a.arity - 1)?;
        Ok(self.restrict(a, set, |tuple| tuple / stride))
    }

    pub(crate) fn restrict_range(&mut self, a: &Matrix, set: &Matrix) -> Matrix {
        let n_atoms = self.n_atoms;
        self.restrict(a, set, |tuple| tuple % n_atoms)
    }

    /// Each cell only where the gate holds.
    pub(crate) fn only_if(&mut self, cond: Gate, a: &Matrix) -> Matrix {
        let mut out = vec![];
        for &(tuple, gate) in &a.cells {
            let gate = self.circuit.and(cond, gate);
            if gate != Gate::FALSE {
                out.push((tuple, gate));
            }
        }
        let undef = self.circuit.and(cond, a.undef);
        Matrix::new(a.arity, out).with_undef(undef)
    }

    /// `a` where `holds`, `b` where `fails`. The two are opposites, except in the shadow of an overflow.
    pub(crate) fn choose(&mut self, holds: Gate, a: &Matrix, fails: Gate, b: &Matrix) -> Matrix {
        if holds == !fails {
            return self.if_then_else(holds, a, b);
        }
        let a = self.only_if(holds, a);
        let b = self.only_if(fails, b);
        self.union(&a, &b)
    }

    fn if_then_else(&mut self, cond: Gate, a: &Matrix, b: &Matrix) -> Matrix {
        let undef = self.circuit.ite(cond, a.undef, b.undef);
        let mut tuples: Vec<TupleIndex> = a.cells.iter().chain(&b.cells).map(|cell| cell.0).collect();
        tuples.sort_unstable();
        tuples.dedup();
        let mut out = vec![];
        for tuple in tuples {
            let gate = self.circuit.ite(cond, a.get(tuple), b.get(tuple));
            if gate != Gate::FALSE {
                out.push((tuple, gate));
            }
        }
        Matrix::new(a.arity, out).with_undef(undef)
    }

    pub(crate) fn subset(&mut self, a: &Matrix, b: &Matrix) -> Gate {
        let mut parts = Vec::with_capacity(a.cells.len());
        for &(tuple, gate) in &a.cells {
            let part = self.circuit.implies(gate, b.get(tuple));
            if part == Gate::FALSE {
                return Gate::FALSE;
            }
            parts.push(part);
        }
        self.circuit.and_all(parts)
    }

    pub(crate) fn equal(&mut self, a: &Matrix, b: &Matrix) -> Gate {
        // Two inclusions rather than a list of equivalences: as clauses, they need no variables of their own.
        let there = self.subset(a, b);
        let back = self.subset(b, a);
        self.circuit.and(there, back)
    }

    pub(crate) fn some(&mut self, a: &Matrix) -> Gate {
        self.circuit.or_all(a.gates())
    }

    pub(crate) fn lone(&mut self, a: &Matrix) -> Gate {
        let gates: Vec<Gate> = a.gates().collect();
        self.circuit.lone(&gates)
    }

    pub(crate) fn one(&mut self, a: &Matrix) -> Gate {
        let some = self.some(a);
        let lone = self.lone(a);
        self.circuit.and(some, lone)
    }
}
