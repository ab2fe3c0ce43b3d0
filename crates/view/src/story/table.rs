//! A story as one table, in the manner of the Alloy Analyzer: a row for each state, a column for each variable, and
//! functions and sets of tuples cut into columns, equal beginnings merged.

use value::Owned;

use super::Story;
use crate::grid::{Grid, Region, fill_field};
use crate::shape::mark;
use crate::style::Style;
use crate::text::label;

/// A value with more rows than this is one cell: a table is to be taken in.
const ROWS_MAX: usize = 40;
/// As is one of more columns.
const COLUMNS_MAX: usize = 6;
/// Texts in cells are cut.
const WIDTH_MAX: usize = 40;

pub(super) fn write(story: &Story, style: Style) -> String {
    let Some(first) = story.behaviour.states.first() else {
        return String::new();
    };
    let names: Vec<&str> = first.values.iter().map(|it| it.0.as_str()).collect();
    // By state and variable: the rows of the value.
    let blocks: Vec<Vec<Rows>> = story
        .behaviour
        .states
        .iter()
        .map(|scene| {
            let value = |name: &&str| scene.values.iter().find(|it| it.0 == **name).map(|it| &it.1);
            names
                .iter()
                .map(|name| value(name).map_or(vec![], |it| rows(story, it)))
                .collect()
        })
        .collect();
    let blocks = evened(story, &names, blocks);
    let widths: Vec<usize> = (0..names.len())
        .map(|i| {
            blocks
                .iter()
                .flat_map(|it| &it[i])
                .map(Vec::len)
                .max()
                .unwrap_or(1)
        })
        .collect();
    let heights: Vec<usize> = blocks
        .iter()
        .map(|it| it.iter().map(Vec::len).max().unwrap_or(0).max(1))
        .collect();
    let mut grid = Grid::new(
        1 + heights.iter().sum::<usize>(),
        1 + widths.iter().sum::<usize>(),
        0,
    );
    grid.fill(0..1, 0..1, region("State"));
    let mut column = 1;
    for (name, &width) in names.iter().zip(&widths) {
        grid.fill(0..1, column..column + width, region(name));
        column += width;
    }
    let mut row = 1;
    for (i, (block, &height)) in blocks.iter().zip(&heights).enumerate() {
        grid.fill(row..row + height, 0..1, region(&label(&format!("State${i}"))));
        let mut column = 1;
        for (rows, &width) in block.iter().zip(&widths) {
            fill_field(&mut grid, (row, column), (height, width), rows);
            column += width;
        }
        row += height;
    }
    grid.render(style) + &story.told_ending()
}

type Rows = Vec<Vec<String>>;

/// All values of a variable have as many columns, or they are one cell each.
fn evened(story: &Story, names: &[&str], mut blocks: Vec<Vec<Rows>>) -> Vec<Vec<Rows>> {
    for (i, name) in names.iter().enumerate() {
        let mut widths: Vec<usize> = blocks.iter().flat_map(|it| &it[i]).map(Vec::len).collect();
        widths.dedup();
        if widths.len() <= 1 {
            continue;
        }
        for (block, scene) in blocks.iter_mut().zip(&story.behaviour.states) {
            let value = scene.values.iter().find(|it| it.0 == **name);
            block[i] = value.map_or(vec![], |it| vec![vec![cut(&story.notation.text(&it.1))]]);
        }
    }
    blocks
}

/// A value as rows of cells: the tuples of a relation, or one cell.
fn rows(story: &Story, value: &Owned) -> Rows {
    let whole = || vec![vec![cut(&atom(story, value))]];
    let tuples = tuples(story, value);
    let n_columns = tuples.first().map_or(0, Vec::len);
    let is_even = tuples.iter().all(|it| it.len() == n_columns) && n_columns <= COLUMNS_MAX;
    match is_composite(value) && is_even && tuples.len() <= ROWS_MAX {
        true => tuples,
        false => whole(),
    }
}

fn is_composite(value: &Owned) -> bool {
    matches!(
        value,
        Owned::Set(_) | Owned::Fun(_) | Owned::Record(_) | Owned::Tuple(_)
    )
}

/// The value as a relation: functions are pairs of argument and value, arguments that are tuples are several columns.
fn tuples(story: &Story, value: &Owned) -> Rows {
    let under = |keys: Vec<String>, it: &Owned| -> Rows {
        let below = match is_composite(it) && !is_leaf(it) {
            true => tuples(story, it),
            false => vec![vec![cut(&atom(story, it))]],
        };
        let row = |rest: Vec<String>| keys.iter().cloned().chain(rest).collect();
        below.into_iter().map(row).collect()
    };
    let columns = |it: &Owned| -> Vec<String> {
        match it {
            Owned::Tuple(items) if !items.is_empty() => {
                items.iter().map(|it| cut(&atom(story, it))).collect()
            }
            other => vec![cut(&atom(story, other))],
        }
    };
    match value {
        Owned::Set(items) => items.iter().map(columns).collect(),
        Owned::Record(fields) => fields
            .iter()
            .flat_map(|(name, it)| under(vec![name.to_string()], it))
            .collect(),
        Owned::Fun(pairs) => pairs
            .iter()
            .flat_map(|(key, it)| under(columns(key), it))
            .collect(),
        Owned::Tuple(items) => (1..)
            .zip(items)
            .flat_map(|(i, it)| under(vec![format!("{i}")], it))
            .collect(),
        other => vec![vec![cut(&atom(story, other))]],
    }
}

/// What is empty, or a set: it stands in one cell.
fn is_leaf(value: &Owned) -> bool {
    match value {
        Owned::Set(_) => true,
        Owned::Tuple(items) => items.is_empty(),
        Owned::Fun(pairs) => pairs.is_empty(),
        _ => false,
    }
}

fn atom(story: &Story, value: &Owned) -> String {
    match value {
        Owned::Str(_) | Owned::Model(_) => mark(value),
        other => story.notation.text(other),
    }
}

fn cut(text: &str) -> String {
    trace::shortened(text, WIDTH_MAX)
}

fn region(text: &str) -> Region {
    Region {
        text: text.to_string(),
        ..Region::default()
    }
}
