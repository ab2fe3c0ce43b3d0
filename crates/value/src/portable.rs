//! Values as bytes that mean the same in every process: interned numbers do not.
//!
//! Values are sent one after the other to one reader, and both sides number the composite values and texts that passed, so
//! each crosses once and is a short reference afterwards. A new function that differs from a known one in one place costs
//! references only. Plain values are always spelt out.
//!
//! Everything is a sequence of numbers, seven bits to a byte. An even number 2k is a reference to what was entered as
//! number k. An odd one says what follows; a value that is entered gets its number after its parts.

use num_bigint::BigInt;
use util::FxHashMap;
use util::wire::{Damaged, read_number, read_slice, unzigzag, write_number, write_slice, zigzag};

use crate::bits::Universe;
use crate::sets::enumerate;
use crate::{Arena, Bits, FILLER, Interner, Slot, Symbolic, Text, Value};

const FALSE: u64 = 0;
const TRUE: u64 = 1;
const INT: u64 = 2;
const BIG: u64 = 3;
const STR: u64 = 4;
const MODEL: u64 = 5;
const TUPLE: u64 = 6;
const RECORD: u64 = 7;
const FUN: u64 = 8;
const SET: u64 = 9;
const INTEGERS: u64 = 10;
const PAIRS: u64 = 11;
const SYMBOLIC: u64 = 12;
/// The number of no value, and a box with what follows.
const NOTHING: u64 = 13;
const BOXED: u64 = 14;
/// This code and those above it are the integers from 0 on.
const SMALL: u64 = 15;
const SMALL_MAX: i64 = 1000;

/// What one reader knows already.
#[derive(Default)]
pub struct Exported {
    numbers: FxHashMap<Slot, u32>,
}

impl Exported {
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Begins anew; the reader must do the same with its list.
    pub fn clear(&mut self) {
        self.numbers.clear();
    }

    fn enter(&mut self, slot: Slot) {
        let number = self.numbers.len() as u32;
        self.numbers.insert(slot, number);
    }
}

fn write_code(bytes: &mut Vec<u8>, code: u64) {
    write_number(bytes, code << 1 | 1);
}

impl<'i> Interner<'i> {
    /// Writes the value with this number for a reader that knows what `seen` says.
    pub fn export(&self, slot: Slot, seen: &mut Exported, bytes: &mut Vec<u8>) {
        if let Some((value, mark)) = self.unboxed(slot) {
            write_code(bytes, BOXED);
            write_number(bytes, u64::from(mark));
            return self.export_value(value, seen, bytes);
        }
        match slot {
            FILLER => write_code(bytes, NOTHING),
            _ => self.export_value(self.value(slot), seen, bytes),
        }
    }

    fn export_value(&self, value: Value<'i>, seen: &mut Exported, bytes: &mut Vec<u8>) {
        match value {
            Value::Bool(it) => return write_code(bytes, if it.get() { TRUE } else { FALSE }),
            Value::Int(it @ 0..=SMALL_MAX) => return write_code(bytes, SMALL + it as u64),
            Value::Int(it) => {
                write_code(bytes, INT);
                return write_number(bytes, zigzag(it));
            }
            Value::Big(it) => {
                write_code(bytes, BIG);
                return write_slice(bytes, &it.to_signed_bytes_le());
            }
            Value::Bits(it) => {
                write_code(
                    bytes,
                    if it.universe() == Universe::Integers {
                        INTEGERS
                    } else {
                        PAIRS
                    },
                );
                return write_number(bytes, it.mask());
            }
            Value::Symbolic(it) => {
                write_code(bytes, SYMBOLIC);
                return util::deep(|| self.export_symbolic(it, seen, bytes));
            }
            _ => {}
        }
        // Parts of interned values are interned, and texts are their own numbers.
        let slot = self.slot_of(value);
        if let Some(number) = slot.and_then(|it| seen.numbers.get(&it)) {
            return write_number(bytes, u64::from(*number) << 1);
        }
        util::deep(|| self.export_parts(value, seen, bytes));
        if let Some(slot) = slot {
            seen.enter(slot);
        }
    }

    fn export_parts(&self, value: Value<'i>, seen: &mut Exported, bytes: &mut Vec<u8>) {
        match value {
            Value::Str(it) => write_text(STR, it, bytes),
            Value::Model(it) => write_text(MODEL, it, bytes),
            Value::Tuple(it) => {
                write_code(bytes, TUPLE);
                self.export_all(it.items, seen, bytes);
            }
            Value::Record(it) => {
                write_code(bytes, RECORD);
                self.export_all(it.values, seen, bytes);
                for &name in it.names {
                    self.export_value(Value::Str(name), seen, bytes);
                }
            }
            Value::Fun(it) => {
                write_code(bytes, FUN);
                self.export_value(Value::Set(it.domain), seen, bytes);
                self.export_all(it.values, seen, bytes);
            }
            Value::Set(it) => {
                write_code(bytes, SET);
                self.export_all(it.items, seen, bytes);
            }
            _ => unreachable!("plain values have no parts"),
        }
    }

    fn export_all(&self, items: &[Value<'i>], seen: &mut Exported, bytes: &mut Vec<u8>) {
        write_number(bytes, items.len() as u64);
        for &item in items {
            self.export_value(item, seen, bytes);
        }
    }

    fn export_symbolic(&self, set: &Symbolic<'i>, seen: &mut Exported, bytes: &mut Vec<u8>) {
        let (kind, numbers, parts): (u64, [i64; 2], Vec<Value<'i>>) = match set {
            Symbolic::Nat => (0, [0; 2], vec![]),
            Symbolic::Int => (1, [0; 2], vec![]),
            Symbolic::Real => (2, [0; 2], vec![]),
            Symbolic::Strings => (3, [0; 2], vec![]),
            Symbolic::Any => (4, [0; 2], vec![]),
            Symbolic::Interval(low, high) => (5, [*low, *high], vec![]),
            Symbolic::Power(it) => (6, [0; 2], vec![*it]),
            Symbolic::Functions(a, b) => (7, [0; 2], vec![*a, *b]),
            Symbolic::Product(sets) => (8, [0; 2], sets.to_vec()),
            Symbolic::Records(names, sets) => {
                let names = names.iter().map(|&it| Value::Str(it));
                (9, [0; 2], sets.iter().copied().chain(names).collect())
            }
            Symbolic::Sequences(it) => (10, [0; 2], vec![*it]),
            Symbolic::BoundedSequences(it, n) => (11, [*n as i64, 0], vec![*it]),
            Symbolic::Union(a, b) => (12, [0; 2], vec![*a, *b]),
            Symbolic::Intersection(a, b) => (13, [0; 2], vec![*a, *b]),
            Symbolic::Difference(a, b) => (14, [0; 2], vec![*a, *b]),
            // The test is the evaluator's: the same in every process with the same specification.
            Symbolic::Filter(it, test, more) => {
                let parts = [*it].into_iter().chain(more.iter().copied());
                (15, [i64::from(*test), 0], parts.collect())
            }
        };
        write_number(bytes, kind);
        for number in numbers {
            write_number(bytes, number as u64);
        }
        self.export_all(&parts, seen, bytes);
    }

    /// Reads a value that [`Interner::export`] wrote in this or another process. `known` is what has passed so far.
    pub fn import(
        &self,
        bytes: &mut &[u8],
        known: &mut Vec<Slot>,
        arena: &'i Arena,
        scratch: &Arena,
    ) -> Result<Slot, Damaged> {
        let head = read_number(bytes)?;
        if head & 1 == 0 {
            return known.get((head >> 1) as usize).copied().ok_or(Damaged);
        }
        let value = match head >> 1 {
            NOTHING => return Ok(FILLER),
            BOXED => {
                let mark = read_number(bytes)? as u32;
                let slot = util::deep(|| self.import(bytes, known, arena, scratch))?;
                return self.boxed(self.value(slot), mark, arena).map_err(|_| Damaged);
            }
            FALSE => Value::FALSE,
            TRUE => Value::TRUE,
            INT => Value::Int(unzigzag(read_number(bytes)?)),
            BIG => Value::big(BigInt::from_signed_bytes_le(read_slice(bytes)?), scratch),
            INTEGERS => Bits::checked(Universe::Integers, read_number(bytes)?).ok_or(Damaged)?,
            PAIRS => Bits::checked(Universe::Pairs, read_number(bytes)?).ok_or(Damaged)?,
            SYMBOLIC => util::deep(|| self.import_symbolic(bytes, known, arena, scratch))?,
            code @ (STR..=SET) => {
                let value = util::deep(|| self.import_parts(code, bytes, known, arena, scratch))?;
                let slot = self.intern(value, arena).map_err(|_| Damaged)?;
                known.push(slot);
                return Ok(slot);
            }
            small => Value::Int((small - SMALL) as i64),
        };
        self.intern(value, arena).map_err(|_| Damaged)
    }

    fn import_parts<'v>(
        &self,
        code: u64,
        bytes: &mut &[u8],
        known: &mut Vec<Slot>,
        arena: &'i Arena,
        scratch: &'v Arena,
    ) -> Result<Value<'v>, Damaged>
    where
        'i: 'v,
    {
        Ok(match code {
            STR => Value::Str(read_text(bytes)?),
            MODEL => Value::Model(read_text(bytes)?),
            TUPLE => Value::tuple(&self.import_all(bytes, known, arena, scratch)?, scratch),
            RECORD => {
                let values = self.import_all(bytes, known, arena, scratch)?;
                let mut fields = Vec::with_capacity(values.len());
                for value in values {
                    fields.push((self.import_name(bytes, known, arena, scratch)?, value));
                }
                Value::record(&fields, scratch)
            }
            FUN => {
                let domain = self.value(self.import(bytes, known, arena, scratch)?);
                let domain = enumerate(domain, scratch).map_err(|_| Damaged)?;
                let values = self.import_all(bytes, known, arena, scratch)?;
                if domain.items.len() != values.len() {
                    return Err(Damaged);
                }
                Value::function(domain, scratch.alloc_slice_copy(&values), scratch)
            }
            _ => {
                let items = self.import_all(bytes, known, arena, scratch)?;
                let items = bumpalo::collections::Vec::from_iter_in(items, scratch);
                Value::set(items, scratch).map_err(|_| Damaged)?
            }
        })
    }

    fn import_all(
        &self,
        bytes: &mut &[u8],
        known: &mut Vec<Slot>,
        arena: &'i Arena,
        scratch: &Arena,
    ) -> Result<Vec<Value<'i>>, Damaged> {
        let len = read_number(bytes)? as usize;
        // Each takes a byte at least, so a damaged length does not become an allocation.
        if len > bytes.len() {
            return Err(Damaged);
        }
        (0..len)
            .map(|_| Ok(self.value(self.import(bytes, known, arena, scratch)?)))
            .collect()
    }

    fn import_name(
        &self,
        bytes: &mut &[u8],
        known: &mut Vec<Slot>,
        arena: &'i Arena,
        scratch: &Arena,
    ) -> Result<Text, Damaged> {
        match self.value(self.import(bytes, known, arena, scratch)?) {
            Value::Str(name) => Ok(name),
            _ => Err(Damaged),
        }
    }

    fn import_symbolic<'v>(
        &self,
        bytes: &mut &[u8],
        known: &mut Vec<Slot>,
        arena: &'i Arena,
        scratch: &'v Arena,
    ) -> Result<Value<'v>, Damaged>
    where
        'i: 'v,
    {
        let kind = read_number(bytes)?;
        let numbers = [read_number(bytes)? as i64, read_number(bytes)? as i64];
        let parts = self.import_all(bytes, known, arena, scratch)?;
        let parts: &'v [Value<'v>] = scratch.alloc_slice_fill_iter(parts);
        let set = match (kind, parts) {
            (0, []) => Symbolic::Nat,
            (1, []) => Symbolic::Int,
            (2, []) => Symbolic::Real,
            (3, []) => Symbolic::Strings,
            (4, []) => Symbolic::Any,
            (5, []) => Symbolic::Interval(numbers[0], numbers[1]),
            (6, &[it]) => Symbolic::Power(it),
            (7, &[a, b]) => Symbolic::Functions(a, b),
            (8, sets) => Symbolic::Product(sets),
            (9, parts) if parts.len().is_multiple_of(2) => {
                let (sets, names) = parts.split_at(parts.len() / 2);
                let names: Option<Vec<Text>> = names
                    .iter()
                    .map(|it| match it {
                        Value::Str(name) => Some(*name),
                        _ => None,
                    })
                    .collect();
                Symbolic::Records(scratch.alloc_slice_copy(&names.ok_or(Damaged)?), sets)
            }
            (10, &[it]) => Symbolic::Sequences(it),
            (11, &[it]) => Symbolic::BoundedSequences(it, numbers[0] as usize),
            (12, &[a, b]) => Symbolic::Union(a, b),
            (13, &[a, b]) => Symbolic::Intersection(a, b),
            (14, &[a, b]) => Symbolic::Difference(a, b),
            (15, [it, more @ ..]) => Symbolic::Filter(*it, numbers[0] as u32, more),
            _ => return Err(Damaged),
        };
        Ok(Value::symbolic(set, scratch))
    }
}

fn write_text(code: u64, text: Text, bytes: &mut Vec<u8>) {
    write_code(bytes, code);
    write_number(bytes, text.as_str().len() as u64);
    bytes.extend(text.as_str().as_bytes());
}

fn read_text(bytes: &mut &[u8]) -> Result<Text, Damaged> {
    let text = std::str::from_utf8(read_slice(bytes)?).map_err(|_| Damaged)?;
    Ok(Text::new(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Owned;

    fn values() -> impl Strategy<Value = Owned> {
        let plain = prop_oneof![
            any::<bool>().prop_map(Owned::Bool),
            any::<i64>().prop_map(Owned::Int),
            (-3i64..1100).prop_map(Owned::Int),
            Just(Owned::Big(BigInt::from(7).pow(60))),
            "[a-d]{0,3}".prop_map(|it| Owned::Str(Text::new(&it))),
            "[a-d]{1,2}".prop_map(|it| Owned::Model(Text::new(&it))),
        ];
        plain.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Owned::Tuple),
                prop::collection::vec(0i64..80, 0..6)
                    .prop_map(|all| Owned::Set(all.into_iter().map(Owned::Int).collect())),
                prop::collection::vec((0i64..9, 0i64..9), 0..6).prop_map(|all| {
                    let pair = |(a, b)| Owned::Tuple(vec![Owned::Int(a), Owned::Int(b)]);
                    Owned::Set(all.into_iter().map(pair).collect())
                }),
                prop::collection::btree_map("[a-f]{1,2}", inner.clone(), 0..4).prop_map(|all| {
                    Owned::record(all.iter().map(|(name, it)| (name.as_str(), it.clone())))
                }),
                prop::collection::btree_map(-3i64..6, inner, 0..4).prop_map(|all| {
                    Owned::Fun(all.into_iter().map(|(key, it)| (Owned::Int(key), it)).collect())
                }),
            ]
        })
    }

    proptest! {
        /// What one interner writes another one reads, and gives the same hash.
        #[test]
        fn there_and_back(all in prop::collection::vec(values(), 1..12)) {
            let (here, there, scratch) = (Arena::new(), Arena::new(), Arena::new());
            let (sender, reader) = (Interner::new(), Interner::new());
            // Numbers on the two sides have nothing to do with each other.
            reader.intern(Value::tuple(&[Value::str("other"), Value::Int(5)], &scratch), &there).unwrap();
            let (mut seen, mut known, mut bytes) = (Exported::default(), vec![], vec![]);
            let sent: Vec<Slot> = all
                .iter()
                .filter_map(|it| it.copy_to(&scratch).ok())
                .filter_map(|it| sender.intern(it, &here).ok())
                .collect();
            for &slot in sent.iter().chain(&sent) {
                sender.export(slot, &mut seen, &mut bytes);
            }
            let mut left = &bytes[..];
            for &slot in sent.iter().chain(&sent) {
                let read = reader.import(&mut left, &mut known, &there, &scratch).unwrap();
                let (one, other) = (sender.value(slot), reader.value(read));
                prop_assert_eq!(one.to_owned_value(), other.to_owned_value());
                prop_assert_eq!(one.hash64(), other.hash64());
            }
            prop_assert!(left.is_empty());
        }

        /// Whatever arrives, reading ends with a value or says that it is damaged.
        #[test]
        fn noise_is_no_harm(noise in prop::collection::vec(any::<u8>(), 0..60)) {
            let (arena, scratch) = (Arena::new(), Arena::new());
            let interner = Interner::new();
            let (mut known, mut left) = (vec![], &noise[..]);
            while !left.is_empty() && interner.import(&mut left, &mut known, &arena, &scratch).is_ok() {}
        }
    }

    #[test]
    fn infinite_sets_cross() {
        let (arena, scratch) = (Arena::new(), Arena::new());
        let (sender, reader) = (Interner::new(), Interner::new());
        let nat = Value::Symbolic(&Symbolic::Nat);
        let sets = [
            nat,
            Value::symbolic(
                Symbolic::Functions(Value::interval(0, 3, &scratch), nat),
                &scratch,
            ),
            Value::symbolic(Symbolic::Sequences(nat), &scratch),
        ];
        let (mut seen, mut known) = (Exported::default(), vec![]);
        for set in sets {
            let mut bytes = vec![];
            let slot = sender.intern(set, &arena).unwrap();
            sender.export(slot, &mut seen, &mut bytes);
            let read = reader
                .import(&mut &bytes[..], &mut known, &arena, &scratch)
                .unwrap();
            assert_eq!(sender.value(slot).hash64(), reader.value(read).hash64());
        }
    }

    #[test]
    fn a_known_value_is_a_reference() {
        let (arena, scratch) = (Arena::new(), Arena::new());
        let interner = Interner::new();
        let long = Value::tuple(
            &[Value::str("a long text that crosses once"), Value::Int(1)],
            &scratch,
        );
        let slot = interner.intern(long, &arena).unwrap();
        let (mut seen, mut bytes) = (Exported::default(), vec![]);
        interner.export(slot, &mut seen, &mut bytes);
        let first = bytes.len();
        interner.export(slot, &mut seen, &mut bytes);
        assert_eq!((bytes.len() - first, seen.len()), (1, 2));
    }
}
