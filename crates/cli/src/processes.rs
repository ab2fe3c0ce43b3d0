//! `babbage check --processes` and `--cluster`: one check, several processes.
//!
//! Process 0 tells the answer. The others end with the same exit status and say nothing, unless they lose the others.

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::{Command, ExitCode};
use std::time::Duration;

use cluster::{Cluster, Config, Failure, Invitation, Role, read_hosts};
use diag::Diagnostic;
use source::Sources;
use workbench::effects::Effects;
use workbench::{CheckOptions, CheckReport, TlaFile, Verdict, check_with};

use crate::args::{CheckArgs, ProcessArgs};
use crate::commands::check::{Watched, refused};
use crate::report;
use crate::verdict::{Show, show};

/// Processes that are started by hand need some time to come together.
const JOIN_TIME: Duration = Duration::from_secs(60);

impl ProcessArgs {
    pub fn are_asked(&self) -> bool {
        self.processes.is_some() || self.cluster.is_some()
    }

    /// Whether this process tells the answer.
    pub fn tells(&self) -> bool {
        !self.member && self.process.unwrap_or(0) == 0
    }

    /// How many processes use this machine.
    pub fn on_this_machine(&self) -> usize {
        self.processes.unwrap_or(1).max(1) as usize
    }
}

pub fn run(
    args: &CheckArgs,
    file: &TlaFile,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    observer: &Watched<'_>,
    how: Show<'_>,
) -> ExitCode {
    let role = match role(&args.processes) {
        Ok(role) => role,
        Err(diagnostic) => return show(&refused(vec![diagnostic]), &Sources::new(), how),
    };
    let cluster = Cluster::new(Config {
        role,
        workers: options.workers,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        fingerprint: fingerprint(file, options),
        patience: args.processes.patience.max(Duration::from_millis(100)),
        join_time: JOIN_TIME.max(args.processes.patience),
        give_up: match args.processes.member {
            true => |_| std::process::exit(3),
            false => give_up,
        },
    });
    let mut report = check_with(file, options, &cluster, effects, observer);
    observer.watch.finish();
    if let Some(failure) = cluster.failure() {
        if failure.is_refusal {
            report.verdict = Verdict::Error;
        }
        report.diagnostics.push(lost(&failure));
    }
    let how = Show {
        seconds: observer.watch.seconds(),
        traffic: Some(cluster.traffic()),
        ..how
    };
    if args.processes.tells() {
        return show(&report, &file.sources, how);
    }
    if !args.processes.member {
        tell_elsewhere(&report, &file.sources);
    }
    status(&report)
}

/// What a process says that does not tell the answer: only what is wrong.
fn tell_elsewhere(report: &CheckReport, sources: &Sources) {
    let errors: Vec<Diagnostic> = report
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .cloned()
        .collect();
    report::diagnostics(&errors, sources);
}

fn status(report: &CheckReport) -> ExitCode {
    ExitCode::from(match report.verdict {
        Verdict::Holds => 0,
        Verdict::Violated => 1,
        Verdict::Error => 2,
        Verdict::Unknown => 3,
        Verdict::Internal => 101,
    })
}

fn role(args: &ProcessArgs) -> Result<Role, Diagnostic> {
    if args.member {
        return Invitation::receive().map(Role::Child).ok_or_else(not_invited);
    }
    if let Some(path) = &args.cluster {
        let text = std::fs::read_to_string(path).map_err(|error| hosts_file(path, &error.to_string()))?;
        let hosts = read_hosts(&text).map_err(|why| hosts_file(path, &why))?;
        let index = args.process.unwrap_or(0);
        return match index < hosts.len() {
            true => Ok(Role::Host { index, hosts }),
            false => Err(no_such_process(path, index, hosts.len())),
        };
    }
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let program = std::env::current_exe().map_err(|error| no_program(&error.to_string()))?;
    Ok(Role::Parent {
        processes: args.on_this_machine(),
        start: Box::new(move || {
            let mut command = Command::new(&program);
            command.args(&arguments).arg("--member");
            command
        }),
    })
}

/// What all processes must agree on: the texts, and the options that change the answer.
fn fingerprint(file: &TlaFile, options: &CheckOptions) -> u64 {
    let mut hasher = DefaultHasher::new();
    for source in file.sources.files() {
        source.text().hash(&mut hasher);
    }
    let CheckOptions {
        workers: _,
        memory: _,
        time: _,
        tables: _,
        fingerprints: _,
        deadlock,
        keep_going,
        states_max,
        depth_max,
        coverage,
        slots,
    } = options;
    (deadlock, keep_going, states_max, depth_max, coverage, slots).hash(&mut hasher);
    hasher.finish()
}

/// Ends a process whose search does not end by itself.
fn give_up(failure: &Failure) -> ! {
    report::diagnostics(&[lost(failure)], &Sources::new());
    std::process::exit(3)
}

/// The run cannot begin, or not go on.
fn lost(failure: &Failure) -> Diagnostic {
    let (code, hint) = match failure.is_refusal {
        true => (
            "process-refused",
            "all processes need the same babbage, specification, configuration and options",
        ),
        false => (
            "process-lost",
            "what was found so far is all that is known; `--patience` says how long a silent process is waited for",
        ),
    };
    Diagnostic::error(code, failure.what.clone()).hint(hint)
}

fn hosts_file(path: &str, why: &str) -> Diagnostic {
    Diagnostic::error("hosts-file", format!("the list of hosts `{path}` cannot be used")).note(why)
}

fn no_such_process(path: &str, index: usize, n: usize) -> Diagnostic {
    let title = format!("`{path}` has no process {index}");
    Diagnostic::error("hosts-file", title).note(format!("it lists {n}, and the first one is process 0"))
}

fn not_invited() -> Diagnostic {
    Diagnostic::error(
        "process-refused",
        "nobody has started this process as a part of a run",
    )
    .hint("`--member` is for processes that babbage starts itself")
}

fn no_program(why: &str) -> Diagnostic {
    Diagnostic::error(
        "process-lost",
        "babbage cannot find itself to start the other processes",
    )
    .note(why)
}

pub fn no_processes_in_alloy() -> Diagnostic {
    Diagnostic::error(
        "no-processes-in-alloy",
        "the commands of an Alloy model are run in one process",
    )
    .hint("leave `--processes` and `--cluster` out")
}
