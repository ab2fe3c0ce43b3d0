//! Rules about texts: what every source file opens with, what no file mentions, what two places must agree on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{named, root, way};

/// What a new machine needs to know to run the tests; the README says it and CI does it.
const TEST_COMMAND: &str = "cargo xtask test";

pub fn check(root: &Path) -> Vec<String> {
    let mut wrong = vec![];
    let files = tracked(root);
    if files.is_empty() {
        wrong.push("git knows no files here".to_string());
    }
    let mut pages: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in &files {
        let Ok(text) = std::fs::read_to_string(root.join(path)) else {
            continue;
        };
        let name = path.display().to_string();
        if name.ends_with(".rs") && !text.starts_with("//!") {
            wrong.push(format!(
                "{name}:1: a source file opens with `//!` and says what it is for"
            ));
        }
        wrong.extend(absolute_paths(&name, &text));
        if let Some(code) = page_code(path) {
            pages.entry(code).or_default().push(name);
        }
    }
    for (code, pages) in pages.iter().filter(|(_, it)| it.len() > 1) {
        wrong.push(format!(
            "the diagnostic `{code}` has several pages: {}",
            pages.join(", ")
        ));
    }
    for name in ["README.md", ".ci/run"] {
        if !std::fs::read_to_string(root.join(name)).is_ok_and(|it| it.contains(TEST_COMMAND)) {
            wrong.push(format!("{name}: does not say `{TEST_COMMAND}`"));
        }
    }
    wrong.extend(root::check(&files));
    wrong.extend(named::check(root));
    wrong.extend(way::check(root));
    wrong
}

/// Files that git tracks or would track: what is built or fetched is no one's business.
pub fn tracked(root: &Path) -> Vec<PathBuf> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").current_dir(root).args(arguments).output();
    let listed = output
        .map(|it| String::from_utf8_lossy(&it.stdout).into_owned())
        .unwrap_or_default();
    listed
        .lines()
        .map(PathBuf::from)
        .filter(|it| root.join(it).is_file())
        .collect()
}

/// The code that a page in a crate's `diagnostics` folder describes.
fn page_code(path: &Path) -> Option<String> {
    let is_page = path.extension().is_some_and(|it| it == "md")
        && path.parent()?.file_name().is_some_and(|it| it == "diagnostics");
    is_page.then(|| path.file_stem().map(|it| it.to_string_lossy().into_owned()))?
}

/// Folders that exist on one machine only.
fn absolute_paths(name: &str, text: &str) -> Vec<String> {
    // Put together here, so that this file does not mention them itself.
    let roots = ["home", "Users", "root", "work", "tmp", "mnt", "opt", "var"].map(|it| format!("/{it}/"));
    let mut wrong = vec![];
    for (number, line) in text.lines().enumerate() {
        for root in &roots {
            let starts = line.match_indices(root.as_str()).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|it| it.is_whitespace() || matches!(it, '"' | '\'' | '`' | '(' | '=' | ':'))
            });
            if starts {
                wrong.push(format!(
                    "{name}:{}: mentions the absolute path `{root}…`",
                    number + 1
                ));
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_found_and_urls_are_not() {
        let path = format!("see /{}/me/x", "home");
        assert_eq!(absolute_paths("f", &path).len(), 1);
        let url = format!("https://example.org/{}/x and crates/{}/y", "home", "work");
        assert!(absolute_paths("f", &url).is_empty());
    }

    #[test]
    fn pages_are_known_by_their_folder() {
        assert_eq!(
            page_code(Path::new("crates/a/diagnostics/x-y.md")).as_deref(),
            Some("x-y")
        );
        assert_eq!(page_code(Path::new("crates/a/README.md")), None);
    }
}
