//! Random walks: the same for every number of workers, with frequencies that are those of the model, inside the constraints, and made
//! shorter only to what is a behaviour too.

mod support;

use support::{Files, parsed};
use workbench::effects::NoEffects;
use workbench::{
    Audit, CheckOptions, CheckReport, Counting, Overrides, Replay, Share, SimulateOptions, TlaFile, Verdict,
    check, simulate,
};

fn file(text: &str, counting: &Counting) -> TlaFile {
    parsed(
        "M.tla",
        &Files::of(text),
        &counting.overrides(Overrides::default()),
    )
}

fn walked(text: &str, options: &SimulateOptions, counting: &Counting) -> CheckReport {
    let file = file(text, counting);
    assert!(!file.has_errors(), "{:?}", file.diagnostics);
    simulate(&file, options, counting, &NoEffects::default(), &())
}

fn counting(goal: &str, histogram: &str) -> Counting {
    let asked = |it: &str| (!it.is_empty()).then(|| it.to_owned());
    Counting {
        goal: asked(goal),
        histogram: asked(histogram),
    }
}

fn options(walks: u64, depth: u32) -> SimulateOptions {
    SimulateOptions {
        walks: Some(walks),
        depth,
        seed: 7,
        distinct: true,
        ..SimulateOptions::default()
    }
}

/// Chance decides twice: which step, and how far it goes.
const CHANCE: &str = "---- MODULE M ----
EXTENDS Integers, TLC
VARIABLES x, y
Init == x = 0 /\\ y \\in 0..2
Far == x' = x + RandomElement(1..5) /\\ UNCHANGED y
Back == x > 3 /\\ x' = x - 1 /\\ y' \\in 0..2
Next == Far \\/ Back
Small == x < 60
====
\\* M.cfg
INIT Init
NEXT Next
INVARIANT Small
";

#[test]
fn walks_are_the_same_for_every_number_of_workers() {
    for keep_going in [false, true] {
        let runs = [1, 2, 3].map(|workers| {
            let options = SimulateOptions {
                check: CheckOptions {
                    workers,
                    keep_going,
                    ..CheckOptions::default()
                },
                ..options(400, 40)
            };
            let report = walked(CHANCE, &options, &counting("x = 20", "<<x, y>>"));
            let walks = report.simulation.expect("there are walks");
            assert_eq!(report.walks.is_some_and(|it| it < 400), !keep_going);
            let trace: Vec<Vec<_>> = report.trace.iter().map(|it| it.texts().collect()).collect();
            format!(
                "{:?} {} {} {:?} {trace:?} {walks:?} {:?}",
                report.verdict, report.generated, report.distinct, report.walks, report.actions
            )
        });
        assert_eq!(runs[0], runs[1]);
        assert_eq!(runs[0], runs[2]);
    }
}

#[test]
fn another_seed_gives_other_walks() {
    let histogram = |seed| {
        let options = SimulateOptions {
            seed,
            ..options(50, 9)
        };
        let report = walked(CHANCE, &options, &counting("", "x"));
        report.simulation.expect("there are walks").histogram
    };
    assert_eq!(histogram(1), histogram(1));
    assert_ne!(histogram(1), histogram(2));
}

const LEFT_RIGHT: &str = "---- MODULE M ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Left == x' = x - 1
Right == x' = x + 1
Next == Left \\/ Right
====
\\* M.cfg
INIT Init
NEXT Next
";

/// Three and a half standard deviations are enough not to be chance: the seed is always the same.
fn is_within(share: &Share, probability: f64) {
    let of = share.of as f64;
    let deviation = (probability * (1.0 - probability) / of).sqrt();
    let apart = (share.n as f64 / of - probability).abs();
    assert!(apart < 3.5 * deviation, "{share:?} for {probability}");
    assert!(share.low < share.n as f64 / of && share.n as f64 / of < share.high);
}

#[test]
fn frequencies_are_binomial_where_steps_are_a_coin() {
    let report = walked(LEFT_RIGHT, &options(16_000, 5), &counting("x = 4", "x"));
    let walks = report.simulation.expect("there are walks");
    assert_eq!((walks.walks, &walks.depths[..]), (16_000, &[(5, 16_000)][..]));
    is_within(&walks.goal.expect("there is a goal"), 1.0 / 16.0);
    let values: Vec<&str> = walks.histogram.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(values, ["-4", "-2", "0", "2", "4"]);
    for ((value, n), ways) in walks.histogram.iter().zip([1, 4, 6, 4, 1]) {
        // Four standard deviations.
        let p = f64::from(ways) / 16.0;
        let deviation = (16_000.0 * p * (1.0 - p)).sqrt();
        assert!((*n as f64 - 16_000.0 * p).abs() < 4.0 * deviation, "{value}: {n}");
    }
    // All of it: -4..4 in steps of one, and nothing else.
    assert_eq!(walks.distinct, Some(9));
}

#[test]
fn weights_make_actions_likelier() {
    let with = |weight: f64| {
        let options = SimulateOptions {
            weights: vec![("Right".to_owned(), weight)],
            ..options(30_000, 5)
        };
        let report = walked(LEFT_RIGHT, &options, &counting("x = 4", ""));
        report
            .simulation
            .expect("there are walks")
            .goal
            .expect("there is a goal")
    };
    is_within(&with(3.0), 0.75f64.powi(4));
    assert_eq!(with(0.0).n, 0);
    let unknown = SimulateOptions {
        weights: vec![("Rihgt".to_owned(), 2.0)],
        ..options(10, 5)
    };
    let report = walked(LEFT_RIGHT, &unknown, &Counting::default());
    assert_eq!(report.verdict, Verdict::Error);
    assert_eq!(report.diagnostics[0].code, "no-such-action");
}

/// An action first, then one of its steps: an action with many steps is no likelier than one with a single step. Of a conjunction that is
/// the whole relation, the parts are actions.
#[test]
fn an_action_is_chosen_before_its_step() {
    let of = |next: &str| {
        let text = format!(
            "---- MODULE M ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\\ y = 0
One == x = 0 /\\ x' = 1
Many == x = 0 /\\ x' \\in 2..10
Never == x = 1 /\\ x' = 11
Two == x = 0 /\\ (x' = 12 \\/ x' = 13)
Next == {next}
====
\\* M.cfg
INIT Init
NEXT Next
CHECK_DEADLOCK FALSE
"
        );
        let report = walked(&text, &options(30_000, 2), &counting("x = 1", ""));
        report
            .simulation
            .expect("there are walks")
            .goal
            .expect("there is a goal")
    };
    is_within(&of("((One \\/ Many) /\\ y' = y) \\/ (Never /\\ y' = y)"), 0.1);
    is_within(
        &of("(One /\\ y' = y) \\/ (Many /\\ y' = y) \\/ (Never /\\ y' = y)"),
        0.5,
    );
    is_within(&of("(One /\\ y' = y) \\/ (Two /\\ y' = y)"), 0.5);
    is_within(&of("(One \\/ Many \\/ Never) /\\ y' = y"), 0.5);
    is_within(
        &of("\\E i \\in 1..3 : IF i = 1 THEN One /\\ y' = y ELSE Many /\\ y' = y"),
        1.0 / 3.0,
    );
}

#[test]
fn walks_stay_inside_the_constraints() {
    let text = "---- MODULE M ----
EXTENDS Integers
VARIABLE x
Init == x \\in 0..9
Next == x' \\in x-3..x+3
Inside == x \\in 2..7
Even == (x + x') % 2 = 0
====
\\* M.cfg
INIT Init
NEXT Next
CONSTRAINT Inside
ACTION_CONSTRAINT Even
";
    let report = walked(text, &options(500, 20), &counting("x \\notin 2..7", "x"));
    assert_eq!(report.verdict, Verdict::Holds);
    let walks = report.simulation.expect("there are walks");
    assert_eq!(walks.goal.expect("there is a goal").n, 0);
    assert_eq!(walks.histogram.len(), 6);
    assert_eq!(walks.depths, [(20, 500)]);
    // What is outside breaks an invariant all the same, as in TLC.
    let strict = text.replace("CONSTRAINT Inside", "INVARIANT Inside\nCONSTRAINT Inside");
    let strict = strict.replace("x \\in 0..9", "x \\in 2..7");
    let report = walked(&strict, &options(500, 20), &Counting::default());
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.replay, Replay::Confirmed);
}

/// A walk about a grid, with a long way round to a forbidden place.
const WANDER: &str = "---- MODULE M ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\\ y = 0
Go == \\E d \\in {<<0, 1>>, <<1, 0>>, <<0, -1>>, <<-1, 0>>} : x' = x + d[1] /\\ y' = y + d[2]
Next == Go /\\ x' \\in 0..6 /\\ y' \\in 0..6
Safe == ~(x = 4 /\\ y = 3)
NoJump == [][~(x = 3 /\\ x' = 4 /\\ y = 3)]_<<x, y>>
====
\\* M.cfg
INIT Init
NEXT Next
";

#[test]
fn a_walk_is_shrunk_to_a_behaviour_with_the_same_violation() {
    for (property, name) in [("INVARIANT Safe", "Safe"), ("PROPERTY NoJump", "NoJump")] {
        let text = format!("{WANDER}{property}\n");
        for seed in 0..8 {
            let long = SimulateOptions {
                seed,
                shrink: 0,
                ..options(1000, 300)
            };
            let short = SimulateOptions {
                shrink: 100_000,
                ..long.clone()
            };
            let long = walked(&text, &long, &Counting::default());
            let short = walked(&text, &short, &Counting::default());
            for report in [&long, &short] {
                assert_eq!(report.verdict, Verdict::Violated);
                assert_eq!(report.violation.as_ref().expect("violated").name, name);
                assert_eq!(report.replay, Replay::Confirmed);
            }
            // Seven steps is the least.
            assert_eq!(short.trace.len(), 8);
            let from = short.simulation.expect("there are walks").shrunk_from;
            assert_eq!(from, (long.trace.len() > 8).then_some(long.trace.len() as u32));
        }
    }
}

/// What holds at a depth alone cannot be had sooner: the walk stays as it was.
#[test]
fn what_depends_on_the_depth_is_not_shrunk() {
    let text = WANDER.replace("EXTENDS Integers", "EXTENDS Integers, TLC");
    let text = text.replace("Safe ==", "Early == TLCGet(\"level\") < 30\nSafe ==") + "INVARIANT Early\n";
    let report = walked(&text, &options(10, 100), &Counting::default());
    assert_eq!((report.verdict, report.trace.len()), (Verdict::Violated, 30));
    assert_eq!(report.simulation.expect("there are walks").shrunk_from, None);
}

#[test]
fn deadlocks_and_errors_are_found_on_the_way() {
    let text = "---- MODULE M ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == (x < 5 /\\ x' = x + 1) \\/ (x > 8 /\\ x' = 0)
====
\\* M.cfg
INIT Init
NEXT Next
";
    let report = walked(text, &options(10, 100), &Counting::default());
    assert_eq!((report.verdict, report.trace.len()), (Verdict::Violated, 6));
    let wrong = text.replace("x > 8 /\\ x' = 0", "x = 3 /\\ x' = x + \"a\"");
    let report = walked(&wrong, &options(100, 100), &Counting::default());
    let same = check(
        &file(&wrong, &Counting::default()),
        &CheckOptions::default(),
        &NoEffects::default(),
        &(),
    );
    assert_eq!(report.verdict, Verdict::Error);
    assert_eq!(
        format!("{:?}", report.diagnostics),
        format!("{:?}", same.diagnostics)
    );
    assert_eq!(report.trace.len(), 4);
}

#[test]
fn a_full_audit_of_walks_finds_nothing() {
    let check = CheckOptions {
        audit: Audit::Full,
        ..CheckOptions::default()
    };
    let options = SimulateOptions {
        check,
        ..options(20, 12)
    };
    for text in [WANDER, LEFT_RIGHT] {
        let report = walked(text, &options, &Counting::default());
        assert!(report.mismatch.is_none(), "{:?}", report.mismatch);
        assert!(
            report.audit.expanded > 100 && report.audit.undecided == 0,
            "{:?}",
            report.audit
        );
    }
}

/// The way to a state is known on a walk, and each worker has registers of its own.
#[test]
fn a_walk_knows_its_trace_and_its_worker_its_registers() {
    let text = "---- MODULE M ----
EXTENDS Integers, Sequences, TLC, TLCExt
VARIABLE x
ASSUME TLCSet(1, 0)
Init == x = 0
Next == x' = x + 1 /\\ TLCSet(1, TLCGet(1) + 1)
Known == Len(Trace) = TLCGet(\"level\") /\\ \\A i \\in DOMAIN Trace : Trace[i].x = i - 1
RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))
All == Sum(TLCGet(\"all\")[1]) = 90
====
\\* M.cfg
INIT Init
NEXT Next
INVARIANT Known
POSTCONDITION All
";
    for workers in [1, 2, 3] {
        let check = CheckOptions {
            workers,
            ..CheckOptions::default()
        };
        let options = SimulateOptions {
            check,
            ..options(10, 10)
        };
        let report = walked(text, &options, &Counting::default());
        assert_eq!(
            report.verdict,
            Verdict::Holds,
            "{workers} {:?} {:?}",
            report.violation,
            report.diagnostics
        );
    }
}

const BASE: &str = "---- MODULE Base ----
EXTENDS Naturals
CONSTANT Server
VARIABLES voted, x
Nil == CHOOSE v : v \\notin Server
Clear == voted = [s \\in Server |-> Nil] /\\ x = 0
Vote(s, t) == voted[s] = Nil /\\ voted' = [voted EXCEPT ![s] = t] /\\ UNCHANGED x
Step == x' = x + 1 /\\ UNCHANGED voted
Move == x < 5 /\\ Step
Both == Move \\/ UNCHANGED <<voted, x>>
====
---- MODULE M ----
EXTENDS Base
Sys == INSTANCE Base
SimStep == x % 2 = 0 /\\ Sys!Step
Init == Sys!Clear
Next == Sys!Both \\/ \\E s, t \\in Server : Sys!Vote(s, t)
TypeOK == voted \\in [Server -> Server \\cup {Nil}]
Same == Sys!Nil = Nil
Small == x <= 1
====
\\* M.cfg
CONSTANT Server = {a, b}
INIT Init
NEXT Next
INVARIANTS TypeOK Same
";

/// `Sys == INSTANCE M` beside `EXTENDS M` puts nothing else for any name: what `Sys!A` calls is what `A` calls. A configuration replaces `A`
/// for both, and `Sys!A` itself is how a replacement speaks of what `A` was.
#[test]
fn an_instance_of_what_the_module_extends_is_replaced_with_it() {
    let replaced = |constants: &str, more: &str| {
        let text = format!("{BASE}CHECK_DEADLOCK FALSE\nINVARIANT {more}\n");
        let text = text.replace("CONSTANT Server =", &format!("{constants}CONSTANT Server ="));
        let report = walked(&text, &options(100, 20), &Counting::default());
        let file = file(&text, &Counting::default());
        let same = check(&file, &CheckOptions::default(), &NoEffects::default(), &());
        assert_eq!(report.verdict, same.verdict, "{:?}", same.diagnostics);
        (same.verdict, same.violation.map(|it| it.name))
    };
    assert_eq!(replaced("CONSTANT Nil = nil\n", "TypeOK"), (Verdict::Holds, None));
    assert_eq!(replaced("", "TypeOK"), (Verdict::Holds, None));
    assert_eq!(
        replaced("CONSTANT Step <- SimStep\n", "Small"),
        (Verdict::Holds, None)
    );
    let violated = (Verdict::Violated, Some("Small".to_owned()));
    assert_eq!(replaced("", "Small"), violated);
}

/// `_PERIODIC` is evaluated at the end of a run of walks too, before the postcondition; where it is false, that is told.
#[test]
fn a_periodic_expression_is_evaluated_at_the_end() {
    let text = |periodic: &str| {
        format!(
            "---- MODULE M ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Next == x' = x + 1
Store == TLCSet(5, TRUE)
No == 1 = 2
Wrong == \"a\" + 1 = 2
Stored == TLCGet(5)
====
\\* M.cfg
INIT Init
NEXT Next
_PERIODIC {periodic}
"
        )
    };
    let walked = |text: &str| walked(text, &options(10, 10), &Counting::default());
    let stores = text("Store");
    let report = walked(&(stores + "POSTCONDITION Stored\n"));
    assert_eq!(report.verdict, Verdict::Holds, "{:?}", report.diagnostics);
    let report = walked(&text("No"));
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.violation.expect("violated").name, "No");
    assert_eq!(walked(&text("Wrong")).verdict, Verdict::Error);
}
