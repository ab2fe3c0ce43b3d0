//! `babbage eval`: the value of an expression, or a prompt with definitions of its own.

use std::process::ExitCode;

use serde_json::json;
use workbench::{Evaluated, Workspace, define, evaluate, is_definition, is_unfinished};

use super::rules::mistakes;
use crate::args::{EvalArgs, Format};
use crate::files::Files;
use crate::output::out;
use crate::prompt::{Answers, prompt};
use crate::report;
use crate::world::{Run, World};

pub fn run(args: &EvalArgs) -> ExitCode {
    let workspace = Workspace::new(Files);
    if let Some(spec) = args.spec.as_deref()
        && workspace.open(spec).is_ok_and(|it| !it.language.has_steps())
    {
        return super::eval_alloy::run(args, &workspace, spec);
    }
    if let Some((sources, wrong)) = args
        .spec
        .as_deref()
        .and_then(|it| mistakes(&workspace, it, None, args.rules.choice()))
    {
        return refuse(args.format, &wrong, &sources);
    }
    let mut session = Session {
        args,
        workspace: &workspace,
        world: World::new(Run::default()),
        definitions: vec![],
    };
    match &args.expr {
        Some(expr) => session.value(expr),
        None => prompt(&mut session),
    }
}

fn refuse(format: Format, wrong: &[diag::Diagnostic], sources: &source::Sources) -> ExitCode {
    match format {
        Format::Json => {
            let rows: Vec<_> = wrong.iter().map(|it| report::json(it, sources)).collect();
            out(&json!({ "value": null, "diagnostics": rows }).to_string());
        }
        Format::Text => report::diagnostics(wrong, sources),
    }
    ExitCode::from(2)
}

const HELP: &str = "\
1 + 2                 the value of an expression; one that is not finished goes on in the next line
x == 3                a definition, for all that follows; `f(a) == …` and `g[n \\in S] == …` too
:help                 this
:quit                 leave; so does the end of the input
An empty line ends an expression that goes on. History: the arrow keys; search: Ctrl-R.";

struct Session<'a> {
    args: &'a EvalArgs,
    workspace: &'a Workspace<'a>,
    world: World,
    definitions: Vec<String>,
}

impl Session<'_> {
    fn value(&mut self, expr: &str) -> ExitCode {
        let Evaluated {
            sources,
            value,
            diagnostics,
        } = evaluate(
            self.workspace,
            expr,
            &self.definitions,
            self.args.spec.as_deref(),
            &self.world,
        );
        match self.args.format {
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
        match value {
            Some(_) => ExitCode::SUCCESS,
            None => ExitCode::from(2),
        }
    }

    /// A definition takes the place of an earlier one of the same name, so that what was built on that is built on this. One
    /// with mistakes is not kept.
    fn define(&mut self, text: &str) -> ExitCode {
        let is_same = |it: &String| defined_name(it) == defined_name(text);
        let mut definitions = self.definitions.clone();
        match definitions.iter_mut().find(|it| is_same(it)) {
            Some(known) => *known = text.to_string(),
            None => definitions.push(text.to_string()),
        }
        let (sources, diagnostics) = define(self.workspace, &definitions, self.args.spec.as_deref());
        if diagnostics.is_empty() {
            self.definitions = definitions;
            return ExitCode::SUCCESS;
        }
        report::diagnostics(&diagnostics, &sources);
        ExitCode::from(2)
    }
}

/// The word that a definition begins with.
fn defined_name(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

impl Answers for Session<'_> {
    fn answer(&mut self, text: &str) -> ExitCode {
        match is_definition(text) {
            true => self.define(text),
            false => self.value(text),
        }
    }

    fn is_unfinished(&self, text: &str) -> bool {
        is_unfinished(text)
    }

    fn help(&self) -> &str {
        HELP
    }
}
