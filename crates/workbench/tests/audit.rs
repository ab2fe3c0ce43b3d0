//! The audit notices what the engine gets wrong, whatever part of it, and the answer is right all the same.

#[path = "support/example.rs"]
mod example;

use example::{Checking, found, run_with};
use workbench::{Audit, CheckOptions, CheckReport, Difference, Spoilt, TlaFile, Verdict, check};

/// Processes that count; the steps of one leave the others alone, so tables know most of them, dispatch passes over those that are
/// done, and each count has a slot of its own.
const COUNTERS: &str = "---- MODULE Wrong ----
EXTENDS Naturals
VARIABLES at, n
Proc == 1..3
Init == at = [p \\in Proc |-> 0] /\\ n = 0
Up(p) == at[p] < 3 /\\ at' = [at EXCEPT ![p] = @ + 1] /\\ n' = n + 1
Next == \\E p \\in Proc : Up(p)
Sum == n = at[1] + at[2] + at[3]
Few == n < 9
====
INIT Init
NEXT Next
INVARIANTS Sum Few
CHECK_DEADLOCK FALSE
";

/// A loop that depends on two names: its values are remembered.
const WEIGHTS: &str = "---- MODULE Wrong ----
EXTENDS Naturals
VARIABLES n
Weight(p, k) == CHOOSE i \\in 1..12 : i * p >= k
Init == n = 0
Add(p) == n < 40 /\\ \\E k \\in {1 + (n % 3)} : n' = n + Weight(p, k)
Next == \\E p \\in 1..3 : Add(p)
Never == n # 42
====
INIT Init
NEXT Next
INVARIANT Never
CHECK_DEADLOCK FALSE
";

/// Two picks are the same up to a permutation of both, not of each by itself.
const PAIRS: &str = "---- MODULE Wrong ----
EXTENDS TLC
CONSTANTS a, b, c
VARIABLES one, two
P == {a, b, c}
Init == one = {} /\\ two = {}
One(p) == one = {} /\\ one' = {p} /\\ two' = two
Two(p) == one # {} /\\ two = {} /\\ two' = {p} /\\ one' = one
Next == \\E p \\in P : One(p) \\/ Two(p)
Symmetry == Permutations(P)
Same == one = {} \\/ two = {} \\/ one = two
====
CONSTANTS a = a b = b c = c
INIT Init
NEXT Next
SYMMETRY Symmetry
INVARIANT Same
CHECK_DEADLOCK FALSE
";

/// Fair steps of processes, with bound names, a `LET`, an argument and an instance around what temporal formulas ask for.
const FAIR: &str = "---- MODULE Wrong ----
EXTENDS Naturals
VARIABLES at, n
vars == <<at, n>>
Proc == 1..2
Init == at = [p \\in Proc |-> 0] /\\ n = 0
Up(p) == at[p] < 2 /\\ at' = [at EXCEPT ![p] = @ + 1] /\\ n' = n
Turn == at[1] = at[2] /\\ n' = (n + 1) % 3 /\\ at' = at
Next == Turn \\/ \\E p \\in Proc : Up(p)
Spec == Init /\\ [][Next]_vars /\\ (\\A p \\in Proc : WF_vars(Up(p))) /\\ SF_at(Up(1) /\\ n = 0) /\\ WF_vars(Next)
Rises(p, k) == LET low == at[p] < k IN <>[](~low)
All == \\A p \\in Proc : Rises(p, 2)
Counting == []<>(n = 1) => []<><<Turn>>_n
  ---- MODULE Sum ----
  VARIABLE s
  Rise == s < 4 /\\ s' = s + 1
  Live == WF_s(Rise) /\\ [][Rise]_s
  ====
S == INSTANCE Sum WITH s <- at[1] + at[2]
SLive == S!Live
====
SPECIFICATION Spec
PROPERTIES All Counting SLive
CHECK_DEADLOCK FALSE
";

/// Processes that count because they are fair: a behaviour may stop only where no process can go on.
const FAIR_COUNTERS: &str = "---- MODULE Wrong ----
EXTENDS Naturals
VARIABLE at
Proc == 1..2
Init == at = [p \\in Proc |-> 0]
Up(p) == at[p] < 2 /\\ at' = [at EXCEPT ![p] = @ + 1]
Next == \\E p \\in Proc : Up(p)
Spec == Init /\\ [][Next]_at /\\ \\A p \\in Proc : WF_at(Up(p))
All == <>(at[1] + at[2] = 4)
====
SPECIFICATION Spec
PROPERTY All
CHECK_DEADLOCK FALSE
";

/// Every step belongs to the fair action, so nobody compares what the plain evaluator cannot compare.
const KINDS: &str = "---- MODULE Wrong ----
VARIABLES x, y
vars == <<x, y>>
Init == x = 1 /\\ y = 0
Next == x' = x /\\ y' = {}
Spec == Init /\\ [][Next]_{} /\\ SF_vars(Next)
Live == []<>TRUE
====
SPECIFICATION Spec
PROPERTY Live
";

/// An excluded step that breaks both an invariant of its target and a property of steps.
const EXCLUDED: &str = "---- MODULE Wrong ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\\ y = FALSE
Next == x' = 1 /\\ y' \\in BOOLEAN
Inv == ~y
Step == [][~y']_x
Never == 0 > 1
====
INIT Init
NEXT Next
INVARIANT Inv
PROPERTY Step
ACTION_CONSTRAINT Never
";

/// Without a clock: no audit takes any time, so there is time for each.
fn checked_file(text: &str, options: CheckOptions) -> (TlaFile, CheckReport) {
    let timeless: Checking = |file, options, effects, _| check(file, options, effects, &());
    run_with(text, &options, timeless)
}

fn checked(text: &str, options: CheckOptions) -> CheckReport {
    checked_file(text, options).1
}

fn spoilt(text: &str, what: Spoilt, audit: Audit) -> CheckReport {
    checked(
        text,
        CheckOptions {
            spoilt: Some(what),
            audit,
            ..CheckOptions::default()
        },
    )
}

/// A mistake, a specification that it gives another answer for, and what the audit says.
const MISTAKES: [(Spoilt, &str, &[Difference]); 6] = [
    (Spoilt::Tables, COUNTERS, &[Difference::Steps]),
    (Spoilt::Dispatch, COUNTERS, &[Difference::Steps]),
    (Spoilt::Slots, COUNTERS, &[Difference::Steps]),
    (Spoilt::Memos, WEIGHTS, &[Difference::Steps]),
    (Spoilt::Labels, FAIR_COUNTERS, &[Difference::Labels]),
    (Spoilt::Representatives, PAIRS, &[Difference::Representative]),
];

#[test]
fn a_mistake_gives_a_wrong_answer() {
    for (what, text, _) in MISTAKES {
        let right = checked(text, CheckOptions::default());
        let wrong = spoilt(text, what, Audit::Off);
        assert!(right.mismatch.is_none(), "{what:?}: {:?}", right.mismatch);
        assert_ne!(
            found(&right),
            found(&wrong),
            "{what:?}: else the test shows nothing"
        );
        assert!(
            wrong.mismatch.is_none() && wrong.audit == Default::default(),
            "{what:?}"
        );
    }
}

#[test]
fn the_audit_notices_and_the_answer_is_right() {
    for (what, text, differences) in MISTAKES {
        let right = checked(text, CheckOptions::default());
        for audit in [Audit::Sample, Audit::Full] {
            let report = spoilt(text, what, audit);
            let difference = report.mismatch.as_ref().map(|it| it.difference);
            assert!(
                difference.is_some_and(|it| differences.contains(&it)),
                "{what:?} {audit:?}: {:?}",
                report.mismatch
            );
            assert_eq!(found(&report), found(&right), "{what:?} {audit:?}");
            assert_eq!(report.diagnostics[0].code, "audit-mismatch");
        }
    }
}

/// One worker makes the mistake, whichever it is.
#[test]
fn each_of_several_workers_is_audited() {
    let right = checked(COUNTERS, CheckOptions::default());
    let report = checked(
        COUNTERS,
        CheckOptions {
            workers: 2,
            spoilt: Some(Spoilt::Tables),
            audit: Audit::Full,
            ..CheckOptions::default()
        },
    );
    assert!(report.mismatch.is_some());
    assert_eq!(found(&report), found(&right));
}

#[test]
fn a_full_audit_looks_at_every_state() {
    let report = checked(
        COUNTERS,
        CheckOptions {
            audit: Audit::Full,
            keep_going: true,
            ..CheckOptions::default()
        },
    );
    assert_eq!((report.distinct, report.audit.inspected), (64, 64));
    // Those on the way to the violation are asked once more.
    assert!(report.audit.expanded >= 64, "{:?}", report.audit);
    assert_eq!(report.audit.undecided, 0);
}

/// With tables, slots and links, and without any of them: what temporal formulas ask is what the plain evaluator finds.
#[test]
fn a_full_audit_looks_at_every_label() {
    for (tables, slots) in [(true, true), (false, false)] {
        let report = checked(
            FAIR,
            CheckOptions {
                audit: Audit::Full,
                tables,
                slots,
                ..CheckOptions::default()
            },
        );
        assert!(report.mismatch.is_none(), "{:?}", report.mismatch);
        assert_eq!(report.verdict, Verdict::Holds, "{}", found(&report));
        assert_eq!(
            (report.audit.labelled, report.audit.undecided),
            (report.distinct, 0)
        );
    }
}

/// What the engine has no need to evaluate, or tells before something else, is no difference.
#[test]
fn an_audit_raises_no_false_alarm() {
    for text in [KINDS, EXCLUDED] {
        for (tables, slots) in [(true, true), (false, false)] {
            let options = CheckOptions {
                tables,
                slots,
                audit: Audit::Off,
                ..CheckOptions::default()
            };
            let audited = CheckOptions {
                audit: Audit::Full,
                ..options
            };
            let report = checked(text, audited);
            assert!(report.mismatch.is_none(), "{:?}", report.mismatch);
            assert_ne!(report.audit, Default::default(), "else the test shows nothing");
            assert_eq!(found(&report), found(&checked(text, options)));
        }
    }
}

/// Every image of every state that is searched has the same representative, and it is an image.
#[test]
fn a_full_audit_looks_at_representatives() {
    let report = checked(
        PAIRS,
        CheckOptions {
            audit: Audit::Full,
            keep_going: true,
            ..CheckOptions::default()
        },
    );
    assert!(report.mismatch.is_none(), "{:?}", report.mismatch);
    assert!(report.audit.expanded >= report.distinct, "{:?}", report.audit);
}

/// What is written for a report is enough to see the mistake again: modules and configuration as they were.
#[test]
fn the_document_reproduces_the_mistake() {
    for (what, text, _) in MISTAKES {
        let options = CheckOptions {
            spoilt: Some(what),
            audit: Audit::Full,
            ..CheckOptions::default()
        };
        let (file, report) = checked_file(text, options);
        let first = report.mismatch.expect("a mistake");
        let document = first.document(&file, &options);
        for (name, value) in &first.state {
            assert!(document.contains(&format!("/\\ {name} = {value}")), "{document}");
        }
        assert!(document.contains(&first.engine) && document.contains(&first.plain));
        let module = section(&document, "Wrong.tla");
        let end = module.find("\n====\n").expect("its last line") + 6;
        let again = module[..end].to_owned() + &section(&document, "Wrong.cfg");
        let second = checked(&again, options).mismatch.expect("the same mistake");
        assert_eq!(first.state, second.state, "{what:?}");
        assert_eq!((first.engine, first.plain), (second.engine, second.plain));
    }
}

/// The text under a heading, between its fences.
fn section(document: &str, name: &str) -> String {
    let start = document
        .find(&format!("\n## {name}\n"))
        .unwrap_or_else(|| panic!("{name} in\n{document}"));
    let mut lines = document[start..].lines().skip_while(|it| !it.starts_with("```"));
    let fence = lines.next().expect("a fence");
    let text: Vec<&str> = lines.take_while(|&it| it != fence).collect();
    text.join("\n") + "\n"
}
