//! Trees as text that shows their shape and nothing else, so that two trees can be compared without their spans.

use alloy_syntax::ast::{Decl, Expr, ExprId, ExprKind, Exprs, Mult};

pub fn shape(exprs: &Exprs, id: ExprId) -> String {
    let Expr { kind, .. } = &exprs[id];
    let sub = |it: &ExprId| shape(exprs, *it);
    let list = |items: &[ExprId]| items.iter().map(sub).collect::<Vec<_>>().join(" ");
    match kind {
        ExprKind::Error => "<error>".to_owned(),
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Str(text) => format!("{:?}", text.as_str()),
        ExprKind::Const(word) => format!("{word:?}"),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::PrimedName { base, primes } => format!("{base}{}", "'".repeat(*primes as usize)),
        ExprKind::At(name) => format!("@{name}"),
        ExprKind::Unary(op, a) => format!("({op:?} {})", sub(a)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", sub(a), sub(b)),
        ExprKind::Arrow {
            left,
            left_mult,
            right_mult,
            right,
        } => format!(
            "({}->{} {} {})",
            mult(*left_mult),
            mult(*right_mult),
            sub(left),
            sub(right)
        ),
        ExprKind::Apply(a, args) => format!("({}[{}])", sub(a), list(args)),
        ExprKind::If(a, b, c) => format!("(If {} {} {})", sub(a), sub(b), sub(c)),
        ExprKind::Quantified {
            quantifier,
            decls,
            body,
        } => format!("({quantifier:?} {}| {})", shape_decls(exprs, decls), sub(body)),
        ExprKind::Comprehension { decls, body } => {
            format!(
                "(Set {}| {})",
                shape_decls(exprs, decls),
                body.as_ref().map_or(String::new(), sub)
            )
        }
        ExprKind::Let { name, value, body } => format!("(Let {} {} {})", name.text, sub(value), sub(body)),
        ExprKind::Block(items) => format!("{{{}}}", list(items)),
    }
}

pub fn shape_decls(exprs: &Exprs, decls: &[Decl]) -> String {
    let mut text = String::new();
    for decl in decls {
        let words = [
            (decl.var.is_some(), "var "),
            (decl.private.is_some(), "private "),
            (decl.disj.is_some(), "disj "),
        ];
        for (_, word) in words.iter().filter(|it| it.0) {
            text.push_str(word);
        }
        let names: Vec<_> = decl.names.iter().map(|it| it.text.as_str()).collect();
        let sign = if decl.is_defined { " = " } else { ": " };
        let disj = if decl.disj_values.is_some() { "disj " } else { "" };
        text.push_str(&format!(
            "{}{sign}{disj}{} ",
            names.join(","),
            shape(exprs, decl.bound)
        ));
    }
    text
}

fn mult(mult: Mult) -> &'static str {
    match mult {
        Mult::Set => "",
        Mult::One => "one",
        Mult::Lone => "lone",
        Mult::Some => "some",
    }
}
