//! `babbage simulate`: random walks, the same for the same seed.

use std::process::ExitCode;

use diag::Diagnostic;
use source::Sources;
use workbench::{CheckOptions, CheckReport, Counting, SimulateOptions, Workspace, simulate};

use super::check::{Watched, refused};
use crate::args::SimulateArgs;
use crate::audit::write_mismatch;
use crate::files::Files;
use crate::output::refuse;
use crate::progress::Watch;
use crate::telling::{Telling, check_show};
use crate::verdict::{Show, show};
use crate::world::{Run, World, memory_to_use};

pub fn run(args: &SimulateArgs) -> ExitCode {
    let walks = match (args.traces, args.until) {
        (None, None) => Some(WALKS),
        (walks, _) => walks,
    };
    let watch = Watch::new().walking(walks, args.until);
    let counting = Counting {
        goal: args.goal.clone(),
        histogram: args.histogram.clone(),
    };
    let workers = args.workers.unwrap_or_else(processors);
    let workspace = Workspace::new(Files);
    let telling = Telling {
        workspace: &workspace,
        spec: &args.spec,
        config: args.config.clone(),
        overrides: counting.overrides(args.overrides.overrides()),
        show: &args.show,
        ending: None,
    };
    let showing = |report: &CheckReport, sources: &Sources, telling: &Telling<'_>| {
        let how = Show {
            format: args.format,
            coverage: args.coverage,
            telling,
            seconds: watch.seconds(),
            traffic: None,
        };
        show(report, sources, how)
    };
    let opened = match workspace.open(&args.spec) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => return showing(&refused(diagnostics), &sources, &telling),
    };
    if !opened.language.has_steps() {
        return showing(&refused(vec![no_walks_in_alloy()]), &opened.sources, &telling);
    }
    if let Err(why) = check_show(&args.show) {
        return refuse(&why);
    }
    let mut file = match workspace.model(&args.spec, args.config.as_deref(), &telling.overrides) {
        Ok(file) => (*file).clone(),
        Err((sources, diagnostics)) => return showing(&refused(diagnostics), &sources, &telling),
    };
    if let Some(name) = args.show.definition() {
        file.show_definition(name);
    }
    let options = SimulateOptions {
        walks,
        depth: args.depth,
        seed: args.seed,
        weights: args.weights.clone(),
        shrink: args.shrink,
        distinct: args.coverage,
        until_time: args.until.is_some(),
        check: CheckOptions {
            workers,
            keep_going: args.keep_going,
            coverage: args.coverage,
            deadlock: args.no_deadlock.then_some(false),
            memory: args.memory.or_else(memory_to_use),
            time: args.until.or(args.timeout),
            audit: args.audit.mode(),
            ..CheckOptions::default()
        },
    };
    let world = World::new(Run {
        mode: "simulate",
        workers,
        deadlock: file.checks_deadlock() && !args.no_deadlock,
        depth: i64::from(args.depth),
        traces: walks.map_or(-1, |it| it as i64),
        seed: args.seed,
        time: args.until.or(args.timeout),
    });
    let observer = Watched {
        watch: &watch,
        world: &world,
    };
    let mut report = simulate(&file, &options, &counting, &world, &observer);
    watch.finish();
    write_mismatch(
        report.mismatch.as_mut(),
        &mut report.diagnostics,
        &file,
        &options.check,
    );
    showing(&report, &file.sources, &telling)
}

/// How many walks there are when nobody says.
const WALKS: u64 = 1000;

/// How many threads the machine runs at once.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn no_walks_in_alloy() -> Diagnostic {
    Diagnostic::error("no-walks-in-alloy", "an Alloy model has no steps to walk")
        .hint("`babbage check` runs its commands")
}
