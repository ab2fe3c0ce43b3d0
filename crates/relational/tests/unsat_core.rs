//! Reasons for having no instance: complete, and nothing too much.

use relational::*;

/// A function `f` on a set of `n` atoms, with named constraints to choose from.
struct Functions {
    problem: Problem,
    names: Vec<&'static str>,
}

impl Functions {
    fn new(n_atoms: usize) -> Functions {
        let mut universe = Universe::new();
        let atoms: Vec<Atom> = (0..n_atoms).map(|i| universe.add(format!("A${i}"))).collect();
        let n_pairs = universe.n_tuples(2).expect("small");
        let mut problem = Problem::new(universe);
        let all = TupleSet::of_atoms(atoms);
        let set = problem.logic.add_relation(Relation {
            name: "A".into(),
            lower: all.clone(),
            upper: all,
            is_var: false,
        });
        let f = problem.logic.add_relation(Relation {
            name: "f".into(),
            lower: TupleSet::empty(2),
            upper: TupleSet::from_indices(2, (0..n_pairs).collect()),
            is_var: false,
        });
        let logic = &mut problem.logic;
        let (set, f) = (logic.relation(set), logic.relation(f));
        let back = logic.transpose(f);
        let iden = logic.iden();
        let closure = logic.closure(f);
        let mut each = |relation: ExprId, cardinality: Cardinality| {
            let var = logic.add_variable("x", 1);
            let x = logic.var(var);
            let image = logic.join(x, relation);
            let body = logic.counted(cardinality, image);
            let decl = Decl {
                var,
                mult: Multiplicity::One,
                domain: set,
            };
            logic.all(vec![decl], body)
        };
        let total = each(f, Cardinality::One);
        let injective = each(back, Cardinality::Lone);
        let partial = each(f, Cardinality::Lone);
        let loops = logic.intersection(closure, iden);
        let acyclic = logic.counted(Cardinality::No, loops);
        let fixpoints = logic.intersection(f, iden);
        let some_fixpoint = logic.counted(Cardinality::Some, fixpoints);
        let some = logic.counted(Cardinality::Some, f);
        problem.constraints = vec![some, injective, acyclic, partial, total, some_fixpoint];
        Functions {
            problem,
            names: vec!["some", "injective", "acyclic", "partial", "total", "fixpoint"],
        }
    }

    fn core(&self, chosen: &[&str]) -> Vec<&'static str> {
        let mut problem = self.problem.clone();
        let kept: Vec<usize> = (0..self.names.len())
            .filter(|&i| chosen.contains(&self.names[i]))
            .collect();
        problem.constraints = kept.iter().map(|&i| self.problem.constraints[i]).collect();
        let core = unsat_core(&problem, &Options::default(), &Stop::never()).expect("no limits are reached");
        core.into_iter().map(|i| self.names[kept[i]]).collect()
    }
}

#[test]
fn only_what_conflicts_is_blamed() {
    let functions = Functions::new(4);
    // A total function on a finite set has a cycle.
    assert_eq!(
        functions.core(&["some", "injective", "acyclic", "partial", "total"]),
        ["acyclic", "total"]
    );
    assert_eq!(
        functions.core(&["some", "acyclic", "injective", "fixpoint"]),
        ["acyclic", "fixpoint"]
    );
}

#[test]
fn bounds_alone_may_be_the_reason() {
    let functions = Functions::new(0);
    assert_eq!(functions.core(&["some", "total"]), ["some"]);
}

#[test]
fn traces_of_all_lengths_are_excluded() {
    let mut universe = Universe::new();
    let atom = universe.add("A$0");
    let mut problem = Problem::new(universe);
    let lamp = problem.logic.add_relation(Relation {
        name: "lamp".into(),
        lower: TupleSet::empty(1),
        upper: TupleSet::of_atoms([atom]),
        is_var: true,
    });
    let logic = &mut problem.logic;
    let lamp = logic.relation(lamp);
    let on = logic.counted(Cardinality::Some, lamp);
    let off = logic.not(on);
    let later_off = logic.temporal(UnaryTemporal::After, off);
    let ever_off = logic.temporal(UnaryTemporal::Eventually, off);
    let always_on = logic.temporal(UnaryTemporal::Always, on);
    problem.constraints = vec![on, always_on, ever_off, later_off];
    let core = unsat_core(&problem, &Options::default(), &Stop::never()).expect("no limits are reached");
    // `always on` with either of the others: with both, one would be too much.
    assert_eq!(core.len(), 2);
    assert!(core.contains(&1));
}
