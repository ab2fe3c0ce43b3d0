//! What is to be said about a run besides its verdict: one constructor per code.

use diag::Diagnostic;
use tla_eval::plan::Named;
use util::Symbol;

pub fn never_taken(actions: &[(String, Option<String>)]) -> Diagnostic {
    let names: Vec<String> = actions.iter().map(|(name, _)| format!("`{name}`")).collect();
    let what = match actions.len() {
        1 => "this action was never enabled",
        _ => "these actions were never enabled",
    };
    let warning = Diagnostic::warning("action-never-enabled", format!("{what}: {}", names.join(", ")));
    actions
        .iter()
        .filter_map(|(name, place)| Some(format!("`{name}` is at {}", place.as_ref()?)))
        .fold(warning, Diagnostic::note)
        .hint("no reachable state has a step of it: is its guard what was meant?")
}

pub fn alias_failed(alias: Symbol, state: usize, why: Diagnostic) -> Diagnostic {
    let title =
        format!("the alias `{alias}` cannot be evaluated in state {state}, so the variables are shown");
    let failed = Diagnostic::warning("alias-failed", title).note(why.title);
    match why.primary {
        Some(label) => failed.at(label.span, label.text),
        None => failed,
    }
}

pub fn reference_error(why: &str) -> Diagnostic {
    Diagnostic::error("reference-error", format!("something has no value: {why}"))
        .hint("`babbage check` without `--reference` says where")
}

pub fn reference_refuses(what: &str) -> Diagnostic {
    Diagnostic::warning(
        "reference-refuses",
        format!("the reference checker does not decide this: {what}"),
    )
}

pub fn reference_counts_all() -> Diagnostic {
    Diagnostic::warning(
        "reference-counts-all",
        "the reference checker uses neither SYMMETRY nor VIEW, so it counts all states",
    )
}

pub fn walks_are_finite(properties: &[Named]) -> Diagnostic {
    let title = format!(
        "{}: what a property says of infinite behaviours is not checked on random walks",
        listed(properties)
    );
    Diagnostic::warning("temporal-property", title).hint("`babbage check` searches all behaviours")
}

pub fn no_such_action(name: &str, known: &[&str]) -> Diagnostic {
    let title = format!("there is no action `{name}` that `--weight` could be about");
    let unknown = Diagnostic::error("no-such-action", title);
    match diag::closest(name, known.iter().copied()) {
        Some(near) => unknown.hint(format!("did you mean `{near}`?")),
        None => unknown.hint("steps are named by definitions: `--coverage` lists those that were taken"),
    }
}

pub fn initial_not_checked(properties: &[Named]) -> Diagnostic {
    let title = format!(
        "{}: what a property says of the initial state is not checked on random walks",
        listed(properties)
    );
    Diagnostic::warning("initial-property", title).hint("`babbage check` checks it")
}

fn listed(properties: &[Named]) -> String {
    let mut names: Vec<String> = properties.iter().map(|it| format!("`{}`", it.name)).collect();
    names.dedup();
    names.join(", ")
}
