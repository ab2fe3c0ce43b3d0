//! The model of a specification that has no configuration: well-known names, and its theorems.
//!
//! `Spec` (or `Init` and `Next`) gives the behaviours, and each `THEOREM Spec => P` says that `P` is to be checked: as an
//! invariant if it is `[]` of a state predicate, otherwise as a property.

use diag::Diagnostic;
use util::Symbol;

use super::{Behaviour, Formula, Model};
use crate::diagnostics as errors;
use crate::ir::*;
use crate::level::Levels;

/// What a specification without errors asks to be checked by itself.
pub fn default_model(spec: &mut Spec) -> (Model, Vec<Diagnostic>) {
    match spec.root {
        Some(root) => default_model_of(spec, root),
        None => (Model::default(), vec![]),
    }
}

/// As [`default_model`], with the theorems of another module than the root.
pub fn default_model_of(spec: &mut Spec, module: ModuleId) -> (Model, Vec<Diagnostic>) {
    let mut model = Model::default();
    let mut diagnostics = vec![];
    let root = &spec.modules[module];
    let (name, name_span) = (root.name, root.name_span);
    for decl in spec.constants() {
        let Decl {
            name, arity, span, ..
        } = spec.decls[decl];
        diagnostics.push(errors::config_missing_constant(name, None, span, arity));
    }
    match (call(spec, "Spec"), call(spec, "Init"), call(spec, "Next")) {
        (Some(specification), ..) => {
            claims(spec, module, &specification, &mut model);
            model.behaviour = Behaviour::Specification(specification);
        }
        (None, Some(init), Some(next)) => {
            model.behaviour = Behaviour::InitNext {
                init,
                next: Some(next),
            }
        }
        _ if spec.variables().next().is_none() => {}
        _ => diagnostics.push(errors::no_behaviour(name, name_span)),
    }
    (model, diagnostics)
}

/// The definition of this name without parameters, applied.
fn call(spec: &mut Spec, name: &str) -> Option<Formula> {
    let def = spec.lookup_def(name)?;
    let Def {
        name,
        span,
        ref params,
        ..
    } = spec.defs[def];
    if !params.is_empty() {
        return None;
    }
    let kind = ExprKind::Call {
        op: Operator::Def(def),
        args: Box::default(),
    };
    let expr = spec.exprs.alloc(Expr { kind, span });
    Some(Formula { name, expr, span })
}

/// What the theorems claim of the specification.
fn claims(spec: &Spec, module: ModuleId, specification: &Formula, model: &mut Model) {
    let mut levels = Levels::new(spec);
    for theorem in &spec.modules[module].theorems {
        let Some(body) = theorem.body else { continue };
        let ExprKind::Builtin {
            op: Builtin::Implies,
            args,
        } = &spec.exprs[body].kind
        else {
            continue;
        };
        if !is_call_of(spec, args[0], specification.name) {
            continue;
        }
        let mut conjuncts = vec![];
        split(spec, args[1], &mut conjuncts);
        for claim in conjuncts {
            let formula = |expr: ExprId| {
                let name = theorem
                    .name
                    .unwrap_or_else(|| name_of(spec, expr, theorem.keyword));
                Formula {
                    name,
                    expr,
                    span: spec.exprs[expr].span,
                }
            };
            match &spec.exprs[claim].kind {
                ExprKind::Builtin {
                    op: Builtin::Always,
                    args,
                } if levels.of(args[0]) <= Level::State => {
                    model.invariants.push(formula(args[0]));
                }
                _ => model.properties.push(formula(claim)),
            }
        }
    }
}

fn is_call_of(spec: &Spec, expr: ExprId, name: Symbol) -> bool {
    matches!(spec.exprs[expr].kind, ExprKind::Call { op: Operator::Def(def), .. } if spec.defs[def].name == name)
}

/// The conjuncts of a formula.
fn split(spec: &Spec, expr: ExprId, conjuncts: &mut Vec<ExprId>) {
    match &spec.exprs[expr].kind {
        ExprKind::Builtin {
            op: Builtin::And,
            args,
        } => {
            util::deep(|| args.iter().for_each(|&it| split(spec, it, conjuncts)));
        }
        _ => conjuncts.push(expr),
    }
}

/// A claim is called by the definition that it consists of.
fn name_of(spec: &Spec, expr: ExprId, otherwise: Symbol) -> Symbol {
    match spec.exprs[expr].kind {
        ExprKind::Call {
            op: Operator::Def(def),
            ..
        } => spec.defs[def].name,
        _ => otherwise,
    }
}
