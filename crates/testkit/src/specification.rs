//! Random whole specifications: modules and a configuration, the same for the same seed.
//!
//! Everything is typed, so that most specifications mean something and their state spaces are small; where errors are
//! welcome, some expressions are wrong on purpose. What a specification may contain is drawn first ([`Features`]): cases that
//! have a few things many times reach further than cases that have a little of everything ("swarm testing", Groce et al.,
//! ISSTA 2012). In reading order: `types`, `expressions`, `actions`, `properties`, `module`.

mod actions;
mod expressions;
mod module;
mod predicates;
mod properties;
mod types;

use explore::Random;
pub use types::Type;

/// Modules and a configuration. The first module is the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// Name and text.
    pub modules: Vec<(String, String)>,
    pub config: String,
    /// Whether all of it is what other checkers understand too.
    pub is_standard: bool,
}

/// The specification of a seed.
pub fn specification(seed: u64) -> Specification {
    Generator::new(seed).specification()
}

/// What may occur.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Expressions that are wrong: kinds that do not go together, arguments outside of a domain.
    pub errors: bool,
    pub choose: bool,
    pub enabled: bool,
    pub lets: bool,
    pub higher_order: bool,
    pub recursion: bool,
    pub patterns: bool,
    pub primes: bool,
    /// What other checkers refuse: conjuncts that read next values before they are given, `<<x, y>>' = e`, conjunctions of
    /// rules.
    pub extensions: bool,
    /// `TLCGet("level")`.
    pub level: bool,
    pub random: bool,
    /// Operators whose parameters are variables that they prime.
    pub variable_parameters: bool,
    pub temporal: bool,
    pub symmetry: bool,
    pub view: bool,
    pub constraints: bool,
    pub refinement: bool,
    pub overrides: bool,
}

/// A variable of the specification.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub of: Type,
}

/// A defined operator that expressions may use.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    pub name: String,
    pub params: Vec<Type>,
    pub result: Type,
    /// Whether it reads variables.
    pub is_state: bool,
}

/// A defined action: what it gives next values to.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub name: String,
    pub params: Vec<Type>,
    pub assigns: Vec<usize>,
}

/// A name in scope: `x`, or `F(1)` for an operator of a `LET`.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub of: Type,
    /// Stands for an expression that may have primes in it: cannot be primed again.
    pub has_primes: bool,
    /// Stands for an expression, not for a value.
    pub is_definition: bool,
}

/// Which variables an expression may read here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Readable {
    pub now: Vec<usize>,
    pub next: Vec<usize>,
}

pub(crate) struct Generator {
    random: Random,
    pub has: Features,
    pub n_model: u64,
    pub is_symmetric: bool,
    n_names: u32,
    pub variables: Vec<Variable>,
    pub operators: Vec<Operator>,
    pub actions: Vec<Action>,
    pub scope: Vec<Name>,
    pub readable: Readable,
    /// Inside of `ENABLED`, which is nested only so often.
    pub n_enabled: u32,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let mut random = Random::new(seed);
        let mut chance = |percent: usize| random.below(100) < percent;
        let has = Features {
            errors: chance(20),
            choose: chance(50),
            enabled: chance(40),
            lets: chance(60),
            higher_order: chance(40),
            recursion: chance(25),
            patterns: chance(45),
            primes: chance(60),
            extensions: chance(25),
            level: chance(18),
            random: chance(4),
            variable_parameters: chance(6),
            temporal: chance(30),
            symmetry: chance(10),
            view: chance(10),
            constraints: chance(30),
            refinement: chance(12),
            overrides: chance(20),
        };
        Generator {
            n_model: 2 + u64::from(chance(25)),
            is_symmetric: has.symmetry,
            random,
            has,
            n_names: 0,
            variables: vec![],
            operators: vec![],
            actions: vec![],
            scope: vec![],
            readable: Readable::default(),
            n_enabled: 0,
        }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn one<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }

    /// One of a list that is not empty.
    pub fn any<T: Clone>(&mut self, list: impl Fn(&Generator) -> &[T]) -> T {
        let n = list(self).len();
        let at = self.below(n);
        list(self)[at].clone()
    }

    /// A name that is used nowhere else.
    pub fn fresh(&mut self) -> String {
        self.n_names += 1;
        format!("v{}", self.n_names)
    }

    /// Whether something is to be wrong here.
    pub fn wrong(&mut self) -> bool {
        self.has.errors && self.chance(3)
    }

    /// What `make` gives while a name for a value is in scope.
    pub fn within<T>(&mut self, name: &str, of: &Type, make: impl FnOnce(&mut Generator) -> T) -> T {
        self.scoped(&[(name.to_owned(), of.clone())], make)
    }

    /// As [`Generator::within`], for several names.
    pub fn scoped<T>(&mut self, names: &[(String, Type)], make: impl FnOnce(&mut Generator) -> T) -> T {
        let n = self.scope.len();
        self.scope.extend(names.iter().map(|(text, of)| Name {
            text: text.clone(),
            of: of.clone(),
            has_primes: false,
            is_definition: false,
        }));
        let made = make(self);
        self.scope.truncate(n);
        made
    }

    /// As [`Generator::within`], for the parameter of an operator: an argument may have primes in it.
    pub fn within_param<T>(&mut self, name: &str, of: &Type, make: impl FnOnce(&mut Generator) -> T) -> T {
        let has_primes = !self.readable.next.is_empty();
        self.within_name(name, of, [has_primes, false], make)
    }

    /// As [`Generator::within`], for a name of a `LET`.
    pub fn within_let<T>(&mut self, name: &str, of: &Type, make: impl FnOnce(&mut Generator) -> T) -> T {
        let has_primes = !self.readable.next.is_empty();
        self.within_name(name, of, [has_primes, true], make)
    }

    fn within_name<T>(
        &mut self,
        name: &str,
        of: &Type,
        [has_primes, is_definition]: [bool; 2],
        make: impl FnOnce(&mut Generator) -> T,
    ) -> T {
        self.scope.push(Name {
            text: name.to_owned(),
            of: of.clone(),
            has_primes,
            is_definition,
        });
        let made = make(self);
        self.scope.pop();
        made
    }

    /// What `make` gives with some of the names only.
    pub fn with_names<T>(
        &mut self,
        is_seen: impl Fn(&Name) -> bool,
        make: impl FnOnce(&mut Generator) -> T,
    ) -> T {
        let inner = self.scope.iter().filter(|it| is_seen(it)).cloned().collect();
        let outer = std::mem::replace(&mut self.scope, inner);
        let made = make(self);
        self.scope = outer;
        made
    }

    /// What `make` gives while other variables can be read.
    pub fn reading<T>(&mut self, readable: Readable, make: impl FnOnce(&mut Generator) -> T) -> T {
        let outer = std::mem::replace(&mut self.readable, readable);
        let made = make(self);
        self.readable = outer;
        made
    }

    pub fn all_variables(&self) -> Vec<usize> {
        (0..self.variables.len()).collect()
    }

    /// A tuple of some variables, or one of them.
    pub fn tuple_of(&self, variables: &[usize]) -> String {
        let names: Vec<&str> = variables
            .iter()
            .map(|&it| self.variables[it].name.as_str())
            .collect();
        format!("<<{}>>", names.join(", "))
    }

    /// A part of a list, in its order and not empty unless the list is.
    pub fn some(&mut self, all: &[usize]) -> Vec<usize> {
        let mut some: Vec<usize> = all.iter().copied().filter(|_| self.chance(50)).collect();
        if some.is_empty() && !all.is_empty() {
            some.push(all[self.below(all.len())]);
        }
        some
    }
}
