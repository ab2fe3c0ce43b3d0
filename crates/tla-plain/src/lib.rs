//! A second opinion: TLA+ evaluated the plain way.
//!
//! The one idea: read the resolved tree as the book defines it, one recursive function, environments as lists, no
//! compilation and no clever search. It is slow on purpose, and it shares nothing with the compiled evaluator but the
//! resolved specification, so that what both say can be believed. Every counterexample is replayed here before it is
//! shown: is the first state initial, is every step a step, does the last state break the property?
//!
//! It does not enumerate the states of a specification, prints nothing and has no effects: what depends on chance, on the
//! clock or on registers is [`Error::Effect`].

mod eval;
mod fuel;
mod lasso;
mod library;
mod sets;
mod solve;
mod value;

use std::cell::{Cell, RefCell};

use tla_sema::ir::{DeclId, DefId, ExprId, Operator};
use tla_sema::model::{self, Given, Model};
use tla_sema::{Levels, Spec};
use util::{FxHashMap, Symbol};

pub use lasso::Lasso;
pub use value::{Large, Value};

/// What went wrong, in a few words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The next value of this variable is not known.
    Unassigned(usize),
    /// The expression has no value: why.
    Undefined(String),
    /// Its value depends on more than the states.
    Effect(String),
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
}

impl Meaning {
    /// Nothing for what is given as a table.
    fn of(given: &Given) -> Option<Meaning> {
        Some(match given {
            Given::Value(it) => Meaning::Value(given_value(it)?),
            Given::Operator(Operator::Def(def)) => Meaning::Def(*def),
            Given::Operator(Operator::Decl(decl)) => Meaning::Decl(*decl),
            Given::Operator(Operator::Local(_)) | Given::Table(_) => return None,
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

/// One `[A]_v` of a specification, or an action by itself.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub action: ExprId,
    pub subscript: Option<ExprId>,
}

/// The values of all variables, in the order of [`Spec::variables`].
pub type State = Vec<Value>;

/// An interpreter of one specification.
pub struct Interpreter<'s> {
    spec: &'s Spec,
    variables: FxHashMap<DeclId, usize>,
    constants: FxHashMap<DeclId, Meaning>,
    overrides: FxHashMap<DefId, Meaning>,
    levels: RefCell<Levels<'s>>,
    /// Values of constant definitions without parameters.
    known: RefCell<FxHashMap<DefId, Value>>,
    /// Tells pairs of states apart, for what is remembered about them.
    generation: Cell<u64>,
}

/// Steps for small questions: below a second.
const FUEL: u64 = 5_000_000;

impl<'s> Interpreter<'s> {
    /// An interpreter with fuel for small questions.
    pub fn new(spec: &'s Spec) -> Interpreter<'s> {
        fuel::refuel(FUEL);
        Interpreter {
            spec,
            variables: spec.variables().enumerate().map(|(i, it)| (it, i)).collect(),
            constants: FxHashMap::default(),
            overrides: FxHashMap::default(),
            levels: RefCell::new(Levels::new(spec)),
            known: RefCell::default(),
            generation: Cell::new(0),
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
        let mut env = eval::Env::default();
        for (&parameter, it) in self.spec.defs[def].params.iter().zip(args) {
            env = env.bind(parameter, eval::Binding::Value(it.clone()));
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
        fuel::paid(self.eval(expr, &eval::Env::default(), eval::View { lenient, ..view }))
    }

    /// Whether an invariant or any other state predicate holds.
    pub fn holds(&self, predicate: ExprId, state: &State) -> Result<bool> {
        self.value(predicate, Some(state), None)?.boolean()
    }

    /// Whether all parts of an initial predicate hold, in any order in which they make sense.
    pub fn is_initial(&self, init: &[ExprId], state: &State) -> Result<bool> {
        self.all(init, |it| self.answer(it, Some(state), None, true)?.boolean())
    }

    /// Whether the pair is a step of all rules: of the action, or one that leaves the subscript alone.
    pub fn is_step(&self, rules: &[Rule], state: &State, next: &State) -> Result<bool> {
        self.all(rules, |rule| {
            let action = self.answer(rule.action, Some(state), Some(next), true);
            match (action.and_then(|it| it.boolean()), rule.subscript) {
                (Ok(true), _) => Ok(true),
                (result, None) => result,
                // A stuttering step need not make sense for the action.
                (result, Some(subscript)) => match self.is_unchanged(subscript, state, next)? {
                    true => Ok(true),
                    false => result,
                },
            }
        })
    }

    fn is_unchanged(&self, subscript: ExprId, state: &State, next: &State) -> Result<bool> {
        let before = self.value(subscript, Some(state), None)?;
        let after = self.value(subscript, Some(next), None)?;
        value::equal(&before, &after)
    }

    /// A conjunction: what is false counts, even after something without a value.
    fn all<T: Copy>(&self, items: &[T], test: impl Fn(T) -> Result<bool>) -> Result<bool> {
        let mut answer = Ok(true);
        for &item in items {
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
        self.spec
            .variables()
            .nth(index)
            .map(|it| self.spec.decls[it].name)
    }
}
