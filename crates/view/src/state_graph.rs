//! The states of a specification as a graph: for Graphviz, and as a picture while it is small.

use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;
use value::Owned;

use crate::artist::{Artist, Picture};
use crate::board::Board;
use crate::notation::Notation;
use trace::shortened;

/// States and steps between them.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    pub notation: Notation,
    pub states: Vec<GraphState>,
    pub steps: Vec<GraphStep>,
    /// Every reachable state is in it.
    pub is_complete: bool,
}

#[derive(Clone, Debug)]
pub struct GraphState {
    pub values: Vec<(String, Owned)>,
    /// Steps from an initial state.
    pub depth: usize,
    /// It is part of the behaviour that is told.
    pub is_told: bool,
}

/// A step from one place in [`StateGraph::states`] to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphStep {
    pub from: usize,
    pub to: usize,
    /// The action with its parameters.
    pub label: String,
    pub is_told: bool,
}

/// A picture of more is a blot, and its layout takes its time.
pub const PICTURE_STATES_MAX: usize = 150;
const PICTURE_STEPS_MAX: usize = 400;
/// Values in nodes are cut.
const VALUE_MAX: usize = 30;

impl StateGraph {
    /// In the language of Graphviz.
    pub fn dot(&self) -> String {
        let mut text =
            "digraph states {\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n".to_owned();
        let labels = self.labels();
        for (i, (state, label)) in self.states.iter().zip(&labels).enumerate() {
            let told = match state.is_told {
                true => ", color=\"#b4541a\", penwidth=2",
                false => "",
            };
            let look = if state.depth == 0 {
                ", style=\"rounded,bold\""
            } else {
                ""
            };
            text += &format!("  s{i} [label={}{look}{told}];\n", quoted(label));
        }
        for step in &self.steps {
            let told = match step.is_told {
                true => ", color=\"#b4541a\", penwidth=2",
                false => "",
            };
            text += &format!(
                "  s{} -> s{} [label={}{told}];\n",
                step.from,
                step.to,
                quoted(&shortened(&step.label, 60))
            );
        }
        if !self.is_complete {
            text += &format!(
                "  more [shape=plaintext, label={}];\n",
                quoted(&format!("only the first {} states", self.states.len()))
            );
        }
        text + "}\n"
    }

    /// As a picture; a sentence that says why not, where it is too large for one.
    pub fn svg(&self) -> Result<String, String> {
        if self.states.len() > PICTURE_STATES_MAX || self.steps.len() > PICTURE_STEPS_MAX {
            return Err(format!(
                "the graph has {}{} states and {} steps: too large for a picture (up to {PICTURE_STATES_MAX} states \
                 and {PICTURE_STEPS_MAX} steps); Graphviz draws the dot format",
                if self.is_complete { "" } else { "more than " },
                self.states.len(),
                self.steps.len()
            ));
        }
        let mut picture = VisualGraph::new(Orientation::TopToBottom);
        let handles: Vec<_> = self
            .states
            .iter()
            .zip(self.labels())
            .map(|(state, label)| {
                let width = label.lines().map(|it| it.chars().count()).max().unwrap_or(1);
                let size = Point::new(
                    width as f64 * 9.0 + 20.0,
                    label.lines().count() as f64 * 18.0 + 12.0,
                );
                let (line, line_width) = if state.is_told {
                    ("#b4541a", 3)
                } else {
                    ("black", 1)
                };
                let fill = if state.depth == 0 { "#fbe3a1" } else { "white" };
                let look = StyleAttr::new(colour(line), line_width, Some(colour(fill)), 8, 15);
                let shape = ShapeKind::new_box(&label);
                picture.add_node(Element::create(shape, look, Orientation::TopToBottom, size))
            })
            .collect();
        for step in &self.steps {
            // A step to the same state has nowhere to be drawn.
            if step.from != step.to {
                let label = shortened(&step.label, 40);
                picture.add_edge(Arrow::simple(&label), handles[step.from], handles[step.to]);
            }
        }
        let mut writer = SVGWriter::new();
        picture.do_it(false, false, false, &mut writer);
        Ok(writer.finalize())
    }

    /// What each state says in its node: a line for each variable, boards row by row.
    fn labels(&self) -> Vec<String> {
        let mut artist = Artist::new(self.notation);
        self.states.iter().for_each(|it| artist.see(&it.values));
        let label = |state: &GraphState| {
            let frame = artist.draw(&state.values, None);
            let parts = frame.parts.iter().zip(&state.values);
            let lines = parts.map(|(part, (name, value))| match &part.picture {
                Picture::Board(board) => rows(board),
                _ => format!("{name} = {}", shortened(&self.notation.text(value), VALUE_MAX)),
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        self.states.iter().map(label).collect()
    }
}

/// A board without any lines.
fn rows(board: &Board) -> String {
    let cells = (0..board.rows.len).map(|row| {
        let cells = (0..board.columns.len).map(|column| match board.cell(row, column).text.as_str() {
            "" | " " => "·",
            it => it,
        });
        cells.collect::<Vec<_>>().join(" ")
    });
    cells.collect::<Vec<_>>().join("\n")
}

fn colour(name: &str) -> Color {
    match name
        .strip_prefix('#')
        .and_then(|it| u32::from_str_radix(it, 16).ok())
    {
        Some(rgb) => Color::new(rgb << 8 | 0xff),
        None => Color::fast(name),
    }
}

fn quoted(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}
