//! Draws one state after the other, and remembers what it has drawn.
//!
//! One state alone does not say how large a board is, which piece is which, or what an empty set would hold. So an
//! [`Artist`] is shown states before it draws: a whole trace, or those of a game as they come. A variable is a board only
//! if it has the same shape in every state seen.

use std::collections::BTreeMap;

use value::Owned;

use crate::State;
use crate::board::{Axis, Board, Cell, Piece};
use crate::drawing::drawing;
use crate::notation::Notation;
use crate::pieces::{Pieces, letter};
use crate::shape::{Place, Shape, Sketch, is_board_size, is_empty, is_open, recognise, sketch};
use crate::table::Table;

#[derive(Clone, Debug, Default)]
pub struct Artist {
    /// How values that are no boards are written.
    pub notation: Notation,
    memories: BTreeMap<String, Memory>,
    revision: u64,
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
    /// What the specification itself draws, with the elements of the module `SVG`: a document. Show it as an image, not
    /// as a part of a page: a text that a specification puts together may hold anything.
    Svg(String),
}

/// Where a picture changes in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The variable that the board shows.
    pub variable: String,
    /// As the board numbers them.
    pub row: i64,
    pub column: i64,
}

/// A piece that a step takes from one place to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Journey {
    pub variable: String,
    /// The number of the piece, as in [`Cell::piece`].
    pub piece: usize,
    /// Rows down and columns to the right.
    pub by: (i64, i64),
}

/// Which piece is which after a state was drawn, so that drawing can go on from there.
#[derive(Clone, Debug, Default)]
pub struct Numbering(BTreeMap<String, Pieces>);

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
    /// An artist who has seen nothing.
    pub fn new(notation: Notation) -> Artist {
        Artist {
            notation,
            ..Artist::default()
        }
    }

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
            let memory = self.memories.entry(name.clone()).or_default();
            let before = memory.look();
            memory.see(value);
            self.revision += u64::from(memory.look() != before);
        }
    }

    /// Grows when a state was seen that makes pictures look otherwise: as long as it stays, the same state gives the same picture.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether a variable is drawn as a board.
    pub fn shape(&self, name: &str) -> Option<Shape> {
        self.memories.get(name)?.board_shape()
    }

    /// Which piece is which now.
    pub fn numbering(&self) -> Numbering {
        let pieces = self.memories.iter();
        Numbering(
            pieces
                .map(|(name, it)| (name.clone(), it.pieces.clone()))
                .collect(),
        )
    }

    /// Goes on from another state than the one drawn last.
    pub fn resume(&mut self, numbering: &Numbering) {
        for (name, memory) in &mut self.memories {
            memory.pieces = numbering.0.get(name).cloned().unwrap_or_default();
        }
    }

    /// The cells of boards that a step changes: where a mark differs, and all cells that a piece leaves or takes.
    pub fn touched(&self, before: &State, after: &State) -> Vec<Touch> {
        let mut all = vec![];
        for (name, old, new) in self.boards(before, after) {
            let mut places = changed_places(&old, &new);
            places.sort_unstable();
            places.dedup();
            all.extend(places.into_iter().map(|(row, column)| Touch {
                variable: name.clone(),
                row,
                column,
            }));
        }
        all
    }

    /// The pieces that a step moves, once `before` was drawn.
    pub fn journeys(&self, before: &State, after: &State) -> Vec<Journey> {
        let mut all = vec![];
        for (name, old, new) in self.boards(before, after) {
            let Some(memory) = self.memories.get(&name).filter(|_| old.pieces != new.pieces) else {
                continue;
            };
            let mut pieces = memory.pieces.clone();
            let was = pieces.number(&places_of(&old));
            let is = pieces.number(&places_of(&new));
            for ((_, to), number) in new.pieces.iter().zip(is) {
                let from = was.iter().position(|it| *it == number);
                let from = from.and_then(|it| old.pieces[it].1.first());
                if let (Some(from), Some(to)) = (from, to.first())
                    && from != to
                {
                    all.push(Journey {
                        variable: name.clone(),
                        piece: number,
                        by: (to.0 - from.0, to.1 - from.1),
                    });
                }
            }
        }
        all
    }

    /// What is drawn as a board in both states, and is not the same.
    fn boards(&self, before: &State, after: &State) -> Vec<(String, Sketch, Sketch)> {
        let differing = after.iter().filter_map(|(name, new)| {
            let old = &before.iter().find(|it| it.0 == *name)?.1;
            let shape = self.shape(name).filter(|_| old != new)?;
            Some((name.clone(), sketch(shape, old)?, sketch(shape, new)?))
        });
        differing.collect()
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
    /// What decides how values are drawn, but for the numbers of pieces.
    fn look(&self) -> (Option<Shape>, bool, Option<Extent>) {
        (self.shape, self.is_plain, self.extent)
    }

    fn see(&mut self, value: &Owned) {
        if self.is_plain || is_empty(value) || (self.shape.is_none() && is_open(value)) {
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
        if let Some(drawing) = drawing(value) {
            return Picture::Svg(drawing);
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
            pieces: vec![],
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
        let numbers = self.pieces.number(&places_of(now));
        for ((name, places), number) in now.pieces.iter().zip(numbers) {
            let is_changed = before.is_some_and(|it| !it.pieces.iter().any(|old| &old.1 == places));
            board.pieces.push(Piece {
                number,
                name: name.clone().unwrap_or_else(|| letter(number)),
                cells: places.clone(),
                is_changed,
            });
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

fn places_of(sketch: &Sketch) -> Vec<&[Place]> {
    sketch.pieces.iter().map(|it| &it.1[..]).collect()
}

fn changed_places(old: &Sketch, new: &Sketch) -> Vec<Place> {
    let marks = |one: &Sketch, other: &Sketch| -> Vec<Place> {
        let gone = one.cells.iter().filter(|it| !other.cells.contains(it));
        let left = one
            .pieces
            .iter()
            .filter(|it| !other.pieces.iter().any(|other| other.1 == it.1));
        gone.map(|it| it.0)
            .chain(left.flat_map(|it| it.1.iter().copied()))
            .collect()
    };
    let mut places = marks(old, new);
    places.extend(marks(new, old));
    places
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

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(row: i64, column: i64, mark: &str) -> Owned {
        Owned::Tuple(vec![Owned::Int(row), Owned::Int(column), Owned::str(mark)])
    }

    fn state(entries: &[Owned]) -> Vec<(String, Owned)> {
        vec![("field".to_owned(), Owned::Set(entries.to_vec()))]
    }

    #[test]
    fn a_board_that_fills_one_mark_after_the_other() {
        let one = state(&[entry(1, 1, "X")]);
        let two = state(&[entry(1, 1, "X"), entry(2, 2, "O")]);
        let mut artist = Artist::of_trace([&state(&[])[..], &one, &two]);
        let frame = artist.draw(&one, Some(&state(&[])));
        let Picture::Board(board) = &frame.parts[0].picture else {
            panic!("a set of marks is a board");
        };
        assert_eq!((board.rows.len, board.columns.len), (2, 2));
        assert!(board.cell(0, 0).is_changed && board.cell(1, 1).text.is_empty());
        assert_eq!(artist.touched(&one, &two).len(), 1);
        // Alone, one tuple is a value like any other.
        let mut alone = Artist::default();
        assert!(matches!(
            alone.draw(&one, None).parts[0].picture,
            Picture::Line(_)
        ));
    }
}
