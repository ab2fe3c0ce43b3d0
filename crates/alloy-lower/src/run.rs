//! One command, from scope to answer.

use alloy_sema::ir::{self, Model};
use relational::{
    Abort, Atom, Evaluator, ExprId, Failure, Found, Instance, Overflow, Problem, Relation, Search, Size,
    Stop, TooManySets, TupleSet, VarId,
};
use util::FxHashMap;

use crate::constraints::{self, Source};
use crate::errors::Refusal;
use crate::layout::{Layout, lay_out};
use crate::lower::{Lowerer, Value};
use crate::present::{Presenter, tuples};

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub engine: relational::Options,
    pub overflow: Overflow,
}

/// What a command has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Instance(Box<trace::Instance>),
    /// There is no (further) instance within the scope.
    None,
}

/// What an expression is in an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    Truth(bool),
    /// Sorted; atoms are those of the instance.
    Tuples(Vec<trace::Tuple>),
    /// None after an overflow.
    Int(Option<i64>),
}

/// The size of the last problem that was given to the solver.
pub type Statistics = Size;

/// The search for instances of a command: the first one, and the next ones.
///
/// ```
/// use alloy_lower::{Options, Outcome, Run, Stop};
///
/// let mut sources = source::Sources::new();
/// let text = "sig Node { next: lone Node }\nrun { some n: Node | n in n.^next }";
/// let resolved = alloy_sema::resolve("list.als", text, &alloy_sema::NoFiles, &mut sources, Default::default());
/// let mut run = Run::new(&resolved.model, 0, Options::default(), Stop::never())?;
/// assert!(matches!(run.find_next()?, Outcome::Instance(_)));
/// # Ok::<(), alloy_lower::Refusal>(())
/// ```
pub struct Run<'m> {
    model: &'m Model,
    command: &'m ir::Command,
    options: Options,
    stop: Stop,
    attempt: Attempt,
    /// The instance that was last given out.
    last: Option<Instance>,
    /// Sizes still to be tried, when scopes grow.
    later: std::vec::IntoIter<ir::Scope>,
}

/// The search in one scope.
struct Attempt {
    scope: ir::Scope,
    layout: Layout,
    sources: Vec<Source>,
    var_sources: FxHashMap<VarId, ir::VarId>,
    search: Search,
    /// How the search was set up, to do it again for blame.
    engine: relational::Options,
}

impl<'m> Run<'m> {
    /// Prepares a command, by its index in [`Model::commands`].
    pub fn new(model: &'m Model, command: usize, options: Options, stop: Stop) -> Result<Run<'m>, Refusal> {
        let command = &model.commands[command];
        let mut later = growing(&command.scope).into_iter();
        let scope = later.next().expect("at least the scope itself");
        let attempt = Attempt::new(model, command, scope, &options, &stop)?;
        Ok(Run {
            model,
            command,
            options,
            stop,
            attempt,
            last: None,
            later,
        })
    }

    /// The next instance.
    pub fn find_next(&mut self) -> Result<Outcome, Refusal> {
        loop {
            match self.attempt.search.find_next() {
                Ok(Found::Instance(instance)) => {
                    let presenter = Presenter {
                        model: self.model,
                        problem: self.attempt.search.problem(),
                        layout: &self.attempt.layout,
                        scope: &self.attempt.scope,
                        var_sources: &self.attempt.var_sources,
                    };
                    let shown = presenter.present(&instance);
                    self.last = Some(instance);
                    return Ok(Outcome::Instance(Box::new(shown)));
                }
                Ok(Found::Nothing) => match self.later.next() {
                    Some(scope) => {
                        self.attempt =
                            Attempt::new(self.model, self.command, scope, &self.options, &self.stop)?;
                    }
                    None => return Ok(Outcome::None),
                },
                Err(failure) => return Err(self.refusal(failure)),
            }
        }
    }

    /// Steps of refutations that a proof checker has confirmed, in the scope that was looked at last.
    pub fn n_proved(&self) -> usize {
        self.attempt.search.n_proved()
    }

    /// The meaning of an expression in a state of the instance that was last given out. It may come from a model that
    /// has more paragraphs than the one that was run, but the same sigs and fields. Its free variables are `names`,
    /// with the tuples that they stand for.
    pub fn evaluate(
        &self,
        model: &Model,
        value: ir::Value,
        names: &[(ir::VarId, &[trace::Tuple])],
        state: usize,
    ) -> Result<Option<Meaning>, Refusal> {
        let Some(mut instance) = self.last.clone() else {
            return Ok(None);
        };
        let attempt = &self.attempt;
        let (problem, layout) = (attempt.search.problem().clone(), attempt.layout.clone());
        let mut lowerer = Lowerer::new(model, problem, layout, attempt.scope.bitwidth);
        let mut bindings = vec![];
        for (var, tuples) in names {
            let (constant, value) = name_tuples(&mut lowerer.problem, model.vars[*var].name.as_str(), tuples);
            bindings.push((*var, Value::Expr(constant)));
            for state in &mut instance.states {
                state.push(value.clone());
            }
        }
        let lowered = lowerer.with(bindings, |lowerer| lowerer.value(value))?;
        let problem = lowerer.problem;
        let mut evaluator = Evaluator::new(&problem, &instance);
        let meaning = match lowered {
            Value::Formula(formula) => evaluator.holds(formula, state).map(Meaning::Truth),
            Value::Int(int) => evaluator.int_value(int, state).map(Meaning::Int),
            Value::Expr(expr) => evaluator
                .value(expr, state)
                .map(|set| Meaning::Tuples(tuples(&problem.universe, &set))),
        };
        meaning
            .map(Some)
            .map_err(|TooManySets(var)| self.higher_order(var))
    }

    /// Translates what will be solved next. [`Run::find_next`] does it too; apart, it can be timed.
    pub fn prepare(&mut self) -> Result<bool, Refusal> {
        self.attempt
            .search
            .prepare()
            .map_err(|failure| self.refusal(failure))
    }

    pub fn statistics(&self) -> Statistics {
        self.attempt.search.size()
    }

    /// What the solver is given, for traces of the greatest length: for other solvers, and for bug reports.
    pub fn clauses(&self) -> Result<sat::Cnf, Refusal> {
        let attempt = &self.attempt;
        let n_steps = if self.command.is_temporal {
            *attempt.engine.steps.end()
        } else {
            1
        };
        let clauses = Search::to_cnf(attempt.search.problem(), &attempt.engine, n_steps);
        clauses.map_err(|failure| self.refusal(failure))
    }

    /// The places that exclude all instances together, none of which can be left out. To be asked when there is none.
    pub fn unsat_core(&self) -> Result<Vec<Source>, Refusal> {
        let attempt = &self.attempt;
        let core = relational::unsat_core(attempt.search.problem(), &attempt.engine, &self.stop);
        let core = core.map_err(|failure| self.refusal(failure))?;
        let mut sources: Vec<Source> = vec![];
        for source in core.into_iter().filter_map(|it| attempt.sources.get(it)) {
            if !sources.contains(source) {
                sources.push(source.clone());
            }
        }
        Ok(sources)
    }

    fn refusal(&self, failure: Failure) -> Refusal {
        match failure {
            Failure::Abort(Abort::Stopped) => Refusal::Stopped,
            Failure::Abort(Abort::TooLarge) => Refusal::TooLarge {
                command: self.command.span,
            },
            Failure::Abort(Abort::HigherOrder(var)) => self.higher_order(var),
            Failure::Unproved => Refusal::Unproved {
                command: self.command.span,
            },
            Failure::Disagreement(constraint) => {
                let constraints = &self.attempt.search.problem().constraints;
                let index = constraints.iter().position(|&it| it == constraint);
                let source = index.and_then(|index| self.attempt.sources.get(index));
                Refusal::Disagreement {
                    span: source.and_then(|it| it.span),
                }
            }
        }
    }

    fn higher_order(&self, var: VarId) -> Refusal {
        let var = self.attempt.var_sources.get(&var).map(|&it| &self.model.vars[it]);
        Refusal::HigherOrder {
            name: var.map_or("a set".into(), |it| it.name),
            span: var.and_then(|it| it.span).unwrap_or(self.command.span),
        }
    }
}

/// A constant of these tuples, which are not empty.
fn name_tuples(problem: &mut Problem, name: &str, tuples: &[trace::Tuple]) -> (ExprId, TupleSet) {
    let arity = tuples.first().map_or(1, |it| it.len());
    let indices = tuples.iter().map(|tuple| {
        let atoms: Vec<Atom> = tuple.iter().map(|it| Atom(it.0)).collect();
        problem.universe.encode(&atoms)
    });
    let mut indices: Vec<_> = indices.collect();
    indices.sort_unstable();
    let value = TupleSet::from_indices(arity, indices);
    let relation = problem.logic.add_relation(Relation {
        name: name.to_owned(),
        lower: value.clone(),
        upper: value.clone(),
        is_var: false,
    });
    (problem.logic.relation(relation), value)
}

impl Attempt {
    fn new(
        model: &Model,
        command: &ir::Command,
        scope: ir::Scope,
        options: &Options,
        stop: &Stop,
    ) -> Result<Attempt, Refusal> {
        let (mut problem, layout) = lay_out(model, &scope)?;
        problem.overflow = options.overflow;
        let mut lowerer = Lowerer::new(model, problem, layout, scope.bitwidth);
        let scoped = ir::Command {
            scope: scope.clone(),
            ..command.clone()
        };
        let sources = constraints::add_all(&mut lowerer, &scoped)?;
        let mut engine = options.engine.clone();
        if let Some(steps) = scope.steps {
            let max = steps.max.ok_or(Refusal::UnboundedSteps {
                command: command.span,
            })?;
            engine.steps = steps.min.max(1) as usize..=max as usize;
        }
        let Lowerer {
            problem,
            layout,
            var_sources,
            ..
        } = lowerer;
        Ok(Attempt {
            scope,
            layout,
            sources,
            var_sources,
            search: Search::new(problem, engine.clone(), stop.clone()),
            engine,
        })
    }
}

/// The scope, and the larger ones that follow it: all growing sigs grow together until each has reached its last size.
fn growing(scope: &ir::Scope) -> Vec<ir::Scope> {
    let mut scopes = vec![scope.clone()];
    loop {
        let mut next = scopes.last().expect("not empty").clone();
        let mut grows = false;
        for sig in &mut next.sigs {
            if let Some(growth) = sig.growth
                && sig.atoms < growth.last
            {
                sig.atoms = (sig.atoms + growth.step.max(1)).min(growth.last);
                grows = true;
            }
        }
        if !grows {
            return scopes;
        }
        scopes.push(next);
    }
}
