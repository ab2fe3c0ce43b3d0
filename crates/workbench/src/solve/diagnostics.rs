//! What can be wrong with a question about solutions or strategies: one constructor per code, described in
//! `diagnostics/<code>.md`.

use diag::Diagnostic;
use source::Span;
use tla_sema::ir::Level;

pub fn no_behaviour() -> Diagnostic {
    Diagnostic::error("no-behaviour", "the model has no initial states and no steps")
        .hint("name them: `--init` and `--next`, or `--spec`, or a configuration")
}

pub fn no_steps_in_alloy() -> Diagnostic {
    Diagnostic::error(
        "no-steps-in-alloy",
        "an Alloy model has no steps to be solved or played for",
    )
    .hint("`babbage check` runs its commands")
}

pub fn no_goal(candidates: &[&str]) -> Diagnostic {
    let missing = Diagnostic::error("no-goal", "nothing says which states are wanted");
    match candidates {
        [] => missing.hint("name a state predicate: `--goal EXPR`; a definition `Goal` is found by itself"),
        some => missing.hint(format!(
            "name one of these: `--goal {}`",
            some.join("`, `--goal ")
        )),
    }
}

pub fn too_high_a_level(option: &str, level: Level, span: Span) -> Diagnostic {
    let what = match level {
        Level::Constant => "a constant",
        Level::State => "about one state, without primes",
        Level::Action | Level::Temporal => "about a state or a step",
    };
    Diagnostic::error("question-level", format!("what `{option}` asks must be {what}"))
        .at(span, "says more than that")
}

pub fn cost_state_without_cost() -> Diagnostic {
    Diagnostic::error(
        "cost-state-without-cost",
        "`--cost-state` is of no use without `--cost`",
    )
    .hint("give the cost of a step too: `--cost 'IF … = CostState THEN 0 ELSE 1'`")
}

pub fn reduction_not_used(what: &str) -> Diagnostic {
    Diagnostic::warning(
        "reduction-not-used",
        format!("{what} is not used: solutions and strategies are about states as they are"),
    )
}

pub fn inconsistent_heuristic(from: (String, u64), to: (String, u64), cost: u32) -> Diagnostic {
    let title = "the heuristic is not consistent, so the search went on without it";
    let note = match from == to {
        true => format!("in a goal it is {} and not 0", from.1),
        false => format!(
            "over a step that costs {cost} it falls from {} to {}",
            from.1, to.1
        ),
    };
    Diagnostic::warning("inconsistent-heuristic", title)
        .note(note)
        .note(format!("from: {}", from.0))
        .note(format!("to: {}", to.0))
        .hint("an estimate must not fall by more than a step costs, and be 0 in a goal")
}
