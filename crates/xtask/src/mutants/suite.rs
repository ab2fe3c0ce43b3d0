//! All tests: which mutants each of them reaches, and how long it takes.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

use super::compile::Program;
use super::options::Options;
use super::tree::below;
use super::trial::{self, Test};

/// No test takes longer than this without a mutant.
const LONGEST: f64 = 300.0;

/// Runs every test once, or takes what was found out about the same program before.
pub fn measure(programs: &[Program], folder: &Path, options: &Options) -> Result<Vec<Test>, String> {
    let kept = folder.join("reached.json");
    let known: Value = std::fs::read_to_string(&kept)
        .ok()
        .and_then(|it| serde_json::from_str(&it).ok())
        .unwrap_or_default();
    let mut tests = vec![];
    for program in programs {
        let stamp = stamp(program);
        for name in names(program)? {
            let title = format!("{}: {name}", program.name);
            if options.without.iter().any(|it| title.contains(it)) {
                continue;
            }
            let before = &known[&title];
            let is_known = before["stamp"] == stamp.as_str();
            let numbers = |it: &Value| {
                it.as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_u64)
                    .collect::<Vec<_>>()
            };
            let test = Test {
                program: program.path.clone(),
                folder: program.folder.clone(),
                title,
                name,
                cpu: before["cpu"].as_f64().unwrap_or_default(),
                passes: before["passes"] == true,
                reached: numbers(&before["reached"])
                    .into_iter()
                    .map(|it| it as u32)
                    .collect(),
            };
            tests.push((test, is_known, stamp.clone()));
        }
    }
    let queue = Mutex::new((0..tests.len()).filter(|&it| !tests[it].1).collect::<Vec<_>>());
    let found = Mutex::new(vec![]);
    std::thread::scope(|scope| {
        for job in 0..options.jobs {
            let (queue, found, tests) = (&queue, &found, &tests);
            let notes = folder.join(format!("reached-{job}.txt"));
            scope.spawn(move || {
                while let Some(at) = { queue.lock().expect("no panic").pop() } {
                    let measured = alone(&tests[at].0, &notes);
                    found.lock().expect("no panic").push((at, measured));
                }
            });
        }
    });
    for (at, measured) in found.into_inner().expect("no panic") {
        tests[at].0 = measured;
    }
    // What another run found out about other tests stays.
    let mut all: serde_json::Map<String, Value> = known.as_object().cloned().unwrap_or_default();
    all.extend(tests.iter().map(|(it, _, stamp)| {
        let known = json!({"stamp": stamp, "cpu": it.cpu, "passes": it.passes, "reached": it.reached});
        (it.title.clone(), known)
    }));
    std::fs::write(&kept, Value::Object(all).to_string()).map_err(|it| it.to_string())?;
    Ok(tests.into_iter().map(|it| it.0).collect())
}

/// One test without a mutant.
fn alone(test: &Test, notes: &Path) -> Test {
    // A file of an earlier run would add to this one.
    let _ = std::fs::remove_file(notes);
    let variables = [("BABBAGE_MUTANTS_REACHED", notes.display().to_string())];
    let mut done = trial::run(test, &variables, LONGEST);
    // To note what is reached takes its time, too.
    if done.cpu > 0.5 && done.status == Some(0) {
        done = trial::run(test, &[], LONGEST);
    }
    let text = std::fs::read_to_string(notes).unwrap_or_default();
    let mut reached: Vec<u32> = text.lines().filter_map(|it| it.parse().ok()).collect();
    reached.sort_unstable();
    reached.dedup();
    Test {
        cpu: done.cpu,
        passes: done.status == Some(0),
        reached,
        ..test.clone()
    }
}

fn names(program: &Program) -> Result<Vec<String>, String> {
    let output = Command::new(&program.path)
        .args(["--list", "--format", "terse"])
        .current_dir(&program.folder)
        .output()
        .map_err(|it| format!("{} does not run: {it}", program.name))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .lines()
        .filter_map(|it| it.strip_suffix(": test"))
        .map(String::from)
        .collect())
}

/// Changes whenever the program or a page that it reads does.
fn stamp(program: &Program) -> String {
    let time = |path: &Path| {
        let time = std::fs::metadata(path).and_then(|it| it.modified()).ok()?;
        time.duration_since(UNIX_EPOCH).ok()
    };
    let pages = below(&program.folder.join("tests")).unwrap_or_default();
    let newest = pages.iter().filter_map(|it| time(it)).max().unwrap_or_default();
    let built = time(&program.path).unwrap_or_default();
    format!(
        "{} {} {}",
        program.path.display(),
        built.as_nanos(),
        newest.as_nanos()
    )
}
