//! The syntax tree: what the user wrote, paragraph by paragraph.
//!
//! Expressions live in one arena per file ([`Exprs`]) and point at each other by index, so that a tree of any depth
//! is dropped and copied without recursion. Parentheses are not kept. Names are plain text, with their slashes
//! (`ordering/next`); nothing is looked up.

use source::Span;
use util::{Arena, Idx, Symbol};

pub type ExprId = Idx<Expr>;
pub type Exprs = Arena<Expr>;

#[derive(Clone, Debug, Default)]
pub struct File {
    pub header: Option<Header>,
    pub paragraphs: Vec<Paragraph>,
    pub exprs: Exprs,
    /// A name with a `$` occurs: the file may speak of meta atoms.
    pub has_dollar: bool,
}

/// A name as written, primes and slashes included.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub text: Symbol,
    pub span: Span,
}

/// `module m[exactly A, B]`
#[derive(Clone, Debug)]
pub struct Header {
    pub name: Name,
    pub params: Vec<Param>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: Name,
    pub is_exact: bool,
}

#[derive(Clone, Debug)]
pub enum Paragraph {
    Open(Open),
    Sig(Sig),
    Enum(Enum),
    Fact(Fact),
    Assert(Assert),
    Fun(Fun),
    Macro(Macro),
    Command(Command),
}

/// `private open m[A] as n`
#[derive(Clone, Debug)]
pub struct Open {
    pub is_private: bool,
    pub module: Name,
    pub args: Vec<Name>,
    pub alias: Option<Name>,
    pub span: Span,
}

/// `one sig A, B extends C { fields } { facts }`
#[derive(Clone, Debug)]
pub struct Sig {
    pub quals: Quals,
    pub names: Vec<Name>,
    pub parents: Parents,
    pub fields: Vec<Decl>,
    /// The block after the fields.
    pub facts: Option<ExprId>,
    pub span: Span,
}

/// Where each qualifier stands, if it does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quals {
    pub is_abstract: Option<Span>,
    pub one: Option<Span>,
    pub lone: Option<Span>,
    pub some: Option<Span>,
    pub private: Option<Span>,
    pub var: Option<Span>,
}

#[derive(Clone, Debug)]
pub enum Parents {
    None,
    Extends(Name),
    /// `in A + B`
    In(Vec<Name>),
    /// `= A + B`
    Equal(Vec<Name>),
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub is_private: bool,
    pub name: Name,
    pub atoms: Vec<Name>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Fact {
    /// A name, or the text of a string.
    pub name: Option<Name>,
    pub body: ExprId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Assert {
    pub name: Option<Name>,
    pub body: ExprId,
    pub span: Span,
}

/// `pred` (no result) or `fun`.
#[derive(Clone, Debug)]
pub struct Fun {
    pub is_private: bool,
    /// `A` in `pred A.p[…]`.
    pub receiver: Option<Name>,
    pub name: Name,
    pub params: Vec<Decl>,
    /// Of a function; [`Unary::OneOf`] and the like where a multiplicity is written.
    pub result: Option<ExprId>,
    pub body: ExprId,
    pub span: Span,
}

/// `let m[x, y] = e` at the top level.
#[derive(Clone, Debug)]
pub struct Macro {
    pub is_private: bool,
    pub name: Name,
    pub params: Vec<Name>,
    pub body: ExprId,
    pub span: Span,
}

/// `l: run p for 3 but 2 A expect 1`
#[derive(Clone, Debug)]
pub struct Command {
    pub is_check: bool,
    pub label: Option<Name>,
    pub target: Target,
    pub scope: Scope,
    pub expect: Option<i32>,
    /// It stands after `=>`: a refinement of the command before.
    pub is_follow_up: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Target {
    Named(Name),
    Block(ExprId),
}

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub overall: Option<(i32, Span)>,
    pub items: Vec<ScopeItem>,
}

/// `exactly 2..5:1 A`
#[derive(Clone, Debug)]
pub struct ScopeItem {
    pub of: ScopeOf,
    pub is_exact: bool,
    pub first: i32,
    pub last: Last,
    pub step: i32,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// Only one number was given.
    Same,
    To(i32),
    /// `1..`
    Open,
}

#[derive(Clone, Copy, Debug)]
pub enum ScopeOf {
    Sig(Name),
    /// `int` and `Int`: the bit width.
    Int(Span),
    Seq(Span),
    Steps(Span),
    String(Span),
    Univ(Span),
    None(Span),
}

/// `private disj a, b: disj e`, `a = e`. Used for fields, parameters and variables.
#[derive(Clone, Debug)]
pub struct Decl {
    pub private: Option<Span>,
    pub var: Option<Span>,
    /// `disj` before the names.
    pub disj: Option<Span>,
    pub names: Vec<Name>,
    /// `disj` after the colon.
    pub disj_values: Option<Span>,
    /// `=` instead of `:`.
    pub is_defined: bool,
    /// A multiplicity at its root is [`Unary::SomeOf`] and the like, never [`Unary::Some`].
    pub bound: ExprId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    /// 1 for a leaf, else one more than the highest child. At most [`crate::NESTING_MAX`].
    pub height: u32,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Could not be read; a diagnostic says why.
    Error,
    Number(i32),
    Str(Symbol),
    Const(Const),
    /// A name without primes at its end, perhaps with slashes.
    Name(Symbol),
    /// `b''`: the name `b''`, or the name `b'` primed, or `b` primed twice, whichever is declared.
    PrimedName {
        base: Symbol,
        primes: u8,
    },
    /// `@f`: f without an implicit `this.`.
    At(Symbol),
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    /// `a m -> n b`
    Arrow {
        left: ExprId,
        left_mult: Mult,
        right_mult: Mult,
        right: ExprId,
    },
    /// `a[x, y]`; `a` may be [`Const::Disj`] and other callable words.
    Apply(ExprId, Vec<ExprId>),
    /// `c => a else b`
    If(ExprId, ExprId, ExprId),
    Quantified {
        quantifier: Quantifier,
        decls: Vec<Decl>,
        body: ExprId,
    },
    Comprehension {
        decls: Vec<Decl>,
        body: Option<ExprId>,
    },
    Let {
        name: Name,
        value: ExprId,
        body: ExprId,
    },
    /// `{ a b c }`: their conjunction. Empty: true. One: just that, of any sort.
    Block(Vec<ExprId>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    This,
    Univ,
    None,
    Iden,
    /// `Int`
    SigInt,
    String,
    /// `seq/Int`
    SeqInt,
    /// `fun/min`, `fun/max`, `fun/next`
    IntMin,
    IntMax,
    IntNext,
    /// Words that can be called: `disj[…]`, `pred/totalOrder[…]`, `int[…]`, `sum[…]`, also after a dot.
    Disj,
    TotalOrder,
    Int,
    Sum,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
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
    /// Multiplicities of a declaration.
    SomeOf,
    LoneOf,
    OneOf,
    SetOf,
    SeqOf,
    Card,
    /// `int e`, `sum e`
    IntOf,
    Transpose,
    Closure,
    ReflexiveClosure,
    Prime,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `a ; b`
    Then,
    Or,
    Iff,
    Implies,
    And,
    Until,
    Releases,
    Since,
    Triggered,
    In,
    NotIn,
    Equal,
    NotEqual,
    Lt,
    NotLt,
    Le,
    NotLe,
    Gt,
    NotGt,
    Ge,
    NotGe,
    Shl,
    Sha,
    Shr,
    Union,
    Difference,
    /// `fun/add` and the like.
    IntAdd,
    IntSub,
    IntMul,
    IntDiv,
    IntRem,
    Override,
    Intersect,
    Domain,
    Range,
    Join,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mult {
    /// Nothing written, or `set`.
    Set,
    One,
    Lone,
    Some,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    All,
    No,
    Some,
    Lone,
    One,
    Sum,
}

impl ExprKind {
    /// Calls `f` on each direct child, declarations' bounds included, in the order of the text.
    pub fn for_each_child(&self, mut f: impl FnMut(ExprId)) {
        match self {
            ExprKind::Error
            | ExprKind::Number(_)
            | ExprKind::Str(_)
            | ExprKind::Const(_)
            | ExprKind::Name(_)
            | ExprKind::PrimedName { .. }
            | ExprKind::At(_) => {}
            ExprKind::Unary(_, a) => f(*a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Arrow {
                left: a, right: b, ..
            } => {
                f(*a);
                f(*b);
            }
            ExprKind::Apply(a, args) => {
                f(*a);
                args.iter().copied().for_each(f);
            }
            ExprKind::If(a, b, c) => {
                f(*a);
                f(*b);
                f(*c);
            }
            ExprKind::Quantified { decls, body, .. } => {
                decls.iter().for_each(|it| f(it.bound));
                f(*body);
            }
            ExprKind::Comprehension { decls, body } => {
                decls.iter().for_each(|it| f(it.bound));
                body.iter().copied().for_each(f);
            }
            ExprKind::Let { value, body, .. } => {
                f(*value);
                f(*body);
            }
            ExprKind::Block(items) => items.iter().copied().for_each(f),
        }
    }
}
