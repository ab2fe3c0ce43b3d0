//! What a resolved module consists of, in a few names.

use tla_sema::Spec;
use tla_sema::ir::{DeclId, DefId};

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
