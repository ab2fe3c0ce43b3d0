//! What a solution costs, added up again by the plain evaluator.

use tla_plain::{Interpreter, State, Value};
use value::{Owned, Text};

use super::Solver;
use super::costs::NO_STEP;
use crate::replay::Replay;

/// Steps of the plain evaluator for all costs of a solution: below a second.
const FUEL: u64 = 3_000_000;

impl Solver<'_, '_, '_, '_> {
    /// Why the cost is not what the search says it is; nothing where it is, or the plain evaluator cannot tell.
    pub(super) fn witness_cost(&self, steps: &[explore::Step], cost: u64) -> Option<Replay> {
        let states = self.checker.plain_states(steps)?;
        let model = self.checker.file.model.as_ref()?;
        let plain = Interpreter::for_model(self.checker.spec(), model);
        plain.refuel(FUEL);
        let sum = self.sum(&plain, &states)?;
        (sum != cost)
            .then(|| Replay::Refuted(format!("the steps of the solution cost {sum}, and not {cost}")))
    }

    fn sum(&self, plain: &Interpreter<'_>, states: &[State]) -> Option<u64> {
        let (cost, state) = self.prepared.pricing.in_parts()?;
        let mut memory = Value::from_owned(&Owned::Model(Text::new(NO_STEP))).ok()?;
        let mut sum = 0u64;
        for two in states.windows(2) {
            let args = [memory];
            let Value::Int(one) = plain.applied(cost, &args, &two[0], &two[1]).ok()? else {
                return None;
            };
            sum = sum.checked_add(one.try_into().ok()?)?;
            let [before] = args;
            memory = match state {
                Some(state) => plain.applied(state, &[before], &two[0], &two[1]).ok()?,
                None => before,
            };
        }
        Some(sum)
    }
}
