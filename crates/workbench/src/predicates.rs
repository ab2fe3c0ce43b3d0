//! The definitions of a specification that are true or false of a state: what one may want to reach, or to watch.

use tla_sema::Levels;
use tla_sema::ir::{Builtin, DefId, DefKind, ExprId, ExprKind, Level, Operator};
use util::deep;

use crate::tla::TlaFile;

/// Names of definitions without parameters that are state predicates, in the order of the text. What a formula is can only
/// be told from its outermost operators, so a definition in doubt is left out.
pub fn state_predicates(file: &TlaFile) -> Vec<String> {
    let spec = &file.spec;
    let Some(root) = spec.root() else { return vec![] };
    let mut levels = Levels::new(spec);
    let is_predicate = |&id: &DefId| {
        let def = &spec.defs[id];
        def.kind == DefKind::Operator
            && def.params.is_empty()
            && !def.local
            && levels.of(def.body) == Level::State
            && is_boolean(file, def.body, 0)
    };
    let defs = root.defs.iter().copied().filter(is_predicate);
    defs.map(|it| spec.defs[it].name.to_string()).collect()
}

/// A chain of definitions longer than this is not followed.
const DEPTH_MAX: usize = 64;

fn is_boolean(file: &TlaFile, expr: ExprId, depth: usize) -> bool {
    if depth > DEPTH_MAX {
        return false;
    }
    let of = |it: ExprId| deep(|| is_boolean(file, it, depth + 1));
    match &file.spec.exprs[expr].kind {
        ExprKind::Bool(_) | ExprKind::Quant { .. } | ExprKind::UnboundedQuant { .. } => true,
        ExprKind::Builtin { op, .. } => matches!(
            op,
            Builtin::And
                | Builtin::Or
                | Builtin::Not
                | Builtin::Implies
                | Builtin::Equiv
                | Builtin::Eq
                | Builtin::Neq
                | Builtin::In
                | Builtin::NotIn
                | Builtin::SubsetEq
                | Builtin::Enabled
        ),
        ExprKind::If { then, .. } => of(*then),
        ExprKind::Case { arms, .. } => arms.first().is_some_and(|it| of(it.1)),
        ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => of(*body),
        ExprKind::Call {
            op: Operator::Def(def),
            ..
        } => {
            let def = &file.spec.defs[*def];
            match file.spec.modules[def.module].is_library {
                // Comparisons of numbers and predicates of the library.
                true => matches!(
                    def.name.as_str(),
                    "<" | ">" | "\\leq" | "\\geq" | "<=" | "=<" | ">=" | "IsFiniteSet"
                ),
                false => of(def.body),
            }
        }
        _ => false,
    }
}
