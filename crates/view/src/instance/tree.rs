//! Sigs, their atoms, the fields of each atom and their values, indented.

use trace::{Instance, Tuple};

use super::{ancestors, arrow, shown_fields, shown_sigs, skolems};

/// A branch: what it is called, and what is below it.
struct Branch {
    name: String,
    below: Vec<Branch>,
}

pub fn tree(instance: &Instance, state: usize) -> String {
    let mut top: Vec<Branch> = vec![];
    for (sig, declared, relation) in shown_sigs(instance) {
        let atoms = instance.tuples(relation, state).iter().map(|it| it[0]);
        // An atom is shown once, below its most specific sig; subsets only name theirs.
        let below = atoms.filter_map(|atom| {
            let own = instance.atoms[atom.0 as usize].sig;
            let is_subset = matches!(declared.origin, trace::SigOrigin::Subset { .. });
            (own == Some(sig) || is_subset).then(|| atom_branch(instance, state, atom, sig))
        });
        top.push(Branch {
            name: declared.label.clone(),
            below: below.collect(),
        });
    }
    for (relation, it) in skolems(instance) {
        top.push(Branch {
            name: it.name.clone(),
            below: leaves(instance, instance.tuples(relation, state).iter(), 0),
        });
    }
    top.retain(|it| !it.below.is_empty());
    let mut text = String::new();
    for branch in &top {
        text += &format!("{}\n", branch.name);
        draw(&branch.below, "", &mut text);
    }
    text
}

fn atom_branch(instance: &Instance, state: usize, atom: trace::AtomId, sig: usize) -> Branch {
    let fields = ancestors(instance, sig)
        .into_iter()
        .flat_map(|it| shown_fields(instance, it));
    let below = fields.map(|field| {
        let tuples = instance.tuples(field, state).iter().filter(|it| it[0] == atom);
        Branch {
            name: instance.relations[field].name.clone(),
            below: leaves(instance, tuples, 1),
        }
    });
    Branch {
        name: instance.name(atom).to_string(),
        below: below.collect(),
    }
}

fn leaves<'t>(instance: &Instance, tuples: impl Iterator<Item = &'t Tuple>, skip: usize) -> Vec<Branch> {
    tuples
        .map(|it| Branch {
            name: arrow(instance, &it[skip..]),
            below: vec![],
        })
        .collect()
}

fn draw(branches: &[Branch], indent: &str, text: &mut String) {
    for (i, branch) in branches.iter().enumerate() {
        let is_last = i + 1 == branches.len();
        let (arm, more) = if is_last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        *text += &format!("{indent}{arm}{}\n", branch.name);
        draw(&branch.below, &format!("{indent}{more}"), text);
    }
}
