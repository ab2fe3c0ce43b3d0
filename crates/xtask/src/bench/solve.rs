//! `cargo xtask bench --solve`: solutions against a search that was written by hand, and how far games get in a minute.
//!
//! `bench/klotski.rs` is compiled with `rustc -O` and answers the same questions; the ratio is that of whole processes, each
//! the best of several runs, on one core.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::hand::compiled;
use super::options::Options;
use super::process::{Scratch, fastest, finished};

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

pub fn run(options: &Options) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let floor = compiled("klotski", scratch.path())?;
    let are_solved = puzzles(&options.bin, &floor);
    println!();
    let are_valued = boards(&options.bin, options.seconds.unwrap_or(60.0));
    Ok(are_solved && are_valued)
}

fn puzzles(bin: &Path, floor: &Path) -> bool {
    println!(
        "{:<28} {:>12} {:>9} {:>9} {:>7}",
        "puzzle", "answer", "s", "by hand", "ratio"
    );
    let mut is_right = true;
    for (label, options, mode, answer) in PUZZLES {
        let hand = fastest(RUNS, Command::new(floor).arg(mode));
        let mut command = Command::new(bin);
        command.args(["solve", "klotski", "--workers", "1", "--format", "json"]);
        let ours = fastest(RUNS, command.args(options));
        let said = hand.stdout.trim();
        let report: Value = serde_json::from_str(&ours.stdout).unwrap_or_default();
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
            format!("  (expected {answer}, by hand {said})")
        };
        println!(
            "{label:<28} {found:>12} {:>9.3} {:>9.3} {:>7.1}{wrong}",
            ours.seconds,
            hand.seconds,
            ours.seconds / hand.seconds
        );
        is_right &= agree;
    }
    is_right
}

fn boards(bin: &Path, seconds: f64) -> bool {
    println!(
        "{:<28} {:>12} {:>9} {:>11} {:>9}",
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
        let run = finished(&mut command);
        let report: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
        let positions = report["states"]["distinct"].as_u64().unwrap_or_default();
        let value = report["value"].as_str();
        let shown = value.or(report["limit"].as_str()).unwrap_or("no answer");
        let falling = if drop { ", falling" } else { "" };
        let label = format!("{k} in a row, {m} x {n}{falling}");
        let each = positions as f64 / run.seconds;
        println!(
            "{label:<28} {shown:>12} {:>9.2} {positions:>11} {each:>9.0}",
            run.seconds
        );
        is_right &= value.is_none() || value == known;
    }
    is_right
}
