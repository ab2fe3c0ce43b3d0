//! `cargo xtask bench --pluscal`: how long a large algorithm is translated, and what it costs to check one without its translation.
//!
//! The algorithm is made here, so that it has as many lines as asked and few states: what is measured is the way to the search. A
//! figure is the processor's time of a whole process, the least of many runs; the two kinds of file take turns, so that both have the
//! same machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::options::Options;
use super::process::{Finished, Scratch, finished_in};
use super::table::Table;

const LINES: [usize; 3] = [20, 500, 2000];
const RUNS: u32 = 15;
/// For 2,000 lines, in milliseconds.
const TRANSLATE_MAX: f64 = 50.0;
/// More than with the translation, in milliseconds.
const MORE_MAX: f64 = 5.0;

const COLUMNS: [(&str, usize); 6] = [
    ("lines", 8),
    ("translate", 10),
    ("translated", 10),
    ("untranslated", 12),
    ("more", 8),
    ("states", 8),
];

pub fn run(options: &Options) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    println!("milliseconds of the processor, the least of {RUNS} runs\n");
    let table = Table::new(&COLUMNS);
    let mut is_within = true;
    for n_lines in LINES {
        let algorithm = algorithm(n_lines);
        let written = write(scratch.path(), "written", &algorithm)?;
        let made = write(scratch.path(), "made", &algorithm)?;
        let done = finished_in(&written, Command::new(&options.bin).args(["translate", FILE]));
        if done.status != Some(0) {
            return Err(format!("{n_lines} lines are not translated"));
        }
        let it = measure(&options.bin, &written, &made);
        let states = [&it.written, &it.made].map(|it| states(&it.stdout));
        let more = ms(&it.made) - ms(&it.written);
        let is_slow = n_lines == 2000 && ms(&it.translate) > TRANSLATE_MAX;
        let is_same = states[0] == states[1] && states[0].is_some_and(|it| it > 1);
        let remark = match (is_same, is_slow, more > MORE_MAX) {
            (false, ..) => "the counts differ, or there are none",
            (_, true, _) => "the translation takes too long",
            (_, _, true) => "too much for a translation",
            _ => "",
        };
        is_within &= remark.is_empty();
        let cells = [
            algorithm.lines().count().to_string(),
            format!("{:.1}", ms(&it.translate)),
            format!("{:.1}", ms(&it.written)),
            format!("{:.1}", ms(&it.made)),
            format!("{more:+.1}"),
            states[1].map_or("-".to_owned(), |it| it.to_string()),
        ];
        table.row(&cells, remark);
    }
    Ok(is_within)
}

struct Measured {
    translate: Finished,
    written: Finished,
    made: Finished,
}

fn measure(bin: &Path, written: &Path, made: &Path) -> Measured {
    let translate = || finished_in(made, Command::new(bin).args(["translate", "--stdout", FILE]));
    let check = |folder: &Path| {
        let mut command = Command::new(bin);
        finished_in(
            folder,
            command.args(["check", "--workers", "1", "--format", "json", FILE]),
        )
    };
    let mut least = Measured {
        translate: translate(),
        written: check(written),
        made: check(made),
    };
    for _ in 1..RUNS {
        keep(&mut least.translate, translate());
        keep(&mut least.written, check(written));
        keep(&mut least.made, check(made));
    }
    least
}

fn keep(least: &mut Finished, it: Finished) {
    if it.cpu < least.cpu {
        *least = it;
    }
}

fn ms(it: &Finished) -> f64 {
    it.cpu * 1000.0
}

fn states(report: &str) -> Option<u64> {
    let report: serde_json::Value = serde_json::from_str(report).ok()?;
    report["states"]["distinct"].as_u64()
}

const FILE: &str = "Large.tla";

/// A folder with the file.
fn write(scratch: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let folder = scratch.join(name);
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join(FILE), text))
        .map_err(|why| format!("{}: {why}", folder.display()))?;
    Ok(folder)
}

/// A module whose algorithm has so many lines or a few more: procedures, and two processes that call one after the other.
fn algorithm(n_lines: usize) -> String {
    let n_procedures = n_lines.saturating_sub(10).div_ceil(PROCEDURE_LINES).max(1);
    let mut lines = vec![
        "---- MODULE Large ----".to_owned(),
        "EXTENDS Integers, Sequences, TLC".to_owned(),
        "(*".to_owned(),
        "--algorithm Large".to_owned(),
        "variables total = 0; turn = 0;".to_owned(),
        "macro add(amount) begin total := (total + amount) % 7; end macro;".to_owned(),
    ];
    for i in 0..n_procedures {
        lines.extend(procedure(i));
    }
    for (process, parity) in [("even", 0), ("odd", 1)] {
        lines.push(format!("process {process} = \"{process}\" begin"));
        lines.push(format!("{process}: skip;"));
        for i in (0..n_procedures).filter(|it| it % 2 == parity) {
            lines.push(format!("{process}{i}: await turn = {i}; call work{i}({i});"));
        }
        lines.push("end process;".to_owned());
    }
    lines.extend(["end algorithm", "*)", "===="].map(str::to_owned));
    lines.join("\n") + "\n"
}

/// With the call of it.
const PROCEDURE_LINES: usize = 5 + 11 * BLOCKS;
/// Loops of a procedure.
const BLOCKS: usize = 6;

fn procedure(i: usize) -> Vec<String> {
    let mut text = format!("procedure work{i}(given{i} = 0)\nvariables left{i} = 0; seen{i} = 0;\nbegin\n");
    for block in 0..BLOCKS {
        text += &format!(
            "  begin{i}_{block}: left{i} := (given{i} % 2) + 1;
  loop{i}_{block}: while left{i} > 0 do
    if total > 3 then
      seen{i} := seen{i} + 1;
    else
      with extra = given{i} + left{i} do
        add(extra);
      end with;
    end if;
    down{i}_{block}: left{i} := left{i} - 1;
  end while;
"
        );
    }
    text += &format!("  next{i}: turn := turn + 1; return;\nend procedure;");
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{LINES, algorithm};

    #[test]
    fn an_algorithm_has_the_lines_that_were_asked_for() {
        for n in LINES {
            let made = algorithm(n).lines().count();
            assert!((n..n + 120).contains(&made), "{made} for {n}");
        }
    }
}
