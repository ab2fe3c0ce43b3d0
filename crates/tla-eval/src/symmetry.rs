//! Symmetry: states that differ by a permutation of model values are searched once.
//!
//! The configuration gives some permutations; the group they generate is computed once. A state is represented by the
//! least of its images, "least" by content hash, so the representative is the same in every run. The hashes of images are known
//! without making the images, and only the chosen one is made. Both are remembered by each worker, because values come back far
//! more often than they are new. Variables with few parts are compared first: when they leave one permutation, no other image of
//! a bag of messages is looked at.

#[cfg(test)]
mod tests;

use util::{FxHashMap, FxHashSet};
use value::{Arena, Interner, Set, Slot, Text, Trouble, Value};

/// A permutation of model values: pairs that are not fixed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Permutation(Vec<(Text, Text)>);

/// More permutations than this are refused: trying them all on every state would cost more than it saves.
const GROUP_MAX: usize = 50_000;

/// Hashes that a worker remembers at most.
const HASHES_MAX: usize = 1 << 25;

/// Images that a worker remembers at most.
const MADE_MAX: usize = 1 << 22;

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
///
/// Rows and images are those of interned values and of their parts: a message that is new among many costs what the message
/// costs, and the image of a bag is put together from images that are known.
#[derive(Default)]
pub struct Images {
    rows: FxHashMap<Slot, Row>,
    /// The rows: content hashes of all images of a value, by permutation; that of the value itself comes last.
    hashes: Vec<u64>,
    made: FxHashMap<(Slot, u32), Slot>,
    /// Permutations whose images are the least ones as far as slots were compared.
    candidates: Vec<u32>,
    /// In which order slots are compared.
    order: Vec<(usize, usize)>,
    scratch: Arena,
    /// Whether representatives are made wrong, see [`crate::audit::Spoilt`].
    pub is_spoilt: bool,
}

/// What permutations make of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Row {
    /// Nothing: there is no model value in it that is moved.
    Fixed,
    /// Images, whose hashes begin here.
    At(usize),
}

/// A value with more parts than this has no row: its images are hashed only for those permutations that are left when all
/// smaller parts of a state have been compared, and mostly that is one.
const ROW_PARTS_MAX: usize = 8;

/// The group, and where values are.
#[derive(Clone, Copy)]
struct Scene<'a, 'i> {
    group: &'a [Permutation],
    interner: &'a Interner<'i>,
    interned: &'i Arena,
}

impl Images {
    /// The representative of a state: the least of its images, slot by slot, by content hash.
    ///
    /// The slots with the fewest parts come first: how many there are is the same in all images, so all of them are compared in
    /// one order, whoever compares them.
    pub fn representative<'i>(
        &mut self,
        state: &[Slot],
        group: &[Permutation],
        interner: &Interner<'i>,
        interned: &'i Arena,
        into: &mut Vec<Slot>,
    ) -> Result<(), Trouble> {
        if self.hashes.len() > HASHES_MAX || self.made.len() > MADE_MAX {
            self.rows.clear();
            self.hashes.clear();
            self.made.clear();
        }
        let scene = Scene {
            group,
            interner,
            interned,
        };
        let itself = group.len() as u32;
        self.reset_candidates(itself);
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(
            state
                .iter()
                .enumerate()
                .map(|(at, &slot)| (n_parts(interner.value(slot)), at)),
        );
        order.sort_unstable();
        for &(_, at) in &order {
            if self.candidates.len() == 1 {
                break;
            }
            self.compare(state[at], scene);
        }
        self.order = order;
        let best = self.candidates[0];
        into.clear();
        for &slot in state {
            let mut which = best;
            if self.is_spoilt {
                self.reset_candidates(itself);
                self.compare(slot, scene);
                which = self.candidates[0];
            }
            into.push(match which == itself {
                true => slot,
                false => self.image(slot, which, scene)?,
            });
        }
        Ok(())
    }

    /// All permutations; the identity first, because where images are equal nothing has to be made.
    fn reset_candidates(&mut self, itself: u32) {
        self.candidates.clear();
        self.candidates.push(itself);
        self.candidates.extend(0..itself);
    }

    /// Keeps the candidates with the least image of a value.
    fn compare(&mut self, slot: Slot, scene: Scene<'_, '_>) {
        let value = scene.interner.value(slot);
        if n_parts(value) > ROW_PARTS_MAX {
            let parts = self.rows_of_parts(value, scene);
            if parts.iter().any(|&it| it != Row::Fixed) {
                let Images {
                    candidates, hashes, ..
                } = self;
                keep_least(candidates, |which| hash_of_image(value, &parts, hashes, which));
            }
        } else if let Row::At(start) = self.row(value, slot, scene) {
            let Images {
                candidates, hashes, ..
            } = self;
            keep_least(candidates, |which| hashes[start + which]);
        }
    }

    /// What permutations make of an interned value.
    fn row(&mut self, value: Value<'_>, slot: Slot, scene: Scene<'_, '_>) -> Row {
        match value {
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Str(_) | Value::Bits(_) => {
                return Row::Fixed;
            }
            _ => {}
        }
        if let Some(&row) = self.rows.get(&slot) {
            return row;
        }
        let row = util::deep(|| self.row_anew(value, scene));
        self.rows.insert(slot, row);
        row
    }

    fn row_anew(&mut self, value: Value<'_>, scene: Scene<'_, '_>) -> Row {
        let Scene { group, .. } = scene;
        if let Value::Model(name) = value {
            if group.iter().all(|it| it.image(name) == name) {
                return Row::Fixed;
            }
            let start = self.hashes.len();
            let images = group.iter().map(|it| Value::Model(it.image(name)).hash64());
            self.hashes.extend(images.chain([value.hash64()]));
            return Row::At(start);
        }
        // Each part once, then all permutations of the whole.
        let parts = self.rows_of_parts(value, scene);
        if parts.iter().all(|&it| it == Row::Fixed) {
            return Row::Fixed;
        }
        let start = self.hashes.len();
        for which in 0..=group.len() {
            let hash = hash_of_image(value, &parts, &self.hashes, which);
            self.hashes.push(hash);
        }
        Row::At(start)
    }

    fn rows_of_parts(&mut self, value: Value<'_>, scene: Scene<'_, '_>) -> Vec<Row> {
        let mut rows = vec![];
        for_each_part(value, &mut |part| {
            // What has no number of its own has no model values in it: a large integer.
            let row = match scene.interner.slot_of(part) {
                Some(slot) => self.row(part, slot, scene),
                None => Row::Fixed,
            };
            rows.push(row);
        });
        rows
    }

    /// The image of an interned value.
    fn image<'i>(&mut self, slot: Slot, which: u32, scene: Scene<'_, 'i>) -> Result<Slot, Trouble> {
        let value = scene.interner.value(slot);
        match value {
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Str(_) | Value::Bits(_) => {
                return Ok(slot);
            }
            Value::Model(name) => {
                let image = Value::Model(scene.group[which as usize].image(name));
                return scene.interner.intern(image, scene.interned);
            }
            _ => {}
        }
        let key = (slot, which);
        if let Some(&made) = self.made.get(&key) {
            return Ok(made);
        }
        let made = util::deep(|| self.image_anew(value, slot, which, scene))?;
        self.made.insert(key, made);
        Ok(made)
    }

    fn image_anew<'i>(
        &mut self,
        value: Value<'i>,
        slot: Slot,
        which: u32,
        scene: Scene<'_, 'i>,
    ) -> Result<Slot, Trouble> {
        let Scene {
            interner, interned, ..
        } = scene;
        let mut parts = vec![];
        let mut is_moved = false;
        let mut trouble = None;
        for_each_part(value, &mut |part| {
            let Some(before) = interner.slot_of(part) else {
                parts.push(part);
                return;
            };
            match self.image(before, which, scene) {
                Ok(image) => {
                    is_moved |= image != before;
                    parts.push(interner.value(image));
                }
                Err(it) => trouble = Some(it),
            }
        });
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        if !is_moved {
            return Ok(slot);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let made = with_parts(value, &parts, &scratch).and_then(|it| interner.intern(it, interned));
        scratch.reset();
        self.scratch = scratch;
        made
    }
}

fn keep_least(candidates: &mut Vec<u32>, hash: impl Fn(usize) -> u64) {
    let (mut least, mut kept) = (u64::MAX, 0);
    for i in 0..candidates.len() {
        let which = candidates[i];
        let hash = hash(which as usize);
        if hash < least {
            (least, kept) = (hash, 0);
        }
        if hash == least {
            candidates[kept] = which;
            kept += 1;
        }
    }
    candidates.truncate(kept);
}

/// Of how many direct parts a value consists: images have as many.
fn n_parts(value: Value<'_>) -> usize {
    match value {
        Value::Tuple(it) => it.items.len(),
        Value::Record(it) => it.values.len(),
        Value::Set(it) => it.items.len(),
        Value::Fun(it) => it.values.len(),
        _ => 0,
    }
}

/// The direct parts of a value, in the order in which [`value::hash_with`] asks for them.
fn for_each_part<'v>(value: Value<'v>, run: &mut dyn FnMut(Value<'v>)) {
    match value {
        Value::Tuple(it) => it.items.iter().for_each(|&it| run(it)),
        Value::Record(it) => it.values.iter().for_each(|&it| run(it)),
        Value::Set(it) => it.items.iter().for_each(|&it| run(it)),
        Value::Fun(it) => {
            for (&key, &value) in it.domain.items.iter().zip(it.values) {
                run(key);
                run(value);
            }
        }
        _ => {}
    }
}

/// The value with other parts, which come as those of [`for_each_part`].
fn with_parts<'t>(value: Value<'_>, parts: &[Value<'t>], arena: &'t Arena) -> Result<Value<'t>, Trouble> {
    Ok(match value {
        Value::Tuple(_) => Value::tuple_in(arena.alloc_slice_copy(parts), arena),
        Value::Record(it) => {
            let names = arena.alloc_slice_copy(it.names);
            Value::record_in(names, arena.alloc_slice_copy(parts), arena)
        }
        Value::Set(_) => Value::set(
            bumpalo::collections::Vec::from_iter_in(parts.iter().copied(), arena),
            arena,
        )?,
        _ => {
            let pairs = parts.chunks_exact(2).map(|it| (it[0], it[1]));
            value::from_pairs(bumpalo::collections::Vec::from_iter_in(pairs, arena), arena)?
        }
    })
}

/// The content hash of an image, from the rows of the parts.
fn hash_of_image(value: Value<'_>, parts: &[Row], hashes: &[u64], which: usize) -> u64 {
    let mut rows = parts.iter();
    value::hash_with(value, &mut |part| match rows.next() {
        Some(&Row::At(start)) => hashes[start + which],
        _ => part.hash64(),
    })
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
