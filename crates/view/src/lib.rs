//! From data to pictures: boards, tables and differences of states, and every view of a relational instance.
//!
//! A state is names and values. What it looks like is found out from the values alone, over all states that were seen:
//! a function over a rectangle of integers, nested sequences and sets of coordinates are boards, disjoint sets of points
//! are pieces on one. Pictures are data ([`Board`], [`Table`], [`Change`]); the text of one is made by [`Grid`], with
//! box drawing, and with colours only where the caller asks for them.
//!
//! Nothing here reads, prints or asks for the width of a terminal.

mod artist;
mod board;
mod difference;
mod drawing;
mod grid;
pub mod instance;
mod markup;
mod notation;
mod pieces;
mod processes;
mod shape;
mod state_graph;
mod story;
mod style;
pub mod svg;
mod table;
mod text;

pub use artist::{Artist, Frame, Journey, Numbering, Part, Picture, Touch};
pub use board::{Axis, Board, Cell, Piece};
pub use difference::{Change, Step, changes};
pub use drawing::drawing;
pub use grid::{Alignment, Grid, Region, RegionId};
pub use notation::Notation;
pub use shape::Shape;
pub use state_graph::{GraphState, GraphStep, PICTURE_STATES_MAX, StateGraph};
pub use story::{Story, TraceFormat};
pub use style::{Paint, Style};
pub use table::{Entry, Table};
pub use text::{beside, frame_text, label};

/// The names and values of one state.
pub type State = [(String, value::Owned)];
