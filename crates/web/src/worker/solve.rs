//! The fewest steps to a goal, from the beginning or from a state that was reached.
//!
//! A goal is the negation of an invariant: the shortest counterexample is the best solution.

use serde_json::{Value, json};
use workbench::{Behaviour, CheckOptions, CheckReport, Limit, Overrides, TraceState, Verdict};

use super::Wire;
use super::ask::{Ask, Wrong};
use super::effects::{Sandbox, Teller};
use super::play::with_session;
use super::{check, diagnose, json as shown};

pub fn solve(ask: &Ask, wire: &mut Wire) -> Result<Value, Wrong> {
    let goal = ask.text("goal")?;
    let before = way_here(ask);
    let mut overrides = ask.overrides();
    overrides.invariants.push(format!("~({goal})"));
    overrides.init = before.last().map(as_predicate);
    let sandbox = Sandbox::new();
    let teller = Teller::new(wire, &sandbox);
    let Some((report, diagnostics)) = search(ask, &overrides, &sandbox, &teller) else {
        return Ok(check::error(json!([])));
    };
    let states: Vec<TraceState> = match (report.verdict, before.split_last()) {
        // The search began where the way here ends.
        (Verdict::Violated, Some((_, earlier))) => earlier.iter().chain(&*report.trace).cloned().collect(),
        (Verdict::Violated, None) => report.trace.to_vec(),
        _ => vec![],
    };
    let steps = report.trace.len().saturating_sub(1);
    let (verdict, headline) = match report.verdict {
        Verdict::Violated => (
            "holds",
            format!("Solved in {steps} {}.", if steps == 1 { "step" } else { "steps" }),
        ),
        Verdict::Holds => ("violated", "The goal cannot be reached.".to_string()),
        Verdict::Error => ("error", "The goal cannot be asked for.".to_string()),
        Verdict::Internal => (
            "internal",
            "What was found is not true, which is a bug of babbage.".to_string(),
        ),
        Verdict::Unknown => ("unknown", format!("Unknown: {}.", Limit::ended_by(report.limit))),
    };
    Ok(json!({
        "verdict": verdict,
        "headline": headline,
        "why": null,
        "violation": null,
        "states": { "distinct": report.distinct, "generated": report.generated, "depth": report.depth },
        "seconds": teller.seconds(),
        "limit": report.limit.map(Limit::name),
        "trace": check::found_trace(ask, &Behaviour::finite(states), false),
        "diagnostics": diagnostics,
        "notes": [],
    }))
}

/// Looks for the goal alone: what else the model asks for does not matter.
fn search(
    ask: &Ask,
    overrides: &Overrides,
    sandbox: &Sandbox,
    teller: &Teller<'_>,
) -> Option<(CheckReport, Vec<Value>)> {
    let mut file = (*diagnose::tla_file_with(ask, ask.config.as_deref(), overrides)?).clone();
    file.ask_only_newest();
    let options = CheckOptions {
        deadlock: Some(false),
        ..check::options(ask)
    };
    let report = workbench::check(&file, &options, sandbox, teller);
    let diagnostics = shown::diagnostics(&report.diagnostics, &file.sources, &ask.texts);
    Some((report, diagnostics))
}

/// The states up to the one that is shown; none for the beginning.
fn way_here(ask: &Ask) -> Vec<TraceState> {
    let path = ask.path();
    if path.len() < 2 {
        return vec![];
    }
    let trace = with_session(ask, |session| {
        session.follow(&path);
        session.trace()
    });
    trace.unwrap_or_default()
}

/// A state as the predicate that only it satisfies.
fn as_predicate(state: &TraceState) -> String {
    let values = state.texts().map(|(name, value)| format!("{name} = ({value})"));
    values.collect::<Vec<_>>().join(" /\\ ")
}
