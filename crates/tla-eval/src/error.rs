//! What went wrong while evaluating: kept apart from the fast path, told in full only once.

use tla_sema::ir::ExprId;
use util::Symbol;

/// Why an evaluation stopped. Small, because every expression returns it; the story is in [`EvalError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The next value of this variable is asked for before it is known. A conjunct that meets this waits.
    Unassigned(u16),
    /// An error was recorded.
    Error,
}

/// An evaluation error: what, where, with which values, and how one came there.
#[derive(Clone, Debug)]
pub struct EvalError {
    pub kind: ErrorKind,
    pub at: ExprId,
    /// The definitions that were being evaluated, innermost first, each with the place of the call.
    pub chain: Vec<(Symbol, ExprId)>,
}

/// The parts of a message; words are chosen by whoever shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// `a` and `b` are of kinds that cannot be compared.
    Mismatch {
        a: String,
        b: String,
    },
    /// A value of one kind where another is needed: `need` is a noun with article.
    WrongKind {
        need: &'static str,
        got: String,
    },
    NotInDomain {
        function: String,
        arg: String,
    },
    NoField {
        record: String,
        field: String,
    },
    NoWitness {
        set: String,
    },
    NoCase,
    DivisionByZero,
    NotPositive {
        got: String,
    },
    NegativeExponent {
        got: String,
    },
    Infinite {
        set: String,
    },
    TooMany {
        set: String,
    },
    /// An operator of the library got something that it is not defined for.
    Undefined {
        operator: &'static str,
        why: String,
    },
    /// `Assert(FALSE, message)`.
    Assertion {
        message: String,
    },
    /// `x'` where no next state is at hand or before it has a value.
    Unassigned {
        variable: Symbol,
    },
    /// A construct that has no finite meaning.
    Unsupported {
        what: &'static str,
    },
    /// Some variables have no next value at the end of an action.
    Incomplete {
        variables: Vec<Symbol>,
        /// The definition that names the step.
        action: Symbol,
        /// The last conjunct of the branch.
        last: ExprId,
        initial: bool,
    },
    /// A tuple pattern met a value of another shape.
    Pattern {
        value: String,
        n: usize,
    },
    /// More calls within calls than this.
    TooDeep {
        depth_max: u32,
    },
    /// Someone gave up waiting.
    Interrupted,
}
