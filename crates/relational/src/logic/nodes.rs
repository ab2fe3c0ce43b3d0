//! The nodes of relational logic, as data.

use util::Idx;

use crate::universe::TupleSet;

pub type ExprId = Idx<Expr>;
pub type FormulaId = Idx<Formula>;
pub type IntId = Idx<IntExpr>;
pub type RelId = Idx<Relation>;
pub type VarId = Idx<Variable>;

/// A free relation: what a solution gives a value to.
///
/// Invariant: lower ⊆ value ⊆ upper in every state of every solution; all three have the relation's arity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    pub name: String,
    pub lower: TupleSet,
    pub upper: TupleSet,
    /// It may have another value in each state of a trace.
    pub is_var: bool,
}

impl Relation {
    pub fn arity(&self) -> usize {
        self.upper.arity()
    }

    pub fn is_exact(&self) -> bool {
        self.lower.len() == self.upper.len()
    }
}

/// A variable bound by a quantifier, a comprehension or a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// How a witness of it is shown, when it is skolemised.
    pub name: String,
    pub arity: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Union,
    Intersection,
    Difference,
    Override,
    Product,
    Join,
    /// `s <: r`: the tuples of `r` that begin in `s`.
    DomainRestriction,
    /// `r :> s`: the tuples of `r` that end in `s`.
    RangeRestriction,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Transpose,
    Closure,
    ReflexiveClosure,
}

/// How many tuples a set has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Multiplicity {
    One,
    Lone,
    Some,
    Set,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decl {
    pub var: VarId,
    /// `One`: the variable is a single tuple. Anything else makes the quantifier higher-order.
    pub mult: Multiplicity,
    pub domain: ExprId,
}

/// An expression whose value is a set of tuples.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// The empty set of this arity.
    None(u32),
    /// All atoms of the universe, in use or not.
    Univ,
    Iden,
    /// All atoms that stand for integers.
    Ints,
    Relation(RelId),
    Variable(VarId),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    If(FormulaId, ExprId, ExprId),
    /// The decls have multiplicity one.
    Comprehension(Box<[Decl]>, FormulaId),
    /// The atom of an integer; empty if it has none.
    OfInt(IntId),
    /// The value in the next state.
    Prime(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    All,
    Some,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cardinality {
    No,
    Some,
    One,
    Lone,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    Equal,
    Less,
    LessOrEqual,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryTemporal {
    Always,
    Eventually,
    After,
    Historically,
    Once,
    Before,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryTemporal {
    Until,
    Releases,
    Since,
    Triggered,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    True,
    False,
    Not(FormulaId),
    And(Box<[FormulaId]>),
    Or(Box<[FormulaId]>),
    Iff(FormulaId, FormulaId),
    Quantified(Quantifier, Box<[Decl]>, FormulaId),
    Subset(ExprId, ExprId),
    Equal(ExprId, ExprId),
    Counted(Cardinality, ExprId),
    /// The set has at most so many tuples, whatever the bit width of integers.
    AtMost(ExprId, u32),
    Compare(Comparison, IntId, IntId),
    UnaryTemporal(UnaryTemporal, FormulaId),
    BinaryTemporal(BinaryTemporal, FormulaId, FormulaId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    /// Rounds towards zero.
    Div,
    /// Has the sign of the dividend.
    Rem,
    Shl,
    /// Shift right, filling with zeros.
    Shr,
    /// Shift right, filling with the sign.
    Sha,
}

/// An expression whose value is an integer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum IntExpr {
    Constant(i64),
    Cardinality(ExprId),
    /// The sum of the integers whose atoms are in the set.
    SumOf(ExprId),
    /// The sum of the values for each binding. The decls have multiplicity one.
    Sum(Box<[Decl]>, IntId),
    If(FormulaId, IntId, IntId),
    Binary(IntOp, IntId, IntId),
}
