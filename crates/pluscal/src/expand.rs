//! Macro calls to the statements they stand for.
//!
//! A macro's body is expanded where the macro is defined, with the macros above it, and then once for each call. Names that the
//! body binds keep their meaning: a parameter of the same name is hidden by them, and they make way for an argument that
//! mentions the same name (see [`crate::hygiene`]).

use diag::Diagnostic;
use util::{FxHashMap, Symbol, deep};

use crate::ast::{Algorithm, Assignment, Body, CallSite, Macro, Name, Stmt, StmtKind};
use crate::diagnostics as errors;
use crate::expr::Expr;
use crate::hygiene;
use crate::lexer::Kind;

/// Expands all macro calls of an algorithm, and leaves it without macros.
pub(crate) fn expand(algorithm: &mut Algorithm) -> Vec<Diagnostic> {
    let mut expander = Expander::default();
    for mut it in std::mem::take(&mut algorithm.macros) {
        it.body = expander.stmts(it.body);
        if let Some(first) = expander.macros.get(&it.name.text) {
            let wrong = errors::duplicate_macro(it.name, first.name);
            expander.diagnostics.push(wrong);
        }
        expander.macros.insert(it.name.text, it);
    }
    let processes = match &mut algorithm.body {
        Body::Sequential(stmts) => {
            *stmts = expander.stmts(std::mem::take(stmts));
            &mut []
        }
        Body::Processes(processes) => &mut processes[..],
    };
    for process in processes {
        process.body = expander.stmts(std::mem::take(&mut process.body));
    }
    for procedure in &mut algorithm.procedures {
        procedure.body = expander.stmts(std::mem::take(&mut procedure.body));
    }
    expander.diagnostics
}

#[derive(Default)]
struct Expander {
    macros: FxHashMap<Symbol, Macro>,
    diagnostics: Vec<Diagnostic>,
}

impl Expander {
    fn stmts(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        stmts.into_iter().flat_map(|it| deep(|| self.stmt(it))).collect()
    }

    fn stmt(&mut self, mut stmt: Stmt) -> Vec<Stmt> {
        match &mut stmt.kind {
            StmtKind::If { then, els, .. } => {
                *then = self.stmts(std::mem::take(then));
                *els = self.stmts(std::mem::take(els));
            }
            StmtKind::Either(ors) => {
                for clause in ors {
                    *clause = self.stmts(std::mem::take(clause));
                }
            }
            StmtKind::While { body, .. } | StmtKind::With { body, .. } => {
                *body = self.stmts(std::mem::take(body));
            }
            StmtKind::Macro { name, args } => {
                let (name, args) = (*name, std::mem::take(args));
                return self.call(&stmt, name, args);
            }
            _ => {}
        }
        vec![stmt]
    }

    fn call(&mut self, call: &Stmt, name: Name, args: Vec<Expr>) -> Vec<Stmt> {
        let Some(definition) = self.macros.get(&name.text) else {
            let known = self.macros.keys().map(|it| it.as_str()).collect();
            self.diagnostics.push(errors::unknown_macro(name, known));
            return vec![];
        };
        if definition.params.len() != args.len() {
            let wrong = errors::macro_arity(name, definition.name, definition.params.len(), args.len());
            self.diagnostics.push(wrong);
            return vec![];
        }
        let by: Vec<(Symbol, Expr)> = definition.params.iter().map(|it| it.text).zip(args).collect();
        let mut substitution = Substitution {
            site: CallSite {
                at: call.at,
                span: call.span,
            },
            diagnostics: &mut self.diagnostics,
        };
        let mut stmts = substitution.stmts(&definition.body, &by);
        match stmts.first_mut() {
            Some(first) => first.label = call.label,
            // A label must not vanish with an empty body: something may go to it.
            None if call.label.is_some() => stmts.push(Stmt {
                kind: StmtKind::Skip,
                ..call.clone()
            }),
            None => {}
        }
        stmts
    }
}

/// Puts the arguments of one call into the body of a macro.
struct Substitution<'a> {
    site: CallSite,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Substitution<'_> {
    fn stmts(&mut self, stmts: &[Stmt], by: &[(Symbol, Expr)]) -> Vec<Stmt> {
        stmts.iter().map(|it| deep(|| self.stmt(it, by))).collect()
    }

    fn stmt(&mut self, stmt: &Stmt, by: &[(Symbol, Expr)]) -> Stmt {
        let expr = |it: &Expr| hygiene::substitute(it, by);
        let kind = match &stmt.kind {
            StmtKind::Assign(all) => StmtKind::Assign(all.iter().map(|it| self.assignment(it, by)).collect()),
            StmtKind::If { test, then, els } => StmtKind::If {
                test: expr(test),
                then: self.stmts(then, by),
                els: self.stmts(els, by),
            },
            StmtKind::Either(ors) => StmtKind::Either(ors.iter().map(|it| self.stmts(it, by)).collect()),
            StmtKind::While { test, body } => StmtKind::While {
                test: expr(test),
                body: self.stmts(body, by),
            },
            StmtKind::With {
                name,
                relation,
                expr: value,
                body,
            } => {
                let (name, by_inside) = bound(*name, body, by);
                StmtKind::With {
                    name,
                    relation: *relation,
                    expr: expr(value),
                    body: self.stmts(body, &by_inside),
                }
            }
            StmtKind::Await(it) => StmtKind::Await(expr(it)),
            StmtKind::Print(it) => StmtKind::Print(expr(it)),
            StmtKind::Assert(it) => StmtKind::Assert(expr(it)),
            StmtKind::Call {
                procedure,
                args,
                then,
            } => StmtKind::Call {
                procedure: *procedure,
                args: args.iter().map(expr).collect(),
                then: *then,
            },
            kind @ (StmtKind::Skip | StmtKind::Goto(_) | StmtKind::Return | StmtKind::Macro { .. }) => {
                kind.clone()
            }
        };
        Stmt {
            label: None,
            kind,
            span: stmt.span,
            at: stmt.at,
            call: Some(self.site),
        }
    }

    /// A parameter may be assigned to, when the argument starts with the name of a variable.
    fn assignment(&mut self, it: &Assignment, by: &[(Symbol, Expr)]) -> Assignment {
        let mut variable = it.variable;
        let mut subscript = hygiene::substitute(&it.subscript, by);
        if let Some((_, arg)) = by.iter().find(|(param, _)| *param == variable.text) {
            match arg.tokens().next() {
                Some(first) if first.kind == Kind::Ident => {
                    variable.text = first.text;
                    variable.span = first.span.unwrap_or(variable.span);
                }
                _ => self
                    .diagnostics
                    .push(errors::assignment_to_argument(variable, arg, self.site.span)),
            }
            let rest = arg.without_first();
            if subscript.is_empty() {
                subscript = rest;
            } else {
                subscript.prepend(&rest, 0);
            }
        }
        Assignment {
            variable,
            subscript,
            value: hygiene::substitute(&it.value, by),
            span: it.span,
        }
    }
}

/// The name that a `with` gets in an expansion, and what is substituted inside of it.
fn bound(mut name: Name, body: &[Stmt], by: &[(Symbol, Expr)]) -> (Name, Vec<(Symbol, Expr)>) {
    let mut inside: Vec<(Symbol, Expr)> = by.iter().filter(|it| it.0 != name.text).cloned().collect();
    let is_captured = inside
        .iter()
        .any(|(param, arg)| hygiene::mentions(arg, name.text) && hygiene::stmts_mention(body, *param));
    if is_captured {
        let is_free = |it: Symbol| {
            !hygiene::stmts_mention(body, it) && !inside.iter().any(|(_, arg)| hygiene::mentions(arg, it))
        };
        let fresh = hygiene::fresh(name.text, is_free);
        inside.push((name.text, Expr::from_words(&[(Kind::Ident, fresh.as_str())], 0)));
        name.text = fresh;
    }
    (name, inside)
}
