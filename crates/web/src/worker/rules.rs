//! The rules of a conjoined specification, and what those that are switched on give.

use serde_json::{Value, json};

use super::Wire;
use super::ask::{Ask, Wrong};

/// The rules that can be switched.
pub fn list(_: &Ask) -> Vec<Value> {
    vec![]
}

/// The verdict of each property.
pub fn verdicts(_: &Ask, _: &Wire) -> Result<Value, Wrong> {
    Ok(json!({ "verdicts": [] }))
}
