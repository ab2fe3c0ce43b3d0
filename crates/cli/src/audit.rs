//! What a second, plain evaluator thought of a run: how much it looked at, and the file to attach where it caught the engine in a
//! mistake.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use diag::Diagnostic;
use serde_json::{Value, json};
use workbench::{AuditReport, CheckOptions, Mismatch, TlaFile};

use crate::output::err;
use crate::progress::grouped;

/// How many states were looked at.
pub fn audit_line(audit: AuditReport) -> String {
    let AuditReport {
        expanded,
        inspected,
        labelled,
        undecided,
    } = audit;
    let mut text = match (expanded, inspected) {
        (0, 0) => String::new(),
        _ => format!(
            "audited: the steps of {} states, and what must be true of {}",
            grouped(expanded),
            grouped(inspected)
        ),
    };
    if labelled > 0 {
        text += &format!("; what temporal properties ask of {}", grouped(labelled));
    }
    if !text.is_empty() {
        text += "\n";
    }
    if undecided > 0 {
        text += &format!(
            "not audited: {} states, whose formulas depend on more than the state or take long\n",
            grouped(undecided)
        );
    }
    text
}

pub fn audit_json(audit: AuditReport, mismatch: Option<&Mismatch>) -> Value {
    json!({
        "expanded": audit.expanded,
        "inspected": audit.inspected,
        "marked": audit.labelled,
        "undecided": audit.undecided,
        "mismatch": mismatch.map(|it| json!({
            "difference": it.difference.name(),
            "state": it.state.iter().cloned().collect::<BTreeMap<_, _>>(),
            "level": it.level, "engine": it.engine, "plain": it.plain,
            "file": it.file,
        })),
    })
}

/// Writes what is needed to find a mistake of ours into a file, and names it in the report. Another process writes its own.
pub fn write_mismatch(
    mismatch: Option<&mut Mismatch>,
    diagnostics: &mut [Diagnostic],
    file: &TlaFile,
    options: &CheckOptions,
) {
    let Some(mismatch) = mismatch.filter(|it| !it.is_elsewhere()) else {
        return;
    };
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let n = WRITTEN.fetch_add(1, Relaxed);
    let name = format!("babbage-mismatch-{}-{n}.md", std::process::id());
    let path = std::env::temp_dir().join(name);
    if let Err(error) = std::fs::write(&path, mismatch.document(file, options)) {
        return err(&format!("{}: {error}", path.display()));
    }
    let path = path.display().to_string();
    let told = diagnostics.iter_mut().find(|it| it.code == "audit-mismatch");
    match told {
        Some(told) => told.notes.push(format!("the file to attach: {path}")),
        None => err(&format!("the file to attach: {path}")),
    }
    mismatch.file = Some(path);
}
