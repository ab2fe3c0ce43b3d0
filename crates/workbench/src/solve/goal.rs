//! Which goal is meant when nobody says.

use tla_sema::ir::{DefKind, Level};

use super::{diagnostics, level_of};
use crate::workspace::{Refused, Workspace};

/// The goal of a specification: its definition `Goal`, or the only one whose name ends so.
pub fn goal_of(workspace: &Workspace<'_>, spec: &str) -> Result<String, Refused> {
    let file = workspace.tla(spec)?;
    if file.has_errors() {
        return Err((file.sources.clone(), file.diagnostics.clone()));
    }
    let root = file.spec.root().map(|it| it.defs.as_slice()).unwrap_or_default();
    let is_goal = |it: &&tla_sema::ir::DefId| {
        let def = &file.spec.defs[**it];
        let is_named = def.name.as_str().ends_with("Goal");
        is_named
            && def.kind == DefKind::Operator
            && def.params.is_empty()
            && level_of(&file.spec, **it) == Level::State
    };
    let goals: Vec<&str> = root
        .iter()
        .filter(is_goal)
        .map(|&it| file.spec.defs[it].name.as_str())
        .collect();
    match &goals[..] {
        _ if goals.contains(&"Goal") => Ok("Goal".to_owned()),
        [one] => Ok((*one).to_owned()),
        _ => Err((file.sources.clone(), vec![diagnostics::no_goal(&goals)])),
    }
}
