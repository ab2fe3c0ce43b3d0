//! Which variables a formula speaks of, through the definitions that it calls.

use std::collections::BTreeSet;

use util::{FxHashMap, FxHashSet};

use crate::instance::{children, walk};
use crate::ir::*;

/// Answers for one specification; what definitions mention is found once.
pub struct FreeVariables<'s> {
    spec: &'s Spec,
    /// Definitions that mean others in a model.
    instead: FxHashMap<DefId, DefId>,
    known: FxHashMap<DefId, BTreeSet<DeclId>>,
}

impl<'s> FreeVariables<'s> {
    pub fn new(spec: &'s Spec, instead: &FxHashMap<DefId, DefId>) -> FreeVariables<'s> {
        FreeVariables {
            spec,
            instead: instead.clone(),
            known: FxHashMap::default(),
        }
    }

    /// The variables that an expression mentions.
    pub fn of(&mut self, expr: ExprId) -> BTreeSet<DeclId> {
        let (mut variables, calls) = self.here(expr);
        let mut todo = calls;
        let mut seen: FxHashSet<DefId> = FxHashSet::default();
        while let Some(def) = todo.pop() {
            if !seen.insert(def) {
                continue;
            }
            if let Some(known) = self.known.get(&def) {
                variables.extend(known);
                continue;
            }
            let (own, calls) = self.here(self.spec.defs[def].body);
            variables.extend(&own);
            // A definition that calls no other is known from now on; the others are walked through.
            match calls.is_empty() {
                true => {
                    self.known.insert(def, own);
                }
                false => todo.extend(calls),
            }
        }
        variables
    }

    /// The variables in an expression itself, and the definitions that it calls or makes.
    fn here(&self, expr: ExprId) -> (BTreeSet<DeclId>, Vec<DefId>) {
        let (mut variables, mut calls) = (BTreeSet::new(), vec![]);
        let spec = self.spec;
        walk(spec, expr, &mut |kind| match kind {
            ExprKind::Decl(decl) if spec.decls[*decl].kind == DeclKind::Variable => {
                variables.insert(*decl);
            }
            ExprKind::Call {
                op: Operator::Def(def),
                ..
            }
            | ExprKind::OpRef(Operator::Def(def)) => {
                calls.push(self.instead.get(def).copied().unwrap_or(*def));
            }
            ExprKind::Let { defs, .. } => calls.extend(defs),
            _ => {}
        });
        (variables, calls)
    }
}

/// Whether an expression mentions one of these bound names, itself or in a definition of a `LET` in it.
pub(crate) fn is_free_local(spec: &Spec, expr: ExprId, wanted: impl Fn(LocalId) -> bool) -> bool {
    let mut found = false;
    walk_with_lets(spec, expr, &mut |kind| {
        found |= match kind {
            ExprKind::Local(local)
            | ExprKind::OpRef(Operator::Local(local))
            | ExprKind::Call {
                op: Operator::Local(local),
                ..
            } => wanted(*local),
            _ => false,
        };
    });
    found
}

/// Visits an expression and everything in it once, with the definitions that it makes.
pub(crate) fn walk_with_lets(spec: &Spec, expr: ExprId, visit: &mut impl FnMut(&ExprKind)) {
    let mut todo = vec![expr];
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        let kind = &spec.exprs[id].kind;
        visit(kind);
        children(kind, &mut |it| todo.push(it));
        if let ExprKind::Let { defs, .. } = kind {
            todo.extend(defs.iter().map(|&it| spec.defs[it].body));
        }
    }
}
