//! What is to be checked, as expressions of the resolved specification.

use tla_sema::Spec;
use tla_sema::ir::{Builtin, DeclId, DefId, ExprId, ExprKind, Level, Operator};
use util::Symbol;

use crate::compile::Override;

/// A named formula.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    pub name: Symbol,
    pub expr: ExprId,
}

/// One `[][action]_subscript` of a specification.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub name: Option<Symbol>,
    pub action: ExprId,
    pub subscript: Option<ExprId>,
}

/// Everything that a check needs to know.
#[derive(Clone, Debug, Default)]
pub struct Plan<'i> {
    pub init: Vec<ExprId>,
    pub next: Vec<Rule>,
    pub fairness: Vec<ExprId>,
    pub invariants: Vec<Named>,
    /// `[][A]_v` as properties: the action, with its subscript.
    pub action_properties: Vec<(Named, Rule)>,
    pub constraints: Vec<Named>,
    pub action_constraints: Vec<Named>,
    pub view: Option<ExprId>,
    pub symmetry: Option<ExprId>,
    pub assumptions: Vec<ExprId>,
    pub postconditions: Vec<Named>,
    pub constants: Vec<(DeclId, Override<'i>)>,
    pub definitions: Vec<(DefId, Override<'i>)>,
    pub check_deadlock: bool,
}

/// The parts of a temporal formula that is a conjunction.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub init: Vec<ExprId>,
    pub rules: Vec<Rule>,
    /// `[]P` for a state predicate.
    pub always: Vec<ExprId>,
    pub fairness: Vec<ExprId>,
    /// What fits none of these.
    pub other: Vec<ExprId>,
}

/// Takes a conjunction apart, through definitions and parentheses: `Init /\ [][Next]_v /\ WF_v(Next)`.
pub fn split(spec: &Spec, expr: ExprId) -> Parts {
    let mut parts = Parts::default();
    let mut levels = tla_sema::Levels::new(spec);
    let mut todo = vec![(expr, None)];
    while let Some((id, name)) = todo.pop() {
        let level = levels.of(id);
        if level <= Level::State {
            parts.init.push(id);
            continue;
        }
        match &spec.exprs[id].kind {
            ExprKind::Builtin { op: Builtin::And, args } => todo.extend(args.iter().rev().map(|&it| (it, name))),
            ExprKind::Label { body, .. } => todo.push((*body, name)),
            ExprKind::Let { body, .. } => todo.push((*body, name)),
            ExprKind::Call { op: Operator::Def(def), args } if args.is_empty() && !spec.defs[*def].recursive => {
                todo.push((spec.defs[*def].body, Some(spec.defs[*def].name)));
            }
            ExprKind::Builtin { op: Builtin::Always, args } => match &spec.exprs[args[0]].kind {
                ExprKind::BoxAction { action, subscript } => {
                    parts.rules.push(Rule { name, action: *action, subscript: Some(*subscript) });
                }
                _ if levels.of(args[0]) <= Level::State => parts.always.push(args[0]),
                // `[](A /\ B)` of always-formulas is a conjunction of them.
                ExprKind::Builtin { op: Builtin::And, .. } => parts.other.push(id),
                _ => parts.other.push(id),
            },
            ExprKind::Fairness { .. } => parts.fairness.push(id),
            ExprKind::Quant { kind: tla_sema::ir::Quant::Forall, body, .. }
                if matches!(spec.exprs[*body].kind, ExprKind::Fairness { .. }) =>
            {
                parts.fairness.push(id);
            }
            _ => parts.other.push(id),
        }
    }
    parts
}
