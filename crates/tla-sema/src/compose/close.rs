//! Closing a conjunct: what binds names around it is put around it alone.
//!
//! `Rule(p) == Init(p) /\ [][Next(p)]_x`, called as `Rule(1)`, becomes `R(1)` with `R(p) == Init(p)`, and likewise for the action
//! and its subscript: a definition for each part, with the parameters of the original. Where the body sees names that are not its
//! own, because it is that of a `LAMBDA` or of an operator of a `LET`, it is `LET R(p) == Init(p) IN R(1)`. A quantifier around `[][A]_v` goes
//! inside, `[][\A p \in S : [A]_v]_…`, since `[]` and `\A` commute.

use source::Span;
use util::Symbol;

use super::walk::{Applied, Around, Leaf, Shape, argument_around};
use super::{Conjunct, ConjunctKind};
use crate::free_variables::{is_free_local, walk_with_lets};
use crate::ir::*;

pub(super) fn close(spec: &mut Spec, leaf: &Leaf) -> ConjunctKind {
    let around = &leaf.around;
    match leaf.shape {
        Shape::Initial => ConjunctKind::Initial(put_around(spec, around, leaf.expr)),
        Shape::Fairness => ConjunctKind::Fairness(put_around(spec, around, leaf.expr)),
        Shape::Other => ConjunctKind::Other(put_around(spec, around, leaf.expr)),
        Shape::Always(inner) => {
            let predicate = put_around(spec, around, inner);
            let next = builtin(spec, Builtin::Prime, predicate);
            ConjunctKind::Always { predicate, next }
        }
        Shape::Step { action, subscript } => {
            let moves = with_functions(spec, around, subscript);
            match around.iter().any(|it| matches!(it, Around::Forall(_))) {
                false => ConjunctKind::Step {
                    action: put_around(spec, around, action),
                    subscript: Some(moves),
                    moves: Some(moves),
                },
                true => {
                    let step = ExprKind::BoxAction { action, subscript };
                    let span = spec.exprs[leaf.expr].span;
                    let step = spec.exprs.alloc(Expr { kind: step, span });
                    ConjunctKind::Step {
                        action: put_around(spec, around, step),
                        subscript: None,
                        moves: Some(moves),
                    }
                }
            }
        }
    }
}

fn put_around(spec: &mut Spec, around: &[Around], inner: ExprId) -> ExprId {
    put(spec, around, inner, |bounds, body| ExprKind::Quant {
        kind: Quant::Forall,
        bounds,
        body,
    })
}

/// As [`put_around`] for a state function: what is quantified becomes a function.
fn with_functions(spec: &mut Spec, around: &[Around], inner: ExprId) -> ExprId {
    put(spec, around, inner, |bounds, body| ExprKind::FnLiteral {
        bounds,
        body,
    })
}

fn put(
    spec: &mut Spec,
    around: &[Around],
    inner: ExprId,
    quantified: impl Fn(Box<[Bound]>, ExprId) -> ExprKind,
) -> ExprId {
    // A parameter by itself is its argument.
    let (mut body, mut around) = (inner, around);
    while let ExprKind::Local(local) = spec.exprs[body].kind
        && let Some((arg, place)) = argument_around(local, around)
    {
        (body, around) = (arg, &around[..place]);
    }
    for it in around.iter().rev() {
        if !is_needed(spec, it, body) {
            continue;
        }
        let span = spec.exprs[body].span;
        let kind = match it {
            Around::Forall(bounds) => quantified(bounds.clone(), body),
            Around::Let(defs) => ExprKind::Let {
                defs: defs.clone(),
                body,
            },
            Around::Call { op, params, args, .. } => apply(spec, *op, params, args, body),
        };
        body = spec.exprs.alloc(Expr { kind, span });
    }
    body
}

/// A body that is an operator of its own, applied.
fn apply(spec: &mut Spec, op: Applied, params: &[LocalId], args: &[ExprId], body: ExprId) -> ExprKind {
    let part = match op {
        Applied::Def(def) | Applied::Inner(def) => Def {
            body,
            origin: None,
            ..spec.defs[def].clone()
        },
        Applied::Lambda => Def {
            name: Symbol::new("LAMBDA"),
            kind: DefKind::Operator,
            params: params.into(),
            body,
            span: spec.exprs[body].span,
            module: spec.root.unwrap_or(ModuleId::new(0)),
            local: true,
            recursive: false,
            origin: None,
        },
    };
    let part = spec.defs.alloc(part);
    let call = ExprKind::Call {
        op: Operator::Def(part),
        args: args.into(),
    };
    match op {
        Applied::Def(_) => call,
        Applied::Inner(_) | Applied::Lambda => {
            let span = spec.exprs[body].span;
            ExprKind::Let {
                defs: Box::new([part]),
                body: expr(spec, call, span),
            }
        }
    }
}

/// A conjunct as a formula again.
pub(super) fn formula(spec: &mut Spec, kind: ConjunctKind) -> ExprId {
    match kind {
        ConjunctKind::Initial(it) | ConjunctKind::Fairness(it) | ConjunctKind::Other(it) => it,
        ConjunctKind::Always { predicate, .. } => builtin(spec, Builtin::Always, predicate),
        ConjunctKind::Step {
            action, subscript, ..
        } => {
            let span = spec.exprs[action].span;
            let subscript = subscript.unwrap_or_else(|| {
                let variables: Vec<DeclId> = spec.variables().collect();
                let variables = variables
                    .into_iter()
                    .map(|it| expr(spec, ExprKind::Decl(it), span));
                let all = variables.collect();
                expr(spec, ExprKind::Tuple(all), span)
            });
            let step = expr(spec, ExprKind::BoxAction { action, subscript }, span);
            builtin(spec, Builtin::Always, step)
        }
    }
}

/// Whether something around an expression binds a name in it. What is not needed would hide that the expression is a variable,
/// or a tuple of them.
fn is_needed(spec: &Spec, around: &Around, expr: ExprId) -> bool {
    match around {
        // `\A x \in {} : F` is true.
        Around::Forall(_) => true,
        Around::Call { params, .. } => is_free_local(spec, expr, |it| params.contains(&it)),
        Around::Let(defs) => {
            let mut is_used = false;
            walk_with_lets(spec, expr, &mut |kind| {
                is_used |= matches!(kind, ExprKind::Call { op: Operator::Def(it), .. } | ExprKind::OpRef(Operator::Def(it)) if defs.contains(it));
            });
            is_used
        }
    }
}

/// Conjuncts that give each of these variables one value for ever. Which one makes no difference to anything.
pub(super) fn fixed(spec: &mut Spec, variables: &[DeclId]) -> Vec<Conjunct> {
    let mut all = vec![];
    for &decl in variables {
        let span = spec.decls[decl].span;
        let variable = expr(spec, ExprKind::Decl(decl), span);
        let value = expr(spec, ExprKind::Str(Symbol::new("any")), span);
        let equal = ExprKind::Builtin {
            op: Builtin::Eq,
            args: Box::new([variable, value]),
        };
        let initial = expr(spec, equal, span);
        let unchanged = builtin(spec, Builtin::Unchanged, variable);
        let kinds = [
            ConjunctKind::Initial(initial),
            ConjunctKind::Step {
                action: unchanged,
                subscript: None,
                moves: Some(variable),
            },
        ];
        all.extend(kinds.map(|kind| Conjunct {
            kind,
            span,
            names: vec![],
            home: None,
            rule: None,
            on: true,
            fixes: true,
        }));
    }
    all
}

fn builtin(spec: &mut Spec, op: Builtin, arg: ExprId) -> ExprId {
    let span = spec.exprs[arg].span;
    let kind = ExprKind::Builtin {
        op,
        args: Box::new([arg]),
    };
    expr(spec, kind, span)
}

fn expr(spec: &mut Spec, kind: ExprKind, span: Span) -> ExprId {
    spec.exprs.alloc(Expr { kind, span })
}
