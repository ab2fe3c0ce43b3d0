//! The page in a real browser, end to end: a server of ours, a headless Chromium, clicks and keys.
//!
//! `BABBAGE_PICTURES=folder cargo test -p cli --test browser` also writes pictures of every screen.

mod algorithm;
mod driver;
mod hostile;
mod pictures;
mod play;
mod questions;
mod support;
mod tabs;
