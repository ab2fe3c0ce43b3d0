//! What the engine said of a state, against what the plain evaluator says.

use std::cell::OnceCell;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use explore::Fault;
use tla_eval::audit::{AuditWorker, Beginning, Expansion, Inspected, Step};
use tla_eval::compiled::Property;
use tla_eval::liveness::Source;
use tla_eval::model::{TlaModel, Worker};
use tla_plain::{Error, Interpreter, Label, Problem, Rule, State};
use value::{Arena, Text};

use super::mismatch::{Difference, Mismatch};
use super::{Audit, Auditor, FUEL};

/// One thread's part of an audit.
pub(super) struct Comparing<'a> {
    auditor: &'a Auditor<'a>,
    /// Made when it is first needed; nothing when it does not understand the model.
    plain: OnceCell<Option<Plain<'a>>>,
    /// Likewise, when a graph is recorded.
    labels: OnceCell<Labels<'a>>,
}

/// The plain evaluator with what it is asked.
struct Plain<'a> {
    interpreter: Interpreter<'a>,
    problem: Problem,
    /// The same with the moves of each player.
    games: Vec<Problem>,
}

/// The labels on states and on steps; nothing for one that the plain evaluator cannot be asked about.
struct Labels<'a> {
    of_states: Vec<Option<Label<'a>>>,
    of_steps: Vec<Option<Label<'a>>>,
}

/// Why a comparison ends early.
enum Odd {
    /// They differ: what the engine says, and what the plain evaluator says.
    Differ(Difference, String, String),
    /// The plain evaluator cannot say.
    Undecided,
    /// It would take longer than there is time for.
    TooLong,
}

type Compared = Result<(), Odd>;

fn differ<T>(what: Difference, engine: impl Into<String>, plain: impl Into<String>) -> Result<T, Odd> {
    Err(Odd::Differ(what, engine.into(), plain.into()))
}

impl<'a> Comparing<'a> {
    pub fn new(auditor: &'a Auditor<'a>) -> Comparing<'a> {
        Comparing {
            auditor,
            plain: OnceCell::new(),
            labels: OnceCell::new(),
        }
    }

    fn plain(&self) -> Result<&Plain<'a>, Odd> {
        let Auditor {
            file,
            model,
            adapt,
            players,
            ..
        } = self.auditor;
        let made = self.plain.get_or_init(|| {
            let interpreter = Interpreter::for_model(&file.spec, model);
            let mut problem = interpreter.problem(model).ok()?;
            adapt(&mut problem);
            let games = players.iter().map(|action| Problem {
                rules: action.map_or(problem.rules.clone(), |it| vec![Rule::new(it, None)]),
                ..problem.clone()
            });
            let games = games.collect();
            Some(Plain {
                interpreter,
                problem,
                games,
            })
        });
        made.as_ref().ok_or(Odd::Undecided)
    }

    fn labels(&self, plain: &Plain<'a>, model: &TlaModel<'_>) -> &Labels<'a> {
        self.labels.get_or_init(|| {
            let made = |source: &Option<Source>| plain.interpreter.label(source.as_ref()?).ok();
            let liveness = &model.compiled.liveness;
            Labels {
                of_states: liveness.state_labels.iter().map(|it| made(&it.source)).collect(),
                of_steps: liveness.step_labels.iter().map(|it| made(&it.source)).collect(),
            }
        })
    }

    fn compare_beginning(&self, model: &TlaModel<'_>, said: &Beginning, effort: u64) -> Compared {
        let plain = self.plain()?;
        plain.interpreter.refuel(effort);
        let mut states: Vec<State> = vec![];
        let found = plain
            .interpreter
            .each_initial_state(&plain.problem.init, &mut |it| {
                states.push(it.state);
                Ok(states.len() <= said.states.len())
            });
        match (found, said.is_failed) {
            (Ok(()), false) => {}
            (Ok(()), true) => return Err(Odd::Undecided),
            (Err(error), failed) => return compare_error(error, failed || said.is_cut),
        }
        let n = said.states.len();
        if states.len() < n || states.len() > n && !said.is_cut {
            let at_least = |is_more: bool, n: usize| {
                format!(
                    "{} {n} initial states",
                    if is_more { "more than" } else { "exactly" }
                )
            };
            let plainly = at_least(states.len() > n, states.len().min(n));
            return differ(Difference::Beginning, at_least(said.is_cut, n), plainly);
        }
        for (slots, expected) in said.states.iter().zip(&states) {
            let state = plain_state(model, slots)?;
            if !are_same(&state, expected) {
                let texts = (text(model, &state), text(model, expected));
                return differ(Difference::Beginning, texts.0, texts.1);
            }
        }
        Ok(())
    }

    fn compare_steps<'i>(
        &self,
        model: &TlaModel<'i>,
        worker: &mut Worker<'_, 'i>,
        said: &Expansion<'_>,
        effort: u64,
    ) -> Compared {
        let plain = self.plain()?;
        let problem = match said.player {
            Some(player) => plain.games.get(player).ok_or(Odd::Undecided)?,
            None => &plain.problem,
        };
        if said.labels.is_some() {
            // Making them is done once, and not part of what this state takes.
            self.labels(plain, model);
        }
        plain.interpreter.refuel(effort);
        let from = plain_state(model, said.state)?;
        let steps = match (
            plain.interpreter.judged_steps(problem, &from, said.depth),
            said.is_failed,
        ) {
            (Ok(steps), false) => steps,
            (Ok(_), true) => return Err(Odd::Undecided),
            (Err(error), failed) => return compare_error(error, failed || said.is_cut),
        };
        let n = said.steps.len();
        if n > steps.len() || !said.is_cut && n < steps.len() {
            return differ(Difference::Steps, n_steps(n), n_steps(steps.len()));
        }
        for (step, expected) in said.steps.iter().zip(&steps) {
            if step.is_excluded == expected.is_inside {
                let texts = (excluded(step.is_excluded), excluded(!expected.is_inside));
                return differ(Difference::Steps, texts.0, texts.1);
            }
            if !step.is_excluded {
                self.compare_target(model, worker, step, (&expected.state, said.depth + 1), effort)?;
            }
            if !step.is_unjudged {
                compare_names(
                    step.violated.map(|it| property_name(model, it)),
                    expected.violated.map(|it| it.to_string()),
                )?;
            }
        }
        Ok(())
    }

    fn compare_target<'i>(
        &self,
        model: &TlaModel<'i>,
        worker: &mut Worker<'_, 'i>,
        step: &Step,
        (expected, depth): (&State, u32),
        effort: u64,
    ) -> Compared {
        let target = plain_state(model, &step.target)?;
        if !are_same(&target, expected) {
            return differ(Difference::Steps, text(model, &target), text(model, expected));
        }
        let anew = model.encoded_anew(worker, &step.target);
        if anew.is_some_and(|it| it != step.target) {
            let engine = format!("{} has two encodings", text(model, &target));
            return differ(Difference::Encoding, engine, "a state has one");
        }
        match &step.key {
            Some(key) => self.compare_key(model, worker, (&target, depth), key, effort),
            None => Ok(()),
        }
    }

    /// What stands for a state is an image of it, or of its view; and it stands for all other images too.
    fn compare_key<'i>(
        &self,
        model: &TlaModel<'i>,
        worker: &mut Worker<'_, 'i>,
        (target, depth): (&State, u32),
        slots: &[u32],
        effort: u64,
    ) -> Compared {
        let arena = Arena::new();
        let key = plain_values(model.decode_key(slots, &arena))?;
        let seen = match &self.auditor.model.view {
            Some(view) if model.compiled.view.is_some() => {
                match self.plain()?.interpreter.value_at(view.expr, target, depth) {
                    Ok(value) => vec![value],
                    Err(error) => return compare_error(error, false),
                }
            }
            _ => target.clone(),
        };
        let group = &model.prepared.permutations;
        let mut is_image = are_same(&key, &seen);
        for permutation in group {
            is_image = is_image || are_same(&key, &permuted(&seen, permutation.moved())?);
        }
        if !is_image {
            let engine = format!("{} stands for it", text(model, &key));
            return differ(Difference::Representative, engine, "that is no image of it");
        }
        // Each image takes the hashes of all its images: a sample looks at as many as there is time for.
        let n_images = match self.auditor.mode {
            Audit::Full => group.len(),
            _ => effort as usize / (group.len() * slots.len()).max(1) / 16,
        };
        match model.second_representative(worker, slots, n_images) {
            None => Ok(()),
            Some(other) => {
                let arena = Arena::new();
                let other = plain_values(model.decode_key(&other, &arena))?;
                let engine = format!(
                    "{} stands for it, and {} for an image of that",
                    text(model, &key),
                    text(model, &other)
                );
                differ(Difference::Representative, engine, "one stands for all images")
            }
        }
    }

    /// The labels of a state and of its steps, after the steps themselves were found to be the same.
    fn compare_labels(&self, model: &TlaModel<'_>, said: &Expansion<'_>) -> Compared {
        let plain = self.plain()?;
        let labels = self.labels(plain, model);
        let liveness = &model.compiled.liveness;
        let from = plain_state(model, said.state)?;
        let mut is_undecided = false;
        let mut ask = |label: &Option<Label<'a>>, next: &State| match label {
            Some(label) => plain
                .interpreter
                .labelled(label, &from, next, said.depth)
                .map(Some),
            None => {
                is_undecided = true;
                Ok(None)
            }
        };
        let told =
            |what: String, holds: bool| (format!("{what} is {}", truth(holds)), truth(!holds).to_owned());
        for (i, label) in labels.of_states.iter().enumerate().filter(|_| !said.is_failed) {
            let Some(bits) = &said.labels else { break };
            let holds = has_bit(bits, i);
            match ask(label, &from) {
                Ok(Some(expected)) if expected != holds => {
                    let texts = told(self.label_name(&liveness.state_labels[i].source), holds);
                    return differ(Difference::Labels, texts.0, texts.1);
                }
                Ok(_) => {}
                // What the steps themselves decide is not evaluated, and has no error that could be told.
                Err(error) => {
                    let is_decided = liveness.is_of_every_step(liveness.state_labels[i].enables);
                    compare_error(error, is_decided)?;
                }
            }
        }
        for step in &said.steps {
            let Some(bits) = step.labels.as_ref().filter(|_| !said.is_failed) else {
                continue;
            };
            let target = plain_state(model, &step.target)?;
            for (i, label) in labels.of_steps.iter().enumerate() {
                let holds = has_bit(bits, i);
                match ask(label, &target) {
                    Ok(Some(expected)) if expected != holds => {
                        let texts = told(self.label_name(&liveness.step_labels[i].source), holds);
                        let engine = format!("{} of the step to {}", texts.0, text(model, &target));
                        return differ(Difference::Labels, engine, texts.1);
                    }
                    Ok(_) => {}
                    // An action that is not enabled has no steps, and one that every step belongs to has all: the engine does not ask.
                    Err(error) => {
                        let is_decided = liveness.is_of_every_step(Some(i as u32));
                        let is_impossible = !holds && is_disabled(model, said, i);
                        compare_error(error, is_decided || is_impossible)?;
                    }
                }
            }
        }
        match is_undecided {
            true => Err(Odd::Undecided),
            false => Ok(()),
        }
    }

    /// The place of a label, which is what a reader of the file can look up.
    fn label_name(&self, source: &Option<Source>) -> String {
        use tla_sema::part::Part;
        let Some(source) = source else {
            return "a label".to_owned();
        };
        let (what, at) = match source.part {
            Part::Predicate(at) => ("the predicate", at),
            Part::Box { action, .. } => ("`[A]_v` of the action", action),
            Part::Angle { action, .. } => ("`<<A>>_v` of the action", action),
            Part::Enabled { action, .. } => ("`ENABLED` of the action", action),
        };
        let file = self.auditor.file;
        format!("{what} at {}", file.sources.location(file.spec.exprs[at].span))
    }

    fn compare_state(&self, model: &TlaModel<'_>, said: &Inspected<'_>, effort: u64) -> Compared {
        let Plain {
            interpreter, problem, ..
        } = self.plain()?;
        interpreter.refuel(effort);
        let state = plain_state(model, said.state)?;
        match (interpreter.judge_state(problem, &state, said.depth), said.answer) {
            (Err(error), answer) => compare_error(error, answer.is_none()),
            (Ok(_), None) => Err(Odd::Undecided),
            (Ok(it), Some(answer)) if it.is_inside != answer.expand => {
                differ(Difference::Judgement, inside(answer.expand), inside(it.is_inside))
            }
            (Ok(it), Some(answer)) => compare_names(
                answer.violated.map(|it| property_name(model, it)),
                it.violated.map(|it| it.to_string()),
            ),
        }
    }

    /// What comes of a comparison; nothing is counted here for what is the same.
    fn concluded(
        &self,
        compared: Compared,
        model: &TlaModel<'_>,
        place: Option<(&[u32], u32)>,
        (effort, count): (u64, Option<&AtomicU64>),
    ) -> Result<(), Fault> {
        match compared {
            Ok(()) => {
                if let Some(count) = count {
                    count.fetch_add(1, Relaxed);
                }
                Ok(())
            }
            // A sample waits until there is more time.
            Err(Odd::TooLong) if effort < FUEL => {
                self.auditor.least.fetch_max(effort * 2, Relaxed);
                Ok(())
            }
            Err(Odd::Undecided | Odd::TooLong) => {
                self.auditor.undecided.fetch_add(1, Relaxed);
                Ok(())
            }
            Err(Odd::Differ(difference, engine, plain)) => {
                let arena = Arena::new();
                let named = |state: &[u32]| {
                    let values = model.decode(state, &arena);
                    let names = model.compiled.program.variables.iter();
                    let pair = |(name, it): (&_, _)| (ToString::to_string(name), value::text(it));
                    names.zip(values).map(pair).collect()
                };
                Err(self.auditor.differ(Mismatch {
                    difference,
                    state: place.map_or(vec![], |it| named(it.0)),
                    level: place.map_or(0, |it| it.1),
                    engine,
                    plain,
                    file: None,
                }))
            }
        }
    }
}

impl AuditWorker for Comparing<'_> {
    fn begun(&mut self, model: &TlaModel<'_>, said: &Beginning, effort: u64) -> Result<(), Fault> {
        self.auditor.timed(|| {
            let compared = self.compare_beginning(model, said, effort);
            self.concluded(compared, model, None, (effort, None))
        })
    }

    fn expanded<'i>(
        &mut self,
        model: &TlaModel<'i>,
        worker: &mut Worker<'_, 'i>,
        said: &Expansion<'_>,
        effort: u64,
    ) -> Result<(), Fault> {
        // All moves of a game together are no formula of the specification.
        if said.player.is_none() && !self.auditor.players.is_empty() {
            return Ok(());
        }
        let place = Some((said.state, said.depth));
        self.auditor.timed(|| {
            let compared = self.compare_steps(model, worker, said, effort);
            let are_same = compared.is_ok();
            self.concluded(compared, model, place, (effort, Some(&self.auditor.expanded)))?;
            if said.labels.is_none() || !are_same {
                return Ok(());
            }
            let compared = self.compare_labels(model, said);
            self.concluded(compared, model, place, (effort, Some(&self.auditor.labelled)))
        })
    }

    fn inspected(&mut self, model: &TlaModel<'_>, said: &Inspected<'_>, effort: u64) -> Result<(), Fault> {
        self.auditor.timed(|| {
            let compared = self.compare_state(model, said, effort);
            let place = Some((said.state, said.depth));
            self.concluded(compared, model, place, (effort, Some(&self.auditor.inspected)))
        })
    }
}

/// Whether the engine said that the action of a label on steps is not enabled.
fn is_disabled(model: &TlaModel<'_>, said: &Expansion<'_>, step_label: usize) -> bool {
    let state_labels = model.compiled.liveness.state_labels.iter().enumerate();
    let mut enabling = state_labels.filter(|(_, it)| it.enables == Some(step_label as u32));
    let bits = said.labels.as_deref().unwrap_or_default();
    enabling.any(|(i, _)| !has_bit(bits, i))
}

fn has_bit(bits: &[u64], i: usize) -> bool {
    bits.get(i / 64).is_some_and(|it| it >> (i % 64) & 1 == 1)
}

/// A state as the plain evaluator has it.
fn plain_state(model: &TlaModel<'_>, state: &[u32]) -> Result<State, Odd> {
    let arena = Arena::new();
    plain_values(model.decode(state, &arena))
}

fn plain_values(values: Vec<value::Value<'_>>) -> Result<State, Odd> {
    let values = values.into_iter().map(tla_plain::Value::from_compiled);
    values.collect::<Option<State>>().ok_or(Odd::Undecided)
}

fn property_name(model: &TlaModel<'_>, number: u32) -> String {
    let (Property::Invariant(it) | Property::Action(it) | Property::Initial(it)) =
        model.compiled.properties.numbered(number);
    it.name.to_string()
}

fn text(model: &TlaModel<'_>, state: &State) -> String {
    let names = model.compiled.program.variables.iter();
    let values: Vec<String> = names
        .zip(state)
        .map(|(name, it)| format!("{name} = {it}"))
        .collect();
    values.join(" /\\ ")
}

fn n_steps(n: usize) -> String {
    format!("{n} steps")
}

fn truth(holds: bool) -> &'static str {
    if holds { "TRUE" } else { "FALSE" }
}

fn excluded(is_excluded: bool) -> &'static str {
    match is_excluded {
        true => "the step is excluded",
        false => "the step is followed",
    }
}

fn inside(is_inside: bool) -> &'static str {
    match is_inside {
        true => "the state is inside the constraints",
        false => "the state is outside the constraints",
    }
}

fn compare_names(engine: Option<String>, plain: Option<String>) -> Compared {
    let told = |it: &Option<String>| match it {
        Some(name) => format!("{name} is violated"),
        None => "nothing is violated".to_owned(),
    };
    match engine == plain {
        true => Ok(()),
        false => differ(Difference::Judgement, told(&engine), told(&plain)),
    }
}

/// An error of the plain evaluator, where the engine has one or may have stopped before it.
fn compare_error(error: Error, is_expected: bool) -> Compared {
    match error {
        Error::TooLong | Error::Interrupted => Err(Odd::TooLong),
        Error::Effect(_) | Error::Refused(_) => Err(Odd::Undecided),
        Error::Undefined(_) | Error::Unassigned(_) | Error::Assertion(_) if is_expected => Ok(()),
        Error::Undefined(why) | Error::Assertion(why) => differ(Difference::Judgement, "no error", why),
        Error::Unassigned(_) => differ(
            Difference::Judgement,
            "no error",
            "a variable without a next value",
        ),
    }
}

fn are_same(a: &State, b: &State) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is(b))
}

/// The image of values under a permutation of model values.
fn permuted(values: &State, moved: &[(Text, Text)]) -> Result<State, Odd> {
    let values = values.iter().map(|it| it.renamed(moved));
    values
        .collect::<tla_plain::Result<State>>()
        .map_err(|_| Odd::Undecided)
}
