//! Fixtures and checks shared by the tests of other crates. A dev-dependency only: this is where tests do their IO.

mod corpus;
mod pages;

pub use corpus::{corpus, files};
pub use pages::{Example, check_pages};
