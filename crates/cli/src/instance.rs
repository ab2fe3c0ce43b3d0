//! Instances in the views that can be asked for.

use serde_json::{Map, Value, json};
use view::instance::{About, dot, lines, snapshot, steps, svg, tables, tree, xml};
use view::{Notation, Story, Style, TraceFormat};
use workbench::{Behaviour, Instance, TraceState};

use crate::args::ViewArg;
use crate::telling::WIDTH_MAX;

/// The instance as text. Without a view it is a story if it is about time, else tables.
pub fn shown(instance: &Instance, view: Option<ViewArg>, about: &About, style: Style) -> String {
    let each = |of_state: &dyn Fn(usize) -> String| {
        let n_states = instance.states.states.len();
        (0..n_states)
            .map(|state| {
                let heading = match n_states > 1 && !view.is_some_and(ViewArg::is_document) {
                    true => format!("state {}\n", state + 1),
                    false => String::new(),
                };
                heading + &of_state(state)
            })
            .collect::<String>()
    };
    match view {
        None if instance.states.loop_to.is_some() => story(instance, about, TraceFormat::Trace, style),
        None | Some(ViewArg::Story(TraceFormat::Table)) => each(&|state| tables(instance, state, style)),
        Some(ViewArg::Story(TraceFormat::Text)) => each(&|state| lines(instance, state)),
        Some(ViewArg::Tree) => each(&|state| tree(instance, state)),
        Some(ViewArg::Dot) => each(&|state| dot(instance, state)),
        Some(ViewArg::Svg) => {
            each(&|state| svg(instance, state).unwrap_or_else(|| "<!-- too large for a picture -->\n".into()))
        }
        Some(ViewArg::Story(TraceFormat::Json)) => format!("{}\n", instance_json(instance)),
        Some(ViewArg::Xml) => xml(instance, about),
        Some(ViewArg::Story(format)) => story(instance, about, format, style),
    }
}

/// Step by step in a format; one scene when nothing in the instance is about time.
fn story(instance: &Instance, about: &About, format: TraceFormat, style: Style) -> String {
    let told = steps(instance);
    let constants = told.as_ref().map_or(vec![], |it| it.constants.clone());
    let is_text = format == TraceFormat::Trace;
    let mut text = String::new();
    let behaviour = match told {
        None if is_text => return tables(instance, 0, style),
        None => Behaviour::finite(vec![TraceState {
            action: "instance".to_owned(),
            values: snapshot(instance, 0),
            ..TraceState::default()
        }]),
        Some(mut told) => {
            if is_text {
                for (name, value) in &told.constants {
                    text += &format!("{name} = {}\n", Notation::Alloy.text(value));
                }
            } else {
                // What stays is a part of every state.
                for state in &mut told.behaviour.states {
                    state.values.splice(0..0, constants.iter().cloned());
                }
            }
            told.behaviour
        }
    };
    let story = Story {
        title: about.command.clone(),
        notation: Notation::Alloy,
        behaviour,
        ending: vec![],
    };
    text + &story.write(format, style, WIDTH_MAX)
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
