//! The pages about diagnostics, run.

use std::path::Path;

use diag::Diagnostic;
use source::Sources;
use testkit::Example;

use crate::{Options, translate};

#[test]
fn every_diagnostic_has_a_page_that_is_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnostics");
    let constructors = [
        include_str!("label.rs"),
        include_str!("lexical.rs"),
        include_str!("name.rs"),
        include_str!("place.rs"),
        include_str!("syntax.rs"),
    ];
    testkit::check_pages(&folder, &constructors, run);
}

fn run(example: &Example) -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add("M.tla", example.text.as_str());
    let diagnostics = translate(&example.text, file, &Options::default()).1;
    (sources, diagnostics)
}
