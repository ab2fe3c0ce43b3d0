//! An algorithm after labelling: each body is a list of steps, each step what happens between two labels.

use source::Span;
use util::Symbol;

use crate::ast::{Assignment, CallSite, Fairness, Name, Relation, Variable};
use crate::expr::Expr;
use crate::lexer::At;
use crate::map::Origin;

#[derive(Clone, Debug)]
pub struct Program {
    pub name: Symbol,
    pub fair: bool,
    pub fair_body: bool,
    pub variables: Vec<Variable>,
    pub definitions: Expr,
    pub procedures: Vec<Procedure>,
    pub body: ProgramBody,
    /// Some variable has no first value.
    pub has_default_value: bool,
    /// There is only one place where each process can be, so nobody needs to know which.
    pub omits_pc: bool,
    /// Some process never ends, so there is no end to stutter at.
    pub never_ends: bool,
}

#[derive(Clone, Debug)]
pub enum ProgramBody {
    Sequential(Vec<Step>),
    Processes(Vec<Process>),
}

impl Program {
    pub fn processes(&self) -> &[Process] {
        match &self.body {
            ProgramBody::Sequential(_) => &[],
            ProgramBody::Processes(processes) => processes,
        }
    }

    pub fn is_multiprocess(&self) -> bool {
        matches!(self.body, ProgramBody::Processes(_))
    }
}

/// What the labels and calls of a process or a procedure say about fairness.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    pub minus: Vec<Symbol>,
    pub plus: Vec<Symbol>,
    /// The procedures it calls, directly or not once names are resolved.
    pub calls: Vec<Symbol>,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Name,
    pub params: Vec<Variable>,
    pub variables: Vec<Variable>,
    pub body: Vec<Step>,
    pub marks: Marks,
    pub at: At,
    pub span: Span,
}

impl Procedure {
    /// The variables that a call saves, in the order in which frames list them.
    pub fn saved(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().chain(&self.params)
    }
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: Name,
    pub fairness: Option<Fairness>,
    pub relation: Relation,
    pub id: Expr,
    pub variables: Vec<Variable>,
    pub body: Vec<Step>,
    pub marks: Marks,
    pub at: At,
    pub span: Span,
}

impl Process {
    /// `p \in S`
    pub fn header(&self) -> Span {
        self.name.span.to(self.id.span.unwrap_or(self.name.span))
    }
}

#[derive(Clone, Debug)]
pub struct Step {
    pub label: Symbol,
    /// Where someone wrote the label; nothing when it was added.
    pub label_span: Option<Span>,
    pub stmts: Vec<Stmt>,
    /// Of its first statement.
    pub at: At,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: Kind,
    pub span: Span,
    pub at: At,
    pub call: Option<CallSite>,
}

/// The statements up to the first label, and the steps from there on.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub steps: Vec<Step>,
}

impl Block {
    /// Whether there is a label in it, at any depth.
    pub fn has_label(&self) -> bool {
        !self.steps.is_empty() || self.stmts.iter().any(|it| util::deep(|| it.has_label()))
    }
}

#[derive(Clone, Debug)]
pub enum Kind {
    Assign(Vec<Assignment>),
    If {
        test: Expr,
        then: Block,
        els: Block,
    },
    Either(Vec<Block>),
    /// Always the first statement of a step.
    While {
        test: Expr,
        body: Block,
    },
    With {
        name: Name,
        relation: Relation,
        expr: Expr,
        body: Vec<Stmt>,
    },
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
    /// From this procedure.
    Return(Symbol),
}

#[derive(Clone, Copy, Debug)]
pub enum AfterCall {
    Continue,
    /// From this procedure.
    Return(Symbol),
    Goto(Name),
}

impl Stmt {
    pub fn origin(&self) -> Origin {
        Origin {
            span: self.span,
            call: self.call.map(|it| it.span),
        }
    }

    /// Whether there is a label in it, at any depth.
    pub fn has_label(&self) -> bool {
        match &self.kind {
            Kind::If { then, els, .. } => then.has_label() || els.has_label(),
            Kind::Either(ors) => ors.iter().any(Block::has_label),
            Kind::While { .. } => true,
            _ => false,
        }
    }
}

/// What one look at a list of steps finds, for everything that has to be changed or seen in them.
pub trait Visit {
    fn step(&mut self, _: &mut Step) {}
    fn stmt(&mut self, _: &mut Stmt) {}
}

/// Visits steps and statements in the order of the text, outer ones first.
pub fn visit_steps(steps: &mut [Step], visitor: &mut dyn Visit) {
    for step in steps {
        visitor.step(step);
        visit_stmts(&mut step.stmts, visitor);
    }
}

fn visit_stmts(stmts: &mut [Stmt], visitor: &mut dyn Visit) {
    for stmt in stmts {
        visitor.stmt(stmt);
        util::deep(|| match &mut stmt.kind {
            Kind::If { then, els, .. } => {
                visit_block(then, visitor);
                visit_block(els, visitor);
            }
            Kind::Either(ors) => ors.iter_mut().for_each(|it| visit_block(it, visitor)),
            Kind::While { body, .. } => visit_block(body, visitor),
            Kind::With { body, .. } => visit_stmts(body, visitor),
            _ => {}
        });
    }
}

fn visit_block(block: &mut Block, visitor: &mut dyn Visit) {
    visit_stmts(&mut block.stmts, visitor);
    visit_steps(&mut block.steps, visitor);
}
