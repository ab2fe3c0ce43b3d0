//! `Json`: values as JSON text and back. Records and functions are objects, sequences and sets are arrays.

use bumpalo::collections::Vec as ArenaVec;
use serde_json::Value as Node;
use tla_sema::ir::ExprId;
use util::deep;
use value::{Text, Value};

use super::io::{read_text, write};
use super::{Row, effect, once, row};
use crate::effects::Write;
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("Json", "ToJson", "v", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        let text = to_json(machine, value, Form::Natural, at)?;
        Ok(Value::str(&text))
    }),
    row("Json", "ToJsonArray", "v", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        let text = to_json(machine, value, Form::Array, at)?;
        Ok(Value::str(&text))
    }),
    row("Json", "ToJsonObject", "v", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        let text = to_json(machine, value, Form::Object, at)?;
        Ok(Value::str(&text))
    }),
    effect("Json", "JsonSerialize", "vv", |machine, given, at| {
        let [path, value] = machine.values(given);
        if !matches!(value, Value::Tuple(_) | Value::Record(_)) {
            return Err(machine.wrong("a sequence or a record", value, at));
        }
        let text = to_json(machine, value, Form::Natural, at)?;
        write(machine, path, text.as_bytes(), Write::REPLACE, at)?;
        Ok(Value::TRUE)
    }),
    effect("Json", "ndJsonSerialize", "vv", |machine, given, at| {
        let [path, value] = machine.values(given);
        let text = to_lines(machine, value, at)?;
        write(machine, path, text.as_bytes(), Write::REPLACE, at)?;
        Ok(Value::TRUE)
    }),
    once("Json", "JsonDeserialize", "v", |machine, given, at| {
        let path = machine.value_arg(given, 0);
        let text = read_text(machine, path, at)?;
        from_json(machine, &text, at)
    }),
    once("Json", "ndJsonDeserialize", "v", |machine, given, at| {
        let path = machine.value_arg(given, 0);
        let text = read_text(machine, path, at)?;
        let mut values = vec![];
        for line in text.lines().filter(|it| !it.trim().is_empty()) {
            values.push(from_json(machine, line, at)?);
        }
        Ok(machine.tuple(&values))
    }),
];

/// What the outermost value becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Natural,
    Array,
    Object,
}

/// One document a line.
pub(super) fn to_lines<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    value: Value<'t>,
    at: ExprId,
) -> Result<String, Fault> {
    let mut text = String::new();
    for &item in machine.sequence(value, at)? {
        write_json(machine, item, Form::Natural, &mut text, at)?;
        text.push('\n');
    }
    Ok(text)
}

fn to_json<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    value: Value<'t>,
    form: Form,
    at: ExprId,
) -> Result<String, Fault> {
    let mut text = String::new();
    write_json(machine, value, form, &mut text, at)?;
    Ok(text)
}

fn write_json<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    value: Value<'t>,
    form: Form,
    text: &mut String,
    at: ExprId,
) -> Result<(), Fault> {
    deep(|| match (value, form) {
        (Value::Tuple(it), Form::Object) => {
            let members = it
                .items
                .iter()
                .enumerate()
                .map(|(i, &value)| (i.to_string(), value));
            object(machine, members.collect(), text, at)
        }
        (Value::Tuple(it), _) => array(machine, it.items, text, at),
        (Value::Set(_) | Value::Bits(_) | Value::Symbolic(_), Form::Natural | Form::Array) => {
            let items = machine.items(value, at)?;
            array(machine, items, text, at)
        }
        (Value::Record(it), Form::Natural | Form::Object) => {
            let members = it
                .names
                .iter()
                .zip(it.values)
                .map(|(name, &value)| (name.to_string(), value));
            object(machine, members.collect(), text, at)
        }
        (Value::Fun(it), _) => {
            let members = it
                .domain
                .items
                .iter()
                .zip(it.values)
                .map(|(key, &value)| (key.to_string(), value));
            object(machine, members.collect(), text, at)
        }
        (Value::Bool(it), Form::Natural) => {
            text.push_str(if it.get() { "true" } else { "false" });
            Ok(())
        }
        (Value::Int(_) | Value::Big(_), Form::Natural) => {
            text.push_str(&value.to_string());
            Ok(())
        }
        (Value::Str(it) | Value::Model(it), Form::Natural) => {
            quote(it.as_str(), text);
            Ok(())
        }
        (_, Form::Array) => Err(machine.wrong("a sequence, a set or a function", value, at)),
        (_, _) => Err(machine.wrong("a function", value, at)),
    })
}

fn quote(it: &str, text: &mut String) {
    text.push_str(&Node::from(it).to_string());
}

fn array<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    items: &[Value<'t>],
    text: &mut String,
    at: ExprId,
) -> Result<(), Fault> {
    text.push('[');
    for (i, &item) in items.iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        write_json(machine, item, Form::Natural, text, at)?;
    }
    text.push(']');
    Ok(())
}

fn object<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    members: Vec<(String, Value<'t>)>,
    text: &mut String,
    at: ExprId,
) -> Result<(), Fault> {
    text.push('{');
    for (i, (name, value)) in members.into_iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        quote(&name, text);
        text.push(':');
        write_json(machine, value, Form::Natural, text, at)?;
    }
    text.push('}');
    Ok(())
}

fn from_json<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, text: &str, at: ExprId) -> Res<'t> {
    match serde_json::from_str::<Node>(text) {
        Ok(node) => from_node(machine, &node, at),
        Err(error) => Err(machine.undefined("JsonDeserialize", format!("the text is not JSON: {error}"), at)),
    }
}

fn from_node<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, node: &Node, at: ExprId) -> Res<'t> {
    deep(|| match node {
        Node::Bool(it) => Ok(Value::bool(*it)),
        Node::String(it) => Ok(Value::str(it)),
        Node::Number(it) => match it.as_i64() {
            Some(it) => Ok(Value::Int(it)),
            None => match it.as_u64() {
                Some(it) => Ok(Value::big(it.into(), machine.arena)),
                None => Err(machine.undefined("JsonDeserialize", format!("{it} is not an integer"), at)),
            },
        },
        Node::Array(items) => {
            let mut values = ArenaVec::with_capacity_in(items.len(), machine.arena);
            for item in items {
                values.push(from_node(machine, item, at)?);
            }
            Ok(Value::tuple_in(values.into_bump_slice(), machine.arena))
        }
        Node::Object(members) => {
            let mut fields = vec![];
            for (name, member) in members {
                fields.push((Text::new(name), from_node(machine, member, at)?));
            }
            Ok(Value::record(&fields, machine.arena))
        }
        Node::Null => Err(machine.undefined("JsonDeserialize", "null is no value of TLA+", at)),
    })
}
