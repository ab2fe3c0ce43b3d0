//! Alloy meets the relational engine: from a resolved model and a command to instances, or to the reason why not.
//!
//! [`Run`] is the door. Scopes become a universe and bounds ([`layout`]), the model's formulas become relational ones
//! ([`lower`]), what the engine finds becomes a [`trace::Instance`] with the names that Alloy users know, and what it
//! does not find becomes the places to blame. The only crate that knows both sides; it does no IO and no solving.

mod atoms;
mod constraints;
mod errors;
mod layout;
mod lower;
mod present;
mod run;

pub use constraints::{Origin, Source};
pub use errors::Refusal;
pub use run::{Meaning, Options, Outcome, Run, Statistics};

pub use relational::{Overflow, Size, Stop};
pub use sat::Kind as Solver;
