//! Texts that are added to a specification from outside: formulas of options, definitions at a prompt.
//!
//! They are put into a module that extends the specification, so they see its names. Each text is also a source of its
//! own, named after where it came from: a mistake is shown there, and not in a module that nobody has written.

use diag::Diagnostic;
use source::{FileId, Sources, Span};

/// The names of added definitions begin with this.
const PREFIX: &str = "CommandLine_";

/// The module that is written around the texts.
#[derive(Clone, Debug)]
pub(crate) struct Added {
    text: String,
    parts: Vec<Part>,
    /// The module as a source, once it is complete.
    file: Option<FileId>,
}

#[derive(Clone, Debug)]
struct Part {
    /// Of the definition that was made of it, if any.
    name: Option<String>,
    /// What people call it.
    shown: String,
    start: u32,
    /// The source of its own.
    file: FileId,
    len: u32,
}

impl Added {
    pub fn new(extends: &[&str]) -> Added {
        Added {
            text: format!("---- MODULE CommandLine ----\nEXTENDS {}\n", extends.join(", ")),
            parts: vec![],
            file: None,
        }
    }

    /// Adds an expression as a definition, and gives its name. `origin` is what its source is called.
    pub fn define(&mut self, origin: &str, expr: &str, sources: &mut Sources) -> String {
        let name = format!("{PREFIX}{}", self.parts.len() + 1);
        // The expression begins a line, so that its columns are its author's.
        self.text += &format!("{name} ==\n");
        self.part(Some(name.clone()), origin, expr, sources);
        name
    }

    /// As [`Added::define`], with a parameter.
    pub fn define_with(
        &mut self,
        parameter: &str,
        origin: &str,
        expr: &str,
        sources: &mut Sources,
    ) -> String {
        let name = format!("{PREFIX}{}", self.parts.len() + 1);
        self.text += &format!("{name}({parameter}) ==\n");
        self.part(Some(name.clone()), origin, expr, sources);
        name
    }

    /// The negation of a definition that was added.
    pub fn negate(&mut self, name: &str) -> String {
        let negation = format!("{name}_not");
        self.text += &format!("{negation} == ~{name}\n");
        negation
    }

    /// Adds definitions as they are.
    pub fn units(&mut self, origin: &str, text: &str, sources: &mut Sources) {
        self.part(None, origin, text, sources);
    }

    fn part(&mut self, name: Option<String>, origin: &str, text: &str, sources: &mut Sources) {
        self.parts.push(Part {
            name,
            shown: text.split_whitespace().collect::<Vec<_>>().join(" "),
            start: self.text.len() as u32,
            file: sources.add(origin, text),
            len: text.len() as u32,
        });
        self.text += text;
        self.text.push('\n');
    }

    /// The module as a source.
    pub fn finish(&mut self, sources: &mut Sources) -> FileId {
        self.text += "====\n";
        let file = sources.add("command line", self.text.clone());
        self.file = Some(file);
        file
    }

    /// The span of an added definition's text, in the module.
    pub fn span(&self, name: &str) -> Option<Span> {
        let part = self.parts.iter().find(|it| it.name.as_deref() == Some(name))?;
        Some(Span::new(self.file?, part.start, part.start + part.len))
    }

    /// What people call an added definition.
    pub fn shown(&self, name: &str) -> Option<&str> {
        let part = self.parts.iter().find(|it| it.name.as_deref() == Some(name))?;
        Some(&part.shown)
    }

    /// A span where its author wrote it.
    pub fn place(&self, span: Span) -> Span {
        if Some(span.file) != self.file {
            return span;
        }
        // What is missing at the end of a text is found where the next one begins.
        let part = self.parts.iter().rfind(|it| it.start <= span.start);
        part.map_or(span, |it| {
            let within = |offset: u32| offset.saturating_sub(it.start).min(it.len);
            Span::new(it.file, within(span.start), within(span.end))
        })
    }

    /// Puts places and names of a diagnostic as their author knows them.
    pub fn retell(&self, diagnostic: &mut Diagnostic) {
        // Nobody has written what stands around the texts.
        diagnostic.secondary.retain(|it| self.is_written(it.span));
        let labels = diagnostic.primary.iter_mut().chain(&mut diagnostic.secondary);
        for label in labels {
            label.span = self.place(label.span);
            self.rename(&mut label.text);
        }
        self.rename(&mut diagnostic.title);
        diagnostic
            .notes
            .iter_mut()
            .chain(&mut diagnostic.hint)
            .for_each(|it| self.rename(it));
    }

    fn is_written(&self, span: Span) -> bool {
        let is_part = |it: &Part| (it.start..=it.start + it.len).contains(&span.start);
        Some(span.file) != self.file || self.parts.iter().any(is_part)
    }

    fn rename(&self, text: &mut String) {
        if text.contains(PREFIX) {
            for part in self.parts.iter().rev() {
                if let Some(name) = &part.name {
                    *text = text.replace(name, &part.shown);
                }
            }
        }
    }
}
