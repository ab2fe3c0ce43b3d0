//! Texts from outside, resolved where the root module ends: formulas of a command line, definitions at a prompt.
//!
//! A formula becomes a definition that is called by its own text, and that only [`Spec::appended`] knows: the module does not get
//! new names. Its places are places in its text, so nobody has to map them back. The specification is not resolved again; it
//! only grows, and everything that has an id in it keeps that id.

use std::rc::Rc;

use diag::Diagnostic;
use source::{FileId, Sources, Span};
use tla_syntax::ast::{self, ExprKind as Ast};
use util::{FxHashMap, FxHashSet, Symbol};

use super::scope::Scope;
use super::{Loaded, Modules, Resolver};
use crate::instance::Instances;
use crate::ir::*;
use crate::level::{self, Check};
use crate::lint;

/// A resolved specification that grows.
///
/// ```
/// use tla_sema::{Appendix, Found, Modules, resolve};
///
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
/// let file = sources.add("M.tla", "---- MODULE M ----\nVARIABLE x\n====\n");
/// let (spec, _) = resolve(file, &mut sources, &Alone);
/// let goal = sources.add("--goal", "x = y");
/// let mut appendix = Appendix::new(spec, &mut sources, &Alone);
/// appendix.formula("x = y", goal);
/// let (_, diagnostics) = appendix.finish();
/// assert_eq!(diagnostics[0].title, "`y` is not declared");
/// assert_eq!(sources.location(diagnostics[0].span().unwrap()), "--goal:1:5");
/// ```
pub struct Appendix<'a> {
    resolver: Resolver<'a>,
}

impl<'a> Appendix<'a> {
    /// For a specification without errors.
    pub fn new(spec: Spec, sources: &'a mut Sources, modules: &'a dyn Modules) -> Appendix<'a> {
        let mut resolver = Resolver::new(sources, modules);
        resolver.instances = Instances::of(&spec);
        // A module that is opened again must be the one that is known: its declarations are the same ones.
        let nested: FxHashSet<ModuleId> = nested_modules(&spec);
        let files = spec.modules.iter().filter(|it| !nested.contains(&it.0));
        for (id, module) in files {
            resolver.loaded.insert(module.name, Loaded::Done(id));
            if !module.is_library && !resolver.files.contains(&module.span.file) {
                resolver.files.push(module.span.file);
            }
        }
        if let Some(root) = spec.root {
            resolver.ctx.scope = Scope::at_end_of(&spec.modules[root]);
            resolver.ctx.module = root;
        }
        resolver.spec = spec;
        Appendix { resolver }
    }

    /// The specification as far as it has grown.
    pub fn spec(&self) -> &Spec {
        &self.resolver.spec
    }

    /// Where the texts are to be put before they are read.
    pub fn sources(&mut self) -> &mut Sources {
        self.resolver.sources
    }

    /// The definition that a name of the module stands for.
    pub fn lookup(&self, name: &str) -> Option<DefId> {
        match self.resolver.ctx.scope.get(Symbol::new(name))? {
            Entity::Def(def) => Some(def),
            _ => None,
        }
    }

    /// Whether a definition has one parameter, for a value.
    pub fn is_operator_on_values(&self, def: DefId) -> bool {
        let spec = self.spec();
        matches!(spec.defs[def].params[..], [one] if spec.locals[one].arity == 0)
    }

    /// A formula as a definition. One that is only the name of a definition is that definition; none if it cannot be read.
    pub fn formula(&mut self, text: &str, file: FileId) -> Option<DefId> {
        self.define(text, file, None)
    }

    /// A formula with a parameter, for a value that is given with every question.
    pub fn operator(&mut self, parameter: &str, text: &str, file: FileId) -> Option<DefId> {
        self.define(text, file, Some(Symbol::new(parameter)))
    }

    fn define(&mut self, text: &str, file: FileId, parameter: Option<Symbol>) -> Option<DefId> {
        let body = self.read(text, file)?;
        if let (Ast::Ident(name), None) = (&self.resolver.ctx.tree.exprs[body].kind, parameter)
            && let Some(def) = self.constant_definition(*name)
        {
            return Some(def);
        }
        let name = ast::Ident {
            name: Symbol::new(&text.split_whitespace().collect::<Vec<_>>().join(" ")),
            span: Span::new(file, 0, text.len() as u32),
        };
        let resolver = &mut self.resolver;
        let mark = resolver.ctx.scope.mark();
        let params = parameter.map(|it| {
            resolver.bind_name(ast::Ident {
                name: it,
                span: name.span,
            })
        });
        let body = resolver.labelled(|it| it.expr(body));
        resolver.ctx.scope.release(mark);
        let params = params.into_iter().collect();
        let def = resolver.new_def(name, DefKind::Operator, params, body, false);
        resolver.check(Check::Def(def));
        resolver.spec.appended.insert(name.name, def);
        Some(def)
    }

    /// The definition without parameters that a name stands for.
    fn constant_definition(&self, name: Symbol) -> Option<DefId> {
        let def = self.lookup(name.as_str())?;
        let Def { kind, params, .. } = &self.spec().defs[def];
        (params.is_empty() && *kind != DefKind::Rule).then_some(def)
    }

    /// The negation of a definition without parameters.
    pub fn negation(&mut self, def: DefId) -> DefId {
        let resolver = &mut self.resolver;
        let (name, span) = (resolver.spec.defs[def].name, resolver.spec.defs[def].span);
        let call = ExprKind::Call {
            op: Operator::Def(def),
            args: Box::default(),
        };
        let call = resolver.alloc(call, span);
        let body = resolver.alloc(
            ExprKind::Builtin {
                op: Builtin::Not,
                args: Box::new([call]),
            },
            span,
        );
        let name = ast::Ident {
            name: Symbol::new(&format!("~({name})")),
            span,
        };
        let negation = resolver.new_def(name, DefKind::Operator, Box::default(), body, false);
        resolver.spec.appended.insert(name.name, negation);
        negation
    }

    /// Definitions as they are: from here on their names are names of the module.
    pub fn units(&mut self, text: &str, file: FileId) {
        let (tree, syntax) = tla_syntax::parse_units(text, file);
        let resolver = &mut self.resolver;
        resolver.ctx.silent = syntax.iter().any(Diagnostic::is_error);
        resolver.diagnostics.extend(syntax);
        resolver.ctx.tree = Rc::new(tree);
        let tree = resolver.ctx.tree.clone();
        resolver.ctx.pending.push(FxHashMap::default());
        for unit in tree.module.iter().flat_map(|it| &it.units) {
            resolver.unit(unit);
        }
        resolver.report_pending();
        resolver.ctx.silent = false;
        if let Some(root) = resolver.spec.root {
            let (scope, nested) = resolver.ctx.scope.finish();
            let root = &mut resolver.spec.modules[root];
            (root.scope, root.nested) = (scope, nested);
        }
    }

    /// The tree of an expression becomes the one that is resolved.
    fn read(&mut self, text: &str, file: FileId) -> Option<ast::ExprId> {
        let (tree, body, syntax) = tla_syntax::parse_expr(text, file);
        let is_wrong = syntax.iter().any(Diagnostic::is_error);
        self.resolver.diagnostics.extend(syntax);
        self.resolver.ctx.tree = Rc::new(tree);
        body.filter(|_| !is_wrong)
    }

    /// The specification with all that was appended, and what is wrong with that.
    pub fn finish(mut self) -> (Spec, Vec<Diagnostic>) {
        self.resolver.count_unbound();
        let Resolver {
            spec,
            mut diagnostics,
            checks,
            records,
            ..
        } = self.resolver;
        diagnostics.extend(level::check(&spec, &checks));
        if !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(lint::field_names(&spec, &records));
        }
        (spec, diagnostics)
    }
}

fn nested_modules(spec: &Spec) -> FxHashSet<ModuleId> {
    let all = spec.modules.iter().flat_map(|(_, it)| it.nested.values());
    all.filter_map(|it| match it.entity {
        Entity::Module(id) => Some(id),
        _ => None,
    })
    .collect()
}
