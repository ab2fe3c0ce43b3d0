//! An algorithm back to text, in either syntax.
//!
//! Reading what is printed gives the same algorithm again. Its expressions keep their layout, because bulleted lists live by their
//! columns; comments are not in the tree and are lost. What only one syntax can write (a branch without a statement) becomes
//! `skip` in the other.

use util::{Symbol, deep};

use crate::ast::{
    AfterCall, Algorithm, Assignment, Body, Fairness, Macro, Modifier, Name, Procedure, Process, Relation,
    Stmt, StmtKind, Syntax, Variable,
};
use crate::expr::Expr;

/// The text of an algorithm, from its `--` on, without the comment around it.
pub fn print(algorithm: &Algorithm, syntax: Syntax) -> String {
    let mut printer = Printer {
        syntax,
        out: String::new(),
        column: 0,
        indent: 0,
    };
    printer.algorithm(algorithm);
    printer.out
}

struct Printer {
    syntax: Syntax,
    out: String,
    /// Of the end of `out`, in UTF-16 units as the lexer counts.
    column: usize,
    /// Where a new line starts.
    indent: usize,
}

const STEP: usize = 2;

impl Printer {
    fn is_c(&self) -> bool {
        self.syntax == Syntax::C
    }

    fn put(&mut self, text: &str) {
        self.out += text;
        self.column += text.encode_utf16().count();
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.column = self.indent;
        self.out.extend(std::iter::repeat_n(' ', self.indent));
    }

    /// The lines of an expression below each other, with the leftmost column of all of them here.
    fn expr(&mut self, expr: &Expr) {
        let left = self.column;
        for (i, line) in expr.text().iter().enumerate() {
            if i > 0 {
                self.out.push('\n');
                self.column = 0;
                if !line.is_empty() {
                    self.put(&" ".repeat(left));
                }
            }
            self.put(line);
        }
    }

    fn name(&mut self, name: Name) {
        self.put(name.text.as_str());
    }

    fn algorithm(&mut self, it: &Algorithm) {
        self.put(if it.fair {
            "--fair algorithm "
        } else {
            "--algorithm "
        });
        self.name(it.name);
        if self.is_c() {
            self.put(" {");
        }
        self.variables(&it.variables);
        if !it.definitions.is_empty() {
            self.definitions(&it.definitions);
        }
        it.macros.iter().for_each(|it| self.macro_definition(it));
        it.procedures.iter().for_each(|it| self.procedure(it));
        match &it.body {
            Body::Sequential(stmts) => {
                self.new_line();
                if it.fair_body {
                    self.put("fair ");
                }
                self.body(stmts, "algorithm");
                if self.is_c() {
                    self.new_line();
                    self.put("}");
                }
            }
            Body::Processes(processes) => {
                processes.iter().for_each(|it| self.process(it));
                self.new_line();
                self.put(if self.is_c() { "}" } else { "end algorithm" });
            }
        }
        self.new_line();
    }

    fn variables(&mut self, all: &[Variable]) {
        if all.is_empty() {
            return;
        }
        self.indented(|it| {
            it.new_line();
            it.put("variables ");
            for (i, variable) in all.iter().enumerate() {
                if i > 0 {
                    it.new_line();
                    it.put("          ");
                }
                it.variable(variable);
                it.put(";");
            }
        });
    }

    fn variable(&mut self, it: &Variable) {
        self.name(it.name);
        if !it.value.is_empty() {
            self.relation(it.relation);
            self.expr(&it.value);
        }
    }

    fn relation(&mut self, it: Relation) {
        self.put(match it {
            Relation::Equals => " = ",
            Relation::In => " \\in ",
        });
    }

    fn definitions(&mut self, it: &Expr) {
        self.new_line();
        self.put(if self.is_c() { "define {" } else { "define" });
        self.indented(|this| {
            this.new_line();
            this.expr(it);
        });
        self.new_line();
        self.put(if self.is_c() { "}" } else { "end define;" });
    }

    fn macro_definition(&mut self, it: &Macro) {
        self.new_line();
        self.put("macro ");
        self.name(it.name);
        self.put("(");
        self.separated(&it.params, |this, it| this.name(*it));
        self.put(")");
        self.new_line();
        self.body(&it.body, "macro");
    }

    fn procedure(&mut self, it: &Procedure) {
        self.new_line();
        self.put("procedure ");
        self.name(it.name);
        self.put("(");
        self.separated(&it.params, Printer::variable);
        self.put(")");
        self.variables(&it.variables);
        self.new_line();
        self.body(&it.body, "procedure");
    }

    fn process(&mut self, it: &Process) {
        self.new_line();
        match it.fairness {
            None => {}
            Some(Fairness::Weak) => self.put("fair "),
            Some(Fairness::Strong) => self.put("fair+ "),
        }
        self.put(if self.is_c() { "process (" } else { "process " });
        self.name(it.name);
        self.relation(it.relation);
        self.expr(&it.id);
        if self.is_c() {
            self.put(")");
        }
        self.variables(&it.variables);
        self.new_line();
        self.body(&it.body, "process");
    }

    fn separated<T>(&mut self, all: &[T], mut one: impl FnMut(&mut Self, &T)) {
        for (i, it) in all.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            one(self, it);
        }
    }

    fn indented(&mut self, inside: impl FnOnce(&mut Self)) {
        self.indent += STEP;
        inside(self);
        self.indent -= STEP;
    }

    /// `begin … end what`, or braces.
    fn body(&mut self, stmts: &[Stmt], what: &str) {
        self.put(if self.is_c() { "{" } else { "begin" });
        self.stmts(stmts);
        self.new_line();
        match self.is_c() {
            true => self.put("}"),
            false if what == "algorithm" => self.put("end algorithm"),
            false => self.put(&format!("end {what};")),
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        self.indented(|this| {
            for it in stmts {
                this.new_line();
                deep(|| this.stmt(it));
                this.put(";");
            }
        });
    }

    /// Statements after `then`, `do` and the like, or in braces.
    fn block(&mut self, stmts: &[Stmt]) {
        if !self.is_c() {
            return self.stmts(stmts);
        }
        self.put(" {");
        match stmts.is_empty() {
            true => self.put(" skip "),
            false => {
                self.stmts(stmts);
                self.new_line();
            }
        }
        self.put("}");
    }

    /// `if (test)`, or `if test then`
    fn head(&mut self, word: &str, then: &str, inside: impl FnOnce(&mut Self)) {
        let is_c = self.is_c();
        self.put(word);
        self.put(if is_c { " (" } else { " " });
        inside(self);
        match is_c {
            true => self.put(")"),
            false => self.put(&format!(" {then}")),
        }
    }

    /// The last words of a statement, where it needs some.
    fn end(&mut self, word: &str) {
        if !self.is_c() {
            self.new_line();
            self.put(&format!("end {word}"));
        }
    }

    fn stmt(&mut self, it: &Stmt) {
        if let Some(label) = it.label {
            self.name(label.name);
            self.put(match label.modifier {
                None => ": ",
                Some(Modifier::Plus) => ":+ ",
                Some(Modifier::Minus) => ":- ",
            });
        }
        match &it.kind {
            StmtKind::Assign(all) => {
                for (i, it) in all.iter().enumerate() {
                    if i > 0 {
                        self.put(" || ");
                    }
                    self.assignment(it);
                }
            }
            StmtKind::If { test, then, els } => {
                self.head("if", "then", |this| this.expr(test));
                self.block(then);
                if !els.is_empty() {
                    if self.is_c() {
                        self.put(" else");
                    } else {
                        self.new_line();
                        self.put("else");
                    }
                    self.block(els);
                }
                self.end("if");
            }
            StmtKind::Either(ors) => {
                for (i, clause) in ors.iter().enumerate() {
                    match (i, self.is_c()) {
                        (0, _) => self.put("either"),
                        (_, true) => self.put(" or"),
                        (_, false) => {
                            self.new_line();
                            self.put("or");
                        }
                    }
                    self.block(clause);
                }
                self.end("either");
            }
            StmtKind::While { test, body } => {
                self.head("while", "do", |this| this.expr(test));
                self.block(body);
                self.end("while");
            }
            StmtKind::With {
                name,
                relation,
                expr,
                body,
            } => {
                self.head("with", "do", |this| {
                    this.name(*name);
                    this.relation(*relation);
                    this.expr(expr);
                });
                self.block(body);
                self.end("with");
            }
            StmtKind::Await(it) => self.keyword("await", it),
            StmtKind::Print(it) => self.keyword("print", it),
            StmtKind::Assert(it) => self.keyword("assert", it),
            StmtKind::Skip => self.put("skip"),
            StmtKind::Goto(to) => self.goto(to.text),
            StmtKind::Call {
                procedure,
                args,
                then,
            } => {
                self.put("call ");
                self.name(*procedure);
                self.arguments(args);
                match then {
                    AfterCall::Continue => {}
                    AfterCall::Return => self.put("; return"),
                    AfterCall::Goto(to) => {
                        self.put("; ");
                        self.goto(to.text);
                    }
                }
            }
            StmtKind::Return => self.put("return"),
            StmtKind::Macro { name, args } => {
                self.name(*name);
                self.arguments(args);
            }
        }
    }

    fn assignment(&mut self, it: &Assignment) {
        self.name(it.variable);
        self.expr(&it.subscript);
        self.put(" := ");
        self.expr(&it.value);
    }

    fn keyword(&mut self, word: &str, expr: &Expr) {
        self.put(word);
        self.put(" ");
        self.expr(expr);
    }

    fn goto(&mut self, to: Symbol) {
        self.put("goto ");
        self.put(to.as_str());
    }

    fn arguments(&mut self, args: &[Expr]) {
        self.put("(");
        self.separated(args, Printer::expr);
        self.put(")");
    }
}
