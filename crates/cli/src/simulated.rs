//! What random walks say together, as text and as JSON: lengths, values, and how likely something is.

use serde_json::{Value, json};
use workbench::{CheckReport, Share, WalkReport};

use crate::progress::grouped;

/// Rows of a histogram; what is rarer is added up.
const ROWS: usize = 20;
/// Columns of the longest bar.
const BAR: u64 = 40;

/// How likely a goal and each violation is, and the histograms that were asked for; with `--coverage`, also how far walks get and how many
/// states they saw.
pub fn walks_text(report: &CheckReport, coverage: bool) -> String {
    let Some(walks) = &report.simulation else {
        return String::new();
    };
    let mut text = String::new();
    if let Some(length) = walks.shrunk_from {
        text += &format!("the walk had {length} states; this is a shorter way to the same\n");
    }
    for (property, share) in &walks.violations {
        let what = match property {
            Some(name) => format!("violate `{name}`"),
            None => "end in a deadlock".to_owned(),
        };
        text += &format!("{} walks {what}: {}\n", grouped(share.n), likely(share));
    }
    if let Some(share) = &walks.goal {
        text += &format!("{} walks meet the goal: {}\n", grouped(share.n), likely(share));
        text += &histogram("states up to the goal", &binned(&walks.goal_depths));
    }
    if !walks.histogram.is_empty() {
        text += &histogram("in the last state", &walks.histogram);
    }
    if coverage {
        text += &histogram("states on a walk", &binned(&walks.depths));
        if let Some(distinct) = walks.distinct {
            text += &format!("about {} of the states were different\n", grouped(distinct));
        }
    }
    text
}

fn likely(share: &Share) -> String {
    let percent = |it: f64| 100.0 * it;
    format!(
        "{:.2}%, and with 95% confidence between {:.2}% and {:.2}%",
        percent(share.n as f64 / share.of.max(1) as f64),
        percent(share.low),
        percent(share.high)
    )
}

/// Lengths as at most [`ROWS`] ranges of one width.
fn binned(counts: &[(u32, u64)]) -> Vec<(String, u64)> {
    let (Some(first), Some(last)) = (counts.first(), counts.last()) else {
        return vec![];
    };
    let (low, high) = (first.0, last.0);
    let width = (high - low + 1).div_ceil(ROWS as u32);
    let mut bins: Vec<(String, u64)> = vec![];
    let mut current = None;
    for &(at, n) in counts {
        let bin = (at - low) / width;
        match bins.last_mut() {
            Some(last) if current == Some(bin) => last.1 += n,
            _ => {
                let from = low + bin * width;
                let name = match width {
                    1 => from.to_string(),
                    _ => format!("{from}-{}", (from + width - 1).min(high)),
                };
                bins.push((name, n));
                current = Some(bin);
            }
        }
    }
    bins
}

/// One bar for each value.
fn histogram(title: &str, counts: &[(String, u64)]) -> String {
    let mut rows: Vec<(String, u64)> = counts.iter().take(ROWS).cloned().collect();
    let others = counts.iter().skip(ROWS);
    let (n_others, rest) = others.fold((0, 0), |(n, sum), it| (n + 1, sum + it.1));
    if n_others > 0 {
        rows.push((format!("{n_others} other values"), rest));
    }
    let most = rows.iter().map(|it| it.1).max().unwrap_or(1).max(1);
    let width = rows.iter().map(|it| it.0.chars().count()).max().unwrap_or(0);
    let digits = rows
        .iter()
        .map(|it| grouped(it.1).chars().count())
        .max()
        .unwrap_or(0);
    let mut text = format!("{title}\n");
    for (name, n) in &rows {
        let bar = "█".repeat((n * BAR).div_ceil(most) as usize);
        text += &format!("  {name:>width$}  {:>digits$}  {bar}\n", grouped(*n));
    }
    text
}

pub fn simulation_json(walks: &WalkReport) -> Value {
    let pairs = |counts: &[(u32, u64)]| -> Vec<Value> {
        let pair = |&(at, n): &(u32, u64)| json!({ "depth": at, "walks": n });
        counts.iter().map(pair).collect()
    };
    json!({
        "walks": walks.walks,
        "stuck": walks.stuck,
        "depths": pairs(&walks.depths),
        "violations": walks.violations.iter().map(|(property, share)| json!({
            "name": property, "probability": share_json(share),
        })).collect::<Vec<_>>(),
        "goal": walks.goal.as_ref().map(|it| json!({
            "probability": share_json(it), "depths": pairs(&walks.goal_depths),
        })),
        "histogram": walks.histogram.iter().map(|(value, n)| json!({ "value": value, "walks": n }))
            .collect::<Vec<_>>(),
        "distinct": walks.distinct,
        "shrunk_from": walks.shrunk_from,
    })
}

fn share_json(share: &Share) -> Value {
    json!({ "walks": share.n, "of": share.of, "low": share.low, "high": share.high })
}
