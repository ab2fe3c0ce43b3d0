//! A model finder for relational logic, on the road that Kodkod opened (Torlak and Jackson, TACAS 2007).
//!
//! A [`Problem`] is a universe of atoms, relations with a lower and an upper bound, and formulas. A [`Search`] grounds
//! the formulas to a boolean circuit, the circuit to clauses, and gives these to a SAT solver; what comes back is read
//! as [`Instance`]s, each confirmed by the [`Evaluator`], which shares nothing with the translation. When there is no
//! instance, [`unsat_core`] says which constraints exclude it. Nothing here knows a specification language.

mod bits;
mod budget;
mod circuit;
mod cnf;
mod evaluate;
mod instance;
mod logic;
mod matrix;
mod problem;
mod search;
mod symmetry;
mod translate;
mod universe;
mod unsat_core;

pub use bits::Overflow;
pub use budget::Abort;
pub use evaluate::{Evaluator, TooManySets};
pub use instance::{Instance, WitnessValue};
pub use logic::{
    BinaryOp, BinaryTemporal, Cardinality, Comparison, Decl, Expr, ExprId, Formula, FormulaId, IntExpr,
    IntId, IntOp, Logic, Multiplicity, Quantifier, RelId, Relation, UnaryOp, UnaryTemporal, VarId, Variable,
};
pub use problem::{Problem, TotalOrder};
pub use sat::Stop;
pub use search::{Failure, Found, Options, Search, Size};
pub use universe::{Atom, TupleIndex, TupleSet, Universe};
pub use unsat_core::unsat_core;
