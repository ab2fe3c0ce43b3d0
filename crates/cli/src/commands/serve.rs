//! `babbage serve`, and `play --web`: the server, and the workers that it starts.

use std::path::Path;
use std::process::ExitCode;

use web::{Folder, Limits, Options};

use crate::args::{PlayArgs, ServeArgs, ServerArgs, WorkerArgs};
use crate::files::Files;
use crate::output::{err, out};
use crate::report;

/// `play --web`: the address leads to the specification, with what the command line says of the game.
pub fn play(args: &PlayArgs) -> ExitCode {
    let name = match workbench::gallery().iter().any(|it| it.name == args.spec) {
        true => args.spec.clone(),
        false => Path::new(&args.spec)
            .file_stem()
            .map_or(String::new(), |it| it.to_string_lossy().into_owned()),
    };
    let one = |key: &'static str, value: &Option<String>| value.clone().map(|it| (key, it));
    let config = args.config.as_deref().map(Path::new).and_then(Path::file_name);
    let config = config.map(|it| it.to_string_lossy().into_owned());
    let mut fields = vec![("spec", name)];
    fields.extend(one("config", &config));
    fields.extend(one("you", &args.you));
    fields.extend(one("goal", &args.goal));
    fields.extend(args.watches.iter().map(|it| ("watch", it.clone())));
    fields.extend(
        args.overrides
            .rules
            .choice()
            .without
            .into_iter()
            .map(|it| ("without", it)),
    );
    let fields: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("{key}={}", encoded(value)))
        .collect();
    serve(
        Some(&args.spec),
        args.config.as_deref(),
        &format!("#{}", fields.join("&")),
        &args.server,
    )
}

/// Letters that mean something in an address, as numbers.
fn encoded(text: &str) -> String {
    let is_plain = |it: &u8| it.is_ascii_alphanumeric() || b"-._~".contains(it);
    let encode = |it: u8| match is_plain(&it) {
        true => char::from(it).to_string(),
        false => format!("%{it:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// `babbage serve`.
pub fn run(args: &ServeArgs) -> ExitCode {
    serve(args.spec.as_deref(), args.config.as_deref(), "", &args.server)
}

/// Serves until it is interrupted. The address of the page is the one result.
fn serve(spec: Option<&str>, config: Option<&str>, fragment: &str, args: &ServerArgs) -> ExitCode {
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
        out(&format!("{address}{fragment}\n"));
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
