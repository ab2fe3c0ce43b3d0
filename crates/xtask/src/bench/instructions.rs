//! `cargo xtask bench --instructions`: how many instructions three fixed models take, against the figures that are kept in
//! `bench/instructions.csv`. They hardly depend on what else the machine does, so a loss of two of a hundred is seen.
//!
//! `valgrind --tool=cachegrind` counts them, without its caches: it takes a third of callgrind's time and says the same.
//! `--update` writes the figures anew. They belong to one compiler and one kind of processor; on another, begin with that.

use std::path::Path;
use std::process::{Command, Stdio};

use super::figures::{Change, change};
use super::models::{Model, Store, gallery, sized};
use super::options::Options;
use super::process::{Scratch, finished};
use super::table::Table;
use crate::tidy::root;

const KEPT: &str = "bench/instructions.csv";
const HEAD: &str = "model,instructions,date";
/// Of a hundred.
const TOLERANCE: u64 = 2;

/// One row of the file.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    model: String,
    instructions: u64,
    date: String,
}

const COLUMNS: [(&str, usize); 5] = [
    ("model", 14),
    ("kept", 14),
    ("date", 10),
    ("now", 14),
    ("change", 8),
];

pub fn run(options: &Options, update: bool) -> Result<bool, String> {
    let there = Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if !there.is_ok_and(|it| it.success()) {
        return Err("not run: valgrind is not installed here".to_string());
    }
    let scratch = Scratch::new()?;
    let models = [
        gallery("klotski"),
        sized("Bakery", 4, scratch.path())?,
        sized("TwoPhase", 6, scratch.path())?,
    ];
    let text = std::fs::read_to_string(root().join(KEPT)).unwrap_or_default();
    let kept = read(&text).ok_or_else(|| format!("{KEPT} cannot be read"))?;
    let table = Table::new(&COLUMNS);
    let date = today();
    let mut new = vec![];
    let mut is_loss = false;
    for model in models.iter().filter(|it| options.wants(&it.label)) {
        let instructions = count(options, model, scratch.path())?;
        let before = kept.iter().find(|it| it.model == model.label);
        is_loss |= print(&table, model, before, instructions);
        new.push(Figure {
            model: model.label.clone(),
            instructions,
            date: date.clone(),
        });
    }
    if update {
        std::fs::write(root().join(KEPT), written(merged(kept, new)))
            .map_err(|why| format!("{KEPT}: {why}"))?;
        return Ok(true);
    }
    if is_loss {
        println!("\na loss of more than {TOLERANCE} %");
    }
    Ok(!is_loss)
}

/// One worker and whole states.
fn count(options: &Options, model: &Model, folder: &Path) -> Result<u64, String> {
    let out = folder.join("cachegrind");
    let ours = model.command(options, 1, Store::Exact);
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg(format!("--cachegrind-out-file={}", out.display()))
        .arg(ours.get_program())
        .args(ours.get_args());
    let it = finished(&mut command);
    let text = std::fs::read_to_string(&out).unwrap_or_default();
    match total(&text) {
        Some(instructions) if it.status == Some(0) => Ok(instructions),
        _ => Err(format!("{}: valgrind gave no count", model.label)),
    }
}

/// The last line of what cachegrind writes: `summary: 2662822920`.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().rev().find_map(|it| it.strip_prefix("summary:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// True if it is a loss.
fn print(table: &Table, model: &Model, before: Option<&Figure>, now: u64) -> bool {
    let mut cells = [
        model.label.clone(),
        String::new(),
        String::new(),
        now.to_string(),
        String::new(),
    ];
    let mut remark = "new";
    if let Some(before) = before {
        let share = now as f64 / before.instructions.max(1) as f64 - 1.0;
        cells[1] = before.instructions.to_string();
        cells[2] = before.date.clone();
        cells[4] = format!("{:+.2} %", share * 100.0);
        remark = match change(before.instructions, now, TOLERANCE) {
            Change::Loss => "loss",
            Change::Same => "",
            Change::Gain => "gain: keep it with --update",
        };
    }
    table.row(&cells, remark);
    remark == "loss"
}

fn today() -> String {
    let it = finished(Command::new("date").args(["-u", "+%F"]));
    it.stdout.trim().to_string()
}

fn read(text: &str) -> Option<Vec<Figure>> {
    let lines = text.lines().filter(|&it| it != HEAD && !it.is_empty());
    let figure = |line: &str| {
        let [model, instructions, date] = line.split(',').collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(Figure {
            model: model.to_string(),
            instructions: instructions.parse().ok()?,
            date: date.to_string(),
        })
    };
    lines.map(figure).collect()
}

/// The figures that were measured now, and the others as they were.
fn merged(kept: Vec<Figure>, new: Vec<Figure>) -> Vec<Figure> {
    let others = kept
        .into_iter()
        .filter(|it| new.iter().all(|new| new.model != it.model));
    let mut figures: Vec<Figure> = others.collect();
    figures.extend(new);
    figures.sort_by(|a, b| a.model.cmp(&b.model));
    figures
}

fn written(figures: Vec<Figure>) -> String {
    let rows = figures
        .iter()
        .map(|it| format!("{},{},{}\n", it.model, it.instructions, it.date));
    format!("{HEAD}\n{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{Figure, merged, read, total, written};

    fn figure(model: &str, instructions: u64) -> Figure {
        Figure {
            model: model.into(),
            instructions,
            date: "2026-11-16".into(),
        }
    }

    #[test]
    fn the_count_is_the_summary() {
        assert_eq!(
            total("events: Ir\nfl=a.rs\n12 40\nsummary: 2662822920\n"),
            Some(2_662_822_920)
        );
        assert_eq!(total("events: Ir\n"), None);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let figures = vec![figure("Bakery 4", 17), figure("klotski", 9)];
        assert_eq!(read(&written(figures.clone())), Some(figures));
        assert_eq!(read(""), Some(vec![]));
        assert_eq!(read("Bakery 4,many,2026-11-16"), None);
    }

    #[test]
    fn an_update_keeps_what_was_not_measured() {
        let now = merged(
            vec![figure("klotski", 9), figure("Bakery 4", 17)],
            vec![figure("klotski", 8)],
        );
        assert_eq!(now, [figure("Bakery 4", 17), figure("klotski", 8)]);
    }
}
