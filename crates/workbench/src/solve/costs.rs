//! What steps cost, by evaluation.
//!
//! A cost may depend on what the step before left behind (the piece that moved, the mode of a machine): the *cost state*.
//! A definition whose value is a record `[cost |-> …, state |-> …]` is taken apart, so that what does not depend on the cost
//! state is evaluated once for each step, and not once for each cost state that the step is met with.

use explore::Fault;
use solve::Weigh;
use tla_eval::ask::At;
use tla_eval::code::ProcId;
use tla_eval::model::{TlaModel, Worker};
use tla_sema::Spec;
use tla_sema::ir::{Def, DefId, Expr, ExprId, ExprKind};
use util::FxHashMap;
use value::{Slot, Value};

use super::hoist::{Hoisted, PARTS_MAX, hoist, mentions};

/// Definitions that say what steps cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Pricing {
    cost: Option<DefId>,
    state: Option<DefId>,
    heuristic: Option<DefId>,
    hoisted: Option<Hoisted>,
    cost_takes: bool,
    state_takes: bool,
    /// Whether the state is the same whatever the cost state was before.
    state_is_fixed: bool,
}

impl Pricing {
    pub fn new(
        spec: &mut Spec,
        cost: Option<DefId>,
        state: Option<DefId>,
        heuristic: Option<DefId>,
    ) -> Pricing {
        let apart = match (cost, state) {
            (Some(cost), None) => take_apart(spec, cost),
            _ => None,
        };
        let (cost, state) = apart.map_or((cost, state), |(cost, state)| (Some(cost), Some(state)));
        let takes = |def: Option<DefId>| def.is_some_and(|it| !spec.defs[it].params.is_empty());
        let (cost_takes, state_takes) = (takes(cost), takes(state));
        let state_is_fixed = state.is_some_and(|it| {
            let Def { params, body, .. } = &spec.defs[it];
            params.iter().all(|&it| !mentions(spec, *body, it))
        });
        let hoisted = match (cost, state) {
            (Some(cost), Some(_)) if cost_takes => hoist(spec, cost),
            _ => None,
        };
        Pricing {
            cost,
            state,
            heuristic,
            hoisted,
            cost_takes,
            state_takes,
            state_is_fixed,
        }
    }

    pub fn is_asked(&self) -> bool {
        self.cost.is_some() || self.heuristic.is_some()
    }

    pub fn has_cost(&self) -> bool {
        self.cost.is_some()
    }

    /// The cost and the cost state; nothing where one value is both.
    pub fn in_parts(&self) -> Option<(DefId, Option<DefId>)> {
        let is_both = self.cost_takes && self.state.is_none();
        self.cost.filter(|_| !is_both).map(|it| (it, self.state))
    }

    /// What a plan is to ask for.
    pub fn defs(&self) -> Vec<DefId> {
        let asked = [self.cost, self.state, self.heuristic];
        let hoisted = self.hoisted.iter();
        let hoisted = hoisted.flat_map(|it| std::iter::once(it.rest).chain(it.parts.iter().copied()));
        asked.into_iter().flatten().chain(hoisted).collect()
    }
}

/// The definitions of the two fields of a record, where a definition is one as it stands.
fn take_apart(spec: &mut Spec, def: DefId) -> Option<(DefId, DefId)> {
    let field = |spec: &mut Spec, name: &str| -> Option<DefId> {
        let body = field_of(spec, spec.defs[def].body, name)?;
        let part = Def {
            body,
            ..spec.defs[def].clone()
        };
        Some(spec.defs.alloc(part))
    };
    Some((field(spec, "cost")?, field(spec, "state")?))
}

/// A field of a record, with the definitions that it is written under.
fn field_of(spec: &mut Spec, at: ExprId, name: &str) -> Option<ExprId> {
    let Expr { kind, span } = spec.exprs[at].clone();
    match kind {
        ExprKind::Record(fields) => fields.iter().find(|it| it.0.as_str() == name).map(|it| it.1),
        ExprKind::Label { body, .. } => util::deep(|| field_of(spec, body, name)),
        ExprKind::Let { defs, body } => {
            let body = util::deep(|| field_of(spec, body, name))?;
            let kind = ExprKind::Let { defs, body };
            Some(spec.exprs.alloc(Expr { kind, span }))
        }
        _ => None,
    }
}

/// Evaluates costs.
pub(super) struct Costs<'m, 'i> {
    model: &'m TlaModel<'i>,
    worker: Worker<'m, 'i>,
    pricing: &'m Pricing,
    cost: Option<ProcId>,
    state: Option<ProcId>,
    heuristic: Option<ProcId>,
    /// The cost state after each step, where it is fixed.
    known: Vec<Slot>,
    /// The rest of a cost that was taken apart, and its parts.
    hoisted: Option<(ProcId, Vec<ProcId>)>,
    /// The parts of each step: as many for each.
    parts: Vec<Slot>,
    costs: FxHashMap<[Slot; PARTS_MAX + 1], u32>,
}

const UNKNOWN: Slot = Slot::MAX;

/// The cost state before the first step.
pub(super) const NO_STEP: &str = "no_step_before";

impl<'m, 'i> Costs<'m, 'i> {
    pub fn new(model: &'m TlaModel<'i>, pricing: &'m Pricing) -> Costs<'m, 'i> {
        let mut asked = model.compiled.extra.iter().copied();
        let mut proc = |def: Option<DefId>| def.and_then(|_| asked.next());
        let (cost, state, heuristic) = (proc(pricing.cost), proc(pricing.state), proc(pricing.heuristic));
        let hoisted = pricing
            .hoisted
            .as_ref()
            .and_then(|_| Some((asked.next()?, asked.collect())));
        Costs {
            cost,
            state,
            heuristic,
            model,
            worker: explore::Model::worker(model, 1),
            pricing,
            known: vec![],
            hoisted,
            parts: vec![],
            costs: FxHashMap::default(),
        }
    }

    /// What the cost state of a number is.
    pub fn state_text(&self, memory: u32) -> String {
        value::text(self.model.value(memory))
    }

    fn value(&mut self, proc: ProcId, takes: bool, memory: Slot, at: At<'_>) -> Result<Slot, Fault> {
        let args = [memory];
        let args = if takes { &args[..] } else { &[] };
        self.model.asked_value(&mut self.worker, proc, args, at)
    }

    fn whole(&mut self, proc: ProcId, slot: Slot) -> Result<u32, Fault> {
        match self.model.value(slot) {
            Value::Int(it) if u32::try_from(it).is_ok() => Ok(it as u32),
            _ => {
                let need = "an integer from 0 to 4294967295, the cost of a step,";
                Err(self.model.wrong_value(&mut self.worker, proc, need, slot))
            }
        }
    }

    /// Cost and cost state of a value that is both.
    fn both(&mut self, proc: ProcId, slot: Slot) -> Result<(u32, Slot), Fault> {
        let field = |name: &str| match self.model.value(slot) {
            Value::Record(it) => {
                let at = it.names.iter().position(|it| it.as_str() == name);
                at.map(|at| it.values[at])
            }
            _ => None,
        };
        let (Some(cost), Some(state)) = (field("cost"), field("state")) else {
            let need = "a record [cost |-> …, state |-> …]";
            return Err(self.model.wrong_value(&mut self.worker, proc, need, slot));
        };
        let number = |it| self.model.number(&self.worker, it);
        match (number(cost), number(state)) {
            (Some(cost), Some(state)) => Ok((self.whole(proc, cost)?, state)),
            _ => {
                let need = "a record of values that can be written out";
                Err(self.model.wrong_value(&mut self.worker, proc, need, slot))
            }
        }
    }

    /// The cost by parts; nothing where they cannot be evaluated, and the whole will tell why.
    fn by_parts(&mut self, memory: Slot, number: u32, at: At<'_>) -> Option<u32> {
        let (rest, parts) = self.hoisted.take()?;
        let cost = self.cost_of_parts(memory, number, at, rest, &parts);
        self.hoisted = Some((rest, parts));
        cost
    }

    fn cost_of_parts(
        &mut self,
        memory: Slot,
        number: u32,
        at: At<'_>,
        rest: ProcId,
        parts: &[ProcId],
    ) -> Option<u32> {
        let first = number as usize * parts.len();
        if self.parts.len() < first + parts.len() {
            self.parts.resize(first + parts.len(), UNKNOWN);
        }
        let mut args = [UNKNOWN; PARTS_MAX + 1];
        args[0] = memory;
        for (i, &part) in parts.iter().enumerate() {
            if self.parts[first + i] == UNKNOWN {
                self.parts[first + i] = self.model.asked_value(&mut self.worker, part, &[], at).ok()?;
            }
            args[i + 1] = self.parts[first + i];
        }
        if let Some(&cost) = self.costs.get(&args) {
            return Some(cost);
        }
        let given = &args[..=parts.len()];
        let value = self.model.asked_value(&mut self.worker, rest, given, at).ok()?;
        let cost = self.whole(rest, value).ok()?;
        self.costs.insert(args, cost);
        Some(cost)
    }

    fn state_after(&mut self, memory: Slot, number: u32, at: At<'_>) -> Result<Slot, Fault> {
        let Some(proc) = self.state else { return Ok(0) };
        let takes = self.pricing.state_takes;
        if !self.pricing.state_is_fixed {
            return self.value(proc, takes, memory, at);
        }
        let place = number as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, UNKNOWN);
        }
        if self.known[place] == UNKNOWN {
            self.known[place] = self.value(proc, takes, memory, at)?;
        }
        Ok(self.known[place])
    }
}

impl Weigh for Costs<'_, '_> {
    fn memory(&mut self) -> Option<u32> {
        if self.state.is_none() && !self.pricing.cost_takes {
            return None;
        }
        // A model value is equal to nothing but itself.
        self.model.unlike_all(&mut self.worker, NO_STEP)
    }

    fn step(&mut self, memory: u32, number: u32, from: &[u32], to: &[u32]) -> Result<(u32, u32), Fault> {
        let Some(proc) = self.cost else { return Ok((1, 0)) };
        let at = At {
            state: from,
            next: Some(to),
            depth: 1,
        };
        if let Some(cost) = self.by_parts(memory, number, at) {
            return Ok((cost, self.state_after(memory, number, at)?));
        }
        let value = self.value(proc, self.pricing.cost_takes, memory, at)?;
        if self.state.is_none() && self.pricing.cost_takes {
            return self.both(proc, value);
        }
        Ok((self.whole(proc, value)?, self.state_after(memory, number, at)?))
    }

    fn estimate(&mut self, state: &[u32]) -> Result<u64, Fault> {
        let Some(proc) = self.heuristic else { return Ok(0) };
        let at = At {
            state,
            next: None,
            depth: 1,
        };
        let slot = self.value(proc, false, 0, at)?;
        match self.model.value(slot) {
            Value::Int(it) if it >= 0 => Ok(it as u64),
            _ => {
                let need = "an integer that is not negative, the estimate of a cost,";
                Err(self.model.wrong_value(&mut self.worker, proc, need, slot))
            }
        }
    }
}
