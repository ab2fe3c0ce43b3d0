//! What is wrong with a specification, as one types it; and what it defines that one may want to reach.

use std::rc::Rc;

use serde_json::{Value, json};
use workbench::{Asked, Language, TlaFile};

use super::ask::Ask;
use super::json as shown;

/// Reads everything, checks nothing.
pub fn diagnose(ask: &Ask) -> Value {
    let opened = match ask.workspace.open(&ask.main) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => {
            return json!({ "diagnostics": shown::diagnostics(&diagnostics, &sources, &ask.texts) });
        }
    };
    let diagnostics = match opened.language {
        Language::Tla => {
            let file = tla_file(ask);
            file.map_or(vec![], |it| {
                shown::diagnostics(&it.diagnostics, &it.sources, &ask.texts)
            })
        }
        Language::Alloy => {
            let (sources, diagnostics) = workbench::parse_alloy(&ask.workspace, &ask.main);
            shown::diagnostics(&diagnostics, &sources, &ask.texts)
        }
    };
    json!({ "diagnostics": diagnostics })
}

/// The specification with its model; none if it cannot even be opened, or is no TLA+.
pub fn tla_file(ask: &Ask) -> Option<Rc<TlaFile>> {
    tla_file_asked(ask, ask.config.as_deref(), &ask.asked())
}

/// The same with another configuration, or with more to ask.
pub fn tla_file_asked(ask: &Ask, config: Option<&str>, asked: &Asked) -> Option<Rc<TlaFile>> {
    let opened = ask.workspace.open(&ask.main).ok();
    opened.filter(|it| it.language == Language::Tla)?;
    ask.workspace.model(&ask.main, config, asked).ok()
}

/// Definitions that are true or false of a state.
pub fn predicates(ask: &Ask) -> Vec<String> {
    tla_file(ask).map_or(vec![], |it| workbench::state_predicates(&it))
}
