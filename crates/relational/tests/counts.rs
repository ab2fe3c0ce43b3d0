//! How many instances small models have: all of them without symmetry breaking, and at least one of each kind with it.
//!
//! The numbers are those of the On-Line Encyclopedia of Integer Sequences, or counted by hand.

use std::collections::BTreeSet;

use relational::*;

/// A model of one set of atoms, all in use, and one relation over it (of arity two, unless said otherwise).
struct Model {
    problem: Problem,
    nodes: ExprId,
    edges: ExprId,
}

impl Model {
    fn new(n_atoms: usize, arity: usize) -> Model {
        let mut universe = Universe::new();
        let atoms: Vec<Atom> = (0..n_atoms).map(|i| universe.add(format!("N${i}"))).collect();
        let n_tuples = universe.n_tuples(arity).expect("small");
        let mut problem = Problem::new(universe);
        let all = TupleSet::of_atoms(atoms);
        let nodes = problem.logic.add_relation(Relation {
            name: "N".into(),
            lower: all.clone(),
            upper: all,
            is_var: false,
        });
        let edges = problem.logic.add_relation(Relation {
            name: "e".into(),
            lower: TupleSet::empty(arity),
            upper: TupleSet::from_indices(arity, (0..n_tuples).collect()),
            is_var: false,
        });
        let nodes = problem.logic.relation(nodes);
        let edges = problem.logic.relation(edges);
        Model {
            problem,
            nodes,
            edges,
        }
    }

    fn require(&mut self, constraint: impl FnOnce(&mut Logic, ExprId, ExprId) -> FormulaId) -> &mut Model {
        let constraint = constraint(&mut self.problem.logic, self.nodes, self.edges);
        self.problem.constraints.push(constraint);
        self
    }

    fn instances(&self, symmetry: usize) -> Vec<BTreeSet<Vec<u32>>> {
        let options = Options {
            symmetry,
            ..Options::default()
        };
        let mut search = Search::new(self.problem.clone(), options, Stop::never());
        let mut found = vec![];
        while let Found::Instance(instance) = search.find_next().expect("no limits are reached") {
            let edges = &instance.states[0][1];
            let tuples = edges
                .iter()
                .map(|it| self.problem.universe.decode(it, edges.arity()));
            found.push(
                tuples
                    .map(|tuple| tuple.iter().map(|atom| atom.0).collect())
                    .collect(),
            );
        }
        found
    }

    /// The instances up to a permutation of the atoms.
    fn kinds(&self, instances: &[BTreeSet<Vec<u32>>]) -> usize {
        let permutations = permutations(self.problem.universe.len());
        let kind = |edges: &BTreeSet<Vec<u32>>| {
            let images = permutations.iter().map(|to| {
                let image = edges
                    .iter()
                    .map(|tuple| tuple.iter().map(|&atom| to[atom as usize]).collect::<Vec<_>>());
                image.collect::<BTreeSet<_>>()
            });
            images.min().expect("at least the identity")
        };
        instances.iter().map(kind).collect::<BTreeSet<_>>().len()
    }

    #[track_caller]
    fn check(&self, n_all: usize, n_kinds: usize) {
        let all = self.instances(0);
        assert_eq!(all.len(), n_all, "without symmetry breaking");
        assert_eq!(self.kinds(&all), n_kinds, "kinds");
        for symmetry in [3, 20, 1000] {
            let some = self.instances(symmetry);
            assert!(some.len() <= n_all);
            assert_eq!(self.kinds(&some), n_kinds, "kinds that are left with {symmetry}");
        }
        assert!(self.instances(1000).len() < n_all, "symmetry breaking is of use");
    }
}

fn permutations(n: usize) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(n - 1);
    let insert = |it: &Vec<u32>, at: usize| [&it[..at], &[n as u32 - 1], &it[at..]].concat();
    shorter
        .iter()
        .flat_map(|it| (0..n).map(move |at| insert(it, at)))
        .collect()
}

fn for_each(
    logic: &mut Logic,
    nodes: ExprId,
    body: impl FnOnce(&mut Logic, ExprId) -> FormulaId,
) -> FormulaId {
    let var = logic.add_variable("x", 1);
    let x = logic.var(var);
    let body = body(logic, x);
    let decl = Decl {
        var,
        mult: Multiplicity::One,
        domain: nodes,
    };
    logic.all(vec![decl], body)
}

fn image_counts(cardinality: Cardinality) -> impl FnOnce(&mut Logic, ExprId, ExprId) -> FormulaId {
    move |logic, nodes, edges| {
        for_each(logic, nodes, |logic, x| {
            let image = logic.join(x, edges);
            logic.counted(cardinality, image)
        })
    }
}

fn transitive(logic: &mut Logic, _: ExprId, edges: ExprId) -> FormulaId {
    let twice = logic.join(edges, edges);
    logic.subset(twice, edges)
}

fn reflexive(logic: &mut Logic, _: ExprId, edges: ExprId) -> FormulaId {
    let iden = logic.iden();
    logic.subset(iden, edges)
}

fn symmetric(logic: &mut Logic, _: ExprId, edges: ExprId) -> FormulaId {
    let back = logic.transpose(edges);
    logic.equal(back, edges)
}

fn antisymmetric(logic: &mut Logic, _: ExprId, edges: ExprId) -> FormulaId {
    let back = logic.transpose(edges);
    let both = logic.intersection(edges, back);
    let iden = logic.iden();
    logic.subset(both, iden)
}

fn irreflexive(logic: &mut Logic, _: ExprId, edges: ExprId) -> FormulaId {
    let iden = logic.iden();
    let loops = logic.intersection(edges, iden);
    logic.counted(Cardinality::No, loops)
}

fn acyclic(logic: &mut Logic, nodes: ExprId, edges: ExprId) -> FormulaId {
    let closure = logic.closure(edges);
    irreflexive(logic, nodes, closure)
}

#[test]
fn partial_functions() {
    Model::new(3, 2)
        .require(image_counts(Cardinality::Lone))
        .check(64, 16);
}

#[test]
fn functions() {
    Model::new(3, 2)
        .require(image_counts(Cardinality::One))
        .check(27, 7);
}

#[test]
fn relations() {
    Model::new(3, 2).check(512, 104);
}

#[test]
fn transitive_relations() {
    Model::new(3, 2).require(transitive).check(171, 39);
}

#[test]
fn graphs() {
    Model::new(4, 2)
        .require(symmetric)
        .require(irreflexive)
        .check(64, 11);
}

#[test]
fn equivalences() {
    Model::new(4, 2)
        .require(reflexive)
        .require(symmetric)
        .require(transitive)
        .check(15, 5);
}

#[test]
fn partial_orders() {
    Model::new(4, 2)
        .require(reflexive)
        .require(antisymmetric)
        .require(transitive)
        .check(219, 16);
}

#[test]
fn permutations_of_four() {
    let back = |logic: &mut Logic, nodes: ExprId, edges: ExprId| {
        let back = logic.transpose(edges);
        image_counts(Cardinality::One)(logic, nodes, back)
    };
    Model::new(4, 2)
        .require(image_counts(Cardinality::One))
        .require(back)
        .check(24, 5);
}

#[test]
fn acyclic_graphs() {
    Model::new(4, 2).require(acyclic).check(543, 31);
}

#[test]
fn rooted_trees() {
    let one_root = |logic: &mut Logic, nodes: ExprId, edges: ExprId| {
        let children = logic.join(edges, nodes);
        let roots = logic.difference(nodes, children);
        logic.counted(Cardinality::One, roots)
    };
    Model::new(4, 2)
        .require(image_counts(Cardinality::Lone))
        .require(acyclic)
        .require(one_root)
        .check(64, 4);
}

#[test]
fn tournaments() {
    let total = |logic: &mut Logic, nodes: ExprId, edges: ExprId| {
        let back = logic.transpose(edges);
        let either = logic.union(edges, back);
        let iden = logic.iden();
        let all = logic.product(nodes, nodes);
        let different = logic.difference(all, iden);
        logic.equal(either, different)
    };
    Model::new(4, 2)
        .require(total)
        .require(antisymmetric)
        .check(64, 4);
}

#[test]
fn subsets_of_some_size() {
    Model::new(4, 1)
        .require(|logic, _, set| logic.at_most(set, 2))
        .check(11, 3);
}

#[test]
fn total_orders_are_fixed_or_found() {
    let mut universe = Universe::new();
    let atoms: Vec<Atom> = (0..4).map(|i| universe.add(format!("T${i}"))).collect();
    let mut problem = Problem::new(universe);
    let all = TupleSet::of_atoms(atoms);
    let pairs = TupleSet::from_indices(2, (0..16).collect());
    let mut add = |name: &str, lower: &TupleSet, upper: &TupleSet| {
        problem.logic.add_relation(Relation {
            name: name.into(),
            lower: lower.clone(),
            upper: upper.clone(),
            is_var: false,
        })
    };
    let elems = add("T", &all, &all);
    let first = add("first", &TupleSet::empty(1), &all);
    let next = add("next", &TupleSet::empty(2), &pairs);
    problem.orders.push(TotalOrder { elems, first, next });
    for (symmetry, n_orders) in [(20, 1), (0, 24)] {
        let options = Options {
            symmetry,
            ..Options::default()
        };
        let mut search = Search::new(problem.clone(), options, Stop::never());
        let mut n_found = 0;
        while let Found::Instance(_) = search.find_next().expect("no limits are reached") {
            n_found += 1;
        }
        assert_eq!(n_found, n_orders);
    }
}

/// Three atoms, and a line of some of them.
struct Line {
    problem: Problem,
    all: TupleSet,
    elems: RelId,
    first: RelId,
    next: RelId,
}

impl Line {
    /// Of those atoms that are in `elems`, within bounds.
    fn new(elems: [&[usize]; 2], first: [&[usize]; 2]) -> Line {
        let mut universe = Universe::new();
        let atoms: Vec<Atom> = (0..3).map(|i| universe.add(format!("T${i}"))).collect();
        let n_pairs = universe.n_tuples(2).expect("small");
        let mut problem = Problem::new(universe);
        let set = |those: &[usize]| TupleSet::of_atoms(those.iter().map(|&it| atoms[it]));
        let mut add = |name: &str, [lower, upper]: [TupleSet; 2]| {
            problem.logic.add_relation(Relation {
                name: name.into(),
                lower,
                upper,
                is_var: false,
            })
        };
        let elems = add("T", elems.map(set));
        let first = add("first", first.map(set));
        let pairs = TupleSet::from_indices(2, (0..n_pairs).collect());
        let next = add("next", [TupleSet::empty(2), pairs]);
        problem.orders.push(TotalOrder { elems, first, next });
        let all = set(&[0, 1, 2]);
        Line {
            problem,
            all,
            elems,
            first,
            next,
        }
    }

    /// The values of all relations in the first state of each instance.
    fn instances(&self, symmetry: usize) -> BTreeSet<Vec<Vec<TupleIndex>>> {
        let options = Options {
            symmetry,
            ..Options::default()
        };
        let mut search = Search::new(self.problem.clone(), options, Stop::never());
        let mut found = BTreeSet::new();
        while let Found::Instance(instance) = search.find_next().expect("no limits are reached") {
            found.insert(instance.states[0].iter().map(|it| it.iter().collect()).collect());
        }
        found
    }

    /// So many instances with and without symmetry breaking; the former are among the latter.
    fn check(&self, n_kinds: usize, n_all: usize) {
        let (kinds, all) = (self.instances(20), self.instances(0));
        assert!(kinds.is_subset(&all));
        assert_eq!((kinds.len(), all.len()), (n_kinds, n_all));
    }
}

const NONE: &[usize] = &[];
const ALL: &[usize] = &[0, 1, 2];

#[test]
fn orders_of_three_atoms_and_of_one() {
    Line::new([ALL, ALL], [NONE, ALL]).check(1, 6);
    Line::new([&[1], &[1]], [NONE, ALL]).check(1, 1);
}

/// Sets of one, two and three atoms, each in every order.
#[test]
fn an_order_of_a_set_that_is_not_known() {
    Line::new([NONE, ALL], [NONE, ALL]).check(3, 3 + 3 * 2 + 6);
}

#[test]
fn an_order_of_nothing_has_no_first() {
    Line::new([NONE, NONE], [NONE, ALL]).check(0, 0);
}

#[test]
fn an_order_within_bounds() {
    Line::new([ALL, ALL], [ALL, ALL]).check(0, 0);
    Line::new([ALL, ALL], [NONE, NONE]).check(0, 0);
    let mut no_steps = Line::new([ALL, ALL], [NONE, ALL]);
    no_steps.problem.logic.rel_mut(no_steps.next).upper = TupleSet::empty(2);
    no_steps.check(0, 0);
    let mut all_steps = Line::new([ALL, ALL], [NONE, ALL]);
    let next = all_steps.problem.logic.rel_mut(all_steps.next);
    next.lower = next.upper.clone();
    all_steps.check(0, 0);
}

/// The last atom is not like the others, and is the first of the order.
#[test]
fn an_order_of_atoms_that_differ() {
    let mut line = Line::new([ALL, ALL], [NONE, ALL]);
    let last = TupleSet::of_atoms(line.all.atoms().skip(2));
    let logic = &mut line.problem.logic;
    let last = logic.add_relation(Relation {
        name: "last".into(),
        lower: last.clone(),
        upper: last,
        is_var: false,
    });
    let [last, first] = [last, line.first].map(|it| logic.relation(it));
    line.problem.constraints.push(logic.equal(first, last));
    line.check(1, 2);
}

/// One is fixed, which makes the atoms different for the other.
#[test]
fn two_orders_of_the_same_atoms() {
    let mut line = Line::new([ALL, ALL], [NONE, ALL]);
    let [first, next] = [line.first, line.next].map(|it| {
        let relation = line.problem.logic.rel(it).clone();
        line.problem.logic.add_relation(relation)
    });
    let elems = line.elems;
    line.problem.orders.push(TotalOrder { elems, first, next });
    line.check(6, 36);
}

/// An order is asked for in the first state; what it is made of may change afterwards.
#[test]
fn an_order_that_is_there_at_first() {
    let mut line = Line::new([ALL, ALL], [NONE, ALL]);
    line.problem.logic.rel_mut(line.first).is_var = true;
    let logic = &mut line.problem.logic;
    let first = logic.relation(line.first);
    let none = logic.counted(Cardinality::No, first);
    let later = logic.temporal(UnaryTemporal::Eventually, none);
    line.problem.constraints.push(later);
    let mut search = Search::new(line.problem, Options::default(), Stop::never());
    assert!(matches!(search.find_next(), Ok(Found::Instance(_))));
}

/// Each atom is in one pair, and yet no two can be exchanged without leaving the bound.
#[test]
fn atoms_that_occur_as_often_as_others_are_not_the_same() {
    let mut universe = Universe::new();
    let atoms: Vec<Atom> = (0..4).map(|i| universe.add(format!("N${i}"))).collect();
    let pairs = [
        universe.encode(&[atoms[0], atoms[2]]),
        universe.encode(&[atoms[1], atoms[3]]),
    ];
    let mut problem = Problem::new(universe);
    let edges = problem.logic.add_relation(Relation {
        name: "e".into(),
        lower: TupleSet::empty(2),
        upper: TupleSet::from_indices(2, pairs.to_vec()),
        is_var: false,
    });
    let edges = problem.logic.relation(edges);
    let some = problem.logic.counted(Cardinality::Some, edges);
    problem.constraints.push(some);
    for symmetry in [0, 20] {
        let options = Options {
            symmetry,
            ..Options::default()
        };
        let mut search = Search::new(problem.clone(), options, Stop::never());
        let mut n_found = 0;
        while let Found::Instance(_) = search.find_next().expect("no limits are reached") {
            n_found += 1;
        }
        assert_eq!(n_found, 3, "with {symmetry}");
    }
}

/// A witness that breaks symmetries decides which instance is found first, and none that is found after it: written
/// with a quantifier or without, a constraint has the same instances.
#[test]
fn witnesses_do_not_change_what_is_enumerated() {
    let unmapped = |logic: &mut Logic, nodes: ExprId, edges: ExprId| {
        let domain = logic.join(edges, nodes);
        logic.difference(nodes, domain)
    };
    let with_witness = |logic: &mut Logic, nodes: ExprId, edges: ExprId| {
        let var = logic.add_variable("x", 1);
        let x = logic.var(var);
        let image = logic.join(x, edges);
        let body = logic.counted(Cardinality::No, image);
        let decl = Decl {
            var,
            mult: Multiplicity::One,
            domain: nodes,
        };
        logic.some(vec![decl], body)
    };
    let without = |logic: &mut Logic, nodes: ExprId, edges: ExprId| {
        let unmapped = unmapped(logic, nodes, edges);
        logic.counted(Cardinality::Some, unmapped)
    };
    // A witness for each atom: x maps to some y that maps to nothing but x.
    let with_function = |logic: &mut Logic, nodes: ExprId, edges: ExprId| {
        for_each(logic, nodes, |logic, x| {
            let var = logic.add_variable("y", 1);
            let y = logic.var(var);
            let domain = logic.join(x, edges);
            let image = logic.join(y, edges);
            let body = logic.equal(image, x);
            let decl = Decl {
                var,
                mult: Multiplicity::One,
                domain,
            };
            logic.some(vec![decl], body)
        })
    };
    for n_atoms in [2, 3] {
        let mut first = Model::new(n_atoms, 2);
        first.require(with_witness);
        let mut second = Model::new(n_atoms, 2);
        second.require(without);
        for symmetry in [1, 3, 20, 1000] {
            let [mut first, mut second] = [&first, &second].map(|it| it.instances(symmetry));
            first.sort_unstable();
            second.sort_unstable();
            assert_eq!(first, second, "{n_atoms} atoms, {symmetry} bits");
        }
        let mut function = Model::new(n_atoms, 2);
        function.require(with_function);
        let all = function.instances(0);
        for symmetry in [1, 3, 20, 1000] {
            let found = function.instances(symmetry);
            let distinct: BTreeSet<_> = found.iter().collect();
            assert_eq!(distinct.len(), found.len(), "none is found twice");
            assert_eq!(function.kinds(&found), function.kinds(&all), "one of each kind");
        }
    }
}
