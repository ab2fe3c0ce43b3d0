//! Whatever searches a model is audited: random walks, solutions, games, theorems and sets of rules, not checks alone.
//!
//! Each question is asked three times: of the engine as it is, of one with a mistake in its fast path, and of the same one with an audit.

mod support;

use support::{Files, parsed};
use workbench::effects::NoEffects;
use workbench::{
    Aim, Audit, AuditReport, CheckOptions, Counting, Mismatch, Overrides, Sets, SimulateOptions,
    SolveOptions, SolveQuestion, Spoilt, StrategyQuestion, TableOptions, check_theorems, rule_table,
    simulate, solve, strategy,
};

/// Each process reads its own count alone, so what one did in a state tables repeat in many, and one that is done is passed over.
const COUNTERS: &str = "---- MODULE M ----
EXTENDS Naturals
VARIABLES at, turn
vars == <<at, turn>>
Proc == 1..3
Init == at = [p \\in Proc |-> 0] /\\ turn = 0
Up(p) == at[p] < 3 /\\ turn' = 1 - turn /\\ at' = [at EXCEPT ![p] = @ + 1]
Next == \\E p \\in Proc : Up(p)
Spec == Init /\\ [][Next]_vars
Done == \\A p \\in Proc : at[p] = 3
Open == ~Done
MoveX == turn = 0 /\\ Next
MoveO == turn = 1 /\\ Next
THEOREM Spec => []Open
====
\\* M.cfg
SPECIFICATION Spec
INVARIANT Open
CHECK_DEADLOCK FALSE
";

/// The choice depends on one name: its values are remembered.
const RULES: &str = "---- MODULE M ----
EXTENDS Naturals
VARIABLES x, y
Round == x = 0 /\\ [][\\E k \\in {x % 2} : x' = (x + (CHOOSE i \\in 1..5 : i > k)) % 7]_x
Flip == y = 0 /\\ [][y' = 1 - y]_y
Spec == Round /\\ Flip
Never == x # 1
====
\\* M.cfg
SPECIFICATION Spec
INVARIANT Never
";

/// What is said, how much was audited, and the mistake that came to light.
type Said = (String, AuditReport, Option<Mismatch>);

const BOTH: [Audit; 2] = [Audit::Sample, Audit::Full];

/// `audits` that look at the state where the mistake shows: a sample passes over most that come late.
fn is_put_right(what: Spoilt, audits: &[Audit], ask: impl Fn(CheckOptions) -> Said) {
    let options = |spoilt, audit| CheckOptions {
        spoilt,
        audit,
        ..CheckOptions::default()
    };
    let (right, audited, mismatch) = ask(options(None, Audit::Full));
    assert!(mismatch.is_none(), "{mismatch:?}");
    assert!(audited.expanded > 0 && audited.undecided == 0, "{audited:?}");
    let (wrong, audited, _) = ask(options(Some(what), Audit::Off));
    assert_ne!(right, wrong, "else the test shows nothing");
    assert_eq!(audited, AuditReport::default());
    for &audit in audits {
        let (put_right, _, mismatch) = ask(options(Some(what), audit));
        assert!(mismatch.is_some(), "{audit:?}");
        assert_eq!(right, put_right, "{audit:?}");
    }
}

#[test]
fn random_walks_are_audited() {
    is_put_right(Spoilt::Walks, &BOTH, |check| {
        let file = parsed("M.tla", &Files::of(COUNTERS), &Overrides::default());
        let options = SimulateOptions {
            walks: Some(20),
            depth: 20,
            seed: 1,
            check,
            ..SimulateOptions::default()
        };
        let (effects, counting) = (NoEffects::default(), Counting::default());
        let report = simulate(&file, &options, &counting, &effects, &());
        let said = format!("{:?} in {} states", report.verdict, report.trace.len());
        (said, report.audit, report.mismatch)
    });
}

#[test]
fn solutions_are_audited() {
    // The first is found by the search that checks invariants, the second by cost.
    for cost in [None, Some("1".to_owned())] {
        is_put_right(Spoilt::Dispatch, &BOTH, |check| {
            let question = SolveQuestion {
                goal: "Done".to_owned(),
                cost: cost.clone(),
                ..SolveQuestion::default()
            };
            let overrides = question.overrides(Overrides::default());
            let mut file = parsed("M.tla", &Files::of(COUNTERS), &overrides);
            let options = SolveOptions {
                check,
                ..SolveOptions::default()
            };
            let report = solve(&mut file, &question, &options, &NoEffects::default(), &(), None);
            let said = format!("{:?} {:?} {:?}", report.verdict, report.steps, report.cost);
            (said, report.search.audit, report.search.mismatch)
        });
    }
}

#[test]
fn games_are_audited() {
    // Moves as actions, and as turns in which the steps of the specification are a player's.
    for (x, o) in [("MoveX", "MoveO"), ("turn = 0", "turn = 1")] {
        is_put_right(Spoilt::Dispatch, &[Audit::Full], |check| {
            let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
            let question = StrategyQuestion {
                players: vec![pair("X", x), pair("O", o)],
                aim: Aim::Goal("Done".to_owned()),
                ..StrategyQuestion::default()
            };
            let overrides = question.overrides(Overrides::default());
            let mut file = parsed("M.tla", &Files::of(COUNTERS), &overrides);
            let report = strategy(&mut file, &question, &check, &NoEffects::default(), &(), None);
            let said = format!("{:?} {:?} {}", report.verdict, report.moves, report.positions);
            (said, report.search.audit, report.search.mismatch)
        });
    }
}

#[test]
fn theorems_are_audited() {
    is_put_right(Spoilt::Tables, &BOTH, |check| {
        let mut file = parsed("M.tla", &Files::of(COUNTERS), &Overrides::default());
        file.needs_no_behaviour();
        let reports = check_theorems(&mut file, &check, &NoEffects::default(), &(), &mut |_, _, _| {});
        let [it] = &reports[..] else { panic!("one theorem") };
        let said = format!("{:?} {}", it.verdict, it.report.trace.len());
        (said, it.report.audit, it.report.mismatch.clone())
    });
}

#[test]
fn sets_of_rules_are_audited() {
    is_put_right(Spoilt::Memos, &BOTH, |check| {
        let mut file = parsed("M.tla", &Files::of(RULES), &Overrides::default());
        file.turn_to_rules();
        let options = TableOptions {
            sets: Sets::Subsets,
            check,
        };
        let table = rule_table(&mut file, &options, &NoEffects::default(), &(), &mut |_| {});
        (format!("{:?}", table.rows), table.audit, table.mismatch)
    });
}
