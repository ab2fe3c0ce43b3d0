//! Names of atoms, as the Analyzer gives them: after the most specific sig that an atom is found in, with a number.

use alloy_sema::ir::{Model, SigId, SigKind};
use relational::{Atom, TupleSet, Universe};

pub(crate) struct Named {
    pub name: String,
    pub sig: Option<SigId>,
}

/// `value(sig, step)` is what a sig holds in a state. Integers and strings keep the names they have.
pub(crate) fn name_atoms(
    model: &Model,
    universe: &Universe,
    n_steps: usize,
    mut value: impl FnMut(SigId, usize) -> TupleSet,
) -> Vec<Named> {
    let mut found: Vec<Option<SigId>> = vec![None; universe.len()];
    let depth_first = specific_first(model);
    for step in 0..n_steps {
        for &sig in &depth_first {
            for atom in value(sig, step).atoms() {
                found[atom.index()].get_or_insert(sig);
            }
        }
    }
    let mut n_named = vec![0; model.sigs.len()];
    let names = universe.atoms().map(|atom: Atom| {
        let sig = found[atom.index()];
        let name = match sig.filter(|&sig| model.sigs[sig].kind != SigKind::Builtin) {
            Some(sig) => {
                let number = n_named[sig.index()];
                n_named[sig.index()] += 1;
                let label = model.sigs[sig].label.as_str();
                format!("{}${number}", label.strip_prefix("this/").unwrap_or(label))
            }
            None => universe.name(atom).to_owned(),
        };
        Named { name, sig }
    });
    names.collect()
}

/// Children before their parents; no subset sigs, for an atom does not belong to these by birth.
fn specific_first(model: &Model) -> Vec<SigId> {
    let mut order = vec![];
    let roots = model
        .sigs
        .iter()
        .filter(|(_, sig)| matches!(sig.kind, SigKind::Top));
    for (root, _) in roots {
        let mut stack = vec![(root, false)];
        while let Some((sig, is_done)) = stack.pop() {
            if is_done {
                order.push(sig);
            } else {
                stack.push((sig, true));
                stack.extend(model.sigs[sig].children.iter().rev().map(|&child| (child, false)));
            }
        }
    }
    order.extend([alloy_sema::ir::builtin::int(), alloy_sema::ir::builtin::string()]);
    order
}
