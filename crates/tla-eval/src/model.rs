//! A specification as the search sees it: states are vectors of interned values.

use std::cell::RefCell;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use explore::{Inspection, Random, Sink, Walk, WalkOptions};
use util::Symbol;
use value::{Arena, Slot, Value};

use crate::audit::{AuditWorker, Auditor, Spoilt};
use crate::code::ProcId;
use crate::compiled::{Compiled, Properties};
use crate::effects::Registers;
use crate::error::{EvalError, Fault};
use crate::labels::{Evaluated, Labels};
use crate::layout::{NodeId, State};
use crate::machine::{Machine, Space, StepContext};
use crate::memo::{Cache, MemoContext};
use crate::possible::Possible;
use crate::prepared::{Heap, Preparation, Prepared};
use crate::resumable::{Found, Resumable};
use crate::symmetry::Images;
use crate::table::steps::Steps;
use crate::table::{Sort, Tables};
use crate::walk::WalkRequests;

/// A specification that is searched.
pub struct TlaModel<'i> {
    pub compiled: Compiled<'i>,
    pub prepared: Prepared<'i>,
    pub(crate) heap: Heap<'i>,
    /// What was seen so far of what should be possible.
    pub possible: Possible,
    /// Who takes a second look at what is said.
    pub(crate) auditor: Option<&'i dyn Auditor>,
    /// What is made wrong, for tests of whoever is to notice.
    pub(crate) spoilt: Option<Spoilt>,
    /// Bytes of interned values and tables, all workers together.
    memory: AtomicUsize,
}

impl<'i> TlaModel<'i> {
    /// Prepares a search of what is compiled. Each worker takes one of the arenas.
    pub fn new(
        compiled: Compiled<'i>,
        arenas: &'i mut [Arena],
        how: Preparation,
        auditor: Option<&'i dyn Auditor>,
    ) -> Result<TlaModel<'i>, EvalError> {
        let heap = Heap::new(arenas);
        let prepared = Prepared::new(&compiled, &heap, how)?;
        Ok(TlaModel {
            possible: Possible::new(&compiled),
            compiled,
            prepared,
            heap,
            auditor,
            spoilt: how.spoilt,
            memory: AtomicUsize::new(0),
        })
    }

    /// Prepares for random walks.
    pub fn prepare_walks(&mut self, requests: &WalkRequests) {
        let is_spoilt = self.spoilt == Some(Spoilt::Walks);
        self.prepared
            .add_walks(&self.compiled, &self.heap, requests, is_spoilt);
    }

    /// The value that a number stands for.
    pub fn value(&self, slot: Slot) -> Value<'i> {
        self.heap.interner.value(slot)
    }

    pub fn n_variables(&self) -> usize {
        self.compiled.n_variables()
    }

    /// The values of a state's variables; those that have no slot of their own are made in `arena`.
    pub fn decode<'t>(&self, state: &[u32], arena: &'t Arena) -> Vec<Value<'t>>
    where
        'i: 't,
    {
        self.prepared
            .layout
            .values(state, &self.heap.interner, arena)
            .collect()
    }

    /// Gives a machine the values of a state.
    pub(crate) fn set_current<'t>(&'t self, machine: &mut Machine<'t, 'i>, state: &[u32]) {
        machine
            .state
            .current
            .set(self.state(state, machine.arena), machine.arena);
    }

    fn state<'t>(&'t self, state: &[u32], arena: &'t Arena) -> State<'t, 'i> {
        State {
            slots: arena.alloc_slice_copy(state),
            layout: &self.prepared.layout,
            interner: &self.heap.interner,
        }
    }

    /// Gives a machine the values of a next state: all of them, or each when it is first read.
    pub(crate) fn set_next<'t>(&'t self, machine: &mut Machine<'t, 'i>, state: &[u32], lazily: bool) {
        machine.step.next.clear();
        machine
            .step
            .next
            .resize(if state.is_empty() { 0 } else { self.n_variables() }, None);
        machine.step.next_state = Some(self.state(state, machine.arena));
        if !lazily {
            machine.make_next();
        }
    }

    /// Appends the machine's next state to `slots`.
    pub(crate) fn encode_next(
        &self,
        machine: &mut Machine<'_, 'i>,
        interned: &'i Arena,
        action: ProcId,
        slots: &mut Vec<u32>,
    ) -> Result<(), Fault> {
        let first = slots.len();
        slots.resize(first + self.prepared.layout.n_slots(), 0);
        for i in 0..machine.step.next.len() {
            let Some(value) = machine.step.next[i] else {
                return Err(Fault::Error);
            };
            let state = &mut slots[first..];
            let arenas = (interned, machine.arena);
            let before = machine.state.current.made(i);
            let encoded = self.prepared.layout.encode_after(
                i as NodeId,
                value,
                before,
                &self.heap.interner,
                arenas,
                state,
            );
            if let Err(trouble) = encoded {
                let at = machine.program.procs[action].body.at;
                return Err(machine.trouble(trouble, &[value], at));
            }
        }
        Ok(())
    }

    /// Evaluates the assumptions; gives the first that is false.
    pub fn check_assumptions(&self, worker: &mut Worker<'_, 'i>) -> Result<Option<usize>, EvalError> {
        worker.scratch.reset();
        let mut machine = self.compiled.machine(&worker.scratch, worker.interned);
        for (i, check) in self.compiled.assumptions.iter().enumerate() {
            match machine.test(check.proc) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(i)),
                Err(fault) => return Err(take_error(&mut machine, fault, check.proc)),
            }
        }
        Ok(None)
    }
}

/// What one thread needs.
pub struct Worker<'m, 'i> {
    pub(crate) model: &'m TlaModel<'i>,
    pub(crate) scratch: Arena,
    pub(crate) interned: &'i Arena,
    pub(crate) buffers: Buffers,
    /// Values that do not depend on the state.
    pub(crate) cache: RefCell<Cache<'i>>,
    /// Absent where tables are not used, and while one is being made.
    pub(crate) tables: Option<Box<Tables<'i>>>,
    /// Whose moves successors are; nobody's in particular where there is nothing.
    pub(crate) player: Option<usize>,
    /// This worker's part of the audit, once there is one.
    pub(crate) audit: Option<Box<dyn AuditWorker + 'i>>,
    /// Where this worker's `TLCSet` puts values, if it takes walks beside others.
    pub(crate) registers: Option<Registers>,
    /// Bytes that the model's count has of this worker.
    counted: usize,
    /// States until it is counted again.
    uncounted: u32,
}

impl Worker<'_, '_> {
    fn spoil(&mut self, what: Spoilt) {
        match (what, &mut self.tables) {
            (Spoilt::Tables, Some(tables)) => tables.is_spoilt = true,
            (Spoilt::Dispatch, Some(tables)) => tables.dispatch.is_spoilt = true,
            (Spoilt::Memos, _) => self.cache.get_mut().is_spoilt = true,
            (Spoilt::Representatives, _) => self.buffers.images.is_spoilt = true,
            // Those who make them ask the model.
            (Spoilt::Tables | Spoilt::Dispatch | Spoilt::Labels | Spoilt::Slots | Spoilt::Walks, _) => {}
        }
    }

    /// Tells the model how much memory this worker holds for good.
    fn count_memory(&mut self) {
        /// Smaller changes are not worth a shared counter.
        const STEP: usize = 1 << 16;
        /// Nor is every state worth counting.
        const STATES: u32 = 16;
        if self.uncounted > 0 {
            self.uncounted -= 1;
            return;
        }
        self.uncounted = STATES;
        let tables = self.tables.as_ref().map_or(0, |it| it.memory());
        let now = self.interned.allocated_bytes() + tables + self.cache.borrow().memory();
        if now.abs_diff(self.counted) >= STEP {
            self.model
                .memory
                .fetch_add(now.wrapping_sub(self.counted), Relaxed);
            self.counted = now;
        }
    }
}

/// Space that is used again for every state.
#[derive(Default)]
pub(crate) struct Buffers {
    pub space: Space,
    pub slots: Vec<u32>,
    /// The step that is being labelled leads here.
    pub target: Vec<u32>,
    /// Successors that wait to be emitted: all their slots, and their actions.
    pub pending: Vec<u32>,
    pub actions: Vec<ProcId>,
    key: Vec<u32>,
    /// What a view shows of a state.
    seen: Vec<u32>,
    pub images: Images,
    pub labels: Labels,
    /// The steps of a state, where its labels depend on all of them.
    pub steps: Steps,
}

pub(crate) fn take_error(machine: &mut Machine<'_, '_>, fault: Fault, proc: ProcId) -> EvalError {
    let at = machine.program.procs[proc].body.at;
    machine.unassigned(fault, at);
    match machine.error.take() {
        Some(error) => *error,
        None => EvalError {
            kind: crate::ErrorKind::Unsupported { what: "this" },
            at,
            chain: vec![],
        },
    }
}

pub(crate) fn fault(machine: &mut Machine<'_, '_>, fault: Fault, proc: ProcId) -> explore::Fault {
    explore::Fault::new(take_error(machine, fault, proc))
}

impl<'i> TlaModel<'i> {
    /// What a worker's machines keep values with; nothing when everything is to be evaluated.
    pub(crate) fn memo<'t>(
        &'t self,
        cache: &'t RefCell<Cache<'i>>,
        interned: &'i Arena,
    ) -> Option<MemoContext<'t, 'i>> {
        let is_on = self.prepared.parts.is_some();
        is_on.then_some(MemoContext {
            cache,
            interner: &self.heap.interner,
            interned,
        })
    }

    /// Emits the machine's next state.
    pub(crate) fn emit(
        &self,
        machine: &mut Machine<'_, 'i>,
        interned: &'i Arena,
        buffers: &mut Buffers,
        action: ProcId,
        initial: bool,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        buffers.slots.clear();
        self.encode_next(machine, interned, action, &mut buffers.slots)?;
        self.pass_on(machine, interned, buffers, action, initial, sink)
    }

    /// Emits the state in `buffers.slots`, which is the machine's next state too.
    pub(crate) fn pass_on(
        &self,
        machine: &mut Machine<'_, 'i>,
        interned: &'i Arena,
        buffers: &mut Buffers,
        action: ProcId,
        initial: bool,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        if !initial {
            let constraints = &self.compiled.constraints;
            for check in &constraints.exclusions {
                if !machine.test(check.proc)? {
                    buffers.labels.has_excluded = true;
                    return Ok(sink.exclude(action.raw()).is_break());
                }
            }
            for check in &constraints.actions {
                if !machine.test(check.proc)? {
                    buffers.labels.has_excluded = true;
                    return Ok(sink.exclude(action.raw()).is_break()
                        || self.judge_target(machine, buffers, sink)?
                        || self.judge_step(machine, buffers, sink)?);
                }
            }
        }
        if self.emit_state(Some(machine), interned, buffers, action, sink)? {
            return Ok(true);
        }
        if initial {
            return Ok(false);
        }
        self.possible
            .after_step(machine, &self.compiled.constraints.states)?;
        if self.judge_step(machine, buffers, sink)? {
            return Ok(true);
        }
        if sink.wants_labels() {
            let Buffers { slots, labels, .. } = &mut *buffers;
            labels.step(&self.compiled.liveness, &mut Evaluated(self, machine), slots)?;
            sink.label_step(&labels.step);
        }
        Ok(false)
    }

    /// Tells a property that the step to `buffers.slots` violates.
    fn judge_step(
        &self,
        machine: &mut Machine<'_, 'i>,
        buffers: &Buffers,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        for (property, check) in self.compiled.properties.of_step() {
            if !machine.test(check.proc)? {
                return Ok(sink.violation(property, &buffers.slots).is_break());
            }
        }
        Ok(false)
    }

    /// Tells an invariant that the state in `buffers.slots` violates: of one that nobody will inspect, because the step to it is
    /// excluded.
    pub(crate) fn judge_target(
        &self,
        machine: &mut Machine<'_, 'i>,
        buffers: &Buffers,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        let target = machine.state_after()?;
        let violated = machine.in_state(target, StepContext::default(), |machine| {
            for (check, property) in self.compiled.properties.invariants.iter().zip(0..) {
                if !machine.test(check.proc)? {
                    return Ok(Some(property));
                }
            }
            Ok(None)
        })?;
        Ok(violated.is_some_and(|it| sink.violation(it, &buffers.slots).is_break()))
    }

    /// The view that has to be evaluated to emit a state, for which a machine is needed.
    pub(crate) fn evaluated_view(&self) -> Option<ProcId> {
        self.compiled.view.filter(|_| self.prepared.view.is_none())
    }

    /// The values of a key: of the state that stands for others, or of a view.
    pub fn decode_key<'t>(&self, key: &[u32], arena: &'t Arena) -> Vec<Value<'t>>
    where
        'i: 't,
    {
        let interner = &self.heap.interner;
        match (&self.prepared.view, self.compiled.view) {
            (Some(view), _) => vec![view.value(key, &self.prepared.layout, interner, arena)],
            (None, Some(_)) => key.iter().map(|&it| interner.value(it)).collect(),
            (None, None) => self.decode(key, arena),
        }
    }

    /// Whether two states are the same for a search exactly when they are equal.
    pub(crate) fn states_are_keys(&self) -> bool {
        self.compiled.view.is_none() && self.prepared.permutations.is_empty()
    }

    /// Emits the state in `buffers.slots` itself. The machine, whose next state it is, is needed for a view only.
    pub(crate) fn emit_state(
        &self,
        machine: Option<&mut Machine<'_, 'i>>,
        interned: &'i Arena,
        buffers: &mut Buffers,
        action: ProcId,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        let Buffers {
            slots,
            key,
            seen,
            images,
            ..
        } = buffers;
        let evaluated = self.evaluated_view();
        let shown: &[Slot] = match (evaluated, &self.prepared.view) {
            (Some(view), _) => {
                let Some(machine) = machine else {
                    return Err(Fault::Error);
                };
                seen.clear();
                seen.push(self.next_view(machine, view, interned, action)?);
                seen
            }
            (None, Some(view)) => {
                view.key(slots, seen);
                seen
            }
            (None, None) => slots,
        };
        // A permutation of a state permutes what the view shows of it: states are the same when their views are, up to one.
        let key = match &self.prepared.permutations[..] {
            [] if self.compiled.view.is_none() => None,
            [] => Some(shown),
            group => {
                // An image is as good a value as what it is the image of.
                let made = images.representative(shown, group, &self.heap.interner, interned, key);
                made.map_err(|_| Fault::Error)?;
                Some(&key[..])
            }
        };
        let key = key.map(|it| {
            let hash = match sink.needs_hash() {
                true => self.key_hash(it),
                false => 0,
            };
            (it, hash)
        });
        Ok(sink
            .emit(slots, self.hash(slots, sink), key, action.raw())
            .is_break())
    }

    /// The number of the view of the machine's next state.
    fn next_view(
        &self,
        machine: &mut Machine<'_, 'i>,
        view: ProcId,
        interned: &'i Arena,
        action: ProcId,
    ) -> Result<Slot, Fault> {
        let at = machine.program.procs[action].body.at;
        // The view of the next state: its names are primed.
        let outer = std::mem::replace(&mut machine.step.primed, true);
        let value = machine.run(view);
        machine.step.primed = outer;
        let value = value?;
        let slot = self.heap.interner.intern(value, interned);
        slot.map_err(|trouble| machine.trouble(trouble, &[value], at))
    }

    /// The content hash of what stands for a state.
    pub(crate) fn key_hash(&self, key: &[Slot]) -> u64 {
        match (self.evaluated_view(), key) {
            (Some(_), &[view]) => self.heap.interner.value(view).hash64(),
            _ => self.content_hash(key),
        }
    }

    /// The content hash of a state, if it is wanted.
    pub(crate) fn hash(&self, state: &[u32], sink: &dyn Sink) -> u64 {
        match sink.needs_hash() {
            true => self.content_hash(state),
            false => 0,
        }
    }

    pub(crate) fn content_hash(&self, state: &[u32]) -> u64 {
        self.prepared.layout.hash(state, &self.heap.interner)
    }

    /// Emits the successors of a state by evaluating the next-state relation.
    pub(crate) fn evaluated_successors(
        &self,
        worker: &mut Worker<'_, 'i>,
        next: ProcId,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        let Worker {
            model,
            scratch,
            interned,
            buffers,
            cache,
            ..
        } = worker;
        let space = std::mem::take(&mut buffers.space);
        let mut machine = model.compiled.machine_in(scratch, interned, space);
        machine.memo = self.memo(cache, interned);
        self.set_current(&mut machine, state);
        machine.state.level = depth;
        machine.state.memo_on = true;
        let entered = match sink.wants_labels() {
            true => buffers
                .labels
                .enter(&self.compiled.liveness, &mut Evaluated(self, &mut machine), state),
            false => Ok(()),
        };
        if let Err(it) = entered {
            // The steps count that come before the error is told.
            buffers.labels.give_up(&self.compiled.liveness, state);
            let told = fault(&mut machine, it, next);
            let _ = machine.successors(next, &mut |machine, action| {
                self.emit(machine, interned, buffers, action, false, sink)
            });
            return Err(told);
        }
        let flow = machine.successors(next, &mut |machine, action| {
            self.emit(machine, interned, buffers, action, false, sink)
        });
        if flow.is_ok() && sink.wants_labels() {
            let left = buffers
                .labels
                .leave(&self.compiled.liveness, &mut Evaluated(self, &mut machine));
            if let Err(it) = left {
                return Err(fault(&mut machine, it, next));
            }
            sink.label_state(&buffers.labels.state);
        }
        match flow {
            Ok(_) => {
                buffers.space = machine.into_space();
                Ok(())
            }
            Err(it) => Err(fault(&mut machine, it, next)),
        }
    }

    /// For a specification without steps.
    fn stay(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        if !sink.wants_labels() {
            return Ok(());
        }
        let mut machine = self.compiled.machine(&worker.scratch, worker.interned);
        self.set_current(&mut machine, state);
        machine.state.level = depth;
        let labels = &mut worker.buffers.labels;
        let liveness = &self.compiled.liveness;
        let done = labels.enter(liveness, &mut Evaluated(self, &mut machine), state);
        let done = done.and_then(|()| labels.leave(liveness, &mut Evaluated(self, &mut machine)));
        sink.label_state(&labels.state);
        done.map_err(|it| fault(&mut machine, it, self.compiled.relation.init))
    }

    /// A state as the module sees it that a property about steps is instantiated from: names and values. Empty when the
    /// property comes from no instance, or a value cannot be computed.
    pub fn abstract_state(
        &self,
        worker: &mut Worker<'_, 'i>,
        property: u32,
        state: &[u32],
    ) -> Vec<(Symbol, String)> {
        let Properties {
            invariants,
            abstractions,
            ..
        } = &self.compiled.properties;
        let place = (property as usize).checked_sub(invariants.len());
        let Some(variables) = place.and_then(|it| abstractions.get(it)) else {
            return vec![];
        };
        worker.scratch.reset();
        let mut machine = self.compiled.machine(&worker.scratch, worker.interned);
        self.set_current(&mut machine, state);
        let value = |&(name, proc): &(Symbol, ProcId)| Some((name, value::text(machine.run(proc).ok()?)));
        variables
            .iter()
            .map(value)
            .collect::<Option<_>>()
            .unwrap_or_default()
    }

    /// For each rule of a conjunction of several, whether it moves in a step: the others leave their variables alone.
    pub fn moved(&self, worker: &mut Worker<'_, 'i>, before: &[u32], after: &[u32]) -> Vec<(&str, bool)> {
        worker.scratch.reset();
        let mut machine = self.compiled.machine(&worker.scratch, worker.interned);
        self.set_current(&mut machine, before);
        self.set_next(&mut machine, after, false);
        let mut moves = |test: &Option<ProcId>| match test {
            Some(proc) => machine.test(*proc).unwrap_or(before != after),
            None => before != after,
        };
        self.compiled
            .movers
            .iter()
            .map(|(name, test)| (name.as_str(), moves(test)))
            .collect()
    }
}

impl<'i> explore::Model for TlaModel<'i> {
    type Worker<'m>
        = Worker<'m, 'i>
    where
        Self: 'm;

    fn worker(&self, _index: usize) -> Worker<'_, 'i> {
        let interned = self.heap.arena();
        let tables = self
            .prepared
            .parts
            .as_ref()
            .map(|it| Box::new(Tables::new(it.sizes, self.prepared.layout.clone(), interned)));
        let mut worker = Worker {
            model: self,
            scratch: Arena::new(),
            interned,
            buffers: Buffers::default(),
            cache: RefCell::new(Cache::new(self.compiled.program.n_sites)),
            tables,
            player: None,
            audit: None,
            registers: None,
            counted: 0,
            uncounted: 0,
        };
        if let Some(spoilt) = self.spoilt {
            worker.spoil(spoilt);
        }
        worker
    }

    fn memory(&self) -> usize {
        self.memory.load(Relaxed)
    }

    fn n_slots(&self) -> usize {
        self.prepared.layout.n_slots()
    }

    /// Each time: how much follows, the layout, what is known to be possible, and new values.
    fn write_values(&self, noted: &mut Vec<usize>, bytes: &mut Vec<u8>) {
        let seen: Vec<u8> = self.possible.seen().flat_map(u64::to_le_bytes).collect();
        let mut values = vec![];
        self.heap.interner.write_dictionary(noted, &mut values);
        bytes.extend((seen.len() as u64).to_le_bytes());
        bytes.extend((values.len() as u64).to_le_bytes());
        bytes.extend(self.prepared.layout.fingerprint().to_le_bytes());
        bytes.extend(seen);
        bytes.extend(values);
    }

    fn read_values(
        &self,
        worker: &mut Worker<'_, 'i>,
        mut bytes: &[u8],
    ) -> Option<Box<explore::Translation>> {
        let mut values = vec![];
        while let Some((head, rest)) = bytes.split_first_chunk::<16>() {
            let head = u128::from_le_bytes(*head);
            let (layout, rest) = rest.split_first_chunk::<8>()?;
            if u64::from_le_bytes(*layout) != self.prepared.layout.fingerprint() {
                return None;
            }
            let (seen, rest) = rest.split_at_checked(head as u64 as usize)?;
            let (more, rest) = rest.split_at_checked((head >> 64) as usize)?;
            let (seen, _) = seen.as_chunks();
            self.possible
                .set_seen(seen.iter().map(|it| u64::from_le_bytes(*it)));
            values.extend_from_slice(more);
            bytes = rest;
        }
        let renamed = self.heap.interner.read_dictionary(&values, worker.interned)?;
        bytes
            .is_empty()
            .then(|| Box::new(move |slot| renamed.slot(slot)) as Box<explore::Translation>)
    }

    fn initial(&self, worker: &mut Worker<'_, 'i>, sink: &mut dyn Sink) -> Result<(), explore::Fault> {
        match self.auditor.and_then(|it| it.chooses_initial()) {
            Some(effort) => self.audited_initial(worker, effort, sink),
            None => self.begin(worker, sink),
        }
    }

    fn successors(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        match self.auditor.and_then(|it| it.chooses(state, depth)) {
            Some(effort) => self.audited_successors(worker, effort, (state, depth), sink),
            None => self.expand(worker, state, depth, sink),
        }
    }

    fn walk(
        &self,
        worker: &mut Worker<'_, 'i>,
        start: explore::Step,
        random: &mut Random,
        how: &WalkOptions<'_>,
    ) -> Walk {
        let Some(parts) = &self.prepared.walks else {
            return explore::uniform_walk(self, worker, start, random, how);
        };
        if how.options.workers > 1 && worker.registers.is_none() {
            worker.registers = Some(self.compiled.effects.registers().for_worker());
        }
        self.walk_from(parts, worker, start, random, how)
    }

    fn is_repeatable(&self) -> bool {
        self.compiled.relation.is_next_pure
    }

    fn end_walks(&self, worker: &mut Worker<'_, 'i>, index: usize) {
        if let Some(own) = &worker.registers {
            self.compiled.effects.registers().take_from_worker(index, own);
        }
    }

    fn inspect(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<Inspection, explore::Fault> {
        match self.auditor.and_then(|it| it.chooses(state, depth)) {
            Some(effort) => self.audited_inspection(worker, effort, (state, depth)),
            None => self.examine(worker, state, depth),
        }
    }
}

impl<'i> TlaModel<'i> {
    /// The initial states, by evaluation.
    pub(crate) fn begin(
        &self,
        worker: &mut Worker<'_, 'i>,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        let Worker {
            model,
            scratch,
            interned,
            buffers,
            ..
        } = worker;
        // What is counted would be counted again.
        let init = self.compiled.relation.init;
        let may_pause = self.compiled.relation.is_init_pure && !self.compiled.is_counted();
        let mut resumable = may_pause.then(|| Box::new(Resumable::new()));
        loop {
            scratch.reset();
            let mut machine = model.compiled.machine(scratch, interned);
            machine.step.search.resumable = resumable;
            let mut is_over = true;
            let flow = machine.initial(init, self.n_variables(), &mut |machine, action| {
                let found = machine
                    .step
                    .search
                    .resumable
                    .as_mut()
                    .map(|it| it.found(machine.arena, machine.work));
                match found {
                    Some(Found::Old) => return Ok(false),
                    Some(Found::Pause) => {
                        is_over = false;
                        return Ok(true);
                    }
                    Some(Found::New) | None => {}
                }
                self.emit(machine, interned, buffers, action, true, sink)
            });
            match flow {
                Ok(_) if is_over => return Ok(()),
                Ok(_) => {
                    resumable = machine
                        .step
                        .search
                        .resumable
                        .take()
                        .map(|it| Box::new(it.again()))
                }
                Err(it) => return Err(fault(&mut machine, it, init)),
            }
        }
    }

    /// The successors of a state, by table or by evaluation.
    pub(crate) fn expand(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        worker.scratch.reset();
        worker.count_memory();
        let relation = &self.compiled.relation;
        let player = worker.player.map(|it| relation.players[it].next);
        let Some(next) = player.or(relation.next) else {
            return self.stay(worker, state, depth, sink);
        };
        let tabled = worker.tables.as_mut().is_some_and(|it| {
            for sort in [Sort::Action, Sort::Step, Sort::Function] {
                it.trees(sort).tick();
            }
            sink.wants_labels() && self.prepared.has_links() || !it.trees(Sort::Action).all_off()
        });
        if tabled && self.prepared.layout.fits(state) {
            return worker.tabled_successors(next, state, depth, sink);
        }
        self.evaluated_successors(worker, next, state, depth, sink)
    }

    /// What must be true of a new state, by table or by evaluation.
    pub(crate) fn examine(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<Inspection, explore::Fault> {
        worker.scratch.reset();
        let inspection = self.judge_state(worker, state, depth)?;
        if inspection.expand && self.possible.wants_states(depth) {
            self.look_for_possible(worker, state, depth)?;
        }
        Ok(inspection)
    }
}

impl<'i> TlaModel<'i> {
    /// Whether a state is inside of the constraints, and what it violates.
    fn judge_state(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<Inspection, explore::Fault> {
        let Compiled {
            constraints,
            properties,
            ..
        } = &self.compiled;
        if constraints.states.is_empty() && properties.of_state(depth == 1).next().is_none() {
            return Ok(Inspection::FINE);
        }
        let tabled = worker.tables.as_mut().is_some_and(|it| {
            it.trees(Sort::Test).tick();
            !it.trees(Sort::Test).all_off()
        });
        if tabled
            && self.prepared.layout.fits(state)
            && let Some(inspection) = worker.tabled_inspection(state, depth)
        {
            return Ok(inspection);
        }
        let space = std::mem::take(&mut worker.buffers.space);
        let mut machine = self.compiled.machine_in(&worker.scratch, worker.interned, space);
        machine.memo = self.memo(&worker.cache, worker.interned);
        self.set_current(&mut machine, state);
        machine.state.level = depth;
        machine.state.memo_on = true;
        let mut inspection = Inspection::FINE;
        for check in &constraints.states {
            match machine.test(check.proc) {
                Ok(true) => {}
                Ok(false) => inspection.expand = false,
                Err(it) => return Err(fault(&mut machine, it, check.proc)),
            }
        }
        for (property, check) in properties.of_state(depth == 1) {
            match machine.test(check.proc) {
                Ok(true) => {}
                Ok(false) => {
                    inspection.violated = Some(property);
                    break;
                }
                Err(it) => return Err(fault(&mut machine, it, check.proc)),
            }
        }
        worker.buffers.space = machine.into_space();
        Ok(inspection)
    }
}
