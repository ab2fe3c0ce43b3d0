//! Pictures for a card of the gallery: a short walk, the same every time.

use serde_json::{Value, json};
use workbench::play::Chance;

use super::ask::Ask;
use super::json as shown;
use super::play::with_session;

const STEPS_MAX: usize = 9;
/// Which walk: one that looks like a game.
const SEED: u64 = 7;

pub fn card(ask: &Ask) -> Value {
    let frames = with_session(ask, |session| {
        let mut chance = Chance::new(SEED);
        let mut frames = vec![];
        if session.position().index.is_none() {
            session.take(0);
        }
        for _ in 0..=STEPS_MAX {
            let position = session.position();
            if position.index.is_none() {
                break;
            }
            frames.push(shown::frame(&position.frame));
            let Some(choice) = session.machine_choice(&mut chance) else {
                break;
            };
            session.take(choice);
        }
        frames
    });
    json!({ "frames": frames.unwrap_or_default() })
}
