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

pub fn no_players() -> Diagnostic {
    Diagnostic::error("no-players", "nothing says who plays")
        .hint("name the players and their moves: `--player X=MoveX --player O=MoveO`")
}

pub fn player_twice(name: &str) -> Diagnostic {
    Diagnostic::error("player-twice", format!("there are two players called `{name}`"))
        .hint("a player with several actions has their disjunction: `--player 'X=Push \\/ Pull'`")
}

pub fn unknown_player(name: &str, players: &[&str]) -> Diagnostic {
    Diagnostic::error("unknown-player", format!("there is no player `{name}`"))
        .note(format!("the players are {}", players.join(", ")))
}

pub fn no_outcome(players: &[&str]) -> Diagnostic {
    let hint = match players.first() {
        Some(name) => format!(
            "say when a player has won: `--outcome {name}=EXPR`, or `--goal EXPR` for the first player"
        ),
        None => "say when a player has won: `--outcome X=EXPR`".to_owned(),
    };
    Diagnostic::error("no-outcome", "nothing says when a player has won").hint(hint)
}

pub fn too_many_players(n_max: usize) -> Diagnostic {
    Diagnostic::error(
        "too-many-players",
        format!("there are more than {n_max} players or outcomes"),
    )
}
