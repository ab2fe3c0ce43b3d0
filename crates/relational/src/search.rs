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
use crate::symmetry::{self, Order};
use crate::translate::Translator;
use crate::universe::{Atom, TupleSet};

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
    /// The first solution and its length: further ones of this length are asked for apart.
    first: Option<(usize, Instance)>,
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
            first: None,
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
        let (n_steps, want, given) = match self.first.take() {
            Some((n_steps, first)) => (n_steps, Want::Solutions { minimal: false }, Some(first)),
            None => match self.lengths.next() {
                Some(n_steps) if self.has_found => (n_steps, Want::Solutions { minimal: true }, None),
                // Then two solutions that differ in their witnesses alone are not the same one.
                Some(n_steps) if self.options.distinct_witnesses => {
                    (n_steps, Want::Solutions { minimal: false }, None)
                }
                Some(n_steps) => (n_steps, Want::Any, None),
                None => return Ok(false),
            },
        };
        let encoded = Encoded::new(&self.problem, &self.options, n_steps, &self.stop, want)?;
        self.size = encoded.size;
        let mut solver = match self.options.prove {
            true => self.options.solver.logging(),
            false => self.options.solver.create(),
        };
        encoded.encoding.cnf.load(&mut *solver);
        let exclude = given.map(|instance| encoded.excluding(&instance, false));
        self.current = Some(Round {
            solver,
            encoded,
            exclude,
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
                Answer::Sat => return self.found().map(Found::Instance),
            }
        }
        Ok(Found::Nothing)
    }

    /// Reads the solver's model, and sees to it that it is not found again.
    fn found(&mut self) -> Result<Instance, Failure> {
        let Some(round) = &mut self.current else {
            unreachable!("a model without a solver")
        };
        let mut instance = round.encoded.instance(&*round.solver);
        self.has_found = true;
        match round.encoded.leaders.take() {
            // Compared by its witnesses, it may be another one of its kind than the one that enumeration keeps.
            Some(leaders) => {
                symmetry::to_leader(&mut instance, &leaders, &self.problem);
                self.first = Some((instance.states.len(), instance.clone()));
                self.current = None;
            }
            None => {
                let clause = round
                    .encoded
                    .excluding(&instance, self.options.distinct_witnesses);
                round.exclude = Some(clause);
            }
        }
        if self.options.confirm {
            self.confirm(&instance)?;
        }
        Ok(instance)
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
        Ok(
            Encoded::new(&problem, options, n_steps, &Stop::never(), Want::Any)?
                .encoding
                .cnf,
        )
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
    /// Whether there is a solution, and any one: symmetries may be broken by what the witnesses are.
    Any,
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
    /// Where symmetries are broken by witnesses: what leads from a solution to the one that would stand for it without.
    leaders: Option<Leaders>,
}

type Leaders = Vec<([Atom; 2], Vec<symmetry::Mirror>)>;

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
        let mut leaders = None;
        if options.symmetry > 0 {
            let classes = symmetry::classes(problem);
            let plain = Order::of_relations(&translator, options.symmetry);
            let by_witnesses = match want {
                Want::Solutions { .. } => None,
                // For traces it did not pay: ring elections took three times as long.
                _ if problem.is_temporal() => None,
                Want::Any | Want::Core => Order::with_witnesses(&translator, &classes, options.symmetry),
            };
            if by_witnesses.is_some() {
                leaders = Some(plain.mirrors(&classes));
            }
            let order = by_witnesses.unwrap_or(plain);
            asserted.push(order.lex_leader(&mut translator.matrices.circuit, &classes));
        }
        let switches = match want {
            Want::Core => constraints,
            Want::Any | Want::Solutions { .. } => {
                asserted.extend(constraints);
                vec![]
            }
        };
        if want == (Want::Solutions { minimal: true }) {
            asserted.push(translator.is_shortest_form());
        }
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
            leaders,
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
    fn excluding(&self, instance: &Instance, distinct_witnesses: bool) -> Vec<Lit> {
        let mut clause = vec![];
        let mut differ = |gate: Gate, value: bool| {
            if let Some(lit) = self.encoding.lit(gate).filter(|_| !gate.is_constant()) {
                clause.push(if value { !lit } else { lit });
            }
        };
        for (relation, copies) in self.leaves.iter().enumerate() {
            for (step, matrix) in copies.iter().enumerate() {
                let value = &instance.states[step][relation];
                matrix
                    .cells
                    .iter()
                    .for_each(|&(tuple, gate)| differ(gate, value.contains(tuple)));
            }
        }
        if distinct_witnesses {
            // In the order of the rows, for it was read from them.
            let rows = self.witnesses.iter().zip(&instance.witnesses);
            for (witness, found) in rows.filter(|(it, _)| it.args.is_empty() && it.step == 0) {
                let cells = &witness.row.cells;
                cells
                    .iter()
                    .for_each(|&(tuple, gate)| differ(gate, found.value.contains(tuple)));
            }
        }
        for (step, &gate) in self.loop_at.iter().enumerate() {
            differ(gate, step == instance.loop_to);
        }
        clause
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
