//! Pictures as lines of text: a frame, blocks side by side, names of atoms.

use unicode_width::UnicodeWidthStr;

use crate::artist::{Frame, Picture};
use crate::style::{Paint, Style};

/// What a state shows: its values line by line, then its boards side by side. Of a state after another one
/// (`only_changes`), values that are as before are left out; boards are always drawn.
pub fn frame_text(frame: &Frame, only_changes: bool, style: Style, width_max: usize) -> String {
    let mut lines = String::new();
    let mut boards: Vec<String> = vec![];
    for part in &frame.parts {
        let name = match part.is_changed && only_changes {
            true => style.paint(&part.name, Paint::Changed),
            false => part.name.clone(),
        };
        match &part.picture {
            Picture::Board(board) => boards.push(format!("{name}\n{}", board.render(style))),
            _ if only_changes && !part.is_changed => {}
            Picture::Table(table) => lines += &format!("{name} =\n{}", table.render(style)),
            Picture::Line(text) => lines += &format!("{name} = {text}\n"),
            Picture::Svg(_) => lines += &format!("{name} is a drawing: `--trace-format html` shows it\n"),
        }
    }
    lines + &beside(&boards, width_max)
}

/// Blocks of lines next to each other, in as many rows as the width asks for.
pub fn beside(blocks: &[String], width_max: usize) -> String {
    let mut text = String::new();
    let mut rest = blocks;
    while !rest.is_empty() {
        let mut width = 0;
        let n_fitting = rest
            .iter()
            .take_while(|it| {
                width += block_width(it) + GAP;
                width <= width_max + GAP
            })
            .count();
        let (row, later) = rest.split_at(n_fitting.max(1));
        text += &one_row(row);
        rest = later;
    }
    text
}

const GAP: usize = 3;

fn one_row(blocks: &[String]) -> String {
    let n_lines = blocks.iter().map(|it| it.lines().count()).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..n_lines {
        let mut row = String::new();
        let mut wanted = 0;
        for block in blocks {
            let part = block.lines().nth(line).unwrap_or("");
            let has = visible_width(&row);
            row += &" ".repeat(wanted - has);
            row += part;
            wanted += block_width(block) + GAP;
        }
        text += row.trim_end();
        text.push('\n');
    }
    text
}

fn block_width(block: &str) -> usize {
    block.lines().map(visible_width).max().unwrap_or(0)
}

fn visible_width(line: &str) -> usize {
    without_escapes(line).width()
}

/// The text without the escape sequences that [`Style`] writes.
fn without_escapes(line: &str) -> String {
    let mut text = String::new();
    let mut parts = line.split('\u{1b}');
    text += parts.next().unwrap_or("");
    for part in parts {
        text += part.split_once('m').map_or("", |it| it.1);
    }
    text
}

/// The name of an atom as the Analyzer's tables write it: `Board$10` as `Board¹⁰`.
pub fn label(atom: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match atom.rsplit_once('$') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()) => {
            let number = number.bytes().map(|it| DIGITS[usize::from(it - b'0')]);
            name.chars().chain(number).collect()
        }
        _ => atom.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_have_superscripts() {
        assert_eq!(
            ["Board$10", "_$0", "-3", "\"a$b\"", "a$"].map(label),
            ["Board¹⁰", "_⁰", "-3", "\"a$b\"", "a$"]
        );
    }

    #[test]
    fn escapes_have_no_width() {
        let painted = Style::Ansi.paint("ab", Paint::Changed);
        assert_eq!(visible_width(&painted), 2);
        assert_eq!(beside(&[painted.clone(), "c\nd\n".into()], 80).lines().count(), 2);
    }
}
