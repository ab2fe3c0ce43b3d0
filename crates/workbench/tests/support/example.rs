//! A specification in one text: a module, and after its last line the configuration.

#![allow(dead_code, reason = "each test uses a part")]

use std::time::{Duration, Instant};

use diag::{Style, render};
use workbench::effects::{Effects, NoEffects};
use workbench::{
    CheckOptions, CheckReport, Host, Observer, Replay, TlaFile, Unreadable, Verdict, check, open, parse_tla,
};

/// Longer than this is a hang.
const TIME_MAX: Duration = Duration::from_secs(20);

struct Example<'e> {
    module: &'e str,
    config: &'e str,
}

impl Host for Example<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        match path {
            "Wrong.tla" => Ok(self.module.into()),
            "Wrong.cfg" if !self.config.is_empty() => Ok(self.config.into()),
            _ => Err(Unreadable::Missing),
        }
    }
}

struct Clock(Instant);

impl Observer for Clock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The file, and what checking it gives.
pub fn run(text: &str, options: &CheckOptions) -> (TlaFile, CheckReport) {
    run_with(text, options, check)
}

/// What checks a file.
pub type Checking = fn(&TlaFile, &CheckOptions, &(dyn Effects + Sync), &dyn Observer) -> CheckReport;

pub fn run_with(text: &str, options: &CheckOptions, check: Checking) -> (TlaFile, CheckReport) {
    let end = text.find("\n====").map_or(text.len(), |it| it + 6);
    let config = text[end..].trim_start_matches('=').trim_start();
    let host = Example { module: text, config };
    let opened = open("Wrong.tla", &host).unwrap_or_else(|_| panic!("there is a file"));
    let mut file = parse_tla(opened, &host, false);
    match file.config_beside(&host) {
        Some(config) => file.configure(&config, &host),
        None => file.configure_by_names(),
    }
    let options = CheckOptions {
        memory: Some(1 << 28),
        states_max: Some(20_000),
        time: Some(Duration::from_secs(10)),
        ..*options
    };
    let clock = Clock(Instant::now());
    let report = check(&file, &options, &NoEffects::default(), &clock);
    assert!(clock.elapsed() < TIME_MAX, "{:?} for\n{text}", clock.elapsed());
    (file, report)
}

/// What is shown: the messages, the trace in a line for each state, the verdict.
pub fn shown(file: &TlaFile, report: &CheckReport) -> String {
    let messages: String = report
        .diagnostics
        .iter()
        .map(|it| render(it, &file.sources, Style::Plain) + "\n\n")
        .collect();
    messages + &found(report)
}

/// The same without the messages.
pub fn found(report: &CheckReport) -> String {
    let mut text = String::new();
    for (i, state) in report.trace.iter().enumerate() {
        let variables: Vec<String> = state.texts().map(|(name, it)| format!("{name} = {it}")).collect();
        text += &format!("state {}: {} ({})\n", i + 1, variables.join(", "), state.action);
    }
    text += verdict(report);
    match (&report.violation, report.limit, &report.replay) {
        (_, _, Replay::NotReplayed(why)) => text + ", not replayed: " + why,
        (Some(it), ..) => text + ": " + it.kind.name() + " " + &it.name,
        (None, Some(limit), _) => text + ": " + limit.name(),
        _ => text,
    }
}

fn verdict(report: &CheckReport) -> &'static str {
    match report.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Error => "error",
        Verdict::Unknown => "unknown",
        Verdict::Internal => "our bug",
    }
}
