//! The long run: `options`, the `parent` that watches, the `worker` that checks, and what is `kept`.

mod kept;
mod options;
mod parent;
mod worker;

pub use options::{Options, USAGE};
pub use parent::run;
pub use worker::work;
