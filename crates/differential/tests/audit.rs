//! A mistake of the engine comes to light in every way of searching, and the answer is right all the same.

use differential::modes::{Mode, report};
use testkit::Specification;
use workbench::{Audit, CheckOptions, CheckReport, Spoilt, Verdict};

fn counters() -> Specification {
    let text = "---- MODULE M ----
EXTENDS Naturals
VARIABLES at, n
Proc == 1..3
Init == at = [p \\in Proc |-> 0] /\\ n = 0
Up(p) == at[p] < 3 /\\ at' = [at EXCEPT ![p] = @ + 1] /\\ n' = n + 1
Next == \\E p \\in Proc : Up(p)
Few == n < 9
====
";
    let config = "INIT Init\nNEXT Next\nINVARIANT Few\nCHECK_DEADLOCK FALSE\n";
    Specification {
        modules: vec![("M".to_owned(), text.to_owned())],
        config: config.to_owned(),
        is_standard: true,
    }
}

fn checked(mode: Mode, spoilt: Option<Spoilt>, audit: Audit) -> CheckReport {
    let options = CheckOptions {
        spoilt,
        audit,
        ..CheckOptions::default()
    };
    report(&counters(), mode, &options)
}

/// The verdict and the counterexample.
fn found(report: &CheckReport) -> String {
    let states: Vec<_> = report.trace.iter().map(|it| &it.values).collect();
    format!("{:?} {states:?}", report.verdict)
}

/// Those that use tables.
const MODES: [Mode; 7] = [
    Mode::Default,
    Mode::NoSlots,
    Mode::TwoWorkers,
    Mode::Fingerprint,
    Mode::Disk,
    Mode::Resumed,
    Mode::Processes,
];

#[test]
fn every_way_of_searching_is_audited() {
    for mode in MODES {
        let right = checked(mode, None, Audit::Full);
        assert!(right.mismatch.is_none(), "{mode:?}: {:?}", right.mismatch);
        assert_eq!(right.verdict, Verdict::Violated, "{mode:?}");
        assert!(right.audit.expanded > 0 && right.audit.inspected > 0, "{mode:?}");
        let wrong = checked(mode, Some(Spoilt::Tables), Audit::Off);
        assert_ne!(found(&right), found(&wrong), "{mode:?}: else nothing is shown");
        let put_right = checked(mode, Some(Spoilt::Tables), Audit::Full);
        assert!(put_right.mismatch.is_some(), "{mode:?}");
        assert_eq!(found(&put_right), found(&right), "{mode:?}");
        assert_eq!(put_right.diagnostics[0].code, "audit-mismatch", "{mode:?}");
    }
}

/// All processes together audit each state once, and one of them tells how many that were.
#[test]
fn processes_audit_what_is_theirs() {
    let alone = checked(Mode::Default, None, Audit::Full);
    let together = checked(Mode::Processes, None, Audit::Full);
    assert_eq!(alone.audit.inspected, together.audit.inspected);
    assert_eq!(together.audit.undecided, 0);
}
