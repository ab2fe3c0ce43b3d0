//! An instance as a graph: atoms are nodes, tuples of fields are arrows. For Graphviz, and as a picture.
//!
//! A tuple of more than two atoms is an arrow from the first to the last, labelled with those between, as in the
//! Analyzer. Sets that are no types of their own (subsets, witnesses) are written into the nodes.

use std::collections::BTreeMap;

use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;
use trace::{AtomId, Instance, SigOrigin};

use super::{shown_fields, shown_sigs, skolems};

/// Beyond this the picture would be a blot, and the layout would take its time.
const NODES_MAX: usize = 300;
const EDGES_MAX: usize = 600;

struct Graph {
    /// By atom: name, and the sets that it is in.
    nodes: BTreeMap<AtomId, Vec<String>>,
    edges: Vec<(AtomId, AtomId, String)>,
}

impl Graph {
    fn new(instance: &Instance, state: usize) -> Graph {
        let mut nodes: BTreeMap<AtomId, Vec<String>> = BTreeMap::new();
        let mut edges: BTreeMap<(AtomId, AtomId), Vec<String>> = BTreeMap::new();
        for (sig, declared, relation) in shown_sigs(instance) {
            let is_subset = matches!(declared.origin, SigOrigin::Subset { .. });
            for tuple in instance.tuples(relation, state) {
                let sets = nodes.entry(tuple[0]).or_default();
                if is_subset {
                    sets.push(instance.relations[relation].name.clone());
                }
            }
            for field in shown_fields(instance, sig) {
                let name = &instance.relations[field].name;
                for tuple in instance.tuples(field, state) {
                    let (first, last) = (tuple[0], tuple[tuple.len() - 1]);
                    let between = tuple[1..tuple.len() - 1].iter().map(|&it| instance.name(it));
                    let between: Vec<&str> = between.collect();
                    let label = match between.is_empty() {
                        true => name.clone(),
                        false => format!("{name}[{}]", between.join(", ")),
                    };
                    nodes.entry(first).or_default();
                    nodes.entry(last).or_default();
                    edges.entry((first, last)).or_default().push(label);
                }
            }
        }
        for (relation, it) in skolems(instance).filter(|(_, it)| it.arity == 1) {
            for tuple in instance.tuples(relation, state) {
                nodes.entry(tuple[0]).or_default().push(it.name.clone());
            }
        }
        let edges = edges
            .into_iter()
            .map(|((from, to), labels)| (from, to, labels.join(", ")));
        Graph {
            nodes,
            edges: edges.collect(),
        }
    }

    fn node_label(&self, instance: &Instance, atom: AtomId) -> String {
        let sets = &self.nodes[&atom];
        match sets.is_empty() {
            true => instance.name(atom).to_string(),
            false => format!("{}\n({})", instance.name(atom), sets.join(", ")),
        }
    }
}

/// The graph in the language of Graphviz.
pub fn dot(instance: &Instance, state: usize) -> String {
    let graph = Graph::new(instance, state);
    let mut text = "digraph instance {\n  node [shape=box, style=rounded];\n".to_string();
    for &atom in graph.nodes.keys() {
        let label = graph.node_label(instance, atom);
        text += &format!("  n{} [label={}];\n", atom.0, quoted(&label));
    }
    for (from, to, label) in &graph.edges {
        text += &format!("  n{} -> n{} [label={}];\n", from.0, to.0, quoted(label));
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}

/// The graph as a picture; none when it is too large for one.
pub fn svg(instance: &Instance, state: usize) -> Option<String> {
    let graph = Graph::new(instance, state);
    if graph.nodes.is_empty() || graph.nodes.len() > NODES_MAX || graph.edges.len() > EDGES_MAX {
        return None;
    }
    let look = StyleAttr::new(Color::fast("black"), 1, Some(Color::fast("white")), 8, 15);
    let mut picture = VisualGraph::new(Orientation::TopToBottom);
    let handles: BTreeMap<AtomId, _> = graph
        .nodes
        .keys()
        .map(|&atom| {
            let label = graph.node_label(instance, atom);
            let width = label.lines().map(|it| it.chars().count()).max().unwrap_or(1);
            let size = Point::new(
                width as f64 * 9.0 + 20.0,
                label.lines().count() as f64 * 18.0 + 12.0,
            );
            let shape = ShapeKind::new_box(&label);
            let element = Element::create(shape, look.clone(), Orientation::TopToBottom, size);
            (atom, picture.add_node(element))
        })
        .collect();
    for (from, to, label) in &graph.edges {
        picture.add_edge(Arrow::simple(label), handles[from], handles[to]);
    }
    let mut writer = SVGWriter::new();
    picture.do_it(false, false, false, &mut writer);
    Some(writer.finalize())
}
