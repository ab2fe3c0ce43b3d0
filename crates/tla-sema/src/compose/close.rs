//! Closing a conjunct: what binds names around it is put around it alone.
//!
//! `Rule(p) == Init(p) /\ [][Next(p)]_x`, called as `Rule(1)`, becomes `R(1)` with `R(p) == Init(p)`, and likewise for the action
//! and its subscript: a definition for each part, with the parameters of the original. A quantifier around `[][A]_v` goes
//! inside, `[][\A p \in S : [A]_v]_…`, since `[]` and `\A` commute.

use source::Span;
use util::Symbol;

use super::walk::{Around, Leaf, Shape};
use super::{Conjunct, ConjunctKind};
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
    let mut body = inner;
    for it in around.iter().rev() {
        let span = spec.exprs[body].span;
        let kind = match it {
            Around::Forall(bounds) => quantified(bounds.clone(), body),
            Around::Let(defs) => ExprKind::Let {
                defs: defs.clone(),
                body,
            },
            Around::Call { def, args } => {
                let part = Def {
                    body,
                    origin: None,
                    ..spec.defs[*def].clone()
                };
                ExprKind::Call {
                    op: Operator::Def(spec.defs.alloc(part)),
                    args: args.clone(),
                }
            }
        };
        body = spec.exprs.alloc(Expr { kind, span });
    }
    body
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
