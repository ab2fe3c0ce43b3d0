//! The pages about diagnostics, run.

use std::path::Path;

use alloy_lower::{Options, Refusal, Run, Stop};
use alloy_sema::NoFiles;
use alloy_sema::ir::Model;
use diag::Diagnostic;
use source::Sources;
use testkit::Example;

/// What no example can show: bugs of ours, too little memory, and strings that only a prompt can ask for.
fn refused(example: &Example, model: &Model) -> Option<Refusal> {
    let command = model.commands[0].span;
    Some(match example.options.as_str() {
        "confirmed by nobody" => Refusal::Disagreement { span: Some(command) },
        "proved by nobody" => Refusal::Unproved { command },
        "in no memory" => Refusal::TooLarge { command },
        "asked for a string" => Refusal::UnknownString {
            text: "unheard of".into(),
            span: command,
        },
        _ => return None,
    })
}

fn run(example: &Example) -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let options = alloy_sema::Options::default();
    let resolved = alloy_sema::resolve("model.als", &example.text, &NoFiles, &mut sources, options);
    assert!(!resolved.has_errors(), "{}", example.text);
    let refusal = refused(example, &resolved.model).unwrap_or_else(|| {
        let run = Run::new(&resolved.model, 0, Options::default(), Stop::never());
        let outcome = run.and_then(|mut it| it.find_next());
        outcome.expect_err("it cannot be analysed")
    });
    (sources, refusal.diagnostic().into_iter().collect())
}

#[test]
fn every_diagnostic_has_a_page_that_is_true() {
    testkit::check_pages_of(Path::new(env!("CARGO_MANIFEST_DIR")), run);
}
