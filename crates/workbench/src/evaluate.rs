//! The value of an expression, with the definitions of a specification or the standard modules at hand.

use diag::Diagnostic;
use source::Sources;
use tla_eval::effects::Effects;
use tla_eval::explain::explain;
use tla_eval::machine::Machine;
use tla_eval::model::compile_value;
use tla_eval::plan::Plan;
use tla_sema::Model;
use value::Arena;

use crate::host::Host;
use crate::open::open;
use crate::tla::{TlaFile, define_tla, extend_tla};

/// The name under which the expression is defined.
const NAME: &str = "CommandLineValue";

/// What came out.
pub struct Evaluated {
    pub sources: Sources,
    /// TLA+ text.
    pub value: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Evaluates `expr` with the names of `spec`, a path or a gallery name. Constants get their values from the configuration
/// that belongs to the specification, where there is one.
pub fn evaluate(
    expr: &str,
    spec: Option<&str>,
    host: &dyn Host,
    effects: &(dyn Effects + Sync),
) -> Evaluated {
    let definitions = [(NAME, expr)];
    let mut file = match spec {
        None => define_tla(&definitions),
        Some(spec) => match open(spec, host) {
            Ok(opened) => extend_tla(opened, host, &definitions),
            Err((sources, diagnostics)) => {
                return Evaluated {
                    sources,
                    value: None,
                    diagnostics,
                };
            }
        },
    };
    if let Some(config) = file.config_beside(host) {
        file.configure(&config, host);
    }
    // What is wrong with the model as a whole does not matter for one expression.
    file.diagnostics.retain(|it| it.is_error());
    if file.has_errors() {
        return Evaluated {
            sources: file.sources,
            value: None,
            diagnostics: file.diagnostics,
        };
    }
    let value = run(&file, effects);
    let (value, diagnostics) = match value {
        Ok(value) => (Some(value), vec![]),
        Err(diagnostic) => (None, vec![diagnostic]),
    };
    Evaluated {
        sources: file.sources,
        value,
        diagnostics,
    }
}

fn run(file: &TlaFile, effects: &(dyn Effects + Sync)) -> Result<String, Diagnostic> {
    let arena = Arena::new();
    let scratch = Arena::new();
    let nothing = Model::default();
    let model = file.model.as_ref().unwrap_or(&nothing);
    let wrong = || {
        Diagnostic::error(
            "unsupported-constant",
            "a constant is given a value that cannot be computed with",
        )
    };
    let plan = Plan::new(&file.spec, model, &arena).map_err(|_| wrong())?;
    let Some(def) = file.spec.lookup_def(NAME) else {
        return Err(wrong());
    };
    let (program, proc) = compile_value(&file.spec, &plan, file.spec.defs[def].body, &arena);
    let mut machine = Machine::new(program, &scratch, &arena, effects);
    match machine.run(proc) {
        Ok(value) => Ok(value.to_string()),
        Err(fault) => {
            let at = program.procs[proc as usize].body.at;
            machine.unassigned(fault, at);
            match machine.error.take() {
                Some(error) => Err(explain(&error, &file.spec)),
                None => Err(wrong()),
            }
        }
    }
}
