//! All of an algorithm but its places, as lines that can be compared.

use std::fmt::Write;

use util::deep;

use crate::ast::{Algorithm, Body, Stmt, StmtKind, Syntax, Variable};
use crate::expr::Expr;

/// Braces cannot write an empty branch, so there it is what they can write.
pub(super) fn dump(it: &Algorithm, syntax: Syntax) -> String {
    let mut out = Dump {
        out: String::new(),
        syntax,
    };
    out.line(
        0,
        format_args!("{} fair {} {}", it.name.text, it.fair, it.fair_body),
    );
    out.variables(1, &it.variables);
    out.expr(1, &it.definitions);
    for it in &it.macros {
        let params: Vec<&str> = it.params.iter().map(|it| it.text.as_str()).collect();
        out.line(1, format_args!("macro {} {params:?}", it.name.text));
        out.stmts(2, &it.body);
    }
    for it in &it.procedures {
        out.line(1, format_args!("procedure {}", it.name.text));
        out.variables(2, &it.params);
        out.line(1, format_args!("variables"));
        out.variables(2, &it.variables);
        out.stmts(2, &it.body);
    }
    match &it.body {
        Body::Sequential(stmts) => out.stmts(1, stmts),
        Body::Processes(all) => {
            for it in all {
                out.line(
                    1,
                    format_args!("process {} {:?} {:?}", it.name.text, it.fairness, it.relation),
                );
                out.expr(2, &it.id);
                out.variables(2, &it.variables);
                out.stmts(2, &it.body);
            }
        }
    }
    out.out
}

struct Dump {
    out: String,
    syntax: Syntax,
}

impl Dump {
    fn line(&mut self, depth: usize, text: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.out, "{:depth$}{text}", "");
    }

    fn expr(&mut self, depth: usize, it: &Expr) {
        it.text()
            .iter()
            .for_each(|it| self.line(depth, format_args!("`{it}")));
    }

    fn variables(&mut self, depth: usize, all: &[Variable]) {
        for it in all {
            // Nothing is said of the first value: then nobody can tell which relation it has to the variable.
            match it.value.is_empty() {
                true => self.line(depth, format_args!("{}", it.name.text)),
                false => self.line(depth, format_args!("{} {:?}", it.name.text, it.relation)),
            }
            self.expr(depth + 1, &it.value);
        }
    }

    fn stmts(&mut self, depth: usize, all: &[Stmt]) {
        if all.is_empty() && self.syntax == Syntax::C {
            self.line(depth, format_args!("Skip"));
        }
        all.iter().for_each(|it| deep(|| self.stmt(depth, it)));
    }

    fn stmt(&mut self, depth: usize, it: &Stmt) {
        if let Some(label) = it.label {
            self.line(depth, format_args!("{}: {:?}", label.name.text, label.modifier));
        }
        let inner = depth + 1;
        match &it.kind {
            StmtKind::Assign(all) => {
                self.line(depth, format_args!("assign"));
                for it in all {
                    self.line(inner, format_args!("{}", it.variable.text));
                    self.expr(inner, &it.subscript);
                    self.line(inner, format_args!(":="));
                    self.expr(inner, &it.value);
                }
            }
            StmtKind::If { test, then, els } => {
                self.line(depth, format_args!("if"));
                self.expr(inner, test);
                self.stmts(inner, then);
                if !els.is_empty() {
                    self.line(depth, format_args!("else"));
                    self.stmts(inner, els);
                }
            }
            StmtKind::Either(ors) => {
                for clause in ors {
                    self.line(depth, format_args!("or"));
                    self.stmts(inner, clause);
                }
            }
            StmtKind::While { test, body } => {
                self.line(depth, format_args!("while"));
                self.expr(inner, test);
                self.stmts(inner, body);
            }
            StmtKind::With {
                name,
                relation,
                expr,
                body,
            } => {
                self.line(depth, format_args!("with {} {relation:?}", name.text));
                self.expr(inner, expr);
                self.stmts(inner, body);
            }
            StmtKind::Await(it) => self.keyword(depth, "await", it),
            StmtKind::Print(it) => self.keyword(depth, "print", it),
            StmtKind::Assert(it) => self.keyword(depth, "assert", it),
            StmtKind::Skip => self.line(depth, format_args!("Skip")),
            StmtKind::Return => self.line(depth, format_args!("return")),
            StmtKind::Goto(to) => self.line(depth, format_args!("goto {}", to.text)),
            StmtKind::Call {
                procedure,
                args,
                then,
            } => {
                let then = match then {
                    crate::ast::AfterCall::Goto(to) => format!("goto {}", to.text),
                    then => format!("{then:?}"),
                };
                self.line(depth, format_args!("call {} {then}", procedure.text));
                self.arguments(inner, args);
            }
            StmtKind::Macro { name, args } => {
                self.line(depth, format_args!("macro {}", name.text));
                self.arguments(inner, args);
            }
        }
    }

    fn keyword(&mut self, depth: usize, word: &str, it: &Expr) {
        self.line(depth, format_args!("{word}"));
        self.expr(depth + 1, it);
    }

    fn arguments(&mut self, depth: usize, args: &[Expr]) {
        for it in args {
            self.line(depth, format_args!(","));
            self.expr(depth, it);
        }
    }
}
