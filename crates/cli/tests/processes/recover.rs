//! Runs with checkpoints: killed at any moment, they go on with any number of processes, and give the answer of one that was never
//! interrupted. What does not belong together is refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{babbage, essence, report};
use crate::{children, ends_within, free_port, hosts, is_gone, says, signal, start_four};

const LATTICE: &str = "crates/cli/tests/processes/Lattice.tla";

/// A check of some seconds.
fn lattice(size: &str, more: &[&str]) -> Vec<String> {
    let sizes = ["A", "B", "C"].map(|it| format!("{it}={}", if it == "C" { "6" } else { size }));
    let mut all = vec![LATTICE, "--spec", "Spec", "--no-deadlock"];
    all.extend(sizes.iter().flat_map(|it| ["--constant", it]));
    all.extend(more);
    all.into_iter().map(str::to_owned).collect()
}

fn texts(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

/// A new folder for checkpoints.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recover-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path")
}

fn told(output: &Output) -> Value {
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("an object from {output:?}"));
    essence(&report)
}

/// A simple sequence of pseudo-random numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % n
    }
}

/// Who is killed.
#[derive(Clone, Copy, Debug)]
enum Victim {
    First,
    Another,
    All,
}

/// Kills processes of a run after a while. False if it was over before.
fn kill(run: &mut Child, victim: Victim, chance: &mut Chance, after: Duration) -> bool {
    let until = Instant::now() + after;
    while Instant::now() < until {
        if run.try_wait().expect("a process").is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    let others = children(run.id());
    let some = match victim {
        Victim::First => vec![],
        Victim::Another if others.is_empty() => return false,
        Victim::Another => vec![others[chance.below(others.len() as u64) as usize]],
        Victim::All => others,
    };
    if !matches!(victim, Victim::Another) && run.kill().is_err() {
        return false;
    }
    // They may be gone already.
    for process in some {
        let _ = std::process::Command::new("kill")
            .args(["-KILL", &process.to_string()])
            .output();
    }
    true
}

/// Interrupts a run so many times, each time with another number of processes; then compares the answer.
fn kill_and_resume(name: &str, n_kills: usize, more: &[&str]) {
    let folder = fresh(name);
    let model = lattice("18", more);
    let expected = essence(&report(&texts(&model), &["--workers", "1"]));
    let checkpoint = folder.join("checkpoint");
    let mut chance = Chance(name.len() as u64);
    let (mut n_killed, mut n_resumed, mut n_lost) = (0, 0, 0);
    let mut longest = 900;
    loop {
        let goes_on = checkpoint.exists();
        let processes = (1 + chance.below(4)).to_string();
        let one_worker = ["--processes", &processes, "--workers", "1", "--patience", "5s"];
        let mut arguments = match goes_on {
            true => vec!["resume", text(&folder)],
            false => [
                &["check"],
                &texts(&model)[..],
                &["--checkpoint", text(&folder), "--every", "1ms"],
            ]
            .concat(),
        };
        arguments.extend(one_worker);
        arguments.extend(["--format", "json"]);
        n_resumed += usize::from(goes_on);
        let mut run = babbage(&arguments).spawn().expect("babbage runs");
        let victim = [Victim::First, Victim::Another, Victim::All][chance.below(3) as usize];
        let after = Duration::from_millis(chance.below(longest));
        if n_killed < n_kills && kill(&mut run, victim, &mut chance, after) {
            n_killed += 1;
            let output = ends_within(run, Duration::from_secs(20));
            if let Victim::Another = victim
                && output.status.code() == Some(3)
            {
                n_lost += 1;
                let said = String::from_utf8_lossy(&output.stdout);
                assert!(said.contains("process-lost"), "{output:?}");
                // Unless the run had not even begun.
                let has_way_on = said.contains("`babbage resume ");
                assert_eq!(has_way_on, checkpoint.exists(), "{output:?}");
            }
            if let Some(0 | 1) = output.status.code() {
                assert_eq!(told(&output), expected, "it was faster than the signal");
            }
            continue;
        }
        let output = ends_within(run, Duration::from_secs(120));
        assert_eq!(told(&output), expected, "{arguments:?}: {output:?}");
        assert!(!checkpoint.exists(), "removed at the end");
        // A faster machine needs less time to the end.
        longest = longest * 2 / 3 + 10;
        if n_killed >= n_kills {
            break;
        }
    }
    println!("{n_killed} killed, {n_resumed} resumed, {n_lost} lost another process");
    assert!(n_resumed >= n_kills / 2, "{n_resumed} of {n_killed} resumed");
    let left: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().collect();
    assert!(
        left.iter()
            .all(|it| it.path().metadata().is_ok_and(|it| it.len() == 0)),
        "{left:?}"
    );
}

#[test]
fn killed_at_random_the_same_answer() {
    kill_and_resume("holds", 20, &[]);
}

#[test]
fn killed_at_random_the_same_counterexample() {
    kill_and_resume("violated", 12, &["--invariant", "Bound"]);
}

/// What was gathered for temporal properties goes on, too.
#[test]
fn killed_at_random_the_same_about_behaviours() {
    kill_and_resume("temporal", 5, &["--property", "[]<>(a >= 0)"]);
}

#[test]
fn a_killed_process_leaves_a_checkpoint() {
    let folder = fresh("four");
    let (parent, all) = start_four(&["--checkpoint", text(&folder), "--every", "200ms"]);
    signal("-KILL", all[2]);
    let output = ends_within(parent, Duration::from_secs(15));
    let way_on = format!(
        "`babbage resume {}` goes on from the last checkpoint",
        folder.display()
    );
    says(&output, 3, &["process-lost", "signal: 9", &way_on]);
    all.into_iter().for_each(is_gone);
    let limits = ["--processes", "2", "--timeout", "3s", "--format", "json"];
    let output = babbage(&[&["resume", text(&folder)], &limits[..]].concat()).output();
    let output = output.expect("babbage runs");
    says(&output, 3, &["goes on from here"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert!(report["states"]["distinct"].as_u64() > Some(1000), "{report}");
}

/// A run that a limit has stopped, with its checkpoint.
fn stopped(name: &str, more: &[&str]) -> PathBuf {
    let folder = fresh(name);
    let model = lattice("9", &["--max-depth", "12"]);
    let checkpoint = ["--checkpoint", text(&folder), "--every", "1ms"];
    let all = [&["check"], &texts(&model)[..], &checkpoint, more].concat();
    let output = babbage(&all).output().expect("babbage runs");
    says(&output, 3, &["goes on from here"]);
    folder
}

fn resume(folder: &Path, more: &[&str]) -> Output {
    let all = [&["resume", text(folder)], more].concat();
    babbage(&all).output().expect("babbage runs")
}

#[track_caller]
fn refused(output: &Output, code: &str, why: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(said.contains(code) && said.contains(why), "{code}, {why}: {said}");
}

#[test]
fn damaged_and_missing_parts_are_refused() {
    let folder = stopped("damaged", &["--processes", "3", "--workers", "1"]);
    let files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|it| it.expect("an entry").path())
        .filter(|it| fs::metadata(it).is_ok_and(|it| it.len() > 0))
        .collect();
    assert_eq!(files.len(), 4, "a record and three logs: {files:?}");
    for path in files {
        let whole = fs::read(&path).expect("a file");
        let at = whole.len() / 2;
        let mut flipped = whole.clone();
        flipped[at] ^= 16;
        for damaged in [&flipped[..], &whole[..at]] {
            fs::write(&path, damaged).expect("a file to write");
            for processes in ["2", "3"] {
                let output = resume(&folder, &["--processes", processes]);
                refused(&output, "checkpoint-damaged", "");
            }
        }
        fs::remove_file(&path).expect("a file to remove");
        let output = resume(&folder, &["--processes", "1"]);
        match path.ends_with("checkpoint") {
            true => refused(&output, "checkpoint-missing", ""),
            false => refused(&output, "checkpoint-damaged", "is not there"),
        }
        fs::write(&path, whole).expect("a file to write");
    }
    let plain = lattice("9", &["--max-depth", "100"]);
    let expected = essence(&report(&texts(&plain), &["--workers", "1"]));
    let more = ["--processes", "2", "--max-depth", "100", "--format", "json"];
    assert_eq!(told(&resume(&folder, &more)), expected);
}

#[test]
fn others_than_those_who_wrote_it_are_refused() {
    let lists = fresh("lists");
    let list = hosts(&lists, "hosts.txt", &[free_port(), free_port()]);
    let foreign = "checkpoint-foreign";
    let several = stopped("several", &["--processes", "2"]);
    let output = resume(&several, &["--cluster", &list, "--process", "0"]);
    refused(&output, foreign, "by processes of one machine");
    let one = stopped("one", &[]);
    refused(
        &resume(&one, &["--processes", "2"]),
        foreign,
        "it was written by one process",
    );
    let model = lattice("9", &[]);
    let again = [
        &["check"],
        &texts(&model)[..],
        &["--checkpoint", text(&several), "--processes", "2"],
    ];
    let output = babbage(&again.concat()).output().expect("babbage runs");
    refused(&output, "checkpoint-exists", "");
}

#[test]
fn keys_constraints_and_all_violations_go_on() {
    let config = fresh("config").join("Lattice.cfg");
    // A run that has found a violation has an answer, whatever limit ends it then, and leaves no checkpoint.
    for (name, lines, depths) in [
        (
            "view",
            "VIEW Sizes\nCONSTRAINT Small",
            &["3", "5", "8", "11", "99"][..],
        ),
        (
            "keep",
            "CONSTRAINT Small\nINVARIANTS Early Bound",
            &["2", "3", "4", "99"],
        ),
    ] {
        let all = format!("SPECIFICATION Spec\nCONSTANTS A = 8 B = 8 C = 4\nCHECK_DEADLOCK FALSE\n{lines}\n");
        fs::write(&config, all).expect("a configuration");
        let model = [LATTICE, "--config", text(&config), "--keep-going"];
        let expected = essence(&report(&model, &["--workers", "1"]));
        let folder = fresh(name);
        for (i, depth) in depths.iter().enumerate() {
            let processes = ["2", "3", "1", "4", "2"][i];
            let limits = ["--max-depth", depth, "--processes", processes, "--format", "json"];
            let checkpoint = ["--checkpoint", text(&folder), "--every", "1ms"];
            let output = match i {
                0 => babbage(&[&["check"], &model[..], &checkpoint, &limits].concat()).output(),
                _ => Ok(resume(&folder, &limits)),
            };
            let output = output.expect("babbage runs");
            if *depth == "99" {
                assert_eq!(told(&output), expected, "{name}");
            }
        }
    }
}

/// Hosts of a list, each with a folder of its own.
struct Team {
    folders: Vec<PathBuf>,
    list: String,
}

impl Team {
    fn new(name: &str, n: usize) -> Team {
        let folder = fresh(name);
        let folders: Vec<PathBuf> = (0..n).map(|it| folder.join(format!("host-{it}"))).collect();
        let ports: Vec<u16> = (0..n).map(|_| free_port()).collect();
        Team {
            list: hosts(&folder, "hosts.txt", &ports),
            folders,
        }
    }

    fn start(&self, arguments: impl Fn(&str) -> Vec<String>) -> Vec<Child> {
        let place = |i: usize| {
            let index = i.to_string();
            let mut all = arguments(text(&self.folders[i]));
            let place = ["--cluster", &self.list, "--process", &index, "--workers", "1"];
            all.extend(place.map(str::to_owned));
            babbage(&texts(&all)).spawn().expect("babbage runs")
        };
        (0..self.folders.len()).map(place).collect()
    }

    fn check(&self, model: &[String]) -> Vec<Child> {
        self.start(|folder| {
            let checkpoint = ["--checkpoint", folder, "--every", "1ms", "--patience", "4s"];
            let all = ["check".to_owned()].into_iter().chain(model.iter().cloned());
            all.chain(checkpoint.map(str::to_owned)).collect()
        })
    }

    fn resume(&self) -> Vec<Child> {
        self.start(|folder| {
            ["resume", folder, "--format", "json", "--patience", "4s"]
                .map(str::to_owned)
                .to_vec()
        })
    }
}

fn wait_for(path: &Path) {
    let deadline = Instant::now() + Duration::from_secs(30);
    // The first record is longer than the note alone.
    let len = || fs::metadata(path).map_or(0, |it| it.len());
    while len() == 0 {
        assert!(Instant::now() < deadline, "{} is written", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
    let note = len();
    while len() <= note && path.exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn hosts_go_on_from_their_own_folders() {
    let team = Team::new("hosts", 3);
    let model = lattice("18", &["--invariant", "Bound"]);
    let expected = essence(&report(&texts(&model), &["--workers", "1"]));
    for victim in [2, 0, 1] {
        let all = match team.folders[0].join("checkpoint").exists() {
            true => team.resume(),
            false => team.check(&model),
        };
        wait_for(&team.folders[victim].join("checkpoint"));
        std::thread::sleep(Duration::from_millis(200));
        signal("-KILL", all[victim].id());
        for (i, process) in all.into_iter().enumerate() {
            let output = ends_within(process, Duration::from_secs(20));
            let said = [&output.stderr[..], &output.stdout].concat();
            let said = String::from_utf8_lossy(&said);
            let way_on = format!("`babbage resume {}`", team.folders[i].display());
            assert!(
                i == victim || output.status.code() == Some(3) && said.contains(&way_on),
                "{victim}, {i}: {output:?}"
            );
        }
    }
    let mut all = team.resume().into_iter();
    let first = ends_within(all.next().expect("three"), Duration::from_secs(60));
    assert_eq!(told(&first), expected);
    for other in all {
        let output = ends_within(other, Duration::from_secs(20));
        assert_eq!(output.status.code(), first.status.code(), "{output:?}");
    }
    for folder in &team.folders {
        assert!(
            !folder.join("checkpoint").exists(),
            "{} is tidied up",
            folder.display()
        );
    }
}

#[test]
fn folders_of_different_runs_are_refused() {
    let model = lattice("9", &["--max-depth", "9"]);
    let teams = ["first", "second"].map(|name| {
        let team = Team::new(name, 2);
        let model = match name {
            "first" => model.clone(),
            _ => lattice("9", &["--max-depth", "14"]),
        };
        for process in team.check(&model) {
            says(&ends_within(process, Duration::from_secs(30)), 3, &["goes on"]);
        }
        team
    });
    let [first, second] = &teams;
    let mixed = Team {
        folders: vec![first.folders[0].clone(), second.folders[1].clone()],
        list: first.list.clone(),
    };
    let with_limit = |folder: &str| {
        ["resume", folder, "--max-depth", "20"]
            .map(str::to_owned)
            .to_vec()
    };
    for process in mixed.start(with_limit) {
        let output = ends_within(process, Duration::from_secs(30));
        refused(&output, "checkpoint-foreign", "different");
    }
    let output = resume(&first.folders[0], &["--processes", "2"]);
    refused(
        &output,
        "checkpoint-foreign",
        "each of which has a part of it in its own folder",
    );
    let folder = fresh("three-hosts");
    let ports = [free_port(), free_port(), free_port()];
    let three = Team {
        folders: vec![
            first.folders[0].clone(),
            first.folders[1].clone(),
            second.folders[0].clone(),
        ],
        list: hosts(&folder, "hosts.txt", &ports),
    };
    for process in three.start(with_limit) {
        let output = ends_within(process, Duration::from_secs(30));
        refused(&output, "checkpoint-foreign", "");
    }
    for process in first.start(with_limit) {
        let output = ends_within(process, Duration::from_secs(30));
        assert_eq!(output.status.code(), Some(3), "{output:?}");
    }
}
