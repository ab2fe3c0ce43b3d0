//! Steps to actions: control becomes assignments to `pc`, calls and returns become assignments to `stack`.

use util::{FxHashMap, Symbol, deep};

use crate::action::{Action, Do, DoKind, Set};
use crate::expr::{Expr, Tok};
use crate::lexer::Kind as TokKind;
use crate::map::Origin;
use crate::steps::{AfterCall, Block, Kind, Procedure, Program, Step, Stmt};

/// What is known of a program while its statements are taken apart.
pub(crate) struct Exploder<'a> {
    procedures: FxHashMap<Symbol, &'a Procedure>,
    omits_pc: bool,
}

/// Statements taken apart.
pub(crate) struct Exploded {
    pub dos: Vec<Do>,
    /// The actions of the labels inside.
    pub actions: Vec<Action>,
    /// Nothing yet says where to go from here.
    pub needs_goto: bool,
}

impl<'a> Exploder<'a> {
    pub fn new(program: &'a Program) -> Exploder<'a> {
        Exploder {
            procedures: program.procedures.iter().map(|it| (it.name.text, it)).collect(),
            omits_pc: program.omits_pc,
        }
    }

    /// All actions of a body, which is left for `end`.
    pub fn body(&self, steps: &[Step], end: &str) -> Vec<Action> {
        self.steps(steps, Symbol::new(end))
    }

    fn steps(&self, steps: &[Step], next: Symbol) -> Vec<Action> {
        let nexts = steps.iter().skip(1).map(|it| it.label).chain([next]);
        let each = steps.iter().zip(nexts);
        each.flat_map(|(step, next)| deep(|| self.step(step, next)))
            .collect()
    }

    fn step(&self, step: &Step, next: Symbol) -> Vec<Action> {
        if let Some(Kind::While { test, body }) = step.stmts.first().map(|it| &it.kind) {
            return self.while_step(step, test, body, next);
        }
        let mut all = self.leading_to(&step.stmts, next);
        all.dos.splice(0..0, self.check_pc(step.label));
        let mut actions = vec![Action {
            label: step.label,
            dos: all.dos,
            span: step.span,
        }];
        actions.append(&mut all.actions);
        actions
    }

    /// A loop is left where its condition is false; what follows it is part of the same step.
    fn while_step(&self, step: &Step, test: &Expr, body: &Block, next: Symbol) -> Vec<Action> {
        let inside = self.leading_to(&body.stmts, self.first(body, step.label));
        let behind = self.leading_to(&step.stmts[1..], next);
        let is_endless = test.is_true();
        let mut dos: Vec<Do> = self.check_pc(step.label).into_iter().collect();
        if is_endless {
            dos.extend(inside.dos);
        } else {
            dos.push(Do {
                kind: DoKind::If {
                    test: test.clone(),
                    then: inside.dos,
                    els: behind.dos,
                },
                origin: Some(step.stmts[0].origin()),
            });
        }
        let mut actions = vec![Action {
            label: step.label,
            dos,
            span: step.span,
        }];
        actions.extend(self.steps(&body.steps, step.label));
        actions.extend(inside.actions);
        if !is_endless {
            actions.extend(behind.actions);
        }
        actions
    }

    /// The label that a block continues with.
    pub fn first(&self, block: &Block, next: Symbol) -> Symbol {
        block.steps.first().map_or(next, |it| it.label)
    }

    /// Statements, and then `pc` is `next`.
    pub fn leading_to(&self, stmts: &[Stmt], next: Symbol) -> Exploded {
        let mut all = self.stmts(stmts, next);
        if all.needs_goto {
            all.dos.push(update_pc(next));
            all.needs_goto = false;
        }
        all
    }

    /// Only the last statement can lead elsewhere.
    fn stmts(&self, stmts: &[Stmt], next: Symbol) -> Exploded {
        let Some((last, before)) = stmts.split_last() else {
            return Exploded {
                dos: vec![],
                actions: vec![],
                needs_goto: !self.omits_pc,
            };
        };
        let mut all = deep(|| self.last(last, next));
        all.dos
            .splice(0..0, before.iter().map(|it| deep(|| self.plain(it))));
        all.needs_goto &= !self.omits_pc;
        all
    }

    /// The last statement of a sequence.
    pub fn last(&self, stmt: &Stmt, next: Symbol) -> Exploded {
        let done = |dos| Exploded {
            dos,
            actions: vec![],
            needs_goto: false,
        };
        match &stmt.kind {
            Kind::If { .. } | Kind::Either(_) if stmt.has_label() => self.labelled(stmt, next),
            Kind::If { test, then, els } => {
                let [then, els] = self.branches([&then.stmts, &els.stmts], next);
                let needs_goto = then.1 && els.1;
                let kind = DoKind::If {
                    test: test.clone(),
                    then: then.0,
                    els: els.0,
                };
                Exploded {
                    needs_goto,
                    ..done(vec![here(stmt, kind)])
                }
            }
            Kind::Either(ors) => {
                let clauses: Vec<&[Stmt]> = ors.iter().map(|it| &it.stmts[..]).collect();
                let clauses = self.all_branches(&clauses, next);
                let needs_goto = clauses.iter().all(|it| it.1);
                let kind = DoKind::Either(clauses.into_iter().map(|it| it.0).collect());
                Exploded {
                    needs_goto,
                    ..done(vec![here(stmt, kind)])
                }
            }
            Kind::With {
                name,
                relation,
                expr,
                body,
            } => {
                let inside = self.stmts(body, next);
                let kind = DoKind::With {
                    name: name.text,
                    relation: *relation,
                    expr: expr.clone(),
                    body: inside.dos,
                };
                Exploded {
                    needs_goto: inside.needs_goto,
                    ..done(vec![here(stmt, kind)])
                }
            }
            Kind::Goto(to) => done(vec![Do {
                origin: Some(stmt.origin()),
                ..update_pc(to.text)
            }]),
            Kind::Call {
                procedure,
                args,
                then,
            } => done(self.call(stmt, procedure.text, args, *then, next)),
            Kind::Return(from) => done(self.procedures.get(from).map_or(vec![], |it| leave(stmt, it))),
            _ => Exploded {
                needs_goto: true,
                ..done(vec![self.plain(stmt)])
            },
        }
    }

    fn branches(&self, stmts: [&[Stmt]; 2], next: Symbol) -> [(Vec<Do>, bool); 2] {
        let mut all = self.all_branches(&stmts, next).into_iter();
        [(); 2].map(|()| all.next().expect("two went in"))
    }

    /// Branches without labels. When some of them lead elsewhere, the others say themselves where they lead.
    fn all_branches(&self, branches: &[&[Stmt]], next: Symbol) -> Vec<(Vec<Do>, bool)> {
        let mut all: Vec<Exploded> = branches.iter().map(|it| self.stmts(it, next)).collect();
        if !all.iter().all(|it| it.needs_goto) {
            for it in all.iter_mut().filter(|it| it.needs_goto) {
                it.dos.push(update_pc(next));
            }
        }
        all.into_iter().map(|it| (it.dos, it.needs_goto)).collect()
    }

    /// `if` and `either` with labels inside: every branch says where it leads.
    fn labelled(&self, stmt: &Stmt, next: Symbol) -> Exploded {
        let lead = |it: &Block| self.leading_to(&it.stmts, self.first(it, next));
        let mut actions = vec![];
        let kind = match &stmt.kind {
            Kind::If { test, then, els } => {
                let heads = [lead(then), lead(els)];
                actions.extend(self.steps(&then.steps, next));
                actions.extend(self.steps(&els.steps, next));
                let [then, els] = heads.map(|it| {
                    actions.extend(it.actions);
                    it.dos
                });
                DoKind::If {
                    test: test.clone(),
                    then,
                    els,
                }
            }
            Kind::Either(ors) => {
                let clauses = ors.iter().map(|it| {
                    let head = lead(it);
                    actions.extend(head.actions);
                    actions.extend(self.steps(&it.steps, next));
                    head.dos
                });
                DoKind::Either(clauses.collect())
            }
            _ => return self.last(stmt, next),
        };
        Exploded {
            dos: vec![here(stmt, kind)],
            actions,
            needs_goto: false,
        }
    }

    /// A statement that leads to the next one.
    pub fn plain(&self, stmt: &Stmt) -> Do {
        let all = |stmts: &[Stmt]| stmts.iter().map(|it| deep(|| self.plain(it))).collect();
        let kind = match &stmt.kind {
            Kind::Assign(sets) => DoKind::Assign(
                sets.iter()
                    .map(|it| Set {
                        variable: it.variable.text,
                        subscript: it.subscript.clone(),
                        value: it.value.clone(),
                        origin: Some(Origin {
                            span: it.span,
                            ..stmt.origin()
                        }),
                    })
                    .collect(),
            ),
            Kind::If { test, then, els } => DoKind::If {
                test: test.clone(),
                then: all(&then.stmts),
                els: all(&els.stmts),
            },
            Kind::Either(ors) => DoKind::Either(ors.iter().map(|it| all(&it.stmts)).collect()),
            Kind::With {
                name,
                relation,
                expr,
                body,
            } => DoKind::With {
                name: name.text,
                relation: *relation,
                expr: expr.clone(),
                body: all(body),
            },
            Kind::Await(it) => DoKind::Await(it.clone()),
            Kind::Print(it) => DoKind::Print(it.clone()),
            Kind::Assert(it) => DoKind::Assert {
                expr: it.clone(),
                at: stmt.at,
                call: stmt.call,
            },
            // Labelling lets none of these stand before another statement of its step.
            Kind::Skip | Kind::While { .. } | Kind::Goto(_) | Kind::Call { .. } | Kind::Return(_) => {
                DoKind::Skip
            }
        };
        here(stmt, kind)
    }

    fn check_pc(&self, label: Symbol) -> Option<Do> {
        let words = [
            (TokKind::Added, "pc"),
            (TokKind::Builtin, "="),
            (TokKind::Str, label.as_str()),
        ];
        (!self.omits_pc).then(|| Do {
            kind: DoKind::Await(Expr::from_words(&words, 1)),
            origin: None,
        })
    }

    /// A frame on the stack, arguments to the parameters, first values to the variables, and to the first label.
    fn call(&self, stmt: &Stmt, to: Symbol, args: &[Expr], then: AfterCall, next: Symbol) -> Vec<Do> {
        let Some(callee) = self.procedures.get(&to) else {
            return vec![];
        };
        let mut sets = vec![];
        match then {
            AfterCall::Return(from) if from == to => {}
            AfterCall::Return(from) => {
                if let Some(from) = self.procedures.get(&from) {
                    sets.extend(from.variables.iter().map(|it| restore(stmt, it.name.text)));
                }
                sets.push(set(stmt, "stack", push_frame(callee, None)));
            }
            AfterCall::Continue => sets.push(set(stmt, "stack", push_frame(callee, Some(next)))),
            AfterCall::Goto(label) => sets.push(set(stmt, "stack", push_frame(callee, Some(label.text)))),
        }
        let params = callee.params.iter().zip(args);
        sets.extend(params.map(|(param, arg)| set(stmt, param.name.text.as_str(), arg.clone())));
        let mut dos = vec![here(stmt, DoKind::Assign(sets))];
        for it in &callee.variables {
            let first = set(stmt, it.name.text.as_str(), value_or_default(&it.value));
            dos.push(here(stmt, DoKind::Assign(vec![first])));
        }
        if let Some(first) = callee.body.first() {
            dos.push(update_pc(first.label));
        }
        dos
    }
}

fn here(stmt: &Stmt, kind: DoKind) -> Do {
    Do {
        kind,
        origin: Some(stmt.origin()),
    }
}

/// The first value of a variable, which is a constant of the translation where nobody said anything.
pub(crate) fn value_or_default(value: &Expr) -> Expr {
    match value.is_empty() {
        // The tools take it for an operator, so that nobody primes or subscripts it.
        true => Expr::from_words(&[(TokKind::Builtin, "defaultInitValue")], 0),
        false => value.clone(),
    }
}

fn set(stmt: &Stmt, variable: &str, value: Expr) -> Set {
    Set {
        variable: Symbol::new(variable),
        subscript: Expr::default(),
        value,
        origin: Some(stmt.origin()),
    }
}

pub(crate) fn update_pc(to: Symbol) -> Do {
    let set = Set {
        variable: Symbol::new("pc"),
        subscript: Expr::default(),
        value: Expr::from_words(&[(TokKind::Str, to.as_str())], 0),
        origin: None,
    };
    Do {
        kind: DoKind::Assign(vec![set]),
        origin: None,
    }
}

/// `Head(stack).name`
fn saved(name: &str) -> Expr {
    let words = [
        (TokKind::Ident, "Head"),
        (TokKind::Builtin, "("),
        (TokKind::Added, "stack"),
        (TokKind::Builtin, ")"),
        (TokKind::Builtin, "."),
        (TokKind::Ident, name),
    ];
    Expr::from_words(&words, 0)
}

fn restore(stmt: &Stmt, variable: Symbol) -> Set {
    set(stmt, variable.as_str(), saved(variable.as_str()))
}

/// Back to the label in the frame, each variable back to its value in the frame, and the frame off the stack.
fn leave(stmt: &Stmt, from: &Procedure) -> Vec<Do> {
    let tail = [
        (TokKind::Ident, "Tail"),
        (TokKind::Builtin, "("),
        (TokKind::Added, "stack"),
        (TokKind::Builtin, ")"),
    ];
    let names = std::iter::once(Symbol::new("pc")).chain(from.saved().map(|it| it.name.text));
    let mut sets: Vec<Set> = names.map(|it| restore(stmt, it)).collect();
    sets.push(set(stmt, "stack", Expr::from_words(&tail, 0)));
    sets.into_iter()
        .map(|it| here(stmt, DoKind::Assign(vec![it])))
        .collect()
}

/// The stack with a frame for a call on it. Without a label to return to, the frame takes the place of the one on top, and
/// returns to where that one would.
fn push_frame(callee: &Procedure, next: Option<Symbol>) -> Expr {
    use TokKind::{Added, Builtin, Ident, Str};
    let name = callee.name.text.as_str();
    let mut lines = vec![vec![
        (Builtin, "<<"),
        (Builtin, "["),
        (Ident, "procedure"),
        (Builtin, "|->"),
        (Str, name),
    ]];
    let mut pc = vec![(Ident, "pc"), (Builtin, "|->")];
    match next {
        Some(next) => pc.push((Str, next.as_str())),
        None => pc.extend([
            (Ident, "Head"),
            (Builtin, "("),
            (Added, "stack"),
            (Builtin, ")"),
            (Builtin, "."),
            (Ident, "pc"),
        ]),
    }
    lines.push(pc);
    for it in callee.saved() {
        let name = it.name.text.as_str();
        lines.push(vec![(Ident, name), (Builtin, "|->"), (Ident, name)]);
    }
    let n = lines.len();
    for line in &mut lines[..n - 1] {
        line.push((Builtin, ","));
    }
    lines[n - 1].extend([(Builtin, "]"), (Builtin, ">>")]);
    lines.push(match next {
        Some(_) => vec![(Builtin, "\\o"), (Added, "stack")],
        None => vec![
            (Builtin, "\\o"),
            (Ident, "Tail"),
            (Builtin, "("),
            (Added, "stack"),
            (Builtin, ")"),
        ],
    });
    let last = lines.len() - 1;
    let lines = lines.iter().enumerate();
    Expr::from_lines(
        lines
            .map(|(i, line)| {
                // The fields stand below each other.
                let start = if i == 0 || i == last { 0 } else { 5 };
                frame_line(line, start)
            })
            .collect(),
    )
}

/// The columns of a line of a frame: blanks inside of brackets, and the arrows below each other.
fn frame_line(words: &[(TokKind, &str)], start: i32) -> Vec<Tok> {
    const ARROW: i32 = 15;
    let mut column = start;
    let mut line = vec![];
    for &(kind, text) in words {
        let mut tok = Tok::new(kind, text, column);
        column += tok.width;
        match (kind, text) {
            (TokKind::Builtin, "|->") => {
                tok.column = (tok.column + 1).max(ARROW);
                column = tok.column + 5;
            }
            (TokKind::Builtin, "[" | "<<") => column += 1,
            (TokKind::Builtin, "]" | ">>") => {
                tok.column += 1;
                column += 1;
            }
            (TokKind::Builtin, "\\o") => {
                tok.column += 1;
                column += 2;
            }
            _ => {}
        }
        line.push(tok);
    }
    line
}
