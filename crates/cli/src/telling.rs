//! A counterexample in the view that was asked for, on standard output or in a file.

use std::fs;

use view::{Notation, StateGraph, Story, Style, TraceFormat};
use workbench::play::{PlayOptions, Session, play};
use workbench::{Behaviour, CheckReport, Overrides, Stop, TraceState, Verdict, Workspace};

use crate::args::{ShowArgs, ViewArg};
use crate::output::{err, out};
use crate::report::output_style;
use crate::world::{Run, World};

/// Boards stand side by side up to this width.
pub const WIDTH_MAX: usize = 110;
/// More states are no graph that anyone looks at.
const GRAPH_STATES_MAX: usize = 2000;

/// What was checked, and how it is to be shown.
pub struct Telling<'a> {
    pub workspace: &'a Workspace<'a>,
    pub spec: &'a str,
    pub config: Option<String>,
    pub overrides: Overrides,
    pub show: &'a ShowArgs,
    /// What is said at the end of a document, if it is not the verdict of a check.
    pub ending: Option<String>,
}

/// What goes to standard output.
pub struct Told {
    pub text: String,
    /// It is for other programs, and nothing else may stand around it.
    pub is_document: bool,
}

impl Telling<'_> {
    /// The trace as it is to be printed; a sentence when that cannot be done.
    pub fn printed(&self, report: &CheckReport) -> Result<Told, String> {
        let view = self.show.printed().unwrap_or(ViewArg::Story(TraceFormat::Trace));
        Ok(Told {
            is_document: view.is_document(),
            text: self.told(report, view, output_style())?,
        })
    }

    /// Writes the trace to the file that was asked for, if any.
    pub fn write_file(&self, report: &CheckReport) -> Result<(), String> {
        let Some((file, view)) = self.show.file()? else {
            return Ok(());
        };
        let text = self.told(report, view, Style::Plain)?;
        if text.is_empty() {
            return Err(format!("there is no trace, so nothing was written to `{file}`"));
        }
        fs::write(file, text).map_err(|it| cannot_be_written(file, &it))
    }

    fn told(&self, report: &CheckReport, view: ViewArg, style: Style) -> Result<String, String> {
        let format = match view {
            ViewArg::Dot => return Ok(self.graph(report)?.dot()),
            ViewArg::Svg => return self.graph(report)?.svg(),
            other => story_format(other)?,
        };
        if report.trace.is_empty() {
            return Ok(String::new());
        }
        let mut story = self.story(report);
        if !view.is_document() {
            // What is to be said at the end stands below the trace anyway.
            (story.ending, story.behaviour.loop_to) = (vec![], None);
        }
        if format == TraceFormat::Html {
            self.draw(report, &mut story);
        }
        Ok(story.write(format, style, WIDTH_MAX))
    }

    fn story(&self, report: &CheckReport) -> Story {
        let why = report.why.clone();
        let verdict = self.ending.clone().unwrap_or_else(|| report.line());
        Story {
            title: self.spec.to_owned(),
            notation: Notation::Tla,
            behaviour: report.trace.clone(),
            ending: [verdict.trim_end().to_owned()].into_iter().chain(why).collect(),
        }
    }

    /// Adds what the specification itself draws.
    fn draw(&self, report: &CheckReport, story: &mut Story) {
        let states = report.states();
        let drawn = self.play(|session| {
            session.visit(&states);
            session.story()
        });
        if let Ok(drawn) = drawn {
            for (scene, drawn) in story.behaviour.states.iter_mut().zip(drawn.behaviour.states) {
                scene.drawings = drawn.drawings;
            }
        }
    }

    fn graph(&self, report: &CheckReport) -> Result<StateGraph, String> {
        if report.verdict == Verdict::Error {
            return Err("there is no graph of a specification that cannot be checked".to_owned());
        }
        let states = report.states();
        self.play(|session| {
            session.visit(&states);
            session.graph(GRAPH_STATES_MAX)
        })?
        .map_err(|it| it.text)
    }

    fn play<R>(&self, ask: impl FnOnce(&mut Session<'_>) -> R) -> Result<R, String> {
        let options = PlayOptions {
            config: self.config.clone(),
            overrides: self.overrides.clone(),
            ..PlayOptions::default()
        };
        let world = World::new(Run::default());
        let played = play(self.workspace, self.spec, &options, &world, &Stop::never(), ask);
        played.map_err(|(_, why)| why.first().map_or(String::new(), |it| it.title.clone()))
    }
}

/// Whether a trace of a TLA+ model can be shown and written as was asked, before anyone waits for it.
pub fn check_show(show: &ShowArgs) -> Result<(), String> {
    let graphs = [ViewArg::Dot, ViewArg::Svg];
    let views = show.printed().into_iter().chain(show.file()?.map(|it| it.1));
    for view in views.filter(|it| !graphs.contains(it)) {
        story_format(view)?;
    }
    check_file(show)
}

/// Whether the file of `--trace-file` has a format and can be written.
pub fn check_file(show: &ShowArgs) -> Result<(), String> {
    let Some((file, _)) = show.file()? else {
        return Ok(());
    };
    let was_there = fs::exists(file).unwrap_or(true);
    let opened = fs::OpenOptions::new().append(true).create(true).open(file);
    let refused = opened.err().map(|it| cannot_be_written(file, &it));
    if !was_there {
        let _ = fs::remove_file(file);
    }
    refused.map_or(Ok(()), Err)
}

pub fn cannot_be_written(file: &str, why: &std::io::Error) -> String {
    format!("`{file}` cannot be written: {why}")
}

/// Prints a trace as a document, if that was asked for, and writes it to a file, if that was. What else there is to say goes
/// to standard output, or beside a document to standard error. False when something could not be done.
pub fn tell(telling: &Telling<'_>, report: &CheckReport, rest: &str) -> bool {
    let mut failed = vec![];
    match telling.show.is_document() {
        false => out(rest),
        true => {
            err(rest.trim_end());
            match telling.printed(report) {
                Ok(told) if told.text.is_empty() => {}
                Ok(told) => out(&told.text),
                Err(why) => failed.push(why),
            }
        }
    }
    failed.extend(telling.write_file(report).err());
    failed.iter().for_each(|it| err(&format!("error: {it}")));
    failed.is_empty()
}

/// A trace for the screen: a document is printed by itself.
pub fn trace_text(trace: &[TraceState], show: &ShowArgs, style: Style) -> String {
    let view = show.printed().unwrap_or(ViewArg::Story(TraceFormat::Trace));
    if view.is_document() {
        return String::new();
    }
    let story = Story {
        behaviour: Behaviour::finite(trace.to_vec()),
        ..Story::default()
    };
    story.write(story_format(view).unwrap_or(TraceFormat::Trace), style, WIDTH_MAX)
}

/// The format of a story that a view is.
pub fn story_format(view: ViewArg) -> Result<TraceFormat, String> {
    Ok(match view {
        ViewArg::Story(format) => format,
        ViewArg::Tree | ViewArg::Xml => {
            return Err("`tree` and `xml` are views of Alloy instances, not of traces".to_owned());
        }
        ViewArg::Dot | ViewArg::Svg => return Err("a graph is no story".to_owned()),
    })
}
