//! What an algorithm consists of, under the names that its translation gives to it.
//!
//! A state of the translation has `pc`, `stack` and variables with new names; a step has the name of a definition. Whoever shows
//! them as what they are in the algorithm looks here: which processes there are and where their identifiers come from, which label
//! a value of `pc` is and which statements it leads, which variable of which process or procedure a variable is.

use source::Span;
use util::{Symbol, deep};

use crate::ast::{self, Fairness, Relation};
use crate::steps::{self, Block, Kind, Program, ProgramBody, Step, Stmt};

/// Invariant: no two labels have the same `value`, no two variables the same `variable`.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// None in an algorithm without processes.
    pub processes: Vec<Process>,
    pub procedures: Vec<Procedure>,
    /// Those of the algorithm, in the order of the text; `pc` and `stack` are not among them.
    pub variables: Vec<Variable>,
    /// In the order of the text.
    pub labels: Vec<Label>,
    /// The translation has no `pc`: each process is always at its one label.
    pub omits_pc: bool,
}

/// What a label or a variable belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// The algorithm as a whole, or its body when it has no processes.
    Algorithm,
    /// By its place in [`Outline::processes`].
    Process(usize),
    /// By its place in [`Outline::procedures`].
    Procedure(usize),
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: Symbol,
    /// The definition that is its steps.
    pub action: Symbol,
    /// There is one for each element of `id`; otherwise one, which `id` is.
    pub is_set: bool,
    /// A TLA+ expression.
    pub id: String,
    pub fairness: Option<Fairness>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Symbol,
    /// The definition that is its steps, and the name that frames of `stack` have.
    pub action: Symbol,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Symbol,
    /// Its name in the translation.
    pub variable: Symbol,
    pub owner: Owner,
    /// Each process has its own: in the translation it is a function of their identifiers.
    pub by_process: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Label {
    /// As it is written; of an added label the name that it got.
    pub name: Symbol,
    /// What `pc` is there.
    pub value: Symbol,
    /// The definition that is its step.
    pub action: Symbol,
    pub owner: Owner,
    /// Where it is written; of an added label where it would be.
    pub place: Span,
    /// From the label to the end of its last statement.
    pub span: Span,
    /// What can happen in its step.
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
    /// The macro call that it comes from; then `span` lies in the macro.
    pub call: Option<Span>,
    /// Its branches, up to the first label in each.
    pub branches: Vec<Vec<Statement>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StatementKind {
    Assign,
    If,
    Either,
    While,
    With,
    Await,
    Print,
    Assert,
    Skip,
    Goto,
    Call,
    Return,
}

impl Outline {
    /// `text` is that of the file.
    pub(crate) fn of(program: &Program, text: &str) -> Outline {
        let mut outline = Outline {
            omits_pc: program.omits_pc,
            ..Outline::default()
        };
        let is_multiprocess = program.is_multiprocess();
        outline.declare(&program.variables, Owner::Algorithm, false, text);
        for (i, it) in program.procedures.iter().enumerate() {
            let owner = Owner::Procedure(i);
            outline.procedures.push(Procedure {
                name: written(it.name, text),
                action: it.name.text,
                span: it.span,
            });
            outline.declare(&it.params, owner, is_multiprocess, text);
            outline.declare(&it.variables, owner, is_multiprocess, text);
            outline.steps(&it.body, owner, None, text);
        }
        match &program.body {
            ProgramBody::Sequential(steps) => {
                let alone = program.omits_pc.then(|| Symbol::new("Next"));
                outline.steps(steps, Owner::Algorithm, alone, text);
            }
            ProgramBody::Processes(all) => {
                for (i, it) in all.iter().enumerate() {
                    outline.process(i, it, program.omits_pc, text);
                }
            }
        }
        outline
    }

    fn process(&mut self, i: usize, it: &steps::Process, omits_pc: bool, text: &str) {
        let is_set = it.relation == Relation::In;
        self.processes.push(Process {
            name: written(it.name, text),
            action: it.name.text,
            is_set,
            id: it.id.text().join("\n"),
            fairness: it.fairness,
            span: it.span,
        });
        self.declare(&it.variables, Owner::Process(i), is_set, text);
        let alone = omits_pc.then_some(it.name.text);
        self.steps(&it.body, Owner::Process(i), alone, text);
    }

    fn declare(&mut self, all: &[ast::Variable], owner: Owner, by_process: bool, text: &str) {
        self.variables.extend(all.iter().map(|it| Variable {
            name: written(it.name, text),
            variable: it.name.text,
            owner,
            by_process,
            span: it.span,
        }));
    }

    fn steps(&mut self, steps: &[Step], owner: Owner, alone: Option<Symbol>, text: &str) {
        for it in steps {
            let name = it.label_span.map(|span| ast::Name {
                text: it.label,
                span,
                at: it.at,
            });
            self.labels.push(Label {
                name: name.map_or(it.label, |it| written(it, text)),
                value: it.label,
                action: alone.unwrap_or(it.label),
                owner,
                place: it.label_span.unwrap_or(it.span.before()),
                span: it.span,
                statements: it.stmts.iter().map(statement).collect(),
            });
            self.inner_steps(&it.stmts, owner, text);
        }
    }

    fn inner_steps(&mut self, stmts: &[Stmt], owner: Owner, text: &str) {
        for stmt in stmts {
            for block in blocks(&stmt.kind) {
                deep(|| {
                    self.inner_steps(&block.stmts, owner, text);
                    self.steps(&block.steps, owner, None, text);
                });
            }
        }
    }

    /// The label that a value of `pc` stands for.
    pub fn label(&self, value: &str) -> Option<&Label> {
        self.labels.iter().find(|it| it.value.as_str() == value)
    }

    /// The label whose step a definition of the translation is.
    pub fn label_of_action(&self, action: &str) -> Option<&Label> {
        self.labels.iter().find(|it| it.action.as_str() == action)
    }

    pub fn variable(&self, variable: &str) -> Option<&Variable> {
        self.variables.iter().find(|it| it.variable.as_str() == variable)
    }

    /// What a process, a procedure, or the algorithm is called.
    pub fn owner_name(&self, owner: Owner) -> Option<Symbol> {
        match owner {
            Owner::Algorithm => None,
            Owner::Process(i) => Some(self.processes[i].name),
            Owner::Procedure(i) => Some(self.procedures[i].name),
        }
    }
}

/// A name as it stands in the algorithm: names in translations may be others.
fn written(name: ast::Name, text: &str) -> Symbol {
    let range = name.span.start as usize..name.span.end as usize;
    match text.get(range).map(|it| it.trim_matches('"')) {
        Some(text) if !text.is_empty() => Symbol::new(text),
        _ => name.text,
    }
}

fn blocks(kind: &Kind) -> Vec<&Block> {
    match kind {
        Kind::If { then, els, .. } => vec![then, els],
        Kind::Either(ors) => ors.iter().collect(),
        Kind::While { body, .. } => vec![body],
        // There are no labels in a `with`.
        _ => vec![],
    }
}

fn statement(it: &Stmt) -> Statement {
    let kind = match &it.kind {
        Kind::Assign(_) => StatementKind::Assign,
        Kind::If { .. } => StatementKind::If,
        Kind::Either(_) => StatementKind::Either,
        Kind::While { .. } => StatementKind::While,
        Kind::With { .. } => StatementKind::With,
        Kind::Await(_) => StatementKind::Await,
        Kind::Print(_) => StatementKind::Print,
        Kind::Assert(_) => StatementKind::Assert,
        Kind::Skip => StatementKind::Skip,
        Kind::Goto(_) => StatementKind::Goto,
        Kind::Call { .. } => StatementKind::Call,
        Kind::Return(_) => StatementKind::Return,
    };
    let branch = |stmts: &[Stmt]| stmts.iter().map(|it| deep(|| statement(it))).collect();
    let branches = match &it.kind {
        Kind::With { body, .. } => vec![branch(body)],
        kind => blocks(kind).into_iter().map(|it| branch(&it.stmts)).collect(),
    };
    Statement {
        kind,
        span: it.span,
        call: it.call.map(|it| it.span),
        branches,
    }
}
