//! TLA+ values in normal form.
//!
//! A [`Value`] is a small `Copy` handle. Composite values lie in an arena: a worker's own one, reset after each
//! expanded state, or the [`Interner`]'s, once they have entered a state. There are no reference counts, and two
//! interned values are equal exactly when their numbers are.
//!
//! Normal form: sets are sorted and without duplicates, small ones of small elements are [`Bits`]; a function whose domain is `1..n` is a tuple, one whose domain
//! consists of strings is a record, so equality is structural. Large sets (`a..b`, `SUBSET S`, `[S -> T]`, …) stay
//! [`Symbolic`] until something enumerates them. Comparing values of different kinds is [`Trouble::Mismatch`], never
//! `FALSE`; model values compare with everything.
//!
//! ```
//! use value::{Arena, Trouble, Value, equal, text};
//!
//! let arena = Arena::default();
//! let pair = Value::tuple(&[Value::Int(1), Value::str("a")], &arena);
//! assert_eq!(text(pair), "<<1, \"a\">>");
//! assert!(matches!(equal(Value::Int(1), Value::str("a")), Err(Trouble::Mismatch)));
//! ```

mod bits;
mod build;
mod dictionary;
mod extent;
mod function;
mod hash;
mod int;
mod intern;
mod iter;
mod member;
mod order;
mod owned;
mod portable;
mod print;
mod sets;
mod subsets;
mod text;
mod total;

pub use bits::{Bits, Probe, Universe};
pub use build::Arena;
pub use dictionary::Renamed;
pub use extent::is_finite;
pub use function::{Key, apply, domain, except_one, from_pairs, merged};
pub use hash::{Mixer, hash_with, mix};
pub use int::{add, divide, int_cmp, modulo, multiply, negate, power, subtract};
pub use intern::{Exact, FILLER, Interner, Slot, exact, is_box, small_set};
pub use iter::{Elements, elements};
pub use member::{contains, subset_eq};
pub use order::{compare, equal};
pub use owned::Owned;
pub use portable::Exported;
pub use print::{text, text_up_to};
pub use sets::{
    as_bits, cardinality, difference, enumerate, intersection, is_apart_from_all, replaced, spell_out,
    spell_out_all, union, union_all, with, without,
};
pub use text::Text;
pub use total::Unordered;

use num_bigint::BigInt;

/// A value of TLA+: a tag and a word, so that it goes through registers.
#[derive(Clone, Copy, Debug)]
pub enum Value<'v> {
    Bool(Truth),
    Int(i64),
    /// An integer outside the machine word; never one inside it.
    Big(&'v BigInt),
    Str(Text),
    Model(Text),
    /// A function with domain `1..n`.
    Tuple(&'v Tuple<'v>),
    /// A function on a non-empty set of strings.
    Record(&'v Record<'v>),
    /// Any other function.
    Fun(&'v Fun<'v>),
    /// A set given by its elements.
    Set(&'v Set<'v>),
    /// A small set of small elements.
    Bits(Bits),
    /// A set given by how it is built.
    Symbolic(&'v Symbolic<'v>),
}

/// A Boolean as wide as what other values hold. (With a `bool` here, values went through memory, in pieces of several
/// sizes, and waited there for each other.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u64)]
pub enum Truth {
    False,
    True,
}

impl Truth {
    #[inline]
    pub const fn new(it: bool) -> Truth {
        match it {
            false => Truth::False,
            true => Truth::True,
        }
    }

    #[inline]
    pub const fn get(self) -> bool {
        matches!(self, Truth::True)
    }
}

/// What an interned composite value carries: its number (0 for temporary ones) and its content hash. A temporary set of
/// interned elements may know its hash too; 0 when it does not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Identity {
    pub id: u32,
    pub hash: u64,
}

#[derive(Debug)]
pub struct Tuple<'v> {
    pub items: &'v [Value<'v>],
    /// In the order of [`compare`] for a few small integers, the commonest tuples of all; 0 for other tuples.
    pub(crate) key: u64,
    pub(crate) identity: Identity,
}

/// Invariant: `names` is not empty and sorted by text without duplicates; `values` has the same length.
#[derive(Debug)]
pub struct Record<'v> {
    pub names: &'v [Text],
    pub values: &'v [Value<'v>],
    pub(crate) identity: Identity,
}

/// Invariant: the domain is neither `1..n` nor a set of strings; `values[i]` belongs to `domain.items[i]`.
#[derive(Debug)]
pub struct Fun<'v> {
    pub domain: &'v Set<'v>,
    pub values: &'v [Value<'v>],
    pub(crate) identity: Identity,
}

/// Invariant: `items` is strictly increasing in the order of [`compare`].
#[derive(Debug)]
pub struct Set<'v> {
    pub items: &'v [Value<'v>],
    pub(crate) identity: Identity,
}

#[derive(Clone, Copy, Debug)]
pub enum Symbolic<'v> {
    Nat,
    Int,
    Real,
    Strings,
    /// `Any` of the module TLC: everything is an element of it.
    Any,
    /// `low..high`; empty when `low > high`.
    Interval(i64, i64),
    /// `SUBSET S`
    Power(Value<'v>),
    /// `[S -> T]`
    Functions(Value<'v>, Value<'v>),
    /// `S \X T \X …`
    Product(&'v [Value<'v>]),
    /// `[a : S, b : T]`, names sorted.
    Records(&'v [Text], &'v [Value<'v>]),
    /// `Seq(S)`
    Sequences(Value<'v>),
    /// Sequences over `S` of at most this length.
    BoundedSequences(Value<'v>, usize),
    /// With at least one side that cannot be enumerated.
    Union(Value<'v>, Value<'v>),
    Intersection(Value<'v>, Value<'v>),
    Difference(Value<'v>, Value<'v>),
    /// The elements of a set that pass a test which only its maker can apply: an evaluator's own number, with values that
    /// belong to it. The set is not enumerated.
    Filter(Value<'v>, u32, &'v [Value<'v>]),
}

/// Why an operation on values has no result. The caller knows the operands and the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Two values of different kinds were compared.
    Mismatch,
    NotASet,
    NotAFunction,
    NotInDomain,
    NotAnInteger,
    /// An infinite set would have to be enumerated.
    Infinite,
    /// More elements than can be enumerated.
    TooMany,
    DivisionByZero,
    NegativeExponent,
    /// `0^0` has no value.
    ZeroToZero,
    /// The second argument of `%` is not positive.
    NotPositive,
    /// A domain of mixed or unsupported kind.
    Unsupported,
    /// Membership depends on a [`Symbolic::Filter`]: ask the evaluator.
    Filtered,
}

/// The sorts of values between which `=` makes sense.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Boolean,
    Integer,
    String,
    Model,
    Function,
    Set,
}

impl Kind {
    /// With its article, for messages.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Boolean => "a Boolean",
            Kind::Integer => "an integer",
            Kind::String => "a string",
            Kind::Model => "a model value",
            Kind::Function => "a function",
            Kind::Set => "a set",
        }
    }
}

impl<'v> Value<'v> {
    #[inline]
    pub const fn bool(it: bool) -> Value<'static> {
        Value::Bool(Truth::new(it))
    }

    pub const TRUE: Value<'static> = Value::Bool(Truth::True);
    pub const FALSE: Value<'static> = Value::Bool(Truth::False);

    pub fn kind(self) -> Kind {
        match self {
            Value::Bool(_) => Kind::Boolean,
            Value::Int(_) | Value::Big(_) => Kind::Integer,
            Value::Str(_) => Kind::String,
            Value::Model(_) => Kind::Model,
            Value::Tuple(_) | Value::Record(_) | Value::Fun(_) => Kind::Function,
            Value::Set(_) | Value::Bits(_) | Value::Symbolic(_) => Kind::Set,
        }
    }

    pub fn str(text: &str) -> Value<'static> {
        Value::Str(Text::new(text))
    }

    /// What a record, tuple or function is called in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Value::Tuple(_) => "a tuple",
            Value::Record(_) => "a record",
            _ => self.kind().noun(),
        }
    }
}
