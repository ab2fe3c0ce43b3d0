//! The resolved model: what an Alloy specification says, with every name settled.
//!
//! The one idea: three sorts of node ([`Formula`], [`Expr`] for relations, [`IntExpr`]), each in its own arena, so
//! that a translator or an evaluator is three functions and needs no sort checks. Nothing here is overloaded,
//! implicit or macro-like any more:
//!
//! - every name is one sig, field, function or variable; a variable has its own [`VarId`] for each binder;
//! - `this`, receivers, the implicit `this.` of appended facts, default multiplicities (`x: A` is `x: one A`),
//!   negated operators (`!=`, `not in`), `;`, `disj` brackets and casts between `Int` and integers are written out;
//! - macros are expanded; module parameters are replaced; meta signatures (`sig$`, `A$f`) are ordinary sigs.
//!
//! What a model means. A universe of atoms is divided among the top-level sigs, `Int`, `String`. An *instance* gives
//! each sig a set and each field a relation; for a temporal model there is one such assignment per state of an
//! infinite lasso, where sigs and fields that are not `var` keep their value. An instance of a command is one for
//! which hold, in the first state: the rules of each sig ([`Sig`] says them), every formula of [`Model::facts`] (this
//! includes what field declarations say), and [`Command::goal`].
//!
//! This file holds data only. Who builds it: `elaborate`; who walks it: `visit`.

use diag::Diagnostic;
use source::{FileId, Span};
use util::{Arena, Idx, Symbol};

pub type ModuleId = Idx<Module>;
pub type SigId = Idx<Sig>;
pub type FieldId = Idx<Field>;
pub type FunId = Idx<Fun>;
pub type VarId = Idx<Var>;
pub type FormulaId = Idx<Formula>;
pub type ExprId = Idx<Expr>;
pub type IntId = Idx<IntExpr>;

/// Everything that a specification and the modules it opens declare.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The root module is the first.
    pub modules: Arena<Module>,
    /// The built-in sigs come first, at the fixed places of [`builtin`]; the others in order of declaration, the root
    /// module's before those of the modules it opens.
    pub sigs: Arena<Sig>,
    pub fields: Arena<Field>,
    pub funs: Arena<Fun>,
    pub vars: Arena<Var>,
    pub formulas: Arena<Formula>,
    pub exprs: Arena<Expr>,
    pub ints: Arena<IntExpr>,
    /// What must hold in the first state of every instance, whatever the command. Formulas that hold in every state
    /// (field declarations and appended facts that speak of something variable) are wrapped in `always` here.
    pub facts: Vec<Fact>,
    /// The assertions, in order of declaration, whether or not a command checks them.
    pub asserts: Vec<Assert>,
    /// The commands of the root module, in order. A file without commands has one: `run {}` named `Default`.
    pub commands: Vec<Command>,
    /// How often a function may call itself within itself; `None`: recursion is refused.
    pub recursion_max: Option<u32>,
}

/// Places of the built-in sigs in [`Model::sigs`].
pub mod builtin {
    use super::SigId;
    use util::Idx;

    /// The set of all atoms. In a temporal model: those that some sig holds in the present state, as in Alloy 6.
    pub fn univ() -> SigId {
        Idx::new(0)
    }
    /// The empty set. As a type it stands in every column of an empty product.
    pub fn none() -> SigId {
        Idx::new(1)
    }
    /// The integers of the bit width, one atom each.
    pub fn int() -> SigId {
        Idx::new(2)
    }
    /// The sequence indices `0..max_seq-1`, as `Int` atoms; a child of `Int`.
    pub fn seq_int() -> SigId {
        Idx::new(3)
    }
    /// The string atoms: [`super::Scope::strings`].
    pub fn string() -> SigId {
        Idx::new(4)
    }
    pub const COUNT: usize = 5;
}

/// One instantiated module: a file opened with one list of arguments.
#[derive(Clone, Debug)]
pub struct Module {
    /// The shortest path of aliases by which the root reaches it; empty for the root itself.
    pub path: Symbol,
    /// The name on its `module` line, or the name it was opened by.
    pub name: Symbol,
    pub file: FileId,
    /// Each parameter with the sig that was passed.
    pub params: Vec<(Symbol, SigId)>,
}

/// A union of products of sigs: an upper bound of what an expression can hold.
///
/// Invariant: products are non-empty; `none` fills either every column of a product or no column; no product is a
/// subtype (column by column) of another of the same arity. Only sigs that are no subset sigs occur.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Type {
    pub products: Vec<Box<[SigId]>>,
}

/// A signature.
///
/// What it says of an instance, in every state:
/// - [`SigKind::Top`]: disjoint from every other top-level sig, `Int` and `String`;
/// - [`SigKind::Extends`]: a subset of the parent, disjoint from the parent's other [`Sig::children`];
/// - [`SigKind::Subset`]: a subset of the union of the parents; equal to it when `exact`;
/// - `is_abstract` with at least one child: equal to the union of its children;
/// - its multiplicity;
/// - if not `is_var`, the same set in all states.
///
/// Fields and appended facts are in [`Model::facts`].
#[derive(Clone, Debug)]
pub struct Sig {
    /// As declared: `Board`.
    pub name: Symbol,
    /// As the Analyzer prints it: `this/Board`, `ordering/Ord`.
    pub label: Symbol,
    pub module: ModuleId,
    /// Where the name is declared; absent for built-in and meta sigs.
    pub span: Option<Span>,
    pub kind: SigKind,
    pub mult: Mult,
    pub is_abstract: bool,
    pub is_var: bool,
    pub is_private: bool,
    /// Declared by `enum`; its children are its atoms, in order.
    pub is_enum: bool,
    /// A sig that reflects the model itself (`sig$`, `field$`, `A$`, `A$f`).
    pub is_meta: bool,
    /// The sigs that extend this one, in order of declaration.
    pub children: Vec<SigId>,
    pub fields: Vec<FieldId>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SigKind {
    Builtin,
    /// Declared without `extends` and `in`.
    Top,
    Extends(SigId),
    /// `in` (or `=`, then `exact`). Parents may be subset sigs and built-in sigs.
    Subset {
        parents: Vec<SigId>,
        exact: bool,
    },
}

/// How many elements a set has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mult {
    Set,
    One,
    Lone,
    Some,
}

/// A relation whose first column is its sig.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Symbol,
    pub sig: SigId,
    pub span: Option<Span>,
    /// Includes the column of the sig.
    pub ty: Type,
    /// Includes the column of the sig: at least 2.
    pub arity: u32,
    /// The sig's element that `bound` speaks of.
    pub this: VarId,
    /// What `this.f` lies in. The constraint itself is in [`Model::facts`]; here it serves to find tight bounds.
    pub bound: Bound,
    /// `f = e` instead of `f: e`.
    pub is_defined: bool,
    pub is_var: bool,
    pub is_private: bool,
    pub is_meta: bool,
}

/// The right side of `x: …` and `x in …`, where multiplicities may stand.
///
/// `e in bound` holds when `e in bound.expr` and, by [`BoundKind`]:
/// - `Of(mult)`: `e` has that many tuples;
/// - `Exactly`: `e = bound.expr`;
/// - `Arrow`: for each tuple `t` that is in `left` (as a bound), `t.e` (all columns of `t` joined away) has `right_mult`
///   tuples and is in `right` (as a bound); and for each tuple `t` in `right`, `e.t` has `left_mult` tuples and is in
///   `left`;
/// - `Seq`: the first column holds an initial segment of `seq/Int`, and for each index `i` in `seq/Int`, `i.e` has at
///   most one tuple and is in `elem`.
#[derive(Clone, Debug)]
pub struct Bound {
    pub span: Span,
    /// The bound without its multiplicities: the product of the sides of an arrow, `seq/Int -> elem` for a sequence.
    pub expr: ExprId,
    pub kind: BoundKind,
}

#[derive(Clone, Debug)]
pub enum BoundKind {
    Of(Mult),
    Exactly,
    /// Only where a multiplicity stands on this arrow or deeper; a plain product is `Of(Set)`.
    Arrow {
        left: Box<Bound>,
        left_mult: Mult,
        right_mult: Mult,
        right: Box<Bound>,
    },
    Seq {
        elem: Box<Bound>,
    },
}

/// A predicate or function. A call means its body with the parameters bound to the values of the arguments: what the
/// declarations of parameters and result say is *not* part of it (but see [`Command::goal`]).
#[derive(Clone, Debug)]
pub struct Fun {
    pub name: Symbol,
    /// `this/won`, `ordering/next`.
    pub label: Symbol,
    pub module: ModuleId,
    pub span: Span,
    /// In order; a receiver comes first and is named `this`.
    pub params: Vec<Decl>,
    pub body: FunBody,
    pub is_private: bool,
    /// Calls itself, perhaps through others. Without [`Model::recursion_max`] a command that reaches it is refused
    /// ([`Command::errors`]); with it, a call beyond that depth is false, or the empty relation.
    pub is_recursive: bool,
}

#[derive(Clone, Debug)]
pub enum FunBody {
    Pred(FormulaId),
    Fun { result: Bound, body: ExprId },
}

/// Variables that range over one bound, in quantifiers, comprehensions, sums and parameter lists.
///
/// A variable of `Of(One)` with a unary bound ranges over elements; any other over all relations within the bound.
/// With `is_disj`, the variables of this declaration are pairwise disjoint: assignments that are not do not count.
/// A later declaration may mention earlier variables.
#[derive(Clone, Debug)]
pub struct Decl {
    pub vars: Vec<VarId>,
    pub is_disj: bool,
    pub bound: Bound,
}

/// A variable. Each binder has its own, but for `this` of a sig (one for all its declarations and facts) and for the
/// copies that a macro makes of its arguments. A function's body uses the same ids in each call. No binder stands
/// within the scope of another binder of the same variable, except through calls.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: Symbol,
    pub span: Option<Span>,
    pub sort: VarSort,
}

#[derive(Clone, Debug)]
pub enum VarSort {
    Relation {
        arity: u32,
        ty: Type,
    },
    /// Bound by `let` only.
    Formula,
    /// Bound by `let` only.
    Int,
}

/// What a `let` gives its variable. It is evaluated in the state in which the `let` is.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Formula(FormulaId),
    Expr(ExprId),
    Int(IntId),
}

#[derive(Clone, Debug)]
pub struct Formula {
    pub span: Span,
    pub kind: FormulaKind,
}

#[derive(Clone, Debug)]
pub enum FormulaKind {
    True,
    False,
    Not(FormulaId),
    /// Empty: true.
    And(Vec<FormulaId>),
    /// Empty: false.
    Or(Vec<FormulaId>),
    Implies(FormulaId, FormulaId),
    Iff(FormulaId, FormulaId),
    If(FormulaId, FormulaId, FormulaId),
    /// `a in b`, same arity.
    In(ExprId, ExprId),
    /// `a in b` where `b` has multiplicities.
    InBound(ExprId, Bound),
    /// `a = b`, same arity. When both are [`ExprKind::FromInt`] it is the equality of two integers.
    Equal(ExprId, ExprId),
    Compare(IntCompare, IntId, IntId),
    /// `no e`, `some e`, `lone e`, `one e`.
    Count(Count, ExprId),
    /// No two of them share a tuple.
    Disjoint(Vec<ExprId>),
    /// `pred/totalOrder`: `next` is a total order on `elem` whose least element is `first` (both empty when `elem` is).
    TotalOrder {
        elem: ExprId,
        first: ExprId,
        next: ExprId,
    },
    /// For how many assignments of the declared variables the body holds: all, some, no, at most one, exactly one.
    Quantified {
        quantifier: Quantifier,
        decls: Vec<Decl>,
        body: FormulaId,
    },
    Let {
        var: VarId,
        value: Value,
        body: FormulaId,
    },
    Call {
        fun: FunId,
        args: Vec<ExprId>,
    },
    /// Bound by `let`.
    Var(VarId),
    Temporal(Temporal, FormulaId),
    Temporal2(Temporal2, FormulaId, FormulaId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntCompare {
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Count {
    No,
    Some,
    Lone,
    One,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    All,
    Some,
    No,
    Lone,
    One,
}

/// `before` is false in the first state; `historically` and `once` include the present.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Temporal {
    Always,
    Eventually,
    After,
    Historically,
    Once,
    Before,
}

/// `a until b`: b holds now or later, and a until then. `a releases b`: b holds up to and including the state in
/// which a does, or for ever. `since` and `triggered` are their mirror images in the past.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Temporal2 {
    Until,
    Releases,
    Since,
    Triggered,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub arity: u32,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// All atoms, arity 1.
    Univ,
    /// The identity on `univ`, arity 2.
    Iden,
    /// The empty relation of the node's arity.
    None,
    /// Any sig but `univ` and `none`.
    Sig(SigId),
    Field(FieldId),
    Var(VarId),
    /// The atom of a string literal (its text, escapes resolved, without quotes).
    String(Symbol),
    /// `fun/next`: from each integer to the next, arity 2.
    IntNext,
    /// The `Int` atom of an integer: a set of one.
    FromInt(IntId),
    /// Arity 2 in, arity 2 out, but for `Prime`, which keeps any arity.
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    If(FormulaId, ExprId, ExprId),
    Let {
        var: VarId,
        value: Value,
        body: ExprId,
    },
    Call {
        fun: FunId,
        args: Vec<ExprId>,
    },
    /// The tuples of the variables (one column each: all bounds are unary) for which the body holds.
    Comprehension {
        decls: Vec<Decl>,
        body: FormulaId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Transpose,
    /// `^`
    Closure,
    /// `*`: the closure and `iden` (on all of `univ`).
    ReflexiveClosure,
    /// The value in the next state.
    Prime,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Union,
    Difference,
    Intersect,
    /// `a ++ b`: b, and the tuples of a whose first column b does not have.
    Override,
    Product,
    Join,
    /// `s <: r`, s unary.
    Domain,
    /// `r :> s`, s unary.
    Range,
}

#[derive(Clone, Debug)]
pub struct IntExpr {
    pub span: Span,
    pub kind: IntKind,
}

#[derive(Clone, Debug)]
pub enum IntKind {
    Const(i32),
    /// `fun/min`, `fun/max`: the bounds of the bit width.
    Min,
    Max,
    /// `#e`
    Card(ExprId),
    /// The sum of the `Int` atoms in a unary set: `int[e]`, and wherever a set is used as a number.
    Sum(ExprId),
    /// `sum x: e | i`: over all assignments.
    SumOver {
        decls: Vec<Decl>,
        body: IntId,
    },
    Binary(IntOp, IntId, IntId),
    If(FormulaId, IntId, IntId),
    Let {
        var: VarId,
        value: Value,
        body: IntId,
    },
    /// Bound by `let`.
    Var(VarId),
}

/// Two's complement of the bit width. `Div` rounds towards zero, `Rem` has the sign of the dividend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// `<<`
    Shl,
    /// `>>`: keeps the sign.
    Sha,
    /// `>>>`: fills with zeros.
    Shr,
}

/// A formula that every instance satisfies, and where it comes from.
#[derive(Clone, Debug)]
pub struct Fact {
    pub origin: FactOrigin,
    pub span: Span,
    pub formula: FormulaId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FactOrigin {
    /// `fact name { … }`; without a name `fact$1`.
    Fact(Symbol),
    /// The braces after a sig, for each element of it.
    Appended(SigId),
    /// What a field's declaration says: `all this: S | this.f in bound`, and that the first column is in S.
    Field(FieldId),
    /// `disj f, g: …`
    DisjointFields(Vec<FieldId>),
    /// `f: disj …`: different elements have disjoint values.
    DisjointValues(FieldId),
}

#[derive(Clone, Debug)]
pub struct Assert {
    pub name: Symbol,
    pub module: ModuleId,
    pub span: Span,
    pub formula: FormulaId,
}

/// `run` or `check`.
#[derive(Clone, Debug)]
pub struct Command {
    /// What the user calls it: the label, else the name of predicate or assertion, else `run$1`, `check$2`, `Default`.
    pub label: Symbol,
    pub kind: CommandKind,
    pub span: Span,
    /// What an instance satisfies besides the facts. For `check` the negation of the assertion; for `run p` the body
    /// of `p` under `some` of its parameters (for a function, that the body is in the declared result).
    pub goal: FormulaId,
    /// The predicate, function or assertion that it names; absent for a block.
    pub subject: Option<Subject>,
    /// `expect n`: 0 no instance, 1 (or more) some instance.
    pub expect: Option<u32>,
    pub scope: Scope,
    /// Something varies with time, or a temporal operator is used: instances are lassos.
    pub is_temporal: bool,
    /// The command that this one continues (`run a => run b`).
    pub after: Option<usize>,
    /// Why it cannot be run (an impossible scope, a recursive function). Other commands can; this one must be
    /// refused with these reasons, and its scope is not to be relied on.
    pub errors: Vec<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandKind {
    Run,
    Check,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Fun(FunId),
    /// An index of [`Model::asserts`].
    Assert(usize),
}

/// How large instances are, with all defaults and consequences worked out by the Analyzer's rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// For every sig that is neither built in nor a subset sig, in the order of [`Model::sigs`].
    pub sigs: Vec<SigScope>,
    /// `Int` has 2^bitwidth atoms (none for 0).
    pub bitwidth: u32,
    /// How many sequence indices there are; no more than the greatest integer.
    pub max_seq: u32,
    /// The atoms of `String`: the literals that the model uses, then invented ones up to the scope of `String`.
    pub strings: Vec<Symbol>,
    /// Lengths of the prefix of a lasso; `None` for a model that is not temporal.
    pub steps: Option<Steps>,
}

/// Invariant: a sig's `atoms` is at least the sum over its children of what those must have; `one` sigs that are not
/// `var` have exactly 1, `lone` at most 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SigScope {
    pub sig: SigId,
    pub atoms: u32,
    /// Exactly that many (by `exactly`, `one`, or a module parameter declared `exactly`).
    pub is_exact: bool,
    /// `a..b:step`: a run tries the sizes one after another. Absent when the size does not grow.
    pub growth: Option<Growth>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    pub last: u32,
    pub step: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    pub min: u32,
    /// `None`: `1.. steps`, without limit.
    pub max: Option<u32>,
}
