//! `cargo xtask bench --alloy FOLDER`: how long each command of a folder of Alloy models takes, start to end.
//!
//! Each command is a process of its own, as a person would run it, so the time includes reading the model and starting
//! up. The binary is the release build, or the one that `--bin` names. FOLDER holds `expected.json`, a list of
//! `{ "file", "commands": ["sat" | "unsat" | null] }`; without FOLDER, nothing is run and that is said.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use serde_json::Value;

struct Args {
    folder: Option<PathBuf>,
    bin: PathBuf,
    only: Option<String>,
    seconds: f64,
    slowest: usize,
    solver: Option<String>,
    symmetry: Option<String>,
}

struct Row {
    name: String,
    total_ms: f64,
    translate_ms: f64,
    solve_ms: f64,
    variables: u64,
    clauses: u64,
    result: String,
    is_right: bool,
}

pub fn run(arguments: &[&str]) -> ExitCode {
    let Some(args) = parse(arguments) else {
        eprintln!(
            "usage: cargo xtask bench --alloy [FOLDER] [--bin PATH] [--only TEXT] [--seconds N] [--slowest N] \
             [--solver NAME] [--symmetry N]"
        );
        return ExitCode::from(2);
    };
    let Some(folder) = &args.folder else {
        println!("not run: no folder of models was named");
        return ExitCode::SUCCESS;
    };
    let expected = std::fs::read_to_string(folder.join("expected.json"))
        .ok()
        .and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let Some(Value::Array(entries)) = expected else {
        eprintln!("{} has no expected.json", folder.display());
        return ExitCode::from(2);
    };
    let mut rows = vec![];
    for entry in &entries {
        let file = entry["file"].as_str().unwrap_or_default();
        if args.only.as_ref().is_some_and(|it| !file.contains(it.as_str())) {
            continue;
        }
        for (i, wanted) in entry["commands"].as_array().into_iter().flatten().enumerate() {
            rows.push(measure(&args, folder, file, i + 1, wanted.as_str()));
        }
    }
    print(rows, args.slowest);
    ExitCode::SUCCESS
}

fn parse(arguments: &[&str]) -> Option<Args> {
    let mut args = Args {
        folder: None,
        bin: "target/release/babbage".into(),
        only: None,
        seconds: 60.0,
        slowest: 20,
        solver: None,
        symmetry: None,
    };
    let mut words = arguments.iter();
    while let Some(&word) = words.next() {
        let mut value = || words.next().map(|it| it.to_string());
        match word {
            "--alloy" => {}
            "--bin" => args.bin = value()?.into(),
            "--only" => args.only = Some(value()?),
            "--seconds" => args.seconds = value()?.parse().ok()?,
            "--slowest" => args.slowest = value()?.parse().ok()?,
            "--solver" => args.solver = Some(value()?),
            "--symmetry" => args.symmetry = Some(value()?),
            _ if word.starts_with('-') => return None,
            _ => args.folder = Some(word.into()),
        }
    }
    Some(args)
}

fn measure(args: &Args, folder: &Path, file: &str, number: usize, wanted: Option<&str>) -> Row {
    let mut command = Command::new(&args.bin);
    command.arg("check").arg(folder.join(file));
    command.args(["--format", "json", "--command", &number.to_string()]);
    command.args(["--timeout", &args.seconds.to_string()]);
    if let Some(solver) = &args.solver {
        command.args(["--solver", solver]);
    }
    if let Some(symmetry) = &args.symmetry {
        command.args(["--symmetry", symmetry]);
    }
    let start = Instant::now();
    let output = command.output();
    let total_ms = start.elapsed().as_secs_f64() * 1e3;
    let report: Value = output
        .ok()
        .and_then(|it| serde_json::from_slice(&it.stdout).ok())
        .unwrap_or_default();
    let answer = &report["commands"][0];
    let result = answer["result"].as_str().unwrap_or("error").to_string();
    Row {
        name: format!(
            "{file} #{number} {}",
            answer["label"].as_str().unwrap_or_default()
        ),
        total_ms,
        translate_ms: answer["translate"].as_f64().unwrap_or_default() * 1e3,
        solve_ms: answer["solve"].as_f64().unwrap_or_default() * 1e3,
        variables: answer["variables"].as_u64().unwrap_or_default(),
        clauses: answer["clauses"].as_u64().unwrap_or_default(),
        is_right: wanted.is_none_or(|it| it == result),
        result,
    }
}

fn print(mut rows: Vec<Row>, slowest: usize) {
    rows.sort_by(|a, b| b.total_ms.total_cmp(&a.total_ms));
    println!("total ms translate     solve variables   clauses");
    for it in rows.iter().take(slowest) {
        println!(
            "{:8.1} {:9.1} {:9.1} {:9} {:9}  {} {}",
            it.total_ms, it.translate_ms, it.solve_ms, it.variables, it.clauses, it.name, it.result
        );
    }
    for it in rows.iter().filter(|it| !it.is_right) {
        println!("not as expected: {} {}", it.name, it.result);
    }
    if let Some(median) = rows.get(rows.len() / 2) {
        let sum: f64 = rows.iter().map(|it| it.total_ms).sum();
        println!(
            "{} commands, median {:.1} ms, sum {:.1} s",
            rows.len(),
            median.total_ms,
            sum / 1e3
        );
    }
}
