//! `cargo xtask bench --speedup`: two workers against one, on models that take one worker at least `--least` seconds (10).
//!
//! Of the sizes of a specification, the first that takes so long is measured. The time of the processor tells what two
//! workers cost each other, also where the machine has something else to do.

use super::figures::{geometric_mean, least};
use super::models::{Model, Run, Store, families};
use super::options::Options;
use super::process::Scratch;
use super::table::Table;

const LEAST: f64 = 10.0;

/// What two workers should gain at least.
const BOUND: f64 = 1.7;

const COLUMNS: [(&str, usize); 7] = [
    ("model", 44),
    ("distinct", 10),
    ("1 worker s", 10),
    ("2 workers s", 11),
    ("ratio", 6),
    ("1 cpu s", 8),
    ("2 cpu s", 8),
];

pub fn run(options: &Options) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let families = families(options, scratch.path())?;
    let table = Table::new(&COLUMNS);
    let mut ratios = vec![];
    let mut below = vec![];
    let mut n_short = 0;
    for family in &families {
        let Some((model, one)) = long_enough(options, family) else {
            n_short += 1;
            continue;
        };
        let two = model.check(options, 2, Store::Exact);
        let is_whole = one.holds() && two.holds();
        let ratio = one.seconds / two.seconds;
        print(&table, model, &one, &two);
        if is_whole {
            ratios.push(ratio);
            if ratio < BOUND {
                below.push(model.label.as_str());
            }
        }
    }
    if let (Some(mean), Some(worst)) = (geometric_mean(&ratios), least(&ratios)) {
        let n = ratios.len();
        println!("\ncompared: {n}, geometric mean of the ratio {mean:.2}, worst {worst:.2}");
    }
    if !below.is_empty() {
        println!("below {BOUND}: {}", below.join(", "));
    }
    if n_short > 0 {
        println!("too short at every size: {n_short}");
    }
    Ok(below.is_empty())
}

/// The smallest model that takes one worker long enough.
fn long_enough<'a>(options: &Options, family: &'a [Model]) -> Option<(&'a Model, Run)> {
    let runs = family.iter().map(|it| (it, it.check(options, 1, Store::Exact)));
    let least = options.least.unwrap_or(LEAST);
    runs.into_iter().find(|(_, run)| run.seconds >= least)
}

fn print(table: &Table, model: &Model, one: &Run, two: &Run) {
    let cells = [
        model.label.clone(),
        one.distinct.to_string(),
        format!("{:.2}", one.seconds),
        format!("{:.2}", two.seconds),
        format!("{:.2}", one.seconds / two.seconds),
        format!("{:.2}", one.cpu),
        format!("{:.2}", two.cpu),
    ];
    let remark = match (one.holds(), two.holds()) {
        (false, _) => &one.answer,
        (_, false) => &two.answer,
        _ if (one.distinct, one.generated) != (two.distinct, two.generated) => "the counts differ",
        _ => "",
    };
    table.row(&cells, remark);
}
