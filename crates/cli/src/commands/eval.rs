//! `babbage eval`: the value of an expression, or a prompt.

use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

use serde_json::json;
use workbench::{Evaluated, Language, evaluate, open};

use crate::args::{EvalArgs, Format};
use crate::files::Files;
use crate::output::out;
use crate::report;
use crate::world::World;

pub fn run(args: &EvalArgs) -> ExitCode {
    if let Some(Ok(opened)) = args.spec.as_deref().map(|it| open(it, &Files))
        && opened.language == Language::Alloy
    {
        return super::eval_alloy::run(args, opened);
    }
    let world = World::new(0, "eval", 1);
    match &args.expr {
        Some(expr) => one(expr, args, &world),
        None => prompt(&mut |expr| one(expr, args, &world)),
    }
}

fn one(expr: &str, args: &EvalArgs, world: &World) -> ExitCode {
    let Evaluated {
        sources,
        value,
        diagnostics,
    } = evaluate(expr, args.spec.as_deref(), &Files, world);
    match args.format {
        Format::Json => {
            let rows: Vec<_> = diagnostics.iter().map(|it| report::json(it, &sources)).collect();
            out(&json!({ "value": value, "diagnostics": rows }).to_string());
        }
        Format::Text => {
            report::diagnostics(&diagnostics, &sources);
            if let Some(value) = &value {
                out(value);
            }
        }
    }
    if value.is_some() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(2)
    }
}

/// Reads expressions line by line; a line that ends in `\` goes on.
pub fn prompt(answer: &mut dyn FnMut(&str) -> ExitCode) -> ExitCode {
    let stdin = std::io::stdin();
    let is_terminal = stdin.is_terminal();
    let mut status = ExitCode::SUCCESS;
    let mut pending = String::new();
    loop {
        if is_terminal {
            let mut stderr = std::io::stderr();
            let _ = write!(stderr, "{}", if pending.is_empty() { "> " } else { ". " })
                .and_then(|()| stderr.flush());
        }
        let mut line = String::new();
        match stdin.lock().read_line(&mut line) {
            Ok(0) | Err(_) => return status,
            Ok(_) => {}
        }
        let line = line.trim_end();
        if let Some(part) = line.strip_suffix('\\') {
            pending += part;
            pending.push('\n');
            continue;
        }
        pending += line;
        let expr = std::mem::take(&mut pending);
        if expr.trim().is_empty() {
            continue;
        }
        // A mistake at the prompt is no reason to leave it; in a script it is the result.
        let outcome = answer(&expr);
        if !is_terminal && outcome != ExitCode::SUCCESS {
            status = outcome;
        }
    }
}
