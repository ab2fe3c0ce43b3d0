//! The fewest steps to a goal.

use serde_json::Value;

use super::Wire;
use super::ask::{Ask, Wrong};
use super::check;

pub fn solve(ask: &Ask, wire: &mut Wire) -> Result<Value, Wrong> {
    ask.text("goal")?;
    Ok(check::check(ask, wire))
}
