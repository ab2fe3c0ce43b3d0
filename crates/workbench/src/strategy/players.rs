//! Who plays when nobody says: the disjuncts of the next-state action.

use tla_sema::Spec;
use tla_sema::ir::{Builtin, DefId, ExprKind, Operator};

use crate::solve::diagnostics;
use crate::workspace::{Refused, Workspace};

/// Names and actions.
type Players = Vec<(String, String)>;

/// `Next == MoveX \/ MoveO` has the players `X` and `O`, the names without what they have in common.
pub fn players_of(workspace: &Workspace<'_>, spec: &str) -> Result<Players, Refused> {
    let file = workspace.tla(spec)?;
    if file.has_errors() {
        return Err((file.sources.clone(), file.diagnostics.clone()));
    }
    let actions: Vec<&str> = disjuncts(&file.spec)
        .into_iter()
        .map(|it| file.spec.defs[it].name.as_str())
        .collect();
    if actions.len() < 2 {
        return Err((file.sources.clone(), vec![diagnostics::no_players()]));
    }
    let common = common_prefix(&actions);
    let name = |it: &&str| match &it[common..] {
        "" => (*it).to_owned(),
        rest => rest.to_owned(),
    };
    Ok(actions.iter().map(|it| (name(it), (*it).to_owned())).collect())
}

/// The definitions that `Next` is a disjunction of; nothing when it is something else.
fn disjuncts(spec: &Spec) -> Vec<DefId> {
    let Some(next) = spec.lookup_def("Next") else {
        return vec![];
    };
    let mut found = vec![];
    let mut todo = vec![spec.defs[next].body];
    while let Some(at) = todo.pop() {
        match &spec.exprs[at].kind {
            ExprKind::Builtin {
                op: Builtin::Or,
                args,
            } => todo.extend(args.iter().rev()),
            ExprKind::Label { body, .. } => todo.push(*body),
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if args.is_empty() => found.push(*def),
            _ => return vec![],
        }
    }
    found.dedup();
    found
}

fn common_prefix(names: &[&str]) -> usize {
    let Some((first, rest)) = names.split_first() else {
        return 0;
    };
    let is_common = |len: usize| rest.iter().all(|it| it.starts_with(&first[..len]));
    let ends = first.char_indices().map(|it| it.0).chain([first.len()]);
    ends.filter(|&it| is_common(it)).max().unwrap_or(0)
}
