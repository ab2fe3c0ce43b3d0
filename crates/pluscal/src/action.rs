//! What an action does, once control is plain data: assignments to `pc` and `stack` like to any other variable.

use source::Span;
use util::Symbol;

use crate::ast::{CallSite, Relation};
use crate::expr::Expr;
use crate::lexer::At;
use crate::map::Origin;

/// The action of one label.
#[derive(Clone, Debug)]
pub struct Action {
    pub label: Symbol,
    pub dos: Vec<Do>,
    /// The step that it comes from.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Do {
    pub kind: DoKind,
    /// Nothing for what the translation adds.
    pub origin: Option<Origin>,
}

#[derive(Clone, Debug)]
pub enum DoKind {
    Assign(Vec<Set>),
    If {
        test: Expr,
        then: Vec<Do>,
        els: Vec<Do>,
    },
    Either(Vec<Vec<Do>>),
    With {
        name: Symbol,
        relation: Relation,
        expr: Expr,
        body: Vec<Do>,
    },
    Await(Expr),
    Print(Expr),
    Assert {
        expr: Expr,
        at: At,
        call: Option<CallSite>,
    },
    Skip,
}

/// One assignment.
#[derive(Clone, Debug)]
pub struct Set {
    pub variable: Symbol,
    pub subscript: Expr,
    pub value: Expr,
    pub origin: Option<Origin>,
}

/// The assignments of a statement in the order in which they are written: by variable.
pub fn sorted(sets: &[Set]) -> Vec<&Set> {
    let mut sorted: Vec<&Set> = sets.iter().collect();
    sorted.sort_by_key(|it| it.variable.as_str());
    sorted
}
