//! Successors and tests by table, and by evaluation where a table does not know.

use std::cell::RefCell;
use std::ops::Range;

use explore::{Inspection, Sink};
use value::Slot;

use super::instance::ActionInstance;
use super::parts::{StepCheck, StepLabel, StepRole, Subscript, TableParts, Test};
use super::record::Recording;
use super::steps::are_comparable;
use super::tree::LeafId;
use super::{ENDS_AT_ONCE, FALSE, N_ENDS, NO_SUCCESSOR, Sort, Successor, TRUE, TRUE_AT_ONCE, Tables};
use crate::action::Flow;
use crate::audit::Spoilt;
use crate::code::ProcId;
use crate::error::Fault;
use crate::labels::{Evaluated, LabelTests, Labels};
use crate::machine::Machine;
use crate::memo::Cache;
use crate::model::{Buffers, TlaModel, Worker, fault};

impl<'m, 'i> Worker<'m, 'i> {
    /// As [`explore::Model::successors`], one action instance after the other.
    pub(crate) fn tabled_successors(
        &mut self,
        next: ProcId,
        state: &[Slot],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        let model = self.model;
        let (Some(mut tables), Some(parts)) = (self.tables.take(), &model.prepared.parts) else {
            return Ok(());
        };
        tables.enter(state, &model.heap.interner);
        let mut expansion = Expansion {
            model,
            parts,
            state,
            depth,
            player: self.player,
            interned: self.interned,
            scratch: &self.scratch,
            buffers: &mut self.buffers,
            cache: &self.cache,
            tables: Some(tables),
            machine: None,
            gathers: None,
            is_odd: false,
            is_plain: false,
        };
        let flow = expansion.run(sink);
        let Expansion { tables, machine, .. } = expansion;
        self.tables = tables;
        if let Some(machine) = machine {
            self.buffers.space = machine.into_space();
        }
        match flow {
            Ok(_) => Ok(()),
            Err(it) => Err(self.retell(it, next, state, depth, sink.wants_labels())),
        }
    }

    /// The error of an instance, told from the whole relation: with every definition that led there.
    fn retell(
        &mut self,
        error: Fault,
        next: ProcId,
        state: &[Slot],
        depth: u32,
        labels: bool,
    ) -> explore::Fault {
        let model = self.model;
        let told = model.evaluated_successors(self, next, state, depth, &mut Nowhere { labels });
        told.err().unwrap_or_else(|| {
            let mut machine = model.compiled.machine(&self.scratch, self.interned);
            fault(&mut machine, error, next)
        })
    }

    /// As [`explore::Model::inspect`]; nothing when a test went wrong, or something else must be looked at.
    pub(crate) fn tabled_inspection(&mut self, state: &[Slot], depth: u32) -> Option<Inspection> {
        let model = self.model;
        if depth == 1 && !model.compiled.properties.initial.is_empty() {
            return None;
        }
        let parts = model.prepared.parts.as_ref()?;
        let mut tables = self.tables.take()?;
        tables.enter_tests(state, &model.heap.interner);
        let mut expansion = Expansion {
            model,
            parts,
            state,
            depth,
            player: self.player,
            interned: self.interned,
            scratch: &self.scratch,
            buffers: &mut self.buffers,
            cache: &self.cache,
            tables: Some(tables),
            machine: None,
            gathers: None,
            is_odd: false,
            is_plain: false,
        };
        let mut inspection = Some(Inspection::FINE);
        let mut from = 0;
        while let Some((n, test)) = expansion.next_test(from) {
            from = n + 1;
            let Ok(holds) = expansion.test(Sort::Test, n, &test.conjunct) else {
                inspection = None;
                break;
            };
            if holds {
                continue;
            }
            let Some(inspection) = &mut inspection else { break };
            match test.invariant {
                None => inspection.expand = false,
                Some(invariant) => {
                    inspection.violated = Some(invariant);
                    break;
                }
            }
        }
        let Expansion { tables, machine, .. } = expansion;
        self.tables = tables;
        if let Some(machine) = machine {
            self.buffers.space = machine.into_space();
        }
        inspection
    }
}

/// One state while it is expanded or tested.
struct Expansion<'e, 'i> {
    model: &'e TlaModel<'i>,
    parts: &'e TableParts<'i>,
    state: &'e [Slot],
    depth: u32,
    player: Option<usize>,
    interned: &'i value::Arena,
    scratch: &'e value::Arena,
    buffers: &'e mut Buffers,
    cache: &'e RefCell<Cache<'i>>,
    /// Here, or in the machine's recording.
    tables: Option<Box<Tables<'i>>>,
    /// Made when something has to be evaluated.
    machine: Option<Machine<'e, 'i>>,
    /// Successors of this part of the relation are gathered, not passed on.
    gathers: Option<usize>,
    /// The state in `buffers.slots` does not fit the layout: the step to it is no matter for tables.
    is_odd: bool,
    /// Nobody looks at steps, and a state is its own key without a hash.
    is_plain: bool,
}

impl<'e, 'i> Expansion<'e, 'i> {
    fn take_machine(&mut self) -> Machine<'e, 'i> {
        if let Some(machine) = self.machine.take() {
            return machine;
        }
        let model = self.model;
        let space = std::mem::take(&mut self.buffers.space);
        let mut machine = model.compiled.machine_in(self.scratch, self.interned, space);
        model.set_current(&mut machine, self.state);
        machine.state.level = self.depth;
        machine.memo = model.memo(self.cache, self.interned);
        machine.state.memo_on = true;
        machine
    }

    /// Emits all successors, with the labels that are wanted.
    fn run(&mut self, sink: &mut dyn Sink) -> Flow {
        let (model, state) = (self.model, self.state);
        if sink.wants_labels() && self.parts.has_links {
            return self.run_gathered(sink);
        }
        self.is_plain = self.parts.step_tests.is_empty()
            && model.states_are_keys()
            && !sink.wants_labels()
            && !sink.needs_hash();
        let mut entered = Ok(());
        if sink.wants_labels() {
            entered = self.with_labels(|labels, tests| labels.enter(&model.compiled.liveness, tests, state));
        }
        if entered.is_err() {
            // The steps count that come before the error is told.
            self.buffers.labels.give_up(&model.compiled.liveness, state);
        }
        let Range { mut start, end } = self.parts.actions_of(self.player);
        while let Some(n) = self.next_instance(start).filter(|&it| it < end) {
            if self.instance(n, sink)? {
                return Ok(true);
            }
            start = n + 1;
        }
        entered?;
        if sink.wants_labels() {
            self.with_labels(|labels, tests| labels.leave(&model.compiled.liveness, tests))?;
            sink.label_state(&self.buffers.labels.state);
        }
        Ok(false)
    }

    /// As [`Expansion::run`], where labels ask which parts of the relation a step belongs to.
    fn run_gathered(&mut self, sink: &mut dyn Sink) -> Flow {
        let (model, state) = (self.model, self.state);
        self.buffers.steps.clear(state.len());
        let mut gathered = Ok(false);
        let Range { mut start, end } = self.parts.actions_of(self.player);
        while let Some(n) = self.next_instance(start).filter(|&it| it < end) {
            start = n + 1;
            if let Some(&Some(earlier)) = self.parts.repeated.get(n) {
                self.buffers.steps.repeat(earlier as usize, n);
                continue;
            }
            self.gathers = Some(n);
            gathered = self.instance(n, sink);
            if gathered.is_err() {
                break;
            }
        }
        self.gathers = None;
        self.buffers.steps.compare();
        if gathered.is_ok() {
            let entered =
                self.with_labels(|labels, tests| labels.enter(&model.compiled.liveness, tests, state));
            gathered = entered.map(|()| false);
        }
        if gathered.is_err() {
            // Nobody will look at the labels of a state that has no end.
            self.buffers.labels.give_up(&model.compiled.liveness, state);
        }
        for step in 0..self.buffers.steps.len() {
            let Buffers { steps, slots, .. } = &mut *self.buffers;
            steps.at = step;
            slots.clear();
            slots.extend_from_slice(steps.target(step));
            let action = steps.action(step);
            if self.pass_on(action, sink)? {
                return Ok(true);
            }
        }
        // What was found before an error counts.
        gathered?;
        self.with_labels(|labels, tests| labels.leave(&model.compiled.liveness, tests))?;
        sink.label_state(&self.buffers.labels.state);
        Ok(false)
    }

    /// The next instance that is worth asking.
    fn next_instance(&self, from: usize) -> Option<usize> {
        self.tables.as_ref()?.dispatch.next(from)
    }

    /// The next test that is worth asking.
    fn next_test(&self, from: usize) -> Option<(usize, &'e Test<'i>)> {
        let n = self.tables.as_ref()?.tests.next(from)?;
        Some((n, self.parts.tests.get(n)?))
    }

    /// Emits the successors by one instance.
    fn instance(&mut self, n: usize, sink: &mut dyn Sink) -> Flow {
        let mut emitted = 0;
        if let Some(leaf) = self.find(Sort::Action, n)
            && let Some(flow) = self.emit_leaf(n, leaf, &mut emitted, sink)
        {
            return flow;
        }
        self.evaluate(n, emitted, sink)
    }

    /// Emits what a leaf says; nothing when that is not possible here, and the evaluator will tell why.
    fn emit_leaf(&mut self, n: usize, leaf: u32, emitted: &mut usize, sink: &mut dyn Sink) -> Option<Flow> {
        if leaf == NO_SUCCESSOR {
            return Some(Ok(false));
        }
        let model = self.model;
        if leaf < N_ENDS {
            let which = leaf - ENDS_AT_ONCE;
            self.tables
                .as_mut()?
                .learn(Sort::Action, n, which, &model.heap.interner);
            return Some(Ok(false));
        }
        let n_successors = self.tables.as_ref()?.n_successors(leaf);
        for k in 0..n_successors {
            let place = (&model.heap.interner, self.interned, self.scratch);
            let tables = self.tables.as_mut()?;
            let made = tables.successor((leaf, k), self.state, place, &mut self.buffers.slots);
            let flow = self.pass_on(made.ok()?, sink);
            *emitted += 1;
            if flow != Ok(false) {
                return Some(flow);
            }
        }
        Some(Ok(false))
    }

    /// Evaluates an instance, and remembers what it did. The first successors were emitted already.
    fn evaluate(&mut self, n: usize, emitted: usize, sink: &mut dyn Sink) -> Flow {
        let (model, interned) = (self.model, self.interned);
        let machine = self.take_machine();
        let mut pending = std::mem::take(&mut self.buffers.pending);
        let mut actions = std::mem::take(&mut self.buffers.actions);
        pending.clear();
        actions.clear();
        let search = |machine: &mut Machine<'e, 'i>| {
            machine.instance_successors(&self.parts.actions[n], &mut |machine, action| {
                let at = pending.len();
                model.encode_next(machine, interned, action, &mut pending)?;
                actions.push(action);
                if let Some(recording) = &mut machine.recording {
                    recording.found(action, &machine.step.how, &pending[at..]);
                }
                Ok(false)
            })
        };
        let found = self.recorded(machine, (Sort::Action, n), search, |tables, successors, _| {
            tables.add_leaf(successors)
        });
        (self.buffers.pending, self.buffers.actions) = (pending, actions);
        for k in emitted..self.buffers.actions.len() {
            let Buffers {
                slots,
                pending,
                actions,
                ..
            } = &mut *self.buffers;
            let n_slots = self.state.len();
            slots.clear();
            slots.extend_from_slice(&pending[k * n_slots..(k + 1) * n_slots]);
            let action = actions[k];
            if self.pass_on(action, sink)? {
                return Ok(true);
            }
        }
        found
    }

    /// Emits the state in `buffers.slots`, and looks at the step to it.
    #[inline]
    fn pass_on(&mut self, action: ProcId, sink: &mut dyn Sink) -> Flow {
        match self.is_plain {
            true => Ok(sink.emit(&self.buffers.slots, 0, None, action.raw()).is_break()),
            false => self.pass_on_with_care(action, sink),
        }
    }

    fn pass_on_with_care(&mut self, action: ProcId, sink: &mut dyn Sink) -> Flow {
        let model = self.model;
        if let Some(part) = self.gathers {
            let Buffers { steps, slots, .. } = &mut *self.buffers;
            steps.push(action, part, slots);
            return Ok(false);
        }
        if (!self.parts.step_tests.is_empty() || sink.wants_labels())
            && let Some(tables) = &mut self.tables
        {
            self.is_odd = !model.prepared.layout.fits(&self.buffers.slots);
            tables.paths.enter_next(&self.buffers.slots);
        }
        let limiting = |it: &&StepCheck<'i>| !matches!(it.role, StepRole::Property(_));
        for test in self.parts.step_tests.iter().filter(limiting) {
            if !self.step(test)? {
                self.buffers.labels.has_excluded = true;
                let stop = sink.exclude(action.raw()).is_break();
                return match test.role {
                    StepRole::Constraint if !stop => self.judge_excluded(sink),
                    _ => Ok(stop),
                };
            }
        }
        let stop = match model.evaluated_view() {
            None => model.emit_state(None, self.interned, self.buffers, action, sink)?,
            Some(_) => {
                let mut machine = self.machine_of_step();
                let flow = model.emit_state(Some(&mut machine), self.interned, self.buffers, action, sink);
                self.machine = Some(machine);
                flow?
            }
        };
        if stop {
            return Ok(true);
        }
        if self.judge_step(sink)? {
            return Ok(true);
        }
        if sink.wants_labels() {
            self.label_step(sink)?;
        }
        Ok(false)
    }

    /// Tells a property that the step to `buffers.slots` violates.
    fn judge_step(&mut self, sink: &mut dyn Sink) -> Flow {
        for test in &self.parts.step_tests {
            if let StepRole::Property(property) = test.role
                && !self.step(test)?
            {
                return Ok(sink.violation(property, &self.buffers.slots).is_break());
            }
        }
        Ok(false)
    }

    /// What must be true of an excluded step, and of the state that nobody will inspect because of it.
    fn judge_excluded(&mut self, sink: &mut dyn Sink) -> Flow {
        let mut machine = self.machine_of_step();
        let stop = self.model.judge_target(&mut machine, self.buffers, sink);
        self.machine = Some(machine);
        Ok(stop? || self.judge_step(sink)?)
    }

    /// Labels the step to `buffers.slots`, which was just emitted.
    fn label_step(&mut self, sink: &mut dyn Sink) -> Result<(), Fault> {
        let model = self.model;
        if self.parts.has_links {
            let n_words = model.compiled.liveness.step_labels.len().div_ceil(64);
            if let Some(known) = self.buffers.steps.known_labels(n_words) {
                sink.label_step(known);
                return Ok(());
            }
        }
        let mut target = std::mem::take(&mut self.buffers.target);
        target.clone_from(&self.buffers.slots);
        let labelled =
            self.with_labels(|labels, tests| labels.step(&model.compiled.liveness, tests, &target));
        self.buffers.target = target;
        labelled?;
        let Buffers { labels, steps, .. } = &mut *self.buffers;
        if self.parts.has_links {
            steps.note_labels(&labels.step);
        }
        sink.label_step(&labels.step);
        Ok(())
    }

    /// What evaluation says of the state.
    fn evaluated(&mut self, ask: impl FnOnce(&mut Evaluated<'_, 'e, 'i>) -> Flow) -> Flow {
        let mut machine = self.take_machine();
        let holds = ask(&mut Evaluated(self.model, &mut machine));
        self.machine = Some(machine);
        holds
    }

    /// What evaluation says of the step to `buffers.slots`.
    fn evaluated_step(&mut self, ask: impl FnOnce(&mut Evaluated<'_, 'e, 'i>) -> Flow) -> Flow {
        let mut machine = self.machine_of_step();
        let holds = ask(&mut Evaluated(self.model, &mut machine));
        self.machine = Some(machine);
        holds
    }

    /// A machine with both states of the step to `buffers.slots`.
    fn machine_of_step(&mut self) -> Machine<'e, 'i> {
        let mut machine = self.take_machine();
        self.model.set_next(&mut machine, &self.buffers.slots, true);
        machine
    }

    /// Whether the step to `buffers.slots` passes a test.
    fn step(&mut self, test: &StepCheck<'i>) -> Flow {
        if self.stays(&test.subscript) {
            return Ok(true);
        }
        for (n, disjunct) in test.disjuncts.iter().enumerate() {
            let holds = self.test(Sort::Step, test.first + n, disjunct)?;
            if holds {
                return Ok(true);
            }
        }
        // Slots that differ may hold values that cannot be compared, and then there is an error to be told.
        match test.subscript {
            Subscript::None => Ok(false),
            Subscript::Slots(_) | Subscript::Functions(..) => {
                let mut machine = self.machine_of_step();
                let holds = machine.test(test.proc);
                self.machine = Some(machine);
                holds
            }
        }
    }

    /// Whether the step is sure to leave a subscript alone, as [`Machine::stays`] has it.
    fn stays(&mut self, subscript: &Subscript<'i>) -> bool {
        match subscript {
            Subscript::None => false,
            Subscript::Slots(slots) => slots
                .iter()
                .all(|&it| self.state[it as usize] == self.buffers.slots[it as usize]),
            Subscript::Functions(first, functions) => {
                let mut functions = functions.iter().enumerate();
                functions.all(|(n, function)| self.function_stays(first + n, function))
            }
        }
    }

    fn function_stays(&mut self, n: usize, function: &ActionInstance<'i>) -> bool {
        let before = self.value(n, function, false);
        let stays = match before {
            Ok(before) => self.value(n, function, true) == Ok(before),
            Err(_) => false,
        };
        // A value that is missing is told when it decides, see `step`.
        if let (false, Some(machine)) = (stays, &mut self.machine) {
            machine.error = None;
        }
        stays
    }

    /// The value of a state function, in the present state or in the next one.
    fn value(&mut self, n: usize, function: &ActionInstance<'i>, next: bool) -> Result<Slot, Fault> {
        let model = self.model;
        let known = match (&mut self.tables, next) {
            (Some(tables), true) if !self.is_odd => tables.find_next(n, &model.heap.interner),
            (_, true) => None,
            (_, false) => self.find(Sort::Function, n),
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let mut machine = self.machine_of_step();
        // As a state of its own: then what is noted serves both states of later steps.
        if next {
            model.set_current(&mut machine, &self.buffers.slots);
            (machine.state.memo_on, machine.state.level) = (false, self.depth + 1);
            let slots = std::mem::take(&mut self.buffers.slots);
            self.enter(&slots);
            self.buffers.slots = slots;
        }
        let interned = self.interned;
        let evaluate = |machine: &mut Machine<'e, 'i>| {
            let value = machine.part_value(function)?;
            model
                .heap
                .interner
                .intern(value, interned)
                .map_err(|_| Fault::Error)
        };
        let value = self.recorded(machine, (Sort::Function, n), evaluate, |_, _, slot| slot);
        if next {
            if let Some(machine) = &mut self.machine {
                model.set_current(machine, self.state);
                (machine.state.memo_on, machine.state.level) = (true, self.depth);
            }
            self.enter(self.state);
        }
        value
    }

    /// Looks at another state in the tables.
    fn enter(&mut self, state: &[Slot]) {
        if let Some(tables) = &mut self.tables {
            tables.paths.enter(state);
        }
    }

    /// Whether a formula about the state, or about the step to `buffers.slots`, holds.
    fn test(&mut self, sort: Sort, n: usize, part: &ActionInstance<'i>) -> Flow {
        if let Some(leaf) = self.find(sort, n) {
            if leaf >= TRUE_AT_ONCE
                && let Some(tables) = &mut self.tables
            {
                tables.learn(sort, n, leaf - TRUE_AT_ONCE, &self.model.heap.interner);
            }
            return Ok(leaf != FALSE);
        }
        let machine = match sort {
            Sort::Step => self.machine_of_step(),
            _ => self.take_machine(),
        };
        self.recorded(
            machine,
            (sort, n),
            |machine| machine.test_part(part),
            |_, _, holds| if holds { TRUE } else { FALSE },
        )
    }

    /// Runs something on the labels of this expansion, which ask it back.
    fn with_labels<T>(&mut self, run: impl FnOnce(&mut Labels, &mut Self) -> T) -> T {
        let mut labels = std::mem::take(&mut self.buffers.labels);
        let result = run(&mut labels, self);
        self.buffers.labels = labels;
        result
    }

    /// What a table knows of a formula.
    fn find(&mut self, sort: Sort, n: usize) -> Option<LeafId> {
        if self.is_odd && matches!(sort, Sort::Step | Sort::Function) {
            return None;
        }
        self.tables.as_mut()?.find(sort, n, &self.model.heap.interner)
    }

    /// Evaluates a formula, and adds what it read and gave to its tree unless that is given up. The machine stays at hand.
    fn recorded<T: Copy>(
        &mut self,
        mut machine: Machine<'e, 'i>,
        (sort, n): (Sort, usize),
        run: impl FnOnce(&mut Machine<'e, 'i>) -> Result<T, Fault>,
        leaf: impl FnOnce(&mut Tables<'i>, &[Successor], T) -> LeafId,
    ) -> Result<T, Fault> {
        let is_odd = self.is_odd && matches!(sort, Sort::Step | Sort::Function);
        if let Some(tables) = self.tables.take_if(|it| !is_odd && it.trees(sort).is_on(n)) {
            let recording = Recording::new(tables, &self.model.heap.interner, self.interned);
            machine.begin_recording(recording, self.model.n_variables(), sort == Sort::Step);
        }
        let result = run(&mut machine);
        if let Some(recording) = machine.end_recording() {
            // Each state is expanded once, and tested once.
            let whole = matches!(sort, Sort::Action | Sort::Test) && recording.is_whole();
            let mut tables = recording.tables;
            match result {
                _ if recording.poisoned => tables.trees(sort).turn_off(n),
                Ok(_) if whole => tables.trees(sort).add_whole(n),
                Ok(result) => {
                    let leaf = leaf(&mut tables, &recording.successors, result);
                    tables.add(sort, n, &recording.reads.all, leaf);
                }
                Err(_) => {}
            }
            self.tables = Some(tables);
        }
        self.machine = Some(machine);
        result
    }
}

impl LabelTests for Expansion<'_, '_> {
    fn state_label(&mut self, n: usize) -> Flow {
        let model = self.model;
        let label = &model.compiled.liveness.state_labels[n];
        if label.abstraction.is_empty()
            && let Some(step) = label.enables
            && let StepLabel::Link(link) = &self.parts.step_labels[step as usize]
        {
            let is_spoilt = model.spoilt == Some(Spoilt::Labels);
            let enables = self.buffers.steps.enables(link, self.state, &model.heap.interner);
            if let Some(enables) = enables {
                return Ok(enables != is_spoilt);
            }
            // What has no link is evaluated, and tells what is wrong with the subscript.
            return self.evaluated(|tests| tests.state_label(n));
        }
        let Some((first, parts)) = &self.parts.state_labels[n] else {
            return self.evaluated(|tests| tests.state_label(n));
        };
        for (i, part) in parts.iter().enumerate() {
            if !self.test(Sort::Test, first + i, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn stuttering_label(&mut self, n: usize) -> Flow {
        self.evaluated(|tests| tests.stuttering_label(n))
    }

    fn step_label(&mut self, n: usize) -> Flow {
        let model = self.model;
        match &self.parts.step_labels[n] {
            StepLabel::Always => self.moves(n),
            StepLabel::Link(link) => {
                let belongs = self.buffers.steps.belongs(link, self.state, &model.heap.interner);
                belongs.map_or_else(|| self.evaluated_step(|tests| tests.step_label(n)), Ok)
            }
            StepLabel::Parts(first, parts) => {
                for (i, part) in parts.iter().enumerate() {
                    match self.test(Sort::Step, first + i, part) {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        // The whole decides what a part without a value means.
                        Err(_) => {
                            if let Some(machine) = &mut self.machine {
                                machine.error = None;
                            }
                            return self.evaluated_step(|tests| tests.step_label(n));
                        }
                    }
                }
                Ok(true)
            }
        }
    }

    fn moves(&mut self, n: usize) -> Flow {
        let interner = &self.model.heap.interner;
        let pairs = self.state.iter().zip(&self.buffers.slots);
        let mut changes = pairs.filter(|(before, after)| before != after);
        match changes.all(|(&a, &b)| are_comparable(a, b, interner)) {
            true => Ok(true),
            false => self.evaluated_step(|tests| tests.moves(n)),
        }
    }
}

/// Takes everything and does nothing.
pub(crate) struct Nowhere {
    pub labels: bool,
}

impl Sink for Nowhere {
    fn wants_labels(&self) -> bool {
        self.labels
    }

    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(&mut self, _: &[u32], _: u64, _: Option<(&[u32], u64)>, _: u32) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }

    fn exclude(&mut self, _: u32) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }

    fn violation(&mut self, _: u32, _: &[u32]) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }
}
