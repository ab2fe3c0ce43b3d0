//! Public models are checked to the same counts from their algorithms alone: the translations are removed from all files that are
//! read, and nothing else is changed.
//!
//! Searches are cut off after some states, at the same place in both. `WHOLE=1` searches everything, which is for release builds;
//! `ONLY=text` chooses some models.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use diag::Style;
use workbench::effects::NoEffects;
use workbench::{
    CheckOptions, CheckReport, Host, Observer, TlaFile, Unreadable, Used, Verdict, check, open, parse_tla,
};

/// Where translations stand between marks, with or without them.
#[derive(Default)]
struct Disk {
    removes: bool,
    n_removed: Cell<usize>,
}

impl Host for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        let bytes = std::fs::read(path).map_err(|_| Unreadable::Missing)?;
        let text = String::from_utf8_lossy(&bytes);
        match untranslated(&text).filter(|_| self.removes) {
            Some(text) => {
                self.n_removed.set(self.n_removed.get() + 1);
                Ok(text.into_bytes())
            }
            None => Ok(bytes),
        }
    }
}

/// A text without the lines of its translation and the two that mark them; nothing if there is none.
fn untranslated(text: &str) -> Option<String> {
    let has_algorithm = ["--algorithm", "--fair"].iter().any(|it| text.contains(it));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mark = |what: &str| {
        lines
            .iter()
            .position(|it| it.starts_with("\\*") && it.contains(what))
    };
    let (begin, end) = (mark("BEGIN TRANSLATION")?, mark("END TRANSLATION")?);
    (has_algorithm && begin < end).then(|| [&lines[..begin], &lines[end + 1..]].concat().concat())
}

struct Clock(Instant);

impl Observer for Clock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

fn checked(module: &Path, config: &Path, host: &Disk) -> (TlaFile, CheckReport) {
    let name = |it: &Path| it.to_str().expect("a UTF-8 path").to_owned();
    let opened = open(&name(module), host).unwrap_or_else(|_| panic!("{} opens", module.display()));
    let mut file = parse_tla(opened, host, false);
    file.configure(&name(config), host);
    let is_whole = std::env::var("WHOLE").is_ok();
    let options = CheckOptions {
        states_max: (!is_whole).then_some(STATES_MAX),
        fingerprints: true,
        ..CheckOptions::default()
    };
    let report = check(&file, &options, &NoEffects::default(), &Clock(Instant::now()));
    (file, report)
}

const STATES_MAX: u64 = 3000;

/// All that must not depend on where a translation comes from.
fn counts(report: &CheckReport) -> String {
    let violated = report.violation.as_ref().map(|it| it.name.as_str());
    format!(
        "{:?} {:?}, {} distinct, {} generated, depth {}, a trace of {}",
        report.verdict,
        violated,
        report.distinct,
        report.generated,
        report.depth,
        report.trace.len()
    )
}

#[test]
fn models_are_checked_to_the_same_counts_without_their_translations() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut wrong = vec![];
    let mut n = 0;
    for suite in ["tla", "industry"] {
        let Some(folder) = testkit::corpus(suite) else {
            continue;
        };
        let expected = std::fs::read_to_string(folder.join("expected.json")).expect("a readable list");
        let expected: serde_json::Value = serde_json::from_str(&expected).expect("a JSON list");
        for row in expected.as_array().expect("a list") {
            let path = |key: &str| folder.join(row[key].as_str().expect("a path"));
            let (module, config) = (path("module"), path("config"));
            let is_asked = config.to_string_lossy().contains(&only);
            if !is_asked || !has_algorithm(&module) {
                continue;
            }
            match compare(&module, &config) {
                None => println!("{} needs more than this test offers", row["config"]),
                Some(Ok(())) => n += 1,
                Some(Err(why)) => wrong.push(format!("{}: {why}", row["config"])),
            }
        }
    }
    println!("{n} models have the same counts, {} have not", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Whether a translation is removed from any of the files of a model.
fn has_algorithm(module: &Path) -> bool {
    let host = Disk {
        removes: true,
        ..Disk::default()
    };
    let opened = open(module.to_str().expect("a UTF-8 path"), &host);
    parse_tla(opened.unwrap_or_else(|_| panic!("it opens")), &host, false);
    host.n_removed.get() > 0
}

/// What is different, if anything is. Nothing where the model cannot be checked as it stands: some read files.
fn compare(module: &Path, config: &Path) -> Option<Result<(), String>> {
    let (_, written) = checked(module, config, &Disk::default());
    if written.verdict == Verdict::Error {
        return None;
    }
    let host = Disk {
        removes: true,
        ..Disk::default()
    };
    let (file, made) = checked(module, config, &host);
    println!("{}: {}", config.display(), counts(&made));
    if counts(&written) != counts(&made) {
        let errors = made.diagnostics.iter().filter(|it| it.is_error());
        let errors = errors.map(|it| diag::render(it, &file.sources, Style::Plain));
        let errors = errors.collect::<Vec<_>>().join("\n");
        let (written, made) = (counts(&written), counts(&made));
        return Some(Err(format!("{written}; untranslated {made}\n{errors}")));
    }
    let used = file.algorithms.iter().map(|it| it.used);
    let unused: Vec<Used> = used.filter(|it| *it != Used::Made).collect();
    Some(match unused.is_empty() {
        true => Ok(()),
        false => Err(format!("{unused:?}, not translated for the run")),
    })
}
