//! `babbage parse`: what is wrong with a specification, or what it consists of.

use std::process::ExitCode;

use diag::Diagnostic;
use serde_json::{Value, json};
use source::Sources;
use workbench::{Language, ModuleSummary, TlaFile, open, parse_tla, summarise};

use crate::args::{ParseArgs, ParseFormat};
use crate::files::Files;
use crate::report;

pub fn run(args: &ParseArgs) -> ExitCode {
    let opened = match open(&args.spec, &Files) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => return refuse(args.format, &diagnostics, &sources),
    };
    if opened.language != Language::Tla {
        let unsupported =
            Diagnostic::error("unsupported-language", "only TLA+ can be read by `parse` so far");
        return refuse(args.format, &[unsupported], &opened.sources);
    }
    let file = parse_tla(opened, &Files, args.syntax_only);
    match args.format {
        ParseFormat::Text => {
            report::diagnostics(&file.diagnostics, &file.sources);
            if !file.has_errors() {
                print_summary(args, &file);
            }
        }
        ParseFormat::Json => println!("{}", as_json(&file)),
        ParseFormat::Tree => {
            report::diagnostics(&file.diagnostics, &file.sources);
            print!("{:#?}", file.tree.module);
        }
    }
    status(&file.diagnostics)
}

fn refuse(format: ParseFormat, diagnostics: &[Diagnostic], sources: &Sources) -> ExitCode {
    match format {
        ParseFormat::Json => println!("{}", json!({ "diagnostics": rows(diagnostics, sources) })),
        ParseFormat::Text | ParseFormat::Tree => report::diagnostics(diagnostics, sources),
    }
    status(diagnostics)
}

fn status(diagnostics: &[Diagnostic]) -> ExitCode {
    if diagnostics.iter().any(Diagnostic::is_error) {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    }
}

fn rows(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Value> {
    diagnostics.iter().map(|it| report::json(it, sources)).collect()
}

fn print_summary(args: &ParseArgs, file: &TlaFile) {
    let Some(summary) = summarise(&file.spec) else {
        println!("{}: syntax is right", args.spec);
        return;
    };
    println!("module {}", summary.name);
    line("extends", &summary.extends);
    line("constants", &summary.constants);
    line("variables", &summary.variables);
    line("defines", &summary.definitions);
    let ModuleSummary {
        assumptions,
        theorems,
        modules,
        ..
    } = summary;
    let count = report::counted;
    println!(
        "  {}, {}, {} read",
        count(assumptions, "assumption"),
        count(theorems, "theorem"),
        count(modules, "module")
    );
}

fn line(title: &str, names: &[String]) {
    if !names.is_empty() {
        println!("  {title:<10} {}", names.join(", "));
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
    json!({ "language": "tla+", "module": module, "diagnostics": rows(&file.diagnostics, &file.sources) })
}
