//! The public specifications that stand beside the project, when they do. None of them is part of it.

use std::path::{Path, PathBuf};

use crate::not_run;

/// A folder of the conformance corpus (`tla`, `syntax`, `alloy`), or nothing where the project stands alone. A test that
/// gets nothing says so and checks nothing.
pub fn corpus(folder: &str) -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = here
        .ancestors()
        .map(|it| it.join("shared/conformance").join(folder))
        .find(|it| it.is_dir());
    if found.is_none() {
        not_run(&format!(
            "there is no shared/conformance/{folder} beside the project"
        ));
    }
    found
}

/// All files below `folder` with this extension, in order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = vec![];
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
