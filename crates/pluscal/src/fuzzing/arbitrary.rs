//! Any algorithm that some text has, grown from bytes: each byte decides one question, and when they run out every question
//! has its simplest answer. So a shorter input is a simpler algorithm.
//!
//! What grows has its names in order (labels that exist are gone to, macros get as many arguments as they have parameters), because
//! an algorithm that is refused for its first name tests little. Types are not in order: nobody evaluates it.

use source::{FileId, Span};
use util::Symbol;

use crate::ast::{
    AfterCall, Algorithm, Assignment, Body, Fairness, Label, Macro, Modifier, Name, Procedure, Process,
    Relation, Stmt, StmtKind, Syntax, Variable,
};
use crate::expr::Expr;
use crate::lexer::{At, lex};

pub(super) fn algorithm(data: &[u8]) -> Algorithm {
    Grower::new(data).algorithm()
}

/// What is left of the bytes, options, and a syntax.
pub(super) fn options(data: &[u8]) -> (&[u8], Vec<&'static str>, Syntax) {
    let mut grower = Grower::new(data);
    let mut options = vec!["-label"];
    options.extend_from_slice(grower.pick(&[
        &[][..],
        &[],
        &["-wf"],
        &["-sf"],
        &["-wfNext"],
        &["-nof"],
        &["-termination"],
    ]));
    options.extend_from_slice(grower.pick(&[
        &[][..],
        &[],
        &[],
        &["-lineWidth", "60"],
        &["-lineWidth", "100"],
        &["-labelRoot", "L"],
        &["-noDoneDisjunct"],
    ]));
    let syntax = grower.pick(&[Syntax::P, Syntax::C]);
    (grower.data, options, syntax)
}

struct Grower<'a> {
    data: &'a [u8],
    /// How deep statements are nested.
    depth: u32,
    /// What an expression may name.
    names: Vec<Symbol>,
    /// What may be assigned to.
    variables: Vec<Symbol>,
    macros: Vec<(Symbol, usize)>,
    procedures: Vec<(Symbol, usize)>,
    n_labels: u32,
    place: Place,
    in_with: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Macro,
    Procedure,
    Process,
}

const DEPTH_MAX: u32 = 4;
const GLOBALS: &[&str] = &["x", "y", "turn", "flagged", "aVariableWithALongName"];
const LOCALS: &[&str] = &["x_", "t", "loc", "another_local"];
const PARAMETERS: &[&str] = &["p", "arg", "a_parameter"];
const BOUND: &[&str] = &["i", "j", "kk"];
const STRINGS: &[&str] = &["", "a", "x", "two words", "a\\\"b", "end if;"];

fn nowhere() -> Span {
    Span::new(FileId(0), 0, 0)
}

fn named(text: Symbol) -> Name {
    Name {
        text,
        span: nowhere(),
        at: At::default(),
    }
}

/// Lines below each other.
type Lines = Vec<String>;

/// `before`, and to the right of it the lines, and `after` behind the last.
fn beside(before: &str, mut lines: Lines, after: &str) -> Lines {
    let indent = " ".repeat(before.len());
    for (i, it) in lines.iter_mut().enumerate() {
        it.insert_str(0, if i == 0 { before } else { &indent });
    }
    lines.last_mut().expect("there is one").push_str(after);
    lines
}

/// Two blocks, the second starting where the first ends.
fn then(mut first: Lines, second: Lines) -> Lines {
    let last = first.pop().expect("there is one");
    first.extend(beside(&last, second, ""));
    first
}

impl Grower<'_> {
    fn new(data: &[u8]) -> Grower<'_> {
        Grower {
            data,
            depth: 0,
            names: vec![],
            variables: vec![],
            macros: vec![],
            procedures: vec![],
            n_labels: 0,
            place: Place::Process,
            in_with: false,
        }
    }

    /// A number below `n`; 0 when the bytes have run out.
    fn below(&mut self, n: usize) -> usize {
        match self.data.split_first() {
            Some((&first, rest)) => {
                self.data = rest;
                first as usize % n
            }
            None => 0,
        }
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn many<T>(&mut self, least: usize, most: usize, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let n = least + self.below(most - least + 1);
        (0..n).map(|_| item(self)).collect()
    }

    /// Some of these names, each at most once.
    fn some_of(&mut self, names: &[&str], most: usize) -> Vec<Symbol> {
        let n = self.below(most.min(names.len()) + 1);
        let from = self.below(names.len());
        (0..n)
            .map(|i| Symbol::new(names[(from + i) % names.len()]))
            .collect()
    }

    fn algorithm(&mut self) -> Algorithm {
        let fair = self.chance();
        let globals = self.some_of(GLOBALS, 5);
        let variables = self.declared(&globals, true);
        let definitions = match self.below(3) {
            0 => Expr::default(),
            1 => self.text(vec!["Def == ".to_string() + "TRUE"]),
            _ => {
                let mut lines = beside("Def == ", self.lines(2), "");
                lines.push("Op(a, b) == a + b".into());
                self.text(lines)
            }
        };
        self.place = Place::Macro;
        let names = ["mac", "do_it", "Third"];
        let n = self.below(4);
        let macros = names[..n].iter().map(|it| self.macro_definition(it)).collect();
        let n = self.below(3);
        // Procedures may call each other, so all are known before the first is grown.
        self.procedures = ["proc", "Recur"][..n]
            .iter()
            .map(|it| (Symbol::new(it), 0))
            .collect();
        for i in 0..n {
            self.procedures[i].1 = self.below(3);
        }
        self.place = Place::Procedure;
        let procedures = (0..n).map(|i| self.procedure(i)).collect();
        self.place = Place::Process;
        let body = match self.below(3) {
            0 => Body::Sequential(self.body()),
            _ => {
                let n = 1 + self.below(3);
                Body::Processes((0..n).map(|i| self.process(i)).collect())
            }
        };
        Algorithm {
            name: named(Symbol::new("Grown")),
            // Printed and read in both.
            syntax: Syntax::P,
            fair,
            fair_body: false,
            variables,
            definitions,
            macros,
            procedures,
            body,
            span: nowhere(),
        }
    }

    /// Declarations of these names, which are known from then on.
    fn declared(&mut self, names: &[Symbol], may_be_set: bool) -> Vec<Variable> {
        let declared: Vec<Variable> = names
            .iter()
            .map(|&name| {
                let has_value = self.below(4) != 3;
                let relation = match may_be_set && self.chance() {
                    true => Relation::In,
                    false => Relation::Equals,
                };
                Variable {
                    name: named(name),
                    relation,
                    value: if has_value { self.expr() } else { Expr::default() },
                    span: nowhere(),
                }
            })
            .collect();
        self.names.extend(names);
        self.variables.extend(names);
        declared
    }

    fn macro_definition(&mut self, name: &str) -> Macro {
        let params = self.some_of(PARAMETERS, 3);
        let known = (self.names.len(), self.variables.len());
        self.names.extend(&params);
        self.variables.extend(&params);
        let body = self.stmts(1);
        self.names.truncate(known.0);
        self.variables.truncate(known.1);
        let name = Symbol::new(name);
        self.macros.push((name, params.len()));
        Macro {
            name: named(name),
            params: params.into_iter().map(named).collect(),
            body,
            span: nowhere(),
        }
    }

    fn procedure(&mut self, i: usize) -> Procedure {
        let (name, n_params) = self.procedures[i];
        let known = (self.names.len(), self.variables.len());
        let params: Vec<Symbol> = PARAMETERS[..n_params].iter().map(|it| Symbol::new(it)).collect();
        let params = self.declared(&params, false);
        let locals = self.some_of(LOCALS, 2);
        let variables = self.declared(&locals, false);
        let body = self.body();
        self.names.truncate(known.0);
        self.variables.truncate(known.1);
        Procedure {
            name: named(name),
            params,
            variables,
            body,
            at: At::default(),
            span: nowhere(),
        }
    }

    fn process(&mut self, i: usize) -> Process {
        let known = (self.names.len(), self.variables.len());
        let relation = self.pick(&[Relation::In, Relation::Equals]);
        let id = match relation {
            Relation::In => self.pick(&["1..3", "{\"a\", \"b\"}", "Proc \\ {0}"]),
            Relation::Equals => self.pick(&["0", "\"main\"", "N + 1"]),
        };
        let id = self.text(vec![id.into()]);
        let fairness = self.pick(&[None, None, Some(Fairness::Weak), Some(Fairness::Strong)]);
        let locals = self.some_of(LOCALS, 3);
        let variables = self.declared(&locals, true);
        self.names.push(Symbol::new("self"));
        let body = self.body();
        self.names.truncate(known.0);
        self.variables.truncate(known.1);
        Process {
            name: named(Symbol::new(["P", "Q", "a_process"][i])),
            fairness,
            relation,
            id,
            variables,
            body,
            at: At::default(),
            span: nowhere(),
        }
    }

    /// The statements of a process or procedure, whose labels may be gone to.
    fn body(&mut self) -> Vec<Stmt> {
        self.n_labels = 0;
        let mut stmts = self.stmts(1);
        let n_labels = self.n_labels;
        retarget(&mut stmts, n_labels);
        stmts
    }

    fn stmts(&mut self, least: usize) -> Vec<Stmt> {
        let most = if self.depth > 1 { 3 } else { 5 };
        let mut stmts = self.many(least, most, Grower::stmt);
        // A `return` or `goto` right after a call is read as a part of it.
        let mut follows_call = false;
        stmts.retain(|it| {
            let is_jump = it.label.is_none() && matches!(it.kind, StmtKind::Return | StmtKind::Goto(_));
            let keeps = !(follows_call && is_jump);
            follows_call = matches!(
                it.kind,
                StmtKind::Call {
                    then: AfterCall::Continue,
                    ..
                }
            );
            keeps
        });
        stmts
    }

    fn stmt(&mut self) -> Stmt {
        let may_have_label = self.place != Place::Macro && !self.in_with;
        let label = (may_have_label && self.below(3) == 1).then(|| {
            self.n_labels += 1;
            let modifier = self.pick(&[
                None,
                None,
                None,
                None,
                Some(Modifier::Plus),
                Some(Modifier::Minus),
            ]);
            Label {
                name: named(label_name(self.n_labels)),
                modifier,
            }
        });
        self.depth += 1;
        let kind = self.kind();
        self.depth -= 1;
        Stmt {
            label,
            kind,
            span: nowhere(),
            at: At::default(),
            call: None,
        }
    }

    fn kind(&mut self) -> StmtKind {
        let is_leaf = self.depth > DEPTH_MAX;
        match self.below(if is_leaf { 10 } else { 16 }) {
            0 => StmtKind::Skip,
            1..=3 => self.assign(),
            4 => StmtKind::Await(self.expr()),
            5 => StmtKind::Print(self.expr()),
            6 => StmtKind::Assert(self.expr()),
            7 if self.place != Place::Macro => StmtKind::Goto(named(label_name(self.below(256) as u32))),
            8 if self.place == Place::Procedure && !self.in_with => StmtKind::Return,
            8 | 9 if !self.macros.is_empty() => {
                let macros = self.macros.clone();
                let (name, n) = self.pick(&macros);
                StmtKind::Macro {
                    name: named(name),
                    args: self.arguments(n),
                }
            }
            7..=9 => self.assign(),
            10 | 11 => StmtKind::If {
                test: self.expr(),
                then: self.stmts(1),
                els: self.stmts(0),
            },
            12 => StmtKind::Either(self.many(2, 3, |it| it.stmts(1))),
            13 if self.place != Place::Macro && !self.in_with => StmtKind::While {
                test: self.expr(),
                body: self.stmts(1),
            },
            13 | 14 => self.with(),
            _ if self.procedures.is_empty() || self.place == Place::Macro || self.in_with => self.assign(),
            _ => {
                let procedures = self.procedures.clone();
                let (name, n) = self.pick(&procedures);
                let then = match self.below(4) {
                    0 | 1 => AfterCall::Continue,
                    2 if self.place == Place::Procedure => AfterCall::Return,
                    _ => AfterCall::Goto(named(label_name(self.below(256) as u32))),
                };
                StmtKind::Call {
                    procedure: named(name),
                    args: self.arguments(n),
                    then,
                }
            }
        }
    }

    fn arguments(&mut self, n: usize) -> Vec<Expr> {
        // A macro may assign to what it gets.
        let arg = |it: &mut Self| match it.variables.is_empty() {
            true => it.expr(),
            false => {
                let variables = it.variables.clone();
                let name = it.pick(&variables);
                let subscript = it.pick(&["", "", "[1]", ".f"]);
                it.text(vec![format!("{name}{subscript}")])
            }
        };
        (0..n).map(|_| arg(self)).collect()
    }

    fn with(&mut self) -> StmtKind {
        let name = Symbol::new(self.pick(&["w", "chosen"]));
        let relation = self.pick(&[Relation::In, Relation::Equals]);
        let expr = self.expr();
        let was = std::mem::replace(&mut self.in_with, true);
        self.names.push(name);
        let body = self.stmts(1);
        self.names.pop();
        self.in_with = was;
        StmtKind::With {
            name: named(name),
            relation,
            expr,
            body,
        }
    }

    fn assign(&mut self) -> StmtKind {
        if self.variables.is_empty() {
            return StmtKind::Skip;
        }
        let from = self.below(self.variables.len());
        let n = (1 + self.below(4) / 2).min(self.variables.len());
        let all = (0..n).map(|i| {
            let variable = self.variables[(from + i) % self.variables.len()];
            Assignment {
                variable: named(variable),
                subscript: self.subscript(),
                value: self.expr(),
                span: nowhere(),
            }
        });
        // Two parts for one variable may each have a subscript; that is not grown.
        let mut all: Vec<Assignment> = all.collect();
        let mut seen = vec![];
        all.retain(|it| {
            let is_new = !seen.contains(&it.variable.text);
            seen.push(it.variable.text);
            is_new
        });
        StmtKind::Assign(all)
    }

    fn subscript(&mut self) -> Expr {
        let lines = match self.below(6) {
            0..=2 => return Expr::default(),
            3 => vec![".field".into()],
            4 => beside("[", self.lines(3), "]"),
            _ => beside("[1][", self.lines(3), "].f"),
        };
        self.text(lines)
    }

    fn expr(&mut self) -> Expr {
        let lines = self.lines(0);
        self.text(lines)
    }

    /// Lines of text as an expression.
    fn text(&mut self, lines: Lines) -> Expr {
        let text = lines.join("\n");
        let (tokens, wrong) = lex(&text, 0, FileId(0));
        debug_assert!(wrong.is_empty(), "{text}");
        let n = tokens.len() - 1;
        Expr::from_tokens(&tokens[..n])
    }

    fn lines(&mut self, depth: u32) -> Lines {
        let n = if depth > 3 { 5 } else { 17 };
        match self.below(n) {
            0 => vec!["1".into()],
            1..=3 if !self.names.is_empty() => {
                let names = self.names.clone();
                vec![self.pick(&names).to_string()]
            }
            1..=3 => vec!["TRUE".into()],
            4 => vec![format!("\"{}\"", self.pick(STRINGS))],
            5 | 6 => {
                let op = self.pick(&[
                    " + ", " = ", " /\\ ", " \\o ", "-", " :> ", " \\in ", " # ", " \\cup ",
                ]);
                let left = self.lines(depth + 1);
                let right = beside(op, self.lines(depth + 1), "");
                then(left, right)
            }
            7 | 8 => self.bullets(depth),
            9 => {
                let name = self.pick(BOUND);
                let op = self.pick(&["\\E", "\\A"]);
                let set = beside(&format!("{op} {name} \\in "), self.lines(depth + 1), " :");
                let body = self.scoped(name, depth);
                self.broken(set, body)
            }
            10 => {
                let test = beside("IF ", self.lines(depth + 1), "");
                let then_lines = beside(" THEN ", self.lines(depth + 1), "");
                let els = beside(" ELSE ", self.lines(depth + 1), "");
                match self.chance() {
                    true => then(then(test, then_lines), els),
                    false => [test, then_lines, els].concat(),
                }
            }
            11 => {
                let open = self.pick(&["(", "{", "Len(", "DOMAIN ("]);
                let close = if open == "{" { "}" } else { ")" };
                beside(open, self.lines(depth + 1), close)
            }
            12 => {
                let first = beside("<<", self.lines(depth + 1), ", ");
                then(first, beside("", self.lines(depth + 1), ">>"))
            }
            13 => {
                let name = self.pick(BOUND);
                let set = beside(&format!("[{name} \\in "), self.lines(depth + 1), " |->");
                let body = beside(" ", self.scoped(name, depth), "]");
                then(set, body)
            }
            14 => {
                let first = beside("[f |-> ", self.lines(depth + 1), ", ");
                let second = beside("x |-> ", self.lines(depth + 1), "]");
                self.broken(first, second)
            }
            15 => {
                let names = self.variables.clone();
                if names.is_empty() {
                    return vec!["2".into()];
                }
                let name = self.pick(&names);
                let at = beside(&format!("[{name} EXCEPT !["), self.lines(depth + 1), "]");
                then(at, beside(" = ", self.lines(depth + 1), "]"))
            }
            _ => {
                let name = self.pick(BOUND);
                let definition = beside(&format!("LET {name} == "), self.lines(depth + 1), "");
                let body = self.scoped(name, depth);
                self.broken(definition, beside("IN ", body, ""))
            }
        }
    }

    fn scoped(&mut self, name: &str, depth: u32) -> Lines {
        self.names.push(Symbol::new(name));
        let body = self.lines(depth + 1);
        self.names.pop();
        body
    }

    /// One behind the other, or below it.
    fn broken(&mut self, first: Lines, second: Lines) -> Lines {
        match self.below(3) {
            0 => then(first, beside(" ", second, "")),
            1 => [first, beside("  ", second, "")].concat(),
            _ => [first, beside("      ", second, "")].concat(),
        }
    }

    fn bullets(&mut self, depth: u32) -> Lines {
        let bullet = self.pick(&["/\\ ", "\\/ "]);
        let all = self.many(2, 3, |it| beside(bullet, it.lines(depth + 1), ""));
        all.concat()
    }
}

/// What is gone to is known only once all labels are.
fn label_name(n: u32) -> Symbol {
    Symbol::new(&format!("l{n}"))
}

/// Lets each `goto` lead to a label that there is.
fn retarget(stmts: &mut [Stmt], n_labels: u32) {
    let to = |name: &mut Name| {
        let n: u32 = name.text.as_str()[1..].parse().unwrap_or(0);
        name.text = match n % (n_labels + 1) {
            0 => Symbol::new("Done"),
            n => label_name(n),
        };
    };
    for stmt in stmts {
        match &mut stmt.kind {
            StmtKind::Goto(name)
            | StmtKind::Call {
                then: AfterCall::Goto(name),
                ..
            } => to(name),
            StmtKind::If { then, els, .. } => {
                retarget(then, n_labels);
                retarget(els, n_labels);
            }
            StmtKind::Either(ors) => ors.iter_mut().for_each(|it| retarget(it, n_labels)),
            StmtKind::While { body, .. } | StmtKind::With { body, .. } => retarget(body, n_labels),
            _ => {}
        }
    }
}
