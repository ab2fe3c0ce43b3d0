//! What is asked when a search or a simulation is over: possibilities and postconditions.

use tla_eval::compiled::Check;
use tla_eval::effects::Register;
use tla_eval::explain::explain;

use value::{Owned, Text};

use super::retell::Telling;
use super::{CheckReport, Checker, Verdict, Violated};
use crate::verdict::ViolationKind;

/// The register that says how often each possibility was seen.
const COUNTS: &str = "s:_possible";

impl Checker<'_, '_> {
    /// A postcondition is evaluated after a violation too, but then it no longer decides the verdict: nor does one that cannot be
    /// evaluated, which is told beside the violation.
    pub(super) fn ending(&self, report: &mut CheckReport) {
        if report.verdict == Verdict::Error {
            return;
        }
        if report.verdict == Verdict::Holds {
            let never = self.model.possible.unsatisfied().next();
            if let Some(check) = never {
                refuse(check, report);
                report.why = Some(format!("no state and no step satisfies `{}`", check.name));
            }
        }
        if let Some(counts) = self.model.possible.counts() {
            let seen = counts.iter().filter(|it| it.1 > 0);
            let seen: Vec<(String, Owned)> = seen
                .map(|(check, n)| (check.name.to_string(), Owned::Int(*n as i64)))
                .collect();
            let counts = Owned::record(seen.iter().map(|(name, n)| (name.as_str(), n.clone())));
            let register = Register::Name(Text::new(COUNTS));
            self.effects.registers().set(register, counts);
        }
        let effects = Telling::after(self.effects, report.counterexample.clone());
        for &check in &self.model.compiled.postconditions {
            match self.model.postcondition(check, report.depth, &effects) {
                Ok(true) => {}
                Ok(false) if report.verdict == Verdict::Holds => {
                    refuse(check, report);
                    report.why = self.why_at_the_end(check);
                }
                Ok(false) => {}
                Err(error) if report.verdict == Verdict::Violated => {
                    report.diagnostics.push(explain(&error, self.spec()));
                }
                Err(error) => return self.failed(&error, report),
            }
        }
    }
}

fn refuse(check: Check, report: &mut CheckReport) {
    report.verdict = Verdict::Violated;
    report.violation = Some(Violated {
        kind: ViolationKind::Postcondition,
        name: check.name.to_string(),
    });
}
