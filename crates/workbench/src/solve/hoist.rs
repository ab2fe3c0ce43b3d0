//! A cost, taken apart into what depends on the step alone and what depends on the cost state.
//!
//! A step is met with as many cost states as its state has, so what does not depend on them is evaluated once for each step
//! and given to the rest as a value. Where the rest reads nothing else, its value is known for all steps with the same
//! parts: `IF slid = board \ board' THEN 0 ELSE 1` becomes `IF slid = part THEN 0 ELSE 1`, a table of two columns.

use tla_sema::ir::{Builtin, Def, DefId, Expr, ExprId, ExprKind, Level, Local, LocalId};
use tla_sema::{Levels, Spec};
use util::Symbol;

/// A cost in parts.
#[derive(Clone, Debug)]
pub(super) struct Hoisted {
    /// What depends on the step alone.
    pub parts: Vec<DefId>,
    /// The cost, of the cost state and the parts.
    pub rest: DefId,
}

/// More parts than this are not worth a table.
pub(super) const PARTS_MAX: usize = 3;

/// Takes the cost with one parameter apart; nothing where more than parts would be left to read.
pub(super) fn hoist(spec: &mut Spec, def: DefId) -> Option<Hoisted> {
    let cost = spec.defs[def].clone();
    let [parameter] = cost.params[..] else { return None };
    let mut parts = vec![];
    let body = rewrite(spec, cost.body, parameter, &mut parts);
    let left = Levels::new(spec).of(body);
    if parts.is_empty() || parts.len() > PARTS_MAX || left > Level::Constant || cost.recursive {
        return None;
    }
    let params = std::iter::once(parameter)
        .chain(parts.iter().map(|it| it.0))
        .collect();
    let rest = spec.defs.alloc(Def { params, body, ..cost });
    Some(Hoisted {
        parts: parts.into_iter().map(|it| it.1).collect(),
        rest,
    })
}

/// The expression with parts in place of what does not mention the parameter.
fn rewrite(spec: &mut Spec, at: ExprId, parameter: LocalId, parts: &mut Vec<(LocalId, DefId)>) -> ExprId {
    util::deep(|| rewrite_here(spec, at, parameter, parts))
}

fn rewrite_here(
    spec: &mut Spec,
    at: ExprId,
    parameter: LocalId,
    parts: &mut Vec<(LocalId, DefId)>,
) -> ExprId {
    if !mentions(spec, at, parameter) {
        return match Levels::new(spec).of(at) {
            Level::Constant => at,
            _ => part(spec, at, parameter, parts),
        };
    }
    let Expr { kind, span } = spec.exprs[at].clone();
    let kind = match kind {
        ExprKind::If { test, then, other } => ExprKind::If {
            test: rewrite(spec, test, parameter, parts),
            then: rewrite(spec, then, parameter, parts),
            other: rewrite(spec, other, parameter, parts),
        },
        // What is primed means something else where it stands.
        ExprKind::Builtin { op, args } if op != Builtin::Prime => ExprKind::Builtin {
            op,
            args: args
                .iter()
                .map(|&it| rewrite(spec, it, parameter, parts))
                .collect(),
        },
        _ => return at,
    };
    spec.exprs.alloc(Expr { kind, span })
}

fn part(spec: &mut Spec, at: ExprId, parameter: LocalId, parts: &mut Vec<(LocalId, DefId)>) -> ExprId {
    let span = spec.exprs[at].span;
    let local = spec.locals.alloc(Local {
        name: Symbol::new("part"),
        ..spec.locals[parameter]
    });
    let Some(origin) = spec.defs.iter().next().map(|it| it.1.clone()) else {
        return at;
    };
    let def = spec.defs.alloc(Def {
        name: Symbol::new("part"),
        params: [].into(),
        body: at,
        span,
        recursive: false,
        origin: None,
        ..origin
    });
    parts.push((local, def));
    spec.exprs.alloc(Expr {
        kind: ExprKind::Local(local),
        span,
    })
}

/// Whether an expression, with the definitions inside it, mentions a name.
pub(super) fn mentions(spec: &Spec, at: ExprId, local: LocalId) -> bool {
    let mut todo = vec![at];
    while let Some(at) = todo.pop() {
        let mut found = false;
        tla_sema::walk(spec, at, &mut |kind| match kind {
            ExprKind::Local(it) => found |= *it == local,
            ExprKind::Let { defs, .. } => todo.extend(defs.iter().map(|&it| spec.defs[it].body)),
            _ => {}
        });
        if found {
            return true;
        }
    }
    false
}
