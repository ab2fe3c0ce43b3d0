//! A story in the Informal Trace Format of Apalache and Quint (Apalache's ADR 015).
//!
//! That format knows types and TLA+ does not: a tuple whose elements are of different kinds is a tuple, any other one a
//! sequence. Model values are strings, as Apalache writes its uninterpreted constants.

use serde_json::{Map, Value, json};
use util::deep;
use value::Owned;

use super::Story;

pub(super) fn write(story: &Story) -> String {
    let names: Vec<&str> = story
        .behaviour
        .states
        .first()
        .map_or(vec![], |it| it.values.iter().map(|it| it.0.as_str()).collect());
    let states = story.behaviour.states.iter().enumerate().map(|(i, scene)| {
        let meta = json!({ "index": i, "action": scene.action });
        let values = scene.values.iter().map(|(name, it)| (name.clone(), itf(it)));
        let mut state: Map<String, Value> = values.collect();
        state.insert("#meta".to_owned(), meta);
        Value::Object(state)
    });
    let states: Vec<Value> = states.collect();
    let mut whole = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": format!("{}: {}", story.title, story.ending.join("; ")),
        },
        "vars": names,
        "states": states,
    });
    if let (Some(to), Some(object)) = (story.behaviour.loop_to, whole.as_object_mut()) {
        object.insert("loop".to_owned(), json!(to));
    }
    format!("{whole:#}\n")
}

fn itf(value: &Owned) -> Value {
    deep(|| itf_here(value))
}

fn itf_here(value: &Owned) -> Value {
    let all = |items: &[Owned]| Value::Array(items.iter().map(itf).collect());
    match value {
        Owned::Bool(it) => json!(it),
        Owned::Int(_) | Owned::Big(_) => json!({ "#bigint": value.to_string() }),
        Owned::Str(it) | Owned::Model(it) => json!(it.as_str()),
        Owned::Set(items) => json!({ "#set": all(items) }),
        Owned::Tuple(items) if is_mixed(items) => json!({ "#tup": all(items) }),
        Owned::Tuple(items) => all(items),
        Owned::Record(fields) => {
            let fields = fields.iter().map(|(name, it)| (name.to_string(), itf(it)));
            Value::Object(fields.collect())
        }
        Owned::Fun(pairs) => {
            let pairs = pairs.iter().map(|(key, it)| json!([itf(key), itf(it)]));
            json!({ "#map": pairs.collect::<Vec<_>>() })
        }
    }
}

fn is_mixed(items: &[Owned]) -> bool {
    let kind = |it: &Owned| match it {
        Owned::Bool(_) => 0,
        Owned::Int(_) | Owned::Big(_) => 1,
        Owned::Str(_) | Owned::Model(_) => 2,
        Owned::Tuple(_) => 3,
        Owned::Record(_) => 4,
        Owned::Fun(_) => 5,
        Owned::Set(_) => 6,
    };
    items.windows(2).any(|two| kind(&two[0]) != kind(&two[1]))
}
