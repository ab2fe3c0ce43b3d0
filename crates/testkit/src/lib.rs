//! Fixtures and checks shared by the tests of other crates. A dev-dependency only: this is where tests do their IO.

mod corpus;
mod literate;
mod memory_disk;
mod not_run;
mod pages;
pub mod specification;

pub use corpus::{corpus, files};
pub use literate::{Example, check_literate};
pub use memory_disk::MemoryDisk;
pub use not_run::not_run;
pub use pages::{check_pages, check_pages_of};
pub use specification::{Specification, specification};
