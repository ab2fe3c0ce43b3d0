//! Why there is no solution: a set of constraints that cannot hold together, none of which can be left out.

use sat::{Answer, Lit, Solver, Stop};

use crate::budget::Abort;
use crate::problem::Problem;
use crate::search::{Encoded, Failure, Options, Want};
use crate::symmetry;

/// The indices of constraints that have no solution together, ascending. Empty when the bounds alone exclude all.
///
/// For traces, what excludes those of one length need not exclude those of another: the set excludes all of them.
pub fn unsat_core(problem: &Problem, options: &Options, stop: &Stop) -> Result<Vec<usize>, Failure> {
    let mut problem = problem.clone();
    let n_constraints = problem.constraints.len();
    symmetry::fix_orders(&mut problem, options.symmetry > 0);
    let lengths = if problem.is_temporal() {
        options.steps.clone()
    } else {
        1..=1
    };
    let mut core: Vec<usize> = vec![];
    // The longest traces have the most freedom: what excludes them tends to exclude the others.
    for n_steps in lengths.rev() {
        let encoded = Encoded::new(&problem, options, n_steps, stop, Want::Core)?;
        let mut solver = options.solver.create();
        encoded.encoding.cnf.load(&mut *solver);
        let mut minimizer = Minimizer {
            solver: &mut *solver,
            switches: &encoded.switches,
            stop,
        };
        if let Some(more) = minimizer.minimal(&core)? {
            core.extend(more);
            core.sort_unstable();
            core.dedup();
        }
    }
    core.retain(|&constraint| constraint < n_constraints);
    Ok(core)
}

struct Minimizer<'s> {
    solver: &'s mut dyn Solver,
    switches: &'s [Lit],
    stop: &'s Stop,
}

impl Minimizer<'_> {
    /// Those of `set` that the solver used to refute it, or none if it has a solution.
    fn refute(&mut self, set: &[usize]) -> Result<Option<Vec<usize>>, Abort> {
        let assumptions: Vec<Lit> = set.iter().map(|&it| self.switches[it]).collect();
        match self.solver.solve(&assumptions, self.stop) {
            Answer::Sat => Ok(None),
            Answer::Unsat => {
                let used = set
                    .iter()
                    .copied()
                    .filter(|&it| self.solver.failed(self.switches[it]));
                Ok(Some(used.collect()))
            }
            Answer::Unknown => Err(Abort::Stopped),
        }
    }

    /// What must be added to `given` to exclude all solutions, as little as possible; none if nothing must.
    fn minimal(&mut self, given: &[usize]) -> Result<Option<Vec<usize>>, Abort> {
        if !given.is_empty() && self.refute(given)?.is_some() {
            return Ok(None);
        }
        let all: Vec<usize> = (0..self.switches.len()).collect();
        let Some(mut core) = self.refute(&all)? else {
            return Ok(None);
        };
        let mut needed = 0;
        while needed < core.len() {
            let without: Vec<usize> = core
                .iter()
                .copied()
                .enumerate()
                .filter(|&(i, _)| i != needed)
                .map(|(_, it)| it)
                .collect();
            match self.refute(&without)? {
                Some(smaller) => {
                    // What was needed for the larger set is needed still: it stays in front.
                    let (front, rest) = core.split_at(needed);
                    core = front
                        .iter()
                        .chain(rest.iter().filter(|it| smaller.contains(it)))
                        .copied()
                        .collect();
                }
                None => needed += 1,
            }
        }
        Ok(Some(core))
    }
}
