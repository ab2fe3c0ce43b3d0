//! What an answer says, without what may differ from way to way: memory, time, and the words of warnings.

use workbench::{CheckReport, Replay, Verdict};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    pub verdict: String,
    pub violation: Option<(String, String)>,
    /// Codes and titles.
    pub errors: Vec<(String, String)>,
    pub distinct: u64,
    pub generated: u64,
    pub depth: u32,
    /// A line for each state, with the step that led to it.
    pub trace: Vec<String>,
    /// How the behaviour goes on for ever.
    pub lasso: Option<(usize, bool)>,
    /// For each action, how often it was taken and how many states it found.
    pub actions: Vec<(String, u64, u64)>,
    pub replay: String,
    /// The limit that ended it.
    pub limit: Option<String>,
}

impl Answer {
    pub fn of(report: &CheckReport) -> Answer {
        let errors = report.diagnostics.iter().filter(|it| it.is_error());
        let state = |it: &workbench::TraceState| {
            let variables: Vec<String> = it
                .variables
                .iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            format!("{}: {}", it.step(), variables.join(", "))
        };
        Answer {
            verdict: match report.verdict {
                Verdict::Holds => "holds",
                Verdict::Violated => "violated",
                Verdict::Error => "error",
                Verdict::Unknown => "unknown",
                Verdict::Internal => "internal",
            }
            .to_owned(),
            violation: report
                .violation
                .as_ref()
                .map(|it| (it.kind.to_owned(), it.name.clone())),
            errors: errors.map(|it| (it.code.to_owned(), it.title.clone())).collect(),
            distinct: report.distinct,
            generated: report.generated,
            depth: report.depth,
            trace: report.trace.iter().map(state).collect(),
            lasso: report.loop_to.map(|it| (it, report.stutters)),
            actions: report
                .actions
                .iter()
                .map(|it| (it.name.clone(), it.taken, it.found))
                .collect(),
            replay: match &report.replay {
                Replay::Nothing => "nothing".to_owned(),
                Replay::Confirmed => "confirmed".to_owned(),
                Replay::NotReplayed(why) => format!("not replayed: {why}"),
                Replay::Refuted(why) => format!("refuted: {why}"),
            },
            limit: report.limit.map(str::to_owned),
        }
    }

    /// The answer of a way that broke.
    pub fn broken(how: String) -> Answer {
        Answer {
            verdict: format!("panic: {how}"),
            ..Answer::default()
        }
    }

    pub fn is_panic(&self) -> bool {
        self.verdict.starts_with("panic")
    }

    /// Whether this way does not do what is asked for, and says so: infinite behaviours are decided on a graph in the memory
    /// of one process.
    pub fn is_refused(&self) -> bool {
        let refusals = ["liveness-needs-memory", "liveness-in-processes"];
        self.errors.iter().any(|it| refusals.contains(&it.0.as_str()))
    }

    /// Whether the work was cut short at a point that is another one in every mode.
    pub fn is_cut(&self) -> bool {
        self.limit.as_deref().is_some_and(|it| it != "states")
    }

    /// The first thing in which another mode's answer differs, and both sides.
    pub fn difference(&self, other: &Answer) -> Option<(&'static str, [String; 2])> {
        if self.is_cut() || other.is_cut() || other.is_refused() {
            return None;
        }
        fn differ(
            what: &'static str,
            a: &dyn std::fmt::Debug,
            b: &dyn std::fmt::Debug,
        ) -> Option<(&'static str, [String; 2])> {
            let (a, b) = (format!("{a:#?}"), format!("{b:#?}"));
            (a != b).then_some((what, [a, b]))
        }
        None.or_else(|| differ("verdict", &self.verdict, &other.verdict))
            .or_else(|| differ("violation", &self.violation, &other.violation))
            .or_else(|| differ("errors", &self.errors, &other.errors))
            .or_else(|| differ("distinct", &self.distinct, &other.distinct))
            .or_else(|| differ("generated", &self.generated, &other.generated))
            .or_else(|| differ("depth", &self.depth, &other.depth))
            .or_else(|| differ("trace", &self.trace, &other.trace))
            .or_else(|| differ("lasso", &self.lasso, &other.lasso))
            .or_else(|| differ("actions", &self.actions, &other.actions))
            .or_else(|| differ("replay", &self.replay, &other.replay))
            .or_else(|| differ("limit", &self.limit, &other.limit))
    }
}
