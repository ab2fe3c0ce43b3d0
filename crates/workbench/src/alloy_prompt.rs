//! Questions about an instance of an Alloy command: the value of an expression, the next instance.

use alloy_lower::{Meaning, Outcome, Run, Stop};
use alloy_sema::Resolved;
use alloy_sema::ir::{Model, SigId, Type, VarId};
use diag::Diagnostic;
use source::Sources;
use trace::{AtomId, Instance, RelationKind, Tuple};

use crate::alloy::{AlloyOptions, engine, wanted};
use crate::workspace::{AlloyFile, Workspace};

/// An instance that can be asked.
pub struct AlloyPrompt<'a> {
    pub sources: Sources,
    resolved: Resolved,
    run: Run<'a>,
    pub instance: Instance,
    /// The label of the command.
    label: String,
    /// The names of atoms and witnesses, and what they stand for.
    names: Vec<(VarId, Vec<Tuple>)>,
}

/// Finds the first instance of a command (the first one, when none is named) and lends it to `ask`.
pub fn with_alloy_instance<R>(
    workspace: &Workspace<'_>,
    spec: &str,
    options: &AlloyOptions,
    stop: &Stop,
    ask: impl FnOnce(&mut AlloyPrompt<'_>) -> R,
) -> Result<R, (Sources, Vec<Diagnostic>)> {
    let AlloyFile { resolved, sources } = (*workspace.alloy(spec)?).clone();
    if resolved.has_errors() {
        return Err((sources, resolved.diagnostics));
    }
    // Expressions are added to the model while its command is under way.
    let model = resolved.model.clone();
    let found = first_instance(&model, options, stop);
    let (run, instance, label) = match found {
        Ok(found) => found,
        Err(diagnostics) => return Err((sources, diagnostics)),
    };
    let mut prompt = AlloyPrompt {
        sources,
        resolved,
        run,
        instance,
        label,
        names: vec![],
    };
    prompt.bind_names();
    Ok(ask(&mut prompt))
}

fn first_instance<'m>(
    model: &'m Model,
    options: &AlloyOptions,
    stop: &Stop,
) -> Result<(Run<'m>, Instance, String), Vec<Diagnostic>> {
    let engine = engine(options).map_err(|it| vec![it])?;
    let commands = wanted(model, options.command.as_deref()).map_err(|it| vec![it])?;
    // Resolution gives a model without a command a default one.
    let index = *commands.first().expect("every model has a command");
    let command = &model.commands[index];
    if !command.errors.is_empty() {
        return Err(command.errors.clone());
    }
    let refused = |it: alloy_lower::Refusal| vec![it.diagnostic().unwrap_or_else(stopped)];
    let mut run = Run::new(model, index, engine, stop.clone()).map_err(refused)?;
    match run.find_next().map_err(refused)? {
        Outcome::Instance(instance) => Ok((run, *instance, command.label.to_string())),
        Outcome::None => Err(vec![no_instance(command.label.as_str())]),
    }
}

fn no_instance(label: &str) -> Diagnostic {
    Diagnostic::error(
        "no-instance",
        format!("the command `{label}` has no instance to ask"),
    )
    .hint("`babbage check` says what excludes all instances")
}

fn stopped() -> Diagnostic {
    Diagnostic::error("stopped", "stopped before an instance was found")
}

impl AlloyPrompt<'_> {
    /// The label of the command whose instance it is.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The value of an expression in a state of the instance, as text.
    pub fn evaluate(&mut self, text: &str, state: usize) -> Result<String, Vec<Diagnostic>> {
        let (value, diagnostics) = self.resolved.expression(text, &mut self.sources);
        let Some(value) = value else {
            return Err(diagnostics);
        };
        let names: Vec<(VarId, &[Tuple])> = self.names.iter().map(|it| (it.0, &it.1[..])).collect();
        let meaning = self.run.evaluate(&self.resolved.model, value, &names, state);
        match meaning {
            Ok(Some(meaning)) => Ok(self.text(&meaning)),
            Ok(None) => Err(vec![no_instance("")]),
            Err(refusal) => Err(vec![refusal.diagnostic().unwrap_or_else(stopped)]),
        }
    }

    /// Goes on to the next instance; false when there is none.
    pub fn find_next(&mut self) -> Result<bool, Vec<Diagnostic>> {
        match self.run.find_next() {
            Ok(Outcome::Instance(instance)) => {
                self.instance = *instance;
                self.bind_names();
                Ok(true)
            }
            Ok(Outcome::None) => Ok(false),
            Err(refusal) => Err(vec![refusal.diagnostic().unwrap_or_else(stopped)]),
        }
    }

    /// Makes the names that the instance shows known to expressions.
    fn bind_names(&mut self) {
        self.names.clear();
        let mut all: Vec<(String, Vec<usize>, Vec<Tuple>)> = vec![];
        for (i, atom) in self.instance.atoms.iter().enumerate() {
            if let (Some(sig), true) = (atom.sig, atom.name.contains('$')) {
                let tuple: Tuple = [AtomId(i as u32)].into();
                all.push((atom.name.clone(), vec![sig], vec![tuple]));
            }
        }
        for (i, relation) in self.instance.relations.iter().enumerate() {
            let tuples = self.instance.tuples(i, 0).to_vec();
            if let (RelationKind::Skolem, Some(types)) = (relation.kind, relation.types.first())
                && !tuples.is_empty()
            {
                all.push((relation.name.clone(), types.clone(), tuples));
            }
        }
        for (name, types, tuples) in all {
            let product = types.into_iter().map(|it| SigId::new(it as u32)).collect();
            let ty = Type {
                products: vec![product],
            };
            let var = self.resolved.bind(&name, &ty);
            self.names.push((var, tuples));
        }
    }

    fn text(&self, meaning: &Meaning) -> String {
        match meaning {
            Meaning::Truth(true) => "true".into(),
            Meaning::Truth(false) => "false".into(),
            Meaning::Int(Some(number)) => number.to_string(),
            Meaning::Int(None) => "no integer: it does not fit".into(),
            Meaning::Tuples(tuples) => {
                let tuple = |it: &Tuple| {
                    let names: Vec<&str> = it.iter().map(|&it| self.instance.name(it)).collect();
                    names.join("->")
                };
                let tuples: Vec<String> = tuples.iter().map(tuple).collect();
                format!("{{{}}}", tuples.join(", "))
            }
        }
    }
}
