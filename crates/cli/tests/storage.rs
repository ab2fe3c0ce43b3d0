//! Checks that use files, through the real program: more states than memory, `kill -9` and `resume`, damaged checkpoints, a
//! full disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const GRID: &str = r#"---- MODULE Grid ----
EXTENDS Naturals, Sequences
VARIABLES a, b, c, d
Init == a = 0 /\ b = <<>> /\ c = {} /\ d = "x"
Next == \/ a < 16 /\ a' = a + 1 /\ UNCHANGED <<b, c, d>>
        \/ Len(b) < 16 /\ b' = Append(b, Len(b)) /\ UNCHANGED <<a, c, d>>
        \/ \E i \in 1..8 : i \notin c /\ c' = c \cup {i} /\ UNCHANGED <<a, b, d>>
        \/ d' = (IF d = "x" THEN "y" ELSE "x") /\ UNCHANGED <<a, b, c>>
Bound == a + Len(b) < 32
Live == <>(a = 16)
Fair == Init /\ [][Next]_<<a, b, c, d>> /\ WF_<<a, b, c, d>>(a' = a + 1 /\ Next)
====
"#;
/// Sooner or later every counter is at its end, if the toggle does not go on for ever.
const LIVE: [&str; 4] = ["--spec", "Fair", "--property", "Live"];
/// Distinct states of it.
const STATES: u64 = 17 * 17 * 256 * 2;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("storage-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("Grid.tla"), GRID).expect("a file to write");
    folder
}

fn babbage(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the binary runs")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_babbage"));
    command.args(arguments).current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What must not depend on how a check was made.
fn answer(output: &Output) -> [Value; 7] {
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(output)));
    let told = [
        "verdict",
        "violation",
        "states",
        "trace",
        "actions",
        "lasso",
        "definitions",
    ];
    told.map(|it| report[it].clone())
}

const CHECK: [&str; 5] = ["check", "Grid.tla", "--no-deadlock", "--format", "json"];

fn check(folder: &Path, more: &[&str]) -> Output {
    babbage(folder, &[&CHECK[..], more].concat())
}

/// A simple sequence of pseudo-random numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % n
    }
}

#[test]
fn little_memory_and_a_disk_give_the_same_answer() {
    let folder = folder("disk");
    for property in [&[][..], &["--invariant", "Bound"]] {
        let expected = answer(&check(&folder, property));
        for workers in ["1", "2"] {
            let arguments = [
                property,
                &["--store", "disk=spill", "--memory", "34M", "--workers", workers],
            ];
            let output = check(&folder, &arguments.concat());
            assert_eq!(answer(&output), expected, "{}", stderr(&output));
        }
        assert_eq!(
            fs::read_dir(folder.join("spill")).unwrap().count(),
            0,
            "tidied up"
        );
    }
}

/// What is evaluated is counted once, though tables grow and batches go to files.
#[test]
fn coverage_on_a_disk_is_that_in_memory() {
    let folder = folder("coverage");
    let expected = answer(&check(&folder, &["--coverage", "--store", "fingerprint"]));
    for store in [
        &["--workers", "1"][..],
        &["--workers", "2"],
        &["--store", "disk=spill", "--memory", "200M"],
        &["--processes", "2"],
    ] {
        let output = check(&folder, &[&["--coverage"], store].concat());
        assert_eq!(answer(&output), expected, "{store:?} {}", stderr(&output));
    }
}

#[test]
fn temporal_properties_on_a_disk_have_the_same_answer() {
    let folder = folder("live");
    for property in [&LIVE[..], &["--property", "Live"]] {
        let expected = answer(&check(&folder, property));
        assert_ne!(expected[0], "unknown");
        for workers in ["1", "2"] {
            let arguments = [
                property,
                &["--store", "disk=spill", "--memory", "90M", "--workers", workers],
            ];
            let output = check(&folder, &arguments.concat());
            assert_eq!(answer(&output), expected, "{}", stderr(&output));
        }
    }
}

/// Kills the program at random moments, `n_kills` times, and lets it go on each time; then compares the answer.
fn kill_and_resume(name: &str, n_kills: usize, more: &[&str]) {
    let folder = folder(name);
    let plain: Vec<&str> = more
        .iter()
        .copied()
        .filter(|it| !it.contains("disk") && *it != "--store")
        .collect();
    let expected = answer(&check(&folder, &plain));
    let mut chance = Chance(7);
    let (mut n_killed, mut n_resumed, mut n_finished) = (0, 0, 0);
    let mut longest = 500;
    let start = Instant::now();
    loop {
        let has_checkpoint = folder.join("ck/checkpoint").exists();
        let arguments = match has_checkpoint {
            true => vec!["resume", "ck"],
            false => [&CHECK[..], more, &["--checkpoint", "ck", "--every", "40ms"]].concat(),
        };
        n_resumed += usize::from(has_checkpoint);
        let mut child = command(&folder, &arguments).spawn().expect("the binary runs");
        if n_killed < n_kills {
            let time = Duration::from_millis(chance.below(longest));
            let until = Instant::now() + time;
            while Instant::now() < until && child.try_wait().expect("a child").is_none() {
                std::thread::sleep(Duration::from_millis(3));
            }
        }
        let is_running = child.try_wait().expect("a child").is_none();
        if n_killed < n_kills && is_running {
            child.kill().expect("a child that runs");
            child.wait().expect("it ends");
            n_killed += 1;
            continue;
        }
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(answer(&output), expected, "{}", stderr(&output));
        assert!(!folder.join("ck/checkpoint").exists(), "removed at the end");
        n_finished += 1;
        // A faster machine needs less time to the end.
        longest = longest * 2 / 3 + 10;
        if n_killed >= n_kills {
            break;
        }
    }
    println!(
        "{n_killed} killed, {n_resumed} resumed, {n_finished} finished, {:?}",
        start.elapsed()
    );
    assert!(n_resumed >= n_kills / 2, "{n_resumed} of {n_killed} resumed");
}

#[test]
fn killed_fifty_times_the_same_answer() {
    kill_and_resume("kill", 50, &[]);
}

#[test]
fn killed_on_disk_the_same_counterexample() {
    kill_and_resume(
        "kill-disk",
        25,
        &["--store", "disk", "--memory", "40M", "--invariant", "Bound"],
    );
}

#[test]
fn killed_with_a_temporal_property_the_same_answer() {
    kill_and_resume("kill-live", 12, &LIVE);
    kill_and_resume(
        "kill-live-disk",
        6,
        &[&LIVE[..], &["--store", "disk", "--memory", "90M"]].concat(),
    );
}

/// A check that was stopped by a limit, with its checkpoint in `ck`.
fn stopped(name: &str, store: &str) -> PathBuf {
    let folder = folder(name);
    let limit = [
        "--max-depth",
        "22",
        "--store",
        store,
        "--checkpoint",
        "ck",
        "--every",
        "50ms",
    ];
    let output = check(&folder, &limit);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("`babbage resume ck` goes on from here"),
        "{}",
        stderr(&output)
    );
    folder
}

#[test]
fn damaged_checkpoints_are_refused() {
    for store in ["exact", "disk"] {
        let folder = stopped(&format!("damaged-{store}"), store);
        let files: Vec<PathBuf> = fs::read_dir(folder.join("ck"))
            .expect("a folder")
            .map(|it| it.expect("an entry").path())
            .filter(|it| !it.ends_with("lock"))
            .collect();
        assert!(files.len() >= 4, "{files:?}");
        for path in files {
            let whole = fs::read(&path).expect("a file");
            for at in [0, whole.len() / 3, whole.len() - 1] {
                let mut flipped = whole.clone();
                flipped[at] ^= 1 << (at % 8);
                for damaged in [&flipped[..], &whole[..at]] {
                    fs::write(&path, damaged).expect("a file to write");
                    let output = babbage(&folder, &["resume", "ck"]);
                    let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
                    assert_eq!(
                        output.status.code(),
                        Some(2),
                        "{} at {at}: {said}",
                        path.display()
                    );
                    assert!(
                        said.contains("checkpoint-damaged"),
                        "{} at {at}: {said}",
                        path.display()
                    );
                }
            }
            fs::write(&path, whole).expect("a file to write");
        }
        let output = babbage(
            &folder,
            &["resume", "ck", "--max-depth", "1000", "--format", "json"],
        );
        let [verdict, _, states, ..] = answer(&output);
        assert_eq!(verdict, "holds", "{}", stderr(&output));
        assert_eq!(states["distinct"], STATES);
    }
}

#[test]
fn foreign_and_missing_checkpoints_are_refused() {
    let folder = stopped("foreign", "exact");
    let refused = |arguments: &[&str], code: &str| {
        let output = babbage(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains(code),
            "{arguments:?}: {}",
            stderr(&output)
        );
    };
    refused(&["resume", "nowhere"], "error[checkpoint-missing]");
    refused(&["resume", "Grid.tla"], "error[checkpoint-missing]");
    refused(
        &["check", "Grid.tla", "--no-deadlock", "--checkpoint", "ck"],
        "error[checkpoint-exists]",
    );
    fs::write(folder.join("Grid.tla"), GRID.replace("a < 16", "a < 17")).expect("a file to write");
    let output = babbage(&folder, &["resume", "ck"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("checkpoint-foreign") && said.contains("`Grid.tla` is not what it was"),
        "{said}"
    );
    fs::write(folder.join("Grid.tla"), GRID).expect("a file to write");
    // From anywhere: the checkpoint knows where the specification is.
    let ck = folder.join("ck");
    let resume = ["resume", ck.to_str().expect("a path"), "--max-depth", "1000"];
    let output = babbage(Path::new(env!("CARGO_TARGET_TMPDIR")), &resume);
    assert_eq!(answer(&output)[0], "holds", "{}", stderr(&output));
}

#[test]
fn what_cannot_be_resumed_is_refused_by_name() {
    let folder = folder("refused");
    for (more, code) in [
        (&["--checkpoint", "ck", "--coverage"][..], "checkpoint-refused"),
        (
            &["--checkpoint", "ck", "--store", "disk=elsewhere"],
            "checkpoint-refused",
        ),
    ] {
        let output = babbage(&folder, &[&["check", "Grid.tla"], more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(code), "{more:?}: {}", stderr(&output));
    }
    let output = babbage(&folder, &["check", "Grid.tla", "--store", "tape"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A small file system of its own, where the test may mount one.
struct Small(PathBuf);

impl Small {
    fn mount(at: PathBuf, options: &str) -> Option<Small> {
        fs::create_dir_all(&at).ok()?;
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(&at)
            .output();
        mount.is_ok_and(|it| it.status.success()).then_some(Small(at))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_ends_the_check_and_more_room_lets_it_go_on() {
    for store in ["exact", "disk"] {
        let folder = folder(&format!("full-{store}"));
        let Some(small) = Small::mount(folder.join("small"), "size=10m") else {
            testkit::not_run("a full disk: no file system can be mounted here");
            return;
        };
        let limits = [
            "--memory",
            "40M",
            "--store",
            store,
            "--checkpoint",
            "small/ck",
            "--every",
            "50ms",
        ];
        let output = check(&folder, &limits);
        let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("disk-full"), "{said}");
        let output = babbage(&folder, &["resume", "small/ck"]);
        assert_eq!(output.status.code(), Some(3), "still full: {}", stderr(&output));
        let larger = Command::new("mount")
            .args(["-o", "remount,size=64m"])
            .arg(&small.0)
            .output();
        assert!(larger.is_ok_and(|it| it.status.success()));
        let output = babbage(&folder, &["resume", "small/ck"]);
        let [verdict, _, states, ..] = answer(&output);
        assert_eq!(verdict, "holds", "{}", stderr(&output));
        assert_eq!(states["distinct"], STATES);
    }
}
