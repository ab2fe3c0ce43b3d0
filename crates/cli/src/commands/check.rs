//! `babbage check`: the verdict, the counts, and a counterexample when there is one.

use std::process::ExitCode;
use std::time::Duration;

use source::Sources;
use workbench::{
    CheckOptions, CheckReport, Here, Observer, Progress, TlaFile, Verdict, Workspace, check, check_reference,
    check_stored, check_theorems, storage,
};

use super::rules::no_rules_in_alloy;
use crate::args::{CheckArgs, StoreArg};
use crate::audit::write_mismatch;
use crate::files::Files;
use crate::output::refuse;
use crate::processes::{self, no_processes_in_alloy};
use crate::progress::{Counter, Watch};
use crate::storage::{Files as Stored, Resumed};
use crate::telling::{Telling, check_show};
use crate::theorems_text;
use crate::verdict::{Show, show};
use crate::world::{Run, World, memory_to_use, resident_memory};

pub fn run(args: &CheckArgs) -> ExitCode {
    run_from(args, None)
}

/// Checks, from the beginning or from where another process was.
pub fn run_from(args: &CheckArgs, resumed: Option<&Resumed>) -> ExitCode {
    let watch = match args.processes.tells() {
        true => Watch::new(),
        false => Watch::quiet(),
    };
    let workspace = Workspace::new(Files);
    let telling = Telling {
        workspace: &workspace,
        spec: &args.spec,
        config: args.config.clone(),
        overrides: args.overrides.overrides(),
        show: &args.show,
        ending: None,
    };
    let check = Check {
        args,
        watch: &watch,
        telling: &telling,
    };
    let opened = match workspace.open(&args.spec) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => return check.refuse(diagnostics, &sources),
    };
    if !opened.language.has_steps() {
        return match not_for_alloy(args) {
            Some(refusal) => check.refuse(vec![refusal], &opened.sources),
            None => super::check_alloy::run(args, &workspace, &watch),
        };
    }
    if args.processes.tells()
        && let Err(why) = check_show(&args.show)
    {
        return refuse(&why);
    }
    let mut file = match workspace.model(&args.spec, args.config.as_deref(), &telling.overrides) {
        Ok(file) => (*file).clone(),
        Err((sources, diagnostics)) => return check.refuse(diagnostics, &sources),
    };
    if let Some(name) = args.show.definition() {
        file.show_definition(name);
    }
    if args.theorems {
        file.needs_no_behaviour();
    }
    check.model(file, resumed)
}

/// A check of what one command line asks for.
struct Check<'a> {
    args: &'a CheckArgs,
    watch: &'a Watch,
    telling: &'a Telling<'a>,
}

impl<'a> Check<'a> {
    /// Checks a model in the way that is asked for.
    fn model(&self, mut file: TlaFile, resumed: Option<&Resumed>) -> ExitCode {
        let Check { args, watch, .. } = *self;
        let options = options(args);
        let world = World::new(Run {
            mode: "bfs",
            workers: options.workers,
            deadlock: file.checks_deadlock() && !args.no_deadlock,
            time: options.time,
            ..Run::default()
        });
        let observer = Watched { watch, world: &world };
        if args.theorems {
            return self.theorems(&mut file, &options, &observer);
        }
        if args.reference {
            let report = check_reference(&file, &options, &world, &observer);
            watch.finish();
            return show(&report, &file.sources, self.how());
        }
        let stored = match Stored::prepare(args, &file, resumed) {
            Ok(stored) => stored,
            Err(diagnostic) => return self.refuse(vec![diagnostic], &file.sources),
        };
        if args.processes.are_asked() {
            let given = processes::Given {
                effects: &world,
                observer: &observer,
                stored,
                resumed,
            };
            return processes::run(args, &file, &options, given, self.how());
        }
        self.search(&file, options, stored, &observer)
    }

    fn theorems(&self, file: &mut TlaFile, options: &CheckOptions, observer: &Watched<'_>) -> ExitCode {
        let counter = Counter::new();
        let mut reports = check_theorems(file, options, observer.world, observer, &mut |i, n, it| {
            counter.at(i, n, it);
        });
        counter.finish();
        self.watch.finish();
        for CheckReport {
            mismatch,
            diagnostics,
            ..
        } in reports.iter_mut().map(|it| &mut it.report)
        {
            write_mismatch(mismatch.as_mut(), diagnostics, file, options);
        }
        theorems_text::show(&reports, &file.diagnostics, &file.sources, self.how())
    }

    /// A search in this process, with files if it needs any.
    fn search(
        &self,
        file: &TlaFile,
        mut options: CheckOptions,
        stored: Option<Stored<'_>>,
        observer: &Watched<'_>,
    ) -> ExitCode {
        let world = observer.world;
        let mut report = match &stored {
            None => check(file, &options, world, observer),
            Some(stored) => {
                if stored.is_store {
                    // What the process holds already is part of what it may hold.
                    let held = resident_memory().unwrap_or(0);
                    options.memory = options.memory.map(|it| it.saturating_sub(held));
                }
                check_stored(file, &options, stored.storage(), &Here, world, observer)
            }
        };
        self.watch.finish();
        write_mismatch(report.mismatch.as_mut(), &mut report.diagnostics, file, &options);
        let status = show(&report, &file.sources, self.how());
        if let Some(stored) = stored {
            stored.close(&report);
        }
        status
    }

    /// Says why nothing is checked.
    fn refuse(&self, diagnostics: Vec<diag::Diagnostic>, sources: &Sources) -> ExitCode {
        show(&refused(diagnostics), sources, self.how())
    }

    /// How an answer that is there now is shown.
    fn how(&self) -> Show<'a> {
        Show {
            format: self.args.format,
            coverage: self.args.coverage,
            telling: self.telling,
            seconds: self.watch.seconds(),
            traffic: None,
        }
    }
}

/// What is asked for that only a TLA+ model has.
fn not_for_alloy(args: &CheckArgs) -> Option<diag::Diagnostic> {
    if !args.overrides.rules.choice().is_empty() {
        return Some(no_rules_in_alloy());
    }
    if args.checkpoint.is_some() {
        return Some(storage::checkpoint_refused("A check of Alloy commands"));
    }
    if args.reference {
        return Some(no_reference_in_alloy());
    }
    args.processes.are_asked().then(no_processes_in_alloy)
}

fn options(args: &CheckArgs) -> CheckOptions {
    // Processes on one machine share it.
    let sharing = args.processes.on_this_machine();
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    CheckOptions {
        workers: match args.reference {
            true => 1,
            false => args.search.workers.unwrap_or_else(|| (cores() / sharing).max(1)),
        },
        fingerprints: args.store == StoreArg::Fingerprint,
        tables: !args.search.no_tables,
        slots: !args.search.no_slots,
        hostile_layout: false,
        symmetry: true,
        spoilt: None,
        coverage: args.coverage,
        audit: args.audit.mode(),
        deadlock: args.no_deadlock.then_some(false),
        keep_going: args.keep_going,
        allow_empty: args.allow_empty,
        memory: args.search.memory.or_else(|| Some(memory_to_use()? / sharing)),
        states_max: args.search.max_states,
        depth_max: args.search.max_depth,
        time: args.search.timeout,
    }
}

fn no_reference_in_alloy() -> diag::Diagnostic {
    diag::Diagnostic::error(
        "no-reference-in-alloy",
        "the reference checker is for TLA+ models",
    )
    .hint("leave `--reference` out: every instance of an Alloy command is confirmed by a direct evaluation anyway")
}

/// The report on something that could not even be opened.
pub fn refused(diagnostics: Vec<diag::Diagnostic>) -> CheckReport {
    CheckReport {
        verdict: Verdict::Error,
        diagnostics,
        ..CheckReport::default()
    }
}

/// The search tells both the person and the specification how far it is.
pub struct Watched<'a> {
    pub watch: &'a Watch,
    pub world: &'a World,
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
