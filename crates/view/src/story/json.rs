//! A story for programs: texts as TLA+ writes them, beside the same values as JSON.

use serde_json::{Map, Value, json};
use util::deep;
use value::Owned;

use trace::State;

use super::Story;

pub(super) fn write(story: &Story) -> String {
    let states: Vec<Value> = story.behaviour.states.iter().map(|it| state(story, it)).collect();
    let whole = json!({
        "title": story.title,
        "states": states,
        "loop": story.behaviour.loop_to,
        "ending": story.ending,
    });
    format!("{whole:#}\n")
}

fn state(story: &Story, scene: &State) -> Value {
    let texts = scene
        .values
        .iter()
        .map(|(name, it)| (name.clone(), json!(story.notation.text(it))));
    let values = scene.values.iter().map(|(name, it)| (name.clone(), plain(it)));
    let parameters = scene
        .parameters
        .iter()
        .map(|(name, it)| (name.clone(), json!(it)));
    json!({
        "action": scene.action,
        "parameters": parameters.collect::<Map<_, _>>(),
        "location": scene.location,
        "variables": texts.collect::<Map<_, _>>(),
        "values": values.collect::<Map<_, _>>(),
    })
}

/// What a person who writes scripts expects: sets and sequences are lists, functions on strings and records are objects,
/// other functions are lists of pairs. Numbers that others would round are texts.
fn plain(value: &Owned) -> Value {
    deep(|| plain_here(value))
}

/// Integers beyond this are not the same in every program.
const EXACT_MAX: i64 = (1 << 53) - 1;

fn plain_here(value: &Owned) -> Value {
    let all = |items: &[Owned]| Value::Array(items.iter().map(plain).collect());
    match value {
        Owned::Bool(it) => json!(it),
        Owned::Int(it) if it.unsigned_abs() <= EXACT_MAX as u64 => json!(it),
        Owned::Int(_) | Owned::Big(_) => json!(value.to_string()),
        Owned::Str(it) | Owned::Model(it) => json!(it.as_str()),
        Owned::Tuple(items) | Owned::Set(items) => all(items),
        Owned::Record(fields) => {
            let fields = fields.iter().map(|(name, it)| (name.to_string(), plain(it)));
            Value::Object(fields.collect())
        }
        Owned::Fun(pairs) => {
            let named: Option<Map<String, Value>> = pairs
                .iter()
                .map(|(key, it)| match key {
                    Owned::Str(name) | Owned::Model(name) => Some((name.to_string(), plain(it))),
                    _ => None,
                })
                .collect();
            match named {
                Some(object) => Value::Object(object),
                None => pairs
                    .iter()
                    .map(|(key, it)| json!([plain(key), plain(it)]))
                    .collect(),
            }
        }
    }
}
