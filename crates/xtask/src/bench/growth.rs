//! `cargo xtask bench`: states a second and bytes a state, with whole states and with fingerprints, and how both grow with
//! the size of a specification. `--large` goes on to the largest sizes.
//!
//! Bytes a state are told twice: what the search counts as its own when it ends, and the most that the process ever had.

use super::figures::{geometric_mean, mean};
use super::models::{Model, Run, Store, families};
use super::options::Options;
use super::process::Scratch;
use super::table::Table;

/// Each store with the bytes a state that it may take, on average over the specifications at their largest size.
const STORES: [(Store, f64); 2] = [(Store::Exact, 24.0), (Store::Fingerprint, 10.0)];

/// So many states are a large model.
const MANY: u64 = 20_000_000;

const COLUMNS: [(&str, usize); 11] = [
    ("model", 18),
    ("store", 11),
    ("distinct", 10),
    ("generated", 11),
    ("s", 7),
    ("cpu s", 7),
    ("states/s", 9),
    ("growth", 6),
    ("B/state", 7),
    ("growth", 6),
    ("peak B", 8),
];

pub fn run(options: &Options) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let families = families(options, scratch.path())?;
    let table = Table::new(&COLUMNS);
    let mut agree = true;
    // For each store, the largest model of each family that was searched to the end.
    let mut largest: [Vec<(&Model, Run)>; 2] = [vec![], vec![]];
    for family in &families {
        let mut before: [Option<(&Model, Run)>; 2] = [None, None];
        for model in family {
            let runs = STORES.map(|(store, _)| model.check(options, options.workers, store));
            agree &= print(&table, model, &runs, &before);
            for (before, run) in before.iter_mut().zip(runs) {
                if run.holds() {
                    *before = Some((model, run));
                }
            }
        }
        // The gallery has one size, which is small: it says little about memory.
        for (largest, it) in largest.iter_mut().zip(before) {
            largest.extend(it.filter(|(model, _)| !model.is_of_gallery()));
        }
    }
    for ((store, bound), largest) in STORES.into_iter().zip(&largest) {
        summary(store, bound, largest);
    }
    Ok(agree)
}

/// One row for each store. False if the stores disagree.
fn print(table: &Table, model: &Model, runs: &[Run; 2], before: &[Option<(&Model, Run)>; 2]) -> bool {
    let [exact, fingerprint] = runs;
    let counts = |it: &Run| (it.distinct, it.generated);
    let agree = !exact.holds() || !fingerprint.holds() || counts(exact) == counts(fingerprint);
    for (((store, _), run), before) in STORES.iter().zip(runs).zip(before) {
        let growth = |figure: fn(&Run) -> f64| match before {
            Some((_, before)) if run.holds() => format!("{:.2}", figure(run) / figure(before)),
            _ => String::new(),
        };
        let cells = [
            model.label.clone(),
            store.name().to_string(),
            run.distinct.to_string(),
            run.generated.to_string(),
            format!("{:.2}", run.seconds),
            format!("{:.2}", run.cpu),
            format!("{:.0}", run.rate()),
            growth(Run::rate),
            format!("{:.1}", run.per_state(run.memory)),
            growth(|it| it.per_state(it.memory)),
            format!("{:.1}", run.per_state(run.peak)),
        ];
        let remark = match run.holds() {
            true if agree => "",
            true => "the counts differ",
            false => &run.answer,
        };
        table.row(&cells, remark);
    }
    agree
}

fn summary(store: Store, bound: f64, largest: &[(&Model, Run)]) {
    let all = |figure: fn(&Run) -> f64| largest.iter().map(|it| figure(&it.1)).collect::<Vec<_>>();
    let memory = |it: &Run| it.per_state(it.memory);
    let (Some(average), Some(peak), Some(rate)) = (
        mean(&all(memory)),
        mean(&all(|it| it.per_state(it.peak))),
        geometric_mean(&all(Run::rate)),
    ) else {
        return;
    };
    let n_many = largest.iter().filter(|it| it.1.distinct >= MANY).count();
    println!(
        "\n{}: {} specifications at the largest size that was searched to the end, {n_many} of them over 20 million states: \
         {rate:.0} states/s (geometric mean), {average:.1} B/state (mean; peak {peak:.1})",
        store.name(),
        largest.len(),
    );
    let above: Vec<String> = largest
        .iter()
        .filter(|it| memory(&it.1) > bound)
        .map(|(model, run)| format!("{} ({:.1})", model.label, memory(run)))
        .collect();
    if !above.is_empty() {
        println!("above {bound} B/state: {}", above.join(", "));
    }
}
