//! Expressions between syntax and IR: names looked up, types known from below, overloads still open.
//!
//! A node that cannot be right carries the reasons with it ([`Node::errors`]) instead of reporting them: it may be one
//! of several meanings of a name, and a better one may win. Nodes are made in `make`; this file holds data only.

use std::sync::Arc;

use diag::Diagnostic;
use source::Span;
use util::Symbol;

use crate::ir::{FieldId, FunId, SigId, VarId};
use crate::types::Type;

/// A node, as an index of [`Resolver::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct N(u32);

impl N {
    pub fn new(index: usize) -> N {
        N(index as u32)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub span: Span,
    /// What the value may be, as far as the operands tell. Impossible for a bad node.
    pub ty: Arc<Type>,
    pub mult: HasMult,
    /// How far-fetched this meaning of a name is; among several the least wins.
    pub weight: u32,
    /// It, or something in it, is wrong. `errors` may still be empty: then the reason was reported elsewhere.
    pub is_bad: bool,
    /// Everything in it is decided and need not be looked at again: an argument of a macro, which may occur often.
    pub is_final: bool,
    pub errors: Vec<Arc<Diagnostic>>,
    pub kind: Kind,
}

/// Whether multiplicities are written in it. They have a meaning only as bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HasMult {
    No,
    /// `some A`, `set A`, …
    Root,
    /// On an arrow.
    Arrow,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Wrong beyond repair.
    Error,
    True,
    Number(i32),
    Str(Symbol),
    Iden,
    IntMin,
    IntMax,
    IntNext,
    Sig(SigId),
    Field(FieldId),
    Var(VarId),
    Unary(Un, N),
    Binary(Bin, N, N),
    Arrow {
        left: N,
        left_mult: Mark,
        right_mult: Mark,
        right: N,
    },
    /// `seq e`
    Seq(N),
    List(List, Vec<N>),
    If(N, N, N),
    Let {
        var: VarId,
        value: N,
        body: N,
    },
    Quant {
        op: Quant,
        decls: Vec<QuantDecl>,
        body: N,
    },
    Call {
        fun: FunId,
        args: Vec<N>,
    },
    /// A function with arguments that do not fit, or too few so far.
    PartialCall {
        fun: FunId,
        args: Vec<N>,
    },
    /// One of several meanings.
    Choice {
        choices: Vec<N>,
        meanings: Vec<Meaning>,
    },
    /// A macro with fewer arguments than parameters.
    Macro {
        id: usize,
        args: Vec<N>,
    },
}

/// What a name may stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    Sig(SigId),
    Field(FieldId),
    Fun(FunId),
    /// With `this` as first argument.
    FunOfThis(FunId),
    Local,
}

#[derive(Clone, Debug)]
pub(crate) struct QuantDecl {
    pub vars: Vec<VarId>,
    pub is_disj: bool,
    pub bound: N,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Un {
    SomeOf,
    LoneOf,
    OneOf,
    SetOf,
    ExactlyOf,
    Not,
    Always,
    Eventually,
    After,
    Before,
    Historically,
    Once,
    No,
    Some,
    Lone,
    One,
    Transpose,
    Closure,
    ReflexiveClosure,
    Prime,
    Card,
    /// A set of `Int` atoms as a number.
    ToInt,
    /// A number as a set of one `Int` atom.
    FromInt,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bin {
    Join,
    Domain,
    Range,
    Intersect,
    Override,
    Union,
    Difference,
    IntAdd,
    IntSub,
    IntMul,
    IntDiv,
    IntRem,
    Shl,
    Sha,
    Shr,
    Equal,
    NotEqual,
    In,
    NotIn,
    Lt,
    Le,
    Gt,
    Ge,
    NotLt,
    NotLe,
    NotGt,
    NotGe,
    Implies,
    Iff,
    Until,
    Releases,
    Since,
    Triggered,
}

/// A multiplicity on an arrow.
pub(crate) type Mark = alloy_syntax::ast::Mult;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum List {
    And,
    Or,
    Disjoint,
    TotalOrder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quant {
    All,
    No,
    Some,
    Lone,
    One,
    Sum,
    Comprehension,
}

impl Un {
    pub fn is_multiplicity(self) -> bool {
        matches!(
            self,
            Un::SomeOf | Un::LoneOf | Un::OneOf | Un::SetOf | Un::ExactlyOf
        )
    }

    pub fn takes_formula(self) -> bool {
        matches!(
            self,
            Un::Not | Un::Always | Un::Eventually | Un::After | Un::Before | Un::Historically | Un::Once
        )
    }

    pub fn word(self) -> &'static str {
        match self {
            Un::SomeOf | Un::Some => "some",
            Un::LoneOf | Un::Lone => "lone",
            Un::OneOf | Un::One => "one",
            Un::SetOf => "set",
            Un::ExactlyOf => "=",
            Un::Not => "not",
            Un::Always => "always",
            Un::Eventually => "eventually",
            Un::After => "after",
            Un::Before => "before",
            Un::Historically => "historically",
            Un::Once => "once",
            Un::No => "no",
            Un::Transpose => "~",
            Un::Closure => "^",
            Un::ReflexiveClosure => "*",
            Un::Prime => "'",
            Un::Card => "#",
            Un::ToInt => "int",
            Un::FromInt => "Int",
        }
    }
}

impl Bin {
    pub fn takes_ints(self) -> bool {
        use Bin::*;
        self.compares_ints() || matches!(self, IntAdd | IntSub | IntMul | IntDiv | IntRem | Shl | Sha | Shr)
    }

    pub fn compares_ints(self) -> bool {
        use Bin::*;
        matches!(self, Lt | Le | Gt | Ge | NotLt | NotLe | NotGt | NotGe)
    }

    pub fn takes_formulas(self) -> bool {
        use Bin::*;
        matches!(self, Implies | Iff | Until | Releases | Since | Triggered)
    }

    pub fn word(self) -> &'static str {
        use Bin::*;
        match self {
            Join => ".",
            Domain => "<:",
            Range => ":>",
            Intersect => "&",
            Override => "++",
            Union => "+",
            Difference => "-",
            IntAdd => "fun/add",
            IntSub => "fun/sub",
            IntMul => "fun/mul",
            IntDiv => "fun/div",
            IntRem => "fun/rem",
            Shl => "<<",
            Sha => ">>",
            Shr => ">>>",
            Equal => "=",
            NotEqual => "!=",
            In => "in",
            NotIn => "not in",
            Lt => "<",
            Le => "=<",
            Gt => ">",
            Ge => ">=",
            NotLt => "not <",
            NotLe => "not =<",
            NotGt => "not >",
            NotGe => "not >=",
            Implies => "=>",
            Iff => "iff",
            Until => "until",
            Releases => "releases",
            Since => "since",
            Triggered => "triggered",
        }
    }
}
