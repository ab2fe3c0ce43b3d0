//! `cargo xtask bench --peer COMMAND`: the ratio to another checker, on the same files and in the same run.
//!
//! `{module}` and `{config}` in the command are replaced; it must print `N states generated, M distinct states found`.
//! Compared are models that both search to the end and that take the peer at least `--least` seconds: a search that a
//! violation ends, or one without states, says how fast a process starts. What is not compared is listed with the reason.

use std::process::Command;

use super::figures::{geometric_mean, least};
use super::models::{Model, Run, Store, families};
use super::options::Options;
use super::process::{Scratch, finished};
use super::table::Table;

const COLUMNS: [(&str, usize); 5] = [
    ("model", 44),
    ("states", 10),
    ("peer s", 8),
    ("our s", 8),
    ("ratio", 7),
];

pub fn run(options: &Options, command: &str) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let families = families(options, scratch.path())?;
    let table = Table::new(&COLUMNS);
    let mut ratios = vec![];
    let mut left_out: Vec<String> = vec![];
    let mut n_short = 0;
    let mut n_different = 0;
    for model in families.iter().flatten() {
        let Some(command) = model.placed(command) else {
            continue;
        };
        let peer = Peer::run(&command, options.seconds());
        if peer.counts.is_ok() && peer.seconds < options.least.unwrap_or(0.0) {
            n_short += 1;
            continue;
        }
        let ours = model.check(options, options.workers, Store::Exact);
        match compared(&peer, &ours) {
            Ok(remark) => {
                print(&table, model, &peer, &ours, &remark);
                n_different += usize::from(!remark.is_empty());
                ratios.push(peer.seconds / ours.seconds);
            }
            Err(why) => left_out.push(format!("{}: {why}", model.label)),
        }
    }
    if let (Some(mean), Some(worst)) = (geometric_mean(&ratios), least(&ratios)) {
        let n = ratios.len();
        println!("\ncompared: {n}, geometric mean of the ratio {mean:.1}, worst {worst:.1}");
    }
    if n_different > 0 {
        println!("with different counts: {n_different}");
    }
    if n_short > 0 {
        let least = options.least.unwrap_or(0.0);
        println!("less than {least} s for the peer: {n_short}");
    }
    if !left_out.is_empty() {
        println!("not compared: {}", left_out.len());
        left_out.iter().for_each(|it| println!("  {it}"));
    }
    Ok(n_different == 0)
}

/// What the other checker said.
struct Peer {
    seconds: f64,
    /// Generated and distinct states, or why there are none.
    counts: Result<(u64, u64), String>,
}

impl Peer {
    fn run(command: &str, seconds: f64) -> Peer {
        let mut process = Command::new("timeout");
        let it = finished(
            process
                .arg(seconds.ceil().to_string())
                .args(["sh", "-c", command]),
        );
        let counts = match (it.status, it.stdout.lines().rev().find_map(counts_of)) {
            // What `timeout` says when time was up.
            (Some(124), _) => Err(format!("the peer did not finish in {seconds} s")),
            (_, Some(counts)) => Ok(counts),
            (status, None) => Err(failure(status, &it.stdout)),
        };
        Peer {
            seconds: it.seconds,
            counts,
        }
    }
}

/// What the peer said of its failure, where it said something.
fn failure(status: Option<i32>, text: &str) -> String {
    let how = status.map_or("by a signal".to_string(), |it| format!("with exit status {it}"));
    let why = text.lines().find(|it| it.starts_with("Error"));
    format!(
        "the peer failed {how}{}",
        why.map_or(String::new(), |it| format!(", {it}"))
    )
}

/// A remark on the comparison, or why there is none.
fn compared(peer: &Peer, ours: &Run) -> Result<String, String> {
    let (generated, distinct) = match &peer.counts {
        Ok(counts) => *counts,
        Err(why) => return Err(format!("{why} (ours: {}, {:.2} s)", ours.answer, ours.seconds)),
    };
    match ours.answer.as_str() {
        "holds" if ours.distinct == 0 => Err("no states".to_string()),
        "holds" if (distinct, generated) == (ours.distinct, ours.generated) => Ok(String::new()),
        "holds" => Ok(format!(
            "peer: {distinct} distinct, {generated} generated; ours: {} generated",
            ours.generated
        )),
        answer => Err(format!(
            "our answer is {answer} (peer: {:.2} s, ours: {:.2} s)",
            peer.seconds, ours.seconds
        )),
    }
}

/// `16959159 states generated, 1321761 distinct states found, 0 states left on queue.`
fn counts_of(line: &str) -> Option<(u64, u64)> {
    let (generated, rest) = line.split_once(" states generated, ")?;
    let (distinct, _) = rest.split_once(" distinct states found")?;
    let number = |it: &str| it.replace(',', "").trim().parse().ok();
    Some((number(generated)?, number(distinct)?))
}

fn print(table: &Table, model: &Model, peer: &Peer, ours: &Run, remark: &str) {
    let cells = [
        model.label.clone(),
        ours.distinct.to_string(),
        format!("{:.2}", peer.seconds),
        format!("{:.2}", ours.seconds),
        format!("{:.1}", peer.seconds / ours.seconds),
    ];
    table.row(&cells, remark);
}

#[cfg(test)]
mod tests {
    use super::{Peer, counts_of};

    #[test]
    fn counts_are_read_from_what_a_checker_prints() {
        let line = "16959159 states generated, 1,321,761 distinct states found, 0 states left on queue.";
        assert_eq!(counts_of(line), Some((16_959_159, 1_321_761)));
        assert_eq!(counts_of("Finished in 3 s"), None);
    }

    #[test]
    fn a_peer_that_fails_is_told_from_one_that_answers() {
        let counts = |command: &str| Peer::run(command, 5.0).counts;
        assert_eq!(
            counts("echo 5 states generated, 3 distinct states found"),
            Ok((5, 3))
        );
        assert_eq!(
            counts("exit 12"),
            Err("the peer failed with exit status 12".into())
        );
    }
}
