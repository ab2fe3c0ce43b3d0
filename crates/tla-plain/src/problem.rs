//! What a model asks for: behaviours and what must be true of them, as formulas with what their names mean.
//!
//! A specification and a property are conjunctions, whatever way they are written: behind names, parameters, `LET`, `\A`,
//! `[](F /\ G)`. They are taken apart with environments, as an evaluation would, so nothing has to be rewritten. The parts of a
//! property that a search can check on the way are invariants, properties of initial states, and `[][A]_v`; the rest is left to
//! `temporal`.

use tla_sema::compose::{Composition, ConjunctKind};
use tla_sema::ir::*;
use tla_sema::model::{self, Behaviour, Model};
use util::Symbol;

use crate::env::{Binding, Closure, Env, View};
use crate::fuel::{level, spend};
use crate::{Interpreter, Result};

/// A formula with what its names mean.
#[derive(Clone, Debug)]
pub struct Closed {
    pub(crate) expr: ExprId,
    pub(crate) env: Env,
}

impl From<ExprId> for Closed {
    fn from(expr: ExprId) -> Closed {
        Closed {
            expr,
            env: Env::default(),
        }
    }
}

/// One `[A]_v` of a specification, or an action by itself.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The definition that it stands in.
    pub name: Option<Symbol>,
    pub action: ExprId,
    pub subscript: Option<ExprId>,
    pub(crate) env: Env,
}

impl Rule {
    pub fn new(action: ExprId, subscript: Option<ExprId>) -> Rule {
        Rule {
            name: None,
            action,
            subscript,
            env: Env::default(),
        }
    }
}

/// A formula by a name.
pub type Named<T> = (Symbol, T);

/// What is to be decided.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    pub init: Vec<Closed>,
    /// What every step must be a step of; empty when there are no steps to take.
    pub rules: Vec<Rule>,
    /// `[]P` of the specification: states where `P` is false are in no behaviour.
    pub always: Vec<Closed>,
    /// Fairness, and whatever else the specification says of infinite behaviours.
    pub fairness: Vec<Closed>,
    pub invariants: Vec<Named<Closed>>,
    /// Properties of the initial states.
    pub initial_properties: Vec<Named<Closed>>,
    /// `[][A]_v` as a property.
    pub action_properties: Vec<Named<Rule>>,
    pub temporal_properties: Vec<Named<Closed>>,
    pub constraints: Vec<Closed>,
    pub action_constraints: Vec<Closed>,
    pub assumptions: Vec<ExprId>,
    pub postconditions: Vec<Named<Closed>>,
    /// Some state, or some step, must satisfy each of these.
    pub possible: Vec<Named<Closed>>,
    pub check_deadlock: bool,
}

/// The conjuncts of a temporal formula.
#[derive(Default)]
struct Parts {
    init: Vec<Closed>,
    rules: Vec<Rule>,
    always: Vec<Closed>,
    /// Fairness, and what fits none of these.
    other: Vec<Closed>,
}

impl Interpreter<'_> {
    /// What a model asks for. If its behaviour was taken apart and rules were chosen, those in force count; else it is taken apart
    /// here.
    pub fn problem(&self, model: &Model) -> Result<Problem> {
        let all = |formulas: &[model::Formula]| -> Vec<Named<Closed>> {
            formulas
                .iter()
                .map(|it| (it.name, Closed::from(it.expr)))
                .collect()
        };
        let unnamed = |formulas: &[model::Formula]| formulas.iter().map(|it| it.expr.into()).collect();
        let mut problem = Problem {
            invariants: all(&model.invariants),
            constraints: unnamed(&model.constraints),
            action_constraints: unnamed(&model.action_constraints),
            postconditions: all(&model.postconditions),
            possible: all(&model.possible),
            assumptions: self
                .spec
                .root()
                .map_or(vec![], |it| it.checked_assumptions().map(|it| it.1).collect()),
            check_deadlock: model.check_deadlock.unwrap_or(true),
            ..Problem::default()
        };
        match (&model.composition, &model.behaviour) {
            (Some(composition), _) => problem.compose(composition),
            (None, Behaviour::None) => {}
            (None, Behaviour::InitNext { init, next }) => {
                problem.init = vec![init.expr.into()];
                problem.rules = next
                    .iter()
                    .map(|it| Rule {
                        name: Some(it.name),
                        ..Rule::new(it.expr, None)
                    })
                    .collect();
            }
            (None, Behaviour::Specification(formula)) => {
                let mut parts = Parts::default();
                self.split(&formula.expr.into(), None, &mut parts)?;
                problem.init = parts.init;
                problem.rules = parts.rules;
                problem.always = parts.always;
                problem.fairness = parts.other;
            }
        }
        // A state where `P` is false is not the first one of a behaviour with `[]P` either.
        problem.init.extend(problem.always.iter().cloned());
        for formula in &model.properties {
            self.property(formula, &mut problem)?;
        }
        Ok(problem)
    }

    fn property(&self, formula: &model::Formula, problem: &mut Problem) -> Result<()> {
        let (name, closed) = (formula.name, Closed::from(formula.expr));
        if self.level_of(&closed)? == Level::Action {
            let rule = Rule::new(formula.expr, None);
            problem.action_properties.push((name, rule));
            return Ok(());
        }
        let mut parts = Parts::default();
        self.split(&closed, None, &mut parts)?;
        let named = |all: Vec<Closed>| all.into_iter().map(move |it| (name, it));
        problem.initial_properties.extend(named(parts.init));
        problem.invariants.extend(named(parts.always));
        problem.temporal_properties.extend(named(parts.other));
        problem
            .action_properties
            .extend(parts.rules.into_iter().map(|it| (name, it)));
        Ok(())
    }

    /// Takes a conjunction apart. `home` is the definition that it stands in.
    fn split(&self, formula: &Closed, home: Option<Symbol>, parts: &mut Parts) -> Result<()> {
        level(|| self.split_here(formula, home, parts))
    }

    fn split_here(&self, formula: &Closed, home: Option<Symbol>, parts: &mut Parts) -> Result<()> {
        if self.level_of(formula)? <= Level::State {
            parts.init.push(formula.clone());
            return Ok(());
        }
        let env = &formula.env;
        match &self.spec.exprs[formula.expr].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => {
                for &arg in args {
                    self.split(&formula.part(arg), home, parts)?;
                }
                Ok(())
            }
            ExprKind::Builtin {
                op: Builtin::Always,
                args,
            } if self.is_box_or_predicate(&formula.part(args[0]))? => {
                self.split_always(&formula.part(args[0]), home, parts)
            }
            ExprKind::Quant {
                kind: Quant::Forall,
                bounds,
                body,
            } if !self.is_liveness(&formula.part(*body))? && self.are_constant(bounds, env)? => {
                let mut inside = vec![];
                self.each(bounds, env, View::default(), &mut |env| {
                    inside.push(env.clone());
                    Ok(false)
                })?;
                for env in inside {
                    let expr = *body;
                    self.split(&Closed { expr, env }, home, parts)?;
                }
                Ok(())
            }
            _ => match self.opened(formula)? {
                Some((inner, name)) if !self.is_call_of_abstract(formula) => {
                    self.split(&inner, name.or(home), parts)
                }
                Some((inner, name)) => {
                    let outside = parts.other.len();
                    self.split(&inner, name.or(home), parts)?;
                    // What the module says of infinite behaviours is decided in the module, as it was written.
                    if parts.other.len() > outside {
                        parts.other.truncate(outside);
                        parts.other.push(formula.clone());
                    }
                    Ok(())
                }
                None => {
                    parts.other.push(formula.clone());
                    Ok(())
                }
            },
        }
    }

    /// Whether nothing in a conjunction is about the first state or about steps.
    fn is_liveness(&self, formula: &Closed) -> Result<bool> {
        level(|| match &self.spec.exprs[formula.expr].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => {
                for &arg in args {
                    if !self.is_liveness(&formula.part(arg))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ExprKind::Quant {
                kind: Quant::Forall,
                body,
                ..
            } => self.is_liveness(&formula.part(*body)),
            ExprKind::Fairness { .. }
            | ExprKind::Builtin {
                op: Builtin::Eventually | Builtin::LeadsTo,
                ..
            } => Ok(true),
            _ => match self.opened(formula)? {
                Some((inner, _)) => self.is_liveness(&inner),
                None => Ok(false),
            },
        })
    }

    fn is_call_of_abstract(&self, formula: &Closed) -> bool {
        match &self.spec.exprs[formula.expr].kind {
            ExprKind::Call {
                op: Operator::Def(def),
                ..
            } => self.is_abstract(*def),
            _ => false,
        }
    }

    /// Whether a conjunct of a temporal formula is about states or steps alone, so that a search checks it on the way.
    pub(crate) fn is_safety(&self, formula: &Closed) -> Result<bool> {
        match &self.spec.exprs[formula.expr].kind {
            ExprKind::Builtin {
                op: Builtin::Always,
                args,
            } => self.is_box_or_predicate(&formula.part(args[0])),
            _ => Ok(self.level_of(formula)? <= Level::State),
        }
    }

    /// `[]F`, where `F` is a conjunction of predicates and of `[A]_v`.
    fn split_always(&self, inner: &Closed, home: Option<Symbol>, parts: &mut Parts) -> Result<()> {
        level(|| {
            if self.level_of(inner)? <= Level::State {
                parts.always.push(inner.clone());
                return Ok(());
            }
            match &self.spec.exprs[inner.expr].kind {
                &ExprKind::BoxAction { action, subscript } => parts.rules.push(Rule {
                    name: home,
                    action,
                    subscript: Some(subscript),
                    env: inner.env.clone(),
                }),
                // `[][]F` is `[]F`.
                ExprKind::Builtin {
                    op: Builtin::And | Builtin::Always,
                    args,
                } => {
                    for &arg in args {
                        self.split_always(&inner.part(arg), home, parts)?;
                    }
                }
                _ => {
                    if let Some((inner, name)) = self.opened(inner)? {
                        self.split_always(&inner, name.or(home), parts)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Whether `[]` of it can be checked on the way.
    fn is_box_or_predicate(&self, formula: &Closed) -> Result<bool> {
        level(|| {
            if self.level_of(formula)? <= Level::State {
                return Ok(true);
            }
            match &self.spec.exprs[formula.expr].kind {
                ExprKind::BoxAction { .. } => Ok(true),
                ExprKind::Builtin {
                    op: Builtin::And | Builtin::Always,
                    args,
                } => {
                    for &arg in args {
                        if !self.is_box_or_predicate(&formula.part(arg))? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
                _ => match self.opened(formula)? {
                    Some((inner, _)) => self.is_box_or_predicate(&inner),
                    None => Ok(false),
                },
            }
        })
    }

    /// What a name, a call, a parameter, a `LET` or a label stands for, with the name of the definition.
    pub(crate) fn opened(&self, formula: &Closed) -> Result<Option<(Closed, Option<Symbol>)>> {
        let env = &formula.env;
        let closed = |expr: ExprId, env: Env| Some((Closed { expr, env }, None));
        Ok(match &self.spec.exprs[formula.expr].kind {
            ExprKind::Label { body, .. } => closed(*body, env.clone()),
            ExprKind::Let { defs, body } => closed(*body, env.lets(defs)),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Thunk(thunk)) => closed(thunk.expr, thunk.env.clone()),
                _ => None,
            },
            ExprKind::If { test, then, other } if self.level_of(&formula.part(*test))? == Level::Constant => {
                match self.test(*test, env, View::default())? {
                    true => closed(*then, env.clone()),
                    false => closed(*other, env.clone()),
                }
            }
            ExprKind::Call { op, args } => {
                let closure = self.closure(*op, env)?;
                let mut bindings = vec![];
                for &arg in args {
                    bindings.push(self.argument(arg, env, View::default())?);
                }
                let name = match &*closure {
                    Closure::Def(def, _) => Some(self.spec.defs[*def].name),
                    _ => None,
                };
                self.unfold(&closure, bindings)
                    .map(|(expr, env)| (Closed { expr, env }, name))
            }
            _ => None,
        })
    }

    /// Whether the sets of a quantifier around a temporal formula are the same in all states.
    pub(crate) fn are_constant(&self, bounds: &[Bound], env: &Env) -> Result<bool> {
        for bound in bounds {
            let set = Closed {
                expr: bound.set,
                env: env.clone(),
            };
            if self.level_of(&set)? > Level::Constant {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The level of a formula, with what its names stand for.
    pub(crate) fn level_of(&self, formula: &Closed) -> Result<Level> {
        spend(1)?;
        let mut highest = self.levels.borrow_mut().of(formula.expr);
        let mut inside: Vec<Closed> = vec![];
        let mut todo = vec![formula.expr];
        while let Some(expr) = todo.pop() {
            let kind = &self.spec.exprs[expr].kind;
            match kind {
                ExprKind::Local(local)
                | ExprKind::OpRef(Operator::Local(local))
                | ExprKind::Call {
                    op: Operator::Local(local),
                    ..
                } => match formula.env.find(*local) {
                    Some(Binding::Thunk(thunk)) => inside.push(Closed {
                        expr: thunk.expr,
                        env: thunk.env.clone(),
                    }),
                    Some(Binding::Operator(closure)) => inside.extend(self.body_of(closure)),
                    Some(Binding::Value(_)) | None => {}
                },
                ExprKind::Call {
                    op: Operator::Def(def),
                    ..
                } => {
                    if let Some(home) = formula.env.find_let(*def)
                        && !self.spec.defs[*def].recursive
                    {
                        inside.push(Closed {
                            expr: self.spec.defs[*def].body,
                            env: home.clone(),
                        });
                    }
                }
                _ => {}
            }
            tla_sema::children(kind, &mut |it| todo.push(it));
        }
        for inner in inside {
            highest = highest.max(level(|| self.level_of(&inner))?);
        }
        Ok(highest)
    }

    fn body_of(&self, closure: &Closure) -> Option<Closed> {
        let (expr, env) = match closure {
            Closure::Def(def, env) => (self.spec.defs[*def].body, env),
            Closure::Lambda(_, body, env) => (*body, env),
            Closure::Builtin(_) | Closure::Table(_) => return None,
        };
        Some(Closed {
            expr,
            env: env.clone(),
        })
    }

    /// Whether a predicate holds in a state.
    pub(crate) fn holds_in(&self, formula: &Closed, view: View<'_>) -> Result<bool> {
        self.test(formula.expr, &formula.env, view)
    }

    /// Whether a step is one of `[A]_v`.
    pub(crate) fn is_step_of(&self, rule: &Rule, view: View<'_>) -> Result<bool> {
        match rule.subscript {
            Some(subscript) => self.is_box_step(rule.action, subscript, &rule.env, view),
            None => self.test(rule.action, &rule.env, view),
        }
    }
}

impl Closed {
    pub(crate) fn part(&self, expr: ExprId) -> Closed {
        Closed {
            expr,
            env: self.env.clone(),
        }
    }
}

impl Problem {
    /// The conjuncts in force of a specification that was taken apart elsewhere, because some of its rules are switched off.
    fn compose(&mut self, composition: &Composition) {
        for conjunct in composition.in_force() {
            match conjunct.kind {
                ConjunctKind::Initial(it) => self.init.push(it.into()),
                ConjunctKind::Fairness(it) | ConjunctKind::Other(it) => self.fairness.push(it.into()),
                ConjunctKind::Always { predicate, .. } => self.always.push(predicate.into()),
                ConjunctKind::Step {
                    action, subscript, ..
                } => self.rules.push(Rule {
                    name: conjunct.home,
                    ..Rule::new(action, subscript)
                }),
            }
        }
    }

    /// Whether anything is asked about infinite behaviours.
    pub fn is_temporal(&self) -> bool {
        !self.temporal_properties.is_empty()
    }
}
