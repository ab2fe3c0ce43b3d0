//! Symmetry: states that differ by a permutation of model values are searched once.
//!
//! The configuration gives some permutations; the group they generate is computed once. A state is represented by the
//! least of its images, "least" by content hash, so the representative is the same in every run. Images of interned
//! values are remembered by each worker, because values come back far more often than they are new.

use util::{FxHashMap, FxHashSet};
use value::{Arena, Interner, Slot, Text, Trouble, Value};

/// A permutation of model values: pairs that are not fixed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Permutation(Vec<(Text, Text)>);

/// More permutations than this are refused: trying them all on every state would cost more than it saves.
const GROUP_MAX: usize = 50_000;

impl Permutation {
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
pub fn group(set: Value<'_>) -> Option<Vec<Permutation>> {
    let Value::Set(set) = set else { return None };
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
    /// By permutation: the image of each slot and its content hash.
    of: Vec<FxHashMap<Slot, (Slot, u64)>>,
    best: Vec<(Slot, u64)>,
    image: Vec<(Slot, u64)>,
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
        self.of.resize_with(group.len(), FxHashMap::default);
        self.best.clear();
        self.best
            .extend(state.iter().map(|&it| (it, interner.value(it).hash64())));
        for (permutation, known) in group.iter().zip(&mut self.of) {
            self.image.clear();
            let mut order = std::cmp::Ordering::Equal;
            for (i, &slot) in state.iter().enumerate() {
                let image = match known.get(&slot) {
                    Some(&image) => image,
                    None => {
                        let image = image(interner.value(slot), permutation, interner, interned)?;
                        known.insert(slot, image);
                        image
                    }
                };
                if order.is_eq() {
                    order = image.1.cmp(&self.best[i].1);
                    if order.is_gt() {
                        break;
                    }
                }
                self.image.push(image);
            }
            if order.is_lt() {
                std::mem::swap(&mut self.best, &mut self.image);
            }
        }
        into.clear();
        into.extend(self.best.iter().map(|&(slot, _)| slot));
        let mut mixer = value::Mixer::new(state.len() as u64);
        self.best.iter().for_each(|&(_, hash)| mixer.add(hash));
        Ok(mixer.finish())
    }
}

fn image<'i>(
    value: Value<'i>,
    permutation: &Permutation,
    interner: &Interner<'i>,
    interned: &'i Arena,
) -> Result<(Slot, u64), Trouble> {
    let scratch = Arena::new();
    let image = permuted(value, permutation, &scratch)?;
    Ok((interner.intern(image, interned)?, image.hash64()))
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
        Value::Symbolic(_) => match value::enumerate(value, arena) {
            Ok(set @ Value::Set(_)) => permuted(set, permutation, arena)?,
            _ => value,
        },
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Str(_) => value,
    })
}
