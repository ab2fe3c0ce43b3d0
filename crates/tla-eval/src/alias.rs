//! `ALIAS`: what a trace shows instead of the variables.

use value::{Arena, Owned, Text, Value};

use crate::compiled::Check;
use crate::effects::Effects;
use crate::error::EvalError;
use crate::machine::Machine;
use crate::model::{TlaModel, take_error};

fn entry(name: &str, value: Value<'_>) -> (String, String, Owned) {
    let text = value::text(value);
    let owned = value
        .to_owned_value()
        .unwrap_or_else(|_| Owned::Model(Text::new(&text)));
    (name.to_string(), text, owned)
}

impl<'i> TlaModel<'i> {
    /// The alias in a state, which is at `depth` and followed by `next`: the fields of a record as TLA+ text and as data, or
    /// one entry with the alias' own name.
    pub fn alias(
        &self,
        alias: Check,
        state: &[u32],
        next: &[u32],
        depth: u32,
        effects: &dyn Effects,
    ) -> Result<Vec<(String, String, Owned)>, EvalError> {
        let arena = Arena::new();
        let mut machine = Machine::new(self.compiled.program, &arena, self.heap.arena(), effects);
        self.set_current(&mut machine, state);
        self.set_next(&mut machine, next, false);
        machine.state.level = depth;
        let value = match machine.run(alias.proc) {
            Ok(value) => value,
            Err(fault) => return Err(take_error(&mut machine, fault, alias.proc)),
        };
        Ok(match value {
            Value::Record(record) => {
                let fields = record.names.iter().zip(record.values);
                fields.map(|(name, it)| entry(name.as_str(), *it)).collect()
            }
            other => vec![entry(alias.name.as_str(), other)],
        })
    }

    /// Whether a postcondition holds, when all that is left of a search is what `effects` know of it.
    pub fn postcondition(&self, check: Check, depth: u32, effects: &dyn Effects) -> Result<bool, EvalError> {
        let arena = Arena::new();
        let mut machine = Machine::new(self.compiled.program, &arena, self.heap.arena(), effects);
        machine.state.level = depth;
        machine
            .test(check.proc)
            .map_err(|fault| take_error(&mut machine, fault, check.proc))
    }
}
