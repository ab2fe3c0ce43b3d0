//! `babbage check`: the verdict, the counts, and a counterexample when there is one.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};
use source::Sources;
use workbench::{
    CheckOptions, CheckReport, Language, Observer, Progress, Replay, TlaFile, TraceState, Verdict, check,
    open, parse_tla,
};

use crate::args::{CheckArgs, Format, StoreArg, ViewArg};
use crate::files::Files;
use crate::output::out;
use crate::progress::{Watch, grouped};
use crate::report;
use crate::trace_text::trace_text;
use crate::world::{World, memory_to_use};

pub fn run(args: &CheckArgs) -> ExitCode {
    let watch = Watch::new();
    let opened = match open(&args.spec, &Files) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => {
            let failed = CheckReport {
                verdict: Verdict::Error,
                diagnostics,
                ..CheckReport::default()
            };
            return show(args, &failed, &sources, &watch);
        }
    };
    if opened.language == Language::Alloy {
        return super::check_alloy::run(args, opened, &watch);
    }
    let mut file = parse_tla(opened, &Files, false);
    configure(&mut file, args);
    let options = CheckOptions {
        workers: args
            .workers
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        fingerprints: args.store == StoreArg::Fingerprint,
        tables: !args.no_tables,
        deadlock: args.no_deadlock.then_some(false),
        keep_going: args.keep_going,
        memory: args.memory.or_else(memory_to_use),
        states_max: args.max_states,
        depth_max: args.max_depth,
        time: args.timeout.and_then(|it| Duration::try_from_secs_f64(it).ok()),
    };
    let world = World::new(0, "bfs", options.workers);
    let report = check(
        &file,
        &options,
        &world,
        &Watched {
            watch: &watch,
            world: &world,
        },
    );
    watch.finish();
    show(args, &report, &file.sources, &watch)
}

/// The search tells both the person and the specification how far it is.
struct Watched<'a> {
    watch: &'a Watch,
    world: &'a World,
}

impl Observer for Watched<'_> {
    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }

    fn progress(&self, progress: &Progress) {
        self.world.reached(progress);
        self.watch.progress(progress);
    }
}

fn configure(file: &mut TlaFile, args: &CheckArgs) {
    match args.config.clone().or_else(|| file.config_beside(&Files)) {
        Some(config) => file.configure(&config, &Files),
        None => file.configure_by_names(),
    }
}

fn show(args: &CheckArgs, report: &CheckReport, sources: &Sources, watch: &Watch) -> ExitCode {
    match args.format {
        Format::Json => out(&as_json(report, sources, watch.seconds()).to_string()),
        Format::Text => {
            report::diagnostics(&report.diagnostics, sources);
            let drawn = args.view != Some(ViewArg::Text);
            out(&as_text(report, args.coverage, drawn, watch.seconds()));
        }
    }
    ExitCode::from(match report.verdict {
        Verdict::Holds => 0,
        Verdict::Violated => 1,
        Verdict::Error => 2,
        Verdict::Unknown => 3,
        Verdict::Internal => 101,
    })
}

fn as_text(report: &CheckReport, coverage: bool, drawn: bool, seconds: f64) -> String {
    let mut text = trace_text(&report.trace, drawn, report::output_style());
    text += &lasso_text(report);
    text += &abstract_step_text(report);
    text += &verdict_line(report);
    if let Replay::NotReplayed(why) = &report.replay {
        text += &format!("not confirmed by a second evaluation: {why}\n");
    }
    if report.verdict != Verdict::Error {
        text += &format!(
            "{} distinct states, {} generated, depth {}, {:.2} s\n",
            grouped(report.distinct),
            grouped(report.generated),
            report.depth,
            seconds
        );
    }
    if coverage {
        for action in &report.actions {
            let place = action.location.as_deref().unwrap_or("");
            text += &format!(
                "  {:<24} taken {:>12}  new {:>12}  {place}\n",
                action.name, action.taken, action.found
            );
        }
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
    let pairs = before.variables.iter().zip(&after.variables);
    let concrete: Vec<String> = pairs
        .map(|((name, before), (_, after))| change(name, before, after))
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
    let mut text = match report.loop_to {
        None => return String::new(),
        Some(_) if report.stutters => "then stutters for ever\n".to_string(),
        Some(at) => format!("then back to state {}\n", at + 1),
    };
    for line in report.fairness.iter().chain(&report.failure) {
        text += &format!("  {line}\n");
    }
    text
}

fn verdict_line(report: &CheckReport) -> String {
    match (report.verdict, &report.violation) {
        (Verdict::Holds, _) => "holds: every state was searched\n".to_string(),
        (Verdict::Violated, Some(it)) if it.kind == "deadlock" => {
            format!(
                "violated: deadlock, the last of {} states has no successor\n",
                report.trace.len()
            )
        }
        (Verdict::Violated, Some(it)) if it.kind == "liveness" => {
            format!("violated: temporal property `{}`\n", it.name)
        }
        (Verdict::Violated, Some(it)) if report.trace.is_empty() => {
            format!("violated: {} {}\n", it.kind, it.name)
        }
        (Verdict::Violated, Some(it)) => {
            let steps = report.trace.len().saturating_sub(1);
            format!(
                "violated: {} `{}`, in {steps} steps\n",
                it.kind.replace('-', " "),
                it.name
            )
        }
        (Verdict::Violated, None) => "violated\n".to_string(),
        (Verdict::Error, _) => "error: the specification cannot be checked\n".to_string(),
        (Verdict::Internal, _) => {
            "error: what was found is not true, which is a bug of babbage\n".to_string()
        }
        (Verdict::Unknown, _) => format!("unknown: ended by {}\n", report.limit.unwrap_or("a limit")),
    }
}

fn as_json(report: &CheckReport, sources: &Sources, seconds: f64) -> Value {
    let verdict = match report.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Error | Verdict::Internal => "error",
        Verdict::Unknown => "unknown",
    };
    let states: Vec<Value> = report.trace.iter().map(state_json).collect();
    let trace = (!states.is_empty()).then(|| json!({ "states": states, "loop": report.loop_to }));
    let lasso = report.loop_to.map(
        |_| json!({ "stutters": report.stutters, "fairness": report.fairness, "failure": report.failure }),
    );
    json!({
        "language": "tla+",
        "verdict": verdict,
        "violation": report.violation.as_ref().map(|it| json!({ "kind": it.kind, "name": it.name })),
        "states": { "generated": report.generated, "distinct": report.distinct, "depth": report.depth },
        "trace": trace,
        "replayed": replayed(&report.replay),
        "not_replayed": match &report.replay {
            Replay::NotReplayed(why) | Replay::Refuted(why) => Some(why),
            Replay::Nothing | Replay::Confirmed => None,
        },
        "lasso": lasso,
        "abstract_step": report.abstract_step.iter().map(|(name, before, after)| json!({
            "name": name, "before": before, "after": after,
        })).collect::<Vec<_>>(),
        "diagnostics": report.diagnostics.iter().map(|it| report::json(it, sources)).collect::<Vec<_>>(),
        "limit": report.limit,
        "memory": report.memory,
        "actions": report.actions.iter().map(|it| json!({
            "name": it.name, "location": it.location, "taken": it.taken, "found": it.found,
        })).collect::<Vec<_>>(),
        "seconds": seconds,
    })
}

/// Whether the trace was confirmed; nothing without one.
fn replayed(replay: &Replay) -> Option<bool> {
    match replay {
        Replay::Nothing => None,
        Replay::Confirmed => Some(true),
        Replay::NotReplayed(_) | Replay::Refuted(_) => Some(false),
    }
}

fn state_json(state: &TraceState) -> Value {
    let variables: serde_json::Map<String, Value> = state
        .variables
        .iter()
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    json!({ "action": state.action, "location": state.location, "variables": variables })
}
