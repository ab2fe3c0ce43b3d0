//! Random small Alloy models against brute force.
//!
//! A model is made as a tree ([`model`]), written as text for the analyser, and decided a second time on the tree: every
//! valuation within the scope is tried ([`enumerate`]) and every formula evaluated by its definition ([`evaluate`]). Nothing is
//! shared with the parser, the translation to clauses or the solvers. Then the analyser must give the same answer with every
//! solver, symmetry length and Skolem depth, and without symmetry breaking as many instances as there are.

pub mod enumerate;
pub mod evaluate;
pub mod generate;
pub mod model;
pub mod shrink;

use alloy_lower::{Options, Outcome, Run, Solver, Stop};
use source::Sources;

use enumerate::Counted;
use model::Model;

/// What brute force and the analyser do not agree on.
#[derive(Clone, PartialEq, Debug)]
pub struct Disagreement {
    /// The options of the analyser.
    pub with: String,
    pub expected: String,
    pub found: String,
}

/// How many instances are counted; more are not compared.
pub const INSTANCES_MAX: usize = 3000;

const SYMMETRIES: [usize; 3] = [0, 3, 20];
const SKOLEM_DEPTHS: [usize; 3] = [0, 1, 2];

/// Compares what the analyser says with brute force, for all solvers and options.
pub fn compare(model: &Model) -> Option<Disagreement> {
    let counted = enumerate::count(model);
    let text = model.text();
    let mut sources = Sources::new();
    let loaded = alloy_sema::resolve(
        "random.als",
        &text,
        &alloy_sema::NoFiles,
        &mut sources,
        Default::default(),
    );
    if let Some(error) = loaded.diagnostics.iter().find(|it| it.is_error()) {
        return Some(Disagreement {
            with: "the parser".to_owned(),
            expected: "a model".to_owned(),
            found: error.title.clone(),
        });
    }
    for &solver in Solver::ALL {
        for symmetry in SYMMETRIES {
            for skolem_depth in SKOLEM_DEPTHS {
                let mut options = Options::default();
                options.engine.solver = solver;
                options.engine.symmetry = symmetry;
                options.engine.skolem_depth = skolem_depth;
                // All instances are asked for once with each solver; everything else is about there being one.
                let counts = model.is_countable() && symmetry == 0 && skolem_depth == 1;
                let found = run(&loaded.model, options, if counts { INSTANCES_MAX + 1 } else { 1 });
                let (expected, found) = match (&counted, found) {
                    (Counted::TooMany, _) => return None,
                    (_, Err(why)) => ("an answer".to_owned(), why),
                    (Counted::Exactly(n), Ok(found)) if counts && *n <= INSTANCES_MAX => {
                        (format!("{n} instances"), format!("{found} instances"))
                    }
                    (Counted::Exactly(n), Ok(found)) => (told(*n), told(found)),
                };
                if expected != found {
                    return Some(Disagreement {
                        with: format!("{solver:?}, symmetry {symmetry}, Skolem depth {skolem_depth}"),
                        expected,
                        found,
                    });
                }
            }
        }
    }
    None
}

fn told(n: usize) -> String {
    if n > 0 { "an instance" } else { "no instance" }.to_owned()
}

/// How many instances the first command has, up to a limit.
fn run(model: &alloy_sema::ir::Model, options: Options, max: usize) -> Result<usize, String> {
    let refused = |it: alloy_lower::Refusal| format!("{it:?}");
    let mut run = Run::new(model, 0, options, Stop::never()).map_err(refused)?;
    let mut n = 0;
    while n < max {
        match run.find_next().map_err(refused)? {
            Outcome::Instance(_) => n += 1,
            Outcome::None => break,
        }
    }
    Ok(n)
}
