//! The rules of a conjoined specification, and what those that are switched on give.

use std::time::Duration;

use serde_json::{Value, json};
use workbench::{CheckOptions, CheckReport, Overrides, TlaFile, Verdict, check_each, summarise_model};

use super::Wire;
use super::ask::{Ask, Wrong};
use super::effects::{Sandbox, Teller};
use super::{check, diagnose};

/// One rule alone is the whole specification.
const RULES_MIN: usize = 2;
/// A property that takes longer is left open, so that the others have their turn.
const EACH_MAX: Duration = Duration::from_secs(20);

/// The rules that can be switched.
pub fn list(ask: &Ask) -> Vec<Value> {
    let names = diagnose::tla_file(ask).map_or(vec![], |it| rules(&it));
    let rules = names
        .into_iter()
        .map(|(name, place)| json!({ "name": name, "title": place }));
    rules.collect()
}

/// Configurations under which the specification is a conjunction of rules, where the present one is not.
pub fn conjoined(ask: &Ask) -> Vec<String> {
    let is_conjoined = |config: &String| {
        let file = diagnose::tla_file_with(ask, Some(config), &Overrides::default());
        file.is_some_and(|it| !rules(&it).is_empty())
    };
    ask.other_configs().into_iter().filter(is_conjoined).collect()
}

fn rules(file: &TlaFile) -> Vec<(String, String)> {
    let rules = file.rules().rules;
    if rules.len() < RULES_MIN {
        return vec![];
    }
    rules.into_iter().map(|it| (it.name, it.location)).collect()
}

/// The verdict of each property that any of the configurations names.
pub fn verdicts(ask: &Ask, wire: &mut Wire) -> Result<Value, Wrong> {
    let overrides = with_all_properties(ask);
    let Some(file) = diagnose::tla_file_with(ask, ask.config.as_deref(), &overrides) else {
        return Ok(json!({ "verdicts": [] }));
    };
    let mut file = (*file).clone();
    let sandbox = Sandbox::new();
    let teller = Teller::new(wire, &sandbox);
    let options = check::options(ask);
    let options = CheckOptions {
        time: Some(options.time.map_or(EACH_MAX, |it| it.min(EACH_MAX))),
        ..options
    };
    let until = ask.time.map(|it| it.as_secs_f64());
    let reports = check_each(&mut file, &options, &sandbox, &teller, &mut |name| {
        if let Ok(mut note) = teller.note.lock() {
            *note = Some(name.to_string());
        }
        until.is_none_or(|it| teller.seconds() < it)
    });
    let verdicts = reports.iter().map(|(name, report)| verdict(ask, name, report));
    Ok(json!({ "verdicts": verdicts.collect::<Vec<_>>() }))
}

fn verdict(ask: &Ask, name: &str, report: &CheckReport) -> Value {
    let first = report
        .diagnostics
        .iter()
        .find(|it| it.is_error())
        .map(|it| it.title.clone());
    let is_trace = report.verdict == Verdict::Violated && !report.trace.is_empty();
    let steps = is_trace.then(|| report.trace.len() - 1);
    json!({
        "name": name,
        "verdict": check::verdict(report.verdict),
        "why": report.why.clone().or(first),
        "steps": steps,
        "endless": report.trace.loop_to.is_some(),
        "trace": check::found_trace(ask, &report.trace, report.stutters),
    })
}

/// What is asked, with the properties of the other configurations.
fn with_all_properties(ask: &Ask) -> Overrides {
    let mut overrides = ask.overrides();
    let own = diagnose::tla_file(ask).map_or((vec![], vec![]), |it| properties(&it));
    for config in ask.other_configs() {
        let Some(file) = diagnose::tla_file_with(ask, Some(&config), &Overrides::default()) else {
            continue;
        };
        let (invariants, properties) = properties(&file);
        let add = |to: &mut Vec<String>, own: &[String], names: Vec<String>| {
            for name in names {
                if !own.contains(&name) && !to.contains(&name) {
                    to.push(name);
                }
            }
        };
        add(&mut overrides.invariants, &own.0, invariants);
        add(&mut overrides.properties, &own.1, properties);
    }
    overrides
}

fn properties(file: &TlaFile) -> (Vec<String>, Vec<String>) {
    let summary = file.model.as_ref().map(|it| summarise_model(&file.spec, it));
    summary.map_or((vec![], vec![]), |it| (it.invariants, it.properties))
}
