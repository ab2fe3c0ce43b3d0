//! Values as trees: every function is a list of pairs, every finite set a sorted list.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
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
        let mut items = sorted(items, |it| it)?;
        items.dedup_by(|a, b| compare(a, b) == Ok(Ordering::Equal));
        Ok(Value::Set(Rc::new(items)))
    }

    /// From pairs with different arguments.
    pub fn function(pairs: Vec<(Value, Value)>) -> Result<Value> {
        spend(pairs.len())?;
        Ok(Value::Fun(Rc::new(sorted(pairs, |(key, _)| key)?)))
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

    /// The same for a value of the compiled evaluator; nothing for an infinite set.
    pub fn from_compiled(value: value::Value<'_>) -> Option<Value> {
        value
            .to_owned_value()
            .ok()
            .and_then(|it| Value::from_owned(&it).ok())
    }

    /// The way back; nothing for what is not spelt out.
    pub fn to_owned_value(&self) -> Option<Owned> {
        deep(|| to_owned(self))
    }

    /// Whether both are written alike. In normal form (see [`Value::normal`]) that means that they are one value; and unlike
    /// [`Value::equals`] it has an answer for values of different kinds.
    pub fn is(&self, other: &Value) -> bool {
        deep(|| is_here(self, other))
    }

    /// With every finite set in it spelt out: the form in which a value is part of a state.
    pub(crate) fn normal(&self) -> Result<Value> {
        spend(1)?;
        deep(|| normal_here(self))
    }

    /// With other model values in the place of some: of each pair, the second for the first.
    pub fn renamed(&self, pairs: &[(Text, Text)]) -> Result<Value> {
        deep(|| match self {
            Value::Model(name) => {
                let to = pairs.iter().find(|it| it.0 == *name);
                Ok(Value::Model(to.map_or(*name, |it| it.1)))
            }
            Value::Set(items) => Value::set(items.iter().map(|it| it.renamed(pairs)).collect::<Result<_>>()?),
            Value::Fun(all) => {
                let renamed = |(key, it): &(Value, Value)| Ok((key.renamed(pairs)?, it.renamed(pairs)?));
                Value::function(all.iter().map(renamed).collect::<Result<_>>()?)
            }
            other => Ok(other.clone()),
        })
    }

    /// How many values it consists of.
    pub(crate) fn n_nodes(&self) -> u64 {
        deep(|| match self {
            Value::Set(items) => 1 + items.iter().map(Value::n_nodes).sum::<u64>(),
            Value::Fun(pairs) => {
                1 + pairs
                    .iter()
                    .map(|(key, it)| key.n_nodes() + it.n_nodes())
                    .sum::<u64>()
            }
            _ => 1,
        })
    }

    pub(crate) fn hash_into(&self, hasher: &mut impl Hasher) {
        deep(|| hash_here(self, hasher));
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
        match place(self.pairs()?, arg)? {
            Some(at) => Ok(self.pairs()?[at].1.clone()),
            None => undefined(format!("{arg} is not in the domain of {self}")),
        }
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

/// Sorted by merging; the first pair that cannot be compared ends it. (The library's sort wants an order of everything.)
fn sorted<T>(mut items: Vec<T>, key: fn(&T) -> &Value) -> Result<Vec<T>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let (left, right) = (sorted(items, key)?, sorted(right, key)?);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let next = match compare(key(a), key(b))? {
            Ordering::Greater => right.next(),
            _ => left.next(),
        };
        merged.extend(next);
    }
    merged.extend(left.chain(right));
    Ok(merged)
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

/// Where an argument stands among the arguments of a function.
pub(crate) fn place(pairs: &[(Value, Value)], arg: &Value) -> Result<Option<usize>> {
    // An argument of another kind is not in the domain of a tuple or a record.
    let is_lenient = form(pairs) != Form::Other;
    for (at, (key, _)) in pairs.iter().enumerate() {
        match equal(key, arg) {
            Ok(true) => return Ok(Some(at)),
            Err(Error::Undefined(_)) if is_lenient => {}
            Err(error) => return Err(error),
            Ok(false) => {}
        }
    }
    Ok(None)
}

/// What the configuration calls `t_name` is a model value of type `t`.
pub(crate) fn model_type(name: Text) -> Option<char> {
    let mut letters = name.as_str().chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some(of), Some('_'), Some(_)) => Some(of),
        _ => None,
    }
}

/// Whether a model value may be compared with another value: an untyped one with everything, a typed one only with model values
/// that are of its type or untyped.
fn may_compare(a: &Value, b: &Value) -> bool {
    let typed = |it: &Value| match it {
        Value::Model(name) => model_type(*name),
        _ => None,
    };
    match (a, b) {
        (Value::Model(_), Value::Model(_)) => {
            typed(a).is_none() || typed(b).is_none() || typed(a) == typed(b)
        }
        _ => typed(a).is_none() && typed(b).is_none(),
    }
}

fn mismatch<T>(a: &Value, b: &Value) -> Result<T> {
    undefined(format!("{a} and {b} cannot be compared"))
}

/// `a = b`.
pub(crate) fn equal(a: &Value, b: &Value) -> Result<bool> {
    spend(1)?;
    match (a, b) {
        // The commonest ones, on the stack that is there.
        (Value::Int(a), Value::Int(b)) => Ok(a == b),
        (Value::Str(a), Value::Str(b)) => Ok(a == b),
        _ => deep(|| equal_here(a, b)),
    }
}

fn equal_here(a: &Value, b: &Value) -> Result<bool> {
    match (a, b) {
        (Value::Model(_), _) | (_, Value::Model(_)) if !may_compare(a, b) => mismatch(a, b),
        (Value::Model(a), Value::Model(b)) => Ok(a == b),
        (Value::Model(_), _) | (_, Value::Model(_)) => Ok(false),
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (Value::Fun(a), Value::Fun(b)) if Rc::ptr_eq(a, b) => Ok(true),
        (Value::Set(a), Value::Set(b)) if Rc::ptr_eq(a, b) => Ok(true),
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
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
        (Value::Str(a), Value::Str(b)) => Ok(a.cmp(b)),
        _ => deep(|| compare_here(a, b)),
    }
}

fn compare_here(a: &Value, b: &Value) -> Result<Ordering> {
    match (a, b) {
        (Value::Model(_), _) | (_, Value::Model(_)) if !may_compare(a, b) => mismatch(a, b),
        (Value::Model(a), Value::Model(b)) => Ok(a.cmp(b)),
        (Value::Model(_), _) => Ok(Ordering::Less),
        (_, Value::Model(_)) => Ok(Ordering::Greater),
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::Fun(a), Value::Fun(b)) if Rc::ptr_eq(a, b) => Ok(Ordering::Equal),
        (Value::Set(a), Value::Set(b)) if Rc::ptr_eq(a, b) => Ok(Ordering::Equal),
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

fn to_owned(value: &Value) -> Option<Owned> {
    Some(match value {
        Value::Bool(it) => Owned::Bool(*it),
        Value::Int(it) => match i64::try_from(it) {
            Ok(small) => Owned::Int(small),
            Err(_) => Owned::Big(it.clone()),
        },
        Value::Str(it) => Owned::Str(*it),
        Value::Model(it) => Owned::Model(*it),
        Value::Set(items) => Owned::Set(items.iter().map(Value::to_owned_value).collect::<Option<_>>()?),
        Value::Fun(pairs) => {
            let mut all = vec![];
            for (key, it) in pairs.iter() {
                all.push((key.to_owned_value()?, it.to_owned_value()?));
            }
            match form(pairs) {
                Form::Tuple => Owned::Tuple(all.into_iter().map(|it| it.1).collect()),
                Form::Record => Owned::Record(
                    all.into_iter()
                        .filter_map(|(key, it)| match key {
                            Owned::Str(name) => Some((name, it)),
                            _ => None,
                        })
                        .collect(),
                ),
                Form::Other => Owned::Fun(all),
            }
        }
        Value::Large(_) => return None,
    })
}

fn is_here(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Str(a), Value::Str(b)) | (Value::Model(a), Value::Model(b)) => a == b,
        (Value::Set(a), Value::Set(b)) => {
            Rc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is(b))
        }
        (Value::Fun(a), Value::Fun(b)) => {
            let same = |((k, v), (l, w)): (&(Value, Value), &(Value, Value))| k.is(l) && v.is(w);
            Rc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(same)
        }
        (Value::Large(a), Value::Large(b)) => Rc::ptr_eq(a, b) || crate::sets::is_alike(a, b),
        _ => false,
    }
}

fn hash_here(value: &Value, hasher: &mut impl Hasher) {
    value.kind().hash(hasher);
    match value {
        Value::Bool(it) => it.hash(hasher),
        Value::Int(it) => it.hash(hasher),
        Value::Str(it) | Value::Model(it) => it.hash(hasher),
        Value::Set(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|it| it.hash_into(hasher));
        }
        Value::Fun(pairs) => {
            pairs.len().hash(hasher);
            for (key, it) in pairs.iter() {
                key.hash_into(hasher);
                it.hash_into(hasher);
            }
        }
        // Infinite sets are rare in states; those that are alike have this in common.
        Value::Large(_) => {}
    }
}

fn normal_here(value: &Value) -> Result<Value> {
    let all = |items: &[Value]| items.iter().map(Value::normal).collect::<Result<Vec<_>>>();
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::Model(_) => Ok(value.clone()),
        Value::Large(_) if crate::sets::is_finite(value)? => crate::sets::spelt(value)?.normal(),
        Value::Large(set) if crate::sets::is_known_by_its_parts(set) => Ok(value.clone()),
        Value::Large(_) => undefined("whether two infinite sets are equal"),
        // Most values are in normal form already, and then they stay shared.
        _ if is_normal(value) => Ok(value.clone()),
        Value::Set(items) => Value::set(all(items)?),
        Value::Fun(pairs) => {
            let pair = |(key, it): &(Value, Value)| Ok((key.normal()?, it.normal()?));
            Value::function(pairs.iter().map(pair).collect::<Result<_>>()?)
        }
    }
}

fn is_normal(value: &Value) -> bool {
    match value {
        Value::Large(_) => false,
        Value::Set(items) => deep(|| items.iter().all(is_normal)),
        Value::Fun(pairs) => deep(|| pairs.iter().all(|(key, it)| is_normal(key) && is_normal(it))),
        _ => true,
    }
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
