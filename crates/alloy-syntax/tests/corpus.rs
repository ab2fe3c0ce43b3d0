//! Every public model reads without an error, and so does its printed form. The models are not part of the project;
//! where they are absent the test says so.

use std::path::{Path, PathBuf};

use source::Sources;

fn corpus() -> Option<PathBuf> {
    let root = match std::env::var_os("BABBAGE_CONFORMANCE") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance"),
    };
    let folder = root.join("alloy");
    folder.is_dir().then_some(folder)
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|it| it == "als" || it == "md") {
            found.push(path);
        }
    }
}

#[test]
fn reads_every_public_model() {
    let Some(folder) = corpus() else {
        testkit::not_run("there are no public models beside the project (set BABBAGE_CONFORMANCE)");
        return;
    };
    let mut paths = vec![];
    models(&folder, &mut paths);
    let mut failures = vec![];
    for path in &paths {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let code = alloy_syntax::code(&path.to_string_lossy(), &text).into_owned();
        let mut sources = Sources::new();
        let id = sources.add(path.to_string_lossy(), code.clone());
        let (tree, diagnostics) = alloy_syntax::parse(id, &code);
        for diagnostic in &diagnostics {
            failures.push(diag::render(diagnostic, &sources, diag::Style::Plain));
        }
        let printed = alloy_syntax::print_file(&tree);
        let (again, diagnostics) = alloy_syntax::parse(id, &printed);
        if !diagnostics.is_empty() || alloy_syntax::print_file(&again) != printed {
            failures.push(format!(
                "{}: the printed form reads differently:\n{printed}",
                path.display()
            ));
        }
    }
    assert!(!paths.is_empty());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
