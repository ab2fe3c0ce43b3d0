//! `babbage check` for Alloy: a line for each command, with what was found.

use std::process::ExitCode;

use diag::Diagnostic;
use serde_json::{Value, json};
use source::Sources;
use view::instance::About;
use workbench::{
    AlloyOptions, AlloyReport, Answer, Audit, CommandReport, Status, Stop, Workspace, run_alloy,
};

use crate::alloy_watch::{AlloyWatch, Limits, Times};
use crate::args::{AlloyArgs, CheckArgs, Format, OverflowArg};
use crate::instance::{instance_json, shown};
use crate::output::{err, out, refuse};
use crate::progress::{Watch, grouped};
use crate::report;
use crate::telling::{cannot_be_written, check_file};
use crate::world::memory_to_use;

/// What was asked for, as the workbench wants it.
pub fn options(args: &AlloyArgs) -> AlloyOptions {
    AlloyOptions {
        command: args.command.clone(),
        instances_max: args.all,
        solver: args.solver.clone(),
        wrap: args.overflow == OverflowArg::Wrap,
        symmetry: args.symmetry,
        unsat_core: true,
        prove: false,
        dimacs: false,
    }
}

pub fn run(args: &CheckArgs, workspace: &Workspace<'_>, watch: &Watch) -> ExitCode {
    if let Err(why) = check_show(args) {
        return refuse(&why);
    }
    let limits = Limits {
        time: args.search.timeout,
        memory: args.search.memory.or_else(memory_to_use),
    };
    let stop = Stop::never();
    let mut times: Vec<Times> = vec![];
    // What a person reads comes as it is found; a program wants one object at the end.
    let mut ended = |command: &CommandReport, took: Times, sources: &Sources| {
        times.push(took);
        if args.format == Format::Text {
            show_command(args, command, took, sources);
        }
    };
    let mut waiting = AlloyWatch::new(limits, stop.clone(), &mut ended);
    let options = AlloyOptions {
        prove: args.audit.mode() == Audit::Full,
        dimacs: args.cnf.is_some(),
        ..options(&args.alloy)
    };
    let report = run_alloy(workspace, &args.spec, &options, &stop, &mut waiting);
    let limit = waiting.finish();
    match args.format {
        Format::Json => out(&as_json(&report, &times, limit, watch.seconds()).to_string()),
        Format::Text => {
            report::diagnostics(&report.diagnostics, &report.sources);
            let summary = summary(&report, &times, limit);
            // Next to a document, the summary is for the person, not for the file.
            if args.show.is_document() {
                err(summary.trim_end());
            } else if !summary.is_empty() {
                out(&summary);
            }
        }
    }
    let status = status(&report).code();
    if let Err(why) = write_clauses(args, &report).and_then(|()| write_file(args, &report)) {
        err(&format!("error: {why}"));
        return ExitCode::from(status.max(2));
    }
    ExitCode::from(status)
}

/// Whether instances can be shown and written as was asked, before anyone waits for them.
fn check_show(args: &CheckArgs) -> Result<(), String> {
    match args.show.definition() {
        Some(name) => Err(format!("`{name}` is no view of an Alloy instance")),
        None => check_file(&args.show),
    }
}

fn status(report: &AlloyReport) -> Status {
    let any = |status| report.commands.iter().any(|it| it.status() == status);
    match () {
        () if report.diagnostics.iter().any(Diagnostic::is_error) || any(Status::Wrong) => Status::Wrong,
        () if any(Status::Bad) => Status::Bad,
        () if any(Status::Unknown) => Status::Unknown,
        () => Status::Good,
    }
}

/// Writes what the solver was given to the file that was asked for.
fn write_clauses(args: &CheckArgs, report: &AlloyReport) -> Result<(), String> {
    let Some(file) = &args.cnf else {
        return Ok(());
    };
    let texts: Vec<&String> = report
        .commands
        .iter()
        .filter_map(|it| it.dimacs.as_ref())
        .collect();
    let text = match texts[..] {
        [only] => only,
        [] => {
            return Err(format!(
                "there are no clauses, so nothing was written to `{file}`"
            ));
        }
        _ => {
            return Err(format!(
                "several commands have this label, so nothing was written to `{file}`: choose one by its number"
            ));
        }
    };
    std::fs::write(file, text).map_err(|it| cannot_be_written(file, &it))
}

/// Writes the first instance that was found to the file that was asked for.
fn write_file(args: &CheckArgs, report: &AlloyReport) -> Result<(), String> {
    let Some((file, view)) = args.show.file()? else {
        return Ok(());
    };
    let mut commands = report.commands.iter();
    let Some(command) = commands.find(|it| !it.instances.is_empty()) else {
        return Err(format!(
            "there is no instance, so nothing was written to `{file}`"
        ));
    };
    let about = about(command, &report.sources);
    let text = shown(&command.instances[0], Some(view), &about, view::Style::Plain);
    std::fs::write(file, text).map_err(|it| cannot_be_written(file, &it))
}

/// The answer to one command, its instances, and the places that exclude all of them.
fn show_command(args: &CheckArgs, command: &CommandReport, took: Times, sources: &Sources) {
    let is_document = args.show.is_document();
    let line = format!(
        "{} {}: {}{}, {:.2} s\n",
        command.kind(),
        command.label,
        report::verdict(
            &command.line(),
            command.status(),
            report::verdict_style(is_document)
        ),
        proof_text(command),
        took.total.as_secs_f64()
    );
    let mut text = String::new();
    if is_document {
        err(line.trim_end());
    } else {
        text += &line;
    }
    let about = about(command, sources);
    for (i, instance) in command.instances.iter().enumerate() {
        if args.alloy.all > 1 && !is_document {
            text += &format!("instance {}\n", i + 1);
        }
        text += &shown(instance, args.show.printed(), &about, report::output_style());
    }
    if !is_document {
        text += &blame_text(command, sources);
    }
    if !text.is_empty() {
        out(&text);
    }
}

fn about(command: &CommandReport, sources: &Sources) -> About {
    let file = sources.file(command.span.file);
    let verb = if command.is_check { "Check" } else { "Run" };
    About {
        command: format!("{verb} {}", command.label),
        file: file.name().to_string(),
        sources: vec![(file.name().to_string(), file.text().to_string())],
    }
}

fn blame_text(command: &CommandReport, sources: &Sources) -> String {
    if command.unsat_core.is_empty() {
        return String::new();
    }
    let mut text = "together these exclude all instances, and none of them can be left out:\n".to_string();
    if command.unsat_core.len() == 1 {
        text = "this excludes all instances:\n".to_string();
    }
    for unsat_core in &command.unsat_core {
        let place = unsat_core.span.map_or(String::new(), |it| sources.location(it));
        let quote = unsat_core
            .span
            .map_or(String::new(), |it| one_line(sources.text(it)));
        text += &format!("  {place}: {} {quote}\n", unsat_core.what);
    }
    text
}

/// The beginning of a text, on one line.
fn one_line(text: &str) -> String {
    const LEN_MAX: usize = 80;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LEN_MAX) {
        Some((end, _)) => format!("`{}…`", &line[..end]),
        None => format!("`{line}`"),
    }
}

/// A line for each command, when there are several, or what ended the run.
fn summary(report: &AlloyReport, times: &[Times], limit: Option<&str>) -> String {
    let mut text = String::new();
    if report.commands.len() > 1 {
        let width = report.commands.iter().map(|it| it.label.chars().count()).max();
        let width = width.unwrap_or(0);
        text += &format!("\n{} commands\n", report.commands.len());
        for (i, (command, took)) in report.commands.iter().zip(times).enumerate() {
            let surprise = match (command.is_as_wanted(), command.expect) {
                (false, Some(_)) if command.answer != Answer::Unknown => "  not as expected",
                _ => "",
            };
            text += &format!(
                "{:>4} {:<5} {:<width$}  {:<31} {:>9} variables {:>10} clauses{surprise} {:>8.2} s\n",
                i + 1,
                command.kind(),
                command.label,
                command.line(),
                grouped(command.variables as u64),
                grouped(command.clauses as u64),
                took.total.as_secs_f64(),
            );
        }
    } else if report.commands.is_empty() && !report.has_errors() {
        text += "the model has no command to run\n";
    }
    if let Some(limit) = limit.filter(|_| report.commands.iter().any(|it| it.answer == Answer::Unknown)) {
        text += &format!("unknown: ended by {limit}\n");
    }
    text
}

/// That the answer is more than what the solver says.
fn proof_text(command: &CommandReport) -> String {
    let steps = |n| format!(", its proof of {} confirmed", report::counted(n, "step"));
    command.proof.map(steps).unwrap_or_default()
}

fn as_json(report: &AlloyReport, times: &[Times], limit: Option<&str>, seconds: f64) -> Value {
    let commands = report.commands.iter().zip(times);
    let commands: Vec<Value> = commands
        .map(|(command, took)| command_json(command, *took, &report.sources))
        .collect();
    let diagnostics: Vec<Value> = report
        .diagnostics
        .iter()
        .map(|it| report::json(it, &report.sources))
        .collect();
    json!({
        "language": "alloy",
        "verdict": status(report).name(),
        "commands": commands,
        "diagnostics": diagnostics,
        "limit": limit,
        "seconds": seconds,
    })
}

fn command_json(command: &CommandReport, took: Times, sources: &Sources) -> Value {
    let unsat_core = command
        .unsat_core
        .iter()
        .map(|it| json!({ "location": it.span.map(|it| sources.location(it)), "what": it.what }));
    json!({
        "label": command.label,
        "kind": command.kind(),
        "expect": command.expect,
        "result": command.answer.name(),
        "seconds": took.total.as_secs_f64(),
        "translate": took.translate.as_secs_f64(),
        "solve": took.solve.as_secs_f64(),
        "variables": command.variables,
        "clauses": command.clauses,
        "proof": command.proof.map(|steps| json!({ "steps": steps })),
        "blame": unsat_core.collect::<Vec<_>>(),
        "instances": command.instances.iter().map(instance_json).collect::<Vec<_>>(),
    })
}
