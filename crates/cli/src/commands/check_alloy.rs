//! `babbage check` for Alloy: a line for each command, with what was found.

use std::process::ExitCode;

use diag::Diagnostic;
use serde_json::{Value, json};
use workbench::{AlloyOptions, AlloyReport, Answer, CommandReport, Instance, Opened, Stop, run_alloy};

use crate::args::{CheckArgs, Format};
use crate::files::Files;
use crate::output::out;
use crate::progress::Watch;
use crate::report;

pub fn run(args: &CheckArgs, opened: Opened, watch: &Watch) -> ExitCode {
    let stop = Stop::never();
    let report = run_alloy(opened, &Files, &AlloyOptions::default(), &stop, &mut |_, _, _| {});
    match args.format {
        Format::Json => out(&as_json(&report, watch.seconds()).to_string()),
        Format::Text => {
            report::diagnostics(&report.diagnostics, &report.sources);
            out(&as_text(&report));
        }
    }
    ExitCode::from(status(&report))
}

fn status(report: &AlloyReport) -> u8 {
    let any = |answer| report.commands.iter().any(|it| it.answer == answer);
    match () {
        () if report.diagnostics.iter().any(Diagnostic::is_error) || any(Answer::Error) => 2,
        () if report
            .commands
            .iter()
            .any(|it| it.answer != Answer::Unknown && !it.is_as_wanted()) =>
        {
            1
        }
        () if any(Answer::Unknown) => 3,
        () => 0,
    }
}

fn as_text(report: &AlloyReport) -> String {
    let mut text = String::new();
    for command in &report.commands {
        text += &format!("{} {}: {}\n", kind(command), command.label, answer_text(command));
        for instance in &command.instances {
            text += &instance_text(instance);
        }
        for blame in &command.blame {
            let place = blame
                .span
                .map_or(String::new(), |it| format!(" at {}", report.sources.location(it)));
            text += &format!("  because of the {}{place}\n", blame.what);
        }
    }
    text
}

fn kind(command: &CommandReport) -> &'static str {
    if command.is_check { "check" } else { "run" }
}

fn answer_text(command: &CommandReport) -> &'static str {
    match (command.answer, command.is_check) {
        (Answer::Sat, false) => "an instance was found",
        (Answer::Sat, true) => "a counterexample was found",
        (Answer::Unsat, false) => "no instance in this scope",
        (Answer::Unsat, true) => "no counterexample in this scope",
        (Answer::Unknown, _) => "stopped before an answer",
        (Answer::Error, _) => "cannot be analysed",
    }
}

/// Every relation that holds something, state by state.
fn instance_text(instance: &Instance) -> String {
    let mut text = String::new();
    for state in 0..instance.states.states.len() {
        if instance.states.states.len() > 1 {
            text += &format!("  state {state}\n");
        }
        for (i, relation) in instance.relations.iter().enumerate() {
            let tuples = instance.tuples(i, state);
            if tuples.is_empty() || relation.is_meta {
                continue;
            }
            let tuple = |it: &workbench::Tuple| {
                it.iter()
                    .map(|&atom| instance.name(atom))
                    .collect::<Vec<_>>()
                    .join("->")
            };
            let tuples: Vec<String> = tuples.iter().map(tuple).collect();
            text += &format!("  {} = {{{}}}\n", relation.name, tuples.join(", "));
        }
    }
    text
}

fn as_json(report: &AlloyReport, seconds: f64) -> Value {
    let verdict = match status(report) {
        0 => "holds",
        1 => "violated",
        2 => "error",
        _ => "unknown",
    };
    let commands: Vec<Value> = report.commands.iter().map(command_json).collect();
    let diagnostics: Vec<Value> = report
        .diagnostics
        .iter()
        .map(|it| report::json(it, &report.sources))
        .collect();
    json!({
        "language": "alloy",
        "verdict": verdict,
        "commands": commands,
        "diagnostics": diagnostics,
        "seconds": seconds,
    })
}

fn command_json(command: &CommandReport) -> Value {
    let result = match command.answer {
        Answer::Sat => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown => "unknown",
        Answer::Error => "error",
    };
    json!({
        "label": command.label,
        "kind": kind(command),
        "expect": command.expect,
        "result": result,
        "variables": command.variables,
        "clauses": command.clauses,
    })
}
