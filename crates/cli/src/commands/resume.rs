//! `babbage resume`: goes on with a check from its last checkpoint, which says what was asked for.

use std::process::ExitCode;

use clap::Parser;
use diag::Diagnostic;
use source::Sources;
use workbench::storage::checkpoint_foreign;

use super::check;
use crate::args::{Args, Command, Format, ResumeArgs};
use crate::output::out;
use crate::{report, storage};

pub fn run(args: &ResumeArgs) -> ExitCode {
    match resume(args) {
        Ok(status) => status,
        Err(diagnostic) => refuse(args, &diagnostic),
    }
}

fn resume(args: &ResumeArgs) -> Result<ExitCode, Diagnostic> {
    let resumed = storage::resume(&args.folder, args.processes.member)?;
    let foreign = |what: &str| checkpoint_foreign(&args.folder, what);
    let list = args.processes.cluster.as_deref().map(storage::absolute);
    // Names of files are those of the folder where the check was started; if it is gone, maybe they are here.
    let _ = std::env::set_current_dir(&resumed.note.current_folder);
    let parsed = Args::try_parse_from(&resumed.note.arguments);
    let Ok(Args {
        command: Command::Check(mut overrides),
        library,
        effects,
    }) = parsed
    else {
        return Err(foreign("its command line is none of a check"));
    };
    crate::files::set_libraries(&library);
    if effects.are_given() {
        crate::outside::permit(effects.permissions());
    }
    overrides.processes = args
        .processes
        .over(&overrides.processes, list)
        .map_err(|what| foreign(&what))?;
    overrides.search = args.search.over(&overrides.search);
    overrides.every = args.every.unwrap_or(overrides.every);
    overrides.format = args.format.unwrap_or(overrides.format);
    Ok(check::run_from(&overrides, Some(&resumed)))
}

fn refuse(args: &ResumeArgs, diagnostic: &Diagnostic) -> ExitCode {
    let sources = Sources::new();
    match args.format {
        Some(Format::Json) => {
            let diagnostics = vec![report::json(diagnostic, &sources)];
            out(&serde_json::json!({ "verdict": "error", "diagnostics": diagnostics }).to_string());
        }
        _ => report::diagnostics(std::slice::from_ref(diagnostic), &sources),
    }
    ExitCode::from(2)
}
