//! The pages about diagnostics, run.

use std::path::Path;

use source::Sources;

#[test]
fn every_diagnostic_has_a_page_that_is_true() {
    testkit::check_pages_of(Path::new(env!("CARGO_MANIFEST_DIR")), |example| {
        let mut sources = Sources::new();
        let text = example.written_out();
        let file = sources.add("model.als", text.clone());
        let (_, diagnostics) = alloy_syntax::parse(file, &text);
        (sources, diagnostics)
    });
}
