//! Solving: translate, ask the solver, read the answer, ask for another one.
//!
//! A search looks at traces of one state, then two, and so on: the first trace found is a shortest one. Within one
//! length the solver keeps what it has learnt from solution to solution. Two solutions differ in the value of a
//! relation (or, if wanted, of a witness at the top); a trace is given once, in its shortest form.

use std::ops::RangeInclusive;
use std::rc::Rc;

use sat::{Answer, Cnf, Lit, Solver, Stop};

use crate::budget::{Abort, Budget};
use crate::circuit::Gate;
use crate::cnf::{Encoding, encode};
use crate::evaluate::{Evaluator, TooManySets};
use crate::instance::{Instance, WitnessValue};
use crate::logic::FormulaId;
use crate::matrix::Matrix;
use crate::problem::Problem;
use crate::symmetry;
use crate::translate::Translator;
use crate::universe::TupleSet;

#[derive(Clone, Debug)]
pub struct Options {
    pub solver: sat::Kind,
    /// How many bits the predicate that breaks symmetries compares; zero switches it off.
    pub symmetry: usize,
    /// Witnesses stand for existential variables under up to so many universal ones.
    pub skolem_depth: usize,
    /// Two solutions may differ in nothing but the witnesses at the top.
    pub distinct_witnesses: bool,
    /// Each instance is evaluated against the formulas before it is given out.
    pub confirm: bool,
    /// Each refutation is checked by a proof checker before it is believed.
    pub prove: bool,
    /// How many states a trace may have. Ignored when nothing varies.
    pub steps: RangeInclusive<usize>,
    /// The translation ends with [`Abort::TooLarge`] when the circuit grows beyond so many gates and inputs.
    pub size_max: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            solver: sat::Kind::default(),
            symmetry: 20,
            skolem_depth: 1,
            distinct_witnesses: false,
            confirm: true,
            prove: false,
            steps: 1..=10,
            // About two gigabytes of circuit and clauses.
            size_max: 60_000_000,
        }
    }
}

/// The size of what was last given to the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Variables that stand for tuples of relations.
    pub n_primary: usize,
    pub n_vars: usize,
    pub n_clauses: usize,
    pub n_gates: usize,
    /// States of the traces.
    pub n_steps: usize,
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    Instance(Instance),
    /// There is no (further) solution within the bounds.
    Nothing,
}

/// Why a search ends without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    Abort(Abort),
    /// The instance found does not satisfy this constraint, according to the direct evaluator: our bug.
    Disagreement(FormulaId),
    /// The solver says that there is no (further) solution, and its proof does not show it: a bug of the solver, or ours.
    Unproved,
}

impl From<Abort> for Failure {
    fn from(abort: Abort) -> Failure {
        Failure::Abort(abort)
    }
}

/// A search for the solutions of a problem, one after the other.
pub struct Search {
    problem: Problem,
    options: Options,
    stop: Stop,
    lengths: RangeInclusive<usize>,
    current: Option<Round>,
    size: Size,
    /// A solution was found: from now on, longer traces must not repeat shorter ones.
    has_found: bool,
    /// Steps of proofs that were checked.
    n_proved: usize,
}

/// The solver for traces of one length.
struct Round {
    solver: Box<dyn Solver>,
    encoded: Encoded,
    /// The last solution, as a clause that excludes it.
    exclude: Option<Vec<Lit>>,
}

impl Search {
    pub fn new(mut problem: Problem, options: Options, stop: Stop) -> Search {
        symmetry::fix_orders(&mut problem, options.symmetry > 0);
        let lengths = if problem.is_temporal() {
            options.steps.clone()
        } else {
            1..=1
        };
        Search {
            problem,
            options,
            stop,
            lengths,
            current: None,
            size: Size::default(),
            has_found: false,
            n_proved: 0,
        }
    }

    /// The problem as it is solved: orders are settled.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// Steps of the refutations so far that a proof checker has confirmed.
    pub fn n_proved(&self) -> usize {
        self.n_proved
    }

    /// Translates the next length, if no round is under way. Done by [`Search::find_next`] too; apart, it can be timed.
    pub fn prepare(&mut self) -> Result<bool, Failure> {
        if self.current.is_some() {
            return Ok(true);
        }
        let Some(n_steps) = self.lengths.next() else {
            return Ok(false);
        };
        let encoded = Encoded::new(
            &self.problem,
            &self.options,
            n_steps,
            &self.stop,
            Want::Solutions {
                minimal: self.has_found,
            },
        )?;
        self.size = encoded.size;
        let mut solver = match self.options.prove {
            true => self.options.solver.logging(),
            false => self.options.solver.create(),
        };
        encoded.encoding.cnf.load(&mut *solver);
        self.current = Some(Round {
            solver,
            encoded,
            exclude: None,
        });
        Ok(true)
    }

    /// The next solution.
    pub fn find_next(&mut self) -> Result<Found, Failure> {
        while self.prepare()? {
            let Some(round) = &mut self.current else { break };
            if let Some(clause) = round.exclude.take() {
                round.solver.add_clause(&clause);
                if self.options.prove {
                    round.encoded.encoding.cnf.add_clause(&clause);
                }
            }
            match round.solver.solve(&[], &self.stop) {
                Answer::Unknown => return Err(Abort::Stopped.into()),
                Answer::Unsat => {
                    if self.options.prove {
                        self.n_proved += round.prove(&self.stop)?;
                    }
                    self.current = None;
                }
                Answer::Sat => {
                    let instance = round.encoded.instance(&*round.solver);
                    round.exclude = Some(
                        round
                            .encoded
                            .excluding(&*round.solver, self.options.distinct_witnesses),
                    );
                    self.has_found = true;
                    if self.options.confirm {
                        self.confirm(&instance)?;
                    }
                    return Ok(Found::Instance(instance));
                }
            }
        }
        Ok(Found::Nothing)
    }

    fn confirm(&self, instance: &Instance) -> Result<(), Failure> {
        match Evaluator::new(&self.problem, instance).violated() {
            Ok(Some(constraint)) => Err(Failure::Disagreement(constraint)),
            // A set without a witness and with too many candidates: nothing is known against the instance.
            Ok(None) | Err(TooManySets(_)) => Ok(()),
        }
    }

    /// The clauses for traces of one length, without solving them.
    pub fn to_cnf(problem: &Problem, options: &Options, n_steps: usize) -> Result<Cnf, Failure> {
        let mut problem = problem.clone();
        symmetry::fix_orders(&mut problem, options.symmetry > 0);
        let want = Want::Solutions { minimal: false };
        Ok(Encoded::new(&problem, options, n_steps, &Stop::never(), want)?
            .encoding
            .cnf)
    }
}

impl Round {
    /// Checks the solver's proof that its clauses have no model. Gives how many steps it has.
    fn prove(&mut self, stop: &Stop) -> Result<usize, Failure> {
        let steps = self.solver.take_proof();
        match sat::proof::check_until(&self.encoded.encoding.cnf, &steps, &[], stop) {
            // The goal is a step too: a problem may be refuted without any other.
            Ok(true) => Ok(steps.len() + 1),
            Ok(false) => Err(Abort::Stopped.into()),
            Err(_) => Err(Failure::Unproved),
        }
    }
}

/// What the clauses are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    /// `minimal`: only traces that no shorter one could stand for.
    Solutions { minimal: bool },
    /// Each constraint can be switched on by itself, by an assumption.
    Core,
}

/// A problem for traces of one length, as clauses, and the way back.
pub(crate) struct Encoded {
    pub encoding: Encoding,
    pub switches: Vec<Lit>,
    pub size: Size,
    leaves: Vec<Vec<Rc<Matrix>>>,
    loop_at: Vec<Gate>,
    witnesses: Vec<crate::translate::Witness>,
}

impl Encoded {
    pub(crate) fn new(
        problem: &Problem,
        options: &Options,
        n_steps: usize,
        stop: &Stop,
        want: Want,
    ) -> Result<Encoded, Abort> {
        let budget = Budget {
            size_max: options.size_max,
            stop: stop.clone(),
        };
        let mut translator = Translator::new(problem, n_steps, options.skolem_depth, budget)?;
        let n_primary = translator.matrices.circuit.n_nodes() - 1;
        let mut constraints = vec![];
        for &constraint in &problem.constraints {
            let gate = translator.formula(constraint)?;
            constraints.push(gate);
            if gate == Gate::FALSE && want != Want::Core {
                break;
            }
        }
        let mut asserted = vec![translator.lasso.constraint];
        if options.symmetry > 0 {
            let classes = symmetry::classes(problem);
            asserted.push(symmetry::lex_leader(&mut translator, &classes, options.symmetry));
        }
        let switches = match want {
            Want::Core => constraints,
            Want::Solutions { minimal } => {
                asserted.extend(constraints);
                if minimal {
                    asserted.push(translator.is_shortest_form());
                }
                vec![]
            }
        };
        let circuit = &translator.matrices.circuit;
        let (encoding, switches) = encode(circuit, &asserted, &switches);
        let size = Size {
            n_primary,
            n_vars: encoding.cnf.n_vars() as usize,
            n_clauses: encoding.cnf.n_clauses(),
            n_gates: circuit.n_nodes(),
            n_steps,
        };
        Ok(Encoded {
            encoding,
            switches,
            size,
            leaves: translator.leaves,
            loop_at: translator.lasso.loop_at,
            witnesses: translator.witnesses,
        })
    }

    fn holds(&self, solver: &dyn Solver, gate: Gate) -> bool {
        match gate {
            Gate::TRUE => true,
            Gate::FALSE => false,
            _ => self.encoding.lit(gate).is_some_and(|lit| solver.value(lit)),
        }
    }

    fn tuples(&self, solver: &dyn Solver, matrix: &Matrix) -> TupleSet {
        let tuples = matrix
            .cells
            .iter()
            .filter(|cell| self.holds(solver, cell.1))
            .map(|cell| cell.0);
        TupleSet::from_indices(matrix.arity, tuples.collect())
    }

    fn instance(&self, solver: &dyn Solver) -> Instance {
        let state = |step: usize| {
            let values = self
                .leaves
                .iter()
                .map(|copies| self.tuples(solver, &copies[step.min(copies.len() - 1)]));
            values.collect::<Vec<TupleSet>>()
        };
        let witnesses = self.witnesses.iter().map(|witness| WitnessValue {
            var: witness.var,
            args: witness.args.clone(),
            step: witness.step,
            value: self.tuples(solver, &witness.row),
        });
        Instance {
            states: (0..self.loop_at.len()).map(state).collect(),
            loop_to: self
                .loop_at
                .iter()
                .position(|&gate| self.holds(solver, gate))
                .unwrap_or(0),
            witnesses: witnesses.collect(),
        }
    }

    /// The clause that no solution with the same relations and loop (and top witnesses) satisfies.
    fn excluding(&self, solver: &dyn Solver, distinct_witnesses: bool) -> Vec<Lit> {
        let relations = self.leaves.iter().flatten();
        let top_witnesses = self
            .witnesses
            .iter()
            .filter(|it| it.args.is_empty() && it.step == 0);
        let top_witnesses = top_witnesses.filter(|_| distinct_witnesses).map(|it| &it.row);
        let gates = relations.chain(top_witnesses).flat_map(|matrix| matrix.gates());
        let lits = gates.chain(self.loop_at.iter().copied()).filter_map(|gate| {
            let lit = self.encoding.lit(gate).filter(|_| !gate.is_constant())?;
            Some(if solver.value(lit) { !lit } else { lit })
        });
        lits.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::universe::Universe;

    /// Refutes everything, and proves nothing.
    struct Liar;

    impl Solver for Liar {
        fn reserve(&mut self, _: u32) {}

        fn add_clause(&mut self, _: &[Lit]) {}

        fn solve(&mut self, _: &[Lit], _: &Stop) -> Answer {
            Answer::Unsat
        }

        fn value(&self, _: Lit) -> bool {
            false
        }

        fn failed(&self, _: Lit) -> bool {
            false
        }

        fn take_proof(&mut self) -> Vec<sat::proof::Step> {
            vec![]
        }
    }

    #[test]
    fn a_refutation_without_a_proof_is_not_believed() {
        for prove in [false, true] {
            let options = Options {
                prove,
                ..Options::default()
            };
            let problem = Problem::new(Universe::new());
            let mut search = Search::new(problem, options, Stop::never());
            search.prepare().expect("nothing is too large");
            if let Some(round) = &mut search.current {
                round.solver = Box::new(Liar);
            }
            let expected = match prove {
                false => Ok(Found::Nothing),
                true => Err(Failure::Unproved),
            };
            assert_eq!(search.find_next(), expected);
        }
    }
}
