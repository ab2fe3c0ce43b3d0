//! A TLA+ file with everything it opens, and the model that a configuration makes of it.

use std::path::Path;

use diag::Diagnostic;
use source::{FileId, Sources, Span};
use tla_sema::{Found, Model, ModuleText, Modules, Spec};

use crate::host::{Host, Unreadable};
use crate::open::{Opened, Origin, is_markdown, read_text};

/// A TLA+ module with everything it opens.
pub struct TlaFile {
    pub sources: Sources,
    pub file: FileId,
    /// Empty when only the syntax was asked for.
    pub spec: Spec,
    /// What is to be checked, once a configuration was read without errors.
    pub model: Option<Model>,
    pub diagnostics: Vec<Diagnostic>,
    stem: String,
    origin: Origin,
}

impl TlaFile {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The syntax tree of the file itself, as indented lines.
    pub fn tree(&self) -> String {
        let text = self.sources.file(self.file).text();
        tla_syntax::dump(&tla_syntax::parse(text, self.file).0)
    }

    /// The name of the configuration that belongs to the specification itself, if it has one.
    pub fn default_config(&self) -> Option<String> {
        match self.origin {
            Origin::Gallery(entry) => {
                let name = format!("{}.cfg", self.stem);
                entry.file(&name).map(|_| name)
            }
            Origin::Folder(_) => None,
        }
    }

    /// The configuration that lies beside the specification, if there is one.
    pub fn config_beside(&self, host: &dyn Host) -> Option<String> {
        let Origin::Folder(folder) = &self.origin else {
            return self.default_config();
        };
        let path = Path::new(folder)
            .join(format!("{}.cfg", self.stem))
            .to_string_lossy()
            .into_owned();
        host.read(&path).is_ok().then_some(path)
    }

    /// Takes what is to be checked from well-known names and the theorems of the module.
    pub fn configure_by_names(&mut self) {
        if self.has_errors() {
            return;
        }
        let (model, diagnostics) = tla_sema::default_model(&mut self.spec);
        if !diagnostics.iter().any(Diagnostic::is_error) {
            self.model = Some(model);
        }
        self.diagnostics.extend(diagnostics);
    }

    /// Reads a configuration: of the gallery's specification, or a file. Its mistakes join the diagnostics.
    ///
    /// Against a specification with errors only the configuration's own grammar is checked.
    pub fn configure(&mut self, path: &str, host: &dyn Host) {
        let own = match self.origin {
            Origin::Gallery(entry) => entry.file(path).map(str::to_string),
            Origin::Folder(_) => None,
        };
        let text = match own.map_or_else(|| read_text(path, host, &mut self.sources), Ok) {
            Ok(text) => text,
            Err(diagnostic) => return self.diagnostics.push(diagnostic),
        };
        let file = self.sources.add(path, text.clone());
        let (config, mut diagnostics) = tla_syntax::config::parse(&text, file);
        if !self.has_errors() && !diagnostics.iter().any(Diagnostic::is_error) {
            // What is missing is missing at the end.
            let end = text.trim_end().len() as u32;
            let (model, wrong) = tla_sema::configure(&mut self.spec, &config, Span::new(file, end, end));
            diagnostics.extend(wrong);
            if !diagnostics.iter().any(Diagnostic::is_error) {
                self.model = Some(model);
            }
        }
        self.diagnostics.extend(diagnostics);
    }
}

/// A module that extends the opened one and adds definitions to it: how expressions from the command line get the names
/// of a specification. Each definition is a name and an expression.
pub fn extend_tla(opened: Opened, host: &dyn Host, definitions: &[(&str, &str)]) -> TlaFile {
    let Opened {
        mut sources,
        file,
        stem,
        origin,
        ..
    } = opened;
    let text = sources.file(file).text().clone();
    let (tree, _) = tla_syntax::parse(&text, file);
    let name = tree
        .module
        .as_ref()
        .map_or(stem.clone(), |it| it.name.name.to_string());
    let root = ModuleText {
        name: sources.file(file).name().to_string(),
        text,
        is_library: false,
    };
    let wrapper = wrapper(&[&name], definitions);
    let file = sources.add("command line", wrapper);
    let finder = Finder {
        origin: &origin,
        host,
        root: Some((&name, &root)),
    };
    let (spec, diagnostics) = tla_sema::resolve(file, &mut sources, &finder);
    TlaFile {
        sources,
        file,
        spec,
        model: None,
        diagnostics,
        stem,
        origin,
    }
}

/// As [`extend_tla`] without a specification: the standard modules alone.
pub fn define_tla(definitions: &[(&str, &str)]) -> TlaFile {
    let mut sources = Sources::new();
    let modules = ["Integers", "Sequences", "FiniteSets", "Bags", "TLC"];
    let file = sources.add("command line", wrapper(&modules, definitions));
    let origin = Origin::Folder(String::new());
    let finder = Finder {
        origin: &origin,
        host: &NoFiles,
        root: None,
    };
    let (spec, diagnostics) = tla_sema::resolve(file, &mut sources, &finder);
    TlaFile {
        sources,
        file,
        spec,
        model: None,
        diagnostics,
        stem: String::new(),
        origin,
    }
}

/// The text of the added module. An expression begins a line of its own, so that its columns are its author's.
fn wrapper(extends: &[&str], definitions: &[(&str, &str)]) -> String {
    let mut text = format!("---- MODULE CommandLine ----\nEXTENDS {}\n", extends.join(", "));
    for (name, expr) in definitions {
        text += &format!("{name} ==\n{expr}\n");
    }
    text + "====\n"
}

/// Nothing but what is built in.
struct NoFiles;

impl Host for NoFiles {
    fn read(&self, _: &str) -> Result<Vec<u8>, Unreadable> {
        Err(Unreadable::Missing)
    }
}

/// Parses a TLA+ file and, unless `syntax_only`, resolves its names.
pub fn parse_tla(opened: Opened, host: &dyn Host, syntax_only: bool) -> TlaFile {
    let Opened {
        mut sources,
        file,
        stem,
        origin,
        ..
    } = opened;
    let (spec, diagnostics) = match syntax_only {
        true => {
            let text = sources.file(file).text();
            (Spec::default(), tla_syntax::parse(text, file).1)
        }
        false => {
            let is_markdown = is_markdown(sources.file(file).name());
            let finder = Finder {
                origin: &origin,
                host,
                root: None,
            };
            let (spec, mut diagnostics) = tla_sema::resolve(file, &mut sources, &finder);
            if let Some(module) = spec.root()
                && module.name.as_str() != stem
                && !is_markdown
            {
                let wrong = tla_sema::diagnostics::module_name_mismatch(module.name, module.name_span, &stem);
                diagnostics.push(wrong);
            }
            (spec, diagnostics)
        }
    };
    TlaFile {
        sources,
        file,
        spec,
        model: None,
        diagnostics,
        stem,
        origin,
    }
}

/// Modules beside the root, then those built in.
struct Finder<'a> {
    origin: &'a Origin,
    host: &'a dyn Host,
    /// A module whose text is at hand, under its name.
    root: Option<(&'a str, &'a ModuleText)>,
}

impl Finder<'_> {
    fn beside(&self, name: &str) -> Found {
        let file = format!("{name}.tla");
        let (path, text) = match self.origin {
            Origin::Gallery(entry) => match entry.file(&file) {
                Some(text) => (file, text.to_string()),
                None => return Found::Missing,
            },
            Origin::Folder(folder) => {
                let path = Path::new(folder).join(&file).to_string_lossy().into_owned();
                match self.host.read(&path).map(String::from_utf8) {
                    Ok(Ok(text)) => (path, text),
                    Ok(Err(_)) => return Found::Unreadable(format!("`{path}` is not UTF-8 text")),
                    Err(Unreadable::Missing | Unreadable::Directory) => return Found::Missing,
                    Err(why) => return Found::Unreadable(why.diagnostic(&path, &[]).title),
                }
            }
        };
        Found::Text(ModuleText {
            name: path,
            text: text.into(),
            is_library: false,
        })
    }
}

impl Modules for Finder<'_> {
    fn find(&self, name: &str) -> Found {
        if let Some((root, text)) = self.root
            && root == name
        {
            return Found::Text(text.clone());
        }
        match (self.beside(name), tla_library::module(name)) {
            (Found::Missing, Some(text)) => Found::Text(ModuleText {
                name: format!("{name}.tla (built in)"),
                text: text.into(),
                is_library: true,
            }),
            (found, _) => found,
        }
    }

    fn names(&self) -> Vec<String> {
        tla_library::names().iter().map(|it| it.to_string()).collect()
    }
}
