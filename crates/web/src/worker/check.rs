//! Checking everything that a model asks for, or running the commands of an Alloy model.

use serde_json::{Value, json};
use view::Artist;
use workbench::{
    AlloyOptions, Answer, Behaviour, CheckOptions, CheckReport, CommandReport, Limit, Replay, Status, Stop,
    TraceState, Verdict, run_alloy,
};

use super::Wire;
use super::ask::Ask;
use super::effects::{Sandbox, Teller};
use super::{diagnose, json as shown, play};

/// A server has other work too.
const WORKERS: usize = 2;

pub fn check(ask: &Ask, wire: &mut Wire) -> Value {
    match ask.workspace.open(&ask.main) {
        Ok(opened) if !opened.language.has_steps() => run(ask, wire),
        Ok(_) => check_tla(ask, wire),
        Err(_) => {
            let wrong = diagnose::diagnose(ask);
            error(wrong["diagnostics"].clone())
        }
    }
}

pub fn options(ask: &Ask) -> CheckOptions {
    CheckOptions {
        workers: std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(WORKERS),
        memory: usize::try_from(ask.memory).ok(),
        time: ask.time,
        ..CheckOptions::default()
    }
}

fn check_tla(ask: &Ask, wire: &Wire) -> Value {
    let Some(file) = diagnose::tla_file(ask) else {
        return error(json!([]));
    };
    let sandbox = Sandbox::new();
    let teller = Teller::new(wire, &sandbox);
    let report = workbench::check(&file, &options(ask), &sandbox, &teller);
    let diagnostics = shown::diagnostics(&report.diagnostics, &file.sources, &ask.texts);
    let trace = found_trace(ask, &report.trace, report.stutters);
    json!({
        "verdict": verdict(report.verdict),
        "headline": report.headline(),
        "why": report.why,
        "violation": report.violation.as_ref().map(|it| json!({ "kind": it.kind.name(), "name": it.name })),
        "states": { "distinct": report.distinct, "generated": report.generated, "depth": report.depth },
        "seconds": teller.seconds(),
        "limit": report.limit.map(Limit::name),
        "trace": trace,
        "diagnostics": diagnostics,
        "notes": notes(&report),
    })
}

/// The page tells our mistakes from those of a specification.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict.status() {
        Status::OwnBug => "internal",
        status => status.name(),
    }
}

pub fn error(diagnostics: Value) -> Value {
    json!({
        "verdict": "error",
        "headline": "The specification cannot be checked",
        "why": null,
        "violation": null,
        "states": { "distinct": 0, "generated": 0, "depth": 0 },
        "seconds": 0,
        "limit": null,
        "trace": null,
        "diagnostics": diagnostics,
        "notes": [],
    })
}

fn notes(report: &CheckReport) -> Vec<String> {
    let mut notes: Vec<String> = report.fairness.iter().chain(&report.failure).cloned().collect();
    if let Replay::NotReplayed(why) = &report.replay {
        notes.push(format!("not confirmed by a second evaluation: {why}"));
    }
    notes
}

/// A trace that a session can follow, if it finds the same states; in any case, what it looks like.
pub fn found_trace(ask: &Ask, trace: &Behaviour<TraceState>, stutters: bool) -> Option<Value> {
    if trace.is_empty() {
        return None;
    }
    let states: Vec<Vec<_>> = trace.iter().map(|it| it.values.clone()).collect();
    let followed = play::with_session(ask, |session| {
        let is_whole = session.visit(&states) == states.len();
        is_whole.then(|| session.path())
    });
    let path = followed.ok().flatten();
    Some(json!({
        "path": path,
        "entries": entries(trace),
        "loopTo": trace.loop_to,
        "stutters": stutters,
    }))
}

/// The states as pictures.
fn entries(trace: &[TraceState]) -> Vec<Value> {
    let mut artist = Artist::of_trace(trace.iter().map(|it| &it.values[..]));
    let mut entries = vec![];
    for (i, state) in trace.iter().enumerate() {
        let before = i.checked_sub(1).map(|it| &trace[it].values[..]);
        let told = state.algorithm.as_ref();
        let mut frame = artist.draw(&state.values, before);
        frame.tell_processes(told, i.checked_sub(1).and_then(|it| trace[it].algorithm.as_ref()));
        let parameters = state.parameters.iter();
        entries.push(json!({
            "step": {
                "label": state.step(),
                "action": state.action,
                "parameters": parameters.map(|(name, text)| json!({ "name": name, "text": text })).collect::<Vec<_>>(),
                "told": told.is_some_and(|it| it.step.is_some()),
                "place": null,
            },
            "frame": shown::frame(&frame),
            "processes": shown::processes(told),
            "properties": [],
        }));
    }
    entries
}

/// All commands of an Alloy model. The session shows the instance of the first that has one.
fn run(ask: &Ask, _: &Wire) -> Value {
    let start = std::time::Instant::now();
    let report = run_alloy(
        &ask.workspace,
        &ask.main,
        &AlloyOptions::default(),
        &Stop::never(),
        &mut (),
    );
    let diagnostics = shown::diagnostics(&report.diagnostics, &report.sources, &ask.texts);
    let is_wrong = report.has_errors() || report.commands.iter().any(|it| it.answer == Answer::Error);
    let is_met = report.commands.iter().all(CommandReport::is_as_wanted);
    json!({
        "verdict": if is_wrong { "error" } else if is_met { "holds" } else { "violated" },
        "headline": match report.commands.len() {
            _ if is_wrong => "The model cannot be analysed.".to_string(),
            0 => "The model has no command to run.".to_string(),
            1 => command_line(&report.commands[0]),
            n => format!("{n} commands, {} as expected.", report.commands.iter().filter(|it| it.is_as_wanted()).count()),
        },
        "why": null,
        "violation": null,
        "states": { "distinct": 0, "generated": 0, "depth": 0 },
        "seconds": start.elapsed().as_secs_f64(),
        "limit": null,
        "trace": null,
        "diagnostics": diagnostics,
        "notes": if report.commands.len() > 1 { report.commands.iter().map(command_line).collect() } else { vec![] },
    })
}

fn command_line(command: &CommandReport) -> String {
    format!("{} {}: {}", command.kind(), command.label, command.line())
}
