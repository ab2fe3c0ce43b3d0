//! The text that the checksum of an algorithm is taken of: its tree, as `pcal.trans` prints it after it has translated it.
//!
//! That tool changes its tree while it takes it apart, and the checksum sees the changes: names are the new ones, assignments of one
//! statement are sorted, and inside of statements the last statement of a branch is what became of it, such as an assignment to
//! `pc`. At the top of a step it is still what it was.

use util::{Symbol, deep};

use crate::action::{Do, DoKind, Set, sorted};
use crate::ast::{Fairness, Relation, Variable};
use crate::explode::{Exploder, value_or_default};
use crate::expr::Expr;
use crate::lexer::Kind as TokKind;
use crate::steps::{AfterCall, Block, Kind, Marks, Procedure, Process, Program, ProgramBody, Step, Stmt};

/// The text for a program whose names are resolved.
pub(crate) fn digest(program: &Program, version: u32) -> String {
    let mut digest = Digest {
        exploder: Exploder::new(program),
        version,
        out: String::new(),
        indents: vec![0],
        is_unreachable: false,
    };
    digest.program(program);
    digest.out
}

struct Digest<'a> {
    exploder: Exploder<'a>,
    version: u32,
    out: String,
    /// Where new lines start, innermost last.
    indents: Vec<usize>,
    /// This follows an endless loop: it is never translated, so its assignments are never sorted.
    is_unreachable: bool,
}

impl Digest<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        let indent = *self.indents.last().expect("never empty");
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes `text`, and what `inside` writes is indented by it.
    fn indented(&mut self, text: &str, inside: impl FnOnce(&mut Self)) {
        let indent = self.indents.last().expect("never empty") + text.encode_utf16().count();
        self.indents.push(indent);
        self.put(text);
        inside(self);
        self.indents.pop();
    }

    fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, usize, &T)) {
        self.indented("<<", |it| {
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    it.put(", ");
                    it.new_line();
                }
                one(it, i, item);
            }
            it.put(">>");
        });
    }

    fn names(&mut self, names: &[Symbol]) {
        let quoted: Vec<String> = names.iter().map(|it| format!("\"{it}\"")).collect();
        self.put(&format!("<<{}>>", quoted.join(", ")));
    }

    fn program(&mut self, program: &Program) {
        // Two titles, padded differently.
        let (title, [decls, defs, procedures, body]) = match program.is_multiprocess() {
            true => (
                "[type    |-> \"multiprocess\", ",
                [" decls |-> ", " defs  |-> ", " prcds |-> ", " procs |-> "],
            ),
            false => (
                "[type     |-> \"uniprocess\", ",
                [" decls  |-> ", " defs   |-> ", " prcds  |-> ", " body  |-> "],
            ),
        };
        self.put(title);
        self.new_line();
        self.put(&format!(" name  |-> \"{}\", ", program.name));
        self.new_line();
        self.indented(decls, |it| it.variables(&program.variables));
        self.put(",");
        self.new_line();
        self.indented(defs, |it| it.expr(&program.definitions));
        self.put(",");
        self.new_line();
        self.indented(procedures, |it| {
            it.list(&program.procedures, |it, _, procedure| it.procedure(procedure));
        });
        self.put(",");
        self.new_line();
        self.indented(body, |it| match &program.body {
            ProgramBody::Sequential(steps) => it.steps(steps, Symbol::new("Done")),
            ProgramBody::Processes(all) => it.list(all, |it, _, process| it.process(process)),
        });
        self.put("]");
    }

    fn variables(&mut self, all: &[Variable]) {
        self.list(all, |it, _, variable| {
            it.put(&format!(
                "[var |-> \"{}\", eqOrIn |-> {}, val |-> ",
                variable.name.text,
                relation(variable.relation)
            ));
            it.expr(&value_or_default(&variable.value));
            it.put("]");
        });
    }

    fn marks(&mut self, marks: &Marks) {
        self.put("minusLabels |-> ");
        self.names(&marks.minus);
        self.put(", plusLabels |->");
        self.names(&marks.plus);
        self.put(", proceduresCalled |->");
        self.names(&marks.calls);
        self.put(",");
        self.new_line();
    }

    fn procedure(&mut self, it: &Procedure) {
        self.put(&format!("[name   |-> \"{}\", ", it.name.text));
        self.new_line();
        if self.version >= 1500 {
            self.marks(&it.marks);
        }
        self.indented(" params |-> ", |out| out.variables(&it.params));
        self.put(",");
        self.new_line();
        self.declared_body(&it.variables, &it.body, "Error");
    }

    fn process(&mut self, it: &Process) {
        if self.version >= 1500 {
            self.put(&format!("[name   |-> \"{}\",", it.name.text));
            self.new_line();
            let fairness = match it.fairness {
                None => "unfair",
                Some(Fairness::Weak) => "wf",
                Some(Fairness::Strong) => "sf",
            };
            self.put(&format!(" fairness |-> \"{fairness}\", "));
            self.marks(&it.marks);
        } else {
            self.put(&format!("[name   |-> \"{}\", ", it.name.text));
            self.new_line();
        }
        self.put(&format!(" eqOrIn |-> {},", relation(it.relation)));
        self.new_line();
        self.put(" id     |-> ");
        self.expr(&it.id);
        self.put(",");
        self.new_line();
        self.declared_body(&it.variables, &it.body, "Done");
    }

    fn declared_body(&mut self, variables: &[Variable], body: &[Step], end: &str) {
        self.indented(" decls  |-> ", |out| out.variables(variables));
        self.put(",");
        self.new_line();
        self.indented(" body   |-> ", |out| out.steps(body, Symbol::new(end)));
        self.put("]");
    }

    fn steps(&mut self, steps: &[Step], next: Symbol) {
        self.list(steps, |it, i, step| {
            let next = steps.get(i + 1).map_or(next, |it| it.label);
            deep(|| it.step(step, next));
        });
    }

    fn step(&mut self, step: &Step, next: Symbol) {
        self.put(&format!("[label |-> \"{}\",", step.label));
        self.new_line();
        self.indented(" stmts |-> ", |it| it.stmts(&step.stmts, step.label, next));
        self.put("]");
    }

    /// The statements at the top of a step or a loop. Only what is inside of the last one has changed.
    fn stmts(&mut self, stmts: &[Stmt], label: Symbol, next: Symbol) {
        let was_unreachable = self.is_unreachable;
        self.list(stmts, |it, i, stmt| match &stmt.kind {
            Kind::While { test, body } => {
                it.while_stmt(test, body, label);
                it.is_unreachable |= test.is_true();
            }
            _ if i + 1 == stmts.len() => deep(|| it.last(stmt, next)),
            _ => {
                let plain = it.exploder.plain(stmt);
                it.action(&plain);
            }
        });
        self.is_unreachable = was_unreachable;
    }

    fn while_stmt(&mut self, test: &Expr, body: &Block, label: Symbol) {
        self.put("[type    |-> \"while\", ");
        self.new_line();
        self.put(" test    |-> ");
        self.expr(test);
        self.put(",");
        self.new_line();
        self.indented(" labDo   |-> ", |it| it.steps(&body.steps, label));
        self.put(",");
        self.new_line();
        let next = self.exploder.first(body, label);
        self.indented(" unlabDo |-> ", |it| it.stmts(&body.stmts, label, next));
        self.put("]");
    }

    fn last(&mut self, stmt: &Stmt, next: Symbol) {
        match &stmt.kind {
            Kind::If { test, then, els } if stmt.has_label() => {
                self.put("[type      |-> \"labelIf\",");
                self.new_line();
                self.put(" test      |-> ");
                self.expr(test);
                self.put(",");
                self.new_line();
                self.block(then, next, " unlabThen |-> ", " labThen   |-> ");
                self.put(",");
                self.new_line();
                self.block(els, next, " unlabElse |-> ", " labElse   |-> ");
                self.put("]");
                self.new_line();
            }
            Kind::Either(ors) if stmt.has_label() => {
                self.put("[type    |-> \"labelEither\",");
                self.new_line();
                self.indented(" clauses |-> ", |it| {
                    it.list(ors, |it, _, clause| {
                        it.block(clause, next, "[unlabOr |-> ", " labOr   |-> ");
                        it.put("]");
                        it.new_line();
                    });
                });
                self.put("]");
                self.new_line();
            }
            Kind::If { .. } | Kind::Either(_) | Kind::With { .. } => {
                let exploded = self.exploder.last(stmt, next);
                exploded.dos.iter().for_each(|it| self.action(it));
            }
            Kind::Goto(to) => self.put(&format!("[type |-> \"goto\",  to |-> \"{}\"]", to.text)),
            Kind::Return(from) => {
                self.put(&format!("[type |-> \"return\", from |-> \"{from}\"]"));
            }
            Kind::Call {
                procedure,
                args,
                then,
            } => self.call(procedure.text, args, *then),
            _ => {
                let plain = self.exploder.plain(stmt);
                self.action(&plain);
            }
        }
    }

    /// A branch with labels: its head is what became of it, its steps are still steps.
    fn block(&mut self, block: &Block, next: Symbol, head: &str, steps: &str) {
        let first = self.exploder.first(block, next);
        let exploded = self.exploder.leading_to(&block.stmts, first);
        // Of an empty head a new one is made, which this tree does not have.
        let dos = if block.stmts.is_empty() {
            vec![]
        } else {
            exploded.dos
        };
        self.indented(head, |it| it.actions(&dos));
        self.put(",");
        self.new_line();
        self.indented(steps, |it| it.steps(&block.steps, next));
    }

    fn call(&mut self, to: Symbol, args: &[Expr], then: AfterCall) {
        let (kind, field, value, args_title) = match then {
            AfterCall::Continue => ("call", "returnTo", String::new(), " args     |-> "),
            AfterCall::Return(from) => ("callReturn", "from    ", from.to_string(), "args     |-> "),
            AfterCall::Goto(label) => ("callGoto", "after   ", label.text.to_string(), "args     |-> "),
        };
        self.put(&format!("[type     |-> \"{kind}\","));
        self.new_line();
        self.put(&format!(" {field} |-> \"{value}\","));
        self.new_line();
        self.put(&format!(" to       |-> \"{to}\","));
        self.new_line();
        let is_plain = matches!(then, AfterCall::Continue);
        self.indented(args_title, |it| {
            it.list(args, |it, _, arg| it.expr(arg));
            it.put("]");
            if !is_plain {
                it.new_line();
            }
        });
    }

    fn actions(&mut self, dos: &[Do]) {
        self.list(dos, |it, _, action| it.action(action));
    }

    fn action(&mut self, it: &Do) {
        deep(|| match &it.kind {
            DoKind::Assign(sets) => {
                self.put("[type |-> \"assignment\",");
                self.new_line();
                let sets = match self.is_unreachable {
                    true => sets.iter().collect(),
                    false => sorted(sets),
                };
                self.indented(" ass  |-> ", |out| out.list(&sets, |out, _, set| out.set(set)));
                self.put("]");
            }
            DoKind::If { test, then, els } => {
                self.put("[type    |-> \"if\", ");
                self.new_line();
                self.put(" test    |-> ");
                self.expr(test);
                self.put(",");
                self.new_line();
                self.indented(" then |-> ", |out| out.actions(then));
                self.put(",");
                self.new_line();
                self.indented(" else |-> ", |out| out.actions(els));
                self.put("]");
            }
            DoKind::Either(ors) => {
                self.put("[type |-> \"either\", ");
                self.new_line();
                self.indented(" ors  |-> ", |out| {
                    out.indented("<< ", |out| {
                        for (i, clause) in ors.iter().enumerate() {
                            if i > 0 {
                                out.put(", ");
                                out.new_line();
                            }
                            out.actions(clause);
                        }
                        out.put(" >>");
                    });
                });
                self.put("]");
            }
            DoKind::With {
                name,
                relation: it,
                expr,
                body,
            } => {
                self.put("[type   |-> \"with\", ");
                self.new_line();
                self.put(&format!(" var    |-> \"{name}\","));
                self.new_line();
                self.put(&format!(" eqOrIn |-> {},", relation(*it)));
                self.new_line();
                self.put(" exp    |-> ");
                self.expr(expr);
                self.put(",");
                self.new_line();
                self.indented(" do     |-> ", |out| out.actions(body));
                self.put("]");
            }
            DoKind::Await(expr) => self.with_expr("when", expr),
            DoKind::Print(expr) => self.with_expr("print", expr),
            DoKind::Assert { expr, .. } => self.with_expr("assert", expr),
            DoKind::Skip => self.put("[type |-> \"skip\"]"),
        });
    }

    fn with_expr(&mut self, kind: &str, expr: &Expr) {
        self.put(&format!("[type |-> \"{kind}\", "));
        self.new_line();
        self.put(" exp |-> ");
        self.expr(expr);
        self.put("]");
    }

    fn set(&mut self, set: &Set) {
        self.put(&format!("[lhs |-> [var |-> \"{}\", sub |-> ", set.variable));
        self.expr(&set.subscript);
        self.put("],");
        self.new_line();
        self.put(" rhs |-> ");
        self.expr(&set.value);
        self.put("]");
    }

    fn expr(&mut self, expr: &Expr) {
        self.put("<< ");
        let mut is_first = true;
        for line in 0..expr.n_lines() {
            if line > 0 {
                self.put("\n");
            }
            for tok in expr.line(line) {
                if !is_first {
                    self.put(", ");
                }
                is_first = false;
                let text = tok.text.as_str();
                let shown = match text {
                    _ if tok.kind == TokKind::Str => format!("\"\\\"\", \"{text}\", \"\\\"\""),
                    "\\/" => format!("\"(col{}) \\\\/\"", tok.column),
                    "/\\" => format!("\"(col{}) /\\\\\"", tok.column),
                    _ if text.starts_with('\\') => format!("\"\\{text}\""),
                    _ => format!("\"{text}\""),
                };
                self.put(&shown);
            }
        }
        self.put(" >>");
    }
}

fn relation(it: Relation) -> &'static str {
    match it {
        Relation::Equals => "\"=\"",
        Relation::In => "\"\\\\in\"",
    }
}
