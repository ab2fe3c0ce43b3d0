//! Which formulas are worth asking in a state.
//!
//! Most action instances are not enabled in most states, and mostly the first things they look at say so: `pc[p] = "wait"`,
//! `q \notin seen[p]`. So formulas are grouped by the one or two slots that this takes, and each group remembers for the
//! values there which of its members end at once. One look then stands for as many questions as the group has members. The
//! conjuncts of an invariant are passed over in the same way: most of them hold for what they look at first.

use util::FxHashMap;
use value::Slot;

use super::path::PathId;

/// The names that a group looks at; the second may be missing.
type Names = [PathId; 2];

#[derive(Default)]
pub struct Dispatch {
    n_formulas: usize,
    groups: Vec<Group>,
    group_of_names: FxHashMap<Names, u32>,
    /// By formula: the group that looks at one name, and the one that looks at two.
    group_of: Vec<[u32; 2]>,
    /// The formulas to ask in the present state.
    alive: Vec<u64>,
    n_words: usize,
    /// Each once.
    names: Vec<PathId>,
    /// Whether what is learnt is made wrong, see [`crate::audit::Spoilt`].
    pub is_spoilt: bool,
}

struct Group {
    names: Names,
    /// By the values there, where the set of the members that end at once begins in `sets`.
    places: FxHashMap<[Slot; 2], u32>,
    sets: Vec<u64>,
    /// What was asked last.
    last: ([Slot; 2], u32),
    asked: u32,
    found: u32,
}

const NO_NAME: PathId = PathId::MAX;
/// In place of a number: nothing.
const NONE: u32 = u32::MAX;
/// Values that a group knows at most.
const VALUES_MAX: usize = 1 << 12;
/// A group that knows less than one answer in `RARE` after so many questions is not asked any more.
const TRIED: u32 = 1 << 12;
const RARE: u32 = 16;

impl Dispatch {
    pub fn new(n_formulas: usize) -> Dispatch {
        Dispatch {
            n_formulas,
            group_of: vec![[NONE; 2]; n_formulas],
            n_words: n_formulas.div_ceil(64),
            ..Dispatch::default()
        }
    }

    /// A formula ended when it had looked at these names. Gives which of its groups that is a matter for, if any: 0 or 1.
    pub fn ends_at_once(&mut self, formula: usize, names: impl Iterator<Item = PathId>) -> Option<u32> {
        let mut own = [NO_NAME; 2];
        for name in names {
            match own {
                [first, second] if first == name || second == name => {}
                [NO_NAME, _] => own[0] = name,
                [_, NO_NAME] => own[1] = name,
                _ => return None,
            }
        }
        own.sort_unstable();
        let which = u32::from(own[1] != NO_NAME);
        let group = self.group_of.get_mut(formula)?;
        let group = &mut group[which as usize];
        if *group == NONE {
            let n_groups = self.groups.len() as u32;
            *group = *self.group_of_names.entry(own).or_insert(n_groups);
            if *group == n_groups {
                self.groups.push(Group::new(own));
                let new = own.into_iter().filter(|it| *it != NO_NAME);
                let new: Vec<PathId> = new.filter(|it| !self.names.contains(it)).collect();
                self.names.extend(new);
            }
        }
        (self.groups[*group as usize].names == own).then_some(which)
    }

    /// A formula ends at once in the present state, as one of its groups can tell.
    pub fn learn(&mut self, formula: usize, which: u32, present: &[Slot]) {
        let group = self.group_of[formula][which as usize];
        let Some(group) = self.groups.get_mut(group as usize) else {
            return;
        };
        if group.is_off() {
            return;
        }
        let Some(values) = group.values(present) else {
            return;
        };
        let next = group.sets.len() as u32;
        if !group.places.contains_key(&values) && group.places.len() >= VALUES_MAX {
            return;
        }
        let place = *group.places.entry(values).or_insert(next);
        if place == next {
            group.sets.resize(next as usize + self.n_words, 0);
            group.last.1 = NONE;
        }
        let formula = match self.is_spoilt {
            true => (formula + 1) % self.n_formulas,
            false => formula,
        };
        group.sets[place as usize + formula / 64] |= 1 << (formula % 64);
    }

    /// The names that groups look at.
    pub fn names(&self) -> &[PathId] {
        &self.names
    }

    /// Finds the formulas to ask, by the values of names in the present state; 0 where one has none.
    pub fn enter(&mut self, present: &[Slot]) {
        let Dispatch {
            n_formulas,
            groups,
            alive,
            n_words,
            ..
        } = self;
        alive.clear();
        alive.resize(*n_words, u64::MAX);
        if *n_formulas % 64 != 0
            && let Some(last) = alive.last_mut()
        {
            *last = (1 << (*n_formulas % 64)) - 1;
        }
        for group in groups {
            if let Some(dead) = group.dead(present, *n_words) {
                alive
                    .iter_mut()
                    .zip(dead)
                    .for_each(|(alive, dead)| *alive &= !dead);
            }
        }
    }

    /// The first formula to ask from this one on.
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
        let values: usize = self.groups.iter().map(|it| it.places.len()).sum();
        values * (self.n_words * 8 + 24)
    }
}

impl Group {
    fn new(names: Names) -> Group {
        Group {
            names,
            places: FxHashMap::default(),
            sets: vec![],
            last: ([0; 2], NONE),
            asked: 0,
            found: 0,
        }
    }

    /// Whether it knows too little.
    fn is_off(&self) -> bool {
        self.asked >= TRIED && self.found < self.asked / RARE
    }

    #[inline(always)]
    fn values(&self, present: &[Slot]) -> Option<[Slot; 2]> {
        let look = |name: PathId| present.get(name as usize).copied().filter(|&it| it != 0);
        match self.names {
            // What looks at nothing always ends.
            [NO_NAME, _] => Some([0, 0]),
            [first, NO_NAME] => Some([look(first)?, 0]),
            [first, second] => Some([look(first)?, look(second)?]),
        }
    }

    /// The members that end at once in the present state.
    #[inline(always)]
    fn dead(&mut self, present: &[Slot], n_words: usize) -> Option<&[u64]> {
        if self.asked >= TRIED {
            if self.is_off() {
                return None;
            }
            (self.asked, self.found) = (0, 0);
        }
        let values = self.values(present)?;
        self.asked += 1;
        if self.last.0 != values || self.last.1 == NONE {
            self.last = (values, *self.places.get(&values)?);
        }
        self.found += 1;
        let place = self.last.1 as usize;
        Some(&self.sets[place..place + n_words])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_that_end_at_once_are_passed_over() {
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
        // Names 7, 8 and 9 have values; the others are not looked at.
        let present = |seven: Slot, more: [Slot; 2]| [vec![0; 7], vec![seven], more.into()].concat();
        dispatch.enter(&present(0, [0, 0]));
        assert_eq!(all(&dispatch), (0..130).collect::<Vec<_>>());
        for formula in (0..130).filter(|it| it % 3 != 0) {
            assert_eq!(dispatch.ends_at_once(formula, [7, 7].into_iter()), Some(0));
            dispatch.learn(formula, 0, &present(100, [0, 0]));
        }
        assert_eq!(dispatch.ends_at_once(129, [9, 8].into_iter()), Some(1));
        assert_eq!(
            dispatch.ends_at_once(129, [7, 8].into_iter()),
            None,
            "of another group"
        );
        assert_eq!(dispatch.ends_at_once(0, [1, 2, 3].into_iter()), None, "too many");
        assert_eq!(dispatch.ends_at_once(130, [1].into_iter()), None, "none of these");
        assert_eq!(dispatch.names(), [7, 8, 9]);
        dispatch.learn(129, 1, &present(0, [5, 6]));
        dispatch.enter(&present(100, [5, 6]));
        assert_eq!(all(&dispatch), (0..129).step_by(3).collect::<Vec<_>>());
        dispatch.enter(&present(5, [5, 6]));
        assert_eq!(all(&dispatch), (0..129).collect::<Vec<_>>());
        dispatch.enter(&present(5, [5, 0]));
        assert_eq!(all(&dispatch), (0..130).collect::<Vec<_>>());
        assert_eq!(dispatch.ends_at_once(0, [].into_iter()), Some(0));
        dispatch.learn(0, 0, &[]);
        dispatch.enter(&present(5, [5, 5]));
        assert_eq!(all(&dispatch), (1..130).collect::<Vec<_>>(), "it always ends");
    }

    /// The last word of the set of formulas is full, has one, or has all but one.
    #[test]
    fn every_formula_is_asked_at_first() {
        for n in [1, 63, 64, 65, 128] {
            let mut dispatch = Dispatch::new(n);
            dispatch.enter(&[]);
            let asked = (0..n).filter(|&it| dispatch.next(it) == Some(it));
            assert_eq!(asked.count(), n);
            assert_eq!(dispatch.next(n), None);
        }
    }
}
