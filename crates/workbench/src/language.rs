//! The languages: what the workbench has to know of one, and the one place where they are told apart.
//!
//! A language is an implementation of [`Speaks`] and a line in [`Language::speaker`]. Front ends ask a [`Language`] and do not look which one
//! it is; where one of them can do more than the others (walks need steps, instances need commands), they ask for that.

use std::path::Path;

use alloy_lower::Stop;
use diag::Diagnostic;
use source::{FileId, Sources};
use tla_eval::effects::Effects;

use crate::open::is_markdown;
use crate::overrides::Overrides;
use crate::play::{self, PlayOptions, Session};
use crate::workspace::{Refused, Workspace};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    Tla,
    Alloy,
}

const ALL: [Language; 2] = [Language::Tla, Language::Alloy];

/// What a language brings.
pub(crate) trait Speaks {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// What programs call it.
    fn tag(&self) -> &'static str;

    /// How names of its files end.
    fn ending(&self) -> &'static str;

    /// What its code is marked with in Markdown.
    fn fences(&self) -> &'static [&'static str];

    /// What its parser is given of a text.
    fn code(&self, path: &str, text: &str) -> String;

    /// Whether a specification says which states there are and which steps lead on: such a one can be searched, walked through and
    /// solved. Otherwise it has commands, which have instances.
    fn has_steps(&self) -> bool;

    /// What is wrong with a specification and its model, before anything is searched.
    fn diagnose(
        &self,
        workspace: &Workspace<'_>,
        spec: &str,
        config: Option<&str>,
        overrides: &Overrides,
    ) -> Refused;

    /// Lends a session of play.
    fn play(&self, played: Played<'_, '_>, ask: &mut dyn FnMut(&mut Session<'_>)) -> Result<(), Refused>;

    /// Translates an algorithm that is written in a text, if the language has such.
    fn translate(
        &self,
        _text: &str,
        _file: FileId,
        _options: &pluscal::Options,
    ) -> (Option<pluscal::Translation>, Vec<Diagnostic>) {
        (None, vec![])
    }
}

/// What is to be played, and how.
#[derive(Clone, Copy)]
pub(crate) struct Played<'a, 'h> {
    pub workspace: &'a Workspace<'h>,
    pub spec: &'a str,
    pub options: &'a PlayOptions,
    pub effects: &'a (dyn Effects + Sync),
    pub stop: &'a Stop,
}

impl Language {
    /// The only place where languages are told apart.
    pub(crate) fn speaker(self) -> &'static dyn Speaks {
        match self {
            Language::Tla => &Tla,
            Language::Alloy => &Alloy,
        }
    }

    /// The language of a file, by the ending of its name, or of Markdown, by the first language that has code in it.
    pub(crate) fn of(path: &str, text: &str) -> Option<Language> {
        let ending = Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
        let has_code = |it: &Language| !source::fenced(text, it.speaker().fences()).trim().is_empty();
        let mut all = ALL.into_iter();
        match is_markdown(path) {
            true => all.find(has_code),
            false => all.find(|it| it.speaker().ending() == ending),
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        self.speaker().name()
    }

    /// What programs call it.
    pub fn tag(self) -> &'static str {
        self.speaker().tag()
    }

    /// Whether its specifications are made of states and steps: these can be searched, walked through and solved.
    pub fn has_steps(self) -> bool {
        self.speaker().has_steps()
    }
}

/// What is wrong with a specification and its model, before anything is searched.
pub fn diagnose(
    workspace: &Workspace<'_>,
    spec: &str,
    config: Option<&str>,
    overrides: &Overrides,
) -> (Sources, Vec<Diagnostic>) {
    match workspace.open(spec) {
        Ok(opened) => opened
            .language
            .speaker()
            .diagnose(workspace, spec, config, overrides),
        Err(refused) => refused,
    }
}

struct Tla;

impl Speaks for Tla {
    fn name(&self) -> &'static str {
        "TLA+"
    }

    fn tag(&self) -> &'static str {
        "tla"
    }

    fn ending(&self) -> &'static str {
        "tla"
    }

    fn fences(&self) -> &'static [&'static str] {
        &["tla", "tla+", "tlaplus"]
    }

    fn code(&self, path: &str, text: &str) -> String {
        match is_markdown(path) {
            true => source::fenced(text, self.fences()),
            false => text.to_owned(),
        }
    }

    fn has_steps(&self) -> bool {
        true
    }

    fn diagnose(
        &self,
        workspace: &Workspace<'_>,
        spec: &str,
        config: Option<&str>,
        overrides: &Overrides,
    ) -> Refused {
        match workspace.model(spec, config, overrides) {
            Ok(file) => (file.sources.clone(), file.diagnostics.clone()),
            Err(refused) => refused,
        }
    }

    fn play(&self, played: Played<'_, '_>, ask: &mut dyn FnMut(&mut Session<'_>)) -> Result<(), Refused> {
        play::tla::play(played, ask)
    }

    fn translate(
        &self,
        text: &str,
        file: FileId,
        options: &pluscal::Options,
    ) -> (Option<pluscal::Translation>, Vec<Diagnostic>) {
        pluscal::translate(text, file, options)
    }
}

struct Alloy;

impl Speaks for Alloy {
    fn name(&self) -> &'static str {
        "Alloy"
    }

    fn tag(&self) -> &'static str {
        "alloy"
    }

    fn ending(&self) -> &'static str {
        "als"
    }

    fn fences(&self) -> &'static [&'static str] {
        &["alloy", "als"]
    }

    /// Alloy reads Markdown itself, because it opens Markdown files too.
    fn code(&self, _path: &str, text: &str) -> String {
        text.to_owned()
    }

    fn has_steps(&self) -> bool {
        false
    }

    fn diagnose(&self, workspace: &Workspace<'_>, spec: &str, _: Option<&str>, _: &Overrides) -> Refused {
        match workspace.alloy(spec) {
            Ok(file) => (file.sources.clone(), file.resolved.diagnostics.clone()),
            Err(refused) => refused,
        }
    }

    fn play(&self, played: Played<'_, '_>, ask: &mut dyn FnMut(&mut Session<'_>)) -> Result<(), Refused> {
        play::alloy::play(played, ask)
    }
}
