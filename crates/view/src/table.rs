//! Records, functions and sets as tables: a row for each part, a column for each field that the parts have in common.

use value::{Owned, Text};

use crate::grid::{Grid, Region};
use crate::notation::Notation;
use crate::shape::mark;
use crate::style::{Paint, Style};

/// A value in rows and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The names of the columns; none when the parts have no fields.
    pub header: Option<Vec<String>>,
    pub rows: Vec<Vec<Entry>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub text: String,
    pub is_changed: bool,
}

/// Larger tables are no help: then the value stays text, and nothing of it is lost.
const ROWS_MAX: usize = 60;
const WIDTH_MAX: usize = 60;

impl Table {
    /// The value as a table, with what is different from another one, if it has parts to show and they fit.
    pub fn of(value: &Owned, before: Option<&Owned>, notation: Notation) -> Option<Table> {
        let parts = Parts::of(value)?;
        let old = before.and_then(Parts::of);
        let columns = parts.columns();
        let rows = parts.rows.iter().map(|(key, it)| {
            let old_row = old.as_ref().and_then(|old| old.find(key.as_ref(), it));
            let is_new = before.is_some() && old_row.is_none();
            let mut entries: Vec<Entry> = vec![];
            if let Some(key) = key {
                entries.push(Entry {
                    text: key.clone(),
                    is_changed: is_new,
                });
            }
            match &columns {
                Some(names) => entries.extend(names.iter().map(|&name| {
                    let now = field(it, name);
                    let is_changed = is_new || old_row.is_some_and(|old| field(old, name) != now);
                    Entry {
                        text: now.map_or(String::new(), |it| notation.text(it)),
                        is_changed,
                    }
                })),
                None => entries.push(Entry {
                    text: notation.text(it),
                    is_changed: is_new || old_row.is_some_and(|old| old != *it),
                }),
            }
            entries
        });
        let rows: Vec<Vec<Entry>> = rows.collect();
        let fits = rows.len() <= ROWS_MAX
            && rows
                .iter()
                .flatten()
                .all(|it| it.text.chars().count() <= WIDTH_MAX);
        let key_column = parts.has_keys().then(String::new);
        let header = columns.map(|names| {
            key_column
                .into_iter()
                .chain(names.iter().map(|it| it.to_string()))
                .collect()
        });
        (fits && rows.len() > 1).then_some(Table { header, rows })
    }

    pub fn render(&self, style: Style) -> String {
        let n_header = usize::from(self.header.is_some());
        let n_columns = self.rows.first().map_or(0, Vec::len);
        let mut grid = Grid::new(self.rows.len() + n_header, n_columns, 1);
        for (column, name) in self.header.iter().flatten().enumerate() {
            let region = Region {
                text: name.clone(),
                ..Region::default()
            };
            grid.fill(0..1, column..column + 1, region);
        }
        for (row, entries) in self.rows.iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                let marked = entry.is_changed && style == Style::Plain;
                let region = Region {
                    text: if marked {
                        format!("{} *", entry.text)
                    } else {
                        entry.text.clone()
                    },
                    paint: if entry.is_changed {
                        Paint::Changed
                    } else {
                        Paint::Normal
                    },
                    ..Region::default()
                };
                let row = row + n_header;
                grid.fill(row..row + 1, column..column + 1, region);
            }
        }
        grid.render(style)
    }
}

/// The parts of a value, each with the text of its key where it has one.
struct Parts<'v> {
    rows: Vec<(Option<String>, &'v Owned)>,
}

impl<'v> Parts<'v> {
    fn of(value: &'v Owned) -> Option<Parts<'v>> {
        let rows = match value {
            Owned::Record(fields) => fields
                .iter()
                .map(|(name, it)| (Some(name.to_string()), it))
                .collect(),
            Owned::Fun(pairs) => pairs.iter().map(|(key, it)| (Some(mark(key)), it)).collect(),
            Owned::Tuple(items) => (1..)
                .zip(items)
                .map(|(i, it)| (Some(format!("{i}")), it))
                .collect(),
            Owned::Set(items) => items.iter().map(|it| (None, it)).collect(),
            _ => return None,
        };
        Some(Parts { rows })
    }

    fn has_keys(&self) -> bool {
        self.rows.first().is_some_and(|it| it.0.is_some())
    }

    /// The part with the same key; in a set, the same element.
    fn find(&self, key: Option<&String>, value: &Owned) -> Option<&'v Owned> {
        let same = |it: &&(Option<String>, &'v Owned)| match key {
            Some(key) => it.0.as_ref() == Some(key),
            None => it.1 == value,
        };
        self.rows.iter().find(same).map(|it| it.1)
    }

    /// The fields of the parts, when all of them are records: every name that one of them has.
    fn columns(&self) -> Option<Vec<Text>> {
        let mut names: Vec<Text> = vec![];
        for (_, part) in &self.rows {
            let Owned::Record(fields) = part else { return None };
            for (name, _) in fields {
                if !names.contains(name) {
                    names.push(*name);
                }
            }
        }
        names.sort();
        (!names.is_empty()).then_some(names)
    }
}

fn field(value: &Owned, name: Text) -> Option<&Owned> {
    let Owned::Record(fields) = value else { return None };
    fields.iter().find(|it| it.0 == name).map(|it| &it.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_function_to_records_and_its_change() {
        let node =
            |term: i64, role: &str| Owned::record([("term", Owned::Int(term)), ("role", Owned::str(role))]);
        let state = |a: Owned, b: Owned| Owned::record([("s1", a), ("s2", b)]);
        let before = state(node(1, "Follower"), node(1, "Follower"));
        let after = state(node(2, "Candidate"), node(1, "Follower"));
        expect![[r#"
            ┌────┬───────────────┬──────┐
            │    │ role          │ term │
            ├────┼───────────────┼──────┤
            │ s1 │ "Candidate" * │ 2 *  │
            ├────┼───────────────┼──────┤
            │ s2 │ "Follower"    │ 1    │
            └────┴───────────────┴──────┘
        "#]]
        .assert_eq(
            &Table::of(&after, Some(&before), Notation::Tla)
                .unwrap()
                .render(Style::Plain),
        );
        assert_eq!(Table::of(&Owned::Int(3), None, Notation::Tla), None);
    }
}
