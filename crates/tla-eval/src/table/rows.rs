//! What is known of the values in the slots of states: a row for each value, a column for each question.
//!
//! A state is new, but the values in its slots are mostly not: a million states of a protocol are made of some
//! thousand values of each. What is known of a value is known wherever it stands, so slots of one class share their rows. So what a part of a value is, and what a change makes of it, is looked up by the
//! value: its row is found once for each state, and then every answer is one load. (Answers kept by state, or in one hash table
//! by value and question, took half more time on protocols: they miss the cache for each question.)

use util::FxHashMap;
use value::Slot;

/// Slots whose values are asked the same questions.
pub type Class = u16;

/// Where a value's row begins.
pub type Row = u32;

/// The row of a value that has none, because it is its own number or nothing is asked of it: nothing is known of it.
pub const NO_ROW: Row = 0;

/// Not asked yet. No value has this number.
const UNKNOWN: Slot = 0;

pub struct Rows {
    /// By the number of a value, whose it is and its row: the class plus one, and [`ROW_BITS`] bits.
    places: Vec<u32>,
    /// The same for small sets of numbers, by their bits.
    places_of_sets: Vec<u32>,
    /// Rows of values that another class had before.
    shared: FxHashMap<(Class, Slot), Row>,
    tables: Vec<Table>,
    /// Rows, one after the other. The first is that of values without one.
    cells: Vec<Slot>,
}

#[derive(Clone, Default)]
struct Table {
    n_columns: usize,
    /// The length of a row: columns, with room for more.
    stride: usize,
}

const ROW_BITS: u32 = 24;
/// Classes after these have no rows.
const CLASSES_MAX: usize = (1 << (32 - ROW_BITS)) - 1;
/// Numbers of values that are indices of the interner.
const INDEX_MAX: Slot = 1 << 30;
/// Bits of small sets that have rows.
const SETS_MAX: u32 = 1 << 16;
/// Answers of a worker; when there are more it begins anew.
const CELLS_MAX: usize = 4 << 20;

impl Rows {
    pub fn new(n_classes: usize) -> Rows {
        Rows {
            places: vec![],
            places_of_sets: vec![],
            shared: FxHashMap::default(),
            tables: vec![Table::default(); n_classes],
            cells: vec![],
        }
    }

    /// A new question about the values of a class. True when rows are gone that were there before.
    pub fn add_column(&mut self, class: Class) -> (u32, bool) {
        let table = &mut self.tables[class as usize];
        let column = table.n_columns;
        table.n_columns += 1;
        let is_moved = table.n_columns > table.stride;
        if is_moved {
            // As often as a length doubles: what was known is asked again.
            table.stride = (table.stride * 2).max(8);
            self.clear();
        }
        (column as u32, is_moved)
    }

    /// The row of a value, a new one if need be.
    #[inline]
    pub fn row(&mut self, class: Class, slot: Slot) -> Row {
        let place = match value::small_set(slot) {
            None => self.places.get(slot as usize),
            Some(bits) => self.places_of_sets.get(bits as usize),
        };
        match place {
            Some(&place) if place >> ROW_BITS == u32::from(class) + 1 => place & ((1 << ROW_BITS) - 1),
            _ => self.other_row(class, slot),
        }
    }

    fn other_row(&mut self, class: Class, slot: Slot) -> Row {
        let Table { n_columns, stride } = self.tables[class as usize];
        let is_indexed = match value::small_set(slot) {
            None => slot < INDEX_MAX,
            Some(bits) => bits < SETS_MAX,
        };
        if !is_indexed || n_columns == 0 || class as usize >= CLASSES_MAX {
            return NO_ROW;
        }
        if let Some(&row) = self.shared.get(&(class, slot)) {
            return row;
        }
        let row = self.cells.len();
        if row + stride >= 1 << ROW_BITS {
            return NO_ROW;
        }
        self.cells.resize(row + stride, UNKNOWN);
        let row = row as Row;
        let (places, index) = match value::small_set(slot) {
            None => (&mut self.places, slot as usize),
            Some(bits) => (&mut self.places_of_sets, bits as usize),
        };
        if index >= places.len() {
            // Numbers are given out one after the other.
            places.resize(index + index / 4 + 64, 0);
        }
        match places[index] {
            0 => places[index] = (u32::from(class) + 1) << ROW_BITS | row,
            _ => {
                self.shared.insert((class, slot), row);
            }
        }
        row
    }

    #[inline]
    pub fn get(&self, row: Row, column: u32) -> Option<Slot> {
        match self.cells.get((row + column) as usize) {
            Some(&UNKNOWN) | None => None,
            Some(&slot) => Some(slot),
        }
    }

    pub fn set(&mut self, row: Row, column: u32, answer: Slot) {
        if row != NO_ROW {
            self.cells[(row + column) as usize] = answer;
        }
    }

    pub fn is_full(&self) -> bool {
        self.cells.len() > CELLS_MAX
    }

    /// Forgets all rows, not the columns.
    pub fn clear(&mut self) {
        self.places.fill(0);
        self.places_of_sets.fill(0);
        self.shared.clear();
        let longest = self.tables.iter().map(|it| it.stride).max().unwrap_or(0);
        self.cells.clear();
        self.cells.resize(longest, UNKNOWN);
    }

    pub fn memory(&self) -> usize {
        (self.cells.capacity()
            + self.places.capacity()
            + self.places_of_sets.capacity()
            + self.shared.capacity() * 4)
            * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_variable_has_its_own_answers() {
        let mut rows = Rows::new(2);
        assert_eq!(rows.row(0, 7), NO_ROW, "nothing is asked of the variable");
        let columns: Vec<u32> = (0..20).map(|_| rows.add_column(0).0).collect();
        let (other, is_moved) = rows.add_column(1);
        assert!(is_moved);
        let (a, b) = (rows.row(0, 7), rows.row(0, 900));
        rows.set(a, columns[0], 11);
        rows.set(b, columns[19], 12);
        let (late, is_moved) = rows.add_column(0);
        assert!(!is_moved);
        rows.set(b, late, 13);
        assert_eq!((rows.row(0, 7), rows.row(0, 900)), (a, b));
        assert_eq!(rows.get(a, columns[0]), Some(11));
        assert_eq!(rows.get(a, columns[19]), None);
        assert_eq!(rows.get(b, columns[19]), Some(12));
        assert_eq!(rows.get(b, late), Some(13));
        // A value of two variables has two rows.
        let of_other = rows.row(1, 7);
        rows.set(of_other, other, 14);
        assert_eq!(rows.row(1, 7), of_other);
        assert_eq!(rows.get(of_other, other), Some(14));
        assert_eq!(rows.get(a, columns[0]), Some(11));
        assert_eq!(rows.row(0, INDEX_MAX), NO_ROW, "its own number");
        rows.set(NO_ROW, columns[0], 15);
        assert_eq!(rows.get(NO_ROW, columns[0]), None);
        rows.clear();
        let again = rows.row(0, 900);
        assert_ne!(again, NO_ROW);
        assert_eq!(rows.get(again, columns[19]), None);
        // That a value had two rows is forgotten, too: they belong to others now.
        let (first, second) = (rows.row(0, 7), rows.row(1, 7));
        assert!(first != second && second != again);
        rows.set(second, other, 16);
        assert_eq!(rows.get(second, other), Some(16));
        for row in [first, again] {
            assert!(columns.iter().all(|&it| rows.get(row, it).is_none()));
        }
    }

    /// Longer rows begin where shorter ones were; nothing is known of a value without a row, whatever was written there.
    #[test]
    fn longer_rows_know_nothing() {
        let mut rows = Rows::new(1);
        let mut columns: Vec<u32> = (0..8).map(|_| rows.add_column(0).0).collect();
        for slot in 1..5 {
            let row = rows.row(0, slot);
            columns.iter().for_each(|&it| rows.set(row, it, 9));
        }
        columns.extend((0..8).map(|_| rows.add_column(0).0));
        for row in [NO_ROW, rows.row(0, 1), rows.row(0, 5)] {
            assert!(columns.iter().all(|&it| rows.get(row, it).is_none()));
        }
    }

    /// The number of a class and a row share a word; a class with a number that is too large would pass for another one.
    #[test]
    fn classes_beyond_the_last_have_no_rows() {
        let mut rows = Rows::new(CLASSES_MAX + 3);
        let first = rows.add_column(0).0;
        for class in CLASSES_MAX - 1..CLASSES_MAX + 3 {
            rows.add_column(class as Class);
        }
        for class in CLASSES_MAX..CLASSES_MAX + 3 {
            assert_eq!(rows.row(class as Class, 7), NO_ROW);
        }
        let last = rows.row(CLASSES_MAX as Class - 1, 7);
        assert_ne!(last, NO_ROW);
        let own = rows.row(0, 7);
        rows.set(own, first, 11);
        assert_eq!(rows.row(0, 7), own);
        assert_eq!(rows.get(own, first), Some(11));
        assert_eq!(rows.get(last, first), None);
    }

    /// Their numbers are not among those of other values.
    #[test]
    fn what_is_known_of_a_small_set_is_forgotten_too() {
        let (arena, interner) = (value::Arena::new(), value::Interner::new());
        let interned = |items: &[i64]| {
            let items: Vec<_> = items.iter().map(|&it| value::Value::Int(it)).collect();
            let set = value::Value::sorted_set(arena.alloc_slice_copy(&items), &arena);
            interner.intern(set, &arena).expect("a small set")
        };
        let (small, other) = (interned(&[1, 2]), interned(&[3]));
        assert!(value::small_set(small).is_some() && value::small_set(other).is_some());
        let mut rows = Rows::new(1);
        let column = rows.add_column(0).0;
        let row = rows.row(0, small);
        rows.set(row, column, 11);
        assert_eq!((rows.row(0, small), rows.get(row, column)), (row, Some(11)));
        rows.clear();
        // The row that it had belongs to somebody else now.
        let row = rows.row(0, other);
        rows.set(row, column, 12);
        let of_small = rows.row(0, small);
        assert_ne!(of_small, row);
        assert_eq!(rows.get(of_small, column), None);
    }
}
