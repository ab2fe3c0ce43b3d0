//! The tree of a TLA+ module, as the author wrote it.
//!
//! Expressions live in one arena per file and refer to each other by index; everything carries the span of its text.
//! Names are symbols: an operator symbol such as `\cup` or `∪` is interned under one canonical ASCII spelling (see
//! [`Op`]), so that `a ∪ b`, `a \cup b`, `\union(a, b)` and the definition of `_ \cup _` all meet in one name.
//! Prefix minus is the name `-.`.
//!
//! The tree says nothing about meaning: whether a name is a constant or an operator, whether `M!x` is an instance or
//! a subexpression, is decided by `tla-sema`.

use source::Span;
use util::{Arena, Idx, Symbol};

use crate::op::Op;

pub type ExprId = Idx<Expr>;

/// What one file holds: its module (with the modules nested in it) and the expressions of all of them.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Absent when the text holds no module.
    pub module: Option<Module>,
    pub exprs: Arena<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    pub name: Symbol,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Module {
    pub name: Ident,
    pub extends: Box<[Ident]>,
    pub units: Box<[Unit]>,
    /// From the dashes before `MODULE` to the last `=`.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Unit {
    pub kind: UnitKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum UnitKind {
    /// `----`
    Separator,
    Constants(Box<[OpDecl]>),
    Variables(Box<[Ident]>),
    /// `RECURSIVE f(_), _ + _`
    Recursive(Box<[OpDecl]>),
    Definition(Definition),
    Function(FunctionDefinition),
    Instance(Instance),
    Assumption(Assumption),
    Theorem(Theorem),
    /// `USE` and `HIDE` as units of a module.
    Use(Use),
    Module(Module),
}

/// How an operator is written around its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fixity {
    /// `f(x, y)`, or a plain name when there are no arguments.
    Nonfix,
    Prefix,
    Infix,
    Postfix,
}

/// A declared operator and how many arguments it takes: `N`, `F(_, _)`, `_ \prec _`, `-. _`, `_ ^#`.
/// Constants, `RECURSIVE` declarations, parameters of definitions and `NEW` symbols have this form.
#[derive(Clone, Copy, Debug)]
pub struct OpDecl {
    pub name: Ident,
    pub fixity: Fixity,
    pub arity: u32,
    pub span: Span,
}

/// `f(x, G(_)) == body`, `a \prec b == body`, `x == body`.
#[derive(Clone, Debug)]
pub struct Definition {
    pub local: bool,
    pub name: Ident,
    pub fixity: Fixity,
    pub params: Box<[OpDecl]>,
    pub body: ExprId,
}

/// `f[x \in S, <<y, z>> \in T] == body`.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    pub local: bool,
    pub name: Ident,
    pub bounds: Box<[Bound]>,
    pub body: ExprId,
}

/// `INSTANCE M WITH a <- e`, or `I(x) == INSTANCE M …` when it has a name.
#[derive(Clone, Debug)]
pub struct Instance {
    pub local: bool,
    pub name: Option<InstanceName>,
    pub module: Ident,
    pub substitutions: Box<[Substitution]>,
}

#[derive(Clone, Debug)]
pub struct InstanceName {
    pub name: Ident,
    /// `a \prec b == INSTANCE M` is legal, if rare.
    pub fixity: Fixity,
    pub params: Box<[OpDecl]>,
}

#[derive(Clone, Copy, Debug)]
pub struct Substitution {
    pub name: Ident,
    /// Possibly an [`ExprKind::OpRef`] or [`ExprKind::Lambda`].
    pub value: ExprId,
}

#[derive(Clone, Debug)]
pub struct Assumption {
    /// `ASSUME`, `ASSUMPTION` or `AXIOM`, as written.
    pub keyword: Symbol,
    pub name: Option<Ident>,
    pub body: ExprId,
}

#[derive(Clone, Debug)]
pub struct Theorem {
    /// `THEOREM`, `LEMMA`, `PROPOSITION` or `COROLLARY`, as written.
    pub keyword: Symbol,
    pub name: Option<Ident>,
    /// Possibly an [`ExprKind::AssumeProve`].
    pub body: ExprId,
    pub proof: Option<Proof>,
}

// Expressions

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A hole where the text could not be read; a diagnostic says why.
    Error,
    /// A name without arguments and without `!`. Also `BOOLEAN`, `STRING`, `TRUE`, `FALSE`, and a step name (`<1>2`).
    Ident(Symbol),
    /// `f(a, b)`, also an operator symbol used this way: `\o(a, b)`.
    Apply {
        name: Ident,
        args: Box<[ExprId]>,
    },
    /// `M!f(a)`, `Thm!1!<<!x`: at least two parts.
    Path(Box<[PathPart]>),
    /// An operator symbol as an argument: the `+` of `Fold(+, 0, s)`.
    OpRef(Symbol),
    /// A number in any base, as written: the value is computed by whoever needs it ([`crate::number`]).
    Number(Symbol),
    /// `12.34`, as written.
    Decimal(Symbol),
    /// The text of a string with its escapes resolved.
    Str(Symbol),
    /// `@` in `EXCEPT`.
    At,
    Paren(ExprId),
    Prefix {
        op: Op,
        op_span: Span,
        arg: ExprId,
    },
    Infix {
        op: Op,
        op_span: Span,
        lhs: ExprId,
        rhs: ExprId,
    },
    Postfix {
        op: Op,
        op_span: Span,
        arg: ExprId,
    },
    /// A list of `/\` or `\/` bullets aligned in one column; at least one item.
    Junction {
        kind: Junction,
        items: Box<[ExprId]>,
    },
    /// `A \X B \X C` without parentheses between: one product, at least two factors.
    Times(Box<[ExprId]>),
    If {
        test: ExprId,
        then: ExprId,
        other: ExprId,
    },
    Case {
        arms: Box<[CaseArm]>,
        other: Option<ExprId>,
    },
    /// Units are definitions, functions, named instances and `RECURSIVE` declarations only.
    Let {
        units: Box<[Unit]>,
        body: ExprId,
    },
    Quant {
        kind: Quant,
        bounds: Box<[Bound]>,
        body: ExprId,
    },
    /// `\A x, y : body`, and always so for `\EE` and `\AA`.
    UnboundedQuant {
        kind: Quant,
        names: Box<[Ident]>,
        body: ExprId,
    },
    /// `CHOOSE x \in S : body`, `CHOOSE <<x, y>> \in S : body`, `CHOOSE x : body`.
    Choose {
        pattern: Pattern,
        set: Option<ExprId>,
        body: ExprId,
    },
    SetEnum(Box<[ExprId]>),
    /// `{x \in S : body}`.
    SetFilter {
        bound: Box<Bound>,
        body: ExprId,
    },
    /// `{body : x \in S, y \in T}`.
    SetMap {
        body: ExprId,
        bounds: Box<[Bound]>,
    },
    /// `f[a, b]`.
    FnApply {
        function: ExprId,
        args: Box<[ExprId]>,
    },
    /// `[x \in S |-> body]`.
    FnLiteral {
        bounds: Box<[Bound]>,
        body: ExprId,
    },
    /// `[S -> T]`.
    FnSet {
        domain: ExprId,
        range: ExprId,
    },
    /// `[a |-> 1, b |-> 2]`.
    Record(Box<[Field]>),
    /// `[a : S, b : T]`.
    RecordSet(Box<[Field]>),
    /// `r.a`.
    Select {
        record: ExprId,
        field: Ident,
    },
    Except {
        function: ExprId,
        updates: Box<[Update]>,
    },
    Tuple(Box<[ExprId]>),
    /// `[A]_v`.
    BoxAction {
        action: ExprId,
        subscript: ExprId,
    },
    /// `<<A>>_v`.
    AngleAction {
        action: ExprId,
        subscript: ExprId,
    },
    /// `WF_v(A)`, `SF_v(A)`.
    Fairness {
        kind: Fairness,
        subscript: ExprId,
        action: ExprId,
    },
    /// Only as an argument or a substitution.
    Lambda {
        params: Box<[Ident]>,
        body: ExprId,
    },
    /// `lab(x, y) :: body`.
    Label {
        name: Ident,
        params: Box<[Ident]>,
        body: ExprId,
    },
    /// Only as the statement of a theorem or step, or as an assumption of another one.
    AssumeProve(Box<AssumeProve>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Junction {
    And,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quant {
    /// `\A`
    Forall,
    /// `\E`
    Exists,
    /// `\AA`
    TemporalForall,
    /// `\EE`
    TemporalExists,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fairness {
    Weak,
    Strong,
}

#[derive(Clone, Copy, Debug)]
pub struct CaseArm {
    pub guard: ExprId,
    pub body: ExprId,
}

/// `x, y \in S` or `<<x, y>> \in S`.
#[derive(Clone, Debug)]
pub struct Bound {
    pub pattern: Pattern,
    pub set: ExprId,
}

#[derive(Clone, Debug)]
pub enum Pattern {
    /// Each name ranges over the set; exactly one in `SetFilter` and `Choose`.
    Names(Box<[Ident]>),
    /// One tuple ranges over the set and is taken apart. Never empty.
    Tuple(Box<[Ident]>),
}

#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: Ident,
    pub value: ExprId,
}

/// `![a, b].c = value`; the path is never empty.
#[derive(Clone, Debug)]
pub struct Update {
    pub path: Box<[PathStep]>,
    pub value: ExprId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PathStep {
    Index(Box<[ExprId]>),
    Field(Ident),
}

/// One segment of a name with `!` in it.
#[derive(Clone, Debug)]
pub struct PathPart {
    pub selector: Selector,
    /// Arguments of a name, or the parts of `!(a, b)`.
    pub args: Box<[ExprId]>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selector {
    /// An instance, a definition, a label, or (at the head) a step name.
    Name(Symbol),
    /// `!2`
    Index(u32),
    /// `!<<`: the first argument.
    First,
    /// `!>>`: the second argument.
    Second,
    /// `!:`: the body of a definition or binder, as an operator.
    Body,
    /// `!@`
    At,
    /// `!(a, b)`: instantiates the bound names of a binder.
    Args,
}

// Proofs: kept, not checked.

#[derive(Clone, Debug)]
pub struct AssumeProve {
    /// `[]ASSUME … []PROVE …`.
    pub boxed: bool,
    pub assumptions: Box<[AssumeItem]>,
    pub prove: ExprId,
}

#[derive(Clone, Debug)]
pub enum AssumeItem {
    /// A formula, or a nested `ASSUME … PROVE` (possibly under a label).
    Fact(ExprId),
    /// `NEW CONSTANT x \in S`, `NEW STATE f(_)`, `CONSTANT x`.
    New {
        level: NewLevel,
        decl: OpDecl,
        set: Option<ExprId>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewLevel {
    Constant,
    Variable,
    State,
    Action,
    Temporal,
}

#[derive(Clone, Debug)]
pub struct Proof {
    pub kind: ProofKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ProofKind {
    Obvious,
    Omitted,
    By(By),
    Steps(Box<[Step]>),
}

/// `BY ONLY facts DEF names`, and the lists of `USE` and `HIDE`.
#[derive(Clone, Debug)]
pub struct By {
    pub only: bool,
    pub facts: Box<[Fact]>,
    pub defs: Box<[Fact]>,
}

#[derive(Clone, Debug)]
pub enum Fact {
    /// In `DEF` lists always a name, a path or an operator reference.
    Expr(ExprId),
    Module(Ident),
}

#[derive(Clone, Debug)]
pub struct Use {
    pub hide: bool,
    pub by: By,
}

#[derive(Clone, Debug)]
pub struct Step {
    /// The level after `<*>` and `<+>` are resolved.
    pub level: u32,
    /// The whole token, such as `<1>2a.`, `<*>` or `<+>`.
    pub token: Ident,
    /// `<1>2a`, when the step has a name that others can cite.
    pub name: Option<Ident>,
    pub kind: StepKind,
    pub proof: Option<Proof>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StepKind {
    Qed,
    /// A formula or `ASSUME … PROVE`.
    Assert(ExprId),
    Suffices(ExprId),
    Case(ExprId),
    Have(ExprId),
    /// `TAKE x \in S` or `TAKE x, y`.
    Take(Binding),
    Witness(Box<[ExprId]>),
    Pick {
        binding: Binding,
        body: ExprId,
    },
    Use(Use),
    /// With or without the word `DEFINE`; definitions, functions and named instances.
    Define(Box<[Unit]>),
    Instance(Instance),
}

#[derive(Clone, Debug)]
pub enum Binding {
    Bounded(Box<[Bound]>),
    Unbounded(Box<[Ident]>),
}
