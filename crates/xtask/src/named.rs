//! Files that a page of the project names: each must be there, or the page has become untrue.

use std::path::Path;

/// Pages for people, whose paths are checked. Links and `paths/in/backticks` count; patterns with `*` do not.
const PAGES: [&str; 5] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "docs/commands.md",
    "specs/README.md",
];

pub fn check(root: &Path) -> Vec<String> {
    let mut wrong = vec![];
    for page in PAGES {
        let Ok(text) = std::fs::read_to_string(root.join(page)) else {
            wrong.push(format!("{page}: there is no such page"));
            continue;
        };
        let folder = Path::new(page).parent().unwrap_or(Path::new(""));
        for link in links(&text) {
            if !root.join(folder).join(&link).exists() {
                wrong.push(format!("{page}: the link to `{link}` leads nowhere"));
            }
        }
        for path in paths(&text) {
            if !root.join(&path).exists() {
                wrong.push(format!("{page}: there is no `{path}`"));
            }
        }
    }
    wrong
}

/// The targets of `[…](target)` that are files of the project.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|it| it.split(')').next());
    let files = targets.filter(|it| !it.contains("://") && !it.starts_with('#'));
    let file = |it: &str| it.split('#').next().unwrap_or(it).to_owned();
    files.map(file).collect()
}

/// What stands in backticks and begins like a path from the root.
fn paths(text: &str) -> Vec<String> {
    const ROOTS: [&str; 6] = [".ci/", "bench/", "crates/", "docs/", "fuzz/", "specs/"];
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |it: &&str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/.-_".contains(c);
        ROOTS.iter().any(|root| it.starts_with(root)) && it.chars().all(is_plain)
    };
    quoted.filter(is_path).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_paths_are_found() {
        let text = "see [a](docs/a.md#part), [b](https://example.org/b) and `crates/x/src/y.rs`, not `crates/*/src` or `a/b`";
        assert_eq!(links(text), ["docs/a.md"]);
        assert_eq!(paths(text), ["crates/x/src/y.rs"]);
    }
}
