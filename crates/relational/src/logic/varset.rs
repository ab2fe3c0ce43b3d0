//! Interned sets of variables: most nodes share a few.

use util::FxHashMap;

use super::VarId;

/// A set of variables of one [`super::Logic`]. Equal numbers, equal sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct VarSet(u32);

impl VarSet {
    pub const EMPTY: VarSet = VarSet(0);
}

#[derive(Clone, Debug)]
pub(super) struct VarSets {
    /// Each sorted.
    sets: Vec<Box<[VarId]>>,
    ids: FxHashMap<Box<[VarId]>, VarSet>,
    unions: FxHashMap<(VarSet, VarSet), VarSet>,
}

impl Default for VarSets {
    fn default() -> VarSets {
        let mut sets = VarSets {
            sets: vec![],
            ids: FxHashMap::default(),
            unions: FxHashMap::default(),
        };
        sets.intern(vec![]);
        sets
    }
}

impl VarSets {
    pub(super) fn get(&self, set: VarSet) -> &[VarId] {
        &self.sets[set.0 as usize]
    }

    pub(super) fn singleton(&mut self, var: VarId) -> VarSet {
        self.intern(vec![var])
    }

    pub(super) fn union(&mut self, a: VarSet, b: VarSet) -> VarSet {
        if a == b || b == VarSet::EMPTY {
            return a;
        }
        if a == VarSet::EMPTY {
            return b;
        }
        if let Some(&union) = self.unions.get(&(a, b)) {
            return union;
        }
        let mut vars = [self.get(a), self.get(b)].concat();
        vars.sort_unstable();
        vars.dedup();
        let union = self.intern(vars);
        self.unions.insert((a, b), union);
        union
    }

    pub(super) fn without(&mut self, set: VarSet, var: VarId) -> VarSet {
        if !self.get(set).contains(&var) {
            return set;
        }
        let vars = self.get(set).iter().copied().filter(|&it| it != var).collect();
        self.intern(vars)
    }

    fn intern(&mut self, vars: Vec<VarId>) -> VarSet {
        if let Some(&id) = self.ids.get(vars.as_slice()) {
            return id;
        }
        let id = VarSet(self.sets.len() as u32);
        self.sets.push(vars.clone().into());
        self.ids.insert(vars.into(), id);
        id
    }
}
