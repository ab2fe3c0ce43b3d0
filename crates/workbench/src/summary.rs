//! What a resolved module consists of and what its model asks for, in a few names.

use tla_sema::ir::{DeclId, DefId, Operator};
use tla_sema::model::{Behaviour, Formula, Given, Value};
use tla_sema::{Model, Spec};

#[derive(Clone, Debug)]
pub struct ModuleSummary {
    pub name: String,
    pub extends: Vec<String>,
    pub constants: Vec<String>,
    pub variables: Vec<String>,
    pub definitions: Vec<String>,
    pub assumptions: usize,
    pub theorems: usize,
    /// Every module that was read, built-in ones included.
    pub modules: usize,
}

/// The root module of a spec; `None` when the text held no module.
pub fn summarise(spec: &Spec) -> Option<ModuleSummary> {
    let root = spec.root()?;
    let decl = |it: DeclId| spec.decls[it].name.to_string();
    let def = |it: &DefId| spec.defs[*it].name.to_string();
    Some(ModuleSummary {
        name: root.name.to_string(),
        extends: root
            .extends
            .iter()
            .map(|&it| spec.modules[it].name.to_string())
            .collect(),
        constants: spec.constants().map(decl).collect(),
        variables: spec.variables().map(decl).collect(),
        definitions: root.defs.iter().map(def).collect(),
        assumptions: root.assumptions.len(),
        theorems: root.theorems.len(),
        modules: spec.modules.len(),
    })
}

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct ModelSummary {
    /// `Spec`, or `Init` and `Next`; empty when only assumptions can be checked.
    pub behaviour: Vec<String>,
    /// `N = 3`, `Nat <- SmallNat`.
    pub constants: Vec<String>,
    pub invariants: Vec<String>,
    pub properties: Vec<String>,
    pub constraints: Vec<String>,
}

pub fn summarise_model(spec: &Spec, model: &Model) -> ModelSummary {
    let names = |of: &[Formula]| of.iter().map(|it| it.name.to_string()).collect::<Vec<_>>();
    let behaviour = match &model.behaviour {
        Behaviour::None => vec![],
        Behaviour::InitNext { init, next } => [Some(init), next.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        Behaviour::Specification(it) => vec![it.clone()],
    };
    let constants = model
        .constants
        .iter()
        .flat_map(|(decl, given)| assignment(spec, spec.decls[*decl].name.as_str(), given));
    let overrides = model
        .overrides
        .iter()
        .flat_map(|(def, given)| assignment(spec, spec.defs[*def].name.as_str(), given));
    ModelSummary {
        behaviour: names(&behaviour),
        constants: constants.chain(overrides).collect(),
        invariants: names(&model.invariants),
        properties: names(&model.properties),
        constraints: names(&model.constraints)
            .into_iter()
            .chain(names(&model.action_constraints))
            .collect(),
    }
}

fn assignment(spec: &Spec, name: &str, given: &Given) -> Vec<String> {
    match given {
        Given::Value(value) => vec![format!("{name} = {}", shown(value))],
        Given::Operator(Operator::Def(def)) => vec![format!("{name} <- {}", spec.defs[*def].name)],
        Given::Operator(Operator::Decl(decl)) => vec![format!("{name} <- {}", spec.decls[*decl].name)],
        Given::Operator(Operator::Local(_)) => vec![],
        Given::Table(rows) => rows
            .iter()
            .map(|(args, value)| format!("{name}({}) = {}", list(args), shown(value)))
            .collect(),
    }
}

/// A value as a configuration writes it.
fn shown(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string().to_uppercase(),
        Value::Int(digits) => digits.to_string(),
        Value::Str(text) => format!("{:?}", text.as_str()),
        Value::Model(name) => name.to_string(),
        Value::Set(items) => format!("{{{}}}", list(items)),
    }
}

fn list(values: &[Value]) -> String {
    values.iter().map(shown).collect::<Vec<_>>().join(", ")
}
