//! What is known of the values of variables: a row for each value, a column for each question.
//!
//! A state is new, but the values of its variables are mostly not: a million states of a protocol are made of some
//! thousand values of each variable. So what a part of a value is, and what a change makes of it, is looked up by the
//! value: its row is found once for each state, and then every answer is one load. (Answers kept by state, or in one hash table
//! by value and question, took a third more time on protocols: they miss the cache for each question.)

use util::FxHashMap;
use value::Slot;

use crate::code::VarId;

/// A value's row in the table of its variable.
pub type Row = u32;

/// A value without a row: it is its own number.
pub const NO_ROW: Row = u32::MAX;

/// Not asked yet. No value has this number.
const UNKNOWN: Slot = 0;

#[derive(Default)]
pub struct Rows {
    /// By the number of a value, whose it is and its row in that table: the variable plus one, and [`ROW_BITS`] bits.
    places: Vec<u32>,
    /// Rows of values that another variable had before.
    shared: FxHashMap<(VarId, Slot), Row>,
    tables: Vec<Table>,
    n_cells: usize,
}

#[derive(Default)]
struct Table {
    n_columns: usize,
    /// Columns with room for more.
    stride: usize,
    n_rows: u32,
    cells: Vec<Slot>,
}

const ROW_BITS: u32 = 26;
/// Variables after these have no rows.
const VARIABLES_MAX: usize = (1 << (32 - ROW_BITS)) - 1;
/// Numbers of values that are indices of the interner.
const INDEX_MAX: Slot = 1 << 30;
/// Answers of a worker; when there are more it begins anew.
const CELLS_MAX: usize = 4 << 20;

impl Rows {
    pub fn new(n_variables: usize) -> Rows {
        Rows {
            tables: (0..n_variables).map(|_| Table::default()).collect(),
            ..Rows::default()
        }
    }

    /// A new question about a variable.
    pub fn add_column(&mut self, var: VarId) -> u32 {
        let table = &mut self.tables[var as usize];
        let column = table.n_columns;
        table.n_columns += 1;
        if table.n_columns > table.stride {
            let (old, new) = (table.stride, (table.stride * 2).max(8));
            let mut cells = vec![UNKNOWN; table.n_rows as usize * new];
            if old > 0 {
                for (from, to) in table.cells.chunks(old).zip(cells.chunks_mut(new)) {
                    to[..old].copy_from_slice(from);
                }
            }
            self.n_cells += cells.len() - table.cells.len();
            (table.stride, table.cells) = (new, cells);
        }
        column as u32
    }

    /// The row of a value, a new one if need be.
    #[inline]
    pub fn row(&mut self, var: VarId, slot: Slot) -> Row {
        if slot >= INDEX_MAX {
            return NO_ROW;
        }
        match self.places.get(slot as usize) {
            Some(&place) if place >> ROW_BITS == u32::from(var) + 1 => place & ((1 << ROW_BITS) - 1),
            Some(&place) if place != 0 => match self.shared.get(&(var, slot)) {
                Some(&row) => row,
                None => self.add_row(var, slot),
            },
            _ => self.add_row(var, slot),
        }
    }

    #[cold]
    fn add_row(&mut self, var: VarId, slot: Slot) -> Row {
        let table = &mut self.tables[var as usize];
        if table.n_columns == 0 || var as usize >= VARIABLES_MAX || table.n_rows >> ROW_BITS > 0 {
            return NO_ROW;
        }
        let row = table.n_rows;
        table.n_rows += 1;
        table.cells.resize(table.cells.len() + table.stride, UNKNOWN);
        self.n_cells += table.stride;
        let index = slot as usize;
        if index >= self.places.len() {
            // Numbers are given out one after the other.
            self.places.resize(index + index / 4 + 64, 0);
        }
        match self.places[index] {
            0 => self.places[index] = (u32::from(var) + 1) << ROW_BITS | row,
            _ => {
                self.shared.insert((var, slot), row);
            }
        }
        row
    }

    #[inline]
    pub fn get(&self, var: VarId, row: Row, column: u32) -> Option<Slot> {
        if row == NO_ROW {
            return None;
        }
        let table = &self.tables[var as usize];
        let slot = table.cells[row as usize * table.stride + column as usize];
        (slot != UNKNOWN).then_some(slot)
    }

    pub fn set(&mut self, var: VarId, row: Row, column: u32, answer: Slot) {
        if row != NO_ROW {
            let table = &mut self.tables[var as usize];
            table.cells[row as usize * table.stride + column as usize] = answer;
        }
    }

    pub fn is_full(&self) -> bool {
        self.n_cells > CELLS_MAX
    }

    /// Forgets all rows, not the columns.
    pub fn clear(&mut self) {
        self.places.fill(0);
        self.shared.clear();
        for table in &mut self.tables {
            table.n_rows = 0;
            table.cells.clear();
        }
        self.n_cells = 0;
    }

    pub fn memory(&self) -> usize {
        let cells: usize = self.tables.iter().map(|it| it.cells.capacity()).sum();
        (cells + self.places.capacity() + self.shared.capacity() * 4) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_when_columns_are_added_and_go_when_cleared() {
        let mut rows = Rows::new(2);
        assert_eq!(rows.row(0, 7), NO_ROW, "nothing is asked of the variable");
        let columns: Vec<u32> = (0..20).map(|_| rows.add_column(0)).collect();
        let other = rows.add_column(1);
        let (a, b) = (rows.row(0, 7), rows.row(0, 900));
        rows.set(0, a, columns[0], 11);
        rows.set(0, b, columns[19], 12);
        let late = rows.add_column(0);
        rows.set(0, b, late, 13);
        assert_eq!((rows.row(0, 7), rows.row(0, 900)), (a, b));
        assert_eq!(rows.get(0, a, columns[0]), Some(11));
        assert_eq!(rows.get(0, a, columns[19]), None);
        assert_eq!(rows.get(0, b, columns[19]), Some(12));
        assert_eq!(rows.get(0, b, late), Some(13));
        // A value of two variables has two rows.
        let of_other = rows.row(1, 7);
        rows.set(1, of_other, other, 14);
        assert_eq!(rows.row(1, 7), of_other);
        assert_eq!(rows.get(1, of_other, other), Some(14));
        assert_eq!(rows.get(0, a, columns[0]), Some(11));
        assert_eq!(rows.row(0, INDEX_MAX), NO_ROW, "its own number");
        rows.clear();
        let again = rows.row(0, 900);
        assert_eq!(rows.get(0, again, columns[19]), None);
    }
}
