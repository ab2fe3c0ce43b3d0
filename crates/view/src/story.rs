//! A behaviour as a document: the same states in every format that people and programs read.
//!
//! A [`Story`] is what a checker found or a player did: states in their order, perhaps a loop, and what is to be said at
//! the end. Every format is a function from a story to text.

mod animation;
mod csv;
mod itf;
mod json;
mod markdown;
mod page;
mod table;

use trace::{Behaviour, ProcessState, State};
use value::Owned;

use crate::artist::{Artist, Frame, Part, Picture};
use crate::drawing::drawing;
use crate::notation::Notation;
use crate::style::Style;
use crate::text::frame_text;

/// What happened.
///
/// ```
/// use value::Owned;
/// use trace::{Behaviour, State};
/// use view::{Story, Style, TraceFormat};
///
/// let scene = |action: &str, x| State {
///     action: action.to_owned(),
///     values: vec![("x".to_owned(), Owned::Int(x))],
///     ..State::default()
/// };
/// let story = Story { behaviour: Behaviour::finite(vec![scene("Init", 0), scene("Add", 1)]), ..Story::default() };
/// let text = story.write(TraceFormat::Text, Style::Plain, 80);
/// assert_eq!(text, "1: Init\n   x = 0\n2: Add\n   x = 1\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// What was checked or played.
    pub title: String,
    pub notation: Notation,
    pub behaviour: Behaviour<State>,
    /// What is to be said about it: the verdict, and why.
    pub ending: Vec<String>,
}

/// The ways to write a story.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormat {
    /// Names and values, of each step those that changed.
    Text,
    /// Step by step with boards.
    Trace,
    /// One table, as the Alloy Analyzer prints them.
    Table,
    Markdown,
    Json,
    /// A row for each state, with commas.
    Csv,
    /// The Informal Trace Format of Apalache and Quint.
    Itf,
    /// A page that replays the story by itself.
    Html,
    /// The boards as an SVG picture that moves.
    Animation,
}

impl TraceFormat {
    /// Each of them; whoever offers formats offers these.
    pub const ALL: &[TraceFormat] = &[
        TraceFormat::Trace,
        TraceFormat::Table,
        TraceFormat::Text,
        TraceFormat::Markdown,
        TraceFormat::Json,
        TraceFormat::Csv,
        TraceFormat::Itf,
        TraceFormat::Html,
        TraceFormat::Animation,
    ];

    /// What it is called where it is asked for, in a line what it is, and how names of its files end.
    fn called(self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            TraceFormat::Trace => ("trace", "Step by step, with boards", &[".txt"]),
            TraceFormat::Table => ("table", "As the Alloy Analyzer's tables", &[]),
            TraceFormat::Text => ("text", "Names and values, a line each", &[]),
            TraceFormat::Markdown => ("markdown", "For reports", &[".md"]),
            TraceFormat::Json => ("json", "For programs", &[".json"]),
            TraceFormat::Csv => ("csv", "A row for each state, for spreadsheets", &[".csv"]),
            TraceFormat::Itf => (
                "itf",
                "The trace format of Apalache and Quint",
                &[".itf.json", ".itf"],
            ),
            TraceFormat::Html => ("html", "A page that replays the trace", &[".html"]),
            TraceFormat::Animation => ("animation", "The boards as an SVG picture that moves", &[".svg"]),
        }
    }

    pub fn name(self) -> &'static str {
        self.called().0
    }

    pub fn about(self) -> &'static str {
        self.called().1
    }

    /// Whether it is for other programs: then nothing else is printed around it.
    pub fn is_document(self) -> bool {
        !matches!(self, TraceFormat::Trace | TraceFormat::Table | TraceFormat::Text)
    }

    /// The format that the ending of a file's name says.
    pub fn of_file(name: &str) -> Option<TraceFormat> {
        let name = name.to_ascii_lowercase();
        let endings = TraceFormat::ALL
            .iter()
            .flat_map(|format| format.called().2.iter().map(move |ending| (ending, *format)));
        // `.itf.json` is not `.json`.
        let matching = endings.filter(|it| name.ends_with(it.0));
        matching.max_by_key(|it| it.0.len()).map(|it| it.1)
    }
}

impl Story {
    /// The story in a format. Only text for a terminal has a style and a width.
    pub fn write(&self, format: TraceFormat, style: Style, width_max: usize) -> String {
        match format {
            TraceFormat::Text => self.text(),
            TraceFormat::Trace => self.drawn(style, width_max),
            TraceFormat::Table => table::write(self, style),
            TraceFormat::Markdown => markdown::write(self),
            TraceFormat::Json => json::write(self),
            TraceFormat::Csv => csv::write(self),
            TraceFormat::Itf => itf::write(self),
            TraceFormat::Html => page::write(self),
            TraceFormat::Animation => animation::write(self),
        }
    }

    /// The picture of every scene, each with what is different from the one before.
    pub fn frames(&self) -> Vec<Frame> {
        let mut artist = Artist::new(self.notation);
        self.behaviour.states.iter().for_each(|it| artist.see(&shown(it)));
        let mut before: Option<&State> = None;
        let mut frames = vec![];
        for scene in &self.behaviour.states {
            let mut frame = artist.draw(&shown(scene), before.map(shown).as_deref());
            let drawings = scene.drawings.iter();
            frame.parts.extend(drawings.filter_map(|(name, value)| {
                Some(Part {
                    name: name.clone(),
                    is_changed: true,
                    picture: Picture::Svg(drawing(value)?),
                })
            }));
            frames.push(frame);
            before = Some(scene);
        }
        frames
    }

    /// Step by step, every value as text.
    fn text(&self) -> String {
        let mut text = String::new();
        for (i, scene) in self.behaviour.states.iter().enumerate() {
            text += &heading(i, scene);
            text += &notes(scene);
            text += &places(scene);
            let before = i.checked_sub(1).map(|it| &self.behaviour.states[it].values);
            // An alias may show other fields in every state.
            let is_new = |it: &&(String, Owned)| !before.is_some_and(|old| old.contains(it));
            for (name, value) in shown(scene).iter().filter(is_new) {
                text += &format!("   {name} = {}\n", self.notation.text(value));
            }
        }
        text + &self.told_ending()
    }

    /// Step by step, with boards.
    fn drawn(&self, style: Style, width_max: usize) -> String {
        let mut text = String::new();
        for (i, (scene, frame)) in self.behaviour.states.iter().zip(self.frames()).enumerate() {
            text += &heading(i, scene);
            text += &notes(scene);
            text += &places(scene);
            text += &indented(&frame_text(&frame, i > 0, style, width_max));
        }
        text + &self.told_ending()
    }

    fn told_ending(&self) -> String {
        let lines = self.loop_line().into_iter().chain(self.ending.iter().cloned());
        lines.map(|it| it + "\n").collect()
    }

    /// The step to a scene with its number; steps of some languages have no names.
    fn numbered(&self, index: usize) -> String {
        match self.behaviour.states[index].step() {
            it if it.is_empty() => format!("{}", index + 1),
            it => format!("{}. {it}", index + 1),
        }
    }

    /// What comes after the last scene, if anything does.
    fn loop_line(&self) -> Option<String> {
        self.behaviour
            .loop_to
            .map(|to| match to + 1 == self.behaviour.states.len() {
                true => "then stutters for ever".to_owned(),
                false => format!("then back to state {}", to + 1),
            })
    }
}

fn heading(index: usize, scene: &State) -> String {
    let place = scene.location.as_deref();
    let place = place.map_or(String::new(), |it| format!("  ({it})"));
    match scene.action.is_empty() {
        true => format!("{}{place}\n", index + 1),
        false => format!("{}: {}{place}\n", index + 1, scene.step()),
    }
}

/// Which statements of an algorithm ran in the step; which rules of a conjunction moved, and which stuttered.
fn notes(scene: &State) -> String {
    let ran = scene.algorithm.iter().flat_map(|it| &it.statements);
    let ran = ran.map(|it| format!("   line {}: {}\n", it.line, it.text));
    let rules = [("moved", &scene.moved), ("stuttered", &scene.stuttered)];
    let rules = rules.into_iter().filter(|it| !it.1.is_empty());
    let rules = rules.map(|(what, names)| format!("   {what}: {}\n", names.join(", ")));
    ran.chain(rules).collect()
}

/// The variables that are drawn: where the processes of an algorithm are is told by [`places`].
fn shown(scene: &State) -> Vec<(String, Owned)> {
    let is_told = |name: &str| {
        let mut told = scene.algorithm.iter().flat_map(|it| &it.told);
        told.any(|it| *it == name)
    };
    let all = scene.values.iter().filter(|it| !is_told(&it.0));
    all.cloned().collect()
}

/// The processes of an algorithm below each other, each with the line that it is at, and a mark at those that moved.
fn places(scene: &State) -> String {
    let Some(algorithm) = &scene.algorithm else {
        return String::new();
    };
    let width = |of: fn(&ProcessState) -> &str| {
        let widths = algorithm.processes.iter().map(|it| of(it).chars().count());
        widths.max().unwrap_or(0)
    };
    let (who, label) = (width(|it| &it.name), width(|it| &it.label));
    let mut text = String::new();
    for it in &algorithm.processes {
        let mark = if it.moved { '>' } else { ' ' };
        let mut line = format!(" {mark} {:who$}", it.name);
        line += if who > 0 { "  " } else { "" };
        line += &format!("{:label$}", it.label);
        if let Some(place) = &it.place {
            line += &format!("  line {}: {}", place.line, place.text);
        }
        line += &it.called().map_or(String::new(), |it| format!("  ({it})"));
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}

#[cfg(test)]
mod tests;
