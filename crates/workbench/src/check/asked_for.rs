//! What a model asks for, by name, with what the search says of each.
//!
//! "Holds" alone says nothing about what was looked at: a configuration with a misspelt keyword, or an invariant in a comment, would
//! hold too. So every report lists what was checked.

use tla_eval::plan::Plan;
use tla_sema::Spec;
use tla_sema::ir::Statement;

use util::Symbol;

use super::{CheckReport, Checker, Verdict};
use crate::tla::TlaFile;
use crate::verdict::{CheckedKind, ViolationKind};

/// Something that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    pub kind: CheckedKind,
    /// Empty for deadlocks.
    pub name: String,
    pub verdict: Decided,
}

/// What a search says of one thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    Holds,
    Violated,
    /// The search ended before it was known.
    Open,
}

/// Lists what a model asks for, when the verdict is known. `is_temporal`: of the properties, those that are decided when all states
/// are known.
pub(super) fn list_checked(
    file: &TlaFile,
    checks_deadlock: bool,
    is_temporal: impl Fn(Symbol) -> bool,
    report: &mut CheckReport,
) {
    let violated = report.violation.as_ref().map(|it| it.kind);
    // The specification ended the search itself.
    let is_cut = report.limit.is_some();
    let mut checked: Vec<Checked> = vec![];
    let mut add = |kind: CheckedKind, name: String, is_done: bool| {
        let is_it = |it: &str| match kind {
            CheckedKind::Deadlock => violated == Some(ViolationKind::Deadlock) && it == name,
            CheckedKind::Assumption => violated == Some(ViolationKind::Assumption) && it == name,
            // `[]P` as a property is an invariant of the search.
            _ => {
                !matches!(
                    violated,
                    Some(ViolationKind::Deadlock | ViolationKind::Assumption)
                ) && it == name
            }
        };
        let found = report.violation.iter().any(|it| is_it(&it.name));
        let is_known = report
            .violated
            .iter()
            .any(|it| kind != CheckedKind::Deadlock && *it == name);
        let verdict = match report.verdict {
            Verdict::Holds
                if is_cut && !matches!(kind, CheckedKind::Assumption | CheckedKind::Postcondition) =>
            {
                Decided::Open
            }
            Verdict::Holds => Decided::Holds,
            Verdict::Violated if found || is_known => Decided::Violated,
            Verdict::Violated if is_done => Decided::Holds,
            _ => Decided::Open,
        };
        checked.push(Checked { kind, name, verdict });
    };
    // The search was complete when these were found to be false.
    let is_searched = matches!(
        violated,
        Some(ViolationKind::Liveness | ViolationKind::Postcondition)
    );
    for assumption in own_assumptions(&file.spec) {
        let name = assumption.name.map(|it| it.to_string());
        let name = name.unwrap_or_else(|| file.sources.location(assumption.span));
        let is_false = violated == Some(ViolationKind::Assumption);
        add(CheckedKind::Assumption, name, !is_false);
    }
    if let Some(model) = &file.model {
        let name = |it: &tla_sema::model::Formula| it.name.to_string();
        for it in &model.invariants {
            add(CheckedKind::Invariant, name(it), is_searched);
        }
        let mut names: Vec<(String, bool)> = vec![];
        for it in &model.properties {
            // A property may have become several.
            let is_done =
                violated == Some(ViolationKind::Postcondition) || is_searched && !is_temporal(it.name);
            if !names.iter().any(|known| known.0 == name(it)) {
                names.push((name(it), is_done));
            }
        }
        for (name, is_done) in names {
            add(CheckedKind::Property, name, is_done);
        }
        if checks_deadlock {
            add(CheckedKind::Deadlock, String::new(), is_searched);
        }
        for it in &model.possible {
            add(CheckedKind::Possible, name(it), false);
        }
        for it in &model.postconditions {
            add(CheckedKind::Postcondition, name(it), false);
        }
    }
    report.checked = checked;
}

impl Checker<'_, '_> {
    /// Whether a state without successors is a violation.
    pub(super) fn checks_deadlock(&self, plan: &Plan<'_>) -> bool {
        self.options.deadlock.unwrap_or(plan.check_deadlock) && !plan.next.is_empty()
    }

    pub(super) fn own_assumptions(&self) -> impl Iterator<Item = &Statement> {
        own_assumptions(self.spec())
    }
}

/// The assumptions that somebody wrote, not those of the library.
pub(super) fn own_assumptions(spec: &Spec) -> impl Iterator<Item = &Statement> {
    let is_library = |it: &Statement| {
        let mut others = spec.modules.iter().filter(|(_, module)| module.is_library);
        others.any(|(_, module)| module.assumptions.iter().any(|other| other.span == it.span))
    };
    let all = spec.root().into_iter().flat_map(|it| it.checked_assumptions());
    all.map(|it| it.0).filter(move |it| !is_library(it))
}
