//! The same check by the reference checker: slow, plain, and independent of the engine.
//!
//! `tla-plain` finds the answer, from the model as it was asked for and not as it was prepared for the engine; here it becomes a report
//! like any other. Neither the compiled evaluator nor the search of `explore` has a part in it, so what both say can be compared.

use diag::Diagnostic;
use explore::{Observer, Progress};
use tla_eval::effects::Effects;
use tla_plain::{
    Action, Counts, Error, Interpreter, Limit, Successor, Surroundings, Verdict as Found, Violation,
    ViolationKind,
};
use tla_sema::Model;
use tla_sema::model::Behaviour;
use trace::State;
use value::Owned;

use super::asked_for::list_checked;
use super::retell::{Told, alias_fields};
use super::{
    ActionSummary, CheckOptions, CheckReport, Verdict, Violated, diagnostics, errors, false_assumption,
    nothing_checked,
};
use crate::replay::Replay;
use crate::tla::TlaFile;
use crate::verdict::{Limit as Ended, ViolationKind as Kind};

/// Steps of evaluation for one state and its successors: some seconds.
const FUEL: u64 = 50_000_000;
/// States, where nobody says how many: each is kept whole.
const STATES_MAX: u64 = 1_000_000;
/// What a node of a value takes, about.
const NODE_BYTES: usize = 48;

/// Checks everything that the file's model asks for, by the reference checker.
pub fn check_reference(
    file: &TlaFile,
    options: &CheckOptions,
    effects: &dyn Effects,
    observer: &dyn Observer,
) -> CheckReport {
    let mut report = CheckReport {
        diagnostics: file.diagnostics.clone(),
        ..CheckReport::default()
    };
    let Some(model) = file.model.as_ref().filter(|_| !file.has_errors()) else {
        report.verdict = Verdict::Error;
        return report;
    };
    report.rules = crate::rules::in_force(model.composition.as_ref());
    if model.symmetry.is_some() || model.view.is_some() {
        report.diagnostics.push(errors::reference_counts_all());
    }
    let go_on = |counts: &Counts| {
        observer.progress(&progress(counts));
        !observer.cancelled() && options.time.is_none_or(|it| observer.elapsed() < it)
    };
    let plain = tla_plain::check(
        &file.spec,
        &as_asked(file, model),
        &tla_plain::Options {
            deadlock: options.deadlock,
            keeps_going: options.keep_going,
            states_max: options.states_max.or(Some(STATES_MAX)),
            depth_max: options.depth_max,
            nodes_max: options.memory.map(|it| (it / NODE_BYTES) as u64),
            fuel: FUEL,
            go_on: &go_on,
            surroundings: &Around(effects),
        },
    );
    observer.progress(&progress(&plain.counts));
    report.generated = plain.counts.generated;
    report.distinct = plain.counts.distinct;
    report.depth = plain.counts.depth;
    report.actions = actions(file, &plain.actions);
    match plain.verdict {
        Found::Holds => match empty(file, model, options).filter(|_| report.generated == 0) {
            Some(nothing) => {
                report.verdict = if nothing.is_error() {
                    Verdict::Error
                } else {
                    Verdict::Holds
                };
                report.diagnostics.push(nothing);
            }
            None => report.verdict = Verdict::Holds,
        },
        Found::Unknown(limit) => unknown(limit, observer, &mut report),
        Found::Error(error, trace) => {
            report.verdict = Verdict::Error;
            tell(file, &trace, &mut report);
            report
                .diagnostics
                .push(errors::reference_error(&words(file, &error)));
        }
        Found::Violated(violation) => violated(file, violation, &mut report),
    }
    let checks_deadlock = options.deadlock.unwrap_or(file.checks_deadlock());
    let has_steps = !matches!(model.behaviour, Behaviour::None);
    list_checked(file, checks_deadlock && has_steps, |_| true, &mut report);
    report
}

/// What there is to say when there was no state.
fn empty(file: &TlaFile, model: &Model, options: &CheckOptions) -> Option<Diagnostic> {
    match model.behaviour {
        Behaviour::None => nothing_checked(file, options),
        _ => Some(diagnostics::no_initial_state(None, options.allow_empty)),
    }
}

/// The model as it was asked for: nothing taken apart, unless rules were chosen.
fn as_asked(file: &TlaFile, model: &Model) -> Model {
    let mut model = model.clone();
    if file.requests.rules.is_empty() {
        model.composition = None;
    }
    let is_asked = |it: &tla_sema::model::Formula| model.properties.iter().any(|part| part.name == it.name);
    model.properties = model
        .whole_properties
        .iter()
        .filter(|it| is_asked(it))
        .cloned()
        .collect();
    model
}

fn progress(counts: &Counts) -> Progress {
    Progress {
        generated: counts.generated,
        distinct: counts.distinct,
        queue: counts.queue,
        depth: counts.depth,
        memory: 0,
        walks: 0,
    }
}

/// What the front end knows of the run and of the world.
struct Around<'a>(&'a dyn Effects);

impl Surroundings for Around<'_> {
    fn statistic(&self, name: &str) -> Option<Owned> {
        self.0.statistic(name)
    }

    fn environment(&self) -> Option<Vec<(String, String)>> {
        self.0.world().map(|it| it.environment())
    }
}

fn unknown(limit: Limit, observer: &dyn Observer, report: &mut CheckReport) {
    // A specification that ends its own run has seen enough.
    report.verdict = match limit {
        Limit::Exit => Verdict::Holds,
        _ => Verdict::Unknown,
    };
    report.limit = Some(match limit {
        Limit::States => Ended::States,
        Limit::Depth => Ended::Depth,
        Limit::Memory => Ended::Memory,
        Limit::Fuel => Ended::Fuel,
        Limit::Interrupted if observer.cancelled() => Ended::Interrupted,
        Limit::Interrupted => Ended::Time,
        Limit::Exit => Ended::Exit,
        Limit::Refused(what) => {
            report.diagnostics.push(errors::reference_refuses(&what));
            Ended::Refused
        }
    });
}

fn violated(file: &TlaFile, violation: Violation, report: &mut CheckReport) {
    report.verdict = Verdict::Violated;
    tell(file, &violation.trace, report);
    let kind = match violation.kind {
        ViolationKind::Invariant => Kind::Invariant,
        ViolationKind::Deadlock => Kind::Deadlock,
        ViolationKind::ActionProperty => Kind::ActionProperty,
        ViolationKind::Assertion => Kind::Assertion,
        ViolationKind::Postcondition => Kind::Postcondition,
        ViolationKind::Assumption(_) => Kind::Assumption,
        ViolationKind::Liveness(loop_to) => {
            report.trace.loop_to = Some(loop_to);
            report.stutters = loop_to + 1 == violation.trace.len();
            Kind::Liveness
        }
    };
    let mut name = violation.name;
    if let ViolationKind::Assumption(at) = violation.kind {
        let span = file.spec.exprs[at].span;
        name = file.sources.location(span);
        report.diagnostics.push(false_assumption(span));
    }
    report.violation = Some(Violated { kind, name });
}

/// The states of a trace, in words.
fn tell(file: &TlaFile, trace: &[Successor], report: &mut CheckReport) {
    let names: Vec<&str> = file
        .spec
        .variables()
        .map(|it| file.spec.decls[it].name.as_str())
        .collect();
    let mut told = Told::default();
    for step in trace {
        let values: Vec<(String, Owned)> = names
            .iter()
            .zip(&step.state)
            .map(|(name, it)| (name.to_string(), owned(it)))
            .collect();
        let (action, location) = named(file, step.action);
        told.add(&values, &action, location.as_deref());
        report.trace.states.push(State {
            action,
            parameters: vec![],
            location,
            values,
            drawings: vec![],
            moved: vec![],
            stuttered: vec![],
            algorithm: None,
        });
    }
    if !trace.is_empty() {
        report.counterexample = Some(told.counterexample());
        // It was found by the evaluator that replays the traces of others.
        report.replay = Replay::Confirmed;
        show_alias(file, trace, report);
    }
}

/// What the model's alias shows instead of the variables, if it can be evaluated.
fn show_alias(file: &TlaFile, trace: &[Successor], report: &mut CheckReport) {
    let Some((model, alias)) = file.model.as_ref().and_then(|it| Some((it, it.alias.as_ref()?))) else {
        return;
    };
    let plain = Interpreter::for_model(&file.spec, model);
    let order = alias_fields(&file.spec, alias.expr);
    let place = |name: &str| order.iter().position(|it| it == name).unwrap_or(usize::MAX);
    let mut shown = vec![];
    for (i, step) in trace.iter().enumerate() {
        // The last state is followed by itself.
        let next = trace.get(i + 1).unwrap_or(step);
        let value = plain.value(alias.expr, Some(&step.state), Some(&next.state));
        let Ok(Some(Owned::Record(mut fields))) = value.map(|it| it.to_owned_value()) else {
            return;
        };
        fields.sort_by_key(|(name, _)| place(name.as_str()));
        shown.push(fields);
    }
    for (state, fields) in report.trace.states.iter_mut().zip(shown) {
        state.values = fields
            .into_iter()
            .map(|(name, it)| (name.to_string(), it))
            .collect();
    }
}

/// A value as data. A set that cannot be spelt out is its text.
fn owned(value: &tla_plain::Value) -> Owned {
    let text = || Owned::Model(value::Text::new(&value.to_string()));
    value.to_owned_value().unwrap_or_else(text)
}

fn named(file: &TlaFile, action: Action) -> (String, Option<String>) {
    let location = action.def.map(|it| file.location(file.spec.defs[it].span));
    (action.name.to_string(), location)
}

fn actions(file: &TlaFile, counts: &[tla_plain::ActionCount]) -> Vec<ActionSummary> {
    let summary = |it: &tla_plain::ActionCount| {
        let (name, location) = named(file, it.action);
        ActionSummary {
            name,
            location,
            taken: it.taken,
            found: it.found,
        }
    };
    counts.iter().map(summary).collect()
}

fn words(file: &TlaFile, error: &Error) -> String {
    match error {
        Error::Undefined(why) | Error::Assertion(why) | Error::Effect(why) | Error::Refused(why) => {
            why.clone()
        }
        Error::TooLong | Error::Interrupted => "it takes too long".to_owned(),
        Error::Unassigned(index) => {
            let decl = file.spec.variables().nth(*index);
            let name = decl.map_or("a variable", |it| file.spec.decls[it].name.as_str());
            format!("nothing gives `{name}` its next value")
        }
    }
}
