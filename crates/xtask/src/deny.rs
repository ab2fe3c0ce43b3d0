//! What may be depended on, according to `deny.toml`: licences, and one version of each crate.
//!
//! `cargo deny` checks the same and more, but building it takes minutes. So the two lists that matter offline are read here, and
//! compared with what cargo says is built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// A crate that is built, as `cargo tree` tells it.
#[derive(Debug, PartialEq)]
struct Dependency {
    name: String,
    version: String,
    licence: String,
}

pub fn check(root: &Path) -> Vec<String> {
    let rules = match std::fs::read_to_string(root.join("deny.toml")) {
        Ok(rules) => rules,
        Err(error) => return vec![format!("deny.toml: {error}")],
    };
    match dependencies(root) {
        Ok(all) => breaches(&all, &list(&rules, "allow"), &list(&rules, "skip")),
        Err(error) => vec![error],
    }
}

fn dependencies(root: &Path) -> Result<Vec<Dependency>, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(root)
        .args(["tree", "--workspace", "--prefix", "none"]);
    cargo.args(["--edges", "normal,build,dev", "--format", "{p}|{l}|"]);
    let output = cargo
        .output()
        .map_err(|it| format!("cargo tree does not run: {it}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo tree fails: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(dependency).collect())
}

/// `serde v1.0.229|MIT OR Apache-2.0| (*)`
fn dependency(line: &str) -> Option<Dependency> {
    let mut parts = line.split('|');
    let (package, licence) = (parts.next()?, parts.next()?);
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?);
    // Our own have a path.
    (!package.contains('/')).then(|| Dependency {
        name: name.to_owned(),
        version: version.to_owned(),
        licence: licence.to_owned(),
    })
}

fn breaches(all: &[Dependency], allowed: &[String], accepted: &[String]) -> Vec<String> {
    let mut wrong = BTreeSet::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for it in all {
        versions.entry(&it.name).or_default().insert(&it.version);
        if !is_allowed(&it.licence, allowed) {
            wrong.insert(format!(
                "deny.toml: {} {} is under `{}`, which is not allowed",
                it.name, it.version, it.licence
            ));
        }
    }
    for (name, versions) in &versions {
        let is_accepted = accepted.iter().any(|it| it == name);
        let listed = versions.iter().copied().collect::<Vec<_>>().join(", ");
        match versions.len() {
            1 if is_accepted => {
                wrong.insert(format!(
                    "deny.toml: `{name}` is there once, so need not be skipped"
                ));
            }
            2.. if !is_accepted => {
                wrong.insert(format!(
                    "deny.toml: `{name}` is there several times ({listed}): find one version, or skip it with a reason"
                ));
            }
            _ => {}
        }
    }
    wrong.into_iter().collect()
}

/// Whether one of the ways to use it is allowed: `A OR B`, `(A OR B) AND C`, in older crates `A/B`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ");
    split(&expression, " OR ").into_iter().any(|any| {
        split(any, " AND ").into_iter().all(|part| {
            let part = part.trim();
            match part.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
                Some(inner) => is_allowed(inner, allowed),
                None => allowed.iter().any(|it| it == part),
            }
        })
    })
}

/// Splits at a word that stands outside of parentheses.
fn split<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth) = (vec![], 0, 0);
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 && at >= start && text[at..].starts_with(word) {
            parts.push(&text[start..at]);
            start = at + word.len();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The first string in each line of a list in `deny.toml`, which has one element a line.
fn list(rules: &str, name: &str) -> Vec<String> {
    let opening = format!("{name} = [");
    let lines = rules.lines().skip_while(|it| *it != opening).skip(1);
    let lines = lines.take_while(|it| *it != "]");
    lines
        .filter_map(|it| it.split('"').nth(1).map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_read_as_expressions() {
        let allowed = ["MIT", "Unicode-3.0"].map(str::to_owned);
        for (licence, is_fine) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("Unlicense/MIT", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("MIT AND GPL-3.0", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(licence, &allowed), is_fine, "{licence}");
        }
    }

    #[test]
    fn two_versions_need_a_reason() {
        let built = ["syn v2.0.1|MIT|", "syn v3.0.0|MIT| (*)", "own v0.1.0 (a/b)||"];
        let all: Vec<Dependency> = built.into_iter().filter_map(dependency).collect();
        assert_eq!(all.len(), 2);
        let allowed = ["MIT".to_owned()];
        assert_eq!(breaches(&all, &allowed, &[]).len(), 1);
        assert!(breaches(&all, &allowed, &["syn".to_owned()]).is_empty());
        assert_eq!(breaches(&all[1..], &allowed, &["syn".to_owned()]).len(), 1);
    }

    #[test]
    fn lists_have_one_element_a_line() {
        let rules = "allow = [\n    \"MIT\",\n]\nskip = [\n    { name = \"syn\", reason = \"r\" },\n]\n";
        assert_eq!(list(rules, "allow"), ["MIT"]);
        assert_eq!(list(rules, "skip"), ["syn"]);
    }
}
