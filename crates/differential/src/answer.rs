//! What an answer says, without what may differ from way to way: memory, time, and the words of warnings.

use std::fmt::Debug;

use workbench::{CheckReport, Replay, Verdict};

use crate::modes::Mode;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    pub verdict: String,
    pub violation: Option<(String, String)>,
    /// Codes and titles.
    pub errors: Vec<(String, String)>,
    pub distinct: u64,
    pub generated: u64,
    pub depth: u32,
    /// A line for each state, with the action that led to it.
    pub trace: Vec<String>,
    /// The actions of the trace with their parameters.
    pub steps: Vec<String>,
    /// How the behaviour goes on for ever.
    pub lasso: Option<(usize, bool)>,
    /// For each action, how often it was taken and how many states it found.
    pub actions: Vec<(String, u64, u64)>,
    pub replay: String,
    /// The limit that ended it.
    pub limit: Option<String>,
    /// Whether formulas about infinite behaviours are part of the question.
    pub is_temporal: bool,
}

impl Answer {
    pub fn of(report: &CheckReport) -> Answer {
        let errors = report.diagnostics.iter().filter(|it| it.is_error());
        let state = |it: &workbench::TraceState| {
            let variables: Vec<String> = it
                .texts()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            format!("{}: {}", it.action, variables.join(", "))
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
                .map(|it| (it.kind.name().to_owned(), it.name.clone())),
            errors: errors.map(|it| (it.code.to_owned(), it.title.clone())).collect(),
            distinct: report.distinct,
            generated: report.generated,
            depth: report.depth,
            trace: report.trace.iter().map(state).collect(),
            steps: report.trace.iter().map(workbench::TraceState::step).collect(),
            lasso: report.trace.loop_to.map(|it| (it, report.stutters)),
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
            limit: report.limit.map(|it| it.name().to_owned()),
            is_temporal: false,
        }
    }

    /// The answer of a way that broke.
    pub fn broken(how: String) -> Answer {
        Answer {
            verdict: format!("panic: {how}"),
            ..Answer::default()
        }
    }

    /// Why it was not checked at all. Random specifications are made so that the language allows them, with errors that only evaluation meets.
    pub fn refusal(&self) -> Option<String> {
        let is_met = |code: &str| code.starts_with("eval-") || code == "no-initial-state";
        let refusal = self.errors.iter().find(|it| !is_met(&it.0));
        refusal.map(|(code, title)| format!("{code}: {title}"))
    }

    pub fn is_panic(&self) -> bool {
        self.verdict.starts_with("panic")
    }

    /// Whether the work was cut short at a point that is another one in every mode.
    pub fn is_cut(&self) -> bool {
        self.limit.as_deref().is_some_and(|it| it != "states")
    }

    /// The reference looks at infinite behaviours when it has all states: what is wrong with them, or with the formulas about them,
    /// it may know after something else, and after more states.
    fn is_told_at_another_time(&self, reference: &Answer) -> bool {
        let is_error = |it: &Answer| it.verdict == "error";
        let is_liveness = |it: &Answer| it.violation.as_ref().is_some_and(|it| it.0 == "liveness");
        let is_later = self.generated <= reference.generated;
        match (is_error(self), is_error(reference)) {
            (true, true) => is_later,
            // A behaviour that was replayed breaks its property, whatever a longer search finds besides.
            (false, false) => {
                let is_sure = self.replay == "confirmed" && reference.verdict == "violated";
                is_liveness(self) && (is_liveness(reference) || is_sure) && is_later
            }
            (true, false) | (false, true) => {
                let other = if is_error(self) { reference } else { self };
                self.is_temporal && other.verdict == "violated"
            }
        }
    }

    fn actions_taken(&self) -> Vec<(String, u64, u64)> {
        let mut taken: Vec<_> = self.actions.iter().filter(|it| it.1 > 0).cloned().collect();
        taken.sort();
        taken
    }

    /// The first thing in which another mode's answer differs, and both sides.
    pub fn difference(&self, other: &Answer, mode: Mode) -> Option<(&'static str, [String; 2])> {
        if self.is_cut() || other.is_cut() {
            return None;
        }
        let is_reference = mode == Mode::Reference;
        // A formula about behaviours is asked step by step, or after all steps of a state.
        let is_told_on_the_way = self.is_temporal && self.verdict == "error";
        if is_reference && self.is_told_at_another_time(other) {
            return None;
        }
        // Which lasso is found depends on the algorithm, and how an error is told on the evaluator.
        let tells_alike = !is_reference;
        let is_lasso = is_reference && self.lasso.is_some();
        // The reference learns of an action when it is taken.
        let actions = [self, other].map(|it| match is_reference {
            true => it.actions_taken(),
            false => it.actions.clone(),
        });
        let fields: [(&'static str, bool, [&dyn Debug; 2]); 12] = [
            ("verdict", true, [&self.verdict, &other.verdict]),
            ("violation", true, [&self.violation, &other.violation]),
            ("errors", tells_alike, [&self.errors, &other.errors]),
            ("distinct", true, [&self.distinct, &other.distinct]),
            (
                "generated",
                !is_told_on_the_way,
                [&self.generated, &other.generated],
            ),
            ("depth", true, [&self.depth, &other.depth]),
            ("trace", !is_lasso, [&self.trace, &other.trace]),
            ("steps", tells_alike, [&self.steps, &other.steps]),
            ("lasso", tells_alike, [&self.lasso, &other.lasso]),
            ("actions", !is_told_on_the_way, [&actions[0], &actions[1]]),
            ("replay", tells_alike, [&self.replay, &other.replay]),
            ("limit", true, [&self.limit, &other.limit]),
        ];
        fields.into_iter().filter(|it| it.1).find_map(|(what, _, sides)| {
            let [a, b] = sides.map(|it| format!("{it:#?}"));
            (a != b).then_some((what, [a, b]))
        })
    }
}
