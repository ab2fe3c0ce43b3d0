//! Values as trees: every function is a list of pairs, every finite set a sorted list.

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use num_bigint::BigInt;
use util::deep;
use value::{Owned, Text};

use crate::eval::Filter;
use crate::fuel::{free, spend};
use crate::{Error, Result};

#[derive(Clone, Debug)]
pub enum Value {
    Bool(bool),
    Int(BigInt),
    Str(Text),
    Model(Text),
    /// Sorted by [`compare`], without duplicates.
    Set(Rc<Vec<Value>>),
    /// Arguments and values, sorted by argument. Tuples and records are functions too.
    Fun(Rc<Vec<(Value, Value)>>),
    Large(Rc<Large>),
}

/// Sets that are written shorter than they are.
#[derive(Clone, Debug)]
pub enum Large {
    Nat,
    Int,
    Real,
    Strings,
    Any,
    Interval(BigInt, BigInt),
    Power(Value),
    Functions(Value, Value),
    Product(Vec<Value>),
    Records(Vec<(Text, Value)>),
    Sequences(Value),
    Union(Value, Value),
    Intersection(Value, Value),
    Difference(Value, Value),
    Filter(Filter),
}

/// How a function counts in the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Tuple,
    Record,
    Other,
}

pub(crate) fn undefined<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::Undefined(why.into()))
}

impl Value {
    pub fn int(n: i64) -> Value {
        Value::Int(BigInt::from(n))
    }

    pub fn str(text: &str) -> Value {
        Value::Str(Text::new(text))
    }

    /// Sorts and removes duplicates; elements of different kinds do not go together.
    pub fn set(items: Vec<Value>) -> Result<Value> {
        spend(items.len())?;
        let mut trouble = None;
        let mut items = items;
        items.sort_by(|a, b| {
            compare(a, b).unwrap_or_else(|error| {
                trouble.get_or_insert(error);
                Ordering::Equal
            })
        });
        match trouble {
            Some(error) => Err(error),
            None => {
                items.dedup_by(|a, b| compare(a, b) == Ok(Ordering::Equal));
                Ok(Value::Set(Rc::new(items)))
            }
        }
    }

    /// From pairs with different arguments.
    pub fn function(pairs: Vec<(Value, Value)>) -> Result<Value> {
        spend(pairs.len())?;
        let mut trouble = None;
        let mut pairs = pairs;
        pairs.sort_by(|(a, _), (b, _)| {
            compare(a, b).unwrap_or_else(|error| {
                trouble.get_or_insert(error);
                Ordering::Equal
            })
        });
        match trouble {
            Some(error) => Err(error),
            None => Ok(Value::Fun(Rc::new(pairs))),
        }
    }

    pub fn tuple(items: Vec<Value>) -> Value {
        let pairs = items
            .into_iter()
            .enumerate()
            .map(|(i, it)| (Value::int(i as i64 + 1), it))
            .collect();
        Value::Fun(Rc::new(pairs))
    }

    pub(crate) fn large(set: Large) -> Value {
        Value::Large(Rc::new(set))
    }

    /// A value of a state, from outside.
    pub fn from_owned(owned: &Owned) -> Result<Value> {
        free(|| from_owned(owned))
    }

    /// `self = other`.
    pub fn equals(&self, other: &Value) -> Result<bool> {
        equal(self, other)
    }

    pub fn boolean(&self) -> Result<bool> {
        match self {
            Value::Bool(it) => Ok(*it),
            other => undefined(format!("{other} is not a Boolean")),
        }
    }

    pub(crate) fn integer(&self) -> Result<&BigInt> {
        match self {
            Value::Int(it) => Ok(it),
            other => undefined(format!("{other} is not an integer")),
        }
    }

    pub(crate) fn pairs(&self) -> Result<&[(Value, Value)]> {
        match self {
            Value::Fun(it) => Ok(it),
            other => undefined(format!("{other} is not a function")),
        }
    }

    /// The items of a function on `1..n`.
    pub(crate) fn items(&self) -> Result<Vec<Value>> {
        match self {
            Value::Fun(it) if form(it) == Form::Tuple => {
                Ok(it.iter().map(|(_, value)| value.clone()).collect())
            }
            other => undefined(format!("{other} is not a sequence")),
        }
    }

    /// `f[arg]`.
    pub(crate) fn apply(&self, arg: &Value) -> Result<Value> {
        let pairs = self.pairs()?;
        for (key, value) in pairs {
            // An argument of another kind is not in the domain of a tuple or a record.
            let same = match form(pairs) {
                Form::Other => equal(key, arg)?,
                _ => equal(key, arg).unwrap_or(false),
            };
            if same {
                return Ok(value.clone());
            }
        }
        undefined(format!("{arg} is not in the domain of {self}"))
    }

    fn kind(&self) -> u8 {
        match self {
            Value::Model(_) => 0,
            Value::Bool(_) => 1,
            Value::Int(_) => 2,
            Value::Str(_) => 3,
            Value::Fun(_) => 4,
            Value::Set(_) | Value::Large(_) => 5,
        }
    }
}

fn form(pairs: &[(Value, Value)]) -> Form {
    let ranged =
        |(i, (key, _)): (usize, &(Value, Value))| matches!(key, Value::Int(n) if *n == BigInt::from(i + 1));
    if pairs.iter().enumerate().all(ranged) {
        Form::Tuple
    } else if pairs.iter().all(|(key, _)| matches!(key, Value::Str(_))) {
        Form::Record
    } else {
        Form::Other
    }
}

fn mismatch<T>(a: &Value, b: &Value) -> Result<T> {
    undefined(format!("{a} and {b} cannot be compared"))
}

/// A model value such as `p_1` has a type, `p`: it is compared with nothing but model values of this type, and of none.
pub(crate) fn are_comparable(a: &Value, b: &Value) -> bool {
    let type_of = |it: &Value| match it {
        Value::Model(name) => name.model_type(),
        _ => None,
    };
    let is_model = |it: &Value| matches!(it, Value::Model(_));
    match (type_of(a), type_of(b)) {
        (None, None) => true,
        (Some(a), Some(b)) => a == b,
        (Some(_), None) => is_model(b),
        (None, Some(_)) => is_model(a),
    }
}

/// `a = b`.
pub(crate) fn equal(a: &Value, b: &Value) -> Result<bool> {
    spend(1)?;
    deep(|| equal_here(a, b))
}

fn equal_here(a: &Value, b: &Value) -> Result<bool> {
    match (a, b) {
        (Value::Model(_), _) | (_, Value::Model(_)) if !are_comparable(a, b) => mismatch(a, b),
        (Value::Model(a), Value::Model(b)) => Ok(a == b),
        (Value::Model(_), _) | (_, Value::Model(_)) => Ok(false),
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (Value::Int(a), Value::Int(b)) => Ok(a == b),
        (Value::Str(a), Value::Str(b)) => Ok(a == b),
        (Value::Fun(a), Value::Fun(b)) => {
            if a.len() != b.len() || form(a) != form(b) {
                return Ok(false);
            }
            for ((a, _), (b, _)) in a.iter().zip(b.iter()) {
                if !equal(a, b)? {
                    return Ok(false);
                }
            }
            for ((_, a), (_, b)) in a.iter().zip(b.iter()) {
                if !equal(a, b)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Set(a), Value::Set(b)) => {
            if a.len() != b.len() {
                return Ok(false);
            }
            for (a, b) in a.iter().zip(b.iter()) {
                if !equal(a, b)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ if a.kind() == 5 && b.kind() == 5 => crate::sets::equal_sets(a, b),
        _ => mismatch(a, b),
    }
}

/// The order of sets: model values first; numbers by size, strings by text; sets by how many elements they have and then
/// by their elements; functions likewise, tuples before records before others, by arguments and then by values.
pub(crate) fn compare(a: &Value, b: &Value) -> Result<Ordering> {
    spend(1)?;
    deep(|| compare_here(a, b))
}

fn compare_here(a: &Value, b: &Value) -> Result<Ordering> {
    match (a, b) {
        (Value::Model(_), _) | (_, Value::Model(_)) if !are_comparable(a, b) => mismatch(a, b),
        (Value::Model(a), Value::Model(b)) => Ok(a.cmp(b)),
        (Value::Model(_), _) => Ok(Ordering::Less),
        (_, Value::Model(_)) => Ok(Ordering::Greater),
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
        (Value::Str(a), Value::Str(b)) => Ok(a.cmp(b)),
        (Value::Fun(a), Value::Fun(b)) => {
            let forms = a.len().cmp(&b.len()).then(form(a).cmp(&form(b)));
            if forms.is_ne() {
                return Ok(forms);
            }
            let keys = compare_all(a.iter().map(|it| &it.0), b.iter().map(|it| &it.0))?;
            if keys.is_ne() {
                return Ok(keys);
            }
            compare_all(a.iter().map(|it| &it.1), b.iter().map(|it| &it.1))
        }
        (Value::Set(a), Value::Set(b)) => match a.len().cmp(&b.len()) {
            Ordering::Equal => compare_all(a.iter(), b.iter()),
            other => Ok(other),
        },
        _ if a.kind() == 5 && b.kind() == 5 => crate::sets::compare_sets(a, b),
        _ => mismatch(a, b),
    }
}

fn compare_all<'v>(
    a: impl Iterator<Item = &'v Value>,
    b: impl Iterator<Item = &'v Value>,
) -> Result<Ordering> {
    for (a, b) in a.zip(b) {
        let order = compare(a, b)?;
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(Ordering::Equal)
}

fn from_owned(owned: &Owned) -> Result<Value> {
    let all = |items: &[Owned]| items.iter().map(from_owned).collect::<Result<Vec<_>>>();
    Ok(match owned {
        Owned::Bool(it) => Value::Bool(*it),
        Owned::Int(it) => Value::int(*it),
        Owned::Big(it) => Value::Int(it.clone()),
        Owned::Str(it) => Value::Str(*it),
        Owned::Model(it) => Value::Model(*it),
        Owned::Tuple(items) => Value::tuple(all(items)?),
        Owned::Set(items) => Value::set(all(items)?)?,
        Owned::Record(fields) => {
            let pairs = fields
                .iter()
                .map(|(name, it)| Ok((Value::Str(*name), from_owned(it)?)));
            Value::function(pairs.collect::<Result<_>>()?)?
        }
        Owned::Fun(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(key, it)| Ok((from_owned(key)?, from_owned(it)?)));
            Value::function(pairs.collect::<Result<_>>()?)?
        }
    })
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<'v>(items: impl Iterator<Item = &'v Value>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (i, item) in items.enumerate() {
                write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
            }
            Ok(())
        }
        match self {
            Value::Bool(it) => f.write_str(if *it { "TRUE" } else { "FALSE" }),
            Value::Int(it) => write!(f, "{it}"),
            Value::Str(it) => write!(f, "{:?}", it.as_str()),
            Value::Model(it) => write!(f, "{it}"),
            Value::Set(items) => {
                f.write_str("{")?;
                list(items.iter(), f)?;
                f.write_str("}")
            }
            Value::Fun(pairs) if form(pairs) == Form::Tuple => {
                f.write_str("<<")?;
                list(pairs.iter().map(|(_, it)| it), f)?;
                f.write_str(">>")
            }
            Value::Fun(pairs) if form(pairs) == Form::Record => {
                f.write_str("[")?;
                for (i, (key, it)) in pairs.iter().enumerate() {
                    let Value::Str(name) = key else { continue };
                    write!(f, "{}{name} |-> {it}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Value::Fun(pairs) => {
                f.write_str("(")?;
                for (i, (key, it)) in pairs.iter().enumerate() {
                    write!(f, "{}{key} :> {it}", if i == 0 { "" } else { " @@ " })?;
                }
                f.write_str(")")
            }
            Value::Large(_) => f.write_str("(a set that is not spelt out)"),
        }
    }
}
