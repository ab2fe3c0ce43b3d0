//! Which next states satisfy an action, in the order in which a reader finds them.
//!
//! A [`Branch`] is a point of the search: the conjuncts that are left, the next values that are known. It is never shared and never
//! put back: where the formula leaves a choice, each choice is a branch of its own, a copy. Conjuncts are taken from left to right.
//! `/\` and `\A` become more conjuncts; `\/`, `\E`, `[A]_v` and `x' \in S` become branches; `x' = e` gives `x` its next value, or
//! compares where it has one; everything else is tested. A conjunct that reads a next value which is not known yet waits until all
//! others are done. Initial states are found in the same way, with every name meaning its next value.
//!
//! `ENABLED A` asks whether the search finds anything, and `A \cdot B` is a search from every state that another one finds.

mod conjunct;

use std::rc::Rc;

use tla_sema::ir::*;
use util::Symbol;

use crate::env::{Env, Reads, View};
use crate::fuel::{level, paid, spend};
use crate::problem::{Closed, Rule};
use crate::temporal::Kind;
use crate::value::{equal, undefined};
use crate::{Error, Interpreter, Result, State, Value};
use conjunct::{Choices, Shape, Step};

/// What names a step: the definition that it is a step of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    pub name: Symbol,
    /// Nothing for a formula without a name of its own.
    pub def: Option<DefId>,
}

/// A state that a search has found, and what it is a step of.
#[derive(Clone, Debug)]
pub struct Successor {
    pub action: Action,
    pub state: State,
}

/// Hears of every next state; true ends the search.
type Found<'f> = dyn FnMut(&Branch) -> Result<bool> + 'f;

/// One conjunct, with what its names mean and the state that they speak of.
#[derive(Clone)]
struct Goal {
    what: What,
    env: Env,
    primed: bool,
    from: From,
}

/// The state that a step is taken from; nothing while initial states are looked for.
#[derive(Clone)]
struct From {
    state: Option<Rc<State>>,
    level: u32,
    turn: u32,
    moment: u64,
}

#[derive(Clone, Copy)]
enum What {
    Holds(ExprId),
    /// `[A]_v`.
    Box(ExprId, ExprId),
    /// `v' = v`.
    Stays(ExprId),
    /// `v' # v`.
    Changes(ExprId),
}

/// A point of the search.
#[derive(Clone)]
struct Branch {
    /// Conjuncts, the next one last.
    todo: Vec<Goal>,
    /// Conjuncts that need the next value of a variable, the first one first.
    waiting: Vec<(Goal, usize)>,
    /// How many next values were known when the waiting ones were last tried.
    tried_with: usize,
    next: Vec<Option<Value>>,
    /// Tells these next values from others.
    step: u64,
    action: Action,
    /// No conjunction has been entered: a definition that is called now names the step better.
    is_naming: bool,
}

impl Branch {
    fn n_known(&self) -> usize {
        self.next.iter().flatten().count()
    }

    fn with(&self, goal: Goal) -> Branch {
        let mut branch = self.clone();
        branch.todo.push(goal);
        branch
    }

    fn state(&self) -> Result<State> {
        match self.next.iter().position(Option::is_none) {
            Some(open) => Err(Error::Unassigned(open)),
            None => self.next.iter().flatten().map(Value::normal).collect(),
        }
    }
}

impl Goal {
    fn holds(&self, expr: ExprId, env: &Env) -> Goal {
        Goal {
            what: What::Holds(expr),
            env: env.clone(),
            ..self.clone()
        }
    }

    fn also(&self, what: What) -> Goal {
        Goal { what, ..self.clone() }
    }

    fn view<'v>(&'v self, branch: &'v Branch) -> View<'v> {
        View {
            state: self.from.state.as_ref().map(|it| &it[..]),
            next: Some(&branch.next),
            primed: self.primed,
            lenient: false,
            level: self.from.level,
            turn: self.from.turn,
            moment: self.from.moment,
            step: branch.step,
        }
    }
}

/// Of a search that nobody sees the steps of.
fn nameless() -> Action {
    Action {
        name: Symbol::new(""),
        def: None,
    }
}

/// A next value that never came is a mistake of the specification; it must not make what is around it wait.
fn required<T>(result: Result<T>, it: &Interpreter<'_>) -> Result<T> {
    match result {
        Err(Error::Unassigned(index)) => {
            let name = it.variable(index).unwrap_or(Symbol::new("a variable"));
            undefined(format!("nothing gives `{name}` its next value"))
        }
        other => other,
    }
}

impl<'s> Interpreter<'s> {
    /// The states that satisfy all initial predicates, each as often as they yield it.
    pub fn initial_states(&self, init: &[Closed]) -> Result<Vec<Successor>> {
        let mut all = vec![];
        self.each_initial_state(init, &mut |it| {
            all.push(it);
            Ok(true)
        })?;
        Ok(all)
    }

    /// Hands on one initial state after the other until it is told to stop.
    pub fn each_initial_state(
        &self,
        init: &[Closed],
        told: &mut dyn FnMut(Successor) -> Result<bool>,
    ) -> Result<()> {
        let from = From {
            state: None,
            level: 0,
            turn: 0,
            moment: self.fresh(),
        };
        let goals = init.iter().map(|it| Goal {
            what: What::Holds(it.expr),
            env: it.env.clone(),
            primed: true,
            from: from.clone(),
        });
        let action = Action {
            name: Symbol::new("Init"),
            def: None,
        };
        self.tell(goals.collect(), action, told)
    }

    /// The states that a step of all rules leads to from a state, each as often as the rules yield it.
    pub fn successors(&self, rules: &[Rule], state: &State, level: u32) -> Result<Vec<Successor>> {
        let mut all = vec![];
        self.each_successor(rules, state, level, &mut |it| {
            all.push(it);
            Ok(true)
        })?;
        Ok(all)
    }

    /// Hands on one successor after the other until it is told to stop. `level` counts the states up to this one.
    pub fn each_successor(
        &self,
        rules: &[Rule],
        state: &State,
        level: u32,
        told: &mut dyn FnMut(Successor) -> Result<bool>,
    ) -> Result<()> {
        let from = From {
            state: Some(Rc::new(state.clone())),
            level,
            turn: 0,
            moment: self.fresh(),
        };
        let is_alone = rules.len() == 1;
        let goal = |rule: &Rule| Goal {
            what: match rule.subscript {
                // A single rule is searched without its stuttering steps.
                Some(subscript) if !is_alone => What::Box(rule.action, subscript),
                _ => What::Holds(rule.action),
            },
            env: rule.env.clone(),
            primed: false,
            from: from.clone(),
        };
        let name = match rules {
            [] => return Ok(()),
            [one] => one.name,
            _ => None,
        };
        let action = Action {
            name: name.unwrap_or(Symbol::new("Next")),
            def: None,
        };
        self.tell(rules.iter().map(goal).collect(), action, told)
    }

    /// Whether some next state satisfies all rules.
    pub fn has_step(&self, rules: &[Rule], state: &State) -> Result<bool> {
        let mut any = false;
        self.each_successor(rules, state, 0, &mut |_| {
            any = true;
            Ok(false)
        })?;
        Ok(any)
    }

    fn tell(
        &self,
        goals: Vec<Goal>,
        action: Action,
        told: &mut dyn FnMut(Successor) -> Result<bool>,
    ) -> Result<()> {
        let mut branch = self.branch(goals, action);
        branch.is_naming = branch.todo.len() == 1;
        self.explore(branch, &mut |branch| self.hand_on(branch, told))?;
        paid(Ok(()))
    }

    fn hand_on(&self, branch: &Branch, told: &mut dyn FnMut(Successor) -> Result<bool>) -> Result<bool> {
        let state = branch.state()?;
        let action = branch.action;
        told(Successor { action, state }).map(|go_on| !go_on)
    }

    /// A search that has not begun. The first goal comes first.
    fn branch(&self, goals: Vec<Goal>, action: Action) -> Branch {
        Branch {
            todo: goals.into_iter().rev().collect(),
            waiting: vec![],
            tried_with: 0,
            next: vec![None; self.n_state],
            step: self.fresh(),
            action,
            is_naming: false,
        }
    }

    /// `ENABLED A`: whether there is a next state, completely given or not.
    pub(crate) fn enabled(&self, action: ExprId, env: &Env, view: View<'_>) -> Result<bool> {
        let goal = self.goal(action, env, view)?;
        self.is_possible(vec![goal])
    }

    /// `ENABLED <<A>>_v`.
    pub(crate) fn enabled_to_change(
        &self,
        action: ExprId,
        subscript: ExprId,
        env: &Env,
        view: View<'_>,
    ) -> Result<bool> {
        let goal = self.goal(action, env, view)?;
        let change = goal.also(What::Changes(subscript));
        self.is_possible(vec![goal, change])
    }

    /// Whether a step is among those of `[A]_v` or `<<A>>_v` in its first state. Values that cannot be compared make different states, and
    /// what the action leaves open may be anything.
    pub(crate) fn is_among_steps(
        &self,
        kind: Kind,
        action: ExprId,
        env: &Env,
        view: View<'_>,
    ) -> Result<bool> {
        let goal = self.goal(action, env, view)?;
        let goals = match kind {
            Kind::Box(subscript) => vec![goal.also(What::Box(action, subscript))],
            Kind::Angle(subscript) => vec![goal.clone(), goal.also(What::Changes(subscript))],
            Kind::Predicate | Kind::Enabled(_) => vec![goal],
        };
        let step = view.next.unwrap_or_default();
        let is_alike = |found: &Option<Value>, given: &Option<Value>| match (found, given) {
            (Some(found), Some(given)) => equal(found, given) == Ok(true),
            (None, _) | (_, None) => true,
        };
        let mut branch = self.branch(goals, nameless());
        branch.next.resize(self.variables.len(), None);
        let found = self.explore(branch, &mut |branch| {
            Ok(branch
                .next
                .iter()
                .zip(step)
                .all(|(found, given)| is_alike(found, given)))
        });
        required(found, self)
    }

    fn is_possible(&self, goals: Vec<Goal>) -> Result<bool> {
        let mut branch = self.branch(goals, nameless());
        // Here, the variables of instantiated modules have next values too.
        branch.next.resize(self.variables.len(), None);
        required(self.explore(branch, &mut |_| Ok(true)), self)
    }

    /// Whether a first step leads to a state from which a second one leads to the next state.
    pub(crate) fn composed(&self, first: ExprId, second: ExprId, env: &Env, view: View<'_>) -> Result<bool> {
        for middle in self.middles(first, env, view)? {
            let view = self.view(Some(&middle), view.next);
            if self.test(second, env, view)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn middles(&self, first: ExprId, env: &Env, view: View<'_>) -> Result<Vec<State>> {
        let goal = self.goal(first, env, view)?;
        let mut middles = vec![];
        let found = self.explore(self.branch(vec![goal], nameless()), &mut |branch| {
            middles.push(branch.state()?);
            Ok(false)
        });
        required(found, self)?;
        Ok(middles)
    }

    /// An action of the state that a view is about.
    fn goal(&self, action: ExprId, env: &Env, view: View<'_>) -> Result<Goal> {
        // Under a prime, the next state is the one that the action starts from.
        let (state, moment) = match (view.primed, view.state, view.next) {
            (false, Some(state), _) => (state.to_vec(), view.moment),
            (true, _, Some(next)) => {
                // What only `ENABLED` knows is no part of a state.
                let next = &next[..self.n_state.min(next.len())];
                let open = next.iter().position(Option::is_none).unwrap_or(0);
                let state: Option<State> = next.iter().cloned().collect();
                (state.ok_or(Error::Unassigned(open))?, self.fresh())
            }
            _ => return undefined("an action outside any state"),
        };
        self.note(if view.primed { Reads::NEXT } else { Reads::STATE });
        Ok(Goal {
            what: What::Holds(action),
            env: env.clone(),
            primed: false,
            from: From {
                state: Some(Rc::new(state)),
                level: view.level + u32::from(view.primed),
                turn: view.turn + u32::from(view.primed),
                moment,
            },
        })
    }

    /// Tells `found` of every way to satisfy what is left of a branch. True ended the search.
    fn explore(&self, branch: Branch, found: &mut Found<'_>) -> Result<bool> {
        level(|| self.explore_here(branch, found))
    }

    fn explore_here(&self, mut branch: Branch, found: &mut Found<'_>) -> Result<bool> {
        loop {
            // A definition that calls itself first adds conjuncts for ever; each of them is paid for as long as it waits.
            spend(1 + branch.todo.len() / 100)?;
            let Some(goal) = branch.todo.pop() else {
                let Some((_, open)) = branch.waiting.first() else {
                    return found(&branch);
                };
                if branch.n_known() == branch.tried_with {
                    return required(Err(Error::Unassigned(*open)), self);
                }
                branch.tried_with = branch.n_known();
                branch.todo = branch.waiting.drain(..).rev().map(|it| it.0).collect();
                continue;
            };
            match self.step(&goal, &branch) {
                Err(Error::Unassigned(open)) => branch.waiting.push((goal, open)),
                Err(error) => return Err(error),
                Ok(Step::Done(true)) => {}
                Ok(Step::Done(false)) => return Ok(false),
                Ok(Step::All(goals)) => branch.todo.extend(goals.into_iter().rev()),
                Ok(Step::Conjunction(goals)) => {
                    branch.is_naming &= goals.len() <= 1;
                    branch.todo.extend(goals.into_iter().rev());
                }
                Ok(Step::Named(goal, action)) => {
                    if branch.is_naming {
                        branch.action = action;
                    }
                    branch.todo.push(goal);
                }
                Ok(Step::Keep(variables)) => {
                    if !self.keep(&mut branch, &goal, &variables)? {
                        return Ok(false);
                    }
                }
                Ok(Step::Choose(choices)) => return self.branch_out(choices, &goal, &branch, found),
                Ok(Step::Composed(goals)) => {
                    // The step is one of the whole, not of its parts.
                    branch.is_naming = false;
                    return self.branch_out(Choices::Any(goals), &goal, &branch, found);
                }
            }
        }
    }

    /// Explores one choice after the other, each in a branch of its own.
    fn branch_out(
        &self,
        choices: Choices<'s>,
        goal: &Goal,
        branch: &Branch,
        found: &mut Found<'_>,
    ) -> Result<bool> {
        match choices {
            Choices::Any(goals) => {
                for goal in goals {
                    if self.explore(branch.with(goal), found)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Choices::Give(shape, values) => {
                for value in values.iter() {
                    let mut branch = branch.clone();
                    if self.give_shape(&mut branch, &shape, value)? && self.explore(branch, found)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Choices::Exists(bounds, body, sets) => self.exists(bounds, &sets, &goal.env, &mut |env| {
                self.explore(branch.with(goal.holds(body, env)), found)
            }),
        }
    }

    /// Runs `then` for one element of each set after the other, the last set's fastest.
    fn exists(
        &self,
        bounds: &[Bound],
        sets: &[Rc<Vec<Value>>],
        env: &Env,
        then: &mut dyn FnMut(&Env) -> Result<bool>,
    ) -> Result<bool> {
        let (Some((bound, bounds)), Some((set, sets))) = (bounds.split_first(), sets.split_first()) else {
            return then(env);
        };
        for item in set.iter() {
            let env = crate::eval::bind_pattern(&bound.pattern, item, env)?;
            if self.exists(bounds, sets, &env, then)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Gives a variable its next value, or compares with the one that it has.
    fn give(&self, branch: &mut Branch, variable: usize, value: Value) -> Result<bool> {
        match &branch.next[variable] {
            Some(known) => equal(known, &value),
            None => {
                branch.next[variable] = Some(value);
                branch.step = self.fresh();
                Ok(true)
            }
        }
    }

    /// `UNCHANGED`: variables keep their values.
    fn keep(&self, branch: &mut Branch, goal: &Goal, variables: &[usize]) -> Result<bool> {
        let Some(state) = &goal.from.state else {
            return undefined("UNCHANGED outside any step");
        };
        for &variable in variables {
            if !self.give(branch, variable, state[variable].clone())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn give_shape(&self, branch: &mut Branch, shape: &Shape, value: &Value) -> Result<bool> {
        match shape {
            Shape::Variable(variable) => self.give(branch, *variable, value.clone()),
            Shape::Tuple(parts) => match value.items() {
                Ok(items) if items.len() == parts.len() => {
                    for (part, item) in parts.iter().zip(&items) {
                        if !self.give_shape(branch, part, item)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
                // Another function is different; anything else cannot be compared with a tuple.
                _ => equal(&Value::tuple(vec![]), value).map(|_| false),
            },
        }
    }
}
