//! The interner: one number for each value that has entered a state.
//!
//! Small integers, sets of very small ones, Booleans, strings and model values are their own numbers; everything else is looked up by content
//! hash and compared by its parts, which are interned before it. So an interned value is reached by one load, and
//! two of them are equal exactly when their numbers are.
//!
//! Workers share the interner. Nodes are made in the arena of the worker that met the value first; the table is split
//! into shards, each behind a lock that is taken for a few loads.

use std::sync::RwLock;

use hashbrown::HashTable;

use crate::bits::{PAIRS, Universe};
use crate::extent::{Extent, extent, is_known_by_shape};
use crate::hash::{TUPLE, hash_all, hash_fun, hash_record, hash_set};
use crate::order::equal;
use crate::sets::enumerate;
use crate::{Arena, Bits, Fun, Identity, Record, Set, Symbolic, Text, Trouble, Tuple, Value};

/// The number of a value.
///
/// The high bits say what the rest is: `00` an index of the interner, `01` an integer, `100` a string, `101` a set of
/// integers from 0 to 28, `110` a model value, `111` a Boolean, [`FILLER`], or a [box](Interner::boxed).
pub type Slot = u32;

const PAYLOAD: u32 = 29;
const MASK: u32 = (1 << PAYLOAD) - 1;
const INT: u32 = 0b010 << PAYLOAD;
const INT_MASK: u32 = (2 << PAYLOAD) - 1;
const STR: u32 = 0b100 << PAYLOAD;
const BITS: u32 = 0b101 << PAYLOAD;
const MODEL: u32 = 0b110 << PAYLOAD;
const BOOL: u32 = 0b111 << PAYLOAD;
/// The number of no value: what stands beside a [box](Interner::boxed), in the room of the parts of what is in it.
pub const FILLER: Slot = BOOL | 2;
const INT_MAX: i64 = (1 << PAYLOAD) - 1;
const INT_MIN: i64 = -(1 << PAYLOAD);

const SHARDS: usize = 64;

/// The numbers of values, by their content hashes. Each shard is in a cache line of its own: workers are at different ones.
#[derive(Default)]
#[repr(align(64))]
struct Shard(RwLock<HashTable<Entry>>);

/// The hash is here too, so that a table grows without looking at its values.
#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    id: u32,
}

pub struct Interner<'i> {
    shards: Vec<Shard>,
    /// By number; 0 is never given out.
    values: boxcar::Vec<Value<'i>>,
}

impl Default for Interner<'_> {
    fn default() -> Self {
        Interner::new()
    }
}

impl<'i> Interner<'i> {
    pub fn new() -> Interner<'i> {
        let values = boxcar::Vec::new();
        values.push(Value::FALSE);
        // The pairs of the universe of points have the same numbers in every interner.
        for pair in &PAIRS {
            values.push(Value::Tuple(pair));
        }
        Interner {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            values,
        }
    }

    /// How many composite values are known.
    pub fn len(&self) -> usize {
        self.values.count() - 1 - PAIRS.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value with this number.
    #[inline]
    pub fn value(&self, slot: Slot) -> Value<'i> {
        match slot >> PAYLOAD {
            0b000 | 0b001 => self.values[slot as usize],
            0b010 | 0b011 => Value::Int(i64::from((slot << 2) as i32 >> 2)),
            0b100 => Value::Str(Text::from_id(slot & MASK)),
            0b101 => Bits::value(Universe::Integers, u64::from(slot & MASK)),
            0b110 => Value::Model(Text::from_id(slot & MASK)),
            _ if slot > FILLER => self.values[(slot & MASK) as usize],
            _ => Value::bool(slot & 1 == 1),
        }
    }

    /// The number of a value in a box with a mark: another one than the value's own, for places that tell the two apart.
    pub fn boxed(&self, value: Value<'_>, mark: u32, arena: &'i Arena) -> Result<Slot, Trouble> {
        let value = self.intern_value(value, arena)?;
        let mark = Value::Int(i64::from(mark));
        // Three items: some pairs have numbers of their own.
        let scratch = Arena::new();
        let (id, _) = self.intern_node(Value::tuple(&[shorten(value), mark, mark], &scratch), arena)?;
        match id <= MASK {
            true => Ok(BOOL | id),
            false => Err(Trouble::TooMany),
        }
    }

    /// The value in a box, and the mark; nothing for the numbers of values.
    #[inline]
    pub fn unboxed(&self, slot: Slot) -> Option<(Value<'i>, u32)> {
        if !is_box(slot) {
            return None;
        }
        match self.value(slot) {
            Value::Tuple(&Tuple {
                items: &[value, Value::Int(mark), _],
                ..
            }) => Some((value, mark as u32)),
            _ => None,
        }
    }

    /// The number of a value that is interned or its own number; nothing for others.
    #[inline]
    pub fn slot_of(&self, value: Value<'_>) -> Option<Slot> {
        own_number(value).or_else(|| match value {
            Value::Bits(it) => self.find(it.hash64(), |other| is_bits(other, it)).map(|it| it.0),
            _ => Some(id(value)).filter(|&it| it != 0),
        })
    }

    /// The number of a value; new ones are copied into `arena`. Finite symbolic sets are spelt out first.
    pub fn intern(&self, value: Value<'_>, arena: &'i Arena) -> Result<Slot, Trouble> {
        match own_number(value) {
            Some(slot) => Ok(slot),
            None => Ok(self.intern_node(value, arena)?.0),
        }
    }

    /// The interned value equal to `value`.
    pub fn intern_value(&self, value: Value<'_>, arena: &'i Arena) -> Result<Value<'i>, Trouble> {
        match value {
            Value::Bool(it) => Ok(Value::Bool(it)),
            Value::Int(it) => Ok(Value::Int(it)),
            Value::Str(it) => Ok(Value::Str(it)),
            Value::Model(it) => Ok(Value::Model(it)),
            Value::Bits(it) => Ok(Value::Bits(it)),
            _ => Ok(self.intern_node(value, arena)?.1),
        }
    }

    fn intern_node(&self, value: Value<'_>, arena: &'i Arena) -> Result<(u32, Value<'i>), Trouble> {
        let known = match value {
            // A list that is not in normal form, such as the domain of a function.
            Value::Set(it) if Bits::of(it.items).is_some() => 0,
            _ => id(value),
        };
        if known != 0 {
            return Ok((known, self.values[known as usize]));
        }
        match value {
            Value::Int(it) => {
                let hash = value.hash64();
                Ok(self.find_or_add(
                    hash,
                    |other| matches!(other, Value::Int(o) if o == it),
                    |_| Value::Int(it),
                ))
            }
            Value::Big(it) => {
                let hash = value.hash64();
                let same = |other: Value<'i>| matches!(other, Value::Big(o) if o == it);
                Ok(self.find_or_add(hash, same, |_| Value::Big(arena.alloc(it.clone()))))
            }
            Value::Tuple(it) => {
                let parts = self.parts(it.items, arena)?;
                let hash = parts.with(|items| hash_all(TUPLE, items));
                let same = |other: Value<'i>| matches!(other, Value::Tuple(o) if parts.identical(o.items));
                Ok(self.find_or_add(hash, same, |id| {
                    let items = self.keep(&parts, arena);
                    Value::Tuple(arena.alloc(Tuple {
                        items,
                        key: it.key,
                        identity: Identity { id, hash },
                    }))
                }))
            }
            Value::Set(it) => match Bits::of(it.items) {
                Some(bits) => match own_number(Value::Bits(bits)) {
                    Some(slot) => Ok((slot, Value::Bits(bits))),
                    None => Ok(self.intern_bits(bits)),
                },
                None => self.intern_set(it, arena),
            },
            Value::Bits(it) => Ok(self.intern_bits(it)),
            Value::Record(it) => {
                let parts = self.parts(it.values, arena)?;
                let hash = parts.with(|values| hash_record(it.names, values));
                let same = |other: Value<'i>| matches!(other, Value::Record(o) if o.names == it.names && parts.identical(o.values));
                Ok(self.find_or_add(hash, same, |id| {
                    let names = arena.alloc_slice_copy(it.names);
                    let values = self.keep(&parts, arena);
                    Value::Record(arena.alloc(Record {
                        names,
                        values,
                        identity: Identity { id, hash },
                    }))
                }))
            }
            Value::Fun(it) => {
                let (_, Value::Set(domain)) = self.intern_set(it.domain, arena)? else {
                    return Err(Trouble::NotASet);
                };
                let parts = self.parts(it.values, arena)?;
                let hash = parts.with(|values| hash_fun(domain.items, values));
                let same = |other: Value<'i>| {
                    matches!(other, Value::Fun(o)
                        if o.domain.identity.id == domain.identity.id && parts.identical(o.values))
                };
                Ok(self.find_or_add(hash, same, |id| {
                    let values = self.keep(&parts, arena);
                    Value::Fun(arena.alloc(Fun {
                        domain,
                        values,
                        identity: Identity { id, hash },
                    }))
                }))
            }
            Value::Symbolic(_) if extent(value)? == Extent::Finite => {
                let scratch = Arena::new();
                let spelt = enumerate(shorten(value), &scratch)?;
                self.intern_node(Value::Set(spelt), arena)
            }
            // A number stands for one set: where nobody knows whether two are one, there is none.
            Value::Symbolic(it) if is_known_by_shape(it) => self.intern_infinite(it, arena),
            Value::Symbolic(_) => Err(Trouble::Infinite),
            Value::Bool(_) | Value::Str(_) | Value::Model(_) => Err(Trouble::Unsupported),
        }
    }

    fn intern_set(&self, set: &Set<'_>, arena: &'i Arena) -> Result<(u32, Value<'i>), Trouble> {
        if set.identity.id != 0 {
            return Ok((set.identity.id, self.values[set.identity.id as usize]));
        }
        let (parts, hash) = match set.identity.hash {
            0 => {
                let parts = self.parts(set.items, arena)?;
                let hash = parts.with(hash_set);
                (parts, hash)
            }
            known => (Parts::Known(set.items), known),
        };
        let same = |other: Value<'i>| matches!(other, Value::Set(o) if parts.identical(o.items));
        Ok(self.find_or_add(hash, same, |id| {
            let items = self.keep(&parts, arena);
            Value::Set(arena.alloc(Set {
                items,
                identity: Identity { id, hash },
            }))
        }))
    }

    /// The number of a set that stays a list, whatever its elements: the domain of a function.
    pub(crate) fn intern_list(&self, set: &Set<'_>, arena: &'i Arena) -> Result<Slot, Trouble> {
        Ok(self.intern_set(set, arena)?.0)
    }

    /// How many values there are; their numbers are those below.
    pub(crate) fn n_values(&self) -> usize {
        self.values.count()
    }

    /// A slot with what it refers to replaced.
    pub(crate) fn rename(slot: Slot, values: &[Slot], texts: &[Text]) -> Option<Slot> {
        let text = || texts.get((slot & MASK) as usize).map(|it| it.id());
        match slot >> PAYLOAD {
            0b000 | 0b001 => values.get(slot as usize).copied(),
            0b100 => Some(STR | text()?),
            0b110 => Some(MODEL | text()?),
            0b111 if is_box(slot) => Some(BOOL | values.get((slot & MASK) as usize)?),
            _ => Some(slot),
        }
    }

    fn intern_bits(&self, bits: Bits) -> (u32, Value<'i>) {
        self.find_or_add(bits.hash64(), |other| is_bits(other, bits), |_| Value::Bits(bits))
    }

    fn intern_all(&self, items: &[Value<'_>], arena: &'i Arena) -> Result<Vec<Value<'i>>, Trouble> {
        items.iter().map(|&it| self.intern_value(it, arena)).collect()
    }

    /// The parts of a value, interned; without a copy when they are already, which is the usual case.
    fn parts<'a, 'v>(&self, items: &'a [Value<'v>], arena: &'i Arena) -> Result<Parts<'a, 'v, 'i>, Trouble> {
        match items.iter().all(|&it| is_interned(it)) {
            true => Ok(Parts::Known(items)),
            false => Ok(Parts::Made(self.intern_all(items, arena)?)),
        }
    }

    /// The parts as they are kept.
    fn keep(&self, parts: &Parts<'_, '_, 'i>, arena: &'i Arena) -> &'i [Value<'i>] {
        match parts {
            Parts::Made(items) => arena.alloc_slice_copy(items),
            Parts::Known(items) => arena.alloc_slice_fill_iter(items.iter().map(|&it| self.known(it))),
        }
    }

    /// An interned value with the interner's own lifetime.
    fn known(&self, value: Value<'_>) -> Value<'i> {
        match value {
            Value::Bool(it) => Value::Bool(it),
            Value::Int(it) => Value::Int(it),
            Value::Str(it) => Value::Str(it),
            Value::Model(it) => Value::Model(it),
            Value::Bits(it) => Value::Bits(it),
            _ => self.values[id(value) as usize],
        }
    }

    /// An infinite set in a state, such as `Nat` held by a variable: known by its parts.
    fn intern_infinite(&self, set: &Symbolic<'_>, arena: &'i Arena) -> Result<(u32, Value<'i>), Trouble> {
        let go = |it: Value<'_>| self.intern_value(it, arena);
        let copy = match set {
            Symbolic::Nat => Symbolic::Nat,
            Symbolic::Int => Symbolic::Int,
            Symbolic::Real => Symbolic::Real,
            Symbolic::Strings => Symbolic::Strings,
            Symbolic::Any => Symbolic::Any,
            Symbolic::Interval(low, high) => Symbolic::Interval(*low, *high),
            Symbolic::Power(it) => Symbolic::Power(go(*it)?),
            Symbolic::Functions(a, b) => Symbolic::Functions(go(*a)?, go(*b)?),
            Symbolic::Product(sets) => {
                Symbolic::Product(arena.alloc_slice_copy(&self.intern_all(sets, arena)?))
            }
            Symbolic::Records(names, sets) => Symbolic::Records(
                arena.alloc_slice_copy(names),
                arena.alloc_slice_copy(&self.intern_all(sets, arena)?),
            ),
            Symbolic::Sequences(it) => Symbolic::Sequences(go(*it)?),
            Symbolic::BoundedSequences(it, n) => Symbolic::BoundedSequences(go(*it)?, *n),
            Symbolic::Union(a, b) => Symbolic::Union(go(*a)?, go(*b)?),
            Symbolic::Intersection(a, b) => Symbolic::Intersection(go(*a)?, go(*b)?),
            Symbolic::Difference(a, b) => Symbolic::Difference(go(*a)?, go(*b)?),
            Symbolic::Filter(it, test, more) => Symbolic::Filter(
                go(*it)?,
                *test,
                arena.alloc_slice_copy(&self.intern_all(more, arena)?),
            ),
        };
        // Of its parts as they are kept: `1..3` and `{1, 2, 3}` are the same part.
        let hash = Value::Symbolic(&copy).hash64();
        let same = |other: Value<'i>| {
            matches!(other, Value::Symbolic(_)) && equal(other, Value::Symbolic(&copy)) == Ok(true)
        };
        Ok(self.find_or_add(hash, same, |_| Value::Symbolic(arena.alloc(copy))))
    }

    fn find(&self, hash: u64, same: impl Fn(Value<'i>) -> bool) -> Option<(u32, Value<'i>)> {
        let Shard(lock) = &self.shards[shard_of(hash)];
        self.find_in(&lock.read().expect("no panic while interning"), hash, same)
    }

    fn find_in(
        &self,
        table: &HashTable<Entry>,
        hash: u64,
        same: impl Fn(Value<'i>) -> bool,
    ) -> Option<(u32, Value<'i>)> {
        let mut value = Value::FALSE;
        let mut is_it = |it: &Entry| {
            it.hash == hash && {
                value = self.values[it.id as usize];
                same(value)
            }
        };
        let id = table.find(hash, &mut is_it)?.id;
        Some((id, value))
    }

    fn find_or_add(
        &self,
        hash: u64,
        same: impl Fn(Value<'i>) -> bool,
        make: impl FnOnce(u32) -> Value<'i>,
    ) -> (u32, Value<'i>) {
        if let Some(known) = self.find(hash, &same) {
            return known;
        }
        let Shard(lock) = &self.shards[shard_of(hash)];
        let mut table = lock.write().expect("no panic while interning");
        if let Some(known) = self.find_in(&table, hash, same) {
            return known;
        }
        // The number is part of the node, and the node is what is pushed.
        let mut added = (0, Value::FALSE);
        let mut make = Some(make);
        self.values.push_with(|id| {
            if let Some(make) = make.take() {
                added = (id as u32, make(id as u32));
            }
            added.1
        });
        table.insert_unique(hash, Entry { hash, id: added.0 }, |it| it.hash);
        added
    }
}

/// Interned parts of a value that may itself be new.
enum Parts<'a, 'v, 'i> {
    Known(&'a [Value<'v>]),
    Made(Vec<Value<'i>>),
}

impl Parts<'_, '_, '_> {
    fn with<R>(&self, run: impl FnOnce(&[Value<'_>]) -> R) -> R {
        match self {
            Parts::Known(items) => run(items),
            Parts::Made(items) => run(items),
        }
    }

    fn identical(&self, others: &[Value<'_>]) -> bool {
        self.with(|items| identical(others, items))
    }
}

/// The bits of a set of very small integers, whose number they are.
#[inline]
pub fn small_set(slot: Slot) -> Option<u32> {
    (slot >> PAYLOAD == BITS >> PAYLOAD).then_some(slot & MASK)
}

/// Whether this is a number that [`Interner::boxed`] gives.
#[inline]
pub fn is_box(slot: Slot) -> bool {
    slot > FILLER
}

/// Not by the highest bits, by which a table tells its own entries apart, nor by the lowest, by which it places them.
#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> 40) as usize % SHARDS
}

/// The number of a value that needs no interner.
#[inline]
fn own_number(value: Value<'_>) -> Option<Slot> {
    match value {
        Value::Int(it) if (INT_MIN..=INT_MAX).contains(&it) => Some(INT | (it as u32 & INT_MASK)),
        Value::Bool(it) => Some(BOOL | it as u32),
        Value::Str(it) => Some(STR | it.id()),
        Value::Model(it) => Some(MODEL | it.id()),
        Value::Bits(it) if it.universe() == Universe::Integers && it.mask() <= u64::from(MASK) => {
            Some(BITS | it.mask() as u32)
        }
        _ => None,
    }
}

fn is_bits(value: Value<'_>, bits: Bits) -> bool {
    matches!(value, Value::Bits(it) if it == bits)
}

/// What tells a value from all others: what it is, and which.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Exact {
    /// 0 for composite values that are not interned: nothing is said of them.
    pub kind: u32,
    pub word: u64,
}

#[inline]
pub fn exact(value: Value<'_>) -> Exact {
    let (kind, word) = match value {
        Value::Int(it) => (1, it as u64),
        Value::Bits(it) => (2 + it.universe() as u32, it.mask()),
        Value::Str(it) => (5, u64::from(it.id())),
        Value::Model(it) => (6, u64::from(it.id())),
        Value::Bool(it) => (7, it as u64),
        _ => match id(value) {
            0 => (0, 0),
            id => (4, u64::from(id)),
        },
    };
    Exact { kind, word }
}

/// Whether the value is as good as interned: its parts need not be looked at.
#[inline]
fn is_interned(value: Value<'_>) -> bool {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::Model(_) | Value::Bits(_) => true,
        _ => id(value) != 0,
    }
}

fn shorten<'short, 'long: 'short>(value: Value<'long>) -> Value<'short> {
    value
}

/// The number of an interned node, 0 for temporary ones and for values that are their own number.
fn id(value: Value<'_>) -> u32 {
    match value {
        Value::Tuple(it) => it.identity.id,
        Value::Record(it) => it.identity.id,
        Value::Fun(it) => it.identity.id,
        Value::Set(it) => it.identity.id,
        _ => 0,
    }
}

/// Equality of interned parts: no descent.
fn identical(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| is_identical(a, b))
}

#[inline]
fn is_identical(a: Value<'_>, b: Value<'_>) -> bool {
    if let (Value::Bits(a), Value::Bits(b)) = (a, b) {
        return a == b;
    }
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Str(a), Value::Str(b)) | (Value::Model(a), Value::Model(b)) => a == b,
        (Value::Big(a), Value::Big(b)) => a == b,
        (Value::Symbolic(a), Value::Symbolic(b)) => std::ptr::eq(a, b),
        _ => id(a) != 0 && id(a) == id(b),
    }
}
