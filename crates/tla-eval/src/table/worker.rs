//! Successors and tests by table, and by evaluation where a table does not know.

use explore::{Inspection, Sink};
use value::Slot;

use super::Tables;
use super::instance::Instance;
use super::record::Recording;
use crate::action::Flow;
use crate::code::ProcId;
use crate::error::Fault;
use crate::machine::Machine;
use crate::marks::{Evaluated, MarkTests, Marks};
use crate::model::{Buffers, StepCheck, Subscript, TlaModel, Worker, fault};

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
        let Some(mut tables) = self.tables.take() else {
            return Ok(());
        };
        tables.paths.enter(state, &model.interner);
        let mut expansion = Expansion {
            model,
            state,
            depth,
            player: self.player,
            interned: self.interned,
            scratch: &self.scratch,
            buffers: &mut self.buffers,
            tables: Some(tables),
            machine: None,
        };
        let flow = expansion.run(sink);
        let Expansion { tables, machine, .. } = expansion;
        self.tables = tables;
        if let Some(machine) = machine {
            self.buffers.space = machine.into_space();
        }
        match flow {
            Ok(_) => Ok(()),
            Err(it) => Err(self.retell(it, next, state, depth, sink.wants_marks())),
        }
    }

    /// The error of an instance, told from the whole relation: with every definition that led there.
    fn retell(
        &mut self,
        error: Fault,
        next: ProcId,
        state: &[Slot],
        depth: u32,
        marks: bool,
    ) -> explore::Fault {
        let model = self.model;
        let told = model.evaluated_successors(self, next, state, depth, &mut Nowhere { marks });
        told.err().unwrap_or_else(|| {
            let mut machine = Machine::new(model.program, &self.scratch, self.interned, model.effects);
            fault(&mut machine, error, next)
        })
    }

    /// As [`explore::Model::inspect`]; nothing when a test went wrong, or something else must be looked at.
    pub(crate) fn tabled_inspection(&mut self, state: &[Slot], depth: u32) -> Option<Inspection> {
        let model = self.model;
        if depth == 1 && !model.initial_properties.is_empty() {
            return None;
        }
        let mut tables = self.tables.take()?;
        tables.paths.enter(state, &model.interner);
        let mut expansion = Expansion {
            model,
            state,
            depth,
            player: self.player,
            interned: self.interned,
            scratch: &self.scratch,
            buffers: &mut self.buffers,
            tables: Some(tables),
            machine: None,
        };
        let mut inspection = Some(Inspection::FINE);
        for (n, test) in model.tests.iter().enumerate() {
            let Ok(holds) = expansion.test(n, &test.conjunct) else {
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
    state: &'e [Slot],
    depth: u32,
    player: Option<usize>,
    interned: &'i value::Arena,
    scratch: &'e value::Arena,
    buffers: &'e mut Buffers,
    /// Here, or in the machine's recording.
    tables: Option<Box<Tables<'i>>>,
    /// Made when something has to be evaluated.
    machine: Option<Machine<'e, 'i>>,
}

impl<'e, 'i> Expansion<'e, 'i> {
    fn take_machine(&mut self) -> Machine<'e, 'i> {
        if let Some(machine) = self.machine.take() {
            return machine;
        }
        let model = self.model;
        let space = std::mem::take(&mut self.buffers.space);
        let mut machine = Machine::reuse(model.program, self.scratch, self.interned, model.effects, space);
        machine
            .current
            .extend(self.state.iter().map(|&it| model.interner.value(it)));
        machine.level = self.depth;
        machine
    }

    /// Emits all successors, with the marks that are wanted.
    fn run(&mut self, sink: &mut dyn Sink) -> Flow {
        let (model, state) = (self.model, self.state);
        if sink.wants_marks() {
            self.with_marks(|marks, tests| marks.enter(&model.liveness, tests, state))?;
        }
        for n in model.instances_of(self.player) {
            if self.instance(n, sink)? {
                return Ok(true);
            }
        }
        if sink.wants_marks() {
            self.with_marks(|marks, tests| marks.leave(&model.liveness, tests))?;
            sink.mark_state(&self.buffers.marks.state);
        }
        Ok(false)
    }

    /// Emits the successors by one instance.
    fn instance(&mut self, n: usize, sink: &mut dyn Sink) -> Flow {
        let interner = &self.model.interner;
        let mut emitted = 0;
        let leaf = match &mut self.tables {
            Some(tables) if tables.actions.is_on(n) => tables.find_action(n, interner),
            _ => None,
        };
        if let Some(leaf) = leaf
            && let Some(flow) = self.emit_leaf(leaf, &mut emitted, sink)
        {
            return flow;
        }
        self.evaluate(n, emitted, sink)
    }

    /// Emits what a leaf says; nothing when that is not possible here, and the evaluator will tell why.
    fn emit_leaf(&mut self, leaf: u32, emitted: &mut usize, sink: &mut dyn Sink) -> Option<Flow> {
        let model = self.model;
        let n = self.tables.as_ref()?.n_successors(leaf);
        for k in 0..n {
            let place = (&model.interner, self.interned, self.scratch);
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
        let mut machine = self.take_machine();
        self.begin(&mut machine, false, |tables| tables.actions.is_on(n));
        let Buffers { pending, actions, .. } = &mut *self.buffers;
        pending.clear();
        actions.clear();
        let found = machine.instance_successors(&model.instances[n], &mut |machine, action| {
            let at = pending.len();
            for i in 0..machine.next.len() {
                let value = machine.next[i].ok_or(Fault::Error)?;
                pending.push(model.interner.intern(value, interned).map_err(|_| Fault::Error)?);
            }
            actions.push(action);
            if let Some(recording) = &mut machine.recording {
                recording.found(action, &pending[at..]);
            }
            Ok(false)
        });
        self.end(&mut machine, |tables, recording| {
            match (found, recording.poisoned) {
                (_, true) => tables.actions.turn_off(n),
                (Ok(_), false) => {
                    let leaf = tables.add_leaf(recording.successors);
                    tables.actions.add(n, recording.reads, leaf);
                }
                (Err(_), false) => {}
            }
        });
        self.machine = Some(machine);
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
    fn pass_on(&mut self, action: ProcId, sink: &mut dyn Sink) -> Flow {
        let model = self.model;
        if (!model.step_tests.is_empty() || sink.wants_marks())
            && let Some(tables) = &mut self.tables
        {
            tables.paths.enter_next(&self.buffers.slots, &model.interner);
        }
        for test in model.step_tests.iter().filter(|it| it.property.is_none()) {
            if !self.step(test)? {
                self.buffers.marks.has_excluded = true;
                return Ok(sink.exclude(action).is_break());
            }
        }
        let stop = match model.has_view() {
            false => model.emit_state(None, self.interned, self.buffers, action, sink)?,
            true => {
                let mut machine = self.machine_of_step();
                let flow = model.emit_state(Some(&mut machine), self.interned, self.buffers, action, sink);
                self.machine = Some(machine);
                flow?
            }
        };
        if stop {
            return Ok(true);
        }
        if sink.wants_marks() {
            let target = std::mem::take(&mut self.buffers.slots);
            // The slots are needed where they were.
            self.buffers.slots.extend_from_slice(&target);
            self.with_marks(|marks, tests| marks.step(&model.liveness, tests, &target))?;
            sink.mark_step(&self.buffers.marks.step);
        }
        for test in &model.step_tests {
            if let Some(property) = test.property
                && !self.step(test)?
            {
                return Ok(sink.violation(property, &self.buffers.slots).is_break());
            }
        }
        Ok(false)
    }

    /// A machine with both states of the step to `buffers.slots`.
    fn machine_of_step(&mut self) -> Machine<'e, 'i> {
        let interner = &self.model.interner;
        let mut machine = self.take_machine();
        machine.next.clear();
        let next = self.buffers.slots.iter().map(|&it| Some(interner.value(it)));
        machine.next.extend(next);
        machine
    }

    /// Whether the step to `buffers.slots` passes a test.
    fn step(&mut self, test: &StepCheck<'i>) -> Flow {
        if self.is_kept(&test.subscript)? {
            return Ok(true);
        }
        for (n, disjunct) in test.disjuncts.iter().enumerate() {
            let holds = self.test_step(test.first + n, disjunct)?;
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the step leaves a subscript alone.
    fn is_kept(&mut self, subscript: &Subscript<'i>) -> Flow {
        match subscript {
            Subscript::None => Ok(false),
            Subscript::Variables(vars) => Ok(vars
                .iter()
                .all(|&it| self.state[it as usize] == self.buffers.slots[it as usize])),
            Subscript::Functions(first, functions) => {
                if self.state == &self.buffers.slots[..] {
                    return Ok(true);
                }
                for (n, function) in functions.iter().enumerate() {
                    if self.value(first + n, function, false)? != self.value(first + n, function, true)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// The value of a state function, in the present state or in the next one.
    fn value(&mut self, n: usize, function: &Instance<'i>, next: bool) -> Result<Slot, Fault> {
        let model = self.model;
        if let Some(tables) = &mut self.tables
            && tables.functions.is_on(n)
            && let Some(known) = tables.find_value(n, next, &model.interner)
        {
            return Ok(known);
        }
        let mut machine = self.machine_of_step();
        // As a state of its own: then what is noted serves both states of later steps.
        let values = match next {
            true => Some(machine.next.iter().flatten().copied().collect()),
            false => None,
        };
        let current = values.map(|it: Vec<_>| std::mem::replace(&mut machine.current, it));
        if next && let Some(tables) = &mut self.tables {
            tables.paths.enter(&self.buffers.slots, &model.interner);
        }
        self.begin(&mut machine, false, |tables| tables.functions.is_on(n));
        let value = machine.part_value(function);
        let value = value.and_then(|it| model.interner.intern(it, self.interned).map_err(|_| Fault::Error));
        self.end(&mut machine, |tables, recording| {
            match (value, recording.poisoned) {
                (_, true) => tables.functions.turn_off(n),
                (Ok(slot), false) => tables.functions.add(n, recording.reads, slot),
                (Err(_), false) => {}
            }
        });
        if let Some(current) = current {
            machine.current = current;
        }
        self.machine = Some(machine);
        if next && let Some(tables) = &mut self.tables {
            tables.paths.enter(self.state, &model.interner);
        }
        value
    }

    /// Whether a test of the state holds.
    fn test(&mut self, n: usize, part: &Instance<'i>) -> Flow {
        if let Some(tables) = &mut self.tables
            && tables.tests.is_on(n)
            && let Some(known) = tables.find_test(n, &self.model.interner)
        {
            return Ok(known);
        }
        let mut machine = self.take_machine();
        self.begin(&mut machine, false, |tables| tables.tests.is_on(n));
        let holds = machine.test_part(part);
        self.end(&mut machine, |tables, recording| {
            match (holds, recording.poisoned) {
                (_, true) => tables.tests.turn_off(n),
                (Ok(holds), false) => tables.tests.add(n, recording.reads, u32::from(holds)),
                (Err(_), false) => {}
            }
        });
        self.machine = Some(machine);
        holds
    }

    /// Whether the step to `buffers.slots` satisfies a formula.
    fn test_step(&mut self, n: usize, part: &Instance<'i>) -> Flow {
        if let Some(tables) = &mut self.tables
            && tables.steps.is_on(n)
            && let Some(known) = tables.find_step(n, &self.model.interner)
        {
            return Ok(known);
        }
        let mut machine = self.machine_of_step();
        self.begin(&mut machine, true, |tables| tables.steps.is_on(n));
        let holds = machine.test_part(part);
        self.end(&mut machine, |tables, recording| {
            match (holds, recording.poisoned) {
                (_, true) => tables.steps.turn_off(n),
                (Ok(holds), false) => tables.steps.add(n, recording.reads, u32::from(holds)),
                (Err(_), false) => {}
            }
        });
        self.machine = Some(machine);
        holds
    }

    /// Runs something on the marks of this expansion, which ask it back.
    fn with_marks<T>(&mut self, run: impl FnOnce(&mut Marks, &mut Self) -> T) -> T {
        let mut marks = std::mem::take(&mut self.buffers.marks);
        let result = run(&mut marks, self);
        self.buffers.marks = marks;
        result
    }

    /// Begins to record, if that is wanted.
    fn begin(&mut self, machine: &mut Machine<'e, 'i>, pair: bool, wanted: impl Fn(&Tables<'i>) -> bool) {
        if let Some(tables) = self.tables.take_if(|it| wanted(it)) {
            let n_variables = self.state.len();
            let recording = Recording::new(tables, &self.model.interner, self.interned, n_variables, pair);
            machine.recording = Some(Box::new(recording));
            machine.tracking = true;
        }
    }

    fn end(&mut self, machine: &mut Machine<'e, 'i>, keep: impl Fn(&mut Tables<'i>, &Recorded<'_>)) {
        machine.tracking = false;
        if let Some(recording) = machine.recording.take() {
            let Recording {
                mut tables,
                reads,
                successors,
                poisoned,
                ..
            } = *recording;
            keep(
                &mut tables,
                &Recorded {
                    reads: &reads,
                    successors: &successors,
                    poisoned,
                },
            );
            self.tables = Some(tables);
        }
    }
}

impl MarkTests for Expansion<'_, '_> {
    fn state_mark(&mut self, n: usize) -> Flow {
        let model = self.model;
        let Some((first, parts)) = &model.state_parts[n] else {
            let mut machine = self.take_machine();
            let holds = Evaluated(model, &mut machine).state_mark(n);
            self.machine = Some(machine);
            return holds;
        };
        for (i, part) in parts.iter().enumerate() {
            if !self.test(first + i, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn step_mark(&mut self, n: usize) -> Flow {
        let model = self.model;
        let Some((first, parts)) = &model.step_parts[n] else {
            return Ok(true);
        };
        for (i, part) in parts.iter().enumerate() {
            if !self.test_step(first + i, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

struct Recorded<'r> {
    reads: &'r [(u32, Slot)],
    successors: &'r [super::Successor],
    poisoned: bool,
}

/// Takes everything and does nothing.
struct Nowhere {
    marks: bool,
}

impl Sink for Nowhere {
    fn wants_marks(&self) -> bool {
        self.marks
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
