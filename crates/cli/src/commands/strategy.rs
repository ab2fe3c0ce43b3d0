//! `babbage strategy`: who can force what, in how many moves, and how.

use std::process::ExitCode;

use serde_json::{Value, json};
use source::Sources;
use workbench::{
    Aim, CheckReport, FollowReport, Limit, Replay, Rows, StrategyQuestion, StrategyReport, StrategyVerdict,
    TraceState, Workspace, no_steps_in_alloy, players_of, strategy,
};

use super::check::{Watched, refused};
use super::solve::check_options;
use crate::args::{Format, ShowArgs, StrategyArgs};
use crate::audit::{audit_json, audit_line, write_mismatch};
use crate::files::Files;
use crate::output::{self, out};
use crate::progress::{Watch, grouped};
use crate::report::{self, counted};
use crate::table_file::TableFile;
use crate::telling::{Telling, cannot_be_written, check_show, tell, trace_text};
use crate::verdict::{not_replayed, replayed, state_json};
use crate::world::{Run, World};

pub fn run(args: &StrategyArgs) -> ExitCode {
    let watch = Watch::new();
    let workspace = Workspace::new(Files);
    let refuse = |(sources, diagnostics)| {
        let report = StrategyReport {
            verdict: StrategyVerdict::Error,
            search: refused(diagnostics),
            ..StrategyReport::default()
        };
        show(&report, &sources, args, (&workspace, watch.seconds()))
    };
    let opened = match workspace.open(&args.spec) {
        Ok(opened) => opened,
        Err(wrong) => return refuse(wrong),
    };
    if !opened.language.has_steps() {
        return refuse((opened.sources, vec![no_steps_in_alloy()]));
    }
    let mut question = question(args);
    if question.players.is_empty() {
        question.players = match players_of(&workspace, &args.spec) {
            Ok(players) => players,
            Err(wrong) => return refuse(wrong),
        };
    }
    if let Err(why) = check_show(&args.show) {
        return output::refuse(&why);
    }
    let mut table = match args.table.as_deref().map(TableFile::create).transpose() {
        Ok(table) => table,
        Err(why) => {
            return output::refuse(&why);
        }
    };
    let overrides = question.overrides(args.behaviour.overrides());
    let mut file = match workspace.model(&args.spec, args.behaviour.config.as_deref(), &overrides) {
        Ok(file) => (*file).clone(),
        Err(wrong) => return refuse(wrong),
    };
    let options = check_options(&args.search, args.audit);
    let world = World::new(Run {
        mode: "bfs",
        workers: 1,
        ..Run::default()
    });
    let watch = watch.estimating(table.is_some());
    let observer = Watched {
        watch: &watch,
        world: &world,
    };
    let rows = table.as_mut().map(|it| it as &mut dyn Rows);
    let mut report = strategy(&mut file, &question, &options, &world, &observer, rows);
    watch.finish();
    let CheckReport {
        mismatch,
        diagnostics,
        ..
    } = &mut report.search;
    write_mismatch(mismatch.as_mut(), diagnostics, &file, &options);
    let status = show(&report, &file.sources, args, (&workspace, watch.seconds()));
    let written = table.map_or(Ok(()), TableFile::finish);
    match written.and_then(|()| write_definition(args, &report)) {
        Ok(()) => status,
        Err(why) => {
            output::err(&why);
            ExitCode::from(2)
        }
    }
}

fn question(args: &StrategyArgs) -> StrategyQuestion {
    StrategyQuestion {
        players: args.players.clone(),
        aim: match (&args.goal, &args.infinitely_often) {
            (Some(goal), _) => Aim::Goal(goal.clone()),
            (None, Some(wanted)) => Aim::Recurring(wanted.clone()),
            (None, None) => Aim::Outcomes(args.outcomes.clone()),
        },
        hero: args.hero.clone(),
        follow: args.follow.clone(),
        definition: args.definition.is_some(),
    }
}

fn write_definition(args: &StrategyArgs, report: &StrategyReport) -> Result<(), String> {
    match (args.definition.as_deref(), &report.definition) {
        // It is in the JSON already.
        (Some("-"), Some(_)) if args.format == Format::Json => {}
        (Some("-"), Some(text)) => out(text),
        (Some(path), Some(text)) => {
            std::fs::write(path, text).map_err(|it| cannot_be_written(path, &it))?;
        }
        _ => {}
    }
    Ok(())
}

fn show(
    report: &StrategyReport,
    sources: &Sources,
    args: &StrategyArgs,
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
                ending: Some(verdict_line(report, args)),
            };
            let told = tell(&telling, &report.search, &as_text(report, args, seconds));
            if !told && report.verdict == StrategyVerdict::Holds {
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(report.verdict.status().code())
}

fn as_text(report: &StrategyReport, args: &StrategyArgs, seconds: f64) -> String {
    let search = &report.search;
    let mut text = trace_text(&search.trace, &args.show, report::output_style());
    if let Some(at) = search.trace.loop_to {
        text += &format!("then back to state {}, for ever\n", at + 1);
    }
    let style = report::verdict_style(args.show.is_document());
    text += &report::verdict(&verdict_line(report, args), report.verdict.status(), style);
    if let Replay::NotReplayed(why) = &search.replay {
        text += &format!("not confirmed by a second evaluation: {why}\n");
    }
    for note in &report.notes {
        text += &format!("{note}\n");
    }
    if let Some(follow) = &report.follow {
        text += &follow_text(follow, &args.show);
    }
    if report.verdict != StrategyVerdict::Error {
        text += &counts_line(report, seconds);
    }
    text
}

fn verdict_line(report: &StrategyReport, args: &StrategyArgs) -> String {
    let in_moves = match (report.moves, report.own_moves) {
        (Some(moves), Some(own)) => format!(" in {}, {own} of its own", counted(moves as usize, "move")),
        _ => String::new(),
    };
    let is_goal = args.goal.is_some() || args.infinitely_often.is_some();
    let hero = &report.hero;
    match (report.verdict, &report.value) {
        (StrategyVerdict::Error, _) => "error: the question cannot be answered\n".to_owned(),
        (StrategyVerdict::Internal, _) => {
            "error: what was found is not true, which is a bug of babbage\n".to_owned()
        }
        (StrategyVerdict::Unknown, _) => {
            format!("unknown: {}\n", Limit::ended_by(report.search.limit))
        }
        (_, None) => "nothing to say: there is no position\n".to_owned(),
        (_, Some(value)) if is_goal && value == hero => format!("{hero} can force it{in_moves}\n"),
        (_, Some(_)) if is_goal => match &report.winner {
            Some(other) => format!("{hero} cannot force it: {other} can prevent it\n"),
            None => format!("{hero} cannot force it: the others can prevent it\n"),
        },
        (_, Some(value)) => match &report.winner {
            Some(winner) => format!("value: {winner} wins{in_moves}\n"),
            None => format!("value: {value}\n"),
        },
    }
}

fn counts_line(report: &StrategyReport, seconds: f64) -> String {
    let tally: Vec<String> = report
        .tally
        .iter()
        .map(|(value, n)| format!("{value} {}", grouped(*n)))
        .collect();
    let tally = if tally.is_empty() {
        String::new()
    } else {
        format!(" ({})", tally.join(", "))
    };
    let (positions, generated) = (grouped(report.search.distinct), grouped(report.search.generated));
    let counts = format!("{positions} positions{tally}, {generated} moves generated, {seconds:.2} s\n");
    counts + &audit_line(report.search.audit)
}

fn follow_text(follow: &FollowReport, show: &ShowArgs) -> String {
    let player = &follow.player;
    let mut text = String::new();
    for (i, lapse) in follow.examples.iter().enumerate() {
        let (n, of) = (i + 1, follow.lapses);
        text += &format!(
            "position {n} of {of} in which value is given away: {}, then {}\n",
            lapse.had, lapse.left
        );
        // How it is reached is told once.
        let shown = if i == 0 {
            0
        } else {
            lapse.trace.len().saturating_sub(2)
        };
        text += &trace_text(&lapse.trace[shown..], show, report::output_style());
        if let Some(better) = &lapse.better {
            text += "a best move instead\n";
            text += &trace_text(std::slice::from_ref(better), show, report::output_style());
        }
    }
    let positions = |n: u64| counted(n as usize, "position");
    text += &match (follow.wins, follow.loses) {
        (true, _) => format!("{player} wins by following the strategy, whatever the others do\n"),
        (false, true) => format!("{player} can lose by following the strategy\n"),
        (false, false) => format!("{player} never loses by following the strategy\n"),
    };
    text += &match follow.lapses {
        0 => "it gives nothing away: it is as good as the best\n".to_owned(),
        n => format!(
            "it gives value away in {} of {}\n",
            positions(n),
            positions(follow.decisions)
        ),
    };
    if follow.slower > 0 {
        text += &format!(
            "in {} it wins, but not as fast as possible\n",
            positions(follow.slower)
        );
    }
    if follow.silent > 0 {
        text += &format!(
            "in {} it has no move, although {player} has\n",
            positions(follow.silent)
        );
    }
    if follow.foreign > 0 {
        text += &format!(
            "{} of it are no moves of {player}\n",
            counted(follow.foreign as usize, "step")
        );
    }
    text += &format!(
        "{} reached, {} of them for {player} to move\n",
        positions(follow.reached),
        follow.decisions
    );
    text
}

fn as_json(report: &StrategyReport, sources: &Sources, seconds: f64) -> Value {
    let trace = |states: &[TraceState], back: Option<usize>| {
        let states: Vec<Value> = states.iter().map(state_json).collect();
        (!states.is_empty()).then(|| json!({ "states": states, "loop": back }))
    };
    let search = &report.search;
    json!({
        "language": "tla+",
        "verdict": report.verdict.name(),
        "value": report.value,
        "winner": report.winner,
        "moves": report.moves,
        "own_moves": report.own_moves,
        "positions": report.positions,
        "values": report.tally.iter().map(|(value, n)| json!({ "value": value, "positions": n })).collect::<Vec<_>>(),
        "states": { "generated": search.generated, "distinct": search.distinct, "depth": search.depth },
        "trace": trace(&search.trace, search.trace.loop_to),
        "follow": report.follow.as_ref().map(|it| json!({
            "player": it.player,
            "reached": it.reached,
            "decisions": it.decisions,
            "lapses": it.lapses,
            "slower": it.slower,
            "silent": it.silent,
            "foreign": it.foreign,
            "wins": it.wins,
            "loses": it.loses,
            "examples": it.examples.iter().map(|it| json!({
                "trace": trace(&it.trace, None),
                "had": it.had,
                "left": it.left,
                "better": it.better.as_ref().map(state_json),
            })).collect::<Vec<_>>(),
        })),
        "definition": report.definition,
        "rows": report.rows,
        "notes": report.notes,
        "replayed": replayed(&search.replay),
        "not_replayed": not_replayed(&search.replay),
        "diagnostics": search.diagnostics.iter().map(|it| report::json(it, sources)).collect::<Vec<_>>(),
        "limit": search.limit.map(Limit::name),
        "memory": search.memory,
        "audit": audit_json(search.audit, search.mismatch.as_ref()),
        "seconds": seconds,
    })
}
