//! Playing a specification in the terminal: a screen that can be touched, and the same game line by line.
//!
//! [`Player`] is the game with the machine's part in it; it knows nothing of screens. [`App`] is what a screen shows of a
//! player and what keys and the mouse do to it; it can be drawn on any backend, a test's included. [`run`] puts it on the
//! terminal. [`run_lines`] reads commands from anywhere instead, for scripts and for people without a terminal.

mod algorithm;
mod app;
mod board;
mod command;
mod lines;
mod player;
mod screen;
mod terminal;

pub use app::App;
pub use lines::run_lines;
pub use player::{Machine, Player, PlayerOptions};
pub use screen::draw;
pub use terminal::run;
