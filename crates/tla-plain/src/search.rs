//! Breadth-first search: one queue, one state after the other, stop at the first thing that is wrong.
//!
//! Every state is kept as it is, in normal form, so two states are one exactly when they are written alike. Neither symmetry nor
//! a view is used: the counts are those of the whole space. A state outside the constraints is looked at, but it is neither
//! counted nor expanded.

use std::hash::Hasher;

use util::{FxHashMap, FxHasher};

use crate::check::{Limit, Options, Stop, Violation, ViolationKind};
use crate::env::View;
use crate::judge::StepJudgement;
use crate::problem::{Closed, Problem};
use crate::run::Counts;
use crate::steps::{Action, Successor};
use crate::{Error, Interpreter, Result, State, Value};

/// A state that was found, and how.
pub(crate) struct Found {
    pub state: State,
    parent: Option<usize>,
    action: Action,
    /// States on the shortest way to it, itself included.
    pub depth: u32,
    /// Inside the constraints.
    pub is_inside: bool,
    /// Where its steps lead, and what they are steps of; kept for temporal properties only.
    pub next: Vec<(usize, Action)>,
}

/// How often an action was taken, and how many new states it led to.
#[derive(Clone, Copy, Debug)]
pub struct ActionCount {
    pub action: Action,
    pub taken: u64,
    pub found: u64,
}

/// All that was found, in the order in which it was.
#[derive(Default)]
pub(crate) struct Space {
    pub found: Vec<Found>,
    by_hash: FxHashMap<u64, Vec<usize>>,
    /// Parts of all values: how much memory they take, if nothing were shared.
    n_nodes: u64,
}

impl Space {
    fn hash(state: &State) -> u64 {
        let mut hasher = FxHasher::default();
        state.iter().for_each(|it| it.hash_into(&mut hasher));
        hasher.finish()
    }

    fn position(&self, state: &State) -> Option<usize> {
        let is_it = |&&it: &&usize| self.found[it].state.iter().zip(state).all(|(a, b)| a.is(b));
        self.by_hash.get(&Space::hash(state))?.iter().find(is_it).copied()
    }

    fn add(&mut self, found: Found) -> usize {
        let place = self.found.len();
        self.n_nodes += found.state.iter().map(Value::n_nodes).sum::<u64>();
        self.by_hash
            .entry(Space::hash(&found.state))
            .or_default()
            .push(place);
        self.found.push(found);
        place
    }

    /// The states of a behaviour that begins with an initial one, each with an action that leads there.
    pub fn walk(&self, states: &[usize]) -> Vec<Successor> {
        let step = |(i, &it): (usize, &usize)| Successor {
            action: match i.checked_sub(1).map(|before| states[before]) {
                Some(before) => self.action_between(before, it),
                None => self.found[it].action,
            },
            state: self.found[it].state.clone(),
        };
        states.iter().enumerate().map(step).collect()
    }

    fn action_between(&self, from: usize, to: usize) -> Action {
        let steps = &self.found[from].next;
        let step = steps.iter().find(|it| it.0 == to);
        step.map_or(self.found[to].action, |it| it.1)
    }

    /// The way to a state.
    pub fn path(&self, to: usize) -> Vec<Successor> {
        let mut path = vec![];
        let mut at = Some(to);
        while let Some(it) = at.map(|it| &self.found[it]) {
            path.push(Successor {
                action: it.action,
                state: it.state.clone(),
            });
            at = it.parent;
        }
        path.reverse();
        path
    }
}

pub(crate) struct Search<'a, 's> {
    interpreter: &'a Interpreter<'s>,
    problem: &'a Problem,
    options: &'a Options<'a>,
    pub space: Space,
    pub counts: Counts,
    pub actions: Vec<ActionCount>,
    /// For each formula that something must satisfy, whether something does.
    pub is_satisfied: Vec<bool>,
    /// The first violation, where the search goes on after it.
    pub violation: Option<Violation>,
}

/// Ends with the reason to stop.
pub(crate) type Flow = std::result::Result<(), Stop>;

impl<'a, 's> Search<'a, 's> {
    pub fn new(interpreter: &'a Interpreter<'s>, problem: &'a Problem, options: &'a Options<'a>) -> Self {
        Search {
            interpreter,
            problem,
            options,
            space: Space::default(),
            counts: Counts::default(),
            actions: vec![],
            is_satisfied: vec![false; problem.possible.len()],
            violation: None,
        }
    }

    pub fn run(&mut self) -> Flow {
        self.initial()?;
        let mut at = 0;
        while at < self.space.found.len() {
            if self.space.found[at].is_inside {
                self.pause(at)?;
                self.expand(at)?;
                self.counts.queue -= 1;
            }
            at += 1;
        }
        Ok(())
    }

    /// Before a state is expanded: limits.
    fn pause(&mut self, at: usize) -> Flow {
        self.tell_counts();
        if self
            .options
            .depth_max
            .is_some_and(|it| self.space.found[at].depth >= it)
        {
            return Err(Stop::Limit(Limit::Depth));
        }
        if self.options.nodes_max.is_some_and(|it| self.space.n_nodes > it) {
            return Err(Stop::Limit(Limit::Memory));
        }
        if self
            .interpreter
            .run
            .as_ref()
            .is_some_and(|it| it.is_exit_asked.get())
        {
            return Err(Stop::Limit(Limit::Exit));
        }
        match (self.options.go_on)(&self.counts) {
            true => Ok(()),
            false => Err(Stop::Limit(Limit::Interrupted)),
        }
    }

    fn tell_counts(&self) {
        if let Some(run) = &self.interpreter.run {
            run.counts.set(self.counts);
        }
    }

    fn initial(&mut self) -> Flow {
        let interpreter = self.interpreter;
        interpreter.refuel(self.options.fuel);
        let mut flow = Ok(());
        let done = interpreter.each_initial_state(&self.problem.init, &mut |it| {
            self.count(it.action);
            flow = self.enter(None, it).map(|_| ());
            // There may be as many initial states as there are states.
            interpreter.refuel(self.options.fuel);
            Ok(flow.is_ok())
        });
        flow?;
        done.map_err(|error| Stop::Error(error, vec![]))
    }

    /// Takes every step from a state.
    fn expand(&mut self, at: usize) -> Flow {
        let interpreter = self.interpreter;
        interpreter.refuel(self.options.fuel);
        let (state, depth) = (self.space.found[at].state.clone(), self.space.found[at].depth);
        let (mut flow, mut n_steps) = (Ok(()), 0);
        let done = interpreter.each_successor(&self.problem.rules, &state, depth, &mut |it| {
            n_steps += 1;
            flow = self.take(at, it);
            Ok(flow.is_ok())
        });
        flow?;
        done.map_err(|error| Stop::Error(error, self.space.path(at)))?;
        match n_steps == 0 && self.options.checks_deadlock(self.problem) {
            true => self.violated(ViolationKind::Deadlock, String::new(), self.space.path(at)),
            false => Ok(()),
        }
    }

    /// One step: is it inside the constraints, where does it lead, does it break a property?
    fn take(&mut self, from: usize, to: Successor) -> Flow {
        self.count(to.action);
        let interpreter = self.interpreter;
        let before = self.space.found[from].state.clone();
        let next: Vec<Option<Value>> = to.state.iter().cloned().map(Some).collect();
        let view = View {
            level: self.space.found[from].depth,
            ..interpreter.view(Some(&before), Some(&next))
        };
        let at_source = |error: Error, search: &Self| Stop::Error(error, search.space.path(from));
        let judgement = interpreter.judge_step(self.problem, view);
        let judgement = judgement.map_err(|error| at_source(error, self))?;
        let is_inside = judgement == StepJudgement::Inside;
        if judgement == StepJudgement::None {
            return Ok(());
        }
        if judgement == StepJudgement::Outside {
            let level = self.space.found[from].depth + 1;
            let broken = interpreter.broken_invariant(self.problem, &to.state, level);
            if let Some(name) = broken.map_err(|error| at_source(error, self))? {
                let mut trace = self.space.path(from);
                trace.push(to);
                return self.violated(ViolationKind::Invariant, name.to_string(), trace);
            }
        }
        let target = match is_inside {
            true => self.enter(Some(from), to.clone())?,
            false => None,
        };
        if let Some(target) = target.filter(|_| self.problem.is_temporal()) {
            self.space.found[from].next.push((target, to.action));
        }
        for (i, (_, formula)) in self.problem.possible.iter().enumerate() {
            let is_step = |closed: &Closed| Ok(interpreter.level_of(closed)? > tla_sema::ir::Level::State);
            let is_met = || Ok(is_step(formula)? && interpreter.holds_in(formula, view)?);
            if target.is_some() && !self.is_satisfied[i] {
                self.is_satisfied[i] = is_met().map_err(|error| at_source(error, self))?;
            }
        }
        let broken = interpreter.broken_step_property(self.problem, view);
        if let Some(name) = broken.map_err(|error| at_source(error, self))? {
            let mut trace = self.space.path(from);
            trace.push(to);
            return self.violated(ViolationKind::ActionProperty, name.to_string(), trace);
        }
        Ok(())
    }

    fn count(&mut self, action: Action) {
        self.counts.generated += 1;
        match self.actions.iter_mut().find(|it| it.action == action) {
            Some(known) => known.taken += 1,
            None => self.actions.push(ActionCount {
                action,
                taken: 1,
                found: 0,
            }),
        }
    }

    /// Where a state is among those found; nothing when it is outside the constraints. A new one is looked at.
    fn enter(&mut self, parent: Option<usize>, to: Successor) -> std::result::Result<Option<usize>, Stop> {
        if let Some(known) = self.space.position(&to.state) {
            return Ok(Some(known).filter(|&it| self.space.found[it].is_inside));
        }
        let depth = parent.map_or(1, |it| self.space.found[it].depth + 1);
        let inspected = self.inspect(&to.state, depth);
        let is_inside = !matches!(inspected, Ok((false, _)));
        if is_inside
            && self
                .options
                .states_max
                .is_some_and(|it| self.counts.distinct >= it)
        {
            // As in the engine, the step to a state without room is not one that was made.
            self.counts.generated -= 1;
            return Err(Stop::Limit(Limit::States));
        }
        let action = to.action;
        let place = self.space.add(Found {
            state: to.state,
            parent,
            action,
            depth,
            is_inside,
            next: vec![],
        });
        if is_inside {
            self.counts.distinct += 1;
            self.counts.queue += 1;
            self.counts.depth = self.counts.depth.max(depth);
            let taken = self.actions.iter_mut().find(|it| it.action == action);
            taken.into_iter().for_each(|it| it.found += 1);
        }
        match inspected {
            Err(error) => Err(Stop::Error(error, self.space.path(place))),
            Ok((_, Some(name))) => {
                self.violated(ViolationKind::Invariant, name, self.space.path(place))?;
                Ok(is_inside.then_some(place))
            }
            Ok((_, None)) => Ok(is_inside.then_some(place)),
        }
    }

    /// Whether a state is inside the constraints, and which invariant it breaks.
    fn inspect(&mut self, state: &State, depth: u32) -> Result<(bool, Option<String>)> {
        let interpreter = self.interpreter;
        let view = View {
            level: depth,
            ..interpreter.view(Some(state), None)
        };
        let judgement = interpreter.judge_state(self.problem, state, depth)?;
        // What the constraints exclude is not reached.
        for (i, (_, formula)) in self.problem.possible.iter().enumerate() {
            let is_open = judgement.is_inside && !self.is_satisfied[i];
            if is_open && interpreter.level_of(formula)? <= tla_sema::ir::Level::State {
                self.is_satisfied[i] = interpreter.holds_in(formula, view)?;
            }
        }
        Ok((judgement.is_inside, judgement.violated.map(|it| it.to_string())))
    }

    fn violated(&mut self, kind: ViolationKind, name: String, trace: Vec<Successor>) -> Flow {
        let violation = Violation { kind, name, trace };
        if self.options.keeps_going {
            self.violation.get_or_insert(violation);
            return Ok(());
        }
        Err(Stop::Violation(violation))
    }
}
