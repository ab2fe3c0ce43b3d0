//! `babbage eval` on an instance of an Alloy model: the value of an expression, or a prompt.

use std::process::ExitCode;

use diag::Diagnostic;
use serde_json::json;
use source::Sources;
use view::instance::About;
use workbench::{AlloyPrompt, Stop, Workspace, with_alloy_instance};

use super::check_alloy::options;
use crate::alloy_watch::{AlloyWatch, Limits};
use crate::args::{EvalArgs, Format};
use crate::instance::shown;
use crate::output::out;
use crate::prompt::{Answers, prompt};
use crate::report;

pub fn run(args: &EvalArgs, workspace: &Workspace<'_>, spec: &str) -> ExitCode {
    let stop = Stop::never();
    let mut ended = |_: &_, _, _: &_| {};
    let watch = AlloyWatch::new(Limits::default(), stop.clone(), &mut ended);
    let answered = with_alloy_instance(workspace, spec, &options(&args.alloy), &stop, |asked| {
        // From here on, Ctrl-C at the prompt is for the prompt.
        watch.finish();
        match &args.expr {
            Some(expr) => answer(asked, expr, args),
            None => prompt(&mut Session { asked, args }),
        }
    });
    answered.unwrap_or_else(|(sources, diagnostics)| wrong(&diagnostics, &sources, args))
}

struct Session<'s, 'a> {
    asked: &'s mut AlloyPrompt<'a>,
    args: &'s EvalArgs,
}

impl Answers for Session<'_, '_> {
    fn answer(&mut self, text: &str) -> ExitCode {
        command(self.asked, text.trim(), self.args)
    }

    fn help(&self) -> &str {
        "an expression of the model; `next` for the next instance, `show` for this one; `:quit` leaves"
    }
}

/// At the prompt there are two words more: `next` and `show`.
fn command(asked: &mut AlloyPrompt<'_>, line: &str, args: &EvalArgs) -> ExitCode {
    match line {
        "next" => match asked.find_next() {
            Ok(true) => show(asked),
            Ok(false) => {
                out("no further instance");
                ExitCode::SUCCESS
            }
            Err(diagnostics) => wrong(&diagnostics, &asked.sources, args),
        },
        "show" => show(asked),
        _ => answer(asked, line, args),
    }
}

fn show(asked: &AlloyPrompt<'_>) -> ExitCode {
    let text = shown(&asked.instance, None, &About::default(), report::output_style());
    out(&text);
    ExitCode::SUCCESS
}

fn answer(asked: &mut AlloyPrompt<'_>, expr: &str, args: &EvalArgs) -> ExitCode {
    let n_states = asked.instance.states.states.len();
    let state = args.state.clamp(1, n_states) - 1;
    match asked.evaluate(expr, state) {
        Ok(value) => {
            out(&match args.format {
                Format::Text => value,
                Format::Json => json!({ "value": value, "diagnostics": [] }).to_string(),
            });
            ExitCode::SUCCESS
        }
        Err(diagnostics) => wrong(&diagnostics, &asked.sources, args),
    }
}

fn wrong(diagnostics: &[Diagnostic], sources: &Sources, args: &EvalArgs) -> ExitCode {
    match args.format {
        Format::Text => report::diagnostics(diagnostics, sources),
        Format::Json => {
            let rows: Vec<_> = diagnostics.iter().map(|it| report::json(it, sources)).collect();
            out(&json!({ "value": null, "diagnostics": rows }).to_string());
        }
    }
    ExitCode::from(2)
}
