//! The value of an expression, with the definitions of a specification or the standard modules at hand.

use diag::Diagnostic;
use source::Sources;
use tla_eval::compiled::compile_value;
use tla_eval::effects::Effects;
use tla_eval::explain::explain;
use tla_eval::machine::Machine;
use tla_eval::plan::Plan;
use tla_sema::Model;
use tla_sema::ir::DefId;
use value::Arena;

use crate::tla::{TlaFile, standard_modules};
use crate::workspace::{Refused, Workspace};

/// What came out.
pub struct Evaluated {
    pub sources: Sources,
    /// TLA+ text.
    pub value: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Evaluates `expr` with the names of `spec`, a path or a gallery name, and with `definitions`. Constants get their values
/// from the configuration that belongs to the specification, where there is one.
pub fn evaluate(
    workspace: &Workspace<'_>,
    expr: &str,
    definitions: &[String],
    spec: Option<&str>,
    effects: &(dyn Effects + Sync),
) -> Evaluated {
    let mut file = match scope(workspace, definitions, spec) {
        Ok(file) => file,
        Err((sources, diagnostics)) => {
            return Evaluated {
                sources,
                value: None,
                diagnostics,
            };
        }
    };
    let def = match errors(&file).is_empty() {
        true => file.append(workspace.host(), |appendix| {
            let text = appendix.sources().add("expression", expr);
            appendix.formula(expr, text)
        }),
        false => None,
    };
    let mut diagnostics = errors(&file);
    let mut value = None;
    if let (Some(def), true) = (def, diagnostics.is_empty()) {
        match run(&file, def, effects) {
            Ok(it) => value = Some(it),
            Err(it) => diagnostics.push(it),
        }
    }
    Evaluated {
        sources: file.sources,
        value,
        diagnostics,
    }
}

/// What is wrong with the last of these definitions, where the others are right.
pub fn define(
    workspace: &Workspace<'_>,
    definitions: &[String],
    spec: Option<&str>,
) -> (Sources, Vec<Diagnostic>) {
    match scope(workspace, definitions, spec) {
        Ok(file) => {
            let wrong = errors(&file);
            (file.sources, wrong)
        }
        Err(refused) => refused,
    }
}

/// Whether a text is the beginning of an expression, or of a definition, that goes on in the next line. A list of `/\` or
/// `\/` may always have a further item.
pub fn is_unfinished(text: &str) -> bool {
    let body = text.trim_end();
    let is_list = |text: &str| {
        ["/\\", "\\/", "∧", "∨"]
            .iter()
            .any(|it| text.trim_start().starts_with(it))
    };
    let file = source::FileId(0);
    match definition_sign(body).filter(|_| is_definition(body)) {
        None => is_list(body) || ends_too_early(&tla_syntax::parse_expr(body, file).2, body.len()),
        Some(sign) => {
            let head = "---- MODULE M ----\n";
            let (_, wrong) = tla_syntax::parse(&format!("{head}{body}\n===="), file);
            let value = &body[sign + 2..];
            value.trim().is_empty() || is_list(value) || ends_too_early(&wrong, head.len() + body.len())
        }
    }
}

/// Whether the first thing that is wrong is that the text ends here.
fn ends_too_early(wrong: &[Diagnostic], end: usize) -> bool {
    let first = wrong.iter().find(|it| it.is_error());
    first.is_some_and(|it| {
        let mut labels = it.primary.iter().chain(&it.secondary);
        labels.any(|it| it.span.start as usize >= end)
    })
}

/// Whether a text at a prompt defines something, rather than being an expression.
pub fn is_definition(text: &str) -> bool {
    let file = source::FileId(0);
    let is_expr = !tla_syntax::parse_expr(text, file)
        .2
        .iter()
        .any(Diagnostic::is_error);
    let starts = |word: &str| text.trim_start().starts_with(word);
    !is_expr && (starts("RECURSIVE ") || starts("LOCAL ") || definition_sign(text).is_some())
}

/// Where `==` stands outside of brackets and strings, not after `LET`.
fn definition_sign(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut quoted) = (0i32, false);
    for (i, &byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'=' if depth == 0 && bytes.get(i + 1) == Some(&b'=') => {
                let is_let = text[..i].split_whitespace().any(|it| it == "LET");
                return (!is_let).then_some(i);
            }
            _ => {}
        }
    }
    None
}

/// The specification, or the standard modules, with the definitions.
fn scope(workspace: &Workspace<'_>, definitions: &[String], spec: Option<&str>) -> Result<TlaFile, Refused> {
    let host = workspace.host();
    let mut file = match spec {
        None => standard_modules(),
        Some(spec) => (*workspace.tla(spec)?).clone(),
    };
    if !file.has_errors() && !definitions.is_empty() {
        file.append(host, |appendix| {
            for definition in definitions {
                let text = appendix.sources().add("definition", definition.as_str());
                appendix.units(definition, text);
            }
        });
    }
    if let Some(config) = file.config_beside(host) {
        file.configure(&config, host);
    }
    Ok(file)
}

/// What is wrong with the model as a whole does not matter for one expression.
fn errors(file: &TlaFile) -> Vec<Diagnostic> {
    let all = file.diagnostics.iter().filter(|it| it.is_error());
    all.cloned().collect()
}

fn run(file: &TlaFile, def: DefId, effects: &(dyn Effects + Sync)) -> Result<String, Diagnostic> {
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
    let (program, proc) = compile_value(&file.spec, &plan, file.spec.defs[def].body, &arena);
    let mut machine = Machine::new(program, &scratch, &arena, effects);
    match machine.run(proc) {
        Ok(value) => Ok(value::text(value)),
        Err(fault) => {
            let at = program.procs[proc].body.at;
            machine.unassigned(fault, at);
            match machine.error.take() {
                Some(mut error) => {
                    // The outermost call is that of the expression itself.
                    error.chain.pop();
                    Err(explain(&error, &file.spec))
                }
                None => Err(wrong()),
            }
        }
    }
}
