//! A second opinion: TLA+ evaluated, and small models checked, the plain way.
//!
//! The one idea: read the resolved tree as the book defines it, one recursive function, environments as lists, no
//! compilation and no clever search. It is slow on purpose, and it shares nothing with the compiled evaluator but the
//! resolved specification, so that what both say can be believed. Every counterexample is replayed here before it is
//! shown: is the first state initial, is every step a step, does the last state break the property? And [`check()`] is a whole
//! checker: breadth-first, with every state as a list of trees, and temporal properties by a textbook tableau.
//!
//! It prints nothing, reads no clock and no file. What depends on chance or on files is [`Error::Effect`]; what a run determines,
//! such as `TLCGet("level")`, is known while there is a run (`run`).

mod check;
mod env;
mod eval;
mod fuel;
mod functions;
mod judge;
mod label;
mod lasso;
mod library;
mod parts;
mod problem;
mod run;
mod search;
mod sets;
mod steps;
mod tableau;
mod temporal;
mod value;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use tla_sema::ir::{DeclId, DeclKind, DefId, ExprId, Operator};
use tla_sema::model::{self, Given, Model};
use tla_sema::{Levels, Spec};
use util::{FxHashMap, Symbol};

use env::{Binding, Env, View};

pub use check::{Limit, Options, Report, Verdict, Violation, ViolationKind, check};
pub use judge::{StateJudgement, Step, StepJudgement};
pub use label::Label;
pub use lasso::Lasso;
pub use parts::{Part, Reading};
pub use problem::{Closed, Named, Problem, Rule};
pub use run::{Counts, Surroundings};
pub use search::ActionCount;
pub use steps::{Action, Successor};
pub use value::{Large, Value};

/// What went wrong, in a few words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The next value of this variable is not known.
    Unassigned(usize),
    /// The expression has no value: why.
    Undefined(String),
    /// `Assert` of something false: what it says.
    Assertion(String),
    /// Its value depends on more than the states.
    Effect(String),
    /// It is not decided here: why.
    Refused(String),
    /// Someone asked to stop.
    Interrupted,
    /// It takes more steps or elements than are worth it here.
    TooLong,
}

pub type Result<T> = std::result::Result<T, Error>;

/// What a configuration says a name means.
#[derive(Clone, Debug)]
pub enum Meaning {
    Value(Value),
    Def(DefId),
    Decl(DeclId),
    /// An operator by its values.
    Table(Rc<Table>),
}

/// Arguments and the value that they give.
pub type Table = Vec<(Vec<Value>, Value)>;

impl Meaning {
    /// Nothing for what is no value.
    fn of(given: &Given) -> Option<Meaning> {
        Some(match given {
            Given::Value(it) => Meaning::Value(given_value(it)?),
            Given::Operator(Operator::Def(def)) => Meaning::Def(*def),
            Given::Operator(Operator::Decl(decl)) => Meaning::Decl(*decl),
            Given::Operator(Operator::Local(_)) => return None,
            Given::Table(rows) => {
                let row = |(keys, value): &(Vec<model::Value>, model::Value)| {
                    let keys = keys.iter().map(given_value).collect::<Option<_>>()?;
                    Some((keys, given_value(value)?))
                };
                Meaning::Table(Rc::new(rows.iter().map(row).collect::<Option<_>>()?))
            }
        })
    }
}

fn given_value(given: &model::Value) -> Option<Value> {
    Some(match given {
        model::Value::Bool(it) => Value::Bool(*it),
        model::Value::Int(digits) => Value::Int(digits.as_str().parse().ok()?),
        model::Value::Str(it) => Value::Str((*it).into()),
        model::Value::Model(it) => Value::Model((*it).into()),
        model::Value::Set(items) => Value::set(items.iter().map(given_value).collect::<Option<_>>()?).ok()?,
    })
}

/// The values of all variables, in the order of [`Spec::variables`].
pub type State = Vec<Value>;

/// An interpreter of one specification.
pub struct Interpreter<'s> {
    spec: &'s Spec,
    variables: FxHashMap<DeclId, usize>,
    /// So many of them are in a state.
    n_state: usize,
    constants: FxHashMap<DeclId, Meaning>,
    overrides: FxHashMap<DefId, Meaning>,
    levels: RefCell<Levels<'s>>,
    /// Values of definitions without parameters, and whether they were primed.
    known: RefCell<FxHashMap<(DefId, bool), env::Memo>>,
    known_values: RefCell<FxHashMap<ExprId, bool>>,
    /// The last number that was given to a state or to next values.
    numbers: Cell<u64>,
    /// What the present evaluation has read.
    reads: Cell<env::Reads>,
    /// What is known of a run, while there is one.
    run: Option<run::Run<'s>>,
}

/// The places of variables in a state; those that only `ENABLED` knows come after.
fn variables(spec: &Spec) -> FxHashMap<DeclId, usize> {
    let mut places: FxHashMap<DeclId, usize> = spec.variables().enumerate().map(|(i, it)| (it, i)).collect();
    for &decl in &spec.hidden {
        let next = places.len();
        places.entry(decl).or_insert(next);
    }
    places
}

/// Steps for small questions: below a second.
const FUEL: u64 = 5_000_000;

impl<'s> Interpreter<'s> {
    /// An interpreter with fuel for small questions.
    pub fn new(spec: &'s Spec) -> Interpreter<'s> {
        fuel::refuel(FUEL);
        Interpreter {
            spec,
            variables: variables(spec),
            n_state: spec.variables().count(),
            constants: FxHashMap::default(),
            overrides: FxHashMap::default(),
            levels: RefCell::new(Levels::new(spec)),
            known: RefCell::default(),
            known_values: RefCell::default(),
            numbers: Cell::new(0),
            reads: Cell::default(),
            run: None,
        }
    }

    /// An interpreter that knows what a configuration gives.
    pub fn for_model(spec: &'s Spec, model: &Model) -> Interpreter<'s> {
        let mut interpreter = Interpreter::new(spec);
        for (decl, given) in &model.constants {
            if let Some(meaning) = Meaning::of(given) {
                interpreter.set_constant(*decl, meaning);
            }
        }
        for (def, given) in &model.overrides {
            if let Some(meaning) = Meaning::of(given) {
                interpreter.override_definition(*def, meaning);
            }
        }
        interpreter
    }

    /// An interpreter with the same constants and overrides for a module of its own, with these names declared.
    fn like(&self, decls: &[DeclId]) -> Interpreter<'s> {
        let variables = decls
            .iter()
            .filter(|&&it| self.spec.decls[it].kind == DeclKind::Variable);
        let variables: FxHashMap<DeclId, usize> = variables.enumerate().map(|(i, &it)| (it, i)).collect();
        Interpreter {
            n_state: variables.len(),
            variables,
            constants: self.constants.clone(),
            overrides: self.overrides.clone(),
            ..Interpreter::new(self.spec)
        }
    }

    /// How many steps all questions together may take from now on, on this thread; then they are [`Error::TooLong`].
    pub fn refuel(&self, steps: u64) {
        fuel::refuel(steps);
    }

    pub fn set_constant(&mut self, decl: DeclId, meaning: Meaning) {
        self.constants.insert(decl, meaning);
    }

    pub fn override_definition(&mut self, def: DefId, meaning: Meaning) {
        self.overrides.insert(def, meaning);
    }

    /// The value of a closed expression; primes read the second state.
    pub fn value(&self, expr: ExprId, state: Option<&State>, next: Option<&State>) -> Result<Value> {
        self.answer(expr, state, next, false)
    }

    /// The value of a definition with these arguments, in a step.
    pub fn applied(&self, def: DefId, args: &[Value], state: &State, next: &State) -> Result<Value> {
        let next: Vec<Option<Value>> = next.iter().cloned().map(Some).collect();
        let view = self.view(Some(state), Some(&next));
        let mut env = Env::default();
        for (&parameter, it) in self.spec.defs[def].params.iter().zip(args) {
            env = env.bind(parameter, Binding::Value(it.clone()));
        }
        fuel::paid(self.eval(self.spec.defs[def].body, &env, view))
    }

    fn answer(
        &self,
        expr: ExprId,
        state: Option<&State>,
        next: Option<&State>,
        lenient: bool,
    ) -> Result<Value> {
        let next: Option<Vec<Option<Value>>> = next.map(|it| it.iter().cloned().map(Some).collect());
        let view = self.view(state.map(Vec::as_slice), next.as_deref());
        fuel::paid(self.eval(expr, &Env::default(), View { lenient, ..view }))
    }

    /// Whether an invariant or any other state predicate holds.
    pub fn holds(&self, predicate: ExprId, state: &State) -> Result<bool> {
        self.value(predicate, Some(state), None)?.boolean()
    }

    /// Whether all parts of an initial predicate hold, in any order in which they make sense.
    pub fn is_initial(&self, init: &[ExprId], state: &State) -> Result<bool> {
        self.all(init, |&it| self.answer(it, Some(state), None, true)?.boolean())
    }

    /// Whether the pair is a step of all rules: of the action, or one that leaves the subscript alone.
    pub fn is_step(&self, rules: &[Rule], state: &State, next: &State) -> Result<bool> {
        let next: Vec<Option<Value>> = next.iter().cloned().map(Some).collect();
        self.all(rules, |rule| {
            let view = View {
                lenient: true,
                ..self.view(Some(state), Some(&next))
            };
            match (self.test(rule.action, &rule.env, view), rule.subscript) {
                (Ok(true), _) => Ok(true),
                (result, None) => result,
                // A stuttering step need not make sense for the action.
                (result, Some(subscript)) => match self.unchanged(subscript, &rule.env, view)? {
                    true => Ok(true),
                    false => result,
                },
            }
        })
    }

    /// A conjunction: what is false counts, even after something without a value.
    fn all<T>(&self, items: &[T], test: impl Fn(&T) -> Result<bool>) -> Result<bool> {
        let mut answer = Ok(true);
        for item in items {
            match test(item) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                error => answer = answer.and(error),
            }
        }
        fuel::paid(answer)
    }

    /// The name of a variable, for messages.
    pub fn variable(&self, index: usize) -> Option<Symbol> {
        let mut variables = self.variables.iter();
        let (&decl, _) = variables.find(|it| *it.1 == index)?;
        Some(self.spec.decls[decl].name)
    }
}
