//! The pages about diagnostics, run.

use std::path::Path;

use diag::Diagnostic;
use source::{FileId, Sources};
use testkit::Example;

use crate::{Edit, Options, apply, translate};

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
    diagnostics.iter().for_each(|it| check_fixes(it, &example.text));
    (sources, diagnostics)
}

/// A text that is mended in the way a diagnostic proposes has one mistake of this kind less.
fn check_fixes(wrong: &Diagnostic, text: &str) {
    let count = |text: &str| {
        let all = translate(text, FileId(0), &Options::default()).1;
        all.iter().filter(|it| it.code == wrong.code).count()
    };
    for fix in &wrong.fixes {
        let edit = |it: &diag::Edit| Edit {
            range: it.span.start as usize..it.span.end as usize,
            text: it.text.clone(),
        };
        let edits: Vec<Edit> = fix.edits.iter().map(edit).collect();
        let mended = apply(&edits, text);
        assert!(
            count(&mended) < count(text),
            "to {} does not mend it:\n{mended}",
            fix.title
        );
    }
}
