//! A story for a report or an issue tracker: a heading for each step, what changed as a list, boards as they are drawn.

use super::Story;
use crate::artist::Picture;
use crate::difference::changes;
use crate::style::Style;

pub(super) fn write(story: &Story) -> String {
    let mut text = format!("# {}\n", plain(&story.title));
    for line in &story.ending {
        text += &format!("\n{}\n", plain(line));
    }
    let frames = story.frames();
    for (i, (scene, frame)) in story.behaviour.states.iter().zip(&frames).enumerate() {
        let place = scene.location.as_deref();
        let place = place.map_or(String::new(), |it| format!(" ({})", plain(it)));
        text += &format!("\n## {}{place}\n\n", plain(&story.numbered(i)));
        let before = i.checked_sub(1).map(|it| &story.behaviour.states[it].values);
        text += &told(story, &scene.values, before);
        for part in &frame.parts {
            let picture = match &part.picture {
                Picture::Board(board) => board.render(Style::Plain),
                Picture::Table(table) => table.render(Style::Plain),
                Picture::Line(_) | Picture::Svg(_) => continue,
            };
            text += &format!("\n`{}`:\n\n```text\n{picture}```\n", part.name);
        }
    }
    if let Some(line) = story.loop_line() {
        text += &format!("\n{line}\n");
    }
    text
}

/// Longer lists of changes say less than the picture.
const CHANGES_MAX: usize = 12;

/// The values of a first state, the changes of another one.
fn told(
    story: &Story,
    state: &[(String, value::Owned)],
    before: Option<&Vec<(String, value::Owned)>>,
) -> String {
    let mut text = String::new();
    for (name, value) in state {
        let old = before.and_then(|it| it.iter().find(|it| it.0 == *name).map(|it| &it.1));
        match old {
            None => {
                text += &format!(
                    "- {}\n",
                    code(&format!("{name} = {}", story.notation.text(value)))
                )
            }
            Some(old) if old == value => {}
            Some(old) => {
                let found = changes(old, value);
                for change in found.iter().take(CHANGES_MAX) {
                    text += &format!("- {}\n", code(&format!("{name}{}", spaced(&change.to_string()))));
                }
                if found.len() > CHANGES_MAX {
                    text += &format!("- and {} more changes of `{name}`\n", found.len() - CHANGES_MAX);
                }
            }
        }
    }
    match text.is_empty() {
        true => "Nothing changes.\n".to_owned(),
        false => text,
    }
}

/// A change that begins with no path needs something between it and the name.
fn spaced(change: &str) -> String {
    match change.starts_with(['.', '[', ':']) {
        true => change.to_owned(),
        false => format!(": {change}"),
    }
}

/// As inline code, whatever the text holds.
fn code(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{line}{fence}"),
        _ => format!("{fence} {line} {fence}"),
    }
}

/// Text that is no markup, but for what it quotes as code.
fn plain(text: &str) -> String {
    let mut safe = String::new();
    let mut is_code = false;
    for c in text.chars() {
        is_code ^= c == '`';
        if !is_code && matches!(c, '\\' | '*' | '_' | '<' | '>' | '#' | '[' | ']' | '|') {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}
