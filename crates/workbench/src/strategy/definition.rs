//! A strategy as a TLA+ definition: an action that can stand in the specification in place of the player's own.
//!
//! It holds the moves for every position that is reached when the player follows it, whatever the others do.

use tla_sema::Spec;

use super::Solved;

pub(super) fn write(solved: &Solved<'_, '_, '_, '_>, player: u8) -> String {
    let model = solved.checker.model;
    let name = free_name(solved.checker.spec(), &solved.player_name(player));
    let variables: Vec<&str> = model
        .compiled
        .program
        .variables
        .iter()
        .map(|it| it.as_str())
        .collect();
    let tuple = |at: u32| {
        let arena = value::Arena::new();
        let values = model.decode(solved.game.states.get(at), &arena);
        let values: Vec<String> = values.iter().map(|it| it.to_string()).collect();
        format!("<<{}>>", values.join(", "))
    };
    let steps: Vec<String> = decisions(solved, player)
        .into_iter()
        .map(|(from, to)| format!("        <<{},\n          {}>>", tuple(from), tuple(to)))
        .collect();
    if steps.is_empty() {
        return format!("{name} == FALSE\n");
    }
    let functions = match steps.iter().any(|it| it.contains(":>")) && !has_operators(solved.checker.spec()) {
        true => FUNCTIONS,
        false => "",
    };
    // The moves are a constant of their own, which is computed once.
    let mut text = format!(
        "{name}Moves ==\n{functions}    {{\n{}\n    }}\n\n",
        steps.join(",\n")
    );
    let state = variables.join(", ");
    text += &format!("{name} ==\n    \\E step \\in {{it \\in {name}Moves : it[1] = <<{state}>>}} :\n");
    for (i, variable) in variables.iter().enumerate() {
        text += &format!("        /\\ {variable}' = step[2][{}]\n", i + 1);
    }
    text
}

/// How functions are written, for modules that do not extend `TLC`.
const FUNCTIONS: &str = "    LET d :> e == [x \\in {d} |-> e]
        f @@ g == [x \\in (DOMAIN f) \\cup (DOMAIN g) |-> IF x \\in DOMAIN f THEN f[x] ELSE g[x]] IN
";

fn has_operators(spec: &Spec) -> bool {
    [":>", "@@"]
        .iter()
        .all(|it| spec.lookup(util::Symbol::new(it)).is_some())
}

/// The positions in which the player moves when it follows its best moves, and these.
fn decisions(solved: &Solved<'_, '_, '_, '_>, player: u8) -> Vec<(u32, u32)> {
    let arena = solved.arena();
    let mut is_reached = vec![false; arena.n_positions() as usize];
    let mut todo: Vec<u32> = (0..arena.n_initial).collect();
    let mut decisions = vec![];
    while let Some(position) = todo.pop() {
        if std::mem::replace(&mut is_reached[position as usize], true) {
            continue;
        }
        todo.extend(arena.moves(position).filter(|it| it.0 != player).map(|it| it.1));
        if let Some(to) = solved.values.best_move(arena, player, position) {
            decisions.push((position, to));
            todo.push(to);
        }
    }
    decisions.sort_unstable();
    decisions
}

/// A name that the specification does not have.
fn free_name(spec: &Spec, player: &str) -> String {
    let player: String = player
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it } else { '_' })
        .collect();
    let first = format!("Strategy{player}");
    let others = (2..).map(|it| format!("{first}_{it}"));
    let mut names = std::iter::once(first.clone()).chain(others);
    let is_free = |it: &str| spec.lookup(util::Symbol::new(it)).is_none();
    names
        .find(|it| is_free(it) && is_free(&format!("{it}Moves")))
        .unwrap_or(first)
}
