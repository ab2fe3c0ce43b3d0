//! What a model says of infinite behaviours: decided on the graph of states, told as a lasso.

use explore::{Halfway, Observer, Outcome, StateGraph};
use temporal::{Formula, Graph, Lasso, Stopped};
use tla_eval::liveness::{Conjunct, FairnessOf, Refusal, Why};
use tla_eval::plan::Plan;
use tla_sema::ir::ExprId;
use util::Symbol;

use crate::replay::{End, Replay};

use super::{CheckOptions, CheckReport, Checker, Verdict, Violated, diagnostics};
use crate::verdict::{Limit, ViolationKind};

impl Checker<'_, '_> {
    /// Decides the temporal properties after a search that found nothing wrong.
    pub(super) fn liveness(
        &self,
        plan: &Plan<'_>,
        outcome: &Outcome,
        observer: &dyn Observer,
        report: &mut CheckReport,
    ) {
        let liveness = &self.model.compiled.liveness;
        if plan.temporal_properties.is_empty() {
            return;
        }
        self.warn(plan, report);
        for (name, refusal) in &liveness.refused {
            report.diagnostics.push(self.refused(*name, refusal));
            if let Why::Error(_) = refusal.why {
                report.verdict = Verdict::Error;
                return;
            }
        }
        let graph = match &outcome.graph {
            None if liveness.properties.is_empty() => &StateGraph::default(),
            Some(Ok(graph)) => graph,
            Some(Err(limit)) => {
                unknown(report, (*limit).into());
                return self.disk_failed(outcome.failure.as_ref(), report);
            }
            None => return unknown(report, Limit::TemporalProperties),
        };
        let bytes = graph.bytes();
        let stuttering = self.stuttering_labels();
        let graph = view(graph, &stuttering);
        let watch = Guard {
            options: self.options,
            observer,
            held: (outcome.stats.memory - outcome.stats.memory_visited) + bytes,
        };
        let mut is_open = false;
        for (name, part) in &liveness.properties {
            match temporal::find(&graph, &self.question(part), &watch) {
                Ok(None) => {}
                Ok(Some(lasso)) if self.has_all_assumptions() => {
                    let steps = self.found(*name, part, &graph, &lasso, outcome, report);
                    self.tell_statements(plan, &steps, report);
                    if plan.symmetry.is_some() || plan.view.is_some() {
                        // The last state leads to one that stands for the first of the loop, not to that one.
                        report.replay = Replay::NotReplayed("its states stand for others".to_owned());
                        return;
                    }
                    let end = End::Lasso(lasso.loop_start, *name);
                    return self.replay_lasso(plan, &steps, end, report);
                }
                // What was found may break the assumption that is missing.
                Ok(Some(_)) => is_open = true,
                Err(Stopped::Interrupted) => return unknown(report, watch.reason()),
                Err(Stopped::TooLarge) => {
                    let span = self.spec().exprs[part.at].span;
                    report
                        .diagnostics
                        .push(diagnostics::temporal_too_large(name.as_str(), span));
                    is_open = true;
                }
            }
        }
        let is_refused = liveness.refused.iter().any(|(name, _)| !name.as_str().is_empty());
        if is_open || is_refused {
            unknown(report, Limit::TemporalProperties);
        }
    }

    /// What a behaviour satisfies that violates a property.
    fn question(&self, part: &Conjunct) -> Formula {
        let assumptions = self.model.compiled.liveness.assumptions.iter();
        let mut question: Vec<Formula> = assumptions.map(|it| it.formula.clone()).collect();
        question.push(part.formula.clone().not());
        Formula::And(question)
    }

    /// Who looks at the graph while it grows: a lasso among the first states is a counterexample, whatever follows.
    pub(super) fn halfway<'h>(&'h self, observer: &'h dyn Observer) -> impl Halfway + 'h {
        struct Looking<'h, 'c, 'i> {
            checker: &'h Checker<'c, 'i>,
            stuttering: Vec<u64>,
            observer: &'h dyn Observer,
        }
        impl Halfway for Looking<'_, '_, '_> {
            fn is_decided(&self, graph: &StateGraph) -> bool {
                let Looking {
                    checker, stuttering, ..
                } = self;
                let watch = Guard {
                    options: checker.options,
                    observer: self.observer,
                    held: graph.bytes(),
                };
                let graph = view(graph, stuttering);
                let mut parts = checker.model.compiled.liveness.properties.iter();
                checker.has_all_assumptions()
                    && parts.any(|(_, part)| {
                        matches!(
                            temporal::find(&graph, &checker.question(part), &watch),
                            Ok(Some(_))
                        )
                    })
            }
        }
        Looking {
            checker: self,
            stuttering: self.stuttering_labels(),
            observer,
        }
    }

    fn has_all_assumptions(&self) -> bool {
        let mut refused = self.model.compiled.liveness.refused.iter();
        refused.all(|(name, _)| !name.as_str().is_empty())
    }

    /// What may be missed.
    fn warn(&self, plan: &Plan<'_>, report: &mut CheckReport) {
        if plan.symmetry.is_some() {
            report.diagnostics.push(diagnostics::liveness_with_symmetry());
        }
        if plan.view.is_some() {
            report.diagnostics.push(diagnostics::liveness_with_view());
        }
        // Those of the model; the plan also has what the specification itself demands of every state.
        let limiting = self.file.model.iter();
        let limiting = limiting.flat_map(|it| it.constraints.iter().chain(&it.action_constraints));
        let names: Vec<&str> = limiting.map(|it| it.name.as_str()).collect();
        if !names.is_empty() {
            report
                .diagnostics
                .push(diagnostics::liveness_with_constraints(&names));
        }
    }

    fn refused(&self, name: Symbol, refusal: &Refusal) -> diag::Diagnostic {
        let span = self.spec().exprs[refusal.at].span;
        let name = name.as_str();
        match &refusal.why {
            Why::HiddenVariable => diagnostics::temporal_hidden_variable(name, span),
            Why::Guarantees => diagnostics::temporal_guarantees(name, span),
            Why::VariableSet => diagnostics::temporal_variable_set(name, span),
            Why::Unbounded => diagnostics::temporal_unbounded(name, span),
            Why::Recursive => diagnostics::temporal_recursive(name, span),
            Why::TooLarge => diagnostics::temporal_too_large(name, span),
            Why::Error(error) => tla_eval::explain::explain(error, self.spec()),
        }
    }

    fn stuttering_labels(&self) -> Vec<u64> {
        let labels = &self.model.compiled.liveness.step_labels;
        let mut words = vec![0; labels.len().div_ceil(64)];
        for (i, _) in labels.iter().enumerate().filter(|(_, it)| it.on_stuttering) {
            words[i / 64] |= 1 << (i % 64);
        }
        words
    }

    fn found(
        &self,
        name: Symbol,
        part: &Conjunct,
        graph: &Graph<'_>,
        lasso: &Lasso,
        outcome: &Outcome,
        report: &mut CheckReport,
    ) -> Vec<explore::Step> {
        report.verdict = Verdict::Violated;
        report.violation = Some(Violated {
            kind: ViolationKind::Liveness,
            name: name.to_string(),
        });
        let mut worker = explore::Model::worker(self.model, 0);
        let steps = outcome
            .space
            .walk(self.model, &mut worker, &lasso.states)
            .unwrap_or_default();
        report.trace.states = self.trace(&steps, report);
        report.trace.loop_to = Some(lasso.loop_start);
        report.stutters = lasso.stutters();
        let story = Story {
            checker: self,
            graph,
            lasso,
        };
        report.fairness = self
            .model
            .compiled
            .liveness
            .assumptions
            .iter()
            .map(|it| story.assumption(it))
            .collect();
        let text = self.text_with(part.at, &part.bindings);
        report.failure = match part.fairness {
            Some(it) => vec![format!("{text} fails: {}", story.unfair(it))],
            None => vec![format!("{text} fails:")],
        };
        if part.fairness.is_none() {
            story.fails(&part.formula, true, 0, &mut report.failure);
        }
        steps
    }

    /// The text of an expression on one line.
    pub(super) fn text(&self, at: ExprId) -> String {
        const LENGTH_MAX: usize = 72;
        let span = self.spec().exprs[at].span;
        if self.file.is_algorithm(span) {
            // What only the translation says has no text in the algorithm.
            let level = tla_sema::Levels::new(self.spec()).of(at);
            return match level > tla_sema::ir::Level::State {
                true => "every process terminates".to_owned(),
                false => "every process is at its end".to_owned(),
            };
        }
        let text = self.file.sources.text(span);
        let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() > LENGTH_MAX {
            line = line.chars().take(LENGTH_MAX - 1).chain(['…']).collect();
        }
        line
    }

    fn text_with(&self, at: ExprId, bindings: &[(Symbol, String)]) -> String {
        let values = bindings.iter().filter(|(_, it)| it != "…");
        let values: Vec<String> = values.map(|(name, it)| format!("{name} = {it}")).collect();
        match values.is_empty() {
            true => format!("`{}`", self.text(at)),
            false => format!("`{}` ({})", self.text(at), values.join(", ")),
        }
    }
}

fn unknown(report: &mut CheckReport, limit: Limit) {
    report.verdict = Verdict::Unknown;
    report.limit = Some(limit);
}

fn view<'a>(graph: &'a StateGraph, stuttering_labels: &'a [u64]) -> Graph<'a> {
    const EMPTY: &[u32] = &[0];
    Graph {
        n_initial: graph.n_initial,
        offsets: match graph.offsets.is_empty() {
            true => EMPTY,
            false => &graph.offsets,
        },
        targets: &graph.targets,
        state_words: graph.state_words,
        state_labels: &graph.state_labels,
        step_words: graph.step_words,
        step_labels: &graph.step_labels,
        stuttering_labels,
    }
}

/// Time and memory.
struct Guard<'a> {
    options: &'a CheckOptions,
    observer: &'a dyn Observer,
    /// Bytes held by the search and its graph.
    held: usize,
}

impl Guard<'_> {
    fn is_late(&self) -> bool {
        self.options.time.is_some_and(|it| self.observer.elapsed() >= it)
    }

    fn reason(&self) -> Limit {
        match () {
            () if self.observer.cancelled() => Limit::Interrupted,
            () if self.is_late() => Limit::Time,
            () => Limit::Memory,
        }
    }
}

impl temporal::Watch for Guard<'_> {
    fn goes_on(&self, bytes: usize) -> bool {
        let is_too_much = self.options.memory.is_some_and(|it| self.held + bytes > it);
        !is_too_much && !self.is_late() && !self.observer.cancelled()
    }
}

/// A lasso in words. States are counted from 1, as in the trace.
struct Story<'a, 'c, 'i> {
    checker: &'a Checker<'c, 'i>,
    graph: &'a Graph<'a>,
    lasso: &'a Lasso,
}

impl Story<'_, '_, '_> {
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        temporal::truth(self.graph, self.lasso, formula)
    }

    /// Why an assumption is met.
    fn assumption(&self, conjunct: &Conjunct) -> String {
        let text = self.checker.text_with(conjunct.at, &conjunct.bindings);
        let Some(FairnessOf {
            strong,
            enabled,
            taken,
        }) = conjunct.fairness
        else {
            return format!("{text} holds");
        };
        let start = self.lasso.loop_start;
        let in_loop = |formula: &Formula| {
            let truth = self.truth(formula);
            (start..self.lasso.len()).find(|&it| truth[it])
        };
        if let Some(at) = in_loop(&Formula::Step(taken)) {
            return format!(
                "{text} is met: the action is taken in the loop, from state {}",
                at + 1
            );
        }
        let disabled = in_loop(&Formula::State(enabled).not());
        match disabled {
            _ if strong => format!("{text} is met: the action is never enabled in the loop"),
            Some(at) if self.lasso.stutters() => {
                format!("{text} is met: the action is not enabled in state {}", at + 1)
            }
            Some(at) => format!(
                "{text} is met: the action is not enabled in state {}, which is in the loop",
                at + 1
            ),
            None => format!("{text} is met"),
        }
    }

    /// Why a fairness condition is not met.
    fn unfair(&self, FairnessOf { strong, enabled, .. }: FairnessOf) -> String {
        let truth = self.truth(&Formula::State(enabled));
        match strong {
            true => {
                let at = (self.lasso.loop_start..self.lasso.len()).find(|&it| truth[it]);
                let at = at.unwrap_or(self.lasso.loop_start) + 1;
                format!("the action is enabled in state {at}, again and again, and never taken in the loop")
            }
            false => {
                let always = self.truth(&Formula::State(enabled).always());
                let from = always.iter().position(|&it| it).unwrap_or(self.lasso.loop_start) + 1;
                format!("the action is enabled from state {from} on, and never taken in the loop")
            }
        }
    }

    /// Why a formula does not have the value that is wanted at a position.
    fn fails(&self, formula: &Formula, wanted: bool, position: usize, lines: &mut Vec<String>) {
        /// More than this helps nobody.
        const LINES_MAX: usize = 12;
        if lines.len() >= LINES_MAX {
            return;
        }
        match formula {
            Formula::Const(_) => {}
            Formula::State(label) => {
                let label = &self.checker.model.compiled.liveness.state_labels[*label as usize];
                let text = self.checker.text_with(label.at, &label.bindings);
                let what = match (label.enables.is_some(), wanted) {
                    (false, true) => "is FALSE",
                    (false, false) => "is TRUE",
                    (true, true) => "is not enabled",
                    (true, false) => "is enabled",
                };
                lines.push(format!("{text} {what} in state {}", position + 1));
            }
            Formula::Step(label) => {
                let label = &self.checker.model.compiled.liveness.step_labels[*label as usize];
                let text = self.checker.text_with(label.at, &label.bindings);
                let not = if wanted { "not " } else { "" };
                lines.push(format!(
                    "the step from state {} is {not}one of {text}",
                    position + 1
                ));
            }
            Formula::Not(inner) => self.fails(inner, !wanted, position, lines),
            Formula::And(items) | Formula::Or(items) => {
                let is_one = matches!(formula, Formula::And(_)) == wanted;
                for item in items {
                    // One conjunct that is FALSE is enough, and one disjunct that is TRUE.
                    if !is_one || self.truth(item)[position] != wanted {
                        self.fails(item, wanted, position, lines);
                        if is_one {
                            return;
                        }
                    }
                }
            }
            Formula::Always(inner) | Formula::Eventually(inner) => {
                if matches!(formula, Formula::Always(_)) == wanted {
                    // Some moment is to blame.
                    let truth = self.truth(inner);
                    if let Some(at) = self.moments(position).find(|&it| truth[it] != wanted) {
                        self.fails(inner, wanted, at, lines);
                    }
                } else {
                    self.never(inner, wanted, position, lines);
                }
            }
        }
    }

    /// All moments from a position on are to blame.
    fn never(&self, inner: &Formula, wanted: bool, position: usize, lines: &mut Vec<String>) {
        let never = match (inner, wanted) {
            (Formula::Step(_), true) => "never happens",
            (_, true) => "never becomes true",
            (_, false) => "stays true",
        };
        match self.shown(inner) {
            Some(text) => lines.push(format!("{text} {never} from state {} on", position + 1)),
            None => {
                let far = position.max(self.lasso.loop_start);
                lines.push(format!("from state {} on, again and again:", position + 1));
                self.fails(inner, wanted, far, lines);
            }
        }
    }

    fn shown(&self, formula: &Formula) -> Option<String> {
        let liveness = &self.checker.model.compiled.liveness;
        match formula {
            Formula::State(label) => {
                let label = &liveness.state_labels[*label as usize];
                let text = self.checker.text_with(label.at, &label.bindings);
                Some(match label.enables {
                    None => text,
                    Some(_) => format!("ENABLED {text}"),
                })
            }
            Formula::Step(label) => {
                let label = &liveness.step_labels[*label as usize];
                let text = self.checker.text_with(label.at, &label.bindings);
                Some(format!("a step of {text}"))
            }
            _ => None,
        }
    }

    fn moments(&self, position: usize) -> impl Iterator<Item = usize> {
        (position..self.lasso.len()).chain(self.lasso.loop_start..self.lasso.len())
    }
}
