//! Substitution in expressions that lets bound names be.
//!
//! Parameters of macros are replaced wherever they stand, but not where a quantifier, a set, a function, `CHOOSE`, `LAMBDA` or
//! `LET` inside of the expression binds the same name; and where an argument would be caught by such a name, that name is changed.
//! Expressions are tokens here, so the few in which names meet are read as TLA+ to see what they bind.

use source::{FileId, Span};
use tla_syntax::ast::{Bound, ExprKind, Pattern, UnitKind};
use util::{FxHashSet, Symbol};

use crate::ast::{Stmt, StmtKind, walk};
use crate::expr::Expr;
use crate::lexer::Kind;

/// The expression with names replaced, in parentheses where they are longer than a token.
pub(crate) fn substitute(expr: &Expr, by: &[(Symbol, Expr)]) -> Expr {
    let mut expr = expr.normalized();
    let used: Vec<(Symbol, Expr)> = by.iter().filter(|it| mentions(&expr, it.0)).cloned().collect();
    if used.is_empty() {
        return expr;
    }
    let binders = match may_bind(&expr) {
        true => binders(&expr),
        false => vec![],
    };
    let mut hidden: FxHashSet<usize> = FxHashSet::default();
    for binder in &binders {
        if used.iter().any(|(param, _)| *param == binder.name) {
            hidden.extend(&binder.occurrences);
        } else if let Some(fresh) = binder.evade(&expr, &used) {
            let fresh = Expr::from_words(&[(Kind::Ident, fresh.as_str())], 0);
            expr.substitute_where(&[(binder.name, fresh)], false, |it| {
                binder.occurrences.contains(&it)
            });
        }
    }
    expr.substitute_where(&used, true, |it| !hidden.contains(&it));
    expr
}

/// Whether a name occurs.
pub(crate) fn mentions(expr: &Expr, name: Symbol) -> bool {
    expr.tokens().any(|it| it.kind == Kind::Ident && it.text == name)
}

/// Whether a name occurs in statements.
pub(crate) fn stmts_mention(stmts: &[Stmt], name: Symbol) -> bool {
    let mut found = false;
    walk(stmts, &mut |stmt| {
        let mut check = |it: &Expr| found |= mentions(it, name);
        match &stmt.kind {
            StmtKind::Assign(all) => {
                for it in all {
                    check(&it.subscript);
                    check(&it.value);
                }
                found |= all.iter().any(|it| it.variable.text == name);
            }
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => check(test),
            StmtKind::With { expr, name: it, .. } => {
                check(expr);
                found |= it.text == name;
            }
            StmtKind::Await(it) | StmtKind::Print(it) | StmtKind::Assert(it) => check(it),
            StmtKind::Call { args, .. } | StmtKind::Macro { args, .. } => args.iter().for_each(check),
            StmtKind::Either(_) | StmtKind::Skip | StmtKind::Goto(_) | StmtKind::Return => {}
        }
    });
    found
}

/// A name like `name` that is free.
pub(crate) fn fresh(name: Symbol, is_free: impl Fn(Symbol) -> bool) -> Symbol {
    let names = (1u32..).map(|i| Symbol::new(&format!("{name}_{i}")));
    names
        .into_iter()
        .find(|&it| is_free(it))
        .expect("only finitely many names occur")
}

/// Whether anything in it can bind a name.
fn may_bind(expr: &Expr) -> bool {
    expr.tokens().any(|it| {
        it.kind != Kind::Str
            && matches!(
                it.text.as_str(),
                ":" | "|->"
                    | "↦"
                    | "LET"
                    | "LAMBDA"
                    | "CHOOSE"
                    | "\\A"
                    | "\\E"
                    | "∀"
                    | "∃"
                    | "\\forall"
                    | "\\exists"
            )
    })
}

/// A bound name: which tokens are it, and where an argument would be caught by it.
struct Binder {
    name: Symbol,
    occurrences: Vec<usize>,
    scope: Vec<usize>,
}

impl Binder {
    /// Another name for it, when an argument that mentions it comes into its scope.
    fn evade(&self, expr: &Expr, by: &[(Symbol, Expr)]) -> Option<Symbol> {
        let tokens: Vec<Symbol> = expr.tokens().map(|it| it.text).collect();
        let catches = |(param, arg): &(Symbol, Expr)| {
            mentions(arg, self.name) && self.scope.iter().any(|&it| tokens[it] == *param)
        };
        if !by.iter().any(catches) {
            return None;
        }
        let is_free = |it: Symbol| !mentions(expr, it) && !by.iter().any(|(_, arg)| mentions(arg, it));
        Some(fresh(self.name, is_free))
    }
}

/// All names that an expression binds. None when it cannot be read: then its own mistake comes first.
fn binders(expr: &Expr) -> Vec<Binder> {
    let (text, places) = written(expr);
    let (tree, _, wrong) = tla_syntax::parse_expr(&text, FileId(0));
    if wrong.iter().any(diag::Diagnostic::is_error) {
        return vec![];
    }
    let mut found = vec![];
    for (_, it) in tree.exprs.iter() {
        let span = |id| tree.exprs[id].span;
        let mut add = |names: &[tla_syntax::ast::Ident], scope: &[Span]| {
            for name in names {
                found.push((name.name, name.span, scope.to_vec()));
            }
        };
        let mut add_bounds = |bounds: &[Bound], body| {
            for bound in bounds {
                let (Pattern::Names(names) | Pattern::Tuple(names)) = &bound.pattern;
                add(names, &[span(body)]);
            }
        };
        match &it.kind {
            ExprKind::Quant { bounds, body, .. }
            | ExprKind::FnLiteral { bounds, body }
            | ExprKind::SetMap { bounds, body } => add_bounds(bounds, *body),
            ExprKind::SetFilter { bound, body } => add_bounds(std::slice::from_ref(bound), *body),
            ExprKind::UnboundedQuant { names, body, .. } => add(names, &[span(*body)]),
            ExprKind::Choose { pattern, body, .. } => {
                let (Pattern::Names(names) | Pattern::Tuple(names)) = pattern;
                add(names, &[span(*body)]);
            }
            ExprKind::Lambda { params, body } => add(params, &[span(*body)]),
            ExprKind::Let { units, body } => {
                for unit in units {
                    // What `LET` defines is known in the definitions after it, and maybe in its own.
                    let scope = Span::new(unit.span.file, unit.span.start, span(*body).end);
                    match &unit.kind {
                        UnitKind::Definition(it) => {
                            add(&[it.name], &[scope]);
                            let params: Vec<_> = it.params.iter().map(|it| it.name).collect();
                            add(&params, &[span(it.body)]);
                        }
                        UnitKind::Function(it) => {
                            add(&[it.name], &[scope]);
                            for bound in &it.bounds {
                                let (Pattern::Names(names) | Pattern::Tuple(names)) = &bound.pattern;
                                add(names, &[span(it.body)]);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    let within = |spans: &[Span]| -> Vec<usize> {
        let inside = |at: u32| spans.iter().any(|it| it.contains(at));
        let all = places.iter().enumerate();
        all.filter(|(_, it)| inside(it.0)).map(|(i, _)| i).collect()
    };
    found
        .into_iter()
        .map(|(name, declared, scope)| {
            let scope = within(&scope);
            let named = scope.iter().copied().filter(|&it| places[it].1 == name);
            Binder {
                occurrences: named.chain(within(&[declared])).collect(),
                name,
                scope,
            }
        })
        .collect()
}

/// An expression as text, with the start and the text of each token.
fn written(expr: &Expr) -> (String, Vec<(u32, Symbol)>) {
    let mut text = String::new();
    let mut places = vec![];
    for line in 0..expr.n_lines() {
        let start = text.len();
        let line = expr.line_text(line, |tok, at| {
            let name = if tok.kind == Kind::Ident {
                tok.text
            } else {
                Symbol::new("")
            };
            places.push(((start + at.start) as u32, name));
        });
        text += &line;
        text.push('\n');
    }
    (text, places)
}
