//! A story as comma-separated values (RFC 4180), for spreadsheets and data frames: a row for each state.
//!
//! The first columns are ours: the number of the state, the step to it, and the number of the state that follows, which for the last one
//! of a lasso is an earlier one. Then comes a column for each variable. Values are texts as the specification writes them.

use super::Story;

pub(super) fn write(story: &Story) -> String {
    let mut names: Vec<&str> = vec![];
    // An alias may show other fields in every state.
    for (name, _) in story.behaviour.states.iter().flat_map(|it| &it.values) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut text = row(["state", "step", "next"].into_iter().chain(names.iter().copied()));
    for (i, scene) in story.behaviour.states.iter().enumerate() {
        let follower = match i + 1 < story.behaviour.states.len() {
            true => Some(i + 1),
            false => story.behaviour.loop_to,
        };
        let number = |it: usize| (it + 1).to_string();
        let mut cells = vec![number(i), scene.step(), follower.map(number).unwrap_or_default()];
        for name in &names {
            let value = scene.values.iter().find(|it| it.0 == *name);
            cells.push(value.map_or(String::new(), |it| story.notation.text(&it.1)));
        }
        text += &row(cells.iter().map(String::as_str));
    }
    text
}

fn row<'c>(cells: impl Iterator<Item = &'c str>) -> String {
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
