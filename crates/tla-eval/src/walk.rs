//! Random walks: an action first, then one of its steps.
//!
//! The next-state relation is taken apart before the first walk, into the actions that TLC would count: disjuncts, a quantifier over a
//! constant set as one for each element, definitions looked into. A conjunction is one action, however many steps it has, unless it is
//! the whole relation; then its parts are actions. A step is chosen in two draws: an action, all that are enabled being equally likely
//! (or as likely as their weights say), then one of its steps, all equally likely. Actions are tried in a random order until one
//! has a step that the constraints let pass, so most of them are never evaluated.
//!
//! A walk keeps the values of its states as they were made. Nothing is interned, no other state is remembered, and what the walk
//! leaves behind is thrown away with it: a run may last for days. Only a walk that violates something is written down in slots.

use std::ops::Range;

use explore::{
    FaultAt, Inspection, Limit, Random, Sample, Step, Violation, ViolationKind, Walk, WalkEnd, WalkNotes,
    WalkOptions,
};
use value::{Arena, Owned, Text, Value};

use crate::audit::{Expansion, Inspected, Step as Said};
use crate::code::ProcId;
use crate::compiled::Compiled;
use crate::error::{ErrorKind, EvalError, Fault};
use crate::layout::{Layout, NodeId, is_same_node};
use crate::machine::{Machine, StepContext};
use crate::model::{TlaModel, Worker, take_error};
use crate::prepared::Heap;
use crate::table::Nowhere;
use crate::table::instance::{ActionInstance, Connective, take_apart};

/// What a relation is taken apart into, for walks.
pub struct WalkParts<'i> {
    instances: Vec<ActionInstance<'i>>,
    actions: Vec<Action>,
    has_hashes: bool,
    /// How likely actions are, by the definitions that name them; others have 1.
    weights: Vec<(ProcId, f64)>,
}

struct Action {
    parts: Range<usize>,
    name: ProcId,
    weight: f64,
}

/// What is asked of walks beside what the model asks.
#[derive(Clone, Debug, Default)]
pub struct WalkRequests {
    /// Names of actions, with how likely they are beside others.
    pub weights: Vec<(String, f64)>,
    /// Of the plan's extra definitions: the one whose value in the last state is noted,
    pub sample: Option<usize>,
    /// and the one that is a goal to be met.
    pub goal: Option<usize>,
    /// Whether states are told apart, to count them: hashes of large states take their time.
    pub hashes: bool,
}

impl<'i> WalkParts<'i> {
    pub(crate) fn new(
        compiled: &Compiled<'i>,
        heap: &Heap<'i>,
        layout: &Layout<'i>,
        requests: &WalkRequests,
    ) -> WalkParts<'i> {
        let constants = heap.arena();
        let mut machine = compiled.machine(constants, constants);
        // There is no state here, and what has an effect must have it in each state.
        machine.pure_only = true;
        let relation = compiled.relation.next;
        let instances = relation.map_or(vec![], |next| {
            take_apart(
                &mut machine,
                next,
                &heap.interner,
                Connective::Disjuncts,
                |it| it,
                layout,
            )
        });
        let named = |proc: ProcId| compiled.program.procs[proc].name;
        let mut weights = vec![];
        for (name, weight) in &requests.weights {
            let procs = compiled.program.procs.iter();
            let meant = procs.filter(|(_, it)| it.name.as_str() == name);
            weights.extend(meant.map(|(proc, _)| (proc, *weight)));
        }
        let weight = |proc: ProcId| {
            let known = weights.iter().find(|it| named(it.0) == named(proc));
            known.map_or(1.0, |it| it.1)
        };
        let is_one = instances.iter().all(|it| it.action == 0);
        let mut actions: Vec<Action> = vec![];
        for (n, instance) in instances.iter().enumerate() {
            let is_more = n > 0 && !is_one && instance.action == instances[n - 1].action;
            match actions.last_mut() {
                Some(last) if is_more => last.parts.end = n + 1,
                _ => actions.push(Action {
                    parts: n..n + 1,
                    name: instance.label,
                    weight: weight(instance.label),
                }),
            }
        }
        WalkParts {
            instances,
            actions,
            has_hashes: requests.hashes,
            weights,
        }
    }

    /// Leaves out the last part, for tests of whoever is to notice.
    pub(crate) fn spoil(&mut self) {
        if let Some(last) = self.actions.last_mut() {
            last.parts.end -= 1;
        }
    }

    /// How likely a step of an action is beside its other steps: only what names it more closely than the action has a say.
    fn weight_of_step(&self, action: &Action, label: ProcId) -> f64 {
        let own = || {
            self.weights
                .iter()
                .find(|it| it.0 == label)
                .map_or(1.0, |it| it.1)
        };
        if label == action.name { 1.0 } else { own() }
    }
}

/// What natives can ask of the walk that they are evaluated on.
pub(crate) struct OfWalk<'t> {
    pub chance: Random,
    /// The states before those that follow.
    earlier: Vec<Owned>,
    states: Vec<Box<[Value<'t>]>>,
}

impl OfWalk<'_> {
    /// The states so far, as records.
    pub fn trace(&self, names: &[Text]) -> Option<Vec<Owned>> {
        let mut trace = self.earlier.clone();
        for state in &self.states {
            trace.push(record(names, state)?);
        }
        Some(trace)
    }
}

fn record(names: &[Text], state: &[Value<'_>]) -> Option<Owned> {
    let values: Option<Vec<Owned>> = state.iter().map(|it| it.to_owned_value().ok()).collect();
    Some(Owned::Record(names.iter().copied().zip(values?).collect()))
}

/// A walk so far, between two arenas.
struct Path {
    random: Random,
    /// Chance has a stream of its own: `RandomElement` does not change which steps are chosen from.
    chance: Random,
    start: Vec<u32>,
    /// States and actions that are written down; without the start where nothing is yet.
    states: Vec<Vec<Owned>>,
    actions: Vec<u32>,
    generated: u64,
    notes: WalkNotes,
    said: Vec<SaidOf>,
    /// Where an evaluation fails, if one does.
    at: FaultAt,
}

/// What the audit is told when the walk is over.
enum SaidOf {
    Steps(Vec<u32>, u32, u64, Vec<Said>),
    State(Vec<u32>, u32, u64, Inspection),
}

/// Bytes after which what is still needed moves to an empty arena.
const ARENA_MAX: usize = 64 << 20;

impl<'i> TlaModel<'i> {
    pub(crate) fn walk_from(
        &self,
        parts: &WalkParts<'i>,
        worker: &mut Worker<'_, 'i>,
        start: Step,
        random: &mut Random,
        how: &WalkOptions<'_>,
    ) -> Walk {
        let mut path = Path {
            random: random.clone(),
            chance: Random::new(random.next_u64()),
            actions: vec![start.action],
            start: start.state,
            states: vec![],
            generated: 0,
            notes: WalkNotes::default(),
            said: vec![],
            at: FaultAt::Successors,
        };
        let end = loop {
            worker.scratch.reset();
            if let Some(end) = self.segment(parts, worker, &mut path, how) {
                break end;
            }
        };
        self.finished(worker, path, end)
    }

    /// Walks until the walk ends, or until so much was made that it is better to begin with an empty arena.
    fn segment(
        &self,
        parts: &WalkParts<'i>,
        worker: &mut Worker<'_, 'i>,
        path: &mut Path,
        how: &WalkOptions<'_>,
    ) -> Option<End> {
        let Worker {
            scratch,
            interned,
            buffers,
            registers,
            ..
        } = worker;
        let (scratch, registers) = (&*scratch, &*registers);
        let mut machine = self
            .compiled
            .machine_in(scratch, interned, std::mem::take(&mut buffers.space));
        machine.registers = registers.as_ref();
        let first: Vec<Value<'_>> = match path.states.pop() {
            None => self.decode(&path.start, scratch),
            Some(last) => last.iter().map_while(|it| it.copy_to(scratch).ok()).collect(),
        };
        let names: Vec<Text> = self
            .compiled
            .program
            .variables
            .iter()
            .map(|&it| it.into())
            .collect();
        let earlier = path.states.iter();
        let earlier =
            earlier.map(|it| Owned::Record(names.iter().copied().zip(it.iter().cloned()).collect()));
        let earlier = earlier.collect();
        machine.state.current = first.clone().into();
        machine.state.level = path.actions.len() as u32;
        machine.state.memo_on = true;
        machine.walk = Some(Box::new(OfWalk {
            chance: path.chance.clone(),
            earlier,
            states: vec![first.into()],
        }));
        let mut walker = Walker {
            model: self,
            parts,
            how,
            machine,
            interned,
            order: vec![],
            candidates: Candidates::default(),
            hashes: vec![],
            path,
        };
        let end = walker.go();
        let Walker { machine, path, .. } = walker;
        self.put_away(machine, path, buffers, end)
    }

    /// Writes down what must outlive the arena.
    fn put_away<'t>(
        &self,
        mut machine: Machine<'t, 'i>,
        path: &mut Path,
        buffers: &mut crate::model::Buffers,
        end: Result<Option<End>, Fault>,
    ) -> Option<End>
    where
        'i: 't,
    {
        let mut end = match end {
            Ok(end) => end,
            Err(fault) => Some(End::Failed(
                take_error(&mut machine, fault, self.compiled.relation.init),
                path.at,
            )),
        };
        if let Some(End::Failed(EvalError { kind, .. }, _)) = &end
            && matches!(kind, ErrorKind::Interrupted)
        {
            end = Some(End::Interrupted);
        }
        let of_walk = machine.walk.take();
        if let Some(of_walk) = of_walk {
            path.chance = of_walk.chance.clone();
            // Of a walk on which nothing happened nobody will see the states.
            let is_needed = !matches!(
                end,
                Some(End::Depth | End::Stuck | End::Interrupted | End::Limit(_))
            );
            if is_needed {
                for state in &of_walk.states {
                    let values: Result<Vec<Owned>, _> = state.iter().map(|it| it.to_owned_value()).collect();
                    match values {
                        Ok(values) => path.states.push(values),
                        Err(trouble) => {
                            let at = machine.program.procs[self.compiled.relation.init].body.at;
                            let fault = machine.trouble(trouble, state, at);
                            let init = self.compiled.relation.init;
                            let error = take_error(&mut machine, fault, init);
                            end = Some(End::Failed(error, FaultAt::Successors));
                            break;
                        }
                    }
                }
            }
        }
        buffers.space = machine.into_space();
        end
    }

    /// The walk as `explore` has it, once the audit has had its say.
    fn finished(&self, worker: &mut Worker<'_, 'i>, mut path: Path, end: End) -> Walk {
        let depth = path.actions.len() as u32;
        let said = std::mem::take(&mut path.said);
        let audited = said.into_iter().try_for_each(|it| self.hand_to_audit(worker, it));
        let mut trace = vec![];
        let kind = match (audited, end) {
            (Err(fault), _) => Some(ViolationKind::Fault {
                fault,
                at: FaultAt::Successors,
            }),
            (Ok(()), End::Violated(property)) => Some(ViolationKind::Property(property)),
            (Ok(()), End::Deadlock) => Some(ViolationKind::Deadlock),
            (Ok(()), End::Failed(error, at)) => Some(ViolationKind::Fault {
                fault: explore::Fault::new(error),
                at,
            }),
            (Ok(()), end) => {
                path.notes.actions = path.actions.split_off(1);
                return Walk {
                    trace,
                    end: match end {
                        End::Stuck => WalkEnd::Stuck,
                        End::Limit(limit) => WalkEnd::Interrupted(limit),
                        End::Interrupted => WalkEnd::Interrupted(Limit::Time),
                        _ => WalkEnd::Depth,
                    },
                    depth,
                    generated: path.generated,
                    notes: path.notes,
                };
            }
        };
        let is_complete = self.write_down(worker, &path, &mut trace);
        let kind = match kind {
            Some(ViolationKind::Fault {
                fault,
                at: FaultAt::Successors,
            }) if is_complete => ViolationKind::Fault {
                fault: self.told_from_the_whole(worker, fault, &trace),
                at: FaultAt::Successors,
            },
            Some(kind) => kind,
            None => ViolationKind::Deadlock,
        };
        path.notes.actions = path.actions.split_off(1);
        Walk {
            trace: trace.clone(),
            end: WalkEnd::Violated(Violation {
                kind,
                trace,
                is_complete,
            }),
            depth,
            generated: path.generated,
            notes: path.notes,
        }
    }

    /// The states of a walk in slots; false when one cannot be written so.
    fn write_down(&self, worker: &Worker<'_, 'i>, path: &Path, trace: &mut Vec<Step>) -> bool {
        let arena = Arena::new();
        for (state, &action) in path.states.iter().zip(&path.actions) {
            let values: Result<Vec<Value<'_>>, _> = state.iter().map(|it| it.copy_to(&arena)).collect();
            let slots = values
                .ok()
                .and_then(|it| self.encoded(&it, worker.interned, &arena));
            match slots {
                Some(state) => trace.push(Step { state, action }),
                None => return false,
            }
        }
        path.states.len() == path.actions.len()
    }

    fn encoded<'v>(&self, values: &[Value<'v>], interned: &'i Arena, arena: &'v Arena) -> Option<Vec<u32>> {
        let layout = &self.prepared.layout;
        let mut slots = vec![0; layout.n_slots()];
        for (node, &value) in values.iter().enumerate() {
            let arenas = (interned, arena);
            layout
                .encode(node as NodeId, value, &self.heap.interner, arenas, &mut slots)
                .ok()?;
        }
        Some(slots)
    }

    /// The error of one action, told from the whole relation: with every definition that led there. What depends on chance or on
    /// what was evaluated before need not fail again, and then the error is told as it was.
    fn told_from_the_whole(
        &self,
        worker: &mut Worker<'_, 'i>,
        fault: explore::Fault,
        trace: &[Step],
    ) -> explore::Fault {
        let is_ours = fault.0.downcast_ref::<EvalError>().is_none();
        let (Some(next), Some(last)) = (self.compiled.relation.next, trace.last()) else {
            return fault;
        };
        if is_ours || !self.compiled.relation.is_next_pure {
            return fault;
        }
        worker.scratch.reset();
        let sink = &mut Nowhere { labels: false };
        let again = self.evaluated_successors(worker, next, &last.state, trace.len() as u32, sink);
        again.err().unwrap_or(fault)
    }

    fn hand_to_audit(&self, worker: &mut Worker<'_, 'i>, said: SaidOf) -> Result<(), explore::Fault> {
        match said {
            SaidOf::Steps(state, depth, effort, steps) => self.with_audit(worker, |audit, worker| {
                let said = Expansion {
                    state: &state,
                    depth,
                    player: None,
                    steps,
                    is_cut: false,
                    is_failed: false,
                    labels: None,
                };
                audit.expanded(self, worker, &said, effort)
            }),
            SaidOf::State(state, depth, effort, answer) => self.with_audit(worker, |audit, _| {
                let said = Inspected {
                    state: &state,
                    depth,
                    answer: Some(answer),
                };
                audit.inspected(self, &said, effort)
            }),
        }
    }
}

/// How a walk ends here.
enum End {
    Depth,
    Stuck,
    Deadlock,
    Violated(u32),
    Failed(EvalError, FaultAt),
    Interrupted,
    Limit(Limit),
}

/// The steps of one action, as values.
#[derive(Default)]
struct Candidates<'t> {
    values: Vec<Value<'t>>,
    labels: Vec<ProcId>,
    /// Those that were not looked at yet.
    left: Vec<u32>,
}

struct Walker<'w, 't, 'i> {
    model: &'w TlaModel<'i>,
    parts: &'w WalkParts<'i>,
    how: &'w WalkOptions<'w>,
    machine: Machine<'t, 'i>,
    interned: &'i Arena,
    /// Actions that were not tried yet in the present state.
    order: Vec<u32>,
    candidates: Candidates<'t>,
    /// The content hash of each variable, with the value that it is of.
    hashes: Vec<(Value<'t>, u64)>,
    path: &'w mut Path,
}

/// What became of a step that was chosen.
enum Judged {
    Taken,
    /// The constraints do not let it pass.
    Dropped,
    Violated(u32),
}

impl<'t, 'i: 't> Walker<'_, 't, 'i> {
    /// Nothing when the arena is full.
    fn go(&mut self) -> Result<Option<End>, Fault> {
        // A later part of the walk begins where this state was noted already.
        if self.machine.state.level == 1 {
            self.note_state()?;
        }
        loop {
            if self.machine.state.level >= self.how.depth_max {
                self.note_end()?;
                return Ok(Some(End::Depth));
            }
            if let Some(limit) = self.how.interruption() {
                return Ok(Some(End::Limit(limit)));
            }
            let bytes = self.machine.arena.allocated_bytes();
            if self.how.options.limits.memory.is_some_and(|it| bytes > it) {
                return Ok(Some(End::Limit(Limit::Memory)));
            }
            // With nothing but one state there is nothing to gain.
            if bytes > ARENA_MAX && self.n_states() > 1 {
                return Ok(None);
            }
            self.audit_steps();
            match self.step()? {
                None => self.note_state()?,
                Some(end) => {
                    self.note_end()?;
                    return Ok(Some(end));
                }
            }
        }
    }

    fn n_states(&self) -> usize {
        self.machine.walk.as_ref().map_or(0, |it| it.states.len())
    }

    /// Takes a step; gives how the walk ends when there is none.
    fn step(&mut self) -> Result<Option<End>, Fault> {
        let n = self.parts.actions.len();
        self.order.clear();
        self.order.extend(0..n as u32);
        let is_weighted = !self.parts.weights.is_empty();
        let mut has_steps = false;
        while !self.order.is_empty() {
            let at = match is_weighted {
                false => self.path.random.below(self.order.len()),
                true => {
                    let weight = |&it: &u32| self.parts.actions[it as usize].weight;
                    match weighted(&mut self.path.random, self.order.iter().map(weight)) {
                        Some(at) => at,
                        None => break,
                    }
                }
            };
            let action = self.order.swap_remove(at) as usize;
            self.list(action)?;
            let found = self.candidates.labels.len();
            self.path.generated += found as u64;
            has_steps |= found > 0;
            if let Some(end) = self.choose(action, is_weighted)? {
                return Ok(end);
            }
        }
        let is_deadlock = self.how.deadlock && !has_steps && self.is_without_steps()?;
        Ok(Some(if is_deadlock { End::Deadlock } else { End::Stuck }))
    }

    /// An action of weight 0 is never tried, but a state where it has a step is no deadlock.
    fn is_without_steps(&mut self) -> Result<bool, Fault> {
        for action in std::mem::take(&mut self.order) {
            self.list(action as usize)?;
            if !self.candidates.labels.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds the steps of one action.
    fn list(&mut self, action: usize) -> Result<(), Fault> {
        let Walker {
            parts,
            machine,
            candidates,
            ..
        } = self;
        candidates.values.clear();
        candidates.labels.clear();
        for part in parts.actions[action].parts.clone() {
            machine.step.primed = false;
            machine.program.count_all(&parts.instances[part].inside);
            machine.instance_successors(&parts.instances[part], &mut |machine, label| {
                for value in &machine.step.next {
                    candidates.values.push(value.ok_or(Fault::Error)?);
                }
                candidates.labels.push(label);
                Ok(false)
            })?;
        }
        Ok(())
    }

    /// Takes one of the steps that were listed, if the constraints let one pass.
    fn choose(&mut self, action: usize, is_weighted: bool) -> Result<Option<Option<End>>, Fault> {
        let n = self.candidates.labels.len();
        let mut left = std::mem::take(&mut self.candidates.left);
        left.clear();
        left.extend(0..n as u32);
        let mut chosen = None;
        while !left.is_empty() {
            let at = match is_weighted {
                false => self.path.random.below(left.len()),
                true => {
                    let action = &self.parts.actions[action];
                    let labels = &self.candidates.labels;
                    let weight = |&it: &u32| self.parts.weight_of_step(action, labels[it as usize]);
                    match weighted(&mut self.path.random, left.iter().map(weight)) {
                        Some(at) => at,
                        None => break,
                    }
                }
            };
            let candidate = left.swap_remove(at) as usize;
            match self.take(candidate)? {
                Judged::Taken => {
                    chosen = Some(None);
                    break;
                }
                Judged::Dropped => {}
                Judged::Violated(property) => {
                    chosen = Some(Some(End::Violated(property)));
                    break;
                }
            }
        }
        self.candidates.left = left;
        Ok(chosen)
    }

    fn candidate(&self, candidate: usize) -> &[Value<'t>] {
        let n = self.machine.state.current.len();
        &self.candidates.values[candidate * n..(candidate + 1) * n]
    }

    /// Goes to the state of a step, if nothing is in the way. A violating step is taken too.
    fn take(&mut self, candidate: usize) -> Result<Judged, Fault> {
        let mut values = self.candidate(candidate).to_vec();
        let label = self.candidates.labels[candidate];
        self.spell_out(&mut values, label)?;
        self.set_step(&values);
        let (is_excluded, violated) = match self.judge_step()? {
            None => return Ok(Judged::Dropped),
            Some(it) => it,
        };
        if !is_excluded {
            let (model, machine) = (self.model, &mut self.machine);
            model
                .possible
                .after_step(machine, &model.compiled.constraints.states)?;
        }
        let before = std::mem::replace(&mut self.machine.step, StepContext::default());
        let state = self.machine.state_of(values.clone(), 1);
        let outer = std::mem::replace(&mut self.machine.state, state);
        self.machine.state.memo_on = true;
        let judged = self.judge_state();
        let keep_space = |machine: &mut Machine<'t, 'i>| {
            machine.step.next = before.next;
            machine.step.next.clear();
        };
        let inspection = match judged {
            Ok(it) => it,
            Err((fault, proc)) => {
                // The state that could not be judged is the last one of the trace.
                self.arrive(values, label);
                self.path.at = FaultAt::Inspection;
                let error = take_error(&mut self.machine, fault, proc);
                self.machine.error = Some(Box::new(error));
                return Err(Fault::Error);
            }
        };
        let violated = inspection.violated.or(violated);
        if violated.is_none() && (is_excluded || !inspection.expand) {
            self.machine.state = outer;
            keep_space(&mut self.machine);
            return Ok(Judged::Dropped);
        }
        keep_space(&mut self.machine);
        self.arrive(values, label);
        match violated {
            Some(property) => Ok(Judged::Violated(property)),
            None => {
                self.audit_state(inspection);
                let model = self.model;
                if model.possible.wants_states(self.machine.state.level) {
                    model.possible.in_state(&mut self.machine)?;
                }
                Ok(Judged::Taken)
            }
        }
    }

    fn arrive(&mut self, values: Vec<Value<'t>>, label: ProcId) {
        self.path.actions.push(label.raw());
        if let Some(walk) = &mut self.machine.walk {
            walk.states.push(values.into());
        }
    }

    /// Large sets are not computed with again and again in every state, and a variable does not hold what cannot be listed.
    fn spell_out(&mut self, values: &mut [Value<'t>], label: ProcId) -> Result<(), Fault> {
        for value in values {
            if let Value::Symbolic(_) = value {
                match value::spell_out(*value, self.machine.arena) {
                    Ok(spelt) => *value = spelt,
                    Err(trouble) => {
                        let at = self.machine.program.procs[label].body.at;
                        return Err(self.machine.trouble(trouble, &[*value], at));
                    }
                }
            }
        }
        Ok(())
    }

    fn set_step(&mut self, values: &[Value<'t>]) {
        let step = &mut self.machine.step;
        step.next.clear();
        step.next.extend(values.iter().copied().map(Some));
        step.next_state = None;
        step.primed = false;
    }

    /// Whether an action constraint excludes the machine's step, and which property it violates; nothing when it is in no behaviour.
    fn judge_step(&mut self) -> Result<Option<(bool, Option<u32>)>, Fault> {
        let Compiled {
            constraints,
            properties,
            ..
        } = &self.model.compiled;
        for check in &constraints.exclusions {
            if !self.machine.test(check.proc)? {
                return Ok(None);
            }
        }
        let mut is_excluded = false;
        for check in &constraints.actions {
            if !self.machine.test(check.proc)? {
                is_excluded = true;
                break;
            }
        }
        for (property, check) in properties.of_step() {
            if !self.machine.test(check.proc)? {
                return Ok(Some((is_excluded, Some(property))));
            }
        }
        Ok(Some((is_excluded, None)))
    }

    /// What is to be said of the machine's state by itself.
    fn judge_state(&mut self) -> Result<Inspection, (Fault, ProcId)> {
        let Compiled {
            constraints,
            properties,
            ..
        } = &self.model.compiled;
        let mut inspection = Inspection::FINE;
        for check in &constraints.states {
            let holds = self.machine.test(check.proc).map_err(|it| (it, check.proc))?;
            inspection.expand &= holds;
        }
        for (property, check) in properties.of_state(false) {
            if !self.machine.test(check.proc).map_err(|it| (it, check.proc))? {
                inspection.violated = Some(property);
                break;
            }
        }
        Ok(inspection)
    }

    /// Notes what statistics want to know of the state that was just come to.
    fn note_state(&mut self) -> Result<(), Fault> {
        if self.parts.has_hashes {
            self.note_hash();
        }
        if self.path.notes.goal_at.is_none()
            && let Some(goal) = self.model.prepared.goal
            && self.machine.test(goal)?
        {
            self.path.notes.goal_at = Some(self.machine.state.level);
        }
        Ok(())
    }

    /// Only what has changed is hashed again.
    fn note_hash(&mut self) {
        let machine = &self.machine;
        let is_first = self.hashes.is_empty();
        let mut hash = 0;
        for var in 0..machine.state.current.len() {
            let value = machine.state.current[var];
            if is_first {
                self.hashes.push((value, value.hash64()));
            } else if !is_same_node(self.hashes[var].0, value) {
                self.hashes[var] = (value, value.hash64());
            }
            hash = value::mix(hash, self.hashes[var].1);
        }
        self.path.notes.hashes.push(hash);
    }

    /// Notes what was asked of the last state.
    fn note_end(&mut self) -> Result<(), Fault> {
        if let Some(sample) = self.model.prepared.sample {
            let value = self.machine.run(sample)?;
            self.path.notes.sample = Some(match value {
                Value::Int(it) => Sample::Int(it),
                other => Sample::Text(value::text(other)),
            });
        }
        Ok(())
    }

    /// Lists all steps of the present state for the audit, if it wants them, in the way in which walks find them.
    fn audit_steps(&mut self) {
        let model = self.model;
        let level = self.machine.state.level;
        let Some(effort) = self.audit_chooses(level) else {
            return;
        };
        // What the steps change or draw happens once.
        if !model.compiled.relation.is_next_pure || model.compiled.relation.next.is_none() {
            return;
        }
        if let (Ok(steps), Some(state)) = (self.all_steps(), self.present()) {
            self.path.said.push(SaidOf::Steps(state, level, effort, steps));
        }
        // An error is told by whoever needs what could not be evaluated.
        self.machine.error = None;
    }

    fn audit_state(&mut self, answer: Inspection) {
        let level = self.machine.state.level;
        if let Some(effort) = self.audit_chooses(level)
            && let Some(state) = self.present()
        {
            self.path.said.push(SaidOf::State(state, level, effort, answer));
        }
    }

    /// The walk decides which states are looked at: they have no slots.
    fn audit_chooses(&self, level: u32) -> Option<u64> {
        let auditor = self.model.auditor?;
        let number = self.how.number;
        auditor.chooses(&[number as u32, (number >> 32) as u32], level)
    }

    fn present(&self) -> Option<Vec<u32>> {
        let values = self.machine.state.current.all();
        self.model.encoded(&values, self.interned, self.machine.arena)
    }

    fn all_steps(&mut self) -> Result<Vec<Said>, Fault> {
        let mut said = vec![];
        for action in 0..self.parts.actions.len() {
            self.list(action)?;
            for candidate in 0..self.candidates.labels.len() {
                let values = self.candidate(candidate).to_vec();
                self.set_step(&values);
                let judged = self.judge_step()?;
                let mut step = Said {
                    is_excluded: judged.is_none_or(|it| it.0),
                    violated: judged.and_then(|it| it.1),
                    ..Said::default()
                };
                match judged {
                    Some((true, violated)) => {
                        let state = self.machine.state_of(values, 1);
                        let inside = |this: &mut Self| {
                            let outer = std::mem::replace(&mut this.machine.state, state);
                            let step = std::mem::take(&mut this.machine.step);
                            let answer = this.judge_state();
                            (this.machine.state, this.machine.step) = (outer, step);
                            answer.map_err(|it| it.0)
                        };
                        step.violated = inside(self)?.violated.or(violated);
                    }
                    Some((false, _)) => {
                        let target = self.model.encoded(&values, self.interned, self.machine.arena);
                        step.target = target.ok_or(Fault::Error)?;
                    }
                    None => {}
                }
                said.push(step);
            }
        }
        Ok(said)
    }
}

/// A place, each as likely as its weight says; nothing when all weights are 0.
fn weighted(random: &mut Random, weights: impl Iterator<Item = f64> + Clone) -> Option<usize> {
    /// Of the 53 bits that a float between 0 and 1 has.
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
    let sum: f64 = weights.clone().sum();
    if sum <= 0.0 {
        return None;
    }
    let mut rest = (random.next_u64() >> 11) as f64 * UNIT * sum;
    let mut last = None;
    for (at, weight) in weights.enumerate() {
        if weight <= 0.0 {
            continue;
        }
        if rest < weight {
            return Some(at);
        }
        rest -= weight;
        last = Some(at);
    }
    // Rounding may leave a little.
    last
}
