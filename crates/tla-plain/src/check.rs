//! The whole check: assumptions, all states, temporal properties, postconditions.

use tla_sema::ir::ExprId;
use tla_sema::{Model, Spec};

use crate::env::View;
use crate::fuel::paid;
use crate::problem::Problem;
use crate::run::{Counts, Run, Surroundings};
use crate::search::{ActionCount, Search};
use crate::steps::Successor;
use crate::{Error, Interpreter, Result, temporal};

/// How to check.
pub struct Options<'a> {
    /// Switches the check for deadlocks on or off, whatever the model says.
    pub deadlock: Option<bool>,
    /// Go on after a violation.
    pub keeps_going: bool,
    pub states_max: Option<u64>,
    pub depth_max: Option<u32>,
    /// Parts of the values of all states together: the measure of memory.
    pub nodes_max: Option<u64>,
    /// Steps of evaluation for one state and its successors.
    pub fuel: u64,
    /// Hears before each state how far the search is; false ends it.
    pub go_on: &'a dyn Fn(&Counts) -> bool,
    pub surroundings: &'a dyn Surroundings,
}

impl Options<'_> {
    pub(crate) fn checks_deadlock(&self, problem: &Problem) -> bool {
        // Without a next-state relation, initial states are all there is to look at, and none of them is to go on.
        self.deadlock.unwrap_or(problem.check_deadlock) && !problem.rules.is_empty()
    }
}

/// The answer.
#[derive(Debug)]
pub struct Report {
    pub verdict: Verdict,
    pub counts: Counts,
    pub actions: Vec<ActionCount>,
}

#[derive(Debug)]
pub enum Verdict {
    Holds,
    Violated(Violation),
    /// Something has no value; after these states.
    Error(Error, Vec<Successor>),
    Unknown(Limit),
}

#[derive(Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    /// The property, or what an assertion says.
    pub name: String,
    pub trace: Vec<Successor>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViolationKind {
    Invariant,
    Deadlock,
    ActionProperty,
    Assertion,
    Postcondition,
    /// The one that is false.
    Assumption(ExprId),
    /// After the last state comes this one.
    Liveness(usize),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    States,
    Depth,
    Memory,
    /// One state took too long.
    Fuel,
    Interrupted,
    /// `TLCSet("exit", TRUE)`.
    Exit,
    /// It depends on more than the specification, or is not decided here: what.
    Refused(String),
}

/// Why a search stops before its end.
pub(crate) enum Stop {
    Violation(Violation),
    /// After these states.
    Error(Error, Vec<Successor>),
    Limit(Limit),
}

impl From<Stop> for Verdict {
    fn from(stop: Stop) -> Verdict {
        match stop {
            Stop::Violation(it) => Verdict::Violated(it),
            Stop::Limit(it) => Verdict::Unknown(it),
            Stop::Error(Error::Assertion(name), trace) => Verdict::Violated(Violation {
                kind: ViolationKind::Assertion,
                name,
                trace,
            }),
            Stop::Error(Error::TooLong, _) => Verdict::Unknown(Limit::Fuel),
            Stop::Error(Error::Interrupted, _) => Verdict::Unknown(Limit::Interrupted),
            Stop::Error(Error::Effect(what), _) => Verdict::Unknown(Limit::Refused(format!(
                "`{what}` depends on more than the states"
            ))),
            Stop::Error(Error::Refused(what), _) => Verdict::Unknown(Limit::Refused(what)),
            Stop::Error(error, trace) => Verdict::Error(error, trace),
        }
    }
}

/// Checks a model.
pub fn check(spec: &Spec, model: &Model, options: &Options<'_>) -> Report {
    let mut interpreter = Interpreter::for_model(spec, model);
    interpreter.run = Some(Run::new(options.surroundings));
    interpreter.refuel(options.fuel);
    let mut report = Report {
        verdict: Verdict::Holds,
        counts: Counts::default(),
        actions: vec![],
    };
    let problem = match interpreter.problem(model) {
        Ok(problem) => problem,
        Err(error) => {
            report.verdict = Stop::Error(error, vec![]).into();
            return report;
        }
    };
    if let Err(stop) = assumptions(&interpreter, &problem, options) {
        report.verdict = stop.into();
        return report;
    }
    if problem.init.is_empty() && problem.rules.is_empty() {
        return report;
    }
    let mut search = Search::new(&interpreter, &problem, options);
    let flow = search.run();
    report.verdict = match (search.violation.take(), flow) {
        (Some(first), _) => Verdict::Violated(first),
        (None, Err(stop)) => stop.into(),
        (None, Ok(())) => {
            finish(&interpreter, &problem, &search, options).map_or_else(Verdict::from, |()| Verdict::Holds)
        }
    };
    if let Some(run) = &interpreter.run {
        run.counts.set(search.counts);
    }
    report.counts = search.counts;
    report.actions = search.actions;
    if !matches!(report.verdict, Verdict::Error(..)) {
        postconditions(&interpreter, &problem, options, &mut report);
    }
    report
}

fn assumptions(
    interpreter: &Interpreter<'_>,
    problem: &Problem,
    options: &Options<'_>,
) -> std::result::Result<(), Stop> {
    for &expr in &problem.assumptions {
        interpreter.refuel(options.fuel);
        let holds = paid(interpreter.holds_in(&expr.into(), View::default()));
        if !holds.map_err(|error| Stop::Error(error, vec![]))? {
            return Err(Stop::Violation(Violation {
                kind: ViolationKind::Assumption(expr),
                name: String::new(),
                trace: vec![],
            }));
        }
    }
    Ok(())
}

/// When every state is known: temporal properties, and what should have happened.
fn finish(
    interpreter: &Interpreter<'_>,
    problem: &Problem,
    search: &Search<'_, '_>,
    options: &Options<'_>,
) -> std::result::Result<(), Stop> {
    let never = problem.possible.iter().zip(&search.is_satisfied).find(|it| !it.1);
    if let Some(((name, _), _)) = never {
        return Err(Stop::Violation(Violation {
            kind: ViolationKind::Postcondition,
            name: name.to_string(),
            trace: vec![],
        }));
    }
    let broken = temporal::find(interpreter, problem, search, options);
    let Some(found) = broken.map_err(|error| Stop::Error(error, vec![]))? else {
        return Ok(());
    };
    Err(Stop::Violation(Violation {
        kind: ViolationKind::Liveness(found.loop_start),
        name: found.property.to_string(),
        trace: search.space.walk(&found.states),
    }))
}

/// They are evaluated after a violation too, but then they no longer decide the verdict.
fn postconditions(
    interpreter: &Interpreter<'_>,
    problem: &Problem,
    options: &Options<'_>,
    report: &mut Report,
) {
    let view = View {
        level: report.counts.depth,
        ..View::default()
    };
    for (name, formula) in &problem.postconditions {
        interpreter.refuel(options.fuel);
        let holds: Result<bool> = paid(interpreter.holds_in(formula, view));
        match holds {
            Ok(true) => {}
            Ok(false) if matches!(report.verdict, Verdict::Holds) => {
                report.verdict = Verdict::Violated(Violation {
                    kind: ViolationKind::Postcondition,
                    name: name.to_string(),
                    trace: vec![],
                });
            }
            Ok(false) => {}
            Err(error) if matches!(report.verdict, Verdict::Holds) => {
                report.verdict = Stop::Error(error, vec![]).into();
            }
            Err(_) => {}
        }
    }
}
