//! A view that only names variables: what stands for a state is then their slots, and nothing is evaluated.
//!
//! Most views leave out counters that bound the search and keep everything else: `<<messages, serverVars, log>>`. To make that tuple
//! for each step, to hash all of it and to intern it costs more than the step itself, and says nothing that the slots do not say.

use value::{Arena, FILLER, Interner, Slot, Value};

use crate::code::{Shape, VarId};
use crate::compiled::Compiled;
use crate::layout::{Layout, NodeId};
use crate::prepared::Heap;

/// The variables of a view, once each.
pub(crate) struct VariableView {
    /// How the view is built from them.
    shape: Shape,
    vars: Vec<VarId>,
    slots: Vec<u32>,
}

impl VariableView {
    /// Nothing for a view with other parts than variables, and where it is counted what is evaluated.
    pub fn new<'i>(compiled: &Compiled<'i>, heap: &Heap<'i>, layout: &Layout<'i>) -> Option<VariableView> {
        let view = compiled.view.filter(|_| !compiled.is_counted())?;
        let body = &compiled.program.procs[view].body;
        let scratch = Arena::new();
        let shape = compiled.machine(&scratch, heap.arena()).current_shape(body)?;
        let mut vars = vec![];
        collect(&shape, &mut vars);
        vars.sort();
        vars.dedup();
        let slots = layout.slots_of(&vars);
        // A key has a slot.
        (!slots.is_empty()).then_some(VariableView { shape, vars, slots })
    }

    /// What stands for a state.
    pub fn key(&self, state: &[Slot], into: &mut Vec<Slot>) {
        into.clear();
        into.extend(self.slots.iter().map(|&it| state[it as usize]));
    }

    /// The value of the view in the states with a key.
    pub fn value<'i: 't, 't>(
        &self,
        key: &[Slot],
        layout: &Layout<'i>,
        interner: &Interner<'i>,
        arena: &'t Arena,
    ) -> Value<'t> {
        let mut state = vec![FILLER; layout.n_slots()];
        for (&at, &slot) in self.slots.iter().zip(key) {
            state[at as usize] = slot;
        }
        let values: Vec<(VarId, Value<'t>)> = self
            .vars
            .iter()
            .map(|&var| (var, layout.decode(NodeId::from(var), &state, interner, arena)))
            .collect();
        built(&self.shape, &values, arena)
    }
}

fn collect(shape: &Shape, vars: &mut Vec<VarId>) {
    match shape {
        Shape::Var(var) => vars.push(*var),
        Shape::Tuple(parts) => parts.iter().for_each(|it| collect(it, vars)),
    }
}

fn built<'t>(shape: &Shape, values: &[(VarId, Value<'t>)], arena: &'t Arena) -> Value<'t> {
    match shape {
        Shape::Var(var) => values
            .iter()
            .find(|it| it.0 == *var)
            .map_or(Value::FALSE, |it| it.1),
        Shape::Tuple(parts) => {
            let items: Vec<Value<'t>> = parts.iter().map(|it| built(it, values, arena)).collect();
            Value::tuple(&items, arena)
        }
    }
}
