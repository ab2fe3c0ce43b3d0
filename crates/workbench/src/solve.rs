//! Solutions: the fewest steps, or the least cost, to a state in which a goal holds.
//!
//! A goal alone is a check whose counterexample is the solution, by the same search and with as many workers. Costs,
//! estimates, counts and tables need more of the graph than a check keeps; they are asked of `solve::Unfolding`, on one
//! thread. Either way the solution is a trace like any other, and the plain evaluator has replayed it.

mod costs;
pub(crate) mod diagnostics;
mod goal;
mod hoist;
mod table;
mod witness;

use explore::{FaultAt, Limits, Observer, Options, Verdict as Found, Violation, ViolationKind};
use solve::{Best, Optimal, Stop, Unfolding, Watch, best_first};
use tla_eval::effects::Effects;
use tla_eval::plan::{Named, Plan};
use tla_plain::Problem;
use tla_sema::ir::{DefId, Level};
use tla_sema::{Levels, Spec};
use trace::{Behaviour, State};
use util::Symbol;

use crate::check::{
    CheckOptions, CheckReport, Checker, Exiting, Ledger, Run, Verdict, WORKERS_MAX, run, without_mistakes,
};
use crate::overrides::{Defined, ExtraExpr, Overrides};
use crate::replay::{End, Replay};
use crate::tla::TlaFile;
use crate::verdict::Limit;

use costs::{Costs, Pricing};
pub use diagnostics::no_steps_in_alloy;
pub(crate) use diagnostics::too_high_a_level;
pub use goal::goal_of;
pub use table::{Cell, Column, Histogram, Rows};
pub(crate) use table::{columns, tell};

/// What a solution is, in expressions of the specification.
#[derive(Clone, Debug, Default)]
pub struct SolveQuestion {
    /// A state predicate.
    pub goal: String,
    /// What a step costs: an integer of the step. Or an operator with one parameter, what the step before left behind, whose
    /// value is a record `[cost |-> …, state |-> …]`.
    pub cost: Option<String>,
    /// What a step leaves behind for the cost of the next one: an expression, which the cost calls `CostState`, or
    /// `name == expression`.
    pub cost_state: Option<String>,
    /// A state function that guesses the cost to the goal, never too much.
    pub heuristic: Option<String>,
}

/// What costs call the cost state when it has no other name.
const COST_STATE: &str = "CostState";

impl SolveQuestion {
    /// What is to be read beside the specification; `solve` expects a file that was parsed with it.
    pub fn overrides(&self, overrides: Overrides) -> Overrides {
        let goal = ExtraExpr {
            negated: true,
            ..ExtraExpr::new("--goal", &self.goal)
        };
        let (name, state) = match self.cost_state.as_deref().map(named) {
            Some((name, state)) => (Some(name), Some(state)),
            None => (None, None),
        };
        let weighed = |option, text: &str| ExtraExpr {
            parameter: name.map(str::to_owned),
            operator: true,
            ..ExtraExpr::new(option, text)
        };
        let mut extra = vec![goal];
        extra.extend(self.cost.iter().map(|it| weighed("--cost", it)));
        extra.extend(state.map(|it| weighed("--cost-state", it)));
        extra.extend(self.heuristic.iter().map(|it| ExtraExpr::new("--heuristic", it)));
        Overrides { extra, ..overrides }
    }
}

/// `name == expression`, or an expression.
fn named(text: &str) -> (&str, &str) {
    let is_name = |it: &str| {
        let mut chars = it.chars();
        let starts = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
        starts && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    match text.split_once("==") {
        Some((name, expr)) if is_name(name.trim()) => (name.trim(), expr),
        _ => (COST_STATE, text),
    }
}

/// How to solve, and what to say of the solutions.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveOptions {
    pub check: CheckOptions,
    /// Show so many different best solutions.
    pub all: usize,
    /// Count the best solutions.
    pub count: bool,
}

/// The answer.
#[derive(Clone, Debug, Default)]
pub struct SolveReport {
    pub verdict: SolveVerdict,
    pub steps: Option<u32>,
    /// Where a cost was asked for.
    pub cost: Option<u64>,
    /// How many best solutions there are, in digits.
    pub count: Option<String>,
    /// Best solutions; the first is the trace of `search` too.
    pub solutions: Vec<Vec<State>>,
    /// What the cheapest way to the goal costs, for every state that was found.
    pub histogram: Option<Histogram>,
    /// Counts, diagnostics, and the replay of the first solution; or the trace to what went wrong.
    pub search: CheckReport,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SolveVerdict {
    Solved,
    /// No state that can be reached is a goal.
    Unreachable,
    #[default]
    Unknown,
    /// The specification, or the question, is wrong.
    Error,
    /// We are wrong: the solution did not survive its replay.
    Internal,
}

/// Solves the model of a file that was parsed with [`SolveQuestion::overrides`]. With `rows`, every state that can be reached is
/// written there with its distance from the goal.
pub fn solve(
    file: &mut TlaFile,
    question: &SolveQuestion,
    options: &SolveOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
    mut rows: Option<&mut dyn Rows>,
) -> SolveReport {
    let prepared = (!file.has_errors()).then(|| Prepared::new(file, question));
    let prepared = match prepared {
        Some(Ok(prepared)) => prepared,
        Some(Err(wrong)) => {
            file.diagnostics.extend(wrong);
            Prepared::default()
        }
        None => Prepared::default(),
    };
    let mut report = SolveReport::default();
    let ledger = Ledger::new(observer);
    let mut once = |check: &CheckOptions| {
        report = SolveReport::default();
        let (mut dropped, options) = (
            vec![],
            &SolveOptions {
                check: *check,
                ..*options
            },
        );
        let adapt = |plan: &mut Plan<'_>| dropped = prepared.adapt(plan);
        let how = Run {
            asks: &|problem| ask_only(problem, prepared.goal.as_slice()),
            ..Run::new(effects, observer, &ledger)
        };
        let mut search = run(file, check, how, adapt, |checker, plan, search| {
            let solver = Solver {
                checker,
                plan,
                prepared: &prepared,
                options,
                observer,
            };
            let rows = rows.as_mut().map(|it| &mut **it as &mut dyn Rows);
            solver.solve(rows, &mut report, search);
        });
        search.diagnostics.extend(dropped);
        search
    };
    let first = once(&options.check);
    let search = without_mistakes(first, &options.check, true, once);
    report.search = search;
    report.verdict = match report.search.verdict {
        Verdict::Error | Verdict::Violated => SolveVerdict::Error,
        Verdict::Internal => SolveVerdict::Internal,
        Verdict::Unknown => SolveVerdict::Unknown,
        Verdict::Holds => report.verdict,
    };
    report
}

/// The question in terms of the resolved specification.
#[derive(Clone, Debug, Default)]
struct Prepared {
    goal: Option<Named>,
    pricing: Pricing,
}

impl Prepared {
    fn new(file: &mut TlaFile, question: &SolveQuestion) -> Result<Prepared, Vec<diag::Diagnostic>> {
        let spec = &mut file.spec;
        let defined = &file.requests.extra;
        let mut all = defined.iter();
        let goal = all.next();
        let cost = question.cost.is_some().then(|| all.next()).flatten();
        let state = question.cost_state.is_some().then(|| all.next()).flatten();
        let heuristic = question.heuristic.is_some().then(|| all.next()).flatten();
        let mut wrong = vec![];
        if question.cost_state.is_some() && question.cost.is_none() {
            wrong.push(diagnostics::cost_state_without_cost());
        }
        let mut expect = |defined: Option<&Defined>, level: Level, option: &'static str| {
            if let Some(defined) = defined
                && level_of(spec, defined.def) > level
            {
                wrong.push(too_high_a_level(option, level, defined.span));
            }
        };
        expect(goal, Level::State, "--goal");
        expect(cost, Level::Action, "--cost");
        expect(state, Level::Action, "--cost-state");
        expect(heuristic, Level::State, "--heuristic");
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(Prepared {
            goal: goal.and_then(|it| it.negation).map(|it| Named {
                name: Symbol::new(question.goal.trim()),
                expr: spec.defs[it].body,
            }),
            pricing: {
                let def = |it: Option<&Defined>| it.map(|it| it.def);
                Pricing::new(spec, def(cost), def(state), def(heuristic))
            },
        })
    }

    /// Makes the goal what is searched for, and nothing else. Gives what is left out.
    fn adapt(&self, plan: &mut Plan<'_>) -> Vec<diag::Diagnostic> {
        only_behaviour(plan);
        plan.invariants.extend(self.goal);
        plan.extra = self.pricing.defs();
        unreduced(plan)
    }
}

/// Leaves of a plan what can happen, and nothing of what should.
pub(crate) fn only_behaviour(plan: &mut Plan<'_>) {
    plan.invariants.clear();
    plan.initial_properties.clear();
    plan.action_properties.clear();
    plan.temporal_properties.clear();
    plan.fairness.clear();
    plan.possible.clear();
    plan.postconditions.clear();
}

/// The same for the audit: of what a model asks for, the behaviours; and what is asked here.
pub(crate) fn ask_only(problem: &mut Problem, overrides: &[Named]) {
    let Problem {
        init,
        rules,
        always,
        constraints,
        action_constraints,
        ..
    } = std::mem::take(problem);
    *problem = Problem {
        init,
        rules,
        always,
        constraints,
        action_constraints,
        invariants: overrides.iter().map(|it| (it.name, it.expr.into())).collect(),
        ..Problem::default()
    };
}

/// Goals, costs and players need not be symmetric, so states are taken as they are.
pub(crate) fn unreduced(plan: &mut Plan<'_>) -> Vec<diag::Diagnostic> {
    let mut dropped = vec![];
    if plan.symmetry.take().is_some() {
        dropped.push(diagnostics::reduction_not_used("SYMMETRY"));
    }
    if plan.view.take().is_some() {
        dropped.push(diagnostics::reduction_not_used("VIEW"));
    }
    dropped
}

pub(crate) fn level_of(spec: &Spec, def: DefId) -> Level {
    Levels::new(spec).of(spec.defs[def].body)
}

struct Solver<'a, 'c, 'i, 'p> {
    checker: &'a Checker<'c, 'i>,
    plan: &'a Plan<'p>,
    prepared: &'a Prepared,
    options: &'a SolveOptions,
    observer: &'a dyn Observer,
}

impl Solver<'_, '_, '_, '_> {
    fn solve(&self, rows: Option<&mut dyn Rows>, report: &mut SolveReport, search: &mut CheckReport) {
        if self.plan.init.is_empty() && self.plan.next.is_empty() {
            search.diagnostics.push(diagnostics::nothing_to_search());
            search.verdict = Verdict::Error;
            return;
        }
        let is_plain = !self.prepared.pricing.is_asked() && self.options.all <= 1 && !self.options.count;
        match is_plain && rows.is_none() {
            true => self.fewest_steps(report, search),
            false => self.cheapest(rows, report, search),
        }
    }

    fn limits(&self) -> Limits {
        let CheckOptions {
            memory,
            states_max,
            depth_max,
            time,
            ..
        } = self.options.check;
        Limits {
            memory,
            states: states_max,
            depth: depth_max,
            time,
        }
    }

    /// By the search that checks invariants.
    fn fewest_steps(&self, report: &mut SolveReport, search: &mut CheckReport) {
        let checker = self.checker;
        let exiting = Exiting {
            observer: self.observer,
            effects: checker.effects,
        };
        let options = Options {
            workers: self.options.check.workers.clamp(1, WORKERS_MAX),
            deadlock: false,
            limits: self.limits(),
            observer: &exiting,
            ..Options::default()
        };
        let outcome = explore::check(checker.model, &options);
        search.generated = outcome.stats.generated;
        search.distinct = outcome.stats.distinct;
        search.depth = outcome.stats.depth;
        search.memory = outcome.stats.memory;
        match outcome.verdict {
            Found::Holds => self.unreachable(report, search),
            Found::Unknown(limit) => {
                search.verdict = Verdict::Unknown;
                search.limit = Some(checker.limit(limit));
            }
            Found::Violated => match outcome.violations.into_iter().next() {
                Some(Violation {
                    kind: ViolationKind::Property(_),
                    trace,
                    is_complete: true,
                }) => {
                    report.steps = Some(trace.len() as u32 - 1);
                    self.solved(&[trace], report, search);
                }
                Some(violation) => checker.violated(self.plan, violation, search),
                None => {}
            },
        }
    }

    fn unreachable(&self, report: &mut SolveReport, search: &mut CheckReport) {
        report.verdict = SolveVerdict::Unreachable;
        search.verdict = Verdict::Holds;
        if search.generated == 0 {
            search
                .diagnostics
                .push(self.checker.no_initial_state(self.plan, true));
        }
    }

    /// Tells solutions, once the plain evaluator has replayed them.
    fn solved(&self, solutions: &[Vec<explore::Step>], report: &mut SolveReport, search: &mut CheckReport) {
        report.verdict = SolveVerdict::Solved;
        search.verdict = Verdict::Holds;
        for steps in solutions {
            report.solutions.push(self.checker.trace(steps, search));
            if let Some(goal) = self.prepared.goal {
                let end = End::State(goal.name, goal.expr);
                let replay = match steps.is_empty() {
                    // The search found a way that cannot be gone again.
                    true => Replay::Refuted("a state did not have the same successors again".to_owned()),
                    false => self.checker.replay_trace(self.plan, steps, end),
                };
                if search.verdict == Verdict::Holds {
                    search.replayed(replay);
                }
            }
        }
        search.counterexample = None;
        search.trace = Behaviour::finite(report.solutions.first().cloned().unwrap_or_default());
    }

    /// By cost, with all that is known of the graph.
    fn cheapest(&self, rows: Option<&mut dyn Rows>, report: &mut SolveReport, search: &mut CheckReport) {
        let exiting = Exiting {
            observer: self.observer,
            effects: self.checker.effects,
        };
        let watch = Watch {
            limits: self.limits(),
            observer: &exiting,
        };
        let model = self.checker.model;
        let costs = Costs::new(model, &self.prepared.pricing);
        let mut graph = Unfolding::new(model, costs, watch);
        let found = best_first(&mut graph);
        let found = found.and_then(|best| {
            if rows.is_some() {
                graph.unfold_all()?;
            }
            Ok(best)
        });
        search.generated = graph.generated;
        search.distinct = u64::from(graph.states.len());
        search.depth = graph.depth();
        search.memory = graph.bytes();
        match found {
            Ok(best) => {
                self.found(&best, &graph, report, search);
                if let Some(rows) = rows {
                    let told = table::write(&graph, self.checker, self.observer, rows);
                    report.histogram = Some(told);
                }
            }
            Err(stop) => self.stopped(stop, &graph, search),
        }
        graph.tell();
    }

    fn found(
        &self,
        best: &Best,
        graph: &Unfolding<'_, tla_eval::model::TlaModel<'_>, Costs<'_, '_>>,
        report: &mut SolveReport,
        search: &mut CheckReport,
    ) {
        if let Some(wrong) = best.inconsistent {
            let text = |node: u32| {
                let state = graph.state_of(node);
                (self.state_text(graph.states.get(state)), graph.estimate_of(state))
            };
            let (from, to) = (text(wrong.from), text(wrong.to));
            search
                .diagnostics
                .push(diagnostics::inconsistent_heuristic(from, to, wrong.cost));
        }
        let Some(goal) = best.goal else {
            match graph.is_cut {
                false => return self.unreachable(report, search),
                true => {
                    search.verdict = Verdict::Unknown;
                    search.limit = Some(Limit::Depth);
                    return;
                }
            }
        };
        let key = best.key(goal);
        report.steps = Some(key.steps);
        report.cost = self.prepared.pricing.has_cost().then_some(key.cost);
        let mut paths = vec![best.path(goal)];
        if self.options.count || self.options.all > 1 {
            let optimal = Optimal::new(graph, best);
            report.count = self.options.count.then(|| optimal.count().to_string());
            if self.options.all > 1 {
                paths = optimal.paths(self.options.all);
            }
        }
        let mut worker = explore::Model::worker(self.checker.model, 0);
        let solutions: Option<Vec<_>> = paths
            .iter()
            .map(|path| {
                let states = path.iter().map(|&it| graph.states.get(graph.state_of(it)));
                let states: Vec<&[u32]> = states.collect();
                solve::along(self.checker.model, &mut worker, &states)
            })
            .collect();
        let solutions = solutions.unwrap_or_default();
        self.solved(&solutions, report, search);
        if let (Some(cost), Some(first)) = (report.cost, solutions.first())
            && search.verdict == Verdict::Holds
            && let Some(refuted) = self.witness_cost(first, cost)
        {
            search.replayed(refuted);
        }
    }

    fn state_text(&self, state: &[u32]) -> String {
        let names = self.checker.model.compiled.program.variables.iter();
        let arena = value::Arena::new();
        let values = self.checker.model.decode(state, &arena);
        let all: Vec<String> = names
            .zip(values)
            .map(|(name, it)| format!("{name} = {it}"))
            .collect();
        all.join(", ")
    }

    /// A limit, or an evaluation that went wrong, with the way there.
    fn stopped<W: solve::Weigh>(
        &self,
        stop: Stop,
        graph: &Unfolding<'_, tla_eval::model::TlaModel<'_>, W>,
        search: &mut CheckReport,
    ) {
        match stop {
            Stop::Limit(limit) => {
                search.verdict = Verdict::Unknown;
                search.limit = Some(self.checker.limit(limit));
            }
            Stop::Fault { fault, at, state } => {
                let path = state.map_or(vec![], |it| graph.first_path(it));
                let states: Vec<&[u32]> = path.iter().map(|&it| graph.states.get(it)).collect();
                let failed = failed(self.checker, &states, fault, at);
                self.checker.violated(self.plan, failed, search);
            }
        }
    }
}

/// An evaluation that went wrong after these states, as the search of a check would tell it.
pub(crate) fn failed(
    checker: &Checker<'_, '_>,
    states: &[&[u32]],
    fault: explore::Fault,
    at: FaultAt,
) -> Violation {
    let mut worker = explore::Model::worker(checker.model, 0);
    let trace = solve::along(checker.model, &mut worker, states);
    Violation {
        kind: ViolationKind::Fault { fault, at },
        is_complete: trace.is_some(),
        trace: trace.unwrap_or_default(),
    }
}
