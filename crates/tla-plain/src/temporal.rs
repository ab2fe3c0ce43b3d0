//! Temporal properties on the graph of all states.
//!
//! A formula is taken apart down to predicates of states and of steps ([`Atom`]); what is left is `[]`, `<>` and the
//! connectives, which `tableau` decides. Fairness is taken literally: `WF` is `[]<>~ENABLED <<A>>_v \/ []<><<A>>_v`. Every state may
//! be repeated for ever.
//!
//! A formula of an instantiated module is evaluated in that module, as it was written ([`World`]): the states are what the
//! instance puts for its variables, and `ENABLED` asks for next values of these (*Specifying Systems*, section 17.8).

use std::cell::RefCell;

use tla_sema::ir::*;
use util::{FxHashMap, Symbol};

use crate::check::Options;
use crate::env::{Binding, Env, View};
use crate::fuel::level;
use crate::label::World;
use crate::problem::{Closed, Problem};
use crate::run::Counts;
use crate::search::{Search, Space};
use crate::tableau::{self, Fair, Formula, Graph};
use crate::value::undefined;
use crate::{Error, Interpreter, Lasso, Result, State};

/// A behaviour that breaks a property: places among the states that were found.
pub(crate) struct Counterexample {
    pub property: Symbol,
    pub states: Vec<usize>,
    pub loop_start: usize,
}

/// What is to be true of a state, or of a step, in a world.
struct Atom {
    world: usize,
    formula: Closed,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Predicate,
    /// `[A]_v`, where `A` is the formula.
    Box(ExprId),
    /// `<<A>>_v`.
    Angle(ExprId),
    /// `ENABLED <<A>>_v`.
    Enabled(ExprId),
}

/// A module, and the states as it sees them.
struct Seen<'s> {
    /// Nothing for the specification itself.
    world: Option<World<'s>>,
    states: Vec<State>,
}

pub(crate) struct Temporal<'a, 's> {
    interpreter: &'a Interpreter<'s>,
    space: &'a Space,
    counts: Counts,
    options: &'a Options<'a>,
    worlds: Vec<Seen<'s>>,
    /// Of instances without parameters.
    known_worlds: FxHashMap<(usize, InstanceId), usize>,
    atoms: Vec<Atom>,
    /// Atom, state and next state (the state itself for a predicate of states).
    known: RefCell<FxHashMap<(usize, usize, usize), bool>>,
}

/// The first property that a fair behaviour breaks.
pub(crate) fn find(
    interpreter: &Interpreter<'_>,
    problem: &Problem,
    search: &Search<'_, '_>,
    options: &Options<'_>,
) -> Result<Option<Counterexample>> {
    // Nobody asks which behaviours are fair.
    if problem.temporal_properties.is_empty() {
        return Ok(None);
    }
    let space = &search.space;
    let states = space.found.iter().map(|it| it.state.clone()).collect();
    let mut temporal = Temporal {
        interpreter,
        space,
        counts: search.counts,
        options,
        worlds: vec![Seen { world: None, states }],
        known_worlds: FxHashMap::default(),
        atoms: vec![],
        known: RefCell::default(),
    };
    interpreter.refuel(options.fuel);
    let mut fair = vec![];
    let mut assumed = vec![];
    for formula in &problem.fairness {
        for (part, world) in temporal.conjuncts(formula)? {
            temporal.assume(&part, world, &mut fair, &mut assumed)?;
        }
    }
    for (property, formula) in &problem.temporal_properties {
        for (part, world) in temporal.conjuncts(formula)? {
            let mut all = assumed.clone();
            all.push(temporal.formula(&part, world)?.not());
            temporal.ask_everywhere()?;
            if let Some((states, loop_start)) = tableau::find(&temporal, &Formula::And(all), &fair)? {
                let (states, loop_start) = without_stuttering(&states, loop_start);
                let found = Counterexample {
                    property: *property,
                    states,
                    loop_start,
                };
                temporal.confirm(problem, formula, &found);
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// Leaves repeated states out, which changes the truth of no formula.
fn without_stuttering(states: &[usize], loop_start: usize) -> (Vec<usize>, usize) {
    let mut prefix = states[..loop_start].to_vec();
    let mut cycle = states[loop_start..].to_vec();
    prefix.dedup();
    cycle.dedup();
    while cycle.len() > 1 && cycle.first() == cycle.last() {
        cycle.pop();
    }
    if prefix.last() == cycle.first() {
        prefix.pop();
    }
    let loop_start = prefix.len();
    prefix.extend(cycle);
    (prefix, loop_start)
}

impl Graph for Temporal<'_, '_> {
    fn initial(&self) -> Vec<usize> {
        let is_initial = |it: &usize| self.space.found[*it].depth == 1 && self.space.found[*it].is_inside;
        (0..self.space.found.len()).filter(is_initial).collect()
    }

    fn next(&self, state: usize) -> Vec<usize> {
        let steps = self.space.found[state].next.iter().map(|it| it.0);
        let mut next: Vec<usize> = steps.chain([state]).collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    fn holds(&self, atom: usize, state: usize, next: usize) -> Result<bool> {
        let Atom { world, formula, kind } = &self.atoms[atom];
        let next = match kind {
            Kind::Predicate | Kind::Enabled(_) => state,
            Kind::Box(_) | Kind::Angle(_) => next,
        };
        if let Some(&known) = self.known.borrow().get(&(atom, state, next)) {
            return Ok(known);
        }
        if !(self.options.go_on)(&self.counts) {
            return Err(Error::Interrupted);
        }
        let interpreter = self.interpreter(*world);
        interpreter.refuel(self.options.fuel);
        let states = &self.worlds[*world].states;
        let pair = (&states[state], &states[next]);
        let answer = interpreter.atom(*kind, formula, pair, self.space.found[state].depth)?;
        self.known.borrow_mut().insert((atom, state, next), answer);
        Ok(answer)
    }
}

impl<'s> Temporal<'_, 's> {
    /// What has no value is told, also where no behaviour would have to be asked for it.
    fn ask_everywhere(&self) -> Result<()> {
        let states = self.space.found.iter().enumerate();
        for (state, found) in states.filter(|(_, it)| it.is_inside) {
            let steps = found.next.iter().map(|it| it.0);
            for next in steps.chain([state]) {
                for atom in 0..self.atoms.len() {
                    self.holds(atom, state, next)?;
                }
            }
        }
        Ok(())
    }

    fn interpreter(&self, world: usize) -> &Interpreter<'s> {
        let world = self.worlds[world].world.as_ref();
        world.map_or(self.interpreter, |it| &it.interpreter)
    }

    fn atom(&mut self, world: usize, formula: &Closed, kind: Kind) -> usize {
        self.atoms.push(Atom {
            world,
            formula: formula.clone(),
            kind,
        });
        self.atoms.len() - 1
    }

    /// The conjuncts of a formula that are about infinite behaviours, each with its world.
    fn conjuncts(&mut self, formula: &Closed) -> Result<Vec<(Closed, usize)>> {
        let mut all = vec![];
        self.gather(formula, 0, &mut all)?;
        Ok(all)
    }

    fn gather(&mut self, formula: &Closed, world: usize, all: &mut Vec<(Closed, usize)>) -> Result<()> {
        level(|| {
            if self.interpreter(world).is_safety(formula)? {
                return Ok(());
            }
            match &self.interpreter.spec.exprs[formula.expr].kind {
                ExprKind::Builtin {
                    op: Builtin::And,
                    args,
                } => args
                    .iter()
                    .try_for_each(|&it| self.gather(&formula.part(it), world, all)),
                &ExprKind::Quant {
                    kind: Quant::Forall,
                    ref bounds,
                    body: expr,
                } => self
                    .choices(bounds, &formula.env, world)?
                    .into_iter()
                    .try_for_each(|env| self.gather(&Closed { expr, env }, world, all)),
                _ => match self.inside(formula, world)? {
                    Some((inner, world)) => self.gather(&inner, world, all),
                    None => {
                        all.push((formula.clone(), world));
                        Ok(())
                    }
                },
            }
        })
    }

    /// An assumption: fairness by itself, anything else as a formula.
    fn assume(
        &mut self,
        formula: &Closed,
        world: usize,
        fair: &mut Vec<Fair>,
        other: &mut Vec<Formula>,
    ) -> Result<()> {
        match self.interpreter.spec.exprs[formula.expr].kind {
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            } => fair.push(self.fairness(kind, &formula.part(action), subscript, world)),
            _ => other.push(self.formula(formula, world)?),
        }
        Ok(())
    }

    fn fairness(&mut self, kind: Fairness, action: &Closed, subscript: ExprId, world: usize) -> Fair {
        Fair {
            is_strong: kind == Fairness::Strong,
            enabled: self.atom(world, action, Kind::Enabled(subscript)),
            taken: self.atom(world, action, Kind::Angle(subscript)),
        }
    }

    fn is_temporal(&self, formula: &Closed, world: usize) -> Result<bool> {
        Ok(self.interpreter(world).level_of(formula)? == Level::Temporal)
    }

    /// What the bound names of a quantifier around a temporal formula can stand for.
    fn choices(&self, bounds: &[Bound], env: &Env, world: usize) -> Result<Vec<Env>> {
        let interpreter = self.interpreter(world);
        if !interpreter.are_constant(bounds, env)? {
            return refused("a quantifier around a temporal formula has a set that changes");
        }
        let mut all = vec![];
        interpreter.each(bounds, env, View::default(), &mut |env| {
            all.push(env.clone());
            Ok(false)
        })?;
        Ok(all)
    }

    fn formula(&mut self, formula: &Closed, world: usize) -> Result<Formula> {
        level(|| self.formula_here(formula, world))
    }

    fn formula_here(&mut self, formula: &Closed, world: usize) -> Result<Formula> {
        let level = self.interpreter(world).level_of(formula)?;
        if level == Level::Constant {
            let holds = self.interpreter(world).holds_in(formula, View::default())?;
            return Ok(Formula::constant(holds));
        }
        if level <= Level::State {
            let atom = self.atom(world, formula, Kind::Predicate);
            return Ok(Formula::Atom(atom));
        }
        let kind = &self.interpreter.spec.exprs[formula.expr].kind;
        match *kind {
            ExprKind::Builtin { op, ref args } => self.builtin(op, args, formula, world),
            ExprKind::BoxAction { action, subscript } => {
                let atom = self.atom(world, &formula.part(action), Kind::Box(subscript));
                Ok(Formula::Atom(atom))
            }
            ExprKind::AngleAction { action, subscript } => {
                let atom = self.atom(world, &formula.part(action), Kind::Angle(subscript));
                Ok(Formula::Atom(atom))
            }
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            } => {
                let fair = self.fairness(kind, &formula.part(action), subscript, world);
                Ok(fair.formula())
            }
            ExprKind::Quant {
                kind: kind @ (Quant::Forall | Quant::Exists),
                ref bounds,
                body,
            } => {
                let mut parts = vec![];
                for env in self.choices(bounds, &formula.env, world)? {
                    parts.push(self.formula(&Closed { expr: body, env }, world)?);
                }
                Ok(match kind {
                    Quant::Forall => Formula::And(parts),
                    _ => Formula::Or(parts),
                })
            }
            ExprKind::If { test, then, other } => {
                let test = self.formula(&formula.part(test), world)?;
                let then = self.formula(&formula.part(then), world)?;
                let other = self.formula(&formula.part(other), world)?;
                Ok(Formula::Or(vec![
                    Formula::And(vec![test.clone(), then]),
                    Formula::And(vec![test.not(), other]),
                ]))
            }
            ExprKind::Quant { .. } | ExprKind::UnboundedQuant { .. } => {
                refused("a quantifier without a set around a temporal formula")
            }
            ExprKind::Case { .. } => refused("CASE around a temporal formula"),
            _ => match self.inside(formula, world)? {
                Some((inner, world)) => self.formula(&inner, world),
                None => undefined("this is no formula about behaviours"),
            },
        }
    }

    fn builtin(&mut self, op: Builtin, args: &[ExprId], formula: &Closed, world: usize) -> Result<Formula> {
        if op == Builtin::Guarantees {
            return refused("`-+->` is about prefixes of behaviours");
        }
        if !self.is_temporal(formula, world)? {
            return undefined("an action outside `[A]_v` and `<<A>>_v`");
        }
        let mut parts = vec![];
        for &arg in args {
            parts.push(self.formula(&formula.part(arg), world)?);
        }
        let equiv = |a: &Formula, b: &Formula| {
            let both = Formula::And(vec![a.clone(), b.clone()]);
            Formula::Or(vec![both, Formula::And(vec![a.clone().not(), b.clone().not()])])
        };
        Ok(match (op, &parts[..]) {
            (Builtin::And, _) => Formula::And(parts),
            (Builtin::Or, _) => Formula::Or(parts),
            (Builtin::Not, [a]) => a.clone().not(),
            (Builtin::Implies, [a, b]) => Formula::Or(vec![a.clone().not(), b.clone()]),
            (Builtin::Equiv | Builtin::Eq, [a, b]) => equiv(a, b),
            (Builtin::Neq, [a, b]) => equiv(a, b).not(),
            (Builtin::Always, [a]) => a.clone().always(),
            (Builtin::Eventually, [a]) => a.clone().eventually(),
            (Builtin::LeadsTo, [a, b]) => Formula::Or(vec![a.clone().not(), b.clone().eventually()]).always(),
            _ => return undefined("this is no formula about behaviours"),
        })
    }

    /// What a formula stands for, and the world that it is about.
    fn inside(&mut self, formula: &Closed, world: usize) -> Result<Option<(Closed, usize)>> {
        let spec = self.interpreter.spec;
        if let ExprKind::Call {
            op: Operator::Def(def),
            args,
        } = &spec.exprs[formula.expr].kind
            && self.interpreter(world).is_abstract(*def)
        {
            return self.instantiated(*def, args, formula, world).map(Some);
        }
        let opened = self.interpreter(world).opened(formula)?;
        Ok(opened.map(|(inner, _)| (inner, world)))
    }

    /// A definition of an instantiated module in a world of its own; where that module has it from another one, in a world in that world.
    fn instantiated(
        &mut self,
        mut def: DefId,
        args: &[ExprId],
        formula: &Closed,
        mut world: usize,
    ) -> Result<(Closed, usize)> {
        let spec = self.interpreter.spec;
        let mut given = self.instance_arguments(def, args, formula, world)?;
        let mut outer = formula.env.clone();
        while self.interpreter(world).is_abstract(def)
            && let Some((original, instance)) = spec.defs[def].origin
        {
            let params = &spec.instances[instance].params;
            let inner = given.split_off(params.len().min(given.len()));
            for (&param, binding) in params.iter().zip(given) {
                outer = outer.bind(param, binding);
            }
            world = self.known_world(instance, &outer, world)?;
            (def, given, outer) = (original, inner, Env::default());
        }
        let params = spec.defs[def].params.iter().copied();
        let closed = Closed {
            expr: spec.defs[def].body,
            env: params
                .zip(given)
                .fold(Env::default(), |env, (param, it)| env.bind(param, it)),
        };
        Ok((closed, world))
    }

    /// What an instantiated definition is applied to. For a parameter of the instance that may be anything; for its own ones, it is a value.
    fn instance_arguments(
        &self,
        def: DefId,
        args: &[ExprId],
        formula: &Closed,
        world: usize,
    ) -> Result<Vec<Binding>> {
        let spec = self.interpreter.spec;
        let interpreter = self.interpreter(world);
        let instance = spec.defs[def].origin.map(|it| &spec.instances[it.1]);
        let n_instance = instance.map_or(0, |it| it.params.len());
        let given = args.iter().take(spec.defs[def].params.len()).enumerate();
        given
            .map(|(i, &arg)| {
                if i < n_instance {
                    return interpreter.argument(arg, &formula.env, View::default());
                }
                if interpreter.level_of(&formula.part(arg))? > Level::Constant {
                    return refused("an operator of an instantiated module with an argument that changes");
                }
                let value = interpreter.eval(arg, &formula.env, View::default())?;
                Ok(Binding::Value(value))
            })
            .collect()
    }

    /// The world of an instance, made once where it has no parameters.
    fn known_world(&mut self, instance: InstanceId, env: &Env, outer: usize) -> Result<usize> {
        let key = (outer, instance);
        let is_one = self.interpreter.spec.instances[instance].params.is_empty();
        if let Some(&known) = self.known_worlds.get(&key)
            && is_one
        {
            return Ok(known);
        }
        let made = self.world(instance, env, outer)?;
        self.worlds.push(made);
        self.known_worlds.insert(key, self.worlds.len() - 1);
        Ok(self.worlds.len() - 1)
    }

    /// A module as it was written, with the states as it sees them.
    fn world(&self, instance: InstanceId, env: &Env, outer: usize) -> Result<Seen<'s>> {
        let around = self.interpreter(outer);
        let world = around.world(instance, env)?;
        let mut states = vec![];
        for state in &self.worlds[outer].states {
            around.refuel(self.options.fuel);
            states.push(around.seen(&world, state)?);
        }
        Ok(Seen {
            world: Some(world),
            states,
        })
    }

    /// What was found is unfolded once more, by a program that knows nothing of graphs.
    fn confirm(&self, problem: &Problem, property: &Closed, found: &Counterexample) {
        self.interpreter.refuel(self.options.fuel);
        let states: Vec<State> = found
            .states
            .iter()
            .map(|&it| self.space.found[it].state.clone())
            .collect();
        let levels: Vec<u32> = found
            .states
            .iter()
            .map(|&it| self.space.found[it].depth)
            .collect();
        let lasso = Lasso {
            states: &states,
            loop_start: found.loop_start,
            levels: &levels,
        };
        let breaks = self.interpreter.satisfies_closed(property, lasso);
        assert!(
            breaks != Ok(true),
            "the behaviour does not break `{}`",
            found.property
        );
        for formula in &problem.fairness {
            let meets = self.interpreter.satisfies_closed(formula, lasso);
            assert!(meets != Ok(false), "the behaviour is not fair");
        }
    }
}

fn refused<T>(why: &str) -> Result<T> {
    Err(Error::Refused(why.to_owned()))
}
