//! Verdicts on theorems, as text or JSON.

use std::process::ExitCode;

use diag::Diagnostic;
use serde_json::{Value, json};
use source::Sources;
use workbench::{AuditReport, Status, TheoremReport, TheoremVerdict};

use crate::args::Format;
use crate::audit::{audit_json, audit_line};
use crate::output::out;
use crate::progress::grouped;
use crate::report;
use crate::verdict::{Show, counterexample_text, lasso_json, trace_json};

/// Shows what became of all theorems, and says what the exit status is. `diagnostics` are about the file itself.
pub fn show(
    reports: &[TheoremReport],
    diagnostics: &[Diagnostic],
    sources: &Sources,
    how: Show<'_>,
) -> ExitCode {
    let any = |status: Status| reports.iter().any(|it| it.verdict.status() == status);
    let is_wrong = diagnostics.iter().any(Diagnostic::is_error);
    let status = match () {
        () if any(Status::OwnBug) => Status::OwnBug,
        () if is_wrong => Status::Wrong,
        () if any(Status::Bad) => Status::Bad,
        () if any(Status::Unknown) => Status::Unknown,
        () => Status::Good,
    };
    match how.format {
        Format::Json => {
            let rows: Vec<Value> = diagnostics.iter().map(|it| report::json(it, sources)).collect();
            let theorems: Vec<Value> = reports.iter().map(|it| theorem_json(it, sources)).collect();
            let all = json!({
                "language": "tla+",
                "verdict": status.name(),
                "theorems": theorems,
                "diagnostics": rows,
                "seconds": how.seconds,
            });
            out(&all.to_string());
        }
        Format::Text => {
            report::diagnostics(diagnostics, sources);
            for it in reports {
                let told = it.report.diagnostics.iter();
                let told: Vec<Diagnostic> = told.filter(|it| it.code == "audit-mismatch").cloned().collect();
                report::diagnostics(&told, sources);
            }
            if !is_wrong {
                out(&text(reports, how));
            }
        }
    }
    ExitCode::from(status.code())
}

/// Counterexamples first, so that the table is what one sees at the end.
fn text(reports: &[TheoremReport], how: Show<'_>) -> String {
    let mut text = String::new();
    for it in reports.iter().filter(|it| it.verdict == TheoremVerdict::Violated) {
        text += &format!("{} is false  ({})\n", it.theorem.statement, it.theorem.location);
        text += &rules_text(it, "  ");
        text += &counterexample_text(&it.report, how);
        text += "\n";
    }
    if reports.is_empty() {
        return "the module has no theorems\n".to_string();
    }
    text += &format!("  {:<13} {:>9}  {:>7}  theorem\n", "verdict", "states", "time");
    for it in reports {
        text += &row(it);
    }
    let count = |verdict: TheoremVerdict| reports.iter().filter(|it| it.verdict == verdict).count();
    text += &format!(
        "{}: {} hold",
        report::counted(reports.len(), "theorem"),
        count(TheoremVerdict::Holds)
    );
    for (n, what) in [
        (count(TheoremVerdict::Violated), "false"),
        (count(TheoremVerdict::NotCheckable), "not checkable"),
        (count(TheoremVerdict::Unknown), "unknown"),
    ] {
        if n > 0 {
            text += &format!(", {n} {what}");
        }
    }
    text += &format!(", {:.2} s\n", how.seconds);
    let audits = reports.iter().map(|it| it.report.audit);
    text + &audit_line(audits.fold(AuditReport::default(), AuditReport::and))
}

fn row(it: &TheoremReport) -> String {
    const INDENT: &str = "                                    ";
    let states = match it.verdict {
        TheoremVerdict::NotCheckable => String::new(),
        _ => grouped(it.report.distinct),
    };
    let name = it
        .theorem
        .name
        .as_ref()
        .map_or(String::new(), |it| format!("{it}: "));
    let mut text = format!(
        "  {:<13} {states:>9}  {:>5.2} s  {name}{}  ({})\n",
        it.verdict.name(),
        it.seconds,
        it.theorem.statement,
        it.theorem.location
    );
    if let Some(reason) = &it.reason {
        text += &format!("{INDENT}{reason}\n");
    }
    if it.verdict == TheoremVerdict::Violated {
        text += &format!("{INDENT}{}\n", how_it_fails(it));
    }
    text + &rules_text(it, INDENT)
}

fn how_it_fails(it: &TheoremReport) -> String {
    match (it.report.trace.loop_to, it.report.trace.len()) {
        (_, 0) => "false".to_string(),
        (Some(_), n) => format!(
            "fails: a behaviour of {}, then for ever",
            report::counted(n, "state")
        ),
        (None, 1) => "fails in an initial state".to_string(),
        (None, n) => format!("fails in {}", report::counted(n - 1, "step")),
    }
}

/// The rules in force, and those that one could miss.
fn rules_text(it: &TheoremReport, indent: &str) -> String {
    let mut text = String::new();
    if !it.rules.is_empty() {
        text += &wrapped(&format!("rules in force: {}", it.rules.join(", ")), indent);
    }
    if !it.left_out.is_empty() && it.verdict == TheoremVerdict::Violated {
        let shown = |(name, at): &(String, Option<String>)| match at {
            Some(at) => format!("{name} ({at})"),
            None => format!("{name} (switched off)"),
        };
        let all: Vec<String> = it.left_out.iter().map(shown).collect();
        text += &wrapped(&format!("not among them: {}", all.join(", ")), indent);
    }
    text
}

/// Lines of at most a hundred characters or so.
fn wrapped(text: &str, indent: &str) -> String {
    const WIDTH: usize = 78;
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split(' ') {
        if line.chars().count() + word.chars().count() > WIDTH && !line.is_empty() {
            lines += &format!("{indent}{}\n", line.trim_end());
            line = "  ".to_string();
        }
        line += word;
        line += " ";
    }
    lines + &format!("{indent}{}\n", line.trim_end())
}

fn theorem_json(it: &TheoremReport, sources: &Sources) -> Value {
    let report = &it.report;
    let left_out = |(name, at): &(String, Option<String>)| json!({ "name": name, "location": at });
    json!({
        "name": it.theorem.name,
        "keyword": it.theorem.keyword,
        "statement": it.theorem.statement,
        "location": it.theorem.location,
        "verdict": it.verdict.name(),
        "reason": it.reason,
        "rules": it.rules,
        "left_out": it.left_out.iter().map(left_out).collect::<Vec<_>>(),
        "states": { "generated": report.generated, "distinct": report.distinct, "depth": report.depth },
        "violation": report.violation.as_ref().map(|it| json!({ "kind": it.kind.name(), "name": it.name })),
        "why": report.why,
        "trace": trace_json(report),
        "lasso": lasso_json(report),
        "diagnostics": report.diagnostics.iter().map(|it| report::json(it, sources)).collect::<Vec<_>>(),
        "audit": audit_json(report.audit, report.mismatch.as_ref()),
        "seconds": it.seconds,
    })
}
