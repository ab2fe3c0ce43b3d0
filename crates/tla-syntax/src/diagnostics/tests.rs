//! The pages about diagnostics, run.

use std::path::Path;

use diag::Diagnostic;
use source::Sources;
use testkit::Example;

use crate::parser::{LIMITS, Limits, parse_within};

#[test]
fn every_diagnostic_has_a_page_that_is_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnostics");
    let constructors = [
        include_str!("config.rs"),
        include_str!("expression.rs"),
        include_str!("lexical.rs"),
        include_str!("module.rs"),
        include_str!("operator.rs"),
        include_str!("proof.rs"),
    ];
    testkit::check_pages(&folder, &constructors, run);
}

fn run(example: &Example) -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add(format!("M.{}", example.language), example.text.as_str());
    let diagnostics = match example.language.as_str() {
        "cfg" => crate::config::parse(&example.text, file).1,
        "tla" => parse_within(limits(&example.options), &example.text, file).1,
        other => panic!("examples are in tla or cfg, not {other:?}"),
    };
    (sources, diagnostics)
}

/// Pages about limits have an example with small ones: `text=100 height=5`.
fn limits(options: &str) -> Limits {
    let mut limits = LIMITS;
    for option in options.split_whitespace() {
        match option.split_once('=') {
            Some(("text", n)) => limits.text = n.parse().expect("a number"),
            Some(("height", n)) => limits.height = n.parse().expect("a number"),
            _ => panic!("unknown option {option:?}"),
        }
    }
    limits
}
