//! Actions to the text of a translation, byte for byte as `pcal.trans` lays it out.
//!
//! The layout is part of the format: checksums are taken of it, and people compare translations line by line. So where lines are
//! broken and what is aligned with what follows that tool, even where one would do it otherwise today.

mod action;
mod changed;
mod init;
mod next;
mod parens;
mod writer;

use util::{FxHashSet, Symbol};

use crate::action::Action;
use crate::ast::Relation;
use crate::explode::Exploder;
use crate::expr::{Expr, Tok};
use crate::lexer::Kind;
use crate::map::Map;
use crate::options::Options;
use crate::steps::{Process, Program, ProgramBody};

use changed::Changed;
use writer::{Writer, blanks, width};

/// The lines of a translation, and where they come from. The map counts `newline` bytes for each line break.
pub(crate) fn generate(
    program: &Program,
    comments: &[String],
    options: &Options,
    newline: usize,
) -> (Vec<String>, Map) {
    let mut generator = Generator {
        program,
        options,
        out: Writer::default(),
        variables: vec![],
        by_self: FxHashSet::default(),
        own: Own::Nobody,
    };
    comments.iter().for_each(|it| generator.out.put_line(it));
    generator.program();
    generator.out.finish(newline)
}

/// Whose actions are being written.
#[derive(Clone)]
enum Own {
    /// There are no processes.
    Nobody,
    /// `self` is a parameter of the action.
    Parameter,
    /// The one process with this identifier.
    Process(Expr),
}

struct Generator<'a> {
    program: &'a Program,
    options: &'a Options,
    out: Writer,
    /// All variables, in the order in which `UNCHANGED` lists them.
    variables: Vec<Symbol>,
    /// Variables of which each process has its own: those of procedures and of sets of processes.
    by_self: FxHashSet<Symbol>,
    own: Own,
}

impl Generator<'_> {
    fn program(&mut self) {
        let program = self.program;
        self.declarations();
        if program.is_multiprocess() {
            self.process_set();
        }
        self.init();
        let exploder = Exploder::new(program);
        for it in &program.procedures {
            let actions = exploder.body(&it.body, "Error");
            self.own = match program.is_multiprocess() {
                true => Own::Parameter,
                false => Own::Nobody,
            };
            self.actions(&actions, None);
            let from = self.out.spot();
            self.disjunction(it.name.text, &actions);
            self.out.region(from, Some(it.span.into()));
            self.out.put_line("");
        }
        match &program.body {
            ProgramBody::Sequential(steps) => {
                self.own = Own::Nobody;
                let actions = exploder.body(steps, "Done");
                self.actions(&actions, Some("Next"));
                self.next(&actions);
            }
            ProgramBody::Processes(all) => {
                for it in all {
                    let actions = exploder.body(&it.body, "Done");
                    self.process(it, &actions);
                }
                self.next(&[]);
            }
        }
        self.spec();
        self.termination();
    }

    fn process(&mut self, it: &Process, actions: &[Action]) {
        self.own = match it.relation {
            Relation::Equals => Own::Process(it.id.clone()),
            Relation::In => Own::Parameter,
        };
        self.actions(actions, Some(it.name.text.as_str()));
        if !self.program.omits_pc {
            let from = self.out.spot();
            self.disjunction(it.name.text, actions);
            self.out.region(from, Some(it.span.into()));
            self.out.put_line("");
        }
    }

    /// `alone` is the name of an action that is the only one of its process.
    fn actions(&mut self, actions: &[Action], alone: Option<&str>) {
        for it in actions {
            let name = match alone {
                Some(alone) if self.program.omits_pc => alone,
                _ => it.label.as_str(),
            };
            self.action(it, name);
        }
    }

    /// What an action takes as its argument where it is defined.
    fn argument(&self) -> &'static str {
        match self.own {
            Own::Parameter => "(self)",
            Own::Nobody | Own::Process(_) => "",
        }
    }

    /// All actions of a process or a procedure as one.
    fn disjunction(&mut self, name: Symbol, actions: &[Action]) {
        let argument = self.argument();
        let head = format!("{name}{argument} == ");
        let indent = width(&head) + 2;
        self.out.put(&head);
        for (i, it) in actions.iter().enumerate() {
            let disjunct = format!("{}{argument}", it.label);
            if i != 0 {
                if self.out.column() + 7 + width(&disjunct) > self.options.line_width {
                    self.out.end_line();
                    self.out.put(&blanks(indent));
                }
                self.out.put(" \\/ ");
            }
            let from = self.out.spot();
            self.out.put(&disjunct);
            self.out.region(from, Some(it.span.into()));
        }
    }

    /// The subscript that picks the value of the process that runs.
    fn subscript(&self) -> Option<Expr> {
        match &self.own {
            Own::Nobody => None,
            Own::Parameter => Some(bracketed(&self_expr())),
            Own::Process(id) => Some(bracketed(id)),
        }
    }

    /// An expression as it stands in an action: primes where values are new, subscripts where each process has its own.
    fn in_action(&self, expr: &Expr, changed: &Changed<'_>) -> Expr {
        self.in_state(expr, self.subscript().as_ref(), Some(changed))
    }

    fn in_state(&self, expr: &Expr, subscript: Option<&Expr>, changed: Option<&Changed<'_>>) -> Expr {
        let mut expr = expr.normalized();
        let mut by: Vec<(Symbol, Expr)> = vec![];
        for tok in expr.tokens() {
            let is_name = tok.kind == Kind::Ident;
            let is_new = is_name && changed.is_some_and(|it| it.contains(tok.text));
            let is_own = tok.kind == Kind::Added || is_name && self.by_self.contains(&tok.text);
            let subscript = subscript.filter(|_| is_own);
            if (is_new || subscript.is_some()) && !by.iter().any(|it| it.0 == tok.text) {
                let mut line = vec![Tok {
                    column: 0,
                    span: None,
                    ..*tok
                }];
                if is_new {
                    line.push(Tok::new(Kind::Builtin, "'", tok.width));
                }
                let mut full = Expr::from_lines(vec![line]);
                if let Some(subscript) = subscript {
                    let mut with = subscript.normalized();
                    with.prepend(&full, 0);
                    full = with;
                }
                by.push((tok.text, full));
            }
        }
        expr.substitute(&by, false);
        expr
    }
}

fn self_expr() -> Expr {
    Expr::from_words(&[(Kind::Ident, "self")], 0)
}

/// `[expr]`
fn bracketed(expr: &Expr) -> Expr {
    let mut lines: Vec<Vec<Tok>> = (0..expr.n_lines())
        .map(|it| {
            let line = expr.line(it).map(|it| Tok {
                column: it.column + 1,
                span: None,
                ..*it
            });
            line.collect()
        })
        .collect();
    if let Some(first) = lines.first_mut() {
        first.insert(0, Tok::new(Kind::Builtin, "[", 0));
    }
    if let Some(last) = lines.last_mut() {
        let end = last.last().map_or(0, |it| it.column + it.width);
        last.push(Tok::new(Kind::Builtin, "]", end));
    }
    Expr::from_lines(lines)
}
