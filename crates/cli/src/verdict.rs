//! A verdict on a TLA+ model as text or JSON: the counterexample, the counts, the coverage.

use std::process::ExitCode;

use serde_json::{Value, json};
use source::Sources;
use view::Style;
use workbench::{
    AlgorithmState, CheckReport, Checked, CheckedKind, Decided, Limit, ProcessState, Ran, Replay, TraceState,
    Verdict,
};

use cluster::Traffic;

use crate::args::Format;
use crate::audit::{audit_json, audit_line};
use crate::output::{err, out};
use crate::progress::grouped;
use crate::report;
use crate::simulated::{simulation_json, walks_text};
use crate::telling::{Telling, Told, trace_text};

/// How a report is shown.
#[derive(Clone, Copy)]
pub struct Show<'a> {
    pub format: Format,
    pub coverage: bool,
    pub telling: &'a Telling<'a>,
    pub seconds: f64,
    /// What several processes sent each other, where there are several.
    pub traffic: Option<Traffic>,
}

/// Shows a report, and says what the exit status is.
pub fn show(report: &CheckReport, sources: &Sources, how: Show<'_>) -> ExitCode {
    let mut failed = vec![];
    match how.format {
        Format::Json => out(&as_json(report, sources, how).to_string()),
        Format::Text => {
            report::diagnostics(&report.diagnostics, sources);
            let told = how.telling.printed(report).unwrap_or_else(|why| {
                failed.push(why);
                Told {
                    text: String::new(),
                    is_document: true,
                }
            });
            let rest = as_text(report, how, report::verdict_style(told.is_document));
            match told.is_document {
                false => out(&(told.text + &rest)),
                true => {
                    // Next to a document, the verdict is for the person, not for the file.
                    err(rest.trim_end());
                    if !told.text.is_empty() {
                        out(&told.text);
                    }
                }
            }
        }
    }
    failed.extend(how.telling.write_file(report).err());
    failed.iter().for_each(|it| err(&format!("error: {it}")));
    if !failed.is_empty() && report.verdict == Verdict::Holds {
        return ExitCode::from(2);
    }
    ExitCode::from(report.verdict.status().code())
}

/// Everything but the trace.
fn as_text(report: &CheckReport, how: Show<'_>, style: Style) -> String {
    let mut text = conclusion_text(report, style);
    if report.verdict != Verdict::Error {
        text += &counts_line(report, how.seconds);
        text += &walks_text(report, how.coverage);
        text += &audit_line(report.audit);
        text += &collision_line(report);
        text += &traffic_line(report, how.traffic);
        text += &checked_line(report);
    }
    text += &rules_line(report);
    if how.coverage {
        text += &coverage_text(report);
    }
    text
}

/// Of a conjunction of several rules, those in force.
fn rules_line(report: &CheckReport) -> String {
    let (on, off) = &report.rules;
    match (on.is_empty() && off.is_empty(), off.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!("rules in force: {}\n", on.join(", ")),
        (false, false) => format!(
            "rules in force: {}; switched off: {}\n",
            if on.is_empty() {
                "none".to_string()
            } else {
                on.join(", ")
            },
            off.join(", ")
        ),
    }
}

/// The behaviour, what it violates, and why.
pub fn counterexample_text(report: &CheckReport, how: Show<'_>) -> String {
    let style = report::output_style();
    trace_text(&report.trace, how.telling.show, style) + &conclusion_text(report, style)
}

/// What a behaviour violates, and why.
fn conclusion_text(report: &CheckReport, style: Style) -> String {
    let mut text = lasso_text(report);
    text += &abstract_step_text(report);
    text += &report::verdict(&(report.line() + "\n"), report.verdict.status(), style);
    if let Replay::NotReplayed(why) = &report.replay {
        text += &format!("not confirmed by a second evaluation: {why}\n");
    }
    if let Some(why) = &report.why {
        text += &format!("{why}\n");
    }
    text
}

fn counts_line(report: &CheckReport, seconds: f64) -> String {
    let (states, generated) = (grouped(report.distinct), grouped(report.generated));
    let depth = report.depth;
    match report.walks {
        Some(1) => format!("1 walk, {states} states, {generated} generated, {seconds:.2} s\n"),
        Some(walks) => {
            let walks = grouped(walks);
            format!(
                "{walks} walks, {states} states, {generated} generated, the longest has {depth}, {seconds:.2} s\n"
            )
        }
        None => format!("{states} distinct states, {generated} generated, depth {depth}, {seconds:.2} s\n"),
    }
}

/// What was asked for, by name, with what is known of it.
fn checked_line(report: &CheckReport) -> String {
    let told = |it: &Checked| match (it.kind, it.verdict) {
        (CheckedKind::Deadlock, Decided::Holds) => "no deadlock".to_owned(),
        (CheckedKind::Deadlock, Decided::Violated) => "there is a deadlock".to_owned(),
        (CheckedKind::Deadlock, Decided::Open) => "deadlock is not decided".to_owned(),
        (kind, Decided::Holds) => format!("{} {} holds", kind.name(), it.name),
        (kind, Decided::Violated) => format!("{} {} is violated", kind.name(), it.name),
        (kind, Decided::Open) => format!("{} {} is not decided", kind.name(), it.name),
    };
    match report.checked.iter().map(told).collect::<Vec<_>>() {
        all if all.is_empty() => "checked: nothing but that every step can be evaluated\n".to_owned(),
        all => format!("checked: {}\n", all.join(", ")),
    }
}

/// Where states are told apart by hashes, how sure that is.
fn collision_line(report: &CheckReport) -> String {
    match report.collision_probability {
        0.0 => String::new(),
        chance => {
            format!("states were told apart by 64 bits; the chance that one was missed is {chance:.1e}\n")
        }
    }
}

/// What several processes sent each other.
fn traffic_line(report: &CheckReport, traffic: Option<Traffic>) -> String {
    let Some(traffic) = traffic.filter(|it| it.processes > 0) else {
        return String::new();
    };
    let processes = counted(traffic.processes, "process");
    let workers = counted(traffic.workers, "worker");
    let bytes = grouped(traffic.bytes_sent);
    let each = traffic.bytes_sent as f64 / report.distinct.max(1) as f64;
    format!("{processes} with {workers} each, {bytes} bytes on the wire, {each:.1} for a distinct state\n")
}

fn counted(n: usize, what: &str) -> String {
    match (n, what) {
        (1, _) => format!("1 {what}"),
        (_, "process") => format!("{n} processes"),
        _ => format!("{n} {what}s"),
    }
}

/// How often each action was taken and each definition evaluated.
fn coverage_text(report: &CheckReport) -> String {
    let names = report.actions.iter().map(|it| &it.name);
    let names = names.chain(report.definitions.iter().map(|it| &it.name));
    let width = names
        .map(|it| it.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(12, 40);
    let mut text = String::new();
    if !report.actions.is_empty() {
        text += "actions\n";
    }
    for action in &report.actions {
        let place = action.location.as_deref().unwrap_or("");
        let counts = match action.taken {
            0 => format!(
                "{:>39}",
                if report.walks.is_some() {
                    "never taken"
                } else {
                    "never enabled"
                }
            ),
            // Which states are new nobody knows on a walk.
            taken if report.walks.is_some() => format!("taken {:>33}", grouped(taken)),
            taken => format!("taken {:>12}  new {:>14}", grouped(taken), grouped(action.found)),
        };
        text += &format!("  {:<width$}  {counts}  {place}\n", action.name);
    }
    if !report.definitions.is_empty() {
        text += "definitions\n";
    }
    for definition in &report.definitions {
        let count = match definition.evaluated {
            0 => format!("{:>39}", "never evaluated"),
            n => format!("evaluated {:>29}", grouped(n)),
        };
        text += &format!(
            "  {:<width$}  {count}  {}\n",
            definition.name, definition.location
        );
    }
    text
}

/// The last step beside the same step as an instantiated module sees it.
fn abstract_step_text(report: &CheckReport) -> String {
    let [.., before, after] = &report.trace[..] else {
        return String::new();
    };
    if report.abstract_step.is_empty() {
        return String::new();
    }
    let change = |name: &str, before: &str, after: &str| match before == after {
        true => format!("{name} = {before}"),
        false => format!("{name} = {before} -> {after}"),
    };
    let pairs = before.texts().zip(after.texts());
    let concrete: Vec<String> = pairs
        .map(|((name, before), (_, after))| change(name, &before, &after))
        .collect();
    let abstracted = report.abstract_step.iter();
    let abstracted: Vec<String> = abstracted
        .map(|(name, before, after)| change(name, before, after))
        .collect();
    let width = concrete
        .iter()
        .map(|it| it.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(13, 60);
    let mut text = format!(
        "{:<width$}  |  as the abstract specification sees it\n",
        "the last step"
    );
    for i in 0..concrete.len().max(abstracted.len()) {
        let cell = |cells: &[String]| cells.get(i).cloned().unwrap_or_default();
        text += format!("{:<width$}  |  {}", cell(&concrete), cell(&abstracted)).trim_end();
        text += "\n";
    }
    text
}

/// What a behaviour does after its last state, and why it counts.
fn lasso_text(report: &CheckReport) -> String {
    let mut text = match report.trace.loop_to {
        None => return String::new(),
        Some(_) if report.stutters => "then stutters for ever\n".to_string(),
        Some(at) => format!("then back to state {}\n", at + 1),
    };
    for line in report.fairness.iter().chain(&report.failure) {
        text += &format!("  {line}\n");
    }
    text
}

fn as_json(report: &CheckReport, sources: &Sources, how: Show<'_>) -> Value {
    json!({
        "language": "tla+",
        "verdict": report.verdict.status().name(),
        "why": report.why,
        "walks": report.walks,
        "simulation": report.simulation.as_ref().map(simulation_json),
        "checked": report.checked.iter().map(|it| json!({
            "kind": it.kind.name(), "name": it.name, "verdict": match it.verdict {
                Decided::Holds => "holds",
                Decided::Violated => "violated",
                Decided::Open => "unknown",
            },
        })).collect::<Vec<_>>(),
        "violation": report.violation.as_ref().map(|it| json!({ "kind": it.kind.name(), "name": it.name })),
        "states": { "generated": report.generated, "distinct": report.distinct, "depth": report.depth },
        "trace": trace_json(report),
        "replayed": replayed(&report.replay),
        "not_replayed": not_replayed(&report.replay),
        "lasso": lasso_json(report),
        "rules": { "in_force": report.rules.0, "off": report.rules.1 },
        "abstract_step": report.abstract_step.iter().map(|(name, before, after)| json!({
            "name": name, "before": before, "after": after,
        })).collect::<Vec<_>>(),
        "diagnostics": report.diagnostics.iter().map(|it| report::json(it, sources)).collect::<Vec<_>>(),
        "limit": report.limit.map(Limit::name),
        "memory": report.memory,
        "disk": report.disk,
        "collision_probability": report.collision_probability,
        "audit": audit_json(report.audit, report.mismatch.as_ref()),
        "actions": report.actions.iter().map(|it| json!({
            "name": it.name, "location": it.location, "taken": it.taken, "found": it.found,
        })).collect::<Vec<_>>(),
        "definitions": report.definitions.iter().map(|it| json!({
            "name": it.name, "location": it.location, "evaluated": it.evaluated,
        })).collect::<Vec<_>>(),
        "processes": how.traffic.filter(|it| it.processes > 0).map(|it| json!({
            "processes": it.processes, "workers": it.workers,
            "bytes_sent": it.bytes_sent, "candidates_sent": it.candidates_sent,
        })),
        "seconds": how.seconds,
    })
}

pub fn trace_json(report: &CheckReport) -> Option<Value> {
    let states: Vec<Value> = report.trace.iter().map(state_json).collect();
    (!states.is_empty()).then(|| json!({ "states": states, "loop": report.trace.loop_to }))
}

pub fn lasso_json(report: &CheckReport) -> Option<Value> {
    report.trace.loop_to.map(
        |_| json!({ "stutters": report.stutters, "fairness": report.fairness, "failure": report.failure }),
    )
}

/// Whether the trace was confirmed; nothing without one.
pub fn replayed(replay: &Replay) -> Option<bool> {
    match replay {
        Replay::Nothing => None,
        Replay::Confirmed => Some(true),
        Replay::NotReplayed(_) | Replay::Refuted(_) => Some(false),
    }
}

/// Why the trace was not confirmed.
pub fn not_replayed(replay: &Replay) -> Option<&String> {
    match replay {
        Replay::NotReplayed(why) | Replay::Refuted(why) => Some(why),
        Replay::Nothing | Replay::Confirmed => None,
    }
}

pub fn state_json(state: &TraceState) -> Value {
    let parameters = state.parameters.iter();
    let parameters = parameters.map(|(name, it)| (name.clone(), json!(it)));
    let variables = state.texts().map(|(name, it)| (name.clone(), json!(it)));
    json!({
        "action": state.action,
        "parameters": parameters.collect::<serde_json::Map<_, _>>(),
        "location": state.location,
        "variables": variables.collect::<serde_json::Map<_, _>>(),
        "moved": state.moved,
        "stuttered": state.stuttered,
        "algorithm": state.algorithm.as_ref().map(algorithm_json),
    })
}

/// A state in the words of its algorithm.
fn algorithm_json(it: &AlgorithmState) -> Value {
    let ran = |it: &Ran| json!({ "line": it.line, "text": it.text });
    let process = |it: &ProcessState| {
        let calls = it.calls.iter();
        let calls = calls.map(|(procedure, back)| json!({ "procedure": procedure, "returns_to": back }));
        json!({
            "name": it.name,
            "label": it.label,
            "line": it.place.as_ref().map(|it| it.line),
            "text": it.place.as_ref().map(|it| it.text.as_str()),
            "moved": it.moved,
            "calls": calls.collect::<Vec<_>>(),
        })
    };
    json!({
        "step": it.step,
        "statements": it.statements.iter().map(ran).collect::<Vec<_>>(),
        "processes": it.processes.iter().map(process).collect::<Vec<_>>(),
    })
}
