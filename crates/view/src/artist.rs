//! Draws one state after the other, and remembers what it has drawn.
//!
//! One state alone does not say how large a board is, which piece is which, or what an empty set would hold. So an
//! [`Artist`] is shown states before it draws: a whole trace, or those of a game as they come. A variable is a board only
//! if it has the same shape in every state seen.

use std::collections::BTreeMap;

use value::Owned;

use crate::State;
use crate::board::{Axis, Board, Cell};
use crate::notation::Notation;
use crate::pieces::{Pieces, letter};
use crate::shape::{Place, Shape, Sketch, is_board_size, is_empty, recognise, sketch};
use crate::table::Table;

#[derive(Clone, Debug, Default)]
pub struct Artist {
    /// How values that are no boards are written.
    pub notation: Notation,
    memories: BTreeMap<String, Memory>,
}

/// A state as pictures, in the order of its variables.
#[derive(Clone, Debug)]
pub struct Frame {
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    /// Other than in the state before, or there was none.
    pub is_changed: bool,
    pub picture: Picture,
}

#[derive(Clone, Debug)]
pub enum Picture {
    Board(Board),
    /// A composite value that is too long for a line.
    Table(Table),
    /// The value as text.
    Line(String),
}

/// Longer values are tables, if they can be.
const LINE_MAX: usize = 100;

#[derive(Clone, Debug, Default)]
struct Memory {
    /// None until a value has been seen that is not empty.
    shape: Option<Shape>,
    /// Two states differ in shape, or one of them has none.
    is_plain: bool,
    extent: Option<Extent>,
    pieces: Pieces,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extent {
    top_left: Place,
    bottom_right: Place,
}

impl Artist {
    /// An artist who has seen a whole trace.
    pub fn of_trace<'s>(states: impl IntoIterator<Item = &'s State>) -> Artist {
        let mut artist = Artist::default();
        for state in states {
            artist.see(state);
        }
        artist
    }

    /// Looks at a state that may be drawn later.
    pub fn see(&mut self, state: &State) {
        for (name, value) in state {
            self.memories.entry(name.clone()).or_default().see(value);
        }
    }

    /// Whether a variable is drawn as a board.
    pub fn shape(&self, name: &str) -> Option<Shape> {
        self.memories.get(name)?.board_shape()
    }

    /// Draws a state, and what is different from the one before. Pieces are followed in the order of drawing.
    pub fn draw(&mut self, state: &State, before: Option<&State>) -> Frame {
        self.see(state);
        let notation = self.notation;
        let parts = state.iter().map(|(name, value)| {
            let old = before.and_then(|it| it.iter().find(|(it, _)| it == name).map(|(_, value)| value));
            let memory = self.memories.get_mut(name).expect("all variables were seen");
            Part {
                name: name.clone(),
                is_changed: old != Some(value),
                picture: memory.draw(value, old, notation),
            }
        });
        Frame {
            parts: parts.collect(),
        }
    }
}

impl Memory {
    fn see(&mut self, value: &Owned) {
        if self.is_plain || is_empty(value) {
            return;
        }
        let known = match self.shape {
            Some(shape) => sketch(shape, value).map(|it| (shape, it)),
            None => recognise(value),
        };
        let Some((shape, sketch)) = known else {
            self.is_plain = true;
            return;
        };
        self.shape = Some(shape);
        for place in places(&sketch) {
            let extent = self.extent.get_or_insert(Extent {
                top_left: place,
                bottom_right: place,
            });
            extent.include(place);
        }
    }

    fn board_shape(&self) -> Option<Shape> {
        let (shape, extent) = (self.shape?, self.extent?);
        let (n_rows, n_columns) = extent.size();
        let is_board = match shape {
            // Pairs of small numbers are often no points at all.
            Shape::Points => n_rows >= 3 && n_columns >= 3,
            _ => true,
        };
        (!self.is_plain && is_board && is_board_size(n_rows, n_columns)).then_some(shape)
    }

    fn draw(&mut self, value: &Owned, old: Option<&Owned>, notation: Notation) -> Picture {
        let board = self
            .board_shape()
            .and_then(|shape| Some((sketch(shape, value)?, old.and_then(|it| sketch(shape, it)))));
        if let (Some((now, before)), Some(extent)) = (board, self.extent) {
            return Picture::Board(self.board(extent, &now, before.as_ref()));
        }
        let text = notation.text(value);
        if text.chars().count() > LINE_MAX
            && let Some(table) = Table::of(value, old, notation)
        {
            return Picture::Table(table);
        }
        Picture::Line(text)
    }

    fn board(&mut self, extent: Extent, now: &Sketch, before: Option<&Sketch>) -> Board {
        let (n_rows, n_columns) = extent.size();
        let mut board = Board {
            rows: Axis {
                first: extent.top_left.0,
                len: n_rows as usize,
            },
            columns: Axis {
                first: extent.top_left.1,
                len: n_columns as usize,
            },
            cells: vec![Cell::default(); (n_rows * n_columns) as usize],
        };
        let index = |place: Place| {
            let (row, column) = (place.0 - extent.top_left.0, place.1 - extent.top_left.1);
            (row * n_columns + column) as usize
        };
        for (place, mark) in &now.cells {
            let cell = &mut board.cells[index(*place)];
            cell.text.clone_from(mark);
            cell.is_changed = before.is_some_and(|it| !it.cells.contains(&(*place, mark.clone())));
        }
        for (place, _) in before.map_or(&[][..], |it| &it.cells) {
            let cell = &mut board.cells[index(*place)];
            cell.is_changed |= cell.text.is_empty() && !now.cells.iter().any(|it| it.0 == *place);
        }
        let places: Vec<&[Place]> = now.pieces.iter().map(|it| &it.1[..]).collect();
        let numbers = self.pieces.number(&places);
        for ((name, places), number) in now.pieces.iter().zip(numbers) {
            let is_changed = before.is_some_and(|it| !it.pieces.iter().any(|old| &old.1 == places));
            for &place in places {
                board.cells[index(place)] = Cell {
                    text: name.clone().unwrap_or_else(|| letter(number)),
                    piece: Some(number),
                    is_changed,
                };
            }
        }
        board
    }
}

fn places(sketch: &Sketch) -> impl Iterator<Item = Place> + '_ {
    let covered = sketch.pieces.iter().flat_map(|it| &it.1);
    sketch.cells.iter().map(|it| &it.0).chain(covered).copied()
}

impl Extent {
    fn include(&mut self, (row, column): Place) {
        self.top_left = (self.top_left.0.min(row), self.top_left.1.min(column));
        self.bottom_right = (self.bottom_right.0.max(row), self.bottom_right.1.max(column));
    }

    fn size(self) -> (i64, i64) {
        (
            self.bottom_right.0 - self.top_left.0 + 1,
            self.bottom_right.1 - self.top_left.1 + 1,
        )
    }
}
