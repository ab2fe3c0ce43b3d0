//! Which next states satisfy an action, in the order in which a reader finds them.
//!
//! A [`Branch`] is a point of the search: the conjuncts that are left, the next values that are known. It is never shared and never
//! put back: where the formula leaves a choice, each choice is a branch of its own, a copy. Conjuncts are taken from left to right.
//! `/\` and `\A` become more conjuncts; `\/`, `\E`, `[A]_v` and `x' \in S` become branches; `x' = e` gives `x` its next value, or
//! compares where it has one; everything else is tested. A conjunct that reads a next value which is not known yet waits until all
//! others are done. Initial states are found in the same way, with every name meaning its next value.
//!
//! `ENABLED A` asks whether the search finds anything, and `A \cdot B` is a search from every state that another one finds.

use std::rc::Rc;

use tla_sema::ir::*;
use util::Symbol;

use crate::env::{Binding, Closure, Env, Reads, View};
use crate::fuel::{level, paid, spend};
use crate::problem::{Closed, Rule};
use crate::sets::elements;
use crate::value::{equal, undefined};
use crate::{Error, Interpreter, Large, Result, State, Value};

/// A universal quantifier over more elements than this cannot be meant as a conjunction of actions, but only as a test.
const CONJUNCTS_MAX: usize = 1 << 12;

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

/// What becomes of a conjunct.
enum Step<'s> {
    Done(bool),
    /// More conjuncts, the first one first.
    All(Vec<Goal>),
    /// The conjuncts of a `/\`.
    Conjunction(Vec<Goal>),
    /// The body of a definition that may name the step.
    Named(Goal, Action),
    Any(Vec<Goal>),
    /// The second halves of a composition, each from another state in the middle.
    Composed(Vec<Goal>),
    /// A body for every choice of one element from each set.
    Exists(&'s [Bound], ExprId, Vec<Rc<Vec<Value>>>),
    /// Each element in turn is the next value of these variables.
    Give(Shape, Rc<Vec<Value>>),
    /// These variables keep their values.
    Keep(Vec<usize>),
}

/// Variables whose next values an expression is: one, or a tuple of them.
#[derive(Clone)]
enum Shape {
    Variable(usize),
    Tuple(Vec<Shape>),
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
fn settled<T>(result: Result<T>, it: &Interpreter<'_>) -> Result<T> {
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
            next: vec![None; self.variables.len()],
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

    fn is_possible(&self, goals: Vec<Goal>) -> Result<bool> {
        let branch = self.branch(goals, nameless());
        settled(self.explore(branch, &mut |_| Ok(true)), self)
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
        settled(found, self)?;
        Ok(middles)
    }

    /// An action of the state that a view is about.
    fn goal(&self, action: ExprId, env: &Env, view: View<'_>) -> Result<Goal> {
        // Under a prime, the next state is the one that the action starts from.
        let (state, moment) = match (view.primed, view.state, view.next) {
            (false, Some(state), _) => (state.to_vec(), view.moment),
            (true, _, Some(next)) => {
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
            let Some(goal) = branch.todo.pop() else {
                let Some((_, open)) = branch.waiting.first() else {
                    return found(&branch);
                };
                if branch.n_known() == branch.tried_with {
                    return settled(Err(Error::Unassigned(*open)), self);
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
                    for variable in variables {
                        let Some(state) = &goal.from.state else {
                            return undefined("UNCHANGED outside any step");
                        };
                        if !self.give(&mut branch, variable, state[variable].clone())? {
                            return Ok(false);
                        }
                    }
                }
                Ok(Step::Composed(goals)) => {
                    // The step is one of the whole, not of its parts.
                    branch.is_naming = false;
                    for goal in goals {
                        if self.explore(branch.with(goal), found)? {
                            return Ok(true);
                        }
                    }
                    return Ok(false);
                }
                Ok(Step::Any(goals)) => {
                    for goal in goals {
                        if self.explore(branch.with(goal), found)? {
                            return Ok(true);
                        }
                    }
                    return Ok(false);
                }
                Ok(Step::Give(shape, values)) => {
                    for value in values.iter() {
                        let mut branch = branch.clone();
                        if self.give_shape(&mut branch, &shape, value)? && self.explore(branch, found)? {
                            return Ok(true);
                        }
                    }
                    return Ok(false);
                }
                Ok(Step::Exists(bounds, body, sets)) => {
                    return self.exists(bounds, &sets, &goal.env, &mut |env| {
                        self.explore(branch.with(goal.holds(body, env)), found)
                    });
                }
            }
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

    /// The elements of the sets of a quantifier, up to the first empty one: nothing is chosen then.
    fn bound_sets(&self, bounds: &[Bound], env: &Env, view: View<'_>) -> Result<Vec<Rc<Vec<Value>>>> {
        let mut sets = vec![];
        for bound in bounds {
            let set = elements(&self.set(bound.set, env, view)?)?;
            let is_empty = set.is_empty();
            sets.push(set);
            if is_empty {
                break;
            }
        }
        Ok(sets)
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

    /// What becomes of a conjunct.
    fn step(&self, goal: &Goal, branch: &Branch) -> Result<Step<'s>> {
        let view = goal.view(branch);
        let env = &goal.env;
        let is_complete = branch.next.iter().all(Option::is_some);
        match goal.what {
            // Nothing is left to be given: a step is one or not, however many ways there are to see it.
            What::Box(action, subscript) if is_complete => {
                Ok(Step::Done(self.is_box_step(action, subscript, env, view)?))
            }
            What::Box(action, subscript) => Ok(Step::Any(vec![
                goal.holds(action, env),
                goal.also(What::Stays(subscript)),
            ])),
            What::Changes(expr) => Ok(Step::Done(!self.unchanged(expr, env, view)?)),
            What::Stays(expr) => self.stays(expr, goal, view),
            What::Holds(expr) if self.is_closed_constant(expr) => Ok(Step::Done(self.test(expr, env, view)?)),
            What::Holds(expr) => match &self.spec.exprs[expr].kind {
                ExprKind::Builtin { op, args } => self.step_builtin(*op, args, expr, goal, view),
                ExprKind::Quant {
                    kind: Quant::Exists,
                    bounds,
                    body,
                } => {
                    let sets = self.bound_sets(bounds, env, view)?;
                    Ok(match sets.iter().any(|it| it.is_empty()) {
                        true => Step::Done(false),
                        false => Step::Exists(bounds, *body, sets),
                    })
                }
                ExprKind::Quant {
                    kind: Quant::Forall,
                    bounds,
                    body,
                } => self.for_all(bounds, *body, expr, goal, view),
                ExprKind::If { test, then, other } => {
                    let branch = if self.test(*test, env, view)? { then } else { other };
                    Ok(Step::All(vec![goal.holds(*branch, env)]))
                }
                ExprKind::Case { arms, other } => {
                    for &(guard, body) in arms {
                        if self.test(guard, env, view)? {
                            return Ok(Step::All(vec![goal.holds(body, env)]));
                        }
                    }
                    match other {
                        Some(other) => Ok(Step::All(vec![goal.holds(*other, env)])),
                        None => undefined("no guard of the CASE is true"),
                    }
                }
                ExprKind::Let { defs, body } => Ok(Step::All(vec![goal.holds(*body, &env.lets(defs))])),
                ExprKind::Label { body, .. } => Ok(Step::All(vec![goal.holds(*body, env)])),
                ExprKind::BoxAction { action, subscript } => {
                    Ok(Step::All(vec![goal.also(What::Box(*action, *subscript))]))
                }
                ExprKind::AngleAction { action, subscript } => Ok(Step::All(vec![
                    goal.holds(*action, env),
                    goal.also(What::Changes(*subscript)),
                ])),
                ExprKind::Local(local) => match env.find(*local) {
                    Some(Binding::Thunk(thunk)) => Ok(Step::All(vec![Goal {
                        primed: goal.primed || thunk.primed,
                        ..goal.holds(thunk.expr, &thunk.env)
                    }])),
                    _ => Ok(Step::Done(self.test(expr, env, view)?)),
                },
                ExprKind::FnApply { function, arg } => {
                    self.step_application(*function, *arg, expr, goal, view)
                }
                ExprKind::Call { op, args } => self.step_call(*op, args, expr, goal, view),
                _ => Ok(Step::Done(self.test(expr, env, view)?)),
            },
        }
    }

    fn step_builtin(
        &self,
        op: Builtin,
        args: &[ExprId],
        expr: ExprId,
        goal: &Goal,
        view: View<'_>,
    ) -> Result<Step<'s>> {
        let env = &goal.env;
        let each = || args.iter().map(|&it| goal.holds(it, env)).collect();
        match op {
            Builtin::And => return Ok(Step::Conjunction(each())),
            Builtin::Or => return Ok(Step::Any(each())),
            Builtin::Implies => {
                return match self.test(args[0], env, view)? {
                    true => Ok(Step::All(vec![goal.holds(args[1], env)])),
                    false => Ok(Step::Done(true)),
                };
            }
            Builtin::Prime => {
                let primed = true;
                let inner = goal.holds(args[0], env);
                return Ok(Step::All(vec![Goal { primed, ..inner }]));
            }
            Builtin::Unchanged => return self.stays(args[0], goal, view),
            Builtin::Eq => {
                for (side, other) in [(args[0], args[1]), (args[1], args[0])] {
                    if let Some(shape @ Shape::Variable(_)) = self.open(side, env, view)? {
                        let value = self.eval(other, env, view)?;
                        return Ok(Step::Give(shape, Rc::new(vec![value])));
                    }
                }
                if let Some(shape) = self.open(args[0], env, view)? {
                    let value = self.eval(args[1], env, view)?;
                    return Ok(Step::Give(shape, Rc::new(vec![value])));
                }
            }
            Builtin::In => {
                if let Some(shape) = self.open(args[0], env, view)? {
                    let set = self.set(args[1], env, view)?;
                    return Ok(Step::Give(shape, elements(&set)?));
                }
            }
            Builtin::SubsetEq => {
                if let Some(shape @ Shape::Variable(_)) = self.open(args[0], env, view)? {
                    let subsets = Value::large(Large::Power(self.set(args[1], env, view)?));
                    return Ok(Step::Give(shape, elements(&subsets)?));
                }
            }
            Builtin::Compose => {
                let middles = self.middles(args[0], env, view)?;
                let second = |middle: State| Goal {
                    from: From {
                        state: Some(Rc::new(middle)),
                        level: goal.from.level + 1,
                        moment: self.fresh(),
                    },
                    ..goal.holds(args[1], env)
                };
                return Ok(Step::Composed(middles.into_iter().map(second).collect()));
            }
            _ => {}
        }
        Ok(Step::Done(self.test(expr, env, view)?))
    }

    /// `\A x \in S : A` as a conjunction.
    fn for_all(
        &self,
        bounds: &[Bound],
        body: ExprId,
        expr: ExprId,
        goal: &Goal,
        view: View<'_>,
    ) -> Result<Step<'s>> {
        let sets = self.bound_sets(bounds, &goal.env, view)?;
        if sets.iter().any(|it| it.is_empty()) {
            return Ok(Step::Done(true));
        }
        if !goal.primed && sets[0].len() > CONJUNCTS_MAX {
            return Ok(Step::Done(self.test(expr, &goal.env, view)?));
        }
        let mut goals = vec![];
        self.exists(bounds, &sets, &goal.env, &mut |env| {
            spend(1)?;
            goals.push(goal.holds(body, env));
            Ok(false)
        })?;
        Ok(Step::All(goals))
    }

    /// A function whose values are actions.
    fn step_application(
        &self,
        function: ExprId,
        arg: ExprId,
        expr: ExprId,
        goal: &Goal,
        view: View<'_>,
    ) -> Result<Step<'s>> {
        match self.action_of_function(function, arg, &goal.env, view)? {
            Some((body, env)) => Ok(Step::All(vec![goal.holds(body, &env)])),
            None => Ok(Step::Done(self.test(expr, &goal.env, view)?)),
        }
    }

    fn step_call(
        &self,
        op: Operator,
        args: &[ExprId],
        expr: ExprId,
        goal: &Goal,
        view: View<'_>,
    ) -> Result<Step<'s>> {
        let env = &goal.env;
        if matches!(op, Operator::Decl(_)) && args.is_empty() {
            return Ok(Step::Done(self.test(expr, env, view)?));
        }
        let closure = self.closure(op, env)?;
        let bindings: Vec<Binding> = args
            .iter()
            .map(|&it| self.argument(it, env, view))
            .collect::<Result<_>>()?;
        let (name, is_value) = match &*closure {
            // What comes with the language is no action.
            Closure::Def(def, _) if self.is_library(*def) || self.has_value(*def) => (None, false),
            Closure::Def(def, home) => {
                let name = self.spec.defs[*def].name;
                (Some((name, Some(*def))), args.is_empty() && home.0.is_some())
            }
            Closure::Lambda(..) => (Some((Symbol::new("LAMBDA"), None)), false),
            Closure::Builtin(_) | Closure::Table(_) => (None, false),
        };
        match (name, self.unfold(&closure, bindings)) {
            // The value of a `LET` is no step by its name.
            (Some(_), Some((body, env))) if is_value => Ok(Step::All(vec![goal.holds(body, &env)])),
            (Some((name, def)), Some((body, env))) => {
                Ok(Step::Named(goal.holds(body, &env), Action { name, def }))
            }
            _ => Ok(Step::Done(self.test(expr, env, view)?)),
        }
    }

    /// The variables whose next values an expression is, if some of these are not known yet.
    fn open(&self, expr: ExprId, env: &Env, view: View<'_>) -> Result<Option<Shape>> {
        let shape = self.shape(expr, env, view.primed)?;
        let next = view.next.unwrap_or_default();
        Ok(shape.filter(|it| it.variables().iter().any(|&it| next[it].is_none())))
    }

    /// The variables that a primed expression is: a name, a tuple of names, or what is defined or passed as one.
    fn shape(&self, expr: ExprId, env: &Env, primed: bool) -> Result<Option<Shape>> {
        level(|| match &self.spec.exprs[expr].kind {
            ExprKind::Decl(decl) if primed => Ok(self.variables.get(decl).map(|&it| Shape::Variable(it))),
            ExprKind::Builtin {
                op: Builtin::Prime,
                args,
            } => self.shape(args[0], env, true),
            ExprKind::Label { body, .. } => self.shape(*body, env, primed),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) => self.shape(thunk.expr, &thunk.env, primed || thunk.primed),
                _ => Ok(None),
            },
            ExprKind::Tuple(items) if !items.is_empty() => {
                let mut parts = vec![];
                for &item in items {
                    match self.shape(item, env, primed)? {
                        Some(part) => parts.push(part),
                        None => return Ok(None),
                    }
                }
                Ok(Some(Shape::Tuple(parts)))
            }
            ExprKind::Call {
                op: op @ Operator::Def(def),
                args,
            } if args.is_empty() && !self.spec.defs[*def].recursive => match &*self.closure(*op, env)? {
                Closure::Def(def, env) if !self.has_value(*def) => {
                    self.shape(self.spec.defs[*def].body, env, primed)
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        })
    }

    /// `v' = v` by parts: variables keep their values, the parts of a tuple stay one by one.
    fn stays(&self, expr: ExprId, goal: &Goal, view: View<'_>) -> Result<Step<'s>> {
        if let Some(shape) = self.shape(expr, &goal.env, true)? {
            return Ok(Step::Keep(shape.variables()));
        }
        let (body, env) = self.meant(expr, &goal.env)?;
        match &self.spec.exprs[body].kind {
            ExprKind::Tuple(items) => {
                let part = |&it: &ExprId| Goal {
                    what: What::Stays(it),
                    env: env.clone(),
                    ..goal.clone()
                };
                Ok(Step::All(items.iter().map(part).collect()))
            }
            _ => Ok(Step::Done(self.unchanged(expr, &goal.env, view)?)),
        }
    }

    /// What a name without parameters, or a parameter, stands for.
    fn meant(&self, expr: ExprId, env: &Env) -> Result<(ExprId, Env)> {
        level(|| match &self.spec.exprs[expr].kind {
            ExprKind::Label { body, .. } => self.meant(*body, env),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) if !thunk.primed => self.meant(thunk.expr, &thunk.env),
                _ => Ok((expr, env.clone())),
            },
            ExprKind::Call {
                op: op @ Operator::Def(def),
                args,
            } if args.is_empty() && !self.spec.defs[*def].recursive => match &*self.closure(*op, env)? {
                Closure::Def(def, home) if !self.has_value(*def) => {
                    self.meant(self.spec.defs[*def].body, home)
                }
                _ => Ok((expr, env.clone())),
            },
            _ => Ok((expr, env.clone())),
        })
    }
}

impl Shape {
    fn variables(&self) -> Vec<usize> {
        match self {
            Shape::Variable(it) => vec![*it],
            Shape::Tuple(parts) => parts.iter().flat_map(Shape::variables).collect(),
        }
    }
}
