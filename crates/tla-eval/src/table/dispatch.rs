//! Which action instances are worth asking in a state.
//!
//! Most instances are not enabled in most states, and mostly the first thing they look at says so: `pc[p] = "wait"`. So
//! instances are grouped by what they look at first, and each group remembers for each value there which of its members end
//! at once. One look then stands for as many questions as the group has members.

use util::FxHashMap;
use value::Slot;

use super::path::PathId;

/// A set of instances.
type Bits = Vec<u64>;

#[derive(Default)]
pub struct Dispatch {
    n_instances: usize,
    groups: Vec<Group>,
    group_of: FxHashMap<PathId, usize>,
    /// The instances to ask in the present state.
    alive: Bits,
}

struct Group {
    path: PathId,
    /// By the value there, the members that end at once.
    dead: FxHashMap<Slot, Bits>,
}

/// Values that a group knows at most.
const VALUES_MAX: usize = 1 << 12;

impl Dispatch {
    pub fn new(n_instances: usize) -> Dispatch {
        Dispatch {
            n_instances,
            ..Dispatch::default()
        }
    }

    /// An instance looked at this part, and that was all it took to know that it is not enabled.
    pub fn ends_at_once(&mut self, instance: usize, (path, value): (PathId, Slot)) {
        let n_groups = self.groups.len();
        let group = *self.group_of.entry(path).or_insert(n_groups);
        if group == n_groups {
            let dead = FxHashMap::default();
            self.groups.push(Group { path, dead });
        }
        let dead = &mut self.groups[group].dead;
        if dead.len() >= VALUES_MAX && !dead.contains_key(&value) {
            return;
        }
        let n_words = self.n_instances.div_ceil(64);
        let bits = dead.entry(value).or_insert_with(|| vec![0; n_words]);
        bits[instance / 64] |= 1 << (instance % 64);
    }

    /// Finds the instances to ask, by what `look` finds in the present state.
    pub fn enter(&mut self, mut look: impl FnMut(PathId) -> Option<Slot>) {
        let Dispatch {
            n_instances,
            groups,
            alive,
            ..
        } = self;
        alive.clear();
        alive.resize(n_instances.div_ceil(64), u64::MAX);
        if *n_instances % 64 != 0
            && let Some(last) = alive.last_mut()
        {
            *last = (1 << (*n_instances % 64)) - 1;
        }
        for group in groups {
            if let Some(dead) = look(group.path).and_then(|it| group.dead.get(&it)) {
                alive
                    .iter_mut()
                    .zip(dead)
                    .for_each(|(alive, dead)| *alive &= !dead);
            }
        }
    }

    /// The first instance to ask from this one on.
    #[inline]
    pub fn next(&self, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut bits = self.alive.get(word)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.alive.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    pub fn memory(&self) -> usize {
        let values: usize = self.groups.iter().map(|it| it.dead.len()).sum();
        values * (self.n_instances / 8 + 48)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_that_end_at_once_are_passed_over() {
        let mut dispatch = Dispatch::new(130);
        let all = |dispatch: &Dispatch| {
            let mut found = vec![];
            let mut from = 0;
            while let Some(it) = dispatch.next(from) {
                found.push(it);
                from = it + 1;
            }
            found
        };
        dispatch.enter(|_| None);
        assert_eq!(all(&dispatch), (0..130).collect::<Vec<_>>());
        for instance in (0..130).filter(|it| it % 3 != 0) {
            dispatch.ends_at_once(instance, (7, 100));
        }
        dispatch.ends_at_once(129, (8, 5));
        dispatch.enter(|path| Some(if path == 7 { 100 } else { 5 }));
        assert_eq!(all(&dispatch), (0..129).step_by(3).collect::<Vec<_>>());
        dispatch.enter(|_| Some(5));
        assert_eq!(all(&dispatch), (0..129).collect::<Vec<_>>());
    }
}
