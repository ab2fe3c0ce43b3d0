//! `babbage check --processes` and `--cluster`: one check, several processes.
//!
//! Process 0 tells the answer. The others end with the same exit status and say nothing, unless they lose the others.

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use cluster::{Cluster, Config, Failure, Invitation, Role, read_hosts};
use diag::Diagnostic;
use source::Sources;
use workbench::effects::Effects;
use workbench::{CheckOptions, CheckReport, TlaFile, Verdict, check_stored, check_with};

use crate::args::{CheckArgs, ProcessArgs};
use crate::audit::write_mismatch;
use crate::commands::check::{Watched, refused};
use crate::output::err;
use crate::report;
use crate::storage::{Files, Resumed};
use crate::verdict::{Show, show};

/// Processes that are started by hand need some time to come together.
const JOIN_TIME: Duration = Duration::from_secs(60);
const PATIENCE: Duration = Duration::from_secs(10);

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

    /// The processes that go on with a check: those asked for now, or as many as before. If others than before cannot, why.
    pub fn over(&self, before: &ProcessArgs, list: Option<PathBuf>) -> Result<ProcessArgs, String> {
        let refusal = match (self.processes, &list) {
            (None, None) => None,
            _ if !before.are_asked() => Some("it was written by one process, which goes on alone"),
            (Some(_), _) if before.cluster.is_some() => Some(
                "it was written on a list of hosts, each of which has a part of it in its own folder: \
                 `--cluster` and `--process` say which",
            ),
            (_, Some(_)) if before.processes.is_some() => Some(
                "it was written by processes of one machine: `--processes` says how many of them go on with it",
            ),
            _ => None,
        };
        match refusal {
            Some(what) => Err(what.to_owned()),
            None => Ok(ProcessArgs {
                processes: self.processes.or(before.processes),
                cluster: list
                    .map(|it| it.to_string_lossy().into_owned())
                    .or_else(|| before.cluster.clone()),
                process: self.process.or(before.process),
                patience: self.patience.or(before.patience),
                member: self.member,
            }),
        }
    }
}

/// What a run is given beside its specification.
pub struct Given<'a> {
    pub effects: &'a (dyn Effects + Sync),
    pub observer: &'a Watched<'a>,
    pub stored: Option<Files<'a>>,
    pub resumed: Option<&'a Resumed>,
}

pub fn run(
    args: &CheckArgs,
    file: &TlaFile,
    options: &CheckOptions,
    given: Given<'_>,
    how: Show<'_>,
) -> ExitCode {
    let Given {
        effects,
        observer,
        stored,
        resumed,
    } = given;
    let role = match role(&args.processes, resumed) {
        Ok(role) => role,
        Err(diagnostic) => return show(&refused(vec![diagnostic]), &Sources::new(), how),
    };
    let way_on = stored.as_ref().and_then(Files::way_on);
    let fingerprint = fingerprint(file, options, resumed.is_some());
    let cluster = cluster(args, role, options.workers, fingerprint, way_on.clone());
    let mut report = match &stored {
        None => check_with(file, options, &cluster, effects, observer),
        Some(stored) => check_stored(file, options, stored.storage(), &cluster, effects, observer),
    };
    observer.watch.finish();
    write_mismatch(report.mismatch.as_mut(), &mut report.diagnostics, file, options);
    if let Some(failure) = cluster.failure() {
        if failure.is_refusal {
            report.verdict = Verdict::Error;
        }
        let is_there = stored.as_ref().is_some_and(Files::has_checkpoint);
        report
            .diagnostics
            .push(lost(&failure, way_on.as_deref().filter(|_| is_there)));
    }
    let how = Show {
        seconds: observer.watch.seconds(),
        traffic: Some(cluster.traffic()),
        ..how
    };
    if args.processes.tells() {
        let status = show(&report, &file.sources, how);
        cluster.has_told(report.verdict.status().code());
        if let Some(stored) = stored {
            stored.close(&report);
        }
        return status;
    }
    if !args.processes.member {
        end_elsewhere(&mut report, &file.sources, &cluster, stored);
    }
    ExitCode::from(report.verdict.status().code())
}

/// This process as one of several.
fn cluster(
    args: &CheckArgs,
    role: Role,
    workers: usize,
    fingerprint: u64,
    way_on: Option<String>,
) -> Cluster {
    let is_member = args.processes.member;
    let patience = args.processes.patience.unwrap_or(PATIENCE);
    Cluster::new(Config {
        role,
        workers,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        fingerprint,
        is_folder_shared: args.processes.cluster.is_none(),
        patience: patience.max(Duration::from_millis(100)),
        join_time: JOIN_TIME.max(patience),
        // Ends a process whose search does not end by itself.
        give_up: Arc::new(move |failure| {
            // Members were started by process 0, which tells it.
            if !is_member {
                report::diagnostics(&[lost(failure, way_on.as_deref())], &Sources::new());
            }
            std::process::exit(3)
        }),
    })
}

/// Ends a process that someone started by hand, and that does not tell the answer: it ends with the status of process 0.
fn end_elsewhere(report: &mut CheckReport, sources: &Sources, cluster: &Cluster, stored: Option<Files<'_>>) {
    tell_elsewhere(report, sources);
    // Only process 0 knows what temporal properties and postconditions say.
    let told = match cluster.failure() {
        None => cluster.wait_until_told(),
        Some(_) => None,
    };
    if let Some(status) = told {
        report.verdict = verdict_of(status);
    }
    let Some(stored) = stored else { return };
    // Until the answer is told, someone may have to go on from here.
    match !stored.is_over(report) || told.is_some() {
        true => stored.close(report),
        false => err(&format!(
            "process 0 is gone before it told the answer; {} goes on from the last checkpoint",
            stored.way_on().unwrap_or_default()
        )),
    }
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

/// What another process says by its exit status.
fn verdict_of(code: u8) -> Verdict {
    let all = [
        Verdict::Holds,
        Verdict::Violated,
        Verdict::Error,
        Verdict::Internal,
    ];
    let verdict = all.into_iter().find(|it| it.status().code() == code);
    verdict.unwrap_or(Verdict::Unknown)
}

fn role(args: &ProcessArgs, resumed: Option<&Resumed>) -> Result<Role, Diagnostic> {
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
    // Names on the command line are those of the folder where it was typed.
    let folder = resumed.map(|it| it.current_folder.clone());
    Ok(Role::Parent {
        processes: args.on_this_machine(),
        start: Box::new(move || {
            let mut command = Command::new(&program);
            command.args(&arguments).arg("--member");
            if let Some(folder) = &folder {
                command.current_dir(folder);
            }
            command
        }),
    })
}

/// What all processes must agree on: the texts, the options that change the answer, and whether to go on with a check.
fn fingerprint(file: &TlaFile, options: &CheckOptions, goes_on: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    goes_on.hash(&mut hasher);
    for source in file.sources.files() {
        source.text().hash(&mut hasher);
    }
    let CheckOptions {
        workers: _,
        memory: _,
        time: _,
        tables: _,
        audit,
        symmetry,
        spoilt: _,
        fingerprints: _,
        deadlock,
        keep_going,
        states_max,
        depth_max,
        coverage,
        slots,
        hostile_layout,
        allow_empty: _,
    } = options;
    let layout = (slots, hostile_layout);
    // One that does not count what it audits cannot be added to one that does.
    let counts = (coverage, audit);
    (
        deadlock, keep_going, states_max, depth_max, counts, layout, symmetry,
    )
        .hash(&mut hasher);
    hasher.finish()
}

/// The run cannot begin, or not go on; with checkpoints, there is a way on.
fn lost(failure: &Failure, way_on: Option<&str>) -> Diagnostic {
    if failure.is_refusal {
        return Diagnostic::error("process-refused", failure.what.clone())
            .hint("all processes need the same babbage, specification, configuration and options");
    }
    let known = match way_on {
        Some(way_on) => format!("{way_on} goes on from the last checkpoint"),
        None => "what was found so far is all that is known".to_owned(),
    };
    Diagnostic::error("process-lost", failure.what.clone()).hint(format!(
        "{known}; `--patience` says how long a silent process is waited for"
    ))
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
