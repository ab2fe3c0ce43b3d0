//! `babbage check`, `simulate` and `eval` as a person calls them: options, counterexamples, limits, prompts.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PUMP: &str = r#"---- MODULE Pump ----
EXTENDS Naturals, TLC, TLCExt
CONSTANTS N, Proc
VARIABLES x, pc
vars == <<x, pc>>
Init == x = 0 /\ pc = [p \in Proc |-> "idle"]
Start(p) == pc[p] = "idle" /\ pc' = [pc EXCEPT ![p] = "busy"] /\ UNCHANGED x
Add(p, k) == /\ pc[p] = "busy"
             /\ x + k <= N + 1
             /\ x' = x + k
             /\ pc' = [pc EXCEPT ![p] = "idle"]
Never == x > 100 /\ UNCHANGED vars
Next == (\E p \in Proc : Start(p) \/ \E k \in 1..2 : Add(p, k)) \/ Never
Spec == Init /\ [][Next]_vars
TypeOK == /\ pc \in [Proc -> {"idle", "busy"}]
          /\ x \in 0..N
NoneBusy == ~ \E p \in Proc : pc[p] = "busy"
Shown == [step |-> TLCGet("level"), by |-> TLCGet("action").name, sum |-> x, next |-> x']
Few == TLCGet("stats").distinct < 5 /\ TLCGet("config").mode = "bfs"
Full == x = N
High == x > 50
Low == x <= N + 1
Rises == x' > x
Small == x <= 1
NoTwo == x' - x # 2
Told == PrintT(ToTrace(CounterExample)[3].x)
Stop == TLCSet("exit", x = 1)
====
"#;

const GIVEN: [&str; 4] = ["--constant", "N=2", "--constant", "Proc={p1, p2}"];

/// A folder of its own for one test, with the module and a configuration `M.cfg`.
fn folder(test: &str, config: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder to write to");
    fs::write(folder.join("Pump.tla"), PUMP).expect("a file to write");
    let all =
        format!("CONSTANTS N = 2 Proc = {{p1, p2}}\nSPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n{config}\n");
    fs::write(folder.join("M.cfg"), all).expect("a file to write");
    folder
}

fn babbage(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary runs")
}

fn piped(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("it was asked for");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Checks with a configuration: the status, and what the result must contain.
fn checked(test: &str, config: &str, arguments: &[&str], status: i32, contains: &[&str]) -> (String, String) {
    let folder = folder(test, config);
    let mut all = vec!["check", "Pump.tla", "--config", "M.cfg"];
    all.extend(arguments);
    let output = babbage(&folder, &all);
    let (text, notes) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(status), "{text}{notes}");
    for part in contains {
        assert!(text.contains(part), "no {part:?} in\n{text}{notes}");
    }
    (text, notes)
}

/// Checks the module with options alone.
fn asked(test: &str, arguments: &[&str], status: i32) -> (String, String) {
    let folder = folder(test, "");
    let mut all = vec!["check", "Pump.tla"];
    all.extend(arguments);
    let output = babbage(&folder, &all);
    let (text, notes) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(status), "{text}{notes}");
    (text, notes)
}

#[test]
fn a_step_is_told_with_its_parameters_and_the_violation_with_its_reason() {
    let text = checked("steps", "INVARIANT TypeOK", &["--view", "text"], 1, &[]).0;
    let head = text.split("states,").next().unwrap_or_default();
    let expected = r#"1: Init  (Pump.tla:6:1)
   x = 0
   pc = (p1 :> "idle" @@ p2 :> "idle")
2: Start(p = p1)  (Pump.tla:7:1)
   pc = (p1 :> "busy" @@ p2 :> "idle")
3: Add(p = p1, k = 1)  (Pump.tla:8:1)
   x = 1
   pc = (p1 :> "idle" @@ p2 :> "idle")
4: Start(p = p1)  (Pump.tla:7:1)
   pc = (p1 :> "busy" @@ p2 :> "idle")
5: Add(p = p1, k = 2)  (Pump.tla:8:1)
   x = 3
   pc = (p1 :> "idle" @@ p2 :> "idle")
violated: invariant `TypeOK`, in 4 steps
TypeOK is false: its 2nd conjunct `x \in 0..N` (Pump.tla:16:14), where x = 3
"#;
    assert!(head.starts_with(expected), "{text}");
}

#[test]
fn programs_get_parameters_and_reasons_too() {
    let text = checked("json", "INVARIANT TypeOK", &["--format", "json"], 1, &[]).0;
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let last = &report["trace"]["states"][4];
    assert_eq!(last["parameters"]["k"], "2", "{text}");
    assert_eq!(last["parameters"]["p"], "p1", "{text}");
    assert!(
        report["why"]
            .as_str()
            .is_some_and(|it| it.contains("2nd conjunct")),
        "{text}"
    );
}

#[test]
fn a_negated_quantifier_is_explained_by_its_witness() {
    let why = r#"NoneBusy is false: `pc[p] = "busy"` is true (Pump.tla:17:31), where p = p1"#;
    checked("witness", "INVARIANT NoneBusy", &[], 1, &[why]);
}

#[test]
fn an_alias_is_shown_instead_of_the_variables() {
    let parts = ["   step = 2\n   by = \"Start\"\n", "   sum = 1\n"];
    let folder = folder("alias", "ALIAS Shown\nINVARIANT TypeOK");
    let output = babbage(
        &folder,
        &["check", "Pump.tla", "--config", "M.cfg", "--view", "text"],
    );
    let text = stdout(&output);
    for part in parts {
        assert!(text.contains(part), "no {part:?} in\n{text}{}", stderr(&output));
    }
    assert!(!text.contains("   pc ="), "{text}");
}

#[test]
fn postconditions_know_the_numbers_of_the_run() {
    let parts = ["violated: postcondition Few", "TLCGet(\"stats\").distinct = 16"];
    checked("postcondition", "POSTCONDITION Few", &[], 1, &parts);
}

#[test]
fn postconditions_know_the_counterexample() {
    let notes = checked(
        "counterexample",
        "INVARIANT TypeOK\nPOSTCONDITION Told",
        &[],
        1,
        &["violated: invariant"],
    )
    .1;
    assert!(notes.lines().any(|it| it == "1"), "{notes}");
}

#[test]
fn what_must_be_possible_is_looked_for() {
    checked("possible", "_POSSIBLE Full Rises", &[], 0, &["holds"]);
    let parts = [
        "violated: postcondition High",
        "no state and no step satisfies `High`",
    ];
    checked("impossible", "_POSSIBLE High", &[], 1, &parts);
}

#[test]
fn what_was_checked_is_listed_with_its_verdict() {
    let asked = "INVARIANT TypeOK NoneBusy\nPROPERTY Spec\nPOSTCONDITION Few";
    let (text, _) = checked("listed", asked, &["--format", "json"], 1, &[]);
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let told = |kind: &str, name: &str, verdict: &str| serde_json::json!({ "kind": kind, "name": name, "verdict": verdict });
    assert_eq!(
        report["checked"],
        serde_json::json!([
            told("invariant", "TypeOK", "unknown"),
            told("invariant", "NoneBusy", "violated"),
            told("property", "Spec", "unknown"),
            told("postcondition", "Few", "unknown"),
        ])
    );
    let all = "checked: invariant Low holds, property Spec holds";
    checked("listed-all", "INVARIANT Low\nPROPERTY Spec", &[], 0, &[all]);
    checked(
        "listed-none",
        "",
        &["--max-depth", "1"],
        3,
        &["checked: nothing but"],
    );
}

/// As the specification wants it: what it has seen holds.
#[test]
fn a_specification_ends_its_own_run() {
    let ended = "holds for what was searched: ended by `TLCSet(\"exit\", TRUE)`";
    let asked = "INVARIANT TypeOK\nCONSTRAINT Stop";
    let open = "checked: invariant TypeOK is not decided";
    checked("ended", asked, &["--workers", "1"], 0, &[ended, open]);
}

const PARTS: &str = r#"---- MODULE Parts ----
EXTENDS Naturals, TLC, Shared
CONSTANT F(_), G(_, _)
VARIABLE x
Init == x = F(0)
Up(k) == x < Top /\ x' = x + k
Next == (\E k \in {1, 2} : Up(k)) \/ x' = 0
Inv == x <= Top + 1
Sums == F(1) = 5 /\ G(1, 2) = 7 /\ Apply(F, 1) = 5
Itself == /\ {it.name : it \in TLCGet("spec").actions} = {"Up", "Next"}
          /\ TLCGet("spec").inits = {[name |-> "Init", location |->
               [beginLine |-> 5, beginColumn |-> 9, endLine |-> 5, endColumn |-> 16, module |-> "Parts"]]}
          /\ {it.name : it \in TLCGet("spec").invariants} = {"Inv", "Sums"}
          /\ {it.name : it \in TLCGet("spec").variables} = {"x"}
====
"#;

#[test]
fn modules_come_from_libraries() {
    let folder = folder("libraries", "");
    let shared =
        "---- MODULE Shared ----\nLOCAL INSTANCE Naturals\nTop == 3\nApply(Op(_), v) == Op(v)\n====\n";
    for (name, text) in [("first", None), ("second", Some(shared))] {
        fs::create_dir_all(folder.join(name)).expect("a folder to write to");
        if let Some(text) = text {
            fs::write(folder.join(name).join("Shared.tla"), text).expect("a file to write");
        }
    }
    fs::write(folder.join("Parts.tla"), PARTS).expect("a file to write");
    let config = "CONSTANTS F(0) = 1 F(1) = 5 G(1, 2) = 7\nINIT Init NEXT Next\nINVARIANT Inv Sums\nPOSTCONDITION Itself\n";
    fs::write(folder.join("Parts.cfg"), config).expect("a file to write");
    let output = babbage(&folder, &["check", "Parts.tla"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let named = ["check", "Parts.tla", "--library", "first", "--library", "second"];
    let output = babbage(&folder, &named);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(["check", "Parts.tla"])
        .env(
            "TLA_PATH",
            std::env::join_paths(["first", "second"]).expect("paths"),
        )
        .current_dir(&folder)
        .output()
        .expect("the binary runs");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
}

#[test]
fn constraints_bound_the_search() {
    checked("constraint", "CONSTRAINT Small", &[], 0, &["8 distinct states"]);
    checked(
        "action-constraint",
        "ACTION_CONSTRAINT NoTwo",
        &[],
        0,
        &["16 distinct states"],
    );
}

#[test]
fn an_action_that_was_never_enabled_is_said_so() {
    let notes = checked("never", "", &[], 0, &["holds"]).1;
    assert!(
        notes.contains("this action was never enabled: `Never`"),
        "{notes}"
    );
    let text = checked("coverage", "", &["--coverage"], 0, &["never enabled"]).0;
    let line = |name: &str| {
        let mut lines = text
            .lines()
            .filter(|it| it.split_whitespace().next() == Some(name));
        let words = lines.next_back().unwrap_or_default().split_whitespace();
        words.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(line("Next")[..3], ["Next", "evaluated", "16"], "{text}");
    assert_eq!(line("Start")[..3], ["Start", "evaluated", "32"], "{text}");
}

#[test]
fn a_composed_step_is_one_of_the_whole() {
    let folder = folder("composed", "");
    let module = "---- MODULE Cdot ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nInc == x < 3 /\\ x' = x + 1\n\
                  Double == x' = 2 * x\nBoth == Inc \\cdot Double\nNext == Inc \\/ Both\n====\n";
    fs::write(folder.join("Cdot.tla"), module).expect("a file to write");
    let output = babbage(&folder, &["check", "Cdot.tla", "--no-deadlock", "--coverage"]);
    let (text, notes) = (stdout(&output), stderr(&output));
    assert!(notes.is_empty(), "{notes}");
    assert!(
        text.lines().any(|it| it.contains("Both") && it.contains("taken")),
        "{text}"
    );
}

#[test]
fn options_say_what_to_check() {
    let mut arguments = GIVEN.to_vec();
    arguments.extend(["--no-deadlock", "--invariant", "x <= N", "--view", "text"]);
    let text = asked("invariant", &arguments, 1).0;
    assert!(
        text.contains("violated: invariant `x <= N`, in 4 steps"),
        "{text}"
    );
    assert!(
        text.contains("x <= N is false: `x <= N` (--invariant:1:1), where x = 3"),
        "{text}"
    );

    let mut arguments = GIVEN.to_vec();
    arguments.extend([
        "--init",
        "x = 2 /\\ pc = [p \\in Proc |-> \"idle\"]",
        "--next",
        "UNCHANGED vars",
    ]);
    let text = asked("init-next", &arguments, 0).0;
    assert!(text.contains("1 distinct states"), "{text}");

    let mut arguments = GIVEN.to_vec();
    arguments.extend([
        "--spec",
        "Init /\\ [][\\E p \\in Proc : Start(p)]_vars",
        "--no-deadlock",
    ]);
    let text = asked("spec", &arguments, 0).0;
    assert!(text.contains("4 distinct states"), "{text}");

    let mut arguments = GIVEN.to_vec();
    arguments.extend([
        "--property",
        "[][x' >= x + 1]_x",
        "--property",
        "[][x' # 3]_x",
        "--no-deadlock",
    ]);
    let text = asked("property", &arguments, 1).0;
    assert!(
        text.contains("violated: action property `[][x' # 3]_x`"),
        "{text}"
    );
}

#[test]
fn constants_are_expressions_or_model_values_or_definitions() {
    for (test, n) in [("sum", "N=1 + 1"), ("word", "N <- Two"), ("hex", "N=\\h2")] {
        let folder = folder(test, "");
        let module = PUMP.replace("Init ==", "Two == 2\nInit ==");
        fs::write(folder.join("Pump.tla"), module).expect("a file to write");
        let arguments = [
            "check",
            "Pump.tla",
            "--constant",
            n,
            "--constant",
            "Proc={a, b}",
            "--no-deadlock",
        ];
        let output = babbage(&folder, &arguments);
        assert!(
            stdout(&output).contains("16 distinct states"),
            "{n}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    }
    // The option comes before the configuration.
    checked("over", "", &["--constant", "N=1"], 0, &["12 distinct states"]);
}

#[test]
fn a_mistake_in_an_option_is_shown_in_its_text() {
    let mut arguments = GIVEN.to_vec();
    arguments.extend(["--invariant", "x <= M"]);
    let notes = asked("unbound", &arguments, 2).1;
    assert!(
        notes.contains("`M` is not declared\n --> --invariant:1:6"),
        "{notes}"
    );

    let mut arguments = GIVEN.to_vec();
    arguments.extend(["--invariant", "x <= "]);
    let notes = asked("incomplete", &arguments, 2).1;
    assert!(notes.contains("--> --invariant:1:3"), "{notes}");

    let mut arguments = GIVEN.to_vec();
    arguments.extend(["--invariant", "x' = x"]);
    let notes = asked("level", &arguments, 2).1;
    assert!(
        notes.contains("the invariant `x' = x` must be a state function at most"),
        "{notes}"
    );
    assert!(!notes.contains("CommandLine"), "{notes}");

    let mut arguments = GIVEN.to_vec();
    arguments.extend(["--invariant", "x = \"a\""]);
    let notes = asked("kind", &arguments, 2).1;
    assert!(notes.contains("--> --invariant:1:1"), "{notes}");

    let notes = asked("no-value", &["--constant", "N"], 2).1;
    assert!(notes.starts_with("error["), "{notes}");
}

#[test]
fn the_same_seed_gives_the_same_walks() {
    let folder = folder("walks", "INVARIANT TypeOK");
    let walk = |seed: &str, workers: &str| {
        let arguments = [
            "simulate",
            "Pump.tla",
            "--config",
            "M.cfg",
            "--seed",
            seed,
            "--workers",
            workers,
        ];
        let output = babbage(&folder, &[&arguments[..], &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(report["violation"]["name"], "TypeOK");
        (report["trace"].to_string(), report["states"].to_string())
    };
    assert_eq!(walk("7", "1"), walk("7", "1"));
    assert_eq!(walk("7", "1"), walk("7", "3"));
    let seeds = ["1", "2", "3", "4", "5"];
    assert!(seeds.iter().any(|it| walk(it, "1") != walk("7", "1")));
}

#[test]
fn walks_end_where_they_are_told_to() {
    let folder = folder("some-walks", "");
    let arguments = [
        "simulate", "Pump.tla", "--config", "M.cfg", "--traces", "20", "--depth", "5",
    ];
    let output = babbage(&folder, &arguments);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(
        text.starts_with("holds on these random walks\n20 walks, 100 states"),
        "{text}"
    );

    fs::write(
        folder.join("M.cfg"),
        "CONSTANTS N = 2 Proc = {p1}\nSPECIFICATION Spec\nCONSTRAINT Stop\nCHECK_DEADLOCK FALSE\n",
    )
    .expect("a file to write");
    let output = babbage(
        &folder,
        &["simulate", "Pump.tla", "--config", "M.cfg", "--traces", "1000000"],
    );
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
}

const GRID: &str = r"---- MODULE Grid ----
EXTENDS Naturals
VARIABLES a, b, c, d
Init == a = 0 /\ b = 0 /\ c = 0 /\ d = 0
Next == \/ a < 90 /\ a' = a + 1 /\ UNCHANGED <<b, c, d>>
        \/ b < 90 /\ b' = b + 1 /\ UNCHANGED <<a, c, d>>
        \/ c < 90 /\ c' = c + 1 /\ UNCHANGED <<a, b, d>>
        \/ d < 90 /\ d' = d + 1 /\ UNCHANGED <<a, b, c>>
====
";

/// A hundred million subsets are looked at for one state: in a test of a step, in an invariant, and in an assumption.
#[test]
fn time_ends_a_single_evaluation_too() {
    const LONG: &str = r"---- MODULE Long ----
EXTENDS Integers, FiniteSets
VARIABLE x
Many == SUBSET (1..26)
Slow(n) == \A s, t \in Many : Cardinality(s) + Cardinality(t) + n < 100
Init == x = 0
Next == x' = 1 - x /\ Slow(x)
Stay == UNCHANGED x
====
";
    let folder = folder("long", "");
    fs::write(folder.join("Long.tla"), LONG).expect("a file to write");
    let assumed = LONG
        .replace("MODULE Long", "MODULE Given")
        .replace("Init ==", "ASSUME Slow(0)\nInit ==");
    fs::write(folder.join("Given.tla"), assumed).expect("a file to write");
    let asked = [
        &["check", "Long.tla", "--timeout", "1"][..],
        &[
            "check",
            "Long.tla",
            "--next",
            "Stay",
            "--invariant",
            "Slow(x)",
            "--timeout",
            "1",
        ],
        &["check", "Given.tla", "--next", "Stay", "--timeout", "1"],
    ];
    for arguments in asked {
        let start = std::time::Instant::now();
        let output = babbage(&folder, arguments);
        assert_eq!(
            output.status.code(),
            Some(3),
            "{arguments:?}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains("eval-interrupted"),
            "{}",
            stderr(&output)
        );
        assert!(
            start.elapsed().as_secs() < 30,
            "{arguments:?} took {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn at_a_limit_the_answer_is_unknown() {
    let folder = folder("limits", "");
    fs::write(folder.join("Grid.tla"), GRID).expect("a file to write");
    let limits = [
        (["--memory", "4M"], "unknown: ended by memory"),
        (["--timeout", "300ms"], "unknown: ended by time"),
        (["--timeout", "0.005m"], "unknown: ended by time"),
        (["--max-states", "1000"], "unknown: ended by states"),
        (["--max-depth", "10"], "unknown: ended by depth"),
    ];
    for (limit, expected) in limits {
        let output = babbage(
            &folder,
            &[&["check", "Grid.tla", "--no-deadlock"], &limit[..]].concat(),
        );
        assert_eq!(output.status.code(), Some(3), "{limit:?}: {}", stderr(&output));
        let text = stdout(&output);
        assert!(
            text.contains(expected) && text.contains(" distinct states, "),
            "{text}"
        );
    }
    let output = babbage(&folder, &["check", "Grid.tla", "--timeout", "5x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no unit of time"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn an_interrupt_shows_what_was_found_so_far() {
    let folder = folder("interrupt", "");
    fs::write(folder.join("Grid.tla"), GRID).expect("a file to write");
    let child = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(["check", "Grid.tla", "--no-deadlock", "--timeout", "60"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.is_ok_and(|it| it.success()));
    let output = child.wait_with_output().expect("it ends");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.starts_with("unknown: interrupted"), "{text}");
    assert!(text.contains(" distinct states, "), "{text}");
}

#[test]
fn a_prompt_takes_definitions_and_goes_on_over_lines() {
    let folder = folder("prompt", "");
    let input = "x == 3\nx +\n  4\nf(a) ==\n  a * x\nf(5)\n{1,\n 2}\nx == 4\nf(1)\n/\\ TRUE\n/\\ FALSE\n\n\
                 fact[n \\in 0..9] == IF n = 0 THEN 1 ELSE n * fact[n - 1]\nfact[9]\n:quit\n99\n";
    let output = piped(&folder, &["eval"], input);
    assert_eq!(
        stdout(&output),
        "7\n15\n{1, 2}\n4\nFALSE\n362880\n",
        "{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(0));

    let output = piped(&folder, &["eval"], "1 + y\n2 + 2\n:help\n");
    assert!(stdout(&output).starts_with("4\n"), "{}", stdout(&output));
    assert!(
        stderr(&output).contains(" --> expression:1:5"),
        "{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_prompt_knows_the_definitions_and_constants_of_a_specification() {
    let folder = folder("prompt-in", "");
    fs::rename(folder.join("M.cfg"), folder.join("Pump.cfg")).expect("a file to rename");
    let output = piped(
        &folder,
        &["eval", "--in", "Pump.tla"],
        "Proc\ntwice == N * 2\ntwice\n",
    );
    assert_eq!(stdout(&output), "{p1, p2}\n4\n", "{}", stderr(&output));
    let output = babbage(&folder, &["eval", "Cardinality({N})", "--in", "Pump.tla"]);
    assert_eq!(output.status.code(), Some(2));
    let output = babbage(&folder, &["eval", "[p \\in Proc |-> N]", "--in", "Pump.tla"]);
    assert_eq!(stdout(&output), "(p1 :> 2 @@ p2 :> 2)\n", "{}", stderr(&output));
}

#[test]
fn help_tells_the_exit_status() {
    for arguments in [&["--help"][..], &["check", "--help"], &["simulate", "--help"]] {
        let output = babbage(Path::new("."), arguments);
        assert!(
            stdout(&output).contains("Exit status:\n  0 "),
            "{}",
            stdout(&output)
        );
    }
}
