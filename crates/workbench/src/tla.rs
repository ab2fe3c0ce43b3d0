//! A TLA+ file with everything it opens, and the model that a configuration makes of it.

use std::path::Path;

use diag::Diagnostic;
use source::{FileId, Sources, Span};
use tla_sema::{Model, ModuleText, Modules, Spec};
use tla_syntax::Tree;

use crate::host::{Host, Unreadable};
use crate::open::{Opened, Origin, is_markdown, read_text};

/// A TLA+ module with everything it opens.
pub struct TlaFile {
    pub sources: Sources,
    pub file: FileId,
    tree: Tree,
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
        tla_syntax::dump(&self.tree)
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

/// Parses a TLA+ file and, unless `syntax_only`, resolves its names.
pub fn parse_tla(opened: Opened, host: &dyn Host, syntax_only: bool) -> TlaFile {
    let Opened {
        mut sources,
        file,
        stem,
        origin,
        ..
    } = opened;
    let text = sources.file(file).text().clone();
    let (tree, syntax) = tla_syntax::parse(&text, file);
    let (spec, diagnostics) = match syntax_only {
        true => (Spec::default(), syntax),
        false => {
            let is_markdown = is_markdown(sources.file(file).name());
            let finder = Finder {
                origin: &origin,
                host,
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
        tree,
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
}

impl Finder<'_> {
    fn beside(&self, name: &str) -> Option<ModuleText> {
        let file = format!("{name}.tla");
        match self.origin {
            Origin::Gallery(entry) => entry.file(&file).map(|text| ModuleText {
                name: file.clone(),
                text: text.into(),
                is_library: false,
            }),
            Origin::Folder(folder) => {
                let path = Path::new(folder).join(&file).to_string_lossy().into_owned();
                let bytes = match self.host.read(&path) {
                    Ok(bytes) => bytes,
                    Err(Unreadable::Missing | Unreadable::Directory) => return None,
                    // Whatever is wrong with the file shows as a module that is not there.
                    Err(_) => return None,
                };
                let text = String::from_utf8_lossy(&bytes).into_owned();
                Some(ModuleText {
                    name: path,
                    text: text.into(),
                    is_library: false,
                })
            }
        }
    }
}

impl Modules for Finder<'_> {
    fn find(&self, name: &str) -> Option<ModuleText> {
        self.beside(name).or_else(|| {
            let text = tla_library::module(name)?;
            Some(ModuleText {
                name: format!("{name}.tla (built in)"),
                text: text.into(),
                is_library: true,
            })
        })
    }

    fn names(&self) -> Vec<String> {
        tla_library::names().iter().map(|it| it.to_string()).collect()
    }
}
