//! From trees to the resolved specification.
//!
//! One pass in the order of the text, as TLA+ demands: a name is known from its declaration on. Modules are loaded when
//! something opens them, and resolved completely before the opener goes on, so an instance can always look at
//! finished bodies.

mod expr;
mod path;
mod proof;
mod scope;
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
use crate::level;
use scope::Scope;

/// The text of a module, and the name that messages give to it.
#[derive(Clone, Debug)]
pub struct ModuleText {
    /// A path, or something like `Naturals (built in)`.
    pub name: String,
    pub text: Arc<str>,
    pub is_library: bool,
}

/// Where modules come from: the folder of the root and the built-in library, or whatever a test sets up.
pub trait Modules {
    fn find(&self, name: &str) -> Option<ModuleText>;

    /// Names that a hint may propose.
    fn names(&self) -> Vec<String>;
}

/// Resolves the module in `file` and everything it opens.
///
/// Diagnostics come in the order of discovery: syntax errors of a file before its names. A module whose text has
/// syntax errors is resolved as far as it goes, but only its syntax errors are reported: the rest would be guesses.
pub fn resolve(file: FileId, sources: &mut Sources, modules: &dyn Modules) -> (Spec, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(sources, modules);
    let text = resolver.sources.file(file).text().clone();
    let root = resolver.load_text(&text, file, false);
    resolver.spec.root = root;
    let Resolver { spec, mut diagnostics, checked, .. } = resolver;
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(level::check(&spec, &checked));
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
    /// Modules being resolved, outermost first: what a cycle is told with.
    opening: Vec<Symbol>,
    /// The tree of the module being resolved.
    tree: Rc<ast::Tree>,
    scope: Scope,
    module: ModuleId,
    /// Definitions whose bodies are being resolved: a use of one of them is recursion.
    unfinished: FxHashSet<DefId>,
    /// `RECURSIVE` declarations that wait for their definitions, by name.
    pending: FxHashMap<Symbol, DefId>,
    /// What `@` stands for.
    at: Option<LocalId>,
    /// Things whose levels are to be checked once all is resolved.
    checked: level::Checked,
    /// Set while resolving text whose errors are not worth reporting.
    silent: bool,
    /// A module could not be opened: names that it may have defined are not reported as unknown.
    incomplete: bool,
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
            opening: vec![],
            tree: Rc::default(),
            scope: Scope::default(),
            module: ModuleId::new(0),
            unfinished: FxHashSet::default(),
            pending: FxHashMap::default(),
            at: None,
            checked: level::Checked::default(),
            silent: false,
            incomplete: false,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.silent {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The module called `name`, loaded now if it was not yet. `None` after a report, or when an earlier report
    /// covers it.
    fn open(&mut self, name: ast::Ident) -> Option<ModuleId> {
        if let Some(Entity::Module(nested)) = self.scope.module(name.name) {
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
        let Some(found) = self.modules.find(name.name.as_str()) else {
            self.loaded.insert(name.name, Loaded::Failed);
            let known = self.modules.names();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            self.report(errors::module_not_found(name.name, name.span, &known));
            return None;
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

    /// Parses and resolves one file in a scope of its own.
    fn load_text(&mut self, text: &str, file: FileId, is_library: bool) -> Option<ModuleId> {
        let (tree, syntax) = tla_syntax::parse(text, file);
        let broken = syntax.iter().any(Diagnostic::is_error);
        self.diagnostics.extend(syntax);
        let tree = Rc::new(tree);
        let name = tree.module.as_ref()?.name.name;
        self.loaded.insert(name, Loaded::Opening);
        self.opening.push(name);

        let outer_tree = std::mem::replace(&mut self.tree, tree.clone());
        let outer_scope = std::mem::take(&mut self.scope);
        let outer_pending = std::mem::take(&mut self.pending);
        let outer_module = self.module;
        let outer_silent = std::mem::replace(&mut self.silent, broken);
        let outer_incomplete = std::mem::take(&mut self.incomplete);
        let module = self.module(tree.module.as_ref()?, is_library);
        self.tree = outer_tree;
        self.scope = outer_scope;
        self.pending = outer_pending;
        self.module = outer_module;
        self.silent = outer_silent;
        // What an opened module misses, its opener misses too.
        self.incomplete |= outer_incomplete || broken;

        self.opening.pop();
        self.loaded.insert(name, Loaded::Done(module));
        Some(module)
    }

    fn alloc(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.spec.exprs.alloc(Expr { kind, span })
    }

    fn hole(&mut self, span: Span) -> ExprId {
        self.alloc(ExprKind::Error, span)
    }

    fn new_local(&mut self, ident: ast::Ident, arity: u32) -> LocalId {
        self.spec.locals.alloc(Local { name: ident.name, arity, span: ident.span })
    }
}
