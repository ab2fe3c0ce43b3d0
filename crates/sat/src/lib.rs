//! Propositional satisfiability: literals and clauses in, a model or a refutation out.
//!
//! One small trait, [`Solver`], stands before solvers that others wrote; which one is a choice ([`Kind`]), never a
//! change of the code above. A solver can be asked to log its [`proof`], and [`proof::check`] confirms it with code
//! that shares nothing with any solver. Nothing here knows what the variables mean.

mod backend_batsat;
#[cfg(feature = "cadical")]
mod backend_cadical;
mod cnf;
mod lit;
pub mod proof;
mod stop;

pub use cnf::Cnf;
pub use lit::{Lit, Var};
pub use stop::Stop;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    /// The search was stopped from outside.
    Unknown,
}

/// An incremental solver: clauses are only ever added, assumptions hold for one call of [`Solver::solve`].
///
/// ```
/// use sat::{Answer, Cnf, Kind, Stop};
///
/// let mut clauses = Cnf::new();
/// let (a, b) = (clauses.new_var(), clauses.new_var());
/// clauses.add_clause(&[a.positive(), b.positive()]);
/// clauses.add_clause(&[a.negative()]);
/// let mut solver = Kind::default().create();
/// clauses.load(&mut *solver);
/// assert_eq!(solver.solve(&[], &Stop::never()), Answer::Sat);
/// assert!(solver.value(b.positive()));
/// assert_eq!(solver.solve(&[b.negative()], &Stop::never()), Answer::Unsat);
/// ```
pub trait Solver {
    /// Makes the variables `0..n_vars` known. Models give a value to each of them.
    fn reserve(&mut self, n_vars: u32);

    fn add_clause(&mut self, clause: &[Lit]);

    /// Searches for a model of all clauses in which every assumption holds; gives up when `stop` asks for it.
    fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Answer;

    /// The value of a literal in the model. Only after [`Answer::Sat`], and before the next clause.
    fn value(&self, lit: Lit) -> bool;

    /// Whether an assumption was used to refute the clauses. Only after [`Answer::Unsat`].
    fn failed(&self, assumption: Lit) -> bool;

    /// What was derived so far, when the solver was made with [`Kind::logging`]. Clears the log.
    fn take_proof(&mut self) -> Vec<proof::Step>;
}

/// The solvers that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    #[cfg(feature = "cadical")]
    Cadical,
    Batsat,
}

impl Default for Kind {
    fn default() -> Kind {
        Kind::ALL[0]
    }
}

impl Kind {
    /// Every solver of this build, the default one first.
    pub const ALL: &'static [Kind] = &[
        #[cfg(feature = "cadical")]
        Kind::Cadical,
        Kind::Batsat,
    ];

    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "cadical")]
            Kind::Cadical => "cadical",
            Kind::Batsat => "batsat",
        }
    }

    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|it| it.name() == name)
    }

    pub fn create(self) -> Box<dyn Solver> {
        self.with_log(false)
    }

    /// A solver that keeps a proof of what it derives, see [`Solver::take_proof`].
    pub fn logging(self) -> Box<dyn Solver> {
        self.with_log(true)
    }

    fn with_log(self, log: bool) -> Box<dyn Solver> {
        match self {
            #[cfg(feature = "cadical")]
            Kind::Cadical => Box::new(backend_cadical::Cadical::new(log)),
            Kind::Batsat => Box::new(backend_batsat::Batsat::new(log)),
        }
    }
}
