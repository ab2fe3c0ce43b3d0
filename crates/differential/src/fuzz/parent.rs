//! Starts workers, listens to them, and ends those that are silent for too long.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use differential::modes::{self, Mode};
use differential::{compare, peer};
use testkit::{Specification, specification};

use super::options::Options;

/// A specification that takes longer, to check or to make small, is a finding.
const SILENCE_MAX: Duration = Duration::from_secs(900);
/// Between two lines about the progress.
const EVERY: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Tally {
    n_cases: u64,
    n_answers: u64,
    verdicts: BTreeMap<String, u64>,
    found: BTreeMap<String, Vec<u64>>,
}

pub fn run(options: &Options) -> ExitCode {
    if let Some(seed) = options.show {
        return show(&specification(seed));
    }
    if let Some(folder) = &options.again {
        return match peer::read_folder(folder) {
            Ok(it) => show(&it),
            Err(why) => {
                eprintln!("{}: {why}", folder.display());
                ExitCode::from(2)
            }
        };
    }
    let start = Instant::now();
    let end = options
        .minutes
        .map(|it| start + Duration::from_secs_f64(it * 60.0));
    let tally = Mutex::new(Tally::default());
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..options.jobs)
            .map(|job| {
                let (tally, is_over) = (&tally, &is_over);
                scope.spawn(move || watch(options, job, end, tally, is_over))
            })
            .collect();
        let mut told = Instant::now();
        while jobs.iter().any(|it| !it.is_finished()) {
            std::thread::sleep(Duration::from_millis(100));
            if end.is_some_and(|it| Instant::now() >= it) {
                is_over.store(true, Relaxed);
            }
            if told.elapsed() >= EVERY {
                told = Instant::now();
                eprintln!("{}", line(&tally, start));
            }
        }
    });
    println!("{}", line(&tally, start));
    let tally = tally.into_inner().unwrap_or_else(|it| it.into_inner());
    for (verdict, n) in &tally.verdicts {
        println!("  {n:>7}  {verdict}");
    }
    for (signature, seeds) in &tally.found {
        let some: Vec<String> = seeds.iter().take(8).map(u64::to_string).collect();
        println!("different: {signature}: {} ({})", seeds.len(), some.join(", "));
    }
    match tally.found.is_empty() {
        true => ExitCode::SUCCESS,
        false => {
            println!("see {}", options.keep.display());
            ExitCode::FAILURE
        }
    }
}

fn line(tally: &Mutex<Tally>, start: Instant) -> String {
    let tally = tally.lock().unwrap_or_else(|it| it.into_inner());
    let n_found: usize = tally.found.values().map(Vec::len).sum();
    format!(
        "{:.1} minutes: {} specifications, {} answers compared, {n_found} differences of {} kinds",
        start.elapsed().as_secs_f64() / 60.0,
        tally.n_cases,
        tally.n_answers,
        tally.found.len()
    )
}

/// Runs one worker after the other until the cases are done or the time is over.
fn watch(options: &Options, job: u64, end: Option<Instant>, tally: &Mutex<Tally>, is_over: &AtomicBool) {
    let mut next = job;
    loop {
        let Ok(mut child) = start(options, next) else {
            tally
                .lock()
                .unwrap_or_else(|it| it.into_inner())
                .found
                .entry("a worker cannot be started".into())
                .or_default()
                .push(options.seed);
            return;
        };
        let last = listen(&mut child, tally, end, is_over);
        let _ = child.kill();
        let ended_well = child.wait().is_ok_and(|it| it.success());
        if ended_well || is_over.load(Relaxed) {
            return;
        }
        // The case at which it ended is a finding, and the next worker goes on behind it.
        let Some(seed) = last else { return };
        let mut tally = tally.lock().unwrap_or_else(|it| it.into_inner());
        tally
            .found
            .entry("the checker ended or was silent".into())
            .or_default()
            .push(seed);
        eprintln!(
            "seed {seed}: the checker ended or was silent for {} s",
            SILENCE_MAX.as_secs()
        );
        next = seed.wrapping_sub(options.seed) + options.jobs;
    }
}

fn start(options: &Options, first: u64) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--worker", &first.to_string()]);
    command.args(["--seed", &options.seed.to_string()]);
    command.args(["--jobs", &options.jobs.to_string()]);
    command.args(["--peer-every", &options.peer_every.to_string()]);
    command.arg("--keep").arg(&options.keep);
    if let Some(cases) = options.cases {
        command.args(["--cases", &cases.to_string()]);
    }
    if let Some(peer) = &options.peer {
        command.args(["--peer", peer]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()
}

/// Notes what a worker says until it ends, is silent, or time is over. Gives the case it was at.
fn listen(
    child: &mut Child,
    tally: &Mutex<Tally>,
    end: Option<Instant>,
    is_over: &AtomicBool,
) -> Option<u64> {
    let stdout = child.stdout.take()?;
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let mut last = None;
    let mut heard = Instant::now();
    loop {
        match receiver.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => {
                heard = Instant::now();
                last = note(&line, tally).or(last);
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return last,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
        }
        let is_late = end.is_some_and(|it| Instant::now() >= it) || is_over.load(Relaxed);
        if is_late || heard.elapsed() > SILENCE_MAX {
            return last;
        }
    }
}

/// Notes a line; the case that it begins, if it does.
fn note(line: &str, tally: &Mutex<Tally>) -> Option<u64> {
    let mut words = line.splitn(3, ' ');
    let (kind, seed, rest) = (
        words.next()?,
        words.next()?.parse().ok()?,
        words.next().unwrap_or(""),
    );
    let mut tally = tally.lock().unwrap_or_else(|it| it.into_inner());
    match kind {
        "case" => return Some(seed),
        "done" => {
            let (n, verdict) = rest.split_once(' ')?;
            tally.n_cases += 1;
            tally.n_answers += n.parse::<u64>().ok()?;
            *tally.verdicts.entry(verdict.to_owned()).or_default() += 1;
        }
        "found" => {
            tally.n_cases += 1;
            tally.found.entry(rest.to_owned()).or_default().push(seed);
            eprintln!("seed {seed}: {rest}");
        }
        "small" => eprintln!("seed {seed}: made small"),
        _ => {}
    }
    None
}

/// One specification, and what every mode says of it.
fn show(it: &Specification) -> ExitCode {
    for (_, text) in &it.modules {
        println!("{text}");
    }
    println!("{}", it.config);
    println!("{:#?}", modes::run(it, Mode::Plain));
    match compare(it, &Mode::ALL).difference {
        None => ExitCode::SUCCESS,
        Some(it) => {
            println!(
                "{} differs: {:?}\n{}\n{}",
                it.what, it.modes, it.answers[0], it.answers[1]
            );
            ExitCode::FAILURE
        }
    }
}
