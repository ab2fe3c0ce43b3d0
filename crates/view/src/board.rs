//! A board: cells in rows and columns, some of them covered by pieces.

use unicode_width::UnicodeWidthStr;

use crate::grid::{Alignment, Grid, Region, RegionId};
use crate::style::{Paint, Style};

/// Numbered from `first` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    pub first: i64,
    pub len: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub rows: Axis,
    pub columns: Axis,
    /// Row by row.
    pub cells: Vec<Cell>,
    /// In reading order.
    pub pieces: Vec<Piece>,
}

/// Something that covers cells and moves as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The same from step to step.
    pub number: usize,
    pub name: String,
    /// Row and column, as the board numbers them.
    pub cells: Vec<(i64, i64)>,
    /// It was elsewhere in the state before.
    pub is_changed: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// A mark, or the name of the piece that covers the cell.
    pub text: String,
    /// The number of the piece that covers the cell: the same from step to step.
    pub piece: Option<usize>,
    /// Other than in the state before.
    pub is_changed: bool,
}

impl Cell {
    /// Whether the mark is one of those that people write for "nothing here".
    pub fn is_blank(&self) -> bool {
        self.piece.is_none() && matches!(self.text.as_str(), "" | " " | "_" | "-" | "." | "·" | "FALSE")
    }
}

impl Board {
    pub fn cell(&self, row: usize, column: usize) -> &Cell {
        &self.cells[row * self.columns.len + column]
    }

    /// The board with its rows and columns numbered, a line break after each line.
    pub fn render(&self, style: Style) -> String {
        let width = self.cell_width();
        let grid = self.grid(width, style).render(style);
        let label_width = self.label_width();
        let margin = " ".repeat(label_width + 1);
        let mut header = margin.clone();
        for column in 0..self.columns.len {
            let label = (self.columns.first + column as i64).to_string();
            header += &format!(" {label:^width$}");
        }
        let mut text = style.paint(header.trim_end(), Paint::Faint) + "\n";
        for (i, line) in grid.lines().enumerate() {
            let label = if i % 2 == 1 {
                format!("{:>label_width$} ", self.rows.first + (i / 2) as i64)
            } else {
                margin.clone()
            };
            text += &style.paint(&label, Paint::Faint);
            text += line;
            text.push('\n');
        }
        text
    }

    /// The cell at a character of what [`Board::render`] gives, by column and line from 0: its place from the top left.
    pub fn cell_at(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        let left = self.label_width() + 1;
        let (x, y) = (x.checked_sub(left)?, y.checked_sub(1)?);
        let width = self.cell_width() + 1;
        // Between cells are lines of one character.
        let (column, row) = (x / width, y / 2);
        let is_inside = x % width != 0 && y % 2 == 1 && row < self.rows.len && column < self.columns.len;
        is_inside.then_some((row, column))
    }

    fn label_width(&self) -> usize {
        let labels = (0..self.rows.len).map(|row| (self.rows.first + row as i64).to_string().len());
        labels.max().unwrap_or(0)
    }

    /// All columns are as wide as the widest cell: a board has squares.
    fn cell_width(&self) -> usize {
        self.cells
            .iter()
            .map(|it| it.text.width())
            .max()
            .unwrap_or(0)
            .max(1)
            + 2
    }

    fn grid(&self, width: usize, style: Style) -> Grid {
        let mut grid = Grid::new(self.rows.len, self.columns.len, 0);
        grid.widen(width);
        let mut of_piece: Vec<(usize, RegionId)> = vec![];
        for row in 0..self.rows.len {
            for column in 0..self.columns.len {
                let cell = self.cell(row, column);
                let known = cell
                    .piece
                    .and_then(|piece| of_piece.iter().find(|it| it.0 == piece));
                let id = match known {
                    Some(&(_, id)) => id,
                    None => grid.add(region(cell, style)),
                };
                if let (Some(piece), None) = (cell.piece, known) {
                    of_piece.push((piece, id));
                }
                grid.set(row, column, id);
            }
        }
        grid
    }
}

fn region(cell: &Cell, style: Style) -> Region {
    let paint = match cell.piece {
        _ if cell.is_changed && cell.piece.is_none() => Paint::Changed,
        Some(number) => Paint::Piece(number),
        None if cell.is_blank() => Paint::Faint,
        None => Paint::Normal,
    };
    // Without colours, a change is marked in the padding.
    let (before, after) = match cell.is_changed && style == Style::Plain {
        true => ('[', ']'),
        false => (' ', ' '),
    };
    let text = if cell.text.is_empty() { " " } else { &cell.text };
    Region {
        text: format!("{before}{text}{after}"),
        paint,
        alignment: Alignment::Centre,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found_where_it_is_drawn() {
        let axis = |first: i64, len: usize| Axis { first, len };
        let cell = |text: String| Cell {
            text,
            ..Cell::default()
        };
        let board = Board {
            rows: axis(9, 3),
            columns: axis(0, 4),
            cells: (0..12).map(|i| cell(char::from(b'a' + i).to_string())).collect(),
            pieces: vec![],
        };
        let text = board.render(Style::Plain);
        let mut n_found = 0;
        for (y, line) in text.lines().enumerate() {
            for (x, c) in line.chars().enumerate().filter(|it| it.1.is_ascii_lowercase()) {
                let (row, column) = board.cell_at(x, y).expect("a cell is drawn here");
                assert_eq!(board.cell(row, column).text, c.to_string());
                n_found += 1;
            }
        }
        assert_eq!(n_found, 12);
        assert_eq!(board.cell_at(0, 0), None);
    }
}
