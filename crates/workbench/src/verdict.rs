//! The words of a verdict: what programs, people, the page and the shell are told, for every kind of question, in one place.
//!
//! An engine says what it found as data; nobody else puts it into words. So a verdict cannot be called one thing on the terminal and
//! another on the page, and what is compared is an enum, never a text.

use crate::alloy::{Answer, CommandReport};
use crate::check::{CheckReport, Verdict, Violated};
use crate::solve::SolveVerdict;
use crate::strategy::StrategyVerdict;
use crate::theorems::TheoremVerdict;

/// What a run says by its exit status.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Everything that was asked for holds.
    Good,
    /// A counterexample was found, or what was wanted was not.
    Bad,
    /// The specification, the configuration or the command line is wrong.
    Wrong,
    /// A limit was reached.
    Unknown,
    /// We are wrong.
    OwnBug,
}

impl Status {
    pub fn code(self) -> u8 {
        match self {
            Status::Good => 0,
            Status::Bad => 1,
            Status::Wrong => 2,
            Status::Unknown => 3,
            Status::OwnBug => 101,
        }
    }

    /// As the field `verdict` of a check has it. Programs are not to tell our mistakes from theirs: neither is an answer.
    pub fn name(self) -> &'static str {
        match self {
            Status::Good => "holds",
            Status::Bad => "violated",
            Status::Wrong | Status::OwnBug => "error",
            Status::Unknown => "unknown",
        }
    }
}

impl Verdict {
    pub fn status(self) -> Status {
        match self {
            Verdict::Holds => Status::Good,
            Verdict::Violated => Status::Bad,
            Verdict::Error => Status::Wrong,
            Verdict::Unknown => Status::Unknown,
            Verdict::Internal => Status::OwnBug,
        }
    }
}

impl SolveVerdict {
    pub fn status(self) -> Status {
        match self {
            SolveVerdict::Solved => Status::Good,
            SolveVerdict::Unreachable => Status::Bad,
            SolveVerdict::Error => Status::Wrong,
            SolveVerdict::Unknown => Status::Unknown,
            SolveVerdict::Internal => Status::OwnBug,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            SolveVerdict::Solved => "solved",
            SolveVerdict::Unreachable => "unreachable",
            other => other.status().name(),
        }
    }
}

impl StrategyVerdict {
    pub fn status(self) -> Status {
        match self {
            StrategyVerdict::Holds => Status::Good,
            StrategyVerdict::Fails => Status::Bad,
            StrategyVerdict::Error => Status::Wrong,
            StrategyVerdict::Unknown => Status::Unknown,
            StrategyVerdict::Internal => Status::OwnBug,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            StrategyVerdict::Fails => "fails",
            other => other.status().name(),
        }
    }
}

impl TheoremVerdict {
    /// What is not checkable says nothing against a module.
    pub fn status(self) -> Status {
        match self {
            TheoremVerdict::Holds | TheoremVerdict::NotCheckable => Status::Good,
            TheoremVerdict::Violated => Status::Bad,
            TheoremVerdict::Unknown => Status::Unknown,
            TheoremVerdict::Internal => Status::OwnBug,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            TheoremVerdict::NotCheckable => "not checkable",
            other => other.status().name(),
        }
    }
}

impl CommandReport {
    /// What the exit status would be if this were the only command.
    pub fn status(&self) -> Status {
        match self.answer {
            Answer::Error => Status::Wrong,
            Answer::Unknown => Status::Unknown,
            Answer::Sat | Answer::Unsat if self.is_as_wanted() => Status::Good,
            Answer::Sat | Answer::Unsat => Status::Bad,
        }
    }

    /// `check` or `run`.
    pub fn kind(&self) -> &'static str {
        match self.is_check {
            true => "check",
            false => "run",
        }
    }

    /// "an instance was found"
    pub fn line(&self) -> String {
        let n = self.instances.len();
        match (self.answer, self.is_check) {
            (Answer::Sat, false) if n == 1 => "an instance was found".into(),
            (Answer::Sat, true) if n == 1 => "a counterexample was found".into(),
            (Answer::Sat, false) => format!("{n} instances were found"),
            (Answer::Sat, true) => format!("{n} counterexamples were found"),
            (Answer::Unsat, false) => "no instance in this scope".into(),
            (Answer::Unsat, true) => "no counterexample in this scope".into(),
            (Answer::Unknown, _) => "stopped before an answer".into(),
            (Answer::Error, _) => "cannot be analysed".into(),
        }
    }
}

impl Answer {
    pub fn name(self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown => "unknown",
            Answer::Error => "error",
        }
    }
}

/// What was violated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ViolationKind {
    Invariant,
    ActionProperty,
    Liveness,
    Deadlock,
    Assumption,
    Assertion,
    Postcondition,
}

impl ViolationKind {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            ViolationKind::Invariant => "invariant",
            ViolationKind::ActionProperty => "action-property",
            ViolationKind::Liveness => "liveness",
            ViolationKind::Deadlock => "deadlock",
            ViolationKind::Assumption => "assumption",
            ViolationKind::Assertion => "assertion",
            ViolationKind::Postcondition => "postcondition",
        }
    }

    /// As a person reads it.
    fn words(self) -> &'static str {
        match self {
            ViolationKind::ActionProperty => "action property",
            ViolationKind::Liveness => "temporal property",
            other => other.name(),
        }
    }
}

impl std::fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a model can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CheckedKind {
    Assumption,
    Invariant,
    Property,
    Deadlock,
    Possible,
    Postcondition,
}

impl CheckedKind {
    pub fn name(self) -> &'static str {
        match self {
            CheckedKind::Assumption => "assumption",
            CheckedKind::Invariant => "invariant",
            CheckedKind::Property => "property",
            CheckedKind::Deadlock => "deadlock",
            CheckedKind::Possible => "possible",
            CheckedKind::Postcondition => "postcondition",
        }
    }
}

/// What ended a search before its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    Memory,
    States,
    Depth,
    Time,
    Interrupted,
    Disk,
    /// Of several processes one is lost.
    Processes,
    /// There is an answer, whatever follows.
    Decided,
    /// Not every temporal property can be decided.
    TemporalProperties,
    /// The specification ends its own run.
    Exit,
    /// One state took the reference checker too long.
    Fuel,
    /// The reference checker does not decide this.
    Refused,
}

impl Limit {
    /// As JSON has it, and after "ended by".
    pub fn name(self) -> &'static str {
        match self {
            Limit::Memory => "memory",
            Limit::States => "states",
            Limit::Depth => "depth",
            Limit::Time => "time",
            Limit::Interrupted => "interrupted",
            Limit::Disk => "disk",
            Limit::Processes => "the loss of a process",
            Limit::Decided => "an answer",
            Limit::TemporalProperties => "temporal properties",
            Limit::Exit => "`TLCSet(\"exit\", TRUE)`",
            Limit::Fuel => "the steps for one state",
            Limit::Refused => "what the reference checker decides",
        }
    }

    /// What is said of a search that has no answer for this reason.
    pub fn ended_by(limit: Option<Limit>) -> String {
        format!("ended by {}", limit.map_or("a limit", Limit::name))
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl From<explore::Limit> for Limit {
    fn from(limit: explore::Limit) -> Limit {
        match limit {
            explore::Limit::Memory => Limit::Memory,
            explore::Limit::States => Limit::States,
            explore::Limit::Depth => Limit::Depth,
            explore::Limit::Time => Limit::Time,
            explore::Limit::Cancelled => Limit::Interrupted,
            explore::Limit::Disk => Limit::Disk,
            explore::Limit::Processes => Limit::Processes,
            explore::Limit::Decided => Limit::Decided,
        }
    }
}

impl CheckReport {
    /// The verdict as a line of a terminal.
    pub fn line(&self) -> String {
        match (self.verdict, &self.violation) {
            (Verdict::Holds, _) if self.walks.is_some() => "holds on these random walks".to_owned(),
            (Verdict::Holds, _) if let Some(limit) = self.limit => {
                format!("holds for what was searched: ended by {limit}")
            }
            (Verdict::Holds, _) if self.generated == 0 => {
                "holds: there is no state to be searched".to_owned()
            }
            (Verdict::Holds, _) => "holds: every state was searched".to_owned(),
            (Verdict::Violated, Some(it)) => format!("violated: {}", self.violation_line(it)),
            (Verdict::Violated, None) => "violated".to_owned(),
            (Verdict::Error, _) => "error: the specification cannot be checked".to_owned(),
            (Verdict::Internal, _) => {
                "error: what was found is not true, which is a bug of babbage".to_owned()
            }
            (Verdict::Unknown, _) => match self.limit {
                Some(Limit::Interrupted) => "unknown: interrupted, this is what was found so far".to_owned(),
                Some(Limit::TemporalProperties) => {
                    "unknown: not every temporal property could be checked".to_owned()
                }
                limit => format!("unknown: {}", Limit::ended_by(limit)),
            },
        }
    }

    fn violation_line(&self, it: &Violated) -> String {
        let (kind, name) = (it.kind.words(), &it.name);
        match it.kind {
            ViolationKind::Deadlock => {
                let n = self.trace.len();
                format!("deadlock, the last of {n} states has no successor")
            }
            ViolationKind::Liveness => format!("{kind} `{name}`"),
            _ if self.trace.is_empty() => format!("{} {name}", it.kind),
            _ => {
                let steps = self.trace.len() - 1;
                format!("{kind} `{name}`, in {steps} steps")
            }
        }
    }

    /// The verdict as a sentence above the answer on the page.
    pub fn headline(&self) -> String {
        let steps = self.trace.len().saturating_sub(1);
        match (self.verdict, &self.violation) {
            (Verdict::Holds, _) if self.generated == 0 => "Holds: there is no state to be searched.".into(),
            (Verdict::Holds, _) => "Holds: every state was searched.".into(),
            (Verdict::Violated, Some(it)) => match it.kind {
                ViolationKind::Deadlock => format!("Deadlock after {steps} steps."),
                ViolationKind::Liveness => {
                    format!("{} is violated by a behaviour that goes on for ever.", it.name)
                }
                kind if self.trace.is_empty() => format!("Violated: {kind} {}", it.name),
                _ if steps == 1 => format!("{} is violated after 1 step.", it.name),
                _ => format!("{} is violated after {steps} steps.", it.name),
            },
            (Verdict::Violated, None) => "Violated.".into(),
            (Verdict::Error, _) => "The specification cannot be checked.".into(),
            (Verdict::Internal, _) => "What was found is not true, which is a bug of babbage.".into(),
            (Verdict::Unknown, _) => format!("Unknown: {}.", Limit::ended_by(self.limit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_the_same_in_every_word() {
        let report = |verdict, kind| CheckReport {
            verdict,
            violation: Some(Violated {
                kind,
                name: "P".to_owned(),
            }),
            ..CheckReport::default()
        };
        let told = |verdict: Verdict, kind| {
            let it = report(verdict, kind);
            (
                it.line(),
                it.headline(),
                verdict.status().name(),
                verdict.status().code(),
            )
        };
        assert_eq!(
            told(Verdict::Violated, ViolationKind::Liveness),
            (
                "violated: temporal property `P`".to_owned(),
                "P is violated by a behaviour that goes on for ever.".to_owned(),
                "violated",
                1
            )
        );
        assert_eq!(
            told(Verdict::Violated, ViolationKind::Assumption).0,
            "violated: assumption P"
        );
        assert_eq!(told(Verdict::Internal, ViolationKind::Invariant).3, 101);
        let ended = CheckReport {
            limit: Some(Limit::Interrupted),
            ..CheckReport::default()
        };
        assert_eq!(
            ended.line(),
            "unknown: interrupted, this is what was found so far"
        );
    }
}
