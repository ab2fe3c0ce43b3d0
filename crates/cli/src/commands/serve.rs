//! `babbage serve`, and `play --web`: the server, and the workers that it starts.

use std::path::Path;
use std::process::ExitCode;

use web::{Folder, Limits, Options};

use crate::args::{ServerArgs, WorkerArgs};
use crate::files::Files;
use crate::output::{err, out};
use crate::report;

/// Serves until it is interrupted. The address of the page is the one result.
pub fn run(spec: Option<&str>, config: Option<&str>, args: &ServerArgs) -> ExitCode {
    let is_built_in = |it: &str| workbench::gallery().iter().any(|entry| entry.name == it);
    let (show, folder) = match spec {
        Some(spec) if is_built_in(spec) => (Some(spec.to_string()), None),
        Some(spec) => {
            // What cannot be read is told here, where somebody reads it.
            if let Err((sources, diagnostics)) = workbench::open(spec, &Files) {
                report::diagnostics(&diagnostics, &sources);
                return ExitCode::from(2);
            }
            (None, Some(Folder::of(Path::new(spec), config.map(Path::new))))
        }
        None => (None, None),
    };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return failed(&error),
    };
    let options = Options {
        host: args.host,
        port: args.port,
        token: args.token.clone(),
        folder,
        show,
        program,
        arguments: vec!["worker".to_string()],
        limits: Limits {
            request: args.step_time,
            job: args.job_time,
            memory: args.session_memory as u64,
            sessions: args.sessions,
            idle: args.idle,
            ..Limits::default()
        },
    };
    let served = web::serve(options, |address| {
        out(&format!("{address}\n"));
        err("Open this address in a browser on this machine. Ctrl-C ends the server.");
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &std::io::Error) -> ExitCode {
    err(&format!("error: the server cannot start: {error}"));
    ExitCode::from(2)
}

pub fn worker(args: WorkerArgs) -> ExitCode {
    web::worker(args.memory as u64, args.folder);
    ExitCode::SUCCESS
}
