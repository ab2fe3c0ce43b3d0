//! `babbage solve`: the best way to a goal, how many there are, and how far everything is from it.

use std::process::ExitCode;

use serde_json::{Value, json};
use source::Sources;
use workbench::{
    CheckOptions, CheckReport, Histogram, Limit, Replay, Rows, SolveOptions, SolveQuestion, SolveReport,
    SolveVerdict, TraceState, Workspace, goal_of, no_steps_in_alloy, solve,
};

use super::check::{Watched, refused};
use crate::args::{AuditArgs, Format, SearchArgs, SolveArgs};
use crate::audit::{audit_json, audit_line, write_mismatch};
use crate::files::Files;
use crate::output::{self, out};
use crate::progress::{Watch, grouped};
use crate::report::{self, counted};
use crate::table_file::TableFile;
use crate::telling::{Telling, check_show, tell, trace_text};
use crate::verdict::{not_replayed, replayed, state_json};
use crate::world::{Run, World, memory_to_use};

pub fn run(args: &SolveArgs) -> ExitCode {
    let watch = Watch::new();
    let workspace = Workspace::new(Files);
    let showing =
        |report: &SolveReport, sources: &Sources| show(report, sources, args, (&workspace, watch.seconds()));
    let refuse = |(sources, diagnostics)| {
        let report = SolveReport {
            verdict: SolveVerdict::Error,
            search: refused(diagnostics),
            ..SolveReport::default()
        };
        showing(&report, &sources)
    };
    let opened = match workspace.open(&args.spec) {
        Ok(opened) => opened,
        Err(wrong) => return refuse(wrong),
    };
    if !opened.language.has_steps() {
        return refuse((opened.sources, vec![no_steps_in_alloy()]));
    }
    let goal = match &args.goal {
        Some(goal) => goal.clone(),
        None => match goal_of(&workspace, &args.spec) {
            Ok(goal) => goal,
            Err(wrong) => return refuse(wrong),
        },
    };
    if let Err(why) = check_show(&args.show) {
        return output::refuse(&why);
    }
    let mut table = match args.table.as_deref().map(TableFile::create).transpose() {
        Ok(table) => table,
        Err(why) => {
            return output::refuse(&why);
        }
    };
    let question = SolveQuestion {
        goal,
        cost: args.cost.clone(),
        cost_state: args.cost_state.clone(),
        heuristic: args.heuristic.clone(),
    };
    let overrides = question.overrides(args.behaviour.overrides());
    let mut file = match workspace.model(&args.spec, args.behaviour.config.as_deref(), &overrides) {
        Ok(file) => (*file).clone(),
        Err(wrong) => return refuse(wrong),
    };
    let options = SolveOptions {
        check: check_options(&args.search, args.audit),
        all: args.all,
        count: args.count,
    };
    let world = World::new(Run {
        mode: "bfs",
        workers: options.check.workers,
        ..Run::default()
    });
    let watch = watch.estimating(table.is_some());
    let observer = Watched {
        watch: &watch,
        world: &world,
    };
    let rows = table.as_mut().map(|it| it as &mut dyn Rows);
    let mut report = solve(&mut file, &question, &options, &world, &observer, rows);
    watch.finish();
    let CheckReport {
        mismatch,
        diagnostics,
        ..
    } = &mut report.search;
    write_mismatch(mismatch.as_mut(), diagnostics, &file, &options.check);
    let status = show(&report, &file.sources, args, (&workspace, watch.seconds()));
    match table.map_or(Ok(()), TableFile::finish) {
        Ok(()) => status,
        Err(why) => {
            output::err(&why);
            ExitCode::from(2)
        }
    }
}

/// How far to search, for commands that find what no check finds.
pub fn check_options(args: &SearchArgs, audit: AuditArgs) -> CheckOptions {
    CheckOptions {
        workers: args
            .workers
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        tables: !args.no_tables,
        slots: !args.no_slots,
        memory: args.memory.or_else(memory_to_use),
        states_max: args.max_states,
        depth_max: args.max_depth,
        time: args.timeout,
        audit: audit.mode(),
        ..CheckOptions::default()
    }
}

fn show(
    report: &SolveReport,
    sources: &Sources,
    args: &SolveArgs,
    (workspace, seconds): (&Workspace<'_>, f64),
) -> ExitCode {
    match args.format {
        Format::Json => out(&as_json(report, sources, seconds).to_string()),
        Format::Text => {
            report::diagnostics(&report.search.diagnostics, sources);
            let telling = Telling {
                workspace,
                spec: &args.spec,
                config: args.behaviour.config.clone(),
                overrides: args.behaviour.overrides(),
                show: &args.show,
                ending: Some(verdict_line(report)),
            };
            let told = tell(&telling, &report.search, &as_text(report, args, seconds));
            if !told && report.verdict == SolveVerdict::Solved {
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(report.verdict.status().code())
}

fn as_text(report: &SolveReport, args: &SolveArgs, seconds: f64) -> String {
    let mut text = String::new();
    let solutions: Vec<&[TraceState]> = match report.solutions.is_empty() {
        true => vec![&report.search.trace],
        false => report.solutions.iter().map(Vec::as_slice).collect(),
    };
    for (i, trace) in solutions.iter().enumerate() {
        if solutions.len() > 1 {
            text += &format!("solution {} of {}\n", i + 1, solutions.len());
        }
        text += &trace_text(trace, &args.show, report::output_style());
    }
    let style = report::verdict_style(args.show.is_document());
    text += &report::verdict(&verdict_line(report), report.verdict.status(), style);
    if let Replay::NotReplayed(why) = &report.search.replay {
        text += &format!("not confirmed by a second evaluation: {why}\n");
    }
    if let Some(count) = &report.count {
        text += &count_line(report, count);
    }
    if let Some(histogram) = &report.histogram {
        text += &histogram_text(histogram, report.cost.is_some());
    }
    if report.verdict != SolveVerdict::Error {
        let (states, generated) = (grouped(report.search.distinct), grouped(report.search.generated));
        text += &format!("{states} distinct states, {generated} generated, {seconds:.2} s\n");
        text += &audit_line(report.search.audit);
    }
    text
}

fn verdict_line(report: &SolveReport) -> String {
    let steps = counted(report.steps.unwrap_or(0) as usize, "step");
    match (report.verdict, report.cost) {
        (SolveVerdict::Solved, None) => format!("solved: {steps}\n"),
        (SolveVerdict::Solved, Some(cost)) => format!("solved: cost {cost}, in {steps}\n"),
        (SolveVerdict::Unreachable, _) => "unreachable: no state that can be reached is a goal\n".to_owned(),
        (SolveVerdict::Error, _) => "error: the question cannot be answered\n".to_owned(),
        (SolveVerdict::Internal, _) => {
            "error: what was found is not true, which is a bug of babbage\n".to_owned()
        }
        (SolveVerdict::Unknown, _) => {
            format!("unknown: {}\n", Limit::ended_by(report.search.limit))
        }
    }
}

/// Where steps may cost nothing, only the shortest of the cheapest solutions are counted.
fn count_line(report: &SolveReport, count: &str) -> String {
    let what = match report.cost {
        None => "with the fewest steps",
        Some(_) => "with the least cost and, of these, the fewest steps",
    };
    match count {
        "1" => format!("1 solution {what}\n"),
        n => format!("{n} solutions {what}\n"),
    }
}

fn histogram_text(histogram: &Histogram, is_cost: bool) -> String {
    const WIDTH: u64 = 50;
    let most = histogram.bars.iter().map(|it| it.1).max().unwrap_or(1);
    let what = if is_cost { "cost" } else { "steps" };
    let mut text = format!("{what} to the goal  states\n");
    for &(distance, states) in &histogram.bars {
        let bar = "#".repeat((states * WIDTH).div_ceil(most) as usize);
        text += &format!("{distance:>8} {:>10}  {bar}\n", grouped(states));
    }
    if histogram.unreached > 0 {
        text += &format!(
            "{:>8} {:>10}  cannot reach it\n",
            "-",
            grouped(histogram.unreached)
        );
    }
    text += &format!("{} rows\n", grouped(histogram.rows));
    text
}

fn as_json(report: &SolveReport, sources: &Sources, seconds: f64) -> Value {
    let trace = |states: &[TraceState]| {
        let states: Vec<Value> = states.iter().map(state_json).collect();
        (!states.is_empty()).then(|| json!({ "states": states, "loop": null }))
    };
    let search = &report.search;
    json!({
        "language": "tla+",
        "verdict": report.verdict.name(),
        "steps": report.steps,
        "cost": report.cost,
        "count": report.count,
        "states": { "generated": search.generated, "distinct": search.distinct, "depth": search.depth },
        "trace": trace(&search.trace),
        "solutions": report.solutions.iter().map(|it| trace(it)).collect::<Vec<_>>(),
        "histogram": report.histogram.as_ref().map(|it| json!({
            "distances": it.bars.iter().map(|(distance, states)| json!({
                "distance": distance, "states": states,
            })).collect::<Vec<_>>(),
            "unreached": it.unreached,
            "rows": it.rows,
        })),
        "replayed": replayed(&search.replay),
        "not_replayed": not_replayed(&search.replay),
        "diagnostics": search.diagnostics.iter().map(|it| report::json(it, sources)).collect::<Vec<_>>(),
        "limit": search.limit.map(Limit::name),
        "memory": search.memory,
        "audit": audit_json(search.audit, search.mismatch.as_ref()),
        "seconds": seconds,
    })
}
