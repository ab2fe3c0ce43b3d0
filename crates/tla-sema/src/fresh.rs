//! `Null == CHOOSE x : x \notin S`: the idiom for a value that is nothing else.

use crate::ir::{Builtin, Def, ExprId, ExprKind, Pattern, Spec};

/// Whether a definition means some value that is nothing else; whoever evaluates it takes a model value of that name.
pub fn is_fresh_value(spec: &Spec, definition: &Def) -> bool {
    let ExprKind::UnboundedChoose {
        pattern: Pattern::One(local),
        body,
    } = &spec.exprs[definition.body].kind
    else {
        return false;
    };
    let is_name = |it: ExprId| matches!(spec.exprs[it].kind, ExprKind::Local(name) if name == *local);
    match &spec.exprs[*body].kind {
        ExprKind::Builtin {
            op: Builtin::NotIn,
            args,
        } => is_name(args[0]),
        ExprKind::Builtin {
            op: Builtin::Not,
            args,
        } => match &spec.exprs[args[0]].kind {
            ExprKind::Builtin {
                op: Builtin::In,
                args,
            } => is_name(args[0]),
            _ => false,
        },
        _ => false,
    }
}
