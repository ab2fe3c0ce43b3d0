//! Variables and literals as small typed numbers.

use std::fmt;
use std::ops::Not;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(u32);

impl Var {
    pub fn new(index: u32) -> Var {
        debug_assert!(index < i32::MAX as u32, "solvers number variables with 31 bits");
        Var(index)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn raw(self) -> u32 {
        self.0
    }

    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    pub fn lit(self, value: bool) -> Lit {
        if value { self.positive() } else { self.negative() }
    }
}

/// A variable or its negation, in 32 bits: the sign is the lowest one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// A dense number, for tables indexed by literal.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal as DIMACS writes it: 1-based, negative when negated.
    pub fn dimacs(self) -> i32 {
        let var = (self.0 >> 1) as i32 + 1;
        if self.is_negative() { -var } else { var }
    }

    pub fn from_dimacs(lit: i32) -> Lit {
        debug_assert!(lit != 0);
        Var::new(lit.unsigned_abs() - 1).lit(lit > 0)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dimacs())
    }
}
