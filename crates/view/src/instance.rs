//! Instances of relational models in every form that people and programs read.
//!
//! Each view is a function from an [`trace::Instance`] (and a state of it) to text. Names of atoms are kept as
//! they are, but in tables and steps, where `Board$0` is `Board⁰`.

mod graph;
mod steps;
mod table;
mod text;
mod tree;
mod xml;

pub use graph::{dot, svg};
pub use steps::{Steps, snapshot, steps};
pub use table::tables;
pub use text::lines;
pub use tree::tree;
pub use xml::{About, xml};

use trace::{Instance, RelationKind, Sig, SigOrigin};

/// The sigs to show, with the relations that hold their values: those that a person has written and not hidden.
fn shown_sigs(instance: &Instance) -> impl Iterator<Item = (usize, &Sig, usize)> {
    let relations = instance.relations.iter().enumerate();
    relations.filter_map(|(relation, it)| match it.kind {
        RelationKind::Sig(sig) => {
            let declared = &instance.sigs[sig];
            let is_hidden = declared.is_private
                || declared.is_meta
                || matches!(declared.origin, SigOrigin::Builtin { .. });
            (!is_hidden).then_some((sig, declared, relation))
        }
        _ => None,
    })
}

/// The fields of a sig that are to be shown, as indices of the instance's relations.
fn shown_fields(instance: &Instance, sig: usize) -> Vec<usize> {
    let relations = instance.relations.iter().enumerate();
    relations
        .filter(|(_, it)| it.kind == RelationKind::Field(sig) && !it.is_private && !it.is_meta)
        .map(|it| it.0)
        .collect()
}

/// The sig and those that it extends.
fn ancestors(instance: &Instance, sig: usize) -> Vec<usize> {
    let mut line = vec![sig];
    let mut at = sig;
    while let SigOrigin::Extends(parent) = instance.sigs[at].origin {
        line.push(parent);
        at = parent;
    }
    line
}

fn skolems(instance: &Instance) -> impl Iterator<Item = (usize, &trace::Relation)> {
    let relations = instance.relations.iter().enumerate();
    relations.filter(|(_, it)| it.kind == RelationKind::Skolem)
}

/// `A$0->B$1`
fn arrow(instance: &Instance, tuple: &[trace::AtomId]) -> String {
    let names: Vec<&str> = tuple.iter().map(|&it| instance.name(it)).collect();
    names.join("->")
}

#[cfg(test)]
mod tests;
