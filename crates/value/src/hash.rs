//! Content hashes: 64 bits that depend on what a value is, never on when or where it was made.
//!
//! Shards, orders and fingerprints rest on them, so they are fixed functions without a seed. Children are combined by a
//! multiply-and-fold step (as in wyhash), which is fast and mixes well. The elements of a set and the pairs of a function are
//! added up: then the hash of an image under a permutation is known without sorting the image ([`hash_with`]).

use crate::{Bits, Symbolic, Value};

/// Mixes two words into one.
#[inline]
pub const fn mix(a: u64, b: u64) -> u64 {
    let product = (a ^ 0x9E37_79B9_7F4A_7C15) as u128 * (b ^ 0xD1B5_4A32_D192_ED03) as u128;
    (product as u64) ^ ((product >> 64) as u64)
}

/// Accumulates a sequence of words.
#[derive(Clone, Copy)]
pub struct Mixer(u64);

impl Mixer {
    pub const fn new(tag: u64) -> Mixer {
        Mixer(mix(
            tag.wrapping_add(0xA076_1D64_78BD_642F),
            0xE703_7ED1_A0B4_28DB,
        ))
    }

    #[inline]
    pub const fn add(&mut self, word: u64) {
        self.0 = mix(self.0.rotate_left(23), word.wrapping_add(0x8EBC_6AF0_9C88_C6E3));
    }

    pub const fn finish(self) -> u64 {
        mix(self.0, 0x5899_65CC_7537_4CC3)
    }
}

pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut mixer = Mixer::new(bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mixer.add(u64::from_le_bytes(word));
    }
    mixer.finish()
}

const BOOL: u64 = 1;
pub(crate) const INT: u64 = 2;
const BIG: u64 = 3;
const STR: u64 = 4;
const MODEL: u64 = 5;
pub(crate) const TUPLE: u64 = 6;
pub(crate) const RECORD: u64 = 7;
pub(crate) const FUN: u64 = 8;
pub(crate) const SET: u64 = 9;
const SYMBOLIC: u64 = 10;
pub(crate) const MASK: u64 = 11;

impl Value<'_> {
    /// The content hash. Constant time for plain and interned values.
    #[inline]
    pub fn hash64(self) -> u64 {
        match self {
            Value::Bits(it) => it.hash64(),
            Value::Int(it) => mix(INT, it as u64),
            _ => self.hash_other(),
        }
    }

    fn hash_other(self) -> u64 {
        match self {
            Value::Bool(it) => mix(BOOL, it as u64),
            Value::Int(it) => mix(INT, it as u64),
            Value::Big(it) => mix(BIG, hash_bytes(&it.to_signed_bytes_le())),
            Value::Str(it) => mix(STR, it.hash64()),
            Value::Model(it) => mix(MODEL, it.hash64()),
            Value::Tuple(it) if it.identity.id != 0 => it.identity.hash,
            Value::Record(it) if it.identity.id != 0 => it.identity.hash,
            Value::Fun(it) if it.identity.id != 0 => it.identity.hash,
            Value::Set(it) if it.identity.hash != 0 => it.identity.hash,
            Value::Tuple(_) | Value::Record(_) | Value::Fun(_) | Value::Set(_) => {
                hash_with(self, &mut |it| it.hash64())
            }
            Value::Bits(it) => it.hash64(),
            Value::Symbolic(it) => hash_symbolic(it),
        }
    }
}

pub(crate) fn hash_all(tag: u64, items: &[Value<'_>]) -> u64 {
    let mut mixer = Mixer::new(tag);
    items.iter().for_each(|it| mixer.add(it.hash64()));
    mixer.finish()
}

pub(crate) fn hash_record(names: &[crate::Text], values: &[Value<'_>]) -> u64 {
    let mut mixer = Mixer::new(RECORD);
    names.iter().for_each(|it| mixer.add(it.hash64()));
    values.iter().for_each(|it| mixer.add(it.hash64()));
    mixer.finish()
}

pub(crate) fn hash_set(items: &[Value<'_>]) -> u64 {
    match Bits::of(items) {
        Some(bits) => bits.hash64(),
        None => set_of(items.iter().map(|it| it.hash64())),
    }
}

pub(crate) fn hash_fun(domain: &[Value<'_>], values: &[Value<'_>]) -> u64 {
    let pairs = domain.iter().zip(values);
    fun_of(pairs.map(|(key, value)| (key.hash64(), value.hash64())))
}

/// A sum alone, so that a set that differs by an element from another one has its hash at once.
fn set_of(items: impl ExactSizeIterator<Item = u64>) -> u64 {
    let size = mix(items.len() as u64, SET);
    items.fold(size, |sum: u64, it| sum.wrapping_add(mix(it, SET)))
}

/// The hash of a set with an element replaced by another one, from that of the set.
pub(crate) fn hash_replaced(set: u64, out: Value<'_>, item: Value<'_>) -> u64 {
    set.wrapping_sub(mix(out.hash64(), SET))
        .wrapping_add(mix(item.hash64(), SET))
}

fn fun_of(pairs: impl ExactSizeIterator<Item = (u64, u64)>) -> u64 {
    let mut mixer = Mixer::new(FUN);
    mixer.add(pairs.len() as u64);
    mixer.add(pairs.fold(0, |sum: u64, (key, value)| {
        sum.wrapping_add(mix(mix(key, FUN), value))
    }));
    mixer.finish()
}

/// The hash that a composite value would have if its direct parts had these hashes; of a function, each argument and then its
/// value.
pub fn hash_with<'v>(value: Value<'v>, part: &mut dyn FnMut(Value<'v>) -> u64) -> u64 {
    match value {
        Value::Tuple(it) => {
            let mut mixer = Mixer::new(TUPLE);
            it.items.iter().for_each(|&it| mixer.add(part(it)));
            mixer.finish()
        }
        Value::Record(it) => {
            let mut mixer = Mixer::new(RECORD);
            it.names.iter().for_each(|it| mixer.add(it.hash64()));
            it.values.iter().for_each(|&it| mixer.add(part(it)));
            mixer.finish()
        }
        Value::Fun(it) => {
            let pairs = it.domain.items.iter().zip(it.values);
            fun_of(pairs.map(|(&key, &value)| (part(key), part(value))))
        }
        Value::Set(it) if Bits::of(it.items).is_none() => set_of(it.items.iter().map(|&it| part(it))),
        Value::Set(it) => hash_set(it.items),
        _ => value.hash64(),
    }
}

/// Symbolic sets enter states only when they cannot be enumerated; then their shape is their identity.
fn hash_symbolic(set: &Symbolic<'_>) -> u64 {
    let mut mixer = Mixer::new(SYMBOLIC);
    match set {
        Symbolic::Nat => mixer.add(1),
        Symbolic::Int => mixer.add(2),
        Symbolic::Real => mixer.add(3),
        Symbolic::Strings => mixer.add(4),
        Symbolic::Any => mixer.add(16),
        Symbolic::Interval(low, high) => [5, *low as u64, *high as u64]
            .into_iter()
            .for_each(|it| mixer.add(it)),
        Symbolic::Power(it) => [6, it.hash64()].into_iter().for_each(|it| mixer.add(it)),
        Symbolic::Functions(a, b) => [7, a.hash64(), b.hash64()]
            .into_iter()
            .for_each(|it| mixer.add(it)),
        Symbolic::Product(items) => [8, hash_all(TUPLE, items)]
            .into_iter()
            .for_each(|it| mixer.add(it)),
        Symbolic::Records(names, sets) => [9, hash_record(names, sets)]
            .into_iter()
            .for_each(|it| mixer.add(it)),
        Symbolic::Sequences(it) => [10, it.hash64()].into_iter().for_each(|it| mixer.add(it)),
        Symbolic::BoundedSequences(it, n) => [11, it.hash64(), *n as u64]
            .into_iter()
            .for_each(|it| mixer.add(it)),
        Symbolic::Union(a, b) => [12, a.hash64(), b.hash64()]
            .into_iter()
            .for_each(|it| mixer.add(it)),
        Symbolic::Intersection(a, b) => [13, a.hash64(), b.hash64()]
            .into_iter()
            .for_each(|it| mixer.add(it)),
        Symbolic::Filter(it, test, more) => {
            [15, it.hash64(), u64::from(*test), hash_all(TUPLE, more)]
                .into_iter()
                .for_each(|it| mixer.add(it));
        }
        Symbolic::Difference(a, b) => [14, a.hash64(), b.hash64()]
            .into_iter()
            .for_each(|it| mixer.add(it)),
    }
    mixer.finish()
}
