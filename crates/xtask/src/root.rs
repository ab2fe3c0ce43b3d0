//! What may stand at the root of the project: a newcomer reads this list first, so nothing gets into it by accident.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// In the order in which `ls` shows them. What git ignores, such as `target`, is not looked at.
const NAMES: [&str; 19] = [
    ".cargo",
    ".ci",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "bench",
    "clippy.toml",
    "crates",
    "deny.toml",
    "docs",
    "fuzz",
    "rustfmt.toml",
    "specs",
];

/// Files that git tracks, or would track, below a name that is not on the list.
pub fn check(files: &[PathBuf]) -> Vec<String> {
    let first = |it: &PathBuf| Some(it.iter().next()?.to_string_lossy().into_owned());
    let names: BTreeSet<String> = files.iter().filter_map(first).collect();
    let unknown = names.into_iter().filter(|it| !NAMES.contains(&it.as_str()));
    let told = |it| {
        format!(
            "{it}: nothing of this name belongs at the root; if it does, add it to crates/xtask/src/root.rs"
        )
    };
    unknown.map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_specification_left_behind_is_found() {
        let files = ["README.md", "crates/cli/Cargo.toml", "Puzzle_anim_1.svg"].map(PathBuf::from);
        let wrong = check(&files);
        assert_eq!(wrong.len(), 1);
        assert!(wrong[0].starts_with("Puzzle_anim_1.svg: "));
    }
}
