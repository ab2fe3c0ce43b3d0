//! A TLA+ counterexample as text: numbered steps, what each of them changed, and the board when there is one.

use view::{Artist, Style, frame_text};
use workbench::TraceState;

/// Boards stand side by side up to this width.
const WIDTH_MAX: usize = 110;

/// All steps. Not `drawn`, every value is TLA+ text.
pub fn trace_text(trace: &[TraceState], drawn: bool, style: Style) -> String {
    let mut artist = Artist::of_trace(trace.iter().filter(|_| drawn).map(|it| &it.values[..]));
    let mut text = String::new();
    for (i, state) in trace.iter().enumerate() {
        let before = i.checked_sub(1).map(|it| &trace[it]);
        text += &heading(i + 1, state);
        text += &rules(state);
        if drawn {
            let frame = artist.draw(&state.values, before.map(|it| &it.values[..]));
            let picture = frame_text(&frame, before.is_some(), style, WIDTH_MAX);
            text += &indented(&picture);
        } else {
            text += &changed_values(state, before);
        }
    }
    text
}

fn heading(number: usize, state: &TraceState) -> String {
    let place = state
        .location
        .as_deref()
        .map_or(String::new(), |it| format!("  ({it})"));
    format!("{number}: {}{place}\n", state.step())
}

/// Which rules of a conjunction moved in the step, and which stuttered.
fn rules(state: &TraceState) -> String {
    let line = |what: &str, names: &[String]| match names {
        [] => String::new(),
        _ => format!("   {what}: {}\n", names.join(", ")),
    };
    line("moved", &state.moved) + &line("stuttered", &state.stuttered)
}

fn changed_values(state: &TraceState, before: Option<&TraceState>) -> String {
    let mut text = String::new();
    // An alias may show other fields in every state.
    let was = |name: &String, value: &String| {
        before.is_some_and(|it| it.variables.iter().any(|it| (&it.0, &it.1) == (name, value)))
    };
    for (name, value) in state.variables.iter().filter(|it| !was(&it.0, &it.1)) {
        text += &format!("   {name} = {value}\n");
    }
    text
}

pub fn indented(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}
