//! What is wrong with a specification, as one types it; and what it defines that one may want to reach.

use std::rc::Rc;

use serde_json::{Value, json};
use workbench::{Overrides, TlaFile};

use super::ask::Ask;
use super::json as shown;

/// Reads everything, checks nothing.
pub fn diagnose(ask: &Ask) -> Value {
    let (sources, diagnostics) =
        workbench::diagnose(&ask.workspace, &ask.main, ask.config.as_deref(), &ask.overrides());
    let diagnostics = shown::diagnostics(&diagnostics, &sources, &ask.texts);
    json!({ "diagnostics": diagnostics })
}

/// The specification with its model; none if it cannot even be opened, or has no steps.
pub fn tla_file(ask: &Ask) -> Option<Rc<TlaFile>> {
    tla_file_with(ask, ask.config.as_deref(), &ask.overrides())
}

/// The same with another configuration, or with more to ask.
pub fn tla_file_with(ask: &Ask, config: Option<&str>, overrides: &Overrides) -> Option<Rc<TlaFile>> {
    let opened = ask.workspace.open(&ask.main).ok();
    opened.filter(|it| it.language.has_steps())?;
    ask.workspace.model(&ask.main, config, overrides).ok()
}

/// Definitions that are true or false of a state.
pub fn predicates(ask: &Ask) -> Vec<String> {
    tla_file(ask).map_or(vec![], |it| workbench::state_predicates(&it))
}
