//! `babbage parse`: what is wrong with a specification, or what it consists of.

use std::process::ExitCode;

use diag::Diagnostic;
use serde_json::{Value, json};
use source::Sources;
use workbench::{ModelSummary, ModuleSummary, TlaFile, Workspace, parse_tla, summarise, summarise_model};

use super::rules::mistakes;
use crate::args::{ParseArgs, ParseFormat};
use crate::files::Files;
use crate::output::out;
use crate::report;

pub fn run(args: &ParseArgs) -> ExitCode {
    let workspace = Workspace::new(Files);
    let opened = match workspace.open(&args.spec) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => return refuse(args.format, &diagnostics, &sources),
    };
    if !opened.language.has_steps() {
        let unsupported = workbench::diagnostics::unsupported_language(&args.spec);
        return refuse(args.format, &[unsupported], &opened.sources);
    }
    if let Some((sources, wrong)) = mistakes(
        &workspace,
        &args.spec,
        args.config.as_deref(),
        args.rules.choice(),
    ) {
        return refuse(args.format, &wrong, &sources);
    }
    let mut file = parse_tla(opened, &Files, args.syntax_only);
    let config = args.config.clone().or_else(|| file.default_config());
    if let Some(config) = config.filter(|_| !args.syntax_only) {
        file.configure(&config, &Files);
    }
    match args.format {
        ParseFormat::Text => {
            report::diagnostics(&file.diagnostics, &file.sources);
            if !file.has_errors() {
                out(&summary(args, &file));
            }
        }
        ParseFormat::Json => out(&as_json(&file).to_string()),
        ParseFormat::Tree => {
            report::diagnostics(&file.diagnostics, &file.sources);
            out(&file.tree());
        }
    }
    status(&file.diagnostics)
}

fn refuse(format: ParseFormat, diagnostics: &[Diagnostic], sources: &Sources) -> ExitCode {
    match format {
        ParseFormat::Json => out(&json!({ "diagnostics": rows(diagnostics, sources) }).to_string()),
        ParseFormat::Text | ParseFormat::Tree => report::diagnostics(diagnostics, sources),
    }
    status(diagnostics)
}

fn status(diagnostics: &[Diagnostic]) -> ExitCode {
    let wrong = diagnostics.iter().any(Diagnostic::is_error);
    if wrong {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    }
}

fn rows(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Value> {
    diagnostics.iter().map(|it| report::json(it, sources)).collect()
}

fn summary(args: &ParseArgs, file: &TlaFile) -> String {
    let Some(ModuleSummary {
        name,
        extends,
        constants,
        variables,
        definitions,
        assumptions,
        theorems,
        modules,
    }) = summarise(&file.spec)
    else {
        return format!("{}: the syntax is right", args.spec);
    };
    let mut lines = format!("module {name}\n");
    line(&mut lines, "extends", &extends);
    line(&mut lines, "constants", &constants);
    line(&mut lines, "variables", &variables);
    line(&mut lines, "defines", &definitions);
    let count = report::counted;
    let (assumptions, theorems) = (count(assumptions, "assumption"), count(theorems, "theorem"));
    lines += &format!("  {assumptions}, {theorems}, {} read\n", count(modules, "module"));
    if let Some(model) = &file.model {
        let model = summarise_model(&file.spec, model);
        lines += "model\n";
        line(&mut lines, "behaviour", &model.behaviour);
        line(&mut lines, "constants", &model.constants);
        line(&mut lines, "invariants", &model.invariants);
        line(&mut lines, "properties", &model.properties);
        line(&mut lines, "within", &model.constraints);
    }
    lines
}

fn line(lines: &mut String, title: &str, names: &[String]) {
    if !names.is_empty() {
        *lines += &format!("  {title:<10} {}\n", names.join(", "));
    }
}

fn as_json(file: &TlaFile) -> Value {
    let module = summarise(&file.spec).map(|it| {
        json!({
            "name": it.name,
            "extends": it.extends,
            "constants": it.constants,
            "variables": it.variables,
            "definitions": it.definitions,
            "assumptions": it.assumptions,
            "theorems": it.theorems,
        })
    });
    let model = file.model.as_ref().map(|it| {
        let ModelSummary {
            behaviour,
            constants,
            invariants,
            properties,
            constraints,
        } = summarise_model(&file.spec, it);
        json!({
            "behaviour": behaviour,
            "constants": constants,
            "invariants": invariants,
            "properties": properties,
            "constraints": constraints,
        })
    });
    let diagnostics = rows(&file.diagnostics, &file.sources);
    json!({ "language": "tla+", "module": module, "model": model, "diagnostics": diagnostics })
}
