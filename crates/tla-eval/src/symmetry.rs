//! Symmetry: states that differ by a permutation of model values are searched once.
//!
//! The configuration gives some permutations; the group they generate is computed once. A state is represented by the
//! least of its images, "least" by content hash, so the representative is the same in every run. The hashes of all images of
//! a value are known without making the images, and only the chosen one is made. Both are remembered by each worker, because
//! values come back far more often than they are new.

use std::rc::Rc;

use util::{FxHashMap, FxHashSet};
use value::{Arena, Interner, Set, Slot, Text, Trouble, Value};

/// A permutation of model values: pairs that are not fixed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Permutation(Vec<(Text, Text)>);

/// More permutations than this are refused: trying them all on every state would cost more than it saves.
const GROUP_MAX: usize = 50_000;

/// Hashes that a worker remembers at most.
const HASHES_MAX: usize = 1 << 25;

impl Permutation {
    /// Model values that it moves, and where to.
    pub fn moved(&self) -> &[(Text, Text)] {
        &self.0
    }

    /// The image of interned values, made anew; nothing when one has none.
    pub(crate) fn image_of<'i>(
        &self,
        slots: &[Slot],
        interner: &Interner<'i>,
        interned: &'i Arena,
    ) -> Option<Vec<Slot>> {
        let scratch = Arena::new();
        let image = |&slot: &Slot| {
            let image = permuted(interner.value(slot), self, &scratch).ok()?;
            interner.intern(image, interned).ok()
        };
        slots.iter().map(image).collect()
    }

    fn image(&self, name: Text) -> Text {
        self.0
            .iter()
            .find(|(from, _)| *from == name)
            .map_or(name, |&(_, to)| to)
    }

    /// First `self`, then `other`.
    fn then(&self, other: &Permutation) -> Permutation {
        let mut names: Vec<Text> = self.0.iter().chain(&other.0).map(|&(from, _)| from).collect();
        names.sort();
        names.dedup();
        let pairs = names.into_iter().map(|it| (it, other.image(self.image(it))));
        Permutation(pairs.filter(|(from, to)| from != to).collect())
    }

    /// A function from model values to model values; `None` for anything else.
    fn from_value(value: Value<'_>) -> Option<Permutation> {
        let mut pairs = vec![];
        match value {
            Value::Tuple(it) if it.items.is_empty() => {}
            Value::Fun(it) => {
                for (&key, &image) in it.domain.items.iter().zip(it.values) {
                    let (Value::Model(from), Value::Model(to)) = (key, image) else {
                        return None;
                    };
                    if from != to {
                        pairs.push((from, to));
                    }
                }
            }
            _ => return None,
        }
        pairs.sort();
        Some(Permutation(pairs))
    }
}

/// The group that the functions in `set` generate, without the identity. `None` when they are no permutations of model
/// values, or generate too many.
pub fn group(set: &Set<'_>) -> Option<Vec<Permutation>> {
    let generators: Vec<Permutation> = set
        .items
        .iter()
        .map(|&it| Permutation::from_value(it))
        .collect::<Option<_>>()?;
    let mut all = vec![Permutation::default()];
    let mut known: FxHashSet<Permutation> = all.iter().cloned().collect();
    let mut next = 0;
    while next < all.len() {
        for generator in &generators {
            let product = all[next].then(generator);
            if known.insert(product.clone()) {
                all.push(product);
            }
        }
        if all.len() > GROUP_MAX {
            return None;
        }
        next += 1;
    }
    all.remove(0);
    Some(all)
}

/// A worker's memory of images.
#[derive(Default)]
pub struct Images {
    /// The content hashes of all images of a value, by permutation; the value itself comes last.
    hashes: FxHashMap<Slot, Rc<[u64]>>,
    made: FxHashMap<(Slot, u32), Slot>,
    rows: Vec<Rc<[u64]>>,
    /// Whether representatives are made wrong, see [`crate::audit::Spoilt`].
    pub is_spoilt: bool,
}

impl Images {
    /// The representative of a state, with a hash of its content.
    pub fn representative<'i>(
        &mut self,
        state: &[Slot],
        group: &[Permutation],
        interner: &Interner<'i>,
        interned: &'i Arena,
        into: &mut Vec<Slot>,
    ) -> Result<u64, Trouble> {
        if self.hashes.len().saturating_mul(group.len()) > HASHES_MAX {
            self.hashes.clear();
            self.made.clear();
        }
        self.rows.clear();
        for &slot in state {
            let row = self.row(interner.value(slot), slot, group, interner);
            self.rows.push(row);
        }
        let itself = group.len();
        let mut best = itself;
        for image in 0..group.len() {
            let mut pairs = self.rows.iter().map(|row| row[image].cmp(&row[best]));
            if pairs.find(|it| it.is_ne()).is_some_and(|it| it.is_lt()) {
                best = image;
            }
        }
        into.clear();
        let mut mixer = value::Mixer::new(state.len() as u64);
        for (i, &slot) in state.iter().enumerate() {
            if self.is_spoilt {
                let images = 0..group.len();
                best = images.min_by_key(|&it| self.rows[i][it]).unwrap_or(itself);
            }
            mixer.add(self.rows[i][best]);
            into.push(match best == itself {
                true => slot,
                false => self.image(slot, best, group, interner, interned)?,
            });
        }
        Ok(mixer.finish())
    }

    fn image<'i>(
        &mut self,
        slot: Slot,
        which: usize,
        group: &[Permutation],
        interner: &Interner<'i>,
        interned: &'i Arena,
    ) -> Result<Slot, Trouble> {
        let key = (slot, which as u32);
        if let Some(&made) = self.made.get(&key) {
            return Ok(made);
        }
        let scratch = Arena::new();
        let image = permuted(interner.value(slot), &group[which], &scratch)?;
        let made = interner.intern(image, interned)?;
        self.made.insert(key, made);
        Ok(made)
    }

    /// The hashes of all images of an interned value.
    fn row<'i>(
        &mut self,
        value: Value<'i>,
        slot: Slot,
        group: &[Permutation],
        interner: &Interner<'i>,
    ) -> Rc<[u64]> {
        if let Some(row) = self.hashes.get(&slot) {
            return row.clone();
        }
        let row = util::deep(|| self.row_anew(value, group, interner));
        self.hashes.insert(slot, row.clone());
        row
    }

    fn row_anew<'i>(
        &mut self,
        value: Value<'i>,
        group: &[Permutation],
        interner: &Interner<'i>,
    ) -> Rc<[u64]> {
        if let Value::Model(name) = value {
            let images = group.iter().map(|it| Value::Model(it.image(name)).hash64());
            return images.chain([value.hash64()]).collect();
        }
        // Each part once, then all permutations of the whole.
        let mut rows: Vec<Option<Rc<[u64]>>> = vec![];
        value::hash_with(value, &mut |part| {
            let slot = interner.slot_of(part);
            rows.push(slot.map(|slot| self.row(part, slot, group, interner)));
            0
        });
        (0..=group.len())
            .map(|image| {
                let mut at = 0;
                value::hash_with(value, &mut |part| {
                    at += 1;
                    // What has no number of its own has no model values in it: a large integer.
                    rows[at - 1]
                        .as_ref()
                        .map_or_else(|| part.hash64(), |row| row[image])
                })
            })
            .collect()
    }
}

fn permuted<'t>(value: Value<'t>, permutation: &Permutation, arena: &'t Arena) -> Result<Value<'t>, Trouble> {
    let all = |items: &[Value<'t>]| -> Result<bumpalo::collections::Vec<'t, Value<'t>>, Trouble> {
        let mut images = bumpalo::collections::Vec::with_capacity_in(items.len(), arena);
        for &item in items {
            images.push(permuted(item, permutation, arena)?);
        }
        Ok(images)
    };
    Ok(match value {
        Value::Model(it) => Value::Model(permutation.image(it)),
        Value::Tuple(it) => Value::tuple_in(all(it.items)?.into_bump_slice(), arena),
        Value::Record(it) => Value::record_in(it.names, all(it.values)?.into_bump_slice(), arena),
        Value::Set(it) => Value::set(all(it.items)?, arena)?,
        Value::Fun(it) => {
            let keys = all(it.domain.items)?;
            let values = all(it.values)?;
            let mut pairs = bumpalo::collections::Vec::with_capacity_in(keys.len(), arena);
            pairs.extend(keys.into_iter().zip(values));
            value::from_pairs(pairs, arena)?
        }
        Value::Symbolic(_) => match value::spell_out(value, arena) {
            Ok(set) => permuted(set, permutation, arena)?,
            _ => value,
        },
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Str(_) | Value::Bits(_) => value,
    })
}
