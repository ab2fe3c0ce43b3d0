//! What an expression asks of the names that others will put something for.

use std::collections::BTreeSet;

use util::FxHashMap;

use super::Needs;
use crate::ir::*;

/// A name that something can be put for: a parameter, or a constant of an instantiated module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Param {
    Local(LocalId),
    Constant(DeclId),
}

/// What is asked of one name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Demand {
    pub limit: Level,
    pub counts: bool,
    pub opaque: bool,
}

impl Default for Demand {
    fn default() -> Demand {
        Demand {
            limit: Level::Temporal,
            counts: false,
            opaque: false,
        }
    }
}

impl Demand {
    pub fn join(&mut self, other: Demand) {
        self.limit = self.limit.min(other.limit);
        self.counts |= other.counts;
        self.opaque |= other.opaque;
    }
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Demands {
    pub names: FxHashMap<Param, Demand>,
    /// The level that an operator given for a name must accept in one of its places.
    pub needs: Needs,
    /// `(F, i, x)`: the name `x` stands inside the i-th argument of the name `F`, and its level counts there.
    pub applied: BTreeSet<(Param, u32, Param)>,
}

impl Demands {
    pub fn add(&mut self, param: Param, demand: Demand) {
        self.names.entry(param).or_default().join(demand);
    }

    pub fn counted(&mut self, param: Param) {
        self.add(
            param,
            Demand {
                counts: true,
                ..Demand::default()
            },
        );
    }

    pub fn limit(&mut self, param: Param, limit: Level) {
        self.add(
            param,
            Demand {
                limit,
                ..Demand::default()
            },
        );
    }

    pub fn need(&mut self, op: Param, place: u32, level: Level) {
        let need = self.needs.entry((op, place)).or_default();
        *need = level.max(*need);
    }

    pub fn of(&self, param: Param) -> Demand {
        self.names.get(&param).copied().unwrap_or_default()
    }

    pub fn limit_of(&self, param: Param) -> Level {
        self.of(param).limit
    }

    /// Names in a stable order.
    pub fn sorted(&self) -> Vec<(Param, Demand)> {
        let mut names: Vec<(Param, Demand)> = self
            .names
            .iter()
            .map(|(&param, &demand)| (param, demand))
            .collect();
        names.sort_unstable_by_key(|&(param, _)| param);
        names
    }

    pub fn join(&mut self, other: Demands) {
        for (param, demand) in other.sorted() {
            self.add(param, demand);
        }
        for ((op, place), level) in other.needs {
            self.need(op, place, level);
        }
        self.applied.extend(other.applied);
    }
}

/// What there is to know of a definition without looking at its body again.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Summary {
    pub level: Level,
    pub demands: Demands,
}
