//! `SVG`: the text of elements, and where to put things.

use bumpalo::collections::Vec as ArenaVec;
use tla_sema::ir::ExprId;
use util::deep;
use value::{Text, Value};

use super::{Given, Row, row};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("SVG", "SVGElemToString", "v", |machine, given, at| {
        let element = machine.value_arg(given, 0);
        let mut text = String::new();
        write_element(machine, element, &mut text, at)?;
        Ok(Value::str(&text))
    }),
    row("SVG", "NodeOfRingNetwork", "vvvvv", |machine, given, at| {
        let mut numbers = [0; 5];
        for (i, number) in numbers.iter_mut().enumerate() {
            let value = machine.value_arg(given, i);
            *number = machine.integer(value, at)?;
        }
        let [cx, cy, r, n, m] = numbers;
        if m == 0 {
            return Err(machine.undefined("NodeOfRingNetwork", "a circle cannot have 0 parts", at));
        }
        let angle = 2.0 * std::f64::consts::PI / m as f64 * n as f64;
        let x = (cx as f64 + r as f64 * angle.cos()) as i64;
        let y = (cy as f64 + r as f64 * angle.sin()) as i64;
        Ok(point(machine, x, y))
    }),
    row("SVG", "PointOnLine", "vvv", |machine, given, at| {
        let [from, to, segment] = machine.values(given);
        let segment = machine.integer(segment, at)?;
        if segment == 0 {
            return Err(machine.undefined("PointOnLine", "a line cannot have 0 parts", at));
        }
        let mut place = |field: &str| -> Result<i64, Fault> {
            let (from, to) = (machine.field(from, field, at)?, machine.field(to, field, at)?);
            let (from, to) = (machine.integer(from, at)?, machine.integer(to, at)?);
            Ok((from as f64 + (to - from) as f64 / segment as f64) as i64)
        };
        let (x, y) = (place("x")?, place("y")?);
        Ok(point(machine, x, y))
    }),
    row("SVG", "NodesOfDirectedMultiGraph", "vvv", |machine, given, at| {
        layout(machine, given, at)
    }),
];

fn point<'t, 'i: 't>(machine: &Machine<'t, 'i>, x: i64, y: i64) -> Value<'t> {
    Value::record(
        &[(Text::new("x"), Value::Int(x)), (Text::new("y"), Value::Int(y))],
        machine.arena,
    )
}

/// Attributes in single quotes, underscores of their names as hyphens; `<<` and `>>` of tuples as entities.
fn write_element<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    element: Value<'t>,
    text: &mut String,
    at: ExprId,
) -> Result<(), Fault> {
    let name = machine.field(element, "name", at)?;
    let name = machine.string(name, at)?;
    text.push_str(&format!("<{name}"));
    let attributes = machine.field(element, "attrs", at)?;
    for (key, value) in machine.graph(attributes, at)? {
        let (key, value) = (machine.string(key, at)?, machine.string(value, at)?);
        text.push_str(&format!(" {}='{value}'", key.as_str().replace('_', "-")));
    }
    text.push('>');
    let inner = machine.field(element, "innerText", at)?;
    let inner = machine.string(inner, at)?;
    text.push_str(&inner.as_str().replace("<<", "&lt;&lt;").replace(">>", "&gt;&gt;"));
    let children = machine.field(element, "children", at)?;
    for (_, child) in machine.graph(children, at)? {
        deep(|| write_element(machine, child, text, at))?;
    }
    text.push_str(&format!("</{name}>"));
    Ok(())
}

/// Nodes in layers: each one below those with an edge to it, as far as there is no cycle; layers from top to bottom,
/// nodes of a layer from left to right.
fn layout<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, given: &[Given<'t, 'i>], at: ExprId) -> Res<'t> {
    let [nodes, edges, options] = machine.values(given);
    let (nodes, edges) = (machine.items(nodes, at)?, machine.items(edges, at)?);
    let mut size = |name: &str| -> Result<i64, Fault> {
        let value = machine.field(options, name, at)?;
        machine.integer(value, at)
    };
    let (width, height) = (size("view_width")?, size("view_height")?);
    let mut links = vec![];
    for &edge in edges {
        let ends = machine.sequence(edge, at)?;
        let index = |end: Option<&Value<'t>>| {
            nodes
                .iter()
                .position(|&it| end.is_some_and(|&end| value::equal(it, end) == Ok(true)))
        };
        if let (Some(from), Some(to)) = (index(ends.first()), index(ends.get(1))) {
            links.push((from, to));
        }
    }
    let layers = layers(nodes.len(), &links);
    let n_layers = layers.iter().max().map_or(0, |it| it + 1);
    let mut n_in_layer = vec![0; n_layers];
    layers.iter().for_each(|&it| n_in_layer[it] += 1);
    let mut placed = vec![0; n_layers];
    let mut pairs = ArenaVec::with_capacity_in(nodes.len(), machine.arena);
    for (&node, &layer) in nodes.iter().zip(&layers) {
        placed[layer] += 1;
        let x = width * placed[layer] / (n_in_layer[layer] + 1);
        let y = height * (layer as i64 + 1) / (n_layers as i64 + 1);
        pairs.push((node, point(machine, x, y)));
    }
    machine.function_of(pairs, at)
}

/// The longest way to each node, edges that close a cycle left out: no way is longer than there are nodes.
fn layers(n: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let mut layers = vec![0; n];
    for _ in 1..n {
        for &(from, to) in links {
            if from != to && layers[from] + 1 > layers[to] && layers[from] + 1 < n {
                layers[to] = layers[from] + 1;
            }
        }
    }
    layers
}
