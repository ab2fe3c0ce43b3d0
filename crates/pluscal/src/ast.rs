//! An algorithm as it is written: both syntaxes, macros still calls, labels only where someone wrote them.

use source::Span;
use util::Symbol;

use crate::expr::Expr;
use crate::lexer::At;

/// Which of the two syntaxes an algorithm is written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Syntax {
    /// `begin … end`
    P,
    /// `{ … }`
    C,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    pub text: Symbol,
    pub span: Span,
    pub at: At,
}

#[derive(Clone, Debug)]
pub struct Algorithm {
    pub name: Name,
    pub syntax: Syntax,
    /// `--fair algorithm`
    pub fair: bool,
    /// `fair` before `begin`, as PlusCal 1.5 had it.
    pub fair_body: bool,
    pub variables: Vec<Variable>,
    /// The text between `define` and its end; empty when there is none.
    pub definitions: Expr,
    pub macros: Vec<Macro>,
    pub procedures: Vec<Procedure>,
    pub body: Body,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Body {
    /// An algorithm without processes.
    Sequential(Vec<Stmt>),
    Processes(Vec<Process>),
}

/// `x = e` or `x \in S`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Equals,
    In,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub relation: Relation,
    /// Empty when nothing is said of its first value.
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Macro {
    pub name: Name,
    pub params: Vec<Name>,
    pub body: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Name,
    pub params: Vec<Variable>,
    pub variables: Vec<Variable>,
    pub body: Vec<Stmt>,
    /// Where the word `procedure` stands.
    pub at: At,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fairness {
    Weak,
    Strong,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: Name,
    /// What is written: `fair`, `fair+`, or nothing.
    pub fairness: Option<Fairness>,
    /// One process, or one for each element of a set.
    pub relation: Relation,
    pub id: Expr,
    pub variables: Vec<Variable>,
    pub body: Vec<Stmt>,
    /// Where the word `process` stands.
    pub at: At,
    pub span: Span,
}

/// What `+` and `-` after a label say about fairness of its step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Modifier {
    /// Strongly fair, where the process is weakly fair.
    Plus,
    /// Not fair.
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    pub name: Name,
    pub modifier: Option<Modifier>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub label: Option<Label>,
    pub kind: StmtKind,
    pub span: Span,
    /// The place that translations name.
    pub at: At,
    /// The outermost macro call that it comes from.
    pub call: Option<CallSite>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CallSite {
    pub at: At,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Assign(Vec<Assignment>),
    If {
        test: Expr,
        then: Vec<Stmt>,
        els: Vec<Stmt>,
    },
    Either(Vec<Vec<Stmt>>),
    While {
        test: Expr,
        body: Vec<Stmt>,
    },
    With {
        name: Name,
        relation: Relation,
        expr: Expr,
        body: Vec<Stmt>,
    },
    /// `await` and `when` are one.
    Await(Expr),
    Print(Expr),
    Assert(Expr),
    Skip,
    Goto(Name),
    Call {
        procedure: Name,
        args: Vec<Expr>,
        then: AfterCall,
    },
    Return,
    Macro {
        name: Name,
        args: Vec<Expr>,
    },
}

/// What a `call` does in the same step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AfterCall {
    Continue,
    Return,
    Goto(Name),
}

/// `x[i].f := e`
#[derive(Clone, Debug)]
pub struct Assignment {
    pub variable: Name,
    /// Empty when the whole variable is assigned.
    pub subscript: Expr,
    pub value: Expr,
    pub span: Span,
}

/// The statement sequences inside of a statement.
impl StmtKind {
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match self {
            StmtKind::If { then, els, .. } => vec![then, els],
            StmtKind::Either(ors) => ors.iter().map(|it| &it[..]).collect(),
            StmtKind::While { body, .. } | StmtKind::With { body, .. } => vec![body],
            _ => vec![],
        }
    }
}

/// Calls `visit` for each statement in a sequence, outer ones first, in the order of the text.
pub fn walk<'a>(stmts: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for stmt in stmts {
        visit(stmt);
        util::deep(|| stmt.kind.blocks().into_iter().for_each(|it| walk(it, visit)));
    }
}

impl Body {
    pub fn processes(&self) -> &[Process] {
        match self {
            Body::Sequential(_) => &[],
            Body::Processes(processes) => processes,
        }
    }
}
