//! `babbage rules`: what a specification is a conjunction of, and which sets of rules give which properties.

use std::process::ExitCode;

use diag::Diagnostic;
use source::Sources;
use workbench::{
    CheckOptions, Made, Overrides, RuleChoice, RuleTable, Sets, TableOptions, TlaFile, Workspace, rule_table,
};

use super::check::Watched;
use crate::args::{Format, RulesArgs};
use crate::audit::write_mismatch;
use crate::files::Files;
use crate::output::out;
use crate::progress::{Counter, Watch};
use crate::report;
use crate::rules_text::{list_text, table_json, table_text};
use crate::world::{Run, World, memory_to_use};

pub fn run(args: &RulesArgs) -> ExitCode {
    let watch = Watch::new();
    let workspace = Workspace::new(Files);
    let opened = match workspace.open(&args.spec) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => return refuse(args.format, diagnostics, &sources),
    };
    if !opened.language.has_steps() {
        return refuse(args.format, vec![no_rules_in_alloy()], &opened.sources);
    }
    let mut file = match workspace.model(&args.spec, args.config.as_deref(), &args.overrides.overrides()) {
        Ok(file) => (*file).clone(),
        Err((sources, diagnostics)) => return refuse(args.format, diagnostics, &sources),
    };
    file.turn_to_rules();
    // Here a state predicate is to hold in every state, as its author means it.
    file.diagnostics.retain(|it| it.code != "config-property-state");
    let wants_table = args.prefixes
        || args.subsets
        || !args.overrides.properties.is_empty()
        || !args.overrides.invariants.is_empty();
    let table = match wants_table {
        true => checked(args, &mut file, &watch),
        false => RuleTable {
            rules: file.rules(),
            diagnostics: file.diagnostics.clone(),
            ..RuleTable::default()
        },
    };
    watch.finish();
    show(args, &table, &file.sources, watch.seconds())
}

fn checked(args: &RulesArgs, file: &mut TlaFile, watch: &Watch) -> RuleTable {
    let workers = args
        .workers
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let options = TableOptions {
        sets: if args.subsets {
            Sets::Subsets
        } else {
            Sets::Prefixes
        },
        check: CheckOptions {
            workers,
            memory: args.memory.or_else(memory_to_use),
            states_max: args.max_states,
            time: args.timeout,
            audit: args.audit.mode(),
            ..CheckOptions::default()
        },
    };
    let world = World::new(Run {
        mode: "bfs",
        workers,
        deadlock: false,
        ..Run::default()
    });
    let observer = Watched { watch, world: &world };
    let counter = Counter::new();
    let mut table = rule_table(file, &options, &world, &observer, &mut |it: Made<'_>| {
        counter.at(it.done, it.total, it.property);
    });
    counter.finish();
    let RuleTable {
        mismatch,
        diagnostics,
        ..
    } = &mut table;
    write_mismatch(mismatch.as_mut(), diagnostics, file, &options.check);
    table
}

fn show(args: &RulesArgs, table: &RuleTable, sources: &Sources, seconds: f64) -> ExitCode {
    match args.format {
        Format::Json => out(&table_json(table, sources, seconds).to_string()),
        Format::Text => {
            report::diagnostics(&table.diagnostics, sources);
            if !is_wrong(table) {
                out(&(list_text(&table.rules) + &table_text(table, seconds)));
            }
        }
    }
    ExitCode::from(match table.limit {
        _ if is_wrong(table) => 2,
        Some(_) => 3,
        None => 0,
    })
}

/// Whether there is no answer. A mistake of the engine does not count: what is told was found without it.
fn is_wrong(table: &RuleTable) -> bool {
    let mut errors = table.diagnostics.iter().filter(|it| it.is_error());
    errors.any(|it| it.code != "audit-mismatch")
}

fn refuse(format: Format, diagnostics: Vec<Diagnostic>, sources: &Sources) -> ExitCode {
    match format {
        Format::Json => {
            let table = RuleTable {
                diagnostics,
                ..RuleTable::default()
            };
            out(&table_json(&table, sources, 0.0).to_string());
        }
        Format::Text => report::diagnostics(&diagnostics, sources),
    }
    ExitCode::from(2)
}

pub fn no_rules_in_alloy() -> Diagnostic {
    Diagnostic::error("no-rules-in-alloy", "an Alloy model is no conjunction of rules")
        .hint("leave `--without`, `--only` and `--with` out")
}

/// What is wrong with a choice of rules, for commands to which rules make no difference.
pub fn mistakes(
    workspace: &Workspace<'_>,
    spec: &str,
    config: Option<&str>,
    choice: RuleChoice,
) -> Option<(Sources, Vec<Diagnostic>)> {
    if choice.is_empty() {
        return None;
    }
    let opened = workspace.open(spec).ok()?;
    if !opened.language.has_steps() {
        return Some((opened.sources, vec![no_rules_in_alloy()]));
    }
    let overrides = Overrides {
        rules: choice,
        ..Overrides::default()
    };
    let mut file = (*workspace.model(spec, config, &overrides).ok()?).clone();
    file.turn_to_rules();
    let errors: Vec<Diagnostic> = file
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .cloned()
        .collect();
    (!errors.is_empty()).then_some((file.sources, errors))
}
