//! From trees to the resolved specification.
//!
//! One pass in the order of the text, as TLA+ demands: a name is known from its declaration on. Modules are loaded when
//! something opens them, and resolved completely before the opener goes on, so an instance can always look at
//! finished bodies.

mod appendix;
mod behind;
mod clause;
mod expr;
mod import;
mod label;
mod path;
mod proof;
mod scope;
mod select;
mod unit;

use std::rc::Rc;
use std::sync::Arc;

use diag::Diagnostic;
use source::{FileId, Sources, Span};
use tla_syntax::ast;
use util::{FxHashMap, FxHashSet, Symbol};

use crate::diagnostics as errors;
use crate::instance::Instances;
use crate::ir::*;
use crate::level::{self, Check};
use crate::lint;
use label::LabelScope;
use scope::Scope;

pub use appendix::Appendix;

/// The text of a module, and the name that messages give to it.
#[derive(Clone, Debug)]
pub struct ModuleText {
    /// A path, or something like `Naturals (built in)`.
    pub name: String,
    pub text: Arc<str>,
    pub is_library: bool,
}

/// What became of the search for a module.
pub enum Found {
    Text(ModuleText),
    Missing,
    /// There is such a file, but it cannot be read: why.
    Unreadable(String),
}

/// Where modules come from: the folder of the root and the built-in library, or whatever a test sets up.
pub trait Modules {
    fn find(&self, name: &str) -> Found;

    /// Names that a hint may propose.
    fn names(&self) -> Vec<String>;

    /// The tree of a text, and what is wrong with it. Whoever brings the texts may read in them what is no TLA+ and becomes some;
    /// all spans are places in the text.
    fn parse(&self, text: &str, file: FileId) -> (tla_syntax::Tree, Vec<Diagnostic>) {
        tla_syntax::parse(text, file)
    }
}

/// Resolves the module in `file` and everything it opens.
///
/// Diagnostics come in the order of discovery: syntax errors of a file before its names. A module whose text has
/// syntax errors is resolved as far as it goes, but only its syntax errors are reported: the rest would be guesses.
///
/// ```
/// use tla_sema::{Found, Modules, resolve};
///
/// /// No other modules than the one that is given.
/// struct Alone;
///
/// impl Modules for Alone {
///     fn find(&self, _name: &str) -> Found {
///         Found::Missing
///     }
///
///     fn names(&self) -> Vec<String> {
///         vec![]
///     }
/// }
///
/// let mut sources = source::Sources::new();
/// let file = sources.add("M.tla", "---- MODULE M ----\nVARIABLE x\nInit == y = {}\n====\n");
/// let (_, diagnostics) = resolve(file, &mut sources, &Alone);
/// assert_eq!(diagnostics[0].title, "`y` is not declared");
/// ```
pub fn resolve(file: FileId, sources: &mut Sources, modules: &dyn Modules) -> (Spec, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(sources, modules);
    let text = resolver.sources.file(file).text().clone();
    let root = resolver.load_text(&text, file, false);
    resolver.spec.root = root;
    let Resolver {
        spec,
        mut diagnostics,
        checks,
        records,
        ..
    } = resolver;
    // A hole is a constant, so that it breaks no rule of levels.
    diagnostics.extend(level::check(&spec, &checks));
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(lint::field_names(&spec, &records));
    }
    (spec, diagnostics)
}

struct Resolver<'a> {
    sources: &'a mut Sources,
    modules: &'a dyn Modules,
    spec: Spec,
    instances: Instances,
    diagnostics: Vec<Diagnostic>,
    loaded: FxHashMap<Symbol, Loaded>,
    /// Files of the user that have been read.
    files: Vec<FileId>,
    /// Modules being resolved, outermost first: what a cycle is told with.
    opening: Vec<Symbol>,
    /// What the definitions are that have no value.
    rules: FxHashMap<DefId, clause::Rule>,
    /// Things whose levels are to be checked once all is resolved.
    checks: Vec<Check>,
    /// Records written in modules that are not built in.
    records: Vec<lint::Record>,
    ctx: Context,
}

/// The place in the text: everything that starts anew with each file.
struct Context {
    tree: Rc<ast::Tree>,
    scope: Scope,
    module: ModuleId,
    /// Names that the module declares at its own level, for a name that is used too early.
    later: Rc<FxHashMap<Symbol, Span>>,
    /// Definitions whose bodies are being resolved: a use of one of them is recursion.
    unfinished: FxHashSet<DefId>,
    /// `RECURSIVE` declarations that wait for their definitions: of the module, then of each `LET` around the place.
    pending: Vec<FxHashMap<Symbol, DefId>>,
    /// A unit that may not stand between a `RECURSIVE` declaration and its definition has been reported.
    section_reported: bool,
    /// What `@` stands for in `EXCEPT`.
    at: Option<LocalId>,
    /// What `@` stands for at the start of a proof step: the right side of the step before.
    chained: Option<ExprId>,
    labels: Vec<LabelScope>,
    /// Names that were not declared, by what is missing: the name itself, or a module that defines it.
    unbound: FxHashMap<Symbol, expr::Unbound>,
    /// For each `ASSUME … PROVE` around the place, whether it has declared a `NEW` name by now.
    news: Vec<bool>,
    /// Set while resolving text whose errors are not worth reporting.
    silent: bool,
    /// A module could not be opened: names that it may have defined are not reported as unknown.
    incomplete: bool,
}

impl Context {
    fn new(tree: Rc<ast::Tree>, silent: bool) -> Context {
        Context {
            tree,
            scope: Scope::default(),
            module: ModuleId::new(0),
            later: Rc::default(),
            unfinished: FxHashSet::default(),
            pending: vec![],
            section_reported: false,
            at: None,
            chained: None,
            labels: vec![],
            unbound: FxHashMap::default(),
            news: vec![],
            silent,
            incomplete: false,
        }
    }
}

#[derive(Clone, Copy)]
enum Loaded {
    Opening,
    Done(ModuleId),
    /// Not found, or without a module in it.
    Failed,
}

impl<'a> Resolver<'a> {
    fn new(sources: &'a mut Sources, modules: &'a dyn Modules) -> Resolver<'a> {
        Resolver {
            sources,
            modules,
            spec: Spec::default(),
            instances: Instances::default(),
            diagnostics: vec![],
            loaded: FxHashMap::default(),
            files: vec![],
            opening: vec![],
            rules: FxHashMap::default(),
            checks: vec![],
            records: vec![],
            ctx: Context::new(Rc::default(), false),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.ctx.silent {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Notes something whose level is to be checked, unless its text is broken anyway.
    fn check(&mut self, check: Check) {
        if !self.ctx.silent {
            self.checks.push(check);
        }
    }

    /// The module called `name`, loaded now if it was not yet. `None` after a report, or when an earlier report
    /// covers it.
    fn open(&mut self, name: ast::Ident) -> Option<ModuleId> {
        if let Some(Entity::Module(nested)) = self.ctx.scope.module(name.name) {
            return Some(nested);
        }
        match self.loaded.get(&name.name) {
            Some(Loaded::Done(module)) => return Some(*module),
            Some(Loaded::Failed) => return None,
            Some(Loaded::Opening) => {
                let from = self.opening.iter().position(|&it| it == name.name).unwrap_or(0);
                let chain: Vec<Symbol> = self.opening[from..].iter().copied().chain([name.name]).collect();
                self.report(errors::module_cycle(&chain, name.span));
                return None;
            }
            None => {}
        }
        let found = match self.modules.find(name.name.as_str()) {
            Found::Text(text) => text,
            Found::Missing if let Some((text, file)) = self.behind_others(name.name) => {
                let module = self.load_text(&text, file, false);
                self.loaded
                    .insert(name.name, module.map_or(Loaded::Failed, Loaded::Done));
                return module;
            }
            Found::Missing => {
                let known = self.modules.names();
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                return self.cannot_open(name, errors::module_not_found(name.name, name.span, &known));
            }
            Found::Unreadable(why) => {
                return self.cannot_open(name, errors::module_unreadable(name.name, name.span, why));
            }
        };
        let file = self.sources.add(found.name, found.text.clone());
        let module = self.load_text(&found.text, file, found.is_library);
        if let Some(id) = module
            && self.spec.modules[id].name != name.name
        {
            let module = &self.spec.modules[id];
            let (own_name, span) = (module.name, module.name_span);
            self.report(errors::module_name_mismatch(own_name, span, name.name.as_str()));
        }
        let state = module.map_or(Loaded::Failed, Loaded::Done);
        self.loaded.insert(name.name, state);
        module
    }

    fn cannot_open(&mut self, name: ast::Ident, error: Diagnostic) -> Option<ModuleId> {
        self.loaded.insert(name.name, Loaded::Failed);
        self.report(error);
        None
    }

    /// Parses and resolves one file in a scope of its own.
    fn load_text(&mut self, text: &str, file: FileId, is_library: bool) -> Option<ModuleId> {
        let (tree, syntax) = self.modules.parse(text, file);
        let broken = syntax.iter().any(Diagnostic::is_error);
        self.diagnostics.extend(syntax);
        let tree = Rc::new(tree);
        if !is_library && !self.files.contains(&file) {
            self.files.push(file);
        }
        let module = tree.module.as_ref()?;
        let name = module.name.name;
        self.loaded.insert(name, Loaded::Opening);
        self.opening.push(name);

        let outer = std::mem::replace(&mut self.ctx, Context::new(tree.clone(), broken));
        let id = util::deep(|| self.module(module, is_library));
        self.count_unbound();
        let inner = std::mem::replace(&mut self.ctx, outer);
        // What an opened module misses, its opener misses too.
        self.ctx.incomplete |= inner.incomplete || broken;

        self.opening.pop();
        self.loaded.insert(name, Loaded::Done(id));
        Some(id)
    }

    fn alloc(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.spec.exprs.alloc(Expr { kind, span })
    }

    fn hole(&mut self, span: Span) -> ExprId {
        self.alloc(ExprKind::Error, span)
    }

    fn new_local(&mut self, ident: ast::Ident, arity: u32, level: Level) -> LocalId {
        self.spec.locals.alloc(Local {
            name: ident.name,
            arity,
            level,
            span: ident.span,
        })
    }
}
