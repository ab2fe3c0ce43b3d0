//! Pictures on a screen: the text that `view` draws, with the terminal's colours, and which cell is where.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use view::{Board, Frame, Picture};

/// A frame as lines, and where its boards are in them.
#[derive(Default)]
pub struct Drawn {
    pub lines: Vec<Line<'static>>,
    pub boards: Vec<Placed>,
}

/// A board whose first character is at a place of the lines.
pub struct Placed {
    pub name: String,
    pub board: Board,
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

/// Boards first, since that is what is played on; then tables and values.
pub fn drawn(frame: &Frame, width_max: usize, is_coloured: bool) -> Drawn {
    let style = match is_coloured {
        true => view::Style::Ansi,
        false => view::Style::Plain,
    };
    let mut whole = Drawn::default();
    place_boards(frame, width_max, style, &mut whole);
    for part in &frame.parts {
        let mark = if part.is_changed {
            Modifier::BOLD
        } else {
            Modifier::empty()
        };
        let name = Span::styled(part.name.clone(), Style::new().add_modifier(mark));
        match &part.picture {
            Picture::Board(_) => {}
            Picture::Table(table) => {
                whole.lines.push(Line::from(vec![name, Span::raw(" =")]));
                whole.lines.extend(table.render(style).lines().map(styled));
            }
            Picture::Line(text) => {
                let text = format!(" = {text}");
                whole.lines.push(Line::from(vec![name, Span::raw(text)]));
            }
            Picture::Svg(_) => {
                let text = " is a drawing: w picture.html shows it";
                whole.lines.push(Line::from(vec![name, Span::raw(text)]));
            }
        }
    }
    whole
}

const GAP: usize = 3;

/// Boards side by side, in as many rows as the width asks for.
fn place_boards(frame: &Frame, width_max: usize, style: view::Style, whole: &mut Drawn) {
    let boards: Vec<(&str, &Board)> = frame
        .parts
        .iter()
        .filter_map(|it| match &it.picture {
            Picture::Board(board) => Some((it.name.as_str(), board)),
            _ => None,
        })
        .collect();
    let (mut x, mut top) = (0, 0);
    let mut rows: Vec<Vec<Span<'static>>> = vec![];
    for (name, board) in boards {
        let text = board.render(style);
        let lines: Vec<Line<'static>> = std::iter::once(Line::raw(name.to_owned()))
            .chain(text.lines().map(styled))
            .collect();
        let width = lines.iter().map(Line::width).max().unwrap_or(0);
        if x > 0 && x + GAP + width > width_max {
            flush(&mut rows, &mut whole.lines);
            (x, top) = (0, whole.lines.len());
        }
        let left = if x == 0 { 0 } else { x + GAP };
        rows.resize(rows.len().max(lines.len()), vec![]);
        for (row, line) in rows.iter_mut().zip(&lines) {
            let has: usize = row.iter().map(Span::width).sum();
            row.push(Span::raw(" ".repeat(left.saturating_sub(has))));
            row.extend(line.spans.iter().cloned());
        }
        whole.boards.push(Placed {
            name: name.to_owned(),
            board: board.clone(),
            x: left,
            y: top + 1,
            width,
            height: lines.len() - 1,
        });
        x = left + width;
    }
    flush(&mut rows, &mut whole.lines);
}

fn flush(rows: &mut Vec<Vec<Span<'static>>>, lines: &mut Vec<Line<'static>>) {
    lines.extend(rows.drain(..).map(Line::from));
}

/// A line with the escape sequences that `view` writes, as spans.
fn styled(text: &str) -> Line<'static> {
    let mut spans = vec![];
    let mut parts = text.split('\u{1b}');
    if let Some(plain) = parts.next().filter(|it| !it.is_empty()) {
        spans.push(Span::raw(plain.to_owned()));
    }
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap_or(("", part));
        if !rest.is_empty() {
            spans.push(Span::styled(
                rest.to_owned(),
                style_of(code.trim_start_matches('[')),
            ));
        }
    }
    Line::from(spans)
}

fn style_of(code: &str) -> Style {
    match code {
        "2" => Style::new().add_modifier(Modifier::DIM),
        "1;7" => Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED),
        _ => match code.strip_prefix("30;48;5;").and_then(|it| it.parse().ok()) {
            Some(colour) => Style::new().fg(Color::Black).bg(Color::Indexed(colour)),
            None => Style::new(),
        },
    }
}
