//! Changes: what a step does to the value in one slot, without the rest of it.
//!
//! `[x EXCEPT ![p] = 1]` changes one part of `x` and copies the others unseen, so the same change serves every state in which
//! the step is the same. What a change makes of a value is [remembered](super::rows): values come back far more often than
//! they are new.

use super::path::Paths;
use super::rows::Class;
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

/// All changes that were ever made.
#[derive(Default)]
pub struct Changes {
    /// Each one after the other.
    all: Vec<Box<[Change]>>,
    ids: FxHashMap<Box<[Change]>, ChangeId>,
    columns: FxHashMap<(Class, ChangeId), u32>,
}

impl Changes {
    pub fn id(&mut self, change: Change) -> ChangeId {
        self.add([change].into())
    }

    /// Several changes as one: what is between them need not be interned.
    pub fn together(&mut self, changes: &[ChangeId]) -> ChangeId {
        match changes {
            [one] => *one,
            _ => {
                let all = changes
                    .iter()
                    .flat_map(|&it| self.all[it as usize].iter().cloned());
                let all = all.collect();
                self.add(all)
            }
        }
    }

    fn add(&mut self, changes: Box<[Change]>) -> ChangeId {
        if let Some(&id) = self.ids.get(&changes) {
            return id;
        }
        let id = self.all.len() as ChangeId;
        self.ids.insert(changes.clone(), id);
        self.all.push(changes);
        id
    }

    /// Where answers to a change of a slot are.
    pub fn column(&mut self, slot: u32, change: ChangeId, paths: &mut Paths<'_>) -> u32 {
        let class = paths.class(slot);
        *self
            .columns
            .entry((class, change))
            .or_insert_with(|| paths.add_column(class))
    }

    /// What the change makes of a value; an error where it cannot be made, which the evaluator then tells.
    pub fn apply<'i>(
        &self,
        change: ChangeId,
        to: Slot,
        interner: &Interner<'i>,
        interned: &'i Arena,
        scratch: &Arena,
    ) -> Result<Slot, Trouble> {
        let mut made = interner.value(to);
        for change in &self.all[change as usize] {
            made = make(made, &change.keys, change.to, interner, scratch)?;
        }
        interner.intern(made, interned)
    }

    pub fn memory(&self) -> usize {
        self.columns.capacity() * 16 + self.all.capacity() * 96
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
