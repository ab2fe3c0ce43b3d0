//! How TLA+ is read, claim by claim: the Markdown files in `grammar/`, each example with the tree it gives.

use std::path::Path;

use source::FileId;
use testkit::Example;

#[test]
fn the_grammar_is_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/grammar");
    let files = testkit::files(&folder, "md");
    assert!(!files.is_empty());
    for path in files {
        testkit::check_literate(&path, tree);
    }
}

/// An example is an expression, or (in `tla module`) the units of a module.
fn tree(example: &Example) -> String {
    let (tree, expr, diagnostics) = match example.options.as_str() {
        "module" => {
            let text = format!("---- MODULE M ----\n{}====\n", example.text);
            let (tree, diagnostics) = tla_syntax::parse(&text, FileId(0));
            (tree, None, diagnostics)
        }
        _ => tla_syntax::parse_expr(&example.text, FileId(0)),
    };
    assert!(diagnostics.is_empty(), "{} gives {diagnostics:?}", example.text);
    match expr {
        Some(expr) => tla_syntax::dump_expr(&tree, expr),
        None => tla_syntax::dump(&tree),
    }
}
