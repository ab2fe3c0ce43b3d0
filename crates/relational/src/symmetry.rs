//! Interchangeable atoms: find them, and let the solver look at one arrangement of them instead of all.
//!
//! Formulas name relations, never atoms (but for integers), so a permutation of atoms that leaves all bounds alone
//! turns solutions into solutions. Swapping two atoms being such a permutation is an equivalence relation; its classes
//! are exact, no approximation. For neighbours in a class, the *lex-leader* predicate (Crawford et al., KR 1996) keeps
//! a solution only if its relations, read as one binary number, are no larger than after the swap. Comparing the first
//! few bits is enough to pay off, as in Kodkod.
//!
//! Not every symmetric solution is removed: what is promised is that one of each kind stays.

use util::{FxHashMap, FxHashSet};

use crate::circuit::{Circuit, Gate};
use crate::logic::{Cardinality, Decl, ExprId, FormulaId, Logic, Multiplicity, RelId};
use crate::problem::{Problem, TotalOrder};
use crate::translate::Translator;
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

/// The gate that keeps, of solutions that differ by exchanging neighbours in a class, the smaller one, as far as the
/// first `len_max` bits tell.
pub(crate) fn lex_leader(translator: &mut Translator<'_>, classes: &[Vec<Atom>], len_max: usize) -> Gate {
    let order = comparison_order(translator);
    let mut parts = vec![];
    for pair in classes.iter().flat_map(|class| class.windows(2)) {
        let bits = compared_bits(translator, &order, pair[0], pair[1], len_max);
        parts.push(no_larger(&mut translator.matrices.circuit, &bits));
    }
    translator.matrices.circuit.and_all(parts)
}

/// The relations (and, for those that vary, the states) in the order in which they are compared: what has few tuples
/// and is the same in all states comes first, for it splits the search early.
fn comparison_order(translator: &Translator<'_>) -> Vec<(RelId, usize)> {
    let logic = translator.logic();
    let mut order: Vec<(RelId, usize)> = vec![];
    for (id, relation) in logic.relations().filter(|(_, relation)| !relation.is_exact()) {
        let n_copies = if relation.is_var {
            translator.lasso.n_steps
        } else {
            1
        };
        order.extend((0..n_copies).map(|step| (id, step)));
    }
    order.sort_by_key(|&(id, step)| {
        let relation = logic.rel(id);
        (relation.is_var, step, relation.arity(), id)
    });
    order
}

fn compared_bits(
    translator: &Translator<'_>,
    order: &[(RelId, usize)],
    a: Atom,
    b: Atom,
    len_max: usize,
) -> Vec<(Gate, Gate)> {
    let base = translator.matrices.n_atoms;
    let mut bits: Vec<(Gate, Gate)> = vec![];
    for &(relation, step) in order {
        let matrix = translator.leaf(relation, step);
        for &(tuple, gate) in &matrix.cells {
            if bits.len() >= len_max {
                return bits;
            }
            let other = matrix.get(swapped(tuple, matrix.arity, base, a, b));
            // The second half of an exchange says nothing new.
            if gate != other && !bits.contains(&(other, gate)) {
                bits.push((gate, other));
            }
        }
    }
    bits
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
