//! A counterexample told anew: each step with its action and parameters, what the model's alias shows, and why the property
//! is false at the end.

use std::cell::Cell;

use tla_eval::blame::Blame;
use tla_eval::code::ProcId;
use tla_eval::compiled::Check;
use tla_eval::effects::{Effects, Registers, Request, World};
use tla_eval::explain::explain;
use tla_eval::plan::Plan;
use tla_eval::step::Parameter;
use tla_plain::{Interpreter, Part};
use tla_sema::Spec;
use tla_sema::ir::{ExprId, ExprKind, Operator};
use trace::{State, shortened};
use value::{Owned, Text, Value};

use super::{CheckReport, Checker, errors};
use crate::algorithm::Teller;
use crate::tla::TlaFile;

/// Values in a line of explanation are cut after so many characters.
const VALUE_MAX: usize = 160;
/// As is the text of a part of a formula.
const PART_MAX: usize = 120;

impl Checker<'_, '_> {
    /// The states of a trace. An alias that cannot be evaluated is left out, with a warning.
    pub(crate) fn trace(&self, steps: &[explore::Step], report: &mut CheckReport) -> Vec<State> {
        let names = &self.model.compiled.program.variables;
        let mut trace = vec![];
        let mut told = Told::default();
        let mut worker = explore::Model::worker(self.model, 0);
        let free = self.free_names();
        let is_shown = |name: &str| !free.contains(&name);
        for (i, step) in steps.iter().enumerate() {
            let before = i.checked_sub(1).map(|before| &steps[before]);
            let parameters = before.map_or(vec![], |before| {
                let pair = (&before.state[..], &step.state[..]);
                self.model
                    .parameters(self.spec(), pair, ProcId::new(step.action), i as u32)
            });
            told.actions.push(self.action_value(step, &parameters));
            let arena = value::Arena::new();
            let values = self.model.decode(&step.state, &arena);
            let owned = names.iter().map(|it| it.as_str()).zip(values.iter().map(owned));
            told.states.push(Owned::record(owned.clone()));
            let rules = before.map_or(vec![], |before| {
                self.model.moved(&mut worker, &before.state, &step.state)
            });
            let rules = |moved: bool| {
                rules
                    .iter()
                    .filter(move |it| it.1 == moved)
                    .map(|it| it.0.to_string())
            };
            trace.push(State {
                action: self.action_name(ProcId::new(step.action)),
                location: self.action_location(ProcId::new(step.action)),
                parameters: parameters
                    .into_iter()
                    .map(|it| (it.name.to_string(), it.text))
                    .collect(),
                moved: rules(true).collect(),
                stuttered: rules(false).collect(),
                values: owned
                    .filter(|it| is_shown(it.0))
                    .map(|(name, it)| (name.to_string(), it))
                    .collect(),
                drawings: vec![],
                algorithm: None,
            });
        }
        report.counterexample = Some(told.counterexample());
        self.tell_algorithm(&mut trace);
        if let Some(alias) = self.model.compiled.alias {
            self.show_alias(alias, steps, told, &mut trace, report);
        }
        trace
    }

    /// Says of each state what it is in the algorithm, if it is one of an algorithm.
    fn tell_algorithm(&self, trace: &mut [State]) {
        let Some(mut teller) = Teller::new(self.file) else {
            return;
        };
        for i in 0..trace.len() {
            let before = i.checked_sub(1).map(|it| &trace[it].values[..]);
            let State {
                values,
                action,
                parameters,
                ..
            } = &trace[i];
            let told = teller.state(values, before, action, parameters);
            trace[i].algorithm = Some(told);
        }
    }

    /// Says which statements of the algorithm ran in each step.
    pub(super) fn tell_statements(&self, plan: &Plan<'_>, steps: &[explore::Step], report: &mut CheckReport) {
        let (Some(teller), [rule]) = (Teller::new(self.file), &plan.next[..]) else {
            return;
        };
        let (Some(states), Some(model)) = (self.plain_states(steps), &self.file.model) else {
            return;
        };
        let plain = Interpreter::for_model(self.spec(), model);
        let pairs = states.iter().zip(states.iter().skip(1));
        for ((before, after), told) in pairs.zip(report.trace.states.iter_mut().skip(1)) {
            // What cannot be said plainly is left out: the step itself is told by its labels.
            let parts = plain.made(rule.action, before, after).unwrap_or_default();
            if let Some(told) = &mut told.algorithm {
                told.statements = teller.statements(&parts);
            }
        }
    }

    /// What each process of the algorithm waits for in the last state.
    pub(super) fn waiting(
        &self,
        plan: &Plan<'_>,
        steps: &[explore::Step],
        report: &CheckReport,
    ) -> Option<String> {
        let mut teller = Teller::new(self.file)?;
        let parts = self.blocked(plan, steps)?;
        let lines = teller.waiting(&parts, &report.trace.last()?.values);
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Which assertion of the algorithm fails in a step from the last state, and the values that it is about.
    pub(super) fn asserted(
        &self,
        plan: &Plan<'_>,
        steps: &[explore::Step],
        report: &CheckReport,
    ) -> Option<String> {
        let mut teller = Teller::new(self.file)?;
        let parts = self.blocked(plan, steps)?;
        teller.asserted(&parts, &report.trace.last()?.values)
    }

    /// What keeps the last state from having a step. Nothing where the plain evaluator cannot say: the verdict does not depend on it.
    fn blocked(&self, plan: &Plan<'_>, steps: &[explore::Step]) -> Option<Vec<Part>> {
        let [rule] = &plan.next[..] else { return None };
        let last = self.plain_states(&steps[steps.len().checked_sub(1)?..])?.pop()?;
        let plain = Interpreter::for_model(self.spec(), self.file.model.as_ref()?);
        plain.blocked(rule.action, &last).ok()
    }

    /// Variables whose value makes no difference.
    fn free_names(&self) -> Vec<&'static str> {
        let composition = self.file.model.as_ref().and_then(|it| it.composition.as_ref());
        let free = composition.map_or(&[][..], |it| &it.free);
        free.iter()
            .map(|it| self.spec().decls[*it].name.as_str())
            .collect()
    }

    fn show_alias(
        &self,
        alias: Check,
        steps: &[explore::Step],
        told: Told,
        trace: &mut [State],
        report: &mut CheckReport,
    ) {
        let order = alias_fields(self.spec(), self.model.compiled.program.procs[alias.proc].body.at);
        let telling = Telling {
            inner: self.effects,
            counterexample: report.counterexample.clone(),
            told,
            at: Cell::new(0),
        };
        for (i, step) in steps.iter().enumerate() {
            telling.at.set(i);
            // The last state is followed by itself.
            let next = steps.get(i + 1).unwrap_or(step);
            let shown = self
                .model
                .alias(alias, &step.state, &next.state, i as u32 + 1, &telling);
            match shown {
                Ok(mut fields) => {
                    let place = |name: &str| order.iter().position(|it| it == name).unwrap_or(usize::MAX);
                    fields.sort_by_key(|(name, ..)| place(name));
                    let fields = fields.into_iter();
                    trace[i].values = fields.map(|(name, _, value)| (name, value)).collect();
                }
                Err(error) => {
                    let why = explain(&error, self.spec());
                    report
                        .diagnostics
                        .push(errors::alias_failed(alias.name, i + 1, why));
                    return;
                }
            }
        }
    }

    /// `TLCGet("action")` at a state of a trace.
    fn action_value(&self, step: &explore::Step, parameters: &[Parameter]) -> Owned {
        let context = parameters
            .iter()
            .filter_map(|it| Some((it.name.as_str(), it.value.clone()?)));
        let context = unique(context);
        let names = context.iter().map(|it| Owned::str(it.0)).collect();
        let proc = self.model.compiled.program.procs.get(ProcId::new(step.action));
        let def = proc.and_then(|it| it.def);
        let text = def.map(|it| self.spec().exprs[self.spec().defs[it].body].span);
        let place = text.map(|it| super::described::location(self.file, it));
        let mut fields = vec![
            ("name", Owned::str(&self.action_name(ProcId::new(step.action)))),
            ("location", place.unwrap_or_else(|| Owned::record([]))),
        ];
        if !context.is_empty() {
            fields.push(("parameters", Owned::Tuple(names)));
            fields.push(("context", Owned::record(context)));
        }
        Owned::record(fields)
    }

    /// Why a property is false in the last state of a trace, or in its last step.
    pub(super) fn why(&self, check: Check, steps: &[explore::Step], is_step: bool) -> Option<String> {
        let (last, before) = steps.split_last()?;
        let depth = steps.len() as u32;
        let blame = match (is_step, before.last()) {
            (true, Some(before)) => {
                let next = Some(&last.state[..]);
                self.model
                    .blame(self.spec(), check.proc, &before.state, next, depth - 1)
            }
            _ => self
                .model
                .blame(self.spec(), check.proc, &last.state, None, depth),
        };
        Some(sentence(self.file, check, &blame?))
    }

    /// As [`Checker::why`], where there is no state.
    pub(super) fn why_at_the_end(&self, check: Check) -> Option<String> {
        let blame = self.model.blame(self.spec(), check.proc, &[], None, 0)?;
        Some(sentence(self.file, check, &blame))
    }
}

/// The fields of an alias in the order in which they are written, where it is a record as it stands.
pub(super) fn alias_fields(spec: &Spec, mut at: ExprId) -> Vec<String> {
    loop {
        match &spec.exprs[at].kind {
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if args.is_empty() && !spec.defs[*def].recursive => at = spec.defs[*def].body,
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => at = *body,
            ExprKind::Record(fields) => return fields.iter().map(|it| it.0.to_string()).collect(),
            _ => return vec![],
        }
    }
}

/// "`TypeOK` is false: its 2nd conjunct `x \in 1..3` (M.tla:12:5), where x = 4"
pub(crate) fn sentence(file: &TlaFile, check: Check, blame: &Blame) -> String {
    let spec = &file.spec;
    let span = spec.exprs[blame.at].span;
    let inside = blame.inside.map(|it| spec.defs[it].name);
    let is_own = inside.is_none_or(|it| it == check.name || spec.appended.contains_key(&it));
    let part = match blame.conjunct {
        Some((n, _)) => format!("{} conjunct ", ordinal(n)),
        None => String::new(),
    };
    let whose = match (is_own, inside, part.is_empty()) {
        (true, _, true) => String::new(),
        (true, _, false) => "its ".to_string(),
        (false, Some(def), true) => format!("in `{def}`, "),
        (false, Some(def), false) => format!("in `{def}`, the "),
        (false, None, _) => String::new(),
    };
    let text = shortened(file.text(span), PART_MAX);
    let is = if blame.is { " is true" } else { "" };
    let mut line = format!(
        "{} is false: {whose}{part}`{text}`{is} ({})",
        check.name,
        file.location(span)
    );
    let names = blame.names.iter().map(|(name, it)| (name.to_string(), it));
    let sides = blame.sides.iter().map(|(at, it)| {
        let span = spec.exprs[*at].span;
        (shortened(file.text(span), PART_MAX), it)
    });
    for (i, (what, value)) in names.chain(sides).enumerate() {
        line += if i == 0 { ", where " } else { ", " };
        line += &format!("{what} = {}", shortened(value, VALUE_MAX));
    }
    line
}

/// A value as data. A set that cannot be spelt out is its text.
pub(crate) fn owned(value: &Value<'_>) -> Owned {
    let text = || Owned::Model(Text::new(&value::text(*value)));
    value.to_owned_value().unwrap_or_else(|_| text())
}

/// The last of each name: inner bound names hide outer ones.
fn unique<'n>(fields: impl Iterator<Item = (&'n str, Owned)>) -> Vec<(&'n str, Owned)> {
    let mut all: Vec<(&str, Owned)> = vec![];
    for (name, value) in fields {
        all.retain(|it| it.0 != name);
        all.push((name, value));
    }
    all
}

fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// What is known of a trace.
#[derive(Default)]
pub(super) struct Told {
    states: Vec<Owned>,
    actions: Vec<Owned>,
}

impl Told {
    /// A state, and the action that led to it.
    pub(super) fn add(&mut self, state: &[(String, Owned)], action: &str, location: Option<&str>) {
        let fields = state.iter().map(|(name, it)| (name.as_str(), it.clone()));
        self.states.push(Owned::record(fields));
        self.actions.push(Owned::record([
            ("name", Owned::str(action)),
            ("context", Owned::record([])),
            ("location", Owned::str(location.unwrap_or_default())),
        ]));
    }

    /// As `CounterExample` of `TLCExt` has it: numbered states, and steps from one to the next.
    pub(super) fn counterexample(&self) -> Owned {
        let numbered = |i: usize| Owned::Tuple(vec![Owned::Int(i as i64 + 1), self.states[i].clone()]);
        let step = |i: usize| Owned::Tuple(vec![numbered(i - 1), self.actions[i].clone(), numbered(i)]);
        Owned::record([
            (
                "state",
                Owned::Set((0..self.states.len()).map(numbered).collect()),
            ),
            ("action", Owned::Set((1..self.states.len()).map(step).collect())),
        ])
    }
}

/// The effects of the run, with a trace at hand: `Trace`, `TLCGet("action")` and `CounterExample` are answered.
pub(super) struct Telling<'a> {
    inner: &'a (dyn Effects + Sync),
    told: Told,
    at: Cell<usize>,
    counterexample: Option<Owned>,
}

impl<'a> Telling<'a> {
    /// After the end of a run.
    pub(super) fn after(inner: &'a (dyn Effects + Sync), counterexample: Option<Owned>) -> Telling<'a> {
        Telling {
            inner,
            told: Told::default(),
            at: Cell::new(0),
            counterexample,
        }
    }
}

impl Effects for Telling<'_> {
    fn print(&self, text: &str) {
        self.inner.print(text);
    }

    fn registers(&self) -> &Registers {
        self.inner.registers()
    }

    fn random(&self) -> u64 {
        self.inner.random()
    }

    fn now(&self) -> i64 {
        self.inner.now()
    }

    fn interrupted(&self) -> bool {
        self.inner.interrupted()
    }

    fn statistic(&self, name: &str) -> Option<Owned> {
        match name {
            "action" => self.told.actions.get(self.at.get()).cloned(),
            _ => self.inner.statistic(name),
        }
    }

    fn request(&self, what: Request) {
        self.inner.request(what);
    }

    fn trace(&self, _state: &[Owned]) -> Option<Vec<Owned>> {
        let known = self.told.states.get(..=self.at.get())?;
        Some(known.to_vec())
    }

    fn counterexample(&self) -> Option<Owned> {
        self.counterexample.clone()
    }

    fn world(&self) -> Option<&dyn World> {
        self.inner.world()
    }
}
