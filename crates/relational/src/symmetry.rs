//! Interchangeable atoms: find them, and let the solver look at one arrangement of them instead of all.
//!
//! Formulas name relations, never atoms (but for integers), so a permutation of atoms that leaves all bounds alone
//! turns solutions into solutions. Swapping two atoms being such a permutation is an equivalence relation; its classes
//! are exact, no approximation. For neighbours in a class, the *lex-leader* predicate (Crawford et al., KR 1996) keeps
//! a solution only if its relations, read as one binary number, are no larger than after the swap. Comparing the first
//! few bits is enough to pay off, as in Kodkod.
//!
//! Not every symmetric solution is removed: what is promised is that one of each kind stays.

use std::collections::BTreeMap;
use std::rc::Rc;

use util::{FxHashMap, FxHashSet};

use crate::circuit::{Circuit, Gate};
use crate::instance::Instance;
use crate::logic::{Cardinality, Decl, ExprId, FormulaId, Logic, Multiplicity, RelId, VarId};
use crate::matrix::Matrix;
use crate::problem::{Problem, TotalOrder};
use crate::translate::{Translator, Witness};
use crate::universe::{Atom, TupleIndex, TupleSet, Universe};

/// The classes of interchangeable atoms that have more than one member.
pub(crate) fn classes(problem: &Problem) -> Vec<Vec<Atom>> {
    let bounds = Bounds::of(problem);
    let ints: FxHashSet<Atom> = problem.universe.ints().map(|(_, atom)| atom).collect();
    let mut by_signature: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
    let mut classes: Vec<Vec<Atom>> = vec![];
    for atom in problem.universe.atoms().filter(|atom| !ints.contains(atom)) {
        let candidates = by_signature.entry(bounds.signature(atom)).or_default();
        match candidates
            .iter()
            .find(|&&class| bounds.may_swap(classes[class][0], atom))
        {
            Some(&class) => classes[class].push(atom),
            None => {
                candidates.push(classes.len());
                classes.push(vec![atom]);
            }
        }
    }
    classes.retain(|class| class.len() > 1);
    classes
}

/// Every different set of tuples that some relation must contain or stay within, with the places of each atom.
struct Bounds<'p> {
    base: u64,
    sets: Vec<(&'p TupleSet, Vec<Vec<TupleIndex>>)>,
}

impl<'p> Bounds<'p> {
    fn of(problem: &'p Problem) -> Bounds<'p> {
        let base = problem.universe.len() as u64;
        let mut seen: FxHashSet<&TupleSet> = FxHashSet::default();
        let mut sets = vec![];
        for (_, relation) in problem.logic.relations() {
            for set in [&relation.lower, &relation.upper] {
                if !set.is_empty() && seen.insert(set) {
                    sets.push((set, occurrences(set, &problem.universe)));
                }
            }
        }
        Bounds { base, sets }
    }

    /// Equal for interchangeable atoms: in how many tuples of each set the atom occurs.
    fn signature(&self, atom: Atom) -> Vec<u32> {
        self.sets
            .iter()
            .map(|(_, places)| places[atom.index()].len() as u32)
            .collect()
    }

    fn may_swap(&self, a: Atom, b: Atom) -> bool {
        self.sets.iter().all(|(set, places)| {
            let touched = places[a.index()].iter().chain(&places[b.index()]);
            touched
                .copied()
                .all(|tuple| set.contains(swapped(tuple, set.arity(), self.base, a, b)))
        })
    }
}

fn occurrences(set: &TupleSet, universe: &Universe) -> Vec<Vec<TupleIndex>> {
    let base = universe.len() as u64;
    let mut places = vec![vec![]; universe.len()];
    for tuple in set.iter() {
        let mut rest = tuple;
        for _ in 0..set.arity() {
            let atom: &mut Vec<TupleIndex> = &mut places[(rest % base) as usize];
            if atom.last() != Some(&tuple) {
                atom.push(tuple);
            }
            rest /= base;
        }
    }
    places
}

/// The tuple with the two atoms exchanged.
fn swapped(mut tuple: TupleIndex, arity: usize, base: u64, a: Atom, b: Atom) -> TupleIndex {
    let (a, b) = (u64::from(a.0), u64::from(b.0));
    let mut digits = [0; 64];
    for place in &mut digits[..arity] {
        let digit = tuple % base;
        *place = if digit == a {
            b
        } else if digit == b {
            a
        } else {
            digit
        };
        tuple /= base;
    }
    digits[..arity]
        .iter()
        .rev()
        .fold(0, |index, digit| index * base + digit)
}

/// What is compared of two solutions, in the order in which it is compared.
pub(crate) struct Order {
    columns: Vec<Column>,
    base: u64,
    len_max: usize,
}

/// A relation in one state, or the rows of a witness: exchanging atoms leads from its cells to its cells.
struct Column {
    /// None for a witness.
    relation: Option<(RelId, usize)>,
    /// By the values of the universal variables that the witness depends on. One row for a relation.
    rows: BTreeMap<Vec<TupleIndex>, Rc<Matrix>>,
    /// The arities of these variables.
    args: Vec<usize>,
    /// What is compared first: what is the same in all states, then what has few tuples, then witnesses.
    rank: (bool, usize, usize, bool, usize),
}

impl Column {
    fn of_relation(translator: &Translator<'_>, id: RelId, step: usize) -> Column {
        let relation = translator.logic().rel(id);
        Column {
            relation: Some((id, step)),
            rows: BTreeMap::from([(vec![], translator.leaf(id, step).clone())]),
            args: vec![],
            rank: (relation.is_var, step, relation.arity(), true, id.index()),
        }
    }

    /// None if there are two rows for the same values: then it is not clear which is exchanged with which.
    fn of_witness(translator: &Translator<'_>, rows: &[&Witness]) -> Option<Column> {
        let logic = translator.logic();
        let first = rows[0];
        let vars: Vec<VarId> = first.args.iter().map(|it| it.0).collect();
        let args: Vec<usize> = vars.iter().map(|&it| logic.variable(it).arity).collect();
        let mut column = Column {
            relation: None,
            rows: BTreeMap::new(),
            rank: (
                (first.turn, first.step) != (0, 0),
                first.step,
                args.iter().sum::<usize>() + first.row.arity,
                false,
                first.var.index(),
            ),
            args,
        };
        for witness in rows {
            let values = witness.args.iter().map(|it| it.1).collect();
            let is_alike = witness.args.iter().map(|it| &it.0).eq(&vars);
            if !is_alike || column.rows.insert(values, witness.row.clone()).is_some() {
                return None;
            }
        }
        Some(column)
    }

    /// Where an exchange of atoms leads.
    fn mirror(&self, values: &[TupleIndex], base: u64, a: Atom, b: Atom) -> Option<&Matrix> {
        let values = values.iter().zip(&self.args);
        let values: Vec<TupleIndex> = values
            .map(|(&it, &arity)| swapped(it, arity, base, a, b))
            .collect();
        self.rows.get(&values).map(|it| &**it)
    }

    /// Whether exchanges of interchangeable atoms lead from cells to cells.
    fn is_closed(&self, base: u64, classes: &[Vec<Atom>]) -> bool {
        let mut pairs = classes.iter().flat_map(|class| class.windows(2));
        pairs.all(|pair| {
            self.rows.iter().all(|(values, matrix)| {
                let Some(other) = self.mirror(values, base, pair[0], pair[1]) else {
                    return false;
                };
                let mirror = |tuple| swapped(tuple, matrix.arity, base, pair[0], pair[1]);
                let mut tuples = matrix.cells.iter().map(|cell| cell.0);
                tuples.all(|tuple| other.get(mirror(tuple)) != Gate::FALSE)
            })
        })
    }
}

/// Exchanging two atoms exchanges these two tuples of a relation in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mirror {
    pub relation: RelId,
    pub step: usize,
    pub tuple: TupleIndex,
    pub other: TupleIndex,
}

impl Order {
    /// What has few tuples and is the same in all states comes first, for it splits the search early.
    pub(crate) fn of_relations(translator: &Translator<'_>, len_max: usize) -> Order {
        let logic = translator.logic();
        let mut columns = vec![];
        for (id, relation) in logic.relations().filter(|(_, relation)| !relation.is_exact()) {
            let n_copies = if relation.is_var {
                translator.lasso.n_steps
            } else {
                1
            };
            columns.extend((0..n_copies).map(|step| Column::of_relation(translator, id, step)));
        }
        columns.sort_by_key(|it| it.rank);
        Order {
            columns,
            base: translator.matrices.n_atoms,
            len_max,
        }
    }

    /// The same, with witnesses before the relations of their arity: "some atom breaks the rule" becomes "the last
    /// atom breaks the rule". None if there are no witnesses.
    ///
    /// This is sound because a formula with its witnesses is as symmetric as without: exchanging two atoms in the
    /// relations, in what all witnesses depend on and in what they are turns solutions into solutions. Witnesses that
    /// are not compared do no harm, they only have to exist.
    pub(crate) fn with_witnesses(
        translator: &Translator<'_>,
        classes: &[Vec<Atom>],
        len_max: usize,
    ) -> Option<Order> {
        let mut order = Order::of_relations(translator, len_max);
        let mut rows: Vec<&Witness> = translator.witnesses.iter().collect();
        let place = |it: &Witness| (it.var, it.turn, it.step);
        rows.sort_by_key(|it| place(it));
        let witnesses = rows.chunk_by(|a, b| place(a) == place(b));
        let witnesses = witnesses.filter_map(|rows| Column::of_witness(translator, rows));
        let before = order.columns.len();
        let base = order.base;
        order
            .columns
            .extend(witnesses.filter(|it| it.is_closed(base, classes)));
        order.columns.sort_by_key(|it| it.rank);
        (order.columns.len() > before).then_some(order)
    }

    /// The gate that keeps, of solutions that differ by exchanging neighbours in a class, the smaller one, as far as
    /// the first bits tell.
    pub(crate) fn lex_leader(&self, circuit: &mut Circuit, classes: &[Vec<Atom>]) -> Gate {
        let mut parts = vec![];
        for pair in classes.iter().flat_map(|class| class.windows(2)) {
            let bits: Vec<(Gate, Gate)> = self.compared(pair[0], pair[1], |_, gates| gates);
            parts.push(no_larger(circuit, &bits));
        }
        circuit.and_all(parts)
    }

    /// What [`Order::lex_leader`] compares for each pair of neighbours, as tuples. Only without witnesses.
    pub(crate) fn mirrors(&self, classes: &[Vec<Atom>]) -> Vec<([Atom; 2], Vec<Mirror>)> {
        let pairs = classes.iter().flat_map(|class| class.windows(2));
        let mirrors = pairs.map(|pair| ([pair[0], pair[1]], self.compared(pair[0], pair[1], |it, _| it)));
        mirrors
            .map(|(pair, mirrors)| (pair, mirrors.into_iter().flatten().collect()))
            .collect()
    }

    fn compared<T>(&self, a: Atom, b: Atom, make: impl Fn(Option<Mirror>, (Gate, Gate)) -> T) -> Vec<T> {
        let mut seen: FxHashSet<(Gate, Gate)> = FxHashSet::default();
        let mut compared = vec![];
        let rows = self.columns.iter().flat_map(|column| {
            let rows = column.rows.iter();
            rows.map(move |(values, matrix)| (column, matrix, column.mirror(values, self.base, a, b)))
        });
        for (column, matrix, mirror) in rows {
            for &(tuple, gate) in &matrix.cells {
                if compared.len() >= self.len_max {
                    return compared;
                }
                let other_tuple = swapped(tuple, matrix.arity, self.base, a, b);
                let other = mirror.map_or(gate, |it| it.get(other_tuple));
                // The second half of an exchange says nothing new.
                if gate != other && !seen.contains(&(other, gate)) {
                    seen.insert((gate, other));
                    let mirror = column.relation.map(|(relation, step)| Mirror {
                        relation,
                        step,
                        tuple,
                        other: other_tuple,
                    });
                    compared.push(make(mirror, (gate, other)));
                }
            }
        }
        compared
    }
}

/// Exchanges neighbours in a solution until it is one that [`Order::lex_leader`] keeps: each exchange makes it smaller.
pub(crate) fn to_leader(instance: &mut Instance, pairs: &[([Atom; 2], Vec<Mirror>)], problem: &Problem) {
    let is_larger = |instance: &Instance, mirrors: &[Mirror]| {
        let holds = |it: &Mirror, tuple| instance.value(it.relation, it.step).contains(tuple);
        let mut values = mirrors
            .iter()
            .map(|it| (holds(it, it.tuple), holds(it, it.other)));
        values.find(|(before, after)| before != after) == Some((true, false))
    };
    while let Some(([a, b], _)) = pairs.iter().find(|(_, mirrors)| is_larger(instance, mirrors)) {
        exchange(instance, problem, *a, *b);
    }
}

fn exchange(instance: &mut Instance, problem: &Problem, a: Atom, b: Atom) {
    let base = problem.universe.len() as u64;
    let in_set = |set: &TupleSet| {
        let tuples = set.iter().map(|it| swapped(it, set.arity(), base, a, b));
        TupleSet::from_indices(set.arity(), tuples.collect())
    };
    for set in instance.states.iter_mut().flatten() {
        *set = in_set(set);
    }
    for witness in &mut instance.witnesses {
        witness.value = in_set(&witness.value);
        for (var, tuple) in &mut witness.args {
            *tuple = swapped(*tuple, problem.logic.variable(*var).arity, base, a, b);
        }
    }
}

fn no_larger(circuit: &mut Circuit, bits: &[(Gate, Gate)]) -> Gate {
    let mut parts = vec![];
    let mut equal_so_far = Gate::TRUE;
    for &(before, after) in bits {
        let in_order = circuit.implies(before, after);
        parts.push(circuit.implies(equal_so_far, in_order));
        let equal = circuit.iff(before, after);
        equal_so_far = circuit.and(equal_so_far, equal);
    }
    circuit.and_all(parts)
}

/// Fixes the order where the atoms are interchangeable, and otherwise says in formulas what an order is.
pub(crate) fn fix_orders(problem: &mut Problem, break_symmetry: bool) {
    for order in std::mem::take(&mut problem.orders) {
        if !(break_symmetry && fix_order(problem, order)) {
            let constraint = order_constraint(&mut problem.logic, order);
            problem.constraints.push(constraint);
        }
    }
}

fn fix_order(problem: &mut Problem, order: TotalOrder) -> bool {
    let [elems, first, next] = [order.elems, order.first, order.next].map(|it| problem.logic.rel(it));
    // An order is asked for in the first state; what varies may be another one later, or none.
    if !elems.is_exact() || first.is_var || next.is_var || elems.upper.is_empty() {
        return false;
    }
    let line: Vec<Atom> = elems.upper.atoms().collect();
    let interchangeable = line.len() == 1
        || classes(problem)
            .iter()
            .any(|class| line.iter().all(|atom| class.contains(atom)));
    let start = TupleSet::of_atoms([line[0]]);
    let steps = line
        .windows(2)
        .map(|pair| problem.universe.encode(pair))
        .collect();
    let steps = TupleSet::from_indices(2, steps);
    let fits = |value: &TupleSet, relation: &crate::logic::Relation| {
        relation.lower.is_subset(value) && value.is_subset(&relation.upper)
    };
    if !interchangeable || !fits(&start, first) || !fits(&steps, next) {
        return false;
    }
    for (id, value) in [(order.first, start), (order.next, steps)] {
        let relation = problem.logic.rel_mut(id);
        (relation.lower, relation.upper) = (value.clone(), value);
    }
    true
}

fn order_constraint(logic: &mut Logic, order: TotalOrder) -> FormulaId {
    let [elems, first, next] = [order.elems, order.first, order.next].map(|it| logic.relation(it));
    let one_first = logic.counted(Cardinality::One, first);
    let pairs = logic.product(elems, elems);
    let onto = [logic.subset(first, elems), logic.subset(next, pairs)];
    let before_first = logic.join(next, first);
    let starts = logic.counted(Cardinality::No, before_first);
    let reach = logic.reflexive_closure(next);
    let reached = logic.join(first, reach);
    let complete = logic.subset(elems, reached);
    let lone_step = |logic: &mut Logic, make: fn(&mut Logic, ExprId, ExprId) -> ExprId| {
        let var = logic.add_variable("e", 1);
        let elem = logic.var(var);
        let neighbours = make(logic, elem, next);
        let body = logic.counted(Cardinality::Lone, neighbours);
        let decl = Decl {
            var,
            mult: Multiplicity::One,
            domain: elems,
        };
        logic.all(vec![decl], body)
    };
    let lone_after = lone_step(logic, |logic, elem, next| logic.join(elem, next));
    let lone_before = lone_step(logic, |logic, elem, next| logic.join(next, elem));
    logic.and([
        one_first,
        onto[0],
        onto[1],
        starts,
        complete,
        lone_after,
        lone_before,
    ])
}
