//! A behaviour as a document: the same states in every format that people and programs read.
//!
//! A [`Story`] is what a checker found or a player did: scenes in their order, perhaps a loop, and what is to be said at
//! the end. Every format is a function from a story to text.

mod animation;
mod itf;
mod json;
mod markdown;
mod page;
mod table;

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
/// use view::{Scene, Story, Style, TraceFormat};
///
/// let scene = |action: &str, x| Scene {
///     action: action.to_owned(),
///     state: vec![("x".to_owned(), Owned::Int(x))],
///     ..Scene::default()
/// };
/// let story = Story { scenes: vec![scene("Init", 0), scene("Add", 1)], ..Story::default() };
/// let text = story.write(TraceFormat::Text, Style::Plain, 80);
/// assert_eq!(text, "1: Init\n   x = 0\n2: Add\n   x = 1\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// What was checked or played.
    pub title: String,
    pub notation: Notation,
    pub scenes: Vec<Scene>,
    /// The scene that follows the last one.
    pub loop_to: Option<usize>,
    /// What is to be said about it: the verdict, and why.
    pub ending: Vec<String>,
}

/// A state, and the step to it.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub action: String,
    /// Parameters and bound names of the action.
    pub parameters: Vec<(String, String)>,
    pub location: Option<String>,
    pub state: Vec<(String, Owned)>,
    /// What else is to be said about the step, a line each.
    pub notes: Vec<String>,
    /// What the step is called, where that is not the action with its parameters.
    pub headline: Option<String>,
    /// Where each process is.
    pub places: Vec<Place>,
    /// Variables of the state that `places` tells: people are not shown them again.
    pub told: Vec<String>,
    /// What the specification itself draws of the state: elements of the module `SVG`.
    pub drawings: Vec<(String, Owned)>,
}

/// Where a process is in the text of its program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Empty where there is only one process.
    pub process: String,
    pub label: String,
    /// The line of the label, and what stands there.
    pub line: Option<(u32, String)>,
    /// The last step was one of its steps.
    pub moved: bool,
    /// What else is to be said: the procedures that it is in.
    pub note: String,
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
    /// The Informal Trace Format of Apalache and Quint.
    Itf,
    /// A page that replays the story by itself.
    Html,
    /// The boards as an SVG picture that moves.
    Animation,
}

impl TraceFormat {
    /// The format that the ending of a file's name says.
    pub fn of_file(name: &str) -> Option<TraceFormat> {
        const ENDINGS: [(&str, TraceFormat); 7] = [
            (".itf.json", TraceFormat::Itf),
            (".itf", TraceFormat::Itf),
            (".json", TraceFormat::Json),
            (".md", TraceFormat::Markdown),
            (".svg", TraceFormat::Animation),
            (".html", TraceFormat::Html),
            (".txt", TraceFormat::Trace),
        ];
        let name = name.to_ascii_lowercase();
        ENDINGS.iter().find(|it| name.ends_with(it.0)).map(|it| it.1)
    }
}

impl Scene {
    /// The action with its parameters, `Move(p = 1)`. Long values are cut.
    pub fn step(&self) -> String {
        if let Some(headline) = &self.headline {
            return headline.clone();
        }
        let parameters = self.parameters.iter();
        let all: Vec<String> = parameters
            .map(|(name, value)| format!("{name} = {}", shortened(value, 60)))
            .collect();
        match all.is_empty() {
            true => self.action.clone(),
            false => format!("{}({})", self.action, all.join(", ")),
        }
    }
}

impl Scene {
    /// The variables that are drawn.
    fn shown(&self) -> Vec<(String, Owned)> {
        let all = self.state.iter().filter(|it| !self.told.contains(&it.0));
        all.cloned().collect()
    }

    /// The processes below each other, with a mark at those that moved.
    fn places_text(&self) -> String {
        let width = |of: fn(&Place) -> &str| {
            let widths = self.places.iter().map(|it| of(it).chars().count());
            widths.max().unwrap_or(0)
        };
        let (who, label) = (width(|it| &it.process), width(|it| &it.label));
        let mut text = String::new();
        for it in &self.places {
            let mark = if it.moved { '>' } else { ' ' };
            let mut line = format!(" {mark} {:who$}", it.process);
            line += if who > 0 { "  " } else { "" };
            line += &format!("{:label$}", it.label);
            if let Some((number, code)) = &it.line {
                line += &format!("  line {number}: {code}");
            }
            if !it.note.is_empty() {
                line += &format!("  ({})", it.note);
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
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
            TraceFormat::Itf => itf::write(self),
            TraceFormat::Html => page::write(self),
            TraceFormat::Animation => animation::write(self),
        }
    }

    /// The picture of every scene, each with what is different from the one before.
    pub fn frames(&self) -> Vec<Frame> {
        let mut artist = Artist::new(self.notation);
        self.scenes.iter().for_each(|it| artist.see(&it.shown()));
        let mut before: Option<&Scene> = None;
        let mut frames = vec![];
        for scene in &self.scenes {
            let mut frame = artist.draw(&scene.shown(), before.map(Scene::shown).as_deref());
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
        for (i, scene) in self.scenes.iter().enumerate() {
            text += &heading(i, scene);
            text += &notes(scene);
            text += &scene.places_text();
            let before = i.checked_sub(1).map(|it| &self.scenes[it].state);
            // An alias may show other fields in every state.
            let is_new = |it: &&(String, Owned)| !before.is_some_and(|old| old.contains(it));
            for (name, value) in scene.shown().iter().filter(is_new) {
                text += &format!("   {name} = {}\n", self.notation.text(value));
            }
        }
        text + &self.told_ending()
    }

    /// Step by step, with boards.
    fn drawn(&self, style: Style, width_max: usize) -> String {
        let mut text = String::new();
        for (i, (scene, frame)) in self.scenes.iter().zip(self.frames()).enumerate() {
            text += &heading(i, scene);
            text += &notes(scene);
            text += &scene.places_text();
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
        match self.scenes[index].step() {
            it if it.is_empty() => format!("{}", index + 1),
            it => format!("{}. {it}", index + 1),
        }
    }

    /// What comes after the last scene, if anything does.
    fn loop_line(&self) -> Option<String> {
        self.loop_to.map(|to| match to + 1 == self.scenes.len() {
            true => "then stutters for ever".to_owned(),
            false => format!("then back to state {}", to + 1),
        })
    }
}

fn heading(index: usize, scene: &Scene) -> String {
    let place = scene.location.as_deref();
    let place = place.map_or(String::new(), |it| format!("  ({it})"));
    match scene.action.is_empty() {
        true => format!("{}{place}\n", index + 1),
        false => format!("{}: {}{place}\n", index + 1, scene.step()),
    }
}

fn notes(scene: &Scene) -> String {
    scene.notes.iter().map(|it| format!("   {it}\n")).collect()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}

/// On one line, and cut if it is long.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
