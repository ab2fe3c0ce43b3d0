//! A TLA+ model as a game.

use tla_eval::EvalError;
use tla_eval::code::{ProcId, Program};
use tla_eval::compiled::{Check, Compiled, compile_value};
use tla_eval::explain::explain;
use tla_eval::model::{TlaModel, Worker};
use tla_eval::moves::{Moment, Move, Stepper};
use tla_eval::plan::Plan;
use tla_eval::prepared::Preparation;
use tla_sema::Levels;
use tla_sema::ir::Level;
use value::{Arena, Owned};
use view::Notation;

use super::way::{self, Trouble, Way};
use super::{
    About, Action, Binding, Found, FoundStep, Game, Judged, Location, Problem, PropertyKind, Refused,
    Session, StateKey, Stepped, Truth,
};
use crate::algorithm::Teller;
use crate::check::{false_assumption, owned, sentence, unsupported_constant};
use crate::diagnostics::temporal_watch;
use crate::host::Host;
use crate::language::{Language, Played};
use crate::tla::TlaFile;

pub(crate) fn play(
    Played {
        workspace,
        spec,
        options,
        effects,
        ..
    }: Played<'_, '_>,
    ask: &mut dyn FnMut(&mut Session<'_>),
) -> Result<(), Refused> {
    let file = workspace.model(spec, options.config.as_deref(), &options.overrides)?;
    if file.has_errors() || file.model.is_none() {
        return Err((file.sources.clone(), file.diagnostics.clone()));
    }
    let constants = Arena::new();
    // For the symmetry, the assumptions, the moves and a search.
    let mut arenas: Vec<Arena> = (0..4).map(|_| Arena::new()).collect();
    let planned = file
        .model
        .as_ref()
        .map(|it| Plan::new(&file.spec, it, &constants));
    let Some(Ok(plan)) = planned else {
        let wrong = file.diagnostics.iter().cloned().chain([unsupported_constant()]);
        return Err((file.sources.clone(), wrong.collect()));
    };
    let compiled = Compiled::new(&file.spec, &plan, &constants, effects);
    let model = TlaModel::new(compiled, &mut arenas, Preparation::NONE, None)
        .map_err(|it| explain(&it, &file.spec))
        .and_then(|it| assumptions(&file, &it).map(|()| it));
    let model = model.map_err(|why| (file.sources.clone(), vec![why]))?;
    let mut game = TlaGame {
        stepper: Stepper::new(&model),
        model: &model,
        plan: &plan,
        constants: &constants,
        file: &file,
        extended: (*file).clone(),
        spec,
        host: workspace.host(),
        choices_max: options.choices_max,
        watches: vec![],
        view: None,
        drawing: None,
        worker: None,
        teller: Teller::new(&file),
    };
    game.look(options.view.as_deref())?;
    let mut session = Session::new(Box::new(game));
    if let Some(you) = &options.you {
        session.play_as(you)?;
    }
    ask(&mut session);
    Ok(())
}

/// What is wrong with the model before there is any state.
fn assumptions(file: &TlaFile, model: &TlaModel<'_>) -> Result<(), diag::Diagnostic> {
    let mut worker = explore::Model::worker(model, 0);
    match model.check_assumptions(&mut worker) {
        Ok(None) => Ok(()),
        Ok(Some(index)) => {
            let proc = model.compiled.assumptions[index].proc;
            let at = model.compiled.program.procs[proc].body.at;
            Err(false_assumption(file.spec.exprs[at].span))
        }
        Err(error) => Err(explain(&error, &file.spec)),
    }
}

struct TlaGame<'a, 'i> {
    stepper: Stepper<'a, 'i>,
    model: &'a TlaModel<'i>,
    plan: &'a Plan<'i>,
    constants: &'i Arena,
    file: &'a TlaFile,
    /// The same with the expressions that were asked about.
    extended: TlaFile,
    spec: &'a str,
    host: &'a dyn Host,
    choices_max: usize,
    watches: Vec<Watch<'i>>,
    view: Option<View>,
    /// The watch that is a drawing.
    drawing: Option<usize>,
    /// For searches, once there is one.
    worker: Option<Worker<'a, 'i>>,
    /// Who tells states and steps, if they are those of an algorithm.
    teller: Option<Teller<'a>>,
}

/// What is shown instead of the variables.
#[derive(Clone, Copy)]
enum View {
    Alias(Check),
    Watch(usize),
}

/// A definition of this name is a drawing of the state, as the community's tools have it.
const DRAWING: &str = "AnimView";

struct Watch<'i> {
    expr: String,
    program: &'i Program<'i>,
    proc: ProcId,
    /// It speaks of a step.
    is_action: bool,
}

impl TlaGame<'_, '_> {
    fn location(&self, proc: ProcId) -> Option<Location> {
        let def = self.model.compiled.program.procs.get(proc)?.def?;
        Some(location(self.file, self.file.spec.defs[def].span))
    }

    fn name(&self, proc: ProcId) -> String {
        self.model.compiled.program.procs[proc].name.to_string()
    }

    fn problem(&self, error: &EvalError) -> Problem {
        problem(error, self.file)
    }

    /// Decides what is looked at.
    fn look(&mut self, view: Option<&str>) -> Result<(), Refused> {
        self.view = match (view, self.model.compiled.alias) {
            (Some(expr), _) => Some(View::Watch(self.watch(expr)?)),
            (None, Some(alias)) => Some(View::Alias(alias)),
            (None, None) => None,
        };
        let drawing = self.file.spec.lookup_def(DRAWING);
        if drawing.is_some_and(|it| self.file.spec.defs[it].params.is_empty()) && view != Some(DRAWING) {
            self.drawing = self.watch(DRAWING).ok();
        }
        Ok(())
    }

    /// The fields of what is looked at. What cannot be evaluated is not shown.
    fn shown(&mut self, state: &[u32], depth: u32) -> Option<Vec<(String, Owned)>> {
        // The state is followed by itself, as the last one of a trace is.
        let at = Moment {
            state,
            next: Some(state),
            depth,
        };
        let (name, value) = match self.view? {
            View::Alias(alias) => (
                alias.name.to_string(),
                self.stepper.value(self.model.compiled.program, alias.proc, at),
            ),
            View::Watch(number) => {
                let watch = &self.watches[number];
                (
                    watch.expr.clone(),
                    self.stepper.value(watch.program, watch.proc, at),
                )
            }
        };
        Some(match value.ok()?.1 {
            element @ Owned::Record(_) if view::drawing(&element).is_some() => vec![(name, element)],
            Owned::Record(fields) => fields
                .into_iter()
                .map(|(name, it)| (name.to_string(), it))
                .collect(),
            other => vec![(name, other)],
        })
    }

    fn values(&self, state: &[u32]) -> Vec<(String, Owned)> {
        let arena = Arena::new();
        let values = self.model.decode(state, &arena);
        let names = self.model.compiled.program.variables.iter();
        names
            .zip(&values)
            .map(|(name, it)| (name.to_string(), owned(it)))
            .collect()
    }

    /// A step from a state with these values; without them it is a state to begin in.
    fn found(&mut self, it: Move, before: Option<&[(String, Owned)]>, depth: u32) -> FoundStep {
        let shown = self.shown(&it.state, depth);
        let parameters = it.parameters.into_iter().map(|it| Binding {
            name: it.name.to_string(),
            text: it.text,
            value: it.value,
        });
        let values = self.values(&it.state);
        let mut stepped = Stepped {
            action: self.name(it.action),
            parameters: parameters.collect(),
            told: None,
            location: self.location(it.action),
        };
        let algorithm = self.teller.as_mut().map(|teller| {
            let told = stepped.to_state();
            teller.state(&values, before, &told.action, &told.parameters)
        });
        stepped.told = algorithm.as_ref().and_then(|it| it.step.clone());
        FoundStep {
            stepped,
            values,
            state: it.state.into(),
            shown,
            is_excluded: it.is_excluded,
            algorithm,
        }
    }

    fn judged(&mut self, check: Check, kind: PropertyKind, at: Moment<'_>) -> Judged {
        let judged = |truth: Truth, why: Option<String>| Judged {
            name: check.name.to_string(),
            kind,
            truth,
            why,
        };
        match self.stepper.test(check.proc, at) {
            Ok(true) => judged(Truth::True, None),
            Ok(false) => {
                let blame = self.stepper.blame(&self.file.spec, check.proc, at);
                judged(Truth::False, blame.map(|it| sentence(self.file, check, &it)))
            }
            Err(error) => judged(Truth::Error, Some(self.problem(&error).title)),
        }
    }
}

fn location(file: &TlaFile, span: source::Span) -> Location {
    let text = file.sources.file(span.file);
    let (start, end) = (text.place(span.start), text.place(span.end));
    Location {
        file: text.name().to_string(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn problem(error: &EvalError, file: &TlaFile) -> Problem {
    Problem::new(&explain(error, &file.spec), &file.sources)
}

impl Game for TlaGame<'_, '_> {
    fn about(&self) -> About {
        let procs = self.model.compiled.relation.next.map_or(vec![], |it| {
            tla_eval::actions::actions(self.model.compiled.program, it)
        });
        let root = self.file.spec.root();
        let warnings = self.file.diagnostics.iter();
        About {
            spec: self.spec.to_owned(),
            language: Language::Tla,
            title: root.map_or(String::new(), |it| it.name.to_string()),
            variables: self
                .model
                .compiled
                .program
                .variables
                .iter()
                .map(ToString::to_string)
                .collect(),
            actions: procs
                .into_iter()
                .filter(|&it| {
                    let def = self.model.compiled.program.procs.get(it).and_then(|it| it.def);
                    !def.is_some_and(|it| self.file.is_end_of_algorithm(it))
                })
                .map(|it| Action {
                    name: self.name(it),
                    location: self.location(it),
                })
                .collect(),
            goals: root.map_or(vec![], |it| goals(&self.file.spec, &it.defs)),
            notation: Notation::Tla,
            algorithm: self.teller.as_ref().map(Teller::text),
            warnings: warnings
                .map(|it| Problem::new(it, &self.file.sources).text)
                .collect(),
        }
    }

    fn initial(&mut self) -> Result<Found, Problem> {
        let found = self.stepper.initial(self.choices_max);
        let found = found.map_err(|it| self.problem(&it))?;
        Ok(Found {
            is_cut: found.is_cut,
            steps: found
                .moves
                .into_iter()
                .map(|it| self.found(it, None, 1))
                .collect(),
        })
    }

    fn steps(&mut self, state: &StateKey, depth: u32) -> Result<Found, Problem> {
        let found = self
            .stepper
            .steps(&self.file.spec, state, depth, self.choices_max);
        let found = found.map_err(|it| self.problem(&it))?;
        let before = self.teller.is_some().then(|| self.values(state));
        Ok(Found {
            is_cut: found.is_cut,
            steps: found
                .moves
                .into_iter()
                .map(|it| self.found(it, before.as_deref(), depth + 1))
                .collect(),
        })
    }

    fn judge(&mut self, before: Option<&StateKey>, state: &StateKey, depth: u32) -> Vec<Judged> {
        let model = self.model;
        let here = Moment {
            state,
            next: None,
            depth,
        };
        let open = |name: String, kind: PropertyKind| Judged {
            name,
            kind,
            truth: Truth::Open,
            why: None,
        };
        let mut all = vec![];
        for &check in &model.compiled.properties.invariants {
            all.push(self.judged(check, PropertyKind::Invariant, here));
        }
        for &check in &model.compiled.properties.actions {
            all.push(match before {
                Some(before) => {
                    let step = Moment {
                        state: before,
                        next: Some(state),
                        depth: depth - 1,
                    };
                    self.judged(check, PropertyKind::Action, step)
                }
                None => open(check.name.to_string(), PropertyKind::Action),
            });
        }
        for &check in &model.compiled.properties.initial {
            all.push(match before {
                None => self.judged(check, PropertyKind::Initial, here),
                Some(_) => open(check.name.to_string(), PropertyKind::Initial),
            });
        }
        for &check in &model.compiled.constraints.states {
            all.push(self.judged(check, PropertyKind::Constraint, here));
        }
        let temporal = self.plan.temporal_properties.iter();
        all.extend(temporal.map(|it| open(it.name.to_string(), PropertyKind::Temporal)));
        all.dedup_by(|a, b| a == b);
        all
    }

    fn is_about_steps(&self, watch: usize) -> bool {
        self.watches[watch].is_action
    }

    fn waits_for(&mut self, state: &[(String, Owned)]) -> Vec<Option<String>> {
        let (Some(teller), [rule]) = (&self.teller, &self.plan.next[..]) else {
            return vec![];
        };
        let values = state.iter().map(|it| tla_plain::Value::from_owned(&it.1));
        let (Ok(values), Some(model)) = (values.collect(), &self.file.model) else {
            return vec![];
        };
        // What cannot be said plainly is left out: which steps there are does not depend on it.
        let plain = tla_plain::Interpreter::for_model(&self.file.spec, model);
        let parts = plain.blocked(rule.action, &values).unwrap_or_default();
        teller.waits_for(&parts, state)
    }

    fn drawings(&mut self, state: &StateKey, depth: u32) -> Vec<(String, Owned)> {
        let at = Moment {
            state,
            next: Some(state),
            depth,
        };
        let drawn = self.drawing.and_then(|it| {
            let watch = &self.watches[it];
            let value = self.stepper.value(watch.program, watch.proc, at);
            Some((watch.expr.clone(), value.ok()?.1))
        });
        drawn.into_iter().collect()
    }

    fn way(&mut self, from: (&StateKey, u32), goal: usize, states_max: usize) -> Result<Way, Problem> {
        let model = self.model;
        let worker = self
            .worker
            .get_or_insert_with(|| explore::Model::worker(model, 0));
        let (watch, stepper, extended) = (&self.watches[goal], &mut self.stepper, &self.extended);
        let mut is_goal = |state: &StateKey, depth: u32| {
            let at = Moment {
                state,
                next: None,
                depth,
            };
            let value = stepper.value(watch.program, watch.proc, at);
            let value = value.map_err(|it| problem(&it, extended))?;
            Ok(value.1 == Owned::Bool(true))
        };
        let found = way::way(model, worker, from, states_max, &mut is_goal);
        found.map_err(|it| match it {
            Trouble::Evaluation(error) => problem(&error, self.file),
            Trouble::Told(problem) => problem,
        })
    }

    fn watch(&mut self, expr: &str) -> Result<usize, Refused> {
        // A mistake must leave no trace: the copy is kept only if the expression is right.
        let mut file = self.extended.clone();
        file.diagnostics.clear();
        let def = file.append(self.host, |appendix| {
            let text = appendix.sources().add("expression", expr);
            appendix.formula(expr, text)
        });
        file.diagnostics.retain(diag::Diagnostic::is_error);
        let (Some(def), false) = (def, file.has_errors()) else {
            return Err((file.sources, file.diagnostics));
        };
        let body = file.spec.defs[def].body;
        let level = Levels::new(&file.spec).of(body);
        if level > Level::Action {
            let span = file.spec.exprs[body].span;
            return Err((file.sources, vec![temporal_watch(span)]));
        }
        // Everything that the plan speaks of has the same number in the specification that has grown.
        let (program, proc) = compile_value(&file.spec, self.plan, body, self.constants);
        self.extended = file;
        self.watches.push(Watch {
            expr: expr.to_owned(),
            program,
            proc,
            is_action: level == Level::Action,
        });
        Ok(self.watches.len() - 1)
    }

    fn value(
        &mut self,
        watch: usize,
        before: Option<&StateKey>,
        state: &StateKey,
        depth: u32,
    ) -> Result<(String, Owned), Problem> {
        let (watch, extended) = (&self.watches[watch], &self.extended);
        let at = match (watch.is_action, before) {
            (true, Some(before)) => Moment {
                state: before,
                next: Some(state),
                depth: depth - 1,
            },
            (true, None) => return Err(no_step_yet()),
            (false, _) => Moment {
                state,
                next: None,
                depth,
            },
        };
        let value = self.stepper.value(watch.program, watch.proc, at);
        value.map_err(|it| problem(&it, extended))
    }
}

/// Definitions that are called goals and have a value in a state.
fn goals(spec: &tla_sema::Spec, defs: &[tla_sema::ir::DefId]) -> Vec<String> {
    let mut levels = Levels::new(spec);
    let mut is_goal = |it: &tla_sema::ir::DefId| {
        let def = &spec.defs[*it];
        def.name.as_str().ends_with("Goal") && def.params.is_empty() && levels.of(def.body) == Level::State
    };
    let goals = defs.iter().filter(|it| is_goal(it));
    let mut names: Vec<String> = goals.map(|&it| spec.defs[it].name.to_string()).collect();
    names.sort_by_key(|it| it != "Goal");
    names
}

/// A formula about a step, where there was none.
fn no_step_yet() -> Problem {
    let title = "there is no step yet".to_owned();
    Problem {
        code: "no-step-yet",
        text: title.clone(),
        title,
        location: None,
    }
}
