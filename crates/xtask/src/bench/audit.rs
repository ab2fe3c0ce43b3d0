//! `cargo xtask bench --audit`: what it costs to have a sample of the answers found again by the plain evaluator.
//!
//! A sample against no audit, in turns, and the least that each took of the processor: the time of the clock says more about what else the
//! machine does than about three hundredths. Models that take less than `--least` seconds (1) are shown and not compared, because a sample may
//! take some milliseconds of any run.

use std::process::Command;

use super::figures::geometric_mean;
use super::models::{Model, Run, Store, families};
use super::options::Options;
use super::process::{Scratch, finished};
use super::table::Table;

const LEAST: f64 = 1.0;
/// What a sample may cost, in the mean.
const BOUND: f64 = 1.03;
/// Runs of each kind; of long ones, fewer.
const RUNS: u32 = 5;
const RUNS_LONG: u32 = 2;
const LONG: f64 = 10.0;

const COLUMNS: [(&str, usize); 5] = [
    ("model", 44),
    ("distinct", 10),
    ("off cpu s", 10),
    ("sample cpu s", 12),
    ("ratio", 6),
];

pub fn run(options: &Options) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let table = Table::new(&COLUMNS);
    let least = options.least.unwrap_or(LEAST);
    let (mut ratios, mut sums, mut n_short) = (vec![], [0.0, 0.0], 0);
    for model in families(options, scratch.path())?.iter().flatten() {
        let [off, sample] = both(options, model);
        let ratio = sample.cpu / off.cpu;
        let cells = [
            model.label.clone(),
            off.distinct.to_string(),
            format!("{:.2}", off.cpu),
            format!("{:.2}", sample.cpu),
            format!("{ratio:.3}"),
        ];
        let is_same =
            (&off.answer, off.distinct, off.generated) == (&sample.answer, sample.distinct, sample.generated);
        table.row(&cells, if is_same { "" } else { "the answers differ" });
        if off.cpu < least {
            n_short += 1;
            continue;
        }
        ratios.push(ratio);
        sums[0] += off.cpu;
        sums[1] += sample.cpu;
    }
    if n_short > 0 {
        println!("\nshorter than {least} s: {n_short}");
    }
    let Some(mean) = geometric_mean(&ratios) else {
        return Ok(true);
    };
    println!(
        "compared: {}, geometric mean of the ratio {mean:.3}, of the sums {:.3} ({:.1} s against {:.1} s)",
        ratios.len(),
        sums[1] / sums[0],
        sums[1],
        sums[0]
    );
    Ok(mean <= BOUND)
}

/// The best run without and with a sample.
fn both(options: &Options, model: &Model) -> [Run; 2] {
    let run = |audit: &str| {
        let mut command: Command = model.command(options, options.workers, Store::Exact);
        command.args(["--audit", audit]);
        Run::new(&finished(&mut command))
    };
    let mut best = ["off", "sample"].map(run);
    let n_runs = if best[0].seconds > LONG { RUNS_LONG } else { RUNS };
    for _ in 1..n_runs {
        for (best, audit) in best.iter_mut().zip(["off", "sample"]) {
            let next = run(audit);
            if next.cpu < best.cpu {
                *best = next;
            }
        }
    }
    best
}
