//! Cells in rows and columns, some of them merged, as text with box drawing.
//!
//! Each cell belongs to a region, and there is a line wherever two regions meet: merged cells of tables and pieces on a
//! board are the same thing. Each row is one line of text, and each border between rows is one more, drawn or not.
//! The corner of four cells is the character with arms where there are lines.

use unicode_width::UnicodeWidthStr;

use crate::style::{Paint, Style};

/// The place of a region in its grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegionId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Alignment {
    #[default]
    Left,
    Centre,
}

/// Cells that belong together; the text stands in the first of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Region {
    pub text: String,
    pub paint: Paint,
    pub alignment: Alignment,
}

impl Region {
    pub fn new(text: &str) -> Region {
        Region {
            text: text.to_string(),
            ..Region::default()
        }
    }
}

/// Invariant: every element of `cells` is the place of an element of `regions`; `cells` has `n_rows * n_columns`.
#[derive(Clone, Debug)]
pub struct Grid {
    n_rows: usize,
    n_columns: usize,
    cells: Vec<RegionId>,
    regions: Vec<Region>,
    /// Spaces on both sides of each text.
    padding: usize,
    /// No column is narrower.
    width_min: usize,
}

/// By arms: 1 up, 2 right, 4 down, 8 left.
const CORNERS: [char; 16] = [
    ' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼',
];

impl Grid {
    /// All cells are one empty region.
    pub fn new(n_rows: usize, n_columns: usize, padding: usize) -> Grid {
        Grid {
            n_rows,
            n_columns,
            cells: vec![RegionId(0); n_rows * n_columns],
            regions: vec![Region::default()],
            padding,
            width_min: 0,
        }
    }

    /// Makes narrow columns as wide as this.
    pub fn widen(&mut self, width_min: usize) {
        self.width_min = width_min;
    }

    pub fn add(&mut self, region: Region) -> RegionId {
        self.regions.push(region);
        RegionId(self.regions.len() as u32 - 1)
    }

    pub fn set(&mut self, row: usize, column: usize, region: RegionId) {
        self.cells[row * self.n_columns + column] = region;
    }

    /// A region of the rows and columns given.
    pub fn fill(&mut self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>, region: Region) {
        let id = self.add(region);
        for row in rows {
            for column in columns.clone() {
                self.set(row, column, id);
            }
        }
    }

    fn at(&self, row: usize, column: usize) -> RegionId {
        self.cells[row * self.n_columns + column]
    }

    /// The region of a cell, one row and column further in; none outside.
    fn around(&self, row: usize, column: usize) -> Option<RegionId> {
        let inside = (1..=self.n_rows).contains(&row) && (1..=self.n_columns).contains(&column);
        inside.then(|| self.at(row - 1, column - 1))
    }

    fn width_of(&self, region: RegionId) -> usize {
        self.regions[region.0 as usize].text.width() + 2 * self.padding
    }

    /// Columns are as wide as what stands in them. A text over several columns widens the last of them, if it must.
    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![self.width_min; self.n_columns];
        let mut spans: Vec<Option<(usize, usize, usize)>> = vec![None; self.regions.len()];
        for row in 0..self.n_rows {
            for column in 0..self.n_columns {
                let span = &mut spans[self.at(row, column).0 as usize];
                match span {
                    None => *span = Some((row, column, column)),
                    Some((first_row, _, last)) if *first_row == row => *last = column,
                    Some(_) => {}
                }
            }
        }
        let mut placed: Vec<(usize, usize, usize)> = spans
            .iter()
            .enumerate()
            .filter_map(|(id, span)| span.map(|(_, first, last)| (first, last, id)))
            .collect();
        placed.sort_by_key(|&(first, last, id)| (last - first, id));
        for (first, last, id) in placed {
            let wanted = self.width_of(RegionId(id as u32));
            let has: usize = widths[first..=last].iter().sum::<usize>() + (last - first);
            widths[last] += wanted.saturating_sub(has);
        }
        widths
    }

    /// The text, a line break after each line.
    pub fn render(&self, style: Style) -> String {
        let widths = self.widths();
        let mut is_said = vec![false; self.regions.len()];
        let mut text = String::new();
        for row in 0..=self.n_rows {
            self.border(row, &widths, style, &mut text);
            if row < self.n_rows {
                self.contents(row, &widths, style, &mut is_said, &mut text);
            }
        }
        text
    }

    /// The line above a row.
    fn border(&self, row: usize, widths: &[usize], style: Style, text: &mut String) {
        for column in 0..=self.n_columns {
            let around = |r: usize, c: usize| self.around(row + r, column + c);
            let arms = [
                (around(0, 0) != around(0, 1), 1),
                (around(0, 1) != around(1, 1), 2),
                (around(1, 0) != around(1, 1), 4),
                (around(0, 0) != around(1, 0), 8),
            ];
            let corner = arms.iter().filter(|it| it.0).map(|it| it.1).sum::<usize>();
            // A corner inside a region is painted like it.
            let inside = around(1, 1).filter(|_| corner == 0);
            text.push_str(&self.painted(&CORNERS[corner].to_string(), inside, style));
            if let Some(&width) = widths.get(column) {
                if around(0, 1) != around(1, 1) {
                    text.push_str(&"─".repeat(width));
                } else {
                    text.push_str(&self.painted(&" ".repeat(width), around(1, 1), style));
                }
            }
        }
        text.push('\n');
    }

    fn contents(&self, row: usize, widths: &[usize], style: Style, is_said: &mut [bool], text: &mut String) {
        let mut column = 0;
        text.push('│');
        while column < self.n_columns {
            let id = self.at(row, column);
            let mut width = widths[column];
            while column + 1 < self.n_columns && self.at(row, column + 1) == id {
                column += 1;
                width += 1 + widths[column];
            }
            let said = std::mem::replace(&mut is_said[id.0 as usize], true);
            let region = &self.regions[id.0 as usize];
            let shown = if said { "" } else { region.text.as_str() };
            let room = width.saturating_sub(shown.width());
            let left = match region.alignment {
                Alignment::Left => self.padding.min(room),
                Alignment::Centre => room / 2,
            };
            let line = format!("{}{shown}{}", " ".repeat(left), " ".repeat(room - left));
            text.push_str(&style.paint(&line, region.paint));
            text.push('│');
            column += 1;
        }
        text.push('\n');
    }

    fn painted(&self, text: &str, region: Option<RegionId>, style: Style) -> String {
        let paint = region.map_or(Paint::Normal, |it| self.regions[it.0 as usize].paint);
        style.paint(text, paint)
    }
}

/// Tuples in a block of this height and width: equal beginnings are one cell, and so is what is left below the last.
pub(crate) fn fill_field(
    grid: &mut Grid,
    (top, left): (usize, usize),
    (height, width): (usize, usize),
    rows: &[Vec<String>],
) {
    let (right, bottom) = (left + width, top + height);
    for column in 0..width {
        let mut row = 0;
        while row < rows.len() {
            let prefix = &rows[row][..=column];
            let mut end = row + 1;
            // The last column is never merged: each tuple is a row.
            while column + 1 < width && end < rows.len() && &rows[end][..=column] == prefix {
                end += 1;
            }
            let place = left + column;
            grid.fill(
                top + row..top + end,
                place..place + 1,
                Region::new(&rows[row][column]),
            );
            row = end;
        }
    }
    if rows.len() < height {
        grid.fill(top + rows.len()..bottom, left..right, Region::new(""));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn region(text: &str) -> Region {
        Region {
            text: text.into(),
            ..Region::default()
        }
    }

    #[test]
    fn lines_where_regions_meet() {
        let mut grid = Grid::new(3, 3, 0);
        grid.fill(0..1, 0..3, region("wide as three"));
        grid.fill(1..3, 0..1, region("a"));
        grid.fill(1..2, 1..3, region("bc"));
        grid.fill(2..3, 1..2, region("d"));
        expect![[r#"
            ┌─────────────┐
            │wide as three│
            ├─┬───────────┤
            │a│bc         │
            │ ├─┬─────────┤
            │ │d│         │
            └─┴─┴─────────┘
        "#]]
        .assert_eq(&grid.render(Style::Plain));
    }
}
