//! Another checker of TLA+ as a judge: a command that is given the files, and what it prints.
//!
//! It must print `N states generated, M distinct states found`, and say of a violation `Invariant X is violated`, `Action
//! property X is violated`, `Deadlock reached` or `Temporal properties were violated`. Where the two may differ is in
//! [`allowed`], each time with the reason: the rules are about answers, never about a specification.

use std::fs;
use std::path::Path;
use std::process::Command;

use testkit::Specification;

use crate::answer::Answer;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct PeerAnswer {
    /// `holds`, `violated`, `error`, or `unknown` where its time was up.
    pub verdict: String,
    pub kind: String,
    pub name: String,
    pub distinct: u64,
    pub generated: u64,
    pub depth: u32,
    /// States of the counterexample.
    pub trace: usize,
    /// What it said of an error.
    pub error: String,
}

/// Writes the files of a specification.
pub fn write(specification: &Specification, folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, text) in &specification.modules {
        fs::write(folder.join(format!("{name}.tla")), text)?;
    }
    let root = &specification.modules[0].0;
    fs::write(folder.join(format!("{root}.cfg")), &specification.config)
}

/// The specification that [`write()`] wrote: the root is the module that has a configuration.
pub fn read_folder(folder: &Path) -> std::io::Result<Specification> {
    let mut modules = vec![];
    let mut config = String::new();
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .map_while(Result::ok)
        .map(|it| it.path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match path.extension().and_then(|it| it.to_str()) {
            Some("tla") if path.with_extension("cfg").exists() => {
                modules.insert(0, (name, fs::read_to_string(&path)?));
                config = fs::read_to_string(path.with_extension("cfg"))?;
            }
            Some("tla") => modules.push((name, fs::read_to_string(&path)?)),
            _ => {}
        }
    }
    match modules.is_empty() {
        true => Err(std::io::ErrorKind::NotFound.into()),
        false => Ok(Specification {
            modules,
            config,
            is_standard: true,
        }),
    }
}

/// Asks `command`, in which `{module}` and `{config}` are replaced, in a folder of its own.
pub fn ask(specification: &Specification, command: &str, folder: &Path) -> std::io::Result<PeerAnswer> {
    write(specification, folder)?;
    let root = &specification.modules[0].0;
    let command = command
        .replace("{module}", &format!("{root}.tla"))
        .replace("{config}", &format!("{root}.cfg"));
    let output = Command::new("timeout")
        .args(["60", "sh", "-c", &command])
        .current_dir(folder)
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(read(&text, output.status.code()))
}

fn read(text: &str, status: Option<i32>) -> PeerAnswer {
    let mut answer = PeerAnswer::default();
    for line in text.lines() {
        if let Some((generated, distinct)) = counts(line) {
            (answer.generated, answer.distinct) = (generated, distinct);
        }
        let depth = line.strip_prefix("The depth of the complete state graph search is ");
        if let Some(depth) = depth.and_then(|it| it.trim_end_matches('.').parse().ok()) {
            answer.depth = depth;
        }
        if line.starts_with("State ") {
            answer.trace += 1;
        }
        let Some(error) = line.strip_prefix("Error: ") else {
            continue;
        };
        let named = |prefix: &str, suffix: &str| -> Option<String> {
            Some(error.strip_prefix(prefix)?.strip_suffix(suffix)?.to_owned())
        };
        if !answer.kind.is_empty() {
            continue;
        }
        let invariant = named("Invariant ", " is violated.")
            .or_else(|| named("Invariant ", " is violated by the initial state:"));
        if let Some(name) = invariant {
            (answer.kind, answer.name) = ("invariant".into(), name);
        } else if let Some(name) = named("Action property ", " is violated.") {
            (answer.kind, answer.name) = ("action-property".into(), name);
        } else if let Some(name) = named("Property ", " is violated by the initial state:") {
            (answer.kind, answer.name) = ("invariant".into(), name);
        } else if error.starts_with("Deadlock reached") {
            answer.kind = "deadlock".into();
        } else if error.starts_with("Temporal properties were violated")
            || error.starts_with("Temporal property ")
            || error.contains("is violated")
        {
            answer.kind = "liveness".into();
        } else if answer.error.is_empty() {
            answer.error = error.to_owned();
        }
    }
    answer.verdict = match (status, answer.kind.is_empty(), answer.error.is_empty()) {
        (Some(124), ..) => "unknown",
        (_, _, false) => "error",
        (_, false, _) => "violated",
        (Some(0), ..) => "holds",
        _ => "error",
    }
    .to_owned();
    answer
}

/// `12 states generated, 3 distinct states found, 0 states left on queue.`
fn counts(line: &str) -> Option<(u64, u64)> {
    let (generated, rest) = line.split_once(" states generated, ")?;
    let (distinct, _) = rest.split_once(" distinct states found")?;
    let number = |it: &str| it.replace(',', "").trim().parse().ok();
    Some((number(generated)?, number(distinct)?))
}

/// What the two differ in, if that is not allowed.
pub fn difference(ours: &Answer, peer: &PeerAnswer) -> Option<&'static str> {
    let same = |what: &'static str, is: bool| (!is).then_some(what);
    if ours.limit.is_some() || peer.verdict == "unknown" || allowed(ours, peer).is_some() {
        return None;
    }
    if let Some(what) = same("verdict", ours.verdict == peer.verdict) {
        return Some(what);
    }
    match peer.verdict.as_str() {
        "holds" => None
            .or_else(|| same("distinct", ours.distinct == peer.distinct))
            .or_else(|| same("generated", ours.generated == peer.generated))
            .or_else(|| same("depth", ours.depth == peer.depth)),
        "violated" => {
            let kind = ours.violation.as_ref().map_or("", |it| &it.0);
            // Two violations at one depth: which is met first depends on the order of successors.
            let is_safety = |it: &str| it != "liveness";
            None.or_else(|| same("kind", is_safety(kind) == is_safety(&peer.kind)))
                .or_else(|| same("trace", !is_safety(kind) || ours.trace.len() == peer.trace))
        }
        _ => None,
    }
}

/// Why the two may differ, if they may.
pub fn allowed(ours: &Answer, peer: &PeerAnswer) -> Option<&'static str> {
    let is_error = |it: &str| it == "error";
    let says = |what: &str| peer.error.contains(what);
    match () {
        // Both stop at the first thing that is wrong, in the order in which they come to successors.
        () if is_error(&ours.verdict) && peer.verdict == "violated"
            || is_error(&peer.verdict) && ours.verdict == "violated" =>
        {
            Some("an error and a violation at about the same depth")
        }
        () if says("is not assigned") || says("was not assigned") || says("is undefined") => {
            Some("a conjunct that reads a next value waits until it is given; the peer does not wait")
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{PeerAnswer, difference, read};
    use crate::answer::Answer;

    #[test]
    fn answers_are_read_from_what_a_checker_prints() {
        let violated = "Error: Invariant Inv is violated.\nState 1: <Init>\nx = 0\n\nState 2: <Next>\nx = 1\n\n3 states generated, 2 distinct states found, 0 states left on queue.\nThe depth of the complete state graph search is 2.\n";
        let answer = read(violated, Some(12));
        assert_eq!(
            (answer.verdict.as_str(), answer.kind.as_str()),
            ("violated", "invariant")
        );
        assert_eq!(
            (answer.generated, answer.distinct, answer.depth, answer.trace),
            (3, 2, 2, 2)
        );
        assert_eq!(
            read("Error: Attempted to check equality\n", Some(75)).verdict,
            "error"
        );
        assert_eq!(
            read("2 states generated, 1 distinct states found\n", Some(0)).verdict,
            "holds"
        );
        assert_eq!(read("", Some(124)).verdict, "unknown");
    }

    #[test]
    fn an_error_and_a_violation_may_come_in_another_order() {
        let answer = |verdict: &str| Answer {
            verdict: verdict.to_owned(),
            ..Answer::default()
        };
        let peer = |verdict: &str| PeerAnswer {
            verdict: verdict.to_owned(),
            ..PeerAnswer::default()
        };
        assert_eq!(difference(&answer("error"), &peer("violated")), None);
        assert_eq!(difference(&answer("holds"), &peer("violated")), Some("verdict"));
        assert_eq!(difference(&answer("error"), &peer("holds")), Some("verdict"));
    }
}
