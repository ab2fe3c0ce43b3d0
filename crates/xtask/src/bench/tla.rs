//! `cargo xtask bench`: the gallery and the scalable specifications of `bench/`, or a list of models.
//!
//! For each: distinct states, states a second, bytes a state, and for the scalable ones how both grow with the size. With
//! `--peer COMMAND` another checker gets the same files, `{module}` and `{config}` in the command being replaced; it
//! must print `N states generated, M distinct states found`, and its counts are compared with ours. The mean is over models
//! that both searched to the end; how many were left out is said.
//!
//! `--models LIST` measures a list instead: JSON rows with `module` and `config`, paths beside the list.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

struct Args {
    bin: PathBuf,
    peer: Option<String>,
    models: Option<PathBuf>,
    only: Option<String>,
    workers: String,
    seconds: f64,
    /// With a peer, only models that take it at least so long count.
    least: f64,
    large: bool,
}

/// A specification of `bench/`, its invariants, and sizes from small to large.
struct Scalable {
    name: &'static str,
    invariants: &'static str,
    sizes: [u32; 4],
}

const SCALABLE: &[Scalable] = &[
    scalable("Bakery", "TypeOK Exclusion", [2, 3, 4, 5]),
    scalable("TwoPhase", "TypeOK Agreement", [4, 6, 8, 9]),
    scalable("Consensus", "TypeOK Agreement", [1, 2, 3, 4]),
    scalable("Philosophers", "TypeOK Exclusion", [6, 8, 10, 12]),
    scalable("TokenRing", "SomeToken", [4, 5, 6, 7]),
    scalable("Sliding", "HoleIsEmpty", [3, 4, 5, 6]),
    scalable("Sorting", "Complete", [5, 6, 7, 8]),
    scalable("Queues", "InOrder", [4, 8, 12, 16]),
];

const fn scalable(name: &'static str, invariants: &'static str, sizes: [u32; 4]) -> Scalable {
    Scalable {
        name,
        invariants,
        sizes,
    }
}

const GALLERY: [&str; 3] = ["klotski", "tictactoe-field", "tictactoe-strategy"];

struct Model {
    label: String,
    module: PathBuf,
    config: Option<PathBuf>,
}

/// What a checker said, and how long it took.
struct Run {
    seconds: f64,
    distinct: u64,
    generated: u64,
    memory: u64,
    answer: String,
}

pub fn run(arguments: &[&str]) -> ExitCode {
    let Some(args) = parse(arguments) else {
        eprintln!(
            "usage: cargo xtask bench [--bin PATH] [--peer COMMAND] [--models LIST] [--only TEXT] [--workers N] \
             [--seconds N] [--least SECONDS] [--large]\n       cargo xtask bench --alloy FOLDER"
        );
        return ExitCode::from(2);
    };
    let folder = std::env::temp_dir().join(format!("babbage-bench-{}", std::process::id()));
    let models = match &args.models {
        Some(list) => listed(list),
        None => own(&args, &folder),
    };
    let Some(models) = models else {
        eprintln!("the list of models cannot be read");
        return ExitCode::from(2);
    };
    print_header(args.peer.is_some());
    let mut ratios = vec![];
    let mut left_out = 0;
    for model in &models {
        if args
            .only
            .as_ref()
            .is_some_and(|it| !model.label.contains(it.as_str()))
        {
            continue;
        }
        let peer = args.peer.as_ref().map(|it| run_peer(it, model, args.seconds));
        if peer.as_ref().is_some_and(|it| it.seconds < args.least) {
            continue;
        }
        let ours = run_ours(&args, model);
        print_row(model, &ours, peer.as_ref());
        if let Some(peer) = peer {
            // A search that a violation ends, or one without states, says how fast a process starts.
            match peer.answer == "done" && ours.answer == "holds" && ours.distinct > 0 {
                true => ratios.push(peer.seconds / ours.seconds),
                false => left_out += 1,
            }
        }
    }
    if !ratios.is_empty() {
        let mean = ratios.iter().map(|it| it.ln()).sum::<f64>() / ratios.len() as f64;
        let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "{} models ({left_out} left out), geometric mean of the ratio {:.1}, worst {worst:.1}",
            ratios.len(),
            mean.exp()
        );
    }
    let _ = std::fs::remove_dir_all(&folder);
    ExitCode::SUCCESS
}

fn parse(arguments: &[&str]) -> Option<Args> {
    let mut args = Args {
        bin: "target/release/babbage".into(),
        peer: None,
        models: None,
        only: None,
        workers: "2".into(),
        seconds: 600.0,
        least: 0.0,
        large: false,
    };
    let mut words = arguments.iter();
    while let Some(&word) = words.next() {
        let mut value = || words.next().map(|it| it.to_string());
        match word {
            "--bin" => args.bin = value()?.into(),
            "--peer" => args.peer = Some(value()?),
            "--models" => args.models = Some(value()?.into()),
            "--only" => args.only = Some(value()?),
            "--workers" => args.workers = value()?,
            "--seconds" => args.seconds = value()?.parse().ok()?,
            "--least" => args.least = value()?.parse().ok()?,
            "--large" => args.large = true,
            _ => return None,
        }
    }
    // The peer runs in the folder of each model.
    args.bin = std::fs::canonicalize(&args.bin).ok()?;
    Some(args)
}

/// The gallery and the scalable specifications, with configurations written to `folder`.
fn own(args: &Args, folder: &Path) -> Option<Vec<Model>> {
    std::fs::create_dir_all(folder).ok()?;
    let mut models = vec![];
    if args.peer.is_none() {
        models.extend(GALLERY.iter().map(|name| Model {
            label: name.to_string(),
            module: name.into(),
            config: None,
        }));
    }
    for it in SCALABLE {
        let module = folder.join(format!("{}.tla", it.name));
        std::fs::copy(format!("bench/{}.tla", it.name), &module).ok()?;
        let n_sizes = if args.large { 4 } else { 3 };
        for size in &it.sizes[..n_sizes] {
            let config = folder.join(format!("{}{size}.cfg", it.name));
            let text = format!(
                "SPECIFICATION Spec\nCONSTANT N = {size}\nINVARIANT {}\nCHECK_DEADLOCK FALSE\n",
                it.invariants
            );
            std::fs::write(&config, text).ok()?;
            models.push(Model {
                label: format!("{} {size}", it.name),
                module: module.clone(),
                config: Some(config),
            });
        }
    }
    Some(models)
}

fn listed(list: &Path) -> Option<Vec<Model>> {
    let folder = std::fs::canonicalize(list.parent()?).ok()?;
    let text = std::fs::read_to_string(list).ok()?;
    let Value::Array(rows) = serde_json::from_str(&text).ok()? else {
        return None;
    };
    let model = |row: &Value| {
        Some(Model {
            label: row["config"].as_str()?.to_string(),
            module: folder.join(row["module"].as_str()?),
            config: Some(folder.join(row["config"].as_str()?)),
        })
    };
    Some(rows.iter().filter_map(model).collect())
}

fn run_ours(args: &Args, model: &Model) -> Run {
    let mut command = Command::new(&args.bin);
    command.arg("check").arg(&model.module);
    command.args(["--format", "json", "--workers", &args.workers]);
    command.args(["--timeout", &args.seconds.to_string()]);
    if let Some(config) = &model.config {
        command.arg("--config").arg(config);
    }
    let start = Instant::now();
    let output = command.output();
    let seconds = start.elapsed().as_secs_f64();
    let report: Value = output
        .ok()
        .and_then(|it| serde_json::from_slice(&it.stdout).ok())
        .unwrap_or_default();
    let count = |name: &str| report["states"][name].as_u64().unwrap_or_default();
    Run {
        seconds,
        distinct: count("distinct"),
        generated: count("generated"),
        memory: report["memory"].as_u64().unwrap_or_default(),
        answer: report["verdict"].as_str().unwrap_or("no answer").to_string(),
    }
}

fn run_peer(template: &str, model: &Model, seconds: f64) -> Run {
    let place = |path: Option<&Path>| path.map_or(String::new(), |it| it.display().to_string());
    let command = template
        .replace("{module}", &place(Some(&model.module)))
        .replace("{config}", &place(model.config.as_deref()));
    let start = Instant::now();
    let output = Command::new("timeout")
        .arg(Duration::from_secs_f64(seconds).as_secs().to_string())
        .args(["sh", "-c", &command])
        .stderr(Stdio::null())
        .output();
    let elapsed = start.elapsed().as_secs_f64();
    let text = output
        .map(|it| String::from_utf8_lossy(&it.stdout).into_owned())
        .unwrap_or_default();
    let counts = text.lines().rev().find_map(counts_of);
    let (generated, distinct) = counts.unwrap_or_default();
    Run {
        seconds: elapsed,
        distinct,
        generated,
        memory: 0,
        answer: if counts.is_some() && elapsed < seconds {
            "done".into()
        } else {
            "no answer".into()
        },
    }
}

/// `16959159 states generated, 1321761 distinct states found, 0 states left on queue.`
fn counts_of(line: &str) -> Option<(u64, u64)> {
    let (generated, rest) = line.split_once(" states generated, ")?;
    let (distinct, _) = rest.split_once(" distinct states found")?;
    let number = |it: &str| it.replace(',', "").trim().parse().ok();
    Some((number(generated)?, number(distinct)?))
}

fn print_header(peer: bool) {
    let peer = if peer { "    peer s   ratio" } else { "" };
    println!(
        "{:<44} {:>11} {:>11} {:>9} {:>9} {:>7}{peer}",
        "model", "distinct", "generated", "s", "states/s", "B/state"
    );
}

fn print_row(model: &Model, ours: &Run, peer: Option<&Run>) {
    let each = |total: f64| total / ours.distinct.max(1) as f64;
    print!(
        "{:<44} {:>11} {:>11} {:>9.3} {:>9.0} {:>7.1}",
        model.label,
        ours.distinct,
        ours.generated,
        ours.seconds,
        ours.distinct as f64 / ours.seconds,
        each(ours.memory as f64),
    );
    if let Some(peer) = peer {
        print!(" {:>9.2} {:>7.1}", peer.seconds, peer.seconds / ours.seconds);
        if peer.answer != "done" {
            print!("  (peer: {})", peer.answer);
        } else if ours.answer == "holds" && (peer.distinct, peer.generated) != (ours.distinct, ours.generated)
        {
            print!(
                "  (peer: {} distinct, {} generated)",
                peer.distinct, peer.generated
            );
        }
    }
    match ours.answer.as_str() {
        "holds" => println!(),
        other => println!("  {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::counts_of;

    #[test]
    fn counts_are_read_from_what_a_checker_prints() {
        let line = "16959159 states generated, 1,321,761 distinct states found, 0 states left on queue.";
        assert_eq!(counts_of(line), Some((16_959_159, 1_321_761)));
        assert_eq!(counts_of("Finished in 3 s"), None);
    }
}
