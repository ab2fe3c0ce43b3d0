//! Changes: what a step does to one variable, without the rest of its value.
//!
//! `[x EXCEPT ![p] = 1]` changes one part of `x` and copies the others unseen, so the same change serves every state in which
//! the step is the same. What a change makes of a value is remembered: values come back far more often than they are
//! new.

use util::FxHashMap;
use value::{Arena, Interner, Slot, Trouble, Value};

pub type ChangeId = u32;

/// A part of a value, by the arguments that lead to it, and what becomes of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    pub keys: Box<[Slot]>,
    pub to: To,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum To {
    /// This value.
    Be(Slot),
    /// The set with these elements too.
    Gain(Slot),
    /// The set without these elements.
    Lose(Slot),
    /// The sequence with this element at the end.
    Append(Slot),
}

/// All changes that were ever made, and what came out.
#[derive(Default)]
pub struct Changes {
    all: Vec<Change>,
    ids: FxHashMap<Change, ChangeId>,
    known: FxHashMap<(Slot, ChangeId), Slot>,
}

/// Results that are remembered at most; then it begins anew.
const KNOWN_MAX: usize = 1 << 20;

impl Changes {
    pub fn id(&mut self, change: Change) -> ChangeId {
        if let Some(&id) = self.ids.get(&change) {
            return id;
        }
        let id = self.all.len() as ChangeId;
        self.ids.insert(change.clone(), id);
        self.all.push(change);
        id
    }

    /// What the change makes of a value; an error where it cannot be made, which the evaluator then tells.
    #[inline]
    pub fn apply<'i>(
        &mut self,
        change: ChangeId,
        to: Slot,
        interner: &Interner<'i>,
        interned: &'i Arena,
        scratch: &Arena,
    ) -> Result<Slot, Trouble> {
        if let Some(&slot) = self.known.get(&(to, change)) {
            return Ok(slot);
        }
        let change_here = &self.all[change as usize];
        let made = make(
            interner.value(to),
            &change_here.keys,
            change_here.to,
            interner,
            scratch,
        )?;
        let slot = interner.intern(made, interned)?;
        if self.known.len() >= KNOWN_MAX {
            self.known.clear();
        }
        self.known.insert((to, change), slot);
        Ok(slot)
    }

    pub fn memory(&self) -> usize {
        self.known.capacity() * 16 + self.all.capacity() * 96
    }
}

fn make<'t, 'i: 't>(
    value: Value<'t>,
    keys: &[Slot],
    to: To,
    interner: &Interner<'i>,
    scratch: &'t Arena,
) -> Result<Value<'t>, Trouble> {
    if let Some((&key, rest)) = keys.split_first() {
        let made = value::except_one(value, interner.value(key), scratch, |old| {
            make(old, rest, to, interner, scratch)
        })?;
        return made.ok_or(Trouble::NotInDomain);
    }
    match to {
        To::Be(slot) => Ok(interner.value(slot)),
        To::Gain(slot) => value::union(value, interner.value(slot), scratch),
        To::Lose(slot) => value::difference(value, interner.value(slot), scratch),
        To::Append(slot) => match value {
            Value::Tuple(it) => {
                let items = scratch.alloc_slice_fill_iter(
                    it.items
                        .iter()
                        .copied()
                        .chain([interner.value(slot)])
                        .collect::<Vec<_>>(),
                );
                Ok(Value::tuple_in(items, scratch))
            }
            _ => Err(Trouble::NotAFunction),
        },
    }
}
