//! Every counterexample is replayed before anyone sees it, by the evaluator that shares nothing with the search.
//!
//! The one idea: the search may be wrong, but a behaviour that a much simpler program confirms is one. The first state must be
//! initial, every step a step of all rules that stays inside the constraints, and the end must be what the report says it is. A lasso
//! must be fair and break its property: both are evaluated over the behaviour, moment by moment.
//! What depends on more than the states (registers, chance, files), or takes too long, is not replayed, and the report says so.
//!
//! It does not ask whether there is a shorter counterexample, and not whether an evaluation error is the right one.

use diag::Diagnostic;
use tla_eval::plan::{Plan, Rule};
use tla_plain::{Error, Interpreter, Lasso, State};
use tla_sema::ir::ExprId;
use tla_sema::model::Formula;
use tla_sema::{Model, Spec};
use util::Symbol;

/// What became of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Replay {
    /// There is no counterexample.
    #[default]
    Nothing,
    Confirmed,
    /// It could not be told: why.
    NotReplayed(String),
    /// The counterexample is none, and this is our mistake: which part, and what is wrong with it.
    Refuted(String),
}

/// Why a behaviour is a counterexample.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// The last state breaks a predicate.
    State(Symbol, ExprId),
    /// The last step breaks `[A]_v`.
    Step(Symbol, Rule),
    Deadlock,
    /// After the last state comes this one, again and again, and the whole behaviour breaks a temporal property of this name.
    Lasso(usize, Symbol),
    /// It is a behaviour, and that is all; after its last state may come this one.
    Anywhere(Option<usize>),
    /// Something could not be evaluated there.
    Fault,
}

/// Steps of the plain evaluator for a whole counterexample: below a second.
const FUEL: u64 = 3_000_000;

/// Replays a behaviour.
pub(crate) fn replay(spec: &Spec, model: &Model, plan: &Plan<'_>, states: &[State], end: End) -> Replay {
    let plain = Interpreter::for_model(spec, model);
    plain.refuel(FUEL);
    let player = Player {
        plain,
        plan,
        properties: &model.whole_properties,
    };
    match player.behaviour(states).and_then(|()| player.end(states, end)) {
        Ok(()) => Replay::Confirmed,
        Err(outcome) => outcome,
    }
}

struct Player<'a> {
    plain: Interpreter<'a>,
    plan: &'a Plan<'a>,
    /// As they are written. What the plan makes of them does not tell which module it is of.
    properties: &'a [Formula],
}

impl Player<'_> {
    /// From an initial state, in steps.
    fn behaviour(&self, states: &[State]) -> Result<(), Replay> {
        let Some((first, rest)) = states.split_first() else {
            return Ok(());
        };
        self.expect(
            self.plain.is_initial(&self.plan.init, first),
            "state 1 is not an initial state",
        )?;
        let rules = self.rules();
        for (i, (before, after)) in states.iter().zip(rest).enumerate() {
            let number = i + 1;
            let step = self.is_step(&rules, before, after);
            self.expect(
                step,
                &format!("the step from state {number} is not one that the specification allows"),
            )?;
            for it in &self.plan.constraints {
                let what = format!("state {number} is outside the constraint `{}`", it.name);
                self.expect(self.plain.holds(it.expr, before), &what)?;
            }
            // The last step may be reported although it leads outside.
            let inside = if number + 1 == states.len() {
                &[][..]
            } else {
                &self.plan.action_constraints[..]
            };
            for it in inside.iter().chain(&self.plan.exclusions) {
                let what = format!(
                    "the step from state {number} is outside the constraint `{}`",
                    it.name
                );
                self.expect(self.test_step(it.expr, before, after), &what)?;
            }
        }
        Ok(())
    }

    fn end(&self, states: &[State], end: End) -> Result<(), Replay> {
        let Some(last) = states.last() else { return Ok(()) };
        match end {
            End::Fault => Ok(()),
            End::Anywhere(back) => back.map_or(Ok(()), |it| self.closes(states, it)),
            End::State(name, expr) => {
                let holds = self.plain.holds(expr, last);
                self.expect(
                    holds.map(|it| !it),
                    &format!("the last state does not break `{name}`"),
                )
            }
            End::Step(name, rule) => {
                let [.., before, _] = states else {
                    return Err(Replay::Refuted(format!("no step breaks `{name}`")));
                };
                let rule = [plain_rule(&rule)];
                let breaks = self.plain.is_step(&rule, before, last).map(|it| !it);
                self.expect(breaks, &format!("the last step does not break `{name}`"))
            }
            End::Lasso(loop_start, name) => {
                self.closes(states, loop_start)?;
                let lasso = Lasso {
                    states,
                    loop_start,
                    levels: &[],
                };
                self.lasso(lasso, name)
            }
            End::Deadlock => {
                let stuck = self.plain.has_step(&self.rules(), last).map(|it| !it);
                self.expect(stuck, "the last state has a successor")
            }
        }
    }

    /// That the last state leads back to this one.
    fn closes(&self, states: &[State], loop_start: usize) -> Result<(), Replay> {
        match (states.get(loop_start), states.last()) {
            // Every behaviour may stutter for ever.
            (Some(_), _) if loop_start + 1 == states.len() => Ok(()),
            (Some(next), Some(last)) => self.expect(
                self.is_step(&self.rules(), last, next),
                "the step that closes the loop is not one that the specification allows",
            ),
            _ => Err(Replay::Refuted("the loop leads nowhere".to_owned())),
        }
    }

    /// A step of the specification, or a move of one of its players.
    fn is_step(&self, rules: &[tla_plain::Rule], before: &State, after: &State) -> tla_plain::Result<bool> {
        if self.plan.players.is_empty() {
            return self.plain.is_step(rules, before, after);
        }
        for player in &self.plan.players {
            let is_on = player.turn.map_or(Ok(true), |it| self.plain.holds(it, before))?;
            let own = player.action.map(|action| tla_plain::Rule::new(action, None));
            let rules = own.as_ref().map_or(rules, std::slice::from_ref);
            if is_on && self.plain.is_step(rules, before, after)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// That the behaviour is fair, and that it breaks the property.
    fn lasso(&self, lasso: Lasso<'_>, name: Symbol) -> Result<(), Replay> {
        for &formula in &self.plan.fairness {
            let is_met = self.plain.satisfies(formula, lasso);
            self.expect(is_met, "it does not meet an assumption of the specification")?;
        }
        for &predicate in &self.plan.always {
            for state in lasso.states {
                let holds = self.plain.holds(predicate, state);
                self.expect(holds, "a state breaks what the specification says of all states")?;
            }
        }
        let mut breaks = Ok(false);
        let is_it = |it: &Symbol| *it == name;
        let mut whole: Vec<ExprId> = self
            .properties
            .iter()
            .filter(|it| is_it(&it.name))
            .map(|it| it.expr)
            .collect();
        if whole.is_empty() {
            let parts = self.plan.temporal_properties.iter().filter(|it| is_it(&it.name));
            whole = parts.map(|it| it.expr).collect();
        }
        for property in whole {
            match self.plain.satisfies(property, lasso) {
                Ok(false) => return Ok(()),
                Ok(true) => {}
                error => breaks = error,
            }
        }
        self.expect(breaks, &format!("it does not break `{name}`"))
    }

    /// One rule alone is searched without its stuttering steps.
    fn rules(&self) -> Vec<tla_plain::Rule> {
        match &self.plan.next[..] {
            [one] => vec![tla_plain::Rule::new(one.action, None)],
            many => many.iter().map(plain_rule).collect(),
        }
    }

    fn test_step(&self, action: ExprId, before: &State, after: &State) -> tla_plain::Result<bool> {
        let rule = tla_plain::Rule::new(action, None);
        self.plain.is_step(&[rule], before, after)
    }

    /// Goes on with `Ok(true)`.
    fn expect(&self, answer: tla_plain::Result<bool>, otherwise: &str) -> Result<(), Replay> {
        match answer {
            Ok(true) => Ok(()),
            Ok(false) => Err(Replay::Refuted(otherwise.to_owned())),
            Err(Error::Effect(what)) => Err(Replay::NotReplayed(format!(
                "`{what}` depends on more than the states"
            ))),
            Err(Error::TooLong | Error::Interrupted) => {
                Err(Replay::NotReplayed("it would take too long".to_owned()))
            }
            Err(Error::Assertion(what)) => Err(Replay::NotReplayed(format!("an assertion fails: {what}"))),
            Err(Error::Undefined(why) | Error::Refused(why)) => Err(Replay::NotReplayed(why)),
            Err(Error::Unassigned(index)) => {
                let name = self.plain.variable(index).unwrap_or(Symbol::new("a variable"));
                Err(Replay::NotReplayed(format!(
                    "nothing gives `{name}` its next value"
                )))
            }
        }
    }
}

fn plain_rule(rule: &Rule) -> tla_plain::Rule {
    tla_plain::Rule::new(rule.action, rule.subscript)
}

/// A counterexample that is none.
pub fn replay_refuted(what: &str) -> Diagnostic {
    Diagnostic::error(
        "replay-refuted",
        "the counterexample that was found is not one: this is a bug of babbage",
    )
    .note(format!("when it was replayed: {what}"))
    .hint("please report it, with the specification and the configuration")
}

#[cfg(test)]
mod tests;
