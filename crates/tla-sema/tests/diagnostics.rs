//! The pages about diagnostics, run.

mod support;

use std::path::Path;

use support::Files;

#[test]
fn every_diagnostic_has_a_page_that_is_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnostics");
    let constructors = [
        include_str!("../src/diagnostics/levels.rs"),
        include_str!("../src/diagnostics/model.rs"),
        include_str!("../src/diagnostics/modules.rs"),
        include_str!("../src/diagnostics/names.rs"),
        include_str!("../src/diagnostics/operators.rs"),
        include_str!("../src/diagnostics/proofs.rs"),
    ];
    testkit::check_pages(&folder, &constructors, |example| {
        let resolved = Files::of(&example.text).resolve();
        (resolved.sources, resolved.diagnostics)
    });
}
