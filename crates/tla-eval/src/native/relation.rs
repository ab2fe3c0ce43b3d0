//! `Relation`: closures of relations, on rows of bits instead of functions.

use bumpalo::collections::Vec as ArenaVec;
use tla_sema::ir::ExprId;
use value::Value;

use super::{Row, row};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("Relation", "TransitiveClosure", "vv", |machine, given, at| {
        let [relation, set] = machine.values(given);
        let (items, mut matrix) = matrix(machine, relation, set, at)?;
        matrix.close();
        as_function(machine, items, &matrix, at)
    }),
    row(
        "Relation",
        "ReflexiveTransitiveClosure",
        "vv",
        |machine, given, at| {
            let [relation, set] = machine.values(given);
            let (items, mut matrix) = matrix(machine, relation, set, at)?;
            matrix.close();
            (0..items.len()).for_each(|i| matrix.add(i, i));
            as_function(machine, items, &matrix, at)
        },
    ),
    row("Relation", "IsConnected", "vv", |machine, given, at| {
        let [relation, set] = machine.values(given);
        let (items, mut matrix) = matrix(machine, relation, set, at)?;
        matrix.close();
        let n = items.len();
        Ok(Value::bool(
            (0..n).all(|i| (0..n).all(|j| i == j || matrix.has(i, j))),
        ))
    }),
];

/// A relation on `0 .. n-1`.
pub(super) struct Matrix {
    n: usize,
    /// `words` of 64 bits for each row.
    words: usize,
    bits: Vec<u64>,
}

impl Matrix {
    pub fn new(n: usize) -> Matrix {
        let words = n.div_ceil(64);
        Matrix {
            n,
            words,
            bits: vec![0; n * words],
        }
    }

    pub fn has(&self, i: usize, j: usize) -> bool {
        self.bits[i * self.words + j / 64] >> (j % 64) & 1 == 1
    }

    pub fn add(&mut self, i: usize, j: usize) {
        self.bits[i * self.words + j / 64] |= 1 << (j % 64);
    }

    /// Adds what can be reached in several steps: through one more element at a time (Warshall's algorithm).
    pub fn close(&mut self) {
        for through in 0..self.n {
            let row = self.bits[through * self.words..(through + 1) * self.words].to_vec();
            for i in 0..self.n {
                if self.has(i, through) {
                    let own = &mut self.bits[i * self.words..(i + 1) * self.words];
                    own.iter_mut().zip(&row).for_each(|(own, more)| *own |= more);
                }
            }
        }
    }
}

/// `R[x, y]` for all elements, in their order.
fn matrix<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    relation: Value<'t>,
    set: Value<'t>,
    at: ExprId,
) -> Result<(&'t [Value<'t>], Matrix), Fault> {
    let items = machine.items(set, at)?;
    let mut matrix = Matrix::new(items.len());
    for (i, &a) in items.iter().enumerate() {
        for (j, &b) in items.iter().enumerate() {
            let pair = machine.tuple(&[a, b]);
            let related =
                value::apply(relation, pair).map_err(|it| machine.trouble(it, &[relation, pair], at))?;
            if machine.boolean(related, at)? {
                matrix.add(i, j);
            }
        }
    }
    Ok((items, matrix))
}

fn as_function<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    items: &[Value<'t>],
    matrix: &Matrix,
    at: ExprId,
) -> Res<'t> {
    let mut pairs = ArenaVec::with_capacity_in(items.len() * items.len(), machine.arena);
    for (i, &a) in items.iter().enumerate() {
        for (j, &b) in items.iter().enumerate() {
            pairs.push((machine.tuple(&[a, b]), Value::bool(matrix.has(i, j))));
        }
    }
    machine.function_of(pairs, at)
}
