//! The audit notices what the engine gets wrong, and the answer is right all the same.

#[path = "support/example.rs"]
mod example;

use example::{Checking, found, run_with};
use workbench::{Audit, CheckOptions, CheckReport, Verdict, check};

/// Two processes that count; the steps of one leave the other alone, so tables know most of them.
const COUNTERS: &str = "---- MODULE Wrong ----
EXTENDS Naturals
VARIABLES at, n
Proc == 1..3
Init == at = [p \\in Proc |-> 0] /\\ n = 0
Up(p) == at[p] < 3 /\\ at' = [at EXCEPT ![p] = @ + 1] /\\ n' = n + 1
Next == \\E p \\in Proc : Up(p)
Sum == n = at[1] + at[2] + at[3]
Few == n < 7
====
INIT Init
NEXT Next
INVARIANTS Sum Few
CHECK_DEADLOCK FALSE
";

/// Without a clock: no audit takes any time, so there is time for each.
fn checked(options: CheckOptions) -> CheckReport {
    let timeless: Checking = |file, options, effects, _| check(file, options, effects, &());
    run_with(COUNTERS, &options, timeless).1
}

fn spoilt(audit: Audit) -> CheckReport {
    checked(CheckOptions {
        spoilt_tables: true,
        audit,
        ..CheckOptions::default()
    })
}

#[test]
fn a_wrong_table_gives_a_wrong_answer() {
    let (right, wrong) = (checked(CheckOptions::default()), spoilt(Audit::Off));
    assert_eq!(right.verdict, Verdict::Violated);
    assert!(right.mismatch.is_none());
    assert_ne!(found(&right), found(&wrong), "else the test shows nothing");
}

#[test]
fn the_audit_notices_and_the_answer_is_right() {
    let right = checked(CheckOptions::default());
    for audit in [Audit::Sample, Audit::Full] {
        let report = spoilt(audit);
        assert!(report.mismatch.is_some(), "{audit:?}");
        assert_eq!(found(&report), found(&right), "{audit:?}");
        assert_eq!(report.diagnostics[0].code, "audit-mismatch");
    }
}

#[test]
fn a_full_audit_looks_at_every_state() {
    let report = checked(CheckOptions {
        audit: Audit::Full,
        keep_going: true,
        ..CheckOptions::default()
    });
    assert_eq!((report.distinct, report.audit.inspected), (64, 64));
    // Those on the way to the violation are asked once more.
    assert!(report.audit.expanded >= 64, "{:?}", report.audit);
    assert_eq!(report.audit.undecided, 0);
}
