//! Instances in the views that can be asked for.

use serde_json::{Map, Value, json};
use view::instance::{About, dot, lines, steps, svg, tables, tree, xml};
use view::{Artist, Notation, Style, frame_text};
use workbench::Instance;

use crate::args::ViewArg;
use crate::trace_text::indented;

const WIDTH_MAX: usize = 110;

/// Whether a view is a document for other programs.
pub fn is_document(view: ViewArg) -> bool {
    matches!(view, ViewArg::Dot | ViewArg::Svg | ViewArg::Json | ViewArg::Xml)
}

/// The instance as text. Without a view it is a story if it is about time, else tables.
pub fn shown(instance: &Instance, view: Option<ViewArg>, about: &About, style: Style) -> String {
    let each = |of_state: &dyn Fn(usize) -> String| {
        let n_states = instance.states.states.len();
        (0..n_states)
            .map(|state| {
                let heading = match n_states > 1 && !view.is_some_and(is_document) {
                    true => format!("state {}\n", state + 1),
                    false => String::new(),
                };
                heading + &of_state(state)
            })
            .collect::<String>()
    };
    match view {
        None if instance.states.loop_to.is_some() => story(instance, style),
        None | Some(ViewArg::Table) => each(&|state| tables(instance, state, style)),
        Some(ViewArg::Trace) => story(instance, style),
        Some(ViewArg::Text) => each(&|state| lines(instance, state)),
        Some(ViewArg::Tree) => each(&|state| tree(instance, state)),
        Some(ViewArg::Dot) => each(&|state| dot(instance, state)),
        Some(ViewArg::Svg) => {
            each(&|state| svg(instance, state).unwrap_or_else(|| "<!-- too large for a picture -->\n".into()))
        }
        Some(ViewArg::Json) => format!("{}\n", instance_json(instance)),
        Some(ViewArg::Xml) => xml(instance, about),
    }
}

/// Step by step, with boards; tables when nothing in the instance is about time.
fn story(instance: &Instance, style: Style) -> String {
    let Some(story) = steps(instance) else {
        return tables(instance, 0, style);
    };
    let mut text = String::new();
    for (name, value) in &story.constants {
        text += &format!("{name} = {}\n", Notation::Alloy.text(value));
    }
    let mut artist = Artist::of_trace(story.moments.iter().map(|it| &it.state[..]));
    artist.notation = Notation::Alloy;
    for (i, moment) in story.moments.iter().enumerate() {
        let before = i.checked_sub(1).map(|it| &story.moments[it].state[..]);
        let name = moment
            .name
            .as_deref()
            .map_or(String::new(), |it| format!(": {it}"));
        text += &format!("{}{name}\n", i + 1);
        let frame = artist.draw(&moment.state, before);
        text += &indented(&frame_text(&frame, before.is_some(), style, WIDTH_MAX));
    }
    if let Some(to) = story.loop_to {
        text += &format!("and on from step {}, for ever\n", to + 1);
    }
    text
}

/// As programs read it. Fields may be added; these stay.
pub fn instance_json(instance: &Instance) -> Value {
    use workbench::{RelationKind, SigOrigin};
    let label = |sig: usize| instance.sigs[sig].label.as_str();
    let name = |i: usize| match instance.relations[i].kind {
        RelationKind::Sig(sig) => label(sig).to_string(),
        RelationKind::Field(sig) => format!("{}<:{}", label(sig), instance.relations[i].name),
        RelationKind::Skolem => instance.relations[i].name.clone(),
    };
    let shown: Vec<usize> = (0..instance.relations.len())
        .filter(|&it| !instance.relations[it].is_meta && name(it) != "none")
        .collect();
    let sigs = instance.sigs.iter().filter(|it| !it.is_meta).map(|sig| {
        let parents: Vec<&str> = match &sig.origin {
            SigOrigin::Builtin { parent } => parent.iter().map(|&it| label(it)).collect(),
            SigOrigin::Top => vec![],
            SigOrigin::Extends(parent) => vec![label(*parent)],
            SigOrigin::Subset { parents, .. } => parents.iter().map(|&it| label(it)).collect(),
        };
        let is_subset = matches!(sig.origin, SigOrigin::Subset { .. });
        json!({ "label": sig.label, "parents": parents, "subset": is_subset, "private": sig.is_private })
    });
    let states = (0..instance.states.states.len()).map(|state| {
        let values = shown.iter().map(|&it| {
            let tuples = instance.tuples(it, state).iter();
            let tuples: Vec<Vec<&str>> = tuples
                .map(|tuple| tuple.iter().map(|&it| instance.name(it)).collect())
                .collect();
            (name(it), json!(tuples))
        });
        Value::Object(values.collect::<Map<String, Value>>())
    });
    json!({
        "sigs": sigs.collect::<Vec<_>>(),
        "states": states.collect::<Vec<_>>(),
        "loop": instance.states.loop_to,
        "bitwidth": instance.bit_width,
        "maxseq": instance.max_seq,
    })
}
