//! `cargo xtask bench --solve`: solutions against a search that was written by hand, and how far games get in a minute.
//!
//! `bench/klotski.rs` is compiled with `rustc -O` and answers the same questions; the ratio is that of whole processes, each
//! the best of several runs, on one core.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use serde_json::Value;

/// A question to both, and what both must say.
const PUZZLES: [(&str, &[&str], &str, &str); 2] = [
    ("klotski, steps", &["--goal", "KlotskiGoal"], "steps", "116 steps"),
    (
        "klotski, moves",
        &["--goal", "KlotskiGoal", "--cost", "Moves"],
        "moves",
        "81 moves",
    ),
];

/// Boards: columns, rows, marks in a row, falling marks, and who wins, where that is known and within reach.
const BOARDS: [(u32, u32, u32, bool, Option<&str>); 9] = [
    (3, 3, 3, false, Some("draw")),
    (4, 3, 3, false, Some("X")),
    (4, 3, 4, false, Some("draw")),
    (4, 4, 3, false, Some("X")),
    (4, 4, 4, false, Some("draw")),
    (4, 4, 4, true, Some("draw")),
    (5, 4, 4, true, Some("draw")),
    (5, 5, 4, true, Some("draw")),
    (7, 6, 4, true, Some("X")),
];

/// Runs of each puzzle, of which the fastest counts.
const RUNS: u32 = 5;

pub fn run(arguments: &[&str]) -> ExitCode {
    let mut bin: PathBuf = "target/release/babbage".into();
    let mut seconds = 60.0;
    let mut words = arguments.iter();
    while let Some(&word) = words.next() {
        match (word, words.next()) {
            ("--bin", Some(value)) => bin = value.into(),
            ("--seconds", Some(value)) => seconds = value.parse().unwrap_or(seconds),
            _ => {
                eprintln!("usage: cargo xtask bench --solve [--bin PATH] [--seconds N]");
                return ExitCode::from(2);
            }
        }
    }
    let Some(floor) = compiled() else {
        eprintln!("bench/klotski.rs cannot be compiled with rustc");
        return ExitCode::from(2);
    };
    let mut is_right = puzzles(&bin, &floor);
    let _ = std::fs::remove_file(&floor);
    println!();
    is_right &= boards(&bin, seconds);
    if is_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn compiled() -> Option<PathBuf> {
    let floor = std::env::temp_dir().join(format!("babbage-klotski-{}", std::process::id()));
    let done = Command::new("rustc")
        .args(["-O", "--edition", "2021", "-o"])
        .arg(&floor)
        .arg("bench/klotski.rs")
        .status();
    done.is_ok_and(|it| it.success()).then_some(floor)
}

/// The best time of a command, and what it printed.
fn timed(mut command: impl FnMut() -> Command) -> (f64, String) {
    let mut best = f64::INFINITY;
    let mut text = String::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let output = command().output();
        best = best.min(start.elapsed().as_secs_f64());
        text = output.map_or(String::new(), |it| {
            String::from_utf8_lossy(&it.stdout).into_owned()
        });
    }
    (best, text)
}

fn puzzles(bin: &Path, floor: &Path) -> bool {
    println!(
        "{:<24} {:>12} {:>9} {:>9} {:>7}",
        "puzzle", "answer", "s", "by hand", "ratio"
    );
    let mut is_right = true;
    for (label, options, mode, answer) in PUZZLES {
        let (hand, said) = timed(|| {
            let mut command = Command::new(floor);
            command.arg(mode);
            command
        });
        let (ours, text) = timed(|| {
            let mut command = Command::new(bin);
            command
                .args(["solve", "klotski", "--workers", "1", "--format", "json"])
                .args(options);
            command
        });
        let report: Value = serde_json::from_str(&text).unwrap_or_default();
        let number = if mode == "moves" {
            &report["cost"]
        } else {
            &report["steps"]
        };
        let found = format!("{number} {mode}");
        let agree = found == answer && said.starts_with(answer);
        let wrong = if agree {
            String::new()
        } else {
            format!("  (expected {answer}, by hand {})", said.trim())
        };
        println!(
            "{label:<24} {found:>12} {ours:>9.3} {hand:>9.3} {:>7.1}{wrong}",
            ours / hand
        );
        is_right &= agree;
    }
    is_right
}

fn boards(bin: &Path, seconds: f64) -> bool {
    println!(
        "{:<24} {:>12} {:>9} {:>11} {:>9}",
        "game", "value", "s", "positions", "each s"
    );
    let mut is_right = true;
    for (m, n, k, drop, known) in BOARDS {
        let mut command = Command::new(bin);
        command.args([
            "strategy",
            "connect",
            "--format",
            "json",
            "--timeout",
            &seconds.to_string(),
        ]);
        command.args(["--player", "X=MoveX", "--player", "O=MoveO"]);
        command.args([
            "--outcome",
            "X=Won(\"X\")",
            "--outcome",
            "O=Won(\"O\")",
            "--outcome",
            "draw=Draw",
        ]);
        let drops = drop.to_string().to_uppercase();
        for constant in [
            format!("M={m}"),
            format!("N={n}"),
            format!("K={k}"),
            format!("Drop={drops}"),
        ] {
            command.args(["--constant", &constant]);
        }
        let start = Instant::now();
        let output = command.output();
        let spent = start.elapsed().as_secs_f64();
        let report: Value = output
            .ok()
            .and_then(|it| serde_json::from_slice(&it.stdout).ok())
            .unwrap_or_default();
        let positions = report["states"]["distinct"].as_u64().unwrap_or_default();
        let value = report["value"].as_str();
        let shown = value.or(report["limit"].as_str()).unwrap_or("no answer");
        let falling = if drop { ", falling" } else { "" };
        let label = format!("{k} in a row, {m} x {n}{falling}");
        let each = positions as f64 / spent;
        println!("{label:<24} {shown:>12} {spent:>9.2} {positions:>11} {each:>9.0}");
        is_right &= value.is_none() || value == known;
    }
    is_right
}
