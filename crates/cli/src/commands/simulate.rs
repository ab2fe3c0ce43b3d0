//! `babbage simulate`: random walks, the same for the same seed.

use std::process::ExitCode;

use diag::Diagnostic;
use source::Sources;
use workbench::{CheckOptions, CheckReport, SimulateOptions, Workspace, simulate};

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
    let watch = Watch::new();
    let workspace = Workspace::new(Files);
    let telling = Telling {
        workspace: &workspace,
        spec: &args.spec,
        config: args.config.clone(),
        overrides: args.overrides.overrides(),
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
        walks: args.traces,
        depth: args.depth,
        seed: args.seed,
        check: CheckOptions {
            workers: args.workers,
            coverage: args.coverage,
            deadlock: args.no_deadlock.then_some(false),
            memory: args.memory.or_else(memory_to_use),
            time: args.timeout,
            audit: args.audit.mode(),
            ..CheckOptions::default()
        },
    };
    let world = World::new(Run {
        mode: "simulate",
        workers: args.workers,
        deadlock: file.checks_deadlock() && !args.no_deadlock,
        depth: i64::from(args.depth),
        traces: args.traces as i64,
        seed: args.seed,
        time: args.timeout,
    });
    let observer = Watched {
        watch: &watch,
        world: &world,
    };
    let mut report = simulate(&file, &options, &world, &observer);
    watch.finish();
    write_mismatch(
        report.mismatch.as_mut(),
        &mut report.diagnostics,
        &file,
        &options.check,
    );
    showing(&report, &file.sources, &telling)
}

fn no_walks_in_alloy() -> Diagnostic {
    Diagnostic::error("no-walks-in-alloy", "an Alloy model has no steps to walk")
        .hint("`babbage check` runs its commands")
}
