//! Successors and tests by table, and by evaluation where a table does not know.

use explore::{Inspection, Sink};
use value::Slot;

use super::Tables;
use super::record::Recording;
use crate::action::Flow;
use crate::code::ProcId;
use crate::error::Fault;
use crate::machine::Machine;
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
        let Some(mut tables) = self.tables.take() else {
            return Ok(());
        };
        tables.paths.enter();
        let mut expansion = Expansion {
            model,
            state,
            depth,
            interned: self.interned,
            scratch: &self.scratch,
            buffers: &mut self.buffers,
            tables: Some(tables),
            machine: None,
        };
        let mut flow = Ok(false);
        for n in 0..model.instances.len() {
            flow = expansion.instance(n, sink);
            if flow != Ok(false) {
                break;
            }
        }
        let Expansion { tables, machine, .. } = expansion;
        self.tables = tables;
        if let Some(machine) = machine {
            self.buffers.space = machine.into_space();
        }
        match flow {
            Ok(_) => Ok(()),
            Err(_) => Err(self.retell(next, state, depth)),
        }
    }

    /// The error of an instance, told from the whole relation: with every definition that led there.
    fn retell(&mut self, next: ProcId, state: &[Slot], depth: u32) -> explore::Fault {
        let model = self.model;
        let mut machine = Machine::new(model.program, &self.scratch, self.interned, model.effects);
        machine
            .current
            .extend(state.iter().map(|&it| model.interner.value(it)));
        machine.level = depth;
        let (interned, buffers) = (self.interned, &mut self.buffers);
        let flow = machine.successors(next, &mut |machine, action| {
            model.emit(machine, interned, buffers, action, false, &mut Nowhere)
        });
        fault(&mut machine, flow.err().unwrap_or(Fault::Error), next)
    }

    /// As [`explore::Model::inspect`]; nothing when a test went wrong, or something else must be looked at.
    pub(crate) fn tabled_inspection(&mut self, state: &[Slot], depth: u32) -> Option<Inspection> {
        let model = self.model;
        if depth == 1 && !model.initial_properties.is_empty() {
            return None;
        }
        let mut tables = self.tables.take()?;
        tables.paths.enter();
        let mut expansion = Expansion {
            model,
            state,
            depth,
            interned: self.interned,
            scratch: &self.scratch,
            buffers: &mut self.buffers,
            tables: Some(tables),
            machine: None,
        };
        let mut inspection = Some(Inspection::FINE);
        for (n, test) in model.tests.iter().enumerate() {
            let Some(holds) = expansion.test(n) else {
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

    /// Emits the successors by one instance.
    fn instance(&mut self, n: usize, sink: &mut dyn Sink) -> Flow {
        let mut emitted = 0;
        if let Some(mut tables) = self.tables.take() {
            let leaf = match tables.actions.is_on(n) {
                true => tables.find_action(n, self.state, &self.model.interner),
                false => None,
            };
            let flow = match leaf {
                Some(leaf) => self.emit_leaf(&mut tables, leaf, &mut emitted, sink),
                None => Err(Fault::Error),
            };
            self.tables = Some(tables);
            if flow.is_ok() {
                return flow;
            }
        }
        self.evaluate(n, emitted, sink)
    }

    /// Emits what a leaf says. An error is one of the evaluator, which will tell it.
    fn emit_leaf(
        &mut self,
        tables: &mut Tables<'i>,
        leaf: u32,
        emitted: &mut usize,
        sink: &mut dyn Sink,
    ) -> Flow {
        let model = self.model;
        for k in 0..tables.n_successors(leaf) {
            let place = (&model.interner, self.interned, self.scratch);
            let action = tables
                .successor((leaf, k), self.state, place, &mut self.buffers.slots)
                .map_err(|_| Fault::Error)?;
            let stop = match model.looks_at_steps() {
                false => {
                    let slots = &self.buffers.slots[..];
                    sink.emit(slots, model.hash(slots, sink), None, action).is_break()
                }
                true => {
                    let mut machine = self.take_machine();
                    machine.next.clear();
                    machine.next.extend(
                        self.buffers
                            .slots
                            .iter()
                            .map(|&it| Some(model.interner.value(it))),
                    );
                    let flow = model.pass_on(&mut machine, self.interned, self.buffers, action, false, sink);
                    self.machine = Some(machine);
                    flow?
                }
            };
            *emitted += 1;
            if stop {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Evaluates an instance, and remembers what it did. The first successors were emitted already.
    fn evaluate(&mut self, n: usize, emitted: usize, sink: &mut dyn Sink) -> Flow {
        let (model, interned) = (self.model, self.interned);
        let mut machine = self.take_machine();
        self.begin(&mut machine, |tables| tables.actions.is_on(n));
        let mut left = emitted;
        let buffers = &mut *self.buffers;
        let flow = machine.instance_successors(&model.instances[n], &mut |machine, action| {
            if left > 0 {
                left -= 1;
                return Ok(false);
            }
            let tracking = std::mem::replace(&mut machine.tracking, false);
            let flow = model.emit(machine, interned, buffers, action, false, sink);
            machine.tracking = tracking;
            if let Some(recording) = &mut machine.recording {
                recording.found(action, &buffers.slots);
            }
            flow
        });
        let complete = flow == Ok(false) && emitted == 0;
        self.end(&mut machine, |tables, recording| {
            match (complete, recording.poisoned) {
                (_, true) => tables.actions.turn_off(n),
                (true, false) => {
                    let leaf = tables.add_leaf(&recording.successors);
                    tables.actions.add(n, &recording.reads, leaf);
                }
                (false, false) => {}
            }
        });
        self.machine = Some(machine);
        flow
    }

    /// Whether a test holds; nothing when it went wrong.
    fn test(&mut self, n: usize) -> Option<bool> {
        if let Some(tables) = &mut self.tables
            && tables.tests.is_on(n)
            && let Some(known) = tables.find_test(n, self.state, &self.model.interner)
        {
            return Some(known);
        }
        let mut machine = self.take_machine();
        self.begin(&mut machine, |tables| tables.tests.is_on(n));
        let holds = machine.test_conjunct(&self.model.tests[n].conjunct);
        self.end(&mut machine, |tables, recording| {
            match (holds, recording.poisoned) {
                (_, true) => tables.tests.turn_off(n),
                (Ok(holds), false) => tables.tests.add(n, &recording.reads, u32::from(holds)),
                (Err(_), false) => {}
            }
        });
        self.machine = Some(machine);
        holds.ok()
    }

    /// Begins to record, if that is wanted.
    fn begin(&mut self, machine: &mut Machine<'e, 'i>, wanted: impl Fn(&Tables<'i>) -> bool) {
        if let Some(tables) = self.tables.take_if(|it| wanted(it)) {
            let recording = Recording::new(tables, &self.model.interner, self.interned, self.state);
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

struct Recorded<'r> {
    reads: &'r [(u32, Slot)],
    successors: &'r [super::Successor],
    poisoned: bool,
}

/// Takes everything and does nothing.
struct Nowhere;

impl Sink for Nowhere {
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
