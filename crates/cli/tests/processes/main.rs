//! Several processes give the answer of one, and when one of them is lost the others say so and end.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{babbage, report};
use serde_json::Value;

#[path = "../common/mod.rs"]
mod common;
mod recover;

#[track_caller]
fn same(arguments: &[&str], verdict: &str) {
    let ways = [
        &["--processes", "1"][..],
        &["--processes", "2"],
        &["--processes", "4"],
        &["--processes", "2", "--workers", "2"],
    ];
    common::same(arguments, verdict, &["--workers", "1"], &ways);
}

#[test]
fn the_gallery() {
    same(&["tictactoe-strategy"], "holds");
    same(&["tictactoe-field"], "holds");
    let rules = ["tictactoe-rules", "--config"];
    same(
        &[&rules[..], &["specs/tictactoe-rules/AsWritten.cfg"]].concat(),
        "violated",
    );
    same(
        &[&rules[..], &["specs/tictactoe-rules/WithoutBlock.cfg"]].concat(),
        "violated",
    );
    same(&["tictactoe-strategy", "--invariant", "NotStalemate"], "violated");
    same(&["klotski", "--max-depth", "30"], "unknown");
}

#[test]
fn specifications_that_grow() {
    for model in common::growing() {
        let model: Vec<&str> = model.iter().map(String::as_str).collect();
        same(&model, "holds");
    }
}

const RING: &str = "crates/cli/tests/processes/Ring.tla";
const FOUR: [&str; 8] = [
    RING,
    "--spec",
    "Spec",
    "--constant",
    "Who={a, b, c, d}",
    "--constant",
    "Max=6",
    "--no-deadlock",
];

/// The same with a configuration of these lines.
fn ring(name: &str, lines: &str) -> Vec<String> {
    let folder = scratch(name);
    let config = folder.join("Ring.cfg");
    let text = format!(
        "SPECIFICATION Spec\nCONSTANTS Who = {{a, b, c, d}} Max = 6\nCHECK_DEADLOCK FALSE\n{lines}\n"
    );
    std::fs::write(&config, text).expect("a configuration");
    let config = config.to_string_lossy().into_owned();
    [RING, "--config", &config].map(str::to_owned).to_vec()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[track_caller]
fn same_ring(name: &str, lines: &str, verdict: &str) {
    let arguments = ring(name, lines);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    same(&arguments, verdict);
}

#[test]
fn constraints_symmetry_and_views() {
    same_ring("constraint", "CONSTRAINT Few", "holds");
    same_ring("action-constraint", "ACTION_CONSTRAINT Steady", "holds");
    same_ring("symmetry", "CONSTRAINT Few\nSYMMETRY Alike", "holds");
    same_ring("view", "CONSTRAINT Few\nVIEW Half", "holds");
    same_ring(
        "all",
        "CONSTRAINT Few\nACTION_CONSTRAINT Steady\nSYMMETRY Alike\nINVARIANT NotAll",
        "violated",
    );
}

#[test]
fn violations_are_found_at_the_same_step() {
    same_ring("invariant", "CONSTRAINT Few\nINVARIANT NotAll", "violated");
    same_ring(
        "view-invariant",
        "CONSTRAINT Few\nVIEW Half\nINVARIANT NotAll",
        "violated",
    );
    same_ring("step", "CONSTRAINT Few\nPROPERTY NoneForgets", "violated");
    same_ring("fault", "CONSTRAINT Few\nINVARIANT Fails", "error");
    let philosophers = ["bench/Philosophers.tla", "--spec", "Spec", "--constant", "N=4"];
    same(
        &[&philosophers[..], &["--invariant", "state[2] # \"eats\""]].concat(),
        "violated",
    );
    same(
        &["tictactoe-field", "--keep-going", "--invariant", "GameEnded"],
        "violated",
    );
    // The module has no deadlock; a step that ends is one.
    let end = ["--next", "Next /\\ passes' < 4"];
    let ending = [
        RING,
        "--init",
        "Init",
        "--constant",
        "Who={a, b, c}",
        "--constant",
        "Max=6",
    ];
    same(
        &[&ending[..], &end, &["--invariant", "seen # {} \\/ passes < 4"]].concat(),
        "violated",
    );
}

#[test]
fn limits_are_those_of_one_process() {
    for limit in [
        ["--max-states", "100"],
        ["--max-states", "1"],
        ["--max-depth", "4"],
        ["--max-depth", "1"],
    ] {
        same(&[&FOUR[..], &limit].concat(), "unknown");
    }
    same(
        &[&FOUR[..], &["--invariant", "NotAll", "--max-states", "70"]].concat(),
        "violated",
    );
    let timed = report(&FOUR, &["--processes", "3", "--timeout", "1s"]);
    assert_eq!(
        (timed["verdict"].as_str(), timed["limit"].as_str()),
        (Some("unknown"), Some("time"))
    );
    let small = report(&FOUR, &["--processes", "2", "--memory", "1500K"]);
    assert_eq!(
        (small["verdict"].as_str(), small["limit"].as_str()),
        (Some("unknown"), Some("memory"))
    );
}

/// How often each definition is evaluated is the same, the initial predicate and assumptions among them.
#[test]
fn coverage_is_that_of_all() {
    same(
        &[&FOUR[..], &["--max-depth", "6", "--coverage"]].concat(),
        "unknown",
    );
    let few = ["--coverage", "--invariant", "NotAll \\/ Few", "--max-depth", "4"];
    same(&[&FOUR[..], &few].concat(), "unknown");
    let philosophers = ["bench/Philosophers.tla", "--spec", "Spec", "--constant", "N=3"];
    same(
        &[
            &philosophers[..],
            &["--no-deadlock", "--coverage", "--invariant", "Exclusion"],
        ]
        .concat(),
        "holds",
    );
    let live = "CONSTRAINT Few\nPROPERTY Passes";
    let mut live = ring("covered", live);
    live.push("--coverage".to_owned());
    let live: Vec<&str> = live.iter().map(String::as_str).collect();
    same(&live, "violated");
}

/// One process decides on the graph that all of them found: the same verdict, the same lasso.
#[test]
fn temporal_properties_are_those_of_one_process() {
    let with = |name: &str, lines: &str, verdict: &str| {
        let arguments = ring(name, &format!("CONSTRAINT Few\n{lines}"));
        let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        same(&arguments, verdict);
        // Properties of the command line, and several workers besides.
        arguments.extend(["--property", "<>[](holder \\in Who)"]);
        same(&arguments, verdict);
    };
    with("live", "PROPERTY Passes", "violated");
    with("forgets", "PROPERTY Forgets", "violated");
    // What goes wrong is part of the property, and not of the next-state relation.
    with("live-fault", "PROPERTY AlwaysFails", "error");
    with("live-view", "VIEW Half\nPROPERTY Passes", "violated");
    with("live-symmetry", "SYMMETRY Alike\nPROPERTY Passes", "violated");
    let fair = |specification: &str, property: &str, verdict: &str| {
        let name = format!("{specification}-{property}");
        let arguments = ring(&name, &format!("CONSTRAINT Few\nPROPERTY {property}"));
        let config = std::fs::read_to_string(&arguments[2]).expect("a configuration");
        let config = config.replace("SPECIFICATION Spec", &format!("SPECIFICATION {specification}"));
        std::fs::write(&arguments[2], config).expect("a configuration");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        same(&arguments, verdict);
    };
    fair("FairPasses", "Passes", "holds");
    fair("FairPasses", "Forgets", "holds");
    fair("FairForgets", "Forgets", "holds");
    let two = ["bench/TwoPhase.tla", "--constant", "N=3", "--no-deadlock"];
    let behaviours =
        "Init /\\ [][Next]_<<part, leader, votes, wire>> /\\ WF_<<part, leader, votes, wire>>(Next)";
    let ends = "\\A p \\in Part : <>(part[p] # \"working\")";
    same(
        &[&two[..], &["--spec", behaviours, "--property", ends]].concat(),
        "holds",
    );
    same(
        &[
            &two[..],
            &["--spec", behaviours, "--property", "<>(leader = \"committed\")"],
        ]
        .concat(),
        "violated",
    );
}

/// The other processes of a list of hosts end as the first one does, which alone decides.
#[test]
fn hosts_learn_what_the_first_decides() {
    let folder = scratch("hosts-live");
    let list = hosts(&folder, "hosts.txt", &[free_port(), free_port()]);
    let live = [&FOUR[..], &["--max-depth", "9", "--property", "<>(passes = 2)"]].concat();
    let other = member(&live, &list, "1", &[]);
    let first = ends_within(member(&live, &list, "0", &[]), Duration::from_secs(60));
    let other = ends_within(other, Duration::from_secs(60));
    assert_eq!(first.status.code(), Some(1), "{first:?}");
    assert_eq!(other.status.code(), Some(1), "{other:?}");
}

#[test]
fn what_needs_one_process_is_refused_by_name() {
    let output = babbage(&["check", "tictactoe-alloy", "--processes", "2"])
        .output()
        .expect("babbage runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-processes-in-alloy"));
}

/// A check that would take hours.
const LONG: [&str; 6] = [
    "bench/Philosophers.tla",
    "--spec",
    "Spec",
    "--no-deadlock",
    "--constant",
    "N=14",
];

/// The processes that a process has started.
fn children(parent: u32) -> Vec<u32> {
    let mut found = vec![];
    for entry in std::fs::read_dir("/proc").expect("processes").flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        if after_name.split_whitespace().nth(1) == Some(&parent.to_string()) {
            found.extend(entry.file_name().to_string_lossy().parse::<u32>());
        }
    }
    found.sort();
    found
}

fn signal(name: &str, process: u32) {
    let done = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(done.expect("kill runs").success());
}

/// Waits for a process to end, but not for ever.
#[track_caller]
fn ends_within(mut process: Child, limit: Duration) -> Output {
    let deadline = Instant::now() + limit;
    while process.try_wait().expect("a process").is_none() {
        if Instant::now() > deadline {
            let _ = process.kill();
            panic!("still running after {limit:?}: {:?}", process.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    process.wait_with_output().expect("its output")
}

/// Four processes at work.
fn four_at_work() -> (Child, Vec<u32>) {
    start_four(&[])
}

fn start_four(more: &[&str]) -> (Child, Vec<u32>) {
    let four = ["--processes", "4", "--workers", "1", "--patience", "3s"];
    let parent = babbage(&[&["check"], &LONG[..], &four, more].concat())
        .spawn()
        .expect("babbage runs");
    let deadline = Instant::now() + Duration::from_secs(30);
    while children(parent.id()).len() < 3 {
        assert!(Instant::now() < deadline, "three more processes are started");
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_secs(3));
    let all = children(parent.id());
    assert_eq!(all.len(), 3);
    (parent, all)
}

#[track_caller]
fn is_gone(process: u32) {
    let deadline = Instant::now() + Duration::from_secs(10);
    let state = || std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    while !state().is_empty() && !state().contains(") Z") {
        assert!(Instant::now() < deadline, "process {process} has ended");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn says(output: &Output, status: i32, what: &[&str]) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    for what in what {
        assert!(told.contains(what), "{what:?} in {told}");
    }
    assert!(
        !told.contains("panicked") && !told.contains("bug of babbage"),
        "{told}"
    );
}

#[test]
fn a_killed_process_ends_the_run() {
    let (parent, all) = four_at_work();
    signal("-KILL", all[1]);
    let output = ends_within(parent, Duration::from_secs(15));
    says(
        &output,
        3,
        &["process-lost", "process ", "has ended", "signal: 9"],
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("unknown"));
    all.into_iter().for_each(is_gone);
}

#[test]
fn a_stopped_process_ends_the_run() {
    let (parent, all) = four_at_work();
    signal("-STOP", all[2]);
    let output = ends_within(parent, Duration::from_secs(20));
    says(&output, 3, &["process-lost", "has not been heard of for 3 s"]);
    all.into_iter().for_each(is_gone);
}

#[test]
fn processes_end_with_the_first_one() {
    let (mut parent, all) = four_at_work();
    parent.kill().expect("a process");
    parent.wait().expect("a process");
    all.into_iter().for_each(is_gone);
}

/// Forwards connections to an address until it is told not to: then it forwards nothing, and closes nothing.
struct Proxy {
    port: u16,
    is_cut: Arc<AtomicBool>,
}

impl Proxy {
    fn new(to: String) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = Arc::clone(&is_cut);
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(&to) else {
                    continue;
                };
                for (mut from, mut into) in [
                    (
                        near.try_clone().expect("a copy"),
                        far.try_clone().expect("a copy"),
                    ),
                    (far, near),
                ] {
                    let cut = Arc::clone(&cut);
                    std::thread::spawn(move || {
                        let mut buffer = [0; 1 << 16];
                        while let Ok(n @ 1..) = from.read(&mut buffer) {
                            while cut.load(Ordering::Relaxed) {
                                std::thread::sleep(Duration::from_millis(50));
                            }
                            if into.write_all(&buffer[..n]).is_err() {
                                break;
                            }
                        }
                        let _ = into.shutdown(std::net::Shutdown::Write);
                    });
                }
            }
        });
        Proxy { port, is_cut }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

fn hosts(folder: &Path, name: &str, ports: &[u16]) -> String {
    let text: String = ports.iter().map(|it| format!("127.0.0.1:{it}\n")).collect();
    let path = folder.join(name);
    std::fs::write(&path, format!("# {name}\n{text}")).expect("a list of hosts");
    path.to_string_lossy().into_owned()
}

fn member(model: &[&str], hosts: &str, index: &str, more: &[&str]) -> Child {
    let place = ["--cluster", hosts, "--process", index, "--workers", "1"];
    babbage(&[&["check"], model, &place, more].concat())
        .spawn()
        .expect("babbage runs")
}

#[test]
fn hosts_of_a_list_give_the_answer_of_one() {
    let folder = scratch("hosts");
    let ports = [free_port(), free_port(), free_port()];
    let list = hosts(&folder, "hosts.txt", &ports);
    let plain = [&FOUR[..], &["--max-depth", "7"]].concat();
    let model = [&plain[..], &["--format", "json"]].concat();
    let others = [member(&model, &list, "2", &[]), member(&model, &list, "1", &[])];
    let first = ends_within(member(&model, &list, "0", &[]), Duration::from_secs(60));
    let told: Value = serde_json::from_slice(&first.stdout).expect("an object");
    let plain = report(&plain, &["--workers", "1"]);
    assert_eq!(
        (&told["states"], &told["actions"]),
        (&plain["states"], &plain["actions"])
    );
    assert_eq!(told["processes"]["processes"], 3);
    for other in others {
        let other = ends_within(other, Duration::from_secs(10));
        assert_eq!(
            (other.status.code(), &other.stdout[..]),
            (first.status.code(), &b""[..])
        );
    }
}

/// The connection between processes 1 and 2 goes through a proxy and is cut; process 0 sees nothing of it.
#[test]
fn a_cut_connection_ends_the_run() {
    let folder = scratch("cut");
    let ports = [free_port(), free_port(), free_port()];
    let proxy = Proxy::new(format!("127.0.0.1:{}", ports[1]));
    let list = hosts(&folder, "hosts.txt", &ports);
    let cut_list = hosts(&folder, "of-process-2.txt", &[ports[0], proxy.port, ports[2]]);
    let patience = ["--patience", "3s"];
    let all = [
        member(&LONG, &list, "0", &patience),
        member(&LONG, &list, "1", &patience),
        member(&LONG, &cut_list, "2", &patience),
    ];
    std::thread::sleep(Duration::from_secs(5));
    proxy.is_cut.store(true, Ordering::Relaxed);
    for process in all {
        let output = ends_within(process, Duration::from_secs(20));
        says(&output, 3, &["process-lost", "has not been heard of for 3 s"]);
    }
}

#[test]
fn another_specification_is_refused() {
    let folder = scratch("refused");
    let ports = [free_port(), free_port()];
    let list = hosts(&folder, "hosts.txt", &ports);
    let other = [&LONG[..5], &["N=13"]].concat();
    let all = [member(&LONG, &list, "0", &[]), member(&other, &list, "1", &[])];
    for process in all {
        let output = ends_within(process, Duration::from_secs(20));
        let why = "its specification, configuration or options are not those of process 0";
        says(&output, 2, &["process-refused", why]);
    }
}

#[test]
fn lists_of_hosts_that_cannot_be_used() {
    let folder = scratch("lists");
    let list = hosts(&folder, "hosts.txt", &[4711, 4712]);
    let wrong = folder.join("wrong.txt").to_string_lossy().into_owned();
    std::fs::write(&wrong, "alpha\n").expect("a list");
    for (list, index, why) in [
        (&list[..], "2", "it lists 2, and the first one is process 0"),
        (&wrong[..], "0", "line 1, `alpha`, is no address"),
        (
            "nowhere.txt",
            "0",
            "the list of hosts `nowhere.txt` cannot be used",
        ),
    ] {
        let output = ends_within(member(&FOUR, list, index, &[]), Duration::from_secs(20));
        says(&output, 2, &["hosts-file", why]);
    }
}
