//! Fixtures and checks shared by the tests of other crates. A dev-dependency only: this is where tests do their IO.

mod corpus;
mod literate;
mod memory_disk;
mod pages;
pub mod specification;

pub use corpus::{corpus, files};
pub use literate::{Example, check_literate};
pub use memory_disk::MemoryDisk;
pub use pages::check_pages;
pub use specification::{Specification, specification};
