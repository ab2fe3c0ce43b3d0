//! `cargo xtask bench --hand`: checking against searches that were written by hand for one model each.
//!
//! The searches of `bench/` are compiled with `rustc -O` and visit exactly the states of the specification, which the counts
//! confirm. They have one thread; we have one, then two. Short runs are repeated, and the fastest counts.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::models::{Model, gallery, sized};
use super::options::Options;
use super::process::{Scratch, fastest};
use super::table::Table;
use crate::tidy::root;

/// A search by hand, what it is asked, and the model that asks us the same.
struct Pair {
    source: &'static str,
    argument: &'static str,
    /// None: the model of the gallery that is called like the source.
    specification: Option<(&'static str, u32)>,
    is_large: bool,
}

const PAIRS: [Pair; 5] = [
    pair("klotski", "states", None, false),
    pair("bakery", "5", Some(("Bakery", 5)), false),
    pair("two_phase", "8", Some(("TwoPhase", 8)), false),
    pair("bakery", "6", Some(("Bakery", 6)), true),
    pair("two_phase", "9", Some(("TwoPhase", 9)), true),
];

const fn pair(
    source: &'static str,
    argument: &'static str,
    specification: Option<(&'static str, u32)>,
    is_large: bool,
) -> Pair {
    Pair {
        source,
        argument,
        specification,
        is_large,
    }
}

const RUNS: u32 = 5;

const COLUMNS: [(&str, usize); 9] = [
    ("model", 14),
    ("distinct", 10),
    ("generated", 11),
    ("by hand s", 9),
    ("1 worker s", 10),
    ("ratio", 6),
    ("cpu ratio", 9),
    ("2 workers s", 11),
    ("ratio", 6),
];

pub fn run(options: &Options) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let table = Table::new(&COLUMNS);
    let mut agree = true;
    for it in PAIRS.iter().filter(|it| options.large || !it.is_large) {
        let model = match it.specification {
            None => gallery(it.source),
            Some((name, size)) => sized(name, size, scratch.path())?,
        };
        if options.wants(&model.label) {
            let by_hand = compiled(it.source, scratch.path())?;
            agree &= compare(options, &table, &model, Command::new(by_hand).arg(it.argument));
        }
    }
    Ok(agree)
}

/// A source of `bench/` as a program in `folder`.
pub fn compiled(source: &str, folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join(source);
    let file = root().join(format!("bench/{source}.rs"));
    let done = Command::new("rustc")
        .args(["-O", "--edition", "2021", "-o"])
        .args([&program, &file])
        .status();
    match done {
        Ok(status) if status.success() => Ok(program),
        _ => Err(format!("{} cannot be compiled with rustc", file.display())),
    }
}

fn compare(options: &Options, table: &Table, model: &Model, by_hand: &mut Command) -> bool {
    let hand = fastest(RUNS, by_hand);
    let one = model.check_best(options, 1, RUNS);
    let two = model.check_best(options, 2, RUNS);
    let counted = format!("{} distinct, {} generated", one.distinct, one.generated);
    let remark = match hand.stdout.trim() {
        _ if !one.holds() => one.answer.clone(),
        said if said == counted => String::new(),
        said => format!("by hand: {said}"),
    };
    let cells = [
        model.label.clone(),
        one.distinct.to_string(),
        one.generated.to_string(),
        format!("{:.3}", hand.seconds),
        format!("{:.3}", one.seconds),
        format!("{:.1}", one.seconds / hand.seconds),
        format!("{:.1}", one.cpu / hand.cpu),
        format!("{:.3}", two.seconds),
        format!("{:.1}", two.seconds / hand.seconds),
    ];
    table.row(&cells, &remark);
    remark.is_empty()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::process::{Scratch, finished};
    use super::compiled;

    #[test]
    fn searches_by_hand_count_what_the_checker_counts() {
        let scratch = Scratch::new().unwrap();
        for (source, argument, counts) in [
            ("klotski", "states", "25955 distinct, 88049 generated"),
            ("bakery", "3", "728 distinct, 1591 generated"),
            ("two_phase", "4", "1568 distinct, 8258 generated"),
        ] {
            let program = compiled(source, scratch.path()).unwrap();
            let it = finished(Command::new(program).arg(argument));
            assert_eq!(it.stdout.trim(), counts, "{source}");
        }
    }
}
