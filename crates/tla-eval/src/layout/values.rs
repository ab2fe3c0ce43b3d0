//! The values of a state's variables, each made when it is first read: most formulas read few of them.

use std::cell::OnceCell;
use std::ops::Index;

use value::{Arena, Interner, Slot, Value};

use super::{Layout, NodeId};

/// A state whose values can be made.
#[derive(Clone, Copy)]
pub(crate) struct State<'t, 'i> {
    pub slots: &'t [Slot],
    pub layout: &'t Layout<'i>,
    pub interner: &'t Interner<'i>,
}

impl<'t, 'i: 't> State<'t, 'i> {
    pub fn value(&self, var: usize, arena: &'t Arena) -> Value<'t> {
        self.layout
            .decode(var as NodeId, self.slots, self.interner, arena)
    }
}

/// What a machine has as the present state: the values of variables, and of what else is put beside them.
#[derive(Clone, Default)]
pub struct Values<'t, 'i> {
    values: Vec<OnceCell<Value<'t>>>,
    /// What those that are not there yet are made from, and where.
    from: Option<(State<'t, 'i>, &'t Arena)>,
}

impl<'t, 'i: 't> Values<'t, 'i> {
    /// No values, in the space of others.
    pub(crate) fn in_space(values: Vec<OnceCell<Value<'t>>>) -> Values<'t, 'i> {
        Values { values, from: None }
    }

    pub(crate) fn into_space(self) -> Vec<OnceCell<Value<'t>>> {
        self.values
    }

    pub(crate) fn set(&mut self, state: State<'t, 'i>, arena: &'t Arena) {
        self.values.clear();
        self.from = Some((state, arena));
        // There may be no state at all.
        if !state.slots.is_empty() {
            self.values.resize_with(state.layout.n_variables(), OnceCell::new);
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    #[inline]
    pub fn get(&self, var: usize) -> Option<&Value<'t>> {
        let cell = self.values.get(var)?;
        Some(cell.get_or_init(|| match &self.from {
            Some((state, arena)) => state.value(var, arena),
            None => Value::FALSE,
        }))
    }

    /// The value that was made for a variable, and what it was made from.
    pub(crate) fn made(&self, var: usize) -> Option<(Value<'t>, &'t [Slot])> {
        let value = *self.values.get(var)?.get()?;
        let (state, _) = self.from.as_ref()?;
        (var < state.layout.n_variables()).then_some((value, state.slots))
    }

    /// All of them, made if need be.
    pub fn all(&self) -> Vec<Value<'t>> {
        (0..self.len()).map(|var| self[var]).collect()
    }
}

impl<'t, 'i: 't> Index<usize> for Values<'t, 'i> {
    type Output = Value<'t>;

    #[inline]
    fn index(&self, var: usize) -> &Value<'t> {
        self.get(var).expect("a variable of the state")
    }
}

impl<'t> FromIterator<Value<'t>> for Values<'t, '_> {
    fn from_iter<I: IntoIterator<Item = Value<'t>>>(values: I) -> Self {
        Values {
            values: values.into_iter().map(OnceCell::from).collect(),
            from: None,
        }
    }
}

impl<'t> From<Vec<Value<'t>>> for Values<'t, '_> {
    fn from(values: Vec<Value<'t>>) -> Self {
        values.into_iter().collect()
    }
}

impl<'t> Extend<Value<'t>> for Values<'t, '_> {
    fn extend<I: IntoIterator<Item = Value<'t>>>(&mut self, values: I) {
        self.values.extend(values.into_iter().map(OnceCell::from));
    }
}
