//! A TLA+ file with everything it opens, and the model that a configuration makes of it.

use std::path::Path;

use diag::Diagnostic;
use source::{FileId, Sources, Span};
use tla_sema::{Found, Model, ModuleText, Modules, Spec};
use tla_syntax::config::Config;
use util::Symbol;

use crate::algorithm::{Algorithm, Algorithms};
use crate::host::{Host, Unreadable};
use crate::language::Language;
use crate::open::{Opened, Origin, is_markdown, read_text};
use crate::overrides::Requests;

/// A TLA+ module with everything it opens.
#[derive(Clone)]
pub struct TlaFile {
    pub sources: Sources,
    pub file: FileId,
    /// Empty when only the syntax was asked for.
    pub spec: Spec,
    /// What is to be checked, once a configuration was read without errors.
    pub model: Option<Model>,
    pub diagnostics: Vec<Diagnostic>,
    /// A model that lacks nothing but a behaviour.
    pub(crate) aimless: Option<Model>,
    pub(crate) requests: Requests,
    pub(crate) stem: String,
    pub(crate) origin: Origin,
    /// Those of the module and of the modules that it opens.
    pub algorithms: Vec<Algorithm>,
}

impl TlaFile {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Whether this is an algorithm as a whole: where everything stands that its translation adds.
    pub(crate) fn is_algorithm(&self, span: Span) -> bool {
        self.algorithms.iter().any(|it| it.is_known() && it.head == span)
    }

    /// Whether this is the step that a translation adds so that the end of an algorithm is no deadlock.
    pub(crate) fn is_end_of_algorithm(&self, def: tla_sema::ir::DefId) -> bool {
        let def = &self.spec.defs[def];
        def.name.as_str() == "Terminating" && self.is_algorithm(def.span)
    }

    /// Whether the translation of an algorithm defines a name: a label, a process, a procedure, or what it always defines.
    pub(crate) fn is_translation(&self, name: &str) -> bool {
        let known = self.algorithms.iter().filter(|it| it.is_known());
        known.map(|it| &it.outline).any(|it| {
            matches!(name, "Init" | "Next" | "Terminating" | "Spec" | "Termination")
                || it.labels.iter().any(|it| it.action.as_str() == name)
                || it.processes.iter().any(|it| it.action.as_str() == name)
                || it.procedures.iter().any(|it| it.action.as_str() == name)
        })
    }

    /// Whether the model asks for deadlocks to be found.
    pub fn checks_deadlock(&self) -> bool {
        let asked = self.model.as_ref().and_then(|it| it.check_deadlock);
        asked.unwrap_or(true)
    }

    /// Shows a definition of the specification in traces, instead of the variables.
    pub fn show_definition(&mut self, name: &str) {
        let Some(model) = &mut self.model else { return };
        let spec = &self.spec;
        let def = spec.lookup_def(name).filter(|&it| {
            let def = &spec.defs[it];
            def.params.is_empty() && tla_sema::Levels::new(spec).of(def.body) <= tla_sema::ir::Level::Action
        });
        match def {
            Some(def) => {
                let def = &spec.defs[def];
                model.alias = Some(tla_sema::model::Formula {
                    name: def.name,
                    expr: def.body,
                    span: def.span,
                });
            }
            None => {
                let named = spec.root().into_iter().flat_map(|it| &it.defs);
                let names: Vec<&str> = named.map(|&it| spec.defs[it].name.as_str()).collect();
                self.diagnostics
                    .push(crate::diagnostics::unknown_view(name, &names));
            }
        }
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

    /// The configuration that lies beside the specification, if there is one, or in its file.
    pub fn config_beside(&self, host: &dyn Host) -> Option<String> {
        let Origin::Folder(folder) = &self.origin else {
            return self.default_config();
        };
        let path = Path::new(folder)
            .join(format!("{}.cfg", self.stem))
            .to_string_lossy()
            .into_owned();
        if host.read(&path).is_ok() {
            return Some(path);
        }
        let own = self.sources.file(self.file);
        tla_syntax::config::embedded(own.text()).map(|_| own.name().to_owned())
    }

    /// Takes what is to be checked from well-known names and the theorems of the module.
    pub fn configure_by_names(&mut self) {
        if self.has_errors() {
            return;
        }
        let (claims, diagnostics) = tla_sema::default_model(&mut self.spec);
        if !self.wants_termination() {
            return self.take_model(claims, diagnostics);
        }
        let config = self.named_behaviour();
        let whole = Span::new(self.file, 0, 0);
        let (mut model, diagnostics) = tla_sema::configure(&mut self.spec, &config, whole);
        model.invariants.extend(claims.invariants);
        model.properties.extend(claims.properties);
        self.take_model(model, diagnostics);
    }

    /// Takes a model over, unless there are errors about it. One that lacks nothing but a behaviour is kept aside.
    pub(crate) fn take_model(&mut self, mut model: Model, mut wrong: Vec<Diagnostic>) {
        self.give_default_value(&mut model, &mut wrong);
        let errors: Vec<&Diagnostic> = wrong.iter().filter(|it| it.is_error()).collect();
        match &errors[..] {
            [] => self.model = Some(model),
            some if some.iter().all(|it| is_about_behaviour(it)) => self.aimless = Some(model),
            _ => {}
        }
        self.diagnostics.extend(wrong);
        self.compose();
    }

    /// Variables of an algorithm that nobody gave a first value have one that is different from everything else. The translation declares it
    /// as a constant, about which nobody who writes algorithms should have to know.
    fn give_default_value(&self, model: &mut Model, wrong: &mut Vec<Diagnostic>) {
        const NAME: &str = "defaultInitValue";
        let mut constants = self.spec.constants();
        let decl = constants.find(|it| self.spec.decls[*it].name.as_str() == NAME);
        let given = |it: &tla_sema::ir::DeclId| model.constants.iter().any(|(decl, _)| decl == it);
        let Some(decl) = decl.filter(|it| !self.algorithms.is_empty() && !given(it)) else {
            return;
        };
        let n_wrong = wrong.len();
        wrong.retain(|it| it.code != "config-missing-constant" || !it.title.contains(NAME));
        if wrong.len() < n_wrong {
            let value = tla_sema::model::Value::Model(Symbol::new(NAME));
            let given = tla_sema::model::Given::Value(value);
            model.constants.push((decl, given));
        }
    }

    /// `PlusCal options (-termination)`
    pub(crate) fn wants_termination(&self) -> bool {
        let asks = |it: &Algorithm| it.file == self.file && it.is_known() && it.wants_termination;
        self.algorithms.iter().any(asks)
    }

    /// For questions that bring their own behaviours: that the model has none is no mistake.
    pub fn needs_no_behaviour(&mut self) {
        if let Some(model) = self.aimless.take() {
            self.diagnostics.retain(|it| !is_about_behaviour(it));
            self.model = Some(model);
        }
    }

    /// Reads a configuration: of the gallery's specification, or a file. Its mistakes join the diagnostics.
    ///
    /// Against a specification with errors only the configuration's own grammar is checked.
    pub fn configure(&mut self, path: &str, host: &dyn Host) {
        let Some((config, whole)) = self.read_config(path, host) else {
            return;
        };
        if self.has_errors() {
            return;
        }
        let (model, wrong) = tla_sema::configure(&mut self.spec, &config, whole);
        self.take_model(model, wrong);
    }

    /// A configuration without mistakes of its own, and where something is missing in it: at the end.
    pub(crate) fn read_config(&mut self, path: &str, host: &dyn Host) -> Option<(Config, Span)> {
        let own = match self.origin {
            Origin::Gallery(entry) => entry.file(path).map(str::to_string),
            Origin::Folder(_) => None,
        };
        let text = match own.map_or_else(|| read_text(path, host, &mut self.sources), Ok) {
            Ok(text) => text,
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                return None;
            }
        };
        let file = self.sources.add(path, text.clone());
        let embedded = path
            .ends_with(".tla")
            .then(|| tla_syntax::config::embedded(&text));
        let text = embedded.flatten().unwrap_or(text);
        let (config, diagnostics) = tla_syntax::config::parse(&text, file);
        let is_wrong = diagnostics.iter().any(Diagnostic::is_error);
        self.diagnostics.extend(diagnostics);
        let end = text.trim_end().len() as u32;
        (!is_wrong).then(|| (config, Span::new(file, end, end)))
    }
}

/// Whether a mistake is that nothing says which behaviours are meant.
fn is_about_behaviour(it: &Diagnostic) -> bool {
    matches!(
        it.code,
        "no-behaviour" | "config-missing-init" | "config-missing-next"
    )
}

/// The standard modules alone, as if a module extended them.
pub(crate) fn standard_modules() -> TlaFile {
    const TEXT: &str =
        "---- MODULE Expression ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC\n====\n";
    let mut sources = Sources::new();
    let opened = Opened {
        file: sources.add("Expression.tla", TEXT),
        sources,
        language: Language::Tla,
        stem: "Expression".to_owned(),
        origin: Origin::Folder(String::new()),
    };
    parse_tla(opened, &NoFiles, false)
}

/// Nothing but what is built in.
pub(crate) struct NoFiles;

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
    let is_markdown = is_markdown(sources.file(file).name());
    let finder = Finder {
        origin: &origin,
        host,
        algorithms: Algorithms::default(),
    };
    let (spec, mut diagnostics) = match syntax_only {
        true => {
            let text = sources.file(file).text();
            (Spec::default(), finder.algorithms.parse(text, file).1)
        }
        false => tla_sema::resolve(file, &mut sources, &finder),
    };
    if let Some(module) = spec.root()
        && module.name.as_str() != stem
        && !is_markdown
    {
        let wrong = tla_sema::diagnostics::module_name_mismatch(module.name, module.name_span, &stem);
        diagnostics.push(wrong);
    }
    let (algorithms, said) = finder.algorithms.finish(&sources);
    diagnostics.extend(said);
    TlaFile {
        sources,
        file,
        spec,
        model: None,
        diagnostics,
        aimless: None,
        requests: Requests::default(),
        stem,
        origin,
        algorithms,
    }
}

/// Modules beside the root, then those in libraries, then those built in.
pub(crate) struct Finder<'a> {
    pub origin: &'a Origin,
    pub host: &'a dyn Host,
    /// Those in the files that were read.
    pub algorithms: Algorithms,
}

impl Finder<'_> {
    fn beside(&self, name: &str) -> Found {
        let file = format!("{name}.tla");
        match self.origin {
            Origin::Gallery(entry) => match entry.file(&file) {
                Some(text) => Found::Text(ModuleText {
                    text: text.into(),
                    name: file,
                    is_library: false,
                }),
                None => Found::Missing,
            },
            Origin::Folder(folder) => self.in_folder(folder, &file),
        }
    }

    fn in_folder(&self, folder: &str, file: &str) -> Found {
        let path = Path::new(folder).join(file).to_string_lossy().into_owned();
        match self.host.read(&path).map(String::from_utf8) {
            Ok(Ok(text)) => Found::Text(ModuleText {
                name: path,
                text: text.into(),
                is_library: false,
            }),
            Ok(Err(_)) => Found::Unreadable(format!("`{path}` is not UTF-8 text")),
            Err(Unreadable::Missing | Unreadable::Directory) => Found::Missing,
            Err(why) => Found::Unreadable(why.diagnostic(&path, &[]).title),
        }
    }

    /// Beside the specification, else in the first library that has it.
    fn in_files(&self, name: &str) -> Found {
        let mut found = self.beside(name);
        let mut libraries = self.host.libraries().into_iter();
        while let (Found::Missing, Some(folder)) = (&found, libraries.next()) {
            found = self.in_folder(&folder, &format!("{name}.tla"));
        }
        found
    }
}

impl Modules for Finder<'_> {
    fn find(&self, name: &str) -> Found {
        match (self.in_files(name), tla_library::module(name)) {
            (Found::Missing, Some(text)) => Found::Text(ModuleText {
                name: format!("{name}.tla (built in)"),
                text: text.into(),
                is_library: true,
            }),
            (found, _) => found,
        }
    }

    fn parse(&self, text: &str, file: FileId) -> (tla_syntax::Tree, Vec<Diagnostic>) {
        self.algorithms.parse(text, file)
    }

    fn names(&self) -> Vec<String> {
        tla_library::names().iter().map(|it| it.to_string()).collect()
    }
}
