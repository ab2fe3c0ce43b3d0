//! Temporal properties, page by page: what each formula means, with the behaviours that violate it.

mod support;

use std::path::Path;

use support::Files;
use workbench::{CheckReport, Verdict};

/// The verdict, the lasso on one line a state, and the reasons.
fn told(report: &CheckReport) -> String {
    let mut text = match (&report.verdict, &report.violation) {
        (Verdict::Holds, _) => "holds".to_owned(),
        (Verdict::Unknown, _) => "unknown".to_owned(),
        (Verdict::Error, _) => "error".to_owned(),
        (Verdict::Internal, _) => "internal".to_owned(),
        (Verdict::Violated, it) => {
            let it = it.as_ref().expect("a violation has a name");
            format!("violated: {} {}", it.kind, it.name)
        }
    };
    for (i, state) in report.trace.iter().enumerate() {
        let values: Vec<String> = state.texts().map(|(name, it)| format!("{name} = {it}")).collect();
        text += &format!("\n{}: {}  ({})", i + 1, values.join(", "), state.action);
    }
    match report.trace.loop_to {
        Some(_) if report.stutters => text += "\nthen stutters for ever",
        Some(at) => text += &format!("\nthen back to state {}", at + 1),
        None => {}
    }
    for (name, before, after) in &report.abstract_step {
        text += &format!("\nabstract: {name} = {before} -> {after}");
    }
    for line in report.fairness.iter().chain(&report.failure) {
        text += &format!("\n{line}");
    }
    for it in report.diagnostics.iter().filter(|it| it.is_error()) {
        text += &format!("\nerror[{}]: {}", it.code, it.title);
    }
    text
}

/// The reference checker may find another behaviour, but not another verdict.
fn agrees_with_reference(files: &Files, report: &CheckReport, example: &str) {
    let reference = files.check_reference();
    let decided = [report, &reference].map(|it| {
        let violation = it.violation.as_ref().map(|it| (it.kind, it.name.clone()));
        (it.verdict, violation, it.distinct, it.generated)
    });
    if !matches!(reference.verdict, Verdict::Unknown) && !matches!(report.verdict, Verdict::Unknown) {
        let [engine, reference] = decided;
        assert_eq!(reference, engine, "the reference checker, for\n{example}");
    }
}

#[test]
fn properties_have_their_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/liveness");
    for page in testkit::files(&folder, "md") {
        let mut spec = String::new();
        testkit::check_literate(&page, |example| {
            if example.language == "tla" {
                spec = example.text.clone();
                return format!("{} definitions", spec.matches("==").count());
            }
            // A configuration for the specification before it.
            let name = spec
                .rsplit("MODULE ")
                .next()
                .and_then(|it| it.split_whitespace().next())
                .expect("a module");
            let files = Files::of(&format!("{spec}\\* {name}.cfg\n{}", example.text));
            let report = files.check().1;
            agrees_with_reference(&files, &report, &example.text);
            told(&report)
        });
    }
}
