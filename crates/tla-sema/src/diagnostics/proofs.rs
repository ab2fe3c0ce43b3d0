//! Statements and proofs.

use diag::Diagnostic;
use source::Span;
use util::Symbol;

use super::level_name;
use crate::ir::Level;

pub fn duplicate_step(name: Symbol, span: Span, first: Span) -> Diagnostic {
    Diagnostic::warning(
        "duplicate-step",
        format!("two steps of this proof are called `{name}`"),
    )
    .at(span, "the second")
    .also(first, "the first")
    .hint("renumber one of them: a citation could mean either")
}

pub fn implicit_step_name(token: Symbol, span: Span) -> Diagnostic {
    let name = token
        .as_str()
        .split_once('>')
        .map_or("", |(_, name)| name)
        .trim_end_matches('.');
    Diagnostic::error(
        "implicit-step-name",
        format!("the step `{token}` has a name, but no level of its own"),
    )
    .at(span, "`<*>` and `<+>` start only steps without a name")
    .hint(format!(
        "write its level, as in `<1>{name}`, or leave out the name"
    ))
}

pub fn empty_by(word: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error("empty-by", format!("`{word}` names no facts and no definitions"))
        .at(span, "nothing follows");
    match word {
        "BY" => {
            diagnostic.hint("a proof that needs no facts is `OBVIOUS`, one that is left out is `OMITTED`")
        }
        _ => diagnostic,
    }
}

pub fn hidden_formula(span: Span) -> Diagnostic {
    Diagnostic::error(
        "hidden-formula",
        "`HIDE` takes the names of theorems, assumptions and steps only",
    )
    .at(span, "not the name of one")
    .hint("to hide a definition, write `HIDE DEF` before its name")
}

pub fn temporal_new_set(span: Span) -> Diagnostic {
    Diagnostic::error(
        "temporal-new-set",
        "the set of a `NEW` name cannot be a temporal formula",
    )
    .at(span, "a temporal formula")
}

pub fn pick_bound(span: Span, got: Level, body: Span) -> Diagnostic {
    Diagnostic::error(
        "pick-bound",
        "the set of a `PICK` with a temporal formula must be a constant",
    )
    .at(span, level_name(got))
    .also(body, "a temporal formula")
}

pub fn temporal_goal(word: &str, span: Span, got: Level, goal: Option<Span>) -> Diagnostic {
    let title = format!(
        "{word} with {} in the proof of a temporal formula",
        level_name(got)
    );
    let diagnostic =
        Diagnostic::error("temporal-goal", title).at(span, format!("{}, not a constant", level_name(got)));
    match goal {
        Some(goal) => diagnostic.also(goal, "the goal is temporal"),
        None => diagnostic,
    }
}
