//! Fixtures and checks shared by the tests of other crates. A dev-dependency only: this is where tests do their IO.

mod corpus;

pub use corpus::{corpus, files};
