//! Boards and tables as SVG: what a browser shows where a terminal has box drawing.
//!
//! Colours are those of a printed page, with a background of their own, so that a picture looks the same wherever it is
//! put. Every element has a class, for pages that want other colours.

use crate::artist::{Frame, Picture};
use crate::board::{Board, Cell, Piece};
use crate::markup::escaped;
use crate::table::Table;

/// The side of a cell; a wider one is for longer marks.
pub const CELL: usize = 44;
/// Where the numbers of rows and columns stand.
const MARGIN: usize = 22;
const LINE: usize = 20;
/// What a letter takes, more or less.
const LETTER: usize = 9;
const GAP: usize = 18;

/// Fills for pieces, told apart by people who see red and green alike, too.
const FILLS: [&str; 12] = [
    "#8fbcbb", "#e9c46a", "#a3b8e0", "#e8a598", "#b5d99c", "#cdb4db", "#7fb3b0", "#f4d58d", "#9ac1d9",
    "#f2b880", "#c3aed6", "#98c1a3",
];

/// A part of a picture that knows its size.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    pub text: String,
    pub width: usize,
    pub height: usize,
}

/// How a piece is filled, by its number.
pub fn fill(piece: usize) -> &'static str {
    FILLS[piece % FILLS.len()]
}

/// A whole picture as a document.
pub fn frame_svg(frame: &Frame) -> String {
    let drawn = frame_body(frame);
    document(&drawn)
}

/// A document around what is drawn.
pub fn document(drawn: &Drawn) -> String {
    let (width, height) = (drawn.width.max(1), drawn.height.max(1));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"15\">\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#fffdf7\"/>{}</svg>",
        drawn.text
    )
}

/// Lines and tables one below the other, then boards side by side.
fn frame_body(frame: &Frame) -> Drawn {
    let mut whole = Drawn::default();
    let mut below = |part: Drawn, name: Option<&str>| {
        let top = whole.height + GAP / 2;
        let label = name.map_or(String::new(), |it| text_at(GAP / 2, top + 14, it, "name"));
        let top = top + if name.is_some() { LINE } else { 0 };
        whole.text += &format!(
            "{label}<g transform=\"translate({}, {top})\">{}</g>",
            GAP / 2,
            part.text
        );
        whole.width = whole.width.max(part.width + GAP);
        whole.height = top + part.height;
    };
    let mut boards = vec![];
    for part in &frame.parts {
        match &part.picture {
            Picture::Board(it) => boards.push((part.name.as_str(), board(it))),
            Picture::Table(it) => below(table(it), Some(&part.name)),
            Picture::Line(value) => {
                let text = trace::shortened(value, 100);
                below(line(&part.name, &text, part.is_changed), None);
            }
            Picture::Svg(it) => below(image(it), Some(&part.name)),
        }
    }
    let mut row = Drawn::default();
    for (name, board) in boards {
        row.text += &text_at(row.width + MARGIN, 14, name, "name");
        row.text += &format!(
            "<g transform=\"translate({}, {LINE})\">{}</g>",
            row.width, board.text
        );
        row.width += board.width + GAP;
        row.height = row.height.max(board.height + LINE);
    }
    if row.width > 0 {
        below(row, None);
    }
    whole.height += GAP / 2;
    whole
}

fn line(name: &str, value: &str, is_changed: bool) -> Drawn {
    let text = format!("{name} = {value}");
    let weight = if is_changed { " font-weight=\"bold\"" } else { "" };
    Drawn {
        text: format!(
            "<text class=\"line\" x=\"0\" y=\"14\"{weight}>{}</text>",
            escaped(&text)
        ),
        width: text.chars().count() * LETTER + 4,
        height: LINE,
    }
}

fn text_at(x: usize, y: usize, text: &str, class: &str) -> String {
    format!(
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" fill=\"#7a6f5d\" font-size=\"13\">{}</text>",
        escaped(text)
    )
}

/// Somebody else's document, as an image: nothing in it runs.
fn image(document: &str) -> Drawn {
    const SIDE: f64 = 420.0;
    let ratio = ratio(document).unwrap_or(1.0);
    let (width, height) = match ratio < 1.0 {
        true => (SIDE, SIDE * ratio),
        false => (SIDE / ratio, SIDE),
    };
    let (width, height) = (width.ceil() as usize, height.ceil() as usize);
    Drawn {
        text: format!(
            "<image width=\"{width}\" height=\"{height}\" href=\"{}\"/>",
            data_address(document)
        ),
        width,
        height,
    }
}

/// How much higher than wide a document is, as its view box says.
fn ratio(document: &str) -> Option<f64> {
    let (_, rest) = document.split_once("viewBox=")?;
    let quote = rest.chars().next()?;
    let numbers: Vec<f64> = rest[1..]
        .split(quote)
        .next()?
        .split([' ', ','])
        .filter_map(|it| it.parse().ok())
        .collect();
    match numbers[..] {
        [_, _, width, height] if width > 0.0 && height > 0.0 => Some((height / width).clamp(0.05, 20.0)),
        _ => None,
    }
}

/// An SVG document as an address that holds it.
pub fn data_address(document: &str) -> String {
    let mut address = "data:image/svg+xml,".to_owned();
    for byte in document.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b'/'
            | b':'
            | b'='
            | b' '
            | b',' => {
                address.push(char::from(byte));
            }
            _ => address += &format!("%{byte:02X}"),
        }
    }
    address
}

/// How wide a cell of the board is: as wide as high, or wider for what stands in it.
pub(crate) fn cell_width(board: &Board) -> usize {
    let longest = board.cells.iter().map(|it| it.text.chars().count()).max();
    CELL.max(longest.unwrap_or(1) * LETTER + 14)
}

/// A board with its rows and columns numbered.
pub fn board(board: &Board) -> Drawn {
    let mut text = empty_board(board);
    for piece in &board.pieces {
        text += &piece_svg(board, piece, piece.is_changed);
    }
    for row in 0..board.rows.len {
        for column in 0..board.columns.len {
            let cell = board.cell(row, column);
            if cell.piece.is_none() {
                text += &mark_svg(board, (row, column), cell, cell.is_changed);
            }
        }
    }
    let (width, height) = size(board);
    Drawn { text, width, height }
}

pub(crate) fn size(board: &Board) -> (usize, usize) {
    (
        MARGIN + board.columns.len * cell_width(board) + 2,
        MARGIN + board.rows.len * CELL + 2,
    )
}

/// Where a cell begins, by its place from the top left.
fn corner(board: &Board, row: usize, column: usize) -> (usize, usize) {
    (MARGIN + column * cell_width(board), MARGIN + row * CELL)
}

/// The squares and the numbers.
pub(crate) fn empty_board(board: &Board) -> String {
    let width = cell_width(board);
    let mut text = String::new();
    for column in 0..board.columns.len {
        let (x, _) = corner(board, 0, column);
        text += &centred(
            x + width / 2,
            MARGIN - 7,
            &number(board.columns.first, column),
            "#7a6f5d",
            12,
        );
    }
    for row in 0..board.rows.len {
        let (_, y) = corner(board, row, 0);
        text += &centred(
            MARGIN / 2,
            y + CELL / 2 + 4,
            &number(board.rows.first, row),
            "#7a6f5d",
            12,
        );
        for column in 0..board.columns.len {
            let (x, y) = corner(board, row, column);
            text += &format!(
                "<rect class=\"cell\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{CELL}\" fill=\"#f6f1e4\" \
                 stroke=\"#c9bfa8\"/>"
            );
        }
    }
    text
}

fn number(first: i64, index: usize) -> String {
    (first + index as i64).to_string()
}

fn centred(x: usize, y: usize, text: &str, colour: &str, size: usize) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{colour}\" font-size=\"{size}\">{}</text>",
        escaped(text)
    )
}

/// What stands in a cell; a change has a coloured ground.
pub(crate) fn mark_svg(
    board: &Board,
    (row, column): (usize, usize),
    cell: &Cell,
    is_changed: bool,
) -> String {
    let (x, y) = corner(board, row, column);
    let width = cell_width(board);
    let ground = match is_changed {
        true => format!(
            "<rect class=\"changed\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#fbe3a1\"/>",
            x + 2,
            y + 2,
            width - 4,
            CELL - 4
        ),
        false => String::new(),
    };
    let colour = if cell.is_blank() { "#d8cfba" } else { "#2b2a27" };
    let size = if cell.text.chars().count() <= 2 { 24 } else { 15 };
    ground + &centred(x + width / 2, y + CELL / 2 + size / 3, &cell.text, colour, size)
}

/// A piece: its cells, drawn together where they touch.
pub(crate) fn piece_svg(board: &Board, piece: &Piece, is_changed: bool) -> String {
    const INSET: usize = 3;
    let width = cell_width(board);
    let has = |row: i64, column: i64| piece.cells.contains(&(row, column));
    let colour = fill(piece.number);
    let mut text = String::new();
    for &(row, column) in &piece.cells {
        let at = |first: i64, it: i64| usize::try_from(it - first).unwrap_or(0);
        let (x, y) = corner(board, at(board.rows.first, row), at(board.columns.first, column));
        let inset = |is_joined: bool| if is_joined { 0 } else { INSET };
        let (left, top) = (inset(has(row, column - 1)), inset(has(row - 1, column)));
        let (right, bottom) = (inset(has(row, column + 1)), inset(has(row + 1, column)));
        text += &format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{colour}\"/>",
            x + left,
            y + top,
            width - left - right,
            CELL - top - bottom
        );
    }
    if let Some(&(row, column)) = piece.cells.first() {
        let at = |first: i64, it: i64| usize::try_from(it - first).unwrap_or(0);
        let (x, y) = corner(board, at(board.rows.first, row), at(board.columns.first, column));
        let weight = if is_changed { " font-weight=\"bold\"" } else { "" };
        text += &format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#2b2a27\" font-size=\"15\"{weight}>{}</text>",
            x + width / 2,
            y + CELL / 2 + 5,
            escaped(&piece.name)
        );
    }
    format!("<g class=\"piece\" data-piece=\"{}\">{text}</g>", piece.number)
}

/// A table with lines.
fn table(table: &Table) -> Drawn {
    let n_columns = table.rows.first().map_or(0, Vec::len);
    let mut widths = vec![3; n_columns];
    let mut widen = |column: usize, text: &str| {
        if let Some(width) = widths.get_mut(column) {
            *width = (*width).max(text.chars().count() + 2);
        }
    };
    let header = table.header.as_deref().unwrap_or(&[]);
    header.iter().enumerate().for_each(|(i, it)| widen(i, it));
    for row in &table.rows {
        row.iter().enumerate().for_each(|(i, it)| widen(i, &it.text));
    }
    let mut text = String::new();
    let mut y = 0;
    let mut put = |cells: &mut dyn Iterator<Item = (&str, bool, &str)>| {
        let mut x = 0;
        for ((content, is_changed, weight), width) in cells.zip(&widths) {
            let width = width * LETTER;
            let fill = if is_changed { "#fbe3a1" } else { "#fffdf7" };
            text += &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{LINE}\" fill=\"{fill}\" stroke=\"#c9bfa8\"/>\
                 <text x=\"{}\" y=\"{}\" font-weight=\"{weight}\">{}</text>",
                x + LETTER / 2,
                y + 15,
                escaped(content)
            );
            x += width;
        }
        y += LINE;
    };
    if !header.is_empty() {
        put(&mut header.iter().map(|it| (it.as_str(), false, "bold")));
    }
    for row in &table.rows {
        put(&mut row.iter().map(|it| (it.text.as_str(), it.is_changed, "normal")));
    }
    let height = y + 2;
    Drawn {
        text,
        width: widths.iter().sum::<usize>() * LETTER + 2,
        height,
    }
}
