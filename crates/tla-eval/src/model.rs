//! A specification as the search sees it: states are vectors of interned values.

use std::sync::Mutex;

use explore::{Inspection, Sink};
use tla_sema::Spec;
use util::Symbol;
use value::{Arena, Interner, Mixer, Value};

use crate::code::{ProcId, Program};
use crate::compile::Compiler;
use crate::effects::Effects;
use crate::error::{EvalError, Fault};
use crate::machine::{Machine, Space};
use crate::plan::Plan;
use crate::symmetry::{self, Images, Permutation};

/// A named proc.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub name: Symbol,
    pub proc: ProcId,
}

/// A compiled specification, ready to be searched.
pub struct TlaModel<'i> {
    pub program: &'i Program<'i>,
    pub interner: Interner<'i>,
    pub init: ProcId,
    /// Absent when there are no steps to take.
    pub next: Option<ProcId>,
    pub invariants: Vec<Check>,
    pub initial_properties: Vec<Check>,
    pub action_properties: Vec<Check>,
    pub constraints: Vec<Check>,
    pub action_constraints: Vec<Check>,
    pub view: Option<ProcId>,
    symmetry: Option<ProcId>,
    /// The group of permutations under which states are the same; empty without symmetry.
    group: Vec<Permutation>,
    pub assumptions: Vec<Check>,
    effects: &'i (dyn Effects + Sync),
    /// Arenas for interned values, one for each worker that is made.
    arenas: Mutex<Vec<&'i mut Arena>>,
}

/// A compiler that knows the model's constants and overrides.
fn compiler<'s, 'i>(spec: &'s Spec, plan: &Plan<'i>, constants: &'i Arena) -> Compiler<'s, 'i> {
    let mut compiler = Compiler::new(spec, constants);
    for &(decl, to) in &plan.constants {
        compiler.set_constant(decl, to);
    }
    for &(def, to) in &plan.definitions {
        compiler.override_definition(def, to);
    }
    compiler
}

/// One closed expression, compiled.
pub fn compile_value<'i>(
    spec: &Spec,
    plan: &Plan<'i>,
    expr: tla_sema::ir::ExprId,
    constants: &'i Arena,
) -> (&'i Program<'i>, ProcId) {
    let mut compiler = compiler(spec, plan, constants);
    let proc = compiler.expression(expr, Symbol::new("value"));
    (constants.alloc(compiler.program), proc)
}

impl<'i> TlaModel<'i> {
    pub fn new(
        spec: &Spec,
        plan: &Plan<'i>,
        constants: &'i Arena,
        arenas: &'i mut [Arena],
        effects: &'i (dyn Effects + Sync),
    ) -> TlaModel<'i> {
        let mut compiler = compiler(spec, plan, constants);
        let init = compiler.conjunction(&plan.init, Symbol::new("Init"));
        let next = (!plan.next.is_empty()).then(|| compiler.rules(&plan.next));
        let mut all = |named: &[crate::plan::Named]| -> Vec<Check> {
            named
                .iter()
                .map(|it| Check {
                    name: it.name,
                    proc: compiler.expression(it.expr, it.name),
                })
                .collect()
        };
        let invariants = all(&plan.invariants);
        let initial_properties = all(&plan.initial_properties);
        let constraints = all(&plan.constraints);
        let action_constraints = all(&plan.action_constraints);
        let action_properties = plan
            .action_properties
            .iter()
            .map(|(named, rule)| Check {
                name: named.name,
                proc: compiler.box_action(rule, named.name),
            })
            .collect();
        let view = plan.view.map(|it| compiler.expression(it, Symbol::new("VIEW")));
        let symmetry = plan
            .symmetry
            .map(|it| compiler.expression(it, Symbol::new("SYMMETRY")));
        let assumptions = plan
            .assumptions
            .iter()
            .map(|&it| Check {
                name: Symbol::new("ASSUME"),
                proc: compiler.expression(it, Symbol::new("ASSUME")),
            })
            .collect();
        TlaModel {
            program: constants.alloc(compiler.program),
            interner: Interner::new(),
            init,
            next,
            invariants,
            initial_properties,
            action_properties,
            constraints,
            action_constraints,
            view,
            symmetry,
            group: vec![],
            assumptions,
            effects,
            arenas: Mutex::new(arenas.iter_mut().collect()),
        }
    }

    pub fn n_variables(&self) -> usize {
        self.program.variables.len()
    }

    /// The values of a state.
    pub fn decode(&self, state: &[u32]) -> Vec<Value<'i>> {
        state.iter().map(|&it| self.interner.value(it)).collect()
    }

    /// Computes the symmetry group; false when the configuration names something else than permutations of model values.
    pub fn prepare(&mut self) -> Result<bool, EvalError> {
        let Some(proc) = self.symmetry else {
            return Ok(true);
        };
        let group = {
            let worker = explore::Model::worker(self, 0);
            let mut machine = Machine::new(self.program, &worker.scratch, worker.interned, self.effects);
            let set = match machine.run(proc) {
                Ok(set) => set,
                Err(fault) => return Err(take_error(&mut machine, fault, proc)),
            };
            value::enumerate(set, machine.arena)
                .ok()
                .and_then(symmetry::group)
        };
        let known = group.is_some();
        self.group = group.unwrap_or_default();
        Ok(known)
    }

    /// Evaluates the assumptions; gives the first that is false.
    pub fn check_assumptions(&self, worker: &mut Worker<'_, 'i>) -> Result<Option<usize>, EvalError> {
        worker.scratch.reset();
        let mut machine = Machine::new(self.program, &worker.scratch, worker.interned, self.effects);
        for (i, check) in self.assumptions.iter().enumerate() {
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
    model: &'m TlaModel<'i>,
    scratch: Arena,
    interned: &'i Arena,
    buffers: Buffers,
}

/// Space that is used again for every state.
#[derive(Default)]
struct Buffers {
    space: Space,
    slots: Vec<u32>,
    key: Vec<u32>,
    images: Images,
}

fn take_error(machine: &mut Machine<'_, '_>, fault: Fault, proc: ProcId) -> EvalError {
    let at = machine.program.procs[proc as usize].body.at;
    machine.unassigned(fault, at);
    match machine.error.take() {
        Some(error) => *error,
        None => EvalError {
            kind: crate::ErrorKind::TooDeep,
            at,
            chain: vec![],
        },
    }
}

fn fault(machine: &mut Machine<'_, '_>, fault: Fault, proc: ProcId) -> explore::Fault {
    explore::Fault::new(take_error(machine, fault, proc))
}

fn content_hash(values: &[Option<Value<'_>>]) -> u64 {
    let mut mixer = Mixer::new(values.len() as u64);
    values.iter().flatten().for_each(|it| mixer.add(it.hash64()));
    mixer.finish()
}

impl<'i> TlaModel<'i> {
    /// Emits the machine's next state.
    fn emit(
        &self,
        machine: &mut Machine<'_, 'i>,
        interned: &'i Arena,
        buffers: &mut Buffers,
        action: ProcId,
        initial: bool,
        sink: &mut dyn Sink,
    ) -> Result<bool, Fault> {
        let Buffers {
            slots,
            key: key_slots,
            images,
            ..
        } = buffers;
        slots.clear();
        let at = machine.program.procs[action as usize].body.at;
        for i in 0..machine.next.len() {
            let Some(value) = machine.next[i] else {
                return Err(Fault::Error);
            };
            match self.interner.intern(value, interned) {
                Ok(slot) => slots.push(slot),
                Err(trouble) => return Err(machine.trouble(trouble, &[value], at)),
            }
        }
        let hash = if sink.needs_hash() {
            content_hash(&machine.next)
        } else {
            0
        };
        if !initial {
            for check in &self.action_constraints {
                if !machine.test(check.proc)? {
                    return Ok(sink.exclude(action).is_break());
                }
            }
        }
        let key = match self.view {
            None if !self.group.is_empty() => {
                match images.representative(slots, &self.group, &self.interner, interned, key_slots) {
                    Ok(hash) => Some((&key_slots[..], hash)),
                    Err(trouble) => return Err(machine.trouble(trouble, &[], at)),
                }
            }
            Some(view) => {
                // The view of the next state: its names are primed.
                let outer = std::mem::replace(&mut machine.primed, true);
                let value = machine.run(view);
                machine.primed = outer;
                let value = value?;
                key_slots.clear();
                match self.interner.intern(value, interned) {
                    Ok(slot) => key_slots.push(slot),
                    Err(trouble) => return Err(machine.trouble(trouble, &[value], at)),
                }
                Some((&key_slots[..], value.hash64()))
            }
            None => None,
        };
        if sink.emit(slots, hash, key, action).is_break() {
            return Ok(true);
        }
        if !initial {
            for (i, check) in self.action_properties.iter().enumerate() {
                if !machine.test(check.proc)? {
                    let property = (self.invariants.len() + i) as u32;
                    return Ok(sink.violation(property, slots).is_break());
                }
            }
        }
        Ok(false)
    }

    /// What a property number stands for.
    pub fn property(&self, number: u32) -> Property {
        let number = number as usize;
        let (n, m) = (self.invariants.len(), self.action_properties.len());
        if number < n {
            Property::Invariant(self.invariants[number])
        } else if number < n + m {
            Property::Action(self.action_properties[number - n])
        } else {
            Property::Initial(self.initial_properties[number - n - m])
        }
    }
}

/// What can be violated.
#[derive(Clone, Copy, Debug)]
pub enum Property {
    Invariant(Check),
    Action(Check),
    Initial(Check),
}

impl<'i> explore::Model for TlaModel<'i> {
    type Worker<'m>
        = Worker<'m, 'i>
    where
        Self: 'm;

    fn worker(&self, _index: usize) -> Worker<'_, 'i> {
        let arena = self.arenas.lock().expect("no panic while taking an arena").pop();
        let interned: &'i Arena = match arena {
            Some(arena) => arena,
            // More workers than were planned for: their arenas live as long as the process.
            None => Box::leak(Box::new(Arena::new())),
        };
        Worker {
            model: self,
            scratch: Arena::new(),
            interned,
            buffers: Buffers::default(),
        }
    }

    fn n_slots(&self) -> usize {
        self.n_variables()
    }

    fn initial(&self, worker: &mut Worker<'_, 'i>, sink: &mut dyn Sink) -> Result<(), explore::Fault> {
        worker.scratch.reset();
        let Worker {
            model,
            scratch,
            interned,
            buffers,
        } = worker;
        let mut machine = Machine::new(model.program, scratch, interned, model.effects);
        let flow = machine.initial(self.init, self.n_variables(), &mut |machine, action| {
            self.emit(machine, interned, buffers, action, true, sink)
        });
        match flow {
            Ok(_) => Ok(()),
            Err(it) => Err(fault(&mut machine, it, self.init)),
        }
    }

    fn successors(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        worker.scratch.reset();
        let Some(next) = self.next else { return Ok(()) };
        let Worker {
            model,
            scratch,
            interned,
            buffers,
        } = worker;
        let space = std::mem::take(&mut buffers.space);
        let mut machine = Machine::reuse(model.program, scratch, interned, model.effects, space);
        machine
            .current
            .extend(state.iter().map(|&it| self.interner.value(it)));
        machine.level = depth;
        let flow = machine.successors(next, &mut |machine, action| {
            self.emit(machine, interned, buffers, action, false, sink)
        });
        match flow {
            Ok(_) => {
                buffers.space = machine.into_space();
                Ok(())
            }
            Err(it) => Err(fault(&mut machine, it, next)),
        }
    }

    fn inspect(
        &self,
        worker: &mut Worker<'_, 'i>,
        state: &[u32],
        depth: u32,
    ) -> Result<Inspection, explore::Fault> {
        worker.scratch.reset();
        if self.constraints.is_empty()
            && self.invariants.is_empty()
            && (depth > 1 || self.initial_properties.is_empty())
        {
            return Ok(Inspection::FINE);
        }
        let space = std::mem::take(&mut worker.buffers.space);
        let mut machine = Machine::reuse(
            self.program,
            &worker.scratch,
            worker.interned,
            self.effects,
            space,
        );
        machine
            .current
            .extend(state.iter().map(|&it| self.interner.value(it)));
        machine.level = depth;
        let mut inspection = Inspection::FINE;
        for check in &self.constraints {
            match machine.test(check.proc) {
                Ok(true) => {}
                Ok(false) => inspection.expand = false,
                Err(it) => return Err(fault(&mut machine, it, check.proc)),
            }
        }
        let initial = if depth == 1 {
            &self.initial_properties[..]
        } else {
            &[]
        };
        let first_initial = self.invariants.len() + self.action_properties.len();
        let numbered = self.invariants.iter().enumerate();
        let numbered = numbered.chain(initial.iter().enumerate().map(|(i, it)| (first_initial + i, it)));
        for (i, check) in numbered {
            match machine.test(check.proc) {
                Ok(true) => {}
                Ok(false) => {
                    inspection.violated = Some(i as u32);
                    break;
                }
                Err(it) => return Err(fault(&mut machine, it, check.proc)),
            }
        }
        worker.buffers.space = machine.into_space();
        Ok(inspection)
    }
}
