//! Runs every command of a folder of Alloy models and compares the answers with a list of expected ones.
//!
//!     cargo run --release -p alloy-lower --example corpus -- FOLDER [--only TEXT] [--seconds N] [--solver NAME]
//!         [--symmetry N] [--depth N] [--wrap] [--trust] [--blame] [--show] [--cnf FOLDER] [--slowest N]
//!
//! FOLDER holds `expected.json`: a list of `{ "file", "commands": ["sat" | "unsat" | null], "labels" }`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use alloy_lower::{Options, Outcome, Overflow, Run, Solver, Statistics, Stop};
use alloy_sema::Loader;
use source::Sources;

struct Args {
    folder: PathBuf,
    only: Option<String>,
    seconds: f64,
    unsat_core: bool,
    show: bool,
    cnf: Option<PathBuf>,
    slowest: usize,
    options: Options,
}

fn main() {
    let args = parse_args();
    let text = std::fs::read_to_string(args.folder.join("expected.json")).expect("expected.json");
    let expected: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut report = Report::default();
    for entry in expected.as_array().expect("a list") {
        let file = entry["file"].as_str().expect("a file name");
        if args.only.as_ref().is_none_or(|only| file.contains(only.as_str())) {
            let commands = entry["commands"].as_array().expect("a list of answers");
            let wanted: Vec<Option<&str>> = commands.iter().map(|it| it.as_str()).collect();
            run_file(&args, file, &wanted, &mut report);
        }
    }
    report.print(args.slowest);
}

fn parse_args() -> Args {
    let mut args = Args {
        folder: PathBuf::new(),
        only: None,
        seconds: 60.0,
        unsat_core: false,
        show: false,
        cnf: None,
        slowest: 20,
        options: Options::default(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("a value");
        match word.as_str() {
            "--only" => args.only = Some(value()),
            "--seconds" => args.seconds = value().parse().expect("seconds"),
            "--solver" => args.options.engine.solver = Solver::from_name(&value()).expect("a solver"),
            "--symmetry" => args.options.engine.symmetry = value().parse().expect("a number"),
            "--depth" => args.options.engine.skolem_depth = value().parse().expect("a number"),
            "--slowest" => args.slowest = value().parse().expect("a number"),
            "--wrap" => args.options.overflow = Overflow::Wrap,
            "--trust" => args.options.engine.confirm = false,
            "--cnf" => args.cnf = Some(value().into()),
            "--blame" => args.unsat_core = true,
            "--show" => args.show = true,
            _ => args.folder = word.into(),
        }
    }
    args
}

/// Time that this thread has had a processor: on a busy machine, the only time that can be compared.
fn now() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanos = text.split_whitespace().next().and_then(|it| it.parse().ok());
    Duration::from_nanos(nanos.expect("a number"))
}

struct Files<'f>(&'f Path);

impl Loader for Files<'_> {
    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(path)).ok()
    }
}

#[derive(Default)]
struct Report {
    n_files: usize,
    n_files_passed: usize,
    n_commands: usize,
    n_passed: usize,
    timings: Vec<Timing>,
}

struct Timing {
    what: String,
    front: Duration,
    translate: Duration,
    solve: Duration,
    size: Statistics,
    answer: String,
}

impl Timing {
    fn total(&self) -> Duration {
        self.front + self.translate + self.solve
    }
}

fn run_file(args: &Args, file: &str, wanted: &[Option<&str>], report: &mut Report) {
    report.n_files += 1;
    report.n_commands += wanted.len();
    let start = now();
    let text = std::fs::read_to_string(args.folder.join(file)).unwrap_or_default();
    let mut sources = Sources::new();
    let resolved = catch_unwind(AssertUnwindSafe(|| {
        alloy_sema::resolve(
            file,
            &text,
            &Files(&args.folder),
            &mut sources,
            alloy_sema::Options::default(),
        )
    }));
    let Ok(resolved) = resolved else {
        println!("FAIL {file}: the front panicked");
        return;
    };
    if resolved.has_errors() {
        let first = resolved
            .diagnostics
            .iter()
            .find(|it| it.is_error())
            .expect("an error");
        let place = first
            .span()
            .map(|span| sources.location(span))
            .unwrap_or_default();
        println!("FAIL {file}: {} ({}) at {place}", first.title, first.code);
        return;
    }
    let front = now() - start;
    let mut passed = resolved.model.commands.len() == wanted.len();
    if !passed {
        println!(
            "FAIL {file}: {} commands, expected {}",
            resolved.model.commands.len(),
            wanted.len()
        );
    }
    for (i, wanted) in wanted.iter().enumerate().take(resolved.model.commands.len()) {
        let label = resolved.model.commands[i].label;
        let what = format!("{file} #{i} {label}");
        let timing = catch_unwind(AssertUnwindSafe(|| {
            run_command(args, &sources, &resolved.model, i)
        }));
        let timing = timing.unwrap_or_else(|_| Timing {
            answer: "panic".into(),
            ..Timing::nothing()
        });
        if wanted.is_none_or(|wanted| wanted == timing.answer) {
            report.n_passed += 1;
        } else {
            passed = false;
            println!(
                "FAIL {what}: {}, expected {}",
                timing.answer,
                wanted.unwrap_or("anything")
            );
        }
        report.timings.push(Timing {
            what,
            front,
            ..timing
        });
    }
    report.n_files_passed += usize::from(passed);
}

impl Timing {
    fn nothing() -> Timing {
        Timing {
            what: String::new(),
            front: Duration::ZERO,
            translate: Duration::ZERO,
            solve: Duration::ZERO,
            size: Statistics::default(),
            answer: String::new(),
        }
    }
}

/// Asks to stop after a while, unless it is dropped before.
struct Timer(std::sync::mpsc::Sender<()>);

impl Timer {
    fn new(seconds: f64, stop: Stop) -> Timer {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let timeout = receiver.recv_timeout(Duration::from_secs_f64(seconds));
            if timeout == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                stop.ask();
            }
        });
        Timer(sender)
    }
}

fn run_command(args: &Args, sources: &Sources, model: &alloy_sema::ir::Model, index: usize) -> Timing {
    let stop = Stop::never();
    let timer = Timer::new(args.seconds, stop.clone());
    let mut timing = Timing::nothing();
    let start = now();
    let mut solve = || {
        let mut run = Run::new(model, index, args.options.clone(), stop.clone())?;
        if let Some(folder) = &args.cnf {
            let name = format!(
                "{}-{index}.cnf",
                sources
                    .file(model.commands[index].span.file)
                    .name()
                    .replace('/', "+")
            );
            std::fs::write(folder.join(name), run.clauses()?.to_dimacs()).expect("a folder to write to");
            return Ok(Outcome::None);
        }
        run.prepare()?;
        timing.translate = now() - start;
        let outcome = run.find_next();
        timing.solve = (now() - start) - timing.translate;
        timing.size = run.statistics();
        let outcome = outcome?;
        if args.unsat_core && outcome == Outcome::None {
            for source in run.unsat_core()? {
                let place = source.span.map(|span| sources.location(span)).unwrap_or_default();
                let text = source.span.map(|span| sources.text(span)).unwrap_or_default();
                println!(
                    "    {place}: {:?} `{}`",
                    source.origin,
                    text.split_whitespace().collect::<Vec<_>>().join(" ")
                );
            }
        }
        if let (true, Outcome::Instance(instance)) = (args.show, &outcome) {
            show(instance);
        }
        Ok(outcome)
    };
    timing.answer = match solve() {
        Ok(Outcome::Instance(_)) => "sat".into(),
        Ok(Outcome::None) => "unsat".into(),
        Err(refusal) => {
            let diagnostic: Option<diag::Diagnostic> = alloy_lower::Refusal::diagnostic(&refusal);
            diagnostic.map_or("stopped".into(), |it| it.title)
        }
    };
    let _ = timer.0.send(());
    timing
}

fn show(instance: &trace::Instance) {
    for (step, state) in instance.states.states.iter().enumerate() {
        println!("    state {step}, loop to {:?}", instance.states.loop_to);
        for (relation, tuples) in instance.relations.iter().zip(state) {
            let name = |tuple: &trace::Tuple| {
                let names: Vec<&str> = tuple.iter().map(|&atom| instance.name(atom)).collect();
                names.join("->")
            };
            let tuples: Vec<String> = tuples.iter().map(name).collect();
            println!("    {} = {{{}}}", relation.name, tuples.join(", "));
        }
    }
}

impl Report {
    fn print(mut self, n_slowest: usize) {
        self.timings.sort_by_key(|it| std::cmp::Reverse(it.total()));
        let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
        println!("\n   total    front translate    solve   primary     vars   clauses steps");
        for it in self.timings.iter().take(n_slowest) {
            println!(
                "{:8.1} {:8.1} {:9.1} {:8.1} {:9} {:8} {:9} {:5}  {} {}",
                ms(it.total()),
                ms(it.front),
                ms(it.translate),
                ms(it.solve),
                it.size.n_primary,
                it.size.n_vars,
                it.size.n_clauses,
                it.size.n_steps,
                it.what,
                it.answer
            );
        }
        if let Some(median) = self.timings.get(self.timings.len() / 2) {
            let sum: f64 = self.timings.iter().map(|it| ms(it.total())).sum();
            println!("median {:.2} ms, sum {:.0} ms", ms(median.total()), sum);
        }
        println!(
            "{} of {} commands, {} of {} files passed",
            self.n_passed, self.n_commands, self.n_files_passed, self.n_files
        );
    }
}
