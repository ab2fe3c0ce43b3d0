//! An instance of the relational engine as an instance of the model, in plain data.

use std::collections::BTreeMap;

use alloy_sema::ir::{self, Model, Mult, SigId, SigKind};
use relational::{Evaluator, ExprId, Instance, Problem, TupleSet, Universe, VarId};
use trace::{Atom, AtomId, Behaviour, Relation, RelationKind, Sig, SigOrigin, Tuple};
use util::FxHashMap;

use crate::atoms::name_atoms;
use crate::layout::Layout;

pub(crate) struct Presenter<'a> {
    pub model: &'a Model,
    pub problem: &'a Problem,
    pub layout: &'a Layout,
    pub scope: &'a ir::Scope,
    pub var_sources: &'a FxHashMap<VarId, ir::VarId>,
}

/// A relation to show: what it is, and its value in each state.
type Shown = (Relation, Vec<Vec<Tuple>>);

impl Presenter<'_> {
    pub(crate) fn present(&self, instance: &Instance) -> trace::Instance {
        let n_steps = instance.states.len();
        let universe = &self.problem.universe;
        let mut evaluator = Evaluator::new(self.problem, instance);
        let mut value = |expr: ExprId, step: usize| {
            evaluator
                .value(expr, step)
                .expect("relations and their unions have no quantifiers")
        };
        let named = name_atoms(self.model, universe, n_steps, |sig, step| {
            value(self.layout.sig(sig), step)
        });
        let atoms = named.into_iter().map(|it| Atom {
            name: it.name,
            sig: it.sig.map(SigId::index),
        });
        let mut shown: Vec<Shown> = vec![];
        for (id, sig) in self.model.sigs.iter() {
            let values = (0..n_steps).map(|step| tuples(universe, &value(self.layout.sig(id), step)));
            shown.push((self.sig_relation(id, sig), values.collect()));
        }
        for (id, field) in self.model.fields.iter() {
            let values = (0..n_steps).map(|step| tuples(universe, &value(self.layout.field(id), step)));
            shown.push((self.field_relation(field), values.collect()));
        }
        shown.extend(self.witnesses(instance));
        let (relations, values): (Vec<_>, Vec<_>) = shown.into_iter().unzip();
        let states = (0..n_steps).map(|step| values.iter().map(|steps| steps[step].clone()).collect());
        let is_temporal = self.scope.steps.is_some();
        trace::Instance {
            atoms: atoms.collect(),
            sigs: self.model.sigs.iter().map(|(_, sig)| self.sig(sig)).collect(),
            relations,
            states: Behaviour {
                states: states.collect(),
                loop_to: is_temporal.then_some(instance.loop_to),
            },
            bit_width: self.scope.bitwidth,
            max_seq: self.scope.max_seq,
        }
    }

    fn sig(&self, sig: &ir::Sig) -> Sig {
        let origin = match &sig.kind {
            SigKind::Builtin => SigOrigin::Builtin {
                parent: (sig.label.as_str() == "seq/Int").then(|| ir::builtin::int().index()),
            },
            SigKind::Top => SigOrigin::Top,
            SigKind::Extends(parent) => SigOrigin::Extends(parent.index()),
            SigKind::Subset { parents, exact } => SigOrigin::Subset {
                parents: parents.iter().map(|it| it.index()).collect(),
                is_exact: *exact,
            },
        };
        Sig {
            label: sig.label.to_string(),
            origin,
            is_abstract: sig.is_abstract,
            is_one: sig.mult == Mult::One,
            is_lone: sig.mult == Mult::Lone,
            is_some: sig.mult == Mult::Some,
            is_private: sig.is_private,
            is_meta: sig.is_meta,
            is_enum: sig.is_enum,
            is_var: sig.is_var,
        }
    }

    fn sig_relation(&self, id: SigId, sig: &ir::Sig) -> Relation {
        Relation {
            name: sig.name.to_string(),
            kind: RelationKind::Sig(id.index()),
            arity: 1,
            types: vec![vec![id.index()]],
            is_var: sig.is_var,
            is_private: sig.is_private,
            is_meta: sig.is_meta,
        }
    }

    fn field_relation(&self, field: &ir::Field) -> Relation {
        Relation {
            name: field.name.to_string(),
            kind: RelationKind::Field(field.sig.index()),
            arity: field.arity as usize,
            types: types(&field.ty),
            is_var: field.is_var,
            is_private: field.is_private,
            is_meta: field.is_meta,
        }
    }

    /// The witnesses at the top and their functions: a variable under `all y` is shown as a relation from y.
    fn witnesses(&self, instance: &Instance) -> Vec<Shown> {
        let universe = &self.problem.universe;
        let mut by_var: BTreeMap<VarId, Vec<Tuple>> = BTreeMap::new();
        let shown = instance
            .witnesses
            .iter()
            .filter(|it| it.step == 0 && self.var_sources.contains_key(&it.var));
        for witness in shown {
            let args = witness.args.iter().flat_map(|&(var, tuple)| {
                let arity = self.problem.logic.variable(var).arity;
                universe.decode(tuple, arity)
            });
            let args: Vec<_> = args.collect();
            let rows = by_var.entry(witness.var).or_default();
            for tuple in witness.value.iter() {
                let value = universe.decode(tuple, witness.value.arity());
                rows.push(
                    args.iter()
                        .copied()
                        .chain(value)
                        .map(|atom| AtomId(atom.0))
                        .collect(),
                );
            }
        }
        let n_steps = instance.states.len();
        let relation = |(var, mut rows): (VarId, Vec<Tuple>)| {
            rows.sort_unstable();
            rows.dedup();
            let variable = self.problem.logic.variable(var);
            let types = match &self.model.vars[self.var_sources[&var]].sort {
                ir::VarSort::Relation { ty, .. } => types(ty),
                _ => vec![],
            };
            let relation = Relation {
                name: variable.name.clone(),
                kind: RelationKind::Skolem,
                arity: rows.first().map_or(variable.arity, |row| row.len()),
                types,
                is_var: false,
                is_private: false,
                is_meta: false,
            };
            (relation, vec![rows; n_steps])
        };
        by_var.into_iter().map(relation).collect()
    }
}

pub(crate) fn tuples(universe: &Universe, set: &TupleSet) -> Vec<Tuple> {
    let decode = |tuple| universe.decode(tuple, set.arity());
    set.iter()
        .map(|tuple| decode(tuple).into_iter().map(|atom| AtomId(atom.0)).collect())
        .collect()
}

fn types(ty: &ir::Type) -> Vec<Vec<usize>> {
    ty.products
        .iter()
        .map(|product| product.iter().map(|sig| sig.index()).collect())
        .collect()
}
