//! All that an interner knows, as bytes from which another process makes the same values under numbers of its own.
//!
//! Values are written in the order of their numbers, so parts come before what they are part of and are referred to by number.
//! What came since the last time can be appended. Texts have numbers too, and go first.

use num_bigint::BigInt;
use util::wire::{read_number, read_slice, unzigzag, write_number, write_slice, zigzag};

use crate::bits::{PAIRS, Universe};
use crate::build::tuple_key;
use crate::intern::{Interner, Slot};
use crate::{Arena, Bits, Fun, Identity, Record, Set, Symbolic, Text, Tuple, Value};

const FALSE: u8 = 0;
const TRUE: u8 = 1;
const INT: u8 = 2;
const BIG: u8 = 3;
const STR: u8 = 4;
const MODEL: u8 = 5;
const TUPLE: u8 = 6;
const RECORD: u8 = 7;
const FUN: u8 = 8;
const SET: u8 = 9;
const INTEGERS: u8 = 10;
const POINTS: u8 = 11;
const SYMBOLIC: u8 = 12;
/// An interned value that is part of another.
const KNOWN: u8 = 13;

/// The numbers of another interner's values in this one.
pub struct Renamed {
    values: Vec<Slot>,
    texts: Vec<Text>,
}

impl Renamed {
    /// The number here of what has this number there.
    pub fn slot(&self, slot: Slot) -> Option<Slot> {
        Interner::rename(slot, &self.values, &self.texts)
    }
}

impl<'i> Interner<'i> {
    /// Appends all texts and values that came since the last call with these notes, which are empty at first. Nobody may
    /// intern meanwhile.
    pub fn write_dictionary(&self, noted: &mut Vec<usize>, bytes: &mut Vec<u8>) {
        noted.resize(2, 0);
        let (n_texts, n_values) = (Text::count(), self.n_values());
        write_number(bytes, (n_texts - noted[0]) as u64);
        for id in noted[0]..n_texts {
            write_slice(bytes, Text::from_id(id as u32).as_str().as_bytes());
        }
        let first = noted[1].max(1 + PAIRS.len());
        write_number(bytes, (n_values - first) as u64);
        for id in first..n_values {
            let value = self.value(id as Slot);
            match value {
                Value::Tuple(it) => write_all(TUPLE, it.items, bytes),
                Value::Set(it) => write_all(SET, it.items, bytes),
                Value::Record(it) => {
                    write_all(RECORD, it.values, bytes);
                    write_names(it.names, bytes);
                }
                Value::Fun(it) => {
                    write_all(FUN, it.values, bytes);
                    write_number(bytes, u64::from(it.domain.identity.id));
                }
                _ => write_part(value, bytes),
            }
        }
        *noted = vec![n_texts, n_values];
    }

    /// Interns everything that another interner wrote; `None` if it makes no sense.
    pub fn read_dictionary(&self, bytes: &[u8], arena: &'i Arena) -> Option<Renamed> {
        let known = (0..=PAIRS.len() as Slot).collect();
        let mut reading = Reading {
            bytes,
            renamed: Renamed {
                values: known,
                texts: Vec::new(),
            },
            interner: self,
            arena,
        };
        while !reading.bytes.is_empty() {
            for _ in 0..reading.number()? {
                let text = std::str::from_utf8(reading.bytes_of()?).ok()?;
                reading.renamed.texts.push(Text::new(text));
            }
            for _ in 0..reading.number()? {
                let slot = reading.entry()?;
                reading.renamed.values.push(slot);
            }
        }
        Some(reading.renamed)
    }
}

struct Reading<'b, 'a, 'i> {
    bytes: &'b [u8],
    renamed: Renamed,
    interner: &'a Interner<'i>,
    arena: &'i Arena,
}

impl<'b, 'i> Reading<'b, '_, 'i> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        read_number(&mut self.bytes).ok()
    }

    fn bytes_of(&mut self) -> Option<&'b [u8]> {
        read_slice(&mut self.bytes).ok()
    }

    fn text(&mut self) -> Option<Text> {
        let id: usize = self.number()?.try_into().ok()?;
        self.renamed.texts.get(id).copied()
    }

    fn known(&mut self) -> Option<Value<'i>> {
        let id: usize = self.number()?.try_into().ok()?;
        let slot = *self.renamed.values.get(id)?;
        Some(self.interner.value(slot))
    }

    fn parts(&mut self) -> Option<&'i [Value<'i>]> {
        let n: usize = self.number()?.try_into().ok()?;
        // A part has a byte at least, so a wrong number takes no memory.
        if n > self.bytes.len() {
            return None;
        }
        let mut parts = Vec::with_capacity(n);
        for _ in 0..n {
            parts.push(self.part()?);
        }
        Some(self.arena.alloc_slice_copy(&parts))
    }

    fn names(&mut self, n: usize) -> Option<&'i [Text]> {
        let names: Option<Vec<Text>> = (0..n).map(|_| self.text()).collect();
        Some(self.arena.alloc_slice_copy(&names?))
    }

    /// A value with a number of its own.
    fn entry(&mut self) -> Option<Slot> {
        let (interner, arena) = (self.interner, self.arena);
        let identity = Identity::default();
        let value = match *self.bytes.first()? {
            TUPLE => {
                self.byte()?;
                let items = self.parts()?;
                let key = tuple_key(items);
                Value::Tuple(arena.alloc(Tuple { items, key, identity }))
            }
            SET => {
                self.byte()?;
                let items = self.parts()?;
                // A domain is a list even where a set would be bits.
                return interner.intern_list(&Set { items, identity }, arena).ok();
            }
            RECORD => {
                self.byte()?;
                let values = self.parts()?;
                let names = self.names(values.len())?;
                Value::Record(arena.alloc(Record {
                    names,
                    values,
                    identity,
                }))
            }
            FUN => {
                self.byte()?;
                let values = self.parts()?;
                let Value::Set(domain) = self.known()? else {
                    return None;
                };
                if domain.items.len() != values.len() {
                    return None;
                }
                Value::Fun(arena.alloc(Fun {
                    domain,
                    values,
                    identity,
                }))
            }
            _ => self.part()?,
        };
        interner.intern(value, arena).ok()
    }

    /// A value that is part of another, interned where it must be.
    fn part(&mut self) -> Option<Value<'i>> {
        let (interner, arena) = (self.interner, self.arena);
        Some(match self.byte()? {
            FALSE => Value::FALSE,
            TRUE => Value::TRUE,
            INT => Value::Int(unzigzag(self.number()?)),
            BIG => {
                let number = BigInt::from_signed_bytes_le(self.bytes_of()?);
                interner.intern_value(Value::big(number, arena), arena).ok()?
            }
            STR => Value::Str(self.text()?),
            MODEL => Value::Model(self.text()?),
            INTEGERS => Bits::checked(Universe::Integers, self.number()?)?,
            POINTS => Bits::checked(Universe::Pairs, self.number()?)?,
            KNOWN => self.known()?,
            SYMBOLIC => {
                let set = util::deep(|| self.symbolic())?;
                interner.intern_value(Value::symbolic(set, arena), arena).ok()?
            }
            _ => return None,
        })
    }

    fn symbolic(&mut self) -> Option<Symbolic<'i>> {
        Some(match self.byte()? {
            0 => Symbolic::Nat,
            1 => Symbolic::Int,
            2 => Symbolic::Real,
            3 => Symbolic::Strings,
            4 => Symbolic::Any,
            5 => Symbolic::Interval(unzigzag(self.number()?), unzigzag(self.number()?)),
            6 => Symbolic::Power(self.part()?),
            7 => Symbolic::Functions(self.part()?, self.part()?),
            8 => Symbolic::Product(self.parts()?),
            9 => {
                let sets = self.parts()?;
                Symbolic::Records(self.names(sets.len())?, sets)
            }
            10 => Symbolic::Sequences(self.part()?),
            11 => Symbolic::BoundedSequences(self.part()?, self.number()?.try_into().ok()?),
            12 => Symbolic::Union(self.part()?, self.part()?),
            13 => Symbolic::Intersection(self.part()?, self.part()?),
            14 => Symbolic::Difference(self.part()?, self.part()?),
            15 => Symbolic::Filter(self.part()?, self.number()?.try_into().ok()?, self.parts()?),
            _ => return None,
        })
    }
}

fn write_all(tag: u8, items: &[Value<'_>], bytes: &mut Vec<u8>) {
    bytes.push(tag);
    write_parts(items, bytes);
}

fn write_parts(items: &[Value<'_>], bytes: &mut Vec<u8>) {
    write_number(bytes, items.len() as u64);
    items.iter().for_each(|&it| write_part(it, bytes));
}

fn write_names(names: &[Text], bytes: &mut Vec<u8>) {
    names
        .iter()
        .for_each(|it| write_number(bytes, u64::from(it.id())));
}

fn write_part(value: Value<'_>, bytes: &mut Vec<u8>) {
    let mut tagged = |tag: u8, number: u64| {
        bytes.push(tag);
        write_number(bytes, number);
    };
    match value {
        Value::Bool(it) => bytes.push(if it.get() { TRUE } else { FALSE }),
        Value::Int(it) => tagged(INT, zigzag(it)),
        Value::Str(it) => tagged(STR, u64::from(it.id())),
        Value::Model(it) => tagged(MODEL, u64::from(it.id())),
        Value::Bits(it) => tagged(
            match it.universe() {
                Universe::Integers => INTEGERS,
                Universe::Pairs => POINTS,
            },
            it.mask(),
        ),
        Value::Big(it) => {
            bytes.push(BIG);
            write_slice(bytes, &it.to_signed_bytes_le());
        }
        Value::Tuple(it) => tagged(KNOWN, u64::from(it.identity.id)),
        Value::Record(it) => tagged(KNOWN, u64::from(it.identity.id)),
        Value::Fun(it) => tagged(KNOWN, u64::from(it.identity.id)),
        Value::Set(it) => tagged(KNOWN, u64::from(it.identity.id)),
        Value::Symbolic(it) => {
            bytes.push(SYMBOLIC);
            util::deep(|| write_symbolic(it, bytes));
        }
    }
}

fn write_symbolic(set: &Symbolic<'_>, bytes: &mut Vec<u8>) {
    let mut with = |tag: u8, parts: &[Value<'_>]| {
        bytes.push(tag);
        parts.iter().for_each(|&it| write_part(it, bytes));
    };
    match set {
        Symbolic::Nat => with(0, &[]),
        Symbolic::Int => with(1, &[]),
        Symbolic::Real => with(2, &[]),
        Symbolic::Strings => with(3, &[]),
        Symbolic::Any => with(4, &[]),
        Symbolic::Interval(low, high) => {
            bytes.push(5);
            write_number(bytes, zigzag(*low));
            write_number(bytes, zigzag(*high));
        }
        Symbolic::Power(it) => with(6, &[*it]),
        Symbolic::Functions(a, b) => with(7, &[*a, *b]),
        Symbolic::Product(sets) => write_all(8, sets, bytes),
        Symbolic::Records(names, sets) => {
            write_all(9, sets, bytes);
            write_names(names, bytes);
        }
        Symbolic::Sequences(it) => with(10, &[*it]),
        Symbolic::BoundedSequences(it, n) => {
            with(11, &[*it]);
            write_number(bytes, *n as u64);
        }
        Symbolic::Union(a, b) => with(12, &[*a, *b]),
        Symbolic::Intersection(a, b) => with(13, &[*a, *b]),
        Symbolic::Difference(a, b) => with(14, &[*a, *b]),
        Symbolic::Filter(it, test, more) => {
            with(15, &[*it]);
            write_number(bytes, u64::from(*test));
            write_parts(more, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Owned, enumerate};

    fn values(arena: &Arena) -> Vec<Value<'_>> {
        let base = Value::interval(1, 3, arena);
        let power = Value::symbolic(Symbolic::Power(base), arena);
        let power = Value::Set(enumerate(power, arena).unwrap());
        let text = |it: &str| Value::Str(Text::new(it));
        let points = [1, 2].map(|it| Value::tuple(&[Value::Int(it), Value::Int(7)], arena));
        let points = bumpalo::collections::Vec::from_iter_in(points, arena);
        let domain = bumpalo::collections::Vec::from_iter_in([-3, 0, 700].map(Value::Int), arena);
        let Value::Set(domain) = Value::set(domain, arena).unwrap() else {
            panic!("too large for bits")
        };
        let small = Set::listed(arena.alloc_slice_copy(&[Value::Int(0), Value::Int(5)]), arena);
        vec![
            Value::TRUE,
            Value::Int(-5),
            Value::Int(i64::MIN),
            Value::big("123456789012345678901234567890".parse().unwrap(), arena),
            text("a"),
            Value::Model(Text::new("m1")),
            power,
            Value::set(points, arena).unwrap(),
            Value::interval(0, 40, arena),
            Value::record(&[(Text::new("b"), power), (Text::new("a"), text("x"))], arena),
            Value::tuple(&[power, text("y"), Value::Int(1 << 40)], arena),
            Value::function(domain, arena.alloc_slice_copy(&[text("p"), power, power]), arena),
            Value::function(small, arena.alloc_slice_copy(&[text("p"), power]), arena),
            Value::symbolic(Symbolic::Nat, arena),
            Value::symbolic(
                Symbolic::Functions(power, Value::symbolic(Symbolic::Strings, arena)),
                arena,
            ),
            Value::empty_set(),
            Value::empty_tuple(),
        ]
    }

    #[test]
    fn values_come_back_under_other_numbers() {
        let (arena, there_arena, here_arena) = (Arena::new(), Arena::new(), Arena::new());
        let there = Interner::new();
        let here = Interner::new();
        // Numbers are given out in another order here.
        for value in values(&arena).into_iter().rev() {
            here.intern(value, &here_arena).unwrap();
        }
        let (mut noted, mut bytes, mut slots) = (Vec::new(), Vec::new(), Vec::new());
        for part in values(&arena).chunks(5) {
            slots.extend(part.iter().map(|&it| there.intern(it, &there_arena).unwrap()));
            there.write_dictionary(&mut noted, &mut bytes);
        }
        let renamed = here.read_dictionary(&bytes, &here_arena).unwrap();
        for (value, old) in values(&arena).into_iter().zip(slots) {
            let slot = renamed.slot(old).unwrap();
            assert_eq!(here.intern(value, &here_arena), Ok(slot), "{value}");
            assert_eq!(here.value(slot).hash64(), there.value(old).hash64());
            if let Ok(owned) = value.to_owned_value() {
                assert_eq!(here.value(slot).to_owned_value(), Ok::<Owned, _>(owned));
            }
        }
        assert_eq!(renamed.slot(1 << 20), None);
    }

    #[test]
    fn nonsense_is_refused() {
        let (arena, there_arena) = (Arena::new(), Arena::new());
        let there = Interner::new();
        for value in values(&arena) {
            there.intern(value, &there_arena).unwrap();
        }
        let mut bytes = Vec::new();
        there.write_dictionary(&mut Vec::new(), &mut bytes);
        for at in 0..bytes.len() {
            let here_arena = Arena::new();
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x81;
            // Some of it may make sense; none of it may panic.
            let _ = Interner::new().read_dictionary(&flipped, &here_arena);
            let _ = Interner::new().read_dictionary(&bytes[..at], &here_arena);
        }
    }
}
