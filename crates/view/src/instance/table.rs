//! Tables as the Analyzer prints them: one for each sig, a row for each atom, a column for each field.
//!
//! A field of several columns is cut into as many; equal beginnings of tuples are one cell, and what a field leaves
//! empty below its last tuple is one cell too.

use trace::{AtomId, Instance};

use super::{ancestors, shown_fields, shown_sigs, skolems};
use crate::grid::{Grid, Region, fill_field};
use crate::style::Style;
use crate::text::label;

/// The tables of all sigs that have fields or atoms of their own, and the witnesses. Enumerations are left out: they are
/// the same in every instance.
pub fn tables(instance: &Instance, state: usize, style: Style) -> String {
    let mut text = String::new();
    for (sig, declared, relation) in shown_sigs(instance) {
        let fields = shown_fields(instance, sig);
        let atoms = instance.tuples(relation, state);
        let is_constant = declared.is_enum
            || ancestors(instance, sig)
                .iter()
                .any(|&it| instance.sigs[it].is_enum);
        if fields.is_empty() && (is_constant || atoms.is_empty()) {
            continue;
        }
        let atoms: Vec<AtomId> = atoms.iter().map(|it| it[0]).collect();
        text += &table(instance, state, &declared.label, &atoms, &fields).render(style);
    }
    for (relation, it) in skolems(instance) {
        let tuples = instance.tuples(relation, state).iter().map(|tuple| {
            let names: Vec<String> = tuple.iter().map(|&it| label(instance.name(it))).collect();
            names.join("->")
        });
        let tuples: Vec<String> = tuples.collect();
        text += &format!("{} = {{{}}}\n", it.name, tuples.join(", "));
    }
    text
}

/// The tuples of a field that begin with an atom, without it.
fn rows_of(instance: &Instance, field: usize, state: usize, atom: AtomId) -> Vec<Vec<String>> {
    instance
        .tuples(field, state)
        .iter()
        .filter(|it| it[0] == atom)
        .map(|it| it[1..].iter().map(|&it| label(instance.name(it))).collect())
        .collect()
}

fn table(instance: &Instance, state: usize, title: &str, atoms: &[AtomId], fields: &[usize]) -> Grid {
    // An atom's block has as many rows as its longest field.
    let blocks: Vec<Vec<Vec<Vec<String>>>> = atoms
        .iter()
        .map(|&atom| {
            let columns = fields.iter().map(|&it| rows_of(instance, it, state, atom));
            columns.collect()
        })
        .collect();
    let widths: Vec<usize> = (0..fields.len())
        .map(|field| {
            let mut rows = blocks.iter().flat_map(|block| &block[field]);
            rows.next().map_or(1, Vec::len)
        })
        .collect();
    let heights: Vec<usize> = blocks
        .iter()
        .map(|block| block.iter().map(Vec::len).max().unwrap_or(0).max(1))
        .collect();
    let mut grid = Grid::new(
        1 + heights.iter().sum::<usize>(),
        1 + widths.iter().sum::<usize>(),
        0,
    );
    grid.fill(0..1, 0..1, region(title));
    let mut column = 1;
    for (&field, &width) in fields.iter().zip(&widths) {
        grid.fill(
            0..1,
            column..column + width,
            region(&instance.relations[field].name),
        );
        column += width;
    }
    let mut row = 1;
    for ((&atom, block), &height) in atoms.iter().zip(&blocks).zip(&heights) {
        grid.fill(row..row + height, 0..1, region(&label(instance.name(atom))));
        let mut column = 1;
        for (rows, &width) in block.iter().zip(&widths) {
            fill_field(&mut grid, (row, column), (height, width), rows);
            column += width;
        }
        row += height;
    }
    grid
}

fn region(text: &str) -> Region {
    Region {
        text: text.to_string(),
        ..Region::default()
    }
}
